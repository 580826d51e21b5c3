/* Finds a cut: apriori anonymization, then a better one, then, of small trees, the best. The
 * pipeline calls it once it is known which rows are released. */
#include "items/item_search.h"

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
    if (floor == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(find_bound(&s, total, err, floor, &out->best_possible));
    MGL_GO(mgl_item_apriori(&s, err));
    out->ncp_first = mgl_item_cut_loss(problem->tree, problem->baskets, s.node_of_leaf);
    MGL_GO(mgl_item_improve(&s, WORK_TO_IMPROVE, err));
    MGL_GO(mgl_item_exact(&s, floor, WORK_TO_PROVE, err, &out->exact));
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

/* ---- A cut that is given ------------------------------------------------------------------------
 */

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
