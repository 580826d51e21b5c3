/* Compares what a result says about treated columns with the job, and asks of every value of the
 * file whether it keeps what the treatments promise. claims.c calls it. */
#include "command/audit/claims.h"

/* What the job says is done to a column; NULL: nothing. */
static const char *treat_said(const mgl_claims *c, const char *column)
{
    return mgl_json_text(json_object_get(json_object_get(c->job, "attributes"), column), "treat");
}

static const json_t *claim_about(const mgl_claims *c, const char *column)
{
    const json_t *list = json_object_get(c->claimed, "treatments");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = mgl_json_text(json_array_get(list, i), "column");
        if (name != NULL && strcmp(name, column) == 0)
            return json_array_get(list, i);
    }
    return NULL;
}

bool mgl_claims_is_treated(const mgl_claims *c, const char *column)
{
    const json_t *claimed = claim_about(c, column);
    return claimed != NULL && json_object_get(claimed, "values_after") != NULL;
}

/* ---- The file -----------------------------------------------------------------------------------
 */

static mgl_status judge_column(mgl_claims *c, const char *column, const char *said, mgl_error *err)
{
    const mgl_source_options *source = &c->settings->source;
    mgl_treated_reading how = {.missing = source->missing,
                               .n_missing = source->n_missing,
                               .no_value = source->no_value,
                               .neutralized = json_object_get(c->job, "neutralize") != NULL,
                               .pool = c->reading->pool,
                               .progress = &c->settings->progress};
    mgl_promised_treat promised = {.column = mgl_source_find(c->reading->source, column)};
    char name[MGL_CLAIM_NAME];
    mgl_treat *treat;
    mgl_claim_name(name, "treatments", column);
    if (promised.column == SIZE_MAX)
        return MGL_OK; /* claimed_trail.c says which columns differ */
    if (mgl_treat_new(said, NULL, &treat) != MGL_OK) {
        mgl_claims_contradict(c, name, claim_about(c, column));
        return MGL_OK;
    }
    promised.treat = treat;
    mgl_status status = mgl_verify_treated(c->reading->source, &how, &promised, 1, err);
    if (status == MGL_OK && promised.broken != NULL)
        mgl_claims_compare_new(c, name, json_object_get(claim_about(c, column), "treatment"),
                               json_string("a value that it does not allow"));
    mgl_json_set(c->treated, column, mgl_json_count(promised.values));
    mgl_treat_free(treat);
    return status;
}

mgl_status mgl_claims_treated(mgl_claims *c, mgl_error *err)
{
    const json_t *list = json_object_get(c->claimed, "treatments");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *claimed = json_array_get(list, i);
        const char *column = mgl_json_text(claimed, "column"),
                   *said = mgl_json_text(claimed, "treatment");
        if (column != NULL && said != NULL && mgl_claims_is_treated(c, column))
            MGL_TRY(judge_column(c, column, said, err));
    }
    return MGL_OK;
}

/* ---- The claims ---------------------------------------------------------------------------------
 */

static void compare_column(mgl_claims *c, const json_t *claimed)
{
    const char *column = mgl_json_text(claimed, "column");
    char object[MGL_CLAIM_NAME], name[MGL_CLAIM_NAME];
    if (!mgl_claims_shape(c, "treatments", claimed,
                          mgl_json_text(claimed, "column") != NULL &&
                                  json_object_get(claimed, "values_after") != NULL
                              ? "column:s treatment:s values_before:I values_after:I"
                              : "column:s treatment:s"))
        return;
    mgl_claim_name(object, "treatments", column);
    if (claim_about(c, column) != claimed)
        mgl_claims_contradict(c, object, claimed); /* it is there twice */
    const char *said = treat_said(c, column);
    mgl_claims_agree_new(c, mgl_claim_name(name, object, "treatment"),
                         json_object_get(claimed, "treatment"),
                         said != NULL ? json_string(said) : json_null());
    if (mgl_claims_is_treated(c, column))
        mgl_claims_compare(c, mgl_claim_name(name, object, "values_after"),
                           json_object_get(claimed, "values_after"),
                           json_object_get(c->treated, column));
}

void mgl_claim_treatments(mgl_claims *c, const json_t *claimed)
{
    const char *column;
    json_t *fields;
    char name[MGL_CLAIM_NAME];
    for (size_t i = 0; i < json_array_size(claimed); i++)
        compare_column(c, json_array_get(claimed, i));
    json_object_foreach(json_object_get(c->job, "attributes"), column, fields)
    {
        if (mgl_json_text(fields, "treat") != NULL && claim_about(c, column) == NULL)
            mgl_claims_missing(c, mgl_claim_name(name, "treatments", column));
    }
}
