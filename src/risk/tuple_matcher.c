/* Finds the released tuples that a person can be. They are sorted, so that those with the same
 * first cells lie side by side: a person is followed through them cell by cell, along every text
 * that can stand for its value. linkage.c and the journalist's risk call it. */
#include "risk/risk.h"

#include <stdlib.h>

struct mgl_matcher {
    const mgl_coverage *columns;
    size_t m, n;
    uint32_t *order;  /* [m] columns, the most telling first */
    uint32_t *cells;  /* [place * m + depth] */
    uint32_t *tuples; /* [place] tuple of the list */
};

/* ---- The index ------------------------------------------------------------------------------ */

typedef struct row {
    const uint32_t *cells;
    size_t m;
    uint32_t tuple;
} row;

static int compare_rows(const void *p, const void *q)
{
    const row *x = p, *y = q;
    for (size_t i = 0; i < x->m; i++)
        if (x->cells[i] != y->cells[i])
            return x->cells[i] < y->cells[i] ? -1 : 1;
    return 0;
}

/* Columns with few texts for each ground value come first: there are few ways to follow. */
static void choose_order(mgl_matcher *k, const mgl_frequency_list *list)
{
    for (size_t a = 0; a < k->m; a++) {
        k->order[a] = (uint32_t)a;
        for (size_t i = a; i > 0 && list->hierarchies[k->order[i]]->n_leaves >
                                        list->hierarchies[k->order[i - 1]]->n_leaves;
             i--) {
            uint32_t other = k->order[i];
            k->order[i] = k->order[i - 1];
            k->order[i - 1] = other;
        }
    }
}

static mgl_status sort_tuples(mgl_matcher *k, const mgl_frequency_list *list, mgl_error *err)
{
    size_t m = k->m, n = k->n;
    uint32_t *cells = mgl_alloc_array(n, m * sizeof *cells);
    row *rows = mgl_alloc_array(n, sizeof *rows);
    if (cells == NULL || rows == NULL) {
        mgl_free(cells);
        mgl_free(rows);
        return mgl_fail_memory(err);
    }
    for (size_t t = 0; t < n; t++) {
        rows[t] = (row){cells + t * m, m, (uint32_t)t};
        for (size_t d = 0; d < m; d++)
            cells[t * m + d] = mgl_list_leaf(list, t, k->order[d]);
    }
    if (n > 0)
        qsort(rows, n, sizeof *rows, compare_rows);
    for (size_t i = 0; i < n; i++) {
        k->tuples[i] = rows[i].tuple;
        memcpy(k->cells + i * m, rows[i].cells, m * sizeof *cells);
    }
    mgl_free(cells);
    mgl_free(rows);
    return MGL_OK;
}

mgl_status mgl_matcher_new(const mgl_frequency_list *list, const mgl_coverage *columns,
                           mgl_error *err, mgl_matcher **out)
{
    mgl_matcher *k = mgl_zeroed_array(1, sizeof *k);
    if (k == NULL)
        return mgl_fail_memory(err);
    k->columns = columns;
    k->m = list->n_attributes;
    k->n = list->n_tuples;
    k->order = mgl_alloc_array(k->m, sizeof *k->order);
    k->cells = mgl_alloc_array(k->n, k->m * sizeof *k->cells);
    k->tuples = mgl_alloc_array(k->n, sizeof *k->tuples);
    mgl_status status =
        k->order == NULL || k->cells == NULL || k->tuples == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK) {
        choose_order(k, list);
        status = sort_tuples(k, list, err);
    }
    if (status != MGL_OK) {
        mgl_matcher_free(k);
        return status;
    }
    *out = k;
    return MGL_OK;
}

void mgl_matcher_free(mgl_matcher *matcher)
{
    if (matcher == NULL)
        return;
    mgl_free(matcher->order);
    mgl_free(matcher->cells);
    mgl_free(matcher->tuples);
    mgl_free(matcher);
}

/* ---- Matching ---------------------------------------------------------------------------------
 */

typedef struct walk {
    const mgl_matcher *matcher;
    const uint32_t *codes;
    mgl_matched_fn *found;
    void *context;
} walk;

static uint32_t cell_at(const mgl_matcher *k, size_t place, size_t depth)
{
    return k->cells[place * k->m + depth];
}

/* The first place in low..high whose cell is at least this one. */
static size_t find_place(const mgl_matcher *k, size_t low, size_t high, size_t depth, uint32_t cell)
{
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (cell_at(k, middle, depth) < cell)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void follow(const walk *w, size_t low, size_t high, size_t depth)
{
    const mgl_matcher *k = w->matcher;
    if (depth == k->m) {
        for (size_t i = low; i < high; i++)
            w->found(w->context, k->tuples[i]);
        return;
    }
    const mgl_coverage *column = &k->columns[k->order[depth]];
    uint32_t code = w->codes[k->order[depth]];
    size_t at = column->start[code], end = column->start[code + 1];
    while (low < high && at < end) { /* both ascend: the one that is behind catches up */
        uint32_t cell = cell_at(k, low, depth);
        if (column->released[at] < cell) {
            at++;
        } else if (column->released[at] > cell) {
            low = find_place(k, low, high, depth, column->released[at]);
        } else {
            size_t next = find_place(k, low, high, depth, cell + 1);
            follow(w, low, next, depth + 1);
            low = next;
            at++;
        }
    }
}

void mgl_match(const mgl_matcher *matcher, const uint32_t *codes, mgl_matched_fn *found,
               void *context)
{
    walk w = {matcher, codes, found, context};
    follow(&w, 0, matcher->n, 0);
}
