/* Microaggregation: groups of rows with near values, for each of which one value is released. */
#ifndef MGL_SEARCH_CLUSTER_MICROAGGREGATE_H
#define MGL_SEARCH_CLUSTER_MICROAGGREGATE_H

#include "search/node/node.h"

extern const mgl_method_type mgl_microaggregate;

/* Aggregates the columns that the problem says within the classes of what was found for the others.
 * The solution has the recoding of all columns then. */
mgl_status mgl_aggregate_within(const mgl_problem *problem, mgl_error *err, mgl_solution *solution);

/* Is every column aggregated as it says? MGL_USAGE if one cannot be, so that it is reported before
 * a search. */
mgl_status mgl_aggregate_check(const mgl_problem *problem, mgl_error *err);

#endif
