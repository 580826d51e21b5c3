/* COUNT queries on a table. Private to the module. */
#ifndef MGL_UTILITY_QUERIES_H
#define MGL_UTILITY_QUERIES_H

#include "utility/utility.h"

enum {
    MGL_QUERY_COLUMNS = 3,
    MGL_QUERY_WORDS = (MGL_QUERIES + 63) / 64,
    MGL_QUERY_BLOCK = 256 /* classes that are looked at together */
};

typedef struct mgl_query {
    size_t n_columns;
    size_t column[MGL_QUERY_COLUMNS];
    uint32_t low[MGL_QUERY_COLUMNS], high[MGL_QUERY_COLUMNS]; /* leaves, inclusive */
} mgl_query;

/* Some of the queries, a bit for each. */
typedef struct mgl_query_set {
    uint64_t of[MGL_QUERY_WORDS];
} mgl_query_set;

static inline bool mgl_query_in(const mgl_query_set *set, size_t query)
{
    return (set->of[query / 64] >> query % 64 & 1) != 0;
}

/* The classes of a release, as queries see them. */
typedef struct mgl_query_classes {
    const mgl_released_column *const *columns;
    size_t n_attributes, n_classes;
    size_t most_values, most_leaves; /* of a column */
    uint32_t *const *cells;          /* [attribute][class] */
    const uint64_t *sizes;           /* [class] rows */
} mgl_query_classes;

static inline size_t mgl_query_blocks(const mgl_query_classes *classes)
{
    return (classes->n_classes + MGL_QUERY_BLOCK - 1) / MGL_QUERY_BLOCK;
}

static inline size_t mgl_query_block_end(const mgl_query_classes *classes, size_t block)
{
    size_t end = (block + 1) * MGL_QUERY_BLOCK;
    return end < classes->n_classes ? end : classes->n_classes;
}

/* What is known of blocks of classes, and of the queries that find all rows or
 * none of nearly every class. */
typedef struct mgl_whole_queries {
    mgl_query_set which;
    double (*rows)[MGL_QUERIES]; /* [block][query] of the classes of which it finds all rows */
    mgl_query_set *mixed;        /* [block] those that find some rows of a class, but not all */
    mgl_query_set *found;        /* [block] queries, of all, that find rows; NULL: not known */
    mgl_owned own;
} mgl_whole_queries;

/* Free with mgl_whole_queries_free. */
mgl_status mgl_whole_queries_find(const mgl_query_classes *classes, const mgl_query *queries,
                                  mgl_pool *pool, mgl_error *err, mgl_whole_queries *out);
void mgl_whole_queries_free(mgl_whole_queries *whole);

/* How many rows each query finds, by the release. */
mgl_status mgl_query_estimates(const mgl_released_tuples *tuples,
                               const mgl_released_column *const *columns, const mgl_query *queries,
                               mgl_pool *pool, mgl_error *err, double *estimates);

#endif
