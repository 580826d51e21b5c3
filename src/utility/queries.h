/* COUNT queries on a table. Inside the room only. */
#ifndef MGL_UTILITY_QUERIES_H
#define MGL_UTILITY_QUERIES_H

#include "utility/utility.h"

enum { MGL_QUERY_COLUMNS = 3 };

typedef struct mgl_query {
    size_t n_columns;
    size_t column[MGL_QUERY_COLUMNS];
    uint32_t low[MGL_QUERY_COLUMNS], high[MGL_QUERY_COLUMNS]; /* leaves, inclusive */
} mgl_query;

/* query_counts.c: how many rows of the list each of the queries counts. */
mgl_status mgl_query_counts(const mgl_frequency_list *list, mgl_pool *pool,
                            const mgl_query queries[MGL_QUERIES], mgl_error *err,
                            uint64_t counts[MGL_QUERIES]);

#endif
