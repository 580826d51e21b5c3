/* The values that columns are released as: numbers them so that equal texts have equal numbers, for
 * hierarchies and for values that a search makes. */
#include "recoding/recoding.h"

struct mgl_made_values {
    mgl_map *labels; /* numbered in the order of adding */
    mgl_arena *arena;
    mgl_scale *scale;
    double width;                    /* from the least to the greatest number of the data */
    size_t room;                     /* for released values */
    size_t n_listed, room_of_listed; /* leaves of sets and modes */
};

/* Frees what a column of ranges, averages or sets has beyond others. */
static void made_values_free(mgl_released_column *column)
{
    struct mgl_made_values *made = column->made;
    if (made == NULL)
        return;
    mgl_map_free(made->labels);
    mgl_arena_free(made->arena);
    mgl_scale_free(made->scale);
    mgl_free(column->listed);
    mgl_free(made);
}

/* Every leaf is released as the top on every level, the missing value as itself below it. */
static mgl_status fill_levels(mgl_released_column *column, mgl_error *err)
{
    const mgl_hierarchy *h = column->hierarchy;
    column->n_levels = h->height + 1;
    MGL_TRY(mgl_new_zeroed(column->n_levels, sizeof *column->of_leaf, err, &column->of_leaf));
    for (uint32_t l = 0; l <= h->height; l++) {
        MGL_TRY(mgl_new_zeroed(h->n_leaves, sizeof **column->of_leaf, err, &column->of_leaf[l]));
        if (h->missing_leaf != MGL_NOT_FOUND && l < h->height)
            column->of_leaf[l][h->missing_leaf] = 1;
    }
    return MGL_OK;
}

static mgl_status fill(mgl_released_column *column, mgl_error *err)
{
    struct mgl_made_values *made = column->made;
    const mgl_hierarchy *h = column->hierarchy;
    made->labels = mgl_map_new();
    made->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(made->labels != NULL && made->arena != NULL &&
                                 mgl_grow(&column->values, &made->room, 2, sizeof *column->values),
                             err));
    column->values[column->n_values++] = (mgl_released_value){
        .label = h->levels[h->height].labels[0],
        .level = (int32_t)h->height,
        .leaves = h->n_leaves,
        .loss = h->n_leaves > 1,
    };
    if (h->missing_leaf != MGL_NOT_FOUND)
        column->values[column->n_values++] =
            (mgl_released_value){.label = h->levels[0].labels[h->missing_leaf],
                                 .leaves = 1,
                                 .first_leaf = h->missing_leaf,
                                 .missing = true};
    column->first_made = column->n_values;
    return fill_levels(column, err);
}

mgl_status mgl_made_column_new(const mgl_hierarchy *hierarchy, mgl_scale *scale, double least,
                               double most, mgl_error *err, mgl_released_column **out)
{
    mgl_released_column *column = mgl_zeroed_array(1, sizeof *column);
    struct mgl_made_values *made = mgl_zeroed_array(1, sizeof *made);
    if (column == NULL || made == NULL) {
        mgl_free(column);
        mgl_free(made);
        mgl_scale_free(scale);
        return mgl_fail_memory(err);
    }
    *made = (struct mgl_made_values){.scale = scale, .width = most - least};
    *column = (mgl_released_column){.hierarchy = hierarchy, .scale = scale, .made = made};
    mgl_status status = fill(column, err);
    if (status != MGL_OK) {
        mgl_released_column_free(column);
        return status;
    }
    *out = column;
    return MGL_OK;
}

/* Lets the value stand for all leaves between its own and these. */
static void widen(const mgl_released_column *column, mgl_released_value *value, uint32_t first,
                  uint32_t last)
{
    const mgl_scale *scale = column->scale;
    uint32_t end = value->begin + value->leaves;
    if (value->leaves > 0) {
        first = first < value->begin ? first : value->begin;
        last = last + 1 > end ? last : end - 1;
    }
    double width = scale->of_leaf[scale->ordered[last]] - scale->of_leaf[scale->ordered[first]];
    value->begin = first;
    value->leaves = last + 1 - first;
    value->first_leaf = scale->ordered[first];
    value->loss = column->made->width > 0 ? width / column->made->width : 0;
    mgl_span ground = column->hierarchy->levels[0].labels[value->first_leaf];
    value->level = value->leaves == 1 && mgl_span_equal(value->label, ground) ? 0 : -1;
}

/* The value with this label, which is added if there is none. */
static mgl_status made_label(mgl_released_column *column, mgl_span label, mgl_error *err,
                             uint32_t *out)
{
    struct mgl_made_values *made = column->made;
    if (mgl_map_find(made->labels, label) == MGL_NOT_FOUND) {
        char *copy = mgl_arena_copy(made->arena, label.data, label.size);
        if (copy == NULL || mgl_map_add(made->labels, label) == MGL_NOT_FOUND ||
            !mgl_grow(&column->values, &made->room, column->n_values + 1, sizeof *column->values))
            return mgl_fail_memory(err);
        column->values[column->n_values++] = (mgl_released_value){.label = {copy, label.size}};
    }
    *out = column->first_made + mgl_map_find(made->labels, label);
    return MGL_OK;
}

mgl_status mgl_made_value(mgl_released_column *column, mgl_span label, uint32_t first,
                          uint32_t last, mgl_error *err, uint32_t *out)
{
    MGL_TRY(made_label(column, label, err, out));
    widen(column, &column->values[*out], first, last);
    return MGL_OK;
}

/* The value of another column of the hierarchy, as it is here; MGL_NOT_FOUND if it can be none. */
static mgl_status take_value(mgl_released_column *column, const mgl_released_column *other,
                             uint32_t v, mgl_error *err, uint32_t *out)
{
    const mgl_released_value *value = &other->values[v];
    uint32_t first = value->begin, last = value->begin + value->leaves - 1;
    *out = MGL_NOT_FOUND;
    if (v == other->top)
        *out = column->top;
    else if (value->missing)
        *out = column->of_leaf[0][value->first_leaf];
    if (*out != MGL_NOT_FOUND || (other->scale == NULL && value->level != 0))
        return MGL_OK;
    if (other->scale == NULL)
        first = last = column->scale->place_of[value->first_leaf];
    return first == MGL_NOT_FOUND ? MGL_OK
                                  : mgl_made_value(column, value->label, first, last, err, out);
}

mgl_status mgl_made_column_join(mgl_released_column *column, const mgl_released_column *other,
                                mgl_error *err, uint32_t *numbers)
{
    for (uint32_t v = 0; v < other->n_values; v++)
        MGL_TRY(take_value(column, other, v, err, &numbers[v]));
    return MGL_OK;
}

/* Moves the ends to the outermost leaves of the same numbers. */
static void take_equals(const mgl_scale *scale, uint32_t *first, uint32_t *last)
{
    double low = scale->of_leaf[scale->ordered[*first]];
    double high = scale->of_leaf[scale->ordered[*last]];
    while (*first > 0 && scale->of_leaf[scale->ordered[*first - 1]] == low)
        --*first;
    while (*last + 1 < scale->n_ordered && scale->of_leaf[scale->ordered[*last + 1]] == high)
        ++*last;
}

static bool has_commas(const mgl_scale *scale)
{
    return scale->kind == MGL_SCALE_NUMBERS && scale->notation.numbers == MGL_NUMBERS_COMMA;
}

/* An end of a range as the data has it, but for thousands that are set apart: 1.234 alone would
 * leave open what it is. */
static void write_end(const mgl_scale *scale, mgl_span leaf, mgl_buffer *out)
{
    char room[MGL_PLAIN_TEXT];
    mgl_span plain;
    if (scale->kind != MGL_SCALE_NUMBERS || scale->notation.numbers == MGL_NUMBERS_PLAIN ||
        !mgl_notation_plain(&scale->notation, leaf, room, &plain)) {
        mgl_buffer_span(out, leaf);
        return;
    }
    mgl_notation_sign(&scale->notation, room, plain.size);
    mgl_buffer_span(out, plain);
}

mgl_status mgl_made_range(mgl_released_column *column, uint32_t first, uint32_t last,
                          mgl_error *err, uint32_t *out)
{
    const mgl_scale *scale = column->scale;
    const mgl_span *labels = column->hierarchy->levels[0].labels;
    take_equals(scale, &first, &last);
    mgl_span low = labels[scale->ordered[first]], high = labels[scale->ordered[last]];
    if (scale->of_leaf[scale->ordered[first]] == scale->of_leaf[scale->ordered[last]])
        return mgl_made_value(column, low, first, last, err, out);
    bool plain = scale->kind == MGL_SCALE_NUMBERS && scale->whole;
    mgl_buffer text = {0};
    mgl_buffer_text(&text, plain ? "" : "[");
    write_end(scale, low, &text);
    mgl_buffer_text(&text, plain || has_commas(scale) ? "-" : ",");
    write_end(scale, high, &text);
    mgl_buffer_text(&text, plain ? "" : "]");
    mgl_status status = text.failed ? mgl_fail_memory(err)
                                    : mgl_made_value(column, (mgl_span){text.data, text.size},
                                                     first, last, err, out);
    mgl_buffer_free(&text);
    return status;
}

/* The first leaf of the number. */
static bool find_number(const mgl_scale *scale, mgl_span label, uint32_t *out)
{
    double number;
    if (scale->kind != MGL_SCALE_NUMBERS || !mgl_notation_number(&scale->notation, label, &number))
        return false;
    *out = mgl_scale_place(scale, number);
    return *out < scale->n_ordered && scale->of_leaf[scale->ordered[*out]] == number;
}

static bool find_place(const mgl_hierarchy *hierarchy, const mgl_scale *scale, mgl_span label,
                       uint32_t *out)
{
    uint32_t level, leaf;
    if (!mgl_hierarchy_find(hierarchy, label, &level, &leaf) || level > 0)
        return scale->notation.numbers != MGL_NUMBERS_PLAIN && find_number(scale, label, out);
    *out = scale->place_of[leaf];
    return *out != MGL_NOT_FOUND;
}

/* The places that a text names, one value or the two ends of a range. */
static bool find_ends(const mgl_hierarchy *hierarchy, const mgl_scale *scale, mgl_span text,
                      uint32_t *first, uint32_t *last)
{
    bool bracketed = text.size > 2 && text.data[0] == '[' && text.data[text.size - 1] == ']';
    if (bracketed)
        text = (mgl_span){text.data + 1, text.size - 2};
    char between = bracketed && !has_commas(scale) ? ',' : '-';
    for (size_t at = 1; at + 1 < text.size; at++) {
        mgl_span low = {text.data, at}, high = {text.data + at + 1, text.size - at - 1};
        if (text.data[at] == between && find_place(hierarchy, scale, low, first) &&
            find_place(hierarchy, scale, high, last) && *first <= *last)
            return true;
    }
    return !bracketed && find_place(hierarchy, scale, text, first) &&
           find_place(hierarchy, scale, text, last);
}

bool mgl_made_range_parse(const mgl_hierarchy *hierarchy, const mgl_scale *scale, mgl_span text,
                          uint32_t *first, uint32_t *last)
{
    if (!find_ends(hierarchy, scale, text, first, last))
        return false;
    take_equals(scale, first, last);
    return true;
}

/* ---- Sets ------------------------------------------------------------------------------------ */

/* Makes values that stand for several categories: sets, which name all of them, and modes, which
 * name the most frequent one. Their leaves have no order of their own, so that each value has a
 * list of them. Microaggregation adds them. */

/* The leaves of both, each once and in order, behind all that are listed. */
static uint32_t merge(mgl_released_column *column, const mgl_released_value *value,
                      const uint32_t *leaves, uint32_t n)
{
    const uint32_t *had = column->listed + value->begin;
    uint32_t *to = column->listed + column->made->n_listed, i = 0, j = 0, both = 0;
    while (i < value->leaves || j < n) {
        uint32_t mine = i < value->leaves ? had[i] : UINT32_MAX;
        uint32_t other = j < n ? leaves[j] : UINT32_MAX;
        i += mine <= other;
        j += other <= mine;
        to[both++] = mine < other ? mine : other;
    }
    return both;
}

/* Does the value stand for all of these leaves already? */
static bool has_all(const mgl_released_column *column, const mgl_released_value *value,
                    const uint32_t *leaves, uint32_t n)
{
    const uint32_t *had = column->listed + value->begin;
    uint32_t i = 0, j = 0;
    while (i < value->leaves && j < n)
        j += had[i++] == leaves[j];
    return j == n;
}

mgl_status mgl_made_listed(mgl_released_column *column, mgl_span label, const uint32_t *leaves,
                           uint32_t n, mgl_error *err, uint32_t *out)
{
    struct mgl_made_values *made = column->made;
    MGL_TRY(made_label(column, label, err, out));
    mgl_released_value *value = &column->values[*out];
    if (value->leaves > 0 && has_all(column, value, leaves, n))
        return MGL_OK;
    MGL_TRY(mgl_grow_array(&column->listed, &made->room_of_listed,
                           made->n_listed + value->leaves + n, sizeof *column->listed, err));
    uint32_t both = merge(column, value, leaves, n);
    double others = (double)mgl_hierarchy_ground(column->hierarchy) - 1;
    value->begin = (uint32_t)made->n_listed;
    value->leaves = both;
    value->first_leaf = column->listed[value->begin];
    value->loss = others > 0 ? (both - 1) / others : 0;
    mgl_span ground = column->hierarchy->levels[0].labels[value->first_leaf];
    value->level = both == 1 && mgl_span_equal(value->label, ground) ? 0 : -1;
    made->n_listed += both;
    return MGL_OK;
}

/* ---- How sets are written -------------------------------------------------------------------- */

static bool is_plain(mgl_span value)
{
    if (value.size == 0 || value.data[0] == ' ' || value.data[value.size - 1] == ' ')
        return false;
    for (size_t i = 0; i < value.size; i++)
        if (strchr("{},\"", value.data[i]) != NULL)
            return false;
    return true;
}

static void write_member(mgl_span value, mgl_buffer *out)
{
    if (is_plain(value)) {
        mgl_buffer_span(out, value);
        return;
    }
    mgl_buffer_text(out, "\"");
    for (size_t i = 0; i < value.size; i++) {
        mgl_buffer_append(out, value.data + i, 1);
        if (value.data[i] == '"')
            mgl_buffer_text(out, "\"");
    }
    mgl_buffer_text(out, "\"");
}

/* One value that looks like a set is written as one, so that it is not taken for another. */
static void write_set(const mgl_span *values, size_t n, mgl_buffer *out)
{
    if (n == 1 && (values[0].size == 0 || values[0].data[0] != '{')) {
        mgl_buffer_span(out, values[0]);
        return;
    }
    mgl_buffer_text(out, "{");
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_text(out, i > 0 ? "," : "");
        write_member(values[i], out);
    }
    mgl_buffer_text(out, "}");
}

mgl_status mgl_made_set(mgl_released_column *column, const uint32_t *leaves, uint32_t n,
                        mgl_error *err, uint32_t *out)
{
    mgl_buffer text = {0};
    mgl_span *values = mgl_alloc_array(n, sizeof *values);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(values != NULL, err));
    for (uint32_t i = 0; i < n; i++)
        values[i] = column->hierarchy->levels[0].labels[leaves[i]];
    write_set(values, n, &text);
    if (text.failed)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_made_listed(column, (mgl_span){text.data, text.size}, leaves, n, err, out));
done:
    mgl_buffer_free(&text);
    mgl_free(values);
    return status;
}

/* ---- How they are read ----------------------------------------------------------------------- */

mgl_status mgl_made_set_parse(mgl_released_column *column, mgl_span text, mgl_error *err,
                              uint32_t *out)
{
    const mgl_hierarchy *h = column->hierarchy;
    uint32_t n_leaves = mgl_hierarchy_ground(h), n = 0;
    uint32_t *leaves = mgl_alloc_array(n_leaves, sizeof *leaves);
    size_t wanted = mgl_set_size(text);
    mgl_status status = MGL_OK;
    *out = MGL_NOT_FOUND;
    MGL_GO(mgl_check_memory(leaves != NULL, err));
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        mgl_span label = h->levels[0].labels[leaf];
        if (wanted > 0 ? mgl_set_has(text, label) : mgl_span_equal(text, label))
            leaves[n++] = leaf;
    }
    if (n > 0 && n == (wanted > 0 ? wanted : 1))
        MGL_GO(mgl_made_listed(column, text, leaves, n, err, out));
done:
    mgl_free(leaves);
    return status;
}

/* A leaf that has the value at the level, and at those above what lies above the value; of values
 * above the ground it is the stand-in, where there are such. */
static uint32_t leaf_of(const mgl_level *level, uint32_t v)
{
    return level->stand_in != NULL ? level->stand_in[v] : level->first_leaf[v];
}

static mgl_released_value value_of(const mgl_hierarchy *hierarchy, uint32_t l, uint32_t v)
{
    const mgl_level *level = &hierarchy->levels[l];
    uint32_t leaves = level->ground != NULL ? level->ground[v] : level->leaves[v];
    double others = (double)mgl_hierarchy_ground(hierarchy) - 1;
    return (mgl_released_value){
        .label = level->labels[v],
        .level = (int32_t)l,
        .leaves = leaves,
        .first_leaf = leaf_of(level, v),
        .missing = level->first_leaf[v] == hierarchy->missing_leaf &&
                           l<hierarchy->height, .loss = others> 0
                       ? (leaves - 1) / others
                       : 0,
    };
}

/* Values are numbered level by level; a value whose label stands on another level as its lowest one
 * is the value there, so that equal texts have equal numbers. */
static void number_values(mgl_released_column *column, const mgl_hierarchy *hierarchy,
                          uint32_t *const *number)
{
    for (uint32_t l = 0; l <= hierarchy->height; l++)
        for (uint32_t v = 0; v < hierarchy->levels[l].n_values; v++)
            if (hierarchy->levels[l].lowest[v] == l) {
                number[l][v] = column->n_values;
                column->values[column->n_values++] = value_of(hierarchy, l, v);
            }
    for (uint32_t l = 0; l <= hierarchy->height; l++)
        for (uint32_t v = 0; v < hierarchy->levels[l].n_values; v++) {
            const mgl_level *level = &hierarchy->levels[l];
            uint32_t lowest = level->lowest[v];
            if (lowest != l)
                number[l][v] =
                    number[lowest][hierarchy->levels[lowest].of_leaf[level->first_leaf[v]]];
        }
}

static mgl_status fill_values(mgl_released_column *column, const mgl_hierarchy *hierarchy,
                              uint32_t *const *number, mgl_error *err)
{
    number_values(column, hierarchy, number);
    for (uint32_t l = 0; l <= hierarchy->height; l++) {
        MGL_TRY(
            mgl_new_array(hierarchy->n_leaves, sizeof **column->of_leaf, err, &column->of_leaf[l]));
        for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++)
            column->of_leaf[l][leaf] = number[l][hierarchy->levels[l].of_leaf[leaf]];
    }
    column->top = number[hierarchy->height][0];
    return MGL_OK;
}

mgl_status mgl_released_column_new(const mgl_hierarchy *hierarchy, mgl_error *err,
                                   mgl_released_column **out)
{
    uint32_t levels = hierarchy->height + 1;
    size_t n_values = 0;
    for (uint32_t l = 0; l < levels; l++)
        n_values += hierarchy->levels[l].n_values;
    mgl_released_column *column = mgl_zeroed_array(1, sizeof *column);
    uint32_t **number = mgl_zeroed_array(levels, sizeof *number);
    uint32_t *numbers = mgl_alloc_array(n_values, sizeof *numbers);
    mgl_status status = MGL_OK;
    if (column == NULL || number == NULL || numbers == NULL) {
        status = mgl_fail_memory(err);
    } else {
        column->hierarchy = hierarchy;
        column->values = mgl_alloc_array(n_values, sizeof *column->values);
        column->n_levels = levels;
        column->of_leaf = mgl_zeroed_array(levels, sizeof *column->of_leaf);
        if (column->values == NULL || column->of_leaf == NULL)
            status = mgl_fail_memory(err);
    }
    if (status == MGL_OK) {
        for (uint32_t l = 0, at = 0; l < levels; at += hierarchy->levels[l++].n_values)
            number[l] = numbers + at;
        status = fill_values(column, hierarchy, number, err);
    }
    mgl_free(numbers);
    mgl_free(number);
    if (status != MGL_OK) {
        mgl_released_column_free(column);
        return status;
    }
    *out = column;
    return MGL_OK;
}

/* The hierarchy may be gone. */
void mgl_released_column_free(mgl_released_column *column)
{
    if (column == NULL)
        return;
    for (uint32_t l = 0; column->of_leaf != NULL && l < column->n_levels; l++)
        mgl_free(column->of_leaf[l]);
    mgl_free(column->of_leaf);
    mgl_free(column->values);
    made_values_free(column);
    mgl_free(column);
}

mgl_status mgl_released_labels(const mgl_released_column *column, mgl_arena *arena, mgl_error *err,
                               const mgl_span **out)
{
    mgl_span *labels = mgl_arena_alloc(arena, column->n_values * sizeof *labels);
    MGL_TRY(mgl_check_memory(labels != NULL, err));
    for (uint32_t v = 0; v < column->n_values; v++)
        labels[v] = column->values[v].label;
    *out = labels;
    return MGL_OK;
}
