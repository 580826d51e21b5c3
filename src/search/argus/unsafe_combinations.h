/* Which combinations of values are unsafe, as a result tells it. Inside the room only. */
#ifndef MGL_SEARCH_ARGUS_UNSAFE_COMBINATIONS_H
#define MGL_SEARCH_ARGUS_UNSAFE_COMBINATIONS_H

#include "search/argus/units.h"

/* A table on the way to its release, and its outliers. */
typedef struct mgl_argus_state {
    const mgl_frequency_list *list;
    const char *const *names; /* of columns; NULL: not known */
    uint64_t live;            /* columns that the node has not at their top as a whole */
    const mgl_argus_units *units;
    const mgl_argus_family *family;
    const mgl_argus_outliers *outliers;
    const uint64_t *lost; /* [units] columns whose cell will be suppressed; NULL: none will */
} mgl_argus_state;

/* {values, rows, combinations: [{columns, values, rows}], combinations_left_out, tuples: [{rows,
 * outliers, outliers_left_out, suppressed}], tuples_left_out}. */
mgl_status mgl_argus_unsafe_json(const mgl_argus_state *state, mgl_error *err, json_t **out);

#endif
