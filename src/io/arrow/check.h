/* Checks of imported Arrow data. Private to io/arrow. */
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

#endif
