/* verify: releases that were tampered with must not pass. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "verify/verify.h"

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

typedef struct wish {
    double k, zip_k;
    bool exempt;
    uint64_t n_rows;
    const char *top;
} wish;

static outcome verify(const char *text, wish w)
{
    mgl_model models[2] = {{.type = mgl_model_type_find("k-anonymity")},
                           {.type = mgl_model_type_find("k-anonymity")}};
    models[0].parameters[0] = w.k;
    models[1].parameters[0] = w.zip_k > 0 ? w.zip_k : w.k;
    const mgl_promised_set sets[] = {{quasi, 2, &models[0], 1}, {zip_only, 1, &models[1], 1}};
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
    out.status = mgl_verify("staged.csv", &promise, NULL, NULL, &err, out.found);
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

static void expect_refused(const char *what, char *text, wish w)
{
    if (passes(verify(text, w)))
        fail_msg("%s passes", what);
    free(text);
}

static void what_is_right_passes(void **state)
{
    (void)state;
    outcome o = verify(good, (wish){.k = 2});
    assert_true(passes(o));
    assert_int_equal(o.found[0].measured, 2);
    o = verify(good, (wish){.k = 3, .exempt = true});
    assert_true(passes(o));
    assert_int_equal(o.found[0].measured, 3);
    assert_int_equal(o.found[1].measured, 3);
}

static void small_classes_are_found(void **state)
{
    (void)state;
    outcome o = verify(good, (wish){.k = 3}); /* the suppressed rows are a class, too */
    assert_int_equal(o.status, MGL_OK);
    assert_false(o.found[0].holds);
    assert_int_equal(o.found[0].violating_rows, 2);
    assert_int_equal(o.found[0].violating_classes, 1);
    assert_int_equal(o.found[0].measured, 2);
    wish w = {.k = 3, .exempt = true};
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
    assert_false(passes(verify(tokens, (wish){.k = 2, .n_rows = 3})));
    /* Only the second quasi-identifier breaks: zip alone. */
    o = verify(good, (wish){.k = 2, .zip_k = 4});
    assert_true(o.found[0].holds);
    assert_false(o.found[1].holds);
    assert_int_equal(o.found[1].violating_rows, 8);
    /* Rows at a top with another name are no suppressed rows. */
    assert_false(passes(verify(good, (wish){.k = 3, .exempt = true, .top = "all"})));
}

static void another_table_is_refused(void **state)
{
    (void)state;
    wish w = {.k = 2};
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
    assert_true(verify("age,zip\n20-29,0213*\n20-29,0213*\n", (wish){.k = 2, .n_rows = 2}).status !=
                MGL_OK); /* a column is missing */
    assert_true(
        verify("age,zip,disease,ssn\na,b,c,1\na,b,c,2\n", (wish){.k = 2, .n_rows = 2}).status !=
        MGL_OK); /* one too many */
    assert_true(verify("", w).status != MGL_OK);
    outcome o = verify(good, (wish){.k = 2, .n_rows = 9});
    assert_int_equal(o.status, MGL_SYSTEM);
}

static void a_missing_file_is_refused(void **state)
{
    (void)state;
    mgl_promise promise = {.names = names, .n_names = 3, .n_rows = 8};
    mgl_error err = {0};
    assert_true(mgl_verify("nowhere.csv", &promise, NULL, NULL, &err, NULL) != MGL_OK);
    assert_true(mgl_verify("nowhere.csv", &promise, NULL, NULL, NULL, NULL) != MGL_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_right_passes),
        cmocka_unit_test(small_classes_are_found),
        cmocka_unit_test(another_table_is_refused),
        cmocka_unit_test(a_missing_file_is_refused),
    };
    return cmocka_run_group_tests_name("verify", tests, brute_enter_folder, brute_leave_folder);
}
