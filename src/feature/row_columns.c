/* Columns that say which person a row belongs to (`entity`), what it weighs (`weight`) and for how
 * many records it stands (`count`); and what needs to know every row (`save-map`). */
#include "findings/findings.h"
#include "pipeline/pipeline.h"

static const char *persons_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->persons.column;
}

static bool has_persons(const mgl_reading *reading)
{
    return reading->settings->persons.column != NULL;
}

const mgl_feature mgl_persons_feature = {.name = "persons",
                                         .rows_key = "entity",
                                         .needs_rows = has_persons,
                                         .column_name = persons_column,
                                         .column = offsetof(mgl_reading, entity)};

/* Weights that models look at are among the counted columns. */
static const char *weights_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->sampled.weighs ? NULL : settings->sampled.weight;
}

static bool weighs(const mgl_reading *reading)
{
    return reading->settings->sampled.weighs;
}

const mgl_feature mgl_weights_feature = {.name = "weights",
                                         .rows_key = "weight",
                                         .needs_rows = weighs,
                                         .column_name = weights_column,
                                         .column = offsetof(mgl_reading, weight)};

/* ---- Counted tables -----------------------------------------------------------------------------
 */

static const char *counts_column(const mgl_settings *settings, mgl_purpose purpose)
{
    (void)purpose;
    return settings->counted.column;
}

static bool is_counted(const mgl_reading *reading)
{
    return reading->settings->counted.column != NULL;
}

extern const mgl_feature mgl_counts_feature;

/* The numbers of the column, which the table borrows. */
static uint64_t **times_of(const mgl_reading *reading)
{
    return mgl_feature_state(reading, &mgl_counts_feature);
}

/* A row stands for as many records as the column has. */
static mgl_status count_by_column(mgl_reading *reading, mgl_purpose purpose, mgl_error *err)
{
    mgl_table *table = reading->table;
    (void)purpose;
    if (reading->counts == NULL)
        return MGL_OK;
    MGL_TRY(mgl_column_as_times(reading->counts, table->n_rows, err, times_of(reading)));
    table->times = *times_of(reading); /* the rows of a view belong to another table */
    return MGL_OK;
}

static void forget_times(mgl_reading *reading)
{
    mgl_free(*times_of(reading));
}

const mgl_feature mgl_counts_feature = {.name = "counts",
                                        .size = sizeof(uint64_t *),
                                        .needs_rows = is_counted,
                                        .column_name = counts_column,
                                        .column = offsetof(mgl_reading, counts),
                                        .on = {[MGL_ON_READ] = count_by_column},
                                        .forget = forget_times};

/* ---- Maps ---------------------------------------------------------------------------------------
 */

static bool saves_map(const mgl_reading *reading)
{
    return reading->settings->saved.map != NULL;
}

const mgl_feature mgl_map_feature = {.name = "map", .needs_rows = saves_map};
