/* Warnings that follow from the rest of a result, each worded in one place. */
#ifndef MGL_FINDINGS_WARNINGS_H
#define MGL_FINDINGS_WARNINGS_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* Suppressed rows that are exempt from the models. */
void mgl_result_warn_exempt(mgl_result *result, uint64_t rows);
/* The search was ended by the time limit. */
void mgl_result_warn_timed_out(mgl_result *result);
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
