/* Compares a certificate with the result whose bound it proves: both must be about the same job,
 * and the bound must not contradict itself, nor what is proved. check_proof.c calls it. */
#include "command/certificate/comparison.h"
#include "command/certificate/proof_of_task.h"

#include <math.h>
#include <stdio.h>

void mgl_proof_differ(mgl_proof_comparison *c, const char *what, json_t *claimed, json_t *found)
{
    json_t *difference = json_object();
    mgl_json_set(difference, "what", json_string(what));
    mgl_json_set(difference, "claimed", claimed);
    mgl_json_set(difference, "found", found);
    mgl_json_append(c->differences, difference);
}

static void compare_texts(mgl_proof_comparison *c, const char *what, const char *claimed,
                          const char *found)
{
    if (claimed != NULL && found != NULL && strcmp(claimed, found) == 0)
        return;
    mgl_proof_differ(c, what, claimed != NULL ? json_string(claimed) : json_null(),
                     found != NULL ? json_string(found) : json_null());
}

static bool is_near(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

static void compare_numbers(mgl_proof_comparison *c, const char *what, double claimed, double found)
{
    if (!is_near(claimed, found))
        mgl_proof_differ(c, what, mgl_json_real(claimed), mgl_json_real(found));
}

/* Hashes are compared where both sides have one. */
static void compare_hashes(mgl_proof_comparison *c, const char *what, const char *claimed,
                           const char *found)
{
    if (claimed == NULL || found == NULL)
        mgl_json_append(c->not_compared, json_string(what));
    else
        compare_texts(c, what, claimed, found);
}

static const json_t *find_model(const json_t *models, const mgl_proof *p, const mgl_proof_model *x)
{
    const char *parameter = mgl_proof_parameter(x->model);
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *model = json_array_get(models, i);
        const json_t *parameters = json_object_get(model, "parameters");
        const char *name = mgl_json_text(model, "model");
        const char *attribute = mgl_json_text(parameters, "attribute");
        bool about =
            attribute == NULL || (x->n_sensitive == 1 &&
                                  strcmp(attribute, p->sensitive[x->sensitive[0]].attribute) == 0);
        if (name != NULL && strcmp(name, x->model) == 0 && about &&
            mgl_json_number(parameters, parameter) == x->parameter)
            return model;
    }
    return NULL;
}

/* A proof may rest on fewer models than a release holds, never on more. */
static void compare_models(mgl_proof_comparison *c, const mgl_settings *settings)
{
    const mgl_proof *p = c->proof;
    for (size_t i = 0; i < p->n_models; i++) {
        char what[120];
        snprintf(what, sizeof what, "%.80s", p->models[i].model);
        if (find_model(json_object_get(c->claimed, "models"), p, &p->models[i]) == NULL)
            mgl_proof_differ(c, what, json_null(), mgl_json_real(p->models[i].parameter));
    }
    for (size_t s = 0; s < p->n_sensitive; s++) {
        const mgl_attribute_settings *x =
            mgl_settings_attribute(settings, p->sensitive[s].attribute);
        if (x == NULL || x->role != MGL_ROLE_SENSITIVE)
            mgl_proof_differ(c, "sensitive attribute", json_null(),
                             json_string(p->sensitive[s].attribute));
    }
}

/* Safe Harbor has bounds of its own, which follow from the values. */
static void compare_levels(mgl_proof_comparison *c, const mgl_settings *settings,
                           const mgl_proof_column *column, const mgl_attribute_settings *x)
{
    uint32_t low = x->has_level ? x->levels.min : 0;
    uint32_t high = x->has_level && x->levels.max < column->height ? x->levels.max : column->height;
    char what[120];
    snprintf(what, sizeof what, "levels of %.80s", column->name);
    if (settings->safe_harbor)
        mgl_json_append(c->not_compared, json_string(what));
    else if (low != column->low || high != column->high)
        mgl_proof_differ(c, what, json_pack("[ii]", (int)low, (int)high),
                         json_pack("[ii]", (int)column->low, (int)column->high));
}

static void compare_column(mgl_proof_comparison *c, const mgl_settings *settings,
                           const mgl_proof_column *column)
{
    const mgl_attribute_settings *x = mgl_settings_attribute(settings, column->name);
    const json_t *audit = json_object_get(c->claimed, "audit");
    char what[120];
    if (x == NULL || x->role != MGL_ROLE_QUASI)
        return;
    snprintf(what, sizeof what, "weight of %.80s", column->name);
    if (x->weight.values[0] != column->weight)
        mgl_proof_differ(c, what, mgl_json_real(x->weight.values[0]),
                         mgl_json_real(column->weight));
    compare_levels(c, settings, column, x);
    snprintf(what, sizeof what, "height of %.80s", column->name);
    compare_numbers(c, what, mgl_json_number(json_object_get(c->claimed, "heights"), column->name),
                    column->height);
    mgl_span top = column->labels[column->value[column->height][0]];
    const char *claimed = mgl_json_text(json_object_get(audit, "tops"), column->name);
    snprintf(what, sizeof what, "top of %.80s", column->name);
    if (claimed == NULL)
        mgl_json_append(c->not_compared, json_string(what));
    else if (!mgl_span_is(top, claimed))
        mgl_proof_differ(c, what, json_string(claimed), json_stringn(top.data, top.size));
}

static bool names_column(const mgl_proof *p, const char *name)
{
    for (size_t a = 0; a < p->n_columns; a++)
        if (strcmp(p->columns[a].name, name) == 0)
            return true;
    return false;
}

static void compare_columns(mgl_proof_comparison *c, const mgl_settings *settings)
{
    const mgl_proof *p = c->proof;
    size_t n = 0;
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *x = &settings->attributes[i];
        n += x->role == MGL_ROLE_QUASI;
        if (x->role == MGL_ROLE_QUASI && !names_column(p, x->name))
            mgl_proof_differ(c, "quasi-identifier", json_string(x->name), json_null());
    }
    if (n != p->n_columns)
        mgl_proof_differ(c, "quasi-identifiers", mgl_json_count(n), mgl_json_count(p->n_columns));
    for (size_t a = 0; a < p->n_columns; a++)
        compare_column(c, settings, &p->columns[a]);
}

static void compare_job(mgl_proof_comparison *c, const mgl_settings *settings)
{
    const mgl_proof *p = c->proof;
    compare_texts(c, "measure", settings->measure->key, p->measure);
    compare_texts(c, "treatment of suppressed rows", mgl_proof_treatment(settings->treatment),
                  p->treatment);
    compare_numbers(c, "suppression limit", (double)mgl_settings_limit(settings, p->n_rows),
                    (double)p->limit);
    compare_columns(c, settings);
    compare_models(c, settings);
}

static void compare_result(mgl_proof_comparison *c, const char *sha256)
{
    const mgl_proof *p = c->proof;
    const json_t *bound = json_object_get(c->claimed, "bound");
    const json_t *input = json_object_get(json_object_get(c->claimed, "audit"), "input");
    compare_hashes(c, "sha256 of the proof",
                   mgl_json_text(json_object_get(bound, "proof"), "sha256"), sha256);
    compare_hashes(c, "sha256 of the table", mgl_json_text(input, "sha256"), p->input);
    compare_texts(c, "method", mgl_json_text(c->claimed, "method"), p->method);
    compare_texts(c, "measure", mgl_json_text(bound, "measure"), p->measure);
    compare_numbers(c, "rows", mgl_json_number(c->claimed, "rows"), (double)p->n_rows);
}

/* What the result says about its bound must not contradict itself, nor what is proved. */
static void compare_bound(mgl_proof_comparison *c, double proved)
{
    const json_t *bound = json_object_get(c->claimed, "bound");
    double best = mgl_json_number(bound, "best_possible");
    double achieved = mgl_json_number(bound, "achieved"), gap = mgl_json_number(bound, "gap");
    double utility = mgl_json_number(json_object_get(c->claimed, "utility"), c->proof->measure);
    bool exact = json_is_true(json_object_get(bound, "exact"));
    compare_numbers(c, "achieved", achieved, utility);
    compare_numbers(c, "gap", gap, fabs(best - achieved));
    if (exact)
        compare_numbers(c, "gap of what is exact", gap, 0);
    if (mgl_proof_rises(c->proof) ? achieved - proved > 1e-9 * fmax(1, fabs(proved))
                                  : proved - achieved > 1e-9 * fmax(1, fabs(proved)))
        mgl_proof_differ(c, "achieved, which is better than possible", mgl_json_real(achieved),
                         mgl_json_real(proved));
}

void mgl_proof_compare_result(mgl_proof_comparison *c, const mgl_settings *settings,
                              const char *sha256, double proved)
{
    compare_result(c, sha256);
    compare_job(c, settings);
    compare_bound(c, proved);
}
