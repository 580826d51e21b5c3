/* Compares the audit trail: the keys of the job that it records, each of which is known, has what
 * it needs beside it and agrees with what the rest of the result says; files, tops and trees; the
 * roles of columns. Keys that leave no trace are named. */
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

static void claims_columns(mgl_claims *c)
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
        /* a copy of the release that distinguishes persons has one more column */
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

/* Keys of the job, and fields of its columns, that can be others without anything else in the
 * result or the release being different: how the search went, how cells were read that no model
 * counts, limits that were not reached, and names of files. */
#define TRACELESS                                                                                  \
    "accept, allow-leaks (columns without leaks), brief, century, combinations, cut, "             \
    "decimal, delimiter, effort, encoding, fold-case, follow, generalize, guard-counts, "          \
    "header, hierarchy (of columns that are aggregated), hint, history-judged, "                   \
    "household, identification, importance, keep-order, kind, km-separator, level, "               \
    "levels (mixed), likelihood, memory, method (the default), missing, neutralize, no-header, "   \
    "overwrite, partition-by, policy (its name), population (its name), prefer, "                  \
    "preference, replace, report, rest (where all columns have roles), result, sample, "           \
    "save-job, save-map, save-promise, save-proof, save-recoding, sign, statement, "               \
    "suppress, suppressed, threads, time-limit, trim, unpack, verbose, where"

static void require_known(mgl_claims *c, bool known, const char *object, const char *key,
                          const json_t *value)
{
    char name[MGL_CLAIM_NAME];
    if (!known)
        mgl_claims_differ(c, mgl_claim_name(name, object, key), "unknown", value, NULL);
}

/* A model and its parameters, in the form of `privacy`. */
static void check_model(mgl_claims *c, const char *object, const char *key, const json_t *value)
{
    const mgl_model_type *type = mgl_model_type_find(key);
    char name[MGL_CLAIM_NAME];
    const char *parameter;
    json_t *one;
    require_known(c, type != NULL, object, key, value);
    mgl_claim_name(name, object, key);
    json_object_foreach((json_t *)value, parameter, one)
    {
        bool known = type == NULL || strcmp(parameter, "attribute") == 0;
        for (size_t i = 0; !known && i < type->n_parameters; i++)
            known = strcmp(parameter, type->parameters[i].name) == 0;
        require_known(c, known, name, parameter, one);
    }
}

static bool is_before(const json_t *list, size_t end, const json_t *one)
{
    for (size_t i = 0; i < end; i++)
        if (json_equal(json_array_get(list, i), one))
            return true;
    return false;
}

/* Is each a known model with known parameters, and none there twice? */
static void check_models(mgl_claims *c, const char *object, const json_t *models)
{
    const char *key;
    json_t *model, *value;
    size_t i;
    json_array_foreach((json_t *)models, i, model)
    {
        mgl_claims_require(c, json_object_size(model) == 1 && !is_before(models, i, model), object,
                           model);
        json_object_foreach(model, key, value) check_model(c, object, key, value);
    }
}

/* Every column that the job names is one of the table, or stayed where it was counted. */
static void check_columns(mgl_claims *c)
{
    const char *column, *field;
    json_t *fields, *value;
    bool counted = json_object_get(c->job, "count") != NULL;
    json_object_foreach(json_object_get(c->job, "attributes"), column, fields)
    {
        static const char *const apart[] = {"identifier", "insensitive"};
        char object[MGL_CLAIM_NAME], name[MGL_CLAIM_NAME];
        if (!(counted && mgl_names_have(apart, 2, mgl_json_text(fields, "role"))) &&
            mgl_claims_column(c, column) == NULL)
            mgl_claims_missing(c, mgl_claim_name(name, "audit.columns", column));
        mgl_claim_name(object, "audit.job.attributes", column);
        mgl_claims_require(c, json_is_object(fields), object, fields);
        json_object_foreach(fields, field, value) require_known(
            c, strcmp(field, "role") == 0 || mgl_job_knows_key(field), object, field, value);
    }
}

/* A job has a value for each of its keys, or lacks the key. */
static void find_null(mgl_claims *c, const char *object, const json_t *value)
{
    char name[MGL_CLAIM_NAME];
    const char *key;
    json_t *part;
    mgl_claims_require(c, !json_is_null(value), object, value);
    for (size_t i = 0; i < json_array_size(value); i++)
        find_null(c, object, json_array_get(value, i));
    json_object_foreach((json_t *)value, key, part)
        find_null(c, mgl_claim_name(name, object, key), part);
}

static void check_keys(mgl_claims *c)
{
    static const char *const besides[] = {"attributes", "privacy", "quasi-identifiers"};
    static const char *const always[] = {"data", "attributes", "output"};
    bool shards = json_object_get(c->job, "shards") != NULL; /* in the place of data */
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)c->job, key, value) require_known(
        c, mgl_job_knows_key(key) || mgl_names_have(besides, 3, key), "audit.job", key, value);
    for (size_t i = shards ? 1 : 0; i < sizeof always / sizeof always[0]; i++) {
        char name[MGL_CLAIM_NAME];
        if (json_object_get(c->job, always[i]) == NULL)
            mgl_claims_missing(c, mgl_claim_name(name, "audit.job", always[i]));
    }
    find_null(c, "audit.job", c->job);
    check_columns(c);
    check_models(c, "audit.job.privacy", json_object_get(c->job, "privacy"));
    check_models(c, "audit.policy", json_object_get(c->audit, "policy"));
}

/* A level of the job, "1" or "0..2": are these levels of the column within it? */
static bool is_within(const char *given, const json_t *level)
{
    uint64_t least, most, here = (uint64_t)json_integer_value(level);
    const char *dots = strstr(given, "..");
    if (!json_is_integer(level))
        return true;
    if (dots == NULL)
        return !mgl_parse_u64(mgl_span_of(given), &least) || here == least;
    bool low = mgl_parse_u64((mgl_span){given, (size_t)(dots - given)}, &least),
         high = mgl_parse_u64(mgl_span_of(dots + 2), &most);
    return (!low || here >= least) && (!high || here <= most);
}

/* key: "node" or "levels". */
static void check_bounds_of_levels(mgl_claims *c, const char *key)
{
    const json_t *node = json_object_get(c->claimed, key);
    const char *column;
    json_t *fields;
    if (json_equal(node, json_object_get(c->claimed, "heights")))
        return; /* where all rows are suppressed, whatever levels the search was given */
    json_object_foreach(json_object_get(c->job, "attributes"), column, fields)
    {
        const char *given = mgl_json_text(fields, "level");
        char name[MGL_CLAIM_NAME];
        if (given != NULL && !is_within(given, json_object_get(node, column)))
            mgl_claims_agree(c, mgl_claim_name(name, key, column), json_object_get(node, column),
                             json_incref(json_object_get(fields, "level")));
    }
}

/* Every builder ends in `*`; a file may end in a value that all others share. */
static void check_tops(mgl_claims *c)
{
    const json_t *tops = json_object_get(c->audit, "tops");
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = mgl_claim_quasi(c, a), *top = mgl_json_text(tops, column),
                   *spec = mgl_json_text(json_object_get(c->audit, "hierarchies"), column);
        const json_t *fields = json_object_get(json_object_get(c->job, "attributes"), column);
        bool builder = spec != NULL ? mgl_hierarchy_is_builder(spec)
                                    : json_object_get(fields, "hierarchy") == NULL && !c->applied;
        mgl_claims_require(c, !builder || mgl_claims_of_parts(c) || strcmp(top, "*") == 0,
                           "audit.tops", tops);
    }
}

/* A level has a number for the group of each value, from 0 on without gaps; the last one has a
 * single group. */
static bool is_level(const json_t *level, size_t n_values, bool last)
{
    json_int_t most = -1;
    for (size_t i = 0; i < json_array_size(level); i++) {
        const json_t *group = json_array_get(level, i);
        json_int_t number = json_integer_value(group);
        if (!json_is_integer(group) || number < 0 || number > most + 1)
            return false;
        most = number > most ? number : most;
    }
    return json_array_size(level) == n_values && (!last || most <= 0);
}

/* Groups that are protected are pairs of level and number, each there once. */
static bool is_protected(const json_t *list, size_t i, size_t n_levels)
{
    const json_t *one = json_array_get(list, i);
    json_int_t level = json_integer_value(json_array_get(one, 0));
    return !is_before(list, i, one) && json_array_size(one) == 2 &&
           json_is_integer(json_array_get(one, 0)) && json_is_integer(json_array_get(one, 1)) &&
           level >= 0 && level <= (json_int_t)n_levels;
}

/* Are these the values that the file has of a sensitive column? */
static bool are_values(mgl_claims *c, size_t s, const json_t *values)
{
    const mgl_dictionary *dictionary = c->reading->counted[s]->dictionary;
    size_t there = mgl_dictionary_size(dictionary), known = 0;
    mgl_value_finder finder = {0};
    there -= mgl_dictionary_missing(dictionary) != MGL_NOT_FOUND;
    c->status = mgl_value_finder_of(&c->reading->cells[s].rule, dictionary, c->err, &finder);
    for (size_t i = 0; c->status == MGL_OK && i < json_array_size(values); i++) {
        const char *text = json_string_value(json_array_get(values, i));
        known += text != NULL && mgl_value_find(&finder, mgl_span_of(text)) != MGL_NOT_FOUND;
    }
    mgl_value_finder_free(&finder);
    return known == json_array_size(values) && known == there;
}

static void check_tree(mgl_claims *c, const char *column, const json_t *tree)
{
    const json_t *levels = json_object_get(tree, "levels"),
                 *protects = json_object_get(tree, "protected"),
                 *values = json_object_get(tree, "values");
    size_t n = json_array_size(levels), s = 0;
    char name[MGL_CLAIM_NAME];
    mgl_claim_name(name, "audit.sensitive", column);
    for (size_t l = 0; l < n; l++)
        mgl_claims_require(c,
                           is_level(json_array_get(levels, l), json_array_size(values), l + 1 == n),
                           name, levels);
    for (size_t i = 0; i < json_array_size(protects); i++)
        mgl_claims_require(c, is_protected(protects, i, n), name, protects);
    while (s < c->reading->n_sensitive && strcmp(c->reading->counted[s]->name, column) != 0)
        s++;
    bool known = s < c->reading->n_sensitive && mgl_claims_has_tree(c->settings, column);
    mgl_claims_require(c, known, name, tree);
    if (known && !are_values(c, s, values))
        mgl_claims_compare(c, name, values, NULL);
    mgl_claims_skip(c, "audit.sensitive.*.levels, audit.sensitive.*.protected",
                    "models are judged by these groups of values; whether the hierarchy has "
                    "them needs its file, and the protected values");
}

static void check_trees(mgl_claims *c)
{
    const json_t *trees = json_object_get(c->audit, "sensitive");
    const mgl_settings *s = c->settings;
    const char *column;
    json_t *tree;
    json_object_foreach((json_t *)trees, column, tree) check_tree(c, column, tree);
    for (size_t i = 0; i < s->claimed.n_unjudged; i++) {
        const mgl_model_settings *model = &s->claimed.unjudged[i];
        char name[MGL_CLAIM_NAME];
        if (model->type->reads_hierarchy != NULL &&
            model->type->reads_hierarchy(model->parameters) &&
            json_object_get(trees, model->attribute) == NULL)
            mgl_claims_missing(c, mgl_claim_name(name, "audit.sensitive", model->attribute));
    }
}

static void check_input(mgl_claims *c, const json_t *input)
{
    const char *data = mgl_file_name(mgl_json_text(c->job, "data")),
               *name = mgl_json_text(input, "name");
    if (json_is_null(input))
        mgl_claims_skip(c, "audit.input", "whether the table came through a pipe is not recorded");
    if (name == NULL || data == NULL || mgl_location_of(data).format->scheme != NULL)
        return;
    size_t size = strlen(name);
    /* of a workbook the sheet is named as well */
    if (strncmp(name, data, size) != 0 || (data[size] != '\0' && data[size] != '#'))
        mgl_claims_agree_at(c, "audit.input.name", json_incref(json_object_get(c->job, "data")));
}

void mgl_claim_audit(mgl_claims *c, const json_t *claimed)
{
    check_keys(c);
    check_bounds_of_levels(c, "node");
    check_bounds_of_levels(c, "levels");
    claims_columns(c);
    check_tops(c);
    check_trees(c);
    check_input(c, json_object_get(claimed, "input"));
    mgl_claims_skip(c, "audit.job", "these keys need not leave a trace in a release: " TRACELESS);
}

void mgl_claim_about(mgl_claims *c, const json_t *claimed)
{
    json_t *expected = json_object();
    for (int i = 0; i < MGL_ABOUTS; i++) {
        const char *key = mgl_about_key((mgl_about)i);
        if (json_object_get(c->job, key) != NULL)
            mgl_json_set(expected, key, json_incref(json_object_get(c->job, key)));
    }
    mgl_claims_no_others(c, "about", claimed, expected);
    mgl_claims_agree(c, "about", claimed,
                     claimed != NULL || json_object_size(expected) > 0 ? json_incref(expected)
                                                                       : NULL);
    json_decref(expected);
}
