/* Suppresses the classes that violate a model, and what the treatment asks for beyond
 * (docs/definitions.md#suppression). The evaluator, Datafly and recodings that methods made go
 * through it. */
#include "search/node/node.h"
#include "search/node/suppressor.h"

/* Do all rows read as the top on this quasi-identifier? */
static bool reads_as_top(const mgl_suppressor *s, size_t q, uint32_t *const *cells)
{
    const mgl_classes *classes = &s->of_set[q];
    if (s->n_pasts == 0 && classes->n_classes != 1)
        return false;
    for (size_t c = 0; c < classes->n_classes; c++)
        if (!mgl_tuple_is_top(s->problem, q, cells, classes->first[c]))
            return false;
    return true;
}

/* ---- Loops over all tuples ------------------------------------------------------------ */

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

/* ---- Models of classes ---------------------------------------------------------------- */

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
    mgl_suppressor_begin_groups(s, classes->n_classes);
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
        mgl_group group = mgl_suppressor_group(s, c, s->matching[c]);
        s->bad[c] = !mgl_suppressor_set_holds(s, j->set, &group);
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

/* ---- Rows at the top ----------------------------------------------------------------- */

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

/* If in the end all rows are at the top they are one class, and not exempt. */
static void judge_all_at_top(mgl_suppressor *s, uint32_t *const *cells, bool top_node,
                             mgl_suppression *out)
{
    out->holds = mgl_suppressor_top_holds(s, cells);
    out->rows = s->problem->list->n_rows;
    if (top_node && mgl_levels_allow_top(s->problem)) {
        memset(s->tuples, 0, s->problem->list->n_tuples);
        out->rows = 0;
    }
}

/* ---- Models of the whole table ------------------------------------------------------- */

static bool judges_table(const mgl_quasi_set *set)
{
    for (size_t m = 0; m < set->n_models; m++)
        if (set->models[m].type->scope == MGL_SCOPE_TABLE)
            return true;
    return false;
}

/* The classes of the release on one quasi-identifier, in s->group_of. Suppressed rows that are kept
 * are a class together with those that look like them, each past by itself. */
static size_t number_released(mgl_suppressor *s, size_t q, uint32_t *const *cells, bool top_too)
{
    const mgl_problem *p = s->problem;
    size_t n = p->list->n_tuples, n_classes = 0;
    memset(s->numbers, 0xff, (n + s->n_pasts + 1) * sizeof *s->numbers);
    for (size_t t = 0; t < n; t++) {
        size_t number = s->of_set[q].of_tuple[t];
        if (top_too && (s->tuples[t] || mgl_tuple_is_top(p, q, cells, t)))
            number = n + (s->n_pasts > 0 ? p->pasts[t] : 0);
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
        if (!judges_table(set))
            continue;
        size_t n_classes = number_released(s, q, cells, top_too), n = 0;
        mgl_suppressor_begin_groups(s, n_classes);
        for (size_t c = 0; c < n_classes; c++) {
            mgl_group group = mgl_suppressor_group(s, c, 0);
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
    size_t m = p->list->n_attributes, one_more = s->n_pasts > 0 ? 1 : 0;
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
        if (s->n_pasts > 0 && p->n_sets == 1)
            out->holds = mgl_suppressor_complement_pasts(s, cells);
        while (out->holds && !mgl_suppressor_top_holds(s, cells)) {
            out->holds = mgl_suppressor_add_smallest(s, cells);
            if (p->n_sets > 1)
                suppress_until_all_hold(s, cells);
        }
        rows = suppressed_rows(s);
    }
    if (p->treatment == MGL_DROP && rows == p->list->n_rows)
        out->holds = false; /* nothing would be released */
    out->rows = rows;
    /* Of the top node, a past may violate a model by itself. */
    if (p->treatment == MGL_EXEMPT &&
        (rows == p->list->n_rows || (top_node && (rows > 0 || !mgl_levels_allow_top(p)))))
        judge_all_at_top(s, cells, top_node, out);
    out->holds = out->holds && table_models_hold(s, cells, rows);
}

/* ---- Classes of the release ------------------------------------------------------------ */

typedef struct released_tops {
    mgl_suppressor *s;
    uint32_t *const *cells;
} released_tops;

/* The tuples of a class are suppressed together, so that its first one tells. */
static void mark_tops(void *context, mgl_range range)
{
    const released_tops *r = context;
    const uint32_t *first = r->s->of_set[0].first;
    for (size_t c = range.first; c < range.end; c++)
        r->s->bad[c] =
            r->s->tuples[first[c]] || mgl_tuple_is_top(r->s->problem, 0, r->cells, first[c]);
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
    if (s->problem->n_sets > 1 || s->n_pasts > 0 || s->joiner != NULL ||
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
