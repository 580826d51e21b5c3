/* command/audit, within: the sections of a result by subject. The tables in audit.c have the rest.
 */
#ifndef MGL_COMMAND_AUDIT_SECTIONS_H
#define MGL_COMMAND_AUDIT_SECTIONS_H

#include "claims/claims.h"

/* claimed_file.c: the file and what can be counted in it. */
mgl_status mgl_claims_count(mgl_claims *c, mgl_error *err);
mgl_status mgl_claims_file(mgl_claims *c, mgl_error *err);
/* The columns that pass through and that others may know, as the result lists what was guarded. */
json_t *mgl_claims_besides(const mgl_claims *c);
mgl_claim_fn mgl_claim_utility, mgl_claim_mixture, mgl_claim_alone;

/* claimed_figures.c: the aggregates that reports draw, which must fit the file and the measures. */
mgl_claim_fn mgl_claim_figures;

/* claimed_models.c: the models. */
mgl_claim_fn mgl_claim_models;
/* The largest parameter of the models that give k in this way; 0: none of them does. */
uint64_t mgl_claim_largest_k(const json_t *models, mgl_k_role role);
/* Do all of a list of models hold? */
bool mgl_claims_all_hold(const json_t *models);
/* Are they judged together with those of an earlier release, which is not available? */
bool mgl_claims_with(const mgl_claims *c);

/* claimed_job.c: the audit trail, the keys of the job, and roles of columns. */
mgl_claim_fn mgl_claim_audit, mgl_claim_about, mgl_claim_unchanged, mgl_claim_column_list;
/* Was the data a part, which remembers roles that the job does not say? */
bool mgl_claims_of_parts(const mgl_claims *c);

/* claimed_search.c: the method, and what it chose. */
mgl_claim_fn mgl_claim_levels, mgl_claim_hierarchies, mgl_claim_measure, mgl_claim_curve;
/* Does a key that the method adds to a result have this name? */
bool mgl_claims_of_method(const mgl_claims *c, const char *key);

/* claimed_guard.c: the leak guard, run again on the file, the warnings, and combinations of values
 * that few rows share. */
mgl_status mgl_claims_guard(mgl_claims *c, mgl_error *err);
mgl_claim_fn mgl_claim_leaks, mgl_claim_guard, mgl_claim_warnings, mgl_claim_unsafe;

#endif
