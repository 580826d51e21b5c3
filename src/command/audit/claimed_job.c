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

/* A column at its highest level holds nothing but its top. */
void mgl_claim_node(mgl_claims *c, const json_t *claimed)
{
    const json_t *heights = claim_of(c, "heights");
    char name[MGL_CLAIM_NAME];
    if (json_is_null(claimed) || !mgl_claims_are_levels(c, "node", claimed))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = column_name(c, a);
        const json_t *level = json_object_get(claimed, column);
        if (json_equal(level, json_object_get(heights, column)) && c->top_cells[a] < c->rows)
            mgl_claims_compare(c, mgl_claim_name(name, "node", column), level, NULL);
    }
}

/* The highest level below the top on which a column has rows; false: it has none. */
static bool highest_level(const mgl_claims *c, size_t a, size_t *out)
{
    const json_t *columns = json_object_get(claim_of(c, "figures"), "columns");
    const json_t *rows = json_object_get(json_array_get(columns, a), "rows_at_level");
    size_t l = json_array_size(rows);
    for (l -= l > 0; l > 0; l--)
        if (json_integer_value(json_array_get(rows, l - 1)) > 0) {
            *out = l - 1;
            return true;
        }
    return false;
}

/* The values of the file without the label of suppressed cells. NULL: memory is out. */
static mgl_dictionary *values_of(const mgl_claims *c, size_t a)
{
    const mgl_dictionary *all = c->reading->quasi[a].column->dictionary;
    mgl_dictionary *values = mgl_dictionary_new();
    for (uint32_t code = 0; values != NULL && code < mgl_dictionary_size(all); code++) {
        mgl_span text = mgl_dictionary_value(all, code);
        if (code != mgl_dictionary_missing(all) && !mgl_span_equal(text, c->tops[a]) &&
            mgl_dictionary_add(values, text) == MGL_NOT_FOUND) {
            mgl_dictionary_free(values);
            return NULL;
        }
    }
    return values;
}

/* Does the builder leave all values of the file as they are, up to a level? */
static bool stays_until(const mgl_claims *c, size_t a, const char *builder, size_t level)
{
    mgl_dictionary *values = values_of(c, a);
    mgl_hierarchy *hierarchy = NULL;
    mgl_error err;
    bool same =
        values != NULL &&
        mgl_hierarchy_make(builder, column_name(c, a), values, &err, &hierarchy) == MGL_OK &&
        level < hierarchy->height;
    for (uint32_t leaf = 0; same && leaf < hierarchy->n_leaves; leaf++) {
        const mgl_level *upper = &hierarchy->levels[level], *ground = &hierarchy->levels[0];
        same = mgl_span_equal(upper->labels[upper->of_leaf[leaf]],
                              ground->labels[ground->of_leaf[leaf]]);
    }
    mgl_hierarchy_free(hierarchy);
    mgl_dictionary_free(values);
    return same;
}

/* Does the builder need nothing but the values: no file, no other column? */
static bool stands_alone(const char *builder)
{
    return mgl_hierarchy_is_builder(builder) && mgl_hierarchy_path(builder).size == 0 &&
           mgl_hierarchy_columns(builder).size == 0;
}

/* Could cells that are found on one level stand on a higher one, which has the same labels? A
 * builder shows it, for values that are as they were; a file is not at hand. */
static bool could_stand_at(mgl_claims *c, size_t a, size_t found, const json_t *claimed)
{
    const json_t *used =
                     json_object_get(json_object_get(c->audit, "hierarchies"), column_name(c, a)),
                 *height = json_object_get(claim_of(c, "heights"), column_name(c, a));
    size_t level = (size_t)json_integer_value(claimed);
    char name[MGL_CLAIM_NAME];
    if (level <= found || json_integer_value(claimed) >= json_integer_value(height))
        return false;
    if (json_is_string(used) && stands_alone(json_string_value(used)))
        return found == 0 && stays_until(c, a, json_string_value(used), level);
    mgl_claims_skip(c, mgl_claim_name(name, "levels", column_name(c, a)),
                    "whether the level has the labels of a lower one needs the hierarchy");
    return json_is_object(used) || json_is_string(used);
}

/* Is a column on a lower level than the job generalizes it by, at least? */
static bool is_below_job(const json_t *fields, const json_t *level)
{
    const char *more = mgl_json_text(fields, "generalize");
    uint64_t least = 0;
    return more != NULL && mgl_json_text(fields, "level") == NULL &&
           mgl_parse_u64(mgl_span_of(more), &least) && (uint64_t)json_integer_value(level) < least;
}

/* Cells that are not suppressed are on the level of their column, or on a lower one that has the
 * same label. */
void mgl_claim_levels(mgl_claims *c, const json_t *claimed)
{
    const json_t *heights = claim_of(c, "heights");
    char name[MGL_CLAIM_NAME];
    size_t found;
    if (json_is_null(claimed) || !mgl_claims_are_levels(c, "levels", claimed))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = column_name(c, a);
        const json_t *level = json_object_get(claimed, column);
        const json_t *fields = json_object_get(json_object_get(c->job, "attributes"), column);
        bool whole =
            json_equal(level, json_object_get(heights, column)) && c->top_cells[a] == c->rows;
        if (json_object_get(fields, "aggregate") != NULL) /* its cells are on no level */
            mgl_claims_skip(c, "levels", "levels of aggregated columns need the input");
        if (json_object_get(fields, "aggregate") != NULL)
            continue;
        if (is_below_job(fields, level))
            mgl_claims_agree(c, mgl_claim_name(name, "levels", column), level,
                             json_object_get(fields, "generalize"));
        if (!whole && highest_level(c, a, &found) && (size_t)json_integer_value(level) != found &&
            !could_stand_at(c, a, found, level))
            mgl_claims_agree_new(c, mgl_claim_name(name, "levels", column), level,
                                 mgl_json_count(found));
    }
}

void mgl_claim_heights(mgl_claims *c, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    if (c->applied)
        mgl_claims_skip(c, "node, heights", "needs the recoding");
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

/* The next word or number of a text; false: there is none. */
static bool next_word(const char **at, mgl_span *out)
{
    static const char between[] = "(),;: ";
    *at += strspn(*at, between);
    *out = (mgl_span){*at, strcspn(*at, between)};
    *at += out->size;
    return out->size > 0;
}

/* Can the builder become this with what it takes from the values? Its words are all there, in their
 * order. */
static bool resolves_to(const char *builder, const char *resolved)
{
    mgl_span word, there;
    bool any = false;
    while (next_word(&builder, &word)) {
        bool same = false;
        while (!same && next_word(&resolved, &there))
            same = mgl_span_equal(word, there);
        if (!same)
            return false;
        any = true;
    }
    return any;
}

/* A column without a hierarchy is aggregated, released as ranges, or as value or top. */
static bool is_without(const json_t *fields, const char *builder)
{
    const char *aggregate = mgl_json_text(fields, "aggregate");
    return (aggregate != NULL && strcmp(builder, aggregate) == 0) ||
           strcmp(builder, "ranges") == 0 || strcmp(builder, "suppress") == 0;
}

/* The hierarchy of a column must be what the job has, which keeps what was given, or, where the
 * run found it, what it became. */
static void check_builder(mgl_claims *c, const char *name, const json_t *claimed, size_t a)
{
    const json_t *fields =
        json_object_get(json_object_get(c->job, "attributes"), column_name(c, a));
    if (!mgl_claims_shape(c, name, claimed, "hierarchy:s builder:s ?resolved:s"))
        return;
    const char *kind = mgl_json_text(claimed, "hierarchy"),
               *builder = mgl_json_text(claimed, "builder"),
               *resolved = mgl_json_text(claimed, "resolved"),
               *said = mgl_hierarchy_name(mgl_json_text(fields, "hierarchy"));
    bool none = strcmp(kind, "none") == 0, proposed = strcmp(kind, "proposed") == 0;
    bool good = none || proposed || strcmp(kind, "given") == 0;
    if (none)
        good = resolved == NULL && is_without(fields, builder);
    else
        good = good && resolved != NULL && resolves_to(builder, resolved) &&
               (mgl_hierarchy_is_builder(builder) || strcmp(builder, resolved) == 0);
    if (good && !none && said != NULL)
        good = strcmp(said, resolved) == 0 || (!proposed && strcmp(said, builder) == 0);
    if (!good || (!none && said == NULL && !mgl_claims_of_parts(c)))
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
        if (used != NULL && !json_is_object(used) && !json_is_string(used) && !json_is_null(used))
            mgl_claims_contradict(c, "audit.hierarchies", used);
        if (json_is_object(used) && mgl_claims_file_shape(c, "audit.hierarchies", used))
            used = json_object_get(used, "name");
        if (json_is_string(used) && json_is_string(resolved))
            mgl_claims_agree(c, name, resolved, used);
        else if (json_is_string(used) != json_is_string(resolved))
            mgl_claims_contradict(c, name, resolved);
    }
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
    const char *label = said != NULL ? strchr(said, '=') : NULL;
    if (label != NULL && !mgl_claims_is_column(c, label + 1))
        mgl_claims_contradict(c, "audit.job.utility", json_object_get(c->job, "utility"));
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
    if (mgl_claims_due(c, "reference_year", claimed,
                       policy != NULL && strcmp(policy, "hipaa-safe-harbor") == 0) &&
        !json_is_integer(claimed))
        mgl_claims_contradict(c, "reference_year", claimed);
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

/* ---- Rows that fail -------------------------------------------------------------------------- */

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
