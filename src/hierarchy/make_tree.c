/* Makes the hierarchy of a column: from a tree file, a table of levels, a recoding file or a
 * builder, and binds it to the values of the column. */
#include "hierarchy/builders.h"

#include <jansson.h>

typedef struct tree_reader {
    mgl_draft *draft;
    mgl_error *err;
    const json_t *path[MGL_MOST_LEVELS + 1]; /* from the top down to where it is */
} tree_reader;

static mgl_status fail_shape(const mgl_draft *draft, mgl_error *err)
{
    return mgl_draft_fail(draft, 0, err,
                          "the tree has something else than nodes; each is {\"label\": TEXT}, with "
                          "\"nodes\": [...] if there are values below it");
}

static const json_t *nodes_of(const json_t *node)
{
    return json_object_get(node, "nodes");
}

/* Finds how many levels the tree has, and whether all of it is one. A group without values is left
 * out: an editor may have emptied it. */
static mgl_status measure(const mgl_draft *draft, const json_t *node, uint32_t depth,
                          mgl_error *err, uint32_t *deepest)
{
    const json_t *nodes = nodes_of(node);
    if (!json_is_string(json_object_get(node, "label")) || (nodes != NULL && !json_is_array(nodes)))
        return fail_shape(draft, err);
    if (depth > MGL_MOST_LEVELS)
        return mgl_draft_fail(draft, 0, err, "the tree is deeper than %d levels", MGL_MOST_LEVELS);
    if (nodes == NULL && depth > *deepest)
        *deepest = depth;
    for (size_t i = 0; i < json_array_size(nodes); i++)
        MGL_TRY(measure(draft, json_array_get(nodes, i), depth + 1, err, deepest));
    return MGL_OK;
}

/* A value that is nearer to the top than others stays itself until the level below its parent. */
static mgl_status add_leaf(tree_reader *t, uint32_t depth)
{
    mgl_draft *draft = t->draft;
    uint32_t top = draft->n_levels - 1;
    MGL_TRY(mgl_draft_add_row(draft, 0, t->err));
    for (uint32_t level = 0; level <= top; level++) {
        const json_t *label =
            json_object_get(t->path[top - level < depth ? top - level : depth], "label");
        mgl_span text = {json_string_value(label), json_string_length(label)};
        MGL_TRY(mgl_draft_put(draft, level, text, t->err));
    }
    return MGL_OK;
}

static mgl_status add_nodes(tree_reader *t, const json_t *node, uint32_t depth)
{
    const json_t *nodes = nodes_of(node), *label = json_object_get(node, "label");
    mgl_span text = {json_string_value(label), json_string_length(label)};
    t->path[depth] = node;
    if (nodes == NULL &&
        (json_is_true(json_object_get(node, "missing")) || mgl_draft_is_missing(t->draft, text)))
        return MGL_OK; /* it stays itself in every tree */
    if (nodes == NULL)
        return add_leaf(t, depth);
    for (size_t i = 0; i < json_array_size(nodes); i++)
        MGL_TRY(add_nodes(t, json_array_get(nodes, i), depth + 1));
    return MGL_OK;
}

/* A value in two places would have to be released in two ways. */
static mgl_status refuse_repeated(const mgl_draft *draft, mgl_error *err)
{
    uint8_t *seen = mgl_zeroed_array(mgl_map_size(draft->labels), sizeof *seen);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(seen != NULL, err));
    for (uint32_t row = 0; row < draft->n_rows; row++) {
        uint32_t ground = mgl_draft_cell(draft, row, 0);
        mgl_span text = mgl_map_text(draft->labels, ground);
        if (seen[ground])
            MGL_GO(mgl_draft_fail(draft, 0, err,
                                  "the value '%.*s' is in the tree twice; keep one of them",
                                  mgl_span_width(text), text.data));
        seen[ground] = 1;
    }
done:
    mgl_free(seen);
    return status;
}

static mgl_status take_tree(mgl_draft *draft, const json_t *tree, mgl_error *err)
{
    tree_reader t = {.draft = draft, .err = err};
    uint32_t deepest = 0;
    MGL_TRY(measure(draft, tree, 0, err, &deepest));
    if (deepest == 0)
        return mgl_draft_fail(draft, 0, err, "the tree has no values");
    draft->n_levels = deepest + 1;
    MGL_TRY(add_nodes(&t, tree, 0));
    return refuse_repeated(draft, err);
}

/* Reads a tree in JSON (FILE.json). */
static mgl_status draft_read_tree(mgl_draft *draft, mgl_error *err)
{
    mgl_buffer text = {0};
    json_error_t wrong;
    json_t *tree = NULL;
    mgl_status status = MGL_OK;
    draft->file = draft->spec;
    MGL_GO(mgl_read_whole(draft->file, err, &text));
    tree = json_loadb(text.data != NULL ? text.data : "", text.size, 0, &wrong);
    if (tree == NULL && json_error_code(&wrong) == json_error_out_of_memory)
        MGL_GO(mgl_fail_memory(err));
    if (tree == NULL)
        MGL_GO(mgl_draft_fail(draft, (uint64_t)wrong.line, err, "this is no JSON: %.100s",
                              wrong.text));
    MGL_GO(take_tree(draft, tree, err));
done:
    json_decref(tree);
    mgl_buffer_free(&text);
    return status;
}

typedef struct file_reader {
    mgl_draft *draft;
    mgl_text_reader *reader;
    mgl_buffer scratch;
    uint32_t *row_of_label; /* [labels] the row whose ground value it is */
    size_t capacity, known;
} file_reader;

/* The row that gave this ground value before, or MGL_NOT_FOUND. */
static mgl_status row_before(file_reader *f, uint32_t label, mgl_error *err, uint32_t *out)
{
    size_t needed = mgl_map_size(f->draft->labels);
    MGL_TRY(mgl_grow_array(&f->row_of_label, &f->capacity, needed, sizeof *f->row_of_label, err));
    for (; f->known < needed; f->known++)
        f->row_of_label[f->known] = MGL_NOT_FOUND;
    *out = f->row_of_label[label];
    return MGL_OK;
}

/* The same line twice does no harm; the same value with other parents does. */
static mgl_status check_repeated(const mgl_draft *draft, uint32_t row, uint32_t before,
                                 mgl_error *err)
{
    for (uint32_t level = 1; level < draft->n_levels; level++) {
        uint32_t here = mgl_draft_cell(draft, row, level);
        uint32_t there = mgl_draft_cell(draft, before, level);
        if (here == there)
            continue;
        mgl_span ground = mgl_map_text(draft->labels, mgl_draft_cell(draft, row, 0));
        mgl_span label = mgl_map_text(draft->labels, here);
        mgl_span other = mgl_map_text(draft->labels, there);
        return mgl_draft_fail(draft, draft->lines[row], err,
                              "the ground value '%.*s' was given on line %llu with other parents "
                              "(level %u: '%.*s' here, '%.*s' there); keep one of the two lines",
                              mgl_span_width(ground), ground.data,
                              (unsigned long long)draft->lines[before], level,
                              mgl_span_width(label), label.data, mgl_span_width(other), other.data);
    }
    return MGL_OK;
}

static mgl_status read_record(file_reader *f, const mgl_field *fields, uint64_t line,
                              mgl_error *err)
{
    mgl_draft *draft = f->draft;
    f->scratch.size = 0;
    mgl_span first = mgl_field_value(fields[0], &f->scratch);
    if (f->scratch.failed)
        return mgl_fail_memory(err);
    /* A file may list the token for missing cells (NA;unknown;*), but the missing
     * value stays itself until the top, listed or not: the line is passed over, so
     * that there is one leaf for it and not two. */
    if (mgl_draft_is_missing(draft, first))
        return MGL_OK;
    MGL_TRY(mgl_draft_add_row(draft, line, err));
    for (uint32_t level = 0; level < draft->n_levels; level++) {
        f->scratch.size = 0;
        mgl_span label = mgl_field_value(fields[level], &f->scratch);
        if (f->scratch.failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_draft_put(draft, level, label, err));
    }
    uint32_t row = draft->n_rows - 1, before = MGL_NOT_FOUND;
    uint32_t ground = mgl_draft_cell(draft, row, 0);
    MGL_TRY(row_before(f, ground, err, &before));
    if (before == MGL_NOT_FOUND) {
        f->row_of_label[ground] = row;
        return MGL_OK;
    }
    MGL_TRY(check_repeated(draft, row, before, err));
    draft->n_rows--;
    return MGL_OK;
}

static mgl_status read_records(file_reader *f, mgl_error *err)
{
    mgl_records records;
    for (;;) {
        MGL_TRY(mgl_text_next(f->reader, err, &records));
        if (records.n_records == 0)
            return MGL_OK;
        if (records.n_fields > MGL_MOST_LEVELS + 1)
            return mgl_draft_fail(f->draft, 1, err,
                                  "the line has %zu fields, and a hierarchy has up to %d levels "
                                  "above its values; is this a hierarchy?",
                                  records.n_fields, MGL_MOST_LEVELS);
        f->draft->n_levels = (uint32_t)records.n_fields;
        for (size_t r = 0; r < records.n_records; r++)
            MGL_TRY(read_record(f, records.fields + r * records.n_fields,
                                mgl_text_line(f->reader, r), err));
    }
}

static mgl_status read_text(mgl_draft *draft, mgl_text_file *text, mgl_error *err)
{
    mgl_dialect dialect;
    file_reader f = {.draft = draft};
    MGL_TRY(mgl_text_sniff(text, 0, false, err, &dialect));
    MGL_TRY(mgl_text_reader_new(text, &dialect, err, &f.reader));
    mgl_status status = read_records(&f, err);
    if (status == MGL_OK && draft->n_levels == 0)
        status = mgl_draft_fail(draft, 0, err,
                                "the hierarchy is empty; write one line per value, level 0 first");
    mgl_text_reader_free(f.reader);
    mgl_buffer_free(&f.scratch);
    mgl_free(f.row_of_label);
    return status;
}

/* A file that is not there may be a misspelt builder. */
static mgl_status fail_open(const mgl_draft *draft, mgl_status status, mgl_error *err)
{
    const char *builder = mgl_builder_meant(draft->spec);
    if (builder != NULL && err != NULL && err->code == MGL_CODE_NOT_FOUND) {
        size_t used = strlen(err->message);
        snprintf(err->message + used, sizeof err->message - used, ", or write the builder %s",
                 builder);
    }
    return status;
}

/* Reads a hierarchy file into the draft. */
static mgl_status draft_read_file(mgl_draft *draft, mgl_error *err)
{
    mgl_text_file *text;
    draft->file = draft->spec;
    mgl_status status = mgl_text_open(draft->file, NULL, err, &text);
    if (status != MGL_OK)
        return fail_open(draft, status, err);
    status = read_text(draft, text, err);
    mgl_text_close(text);
    return status;
}

/* Codes that become the code of a group. */
typedef struct item {
    mgl_span low, high; /* equal: one code; an empty one is without end */
    bool range;
    uint32_t group;
    uint64_t line;
} item;

typedef struct recoding {
    mgl_draft *draft;
    const mgl_ground *ground;
    uint64_t line; /* at work */
    mgl_arena *arena;
    mgl_map *groups; /* new codes */
    item *items;
    size_t n_items, capacity;
    uint32_t *group_of; /* [ground value] MGL_NOT_FOUND: it stays */
    mgl_span *labels;   /* [group] what it is released as */
    mgl_value_labels list;
} recoding;

/* ---- Reading -------------------------------------------------------------------------- */

static mgl_status add_item(recoding *r, mgl_span text, uint32_t group, mgl_error *err)
{
    MGL_TRY(mgl_grow_array(&r->items, &r->capacity, r->n_items + 1, sizeof *r->items, err));
    const char *dash = memchr(text.data, '-', text.size);
    item *made = &r->items[r->n_items++];
    *made = (item){.low = text, .high = text, .group = group, .line = r->line};
    if (dash == NULL)
        return MGL_OK;
    size_t size = (size_t)(dash - text.data);
    made->range = true;
    made->low = mgl_span_trim((mgl_span){text.data, size});
    made->high = mgl_span_trim((mgl_span){dash + 1, text.size - size - 1});
    if (made->low.size + made->high.size == 0)
        return mgl_draft_fail(r->draft, r->line, err,
                              "'-' is a range without ends; write LO-HI, -HI or LO-");
    return MGL_OK;
}

static mgl_status read_group(recoding *r, mgl_span line, mgl_error *err)
{
    const char *colon = memchr(line.data, ':', line.size);
    if (colon == NULL)
        return mgl_draft_fail(r->draft, r->line, err,
                              "this is no recoding; write NEW: OLD, LO-HI, or a word in < >");
    size_t size = (size_t)(colon - line.data);
    mgl_span code = mgl_span_trim((mgl_span){line.data, size}), member;
    mgl_span rest = {colon + 1, line.size - size - 1};
    uint32_t group = mgl_map_add(r->groups, code);
    MGL_TRY(mgl_check_memory(group != MGL_NOT_FOUND, err));
    if (code.size == 0 || mgl_span_is(code, "*"))
        return mgl_draft_fail(r->draft, r->line, err,
                              "a new code stands before the colon, and neither nothing nor '*' is "
                              "one");
    while (mgl_next_argument(&rest, &member))
        if (member.size > 0)
            MGL_TRY(add_item(r, member, group, err));
    return MGL_OK;
}

static bool begins(mgl_span line, const char *word)
{
    for (size_t i = 0; word[i] != '\0'; i++) {
        char c = i < line.size ? line.data[i] : '\0';
        if ((c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c) != word[i])
            return false;
    }
    return true;
}

static mgl_status read_list(recoding *r, mgl_span name, mgl_error *err)
{
    const char *found;
    if (name.size >= 2 && name.data[0] == '"' && name.data[name.size - 1] == '"')
        name = (mgl_span){name.data + 1, name.size - 2};
    return mgl_code_list_beside(r->draft->file, name, r->arena, err, &found, &r->list);
}

static mgl_status read_line(void *context, mgl_span line, uint64_t number, mgl_error *err)
{
    static const char list[] = "<CODELIST>";
    recoding *r = context;
    r->line = number;
    line = mgl_span_trim(line);
    if (line.size == 0)
        return MGL_OK;
    if (begins(line, list)) {
        size_t size = sizeof list - 1;
        return read_list(r, mgl_span_trim((mgl_span){line.data + size, line.size - size}), err);
    }
    /* <MISSING> names codes for cells that stay what they are here. */
    if (line.data[0] == '<')
        return MGL_OK;
    const char *kept = mgl_arena_copy(r->arena, line.data, line.size); /* the items lie in it */
    MGL_TRY(mgl_check_memory(kept != NULL, err));
    return read_group(r, (mgl_span){kept, line.size}, err);
}

static mgl_status read_file(recoding *r, mgl_error *err)
{
    MGL_TRY(mgl_lines_each(r->draft->file, read_line, r, err));
    if (mgl_map_size(r->groups) == 0)
        return mgl_draft_fail(r->draft, 0, err,
                              "there is no recoding in it; write NEW: OLD, LO-HI");
    return MGL_OK;
}

/* ---- Applying ------------------------------------------------------------------------- */

/* Codes are texts; a range goes by numbers where all three are numbers. */
static int compare(mgl_span a, mgl_span b)
{
    double x, y;
    if (mgl_parse_double(a, &x) && mgl_parse_double(b, &y))
        return (x > y) - (x < y);
    return mgl_span_compare(a, b);
}

static bool holds(const item *i, mgl_span value)
{
    if (!i->range)
        return mgl_span_equal(i->low, value);
    return (i->low.size == 0 || compare(i->low, value) <= 0) &&
           (i->high.size == 0 || compare(value, i->high) <= 0);
}

static mgl_status find_group(const recoding *r, mgl_span value, mgl_error *err, uint32_t *out)
{
    const item *first = NULL;
    for (size_t i = 0; i < r->n_items; i++) {
        if (!holds(&r->items[i], value))
            continue;
        if (first != NULL && first->group != r->items[i].group)
            return mgl_draft_fail(r->draft, r->items[i].line, err,
                                  "the code '%.*s' is recoded on line %llu already; leave it in "
                                  "one line",
                                  mgl_span_width(value), value.data,
                                  (unsigned long long)first->line);
        first = first != NULL ? first : &r->items[i];
    }
    *out = first != NULL ? first->group : MGL_NOT_FOUND;
    return MGL_OK;
}

/* Would the new code of some group read as another value of the data? */
static bool codes_clash(const recoding *r)
{
    for (size_t i = 0; i < r->ground->n; i++) {
        uint32_t group = mgl_map_find(r->groups, r->ground->values[i].text);
        for (size_t j = 0; group != MGL_NOT_FOUND && j < r->ground->n; j++)
            if ((r->group_of[j] == group) != (j == i))
                return true;
    }
    return false;
}

/* "2: 21-30": the code, and the codes that became it. */
static mgl_status spell_out(recoding *r, uint32_t group, mgl_error *err, mgl_span *out)
{
    mgl_buffer text = {0};
    mgl_buffer_span(&text, mgl_map_text(r->groups, group));
    const char *before = ": ";
    for (size_t i = 0; i < r->n_items; i++) {
        const item *one = &r->items[i];
        if (one->group != group)
            continue;
        mgl_buffer_text(&text, before);
        before = ",";
        mgl_buffer_span(&text, one->low);
        mgl_buffer_text(&text, one->range ? "-" : "");
        if (one->range)
            mgl_buffer_span(&text, one->high);
    }
    char *copy = text.failed ? NULL : mgl_arena_copy(r->arena, text.data, text.size);
    *out = (mgl_span){copy, text.size};
    mgl_buffer_free(&text);
    return copy == NULL ? mgl_fail_memory(err) : MGL_OK;
}

/* A released code must not be taken for another: if some new code is also an old one, all go by
 * their labels, or by what they stand for. */
static mgl_status choose_labels(recoding *r, mgl_error *err)
{
    bool clash = codes_clash(r);
    size_t n = mgl_map_size(r->groups);
    r->labels = mgl_arena_alloc(r->arena, n * sizeof *r->labels);
    MGL_TRY(mgl_check_memory(r->labels != NULL, err));
    for (uint32_t g = 0; g < n; g++) {
        r->labels[g] = mgl_map_text(r->groups, g);
        if (!clash)
            continue;
        mgl_span label = mgl_label_of(&r->list, r->labels[g]);
        if (label.size > 0)
            r->labels[g] = label;
        else
            MGL_TRY(spell_out(r, g, err, &r->labels[g]));
    }
    return MGL_OK;
}

static mgl_status add_rows(recoding *r, mgl_error *err)
{
    r->draft->n_levels = 2;
    for (size_t i = 0; i < r->ground->n; i++) {
        mgl_span value = r->ground->values[i].text;
        uint32_t group = r->group_of[i];
        MGL_TRY(mgl_draft_add_row(r->draft, 0, err));
        MGL_TRY(mgl_draft_put(r->draft, 0, value, err));
        MGL_TRY(mgl_draft_put(r->draft, 1, group != MGL_NOT_FOUND ? r->labels[group] : value, err));
    }
    return MGL_OK;
}

/* Reads a global recoding of mu-Argus (FILE.grc): the values, the codes they become, '*'. */
static mgl_status draft_read_recoding(mgl_draft *draft, const mgl_dictionary *dictionary,
                                      mgl_error *err)
{
    mgl_ground ground = {0};
    recoding r = {.draft = draft, .ground = &ground};
    draft->file = draft->spec;
    draft->built = true; /* it ends in *, which is not in the file */
    r.arena = mgl_arena_new();
    r.groups = mgl_map_new();
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(r.arena != NULL && r.groups != NULL, err));
    MGL_GO(read_file(&r, err));
    MGL_GO(mgl_ground_of(dictionary, err, &ground));
    MGL_GO(mgl_new_array(r.ground->n, sizeof *r.group_of, err, &r.group_of));
    for (size_t i = 0; i < r.ground->n; i++)
        MGL_GO(find_group(&r, r.ground->values[i].text, err, &r.group_of[i]));
    MGL_GO(choose_labels(&r, err));
    draft->has_star = ground.star;
    MGL_GO(add_rows(&r, err));
done:
    mgl_ground_free(&ground);
    mgl_arena_free(r.arena);
    mgl_map_free(r.groups);
    mgl_free(r.items);
    mgl_free(r.group_of);
    return status;
}

static mgl_status fill(mgl_draft *draft, const mgl_dictionary *dictionary, mgl_error *err)
{
    if (mgl_hierarchy_is_builder(draft->spec))
        return mgl_draft_build(draft, dictionary, err);
    size_t size = strlen(draft->spec);
    if (mgl_hierarchy_is_recoding(draft->spec))
        return draft_read_recoding(draft, dictionary, err);
    if (size > 5 && strcmp(draft->spec + size - 5, ".json") == 0)
        return draft_read_tree(draft, err);
    return draft_read_file(draft, err);
}

/* Files may lack a value of the data; binding finds out. */
static mgl_status try_bind(const mgl_hierarchy *hierarchy, const char *column,
                           const mgl_dictionary *dictionary, mgl_error *err)
{
    uint32_t *leaf_of_code;
    MGL_TRY(
        mgl_new_array(mgl_dictionary_size(dictionary), sizeof *leaf_of_code, err, &leaf_of_code));
    mgl_status status = mgl_hierarchy_bind(hierarchy, column, dictionary, err, leaf_of_code);
    mgl_free(leaf_of_code);
    return status;
}

static mgl_status complete(mgl_draft *draft, const char *column, const mgl_dictionary *dictionary,
                           mgl_error *err, mgl_hierarchy **out)
{
    mgl_hierarchy *hierarchy = NULL;
    MGL_TRY(mgl_draft_assemble(draft, err, &hierarchy));
    mgl_status status = try_bind(hierarchy, column, dictionary, err);
    if (status != MGL_OK) {
        mgl_hierarchy_free(hierarchy);
        return status;
    }
    hierarchy->notation = *mgl_dictionary_notation(dictionary);
    *out = hierarchy;
    return MGL_OK;
}

mgl_status mgl_hierarchy_make(const char *spec, const char *column,
                              const mgl_dictionary *dictionary, mgl_error *err, mgl_hierarchy **out)
{
    mgl_draft draft;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_draft_begin(&draft, spec != NULL ? spec : "suppress", column, dictionary, err));
    MGL_GO(fill(&draft, dictionary, err));
    MGL_GO(complete(&draft, column, dictionary, err, out));
    (*out)->given = spec != NULL;
done:
    mgl_draft_end(&draft);
    return mgl_blame_attribute(err, status, column, "hierarchy");
}

static mgl_status fill_rows(mgl_draft *draft, const mgl_span *labels, uint32_t n_rows,
                            mgl_error *err)
{
    for (uint32_t row = 0; row < n_rows; row++) {
        MGL_TRY(mgl_draft_add_row(draft, 0, err));
        for (uint32_t level = 0; level < draft->n_levels; level++)
            MGL_TRY(mgl_draft_put(draft, level, *labels++, err));
    }
    return MGL_OK;
}

mgl_status mgl_hierarchy_of_rows(const mgl_span *labels, uint32_t n_rows, uint32_t n_levels,
                                 const char *column, const mgl_dictionary *dictionary,
                                 mgl_error *err, mgl_hierarchy **out)
{
    mgl_draft draft;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_draft_begin(&draft, "rows", column, dictionary, err));
    draft.n_levels = n_levels;
    MGL_GO(fill_rows(&draft, labels, n_rows, err));
    MGL_GO(complete(&draft, column, dictionary, err, out));
    (*out)->given = true;
done:
    mgl_draft_end(&draft);
    return status;
}

/* Leaves are in the order that all builders give them. */
static mgl_status fill_ground(mgl_draft *draft, const mgl_label_rows *rows,
                              const mgl_ground *ground, const mgl_dictionary *dictionary,
                              mgl_error *err)
{
    draft->built = true;
    draft->has_star = ground->star;
    draft->n_levels = rows->n_levels;
    for (size_t i = 0; i < ground->n; i++) {
        size_t code = mgl_dictionary_find(dictionary, ground->values[i].text);
        MGL_TRY(fill_rows(draft, rows->labels + code * rows->n_levels, 1, err));
    }
    return MGL_OK;
}

mgl_status mgl_hierarchy_of_columns(const mgl_label_rows *rows, const char *column,
                                    const mgl_dictionary *dictionary, mgl_error *err,
                                    mgl_hierarchy **out)
{
    mgl_draft draft;
    mgl_ground ground = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_draft_begin(&draft, rows->spec, column, dictionary, err));
    MGL_GO(mgl_ground_of(dictionary, err, &ground));
    MGL_GO(fill_ground(&draft, rows, &ground, dictionary, err));
    MGL_GO(complete(&draft, column, dictionary, err, out));
    (*out)->given = true;
done:
    mgl_ground_free(&ground);
    mgl_draft_end(&draft);
    return mgl_blame_attribute(err, status, column, "hierarchy");
}
