/* Tells which columns were aggregated within classes and how far what is released is from what was
 * there: the section "aggregation" of a result. describe_solution.c calls it. */
#include "findings/describe.h"

#include <math.h>

/* Rows of the release whose cell is at the top, and different cells. */
typedef struct shown {
    uint64_t tops, values;
} shown;

static mgl_status count_shown(const mgl_outcome *outcome, size_t a, mgl_error *err, shown *out)
{
    const mgl_recoding *recoding = outcome->solution->recoding;
    const mgl_released_column *column = recoding->columns[a];
    bool drops = outcome->reading->settings->treatment == MGL_DROP;
    uint8_t *seen = mgl_zeroed_array(column->n_values, 1);
    if (seen == NULL)
        return mgl_fail_memory(err);
    *out = (shown){0};
    for (size_t t = 0; t < recoding->n_tuples; t++) {
        uint32_t cell = recoding->cells[a][t];
        if (drops && recoding->suppressed[t])
            continue;
        out->tops += cell == column->top ? outcome->task->problem.list->counts[t] : 0;
        out->values += seen[cell] == 0;
        seen[cell] = 1;
    }
    mgl_free(seen);
    return MGL_OK;
}

static json_t *column_json(const mgl_reading *reading, const mgl_aggregated_column *column,
                           const shown *is)
{
    bool numbers = !mgl_aggregates_categories(column->function);
    const mgl_aggregation *sums = &column->sums;
    double share = sums->sst > 0 ? sums->sse / sums->sst : 0;
    double each = column->stand > 0 ? (double)column->values / (double)column->stand : NAN;
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(reading->quasi[column->attribute].settings->name));
    mgl_json_set(object, "function", json_string(mgl_aggregate_words[column->function]));
    mgl_json_set(object, "changed_cells", mgl_json_count(column->changed));
    mgl_json_set(object, "top_cells", mgl_json_count(is->tops));
    mgl_json_set(object, "values_after", mgl_json_count(is->values));
    mgl_json_set(object, "values_per_cell", mgl_json_real(numbers ? NAN : each));
    mgl_json_set(object, "sse", mgl_json_real(numbers ? sums->sse : NAN));
    mgl_json_set(object, "sst", mgl_json_real(numbers ? sums->sst : NAN));
    mgl_json_set(object, "sse_share", mgl_json_real(numbers ? share : NAN));
    mgl_json_set(object, "il1s", mgl_json_real(numbers ? sums->il1s : NAN));
    return object;
}

/* The levels of the columns beside the aggregated ones. */
static json_t *node_json(const mgl_reading *reading, const mgl_aggregated *told)
{
    json_t *node = json_object();
    if (told->node == NULL) {
        json_decref(node);
        return json_null();
    }
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (reading->quasi[a].settings->aggregate == MGL_AGGREGATE_NOT)
            mgl_json_set(node, reading->quasi[a].settings->name, mgl_json_count(told->node[a]));
    return node;
}

mgl_status mgl_aggregation_tell(const mgl_outcome *outcome, mgl_error *err, mgl_result *result)
{
    const mgl_aggregated *told = outcome->solution->aggregated;
    if (told == NULL)
        return MGL_OK;
    json_t *section = json_object(), *columns = json_array();
    mgl_json_set(section, "classes", told->searched ? mgl_json_count(told->classes) : json_null());
    mgl_json_set(section, "groups", mgl_json_count(told->groups));
    mgl_json_set(section, "node", node_json(outcome->reading, told));
    mgl_json_set(section, "exact", told->searched ? json_boolean(told->exact) : json_null());
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < told->n; i++) {
        shown is = {0};
        MGL_GO(count_shown(outcome, told->columns[i].attribute, err, &is));
        mgl_json_append(columns, column_json(outcome->reading, &told->columns[i], &is));
    }
done:
    mgl_json_set(section, "columns", columns);
    mgl_json_set(result->document, "aggregation", section);
    return status;
}
