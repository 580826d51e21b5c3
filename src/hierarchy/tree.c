/* A hierarchy that was made: binds the codes of a column to its leaves, finds labels, compares and
 * writes it. The pipeline binds each quasi-identifier, `hierarchy` and `risk --advise` write files.
 */
#include "hierarchy/draft.h"

void mgl_hierarchy_free(mgl_hierarchy *hierarchy)
{
    if (hierarchy == NULL)
        return;
    if (hierarchy->index != NULL)
        mgl_map_free(hierarchy->index->labels);
    mgl_arena_free(hierarchy->arena); /* the struct itself lies in it */
}

static mgl_status fail_lacks(const mgl_hierarchy *hierarchy, const char *column,
                             const mgl_dictionary *dictionary, mgl_span value, mgl_error *err)
{
    char shown[MGL_SHOWN], place[MGL_PLACE_TEXT];
    if (mgl_hierarchy_is_builder(hierarchy->source))
        return mgl_fail_attribute(err, MGL_CODE_NOT_COVERED, column, "hierarchy",
                                  "column '%.60s': the value '%s' does not occur in the data from "
                                  "which %.100s was built; build the hierarchy from both tables "
                                  "and save it (`hierarchy build`), then use the file",
                                  column, mgl_shown(value, shown), hierarchy->source);
    if (mgl_span_is(value, "*"))
        return mgl_blame_attribute(
            err,
            mgl_fail_at(err, MGL_CODE_NOT_COVERED, hierarchy->source, 0,
                        "column '%.60s' holds '*', which is no ground value here; suppressed "
                        "rows must be left out, or '*' named by `missing`",
                        column),
            column, "hierarchy");
    mgl_dictionary_origin(dictionary, value, place);
    return mgl_blame_attribute(
        err,
        mgl_fail_at(err, MGL_CODE_NOT_COVERED, hierarchy->source, 0,
                    "the value '%s' of column '%.60s' is not in the hierarchy%s%s%s; add a line "
                    "for it, or name it by `missing` if it means missing",
                    mgl_shown(value, shown), column, place[0] != '\0' ? " (" : "", place,
                    place[0] != '\0' ? ")" : ""),
        column, "hierarchy");
}

mgl_status mgl_hierarchy_bind(const mgl_hierarchy *hierarchy, const char *column,
                              const mgl_dictionary *dictionary, mgl_error *err,
                              uint32_t *leaf_of_code)
{
    const struct mgl_label_index *index = hierarchy->index;
    uint32_t n_codes = mgl_dictionary_size(dictionary);
    uint32_t missing = mgl_dictionary_missing(dictionary);
    for (uint32_t code = 0; code < n_codes; code++) {
        mgl_span value = mgl_dictionary_value(dictionary, code);
        if (code == missing && hierarchy->missing_leaf != MGL_NOT_FOUND) {
            leaf_of_code[code] = hierarchy->missing_leaf;
            continue;
        }
        uint32_t label = mgl_map_find(index->labels, value);
        uint32_t level = label != MGL_NOT_FOUND ? index->level[label] : MGL_NOT_FOUND;
        if (level == 0)
            leaf_of_code[code] = index->value[label];
        else if (level != MGL_NOT_FOUND && hierarchy->n_stand_ins > 0)
            leaf_of_code[code] = hierarchy->levels[level].stand_in[index->value[label]];
        else if (hierarchy->star_leaf != MGL_NOT_FOUND && mgl_span_is(value, "*"))
            leaf_of_code[code] = hierarchy->star_leaf;
        else
            return fail_lacks(hierarchy, column, dictionary, value, err);
    }
    return MGL_OK;
}

bool mgl_hierarchy_find(const mgl_hierarchy *hierarchy, mgl_span label, uint32_t *level,
                        uint32_t *value)
{
    const struct mgl_label_index *index = hierarchy->index;
    if (hierarchy->by_level)
        return mgl_hierarchy_find_at(hierarchy, index->read, label, level, value);
    uint32_t number = mgl_map_find(index->labels, label);
    if (number == MGL_NOT_FOUND || index->level[number] == MGL_NOT_FOUND)
        return false;
    *level = index->level[number];
    *value = index->value[number];
    return true;
}

bool mgl_hierarchy_find_at(const mgl_hierarchy *hierarchy, uint32_t read, mgl_span label,
                           uint32_t *level, uint32_t *value)
{
    const struct mgl_label_index *index = hierarchy->index;
    if (!hierarchy->by_level)
        return mgl_hierarchy_find(hierarchy, label, level, value);
    uint32_t number = mgl_map_find(index->labels, label);
    if (number == MGL_NOT_FOUND)
        return false;
    *level = read < hierarchy->height ? read : hierarchy->height;
    *value = index->at_level[*level * index->n_labels + number];
    if (*value != MGL_NOT_FOUND)
        return true;
    *level = hierarchy->height;
    *value = index->at_level[*level * index->n_labels + number];
    return *value != MGL_NOT_FOUND;
}

bool mgl_hierarchy_is_repeated(const mgl_hierarchy *hierarchy, mgl_span label)
{
    for (uint32_t l = 1; hierarchy->repeats && l < hierarchy->height; l++) {
        const mgl_level *level = &hierarchy->levels[l];
        for (uint32_t v = 0; level->given != NULL && v < level->n_values; v++)
            if (mgl_span_equal(level->given[v], label) && !mgl_span_equal(level->labels[v], label))
                return true;
    }
    return false;
}

mgl_status mgl_hierarchy_check_texts(const mgl_hierarchy *hierarchy, const char *column,
                                     const mgl_dictionary *released, mgl_error *err)
{
    if (!hierarchy->repeats || hierarchy->by_level)
        return MGL_OK;
    for (uint32_t l = 1; l < hierarchy->height; l++) {
        const mgl_level *level = &hierarchy->levels[l];
        for (uint32_t v = 0; level->given != NULL && v < level->n_values; v++)
            if (!mgl_span_equal(level->given[v], level->labels[v]) &&
                mgl_dictionary_find(released, level->given[v]) != MGL_NOT_FOUND)
                return mgl_fail_attribute(
                    err, MGL_CODE_CONFLICT, column, "released-level",
                    "column '%.60s': '%.*s' stands for different values on different levels of its "
                    "hierarchy; name the result of the release by `against`, or the level of its "
                    "cells by `released-level: %.60s=%u` (or another one)",
                    column, mgl_span_width(level->given[v]), level->given[v].data, column, l);
    }
    return MGL_OK;
}

/* The levels with the labels that they were given, each value the lowest of its label. */
static mgl_status label_levels(mgl_hierarchy *h, mgl_error *err)
{
    mgl_level *levels = mgl_arena_alloc(h->arena, ((size_t)h->height + 1) * sizeof *levels);
    MGL_TRY(mgl_check_memory(levels != NULL, err));
    for (uint32_t l = 0; l <= h->height; l++) {
        levels[l] = h->levels[l];
        uint32_t *lowest = mgl_arena_alloc(h->arena, levels[l].n_values * sizeof *lowest);
        MGL_TRY(mgl_check_memory(lowest != NULL, err));
        for (uint32_t v = 0; v < levels[l].n_values; v++)
            lowest[v] = l;
        levels[l].lowest = lowest;
        if (levels[l].given != NULL)
            levels[l].labels = levels[l].given;
    }
    h->levels = levels;
    return MGL_OK;
}

mgl_status mgl_hierarchy_read_at(mgl_hierarchy *hierarchy, uint32_t level, mgl_error *err)
{
    const struct mgl_label_index *index = hierarchy->index;
    size_t n = mgl_map_size(index->labels), n_levels = (size_t)hierarchy->height + 1;
    if (!hierarchy->repeats || hierarchy->n_stand_ins > 0)
        return MGL_OK;
    uint32_t *at_level = mgl_arena_alloc(hierarchy->arena, n_levels * n * sizeof *at_level);
    struct mgl_label_index *both = mgl_arena_alloc(hierarchy->arena, sizeof *both);
    MGL_TRY(mgl_check_memory(at_level != NULL && both != NULL, err));
    MGL_TRY(label_levels(hierarchy, err));
    memset(at_level, 0xff, n_levels * n * sizeof *at_level);
    for (size_t l = 0; l < n_levels; l++)
        for (uint32_t v = 0; v < hierarchy->levels[l].n_values; v++)
            at_level[l * n + mgl_map_find(index->labels, hierarchy->levels[l].labels[v])] = v;
    *both = *index;
    both->at_level = at_level;
    both->n_labels = n;
    both->read = level;
    hierarchy->index = both;
    hierarchy->by_level = true;
    return MGL_OK;
}

void mgl_hierarchy_write(const mgl_hierarchy *hierarchy, mgl_buffer *out)
{
    for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++) {
        for (uint32_t level = 0; level <= hierarchy->height; level++) {
            const mgl_level *at = &hierarchy->levels[level];
            if (level > 0)
                mgl_buffer_append(out, ";", 1);
            /* Quotes a label that holds a character which the reader would rather take for the
             * delimiter than the semicolon. */
            mgl_span label = (at->given != NULL ? at->given : at->labels)[at->of_leaf[leaf]];
            bool tab = memchr(label.data, '\t', label.size) != NULL;
            mgl_text_quote(out, label, tab ? '\t' : ';', false);
        }
        mgl_buffer_append(out, "\n", 1);
    }
}

bool mgl_hierarchy_same(const mgl_hierarchy *a, const mgl_hierarchy *b)
{
    if (a == b)
        return true;
    if (a->height != b->height || a->n_leaves != b->n_leaves || a->missing_leaf != b->missing_leaf)
        return false;
    for (uint32_t l = 0; l <= a->height; l++) {
        const mgl_level *x = &a->levels[l], *y = &b->levels[l];
        if (x->n_values != y->n_values ||
            memcmp(x->of_leaf, y->of_leaf, a->n_leaves * sizeof *x->of_leaf) != 0)
            return false;
        for (uint32_t v = 0; v < x->n_values; v++)
            if (!mgl_span_equal(x->labels[v], y->labels[v]))
                return false;
    }
    return true;
}
