/* Claims that are compared with the rest of the result: what the job asked for, what the audit
 * trail says, and what follows from them. */
#include "flow/claims.h"

#include <math.h>
#include <stdio.h>

static const char *column_name(const mgl_claims *c, size_t a)
{
    return c->reading->quasi[a].settings->name;
}

static const json_t *claim_of(const mgl_claims *c, const char *key)
{
    return json_object_get(c->claimed, key);
}

/* A key that is there if and only if something else is. */
static bool is_due(mgl_claims *c, const char *key, const json_t *claimed, bool due)
{
    if (claimed == NULL && due)
        mgl_claims_missing(c, key);
    else if (claimed != NULL && !due)
        mgl_claims_contradict(c, key, claimed);
    return claimed != NULL && due;
}

/* Columns of parts have the roles that the part remembers. */
static bool of_parts(const mgl_claims *c)
{
    const char *data = mgl_json_text(c->job, "data");
    size_t size = data != NULL ? strlen(data) : 0;
    return json_object_get(c->job, "parts") != NULL ||
           (size > 5 && strcmp(data + size - 5, ".part") == 0);
}

static bool is_column(const mgl_claims *c, const char *column)
{
    const json_t *columns = json_object_get(c->audit, "columns");
    for (size_t i = 0; column != NULL && i < json_array_size(columns); i++) {
        const char *name = mgl_json_text(json_array_get(columns, i), "column");
        if (name != NULL && strcmp(name, column) == 0)
            return true;
    }
    return false;
}

/* ---- The method and its node --------------------------------------------------------------------
 */

void mgl_claim_method(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_agree_new(c, "method", claimed, json_string(c->settings->method->name));
}

static bool is_level(const json_t *level, const json_t *height)
{
    return json_is_integer(level) && json_integer_value(level) >= 0 &&
           json_integer_value(level) <= json_integer_value(height);
}

/* Levels of columns, none above its height. */
static bool are_levels(mgl_claims *c, const char *key, const json_t *claimed)
{
    const json_t *heights = claim_of(c, "heights");
    char name[MGL_CLAIM_NAME];
    bool good = true;
    if (!mgl_claims_columns(c, key, claimed))
        return false;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = column_name(c, a);
        const json_t *level = json_object_get(claimed, column);
        if (is_level(level, json_object_get(heights, column)))
            continue;
        mgl_claims_contradict(c, mgl_claim_name(name, key, column), level);
        good = false;
    }
    return good;
}

/* A column at its highest level holds nothing but its top. */
void mgl_claim_node(mgl_claims *c, const json_t *claimed)
{
    const json_t *heights = claim_of(c, "heights");
    char name[MGL_CLAIM_NAME];
    if (json_is_null(claimed) || !are_levels(c, "node", claimed))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = column_name(c, a);
        const json_t *level = json_object_get(claimed, column);
        if (json_equal(level, json_object_get(heights, column)) && c->top_cells[a] < c->rows)
            mgl_claims_compare(c, mgl_claim_name(name, "node", column), level, NULL);
    }
}

void mgl_claim_levels(mgl_claims *c, const json_t *claimed)
{
    if (!json_is_null(claimed))
        (void)are_levels(c, "levels", claimed);
}

void mgl_claim_heights(mgl_claims *c, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    if (!mgl_claims_columns(c, "heights", claimed))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const json_t *height = json_object_get(claimed, column_name(c, a));
        if (!json_is_integer(height) || json_integer_value(height) < 1)
            mgl_claims_contradict(c, mgl_claim_name(name, "heights", column_name(c, a)), height);
    }
}

void mgl_claim_minimal_nodes(mgl_claims *c, const json_t *claimed)
{
    if (!json_is_null(claimed) && !json_is_array(claimed))
        mgl_claims_contradict(c, "minimal_nodes", claimed);
    for (size_t i = 0; i < json_array_size(claimed); i++)
        if (!are_levels(c, "minimal_nodes", json_array_get(claimed, i)))
            return;
}

/* The last part of a path; builders hold slashes that are none. */
static const char *last_part(const char *path)
{
    const char *slash = path != NULL && !mgl_hierarchy_is_builder(path) ? strrchr(path, '/') : NULL;
    return slash != NULL ? slash + 1 : path;
}

/* Given or proposed, the hierarchy of a column is what the job has. */
static void check_builder(mgl_claims *c, const char *name, const json_t *claimed, size_t a)
{
    static const char *const kinds[] = {"given", "proposed", "none"};
    const json_t *fields =
        json_object_get(json_object_get(c->job, "attributes"), column_name(c, a));
    const char *kind = mgl_json_text(claimed, "hierarchy"),
               *builder = mgl_json_text(claimed, "builder"),
               *resolved = mgl_json_text(claimed, "resolved"),
               *said = last_part(mgl_json_text(fields, "hierarchy"));
    bool known = false;
    for (size_t i = 0; kind != NULL && i < 3; i++)
        known = known || strcmp(kind, kinds[i]) == 0;
    if (!known || builder == NULL) {
        mgl_claims_contradict(c, name, claimed);
        return;
    }
    bool none = strcmp(kind, "none") == 0;
    if (none != (resolved == NULL) || (!none && said == NULL && !of_parts(c)) ||
        (!none && said != NULL && strcmp(said, builder) != 0 && strcmp(said, resolved) != 0))
        mgl_claims_contradict(c, name, claimed);
}

void mgl_claim_hierarchies(mgl_claims *c, const json_t *claimed)
{
    const json_t *recorded = json_object_get(c->audit, "hierarchies");
    char name[MGL_CLAIM_NAME];
    if (!mgl_claims_columns(c, "hierarchies", claimed))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const json_t *used = json_object_get(recorded, column_name(c, a));
        const json_t *resolved =
            json_object_get(json_object_get(claimed, column_name(c, a)), "resolved");
        mgl_claim_name(name, "hierarchies", column_name(c, a));
        check_builder(c, name, json_object_get(claimed, column_name(c, a)), a);
        if (json_is_object(used) &&
            mgl_claims_shape(c, "audit.hierarchies", used, "name:s bytes:i sha256:s"))
            used = json_object_get(used, "name");
        if (json_is_string(used) && json_is_string(resolved))
            mgl_claims_agree(c, name, resolved, used);
        else if (json_is_string(used) != json_is_string(resolved))
            mgl_claims_contradict(c, name, resolved);
    }
}

void mgl_claim_averages(mgl_claims *c, const json_t *claimed)
{
    if (claimed != NULL && strcmp(c->settings->method->name, "microaggregate") != 0)
        mgl_claims_contradict(c, "microaggregation", claimed);
}

/* ---- The measure and its bound
 * ------------------------------------------------------------------- */

void mgl_claim_measure(mgl_claims *c, const json_t *claimed)
{
    const char *said = mgl_json_text(c->job, "utility");
    char name[64] = "precision";
    if (said != NULL)
        snprintf(name, sizeof name, "%.*s", (int)strcspn(said, "="), said);
    const mgl_measure_type *type = mgl_measure_type_find(name);
    mgl_claims_agree_new(c, "measure", claimed, json_string(type != NULL ? type->key : name));
}

static const mgl_measure_type *measure_of(const char *key)
{
    size_t n;
    const mgl_measure_type *const *types = mgl_measure_types(&n);
    for (size_t i = 0; key != NULL && i < n; i++)
        if (strcmp(types[i]->key, key) == 0)
            return types[i];
    return NULL;
}

void mgl_claim_bound(mgl_claims *c, const json_t *claimed)
{
    const mgl_measure_type *type = measure_of(mgl_json_text(c->claimed, "measure"));
    const json_t *proof = json_object_get(claimed, "proof");
    if (json_is_null(claimed) ||
        !mgl_claims_shape(c, "bound", claimed,
                          "measure:s best_possible:N achieved:N gap:N exact:b ?proof:o"))
        return;
    if (is_due(c, "bound.proof", proof, json_object_get(c->job, "save-proof") != NULL))
        mgl_claims_skip(c, "bound.proof", "mingle check --proof FILE --against RESULT");
    double best = mgl_json_number(claimed, "best_possible"),
           achieved = mgl_json_number(claimed, "achieved");
    const json_t *exact = json_object_get(claimed, "exact");
    mgl_claims_agree(c, "bound.measure", json_object_get(claimed, "measure"),
                     claim_of(c, "measure"));
    if (type != NULL)
        mgl_claims_agree(c, "bound.achieved", json_object_get(claimed, "achieved"),
                         json_object_get(claim_of(c, "utility"), type->key));
    double gap = fabs(best - achieved), slack = 1e-9 * fmax(1, fmax(fabs(best), fabs(achieved)));
    if (!(fabs(gap - mgl_json_number(claimed, "gap")) <= slack) && isfinite(achieved))
        mgl_claims_contradict(c, "bound.gap", json_object_get(claimed, "gap"));
    if (!json_is_boolean(exact) || (json_is_true(exact) && gap > slack))
        mgl_claims_contradict(c, "bound.exact", exact);
    /* Nothing is better than the best possible. */
    if (type != NULL && isfinite(best) && isfinite(achieved) &&
        (type->higher_is_better ? achieved - best : best - achieved) > slack)
        mgl_claims_contradict(c, "bound.best_possible", json_object_get(claimed, "best_possible"));
}

/* ---- Columns and persons ------------------------------------------------------------------------
 */

void mgl_claim_quasi(mgl_claims *c, const json_t *claimed)
{
    json_t *names = json_array();
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        mgl_json_append(names, json_string(column_name(c, a)));
    mgl_claims_agree_new(c, "quasi_identifier", claimed, names);
}

void mgl_claim_entity(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_agree(c, "entity", claimed, json_object_get(c->job, "entity"));
}

/* The role that the job gives a column, as results word it; NULL: none. */
static const char *role_said(const mgl_claims *c, const char *column)
{
    const json_t *fields = json_object_get(json_object_get(c->job, "attributes"), column);
    const char *role = mgl_json_text(fields, "role"), *rest = mgl_json_text(c->job, "rest");
    const char *entity = mgl_json_text(c->job, "entity"),
               *likelihood = mgl_json_text(fields, "likelihood");
    double likely = 1;
    if (entity != NULL && strcmp(entity, column) == 0)
        return "identifier";
    if (likelihood != NULL && role != NULL && strcmp(role, "quasi") == 0 &&
        mgl_parse_double(mgl_span_of(likelihood), &likely) && likely == 0)
        return "insensitive"; /* nobody links on it */
    if (role != NULL)
        return role;
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
    if (said != NULL || !of_parts(c))
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
        /* a copy that tells persons apart has one column more */
        if (entity == NULL || strcmp(entity, name) != 0)
            mgl_json_append(there, json_string(name));
    }
    mgl_claims_compare(c, "columns of the release", told, there);
    json_decref(told);
    json_decref(there);
}

/* ---- The audit trail
 * ------------------------------------------------------------------------------ */

/* Every column that the job names is one of the table. */
static void check_named(mgl_claims *c)
{
    char name[MGL_CLAIM_NAME];
    const char *column;
    json_t *fields;
    json_object_foreach(json_object_get(c->job, "attributes"), column, fields)
    {
        if (!is_column(c, column))
            mgl_claims_missing(c, mgl_claim_name(name, "audit.columns", column));
    }
}

static void check_job(mgl_claims *c)
{
    static const char *const always[] = {"data", "attributes", "output"};
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
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
        if (strcmp(c->reading->counted[s]->name, column) != 0)
            continue;
        there -= mgl_dictionary_missing(dictionary) != MGL_NOT_FOUND;
        for (size_t i = 0; i < json_array_size(values); i++) {
            const char *text = json_string_value(json_array_get(values, i));
            known +=
                text != NULL && mgl_dictionary_find(dictionary, mgl_span_of(text)) != MGL_NOT_FOUND;
        }
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
    const char *data = last_part(mgl_json_text(c->job, "data")),
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
                           "?policy:a");
    (void)is_due(c, "audit.policy", json_object_get(claimed, "policy"),
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
    const char *output = last_part(json_string_value(claimed));
    const char *said = last_part(mgl_json_text(c->job, "output"));
    if (output == NULL) {
        mgl_claims_contradict(c, "output", claimed);
        return;
    }
    if (said != NULL && strcmp(said, output) != 0)
        mgl_claims_agree(c, "output", claimed, json_object_get(c->job, "output"));
    if (json_is_object(release) && mgl_json_text(release, "name") != NULL &&
        strcmp(last_part(mgl_json_text(release, "name")), output) != 0)
        mgl_claims_agree(c, "output", claimed, json_object_get(release, "name"));
}

/* ---- What follows from the job
 * ---------------------------------------------------------------------- */

void mgl_claim_year(mgl_claims *c, const json_t *claimed)
{
    const char *policy = mgl_json_text(c->job, "policy");
    (void)is_due(c, "reference_year", claimed,
                 policy != NULL && strcmp(policy, "hipaa-safe-harbor") == 0);
}

void mgl_claim_totals(mgl_claims *c, const json_t *claimed)
{
    (void)is_due(c, "known_totals", claimed, json_is_object(claim_of(c, "levels")));
}

void mgl_claim_history(mgl_claims *c, const json_t *claimed)
{
    (void)is_due(c, "history", claimed, json_object_get(c->job, "history") != NULL);
}

void mgl_claim_curve(mgl_claims *c, const json_t *claimed)
{
    (void)is_due(c, "curve", claimed, json_object_get(c->job, "curve") != NULL);
}

void mgl_claim_about(mgl_claims *c, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    const char *key;
    json_t *value;
    for (int i = 0; i < MGL_ABOUTS; i++) {
        const char *said = mgl_about_key((mgl_about)i);
        mgl_claims_agree(c, mgl_claim_name(name, "about", said), json_object_get(claimed, said),
                         json_object_get(c->job, said));
    }
    json_object_foreach((json_t *)claimed, key, value)
    {
        bool known = false;
        for (int i = 0; i < MGL_ABOUTS; i++)
            known = known || strcmp(key, mgl_about_key((mgl_about)i)) == 0;
        if (!known)
            mgl_claims_unknown(c, mgl_claim_name(name, "about", key), value);
    }
}

void mgl_claim_seconds(mgl_claims *c, const json_t *claimed)
{
    (void)mgl_claims_shape(c, "seconds", claimed, "read:n search:n write:n verify:n total:n");
}

/* ---- Leaks and warnings
 * ------------------------------------------------------------------------------ */

void mgl_claim_leaks(mgl_claims *c, const json_t *claimed)
{
    if (!json_is_array(claimed) ||
        (json_array_size(claimed) > 0 && json_object_get(c->job, "allow-leaks") == NULL))
        mgl_claims_contradict(c, "leaks", claimed);
    for (size_t i = 0; i < json_array_size(claimed); i++)
        if (!is_column(c, mgl_json_text(json_array_get(claimed, i), "column")))
            mgl_claims_contradict(c, "leaks", json_array_get(claimed, i));
}

/* The columns that are named in a list of objects, each once. */
static json_t *named_columns(const json_t *list)
{
    json_t *names = json_array();
    const char *before = "";
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = mgl_json_text(json_array_get(list, i), "column");
        if (name == NULL || strcmp(name, before) == 0)
            continue;
        mgl_json_append(names, json_string(name));
        before = name;
    }
    return names;
}

void mgl_claim_guard(mgl_claims *c, const json_t *claimed)
{
    if (!mgl_claims_shape(c, "guard", claimed, "columns:a warnings:a accepted:a"))
        return;
    json_t *looked_at = json_array();
    for (size_t i = 0; i < json_array_size(json_object_get(claimed, "columns")); i++) {
        const json_t *column = json_array_get(json_object_get(claimed, "columns"), i);
        (void)mgl_claims_shape(c, "guard.columns", column, "column:s role:s looked_at:b found:a");
        mgl_json_append(looked_at,
                        json_pack("{s:O?,s:O?}", "column", json_object_get(column, "column"),
                                  "role", json_object_get(column, "role")));
    }
    mgl_claims_agree(c, "guard.columns", looked_at, claim_of(c, "unchanged"));
    json_decref(looked_at);
    mgl_claims_agree_new(c, "guard.accepted", json_object_get(claimed, "accepted"),
                         named_columns(claim_of(c, "leaks")));
}

static bool any_breaks(const json_t *models)
{
    for (size_t i = 0; i < json_array_size(models); i++)
        if (!json_is_true(json_object_get(json_array_get(models, i), "holds")))
            return true;
    return false;
}

void mgl_claim_failing(mgl_claims *c, const json_t *claimed)
{
    bool breaks = any_breaks(claim_of(c, "models"));
    bool jointly = any_breaks(json_object_get(claim_of(c, "history"), "models"));
    (void)is_due(c, "failing_rows", claimed, breaks || (jointly && claimed != NULL));
    (void)is_due(c, "failing_rows_count", claim_of(c, "failing_rows_count"), claimed != NULL);
    if (breaks && json_object_get(c->job, "accept") == NULL)
        mgl_claims_contradict(c, "models: one does not hold, which the job did not accept",
                              claim_of(c, "models"));
}

static size_t count_warnings(const json_t *warnings, const char *code)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        const char *here = mgl_json_text(json_array_get(warnings, i), "code");
        n += here != NULL && strcmp(here, code) == 0;
    }
    return n;
}

/* Warnings that follow from what else the result says must be there, and no others of their kind.
 */
static void expect_warning(mgl_claims *c, const json_t *warnings, const char *code, size_t due)
{
    char name[MGL_CLAIM_NAME];
    size_t n = count_warnings(warnings, code);
    if (n < due)
        mgl_claims_missing(c, mgl_claim_name(name, "warnings", code));
    else if (n > due)
        mgl_claims_contradict(c, mgl_claim_name(name, "warnings", code), warnings);
}

static void compare_exempt(mgl_claims *c, const json_t *warnings, uint64_t rows)
{
    char message[100];
    snprintf(message, sizeof message,
             "%llu suppressed rows are released but exempt from the models",
             (unsigned long long)rows);
    for (size_t i = 0; i < json_array_size(warnings); i++) {
        const json_t *warning = json_array_get(warnings, i);
        const char *code = mgl_json_text(warning, "code");
        if (code != NULL && strcmp(code, "exempt-rows") == 0)
            mgl_claims_agree_new(c, "warnings.exempt-rows", json_object_get(warning, "message"),
                                 json_string(message));
    }
}

void mgl_claim_warnings(mgl_claims *c, const json_t *claimed)
{
    uint64_t suppressed = mgl_json_whole(c->claimed, "suppressed_rows");
    bool exempt = c->settings->treatment == MGL_EXEMPT && suppressed > 0;
    if (!json_is_array(claimed)) {
        mgl_claims_contradict(c, "warnings", claimed);
        return;
    }
    for (size_t i = 0; i < json_array_size(claimed); i++)
        (void)mgl_claims_shape(c, "warnings", json_array_get(claimed, i), "code:s message:s");
    expect_warning(c, claimed, "exempt-rows", exempt);
    compare_exempt(c, claimed, suppressed);
    expect_warning(c, claimed, "leak-allowed", json_array_size(claim_of(c, "leaks")));
    expect_warning(c, claimed, "unsafe-release", claim_of(c, "failing_rows") != NULL);
    expect_warning(c, claimed, "suppressed-cells-match", claim_of(c, "missing_matches") != NULL);
    expect_warning(c, claimed, "combinations", c->problem->counting.columns > 0);
    expect_warning(c, claimed, "history",
                   mgl_json_whole(claim_of(c, "history"), "violating_rows") > 0);
    if (json_object_get(c->job, "time-limit") == NULL)
        expect_warning(c, claimed, "time-limit", 0);
}
