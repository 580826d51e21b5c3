/* Judges a recoding, class by class, on every quasi-identifier or combination of columns.
 * `anonymize` calls it for dry runs, methods for what they made, the leak guard for what it put
 * back. */
#include "search/node/matching_rows.h"
#include "search/node/node.h"

typedef struct judge {
    const mgl_problem *problem;
    uint32_t *n_values; /* [a] */
    mgl_classes classes;
    mgl_group_maker *maker;
    mgl_population *population;
    uint64_t *matching; /* [n_tuples] */
    uint64_t *sizes;    /* [n_tuples] */
    uint8_t *violates;  /* [n_tuples] per class */
    uint8_t
        *failing; /* becomes 1 for tuples of classes that violate a model; NULL: not asked for */
} judge;

static mgl_status begin(judge *j, const mgl_problem *p, mgl_error *err)
{
    size_t n = p->list->n_attributes;
    *j = (judge){.problem = p};
    j->n_values = mgl_alloc_array(n, sizeof *j->n_values);
    j->matching = mgl_zeroed_array(p->list->n_tuples, sizeof *j->matching);
    j->sizes = mgl_zeroed_array(p->list->n_tuples, sizeof *j->sizes);
    j->violates = mgl_alloc_array(p->list->n_tuples, sizeof *j->violates);
    if (j->n_values == NULL || j->matching == NULL || j->sizes == NULL || j->violates == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < n; a++)
        j->n_values[a] = p->columns[a]->n_values;
    MGL_TRY(mgl_classes_init(&j->classes, p->list->n_tuples, n, err));
    MGL_TRY(mgl_group_maker_new(p->list, err, &j->maker));
    return p->population != NULL ? mgl_population_new(p, err, &j->population) : MGL_OK;
}

static void end(judge *j)
{
    mgl_population_free(j->population);
    mgl_group_maker_free(j->maker);
    mgl_classes_free(&j->classes);
    mgl_free(j->n_values);
    mgl_free(j->matching);
    mgl_free(j->sizes);
    mgl_free(j->violates);
}

/* What is suppressed: a class like any other if they are kept, or none. */
static void partition(judge *j, const mgl_recoding *recoding)
{
    for (size_t t = 0; t < recoding->n_tuples && j->problem->treatment != MGL_KEEP; t++)
        if (recoding->suppressed[t])
            j->classes.of_tuple[t] = MGL_NOT_FOUND;
    mgl_group_maker_partition(j->maker, j->classes.of_tuple, j->classes.n_classes);
}

/* Judges one class; true if it violates a model. */
static bool judge_class(judge *j, const mgl_quasi_set *set, size_t c, mgl_found *found)
{
    mgl_group group = *mgl_group_maker_group(j->maker, c);
    bool violates = false;
    group.population = j->matching[c];
    for (size_t m = 0; group.size > 0 && m < set->n_models; m++)
        if (set->models[m].type->scope == MGL_SCOPE_CLASS) {
            violates = violates || !mgl_model_holds(&set->models[m], &group);
            mgl_found_add(&found[m], &set->models[m], &group);
        }
    return violates;
}

static void judge_set(judge *j, const mgl_quasi_set *set, const mgl_recoding *recoding,
                      mgl_found *found)
{
    const mgl_problem *p = j->problem;
    mgl_classes_group(&j->classes, recoding->cells, j->n_values, set->attributes, set->n_attributes,
                      p->list->counts);
    if (j->population != NULL)
        mgl_population_match(j->population, set, &j->classes, recoding->cells, j->matching);
    partition(j, recoding);
    for (size_t m = 0; m < set->n_models; m++)
        found[m] = MGL_FOUND_NOTHING;
    for (size_t c = 0; c < j->classes.n_classes; c++)
        j->violates[c] = judge_class(j, set, c, found);
    for (size_t t = 0; j->failing != NULL && t < recoding->n_tuples; t++)
        if (j->classes.of_tuple[t] != MGL_NOT_FOUND)
            j->failing[t] |= j->violates[j->classes.of_tuple[t]];
    mgl_class_sizes sizes = {j->sizes, 0};
    for (size_t c = 0; c < j->classes.n_classes; c++) {
        uint64_t size = mgl_group_maker_group(j->maker, c)->size;
        if (size > 0)
            j->sizes[sizes.n++] = size;
    }
    for (size_t m = 0; m < set->n_models; m++)
        if (set->models[m].type->scope == MGL_SCOPE_TABLE)
            mgl_found_judge_table(&found[m], &set->models[m], &sizes);
}

/* ---- Combinations of columns ----------------------------------------------------------------- */

static mgl_status judge_columns(judge *j, const mgl_quasi_set *set, const mgl_recoding *recoding,
                                mgl_error *err, mgl_found *found)
{
    if (j->problem->counting.tops_match)
        return mgl_match_judge(j->problem, recoding, set, err, found, j->failing);
    judge_set(j, set, recoding, found);
    return MGL_OK;
}

/* A set of columns of which some are taken at a time. */
typedef struct combination {
    const mgl_quasi_set *set;
    const mgl_recoding *recoding;
    uint32_t *attributes; /* [set->n_attributes] those of some */
    mgl_quasi_set some;
    mgl_found *one, *all; /* [set->n_models] of some, and the worst of all */
} combination;

/* Combinations in which the columns from `from` on are still to be chosen. */
static mgl_status judge_rest(judge *j, combination *c, size_t from, mgl_error *err)
{
    const mgl_quasi_set *set = c->set;
    size_t wanted = j->problem->counting.columns - c->some.n_attributes;
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
    combination c = {set, recoding, attributes, {attributes, 0, set->models, set->n_models},
                     one, found};
    mgl_status status = MGL_OK;
    if (attributes == NULL || one == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t m = 0; m < set->n_models; m++)
        found[m] = MGL_FOUND_NOTHING;
    MGL_GO(judge_rest(j, &c, 0, err));
done:
    mgl_free(attributes);
    mgl_free(one);
    return status;
}

mgl_status mgl_judge_tuples(const mgl_problem *problem, const mgl_recoding *recoding,
                            mgl_error *err, mgl_found *found, uint8_t *failing)
{
    judge j;
    mgl_problem with = *problem;
    with.columns = recoding->columns;
    mgl_status status = begin(&j, &with, err);
    j.failing = failing;
    for (size_t q = 0; status == MGL_OK && q < problem->n_sets; q++) {
        const mgl_quasi_set *set = &problem->sets[q];
        size_t columns = problem->counting.columns;
        status = columns > 0 && columns < set->n_attributes
                     ? judge_combinations(&j, set, recoding, err, found)
                     : judge_columns(&j, set, recoding, err, found);
        found += problem->sets[q].n_models;
    }
    end(&j);
    return status;
}

mgl_status mgl_judge_recoding(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, mgl_found *found)
{
    return mgl_judge_tuples(problem, recoding, err, found, NULL);
}

mgl_status mgl_recoding_holds(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, bool *out)
{
    size_t n = problem->sets[0].n_models;
    mgl_found *found = mgl_alloc_array(n, sizeof *found);
    mgl_status status = MGL_OK;
    if (found == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_judge_recoding(problem, recoding, err, found));
    *out = true;
    for (size_t i = 0; i < n; i++)
        *out = *out && found[i].holds;
done:
    mgl_free(found);
    return status;
}
