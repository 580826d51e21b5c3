/* Compares the audit trail of a result with the file and with the job: columns, roles, files, tops
 * and trees. The table in claims.c calls it. */
#include "command/audit/claims.h"

static const char *column_name(const mgl_claims *c, size_t a)
{
    return c->reading->quasi[a].settings->name;
}

/* Is a key there exactly if it is due? */
bool mgl_claims_due(mgl_claims *c, const char *key, const json_t *claimed, bool due)
{
    if (claimed == NULL && due)
        mgl_claims_missing(c, key);
    else if (claimed != NULL && !due)
        mgl_claims_contradict(c, key, claimed);
    return claimed != NULL && due;
}

/* Columns of parts have the roles that the part remembers. */
bool mgl_claims_of_parts(const mgl_claims *c)
{
    const char *data = mgl_json_text(c->job, "data");
    size_t size = data != NULL ? strlen(data) : 0;
    return json_object_get(c->job, "parts") != NULL ||
           (size > 5 && strcmp(data + size - 5, ".part") == 0);
}

static const json_t *told_of(const mgl_claims *c, const char *column)
{
    const json_t *columns = json_object_get(c->audit, "columns");
    for (size_t i = 0; column != NULL && i < json_array_size(columns); i++) {
        const char *name = mgl_json_text(json_array_get(columns, i), "column");
        if (name != NULL && strcmp(name, column) == 0)
            return json_array_get(columns, i);
    }
    return NULL;
}

bool mgl_claims_is_column(const mgl_claims *c, const char *column)
{
    return told_of(c, column) != NULL;
}

const json_t *mgl_claims_role(const mgl_claims *c, const char *column)
{
    return json_object_get(told_of(c, column), "role");
}

/* ---- Columns ------------------------------------------------------------------------------- */

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

/* The role that the job gives a column, as results word it; NULL: none. */
static const char *role_said(const mgl_claims *c, const char *column)
{
    const json_t *fields = json_object_get(json_object_get(c->job, "attributes"), column);
    const char *role = mgl_json_text(fields, "role"), *rest = mgl_json_text(c->job, "rest");
    const char *entity = mgl_json_text(c->job, "entity"),
               *likelihood = mgl_json_text(fields, "likelihood");
    bool treated = mgl_json_text(fields, "treat") != NULL;
    const char *counts = mgl_json_text(c->job, "count");
    mgl_by_set likely;
    if (counts != NULL && strcmp(counts, column) == 0)
        return "count";
    if (entity != NULL && strcmp(entity, column) == 0)
        return c->linked ? "insensitive" : "identifier";
    if (likelihood != NULL && role != NULL && strcmp(role, "quasi") == 0 &&
        mgl_read_shares_by_set(mgl_span_of(likelihood), &likely) &&
        !mgl_settings_links(c->settings, column, &likely))
        return "insensitive"; /* a quasi-identifier on which nobody links is released as it is */
    if (role != NULL)
        return role;
    if (mgl_claims_has_items(c, column))
        return "items";
    for (size_t i = 0; i < c->settings->strata.n; i++)
        if (strcmp(c->settings->strata.columns[i], column) == 0)
            return "quasi";
    if (treated) /* a column that is treated is released, unless that is to leave it out */
        return mgl_claims_is_treated(c, column) ? "insensitive" : "left out";
    if (is_parent(c, column)) /* it would give back what the hierarchy hides */
        return "left out";
    return rest == NULL ? NULL : strcmp(rest, "drop") == 0 ? "left out" : "insensitive";
}

static bool is_kept_back(const char *role)
{
    return strcmp(role, "identifier") == 0 || strcmp(role, "left out") == 0;
}

static void compare_column(mgl_claims *c, const json_t *claimed)
{
    const char *column = mgl_json_text(claimed, "column"), *role = mgl_json_text(claimed, "role");
    char name[MGL_CLAIM_NAME], object[MGL_CLAIM_NAME];
    bool quasi = role != NULL && strcmp(role, "quasi") == 0;
    if (!mgl_claims_shape(c, "audit.columns", claimed,
                          quasi ? "column:s role:s released:b values_before:i values_after:i"
                                : "column:s role:s released:b"))
        return;
    const char *said = role_said(c, column);
    mgl_claim_name(object, "audit.columns", column);
    if (said != NULL || !mgl_claims_of_parts(c))
        mgl_claims_agree_new(c, mgl_claim_name(name, object, "role"),
                             json_object_get(claimed, "role"),
                             said != NULL ? json_string(said) : json_null());
    if (role != NULL)
        mgl_claims_agree_new(c, mgl_claim_name(name, object, "released"),
                             json_object_get(claimed, "released"),
                             json_boolean(!is_kept_back(role)));
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        if (strcmp(column, column_name(c, a)) == 0)
            mgl_claims_compare_new(c, mgl_claim_name(name, object, "values_after"),
                                   json_object_get(claimed, "values_after"),
                                   mgl_json_count(c->values[a]));
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

static bool is_told_before(const json_t *columns, size_t end, const char *name)
{
    for (size_t i = 0; name != NULL && i < end; i++) {
        const char *one = mgl_json_text(json_array_get(columns, i), "column");
        if (one != NULL && strcmp(one, name) == 0)
            return true;
    }
    return false;
}

static void compare_columns(mgl_claims *c, const json_t *claimed)
{
    const mgl_source *source = c->reading->source;
    json_t *told = json_array(), *there = json_array();
    const char *entity = c->settings->persons.column;
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        const json_t *column = json_array_get(claimed, i);
        const char *name = mgl_json_text(column, "column");
        compare_column(c, column);
        if (is_told_before(claimed, i, name))
            mgl_claims_contradict(c, "audit.columns: a column is there twice", column);
        if (json_is_true(json_object_get(column, "released")))
            mgl_json_append(told, json_string(name != NULL ? name : "?"));
    }
    for (size_t i = 0; i < mgl_source_columns(source); i++) {
        const char *name = mgl_source_column(source, i);
        /* a copy of the release that tells persons apart has one more column */
        if (entity == NULL || c->linked || strcmp(entity, name) != 0)
            mgl_json_append(there, json_string(name));
    }
    put_partitions_last(c, told);
    put_partitions_last(c, there);
    mgl_claims_compare(c, "columns of the release", told, there);
    json_decref(told);
    json_decref(there);
}

/* ---- The audit trail ----------------------------------------------------------------------- */

/* Every builder ends in `*`; a file may end in a value that all others share. */
static void check_tops(mgl_claims *c)
{
    const json_t *tops = json_object_get(c->audit, "tops"),
                 *hierarchies = json_object_get(c->audit, "hierarchies");
    if (!mgl_claims_columns(c, "audit.tops", tops))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *top = mgl_json_text(tops, column_name(c, a)),
                   *spec = mgl_json_text(hierarchies, column_name(c, a));
        const json_t *fields =
            json_object_get(json_object_get(c->job, "attributes"), column_name(c, a));
        bool builder = spec != NULL ? mgl_hierarchy_is_builder(spec)
                                    : json_object_get(fields, "hierarchy") == NULL && !c->applied;
        builder = builder && !mgl_claims_of_parts(c);
        if (top == NULL || (builder && strcmp(top, "*") != 0))
            mgl_claims_contradict(c, "audit.tops", tops);
    }
}

/* A level has a number for the group of each value, from 0 on without gaps; the last one has a
 * single group. */
static bool is_level(const json_t *level, size_t n_values, bool last)
{
    json_int_t most = -1;
    if (json_array_size(level) != n_values)
        return false;
    for (size_t i = 0; i < n_values; i++) {
        const json_t *group = json_array_get(level, i);
        json_int_t number = json_integer_value(group);
        if (!json_is_integer(group) || number < 0 || number > most + 1)
            return false;
        most = number > most ? number : most;
    }
    return !last || most <= 0;
}

/* Groups that are protected are pairs of level and number, each there once. */
static bool is_protected(const json_t *list, size_t i, size_t n_levels)
{
    const json_t *one = json_array_get(list, i);
    json_int_t level = json_integer_value(json_array_get(one, 0));
    for (size_t j = 0; j < i; j++)
        if (json_equal(one, json_array_get(list, j)))
            return false;
    return json_array_size(one) == 2 && json_is_integer(json_array_get(one, 0)) &&
           json_is_integer(json_array_get(one, 1)) && level >= 0 && level <= (json_int_t)n_levels;
}

static void check_tree(mgl_claims *c, const char *name, const json_t *tree)
{
    const json_t *levels = json_object_get(tree, "levels"),
                 *protects = json_object_get(tree, "protected");
    size_t n = json_array_size(levels), n_values = json_array_size(json_object_get(tree, "values"));
    if (!mgl_claims_shape(c, name, tree, "values:a levels:a protected:a"))
        return;
    for (size_t l = 0; l < n; l++)
        if (!is_level(json_array_get(levels, l), n_values, l + 1 == n))
            mgl_claims_contradict(c, name, levels);
    for (size_t i = 0; i < json_array_size(protects); i++)
        if (!is_protected(protects, i, n))
            mgl_claims_contradict(c, name, protects);
}

/* The values of a tree are those of the file. */
static void compare_tree(mgl_claims *c, const char *column, const json_t *tree)
{
    const json_t *values = json_object_get(tree, "values");
    char name[MGL_CLAIM_NAME];
    mgl_claim_name(name, "audit.sensitive", column);
    for (size_t s = 0; s < c->reading->n_sensitive; s++) {
        const mgl_dictionary *dictionary = c->reading->counted[s]->dictionary;
        size_t there = mgl_dictionary_size(dictionary), known = 0;
        mgl_value_finder finder = {0};
        if (strcmp(c->reading->counted[s]->name, column) != 0)
            continue;
        there -= mgl_dictionary_missing(dictionary) != MGL_NOT_FOUND;
        if (mgl_value_finder_of(&c->reading->cells[s].rule, dictionary, NULL, &finder) != MGL_OK)
            return; /* without memory nothing is written after this either */
        for (size_t i = 0; i < json_array_size(values); i++) {
            const char *text = json_string_value(json_array_get(values, i));
            known += text != NULL && mgl_value_find(&finder, mgl_span_of(text)) != MGL_NOT_FOUND;
        }
        mgl_value_finder_free(&finder);
        if (!mgl_claimed_tree(c->settings, column))
            mgl_claims_contradict(c, name, tree);
        else if (known != json_array_size(values) || known != there)
            mgl_claims_compare(c, name, values, NULL);
        return;
    }
    mgl_claims_contradict(c, name, tree);
}

static void check_trees(mgl_claims *c)
{
    const json_t *trees = json_object_get(c->audit, "sensitive");
    const mgl_settings *s = c->settings;
    const char *column;
    json_t *tree;
    json_object_foreach((json_t *)trees, column, tree)
    {
        char name[MGL_CLAIM_NAME];
        check_tree(c, mgl_claim_name(name, "audit.sensitive", column), tree);
        compare_tree(c, column, tree);
        mgl_claims_skip(c, "audit.sensitive.*.levels, audit.sensitive.*.protected",
                        "models are judged by these groups of values; whether the hierarchy has "
                        "them needs its file, and the protected values");
    }
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
        mgl_claims_skip(c, "audit.input", "whether the table came through a pipe, nobody can tell");
    if (json_is_null(input) || !mgl_claims_file_shape(c, "audit.input", input))
        return;
    size_t size = strlen(name);
    bool file = data != NULL && mgl_format_of(data)->scheme == NULL;
    /* of a workbook the sheet is named as well */
    if (file && (strncmp(name, data, size) != 0 || (data[size] != '\0' && data[size] != '#')))
        mgl_claims_agree(c, "audit.input.name", json_object_get(input, "name"),
                         json_object_get(c->job, "data"));
}

void mgl_claim_audit(mgl_claims *c, const json_t *claimed)
{
    (void)mgl_claims_shape(c, "audit", claimed,
                           "input:O job:o hierarchies:o columns:a tops:o sensitive:o release:O "
                           "?policy:a ?recoding:o ?with:o");
    if (mgl_claims_due(c, "audit.recoding", json_object_get(claimed, "recoding"), c->applied))
        (void)mgl_claims_file_shape(c, "audit.recoding", json_object_get(claimed, "recoding"));
    (void)mgl_claims_due(c, "audit.policy", json_object_get(claimed, "policy"),
                         json_object_get(c->job, "policy") != NULL);
    mgl_claims_job(c);
    (void)mgl_claims_columns(c, "audit.hierarchies", json_object_get(claimed, "hierarchies"));
    compare_columns(c, json_object_get(claimed, "columns"));
    check_tops(c);
    check_trees(c);
    check_input(c, json_object_get(claimed, "input"));
    mgl_claims_skip(c,
                    c->applied ? "audit.input.bytes, audit.input.sha256, audit.recoding.bytes, "
                                 "audit.recoding.sha256, audit.hierarchies"
                               : "audit.input.bytes, audit.input.sha256, "
                                 "audit.hierarchies.*.bytes, audit.hierarchies.*.sha256",
                    "needs these files; sha256sum FILE");
    mgl_claims_skip(c, "audit.columns, audit.columns.*.values_before",
                    "columns that are not released, and values before, need the input");
    mgl_claims_skip(c, "audit.tops", "where no cell is suppressed, needs the hierarchies");
}

void mgl_claim_output(mgl_claims *c, const json_t *claimed)
{
    const json_t *release = json_object_get(c->audit, "release");
    const char *output = mgl_file_name(json_string_value(claimed));
    const char *said = mgl_file_name(mgl_json_text(c->job, "output"));
    if (output == NULL) {
        mgl_claims_contradict(c, "output", claimed);
        return;
    }
    if (said != NULL && strcmp(said, output) != 0)
        mgl_claims_agree(c, "output", claimed, json_object_get(c->job, "output"));
    if (json_is_object(release) && mgl_json_text(release, "name") != NULL &&
        strcmp(mgl_file_name(mgl_json_text(release, "name")), output) != 0)
        mgl_claims_agree(c, "output", claimed, json_object_get(release, "name"));
}
