/* Arrow streams from a hostile producer: the input says what schemas and arrays are made of, true
 * sizes of buffers aside, which the interface does not tell. The library takes the stream or
 * refuses it with a message; every schema, array and stream is released once, whatever comes. What
 * was taken reads the same in the first pass, in the second, and after it was handed out again. */
#include "arrow_maker.h"
#include "fuzz.h"

#include "io/io.h"

enum { MOST_COLUMNS = 4, MOST_BATCHES = 3, MOST_CELLS = 24, BYTES = 256, BUFFERS = 6 };

typedef struct input {
    const uint8_t *at, *end;
} input;

static unsigned draw(input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

/* One time in so many. */
static bool rarely(input *in, unsigned times)
{
    return draw(in) % times == times - 1;
}

static void draw_bytes(input *in, void *out, size_t n)
{
    for (size_t i = 0; i < n; i++)
        ((uint8_t *)out)[i] = (uint8_t)draw(in);
}

/* Small, or nothing that can be. Nothing in between: buffers have their true sizes. */
static int64_t draw_length(input *in)
{
    static const int64_t wrong[] = {-1, INT64_MIN, INT64_MAX, INT64_MAX / 32, -8};
    return rarely(in, 64) ? wrong[draw(in) % 5] : (int64_t)(draw(in) % MOST_CELLS);
}

static size_t true_cells(const struct ArrowArray *array)
{
    bool there = array->length >= 0 && array->length <= MOST_CELLS && array->offset >= 0 &&
                 array->offset <= MOST_CELLS;
    return there ? (size_t)(array->length + array->offset) : 0;
}

/* ---- Buffers -------------------------------------------------------------------------------- */

/* Offsets that rise by a little, now and then one that does not; none beyond the bytes. */
static void fill_offsets(input *in, struct ArrowArray *array, unsigned width, size_t n)
{
    char offsets[(2 * MOST_CELLS + 1) * 8];
    int64_t at = rarely(in, 8) ? draw(in) % 8 : 0;
    for (size_t i = 0; i <= n; i++) {
        int64_t shown = rarely(in, 128) ? (int64_t)draw(in) - 128 : at;
        memcpy(offsets + i * width, &shown, width);
        at += draw(in) % 4;
    }
    made_buffer(array, 1, offsets, (n + 1) * width);
}

static void fill_bytes(input *in, struct ArrowArray *array, size_t buffer)
{
    char bytes[BYTES];
    bool wild = rarely(in, 8);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(wild ? draw(in) : 'a' + draw(in) % 3);
    made_buffer(array, buffer, bytes, sizeof bytes);
}

static void fill_views(input *in, struct ArrowArray *array, size_t n)
{
    char views[2 * MOST_CELLS * 16] = {0};
    int64_t size = rarely(in, 32) ? -1 : BYTES;
    fill_bytes(in, array, 2);
    made_buffer(array, 3, &size, sizeof size);
    for (size_t i = 0; i < n; i++) {
        char *view = views + i * 16;
        int32_t length = (int32_t)(draw(in) % 24), place[2] = {0, (int32_t)draw(in)};
        if (rarely(in, 64))
            draw_bytes(in, view, 16);
        else if (length <= 12)
            memset(view + 4, 'b', (size_t)length);
        else if (place[1] + 4 <= BYTES)
            memcpy(view + 4, (const char *)array->buffers[2] + place[1], 4);
        if (length > 12)
            memcpy(view + 8, place, sizeof place);
        memcpy(view, &length, sizeof length);
        if (rarely(in, 64))
            draw_bytes(in, view, 16);
    }
    made_buffer(array, 1, views, n * 16);
}

static void fill_numbers(input *in, struct ArrowArray *array, unsigned width, size_t n)
{
    char numbers[2 * MOST_CELLS * 32];
    bool wild = rarely(in, 4);
    memset(numbers, 0, sizeof numbers);
    for (size_t i = 0; i < n; i++)
        draw_bytes(in, numbers + i * width, wild ? width : 1);
    if (!wild) /* indices of dictionaries that are there, days, times */
        for (size_t i = 0; i < n; i++)
            numbers[i * width] &= 3;
    made_buffer(array, 1, numbers, n * width);
}

static int64_t buffers_of(const mgl_arrow_type *type)
{
    return type->kind == MGL_ARROW_NULL   ? 0
           : type->kind == MGL_ARROW_VIEW ? 4
           : mgl_arrow_is_text(type)      ? 3
                                          : 2;
}

static void fill_array(input *in, struct ArrowArray *array, const mgl_arrow_type *type)
{
    size_t n = true_cells(array);
    char bits[(2 * MOST_CELLS + 7) / 8];
    array->n_buffers = buffers_of(type);
    if (type->kind == MGL_ARROW_TEXT || type->kind == MGL_ARROW_LARGE_TEXT) {
        fill_offsets(in, array, type->width, n);
        fill_bytes(in, array, 2);
    } else if (type->kind == MGL_ARROW_VIEW) {
        fill_views(in, array, n);
    } else if (type->kind != MGL_ARROW_NULL) {
        fill_numbers(in, array, type->width > 0 ? type->width : 1, n);
    }
    if (rarely(in, 3)) {
        draw_bytes(in, bits, sizeof bits);
        made_buffer(array, 0, bits, (n + 7) / 8);
        array->null_count = -1;
    }
}

/* ---- Things that no producer should do --------------------------------------------------------
 */

static void spoil_array(input *in, struct ArrowArray *array)
{
    switch (rarely(in, 32) ? draw(in) % 10 : 10) {
    case 0:
        array->n_buffers = (int64_t)(draw(in) % (BUFFERS + 1)) - 1;
        break;
    case 1:
        array->null_count = (int64_t)draw(in) - 100;
        break;
    case 2:
        array->buffers = NULL;
        break;
    case 3:
        array->buffers[draw(in) % BUFFERS] = NULL;
        break;
    case 4:
        array->n_children = (int64_t)draw(in) - 3;
        break;
    case 5:
        array->children = NULL;
        break;
    case 6:
        array->dictionary = NULL;
        break;
    case 7:
        if (array->dictionary == NULL)
            made_dictionary(array, 1, BUFFERS);
        break;
    case 8:
        array->release(array);
        break;
    case 9:
        array->null_count = -1;
        break;
    default:
        break;
    }
}

static void spoil_schema(input *in, struct ArrowSchema *schema)
{
    static const char *const formats[] = {"+l", "+s", "+m", "z", "tDs", "", "d:5", "+ud:0", "x"};
    switch (rarely(in, 48) ? draw(in) % 7 : 7) {
    case 0:
        schema->format = NULL;
        break;
    case 1:
        schema->format = formats[draw(in) % 9];
        break;
    case 2:
        schema->name = draw(in) % 2 == 0 ? NULL : "\xff";
        break;
    case 3:
        schema->n_children = draw(in) % 2 == 0 ? -1 : INT64_MAX;
        break;
    case 4:
        schema->flags = draw(in);
        break;
    case 5:
        schema->release(schema);
        break;
    case 6:
        schema->children = NULL;
        break;
    default:
        break;
    }
}

/* ---- A table ----------------------------------------------------------------------------------
 */

static const char *draw_format(input *in, bool index)
{
    static const char *const formats[] = {
        "c",   "C",   "s",   "S",   "i",   "I",    "l",        "L",          "u",
        "U",   "vu",  "n",   "b",   "e",   "f",    "g",        "d:5,2",      "d:9,2,32",
        "tdD", "tdm", "tts", "ttm", "ttu", "ttn",  "tss:",     "tsn:UTC",    "d:18,-3,64",
        "u",   "u",   "u",   "i",   "vu",  "tsm:", "tsu:here", "d:40,2,256", "d:20,30"};
    return formats[draw(in) % (index ? 8 : sizeof formats / sizeof *formats)];
}

static void make_schema(input *in, arrow_maker *maker, struct ArrowSchema *out)
{
    size_t n = 1 + draw(in) % MOST_COLUMNS;
    made_table(maker, out);
    for (size_t c = 0; c < n; c++) {
        char name[] = {(char)('a' + c), '\0'};
        bool encoded = rarely(in, 3);
        struct ArrowSchema *column = made_schema_child(out, draw_format(in, encoded), name);
        if (encoded)
            made_schema_dictionary(column, draw_format(in, false));
    }
}

static void make_column(input *in, const struct ArrowSchema *schema, struct ArrowArray *batch)
{
    mgl_arrow_type type;
    REQUIRE(mgl_arrow_type_of(schema->format, &type));
    struct ArrowArray *array = made_child(batch, batch->length, BUFFERS);
    if (rarely(in, 4)) {
        array->offset = draw_length(in);
        array->length = draw_length(in);
    }
    fill_array(in, array, &type);
    if (schema->dictionary != NULL) {
        struct ArrowArray *entries = made_dictionary(array, 4, BUFFERS);
        REQUIRE(mgl_arrow_type_of(schema->dictionary->format, &type));
        if (rarely(in, 8)) {
            entries->offset = draw_length(in);
            entries->length = draw_length(in);
        }
        fill_array(in, entries, &type);
        spoil_array(in, entries);
    }
    spoil_array(in, array);
}

static void make_batch(input *in, arrow_maker *maker, const struct ArrowSchema *schema,
                       struct ArrowArray *out)
{
    made_array(maker, draw_length(in), BUFFERS, out);
    out->n_buffers = 1;
    out->offset = rarely(in, 8) ? draw_length(in) : 0;
    if (rarely(in, 16)) {
        char bits[(2 * MOST_CELLS + 7) / 8];
        draw_bytes(in, bits, sizeof bits);
        made_buffer(out, 0, bits, (true_cells(out) + 7) / 8);
        out->null_count = -1;
    }
    for (int64_t c = 0; c < schema->n_children; c++)
        make_column(in, schema->children[c], out);
    spoil_array(in, out);
}

static void make_stream(input *in, arrow_maker *maker, struct ArrowArrayStream *out)
{
    struct ArrowSchema schema;
    struct ArrowArray batches[MOST_BATCHES];
    size_t n = draw(in) % (MOST_BATCHES + 1);
    make_schema(in, maker, &schema);
    for (size_t b = 0; b < n; b++)
        make_batch(in, maker, &schema, &batches[b]);
    for (int64_t c = 0; c < schema.n_children; c++) {
        if (schema.children[c]->dictionary != NULL)
            spoil_schema(in, schema.children[c]->dictionary);
        spoil_schema(in, schema.children[c]);
    }
    spoil_schema(in, &schema);
    int fails_at = rarely(in, 32) ? (int)(draw(in) % 4) - 2 : -1;
    made_stream(maker, &schema, batches, n, fails_at, out);
    if (rarely(in, 64))
        out->get_next = NULL;
    if (rarely(in, 64))
        out->get_last_error = NULL;
}

/* ---- What was taken ---------------------------------------------------------------------------
 */

typedef struct comparison {
    const mgl_table *table;
    size_t row;
    mgl_buffer scratch;
} comparison;

/* Each cell reads as the value of its code; missing ones are not told from others here. */
static mgl_status compare(void *context, const mgl_records *records, mgl_error *err)
{
    (void)err;
    comparison *c = context;
    for (size_t r = 0; r < records->n_records; r++, c->row++)
        for (size_t f = 0; f < records->n_fields; f++) {
            const mgl_column *column = &c->table->columns[f];
            mgl_span cell =
                mgl_field_value(records->fields[r * records->n_fields + f], &c->scratch);
            uint32_t code = mgl_column_code(column, c->row);
            REQUIRE(mgl_span_equal(cell, mgl_dictionary_value(column->dictionary, code)));
        }
    return MGL_OK;
}

static void read_source(mgl_source *source, uint64_t n_rows)
{
    mgl_column_request requested[MOST_COLUMNS];
    mgl_error err = {0};
    mgl_table *table;
    size_t n = mgl_source_columns(source);
    for (size_t c = 0; c < n; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_QUASI};
    REQUIRE(mgl_source_read(source, requested, n, NULL, NULL, &err, &table) == MGL_OK);
    REQUIRE(table->n_rows == n_rows);
    comparison c = {.table = table};
    REQUIRE(mgl_source_each(source, compare, &c, &err) == MGL_OK);
    REQUIRE(c.row == n_rows);
    mgl_buffer_free(&c.scratch);
    mgl_table_free(table);
}

static void read_table(mgl_arrow_table *table, char digest[MGL_SHA256_TEXT])
{
    mgl_source_options options = {.may_be_empty = true, .allow_unnamed = true};
    mgl_error err = {0};
    mgl_source *source;
    mgl_status status = mgl_source_open_arrow(table, "memory:t", &options, &err, &source);
    fuzz_expect_refusal(status, &err);
    digest[0] = '\0';
    if (status != MGL_OK)
        return;
    read_source(source, table->n_rows);
    REQUIRE(mgl_source_digest(source, &err, digest) == MGL_OK);
    mgl_source_close(source);
}

static void check_table(mgl_arrow_table *table)
{
    char first[MGL_SHA256_TEXT], again[MGL_SHA256_TEXT];
    struct ArrowArrayStream stream;
    mgl_error err = {0};
    mgl_arrow_table *second;
    read_table(table, first);
    REQUIRE(mgl_arrow_export(table, &err, &stream) == MGL_OK);
    REQUIRE(mgl_arrow_import(&stream, "memory:again", NULL, &err, &second) == MGL_OK);
    read_table(second, again);
    REQUIRE(strcmp(first, again) == 0);
    mgl_arrow_release(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    input in = {data, data + size};
    arrow_maker maker = {0};
    struct ArrowArrayStream stream;
    mgl_error err = {0};
    mgl_arrow_table *table;
    make_stream(&in, &maker, &stream);
    mgl_status status = mgl_arrow_import(&stream, "memory:t", NULL, &err, &table);
    fuzz_expect_refusal(status, &err);
    REQUIRE(stream.release == NULL);
    if (status == MGL_OK) {
        check_table(table);
        mgl_arrow_release(table);
    }
    REQUIRE(maker.schemas == 0 && maker.arrays == 0 && maker.streams == 0);
    return 0;
}
