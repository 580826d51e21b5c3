/* findings/pieces: a recoding measured, and the pieces that results are made of, the same in every
 * command. */
#ifndef MGL_FINDINGS_PIECES_PIECES_H
#define MGL_FINDINGS_PIECES_PIECES_H

#include "findings/pieces/measured.h"
#include "findings/pieces/outcome.h"
#include "result/result.h"

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

/* joint: the models on pasts; else the others. */
json_t *mgl_models_json(const mgl_reading *reading, const mgl_task *task, const mgl_found *found,
                        bool joint);

/* Adds "population": what rows stand for, if a model looks at that. */
void mgl_result_add_population(const mgl_task *task, json_t *document);

/* For each sensitive attribute, the strongest parameter with which each model holds. */
mgl_status mgl_strongest_json(const mgl_task *task, const mgl_recoding *recoding, mgl_error *err,
                              json_t *attributes);
json_t *mgl_bound_json(const mgl_measure_type *measure, const mgl_solution *solution,
                       const mgl_statistics *statistics);

/* Adds warnings, each given as "code\tmessage" and NUL: names of columns have line breaks. */
void mgl_result_take_warnings(mgl_result *result, const mgl_buffer *warnings);

#endif
