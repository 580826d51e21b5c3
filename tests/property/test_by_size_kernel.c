/* The inner loops of the ladder: the portable ones and those for this machine do the same. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#define MGL_PORTABLE
#define LANE uint8_t
#define KERNEL portable_kernel
#define ZIP_LOW(a, b)                                                                              \
    __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define ZIP_HIGH(a, b)                                                                             \
    __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#include "search/fulldomain/by_size/kernel.h"

#include "random_problem.h"

static void compare_counts(const mgl_ladder *ladder, const mgl_ladder_table *table)
{
    uint64_t all = UINT64_MAX >> (64 - ladder->block.n_nodes);
    mgl_ladder_counts ours, portable;
    ladder->kernel->count(ladder, table, all, &ours);
    portable_kernel.count(ladder, table, all, &portable);
    for (size_t b = 0; b < ladder->block.n_nodes; b++) {
        assert_int_equal(ours.rows[b], portable.rows[b]);
        assert_int_equal(ours.classes[b], portable.classes[b]);
    }
}

/* Every table that leaves one column at its highest level, from the finest one. */
static void compare_tables(mgl_ladder *ladder)
{
    mgl_ladder_worker *worker = &ladder->workers[0];
    const mgl_ladder_table *finest = &ladder->first[ladder->n_columns].table;
    uint8_t levels[UINT8_MAX];
    compare_counts(ladder, finest);
    for (size_t c = 0; c < ladder->n_columns; c++) {
        const mgl_ladder_kernel *own = ladder->kernel;
        const mgl_ladder_table *ours, *portable;
        memset(levels, 0, ladder->n_columns);
        levels[c] = ladder->highest[c];
        assert_int_equal(mgl_ladder_roll_to_scratch(worker, finest, levels, NULL, &ours), MGL_OK);
        mgl_ladder_table copy = {.n = ours->n};
        copy.records = mgl_alloc_array(ours->n + 1, ladder->stride);
        memcpy(copy.records + ladder->stride, ours->records + ladder->stride,
               ours->n * ladder->stride);
        ladder->kernel = &portable_kernel;
        assert_int_equal(mgl_ladder_roll_to_scratch(worker, finest, levels, NULL, &portable),
                         MGL_OK);
        ladder->kernel = own;
        assert_int_equal(copy.n, portable->n);
        assert_memory_equal(copy.records + ladder->stride, portable->records + ladder->stride,
                            copy.n * ladder->stride);
        compare_counts(ladder, portable);
        mgl_free(copy.records);
    }
}

static void portable_as_this_machine(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        random_problem p;
        assert_true(random_problem_make(&p, seed));
        p.problem.measure = mgl_measure_type_find("class-size");
        mgl_ladder *ladder = NULL;
        assert_int_equal(mgl_ladder_new(&p.problem, NULL, NULL, &ladder), MGL_OK);
        if (ladder != NULL && !ladder->impossible && ladder->kernel == &mgl_ladder_kernel8) {
            compare_tables(ladder);
            compared++;
        }
        mgl_ladder_free(ladder);
        random_problem_free(&p);
    }
    assert_true(compared > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(portable_as_this_machine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
