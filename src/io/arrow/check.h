/* Checks of what a producer hands over. Inside the room. */
#ifndef MGL_IO_ARROW_CHECK_H
#define MGL_IO_ARROW_CHECK_H

#include "io/arrow/arrow.h"

/* Where something was found, for messages. */
typedef struct mgl_arrow_place {
    const char *table;
    const char *column; /* NULL: the table as a whole */
    uint64_t first_row; /* rows of the table before the batch */
    bool entries;       /* in the dictionary of the column */
} mgl_arrow_place;

/* MGL_DATA with the column, and the row or the entry, counted from 0 in cells. */
mgl_status mgl_arrow_refuse(const mgl_arrow_place *place, mgl_error *err, const char *format, ...)
    MGL_PRINTF(3, 4);
mgl_status mgl_arrow_refuse_cell(const mgl_arrow_place *place, size_t cell, const char *what,
                                 mgl_error *err);

/* The schema of a table; fills the columns, which are as many as it has children. */
mgl_status mgl_arrow_check_schema(const struct ArrowSchema *schema, const char *name,
                                  mgl_error *err);
mgl_status mgl_arrow_check_columns(const struct ArrowSchema *schema, const char *name,
                                   mgl_error *err, mgl_arrow_column *columns);

/* The next batch of such a table: the shapes of all arrays, and then their cells unless they are
 * ours. */
mgl_status mgl_arrow_check_shapes(const struct ArrowArray *batch, const mgl_arrow_table *table,
                                  const char *name, mgl_error *err);
mgl_status mgl_arrow_check_batch(const struct ArrowArray *batch, const mgl_arrow_table *table,
                                 const char *name, mgl_arrow_helpers *helpers, mgl_error *err);

/* The cells of an array whose shape was found right: first of n rows. */
mgl_arrow_cells mgl_arrow_window(const struct ArrowArray *array, const mgl_arrow_type *type,
                                 size_t first, size_t n);

/* What stands in the cells: offsets, views, texts, times of day. n_buffers: of the array. */
mgl_status mgl_arrow_check_cells(const mgl_arrow_cells *cells, int64_t n_buffers,
                                 const mgl_arrow_place *place, mgl_error *err);
/* That cells name entries there are. */
mgl_status mgl_arrow_check_indices(const mgl_arrow_cells *cells, uint64_t n_entries,
                                   const mgl_arrow_place *place, mgl_error *err);

#endif
