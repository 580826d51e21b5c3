/* What follows for the counts of values in a class from models that do not hold for every superset:
 * rows that it needs in any case, and whether some of the tuples of a box may hold. nested_codes.c
 * and judge_class.c call it. */
#include "search/box/value_terms.h"

#include <math.h>

/* Of a model, worked out for each value: models are asked once, and classes are judged often. */
struct mgl_box_terms {
    const mgl_model *model;
    mgl_value_terms terms;
    double *most; /* [code] the share of the class that the value may have; NULL: any */
};

/* Values of persons and on pasts are counted in other ways. */
static bool says_terms(const mgl_box_space *s, const mgl_model *model)
{
    return model->type->scope == MGL_SCOPE_CLASS && !model->type->upward_closed &&
           model->type->terms != NULL && model->joint == NULL && s->past_mask == 0 &&
           s->problem->list->persons == NULL;
}

/* A certificate knows models by themselves only. */
static bool bounds_by_terms(const mgl_box_space *s, const mgl_model *model)
{
    return says_terms(s, model) && !s->problem->wants_proof;
}

static double with_room(double value, bool up)
{
    return value * (up ? 1 + 1e-9 : 1 - 1e-9); /* models allow for rounding, so this must, too */
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* A class that must have a value of which it may have a small share at most needs rows for that. */
static double rows_for(const mgl_model *model)
{
    const mgl_sensitive *all = mgl_model_sensitive(model);
    mgl_value_terms terms = mgl_model_terms(model);
    bool shares = terms.rule == MGL_VALUES_SHARES && terms.most != NULL && terms.least != NULL;
    double rows = 1;
    for (uint32_t code = 0; shares && code < all->n_values; code++) {
        double share = (double)all->counts[code] / (double)all->n;
        if (all->counts[code] > 0 && terms.least(model, share) > 0)
            rows = fmax(rows, 1 / with_room(terms.most(model, share), true));
    }
    return ceil(with_room(rows, false));
}

uint32_t mgl_box_rows_for_values(const mgl_box_space *s)
{
    const mgl_quasi_set *set = &s->problem->sets[0];
    double most = 1;
    for (size_t i = 0; i < set->n_models; i++)
        if (says_terms(s, &set->models[i]))
            most = fmax(most, rows_for(&set->models[i]));
    return (uint32_t)fmin(most, (double)s->n_rows + 1);
}

/* ---- May some of the tuples hold? ----------------------------------------------------------- */

static mgl_status work_out(mgl_box_space *s, const mgl_model *model, mgl_error *err,
                           mgl_box_terms *out)
{
    const mgl_sensitive *all = mgl_model_sensitive(model);
    *out = (mgl_box_terms){.model = model, .terms = mgl_model_terms(model)};
    bool shares = out->terms.rule == MGL_VALUES_SHARES || out->terms.rule == MGL_VALUES_OVERLAP;
    if (!shares || out->terms.most == NULL)
        return MGL_OK;
    out->most = mgl_arena_alloc(s->arena, all->n_values * sizeof *out->most);
    if (out->most == NULL)
        return mgl_fail_memory(err);
    for (uint32_t code = 0; code < all->n_values; code++) {
        double share = (double)all->counts[code] / (double)all->n;
        double most = mgl_model_skips(model, code) ? 1 : out->terms.most(model, share);
        out->most[code] = with_room(most, true);
    }
    return MGL_OK;
}

mgl_status mgl_box_ask_terms(mgl_box_space *s, mgl_error *err, bool *out)
{
    const mgl_quasi_set *set = &s->problem->sets[0];
    s->n_terms = 0;
    if (s->terms == NULL)
        s->terms = mgl_arena_alloc(s->arena, set->n_models * sizeof *s->terms);
    if (s->terms == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < set->n_models; i++)
        if (bounds_by_terms(s, &set->models[i]))
            MGL_TRY(work_out(s, &set->models[i], err, &s->terms[s->n_terms++]));
    *out = s->n_terms > 0;
    return MGL_OK;
}

void mgl_box_forget_terms(mgl_box_space *s)
{
    s->n_terms = 0;
}

/* May a class among these rows meet what the model says of the counts of its values? A class of n
 * rows has at most a share of n of each value, so at most the sum over values of what there is of
 * each, up to that share. Beyond that it needs n rows, or the part of them that must lie within the
 * shares; and if a larger class has them, so has one of the least size, since the sum is concave in
 * n and is 0 for n = 0. All of this holds for more rows as well. */
static bool may_have_values(const mgl_box_space *s, const mgl_box_terms *x, const mgl_group *group)
{
    const mgl_histogram *values = mgl_model_histogram(x->model, group);
    bool shares = x->terms.rule == MGL_VALUES_SHARES || x->terms.rule == MGL_VALUES_OVERLAP;
    double least = fmax(s->need, with_room(x->terms.distinct, false)), within = 0;
    if ((double)values->size < with_room(x->terms.distinct, false))
        return false;
    for (size_t i = 0; i < values->size; i++) {
        double most = x->most != NULL ? x->most[mgl_histogram_code(values, i)] : with_room(1, true);
        within += fmin((double)values->counts[i], most * least);
    }
    double part = x->terms.rule == MGL_VALUES_OVERLAP ? x->terms.overlap : 1;
    return !shares || within >= with_room(part, false) * least;
}

bool mgl_box_terms_may_hold(const mgl_box_space *s, const mgl_group *group)
{
    for (size_t i = 0; i < s->n_terms; i++)
        if (!may_have_values(s, &s->terms[i], group))
            return false;
    return true;
}
