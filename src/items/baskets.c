/* Makes baskets of the rows of a column: sets of leaves, by class and person. The pipeline calls it
 * before the search, when it is known which rows are released and which look alike. */
#include "items/items.h"

#include <stdlib.h>

typedef struct row_key {
    uint32_t class_of, person, cell;
} row_key;

static int compare(const void *a, const void *b)
{
    const row_key *x = a, *y = b;
    if (x->class_of != y->class_of)
        return x->class_of < y->class_of ? -1 : 1;
    if (x->person != y->person)
        return x->person < y->person ? -1 : 1;
    return (x->cell > y->cell) - (x->cell < y->cell);
}

/* Rows that are released and have items. */
static size_t take_rows(const mgl_basket_order *order, row_key *rows)
{
    const mgl_item_sets *sets = order->sets;
    size_t n = 0;
    for (size_t row = 0; row < order->n_rows; row++) {
        uint32_t cell = mgl_column_code(order->column, row);
        uint32_t class_of = order->class_of_row != NULL ? order->class_of_row[row] : 0;
        if (class_of == MGL_NOT_FOUND || sets->start[cell] == sets->start[cell + 1])
            continue;
        uint32_t person = order->persons != NULL ? mgl_column_code(order->persons, row) : 0;
        rows[n++] = (row_key){class_of, person, cell};
    }
    return n;
}

static int compare_leaves(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* Two items may be one leaf where they are spelled alike. */
static size_t put_leaves(const mgl_basket_order *order, uint32_t cell, uint32_t *leaves)
{
    const mgl_item_sets *sets = order->sets;
    size_t n = sets->start[cell + 1] - sets->start[cell], kept = 0;
    for (size_t i = 0; i < n; i++)
        leaves[i] = order->leaf_of_item[sets->of_cell[sets->start[cell] + i]];
    qsort(leaves, n, sizeof *leaves, compare_leaves);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || leaves[i] != leaves[i - 1])
            leaves[kept++] = leaves[i];
    return kept;
}

static size_t count_leaves(const mgl_item_sets *sets, const row_key *rows, size_t n)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || compare(&rows[i], &rows[i - 1]) != 0)
            total += sets->start[rows[i].cell + 1] - sets->start[rows[i].cell];
    return total;
}

static void fill(const mgl_basket_order *order, const row_key *rows, size_t n, mgl_baskets *out)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (i > 0 && compare(&rows[i], &rows[i - 1]) == 0) {
            out->weight[out->n - 1]++;
            continue;
        }
        out->class_of[out->n] = rows[i].class_of;
        if (out->person_of != NULL)
            out->person_of[out->n] = rows[i].person;
        out->weight[out->n] = 1;
        out->start[out->n++] = at;
        at += put_leaves(order, rows[i].cell, out->leaves + at);
    }
    out->start[out->n] = at;
    for (size_t b = 0; b < out->n; b++)
        for (size_t i = out->start[b]; i < out->start[b + 1]; i++)
            out->occurrences[out->leaves[i]] += out->weight[b];
}

mgl_status mgl_baskets_new(const mgl_basket_order *order, mgl_error *err, mgl_baskets *out)
{
    row_key *rows = mgl_alloc_array(order->n_rows, sizeof *rows);
    mgl_status status = MGL_OK;
    *out = (mgl_baskets){0};
    if (rows == NULL)
        MGL_GO(mgl_fail_memory(err));
    size_t n = take_rows(order, rows);
    qsort(rows, n, sizeof *rows, compare);
    out->class_of = mgl_alloc_array(n, sizeof *out->class_of);
    out->weight = mgl_alloc_array(n, sizeof *out->weight);
    out->start = mgl_alloc_array(n + 1, sizeof *out->start);
    out->leaves = mgl_alloc_array(count_leaves(order->sets, rows, n), sizeof *out->leaves);
    out->occurrences = mgl_zeroed_array(order->n_leaves, sizeof *out->occurrences);
    if (order->persons != NULL)
        out->person_of = mgl_alloc_array(n, sizeof *out->person_of);
    if (out->class_of == NULL || out->weight == NULL || out->start == NULL || out->leaves == NULL ||
        out->occurrences == NULL || (order->persons != NULL && out->person_of == NULL))
        MGL_GO(mgl_fail_memory(err));
    fill(order, rows, n, out);
done:
    mgl_free(rows);
    if (status != MGL_OK)
        mgl_baskets_free(out);
    return status;
}

void mgl_baskets_free(mgl_baskets *baskets)
{
    mgl_free(baskets->class_of);
    mgl_free(baskets->person_of);
    mgl_free(baskets->weight);
    mgl_free(baskets->start);
    mgl_free(baskets->leaves);
    mgl_free(baskets->occurrences);
    *baskets = (mgl_baskets){0};
}
