/* Compares what only results of `apply` tell: which rows the recoding knew, and with which earlier
 * release the models were judged. The table in claims.c calls these functions. */
#include "command/audit/claims.h"

bool mgl_claims_with(const mgl_claims *c)
{
    return c->applied && json_object_get(c->claimed, "with") != NULL;
}

/* Slices that were counted for the search promise nothing by themselves, and have no trail. */
void mgl_claim_counted(mgl_claims *c, const json_t *claimed)
{
    if (mgl_claims_due(c, "counted", claimed, c->applied) && !json_is_false(claimed))
        mgl_claims_contradict(c, "counted", claimed);
}

/* Rows that are kept count against the limit if they were treated; else all that are suppressed do,
 * unless a method has no limit. */
static void check_limit(mgl_claims *c, const json_t *claimed)
{
    mgl_settings settings = {.suppress = mgl_json_text(c->job, "suppress")};
    bool kept = c->settings->treatment == MGL_KEEP;
    uint64_t limit = mgl_settings_limit(&settings, mgl_json_whole(c->claimed, "rows"));
    uint64_t treated = mgl_json_whole(claimed, "treated_rows");
    if (settings.suppress == NULL && c->settings->method->own_limit)
        return;
    if (treated > limit ||
        (!kept && treated > 0 && mgl_json_whole(c->claimed, "suppressed_rows") > limit))
        mgl_claims_contradict(c, "applied.treated_rows: more than the job allows", claimed);
}

void mgl_claim_applied(mgl_claims *c, const json_t *claimed)
{
    static const char *const parts[] = {"recorded_rows", "new_rows", "uncovered_rows",
                                        "unplaced_rows"};
    uint64_t rows = 0;
    if (!mgl_claims_due(c, "applied", claimed, c->applied) ||
        !mgl_claims_shape(c, "applied", claimed,
                          "recorded_rows:i new_rows:i uncovered_rows:i unplaced_rows:i "
                          "treated_rows:i"))
        return;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
        rows += mgl_json_whole(claimed, parts[i]);
    mgl_claims_agree_new(c, "rows by what the recoding says of them",
                         json_object_get(c->claimed, "rows"), mgl_json_count(rows));
    /* where every row is at the top, none counts as suppressed */
    if (mgl_json_whole(claimed, "treated_rows") > mgl_json_whole(c->claimed, "suppressed_rows") &&
        (c->top_rows < c->rows || mgl_json_whole(claimed, "treated_rows") > rows))
        mgl_claims_contradict(c, "applied.treated_rows", claimed);
    check_limit(c, claimed);
}

void mgl_claim_with(mgl_claims *c, const json_t *claimed)
{
    const json_t *file = json_object_get(c->audit, "with");
    const char *name = mgl_file_name(mgl_json_text(claimed, "release"));
    if (mgl_claims_due(c, "audit.with", file, claimed != NULL))
        (void)mgl_claims_file_shape(c, "audit.with", file);
    if (!mgl_claims_due(c, "with", claimed, claimed != NULL && c->applied) ||
        !mgl_claims_shape(c, "with", claimed, "release:s rows:i"))
        return;
    mgl_claims_agree_new(c, "audit.with.name", json_object_get(file, "name"), json_string(name));
}

void mgl_claim_told_columns(mgl_claims *c, const json_t *claimed)
{
    const json_t *columns = json_object_get(c->audit, "columns");
    if (!mgl_claims_due(c, "columns", claimed, c->applied))
        return;
    if (json_array_size(claimed) != json_array_size(columns))
        mgl_claims_agree(c, "columns", claimed, columns);
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        const json_t *column = json_array_get(claimed, i), *there = json_array_get(columns, i);
        if (!mgl_claims_shape(c, "columns", column, "column:s role:s"))
            continue;
        mgl_claims_agree(c, "columns.column", json_object_get(column, "column"),
                         json_object_get(there, "column"));
        mgl_claims_agree(c, "columns.role", json_object_get(column, "role"),
                         json_object_get(there, "role"));
    }
}

void mgl_claim_tops(mgl_claims *c, const json_t *claimed)
{
    if (mgl_claims_due(c, "tops", claimed, c->applied))
        mgl_claims_agree(c, "tops", claimed, json_object_get(c->audit, "tops"));
}

/* The digest is compared with the file as that of the trail; here with the trail. */
static void agree_with_trail(mgl_claims *c, const char *key, const json_t *claimed)
{
    const json_t *there = json_object_get(json_object_get(c->audit, "release"), key);
    if (mgl_claims_due(c, key, claimed, claimed != NULL && c->applied) &&
        (there != NULL || json_string_length(claimed) > 0))
        mgl_claims_agree(c, key, claimed, there);
}

void mgl_claim_sha256(mgl_claims *c, const json_t *claimed)
{
    agree_with_trail(c, "sha256", claimed);
}

void mgl_claim_rows_sha256(mgl_claims *c, const json_t *claimed)
{
    agree_with_trail(c, "rows_sha256", claimed);
}
