/* Keeps the bargains that were found, and forgets those that are none any more. find_prices.c and
 * the offers call it. */
#include "search/cell/bound/prices.h"

#include <stdlib.h>

void mgl_cell_bargains_free(mgl_cell_bargains *bargains)
{
    mgl_free(bargains->items);
    mgl_free(bargains->members);
    *bargains = (mgl_cell_bargains){0};
}

/* The newest of each first: it has the best members. */
static int compare(const void *a, const void *b)
{
    const mgl_cell_bargain *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->start < y->start) - (x->start > y->start);
}

mgl_status mgl_cell_bargains_tidy(mgl_cell_bargains *bargains, uint32_t since, mgl_error *err)
{
    uint32_t *members = mgl_alloc_array(bargains->n_members, sizeof *members);
    if (members == NULL)
        return mgl_fail_memory(err);
    if (bargains->n > 0)
        qsort(bargains->items, bargains->n, sizeof *bargains->items, compare);
    size_t n = 0, n_members = 0;
    for (size_t i = 0; i < bargains->n; i++) {
        mgl_cell_bargain b = bargains->items[i];
        if (b.found < since ||
            (n > 0 && bargains->items[n - 1].id == b.id && bargains->items[n - 1].node == b.node))
            continue;
        memcpy(members + n_members, bargains->members + b.start, b.n * sizeof *members);
        b.start = n_members;
        n_members += b.n;
        bargains->items[n++] = b;
    }
    mgl_free(bargains->members);
    bargains->members = members;
    bargains->members_capacity = bargains->n_members;
    bargains->n = n;
    bargains->n_members = n_members;
    return MGL_OK;
}
