/* command/link: persons of another table linked with a release, and rows with the nearest ones. */
#ifndef MGL_COMMAND_LINK_LINK_H
#define MGL_COMMAND_LINK_LINK_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* A table of persons, its columns bound to those of a release whose cells are taken as they are. */
typedef struct mgl_bound_persons {
    mgl_owned owned;
    const mgl_reading *release;
    const mgl_table *persons;    /* its first columns are the quasi-identifiers */
    mgl_hierarchy **hierarchies; /* [n_quasi]; NULL: texts tell what they stand for */
    uint32_t **leaves;           /* [n_quasi][code] */
    mgl_coverage *columns;       /* [n_quasi] */
    uint32_t *codes;             /* [person * n_quasi + a] */
    uint32_t *unknown; /* [n_sensitive] as mgl_known_persons has it; NULL: all cells have values */
} mgl_bound_persons;

/* Free with mgl_bound_persons_free, also after a failure. */
mgl_status mgl_persons_bind(mgl_bound_persons *bound, const mgl_reading *release,
                            const mgl_table *persons, mgl_error *err);
void mgl_bound_persons_free(mgl_bound_persons *bound);

/* Warns of columns in which nothing can be matched. */
void mgl_bound_persons_warn(const mgl_bound_persons *bound, mgl_result *result);

/* "nearest" of a result: what distances tell where columns are numbers and persons match no row.
 * *out is NULL if a column is no numbers. */
mgl_status mgl_nearest_json(const mgl_bound_persons *bound, const mgl_frequency_list *list,
                            const mgl_progress *progress, mgl_error *err, json_t **out);

/* How far the rows of a table are from the nearest rows of a release of it. */
typedef struct mgl_distances {
    double *loss;          /* [column] sum over rows of the distance as a share of the range */
    double sse, sst, il1s; /* sums of squares and IL1s, as in results of microaggregate */
} mgl_distances;

/* Are the columns of the list and the first ones of the release all numbers? */
mgl_status mgl_distances_apply(const mgl_frequency_list *list, const mgl_table *release,
                               mgl_error *err, bool *out);

/* Adds to the sums in *out. */
mgl_status mgl_distances_find(const mgl_frequency_list *list, const mgl_table *release,
                              const mgl_progress *progress, mgl_error *err, mgl_distances *out);

#endif
