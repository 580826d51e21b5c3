/* Jobs on tables that were given as Arrow streams: data, hierarchies and populations, as if the
 * same table were a file; and who releases them. */
#include "arrow_maker.h"
#include "mingle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

enum { ROWS = 12 };
static const char *const cities[] = {"Bern", "Chur", "Bern", "Thun", "Chur", "Thun",
                                     "Bern", "Chur", "Thun", "Bern", NULL,   "Thun"};
static const int32_t ages[] = {31, 32, 33, 34, 35, 36, 41, 42, 43, 44, 45, 46};
static const char data_text[] = "city,age\nBern,31\nChur,32\nBern,33\nThun,34\nChur,35\nThun,36\n"
                                "Bern,41\nChur,42\nThun,43\nBern,44\n,45\nThun,46\n";
static const char *const levels[][3] = {
    {"Bern", "Chur", "Thun"}, {"west", "east", "west"}, {"any", "any", "any"}};
static const char hierarchy_text[] = "Bern;west;any\nChur;east;any\nThun;west;any\n";

static void must(mgl_status status, const mgl_error *err)
{
    if (status != MGL_OK)
        fail_msg("%s", err->message);
}

static void set(mgl_job *job, const char *key, const char *value)
{
    mgl_error err;
    must(mgl_job_set(job, key, value, &err), &err);
}

static void give_table(mgl_job *job, arrow_maker *maker, const char *name)
{
    struct ArrowSchema schema;
    struct ArrowArray batch;
    struct ArrowArrayStream stream;
    mgl_error err;
    made_table(maker, &schema);
    made_batch(maker, ROWS, &batch);
    made_schema_child(&schema, "vu", "city");
    made_texts(&batch, cities, ROWS, 16);
    made_schema_child(&schema, "i", "age");
    made_numbers(&batch, ages, ROWS, 4, NULL);
    made_stream(maker, &schema, &batch, 1, -1, &stream);
    must(mgl_job_give_stream(job, name, &stream, &err), &err);
    assert_null(stream.release);
}

static void give_hierarchy(mgl_job *job, arrow_maker *maker)
{
    struct ArrowSchema schema;
    struct ArrowArray batch;
    struct ArrowArrayStream stream;
    mgl_error err;
    made_table(maker, &schema);
    made_batch(maker, 3, &batch);
    for (size_t level = 0; level < 3; level++) {
        made_schema_child(&schema, "u", ""); /* names do not matter */
        made_texts(&batch, levels[level], 3, 4);
    }
    made_stream(maker, &schema, &batch, 1, -1, &stream);
    must(mgl_job_give_stream(job, "cities", &stream, &err), &err);
}

static mgl_job *new_job(const char *data, const char *hierarchy)
{
    mgl_job *job;
    mgl_error err;
    must(mgl_job_new(&err, &job), &err);
    set(job, "data", data);
    set(job, "attributes.city.role", "quasi");
    set(job, "attributes.city.hierarchy", hierarchy);
    set(job, "attributes.age.role", "quasi");
    set(job, "attributes.age.hierarchy", "intervals(10)");
    set(job, "k", "2");
    set(job, "suppress", "2");
    set(job, "keep-order", "true");
    set(job, "output", "memory:release.csv");
    set(job, "threads", "2");
    return job;
}

static mgl_result *run(mgl_job *job)
{
    mgl_result *result;
    mgl_error err;
    must(mgl_job_run(job, "anonymize", &err, &result), &err);
    return result;
}

static void expect_same_release(mgl_result *one, mgl_result *other)
{
    const void *data[2];
    size_t sizes[2];
    mgl_error err;
    must(mgl_result_bytes(one, "release.csv", &err, &data[0], &sizes[0]), &err);
    must(mgl_result_bytes(other, "release.csv", &err, &data[1], &sizes[1]), &err);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(data[0], data[1], sizes[0]);
}

static void nothing_is_left(const arrow_maker *maker)
{
    assert_int_equal(maker->schemas, 0);
    assert_int_equal(maker->arrays, 0);
    assert_int_equal(maker->streams, 0);
}

static void tables_and_text_give_the_same_release(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    mgl_error err;
    mgl_job *arrow = new_job("memory:persons", "memory:cities");
    give_table(arrow, &maker, "persons");
    give_hierarchy(arrow, &maker);
    mgl_job *text = new_job("memory:persons.csv", "memory:cities.csv");
    must(mgl_job_give_bytes(text, "persons.csv", data_text, strlen(data_text), NULL, NULL, &err),
         &err);
    must(mgl_job_give_bytes(text, "cities.csv", hierarchy_text, strlen(hierarchy_text), NULL, NULL,
                            &err),
         &err);
    mgl_result *one = run(arrow), *other = run(text);
    expect_same_release(one, other);
    mgl_result_free(one);
    mgl_result_free(other);
    mgl_job_free(text);
    mgl_job_free(arrow);
    nothing_is_left(&maker);
}

static void a_population_can_be_a_table(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    mgl_job *job = new_job("memory:persons", "memory:cities");
    give_table(job, &maker, "persons");
    give_table(job, &maker, "everybody");
    give_hierarchy(job, &maker);
    set(job, "population", "memory:everybody");
    set(job, "k-map", "2");
    mgl_result_free(run(job));
    mgl_job_free(job);
    nothing_is_left(&maker);
}

/* Null is missing in the table, and so are empty cells and NA in the text beside it. */
static void a_population_of_text_has_missing_cells_as_ever(void **state)
{
    (void)state;
    static const char more[] = "city,age\nNA,31\n,45\nNA,45\n";
    arrow_maker maker = {0};
    mgl_error err;
    char population[sizeof data_text + sizeof more];
    snprintf(population, sizeof population, "%s%s", data_text, more + strlen("city,age\n"));
    mgl_job *job = new_job("memory:persons", "memory:cities");
    give_table(job, &maker, "persons");
    give_hierarchy(job, &maker);
    must(mgl_job_give_bytes(job, "everybody.csv", population, strlen(population), NULL, NULL, &err),
         &err);
    set(job, "population", "memory:everybody.csv");
    set(job, "k-map", "2");
    mgl_result_free(run(job));
    mgl_job_free(job);
    nothing_is_left(&maker);
}

static void a_table_is_released_when_another_takes_its_name(void **state)
{
    (void)state;
    arrow_maker first = {0}, second = {0};
    mgl_job *job = new_job("memory:persons", "memory:cities");
    give_table(job, &first, "persons");
    assert_true(first.arrays > 0);
    give_table(job, &second, "persons");
    nothing_is_left(&first);
    assert_true(second.arrays > 0);
    mgl_job_free(job);
    nothing_is_left(&second);
}

static void copies_of_a_job_share_its_tables(void **state)
{
    (void)state;
    arrow_maker maker = {0};
    mgl_error err;
    mgl_job *job = new_job("memory:persons", "memory:cities"), *copy;
    give_table(job, &maker, "persons");
    give_hierarchy(job, &maker);
    must(mgl_job_copy(job, &err, &copy), &err);
    mgl_job_free(job);
    mgl_result_free(run(copy));
    mgl_job_free(copy);
    nothing_is_left(&maker);
}

static void streams_need_names_and_are_released_anyway(void **state)
{
    (void)state;
    static const char *const names[] = {NULL, ""};
    arrow_maker maker = {0};
    mgl_job *job;
    mgl_error err;
    must(mgl_job_new(&err, &job), &err);
    for (size_t i = 0; i < 2; i++) {
        struct ArrowSchema schema;
        struct ArrowArrayStream stream;
        made_table(&maker, &schema);
        made_stream(&maker, &schema, NULL, 0, -1, &stream);
        assert_int_equal(mgl_job_give_stream(job, names[i], &stream, &err), MGL_USAGE);
        assert_null(stream.release);
        nothing_is_left(&maker);
        assert_int_equal(mgl_job_give_stream(job, "x", &stream, &err), MGL_USAGE);
        assert_non_null(strstr(err.message, "released already"));
    }
    mgl_job_free(job);
}

static void a_table_that_was_not_given_is_not_found(void **state)
{
    (void)state;
    mgl_error err;
    mgl_result *result;
    mgl_job *job = new_job("memory:nobody", "*");
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_DATA);
    assert_int_equal(err.code, MGL_CODE_NOT_FOUND);
    assert_non_null(strstr(err.message, "memory:nobody"));
    mgl_job_free(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_and_text_give_the_same_release),
        cmocka_unit_test(a_population_can_be_a_table),
        cmocka_unit_test(a_population_of_text_has_missing_cells_as_ever),
        cmocka_unit_test(a_table_is_released_when_another_takes_its_name),
        cmocka_unit_test(copies_of_a_job_share_its_tables),
        cmocka_unit_test(streams_need_names_and_are_released_anyway),
        cmocka_unit_test(a_table_that_was_not_given_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
