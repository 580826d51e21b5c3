/* verify: random releases in which rows are linked, whole ones and broken ones, against a plain
 * count of persons with the same rows. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "verify/verify.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_ROWS = 24, TRIALS = 400 };

/* A release: whom each row belongs to, the name under which it stands in the file, and its cells.
 */
typedef struct linked {
    size_t n;
    uint32_t persons[MOST_ROWS], names[MOST_ROWS];
    char cells[MOST_ROWS][2];
} linked;

static linked draw(brute_random *random)
{
    linked l = {.n = 2 + (size_t)brute_below(random, MOST_ROWS - 2)};
    uint32_t n_persons = 1 + (uint32_t)brute_below(random, 8);
    for (size_t i = 0; i < l.n; i++) {
        l.names[i] = l.persons[i] = (uint32_t)brute_below(random, (int)n_persons);
        for (int c = 0; c < 2; c++)
            l.cells[i][c] = (char)('x' + brute_below(random, 2));
    }
    return l;
}

static mgl_status verify(const linked *l, bool joined, mgl_found *found)
{
    static const char *const names[] = {"id", "a", "b"};
    static const size_t quasi[] = {1, 2}, id = 0;
    mgl_model model = {.type = mgl_model_type_find("k-anonymity"), .parameters = {2}};
    const mgl_promised_set set = {quasi, 2, &model, 1, NULL};
    const mgl_span tops[] = {mgl_span_of("*"), mgl_span_of("*")};
    brute_text text = {0};
    char line[40];
    brute_append_text(&text, "id,a,b\n");
    for (size_t i = 0; i < l->n; i++) {
        snprintf(line, sizeof line, "n%u,%c,%c\n", l->names[i], l->cells[i][0], l->cells[i][1]);
        brute_append_text(&text, line);
    }
    brute_write_text("linked.csv", text.data);
    free(text.data);
    mgl_promise promise = {.names = names,
                           .n_names = 3,
                           .n_rows = l->n,
                           .sets = &set,
                           .n_sets = 1,
                           .top_columns = quasi,
                           .tops = tops,
                           .n_tops = 2,
                           .persons = {l->persons, joined, &id},
                           .source = {.delimiter = ','}};
    mgl_error err = {0};
    return mgl_verify("linked.csv", &promise, NULL, NULL, &err, found, NULL);
}

/* ---- The plain count ------------------------------------------------------------------------ */

/* How often a person has a tuple. */
static size_t times_of(const linked *l, uint32_t person, const char *cells)
{
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        n += l->persons[i] == person && l->cells[i][0] == cells[0] && l->cells[i][1] == cells[1];
    return n;
}

static bool look_alike(const linked *l, uint32_t p, uint32_t q)
{
    for (size_t i = 0; i < l->n; i++)
        if (times_of(l, p, l->cells[i]) != times_of(l, q, l->cells[i]))
            return false;
    return true;
}

static bool is_first(const linked *l, size_t row)
{
    for (size_t i = 0; i < row; i++)
        if (l->persons[i] == l->persons[row])
            return false;
    return true;
}

/* The smallest number of persons that one looks like, or whose rows one row looks like. */
static size_t least(const linked *l, bool joined)
{
    size_t smallest = SIZE_MAX;
    for (size_t i = 0; i < l->n; i++) {
        size_t n = 0;
        for (size_t k = 0; k < l->n; k++)
            if (is_first(l, k))
                n += joined ? look_alike(l, l->persons[i], l->persons[k])
                            : times_of(l, l->persons[k], l->cells[i]) > 0;
        smallest = n < smallest ? n : smallest;
    }
    return smallest;
}

/* ---- Tests ------------------------------------------------------------------------------------
 */

static void persons_are_judged_by_their_rows_as_the_view_says(void **state)
{
    (void)state;
    brute_random random = {1};
    size_t apart = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        linked l = draw(&random);
        for (int joined = 0; joined < 2; joined++) {
            mgl_found found = {0};
            size_t expected = least(&l, joined);
            assert_int_equal(verify(&l, joined, &found), MGL_OK);
            assert_int_equal(found.measured, expected);
            assert_int_equal(found.holds, expected >= 2);
        }
        apart += least(&l, true) < least(&l, false);
    }
    assert_true(apart > TRIALS / 10);
}

/* A name for two persons, or two names for one, is never published. */
static void releases_that_tell_other_persons_apart_are_refused(void **state)
{
    (void)state;
    brute_random random = {2};
    size_t broken = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        linked l = draw(&random);
        mgl_found found = {0};
        size_t row = (size_t)brute_below(&random, (int)l.n);
        uint32_t was = l.names[row];
        l.names[row] = brute_below(&random, 2) == 0 ? 99 : (was + 1) % 8;
        bool alone = true; /* who has one row may be called by any name that nobody else has */
        for (size_t i = 0; i < l.n; i++)
            alone = alone &&
                    (i == row || (l.names[i] != l.names[row] && l.persons[i] != l.persons[row]));
        assert_int_equal(verify(&l, true, &found), alone ? MGL_OK : MGL_SYSTEM);
        broken += !alone;
    }
    assert_true(broken > TRIALS / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(persons_are_judged_by_their_rows_as_the_view_says),
        cmocka_unit_test(releases_that_tell_other_persons_apart_are_refused),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
