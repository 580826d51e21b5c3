/* check: the models measured on a file as it is. */
#include "flow/flow.h"

/* The top label of a column whose cells are taken as they are: that of its hierarchy file,
 * or *. */
static mgl_status top_label(const mgl_attribute_settings *attribute, mgl_arena *arena,
                            mgl_error *err, mgl_span *out)
{
    *out = mgl_span_of("*");
    if (attribute->hierarchy == NULL || mgl_hierarchy_is_builder(attribute->hierarchy))
        return MGL_OK;
    mgl_dictionary *none = mgl_dictionary_new();
    if (none == NULL)
        return mgl_fail_memory(err);
    mgl_hierarchy *hierarchy = NULL;
    mgl_status status = mgl_hierarchy_make(attribute->hierarchy, attribute->name, none, err,
                                           &hierarchy);
    mgl_dictionary_free(none);
    if (status != MGL_OK)
        return status;
    mgl_span label = hierarchy->levels[hierarchy->height].labels[0];
    char *copy = mgl_arena_copy(arena, label.data, label.size);
    mgl_hierarchy_free(hierarchy);
    if (copy == NULL)
        return mgl_fail_memory(err);
    *out = (mgl_span){copy, label.size};
    return MGL_OK;
}

/* Every tuple as it is; all-top ones are suppressed rows. */
static mgl_status take_as_is(const mgl_task *task, const mgl_reading *reading, mgl_error *err,
                             mgl_recoding *recoding)
{
    const mgl_frequency_list *list = task->problem.list;
    memset(recoding->suppressed, 1, list->n_tuples);
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_released_column *column = reading->released[a];
        mgl_span top;
        MGL_TRY(top_label(reading->quasi[a].settings, task->arena, err, &top));
        for (size_t t = 0; t < list->n_tuples; t++) {
            uint32_t value = column->of_leaf[0][mgl_list_leaf(list, t, a)];
            recoding->cells[a][t] = value;
            recoding->suppressed[t] &= mgl_span_equal(column->values[value].label, top);
        }
    }
    return MGL_OK;
}

static uint64_t suppressed_rows(const mgl_frequency_list *list, const mgl_recoding *recoding)
{
    uint64_t rows = 0;
    for (size_t t = 0; t < list->n_tuples; t++)
        rows += recoding->suppressed[t] ? list->counts[t] : 0;
    return rows;
}

static mgl_status report(const mgl_task *task, const mgl_reading *reading,
                         const mgl_recoding *recoding, mgl_error *err, mgl_result *result)
{
    size_t n_models = mgl_task_models(task);
    mgl_found *found = mgl_zeroed_array(n_models, sizeof *found);
    mgl_measured measured = {0};
    mgl_status status = found == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = mgl_judge_recoding(task, recoding, err, found);
    if (status == MGL_OK)
        status = mgl_measure_recoding(task, recoding, NULL, err, &measured);
    if (status == MGL_OK) {
        json_t *document = result->document;
        mgl_json_set(document, "rows", mgl_json_count(task->problem.list->n_rows));
        mgl_json_set(document, "suppressed_rows",
                     mgl_json_count(suppressed_rows(task->problem.list, recoding)));
        mgl_json_set(document, "classes", mgl_classes_json(&measured.summary));
        mgl_json_set(document, "k", mgl_json_count(measured.summary.min));
        json_t *attributes = json_object();
        for (size_t s = 0; s < reading->n_sensitive; s++)
            mgl_json_set(attributes, reading->counted[s]->name, json_object());
        mgl_json_set(document, "attributes", attributes);
        mgl_json_set(document, "models", mgl_models_json(reading, task, found));
        mgl_json_set(document, "risk", mgl_risk_json(&measured.summary));
        for (size_t i = 0; i < n_models; i++)
            result->holds = result->holds && found[i].holds;
    }
    mgl_measured_free(&measured);
    mgl_free(found);
    return status;
}

static mgl_status check(const mgl_work *work, mgl_error *err, mgl_result *result)
{
    const mgl_reading *reading = work->reading;
    mgl_recoding *recoding;
    MGL_TRY(mgl_recoding_new(reading->released, reading->n_quasi, work->counts->list->n_tuples,
                             err, &recoding));
    mgl_status status = take_as_is(work->task, reading, err, recoding);
    if (status == MGL_OK)
        status = report(work->task, reading, recoding, err, result);
    mgl_recoding_free(recoding);
    return status;
}

mgl_status mgl_flow_check(const mgl_settings *settings, mgl_error *err, mgl_result **out)
{
    return mgl_command_run("check", settings, MGL_TO_CHECK, check, err, out);
}
