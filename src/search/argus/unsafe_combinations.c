/* Tells which combinations of values are unsafe: shared by fewer than k persons, none of them
 * suppressed. Sweeney 2002, figures 13 and 14. By columns, so that the holder sees what to
 * generalize, and by tuples with the columns on which each is an outlier. Values themselves are not
 * told: a result may be read by more persons than the table. mu_argus.c calls it for the state
 * before cells are suppressed and for the release. */
#include "search/argus/unsafe_combinations.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_TOLD = 100, MOST_OUTLIERS = 50, MOST_SETS = 2000 };

/* Columns whose values together are rare. */
typedef struct combination {
    uint64_t set, values, rows;
} combination;

typedef struct unsafe {
    const mgl_argus_state *state;
    bool least;
    uint64_t *sets; /* [n_sets] combinations of columns to look at */
    size_t n_sets;
    uint64_t *tops;  /* [units] columns whose cell is suppressed */
    uint64_t *rows;  /* [units] */
    uint64_t *times; /* [units] on how many combinations it is an outlier */
    uint32_t *list;  /* [units] scratch */
    uint32_t *rare;  /* [n_rare] units that have outliers, ascending */
    size_t n_rare;
    /* Of the least combinations: the units that are outliers on combination i are at start[i]..
     * start[i + 1]. */
    size_t *start;
    uint32_t *members;
    mgl_argus_groups groups;
    combination *found;
    size_t n_found, found_room;
    uint64_t values;
} unsafe;

/* ---- What is looked at ---------------------------------------------------------------------- */

/* Of very many combinations only the least ones that were found are told: larger ones are unsafe
 * with them. */
static bool tells_least(const mgl_argus_family *family)
{
    return family->all || family->n > MOST_SETS;
}

static bool holds_one(const unsafe *x, uint32_t u, uint64_t set)
{
    const mgl_argus_outliers *outliers = x->state->outliers;
    for (size_t i = outliers->start[u]; i < outliers->start[u + 1]; i++) {
        uint64_t least = outliers->sets[i] & x->state->live;
        if (x->least ? least == set : (least & ~set) == 0)
            return true;
    }
    return false;
}

static bool is_outlier(const unsafe *x, uint32_t u, uint64_t set)
{
    return (set & x->tops[u]) == 0 && holds_one(x, u, set);
}

/* The smaller ones first. */
static int compare_sets(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    int larger = __builtin_popcountll(x) - __builtin_popcountll(y);
    return larger != 0 ? larger : (x > y) - (x < y);
}

/* A column that is at its top as a whole tells nothing and is left out of its combinations. */
static mgl_status take_sets(unsafe *x, mgl_error *err)
{
    const mgl_argus_state *s = x->state;
    const uint64_t *from = x->least ? s->outliers->sets : s->family->sets;
    size_t n = x->least ? s->outliers->start[s->units->people.n] : s->family->n;
    x->sets = mgl_alloc_array(n, sizeof *x->sets);
    if (x->sets == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++)
        x->sets[i] = from[i] & s->live;
    if (n > 1)
        qsort(x->sets, n, sizeof *x->sets, compare_sets);
    for (size_t i = 0; i < n; i++)
        if (x->sets[i] != 0 && (x->n_sets == 0 || x->sets[i] != x->sets[x->n_sets - 1]))
            x->sets[x->n_sets++] = x->sets[i];
    return MGL_OK;
}

static uint64_t tops_of(const mgl_argus_units *units, size_t u)
{
    const mgl_packing *packing = &units->packing;
    uint64_t tops = 0;
    for (size_t a = 0; a < units->m; a++) {
        uint64_t word = units->keys[u * packing->n_words + packing->fields[a].word];
        uint64_t mask = (UINT64_C(1) << packing->fields[a].bits) - 1;
        tops |= (uint64_t)((word >> packing->fields[a].shift & mask) == 0) << a;
    }
    return tops;
}

static mgl_status begin(unsafe *x, mgl_error *err)
{
    const mgl_argus_units *units = x->state->units;
    const mgl_argus_outliers *outliers = x->state->outliers;
    const mgl_frequency_list *list = x->state->list;
    size_t n = units->people.n;
    x->tops = mgl_alloc_array(n, sizeof *x->tops);
    x->rows = mgl_zeroed_array(n, sizeof *x->rows);
    x->times = mgl_zeroed_array(n, sizeof *x->times);
    x->list = mgl_alloc_array(n, sizeof *x->list);
    x->rare = mgl_alloc_array(n, sizeof *x->rare);
    if (x->tops == NULL || x->rows == NULL || x->times == NULL || x->list == NULL ||
        x->rare == NULL)
        return mgl_fail_memory(err);
    for (uint32_t u = 0; u < n; u++) {
        if (outliers->start[u] == outliers->start[u + 1])
            continue;
        x->tops[u] = tops_of(units, u);
        x->rare[x->n_rare++] = u;
    }
    for (size_t t = 0; t < list->n_tuples; t++)
        x->rows[units->of_tuple[t]] += list->counts[t];
    MGL_TRY(mgl_argus_groups_init(&x->groups, &units->people, n, err));
    return take_sets(x, err);
}

/* ---- Counting ------------------------------------------------------------------------------- */

/* The number of a combination among the sets. */
static size_t number_of(const unsafe *x, uint64_t set)
{
    const uint64_t *found = bsearch(&set, x->sets, x->n_sets, sizeof *x->sets, compare_sets);
    return (size_t)(found - x->sets);
}

/* Calls put with the number of each combination that the unit is an outlier on. Combinations that
 * differ in columns that tell nothing are one: last[number] is the unit that had it last. */
static void each_least(unsafe *x, uint32_t u, uint32_t *last,
                       void (*put)(unsafe *, size_t, uint32_t))
{
    const mgl_argus_outliers *outliers = x->state->outliers;
    for (size_t i = outliers->start[u]; i < outliers->start[u + 1]; i++) {
        uint64_t set = outliers->sets[i] & x->state->live;
        size_t number = set != 0 ? number_of(x, set) : SIZE_MAX;
        if (set == 0 || last[number] == u)
            continue;
        last[number] = u;
        put(x, number, u);
    }
}

static void count_member(unsafe *x, size_t number, uint32_t u)
{
    (void)u;
    x->start[number]++;
}

static void put_member(unsafe *x, size_t number, uint32_t u)
{
    x->members[--x->start[number]] = u;
}

/* The least combinations of a unit are the ones it is an outlier on: they are turned into a list of
 * units for each. */
static mgl_status list_members(unsafe *x, mgl_error *err)
{
    size_t n = x->state->outliers->start[x->state->units->people.n], end = 0;
    uint32_t *last = mgl_alloc_array(x->n_sets, sizeof *last);
    x->start = mgl_zeroed_array(x->n_sets + 1, sizeof *x->start);
    x->members = mgl_alloc_array(n, sizeof *x->members);
    if (x->start == NULL || x->members == NULL || last == NULL) {
        mgl_free(last);
        return mgl_fail_memory(err);
    }
    memset(last, 0xFF, x->n_sets * sizeof *last); /* no unit */
    for (size_t r = 0; r < x->n_rare; r++)
        each_least(x, x->rare[r], last, count_member);
    for (size_t i = 0; i <= x->n_sets; i++) {
        end += i < x->n_sets ? x->start[i] : 0;
        x->start[i] = end; /* filling backwards turns the end into the start */
    }
    memset(last, 0xFF, x->n_sets * sizeof *last);
    for (size_t r = x->n_rare; r-- > 0;)
        each_least(x, x->rare[r], last, put_member);
    mgl_free(last);
    return MGL_OK;
}

/* Lists the outliers on the combination of this number. */
static size_t list_outliers(unsafe *x, size_t number)
{
    const uint32_t *from = x->least ? x->members + x->start[number] : x->rare;
    size_t most = x->least ? x->start[number + 1] - x->start[number] : x->n_rare, n = 0;
    uint64_t set = x->sets[number];
    for (size_t i = 0; i < most; i++)
        if ((set & x->tops[from[i]]) == 0 && (x->least || holds_one(x, from[i], set)))
            x->list[n++] = from[i];
    return n;
}

/* All that look alike on a combination are outliers on it, or none of them is. */
static mgl_status count_set(unsafe *x, size_t number, mgl_error *err)
{
    combination c = {.set = x->sets[number]};
    size_t n = list_outliers(x, number);
    for (size_t i = 0; i < n; i++) {
        x->times[x->list[i]]++;
        c.rows += x->rows[x->list[i]];
    }
    if (n == 0)
        return MGL_OK;
    mgl_argus_group(&x->groups, x->state->units, c.set, x->list, n);
    c.values = x->groups.n;
    x->values += c.values;
    if (!mgl_grow(&x->found, &x->found_room, x->n_found + 1, sizeof *x->found))
        return mgl_fail_memory(err);
    x->found[x->n_found++] = c;
    return MGL_OK;
}

static int compare_found(const void *a, const void *b)
{
    const combination *x = a, *y = b;
    if (x->rows != y->rows)
        return x->rows > y->rows ? -1 : 1;
    if (x->values != y->values)
        return x->values > y->values ? -1 : 1;
    return compare_sets(&x->set, &y->set);
}

/* ---- Telling -------------------------------------------------------------------------------- */

static json_t *names_json(const unsafe *x, uint64_t set)
{
    json_t *names = json_array();
    for (uint64_t left = set; left != 0; left &= left - 1) {
        size_t a = (size_t)__builtin_ctzll(left);
        char number[32];
        snprintf(number, sizeof number, "%zu", a + 1);
        mgl_json_append(names, json_string(x->state->names != NULL ? x->state->names[a] : number));
    }
    return names;
}

static json_t *columns_json(const unsafe *x)
{
    json_t *list = json_array();
    for (size_t i = 0; i < x->n_found && i < MOST_TOLD; i++) {
        json_t *one = json_object();
        mgl_json_set(one, "columns", names_json(x, x->found[i].set));
        mgl_json_set(one, "values", mgl_json_count(x->found[i].values));
        mgl_json_set(one, "rows", mgl_json_count(x->found[i].rows));
        mgl_json_append(list, one);
    }
    return list;
}

/* A tuple as figure 14 has it: how many rows, its outliers, and which cells are to go. */
static json_t *tuple_json(const unsafe *x, uint32_t u)
{
    json_t *one = json_object(), *outliers = json_array();
    size_t n = 0;
    for (size_t i = 0; i < x->n_sets && n < MOST_OUTLIERS; i++)
        if (is_outlier(x, u, x->sets[i])) {
            mgl_json_append(outliers, names_json(x, x->sets[i]));
            n++;
        }
    mgl_json_set(one, "rows", mgl_json_count(x->rows[u]));
    mgl_json_set(one, "outliers", outliers);
    mgl_json_set(one, "outliers_left_out", mgl_json_count(x->times[u] - n));
    if (x->state->lost != NULL)
        mgl_json_set(one, "suppressed", names_json(x, x->state->lost[u]));
    return one;
}

/* Those that are outliers most often come first; equal ones in the order of the table. */
static json_t *tuples_json(const unsafe *x, size_t n_outliers)
{
    json_t *list = json_array();
    size_t told = 0;
    uint64_t below = UINT64_MAX;
    while (told < n_outliers && told < MOST_TOLD) {
        uint64_t most = 0;
        for (size_t u = 0; u < x->state->units->people.n; u++)
            most = x->times[u] < below && x->times[u] > most ? x->times[u] : most;
        for (uint32_t u = 0; u < x->state->units->people.n && told < MOST_TOLD; u++)
            if (x->times[u] == most) {
                mgl_json_append(list, tuple_json(x, u));
                told++;
            }
        below = most;
    }
    return list;
}

static json_t *state_json(const unsafe *x)
{
    json_t *state = json_object();
    uint64_t rows = 0;
    size_t n = 0;
    for (size_t u = 0; u < x->state->units->people.n; u++) {
        rows += x->times[u] > 0 ? x->rows[u] : 0;
        n += x->times[u] > 0;
    }
    mgl_json_set(state, "values", mgl_json_count(x->values));
    mgl_json_set(state, "rows", mgl_json_count(rows));
    mgl_json_set(state, "combinations", columns_json(x));
    mgl_json_set(state, "combinations_left_out",
                 mgl_json_count(x->n_found > MOST_TOLD ? x->n_found - MOST_TOLD : 0));
    mgl_json_set(state, "tuples", tuples_json(x, n));
    mgl_json_set(state, "tuples_left_out", mgl_json_count(n > MOST_TOLD ? n - MOST_TOLD : 0));
    return state;
}

mgl_status mgl_argus_unsafe_json(const mgl_argus_state *state, mgl_error *err, json_t **out)
{
    unsafe x = {.state = state, .least = tells_least(state->family)};
    mgl_status status = MGL_OK;
    MGL_GO(begin(&x, err));
    if (x.least)
        MGL_GO(list_members(&x, err));
    for (size_t i = 0; i < x.n_sets; i++)
        MGL_GO(count_set(&x, i, err));
    if (x.n_found > 1)
        qsort(x.found, x.n_found, sizeof *x.found, compare_found);
    *out = state_json(&x);
done:
    mgl_argus_groups_free(&x.groups);
    mgl_free(x.sets);
    mgl_free(x.tops);
    mgl_free(x.rows);
    mgl_free(x.times);
    mgl_free(x.list);
    mgl_free(x.rare);
    mgl_free(x.start);
    mgl_free(x.members);
    mgl_free(x.found);
    return status;
}
