/* How many rows the household of each row has, as a column that models are judged with, where
 * the job bounds the risk of households. */
#include "claims/claims.h"
#include "findings/findings.h"

#include <math.h>

extern const mgl_feature mgl_households_feature;

/* What the feature keeps of a reading. */
typedef struct households {
    const mgl_column *of_row;
    mgl_table *sizes; /* of one column */
} households;

static households *households_of(const mgl_reading *reading)
{
    return mgl_feature_state(reading, &mgl_households_feature);
}

static uint64_t times_of(const mgl_table *table, size_t row)
{
    return table->times != NULL ? table->times[row] : 1;
}

/* Codes are the sizes, so that values of a histogram need no table. */
static mgl_status fill_sizes(const mgl_reading *reading, mgl_column *column, mgl_error *err)
{
    const mgl_column *ids = households_of(reading)->of_row;
    const mgl_table *table = reading->table;
    uint64_t *members = mgl_zeroed_array(mgl_dictionary_size(ids->dictionary), sizeof *members);
    uint64_t most = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(members != NULL, err));
    for (size_t row = 0; row < table->n_rows; row++)
        members[mgl_column_code(ids, row)] += times_of(table, row);
    for (size_t row = 0; row < table->n_rows; row++) {
        uint64_t size = members[mgl_column_code(ids, row)];
        most = size > most ? size : most;
        if (size >= UINT32_MAX || !mgl_column_widen(column, row, (uint32_t)size) ||
            !mgl_column_reserve(column, row, 1))
            MGL_GO(mgl_fail_memory(err));
        mgl_column_set(column, row, (uint32_t)size);
    }
    for (uint32_t i = 0; i <= most; i++)
        if (mgl_dictionary_add(column->dictionary, (mgl_span){(const char *)&i, sizeof i}) != i)
            MGL_GO(mgl_fail_memory(err));
done:
    mgl_free(members);
    return status;
}

static mgl_status bind_sizes(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    (void)purpose;
    if (!reading->settings->households.judged)
        return MGL_OK;
    mgl_table *sizes = households_of(reading)->sizes = mgl_table_new(1);
    MGL_TRY(mgl_check_memory(sizes != NULL, err));
    MGL_TRY(fill_sizes(reading, sizes->columns, err));
    return mgl_reading_judge(reading, reading->n_judged, sizes->columns, 1, err);
}

/* `risk` reports households, other commands judge them. */
static const char *column_name(const mgl_settings *settings, mgl_purpose purpose)
{
    bool reported = purpose == MGL_TO_CHECK && settings->n_models == 0;
    return settings->households.judged || reported ? settings->households.column : NULL;
}

static bool is_judged(const mgl_reading *reading)
{
    return reading->settings->households.judged;
}

static mgl_status count_households(const mgl_reading *reading, mgl_error *err,
                                   mgl_frequency_list *list)
{
    (void)err;
    if (is_judged(reading))
        list->household_sizes = reading->n_judged;
    return MGL_OK;
}

/* If one member is found, the whole household is. Without weights no risk is known. */
static mgl_status estimate(mgl_sample_estimate *x, mgl_error *err, json_t *individual)
{
    const mgl_column *column = households_of(x->reading)->of_row;
    uint32_t n = mgl_dictionary_size(column->dictionary);
    if (x->risk == NULL)
        return MGL_OK;
    double *hidden = mgl_alloc_array(n, sizeof *hidden); /* chance that no person is found */
    double *members = mgl_zeroed_array(n, sizeof *members), sum = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(hidden != NULL && members != NULL, err));
    for (uint32_t h = 0; h < n; h++)
        hidden[h] = 1;
    for (size_t row = 0; row < x->reading->table->n_rows; row++) {
        uint32_t household = mgl_column_code(column, row);
        if (x->tuple_of[row] == MGL_NOT_FOUND)
            continue;
        double times = (double)times_of(x->reading->table, row);
        hidden[household] *= pow(1 - x->risk[x->tuple_of[row]], times);
        members[household] += times;
    }
    for (uint32_t h = 0; h < n; h++)
        sum += members[h] * (1 - hidden[h]);
    mgl_json_set(individual, "household_expected_reidentifications", mgl_json_real(sum));
done:
    mgl_free(hidden);
    mgl_free(members);
    return status;
}

static void forget(mgl_reading *reading)
{
    mgl_table_free(households_of(reading)->sizes);
}

static mgl_status carry(mgl_release_plan *p, const mgl_reading *reading, mgl_error *err)
{
    mgl_promised_households *promised = mgl_arena_alloc(p->arena, sizeof *promised);
    if (!is_judged(reading))
        return MGL_OK;
    MGL_TRY(mgl_check_memory(promised != NULL, err));
    mgl_plan_promise(p, &mgl_households_judge, promised, 1);
    return mgl_plan_carry(p, households_of(reading)->of_row, err, &promised->of_row);
}

static const mgl_feature_release release = {.carry = carry};

static bool needs(const mgl_model_type *type)
{
    return type->by_household;
}

static void note_needs(mgl_claims *c)
{
    mgl_json_set(c->is, "by_household", json_boolean(mgl_claims_any_type(c, needs)));
}

static const char *why_unjudged(const mgl_claims *c, const mgl_model_type *type)
{
    return type->by_household && c->settings->households.column == NULL
               ? "needs the households, which the release lacks; `household: COLUMN`, with a copy "
                 "that has them"
               : NULL;
}

/* A recoding that was applied knows what its models need. */
static const char *const rules[] = {
    "audit.job.household needed if is.by_household and !is.applied",
    "audit.columns.(job.household) needed if job.household due and !is.applied", NULL};

static const mgl_feature_audit audit = {
    .rules = rules, .count = note_needs, .unjudged = why_unjudged};

const mgl_feature mgl_households_feature = {.name = "households",
                                            .release = &release,
                                            .audit = &audit,
                                            .size = sizeof(households),
                                            .key = "household",
                                            .column_name = column_name,
                                            .suits = mgl_profile_is_household,
                                            .needed_by = needs,
                                            .on = {[MGL_ON_VALUES] = bind_sizes},
                                            .count = count_households,
                                            .estimate = estimate,
                                            .forget = forget};
