/* Offers, the classes that are nearly bargains at given prices, listed for each tuple. The cell
 * level makes them for improving by prices. */
#include "search/cell/improve/improve.h"

static mgl_status index_offers(mgl_cell_offers *o, mgl_error *err)
{
    size_t n = o->space->n;
    const mgl_cell_bargains *list = &o->list;
    o->start = mgl_zeroed_array(n + 2, sizeof *o->start);
    o->of = mgl_alloc_array(list->n_members, sizeof *o->of);
    if (o->start == NULL || o->of == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < list->n_members; i++)
        o->start[list->members[i] + 2]++;
    for (size_t t = 1; t <= n; t++)
        o->start[t + 1] += o->start[t];
    for (size_t i = 0; i < list->n; i++)
        for (size_t j = 0; j < list->items[i].n; j++)
            o->of[o->start[list->members[list->items[i].start + j] + 1]++] = (uint32_t)i;
    return MGL_OK;
}

mgl_status mgl_cell_offers_new(const mgl_cell_closed *closed, const uint32_t *prices,
                               uint32_t slack, mgl_error *err, mgl_cell_offers **out)
{
    mgl_status status = MGL_OK;
    mgl_cell_offers *o = mgl_zeroed_array(1, sizeof *o);
    if (o == NULL)
        return mgl_fail_memory(err);
    o->space = closed->space;
    o->prices = prices;
    MGL_GO(mgl_cell_scan(closed, prices, &(mgl_bargain_look){.raise = slack}, err, &o->list));
    MGL_GO(index_offers(o, err));
    *out = o;
    o = NULL;
done:
    mgl_cell_offers_free(o);
    return status;
}

void mgl_cell_offers_free(mgl_cell_offers *offers)
{
    if (offers == NULL)
        return;
    mgl_cell_bargains_free(&offers->list);
    mgl_free(offers->start);
    mgl_free(offers->of);
    mgl_free(offers);
}
