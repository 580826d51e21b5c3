/* Improving with dual values as the guide: classes with a high reduced cost are taken apart
 * together with classes that they could share a candidate with. */
#include "search/cell/improve/improve.h"
#include "search/cell/improve/neighbourhood.h"
#include "search/cell/improve/rebuild.h"
#include "search/cell/place/place.h"

enum {
    AT_ONCE = 32,      /* neighbourhoods between two looks at the result */
    LEAST_CLASSES = 2, /* of a neighbourhood */
    MOST_CLASSES = MGL_NEIGHBOURHOOD_CLASSES,
    MOST_LARGE = 9,     /* where they have many tuples: */
    MANY = 30,          /* so many on average */
    DEAD_ENDS = 6,      /* steps per class that may lead nowhere */
    MOST_TUPLES = 4000, /* more than this are too many for a neighbourhood */
    STEP_WORK = 20      /* that a step from class to class is, in choosing one */
};

#define NOISE 0.5 /* of dual values */

/* Where classes have many tuples: dual values go up to so much of the way to what rows cost now. */
#define TOWARD_COST 1.5

/* Nodes where a row costs more than this, as a part of the top, are not for what candidates
 * left. */
#define COARSE 0.3

/* Small tables are tried thoroughly. In others a change that makes it a little worse often leads
 * on, the more so the longer the search is and the smaller classes are. */
enum { FEW_TUPLES = 2000, LONG_WORK = 100000 /* for each tuple */ };
typedef struct pace {
    size_t tries;  /* to put a neighbourhood together */
    int contest;   /* classes of which the one that costs most above its dual value begins one */
    double leeway; /* what it may cost more at first */
    double leeway_of_large; /* the same, where classes have many tuples */
} pace;
static const pace thorough = {3, 4, 0, 0}, brisk = {1, 8, 0.005, 0.005},
                  patient = {1, 8, 0.02, 0.01};

static const pace *choose_pace(size_t n_tuples, uint64_t work)
{
    if (n_tuples <= FEW_TUPLES)
        return &thorough;
    return work / n_tuples < LONG_WORK ? &brisk : &patient;
}

typedef struct search {
    mgl_neighbourhoods around; /* comes first: see mgl_neighbourhood_take */
    const mgl_cell_candidates *candidates;
    const mgl_box_space *space;
    mgl_box_release *release;
    mgl_cell_rebuilder **rebuilders; /* [workers] */
    unsigned n_workers;
    const pace *pace;
    double *excess; /* [class] what it costs above the dual values of its rows */
    size_t excess_capacity;
} search;

/* ---- Choosing -------------------------------------------------------------------------- */

static void weigh_class(search *x, uint32_t class)
{
    const mgl_box_class *c = &x->release->classes[class];
    x->excess[class] = 0;
    for (size_t i = 0; i < c->n; i++) {
        uint32_t t = c->members[i];
        x->excess[class] += x->space->rows[t] * ((double)c->cost - x->candidates->duals[t]);
    }
}

static bool has_large_classes(const search *x)
{
    return x->space->n > MANY * x->release->n_classes;
}

/* A class with a high reduced cost; 0 if none was found. */
static uint32_t choose_first(search *x, const mgl_improver_item *item)
{
    uint32_t best = 0;
    for (int i = 0; i < x->pace->contest; i++) {
        uint32_t c = mgl_quick_random_below(item->random, x->release->n_classes);
        if (mgl_neighbourhood_may_have(&x->around, item, c) &&
            (best == 0 || x->excess[c] > x->excess[best]))
            best = c;
    }
    return best;
}

/* A class that shares a candidate with one of the neighbourhood; 0: a dead end. */
static uint32_t choose_next(search *x, const mgl_improver_item *item, const mgl_neighbourhood *one)
{
    const mgl_cell_candidates *o = x->candidates;
    uint32_t from = one->classes[mgl_quick_random_below(item->random, one->n_classes)];
    const mgl_box_class *c = &x->release->classes[from];
    uint32_t t = c->members[mgl_quick_random_below(item->random, c->n)];
    size_t n = o->start[t + 1] - o->start[t];
    if (n == 0)
        return 0;
    const mgl_cell_negative *b =
        &o->list.items[o->of[o->start[t] + mgl_quick_random_below(item->random, n)]];
    uint32_t to =
        x->release
            ->class_of[o->list.members[b->start + mgl_quick_random_below(item->random, b->n)]];
    return mgl_neighbourhood_may_have(&x->around, item, to) ? to : 0;
}

static mgl_improver_choice choose(void *context, const mgl_improver_item *item)
{
    search *x = context;
    mgl_neighbourhood *one = mgl_neighbourhood_begin(&x->around, item);
    uint32_t first = choose_first(x, item);
    x->around.work += STEP_WORK;
    if (first == 0)
        return MGL_DEAD_END;
    mgl_neighbourhood_add(&x->around, item, first);
    size_t most = has_large_classes(x) ? MOST_LARGE : MOST_CLASSES;
    size_t wanted = LEAST_CLASSES + mgl_quick_random_below(item->random, most - LEAST_CLASSES);
    for (size_t i = 0; one->n_classes < wanted && i < wanted * DEAD_ENDS; i++) {
        uint32_t next = choose_next(x, item, one);
        x->around.work += STEP_WORK;
        if (next != 0 && mgl_neighbourhood_has_room(&x->around, one, next))
            mgl_neighbourhood_add(&x->around, item, next);
    }
    return one->n_classes > 1 && one->n_tuples <= x->around.room ? MGL_CHOSEN : MGL_DEAD_END;
}

/* ---- Putting them together anew ------------------------------------------------------------ */

static bool open(void *context, const mgl_improver_item *item, uint64_t *before)
{
    search *x = context;
    const mgl_neighbourhood *one = &x->around.items[item->number];
    mgl_cell_rebuilder *rebuilder = x->rebuilders[item->worker];
    *before = mgl_neighbourhood_cost(&x->around, one);
    mgl_cell_rebuilder_clear(rebuilder);
    for (size_t i = 0; i < one->n_classes; i++)
        if (!mgl_cell_rebuilder_add_class(rebuilder, &x->release->classes[one->classes[i]]))
            return false;
    return true;
}

static bool rebuild(void *context, const mgl_improver_item *item, size_t attempt, uint64_t *cost)
{
    search *x = context;
    mgl_cell_rebuilder *rebuilder = x->rebuilders[item->worker];
    mgl_dual_change change = {.noise = attempt == 0 ? NOISE / 3 : NOISE,
                              .toward_cost = has_large_classes(x) ? TOWARD_COST : 0};
    bool made = mgl_cell_rebuild(rebuilder, &change, item->random, true);
    mgl_cell_drafts drafts = mgl_cell_rebuilder_drafts(rebuilder);
    x->around.items[item->number].work = drafts.work;
    *cost = drafts.cost;
    return made && !drafts.impossible;
}

static bool keep(void *context, const mgl_improver_item *item)
{
    search *x = context;
    mgl_neighbourhood *one = &x->around.items[item->number];
    mgl_cell_drafts drafts = mgl_cell_rebuilder_drafts(x->rebuilders[item->worker]);
    memcpy(one->draft_of, drafts.draft_of, drafts.n_tuples * sizeof *one->draft_of);
    one->n_drafts = drafts.n_drafts;
    return true;
}

static mgl_status take(void *context, size_t number, mgl_error *err)
{
    search *x = context;
    MGL_TRY(mgl_neighbourhood_take(&x->around, number, err));
    if (!mgl_grow(&x->excess, &x->excess_capacity, x->release->n_classes, sizeof *x->excess))
        return mgl_fail_memory(err);
    for (size_t i = 0; i < x->around.n_made; i++)
        weigh_class(x, x->around.made[i]);
    return MGL_OK;
}

static const mgl_improver by_duals = {.at_once = AT_ONCE,
                                      .look_every = 1,
                                      .choose = choose,
                                      .open = open,
                                      .rebuild = rebuild,
                                      .keep = keep,
                                      .take = take,
                                      .leave = mgl_neighbourhood_leave};

/* ---- The first release ----------------------------------------------------------------------- */

/* The drafts of all tuples become classes, in one go: members by draft. */
static mgl_status add_drafts(const mgl_cell_drafts *drafts, mgl_box_release *release,
                             mgl_error *err)
{
    uint32_t *members = mgl_alloc_array(drafts->n_tuples, sizeof *members);
    size_t *start = mgl_zeroed_array(drafts->n_drafts + 2, sizeof *start);
    mgl_status status = MGL_OK;
    if (members == NULL || start == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t i = 0; i < drafts->n_tuples; i++)
        if (drafts->draft_of[i] != MGL_NOT_FOUND)
            start[drafts->draft_of[i] + 2]++;
    for (size_t i = 1; i <= drafts->n_drafts; i++)
        start[i + 1] += start[i];
    for (size_t i = 0; i < drafts->n_tuples; i++)
        if (drafts->draft_of[i] != MGL_NOT_FOUND)
            members[start[drafts->draft_of[i] + 1]++] = drafts->tuples[i];
    for (size_t i = 0; i < drafts->n_drafts; i++)
        mgl_box_release_add(release, members + start[i], start[i + 1] - start[i]);
    if (release->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_free(members);
    mgl_free(start);
    return status;
}

/* By candidates, as far as they go; then the greedy, at nodes that are not too coarse. */
static mgl_status release_candidates(search *x, const mgl_box_nodes *nodes, const uint32_t *bounds,
                                     mgl_error *err, bool *met)
{
    size_t n = x->space->n;
    /* By dual values that are proved no class pays more than it costs: there is nothing to
     * borrow. */
    mgl_greedy_options how = {.bounds = bounds, .coarse = COARSE};
    mgl_cell_rebuilder *rebuilder = NULL;
    uint32_t *all = mgl_alloc_array(n, sizeof *all);
    mgl_status status = MGL_OK;
    if (all == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_cell_rebuilder_new(x->candidates, n, err, &rebuilder));
    for (size_t t = 0; t < n; t++)
        all[t] = (uint32_t)t;
    if (!mgl_cell_rebuilder_add(rebuilder, all, n) ||
        !mgl_cell_rebuild(rebuilder, &(mgl_dual_change){0}, NULL, false))
        MGL_GO(mgl_fail_memory(err));
    mgl_cell_drafts drafts = mgl_cell_rebuilder_drafts(rebuilder);
    MGL_GO(add_drafts(&drafts, x->release, err));
    MGL_GO(mgl_cell_greedy(x->space, nodes, &how, err, x->release, met));
done:
    mgl_cell_rebuilder_free(rebuilder);
    mgl_free(all);
    return status;
}

static mgl_status begin(search *x, const mgl_cell_candidates *candidates, mgl_error *err)
{
    const mgl_box_space *s = candidates->space;
    x->candidates = candidates;
    x->space = s;
    x->n_workers = mgl_pool_threads(s->problem->pool);
    x->rebuilders = mgl_zeroed_array(x->n_workers, sizeof *x->rebuilders);
    if (x->rebuilders == NULL)
        return mgl_fail_memory(err);
    for (unsigned w = 0; w < x->n_workers; w++)
        MGL_TRY(mgl_cell_rebuilder_new(candidates, MOST_TUPLES, err, &x->rebuilders[w]));
    return mgl_box_release_new(s, err, &x->release);
}

static void end(search *x)
{
    for (unsigned w = 0; x->rebuilders != NULL && w < x->n_workers; w++)
        mgl_cell_rebuilder_free(x->rebuilders[w]);
    mgl_neighbourhoods_end(&x->around);
    mgl_box_release_free(x->release);
    mgl_free(x->rebuilders);
    mgl_free(x->excess);
}

static mgl_status improve(search *x, uint64_t work, mgl_error *err, bool *timed_out)
{
    size_t room = x->space->n < MOST_TUPLES ? x->space->n : MOST_TUPLES;
    mgl_quick_random random = {0};
    mgl_improver_limits limits = {.problem = x->space->problem,
                                  .work = &x->around.work,
                                  .most_work = work,
                                  .timed_out = *timed_out};
    MGL_TRY(mgl_neighbourhoods_begin(&x->around, x->release, AT_ONCE, room, err));
    if (!mgl_grow(&x->excess, &x->excess_capacity, x->release->n_classes, sizeof *x->excess))
        return mgl_fail_memory(err);
    for (uint32_t c = 0; c < x->release->n_classes; c++)
        weigh_class(x, c);
    mgl_improver how = by_duals;
    how.tries = x->pace->tries;
    how.leeway = has_large_classes(x) ? x->pace->leeway_of_large : x->pace->leeway;
    mgl_status status = mgl_improve(&how, x, &random, &limits, err);
    *timed_out = limits.timed_out;
    return status;
}

mgl_status mgl_cell_improve(const mgl_cell_candidates *candidates, const mgl_box_nodes *nodes,
                            const uint32_t *bounds, uint64_t work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out)
{
    search x = {.pace = choose_pace(candidates->space->n, work)};
    bool met = false;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&x, candidates, err));
    if (x.space->n <= MGL_CELL_MANY)
        MGL_GO(release_candidates(&x, nodes, bounds, err, &met));
    /* In a large lattice candidates are few, and what they leave in a large table is much: the
     * release may be the better start. */
    if (!met || (!nodes->all && mgl_box_release_cost(release) < mgl_box_release_cost(x.release)))
        mgl_box_release_copy(x.release, release);
    MGL_GO(improve(&x, work, err, timed_out));
    if (mgl_box_release_cost(x.release) < mgl_box_release_cost(release))
        mgl_box_release_copy(release, x.release);
    if (release->out_of_memory || x.release->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    end(&x);
    return status;
}
