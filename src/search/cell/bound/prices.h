/* Prices of tuples: the stronger bound, and what guides the search.
 *
 * A bargain is a class whose best rows, at least as many as a class needs, are worth more at
 * these prices than they cost. Prices without bargains bound every release from below. */
#ifndef MGL_SEARCH_CELL_BOUND_PRICES_H
#define MGL_SEARCH_CELL_BOUND_PRICES_H

#include "search/box/box.h"

/* ---- Closed classes ------------------------------------------------------------------- */

enum { MGL_CELL_MANY = 60000 }; /* a table with more distinct tuples is large */

/* Classes of the whole table of which some rows may hold, and that are closed: for each attribute
 * above its lowest level the members differ one level below. All others cost more than a closed
 * one of the same tuples. */
typedef struct mgl_cell_closed {
    const mgl_box_space *space;
    const mgl_box_nodes *nodes;
    uint64_t **member; /* [node] a bit per tuple: its class there is one; NULL: there is none */
    uint32_t *by_rows; /* [n] tuples, those with the fewest rows first */
    uint32_t cap;      /* nodes where a row costs at least this are left out; no price is higher */
    uint32_t *most;    /* [t] no price is higher */
    uint64_t n;        /* classes */
    bool large;        /* those that are not closed are among them */
} mgl_cell_closed;

/* The cheapest nodes, as many as about `work` tuples looked at and memory allow. limits: [t] what
 * prices may be at most. large: all classes that may have enough rows are members, closed or not,
 * which takes less time and memory where there are many tuples. *out is NULL if there are no nodes,
 * or if time ran out. Free with mgl_cell_closed_free. */
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

/* ---- Bargains --------------------------------------------------------------------------- */

typedef struct mgl_cell_bargain {
    uint64_t id;
    uint32_t node, cost;
    size_t start, n; /* members, the best of the class, dearest first when it was found */
    uint32_t found;  /* when it was found, or last was a bargain */
} mgl_cell_bargain;

typedef struct mgl_cell_bargains {
    mgl_cell_bargain *items;
    size_t n, capacity;
    uint32_t *members;
    size_t n_members, members_capacity;
} mgl_cell_bargains;

void mgl_cell_bargains_free(mgl_cell_bargains *bargains);

/* How a scan looks ahead. */
typedef struct mgl_bargain_look {
    uint32_t raise;       /* each price by this */
    const uint32_t *most; /* [t] but no higher; NULL: than the top */
    uint32_t now;         /* when the bargains are found */
    uint8_t *open; /* [node] those that may hold bargains, for the next look; NULL: all may */
} mgl_bargain_look;

/* Adds all classes that are bargains then. */
mgl_status mgl_cell_scan(const mgl_cell_closed *closed, const uint32_t *prices,
                         const mgl_bargain_look *look, mgl_error *err, mgl_cell_bargains *out);

/* Keeps those found since, each once. */
mgl_status mgl_cell_bargains_tidy(mgl_cell_bargains *bargains, uint32_t since, mgl_error *err);

/* ---- Prices ------------------------------------------------------------------------------ */

/* From bounds of tuples alone to prices whose sum is nearly as large as can be; `sweeps` times
 * all are raised and bargains taken back. Then they are made prices without bargains, which is
 * proved by looking at all classes. */
mgl_status mgl_cell_find_prices(const mgl_cell_closed *closed, uint32_t sweeps, uint32_t *prices,
                                mgl_error *err);

/* The sum over all rows: the bound. */
uint64_t mgl_cell_sum(const mgl_box_space *space, const uint32_t *prices);

#endif
