/* Compares what a result says of the search: the hierarchies, the node and levels that it chose,
 * and what it found on its way, such as bounds, curves and earlier releases. What was found needs
 * the input; that it does not contradict itself or the release, is seen here. */
#include "command/audit/claims.h"

#include <math.h>
#include <stdio.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

bool mgl_claims_of_method(const mgl_claims *c, const char *key)
{
    const char *const *keys = c->settings->method->reported;
    while (keys != NULL && *keys != NULL && strcmp(*keys, key) != 0)
        keys++;
    return keys != NULL && *keys != NULL;
}

/* ---- Nodes and levels ------------------------------------------------------------------------ */

static const json_t *height_of(const mgl_claims *c, size_t a)
{
    return json_object_get(json_object_get(c->claimed, "heights"), mgl_claim_quasi(c, a));
}

bool mgl_claims_are_levels(mgl_claims *c, const char *key, const json_t *claimed,
                           mgl_has_level *has)
{
    size_t before = json_array_size(c->differences), n = 0;
    char name[MGL_CLAIM_NAME];
    for (size_t a = 0; json_is_object(claimed) && a < c->reading->n_quasi; a++) {
        const json_t *level = json_object_get(claimed, mgl_claim_quasi(c, a));
        bool due = has == NULL || has(c, a);
        n += level != NULL;
        mgl_claim_name(name, key, mgl_claim_quasi(c, a));
        if (mgl_claims_due(c, name, level, due))
            mgl_claims_require(c,
                               json_is_integer(level) && json_integer_value(level) >= 0 &&
                                   json_integer_value(level) <= json_integer_value(height_of(c, a)),
                               name, level);
    }
    mgl_claims_require(c, n == json_object_size(claimed), key, claimed);
    return json_array_size(c->differences) == before;
}

/* A column at its highest level holds nothing but its top. */
void mgl_claim_node(mgl_claims *c, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    (void)mgl_claims_are_levels(c, "node", claimed, NULL);
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const json_t *level = json_object_get(claimed, mgl_claim_quasi(c, a));
        if (level != NULL && json_equal(level, height_of(c, a)) && c->top_cells[a] < c->rows)
            mgl_claims_compare(c, mgl_claim_name(name, "node", mgl_claim_quasi(c, a)), level, NULL);
    }
}

void mgl_claim_heights(mgl_claims *c, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    bool own = c->applied && json_is_null(json_object_get(c->claimed, "node"));
    if (c->applied)
        mgl_claims_skip(c, "node, heights", "needs the recoding");
    /* tuples of their own have no levels */
    mgl_claims_require(c, !json_is_null(claimed) || own, "heights", claimed);
    for (size_t a = 0; json_is_object(claimed) && a < c->reading->n_quasi; a++)
        mgl_claims_require(c, json_integer_value(height_of(c, a)) > 0,
                           mgl_claim_name(name, "heights", mgl_claim_quasi(c, a)), height_of(c, a));
}

/* The highest level below the top on which a column has rows; false: it has none. */
static bool highest_level(const mgl_claims *c, size_t a, size_t *out)
{
    const json_t *columns = mgl_claim_at(c->claimed, "figures.columns");
    const json_t *rows = json_object_get(json_array_get(columns, a), "rows_at_level");
    size_t l = json_array_size(rows);
    for (l -= l > 0; l > 0; l--)
        if (mgl_claim_whole_at(rows, l - 1) > 0) {
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
        mgl_hierarchy_make(builder, mgl_claim_quasi(c, a), values, &err, &hierarchy) == MGL_OK &&
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
    return builder != NULL && mgl_hierarchy_is_builder(builder) &&
           mgl_hierarchy_path(builder).size == 0 && mgl_hierarchy_columns(builder).size == 0;
}

/* Could cells that are found on one level stand on a higher one, which has the same labels? A
 * builder shows it, for values that are as they were; a file is not at hand. */
static bool could_stand_at(mgl_claims *c, size_t a, size_t found, const json_t *claimed)
{
    const char *column = mgl_claim_quasi(c, a);
    const json_t *used = json_object_get(json_object_get(c->audit, "hierarchies"), column);
    size_t level = (size_t)json_integer_value(claimed);
    char name[MGL_CLAIM_NAME];
    if (level <= found || json_integer_value(claimed) >= json_integer_value(height_of(c, a)))
        return false;
    if (stands_alone(json_string_value(used)))
        return found == 0 && stays_until(c, a, json_string_value(used), level);
    mgl_claims_skip(c, mgl_claim_name(name, "levels", column),
                    "whether the level has the labels of a lower one needs the hierarchy");
    return json_is_object(used) || json_is_string(used);
}

/* Cells that are not suppressed are on the level of their column, or on a lower one that has the
 * same label. */
static void compare_level(mgl_claims *c, const char *name, const json_t *level, size_t a)
{
    const json_t *fields =
        json_object_get(json_object_get(c->job, "attributes"), mgl_claim_quasi(c, a));
    const char *more = mgl_json_text(fields, "generalize");
    uint64_t least = 0, here = (uint64_t)json_integer_value(level);
    size_t found;
    if (json_object_get(fields, "aggregate") != NULL) { /* its cells are on no level */
        mgl_claims_skip(c, "levels", "levels of aggregated columns need the input");
        return;
    }
    if (more != NULL && mgl_json_text(fields, "level") == NULL &&
        mgl_parse_u64(mgl_span_of(more), &least) && here < least)
        mgl_claims_agree(c, name, level, json_incref(json_object_get(fields, "generalize")));
    bool whole = json_equal(level, height_of(c, a)) && c->top_cells[a] == c->rows;
    if (!whole && highest_level(c, a, &found) && here != found &&
        !could_stand_at(c, a, found, level))
        mgl_claims_agree(c, name, level, mgl_json_count(found));
}

void mgl_claim_levels(mgl_claims *c, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    if (json_is_null(claimed) || !mgl_claims_are_levels(c, "levels", claimed, NULL))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        compare_level(c, mgl_claim_name(name, "levels", mgl_claim_quasi(c, a)),
                      json_object_get(claimed, mgl_claim_quasi(c, a)), a);
}

void mgl_claim_minimal_nodes(mgl_claims *c, const json_t *claimed)
{
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        const json_t *node = json_array_get(claimed, i);
        bool again = false;
        for (size_t j = 0; j < i; j++)
            again = again || json_equal(node, json_array_get(claimed, j));
        mgl_claims_require(c, !again, "minimal_nodes", node);
        if (!mgl_claims_are_levels(c, "minimal_nodes", node, NULL))
            return;
    }
}

/* ---- Hierarchies ---------------------------------------------------------------------------- */

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
static bool is_without(const char *aggregate, const char *builder)
{
    return (aggregate != NULL && strcmp(builder, aggregate) == 0) ||
           strcmp(builder, "ranges") == 0 || strcmp(builder, "suppress") == 0;
}

/* The hierarchy of a column must be what the job has, which keeps what was given, or, where the
 * run found it, what it became. */
static bool is_of_job(const mgl_claims *c, const json_t *claimed, const char *column)
{
    const char *kind = mgl_json_text(claimed, "hierarchy"),
               *builder = mgl_json_text(claimed, "builder"),
               *resolved = mgl_json_text(claimed, "resolved"),
               *given = mgl_hierarchy_name(mgl_claim_field(c, column, "hierarchy"));
    bool proposed = strcmp(kind, "proposed") == 0;
    if (strcmp(kind, "none") == 0)
        return resolved == NULL && is_without(mgl_claim_field(c, column, "aggregate"), builder);
    return (proposed || strcmp(kind, "given") == 0) && resolved != NULL &&
           resolves_to(builder, resolved) &&
           (mgl_hierarchy_is_builder(builder) || strcmp(builder, resolved) == 0) &&
           (given != NULL
                ? strcmp(given, resolved) == 0 || (!proposed && strcmp(given, builder) == 0)
                : mgl_claims_of_parts(c));
}

/* They are those of the trail, too. */
void mgl_claim_hierarchies(mgl_claims *c, const json_t *claimed)
{
    const json_t *recorded = json_object_get(c->audit, "hierarchies");
    char name[MGL_CLAIM_NAME];
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = mgl_claim_quasi(c, a);
        const json_t *one = json_object_get(claimed, column),
                     *used = json_object_get(recorded, column);
        mgl_claim_name(name, "hierarchies", column);
        mgl_claims_require(c, is_of_job(c, one, column), name, one);
        mgl_claims_require(
            c,
            used == NULL || json_is_null(used) || json_is_string(used) ||
                mgl_claims_shape(c, "audit.hierarchies", used, "{name:s bytes:i sha256:d}"),
            "audit.hierarchies", used);
        if (json_is_object(used))
            used = json_object_get(used, "name");
        mgl_claims_agree(c, name, json_object_get(one, "resolved"),
                         json_is_string(used) ? json_incref((json_t *)used) : NULL);
    }
}

/* ---- The measure and its bound --------------------------------------------------------------- */

void mgl_claim_measure(mgl_claims *c, const json_t *claimed)
{
    const char *given = mgl_json_text(c->job, "utility");
    const char *label = given != NULL ? strchr(given, '=') : NULL;
    const mgl_measure_type *type = mgl_measure_type_standard();
    char name[64] = "";
    if (given != NULL) {
        snprintf(name, sizeof name, "%.*s", (int)strcspn(given, "="), given);
        type = mgl_measure_type_find(name);
    }
    mgl_claims_agree(c, "measure", claimed, json_string(type != NULL ? type->key : name));
    mgl_claims_require(c, label == NULL || mgl_claims_column(c, label + 1) != NULL,
                       "audit.job.utility", json_object_get(c->job, "utility"));
}

/* What was achieved must not be better than the best possible. */
void mgl_claim_bound(mgl_claims *c, const json_t *claimed)
{
    const char *key = mgl_json_text(c->claimed, "measure");
    const mgl_measure_type *type = key != NULL ? mgl_measure_type_find_key(key) : NULL;
    const json_t *proof = json_object_get(claimed, "proof"),
                 *exact = json_object_get(claimed, "exact");
    if (json_is_null(claimed))
        return;
    if (mgl_claims_due(c, "bound.proof", proof, json_object_get(c->job, "save-proof") != NULL))
        mgl_claims_skip(c, "bound.proof", "`check` with `proof: FILE` and `against: RESULT`");
    double best = mgl_json_number(claimed, "best_possible"),
           achieved = mgl_json_number(claimed, "achieved");
    if (type != NULL)
        mgl_claims_agree_at(
            c, "bound.achieved",
            json_incref(json_object_get(json_object_get(c->claimed, "utility"), type->key)));
    double gap = fabs(best - achieved), slack = 1e-9 * fmax(1, fmax(fabs(best), fabs(achieved)));
    mgl_claims_require(c,
                       fabs(gap - mgl_json_number(claimed, "gap")) <= slack || !isfinite(achieved),
                       "bound.gap", NULL);
    mgl_claims_require(c, !(json_is_true(exact) && gap > slack), "bound.exact", exact);
    double better = type != NULL && type->higher_is_better ? achieved - best : best - achieved;
    mgl_claims_require(c, type == NULL || !(isfinite(better) && better > slack),
                       "bound.best_possible", NULL);
}

/* ---- Other k -------------------------------------------------------------------------------- */

static const char point_shape[] =
    "{k:i suppressed_rows:i classes:{count:i min:i mean:n max:i} risk:{prosecutor_max:N "
    "prosecutor_mean:N uniques:i expected_reidentifications:n} utility:o "
    "bound:~{measure:s best_possible:N achieved:N gap:N exact:b}}";

/* The point of the k of the job is the release itself. */
void mgl_claim_curve(mgl_claims *c, const json_t *claimed)
{
    static const char *const same[] = {"suppressed_rows", "classes", "utility"};
    const json_t *point, *utility = json_object_get(c->claimed, "utility");
    char name[MGL_CLAIM_NAME];
    size_t i;
    json_array_foreach((json_t *)claimed, i, point)
    {
        bool failed = json_object_get(point, "error") != NULL;
        if (!mgl_claims_shape(c, "curve", point, failed ? "{k:i error:s}" : point_shape) || failed)
            continue;
        const json_t *here = json_object_get(point, "utility");
        mgl_claims_no_others(c, "curve.utility", here, utility);
        mgl_claims_require(c, json_object_size(here) == json_object_size(utility), "curve.utility",
                           here);
        for (size_t s = 0; s < sizeof same / sizeof same[0]; s++)
            if (!c->settings->no_k && mgl_json_whole(point, "k") == c->settings->k)
                mgl_claims_agree(c, mgl_claim_name(name, "curve", same[s]),
                                 json_object_get(point, same[s]),
                                 json_incref(json_object_get(c->claimed, same[s])));
    }
}

/* ---- Earlier releases ----------------------------------------------------------------------- */

void mgl_claim_history(mgl_claims *c, const json_t *claimed)
{
    const char *judged = mgl_json_text(c->job, "history-judged");
    const json_t *model;
    uint64_t worst = 0;
    size_t i;
    mgl_claims_agree_at(c, "history.judged", json_string(judged != NULL ? judged : "searching"));
    json_array_foreach(json_object_get(claimed, "models"), i, model)
    {
        uint64_t rows = mgl_json_whole(model, "violating_rows");
        worst = rows > worst ? rows : worst;
    }
    mgl_claims_require(c, mgl_json_whole(claimed, "violating_rows") >= worst,
                       "history.violating_rows", NULL);
}

/* ---- Known totals --------------------------------------------------------------------------- */

/* All suppressed cells of a column whose level is below the top. */
static void check_total(mgl_claims *c, const char *name, size_t a, const json_t *claimed)
{
    uint64_t cells = mgl_json_whole(claimed, "suppressed_cells"),
             values = mgl_json_whole(claimed, "values");
    double guess = mgl_json_number(claimed, "best_guess"), rows = guess * (double)cells;
    if (cells > c->top_cells[a])
        mgl_claims_compare(c, name, json_object_get(claimed, "suppressed_cells"),
                           mgl_json_count(c->top_cells[a]));
    mgl_claims_agree(c, name, json_object_get(claimed, "inferred_cells"),
                     mgl_json_count(values == 1 ? cells : 0));
    /* the most frequent of so many values */
    mgl_claims_require(c,
                       values >= 1 && values <= cells && is_near(rows, round(rows)) &&
                           guess * (double)values >= 1 - 1e-9 && guess <= 1 + 1e-9,
                       name, json_object_get(claimed, "best_guess"));
}

bool mgl_claim_totals_due(const mgl_claims *c)
{
    return json_is_object(json_object_get(c->claimed, "levels"));
}

void mgl_claim_totals(mgl_claims *c, const json_t *claimed)
{
    const json_t *levels = json_object_get(c->claimed, "levels");
    char name[MGL_CLAIM_NAME];
    size_t n = 0;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = mgl_claim_quasi(c, a);
        const json_t *one = json_object_get(claimed, column);
        bool whole = json_equal(json_object_get(levels, column), height_of(c, a));
        n += one != NULL;
        mgl_claim_name(name, "known_totals", column);
        if (one != NULL)
            check_total(c, name, a, one);
        else if (!whole && c->lone_cells[a] > 0)
            mgl_claims_missing(c, name);
    }
    mgl_claims_require(c, n == json_object_size(claimed), "known_totals", claimed);
}

/* ---- Averages ------------------------------------------------------------------------------- */

/* Strata, several sets and aggregated columns have sections of their own, and suppressed rows are
 * in no group. */
bool mgl_claim_averages_due(const mgl_claims *c)
{
    bool lone = c->settings->strata.n == 0 && c->settings->n_quasi <= 1 &&
                json_object_get(c->claimed, "aggregation") == NULL && c->top_rows < c->rows;
    return c->settings->method->averages && !c->applied &&
           (lone || json_object_get(c->claimed, "microaggregation") != NULL);
}

void mgl_claim_averages(mgl_claims *c, const json_t *claimed)
{
    double sse = mgl_json_number(claimed, "sse"), sst = mgl_json_number(claimed, "sst");
    bool share = mgl_json_is_number(claimed, "sse_share"); /* there is none of nothing */
    mgl_claims_require(
        c, share ? is_near(mgl_json_number(claimed, "sse_share") * sst, sse) : !(sst > 0),
        "microaggregation.sse_share", NULL);
    mgl_claims_require(c, mgl_json_whole(claimed, "groups") >= c->classes - (c->top_rows > 0),
                       "microaggregation.groups", NULL);
}
