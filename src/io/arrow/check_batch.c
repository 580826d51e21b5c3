/* Checks the arrays of a batch before anything in them is looked at: lengths, offsets, numbers of
 * buffers and children, null counts. The import of tables calls it. */
#include "io/arrow/check.h"

size_t mgl_bits_set(const uint8_t *bits, size_t first, size_t n)
{
    size_t set = 0, i = first, end = first + n;
    for (; i < end && i % 8 != 0; i++)
        set += mgl_bit_at(bits, i);
    for (; i + 64 <= end; i += 64) {
        uint64_t word;
        memcpy(&word, bits + i / 8, sizeof word);
        set += (size_t)__builtin_popcountll(word);
    }
    for (; i < end; i++)
        set += mgl_bit_at(bits, i);
    return set;
}

/* No array is longer: its bits and bytes can be counted without overflow. */
static const int64_t longest = INT64_MAX / 64;

/* What is the same for every array. least: cells it must have. */
static mgl_status check_lengths(const struct ArrowArray *array, int64_t least,
                                const mgl_arrow_place *place, mgl_error *err)
{
    if (array->release == NULL)
        return mgl_arrow_refuse(place, err, "the array was released before it was handed over");
    if (array->length < 0 || array->length > longest || array->offset < 0 ||
        array->offset > longest || array->length + array->offset > longest)
        return mgl_arrow_refuse(place, err,
                                "the array has a length of %lld and an offset of %lld, which "
                                "cannot be",
                                (long long)array->length, (long long)array->offset);
    if (array->length < least)
        return mgl_arrow_refuse(place, err, "the array has %lld cells where %lld are needed",
                                (long long)array->length, (long long)least);
    if (array->null_count < -1 || array->null_count > array->length)
        return mgl_arrow_refuse(place, err, "%lld of %lld cells are said to be null",
                                (long long)array->null_count, (long long)array->length);
    return MGL_OK;
}

/* The null count, where it is told, is that of the bitmap: others may go by either. */
static mgl_status check_nulls(const struct ArrowArray *array, const mgl_arrow_place *place,
                              mgl_error *err)
{
    const uint8_t *valid = array->buffers[0];
    int64_t told = array->null_count;
    if (told < 0 || array->length == 0)
        return MGL_OK;
    size_t length = (size_t)array->length, nulls = 0;
    if (valid != NULL)
        nulls = length - mgl_bits_set(valid, (size_t)array->offset, length);
    if (nulls != (size_t)told)
        return mgl_arrow_refuse(place, err, "%lld cells are said to be null, and %zu are",
                                (long long)told, nulls);
    return MGL_OK;
}

/* Bitmap, then what the cells are in. */
static bool right_buffers(const mgl_arrow_type *type, int64_t n)
{
    switch (type->kind) {
    case MGL_ARROW_NULL:
        return n == 0;
    case MGL_ARROW_TEXT:
    case MGL_ARROW_LARGE_TEXT:
        return n == 3;
    case MGL_ARROW_VIEW: /* any number of pieces, then their sizes */
        return n >= 3 && n < INT32_MAX;
    default:
        return n == 2;
    }
}

static mgl_status check_array(const struct ArrowArray *array, const mgl_arrow_type *type,
                              int64_t least, const mgl_arrow_place *place, mgl_error *err)
{
    MGL_TRY(check_lengths(array, least, place, err));
    if (array->n_children != 0)
        return mgl_arrow_refuse(place, err, "an array of type %s cannot have arrays within",
                                type->words);
    if (!right_buffers(type, array->n_buffers) || (array->n_buffers > 0 && array->buffers == NULL))
        return mgl_arrow_refuse(place, err, "an array of type %s cannot have %lld buffers%s",
                                type->words, (long long)array->n_buffers,
                                array->buffers == NULL ? " that are NULL" : "");
    if (array->n_buffers == 0)
        return MGL_OK;
    if (array->length > 0 && array->buffers[1] == NULL)
        return mgl_arrow_refuse(place, err, "the buffer of its cells is NULL");
    return check_nulls(array, place, err);
}

/* A column that says it has no nulls. */
static mgl_status check_promise(const mgl_arrow_column *column, const mgl_arrow_cells *cells,
                                const mgl_arrow_place *place, mgl_error *err)
{
    if (column->nullable || cells->valid == NULL ||
        mgl_bits_set(cells->valid, cells->first, cells->n) == cells->n)
        return MGL_OK;
    size_t i = 0;
    while (!mgl_arrow_is_null(cells, i))
        i++;
    return mgl_arrow_refuse_cell(place, i, "the cell is null, and the schema says that none is",
                                 err);
}

static mgl_status check_dictionary(const struct ArrowArray *array, const mgl_arrow_column *column,
                                   const mgl_arrow_place *place, mgl_error *err)
{
    const struct ArrowArray *entries = array->dictionary;
    mgl_arrow_place within = *place;
    within.entries = true;
    if (!column->encoded && entries != NULL)
        return mgl_arrow_refuse(place, err, "it has a dictionary, and its schema has none");
    if (!column->encoded)
        return MGL_OK;
    if (entries == NULL)
        return mgl_arrow_refuse(place, err, "its dictionary is NULL");
    if (entries->dictionary != NULL)
        return mgl_arrow_refuse(&within, err, "it has a dictionary itself, which is not taken");
    return check_array(entries, &column->type, 0, &within, err);
}

static mgl_status check_shape(const struct ArrowArray *batch, const mgl_arrow_column *column,
                              const struct ArrowArray *array, const mgl_arrow_place *place,
                              mgl_error *err)
{
    if (array == NULL)
        return mgl_arrow_refuse(place, err, "its array is NULL");
    MGL_TRY(check_array(array, column->encoded ? &column->index : &column->type,
                        batch->offset + batch->length, place, err));
    return check_dictionary(array, column, place, err);
}

static mgl_status check_cells(const struct ArrowArray *batch, const mgl_arrow_column *column,
                              const struct ArrowArray *array, const mgl_arrow_place *place,
                              mgl_error *err)
{
    mgl_arrow_cells cells =
        mgl_arrow_window(array, column->encoded ? &column->index : &column->type,
                         (size_t)batch->offset, (size_t)batch->length);
    MGL_TRY(check_promise(column, &cells, place, err));
    if (!column->encoded)
        return mgl_arrow_check_cells(&cells, array->n_buffers, place, err);
    const struct ArrowArray *dictionary = array->dictionary;
    mgl_arrow_cells entries =
        mgl_arrow_window(dictionary, &column->type, 0, (size_t)dictionary->length);
    mgl_arrow_place within = *place;
    within.entries = true;
    MGL_TRY(mgl_arrow_check_cells(&entries, dictionary->n_buffers, &within, err));
    return mgl_arrow_check_indices(&cells, entries.n, place, err);
}

static mgl_status check_top(const struct ArrowArray *batch, const mgl_arrow_table *table,
                            const mgl_arrow_place *place, mgl_error *err)
{
    MGL_TRY(check_lengths(batch, 0, place, err));
    if (batch->n_children != (int64_t)table->n_columns)
        return mgl_arrow_refuse(place, err, "a batch has %lld columns, and the schema %zu",
                                (long long)batch->n_children, table->n_columns);
    if (batch->children == NULL)
        return mgl_arrow_refuse(place, err, "the columns of a batch are NULL");
    if (batch->n_buffers != 1 || batch->buffers == NULL || batch->dictionary != NULL)
        return mgl_arrow_refuse(place, err,
                                "a batch must be a struct: one buffer and no dictionary");
    MGL_TRY(check_nulls(batch, place, err));
    const uint8_t *valid = batch->buffers[0];
    size_t length = (size_t)batch->length;
    if (valid != NULL && mgl_bits_set(valid, (size_t)batch->offset, length) != length)
        return mgl_arrow_refuse(place, err,
                                "there are rows that are null as a whole; drop them, or make "
                                "their cells null");
    return MGL_OK;
}

typedef mgl_status check_fn(const struct ArrowArray *batch, const mgl_arrow_column *column,
                            const struct ArrowArray *array, const mgl_arrow_place *place,
                            mgl_error *err);

static mgl_status check_each(const struct ArrowArray *batch, const mgl_arrow_table *table,
                             mgl_arrow_place *place, check_fn *check, mgl_error *err)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        place->column = table->columns[c].name;
        MGL_TRY(check(batch, &table->columns[c], batch->children[c], place, err));
    }
    return MGL_OK;
}

mgl_status mgl_arrow_check_shapes(const struct ArrowArray *batch, const mgl_arrow_table *table,
                                  const char *name, mgl_error *err)
{
    mgl_arrow_place place = {.table = name};
    MGL_TRY(check_top(batch, table, &place, err));
    return check_each(batch, table, &place, check_shape, err);
}

/* ---- By several threads ------------------------------------------------------------------------
 */

/* Of a batch with fewer cells one thread has checked them before another is awake. */
enum { MANY_CELLS = 1 << 18 };

typedef struct sharing {
    const struct ArrowArray *batch;
    const mgl_arrow_table *table;
    mgl_arrow_place place;
    _Atomic bool odd;
} sharing;

static void check_column(void *context, size_t c, unsigned worker)
{
    sharing *x = context;
    (void)worker;
    if (check_cells(x->batch, &x->table->columns[c], x->batch->children[c], &x->place, NULL) !=
        MGL_OK)
        x->odd = true;
}

/* Is something wrong with a cell? What it is, and which is the first, is found out afterwards. */
static mgl_status look_shared(const struct ArrowArray *batch, const mgl_arrow_table *table,
                              mgl_arrow_helpers *helpers, mgl_error *err, bool *odd)
{
    sharing x = {.batch = batch, .table = table};
    if (helpers->pool == NULL)
        MGL_TRY(mgl_pool_new(helpers->threads, err, &helpers->pool));
    mgl_pool_run(helpers->pool, table->n_columns, check_column, &x);
    *odd = x.odd;
    return MGL_OK;
}

mgl_status mgl_arrow_check_batch(const struct ArrowArray *batch, const mgl_arrow_table *table,
                                 const char *name, mgl_arrow_helpers *helpers, mgl_error *err)
{
    mgl_arrow_place place = {.table = name, .first_row = table->n_rows};
    bool odd = true;
    MGL_TRY(mgl_arrow_check_shapes(batch, table, name, err));
    if ((helpers->pool != NULL || helpers->threads != 1) && table->n_columns > 0 &&
        (uint64_t)batch->length >= MANY_CELLS / table->n_columns)
        MGL_TRY(look_shared(batch, table, helpers, err, &odd));
    return odd ? check_each(batch, table, &place, check_cells, err) : MGL_OK;
}
