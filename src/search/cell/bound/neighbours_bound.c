/* A bound from neighbours, for lattices too large to try from the cheapest node on: a tuple that is
 * in a class with a tuple costs it at least what the smallest box around the two does, so the tuple
 * costs at least what the last of its nearest neighbours does that make a class full. */
#include "search/cell/bound/bound.h"
#include "search/cell/bound/lanes.h"

typedef struct neighbour {
    uint32_t cost, tuple, rows;
} neighbour;

/* The nearest neighbours of a tuple: as many as make a class full, and as are asked for. */
typedef struct nearest {
    uint32_t tuple;
    /* While there are too few neighbours, both cost as much as the top. */
    uint32_t last;   /* what the last of them costs */
    uint32_t bound;  /* what the one costs that makes the class full */
    uint64_t wanted; /* rows; 0: the tuple has enough itself */
    neighbour *list; /* [n], ascending costs */
    size_t n;
} nearest;

typedef struct worker {
    mgl_cell_lanes *costs; /* [n_values] by attribute and leaf: of a cell where it meets the leaf */
    nearest lanes[MGL_CELL_LANES];
} worker;

typedef struct near {
    const mgl_box_space *space;
    uint32_t *bound;     /* [t] */
    uint32_t *near;      /* [t * MGL_CELL_NEAR] the neighbours; NULL: they are not asked for */
    size_t n_near;       /* how many are */
    size_t *first_value; /* [m] of the attribute's leaves in costs */
    size_t n_values;
    unsigned shift; /* costs lose these bits: sums over all attributes are no more than 32 */
    uint32_t top;   /* without them */
    worker *workers;
    unsigned n_workers;
    mgl_owned own;
} near;

static void begin_lane(const near *x, nearest *l, uint32_t t)
{
    const mgl_box_space *s = x->space;
    l->tuple = t;
    l->n = 0;
    l->wanted = s->rows[t] < s->need ? s->need - s->rows[t] : 0;
    l->bound = l->wanted > 0 ? x->top : 0;
    l->last = l->wanted > 0 || x->n_near > 0 ? x->top : 0; /* no tuple is nearer than 0 */
}

/* Puts a neighbour in its place and removes those that are not needed any more. */
static void add(const near *x, nearest *l, neighbour new)
{
    size_t at = l->n++;
    for (; at > 0 && l->list[at - 1].cost > new.cost; at--)
        l->list[at] = l->list[at - 1];
    l->list[at] = new;
    uint64_t rows = 0;
    size_t full = 0; /* so many make the class full */
    while (full < l->n && rows < l->wanted)
        rows += l->list[full++].rows;
    if (rows < l->wanted)
        return;
    if (full > 0)
        l->bound = l->list[full - 1].cost;
    size_t enough = full > x->n_near ? full : x->n_near;
    if (l->n < enough)
        return;
    l->n = enough;
    l->last = l->list[enough - 1].cost;
}

static void look_at(const near *x, worker *w, uint32_t u, mgl_cell_lanes cost)
{
    const mgl_box_space *s = x->space;
    for (size_t lane = 0; lane < MGL_CELL_LANES; lane++) {
        nearest *l = &w->lanes[lane];
        if (cost.of[lane] < l->last && l->tuple != u && !mgl_cell_are_apart(s, l->tuple, u))
            add(x, l, (neighbour){cost.of[lane], u, s->rows[u]});
    }
}

/* What was found about the tuple. */
static void take(const near *x, const nearest *l)
{
    uint32_t *bound = &x->bound[l->tuple], found = l->bound << x->shift;
    *bound = found > *bound ? found : *bound;
    for (size_t i = 0; i < x->n_near; i++)
        x->near[l->tuple * MGL_CELL_NEAR + i] = i < l->n ? l->list[i].tuple : MGL_NOT_FOUND;
}

static void find_nearest(void *context, size_t group, unsigned number)
{
    near *x = context;
    const mgl_box_space *s = x->space;
    worker *w = &x->workers[number];
    size_t first = group * MGL_CELL_LANES, m = s->m;
    mgl_cell_lane_costs how = {s, x->first_value, (uint32_t)1 << x->shift, x->top};
    mgl_cell_lanes last;
    if (mgl_problem_is_late(s->problem))
        return;
    for (size_t lane = 0; lane < MGL_CELL_LANES; lane++) {
        uint32_t t = (uint32_t)(first + lane < s->n ? first + lane : s->n - 1);
        mgl_cell_place_costs(&how, t, lane, w->costs);
        begin_lane(x, &w->lanes[lane], t);
        last.of[lane] = w->lanes[lane].last;
    }
    for (size_t i = 0; i < s->n; i++) {
        /* From this group on: the neighbours in the list have the first attributes in common. */
        size_t u = first + i < s->n ? first + i : first + i - s->n;
        const uint32_t *leaf = s->leaves + u * m;
        mgl_cell_lanes cost = {{0}};
        for (size_t a = 0; a < m; a++)
            cost = mgl_cell_lanes_add(cost, w->costs[x->first_value[a] + leaf[a]]);
        bool any = false;
        for (size_t lane = 0; lane < MGL_CELL_LANES; lane++)
            any |= cost.of[lane] < last.of[lane];
        if (!any)
            continue;
        look_at(x, w, (uint32_t)u, cost);
        for (size_t lane = 0; lane < MGL_CELL_LANES; lane++)
            last.of[lane] = w->lanes[lane].last;
    }
    for (size_t lane = 0; lane < MGL_CELL_LANES && first + lane < s->n; lane++)
        take(x, &w->lanes[lane]);
}

static mgl_status begin(near *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    size_t most = (s->need < s->n ? s->need : s->n) + MGL_CELL_NEAR + 1;
    x->n_workers = mgl_pool_threads(s->problem->pool);
    x->workers = mgl_own_zeroed(&x->own, x->n_workers, sizeof *x->workers);
    x->first_value = mgl_own_array(&x->own, s->m, sizeof *x->first_value);
    MGL_TRY(mgl_owned_check(&x->own, err));
    while ((uint64_t)s->top_cost * s->m >> x->shift > UINT32_MAX)
        x->shift++;
    x->top = s->top_cost >> x->shift;
    for (size_t a = 0; a < s->m; a++) {
        x->first_value[a] = x->n_values;
        x->n_values += s->attributes[a].n_leaves;
    }
    for (unsigned i = 0; i < x->n_workers; i++) {
        worker *w = &x->workers[i];
        w->costs = mgl_own_array(&x->own, x->n_values, sizeof *w->costs);
        for (size_t lane = 0; lane < MGL_CELL_LANES; lane++)
            w->lanes[lane].list = mgl_own_array(&x->own, most, sizeof *w->lanes[lane].list);
    }
    return mgl_owned_check(&x->own, err);
}

mgl_status mgl_cell_near_bound(const mgl_box_space *s, mgl_error *err, uint32_t *bound,
                               uint32_t *near_ones)
{
    near x = {.space = s,
              .bound = bound,
              .near = near_ones,
              .n_near = near_ones != NULL ? MGL_CELL_NEAR : 0};
    mgl_status status = begin(&x, err);
    if (status == MGL_OK)
        mgl_pool_run(s->problem->pool, (s->n + MGL_CELL_LANES - 1) / MGL_CELL_LANES, find_nearest,
                     &x);
    mgl_owned_free(&x.own);
    return status;
}
