/* Compares what a result tells of the search: minimal nodes, bounds, curves, earlier releases,
 * known totals, groups of averages. What was found on the way needs the input; that it has its
 * shape, and does not contradict itself or the release, is seen here. The table in claims.c calls
 * these functions. */
#include "command/audit/claims.h"

#include <math.h>

static const json_t *claim_of(const mgl_claims *c, const char *key)
{
    return json_object_get(c->claimed, key);
}

static const char *column_name(const mgl_claims *c, size_t a)
{
    return c->reading->quasi[a].settings->name;
}

static bool is_near(double a, double b)
{
    return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* ---- Nodes ---------------------------------------------------------------------------------- */

static bool is_level(const json_t *level, const json_t *height)
{
    return json_is_integer(level) && json_integer_value(level) >= 0 &&
           json_integer_value(level) <= json_integer_value(height);
}

bool mgl_claims_are_levels(mgl_claims *c, const char *key, const json_t *claimed)
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

void mgl_claims_some_levels(mgl_claims *c, const char *key, const json_t *claimed,
                            mgl_has_level *has)
{
    const json_t *heights = claim_of(c, "heights");
    char name[MGL_CLAIM_NAME];
    size_t n = 0;
    if (json_is_null(claimed))
        return;
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = column_name(c, a);
        const json_t *level = json_object_get(claimed, column);
        n += level != NULL;
        if (level == NULL && has(c, a))
            mgl_claims_missing(c, mgl_claim_name(name, key, column));
        else if (level != NULL &&
                 (!has(c, a) || !is_level(level, json_object_get(heights, column))))
            mgl_claims_contradict(c, mgl_claim_name(name, key, column), level);
    }
    if (n != json_object_size(claimed))
        mgl_claims_contradict(c, key, claimed);
}

void mgl_claim_minimal_nodes(mgl_claims *c, const json_t *claimed)
{
    if (!json_is_null(claimed) && !json_is_array(claimed))
        mgl_claims_contradict(c, "minimal_nodes", claimed);
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        const json_t *node = json_array_get(claimed, i);
        if (!mgl_claims_are_levels(c, "minimal_nodes", node))
            return;
        for (size_t j = 0; j < i; j++)
            if (json_equal(node, json_array_get(claimed, j)))
                mgl_claims_contradict(c, "minimal_nodes", node);
    }
}

/* ---- The measure and its bound ------------------------------------------------------------- */

static void check_proof(mgl_claims *c, const json_t *bound)
{
    const json_t *proof = json_object_get(bound, "proof");
    if (!mgl_claims_due(c, "bound.proof", proof, json_object_get(c->job, "save-proof") != NULL) ||
        !mgl_claims_shape(c, "bound.proof", proof, "sha256:s proves:n"))
        return;
    mgl_claims_digest(c, "bound.proof.sha256", json_object_get(proof, "sha256"));
    mgl_claims_skip(c, "bound.proof", "`check` with `proof: FILE` and `against: RESULT`");
}

void mgl_claim_bound(mgl_claims *c, const json_t *claimed)
{
    const char *key = mgl_json_text(c->claimed, "measure");
    const mgl_measure_type *type = key != NULL ? mgl_measure_type_find_key(key) : NULL;
    if (json_is_null(claimed) ||
        !mgl_claims_shape(c, "bound", claimed,
                          "measure:s best_possible:N achieved:N gap:N exact:b ?proof:o"))
        return;
    check_proof(c, claimed);
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

/* ---- Other k -------------------------------------------------------------------------------- */

static const char classes_shape[] = "count:i min:i mean:n max:i";
static const char risk_shape[] =
    "prosecutor_max:N prosecutor_mean:N uniques:i expected_reidentifications:n";

static void check_point(mgl_claims *c, const json_t *point)
{
    const char *key;
    json_t *value;
    if (json_object_get(point, "error") != NULL) {
        (void)mgl_claims_shape(c, "curve", point, "k:i error:s");
        return;
    }
    if (!mgl_claims_shape(c, "curve", point,
                          "k:i suppressed_rows:i classes:o risk:o utility:o bound:O"))
        return;
    (void)mgl_claims_shape(c, "curve.classes", json_object_get(point, "classes"), classes_shape);
    (void)mgl_claims_shape(c, "curve.risk", json_object_get(point, "risk"), risk_shape);
    if (!json_is_null(json_object_get(point, "bound")))
        (void)mgl_claims_shape(c, "curve.bound", json_object_get(point, "bound"),
                               "measure:s best_possible:N achieved:N gap:N exact:b");
    json_object_foreach((json_t *)claim_of(c, "utility"), key, value)
    {
        if (json_object_get(json_object_get(point, "utility"), key) == NULL)
            mgl_claims_missing(c, "curve.utility");
    }
    if (json_object_size(json_object_get(point, "utility")) !=
        json_object_size(claim_of(c, "utility")))
        mgl_claims_contradict(c, "curve.utility", json_object_get(point, "utility"));
}

/* The point of the k of the job is the release itself. */
void mgl_claim_curve(mgl_claims *c, const json_t *claimed)
{
    static const char *const same[] = {"suppressed_rows", "classes", "utility"};
    char name[MGL_CLAIM_NAME];
    if (!mgl_claims_due(c, "curve", claimed, json_object_get(c->job, "curve") != NULL))
        return;
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        const json_t *point = json_array_get(claimed, i);
        check_point(c, point);
        if (c->settings->no_k || mgl_json_whole(point, "k") != c->settings->k ||
            json_object_get(point, "error") != NULL)
            continue;
        for (size_t s = 0; s < sizeof same / sizeof same[0]; s++)
            mgl_claims_agree(c, mgl_claim_name(name, "curve", same[s]),
                             json_object_get(point, same[s]), claim_of(c, same[s]));
    }
}

/* ---- Earlier releases ----------------------------------------------------------------------- */

static void check_joint_models(mgl_claims *c, const json_t *history)
{
    const json_t *models = json_object_get(history, "models");
    uint64_t worst = 0;
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        (void)mgl_claims_shape(c, "history.models", model,
                               "model:s promise:s parameters:o holds:b measured:N "
                               "violating_rows:i violating_classes:i ?quasi_identifier:a");
        uint64_t rows = mgl_json_whole(model, "violating_rows");
        worst = rows > worst ? rows : worst;
    }
    if (mgl_json_whole(history, "violating_rows") < worst)
        mgl_claims_contradict(c, "history.violating_rows",
                              json_object_get(history, "violating_rows"));
}

void mgl_claim_history(mgl_claims *c, const json_t *claimed)
{
    const json_t *releases = json_object_get(claimed, "releases");
    const char *judged = mgl_json_text(c->job, "history-judged");
    if (!mgl_claims_due(c, "history", claimed, json_object_get(c->job, "history") != NULL) ||
        !mgl_claims_shape(c, "history", claimed,
                          "releases:a judged:s classes:o uniques:i rows_below_k:i "
                          "violating_rows:i models:a"))
        return;
    for (size_t i = 0; i < json_array_size(releases); i++)
        (void)mgl_claims_shape(c, "history.releases", json_array_get(releases, i),
                               "recoding:s method:s quasi_identifier:a");
    mgl_claims_agree_new(c, "history.judged", json_object_get(claimed, "judged"),
                         json_string(judged != NULL ? judged : "searching"));
    (void)mgl_claims_shape(c, "history.classes", json_object_get(claimed, "classes"),
                           classes_shape);
    check_joint_models(c, claimed);
}

/* ---- Known totals --------------------------------------------------------------------------- */

/* All suppressed cells of a column whose level is below the top. */
static void check_total(mgl_claims *c, size_t a, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    mgl_claim_name(name, "known_totals", column_name(c, a));
    if (!mgl_claims_shape(c, name, claimed,
                          "suppressed_cells:i values:i inferred_cells:i best_guess:n"))
        return;
    uint64_t cells = mgl_json_whole(claimed, "suppressed_cells"),
             values = mgl_json_whole(claimed, "values");
    double guess = mgl_json_number(claimed, "best_guess");
    if (cells > c->top_cells[a])
        mgl_claims_compare_new(c, name, json_object_get(claimed, "suppressed_cells"),
                               mgl_json_count(c->top_cells[a]));
    mgl_claims_agree_new(c, name, json_object_get(claimed, "inferred_cells"),
                         mgl_json_count(values == 1 ? cells : 0));
    /* the most frequent of so many values */
    double rows = guess * (double)cells;
    if (values < 1 || values > cells || !is_near(rows, round(rows)) ||
        guess * (double)values < 1 - 1e-9 || guess > 1 + 1e-9)
        mgl_claims_contradict(c, name, json_object_get(claimed, "best_guess"));
}

void mgl_claim_totals(mgl_claims *c, const json_t *claimed)
{
    const json_t *levels = claim_of(c, "levels"), *heights = claim_of(c, "heights");
    char name[MGL_CLAIM_NAME];
    size_t n = 0;
    if (!mgl_claims_due(c, "known_totals", claimed, json_is_object(levels)))
        return;
    if (!json_is_object(claimed))
        mgl_claims_contradict(c, "known_totals", claimed);
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = column_name(c, a);
        const json_t *one = json_object_get(claimed, column);
        bool whole = json_equal(json_object_get(levels, column), json_object_get(heights, column));
        n += one != NULL;
        if (one != NULL)
            check_total(c, a, one);
        else if (!whole && c->lone_cells[a] > 0)
            mgl_claims_missing(c, mgl_claim_name(name, "known_totals", column));
    }
    if (n != json_object_size(claimed))
        mgl_claims_contradict(c, "known_totals", claimed);
}

/* ---- Averages ------------------------------------------------------------------------------- */

void mgl_claim_averages(mgl_claims *c, const json_t *claimed)
{
    bool averages = c->settings->method->averages && !c->applied;
    /* Strata, several sets and aggregated columns are told of elsewhere, and suppressed rows are in
     * no group. */
    bool lone = c->settings->strata.n == 0 && c->settings->n_quasi <= 1 &&
                claim_of(c, "aggregation") == NULL && c->top_rows < c->rows;
    bool due = averages && (claimed != NULL || lone);
    if (!mgl_claims_due(c, "microaggregation", claimed, due) ||
        !mgl_claims_shape(c, "microaggregation", claimed,
                          "groups:i sse:N sst:N sse_share:N il1s:N"))
        return;
    double sse = mgl_json_number(claimed, "sse"), sst = mgl_json_number(claimed, "sst");
    bool share = mgl_json_is_number(claimed, "sse_share"); /* there is none of nothing */
    if (share ? !is_near(mgl_json_number(claimed, "sse_share") * sst, sse) : sst > 0)
        mgl_claims_contradict(c, "microaggregation.sse_share",
                              json_object_get(claimed, "sse_share"));
    if (mgl_json_whole(claimed, "groups") < c->classes - (c->top_rows > 0))
        mgl_claims_contradict(c, "microaggregation.groups", json_object_get(claimed, "groups"));
}
