/* What a job can ask for and that does not go together: one table, from which refusals are made and
 * which the catalogue lists. */
#ifndef MGL_JOB_KEYS_CONFLICTS_H
#define MGL_JOB_KEYS_CONFLICTS_H

#include "job/job.h"

/* Rows that one check looks at; each is about what it is named after. */
typedef enum mgl_conflict_group {
    MGL_CONFLICTS_OF_STRATA,
    MGL_CONFLICTS_OF_JOINED,
    MGL_CONFLICTS_OF_PERSONS,
    MGL_CONFLICTS_OF_COUNTS,
    MGL_CONFLICTS_OF_ITEMS,
    MGL_CONFLICTS_OF_ITEM_CLASSES,
    MGL_CONFLICTS_OF_ITEMS_ALONE, /* without a quasi-identifier */
    MGL_CONFLICTS_OF_AGGREGATES,
    MGL_CONFLICTS_OF_RISK_LIMIT,
    MGL_CONFLICTS_OF_POPULATION,
    MGL_CONFLICTS_OF_FRACTION,
    MGL_CONFLICTS_OF_RARE,
    MGL_CONFLICTS_OF_PROOFS,
    MGL_CONFLICTS_OF_PERTURBED,
    MGL_CONFLICTS_OF_SCRIPT,
    MGL_CONFLICTS_OF_DIFFERENTIAL,
    MGL_CONFLICTS_OF_PARENTS,
    MGL_CONFLICTS
} mgl_conflict_group;

/* The first conflict of the group that the job has: what to blame, and why. */
typedef struct mgl_conflict {
    mgl_code code;
    const char *blamed; /* a key */
    char why[300];
} mgl_conflict;
bool mgl_conflict_find(mgl_conflict_group group, const mgl_settings *settings, mgl_command command,
                       mgl_conflict *out);
/* MGL_USAGE if there is one. */
mgl_status mgl_conflicts_refuse(mgl_conflict_group group, const mgl_settings *settings,
                                mgl_command command, mgl_error *err);

/* A row of the table. */
typedef struct mgl_conflict_row {
    const char *key, *with;
    unsigned commands; /* mgl_command bits; 0: all that know the keys */
    char why[300];
    bool (*refuses)(const mgl_method_type *method); /* of these methods; NULL: whatever they are */
} mgl_conflict_row;
size_t mgl_conflict_rows(void);
void mgl_conflict_row_at(size_t i, mgl_conflict_row *out);

#endif
