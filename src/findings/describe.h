/* The description of a solution, and sections that results of other commands share with it. */
#ifndef MGL_FINDINGS_DESCRIBE_H
#define MGL_FINDINGS_DESCRIBE_H

#include "findings/pieces/pieces.h"

/* Searches that a result reports besides its own: the command brings them, so that describing a
 * solution runs no search. hint: adds a warning at most; not asked for with strata. curve: the
 * section "curve"; free with json_decref. */
typedef struct mgl_further_searches {
    mgl_status (*hint)(const mgl_outcome *outcome, const mgl_measured *measured, mgl_error *err,
                       mgl_result *result);
    mgl_status (*curve)(const mgl_outcome *outcome, const mgl_measured *measured, mgl_error *err,
                        json_t **out);
} mgl_further_searches;

/* Measures the recoding of an outcome and describes it: the result of `anonymize` and `compare`.
 * Free with mgl_result_free. */
mgl_status mgl_describe_solution(const char *command, const mgl_outcome *outcome,
                                 const mgl_further_searches *searches, mgl_error *err,
                                 mgl_result **out);
/* Per column: was the hierarchy given or proposed, and which builder is it? outcome: what a method
 * made of it; NULL: every column uses the hierarchy that it has. */
json_t *mgl_proposals_json(const mgl_reading *reading, const mgl_outcome *outcome);
/* How many rows were left out before anything was counted; nothing if none were to be. */
void mgl_result_add_left_out(const mgl_reading *reading, json_t *document);
/* "quasi_identifier": the columns an outsider may know; "by": those of strata; "sensitive_values":
 * as below; "entity": which one identifies persons. */
void mgl_result_add_columns(mgl_result *result, const mgl_reading *reading);
/* The sections of features that no search is needed for. */
void mgl_features_describe(const mgl_reading *reading, const mgl_written *written,
                           mgl_result *result);
/* What features warn of, for what the release shows; what models know by them. */
void mgl_features_warn(const mgl_reading *reading, mgl_result *result);
void mgl_features_add_facts(const mgl_task *task, json_t *document);
/* "failing_rows": the first rows of classes that break a model; nothing if none do. */
void mgl_result_add_failing_rows(const mgl_failing *failing, mgl_result *result);
/* "leaks": what the leak guard objected to and the job accepted, with a warning of each; "guard":
 * what it looked at; "alone": rows that are alone with what passes through. */
void mgl_result_take_objections(mgl_result *result, const mgl_reading *reading,
                                const mgl_written *written);

/* "unchanged": the columns that are released as they are, with their roles. */
json_t *mgl_unchanged_json(const mgl_reading *reading, const mgl_written *written);
/* What a third person needs to verify a release: the keys of the job, hashes of the input, the
 * hierarchies and the release, values per column before and after. */
mgl_status mgl_audit_json(const mgl_outcome *outcome, mgl_error *err, json_t **out);
/* What is promised about a release, without anything of the input that the job does not disclose
 * (docs/files.md#promises). result: the document, with its audit trail. Free with json_decref. */
mgl_status mgl_promise_document(const mgl_outcome *outcome, const json_t *result, mgl_error *err,
                                json_t **out);
/* A text as it stands in the release: --neutralize puts an apostrophe in front of some. */
json_t *mgl_released_text(const mgl_settings *settings, mgl_span text);
/* A file: its name, size and SHA-256. */
mgl_status mgl_file_json(const char *path, mgl_error *err, json_t **out);

/* The hierarchy that a column was released by: a file, or a builder with all that it took from the
 * values. NULL: it was released as values of its own, or as value or *. */
const char *mgl_hierarchy_used(const mgl_outcome *outcome, size_t a);

/* Warnings that follow from the rest of a result, each worded in one place. */

/* Suppressed rows that are exempt from the models. */
void mgl_result_warn_exempt(mgl_result *result, uint64_t rows);
/* Models do not judge the classes of equal tuples. n_named: combinations of columns that the job
 * names; least: rows of the smallest class of equal tuples. */
void mgl_result_warn_of_counting(mgl_result *result, const mgl_counting *counting, size_t n_named,
                                 uint64_t least);
/* All suppressed cells of a column had one value. */
void mgl_result_warn_of_totals(mgl_result *result, const char *column, uint64_t cells);
/* The job accepted a release that breaks a model. */
void mgl_result_warn_unsafe(mgl_result *result, const mgl_failing *failing);
/* The job accepted what the leak guard objects to. */
void mgl_result_warn_of_leak(mgl_result *result, const char *message);
/* Pairs of columns that the leak guard did not test (guard.pairs.not_tested); none: no warning. */
void mgl_result_warn_of_pairs(mgl_result *result, const json_t *not_tested);
/* Models that a row alone keeps. */
void mgl_result_warn_empty(mgl_result *result, const mgl_model_settings *models, size_t n);

#endif
