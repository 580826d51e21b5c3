/* The command lattice: lists every node with whether it holds and what it costs. */
#include "command/command.h"

#include "command/fill_result.h"
#include "command/table_first.h"
#include "findings/findings.h"

#include "search/search.h"

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
        t->values[number * t->n_measures + m] = mgl_measure_told(t->measures[m], e->statistics);
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
    if (node == NULL)
        MGL_GO(mgl_fail_memory(err));
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
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_LIMIT,
                     "the lattice has more than 1,000,000 nodes; bound levels with `level` or "
                     "use fewer quasi-identifiers"),
            "level");
    table t = {.problem = problem};
    t.measures = mgl_measure_types(&t.n_measures);
    t.rows = mgl_zeroed_array(size, sizeof *t.rows);
    t.holds = mgl_zeroed_array(size, 1);
    t.values = mgl_zeroed_array(size * t.n_measures, sizeof *t.values);
    mgl_status status = MGL_OK;
    if (t.rows == NULL || t.holds == NULL || t.values == NULL)
        MGL_GO(mgl_fail_memory(err));
    uint64_t visited = 0;
    bool timed_out = false;
    MGL_GO(mgl_lattice_visit(problem, visit, &t, err, &visited, &timed_out));
    if (timed_out)
        MGL_GO(mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_TIME_LIMIT,
                                      "the time limit came before all nodes were tried; "
                                      "raise `time-limit`"),
                             "time-limit"));
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
    MGL_TRY(mgl_settings_table_first(session, job, MGL_LATTICE, err, &settings));
    return mgl_command_run(session, "lattice", settings, MGL_TO_COMPARE, lattice, err, out);
}
