/* Audits treated columns: each value of the file is one that its treatment allows. */
#include "claims/claims.h"
#include "feature/treat/treat.h"

static const json_t *treatment_of(const mgl_claims *c, const char *column)
{
    return mgl_claim_entry(json_object_get(c->claimed, "treatments"), "column", column);
}

/* Does the result say that the column is released, and treated? */
static bool is_treated(const mgl_claims *c, const char *column)
{
    return json_object_get(treatment_of(c, column), "values_after") != NULL;
}

static bool is_made_up(const mgl_claims *c, const char *column)
{
    const char *given = mgl_json_text(treatment_of(c, column), "treatment");
    mgl_treat *treat;
    if (given == NULL || mgl_treat_new(given, NULL, &treat) != MGL_OK)
        return false;
    bool renames = mgl_treat_renames(treat);
    mgl_treat_free(treat);
    return renames;
}

static unsigned of_column(const mgl_claims *c, const char *column)
{
    return (is_treated(c, column) ? MGL_CLAIM_MADE : 0) |
           (is_made_up(c, column) ? MGL_CLAIM_MADE_UP : 0);
}

/* Released, unless the treatment is to leave it out. */
static const char *role_of(const mgl_claims *c, const char *column)
{
    if (mgl_claim_field(c, column, "treat") == NULL)
        return NULL;
    return is_treated(c, column) ? mgl_role_name(MGL_ROLE_INSENSITIVE) : "left out";
}

/* Asks of every value of the file whether it keeps what the treatment promises; how many there are.
 */
static void judge_treated(mgl_claims *c, const char *name, const json_t *claimed)
{
    const mgl_source_options *source = &c->settings->source;
    mgl_treated_reading how = {.missing = source->missing,
                               .n_missing = source->n_missing,
                               .no_value = source->no_value,
                               .neutralized = json_object_get(c->job, "neutralize") != NULL,
                               .pool = c->reading->pool,
                               .progress = &c->settings->progress};
    mgl_promised_treat promised = {
        .column = mgl_source_find(c->reading->source, mgl_json_text(claimed, "column"))};
    mgl_treat *treat = NULL;
    char key[MGL_CLAIM_NAME];
    bool known = mgl_treat_new(mgl_json_text(claimed, "treatment"), NULL, &treat) == MGL_OK;
    mgl_claims_require(c, known && promised.column != SIZE_MAX, name, claimed);
    promised.treat = treat;
    if (known && promised.column != SIZE_MAX)
        c->status = mgl_verify_treated(c->reading->source, &how, &promised, 1, c->err);
    if (promised.broken != NULL)
        mgl_claims_compare(c, name, json_object_get(claimed, "treatment"),
                           json_string("a value that it does not allow"));
    mgl_claims_compare(c, mgl_claim_name(key, name, "values_after"),
                       json_object_get(claimed, "values_after"), mgl_json_count(promised.values));
    mgl_treat_free(treat);
}

static void compare_treatments(mgl_claims *c, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    const json_t *one;
    size_t i;
    json_array_foreach((json_t *)claimed, i, one)
    {
        if (json_object_get(one, "values_after") != NULL && c->status == MGL_OK)
            judge_treated(c, mgl_claim_name(name, "treatments", mgl_json_text(one, "column")), one);
    }
}

static void compare_perturbed(mgl_claims *c, const char *path, const json_t *entry,
                              const mgl_treat_step *step)
{
    char key[MGL_CLAIM_NAME];
    mgl_claims_agree(c, mgl_claim_name(key, path, "by"), json_object_get(entry, "by"),
                     json_string(step->type->name));
    mgl_claims_require(c, json_is_false(json_object_get(entry, "truthful")),
                       mgl_claim_name(key, path, "truthful"), entry);
    const char *column = mgl_json_text(entry, "column");
    const char *role = mgl_claim_field(c, column, "role");
    bool quasi = role != NULL && strcmp(role, mgl_role_name(MGL_ROLE_QUASI)) == 0;
    mgl_claims_agree(c, mgl_claim_name(key, path, "quasi"), json_object_get(entry, "quasi"),
                     json_boolean(quasi));
    mgl_claims_require(
        c, !quasi || mgl_claim_lists(json_object_get(c->job, "accept-perturbed"), column),
        "audit.job.accept-perturbed", entry);
}

/* What a result says of the perturbed columns must be there for each, and for no others. */
static void compare_perturbation(mgl_claims *c, const json_t *claimed)
{
    const json_t *columns = json_object_get(claimed, "columns"), *one;
    const json_t *accepted = json_object_get(c->job, "accept-perturbed");
    size_t i, n = 0, n_quasi = 0;
    json_array_foreach(json_object_get(c->claimed, "treatments"), i, one)
    {
        const char *name = mgl_json_text(one, "column"), *text = mgl_json_text(one, "treatment");
        char path[MGL_CLAIM_NAME];
        mgl_treat *treat = NULL;
        bool released = !json_is_null(json_object_get(one, "values_before"));
        if (name == NULL || text == NULL || !released ||
            mgl_treat_new(text, NULL, &treat) != MGL_OK)
            continue;
        const mgl_treat_step *step = mgl_treat_perturbs(treat);
        const json_t *entry = mgl_claim_entry(columns, "column", name);
        mgl_claim_name(path, "perturbation.columns", name);
        n += step != NULL;
        n_quasi += step != NULL && json_is_true(json_object_get(entry, "quasi"));
        if (step != NULL && entry == NULL)
            mgl_claims_missing(c, path);
        else if (step != NULL)
            compare_perturbed(c, path, entry, step);
        mgl_treat_free(treat);
    }
    mgl_claims_require(c, claimed == NULL || json_array_size(columns) == n, "perturbation.columns",
                       columns);
    mgl_claims_require(c, json_array_size(accepted) == n_quasi, "audit.job.accept-perturbed",
                       accepted);
}

static const mgl_claim sections[] = {
    {"treatments", MGL_OF_NONE, "[{column:s treatment:s ?values_before:I ?values_after:I}]",
     compare_treatments, .open = "treatments.*.values_before", MGL_CLAIM_INPUT},
    {"perturbation", MGL_OF_NONE,
     "{columns:[{column:s by:s truthful:b quasi:b rows:i changed_rows:i near_rows:I "
     "margin_distance:N deviation_before:N deviation_after:N "
     "correlations:[{column:s before:N after:N standard_errors:N}]}] nearest:~{columns:i rows:i "
     "found:n}}",
     compare_perturbation,
     .open = "perturbation.columns.*.rows, perturbation.columns.*.changed_rows, "
             "perturbation.columns.*.near_rows, perturbation.columns.*.margin_distance, "
             "perturbation.columns.*.deviation_before, perturbation.columns.*.deviation_after, "
             "perturbation.columns.*.correlations, perturbation.nearest",
     MGL_CLAIM_INPUT},
    {.key = NULL}};

static const char *const rules[] = {
    "count(treatments) = kinds(treatments.*.column)",
    "treatments.<c>.treatment = job.attributes.<c>.treat",
    "treatments.<c>.values_before due if treatments.<c>.values_after due",
    "audit.job.attributes.<c>.treat = treatments.<c>.treatment",
    "count(perturbation.columns) = kinds(perturbation.columns.*.column)",
    "perturbation.columns.<c>.changed_rows <= perturbation.columns.<c>.rows",
    "perturbation.columns.<c>.near_rows <= perturbation.columns.<c>.rows",
    "perturbation.columns.<c>.rows <= rows",
    "perturbation.nearest.found <= perturbation.nearest.rows",
    "perturbation.nearest.rows <= rows",
    "perturbation.columns.<c>.margin_distance <= 1",
    NULL};

static bool is_perturbed(const char *treatment)
{
    mgl_treat *treat;
    if (mgl_treat_new(treatment, NULL, &treat) != MGL_OK)
        return false;
    bool perturbed = mgl_treat_perturbs(treat) != NULL;
    mgl_treat_free(treat);
    return perturbed;
}

static bool done(const json_t *result, const char *column, const char *role, mgl_buffer *out)
{
    const json_t *list = json_object_get(result, "treatments");
    const char *treatment = mgl_json_text(mgl_json_of_column(list, column), "treatment");
    if (treatment != NULL)
        mgl_buffer_format(
            out, "%s, treated: %s%s", role, treatment,
            is_perturbed(treatment) ? ", not truthful: values are not true of single rows" : "");
    return treatment != NULL;
}

static void warn_of_claimed(const mgl_claims *c, mgl_result *due)
{
    mgl_perturbed_warn_of(json_object_get(c->claimed, "perturbation"), due);
}

const mgl_feature_audit mgl_treat_audit = {.done = done,
                                           .sections = sections,
                                           .rules = rules,
                                           .column = of_column,
                                           .role = role_of,
                                           .warn = warn_of_claimed};
