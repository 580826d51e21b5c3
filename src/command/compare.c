/* The commands compare and lattice, which release nothing. compare runs several methods on the same
 * counts and judges each as `anonymize` would; lattice judges the nodes of full-domain
 * generalization. */
#include "command/further_searches.h"
#include "command/command.h"
#include "command/run_command.h"
#include "findings/findings.h"
#include "search/search.h"

/* Runs the method and reports what it found. Since nothing is written, a result that breaks its
 * promise can be shown; it says so. */
static mgl_status try_method(const mgl_reading *reading, const mgl_task *task,
                             const mgl_method_type *method, double start, mgl_error *err,
                             mgl_result **out)
{
    mgl_solution *solution = NULL;
    mgl_found *found = mgl_zeroed_array(mgl_task_models(task), sizeof *found);
    mgl_outcome outcome = {
        .reading = reading, .task = task, .method = method, .found = found, .start = start};
    mgl_status status = MGL_OK;
    MGL_GO(found == NULL ? mgl_fail_memory(err)
                         : mgl_settings_check_method(reading->settings, method, err));
    double begun = mgl_sys_seconds();
    MGL_GO(mgl_search_run(method, &task->problem, err, &solution));
    outcome.search_seconds = mgl_sys_seconds() - begun;
    outcome.solution = solution;
    MGL_GO(mgl_judge_solution(task, solution, err, found, &outcome.written));
    MGL_GO(mgl_describe_solution("compare", &outcome, &mgl_command_searches, err, out));
    if (solution->unsafe)
        mgl_result_warn(*out, "unsafe",
                        "models do not hold on what this method makes of the table");
done:
    mgl_written_free(&outcome.written);
    mgl_solution_free(solution);
    mgl_free(found);
    return status;
}

/* Reports why a method has no result, in the place of the result. */
static mgl_status report_failure(const mgl_method_type *method, const mgl_error *why,
                                 mgl_error *err, mgl_result **out)
{
    mgl_result *result;
    MGL_TRY(mgl_result_new("compare", err, &result));
    mgl_json_set(result->document, "method", json_string(method->name));
    mgl_json_set(result->document, "error", json_string(why->message));
    mgl_json_set(result->document, "status", mgl_json_count((uint64_t)why->status));
    result->holds = false;
    *out = result;
    return MGL_OK;
}

/* The comparison goes on without a method that finds no release or does not fit the job. What would
 * fail every method ends it. */
static mgl_status compare_one(const mgl_setup *setup, const mgl_method_type *method, double shared,
                              mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings = setup->reading->settings;
    mgl_error why = {0};
    mgl_task task = *setup->task;
    if (settings->limits.seconds > 0) /* each method has the whole time */
        task.problem.deadline = mgl_sys_seconds() + settings->limits.seconds;
    MGL_TRY(mgl_task_take_method(&task, settings, method, err));
    mgl_status status =
        try_method(setup->reading, &task, method, mgl_sys_seconds() - shared, &why, out);
    mgl_hide_values(why.message, sizeof why.message, settings->verbose);
    if (status == MGL_UNMET || status == MGL_USAGE)
        return report_failure(method, &why, err, out);
    return status == MGL_OK ? MGL_OK : mgl_fail_as(err, &why);
}

/* Labels that stand on several levels are read otherwise where every column has one level. */
static bool reads_by_level(const mgl_reading *reading, const mgl_method_type *method)
{
    bool repeats = false;
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_hierarchy *h = reading->quasi[a].hierarchy;
        if (reading->quasi[a].settings->by)
            return false;
        repeats = repeats || (h->repeats && !h->by_level && h->n_stand_ins == 0);
    }
    return repeats && method->full_domain;
}

static mgl_status compare_alone(mgl_session *session, const mgl_settings *settings,
                                const mgl_method_type *method, double shared, mgl_error *err,
                                mgl_result **out)
{
    mgl_setup setup = {0};
    mgl_settings alone = *settings;
    alone.comparison.methods = &method;
    alone.comparison.n_methods = 1;
    mgl_status status = mgl_setup_begin(session, &alone, MGL_TO_SEARCH, err, &setup);
    if (status == MGL_OK)
        status = compare_one(&setup, method, shared, err, out);
    mgl_setup_end(&setup);
    return status;
}

static mgl_status compare_all(mgl_session *session, const mgl_setup *setup, double shared,
                              mgl_error *err, mgl_result *list)
{
    const mgl_settings *settings = setup->reading->settings;
    const char *before = mgl_progress_within("compare");
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < settings->comparison.n_methods; i++) {
        mgl_result *result;
        MGL_GO(mgl_progress_report(&settings->progress, "compare", i,
                                   settings->comparison.n_methods, err));
        const mgl_method_type *method = settings->comparison.methods[i];
        MGL_GO(reads_by_level(setup->reading, method)
                   ? compare_alone(session, settings, method, shared, err, &result)
                   : compare_one(setup, method, shared, err, &result));
        mgl_result_append(list, result);
    }
done:
    mgl_progress_go_on(before);
    return status;
}

mgl_status mgl_compare_methods(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                               mgl_result **out)
{
    double start = mgl_sys_seconds();
    mgl_setup setup = {0};
    mgl_result *list;
    MGL_TRY(mgl_result_new_list(err, &list));
    mgl_status status = MGL_OK;
    MGL_GO(mgl_setup_begin(session, settings, MGL_TO_SEARCH, err, &setup));
    MGL_GO(compare_all(session, &setup, mgl_sys_seconds() - start, err, list));
    MGL_GO(mgl_result_finish(list, settings, err));
    *out = list;
    list = NULL;
done:
    mgl_setup_end(&setup);
    mgl_result_free(list);
    return status;
}

mgl_status mgl_command_compare(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    mgl_progress_plan("read compare");
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_command_settings(session, job, MGL_COMPARE, err, &settings));
    return mgl_compare_methods(session, settings, err, out);
}

typedef struct row {
    bool holds;
    uint64_t suppressed_rows, n_classes;
} row;

typedef struct table {
    const mgl_problem *problem;
    size_t n_measures;
    const mgl_measure_type *const *measures;
    row *rows;      /* [nodes] */
    double *values; /* [nodes * n_measures] */
    uint8_t *holds; /* [nodes] */
} table;

static mgl_status visit(void *context, uint64_t number, const uint32_t *node,
                        const mgl_evaluation *e, mgl_error *err)
{
    (void)node;
    (void)err;
    table *t = context;
    t->rows[number] = (row){e->holds, e->suppressed_rows, mgl_evaluation_classes(t->problem, e)};
    t->holds[number] = e->holds;
    for (size_t m = 0; m < t->n_measures; m++)
        t->values[number * t->n_measures + m] = mgl_measure_reported(t->measures[m], e->statistics);
    return MGL_OK;
}

static json_t *row_json(const mgl_reading *reading, const table *t, uint64_t number,
                        const uint32_t *node)
{
    json_t *object = json_object(), *utility = json_object();
    mgl_json_set(object, "node", mgl_node_json(reading, node));
    mgl_json_set(object, "height", mgl_json_count(mgl_node_height(node, reading->n_quasi)));
    mgl_json_set(object, "holds", json_boolean(t->rows[number].holds));
    mgl_json_set(object, "suppressed_rows", mgl_json_count(t->rows[number].suppressed_rows));
    mgl_json_set(object, "classes", mgl_json_count(t->rows[number].n_classes));
    for (size_t m = 0; m < t->n_measures; m++)
        mgl_json_set(utility, t->measures[m]->key,
                     mgl_json_real(t->values[number * t->n_measures + m]));
    mgl_json_set(object, "utility", utility);
    return object;
}

static mgl_status fill_document(const mgl_reading *reading, const mgl_problem *problem,
                                const table *t, uint64_t size, mgl_error *err, json_t *document)
{
    uint32_t *minimal = NULL, *node = mgl_alloc_array(reading->n_quasi, sizeof *node);
    size_t n_minimal = 0;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(node != NULL, err));
    MGL_GO(mgl_minimal_nodes(problem, t->holds, err, &minimal, &n_minimal));
    uint64_t holding = 0;
    json_t *nodes = json_object(), *list = json_array(), *rows = json_array();
    for (uint64_t v = 0; v < size; v++) {
        holding += t->holds[v];
        mgl_lattice_node(v, problem->min_level, problem->max_level, reading->n_quasi, node);
        mgl_json_append(rows, row_json(reading, t, v, node));
    }
    for (size_t i = 0; i < n_minimal; i++)
        mgl_json_append(list, mgl_node_json(reading, minimal + i * reading->n_quasi));
    mgl_json_set(nodes, "total", mgl_json_count(size));
    mgl_json_set(nodes, "holding", mgl_json_count(holding));
    mgl_json_set(document, "rows", mgl_json_count(problem->list->n_rows));
    mgl_json_set(document, "nodes", nodes);
    mgl_json_set(document, "minimal_nodes", list);
    mgl_json_set(document, "lattice", rows);
done:
    mgl_free(minimal);
    mgl_free(node);
    return status;
}

static mgl_status sweep(const mgl_reading *reading, const mgl_problem *problem, mgl_error *err,
                        json_t *document)
{
    uint64_t size = mgl_lattice_size(problem->min_level, problem->max_level, reading->n_quasi);
    if (size > 1000000)
        return mgl_fail_key(err, MGL_CODE_LIMIT, "level",
                            "the lattice has more than 1,000,000 nodes; bound levels with `level` "
                            "or use fewer quasi-identifiers");
    table t = {.problem = problem};
    t.measures = mgl_measure_types(&t.n_measures);
    t.rows = mgl_zeroed_array(size, sizeof *t.rows);
    t.holds = mgl_zeroed_array(size, 1);
    t.values = mgl_zeroed_array(size * t.n_measures, sizeof *t.values);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(t.rows != NULL && t.holds != NULL && t.values != NULL, err));
    uint64_t visited = 0;
    bool timed_out = false;
    MGL_GO(mgl_lattice_visit(problem, visit, &t, err, &visited, &timed_out));
    if (timed_out)
        MGL_GO(mgl_fail_key(err, MGL_CODE_TIME_LIMIT, "time-limit",
                            "the time limit came before all nodes were tried; raise `time-limit`"));
    MGL_GO(fill_document(reading, problem, &t, size, err, document));
done:
    mgl_free(t.rows);
    mgl_free(t.holds);
    mgl_free(t.values);
    return status;
}

static mgl_status lattice(const mgl_setup *setup, mgl_error *err, mgl_result *result)
{
    const mgl_problem *problem = &setup->task->problem;
    mgl_json_set(result->document, "measure", json_string(problem->measure->key));
    mgl_json_set(result->document, "hierarchies", mgl_proposals_json(setup->reading, NULL));
    return sweep(setup->reading, problem, err, result->document);
}

mgl_status mgl_command_lattice(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings;
    mgl_progress_plan("read search");
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_command_settings(session, job, MGL_LATTICE, err, &settings));
    return mgl_command_on_table(session, "lattice", settings, MGL_TO_LATTICE, lattice, err, out);
}
