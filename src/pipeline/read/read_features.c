/* Runs what features do when a table is read, and has those that are no more than a column or a
 * condition. */
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

const mgl_feature_reading mgl_persons_reading = {.rows_key = "entity",
                                                 .needs_rows = tells_persons,
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

const mgl_feature_reading mgl_weights_reading = {.rows_key = "weight",
                                                 .needs_rows = weighs,
                                                 .column_name = weights_column,
                                                 .column = offsetof(mgl_reading, weight)};

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

const mgl_feature_reading mgl_counts_reading = {.needs_rows = is_counted,
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

const mgl_feature_reading mgl_strata_reading = {.rows_key = "by", .needs_rows = has_strata};

static bool aggregates(const mgl_reading *reading)
{
    return mgl_settings_aggregate(reading->settings);
}

static mgl_status refuse_aggregates(const mgl_settings *settings, mgl_error *err)
{
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].aggregate != MGL_AGGREGATE_NOT)
            return mgl_blame_attribute(
                err,
                mgl_fail(err, MGL_CODE_UNSUPPORTED,
                         "`aggregate`: what stands for a group is worked out again from the rows "
                         "that are written, and these stay in the database; write the release to "
                         "a file, for which the rows are fetched"),
                settings->attributes[i].name, "aggregate");
    return MGL_OK;
}

const mgl_feature_reading mgl_aggregate_reading = {.refuse_engine = refuse_aggregates,
                                                   .needs_rows = aggregates};

/* Rare rows change. */
static bool regroups(const mgl_reading *reading)
{
    return reading->settings->least_count > 0;
}

const mgl_feature_reading mgl_rare_reading = {.needs_rows = regroups};

static bool saves_map(const mgl_reading *reading)
{
    return reading->settings->save_map != NULL;
}

const mgl_feature_reading mgl_map_reading = {.needs_rows = saves_map};

/* ---- All of them --------------------------------------------------------------------------------
 */

mgl_status mgl_features_run(mgl_reading *reading, mgl_feature_moment moment, mgl_purpose purpose,
                            mgl_error *err)
{
    for (const mgl_feature *f = mgl_features; f->name != NULL; f++)
        if (f->reading->on[moment] != NULL)
            MGL_TRY(f->reading->on[moment](reading, purpose, err));
    return MGL_OK;
}

static const char *column_of(const mgl_feature *f, const mgl_reading *reading, mgl_purpose purpose)
{
    return f->reading->column_name != NULL ? f->reading->column_name(reading->settings, purpose)
                                           : NULL;
}

size_t mgl_features_wish(const mgl_reading *reading, mgl_purpose purpose, mgl_column_wish *wishes,
                         size_t n)
{
    for (const mgl_feature *f = mgl_features; f->name != NULL; f++) {
        const char *name = column_of(f, reading, purpose);
        if (name != NULL)
            wishes[n++] =
                (mgl_column_wish){mgl_source_find(reading->source, name), MGL_ROLE_IDENTIFIER};
    }
    for (const mgl_feature *f = mgl_features; f->name != NULL; f++)
        if (f->reading->wish != NULL)
            n = f->reading->wish(reading, purpose, wishes, n);
    return n;
}

void mgl_features_take_columns(mgl_reading *reading, mgl_purpose purpose)
{
    size_t n = reading->n_quasi + reading->n_counted;
    for (const mgl_feature *f = mgl_features; f->name != NULL; f++)
        if (column_of(f, reading, purpose) != NULL)
            *(const mgl_column **)((char *)reading + f->reading->column) =
                &reading->table->columns[n++];
}

void mgl_features_forget(mgl_reading *reading)
{
    for (const mgl_feature *f = mgl_features; f->name != NULL; f++)
        if (f->reading->forget != NULL)
            f->reading->forget(reading);
}

bool mgl_features_need_rows(const mgl_reading *reading)
{
    for (const mgl_feature *f = mgl_features; f->name != NULL; f++)
        if (f->reading->needs_rows != NULL && f->reading->needs_rows(reading))
            return true;
    return false;
}

static mgl_status refuse_engine(const mgl_feature_reading *feature, const mgl_reading *reading,
                                mgl_error *err)
{
    if (feature->refuse_engine != NULL)
        MGL_TRY(feature->refuse_engine(reading->settings, err));
    if (feature->rows_key == NULL || !feature->needs_rows(reading))
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail(err, MGL_CODE_UNSUPPORTED,
                                  "`%s` needs to know which row is which, and rows do not leave "
                                  "the database; write the release to a file",
                                  feature->rows_key),
                         feature->rows_key);
}

mgl_status mgl_features_refuse_engine(const mgl_reading *reading, mgl_error *err)
{
    for (const mgl_feature *f = mgl_features; f->name != NULL; f++)
        MGL_TRY(refuse_engine(f->reading, reading, err));
    return MGL_OK;
}

size_t mgl_features_searching(const mgl_reading *reading)
{
    size_t n = 0;
    for (const mgl_feature *f = mgl_features; f->name != NULL; f++)
        n += f->reading->searches != NULL && f->reading->searches(reading);
    return n;
}
