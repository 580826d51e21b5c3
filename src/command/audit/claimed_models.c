/* Compares what a result claims about its models: those that the job requested, no more and no
 * fewer, each with what is found in the file. */
#include "command/audit/sections.h"

#include <math.h>
#include <stdio.h>

static const char model_shape[] = "{model:s promise:s parameters:o holds:b measured:N "
                                  "violating_rows:i violating_classes:i ?quasi_identifier:a}";

static bool is_alike(const json_t *a, const json_t *b)
{
    static const char *const keys[] = {"model", "parameters", "quasi_identifier"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        const json_t *x = json_object_get(a, keys[k]), *y = json_object_get(b, keys[k]);
        if (x == NULL || y == NULL ? x != y : !json_equal(x, y))
            return false;
    }
    return true;
}

/* "k-anonymity zip", with a key "k-anonymity zip holds". key: optional. */
static const char *name_model(char name[MGL_CLAIM_NAME], const json_t *model, const char *key)
{
    const char *type = mgl_json_text(model, "model");
    const char *attribute = mgl_json_text(json_object_get(model, "parameters"), "attribute");
    snprintf(name, MGL_CLAIM_NAME, "%.60s%s%.60s%s%.60s", type != NULL ? type : "model",
             attribute != NULL ? " " : "", attribute != NULL ? attribute : "",
             key != NULL ? " " : "", key != NULL ? key : "");
    return name;
}

uint64_t mgl_claim_largest_k(const json_t *models, mgl_k_role role)
{
    const json_t *model;
    uint64_t most = 0;
    size_t i;
    json_array_foreach((json_t *)models, i, model)
    {
        const mgl_model_type *type = mgl_claims_model_type(model);
        uint64_t k =
            type != NULL && type->k == role
                ? mgl_json_whole(json_object_get(model, "parameters"), type->parameters[0].name)
                : 0;
        most = k > most ? k : most;
    }
    return most;
}

bool mgl_claims_with(const mgl_claims *c)
{
    return c->applied && json_object_get(c->claimed, "with") != NULL;
}

static void compare_key(mgl_claims *c, const json_t *claimed, const json_t *found, const char *key)
{
    char name[MGL_CLAIM_NAME];
    mgl_claims_compare(c, name_model(name, claimed, key), json_object_get(claimed, key),
                       json_incref(json_object_get(found, key)));
}

/* The file has rows, the result counts persons: they are fewer. Numbers of different values agree.
 */
static void compare_persons(mgl_claims *c, const json_t *claimed, const json_t *found)
{
    const mgl_model_type *type = mgl_claims_model_type(claimed);
    double most = json_number_value(json_object_get(found, "measured"));
    char name[MGL_CLAIM_NAME];
    /* where p stands for k as well, the persons of a class bound it, too */
    bool values = type != NULL && type->distinct != MGL_DISTINCT_NONE && type->k == MGL_K_NONE;
    if ((values && !c->joined) || !(mgl_json_number(claimed, "measured") <= most))
        compare_key(c, claimed, found, "measured");
    if (json_is_true(json_object_get(claimed, "holds")))
        compare_key(c, claimed, found, "holds");
    mgl_claims_skip_persons(c, name_model(name, claimed, NULL));
}

static void compare_model(mgl_claims *c, const json_t *claimed, const json_t *found)
{
    static const char *const judged[] = {"holds", "measured", "violating_rows",
                                         "violating_classes"};
    if (c->same_version) /* others have other words */
        compare_key(c, claimed, found, "promise");
    if (c->persons)
        compare_persons(c, claimed, found);
    for (size_t i = 0; !c->persons && i < sizeof judged / sizeof judged[0]; i++)
        compare_key(c, claimed, found, judged[i]);
}

static const char *why_unjudged(const mgl_claims *c, const mgl_model_type *type)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++) {
        bool asks = (*f)->audit != NULL && (*f)->audit->unjudged != NULL;
        const char *why = asks ? (*f)->audit->unjudged(c, type) : NULL;
        if (why != NULL)
            return why;
    }
    if (c->persons)
        return MGL_CLAIM_PERSONS;
    if (type->looks_at_input)
        return "needs the input, of which rows were dropped";
    return "the result does not have the groups of values; `sensitive-hierarchy: COLUMN=FILE`";
}

/* The model of the job that a claim is about, among those that could not be judged; NULL: none. */
static const mgl_model_settings *unjudged_of(const mgl_claims *c, const json_t *claimed)
{
    for (size_t i = 0; i < c->settings->claimed.n_unjudged; i++) {
        const mgl_model_settings *model = &c->settings->claimed.unjudged[i];
        json_t *parameters = mgl_parameters_json(model->type, model->attribute, model->parameters);
        bool same = mgl_model_type_find(model->type->name) == mgl_claims_model_type(claimed) &&
                    json_equal(parameters, json_object_get(claimed, "parameters"));
        json_decref(parameters);
        if (same)
            return model;
    }
    return NULL;
}

/* What is measured must be on the right side of what is promised. */
static void compare_unjudged(mgl_claims *c, const json_t *claimed)
{
    const mgl_model_settings *model = unjudged_of(c, claimed);
    char name[MGL_CLAIM_NAME];
    name_model(name, claimed, NULL);
    mgl_claims_require(c, model != NULL, name, json_object_get(claimed, "parameters"));
    if (model == NULL)
        return;
    const mgl_model_type *type = model->type;
    mgl_claims_skip(c, name, why_unjudged(c, type));
    if (c->same_version)
        mgl_claims_compare(c, name_model(name, claimed, "promise"),
                           json_object_get(claimed, "promise"),
                           json_string(mgl_claims_sampled_type(c, type)->help));
    double value = mgl_json_number(claimed, "measured"), bound = model->parameters[0];
    double slack = 1e-9 * fmax(fabs(value), fabs(bound));
    bool simple = type->n_parameters == 1 || type->parameters[1].words != NULL;
    if (simple && isfinite(value) && type->scope == MGL_SCOPE_CLASS &&
        json_is_true(json_object_get(claimed, "holds")))
        mgl_claims_require(
            c, type->measured_is_least ? value >= bound - slack : value <= bound + slack,
            name_model(name, claimed, "measured"), json_object_get(claimed, "measured"));
}

/* How many of the models are alike; the first of them. */
static size_t count_alike(const json_t *models, const json_t *model, const json_t **first)
{
    const json_t *one;
    size_t i, n = 0;
    json_array_foreach((json_t *)models, i, one)
    {
        if (is_alike(one, model) && n++ == 0)
            *first = one;
    }
    return n;
}

/* The quasi-identifiers of the job that are the one of the model. */
static size_t count_sets(const mgl_claims *c, const json_t *model)
{
    const json_t *claimed = json_object_get(model, "quasi_identifier");
    size_t n_sets = c->problem->n_sets, n = 0;
    if (n_sets == 1 && c->settings->n_named == 0)
        return claimed == NULL;
    for (size_t q = 0; q < n_sets; q++) {
        json_t *known = mgl_known_json(c->reading, &c->problem->sets[q]);
        n += json_equal(known, claimed);
        json_decref(known);
    }
    return n;
}

static void compare_one(mgl_claims *c, const json_t *claimed, const json_t *model,
                        const json_t *found)
{
    bool holds = json_is_true(json_object_get(model, "holds"));
    uint64_t rows = mgl_json_whole(model, "violating_rows"),
             classes = mgl_json_whole(model, "violating_classes");
    char name[MGL_CLAIM_NAME];
    const json_t *here = NULL;
    if (!mgl_claims_shape(c, name_model(name, model, NULL), model, model_shape))
        return;
    /* a model that holds has no violating rows */
    mgl_claims_require(c, (!holds || (rows == 0 && classes == 0)) && classes <= rows,
                       name_model(name, model, "violating_rows"),
                       json_object_get(model, "violating_rows"));
    if (count_alike(found, model, &here) > 0)
        compare_model(c, model, here);
    else
        compare_unjudged(c, model);
    if (unjudged_of(c, model) != NULL)
        mgl_claims_require(c, count_alike(claimed, model, &here) == count_sets(c, model),
                           name_model(name, model, "quasi_identifier"),
                           json_object_get(model, "quasi_identifier"));
}

/* Quasi-identifiers without their columns of likelihood 0 can be alike, and have the same models
 * then. */
void mgl_claim_models(mgl_claims *c, const json_t *claimed)
{
    const json_t *found = json_object_get(c->found, "models"), *model, *first;
    size_t i, unjudged = 0;
    char name[MGL_CLAIM_NAME];
    if (json_array_size(claimed) == 0)
        mgl_claims_missing(c, "models");
    else if (mgl_claims_with(c))
        mgl_claims_skip(c, "models", "needs the earlier release, with whose rows they hold");
    if (json_array_size(claimed) == 0 || mgl_claims_with(c))
        return;
    json_array_foreach((json_t *)claimed, i, model)
    {
        compare_one(c, claimed, model, found);
        unjudged += unjudged_of(c, model) != NULL;
    }
    json_array_foreach((json_t *)found, i, model)
    {
        if (count_alike(claimed, model, &first) != count_alike(found, model, &first))
            mgl_claims_missing(c, name_model(name, model, NULL));
    }
    if (unjudged != c->problem->n_sets * c->settings->claimed.n_unjudged)
        mgl_claims_missing(c, "models that the job asks for");
}

bool mgl_claims_all_hold(const json_t *models)
{
    return mgl_json_count_true(models, "holds") == json_array_size(models);
}
