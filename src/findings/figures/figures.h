/* findings/figures: the aggregates that a report draws. */
#ifndef MGL_FINDINGS_FIGURES_FIGURES_H
#define MGL_FINDINGS_FIGURES_FIGURES_H

#include "findings/pieces/pieces.h"

/* Class sizes, levels and distributions before and after. They show no single row of the input, and
 * no value that fewer than k rows have. */
mgl_status mgl_figures_json(const mgl_outcome *outcome, const mgl_measured *measured,
                            mgl_error *err, json_t **out);

/* The sizes of the classes of a table that is taken as it is. */
mgl_status mgl_sizes_json(const mgl_problem *problem, const mgl_recoding *recoding, mgl_error *err,
                          json_t **out);

/* The sizes of the classes before and after, without the other figures. */
mgl_status mgl_both_sizes_json(const mgl_problem *problem, const mgl_recoding *recoding,
                               mgl_error *err, json_t **out);

/* Per sensitive column, how many values classes have and how far they are from the table.
 * class_of[tuple]: MGL_NOT_FOUND if it is in no class. */
mgl_status mgl_closeness_json(const mgl_task *task, const uint32_t *class_of, size_t n_classes,
                              mgl_error *err, json_t **out);

#endif
