/* Aggregates of columns for reports. Private to the module. */
#ifndef MGL_FINDINGS_FIGURES_FIGURE_KINDS_H
#define MGL_FINDINGS_FIGURES_FIGURE_KINDS_H

#include "findings/figures/figures.h"

/* Values of fewer rows than this are not distinguished: k, and 2 at least. Without k-anonymity it
 * is the smallest class of the release. */
uint64_t mgl_figures_threshold(const mgl_outcome *outcome, const mgl_measured *measured);

/* What became of each quasi-identifier column: levels, loss, distribution. */
mgl_status mgl_figures_columns(const mgl_outcome *outcome, const mgl_measured *measured,
                               mgl_error *err, json_t *figures);

#endif
