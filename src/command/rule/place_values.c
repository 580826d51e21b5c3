/* Where the values of a current column stand in the hierarchy of a saved one: as the same text, by
 * the rule of its builder, or on its scale. */
#include "command/rule/rule.h"

#include <math.h>
#include <stdlib.h>

typedef struct mgl_placing {
    const mgl_saved_quasi *saved;
    const mgl_quasi_column *here;
    mgl_placed_column *out;
    mgl_arena *arena;
} mgl_placing;

/* The path of a current leaf. */
static inline uint32_t *mgl_placing_path(const mgl_placing *p, uint32_t code)
{
    return &p->out->path[(size_t)p->here->leaf_of_code[code] * (p->out->height + 1)];
}

/* The label of a saved leaf on a level. */
static inline mgl_span mgl_tree_label(const mgl_saved_tree *tree, uint32_t level, uint32_t leaf)
{
    return tree->labels[level][tree->of_leaf[level][leaf]];
}

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
    MGL_TRY(mgl_new_array(n, sizeof *t->old, err, &t->old));
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

/* Places values by the rule of the saved hierarchy, or on its scale: codes of the dictionary at
 * hand that are not the missing value. What the rule does not take stays without a place. */
static mgl_status place_by_rule(const mgl_placing *placing, const uint32_t *codes, uint32_t n,
                                mgl_error *err)
{
    trial t = {.placing = placing};
    mgl_status status = choose_old(&t, err);
    if (status == MGL_OK)
        status = place_some(&t, codes, n, err);
    mgl_free(t.old);
    return status;
}

static mgl_status take_labels(const mgl_placing *p, mgl_error *err)
{
    const mgl_saved_quasi *saved = p->saved;
    for (uint32_t i = 0; i < saved->n_labels; i++) {
        uint32_t number = mgl_map_add(p->out->texts, saved->labels[i]);
        if (number == MGL_NOT_FOUND)
            return mgl_fail_memory(err);
        if (number != i)
            return mgl_fail(err, MGL_CODE_DAMAGED,
                            "column \"%.60s\" of the recoding has a released text twice; save it "
                            "again",
                            saved->name);
    }
    return MGL_OK;
}

/* ---- Paths ----------------------------------------------------------------------------------- */

/* paths[leaf * (height + 1)] of all saved leaves, the top first. */
static mgl_status saved_paths(const mgl_placing *p, mgl_error *err, uint32_t **out)
{
    const mgl_saved_tree *tree = p->saved->tree;
    size_t levels = (size_t)tree->height + 1;
    uint32_t *paths = mgl_arena_alloc(p->arena, tree->n_leaves * levels * sizeof *paths);
    MGL_TRY(mgl_check_memory(paths != NULL, err));
    for (uint32_t l = 0; l <= tree->height; l++) {
        uint32_t *number = mgl_alloc_array(tree->n_values[l], sizeof *number);
        bool failed = number == NULL;
        for (uint32_t v = 0; !failed && v < tree->n_values[l]; v++) {
            number[v] = mgl_map_add(p->out->texts, tree->labels[l][v]);
            failed = number[v] == MGL_NOT_FOUND;
        }
        for (uint32_t leaf = 0; !failed && leaf < tree->n_leaves; leaf++)
            paths[leaf * levels + tree->height - l] = number[tree->of_leaf[l][leaf]];
        mgl_free(number);
        if (failed)
            return mgl_fail_memory(err);
    }
    *out = paths;
    return MGL_OK;
}

static void copy_path(const mgl_placing *p, const uint32_t *paths, uint32_t leaf, uint32_t code)
{
    size_t levels = (size_t)p->out->height + 1;
    memcpy(mgl_placing_path(p, code), &paths[leaf * levels], levels * sizeof *paths);
}

/* A missing value stays itself until the top, though none occurred before. */
static mgl_status place_missing(const mgl_placing *p, const uint32_t *paths, uint32_t code,
                                mgl_error *err)
{
    const mgl_saved_tree *tree = p->saved->tree;
    uint32_t *path = mgl_placing_path(p, code);
    if (tree->missing_leaf != MGL_NOT_FOUND) {
        copy_path(p, paths, tree->missing_leaf, code);
        return MGL_OK;
    }
    uint32_t own =
        mgl_map_add(p->out->texts, mgl_dictionary_value(p->here->column->dictionary, code));
    path[0] = p->saved->top;
    for (uint32_t l = 1; l <= tree->height; l++)
        path[l] = own;
    return own == MGL_NOT_FOUND ? mgl_fail_memory(err) : MGL_OK;
}

/* Leaves that the recoding has not seen. rest[n_rest] are the codes of values that are no leaves.
 */
static mgl_status place_unseen(const mgl_placing *p, const uint32_t *paths, mgl_spelling spelling,
                               mgl_error *err, uint32_t *rest, uint32_t *n_rest)
{
    const mgl_saved_tree *tree = p->saved->tree;
    const mgl_dictionary *here = p->here->column->dictionary;
    uint32_t n = *n_rest;
    mgl_dictionary *leaves = mgl_dictionary_new();
    mgl_spelling_finder finder = {0};
    mgl_status status = MGL_OK;
    bool failed = leaves == NULL;
    for (uint32_t leaf = 0; !failed && leaf < tree->n_leaves; leaf++)
        failed = mgl_dictionary_add(leaves, tree->labels[0][leaf]) == MGL_NOT_FOUND;
    if (failed)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_spelling_index(leaves, spelling, err, &finder));
    *n_rest = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t leaf = mgl_spelling_find(&finder, mgl_dictionary_value(here, rest[i]));
        if (leaf < tree->n_leaves && leaf != tree->missing_leaf)
            copy_path(p, paths, leaf, rest[i]);
        else
            rest[(*n_rest)++] = rest[i];
    }
    mgl_spelling_finder_free(&finder);
done:
    mgl_dictionary_free(leaves);
    return status;
}

/* Values that the recoding has seen; the codes of others are listed. */
static mgl_status place_seen(const mgl_placing *p, const uint32_t *paths, mgl_spelling spelling,
                             mgl_error *err, uint32_t *rest, uint32_t *n_rest)
{
    const mgl_saved_quasi *saved = p->saved;
    const mgl_dictionary *here = p->here->column->dictionary;
    mgl_spelling_finder finder;
    MGL_TRY(mgl_spelling_index(saved->ground, spelling, err, &finder));
    mgl_status status = MGL_OK;
    for (uint32_t code = 0; code < mgl_dictionary_size(here) && status == MGL_OK; code++) {
        uint32_t known = mgl_spelling_find(&finder, mgl_dictionary_value(here, code));
        if (code == mgl_dictionary_missing(here))
            status = place_missing(p, paths, code, err);
        else if (known != MGL_NOT_FOUND && known != mgl_dictionary_missing(saved->ground))
            copy_path(p, paths, saved->tree->leaf_of[saved->leaf_of_code[known]], code);
        else
            rest[(*n_rest)++] = code;
    }
    mgl_spelling_finder_free(&finder);
    return status;
}

/* ---- Points ---------------------------------------------------------------------------------- */

typedef struct placed_leaf {
    const uint32_t *path;
    size_t levels;
    double *point; /* gets its place; NULL: optional */
} placed_leaf;

static int compare_paths(const void *a, const void *b)
{
    const placed_leaf *x = a, *y = b;
    for (size_t l = 0; l < x->levels; l++)
        if (x->path[l] != y->path[l])
            return x->path[l] < y->path[l] ? -1 : 1;
    return 0;
}

/* Leaves in the order of their paths: what lies under a label lies side by side, so that a label is
 * an interval. */
static void number_leaves(const mgl_placing *p, placed_leaf *leaves, size_t n)
{
    double at = -1;
    if (n > 1)
        qsort(leaves, n, sizeof *leaves, compare_paths);
    for (size_t i = 0; i < n; i++) {
        at += i == 0 || compare_paths(&leaves[i - 1], &leaves[i]) != 0;
        if (leaves[i].point != NULL)
            *leaves[i].point = at;
        for (size_t l = 0; l < leaves[i].levels; l++) {
            uint32_t label = leaves[i].path[l];
            if (label >= p->saved->n_labels)
                continue;
            p->out->low[label] = fmin(p->out->low[label], at);
            p->out->high[label] = fmax(p->out->high[label], at);
        }
    }
}

static mgl_status find_points(const mgl_placing *p, const uint32_t *paths, mgl_error *err)
{
    uint32_t n_saved = p->saved->tree->n_leaves, n_here = p->here->hierarchy->n_leaves;
    size_t levels = (size_t)p->out->height + 1, n = 0;
    placed_leaf *leaves = mgl_alloc_array((size_t)n_saved + n_here, sizeof *leaves);
    MGL_TRY(mgl_check_memory(leaves != NULL, err));
    for (uint32_t leaf = 0; leaf < n_saved; leaf++)
        leaves[n++] = (placed_leaf){&paths[leaf * levels], levels, NULL};
    for (uint32_t leaf = 0; leaf < n_here; leaf++)
        if (p->out->path[leaf * levels] != MGL_NOT_FOUND)
            leaves[n++] = (placed_leaf){&p->out->path[leaf * levels], levels, &p->out->point[leaf]};
    number_leaves(p, leaves, n);
    mgl_free(leaves);
    return MGL_OK;
}

/* ---- Columns --------------------------------------------------------------------------------- */

static mgl_status place_in_tree(const mgl_placing *p, mgl_spelling spelling, mgl_error *err)
{
    uint32_t n_codes = mgl_dictionary_size(p->here->column->dictionary), n_rest = 0;
    size_t size = p->here->hierarchy->n_leaves * ((size_t)p->out->height + 1);
    uint32_t *rest = mgl_arena_alloc(p->arena, n_codes * sizeof *rest), *paths = NULL;
    p->out->path = mgl_arena_alloc(p->arena, size * sizeof *p->out->path);
    MGL_TRY(mgl_check_memory(rest != NULL && p->out->path != NULL, err));
    memset(p->out->path, 0xFF, size * sizeof *p->out->path);
    MGL_TRY(saved_paths(p, err, &paths));
    MGL_TRY(place_seen(p, paths, spelling, err, rest, &n_rest));
    if (n_rest > 0)
        MGL_TRY(place_unseen(p, paths, spelling, err, rest, &n_rest));
    if (n_rest > 0 && p->saved->tree->rule[0] != '\0')
        MGL_TRY(place_by_rule(p, rest, n_rest, err));
    return find_points(p, paths, err);
}

/* Ranges and averages cover the numbers or dates that they were made of. */
static mgl_status place_on_scale(const mgl_placing *p, mgl_error *err)
{
    const mgl_saved_tree *tree = p->saved->tree;
    const mgl_dictionary *here = p->here->column->dictionary;
    uint32_t n_codes = mgl_dictionary_size(here), n = 0;
    uint32_t *codes = mgl_arena_alloc(p->arena, n_codes * sizeof *codes);
    MGL_TRY(mgl_check_memory(codes != NULL, err));
    for (uint32_t i = 0; i < p->saved->n_labels; i++) {
        bool missing = tree->missing_leaf != MGL_NOT_FOUND &&
                       tree->saved_labels[i].first_leaf == tree->missing_leaf;
        if (!isnan(tree->saved_labels[i].low)) {
            p->out->low[i] = tree->saved_labels[i].low;
            p->out->high[i] = tree->saved_labels[i].high;
        } else if (missing) {
            p->out->low[i] = p->out->high[i] = -INFINITY;
        }
    }
    p->out->low[p->saved->top] = -INFINITY;
    p->out->high[p->saved->top] = INFINITY;
    for (uint32_t code = 0; code < n_codes; code++)
        if (code != mgl_dictionary_missing(here))
            codes[n++] = code;
        else
            p->out->point[p->here->leaf_of_code[code]] = -INFINITY;
    return place_by_rule(p, codes, n, err);
}

mgl_status mgl_place_values(const mgl_saved_quasi *saved, const mgl_quasi_column *here,
                            mgl_spelling spelling, mgl_arena *arena, mgl_error *err,
                            mgl_placed_column *out)
{
    const mgl_placing p = {saved, here, out, arena};
    uint32_t n_here = here->hierarchy->n_leaves;
    *out = (mgl_placed_column){.texts = mgl_map_new(),
                               .height = saved->tree->height,
                               .point = mgl_arena_alloc(arena, n_here * sizeof *out->point),
                               .low = mgl_arena_alloc(arena, saved->n_labels * sizeof *out->low),
                               .high = mgl_arena_alloc(arena, saved->n_labels * sizeof *out->high)};
    MGL_TRY(mgl_check_memory(
        out->texts != NULL && out->point != NULL && out->low != NULL && out->high != NULL, err));
    for (uint32_t leaf = 0; leaf < n_here; leaf++)
        out->point[leaf] = NAN;
    for (uint32_t i = 0; i < saved->n_labels; i++) {
        out->low[i] = INFINITY; /* covers nothing */
        out->high[i] = -INFINITY;
    }
    MGL_TRY(take_labels(&p, err));
    return saved->tree->scale != 0 ? place_on_scale(&p, err) : place_in_tree(&p, spelling, err);
}

void mgl_placed_column_end(mgl_placed_column *column)
{
    mgl_map_free(column->texts);
    column->texts = NULL;
}
