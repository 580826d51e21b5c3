/* verify: releases that were tampered with must not pass. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Two quasi-identifiers: {age, zip} and {zip}; classes of 3, 3 and 2 suppressed rows. */
static const char good[] = "age,zip,disease\n"
                           "20-29,0213*,flu\n"
                           "20-29,0213*,cough\n"
                           "20-29,0213*,flu\n"
                           "30-39,0214*,flu\n"
                           "30-39,0214*,flu\n"
                           "30-39,0214*,\"a, b\"\n"
                           "*,*,flu\n"
                           "*,*,cough\n";

static const char *const names[] = {"age", "zip", "disease"};
static const size_t quasi[] = {0, 1}, zip_only[] = {1};

typedef struct outcome {
    mgl_status status;
    mgl_found found[2];
} outcome;

typedef struct request {
    double k, zip_k;
    bool exempt;
    uint64_t n_rows;
    const char *top;
} request;

static outcome verify(const char *text, request w)
{
    mgl_model models[2] = {{.type = mgl_model_type_find("k-anonymity")},
                           {.type = mgl_model_type_find("k-anonymity")}};
    models[0].parameters[0] = w.k;
    models[1].parameters[0] = w.zip_k > 0 ? w.zip_k : w.k;
    const mgl_promised_set sets[] = {{quasi, 2, &models[0], 1, NULL},
                                     {zip_only, 1, &models[1], 1, NULL}};
    mgl_span top = mgl_span_of(w.top != NULL ? w.top : "*"), tops[] = {top, top};
    const mgl_span missing[] = {mgl_span_of(""), mgl_span_of("NA")};
    mgl_promise promise = {
        .names = names,
        .n_names = 3,
        .n_rows = w.n_rows > 0 ? w.n_rows : 8,
        .sets = sets,
        .n_sets = 2,
        .exempt_top = w.exempt,
        .top_columns = quasi,
        .tops = tops,
        .n_tops = 2,
        .source = {.delimiter = ',', .missing = missing, .n_missing = 2},
    };
    outcome out = {0};
    mgl_error err = {0};
    brute_write_text("staged.csv", text);
    out.status = mgl_verify("staged.csv", &promise, NULL, NULL, &err, out.found, NULL);
    if (out.status != MGL_OK)
        assert_true(err.message[0] != '\0');
    return out;
}

static bool passes(outcome o)
{
    return o.status == MGL_OK && o.found[0].holds && o.found[1].holds;
}

/* The good text with the first occurrence of one piece replaced by another. */
static char *changed(const char *from, const char *to)
{
    brute_text text = {0};
    const char *at = strstr(good, from);
    assert_non_null(at);
    brute_append(&text, good, (size_t)(at - good));
    brute_append_text(&text, to);
    brute_append_text(&text, at + strlen(from));
    return text.data;
}

static void expect_refused(const char *what, char *text, request w)
{
    if (passes(verify(text, w)))
        fail_msg("%s passes", what);
    free(text);
}

static void releases_that_keep_their_promise_pass(void **state)
{
    (void)state;
    outcome o = verify(good, (request){.k = 2});
    assert_true(passes(o));
    assert_int_equal(o.found[0].measured, 2);
    o = verify(good, (request){.k = 3, .exempt = true});
    assert_true(passes(o));
    assert_int_equal(o.found[0].measured, 3);
    assert_int_equal(o.found[1].measured, 3);
}

static void classes_below_k_are_found(void **state)
{
    (void)state;
    outcome o = verify(good, (request){.k = 3}); /* the suppressed rows are a class, too */
    assert_int_equal(o.status, MGL_OK);
    assert_false(o.found[0].holds);
    assert_int_equal(o.found[0].violating_rows, 2);
    assert_int_equal(o.found[0].violating_classes, 1);
    assert_int_equal(o.found[0].measured, 2);
    request w = {.k = 3, .exempt = true};
    expect_refused("another age", changed("20-29,0213*,cough", "30-39,0213*,cough"), w);
    expect_refused("another zip", changed("30-39,0214*,flu", "30-39,0213*,flu"), w);
    expect_refused("a ground value", changed("20-29", "24"), w);
    expect_refused("a space", changed("20-29", "20-29 "), w);
    expect_refused("an empty cell", changed("30-39", ""), w);
    expect_refused("a token for missing", changed("30-39", "NA"), w);
    expect_refused("half suppressed", changed("*,*,flu", "*,0213*,flu"), w);
    expect_refused("half suppressed", changed("*,*,flu", "20-29,*,flu"), w);
    expect_refused("suppressed behind its back", changed("20-29,0213*,flu", "*,*,flu"), w);
    /* Two tokens for missing are two texts in a release. */
    const char *tokens = "age,zip,disease\n,z,x\nNA,z,x\nNA,z,x\n";
    assert_false(passes(verify(tokens, (request){.k = 2, .n_rows = 3})));
    /* Only the second quasi-identifier breaks: zip alone. */
    o = verify(good, (request){.k = 2, .zip_k = 4});
    assert_true(o.found[0].holds);
    assert_false(o.found[1].holds);
    assert_int_equal(o.found[1].violating_rows, 8);
    /* Rows at a top with another name are no suppressed rows. */
    assert_false(passes(verify(good, (request){.k = 3, .exempt = true, .top = "all"})));
}

static void a_release_with_other_rows_or_columns_is_refused(void **state)
{
    (void)state;
    request w = {.k = 2};
    static const struct {
        const char *what, *from, *to;
    } changes[] = {
        {"a row less", "20-29,0213*,flu\n", ""},
        {"a row more", "*,*,cough\n", "*,*,cough\n*,*,cough\n"},
        {"a column renamed", "age,", "Age,"},
        {"columns swapped", "age,zip", "zip,age"},
        {"a header less", "age,zip,disease\n", ""},
        {"a ragged line", "*,*,cough", "*,*"},
        {"an open quote", "*,*,cough", "*,*,\"cough"},
        {"another delimiter", "age,zip,disease", "age;zip;disease"},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char *text = changed(changes[i].from, changes[i].to);
        outcome o = verify(text, w);
        if (o.status == MGL_OK)
            fail_msg("%s passes", changes[i].what);
        free(text);
    }
    assert_true(
        verify("age,zip\n20-29,0213*\n20-29,0213*\n", (request){.k = 2, .n_rows = 2}).status !=
        MGL_OK); /* a column is missing */
    assert_true(
        verify("age,zip,disease,ssn\na,b,c,1\na,b,c,2\n", (request){.k = 2, .n_rows = 2}).status !=
        MGL_OK); /* one too many */
    assert_true(verify("", w).status != MGL_OK);
    outcome o = verify(good, (request){.k = 2, .n_rows = 9});
    assert_int_equal(o.status, MGL_SYSTEM);
}

static void a_missing_file_is_refused(void **state)
{
    (void)state;
    mgl_promise promise = {.names = names, .n_names = 3, .n_rows = 8};
    mgl_error err = {0};
    assert_true(mgl_verify("nowhere.csv", &promise, NULL, NULL, &err, NULL, NULL) != MGL_OK);
    assert_true(mgl_verify("nowhere.csv", &promise, NULL, NULL, NULL, NULL, NULL) != MGL_OK);
}

/* ---- Where a cell at the top matches every value, and on combinations of columns ------------ */

enum { MATCH_COLUMNS = 4, MATCH_ROWS = 24, MATCH_TEXT = 2048 };

/* A small table of digits, 0 being the top. */
typedef struct digits {
    int n, cell[MATCH_ROWS][MATCH_COLUMNS];
    uint32_t person[MATCH_ROWS];
    bool exempt, persons;
    bool tops_match;
    size_t combination;
    int k;
} digits;

static mgl_found verify_digits(const digits *d)
{
    static const char *const columns[] = {"a", "b", "c", "d"};
    static const size_t all[] = {0, 1, 2, 3};
    char text[MATCH_TEXT] = "a,b,c,d\n", *at = text + strlen(text);
    for (int r = 0; r < d->n; r++)
        for (int a = 0; a < MATCH_COLUMNS; a++)
            at += sprintf(at, "%c%c", d->cell[r][a] == 0 ? '*' : '0' + d->cell[r][a],
                          a + 1 < MATCH_COLUMNS ? ',' : '\n');
    mgl_model model = {.type = mgl_model_type_find("k-anonymity"), .parameters = {d->k}};
    mgl_promised_set set = {all, MATCH_COLUMNS, &model, 1, NULL};
    mgl_span top = mgl_span_of("*"), tops[] = {top, top, top, top};
    mgl_promise promise = {.names = columns,
                           .n_names = MATCH_COLUMNS,
                           .n_rows = (uint64_t)d->n,
                           .sets = &set,
                           .n_sets = 1,
                           .combination = d->combination,
                           .tops_match = d->tops_match,
                           .exempt_top = d->exempt,
                           .top_columns = all,
                           .tops = tops,
                           .n_tops = MATCH_COLUMNS,
                           .persons.of_row = d->persons ? d->person : NULL,
                           .source = {.delimiter = ','}};
    mgl_found found;
    mgl_error err = {0};
    brute_write_text("staged.csv", text);
    if (mgl_verify("staged.csv", &promise, NULL, NULL, &err, &found, NULL) != MGL_OK)
        fail_msg("%s", err.message);
    return found;
}

static bool is_top(const digits *d, int r)
{
    bool top = true;
    for (int a = 0; a < MATCH_COLUMNS; a++)
        top = top && d->cell[r][a] == 0;
    return top;
}

/* Rows at the top are exempt, but not if there are no others. */
static bool is_left_out(const digits *d, int r)
{
    bool others = false;
    for (int s = 0; s < d->n; s++)
        others = others || !is_top(d, s);
    return d->exempt && others && is_top(d, r);
}

static bool alike(const digits *d, int r, int s, int columns, bool tops_match)
{
    for (int a = 0; a < MATCH_COLUMNS; a++)
        if (columns >> a & 1 && d->cell[r][a] != d->cell[s][a] &&
            !(tops_match && (d->cell[r][a] == 0 || d->cell[s][a] == 0)))
            return false;
    return true;
}

/* Rows or persons that match a row, or are equal to it. */
static int count_alike(const digits *d, int r, int columns)
{
    int n = 0;
    for (int s = 0; s < d->n; s++) {
        bool seen = is_left_out(d, s) || !alike(d, r, s, columns, d->tops_match);
        for (int q = 0; d->persons && q < s; q++)
            seen = seen || (d->person[q] == d->person[s] && !is_left_out(d, q) &&
                            alike(d, r, q, columns, d->tops_match));
        n += !seen;
    }
    return n;
}

/* On one set of columns: the fewest, and in how many rows and distinct tuples they are too few. */
static mgl_found judge_digits(const digits *d, int columns)
{
    mgl_found found = MGL_FOUND_NOTHING;
    for (int r = 0; r < d->n; r++) {
        if (is_left_out(d, r))
            continue;
        int n = count_alike(d, r, columns);
        bool first = true;
        for (int s = 0; s < r; s++)
            first = first && (is_left_out(d, s) || !alike(d, r, s, columns, false));
        if (!(found.measured <= n))
            found.measured = n;
        found.holds = found.holds && n >= d->k;
        found.violating_rows += n < d->k;
        found.violating_classes += first && n < d->k;
    }
    return found;
}

static void compare_digits(const digits *d)
{
    mgl_found got = verify_digits(d), wanted = MGL_FOUND_NOTHING;
    for (int columns = 1; columns < 1 << MATCH_COLUMNS; columns++) {
        size_t size = (size_t)__builtin_popcount((unsigned)columns);
        if (size != (d->combination > 0 ? d->combination : MATCH_COLUMNS))
            continue;
        mgl_found one = judge_digits(d, columns);
        wanted.holds = wanted.holds && one.holds;
        if (!(wanted.measured <= one.measured))
            wanted.measured = one.measured;
        if (one.violating_rows > wanted.violating_rows)
            wanted.violating_rows = one.violating_rows;
        wanted.violating_classes += one.violating_classes;
    }
    assert_int_equal(got.holds, wanted.holds);
    assert_true(got.measured == wanted.measured ||
                (got.measured != got.measured && wanted.measured != wanted.measured));
    assert_int_equal(got.violating_rows, wanted.violating_rows);
    assert_int_equal(got.violating_classes, wanted.violating_classes);
}

static void matching_rows_are_counted(void **state)
{
    (void)state;
    /* 1,1 matches itself and 1,*; 2,2 matches only itself; 1,* matches 1,1 and itself. */
    digits d = {
        .n = 3, .cell = {{1, 1, 1, 1}, {1, 0, 1, 1}, {2, 2, 2, 2}}, .tops_match = true, .k = 2};
    mgl_found found = verify_digits(&d);
    assert_false(found.holds);
    assert_int_equal(found.measured, 1);
    assert_int_equal(found.violating_rows, 1);
    d.n = 2;
    found = verify_digits(&d);
    assert_true(found.holds);
    assert_int_equal(found.measured, 2);
    d.tops_match = false;
    assert_false(verify_digits(&d).holds);
    d.combination = 1;
    assert_false(verify_digits(&d).holds); /* 1 and * in the second column */
    d.tops_match = true;
    assert_true(verify_digits(&d).holds);
}

/* Against counting row by row. */
static void random_tables_with_suppressed_cells(void **state)
{
    (void)state;
    brute_random random = {5};
    for (int i = 0; i < brute_cases(300); i++) {
        digits d = {.n = brute_between(&random, 1, MATCH_ROWS),
                    .tops_match = brute_chance(&random, 70),
                    .exempt = brute_chance(&random, 50),
                    .persons = brute_chance(&random, 30),
                    .k = brute_between(&random, 1, 4)};
        int values = brute_between(&random, 1, 3), tops = brute_below(&random, 60);
        d.combination = brute_chance(&random, 40) ? (size_t)brute_between(&random, 1, 4) : 0;
        for (int r = 0; r < d.n; r++) {
            d.person[r] = (uint32_t)brute_below(&random, d.n);
            bool whole = brute_chance(&random, 10);
            for (int a = 0; a < MATCH_COLUMNS; a++)
                d.cell[r][a] =
                    whole || brute_chance(&random, tops) ? 0 : brute_between(&random, 1, values);
        }
        compare_digits(&d);
    }
}

static void table_level_models_are_refused_where_tops_match(void **state)
{
    (void)state;
    mgl_model model = {.type = mgl_model_type_find("mean-risk"), .parameters = {0.5}};
    mgl_promised_set set = {quasi, 2, &model, 1, NULL};
    mgl_span tops[] = {mgl_span_of("*"), mgl_span_of("*")};
    mgl_promise promise = {.names = names,
                           .n_names = 3,
                           .n_rows = 8,
                           .sets = &set,
                           .n_sets = 1,
                           .tops_match = true,
                           .top_columns = quasi,
                           .tops = tops,
                           .n_tops = 2,
                           .source = {.delimiter = ','}};
    mgl_found found;
    mgl_error err = {0};
    brute_write_text("staged.csv", good);
    assert_int_equal(mgl_verify("staged.csv", &promise, NULL, NULL, &err, &found, NULL), MGL_USAGE);
    assert_non_null(strstr(err.message, "mean-risk"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(releases_that_keep_their_promise_pass),
        cmocka_unit_test(classes_below_k_are_found),
        cmocka_unit_test(a_release_with_other_rows_or_columns_is_refused),
        cmocka_unit_test(a_missing_file_is_refused),
        cmocka_unit_test(matching_rows_are_counted),
        cmocka_unit_test(random_tables_with_suppressed_cells),
        cmocka_unit_test(table_level_models_are_refused_where_tops_match),
    };
    return cmocka_run_group_tests_name("verify", tests, brute_enter_folder, brute_leave_folder);
}
