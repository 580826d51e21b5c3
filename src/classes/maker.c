/* Makes the groups that models judge: the rows of a class with its histograms and persons, made
 * anew or kept up to date as tuples come and go. */
#include "classes/classes.h"

uint64_t mgl_list_weight(const mgl_frequency_list *list, size_t tuple)
{
    const mgl_sparse *sparse = &list->sensitive[list->weighing.histogram];
    uint64_t sum = 0;
    for (size_t i = sparse->start[tuple]; i < sparse->start[tuple + 1]; i++)
        sum += sparse->counts[i] * list->weighing.of_value[sparse->values[i]];
    return sum;
}

void mgl_frequency_list_weigh(mgl_frequency_list *list, size_t histogram, uint64_t *of_value,
                              uint64_t unit)
{
    mgl_free(list->weighing.of_value);
    list->weighing = (mgl_weighing){histogram, of_value, unit, 0};
    for (size_t t = 0; t < list->n_tuples; t++)
        list->weighing.total += mgl_list_weight(list, t);
}

struct mgl_group_maker {
    const mgl_frequency_list *list;
    uint64_t *rows;    /* [n_tuples + 1] of each group, where there is nothing else to know of it;
                          else NULL: then there are start and members */
    size_t *start;     /* [n_tuples + 2] members of group g lie at start[g]..start[g+1] */
    uint32_t *members; /* [n_tuples] */
    mgl_group group;
    mgl_histogram *histograms; /* [n_judged] */
    uint32_t **values;         /* [n_judged][n_values] */
    uint64_t **counts;         /* [n_judged][n_values] */
    uint64_t *dense;           /* [largest n_values] all zero between calls */
    bool *seen;                /* [largest n_values] all false between calls */
    uint32_t *stamps;          /* [largest n_ids] the last counting that met the id of a person in
                                  several tuples */
    size_t n_stamps;
    uint32_t counting; /* which it is now, from 1 */
    mgl_owned own;
};

static void make_room_for_ids(mgl_group_maker *maker)
{
    const mgl_persons *persons = maker->list->persons;
    if (persons == NULL)
        return;
    maker->n_stamps = persons->spread.n_ids;
    for (size_t s = 0; s < maker->list->n_judged; s++)
        if (persons->by_value[s].n_ids > maker->n_stamps)
            maker->n_stamps = persons->by_value[s].n_ids;
    maker->stamps = mgl_own_zeroed(&maker->own, maker->n_stamps, sizeof *maker->stamps);
}

/* Groups without histograms and persons are numbers of rows. */
static void make_room_for_members(mgl_group_maker *maker)
{
    size_t n = maker->list->n_tuples;
    if (maker->list->n_judged == 0 && maker->list->persons == NULL) {
        maker->rows = mgl_own_array(&maker->own, n + 1, sizeof *maker->rows);
        return;
    }
    maker->start = mgl_own_array(&maker->own, n + 2, sizeof *maker->start);
    maker->members = mgl_own_array(&maker->own, n, sizeof *maker->members);
}

mgl_status mgl_group_maker_new(const mgl_frequency_list *list, mgl_error *err,
                               mgl_group_maker **out)
{
    mgl_group_maker *maker;
    MGL_TRY(mgl_new_zeroed(1, sizeof *maker, err, &maker));
    size_t n = list->n_judged, most = 0;
    maker->list = list;
    maker->histograms =
        mgl_own_zeroed(&maker->own, n + list->n_sensitive, sizeof *maker->histograms);
    maker->values = mgl_own_zeroed(&maker->own, n, sizeof *maker->values);
    maker->counts = mgl_own_zeroed(&maker->own, n, sizeof *maker->counts);
    for (size_t s = 0; !maker->own.missing && s < n; s++) {
        size_t n_values = list->sensitive[s].n_values;
        maker->values[s] = mgl_own_array(&maker->own, n_values, sizeof **maker->values);
        maker->counts[s] = mgl_own_array(&maker->own, n_values, sizeof **maker->counts);
        most = n_values > most ? n_values : most;
    }
    maker->dense = mgl_own_zeroed(&maker->own, most, sizeof *maker->dense);
    maker->seen = mgl_own_zeroed(&maker->own, most, sizeof *maker->seen);
    make_room_for_members(maker);
    make_room_for_ids(maker);
    if (maker->own.missing) {
        mgl_group_maker_free(maker);
        return mgl_fail_memory(err);
    }
    maker->group = (mgl_group){.sensitive = maker->histograms,
                               .n_sensitive = list->n_sensitive,
                               .of_history = maker->histograms + n};
    *out = maker;
    return MGL_OK;
}

void mgl_group_maker_free(mgl_group_maker *maker)
{
    if (maker == NULL)
        return;
    mgl_owned_free(&maker->own);
    mgl_free(maker);
}

static void sort_members(mgl_group_maker *maker, const uint32_t *group_of_tuple, size_t n_groups)
{
    size_t n = maker->list->n_tuples;
    memset(maker->start, 0, (n_groups + 1) * sizeof *maker->start);
    for (size_t t = 0; t < n; t++)
        if (group_of_tuple[t] != MGL_NOT_FOUND)
            maker->start[group_of_tuple[t]]++;
    size_t end = 0;
    for (size_t p = 0; p <= n_groups; p++) {
        end += p < n_groups ? maker->start[p] : 0;
        maker->start[p] =
            end; /* the end of each group; filling backwards turns it into the start */
    }
    for (size_t t = n; t-- > 0;)
        if (group_of_tuple[t] != MGL_NOT_FOUND)
            maker->members[--maker->start[group_of_tuple[t]]] = (uint32_t)t;
}

void mgl_group_maker_partition(mgl_group_maker *maker, const uint32_t *group_of_tuple,
                               size_t n_groups)
{
    if (maker->rows != NULL) {
        memset(maker->rows, 0, n_groups * sizeof *maker->rows);
        for (size_t t = 0; t < maker->list->n_tuples; t++)
            if (group_of_tuple[t] != MGL_NOT_FOUND)
                maker->rows[group_of_tuple[t]] += maker->list->counts[t];
    } else
        sort_members(maker, group_of_tuple, n_groups);
}

/* From now on no id was met. */
static void begin_counting(mgl_group_maker *maker)
{
    if (++maker->counting != 0)
        return;
    memset(maker->stamps, 0, maker->n_stamps * sizeof *maker->stamps);
    maker->counting = 1;
}

/* How many different ids lie beside the members. Where these have values, each is added to the
 * values' counts. */
static size_t count_ids(mgl_group_maker *maker, const mgl_spread *spread, size_t begin, size_t end)
{
    size_t n = 0;
    begin_counting(maker);
    for (size_t m = begin; m < end; m++) {
        uint32_t t = maker->members[m];
        for (size_t i = spread->start[t]; i < spread->start[t + 1]; i++) {
            uint32_t *stamp = &maker->stamps[spread->ids[i]];
            bool is_new = *stamp != maker->counting;
            *stamp = maker->counting;
            n += is_new;
            if (spread->values != NULL)
                maker->dense[spread->values[i]] += is_new;
        }
    }
    return n;
}

static void sum_histogram(mgl_group_maker *maker, size_t s, size_t begin, size_t end)
{
    const mgl_sparse *sparse = &maker->list->sensitive[s];
    uint32_t *values = maker->values[s];
    size_t n = 0;
    for (size_t m = begin; m < end; m++) {
        uint32_t t = maker->members[m];
        for (size_t i = sparse->start[t]; i < sparse->start[t + 1]; i++) {
            /* A value whose persons are all spread counts 0 here and is marked as seen by
             * its first tuple all the same. */
            if (!maker->seen[sparse->values[i]])
                values[n++] = sparse->values[i];
            maker->seen[sparse->values[i]] = true;
            maker->dense[sparse->values[i]] += sparse->counts[i];
        }
    }
    if (maker->list->persons != NULL)
        count_ids(maker, &maker->list->persons->by_value[s], begin, end);
    mgl_sort_u32(values, n);
    for (size_t i = 0; i < n; i++) {
        maker->counts[s][i] = maker->dense[values[i]];
        maker->dense[values[i]] = 0;
        maker->seen[values[i]] = false;
    }
    maker->histograms[s] = (mgl_histogram){.values = values, .counts = maker->counts[s], .size = n};
}

static void find_household(mgl_group_maker *maker, size_t begin, size_t end)
{
    const mgl_sparse *sizes = &maker->list->sensitive[maker->list->household_sizes - 1];
    uint64_t most = 0;
    for (size_t m = begin; m < end; m++) {
        uint32_t t = maker->members[m];
        for (size_t i = sizes->start[t]; i < sizes->start[t + 1]; i++)
            most = sizes->values[i] > most ? sizes->values[i] : most;
    }
    maker->group.household = most;
}

static void sum_members(mgl_group_maker *maker, size_t begin, size_t end)
{
    const mgl_frequency_list *list = maker->list;
    mgl_group *group = &maker->group;
    group->rows = 0;
    for (size_t m = begin; m < end; m++)
        group->rows += list->counts[maker->members[m]];
    group->size = group->rows;
    if (list->persons != NULL) {
        group->size = count_ids(maker, &list->persons->spread, begin, end);
        for (size_t m = begin; m < end; m++)
            group->size += list->persons->local[maker->members[m]];
    }
    bool weighs = list->weighing.of_value != NULL;
    group->population = 0;
    for (size_t m = begin; weighs && m < end; m++)
        group->population += mgl_list_weight(list, maker->members[m]);
    for (size_t s = 0; s < list->n_judged; s++)
        if ((!weighs || s != list->weighing.histogram) && s + 1 != list->household_sizes)
            sum_histogram(maker, s, begin, end);
    if (list->household_sizes > 0)
        find_household(maker, begin, end);
}

uint64_t *mgl_group_maker_rows(mgl_group_maker *maker)
{
    return maker->rows;
}

const mgl_group *mgl_group_maker_group(mgl_group_maker *maker, size_t number)
{
    if (maker->rows != NULL)
        maker->group.rows = maker->group.size = maker->rows[number];
    else
        sum_members(maker, maker->start[number], maker->start[number + 1]);
    return &maker->group;
}

const mgl_group *mgl_group_maker_gather(mgl_group_maker *maker, const uint32_t *tuples, size_t n)
{
    if (maker->rows != NULL) {
        maker->rows[0] = 0;
        for (size_t i = 0; i < n; i++)
            maker->rows[0] += maker->list->counts[tuples[i]];
        return mgl_group_maker_group(maker, 0);
    }
    memcpy(maker->members, tuples, n * sizeof *tuples);
    maker->start[0] = 0;
    maker->start[1] = n;
    return mgl_group_maker_group(maker, 0);
}

struct mgl_running_group {
    const mgl_frequency_list *list;
    mgl_group group;
    uint64_t rows, weight, household;
    uint64_t *sums;   /* one judged column after another, a count for each of its values */
    size_t *start;    /* [n_judged] where the sums of a column begin */
    uint32_t *values; /* of histograms, at the same places */
    uint64_t *counts;
    mgl_histogram *histograms; /* [n_judged + n_sensitive] */
    mgl_owned own;
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
    mgl_running_group *g;
    size_t n = mgl_running_group_values(list), n_judged = list->n_judged;
    MGL_TRY(mgl_new_zeroed(1, sizeof *g, err, &g));
    g->list = list;
    g->sums = mgl_own_zeroed(&g->own, n, sizeof *g->sums);
    g->start = mgl_own_zeroed(&g->own, n_judged, sizeof *g->start);
    g->values = mgl_own_array(&g->own, n, sizeof *g->values);
    g->counts = mgl_own_array(&g->own, n, sizeof *g->counts);
    g->histograms = mgl_own_zeroed(&g->own, n_judged + list->n_sensitive, sizeof *g->histograms);
    if (g->own.missing) {
        mgl_running_group_free(g);
        return mgl_fail_memory(err);
    }
    for (size_t s = 1; s < n_judged; s++)
        g->start[s] = g->start[s - 1] + n_values(list, s - 1);
    g->group = (mgl_group){.sensitive = g->histograms,
                           .n_sensitive = list->n_sensitive,
                           .of_history = g->histograms + n_judged};
    *out = g;
    return MGL_OK;
}

void mgl_running_group_free(mgl_running_group *g)
{
    if (g == NULL)
        return;
    mgl_owned_free(&g->own);
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
