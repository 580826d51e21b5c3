/* Makes the table that tests of hostile producers change, and imports it: test_arrow_schemas.c and
 * test_arrow_hostile.c. */
#include "arrow_offer.h"

void offer_make(offer *o)
{
    static const char *const texts[] = {"ann", NULL, "bob"}, *const entries[] = {"x", "y"};
    static const char *const views[] = {"short", "longer than twelve bytes",
                                        "also quite a long one"};
    static const int32_t numbers[] = {30, 41, 52}, times[] = {0, 86399, 1};
    static const int8_t codes[] = {0, 1, 1};
    static const int64_t days[] = {0, 86400000, -86400000};
    *o = (offer){0};
    made_table(&o->maker, &o->schema);
    made_batch(&o->maker, ROWS, &o->batch);
    made_schema_child(&o->schema, "u", "text");
    made_texts(&o->batch, texts, ROWS, 4);
    made_schema_child(&o->schema, "i", "number");
    made_numbers(&o->batch, numbers, ROWS, 4, NULL);
    made_schema_dictionary(made_schema_child(&o->schema, "c", "code"), "u");
    made_fill_texts(made_dictionary(made_numbers(&o->batch, codes, ROWS, 1, NULL), 2, 3), entries,
                    2, 4);
    made_schema_child(&o->schema, "vu", "view");
    made_texts(&o->batch, views, ROWS, 16);
    made_schema_child(&o->schema, "tdm", "day");
    made_numbers(&o->batch, days, ROWS, 8, NULL);
    made_schema_child(&o->schema, "tts", "time");
    made_numbers(&o->batch, times, ROWS, 4, NULL);
    made_schema_child(&o->schema, "U", "large");
    made_texts(&o->batch, texts, ROWS, 8);
    made_schema_child(&o->schema, "n", "nothing");
    made_child(&o->batch, ROWS, 0)->null_count = ROWS;
}

struct ArrowArray *offer_child(offer *o, size_t column)
{
    return o->batch.children[column];
}

mgl_status offer_import(offer *o, mgl_error *err)
{
    struct ArrowArrayStream stream;
    mgl_arrow_table *table = NULL;
    made_stream(&o->maker, &o->schema, &o->batch, 1, -1, &stream);
    mgl_status status = mgl_arrow_import(&stream, "memory:t", NULL, err, &table);
    assert_null(stream.release);
    if (status == MGL_OK)
        mgl_arrow_release(table);
    assert_int_equal(o->maker.schemas, 0);
    assert_int_equal(o->maker.arrays, 0);
    assert_int_equal(o->maker.streams, 0);
    return status;
}

void offer_expect_refusals(const offer_wrong *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        offer o;
        mgl_error err = {0};
        offer_make(&o);
        rows[i].change(&o);
        mgl_status status = offer_import(&o, &err);
        if (status != MGL_DATA || strstr(err.message, rows[i].message) == NULL)
            fail_msg("%zu: %d %s, not %s", i, (int)status, err.message, rows[i].message);
    }
}
