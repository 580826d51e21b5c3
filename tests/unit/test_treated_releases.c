/* verify: what is promised about treated columns is held against the file that was written. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "verify/verify.h"

#include <stdio.h>

static const char *const names[] = {"sex", "in", "out"};
static const size_t quasi[] = {0};

/* A column as a source reads it. */
static mgl_column column_of(const char *const *cells, size_t n)
{
    mgl_column column = {.dictionary = mgl_dictionary_new(), .width = 4};
    assert_true(mgl_column_reserve(&column, 0, n));
    for (size_t row = 0; row < n; row++)
        mgl_column_set(&column, row,
                       cells[row][0] == '\0'
                           ? mgl_dictionary_add_missing(column.dictionary, mgl_span_of(""))
                           : mgl_dictionary_add(column.dictionary, mgl_span_of(cells[row])));
    return column;
}

typedef struct table {
    const char *said[2]; /* treatments of the columns in and out */
    const char *in[4], *out[4], *id[4];
    const char *persons[4]; /* of the released rows */
    size_t n, n_released;
    uint64_t values; /* that were written in each column; 0: not told */
} table;

static mgl_status verify(const table *t, const char *release)
{
    mgl_column raw[2] = {column_of(t->in, t->n), column_of(t->out, t->n)};
    mgl_column ids = column_of(t->id, t->n);
    mgl_promised_treat treated[2];
    mgl_treat *treat[2];
    uint32_t persons[4];
    const mgl_span missing[] = {mgl_span_of("")}, tops[] = {mgl_span_of("*")};
    mgl_error err = {0};
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(mgl_treat_new(t->said[i], &err, &treat[i]), MGL_OK);
        treated[i] = (mgl_promised_treat){.column = i + 1,
                                          .treat = treat[i],
                                          .notation = mgl_dictionary_notation(raw[i].dictionary),
                                          .raw = &raw[i],
                                          .persons = &ids,
                                          .n_rows = t->n,
                                          .most_values = t->values > 0 ? t->values : UINT64_MAX,
                                          .all_values = t->values > 0};
    }
    for (size_t row = 0; row < t->n_released; row++)
        persons[row] = mgl_dictionary_find(ids.dictionary, mgl_span_of(t->persons[row]));
    mgl_promise promise = {.names = names,
                           .n_names = 3,
                           .n_rows = t->n_released,
                           .top_columns = quasi,
                           .tops = tops,
                           .n_tops = 1,
                           .further = &(mgl_further_promise){&mgl_treat_judge, treated, 2},
                           .n_further = 1,
                           .persons.of_row = persons,
                           .source = {.delimiter = ',', .missing = missing, .n_missing = 1}};
    brute_write_text("staged.csv", release);
    mgl_status status = mgl_verify("staged.csv", &promise, NULL, NULL, &err, NULL, NULL);
    for (size_t i = 0; i < 2; i++) {
        mgl_column_clear(&raw[i]);
        mgl_treat_free(treat[i]);
    }
    mgl_column_clear(&ids);
    return status;
}

/* ---- Values ------------------------------------------------------------------------------------
 */

static void values_that_a_treatment_does_not_make_are_refused(void **state)
{
    static const char *const tampered[] = {
        "sex,in,out\nf,10,85\nf,21,90\n",   /* no multiple */
        "sex,in,out\nf,10,85\nf,20,91\n",   /* above the bound */
        "sex,in,out\nf,10,85\nf,20,none\n", /* no number */
        "sex,in,out\nf,10,85\nf,10,90\n",   /* a value is gone */
        "sex,in,out\nf,10,85\nf,20.5,90\n",
    };
    table t = {.said = {"round(10)", "top(90)"},
               .in = {"12", "18"},
               .out = {"85", "97"},
               .id = {"a", "b"},
               .persons = {"a", "b"},
               .n = 2,
               .n_released = 2,
               .values = 2};
    (void)state;
    assert_int_equal(verify(&t, "sex,in,out\nf,10,85\nf,20,90\n"), MGL_OK);
    for (size_t i = 0; i < sizeof tampered / sizeof tampered[0]; i++)
        assert_int_equal(verify(&t, tampered[i]), MGL_SYSTEM);
}

static void pseudonyms_that_are_values_of_the_table_are_refused(void **state)
{
    table t = {.said = {"pseudonym(hex,4)", "constant(x)"},
               .in = {"beef", "cafe"},
               .out = {"1", ""},
               .id = {"a", "b"},
               .persons = {"a", "b"},
               .n = 2,
               .n_released = 2};
    (void)state;
    assert_int_equal(verify(&t, "sex,in,out\nf,0123,x\nf,4567,\n"), MGL_OK);
    assert_int_equal(verify(&t, "sex,in,out\nf,0123,x\nf,beef,\n"), MGL_SYSTEM);
    assert_int_equal(verify(&t, "sex,in,out\nf,0123,x\nf,45678,\n"), MGL_SYSTEM);
    assert_int_equal(verify(&t, "sex,in,out\nf,0123,x\nf,ABCD,\n"), MGL_SYSTEM);
    assert_int_equal(verify(&t, "sex,in,out\nf,0123,y\nf,4567,\n"), MGL_SYSTEM);
}

/* ---- Dates of persons --------------------------------------------------------------------------
 */

static const table visits = {.said = {"shift(dmy; 9)", "shift(ymd; 9)"},
                             .in = {"01.05.2020", "11.05.2020", "03.05.2020", ""},
                             .out = {"2020-05-02", "2020-05-20", "2020-05-03", "2020-06-01"},
                             .id = {"a", "a", "b", "b"},
                             .persons = {"b", "a", "b", "a"},
                             .n = 4,
                             .n_released = 4};

static void dates_of_a_person_that_move_together_pass(void **state)
{
    (void)state;
    assert_int_equal(verify(&visits, "sex,in,out\nf,2020-05-02,2020-05-02\n"
                                     "f,2020-05-04,2020-05-05\n"
                                     "f,,2020-05-31\n"
                                     "f,2020-05-14,2020-05-23\n"),
                     MGL_OK);
    table fewer = visits;
    fewer.n_released = 2;
    assert_int_equal(
        verify(&fewer, "sex,in,out\nf,2020-05-02,2020-05-02\nf,2020-05-14,2020-05-23\n"), MGL_OK);
}

static void dates_that_do_not_move_together_are_refused(void **state)
{
    static const char *const tampered[] = {
        /* one interval is another */
        "sex,in,out\nf,2020-05-02,2020-05-02\nf,2020-05-05,2020-05-05\n"
        "f,,2020-05-31\nf,2020-05-14,2020-05-23\n",
        /* the columns move by different numbers */
        "sex,in,out\nf,2020-05-02,2020-05-02\nf,2020-05-04,2020-05-06\n"
        "f,,2020-05-31\nf,2020-05-14,2020-05-24\n",
        /* a person stays */
        "sex,in,out\nf,2020-05-03,2020-05-03\nf,2020-05-04,2020-05-05\n"
        "f,,2020-06-01\nf,2020-05-14,2020-05-23\n",
        /* a person moves too far */
        "sex,in,out\nf,2020-05-13,2020-05-13\nf,2020-05-04,2020-05-05\n"
        "f,,2020-06-11\nf,2020-05-14,2020-05-23\n",
        /* no day */
        "sex,in,out\nf,2020-05,2020-05-02\nf,2020-05-04,2020-05-05\n"
        "f,,2020-05-31\nf,2020-05-14,2020-05-23\n",
    };
    (void)state;
    for (size_t i = 0; i < sizeof tampered / sizeof tampered[0]; i++)
        if (verify(&visits, tampered[i]) != MGL_SYSTEM)
            fail_msg("release %zu passes", i);
}

/* ---- Made and judged ---------------------------------------------------------------------------
 */

static void what_a_treatment_makes_it_allows(void **state)
{
    static const char *const said[] = {
        "round(0.25)",
        "round(7)",
        "top(10)",
        "bottom(-3.5)",
        "bottom(-5),top(5)",
        "quantiles(3)",
        "mask",
        "mask(left,2)",
        "lower",
        "upper",
        "trim",
        "constant(c)",
        "trim,lower,pseudonym",
        "pseudonym(digits,9)",
    };
    mgl_error err = {0};
    (void)state;
    for (size_t i = 0; i < sizeof said / sizeof said[0]; i++) {
        const char *texts[40];
        char room[40][16];
        for (int v = 0; v < 40; v++) {
            snprintf(room[v], sizeof room[v], v % 3 ? "%d" : "%d.%d", v * 7 % 41 - 20, v % 10);
            texts[v] = room[v];
        }
        mgl_column column = column_of(texts, 40), made;
        mgl_treat *treat;
        mgl_buffer resolved = {0};
        column.name = (char *)"x";
        mgl_treat_request request = {
            .column = &column, .n_rows = 40, .key = mgl_span_of("a key of some more bytes")};
        assert_int_equal(mgl_treat_new(said[i], &err, &treat), MGL_OK);
        assert_int_equal(mgl_treat_column(treat, &request, &resolved, &err, &made), MGL_OK);
        for (uint32_t code = 0; code < mgl_dictionary_size(made.dictionary); code++)
            assert_null(mgl_treat_broken(treat, mgl_dictionary_notation(made.dictionary),
                                         mgl_dictionary_value(made.dictionary, code)));
        mgl_treat_free(treat);
        mgl_buffer_append(&resolved, "", 1);
        assert_int_equal(mgl_treat_new(resolved.data, &err, &treat), MGL_OK);
        for (uint32_t code = 0; code < mgl_dictionary_size(made.dictionary); code++)
            assert_null(mgl_treat_broken(treat, mgl_dictionary_notation(made.dictionary),
                                         mgl_dictionary_value(made.dictionary, code)));
        mgl_treat_free(treat);
        mgl_buffer_free(&resolved);
        mgl_column_clear(&made);
        column.name = NULL;
        mgl_column_clear(&column);
    }
}

/* By Python's hmac: HMAC-SHA-256(key, "pseudonym:81-4711"). */
static void pseudonyms_are_those_of_a_known_vector(void **state)
{
    const char *texts[] = {"81-4711"};
    mgl_column column = column_of(texts, 1), made;
    mgl_treat *treat;
    mgl_buffer resolved = {0};
    mgl_error err = {0};
    mgl_treat_request request = {
        .column = &column, .n_rows = 1, .key = mgl_span_of("a key of more than sixteen bytes")};
    (void)state;
    column.name = (char *)"x";
    assert_int_equal(mgl_treat_new("pseudonym(hex,64)", &err, &treat), MGL_OK);
    assert_int_equal(mgl_treat_column(treat, &request, &resolved, &err, &made), MGL_OK);
    assert_true(mgl_span_is(mgl_dictionary_value(made.dictionary, 0),
                            "089ae01194e56ee7060b8a7f84dbc934cc4e14969cddf93598d8302a6ddbef1a"));
    mgl_treat_free(treat);
    mgl_buffer_free(&resolved);
    mgl_column_clear(&made);
    column.name = NULL;
    mgl_column_clear(&column);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_that_a_treatment_does_not_make_are_refused),
        cmocka_unit_test(pseudonyms_that_are_values_of_the_table_are_refused),
        cmocka_unit_test(dates_of_a_person_that_move_together_pass),
        cmocka_unit_test(dates_that_do_not_move_together_are_refused),
        cmocka_unit_test(what_a_treatment_makes_it_allows),
        cmocka_unit_test(pseudonyms_are_those_of_a_known_vector),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
