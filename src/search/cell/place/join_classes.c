/* Places what the greedy left: each tuple joins the class that grows least by it. greedy.c calls
 * it. */
#include "search/cell/place/greedy.h"

/* ---- Tuple by tuple ---------------------------------------------------------------------------
 */

/* What the class costs more with the tuple. False if it may be none then. */
static bool find_growth(const mgl_greedy *g, uint32_t class, uint32_t t, int64_t *more)
{
    const mgl_box_space *s = g->space;
    const mgl_box_class *c = &g->out->classes[class];
    uint8_t levels[MGL_MOST_COLUMNS];
    memcpy(levels, c->levels, s->m);
    mgl_box_join(s, levels, c->members[0], t);
    uint64_t cost = mgl_box_cost(s, levels, t);
    *more = (int64_t)(cost * (c->rows + s->rows[t])) - (int64_t)(c->cost * c->rows);
    return cost < s->top_cost || mgl_box_may_be_class(s, levels, t);
}

/* The class that grows least, or 0. */
static uint32_t find_host(mgl_greedy *g, mgl_box_growing *growing, uint32_t t)
{
    uint32_t best = 0;
    int64_t least = 0;
    for (uint32_t c = 1; c < g->out->n_classes; c++) {
        if (g->out->classes[c].n == 0)
            continue;
        int64_t more;
        if (find_growth(g, c, t, &more) && (best == 0 || more < least) &&
            mgl_box_growing_may_join(growing, c, t)) {
            best = c;
            least = more;
        }
    }
    uint64_t suppressed = g->out->classes[0].rows + g->space->rows[t];
    bool may_suppress =
        g->space->problem->treatment != MGL_KEEP && suppressed <= g->space->problem->limit;
    if (may_suppress && (best == 0 || (int64_t)g->space->rows[t] * g->space->top_cost < least))
        return 0;
    return may_suppress || best > 0 ? best : MGL_NOT_FOUND;
}

static void join_one_by_one(mgl_greedy *g, mgl_box_growing *growing)
{
    size_t kept = 0;
    bool late = false;
    for (size_t i = 0; i < g->n_rest; i++) {
        late = late || mgl_cell_greedy_late(g);
        uint32_t host = late ? MGL_NOT_FOUND : find_host(g, growing, g->rest[i]);
        if (host == MGL_NOT_FOUND)
            g->rest[kept++] = g->rest[i];
        else
            mgl_box_growing_join(growing, host, g->rest[i]);
    }
    g->n_rest = kept;
}

/* ---- Classes that are taken in ----------------------------------------------------------------
 */

/* What it costs to put a class and another one together. */
typedef int64_t price(const mgl_greedy *g, uint32_t class, uint32_t other);

/* What rows cost more if two classes become one. */
static int64_t price_of_union(const mgl_greedy *g, uint32_t class, uint32_t other)
{
    const mgl_box_space *s = g->space;
    const mgl_box_class *c = &g->out->classes[class], *d = &g->out->classes[other];
    uint8_t levels[MGL_MOST_COLUMNS];
    memcpy(levels, c->levels, s->m);
    for (size_t a = 0; a < s->m; a++)
        levels[a] = d->levels[a] > levels[a] ? d->levels[a] : levels[a];
    mgl_box_join(s, levels, c->members[0], d->members[0]);
    uint64_t cost = mgl_box_cost(s, levels, c->members[0]);
    return (int64_t)(cost * (c->rows + d->rows)) - (int64_t)(c->cost * c->rows) -
           (int64_t)(d->cost * d->rows);
}

/* By its first tuple alone. */
static int64_t price_of_first(const mgl_greedy *g, uint32_t class, uint32_t other)
{
    int64_t more;
    find_growth(g, other, g->out->classes[class].members[0], &more);
    return more;
}

/* The class takes in others, the cheapest first, until all together hold. False if they never do,
 * or not in time. */
static bool take_in(mgl_greedy *g, mgl_box_growing *growing, uint32_t class, price *price_of)
{
    while (!g->out->out_of_memory && !mgl_box_growing_holds(growing, class)) {
        uint32_t best = 0;
        if (mgl_cell_greedy_late(g))
            return false;
        int64_t least = 0;
        for (uint32_t c = 1; c < g->out->n_classes; c++) {
            if (g->out->classes[c].n == 0 || c == class)
                continue;
            int64_t more = price_of(g, class, c);
            if (best == 0 || more < least) {
                best = c;
                least = more;
            }
        }
        if (best == 0)
            return false;
        mgl_box_growing_take_in(growing, class, best);
    }
    return true;
}

/* All that is left becomes one class. */
static bool join_together(mgl_greedy *g, mgl_box_growing *growing)
{
    uint32_t class = mgl_box_release_add(g->out, g->rest, g->n_rest);
    return take_in(g, growing, class, price_of_first);
}

/* A tuple becomes a class, which may take some of the others then. Where it is the top and may be
 * no class, all of them go there. */
static bool join_each(mgl_greedy *g, mgl_box_growing *growing)
{
    bool met = true;
    while (met && g->n_rest > 0 && !g->out->out_of_memory) {
        if (mgl_cell_greedy_late(g))
            return false;
        uint32_t t = g->rest[--g->n_rest], class = mgl_box_release_add(g->out, &t, 1);
        met = take_in(g, growing, class, price_of_union);
        bool top = !g->out->out_of_memory &&
                   !mgl_box_may_be_class(g->space, g->out->classes[class].levels, t);
        while (top && g->n_rest > 0)
            mgl_box_growing_join(growing, class, g->rest[--g->n_rest]);
        join_one_by_one(g, growing);
    }
    return met;
}

/* Are no more rows suppressed, or at the top, than may be? */
static bool keeps_limit(const mgl_box_release *r)
{
    const mgl_box_space *s = r->space;
    uint64_t rows = r->classes[0].rows;
    if (s->problem->treatment == MGL_KEEP)
        return mgl_box_release_keeps_limit(r);
    for (size_t c = 1; c < r->n_classes; c++)
        if (r->classes[c].n > 0 &&
            !mgl_box_may_be_class(s, r->classes[c].levels, r->classes[c].members[0]))
            rows += r->classes[c].rows;
    return rows <= s->problem->limit;
}

/* No class can take them one by one: they take in classes, all together or each by itself,
 * whichever is cheaper. */
static mgl_status take_in_classes(mgl_greedy *g, mgl_box_growing *growing, mgl_error *err,
                                  bool *met)
{
    mgl_box_release *out = g->out, *other = NULL;
    mgl_box_growing *of_other = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_box_release_new(g->space, err, &other));
    mgl_box_release_copy(other, out);
    MGL_GO(mgl_box_growing_new(other, g->judge, err, &of_other));
    *met = join_together(g, growing);
    g->out = other;
    bool each = !other->out_of_memory && join_each(g, of_other) && keeps_limit(other);
    g->out = out;
    out->out_of_memory = out->out_of_memory || other->out_of_memory;
    if (each &&
        (!*met || !keeps_limit(out) || mgl_box_release_cost(other) < mgl_box_release_cost(out))) {
        mgl_box_release_copy(out, other);
        *met = true;
    }
    g->n_rest = 0;
done:
    mgl_box_growing_free(of_other);
    mgl_box_release_free(other);
    return status;
}

/* ---- All of it ------------------------------------------------------------------------------- */

mgl_status mgl_cell_join_rest(mgl_greedy *g, mgl_error *err, bool *met)
{
    mgl_box_growing *growing = NULL;
    mgl_status status = MGL_OK;
    *met = true;
    if (g->n_rest == 0)
        return MGL_OK;
    MGL_GO(mgl_box_growing_new(g->out, g->judge, err, &growing));
    join_one_by_one(g, growing);
    if (g->n_rest > 0)
        MGL_GO(take_in_classes(g, growing, err, met));
done:
    mgl_box_growing_free(growing);
    return status;
}
