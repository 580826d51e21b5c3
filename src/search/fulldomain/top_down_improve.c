/* Searches around a node: some columns may go a level or two up or down, the others stay, and the
 * best node of this sublattice is found by the exact search. Which columns is drawn at random, from
 * a fixed seed. Sublattices grow when the small ones do not help any more, up to the whole lattice
 * if it is small. top_down.c calls it. */
#include "search/fulldomain/top_down.h"

#include <math.h>

enum {
    AT_ONCE = 4,       /* sublattices that are searched side by side; not the number of threads */
    FIRST_NODES = 256, /* of a sublattice */
    GROWTH = 8,
    WIDE = 3 /* one sublattice in so many reaches two levels up and down */
};

/* A sublattice, and what was found there. */
typedef struct sublattice {
    uint32_t *low, *high; /* [n_attributes] */
    bool whole;           /* it is all there is */
    mgl_optimum found;
    mgl_status status;
    mgl_error error;
} sublattice;

typedef struct search {
    mgl_descent *descent;
    mgl_quick_random random;
    sublattice sublattices[AT_ONCE];
    size_t n_sublattices; /* of the round; 1: the whole lattice is one */
    size_t drawn;         /* sublattices so far */
    uint32_t *order;      /* [n_attributes] */
    uint32_t *centre;     /* [n_attributes] */
    mgl_progress progress;
} search;

/* ---- Parts ----------------------------------------------------------------------------- */

static void shuffle(search *s, size_t m)
{
    for (uint32_t a = 0; a < m; a++) {
        uint32_t at = mgl_quick_random_below(&s->random, a + 1);
        s->order[a] = s->order[at];
        s->order[at] = a;
    }
}

/* Around the best node; if none holds yet, around any. */
static void choose_centre(search *s)
{
    const mgl_descent *d = s->descent;
    const mgl_problem *p = d->problem;
    size_t m = p->list->n_attributes;
    memcpy(s->centre, d->node, m * sizeof *s->centre);
    for (size_t a = 0; d->cost == INFINITY && a < m; a++)
        s->centre[a] = d->lowest[a] + mgl_quick_random_below(&s->random, (size_t)p->max_level[a] -
                                                                             d->lowest[a] + 1);
}

static void draw_sublattice(search *s, uint64_t most_nodes, sublattice *out)
{
    const mgl_descent *d = s->descent;
    const mgl_problem *p = d->problem;
    size_t m = p->list->n_attributes;
    uint32_t reach = s->drawn++ % WIDE == WIDE - 1 ? 2 : 1;
    uint64_t nodes = 1;
    if (s->n_sublattices == 1)
        reach = UINT32_MAX;
    choose_centre(s);
    shuffle(s, m);
    out->whole = true;
    for (size_t i = 0; i < m; i++) {
        uint32_t a = s->order[i], at = s->centre[a];
        uint32_t low = at - d->lowest[a] > reach ? at - reach : d->lowest[a];
        uint32_t high = p->max_level[a] - at > reach ? at + reach : p->max_level[a];
        uint64_t levels = (uint64_t)high - low + 1;
        bool fits = nodes * levels <= most_nodes;
        nodes *= fits ? levels : 1;
        out->low[a] = fits ? low : at;
        out->high[a] = fits ? high : at;
        out->whole = out->whole && out->low[a] == d->lowest[a] && out->high[a] == p->max_level[a];
    }
}

static int listen(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)done;
    (void)total;
    search *s = user;
    const mgl_progress *to = s->descent->problem->progress;
    return mgl_progress_report(to, stage, s->descent->checked, 0, NULL) != MGL_OK;
}

static void search_sublattice(void *context, size_t number, unsigned thread)
{
    (void)thread;
    search *s = context;
    sublattice *one = &s->sublattices[number];
    mgl_problem p = *s->descent->problem;
    p.min_level = one->low;
    p.max_level = one->high;
    p.pool = NULL;
    p.progress = &s->progress;
    one->error = (mgl_error){0};
    one->found = (mgl_optimum){0};
    mgl_ties_init(&one->found.ties, p.list->n_attributes);
    one->found.ties.best = s->descent->cost;
    one->status = mgl_lattice_best(&p, &one->error, &one->found);
}

/* ---- Rounds ---------------------------------------------------------------------------- */

static mgl_status take_sublattice(const sublattice *one, size_t m, mgl_error *err, mgl_ties *ties)
{
    const mgl_ties *found = &one->found.ties;
    if (one->status != MGL_OK && err != NULL)
        *err = one->error;
    MGL_TRY(one->status);
    for (size_t i = 0; i < found->n; i++)
        MGL_TRY(mgl_ties_add(ties, found->nodes + i * m, found->costs[i], err));
    return MGL_OK;
}

/* Puts the best nodes of all sublattices together; the node so far is one of them. */
static mgl_status gather(search *s, mgl_error *err, mgl_ties *ties)
{
    mgl_descent *d = s->descent;
    size_t m = d->problem->list->n_attributes;
    mgl_status status = d->cost < INFINITY ? mgl_ties_add(ties, d->node, d->cost, err) : MGL_OK;
    for (size_t i = 0; i < s->n_sublattices; i++) {
        sublattice *one = &s->sublattices[i];
        if (status == MGL_OK)
            status = take_sublattice(one, m, err, ties);
        d->checked += one->found.checked;
        d->timed_out = d->timed_out || one->found.timed_out;
        d->whole = d->whole || (one->whole && !one->found.timed_out);
        uint64_t work = mgl_work_of_search(d->problem, one->found.checked);
        d->work -= work < d->work ? work : d->work;
        mgl_ties_free(&one->found.ties);
    }
    return status;
}

/* *better: another node is the best now. */
static mgl_status run_round(search *s, uint64_t most_nodes, mgl_error *err, bool *better)
{
    mgl_descent *d = s->descent;
    size_t m = d->problem->list->n_attributes, chosen = 0;
    mgl_ties ties;
    bool small = mgl_lattice_size(d->lowest, d->problem->max_level, m) <= most_nodes;
    s->n_sublattices = small ? 1 : AT_ONCE;
    for (size_t i = 0; i < s->n_sublattices; i++)
        draw_sublattice(s, most_nodes, &s->sublattices[i]);
    mgl_pool_run(d->problem->pool, s->n_sublattices, search_sublattice, s);
    mgl_ties_init(&ties, m);
    mgl_status status = gather(s, err, &ties);
    if (status == MGL_OK && ties.n > 0)
        status = mgl_ties_choose(&ties, d->problem, err, &chosen);
    *better = status == MGL_OK && ties.n > 0 &&
              memcmp(d->node, ties.nodes + chosen * m, m * sizeof *d->node) != 0;
    if (*better) {
        memcpy(d->node, ties.nodes + chosen * m, m * sizeof *d->node);
        d->cost = ties.costs[chosen];
    }
    mgl_ties_free(&ties);
    return status;
}

/* Where every node must be evaluated, sublattices are as large as the work allows for some rounds.
 */
static uint64_t nodes_of_sublattice(const mgl_descent *d, uint64_t nodes)
{
    enum { ROUNDS = 8, LEAST = 8 };
    uint64_t most = d->work / (ROUNDS * AT_ONCE * mgl_work_of_node(d->problem) + 1);
    if (mgl_is_fast(d->problem) || nodes <= most)
        return nodes;
    return most < LEAST ? LEAST : most;
}

static mgl_status run_rounds(search *s, uint64_t most_nodes, mgl_error *err)
{
    mgl_descent *d = s->descent;
    /* Each column should have been tried beside many others. */
    size_t patience = d->problem->list->n_attributes / 2 + 2, in_vain = 0;
    uint64_t nodes = FIRST_NODES < most_nodes ? FIRST_NODES : most_nodes;
    while (d->work > 0 && !d->timed_out && !d->whole) {
        bool better = false;
        MGL_TRY(run_round(s, nodes_of_sublattice(d, nodes), err, &better));
        in_vain = better ? 0 : in_vain + 1;
        if (in_vain < patience)
            continue;
        if (nodes >= most_nodes)
            break;
        nodes = nodes * GROWTH < most_nodes ? nodes * GROWTH : most_nodes;
        in_vain = 0;
    }
    return MGL_OK;
}

mgl_status mgl_top_down_improve(mgl_descent *descent, uint64_t most_nodes, mgl_error *err)
{
    size_t m = descent->problem->list->n_attributes;
    search s = {.descent = descent};
    const mgl_progress *to = descent->problem->progress;
    if (to != NULL)
        s.progress = (mgl_progress){to->fn != NULL ? listen : NULL, &s, to->stop};
    s.order = mgl_alloc_array(m, sizeof *s.order);
    s.centre = mgl_alloc_array(m, sizeof *s.centre);
    bool room = s.order != NULL && s.centre != NULL;
    for (size_t i = 0; i < AT_ONCE; i++) {
        s.sublattices[i].low = mgl_alloc_array(m, sizeof *s.sublattices[i].low);
        s.sublattices[i].high = mgl_alloc_array(m, sizeof *s.sublattices[i].high);
        room = room && s.sublattices[i].low != NULL && s.sublattices[i].high != NULL;
    }
    mgl_status status = room ? MGL_OK : mgl_fail_memory(err);
    if (status == MGL_OK)
        status = run_rounds(&s, most_nodes, err);
    for (size_t i = 0; i < AT_ONCE; i++) {
        mgl_free(s.sublattices[i].low);
        mgl_free(s.sublattices[i].high);
    }
    mgl_free(s.order);
    mgl_free(s.centre);
    return status;
}
