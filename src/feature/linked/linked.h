/* feature/linked: columns that follow quasi-identifiers (`linked`, `follow`). */
#ifndef MGL_FEATURE_LINKED_H
#define MGL_FEATURE_LINKED_H

#include "findings/findings.h"

/* A released column that follows quasi-identifiers, or would have to if it gave one back. */
typedef struct mgl_linked_column {
    const char *name;
    size_t field;             /* of the source */
    bool named;               /* by the job; else it follows if the leak guard objects to it */
    const mgl_column *column; /* as it was read */
    const mgl_hierarchy *hierarchy;
    const uint32_t *leaf_of_code;
} mgl_linked_column;

/* What the feature keeps of a reading. */
typedef struct mgl_linked_columns {
    mgl_linked_column *of; /* [n] */
    size_t n;
    uint32_t *leads; /* [n_leads] the quasi-identifiers that named ones follow */
    size_t n_leads;
} mgl_linked_columns;
mgl_linked_columns *mgl_linked_of(const mgl_reading *reading);

extern const mgl_feature mgl_linked_feature;
extern const mgl_feature_release mgl_linked_release;

#endif
