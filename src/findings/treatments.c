/* Tells what was done to treated columns: the section "treatments" of a result. describe_solution.c
 * and `apply` call it. */
#include "findings/describe.h"

static uint64_t count_values(const mgl_dictionary *dictionary)
{
    return mgl_dictionary_size(dictionary) - (mgl_dictionary_missing(dictionary) != MGL_NOT_FOUND);
}

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
