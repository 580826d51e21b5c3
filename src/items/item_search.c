/* Finds a cut: apriori anonymization, then a better one by local search, then, of small trees, the
 * best by branch and bound. */
#include "items/item_search.h"

#include <stdlib.h>

typedef struct branching {
    mgl_item_state *state;
    mgl_item_counter *counter;
    uint64_t most_work, steps;
    uint32_t *pending; /* nodes that are not decided yet, those under them neither */
    size_t n_pending;
    double *floor_under; /* [node] what the leaves under it cost at least */
    double best;
    uint32_t *best_cut; /* [leaf] */
    bool whole;
    mgl_owned own;
} branching;

static bool is_over(branching *b)
{
    if (mgl_item_counter_work(b->counter) + b->steps >= b->most_work ||
        mgl_item_counter_failed(b->counter) || mgl_item_is_late(b->state))
        b->whole = false;
    return !b->whole;
}

static void decide(branching *b, double cost, double floor);

/* Releases the node, if that breaks nothing, and goes on. */
static void release(branching *b, uint32_t node, double cost, double floor)
{
    mgl_item_state *s = b->state;
    mgl_item_look look = {.least = 1, .most = s->problem->m};
    double own = (double)s->occurrences[node] * s->loss[node];
    if (cost + own + floor >= b->best * (1 - 1e-12) - 1e-12)
        return;
    mgl_item_put(s, node, node);
    if (mgl_item_count(b->counter, node, &look))
        decide(b, cost + own, floor);
    mgl_item_put(s, node, MGL_NOT_FOUND);
}

static void decide(branching *b, double cost, double floor)
{
    mgl_item_state *s = b->state;
    const mgl_item_tree *tree = s->tree;
    b->steps++;
    if (is_over(b) || cost + floor >= b->best * (1 - 1e-12) - 1e-12)
        return;
    if (b->n_pending == 0) {
        b->best = cost;
        memcpy(b->best_cut, s->node_of_leaf, tree->n_leaves * sizeof *b->best_cut);
        return;
    }
    uint32_t node = b->pending[--b->n_pending];
    size_t from = tree->child_start[node], n = tree->child_start[node + 1] - from;
    double rest = floor - b->floor_under[node];
    for (size_t i = 0; i < n; i++)
        b->pending[b->n_pending++] = tree->children[from + i];
    if (n > 0)
        decide(b, cost, floor);
    b->n_pending -= n;
    release(b, node, cost, rest);
    if (n == 0)
        decide(b, cost + (double)s->occurrences[node], rest);
    b->pending[b->n_pending++] = node;
}

static double begin_branching(branching *b, const double *floor)
{
    const mgl_item_state *s = b->state;
    double sum = 0;
    for (uint32_t v = 0; v < s->tree->n_nodes; v++) {
        b->floor_under[v] = 0;
        for (size_t i = s->tree->start[v]; i < s->tree->start[v + 1]; i++) {
            uint32_t leaf = s->tree->leaves[i];
            b->floor_under[v] += (double)s->occurrences[leaf] * floor[leaf];
        }
        if (s->tree->parent[v] != MGL_NOT_FOUND)
            continue;
        sum += b->floor_under[v];
        b->pending[b->n_pending++] = v;
    }
    b->best = mgl_item_cost(s);
    memcpy(b->best_cut, s->node_of_leaf, s->tree->n_leaves * sizeof *b->best_cut);
    for (uint32_t leaf = 0; leaf < s->tree->n_leaves; leaf++)
        s->node_of_leaf[leaf] = MGL_NOT_FOUND;
    return sum;
}

enum { MOST_LEAVES = 512 }; /* deeper recursion would not come to an end */

/* Goes through all cuts that may cost less, by at most so much work; *exact: to the end. floor
 * [leaf]: what an occurrence of it loses at least. */
static mgl_status item_exact(mgl_item_state *state, const double *floor, uint64_t work,
                             mgl_error *err, bool *exact)
{
    branching b = {.state = state, .most_work = work, .whole = true};
    size_t n = state->tree->n_nodes;
    mgl_status status = MGL_OK;
    *exact = false;
    if (state->tree->n_leaves > MOST_LEAVES)
        return MGL_OK;
    b.pending = mgl_own_array(&b.own, n + 1, sizeof *b.pending);
    b.floor_under = mgl_own_array(&b.own, n, sizeof *b.floor_under);
    b.best_cut = mgl_own_array(&b.own, state->tree->n_leaves, sizeof *b.best_cut);
    MGL_GO(mgl_owned_check(&b.own, err));
    MGL_GO(mgl_item_counter_new(state, err, &b.counter));
    decide(&b, 0, begin_branching(&b, floor));
    memcpy(state->node_of_leaf, b.best_cut, state->tree->n_leaves * sizeof *b.best_cut);
    MGL_GO(mgl_item_counter_failed(b.counter) ? mgl_fail_memory(err) : MGL_OK);
    *exact = b.whole;
done:
    mgl_item_counter_free(b.counter);
    mgl_owned_free(&b.own);
    return status;
}

typedef struct improving {
    mgl_item_state *state;
    mgl_item_counter *counter;
    uint64_t most_work;
    uint32_t *order;  /* [n_nodes] in which nodes are tried */
    uint32_t *before; /* [leaf] the cut that is gone back to */
    uint32_t *best;   /* [leaf] the best cut so far, while it is not the current one */
    uint32_t *saved;  /* [leaf] of the nodes that a step changes */
    uint32_t *inner;  /* [n_inner] nodes above others, what can lose most first */
    uint32_t n_inner;
    mgl_quick_random random;
    mgl_owned own;
} improving;

static bool is_spent(const improving *m)
{
    return mgl_item_counter_work(m->counter) >= m->most_work || mgl_item_is_late(m->state) ||
           mgl_item_counter_failed(m->counter);
}

static bool is_below_cut(const mgl_item_state *s, uint32_t node)
{
    for (uint32_t v = node; v != MGL_NOT_FOUND; v = s->tree->parent[v])
        if (mgl_item_is_cut(s, v))
            return true;
    return false;
}

/* ---- Orders ---------------------------------------------------------------------------------- */

typedef struct ranked {
    uint32_t node;
    double rank;
} ranked;

static const mgl_sort_key by_rank[] = {MGL_DESCENDING(ranked, rank), MGL_ASCENDING(ranked, node),
                                       MGL_SORT_END};

static bool rank_inner(improving *m)
{
    const mgl_item_state *s = m->state;
    ranked *nodes = mgl_alloc_array(s->tree->n_nodes, sizeof *nodes);
    if (nodes == NULL)
        return false;
    for (uint32_t v = 0; v < s->tree->n_nodes; v++)
        if (mgl_item_leaves(s->tree, v) > 1)
            nodes[m->n_inner++] = (ranked){v, (double)s->occurrences[v] * s->loss[v]};
    mgl_sort(nodes, m->n_inner, sizeof *nodes, by_rank);
    for (uint32_t i = 0; i < m->n_inner; i++)
        m->inner[i] = nodes[i].node;
    mgl_free(nodes);
    return true;
}

/* What most occurrences gain comes first, about so where it is shaken. Small subtrees gain more of
 * each occurrence than large ones, so leaves come before what is above them. */
static bool rank_nodes(improving *m, double shaken)
{
    const mgl_item_state *s = m->state;
    ranked *nodes = mgl_alloc_array(s->tree->n_nodes, sizeof *nodes);
    if (nodes == NULL)
        return false;
    for (uint32_t v = 0; v < s->tree->n_nodes; v++) {
        double noise = 1 + shaken * (mgl_quick_random_unit(&m->random) - 0.5);
        double inner = mgl_item_leaves(s->tree, v) > 1 ? 0 : 1e18;
        nodes[v] = (ranked){v, inner + (double)s->occurrences[v] * (1 - s->loss[v]) * noise};
    }
    mgl_sort(nodes, s->tree->n_nodes, sizeof *nodes, by_rank);
    for (uint32_t i = 0; i < s->tree->n_nodes; i++)
        m->order[i] = nodes[i].node;
    mgl_free(nodes);
    return true;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Are the combinations of a node of the cut frequent? Small ones first: they are counted sooner,
 * and mostly they are what is rare. */
static bool holds(improving *m, uint32_t node)
{
    unsigned most = m->state->problem->m;
    mgl_item_look small = {.least = 1, .most = most < 2 ? most : 2};
    mgl_item_look large = {.least = 3, .most = 3};
    return mgl_item_count(m->counter, node, &small) &&
           (most < 3 || mgl_item_count(m->counter, node, &large)) &&
           !mgl_item_counter_failed(m->counter);
}

static void save(improving *m, uint32_t node)
{
    const mgl_item_tree *tree = m->state->tree;
    for (size_t i = tree->start[node]; i < tree->start[node + 1]; i++)
        m->saved[tree->leaves[i]] = m->state->node_of_leaf[tree->leaves[i]];
}

static void restore(improving *m, uint32_t node)
{
    const mgl_item_tree *tree = m->state->tree;
    for (size_t i = tree->start[node]; i < tree->start[node + 1]; i++)
        m->state->node_of_leaf[tree->leaves[i]] = m->saved[tree->leaves[i]];
}

/* Releases the node in place of what is released under it, if that costs less and holds. */
static bool try_node(improving *m, uint32_t node)
{
    mgl_item_state *s = m->state;
    if (s->occurrences[node] == 0 || is_below_cut(s, node) ||
        mgl_item_cost_under(s, node) <= (double)s->occurrences[node] * s->loss[node])
        return false;
    save(m, node);
    mgl_item_put(s, node, node);
    if (holds(m, node))
        return true;
    restore(m, node);
    return false;
}

/* Releases the nodes under a node in its place, if that holds; or all but those that are too rare
 * then, if that costs less. Those that were found to hold still do when another is left out. */
static bool try_split(improving *m, uint32_t node, bool whole)
{
    mgl_item_state *s = m->state;
    const mgl_item_tree *tree = s->tree;
    size_t from = tree->child_start[node], to = tree->child_start[node + 1];
    double before = mgl_item_cost_under(s, node), cost = 0;
    save(m, node);
    for (size_t i = from; i < to; i++) {
        mgl_item_put(s, tree->children[i], tree->children[i]);
        cost += (double)s->occurrences[tree->children[i]] * s->loss[tree->children[i]];
    }
    for (size_t i = from; i < to && cost < before; i++) {
        uint32_t child = tree->children[i];
        if (s->occurrences[child] == 0 || holds(m, child))
            continue;
        mgl_item_put(s, child, MGL_NOT_FOUND);
        cost = whole ? before : cost;
        cost += (double)s->occurrences[child] * (1 - s->loss[child]);
    }
    if (cost < before && !is_spent(m))
        return true;
    restore(m, node);
    return false;
}

/* Goes down from what is released, what loses most first: every node comes after the one above it.
 * What is left out takes room that others could have, so whole nodes are divided first. */
static void specialize(improving *m)
{
    for (int whole = 1; whole >= 0; whole--)
        for (uint32_t i = 0; i < m->n_inner && !is_spent(m); i++)
            if (mgl_item_is_cut(m->state, m->inner[i]))
                try_split(m, m->inner[i], whole == 1);
}

/* Tries the nodes in order, again until none is taken. Those above others come after them. */
static void refill(improving *m, const uint32_t *order, size_t n)
{
    bool any = true;
    while (any && !is_spent(m)) {
        any = false;
        for (size_t i = 0; i < n && !is_spent(m); i++)
            any = try_node(m, order[i]) || any;
    }
}

/* ---- Taking apart and putting together ------------------------------------------------------- */

/* Leaves out all under the node: refilling puts together what fits best. */
static void take_apart(improving *m, uint32_t node)
{
    mgl_item_put(m->state, node, MGL_NOT_FOUND);
}

static uint32_t top_of(const mgl_item_state *s, uint32_t node)
{
    while (s->tree->parent[node] != MGL_NOT_FOUND)
        node = s->tree->parent[node];
    return node;
}

/* A node that some leaf is coarser than itself in, or that is left out. */
static uint32_t choose_node(improving *m)
{
    const mgl_item_state *s = m->state;
    uint32_t leaf = mgl_quick_random_below(&m->random, s->tree->n_leaves);
    for (uint32_t i = 0; i < s->tree->n_leaves; i++, leaf = (leaf + 1) % s->tree->n_leaves) {
        uint32_t cut = s->node_of_leaf[leaf];
        if (s->occurrences[leaf] == 0 || cut == leaf)
            continue;
        if (cut != MGL_NOT_FOUND && mgl_quick_random_below(&m->random, 2) == 0)
            return cut;
        uint32_t above = s->tree->parent[cut != MGL_NOT_FOUND ? cut : leaf];
        return above != MGL_NOT_FOUND ? above : cut != MGL_NOT_FOUND ? cut : leaf;
    }
    return MGL_NOT_FOUND;
}

/* Takes some of the cut apart and puts it together in an order of its own. Returns false if there
 * is nothing to take apart. */
static bool shake(improving *m)
{
    mgl_item_state *s = m->state;
    size_t n = s->tree->n_leaves;
    double cost = mgl_item_cost(s);
    memcpy(m->before, s->node_of_leaf, n * sizeof *m->before);
    uint32_t node = choose_node(m);
    if (node == MGL_NOT_FOUND)
        return false;
    take_apart(m, node);
    for (uint32_t others = mgl_quick_random_below(&m->random, 4); others > 0; others--) {
        uint32_t leaf = mgl_quick_random_below(&m->random, n);
        uint32_t cut = s->node_of_leaf[leaf];
        if (cut != MGL_NOT_FOUND)
            take_apart(m, mgl_quick_random_below(&m->random, 8) == 0 ? top_of(s, cut) : cut);
    }
    if (!rank_nodes(m, 1.5))
        return false;
    refill(m, m->order, s->tree->n_nodes);
    if (is_spent(m) || mgl_item_cost(s) > cost)
        memcpy(s->node_of_leaf, m->before, n * sizeof *m->before);
    return true;
}

enum { MOST_SHAKES = 2000 };

/* ---- Where to begin -------------------------------------------------------------------------- */

static void keep_better(improving *m, double *cost)
{
    mgl_item_state *s = m->state;
    double now = mgl_item_cost(s);
    if (now < *cost)
        memcpy(m->best, s->node_of_leaf, s->tree->n_leaves * sizeof *m->best);
    *cost = now < *cost ? now : *cost;
}

static void leave_out_all(mgl_item_state *s)
{
    for (uint32_t leaf = 0; leaf < s->tree->n_leaves; leaf++)
        s->node_of_leaf[leaf] = MGL_NOT_FOUND;
}

/* From the cut that is there; from the nodes right below the top; from nothing, leaves first. */
static void find_start(improving *m)
{
    mgl_item_state *s = m->state;
    double cost = mgl_item_cost(s);
    memcpy(m->best, s->node_of_leaf, s->tree->n_leaves * sizeof *m->best);
    specialize(m);
    refill(m, m->order, s->tree->n_nodes);
    keep_better(m, &cost);
    leave_out_all(s);
    for (uint32_t i = 0; i < s->tree->n_nodes && !is_spent(m); i++)
        if (s->tree->parent[m->order[i]] == MGL_NOT_FOUND)
            try_node(m, m->order[i]);
    specialize(m);
    refill(m, m->order, s->tree->n_nodes);
    keep_better(m, &cost);
    leave_out_all(s);
    refill(m, m->order, s->tree->n_nodes);
    keep_better(m, &cost);
    memcpy(s->node_of_leaf, m->best, s->tree->n_leaves * sizeof *m->best);
}

/* Improves a cut that holds, by at most so much work. */
static mgl_status item_improve(mgl_item_state *state, uint64_t work, mgl_error *err)
{
    improving m = {.state = state, .most_work = work, .random = {1}};
    uint32_t n = state->tree->n_nodes, n_leaves = state->tree->n_leaves;
    mgl_status status = MGL_OK;
    m.order = mgl_own_array(&m.own, n, sizeof *m.order);
    m.inner = mgl_own_array(&m.own, n, sizeof *m.inner);
    m.before = mgl_own_array(&m.own, n_leaves, sizeof *m.before);
    m.saved = mgl_own_array(&m.own, n_leaves, sizeof *m.saved);
    m.best = mgl_own_array(&m.own, n_leaves, sizeof *m.best);
    if (m.own.missing || !rank_inner(&m) || !rank_nodes(&m, 0))
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_item_counter_new(state, err, &m.counter));
    find_start(&m);
    for (size_t i = 0; i < MOST_SHAKES && !is_spent(&m); i++)
        if (!shake(&m))
            break;
    MGL_GO(mgl_item_counter_failed(m.counter) ? mgl_fail_memory(err) : MGL_OK);
done:
    mgl_item_counter_free(m.counter);
    mgl_owned_free(&m.own);
    return status;
}

typedef struct rare {
    uint32_t nodes[MGL_ITEMS_MOST_M];
} rare;

typedef struct rare_list {
    rare *of;
    size_t n, room;
    size_t left; /* of the current node, how many more are taken down */
    bool failed;
} rare_list;

/* ---- Finding what is rare -------------------------------------------------------------------- */

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

static int compare_rare(const void *a, const void *b)
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
    qsort(out->of, out->n, sizeof *out->of, compare_rare);
    n = out->n;
    out->n = 0;
    for (size_t i = 0; i < n; i++)
        if (i == 0 || compare_rare(&out->of[i], &out->of[i - 1]) != 0)
            out->of[out->n++] = out->of[i];
    return MGL_OK;
}

/* ---- Changing it ----------------------------------------------------------------------------- */

typedef struct step {
    uint32_t node;
    bool up; /* to the node above; else it is left out */
    double worth;
} step;

static const mgl_sort_key by_worth[] = {MGL_DESCENDING(step, worth), MGL_ASCENDING(step, node),
                                        MGL_SORT_END};

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
    mgl_sort(r.steps, r.n_steps, sizeof *r.steps, by_worth);
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

/* ---- Rounds ---------------------------------------------------------------------------------- */

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

/* Apriori anonymization: makes a cut that holds of one that need not. */
static mgl_status item_apriori(mgl_item_state *state, mgl_error *err)
{
    unsigned n_threads = mgl_pool_threads(state->problem->pool);
    finding f = {.state = state, .most = MOST_RARES / (state->tree->n_nodes + 1) + 16};
    mgl_status status = MGL_OK;
    f.counters = mgl_zeroed_array(n_threads, sizeof *f.counters);
    f.lists = mgl_zeroed_array(n_threads, sizeof *f.lists);
    MGL_GO(mgl_check_memory(f.counters != NULL && f.lists != NULL, err));
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

/* Baskets, and nodes in them, that are looked at: of 500,000 baskets they took 20 ns each, so that
 * improving ends after a second or so. */
enum { WORK_TO_IMPROVE = 60000000, WORK_TO_PROVE = 40000000 };

typedef struct flooring {
    const mgl_item_state *state;
    mgl_item_counter *counter;
    double *floor; /* [leaf] */
} flooring;

/* An item is released as no node that is rare itself, whatever becomes of the others. */
static void find_floors(flooring *f)
{
    const mgl_item_state *s = f->state;
    mgl_item_look look = {.least = 1, .most = 1};
    for (uint32_t leaf = 0; leaf < s->tree->n_leaves; leaf++)
        f->floor[leaf] = 1;
    for (uint32_t v = s->tree->n_nodes; v-- > 0;) /* those under a node come after it */
        if (s->occurrences[v] > 0 && mgl_item_count(f->counter, v, &look))
            for (size_t i = s->tree->start[v]; i < s->tree->start[v + 1]; i++)
                f->floor[s->tree->leaves[i]] = s->loss[v];
}

static mgl_status find_bound(const mgl_item_state *s, double total, mgl_error *err, double *floor,
                             double *bound)
{
    flooring f = {.state = s, .floor = floor};
    MGL_TRY(mgl_item_counter_new(s, err, &f.counter));
    find_floors(&f);
    bool failed = mgl_item_counter_failed(f.counter);
    mgl_item_counter_free(f.counter);
    *bound = 0;
    for (uint32_t leaf = 0; leaf < s->tree->n_leaves; leaf++)
        *bound += (double)s->occurrences[leaf] * floor[leaf];
    *bound = total > 0 ? *bound / total : 0;
    return failed ? mgl_fail_memory(err) : MGL_OK;
}

static double total_of(const mgl_baskets *baskets, uint32_t n_leaves)
{
    double total = 0;
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        total += (double)baskets->occurrences[leaf];
    return total;
}

double mgl_item_cut_loss(const mgl_item_tree *tree, const mgl_baskets *baskets,
                         const uint32_t *node_of_leaf)
{
    double sum = 0, total = total_of(baskets, tree->n_leaves);
    for (uint32_t leaf = 0; leaf < tree->n_leaves; leaf++)
        sum += (double)baskets->occurrences[leaf] * mgl_item_loss(tree, node_of_leaf[leaf]);
    return total > 0 ? sum / total : 0;
}

/* What does not occur was not judged: it is left out, unless a released node stands above it. */
static void leave_out_unseen(const mgl_item_state *s)
{
    for (uint32_t leaf = 0; leaf < s->tree->n_leaves; leaf++) {
        uint32_t node = s->node_of_leaf[leaf];
        if (node != MGL_NOT_FOUND && s->occurrences[node] == 0)
            s->node_of_leaf[leaf] = MGL_NOT_FOUND;
    }
}

mgl_status mgl_item_search(const mgl_item_problem *problem, mgl_error *err, mgl_item_cut *out)
{
    mgl_item_state s;
    double total = total_of(problem->baskets, problem->tree->n_leaves);
    double *floor = NULL;
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_item_state_new(problem, err, &s));
    floor = mgl_alloc_array(problem->tree->n_leaves, sizeof *floor);
    *out = (mgl_item_cut){0};
    MGL_GO(mgl_check_memory(floor != NULL, err));
    MGL_GO(find_bound(&s, total, err, floor, &out->best_possible));
    MGL_GO(item_apriori(&s, err));
    out->ncp_first = mgl_item_cut_loss(problem->tree, problem->baskets, s.node_of_leaf);
    MGL_GO(item_improve(&s, WORK_TO_IMPROVE, err));
    MGL_GO(item_exact(&s, floor, WORK_TO_PROVE, err, &out->exact));
    if (mgl_progress_stopped(problem->progress))
        MGL_GO(mgl_fail_cancelled(err));
    leave_out_unseen(&s);
    out->ncp = mgl_item_cut_loss(problem->tree, problem->baskets, s.node_of_leaf);
    out->exact = out->exact || out->ncp <= out->best_possible;
    if (out->exact)
        out->best_possible = out->ncp;
    out->node_of_leaf = s.node_of_leaf;
    s.node_of_leaf = NULL;
done:
    mgl_item_state_free(&s);
    mgl_free(floor);
    return status;
}

void mgl_item_cut_free(mgl_item_cut *cut)
{
    mgl_free(cut->node_of_leaf);
    *cut = (mgl_item_cut){0};
}

/* ---- A cut that is given --------------------------------------------------------------------- */

mgl_status mgl_item_cut_holds(const mgl_item_problem *problem, const uint32_t *node_of_leaf,
                              mgl_error *err, bool *holds)
{
    mgl_item_state s;
    mgl_item_counter *counter = NULL;
    mgl_item_look look = {.least = 1, .most = problem->m, .larger = true};
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_item_state_new(problem, err, &s));
    memcpy(s.node_of_leaf, node_of_leaf, problem->tree->n_leaves * sizeof *node_of_leaf);
    MGL_GO(mgl_item_counter_new(&s, err, &counter));
    *holds = true;
    for (uint32_t v = 0; *holds && v < problem->tree->n_nodes; v++)
        if (s.occurrences[v] > 0 && mgl_item_is_cut(&s, v))
            *holds = mgl_item_count(counter, v, &look);
    MGL_GO(mgl_item_counter_failed(counter) ? mgl_fail_memory(err) : MGL_OK);
done:
    mgl_item_counter_free(counter);
    mgl_item_state_free(&s);
    return status;
}
