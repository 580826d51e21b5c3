/* Each allocation fails in turn while a table is imported, read, handed out and imported again:
 * always an error, and everything that the producer made is released once. */
#include "arrow_maker.h"
#include "base/fault.h"
#include "io/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#ifdef MGL_FAULTS

enum { ROWS = 600, BATCHES = 2 };

static void make_stream(arrow_maker *maker, struct ArrowArrayStream *out)
{
    static const char *const entries[] = {"x", "say \"y\"", NULL};
    static const char *texts[ROWS];
    static int64_t numbers[ROWS];
    static uint8_t indices[ROWS];
    struct ArrowSchema schema;
    struct ArrowArray batches[BATCHES];
    for (size_t i = 0; i < ROWS; i++) {
        texts[i] = i % 3 == 0 ? NULL : i % 3 == 1 ? "a,b" : "a text that is rather long";
        numbers[i] = (int64_t)i * 7;
        indices[i] = (uint8_t)(i % 3);
    }
    made_table(maker, &schema);
    made_schema_child(&schema, "vu", "text");
    made_schema_child(&schema, "l", "number");
    made_schema_dictionary(made_schema_child(&schema, "C", "code"), "u");
    made_schema_child(&schema, "n", "nothing");
    for (size_t b = 0; b < BATCHES; b++) {
        made_batch(maker, ROWS, &batches[b]);
        made_texts(&batches[b], texts, ROWS, 16);
        made_numbers(&batches[b], numbers, ROWS, 8, NULL);
        made_fill_texts(made_dictionary(made_numbers(&batches[b], indices, ROWS, 1, NULL), 3, 3),
                        entries, 3, 4);
        made_child(&batches[b], ROWS, 0)->null_count = ROWS;
    }
    made_stream(maker, &schema, batches, BATCHES, -1, out);
}

static mgl_status take(void *context, const mgl_records *records, mgl_error *err)
{
    (void)err;
    *(size_t *)context += records->n_records;
    return MGL_OK;
}

static mgl_status read_table(mgl_arrow_table *arrow, mgl_error *err)
{
    static const mgl_column_request requested[] = {{0, MGL_ROLE_QUASI},
                                                   {1, MGL_ROLE_QUASI},
                                                   {2, MGL_ROLE_SENSITIVE},
                                                   {3, MGL_ROLE_INSENSITIVE}};
    mgl_source_options options = {0};
    mgl_source *source = NULL;
    mgl_table *table = NULL;
    size_t n = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_source_open_arrow(arrow, "memory:t", &options, err, &source));
    MGL_GO(mgl_source_read(source, requested, 4, NULL, NULL, err, &table));
    assert_int_equal(table->n_rows, ROWS * BATCHES);
    MGL_GO(mgl_source_each(source, take, &n, err));
    assert_int_equal(n, ROWS * BATCHES);
done:
    mgl_table_free(table);
    mgl_source_close(source);
    return status;
}

static mgl_status use(struct ArrowArrayStream *stream, mgl_error *err)
{
    struct ArrowArrayStream again;
    mgl_arrow_table *table = NULL, *second = NULL;
    mgl_memory_store store = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_arrow_import(stream, "memory:t", NULL, err, &table));
    MGL_GO(mgl_arrow_put(&store, "t", table, err));
    MGL_GO(read_table(table, err));
    MGL_GO(mgl_arrow_export(table, err, &again));
    MGL_GO(mgl_arrow_import(&again, "memory:again", NULL, err, &second));
    MGL_GO(read_table(second, err));
done:
    mgl_memory_store_clear(&store);
    mgl_arrow_release(second);
    mgl_arrow_release(table);
    return status;
}

static void nothing_is_left_when_memory_is_out(void **state)
{
    (void)state;
    uint64_t failures = 0;
    for (uint64_t number = 1;; number++) {
        arrow_maker maker = {0};
        mgl_error err = {0};
        struct ArrowArrayStream stream;
        make_stream(&maker, &stream);
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        mgl_status status = use(&stream, &err);
        bool reached = mgl_fault_count(MGL_FAULT_MEMORY) >= number;
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_int_equal(maker.schemas + maker.arrays + maker.streams, 0);
        if (!reached) {
            assert_int_equal(status, MGL_OK);
            break;
        }
        if (status != MGL_OK) { /* what we hand out ourselves fails as a stream of others does */
            assert_non_null(strstr(err.message, "out of memory"));
            failures++;
        }
    }
    assert_true(failures > 20);
}

#else

static void nothing_is_left_when_memory_is_out(void **state)
{
    (void)state;
    skip(); /* only a build with MGL_FAULTS can make allocations fail */
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_left_when_memory_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
