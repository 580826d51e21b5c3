/* Judges groups of tuples by the models. mdav.c, one_column.c and unite_groups.c call it. */
#include "search/cluster/microaggregate/points.h"

struct mgl_micro_judge {
    const mgl_micro_space *space;
    mgl_group_maker *maker; /* NULL: rows say it all */
    uint32_t *tuples;       /* [tuples of the list] as the list numbers them */
    bool upward_closed;
};

mgl_status mgl_micro_judge_new(const mgl_micro_space *space, mgl_error *err, mgl_micro_judge **out)
{
    const mgl_quasi_set *set = &space->problem->sets[0];
    bool judged = space->problem->list->persons != NULL;
    mgl_micro_judge *judge = mgl_zeroed_array(1, sizeof *judge);
    if (judge == NULL)
        return mgl_fail_memory(err);
    judge->space = space;
    judge->upward_closed = true;
    for (size_t i = 0; i < set->n_models; i++) {
        const mgl_model_type *type = set->models[i].type;
        judged = judged || mgl_needs_histograms(type);
        if (type->scope == MGL_SCOPE_CLASS && !type->upward_closed)
            judge->upward_closed = false;
    }
    mgl_status status = MGL_OK;
    judge->tuples = mgl_alloc_array(space->n, sizeof *judge->tuples);
    if (judge->tuples == NULL)
        MGL_GO(mgl_fail_memory(err));
    if (judged)
        MGL_GO(mgl_group_maker_new(space->problem->list, err, &judge->maker));
    *out = judge;
    judge = NULL;
done:
    mgl_micro_judge_free(judge);
    return status;
}

void mgl_micro_judge_turn_to(mgl_micro_judge *judge, const mgl_micro_space *space)
{
    judge->space = space;
}

void mgl_micro_judge_free(mgl_micro_judge *judge)
{
    if (judge == NULL)
        return;
    mgl_group_maker_free(judge->maker);
    mgl_free(judge->tuples);
    mgl_free(judge);
}

bool mgl_micro_is_upward_closed(const mgl_micro_judge *judge)
{
    return judge->upward_closed;
}

static bool holds(mgl_micro_judge *judge, const uint32_t *tuples, size_t n, bool upward_only)
{
    const mgl_micro_space *s = judge->space;
    const mgl_quasi_set *set = &s->problem->sets[0];
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++)
        rows += s->counts[tuples[i]];
    if (rows < s->need)
        return false;
    if (judge->maker == NULL)
        return true;
    for (size_t i = 0; s->tuple_of != NULL && i < n; i++)
        judge->tuples[i] = s->tuple_of[tuples[i]];
    const mgl_group *group =
        mgl_group_maker_gather(judge->maker, s->tuple_of != NULL ? judge->tuples : tuples, n);
    if (group->size < s->need)
        return false;
    for (size_t i = 0; i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_CLASS &&
            (!upward_only || set->models[i].type->upward_closed) &&
            !mgl_model_holds(&set->models[i], group))
            return false;
    return true;
}

bool mgl_micro_holds(mgl_micro_judge *judge, const uint32_t *tuples, size_t n)
{
    return holds(judge, tuples, n, false);
}

bool mgl_micro_may_hold(mgl_micro_judge *judge, const uint32_t *tuples, size_t n)
{
    return holds(judge, tuples, n, true);
}

void mgl_micro_groups_add(mgl_micro_groups *groups, const uint32_t *tuples, size_t n)
{
    for (size_t i = 0; i < n; i++)
        groups->group_of[tuples[i]] = (uint32_t)groups->n;
    groups->n++;
    groups->n_placed += n;
}
