/* Checks schemas, batches and cells of Arrow data before anything reads them: lengths, offsets,
 * numbers of buffers and children, null counts, UTF-8. */
#include "io/arrow/check.h"
#include "text/text.h"

#include <stdarg.h>
#include <stdio.h>

/* MGL_DATA with the column, and the row or the entry, counted from 0 in cells. */
static mgl_status arrow_refuse(const mgl_arrow_place *place, mgl_error *err, const char *format,
                               ...)
{
    char what[512];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    if (place->column == NULL)
        return mgl_fail_at(err, MGL_CODE_ARROW, place->table, 0, "%s", what);
    return mgl_fail_column(err, MGL_CODE_ARROW, place->table, place->column, "column %.60s: %s%s",
                           place->column, place->entries ? "its dictionary: " : "", what);
}

static mgl_status arrow_refuse_cell(const mgl_arrow_place *place, size_t cell, const char *what,
                                    mgl_error *err)
{
    uint64_t number = cell + 1 + (place->entries ? 0 : place->first_row);
    return mgl_fail_column(err, MGL_CODE_ARROW, place->table, place->column,
                           "%s %llu, column %.60s: %s", place->entries ? "entry" : "row",
                           (unsigned long long)number, place->column, what);
}

mgl_status mgl_arrow_check_schema(const struct ArrowSchema *schema, const char *name,
                                  mgl_error *err)
{
    mgl_arrow_place place = {.table = name};
    if (schema->release == NULL)
        return arrow_refuse(&place, err, "the schema was released before it was handed over");
    if (schema->format == NULL || strcmp(schema->format, "+s") != 0)
        return arrow_refuse(&place, err,
                            "the stream is no table: its schema must be a struct of columns");
    if (schema->dictionary != NULL)
        return arrow_refuse(&place, err, "a table cannot have a dictionary as a whole");
    if (schema->n_children < 0 || schema->n_children >= MGL_NOT_FOUND ||
        (schema->n_children > 0 && schema->children == NULL))
        return arrow_refuse(&place, err, "the schema has %lld columns, which cannot be",
                            (long long)schema->n_children);
    if (schema->n_children == 0)
        return arrow_refuse(&place, err, "the table has no columns");
    for (int64_t c = 0; c < schema->n_children; c++)
        if (schema->children[c] == NULL || schema->children[c]->release == NULL)
            return arrow_refuse(&place, err, "column %lld is not there: its schema is %s",
                                (long long)c + 1,
                                schema->children[c] == NULL ? "NULL" : "released");
    return MGL_OK;
}

static mgl_status check_type(const struct ArrowSchema *schema, const mgl_arrow_place *place,
                             mgl_error *err, mgl_arrow_type *out)
{
    const char *format = schema->format;
    if (format == NULL)
        return arrow_refuse(place, err, "it has no type");
    if (!mgl_arrow_type_of(format, out)) {
        if (out->words == NULL || out->kind == MGL_ARROW_DECIMAL)
            return arrow_refuse(place, err, "there is no type '%.40s'", format);
        return arrow_refuse(place, err,
                            "the type %s is not taken; leave the column out, or make it a "
                            "number or a text",
                            out->words);
    }
    if (schema->n_children != 0)
        return arrow_refuse(place, err, "a column of type %s cannot have columns within",
                            out->words);
    return MGL_OK;
}

static mgl_status check_column_schema(const struct ArrowSchema *schema, const mgl_arrow_place *at,
                                      mgl_error *err, mgl_arrow_column *out)
{
    mgl_arrow_place place = *at;
    mgl_arrow_type type;
    MGL_TRY(check_type(schema, &place, err, &type));
    *out = (mgl_arrow_column){.name = schema->name != NULL ? schema->name : "",
                              .type = type,
                              .nullable = (schema->flags & ARROW_FLAG_NULLABLE) != 0};
    const struct ArrowSchema *entries = schema->dictionary;
    if (entries == NULL)
        return MGL_OK;
    if (type.kind != MGL_ARROW_SIGNED && type.kind != MGL_ARROW_UNSIGNED)
        return arrow_refuse(&place, err, "a dictionary is indexed by whole numbers, not by %s",
                            type.words);
    place.entries = true;
    if (entries->release == NULL)
        return arrow_refuse(&place, err, "its schema was released before it was handed over");
    if (entries->dictionary != NULL)
        return arrow_refuse(&place, err, "it has a dictionary itself, which is not taken");
    out->encoded = true;
    out->index = type;
    return check_type(entries, &place, err, &out->type);
}

mgl_status mgl_arrow_check_columns(const struct ArrowSchema *schema, const char *name,
                                   mgl_error *err, mgl_arrow_column *columns)
{
    for (int64_t c = 0; c < schema->n_children; c++) {
        const struct ArrowSchema *child = schema->children[c];
        mgl_arrow_place place = {.table = name};
        size_t size = child->name != NULL ? strlen(child->name) : 0;
        if (size > 0 && mgl_utf8_valid(child->name, size) != size)
            return arrow_refuse(&place, err, "the name of column %lld is not UTF-8 text",
                                (long long)c + 1);
        char number[32];
        snprintf(number, sizeof number, "%lld", (long long)c + 1);
        place.column = size > 0 ? child->name : number;
        MGL_TRY(check_column_schema(child, &place, err, &columns[c]));
    }
    return MGL_OK;
}

enum { AT_ONCE = 16, LONGEST_TEXT = 1 << 30, INLINE_TEXT = 12 };

/* Is one of n numbers larger than `most`, taken as unsigned? Negative ones are larger than all
 * others. Signed numbers are what vectors compare fast: with the highest bit turned, the order is
 * that of unsigned ones. Vectors are no wider than those of every machine: wider ones are compared
 * number by number. */
#define DEFINE_ANY_ABOVE(name, type, bits)                                                         \
    typedef type name##_vector __attribute__((vector_size(16)));                                   \
    static bool name(const char *values, size_t n, uint64_t most)                                  \
    {                                                                                              \
        enum { LANES = 16 / sizeof(type) };                                                        \
        const type turn = (type)(UINT64_C(1) << ((bits)-1)), limit = (type)((type)most ^ turn);    \
        name##_vector some, above = {0};                                                           \
        type one, any = 0;                                                                         \
        size_t i = 0;                                                                              \
        for (; i + LANES <= n; i += LANES) {                                                       \
            memcpy(&some, values + i * sizeof one, sizeof some);                                   \
            above |= (some ^ turn) > limit;                                                        \
        }                                                                                          \
        for (size_t lane = 0; lane < LANES; lane++)                                                \
            any |= above[lane];                                                                    \
        for (; i < n; i++) {                                                                       \
            memcpy(&one, values + i * sizeof one, sizeof one);                                     \
            any |= (type)(one ^ turn) > limit;                                                     \
        }                                                                                          \
        return any != 0;                                                                           \
    }

DEFINE_ANY_ABOVE(any_byte_above, int8_t, 8)
DEFINE_ANY_ABOVE(any_pair_above, int16_t, 16)
DEFINE_ANY_ABOVE(any_four_above, int32_t, 32)
DEFINE_ANY_ABOVE(any_eight_above, int64_t, 64)

/* What is negative as a signed number is beyond any limit. */
static bool all_below(const mgl_arrow_cells *cells, uint64_t limit)
{
    unsigned width = cells->type->width;
    const char *values = (const char *)cells->values + cells->first * width;
    uint64_t negative = UINT64_C(1) << (width * 8 - 1), largest = negative + (negative - 1);
    if (cells->type->kind != MGL_ARROW_UNSIGNED && limit > negative)
        limit = negative;
    if (limit == 0 || limit > largest)
        return limit > 0;
    switch (width) {
    case 1:
        return !any_byte_above(values, cells->n, limit - 1);
    case 2:
        return !any_pair_above(values, cells->n, limit - 1);
    case 4:
        return !any_four_above(values, cells->n, limit - 1);
    default:
        return !any_eight_above(values, cells->n, limit - 1);
    }
}

/* Numbers from 0 up to limit; what stands under nulls does not matter. */
static mgl_status check_below(const mgl_arrow_cells *cells, uint64_t limit,
                              const mgl_arrow_place *place, const char *what, mgl_error *err)
{
    if (cells->n == 0 || all_below(cells, limit))
        return MGL_OK;
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i) && mgl_arrow_unsigned_at(cells, i) >= limit)
            return arrow_refuse_cell(place, i, what, err);
    return MGL_OK;
}

/* Days that are given in milliseconds are whole ones. */
static mgl_status check_days(const mgl_arrow_cells *cells, const mgl_arrow_place *place,
                             mgl_error *err)
{
    if (cells->type->unit == 1)
        return MGL_OK;
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i) && mgl_arrow_signed_at(cells, i) % cells->type->unit != 0)
            return arrow_refuse_cell(place, i, "the date has a time of day; make it a timestamp",
                                     err);
    return MGL_OK;
}

static mgl_status check_text(mgl_span text, const mgl_arrow_place *place, size_t cell,
                             mgl_error *err)
{
    if (text.size > LONGEST_TEXT)
        return arrow_refuse_cell(place, cell, "the text is longer than 1 GB; leave the column out",
                                 err);
    if (text.size > 0 && (mgl_utf8_valid(text.data, text.size) != text.size ||
                          memchr(text.data, '\0', text.size) != NULL))
        return arrow_refuse_cell(place, cell, "the cell is not UTF-8 text, or has a NUL byte in it",
                                 err);
    return MGL_OK;
}

MGL_SPECIALIZE int64_t offset_in(const char *offsets, size_t i, unsigned width)
{
    int32_t four;
    int64_t eight;
    if (width == sizeof four) {
        memcpy(&four, offsets + i * sizeof four, sizeof four);
        return four;
    }
    memcpy(&eight, offsets + i * sizeof eight, sizeof eight);
    return eight;
}

static int64_t offset_at(const mgl_arrow_cells *cells, size_t i)
{
    return offset_in(cells->values, cells->first + i, cells->type->width);
}

/* n + 1 offsets that never go back. */
MGL_SPECIALIZE bool offsets_rise(const char *offsets, size_t n, unsigned width)
{
    size_t i = 0;
    for (; i + AT_ONCE <= n; i += AT_ONCE) {
        uint64_t falls = 0;
        for (size_t j = 0; j < AT_ONCE; j++)
            falls |= offset_in(offsets, i + j, width) > offset_in(offsets, i + j + 1, width);
        if (falls)
            return false;
    }
    for (; i < n; i++)
        if (offset_in(offsets, i, width) > offset_in(offsets, i + 1, width))
            return false;
    return true;
}

/* Does every text begin where a character does? Then the texts are UTF-8 if all bytes are. */
static bool begin_on_characters(const mgl_arrow_cells *cells)
{
    int64_t end = offset_at(cells, cells->n);
    for (size_t i = 0; i < cells->n; i++) {
        int64_t at = offset_at(cells, i);
        if (at < end && ((unsigned char)cells->bytes[at] & 0xc0) == 0x80)
            return false;
    }
    return true;
}

static mgl_status check_offsets(const mgl_arrow_cells *cells, const mgl_arrow_place *place,
                                mgl_error *err)
{
    const char *offsets = (const char *)cells->values + cells->first * cells->type->width;
    bool rise = cells->type->width == 4 ? offsets_rise(offsets, cells->n, 4)
                                        : offsets_rise(offsets, cells->n, 8);
    int64_t begin = offset_at(cells, 0), end = offset_at(cells, cells->n);
    if (!rise || begin < 0)
        return arrow_refuse(place, err,
                            "the offsets of its texts must begin at 0 or more and never fall");
    if (end > begin && cells->bytes == NULL)
        return arrow_refuse(place, err, "the buffer of its texts is NULL");
    return MGL_OK;
}

static mgl_status check_texts(const mgl_arrow_cells *cells, const mgl_arrow_place *place,
                              mgl_error *err)
{
    if (cells->n == 0)
        return MGL_OK;
    MGL_TRY(check_offsets(cells, place, err));
    int64_t begin = offset_at(cells, 0);
    size_t size = (size_t)(offset_at(cells, cells->n) - begin);
    if (size == 0)
        return MGL_OK;
    const char *all = cells->bytes + begin;
    if (size <= LONGEST_TEXT && mgl_utf8_valid(all, size) == size &&
        memchr(all, '\0', size) == NULL && begin_on_characters(cells))
        return MGL_OK;
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i))
            MGL_TRY(check_text(mgl_arrow_text_at(cells, i), place, i, err));
    return MGL_OK;
}

typedef struct view {
    int32_t size;
    char prefix[4]; /* or the first bytes of a text that is short enough */
    int32_t piece, offset;
} view;

static mgl_status check_view(const mgl_arrow_cells *cells, size_t i, int64_t n_pieces,
                             const mgl_arrow_place *place, mgl_error *err)
{
    view v;
    memcpy(&v, (const char *)cells->values + (cells->first + i) * sizeof v, sizeof v);
    if (v.size < 0)
        return arrow_refuse_cell(place, i, "the text has a negative length", err);
    if (v.size > INLINE_TEXT) {
        int64_t room = 0;
        if (v.piece < 0 || v.piece >= n_pieces)
            return arrow_refuse_cell(place, i, "the text lies in a buffer that is not there", err);
        memcpy(&room, (const char *)cells->pieces[n_pieces] + (size_t)v.piece * sizeof room,
               sizeof room);
        const char *piece = cells->pieces[v.piece];
        if (piece == NULL || v.offset < 0 || (int64_t)v.offset + v.size > room)
            return arrow_refuse_cell(place, i, "the text reaches beyond its buffer", err);
        if (memcmp(piece + v.offset, v.prefix, sizeof v.prefix) != 0)
            return arrow_refuse_cell(place, i, "the text does not begin as its view says", err);
    }
    return check_text(mgl_arrow_text_at(cells, i), place, i, err);
}

static mgl_status check_views(const mgl_arrow_cells *cells, int64_t n_buffers,
                              const mgl_arrow_place *place, mgl_error *err)
{
    int64_t n_pieces = n_buffers - 3;
    if (n_pieces > 0 && cells->pieces[n_pieces] == NULL)
        return arrow_refuse(place, err, "the sizes of its buffers are not given");
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i))
            MGL_TRY(check_view(cells, i, n_pieces, place, err));
    return MGL_OK;
}

/* What stands in the cells: offsets, views, texts, times of day. n_buffers: of the array. */
static mgl_status arrow_check_cells(const mgl_arrow_cells *cells, int64_t n_buffers,
                                    const mgl_arrow_place *place, mgl_error *err)
{
    enum { SECONDS_OF_DAY = 86400 };
    switch (cells->type->kind) {
    case MGL_ARROW_TEXT:
    case MGL_ARROW_LARGE_TEXT:
        return check_texts(cells, place, err);
    case MGL_ARROW_VIEW:
        return check_views(cells, n_buffers, place, err);
    case MGL_ARROW_DAY:
        return check_days(cells, place, err);
    case MGL_ARROW_TIME:
        return check_below(cells, (uint64_t)(SECONDS_OF_DAY * cells->type->unit), place,
                           "there is no such time of day", err);
    default:
        return MGL_OK;
    }
}

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
        return arrow_refuse(place, err, "the array was released before it was handed over");
    if (array->length < 0 || array->length > longest || array->offset < 0 ||
        array->offset > longest || array->length + array->offset > longest)
        return arrow_refuse(place, err,
                            "the array has a length of %lld and an offset of %lld, which "
                            "cannot be",
                            (long long)array->length, (long long)array->offset);
    if (array->length < least)
        return arrow_refuse(place, err, "the array has %lld cells where %lld are needed",
                            (long long)array->length, (long long)least);
    if (array->null_count < -1 || array->null_count > array->length)
        return arrow_refuse(place, err, "%lld of %lld cells are declared null",
                            (long long)array->null_count, (long long)array->length);
    return MGL_OK;
}

/* The null count, where it is given, is that of the bitmap: others may rely on either. */
static mgl_status check_nulls(const struct ArrowArray *array, const mgl_arrow_place *place,
                              mgl_error *err)
{
    const uint8_t *valid = array->buffers[0];
    int64_t given = array->null_count;
    if (given < 0 || array->length == 0)
        return MGL_OK;
    size_t length = (size_t)array->length, nulls = 0;
    if (valid != NULL)
        nulls = length - mgl_bits_set(valid, (size_t)array->offset, length);
    if (nulls != (size_t)given)
        return arrow_refuse(place, err, "%lld cells are declared null, and %zu are",
                            (long long)given, nulls);
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
        return arrow_refuse(place, err, "an array of type %s cannot have arrays within",
                            type->words);
    if (!right_buffers(type, array->n_buffers) || (array->n_buffers > 0 && array->buffers == NULL))
        return arrow_refuse(place, err, "an array of type %s cannot have %lld buffers%s",
                            type->words, (long long)array->n_buffers,
                            array->buffers == NULL ? " that are NULL" : "");
    if (array->n_buffers == 0)
        return MGL_OK;
    if (array->length > 0 && array->buffers[1] == NULL)
        return arrow_refuse(place, err, "the buffer of its cells is NULL");
    return check_nulls(array, place, err);
}

/* A column that is declared to have no nulls. */
static mgl_status check_promise(const mgl_arrow_column *column, const mgl_arrow_cells *cells,
                                const mgl_arrow_place *place, mgl_error *err)
{
    if (column->nullable || cells->valid == NULL ||
        mgl_bits_set(cells->valid, cells->first, cells->n) == cells->n)
        return MGL_OK;
    size_t i = 0;
    while (!mgl_arrow_is_null(cells, i))
        i++;
    return arrow_refuse_cell(place, i, "the cell is null, and the schema says that none is", err);
}

static mgl_status check_dictionary(const struct ArrowArray *array, const mgl_arrow_column *column,
                                   const mgl_arrow_place *place, mgl_error *err)
{
    const struct ArrowArray *entries = array->dictionary;
    mgl_arrow_place within = *place;
    within.entries = true;
    if (!column->encoded && entries != NULL)
        return arrow_refuse(place, err, "it has a dictionary, and its schema has none");
    if (!column->encoded)
        return MGL_OK;
    if (entries == NULL)
        return arrow_refuse(place, err, "its dictionary is NULL");
    if (entries->dictionary != NULL)
        return arrow_refuse(&within, err, "it has a dictionary itself, which is not taken");
    return check_array(entries, &column->type, 0, &within, err);
}

static mgl_status check_shape(const struct ArrowArray *batch, const mgl_arrow_column *column,
                              const struct ArrowArray *array, const mgl_arrow_place *place,
                              mgl_error *err)
{
    if (array == NULL)
        return arrow_refuse(place, err, "its array is NULL");
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
        return arrow_check_cells(&cells, array->n_buffers, place, err);
    const struct ArrowArray *dictionary = array->dictionary;
    mgl_arrow_cells entries =
        mgl_arrow_window(dictionary, &column->type, 0, (size_t)dictionary->length);
    mgl_arrow_place within = *place;
    within.entries = true;
    MGL_TRY(arrow_check_cells(&entries, dictionary->n_buffers, &within, err));
    /* That cells name entries there are. */
    return check_below(&cells, entries.n, place,
                       "the cell names an entry that the dictionary does not have", err);
}

static mgl_status check_top(const struct ArrowArray *batch, const mgl_arrow_table *table,
                            const mgl_arrow_place *place, mgl_error *err)
{
    MGL_TRY(check_lengths(batch, 0, place, err));
    if (batch->n_children != (int64_t)table->n_columns)
        return arrow_refuse(place, err, "a batch has %lld columns, and the schema %zu",
                            (long long)batch->n_children, table->n_columns);
    if (batch->children == NULL)
        return arrow_refuse(place, err, "the columns of a batch are NULL");
    if (batch->n_buffers != 1 || batch->buffers == NULL || batch->dictionary != NULL)
        return arrow_refuse(place, err, "a batch must be a struct: one buffer and no dictionary");
    MGL_TRY(check_nulls(batch, place, err));
    const uint8_t *valid = batch->buffers[0];
    size_t length = (size_t)batch->length;
    if (valid != NULL && mgl_bits_set(valid, (size_t)batch->offset, length) != length)
        return arrow_refuse(place, err,
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
