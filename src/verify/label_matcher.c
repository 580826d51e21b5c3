/* Counts the rows of the population that a released tuple could be, by the labels in the file.
 * verify.c calls it for models that look at a population. */
#include "verify/label_matcher.h"

#include <stdlib.h>

enum { MOST_SIGNATURES = 64 };

/* The population generalized to one level per column, sorted, so that a tuple of values is
 * found by bisection. Released tuples at the same levels share one. */
typedef struct view {
    uint32_t *levels; /* [n_columns] */
    uint32_t *values; /* [n_tuples * n_columns], tuples ascending */
    uint64_t *rows;   /* [n_tuples] */
    size_t n_tuples;
} view;

struct mgl_label_matcher {
    const mgl_promised_population *population;
    const size_t *columns; /* which of the population's columns a label belongs to */
    size_t n_columns;
    view views[MOST_SIGNATURES];
    size_t n_views, next;
    uint32_t *wanted; /* [2 * n_columns]: levels, then values */
};

mgl_status mgl_label_matcher_new(const mgl_promised_population *population, const size_t *columns,
                                 size_t n_columns, mgl_error *err, mgl_label_matcher **out)
{
    mgl_label_matcher *matcher = mgl_zeroed_array(1, sizeof *matcher);
    if (matcher == NULL)
        return mgl_fail_memory(err);
    matcher->population = population;
    matcher->columns = columns;
    matcher->n_columns = n_columns;
    matcher->wanted = mgl_alloc_array(n_columns, 2 * sizeof *matcher->wanted);
    if (matcher->wanted == NULL) {
        mgl_free(matcher);
        return mgl_fail_memory(err);
    }
    *out = matcher;
    return MGL_OK;
}

static void free_view(view *v)
{
    mgl_free(v->levels);
    mgl_free(v->values);
    mgl_free(v->rows);
    *v = (view){0};
}

void mgl_label_matcher_free(mgl_label_matcher *matcher)
{
    if (matcher == NULL)
        return;
    for (size_t i = 0; i < matcher->n_views; i++)
        free_view(&matcher->views[i]);
    mgl_free(matcher->wanted);
    mgl_free(matcher);
}

/* qsort has no context: an item carries the number of its values. */
typedef struct item {
    const uint32_t *values;
    size_t n;
    uint64_t times;
} item;

static int compare_values(const uint32_t *a, const uint32_t *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

static int compare_items(const void *a, const void *b)
{
    const item *x = a, *y = b;
    return compare_values(x->values, y->values, x->n);
}

static mgl_status make_view(const mgl_label_matcher *matcher, const uint32_t *levels,
                            mgl_error *err, view *out)
{
    const mgl_promised_population *p = matcher->population;
    size_t m = matcher->n_columns;
    view v = {.levels = mgl_alloc_array(m, sizeof *v.levels),
              .values = mgl_alloc_array(p->n_rows, m * sizeof *v.values),
              .rows = mgl_zeroed_array(p->n_rows, sizeof *v.rows)};
    uint32_t *raw = mgl_alloc_array(p->n_rows, m * sizeof *raw);
    item *items = mgl_alloc_array(p->n_rows, sizeof *items);
    mgl_status status = MGL_OK;
    if (v.levels == NULL || v.values == NULL || v.rows == NULL || raw == NULL || items == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t row = 0; row < p->n_rows; row++) {
        for (size_t i = 0; i < m; i++) {
            size_t c = matcher->columns[i];
            uint32_t leaf = p->leaf_of_code[c][mgl_column_code(p->columns[c], row)];
            raw[row * m + i] = p->hierarchies[c]->levels[levels[i]].of_leaf[leaf];
        }
        items[row] = (item){raw + row * m, m, p->times != NULL ? p->times[row] : 1};
    }
    memcpy(v.levels, levels, m * sizeof *levels);
    qsort(items, p->n_rows, sizeof *items, compare_items);
    for (size_t row = 0; row < p->n_rows; row++) {
        if (row == 0 || compare_items(&items[row], &items[row - 1]) != 0)
            memcpy(v.values + v.n_tuples++ * m, items[row].values, m * sizeof *raw);
        v.rows[v.n_tuples - 1] += items[row].times;
    }
    *out = v;
    v = (view){0};
done:
    free_view(&v);
    mgl_free(raw);
    mgl_free(items);
    return status;
}

static mgl_status find_view(mgl_label_matcher *matcher, const uint32_t *levels, mgl_error *err,
                            const view **out)
{
    for (size_t i = 0; i < matcher->n_views; i++)
        if (compare_values(matcher->views[i].levels, levels, matcher->n_columns) == 0) {
            *out = &matcher->views[i];
            return MGL_OK;
        }
    view fresh;
    MGL_TRY(make_view(matcher, levels, err, &fresh));
    size_t place =
        matcher->n_views < MOST_SIGNATURES ? matcher->n_views++ : matcher->next++ % MOST_SIGNATURES;
    free_view(&matcher->views[place]);
    matcher->views[place] = fresh;
    *out = &matcher->views[place];
    return MGL_OK;
}

mgl_status mgl_label_match(mgl_label_matcher *matcher, const mgl_span *labels, mgl_error *err,
                           uint64_t *out)
{
    size_t m = matcher->n_columns;
    uint32_t *levels = matcher->wanted, *values = matcher->wanted + m;
    *out = 0;
    for (size_t i = 0; i < m; i++)
        if (!mgl_hierarchy_find(matcher->population->hierarchies[matcher->columns[i]], labels[i],
                                &levels[i], &values[i]))
            return MGL_OK; /* nobody in the population is like that */
    const view *v;
    MGL_TRY(find_view(matcher, levels, err, &v));
    size_t low = 0, high = v->n_tuples;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (compare_values(v->values + middle * m, values, m) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < v->n_tuples && compare_values(v->values + low * m, values, m) == 0)
        *out = v->rows[low];
    return MGL_OK;
}
