/* The same random numbers in several notations give the same hierarchies and places, and labels of
 * all notations and steps read back as exactly what they stand for. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hierarchy/hierarchy.h"
#include "recoding/recoding.h"

enum { TIMES = 90, VALUES = 40 };

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

/* ---- Numbers -----------------------------------------------------------------------------------
 */

typedef struct style {
    const char *group, *decimal;
    bool range_has_comma;
} style;

static const style styles[] = {
    {"", ".", true},  {".", ",", false},        {" ", ",", false},
    {"'", ".", true}, {"\xC2\xA0", ",", false}, {",", ".", true},
};
enum { STYLES = sizeof styles / sizeof *styles };

static void write_number(int64_t hundredths, style how, char text[64])
{
    int64_t whole = llabs(hundredths) / 100, rest = llabs(hundredths) % 100;
    char thousands[40];
    if (whole >= 1000)
        snprintf(thousands, sizeof thousands, "%lld%s%03lld", (long long)(whole / 1000), how.group,
                 (long long)(whole % 1000));
    else
        snprintf(thousands, sizeof thousands, "%lld", (long long)whole);
    snprintf(text, 64, "%s%s%s%02lld", hundredths < 0 ? "-" : "", thousands, how.decimal,
             (long long)rest);
}

static mgl_dictionary *dictionary_in(const int64_t *numbers, style how)
{
    mgl_dictionary *dictionary = mgl_dictionary_new();
    mgl_notation notation = {0};
    char text[64];
    for (size_t i = 0; i < VALUES; i++) {
        write_number(numbers[i], how, text);
        assert_int_equal(mgl_dictionary_add(dictionary, mgl_span_of(text)), i);
    }
    assert_int_equal(mgl_dictionary_sniff(dictionary, &notation), MGL_NUMBERS_CLEAR);
    mgl_dictionary_set_notation(dictionary, &notation);
    return dictionary;
}

/* A label in the plain notation. */
static void plainly(mgl_span label, style how, char text[80])
{
    snprintf(text, 80, "%.*s", (int)label.size, label.data);
    if (how.range_has_comma)
        return;
    for (char *c = text; *c != '\0'; c++) {
        if (*c == ',')
            *c = '.';
        else if (*c == '-' && c > text + 1 && text[0] == '[' && c[-1] >= '0' && c[-1] <= '9')
            *c = ',';
    }
}

/* Labels above the leaves stand for the leaves below them and for no others. */
static void check_meanings(const mgl_hierarchy *h)
{
    for (uint32_t level = 1; level < h->height; level++)
        for (uint32_t v = 0; v < h->levels[level].n_values; v++) {
            mgl_meaning meaning = mgl_meaning_of(h->levels[level].labels[v]);
            for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
                mgl_ground_text ground =
                    mgl_ground_text_of(h->levels[0].labels[leaf], &h->notation);
                if (mgl_meaning_covers(&meaning, &ground) != (h->levels[level].of_leaf[leaf] == v))
                    fail_msg("'%.*s' and '%.*s'", (int)meaning.text.size, meaning.text.data,
                             (int)ground.text.size, ground.text.data);
            }
        }
}

static void check_same(const mgl_hierarchy *plain, const mgl_hierarchy *h, style how)
{
    char text[80];
    assert_int_equal(plain->height, h->height);
    for (uint32_t level = 1; level < h->height; level++) {
        assert_int_equal(plain->levels[level].n_values, h->levels[level].n_values);
        for (uint32_t v = 0; v < h->levels[level].n_values; v++) {
            plainly(h->levels[level].labels[v], how, text);
            assert_true(mgl_span_is(plain->levels[level].labels[v], text));
        }
    }
}

static void check_ranges(const mgl_hierarchy *h, uint64_t *state)
{
    mgl_scale *scale, *own;
    mgl_released_column *column;
    assert_int_equal(mgl_scale_new(h, NULL, &scale), MGL_OK);
    assert_int_equal(mgl_scale_new(h, NULL, &own), MGL_OK);
    assert_non_null(scale);
    double least = scale->of_leaf[scale->ordered[0]];
    double most = scale->of_leaf[scale->ordered[scale->n_ordered - 1]];
    assert_int_equal(mgl_made_column_new(h, own, least, most, NULL, &column), MGL_OK);
    for (int i = 0; i < 10; i++) {
        uint32_t first = (uint32_t)(next_random(state) % scale->n_ordered), cell, from, to;
        uint32_t last = first + (uint32_t)(next_random(state) % (scale->n_ordered - first));
        assert_int_equal(mgl_made_range(column, first, last, NULL, &cell), MGL_OK);
        mgl_span label = column->values[cell].label;
        assert_true(mgl_made_range_parse(h, scale, label, &from, &to));
        assert_true(from <= first && to >= last);
        mgl_meaning meaning = mgl_meaning_of(label);
        for (uint32_t p = 0; p < scale->n_ordered; p++) {
            mgl_span leaf = h->levels[0].labels[scale->ordered[p]];
            mgl_ground_text ground = mgl_ground_text_of(leaf, &h->notation);
            if (mgl_meaning_covers(&meaning, &ground) != (p >= from && p <= to))
                fail_msg("'%.*s' and '%.*s'", (int)label.size, label.data, (int)leaf.size,
                         leaf.data);
        }
    }
    mgl_released_column_free(column);
    mgl_scale_free(scale);
}

static void notations_give_the_same_hierarchies(void **state)
{
    static const char *const builders[] = {"intervals(0.5,10,500)", "intervals(from -3.25 by 7.5)",
                                           "cuts(-50,0,12.5,1000.75)"};
    uint64_t random = 5;
    (void)state;
    for (int time = 0; time < TIMES; time++) {
        int64_t numbers[VALUES];
        for (size_t i = 0; i < VALUES; i++) /* different, and some of them large */
            numbers[i] = (int64_t)(next_random(&random) % 8000) * VALUES + (int64_t)i - 60000;
        mgl_hierarchy *plain = NULL, *h;
        for (size_t s = 0; s < STYLES; s++) {
            mgl_dictionary *dictionary = dictionary_in(numbers, styles[s]);
            const char *builder = builders[time % 3];
            assert_int_equal(mgl_hierarchy_make(builder, "x", dictionary, NULL, &h), MGL_OK);
            if (plain != NULL)
                check_same(plain, h, styles[s]);
            check_meanings(h);
            check_ranges(h, &random);
            if (plain != NULL)
                mgl_hierarchy_free(h);
            else
                plain = h;
            mgl_dictionary_free(dictionary);
        }
        mgl_hierarchy_free(plain);
    }
}

/* ---- Dates
 * --------------------------------------------------------------------------------------- */

/* The short way of the sniffer says what reading in all notations says. */
static void sniffing_agrees_with_reading(void **state)
{
    static const char letters[] = "0012345.,. '-e";
    uint64_t random = 3;
    (void)state;
    for (int time = 0; time < 200000; time++) {
        char text[12];
        size_t size = 1 + next_random(&random) % (sizeof text - 1);
        for (size_t i = 0; i < size; i++)
            text[i] = letters[next_random(&random) % (sizeof letters - 1)];
        mgl_span value = {text, size};
        mgl_number_sniffer sniffer = {0};
        mgl_number_sniffer_look(&sniffer, value);
        for (int n = 0; n < MGL_NUMBER_NOTATIONS; n++) {
            mgl_notation notation = {.numbers = (mgl_number_notation)n};
            double number;
            if (mgl_notation_number(&notation, value, &number) != (sniffer.readable[n] == 1))
                fail_msg("'%.*s' in notation %d", (int)size, text, n);
        }
    }
}

static void labels_of_dates_read_back(void **state)
{
    static const char *const builders[] = {"dates(hour,day,month,quarter,year,5y)",
                                           "dates(dmy; day,week)", "dates(mdy;hour,month,10y)"};
    static const char *const formats[] = {"%1$04u-%2$02u-%3$02uT%4$02u:%5$02u:%6$02uZ",
                                          "%3$02u.%2$02u.%1$04u %4$02u:%5$02u",
                                          "%2$u/%3$u/%1$u %4$02u:%5$02u:%6$02u"};
    uint64_t random = 11;
    (void)state;
    for (int time = 0; time < TIMES; time++) {
        mgl_dictionary *dictionary = mgl_dictionary_new();
        mgl_hierarchy *h;
        for (size_t i = 0; i < VALUES; i++) {
            char text[64];
            unsigned field[6] = {2019 + (unsigned)(next_random(&random) % 6),
                                 1 + (unsigned)(next_random(&random) % 12),
                                 1 + (unsigned)(next_random(&random) % 28),
                                 (unsigned)(next_random(&random) % 24),
                                 (unsigned)(next_random(&random) % 60),
                                 (unsigned)(next_random(&random) % 60)};
            snprintf(text, sizeof text, formats[time % 3], field[0], field[1], field[2], field[3],
                     field[4], field[5]);
            mgl_dictionary_add(dictionary, mgl_span_of(text));
        }
        assert_int_equal(mgl_hierarchy_make(builders[time % 3], "x", dictionary, NULL, &h), MGL_OK);
        if (time % 3 == 0) /* a label cannot tell the order of day and month */
            check_meanings(h);
        for (uint32_t level = 1; level < h->height; level++)
            for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
                mgl_meaning meaning =
                    mgl_meaning_of(h->levels[level].labels[h->levels[level].of_leaf[leaf]]);
                mgl_ground_text ground =
                    mgl_ground_text_of(h->levels[0].labels[leaf], &h->notation);
                assert_true(mgl_meaning_covers(&meaning, &ground));
            }
        mgl_hierarchy_free(h);
        mgl_dictionary_free(dictionary);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(notations_give_the_same_hierarchies),
        cmocka_unit_test(sniffing_agrees_with_reading),
        cmocka_unit_test(labels_of_dates_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
