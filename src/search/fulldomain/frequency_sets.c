/* Rolls frequency sets up along the lattice of some columns, and judges them. */
#include "search/fulldomain/incognito.h"
#include "search/node/node.h"

struct mgl_set_maker {
    const mgl_problem *problem;
    mgl_frequency_set tuples; /* each a class, at level 0 */
    mgl_classes classes;
    uint32_t **rolled;       /* [n_attributes][n_tuples] */
    uint32_t **cells;        /* [n_attributes] what is grouped: rolled up, or as it was */
    uint32_t *n_values;      /* [n_attributes] */
    mgl_group_maker *groups; /* NULL: all models look at sizes only */
    mgl_population *matches; /* NULL: no model looks at it */
    uint64_t *matching;      /* [n_tuples] */
    uint32_t *first;         /* [n_tuples] 0, 1, ... */
    mgl_joiner *joiner;      /* NULL: rows are looked at one by one */
    mgl_classes joined;      /* of the set at hand, otherwise */
    bool some_stay;          /* not all rows may be suppressed, whatever the limit */
    mgl_owned own;
};

static bool looks_into_classes(const mgl_problem *p)
{
    return p->list->persons != NULL || mgl_models_of(&p->sets[0]) & MGL_SOME_SEE_HISTOGRAMS;
}

mgl_status mgl_frequency_set_init(mgl_frequency_set *set, const mgl_problem *p, mgl_error *err)
{
    size_t m = p->list->n_attributes;
    *set = (mgl_frequency_set){0};
    set->cells = mgl_zeroed_array(m, sizeof *set->cells);
    set->levels = mgl_zeroed_array(m, sizeof *set->levels);
    if (looks_into_classes(p))
        set->of_tuple = mgl_alloc_array(p->list->n_tuples, sizeof *set->of_tuple);
    if (set->cells == NULL || set->levels == NULL ||
        (looks_into_classes(p) && set->of_tuple == NULL)) {
        mgl_frequency_set_free(set, p);
        return mgl_fail_memory(err);
    }
    return MGL_OK;
}

void mgl_frequency_set_free(mgl_frequency_set *set, const mgl_problem *p)
{
    for (size_t a = 0; set->cells != NULL && a < p->list->n_attributes; a++)
        mgl_free(set->cells[a]);
    mgl_free(set->cells);
    mgl_free(set->levels);
    mgl_free(set->rows);
    mgl_free(set->of_tuple);
    *set = (mgl_frequency_set){0};
}

/* Room for n classes; what the set held is gone. */
static bool make_room(mgl_frequency_set *set, const mgl_problem *p, size_t n)
{
    set->n = 0;
    if (n <= set->capacity)
        return true;
    set->capacity = 0;
    mgl_free(set->rows);
    set->rows = mgl_alloc_array(n, sizeof *set->rows);
    bool whole = set->rows != NULL;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        mgl_free(set->cells[a]);
        set->cells[a] = whole ? mgl_alloc_array(n, sizeof **set->cells) : NULL;
        whole = whole && set->cells[a] != NULL;
    }
    set->capacity = whole ? n : 0;
    return whole;
}

static bool take_tuples(mgl_set_maker *maker)
{
    const mgl_problem *p = maker->problem;
    mgl_frequency_set *set = &maker->tuples;
    size_t n = p->list->n_tuples;
    if (!make_room(set, p, n))
        return false;
    set->n = n;
    memcpy(set->rows, p->list->counts, n * sizeof *set->rows);
    for (size_t a = 0; a < p->list->n_attributes; a++)
        for (size_t t = 0; t < n; t++)
            set->cells[a][t] = p->columns[a]->of_leaf[0][mgl_list_leaf(p->list, t, a)];
    for (size_t t = 0; set->of_tuple != NULL && t < n; t++)
        set->of_tuple[t] = (uint32_t)t;
    return true;
}

static mgl_status build(mgl_set_maker *maker, mgl_error *err)
{
    const mgl_problem *p = maker->problem;
    size_t n = p->list->n_tuples, m = p->list->n_attributes;
    maker->rolled = mgl_own_rows(&maker->own, m, n, sizeof **maker->rolled);
    maker->cells = mgl_own_zeroed(&maker->own, m, sizeof *maker->cells);
    maker->n_values = mgl_own_array(&maker->own, m, sizeof *maker->n_values);
    maker->matching = mgl_own_zeroed(&maker->own, n, sizeof *maker->matching);
    maker->first = mgl_own_array(&maker->own, n, sizeof *maker->first);
    MGL_TRY(mgl_owned_check(&maker->own, err));
    for (size_t t = 0; t < n; t++)
        maker->first[t] = (uint32_t)t;
    for (size_t a = 0; a < m; a++)
        maker->n_values[a] = p->columns[a]->n_values;
    MGL_TRY(mgl_classes_init(&maker->classes, n, m, err));
    MGL_TRY(mgl_frequency_set_init(&maker->tuples, p, err));
    MGL_TRY(mgl_check_memory(take_tuples(maker), err));
    if (looks_into_classes(p))
        MGL_TRY(mgl_group_maker_new(p->list, err, &maker->groups));
    if (p->list->joined != NULL) {
        MGL_TRY(mgl_classes_init(&maker->joined, n, 1, err));
        MGL_TRY(mgl_joiner_new(p->list, err, &maker->joiner));
    }
    bool looks = mgl_models_of(&p->sets[0]) & MGL_SOME_SEE_POPULATION;
    return looks ? mgl_population_new(p, err, &maker->matches) : MGL_OK;
}

mgl_status mgl_set_maker_new(const mgl_problem *problem, mgl_error *err, mgl_set_maker **out)
{
    mgl_set_maker *maker;
    MGL_TRY(mgl_new_zeroed(1, sizeof *maker, err, &maker));
    maker->problem = problem;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_some_must_stay(problem, err, &maker->some_stay));
    MGL_GO(build(maker, err));
    *out = maker;
    maker = NULL;
done:
    mgl_set_maker_free(maker);
    return status;
}

void mgl_set_maker_free(mgl_set_maker *maker)
{
    if (maker == NULL)
        return;
    mgl_frequency_set_free(&maker->tuples, maker->problem);
    mgl_classes_free(&maker->classes);
    mgl_group_maker_free(maker->groups);
    mgl_joiner_free(maker->joiner);
    mgl_classes_free(&maker->joined);
    mgl_population_free(maker->matches);
    mgl_owned_free(&maker->own);
    mgl_free(maker);
}

/* The cells of a column at a higher level. A value is found again by any of its leaves. */
static void roll_column(mgl_set_maker *maker, const mgl_frequency_set *from, uint32_t a,
                        uint32_t level)
{
    const mgl_released_column *column = maker->problem->columns[a];
    if (from->levels[a] == level) {
        maker->cells[a] = from->cells[a];
        return;
    }
    for (size_t c = 0; c < from->n; c++)
        maker->rolled[a][c] = column->of_leaf[level][column->values[from->cells[a][c]].first_leaf];
    maker->cells[a] = maker->rolled[a];
}

mgl_status mgl_frequency_set_roll_up(mgl_set_maker *maker, const mgl_frequency_set *from,
                                     const uint32_t *columns, size_t n, const uint32_t *levels,
                                     mgl_error *err, mgl_frequency_set *to)
{
    const mgl_problem *p = maker->problem;
    mgl_classes *classes = &maker->classes;
    if (from == NULL)
        from = &maker->tuples;
    for (size_t i = 0; i < n; i++)
        roll_column(maker, from, columns[i], levels[columns[i]]);
    mgl_classes_fit(classes, from->n);
    mgl_classes_group(classes, maker->cells, maker->n_values, columns, n, from->rows);
    MGL_TRY(mgl_check_memory(make_room(to, p, classes->n_classes), err));
    to->n = classes->n_classes;
    memcpy(to->rows, classes->sizes, to->n * sizeof *to->rows);
    for (size_t i = 0; i < n; i++) {
        uint32_t a = columns[i];
        to->levels[a] = levels[a];
        for (size_t c = 0; c < to->n; c++)
            to->cells[a][c] = maker->cells[a][classes->first[c]];
    }
    for (size_t t = 0; to->of_tuple != NULL && t < p->list->n_tuples; t++)
        to->of_tuple[t] = classes->of_tuple[from->of_tuple[t]];
    return MGL_OK;
}

/* The classes that are judged: those of the set, or joined ones. */
static mgl_classes judged_classes(mgl_set_maker *maker, const mgl_frequency_set *set)
{
    size_t n = maker->problem->list->n_tuples;
    if (maker->joiner == NULL)
        return (mgl_classes){.n_classes = set->n, .of_tuple = set->of_tuple, .sizes = set->rows};
    memcpy(maker->joined.of_tuple, set->of_tuple, n * sizeof *set->of_tuple);
    maker->joined.n_classes = set->n;
    mgl_classes_join(maker->joiner, &maker->joined);
    return maker->joined;
}

static bool class_holds(mgl_set_maker *maker, uint64_t rows, size_t c)
{
    mgl_group group = {.size = rows, .rows = rows};
    if (maker->groups != NULL)
        group = *mgl_group_maker_group(maker->groups, c);
    if (maker->matches != NULL)
        group.population = maker->matching[c];
    return mgl_set_holds(&maker->problem->sets[0], &group);
}

bool mgl_frequency_set_holds(mgl_set_maker *maker, const mgl_frequency_set *set,
                             const uint32_t *columns, size_t n)
{
    const mgl_problem *p = maker->problem;
    uint64_t violating = 0;
    mgl_classes judged = judged_classes(maker, set);
    if (maker->groups != NULL)
        mgl_group_maker_partition(maker->groups, judged.of_tuple, judged.n_classes);
    if (maker->matches != NULL) {
        mgl_quasi_set quasi = {.attributes = columns, .n_attributes = n};
        mgl_classes classes = {.n_classes = set->n, .first = maker->first};
        mgl_population_match(maker->matches, &quasi, &classes, set->cells, maker->matching);
    }
    for (size_t c = 0; c < judged.n_classes && violating <= p->limit; c++)
        violating += class_holds(maker, judged.sizes[c], c) ? 0 : judged.sizes[c];
    bool nothing_left = maker->some_stay && violating == p->list->n_rows;
    return violating <= p->limit && !nothing_left;
}
