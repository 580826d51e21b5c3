/* Places what the greedy left: each tuple joins the class that grows least by it. greedy.c calls
 * it. */
#include "search/cell/place/greedy.h"

/* Would the class hold with the tuple? */
static bool may_join(mgl_greedy *g, uint32_t class, const uint32_t *tuples, size_t n)
{
    const mgl_box_class *c = &g->out->classes[class];
    if (!g->space->judged)
        return true;
    memcpy(g->members, c->members, c->n * sizeof *c->members);
    memcpy(g->members + c->n, tuples, n * sizeof *tuples);
    return mgl_box_holds(g->judge, g->members, c->n + n);
}

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
static uint32_t find_host(mgl_greedy *g, uint32_t t)
{
    uint32_t best = 0;
    int64_t least = 0;
    for (uint32_t c = 1; c < g->out->n_classes; c++) {
        if (g->out->classes[c].n == 0)
            continue;
        int64_t more;
        if (find_growth(g, c, t, &more) && (best == 0 || more < least) && may_join(g, c, &t, 1)) {
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

/* No class can take them one by one: they take in classes until all together hold. */
static bool take_in_classes(mgl_greedy *g)
{
    while (!mgl_cell_greedy_stopped(g) && !mgl_box_holds(g->judge, g->rest, g->n_rest)) {
        uint32_t best = 0;
        int64_t least = 0;
        for (uint32_t c = 1; c < g->out->n_classes; c++) {
            if (g->out->classes[c].n == 0)
                continue;
            int64_t more;
            find_growth(g, c, g->rest[0], &more);
            if (best == 0 || more < least) {
                best = c;
                least = more;
            }
        }
        if (best == 0)
            return false;
        const mgl_box_class *c = &g->out->classes[best];
        memcpy(g->rest + g->n_rest, c->members, c->n * sizeof *c->members);
        g->n_rest += c->n;
        mgl_box_release_dissolve(g->out, best);
    }
    mgl_box_release_add(g->out, g->rest, g->n_rest);
    g->n_rest = 0;
    return true;
}

/* Of a run that is stopped what was not looked at is forgotten, as all of it will be. */
bool mgl_cell_join_rest(mgl_greedy *g)
{
    size_t kept = 0;
    for (size_t i = 0; i < g->n_rest && !mgl_cell_greedy_stopped(g); i++) {
        uint32_t host = find_host(g, g->rest[i]);
        if (host == MGL_NOT_FOUND)
            g->rest[kept++] = g->rest[i];
        else
            mgl_box_release_join(g->out, host, g->rest[i]);
    }
    g->n_rest = kept;
    return kept == 0 || take_in_classes(g);
}
