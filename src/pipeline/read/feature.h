/* Features of columns and rows: what a job can ask of them beside models and methods. Each is one
 * row of the table in feature/features.c; the pipeline runs their steps in the order of the rows
 * and knows none by name. */
#ifndef MGL_PIPELINE_READ_FEATURE_H
#define MGL_PIPELINE_READ_FEATURE_H

#include "pipeline/read/reading_steps.h"
#include "profile/profile.h"
#include "search/search.h"

/* When a step runs. */
typedef enum mgl_feature_moment {
    MGL_ON_OPEN,     /* columns have their roles, and nothing is read yet */
    MGL_BEFORE_READ, /* the columns and rows to read are known */
    MGL_ON_READ,     /* the table is read; columns can be replaced before values are looked at */
    MGL_ON_VALUES,   /* values and hierarchies of the sensitive columns are there; columns can be
                        added to those that models are judged with */
    MGL_ON_BOUND,    /* the quasi-identifiers are bound to their hierarchies */
    MGL_FEATURE_MOMENTS
} mgl_feature_moment;

typedef mgl_status mgl_feature_step(mgl_reading *reading, mgl_purpose purpose, mgl_error *err);

struct mgl_objections;
struct mgl_result;
struct mgl_task;

/* What is known of the persons of a sample, row by row. The arrays are freed by the caller. */
typedef struct mgl_sample_estimate {
    const mgl_reading *reading;
    const mgl_frequency_list *list;
    const uint32_t *tuple_of; /* [row] MGL_NOT_FOUND: the row counts nowhere */
    double *persons;          /* [tuple] of the population that its rows stand for; NULL: unknown */
    double *risk;             /* [tuple] of each row that its person is found; NULL: unknown */
} mgl_sample_estimate;

/* Every function is optional, and does nothing where the job does not use the feature. */
typedef struct mgl_feature {
    const char *name;
    size_t size; /* bytes of what it keeps of a reading, zero at first (mgl_feature_state) */
    const struct mgl_feature_release *release; /* pipeline/write/write.h; optional */
    const struct mgl_feature_audit *audit;     /* claims/claims.h; optional */
    /* The key of the job to blame if its column is not there, or if an engine that writes the
     * release would keep rows to itself that must be distinguished; NULL: neither can be. */
    const char *key;
    /* Changes the role of a column of the source. Features whose rows come first have the last
     * word. */
    mgl_status (*assign)(const mgl_settings *settings, const mgl_source *source, size_t column,
                         mgl_purpose purpose, mgl_error *err, mgl_role *role);
    /* Must the codes of all rows be in memory at once? After MGL_ON_OPEN; with a key at any time.
     * NULL: where it has a column. */
    bool (*needs_rows)(const mgl_reading *reading);
    /* Refuses an engine that writes the release with MGL_USAGE for another reason than the key; err
     * may be NULL. */
    mgl_status (*refuse_engine)(const mgl_settings *settings, mgl_error *err);
    /* Does the engine that counts the table do it itself? Then it changes what it counts, which no
     * other job may see, and hierarchies are made of the values of single columns before that. */
    bool (*in_engine)(const mgl_reading *reading);
    /* Is something searched for it, besides what tuples are released as? */
    bool (*searches)(const mgl_reading *reading);
    /* A column that is read for the feature alone, as it is; NULL: none. `column` is the offset in
     * mgl_reading of the const mgl_column * that it is then found in; 0: the feature's state begins
     * with it. */
    const char *(*column_name)(const mgl_settings *settings, mgl_purpose purpose);
    size_t column;
    /* Does it look at the hierarchy of a column that is no quasi-identifier? */
    bool (*uses_hierarchy)(const mgl_settings *settings, const mgl_attribute_settings *attribute);
    /* Makes a hierarchy by a builder of its own; *out stays NULL for others. */
    mgl_status (*make_tree)(mgl_reading *reading, const mgl_tree_request *request, mgl_error *err,
                            mgl_hierarchy **out);
    /* Does a column that would be left out look like it? `risk --advise` proposes the first one. */
    bool (*suits)(const mgl_profile *profile);
    /* Do models of the type need that column? */
    bool (*needed_by)(const mgl_model_type *type);
    /* Adds further columns to those that are read, and returns their new number. The first n_quasi
     * are quasi-identifiers. */
    size_t (*request)(const mgl_reading *reading, mgl_purpose purpose,
                      mgl_column_request *requested, size_t n);
    mgl_feature_step *on[MGL_FEATURE_MOMENTS];
    /* Adds to a list of the reading's rows what models ask of it beside their number. */
    mgl_status (*count)(const mgl_reading *reading, mgl_error *err, mgl_frequency_list *list);
    /* Estimates by its column, where that was read, and adds figures to the section `individual`.
     */
    mgl_status (*estimate)(mgl_sample_estimate *estimate, mgl_error *err, json_t *individual);
    /* Adds to a result of `risk` who is found in another way than by quasi-identifiers. */
    void (*found)(const mgl_reading *reading, struct mgl_result *result);
    /* Fills in what the search must know. */
    mgl_status (*pose)(struct mgl_task *task, mgl_error *err);
    /* Adds models to those of the job, behind the set's n_models; there is room for twice as many.
     */
    mgl_status (*constrain)(struct mgl_task *task, mgl_quasi_set *set, mgl_model *models,
                            mgl_error *err);
    /* Names a remedy in objections of the leak guard. */
    mgl_status (*remedy)(const mgl_reading *reading, struct mgl_objections *objections,
                         mgl_error *err);
    /* Frees what the steps made; also after one of them failed. */
    void (*forget)(mgl_reading *reading);
} mgl_feature;

/* The table of features; NULL is the last. */
extern const mgl_feature *const mgl_features[];
/* That of the pipeline itself. */
extern const mgl_feature mgl_sensitive_values_feature;

/* What the feature keeps of a reading. */
void *mgl_feature_state(const mgl_reading *reading, const mgl_feature *feature);
/* Allocates what features keep. Freed by mgl_features_forget. */
mgl_status mgl_features_begin(mgl_reading *reading, mgl_error *err);
/* Runs the steps of all features; stops at the first that fails. */
mgl_status mgl_features_run(mgl_reading *reading, mgl_feature_moment moment, mgl_purpose purpose,
                            mgl_error *err);
/* Adds the columns that features need to those that are read, and returns their new number: not
 * more than four times the columns of the source and four. The first that are added are their own
 * columns, which mgl_features_take_columns finds in the table that was read, behind those that are
 * counted. */
size_t mgl_features_request(const mgl_reading *reading, mgl_purpose purpose,
                            mgl_column_request *requested, size_t n);
void mgl_features_take_columns(mgl_reading *reading, mgl_purpose purpose);
/* The column that is read for the feature alone: its name in the job, and where the one that was
 * read is; of features that have one. */
const char *mgl_feature_column_name(const mgl_feature *feature, const mgl_settings *settings,
                                    mgl_purpose purpose);
const mgl_column **mgl_feature_column(const mgl_reading *reading, const mgl_feature *feature);
/* Adds what models ask of a fresh list of the reading's rows beside their number. */
mgl_status mgl_features_count(const mgl_reading *reading, mgl_error *err, mgl_frequency_list *list);
/* Frees what features made. */
void mgl_features_forget(mgl_reading *reading);
/* Must the codes of all rows be in memory at once, for some feature of the job? */
bool mgl_features_need_rows(const mgl_reading *reading);
/* Does the engine do something for a feature that changes what it counts? */
bool mgl_features_in_engine(const mgl_reading *reading);
/* Refuses an engine that writes the release, for the first feature that does. */
mgl_status mgl_features_refuse_engine(const mgl_reading *reading, mgl_error *err);
/* Features name remedies in objections of the leak guard. */
mgl_status mgl_features_remedy(const mgl_reading *reading, struct mgl_objections *objections,
                               mgl_error *err);
/* How many features search. */
size_t mgl_features_searching(const mgl_reading *reading);

/* Requests a column of the source, unless it is requested already; returns the new number of
 * requests. The first n_quasi are quasi-identifiers, which have columns of their own. */
size_t mgl_request(const mgl_reading *reading, size_t field, mgl_column_request *requested,
                   size_t n);
/* The column that was read; NULL if it was not requested. */
const mgl_column *mgl_requested(const mgl_reading *reading, size_t field);

#endif
