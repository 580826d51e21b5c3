/* Runs the steps of features when a table is read, holds their state, and finds the columns that
 * they request besides those that are counted. */
#include "pipeline/read/feature.h"

size_t mgl_request(const mgl_reading *reading, size_t field, mgl_column_request *requested,
                   size_t n)
{
    for (size_t w = reading->n_quasi; w < n; w++)
        if (requested[w].source_index == field)
            return n;
    requested[n] = (mgl_column_request){field, reading->roles[field]};
    return n + 1;
}

const mgl_column *mgl_requested(const mgl_reading *reading, size_t field)
{
    const mgl_table *table = reading->table;
    for (size_t c = reading->n_quasi; c < table->n_columns; c++)
        if (table->columns[c].source_index == field)
            return &table->columns[c];
    return NULL;
}

/* What features keep lies side by side, each at a multiple of ALIGNMENT. */
enum { ALIGNMENT = 16 };

static size_t room_of(const mgl_feature *feature)
{
    return (feature->size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

mgl_status mgl_features_begin(mgl_reading *reading, mgl_error *err)
{
    size_t room = 0;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        room += room_of(*f);
    reading->features = mgl_zeroed_array(room, 1);
    return reading->features == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void *mgl_feature_state(const mgl_reading *reading, const mgl_feature *feature)
{
    char *at = reading->features;
    for (const mgl_feature *const *f = mgl_features; *f != feature; f++)
        at += room_of(*f);
    return at;
}

void mgl_features_forget(mgl_reading *reading)
{
    for (const mgl_feature *const *f = mgl_features; reading->features != NULL && *f != NULL; f++)
        if ((*f)->forget != NULL)
            (*f)->forget(reading);
    mgl_free(reading->features);
}

mgl_status mgl_features_run(mgl_reading *reading, mgl_feature_moment moment, mgl_purpose purpose,
                            mgl_error *err)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->on[moment] != NULL)
            MGL_TRY((*f)->on[moment](reading, purpose, err));
    return MGL_OK;
}

const char *mgl_feature_column_name(const mgl_feature *feature, const mgl_settings *settings,
                                    mgl_purpose purpose)
{
    return feature->column_name != NULL ? feature->column_name(settings, purpose) : NULL;
}

const mgl_column **mgl_feature_column(const mgl_reading *reading, const mgl_feature *feature)
{
    return feature->column == 0 ? mgl_feature_state(reading, feature)
                                : (const mgl_column **)((char *)reading + feature->column);
}

size_t mgl_features_request(const mgl_reading *reading, mgl_purpose purpose,
                            mgl_column_request *requested, size_t n)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++) {
        const char *name = mgl_feature_column_name(*f, reading->settings, purpose);
        if (name != NULL)
            requested[n++] =
                (mgl_column_request){mgl_source_find(reading->source, name), MGL_ROLE_IDENTIFIER};
    }
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->request != NULL)
            n = (*f)->request(reading, purpose, requested, n);
    return n;
}

void mgl_features_take_columns(mgl_reading *reading, mgl_purpose purpose)
{
    size_t n = reading->n_quasi + reading->n_counted;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if (mgl_feature_column_name(*f, reading->settings, purpose) != NULL)
            *mgl_feature_column(reading, *f) = &reading->table->columns[n++];
}

mgl_status mgl_features_count(const mgl_reading *reading, mgl_error *err, mgl_frequency_list *list)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->count != NULL)
            MGL_TRY((*f)->count(reading, err, list));
    return MGL_OK;
}

static bool needs_rows(const mgl_feature *feature, const mgl_reading *reading)
{
    return feature->needs_rows != NULL
               ? feature->needs_rows(reading)
               : mgl_feature_column_name(feature, reading->settings, MGL_TO_RELEASE) != NULL;
}

bool mgl_features_need_rows(const mgl_reading *reading)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if (needs_rows(*f, reading))
            return true;
    return false;
}

bool mgl_features_in_engine(const mgl_reading *reading)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->in_engine != NULL && (*f)->in_engine(reading))
            return true;
    return false;
}

static mgl_status refuse_engine(const mgl_feature *feature, const mgl_reading *reading,
                                mgl_error *err)
{
    if (feature->refuse_engine != NULL)
        MGL_TRY(feature->refuse_engine(reading->settings, err));
    if (feature->key == NULL || !needs_rows(feature, reading))
        return MGL_OK;
    return mgl_fail_key(err, MGL_CODE_UNSUPPORTED, feature->key,
                        "`%s` needs to know which row is which, and rows do not leave the "
                        "database; write the release to a file",
                        feature->key);
}

mgl_status mgl_features_refuse_engine(const mgl_reading *reading, mgl_error *err)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        MGL_TRY(refuse_engine(*f, reading, err));
    return MGL_OK;
}

size_t mgl_features_searching(const mgl_reading *reading)
{
    size_t n = 0;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        n += (*f)->searches != NULL && (*f)->searches(reading);
    return n;
}

mgl_status mgl_features_remedy(const mgl_reading *reading, struct mgl_objections *objections,
                               mgl_error *err)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->remedy != NULL)
            MGL_TRY((*f)->remedy(reading, objections, err));
    return MGL_OK;
}
