/* Reads sampling weights: each row stands for so many persons of the population. `risk` sums them
 * up as they are; searches need sums that do not depend on the order of rows and threads. */
#include "claims/claims.h"
#include "findings/findings.h"

#include <math.h>

extern const mgl_feature mgl_weights_feature;

static const mgl_column *column_of(const mgl_reading *reading)
{
    const mgl_column **column = mgl_feature_state(reading, &mgl_weights_feature);
    return *column;
}

static mgl_status read_weights(const mgl_reading *reading, mgl_error *err, double *of_code)
{
    const mgl_column *column = column_of(reading);
    const mgl_notation *notation = mgl_dictionary_notation(column->dictionary);
    for (uint32_t code = 0; code < mgl_dictionary_size(column->dictionary); code++) {
        mgl_span text = mgl_dictionary_value(column->dictionary, code);
        char shown[MGL_SHOWN];
        if (!mgl_notation_number(notation, text, &of_code[code]) || !(of_code[code] > 0))
            return mgl_blame_column(
                err,
                mgl_fail_key_at(err, MGL_CODE_BAD_CELL, mgl_source_name(reading->source), "weight",
                                "\"%s\" in column \"%.60s\" is no sampling weight; weights are "
                                "numbers above 0",
                                mgl_shown(text, shown), column->name),
                column->name);
    }
    return MGL_OK;
}

enum { MOST_DECIMALS = 9 };

/* What a double of this size may be off: twice its last bit. */
static double rounding(double x)
{
    return x * 4.5e-16;
}

static bool is_whole(double x)
{
    return fabs(x - rint(x)) <= rounding(x);
}

static uint64_t rows_of(const mgl_table *table)
{
    uint64_t rows = table->times == NULL ? table->n_rows : 0;
    for (size_t row = 0; table->times != NULL && row < table->n_rows; row++)
        rows += table->times[row];
    return rows;
}

/* As few decimals as the weights have, and no more than leave the sum of all exact as a double. */
static double choose_unit(const double *weights, size_t n, double n_rows)
{
    const double exact = 9007199254740992.0; /* 2^53 */
    double most = 0, unit = 1;
    bool whole = false;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, weights[i]);
    for (int d = 0; d < MOST_DECIMALS && !whole && most * n_rows * unit * 10 < exact; d++) {
        whole = true;
        for (size_t i = 0; whole && i < n; i++)
            whole = is_whole(weights[i] * unit);
        unit *= whole ? 1 : 10;
    }
    return unit;
}

static mgl_status refuse_large(const mgl_reading *reading, mgl_error *err)
{
    return mgl_fail_key_at(err, MGL_CODE_LIMIT, mgl_source_name(reading->source), "weight",
                           "the weights in column \"%.60s\" add up to more than 2^53 "
                           "persons; are they weights?",
                           column_of(reading)->name);
}

/* The same as whole numbers, of which *unit are one person: sums of them do not depend on any
 * order. Weights with more digits than a sum of all rows can have are rounded down. Caller frees
 * with mgl_free. */
static mgl_status fix_weights(const mgl_reading *reading, mgl_error *err, uint64_t **out,
                              uint64_t *unit)
{
    size_t n = mgl_dictionary_size(column_of(reading)->dictionary);
    double *weights = mgl_alloc_array(n, sizeof *weights);
    uint64_t *fixed = mgl_alloc_array(n, sizeof *fixed);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(weights != NULL && fixed != NULL, err));
    MGL_GO(read_weights(reading, err, weights));
    double rows = (double)rows_of(reading->table), scale = choose_unit(weights, n, rows);
    for (size_t i = 0; i < n; i++) {
        double x = weights[i] * scale;
        if (x * rows > 9.2e18)
            MGL_GO(refuse_large(reading, err));
        fixed[i] = (uint64_t)(is_whole(x) ? rint(x) : floor(x));
    }
    *unit = (uint64_t)scale;
    *out = fixed;
    fixed = NULL;
done:
    mgl_free(weights);
    mgl_free(fixed);
    return status;
}

/* ---- The feature ----------------------------------------------------------------------------- */

static const char *column_name(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->weighed.column;
}

static bool is_judged(const mgl_reading *reading)
{
    return reading->settings->weighed.judged;
}

/* Weights that models look at are counted. */
static mgl_status judge_weights(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    (void)purpose;
    return is_judged(reading)
               ? mgl_reading_judge(reading, reading->n_sensitive, column_of(reading), 1, err)
               : MGL_OK;
}

static mgl_status count_weights(const mgl_reading *reading, mgl_error *err,
                                mgl_frequency_list *list)
{
    uint64_t *of_value, unit;
    if (!is_judged(reading))
        return MGL_OK;
    MGL_TRY(fix_weights(reading, err, &of_value, &unit));
    mgl_frequency_list_weigh(list, reading->n_sensitive, of_value, unit);
    return MGL_OK;
}

static mgl_status sum_weights(mgl_sample_estimate *x, mgl_error *err)
{
    const mgl_column *column = column_of(x->reading);
    const mgl_table *table = x->reading->table;
    double *of_code = mgl_alloc_array(mgl_dictionary_size(column->dictionary), sizeof *of_code);
    x->persons = mgl_zeroed_array(x->list->n_tuples, sizeof *x->persons);
    x->risk = mgl_alloc_array(x->list->n_tuples, sizeof *x->risk);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(of_code != NULL && x->persons != NULL && x->risk != NULL, err));
    MGL_GO(read_weights(x->reading, err, of_code));
    for (size_t row = 0; row < table->n_rows; row++)
        if (x->tuple_of[row] != MGL_NOT_FOUND)
            x->persons[x->tuple_of[row]] += (table->times != NULL ? (double)table->times[row] : 1) *
                                            of_code[mgl_column_code(column, row)];
    for (size_t t = 0; t < x->list->n_tuples; t++)
        x->risk[t] = mgl_individual_risk((double)x->list->counts[t], x->persons[t], false);
done:
    mgl_free(of_code);
    return status;
}

static mgl_status estimate(mgl_sample_estimate *x, mgl_error *err, json_t *individual)
{
    double sum = 0, exact = 0;
    MGL_TRY(sum_weights(x, err));
    for (size_t t = 0; t < x->list->n_tuples; t++) {
        double rows = (double)x->list->counts[t];
        sum += rows * x->risk[t];
        exact += rows * mgl_individual_risk(rows, x->persons[t], true);
    }
    mgl_json_set(individual, "expected_reidentifications", mgl_json_real(sum));
    mgl_json_set(individual, "exact_expected_reidentifications", mgl_json_real(exact));
    return MGL_OK;
}

/* Weights are read anew: the verifier does not ask the list that was searched. */
static mgl_status carry(mgl_release_plan *p, const mgl_reading *reading, mgl_error *err)
{
    if (!is_judged(reading))
        return MGL_OK;
    uint64_t *of_code, unit;
    size_t n = mgl_dictionary_size(column_of(reading)->dictionary);
    MGL_TRY(fix_weights(reading, err, &of_code, &unit));
    uint64_t *kept = mgl_arena_alloc(p->arena, n * sizeof *kept);
    if (kept != NULL)
        memcpy(kept, of_code, n * sizeof *kept);
    mgl_free(of_code);
    MGL_TRY(mgl_check_memory(kept != NULL, err));
    p->promise.weights.persons = kept;
    return mgl_plan_carry(p, column_of(reading), err, &p->promise.weights.of_row);
}

static bool looks_at_sample(const mgl_settings *settings)
{
    for (size_t i = 0; i < settings->n_models; i++) {
        const mgl_model_type *type = mgl_model_type_find(settings->models[i].type->name);
        if (type != settings->models[i].type || type->needs_fraction)
            return true;
    }
    return false;
}

static void facts(const mgl_task *task, json_t *document)
{
    const mgl_settings *settings = task->reading->settings;
    const mgl_sample *sample = &task->facts.sample;
    if (!looks_at_sample(settings))
        return;
    json_t *object = json_object();
    bool weighs = sample->unit > 0;
    double persons = weighs ? (double)sample->total / (double)sample->unit
                            : (double)task->facts.n_rows / sample->fraction;
    mgl_json_set(object, "known_by", json_string(weighs ? "weight" : "sampling-fraction"));
    mgl_json_set(object, "column", weighs ? json_string(settings->weighed.column) : json_null());
    mgl_json_set(object, "fraction", weighs ? json_null() : mgl_json_real(sample->fraction));
    mgl_json_set(object, "persons", mgl_json_real(persons));
    mgl_json_set(document, "population", object);
}

static const mgl_feature_release release = {.carry = carry, .facts = facts};

/* Does a model of the result look at weights or a sampling fraction? */
static void note_sample(mgl_claims *c)
{
    const json_t *model;
    bool looks = false;
    size_t i;
    json_array_foreach(json_object_get(c->claimed, "models"), i, model)
    {
        const mgl_model_type *type = mgl_claims_model_type(model);
        looks = looks || (type != NULL &&
                          (type->needs_fraction || mgl_claims_sampled_type(c, type) != type));
    }
    mgl_json_set(c->is, "sampled", json_boolean(looks));
    mgl_json_set(c->is, "fraction", mgl_json_real(c->settings->sampled.fraction));
}

static const char *why_unweighed(const mgl_claims *c, const mgl_model_type *type)
{
    bool weights = json_object_get(c->job, "weight") != NULL;
    return c->settings->weighed.column == NULL &&
                   mgl_model_type_of_sample(type, weights, false)->weighs
               ? "needs the weights, which the release lacks; `weight: COLUMN`, with a copy that "
                 "has them"
               : NULL;
}

static const mgl_claim sections[] = {{"population", MGL_OF_NONE,
                                      .shape = "{known_by:s column:S fraction:N persons:n}",
                                      .due = "is.sampled"},
                                     {.key = NULL}};

static const mgl_claim_open opens[] = {
    {"population.persons", "needs the weights of all rows",
     "population and !found.population or population and rows != released_rows"},
    {.what = NULL}};

/* Of weights that are released, and rows that are all released, the sum is found anew. */
static const char *const rules[] = {
    "population.known_by = 'weight' if job.weight due",
    "population.known_by = 'sampling-fraction' if !job.weight due",
    "population.column = job.weight | null",
    "population.fraction = null if job.weight due",
    "population.fraction = is.fraction if !job.weight due",
    "population.persons = found.population.persons if found.population and rows = released_rows",
    NULL};

static const mgl_feature_audit audit = {.sections = sections,
                                        .opens = opens,
                                        .rules = rules,
                                        .count = note_sample,
                                        .unjudged = why_unweighed};

static bool suits(const mgl_profile *profile)
{
    return mgl_profile_is_weight(profile) && profile->missing == 0;
}

static bool is_needed(const mgl_model_type *type)
{
    return type->weighs || type->weighed != NULL;
}

const mgl_feature mgl_weights_feature = {.name = "weights",
                                         .release = &release,
                                         .audit = &audit,
                                         .key = "weight",
                                         .size = sizeof(const mgl_column *),
                                         .column_name = column_name,
                                         .suits = suits,
                                         .needed_by = is_needed,
                                         .on = {[MGL_ON_READ] = judge_weights},
                                         .count = count_weights,
                                         .estimate = estimate};
