/* Outputs of a job: each has a form, and its name must not speak of another. */
#include "io/io.h"
#include "job/settings/settings.h"

#include "test_job.h"

static void every_output_key_has_its_endings(void **state)
{
    (void)state;
    size_t n, found = 0;
    const mgl_command_row *commands = mgl_command_rows(&n);
    mgl_key key;
    for (mgl_key_cursor at = {0}; mgl_key_next(&at, &key);) {
        if (key.kind != MGL_KEY_OUTPUT)
            continue;
        for (size_t c = 0; c < n; c++)
            if ((key.commands & commands[c].command) != 0) {
                mgl_entry output = {
                    .field = key.name, .value = "x.pdf", .place = {.name = key.name}};
                assert_int_equal(mgl_output_check_ending(&output, commands[c].command, NULL),
                                 MGL_USAGE);
                found++;
            }
    }
    assert_true(found > 10);
}

/* Whoever adds a format that is written can write a release that is called so. */
static void formats_say_which_endings_are_written(void **state)
{
    (void)state;
    size_t n;
    const mgl_format *const *formats = mgl_formats(&n);
    for (size_t i = 0; i < n; i++) {
        const char *at = formats[i]->endings;
        while (at != NULL && *at != '\0') {
            mgl_span ending = {at, strcspn(at, " ")};
            bool written = formats[i]->text || formats[i]->sink != NULL || formats[i]->save != NULL;
            assert_int_equal(mgl_ending_is_written(ending), written);
            at += ending.size;
            at += strspn(at, " ");
        }
    }
}

static void assert_ending(const char *location, const char *ending)
{
    mgl_span found = mgl_location_of(location).ending;
    if (!mgl_span_is(found, ending))
        fail_msg("%s ends in '%.*s', not in '%s'", location, (int)found.size, found.data, ending);
}

static void only_known_endings_are_endings(void **state)
{
    (void)state;
    assert_ending("x.csv", ".csv");
    assert_ending("x.y.JSON", ".JSON");
    assert_ending("a.b/x.csv.gz", ".csv.gz");
    assert_ending("x.json.zst", ".json.zst");
    assert_ending("x.gz", ".gz");
    assert_ending("x.v1.gz", ".gz");
    assert_ending("x", "");
    assert_ending("x.", "");
    assert_ending("", "");
    assert_ending("-", "");
    assert_ending(".json", "");
    assert_ending("a/.json", "");
    assert_ending("a.json/x", "");
    assert_ending("x.v1.2", "");
    assert_ending("x.release", "");
}

static void the_path_of_a_location_is_found(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"a/b.csv", "a/b.csv"},
        {"-", ""},
        {"sqlite:a/b.db?table=t", "a/b.db"},
        {"sqlite:a?b.db?table=t", "a?b.db"},
        {"duckdb:b.duck", "b.duck"},
        {"postgresql://host/db?table=t", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(mgl_span_is(mgl_location_of(cases[i][0]).path, cases[i][1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_output_key_has_its_endings),
        cmocka_unit_test(formats_say_which_endings_are_written),
        cmocka_unit_test(only_known_endings_are_endings),
        cmocka_unit_test(the_path_of_a_location_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
