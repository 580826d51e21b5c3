/* Compares claims with the rest of the result: what the job asked for, what the audit trail says,
 * and what follows from them. The table in claims.c calls these functions. */
#include "command/audit/claims.h"

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

/* ---- The method and its node --------------------------------------------------------------- */

void mgl_claim_method(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_agree_new(c, "method", claimed, json_string(c->settings->method->name));
}

static bool is_level(const json_t *level, const json_t *height)
{
    return json_is_integer(level) && json_integer_value(level) >= 0 &&
           json_integer_value(level) <= json_integer_value(height);
}

/* Are these levels of the columns, none above the height of its hierarchy? */
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
    if (c->applied && json_is_null(claimed) && json_is_null(claim_of(c, "node")))
        return; /* tuples of their own have no levels */
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

/* The hierarchy of a column, given or proposed, must be what the job has. */
static void check_builder(mgl_claims *c, const char *name, const json_t *claimed, size_t a)
{
    static const char *const kinds[] = {"given", "proposed", "none"};
    const json_t *fields =
        json_object_get(json_object_get(c->job, "attributes"), column_name(c, a));
    const char *kind = mgl_json_text(claimed, "hierarchy"),
               *builder = mgl_json_text(claimed, "builder"),
               *resolved = mgl_json_text(claimed, "resolved"),
               *said = mgl_hierarchy_name(mgl_json_text(fields, "hierarchy"));
    bool known = false;
    for (size_t i = 0; kind != NULL && i < 3; i++)
        known = known || strcmp(kind, kinds[i]) == 0;
    if (!known || builder == NULL) {
        mgl_claims_contradict(c, name, claimed);
        return;
    }
    bool none = strcmp(kind, "none") == 0;
    if (none != (resolved == NULL) || (!none && said == NULL && !mgl_claims_of_parts(c)) ||
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
    if (claimed != NULL && !c->settings->method->averages)
        mgl_claims_contradict(c, "microaggregation", claimed);
}

/* ---- The measure and its bound ------------------------------------------------------------- */

void mgl_claim_measure(mgl_claims *c, const json_t *claimed)
{
    const char *said = mgl_json_text(c->job, "utility");
    const mgl_measure_type *type = mgl_measure_type_standard();
    char name[64] = "";
    if (said != NULL) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(said, "="), said);
        type = mgl_measure_type_find(name);
    }
    mgl_claims_agree_new(c, "measure", claimed, json_string(type != NULL ? type->key : name));
}

void mgl_claim_bound(mgl_claims *c, const json_t *claimed)
{
    const char *key = mgl_json_text(c->claimed, "measure");
    const mgl_measure_type *type = key != NULL ? mgl_measure_type_find_key(key) : NULL;
    const json_t *proof = json_object_get(claimed, "proof");
    if (json_is_null(claimed) ||
        !mgl_claims_shape(c, "bound", claimed,
                          "measure:s best_possible:N achieved:N gap:N exact:b ?proof:o"))
        return;
    if (mgl_claims_due(c, "bound.proof", proof, json_object_get(c->job, "save-proof") != NULL))
        mgl_claims_skip(c, "bound.proof", "`check` with `proof: FILE` and `against: RESULT`");
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
    /* What was achieved must not be better than the best possible. */
    if (type != NULL && isfinite(best) && isfinite(achieved) &&
        (type->higher_is_better ? achieved - best : best - achieved) > slack)
        mgl_claims_contradict(c, "bound.best_possible", json_object_get(claimed, "best_possible"));
}

/* ---- Columns and persons ------------------------------------------------------------------- */

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

void mgl_claim_view(mgl_claims *c, const json_t *claimed)
{
    mgl_claims_agree(c, "entity_view", claimed, json_object_get(c->job, "entity-view"));
}

/* ---- What follows from the job ------------------------------------------------------------- */

void mgl_claim_year(mgl_claims *c, const json_t *claimed)
{
    const char *policy = mgl_json_text(c->job, "policy");
    (void)mgl_claims_due(c, "reference_year", claimed,
                         policy != NULL && strcmp(policy, "hipaa-safe-harbor") == 0);
}

void mgl_claim_totals(mgl_claims *c, const json_t *claimed)
{
    (void)mgl_claims_due(c, "known_totals", claimed, json_is_object(claim_of(c, "levels")));
}

void mgl_claim_history(mgl_claims *c, const json_t *claimed)
{
    (void)mgl_claims_due(c, "history", claimed, json_object_get(c->job, "history") != NULL);
}

void mgl_claim_curve(mgl_claims *c, const json_t *claimed)
{
    (void)mgl_claims_due(c, "curve", claimed, json_object_get(c->job, "curve") != NULL);
}

bool mgl_claims_regrouped(const mgl_claims *c)
{
    const json_t *regrouped = json_object_get(claim_of(c, "least_count"), "regrouped");
    return mgl_json_whole(regrouped, "rows") > 0;
}

/* The job says whether rows were left out; how many, all counts of the result together. */
static bool leaves_rows_out(const mgl_claims *c)
{
    return mgl_json_text(c->job, "where") != NULL || mgl_json_text(c->job, "sample") != NULL;
}

void mgl_claim_left_out(mgl_claims *c, const json_t *claimed)
{
    const json_t *choice = claim_of(c, "row_choice");
    if (mgl_claims_due(c, "left_out_rows", claimed, leaves_rows_out(c)))
        mgl_claims_agree_new(
            c, "left_out_rows", claimed,
            mgl_json_count(mgl_json_whole(choice, "where") + mgl_json_whole(choice, "sample")));
}

/* A sample of so many rows leaves no more; one of persons may. */
static void check_sample(mgl_claims *c, const json_t *claimed)
{
    const char *said = mgl_json_text(c->job, "sample");
    uint64_t n, left = mgl_json_whole(c->claimed, "rows"),
                drawn_of = left + mgl_json_whole(claimed, "sample");
    bool rows = json_object_get(c->job, "entity") == NULL;
    if (said == NULL
            ? drawn_of != left
            : rows && mgl_parse_u64(mgl_span_of(said), &n) && left != (n < drawn_of ? n : drawn_of))
        mgl_claims_contradict(c, "row_choice.sample", json_object_get(claimed, "sample"));
}

void mgl_claim_row_choice(mgl_claims *c, const json_t *claimed)
{
    if (!mgl_claims_due(c, "row_choice", claimed, leaves_rows_out(c)) ||
        !mgl_claims_shape(c, "row_choice", claimed, "read:i where:i sample:i"))
        return;
    const json_t *counts = claim_of(c, "counts"); /* its rows are no records */
    mgl_claims_agree_new(
        c, "row_choice.read", json_object_get(claimed, "read"),
        mgl_json_count(mgl_json_whole(counts != NULL ? counts : c->claimed, "rows") +
                       mgl_json_whole(claimed, "where") + mgl_json_whole(claimed, "sample")));
    if (mgl_json_text(c->job, "where") == NULL && mgl_json_whole(claimed, "where") > 0)
        mgl_claims_contradict(c, "row_choice.where", json_object_get(claimed, "where"));
    check_sample(c, claimed);
}

void mgl_claim_least_count(mgl_claims *c, const json_t *claimed)
{
    const char *said = mgl_json_text(c->job, "least-count");
    uint64_t n = 0;
    const json_t *regrouped = json_object_get(claimed, "regrouped");
    if (!mgl_claims_due(c, "least_count", claimed, said != NULL))
        return;
    (void)mgl_claims_shape(c, "least_count", claimed,
                           "n:i combinations:i regrouped:o measure:s counted:N");
    (void)mgl_claims_shape(c, "least_count.regrouped", regrouped, "combinations:i rows:i at_top:i");
    mgl_parse_u64(mgl_span_of(said), &n);
    mgl_claims_agree_new(c, "least_count.n", json_object_get(claimed, "n"), mgl_json_count(n));
    mgl_claims_agree(c, "least_count.measure", json_object_get(claimed, "measure"),
                     claim_of(c, "measure"));
    if (mgl_json_whole(regrouped, "rows") > mgl_json_whole(c->claimed, "rows") ||
        mgl_json_whole(regrouped, "at_top") > mgl_json_whole(regrouped, "rows"))
        mgl_claims_contradict(c, "least_count.regrouped", regrouped);
}

void mgl_claim_left(mgl_claims *c, const json_t *claimed)
{
    uint64_t rows = mgl_json_whole(claimed, "rows"), all = mgl_json_whole(c->claimed, "rows");
    if (claimed == NULL ||
        !mgl_claims_shape(c, "left_database", claimed,
                          "rows:i ?combinations:i ?once:i ?rarest:i "
                          "?standing_for:i ?with_sensitive:o ?for_guard:o "
                          "?of_release:o ?released_rows:i ?values:o ?for_where:i"))
        return;
    const json_t *choice =
        claim_of(c, "row_choice"); /* made by the engine, or after rows left it */
    uint64_t drawn_of = all + mgl_json_whole(choice, "sample"),
             read = drawn_of + mgl_json_whole(choice, "where");
    if (rows != 0 && rows != all && rows != drawn_of && rows != read)
        mgl_claims_contradict(c, "left_database.rows", json_object_get(claimed, "rows"));
    if (mgl_json_whole(claimed, "combinations") > all ||
        mgl_json_whole(claimed, "once") > mgl_json_whole(claimed, "combinations"))
        mgl_claims_contradict(c, "left_database.combinations",
                              json_object_get(claimed, "combinations"));
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

/* ---- Leaks and warnings -------------------------------------------------------------------- */

void mgl_claim_leaks(mgl_claims *c, const json_t *claimed)
{
    if (!json_is_array(claimed) ||
        (json_array_size(claimed) > 0 && json_object_get(c->job, "allow-leaks") == NULL))
        mgl_claims_contradict(c, "leaks", claimed);
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        const json_t *leak = json_array_get(claimed, i);
        const char *with = mgl_json_text(leak, "with");
        if (!mgl_claims_shape(c, "leaks", leak, "code:s column:s ?with:s message:s"))
            continue;
        if (!mgl_claims_is_column(c, mgl_json_text(leak, "column")) ||
            (with != NULL && !mgl_claims_is_column(c, with)))
            mgl_claims_contradict(c, "leaks", leak);
    }
}

static void add_name(json_t *names, const char *name)
{
    for (size_t i = 0; i < json_array_size(names); i++)
        if (name == NULL || strcmp(json_string_value(json_array_get(names, i)), name) == 0)
            return;
    if (name != NULL)
        mgl_json_append(names, json_string(name));
}

/* The columns that are named in a list of objects, each once. */
static json_t *named_columns(const json_t *list)
{
    json_t *names = json_array();
    for (size_t i = 0; i < json_array_size(list); i++) {
        add_name(names, mgl_json_text(json_array_get(list, i), "column"));
        add_name(names, mgl_json_text(json_array_get(list, i), "with"));
    }
    return names;
}

/* Of a counted table: is the column passed through where the map is joined to the records? */
static bool is_elsewhere(const mgl_claims *c, const json_t *column)
{
    const char *role = mgl_json_text(column, "role");
    return claim_of(c, "counts") != NULL && role != NULL &&
           strcmp(role, mgl_role_name(MGL_ROLE_INSENSITIVE)) == 0;
}

void mgl_claim_guard(mgl_claims *c, const json_t *claimed)
{
    if (!mgl_claims_shape(c, "guard", claimed, "columns:a pairs:o warnings:a accepted:a") ||
        !mgl_claims_shape(c, "guard.pairs", json_object_get(claimed, "pairs"),
                          "tested:i not_tested:a"))
        return;
    json_t *looked_at = json_array();
    for (size_t i = 0; i < json_array_size(json_object_get(claimed, "columns")); i++) {
        const json_t *column = json_array_get(json_object_get(claimed, "columns"), i);
        const char *name = mgl_json_text(column, "column");
        (void)mgl_claims_shape(c, "guard.columns", column,
                               "column:s role:s looked_at:b ?by:s found:a");
        if (name != NULL && (mgl_claims_is_treated(c, name) || mgl_claims_is_linked(c, name) ||
                             mgl_claims_has_items(c, name)))
            continue; /* it is looked at as well */
        if (is_elsewhere(c, column))
            continue;
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
    (void)mgl_claims_due(c, "failing_rows", claimed, breaks || (jointly && claimed != NULL));
    (void)mgl_claims_due(c, "failing_rows_count", claim_of(c, "failing_rows_count"),
                         claimed != NULL);
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

/* Warnings that follow from the rest of the result must be there, and no others of their kind. */
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
    expect_warning(c, claimed, "named-combinations", c->settings->n_named > 0);
    expect_warning(c, claimed, "history",
                   mgl_json_whole(claim_of(c, "history"), "violating_rows") > 0);
    if (json_object_get(c->job, "time-limit") == NULL)
        expect_warning(c, claimed, "time-limit", 0);
}
