/* Treated columns in a release: they were made when the table was read, so they are only put in and
 * promised; and what the result says of them. */
#include "feature/treat/treat.h"
#include "pipeline/pipeline.h"

static uint64_t count_values(const mgl_dictionary *dictionary)
{
    return mgl_dictionary_size(dictionary) - (mgl_dictionary_missing(dictionary) != MGL_NOT_FOUND);
}

/* What is promised of each column, [mgl_treated.n], with what the verifier found; NULL: nothing is
 * written. */
static mgl_promised_treat **promises_of(const mgl_written *written)
{
    return mgl_feature_made(written, &mgl_treat_feature);
}

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    const mgl_reading *reading = task->reading;
    const mgl_treated *all = mgl_treated_of(reading);
    mgl_promised_treat **promises = promises_of(written);
    if (all->n == 0)
        return MGL_OK;
    if (*promises == NULL)
        *promises = mgl_alloc_array(all->n, sizeof **promises);
    if (*promises == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < all->n; i++) {
        const mgl_treated_column *treated = &all->of[i];
        if (!treated->made)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "column '%.60s' would be released without its treatment; please "
                            "report this",
                            treated->name);
        MGL_TRY(mgl_plan_replace(p, treated->field, &treated->column, MGL_TREATED, err));
        (*promises)[i] =
            (mgl_promised_treat){.column = mgl_plan_column(p, treated->field),
                                 .treat = treated->treat,
                                 .raw = treated->raw,
                                 .persons = reading->entity,
                                 .n_rows = reading->table->n_rows,
                                 .most_values = count_values(treated->column.dictionary),
                                 .all_values = reading->settings->treatment != MGL_DROP,
                                 .notation = mgl_dictionary_notation(treated->column.dictionary)};
    }
    mgl_plan_promise(p, &mgl_treat_judge, *promises, all->n);
    return MGL_OK;
}

static void free_treated(mgl_written *written)
{
    mgl_free(*promises_of(written));
}

/* ---- The section of the result ------------------------------------------------------------------
 */

static const mgl_treated_column *treated_column(const mgl_treated *all, const char *name)
{
    for (size_t i = 0; i < all->n; i++)
        if (strcmp(all->of[i].name, name) == 0)
            return &all->of[i];
    return NULL;
}

/* How many different values a column had and has; what no row was read of is not known. */
static json_t *treatment_json(const mgl_reading *reading, const mgl_attribute_settings *attribute,
                              const mgl_written *written)
{
    const mgl_treated *all = mgl_treated_of(reading);
    const mgl_treated_column *treated = treated_column(all, attribute->name);
    const mgl_promised_treat *promises = *promises_of(written);
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(attribute->name));
    mgl_json_set(
        object, "treatment",
        json_string(treated != NULL && treated->made ? treated->resolved : attribute->treat));
    if (treated == NULL)
        return object;
    uint64_t after = treated->made ? count_values(treated->column.dictionary) : 0;
    if (promises != NULL)
        after = promises[treated - all->of].values;
    mgl_json_set(object, "values_before",
                 treated->made ? mgl_json_count(count_values(treated->raw->dictionary))
                               : json_null());
    mgl_json_set(object, "values_after", treated->made ? mgl_json_count(after) : json_null());
    return object;
}

static void describe(const mgl_reading *reading, const mgl_written *written, mgl_result *result)
{
    const mgl_settings *settings = reading->settings;
    json_t *list = json_array();
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].treat != NULL)
            mgl_json_append(list, treatment_json(reading, &settings->attributes[i], written));
    if (json_array_size(list) > 0 || !mgl_json_complete(list))
        mgl_json_set(result->document, "treatments", list);
    else
        json_decref(list);
}

const mgl_feature_release mgl_treat_release = {.size = sizeof(mgl_promised_treat *),
                                               .plan = plan,
                                               .object = mgl_shift_given_back,
                                               .describe = describe,
                                               .free = free_treated};
