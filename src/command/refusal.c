/* The document of a run that releases nothing: what a release would have, of what was found or of
 * the node that comes nearest, and why it is refused. */
#include "command/further_searches.h"
#include "command/refusal.h"

#include "findings/findings.h"
#include "search/search.h"

#include <pthread.h>

typedef struct nearest {
    pthread_mutex_t lock;
    size_t n_attributes;
    uint32_t *node; /* [n_attributes] */
    uint64_t rows;  /* that must be suppressed there; UINT64_MAX: nothing helps */
    uint64_t number;
    bool all; /* every node was looked at, not only the top one */
} nearest;

/* The fewest rows; among equals the first node, whichever thread comes first. */
static mgl_status take_nearer(void *context, uint64_t number, const uint32_t *node,
                              const mgl_evaluation *e, mgl_error *err)
{
    nearest *n = context;
    (void)err;
    pthread_mutex_lock(&n->lock);
    if (e->met &&
        (e->suppressed_rows < n->rows || (e->suppressed_rows == n->rows && number < n->number))) {
        n->rows = e->suppressed_rows;
        n->number = number;
        memcpy(n->node, node, n->n_attributes * sizeof *node);
    }
    pthread_mutex_unlock(&n->lock);
    return MGL_OK;
}

/* Models that no table like this can hold are not searched for: the top has the largest classes. */
static mgl_status find_nearest(const mgl_problem *problem, bool possible, mgl_error *err,
                               nearest *out)
{
    enum { MOST_WORK = 50000000 };
    mgl_problem p = *problem;
    uint64_t nodes = mgl_lattice_size(p.min_level, p.max_level, out->n_attributes), visited;
    bool timed_out;
    memcpy(out->node, p.max_level, out->n_attributes * sizeof *out->node);
    out->rows = out->number = UINT64_MAX;
    out->all =
        possible && !mgl_problem_is_late(problem) && nodes <= MOST_WORK / (p.list->n_tuples + 1);
    if (!possible)
        return MGL_OK;
    p.limit = p.list->n_rows;
    p.deadline = 0;
    if (!out->all)
        p.min_level = p.max_level;
    MGL_TRY(mgl_lattice_visit(&p, take_nearer, out, err, &visited, &timed_out));
    if (out->rows >= p.list->n_rows) { /* where all rows go, nothing is left to look at */
        out->rows = UINT64_MAX;
        memcpy(out->node, p.max_level, out->n_attributes * sizeof *out->node);
    }
    return MGL_OK;
}

mgl_status mgl_recode_at(const mgl_problem *problem, const uint32_t *node, mgl_error *err,
                         mgl_recoding **out)
{
    const mgl_frequency_list *list = problem->list;
    MGL_TRY(mgl_recoding_new(problem->columns, list->n_attributes, list->n_tuples, err, out));
    for (size_t a = 0; a < list->n_attributes; a++)
        for (size_t t = 0; t < list->n_tuples; t++)
            (*out)->cells[a][t] = problem->columns[a]->of_leaf[node[a]][mgl_list_leaf(list, t, a)];
    return MGL_OK;
}

static json_t *text_or_null(const char *text)
{
    return text[0] != '\0' ? json_string(text) : json_null();
}

static void report_why(const mgl_settings *settings, const mgl_error *why, mgl_result *result)
{
    mgl_error shown = *why;
    json_t *object = json_object();
    mgl_hide_values(shown.message, sizeof shown.message, settings->verbose);
    mgl_json_set(object, "code", json_string(mgl_code_name(why->code)));
    mgl_json_set(object, "message", json_string(shown.message));
    mgl_json_set(object, "key", text_or_null(why->key));
    mgl_json_set(object, "column", text_or_null(why->column));
    mgl_json_set(result->document, "refused", object);
    mgl_json_set(result->document, "released_rows", mgl_json_count(0));
    mgl_result_warn(result, "refused", "nothing is released: %s", shown.message);
    result->holds = false;
}

static json_t *nearest_json(const mgl_reading *reading, const mgl_problem *problem,
                            const nearest *n)
{
    json_t *object = json_object();
    mgl_json_set(object, "node", mgl_node_json(reading, n->node));
    mgl_json_set(object, "all_nodes", json_boolean(n->all));
    mgl_json_set(object, "allowed_suppressed_rows", mgl_json_count(problem->limit));
    mgl_json_set(object, "needed_suppressed_rows",
                 n->rows == UINT64_MAX ? json_null() : mgl_json_count(n->rows));
    return object;
}

static mgl_status describe(const mgl_setup *setup, mgl_solution *solution, mgl_error *err,
                           mgl_result **out)
{
    const mgl_task *task = setup->task;
    mgl_found *found = mgl_zeroed_array(mgl_task_models(task), sizeof *found);
    mgl_failing failing = {0};
    mgl_outcome outcome = {.reading = setup->reading,
                           .task = task,
                           .method = setup->reading->settings->method,
                           .solution = solution,
                           .found = found,
                           .start = mgl_sys_seconds()};
    mgl_error refused; /* which is known */
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(found != NULL, err));
    MGL_GO(mgl_judge_solution(task, solution, err, found, &outcome.written));
    if (mgl_failing_find(task, setup->reading, solution, &refused, &failing) == MGL_SYSTEM)
        MGL_GO(mgl_fail_as(err, &refused));
    MGL_GO(mgl_describe_solution("anonymize", &outcome, &mgl_command_searches, err, out));
    mgl_result_add_failing_rows(&failing, *out);
done:
    mgl_failing_free(&failing);
    mgl_written_free(&outcome.written);
    mgl_free(found);
    return status;
}

/* Of a solution that was found; what is made for it meanwhile is not left behind. */
static mgl_status describe_found(const mgl_setup *setup, const mgl_solution *solution,
                                 mgl_error *err, mgl_result **out)
{
    mgl_solution view = *solution;
    mgl_status status = describe(setup, &view, err, out);
    if (view.classes != solution->classes) {
        mgl_classes_free(view.classes);
        mgl_free(view.classes);
    }
    return status;
}

/* Of the nearest node, as if the method had found it and it were unsafe. */
static mgl_status describe_nearest(const mgl_setup *setup, bool possible, mgl_error *err,
                                   mgl_result **out)
{
    const mgl_problem *problem = &setup->task->problem;
    size_t n_attributes = problem->list->n_attributes;
    nearest n = {.lock = PTHREAD_MUTEX_INITIALIZER,
                 .n_attributes = n_attributes,
                 .node = mgl_zeroed_array(n_attributes, sizeof *n.node)};
    mgl_solution solution = {.n_attributes = n_attributes,
                             .node = n.node,
                             .method = problem->method,
                             .unsafe = true,
                             .safer = ""};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(n.node != NULL, err));
    MGL_GO(find_nearest(problem, possible, err, &n));
    solution.nodes_total = mgl_lattice_size(problem->min_level, problem->max_level, n_attributes);
    solution.nodes_checked = n.all ? solution.nodes_total : 1;
    MGL_GO(mgl_recode_at(problem, n.node, err, &solution.recoding));
    MGL_GO(describe_found(setup, &solution, err, out));
    mgl_json_set((*out)->document, "nearest", nearest_json(setup->reading, problem, &n));
done:
    mgl_recoding_free(solution.recoding);
    mgl_free(n.node);
    pthread_mutex_destroy(&n.lock);
    return status;
}

/* Nothing but the table: there are no quasi-identifiers, or each stratum has nodes of its own. */
static mgl_status describe_table(const mgl_setup *setup, const char *command, mgl_error *err,
                                 mgl_result **out)
{
    MGL_TRY(mgl_result_new(command, err, out));
    mgl_json_set((*out)->document, "rows", mgl_json_count(setup->counts.list->n_rows));
    mgl_json_set((*out)->document, "warnings", json_array());
    mgl_result_add_columns(*out, setup->reading);
    return MGL_OK;
}

static mgl_status make(const mgl_setup *setup, const mgl_solution *solution, const mgl_error *why,
                       mgl_error *err, mgl_result **out)
{
    if (setup->reading->n_quasi == 0 ||
        (solution == NULL && mgl_settings_held(setup->reading->settings) > 0))
        return describe_table(setup, "anonymize", err, out);
    if (solution != NULL && why->code != MGL_CODE_EMPTY_RELEASE)
        return describe_found(setup, solution, err, out);
    return describe_nearest(setup, why->code != MGL_CODE_IMPOSSIBLE, err, out);
}

/* The columns of a saved recoding are not those of a search: models and rows alone are reported. */
static mgl_status make_applied(const mgl_setup *setup, const mgl_solution *solution, bool judged,
                               mgl_error *err, mgl_result **out)
{
    mgl_solution view = *solution;
    mgl_failing failing = {0};
    mgl_error refused; /* which is known */
    mgl_status status = MGL_OK;
    view.unsafe = true;
    view.safer = "";
    MGL_GO(describe_table(setup, "apply", err, out));
    mgl_json_set((*out)->document, "suppressed_rows", mgl_json_count(solution->suppressed_rows));
    if (!judged)
        return MGL_OK;
    (void)mgl_failing_find(setup->task, setup->reading, &view, &refused, &failing);
    if (failing.found != NULL)
        mgl_json_set((*out)->document, "models",
                     mgl_models_json(setup->reading, setup->task, failing.found, false));
    mgl_result_add_failing_rows(&failing, *out);
done:
    mgl_failing_free(&failing);
    return status;
}

/* Returns what was made, unless memory ran out meanwhile. */
static void report_result(const mgl_settings *settings, const mgl_error *why, mgl_result *result)
{
    report_why(settings, why, result);
    if (mgl_result_complete(result, NULL) == MGL_OK)
        settings->refusal.fn(settings->refusal.user, result);
    else
        mgl_result_free(result);
}

static const mgl_error unknown = {.status = MGL_UNMET, .code = MGL_CODE_UNMET};

void mgl_refusal_report(const mgl_setup *setup, const mgl_solution *solution, const mgl_error *why)
{
    const mgl_settings *settings = setup->reading->settings;
    mgl_result *result = NULL;
    mgl_error err;
    if (settings->refusal.fn == NULL)
        return;
    why = why != NULL ? why : &unknown;
    if (make(setup, solution, why, &err, &result) == MGL_OK)
        report_result(settings, why, result);
    else
        mgl_result_free(result);
}

void mgl_refusal_report_applied(const mgl_setup *setup, const mgl_solution *solution, bool judged,
                                const mgl_error *why)
{
    const mgl_settings *settings = setup->reading->settings;
    mgl_result *result = NULL;
    mgl_error err;
    if (settings->refusal.fn == NULL)
        return;
    if (make_applied(setup, solution, judged, &err, &result) == MGL_OK)
        report_result(settings, why != NULL ? why : &unknown, result);
    else
        mgl_result_free(result);
}

/* A setup in which such models are found not to hold. End it in any case. */
static mgl_status begin_anyway(mgl_session *session, const mgl_settings *settings, mgl_error *err,
                               mgl_setup *setup)
{
    MGL_TRY(mgl_reading_new(session, settings, MGL_TO_SEARCH, err, &setup->reading));
    MGL_TRY(mgl_counts_find(setup->reading, err, &setup->counts));
    return mgl_task_new(settings, &setup->counts, false, err, &setup->task);
}

void mgl_refusal_report_early(mgl_session *session, const mgl_settings *settings,
                              const mgl_error *why)
{
    mgl_setup setup = {0};
    mgl_error err;
    if (settings->refusal.fn == NULL)
        return;
    if (begin_anyway(session, settings, &err, &setup) == MGL_OK)
        mgl_refusal_report(&setup, NULL, why);
    mgl_setup_end(&setup);
}
