/* What queries find in random releases of many classes, against a plain sum that goes through the
 * classes in their order: equal to the last bit, for any number of threads. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "random_problem.h"
#include "utility/queries.h"

#include <stdlib.h>

enum { CLASSES = 9000, COLUMNS = 5 };

typedef struct fixture {
    mgl_random random;
    mgl_hierarchy *hierarchies[COLUMNS];
    mgl_released_column *columns[COLUMNS];
    const mgl_released_column *borrowed[COLUMNS];
    uint32_t *cells[COLUMNS], first[CLASSES];
    uint64_t sizes[CLASSES];
    mgl_released_tuples tuples;
    mgl_query queries[MGL_QUERIES];
} fixture;

/* Most columns are at the ground, one is at some level; some classes are at the top of all. */
static uint32_t draw_cell(fixture *f, size_t a, bool top, uint32_t level)
{
    const mgl_released_column *column = f->columns[a];
    uint32_t leaf = (uint32_t)mgl_random_below(&f->random, column->hierarchy->n_leaves);
    uint32_t height = column->hierarchy->height;
    return top ? column->top : column->of_leaf[level < height ? level : height][leaf];
}

static void draw_queries(fixture *f)
{
    for (size_t q = 0; q < MGL_QUERIES; q++) {
        mgl_query *query = &f->queries[q];
        query->n_columns = 1 + mgl_random_below(&f->random, MGL_QUERY_COLUMNS);
        for (size_t i = 0; i < query->n_columns; i++) {
            query->column[i] = (q + i * 2) % COLUMNS;
            uint32_t leaves = f->hierarchies[query->column[i]]->n_leaves;
            uint32_t x = (uint32_t)mgl_random_below(&f->random, leaves);
            uint32_t y = (uint32_t)mgl_random_below(&f->random, leaves);
            query->low[i] = x < y ? x : y;
            query->high[i] = x < y ? y : x;
        }
    }
}

/* How many classes are at the top of all columns: none, one, or a tenth. */
static fixture *make(uint64_t seed, size_t n_classes)
{
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    mgl_random_seed(&f->random, seed);
    for (size_t a = 0; a < COLUMNS; a++) {
        f->hierarchies[a] = random_hierarchy(&f->random, 2 + (uint32_t)(seed + a * 7) % 30, 3);
        assert_non_null(f->hierarchies[a]);
        assert_int_equal(mgl_released_column_new(f->hierarchies[a], NULL, &f->columns[a]), MGL_OK);
        f->borrowed[a] = f->columns[a];
        f->cells[a] = calloc(n_classes, sizeof(uint32_t));
        assert_non_null(f->cells[a]);
    }
    size_t lonely = mgl_random_below(&f->random, n_classes), coarse = seed % (COLUMNS + 1);
    for (size_t c = 0; c < n_classes; c++) {
        bool top =
            seed % 3 == 0 ? c == lonely : seed % 3 == 1 && mgl_random_below(&f->random, 10) == 0;
        f->first[c] = (uint32_t)c;
        f->sizes[c] = 1 + mgl_random_below(&f->random, c % 100 == 0 ? 1000000 : 7);
        for (size_t a = 0; a < COLUMNS; a++)
            f->cells[a][c] = draw_cell(f, a, top, a == coarse ? 1 : 0);
    }
    f->tuples = (mgl_released_tuples){.n_attributes = COLUMNS,
                                      .n_tuples = n_classes,
                                      .cells = f->cells,
                                      .first = f->first,
                                      .dropped_rows = seed % 5,
                                      .class_of = f->first,
                                      .class_sizes = f->sizes,
                                      .n_classes = n_classes};
    draw_queries(f);
    return f;
}

static void end(fixture *f)
{
    for (size_t a = 0; a < COLUMNS; a++) {
        mgl_released_column_free(f->columns[a]);
        mgl_arena_free(f->hierarchies[a]->arena);
        free(f->cells[a]);
    }
    free(f);
}

/* The share of a released value's leaves that lie in a range, added up leaf by leaf. */
static double share(const mgl_released_column *column, uint32_t value, uint32_t low, uint32_t high)
{
    double sum = 0;
    uint32_t level = (uint32_t)column->values[value].level;
    for (uint32_t leaf = low; leaf <= high; leaf++)
        sum += column->of_leaf[level][leaf] == value ? 1.0 / column->values[value].leaves : 0;
    return sum;
}

static double find_plainly(const fixture *f, const mgl_query *q)
{
    double sum = 0, lost = (double)f->tuples.dropped_rows;
    for (size_t c = 0; c < f->tuples.n_classes; c++) {
        double rows = (double)f->sizes[c];
        for (size_t i = 0; i < q->n_columns; i++)
            rows *=
                share(f->columns[q->column[i]], f->cells[q->column[i]][c], q->low[i], q->high[i]);
        sum += rows;
    }
    for (size_t i = 0; i < q->n_columns; i++)
        lost *=
            share(f->columns[q->column[i]], f->columns[q->column[i]]->top, q->low[i], q->high[i]);
    return sum + lost;
}

static void compare(uint64_t seed, size_t n_classes, mgl_pool *pool)
{
    fixture *f = make(seed, n_classes);
    double estimates[MGL_QUERIES];
    assert_int_equal(mgl_class_cells_make(&f->tuples, pool, NULL), MGL_OK);
    assert_int_equal(
        mgl_query_estimates(&f->tuples, f->borrowed, f->queries, pool, NULL, estimates), MGL_OK);
    for (size_t q = 0; q < MGL_QUERIES; q++) {
        double wanted = find_plainly(f, &f->queries[q]);
        if (estimates[q] != wanted)
            fail_msg("seed %llu, query %zu: %.17g, must be %.17g", (unsigned long long)seed, q,
                     estimates[q], wanted);
    }
    mgl_class_cells_free(&f->tuples);
    end(f);
}

static void estimates_are_the_sums_in_the_order_of_the_classes(void **state)
{
    mgl_pool *pool = NULL;
    (void)state;
    assert_int_equal(mgl_pool_new(3, NULL, &pool), MGL_OK);
    for (uint64_t seed = 0; seed < 24; seed++)
        compare(seed, seed % 4 == 3 ? 300 : CLASSES - 37 * (size_t)seed, seed % 2 ? pool : NULL);
    mgl_pool_free(pool);
}

/* Nearly all classes of which a query finds rows are found whole: those are counted in blocks. */
static void queries_on_ground_values_are_counted_in_blocks(void **state)
{
    (void)state;
    fixture *f = make(5 + 6 * 4, CLASSES); /* every column at the ground, nothing at the top */
    mgl_query_classes classes = {.columns = f->borrowed,
                                 .n_attributes = COLUMNS,
                                 .n_classes = CLASSES,
                                 .most_values = 200,
                                 .most_leaves = 40,
                                 .cells = f->cells,
                                 .sizes = f->sizes};
    mgl_whole_queries whole;
    assert_int_equal(mgl_whole_queries_find(&classes, f->queries, NULL, NULL, &whole), MGL_OK);
    for (size_t q = 0; q < MGL_QUERIES; q++) {
        double rows = 0;
        assert_true(mgl_query_in(&whole.which, q));
        for (size_t block = 0; block < mgl_query_blocks(&classes); block++) {
            assert_false(mgl_query_in(&whole.mixed[block], q));
            rows += whole.rows[block][q];
        }
        f->tuples.dropped_rows = 0;
        assert_true(rows == find_plainly(f, &f->queries[q]));
    }
    mgl_whole_queries_free(&whole);
    end(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(estimates_are_the_sums_in_the_order_of_the_classes),
        cmocka_unit_test(queries_on_ground_values_are_counted_in_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
