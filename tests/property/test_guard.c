/* The leak guard: columns that were made to give back a generalized one are found, among columns
 * that have nothing to do with it, which are not. The tables follow from fixed seeds, so that the
 * outcome is the same each time; MGL_TEST_LONG=1 makes ten times as many. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"
#include "brute_files.h"
#include "mingle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t trials(size_t n)
{
    return getenv("MGL_TEST_LONG") != NULL ? 10 * n : n;
}

static uint32_t below(mgl_random *random, uint32_t n)
{
    return mgl_random_below_32(random, n);
}

/* ---- Columns ------------------------------------------------------------------------------ */

/* grade: A1 to C5, released as A*, B* or C*. */
enum { LETTERS = 3, DIGITS = 5, GRADES = LETTERS * DIGITS, CELL = 64 };

typedef void column_fn(mgl_random *random, uint32_t grade, char cell[CELL]);

static void write_grade(uint32_t grade, char cell[CELL])
{
    snprintf(cell, CELL, "%c%u", (char)('A' + grade / DIGITS), (unsigned)(grade % DIGITS + 1));
}

/* Leaks: what a row says of its grade. */
static void bijection(mgl_random *random, uint32_t grade, char cell[CELL])
{
    (void)random;
    snprintf(cell, CELL, "town%u", (unsigned)(7 * grade % GRADES));
}

static void many_to_one(mgl_random *random, uint32_t grade, char cell[CELL])
{
    snprintf(cell, CELL, "street%u", (unsigned)(3 * grade + below(random, 3)));
}

static void noisy_copy(mgl_random *random, uint32_t grade, char cell[CELL])
{
    write_grade(below(random, 10) == 0 ? below(random, GRADES) : grade, cell);
}

static void monotone_number(mgl_random *random, uint32_t grade, char cell[CELL])
{
    snprintf(cell, CELL, "%u", (unsigned)(365 * grade + below(random, 365)));
}

static void code_prefix(mgl_random *random, uint32_t grade, char cell[CELL])
{
    snprintf(cell, CELL, "%c%u-%05u", (char)('k' + grade / DIGITS), (unsigned)(grade % DIGITS),
             (unsigned)below(random, 100000));
}

static void repeating_text(mgl_random *random, uint32_t grade, char cell[CELL])
{
    char own[CELL];
    write_grade(grade, own);
    snprintf(cell, CELL, "seen as %.8s by nurse %u", own, (unsigned)below(random, 5000));
}

/* What the other rows of these columns have: nothing that tells of a grade. */
static void nothing(mgl_random *random, uint32_t grade, char cell[CELL])
{
    (void)random;
    (void)grade;
    snprintf(cell, CELL, "none");
}

/* Columns that have nothing to do with the grade. */
static void few_values(mgl_random *random, uint32_t grade, char cell[CELL])
{
    (void)grade;
    snprintf(cell, CELL, "v%u", (unsigned)below(random, 2 + below(random, 12)));
}

static void many_values(mgl_random *random, uint32_t grade, char cell[CELL])
{
    (void)grade;
    snprintf(cell, CELL, "w%u", (unsigned)below(random, 90));
}

static void one_value(mgl_random *random, uint32_t grade, char cell[CELL])
{
    (void)grade;
    snprintf(cell, CELL, "%s", below(random, 100) < 97 ? "no" : "yes");
}

static void amount(mgl_random *random, uint32_t grade, char cell[CELL])
{
    (void)grade;
    snprintf(cell, CELL, "%u.%02u", (unsigned)below(random, 100000), (unsigned)below(random, 100));
}

static void chatter(mgl_random *random, uint32_t grade, char cell[CELL])
{
    char some[CELL];
    (void)grade;
    write_grade(below(random, GRADES), some);
    snprintf(cell, CELL, "compared with %.8s, room %u", some, (unsigned)below(random, 5000));
}

typedef struct column {
    const char *name;
    column_fn *write;
    bool leaks;
} column;

static const column columns[] = {
    {"bijection", bijection, true},    {"many_to_one", many_to_one, true},
    {"noisy_copy", noisy_copy, true},  {"monotone", monotone_number, true},
    {"prefix", code_prefix, true},     {"text", repeating_text, true},
    {"few_values", few_values, false}, {"many_values", many_values, false},
    {"one_value", one_value, false},   {"amount", amount, false},
    {"chatter", chatter, false},
};
enum { COLUMNS = sizeof columns / sizeof columns[0] };

/* ---- Tables ------------------------------------------------------------------------------- */

/* How often grades occur: evenly, or one of each letter in most rows. */
static uint32_t draw_grade(mgl_random *random, bool skewed)
{
    uint32_t letter = below(random, LETTERS);
    uint32_t digit = skewed && below(random, 10) < 8 ? 0 : below(random, DIGITS);
    return letter * DIGITS + digit;
}

/* In six of ten rows a column that leaks does so. */
static void write_table(mgl_random *random, uint32_t n_rows, bool leaks, bool skewed)
{
    FILE *file = fopen("table.csv", "w");
    assert_non_null(file);
    fprintf(file, "grade");
    for (size_t c = 0; c < COLUMNS; c++)
        fprintf(file, ",%s", columns[c].name);
    fprintf(file, "\n");
    for (uint32_t row = 0; row < n_rows; row++) {
        char cell[CELL];
        uint32_t grade = draw_grade(random, skewed);
        bool tells = below(random, 10) < 6;
        write_grade(grade, cell);
        fprintf(file, "%s", cell);
        for (size_t c = 0; c < COLUMNS; c++) {
            uint32_t about = leaks ? grade : below(random, GRADES);
            column_fn *write = columns[c].leaks && leaks && !tells ? nothing : columns[c].write;
            write(random, about, cell);
            fprintf(file, ",\"%s\"", cell);
        }
        fprintf(file, "\n");
    }
    assert_int_equal(fclose(file), 0);
}

static char *release(void)
{
    mgl_job *job;
    mgl_error err;
    mgl_result *result;
    char *text;
    static const char *const keys[][2] = {
        {"data", "table.csv"},   {"qi", "grade"},           {"hierarchy", "grade=mask(right,1)"},
        {"level", "grade=1..1"}, {"rest", "insensitive"},   {"k", "5"},
        {"method", "mingen"},    {"output", "release.csv"}, {"allow-leaks", "true"},
        {"suppress", "10%"},     {"threads", "1"},          {"keep-order", "true"}};
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (mgl_job_add(job, keys[i][0], keys[i][1], &err) != MGL_OK)
            fail_msg("%s", err.message);
    if (mgl_job_run(job, "anonymize", &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    assert_int_equal(mgl_result_json(result, &err, &text), MGL_OK);
    mgl_result_free(result);
    mgl_job_free(job);
    return text;
}

/* Does the guard say that the column gives the grade back? By the place of its name and its codes
 * in the result. */
static bool is_found(const char *json, const char *name)
{
    char key[CELL];
    snprintf(key, sizeof key, "\"column\": \"%s\"", name);
    const char *guard = strstr(json, "\"guard\"");
    assert_non_null(guard);
    const char *at = strstr(guard, key);
    assert_non_null(at);
    const char *end = strchr(at, ']');
    assert_non_null(end);
    const char *recovers = strstr(at, "recovers-column"),
               *repeats = strstr(at, "text-repeats-column");
    return (recovers != NULL && recovers < end) || (repeats != NULL && repeats < end);
}

/* ---- What must hold ------------------------------------------------------------------------ */

static void columns_that_give_back_others_are_found(void **state)
{
    (void)state;
    size_t n = trials(100), found[COLUMNS] = {0}, chatter_found = 0;
    for (size_t trial = 0; trial < n; trial++) {
        mgl_random random;
        mgl_random_seed(&random, 1000 + trial);
        /* about 350 to 850 generalized cells, of which six in ten are given back */
        write_table(&random, 350 + below(&random, 500), true, false);
        char *json = release();
        for (size_t c = 0; c < COLUMNS; c++)
            found[c] += is_found(json, columns[c].name);
        mgl_text_free(json);
    }
    for (size_t c = 0; c < COLUMNS; c++) {
        if (columns[c].leaks && 100 * found[c] < 99 * n)
            fail_msg("%s was found in %zu of %zu releases", columns[c].name, found[c], n);
        chatter_found += columns[c].leaks ? 0 : found[c];
    }
    assert_true(100 * chatter_found <= n);
}

static void independent_columns_raise_no_alarm(void **state)
{
    (void)state;
    size_t n = trials(200), alarms = 0;
    for (size_t trial = 0; trial < n; trial++) {
        mgl_random random;
        mgl_random_seed(&random, 500000 + trial);
        write_table(&random, 100 + below(&random, 1000), false, trial % 2 == 1);
        char *json = release();
        bool alarm = false;
        for (size_t c = 0; c < COLUMNS; c++)
            alarm = alarm || is_found(json, columns[c].name);
        alarms += alarm;
        mgl_text_free(json);
    }
    if (100 * alarms > n)
        fail_msg("%zu of %zu releases have a false alarm", alarms, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_that_give_back_others_are_found),
        cmocka_unit_test(independent_columns_raise_no_alarm),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
