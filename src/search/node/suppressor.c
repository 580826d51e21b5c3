/* Makes what suppress.c and complement.c suppress with: classes on each quasi-identifier, groups
 * that models judge, tuples by their pasts. */
#include "search/node/suppressor.h"

static bool needs_histograms(const mgl_problem *p)
{
    for (size_t q = 0; q < p->n_sets; q++)
        for (size_t m = 0; m < p->sets[q].n_models; m++)
            if (mgl_needs_histograms(p->sets[q].models[m].type) &&
                (p->pasts == NULL || p->sets[q].models[m].joint == NULL))
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

static void sort_by_past(mgl_suppressor *s)
{
    const uint32_t *pasts = s->problem->pasts;
    size_t n = s->problem->list->n_tuples;
    memset(s->past_start, 0, (s->n_pasts + 2) * sizeof *s->past_start);
    for (size_t t = 0; t < n; t++)
        s->past_start[pasts[t] + 2]++;
    for (size_t past = 0; past < s->n_pasts; past++)
        s->past_start[past + 2] += s->past_start[past + 1];
    for (size_t t = 0; t < n; t++) /* moves the starts to where they belong */
        s->past_tuples[s->past_start[pasts[t] + 1]++] = (uint32_t)t;
}

static mgl_status make_pasts(mgl_suppressor *s, mgl_error *err)
{
    size_t n = s->problem->list->n_tuples;
    s->past_start = mgl_alloc_array(s->n_pasts + 2, sizeof *s->past_start);
    s->past_tuples = mgl_alloc_array(n, sizeof *s->past_tuples);
    s->gathered = mgl_alloc_array(n, sizeof *s->gathered);
    if (s->past_start == NULL || s->past_tuples == NULL || s->gathered == NULL)
        return mgl_fail_memory(err);
    sort_by_past(s);
    return MGL_OK;
}

/* The pasts as one column more, for all quasi-identifiers. */
static mgl_status take_pasts(mgl_suppressor *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    size_t m = p->list->n_attributes;
    s->cells = mgl_alloc_array(m + 1, sizeof *s->cells);
    s->attributes = mgl_zeroed_array(p->n_sets, sizeof *s->attributes);
    if (s->cells == NULL || s->attributes == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; p->pasts != NULL && t < p->list->n_tuples; t++)
        if (p->pasts[t] >= s->n_pasts)
            s->n_pasts = (size_t)p->pasts[t] + 1;
    s->n_values[m] = (uint32_t)s->n_pasts;
    s->cells[m] = (uint32_t *)p->pasts;
    if (s->n_pasts > 0)
        MGL_TRY(make_pasts(s, err));
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
    s->group_of = mgl_alloc_array(n, sizeof *s->group_of);
    s->bad = mgl_alloc_array(n, 1);
    s->live = mgl_alloc_array(n, sizeof *s->live);
    s->matching = mgl_zeroed_array(n, sizeof *s->matching);
    s->weights = mgl_alloc_array(n, sizeof *s->weights);
    s->of_set = mgl_zeroed_array(p->n_sets, sizeof *s->of_set);
    mgl_status status = MGL_OK;
    if (s->n_values == NULL || s->tuples == NULL || s->group_of == NULL || s->bad == NULL ||
        s->live == NULL || s->matching == NULL || s->weights == NULL || s->of_set == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t a = 0; a < m; a++)
        s->n_values[a] = p->columns[a]->n_values;
    MGL_GO(take_pasts(s, err));
    s->numbers = mgl_alloc_array(n + s->n_pasts + 1, sizeof *s->numbers);
    if (s->numbers == NULL)
        MGL_GO(mgl_fail_memory(err));
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
    if (s->n_pasts > 0)
        sort_by_past(s);
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
    mgl_free(s->past_start);
    mgl_free(s->past_tuples);
    mgl_free(s->gathered);
    mgl_classes_free(&s->whole);
    mgl_group_maker_free(s->maker);
    mgl_joiner_free(s->joiner);
    mgl_population_free(s->population);
    mgl_free(s->matching);
    mgl_free(s->weights);
    mgl_free(s->of_set);
    mgl_free(s->n_values);
    mgl_free(s->tuples);
    mgl_free(s->group_of);
    mgl_free(s->numbers);
    mgl_free(s->bad);
    mgl_free(s->live);
    mgl_free(s);
}

void mgl_suppressor_begin_groups(mgl_suppressor *s, size_t n_groups)
{
    const mgl_frequency_list *list = s->problem->list;
    memset(s->live, 0, n_groups * sizeof *s->live);
    for (size_t t = 0; t < list->n_tuples; t++)
        if (s->group_of[t] != MGL_NOT_FOUND)
            s->live[s->group_of[t]] += list->counts[t];
    if (s->maker != NULL)
        mgl_group_maker_partition(s->maker, s->group_of, n_groups);
}
