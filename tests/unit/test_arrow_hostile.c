/* What else a careless or hostile producer can do wrong, in arrays, cells and streams: each is
 * refused with a message, and everything is released once. */
#include "arrow_offer.h"

/* ---- Arrays ------------------------------------------------------------------------------------
 */

static void negative_length(offer *o)
{
    o->batch.length = -1;
}
static void negative_offset(offer *o)
{
    offer_child(o, NUMBER)->offset = -1;
}
static void endless_offset(offer *o)
{
    offer_child(o, NUMBER)->offset = INT64_MAX;
}
static void endless_length(offer *o)
{
    o->batch.length = INT64_MAX;
}
static void length_and_offset_overflow(offer *o)
{
    offer_child(o, NUMBER)->offset = INT64_MAX / 64;
    offer_child(o, NUMBER)->length = INT64_MAX / 64;
}
static void short_column(offer *o)
{
    offer_child(o, NUMBER)->length = ROWS - 1;
}
static void short_behind_offset(offer *o)
{
    o->batch.offset = 1;
}
static void too_many_nulls(offer *o)
{
    offer_child(o, NUMBER)->null_count = ROWS + 1;
}
static void fewer_than_no_nulls(offer *o)
{
    offer_child(o, NUMBER)->null_count = -2;
}
static void nulls_without_bitmap(offer *o)
{
    offer_child(o, NUMBER)->null_count = 1;
}
static void wrong_null_count(offer *o)
{
    offer_child(o, TEXT)->null_count = 2;
}
static void null_rows(offer *o)
{
    made_valid(&o->batch, "101");
}
static void released_batch_column(offer *o)
{
    offer_child(o, NUMBER)->release(offer_child(o, NUMBER));
}
static void one_buffer(offer *o)
{
    offer_child(o, NUMBER)->n_buffers = 1;
}
static void many_buffers(offer *o)
{
    offer_child(o, NUMBER)->n_buffers = 3;
}
static void few_view_buffers(offer *o)
{
    offer_child(o, VIEW)->n_buffers = 2;
}
static void buffers_of_null(offer *o)
{
    offer_child(o, NOTHING)->n_buffers = 1;
}
static void no_buffers_of_batch(offer *o)
{
    o->batch.n_buffers = 0;
}
static void array_with_arrays(offer *o)
{
    made_child(offer_child(o, NUMBER), 1, 1);
}
static void dictionary_without_schema(offer *o)
{
    made_dictionary(offer_child(o, NUMBER), 1, 3);
}
static void no_dictionary(offer *o)
{
    offer_child(o, CODE)->dictionary = NULL;
}
static void released_entries(offer *o)
{
    offer_child(o, CODE)->dictionary->release(offer_child(o, CODE)->dictionary);
}
static void nested_dictionary(offer *o)
{
    made_dictionary(offer_child(o, CODE)->dictionary, 1, 3);
}
static void short_dictionary(offer *o)
{
    offer_child(o, CODE)->dictionary->length = 1;
}
static void negative_index(offer *o)
{
    static const int8_t indices[] = {0, -1, 0};
    made_buffer(offer_child(o, CODE), 1, indices, sizeof indices);
}
static void promised_no_nulls(offer *o)
{
    o->schema.children[TEXT]->flags = 0;
}
static void one_column_less(offer *o)
{
    o->batch.n_children--;
}

static void arrays_that_are_wrong_are_refused(void **state)
{
    (void)state;
    static const offer_wrong rows[] = {
        {negative_length, "a length of -1 and an offset of 0, which cannot be"},
        {negative_offset, "column number: the array has a length of 3 and an offset of -1"},
        {endless_offset, "which cannot be"},
        {endless_length, "which cannot be"},
        {length_and_offset_overflow, "which cannot be"},
        {short_column, "column number: the array has 2 cells where 3 are needed"},
        {short_behind_offset, "the array has 3 cells where 4 are needed"},
        {too_many_nulls, "4 of 3 cells are declared null"},
        {fewer_than_no_nulls, "-2 of 3 cells are declared null"},
        {nulls_without_bitmap, "1 cells are declared null, and 0 are"},
        {wrong_null_count, "column text: 2 cells are declared null, and 1 are"},
        {null_rows, "there are rows that are null as a whole"},
        {released_batch_column, "column number: the array was released before"},
        {one_buffer, "an array of type 32-bit integer cannot have 1 buffers"},
        {many_buffers, "an array of type 32-bit integer cannot have 3 buffers"},
        {few_view_buffers, "an array of type text view cannot have 2 buffers"},
        {buffers_of_null, "an array of type null cannot have 1 buffers"},
        {no_buffers_of_batch, "a batch must be a struct"},
        {array_with_arrays, "cannot have arrays within"},
        {dictionary_without_schema, "it has a dictionary, and its schema has none"},
        {no_dictionary, "column code: its dictionary is NULL"},
        {released_entries, "column code: its dictionary: the array was released before"},
        {nested_dictionary, "its dictionary: it has a dictionary itself"},
        {short_dictionary, "row 2, column code: the cell names an entry that the dictionary does"},
        {negative_index, "row 2, column code: the cell names an entry"},
        {promised_no_nulls, "row 2, column text: the cell is null, and the schema says"},
        {one_column_less, "a batch has 7 columns, and the schema 8"},
    };
    offer_expect_refusals(rows, sizeof rows / sizeof *rows);
}

static void buffers_that_are_NULL_are_refused(void **state)
{
    (void)state;
    static const struct {
        size_t column, buffer;
        const char *message;
    } rows[] = {
        {NUMBER, 1, "column number: the buffer of its cells is NULL"},
        {TEXT, 1, "column text: the buffer of its cells is NULL"},
        {TEXT, 2, "column text: the buffer of its texts is NULL"},
        {LARGE, 2, "column large: the buffer of its texts is NULL"},
        {VIEW, 1, "column view: the buffer of its cells is NULL"},
        {VIEW, 2, "row 2, column view: the text reaches beyond its buffer"},
        {VIEW, 3, "column view: the sizes of its buffers are not given"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        offer o;
        mgl_error err = {0};
        offer_make(&o);
        struct ArrowArray *array = offer_child(&o, rows[i].column);
        array->buffers[rows[i].buffer] = NULL;
        assert_int_equal(offer_import(&o, &err), MGL_DATA);
        assert_non_null(strstr(err.message, rows[i].message));
    }
}

/* ---- Cells -------------------------------------------------------------------------------------
 */

static void put_offsets(offer *o, size_t column, const int64_t offsets[ROWS + 1])
{
    int32_t narrow[ROWS + 1];
    for (size_t i = 0; i <= ROWS; i++)
        narrow[i] = (int32_t)offsets[i];
    if (column == LARGE)
        made_buffer(offer_child(o, column), 1, offsets, (ROWS + 1) * sizeof *offsets);
    else
        made_buffer(offer_child(o, column), 1, narrow, sizeof narrow);
}

static void offsets_that_fall_or_are_negative_are_refused(void **state)
{
    (void)state;
    static const int64_t wrong_offsets[][ROWS + 1] = {
        {0, 3, 2, 6}, {-1, 3, 3, 6}, {0, 3, 3, -6}, {3, 0, 0, 6}, {0, 6, 6, 5}};
    static const size_t columns[] = {TEXT, LARGE};
    for (size_t i = 0; i < sizeof wrong_offsets / sizeof *wrong_offsets; i++)
        for (size_t c = 0; c < 2; c++) {
            offer o;
            mgl_error err = {0};
            offer_make(&o);
            put_offsets(&o, columns[c], wrong_offsets[i]);
            assert_int_equal(offer_import(&o, &err), MGL_DATA);
            assert_non_null(strstr(err.message, "never fall"));
        }
}

typedef struct view {
    int32_t size;
    char prefix[4];
    int32_t piece, offset;
} view;

static void views_that_point_nowhere_are_refused(void **state)
{
    (void)state;
    static const struct {
        view view;
        const char *message;
    } rows[] = {
        {{-1, "", 0, 0}, "row 2, column view: the text has a negative length"},
        {{24, "long", 1, 5}, "the text lies in a buffer that is not there"},
        {{24, "long", -1, 5}, "the text lies in a buffer that is not there"},
        {{24, "long", 0, -1}, "the text reaches beyond its buffer"},
        {{24, "long", 0, 40}, "the text reaches beyond its buffer"},
        {{INT32_MAX, "long", 0, INT32_MAX}, "the text reaches beyond its buffer"},
        {{24, "lang", 0, 5}, "the text does not begin as its view says"},
        {{2, "\xc3(", 0, 0}, "the cell is not UTF-8 text"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        offer o;
        mgl_error err = {0};
        offer_make(&o);
        memcpy((char *)offer_child(&o, VIEW)->buffers[1] + sizeof(view), &rows[i].view,
               sizeof(view));
        assert_int_equal(offer_import(&o, &err), MGL_DATA);
        assert_non_null(strstr(err.message, rows[i].message));
        /* The same under a null does not matter. */
        offer_make(&o);
        memcpy((char *)offer_child(&o, VIEW)->buffers[1] + sizeof(view), &rows[i].view,
               sizeof(view));
        made_valid(offer_child(&o, VIEW), "101");
        assert_int_equal(offer_import(&o, &err), MGL_OK);
    }
}

static void texts_that_are_not_UTF_8_are_refused_where_they_are(void **state)
{
    (void)state;
    static const struct {
        const char *texts[ROWS], *message;
    } rows[] = {
        {{"a\xff", "b", "c"}, "row 1, column text: the cell is not UTF-8 text"},
        {{"a", "\xed\xa0\x80", "c"}, "row 2, column text: the cell is not UTF-8 text"},
        {{"a", "b", "\xc3"}, "row 3, column text: the cell is not UTF-8 text"},
        {{"a\xc3", "\xa4", "c"}, "row 1, column text: the cell is not UTF-8 text"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        offer o;
        mgl_error err = {0};
        offer_make(&o);
        made_fill_texts(offer_child(&o, TEXT), rows[i].texts, ROWS, 4);
        made_valid(offer_child(&o, TEXT), "111");
        assert_int_equal(offer_import(&o, &err), MGL_DATA);
        assert_non_null(strstr(err.message, rows[i].message));
        offer_make(&o);
        made_fill_texts(offer_child(&o, TEXT), rows[i].texts, ROWS, 4);
        made_valid(offer_child(&o, TEXT), "000"); /* nobody reads it */
        assert_int_equal(offer_import(&o, &err), MGL_OK);
    }
}

static void a_NUL_byte_is_refused(void **state)
{
    (void)state;
    offer o;
    mgl_error err = {0};
    offer_make(&o);
    ((char *)offer_child(&o, TEXT)->buffers[2])[4] = '\0';
    assert_int_equal(offer_import(&o, &err), MGL_DATA);
    assert_non_null(strstr(err.message, "row 3, column text: the cell is not UTF-8 text, or has a "
                                        "NUL byte in it"));
    offer_make(&o);
    ((char *)offer_child(&o, CODE)->dictionary->buffers[2])[1] = '\0';
    assert_int_equal(offer_import(&o, &err), MGL_DATA);
    assert_non_null(strstr(err.message, "entry 2, column code"));
}

static void days_and_times_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    static const int32_t late[] = {0, 86400, 0}, early[] = {0, 0, -1};
    static const int64_t noon[] = {43200000, 0, 0};
    offer o;
    mgl_error err = {0};
    offer_make(&o);
    made_buffer(offer_child(&o, TIME), 1, late, sizeof late);
    assert_int_equal(offer_import(&o, &err), MGL_DATA);
    assert_string_equal(err.message, "memory:t: row 2, column time: there is no such time of day");
    offer_make(&o);
    made_buffer(offer_child(&o, TIME), 1, early, sizeof early);
    assert_int_equal(offer_import(&o, &err), MGL_DATA);
    offer_make(&o);
    made_buffer(offer_child(&o, TIME), 1, early, sizeof early);
    made_valid(offer_child(&o, TIME), "110");
    assert_int_equal(offer_import(&o, &err), MGL_OK);
    offer_make(&o);
    made_buffer(offer_child(&o, DAY), 1, noon, sizeof noon);
    assert_int_equal(offer_import(&o, &err), MGL_DATA);
    assert_non_null(strstr(err.message, "row 1, column day: the date has a time of day"));
}

static void what_is_right_is_taken(void **state)
{
    (void)state;
    offer o;
    mgl_error err = {0};
    offer_make(&o);
    o.schema.metadata = "\x7f\x7f\x7f\x7f"; /* nobody reads it */
    assert_int_equal(offer_import(&o, &err), MGL_OK);
}

/* ---- Streams -----------------------------------------------------------------------------------
 */

static void producers_that_fail_are_quoted(void **state)
{
    (void)state;
    static const struct {
        int fails_at;
        const char *message;
    } rows[] = {
        {-2, "memory:t: the producer of the stream gives no schema (error 5)"},
        {0, "memory:t: the producer of the stream gives no rows: the cable was cut"},
        {1, "memory:t: the producer of the stream gives no rows: the cable was cut"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        offer o;
        mgl_error err = {0};
        struct ArrowArrayStream stream;
        mgl_arrow_table *table;
        offer_make(&o);
        made_stream(&o.maker, &o.schema, &o.batch, 1, rows[i].fails_at, &stream);
        assert_int_equal(mgl_arrow_import(&stream, "memory:t", NULL, &err, &table), MGL_DATA);
        assert_string_equal(err.message, rows[i].message);
        assert_int_equal(o.maker.arrays + o.maker.schemas + o.maker.streams, 0);
    }
}

static void streams_without_callbacks_are_refused(void **state)
{
    (void)state;
    offer o;
    mgl_error err = {0};
    struct ArrowArrayStream stream;
    mgl_arrow_table *table;
    offer_make(&o);
    made_stream(&o.maker, &o.schema, &o.batch, 1, -1, &stream);
    stream.get_next = NULL;
    assert_int_equal(mgl_arrow_import(&stream, "memory:t", NULL, &err, &table), MGL_DATA);
    assert_int_equal(o.maker.arrays + o.maker.schemas + o.maker.streams, 0);
    assert_int_equal(mgl_arrow_import(&stream, "memory:t", NULL, &err, &table), MGL_USAGE);
    assert_string_equal(err.message, "memory:t: the stream was released already");
}

static int stop_at_once(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)user, (void)stage, (void)done, (void)total;
    return 1;
}

static void an_import_can_be_cancelled(void **state)
{
    (void)state;
    offer o;
    mgl_error err = {0};
    struct ArrowArrayStream stream;
    mgl_arrow_table *table;
    mgl_progress progress = {.fn = stop_at_once};
    offer_make(&o);
    made_stream(&o.maker, &o.schema, &o.batch, 1, -1, &stream);
    assert_int_equal(mgl_arrow_import(&stream, "memory:t", &progress, &err, &table), MGL_CANCELLED);
    assert_int_equal(o.maker.arrays + o.maker.schemas + o.maker.streams, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_that_are_wrong_are_refused),
        cmocka_unit_test(buffers_that_are_NULL_are_refused),
        cmocka_unit_test(offsets_that_fall_or_are_negative_are_refused),
        cmocka_unit_test(views_that_point_nowhere_are_refused),
        cmocka_unit_test(texts_that_are_not_UTF_8_are_refused_where_they_are),
        cmocka_unit_test(a_NUL_byte_is_refused),
        cmocka_unit_test(days_and_times_that_do_not_exist_are_refused),
        cmocka_unit_test(what_is_right_is_taken),
        cmocka_unit_test(producers_that_fail_are_quoted),
        cmocka_unit_test(streams_without_callbacks_are_refused),
        cmocka_unit_test(an_import_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
