/* Builds order(FILE; 2,4) and order(low < middle < high; 2): values in an order that the job gives,
 * first in groups of 2 neighbours, then of 4. A group reads FIRST..LAST. Values of the list that
 * the data lacks are leaves, too: what a group holds does not depend on the rows. A row of the
 * table in builders.c. */
#include "hierarchy/builders.h"

#include <stdio.h>

typedef struct order {
    mgl_build *build;
    mgl_map *values; /* in their order */
    uint64_t *lines; /* [values] */
    size_t lines_capacity;
    uint32_t sizes[MGL_MOST_LEVELS];
    uint32_t n_sizes;
    mgl_buffer token;
} order;

/* Where the sign first stands outside of double quotes; the size of the text: nowhere. */
static size_t find_outside(mgl_span text, char sign)
{
    bool quoted = false;
    size_t at = 0;
    while (at < text.size && (quoted || text.data[at] != sign))
        quoted = quoted != (text.data[at++] == '"');
    return at;
}

static mgl_span list_of(mgl_span arguments)
{
    return mgl_span_trim((mgl_span){arguments.data, find_outside(arguments, ';')});
}

static bool is_inline(mgl_span list)
{
    return find_outside(list, '<') < list.size;
}

mgl_span mgl_order_path(mgl_span arguments)
{
    mgl_span list = list_of(arguments);
    return is_inline(list) ? (mgl_span){list.data, 0} : list;
}

static mgl_status take_sizes(order *o, mgl_span rest, mgl_error *err)
{
    mgl_span text;
    while (mgl_next_argument(&rest, &text)) {
        uint64_t size, before = o->n_sizes > 0 ? o->sizes[o->n_sizes - 1] : 1;
        if (!mgl_parse_u64(text, &size) || size <= before || size % before != 0 ||
            size >= MGL_NOT_FOUND)
            return mgl_draft_fail(o->build->draft, 0, err,
                                  "'%.*s' is no number of neighbours: each is a larger multiple of "
                                  "the one before, the first at least 2; write order(FILE; 2,4)",
                                  mgl_span_width(text), text.data);
        if (o->n_sizes + 2 > MGL_MOST_LEVELS)
            return mgl_draft_fail(o->build->draft, 0, err,
                                  "there are more than %d levels; leave some out", MGL_MOST_LEVELS);
        o->sizes[o->n_sizes++] = (uint32_t)size;
    }
    return MGL_OK;
}

/* Without sizes: 2, 4, 8, ... as long as there are at least two groups. */
static void choose_sizes(order *o)
{
    for (uint64_t size = 2; size < mgl_map_size(o->values); size *= 2)
        o->sizes[o->n_sizes++] = (uint32_t)size;
}

static mgl_status fail_twice(const order *o, mgl_span value, uint64_t line, uint64_t before,
                             mgl_error *err)
{
    char place[48] = "";
    if (before > 0)
        snprintf(place, sizeof place, " on line %llu", (unsigned long long)before);
    return mgl_draft_fail(o->build->draft, line, err,
                          "'%.*s' stands in the order%s already; leave it in one place",
                          mgl_span_width(value), value.data, place);
}

static bool has_dots(mgl_span value)
{
    for (size_t i = 1; i < value.size; i++)
        if (value.data[i] == '.' && value.data[i - 1] == '.')
            return true;
    return false;
}

static mgl_status add_value(order *o, mgl_span value, uint64_t line, mgl_error *err)
{
    if (mgl_draft_is_missing(o->build->draft, value))
        return MGL_OK; /* stays itself, as in hierarchy files */
    if (mgl_span_is(value, "*"))
        return mgl_draft_fail(o->build->draft, line, err,
                              "'*' is the name of the top, which is added by itself; leave it out");
    if (mgl_utf8_valid(value.data, value.size) != value.size)
        return mgl_draft_fail(o->build->draft, line, err,
                              "a value is not written in UTF-8, as the table is taken to be; write "
                              "the order in UTF-8");
    if (has_dots(value))
        return mgl_draft_fail(o->build->draft, line, err,
                              "'%.*s' holds '..', which stands between the ends of a group; rename "
                              "the value, or take groups(FILE) with names of your own",
                              mgl_span_width(value), value.data);
    uint32_t known = mgl_map_size(o->values), number = mgl_map_add(o->values, value);
    if (number == MGL_NOT_FOUND ||
        !mgl_grow(&o->lines, &o->lines_capacity, (size_t)known + 1, sizeof *o->lines))
        return mgl_fail_memory(err);
    if (number < known)
        return fail_twice(o, value, line, o->lines[number], err);
    o->lines[number] = line;
    return MGL_OK;
}

static mgl_status take_value(order *o, mgl_span *rest, char end, uint64_t line, mgl_error *err)
{
    bool quoted, ended;
    if (!mgl_take_token(rest, end, &o->token, &quoted, &ended))
        return mgl_draft_fail(o->build->draft, line, err,
                              "a double quote is not closed, or text follows it; write \"value\", "
                              "and \"\" for a quote inside");
    if (o->token.failed)
        return mgl_fail_memory(err);
    if (o->token.size == 0 && !quoted)
        return mgl_draft_fail(o->build->draft, line, err,
                              "a value is missing beside '<'; write order(low < middle < high)");
    mgl_span value = {o->token.size > 0 ? o->token.data : "", o->token.size};
    MGL_TRY(add_value(o, value, line, err));
    if (ended)
        rest->data = NULL;
    return MGL_OK;
}

static mgl_status read_inline(order *o, mgl_span list, mgl_error *err)
{
    while (list.data != NULL)
        MGL_TRY(take_value(o, &list, '<', 0, err));
    return MGL_OK;
}

/* One value per line. */
static mgl_status read_line(void *context, mgl_span line, uint64_t number, mgl_error *err)
{
    return mgl_span_trim(line).size > 0 ? take_value(context, &line, '\n', number, err) : MGL_OK;
}

static mgl_status read_list(order *o, mgl_span list, mgl_error *err)
{
    mgl_draft *draft = o->build->draft;
    if (is_inline(list))
        return read_inline(o, list, err);
    MGL_TRY(mgl_draft_name_file(draft, list, err));
    return mgl_lines_each(draft->file, read_line, o, err);
}

static mgl_status put_group(order *o, uint32_t value, uint32_t level, mgl_error *err)
{
    uint32_t size = o->sizes[level - 1], n = mgl_map_size(o->values);
    uint32_t first = value - value % size, last = n - first > size ? first + size - 1 : n - 1;
    o->token.size = 0;
    mgl_buffer_span(&o->token, mgl_map_text(o->values, first));
    if (last > first) {
        mgl_buffer_text(&o->token, "..");
        mgl_buffer_span(&o->token, mgl_map_text(o->values, last));
    }
    if (o->token.failed)
        return mgl_fail_memory(err);
    mgl_span label = {o->token.size > 0 ? o->token.data : "", o->token.size};
    return mgl_draft_put(o->build->draft, level, label, err);
}

static mgl_status add_rows(order *o, mgl_error *err)
{
    mgl_draft *draft = o->build->draft;
    draft->n_levels = o->n_sizes + 1;
    for (uint32_t value = 0; value < mgl_map_size(o->values); value++) {
        MGL_TRY(mgl_draft_add_row(draft, o->lines[value], err));
        MGL_TRY(mgl_draft_put(draft, 0, mgl_map_text(o->values, value), err));
        for (uint32_t level = 1; level <= o->n_sizes; level++)
            MGL_TRY(put_group(o, value, level, err));
    }
    return MGL_OK;
}

static mgl_status build_order(order *o, mgl_error *err)
{
    mgl_span arguments = o->build->arguments;
    size_t size = find_outside(arguments, ';');
    o->values = mgl_map_new();
    MGL_TRY(mgl_check_memory(o->values != NULL, err));
    if (size < arguments.size)
        MGL_TRY(
            take_sizes(o, (mgl_span){arguments.data + size + 1, arguments.size - size - 1}, err));
    MGL_TRY(read_list(o, list_of(arguments), err));
    MGL_TRY(mgl_build_check_listed(o->build, o->values,
                                   "does not stand in the order; put it in its place", err));
    if (size == arguments.size)
        choose_sizes(o);
    return add_rows(o, err);
}

mgl_status mgl_build_request(mgl_build *build, mgl_error *err)
{
    order o = {.build = build};
    mgl_status status = build_order(&o, err);
    mgl_map_free(o.values);
    mgl_free(o.lines);
    mgl_buffer_free(&o.token);
    return status;
}
