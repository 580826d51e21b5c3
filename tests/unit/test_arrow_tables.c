/* Tables that are handed over in memory: what is imported comes out again as it was, and everything
 * is released once. */
#include "arrow_maker.h"
#include "io/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void nothing_is_left(const arrow_maker *maker)
{
    assert_int_equal(maker->schemas, 0);
    assert_int_equal(maker->arrays, 0);
    assert_int_equal(maker->streams, 0);
}

/* Two batches of a text, a number and a dictionary column. */
static void make_small(arrow_maker *maker, struct ArrowArrayStream *out)
{
    static const char *const names[] = {"ann", NULL, "bob"}, *const entries[] = {"x", "y"};
    static const int32_t ages[] = {30, 41, 52};
    static const uint8_t codes[] = {0, 1, 1};
    struct ArrowSchema schema;
    struct ArrowArray batches[2];
    made_table(maker, &schema);
    made_schema_child(&schema, "u", "name");
    made_schema_child(&schema, "i", "age");
    made_schema_dictionary(made_schema_child(&schema, "C", "code"), "u");
    for (size_t b = 0; b < 2; b++) {
        made_batch(maker, 3, &batches[b]);
        made_texts(&batches[b], names, 3, 4);
        made_numbers(&batches[b], ages, 3, 4, NULL);
        struct ArrowArray *code = made_numbers(&batches[b], codes, 3, 1, "110");
        made_fill_texts(made_dictionary(code, 2, 3), entries, 2, 4);
    }
    made_stream(maker, &schema, batches, 2, -1, out);
}

static mgl_arrow_table *import(struct ArrowArrayStream *stream)
{
    mgl_arrow_table *table;
    mgl_error err;
    mgl_status status = mgl_arrow_import(stream, "memory:t", NULL, &err, &table);
    if (status != MGL_OK)
        fail_msg("%s", err.message);
    assert_null(stream->release);
    return table;
}

static void an_imported_table_has_rows_columns_and_cells(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    struct ArrowArrayStream stream;
    char room[MGL_ARROW_ROOM];
    make_small(&maker, &stream);
    mgl_arrow_table *table = import(&stream);
    assert_int_equal(table->n_rows, 6);
    assert_int_equal(table->n_columns, 3);
    assert_string_equal(table->columns[2].name, "code");
    assert_true(table->columns[2].encoded);
    mgl_arrow_cells names = mgl_arrow_cells_of(table, 1, 0), ages = mgl_arrow_cells_of(table, 0, 1);
    mgl_arrow_cells codes = mgl_arrow_cells_of(table, 1, 2);
    mgl_arrow_cells entries = mgl_arrow_entries_of(table, 1, 2);
    assert_true(mgl_span_is(mgl_arrow_show(&names, 2, room), "bob"));
    assert_true(mgl_arrow_is_null(&names, 1));
    assert_true(mgl_span_is(mgl_arrow_show(&ages, 1, room), "41"));
    assert_true(mgl_arrow_is_null(&codes, 2));
    assert_true(mgl_span_is(mgl_arrow_show(&entries, mgl_arrow_index_at(&codes, 1), room), "y"));
    mgl_arrow_release(table);
    nothing_is_left(&maker);
}

static void an_exported_stream_outlives_the_table(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    struct ArrowArrayStream stream, again;
    mgl_error err;
    make_small(&maker, &stream);
    mgl_arrow_table *table = import(&stream);
    assert_int_equal(mgl_arrow_export(table, &err, &again), MGL_OK);
    mgl_arrow_release(table);
    mgl_arrow_table *second = import(&again);
    assert_int_equal(second->n_rows, 6);
    assert_string_equal(second->columns[0].name, "name");
    mgl_arrow_release(second);
    nothing_is_left(&maker);
}

static void a_child_that_is_moved_out_outlives_its_batch(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    struct ArrowArrayStream stream, again;
    struct ArrowArray batch;
    mgl_error err;
    make_small(&maker, &stream);
    mgl_arrow_table *table = import(&stream);
    assert_int_equal(mgl_arrow_export(table, &err, &again), MGL_OK);
    mgl_arrow_release(table);
    assert_int_equal(again.get_next(&again, &batch), 0);
    struct ArrowArray age = *batch.children[1];
    batch.children[1]->release = NULL;
    batch.release(&batch);
    again.release(&again);
    assert_true(maker.arrays > 0);
    assert_int_equal(((const int32_t *)age.buffers[1])[2], 52);
    age.release(&age);
    nothing_is_left(&maker);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_imported_table_has_rows_columns_and_cells),
        cmocka_unit_test(an_exported_stream_outlives_the_table),
        cmocka_unit_test(a_child_that_is_moved_out_outlives_its_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
