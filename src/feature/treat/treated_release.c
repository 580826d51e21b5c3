/* Treated columns in a release: they were made when the table was read, so they are only put in and
 * promised; and what the result says of them. */
#include "feature/treat/treat.h"
#include "pipeline/pipeline.h"

static uint64_t count_values(const mgl_dictionary *dictionary)
{
    return mgl_dictionary_size(dictionary) - (mgl_dictionary_missing(dictionary) != MGL_NOT_FOUND);
}

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    const mgl_reading *reading = task->reading;
    if (reading->n_treated == 0)
        return MGL_OK;
    if (written->treated == NULL)
        written->treated = mgl_alloc_array(reading->n_treated, sizeof *written->treated);
    if (written->treated == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < reading->n_treated; i++) {
        const mgl_treated_column *treated = &reading->treated[i];
        if (!treated->made)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "column '%.60s' would be released without its treatment; please "
                            "report this",
                            treated->name);
        MGL_TRY(mgl_plan_replace(p, treated->field, &treated->column, MGL_TREATED, err));
        written->treated[i] =
            (mgl_promised_treat){.column = mgl_plan_column(p, treated->field),
                                 .treat = treated->treat,
                                 .raw = treated->raw,
                                 .persons = reading->entity,
                                 .n_rows = reading->table->n_rows,
                                 .most_values = count_values(treated->column.dictionary),
                                 .all_values = reading->settings->treatment != MGL_DROP,
                                 .notation = mgl_dictionary_notation(treated->column.dictionary)};
    }
    mgl_plan_promise(p, &mgl_treat_judge, written->treated, reading->n_treated);
    return MGL_OK;
}

static void free_treated(mgl_written *written)
{
    mgl_free(written->treated);
}

const mgl_feature_release mgl_treat_release = {.plan = plan, .free = free_treated};

/* ---- The section of the result ------------------------------------------------------------------
 */

/* How many different values a column had and has; what no row was read of is not known. */
static json_t *treatment_json(const mgl_reading *reading, const mgl_attribute_settings *attribute,
                              const mgl_written *written)
{
    const mgl_treated_column *treated =
        mgl_reading_treated(reading, mgl_source_find(reading->source, attribute->name));
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(attribute->name));
    mgl_json_set(
        object, "treatment",
        json_string(treated != NULL && treated->made ? treated->resolved : attribute->treat));
    if (treated == NULL)
        return object;
    uint64_t after = treated->made ? count_values(treated->column.dictionary) : 0;
    if (written->treated != NULL)
        after = written->treated[treated - reading->treated].values;
    mgl_json_set(object, "values_before",
                 treated->made ? mgl_json_count(count_values(treated->raw->dictionary))
                               : json_null());
    mgl_json_set(object, "values_after", treated->made ? mgl_json_count(after) : json_null());
    return object;
}

void mgl_treatments_tell(const mgl_reading *reading, const mgl_written *written, mgl_result *result)
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
