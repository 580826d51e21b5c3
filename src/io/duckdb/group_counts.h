/* How often each combination of numbers occurs, counted by several threads. Private to io/duckdb.
 */
#ifndef MGL_IO_DUCKDB_GROUP_COUNTS_H
#define MGL_IO_DUCKDB_GROUP_COUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MGL_COUNTED_AT_ONCE = 2048 }; /* rows, at most */

typedef struct mgl_group_counts mgl_group_counts;

/* NULL when memory is out; free with mgl_group_counts_free. */
mgl_group_counts *mgl_group_counts_new(size_t n_columns);
void mgl_group_counts_free(mgl_group_counts *counts);

/* Counts rows of n_columns numbers each, from any thread. False when memory is out. */
bool mgl_group_counts_add(mgl_group_counts *counts, const uint32_t *rows, size_t n);

/* Shows each group once, and gives its memory back meanwhile: nothing can be counted afterwards.
 * False if visit returned false. */
typedef bool mgl_group_fn(void *context, const uint32_t *numbers, uint64_t times);
bool mgl_group_counts_drain(mgl_group_counts *counts, mgl_group_fn *visit, void *context);

#endif
