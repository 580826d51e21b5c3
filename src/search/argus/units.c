/* The units of mu-Argus, which are the distinct tuples after generalization: makes them, groups
 * them by some of their columns and counts rows or persons. Threads that go through them stop
 * together. */
#include "search/argus/units.h"

/* ---- Stopping together ----------------------------------------------------------------------- */

/* Threads stop together at the time limit, at a cancelled run or without memory. */

void mgl_argus_watch_begin(mgl_argus_watch *watch, const mgl_problem *problem, uint64_t total)
{
    *watch = (mgl_argus_watch){.problem = problem, .total = total};
    pthread_mutex_init(&watch->lock, NULL);
}

void mgl_argus_watch_end(mgl_argus_watch *watch)
{
    pthread_mutex_destroy(&watch->lock);
}

bool mgl_argus_must_stop(mgl_argus_watch *watch)
{
    pthread_mutex_lock(&watch->lock);
    if (mgl_problem_is_late(watch->problem))
        watch->timed_out = true;
    bool stop = watch->status != MGL_OK || watch->timed_out;
    pthread_mutex_unlock(&watch->lock);
    return stop;
}

void mgl_argus_done(mgl_argus_watch *watch, bool out_of_memory)
{
    pthread_mutex_lock(&watch->lock);
    mgl_error error = {0};
    mgl_status status = out_of_memory ? mgl_fail_memory(&error)
                                      : mgl_progress_report(watch->problem->progress, "search",
                                                            ++watch->done, watch->total, &error);
    if (status != MGL_OK && watch->status == MGL_OK) {
        watch->status = status;
        watch->error = error;
    }
    pthread_mutex_unlock(&watch->lock);
}

mgl_status mgl_argus_watch_status(const mgl_argus_watch *watch, mgl_error *err)
{
    if (watch->status != MGL_OK && err != NULL)
        *err = watch->error;
    if (watch->status != MGL_OK)
        return watch->status;
    if (watch->timed_out)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_TIME_LIMIT,
                     "the time limit came before all rare combinations were dealt with; raise "
                     "`time-limit`, or give fewer `combinations`"),
            "time-limit");
    return MGL_OK;
}

/* ---- Groups of units ------------------------------------------------------------------------- */

/* A slot is taken if its group is above the numbers of earlier calls, so that nothing has to be
 * cleared between calls. */
struct mgl_argus_slot {
    uint64_t key;
    uint32_t before; /* group by the words before this one */
    uint32_t group;
};

mgl_argus_people mgl_argus_people_of(const mgl_frequency_list *list)
{
    mgl_argus_people people = {.n = list->n_tuples, .rows = list->counts};
    if (list->persons == NULL)
        return people;
    people.rows = list->persons->local;
    people.start = list->persons->spread.start;
    people.ids = list->persons->spread.ids;
    people.n_ids = list->persons->spread.n_ids;
    return people;
}

mgl_status mgl_argus_groups_init(mgl_argus_groups *groups, const mgl_argus_people *people,
                                 size_t most_groups, mgl_error *err)
{
    *groups = (mgl_argus_groups){.n_slots = 64};
    while (groups->n_slots < people->n * 2)
        groups->n_slots *= 2;
    groups->of = mgl_alloc_array(people->n, sizeof *groups->of);
    groups->sizes = mgl_alloc_array(most_groups, sizeof *groups->sizes);
    groups->slots = mgl_zeroed_array(groups->n_slots, sizeof *groups->slots);
    bool whole = groups->of != NULL && groups->sizes != NULL && groups->slots != NULL;
    if (whole && people->start != NULL) {
        groups->start = mgl_alloc_array(most_groups + 1, sizeof *groups->start);
        groups->members = mgl_alloc_array(people->n, sizeof *groups->members);
        groups->seen = mgl_zeroed_array(people->n_ids, sizeof *groups->seen);
        whole = groups->start != NULL && groups->members != NULL && groups->seen != NULL;
    }
    return whole ? MGL_OK : mgl_fail_memory(err);
}

void mgl_argus_groups_free(mgl_argus_groups *groups)
{
    mgl_free(groups->of);
    mgl_free(groups->sizes);
    mgl_free(groups->slots);
    mgl_free(groups->start);
    mgl_free(groups->members);
    mgl_free(groups->seen);
    *groups = (mgl_argus_groups){0};
}

/* ---- Counting ------------------------------------------------------------------------- */

/* Puts the listed members in order of their groups. */
static void sort_members(mgl_argus_groups *g, const uint32_t *list, size_t n)
{
    memset(g->start, 0, (g->n + 1) * sizeof *g->start);
    for (size_t i = 0; i < n; i++)
        g->start[g->of[i]]++;
    size_t end = 0;
    for (size_t c = 0; c <= g->n; c++) {
        end += c < g->n ? g->start[c] : 0;
        g->start[c] = end; /* filling backwards turns the end into the start */
    }
    for (size_t i = n; i-- > 0;)
        g->members[--g->start[g->of[i]]] = list[i];
}

/* Persons that are in several members count once in a group. */
static void count_spread(mgl_argus_groups *g, const mgl_argus_people *people)
{
    for (size_t c = 0; c < g->n; c++) {
        g->now++;
        for (size_t i = g->start[c]; i < g->start[c + 1]; i++) {
            uint32_t member = g->members[i];
            for (size_t j = people->start[member]; j < people->start[member + 1]; j++) {
                g->sizes[c] += g->seen[people->ids[j]] != g->now;
                g->seen[people->ids[j]] = g->now;
            }
        }
    }
}

void mgl_argus_count(mgl_argus_groups *g, const mgl_argus_people *people, const uint32_t *list,
                     size_t n)
{
    memset(g->sizes, 0, g->n * sizeof *g->sizes);
    for (size_t i = 0; i < n; i++)
        g->sizes[g->of[i]] += people->rows[list[i]];
    if (people->start != NULL) {
        sort_members(g, list, n);
        count_spread(g, people);
    }
}

/* ---- Grouping -------------------------------------------------------------------------- */

static inline size_t hash(uint64_t key, uint32_t before)
{
    uint64_t h = key ^ (uint64_t)before * UINT64_C(0xD6E8FEB86659FD93);
    h = (h ^ h >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(h ^ h >> 32);
}

/* Divides the groups by one word of the keys. first: there is one group as yet. */
static void divide(mgl_argus_groups *g, const uint64_t *keys, size_t n_words, uint64_t mask,
                   bool first, const uint32_t *list, size_t n)
{
    size_t last = 63;
    while (last + 1 < n * 2)
        last = last * 2 + 1;
    if (g->used > UINT32_MAX - n - 1) {
        memset(g->slots, 0, g->n_slots * sizeof *g->slots);
        g->used = 0;
    }
    uint32_t used = g->used, next = used;
    for (size_t i = 0; i < n; i++) {
        uint64_t key = keys[list[i] * n_words] & mask;
        uint32_t before = first ? 0 : g->of[i];
        size_t at = hash(key, before) & last;
        while (g->slots[at].group > used &&
               (g->slots[at].key != key || g->slots[at].before != before))
            at = (at + 1) & last;
        if (g->slots[at].group <= used)
            g->slots[at] = (struct mgl_argus_slot){key, before, ++next};
        g->of[i] = g->slots[at].group - used - 1;
    }
    g->n = next - used;
    g->used = next;
}

void mgl_argus_group(mgl_argus_groups *g, const mgl_argus_units *units, uint64_t columns,
                     const uint32_t *list, size_t n)
{
    const mgl_packing *packing = &units->packing;
    bool first = true;
    for (size_t w = 0; w < packing->n_words; w++) {
        uint64_t mask = 0;
        for (size_t a = 0; a < units->m; a++)
            if (packing->fields[a].word == w && (columns >> a & 1) != 0)
                mask |= ((UINT64_C(1) << packing->fields[a].bits) - 1) << packing->fields[a].shift;
        if (mask != 0 || (first && w + 1 == packing->n_words)) {
            divide(g, units->keys + w, packing->n_words, mask, first, list, n);
            first = false;
        }
    }
    mgl_argus_count(g, &units->people, list, n);
}

/* ---- Units ----------------------------------------------------------------------------------- */

/* Persons of the units: of each unit those of its tuples. */
static mgl_status gather_people(mgl_argus_units *u, const mgl_frequency_list *list, mgl_error *err)
{
    mgl_argus_people tuples = mgl_argus_people_of(list);
    size_t n = u->people.n;
    for (size_t t = 0; t < tuples.n; t++)
        u->rows[u->of_tuple[t]] += tuples.rows[t];
    u->people.rows = u->rows;
    if (tuples.start == NULL)
        return MGL_OK;
    u->start = mgl_zeroed_array(n + 1, sizeof *u->start);
    u->ids = mgl_alloc_array(tuples.start[tuples.n], sizeof *u->ids);
    if (u->start == NULL || u->ids == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < tuples.n; t++)
        u->start[u->of_tuple[t]] += tuples.start[t + 1] - tuples.start[t];
    size_t end = 0;
    for (size_t i = 0; i <= n; i++) {
        end += i < n ? u->start[i] : 0;
        u->start[i] = end; /* filling backwards turns the end into the start */
    }
    for (size_t t = tuples.n; t-- > 0;)
        for (size_t j = tuples.start[t + 1]; j-- > tuples.start[t];)
            u->ids[--u->start[u->of_tuple[t]]] = tuples.ids[j];
    u->people.start = u->start;
    u->people.ids = u->ids;
    u->people.n_ids = tuples.n_ids;
    return MGL_OK;
}

/* Numbers the released values that occur in a column, from 1 on; the top is 0. */
static uint32_t number_values(const mgl_recoding *recoding, size_t a, uint32_t *numbers)
{
    const mgl_released_column *column = recoding->columns[a];
    uint32_t n = 0;
    memset(numbers, 0, column->n_values * sizeof *numbers);
    for (size_t t = 0; t < recoding->n_tuples; t++) {
        uint32_t value = recoding->cells[a][t];
        if (value != column->top && numbers[value] == 0)
            numbers[value] = ++n;
    }
    return n;
}

static mgl_status make_keys(mgl_argus_units *u, const mgl_recoding *recoding, const uint32_t *first,
                            uint32_t *const *numbers, mgl_error *err)
{
    uint32_t n_values[MGL_ARGUS_COLUMNS];
    size_t n = u->people.n;
    for (size_t a = 0; a < u->m; a++) {
        n_values[a] = number_values(recoding, a, numbers[a]) + 1;
        u->live |= (uint64_t)(n_values[a] > 1) << a;
    }
    MGL_TRY(mgl_packing_init(&u->packing, n_values, u->m, err));
    size_t n_words = u->packing.n_words;
    u->keys = mgl_zeroed_array(n * n_words, sizeof *u->keys);
    if (u->keys == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < u->m; a++) {
        size_t word = u->packing.fields[a].word, shift = u->packing.fields[a].shift;
        for (size_t i = 0; i < n; i++)
            u->keys[i * n_words + word] |= (uint64_t)numbers[a][recoding->cells[a][first[i]]]
                                           << shift;
    }
    return MGL_OK;
}

static mgl_status number_cells(mgl_argus_units *u, const mgl_recoding *recoding,
                               const uint32_t *first, mgl_error *err)
{
    uint32_t *numbers[MGL_ARGUS_COLUMNS] = {NULL};
    bool whole = true;
    for (size_t a = 0; a < u->m; a++) {
        numbers[a] = mgl_alloc_array(recoding->columns[a]->n_values, sizeof **numbers);
        whole = whole && numbers[a] != NULL;
    }
    mgl_status status = whole ? make_keys(u, recoding, first, numbers, err) : mgl_fail_memory(err);
    for (size_t a = 0; a < u->m; a++)
        mgl_free(numbers[a]);
    return status;
}

static mgl_status fill(mgl_argus_units *u, const mgl_frequency_list *list,
                       const mgl_recoding *recoding, mgl_error *err)
{
    uint32_t n_values[MGL_ARGUS_COLUMNS];
    mgl_classes classes;
    for (size_t a = 0; a < u->m; a++)
        n_values[a] = recoding->columns[a]->n_values;
    MGL_TRY(mgl_classes_init(&classes, list->n_tuples, u->m, err));
    mgl_classes_group(&classes, recoding->cells, n_values, NULL, u->m, list->counts);
    u->people.n = classes.n_classes;
    u->of_tuple = classes.of_tuple;
    classes.of_tuple = NULL;
    u->rows = mgl_zeroed_array(u->people.n, sizeof *u->rows);
    mgl_status status =
        u->rows == NULL ? mgl_fail_memory(err) : number_cells(u, recoding, classes.first, err);
    mgl_classes_free(&classes);
    return status == MGL_OK ? gather_people(u, list, err) : status;
}

mgl_status mgl_argus_units_new(const mgl_frequency_list *list, const mgl_recoding *recoding,
                               mgl_error *err, mgl_argus_units **out)
{
    mgl_argus_units *units = mgl_zeroed_array(1, sizeof *units);
    if (units == NULL)
        return mgl_fail_memory(err);
    units->m = list->n_attributes;
    mgl_status status = fill(units, list, recoding, err);
    if (status != MGL_OK) {
        mgl_argus_units_free(units);
        return status;
    }
    *out = units;
    return MGL_OK;
}

void mgl_argus_units_free(mgl_argus_units *units)
{
    if (units == NULL)
        return;
    mgl_packing_free(&units->packing);
    mgl_free(units->of_tuple);
    mgl_free(units->keys);
    mgl_free(units->rows);
    mgl_free(units->start);
    mgl_free(units->ids);
    mgl_free(units);
}
