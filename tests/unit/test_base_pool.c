/* base: the thread pool, and spare items beside its rounds. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"
#include "base/fault.h"
#include "base/pool.h"

#include <stdatomic.h>

enum { ITEMS = 10000 };

typedef struct tally {
    _Atomic unsigned done[ITEMS];
    _Atomic uint64_t by_worker[64];
    unsigned threads;
    _Atomic bool wrong_worker;
    size_t last; /* only for pools of one */
    bool in_order;
} tally;

static void count_item(void *context, size_t item, unsigned worker)
{
    tally *t = context;
    atomic_fetch_add(&t->done[item], 1);
    if (worker >= t->threads)
        t->wrong_worker = true;
    else
        atomic_fetch_add(&t->by_worker[worker], 1);
}

static void count_in_order(void *context, size_t item, unsigned worker)
{
    tally *t = context;
    t->in_order = t->in_order && (item == 0 || item == t->last + 1) && worker == 0;
    t->last = item;
    count_item(context, item, worker);
}

static void runs_each_item_once(unsigned threads)
{
    static tally t;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(threads, NULL, &pool), MGL_OK);
    assert_in_range(mgl_pool_threads(pool), 1, threads); /* no more than there are cores */
    memset(&t, 0, sizeof t);
    t.threads = threads;
    mgl_pool_run(pool, ITEMS, count_item, &t);
    uint64_t total = 0;
    for (size_t i = 0; i < ITEMS; i++)
        assert_int_equal(t.done[i], 1);
    for (unsigned i = 0; i < threads; i++)
        total += t.by_worker[i];
    assert_false(t.wrong_worker);
    assert_int_equal(total, ITEMS);
    mgl_pool_free(pool);
}

static void each_item_runs_once(void **state)
{
    (void)state;
    runs_each_item_once(1);
    runs_each_item_once(2);
    runs_each_item_once(4);
    runs_each_item_once(13);
}

static void add_number(void *context, size_t item, unsigned worker)
{
    (void)worker;
    atomic_fetch_add((_Atomic uint64_t *)context, item + 1);
}

static void thousands_of_rounds_run_every_item(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(4, NULL, &pool), MGL_OK);
    for (uint64_t round = 0; round < 3000; round++) {
        uint64_t items = round % 23; /* none, one, fewer and more than threads */
        _Atomic uint64_t sum = 0;
        mgl_pool_run(pool, items, add_number, &sum);
        assert_int_equal(sum, items * (items + 1) / 2);
    }
    mgl_pool_free(pool);
}

static void a_pool_of_one_keeps_the_order(void **state)
{
    (void)state;
    static tally t;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(1, NULL, &pool), MGL_OK);
    mgl_pool *const pools[] = {pool, NULL};
    for (int i = 0; i < 2; i++) {
        memset(&t, 0, sizeof t);
        t.threads = 1;
        t.in_order = true;
        mgl_pool_run(pools[i], ITEMS, count_in_order, &t);
        assert_true(t.in_order);
        assert_int_equal(t.last, ITEMS - 1);
    }
    assert_int_equal(mgl_pool_threads(NULL), 1);
    mgl_pool_free(pool);
}

static void pools_can_be_idle_or_many(void **state)
{
    (void)state;
    mgl_pool *pools[8];
    for (int i = 0; i < 8; i++)
        assert_int_equal(mgl_pool_new((unsigned)i, NULL, &pools[i]), MGL_OK);
    assert_true(mgl_pool_threads(pools[0]) >= 1);
    for (int i = 0; i < 8; i++)
        mgl_pool_free(pools[i]);
    mgl_pool_free(NULL);
}

#ifdef MGL_FAULTS
static void a_pool_that_cannot_be_made_is_an_error(void **state)
{
    (void)state;
    for (uint64_t number = 1; number <= 2; number++) {
        mgl_pool *pool = NULL;
        mgl_error err;
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        assert_int_equal(mgl_pool_new(4, &err, &pool), MGL_SYSTEM);
        assert_null(pool);
    }
    mgl_fault_arm(MGL_FAULT_MEMORY, 0);
}
#endif

/* ---- Spare items --------------------------------------------------------------------------- */

/* Rounds go on while threads take spare items; in the end each of both was done once. */
static void spare_items_run_beside_rounds(void **state)
{
    static tally spare, rounds;
    (void)state;
    for (unsigned threads = 1; threads <= 4; threads++) {
        mgl_pool *pool;
        assert_int_equal(mgl_pool_new(threads, NULL, &pool), MGL_OK);
        memset(&spare, 0, sizeof spare);
        memset(&rounds, 0, sizeof rounds);
        spare.threads = rounds.threads = threads;
        mgl_background_begin(pool, ITEMS, count_item, &spare);
        for (int round = 0; round < 20; round++)
            mgl_pool_run(pool, ITEMS / 20, count_item, &rounds);
        mgl_background_end(pool, true);
        for (size_t i = 0; i < ITEMS; i++)
            assert_int_equal(spare.done[i], 1);
        for (size_t i = 0; i < ITEMS / 20; i++)
            assert_int_equal(rounds.done[i], 20);
        assert_false(spare.wrong_worker || rounds.wrong_worker);
        mgl_pool_free(pool);
    }
}

static void spare_items_that_are_not_needed_are_dropped(void **state)
{
    static tally spare;
    mgl_pool *pool;
    (void)state;
    memset(&spare, 0, sizeof spare);
    spare.threads = 2;
    assert_int_equal(mgl_pool_new(2, NULL, &pool), MGL_OK);
    mgl_background_begin(pool, ITEMS, count_item, &spare);
    mgl_background_end(pool, false);
    uint64_t done = spare.by_worker[0] + spare.by_worker[1];
    mgl_pool_run(pool, 100, count_item, &spare); /* nobody comes back to them */
    assert_int_equal(spare.by_worker[0] + spare.by_worker[1], done + 100);
    assert_int_equal(spare.done[ITEMS - 1], done == ITEMS);
    mgl_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_item_runs_once),
        cmocka_unit_test(thousands_of_rounds_run_every_item),
        cmocka_unit_test(a_pool_of_one_keeps_the_order),
        cmocka_unit_test(pools_can_be_idle_or_many),
#ifdef MGL_FAULTS
        cmocka_unit_test(a_pool_that_cannot_be_made_is_an_error),
#endif
        cmocka_unit_test(spare_items_run_beside_rounds),
        cmocka_unit_test(spare_items_that_are_not_needed_are_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
