/* Judges the tuples of a box: do the models hold for them, or may they for some of them? Everything
 * that makes classes of boxes calls it. */
#include "search/box/box.h"
#include "search/box/value_terms.h"

struct mgl_box_judge {
    const mgl_box_space *space;
    mgl_group_maker *maker; /* NULL: sizes say it all */
    uint8_t *levels;        /* [m] */
    uint64_t *mask;         /* [words] */
};

mgl_status mgl_box_judge_new(const mgl_box_space *space, mgl_error *err, mgl_box_judge **out)
{
    mgl_box_judge *j = mgl_zeroed_array(1, sizeof *j);
    if (j == NULL)
        return mgl_fail_memory(err);
    j->space = space;
    j->levels = mgl_alloc_array(space->m, 1);
    j->mask = mgl_alloc_array(space->words, sizeof *j->mask);
    mgl_status status = j->levels == NULL || j->mask == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK && space->judged)
        status = mgl_group_maker_new(space->problem->list, err, &j->maker);
    if (status != MGL_OK) {
        mgl_box_judge_free(j);
        return status;
    }
    *out = j;
    return MGL_OK;
}

void mgl_box_judge_free(mgl_box_judge *judge)
{
    if (judge == NULL)
        return;
    mgl_group_maker_free(judge->maker);
    mgl_free(judge->levels);
    mgl_free(judge->mask);
    mgl_free(judge);
}

/* Rows of the table of the population under the smallest box. */
static uint64_t count_population(mgl_box_judge *j, const uint32_t *tuples, size_t n)
{
    const mgl_box_space *s = j->space;
    const mgl_frequency_list *population = s->problem->population;
    uint64_t rows = 0;
    mgl_box_begin(s, j->levels);
    for (size_t i = 1; i < n; i++)
        mgl_box_join(s, j->levels, tuples[0], tuples[i]);
    if (mgl_box_is_top(s, j->levels))
        return population->n_rows;
    mgl_box_mask(s, j->levels, j->mask);
    const uint64_t *key = s->keys + tuples[0] * s->words;
    for (size_t t = 0; t < population->n_tuples; t++) {
        bool under = true;
        for (size_t w = 0; under && w < s->words; w++)
            under = ((s->population[t * s->words + w] ^ key[w]) & j->mask[w]) == 0;
        rows += under ? population->counts[t] : 0;
    }
    return rows;
}

uint64_t mgl_box_people(mgl_box_judge *j, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    if (j->space->problem->list->persons != NULL)
        return mgl_group_maker_gather(j->maker, tuples, n)->size;
    for (size_t i = 0; i < n; i++)
        rows += j->space->rows[tuples[i]];
    return rows;
}

/* Which models are asked. */
typedef enum asked { ALL, UPWARD_CLOSED, OF_ONE_PAST } asked;

static bool is_asked(const mgl_model *model, asked which)
{
    return model->type->scope == MGL_SCOPE_CLASS &&
           (which != UPWARD_CLOSED || model->type->upward_closed) &&
           (which != OF_ONE_PAST || model->joint == NULL);
}

static bool models_hold(const mgl_box_space *s, const mgl_group *group, asked which)
{
    const mgl_quasi_set *set = &s->problem->sets[0];
    for (size_t i = 0; i < set->n_models; i++)
        if (is_asked(&set->models[i], which) && !mgl_model_holds(&set->models[i], group))
            return false;
    return true;
}

static bool have_one_past(const mgl_box_space *s, const uint32_t *tuples, size_t n)
{
    const uint64_t *keys = s->keys + s->past_word;
    for (size_t i = 1; i < n; i++)
        if (((keys[tuples[i] * s->words] ^ keys[tuples[0] * s->words]) & s->past_mask) != 0)
            return false;
    return true;
}

static bool has_rows(const mgl_box_space *s, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < n && rows < s->need; i++)
        rows += s->rows[tuples[i]];
    return rows >= s->need;
}

bool mgl_box_group_holds(const mgl_box_space *s, const mgl_group *group)
{
    return models_hold(s, group, s->past_mask != 0 ? OF_ONE_PAST : ALL);
}

bool mgl_box_holds(mgl_box_judge *j, const uint32_t *tuples, size_t n)
{
    if (!has_rows(j->space, tuples, n))
        return false;
    if (!j->space->judged)
        return true;
    if (!have_one_past(j->space, tuples, n))
        return false;
    if (!j->space->looks)
        return true;
    mgl_group group = *mgl_group_maker_gather(j->maker, tuples, n);
    if (j->space->problem->population != NULL)
        group.population = count_population(j, tuples, n);
    return mgl_box_group_holds(j->space, &group);
}

bool mgl_box_holds_as_read(mgl_box_judge *j, const uint32_t *tuples, size_t n)
{
    if (j->space->past_mask == 0)
        return mgl_box_holds(j, tuples, n);
    return models_hold(j->space, mgl_group_maker_gather(j->maker, tuples, n), ALL);
}

/* ---- May some of the tuples hold? ----------------------------------------------------------- */

bool mgl_box_may_hold(mgl_box_judge *j, const uint32_t *tuples, size_t n, uint64_t population)
{
    if (!has_rows(j->space, tuples, n))
        return false;
    if (!j->space->upward)
        return true;
    mgl_group group = *mgl_group_maker_gather(j->maker, tuples, n);
    if (j->space->problem->population != NULL)
        group.population = population;
    return models_hold(j->space, &group, UPWARD_CLOSED) && mgl_box_terms_may_hold(j->space, &group);
}
