/* Releasing a partition of tuples: common ancestors, ranges, missing cells and level bounds. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "tuples.h"
#include "search/cluster/partition/partition.h"

#include <string.h>

enum { MOST_COLUMNS = 4, MOST_TUPLES = 8 };

/* A table of tuples, each value given by its text; "" is missing. */
typedef struct table {
    size_t m, n;
    mgl_dictionary *dictionaries[MOST_COLUMNS];
    mgl_hierarchy *hierarchies[MOST_COLUMNS];
    mgl_released_column *columns[MOST_COLUMNS];
    uint32_t min_level[MOST_COLUMNS], max_level[MOST_COLUMNS];
    mgl_frequency_list *list;
    uint32_t number[MOST_TUPLES]; /* of the tuples in the list */
    mgl_problem problem;
} table;

static void add_column(table *x, size_t a, const char *builder, const char *const *cells)
{
    x->dictionaries[a] = mgl_dictionary_new();
    for (size_t t = 0; t < x->n; t++) {
        mgl_span cell = mgl_span_of(cells[t * x->m + a]);
        if (cell.size == 0)
            mgl_dictionary_add_missing(x->dictionaries[a], cell);
        else
            mgl_dictionary_add(x->dictionaries[a], cell);
    }
    assert_int_equal(
        mgl_hierarchy_make(builder, "column", x->dictionaries[a], NULL, &x->hierarchies[a]),
        MGL_OK);
    assert_int_equal(mgl_released_column_new(x->hierarchies[a], NULL, &x->columns[a]), MGL_OK);
    x->max_level[a] = x->hierarchies[a]->height;
}

static uint32_t leaf_of(const table *x, size_t a, const char *cell)
{
    uint32_t level, leaf;
    if (cell[0] == '\0')
        return x->hierarchies[a]->missing_leaf;
    assert_true(mgl_hierarchy_find(x->hierarchies[a], mgl_span_of(cell), &level, &leaf));
    assert_int_equal(level, 0);
    return leaf;
}

/* builders[a] NULL: no hierarchy. cells[t * m + a]. */
static void make(table *x, size_t m, const char *const *builders, size_t n,
                 const char *const *cells)
{
    uint32_t leaves[MOST_TUPLES * MOST_COLUMNS];
    uint64_t counts[MOST_TUPLES];
    *x = (table){.m = m, .n = n};
    for (size_t a = 0; a < m; a++)
        add_column(x, a, builders[a], cells);
    for (size_t t = 0; t < n; t++) {
        counts[t] = 1;
        for (size_t a = 0; a < m; a++)
            leaves[t * m + a] = leaf_of(x, a, cells[t * m + a]);
    }
    assert_int_equal(
        tuples_listed((const mgl_hierarchy *const *)x->hierarchies, m, leaves, counts, n, &x->list),
        MGL_OK);
    assert_int_equal(x->list->n_tuples, n);
    for (size_t t = 0; t < n; t++)
        for (uint32_t u = 0; u < n; u++) {
            bool same = true;
            for (size_t a = 0; a < m; a++)
                same = same && mgl_list_leaf(x->list, u, a) == leaves[t * m + a];
            x->number[t] = same ? u : x->number[t];
        }
    x->problem = (mgl_problem){.list = x->list,
                               .columns = (const mgl_released_column *const *)x->columns,
                               .min_level = x->min_level,
                               .max_level = x->max_level};
}

static void forget(table *x)
{
    for (size_t a = 0; a < x->m; a++) {
        mgl_released_column_free(x->columns[a]);
        mgl_hierarchy_free(x->hierarchies[a]);
        mgl_dictionary_free(x->dictionaries[a]);
    }
    mgl_frequency_list_free(x->list);
}

/* Releases the partition and compares the text of every cell. */
static void releases(const table *x, const uint32_t *clusters, size_t n_clusters,
                     const char *const *wanted)
{
    uint32_t cluster_of_tuple[MOST_TUPLES];
    mgl_recoding *r;
    for (size_t t = 0; t < x->n; t++)
        cluster_of_tuple[x->number[t]] = clusters[t];
    assert_int_equal(mgl_partition_recode(&x->problem, cluster_of_tuple, n_clusters, NULL, &r),
                     MGL_OK);
    for (size_t t = 0; t < x->n; t++)
        for (size_t a = 0; a < x->m; a++) {
            mgl_span text = r->columns[a]->values[r->cells[a][x->number[t]]].label;
            if (!mgl_span_is(text, wanted[t * x->m + a]))
                fail_msg("tuple %zu, column %zu: %.*s, not %s", t, a, (int)text.size, text.data,
                         wanted[t * x->m + a]);
            assert_false(r->suppressed[x->number[t]]);
        }
    mgl_recoding_free(r);
}

/* clang-format off */
static const char *const people[] = {
    /* zip, age, born, sex */
    "02138", "31", "1960-02-29", "f",
    "02139", "40", "1961-12-01", "f",
    "02141", "31", "1960-02-29", "m",
    "02238", "",   "1999-01-01", "m",
    "90210", "",   "",           "m",
};
static const char *const builders[] = {"mask(right,3)", NULL, NULL, NULL};

static void clusters_are_released_as_what_they_have_in_common(void **state)
{
    (void)state;
    table x;
    make(&x, 4, builders, 5, people);
    releases(&x, (uint32_t[]){0, 0, 1, 1, 1}, 2, (const char *const[]){
        "0213*", "31-40", "[1960-02-29,1961-12-01]", "f",
        "0213*", "31-40", "[1960-02-29,1961-12-01]", "f",
        "*",     "*",     "*",                       "m",
        "*",     "*",     "*",                       "m",
        "*",     "*",     "*",                       "m",
    });
    releases(&x, (uint32_t[]){4, 2, 4, 0, 0}, 5, (const char *const[]){ /* some clusters are empty */
        "021**", "31", "1960-02-29", "*",
        "02139", "40", "1961-12-01", "f",
        "021**", "31", "1960-02-29", "*",
        "*",     "",   "*",          "m",
        "*",     "",   "*",          "m",
    });
    releases(&x, (uint32_t[]){0, 1, 2, 3, 4}, 5, people);
    forget(&x);
}

/* The lowest level is that of --level; a column whose levels are bounded is no column of ranges. */
static void level_bounds_raise_what_clusters_are_released_as(void **state)
{
    (void)state;
    table x;
    make(&x, 4, builders, 5, people);
    x.min_level[0] = 2;
    x.min_level[1] = 1;
    x.max_level[3] = 0;
    releases(&x, (uint32_t[]){0, 0, 1, 1, 2}, 3, (const char *const[]){
        "021**", "*", "[1960-02-29,1961-12-01]", "f",
        "021**", "*", "[1960-02-29,1961-12-01]", "f",
        "02***", "*", "[1960-02-29,1999-01-01]", "m",
        "02***", "*", "[1960-02-29,1999-01-01]", "m",
        "902**", "*", "",                        "m",
    });
    forget(&x);
}
/* clang-format on */

static void numbers_and_dates_without_hierarchy_are_ranges(void **state)
{
    (void)state;
    table x;
    make(&x, 4, builders, 5, people);
    bool wanted[] = {false, true, true, false};
    for (size_t a = 0; a < 4; a++) {
        mgl_scale *scale;
        assert_int_equal(mgl_partition_scale(&x.problem, a, NULL, &scale), MGL_OK);
        assert_int_equal(scale != NULL, wanted[a]);
        mgl_scale_free(scale);
    }
    x.max_level[1] = 0;
    x.min_level[2] = 1;
    for (size_t a = 1; a < 3; a++) {
        mgl_scale *scale;
        assert_int_equal(mgl_partition_scale(&x.problem, a, NULL, &scale), MGL_OK);
        assert_null(scale);
    }
    forget(&x);
}

static void level_bounds_divide_the_table(void **state)
{
    (void)state;
    table x;
    uint32_t clusters[MOST_TUPLES];
    size_t n;
    make(&x, 4, builders, 5, people);
    assert_int_equal(mgl_partition_widest(&x.problem, NULL, clusters, &n), MGL_OK);
    assert_int_equal(n, 1);
    x.max_level[0] = 2; /* 021**, 022**, 902** */
    assert_int_equal(mgl_partition_widest(&x.problem, NULL, clusters, &n), MGL_OK);
    assert_int_equal(n, 3);
    assert_int_equal(clusters[x.number[0]], clusters[x.number[1]]);
    assert_int_equal(clusters[x.number[0]], clusters[x.number[2]]);
    assert_int_not_equal(clusters[x.number[0]], clusters[x.number[3]]);
    assert_int_not_equal(clusters[x.number[3]], clusters[x.number[4]]);
    x.max_level[3] = 0; /* and by sex */
    assert_int_equal(mgl_partition_widest(&x.problem, NULL, clusters, &n), MGL_OK);
    assert_int_equal(n, 4);
    assert_int_not_equal(clusters[x.number[0]], clusters[x.number[2]]);
    forget(&x);
}

static void every_failed_allocation_is_an_error(void **state)
{
    (void)state;
#ifdef MGL_FAULTS
    table x;
    uint32_t clusters[MOST_TUPLES] = {0};
    make(&x, 4, builders, 5, people);
    mgl_status status = MGL_SYSTEM;
    for (uint64_t number = 1; status != MGL_OK; number++) {
        mgl_recoding *r = NULL;
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = mgl_partition_recode(&x.problem, clusters, 1, NULL, &r);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(status == MGL_OK || status == MGL_SYSTEM);
        assert_int_equal(status == MGL_OK, r != NULL);
        assert_true(number < 1000);
        mgl_recoding_free(r);
    }
    status = MGL_SYSTEM;
    for (uint64_t number = 1; status != MGL_OK; number++) {
        size_t n;
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        status = mgl_partition_widest(&x.problem, NULL, clusters, &n);
        mgl_fault_arm(MGL_FAULT_MEMORY, 0);
        assert_true(number < 1000);
    }
    forget(&x);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clusters_are_released_as_what_they_have_in_common),
        cmocka_unit_test(level_bounds_raise_what_clusters_are_released_as),
        cmocka_unit_test(numbers_and_dates_without_hierarchy_are_ranges),
        cmocka_unit_test(level_bounds_divide_the_table),
        cmocka_unit_test(every_failed_allocation_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
