/* Arrays of the Arrow C data interface that are made here.
 *
 * An array owns its buffers, its children, its dictionary and a share of whatever its buffers were
 * lent by; all of it goes when the array is released. */
#ifndef MGL_RELEASE_COLUMNS_MADE_ARRAY_H
#define MGL_RELEASE_COLUMNS_MADE_ARRAY_H

#include "io/io.h"

/* An array of so many cells, with its buffers empty. Release it like any array: array->release. */
mgl_status mgl_made_array(struct ArrowArray *array, size_t length, size_t n_buffers,
                          mgl_error *err);
/* Memory for one of its buffers; what pads it is zero. NULL when memory is out. */
void *mgl_made_buffer(struct ArrowArray *array, size_t buffer, size_t bytes);
void *mgl_made_zeros(struct ArrowArray *array, size_t buffer, size_t bytes);
/* The buffer goes: there is nothing to say in it, as in the bits of cells none of which is null. */
void mgl_made_no_buffer(struct ArrowArray *array, size_t buffer);
/* Room for n children, all of them released. */
mgl_status mgl_made_children(struct ArrowArray *array, size_t n, mgl_error *err);

/* Arrays that are shared by several others, such as the dictionary of all batches. */
typedef struct mgl_lent_array mgl_lent_array;
/* Takes the array over, also on failure. Let go with mgl_lent_release. */
mgl_status mgl_lent_new(struct ArrowArray *array, mgl_error *err, mgl_lent_array **out);
void mgl_lent_release(mgl_lent_array *lent);
/* Lets a made array have the lent one as its dictionary. */
void mgl_made_dictionary(struct ArrowArray *array, mgl_lent_array *dictionary);

/* An array with the buffers, and the dictionary, of one in a table, which it holds until it is
 * released. */
mgl_status mgl_made_share(struct ArrowArray *array, const struct ArrowArray *from,
                          mgl_arrow_table *table, mgl_error *err);

static inline void mgl_array_release(struct ArrowArray *array)
{
    if (array->release != NULL)
        array->release(array);
}

/* A column as the schema has it. */
typedef struct mgl_schema_column {
    const char *name, *format;
    int64_t flags;
    const char *entries; /* format of the entries; NULL: it is not encoded */
} mgl_schema_column;

/* Copies all texts. Release it like any schema: out->release. */
mgl_status mgl_made_schema(const mgl_schema_column *columns, size_t n, mgl_error *err,
                           struct ArrowSchema *out);

/* A table of texts that is made cell by cell, in the order of its rows. */
typedef struct mgl_text_builder mgl_text_builder;

/* Free with mgl_text_builder_free. */
mgl_status mgl_text_builder_new(size_t n_columns, mgl_error *err, mgl_text_builder **out);
void mgl_text_builder_free(mgl_text_builder *builder);

/* The next cell of a column. Different columns may be added to by different threads. */
mgl_status mgl_text_builder_add(mgl_text_builder *builder, size_t column, mgl_span cell,
                                mgl_error *err);
/* All columns have as many cells now: there may be a new batch. */
mgl_status mgl_text_builder_pause(mgl_text_builder *builder, mgl_error *err);
/* After the last row: the table, which takes over what was built. Let go with mgl_arrow_release. */
mgl_status mgl_text_builder_end(mgl_text_builder *builder, const char *const *names, mgl_error *err,
                                mgl_arrow_table **out);

#endif
