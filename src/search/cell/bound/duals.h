/* Dual values of tuples: the stronger bound, and what guides the search.
 *
 * They are those of a linear program whose columns are the classes. A class is negative if its
 * reduced cost is: its best rows, at least as many as a class needs, cost less than their dual
 * values. Dual values without negative classes bound every release from below. */
#ifndef MGL_SEARCH_CELL_BOUND_PRICES_H
#define MGL_SEARCH_CELL_BOUND_PRICES_H

#include "search/box/box.h"

enum { MGL_CELL_MANY = 60000 }; /* a table with more distinct tuples is large */

/* Classes of the whole table of which some rows may hold, and that are closed: for each attribute
 * above its lowest level the members differ one level below. All others cost more than a closed
 * one of the same tuples. */
typedef struct mgl_cell_closed {
    const mgl_box_space *space;
    const mgl_box_nodes *nodes;
    uint64_t **member; /* [node] a bit per tuple: its class there is one; NULL: there is none */
    uint32_t *by_rows; /* [n] tuples, those with the fewest rows first */
    uint32_t cap; /* nodes where a row costs at least this are left out; no dual value is higher */
    uint32_t *most; /* [t] no dual value is higher */
    uint64_t n;     /* classes */
    bool large;     /* those that are not closed are among them */
    mgl_owned own;
} mgl_cell_closed;

/* The cheapest nodes, as many as about `work` tuples looked at and memory allow. limits: [t] what
 * dual values may be at most. large: all classes that may have enough rows are members, closed or
 * not, which takes less time and memory where there are many tuples. *out is NULL if there are no
 * nodes, or if time ran out. Free with mgl_cell_closed_free. */
mgl_status mgl_cell_closed_new(const mgl_box_space *space, const mgl_box_nodes *nodes,
                               const uint32_t *limits, uint64_t work, bool large, mgl_error *err,
                               mgl_cell_closed **out);
void mgl_cell_closed_free(mgl_cell_closed *closed);

/* Are tuples that differ in these bits in no box below? */
static inline bool mgl_cell_is_closed(const mgl_box_space *s, const uint8_t *levels,
                                      const uint64_t *differ)
{
    for (size_t a = 0; a < s->m; a++) {
        const mgl_box_attribute *x = &s->attributes[a];
        if (levels[a] > x->low && (differ[x->word] & x->mask[levels[a] - 1]) == 0)
            return false;
    }
    return true;
}

static inline bool mgl_cell_is_member(const uint64_t *bits, uint32_t t)
{
    return (bits[t / 64] >> t % 64 & 1) != 0;
}

typedef struct mgl_cell_negative {
    uint64_t id;
    uint32_t node, cost;
    size_t start,
        n; /* members, the best of the class, the highest dual values first when it was found */
    uint32_t found; /* when it was found, or last was negative */
} mgl_cell_negative;

typedef struct mgl_cell_negatives {
    mgl_cell_negative *items;
    size_t n, capacity;
    uint32_t *members;
    size_t n_members, members_capacity;
} mgl_cell_negatives;

void mgl_cell_negatives_free(mgl_cell_negatives *negatives);

/* Pricing ahead: dual values as if they were raised. */
typedef struct mgl_pricing_look {
    uint32_t raise;       /* each dual value by this */
    const uint32_t *most; /* [t] but no higher; NULL: than the top */
    uint32_t now;         /* when the negative classes are found */
    uint8_t
        *open; /* [node] those that may hold negative classes, for the next scan; NULL: all may */
} mgl_pricing_look;

/* Adds all classes that are negative then. */
mgl_status mgl_cell_scan(const mgl_cell_closed *closed, const uint32_t *duals,
                         const mgl_pricing_look *look, mgl_error *err, mgl_cell_negatives *out);

/* From bounds of tuples alone to dual values whose sum is nearly as large as can be; `sweeps` times
 * all are raised, and lowered again where that made classes negative. At the end no class is
 * negative, which is proved by looking at all of them. Where time is up before that, they are the
 * bounds of before; *timed_out: more time could have raised them. */
mgl_status mgl_cell_find_duals(const mgl_cell_closed *closed, uint32_t sweeps, uint32_t *duals,
                               mgl_error *err, bool *timed_out);

/* The sum over all rows: the bound. */
uint64_t mgl_cell_sum(const mgl_box_space *space, const uint32_t *duals);

#endif
