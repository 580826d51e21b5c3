/* The inner loops of the search: the portable ones and those for this machine do the same. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "portable_kernels.h"
#include "random_problem.h"

#include <stdlib.h>

static void compare_counts(const mgl_by_size *search, const mgl_by_size_kernel *other,
                           const mgl_by_size_table *table)
{
    uint64_t all = UINT64_MAX >> (64 - search->frame.block.n_nodes);
    mgl_branch_counts ours, theirs;
    search->kernel->count(search, table, all, &ours);
    other->count(search, table, all, &theirs);
    for (size_t b = 0; b < search->frame.block.n_nodes; b++) {
        assert_int_equal(ours.rows[b], theirs.rows[b]);
        assert_int_equal(ours.classes[b], theirs.classes[b]);
        assert_true(ours.sum[b] == theirs.sum[b]);
    }
}

/* Every table that leaves one column at its highest level, from the finest one. */
static void compare_tables(mgl_by_size *search, const mgl_by_size_kernel *other)
{
    mgl_by_size_worker *worker = &search->workers[0];
    const mgl_by_size_table *finest = &search->first[search->frame.n_columns].table;
    uint8_t levels[UINT8_MAX];
    compare_counts(search, other, finest);
    for (size_t c = 0; c < search->frame.n_columns; c++) {
        const mgl_by_size_kernel *own = search->kernel;
        const mgl_by_size_table *ours, *theirs;
        memset(levels, 0, search->frame.n_columns);
        levels[c] = search->frame.highest[c];
        assert_int_equal(mgl_by_size_roll_to_scratch(worker, finest, levels, NULL, &ours), MGL_OK);
        mgl_by_size_table copy = {.n = ours->n};
        copy.records = mgl_alloc_array(ours->n + 1, search->stride);
        memcpy(copy.records + search->stride, ours->records + search->stride,
               ours->n * search->stride);
        search->kernel = other;
        assert_int_equal(mgl_by_size_roll_to_scratch(worker, finest, levels, NULL, &theirs),
                         MGL_OK);
        search->kernel = own;
        assert_int_equal(copy.n, theirs->n);
        assert_memory_equal(copy.records + search->stride, theirs->records + search->stride,
                            copy.n * search->stride);
        compare_counts(search, other, theirs);
        mgl_free(copy.records);
    }
}

/* How many problems by this measure had tables to compare. */
static int compare_problems(const char *measure, const mgl_by_size_kernel *other)
{
    int compared = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        random_problem p;
        assert_true(random_problem_make(&p, seed));
        p.problem.measure = mgl_measure_type_find(measure);
        p.problem.limit += p.problem.limit == 0; /* counts of half a byte are for such problems */
        mgl_by_size *search = NULL;
        assert_int_equal(mgl_by_size_new(&p.problem, NULL, NULL, &search), MGL_OK);
        if (search != NULL && !search->frame.impossible &&
            search->kernel->lane_size == other->lane_size &&
            search->kernel->lanes == other->lanes) {
            compare_tables(search, other);
            compared++;
        }
        mgl_by_size_free(search);
        random_problem_free(&p);
    }
    return compared;
}

static void portable_kernel_equals_that_of_this_machine(void **state)
{
    (void)state;
    assert_true(compare_problems("class-size", &portable_kernel8) > 50);
    assert_true(compare_problems("class-size", &portable_kernel4) > 20);
}

static void narrow_vectors_equal_those_of_this_machine(void **state)
{
    (void)state;
    assert_true(compare_problems("class-size", &mgl_by_size_kernel4) > 20);
    assert_true(compare_problems("class-size", &mgl_by_size_kernel8) > 50);
    assert_true(compare_problems("discernibility", &mgl_by_size_kernel16) > 50);
    assert_true(compare_problems("entropy", &mgl_by_size_kernel16) > 50);
}

/* ---- In pieces --------------------------------------------------------------------------------
 */

static size_t record_size;

static int compare_records(const void *a, const void *b)
{
    return memcmp(a, b, record_size);
}

/* The records of a table, sorted. The caller frees them. */
static char *sorted_records(const mgl_by_size *search, const mgl_by_size_table *table)
{
    char *copy = mgl_alloc_array(table->n + 1, search->stride);
    memcpy(copy, table->records + search->stride, table->n * search->stride);
    record_size = search->stride;
    qsort(copy, table->n, search->stride, compare_records);
    return copy;
}

/* The table that leaves some columns at their highest levels, by one thread or by all of the pool,
 * from the finest one as it is or packed. */
static char *roll(mgl_by_size *search, size_t least, uint64_t highest, size_t *n)
{
    mgl_by_size_worker *worker = &search->workers[0];
    uint8_t levels[UINT8_MAX];
    const mgl_by_size_table *table;
    for (size_t c = 0; c < search->frame.n_columns; c++)
        levels[c] = highest >> c & 1 ? search->frame.highest[c] : 0;
    search->least_in_pieces = least;
    const mgl_by_size_table *finest = &search->first[search->frame.n_columns].table;
    assert_int_equal(mgl_by_size_roll_to_scratch(worker, finest, levels, NULL, &table), MGL_OK);
    *n = table->n;
    return sorted_records(search, table);
}

/* A packed copy of the finest table. The caller frees its records. */
static mgl_by_size_table pack_finest(const mgl_by_size *search)
{
    const mgl_by_size_table *finest = &search->first[search->frame.n_columns].table;
    mgl_by_size_range all = {0, finest->n};
    mgl_by_size_table packed = {.packed = true};
    packed.n = search->kernel->count_lanes(search, finest, all);
    packed.records = mgl_alloc_array(packed.n + 1, search->frame.words * sizeof(uint64_t) +
                                                       search->kernel->lane_size);
    search->kernel->pack(search, finest, all, 0, &packed);
    return packed;
}

static void compare_pieces(mgl_by_size *search, uint64_t highest)
{
    size_t n, in_pieces;
    char *whole = roll(search, SIZE_MAX, highest, &n);
    char *pieces = roll(search, 1, highest, &in_pieces);
    assert_int_equal(n, in_pieces);
    assert_memory_equal(whole, pieces, n * search->stride);
    mgl_free(pieces);
    if (search->n_planes == 0) {
        mgl_by_size_table *finest = &search->first[search->frame.n_columns].table;
        mgl_by_size_table plain = *finest, packed = pack_finest(search);
        *finest = packed;
        pieces = roll(search, 1, highest, &in_pieces);
        *finest = plain;
        assert_int_equal(n, in_pieces);
        assert_memory_equal(whole, pieces, n * search->stride);
        mgl_free(pieces);
        mgl_free(packed.records);
    }
    mgl_free(whole);
}

/* Tables of counts of one, two and four bytes, with and without sets of values. */
static void table_made_in_pieces_equals_that_of_one_thread(void **state)
{
    static const char *const measures[] = {"precision", "class-size", "entropy"};
    (void)state;
    mgl_pool *pool;
    int compared = 0;
    assert_int_equal(mgl_pool_new(3, NULL, &pool), MGL_OK);
    for (uint64_t seed = 0; seed < 200; seed++) {
        random_problem p;
        assert_true(random_problem_make(&p, seed));
        p.problem.measure = mgl_measure_type_find(measures[seed % 3]);
        p.problem.pool = pool;
        mgl_by_size *search = NULL;
        if (mgl_by_size_handles(&p.problem))
            assert_int_equal(mgl_by_size_new(&p.problem, NULL, NULL, &search), MGL_OK);
        if (search != NULL && !search->frame.impossible && mgl_pool_threads(pool) > 1) {
            for (uint64_t highest = 0; highest < 8; highest++)
                compare_pieces(search, highest);
            compared++;
        }
        mgl_by_size_free(search);
        random_problem_free(&p);
    }
    assert_true(compared > 50 || mgl_pool_threads(pool) == 1);
    mgl_pool_free(pool);
}

/* ---- In order ---------------------------------------------------------------------------------
 */

static uint64_t key_at(const mgl_by_size *search, const mgl_by_size_table *table, size_t i)
{
    uint64_t key;
    const char *first = table->packed ? table->records : table->records + search->stride;
    memcpy(&key, first + i * (table->packed ? sizeof key : search->stride), sizeof key);
    return key;
}

/* Keys that begin with the same bits lie side by side: a beginning that changes never comes back.
 */
static void check_order(const mgl_by_size *search, const mgl_by_size_table *table)
{
    uint64_t mask = table->ordered > 0 ? UINT64_MAX << (64 - table->ordered) : 0;
    for (size_t i = 1; i < table->n; i++)
        for (size_t j = 0; j + 1 < i; j++)
            if ((key_at(search, table, j) & mask) == (key_at(search, table, i) & mask))
                assert_int_equal(key_at(search, table, i) & mask,
                                 key_at(search, table, i - 1) & mask);
}

/* Rolls the finest table up twice, as it is and sorted. */
static void compare_order(mgl_by_size *search, mgl_by_size_table *finest, uint64_t highest,
                          const char *expected, size_t n)
{
    mgl_by_size_worker *worker = &search->workers[0];
    uint8_t levels[UINT8_MAX];
    const mgl_by_size_table *table = finest;
    for (size_t step = 0; step < 2; step++) { /* half of the columns first */
        for (size_t c = 0; c < search->frame.n_columns; c++)
            levels[c] = (step > 0 || c % 2 == 0) && highest >> c & 1 ? search->frame.highest[c] : 0;
        assert_int_equal(mgl_by_size_roll_to_scratch(worker, table, levels, NULL, &table), MGL_OK);
        check_order(search, table);
    }
    char *records = sorted_records(search, table);
    assert_int_equal(table->n, n);
    assert_memory_equal(records, expected, n * search->stride);
    mgl_free(records);
}

static void compare_sorted(mgl_by_size *search, mgl_by_size_table *table, uint64_t highest,
                           const char *expected, size_t n)
{
    unsigned bits = 59 - (unsigned)highest; /* all but those of the lane, or fewer */
    mgl_by_size_sort(search, bits, table);
    assert_int_equal(table->ordered, bits);
    for (size_t i = 1; i < table->n; i++)
        assert_true(key_at(search, table, i - 1) >> (64 - bits) <= key_at(search, table, i) >>
                    (64 - bits));
    compare_order(search, table, highest, expected, n);
}

/* The finest table of a problem, packed and as it is. */
static void compare_finest(mgl_by_size *search, uint64_t highest)
{
    size_t n;
    mgl_by_size_table *finest = &search->first[search->frame.n_columns].table;
    char *expected = roll(search, SIZE_MAX, highest, &n);
    mgl_by_size_table packed = pack_finest(search);
    packed.mask = finest->mask;
    compare_sorted(search, &packed, highest, expected, n);
    mgl_free(packed.records);
    compare_sorted(search, finest, highest, expected, n);
    mgl_free(expected);
}

static void sorted_tables_roll_up_to_the_same_and_keep_what_order_they_say(void **state)
{
    static const char *const measures[] = {"precision", "class-size", "entropy"};
    (void)state;
    int compared = 0;
    for (uint64_t seed = 0; seed < 200; seed++) {
        random_problem p;
        assert_true(random_problem_make(&p, seed));
        p.problem.measure = mgl_measure_type_find(measures[seed % 3]);
        mgl_by_size *search = NULL;
        if (mgl_by_size_handles(&p.problem))
            assert_int_equal(mgl_by_size_new(&p.problem, NULL, NULL, &search), MGL_OK);
        if (search != NULL && !search->frame.impossible && search->n_planes == 0 &&
            search->frame.words == 1) {
            compare_finest(search, seed / 3 % 16);
            compared++;
        }
        mgl_by_size_free(search);
        random_problem_free(&p);
    }
    assert_true(compared > 50);
}

/* ---- Large tables -------------------------------------------------------------------------------
 */

typedef struct found {
    mgl_optimum optimum;
    char *finest; /* records, sorted */
    size_t n;
} found;

static found search_with(mgl_problem problem, mgl_pool *pool)
{
    found f = {0};
    mgl_by_size *search = NULL;
    problem.pool = pool;
    assert_int_equal(mgl_by_size_new(&problem, NULL, NULL, &search), MGL_OK);
    const mgl_by_size_table *finest = &search->first[search->frame.n_columns].table;
    assert_false(finest->packed);
    f.finest = sorted_records(search, finest);
    f.n = finest->n * search->stride;
    mgl_by_size_free(search);
    mgl_ties_init(&f.optimum.ties, problem.list->n_attributes);
    assert_int_equal(
        mgl_engine_optimum(&mgl_engine_by_size, &problem, MGL_LITTLE_WORK, NULL, &f.optimum),
        MGL_OK);
    return f;
}

/* Those of as many columns are sorted where memory is not limited. */
static void large_list_gives_the_same_sorted(void **state)
{
    (void)state;
    random_problem p;
    assert_true(random_problem_make_wide(&p, 9, 110000, 5));
    p.problem.measure = mgl_measure_type_find("precision");
    p.problem.limit = p.list->n_rows / 20;
    mgl_optimum found[2] = {0};
    for (size_t i = 0; i < 2; i++) {
        mgl_by_size *search = NULL;
        p.problem.memory = i * (UINT64_C(1) << 33);
        assert_int_equal(mgl_by_size_new(&p.problem, NULL, NULL, &search), MGL_OK);
        assert_int_equal(search->first[search->frame.n_columns].table.ordered > 0, i == 0);
        mgl_by_size_free(search);
        mgl_ties_init(&found[i].ties, p.n_attributes);
        assert_int_equal(
            mgl_engine_optimum(&mgl_engine_by_size, &p.problem, MGL_LITTLE_WORK, NULL, &found[i]),
            MGL_OK);
    }
    assert_true(found[0].ties.n > 0 && found[0].ties.n == found[1].ties.n);
    assert_memory_equal(found[0].ties.nodes, found[1].ties.nodes,
                        found[0].ties.n * p.n_attributes * sizeof *found[0].ties.nodes);
    mgl_ties_free(&found[0].ties);
    mgl_ties_free(&found[1].ties);
    random_problem_free(&p);
}

/* With more tuples than one thread makes tables of by itself. */
static void large_list_gives_the_same_on_several_threads(void **state)
{
    (void)state;
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(3, NULL, &pool), MGL_OK);
    for (uint64_t seed = 0; seed < 3; seed++) {
        random_problem p;
        assert_true(random_problem_make_wide(&p, 6 + seed, 70000, seed));
        p.problem.measure = mgl_measure_type_find("precision");
        p.problem.limit = p.list->n_rows / 20;
        assert_true(mgl_by_size_is_large(&p.problem));
        found one = search_with(p.problem, NULL), some = search_with(p.problem, pool);
        assert_int_equal(one.n, some.n);
        assert_memory_equal(one.finest, some.finest, one.n);
        assert_int_equal(one.optimum.checked, some.optimum.checked);
        assert_true(one.optimum.ties.n > 0 && one.optimum.ties.n == some.optimum.ties.n);
        assert_memory_equal(one.optimum.ties.nodes, some.optimum.ties.nodes,
                            one.optimum.ties.n * p.n_attributes * sizeof *some.optimum.ties.nodes);
        mgl_ties_free(&one.optimum.ties);
        mgl_ties_free(&some.optimum.ties);
        mgl_free(one.finest);
        mgl_free(some.finest);
        random_problem_free(&p);
    }
    mgl_pool_free(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(portable_kernel_equals_that_of_this_machine),
        cmocka_unit_test(table_made_in_pieces_equals_that_of_one_thread),
        cmocka_unit_test(sorted_tables_roll_up_to_the_same_and_keep_what_order_they_say),
        cmocka_unit_test(large_list_gives_the_same_sorted),
        cmocka_unit_test(large_list_gives_the_same_on_several_threads),
        cmocka_unit_test(narrow_vectors_equal_those_of_this_machine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
