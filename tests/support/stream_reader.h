/* Reads Arrow streams for tests, cell by cell and as plainly as the specification says it, so that
 * no mistake can be shared with the program. */
#ifndef STREAM_READER_H
#define STREAM_READER_H

#include "mingle/arrow.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct streamed {
    size_t n_rows, n_columns, n_batches;
    char **names;   /* [n_columns] */
    char **formats; /* [n_columns] of the cells, those of the dictionary where there is one */
    bool *encoded;  /* [n_columns] */
    char **cells;   /* [row * n_columns + column] texts as docs/arrow.md has them; NULL: null */
} streamed;

/* Reads the stream to its end and releases it. Knows texts, whole numbers, floats, booleans and
 * days. Fails the test if the stream is anything but in order. */
void streamed_read(struct ArrowArrayStream *stream, streamed *out);
void streamed_free(streamed *table);
/* The number of a column; fails the test if there is none. */
size_t streamed_column(const streamed *table, const char *name);
const char *streamed_cell(const streamed *table, size_t row, size_t column);

#endif
