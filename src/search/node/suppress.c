/* Suppresses the classes that violate a model, and what the treatment asks for beyond
 * (docs/definitions.md#suppression). The evaluator, Datafly and recodings that methods made go
 * through it. */
#include "search/node/suppress.h"

#include "search/node/population_matches.h"

struct mgl_suppressor {
    const mgl_problem *problem;
    mgl_population *population; /* NULL: no model looks at it */
    uint64_t *matching;         /* [n_tuples] per class: rows of the population */
    uint32_t *n_values;         /* [a], then that of the parts of earlier releases */
    uint32_t **cells;           /* [a] those at hand, then the parts: earlier releases tell apart
                                   what looks alike, as a column would that is never generalized */
    uint32_t **attributes;      /* [n_sets] of each quasi-identifier, then the parts */
    size_t *part_start;         /* [n_parts + 1] where the tuples of each part lie */
    uint32_t *part_tuples;      /* [n_tuples] */
    uint32_t *gathered;         /* [n_tuples] */
    size_t n_parts;             /* 0: earlier releases do not matter, or models look at them */
    uint8_t *tuples;            /* [n_tuples] */
    uint32_t *parts;            /* [n_tuples] */
    uint32_t *numbers;          /* [n_tuples + n_parts + 1] classes and rows at the top, numbered
                                   anew for models of the whole table */
    uint8_t *bad;               /* [n_tuples] per class: violates */
    uint64_t *live;             /* [n_tuples] per class: rows that are not suppressed */
    mgl_classes *of_set;        /* [n_sets] classes on each quasi-identifier */
    mgl_classes whole;          /* classes on all attributes, if there are several sets */
    mgl_group_maker *maker;     /* NULL if all models look at sizes only */
};

static bool needs_histograms(const mgl_problem *p)
{
    for (size_t q = 0; q < p->n_sets; q++)
        for (size_t m = 0; m < p->sets[q].n_models; m++)
            if (mgl_needs_histograms(p->sets[q].models[m].type) &&
                (p->parts == NULL || p->sets[q].models[m].joint == NULL))
                return true;
    return false;
}

static bool needs_population(const mgl_problem *p)
{
    for (size_t q = 0; q < p->n_sets; q++)
        for (size_t m = 0; m < p->sets[q].n_models; m++)
            if (p->sets[q].models[m].type->needs_population)
                return true;
    return false;
}

static mgl_status sort_by_part(mgl_suppressor *s, mgl_error *err)
{
    const uint32_t *parts = s->problem->parts;
    size_t n = s->problem->list->n_tuples;
    s->part_start = mgl_zeroed_array(s->n_parts + 2, sizeof *s->part_start);
    s->part_tuples = mgl_alloc_array(n, sizeof *s->part_tuples);
    s->gathered = mgl_alloc_array(n, sizeof *s->gathered);
    if (s->part_start == NULL || s->part_tuples == NULL || s->gathered == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n; t++)
        s->part_start[parts[t] + 2]++;
    for (size_t part = 0; part < s->n_parts; part++)
        s->part_start[part + 2] += s->part_start[part + 1];
    for (size_t t = 0; t < n; t++) /* moves the starts to where they belong */
        s->part_tuples[s->part_start[parts[t] + 1]++] = (uint32_t)t;
    return MGL_OK;
}

/* The parts as one column more, for all quasi-identifiers. */
static mgl_status take_parts(mgl_suppressor *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    size_t m = p->list->n_attributes;
    s->cells = mgl_alloc_array(m + 1, sizeof *s->cells);
    s->attributes = mgl_zeroed_array(p->n_sets, sizeof *s->attributes);
    if (s->cells == NULL || s->attributes == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; p->parts != NULL && t < p->list->n_tuples; t++)
        if (p->parts[t] >= s->n_parts)
            s->n_parts = (size_t)p->parts[t] + 1;
    s->n_values[m] = (uint32_t)s->n_parts;
    s->cells[m] = (uint32_t *)p->parts;
    if (s->n_parts > 0)
        MGL_TRY(sort_by_part(s, err));
    for (size_t q = 0; q < p->n_sets; q++) {
        size_t n = p->sets[q].n_attributes;
        s->attributes[q] = mgl_alloc_array(n + 1, sizeof **s->attributes);
        if (s->attributes[q] == NULL)
            return mgl_fail_memory(err);
        memcpy(s->attributes[q], p->sets[q].attributes, n * sizeof **s->attributes);
        s->attributes[q][n] = (uint32_t)m;
    }
    return MGL_OK;
}

mgl_status mgl_suppressor_new(const mgl_problem *p, mgl_error *err, mgl_suppressor **out)
{
    size_t n = p->list->n_tuples, m = p->list->n_attributes;
    mgl_suppressor *s = mgl_zeroed_array(1, sizeof *s);
    if (s == NULL)
        return mgl_fail_memory(err);
    s->problem = p;
    s->n_values = mgl_alloc_array(m + 1, sizeof *s->n_values);
    s->tuples = mgl_alloc_array(n, 1);
    s->parts = mgl_alloc_array(n, sizeof *s->parts);
    s->bad = mgl_alloc_array(n, 1);
    s->live = mgl_alloc_array(n, sizeof *s->live);
    s->matching = mgl_zeroed_array(n, sizeof *s->matching);
    s->of_set = mgl_zeroed_array(p->n_sets, sizeof *s->of_set);
    mgl_status status = MGL_OK;
    if (s->n_values == NULL || s->tuples == NULL || s->parts == NULL || s->bad == NULL ||
        s->live == NULL || s->matching == NULL || s->of_set == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t a = 0; a < m; a++)
        s->n_values[a] = p->columns[a]->n_values;
    MGL_GO(take_parts(s, err));
    s->numbers = mgl_alloc_array(n + s->n_parts + 1, sizeof *s->numbers);
    if (s->numbers == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t q = 0; q < p->n_sets; q++)
        MGL_GO(mgl_classes_init(&s->of_set[q], n, p->sets[q].n_attributes + 1, err));
    if (p->n_sets > 1)
        MGL_GO(mgl_classes_init(&s->whole, n, m + 1, err));
    if (needs_histograms(p) || p->list->persons != NULL)
        MGL_GO(mgl_group_maker_new(p->list, err, &s->maker));
    if (needs_population(p))
        MGL_GO(mgl_population_new(p, err, &s->population));
    *out = s;
    s = NULL;
done:
    mgl_suppressor_free(s);
    return status;
}

void mgl_suppressor_free(mgl_suppressor *s)
{
    if (s == NULL)
        return;
    for (size_t q = 0; s->of_set != NULL && q < s->problem->n_sets; q++)
        mgl_classes_free(&s->of_set[q]);
    for (size_t q = 0; s->attributes != NULL && q < s->problem->n_sets; q++)
        mgl_free(s->attributes[q]);
    mgl_free(s->attributes);
    mgl_free(s->cells);
    mgl_free(s->part_start);
    mgl_free(s->part_tuples);
    mgl_free(s->gathered);
    mgl_classes_free(&s->whole);
    mgl_group_maker_free(s->maker);
    mgl_population_free(s->population);
    mgl_free(s->matching);
    mgl_free(s->of_set);
    mgl_free(s->n_values);
    mgl_free(s->tuples);
    mgl_free(s->parts);
    mgl_free(s->numbers);
    mgl_free(s->bad);
    mgl_free(s->live);
    mgl_free(s);
}

/* Of classes that lie in one part each, models on parts say what the others do. */
static bool set_holds(const mgl_suppressor *s, const mgl_quasi_set *set, const mgl_group *group)
{
    for (size_t m = 0; m < set->n_models; m++)
        if (set->models[m].type->scope == MGL_SCOPE_CLASS &&
            (s->n_parts == 0 || set->models[m].joint == NULL) &&
            !mgl_model_holds(&set->models[m], group))
            return false;
    return true;
}

/* Takes over a partition: parts[t] is the part of tuple t, or MGL_NOT_FOUND. */
static void begin_groups(mgl_suppressor *s, size_t n_parts)
{
    const mgl_frequency_list *list = s->problem->list;
    memset(s->live, 0, n_parts * sizeof *s->live);
    for (size_t t = 0; t < list->n_tuples; t++)
        if (s->parts[t] != MGL_NOT_FOUND)
            s->live[s->parts[t]] += list->counts[t];
    if (s->maker != NULL)
        mgl_group_maker_partition(s->maker, s->parts, n_parts);
}

/* The group of one part, as far as the models of the problem look at it. */
static mgl_group make_group(mgl_suppressor *s, size_t part, uint64_t population)
{
    mgl_group group = {.size = s->live[part], .rows = s->live[part]};
    if (s->maker != NULL)
        group = *mgl_group_maker_group(s->maker, part);
    group.population = population;
    return group;
}

static bool is_top(const mgl_problem *p, size_t q, uint32_t *const *cells, size_t t)
{
    for (size_t i = 0; i < p->sets[q].n_attributes; i++) {
        uint32_t a = p->sets[q].attributes[i];
        if (cells[a][t] != p->columns[a]->top)
            return false;
    }
    return true;
}

/* Do all rows read as the top on this quasi-identifier? */
static bool reads_as_top(const mgl_suppressor *s, size_t q, uint32_t *const *cells)
{
    const mgl_classes *classes = &s->of_set[q];
    if (s->n_parts == 0 && classes->n_classes != 1)
        return false;
    for (size_t c = 0; c < classes->n_classes; c++)
        if (!is_top(s->problem, q, cells, classes->first[c]))
            return false;
    return true;
}

/* Suppresses the classes of one quasi-identifier that violate a model, counting only rows
 * that are not suppressed yet; but where the node itself releases tops on it, suppressed
 * rows that are kept look like all others. True if there were any. */
static bool suppress_violating(mgl_suppressor *s, size_t q, uint32_t *const *cells)
{
    const mgl_frequency_list *list = s->problem->list;
    const mgl_classes *classes = &s->of_set[q];
    bool all_alike = s->problem->treatment == MGL_KEEP && reads_as_top(s, q, cells);
    for (size_t t = 0; t < list->n_tuples; t++)
        s->parts[t] = s->tuples[t] && !all_alike ? MGL_NOT_FOUND : classes->of_tuple[t];
    begin_groups(s, classes->n_classes);
    if (s->population != NULL)
        mgl_population_match(s->population, &s->problem->sets[q], classes, cells, s->matching);
    bool any = false;
    for (size_t c = 0; c < classes->n_classes; c++) {
        s->bad[c] = false;
        if (s->live[c] == 0)
            continue;
        mgl_group group = make_group(s, c, s->matching[c]);
        s->bad[c] = !set_holds(s, &s->problem->sets[q], &group);
        any = any || s->bad[c];
    }
    bool more = false;
    for (size_t t = 0; any && t < list->n_tuples; t++) {
        more = more || (s->bad[classes->of_tuple[t]] && !s->tuples[t]);
        s->tuples[t] |= s->bad[classes->of_tuple[t]];
    }
    return more;
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

static uint64_t suppressed_rows(const mgl_suppressor *s)
{
    uint64_t rows = 0;
    for (size_t t = 0; t < s->problem->list->n_tuples; t++)
        rows += s->tuples[t] ? s->problem->list->counts[t] : 0;
    return rows;
}

/* Do the suppressed rows hold as a class, together with rows that look like them? Of earlier
 * releases, those of each part. */
static bool top_class_holds(mgl_suppressor *s, uint32_t *const *cells)
{
    const mgl_problem *p = s->problem;
    size_t n_parts = s->n_parts > 0 ? s->n_parts : 1;
    for (size_t q = 0; q < p->n_sets; q++) {
        for (size_t t = 0; t < p->list->n_tuples; t++) {
            uint32_t part = s->n_parts > 0 ? p->parts[t] : 0;
            s->parts[t] = s->tuples[t] || is_top(p, q, cells, t) ? part : MGL_NOT_FOUND;
        }
        begin_groups(s, n_parts);
        /* Everybody matches a tuple of tops. */
        uint64_t everybody = p->population != NULL ? p->population->n_rows : 0;
        for (size_t part = 0; part < n_parts; part++) {
            mgl_group group = make_group(s, part, everybody);
            if ((s->live[part] > 0 || s->n_parts == 0) && !set_holds(s, &p->sets[q], &group))
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

/* Complementary suppression: the smallest class joins the suppressed rows. False if there
 * is none left. */
static bool suppress_smallest(mgl_suppressor *s, uint32_t *const *cells)
{
    const mgl_problem *p = s->problem;
    const mgl_classes *classes = p->n_sets > 1 ? &s->whole : &s->of_set[0];
    for (size_t t = 0; t < p->list->n_tuples; t++)
        s->parts[t] = s->tuples[t] ? MGL_NOT_FOUND : classes->of_tuple[t];
    begin_groups(s, classes->n_classes);
    for (size_t c = 0; p->list->persons != NULL && c < classes->n_classes; c++)
        s->live[c] = make_group(s, c, 0).size;
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

/* ---- The same part by part ----------------------------------------------------------- */

/* Do the suppressed rows of a part hold, together with those of it that look like them? */
static bool part_holds(mgl_suppressor *s, uint32_t *const *cells, size_t part)
{
    const mgl_problem *p = s->problem;
    size_t n = 0;
    mgl_group group = {0};
    for (size_t i = s->part_start[part]; i < s->part_start[part + 1]; i++) {
        uint32_t t = s->part_tuples[i];
        if (!s->tuples[t] && !is_top(p, 0, cells, t))
            continue;
        s->gathered[n++] = t;
        group.size = group.rows += p->list->counts[t];
    }
    if (n > 0 && s->maker != NULL)
        group = *mgl_group_maker_gather(s->maker, s->gathered, n);
    return n == 0 || set_holds(s, &p->sets[0], &group);
}

static bool suppress_smallest_of_part(mgl_suppressor *s, uint32_t *const *cells, size_t part)
{
    const mgl_classes *classes = &s->of_set[0];
    uint32_t least = MGL_NOT_FOUND;
    for (size_t i = s->part_start[part]; i < s->part_start[part + 1]; i++) {
        uint32_t c = classes->of_tuple[s->part_tuples[i]];
        if (s->tuples[s->part_tuples[i]] || c == least)
            continue;
        if (least == MGL_NOT_FOUND || classes->sizes[c] < classes->sizes[least] ||
            (classes->sizes[c] == classes->sizes[least] &&
             compare_released(s->problem, cells, classes->first[c], classes->first[least]) < 0))
            least = c;
    }
    for (size_t i = s->part_start[part]; i < s->part_start[part + 1]; i++)
        s->tuples[s->part_tuples[i]] |= classes->of_tuple[s->part_tuples[i]] == least;
    return least != MGL_NOT_FOUND;
}

/* With one quasi-identifier a class lies in one part, so that no part needs rows of another. */
static bool complement_parts(mgl_suppressor *s, uint32_t *const *cells)
{
    for (size_t part = 0; part < s->n_parts; part++)
        while (!part_holds(s, cells, part))
            if (!suppress_smallest_of_part(s, cells, part))
                return false;
    return true;
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
    out->holds = top_class_holds(s, cells);
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

/* The classes of the release on one quasi-identifier, in s->parts. Suppressed rows that are kept
 * are a class together with those that look like them, in each part of earlier releases. */
static size_t number_released(mgl_suppressor *s, size_t q, uint32_t *const *cells, bool top_too)
{
    const mgl_problem *p = s->problem;
    size_t n = p->list->n_tuples, n_classes = 0;
    memset(s->numbers, 0xff, (n + s->n_parts + 1) * sizeof *s->numbers);
    for (size_t t = 0; t < n; t++) {
        size_t number = s->of_set[q].of_tuple[t];
        if (top_too && (s->tuples[t] || is_top(p, q, cells, t)))
            number = n + (s->n_parts > 0 ? p->parts[t] : 0);
        s->parts[t] = MGL_NOT_FOUND;
        if (s->tuples[t] && !top_too)
            continue;
        if (s->numbers[number] == MGL_NOT_FOUND)
            s->numbers[number] = (uint32_t)n_classes++;
        s->parts[t] = s->numbers[number];
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
        begin_groups(s, n_classes);
        for (size_t c = 0; c < n_classes; c++)
            s->matching[n++] = make_group(s, c, 0).size;
        mgl_class_sizes sizes = {s->matching, n};
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
    size_t m = p->list->n_attributes, one_more = s->n_parts > 0 ? 1 : 0;
    memcpy(s->cells, cells, m * sizeof *cells);
    for (size_t q = 0; q < p->n_sets; q++)
        mgl_classes_group(&s->of_set[q], s->cells, s->n_values, s->attributes[q],
                          p->sets[q].n_attributes + one_more, p->list->counts);
    if (p->n_sets > 1)
        mgl_classes_group(&s->whole, s->cells, s->n_values, NULL, m + one_more, p->list->counts);
    bool top_node = p->treatment == MGL_EXEMPT && suppress_tops(s, cells);
    uint64_t before = p->list->regrouped ? suppressed_rows(s) : 0; /* because of where they are */
    suppress_until_all_hold(s, cells);
    uint64_t rows = suppressed_rows(s);
    *out = (mgl_suppression){.holds = true, .violating = rows - before, .tuples = s->tuples};
    if (p->treatment == MGL_KEEP && rows > 0) {
        if (s->n_parts > 0 && p->n_sets == 1)
            out->holds = complement_parts(s, cells);
        while (out->holds && !top_class_holds(s, cells)) {
            out->holds = suppress_smallest(s, cells);
            if (p->n_sets > 1)
                suppress_until_all_hold(s, cells);
        }
        rows = suppressed_rows(s);
    }
    if (p->treatment == MGL_DROP && rows == p->list->n_rows)
        out->holds = false; /* nothing would be released */
    out->rows = rows;
    /* Of the top node, earlier releases may tell a part apart that violates a model. */
    if (p->treatment == MGL_EXEMPT &&
        (rows == p->list->n_rows || (top_node && (rows > 0 || !mgl_levels_allow_top(p)))))
        judge_all_at_top(s, cells, top_node, out);
    out->holds = out->holds && table_models_hold(s, cells, rows);
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
