/* Tells which columns follow quasi-identifiers: the section "linked" of a result.
 * describe_solution.c and `apply` call it. */
#include "findings/describe.h"

/* What is known of a column once the release is written; NULL: nothing. */
static const mgl_followed *followed_of(const mgl_linked_column *linked, const mgl_written *written)
{
    for (size_t i = 0; i < written->following.n; i++)
        if (written->following.of[i].linked == linked)
            return &written->following.of[i];
    return NULL;
}

static bool follows(const mgl_linked_column *linked, const mgl_written *written)
{
    const mgl_followed *followed = followed_of(linked, written);
    return linked->named || (followed != NULL && followed->follows);
}

bool mgl_column_follows(const mgl_reading *reading, const mgl_written *written, size_t field)
{
    for (size_t i = 0; i < reading->n_linked; i++)
        if (reading->linked[i].field == field)
            return follows(&reading->linked[i], written);
    return false;
}

static json_t *linked_json(const mgl_reading *reading, const mgl_linked_column *linked,
                           const mgl_written *written)
{
    const mgl_followed *followed = followed_of(linked, written);
    json_t *object = json_object(), *names = json_array();
    size_t n = linked->named ? reading->n_leads : reading->n_quasi;
    for (size_t i = 0; i < n; i++)
        mgl_json_append(
            names,
            json_string(reading->quasi[linked->named ? reading->leads[i] : i].settings->name));
    mgl_json_set(object, "column", json_string(linked->name));
    mgl_json_set(object, "follows", names);
    mgl_json_set(object, "found_by", json_string(linked->named ? "job" : "guard"));
    mgl_json_set(object, "generalized_cells",
                 followed != NULL ? mgl_json_count(followed->changed) : json_null());
    mgl_json_set(object, "values_after",
                 followed != NULL && followed->promised != NULL
                     ? mgl_json_count(followed->promised->values)
                     : json_null());
    return object;
}

void mgl_linked_tell(const mgl_reading *reading, const mgl_written *written, mgl_result *result)
{
    json_t *list = json_array();
    for (size_t i = 0; i < reading->n_linked; i++)
        if (follows(&reading->linked[i], written))
            mgl_json_append(list, linked_json(reading, &reading->linked[i], written));
    if (json_array_size(list) > 0 || !mgl_json_complete(list))
        mgl_json_set(result->document, "linked", list);
    else
        json_decref(list);
}
