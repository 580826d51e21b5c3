/* The leak guard passes over texts that hold no label, by their words: it must never pass over one
 * that does. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "risk/guard.h"

static void a_text_without_the_words_of_a_label_is_passed_over(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_words words;
    assert_int_equal(mgl_words_init(&words, 2, &err), MGL_OK);
    mgl_words_add(&words, mgl_span_of("Some-college"));
    mgl_words_add(&words, mgl_span_of("53715"));
    assert_true(mgl_words_may_hold(&words, mgl_span_of("went to SOME-COLLEGE once")));
    assert_true(mgl_words_may_hold(&words, mgl_span_of("lives in 53715")));
    assert_false(mgl_words_may_hold(&words, mgl_span_of("some treatment")));
    assert_false(mgl_words_may_hold(&words, mgl_span_of("number 537151")));
    assert_false(mgl_words_may_hold(&words, mgl_span_of(" -- ")));
    mgl_words_add(&words, mgl_span_of("??"));
    assert_true(mgl_words_may_hold(&words, mgl_span_of("some treatment")));
    mgl_words_free(&words);
}

/* Random labels and texts of letters, signs and blanks, short so that many texts hold a label. The
 * watch compares letter by letter: wherever it finds one, the words must allow it. */
static void no_text_that_holds_a_label_is_passed_over(void **state)
{
    (void)state;
    static const char letters[] = "aAb- \xc3";
    mgl_error err = {0};
    mgl_random random;
    mgl_random_seed(&random, 7);
    size_t held = 0, passed = 0;
    for (size_t trial = 0; trial < 10000; trial++) {
        char label[5], text[13];
        size_t n_label = MGL_SHORTEST_REPEATED + mgl_random_below(&random, 3);
        size_t n_text = mgl_random_below(&random, sizeof text);
        for (size_t i = 0; i < n_label; i++)
            label[i] = letters[mgl_random_below(&random, sizeof letters - 1)];
        for (size_t i = 0; i < n_text; i++)
            text[i] = letters[mgl_random_below(&random, sizeof letters - 1)];
        mgl_words words;
        mgl_text_watch watch;
        assert_int_equal(mgl_words_init(&words, 1, &err), MGL_OK);
        assert_int_equal(mgl_text_watch_init(&watch, 1, &err), MGL_OK);
        mgl_span own = {label, n_label}, in = {text, n_text};
        mgl_words_add(&words, own);
        mgl_text_watch_add(&watch, 0, in, own, 0, &own);
        bool may_hold = mgl_words_may_hold(&words, in);
        if (watch.own[0] > 0)
            assert_true(may_hold);
        held += watch.own[0];
        passed += !may_hold;
        mgl_text_watch_free(&watch);
        mgl_words_free(&words);
    }
    assert_true(held > 100);
    assert_true(passed > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_text_without_the_words_of_a_label_is_passed_over),
        cmocka_unit_test(no_text_that_holds_a_label_is_passed_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
