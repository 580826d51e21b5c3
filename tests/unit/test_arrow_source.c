/* Tables in memory as sources: codes by first occurrence whatever the type, nulls, batches with
 * dictionaries of their own, stripes, records as text. */
#include "arrow_maker.h"
#include "io/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

enum { TWO_BATCHES = 2 };

typedef struct opened {
    arrow_maker maker;
    struct ArrowSchema schema;
    struct ArrowArray batches[TWO_BATCHES];
    size_t n_batches;
    mgl_arrow_table *table;
    mgl_source *source;
    mgl_source_options options;
} opened;

static void begin(opened *o, size_t n_batches, const int64_t *lengths)
{
    *o = (opened){.n_batches = n_batches};
    made_table(&o->maker, &o->schema);
    for (size_t b = 0; b < n_batches; b++)
        made_batch(&o->maker, lengths[b], &o->batches[b]);
}

static mgl_status try_open(opened *o, mgl_error *err)
{
    struct ArrowArrayStream stream;
    made_stream(&o->maker, &o->schema, o->batches, o->n_batches, -1, &stream);
    MGL_TRY(mgl_arrow_import(&stream, "memory:t", NULL, err, &o->table));
    return mgl_source_open_arrow(o->table, "memory:t", &o->options, err, &o->source);
}

static void open_it(opened *o)
{
    mgl_error err;
    if (try_open(o, &err) != MGL_OK)
        fail_msg("%s", err.message);
}

static void end(opened *o)
{
    mgl_source_close(o->source);
    mgl_arrow_release(o->table);
    assert_int_equal(o->maker.schemas, 0);
    assert_int_equal(o->maker.arrays, 0);
    assert_int_equal(o->maker.streams, 0);
}

static void append_codes(const mgl_table *table, mgl_buffer *out)
{
    for (size_t r = 0; r < table->n_rows; r++)
        for (size_t c = 0; c < table->n_columns; c++) {
            uint32_t code = mgl_column_code(&table->columns[c], r);
            mgl_buffer_format(out, "%u%c", code, c + 1 < table->n_columns ? ',' : ' ');
        }
}

/* The values of a column by their codes, the missing one in brackets. */
static void append_values(const mgl_column *column, mgl_buffer *out)
{
    mgl_buffer_text(out, "| ");
    for (uint32_t v = 0; v < mgl_dictionary_size(column->dictionary); v++) {
        mgl_span value = mgl_dictionary_value(column->dictionary, v);
        bool missing = v == mgl_dictionary_missing(column->dictionary);
        mgl_buffer_format(out, missing ? "[%.*s] " : "%.*s ", (int)value.size, value.data);
    }
}

static mgl_status take_stripe(void *context, const mgl_table *stripe, mgl_error *err)
{
    (void)err;
    append_codes(stripe, context);
    return MGL_OK;
}

/* Codes row by row, then the values of each column; the same in stripes of so many rows, by one
 * thread and by several. */
static void expect_codes(opened *o, const char *expected)
{
    mgl_column_request requested[8];
    size_t n = mgl_source_columns(o->source);
    mgl_error err;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(3, &err, &pool), MGL_OK);
    for (size_t c = 0; c < n; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_QUASI};
    for (size_t way = 0; way < 8; way++) {
        size_t rows = way / 2;
        mgl_table *table;
        mgl_buffer text = {0};
        mgl_row_sink sink = {rows, take_stripe, &text};
        mgl_stream_request request = {requested, n, rows > 0 ? &sink : NULL,
                                      way % 2 == 0 ? NULL : pool, NULL};
        assert_int_equal(mgl_source_stream(o->source, &request, &err, &table), MGL_OK);
        append_codes(table, &text);
        for (size_t c = 0; c < n; c++)
            append_values(&table->columns[c], &text);
        mgl_buffer_append(&text, "", 1);
        assert_string_equal(text.data, expected);
        mgl_buffer_free(&text);
        mgl_table_free(table);
    }
    mgl_pool_free(pool);
}

static mgl_status take_records(void *context, const mgl_records *records, mgl_error *err)
{
    (void)err;
    for (size_t f = 0; f < records->n_records * records->n_fields; f++) {
        const mgl_field *field = &records->fields[f];
        mgl_buffer_append(context, field->data, field->size);
        mgl_buffer_text(context, (f + 1) % records->n_fields == 0 ? "\n" : ",");
    }
    return MGL_OK;
}

static void expect_records(opened *o, const char *expected)
{
    mgl_buffer text = {0};
    mgl_error err;
    assert_int_equal(mgl_source_each(o->source, take_records, &text, &err), MGL_OK);
    mgl_buffer_append(&text, "", 1);
    assert_string_equal(text.data, expected);
    mgl_buffer_free(&text);
}

static void codes_are_numbered_by_first_occurrence(void **state)
{
    (void)state;
    static const int64_t lengths[] = {3, 2};
    static const char *const first[] = {"pear", "apple", "pear"}, *const second[] = {"fig",
                                                                                     "apple"};
    static const int16_t numbers[] = {7, -7, 7, 12, -7};
    opened o;
    begin(&o, 2, lengths);
    made_schema_child(&o.schema, "u", "fruit");
    made_schema_child(&o.schema, "s", "number");
    made_texts(&o.batches[0], first, 3, 4);
    made_texts(&o.batches[1], second, 2, 4);
    made_numbers(&o.batches[0], numbers, 3, 2, NULL);
    made_numbers(&o.batches[1], numbers + 3, 2, 2, NULL);
    open_it(&o);
    expect_codes(&o, "0,0 1,1 0,0 2,2 1,1 | pear apple fig | 7 -7 12 ");
    expect_records(&o, "pear,7\napple,-7\npear,7\nfig,12\napple,-7\n");
    assert_int_equal(mgl_source_meta(o.source, 1)->kind, MGL_CELLS_NUMBER);
    assert_int_equal(mgl_source_meta(o.source, 0)->kind, MGL_CELLS_TEXT);
    end(&o);
}

static void dictionaries_may_differ_between_batches(void **state)
{
    (void)state;
    static const int64_t lengths[] = {4, 3};
    static const char *const first[] = {"never", "b", "a", NULL}, *const second[] = {"a", "c", "a"};
    static const uint8_t indices[] = {2, 1, 2, 3, 0, 1, 2};
    opened o;
    begin(&o, 2, lengths);
    made_schema_dictionary(made_schema_child(&o.schema, "C", "code"), "u");
    struct ArrowArray *column = made_numbers(&o.batches[0], indices, 4, 1, NULL);
    made_fill_texts(made_dictionary(column, 4, 3), first, 4, 4);
    column = made_numbers(&o.batches[1], indices + 4, 3, 1, NULL);
    made_fill_texts(made_dictionary(column, 3, 3), second, 3, 4);
    open_it(&o);
    /* No code for what no row has; a null entry is null; the same text is the same code. */
    expect_codes(&o, "0 1 0 2 0 3 0 | a b [] c ");
    expect_records(&o, "a\nb\na\n\"\"\na\nc\na\n");
    end(&o);
}

static void the_same_dictionary_is_known_again(void **state)
{
    (void)state;
    static const int64_t lengths[] = {2, 2};
    static const char *const texts[] = {"x", "y"};
    static const uint64_t indices[] = {1, 0, 0, 1};
    opened o;
    mgl_error err;
    begin(&o, 1, lengths);
    made_schema_dictionary(made_schema_child(&o.schema, "L", "code"), "u");
    struct ArrowArray *column = made_numbers(&o.batches[0], indices, 2, 8, NULL);
    made_fill_texts(made_dictionary(column, 2, 3), texts, 2, 4);
    open_it(&o);
    expect_codes(&o, "0 1 | y x ");
    /* The batch twice, as a table of its own whose arrays share buffers. */
    struct ArrowArrayStream streams[2];
    struct ArrowSchema schema, spare;
    struct ArrowArray batches[2];
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(mgl_arrow_export(o.table, &err, &streams[i]), MGL_OK);
        assert_int_equal(streams[i].get_schema(&streams[i], i == 0 ? &schema : &spare), 0);
        assert_int_equal(streams[i].get_next(&streams[i], &batches[i]), 0);
        streams[i].release(&streams[i]);
    }
    spare.release(&spare);
    mgl_source_close(o.source);
    mgl_arrow_release(o.table);
    assert_int_equal(mgl_arrow_adopt(&schema, batches, 2, "memory:twice", &err, &o.table), MGL_OK);
    assert_int_equal(mgl_source_open_arrow(o.table, "memory:twice", &o.options, &err, &o.source),
                     MGL_OK);
    expect_codes(&o, "0 1 0 1 | y x ");
    end(&o);
}

static void null_has_a_code_of_its_own(void **state)
{
    (void)state;
    static const int64_t length = 4;
    static const char *const texts[] = {"", NULL, "NA", NULL};
    static const double numbers[] = {0.0, -0.0, 0.1, 1e300};
    opened o;
    begin(&o, 1, &length);
    made_schema_child(&o.schema, "U", "text");
    made_schema_child(&o.schema, "g", "number");
    made_schema_child(&o.schema, "n", "nothing");
    made_schema_child(&o.schema, "b", "truth");
    made_texts(&o.batches[0], texts, 4, 8);
    made_numbers(&o.batches[0], numbers, 4, 8, "1110");
    made_child(&o.batches[0], 4, 0)->null_count = 4;
    struct ArrowArray *truth = made_child(&o.batches[0], 4, 2);
    made_bits(truth, 1, "0110");
    made_valid(truth, "1011");
    open_it(&o);
    /* Both usual texts for null are values here. */
    expect_codes(&o, "0,0,0,0 1,0,0,1 2,1,0,2 1,2,0,0 | "
                     " [null] NA | 0 0.1 [null] | [null] | false [null] true ");
    expect_records(&o, ",0,null,false\nnull,0,null,null\nNA,0.1,null,true\nnull,null,null,false\n");
    end(&o);
}

static void tokens_mean_missing_as_in_files(void **state)
{
    (void)state;
    static const int64_t length = 4;
    static const int32_t numbers[] = {999, 5, 999, 6};
    static const mgl_span tokens[] = {{"?", 1}, {"999", 3}};
    opened o;
    begin(&o, 1, &length);
    made_schema_child(&o.schema, "i", "number");
    made_numbers(&o.batches[0], numbers, 4, 4, "1110");
    o.options.missing = tokens;
    o.options.n_missing = 2;
    open_it(&o);
    expect_codes(&o, "0 1 0 0 | [?] 5 ");
    expect_records(&o, "999\n5\n999\n?\n");
    end(&o);
}

static void spellings_count_as_in_files(void **state)
{
    (void)state;
    static const int64_t length = 5;
    static const char *const texts[] = {"Bern", " bern", "BERN ", "Bern", NULL};
    opened o;
    begin(&o, 1, &length);
    made_schema_child(&o.schema, "u", "city");
    made_texts(&o.batches[0], texts, 5, 4);
    o.options.spelling = (mgl_spelling){.trim = true, .fold_case = true};
    open_it(&o);
    expect_codes(&o, "0 0 0 0 1 | Bern [] ");
    end(&o);
}

static void slices_begin_at_their_offsets(void **state)
{
    (void)state;
    static const int64_t length = 2;
    static const char *const texts[] = {"a", "b", "c", "d", NULL};
    static const uint8_t indices[] = {9, 9, 1, 0, 1};
    opened o;
    begin(&o, 1, &length);
    made_schema_child(&o.schema, "vu", "text");
    made_schema_dictionary(made_schema_child(&o.schema, "C", "code"), "u");
    o.batches[0].offset = 1; /* counts for both columns */
    struct ArrowArray *text = made_texts(&o.batches[0], texts, 5, 16);
    text->offset = 2;
    text->length = 3;
    struct ArrowArray *code = made_numbers(&o.batches[0], indices, 5, 1, NULL);
    made_fill_texts(made_dictionary(code, 3, 3), texts, 3, 4);
    code->dictionary->offset = 1; /* b and c */
    code->dictionary->length = 2;
    code->offset = 2;
    code->length = 3;
    open_it(&o);
    expect_codes(&o, "0,0 1,1 | d [] | b c ");
    expect_records(&o, "d,b\n,c\n");
    end(&o);
}

static void cells_are_quoted_only_where_it_is_needed(void **state)
{
    (void)state;
    static const int64_t length = 5;
    static const char *const texts[] = {"plain", "a,b", "say \"hi\"", "two\nlines", "last"};
    opened o;
    begin(&o, 1, &length);
    made_schema_child(&o.schema, "u", "one");
    made_schema_child(&o.schema, "vu", "two");
    made_texts(&o.batches[0], texts, 5, 4);
    made_texts(&o.batches[0], texts, 5, 16);
    open_it(&o);
    expect_records(&o, "plain,plain\n\"a,b\",\"a,b\"\n\"say \"\"hi\"\"\",\"say \"\"hi\"\"\"\n"
                       "\"two\nlines\",\"two\nlines\"\nlast,last\n");
    end(&o);
}

static void texts_of_all_lengths_have_their_codes(void **state)
{
    (void)state;
    enum { N = 100 };
    static const int64_t length = N;
    static const char *const formats[] = {"u", "U", "vu"};
    static const unsigned widths[] = {4, 8, 16};
    char room[N][64];
    const char *texts[N];
    for (size_t i = 0; i < N; i++) { /* "", x, xx, ... of 50 lengths, each twice */
        size_t size = i / 2 % 50;
        memset(room[i], 'x', size);
        room[i][size] = '\0';
        texts[i] = room[i];
    }
    opened o;
    begin(&o, 1, &length);
    for (size_t c = 0; c < 3; c++) {
        made_schema_child(&o.schema, formats[c], formats[c]);
        made_texts(&o.batches[0], texts, N, widths[c]);
    }
    open_it(&o);
    mgl_column_request requested[] = {
        {0, MGL_ROLE_QUASI}, {1, MGL_ROLE_SENSITIVE}, {2, MGL_ROLE_INSENSITIVE}};
    mgl_table *table;
    mgl_error err;
    assert_int_equal(mgl_source_read(o.source, requested, 3, NULL, NULL, &err, &table), MGL_OK);
    for (size_t c = 0; c < 3; c++)
        for (size_t r = 0; r < N; r++) {
            assert_int_equal(mgl_column_code(&table->columns[c], r), r / 2);
            mgl_span value = mgl_dictionary_value(table->columns[c].dictionary, (uint32_t)(r / 2));
            assert_true(mgl_span_is(value, texts[r]));
        }
    mgl_table_free(table);
    end(&o);
}

static void many_values_outgrow_the_table_of_bytes(void **state)
{
    (void)state;
    enum { N = 70000 };
    static int64_t numbers[2 * N];
    static const int64_t length = 2 * N;
    opened o;
    begin(&o, 1, &length);
    for (int64_t i = 0; i < 2 * N; i++)
        numbers[i] = (i % N) * 1000003 - 5;
    made_schema_child(&o.schema, "l", "number");
    made_numbers(&o.batches[0], numbers, 2 * N, 8, NULL);
    open_it(&o);
    mgl_column_request request = {0, MGL_ROLE_QUASI};
    mgl_table *table;
    mgl_error err;
    assert_int_equal(mgl_source_read(o.source, &request, 1, NULL, NULL, &err, &table), MGL_OK);
    assert_int_equal(mgl_dictionary_size(table->columns[0].dictionary), N);
    for (size_t r = 0; r < 2 * N; r += 997)
        assert_int_equal(mgl_column_code(&table->columns[0], r), r % N);
    mgl_table_free(table);
    end(&o);
}

static void empty_batches_are_passed_over(void **state)
{
    (void)state;
    static const int64_t lengths[] = {0, 2};
    static const uint8_t numbers[] = {3, 200};
    opened o;
    begin(&o, 2, lengths);
    made_schema_child(&o.schema, "C", "number");
    made_child(&o.batches[0], 0, 2);
    made_numbers(&o.batches[1], numbers, 2, 1, NULL);
    open_it(&o);
    expect_codes(&o, "0 1 | 3 200 ");
    expect_records(&o, "3\n200\n");
    end(&o);
}

static void a_table_without_rows_is_refused_unless_it_may_be_empty(void **state)
{
    (void)state;
    for (int may = 0; may < 2; may++) {
        opened o;
        mgl_error err;
        begin(&o, 0, NULL);
        made_schema_child(&o.schema, "C", "number");
        o.options.may_be_empty = may == 1;
        assert_int_equal(try_open(&o, &err), may == 1 ? MGL_OK : MGL_DATA);
        if (may == 1)
            expect_records(&o, "");
        else
            assert_string_equal(err.message, "memory:t: there are no rows");
        end(&o);
    }
}

static void names_are_checked_as_in_files(void **state)
{
    (void)state;
    static const struct {
        const char *names[3], *message;
    } rows[] = {
        {{"a", "b", "a"}, "memory:t: columns 1 and 3 are both called 'a'; rename one of them"},
        {{"a", NULL, "b"}, "column 2 has no name"},
        {{"a", "", "b"}, "column 2 has no name"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static const int64_t length = 1;
        static const uint8_t number = 1;
        opened o;
        mgl_error err;
        begin(&o, 1, &length);
        for (size_t c = 0; c < 3; c++) {
            made_schema_child(&o.schema, "C", rows[i].names[c]);
            made_numbers(&o.batches[0], &number, 1, 1, NULL);
        }
        assert_int_equal(try_open(&o, &err), MGL_DATA);
        assert_non_null(strstr(err.message, rows[i].message));
        end(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes_are_numbered_by_first_occurrence),
        cmocka_unit_test(dictionaries_may_differ_between_batches),
        cmocka_unit_test(the_same_dictionary_is_known_again),
        cmocka_unit_test(null_has_a_code_of_its_own),
        cmocka_unit_test(tokens_mean_missing_as_in_files),
        cmocka_unit_test(spellings_count_as_in_files),
        cmocka_unit_test(slices_begin_at_their_offsets),
        cmocka_unit_test(cells_are_quoted_only_where_it_is_needed),
        cmocka_unit_test(texts_of_all_lengths_have_their_codes),
        cmocka_unit_test(many_values_outgrow_the_table_of_bytes),
        cmocka_unit_test(empty_batches_are_passed_over),
        cmocka_unit_test(a_table_without_rows_is_refused_unless_it_may_be_empty),
        cmocka_unit_test(names_are_checked_as_in_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
