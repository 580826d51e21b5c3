/* A release whose classes hold on all columns holds on fewer of them, too, but suppresses more than
 * that needs. So all its cells are released first, and a tuple that is in a class that violates a
 * model on some combination gets the cells of its class suppressed again, until nothing is
 * violated. That, or what comes of suppressing single cells in rounds, whichever costs less; then
 * single columns of its classes are released where that works. */
#include "search/local/patterns.h"
#include "search/node/node.h"

typedef struct combined {
    const mgl_problem *problem;
    const uint32_t *sets; /* [n_sets] columns */
    size_t n_sets;
    mgl_recoding *recoding; /* that is judged */
    uint8_t *violating;     /* [t] 1: in a class that violates a model */
    mgl_classes classes;    /* on the combination judged last */
    /* Of judging. */
    uint32_t *n_values; /* [a] */
    uint8_t *bad;       /* [class] */
    mgl_group_maker *maker;
    mgl_population *population;           /* NULL: no model looks at it */
    uint64_t *matching, *sizes, *weights; /* [n] */
    mgl_owned own;
} combined;

/* What the cell is if it is not suppressed. */
static inline uint32_t ground(const combined *c, size_t t, size_t a)
{
    const mgl_problem *p = c->problem;
    return p->columns[a]->of_leaf[p->min_level[a]][mgl_list_leaf(p->list, t, a)];
}

#define TRY_WORK 300000000 /* tuples looked at for single columns */

/* End with combined_end, also on failure. */
static mgl_status combined_begin(combined *c, const mgl_problem *p, const uint32_t *sets,
                                 size_t n_sets, mgl_recoding *recoding, mgl_error *err)
{
    size_t m = p->list->n_attributes, n = p->list->n_tuples;
    *c = (combined){.problem = p, .sets = sets, .n_sets = n_sets, .recoding = recoding};
    c->violating = mgl_own_zeroed(&c->own, n, 1);
    c->n_values = mgl_own_array(&c->own, m, sizeof *c->n_values);
    c->bad = mgl_own_array(&c->own, n, 1);
    c->matching = mgl_own_zeroed(&c->own, n, sizeof *c->matching);
    c->sizes = mgl_own_array(&c->own, n, sizeof *c->sizes);
    c->weights = mgl_own_array(&c->own, n, sizeof *c->weights);
    MGL_TRY(mgl_owned_check(&c->own, err));
    for (size_t a = 0; a < m; a++)
        c->n_values[a] = p->columns[a]->n_values;
    MGL_TRY(mgl_classes_init(&c->classes, n, m, err));
    MGL_TRY(mgl_group_maker_new(p->list, err, &c->maker));
    return p->population != NULL ? mgl_population_new(p, err, &c->population) : MGL_OK;
}

static bool class_holds(const combined *c, size_t k)
{
    mgl_group group = *mgl_group_maker_group(c->maker, k);
    if (c->population != NULL)
        group.population = c->matching[k];
    return group.rows == 0 || mgl_set_holds(c->problem->sets, &group);
}

static bool table_holds(combined *c)
{
    const mgl_quasi_set *set = &c->problem->sets[0];
    mgl_class_sizes sizes = {c->sizes, 0, c->weights};
    for (size_t k = 0; k < c->classes.n_classes; k++) {
        const mgl_group *group = mgl_group_maker_group(c->maker, k);
        c->weights[sizes.n] = group->population;
        c->sizes[sizes.n] = group->size;
        sizes.n += group->size > 0;
    }
    for (size_t i = 0; sizes.n > 0 && i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_TABLE &&
            !set->models[i].type->table_holds(&set->models[i], &sizes))
            return false;
    return true;
}

/* Marks further tuples in classes that violate a model on one combination; true if there are any,
 * or if a model of the whole table does not hold. */
static bool violates(combined *c, uint32_t columns)
{
    const mgl_problem *p = c->problem;
    uint32_t attributes[MGL_LOCAL_COLUMNS];
    mgl_quasi_set set = {.attributes = attributes};
    for (uint32_t a = 0; a < p->list->n_attributes; a++)
        if (columns >> a & 1)
            attributes[set.n_attributes++] = a;
    mgl_classes_group(&c->classes, c->recoding->cells, c->n_values, attributes, set.n_attributes,
                      p->list->counts);
    if (c->population != NULL)
        mgl_population_match(c->population, &set, &c->classes, c->recoding->cells, c->matching);
    for (size_t t = 0; t < c->recoding->n_tuples && c->problem->treatment != MGL_KEEP; t++)
        if (c->recoding->suppressed[t])
            c->classes.of_tuple[t] = MGL_NOT_FOUND;
    mgl_group_maker_partition(c->maker, c->classes.of_tuple, c->classes.n_classes);
    bool any = false;
    for (size_t k = 0; k < c->classes.n_classes; k++) {
        c->bad[k] = !class_holds(c, k);
        any = any || c->bad[k];
    }
    for (size_t t = 0; any && t < c->recoding->n_tuples; t++)
        if (c->classes.of_tuple[t] != MGL_NOT_FOUND && c->bad[c->classes.of_tuple[t]])
            c->violating[t] = 1;
    return !table_holds(c) || any;
}

static bool violates_any(combined *c)
{
    bool any = false;
    memset(c->violating, 0, c->recoding->n_tuples);
    for (size_t i = 0; i < c->n_sets; i++)
        any = violates(c, c->sets[i]) || any;
    return any;
}

/* Nothing suppressed. */
static void restore_all(combined *c)
{
    for (size_t t = 0; t < c->recoding->n_tuples; t++) {
        bool all = true;
        for (size_t a = 0; a < c->recoding->n_attributes; a++) {
            c->recoding->cells[a][t] = ground(c, t, a);
            all = all && c->recoding->cells[a][t] == c->problem->columns[a]->top;
        }
        c->recoding->suppressed[t] = all; /* as it reads */
    }
}

/* In rounds: classes are counted on every combination, and each tuple in one that violates a model
 * loses the cell that is in most of these for its importance. Where nothing but suppressed cells
 * are left of a class and they are too few, the smallest other class joins it. */

typedef struct rounds {
    combined *c;
    uint32_t *scores; /* [t * m + a] violating combinations that the cell is in */
    size_t m;
    bool changed;
} rounds;

static bool is_free(const rounds *r, size_t a)
{
    const mgl_problem *p = r->c->problem;
    return p->max_level[a] == p->columns[a]->hierarchy->height;
}

static bool is_top(const rounds *r, size_t t, size_t a)
{
    return r->c->recoding->cells[a][t] == r->c->problem->columns[a]->top;
}

/* A row that reads as the top is a suppressed one. */
static void suppress_cell(rounds *r, size_t t, size_t a)
{
    mgl_recoding *recoding = r->c->recoding;
    bool all = true;
    recoding->cells[a][t] = r->c->problem->columns[a]->top;
    for (size_t b = 0; b < r->m; b++)
        all = all && is_top(r, t, b);
    recoding->suppressed[t] = all;
    r->changed = true;
}

/* Scores the cells of tuples that violate on this combination. False if there is a class of nothing
 * but suppressed cells among them. */
static bool score(rounds *r, uint32_t columns)
{
    bool cells_left = true;
    for (size_t t = 0; t < r->c->recoding->n_tuples; t++) {
        bool any = false, all = true;
        if (!r->c->violating[t])
            continue;
        for (size_t a = 0; a < r->m; a++) {
            if ((columns >> a & 1) == 0 || is_top(r, t, a))
                continue;
            all = false;
            any = any || is_free(r, a);
            r->scores[t * r->m + a] += is_free(r, a);
        }
        cells_left = cells_left && !all;
        if (!any && !all) { /* its cells may not be suppressed alone */
            mgl_recoding_suppress(r->c->recoding, t);
            r->changed = true;
        }
    }
    return cells_left;
}

/* The smallest class that is not at the top everywhere here. */
static void add_company(rounds *r, uint32_t columns)
{
    const mgl_classes *classes = &r->c->classes;
    size_t best = SIZE_MAX;
    for (size_t k = 0; k < classes->n_classes; k++) {
        bool all = true;
        for (size_t a = 0; a < r->m; a++)
            all = all && ((columns >> a & 1) == 0 || is_top(r, classes->first[k], a));
        if (!all && (best == SIZE_MAX || classes->sizes[k] < classes->sizes[best]))
            best = k;
    }
    for (size_t t = 0; best != SIZE_MAX && t < r->c->recoding->n_tuples; t++) {
        if (classes->of_tuple[t] != best)
            continue;
        for (size_t a = 0; a < r->m; a++) {
            if ((columns >> a & 1) == 0 || is_top(r, t, a))
                continue;
            if (is_free(r, a)) {
                suppress_cell(r, t, a);
            } else {
                mgl_recoding_suppress(r->c->recoding, t);
                r->changed = true;
            }
        }
    }
}

static void suppress_best(rounds *r, size_t t)
{
    const double *importance = mgl_local_importance(r->c->problem);
    const uint32_t *scores = r->scores + t * r->m;
    size_t best = SIZE_MAX;
    for (size_t a = 0; a < r->m; a++)
        if (scores[a] > 0 && !is_top(r, t, a) &&
            (best == SIZE_MAX || scores[a] * importance[best] > scores[best] * importance[a]))
            best = a;
    if (best != SIZE_MAX)
        suppress_cell(r, t, best);
}

/* In every row in need the cell that is in most violating classes is suppressed, again and again.
 * False in *met if that does not lead to a release that holds. */
static mgl_status local_rounds(combined *c, mgl_error *err, bool *met)
{
    size_t n = c->recoding->n_tuples;
    rounds r = {.c = c, .m = c->recoding->n_attributes, .changed = true};
    mgl_status status = MGL_OK;
    r.scores = mgl_own_array(&c->own, n * r.m, sizeof *r.scores);
    MGL_TRY(mgl_owned_check(&c->own, err));
    restore_all(c);
    for (*met = false; status == MGL_OK && !*met && r.changed;) {
        r.changed = false;
        *met = true;
        memset(r.scores, 0, n * r.m * sizeof *r.scores);
        for (size_t i = 0; i < c->n_sets; i++) {
            memset(c->violating, 0, n);
            if (!violates(c, c->sets[i]))
                continue;
            *met = false;
            if (!score(&r, c->sets[i]))
                add_company(&r, c->sets[i]);
        }
        for (size_t t = 0; t < n; t++)
            suppress_best(&r, t);
        status = mgl_progress_report(c->problem->progress, "search", 0, 0, err);
    }
    return status;
}

typedef struct release {
    combined c;
    mgl_recoding *full; /* the one that holds on all columns */
    uint32_t *class_of; /* [t] of a release whose columns are tried */
    size_t n_classes;
    uint8_t *back; /* [class] 1: its cells are suppressed again */
    bool timed_out;
    mgl_owned own;
} release;

static void find_classes(release *r, const mgl_recoding *recoding)
{
    mgl_classes *classes = &r->c.classes;
    mgl_classes_group(classes, recoding->cells, r->c.n_values, NULL, recoding->n_attributes,
                      r->c.problem->list->counts);
    memcpy(r->class_of, classes->of_tuple, recoding->n_tuples * sizeof *r->class_of);
    r->n_classes = classes->n_classes;
}

static void copy_tuple(mgl_recoding *to, const mgl_recoding *from, size_t t)
{
    to->suppressed[t] = from->suppressed[t];
    for (size_t a = 0; a < to->n_attributes; a++)
        to->cells[a][t] = from->cells[a][t];
}

/* False if all classes are suppressed again already. */
static bool take_back(release *r)
{
    mgl_recoding *recoding = r->c.recoding;
    bool any = false;
    for (size_t t = 0; t < recoding->n_tuples; t++)
        if (r->c.violating[t] && !r->back[r->class_of[t]])
            r->back[r->class_of[t]] = any = true;
    for (size_t k = 0; !any && k < r->n_classes; k++)
        if (!r->back[k]) { /* no tuple is to blame */
            memset(r->back, 1, r->n_classes);
            any = true;
        }
    for (size_t t = 0; any && t < recoding->n_tuples; t++)
        if (r->back[r->class_of[t]])
            copy_tuple(recoding, r->full, t);
    return any;
}

static mgl_status use_full(release *r, mgl_error *err, bool *met)
{
    *met = true;
    restore_all(&r->c);
    find_classes(r, r->full);
    memset(r->back, 0, r->n_classes);
    while (*met && violates_any(&r->c)) {
        MGL_TRY(mgl_progress_report(r->c.problem->progress, "search", 0, 0, err));
        *met = take_back(r);
    }
    return MGL_OK;
}

static void set_column(release *r, size_t tuple, size_t a, bool suppressed)
{
    mgl_recoding *recoding = r->c.recoding;
    for (size_t t = tuple; t < recoding->n_tuples; t++)
        if (r->class_of[t] == r->class_of[tuple])
            recoding->cells[a][t] =
                suppressed ? r->c.problem->columns[a]->top : ground(&r->c, t, a);
}

static mgl_status try_columns(release *r, mgl_error *err)
{
    const mgl_problem *p = r->c.problem;
    mgl_recoding *recoding = r->c.recoding;
    uint64_t work = 0, step = recoding->n_tuples * (r->c.n_sets + 1);
    find_classes(r, recoding);
    memset(r->back, 0, r->n_classes);
    for (size_t t = 0; t < recoding->n_tuples; t++) {
        if (r->back[r->class_of[t]] || recoding->suppressed[t])
            continue;
        r->back[r->class_of[t]] = 1; /* each class once */
        for (size_t a = 0; a < recoding->n_attributes && work + step < TRY_WORK; a++) {
            if (recoding->cells[a][t] == ground(&r->c, t, a))
                continue;
            MGL_TRY(mgl_progress_report(p->progress, "search", work, TRY_WORK, err));
            r->timed_out = mgl_problem_is_late(p);
            if (r->timed_out)
                return MGL_OK;
            work += step;
            set_column(r, t, a, false);
            if (violates_any(&r->c))
                set_column(r, t, a, true);
        }
    }
    return MGL_OK;
}

static double cost(const release *r, const mgl_recoding *recoding)
{
    const mgl_problem *p = r->c.problem;
    double sum = 0;
    for (size_t t = 0; t < recoding->n_tuples; t++)
        for (size_t a = 0; a < recoding->n_attributes; a++)
            if (recoding->cells[a][t] != ground(&r->c, t, a))
                sum += (double)p->list->counts[t] * mgl_local_importance(p)[a];
    return sum;
}

static mgl_status search(release *r, mgl_error *err, bool *met)
{
    mgl_recoding *recoding = r->c.recoding;
    bool in_rounds = false;
    for (size_t t = 0; t < recoding->n_tuples; t++)
        copy_tuple(r->full, recoding, t);
    MGL_TRY(use_full(r, err, met));
    double known = cost(r, recoding);
    for (size_t t = 0; t < recoding->n_tuples; t++)
        copy_tuple(r->full, recoding, t);
    MGL_TRY(local_rounds(&r->c, err, &in_rounds));
    if (*met && (!in_rounds || cost(r, recoding) >= known))
        for (size_t t = 0; t < recoding->n_tuples; t++)
            copy_tuple(recoding, r->full, t);
    *met = *met || in_rounds;
    return *met ? try_columns(r, err) : MGL_OK;
}

mgl_status mgl_local_combine(const mgl_problem *p, const uint32_t *sets, size_t n_sets,
                             mgl_solution *solution, mgl_error *err, bool *met)
{
    release r = {0};
    mgl_recoding *recoding = solution->recoding;
    mgl_status status = MGL_OK;
    MGL_GO(combined_begin(&r.c, p, sets, n_sets, recoding, err));
    MGL_GO(mgl_recoding_new(p->columns, recoding->n_attributes, recoding->n_tuples, err, &r.full));
    r.class_of = mgl_own_array(&r.own, recoding->n_tuples, sizeof *r.class_of);
    r.back = mgl_own_array(&r.own, recoding->n_tuples, 1);
    MGL_GO(mgl_owned_check(&r.own, err));
    MGL_GO(search(&r, err, met));
done:
    solution->timed_out = solution->timed_out || r.timed_out;
    mgl_owned_free(&r.c.own);
    mgl_classes_free(&r.c.classes);
    mgl_group_maker_free(r.c.maker);
    mgl_population_free(r.c.population);
    mgl_recoding_free(r.full);
    mgl_owned_free(&r.own);
    return status;
}
