/* Whether any release of a stratum can hold, as far as its size and its sensitive values tell: what
 * a job on its rows alone would be refused for. search_strata.c asks before it searches. */
#include "search/strata/slice.h"

/* Different numbers that the values of the stratum have, those of missing cells that are no value
 * left out (unknown: their code plus 1, or 0). */
static uint32_t count_different(const mgl_sparse *sparse, size_t n_tuples, const uint32_t *number,
                                uint32_t unknown, uint8_t *seen)
{
    uint32_t n = 0;
    for (size_t i = 0; i < sparse->start[n_tuples]; i++) {
        if (sparse->values[i] + 1 == unknown)
            continue;
        uint32_t of = number != NULL ? number[sparse->values[i]] : sparse->values[i];
        n += !seen[of];
        seen[of] = 1;
    }
    return n;
}

static mgl_status count_values(const mgl_frequency_list *list, const mgl_sparse *sparse,
                               mgl_error *err, mgl_sensitive *s)
{
    size_t room = s->n_strong > s->n_values ? s->n_strong : s->n_values;
    uint8_t *seen = mgl_zeroed_array(room, 1);
    if (seen == NULL)
        return mgl_fail_memory(err);
    s->n_present = count_different(sparse, list->n_tuples, NULL, 0, seen);
    if (s->unknown != 0 && !seen[s->unknown - 1])
        s->unknown = 0;
    memset(seen, 0, room);
    s->n_strong_present = count_different(sparse, list->n_tuples, s->strong, s->unknown, seen);
    mgl_free(seen);
    return MGL_OK;
}

static mgl_status try_models(const mgl_quasi_set *set, const mgl_facts *facts, mgl_error *err)
{
    for (size_t m = 0; m < set->n_models; m++) {
        mgl_model model = set->models[m];
        model.facts = facts;
        if (model.type->prepare != NULL && model.joint == NULL)
            MGL_TRY(model.type->prepare(&model, facts, err));
    }
    return MGL_OK;
}

mgl_status mgl_slice_possible(const mgl_slice *slice, mgl_error *err)
{
    const mgl_frequency_list *list = &slice->list;
    const mgl_quasi_set *sets = slice->problem.sets;
    if (slice->problem.n_sets == 0 || sets[0].n_models == 0)
        return MGL_OK;
    mgl_facts facts = *sets[0].models[0].facts;
    mgl_sensitive *sensitive =
        mgl_arena_alloc(slice->arena, (facts.n_sensitive + 1) * sizeof *sensitive);
    if (sensitive == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < facts.n_sensitive; i++) {
        sensitive[i] = facts.sensitive[i];
        MGL_TRY(count_values(list, &list->sensitive[i], err, &sensitive[i]));
    }
    facts.n_rows = list->persons != NULL ? list->persons->n : list->n_rows;
    facts.sensitive = sensitive;
    facts.sample.total = list->weighing.total;
    for (size_t q = 0; q < slice->problem.n_sets; q++)
        MGL_TRY(try_models(&sets[q], &facts, err));
    return MGL_OK;
}
