/* Compares what a result claims about its models: those that the job asked for, no more and no
 * fewer, each with what is found in the file. The table in claims.c calls it. */
#include "command/audit/claims.h"

#include <math.h>
#include <stdio.h>

static const char *const model_keys[] = {"model",    "promise",        "parameters",       "holds",
                                         "measured", "violating_rows", "violating_classes"};
enum { N_KEYS = sizeof model_keys / sizeof model_keys[0] };

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

/* "k-anonymity on zip,age". */
static const char *name_model(char name[MGL_CLAIM_NAME], const json_t *model)
{
    const char *type = mgl_json_text(model, "model");
    const char *attribute = mgl_json_text(json_object_get(model, "parameters"), "attribute");
    snprintf(name, MGL_CLAIM_NAME, "%.60s%s%.60s", type != NULL ? type : "model",
             attribute != NULL ? " " : "", attribute != NULL ? attribute : "");
    return name;
}

static const char *name_member(char name[MGL_CLAIM_NAME], const json_t *model, const char *key)
{
    char whole[MGL_CLAIM_NAME];
    snprintf(name, MGL_CLAIM_NAME, "%.130s %.60s", name_model(whole, model), key);
    return name;
}

static const mgl_model_type *type_of(const json_t *model)
{
    const char *name = mgl_json_text(model, "model");
    return name != NULL ? mgl_model_type_find(name) : NULL;
}

/* ---- One model ----------------------------------------------------------------------------- */

static bool has_its_keys(mgl_claims *c, const json_t *claimed)
{
    char name[MGL_CLAIM_NAME];
    return mgl_claims_keys_but(c, name_model(name, claimed), claimed, model_keys, N_KEYS,
                               "quasi_identifier");
}

/* A model that holds must have no violating rows, and the other way round. */
static void check_violations(mgl_claims *c, const json_t *claimed)
{
    bool holds = json_is_true(json_object_get(claimed, "holds"));
    uint64_t rows = mgl_json_whole(claimed, "violating_rows"),
             classes = mgl_json_whole(claimed, "violating_classes");
    char name[MGL_CLAIM_NAME];
    if ((holds && rows > 0) || (holds && classes > 0) || classes > rows)
        mgl_claims_contradict(c, name_member(name, claimed, "violating_rows"),
                              json_object_get(claimed, "violating_rows"));
}

/* The words of a promise may differ between versions. */
static void compare_promise(mgl_claims *c, const json_t *claimed, const json_t *found)
{
    const char *version = mgl_json_text(c->claimed, "mingle");
    char name[MGL_CLAIM_NAME];
    if (version != NULL && strcmp(version, MGL_VERSION) == 0)
        mgl_claims_compare(c, name_member(name, claimed, "promise"),
                           json_object_get(claimed, "promise"), found);
}

/* The file has rows, the result counts persons: they are fewer. Numbers of different values agree.
 */
static void compare_persons(mgl_claims *c, const json_t *claimed, const json_t *found)
{
    const mgl_model_type *type = type_of(claimed);
    const json_t *measured = json_object_get(claimed, "measured");
    double most = json_number_value(json_object_get(found, "measured"));
    char name[MGL_CLAIM_NAME];
    name_member(name, claimed, "measured");
    /* where p stands for k as well, the persons of a class bound it, too */
    bool values = type != NULL && type->distinct != MGL_DISTINCT_NONE && type->k == MGL_K_NONE;
    if (values && !c->joined)
        mgl_claims_compare(c, name, measured, json_object_get(found, "measured"));
    else if (!json_is_number(measured) || json_number_value(measured) > most)
        mgl_claims_compare(c, name, measured, json_object_get(found, "measured"));
    if (json_is_true(json_object_get(claimed, "holds")) &&
        !json_is_true(json_object_get(found, "holds")))
        mgl_claims_compare(c, name_member(name, claimed, "holds"),
                           json_object_get(claimed, "holds"), json_object_get(found, "holds"));
}

static void compare_model(mgl_claims *c, const json_t *claimed, const json_t *found)
{
    static const char *const judged[] = {"holds", "measured", "violating_rows",
                                         "violating_classes"};
    char name[MGL_CLAIM_NAME];
    compare_promise(c, claimed, json_object_get(found, "promise"));
    if (c->persons) {
        compare_persons(c, claimed, found);
        mgl_claims_skip(
            c, name_model(name, claimed),
            "persons are not in the release; `entity: COLUMN`, with a copy that has it");
        return;
    }
    for (size_t i = 0; i < sizeof judged / sizeof judged[0]; i++)
        mgl_claims_compare(c, name_member(name, claimed, judged[i]),
                           json_object_get(claimed, judged[i]), json_object_get(found, judged[i]));
}

/* ---- Models that could not be judged ------------------------------------------------------- */

static const char *why_unjudged(const mgl_claims *c, const mgl_model_type *type)
{
    if (c->settings->sampled.weight == NULL &&
        mgl_model_type_of_sample(type, mgl_claims_weight(c), false)->weighs)
        return "needs the weights, which the release lacks; `weight: COLUMN`, with a copy that has "
               "them";
    if (type->by_household && c->settings->sampled.household == NULL)
        return "needs the households, which the release lacks; `household: COLUMN`, with a copy "
               "that has them";
    if (type->needs_population && c->settings->sampled.population == NULL)
        return "needs the population; `population: FILE`";
    if (c->persons)
        return "persons are not in the release; `entity: COLUMN`, with a copy that has it";
    if (type->looks_at_input)
        return "needs the input, of which rows were dropped";
    return "the result does not tell the groups of values; `sensitive-hierarchy: COLUMN=FILE`";
}

/* What is measured must be on the right side of what is promised. */
static void check_measured(mgl_claims *c, const mgl_model_settings *model, const json_t *claimed)
{
    const mgl_model_type *type = model->type;
    const json_t *measured = json_object_get(claimed, "measured");
    double value = json_number_value(measured), bound = model->parameters[0];
    double slack = 1e-9 * fmax(fabs(value), fabs(bound));
    char name[MGL_CLAIM_NAME];
    bool simple = type->n_parameters == 1 || type->parameters[1].words != NULL;
    if (!simple || !json_is_number(measured) || type->scope != MGL_SCOPE_CLASS)
        return;
    bool holds = type->measured_is_least ? value >= bound - slack : value <= bound + slack;
    if (json_is_true(json_object_get(claimed, "holds")) && !holds)
        mgl_claims_contradict(c, name_member(name, claimed, "measured"), measured);
}

/* The model of the job that a claim is about, among those that could not be judged; NULL: none. */
static const mgl_model_settings *unjudged_of(const mgl_claims *c, const json_t *claimed)
{
    for (size_t i = 0; i < c->settings->claimed.n_unjudged; i++) {
        const mgl_model_settings *model = &c->settings->claimed.unjudged[i];
        json_t *parameters = mgl_parameters_json(model->type, model->attribute, model->parameters);
        bool same = mgl_model_type_find(model->type->name) == type_of(claimed) &&
                    json_equal(parameters, json_object_get(claimed, "parameters"));
        json_decref(parameters);
        if (same)
            return model;
    }
    return NULL;
}

static void compare_unjudged(mgl_claims *c, const json_t *claimed)
{
    const mgl_model_settings *model = unjudged_of(c, claimed);
    char name[MGL_CLAIM_NAME];
    name_model(name, claimed);
    if (model == NULL) {
        mgl_claims_contradict(c, name, json_object_get(claimed, "parameters"));
        return;
    }
    bool fraction = json_object_get(c->job, "sampling-fraction") != NULL;
    json_t *promise =
        json_string(mgl_model_type_of_sample(model->type, mgl_claims_weight(c), fraction)->help);
    compare_promise(c, claimed, promise);
    json_decref(promise);
    check_measured(c, model, claimed);
    mgl_claims_skip(c, name, why_unjudged(c, model->type));
}

/* ---- All of them --------------------------------------------------------------------------- */

static size_t count_alike(const json_t *models, const json_t *model)
{
    size_t n = 0;
    for (size_t i = 0; i < json_array_size(models); i++)
        n += is_alike(json_array_get(models, i), model);
    return n;
}

static const json_t *find_alike(const json_t *models, const json_t *model)
{
    for (size_t i = 0; i < json_array_size(models); i++)
        if (is_alike(json_array_get(models, i), model))
            return json_array_get(models, i);
    return NULL;
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

/* Finds models of the job that the result does not mention. Quasi-identifiers without their columns
 * of likelihood 0 can be alike, and have the same models then. */
static void find_silence(mgl_claims *c, const json_t *claimed, const json_t *found)
{
    size_t n_sets = c->problem->n_sets, unjudged = 0;
    char name[MGL_CLAIM_NAME];
    for (size_t i = 0; i < json_array_size(found); i++)
        if (count_alike(claimed, json_array_get(found, i)) !=
            count_alike(found, json_array_get(found, i)))
            mgl_claims_missing(c, name_model(name, json_array_get(found, i)));
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        const json_t *model = json_array_get(claimed, i);
        bool here = unjudged_of(c, model) != NULL;
        unjudged += here;
        if (here && count_alike(claimed, model) != count_sets(c, model))
            mgl_claims_contradict(c, name_member(name, model, "quasi_identifier"),
                                  json_object_get(model, "quasi_identifier"));
    }
    if (unjudged != n_sets * c->settings->claimed.n_unjudged)
        mgl_claims_missing(c, "models that the job asks for");
}

void mgl_claim_models(mgl_claims *c, const json_t *claimed)
{
    const json_t *found = json_object_get(c->found, "models");
    if (json_array_size(claimed) == 0) {
        mgl_claims_missing(c, "models");
        return;
    }
    if (mgl_claims_with(c)) {
        mgl_claims_skip(c, "models", "needs the earlier release, with whose rows they hold");
        return;
    }
    for (size_t i = 0; i < json_array_size(claimed); i++) {
        const json_t *model = json_array_get(claimed, i);
        const json_t *here = find_alike(found, model);
        if (!has_its_keys(c, model))
            continue;
        check_violations(c, model);
        if (here != NULL)
            compare_model(c, model, here);
        else
            compare_unjudged(c, model);
    }
    find_silence(c, claimed, found);
}

bool mgl_claims_hold(const mgl_claims *c)
{
    const json_t *found = json_object_get(c->found, "models");
    const json_t *claimed = json_object_get(c->claimed, "models");
    for (size_t i = 0; i < json_array_size(found); i++)
        if (!c->persons && !mgl_claims_with(c) &&
            !json_is_true(json_object_get(json_array_get(found, i), "holds")))
            return false;
    for (size_t i = 0; i < json_array_size(claimed); i++)
        if (!json_is_true(json_object_get(json_array_get(claimed, i), "holds")))
            return false;
    return true;
}
