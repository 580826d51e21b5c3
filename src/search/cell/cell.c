/* MinGen at the cell level (Sweeney 2002, equation 2): every tuple has a node of its own, and the
 * release says how far it is, at most, from the best one there is. A row of the table of
 * methods. */
#include "search/node/node.h"
#include "search/box/box.h"
#include "search/cell/cell.h"
#include "search/fulldomain/fulldomain.h"
#include "search/sets/sets.h"
#include "search/cell/exact/exact.h"
#include "search/cell/improve/improve.h"

/* What no release of some columns costs less than. */
typedef struct mgl_bound_apart {
    double cost; /* over all rows, in the measure's own terms */
    bool whole;  /* costs were not rounded */
    bool timed_out;
} mgl_bound_apart;

/* ---- Efforts --------------------------------------------------------------------------------- */

/* How long the cell level looks, for each --effort. */

const mgl_cell_effort mgl_cell_efforts[] = {
    [MGL_EFFORT_FAST] = {.simple_work = 400000000,
                         .near_work = 100000000,
                         .cluster_work = 10000000000,
                         .guides = 256,
                         .borrow_tuples = 100000},
    [MGL_EFFORT_BALANCED] = {.simple_work = 4000000000,
                             .near_work = 8000000000,
                             .around_work = 5000,
                             .cluster_work = 100000000000,
                             .guides = 512,
                             .borrow_tuples = SIZE_MAX,
                             .most_tuples = 1000000,
                             .closed_work = 600000000,
                             .large_work = 160000000,
                             .sweeps = 200,
                             .large_sweeps = 30,
                             .least_work = 3000000,
                             .tuple_work = 13000,
                             .improve_work = 750000000,
                             .dual_times = 1,
                             .exact_work = 1000000000},
    [MGL_EFFORT_BEST] = {.simple_work = 20000000000,
                         .near_work = 100000000000,
                         .around_work = 2000000,
                         .cluster_work = 1000000000000,
                         .guides = 1024,
                         .borrow_tuples = SIZE_MAX,
                         .most_tuples = 1000000,
                         .closed_work = 10000000000,
                         .large_work = 600000000,
                         .sweeps = 1000,
                         .large_sweeps = 200,
                         .improves_large = true,
                         .least_work = 700000000,
                         .tuple_work = 400000,
                         .improve_work = 8000000000,
                         .dual_times = 2,
                         .exact_work = 30000000000},
};

enum { PAIR_WORK = 13000 }; /* for improving, at most: a few tuples have no more to try */

/* What is allowed for improving a release of so many distinct tuples. */
static uint64_t cell_improve_work(mgl_effort effort, uint64_t n_tuples, bool by_duals)
{
    const mgl_cell_effort *e = &mgl_cell_efforts[effort];
    uint64_t times = by_duals ? e->dual_times : 1;
    uint64_t work = times * e->tuple_work * n_tuples, most = times * e->improve_work;
    uint64_t few = n_tuples * n_tuples * PAIR_WORK;
    uint64_t least = e->least_work < few ? e->least_work : few;
    work = work < most ? work : most;
    return work > least ? work : least;
}

/* ---- The method ------------------------------------------------------------------------------ */

enum {
    SMALL = 600, /* distinct tuples of tables whose best release is looked for */
    BOX_WORK = 7 /* that looking at a box is, in regrouping */
};

/* Candidates have a reduced cost of less than this for each row, as a share of the top. */
#define CANDIDATE_SLACK 0.004

/* What bounds and placing get of what is left of a time limit, since steps that need them follow.
 */
#define BOUNDS_TIME 0.3
#define PLACE_TIME 0.7

/* Dual values in a large table are at most what rows cost in a release times this. */
#define LIMIT 1.5

typedef struct cell_search {
    mgl_problem own;            /* the problem, with the deadline of the current step */
    const mgl_problem *problem; /* that is this one */
    mgl_box_space *space;
    mgl_box_nodes *nodes;
    mgl_cell_closed *closed;
    mgl_box_release *release;
    uint32_t *bounds;      /* [t] what each row costs at least, by itself */
    uint32_t *duals;       /* [t] */
    uint32_t *near;        /* [t * MGL_CELL_NEAR] neighbours; NULL: were not looked for */
    uint64_t bound;        /* of the whole release */
    uint32_t *proof;       /* [t] dual values that prove a bound; NULL: are not asked for */
    mgl_bound_steps steps; /* that prove a better one */
    bool enlarged;         /* classes are made larger than needed */
    bool timed_out;
    mgl_owned memory;
} cell_search;

/* The step that begins has so much of what is left of a time limit. Returns the deadline before. */
static double limit_step(cell_search *w, double part)
{
    double before = w->own.deadline, now = mgl_sys_seconds();
    if (before > now)
        w->own.deadline = now + part * (before - now);
    return before;
}

/* Keeps the dual values of the best bound so far. */
static void keep_proof(cell_search *w, const uint32_t *duals)
{
    if (w->proof != NULL)
        memcpy(w->proof, duals, w->space->n * sizeof *duals);
}

/* What dual values are at most, as far as the search for them goes: a tuple that is a class by
 * itself costs no more than that. In a large table hardly a dual value is much higher than what the
 * row costs in a release. */
static void limit_duals(cell_search *w, const uint32_t *bounds, bool by_release)
{
    const mgl_box_space *s = w->space;
    uint8_t lowest[MGL_MOST_COLUMNS];
    mgl_box_begin(s, lowest);
    for (uint32_t t = 0; t < s->n; t++) {
        bool alone = s->rows[t] >= s->need && bounds[t] <= mgl_box_cost(s, lowest, t);
        double cost = by_release ? w->release->classes[w->release->class_of[t]].cost : 0;
        bool lower = by_release && LIMIT * cost < s->top_cost;
        uint32_t most = lower ? (uint32_t)(LIMIT * cost) : s->top_cost;
        w->duals[t] = alone ? bounds[t] : most;
    }
}

/* Dual values, and the bound that they prove. There are no closed classes if time ran out. */
static mgl_status find_duals(cell_search *w, bool large, mgl_error *err)
{
    const mgl_problem *p = w->problem;
    bool cut;
    mgl_cell_closed_free(w->closed);
    w->closed = NULL;
    limit_duals(w, w->bounds, large);
    MGL_TRY(mgl_cell_closed_new(w->space, w->nodes, w->duals,
                                large ? mgl_cell_efforts[p->effort].large_work
                                      : mgl_cell_efforts[p->effort].closed_work,
                                large, err, &w->closed));
    w->timed_out = w->timed_out || mgl_problem_is_late(p);
    if (w->closed == NULL)
        return MGL_OK;
    memcpy(w->duals, w->bounds, w->space->n * sizeof *w->duals);
    MGL_TRY(mgl_cell_find_duals(w->closed,
                                large ? mgl_cell_efforts[p->effort].large_sweeps
                                      : mgl_cell_efforts[p->effort].sweeps,
                                w->duals, err, &cut));
    w->timed_out = w->timed_out || cut;
    uint64_t bound = mgl_cell_sum(w->space, w->duals);
    if (w->nodes->all && !w->enlarged && bound > w->bound) {
        w->bound = bound;
        keep_proof(w, w->duals);
    }
    return MGL_OK;
}

static mgl_status improve_by_candidates(cell_search *w, uint32_t slack, uint64_t work,
                                        mgl_error *err)
{
    mgl_cell_candidates *candidates = NULL;
    MGL_TRY(mgl_cell_candidates_new(w->closed, w->duals, slack, err, &candidates));
    mgl_status status =
        mgl_cell_improve(candidates, w->nodes, w->bounds, work, w->release, err, &w->timed_out);
    mgl_cell_candidates_free(candidates);
    return status;
}

static mgl_status improve(cell_search *w, mgl_error *err)
{
    mgl_effort effort = w->problem->effort;
    uint32_t slack = (uint32_t)(CANDIDATE_SLACK * w->space->top_cost);
    bool large = w->space->n > MGL_CELL_MANY;
    uint64_t work = cell_improve_work(effort, w->space->n, w->near == NULL && !large);
    if (w->near != NULL)
        return mgl_cell_regroup(w->near, work / BOX_WORK, w->release, err, &w->timed_out);
    if (large && (w->enlarged || !w->nodes->all)) /* which would prove nothing */
        return MGL_OK;
    MGL_TRY(find_duals(w, large, err));
    if (w->closed == NULL || (large && !mgl_cell_efforts[effort].improves_large))
        return MGL_OK;
    /* Small tables are tried with more candidates, too. */
    for (uint32_t times = 1; times <= (w->space->n <= SMALL ? 16 : 1); times *= 4)
        MGL_TRY(improve_by_candidates(w, times * slack, work, err));
    return MGL_OK;
}

/* Pairs of cells, in a large lattice. */
static bool allows_pairs(const cell_search *w, uint64_t most)
{
    uint64_t n = w->space->n;
    return !w->nodes->all && n <= most / w->space->m / n;
}

/* The bound by dual values of classes that may hold as far as the space asks. */
static mgl_status bound_terms(cell_search *w, const uint32_t *bounds, mgl_error *err)
{
    mgl_effort effort = w->problem->effort;
    mgl_cell_closed *closed = NULL;
    mgl_status status = MGL_OK;
    bool cut;
    limit_duals(w, bounds, false);
    MGL_GO(mgl_cell_closed_new(w->space, w->nodes, w->duals, mgl_cell_efforts[effort].closed_work,
                               false, err, &closed));
    if (closed == NULL)
        goto done;
    memcpy(w->duals, bounds, w->space->n * sizeof *bounds);
    MGL_GO(mgl_cell_find_duals(closed, mgl_cell_efforts[effort].sweeps, w->duals, err, &cut));
    w->timed_out = w->timed_out || cut;
    uint64_t bound = mgl_cell_sum(w->space, w->duals);
    w->bound = bound > w->bound ? bound : w->bound;
done:
    mgl_cell_closed_free(closed);
    return status;
}

/* What follows from models that are not upward closed raises the bound. The search goes by the
 * others, as classes that just may hold mislead it. */
static mgl_status raise_by_terms(cell_search *w, mgl_error *err)
{
    const mgl_problem *p = w->problem;
    bool upward = w->space->upward;
    uint32_t *bounds = NULL;
    mgl_status status = MGL_OK;
    if (w->timed_out || !w->nodes->all)
        return MGL_OK;
    bool any;
    MGL_TRY(mgl_box_ask_terms(w->space, err, &any));
    if (!any)
        return MGL_OK;
    w->space->upward = true;
    MGL_GO(mgl_new_array(w->space->n, sizeof *bounds, err, &bounds));
    MGL_GO(mgl_cell_simple_bound(w->space, mgl_cell_efforts[p->effort].simple_work, err, bounds));
    uint64_t bound = mgl_cell_sum(w->space, bounds);
    w->bound = bound > w->bound ? bound : w->bound;
    if (w->space->n <= MGL_CELL_MANY && mgl_cell_efforts[p->effort].sweeps > 0)
        MGL_GO(bound_terms(w, bounds, err));
done:
    mgl_box_forget_terms(w->space);
    w->space->upward = upward;
    mgl_free(bounds);
    return status;
}

/* Boxes around each tuple raise the bound in a large lattice. The search goes by pairs, and so does
 * a certificate, since boxes take long to check. */
static mgl_status raise_by_boxes(cell_search *w, mgl_error *err)
{
    size_t n = w->space->n;
    uint64_t work = mgl_cell_efforts[w->problem->effort].around_work;
    if (work == 0 || w->problem->wants_proof)
        return MGL_OK;
    memcpy(w->duals, w->bounds, n * sizeof *w->duals); /* which are not used yet */
    MGL_TRY(mgl_cell_around_bound(w->space, work, err, w->duals));
    w->bound = mgl_cell_sum(w->space, w->duals);
    w->timed_out = mgl_problem_is_late(w->problem);
    return MGL_OK;
}

static mgl_status find_bounds(cell_search *w, mgl_error *err)
{
    const mgl_problem *p = w->problem;
    MGL_TRY(mgl_box_space_new(p, err, &w->space));
    size_t n = w->space->n;
    w->bounds = mgl_own_array(&w->memory, n, sizeof *w->bounds);
    w->duals = mgl_own_array(&w->memory, n, sizeof *w->duals);
    if (p->wants_proof)
        w->proof = mgl_alloc_array(n, sizeof *w->proof);
    if (w->memory.missing || (p->wants_proof && w->proof == NULL))
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n; t++)
        w->bounds[t] = (uint32_t)t;
    MGL_TRY(mgl_box_nodes_new(w->space, w->bounds, n, mgl_cell_efforts[p->effort].guides, err,
                              &w->nodes));
    bool pairs = allows_pairs(w, mgl_cell_efforts[p->effort].near_work);
    uint64_t work = mgl_cell_efforts[w->nodes->all ? p->effort : MGL_EFFORT_FAST].simple_work;
    MGL_TRY(mgl_cell_simple_bound(w->space, work, err, w->bounds));
    w->timed_out = mgl_problem_is_late(p);
    if (!w->timed_out && pairs) {
        w->near = mgl_own_array(&w->memory, n, MGL_CELL_NEAR * sizeof *w->near);
        MGL_TRY(mgl_owned_check(&w->memory, err));
        MGL_TRY(mgl_cell_near_bound(w->space, err, w->bounds, w->near));
        w->timed_out = mgl_problem_is_late(p);
    }
    w->bound = mgl_cell_sum(w->space, w->bounds);
    keep_proof(w, w->bounds);
    if (w->near != NULL && !w->timed_out)
        MGL_TRY(raise_by_boxes(w, err));
    return raise_by_terms(w, err);
}

static mgl_status prepare(cell_search *w, mgl_error *err)
{
    double deadline = limit_step(w, BOUNDS_TIME);
    mgl_status status = find_bounds(w, err);
    w->own.deadline = deadline;
    return status;
}

/* The greedy's release, or clusters. */
static mgl_status place_classes(cell_search *w, mgl_error *err, bool *met)
{
    const mgl_problem *p = w->problem;
    mgl_box_release *clusters;
    bool clustered = false;
    MGL_TRY(mgl_cell_place(w->space, w->nodes, w->bounds,
                           w->space->n <= mgl_cell_efforts[p->effort].borrow_tuples, err,
                           &w->release, met));
    if (mgl_problem_is_late(p) || !allows_pairs(w, mgl_cell_efforts[p->effort].cluster_work))
        return MGL_OK;
    MGL_TRY(mgl_box_release_new(w->space, err, &clusters));
    mgl_status status = mgl_cell_cluster(w->space, err, clusters, &clustered);
    bool better = status == MGL_OK && clustered &&
                  (!*met || mgl_box_release_cost(clusters) < mgl_box_release_cost(w->release));
    mgl_box_release_free(better ? w->release : clusters);
    w->release = better ? clusters : w->release;
    *met = *met || better;
    return status;
}

static mgl_bound_steps *steps_of(cell_search *w)
{
    return w->proof != NULL ? &w->steps : NULL;
}

/* Steps that prove no more than is known are removed. */
static void take_bound(cell_search *w, uint64_t bound)
{
    if (bound > w->bound)
        w->bound = bound;
    else
        w->steps.n = 0;
}

/* Looks for the best release of a small table, and proves that it is. */
static mgl_status prove(cell_search *w, mgl_error *err)
{
    mgl_exact_verdict verdict;
    bool settled;
    MGL_TRY(
        mgl_box_release_settle(w->release, err, &settled)); /* the better it is, the less is left */
    if (settled && w->bound >= mgl_box_release_cost(w->release))
        return MGL_OK;
    MGL_TRY(mgl_cell_exact_proved(w->space, mgl_cell_efforts[w->problem->effort].exact_work,
                                  w->release, steps_of(w), err, &verdict));
    w->timed_out = w->timed_out || verdict.timed_out;
    take_bound(w, verdict.bound);
    return MGL_OK;
}

/* What the greedy made is no release: classes may hold only if the right rows are left out, or not
 * be at the top. In a small table these can be found. */
static mgl_status find_any(cell_search *w, mgl_error *err, bool *met)
{
    mgl_exact_verdict verdict;
    if (w->space->n > SMALL)
        return MGL_OK;
    mgl_box_release_free(w->release);
    w->release = NULL;
    MGL_TRY(mgl_box_release_new(w->space, err, &w->release));
    MGL_TRY(mgl_cell_exact_proved(w->space, mgl_cell_efforts[MGL_EFFORT_BALANCED].exact_work,
                                  w->release, steps_of(w), err, &verdict));
    w->timed_out = w->timed_out || verdict.timed_out;
    for (size_t t = 0; t < w->space->n; t++)
        if (w->release->class_of[t] == MGL_NOT_FOUND)
            return MGL_OK;
    take_bound(w, verdict.bound);
    return mgl_box_release_settle(w->release, err, met);
}

/* What was placed is made better, and settled. */
static mgl_status finish(cell_search *w, mgl_error *err, bool *met)
{
    const mgl_problem *p = w->problem;
    if (!mgl_problem_is_late(p) && w->space->n <= mgl_cell_efforts[p->effort].most_tuples &&
        w->bound < mgl_box_release_cost(w->release))
        MGL_TRY(improve(w, err));
    if (mgl_cell_efforts[p->effort].exact_work > 0 && w->space->n <= SMALL && !w->enlarged)
        MGL_TRY(prove(w, err));
    return mgl_box_release_settle(w->release, err, met);
}

/* Too many rows are above the highest levels; or, as models of the whole table are not looked at
 * while classes are made, one does not hold, and larger classes may help. What is found then says
 * nothing about the bound, which stays. */
static void ask_more(cell_search *w)
{
    mgl_box_space *s = w->space;
    w->enlarged = true;
    if (s->problem->treatment == MGL_KEEP && !s->has_top && !s->below_top)
        s->below_top = true;
    else
        do /* fewer rows than the values of a class need ask for nothing */
            s->need += s->need / 2 + 1;
        while (s->need < s->for_values);
}

/* The classes of a node in place of what was found, if they cost less. */
static mgl_status look_at_nodes(cell_search *w, uint64_t nodes, mgl_error *err)
{
    mgl_box_release *other;
    bool met;
    uint64_t cost = mgl_box_release_cost(w->release);
    if (w->bound >= cost || mgl_problem_is_late(w->problem))
        return MGL_OK;
    MGL_TRY(mgl_box_release_new(w->space, err, &other));
    mgl_status status = mgl_cell_from_node(w->space, nodes, err, other, &met);
    bool better = status == MGL_OK && met && mgl_box_release_cost(other) < cost;
    mgl_box_release_free(better ? w->release : other);
    w->release = better ? other : w->release;
    return status;
}

static mgl_status search(cell_search *w, mgl_error *err, bool *met)
{
    MGL_TRY(prepare(w, err));
    *met = false;
    while (!*met && w->space->need <= w->space->n_rows) {
        bool placed;
        mgl_box_release_free(w->release);
        w->release = NULL;
        /* Where that takes too long, there is time left for one level per column. */
        double deadline = limit_step(w, PLACE_TIME);
        mgl_status status = place_classes(w, err, &placed);
        w->timed_out = w->timed_out || mgl_problem_is_late(w->problem);
        w->own.deadline = deadline;
        MGL_TRY(status);
        if (placed)
            MGL_TRY(finish(w, err, met));
        if (!*met && !w->enlarged)
            MGL_TRY(find_any(w, err, met));
        if (!placed)
            return MGL_OK;
        if (!*met)
            ask_more(w);
    }
    return MGL_OK;
}

static void forget(cell_search *w)
{
    mgl_cell_closed_free(w->closed);
    mgl_box_release_free(w->release);
    mgl_box_nodes_free(w->nodes);
    mgl_box_space_free(w->space);
    mgl_owned_free(&w->memory);
    mgl_free(w->proof);
    mgl_free(w->steps.numbers);
}

/* ---- The recoding ----------------------------------------------------------------------- */

static void recode_class(const cell_search *w, uint32_t class, mgl_recoding *out)
{
    const mgl_box_space *s = w->space;
    const mgl_box_class *c = &w->release->classes[class];
    bool top = class == 0 || mgl_box_is_top(s, c->levels);
    for (size_t i = 0; i < c->n; i++) {
        uint32_t t = c->members[i];
        for (size_t a = 0; !top && a < s->m; a++)
            out->cells[a][t] = s->attributes[a].released[c->levels[a]][s->leaves[t * s->m + a]];
        if (top)
            mgl_recoding_suppress(out, t);
    }
}

static mgl_status take_release(const cell_search *w, mgl_error *err, mgl_solution *out)
{
    const mgl_box_space *s = w->space;
    MGL_TRY(mgl_recoding_new(w->problem->columns, s->m, s->n, err, &out->recoding));
    for (uint32_t c = 0; c < w->release->n_classes; c++)
        recode_class(w, c, out->recoding);
    for (size_t t = 0; t < s->n; t++)
        out->suppressed_rows += out->recoding->suppressed[t] ? s->rows[t] : 0;
    return MGL_OK;
}

/* Costs that are rounded do not prove that a release is the best, but by so much; unless no cell
 * could cost less. */
static bool is_best(const cell_search *w)
{
    const mgl_box_space *s = w->space;
    bool lowest = w->release->classes[0].n == 0;
    for (size_t c = 1; c < w->release->n_classes; c++)
        for (size_t a = 0; lowest && w->release->classes[c].n > 0 && a < s->m; a++)
            lowest = w->release->classes[c].levels[a] == s->attributes[a].low;
    return lowest || (s->whole && w->bound >= mgl_box_release_cost(w->release));
}

/* ---- Where nothing was found ----------------------------------------------------------------- */

/* Every row at the top, some dropped so that the others are a class that holds. Classes at the top
 * are suppressed rows to the search, so it does not come to this by itself. */
typedef struct top_search {
    const mgl_problem *problem;
    mgl_recoding *recoding; /* all at the top; what is suppressed is dropped */
    uint64_t dropped;       /* rows */
    unsigned left;          /* releases that may still be looked at */
    bool holds;
} top_search;

/* Drops n more tuples, from `from` on, in every way within the limit until the rest holds. */
static mgl_status drop_tuples(top_search *x, size_t n, size_t from, mgl_error *err)
{
    const mgl_frequency_list *list = x->problem->list;
    if (n == 0 && x->left > 0) {
        x->left--;
        return mgl_recoding_holds(x->problem, x->recoding, err, &x->holds);
    }
    for (size_t t = from; t + n <= list->n_tuples && x->left > 0; t++) {
        uint64_t dropped = x->dropped + list->counts[t];
        if (dropped > x->problem->limit || dropped >= list->n_rows)
            continue;
        x->recoding->suppressed[t] = 1;
        x->dropped = dropped;
        MGL_TRY(drop_tuples(x, n - 1, t + 1, err));
        if (x->holds)
            return MGL_OK;
        x->recoding->suppressed[t] = 0;
        x->dropped -= list->counts[t];
    }
    return MGL_OK;
}

/* Leaves the recoding NULL if none was found. */
static mgl_status take_top(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    enum { MOST = 4096 };
    size_t n_tuples = problem->list->n_tuples;
    top_search x = {.problem = problem, .left = MOST};
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_recoding_new(problem->columns, problem->list->n_attributes, n_tuples, err,
                             &x.recoding));
    for (size_t t = 0; t < n_tuples; t++)
        mgl_recoding_suppress(x.recoding, t);
    memset(x.recoding->suppressed, 0, n_tuples);
    for (size_t n = 1; n < n_tuples && !x.holds && x.left > 0; n++)
        MGL_GO(drop_tuples(&x, n, 0, err));
    if (x.holds) {
        out->recoding = x.recoding;
        out->suppressed_rows = x.dropped;
        x.recoding = NULL;
    }
done:
    mgl_recoding_free(x.recoding);
    return status;
}

/* What the greedy cannot put together may still have one level per column: also a release of
 * this kind. */
static mgl_status take_uniform(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    mgl_solution *uniform;
    bool large = out->nodes_total > MGL_TOO_MANY_NODES;
    MGL_TRY(mgl_method_run(large ? &mgl_top_down : &mgl_mingen, problem, err, &uniform));
    out->recoding = uniform->recoding;
    out->suppressed_rows = uniform->suppressed_rows;
    out->timed_out = uniform->timed_out;
    uniform->recoding = NULL;
    mgl_solution_free(uniform);
    return MGL_OK;
}

static mgl_status take_other(const cell_search *w, mgl_error *err, mgl_solution *out)
{
    const mgl_problem *p = w->problem;
    mgl_status status = take_uniform(p, err, out);
    if (status != MGL_UNMET || p->treatment != MGL_DROP || !w->space->has_top ||
        w->space->n > SMALL)
        return status;
    MGL_TRY(take_top(p, err, out));
    return out->recoding != NULL ? MGL_OK : status;
}

/* What proves the bound becomes the solution's. */
static mgl_status take_proof(cell_search *w, mgl_error *err, mgl_solution *out)
{
    mgl_bound_duals *found = out->findings = mgl_alloc_array(1, sizeof *found);
    if (found == NULL || w->steps.failed) {
        mgl_free(found);
        out->findings = NULL;
        return mgl_fail_memory(err);
    }
    *found = (mgl_bound_duals){w->proof, 1 / w->space->scale, w->steps};
    w->proof = NULL;
    w->steps = (mgl_bound_steps){0};
    return MGL_OK;
}

static const mgl_bound_duals *duals_of(const void *findings)
{
    return findings;
}

static void free_duals(void *findings)
{
    mgl_bound_duals *found = findings;
    mgl_free(found->duals);
    mgl_free(found->steps.numbers);
    mgl_free(found);
}

/* Columns of one level cost the same in every release. */
static double cost_of_fixed(const mgl_box_space *s)
{
    double sum = 0;
    for (size_t a = 0; a < s->m; a++)
        if (s->attributes[a].low == s->attributes[a].high)
            sum += s->attributes[a].least[s->attributes[a].low];
    return sum * (double)s->n_rows;
}

/* Of a problem with one quasi-identifier; columns of one level are left out of it. */
static mgl_status cell_bound_apart(const mgl_problem *problem, mgl_error *err, mgl_bound_apart *out)
{
    cell_search w = {.own = *problem};
    bool met;
    mgl_status status = MGL_OK;
    w.problem = &w.own;
    if (problem->list->n_tuples <= SMALL)
        MGL_GO(search(&w, err, &met));
    else
        MGL_GO(prepare(&w, err));
    if (!w.timed_out && w.near == NULL && w.space->n > SMALL && w.space->n <= MGL_CELL_MANY &&
        mgl_cell_efforts[problem->effort].sweeps > 0)
        MGL_GO(find_duals(&w, false, err));
    *out = (mgl_bound_apart){
        .cost = ((double)w.bound - cost_of_fixed(w.space)) / w.space->scale,
        .whole = w.space->whole,
        .timed_out = w.timed_out,
    };
done:
    forget(&w);
    return status;
}

/* ---- Several sets --------------------------------------------------------------------------- */

/* The cell level with several quasi-identifiers, each of which holds on its own. cell.c passes on
 * what has more than one.
 *
 * Releases: the best node for all columns, what protects all columns together, and what the sets
 * give when they are searched in an order; the best of them is taken, so that none of these is ever
 * better.
 *
 * The bound: cut the columns into pieces, each within one set. A release that holds on a set holds
 * on a piece of it, since classes of the piece are unions of classes of the set; its cells there
 * are a release of the piece, and so cost no less than the bound of the piece alone. Measures of
 * this method add up over cells, so that the bounds of all pieces together bound the whole
 * (docs/cell-level.md). */

enum { FEW = 600 }; /* tuples: then all is tried */

/* ---- Releases --------------------------------------------------------------------------- */

/* One level for each column. MGL_UNMET if there is no such node. */
static mgl_status try_node(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    mgl_solution *node;
    mgl_problem brief = *problem;
    bool large = out->nodes_total > MGL_TOO_MANY_NODES;
    brief.brief = true;
    brief.wants_proof = false;
    MGL_TRY(mgl_method_run(large ? &mgl_top_down : &mgl_mingen, &brief, err, &node));
    mgl_recoding *recoding = node->recoding;
    node->recoding = NULL;
    out->timed_out = out->timed_out || node->timed_out;
    mgl_solution_free(node);
    return mgl_sets_take_better(problem, recoding, err, out);
}

/* ---- The bound -------------------------------------------------------------------------- */

typedef struct bounding {
    const mgl_problem *problem;
    size_t m;
    uint8_t *piece; /* [m] columns */
    uint8_t *taken; /* [m] those that earlier pieces have */
    bool whole, timed_out;
} bounding;

/* Under exempt a class at the top of the piece need not be exempt, as other columns may not be
 * there: it is allowed beside the rows that are left out, as it is where these are dropped. */
static mgl_status bound_piece(bounding *b, size_t q, mgl_error *err, double *sum)
{
    mgl_one_set one;
    mgl_bound_apart bound;
    mgl_one_set_request request = {.columns = b->piece, .models_of = q};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_one_set_make(b->problem, &request, err, &one));
    if (one.problem.treatment == MGL_EXEMPT)
        one.problem.treatment = MGL_DROP;
    MGL_GO(cell_bound_apart(&one.problem, err, &bound));
    *sum += bound.cost;
    b->whole = b->whole && bound.whole;
    b->timed_out = b->timed_out || bound.timed_out;
done:
    mgl_one_set_free(&one);
    return status;
}

/* The pieces are the first set, what the next one has beyond it, and so on. */
static mgl_status bound_from(bounding *b, size_t first, mgl_error *err, double *sum)
{
    const mgl_problem *p = b->problem;
    memset(b->taken, 0, b->m);
    *sum = 0;
    for (size_t i = 0; i < p->n_sets; i++) {
        size_t q = (first + i) % p->n_sets;
        const mgl_quasi_set *set = &p->sets[q];
        bool any = false;
        memset(b->piece, 0, b->m);
        for (size_t c = 0; c < set->n_attributes; c++) {
            uint32_t a = set->attributes[c];
            b->piece[a] = !b->taken[a];
            b->taken[a] = 1;
            any = any || b->piece[a];
        }
        /* Models of a population look at more than the rows of a class: they say nothing about
         * unions. */
        if (any && (i == 0 || (p->population == NULL && p->list->persons == NULL)))
            MGL_TRY(bound_piece(b, q, err, sum));
    }
    return MGL_OK;
}

static mgl_status find_bound(bounding *b, mgl_error *err, double *best)
{
    *best = 0;
    for (size_t first = 0; first < b->problem->n_sets && !mgl_problem_is_late(b->problem);
         first++) {
        double sum;
        MGL_TRY(bound_from(b, first, err, &sum));
        *best = sum > *best ? sum : *best;
    }
    return MGL_OK;
}

/* In the terms of the measure, for all columns. */
static mgl_status set_bound(const bounding *b, double cost, mgl_error *err, mgl_solution *out)
{
    mgl_problem all = *b->problem;
    mgl_box_space *space;
    all.n_sets = 1;
    MGL_TRY(mgl_box_space_new(&all, err, &space));
    out->best_possible = mgl_box_measured(space, cost * space->scale);
    out->bounded = true;
    out->exact = b->whole && out->recoding != NULL &&
                 cost >= mgl_sets_cost(b->problem, out->recoding) * (1 - 1e-12);
    mgl_box_space_free(space);
    return MGL_OK;
}

static mgl_status bound(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    size_t m = problem->list->n_attributes;
    bounding b = {.problem = problem, .m = m, .whole = true};
    double best;
    mgl_status status = MGL_OK;
    b.piece = mgl_alloc_array(m, 1);
    b.taken = mgl_alloc_array(m, 1);
    MGL_GO(mgl_check_memory(b.piece != NULL && b.taken != NULL, err));
    MGL_GO(find_bound(&b, err, &best));
    MGL_GO(set_bound(&b, best, err, out));
    out->timed_out = out->timed_out || b.timed_out;
done:
    mgl_free(b.piece);
    mgl_free(b.taken);
    return status;
}

/* Can a release that protects all columns together still be better? Its bound is quickly found. */
static mgl_status try_together(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    mgl_united_sets united;
    mgl_bound_apart bound;
    mgl_unite_sets(problem, &united);
    united.problem.effort = MGL_EFFORT_FAST;
    if (out->recoding != NULL && problem->list->n_tuples > FEW) {
        MGL_TRY(cell_bound_apart(&united.problem, err, &bound));
        if (bound.cost >= mgl_sets_cost(problem, out->recoding))
            return MGL_OK;
    }
    return mgl_sets_together(&mgl_cell, problem, err, out);
}

/* All of the method, for several sets. */
static mgl_status cell_run_sets(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    MGL_TRY(mgl_sets_in_turn(&mgl_cell, problem, err, out));
    if (!mgl_problem_is_late(problem))
        MGL_TRY(try_together(problem, err, out));
    if (out->recoding == NULL || !mgl_problem_is_late(problem)) {
        mgl_status status = try_node(problem, err, out);
        if (status != MGL_OK && (status != MGL_UNMET || out->recoding == NULL))
            return status;
    }
    if (out->recoding == NULL)
        return mgl_fail_no_release(problem, mgl_cell.name, err);
    out->nodes_checked = out->nodes_total;
    return bound(problem, err, out);
}

/* ---- All ------------------------------------------------------------------------------------- */

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    if (problem->n_sets > 1)
        return cell_run_sets(problem, err, out);
    cell_search w = {.own = *problem};
    bool met = false;
    mgl_status status = MGL_OK;
    w.problem = &w.own;
    MGL_GO(search(&w, err, &met));
    if (met)
        MGL_GO(look_at_nodes(&w, out->nodes_total, err));
    MGL_GO(met ? take_release(&w, err, out) : take_other(&w, err, out));
    out->bounded = true;
    out->best_possible = mgl_box_measured(w.space, (double)w.bound);
    out->exact = met && is_best(&w);
    out->timed_out = out->timed_out || w.timed_out;
    out->nodes_checked = w.nodes->n;
    if (w.proof != NULL)
        MGL_GO(take_proof(&w, err, out));
done:
    forget(&w);
    return status;
}

const mgl_method_type mgl_cell = {
    .name = "cell",
    .is_standard = true,
    .help = "each tuple at its own levels, as little distorted as can be found (MinGen at the cell "
            "level), with a bound on what is possible",
    .when = "the release should keep as much as possible, and columns may mix levels",
    .cost = "by `effort`, which counts steps: fast takes the first release, balanced and best "
            "improve it for longer; each grows with distinct tuples, nodes and further models",
    .looks_longer = true,
    .proves = true,
    .full_domain = false,
    .several_sets = true,
    .run = run,
    .duals = duals_of,
    .free_findings = free_duals,
};
