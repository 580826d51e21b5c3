/* Compares what a result says about columns that follow quasi-identifiers with the job, and asks of
 * the file whether rows that are equal in these are equal in them. claims.c calls it. */
#include "command/audit/claims.h"

static const json_t *claim_about(const mgl_claims *c, const char *column)
{
    const json_t *list = json_object_get(c->claimed, "linked");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = mgl_json_text(json_array_get(list, i), "column");
        if (name != NULL && strcmp(name, column) == 0)
            return json_array_get(list, i);
    }
    return NULL;
}

bool mgl_claims_is_linked(const mgl_claims *c, const char *column)
{
    return claim_about(c, column) != NULL;
}

/* ---- The file -----------------------------------------------------------------------------------
 */

/* Columns that the file lacks are found by others. */
static bool find_columns(const mgl_claims *c, const json_t *claimed, size_t *leads,
                         mgl_promised_link *link)
{
    const json_t *follows = json_object_get(claimed, "follows");
    link->column = mgl_source_find(c->reading->source, mgl_json_text(claimed, "column"));
    link->leads = leads;
    link->n_leads = json_array_size(follows);
    for (size_t i = 0; i < link->n_leads; i++) {
        const char *name = json_string_value(json_array_get(follows, i));
        leads[i] = name != NULL ? mgl_source_find(c->reading->source, name) : SIZE_MAX;
        if (leads[i] == SIZE_MAX)
            return false;
    }
    return link->column != SIZE_MAX && link->n_leads > 0;
}

static mgl_status judge_column(mgl_claims *c, const json_t *claimed, mgl_error *err)
{
    const char *column = mgl_json_text(claimed, "column");
    char name[MGL_CLAIM_NAME];
    mgl_promised_link link = {0};
    size_t *leads =
        mgl_alloc_array(json_array_size(json_object_get(claimed, "follows")), sizeof *leads);
    if (leads == NULL)
        return mgl_fail_memory(err);
    mgl_status status = MGL_OK;
    if (find_columns(c, claimed, leads, &link)) {
        status = mgl_verify_links(c->reading->source, &link, 1, c->reading->pool,
                                  &c->settings->progress, err);
        if (status == MGL_OK && link.broken)
            mgl_claims_compare_new(c, mgl_claim_name(name, "linked", column),
                                   json_object_get(claimed, "follows"),
                                   json_string("rows that are equal in these differ in it"));
        mgl_json_set(c->followed, column, mgl_json_count(link.values));
    }
    mgl_free(leads);
    return status;
}

mgl_status mgl_claims_links(mgl_claims *c, mgl_error *err)
{
    const json_t *list = json_object_get(c->claimed, "linked");
    for (size_t i = 0; i < json_array_size(list); i++)
        if (mgl_json_text(json_array_get(list, i), "column") != NULL)
            MGL_TRY(judge_column(c, json_array_get(list, i), err));
    return MGL_OK;
}

/* ---- The claims ---------------------------------------------------------------------------------
 */

static bool is_quasi(const mgl_claims *c, const char *column)
{
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        if (strcmp(c->reading->quasi[a].settings->name, column) == 0)
            return true;
    return false;
}

/* Is the column among those that the job links? */
static bool is_said(const mgl_claims *c, const char *column)
{
    const json_t *said = json_object_get(c->job, "linked");
    for (size_t i = 0; i < json_array_size(said); i++) {
        const char *name = json_string_value(json_array_get(said, i));
        if (name != NULL && strcmp(name, column) == 0)
            return true;
    }
    return false;
}

/* The quasi-identifiers that a column follows by the job: those it is linked with, or all. */
static json_t *leads_said(const mgl_claims *c, bool named)
{
    json_t *names = json_array();
    for (size_t a = 0; a < c->reading->n_quasi; a++) {
        const char *name = c->reading->quasi[a].settings->name;
        if (!named || is_said(c, name))
            mgl_json_append(names, json_string(name));
    }
    return names;
}

static void compare_column(mgl_claims *c, const json_t *claimed)
{
    const char *column = mgl_json_text(claimed, "column");
    char object[MGL_CLAIM_NAME], name[MGL_CLAIM_NAME];
    if (!mgl_claims_shape(c, "linked", claimed,
                          "column:s follows:a found_by:s generalized_cells:I values_after:I"))
        return;
    mgl_claim_name(object, "linked", column);
    if (claim_about(c, column) != claimed)
        mgl_claims_contradict(c, object, claimed); /* it is there twice */
    bool named = is_said(c, column), follow = json_object_get(c->job, "follow") != NULL;
    mgl_claims_agree_new(c, mgl_claim_name(name, object, "found_by"),
                         json_object_get(claimed, "found_by"),
                         named    ? json_string("job")
                         : follow ? json_string("guard")
                                  : json_null());
    mgl_claims_agree_new(c, mgl_claim_name(name, object, "follows"),
                         json_object_get(claimed, "follows"), leads_said(c, named));
    if (json_object_get(c->followed, column) != NULL)
        mgl_claims_compare(c, mgl_claim_name(name, object, "values_after"),
                           json_object_get(claimed, "values_after"),
                           json_object_get(c->followed, column));
}

void mgl_claim_linked(mgl_claims *c, const json_t *claimed)
{
    const json_t *said = json_object_get(c->job, "linked");
    char name[MGL_CLAIM_NAME];
    for (size_t i = 0; i < json_array_size(claimed); i++)
        compare_column(c, json_array_get(claimed, i));
    for (size_t i = 0; i < json_array_size(said); i++) {
        const char *column = json_string_value(json_array_get(said, i));
        if (column != NULL && !is_quasi(c, column) && claim_about(c, column) == NULL)
            mgl_claims_missing(c, mgl_claim_name(name, "linked", column));
    }
}
