/* Judges a recoding, class by class, on every quasi-identifier or combination of columns. */
#include "search/node/matching_rows.h"
#include "search/node/node.h"

typedef struct judge {
    const mgl_problem *problem;
    const mgl_classes *known; /* of all columns; NULL: not known */
    uint32_t *n_values;       /* [a] */
    mgl_classes own;          /* of other columns; no room for them before the first of these */
    uint32_t *group_of;       /* [n_tuples] its class, or MGL_NOT_FOUND if it is left out */
    mgl_group_maker *maker;
    mgl_joiner *joiner; /* NULL: rows are looked at one by one */
    mgl_population *population;
    uint64_t *matching; /* [n_tuples] per class; NULL: no population */
    uint64_t *sizes;    /* [n_tuples] of the classes that are judged */
    uint64_t *weights;  /* [n_tuples] what they have as their population */
    uint32_t *number;   /* [n_tuples] which classes these are */
    uint8_t *violates;  /* [n_tuples] per class */
    uint8_t
        *failing; /* becomes 1 for tuples of classes that violate a model; NULL: not asked for */
    mgl_owned memory;
} judge;

static mgl_status take_population(judge *j, mgl_error *err)
{
    const mgl_problem *p = j->problem;
    if (p->population == NULL)
        return MGL_OK;
    j->matching = mgl_own_zeroed(&j->memory, p->list->n_tuples, sizeof *j->matching);
    MGL_TRY(mgl_owned_check(&j->memory, err));
    return mgl_population_new(p, err, &j->population);
}

static mgl_status begin(judge *j, mgl_error *err)
{
    const mgl_problem *p = j->problem;
    size_t n = p->list->n_attributes, n_tuples = p->list->n_tuples;
    j->n_values = mgl_own_array(&j->memory, n, sizeof *j->n_values);
    j->group_of = mgl_own_array(&j->memory, n_tuples, sizeof *j->group_of);
    j->sizes = mgl_own_array(&j->memory, n_tuples, sizeof *j->sizes);
    j->weights = mgl_own_array(&j->memory, n_tuples, sizeof *j->weights);
    j->number = mgl_own_array(&j->memory, n_tuples, sizeof *j->number);
    j->violates = mgl_own_array(&j->memory, n_tuples, sizeof *j->violates);
    MGL_TRY(mgl_owned_check(&j->memory, err));
    for (size_t a = 0; a < n; a++)
        j->n_values[a] = p->columns[a]->n_values;
    MGL_TRY(mgl_group_maker_new(p->list, err, &j->maker));
    if (p->list->joined != NULL)
        MGL_TRY(mgl_joiner_new(p->list, err, &j->joiner));
    return take_population(j, err);
}

static mgl_status find_classes(judge *j, const mgl_quasi_set *set, const mgl_recoding *recoding,
                               mgl_error *err, const mgl_classes **out)
{
    const mgl_frequency_list *list = j->problem->list;
    *out = j->known;
    if (j->known != NULL && j->joiner == NULL && set->n_attributes == list->n_attributes)
        return MGL_OK;
    if (j->own.of_tuple == NULL)
        MGL_TRY(mgl_classes_init(&j->own, list->n_tuples, list->n_attributes, err));
    mgl_classes_group(&j->own, recoding->cells, j->n_values, set->attributes, set->n_attributes,
                      list->counts);
    if (j->joiner != NULL)
        mgl_classes_join(j->joiner, &j->own);
    *out = &j->own;
    return MGL_OK;
}

/* What is suppressed: a class like any other if they are kept, or none. */
static void partition(judge *j, const mgl_recoding *recoding, const mgl_classes *classes)
{
    bool kept = j->problem->treatment == MGL_KEEP;
    uint64_t *rows = mgl_group_maker_rows(j->maker);
    if (rows != NULL && j->failing == NULL) {
        /* Where a class is a number of rows, that is what it has less what is suppressed. */
        memcpy(rows, classes->sizes, classes->n_classes * sizeof *rows);
        for (size_t t = 0; j->problem->treatment != MGL_KEEP && t < recoding->n_tuples; t++)
            if (recoding->suppressed[t])
                rows[classes->of_tuple[t]] -= j->problem->list->counts[t];
        return;
    }
    for (size_t t = 0; t < recoding->n_tuples; t++)
        j->group_of[t] = recoding->suppressed[t] && !kept ? MGL_NOT_FOUND : classes->of_tuple[t];
    mgl_group_maker_partition(j->maker, j->group_of, classes->n_classes);
}

/* Judges one class, and notes its size and population; true if it violates a model and that was
 * asked for. */
static bool judge_class(judge *j, const mgl_quasi_set *set, size_t c, mgl_found *found,
                        size_t *n_sizes)
{
    mgl_group group = *mgl_group_maker_group(j->maker, c);
    bool violates = false;
    if (j->matching != NULL)
        group.population = j->matching[c];
    for (size_t m = 0; group.size > 0 && m < set->n_models; m++)
        if (set->models[m].type->scope == MGL_SCOPE_CLASS) {
            violates =
                violates || (j->failing != NULL && !mgl_model_holds(&set->models[m], &group));
            mgl_found_add(&found[m], &set->models[m], &group);
        }
    if (group.size > 0) {
        j->weights[*n_sizes] = group.population;
        j->number[*n_sizes] = (uint32_t)c;
        j->sizes[(*n_sizes)++] = group.size;
    }
    return violates;
}

static mgl_class_sizes judge_classes(judge *j, const mgl_quasi_set *set, size_t n_classes,
                                     mgl_found *found)
{
    mgl_class_sizes sizes = {j->sizes, 0, j->weights};
    for (size_t c = 0; c < n_classes; c++)
        j->violates[c] = judge_class(j, set, c, found, &sizes.n);
    return sizes;
}

/* Models of the whole table are judged on each stratum by itself. The tuples of a stratum lie side
 * by side, and so do its classes. */
static void judge_tables(const judge *j, const mgl_quasi_set *set, const mgl_recoding *recoding,
                         const mgl_classes *classes, mgl_class_sizes all, mgl_found *found)
{
    for (size_t from = 0, to; from < all.n; from = to) {
        size_t first = classes->first[j->number[from]];
        to = from + 1;
        while (to < all.n &&
               mgl_recoding_same_stratum(recoding, first, classes->first[j->number[to]]))
            to++;
        mgl_class_sizes sizes = {all.sizes + from, to - from, all.population + from};
        for (size_t m = 0; m < set->n_models; m++)
            if (set->models[m].type->scope == MGL_SCOPE_TABLE) {
                mgl_found one = MGL_FOUND_NOTHING;
                mgl_found_judge_table(&one, &set->models[m], &sizes);
                mgl_found_join(&found[m], &one, &set->models[m]);
            }
    }
}

static mgl_status judge_set(judge *j, const mgl_quasi_set *set, const mgl_recoding *recoding,
                            mgl_error *err, mgl_found *found)
{
    const mgl_classes *classes;
    MGL_TRY(find_classes(j, set, recoding, err, &classes));
    if (j->population != NULL)
        mgl_population_match(j->population, set, classes, recoding->cells, j->matching);
    partition(j, recoding, classes);
    for (size_t m = 0; m < set->n_models; m++)
        found[m] = MGL_FOUND_NOTHING;
    mgl_class_sizes sizes = judge_classes(j, set, classes->n_classes, found);
    for (size_t t = 0; j->failing != NULL && t < recoding->n_tuples; t++)
        if (j->group_of[t] != MGL_NOT_FOUND)
            j->failing[t] |= j->violates[j->group_of[t]];
    if (mgl_held_columns(recoding->columns, recoding->n_attributes) > 0) {
        judge_tables(j, set, recoding, classes, sizes, found);
        return MGL_OK;
    }
    for (size_t m = 0; m < set->n_models; m++)
        if (set->models[m].type->scope == MGL_SCOPE_TABLE)
            mgl_found_judge_table(&found[m], &set->models[m], &sizes);
    return MGL_OK;
}

static mgl_status judge_columns(judge *j, const mgl_quasi_set *set, const mgl_recoding *recoding,
                                mgl_error *err, mgl_found *found)
{
    if (j->problem->counting.tops_match)
        return mgl_match_judge(j->problem, recoding, set, err, found, j->failing);
    return judge_set(j, set, recoding, err, found);
}

/* A set of columns of which some are taken at a time. */
typedef struct combination {
    const mgl_quasi_set *set;
    const mgl_recoding *recoding;
    uint32_t *attributes; /* [set->n_attributes] those of some */
    mgl_quasi_set some;
    size_t size;          /* columns of a combination */
    mgl_found *one, *all; /* [set->n_models] of some, and the worst of all */
} combination;

/* Combinations in which the columns from `from` on are still to be chosen. */
static mgl_status judge_rest(judge *j, combination *c, size_t from, mgl_error *err)
{
    const mgl_quasi_set *set = c->set;
    size_t wanted = c->size - c->some.n_attributes;
    if (wanted == 0) {
        MGL_TRY(judge_columns(j, &c->some, c->recoding, err, c->one));
        for (size_t m = 0; m < set->n_models; m++)
            mgl_found_worsen(&c->all[m], &c->one[m], &set->models[m]);
        return MGL_OK;
    }
    for (size_t i = from; i + wanted <= set->n_attributes; i++) {
        c->attributes[c->some.n_attributes++] = set->attributes[i];
        mgl_status status = judge_rest(j, c, i + 1, err);
        c->some.n_attributes--;
        MGL_TRY(status);
    }
    return MGL_OK;
}

static mgl_status judge_combinations(judge *j, const mgl_quasi_set *set,
                                     const mgl_recoding *recoding, mgl_error *err, mgl_found *found)
{
    uint32_t *attributes = mgl_alloc_array(set->n_attributes, sizeof *attributes);
    mgl_found *one = mgl_alloc_array(set->n_models, sizeof *one);
    combination c = {
        .set = set,
        .recoding = recoding,
        .attributes = attributes,
        .some = {.attributes = attributes, .models = set->models, .n_models = set->n_models},
        .one = one,
        .all = found};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(attributes != NULL && one != NULL, err));
    /* Columns of strata, which come first, are in every combination. */
    c.some.n_attributes = mgl_held_columns(recoding->columns, recoding->n_attributes);
    c.size = c.some.n_attributes + j->problem->counting.columns;
    for (size_t i = 0; i < c.some.n_attributes; i++)
        attributes[i] = set->attributes[i];
    for (size_t m = 0; m < set->n_models; m++)
        found[m] = MGL_FOUND_NOTHING;
    MGL_GO(judge_rest(j, &c, c.some.n_attributes, err));
done:
    mgl_free(attributes);
    mgl_free(one);
    return status;
}

/* All sets, one after the other. */
static mgl_status judge_sets(judge *j, const mgl_recoding *recoding, mgl_error *err,
                             mgl_found *found)
{
    const mgl_problem *p = j->problem;
    MGL_TRY(begin(j, err));
    for (size_t q = 0; q < p->n_sets; q++) {
        const mgl_quasi_set *set = &p->sets[q];
        size_t columns = p->counting.columns;
        size_t others = set->n_attributes - mgl_held_columns(p->columns, p->list->n_attributes);
        MGL_TRY(columns > 0 && columns < others ? judge_combinations(j, set, recoding, err, found)
                                                : judge_columns(j, set, recoding, err, found));
        found += set->n_models;
    }
    return MGL_OK;
}

static mgl_status run_judge(judge j, const mgl_problem *problem, const mgl_recoding *recoding,
                            mgl_error *err, mgl_found *found)
{
    mgl_problem with = *problem;
    with.columns = recoding->columns;
    j.problem = &with;
    mgl_status status = judge_sets(&j, recoding, err, found);
    mgl_population_free(j.population);
    mgl_group_maker_free(j.maker);
    mgl_joiner_free(j.joiner);
    mgl_classes_free(&j.own);
    mgl_owned_free(&j.memory);
    return status;
}

mgl_status mgl_judge_tuples(const mgl_problem *problem, const mgl_recoding *recoding,
                            mgl_error *err, mgl_found *found, uint8_t *failing)
{
    return run_judge((judge){.failing = failing}, problem, recoding, err, found);
}

mgl_status mgl_judge_recoding(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, mgl_found *found)
{
    return mgl_judge_tuples(problem, recoding, err, found, NULL);
}

mgl_status mgl_judge_classes(const mgl_problem *problem, const mgl_recoding *recoding,
                             const mgl_classes *classes, mgl_error *err, mgl_found *found)
{
    return run_judge((judge){.known = classes}, problem, recoding, err, found);
}

mgl_status mgl_recoding_holds(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, bool *out)
{
    size_t n = 0;
    for (size_t q = 0; q < problem->n_sets; q++)
        n += problem->sets[q].n_models;
    mgl_found *found = mgl_zeroed_array(n, sizeof *found);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(found != NULL, err));
    MGL_GO(mgl_judge_recoding(problem, recoding, err, found));
    *out = true;
    for (size_t i = 0; i < n; i++)
        *out = *out && found[i].holds;
done:
    mgl_free(found);
    return status;
}
