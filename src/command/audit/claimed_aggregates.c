/* Compares what a result says about aggregated columns with its job and with the cells of the file.
 * What they were worked out from is in the input alone. claims.c calls it. */
#include "command/audit/claims.h"

/* How the job aggregates a column; NULL: not. */
static const char *function_of(const mgl_claims *c, const char *column)
{
    const json_t *fields = json_object_get(json_object_get(c->job, "attributes"), column);
    const char *said = mgl_json_text(fields, "aggregate");
    return said != NULL && strcmp(said, mgl_aggregate_words[MGL_AGGREGATE_NOT]) != 0 ? said : NULL;
}

static const json_t *claim_about(const json_t *columns, const char *column)
{
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = mgl_json_text(json_array_get(columns, i), "column");
        if (name != NULL && strcmp(name, column) == 0)
            return json_array_get(columns, i);
    }
    return NULL;
}

static void check_sums(mgl_claims *c, const char *name, const json_t *claimed)
{
    double sse = mgl_json_number(claimed, "sse"), sst = mgl_json_number(claimed, "sst");
    double share = mgl_json_number(claimed, "sse_share");
    bool numbers = mgl_json_is_number(claimed, "sse");
    static const char *const others[] = {"sst", "sse_share", "il1s"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (numbers != mgl_json_is_number(claimed, others[i]))
            mgl_claims_contradict(c, name, json_object_get(claimed, others[i]));
    if (!numbers)
        return;
    double off = share * sst - sse, slack = 1e-9 * (sse > 1 ? sse : 1);
    if (sse < 0 || sst < 0 || !(off <= slack && off >= -slack))
        mgl_claims_contradict(c, name, json_object_get(claimed, "sse_share"));
}

static void compare_column(mgl_claims *c, const json_t *claimed, size_t a)
{
    const char *column = c->reading->quasi[a].settings->name;
    char name[MGL_CLAIM_NAME], key[MGL_CLAIM_NAME];
    mgl_claim_name(name, "aggregation", column);
    if (!mgl_claims_shape(c, name, claimed,
                          "column:s function:s changed_cells:i top_cells:i values_after:i "
                          "values_per_cell:N sse:N sst:N sse_share:N il1s:N"))
        return;
    const char *said = function_of(c, column);
    if (said != NULL)
        mgl_claims_agree_new(c, mgl_claim_name(key, name, "function"),
                             json_object_get(claimed, "function"), json_string(said));
    mgl_claims_compare_new(c, mgl_claim_name(key, name, "top_cells"),
                           json_object_get(claimed, "top_cells"), mgl_json_count(c->top_cells[a]));
    mgl_claims_compare_new(c, mgl_claim_name(key, name, "values_after"),
                           json_object_get(claimed, "values_after"), mgl_json_count(c->values[a]));
    check_sums(c, name, claimed);
}

static bool has_level(const mgl_claims *c, size_t a)
{
    return function_of(c, c->reading->quasi[a].settings->name) == NULL;
}

void mgl_claim_aggregation(mgl_claims *c, const json_t *claimed)
{
    bool any = false;
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        any = any || function_of(c, c->reading->quasi[a].settings->name) != NULL;
    if (!mgl_claims_due(c, "aggregation", claimed, any) ||
        !mgl_claims_shape(c, "aggregation", claimed, "classes:I groups:i node:O exact:B columns:a"))
        return;
    const json_t *columns = json_object_get(claimed, "columns");
    size_t n = 0;
    mgl_claims_some_levels(c, "aggregation.node", json_object_get(claimed, "node"), has_level);
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *column = c->reading->quasi[a].settings->name;
        const json_t *about = claim_about(columns, column);
        char name[MGL_CLAIM_NAME];
        n += about != NULL;
        if (about != NULL)
            compare_column(c, about, a);
        else if (function_of(c, column) != NULL)
            mgl_claims_missing(c, mgl_claim_name(name, "aggregation", column));
    }
    if (n != json_array_size(columns))
        mgl_claims_contradict(c, "aggregation.columns", columns);
    /* Groups may read alike, so there are no fewer than classes of the file that are not
     * suppressed. */
    uint64_t classes = c->classes - (c->top_rows > 0);
    if (mgl_json_whole(claimed, "groups") < classes)
        mgl_claims_contradict(c, "aggregation.groups", json_object_get(claimed, "groups"));
}
