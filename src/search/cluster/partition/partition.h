/* Recoding a partition of the tuples: every cluster as what its tuples have in common.
 *
 * A column that the job gave a hierarchy is released by its levels: as the lowest common ancestor
 * of the cluster's values, or, where --level says so, a higher one. A column of numbers or dates
 * without a hierarchy is released as the range from the least to the greatest. Other columns are
 * their value or the top. Missing cells stay missing if all cells of the cluster are; with others
 * they are the top. */
#ifndef MGL_SEARCH_CLUSTER_PARTITION_H
#define MGL_SEARCH_CLUSTER_PARTITION_H

#include "search/node/node.h"

/* Where the leaves of a column lie that is released as ranges. *out is NULL if it is released by
 * its levels: it has a hierarchy, or its levels are bounded, or its values have no order. Free
 * with mgl_scale_free. */
mgl_status mgl_partition_scale(const mgl_problem *problem, size_t attribute, mgl_error *err,
                               mgl_scale **out);

/* The coarsest clusters there may be: tuples that are in different ones have no common ancestor on
 * the levels that --level allows. Numbered by their first tuple; cluster_of_tuple is [n_tuples]. */
mgl_status mgl_partition_widest(const mgl_problem *problem, mgl_error *err,
                                uint32_t *cluster_of_tuple, size_t *n_clusters);

/* The recoding that releases each cluster, all its tuples alike. Every tuple has a cluster, none
 * that reaches beyond a widest one; clusters may be empty. Free with mgl_recoding_free. */
mgl_status mgl_partition_recode(const mgl_problem *problem, const uint32_t *cluster_of_tuple,
                                size_t n_clusters, mgl_error *err, mgl_recoding **out);

/* As mgl_solution_take_recoding, of a recoding that releases a partition. Where it puts more rows
 * at the top than may be exempt, they join other classes. */
mgl_status mgl_solution_take_partition(mgl_solution *solution, const mgl_problem *problem,
                                       mgl_recoding *recoding, mgl_error *err);
/* The coarsest partition there is, in place of the solution's recoding. */
mgl_status mgl_solution_take_widest(mgl_solution *solution, const mgl_problem *problem,
                                    mgl_error *err);

#endif
