/* Texts that hold a ground value: found among their words, as a search letter by letter finds
 * them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "risk/recovery.h"

static size_t found(const mgl_span *labels, uint32_t n, const char *text, uint32_t *numbers)
{
    mgl_word_index *index = mgl_word_index_new(labels, n);
    assert_non_null(index);
    size_t n_found = mgl_word_index_find(index, mgl_span_of(text), numbers, 8);
    mgl_word_index_free(index);
    return n_found;
}

static void labels_are_found_as_words_of_their_own(void **state)
{
    (void)state;
    mgl_span labels[] = {mgl_span_of("Some-college"), mgl_span_of("53715"), mgl_span_of("??"),
                         mgl_span_of("m")};
    uint32_t numbers[8];
    assert_int_equal(found(labels, 4, "went to SOME-COLLEGE once", numbers), 1);
    assert_int_equal(numbers[0], 0);
    assert_int_equal(found(labels, 4, "some-college, lives in 53715, in 53715", numbers), 2);
    assert_int_equal(numbers[1], 1);
    assert_int_equal(found(labels, 4, "some treatment in college", numbers), 0);
    assert_int_equal(found(labels, 4, "number 537151", numbers), 0);
    assert_int_equal(found(labels, 4, " -- ?? m", numbers), 0);
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_letter(char c)
{
    return small(c) == 'a' || small(c) == 'b' || (unsigned char)c >= 0x80;
}

static bool stands_alone_at(mgl_span text, mgl_span label, size_t at)
{
    for (size_t i = 0; i < label.size; i++)
        if (at + i >= text.size || small(text.data[at + i]) != small(label.data[i]))
            return false;
    size_t end = at + label.size;
    return (at == 0 || !is_letter(text.data[at - 1])) &&
           (end == text.size || !is_letter(text.data[end]));
}

/* Random labels and texts of letters, signs and blanks, short so that many texts hold a label. */
static void every_label_that_stands_alone_is_found(void **state)
{
    (void)state;
    static const char letters[] = "aAb- \xc3";
    mgl_random random;
    mgl_random_seed(&random, 7);
    size_t held = 0, passed = 0;
    for (size_t trial = 0; trial < 10000; trial++) {
        char label[5], text[13];
        size_t n_label = 2 + mgl_random_below(&random, 3);
        size_t n_text = mgl_random_below(&random, sizeof text);
        bool word = false, holds = false;
        for (size_t i = 0; i < n_label; i++) {
            label[i] = letters[mgl_random_below(&random, sizeof letters - 1)];
            word = word || is_letter(label[i]);
        }
        for (size_t i = 0; i < n_text; i++)
            text[i] = letters[mgl_random_below(&random, sizeof letters - 1)];
        mgl_span own = {label, n_label}, in = {text, n_text};
        for (size_t at = 0; at < n_text; at++)
            holds = holds || stands_alone_at(in, own, at);
        uint32_t number;
        mgl_word_index *index = mgl_word_index_new(&own, 1);
        assert_non_null(index);
        assert_int_equal(mgl_word_index_find(index, in, &number, 1), holds && word);
        mgl_word_index_free(index);
        held += holds && word;
        passed += !holds;
    }
    assert_true(held > 100 && passed > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labels_are_found_as_words_of_their_own),
        cmocka_unit_test(every_label_that_stands_alone_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
