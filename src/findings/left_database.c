/* Tells in numbers what left the database: rows, groups, groups of one row. describe_solution.c
 * calls it for tables in a database. */
#include "findings/sections.h"

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

void mgl_left_tell(const mgl_outcome *outcome, mgl_result *result)
{
    const mgl_reading *reading = outcome->reading;
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_push_operations *push = mgl_source_push(reading->source);
    if (push == NULL || push->files)
        return; /* no database */
    json_t *object = json_object();
    bool counted = reading->counted_by_source;
    uint64_t fetched = reading->rows != NULL ? reading->rows->choice.n_rows : list->n_rows;
    mgl_json_set(object, "rows", mgl_json_count(counted ? 0 : fetched));
    if (reading->rows != NULL && reading->rows->values_told > 0)
        mgl_json_set(object, "for_where", mgl_json_count(reading->rows->values_told));
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
    if (counted && reading->settings->counted.least > 0)
        mgl_json_set(object, "values", values_json(reading));
    mgl_json_set(result->document, "left_database", object);
}
