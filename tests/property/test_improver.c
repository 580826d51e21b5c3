/* The improver, with a toy to improve: numbers lie in boxes of equal size, and a box costs what its
 * largest and its smallest number are apart. Boxes are emptied together and filled anew at random.
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"
#include "search/improver/improver.h"

#include <stdlib.h>
#include <string.h>

enum { BOXES = 40, SIZE = 4, N = BOXES * SIZE, TOGETHER = 3, MOST_AT_ONCE = 32, THREADS = 5 };

/* The state that is improved, and what the functions were asked to do. */
typedef struct toy {
    uint32_t numbers[N];
    uint64_t used[BOXES];                   /* round in which it was last emptied */
    uint32_t boxes[MOST_AT_ONCE][TOGETHER]; /* of each neighbourhood */
    uint32_t anew[MOST_AT_ONCE][TOGETHER * SIZE];
    uint64_t work;
    size_t chosen, taken, left, dead_ends;
    size_t last; /* number of the last that was taken or left */
    bool in_order, refuses;
    size_t choices;    /* after which nothing is left to choose; 0: never */
    size_t fails_at;   /* take: by its count; 0: never */
    size_t cancels_at; /* progress: likewise */
    size_t reports;
} toy;

static uint64_t cost_of(const uint32_t *numbers)
{
    uint32_t least = numbers[0], most = numbers[0];
    for (size_t i = 1; i < SIZE; i++) {
        least = numbers[i] < least ? numbers[i] : least;
        most = numbers[i] > most ? numbers[i] : most;
    }
    return most - least;
}

static uint64_t whole_cost(const toy *x)
{
    uint64_t cost = 0;
    for (size_t b = 0; b < BOXES; b++)
        cost += cost_of(x->numbers + b * SIZE);
    return cost;
}

/* ---- The functions -------------------------------------------------------------------------- */

static mgl_improver_choice choose(void *search, const mgl_improver_item *item)
{
    toy *x = search;
    x->work++;
    if (x->choices > 0 && x->chosen == x->choices)
        return MGL_NONE_LEFT;
    for (size_t i = 0; i < TOGETHER; i++) {
        uint32_t b = mgl_quick_random_below(item->random, BOXES);
        if (x->used[b] == item->round) {
            x->dead_ends++;
            return MGL_DEAD_END;
        }
        x->used[b] = item->round;
        x->boxes[item->number][i] = b;
    }
    if (item->number == 0)
        x->last = SIZE_MAX;
    x->chosen++;
    return MGL_CHOSEN;
}

static bool open(void *search, const mgl_improver_item *item, uint64_t *before)
{
    toy *x = search;
    *before = 0;
    for (size_t i = 0; i < TOGETHER; i++) {
        const uint32_t *numbers = x->numbers + x->boxes[item->number][i] * SIZE;
        memcpy(x->anew[item->number] + i * SIZE, numbers, SIZE * sizeof *numbers);
        *before += cost_of(numbers);
    }
    return true;
}

static bool rebuild(void *search, const mgl_improver_item *item, size_t attempt, uint64_t *cost)
{
    toy *x = search;
    uint32_t *anew = x->anew[item->number];
    for (size_t i = TOGETHER * SIZE; i-- > 1;) {
        size_t j = mgl_quick_random_below(item->random, i + 1);
        uint32_t moved = anew[i];
        anew[i] = anew[j];
        anew[j] = moved;
    }
    *cost = 0;
    for (size_t i = 0; i < TOGETHER; i++)
        *cost += cost_of(anew + i * SIZE);
    return (item->number + attempt) % 5 != 4; /* some cannot be done */
}

static bool keep(void *search, const mgl_improver_item *item)
{
    const toy *x = search;
    (void)item;
    return !x->refuses;
}

static void look_at_order(toy *x, size_t number)
{
    x->in_order = x->in_order && number == x->last + 1;
    x->last = number;
}

static mgl_status take(void *search, size_t number, mgl_error *err)
{
    toy *x = search;
    look_at_order(x, number);
    if (++x->taken == x->fails_at)
        return mgl_fail(err, MGL_DATA, "this one is not taken");
    for (size_t i = 0; i < TOGETHER; i++)
        memcpy(x->numbers + x->boxes[number][i] * SIZE, x->anew[number] + i * SIZE,
               SIZE * sizeof *x->numbers);
    return MGL_OK;
}

static void leave(void *search, size_t number)
{
    toy *x = search;
    look_at_order(x, number);
    x->left++;
}

static int report(void *user, const char *stage, uint64_t done, uint64_t total)
{
    toy *x = user;
    assert_string_equal(stage, "search");
    assert_true(done < total);
    return ++x->reports == x->cancels_at;
}

static const mgl_improver plain = {.at_once = 7,
                                   .tries = 3,
                                   .look_every = 4,
                                   .choose = choose,
                                   .open = open,
                                   .rebuild = rebuild,
                                   .keep = keep,
                                   .take = take,
                                   .leave = leave};

/* ---- Running it ----------------------------------------------------------------------------- */

static toy start(uint64_t seed)
{
    toy x = {.in_order = true};
    mgl_quick_random random = {seed};
    for (size_t i = 0; i < N; i++)
        x.numbers[i] = mgl_quick_random_below(&random, 1000);
    return x;
}

static mgl_status run(const mgl_improver *how, toy *x, unsigned threads,
                      mgl_improver_limits *limits, mgl_error *err)
{
    mgl_progress progress = {report, x, NULL};
    mgl_quick_random random = {1};
    mgl_problem problem = {.progress = &progress,
                           .deadline = limits->problem != NULL ? limits->problem->deadline : 0};
    assert_int_equal(mgl_pool_new(threads, NULL, &problem.pool), MGL_OK);
    limits->problem = &problem;
    limits->work = &x->work;
    mgl_status status = mgl_improve(how, x, &random, limits, err);
    mgl_pool_free(problem.pool);
    limits->problem = NULL;
    return status;
}

static int compare_numbers(const void *p, const void *q)
{
    uint32_t x = *(const uint32_t *)p, y = *(const uint32_t *)q;
    return (x > y) - (x < y);
}

static void assert_same_numbers(const toy *x, const toy *y)
{
    uint32_t a[N], b[N];
    memcpy(a, x->numbers, sizeof a);
    memcpy(b, y->numbers, sizeof b);
    qsort(a, N, sizeof *a, compare_numbers);
    qsort(b, N, sizeof *b, compare_numbers);
    assert_memory_equal(a, b, sizeof a);
}

/* However many threads there are; however many neighbourhoods come at once. */
static void answers_do_not_depend_on_threads(void **state)
{
    static const size_t at_once[] = {1, 2, 7, MOST_AT_ONCE};
    (void)state;
    for (size_t way = 0; way < 16; way++) {
        mgl_improver how = plain;
        how.at_once = at_once[way % 4];
        how.tries = 1 + way % 3;
        how.leeway = way < 8 ? 0 : 0.1;
        toy first = start(way), one = first;
        mgl_improver_limits limits = {.most_work = 2000};
        assert_int_equal(run(&how, &one, 1, &limits, NULL), MGL_OK);
        assert_true(whole_cost(&one) < whole_cost(&first));
        assert_same_numbers(&one, &first);
        assert_true(one.in_order);
        assert_int_equal(one.chosen, one.taken + one.left);
        assert_false(limits.timed_out);
        for (unsigned threads = 2; threads <= THREADS; threads++) {
            toy many = first;
            assert_int_equal(run(&how, &many, threads, &limits, NULL), MGL_OK);
            assert_memory_equal(&many, &one, sizeof one);
        }
    }
}

static void nothing_gets_worse(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 20; seed++) {
        toy x = start(seed);
        uint64_t before = whole_cost(&x);
        for (uint64_t work = 10; work <= 100; work += 10) {
            mgl_improver_limits limits = {.most_work = x.work + work};
            assert_int_equal(run(&plain, &x, 2, &limits, NULL), MGL_OK);
            assert_true(whole_cost(&x) <= before);
            before = whole_cost(&x);
        }
    }
}

static void with_leeway_costs_may_rise_until_the_work_ends(void **state)
{
    (void)state;
    size_t rose = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        mgl_improver how = plain;
        toy x = start(seed), y = x;
        mgl_improver_limits limits = {.most_work = 2000};
        how.leeway = 1;
        assert_int_equal(run(&how, &x, 2, &limits, NULL), MGL_OK);
        assert_true(whole_cost(&x) < whole_cost(&y));
        for (size_t round = 0; round < 20; round++) { /* each the first of a long search */
            uint64_t before = whole_cost(&y);
            y.choices = y.chosen + how.at_once;
            assert_int_equal(run(&how, &y, 2, &limits, NULL), MGL_OK);
            rose += whole_cost(&y) > before;
        }
    }
    assert_true(rose > 0);
}

static void stops_when_told(void **state)
{
    (void)state;
    toy first = start(3);
    /* No work: nothing happens, and nobody looks at the clock. */
    toy x = first;
    mgl_improver_limits limits = {.most_work = 0};
    assert_int_equal(run(&plain, &x, 2, &limits, NULL), MGL_OK);
    assert_memory_equal(&x, &first, sizeof x);

    /* A round is finished, and is the last. */
    limits = (mgl_improver_limits){.most_work = 1};
    assert_int_equal(run(&plain, &x, 2, &limits, NULL), MGL_OK);
    assert_int_equal(x.work, plain.at_once);

    /* Nothing left to choose: what was chosen before is put together. */
    x = first;
    x.choices = 3;
    limits = (mgl_improver_limits){.most_work = 1000};
    assert_int_equal(run(&plain, &x, 2, &limits, NULL), MGL_OK);
    assert_int_equal(x.taken + x.left, 3);

    /* Nothing may be taken. */
    x = first;
    x.refuses = true;
    limits = (mgl_improver_limits){.most_work = 1000};
    assert_int_equal(run(&plain, &x, 2, &limits, NULL), MGL_OK);
    assert_memory_equal(x.numbers, first.numbers, sizeof x.numbers);
    assert_int_equal(x.taken, 0);
    assert_int_equal(x.left, x.chosen);
}

static void stops_at_the_deadline(void **state)
{
    (void)state;
    toy first = start(4), x = first;
    mgl_problem past = {.deadline = 1e-9};
    mgl_improver_limits limits = {.problem = &past, .most_work = UINT64_MAX};
    assert_int_equal(run(&plain, &x, 2, &limits, NULL), MGL_OK);
    assert_true(limits.timed_out);
    assert_memory_equal(x.numbers, first.numbers, sizeof x.numbers);
    assert_int_equal(x.chosen, 0);

    /* It was over before. */
    limits = (mgl_improver_limits){.most_work = UINT64_MAX, .timed_out = true};
    assert_int_equal(run(&plain, &x, 2, &limits, NULL), MGL_OK);
    assert_true(limits.timed_out);
    assert_int_equal(x.chosen, 0);

    /* A deadline that comes while it is at work. */
    mgl_problem soon = {.deadline = mgl_sys_seconds() + 0.02};
    limits = (mgl_improver_limits){.problem = &soon, .most_work = UINT64_MAX};
    assert_int_equal(run(&plain, &x, 2, &limits, NULL), MGL_OK);
    assert_true(limits.timed_out);
    assert_true(whole_cost(&x) <= whole_cost(&first));
}

/* What was taken before stays, the one that fails and all that follow are left. */
static void a_failure_is_handed_on(void **state)
{
    (void)state;
    toy first = start(5), whole = first;
    mgl_improver_limits limits = {.most_work = 2000};
    assert_int_equal(run(&plain, &whole, 1, &limits, NULL), MGL_OK);
    for (size_t fails_at = 1; fails_at < 20; fails_at++) {
        mgl_error err = {0};
        toy x = first;
        x.fails_at = fails_at;
        limits = (mgl_improver_limits){.most_work = 2000};
        assert_int_equal(run(&plain, &x, 3, &limits, &err), MGL_DATA);
        assert_int_equal(x.taken, fails_at);
        assert_int_equal(x.chosen, x.taken + x.left);
        assert_true(x.in_order);
        assert_same_numbers(&x, &first);
        if (fails_at == 1)
            assert_memory_equal(x.numbers, first.numbers, sizeof x.numbers);
        assert_true(whole_cost(&x) <= whole_cost(&first));
    }
}

static void it_can_be_cancelled(void **state)
{
    (void)state;
    toy first = start(6), x = first;
    mgl_improver_limits limits = {.most_work = 2000};
    x.cancels_at = 1;
    assert_int_equal(run(&plain, &x, 2, &limits, NULL), MGL_CANCELLED);
    assert_memory_equal(x.numbers, first.numbers, sizeof x.numbers);

    /* Reports come every `look_every` rounds. */
    x = first;
    x.cancels_at = 3;
    assert_int_equal(run(&plain, &x, 2, &limits, NULL), MGL_CANCELLED);
    assert_int_equal(x.work, 2 * plain.look_every * plain.at_once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_do_not_depend_on_threads),
        cmocka_unit_test(nothing_gets_worse),
        cmocka_unit_test(with_leeway_costs_may_rise_until_the_work_ends),
        cmocka_unit_test(stops_when_told),
        cmocka_unit_test(stops_at_the_deadline),
        cmocka_unit_test(a_failure_is_handed_on),
        cmocka_unit_test(it_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
