/* The risk of households, from the rows of a release. Inside the room only. */
#ifndef MGL_VERIFY_HOUSEHOLDS_H
#define MGL_VERIFY_HOUSEHOLDS_H

#include "verify/verify.h"

typedef struct mgl_household_risks {
    const uint32_t *of_row; /* [row] the household */
    size_t n;               /* households are below this */
    double *hidden;         /* [n] chance that nobody of it is found */
    uint64_t *rows;         /* [n] of it that are judged */
} mgl_household_risks;

/* Free with mgl_household_risks_free, also on failure. */
mgl_status mgl_household_risks_init(mgl_household_risks *risks, const uint32_t *of_row,
                                    size_t n_rows, mgl_error *err);
void mgl_household_risks_free(mgl_household_risks *risks);
/* Each of these rows, a class, has this risk, and tells of so many persons (NULL: of one). */
void mgl_household_risks_add(mgl_household_risks *risks, const uint64_t *times,
                             const uint32_t *rows, size_t n, double risk);
/* What the households say about the model; those that violate it count as classes. */
void mgl_household_risks_judge(const mgl_household_risks *risks, const mgl_model *model,
                               mgl_found *found);

#endif
