/* Counted tables: groups that an engine counted, put together row by row. Inside the room only. */
#ifndef MGL_IO_INTAKE_COUNTED_H
#define MGL_IO_INTAKE_COUNTED_H

#include "io/io.h"

typedef struct mgl_counted {
    mgl_table *table; /* with columns and without rows */
    const mgl_source_options *options;
    size_t n_labels; /* the first so many columns hold labels of groups: all that is missing has the
                        first token there, and other tokens are labels */
    unsigned level;  /* one group in 2^level is kept, drawn by a hash of its cells */
    size_t room;     /* of table->times */
} mgl_counted;

/* One group: its cells (data NULL: no value) in the order of the columns, and how many records it
 * stands for. Groups may repeat. False when memory is out. */
bool mgl_counted_add(mgl_counted *counted, const mgl_span *cells, uint64_t times);

/* The same in two steps: the code of a cell, MGL_NOT_FOUND when memory is out, and a group by the
 * codes of its cells. */
uint32_t mgl_counted_code(const mgl_counted *counted, size_t column, mgl_span cell);
bool mgl_counted_add_codes(mgl_counted *counted, const uint32_t *codes, uint64_t times);

/* Numbers the values of each column by their bytes: engines give groups in any order, and equal
 * data has equal codes. False when memory is out. */
bool mgl_counted_finish(mgl_counted *counted);

#endif
