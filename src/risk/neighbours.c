/* Finds the points nearest to another one. They lie in a row by one coordinate: a look goes out
 * from the place of the other point to both sides, until that coordinate alone is too far away.
 * `attack` and the distances of averages call it. */
#include "risk/risk.h"

#include <math.h>
#include <stdlib.h>

typedef struct place {
    double key;
    uint32_t point;
} place;

struct mgl_neighbours {
    const double *points, *unit;
    size_t n, m;
    size_t along;   /* the coordinate of the row */
    place *row;     /* [n] ascending; those whose coordinate is no number come last */
    size_t n_keyed; /* how many of them are numbers */
};

static int compare(const void *p, const void *q)
{
    const place *x = p, *y = q;
    if (isfinite(x->key) != isfinite(y->key))
        return isfinite(x->key) ? -1 : 1;
    if (isfinite(x->key) && x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

/* Two missing cells are at distance 0. A missing cell is one unit away from any other, and so is a
 * suppressed cell from everything. */
static double difference(double x, double y, double unit)
{
    if (isfinite(x) && isfinite(y))
        return (x - y) / unit;
    return isnan(x) && isnan(y) ? 0 : 1;
}

static double distance(const mgl_neighbours *k, const double *point, uint32_t other)
{
    double sum = 0;
    for (size_t a = 0; a < k->m; a++) {
        double d = difference(point[a], k->points[other * k->m + a], k->unit[a]);
        sum += d * d;
    }
    return sum;
}

/* The coordinate with the most different numbers, among few of the points. */
static size_t choose_along(const mgl_neighbours *k)
{
    enum { LOOKS = 200 };
    size_t best = 0, most = 0;
    for (size_t a = 0; a < k->m; a++) {
        size_t different = 0;
        for (size_t i = 1; i < k->n && i < LOOKS; i++)
            different += k->points[i * k->m + a] != k->points[(i - 1) * k->m + a];
        if (different > most) {
            most = different;
            best = a;
        }
    }
    return best;
}

mgl_status mgl_neighbours_new(const double *points, size_t n, size_t m, const double *unit,
                              mgl_error *err, mgl_neighbours **out)
{
    mgl_neighbours *k = mgl_zeroed_array(1, sizeof *k);
    place *row = mgl_alloc_array(n, sizeof *row);
    if (k == NULL || row == NULL) {
        mgl_free(k);
        mgl_free(row);
        return mgl_fail_memory(err);
    }
    *k = (mgl_neighbours){.points = points, .unit = unit, .n = n, .m = m, .row = row};
    k->along = choose_along(k);
    for (size_t i = 0; i < n; i++) {
        row[i] = (place){points[i * m + k->along], (uint32_t)i};
        k->n_keyed += isfinite(row[i].key);
    }
    qsort(row, n, sizeof *row, compare);
    *out = k;
    return MGL_OK;
}

void mgl_neighbours_free(mgl_neighbours *k)
{
    if (k == NULL)
        return;
    mgl_free(k->row);
    mgl_free(k);
}

/* The first place whose key is not below. */
static size_t place_of(const mgl_neighbours *k, double key)
{
    size_t low = 0, high = k->n_keyed;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (k->row[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

typedef struct look {
    const mgl_neighbours *all;
    const double *point;
    double best, limit; /* squares: the least distance so far, and that of the tuples listed */
    mgl_matched_fn *found;
    void *context;
} look;

static void look_at(look *l, size_t at)
{
    uint32_t point = l->all->row[at].point;
    double d = distance(l->all, l->point, point);
    l->best = d < l->best ? d : l->best;
    if (l->found != NULL && d <= l->limit)
        l->found(l->context, point);
}

static bool is_near(const look *l, size_t at)
{
    double d = (l->all->row[at].key - l->point[l->all->along]) / l->all->unit[l->all->along];
    return d * d <= (l->found != NULL ? l->limit : l->best);
}

static void go(look *l)
{
    const mgl_neighbours *k = l->all;
    for (size_t i = k->n_keyed; i < k->n; i++)
        look_at(l, i);
    if (!isfinite(l->point[k->along])) { /* nowhere in the row */
        for (size_t i = 0; i < k->n_keyed; i++)
            look_at(l, i);
        return;
    }
    size_t up = place_of(k, l->point[k->along]), down = up;
    bool more = true;
    while (more) {
        more = false;
        if (up < k->n_keyed && is_near(l, up)) {
            look_at(l, up++);
            more = true;
        }
        if (down > 0 && is_near(l, down - 1)) {
            look_at(l, --down);
            more = true;
        }
    }
}

double mgl_neighbours_find(const mgl_neighbours *k, const double *point, mgl_matched_fn *found,
                           void *context)
{
    look l = {.all = k, .point = point, .best = INFINITY, .context = context};
    go(&l);
    l.limit = l.best * (1 + 1e-12); /* sums that are rounded differently are ties */
    l.found = found;
    go(&l);
    return sqrt(l.best);
}
