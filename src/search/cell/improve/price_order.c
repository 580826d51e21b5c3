/* The tuples of a neighbourhood in the order of their prices, for rebuild.c: offers then have their
 * best rows in front. */
#include "search/cell/improve/rebuild.h"

enum { BYTES = sizeof(uint32_t), VALUES = 256 };

/* By one byte of the prices, the highest first; equals stay in order. */
static void sort_by_byte(const mgl_priced_place *from, size_t n, unsigned byte,
                         mgl_priced_place *to)
{
    uint32_t start[VALUES + 1] = {0};
    for (size_t i = 0; i < n; i++)
        start[VALUES - (from[i].price >> 8 * byte & (VALUES - 1))]++;
    for (size_t v = 1; v <= VALUES; v++)
        start[v] += start[v - 1];
    for (size_t i = 0; i < n; i++)
        to[start[VALUES - 1 - (from[i].price >> 8 * byte & (VALUES - 1))]++] = from[i];
}

void mgl_order_by_price(mgl_cell_rebuilder *p)
{
    for (size_t i = 0; i < p->n; i++) {
        double price = p->price[i] < UINT32_MAX ? p->price[i] : UINT32_MAX;
        p->order[i] = (mgl_priced_place){price > 0 ? (uint32_t)price : 0, (uint32_t)i};
    }
    for (unsigned byte = 0; byte < BYTES; byte += 2) {
        sort_by_byte(p->order, p->n, byte, p->spare);
        sort_by_byte(p->spare, p->n, byte + 1, p->order);
    }
    p->work += p->n;
}
