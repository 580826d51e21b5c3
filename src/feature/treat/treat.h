/* feature/treat: columns that are treated before anything is counted (`treat`). */
#ifndef MGL_FEATURE_TREAT_H
#define MGL_FEATURE_TREAT_H

#include "findings/findings.h"

/* A released column that is no quasi-identifier and is treated before anything is counted. */
typedef struct mgl_treated_column {
    const char *name, *text; /* text: its treatments, as the job has them */
    mgl_treat *treat;
    size_t field;          /* of the source */
    const mgl_column *raw; /* as it was read; NULL: what is read has it not */
    bool made;
    mgl_column column; /* where made: as it is released */
    char *resolved;    /* where made: the treatments, with what they took from the values */
} mgl_treated_column;

/* What the feature keeps of a reading. */
typedef struct mgl_treated {
    mgl_treated_column *of; /* [n] */
    size_t n;
} mgl_treated;
mgl_treated *mgl_treated_of(const mgl_reading *reading);

extern const mgl_feature mgl_treat_feature;
extern const mgl_feature_release mgl_treat_release;
extern const struct mgl_feature_audit mgl_treat_audit;

#endif
