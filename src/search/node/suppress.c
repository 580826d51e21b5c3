/* Suppresses the classes that violate a model, and what the treatment asks for beyond
 * (docs/definitions.md#suppression). The evaluator, Datafly and recodings that methods made go
 * through it. */
#include "search/node/node.h"
#include "search/node/population_matches.h"

/* Classes on each quasi-identifier, groups that models judge, tuples by their histories. */

struct mgl_suppressor {
    const mgl_problem *problem;
    mgl_pool *pool;             /* whose threads share loops over many tuples; NULL: one does all */
    mgl_population *population; /* NULL: no model looks at it */
    uint64_t *matching;         /* [n_tuples] per class: rows of the population */
    uint64_t *weights;          /* [n_tuples] per class of the release: what its rows weigh */
    uint32_t *n_values;         /* [a], then that of the histories */
    uint32_t **cells;           /* [a] those being judged, then the histories: they distinguish
                                   what looks alike, as a column would that is never generalized */
    uint32_t **attributes;      /* [n_sets] of each quasi-identifier, then the histories */
    size_t *history_start;      /* [n_histories + 1] where the tuples of each history lie */
    uint32_t *history_tuples;   /* [n_tuples] */
    uint32_t *gathered;         /* [n_tuples] */
    size_t n_histories;         /* 0: earlier releases do not matter, or models look at them */
    uint8_t *tuples;            /* [n_tuples] */
    uint32_t *group_of;         /* [n_tuples] MGL_NOT_FOUND: in none */
    uint32_t *numbers;      /* [n_tuples + n_histories + 1] classes and rows at the top, numbered
                               anew for models of the whole table */
    uint8_t *bad;           /* [n_tuples] per class: violates */
    uint64_t *live;         /* [n_tuples] per class: rows that are not suppressed */
    mgl_classes *of_set;    /* [n_sets] classes on each quasi-identifier */
    mgl_classes whole;      /* classes on all attributes, if there are several sets */
    bool whole_known;       /* they are those of the current cells */
    mgl_group_maker *maker; /* NULL if all models look at sizes only */
    mgl_joiner *joiner;     /* NULL: rows are looked at one by one */
    mgl_owned own;
};

/* One of these groups, as far as the models of the problem look at it; with so many matching rows
 * of the population, if there is a table of it. */
static inline mgl_group suppressor_group(mgl_suppressor *s, size_t number, uint64_t population)
{
    mgl_group group = {.size = s->live[number], .rows = s->live[number]};
    if (s->maker != NULL)
        group = *mgl_group_maker_group(s->maker, number);
    if (s->population != NULL)
        group.population = population;
    return group;
}

/* Do the class-wise models of the set hold for a class? Of classes that have one history each,
 * models on histories say what the others do. */
static inline bool suppressor_set_holds(const mgl_suppressor *s, const mgl_quasi_set *set,
                                        const mgl_group *group)
{
    for (size_t m = 0; m < set->n_models; m++)
        if (set->models[m].type->scope == MGL_SCOPE_CLASS &&
            (s->n_histories == 0 || set->models[m].joint == NULL) &&
            !mgl_model_holds(&set->models[m], group))
            return false;
    return true;
}

/* Does the tuple read as the top on this quasi-identifier? */
static inline bool tuple_is_top(const mgl_problem *p, size_t q, uint32_t *const *cells, size_t t)
{
    for (size_t i = 0; i < p->sets[q].n_attributes; i++) {
        uint32_t a = p->sets[q].attributes[i];
        if (cells[a][t] != p->columns[a]->top)
            return false;
    }
    return true;
}

static bool needs_histograms(const mgl_problem *p)
{
    for (size_t q = 0; q < p->n_sets; q++)
        for (size_t m = 0; m < p->sets[q].n_models; m++)
            if (mgl_needs_histograms(p->sets[q].models[m].type) &&
                (p->histories == NULL || p->sets[q].models[m].joint == NULL))
                return true;
    return false;
}

static bool needs_population(const mgl_problem *p)
{
    for (size_t q = 0; q < p->n_sets; q++)
        if (mgl_models_of(&p->sets[q]) & MGL_SOME_SEE_POPULATION)
            return true;
    return false;
}

static void sort_by_history(mgl_suppressor *s)
{
    const uint32_t *histories = s->problem->histories;
    size_t n = s->problem->list->n_tuples;
    memset(s->history_start, 0, (s->n_histories + 2) * sizeof *s->history_start);
    for (size_t t = 0; t < n; t++)
        s->history_start[histories[t] + 2]++;
    for (size_t history = 0; history < s->n_histories; history++)
        s->history_start[history + 2] += s->history_start[history + 1];
    for (size_t t = 0; t < n; t++) /* moves the starts to where they belong */
        s->history_tuples[s->history_start[histories[t] + 1]++] = (uint32_t)t;
}

static mgl_status make_histories(mgl_suppressor *s, mgl_error *err)
{
    size_t n = s->problem->list->n_tuples;
    s->history_start = mgl_own_array(&s->own, s->n_histories + 2, sizeof *s->history_start);
    s->history_tuples = mgl_own_array(&s->own, n, sizeof *s->history_tuples);
    s->gathered = mgl_own_array(&s->own, n, sizeof *s->gathered);
    MGL_TRY(mgl_owned_check(&s->own, err));
    sort_by_history(s);
    return MGL_OK;
}

/* The histories as one column more, for all quasi-identifiers. */
static mgl_status take_histories(mgl_suppressor *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    size_t m = p->list->n_attributes;
    s->cells = mgl_own_array(&s->own, m + 1, sizeof *s->cells);
    s->attributes = mgl_own_zeroed(&s->own, p->n_sets, sizeof *s->attributes);
    MGL_TRY(mgl_owned_check(&s->own, err));
    for (size_t t = 0; p->histories != NULL && t < p->list->n_tuples; t++)
        if (p->histories[t] >= s->n_histories)
            s->n_histories = (size_t)p->histories[t] + 1;
    s->n_values[m] = (uint32_t)s->n_histories;
    s->cells[m] = (uint32_t *)p->histories;
    if (s->n_histories > 0)
        MGL_TRY(make_histories(s, err));
    for (size_t q = 0; q < p->n_sets; q++) {
        size_t n = p->sets[q].n_attributes;
        s->attributes[q] = mgl_own_array(&s->own, n + 1, sizeof **s->attributes);
        MGL_TRY(mgl_owned_check(&s->own, err));
        memcpy(s->attributes[q], p->sets[q].attributes, n * sizeof **s->attributes);
        s->attributes[q][n] = (uint32_t)m;
    }
    return MGL_OK;
}

mgl_status mgl_suppressor_new(const mgl_problem *p, mgl_error *err, mgl_suppressor **out)
{
    size_t n = p->list->n_tuples, m = p->list->n_attributes;
    mgl_suppressor *s;
    MGL_TRY(mgl_new_zeroed(1, sizeof *s, err, &s));
    s->problem = p;
    s->n_values = mgl_own_array(&s->own, m + 1, sizeof *s->n_values);
    s->tuples = mgl_own_array(&s->own, n, 1);
    s->group_of = mgl_alloc_array(n, sizeof *s->group_of);
    s->bad = mgl_own_array(&s->own, n, 1);
    s->live = mgl_own_array(&s->own, n, sizeof *s->live);
    s->matching = mgl_own_zeroed(&s->own, n, sizeof *s->matching);
    s->weights = mgl_own_array(&s->own, n, sizeof *s->weights);
    s->of_set = mgl_own_zeroed(&s->own, p->n_sets, sizeof *s->of_set);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(!s->own.missing && s->group_of != NULL, err));
    for (size_t a = 0; a < m; a++)
        s->n_values[a] = p->columns[a]->n_values;
    MGL_GO(take_histories(s, err));
    s->numbers = mgl_own_array(&s->own, n + s->n_histories + 1, sizeof *s->numbers);
    MGL_GO(mgl_owned_check(&s->own, err));
    for (size_t q = 0; q < p->n_sets; q++)
        MGL_GO(mgl_classes_init(&s->of_set[q], n, p->sets[q].n_attributes + 1, err));
    if (p->n_sets > 1)
        MGL_GO(mgl_classes_init(&s->whole, n, m + 1, err));
    if (needs_histograms(p) || p->list->persons != NULL)
        MGL_GO(mgl_group_maker_new(p->list, err, &s->maker));
    if (p->list->joined != NULL)
        MGL_GO(mgl_joiner_new(p->list, err, &s->joiner));
    if (needs_population(p))
        MGL_GO(mgl_population_new(p, err, &s->population));
    *out = s;
    s = NULL;
done:
    mgl_suppressor_free(s);
    return status;
}

void mgl_suppressor_share(mgl_suppressor *s, mgl_pool *pool)
{
    s->pool = pool;
}

void mgl_suppressor_fit(mgl_suppressor *s)
{
    const mgl_problem *p = s->problem;
    for (size_t q = 0; q < p->n_sets; q++)
        mgl_classes_fit(&s->of_set[q], p->list->n_tuples);
    if (p->n_sets > 1)
        mgl_classes_fit(&s->whole, p->list->n_tuples);
    if (s->n_histories > 0)
        sort_by_history(s);
}

void mgl_suppressor_free(mgl_suppressor *s)
{
    if (s == NULL)
        return;
    for (size_t q = 0; s->of_set != NULL && q < s->problem->n_sets; q++)
        mgl_classes_free(&s->of_set[q]);
    mgl_classes_free(&s->whole);
    mgl_group_maker_free(s->maker);
    mgl_joiner_free(s->joiner);
    mgl_population_free(s->population);
    mgl_free(s->group_of);
    mgl_owned_free(&s->own);
    mgl_free(s);
}

/* Takes over a partition: group_of[t] is the group of tuple t, or MGL_NOT_FOUND. */
static void suppressor_begin_groups(mgl_suppressor *s, size_t n_groups)
{
    const mgl_frequency_list *list = s->problem->list;
    memset(s->live, 0, n_groups * sizeof *s->live);
    for (size_t t = 0; t < list->n_tuples; t++)
        if (s->group_of[t] != MGL_NOT_FOUND)
            s->live[s->group_of[t]] += list->counts[t];
    if (s->maker != NULL)
        mgl_group_maker_partition(s->maker, s->group_of, n_groups);
}

/* Complementary suppression: suppressed rows that are kept are a class, which classes join, the
 * smallest first, until it holds (docs/definitions.md#suppression). */

/* Rows at the top of one quasi-identifier. */
typedef struct at_top {
    mgl_suppressor *s;
    size_t q;
    uint32_t *const *cells;
    uint64_t rows[MGL_RANGES];
} at_top;

static void find_at_top(void *context, mgl_range range)
{
    at_top *top = context;
    mgl_suppressor *s = top->s;
    const mgl_problem *p = s->problem;
    uint64_t rows = 0;
    for (size_t t = range.first; t < range.end; t++) {
        bool is_top = s->tuples[t] || tuple_is_top(p, top->q, top->cells, t);
        uint32_t history = s->n_histories > 0 ? p->histories[t] : 0;
        s->group_of[t] = is_top ? history : MGL_NOT_FOUND;
        rows += is_top ? p->list->counts[t] : 0;
    }
    top->rows[range.number] = rows;
}

/* Makes them a group, or one for each history. */
static void begin_top(mgl_suppressor *s, size_t q, uint32_t *const *cells)
{
    at_top top = {.s = s, .q = q, .cells = cells};
    mgl_pool_run_ranges(s->pool, s->problem->list->n_tuples, find_at_top, &top);
    if (s->n_histories > 0 || s->maker != NULL) {
        suppressor_begin_groups(s, s->n_histories > 0 ? s->n_histories : 1);
        return;
    }
    s->live[0] = 0;
    for (size_t i = 0; i < MGL_RANGES; i++)
        s->live[0] += top.rows[i];
}

/* Do the suppressed rows hold as a class, together with rows that look like them? Where there are
 * histories, those of each. */
static bool suppressor_top_holds(mgl_suppressor *s, uint32_t *const *cells)
{
    const mgl_problem *p = s->problem;
    size_t n_groups = s->n_histories > 0 ? s->n_histories : 1;
    for (size_t q = 0; q < p->n_sets; q++) {
        begin_top(s, q, cells);
        /* Everybody matches a tuple of tops. */
        uint64_t population_rows = p->population != NULL ? p->population->n_rows : 0;
        for (size_t history = 0; history < n_groups; history++) {
            mgl_group group = suppressor_group(s, history, population_rows);
            if ((s->live[history] > 0 || s->n_histories == 0) &&
                !suppressor_set_holds(s, &p->sets[q], &group))
                return false;
        }
    }
    return true;
}

/* Order of released tuples: by the first leaf of each cell, in QI order. */
static int compare_released(const mgl_problem *p, uint32_t *const *cells, uint32_t t, uint32_t u)
{
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        uint32_t x = p->columns[a]->values[cells[a][t]].first_leaf;
        uint32_t y = p->columns[a]->values[cells[a][u]].first_leaf;
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* The classes that join the suppressed rows: those on all columns. Few nodes come to that. */
static const mgl_classes *joining_classes(mgl_suppressor *s)
{
    const mgl_problem *p = s->problem;
    size_t n = p->list->n_attributes + (s->n_histories > 0 ? 1 : 0);
    if (p->n_sets == 1)
        return &s->of_set[0];
    if (!s->whole_known)
        mgl_classes_group(&s->whole, s->cells, s->n_values, NULL, n, p->list->counts);
    s->whole_known = true;
    return &s->whole;
}

/* The smallest class joins the suppressed rows. False if there is none left. Complementary
 * suppression: the smallest class joins the suppressed rows. False if there is none left. */
static bool suppressor_add_smallest(mgl_suppressor *s, uint32_t *const *cells)
{
    const mgl_problem *p = s->problem;
    const mgl_classes *classes = joining_classes(s);
    for (size_t t = 0; t < p->list->n_tuples; t++)
        s->group_of[t] = s->tuples[t] ? MGL_NOT_FOUND : classes->of_tuple[t];
    suppressor_begin_groups(s, classes->n_classes);
    for (size_t c = 0; p->list->persons != NULL && c < classes->n_classes; c++)
        s->live[c] = suppressor_group(s, c, 0).size;
    size_t least = SIZE_MAX;
    for (size_t c = 0; c < classes->n_classes; c++) {
        if (s->live[c] == 0)
            continue;
        if (least == SIZE_MAX || s->live[c] < s->live[least] ||
            (s->live[c] == s->live[least] &&
             compare_released(p, cells, classes->first[c], classes->first[least]) < 0))
            least = c;
    }
    for (size_t t = 0; least != SIZE_MAX && t < p->list->n_tuples; t++)
        s->tuples[t] |= classes->of_tuple[t] == least;
    return least != SIZE_MAX;
}

/* Do the suppressed rows of a history hold, together with those of it that look like them? */
static bool history_holds(mgl_suppressor *s, uint32_t *const *cells, size_t history)
{
    const mgl_problem *p = s->problem;
    size_t n = 0;
    mgl_group group = {0};
    for (size_t i = s->history_start[history]; i < s->history_start[history + 1]; i++) {
        uint32_t t = s->history_tuples[i];
        if (!s->tuples[t] && !tuple_is_top(p, 0, cells, t))
            continue;
        s->gathered[n++] = t;
        group.size = group.rows += p->list->counts[t];
    }
    if (n > 0 && s->maker != NULL)
        group = *mgl_group_maker_gather(s->maker, s->gathered, n);
    return n == 0 || suppressor_set_holds(s, &p->sets[0], &group);
}

static bool suppress_smallest_of_history(mgl_suppressor *s, uint32_t *const *cells, size_t history)
{
    const mgl_classes *classes = &s->of_set[0];
    uint32_t least = MGL_NOT_FOUND;
    for (size_t i = s->history_start[history]; i < s->history_start[history + 1]; i++) {
        uint32_t c = classes->of_tuple[s->history_tuples[i]];
        if (s->tuples[s->history_tuples[i]] || c == least)
            continue;
        if (least == MGL_NOT_FOUND || classes->sizes[c] < classes->sizes[least] ||
            (classes->sizes[c] == classes->sizes[least] &&
             compare_released(s->problem, cells, classes->first[c], classes->first[least]) < 0))
            least = c;
    }
    for (size_t i = s->history_start[history]; i < s->history_start[history + 1]; i++)
        s->tuples[s->history_tuples[i]] |= classes->of_tuple[s->history_tuples[i]] == least;
    return least != MGL_NOT_FOUND;
}

/* For one quasi-identifier: in every history classes join the suppressed rows until these hold.
 * False if they cannot. With one quasi-identifier a class has one history, so that no history needs
 * rows of another. */
static bool suppressor_complement_histories(mgl_suppressor *s, uint32_t *const *cells)
{
    for (size_t history = 0; history < s->n_histories; history++)
        while (!history_holds(s, cells, history))
            if (!suppress_smallest_of_history(s, cells, history))
                return false;
    return true;
}

/* Do all rows read as the top on this quasi-identifier? */
static bool reads_as_top(const mgl_suppressor *s, size_t q, uint32_t *const *cells)
{
    const mgl_classes *classes = &s->of_set[q];
    if (s->n_histories == 0 && classes->n_classes != 1)
        return false;
    for (size_t c = 0; c < classes->n_classes; c++)
        if (!tuple_is_top(s->problem, q, cells, classes->first[c]))
            return false;
    return true;
}

typedef struct loop {
    mgl_suppressor *s;
    const mgl_classes *classes;
    uint64_t rows[MGL_RANGES];
    bool more[MGL_RANGES];
} loop;

static void suppress_range(void *context, mgl_range range)
{
    loop *l = context;
    bool more = false;
    for (size_t t = range.first; t < range.end; t++) {
        bool bad = l->s->bad[l->classes->of_tuple[t]];
        more = more || (bad && !l->s->tuples[t]);
        l->s->tuples[t] |= bad;
    }
    l->more[range.number] = more;
}

/* Suppresses the tuples of bad classes. True if there are any that were not suppressed yet. */
static bool suppress_bad(mgl_suppressor *s, const mgl_classes *classes)
{
    loop l = {.s = s, .classes = classes};
    bool more = false;
    mgl_pool_run_ranges(s->pool, s->problem->list->n_tuples, suppress_range, &l);
    for (size_t i = 0; i < MGL_RANGES; i++)
        more = more || l.more[i];
    return more;
}

static void sum_range(void *context, mgl_range range)
{
    loop *l = context;
    const uint64_t *counts = l->s->problem->list->counts;
    uint64_t rows = 0;
    for (size_t t = range.first; t < range.end; t++)
        rows += l->s->tuples[t] ? counts[t] : 0;
    l->rows[range.number] = rows;
}

static uint64_t suppressed_rows(mgl_suppressor *s)
{
    loop l = {.s = s};
    uint64_t rows = 0;
    mgl_pool_run_ranges(s->pool, s->problem->list->n_tuples, sum_range, &l);
    for (size_t i = 0; i < MGL_RANGES; i++)
        rows += l.rows[i];
    return rows;
}

/* The rows of each class, without those that are suppressed already unless all are alike. */
static void begin_classes(mgl_suppressor *s, const mgl_classes *classes, bool all_alike)
{
    size_t n = s->problem->list->n_tuples;
    if (s->maker == NULL && (all_alike || memchr(s->tuples, 1, n) == NULL)) {
        memcpy(s->live, classes->sizes, classes->n_classes * sizeof *s->live);
        return;
    }
    for (size_t t = 0; t < n; t++)
        s->group_of[t] = s->tuples[t] && !all_alike ? MGL_NOT_FOUND : classes->of_tuple[t];
    suppressor_begin_groups(s, classes->n_classes);
}

typedef struct judging {
    mgl_suppressor *s;
    const mgl_quasi_set *set;
    bool any[MGL_RANGES];
} judging;

static void judge_range(void *context, mgl_range range)
{
    judging *j = context;
    mgl_suppressor *s = j->s;
    bool any = false;
    for (size_t c = range.first; c < range.end; c++) {
        s->bad[c] = false;
        if (s->live[c] == 0)
            continue;
        mgl_group group = suppressor_group(s, c, s->matching[c]);
        s->bad[c] = !suppressor_set_holds(s, j->set, &group);
        any = any || s->bad[c];
    }
    j->any[range.number] = any;
}

/* Which classes violate a model? True if there are any. A maker of groups makes one at a time. */
static bool find_bad(mgl_suppressor *s, size_t q)
{
    judging j = {.s = s, .set = &s->problem->sets[q]};
    bool any = false;
    mgl_pool_run_ranges(s->maker == NULL ? s->pool : NULL, s->of_set[q].n_classes, judge_range, &j);
    for (size_t i = 0; i < MGL_RANGES; i++)
        any = any || j.any[i];
    return any;
}

/* Suppresses the classes of one quasi-identifier that violate a model, counting only rows
 * that are not suppressed yet; but where the node itself releases tops on it, suppressed
 * rows that are kept look like all others. True if there were any. */
static bool suppress_violating(mgl_suppressor *s, size_t q, uint32_t *const *cells)
{
    const mgl_classes *classes = &s->of_set[q];
    bool all_alike = s->problem->treatment == MGL_KEEP && reads_as_top(s, q, cells);
    begin_classes(s, classes, all_alike);
    if (s->population != NULL)
        mgl_population_match(s->population, &s->problem->sets[q], classes, cells, s->matching);
    return find_bad(s, q) && suppress_bad(s, classes);
}

/* Suppressing a row for one quasi-identifier takes it out of its class on another, so
 * this goes on until all hold. */
static void suppress_until_all_hold(mgl_suppressor *s, uint32_t *const *cells)
{
    bool changed = true;
    while (changed) {
        changed = false;
        for (size_t q = 0; q < s->problem->n_sets; q++)
            changed = suppress_violating(s, q, cells) || changed;
        changed = changed && s->problem->n_sets > 1;
    }
}

/* Does the tuple read as the top on all quasi-identifiers together? */
static bool is_wholly_top(const mgl_problem *p, uint32_t *const *cells, size_t t)
{
    for (size_t a = 0; a < p->list->n_attributes; a++)
        if (cells[a][t] != p->columns[a]->top)
            return false;
    return true;
}

/* What is at the top counts as suppressed, whatever put it there; but if all rows are, that is the
 * top node, of which nothing is suppressed: then true. */
static bool suppress_tops(mgl_suppressor *s, uint32_t *const *cells)
{
    size_t n = s->problem->list->n_tuples, n_top = 0;
    for (size_t t = 0; t < n; t++) {
        s->tuples[t] |= is_wholly_top(s->problem, cells, t);
        n_top += s->tuples[t];
    }
    if (n_top == n)
        memset(s->tuples, 0, n);
    return n_top == n;
}

/* The classes of the release on one quasi-identifier, in s->group_of. Suppressed rows that are kept
 * are a class together with those that look like them, each history by itself. */
static size_t number_released(mgl_suppressor *s, size_t q, uint32_t *const *cells, bool top_too)
{
    const mgl_problem *p = s->problem;
    size_t n = p->list->n_tuples, n_classes = 0;
    memset(s->numbers, 0xff, (n + s->n_histories + 1) * sizeof *s->numbers);
    for (size_t t = 0; t < n; t++) {
        size_t number = s->of_set[q].of_tuple[t];
        if (top_too && (s->tuples[t] || tuple_is_top(p, q, cells, t)))
            number = n + (s->n_histories > 0 ? p->histories[t] : 0);
        s->group_of[t] = MGL_NOT_FOUND;
        if (s->tuples[t] && !top_too)
            continue;
        if (s->numbers[number] == MGL_NOT_FOUND)
            s->numbers[number] = (uint32_t)n_classes++;
        s->group_of[t] = s->numbers[number];
    }
    return n_classes;
}

/* They look at the sizes of the classes that are judged: the top one is among them if it is kept,
 * or if there is no other. */
static bool table_models_hold(mgl_suppressor *s, uint32_t *const *cells, uint64_t rows)
{
    const mgl_problem *p = s->problem;
    bool top_too =
        p->treatment == MGL_KEEP || (p->treatment == MGL_EXEMPT && rows == p->list->n_rows);
    for (size_t q = 0; q < p->n_sets; q++) {
        const mgl_quasi_set *set = &p->sets[q];
        if (!(mgl_models_of(set) & MGL_SOME_JUDGE_TABLE))
            continue;
        size_t n_classes = number_released(s, q, cells, top_too), n = 0;
        suppressor_begin_groups(s, n_classes);
        for (size_t c = 0; c < n_classes; c++) {
            mgl_group group = suppressor_group(s, c, 0);
            s->weights[n] = group.population;
            s->matching[n++] = group.size;
        }
        mgl_class_sizes sizes = {s->matching, n, s->weights};
        for (size_t m = 0; n > 0 && m < set->n_models; m++)
            if (set->models[m].type->scope == MGL_SCOPE_TABLE &&
                !set->models[m].type->table_holds(&set->models[m], &sizes))
                return false;
    }
    return true;
}

/* s->tuples has those that are suppressed to begin with. */
static void suppress(mgl_suppressor *s, uint32_t *const *cells, mgl_suppression *out)
{
    const mgl_problem *p = s->problem;
    size_t m = p->list->n_attributes, one_more = s->n_histories > 0 ? 1 : 0;
    memcpy(s->cells, cells, m * sizeof *cells);
    for (size_t q = 0; q < p->n_sets; q++) {
        mgl_cells_to_group chosen = {s->cells, s->n_values, s->attributes[q],
                                     p->sets[q].n_attributes + one_more, p->list->counts};
        mgl_classes_group_shared(&s->of_set[q], &chosen, s->pool);
        if (s->joiner != NULL)
            mgl_classes_join(s->joiner, &s->of_set[q]);
    }
    s->whole_known = false;
    bool top_node = p->treatment == MGL_EXEMPT && suppress_tops(s, cells);
    uint64_t before = p->list->regrouped ? suppressed_rows(s) : 0; /* because of where they are */
    suppress_until_all_hold(s, cells);
    uint64_t rows = suppressed_rows(s);
    *out = (mgl_suppression){.holds = true, .violating = rows - before, .tuples = s->tuples};
    if (p->treatment == MGL_KEEP && rows > 0) {
        if (s->n_histories > 0 && p->n_sets == 1)
            out->holds = suppressor_complement_histories(s, cells);
        while (out->holds && !suppressor_top_holds(s, cells)) {
            out->holds = suppressor_add_smallest(s, cells);
            if (p->n_sets > 1)
                suppress_until_all_hold(s, cells);
        }
        rows = suppressed_rows(s);
    }
    if (p->treatment == MGL_DROP && rows == p->list->n_rows)
        out->holds = false; /* nothing would be released */
    out->rows = rows;
    /* Of the top node, a history may violate a model by itself. */
    if (p->treatment == MGL_EXEMPT &&
        (rows == p->list->n_rows || (top_node && (rows > 0 || !mgl_levels_allow_top(p))))) {
        /* If in the end all rows are at the top they are one class, and not exempt. */
        out->holds = suppressor_top_holds(s, cells);
        out->rows = s->problem->list->n_rows;
        if (top_node && mgl_levels_allow_top(s->problem)) {
            memset(s->tuples, 0, s->problem->list->n_tuples);
            out->rows = 0;
        }
    }
    out->holds = out->holds && table_models_hold(s, cells, rows);
}

typedef struct released_tops {
    mgl_suppressor *s;
    uint32_t *const *cells;
} released_tops;

/* The tuples of a class are suppressed together, so that its first one decides. */
static void mark_tops(void *context, mgl_range range)
{
    const released_tops *r = context;
    const uint32_t *first = r->s->of_set[0].first;
    for (size_t c = range.first; c < range.end; c++)
        r->s->bad[c] = r->s->tuples[first[c]] || tuple_is_top(r->s->problem, 0, r->cells, first[c]);
}

/* Numbers the classes as they are released: those at the top are one. */
static void number_classes(mgl_suppressor *s, uint32_t *const *cells, mgl_classes *out)
{
    const mgl_classes *classes = &s->of_set[0];
    uint32_t top = MGL_NOT_FOUND;
    mgl_pool_run_ranges(s->pool, classes->n_classes, mark_tops, &(released_tops){s, cells});
    for (size_t c = 0; c < classes->n_classes; c++) {
        bool joins = s->bad[c] && top != MGL_NOT_FOUND;
        if (!joins)
            out->first[out->n_classes++] = classes->first[c];
        s->numbers[c] = joins ? top : (uint32_t)out->n_classes - 1;
        top = s->bad[c] ? s->numbers[c] : top;
        out->sizes[s->numbers[c]] += classes->sizes[c];
    }
}

static void name_range(void *context, mgl_range range)
{
    const loop *l = context;
    for (size_t t = range.first; t < range.end; t++)
        l->s->group_of[t] = l->s->numbers[l->classes->of_tuple[t]];
}

mgl_status mgl_suppressor_released(mgl_suppressor *s, uint32_t *const *cells, mgl_error *err,
                                   mgl_classes *out)
{
    const mgl_frequency_list *list = s->problem->list;
    loop l = {.s = s, .classes = &s->of_set[0]};
    *out = (mgl_classes){.n_tuples = list->n_tuples};
    if (s->problem->n_sets > 1 || s->n_histories > 0 || s->joiner != NULL ||
        s->problem->sets[0].n_attributes != list->n_attributes)
        return MGL_OK;
    out->sizes = mgl_zeroed_array(l.classes->n_classes, sizeof *out->sizes);
    out->first = mgl_alloc_array(l.classes->n_classes, sizeof *out->first);
    if (out->sizes == NULL || out->first == NULL) {
        mgl_classes_free(out);
        return mgl_fail_memory(err);
    }
    number_classes(s, cells, out);
    mgl_pool_run_ranges(s->pool, list->n_tuples, name_range, &l);
    out->of_tuple = s->group_of;
    s->group_of = NULL;
    return MGL_OK;
}

void mgl_suppress(mgl_suppressor *s, uint32_t *const *cells, mgl_suppression *out)
{
    memset(s->tuples, 0, s->problem->list->n_tuples);
    /* Rows that were counted at the top of some columns may read as the top before others do. */
    if (s->problem->list->regrouped && s->problem->treatment == MGL_KEEP)
        (void)suppress_tops(s, cells);
    suppress(s, cells, out);
}

void mgl_suppress_more(mgl_suppressor *s, uint32_t *const *cells, const uint8_t *already,
                       mgl_suppression *out)
{
    memcpy(s->tuples, already, s->problem->list->n_tuples);
    suppress(s, cells, out);
}

/* Judges the whole table as one class at the top. */

/* Cells that are all at the top: cells[a][t]. */
static bool level_is_top(const mgl_released_column *column, uint32_t level)
{
    for (uint32_t leaf = 0; leaf < column->hierarchy->n_leaves; leaf++)
        if (column->of_leaf[level][leaf] != column->top)
            return false;
    return true;
}

/* A level below may carry the label of the top already. */
static bool column_allows_top(const mgl_problem *problem, size_t a)
{
    for (uint32_t level = problem->min_level[a]; level <= problem->max_level[a]; level++)
        if (level_is_top(problem->columns[a], level))
            return true;
    return false;
}

bool mgl_levels_allow_top(const mgl_problem *problem)
{
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        if (!column_allows_top(problem, a))
            return false;
    return true;
}

mgl_status mgl_top_class_holds(const mgl_problem *problem, mgl_error *err, bool *holds)
{
    size_t m = problem->list->n_attributes, n = problem->list->n_tuples;
    mgl_owned own = {0};
    mgl_suppressor *suppressor = NULL;
    mgl_suppression found;
    mgl_status status = MGL_OK;
    uint32_t **cells = mgl_own_rows(&own, m, n, sizeof **cells);
    MGL_GO(mgl_owned_check(&own, err));
    for (size_t a = 0; a < m; a++)
        for (size_t t = 0; t < n; t++)
            cells[a][t] = problem->columns[a]->top;
    MGL_GO(mgl_suppressor_new(problem, err, &suppressor));
    mgl_suppress(suppressor, cells, &found);
    *holds = found.holds;
done:
    mgl_suppressor_free(suppressor);
    mgl_owned_free(&own);
    return status;
}

mgl_status mgl_some_must_stay(const mgl_problem *problem, mgl_error *err, bool *out)
{
    bool holds = false;
    if (problem->treatment == MGL_EXEMPT && problem->limit >= problem->list->n_rows)
        MGL_TRY(mgl_top_class_holds(problem, err, &holds));
    *out = problem->treatment != MGL_KEEP && !holds;
    return MGL_OK;
}
