/* The table of features, and those that are no more than a column or a condition. */
#include "pipeline/read/feature.h"

/* ---- Persons, weights, counts -------------------------------------------------------------------
 */

static const char *persons_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->entity;
}

static bool tells_persons(const mgl_reading *reading)
{
    return reading->settings->entity != NULL;
}

static const mgl_feature persons = {.needs_rows = tells_persons,
                                    .column_name = persons_column,
                                    .column = offsetof(mgl_reading, entity)};

/* Weights that models look at are among the counted columns. */
static const char *weights_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->weighs ? NULL : settings->weight;
}

static bool weighs(const mgl_reading *reading)
{
    return reading->settings->weighs;
}

static const mgl_feature weights = {
    .needs_rows = weighs, .column_name = weights_column, .column = offsetof(mgl_reading, weight)};

static const char *counts_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->counts;
}

static bool is_counted(const mgl_reading *reading)
{
    return reading->settings->counts != NULL;
}

/* A row stands for as many records as the column says. */
static mgl_status count_by_column(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    mgl_table *table = reading->table;
    (void)purpose;
    if (reading->counts == NULL)
        return MGL_OK;
    MGL_TRY(mgl_column_as_times(reading->counts, table->n_rows, err, &reading->times));
    table->times = reading->times; /* the rows of a view belong to another table */
    return MGL_OK;
}

static void forget_times(mgl_reading *reading)
{
    mgl_free(reading->times);
}

static const mgl_feature counts = {.needs_rows = is_counted,
                                   .column_name = counts_column,
                                   .column = offsetof(mgl_reading, counts),
                                   .on = {[MGL_ON_READ] = count_by_column},
                                   .forget = forget_times};

/* ---- What is worked out from the rows -----------------------------------------------------------
 */

static bool has_strata(const mgl_reading *reading)
{
    return reading->settings->n_by > 0;
}

static const mgl_feature strata = {.needs_rows = has_strata};

static bool aggregates(const mgl_reading *reading)
{
    return mgl_settings_aggregate(reading->settings);
}

static const mgl_feature aggregate = {.needs_rows = aggregates};

/* Rare rows change. */
static bool regroups(const mgl_reading *reading)
{
    return reading->settings->least_count > 0;
}

static const mgl_feature rare = {.needs_rows = regroups};

static bool saves_map(const mgl_reading *reading)
{
    return reading->settings->save_map != NULL;
}

static const mgl_feature map = {.needs_rows = saves_map};

/* ---- The table ----------------------------------------------------------------------------------
 */

/* The order matters: counts are there before columns are treated, treated values before those of
 * sensitive columns, and columns that models are judged with are numbered as they are added. */
const mgl_feature *const mgl_features[] = {&persons,
                                           &weights,
                                           &counts,
                                           &strata,
                                           &aggregate,
                                           &rare,
                                           &map,
                                           &mgl_history_feature,
                                           &mgl_treat_feature,
                                           &mgl_sensitive_values_feature,
                                           &mgl_linked_feature,
                                           &mgl_items_feature,
                                           &mgl_parents_feature,
                                           &mgl_households_feature,
                                           &mgl_population_feature,
                                           NULL};

mgl_status mgl_features_run(mgl_reading *reading, mgl_feature_moment moment, mgl_purpose purpose,
                            mgl_error *err)
{
    for (size_t i = 0; mgl_features[i] != NULL; i++)
        if (mgl_features[i]->on[moment] != NULL)
            MGL_TRY(mgl_features[i]->on[moment](reading, purpose, err));
    return MGL_OK;
}

static const char *column_of(const mgl_feature *feature, const mgl_reading *reading,
                             mgl_purpose purpose)
{
    return feature->column_name != NULL ? feature->column_name(reading->settings, purpose) : NULL;
}

size_t mgl_features_wish(const mgl_reading *reading, mgl_purpose purpose, mgl_column_wish *wishes,
                         size_t n)
{
    for (size_t i = 0; mgl_features[i] != NULL; i++) {
        const char *name = column_of(mgl_features[i], reading, purpose);
        if (name != NULL)
            wishes[n++] =
                (mgl_column_wish){mgl_source_find(reading->source, name), MGL_ROLE_IDENTIFIER};
    }
    for (size_t i = 0; mgl_features[i] != NULL; i++)
        if (mgl_features[i]->wish != NULL)
            n = mgl_features[i]->wish(reading, purpose, wishes, n);
    return n;
}

void mgl_features_take_columns(mgl_reading *reading, mgl_purpose purpose)
{
    size_t n = reading->n_quasi + reading->n_counted;
    for (size_t i = 0; mgl_features[i] != NULL; i++)
        if (column_of(mgl_features[i], reading, purpose) != NULL)
            *(const mgl_column **)((char *)reading + mgl_features[i]->column) =
                &reading->table->columns[n++];
}

void mgl_features_forget(mgl_reading *reading)
{
    for (size_t i = 0; mgl_features[i] != NULL; i++)
        if (mgl_features[i]->forget != NULL)
            mgl_features[i]->forget(reading);
}

bool mgl_features_need_rows(const mgl_reading *reading)
{
    for (size_t i = 0; mgl_features[i] != NULL; i++)
        if (mgl_features[i]->needs_rows != NULL && mgl_features[i]->needs_rows(reading))
            return true;
    return false;
}
