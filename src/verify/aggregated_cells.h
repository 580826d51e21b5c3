/* What is promised of aggregated columns, and its judge. */
#ifndef MGL_VERIFY_AGGREGATED_CELLS_H
#define MGL_VERIFY_AGGREGATED_CELLS_H

#include "verify/judge.h"

/* A quasi-identifier of the release that is aggregated: rows that are equal in all
 * quasi-identifiers show what stands for the values that they had. */
typedef struct mgl_promised_aggregate {
    size_t attribute; /* its place among the top columns below */
    mgl_aggregate function;
    const mgl_column *raw;          /* as it was read */
    const mgl_hierarchy *hierarchy; /* of its values */
    const uint32_t *leaf_of_code;
} mgl_promised_aggregate;

extern const mgl_judge mgl_aggregate_judge; /* of mgl_promised_aggregate */

#endif
