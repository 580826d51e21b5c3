/* Finds the least level that each column has in any node that holds, and how much work a node or a
 * search is. top_down.c calls it before it goes down. */
#include "search/fulldomain/by_size/by_size.h"
#include "search/fulldomain/by_value/by_value.h"
#include "search/fulldomain/incognito.h"
#include "search/fulldomain/top_down.h"

uint64_t mgl_work_of_node(const mgl_problem *p)
{
    return UINT64_C(6) * p->list->n_tuples * p->list->n_attributes;
}

bool mgl_is_fast(const mgl_problem *p)
{
    return mgl_by_size_handles(p) || mgl_by_value_handles(p) || p->list->joined != NULL;
}

uint64_t mgl_work_of_search(const mgl_problem *p, uint64_t checked)
{
    enum { ANYWAY = 2000 }; /* whatever the number of tuples */
    if (!mgl_is_fast(p))
        return checked * mgl_work_of_node(p);
    return 2 * mgl_work_of_node(p) + checked * (p->list->n_tuples + ANYWAY);
}

/* ---- The relaxation --------------------------------------------------------------------- */

static const mgl_quasi_set *largest_set(const mgl_problem *p)
{
    const mgl_quasi_set *largest = &p->sets[0];
    for (size_t q = 1; q < p->n_sets; q++)
        if (p->sets[q].n_attributes > largest->n_attributes)
            largest = &p->sets[q];
    return largest;
}

/* Does a union of classes hold? If nothing may be suppressed all of them do, otherwise one is
 * enough to know of. A person in two of them counts once; in the joined view nobody is. */
static bool is_kept(const mgl_problem *p, const mgl_model_type *type)
{
    bool overlap = p->list->persons != NULL && p->list->joined == NULL;
    bool one_is_enough = p->limit > 0 || overlap;
    return type->scope == MGL_SCOPE_CLASS &&
           (one_is_enough ? type->upward_closed : type->union_closed);
}

static mgl_status find_lowest_of(mgl_relaxation *r, mgl_set_maker *maker, uint32_t a,
                                 uint32_t *levels, mgl_frequency_set *set, mgl_error *err)
{
    const mgl_problem *p = &r->problem;
    bool holds = false;
    for (uint32_t l = p->min_level[a]; !holds && l <= p->max_level[a]; l++) {
        levels[a] = r->lowest[a] = l;
        MGL_TRY(mgl_frequency_set_roll_up(maker, NULL, &a, 1, levels, err, set));
        holds = mgl_frequency_set_holds(maker, set, &a, 1);
    }
    r->met = r->met && holds;
    return MGL_OK;
}

static mgl_status find_lowest(mgl_relaxation *r, mgl_error *err)
{
    const mgl_problem *p = &r->problem;
    mgl_set_maker *maker = NULL;
    mgl_frequency_set set = {0};
    uint32_t *levels = mgl_zeroed_array(p->list->n_attributes, sizeof *levels);
    mgl_status status = MGL_OK;
    if (levels == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_set_maker_new(p, err, &maker));
    MGL_GO(mgl_frequency_set_init(&set, p, err));
    for (size_t i = 0; i < r->set.n_attributes; i++)
        MGL_GO(find_lowest_of(r, maker, r->set.attributes[i], levels, &set, err));
done:
    mgl_frequency_set_free(&set, p);
    mgl_set_maker_free(maker);
    mgl_free(levels);
    return status;
}

static mgl_status relax(mgl_relaxation *r, const mgl_problem *p, mgl_error *err)
{
    size_t m = p->list->n_attributes;
    const mgl_quasi_set *set = p->n_sets > 0 ? largest_set(p) : &r->set;
    r->problem = *p;
    r->problem.treatment = p->list->joined != NULL ? MGL_DROP : MGL_EXEMPT;
    r->problem.sets = &r->set;
    r->problem.n_sets = 1;
    r->met = true;
    r->set = (mgl_quasi_set){.attributes = set->attributes, .n_attributes = set->n_attributes};
    r->models = mgl_alloc_array(set->n_models, sizeof *r->models);
    r->lowest = mgl_alloc_array(m, sizeof *r->lowest);
    if (r->models == NULL || r->lowest == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < set->n_models; i++)
        if (is_kept(p, set->models[i].type))
            r->models[r->set.n_models++] = set->models[i];
    r->set.models = r->models;
    memcpy(r->lowest, p->min_level, m * sizeof *r->lowest);
    return r->set.n_models > 0 ? find_lowest(r, err) : MGL_OK;
}

mgl_status mgl_relaxation_new(const mgl_problem *problem, mgl_error *err, mgl_relaxation **out)
{
    mgl_relaxation *r = mgl_zeroed_array(1, sizeof *r);
    if (r == NULL)
        return mgl_fail_memory(err);
    mgl_status status = relax(r, problem, err);
    if (status != MGL_OK) {
        mgl_relaxation_free(r);
        return status;
    }
    *out = r;
    return MGL_OK;
}

void mgl_relaxation_free(mgl_relaxation *r)
{
    if (r == NULL)
        return;
    mgl_free(r->models);
    mgl_free(r->lowest);
    mgl_free(r);
}
