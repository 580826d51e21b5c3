/* Builds groups(FILE) from lines "GROUP: value, value". A member that an earlier line made a group
 * is that group, which gives further levels. What holds commas, colons or outer spaces is quoted as
 * in CSV. A row of the table in builders.c. */
#include "hierarchy/builders.h"

typedef struct groups {
    mgl_build *build;
    mgl_map *values, *names;
    size_t values_capacity, names_capacity, lines_capacity;
    uint32_t *group_of_value; /* [values] */
    uint64_t *line_of_value;  /* [values] */
    uint32_t *group_of_group; /* [names] MGL_NOT_FOUND: in none */
    size_t ranks_capacity;
    uint32_t *rank; /* [names] 1 + the largest rank of its members; values have 0 */
    mgl_buffer token;
} groups;

static mgl_status fail_name(const groups *g, uint64_t line, mgl_error *err)
{
    return mgl_draft_fail(g->build->draft, line, err,
                          "'*' is the name of the top, which is added by itself; leave it out");
}

static mgl_status add_group(groups *g, mgl_span name, mgl_error *err, uint32_t *out)
{
    uint32_t known = mgl_map_size(g->names);
    uint32_t group = mgl_map_add(g->names, name);
    if (group == MGL_NOT_FOUND ||
        !mgl_grow(&g->group_of_group, &g->names_capacity, (size_t)known + 1,
                  sizeof *g->group_of_group) ||
        !mgl_grow(&g->rank, &g->ranks_capacity, (size_t)known + 1, sizeof *g->rank))
        return mgl_fail_memory(err);
    if (group == known) {
        g->group_of_group[group] = MGL_NOT_FOUND;
        g->rank[group] = 1;
    }
    *out = group;
    return MGL_OK;
}

static mgl_status fail_twice(const groups *g, uint64_t line, mgl_span member, uint32_t before,
                             mgl_error *err)
{
    mgl_span name = mgl_map_text(g->names, before);
    return mgl_draft_fail(g->build->draft, line, err,
                          "'%.*s' is in the group '%.*s' already; leave it in one group",
                          mgl_span_width(member), member.data, mgl_span_width(name), name.data);
}

/* Puts an earlier group into a group and lifts the ranks above it. */
static mgl_status fail_deep(const groups *g, uint64_t line, mgl_error *err)
{
    return mgl_draft_fail(g->build->draft, line, err,
                          "groups lie in one another more than %d levels deep; leave some out",
                          MGL_MOST_LEVELS);
}

static mgl_status nest_group(groups *g, uint32_t member, uint32_t group, uint64_t line,
                             mgl_error *err)
{
    mgl_span name = mgl_map_text(g->names, member);
    uint32_t before = g->group_of_group[member];
    if (before == group)
        return MGL_OK;
    if (before != MGL_NOT_FOUND)
        return fail_twice(g, line, name, before, err);
    unsigned depth = 0;
    for (uint32_t above = group; above != MGL_NOT_FOUND; above = g->group_of_group[above]) {
        if (above == member)
            return mgl_draft_fail(g->build->draft, line, err,
                                  "the group '%.*s' would lie in itself; take it out of here",
                                  mgl_span_width(name), name.data);
        if (++depth > MGL_MOST_LEVELS)
            return fail_deep(g, line, err);
    }
    g->group_of_group[member] = group;
    for (uint32_t below = member, above = group;
         above != MGL_NOT_FOUND && g->rank[above] <= g->rank[below];
         below = above, above = g->group_of_group[above])
        g->rank[above] = g->rank[below] + 1;
    return MGL_OK;
}

static mgl_status add_value(groups *g, mgl_span member, uint32_t group, uint64_t line,
                            mgl_error *err)
{
    uint32_t known = mgl_map_size(g->values);
    uint32_t value = mgl_map_add(g->values, member);
    if (value == MGL_NOT_FOUND ||
        !mgl_grow(&g->group_of_value, &g->values_capacity, (size_t)known + 1,
                  sizeof *g->group_of_value) ||
        !mgl_grow(&g->line_of_value, &g->lines_capacity, (size_t)known + 1,
                  sizeof *g->line_of_value))
        return mgl_fail_memory(err);
    if (value < known)
        return g->group_of_value[value] == group
                   ? MGL_OK
                   : fail_twice(g, line, member, g->group_of_value[value], err);
    g->group_of_value[value] = group;
    g->line_of_value[value] = line;
    return MGL_OK;
}

static mgl_status add_member(groups *g, mgl_span member, uint32_t group, uint64_t line,
                             mgl_error *err)
{
    if (mgl_span_is(member, "*"))
        return fail_name(g, line, err);
    uint32_t inner = mgl_map_find(g->names, member);
    /* "Other: Other" keeps a value by itself: the member is the value. */
    if (inner != MGL_NOT_FOUND && inner != group)
        return nest_group(g, inner, group, line, err);
    return add_value(g, member, group, line, err);
}

static mgl_status read_line(void *context, mgl_span line, uint64_t number, mgl_error *err)
{
    groups *g = context;
    bool quoted, ended;
    uint32_t group = MGL_NOT_FOUND;
    mgl_span rest = line;
    if (mgl_span_trim(line).size == 0)
        return MGL_OK;
    bool good = mgl_take_token(&rest, ':', &g->token, &quoted, &ended);
    if (!good || ended || (g->token.size == 0 && !g->token.failed))
        return mgl_draft_fail(g->build->draft, number, err,
                              "this is no group; write GROUP: value, value (a name that holds ':' "
                              "or ',' in double quotes)");
    if (g->token.failed)
        return mgl_fail_memory(err);
    mgl_span name = {g->token.data, g->token.size};
    if (mgl_span_is(name, "*"))
        return fail_name(g, number, err);
    MGL_TRY(add_group(g, name, err, &group));
    do {
        if (!mgl_take_token(&rest, ',', &g->token, &quoted, &ended))
            return mgl_draft_fail(g->build->draft, number, err,
                                  "a double quote is not closed, or text follows it; write "
                                  "\"value, with comma\", and \"\" for a quote inside");
        if (g->token.failed)
            return mgl_fail_memory(err);
        if (g->token.size > 0 || quoted) /* a comma at the end is no value */
            MGL_TRY(add_member(g, (mgl_span){g->token.data, g->token.size}, group, number, err));
    } while (!ended);
    return MGL_OK;
}

/* On each level a value goes by the name of its highest group of that rank or
 * less; so a value whose groups are fewer keeps its last name until the top. */
static mgl_status add_row(groups *g, uint32_t value, mgl_error *err)
{
    mgl_draft *draft = g->build->draft;
    mgl_span label = mgl_map_text(g->values, value);
    uint32_t group = g->group_of_value[value];
    if (mgl_draft_is_missing(draft, label)) /* stays itself, as in hierarchy files */
        return MGL_OK;
    MGL_TRY(mgl_draft_add_row(draft, g->line_of_value[value], err));
    MGL_TRY(mgl_draft_put(draft, 0, label, err));
    for (uint32_t level = 1; level < draft->n_levels; level++) {
        while (group != MGL_NOT_FOUND && g->rank[group] <= level) {
            label = mgl_map_text(g->names, group);
            group = g->group_of_group[group];
        }
        MGL_TRY(mgl_draft_put(draft, level, label, err));
    }
    return MGL_OK;
}

static mgl_status add_rows(groups *g, mgl_error *err)
{
    uint32_t highest = 0;
    if (g->group_of_value == NULL) /* nothing is listed and nothing asked for */
        return MGL_OK;
    for (uint32_t value = 0; value < mgl_map_size(g->values); value++) {
        uint32_t group = g->group_of_value[value];
        while (g->group_of_group[group] != MGL_NOT_FOUND && g->rank[group] <= MGL_MOST_LEVELS)
            group = g->group_of_group[group];
        highest = g->rank[group] > highest ? g->rank[group] : highest;
    }
    if (highest > MGL_MOST_LEVELS)
        return mgl_draft_fail(g->build->draft, 0, err, "more than %d levels of groups",
                              MGL_MOST_LEVELS);
    g->build->draft->n_levels = highest + 1;
    for (uint32_t value = 0; value < mgl_map_size(g->values); value++)
        MGL_TRY(add_row(g, value, err));
    return MGL_OK;
}

static mgl_status build_groups(groups *g, const char *path, mgl_error *err)
{
    g->values = mgl_map_new();
    g->names = mgl_map_new();
    MGL_TRY(mgl_check_memory(g->values != NULL && g->names != NULL, err));
    MGL_TRY(mgl_lines_each(path, read_line, g, err));
    MGL_TRY(mgl_build_check_listed(g->build, g->values, "is in no group; add it to a line", err));
    return add_rows(g, err);
}

mgl_status mgl_build_groups(mgl_build *build, mgl_error *err)
{
    groups g = {.build = build};
    MGL_TRY(mgl_draft_name_file(build->draft, build->arguments, err));
    mgl_status status = build_groups(&g, build->draft->file, err);
    mgl_map_free(g.values);
    mgl_map_free(g.names);
    mgl_free(g.group_of_value);
    mgl_free(g.line_of_value);
    mgl_free(g.group_of_group);
    mgl_free(g.rank);
    mgl_buffer_free(&g.token);
    return status;
}
