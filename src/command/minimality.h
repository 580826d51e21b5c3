/* What follows from knowing the method of a release. Within the module only. */
#ifndef MGL_COMMAND_MINIMALITY_H
#define MGL_COMMAND_MINIMALITY_H

#include "pipeline/pipeline.h"
#include "result/result.h"

struct mgl_bound_persons;

/* What the outsider has: the release, and all persons in it with their quasi-identifiers. */
typedef struct mgl_outsider {
    const mgl_setup *setup;                /* of the release */
    const struct mgl_bound_persons *bound; /* the persons */
    const mgl_matcher *matcher;
    const mgl_column *name; /* of the persons; NULL: they are called by their row */
} mgl_outsider;

/* Adds "minimality": which sensitive values each person can have if the release is the one that the
 * job of the attack makes of the table, and how likely. MGL_USAGE if the job names no model, or if
 * too many assignments would have to be tried; MGL_DATA if the persons are not those of the
 * release. */
mgl_status mgl_minimality_find(const mgl_outsider *outsider, mgl_error *err, mgl_result *result);

#endif
