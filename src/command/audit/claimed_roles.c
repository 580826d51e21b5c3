/* Compares the roles of columns, as a result states them, with the job and with the file. */
#include "command/audit/sections.h"

bool mgl_claims_of_parts(const mgl_claims *c)
{
    const char *data = mgl_json_text(c->job, "data");
    size_t size = data != NULL ? strlen(data) : 0;
    return json_object_get(c->job, "parts") != NULL ||
           (size > 5 && strcmp(data + size - 5, ".part") == 0);
}

/* Does the job take the labels of some hierarchy from this column? */
static bool is_parent(const mgl_claims *c, const char *column)
{
    const char *own;
    json_t *fields;
    json_object_foreach(json_object_get(c->job, "attributes"), own, fields)
    {
        const char *spec = mgl_json_text(fields, "hierarchy");
        mgl_span rest = spec != NULL ? mgl_hierarchy_columns(spec) : (mgl_span){"", 0}, name;
        while (mgl_hierarchy_next_column(&rest, own, &name))
            if (mgl_span_is(name, column))
                return true;
    }
    return false;
}

static bool is_text(const char *text, const char *other)
{
    return text != NULL && strcmp(text, other) == 0;
}

/* A quasi-identifier that is never linked is released as it is. */
static bool is_passed_on(const mgl_claims *c, const char *column)
{
    const char *likelihood = mgl_claim_field(c, column, "likelihood");
    mgl_by_set likely;
    return likelihood != NULL && is_text(mgl_claim_field(c, column, "role"), "quasi") &&
           mgl_read_shares_by_set(mgl_span_of(likelihood), &likely) &&
           !mgl_settings_links(c->settings, column, &likely);
}

/* The role that the job gives a column, as results word it; NULL: none. */
static const char *role_of_job(const mgl_claims *c, const char *column)
{
    const char *role = mgl_claim_field(c, column, "role"), *rest = mgl_json_text(c->job, "rest");
    if (is_text(mgl_json_text(c->job, "count"), column))
        return "count";
    if (is_text(mgl_json_text(c->job, "entity"), column))
        return c->follows_persons ? "insensitive" : "identifier";
    if (role != NULL)
        return is_passed_on(c, column) ? "insensitive" : role;
    for (const mgl_feature *const *f = mgl_features; *f != NULL && role == NULL; f++)
        if ((*f)->audit != NULL && (*f)->audit->role != NULL)
            role = (*f)->audit->role(c, column);
    if (role != NULL)
        return role;
    if (is_parent(c, column)) /* it would give back what the hierarchy hides */
        return "left out";
    return rest == NULL ? NULL : strcmp(rest, "drop") == 0 ? "left out" : "insensitive";
}

static void compare_role(mgl_claims *c, const json_t *claimed)
{
    const char *column = mgl_json_text(claimed, "column"), *role = mgl_json_text(claimed, "role"),
               *given = role_of_job(c, column);
    bool kept = strcmp(role, "identifier") == 0 || strcmp(role, "left out") == 0;
    char object[MGL_CLAIM_NAME], name[MGL_CLAIM_NAME];
    mgl_claim_name(object, "audit.columns", column);
    if (given != NULL || !mgl_claims_of_parts(c))
        mgl_claims_agree(c, mgl_claim_name(name, object, "role"), json_object_get(claimed, "role"),
                         mgl_claim_text(given));
    mgl_claims_agree(c, mgl_claim_name(name, object, "released"),
                     json_object_get(claimed, "released"), json_boolean(!kept));
}

/* Columns of partitions stand behind the others when their folders are read, in any order. */
static void put_partitions_last(const mgl_claims *c, json_t *columns)
{
    const json_t *by = json_object_get(c->job, "partition-by");
    for (size_t j = 0; j < json_array_size(by); j++) {
        size_t i = 0;
        json_t *name = json_array_get(by, j);
        while (i < json_array_size(columns) && !json_equal(json_array_get(columns, i), name))
            i++;
        if (json_array_remove(columns, i) == 0)
            mgl_json_append(columns, json_incref(name));
    }
}

void mgl_claims_columns(mgl_claims *c)
{
    const mgl_source *source = c->reading->source;
    json_t *claimed = json_object_get(c->audit, "columns"), *column;
    json_t *released = json_array(), *there = json_array();
    const char *entity = c->settings->persons.column;
    size_t i;
    json_array_foreach(claimed, i, column)
    {
        const char *name = mgl_json_text(column, "column");
        compare_role(c, column);
        mgl_claims_require(c, mgl_claims_column(c, name) == column,
                           "audit.columns: a column is there twice", column);
        if (json_is_true(json_object_get(column, "released")))
            mgl_json_append(released, json_string(name));
    }
    for (i = 0; i < mgl_source_columns(source); i++) {
        const char *name = mgl_source_column(source, i);
        /* a copy of the release that tells persons apart has one more column */
        if (entity == NULL || c->follows_persons || strcmp(entity, name) != 0)
            mgl_json_append(there, json_string(name));
    }
    put_partitions_last(c, released);
    put_partitions_last(c, there);
    mgl_claims_compare(c, "columns of the release", released, there);
    json_decref(released);
}

/* The columns that a result of `apply` lists are those of the trail. */
void mgl_claim_column_list(mgl_claims *c, const json_t *claimed)
{
    json_t *there = json_array(), *column;
    size_t i;
    json_array_foreach(json_object_get(c->audit, "columns"), i, column)
        mgl_json_append(there, json_pack("{s:O?,s:O?}", "column", json_object_get(column, "column"),
                                         "role", json_object_get(column, "role")));
    mgl_claims_agree(c, "columns", claimed, there);
}

void mgl_claim_unchanged(mgl_claims *c, const json_t *claimed)
{
    json_t *passed = json_array(), *column;
    size_t i;
    json_array_foreach(json_object_get(c->audit, "columns"), i, column)
    {
        const char *name = mgl_json_text(column, "column"), *role = mgl_json_text(column, "role");
        if (name != NULL && role != NULL && json_is_true(json_object_get(column, "released")) &&
            strcmp(role, "quasi") != 0 && strcmp(role, "count") != 0 &&
            (mgl_claims_of_column(c, name) & MGL_CLAIM_MADE) == 0)
            mgl_json_append(passed, json_pack("{s:s,s:s}", "column", name, "role", role));
    }
    mgl_claims_agree(c, "unchanged", claimed, passed);
}
