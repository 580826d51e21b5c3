/* What the grouping left over: a tuple without a group, or a group that does not hold, is united
 * with another group, until all hold.
 *
 * A group of tuples that do not miss the same cells loses the columns in which they differ so. The
 * group to unite with is the one with which the fewest cells are lost, then the one whose mean is
 * nearest, then the first; if there are groups that hold, one of these. microaggregate.c calls
 * it. */
#include "search/cluster/microaggregate/points.h"

#include <math.h>

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
    return mgl_micro_holds(s->judge, s->tuples, n);
}

/* ---- Which group is near -------------------------------------------------------------- */

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

/* ---- Uniting ---------------------------------------------------------------------------- */

static void unite(settling *s, uint32_t from, uint32_t into)
{
    group *x = &s->groups[from], *y = &s->groups[into];
    bool surely_holds = y->holds && mgl_micro_is_upward_closed(s->judge);
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

/* ---- The groups there are ----------------------------------------------------------------- */

static mgl_status begin(settling *s, const mgl_micro_groups *groups, mgl_error *err)
{
    size_t n = s->space->n, m = s->space->m;
    s->n = groups->n + (n - groups->n_placed);
    s->groups = mgl_zeroed_array(s->n, sizeof *s->groups);
    s->next = mgl_alloc_array(n, sizeof *s->next);
    s->sums = mgl_zeroed_array(s->n, s->space->d * sizeof *s->sums);
    s->lacking = mgl_zeroed_array(s->n, m * sizeof *s->lacking);
    s->tuples = mgl_alloc_array(n, sizeof *s->tuples);
    if (s->groups == NULL || s->next == NULL || s->sums == NULL || s->lacking == NULL ||
        s->tuples == NULL)
        return mgl_fail_memory(err);
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
    mgl_free(s->groups);
    mgl_free(s->next);
    mgl_free(s->sums);
    mgl_free(s->lacking);
    mgl_free(s->tuples);
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

mgl_status mgl_micro_settle(const mgl_micro_space *space, mgl_micro_judge *judge,
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
