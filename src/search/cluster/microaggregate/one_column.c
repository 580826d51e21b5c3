/* One column: the groups with the least sum of squares (Hansen and Mukherjee 2003).
 *
 * Groups of an optimum are runs of neighbours, and none can be cut into two that hold, since a cut
 * lowers the sum. With that the best division of the first j tuples follows from the best ones of
 * fewer tuples. Models that may break when a class grows are left to the settling. */
#include "search/cluster/microaggregate/points.h"

#include <math.h>
#include <stdlib.h>

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
} line;

static int compare_places(const void *p, const void *q)
{
    const place *x = p, *y = q;
    if (x->x != y->x)
        return x->x < y->x ? -1 : 1;
    return (x->tuple > y->tuple) - (x->tuple < y->tuple);
}

static mgl_status sort_tuples(line *l, const uint32_t *tuples, mgl_error *err)
{
    place *places = mgl_alloc_array(l->n, sizeof *places);
    if (places == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < l->n; i++)
        places[i] = (place){l->space->points[tuples[i]], tuples[i]};
    qsort(places, l->n, sizeof *places, compare_places);
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
        while (starts < j && mgl_micro_may_hold(l->judge, l->tuples + starts, j - starts))
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
static void take_groups(line *l, bool late, mgl_micro_groups *groups)
{
    if (late && mgl_micro_may_hold(l->judge, l->tuples, l->n))
        mgl_micro_groups_add(groups, l->tuples, l->n);
    if (late || l->best[l->n] == INFINITY)
        return;
    for (size_t j = l->n; j > 0; j = l->from[j])
        mgl_micro_groups_add(groups, l->tuples + l->from[j], j - l->from[j]);
}

mgl_status mgl_micro_line(const mgl_micro_space *space, mgl_micro_judge *judge,
                          const uint32_t *tuples, size_t n, mgl_micro_groups *groups,
                          mgl_error *err, bool *late)
{
    line l = {.space = space, .judge = judge, .n = n};
    l.tuples = mgl_alloc_array(n, sizeof *l.tuples);
    l.best = mgl_alloc_array(n + 1, sizeof *l.best);
    l.from = mgl_alloc_array(n + 1, sizeof *l.from);
    l.end = mgl_alloc_array(n + 1, sizeof *l.end);
    mgl_status status = MGL_OK;
    if (l.tuples == NULL || l.best == NULL || l.from == NULL || l.end == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(sort_tuples(&l, tuples, err));
    MGL_GO(mgl_micro_poll(space, 0, err, late));
    MGL_GO(divide(&l, err, late));
    take_groups(&l, *late, groups);
done:
    mgl_free(l.tuples);
    mgl_free(l.best);
    mgl_free(l.from);
    mgl_free(l.end);
    return status;
}
