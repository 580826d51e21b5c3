/* Parts of the leak guard. Inside the room only. */
#ifndef MGL_RISK_GUARD_H
#define MGL_RISK_GUARD_H

#include "risk/risk.h"

/* ---- Free text ------------------------------------------------------------------------------- */

/* Does text repeat the ground values of the row it stands in more often than those of the row
 * before, which it would only do by chance? */
typedef struct mgl_text_watch {
    uint64_t *own, *other; /* [generalized attribute] rows */
    uint32_t *last;        /* its leaf in the row before; MGL_NOT_FOUND: none */
    size_t n;
} mgl_text_watch;

mgl_status mgl_text_watch_init(mgl_text_watch *watch, size_t n, mgl_error *err);
void mgl_text_watch_free(mgl_text_watch *watch);

/* Several words? */
bool mgl_looks_like_text(mgl_span cell);

/* leaf: the ground value of attribute i in this row, `own` its label. */
void mgl_text_watch_add(mgl_text_watch *watch, size_t i, mgl_span text, mgl_span own, uint32_t leaf,
                        const mgl_span *labels);

/* In how many rows the text repeats attribute i; 0 if that may be chance. */
uint64_t mgl_text_watch_found(const mgl_text_watch *watch, size_t i);

#endif
