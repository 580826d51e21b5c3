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

bool mgl_claims_is_column(const mgl_claims *c, const char *column)
{
    const json_t *columns = json_object_get(c->audit, "columns");
    for (size_t i = 0; column != NULL && i < json_array_size(columns); i++) {
        const char *name = mgl_json_text(json_array_get(columns, i), "column");
        if (name != NULL && strcmp(name, column) == 0)
            return true;
    }
    return false;
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
    for (size_t i = 0; i < c->settings->n_by; i++)
        if (strcmp(c->settings->by[i], column) == 0)
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

static void compare_columns(mgl_claims *c, const json_t *claimed)
{
    const mgl_source *source = c->reading->source;
    json_t *told = json_array(), *there = json_array();
    const char *entity = c->settings->entity;
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        const json_t *column = json_array_get(claimed, i);
        const char *name = mgl_json_text(column, "column");
        compare_column(c, column);
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

/* Every column that the job names is one of the table, or stayed where that was counted. */
static void check_named(mgl_claims *c)
{
    char name[MGL_CLAIM_NAME];
    const char *column;
    json_t *fields;
    json_object_foreach(json_object_get(c->job, "attributes"), column, fields)
    {
        const char *role = mgl_json_text(fields, "role");
        bool elsewhere = json_object_get(c->job, "count") != NULL && role != NULL &&
                         (strcmp(role, "identifier") == 0 || strcmp(role, "insensitive") == 0);
        if (!elsewhere && !mgl_claims_is_column(c, column))
            mgl_claims_missing(c, mgl_claim_name(name, "audit.columns", column));
    }
}

static void check_job(mgl_claims *c)
{
    static const char *const always[] = {"data", "attributes", "output"};
    bool shards = json_object_get(c->job, "shards") != NULL; /* in the place of data */
    for (size_t i = shards ? 1 : 0; i < sizeof always / sizeof always[0]; i++) {
        char name[MGL_CLAIM_NAME];
        if (json_object_get(c->job, always[i]) == NULL)
            mgl_claims_missing(c, mgl_claim_name(name, "audit.job", always[i]));
    }
    check_named(c);
    static const char *const besides[] = {"attributes", "privacy", "quasi-identifiers"};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)c->job, key, value)
    {
        char name[MGL_CLAIM_NAME];
        bool known = mgl_job_knows_key(key);
        for (size_t i = 0; i < sizeof besides / sizeof besides[0]; i++)
            known = known || strcmp(key, besides[i]) == 0;
        if (!known)
            mgl_claims_unknown(c, mgl_claim_name(name, "audit.job", key), value);
    }
}

static void check_tops(mgl_claims *c)
{
    const json_t *tops = json_object_get(c->audit, "tops");
    if (!mgl_claims_columns(c, "audit.tops", tops))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        if (!json_is_string(json_object_get(tops, column_name(c, a))))
            mgl_claims_contradict(c, "audit.tops", tops);
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
    json_object_foreach((json_t *)trees, column, tree) compare_tree(c, column, tree);
    for (size_t i = 0; i < s->n_unjudged; i++) {
        const mgl_model_settings *model = &s->unjudged[i];
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
    if (json_is_null(input) ||
        !mgl_claims_shape(c, "audit.input", input, "name:s bytes:i sha256:s"))
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
    (void)mgl_claims_due(c, "audit.recoding", json_object_get(claimed, "recoding"), c->applied);
    (void)mgl_claims_due(c, "audit.policy", json_object_get(claimed, "policy"),
                         json_object_get(c->job, "policy") != NULL);
    check_job(c);
    (void)mgl_claims_columns(c, "audit.hierarchies", json_object_get(claimed, "hierarchies"));
    compare_columns(c, json_object_get(claimed, "columns"));
    check_tops(c);
    check_trees(c);
    check_input(c, json_object_get(claimed, "input"));
    mgl_claims_skip(c, "audit.input, audit.hierarchies, values_before",
                    "needs the input and the hierarchies; sha256sum FILE");
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
