/* The inner loops of the search: the portable ones and those for this machine do the same. */
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

static void compare_counts(const mgl_by_size *search, const mgl_by_size_table *table)
{
    uint64_t all = UINT64_MAX >> (64 - search->frame.block.n_nodes);
    mgl_branch_counts ours, portable;
    search->kernel->count(search, table, all, &ours);
    portable_kernel.count(search, table, all, &portable);
    for (size_t b = 0; b < search->frame.block.n_nodes; b++) {
        assert_int_equal(ours.rows[b], portable.rows[b]);
        assert_int_equal(ours.classes[b], portable.classes[b]);
    }
}

/* Every table that leaves one column at its highest level, from the finest one. */
static void compare_tables(mgl_by_size *search)
{
    mgl_by_size_worker *worker = &search->workers[0];
    const mgl_by_size_table *finest = &search->first[search->frame.n_columns].table;
    uint8_t levels[UINT8_MAX];
    compare_counts(search, finest);
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        const mgl_by_size_kernel *own = search->kernel;
        const mgl_by_size_table *ours, *portable;
        memset(levels, 0, search->frame.n_columns);
        levels[c] = search->frame.highest[c];
        assert_int_equal(mgl_by_size_roll_to_scratch(worker, finest, levels, NULL, &ours), MGL_OK);
        mgl_by_size_table copy = {.n = ours->n};
        copy.records = mgl_alloc_array(ours->n + 1, search->stride);
        memcpy(copy.records + search->stride, ours->records + search->stride,
               ours->n * search->stride);
        search->kernel = &portable_kernel;
        assert_int_equal(mgl_by_size_roll_to_scratch(worker, finest, levels, NULL, &portable),
                         MGL_OK);
        search->kernel = own;
        assert_int_equal(copy.n, portable->n);
        assert_memory_equal(copy.records + search->stride, portable->records + search->stride,
                            copy.n * search->stride);
        compare_counts(search, portable);
        mgl_free(copy.records);
    }
}

static void portable_kernel_equals_that_of_this_machine(void **state)
{
    (void)state;
    int compared = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        random_problem p;
        assert_true(random_problem_make(&p, seed));
        p.problem.measure = mgl_measure_type_find("class-size");
        mgl_by_size *search = NULL;
        assert_int_equal(mgl_by_size_new(&p.problem, NULL, NULL, &search), MGL_OK);
        if (search != NULL && !search->frame.impossible && search->kernel == &mgl_by_size_kernel8) {
            compare_tables(search);
            compared++;
        }
        mgl_by_size_free(search);
        random_problem_free(&p);
    }
    assert_true(compared > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(portable_kernel_equals_that_of_this_machine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
