/* Gives values that are no leaves of a saved hierarchy their places by the builder that made it, or
 * on the scale of its numbers or dates. place_values.c calls it.
 *
 * The builder is given old values beside the new ones, which must come out as they are recorded:
 * what it makes of a value can depend on the others (numbers with and without decimals, dates with
 * and without times of day). New values are tried together, and by halves where some do not fit. */
#include "command/rule/placing.h"

#include <math.h>

typedef struct trial {
    const mgl_placing *placing;
    uint32_t *old; /* [n_old] codes of the saved values that are tried with the others */
    uint32_t n_old;
    mgl_dictionary *values;
    mgl_hierarchy *made;
    mgl_scale *scale;
    uint32_t *leaf_of_code; /* [values] */
} trial;

static void end_trial(trial *t)
{
    mgl_scale_free(t->scale);
    mgl_hierarchy_free(t->made);
    mgl_dictionary_free(t->values);
    mgl_free(t->leaf_of_code);
    t->scale = NULL;
    t->made = NULL;
    t->values = NULL;
    t->leaf_of_code = NULL;
}

static mgl_status gather(trial *t, const uint32_t *codes, uint32_t n, mgl_error *err)
{
    const mgl_dictionary *here = t->placing->here->column->dictionary;
    bool failed = (t->values = mgl_dictionary_new()) == NULL;
    for (uint32_t i = 0; !failed && i < t->n_old; i++)
        failed = mgl_dictionary_add(t->values, mgl_dictionary_value(t->placing->saved->ground,
                                                                    t->old[i])) == MGL_NOT_FOUND;
    for (uint32_t i = 0; !failed && i < n; i++)
        failed =
            mgl_dictionary_add(t->values, mgl_dictionary_value(here, codes[i])) == MGL_NOT_FOUND;
    if (failed)
        return mgl_fail_memory(err);
    mgl_dictionary_set_notation(t->values, mgl_dictionary_notation(here));
    t->leaf_of_code = mgl_alloc_array(mgl_dictionary_size(t->values), sizeof *t->leaf_of_code);
    return t->leaf_of_code == NULL ? mgl_fail_memory(err) : MGL_OK;
}

/* Do the old values come out as they are recorded? */
static bool is_as_recorded(const trial *t)
{
    const mgl_saved_quasi *saved = t->placing->saved;
    const mgl_saved_tree *tree = saved->tree;
    if (t->made->height != tree->height)
        return false;
    for (uint32_t i = 0; i < t->n_old; i++) {
        uint32_t leaf = tree->leaf_of[saved->leaf_of_code[t->old[i]]];
        uint32_t code =
            mgl_dictionary_find(t->values, mgl_dictionary_value(saved->ground, t->old[i]));
        for (uint32_t l = 0; l <= tree->height; l++) {
            const mgl_level *level = &t->made->levels[l];
            if (!mgl_span_equal(level->labels[level->of_leaf[t->leaf_of_code[code]]],
                                mgl_tree_label(tree, l, leaf)))
                return false;
        }
    }
    return true;
}

/* A builder that refuses a value is no failure: *fits says so. */
static mgl_status build(trial *t, const char *spec, mgl_error *err, bool *fits)
{
    mgl_error own = {0};
    const char *name = t->placing->saved->name;
    mgl_status status = mgl_hierarchy_make(spec, name, t->values, &own, &t->made);
    if (status == MGL_OK)
        status = mgl_hierarchy_bind(t->made, name, t->values, &own, t->leaf_of_code);
    *fits = status == MGL_OK;
    return status == MGL_SYSTEM ? mgl_fail_as(err, &own) : MGL_OK;
}

static mgl_status try_tree(trial *t, mgl_error *err, bool *fits)
{
    MGL_TRY(build(t, t->placing->saved->tree->rule, err, fits));
    *fits = *fits && is_as_recorded(t);
    return MGL_OK;
}

static mgl_status try_scale(trial *t, mgl_error *err, bool *fits)
{
    MGL_TRY(build(t, NULL, err, fits));
    if (*fits)
        MGL_TRY(mgl_scale_new(t->made, err, &t->scale));
    mgl_scale_kind kind = t->placing->saved->tree->scale == 1 ? MGL_SCALE_NUMBERS : MGL_SCALE_DATES;
    *fits = *fits && t->scale != NULL && t->scale->kind == kind;
    return MGL_OK;
}

static mgl_status try_values(trial *t, const uint32_t *codes, uint32_t n, mgl_error *err,
                             bool *fits)
{
    *fits = false;
    MGL_TRY(gather(t, codes, n, err));
    return t->placing->saved->tree->scale != 0 ? try_scale(t, err, fits) : try_tree(t, err, fits);
}

static mgl_status take_value(const trial *t, uint32_t code, mgl_error *err)
{
    const mgl_placing *p = t->placing;
    mgl_span value = mgl_dictionary_value(p->here->column->dictionary, code);
    uint32_t leaf = t->leaf_of_code[mgl_dictionary_find(t->values, value)];
    if (t->scale != NULL) {
        p->out->point[p->here->leaf_of_code[code]] = t->scale->of_leaf[leaf];
        return MGL_OK;
    }
    uint32_t height = p->out->height, *path = mgl_placing_path(p, code);
    for (uint32_t l = 0; l <= height; l++) {
        const mgl_level *level = &t->made->levels[l];
        path[height - l] = mgl_map_add(p->out->texts, level->labels[level->of_leaf[leaf]]);
        if (path[height - l] == MGL_NOT_FOUND)
            return mgl_fail_memory(err);
    }
    return MGL_OK;
}

static mgl_status place_some(trial *t, const uint32_t *codes, uint32_t n, mgl_error *err)
{
    bool fits;
    mgl_status status = n > 0 ? try_values(t, codes, n, err, &fits) : MGL_OK;
    for (uint32_t i = 0; status == MGL_OK && n > 0 && fits && i < n; i++)
        status = take_value(t, codes[i], err);
    end_trial(t);
    if (status != MGL_OK || n < 2 || fits)
        return status;
    MGL_TRY(place_some(t, codes, n / 2, err));
    return place_some(t, codes + n / 2, n - n / 2, err);
}

/* A few old values do, unless the builder needs to see the others. */
static mgl_status choose_old(trial *t, mgl_error *err)
{
    enum { FEW = 64 };
    const mgl_dictionary *ground = t->placing->saved->ground;
    uint32_t n = mgl_dictionary_size(ground), n_all = 0, step = n / FEW + 1;
    bool fits = false;
    t->old = mgl_alloc_array(n, sizeof *t->old);
    if (t->old == NULL)
        return mgl_fail_memory(err);
    for (uint32_t code = 0; code < n; code += step)
        if (code != mgl_dictionary_missing(ground))
            t->old[t->n_old++] = code;
    mgl_status status = t->n_old > 0 ? try_values(t, NULL, 0, err, &fits) : MGL_OK;
    end_trial(t);
    if (status != MGL_OK || fits)
        return status;
    for (uint32_t code = 0; code < n; code++)
        if (code != mgl_dictionary_missing(ground))
            t->old[n_all++] = code;
    t->n_old = n_all;
    return MGL_OK;
}

mgl_status mgl_place_by_rule(const mgl_placing *placing, const uint32_t *codes, uint32_t n,
                             mgl_error *err)
{
    trial t = {.placing = placing};
    mgl_status status = choose_old(&t, err);
    if (status == MGL_OK)
        status = place_some(&t, codes, n, err);
    mgl_free(t.old);
    return status;
}
