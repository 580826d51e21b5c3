/* A group that tuples join one by one, with its histograms: what it is with one more tuple is known
 * without a look at those that are in it. Whoever lets classes grow calls it. */
#include "classes/classes.h"

struct mgl_running_group {
    const mgl_frequency_list *list;
    mgl_group group;
    uint64_t rows, weight, household;
    uint64_t *sums;   /* one judged column after another, a count for each of its values */
    size_t *start;    /* [n_judged] where the sums of a column begin */
    uint32_t *values; /* of histograms, at the same places */
    uint64_t *counts;
    mgl_histogram *histograms; /* [n_judged + n_sensitive] */
};

/* Values of which models see the counts; of weights they see the sum, of households the largest. */
static uint32_t n_values(const mgl_frequency_list *list, size_t s)
{
    bool weighs = list->weighing.of_value != NULL && s == list->weighing.histogram;
    return weighs || s + 1 == list->household_sizes ? 0 : list->sensitive[s].n_values;
}

size_t mgl_running_group_values(const mgl_frequency_list *list)
{
    size_t n = 0;
    for (size_t s = 0; s < list->n_judged; s++)
        n += n_values(list, s);
    return n;
}

mgl_status mgl_running_group_new(const mgl_frequency_list *list, mgl_error *err,
                                 mgl_running_group **out)
{
    mgl_running_group *g = mgl_zeroed_array(1, sizeof *g);
    size_t n = mgl_running_group_values(list), n_judged = list->n_judged;
    if (g == NULL)
        return mgl_fail_memory(err);
    g->list = list;
    g->sums = mgl_zeroed_array(n, sizeof *g->sums);
    g->start = mgl_zeroed_array(n_judged, sizeof *g->start);
    g->values = mgl_alloc_array(n, sizeof *g->values);
    g->counts = mgl_alloc_array(n, sizeof *g->counts);
    g->histograms = mgl_zeroed_array(n_judged + list->n_sensitive, sizeof *g->histograms);
    if (g->sums == NULL || g->start == NULL || g->values == NULL || g->counts == NULL ||
        g->histograms == NULL) {
        mgl_running_group_free(g);
        return mgl_fail_memory(err);
    }
    for (size_t s = 1; s < n_judged; s++)
        g->start[s] = g->start[s - 1] + n_values(list, s - 1);
    g->group = (mgl_group){.sensitive = g->histograms,
                           .n_sensitive = list->n_sensitive,
                           .of_past = g->histograms + n_judged};
    *out = g;
    return MGL_OK;
}

void mgl_running_group_free(mgl_running_group *g)
{
    if (g == NULL)
        return;
    mgl_free(g->sums);
    mgl_free(g->start);
    mgl_free(g->values);
    mgl_free(g->counts);
    mgl_free(g->histograms);
    mgl_free(g);
}

/* The largest household with a row in the tuple. */
static uint64_t household_of(const mgl_frequency_list *list, uint32_t tuple)
{
    uint64_t most = 0;
    if (list->household_sizes == 0)
        return 0;
    const mgl_sparse *sizes = &list->sensitive[list->household_sizes - 1];
    for (size_t i = sizes->start[tuple]; i < sizes->start[tuple + 1]; i++)
        most = sizes->values[i] > most ? sizes->values[i] : most;
    return most;
}

/* Adds its counts, or takes them away again. */
static void count(mgl_running_group *g, uint32_t tuple, bool away)
{
    const mgl_frequency_list *list = g->list;
    uint64_t weight = list->weighing.of_value != NULL ? mgl_list_weight(list, tuple) : 0;
    g->rows += away ? -list->counts[tuple] : list->counts[tuple];
    g->weight += away ? -weight : weight;
    for (size_t s = 0; s < list->n_judged; s++) {
        const mgl_sparse *sparse = &list->sensitive[s];
        uint64_t *sums = g->sums + g->start[s];
        size_t end = n_values(list, s) > 0 ? sparse->start[tuple + 1] : sparse->start[tuple];
        for (size_t i = sparse->start[tuple]; i < end; i++)
            sums[sparse->values[i]] += away ? -sparse->counts[i] : sparse->counts[i];
    }
}

void mgl_running_group_join(mgl_running_group *g, uint32_t tuple)
{
    uint64_t household = household_of(g->list, tuple);
    g->household = household > g->household ? household : g->household;
    count(g, tuple, false);
}

static void list_values(mgl_running_group *g, size_t s)
{
    const uint64_t *sums = g->sums + g->start[s];
    uint32_t *values = g->values + g->start[s];
    uint64_t *counts = g->counts + g->start[s];
    size_t n = 0;
    for (uint32_t v = 0, end = n_values(g->list, s); v < end; v++) {
        values[n] = v;
        counts[n] = sums[v];
        n += sums[v] > 0;
    }
    g->histograms[s] = (mgl_histogram){.values = values, .counts = counts, .size = n};
}

const mgl_group *mgl_running_group_now(mgl_running_group *g)
{
    for (size_t s = 0; s < g->list->n_judged; s++)
        list_values(g, s);
    g->group.size = g->group.rows = g->rows;
    g->group.population = g->weight;
    g->group.household = g->household;
    return &g->group;
}

const mgl_group *mgl_running_group_with(mgl_running_group *g, uint32_t tuple)
{
    uint64_t household = household_of(g->list, tuple);
    count(g, tuple, false);
    mgl_running_group_now(g);
    count(g, tuple, true);
    g->group.household = household > g->household ? household : g->household;
    return &g->group;
}
