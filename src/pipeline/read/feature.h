/* Features of columns and rows: what a job can ask of them beside models and methods. Each is one
 * row of the table in feature/features.c; the pipeline runs their steps in the order of the rows
 * and knows none by name. */
#ifndef MGL_PIPELINE_READ_FEATURE_H
#define MGL_PIPELINE_READ_FEATURE_H

#include "pipeline/read/reading.h"

/* When a step runs. */
typedef enum mgl_feature_moment {
    MGL_ON_OPEN,   /* columns have their roles, and nothing is read yet */
    MGL_ON_READ,   /* the table is read; columns can be replaced before values are looked at */
    MGL_ON_VALUES, /* values and hierarchies of the sensitive columns are there; columns can be
                      added to those that models are judged with */
    MGL_ON_BOUND,  /* the quasi-identifiers are bound to their hierarchies */
    MGL_FEATURE_MOMENTS
} mgl_feature_moment;

typedef mgl_status mgl_feature_step(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);

/* Every function is optional, and does nothing where the job does not use the feature. */
typedef struct mgl_feature_reading {
    /* Must the codes of all rows be in memory at once? After MGL_ON_OPEN; with rows_key at any
     * time. */
    bool (*needs_rows)(const mgl_reading *reading);
    /* An engine that writes the release keeps its rows to itself. The key of the job to blame if
     * the feature needs the rows because it must know which is which; NULL: it need not. */
    const char *rows_key;
    /* Refuses such an engine with MGL_USAGE for another reason; err may be NULL. */
    mgl_status (*refuse_engine)(const mgl_settings *settings, mgl_error *err);
    /* Is something searched for it, besides what tuples are released as? */
    bool (*searches)(const mgl_reading *reading);
    /* A column that is read for the feature alone, as it is; NULL: none. `column` is the offset in
     * mgl_reading of the const mgl_column * that it is then found in. */
    const char *(*column_name)(const mgl_settings *settings, mgl_purpose purpose);
    size_t column;
    /* Adds further columns to those that are read, and returns their new number. The first n_quasi
     * are quasi-identifiers. */
    size_t (*wish)(const mgl_reading *reading, mgl_purpose purpose, mgl_column_wish *wishes,
                   size_t n);
    mgl_feature_step *on[MGL_FEATURE_MOMENTS];
    /* Frees what the steps made; also after one of them failed. */
    void (*forget)(mgl_reading *reading);
} mgl_feature_reading;

struct mgl_result;
struct mgl_task;
struct mgl_written;

/* A row of the table: what the feature does in each stage. */
typedef struct mgl_feature {
    const char *name;
    const mgl_feature_reading *reading;
    const struct mgl_feature_release *release; /* pipeline/write/write.h; optional */
    /* Adds its section to a result, where the job uses it; optional. */
    void (*describe)(const mgl_reading *reading, const struct mgl_written *written,
                     struct mgl_result *result);
    /* Judges the table that `check` is given, where the job promises something, and adds that to
     * the result; optional. persons: [rows]; NULL: each row is one. */
    mgl_status (*check)(const struct mgl_task *task, const uint32_t *persons, mgl_error *err,
                        struct mgl_result *result);
} mgl_feature;

extern const mgl_feature_reading mgl_counts_reading, mgl_history_reading, mgl_households_reading,
    mgl_aggregate_reading, mgl_map_reading, mgl_parents_reading, mgl_persons_reading,
    mgl_population_reading, mgl_rare_reading, mgl_sensitive_values_reading, mgl_strata_reading,
    mgl_weights_reading;

/* Ends with a row without a name. */
extern const mgl_feature mgl_features[];

/* Runs the steps of all features; stops at the first that fails. */
mgl_status mgl_features_run(mgl_reading *reading, mgl_feature_moment moment, mgl_purpose purpose,
                            mgl_error *err);
/* Adds the columns that features need to those that are read, and returns their new number: not
 * more than four times the columns of the source and four. The first that are added are their own
 * columns, which mgl_features_take_columns finds in the table that was read, behind those that are
 * counted. */
size_t mgl_features_wish(const mgl_reading *reading, mgl_purpose purpose, mgl_column_wish *wishes,
                         size_t n);
void mgl_features_take_columns(mgl_reading *reading, mgl_purpose purpose);
/* Frees what features made. */
void mgl_features_forget(mgl_reading *reading);
/* Must the codes of all rows be in memory at once, for some feature of the job? */
bool mgl_features_need_rows(const mgl_reading *reading);
/* Refuses an engine that writes the release, for the first feature that does. */
mgl_status mgl_features_refuse_engine(const mgl_reading *reading, mgl_error *err);
/* How many features search. */
size_t mgl_features_searching(const mgl_reading *reading);

#endif
