/* Reads global recodings of mu-Argus as hierarchies. A line NEW: OLD, LO-HI, -HI, LO- says which
 * codes become the new one; codes in no line stay. <CODELIST> FILE names a list of what the new
 * codes mean. tree.c calls it for files that end in .grc. */
#include "hierarchy/builders.h"

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
    mgl_lines lines;
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
    if (!mgl_grow(&r->items, &r->capacity, r->n_items + 1, sizeof *r->items))
        return mgl_fail_memory(err);
    const char *dash = memchr(text.data, '-', text.size);
    item *made = &r->items[r->n_items++];
    *made = (item){.low = text, .high = text, .group = group, .line = r->lines.number};
    if (dash == NULL)
        return MGL_OK;
    size_t size = (size_t)(dash - text.data);
    made->range = true;
    made->low = mgl_span_trim((mgl_span){text.data, size});
    made->high = mgl_span_trim((mgl_span){dash + 1, text.size - size - 1});
    if (made->low.size + made->high.size == 0)
        return mgl_draft_fail(r->draft, r->lines.number, err,
                              "'-' is a range without ends; write LO-HI, -HI or LO-");
    return MGL_OK;
}

static mgl_status read_group(recoding *r, mgl_span line, mgl_error *err)
{
    const char *colon = memchr(line.data, ':', line.size);
    if (colon == NULL)
        return mgl_draft_fail(r->draft, r->lines.number, err,
                              "this is no recoding; write NEW: OLD, LO-HI, or a word in < >");
    size_t size = (size_t)(colon - line.data);
    mgl_span code = mgl_span_trim((mgl_span){line.data, size}), member;
    mgl_span rest = {colon + 1, line.size - size - 1};
    uint32_t group = mgl_map_add(r->groups, code);
    if (group == MGL_NOT_FOUND)
        return mgl_fail_memory(err);
    if (code.size == 0 || mgl_span_is(code, "*"))
        return mgl_draft_fail(r->draft, r->lines.number, err,
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

/* The list lies beside the recoding. Made on other systems, it may be written in capitals. */
static mgl_status read_list(recoding *r, mgl_span name, mgl_error *err)
{
    mgl_buffer path = {0};
    const char *file = r->draft->file, *slash = strrchr(file, '/');
    char *joined, *found;
    if (name.size >= 2 && name.data[0] == '"' && name.data[name.size - 1] == '"')
        name = (mgl_span){name.data + 1, name.size - 2};
    if (slash != NULL && name.size > 0 && name.data[0] != '/')
        mgl_buffer_append(&path, file, (size_t)(slash - file) + 1);
    mgl_buffer_span(&path, name);
    MGL_TRY(mgl_buffer_take(&path, err, &joined));
    found = mgl_sys_any_case(joined);
    mgl_free(joined);
    if (found == NULL)
        return mgl_fail_memory(err);
    mgl_status status = mgl_code_list_read(found, r->arena, err, &r->list);
    mgl_free(found);
    return status;
}

static mgl_status read_line(recoding *r, mgl_span line, mgl_error *err)
{
    static const char list[] = "<CODELIST>";
    line = mgl_span_trim(line);
    if (line.size == 0)
        return MGL_OK;
    if (begins(line, list)) {
        size_t size = sizeof list - 1;
        return read_list(r, mgl_span_trim((mgl_span){line.data + size, line.size - size}), err);
    }
    /* <MISSING> names codes for cells that stay what they are here. */
    return line.data[0] == '<' ? MGL_OK : read_group(r, line, err);
}

static mgl_status read_file(recoding *r, mgl_error *err)
{
    mgl_span line;
    bool there = true;
    MGL_TRY(mgl_lines_open(&r->lines, r->draft->file, err));
    for (;;) {
        MGL_TRY(mgl_lines_next(&r->lines, err, &line, &there));
        if (!there)
            break;
        MGL_TRY(read_line(r, line, err));
    }
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

static mgl_status find_groups(recoding *r, mgl_error *err)
{
    r->group_of = mgl_alloc_array(r->ground->n, sizeof *r->group_of);
    if (r->group_of == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < r->ground->n; i++)
        MGL_TRY(find_group(r, r->ground->values[i].text, err, &r->group_of[i]));
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
    if (r->labels == NULL)
        return mgl_fail_memory(err);
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

mgl_status mgl_draft_read_recoding(mgl_draft *draft, const mgl_dictionary *dictionary,
                                   mgl_error *err)
{
    mgl_ground ground = {0};
    recoding r = {.draft = draft, .ground = &ground};
    draft->file = draft->spec;
    draft->built = true; /* it ends in *, which the file does not say */
    r.arena = mgl_arena_new();
    r.groups = mgl_map_new();
    mgl_status status = MGL_OK;
    if (r.arena == NULL || r.groups == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(read_file(&r, err));
    MGL_GO(mgl_ground_of(dictionary, err, &ground));
    MGL_GO(find_groups(&r, err));
    MGL_GO(choose_labels(&r, err));
    draft->has_star = ground.star;
    MGL_GO(add_rows(&r, err));
done:
    mgl_ground_free(&ground);
    mgl_lines_close(&r.lines);
    mgl_arena_free(r.arena);
    mgl_map_free(r.groups);
    mgl_free(r.items);
    mgl_free(r.group_of);
    return status;
}
