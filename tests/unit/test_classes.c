/* classes: the frequency list, merging, finding tuples and making groups, against naive
 * counting; keys of one word and of many. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "tuples.h"
#include "classes/row_keys.h"
#include "classes/counter.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ATTRIBUTES = 70, MOST_ROWS = 3000, SENSITIVE = 2 };

/* A table of numbers, bound to hierarchies of two levels. */
typedef struct sample {
    size_t n_attributes, n_rows;
    mgl_table *table; /* attributes, then sensitive columns */
    mgl_hierarchy *hierarchies[MOST_ATTRIBUTES];
    uint32_t *leaf_of_code[MOST_ATTRIBUTES];
    mgl_bound_column bound[MOST_ATTRIBUTES];
    const mgl_column *sensitive[SENSITIVE];
} sample;

static void fill(sample *s, size_t n_attributes, size_t n_rows, int n_values, uint64_t seed)
{
    brute_random random = {seed};
    *s = (sample){.n_attributes = n_attributes, .n_rows = n_rows};
    s->table = mgl_table_new(n_attributes + SENSITIVE);
    assert_non_null(s->table);
    s->table->n_rows = n_rows;
    for (size_t c = 0; c < n_attributes + SENSITIVE; c++) {
        mgl_column *column = &s->table->columns[c];
        char text[16];
        for (size_t r = 0; r < n_rows; r++) {
            /* Rows repeat others, whole or but for their last cell, so that tuples have counts
             * and begin alike; sensitive cells do not. */
            bool repeats = r % 3 == 1 || (r % 3 == 2 && c + 1 < n_attributes);
            size_t like = c < n_attributes && repeats ? r - 1 : r;
            int value = brute_below(&random, n_values);
            snprintf(text, sizeof text, "%d", value);
            uint32_t code = like != r ? mgl_column_code(column, like)
                                      : mgl_dictionary_add(column->dictionary, mgl_span_of(text));
            assert_true(mgl_column_widen(column, r, code));
            assert_true(mgl_column_reserve(column, r, 1));
            mgl_column_set(column, r, code);
        }
        if (c >= n_attributes) {
            s->sensitive[c - n_attributes] = column;
            continue;
        }
        assert_int_equal(
            mgl_hierarchy_make(NULL, "x", column->dictionary, NULL, &s->hierarchies[c]), MGL_OK);
        s->leaf_of_code[c] = malloc(mgl_dictionary_size(column->dictionary) * sizeof(uint32_t));
        assert_int_equal(mgl_hierarchy_bind(s->hierarchies[c], "x", column->dictionary, NULL,
                                            s->leaf_of_code[c]),
                         MGL_OK);
        s->bound[c] = (mgl_bound_column){column, s->hierarchies[c], s->leaf_of_code[c]};
    }
}

static void release(sample *s)
{
    for (size_t a = 0; a < s->n_attributes; a++) {
        mgl_hierarchy_free(s->hierarchies[a]);
        free(s->leaf_of_code[a]);
    }
    mgl_table_free(s->table);
}

static uint32_t leaf(const sample *s, size_t row, size_t a)
{
    return s->leaf_of_code[a][mgl_column_code(s->bound[a].column, row)];
}

static bool row_is_tuple(const sample *s, size_t row, const mgl_frequency_list *list, size_t t)
{
    for (size_t a = 0; a < s->n_attributes; a++)
        if (leaf(s, row, a) != mgl_list_leaf(list, t, a))
            return false;
    return true;
}

/* The tuple of a row by looking at all of them. */
static size_t naive_tuple(const sample *s, size_t row, const mgl_frequency_list *list)
{
    for (size_t t = 0; t < list->n_tuples; t++)
        if (row_is_tuple(s, row, list, t))
            return t;
    fail_msg("row %zu is not in the list", row);
    return 0;
}

static void check_order(const mgl_frequency_list *list)
{
    for (size_t t = 1; t < list->n_tuples; t++) {
        int order = 0;
        for (size_t a = 0; order == 0 && a < list->n_attributes; a++) {
            uint32_t x = mgl_list_leaf(list, t - 1, a), y = mgl_list_leaf(list, t, a);
            order = x < y ? -1 : x > y;
        }
        assert_true(order < 0); /* ascending, each once */
    }
}

/* Counts and histograms of the first n rows. */
static void check_list(const sample *s, const mgl_frequency_list *list, size_t n)
{
    const uint64_t *times = s->table->times;
    uint64_t n_rows = 0;
    size_t n_values[SENSITIVE];
    uint64_t *counts = calloc(list->n_tuples, sizeof *counts), *dense[SENSITIVE];
    for (int c = 0; c < SENSITIVE; c++) {
        n_values[c] = mgl_dictionary_size(s->sensitive[c]->dictionary);
        dense[c] = calloc(list->n_tuples * n_values[c], sizeof **dense);
    }
    for (size_t r = 0; r < n; r++) {
        size_t t = naive_tuple(s, r, list);
        uint64_t amount = times != NULL ? times[r] : 1;
        n_rows += amount;
        counts[t] += amount;
        for (int c = 0; c < SENSITIVE; c++)
            dense[c][t * n_values[c] + mgl_column_code(s->sensitive[c], r)] += amount;
    }
    assert_int_equal(list->n_rows, n_rows);
    for (size_t t = 0; t < list->n_tuples; t++) {
        assert_true(counts[t] > 0);
        assert_int_equal(list->counts[t], counts[t]);
        for (int c = 0; c < SENSITIVE; c++) {
            const mgl_sparse *sparse = &list->sensitive[c];
            size_t i = sparse->start[t];
            for (uint32_t v = 0; v < n_values[c]; v++) {
                uint64_t rows = dense[c][t * n_values[c] + v];
                if (rows == 0)
                    continue;
                assert_true(i < sparse->start[t + 1]);
                assert_int_equal(sparse->values[i], v);
                assert_int_equal(sparse->counts[i++], rows);
            }
            assert_int_equal(i, sparse->start[t + 1]);
        }
    }
    check_order(list);
    free(counts);
    for (int c = 0; c < SENSITIVE; c++)
        free(dense[c]);
}

static mgl_frequency_list *count(const sample *s, size_t n_rows)
{
    mgl_frequency_list *list;
    mgl_error err = {0};
    if (mgl_frequency_list_new(&(mgl_count_request){.quasi = s->bound,
                                                    .n_quasi = s->n_attributes,
                                                    .counted = s->sensitive,
                                                    .n_counted = SENSITIVE,
                                                    .n_sensitive = SENSITIVE,
                                                    .n_rows = n_rows,
                                                    .times = s->table->times},
                               NULL, &err, &list) != MGL_OK)
        fail_msg("%s", err.message);
    return list;
}

static const struct {
    size_t n_attributes, n_rows;
    int n_values;
    size_t least_words;
} shapes[] = {
    {1, 1, 1, 1},     {1, 50, 1, 1},     {2, 300, 3, 1},    {5, 600, 6, 1},  {8, 700, 256, 1},
    {9, 700, 300, 1}, {12, 800, 100, 2}, {13, 400, 700, 2}, {40, 300, 5, 2}, {70, 200, 90, 7},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void lists_have_each_tuple_with_its_count(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        sample s;
        fill(&s, shapes[i].n_attributes, shapes[i].n_rows, shapes[i].n_values, i);
        mgl_frequency_list *list = count(&s, s.n_rows);
        assert_true(list->packing.n_words >= shapes[i].least_words);
        check_list(&s, list, s.n_rows);
        mgl_frequency_list_free(list);
        release(&s);
    }
}

/* A row that tells of many records counts as often, also beyond what a packed count holds. */
static void counted_tables_count_right(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        sample s;
        fill(&s, shapes[i].n_attributes, shapes[i].n_rows, shapes[i].n_values, i);
        s.table->times = mgl_alloc_array(s.n_rows, sizeof *s.table->times);
        for (size_t r = 0; r < s.n_rows; r++)
            s.table->times[r] = r % 11 == 0 ? UINT64_C(5000000000) : 1 + r % 3;
        mgl_frequency_list *list = count(&s, s.n_rows);
        check_list(&s, list, s.n_rows);
        mgl_frequency_list_free(list);
        release(&s);
    }
}

static void check_same(const mgl_frequency_list *x, const mgl_frequency_list *y)
{
    assert_int_equal(x->n_tuples, y->n_tuples);
    assert_int_equal(x->n_rows, y->n_rows);
    assert_memory_equal(x->counts, y->counts, x->n_tuples * sizeof *x->counts);
    assert_memory_equal(x->keys, y->keys, x->n_tuples * x->packing.n_words * sizeof *x->keys);
}

/* What a list remembers of its rows is what a finder finds. */
static void check_recalled(const sample *s, const mgl_frequency_list *list)
{
    mgl_tuple_finder *finder;
    uint32_t *found = malloc(s->n_rows * sizeof *found);
    uint32_t *recalled = malloc(s->n_rows * sizeof *recalled);
    assert_true(mgl_list_remembers(list, s->bound));
    assert_int_equal(mgl_tuple_finder_new(list, s->bound, NULL, &finder), MGL_OK);
    mgl_tuple_find(finder, 0, s->n_rows, found);
    for (size_t row = 0, n; row < s->n_rows; row += n) {
        n = s->n_rows - row < 99991 ? s->n_rows - row : 99991;
        mgl_list_recall(list, row, n, recalled + row);
    }
    assert_memory_equal(found, recalled, s->n_rows * sizeof *found);
    mgl_tuple_finder_free(finder);
    free(found);
    free(recalled);
}

/* Large tables are counted by all threads, in ranges of keys: few tuples, nearly as many as rows,
 * keys of several words; and with rows that stand for many. */
static void threads_count_like_one(void **state)
{
    (void)state;
    static const struct {
        size_t n_attributes;
        int n_values;
        size_t words, n_rows;
    } large[] = {{1, 1, 1, MGL_MANY_ROWS},
                 {2, 9, 1, MGL_MANY_ROWS + 1000},
                 {4, 200, 1, MGL_MANY_ROWS + 2000},
                 {9, 250, 2, MGL_MANY_ROWS + 3000},
                 {4, 250, 1, 700001}}; /* tables of slots grow while slots are remembered */
    mgl_pool *pool;
    assert_int_equal(mgl_pool_new(3, NULL, &pool), MGL_OK);
    for (size_t i = 0; i < sizeof large / sizeof large[0]; i++) {
        sample s;
        fill(&s, large[i].n_attributes, large[i].n_rows, large[i].n_values, 200 + i);
        for (int counted = 0; counted < 2; counted++) {
            mgl_frequency_list *one, *all;
            assert_int_equal(mgl_frequency_list_new(&(mgl_count_request){.quasi = s.bound,
                                                                         .n_quasi = s.n_attributes,
                                                                         .n_rows = s.n_rows,
                                                                         .times = s.table->times},
                                                    NULL, NULL, &one),
                             MGL_OK);
            assert_int_equal(mgl_frequency_list_new(&(mgl_count_request){.quasi = s.bound,
                                                                         .n_quasi = s.n_attributes,
                                                                         .n_rows = s.n_rows,
                                                                         .times = s.table->times,
                                                                         .remember = true},
                                                    pool, NULL, &all),
                             MGL_OK);
            assert_int_equal(one->packing.n_words, large[i].words);
            check_same(one, all);
            assert_false(mgl_list_remembers(one, s.bound));
            if (counted == 0)
                check_recalled(&s, all);
            else
                assert_false(mgl_list_remembers(all, s.bound));
            mgl_frequency_list_free(one);
            mgl_frequency_list_free(all);
            if (counted == 0)
                s.table->times = mgl_alloc_array(s.n_rows, sizeof *s.table->times);
            for (size_t r = 0; counted == 0 && r < s.n_rows; r++)
                s.table->times[r] = r % 1001 == 0 ? UINT64_C(5000000000) : r % 3;
        }
        release(&s);
    }
    mgl_pool_free(pool);
}

static void finder_finds_every_row(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        sample s;
        fill(&s, shapes[i].n_attributes, shapes[i].n_rows, shapes[i].n_values, 100 + i);
        mgl_frequency_list *list = count(&s, s.n_rows);
        mgl_tuple_finder *finder;
        assert_int_equal(mgl_tuple_finder_new(list, s.bound, NULL, &finder), MGL_OK);
        uint32_t *tuples = malloc(s.n_rows * sizeof *tuples);
        for (size_t first = 0; first < s.n_rows; first += 1 + s.n_rows / 3) {
            mgl_tuple_find(finder, first, s.n_rows - first, tuples);
            for (size_t r = first; r < s.n_rows; r++)
                assert_int_equal(tuples[r - first], naive_tuple(&s, r, list));
        }
        free(tuples);
        mgl_tuple_finder_free(finder);
        mgl_frequency_list_free(list);
        release(&s);
    }
}

/* The rows from a certain one on, as columns of their own. */
static void shift_rows(sample *s, size_t first)
{
    for (size_t c = 0; c < s->n_attributes + SENSITIVE; c++) {
        mgl_column *column = &s->table->columns[c];
        memmove(column->codes, (char *)column->codes + first * column->width,
                (s->n_rows - first) * column->width);
    }
}

static bool same_list(const mgl_frequency_list *a, const mgl_frequency_list *b)
{
    size_t n = a->n_tuples, words = a->packing.n_words;
    if (n != b->n_tuples || a->n_rows != b->n_rows || words != b->packing.n_words ||
        memcmp(a->keys, b->keys, n * words * sizeof *a->keys) != 0 ||
        memcmp(a->counts, b->counts, n * sizeof *a->counts) != 0)
        return false;
    for (size_t s = 0; s < a->n_histograms; s++) {
        const mgl_sparse *x = &a->sensitive[s], *y = &b->sensitive[s];
        size_t m = x->start[n];
        if (memcmp(x->start, y->start, (n + 1) * sizeof *x->start) != 0 ||
            memcmp(x->values, y->values, m * sizeof *x->values) != 0 ||
            memcmp(x->counts, y->counts, m * sizeof *x->counts) != 0)
            return false;
    }
    return true;
}

static void parts_merge_to_the_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++) {
        sample s;
        fill(&s, shapes[i].n_attributes, shapes[i].n_rows, shapes[i].n_values, 200 + i);
        mgl_frequency_list *whole = count(&s, s.n_rows);
        size_t half = s.n_rows / 2;
        mgl_frequency_list *merged = count(&s, half);
        shift_rows(&s, half);
        mgl_frequency_list *more = count(&s, s.n_rows - half);
        assert_int_equal(mgl_frequency_list_merge(merged, more, NULL), MGL_OK);
        assert_true(same_list(whole, merged));
        mgl_frequency_list_free(whole);
        mgl_frequency_list_free(merged);
        mgl_frequency_list_free(more);
        release(&s);
    }
}

static void foreign_parts_are_refused(void **state)
{
    (void)state;
    sample s, other;
    fill(&s, 3, 40, 4, 1);
    fill(&other, 3, 40, 4, 2);
    mgl_frequency_list *list = count(&s, 40), *before = count(&s, 40), *more = count(&other, 40);
    mgl_error err = {0};
    assert_int_equal(mgl_frequency_list_merge(list, more, &err), MGL_USAGE);
    assert_true(err.message[0] != '\0');
    assert_true(same_list(list, before));
    mgl_frequency_list_free(list);
    mgl_frequency_list_free(before);
    mgl_frequency_list_free(more);
    release(&s);
    release(&other);
}

static void rows_in_another_order_make_the_same_list(void **state)
{
    (void)state;
    sample s;
    fill(&s, 12, 500, 100, 7);
    mgl_frequency_list *whole = count(&s, s.n_rows), *list;
    uint32_t *leaves = malloc(s.n_rows * s.n_attributes * sizeof *leaves);
    uint64_t *ones = malloc(s.n_rows * sizeof *ones);
    for (size_t r = 0; r < s.n_rows; r++) {
        ones[r] = 1;
        for (size_t a = 0; a < s.n_attributes; a++)
            leaves[r * s.n_attributes + a] = leaf(&s, s.n_rows - 1 - r, a);
    }
    assert_int_equal(tuples_listed((const mgl_hierarchy *const *)s.hierarchies, s.n_attributes,
                                   leaves, ones, s.n_rows, &list),
                     MGL_OK);
    assert_int_equal(list->n_tuples, whole->n_tuples);
    assert_memory_equal(list->counts, whole->counts, whole->n_tuples * sizeof *whole->counts);
    for (size_t t = 0; t < list->n_tuples; t++)
        for (size_t a = 0; a < s.n_attributes; a++)
            assert_int_equal(mgl_list_leaf(list, t, a), mgl_list_leaf(whole, t, a));
    assert_int_equal(list->n_rows, s.n_rows);
    free(leaves);
    free(ones);
    mgl_frequency_list_free(list);
    mgl_frequency_list_free(whole);
    release(&s);
}

/* ---- Classes and groups ------------------------------------------------------------------ */

/* Cells of a coarser table: leaves modulo a few values. */
static uint32_t **coarse_cells(const mgl_frequency_list *list, uint32_t modulus)
{
    uint32_t **cells = malloc(list->n_attributes * sizeof *cells);
    for (size_t a = 0; a < list->n_attributes; a++) {
        cells[a] = malloc(list->n_tuples * sizeof **cells);
        for (size_t t = 0; t < list->n_tuples; t++)
            cells[a][t] = mgl_list_leaf(list, t, a) % modulus;
    }
    return cells;
}

static bool same_cells(uint32_t *const *cells, const uint32_t *attributes, size_t n, size_t t,
                       size_t u)
{
    for (size_t i = 0; i < n; i++)
        if (cells[attributes[i]][t] != cells[attributes[i]][u])
            return false;
    return true;
}

static void check_classes(const mgl_classes *classes, const mgl_frequency_list *list,
                          uint32_t *const *cells, const uint32_t *attributes, size_t n)
{
    uint32_t next = 0;
    for (size_t t = 0; t < list->n_tuples; t++) {
        size_t first = 0;
        while (!same_cells(cells, attributes, n, first, t))
            first++;
        if (first == t) { /* numbered in the order of their first tuple */
            assert_int_equal(classes->of_tuple[t], next);
            assert_int_equal(classes->first[next++], t);
            uint64_t size = 0;
            for (size_t u = 0; u < list->n_tuples; u++)
                size += same_cells(cells, attributes, n, t, u) ? list->counts[u] : 0;
            assert_int_equal(classes->sizes[classes->of_tuple[t]], size);
        }
        assert_int_equal(classes->of_tuple[t], classes->of_tuple[first]);
    }
    assert_int_equal(classes->n_classes, next);
}

static void check_groups(const mgl_frequency_list *list, const mgl_classes *classes)
{
    mgl_group_maker *maker;
    assert_int_equal(mgl_group_maker_new(list, NULL, &maker), MGL_OK);
    uint32_t *groups = malloc(list->n_tuples * sizeof *groups);
    for (size_t t = 0; t < list->n_tuples; t++) /* some tuples are in no more */
        groups[t] = t % 5 == 3 ? MGL_NOT_FOUND : classes->of_tuple[t];
    for (int pass = 0; pass < 2; pass++) {
        mgl_group_maker_partition(maker, groups, classes->n_classes);
        for (size_t c = 0; c < classes->n_classes; c++) {
            const mgl_group *group = mgl_group_maker_group(maker, c);
            uint64_t size = 0;
            for (size_t t = 0; t < list->n_tuples; t++)
                size += groups[t] == c ? list->counts[t] : 0;
            assert_int_equal(group->size, size);
            assert_int_equal(group->n_sensitive, list->n_sensitive);
            for (size_t s = 0; s < list->n_sensitive; s++) {
                const mgl_sparse *sparse = &list->sensitive[s];
                size_t at = 0;
                for (uint32_t v = 0; v < sparse->n_values; v++) {
                    uint64_t rows = 0;
                    for (size_t t = 0; t < list->n_tuples; t++)
                        for (size_t i = sparse->start[t]; i < sparse->start[t + 1]; i++)
                            rows +=
                                groups[t] == c && sparse->values[i] == v ? sparse->counts[i] : 0;
                    if (rows == 0)
                        continue;
                    assert_true(at < group->sensitive[s].size);
                    assert_int_equal(group->sensitive[s].values[at], v);
                    assert_int_equal(group->sensitive[s].counts[at++], rows);
                }
                assert_int_equal(at, group->sensitive[s].size);
            }
        }
    }
    free(groups);
    mgl_group_maker_free(maker);
}

static void classes_are_tuples_with_equal_cells(void **state)
{
    (void)state;
    static const struct {
        size_t n_attributes, n_rows;
        int n_values;
        uint32_t modulus;
    } kinds[] = {
        {3, 120, 4, 2}, {12, 90, 100, 3}, {12, 60, 100, 100}, {40, 60, 9, 2}, {1, 30, 5, 1}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        sample s;
        fill(&s, kinds[i].n_attributes, kinds[i].n_rows, kinds[i].n_values, 300 + i);
        mgl_frequency_list *list = count(&s, s.n_rows);
        uint32_t **cells = coarse_cells(list, kinds[i].modulus);
        uint32_t n_values[MOST_ATTRIBUTES], all[MOST_ATTRIBUTES], some[MOST_ATTRIBUTES];
        size_t n_some = 0;
        for (uint32_t a = 0; a < s.n_attributes; a++) {
            n_values[a] = kinds[i].modulus;
            all[a] = a;
            if (a % 2 == 0)
                some[n_some++] = a;
        }
        mgl_classes classes;
        assert_int_equal(mgl_classes_init(&classes, list->n_tuples, s.n_attributes, NULL), MGL_OK);
        mgl_classes_group(&classes, cells, n_values, NULL, s.n_attributes, list->counts);
        check_classes(&classes, list, cells, all, s.n_attributes);
        mgl_classes_group(&classes, cells, n_values, some, n_some, list->counts);
        check_classes(&classes, list, cells, some, n_some);
        check_groups(list, &classes);
        /* Of fewer tuples, and of all again. */
        size_t n_classes = classes.n_classes, half = list->n_tuples / 2;
        uint64_t rows = 0;
        mgl_classes_fit(&classes, half);
        mgl_classes_group(&classes, cells, n_values, some, n_some, list->counts);
        for (size_t t = 0; t < half; t++)
            rows += list->counts[t];
        for (size_t c = 0; c < classes.n_classes; c++)
            rows -= classes.sizes[c];
        assert_true(rows == 0 && classes.n_classes <= n_classes);
        mgl_classes_fit(&classes, list->n_tuples);
        mgl_classes_group(&classes, cells, n_values, some, n_some, list->counts);
        check_classes(&classes, list, cells, some, n_some);
        assert_int_equal(classes.n_classes, n_classes);
        mgl_classes_free(&classes);
        for (size_t a = 0; a < s.n_attributes; a++)
            free(cells[a]);
        free(cells);
        mgl_frequency_list_free(list);
        release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_have_each_tuple_with_its_count),
        cmocka_unit_test(finder_finds_every_row),
        cmocka_unit_test(parts_merge_to_the_whole),
        cmocka_unit_test(foreign_parts_are_refused),
        cmocka_unit_test(rows_in_another_order_make_the_same_list),
        cmocka_unit_test(classes_are_tuples_with_equal_cells),
        cmocka_unit_test(counted_tables_count_right),
        cmocka_unit_test(threads_count_like_one),
    };
    return cmocka_run_group_tests_name("classes", tests, NULL, NULL);
}
