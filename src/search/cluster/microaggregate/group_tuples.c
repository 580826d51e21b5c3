/* Groups near tuples so that each group holds, whatever columns they have: tuples that miss the
 * same cells among themselves first. What the grouping leaves over is united with other groups. */
#include "search/cluster/microaggregate/points.h"

#include <math.h>
#include <stdlib.h>

/* Judges groups of tuples by the models. */

struct mgl_micro_judge {
    const mgl_micro_space *space;
    mgl_group_maker *maker; /* NULL: rows say it all */
    uint32_t *tuples;       /* [tuples of the list] as the list numbers them */
    bool upward_closed;
};

mgl_status mgl_micro_judge_new(const mgl_micro_space *space, mgl_error *err, mgl_micro_judge **out)
{
    const mgl_quasi_set *set = &space->problem->sets[0];
    bool judged = space->problem->list->persons != NULL;
    mgl_micro_judge *judge;
    MGL_TRY(mgl_new_zeroed(1, sizeof *judge, err, &judge));
    judge->space = space;
    judge->upward_closed = true;
    for (size_t i = 0; i < set->n_models; i++) {
        const mgl_model_type *type = set->models[i].type;
        judged = judged || mgl_needs_histograms(type);
        if (type->scope == MGL_SCOPE_CLASS && !type->upward_closed)
            judge->upward_closed = false;
    }
    mgl_status status = MGL_OK;
    MGL_GO(mgl_new_array(space->n, sizeof *judge->tuples, err, &judge->tuples));
    if (judged)
        MGL_GO(mgl_group_maker_new(space->problem->list, err, &judge->maker));
    *out = judge;
    judge = NULL;
done:
    mgl_micro_judge_free(judge);
    return status;
}

void mgl_micro_judge_turn_to(mgl_micro_judge *judge, const mgl_micro_space *space)
{
    judge->space = space;
}

void mgl_micro_judge_free(mgl_micro_judge *judge)
{
    if (judge == NULL)
        return;
    mgl_group_maker_free(judge->maker);
    mgl_free(judge->tuples);
    mgl_free(judge);
}

static bool holds(mgl_micro_judge *judge, const uint32_t *tuples, size_t n, bool upward_only)
{
    const mgl_micro_space *s = judge->space;
    const mgl_quasi_set *set = &s->problem->sets[0];
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++)
        rows += s->counts[tuples[i]];
    if (rows < s->need)
        return false;
    if (judge->maker == NULL)
        return true;
    for (size_t i = 0; s->tuple_of != NULL && i < n; i++)
        judge->tuples[i] = s->tuple_of[tuples[i]];
    const mgl_group *group =
        mgl_group_maker_gather(judge->maker, s->tuple_of != NULL ? judge->tuples : tuples, n);
    if (group->size < s->need)
        return false;
    for (size_t i = 0; i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_CLASS &&
            (!upward_only || set->models[i].type->upward_closed) &&
            !mgl_model_holds(&set->models[i], group))
            return false;
    return true;
}

/* Do all class-wise models hold for these tuples? */
static bool micro_holds(mgl_micro_judge *judge, const uint32_t *tuples, size_t n)
{
    return holds(judge, tuples, n, false);
}

/* The same with the models alone that hold for every superset of a class, too. */
static bool micro_may_hold(mgl_micro_judge *judge, const uint32_t *tuples, size_t n)
{
    return holds(judge, tuples, n, true);
}

void mgl_micro_groups_add(mgl_micro_groups *groups, const uint32_t *tuples, size_t n)
{
    for (size_t i = 0; i < n; i++)
        groups->group_of[tuples[i]] = (uint32_t)groups->n;
    groups->n++;
    groups->n_placed += n;
}

/* One column: the groups with the least sum of squares (Hansen and Mukherjee 2003).
 *
 * Groups of an optimum are runs of neighbours, and none can be cut into two that hold, since a cut
 * lowers the sum. With that the best division of the first j tuples follows from the best ones of
 * fewer tuples. Models that may break when a class grows are left to the settling. */

typedef struct place {
    double x;
    uint32_t tuple;
} place;

typedef struct line {
    const mgl_micro_space *space;
    mgl_micro_judge *judge;
    size_t n;
    uint32_t *tuples; /* [n] by coordinate */
    double *best;     /* [n + 1] the least sum of squares of the first j tuples */
    size_t *from;     /* [n + 1] where their last group begins */
    size_t *end;      /* [n + 1] where the shortest group that begins here ends */
    mgl_owned own;
} line;

static const mgl_sort_key by_place[] = {MGL_ASCENDING(place, x), MGL_ASCENDING(place, tuple),
                                        MGL_SORT_END};

static mgl_status sort_tuples(line *l, const uint32_t *tuples, mgl_error *err)
{
    place *places;
    MGL_TRY(mgl_new_array(l->n, sizeof *places, err, &places));
    for (size_t i = 0; i < l->n; i++)
        places[i] = (place){l->space->points[tuples[i]], tuples[i]};
    mgl_sort(places, l->n, sizeof *places, by_place);
    for (size_t i = 0; i < l->n; i++)
        l->tuples[i] = places[i].tuple;
    mgl_free(places);
    return MGL_OK;
}

/* The best last group of the first j tuples begins at one of first..last. Sums are of differences
 * to the last of the tuples, so that they keep their digits. Among equal ones the shortest. */
static void choose_last_group(line *l, size_t j, size_t first, size_t last)
{
    const uint64_t *counts = l->space->counts;
    const double *points = l->space->points;
    double at = points[l->tuples[j - 1]], sum = 0, squares = 0, rows = 0;
    for (size_t i = j; i-- > first;) {
        double count = (double)counts[l->tuples[i]], off = points[l->tuples[i]] - at;
        rows += count;
        sum += count * off;
        squares += count * off * off;
        if (i > last)
            continue;
        double spread = squares - sum * sum / rows;
        if (spread > l->best[j])
            return; /* and longer groups have more */
        if (l->best[i] + spread < l->best[j] * (1 - MGL_MICRO_EQUAL) || l->best[j] == INFINITY) {
            l->best[j] = l->best[i] + spread;
            l->from[j] = i;
        }
    }
}

static mgl_status divide(line *l, mgl_error *err, bool *late)
{
    size_t starts = 0; /* groups that end at j may begin before this */
    size_t first = 0;  /* from here on they cannot be cut into two */
    l->best[0] = 0;
    for (size_t j = 1; j <= l->n; j++) {
        l->best[j] = INFINITY;
        l->from[j] = 0;
        while (starts < j && micro_may_hold(l->judge, l->tuples + starts, j - starts))
            l->end[starts++] = j;
        if (starts == 0)
            continue;
        while (first < starts - 1 && l->end[first] <= starts - 1)
            first++;
        choose_last_group(l, j, first, starts - 1);
        if (j % 1024 == 0)
            MGL_TRY(mgl_micro_poll(l->space, j, err, late));
        if (*late)
            break;
    }
    return MGL_OK;
}

/* Nothing, if not even all together hold; all together, if there is no time for more. */
static void cut_groups(line *l, bool late, mgl_micro_groups *groups)
{
    if (late && micro_may_hold(l->judge, l->tuples, l->n))
        mgl_micro_groups_add(groups, l->tuples, l->n);
    if (late || l->best[l->n] == INFINITY)
        return;
    for (size_t j = l->n; j > 0; j = l->from[j])
        mgl_micro_groups_add(groups, l->tuples + l->from[j], j - l->from[j]);
}

/* The same for one column, with the least sum of squares. */
static mgl_status micro_line(const mgl_micro_space *space, mgl_micro_judge *judge,
                             const uint32_t *tuples, size_t n, mgl_micro_groups *groups,
                             mgl_error *err, bool *late)
{
    line l = {.space = space, .judge = judge, .n = n};
    l.tuples = mgl_own_array(&l.own, n, sizeof *l.tuples);
    l.best = mgl_own_array(&l.own, n + 1, sizeof *l.best);
    l.from = mgl_own_array(&l.own, n + 1, sizeof *l.from);
    l.end = mgl_own_array(&l.own, n + 1, sizeof *l.end);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&l.own, err));
    MGL_GO(sort_tuples(&l, tuples, err));
    MGL_GO(mgl_micro_poll(space, 0, err, late));
    MGL_GO(divide(&l, err, late));
    cut_groups(&l, *late, groups);
done:
    mgl_owned_free(&l.own);
    return status;
}

/* MDAV (maximum distance to average vector; Domingo-Ferrer and Torra 2005): a group around the
 * point farthest from the mean, one around the point farthest from that, and again.
 *
 * Tuples are moved whole, so a group can have more rows than it needs. Where models look at more
 * than rows, a group takes in the next nearest tuples until they hold. */

typedef struct mdav {
    const mgl_micro_space *space;
    mgl_micro_judge *judge;
    mgl_micro_tree *tree;
    mgl_micro_groups *groups;
    double *mean; /* [m] */
} mdav;

/* Each try looks at all members again: large groups grow by more than one tuple. */
static size_t next_size(size_t n, size_t most)
{
    size_t next = n + 1 + n / 16;
    return next < most ? next : most;
}

/* The group of a point; false if not even all that is left holds. */
static bool take_group(mdav *x, const double *point)
{
    const uint32_t *tuples;
    size_t left = mgl_micro_tree_size(x->tree), n = 0, tried = 0;
    uint64_t wanted = x->space->need, most = mgl_micro_tree_rows(x->tree);
    while (n < left) {
        n = mgl_micro_tree_nearest(x->tree, point, wanted, &tuples);
        tried = tried == 0 ? n : next_size(tried, n);
        while (tried < n && !micro_holds(x->judge, tuples, tried))
            tried = next_size(tried, n);
        if (tried < n || micro_holds(x->judge, tuples, tried)) {
            mgl_micro_groups_add(x->groups, tuples, tried);
            mgl_micro_tree_remove(x->tree, tuples, tried);
            return true;
        }
        wanted = wanted < most / 2 ? 2 * wanted : most;
    }
    return false;
}

static const double *point_of(const mdav *x, uint32_t tuple)
{
    return x->space->points + tuple * x->space->d;
}

static bool is_left(const mdav *x, uint64_t times)
{
    return mgl_micro_tree_rows(x->tree) / times >= x->space->need;
}

/* From 3k rows on two groups at a time, then, from 2k on, one. */
static mgl_status make_groups(mdav *x, mgl_error *err, bool *late)
{
    bool goes_on = true;
    while (goes_on && !*late && is_left(x, 2)) {
        uint32_t outermost;
        /* The tuple farthest from the mean, if a group could be made around it. */
        mgl_micro_tree_mean(x->tree, x->mean);
        outermost = mgl_micro_tree_farthest(x->tree, x->mean);
        goes_on = take_group(x, point_of(x, outermost));
        if (goes_on && is_left(x, 2)) {
            uint32_t farthest = mgl_micro_tree_farthest(x->tree, point_of(x, outermost));
            goes_on = take_group(x, point_of(x, farthest));
        }
        MGL_TRY(mgl_micro_poll(x->space, x->groups->n_placed, err, late));
    }
    return MGL_OK;
}

/* What is left is a group, if it holds. */
static void take_rest(mdav *x)
{
    const uint32_t *tuples;
    size_t n = mgl_micro_tree_size(x->tree);
    if (n == 0)
        return;
    mgl_micro_tree_mean(x->tree, x->mean);
    mgl_micro_tree_nearest(x->tree, x->mean, mgl_micro_tree_rows(x->tree), &tuples);
    if (micro_holds(x->judge, tuples, n))
        mgl_micro_groups_add(x->groups, tuples, n);
}

/* Groups of near tuples. Tuples that could not be placed are left in none. */
static mgl_status micro_mdav(const mgl_micro_space *space, mgl_micro_judge *judge,
                             const uint32_t *tuples, size_t n, mgl_micro_groups *groups,
                             mgl_error *err, bool *late)
{
    mdav x = {.space = space, .judge = judge, .groups = groups};
    x.mean = mgl_alloc_array(space->d, sizeof *x.mean);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(x.mean != NULL, err));
    MGL_GO(mgl_micro_tree_new(space, tuples, n, err, &x.tree));
    MGL_GO(make_groups(&x, err, late));
    take_rest(&x);
done:
    mgl_micro_tree_free(x.tree);
    mgl_free(x.mean);
    return status;
}

/* What the grouping left over: a tuple without a group, or a group that does not hold, is united
 * with another group, until all hold.
 *
 * A group of tuples that do not miss the same cells loses the columns in which they differ so. The
 * group to unite with is the one with which the fewest cells are lost, then the one whose mean is
 * nearest, then the first; if there are groups that hold, one of these. */

typedef struct group {
    uint32_t first, last; /* of its tuples */
    uint32_t n;
    uint64_t rows;
    bool holds;
} group;

typedef struct settling {
    const mgl_micro_space *space;
    mgl_micro_judge *judge;
    size_t n, n_left; /* groups, and those of them that have tuples */
    size_t n_holding;
    group *groups;
    uint32_t *next;    /* [tuple] in its group */
    double *sums;      /* [group * d + axis] of coordinates */
    uint32_t *lacking; /* [group * m + a] tuples that miss the cell */
    uint32_t *tuples;  /* [n] of one group, for the judge */
    mgl_owned own;
} settling;

static void add_tuple(settling *s, uint32_t number, uint32_t tuple)
{
    const mgl_micro_space *space = s->space;
    size_t m = space->m, d = space->d;
    uint64_t rows = space->counts[tuple];
    group *g = &s->groups[number];
    s->next[tuple] = MGL_NOT_FOUND;
    if (g->n == 0)
        g->first = tuple;
    else
        s->next[g->last] = tuple;
    g->last = tuple;
    g->n++;
    g->rows += rows;
    for (size_t axis = 0; axis < d; axis++)
        s->sums[number * d + axis] += (double)rows * space->points[tuple * d + axis];
    for (size_t a = 0; a < m; a++)
        s->lacking[number * m + a] += mgl_micro_is_missing(space, tuple, a);
}

static bool judge_group(settling *s, uint32_t number)
{
    size_t n = 0;
    for (uint32_t t = s->groups[number].first; t != MGL_NOT_FOUND; t = s->next[t])
        s->tuples[n++] = t;
    return micro_holds(s->judge, s->tuples, n);
}

/* Cells that have a value now, or are all missing, and would be lost. */
static uint64_t cells_lost(const settling *s, uint32_t g, uint32_t h)
{
    const group *x = &s->groups[g], *y = &s->groups[h];
    size_t m = s->space->m;
    uint64_t cells = 0;
    if (s->space->n_kinds == 1)
        return 0;
    for (size_t a = 0; a < m; a++) {
        uint32_t in_g = s->lacking[g * m + a], in_h = s->lacking[h * m + a];
        bool mixed_g = in_g > 0 && in_g<x->n, mixed_h = in_h> 0 && in_h < y->n;
        if (in_g + in_h == 0 || in_g + in_h == x->n + y->n)
            continue;
        cells += (mixed_g ? 0 : x->rows) + (mixed_h ? 0 : y->rows);
    }
    return cells;
}

static double distance(const settling *s, uint32_t g, uint32_t h)
{
    size_t d = s->space->d;
    double sum = 0;
    for (size_t axis = 0; axis < d; axis++) {
        double off = s->sums[g * d + axis] / (double)s->groups[g].rows -
                     s->sums[h * d + axis] / (double)s->groups[h].rows;
        sum += off * off * s->space->weights[axis];
    }
    return sum;
}

static uint32_t find_partner(const settling *s, uint32_t g)
{
    uint32_t nearest = MGL_NOT_FOUND;
    uint64_t least = UINT64_MAX;
    double near = INFINITY;
    for (uint32_t h = 0; h < s->n; h++) {
        if (h == g || s->groups[h].n == 0 || (s->n_holding > 0 && !s->groups[h].holds))
            continue;
        uint64_t cells = cells_lost(s, g, h);
        if (cells > least)
            continue;
        double far = distance(s, g, h);
        if (cells < least || far < near * (1 - MGL_MICRO_EQUAL)) {
            least = cells;
            near = far;
            nearest = h;
        }
    }
    return nearest;
}

static void unite(settling *s, uint32_t from, uint32_t into)
{
    group *x = &s->groups[from], *y = &s->groups[into];
    bool surely_holds = y->holds && s->judge->upward_closed;
    for (uint32_t t = x->first, next; t != MGL_NOT_FOUND; t = next) {
        next = s->next[t];
        add_tuple(s, into, t);
    }
    x->n = 0;
    s->n_left--;
    s->n_holding -= y->holds;
    y->holds = surely_holds || judge_group(s, into);
    s->n_holding += y->holds;
}

static mgl_status unite_all(settling *s, mgl_error *err)
{
    bool late = false; /* a release must come, also after the time limit */
    for (uint32_t g = 0; g < s->n && s->n_left > 1;) {
        if (s->groups[g].n == 0 || s->groups[g].holds) {
            g++;
            continue;
        }
        uint32_t partner = find_partner(s, g);
        unite(s, g, partner);
        g = partner < g ? partner : g; /* which may not hold any more */
        MGL_TRY(mgl_micro_poll(s->space, s->space->n, err, &late));
    }
    return MGL_OK;
}

static mgl_status begin(settling *s, const mgl_micro_groups *groups, mgl_error *err)
{
    size_t n = s->space->n, m = s->space->m;
    s->n = groups->n + (n - groups->n_placed);
    s->groups = mgl_own_zeroed(&s->own, s->n, sizeof *s->groups);
    s->next = mgl_own_array(&s->own, n, sizeof *s->next);
    s->sums = mgl_own_zeroed(&s->own, s->n, s->space->d * sizeof *s->sums);
    s->lacking = mgl_own_zeroed(&s->own, s->n, m * sizeof *s->lacking);
    s->tuples = mgl_own_array(&s->own, n, sizeof *s->tuples);
    MGL_TRY(mgl_owned_check(&s->own, err));
    uint32_t single = (uint32_t)groups->n;
    for (uint32_t t = 0; t < n; t++)
        add_tuple(s, groups->group_of[t] != MGL_NOT_FOUND ? groups->group_of[t] : single++, t);
    for (uint32_t g = 0; g < s->n; g++) {
        s->n_left += s->groups[g].n > 0;
        s->groups[g].holds = s->groups[g].n > 0 && judge_group(s, g);
        s->n_holding += s->groups[g].holds;
    }
    return MGL_OK;
}

static void end(settling *s)
{
    mgl_owned_free(&s->own);
}

static void take_groups(const settling *s, mgl_micro_groups *groups)
{
    groups->n = groups->n_placed = 0;
    for (uint32_t g = 0; g < s->n; g++) {
        for (uint32_t t = s->groups[g].first; s->groups[g].n > 0 && t != MGL_NOT_FOUND;
             t = s->next[t])
            groups->group_of[t] = s->groups[g].holds ? (uint32_t)groups->n : MGL_NOT_FOUND;
        groups->n_placed += s->groups[g].holds ? s->groups[g].n : 0;
        groups->n += s->groups[g].n > 0 && s->groups[g].holds;
    }
}

/* Tuples without a group join one, and groups that do not hold are united with others. What is left
 * without a group then cannot hold. */
static mgl_status settle(const mgl_micro_space *space, mgl_micro_judge *judge,
                         mgl_micro_groups *groups, mgl_error *err)
{
    settling s = {.space = space, .judge = judge};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&s, groups, err));
    MGL_GO(unite_all(&s, err));
    take_groups(&s, groups);
done:
    end(&s);
    return status;
}

typedef struct grouping {
    const mgl_micro_space *space;
    mgl_micro_judge *judge;
    mgl_micro_groups *groups;
    uint32_t *tuples; /* [n] */
    bool *late;
} grouping;

static bool is_line(const mgl_micro_space *space)
{
    for (size_t a = 0; a < space->m; a++)
        if (space->columns[a].axis_of_leaf != NULL)
            return false;
    return space->d == 1;
}

static mgl_status group_tuples(const grouping *x, size_t n, mgl_error *err)
{
    return is_line(x->space)
               ? micro_line(x->space, x->judge, x->tuples, n, x->groups, err, x->late)
               : micro_mdav(x->space, x->judge, x->tuples, n, x->groups, err, x->late);
}

/* Tuples that miss the same cells are grouped among themselves. */
static mgl_status group_kinds(const grouping *x, mgl_error *err)
{
    const mgl_micro_space *s = x->space;
    for (size_t kind = 0; kind < s->n_kinds; kind++) {
        size_t n = 0;
        for (size_t t = 0; t < s->n; t++)
            if (s->kind_of[t] == kind)
                x->tuples[n++] = (uint32_t)t;
        MGL_TRY(group_tuples(x, n, err));
    }
    return MGL_OK;
}

/* Those of which there are too few are grouped with each other. */
static mgl_status group_others(const grouping *x, mgl_error *err)
{
    size_t n = 0;
    for (size_t t = 0; t < x->space->n; t++)
        if (x->groups->group_of[t] == MGL_NOT_FOUND)
            x->tuples[n++] = (uint32_t)t;
    return n > 0 && x->space->n_kinds > 1 ? group_tuples(x, n, err) : MGL_OK;
}

mgl_status mgl_micro_group(const mgl_micro_space *space, mgl_micro_judge *judge,
                           mgl_micro_groups *groups, mgl_error *err, bool *late)
{
    size_t n = space->n;
    grouping x = {space, judge, groups, mgl_alloc_array(n, sizeof *x.tuples), late};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(x.tuples != NULL, err));
    groups->n = groups->n_placed = 0;
    memset(groups->group_of, 0xFF, n * sizeof *groups->group_of);
    MGL_GO(group_kinds(&x, err));
    MGL_GO(group_others(&x, err));
    MGL_GO(settle(space, judge, groups, err));
done:
    mgl_free(x.tuples);
    return status;
}
