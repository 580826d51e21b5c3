/* What a release and earlier ones of the same table reveal together (--history).
 * The section "history" of a result. */
#include "feature/history/history.h"

static json_t *releases_json(const mgl_reading *reading)
{
    const mgl_earlier *earlier = mgl_history_of(reading)->earlier;
    json_t *array = json_array();
    for (size_t i = 0; i < earlier->n; i++) {
        const mgl_saved_recoding *saved = earlier->saved[i];
        json_t *release = json_object(), *names = json_array();
        mgl_json_set(release, "recoding",
                     json_string(mgl_file_name(reading->settings->history[i])));
        mgl_json_set(release, "method", json_string(saved->method));
        for (size_t a = 0; a < saved->n_quasi; a++)
            mgl_json_append(names, json_string(saved->quasi[a].name));
        mgl_json_set(release, "quasi_identifier", names);
        mgl_json_append(array, release);
    }
    return array;
}

/* Adds the pasts of one class. */
static void add_pasts(const mgl_histogram *pasts, uint64_t k, mgl_class_summary *summary,
                      uint64_t *below)
{
    for (size_t i = 0; i < pasts->size; i++) {
        uint64_t size = pasts->counts[i];
        mgl_class_summary_add(summary, size, size, 1);
        *below += size < k ? size : 0;
    }
}

/* The classes of rows that look alike in all releases, on all columns together. */
static mgl_status summarize(const mgl_outcome *outcome, mgl_error *err, mgl_class_summary *summary,
                            uint64_t *below)
{
    const mgl_problem *p = &outcome->task->problem;
    const mgl_recoding *recoding = outcome->solution->recoding;
    size_t m = p->list->n_attributes;
    mgl_classes classes = {0};
    mgl_group_maker *maker = NULL;
    uint32_t *n_values = mgl_alloc_array(m, sizeof *n_values);
    mgl_status status = MGL_OK;
    if (n_values == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_classes_init(&classes, p->list->n_tuples, m, err));
    MGL_GO(mgl_group_maker_new(p->list, err, &maker));
    for (size_t a = 0; a < m; a++)
        n_values[a] = recoding->columns[a]->n_values;
    mgl_classes_group(&classes, recoding->cells, n_values, NULL, m, p->list->counts);
    mgl_classes_leave_out(p, recoding, &classes);
    mgl_group_maker_partition(maker, classes.of_tuple, classes.n_classes);
    for (size_t c = 0; c < classes.n_classes; c++)
        add_pasts(&mgl_group_maker_group(maker, c)->sensitive[p->list->n_sensitive],
                  outcome->reading->settings->k, summary, below);
done:
    mgl_group_maker_free(maker);
    mgl_classes_free(&classes);
    mgl_free(n_values);
    return status;
}

static mgl_status tell(const mgl_outcome *outcome, mgl_error *err, mgl_result *result)
{
    const mgl_settings *settings = outcome->reading->settings;
    mgl_class_summary summary = {0};
    uint64_t below = 0, worst = 0;
    if (outcome->reading->past == NULL)
        return MGL_OK;
    MGL_TRY(summarize(outcome, err, &summary, &below));
    for (size_t i = 0; i < mgl_task_models(outcome->task); i++)
        if (outcome->found[i].violating_rows > worst)
            worst = outcome->found[i].violating_rows;
    json_t *history = json_object();
    mgl_json_set(history, "releases", releases_json(outcome->reading));
    mgl_json_set(history, "judged",
                 json_string(settings->history_afterwards ? "afterwards" : "searching"));
    mgl_json_set(history, "classes", mgl_classes_json(&summary));
    mgl_json_set(history, "uniques", mgl_json_count(summary.uniques));
    mgl_json_set(history, "rows_below_k", mgl_json_count(below));
    mgl_json_set(history, "violating_rows", mgl_json_count(worst));
    mgl_json_set(history, "models",
                 mgl_models_json(outcome->reading, outcome->task, outcome->found, true));
    mgl_json_set(result->document, "history", history);
    mgl_result_warn_of_history(result, worst);
    return MGL_OK;
}

const mgl_feature_release mgl_history_release = {.measured = tell};
