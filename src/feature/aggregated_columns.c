/* Quasi-identifiers that are aggregated within classes (`aggregate`): the search makes their cells,
 * the verifier works them out again, and the result states how far they are from what was there. */
#include "claims/claims.h"
#include "findings/findings.h"

#include <math.h>

/* ---- The promise ----------------------------------------------------------------------------- */

static mgl_aggregate function_of(const mgl_task *task, size_t a)
{
    const mgl_aggregate *aggregates = task->problem.aggregates;
    return aggregates != NULL ? aggregates[a] : MGL_AGGREGATE_NOT;
}

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    const mgl_reading *reading = task->reading;
    mgl_promised_aggregate *promised =
        mgl_arena_alloc(p->arena, (reading->n_quasi + 1) * sizeof *promised);
    size_t n = 0;
    (void)written;
    MGL_TRY(mgl_check_memory(promised != NULL, err));
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (function_of(task, a) != MGL_AGGREGATE_NOT)
            promised[n++] =
                (mgl_promised_aggregate){.attribute = a,
                                         .function = function_of(task, a),
                                         .raw = reading->quasi[a].column,
                                         .hierarchy = reading->quasi[a].hierarchy,
                                         .leaf_of_code = reading->quasi[a].leaf_of_code};
    mgl_plan_promise(p, &mgl_aggregate_judge, promised, n);
    if (n > 0)
        mgl_plan_number_rows(p);
    return MGL_OK;
}

/* ---- The section of the result --------------------------------------------------------------- */

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
    MGL_TRY(mgl_check_memory(seen != NULL, err));
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
static json_t *node_json(const mgl_reading *reading, const mgl_aggregated *aggregated)
{
    json_t *node = json_object();
    if (aggregated->node == NULL) {
        json_decref(node);
        return json_null();
    }
    for (size_t a = 0; a < reading->n_quasi; a++)
        if (reading->quasi[a].settings->aggregate == MGL_AGGREGATE_NOT)
            mgl_json_set(node, reading->quasi[a].settings->name,
                         mgl_json_count(aggregated->node[a]));
    return node;
}

static mgl_status tell(const mgl_outcome *outcome, mgl_error *err, mgl_result *result)
{
    const mgl_aggregated *aggregated = outcome->solution->aggregated;
    if (aggregated == NULL)
        return MGL_OK;
    json_t *section = json_object(), *columns = json_array();
    mgl_json_set(section, "classes",
                 aggregated->searched ? mgl_json_count(aggregated->classes) : json_null());
    mgl_json_set(section, "groups", mgl_json_count(aggregated->groups));
    mgl_json_set(section, "node", node_json(outcome->reading, aggregated));
    mgl_json_set(section, "exact",
                 aggregated->searched ? json_boolean(aggregated->exact) : json_null());
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < aggregated->n; i++) {
        shown is = {0};
        MGL_GO(count_shown(outcome, aggregated->columns[i].attribute, err, &is));
        mgl_json_append(columns, column_json(outcome->reading, &aggregated->columns[i], &is));
    }
done:
    mgl_json_set(section, "columns", columns);
    mgl_json_set(result->document, "aggregation", section);
    return status;
}

/* What stands for the values of a group, by a result; NULL: the column is generalized. */
static const char *function_in(const json_t *result, const char *column)
{
    const json_t *columns = mgl_json_at(result, "aggregation.columns");
    return mgl_json_text(mgl_json_of_column(columns, column), "function");
}

static void promise(const mgl_settings *settings, const json_t *result, const char *column,
                    json_t *object)
{
    const char *function = function_in(result, column);
    (void)settings;
    if (function != NULL)
        mgl_json_set(object, "function", json_string(function));
}

static const mgl_feature_release release = {
    .plan = plan, .measured = tell, .promise = promise, .node_section = "aggregation"};

/* ---- Reading --------------------------------------------------------------------------------- */

static mgl_status pose(mgl_task *task, mgl_error *err)
{
    const mgl_reading *reading = task->reading;
    mgl_aggregate *functions = mgl_task_take(task, reading->n_quasi, sizeof *functions);
    MGL_TRY(mgl_check_memory(functions != NULL, err));
    for (size_t a = 0; a < reading->n_quasi; a++) {
        functions[a] = reading->quasi[a].settings->aggregate;
        if (functions[a] != MGL_AGGREGATE_NOT)
            task->problem.aggregates = functions;
    }
    return MGL_OK;
}

static bool aggregates(const mgl_reading *reading)
{
    return mgl_settings_aggregate(reading->settings);
}

static mgl_status refuse_aggregates(const mgl_settings *settings, mgl_error *err)
{
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].aggregate != MGL_AGGREGATE_NOT)
            return mgl_fail_attribute(
                err, MGL_CODE_UNSUPPORTED, settings->attributes[i].name, "aggregate",
                "`aggregate`: what stands for a group is worked out again from the rows that are "
                "written, and these stay in the database; write the release to a file, for which "
                "the rows are fetched");
    return MGL_OK;
}

/* Does the job aggregate the column? */
static bool is_aggregated(const mgl_claims *c, const char *column)
{
    const char *given = mgl_claim_field(c, column, "aggregate");
    return given != NULL && strcmp(given, mgl_aggregate_words[MGL_AGGREGATE_NOT]) != 0;
}

static unsigned of_column(const mgl_claims *c, const char *column)
{
    return is_aggregated(c, column) ? MGL_CLAIM_NO_LEVEL : 0;
}

static void count_aggregated(mgl_claims *c)
{
    bool any = false;
    for (size_t a = 0; a < c->reading->n_quasi; a++)
        any = any || is_aggregated(c, mgl_claim_quasi(c, a));
    mgl_json_set(c->is, "aggregated", json_boolean(any));
}

static bool has_level(const mgl_claims *c, size_t a)
{
    return !is_aggregated(c, mgl_claim_quasi(c, a));
}

static void compare_node(mgl_claims *c, const json_t *claimed)
{
    (void)mgl_claims_are_levels(c, "aggregation.node", json_object_get(claimed, "node"), has_level);
}

static const mgl_claim sections[] = {
    {"aggregation", MGL_OF_NONE,
     "{classes:I groups:i node:O exact:B columns:[{column:s function:s changed_cells:i top_cells:i "
     "values_after:i values_per_cell:N " MGL_CLAIM_SUMS "}]}",
     .compare = compare_node,
     "aggregation.classes, aggregation.groups, aggregation.node, aggregation.exact, "
     "aggregation.columns.*.changed_cells, aggregation.columns.*.values_per_cell, "
     "aggregation.columns.*.sse, aggregation.columns.*.sst, aggregation.columns.*.sse_share, "
     "aggregation.columns.*.il1s",
     MGL_CLAIM_INPUT, .due = "is.aggregated"},
    {.key = NULL}};

static const mgl_claim_open opens[] = {
    {"levels", "levels of aggregated columns need the input", "levels and is.aggregated"},
    {.what = NULL}};

static const char *const rules[] = {
    /* groups may read alike, so there are no fewer than classes of the file that are not suppressed
     */
    "aggregation.groups >= file.groups",
    "count(aggregation.columns) = kinds(aggregation.columns.*.column)",
    "aggregation.columns.<q> needed if aggregation and job.attributes.<q>.aggregate != 'none' and "
    "job.attributes.<q>.aggregate",
    "aggregation.<c>.function: aggregation.columns.<c>.function = job.attributes.<c>.aggregate "
    "if job.attributes.<c>.aggregate and job.attributes.<c>.aggregate != 'none'",
    "aggregation.<c>.top_cells: aggregation.columns.<c>.top_cells = file.top_cells.<c>",
    "aggregation.<c>.values_after: aggregation.columns.<c>.values_after = file.values.<c>",
    "aggregation.columns.<c>.sse >= 0", "aggregation.columns.<c>.sst >= 0",
    "aggregation.columns.<c>.sse ~ aggregation.columns.<c>.sse_share * aggregation.columns.<c>.sst "
    "if aggregation.columns.<c>.sse",
    "aggregation.columns.<c>.sst != null if aggregation.columns.<c>.sse",
    "aggregation.columns.<c>.sse_share != null if aggregation.columns.<c>.sse",
    "aggregation.columns.<c>.il1s != null if aggregation.columns.<c>.sse",
    "aggregation.columns.<c>.sst = null if !aggregation.columns.<c>.sse",
    "aggregation.columns.<c>.sse_share = null if !aggregation.columns.<c>.sse",
    "aggregation.columns.<c>.il1s = null if !aggregation.columns.<c>.sse",
    /* a column without a hierarchy */
    "hierarchies.<q>.builder = job.attributes.<q>.aggregate if hierarchies.<q>.hierarchy = 'none' "
    "and job.attributes.<q>.aggregate and hierarchies.<q>.builder != 'ranges' and "
    "hierarchies.<q>.builder != 'suppress'",
    NULL};

static bool done(const json_t *result, const char *column, const char *role, mgl_buffer *out)
{
    const char *function = function_in(result, column);
    if (function != NULL)
        mgl_buffer_format(
            out,
            "%s, aggregated: each cell is the %s of the rows that are equal to it in all "
            "quasi-identifiers",
            role, function);
    return function != NULL;
}

static const mgl_feature_audit audit = {.done = done,
                                        .sections = sections,
                                        .opens = opens,
                                        .rules = rules,
                                        .count = count_aggregated,
                                        .column = of_column};

const mgl_feature mgl_aggregate_feature = {.name = "aggregate",
                                           .audit = &audit,
                                           .release = &release,
                                           .refuse_engine = refuse_aggregates,
                                           .needs_rows = aggregates,
                                           .pose = pose};
