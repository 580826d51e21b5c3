/* Schemas that a careless or hostile producer offers: each is refused with a message, and
 * everything is released once. */
#include "arrow_offer.h"

static void change_format(struct ArrowSchema *schema, const char *format)
{
    schema->format = format;
}

static void formats_that_are_refused_are_named_in_words(void **state)
{
    (void)state;
    static const struct {
        const char *format, *words;
    } rows[] = {
        {"+l", "list"},
        {"+L", "large list"},
        {"+vl", "list view"},
        {"+vL", "large list view"},
        {"+w:3", "fixed-size list"},
        {"+s", "struct"},
        {"+m", "map"},
        {"+ud:0,1", "dense union"},
        {"+us:0,1", "sparse union"},
        {"+r", "run-end encoded"},
        {"z", "binary"},
        {"Z", "large binary"},
        {"vz", "binary view"},
        {"w:16", "fixed-size binary"},
        {"tiD", "interval"},
        {"tiM", "interval"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        offer o;
        mgl_error err;
        char expected[200];
        offer_make(&o);
        change_format(o.schema.children[NUMBER], rows[i].format);
        assert_int_equal(offer_import(&o, &err), MGL_DATA);
        snprintf(expected, sizeof expected,
                 "memory:t: column number: the type %s is not taken; leave the column out, or make "
                 "it a number or a text",
                 rows[i].words);
        assert_string_equal(err.message, expected);
        assert_int_equal(err.code, MGL_CODE_ARROW);
        assert_string_equal(err.column, "number");
    }
}

static void formats_that_do_not_exist_are_refused(void **state)
{
    (void)state;
    static const char *const formats[] = {
        "",      "x",           "ii",           "tdX",       "ts",        "tsq:",   "d:",
        "d:10",  "d:0,0",       "d:39,2",       "d:10,2,48", "d:10,2,32", "d:5,77", "d:5,-77",
        "d:a,b", "d:5,2,128,1", "d:99999999,1", "d:5,",      "d:77,0,256"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        offer o;
        mgl_error err;
        offer_make(&o);
        change_format(o.schema.children[NUMBER], formats[i]);
        assert_int_equal(offer_import(&o, &err), MGL_DATA);
        assert_non_null(strstr(err.message, "column number: there is no type '"));
    }
}

static void no_struct(offer *o)
{
    change_format(&o->schema, "i");
}
static void no_format(offer *o)
{
    change_format(&o->schema, NULL);
}
static void no_type(offer *o)
{
    change_format(o->schema.children[TEXT], NULL);
}
static void released_child(offer *o)
{
    o->schema.children[TEXT]->release(o->schema.children[TEXT]);
}
static void float_index(offer *o)
{
    change_format(o->schema.children[CODE], "f");
}
static void dictionary_of_dictionary(offer *o)
{
    made_schema_dictionary(o->schema.children[CODE]->dictionary, "u");
}
static void released_dictionary(offer *o)
{
    o->schema.children[CODE]->dictionary->release(o->schema.children[CODE]->dictionary);
}
static void nested_entries(offer *o)
{
    change_format(o->schema.children[CODE]->dictionary, "+l");
}
static void table_with_dictionary(offer *o)
{
    made_schema_dictionary(&o->schema, "u");
}
static void column_with_columns(offer *o)
{
    made_schema_child(o->schema.children[NUMBER], "i", "within");
}
static void name_no_text(offer *o)
{
    o->schema.children[NUMBER]->name = "\xff\xfe";
}

static void schemas_that_are_wrong_are_refused(void **state)
{
    (void)state;
    static const offer_wrong rows[] = {
        {no_struct, "the stream is no table"},
        {no_format, "the stream is no table"},
        {no_type, "column text: it has no type"},
        {released_child, "column 1 is not there: its schema is released"},
        {float_index, "a dictionary is indexed by whole numbers, not by 32-bit float"},
        {dictionary_of_dictionary, "its dictionary: it has a dictionary itself"},
        {released_dictionary, "its dictionary: its schema was released"},
        {nested_entries, "column code: its dictionary: the type list is not taken"},
        {table_with_dictionary, "a table cannot have a dictionary as a whole"},
        {column_with_columns, "a column of type 32-bit integer cannot have columns within"},
        {name_no_text, "the name of column 2 is not UTF-8 text"},
    };
    offer_expect_refusals(rows, sizeof rows / sizeof *rows);
}

static void numbers_of_columns_that_cannot_be_are_refused(void **state)
{
    (void)state;
    static const int64_t numbers[] = {-1, INT64_MIN, INT64_MAX, (int64_t)UINT32_MAX};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        offer o;
        mgl_error err = {0};
        offer_make(&o);
        o.schema.n_children = numbers[i];
        assert_int_equal(offer_import(&o, &err), MGL_DATA);
        assert_non_null(strstr(err.message, "columns, which cannot be"));
    }
}

static void no_children(offer *o)
{
    o->schema.children = NULL;
}
static void no_batch_children(offer *o)
{
    o->batch.children = NULL;
}
static void null_child(offer *o)
{
    static struct ArrowArray *none[NOTHING + 1];
    o->batch.children = none;
}

static void children_that_are_NULL_are_refused(void **state)
{
    (void)state;
    static const offer_wrong rows[] = {
        {no_children, "columns, which cannot be"},
        {no_batch_children, "the columns of a batch are NULL"},
        {null_child, "column text: its array is NULL"},
    };
    offer_expect_refusals(rows, sizeof rows / sizeof *rows);
}

static void a_table_without_columns_is_refused(void **state)
{
    (void)state;
    offer o = {0};
    mgl_error err;
    made_table(&o.maker, &o.schema);
    made_batch(&o.maker, 3, &o.batch);
    assert_int_equal(offer_import(&o, &err), MGL_DATA);
    assert_string_equal(err.message, "memory:t: the table has no columns");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_that_are_refused_are_named_in_words),
        cmocka_unit_test(formats_that_do_not_exist_are_refused),
        cmocka_unit_test(schemas_that_are_wrong_are_refused),
        cmocka_unit_test(numbers_of_columns_that_cannot_be_are_refused),
        cmocka_unit_test(children_that_are_NULL_are_refused),
        cmocka_unit_test(a_table_without_columns_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
