/* Classifications whose codes contain the levels above them. Private to the module. */
#ifndef MGL_HIERARCHY_CLASSIFICATION_H
#define MGL_HIERARCHY_CLASSIFICATION_H

#include "hierarchy/builders.h"

typedef struct mgl_classification {
    const char *name;          /* of the builder */
    const char *const *levels; /* [n_levels] from fine to coarse, as arguments name them */
    size_t n_levels;
    const char *needs; /* "is no code of ICD-10 (E11, E11.9, E119)" */
    /* The levels that are wanted if the job names none: bit 1 << level. */
    unsigned (*usual)(const struct mgl_classification *c, const mgl_ground *ground);
    /* Writes the label of a value on a level; false if the value is none of the classification. */
    bool (*label)(const struct mgl_classification *c, mgl_span value, size_t level,
                  mgl_buffer *out);
    const struct mgl_code_rules *codes; /* of those in build_codes.c */
} mgl_classification;

extern const mgl_classification mgl_icd10, mgl_icd9, mgl_iso3166, mgl_isco, mgl_isced, mgl_iscedf,
    mgl_nace, mgl_nace21, mgl_atc, mgl_nuts;

/* Builds NAME or NAME(LEVEL,LEVEL,...). */
mgl_status mgl_build_classification(mgl_build *build, const mgl_classification *classification,
                                    mgl_error *err);

#endif
