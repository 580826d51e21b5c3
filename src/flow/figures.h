/* Parts of the aggregates for reports, one file each. */
#ifndef MGL_FLOW_FIGURES_H
#define MGL_FLOW_FIGURES_H

#include "flow/flow.h"

/* Values that fewer rows have are not told apart: k, at least 2. Without k-anonymity it is the
 * smallest class of the release. */
uint64_t mgl_figures_threshold(const mgl_outcome *outcome, const mgl_measured *measured);

/* Class sizes before and after. */
mgl_status mgl_figures_sizes(const mgl_outcome *outcome, const mgl_measured *measured,
                             mgl_error *err, json_t *figures);
/* What became of each quasi-identifier column: levels, loss, distribution. */
mgl_status mgl_figures_columns(const mgl_outcome *outcome, const mgl_measured *measured,
                               mgl_error *err, json_t *figures);
/* A column's distribution before and after, in groups of its values. */
mgl_status mgl_figures_distribution(const mgl_outcome *outcome, size_t attribute,
                                    uint64_t threshold, mgl_error *err, json_t **out);
/* Sensitive values of classes, before and after. */
mgl_status mgl_figures_sensitive(const mgl_outcome *outcome, const mgl_measured *measured,
                                 mgl_error *err, json_t *figures);
/* The same of one partition of the tuples (MGL_NOT_FOUND: in no part), per column. */
mgl_status mgl_closeness_json(const mgl_task *task, const uint32_t *part_of, size_t n_parts,
                              mgl_error *err, json_t **out);
/* Every node of a small lattice, for methods that give each column one level. */
mgl_status mgl_figures_lattice(const mgl_outcome *outcome, mgl_error *err, json_t *figures);

#endif
