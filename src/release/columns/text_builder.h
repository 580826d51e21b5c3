/* A table of texts, made cell by cell in the order of its rows: for sources that have none. */
#ifndef MGL_RELEASE_COLUMNS_TEXT_BUILDER_H
#define MGL_RELEASE_COLUMNS_TEXT_BUILDER_H

#include "io/io.h"

typedef struct mgl_text_builder mgl_text_builder;

/* Free with mgl_text_builder_free. */
mgl_status mgl_text_builder_new(size_t n_columns, mgl_error *err, mgl_text_builder **out);
void mgl_text_builder_free(mgl_text_builder *builder);

/* The next cell of a column. Different columns may be added to by different threads. */
mgl_status mgl_text_builder_add(mgl_text_builder *builder, size_t column, mgl_span cell,
                                mgl_error *err);
/* All columns have as many cells now: there may be a new batch. */
mgl_status mgl_text_builder_pause(mgl_text_builder *builder, mgl_error *err);
/* After the last row: the table, which takes over what was built. Let go with mgl_arrow_let_go. */
mgl_status mgl_text_builder_end(mgl_text_builder *builder, const char *const *names, mgl_error *err,
                                mgl_arrow_table **out);

#endif
