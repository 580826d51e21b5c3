/* feature/history: earlier releases of the same table (`history`). */
#ifndef MGL_FEATURE_HISTORY_H
#define MGL_FEATURE_HISTORY_H

#include "findings/findings.h"

/* Earlier releases of the table (--history). Rows that look alike in each of them have the same
 * past; whoever holds the releases can tell rows of different pasts apart, though they are in one
 * class. */
typedef struct mgl_earlier {
    size_t n;
    const mgl_saved_recoding **saved;
    uint32_t n_pasts;
    mgl_table *columns; /* the past of each row; then, for each sensitive column, past and value as
                           one code */
    const uint32_t **first, **meaning; /* [n_sensitive] of these codes, as mgl_joint has them */
    mgl_arena *arena;
} mgl_earlier;

/* What the feature keeps of a reading. */
typedef struct mgl_history {
    const mgl_kept **recodings; /* [n_history] of earlier releases, in the session */
    const mgl_earlier *earlier; /* NULL: there are none */
} mgl_history;
mgl_history *mgl_history_of(const mgl_reading *reading);

extern const mgl_feature mgl_history_feature;
extern const mgl_feature_release mgl_history_release;

#endif
