/* findings/pieces: a recoding measured, and the pieces that results are made of, the same in every
 * command. */
#ifndef MGL_FINDINGS_PIECES_PIECES_H
#define MGL_FINDINGS_PIECES_PIECES_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* What a method found and what became of it. */
typedef struct mgl_outcome {
    const mgl_reading *reading;
    const mgl_task *task;
    const mgl_method_type *method;
    const mgl_solution *solution;
    const mgl_found *found;     /* [mgl_task_models], by the judge or by the verifier */
    const mgl_failing *failing; /* optional */
    mgl_written written;
    const char *output;    /* NULL: nothing is written */
    double search_seconds; /* of the method alone */
    double start;          /* mgl_sys_seconds from which the total counts */
} mgl_outcome;

/* The classes of a release; sizes count rows, or persons with --entity. */
typedef struct mgl_class_summary {
    uint64_t count, min, max, uniques, rows;
    double sizes; /* sum of the sizes: the number of rows, unless rows of other classes match as
                     well */
    double risks; /* sum over the rows of 1 / number of those they hide among */
} mgl_class_summary;

typedef struct mgl_measured {
    mgl_classes classes; /* of the released tuples; under drop and exempt suppressed tuples are in
                            no class */
    bool borrowed;       /* from the caller, who has to keep them */
    mgl_statistics statistics;
    uint32_t *heights;
    mgl_class_summary summary; /* of these classes */
} mgl_measured;

/* Measures a recoding of the tuples of the task. node: the levels of the columns, NULL if they have
 * none. classes: of the released tuples, NULL if they are not known. Free with mgl_measured_free.
 */
mgl_status mgl_measure_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                const uint32_t *node, const mgl_classes *classes, mgl_error *err,
                                mgl_measured *out);
mgl_status mgl_measure_solution(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                                mgl_measured *out);
void mgl_measured_free(mgl_measured *measured);

/* Called for one class after the other: among how many its members hide, and how many they are, in
 * persons where the list counts them. Empty classes are left out; classes of rows that are equally
 * large may be reported together, and come in any order. class_of matters only where the list
 * counts persons. */
typedef mgl_matched_class_fn mgl_class_fn;
mgl_status mgl_each_class(const mgl_problem *problem, const uint32_t *class_of,
                          const uint64_t *sizes, size_t n_classes, mgl_class_fn *fn, void *context,
                          mgl_error *err);

/* The classes of a recoding as the models of the problem count them: where suppressed cells match
 * every value, members hide among all rows that match. */
mgl_status mgl_each_counted(const mgl_problem *problem, const mgl_recoding *recoding,
                            const mgl_classes *classes, mgl_class_fn *fn, void *context,
                            mgl_error *err);

/* Takes suppressed tuples out of their classes, unless they are kept. */
void mgl_classes_leave_out(const mgl_problem *problem, const mgl_recoding *recoding,
                           mgl_classes *classes);
/* The classes of a recoding that models judge. Free with mgl_classes_free. */
mgl_status mgl_judged_classes(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, mgl_classes *out);
mgl_class_fn mgl_class_summary_add; /* context: the mgl_class_summary */

/* Sums up the classes of a recoding, without measuring it. */
mgl_status mgl_summarize_recoding(const mgl_task *task, const mgl_recoding *recoding,
                                  mgl_error *err, mgl_class_summary *out);

/* The name of a file without its folders, which are private. NULL for NULL. */
const char *mgl_file_name(const char *path);
/* The same for a hierarchy: a file, or a builder, which has no folders. */
const char *mgl_hierarchy_name(const char *given);
/* A location without users and passwords; any other text as it is. */
json_t *mgl_location_json(const char *location);
json_t *mgl_node_json(const mgl_reading *reading, const uint32_t *node);
json_t *mgl_utility_json(const mgl_statistics *statistics);
json_t *mgl_classes_json(const mgl_class_summary *summary);
json_t *mgl_risk_json(const mgl_class_summary *summary);
/* The same with the columns that an outsider is taken to know; of several quasi-identifiers, which
 * `summary` is of all columns of, also for anyone who knows one of them ("sets"). */
mgl_status mgl_known_risk_json(const mgl_task *task, const mgl_recoding *recoding,
                               const mgl_class_summary *summary, mgl_error *err, json_t **out);

/* "parameters" of a model; attribute: the column that it protects, if it takes one. */
json_t *mgl_parameters_json(const mgl_model_type *type, const char *attribute,
                            const double *values);

/* Adds the values to a document; the same with what only the method of a solution found. */
void mgl_findings_write(const mgl_findings *findings, json_t *document);
void mgl_solution_write(const mgl_solution *solution, json_t *document);

/* The columns that an outsider is taken to know: of one quasi-identifier; NULL: of all. */
json_t *mgl_known_json(const mgl_reading *reading, const mgl_quasi_set *set);

/* joint: the models on histories; else the others. */
json_t *mgl_models_json(const mgl_reading *reading, const mgl_task *task, const mgl_found *found,
                        bool joint);

/* For each sensitive attribute, the strongest parameter with which each model holds. */
mgl_status mgl_strongest_json(const mgl_task *task, const mgl_recoding *recoding, mgl_error *err,
                              json_t *attributes);
json_t *mgl_bound_json(const mgl_measure_type *measure, const mgl_solution *solution,
                       const mgl_statistics *statistics);

/* Adds warnings, each given as "code\tmessage" and NUL: names of columns have line breaks. */
void mgl_result_take_warnings(mgl_result *result, const mgl_buffer *warnings);

#endif
