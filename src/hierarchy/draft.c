/* Drafts of hierarchies: levels of labels and the parent of each label, checked and assembled into
 * a hierarchy with leaves in order. */
#include "hierarchy/draft.h"

#include <stdarg.h>
#include <stdio.h>

mgl_status mgl_draft_begin(mgl_draft *draft, const char *spec, const char *column,
                           const mgl_dictionary *dictionary, mgl_error *err)
{
    *draft = (mgl_draft){.column = column, .spec = spec};
    uint32_t missing = mgl_dictionary_missing(dictionary);
    if (missing != MGL_NOT_FOUND) {
        draft->has_missing = true;
        draft->missing = mgl_dictionary_value(dictionary, missing);
    }
    draft->labels = mgl_map_new();
    return draft->labels != NULL ? MGL_OK : mgl_fail_memory(err);
}

void mgl_draft_end(mgl_draft *draft)
{
    mgl_map_free(draft->labels);
    mgl_free(draft->cells);
    mgl_free(draft->lines);
    mgl_free(draft->own_file);
    mgl_buffer_free(&draft->resolved);
    *draft = (mgl_draft){0};
}

mgl_status mgl_draft_name_file(mgl_draft *draft, mgl_span name, mgl_error *err)
{
    mgl_buffer path = {0};
    mgl_buffer_span(&path, name);
    MGL_TRY(mgl_buffer_take(&path, err, &draft->own_file));
    draft->file = draft->own_file;
    return MGL_OK;
}

bool mgl_draft_is_missing(const mgl_draft *draft, mgl_span text)
{
    return draft->has_missing && mgl_span_equal(draft->missing, text);
}

mgl_status mgl_draft_add_row(mgl_draft *draft, uint64_t line, mgl_error *err)
{
    /* Room for the leaves that no row lists is kept below the largest number. */
    if (draft->n_rows >= MGL_NOT_FOUND - 4)
        return mgl_draft_fail(draft, line, err, "more than 4 thousand million values");
    size_t rows = (size_t)draft->n_rows + 1;
    MGL_TRY(mgl_grow_array(&draft->cells, &draft->cells_capacity, rows * draft->n_levels,
                           sizeof *draft->cells, err));
    if (draft->file != NULL) {
        MGL_TRY(
            mgl_grow_array(&draft->lines, &draft->lines_capacity, rows, sizeof *draft->lines, err));
        draft->lines[draft->n_rows] = line;
    }
    draft->n_rows++;
    return MGL_OK;
}

mgl_status mgl_draft_put(mgl_draft *draft, uint32_t level, mgl_span label, mgl_error *err)
{
    uint32_t *cell = &draft->cells[(size_t)(draft->n_rows - 1) * draft->n_levels + level];
    /* Neighbours mostly share their higher labels: a look at the row before saves
     * most of the hashing of a million leaves. */
    if (level > 0 && draft->n_rows > 1) {
        uint32_t before = *(cell - draft->n_levels);
        if (mgl_span_equal(mgl_map_text(draft->labels, before), label)) {
            *cell = before;
            return MGL_OK;
        }
    }
    *cell = mgl_map_add(draft->labels, label);
    return *cell != MGL_NOT_FOUND ? MGL_OK : mgl_fail_memory(err);
}

void mgl_draft_repeat(mgl_draft *draft, uint32_t level)
{
    uint32_t *cell = &draft->cells[(size_t)(draft->n_rows - 1) * draft->n_levels + level];
    *cell = *(cell - draft->n_levels);
}

mgl_status mgl_draft_fail(const mgl_draft *draft, uint64_t line, mgl_error *err, const char *format,
                          ...)
{
    char text[800];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    mgl_status status =
        draft->file != NULL ? mgl_fail_at(err, MGL_CODE_HIERARCHY, draft->file, line, "%s", text)
        : draft->column == NULL ? mgl_fail(err, MGL_CODE_BUILDER, "%.100s: %s", draft->spec, text)
                                : mgl_fail(err, MGL_CODE_BUILDER, "column '%.60s', %.100s: %s",
                                           draft->column, draft->spec, text);
    return mgl_blame_attribute(err, status, draft->column, "hierarchy");
}

static mgl_span label_of(const mgl_draft *draft, uint32_t row, uint32_t level)
{
    return mgl_map_text(draft->labels, mgl_draft_cell(draft, row, level));
}

static uint64_t line_of(const mgl_draft *draft, uint32_t row)
{
    return draft->lines != NULL && row < draft->n_rows ? draft->lines[row] : 0;
}

/* row and other_row carry the same label on level and different ones above it. */
static mgl_status draft_fail_parents(const mgl_draft *draft, uint32_t level, uint32_t row,
                                     uint32_t other_row, mgl_error *err)
{
    mgl_span child = label_of(draft, row, level);
    mgl_span parent = label_of(draft, row, level + 1);
    mgl_span other = label_of(draft, other_row, level + 1);
    const char *what = level == 0 ? "the ground value" : "the label";
    return mgl_draft_fail(draft, line_of(draft, row), err,
                          "%s '%.*s' (level %u) becomes '%.*s' here but '%.*s' on line %llu; a "
                          "value has one parent: make the two lines agree",
                          what, mgl_span_width(child), child.data, level, mgl_span_width(parent),
                          parent.data, mgl_span_width(other), other.data,
                          (unsigned long long)line_of(draft, other_row));
}

/* A leaf under one of the two values but not under both: they are known to differ. */
static uint32_t leaf_in_one(mgl_level_value low, mgl_level_value high)
{
    uint32_t leaf = 0;
    while ((low.level->of_leaf[leaf] == low.value) == (high.level->of_leaf[leaf] == high.value))
        leaf++;
    return leaf;
}

/* top: `high` is the top, whose label stays what it is; else its label cannot be distinguished
 * since the text for that is a label, too. */
static mgl_status draft_fail_cover(const mgl_draft *draft, mgl_level_value low,
                                   mgl_level_value high, bool top, mgl_error *err)
{
    mgl_span label = low.level->labels[low.value];
    uint32_t low_leaf = low.level->first_leaf[low.value];
    uint32_t covered = low.level->leaves[low.value];
    uint32_t leaf = leaf_in_one(low, high);
    if (low_leaf >= draft->n_rows) /* no row lists it: the missing value */
        return mgl_draft_fail(
            draft, line_of(draft, leaf), err,
            "'%.*s' is the label of other values on level %u, but missing cells "
            "are released as '%.*s' too; rename the label, or let `missing` begin "
            "with another token",
            mgl_span_width(label), label.data, high.number, mgl_span_width(label), label.data);
    if (draft->file != NULL && top)
        return mgl_draft_fail(
            draft, line_of(draft, leaf), err,
            "the label '%.*s' covers %u value%s on level %u (line %llu) but all of them on level "
            "%u, %s, which suppressed rows have in every release: rename one of the two",
            mgl_span_width(label), label.data, covered, covered == 1 ? "" : "s", low.number,
            (unsigned long long)line_of(draft, low_leaf), high.number,
            high.number >= draft->n_levels ? "the top that was added" : "the last one");
    if (draft->file != NULL)
        return mgl_draft_fail(
            draft, line_of(draft, leaf), err,
            "the label '%.*s' covers %u value%s on level %u (line %llu) but other ones, %u, on "
            "level %u; there it would read '%.*s (LEVEL %u)', which is a label already: rename one "
            "of them",
            mgl_span_width(label), label.data, covered, covered == 1 ? "" : "s", low.number,
            (unsigned long long)line_of(draft, low_leaf), high.level->leaves[high.value],
            high.number, mgl_span_width(label), label.data, high.number);
    char ground[MGL_SHOWN], shown[MGL_SHOWN];
    mgl_shown(label_of(draft, low_leaf, 0), ground);
    mgl_shown(label, shown);
    return mgl_draft_fail(
        draft, 0, err,
        "the value '%s' is called '%s' on level %u, but on level %u '%s' covers other "
        "values too; take another builder, or write a hierarchy file with names of your own",
        ground, shown, low.number, high.number, shown);
}

typedef struct assembly {
    mgl_draft *draft;
    mgl_hierarchy *hierarchy;
    mgl_level *levels;
    uint32_t top_label, star_label, missing_label; /* MGL_NOT_FOUND: none */
    uint32_t missing_leaf, star_leaf;              /* leaves no row lists */
    uint32_t *index_level, *index_value;           /* [n_labels], owned by the arena */
    size_t n_labels;
    uint32_t *value_of_label; /* [labels] on the level at work */
    uint32_t *first_of_value; /* [leaves] scratch */
} assembly;

static uint32_t label_at(const assembly *a, uint32_t level, uint32_t leaf)
{
    if (level == a->hierarchy->height)
        return a->top_label;
    if (leaf < a->draft->n_rows)
        return mgl_draft_cell(a->draft, leaf, level);
    return leaf == a->missing_leaf ? a->missing_label : a->star_label;
}

/* Values get their numbers in the order of their first leaf. */
static mgl_status number_level(assembly *a, uint32_t level_number, mgl_error *err)
{
    mgl_level *level = &a->levels[level_number];
    mgl_arena *arena = a->hierarchy->arena;
    uint32_t n_leaves = a->hierarchy->n_leaves, n_values = 0;
    uint32_t *of_leaf = mgl_arena_alloc(arena, n_leaves * sizeof *of_leaf);
    MGL_TRY(mgl_check_memory(of_leaf != NULL, err));
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        uint32_t *value = &a->value_of_label[label_at(a, level_number, leaf)];
        if (*value == MGL_NOT_FOUND) {
            *value = n_values;
            a->first_of_value[n_values++] = leaf;
        }
        of_leaf[leaf] = *value;
    }
    mgl_span *labels = mgl_arena_alloc(arena, n_values * sizeof *labels);
    uint32_t *leaves = mgl_arena_alloc(arena, n_values * sizeof *leaves);
    uint32_t *first_leaf = mgl_arena_alloc(arena, n_values * sizeof *first_leaf);
    MGL_TRY(mgl_check_memory(labels != NULL && leaves != NULL && first_leaf != NULL, err));
    for (uint32_t value = 0; value < n_values; value++) {
        uint32_t label = label_at(a, level_number, a->first_of_value[value]);
        labels[value] = mgl_map_text(a->draft->labels, label);
        first_leaf[value] = a->first_of_value[value];
        leaves[value] = 0;
        a->value_of_label[label] = MGL_NOT_FOUND; /* clean for the next level */
    }
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        leaves[of_leaf[leaf]]++;
    *level = (mgl_level){.n_values = n_values,
                         .labels = labels,
                         .leaves = leaves,
                         .first_leaf = first_leaf,
                         .of_leaf = of_leaf};
    return MGL_OK;
}

/* Links the values of a level to those of the next: the check that each level is a
 * function of the one below. */
static mgl_status link_level(assembly *a, uint32_t level_number, mgl_error *err)
{
    mgl_level *level = &a->levels[level_number];
    const mgl_level *above = level + 1;
    uint32_t *parent = mgl_arena_alloc(a->hierarchy->arena, level->n_values * sizeof *parent);
    MGL_TRY(mgl_check_memory(parent != NULL, err));
    for (uint32_t value = 0; value < level->n_values; value++)
        parent[value] = above->of_leaf[level->first_leaf[value]];
    for (uint32_t leaf = 0; leaf < a->hierarchy->n_leaves; leaf++) {
        uint32_t value = level->of_leaf[leaf];
        if (parent[value] != above->of_leaf[leaf])
            return draft_fail_parents(a->draft, level_number, leaf, level->first_leaf[value], err);
    }
    level->parent = parent;
    return MGL_OK;
}

/* Room for one label more in the index. */
static mgl_status extend_index(assembly *a, uint32_t label, mgl_error *err)
{
    size_t room = a->n_labels;
    if (label < room)
        return MGL_OK;
    uint32_t *level = mgl_arena_alloc(a->hierarchy->arena, 2 * room * sizeof *level);
    uint32_t *value = mgl_arena_alloc(a->hierarchy->arena, 2 * room * sizeof *value);
    MGL_TRY(mgl_check_memory(level != NULL && value != NULL, err));
    memset(level, 0xff, 2 * room * sizeof *level);
    memcpy(level, a->index_level, room * sizeof *level);
    memcpy(value, a->index_value, room * sizeof *value);
    a->index_level = level;
    a->index_value = value;
    a->n_labels = 2 * room;
    return MGL_OK;
}

/* Calls a value otherwise than the hierarchy does, which is kept in `given`. */
static mgl_status rename_value(assembly *a, uint32_t level_number, uint32_t value, mgl_span label,
                               mgl_error *err)
{
    mgl_level *level = &a->levels[level_number];
    mgl_span *labels = (mgl_span *)level->labels;
    if (level->given == NULL) {
        mgl_span *given = mgl_arena_alloc(a->hierarchy->arena, level->n_values * sizeof *given);
        MGL_TRY(mgl_check_memory(given != NULL, err));
        level->given = memcpy(given, labels, level->n_values * sizeof *given);
    }
    labels[value] = label;
    a->hierarchy->repeats = true;
    return MGL_OK;
}

/* Gives a value whose label stands for other values on a lower level one of its own. Fails for the
 * top, beside which suppressed rows stand in every release, for the label of missing cells, and
 * where the new label is taken. */
static mgl_status distinguish(assembly *a, mgl_level_value low, mgl_level_value high,
                              mgl_error *err, uint32_t *out)
{
    mgl_map *map = a->draft->labels;
    mgl_buffer text = {0};
    size_t before = mgl_map_size(map);
    bool top = high.number == a->hierarchy->height;
    if (top || low.level->first_leaf[low.value] >= a->draft->n_rows)
        return draft_fail_cover(a->draft, low, high, top, err);
    mgl_buffer_span(&text, high.level->labels[high.value]);
    mgl_buffer_format(&text, " (LEVEL %u)", high.number);
    *out = text.failed ? MGL_NOT_FOUND : mgl_map_add(map, (mgl_span){text.data, text.size});
    mgl_buffer_free(&text);
    MGL_TRY(mgl_check_memory(*out != MGL_NOT_FOUND, err));
    if (*out < before)
        return draft_fail_cover(a->draft, low, high, top, err);
    MGL_TRY(extend_index(a, *out, err));
    return rename_value(a, high.number, high.value, mgl_map_text(map, *out), err);
}

/* The value of the level below that covers the same and is called the same in the hierarchy, but
 * was distinguished there; MGL_NOT_FOUND: none. */
static uint32_t same_below(const assembly *a, uint32_t level_number, uint32_t value)
{
    const mgl_level *level = &a->levels[level_number];
    if (level_number == 0 || level[-1].given == NULL)
        return MGL_NOT_FOUND;
    const mgl_level *below = level - 1;
    uint32_t leaf = level->first_leaf[value], child = below->of_leaf[leaf];
    bool same = below->leaves[child] == level->leaves[value] &&
                label_at(a, level_number, leaf) == label_at(a, level_number - 1, leaf) &&
                !mgl_span_equal(below->labels[child], below->given[child]);
    return same ? child : MGL_NOT_FOUND;
}

/* Notes the lowest level of each label; one that covers other leaves on a higher level is
 * distinguished there. The levels below are nested already, so equal sizes and equal first leaves
 * mean equal sets. */
static mgl_status index_level(assembly *a, uint32_t level_number, mgl_error *err)
{
    mgl_level *level = &a->levels[level_number];
    uint32_t *lowest = mgl_arena_alloc(a->hierarchy->arena, level->n_values * sizeof *lowest);
    MGL_TRY(mgl_check_memory(lowest != NULL, err));
    for (uint32_t value = 0; value < level->n_values; value++) {
        uint32_t label = label_at(a, level_number, level->first_leaf[value]);
        uint32_t low = a->index_level[label], child = same_below(a, level_number, value);
        lowest[value] = level_number;
        if (child != MGL_NOT_FOUND && level_number < a->hierarchy->height) {
            lowest[value] = level[-1].lowest[child];
            MGL_TRY(rename_value(a, level_number, value, level[-1].labels[child], err));
            continue;
        }
        if (low != MGL_NOT_FOUND) {
            uint32_t low_value = a->index_value[label];
            const mgl_level *below = &a->levels[low];
            uint32_t first = below->first_leaf[low_value];
            if (below->leaves[low_value] == level->leaves[value] &&
                first == level->first_leaf[value]) {
                lowest[value] = low;
                continue;
            }
            /* A cell '*' in the data is no fault of the hierarchy: `check` takes it
             * as a plain value, `anonymize` refuses it by star_leaf. In a released
             * text '*' is the top, so the index points there. */
            bool star = level_number == a->hierarchy->height && low == 0 &&
                        first >= a->draft->n_rows && mgl_span_is(level->labels[value], "*");
            if (!star)
                MGL_TRY(distinguish(a, (mgl_level_value){below, low, low_value},
                                    (mgl_level_value){level, level_number, value}, err, &label));
        }
        a->index_level[label] = level_number;
        a->index_value[label] = value;
    }
    level->lowest = lowest;
    return MGL_OK;
}

/* Does the draft end in a single value that is more than its ground values? */
static bool ends_in_top(const mgl_draft *draft)
{
    if (draft->built || draft->n_levels < 2 || draft->n_rows == 0)
        return false;
    uint32_t last = draft->n_levels - 1, label = mgl_draft_cell(draft, 0, last);
    for (uint32_t row = 1; row < draft->n_rows; row++)
        if (mgl_draft_cell(draft, row, last) != label)
            return false;
    return true;
}

static mgl_status add_labels(assembly *a, bool ends, mgl_error *err)
{
    mgl_draft *draft = a->draft;
    mgl_span star = mgl_span_of("*");
    a->top_label =
        ends ? mgl_draft_cell(draft, 0, draft->n_levels - 1) : mgl_map_add(draft->labels, star);
    bool failed = a->top_label == MGL_NOT_FOUND;
    a->missing_leaf = a->star_leaf = a->missing_label = a->star_label = MGL_NOT_FOUND;
    uint32_t leaf = draft->n_rows;
    if (draft->has_star) {
        a->star_leaf = leaf++;
        a->star_label = mgl_map_add(draft->labels, star);
        failed = failed || a->star_label == MGL_NOT_FOUND;
    }
    if (draft->has_missing) {
        a->missing_leaf = leaf++;
        a->missing_label = mgl_map_add(draft->labels, draft->missing);
        failed = failed || a->missing_label == MGL_NOT_FOUND;
    }
    a->hierarchy->n_leaves = leaf;
    a->hierarchy->missing_leaf = a->missing_leaf;
    a->hierarchy->height = draft->n_levels - (ends ? 1 : 0);
    return failed ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status make_room(assembly *a, mgl_error *err)
{
    size_t n_labels = mgl_map_size(a->draft->labels);
    mgl_hierarchy *h = a->hierarchy;
    a->levels = mgl_arena_alloc(h->arena, ((size_t)h->height + 1) * sizeof *a->levels);
    a->n_labels = n_labels;
    a->index_level = mgl_arena_alloc(h->arena, n_labels * sizeof *a->index_level);
    a->index_value = mgl_arena_alloc(h->arena, n_labels * sizeof *a->index_value);
    a->value_of_label = mgl_alloc_array(n_labels, sizeof *a->value_of_label);
    a->first_of_value = mgl_alloc_array(h->n_leaves, sizeof *a->first_of_value);
    h->source = mgl_arena_copy(h->arena, a->draft->spec, strlen(a->draft->spec));
    const mgl_buffer *resolved = &a->draft->resolved;
    h->resolved =
        resolved->size > 0 ? mgl_arena_copy(h->arena, resolved->data, resolved->size) : h->source;
    h->levels = a->levels;
    if (resolved->failed || h->resolved == NULL || a->levels == NULL || a->index_level == NULL ||
        a->index_value == NULL || a->value_of_label == NULL || a->first_of_value == NULL ||
        h->source == NULL)
        return mgl_fail_memory(err);
    memset(a->index_level, 0xff, n_labels * sizeof *a->index_level);
    memset(a->value_of_label, 0xff, n_labels * sizeof *a->value_of_label);
    return MGL_OK;
}

static mgl_status assemble(assembly *a, mgl_error *err)
{
    mgl_hierarchy *h = a->hierarchy;
    MGL_TRY(add_labels(a, ends_in_top(a->draft), err));
    if (h->n_leaves == 0)
        return mgl_fail_attribute(err, MGL_CODE_HIERARCHY, a->draft->column, "hierarchy",
                                  "column '%.60s' has no values",
                                  a->draft->column != NULL ? a->draft->column : "?");
    MGL_TRY(make_room(a, err));
    for (uint32_t level = 0; level <= h->height; level++) {
        MGL_TRY(number_level(a, level, err));
        if (level > 0)
            MGL_TRY(link_level(a, level - 1, err));
        MGL_TRY(index_level(a, level, err));
    }
    /* A '*' is fine where it is the top itself: a column that is suppressed as a whole. */
    uint32_t star = mgl_map_find(a->draft->labels, mgl_span_of("*"));
    h->star_leaf = a->star_leaf;
    if (star != MGL_NOT_FOUND && a->index_level[star] == 0)
        h->star_leaf = a->index_value[star];
    else if (a->missing_label == star && star != MGL_NOT_FOUND)
        h->star_leaf = a->missing_leaf;
    if (h->n_leaves == 1 && a->top_label == star)
        h->star_leaf = MGL_NOT_FOUND;
    struct mgl_label_index *index = mgl_arena_alloc(h->arena, sizeof *index);
    MGL_TRY(mgl_check_memory(index != NULL, err));
    *index = (struct mgl_label_index){
        .labels = a->draft->labels, .level = a->index_level, .value = a->index_value};
    h->index = index;
    a->draft->labels = NULL; /* the hierarchy's from here on */
    return MGL_OK;
}

mgl_status mgl_draft_assemble(mgl_draft *draft, mgl_error *err, mgl_hierarchy **out)
{
    mgl_arena *arena = mgl_arena_new();
    mgl_hierarchy *hierarchy = arena != NULL ? mgl_arena_alloc(arena, sizeof *hierarchy) : NULL;
    if (hierarchy == NULL) {
        mgl_arena_free(arena);
        return mgl_fail_memory(err);
    }
    *hierarchy = (mgl_hierarchy){.arena = arena};
    assembly a = {.draft = draft, .hierarchy = hierarchy};
    mgl_status status = assemble(&a, err);
    mgl_free(a.value_of_label);
    mgl_free(a.first_of_value);
    if (status == MGL_OK)
        *out = hierarchy;
    else
        mgl_hierarchy_free(hierarchy);
    return status;
}
