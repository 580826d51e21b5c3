/* What left the database, and what was counted in the place of rare combinations, in numbers. */
#include "flow/left.h"

/* ---- What left ------------------------------------------------------------------------------ */

static void tell_combinations(const mgl_frequency_list *list, json_t *object)
{
    uint64_t once = 0, rarest = UINT64_MAX;
    for (size_t t = 0; t < list->n_tuples; t++) {
        once += list->counts[t] == 1;
        rarest = list->counts[t] < rarest ? list->counts[t] : rarest;
    }
    mgl_json_set(object, "combinations", mgl_json_count(list->n_tuples));
    mgl_json_set(object, "once", mgl_json_count(once));
    mgl_json_set(object, "rarest", mgl_json_count(rarest));
    mgl_json_set(object, "standing_for", mgl_json_count(list->n_rows));
}

static json_t *groups_json(const mgl_fetched_groups *groups)
{
    json_t *object = json_object();
    mgl_json_set(object, "groups", mgl_json_count(groups->n));
    mgl_json_set(object, "once", mgl_json_count(groups->once));
    return object;
}

static json_t *values_json(const mgl_reading *reading)
{
    json_t *object = json_object();
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_quasi_column *quasi = &reading->quasi[a];
        json_t *column = json_object();
        mgl_json_set(column, "values", mgl_json_count(quasi->values_told));
        mgl_json_set(column, "rare", mgl_json_count(quasi->rare_told));
        mgl_json_set(object, quasi->settings->name, column);
    }
    return object;
}

void mgl_fetched_groups_add(mgl_fetched_groups *groups, const mgl_table *table)
{
    groups->n += table->n_rows;
    for (size_t row = 0; row < table->n_rows; row++)
        groups->once += table->times[row] == 1;
}

void mgl_left_tell(const mgl_outcome *outcome, mgl_result *result)
{
    const mgl_reading *reading = outcome->reading;
    const mgl_frequency_list *list = outcome->task->problem.list;
    if (mgl_source_push(reading->source) == NULL)
        return; /* no database */
    json_t *object = json_object();
    bool counted = reading->counted_by_source;
    mgl_json_set(object, "rows", mgl_json_count(counted ? 0 : list->n_rows));
    if (counted)
        tell_combinations(list, object);
    if (counted && reading->n_counted > 0) {
        mgl_fetched_groups groups = {0};
        mgl_fetched_groups_add(&groups, reading->table);
        mgl_json_set(object, "with_sensitive", groups_json(&groups));
    }
    if (counted && outcome->written.verifier_groups.n > 0)
        mgl_json_set(object, "of_release", groups_json(&outcome->written.verifier_groups));
    if (counted && outcome->written.rows_sha256[0] != '\0')
        mgl_json_set(object, "released_rows", mgl_json_count(outcome->written.n_rows));
    if (counted && outcome->written.guard_groups.n > 0)
        mgl_json_set(object, "for_guard", groups_json(&outcome->written.guard_groups));
    if (counted && reading->settings->least_count > 0)
        mgl_json_set(object, "values", values_json(reading));
    mgl_json_set(result->document, "left_database", object);
}

/* ---- What was counted ----------------------------------------------------------------------- */

/* Rows that are at the tops of all columns before anything is generalized. */
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

/* The table as it was counted, released with nothing generalized further. */
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
    mgl_status status = mgl_measure_recoding(task, recoding, NULL, err, &measured);
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
                        "which is more than the %llu that may be suppressed; --suppress %llu "
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
