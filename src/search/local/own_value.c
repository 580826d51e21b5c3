/* Local suppression where a suppressed cell is a value like any other: the cell level with two
 * levels for each column. */
#include "search/cell/cell.h"
#include "search/local/patterns.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

enum {
    GUIDES = 512,           /* tuples that show which patterns matter, if there are too many */
    SMALL = 600,            /* distinct tuples of tables that are searched whole if need be */
    BOUND_WORK = 200000000, /* tuples looked at for bounds that save looking at tuples later */
    EXACT_WORK = 1000000000,
    BEST_WORK = 2000000000 /* for a proof that there is nothing better */
};

typedef struct own_search {
    const mgl_problem *problem;
    bool thorough;
    mgl_box_space *space;
    mgl_box_nodes *nodes;
    mgl_box_release *release;
    mgl_recoding *recoding; /* the release, if it holds */
    uint32_t *bounds;       /* [t] what a row costs at least */
    mgl_local l;
} own_search;

static mgl_status prepare(own_search *w, mgl_error *err)
{
    /* Without a limit rows may be left out, if they are not kept. */
    mgl_problem problem = *w->problem;
    problem.limit = problem.limited ? problem.limit : problem.list->n_rows;
    MGL_TRY(mgl_box_space_flat(&problem, mgl_local_importance(&problem), err, &w->space));
    size_t n = w->space->n;
    w->bounds = mgl_alloc_array(n, sizeof *w->bounds);
    if (w->bounds == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n; t++)
        w->bounds[t] = (uint32_t)t;
    MGL_TRY(mgl_box_nodes_new(w->space, w->bounds, n, GUIDES, err, &w->nodes));
    return mgl_cell_simple_bound(w->space, BOUND_WORK, err, w->bounds);
}

/* The greedy placed not all tuples: classes may hold only if the right rows are left out. */
static mgl_status find_any(own_search *w, mgl_error *err, bool *met)
{
    bool proved;
    uint64_t bound;
    if (w->space->n > SMALL || !w->thorough)
        return MGL_OK;
    MGL_TRY(mgl_box_release_new(w->space, err, &w->release));
    MGL_TRY(
        mgl_cell_exact(w->space, EXACT_WORK, w->release, err, &proved, &bound, &w->l.timed_out));
    *met = true;
    for (size_t t = 0; t < w->space->n; t++)
        *met = *met && w->release->class_of[t] != MGL_NOT_FOUND;
    return MGL_OK;
}

/* Rows that read as the top are suppressed ones, however they came there. */
static void mark_suppressed(mgl_recoding *recoding)
{
    for (size_t t = 0; t < recoding->n_tuples; t++) {
        recoding->suppressed[t] = 1;
        for (size_t a = 0; a < recoding->n_attributes; a++)
            recoding->suppressed[t] &= recoding->cells[a][t] == recoding->columns[a]->top;
    }
}

static mgl_status take(const own_search *w, mgl_error *err, mgl_recoding **out)
{
    const mgl_box_space *s = w->space;
    mgl_recoding *recoding;
    MGL_TRY(mgl_recoding_new(w->problem->columns, s->m, s->n, err, &recoding));
    for (uint32_t c = 0; c < w->release->n_classes; c++) {
        const mgl_box_class *x = &w->release->classes[c];
        bool top = c == 0 || mgl_box_is_top(s, x->levels);
        for (size_t i = 0; i < x->n; i++) {
            uint32_t t = x->members[i];
            for (size_t a = 0; a < s->m; a++)
                recoding->cells[a][t] =
                    s->attributes[a].released[top ? 1 : x->levels[a]][s->leaves[t * s->m + a]];
        }
    }
    *out = recoding;
    return MGL_OK;
}

/* Does it hold as it reads? */
static mgl_status holds(const own_search *w, mgl_recoding *recoding, mgl_error *err, bool *out)
{
    mgl_problem problem = *w->problem;
    mark_suppressed(recoding);
    problem.counting = (mgl_counting){0};
    return mgl_recoding_holds(&problem, recoding, err, out);
}

static mgl_status settle(own_search *w, mgl_error *err, bool *met)
{
    MGL_TRY(mgl_box_release_settle(w->release, err, met));
    if (!*met)
        return MGL_OK;
    mgl_recoding_free(w->recoding);
    w->recoding = NULL;
    MGL_TRY(take(w, err, &w->recoding));
    return holds(w, w->recoding, err, met);
}

/* Larger classes are tried up to all rows as one. */
static uint32_t enlarged(const mgl_box_space *s)
{
    uint64_t need = s->need + s->need / 2 + 1;
    bool beyond = s->need < s->n_rows && need > s->n_rows;
    return beyond ? (uint32_t)s->n_rows : (uint32_t)need;
}

/* Models of the whole table are not looked at while classes are made; if one does not hold, larger
 * classes may help. */
static mgl_status search(own_search *w, mgl_error *err, bool *met)
{
    uint64_t first = w->space->need;
    bool proved;
    uint64_t bound;
    *met = false;
    while (!*met && w->space->need <= w->space->n_rows) {
        mgl_box_release_free(w->release);
        w->release = NULL;
        MGL_TRY(mgl_cell_place(w->space, w->nodes, w->bounds, true, err, &w->release, met));
        if (!*met && w->space->need == first)
            MGL_TRY(find_any(w, err, met));
        if (!*met)
            return MGL_OK;
        if (w->space->m <= MGL_LOCAL_COLUMNS) {
            w->l = (mgl_local){.timed_out = w->l.timed_out};
            mgl_local_columns(&w->l, w->space);
            MGL_TRY(mgl_local_regroup(&w->l, w->release, err));
        }
        if (w->problem->effort == MGL_EFFORT_BEST && w->space->n <= SMALL && !w->l.timed_out &&
            w->space->need == first)
            MGL_TRY(mgl_cell_exact(w->space, BEST_WORK, w->release, err, &proved, &bound,
                                   &w->l.timed_out));
        MGL_TRY(settle(w, err, met));
        if (!*met)
            w->space->need = enlarged(w->space);
    }
    return MGL_OK;
}

/* ---- Whole columns --------------------------------------------------------------------------- */

static mgl_status take_node(own_search *w, const uint32_t *node, mgl_evaluator *evaluator,
                            mgl_error *err, bool *met)
{
    const mgl_problem *p = w->problem;
    mgl_evaluation e;
    if (mgl_evaluate_node(evaluator, node, &e) != MGL_OK)
        return mgl_fail_memory(err);
    *met = e.met;
    if (!e.met)
        return MGL_OK;
    mgl_recoding_free(w->recoding);
    w->recoding = NULL;
    MGL_TRY(mgl_recoding_new(p->columns, w->space->m, w->space->n, err, &w->recoding));
    for (size_t a = 0; a < w->space->m; a++)
        memcpy(w->recoding->cells[a], e.cells[a], w->space->n * sizeof **e.cells);
    return holds(w, w->recoding, err, met);
}

/* What is left if classes cannot be put together one by one: the same columns suppressed in every
 * row, the cheapest that hold. */
static mgl_status search_uniform(own_search *w, mgl_error *err, bool *met)
{
    const mgl_problem *p = w->problem;
    size_t m = w->space->m;
    uint32_t node[MGL_MOST_COLUMNS];
    mgl_evaluator *evaluator;
    MGL_TRY(mgl_evaluator_new(p, err, &evaluator));
    mgl_status status = MGL_OK;
    *met = false;
    for (size_t i = 0; !*met && i < w->nodes->n; i++) {
        for (size_t a = 0; a < m; a++)
            node[a] = w->nodes->levels[i * m + a] > 0 ? p->columns[a]->hierarchy->height
                                                      : p->min_level[a];
        MGL_GO(take_node(w, node, evaluator, err, met));
        MGL_GO(mgl_progress_report(p->progress, "search", i, w->nodes->n, err));
    }
done:
    mgl_evaluator_free(evaluator);
    return status;
}

/* Nothing but suppressed rows: models of the whole table have nothing to look at then. */
static mgl_status suppress_all(own_search *w, mgl_error *err, bool *met)
{
    mgl_recoding_free(w->recoding);
    w->recoding = NULL;
    MGL_TRY(mgl_recoding_new(w->problem->columns, w->space->m, w->space->n, err, &w->recoding));
    for (size_t t = 0; t < w->space->n; t++)
        mgl_recoding_suppress(w->recoding, t);
    return holds(w, w->recoding, err, met);
}

static mgl_status find(own_search *w, mgl_error *err, mgl_solution *out)
{
    bool met;
    MGL_TRY(prepare(w, err));
    MGL_TRY(search(w, err, &met));
    if (!met)
        MGL_TRY(search_uniform(w, err, &met));
    if (!met)
        MGL_TRY(suppress_all(w, err, &met));
    if (!met)
        return mgl_local_unmet(w->problem, err);
    out->recoding = w->recoding;
    w->recoding = NULL;
    out->timed_out = w->l.timed_out;
    out->nodes_checked = w->nodes->n;
    return MGL_OK;
}

mgl_status mgl_local_own_value(const mgl_problem *problem, const uint32_t *sets, size_t n_sets,
                               bool thorough, mgl_error *err, mgl_solution *out)
{
    mgl_united_sets united;
    const mgl_problem *whole = mgl_unite_sets(problem, &united);
    own_search w = {.problem = whole, .thorough = thorough};
    bool met = true;
    mgl_status status = find(&w, err, out);
    mgl_recoding_free(w.recoding);
    mgl_box_release_free(w.release);
    mgl_box_nodes_free(w.nodes);
    mgl_box_space_free(w.space);
    mgl_free(w.bounds);
    MGL_TRY(status);
    if (n_sets > 1 || problem->sets[0].n_attributes < problem->list->n_attributes)
        MGL_TRY(mgl_local_combine(whole, sets, n_sets, out, err, &met));
    uint64_t left = 0;
    for (size_t t = 0; t < problem->list->n_tuples; t++) {
        left += out->recoding->suppressed[t] ? 0 : problem->list->counts[t];
        out->suppressed_rows += out->recoding->suppressed[t] ? problem->list->counts[t] : 0;
    }
    if (met && left == 0)
        MGL_TRY(mgl_local_all_may_go(problem, err, &met));
    if (!met || (problem->limited && out->suppressed_rows > problem->limit))
        return mgl_local_unmet(problem, err);
    return MGL_OK;
}
