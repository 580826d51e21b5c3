/* Classes that lie near each other are taken apart and put together anew, where a suppressed cell
 * is a value like any other. Local suppression calls it with the release that it placed. */
#include "search/improver/improver.h"
#include "search/local/rebuild_classes.h"

enum {
    LOOK_EVERY = 64,       /* neighbourhoods between two looks at the clock */
    LOOK_AGAIN = 1024,     /* neighbourhoods after which it is found out anew who is suppressed */
    LEAST_CHOSEN = 3,      /* tuples whose classes are taken apart */
    MOST_CHOSEN = 16,      /* likewise */
    MOST_LOOKED_AT = 4096, /* tuples, for the nearest ones */
};

#define NEAR_NOISE 1.5 /* of how near tuples are, in columns */

typedef struct regroup {
    mgl_local *l;
    mgl_box_release *release;
    uint32_t *patterns; /* [class] */
    size_t patterns_capacity;
    mgl_local_neighbourhood *one;
    uint32_t *open; /* [n_open] tuples with suppressed cells */
    size_t n_open;
    double near[MOST_LOOKED_AT];
} regroup;

static uint32_t pattern_of(const mgl_local *l, const uint8_t *levels)
{
    uint32_t pattern = 0;
    for (size_t a = 0; a < l->space->m; a++)
        pattern |= (uint32_t)(levels[a] > 0) << a;
    return mgl_local_allowed(l, pattern);
}

static uint32_t pattern_of_tuple(const regroup *x, uint32_t tuple)
{
    return x->patterns[x->release->class_of[tuple]];
}

/* ---- Choosing ------------------------------------------------------------------------------- */

static void find_open(regroup *x)
{
    x->n_open = 0;
    for (uint32_t t = 0; t < x->l->space->n; t++)
        if (pattern_of_tuple(x, t) != 0)
            x->open[x->n_open++] = t;
    x->one->work += x->l->space->n;
}

/* Takes in the class of a tuple, or, of the suppressed ones, the tuple alone. */
static void add_class(regroup *x, uint32_t tuple)
{
    mgl_local_neighbourhood *one = x->one;
    uint32_t number = x->release->class_of[tuple];
    const mgl_box_class *class = &x->release->classes[number];
    const uint32_t *tuples = number == 0 ? &tuple : class->members;
    size_t n = number == 0 ? 1 : class->n;
    for (size_t i = 0; i < one->n; i++)
        if (one->tuples[i] == tuple)
            return;
    if (one->n + n > MGL_LOCAL_NEIGHBOURHOOD)
        return;
    memcpy(one->tuples + one->n, tuples, n * sizeof *tuples);
    one->n += n;
}

/* The classes of tuples that are near to one that has suppressed cells. */
static mgl_improver_choice choose(void *search, const mgl_improver_item *item)
{
    regroup *x = search;
    if (item->round % LOOK_AGAIN == 0)
        find_open(x);
    if (x->n_open < 2)
        return MGL_NONE_LEFT;
    size_t wanted =
        LEAST_CHOSEN + mgl_quick_random_below(item->random, MOST_CHOSEN - LEAST_CHOSEN + 1);
    size_t at = mgl_quick_random_below(item->random, x->n_open);
    size_t n = x->n_open < MOST_LOOKED_AT ? x->n_open : MOST_LOOKED_AT;
    size_t from = at < n / 2 ? 0 : at - n / 2;
    from = from + n > x->n_open ? x->n_open - n : from;
    x->one->n = 0;
    for (size_t i = 0; i < n; i++)
        x->near[i] = __builtin_popcount(mgl_local_differ(x->l, x->open[at], x->open[from + i])) +
                     NEAR_NOISE * mgl_quick_random_unit(item->random);
    x->near[at - from] = -1;
    for (size_t k = 0; k < wanted && k < n; k++) {
        size_t nearest = 0;
        for (size_t i = 1; i < n; i++)
            if (x->near[i] < x->near[nearest])
                nearest = i;
        add_class(x, x->open[from + nearest]);
        x->near[nearest] = 2 * MGL_LOCAL_COLUMNS;
    }
    x->one->work += n * (8 + wanted);
    return MGL_CHOSEN;
}

/* ---- Putting together anew ------------------------------------------------------------------ */

/* Rows that may be suppressed besides those that are and stay so. */
static uint64_t may_suppress(const regroup *x)
{
    const mgl_problem *problem = x->l->space->problem;
    uint64_t rows = x->release->classes[0].rows;
    for (size_t i = 0; i < x->one->n; i++)
        if (x->release->class_of[x->one->tuples[i]] == 0)
            rows -= x->l->space->rows[x->one->tuples[i]];
    return problem->treatment != MGL_KEEP && problem->limit > rows ? problem->limit - rows : 0;
}

static bool open(void *search, const mgl_improver_item *item, uint64_t *before)
{
    regroup *x = search;
    (void)item; /* there is one in a round */
    *before = 0;
    for (size_t i = 0; i < x->one->n; i++) {
        uint32_t t = x->one->tuples[i];
        *before += x->l->space->rows[t] * mgl_local_price(x->l, pattern_of_tuple(x, t));
    }
    x->one->may_suppress = may_suppress(x);
    return true;
}

static bool rebuild(void *search, const mgl_improver_item *item, size_t attempt, uint64_t *cost)
{
    regroup *x = search;
    (void)attempt; /* there is one */
    if (!mgl_local_rebuild(x->one, item->random))
        return false;
    *cost = mgl_local_neighbourhood_cost(x->one);
    return true;
}

static void take_apart(regroup *x)
{
    for (size_t i = 0; i < x->one->n; i++) {
        uint32_t tuple = x->one->tuples[i], class = x->release->class_of[tuple];
        if (class == 0)
            mgl_box_release_leave(x->release, tuple);
        else if (class != MGL_NOT_FOUND)
            mgl_box_release_dissolve(x->release, class);
    }
}

/* The last comes first: a class that is taken apart again then shows its tuples in another order,
 * and other patterns may be tried first. */
static void add_clump(regroup *x, const mgl_local_clump *clump)
{
    uint32_t members[MGL_LOCAL_NEIGHBOURHOOD];
    for (size_t i = 0; i < clump->n; i++)
        members[i] = x->one->tuples[clump->members[clump->n - 1 - i]];
    uint32_t class = mgl_box_release_add(x->release, members, clump->n);
    if (!mgl_grow(&x->patterns, &x->patterns_capacity, x->release->n_classes, sizeof *x->patterns))
        x->release->out_of_memory = true;
    else
        x->patterns[class] = clump->pattern;
}

static mgl_status take(void *search, size_t number, mgl_error *err)
{
    regroup *x = search;
    (void)number; /* there is one in a round */
    take_apart(x);
    for (size_t i = 0; i < x->one->n_clumps; i++)
        add_clump(x, &x->one->clumps[i]);
    for (size_t i = 0; i < x->one->n_suppressed; i++)
        mgl_box_release_join(x->release, 0, x->one->tuples[x->one->suppressed[i]]);
    return x->release->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

static const mgl_improver by_nearness = {.at_once = 1,
                                         .tries = 1,
                                         .look_every = LOOK_EVERY,
                                         .choose = choose,
                                         .open = open,
                                         .rebuild = rebuild,
                                         .take = take};

/* ---- The search ----------------------------------------------------------------------------- */

static mgl_status begin(regroup *x, mgl_error *err)
{
    size_t n = x->l->space->n, n_classes = x->release->n_classes;
    x->one = mgl_zeroed_array(1, sizeof *x->one);
    x->open = mgl_alloc_array(n, sizeof *x->open);
    if (x->one == NULL || x->open == NULL ||
        !mgl_grow(&x->patterns, &x->patterns_capacity, n_classes, sizeof *x->patterns))
        return mgl_fail_memory(err);
    for (size_t c = 0; c < n_classes; c++)
        x->patterns[c] = c == 0 ? x->l->whole : pattern_of(x->l, x->release->classes[c].levels);
    x->one->l = x->l;
    return mgl_box_judge_new(x->l->space, err, &x->one->judge);
}

mgl_status mgl_local_regroup(mgl_local *l, mgl_box_release *release, mgl_error *err)
{
    mgl_quick_random random = {1};
    mgl_improver_limits limits = {.problem = l->space->problem, .timed_out = l->timed_out};
    mgl_status status = MGL_OK;
    regroup *x = mgl_zeroed_array(1, sizeof *x);
    if (x == NULL)
        return mgl_fail_memory(err);
    x->l = l;
    x->release = release;
    MGL_GO(begin(x, err));
    find_open(x);
    limits.work = &x->one->work;
    limits.most_work = mgl_local_work(l->space->problem, x->n_open);
    MGL_GO(mgl_improve(&by_nearness, x, &random, &limits, err));
    l->timed_out = limits.timed_out;
done:
    if (x->one != NULL)
        mgl_box_judge_free(x->one->judge);
    mgl_free(x->one);
    mgl_free(x->patterns);
    mgl_free(x->open);
    mgl_free(x);
    return status;
}
