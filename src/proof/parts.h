/* Inside the room only. */
#ifndef MGL_PROOF_PARTS_H
#define MGL_PROOF_PARTS_H

#include "proof/proof.h"

/* Sums of prices of many rows leave 64 bits. */
typedef __int128 mgl_proof_sum;

/* What cells cost by the definition of the measure, in units of MGL_PROOF_UNIT, rounded down. */
typedef struct mgl_proof_costs {
    int64_t **of; /* [column][value] */
    int64_t top;  /* of a row */
} mgl_proof_costs;

/* Free with mgl_proof_costs_free, also on failure. */
mgl_status mgl_proof_costs_find(const mgl_proof *proof, mgl_error *err, mgl_proof_costs *out);
void mgl_proof_costs_free(mgl_proof_costs *costs, size_t n_columns);

/* The value of the measure if all rows together cost so much. */
double mgl_proof_value(const mgl_proof *proof, mgl_proof_sum cost);

/* Rows that a class must have; and how many values of a sensitive attribute, at least. */
uint64_t mgl_proof_rows_needed(const mgl_proof *proof);
uint64_t mgl_proof_distinct_needed(const mgl_proof *proof, size_t sensitive);

#endif
