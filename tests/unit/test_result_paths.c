/* Getters on results by path: every place of random documents is found by its path, wrong and
 * hostile paths find nothing and harm nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "result/result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static mgl_result *result_of(const char *text)
{
    mgl_result *result = calloc(1, sizeof *result);
    assert_non_null(result);
    result->document = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(result->document);
    return result;
}

static void free_result(mgl_result *result)
{
    json_decref(result->document);
    free(result);
}

static const char sample[] =
    "{\"a\": {\"b.c\": 1.5, \"\": true, \"x\\\"y\": \"quote\", \"l\": [10, [], {\"k\": null}]},"
    " \"n\": -3, \"whole\": 4.0, \"huge\": 1e300, \"flag\": false, \"text\": \"\", \"[0]\": 7,"
    " \"two words\": 8}";

static void values_are_found_by_their_paths(void **state)
{
    (void)state;
    mgl_result *r = result_of(sample);
    int64_t whole = 99;
    assert_true(mgl_result_number(r, "a.\"b.c\"") == 1.5);
    assert_int_equal(mgl_result_bool(r, "a.\"\""), 1);
    assert_int_equal(mgl_result_bool(r, "flag"), 0);
    assert_string_equal(mgl_result_string(r, "a.\"x\"\"y\""), "quote");
    assert_string_equal(mgl_result_string(r, "a.x\"y"), "quote");
    assert_string_equal(mgl_result_string(r, "text"), "");
    assert_true(mgl_result_number(r, "a.l[0]") == 10);
    assert_int_equal(mgl_result_kind(r, "a.l[2].k"), MGL_KIND_NULL);
    assert_true(mgl_result_number(r, "\"[0]\"") == 7);
    assert_true(mgl_result_number(r, "two words") == 8);
    assert_int_equal(mgl_result_integer(r, "n", &whole), 1);
    assert_int_equal(whole, -3);
    assert_int_equal(mgl_result_integer(r, "whole", &whole), 1);
    assert_int_equal(whole, 4);
    assert_int_equal(mgl_result_size(r, ""), 8);
    assert_int_equal(mgl_result_size(r, "a.l"), 3);
    assert_string_equal(mgl_result_key(r, "", 7), "two words");
    assert_string_equal(mgl_result_key(r, "a", 1), "");
    assert_int_equal(mgl_result_kind(r, NULL), MGL_KIND_OBJECT);
    free_result(r);
}

static void a_value_of_another_kind_is_none(void **state)
{
    (void)state;
    mgl_result *r = result_of(sample);
    int64_t whole = 99;
    assert_true(isnan(mgl_result_number(r, "text")));
    assert_true(isnan(mgl_result_number(r, "flag")));
    assert_int_equal(mgl_result_bool(r, "n"), -1);
    assert_null(mgl_result_string(r, "n"));
    assert_null(mgl_result_string(r, "a"));
    assert_int_equal(mgl_result_integer(r, "a.\"b.c\"", &whole), 0);
    assert_int_equal(mgl_result_integer(r, "huge", &whole), 0);
    assert_int_equal(mgl_result_integer(r, "text", &whole), 0);
    assert_int_equal(whole, 99);
    assert_int_equal(mgl_result_size(r, "text"), 0);
    assert_int_equal(mgl_result_size(r, "nowhere"), 0);
    assert_null(mgl_result_key(r, "a.l", 0));
    assert_null(mgl_result_key(r, "", 8));
    assert_null(mgl_result_key(r, "", SIZE_MAX));
    free_result(r);
}

static void wrong_paths_lead_nowhere(void **state)
{
    static const char *const paths[] = {".",
                                        ".a",
                                        "a.",
                                        "a..l",
                                        "a.l.",
                                        "a.l[",
                                        "a.l[]",
                                        "a.l[0",
                                        "a.l[-1]",
                                        "a.l[+0]",
                                        "a.l[ 0]",
                                        "a.l[0]x",
                                        "a.l[0].",
                                        "a.l[3]",
                                        "a.l[18446744073709551616]",
                                        "a.l[18446744073709551615]",
                                        "a.l[99999999999999999999999]",
                                        "a.l0]",
                                        "a[0]",
                                        "[0]",
                                        "n[0]",
                                        "n.x",
                                        "a.\"l",
                                        "\"a\"l",
                                        "\"a\"\"",
                                        "\"",
                                        "\"\"\"",
                                        "a.\"b.c",
                                        "a.b.c",
                                        "A",
                                        "a ",
                                        " a",
                                        "text.x",
                                        "a.l[0][0]",
                                        "a.l[2]k",
                                        "]",
                                        "[",
                                        "a.\"x\"y\"",
                                        "a.l[0]]"};
    (void)state;
    mgl_result *r = result_of(sample);
    for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++)
        if (mgl_result_kind(r, paths[i]) != MGL_KIND_NONE)
            fail_msg("'%s' leads somewhere", paths[i]);
    free_result(r);
}

static void scalars_and_lists_are_documents_too(void **state)
{
    (void)state;
    mgl_result *list = result_of("[[1,2],[3]]");
    assert_true(mgl_result_number(list, "[1][0]") == 3);
    assert_int_equal(mgl_result_kind(list, "[1][0][0]"), MGL_KIND_NONE);
    free_result(list);
    mgl_result *number = result_of("5");
    assert_true(mgl_result_number(number, "") == 5);
    assert_int_equal(mgl_result_kind(number, "x"), MGL_KIND_NONE);
    free_result(number);
}

/* ---- Random documents ------------------------------------------------------------------------ */

static const char *const keys[] = {"a",   "b.c", "",  "\"",       "x\"\"y",
                                   "[1]", "]",   " ", "\xC3\xA4", "."};
enum { KEYS = sizeof keys / sizeof keys[0] };

static json_t *random_value(brute_random *random, int depth)
{
    int kind = brute_below(random, depth > 3 ? 5 : 8);
    if (kind < 5)
        return kind == 0   ? json_null()
               : kind == 1 ? json_boolean(brute_chance(random, 50))
               : kind == 2 ? json_integer(brute_between(random, -5, 5))
               : kind == 3 ? json_real(brute_between(random, -9, 9) / 4.0)
                           : json_string(keys[brute_below(random, KEYS)]);
    json_t *value = kind == 5 ? json_array() : json_object();
    for (int n = brute_below(random, 5); n > 0; n--)
        if (kind == 5)
            json_array_append_new(value, random_value(random, depth + 1));
        else
            json_object_set_new(value, keys[brute_below(random, KEYS)],
                                random_value(random, depth + 1));
    return value;
}

/* The path as the header describes it, every name in quotes. */
static void append_name(char *path, const char *name)
{
    char *at = path + strlen(path);
    *at = '"';
    for (at++; *name != '\0'; name++) {
        *at++ = *name;
        if (*name == '"')
            *at++ = '"';
    }
    strcpy(at, "\"");
}

static void check_value(const mgl_result *r, const char *path, const json_t *value)
{
    int64_t whole = 0;
    double number = mgl_result_number(r, path);
    assert_true(mgl_result_kind(r, path) != MGL_KIND_NONE);
    assert_int_equal(mgl_result_kind(r, path) == MGL_KIND_NULL, json_is_null(value));
    assert_int_equal(isnan(number), !json_is_number(value));
    assert_true(isnan(number) || number == json_number_value(value));
    if (json_is_integer(value))
        assert_true(mgl_result_integer(r, path, &whole) == 1 && whole == json_integer_value(value));
    assert_int_equal(mgl_result_bool(r, path), json_is_boolean(value) ? json_is_true(value) : -1);
    assert_ptr_equal(mgl_result_string(r, path), json_string_value(value));
    assert_int_equal(mgl_result_size(r, path),
                     json_is_object(value) ? json_object_size(value) : json_array_size(value));
}

static void check_below(const mgl_result *r, char *path, const json_t *value)
{
    size_t end = strlen(path), i = 0;
    const char *key;
    json_t *member;
    check_value(r, path, value);
    json_object_foreach((json_t *)value, key, member)
    {
        assert_string_equal(mgl_result_key(r, path, i++), key);
        strcpy(path + end, end > 0 ? "." : "");
        append_name(path, key);
        check_below(r, path, member);
        path[end] = '\0';
    }
    for (i = 0; i < json_array_size(value); i++) {
        sprintf(path + end, "[%zu]", i);
        check_below(r, path, json_array_get(value, i));
        path[end] = '\0';
    }
}

static void random_documents_agree_with_a_plain_walk(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        brute_random random = {seed};
        char path[512] = "";
        mgl_result result = {.document = random_value(&random, 0)};
        check_below(&result, path, result.document);
        json_decref(result.document);
    }
}

/* The path lies at the end of its memory, so that reading behind it is noticed. */
static void ask_everything(const mgl_result *r, const char *text, size_t size)
{
    char *path = malloc(size + 1);
    int64_t whole;
    assert_non_null(path);
    memcpy(path, text, size);
    path[size] = '\0';
    bool there = mgl_result_kind(r, path) != MGL_KIND_NONE;
    int found = !isnan(mgl_result_number(r, path)) || mgl_result_integer(r, path, &whole) ||
                mgl_result_bool(r, path) >= 0 || mgl_result_string(r, path) != NULL ||
                mgl_result_size(r, path) > 0 || mgl_result_key(r, path, 0) != NULL;
    assert_true(there || !found);
    free(path);
}

static void hostile_paths_harm_nothing(void **state)
{
    static const char signs[] = ".[]\"\"[0]1a.b\xC3 \x01-9";
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        brute_random random = {seed};
        char path[24] = "";
        size_t size = (size_t)brute_below(&random, sizeof path);
        mgl_result result = {.document = random_value(&random, 0)};
        for (size_t i = 0; i < size; i++)
            path[i] = signs[brute_below(&random, sizeof signs - 1)];
        ask_everything(&result, path, size);
        json_decref(result.document);
    }
}

static void very_long_paths_are_read_to_their_end(void **state)
{
    enum { LENGTH = 1 << 20 };
    (void)state;
    mgl_result *r = result_of(sample);
    char *path = malloc(LENGTH + 1);
    assert_non_null(path);
    for (const char *sign = ".[\"a0"; *sign != '\0'; sign++) {
        memset(path, *sign, LENGTH);
        path[LENGTH] = '\0';
        assert_int_equal(mgl_result_kind(r, path), MGL_KIND_NONE);
    }
    free(path);
    free_result(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_found_by_their_paths),
        cmocka_unit_test(a_value_of_another_kind_is_none),
        cmocka_unit_test(wrong_paths_lead_nowhere),
        cmocka_unit_test(scalars_and_lists_are_documents_too),
        cmocka_unit_test(random_documents_agree_with_a_plain_walk),
        cmocka_unit_test(hostile_paths_harm_nothing),
        cmocka_unit_test(very_long_paths_are_read_to_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
