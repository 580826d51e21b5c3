/* A bound from neighbours, for lattices too large to try from the cheapest node on: whoever is
 * in a class with a tuple costs it at least what the smallest box around the two does, so the
 * tuple costs at least what the last of its nearest neighbours does that make a class full. */
#include "search/cell.h"

typedef struct near {
    const mgl_cell_space *space;
    uint32_t *bound; /* [t] */
    struct nearest {
        uint32_t *costs, *rows; /* [need] ascending */
    } * workers;
} near;

/* What the smallest box around the two costs, or more than `most` if it costs more. */
static uint32_t pair_cost(const mgl_cell_space *s, uint32_t t, uint32_t u, uint32_t most)
{
    const uint64_t *key = s->keys + t * s->words, *other = s->keys + u * s->words;
    const uint32_t *leaf = s->leaves + t * s->m;
    uint32_t cost = 0;
    for (size_t a = 0; a < s->m && cost <= most; a++) {
        const mgl_cell_attribute *x = &s->attributes[a];
        uint64_t differ = (key[x->word] ^ other[x->word]) & x->mask[x->low];
        uint32_t level = differ == 0 ? x->low : x->split[63 - (unsigned)__builtin_clzll(differ)];
        if (level > x->high)
            return s->top_cost;
        cost += x->cost[level][leaf[a]];
    }
    return cost;
}

/* Puts a neighbour in its place and forgets those that are not needed any more. Returns the cost
 * of the last one that is. */
static uint32_t add(struct nearest *x, size_t *n, uint64_t wanted, uint32_t cost, uint32_t rows,
                    uint32_t most)
{
    size_t at = *n;
    for (; at > 0 && x->costs[at - 1] > cost; at--) {
        x->costs[at] = x->costs[at - 1];
        x->rows[at] = x->rows[at - 1];
    }
    x->costs[at] = cost;
    x->rows[at] = rows;
    uint64_t sum = 0;
    for (size_t i = 0; i <= *n; i++) {
        sum += x->rows[i];
        if (sum >= wanted) {
            *n = i + 1;
            return x->costs[i];
        }
    }
    ++*n;
    return most;
}

static void find_nearest(void *context, size_t task, unsigned worker)
{
    near *x = context;
    const mgl_cell_space *s = x->space;
    struct nearest *nearest = &x->workers[worker];
    uint32_t t = (uint32_t)task, last = s->top_cost;
    size_t n = 0;
    if (s->rows[t] >= s->need)
        return;
    uint64_t wanted = s->need - s->rows[t];
    /* From the neighbours in the list on: they have the first attributes in common. */
    for (size_t i = 1; i < s->n; i++)
        for (int side = 0; side < 2; side++) {
            size_t u = side == 0 ? t + i : t - i; /* wraps below 0 */
            if (u >= s->n)
                continue;
            uint32_t cost = pair_cost(s, t, (uint32_t)u, last);
            if (cost < last)
                last = add(nearest, &n, wanted, cost, s->rows[u], s->top_cost);
        }
    x->bound[t] = last > x->bound[t] ? last : x->bound[t];
}

mgl_status mgl_cell_near_bound(const mgl_cell_space *s, uint32_t *bound, mgl_error *err)
{
    unsigned workers = s->problem->pool != NULL ? mgl_pool_threads(s->problem->pool) : 1;
    near x = {.space = s, .bound = bound};
    mgl_status status = MGL_OK;
    x.workers = mgl_zeroed_array(workers, sizeof *x.workers);
    if (x.workers == NULL)
        return mgl_fail_memory(err);
    size_t most = s->need < s->n ? s->need : s->n;
    for (unsigned w = 0; w < workers; w++) {
        x.workers[w].costs = mgl_alloc_array(most + 1, sizeof *x.workers[w].costs);
        x.workers[w].rows = mgl_alloc_array(most + 1, sizeof *x.workers[w].rows);
        if (x.workers[w].costs == NULL || x.workers[w].rows == NULL)
            status = mgl_fail_memory(err);
    }
    if (status == MGL_OK)
        mgl_pool_run(s->problem->pool, s->n, find_nearest, &x);
    for (unsigned w = 0; w < workers; w++) {
        mgl_free(x.workers[w].costs);
        mgl_free(x.workers[w].rows);
    }
    mgl_free(x.workers);
    return status;
}
