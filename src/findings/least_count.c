/* Tells in numbers what was counted in the place of rare combinations (--least-count), and what
 * that alone lost. describe_solution.c calls it. */
#include "findings/sections.h"

/* Rows that are at the top of all columns before anything is generalized. */
static uint64_t rows_at_top(const mgl_problem *p)
{
    uint64_t rows = 0;
    for (size_t t = 0; t < p->list->n_tuples; t++) {
        bool top = mgl_tuple_is_regrouped(p->list, t);
        for (size_t a = 0; top && a < p->list->n_attributes; a++)
            top = p->columns[a]->of_leaf[0][mgl_list_leaf(p->list, t, a)] == p->columns[a]->top;
        rows += top ? p->list->counts[t] : 0;
    }
    return rows;
}

static json_t *regrouped_json(const mgl_problem *p)
{
    const mgl_frequency_list *list = p->list;
    uint64_t combinations = 0, rows = 0;
    for (size_t t = 0; t < list->n_tuples; t++)
        if (mgl_tuple_is_regrouped(list, t)) {
            combinations++;
            rows += list->counts[t];
        }
    json_t *object = json_object();
    mgl_json_set(object, "combinations", mgl_json_count(combinations));
    mgl_json_set(object, "rows", mgl_json_count(rows));
    mgl_json_set(object, "at_top", mgl_json_count(rows_at_top(p)));
    return object;
}

/* Measures the table as it was counted, with nothing generalized further. */
static mgl_status measure_counted(const mgl_task *task, mgl_error *err, double *out)
{
    const mgl_problem *p = &task->problem;
    const mgl_frequency_list *list = p->list;
    mgl_recoding *recoding;
    mgl_measured measured;
    MGL_TRY(mgl_recoding_new(p->columns, list->n_attributes, list->n_tuples, err, &recoding));
    for (size_t a = 0; a < list->n_attributes; a++)
        for (size_t t = 0; t < list->n_tuples; t++)
            recoding->cells[a][t] = p->columns[a]->of_leaf[0][mgl_list_leaf(list, t, a)];
    mgl_status status = mgl_measure_recoding(task, recoding, NULL, NULL, err, &measured);
    if (status == MGL_OK) {
        *out = mgl_measure_told(p->measure, &measured.statistics);
        mgl_measured_free(&measured);
    }
    mgl_recoding_free(recoding);
    return status;
}

static void warn_of_top(const mgl_outcome *outcome, mgl_result *result)
{
    const mgl_problem *p = &outcome->task->problem;
    uint64_t rows = rows_at_top(p);
    if (outcome->method->full_domain && rows > p->limit)
        mgl_result_warn(result, "counted-at-top",
                        "%llu rows are so rare that they are counted at the tops of all columns, "
                        "which is more than the %llu that may be suppressed; `suppress: %llu` "
                        "lets other nodes hold",
                        (unsigned long long)rows, (unsigned long long)p->limit,
                        (unsigned long long)rows);
}

mgl_status mgl_counted_tell(const mgl_outcome *outcome, mgl_error *err, mgl_result *result)
{
    const mgl_settings *settings = outcome->reading->settings;
    const mgl_problem *p = &outcome->task->problem;
    double counted;
    if (settings->least_count == 0)
        return MGL_OK;
    MGL_TRY(measure_counted(outcome->task, err, &counted));
    json_t *object = json_object();
    mgl_json_set(object, "n", mgl_json_count(settings->least_count));
    mgl_json_set(object, "combinations", mgl_json_count(p->list->n_tuples));
    mgl_json_set(object, "regrouped", regrouped_json(p));
    mgl_json_set(object, "measure", json_string(p->measure->key));
    mgl_json_set(object, "counted", mgl_json_real(counted));
    mgl_json_set(result->document, "least_count", object);
    warn_of_top(outcome, result);
    return MGL_OK;
}
