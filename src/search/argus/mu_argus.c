/* mu-Argus as Sweeney 2002 reconstructed it (figure 11): generalize until every value is common,
 * then suppress single cells of combinations that are rare. With combinations of two and three
 * columns the result may still have rare rows, which was the paper's point: it is unsafe then. A
 * row of the table of methods. */
#include "search/argus/units.h"
#include "search/argus/argus.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

#include <stdio.h>
#include <stdlib.h>

/* The units of mu-Argus, which are the distinct tuples after generalization: makes them, groups
 * them by some of their columns and counts rows or persons. Threads that go through them stop
 * together. */

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
        return mgl_fail_key(
            err, MGL_CODE_TIME_LIMIT, "time-limit",
            "the time limit came before all rare combinations were dealt with; raise "
            "`time-limit`, or give fewer `combinations`");
    return MGL_OK;
}

/* A slot is taken if its group is above the numbers of earlier calls, so that nothing has to be
 * cleared between calls. */
struct mgl_argus_slot {
    uint64_t key;
    uint32_t before; /* group by the words before this one */
    uint32_t group;
};

/* The people of the list's tuples. */
static mgl_argus_people argus_people_of(const mgl_frequency_list *list)
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
    groups->of = mgl_own_array(&groups->own, people->n, sizeof *groups->of);
    groups->sizes = mgl_own_array(&groups->own, most_groups, sizeof *groups->sizes);
    groups->slots = mgl_own_zeroed(&groups->own, groups->n_slots, sizeof *groups->slots);
    if (people->start != NULL) {
        groups->start = mgl_own_array(&groups->own, most_groups + 1, sizeof *groups->start);
        groups->members = mgl_own_array(&groups->own, people->n, sizeof *groups->members);
        groups->seen = mgl_own_zeroed(&groups->own, people->n_ids, sizeof *groups->seen);
    }
    return mgl_owned_check(&groups->own, err);
}

void mgl_argus_groups_free(mgl_argus_groups *groups)
{
    mgl_owned_free(&groups->own);
    *groups = (mgl_argus_groups){0};
}

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

/* Counts the persons of groups that the caller made: fills in sizes from of and n. */
static void argus_count(mgl_argus_groups *g, const mgl_argus_people *people, const uint32_t *list,
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
    argus_count(g, &units->people, list, n);
}

/* Persons of the units: of each unit those of its tuples. */
static mgl_status gather_people(mgl_argus_units *u, const mgl_frequency_list *list, mgl_error *err)
{
    mgl_argus_people tuples = argus_people_of(list);
    size_t n = u->people.n;
    for (size_t t = 0; t < tuples.n; t++)
        u->rows[u->of_tuple[t]] += tuples.rows[t];
    u->people.rows = u->rows;
    if (tuples.start == NULL)
        return MGL_OK;
    u->start = mgl_zeroed_array(n + 1, sizeof *u->start);
    u->ids = mgl_alloc_array(tuples.start[tuples.n], sizeof *u->ids);
    MGL_TRY(mgl_check_memory(u->start != NULL && u->ids != NULL, err));
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
    MGL_TRY(mgl_new_zeroed(n * n_words, sizeof *u->keys, err, &u->keys));
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
    mgl_argus_units *units;
    MGL_TRY(mgl_new_zeroed(1, sizeof *units, err, &units));
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

/* Lists which combinations of values are unsafe: shared by fewer than k persons, none of them
 * suppressed. Sweeney 2002, figures 13 and 14. By columns, so that the holder sees what to
 * generalize, and by tuples with the columns on which each is an outlier. Values themselves are
 * left out: more people may read a result than the table. */

/* A table on the way to its release, and its outliers. */
typedef struct argus_state {
    const mgl_frequency_list *list;
    const char *const *names; /* of columns; NULL: not known */
    uint64_t live;            /* columns that the node has not at their top as a whole */
    const mgl_argus_units *units;
    const mgl_argus_family *family;
    const mgl_argus_outliers *outliers;
    const uint64_t *lost; /* [units] columns whose cell will be suppressed; NULL: none will */
} argus_state;

enum { MOST_LISTED = 100, MOST_OUTLIERS = 50, MOST_SETS = 2000 };

/* Columns whose values together are rare. */
typedef struct combination {
    uint64_t set, values, rows;
} combination;

typedef struct unsafe {
    const argus_state *state;
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
    mgl_owned own;
} unsafe;

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

/* The smaller ones first. */
static int compare_sets(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    int larger = __builtin_popcountll(x) - __builtin_popcountll(y);
    return larger != 0 ? larger : (x > y) - (x < y);
}

/* A column that is at its top as a whole adds nothing and is left out of its combinations. */
static mgl_status take_sets(unsafe *x, mgl_error *err)
{
    const argus_state *s = x->state;
    const uint64_t *from = x->least ? s->outliers->sets : s->family->sets;
    size_t n = x->least ? s->outliers->start[s->units->people.n] : s->family->n;
    x->sets = mgl_own_array(&x->own, n, sizeof *x->sets);
    MGL_TRY(mgl_owned_check(&x->own, err));
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
    x->tops = mgl_own_array(&x->own, n, sizeof *x->tops);
    x->rows = mgl_own_zeroed(&x->own, n, sizeof *x->rows);
    x->times = mgl_own_zeroed(&x->own, n, sizeof *x->times);
    x->list = mgl_own_array(&x->own, n, sizeof *x->list);
    x->rare = mgl_own_array(&x->own, n, sizeof *x->rare);
    MGL_TRY(mgl_owned_check(&x->own, err));
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

/* The number of a combination among the sets. */
static size_t number_of(const unsafe *x, uint64_t set)
{
    const uint64_t *found = bsearch(&set, x->sets, x->n_sets, sizeof *x->sets, compare_sets);
    return (size_t)(found - x->sets);
}

/* Calls put with the number of each combination that the unit is an outlier on. Combinations that
 * differ in columns that add nothing are one: last[number] is the unit that had it last. */
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
    uint32_t *last = mgl_own_array(&x->own, x->n_sets, sizeof *last);
    x->start = mgl_own_zeroed(&x->own, x->n_sets + 1, sizeof *x->start);
    x->members = mgl_own_array(&x->own, n, sizeof *x->members);
    MGL_TRY(mgl_owned_check(&x->own, err));
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
    MGL_TRY(mgl_grow_array(&x->found, &x->found_room, x->n_found + 1, sizeof *x->found, err));
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

static void add_end(mgl_findings *out)
{
    mgl_findings_mark(out, MGL_FINDING_END, NULL);
}

static void add_names(const unsafe *x, const char *name, uint64_t set, mgl_findings *out)
{
    mgl_findings_mark(out, MGL_FINDING_LIST, name);
    for (uint64_t left = set; left != 0; left &= left - 1) {
        size_t a = (size_t)__builtin_ctzll(left);
        char number[32];
        snprintf(number, sizeof number, "%zu", a + 1);
        mgl_findings_text(out, NULL, x->state->names != NULL ? x->state->names[a] : number);
    }
    add_end(out);
}

static void add_combinations(const unsafe *x, mgl_findings *out)
{
    mgl_findings_mark(out, MGL_FINDING_LIST, "combinations");
    for (size_t i = 0; i < x->n_found && i < MOST_LISTED; i++) {
        mgl_findings_mark(out, MGL_FINDING_GROUP, NULL);
        add_names(x, "columns", x->found[i].set, out);
        mgl_findings_count(out, "values", x->found[i].values);
        mgl_findings_count(out, "rows", x->found[i].rows);
        add_end(out);
    }
    add_end(out);
}

/* A tuple as figure 14 has it: how many rows, its outliers, and which cells are to go. */
static void add_tuple(const unsafe *x, uint32_t u, mgl_findings *out)
{
    size_t n = 0;
    mgl_findings_mark(out, MGL_FINDING_GROUP, NULL);
    mgl_findings_count(out, "rows", x->rows[u]);
    mgl_findings_mark(out, MGL_FINDING_LIST, "outliers");
    for (size_t i = 0; i < x->n_sets && n < MOST_OUTLIERS; i++)
        if ((x->sets[i] & x->tops[u]) == 0 && holds_one(x, u, x->sets[i])) {
            add_names(x, NULL, x->sets[i], out);
            n++;
        }
    add_end(out);
    mgl_findings_count(out, "outliers_left_out", x->times[u] - n);
    if (x->state->lost != NULL)
        add_names(x, "suppressed", x->state->lost[u], out);
    add_end(out);
}

/* Those that are outliers most often come first; equal ones in the order of the table. */
static void add_tuples(const unsafe *x, size_t n_outliers, mgl_findings *out)
{
    size_t listed = 0;
    uint64_t below = UINT64_MAX;
    mgl_findings_mark(out, MGL_FINDING_LIST, "tuples");
    while (listed < n_outliers && listed < MOST_LISTED) {
        uint64_t most = 0;
        for (size_t u = 0; u < x->state->units->people.n; u++)
            most = x->times[u] < below && x->times[u] > most ? x->times[u] : most;
        for (uint32_t u = 0; u < x->state->units->people.n && listed < MOST_LISTED; u++)
            if (x->times[u] == most) {
                add_tuple(x, u, out);
                listed++;
            }
        below = most;
    }
    add_end(out);
}

static void add_state(const unsafe *x, const char *name, mgl_findings *out)
{
    uint64_t rows = 0;
    size_t n = 0;
    for (size_t u = 0; u < x->state->units->people.n; u++) {
        rows += x->times[u] > 0 ? x->rows[u] : 0;
        n += x->times[u] > 0;
    }
    mgl_findings_mark(out, MGL_FINDING_GROUP, name);
    mgl_findings_count(out, "values", x->values);
    mgl_findings_count(out, "rows", rows);
    add_combinations(x, out);
    mgl_findings_count(out, "combinations_left_out",
                       x->n_found > MOST_LISTED ? x->n_found - MOST_LISTED : 0);
    add_tuples(x, n, out);
    mgl_findings_count(out, "tuples_left_out", n > MOST_LISTED ? n - MOST_LISTED : 0);
    add_end(out);
}

/* Adds a group {values, rows, combinations: [{columns, values, rows}], combinations_left_out,
 * tuples: [{rows, outliers, outliers_left_out, suppressed}], tuples_left_out}. */
static mgl_status list_unsafe(const argus_state *state, const char *name, mgl_error *err,
                              mgl_findings *out)
{
    unsafe x = {.state = state, .least = state->family->all || state->family->n > MOST_SETS};
    /* Of very many combinations only the least ones that were found are listed: larger ones are
     * unsafe with them. */
    mgl_status status = MGL_OK;
    MGL_GO(begin(&x, err));
    if (x.least)
        MGL_GO(list_members(&x, err));
    for (size_t i = 0; i < x.n_sets; i++)
        MGL_GO(count_set(&x, i, err));
    if (x.n_found > 1)
        qsort(x.found, x.n_found, sizeof *x.found, compare_found);
    add_state(&x, name, out);
    if (out->failed)
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_argus_groups_free(&x.groups);
    mgl_owned_free(&x.own);
    mgl_free(x.found);
    return status;
}

typedef struct findings {
    uint32_t *levels;    /* of the columns */
    mgl_findings unsafe; /* combinations, before and after; after is left out where time was up */
    bool has_after;
} findings;

typedef struct argus {
    const mgl_problem *problem;
    const mgl_argus_options *options;
    uint64_t k;
    mgl_recoding *recoding;
    mgl_argus_units *units;
    uint64_t live; /* columns of the units before cells are suppressed */
    mgl_argus_family family;
    mgl_argus_outliers outliers;
    mgl_argus_cells cells;
} argus;

static mgl_status find_k(argus *x, mgl_error *err)
{
    const mgl_problem *p = x->problem;
    bool given = false;
    x->k = 0;
    const mgl_quasi_set *set = p->n_sets > 0 ? &p->sets[mgl_strictest_set(p)] : NULL;
    for (size_t i = 0; set != NULL && i < set->n_models; i++) {
        const mgl_model *model = &set->models[i];
        given = given || mgl_demand_implies_k(model);
        if (model->type->k != MGL_K_IS)
            continue;
        given = true;
        x->k = (uint64_t)model->parameters[0] > x->k ? (uint64_t)model->parameters[0] : x->k;
    }
    if (!given)
        return mgl_fail_key(
            err, MGL_CODE_MISSING_KEY, "k",
            "mu-argus suppresses what fewer than k rows have in common; give `k: N` "
            "beside the other models, or use another method");
    x->k = x->k == 0 ? p->k : x->k;
    return MGL_OK;
}

static void recode_column(mgl_recoding *recoding, const mgl_frequency_list *list, size_t a,
                          uint32_t level)
{
    const uint32_t *of_leaf = recoding->columns[a]->of_leaf[level];
    for (size_t t = 0; t < list->n_tuples; t++)
        recoding->cells[a][t] = of_leaf[mgl_list_leaf(list, t, a)];
}

/* Does each value of the column occur often enough? */
static bool is_common(const argus *x, size_t a, const mgl_argus_people *people,
                      const uint32_t *list, mgl_argus_groups *groups)
{
    groups->n = x->recoding->columns[a]->n_values;
    memcpy(groups->of, x->recoding->cells[a], people->n * sizeof *groups->of);
    argus_count(groups, people, list, people->n);
    for (size_t i = 0; i < people->n; i++)
        if (groups->sizes[groups->of[i]] < x->k)
            return false;
    return true;
}

/* Generalizes a column until its values are common, then as much more as the holder wants, but
 * never higher than it may go. */
static uint32_t generalize(const argus *x, size_t a, const mgl_argus_people *people,
                           const uint32_t *list, mgl_argus_groups *groups)
{
    const mgl_problem *p = x->problem;
    uint32_t level = p->min_level[a];
    recode_column(x->recoding, p->list, a, level);
    while (level < p->max_level[a] && !is_common(x, a, people, list, groups))
        recode_column(x->recoding, p->list, a, ++level);
    uint32_t more = x->options->generalize[a], most = p->max_level[a] - level;
    level += more < most ? more : most;
    recode_column(x->recoding, p->list, a, level);
    return level;
}

static mgl_status generalize_all(argus *x, mgl_error *err, uint32_t *levels)
{
    const mgl_frequency_list *list = x->problem->list;
    mgl_argus_people people = argus_people_of(list);
    mgl_argus_groups groups;
    size_t most = 1;
    for (size_t a = 0; a < list->n_attributes; a++)
        if (x->problem->columns[a]->n_values > most)
            most = x->problem->columns[a]->n_values;
    uint32_t *tuples = mgl_alloc_array(people.n, sizeof *tuples);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_argus_groups_init(&groups, &people, most, err));
    MGL_GO(mgl_check_memory(tuples != NULL, err));
    for (size_t t = 0; t < people.n; t++)
        tuples[t] = (uint32_t)t;
    for (size_t a = 0; a < list->n_attributes; a++)
        levels[a] = generalize(x, a, &people, tuples, &groups);
done:
    mgl_argus_groups_free(&groups);
    mgl_free(tuples);
    return status;
}

static mgl_status suppress_cells(argus *x, mgl_error *err)
{
    const mgl_problem *p = x->problem;
    MGL_TRY(mgl_argus_units_new(p->list, x->recoding, err, &x->units));
    x->live = x->units->live;
    MGL_TRY(mgl_argus_family_make(p, x->live, err, &x->family));
    MGL_TRY(mgl_argus_outliers_find(p, x->units, &x->family, x->k, err, &x->outliers));
    MGL_TRY(mgl_argus_cells_suppress(p, x->units, &x->family, &x->outliers, err, &x->cells));
    if (x->family.rounds)
        MGL_TRY(mgl_argus_cells_complete(p, x->units, x->k, &x->cells, err));
    return MGL_OK;
}

/* A row that lost every cell is suppressed. */
static uint64_t recode_cells(argus *x)
{
    const mgl_frequency_list *list = x->problem->list;
    uint64_t rows = 0;
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint64_t lost = x->cells.lost[x->units->of_tuple[t]];
        for (uint64_t left = lost; left != 0; left &= left - 1) {
            size_t a = (size_t)__builtin_ctzll(left);
            x->recoding->cells[a][t] = x->recoding->columns[a]->top;
        }
        x->recoding->suppressed[t] = lost != 0 && lost == x->units->live;
        rows += x->recoding->suppressed[t] ? list->counts[t] : 0;
    }
    return rows;
}

/* Rounds took cells from the units: then they are made once more, in the same order, as the
 * recoding still has them. */
static mgl_status list_before(const argus *x, mgl_error *err, findings *out)
{
    mgl_argus_units *again = NULL;
    if (x->family.rounds)
        MGL_TRY(mgl_argus_units_new(x->problem->list, x->recoding, err, &again));
    argus_state state = {.list = x->problem->list,
                         .names = x->problem->names,
                         .live = x->live,
                         .units = again != NULL ? again : x->units,
                         .family = &x->family,
                         .outliers = &x->outliers,
                         .lost = x->cells.lost};
    mgl_status status = list_unsafe(&state, "before", err, &out->unsafe);
    mgl_argus_units_free(again);
    return status;
}

/* Suppressing cells of one row can make what it had in common with others rare, so that the release
 * is looked at anew. A release that was found before the time limit is worth more than this list.
 */
static mgl_status list_after(const argus *x, const mgl_recoding *recoding, mgl_error *err,
                             findings *out)
{
    const mgl_problem *p = x->problem;
    mgl_argus_units *units = NULL;
    mgl_argus_outliers outliers = {0};
    mgl_error own = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_argus_units_new(p->list, recoding, err, &units));
    status = mgl_argus_outliers_find(p, units, &x->family, x->k, &own, &outliers);
    if (status != MGL_OK) {
        status = own.code == MGL_CODE_TIME_LIMIT ? MGL_OK : mgl_fail_as(err, &own);
        goto done;
    }
    argus_state state = {.list = p->list,
                         .names = p->names,
                         .live = x->live,
                         .units = units,
                         .family = &x->family,
                         .outliers = &outliers};
    MGL_GO(list_unsafe(&state, "after", err, &out->unsafe));
    out->has_after = true;
done:
    mgl_argus_outliers_free(&outliers);
    mgl_argus_units_free(units);
    return status;
}

/* Rounds end in a release that holds k; without them what is left may be unsafe. */
static mgl_status settle(argus *x, uint64_t suppressed_rows, mgl_error *err, mgl_solution *out)
{
    const mgl_problem *p = x->problem;
    mgl_recoding *recoding = x->recoding;
    bool holds = false;
    x->recoding = NULL;
    if (x->family.rounds) {
        MGL_TRY(mgl_solution_treat_recoding(out, p, recoding, err, &holds));
    } else {
        out->recoding = recoding;
        out->suppressed_rows = p->treatment == MGL_EXEMPT
                                   ? mgl_recoding_mark_tops(recoding, p->list->counts, p->pool)
                                   : suppressed_rows;
        MGL_TRY(mgl_recoding_holds(p, recoding, err, &holds));
    }
    /* If all rows are at the top and levels allow that, none counts as suppressed. */
    uint64_t counted = out->suppressed_rows;
    if (!x->family.rounds && suppressed_rows > counted && !mgl_levels_allow_top(p))
        counted = suppressed_rows;
    if (p->limited && counted > p->limit)
        return mgl_fail_key(
            err, MGL_CODE_NO_RELEASE, "suppress",
            "%llu rows lose all their cells, and %llu may; allow more with `suppress`, "
            "generalize more with `generalize`, or ask for less",
            (unsigned long long)counted, (unsigned long long)p->limit);
    out->unsafe = !holds;
    out->safer = x->family.rounds
                     ? "ask for less, or use another method"
                     : "give `combinations: all`, which suppresses until every model holds";
    return MGL_OK;
}

/* There are no more levels. */
static mgl_status check_generalize(const argus *x, mgl_error *err)
{
    const mgl_problem *p = x->problem;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        uint32_t height = p->columns[a]->hierarchy->height;
        if (x->options->generalize[a] > height)
            return mgl_fail_attribute(err, MGL_CODE_BAD_VALUE,
                                      p->names != NULL ? p->names[a] : NULL, "generalize",
                                      "`attributes.%.60s.generalize: %u`: the hierarchy of this "
                                      "column has levels 0..%u; ask for at most %u levels more",
                                      p->names != NULL ? p->names[a] : "COLUMN",
                                      x->options->generalize[a], height, height);
    }
    return MGL_OK;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    size_t m = problem->list->n_attributes;
    argus x = {.problem = problem, .options = problem->options};
    if (m > MGL_ARGUS_COLUMNS)
        return mgl_fail_key(
            err, MGL_CODE_LIMIT, "method",
            "mu-argus handles at most %d quasi-identifiers, not %zu; name fewer, or "
            "use `method: datafly`",
            MGL_ARGUS_COLUMNS, m);
    MGL_TRY(check_generalize(&x, err));
    findings *found = out->findings = mgl_zeroed_array(1, sizeof *found);
    MGL_TRY(mgl_check_memory(found != NULL, err));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_new_array(m, sizeof *found->levels, err, &found->levels));
    MGL_GO(find_k(&x, err));
    MGL_GO(mgl_recoding_new(problem->columns, m, problem->list->n_tuples, err, &x.recoding));
    MGL_GO(generalize_all(&x, err, found->levels));
    MGL_GO(suppress_cells(&x, err));
    MGL_GO(list_before(&x, err, found));
    MGL_GO(settle(&x, recode_cells(&x), err, out));
    MGL_GO(list_after(&x, out->recoding, err, found));
done:
    out->nodes_checked = 1;
    mgl_recoding_free(x.recoding);
    mgl_argus_units_free(x.units);
    mgl_argus_family_free(&x.family);
    mgl_argus_outliers_free(&x.outliers);
    mgl_argus_cells_free(&x.cells);
    return status;
}

static const uint32_t *levels_of(const void *of_method)
{
    return ((const findings *)of_method)->levels;
}

static const char *const reported[] = {"unsafe_combinations", NULL};

static void report(const void *of_method, mgl_findings *out)
{
    const findings *found = of_method;
    mgl_findings_mark(out, MGL_FINDING_GROUP, reported[0]);
    mgl_findings_append(out, &found->unsafe);
    if (!found->has_after)
        mgl_findings_mark(out, MGL_FINDING_ABSENT, "after");
    add_end(out);
}

static void free_findings(void *of_method)
{
    findings *found = of_method;
    mgl_findings_free(&found->unsafe);
    mgl_free(found->levels);
    mgl_free(found);
}

static const mgl_method_option options[] = {
    {.name = "identification",
     .value = "COLUMN=N,...",
     .fallback = "2",
     .help = "mu-argus: a column is 1 most, 2 more, 3 identifying",
     .by_column = true,
     .parser = {.kind = MGL_PARSE_SMALL,
                .min = 1,
                .max = 3,
                .wrong = "is no identification level; give 1 (most), 2 (more) or 3 (identifying)"},
     .place = offsetof(mgl_argus_options, identification)},
    {.name = "generalize",
     .value = "COLUMN=N,...",
     .fallback = "0",
     .help = "mu-argus: so many levels more, as the holder decides",
     .by_column = true,
     .of_levels = true,
     .parser = {.kind = MGL_PARSE_SMALL, .wrong = "is no number of levels; give for example 1"},
     .place = offsetof(mgl_argus_options, generalize)},
    {.same = &mgl_combinations_option, .place = offsetof(mgl_argus_options, combinations)},
};

const mgl_method_type mgl_mu_argus = {
    .name = "mu-argus",
    .help = "mu-Argus: generalize until each value is common, then suppress single cells of rare "
            "combinations of columns; the result may be unsafe, and is refused then",
    .when =
        "to compare with the 2002 paper; with `combinations: all`, for columns of one level each "
        "with single cells suppressed",
    .cost = "a pass over the distinct tuples per combination of columns",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .options_size = sizeof(mgl_argus_options),
    .several_sets = true,
    .may_be_unsafe = true,
    .run = run,
    .report = report,
    .reported = reported,
    .levels = levels_of,
    .free_findings = free_findings,
};
