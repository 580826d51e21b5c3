/* What released texts stand for, and matching by index against plain nested loops. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/fault.h"
#include "brute.h"
#include "random_problem.h"
#include "tuples.h"
#include "risk/risk.h"

static bool covers(const char *label, const char *value)
{
    mgl_meaning meaning = mgl_meaning_of(mgl_span_of(label));
    mgl_ground_text ground = mgl_ground_text_of(mgl_span_of(value), NULL);
    return mgl_meaning_covers(&meaning, &ground);
}

static void released_texts_cover_the_values_they_stand_for(void **state)
{
    (void)state;
    static const struct {
        const char *label, *value;
        bool covers;
    } cases[] = {
        {"02139", "02139", true},
        {"02139", "2139", false},
        {"*", "anything", true},
        {"*****", "02139", true},
        {"*", "", true},
        {"0213*", "02139", true},
        {"0213*", "02149", false},
        {"0213*", "021399", false},
        {"***39", "02139", true},
        {"M\xc3\xbc**", "M\xc3\xbcn\xc3\xbc", true},
        {"M\xc3\xbc**", "M\xc3\xbc\xc3\xbc", false},
        {"20-29", "20", true},
        {"20-29", "29", true},
        {"20-29", "29.5", false},
        {"20-29", "30", false},
        {"-10--6", "-6", true},
        {"-10--6", "-5", false},
        {"-10-5", "0", true},
        {"[1.5,2.5)", "1.5", true},
        {"[1.5,2.5)", "2.5", false},
        {"[1.5,2.5]", "2.5", true},
        {"<18", "17.9", true},
        {"<18", "18", false},
        {">=66", "66", true},
        {">=66", "65", false},
        {"1965-09", "1965-09-30", true},
        {"1965-09", "1965-10-01", false},
        {"1965-12", "1965-12-31", true},
        {"1965", "1965-01-01", true},
        {"1965", "1966-01-01", false},
        {"1965", "31.12.1965", true},
        {"2024-05-01", "2024-05-01T23:59:59Z", true},
        {"2024-05-01", "2024-05-02 00:00", false},
        {"2024-05-01T13", "2024-05-01T13:59:59.99", true},
        {"2024-05-01T13", "2024-05-01T14:00", false},
        {"2024-05-01T13", "01.05.2024 13:00", true},
        {"2024-W18", "2024-04-29", true},
        {"2024-W18", "2024-05-05T23:59", true},
        {"2024-W18", "2024-05-06", false},
        {"2025-W01", "2024-12-30", true},
        {"2024-Q2", "2024-06-30T23:59", true},
        {"2024-Q2", "2024-07-01", false},
        {"2024", "2024-12-31T23:59:59", true},
        {"[2024-05-01T10:00,2024-05-01T11:30]", "2024-05-01T11:30", true},
        {"[2024-05-01T10:00,2024-05-01T11:30]", "2024-05-01T11:31", false},
        {"[01.05.2024 10:00,01.05.2024 11:30]", "01.05.2024 10:30", true},
        {"1965-1969", "1969-12-31", true},
        {"1965-1969", "1970-01-01", false},
        {"1965-1969", "1967", true},
        {"1965-09", "09/15/1965", true},
        {"1964-02", "29.02.1964", true},
        {"[1965-01-03,1965-02-14]", "1965-02-14", true},
        {"[1965-01-03,1965-02-14]", "1965-02-15", false},
        {"1965-05", "05/06/1965", true}, /* in one of its two readings */
        {"person", "asian", false},
        {"a-b", "a", false},
        {"", "", true},
        {"[", "[", true},
        {"[,]", "1", false},
        {">", "1", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (covers(cases[i].label, cases[i].value) != cases[i].covers)
            fail_msg("%s and %s", cases[i].label, cases[i].value);
}

/* ---- Matching -------------------------------------------------------------------------------- */

enum { COLUMNS = 3, MOST_TEXTS = 30, GROUND = 25, MOST_ROWS = 50, PERSONS = 40 };

/* A text and the numbers it stands for, by construction. */
typedef struct text {
    char label[32];
    bool stands_for[GROUND];
} text;

static text draw_text(brute_random *random)
{
    text t = {0};
    int low = brute_below(random, GROUND), high = brute_between(random, low, GROUND - 1);
    switch (brute_below(random, 6)) {
    case 0:
        low = 0, high = GROUND - 1;
        snprintf(t.label, sizeof t.label, "*");
        break;
    case 1:
        snprintf(t.label, sizeof t.label, "%d-%d", low, high);
        break;
    case 2:
        snprintf(t.label, sizeof t.label, "[%d,%d)", low, high + 1);
        break;
    case 3:
        low = 0;
        snprintf(t.label, sizeof t.label, "<%d", high + 1);
        break;
    case 4:
        high = GROUND - 1;
        snprintf(t.label, sizeof t.label, ">=%d", low);
        break;
    default:
        high = low;
        snprintf(t.label, sizeof t.label, "%d", low);
    }
    for (int i = low; i <= high; i++)
        t.stands_for[i] = true;
    return t;
}

typedef struct release {
    int n_texts, n_rows;
    text texts[MOST_TEXTS];
    uint32_t cells[MOST_ROWS][COLUMNS];
    uint32_t persons[PERSONS * COLUMNS];
    mgl_hierarchy *hierarchy; /* as many leaves as texts */
    mgl_dictionary *ground;
    mgl_frequency_list *list;
    mgl_coverage columns[COLUMNS];
} release;

static void make_release(release *r, uint64_t seed)
{
    brute_random random = {seed * 7 + 3};
    mgl_random leaves;
    mgl_random_seed(&leaves, seed);
    r->n_texts = brute_between(&random, 1, MOST_TEXTS);
    r->n_rows = brute_between(&random, 1, MOST_ROWS);
    mgl_span labels[MOST_TEXTS];
    for (int i = 0; i < r->n_texts; i++) {
        r->texts[i] = draw_text(&random);
        labels[i] = mgl_span_of(r->texts[i].label);
    }
    r->ground = mgl_dictionary_new();
    assert_non_null(r->ground);
    for (int i = 0; i < GROUND; i++) {
        char number[16];
        snprintf(number, sizeof number, "%d", i);
        assert_int_equal(mgl_dictionary_add(r->ground, mgl_span_of(number)), i);
    }
    r->hierarchy = random_hierarchy(&leaves, (uint32_t)r->n_texts, 1);
    assert_non_null(r->hierarchy);
    uint64_t counts[MOST_ROWS];
    uint32_t flat[MOST_ROWS * COLUMNS];
    for (int row = 0; row < r->n_rows; row++) {
        counts[row] = 1;
        for (int a = 0; a < COLUMNS; a++)
            flat[row * COLUMNS + a] = r->cells[row][a] = (uint32_t)brute_below(&random, r->n_texts);
    }
    for (int i = 0; i < PERSONS * COLUMNS; i++)
        r->persons[i] = (uint32_t)brute_below(&random, GROUND);
    const mgl_hierarchy *hierarchies[COLUMNS] = {r->hierarchy, r->hierarchy, r->hierarchy};
    assert_int_equal(tuples_listed(hierarchies, COLUMNS, flat, counts, (size_t)r->n_rows, &r->list),
                     MGL_OK);
    for (int a = 0; a < COLUMNS; a++)
        assert_int_equal(mgl_coverage_new(labels, (uint32_t)r->n_texts, r->ground, NULL, NULL, NULL,
                                          &r->columns[a]),
                         MGL_OK);
}

static void free_release(release *r)
{
    for (int a = 0; a < COLUMNS; a++)
        mgl_coverage_free(&r->columns[a]);
    mgl_frequency_list_free(r->list);
    mgl_dictionary_free(r->ground);
    mgl_arena_free(r->hierarchy->arena);
}

static uint64_t rows_of_person(const release *r, const uint32_t *person)
{
    uint64_t n = 0;
    for (int row = 0; row < r->n_rows; row++) {
        bool all = true;
        for (int a = 0; a < COLUMNS; a++)
            all = all && r->texts[r->cells[row][a]].stands_for[person[a]];
        n += all;
    }
    return n;
}

static void matched_rows_equal_brute_force(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(4, NULL, &pool), MGL_OK);
    for (int i = 0; i < brute_cases(200); i++) {
        release r;
        mgl_matcher *matcher;
        mgl_linkage *link;
        make_release(&r, (uint64_t)i);
        assert_int_equal(mgl_matcher_new(r.list, r.columns, NULL, &matcher), MGL_OK);
        assert_int_equal(mgl_linkage_new(matcher, r.list,
                                         &(mgl_known_persons){r.persons, PERSONS, NULL},
                                         i % 2 ? pool : NULL, NULL, &link),
                         MGL_OK);
        for (int person = 0; person < PERSONS; person++)
            assert_int_equal(link->matches[person],
                             rows_of_person(&r, r.persons + person * COLUMNS));
        mgl_linkage_free(link);
        mgl_matcher_free(matcher);
        free_release(&r);
    }
    mgl_pool_free(pool);
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    release r;
    make_release(&r, 1);
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status != MGL_OK; number++) {
        mgl_error err = {0};
        mgl_matcher *matcher = NULL;
        mgl_linkage *link = NULL;
        mgl_coverage column = {0};
        mgl_span label = mgl_span_of("*");
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = mgl_coverage_new(&label, 1, r.ground, NULL, NULL, &err, &column);
        if (status == MGL_OK)
            status = mgl_matcher_new(r.list, r.columns, &err, &matcher);
        if (status == MGL_OK)
            status = mgl_linkage_new(
                matcher, r.list, &(mgl_known_persons){r.persons, PERSONS, NULL}, NULL, &err, &link);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || (status == MGL_SYSTEM && err.status == MGL_SYSTEM));
        mgl_coverage_free(&column);
        mgl_linkage_free(link);
        mgl_matcher_free(matcher);
        assert_true(number < 10000);
    }
    free_release(&r);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(released_texts_cover_the_values_they_stand_for),
        cmocka_unit_test(matched_rows_equal_brute_force),
        cmocka_unit_test(every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
