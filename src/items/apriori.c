/* Apriori anonymization (Terrovitis, Mamoulis and Kalnis 2008): combinations of one item are made
 * frequent first, then those of two, then those of three. What is frequent stays so when a cut is
 * made coarser, so each size begins where the one before ended. item_search.c calls it.
 *
 * A round counts all combinations of a size and has each rare one changed: one of its nodes gives
 * way to the node above it, or is left out, whichever repairs more combinations for what it loses.
 * Counts change with every step, so a round may change more than it must; improve_cut.c takes that
 * back. */
#include "items/item_search.h"

#include <stdlib.h>

typedef struct rare {
    uint32_t nodes[MGL_ITEMS_MOST_M];
} rare;

typedef struct rare_list {
    rare *of;
    size_t n, room;
    size_t left; /* of the node at hand, how many more are taken down */
    bool failed;
} rare_list;

/* ---- Finding what is rare -----------------------------------------------------------------------
 */

typedef struct finding {
    const mgl_item_state *state;
    unsigned size;
    mgl_item_counter **counters; /* [thread] */
    rare_list *lists;            /* [thread] */
    size_t most;                 /* of a node */
} finding;

static bool take_rare(void *context, const uint32_t *nodes, unsigned n, uint64_t count)
{
    rare_list *list = context;
    (void)count;
    if (list->left == 0)
        return false;
    if (!mgl_grow(&list->of, &list->room, list->n + 1, sizeof *list->of)) {
        list->failed = true;
        return false;
    }
    rare *r = &list->of[list->n++];
    for (unsigned i = 0; i < MGL_ITEMS_MOST_M; i++)
        r->nodes[i] = i < n ? nodes[i] : MGL_NOT_FOUND;
    list->left--;
    return true;
}

static void find_at_node(void *context, size_t node, unsigned worker)
{
    const finding *f = context;
    rare_list *list = &f->lists[worker];
    mgl_item_look look = {
        .least = f->size, .most = f->size, .larger = true, .rare = take_rare, .context = list};
    list->left = f->most;
    if (f->state->occurrences[node] > 0 && mgl_item_is_cut(f->state, (uint32_t)node) &&
        !mgl_item_is_late(f->state))
        mgl_item_count(f->counters[worker], (uint32_t)node, &look);
}

static int compare(const void *a, const void *b)
{
    const rare *x = a, *y = b;
    for (unsigned i = 0; i < MGL_ITEMS_MOST_M; i++)
        if (x->nodes[i] != y->nodes[i])
            return x->nodes[i] < y->nodes[i] ? -1 : 1;
    return 0;
}

/* Puts what the threads found into one list, in an order that does not depend on them; what is rare
 * in several classes is there once. */
static mgl_status unite(const finding *f, unsigned n_threads, mgl_error *err, rare_list *out)
{
    size_t n = 0;
    bool failed = false;
    for (unsigned t = 0; t < n_threads; t++) {
        n += f->lists[t].n;
        failed = failed || f->lists[t].failed || mgl_item_counter_failed(f->counters[t]);
    }
    if (failed || !mgl_grow(&out->of, &out->room, n + 1, sizeof *out->of))
        return mgl_fail_memory(err);
    out->n = 0;
    for (unsigned t = 0; t < n_threads; t++) {
        if (f->lists[t].n > 0)
            memcpy(out->of + out->n, f->lists[t].of, f->lists[t].n * sizeof *out->of);
        out->n += f->lists[t].n;
        f->lists[t].n = 0;
    }
    qsort(out->of, out->n, sizeof *out->of, compare);
    n = out->n;
    out->n = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || compare(&out->of[i], &out->of[i - 1]) != 0)
            out->of[out->n++] = out->of[i];
    return MGL_OK;
}

/* ---- Changing it --------------------------------------------------------------------------------
 */

typedef struct step {
    uint32_t node;
    bool up; /* to the node above; else it is left out */
    double worth;
} step;

typedef struct repair {
    mgl_item_state *state;
    const rare_list *rares;
    size_t *start; /* [node + 1] */
    size_t *of;    /* rare combinations that the node is in */
    step *steps;   /* one for each node that is in some */
    size_t n_steps;
} repair;

static bool index_rares(repair *r)
{
    size_t n_nodes = r->state->tree->n_nodes, n = r->rares->n;
    r->start = mgl_zeroed_array(n_nodes + 2, sizeof *r->start);
    r->of = mgl_alloc_array(n * MGL_ITEMS_MOST_M, sizeof *r->of);
    r->steps = mgl_alloc_array(n_nodes, sizeof *r->steps);
    if (r->start == NULL || r->of == NULL || r->steps == NULL)
        return false;
    for (size_t i = 0; i < n; i++)
        for (unsigned j = 0; j < MGL_ITEMS_MOST_M; j++)
            if (r->rares->of[i].nodes[j] != MGL_NOT_FOUND)
                r->start[r->rares->of[i].nodes[j] + 2]++;
    for (size_t v = 0; v < n_nodes; v++)
        r->start[v + 2] += r->start[v + 1];
    for (size_t i = 0; i < n; i++)
        for (unsigned j = 0; j < MGL_ITEMS_MOST_M; j++)
            if (r->rares->of[i].nodes[j] != MGL_NOT_FOUND)
                r->of[r->start[r->rares->of[i].nodes[j] + 1]++] = i;
    return true;
}

/* Rare combinations that nodes of the cut under this one are in. */
static double rares_under(const repair *r, uint32_t node)
{
    const mgl_item_tree *tree = r->state->tree;
    double n = 0;
    for (size_t i = tree->start[node]; i < tree->start[node + 1]; i++) {
        uint32_t cut = r->state->node_of_leaf[tree->leaves[i]];
        if (cut != MGL_NOT_FOUND && tree->leaves[tree->start[cut]] == tree->leaves[i])
            n += (double)(r->start[cut + 1] - r->start[cut]);
    }
    return n;
}

static step best_step(const repair *r, uint32_t node)
{
    const mgl_item_state *s = r->state;
    double own = (double)(r->start[node + 1] - r->start[node]);
    double loss = (double)s->occurrences[node] * (1 - s->loss[node]);
    step out = {node, false, own / (loss + 1e-9)};
    uint32_t above = s->tree->parent[node];
    if (above == MGL_NOT_FOUND)
        return out;
    loss = (double)s->occurrences[above] * s->loss[above] - mgl_item_cost_under(s, above);
    double worth = rares_under(r, above) / (loss + 1e-9);
    return worth >= out.worth || loss <= 0 ? (step){node, true, worth} : out;
}

static int compare_steps(const void *a, const void *b)
{
    const step *x = a, *y = b;
    if (x->worth != y->worth)
        return x->worth > y->worth ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

/* Is some rare combination of the node still as it was counted? */
static bool is_needed(const repair *r, uint32_t node)
{
    if (!mgl_item_is_cut(r->state, node))
        return false;
    for (size_t i = r->start[node]; i < r->start[node + 1]; i++) {
        const rare *rare = &r->rares->of[r->of[i]];
        bool whole = true;
        for (unsigned j = 0; whole && j < MGL_ITEMS_MOST_M; j++)
            whole = rare->nodes[j] == MGL_NOT_FOUND || mgl_item_is_cut(r->state, rare->nodes[j]);
        if (whole)
            return true;
    }
    return false;
}

static mgl_status change(mgl_item_state *state, const rare_list *rares, mgl_error *err)
{
    repair r = {.state = state, .rares = rares};
    mgl_status status = MGL_OK;
    MGL_GO(index_rares(&r) ? MGL_OK : mgl_fail_memory(err));
    for (uint32_t v = 0; v < state->tree->n_nodes; v++)
        if (r.start[v + 1] > r.start[v])
            r.steps[r.n_steps++] = best_step(&r, v);
    qsort(r.steps, r.n_steps, sizeof *r.steps, compare_steps);
    for (size_t i = 0; i < r.n_steps; i++) {
        uint32_t node = r.steps[i].node;
        uint32_t above = state->tree->parent[node];
        if (!is_needed(&r, node))
            continue;
        if (r.steps[i].up)
            mgl_item_put(state, above, above);
        else
            mgl_item_put(state, node, MGL_NOT_FOUND);
    }
done:
    mgl_free(r.start);
    mgl_free(r.of);
    mgl_free(r.steps);
    return status;
}

/* ---- Rounds -------------------------------------------------------------------------------------
 */

enum { MOST_RARES = 1 << 22 }; /* that a round takes down: 48 MB */

static mgl_status repair_size(finding *f, mgl_item_state *state, mgl_error *err)
{
    unsigned n_threads = mgl_pool_threads(state->problem->pool);
    rare_list rares = {0};
    mgl_status status = MGL_OK;
    do {
        mgl_pool_run(state->problem->pool, state->tree->n_nodes, find_at_node, f);
        if (mgl_progress_stopped(state->problem->progress))
            MGL_GO(mgl_fail_cancelled(err));
        MGL_GO(unite(f, n_threads, err, &rares));
        if (rares.n > 0)
            MGL_GO(change(state, &rares, err));
    } while (rares.n > 0);
done:
    mgl_free(rares.of);
    return status;
}

mgl_status mgl_item_apriori(mgl_item_state *state, mgl_error *err)
{
    unsigned n_threads = mgl_pool_threads(state->problem->pool);
    finding f = {.state = state, .most = MOST_RARES / (state->tree->n_nodes + 1) + 16};
    mgl_status status = MGL_OK;
    f.counters = mgl_zeroed_array(n_threads, sizeof *f.counters);
    f.lists = mgl_zeroed_array(n_threads, sizeof *f.lists);
    if (f.counters == NULL || f.lists == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (unsigned t = 0; t < n_threads; t++)
        MGL_GO(mgl_item_counter_new(state, err, &f.counters[t]));
    for (f.size = 1; f.size <= state->problem->m; f.size++)
        MGL_GO(repair_size(&f, state, err));
done:
    for (unsigned t = 0; f.counters != NULL && t < n_threads; t++)
        mgl_item_counter_free(f.counters[t]);
    for (unsigned t = 0; f.lists != NULL && t < n_threads; t++)
        mgl_free(f.lists[t].of);
    mgl_free(f.counters);
    mgl_free(f.lists);
    return status;
}
