/* The commands preview and what-if: what a job would give, and nothing is released. preview shows
 * rows of the table beside what they would be released as, cell by cell with levels, and the sizes
 * of their classes before and after; it holds cells of the table, so it is written to no file.
 * what-if tries single changes of the job. A search is run once: its recoding is cached. */
#include "command/changes/changes.h"
#include "command/command.h"
#include "command/run_command.h"
#include "command/refusal.h"
#include "findings/findings.h"
#include "search/search.h"

#include <stdlib.h>

/* A copy of the cells: their numbers mean the same as long as the list is the same. */
typedef struct kept_cells {
    size_t n_attributes, n_tuples;
    bool unsafe;
    uint32_t *cells;     /* [n_attributes * n_tuples] */
    uint8_t *suppressed; /* [n_tuples] */
} kept_cells;

static void free_cells(void *object)
{
    kept_cells *cells = object;
    if (cells == NULL)
        return;
    mgl_free(cells->cells);
    mgl_free(cells->suppressed);
    mgl_free(cells);
}

static const mgl_cache_kind recodings = {free_cells, 2};

/* Files besides the table and the hierarchies of quasi-identifiers, which the list distinguishes,
 * can change without the job. */
static bool depends_on_files(const mgl_settings *settings)
{
    for (size_t i = 0; i < settings->n_attributes; i++)
        if (settings->attributes[i].role != MGL_ROLE_QUASI &&
            settings->attributes[i].hierarchy != NULL)
            return true;
    return settings->sampled.population != NULL || settings->earlier.n > 0 ||
           mgl_job_get(settings->job, "policy") != NULL;
}

/* false: memory is out. */
static bool make_key(const mgl_task *task, const mgl_job *job, mgl_buffer *key)
{
    json_t *document;
    if (mgl_job_document(job, MGL_JOB_WHOLE, NULL, NULL, &document) != MGL_OK)
        return false;
    char *text = json_dumps(document, JSON_COMPACT);
    json_decref(document);
    mgl_buffer_format(key, "recoding %llu ", (unsigned long long)task->list->number);
    mgl_buffer_text(key, text != NULL ? text : "");
    bool made = text != NULL && !key->failed;
    free(text);
    return made;
}

static mgl_status revive(const mgl_task *task, const kept_cells *kept, mgl_error *err,
                         mgl_solution **out)
{
    mgl_solution *solution = mgl_zeroed_array(1, sizeof *solution);
    MGL_TRY(mgl_check_memory(solution != NULL, err));
    mgl_status status = mgl_recoding_new(task->problem.columns, kept->n_attributes, kept->n_tuples,
                                         err, &solution->recoding);
    if (status != MGL_OK) {
        mgl_free(solution);
        return status;
    }
    size_t n = kept->n_tuples;
    for (size_t a = 0; a < kept->n_attributes; a++)
        memcpy(solution->recoding->cells[a], kept->cells + a * n, n * sizeof *kept->cells);
    memcpy(solution->recoding->suppressed, kept->suppressed, n);
    solution->n_attributes = kept->n_attributes;
    solution->unsafe = kept->unsafe;
    solution->safer = "";
    solution->method = task->problem.method;
    *out = solution;
    return MGL_OK;
}

/* The solution that the same job had on the same list before, with its recoding alone; *out is NULL
 * if none is kept. Free with mgl_solution_free. */
static mgl_status kept_recoding_find(const mgl_task *task, const mgl_job *job, mgl_error *err,
                                     mgl_solution **out)
{
    mgl_buffer key = {0};
    const mgl_cache_entry *kept = NULL;
    mgl_status status = MGL_OK;
    *out = NULL;
    if (depends_on_files(task->reading->settings) || !make_key(task, job, &key))
        goto done;
    MGL_GO(mgl_cache_find(&task->reading->pins, &recodings, &key, err, &kept));
    if (kept != NULL)
        MGL_GO(revive(task, kept->object, err, out));
done:
    mgl_buffer_free(&key);
    return status;
}

static kept_cells *copy_cells(const mgl_solution *solution)
{
    const mgl_recoding *recoding = solution->recoding;
    size_t n = recoding->n_tuples;
    kept_cells *kept = mgl_zeroed_array(1, sizeof *kept);
    if (kept == NULL)
        return NULL;
    kept->n_attributes = recoding->n_attributes;
    kept->n_tuples = n;
    kept->unsafe = solution->unsafe;
    kept->cells = mgl_alloc_array(recoding->n_attributes * n, sizeof *kept->cells);
    kept->suppressed = mgl_alloc_array(n, 1);
    if (kept->cells == NULL || kept->suppressed == NULL) {
        free_cells(kept);
        return NULL;
    }
    for (size_t a = 0; a < recoding->n_attributes; a++)
        memcpy(kept->cells + a * n, recoding->cells[a], n * sizeof *kept->cells);
    memcpy(kept->suppressed, recoding->suppressed, n);
    return kept;
}

/* Values that a method made are in columns of its own, which go with the solution. */
static mgl_status kept_recoding_keep(const mgl_task *task, const mgl_job *job,
                                     const mgl_solution *solution, mgl_error *err)
{
    mgl_buffer key = {0};
    const mgl_cache_entry *kept;
    kept_cells *cells = NULL;
    mgl_status status = MGL_OK;
    if (solution->recoding->own != NULL || depends_on_files(task->reading->settings) ||
        solution->timed_out || !make_key(task, job, &key))
        goto done;
    cells = copy_cells(solution);
    MGL_GO(mgl_check_memory(cells != NULL, err));
    MGL_GO(mgl_cache_add(&task->reading->pins, &recodings, &key, cells, err, &kept));
done:
    mgl_buffer_free(&key);
    return status;
}

enum { ROWS_AT_ONCE = 1024 };

typedef struct preview {
    const mgl_settings *settings; /* of the command: window and filter */
    mgl_reading *reading;
    mgl_counts counts;
    mgl_task *task;
    mgl_solution *solution;  /* NULL: nothing is released */
    mgl_classes classes;     /* of the solution */
    mgl_recoding *as_it_is;  /* the table with nothing generalized */
    uint8_t *breaking;       /* [tuple] its class breaks a model as the table is */
    uint8_t *chosen;         /* [tuple] the filter lets it through */
    const mgl_span **labels; /* [n_quasi] what columns can be released as */
    mgl_tuple_finder *finder;
    mgl_arena *arena;
} preview;

/* ---- What is found out ----------------------------------------------------------------------- */

/* Unlike for a release, models that no release can hold are no failure: then rows before are shown
 * alone. */
static mgl_status begin(preview *p, mgl_session *session, const mgl_settings *run, mgl_error *err)
{
    MGL_TRY(mgl_reading_new(session, run, MGL_TO_RELEASE, err, &p->reading));
    if (p->reading->n_quasi == 0)
        return mgl_fail_key(err, MGL_CODE_MISSING_KEY, "qi",
                            "without quasi-identifiers no row changes; name some with `qi`");
    MGL_TRY(mgl_counts_find(p->reading, err, &p->counts));
    MGL_TRY(mgl_task_new(run, &p->counts, false, err, &p->task));
    p->arena = mgl_arena_new();
    return p->arena != NULL ? MGL_OK : mgl_fail_memory(err);
}

static json_t *error_json(const mgl_error *why)
{
    json_t *object = json_object();
    mgl_json_set(object, "code", json_string(mgl_code_name(why->code)));
    mgl_json_set(object, "message", json_string(why->message));
    return object;
}

/* What the session found for the same job before, else what the method finds. */
static mgl_status find_solution(preview *p, const mgl_settings *run, mgl_error *err)
{
    MGL_TRY(kept_recoding_find(p->task, run->job, err, &p->solution));
    if (p->solution != NULL)
        return MGL_OK;
    mgl_task_show_added(p->task, true);
    mgl_status status = mgl_search_run(run->method, &p->task->problem, err, &p->solution);
    mgl_task_show_added(p->task, false);
    return status == MGL_OK ? kept_recoding_keep(p->task, run->job, p->solution, err) : status;
}

/* MGL_UNMET is reported in the result, and nothing stands beside the rows then. */
static mgl_status search(preview *p, const mgl_settings *run, mgl_error *err, mgl_result *result)
{
    mgl_error why = {0};
    mgl_status status = find_solution(p, run, &why);
    if (status != MGL_OK && status != MGL_UNMET)
        return mgl_fail_as(err, &why);
    mgl_hide_values(why.message, sizeof why.message, false);
    mgl_json_set(result->document, "error", status == MGL_OK ? json_null() : error_json(&why));
    result->holds = status == MGL_OK && !p->solution->unsafe;
    if (status == MGL_OK)
        return mgl_judged_classes(&p->task->problem, p->solution->recoding, err, &p->classes);
    return MGL_OK;
}

static mgl_status judge_as_it_is(preview *p, mgl_error *err)
{
    const mgl_problem *problem = &p->task->problem;
    uint32_t *ground = mgl_arena_alloc(p->arena, p->reading->n_quasi * sizeof *ground);
    mgl_found *found = mgl_zeroed_array(mgl_task_models(p->task), sizeof *found);
    p->breaking = mgl_arena_alloc(p->arena, problem->list->n_tuples);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(ground != NULL && found != NULL && p->breaking != NULL, err));
    memset(ground, 0, p->reading->n_quasi * sizeof *ground);
    memset(p->breaking, 0, problem->list->n_tuples);
    MGL_GO(mgl_recode_at(problem, ground, err, &p->as_it_is));
    MGL_GO(mgl_judge_tuples(problem, p->as_it_is, err, found, p->breaking));
done:
    mgl_free(found);
    return status;
}

static mgl_status find_labels(preview *p, mgl_error *err)
{
    size_t n = p->reading->n_quasi;
    p->labels = mgl_arena_alloc(p->arena, n * sizeof *p->labels);
    MGL_TRY(mgl_check_memory(p->labels != NULL, err));
    for (size_t a = 0; p->solution != NULL && a < n; a++)
        MGL_TRY(
            mgl_released_labels(p->solution->recoding->columns[a], p->arena, err, &p->labels[a]));
    return MGL_OK;
}

/* ---- Which rows ------------------------------------------------------------------------------ */

static bool is_changed(const preview *p, size_t tuple)
{
    const mgl_recoding *recoding = p->solution->recoding;
    for (size_t a = 0; a < recoding->n_attributes; a++) {
        mgl_span before = p->as_it_is->columns[a]->values[p->as_it_is->cells[a][tuple]].label;
        if (!mgl_span_equal(before, p->labels[a][recoding->cells[a][tuple]]))
            return true;
    }
    return false;
}

static bool is_suppressed(const preview *p, size_t tuple)
{
    return p->solution != NULL && p->solution->recoding->suppressed[tuple];
}

static mgl_status class_of_row(const preview *p, mgl_error *err, uint32_t *out)
{
    uint64_t row = p->settings->view.shown.row;
    uint32_t tuple;
    if (row > p->reading->table->n_rows)
        return mgl_fail_key(err, MGL_CODE_BAD_VALUE, "show",
                            "`show`: there is no row %llu; the table has %zu",
                            (unsigned long long)row, p->reading->table->n_rows);
    MGL_TRY(mgl_tuple_reach(p->finder, row - 1, 1, err, &tuple));
    *out = p->solution != NULL ? p->classes.of_tuple[tuple] : tuple;
    return MGL_OK;
}

static bool is_shown(const preview *p, size_t tuple, uint32_t class)
{
    switch (p->settings->view.shown.kind) {
    case MGL_SHOWN_CHANGED:
        return p->solution != NULL && is_changed(p, tuple);
    case MGL_SHOWN_SUPPRESSED:
        return is_suppressed(p, tuple);
    case MGL_SHOWN_BREAKING:
        return p->breaking[tuple];
    case MGL_SHOWN_CLASS:
        return p->solution != NULL ? p->classes.of_tuple[tuple] == class : tuple == class;
    default:
        return true;
    }
}

static mgl_status choose(preview *p, mgl_error *err)
{
    size_t n = p->counts.list->n_tuples;
    uint32_t class = 0;
    p->chosen = mgl_arena_alloc(p->arena, n);
    MGL_TRY(mgl_check_memory(p->chosen != NULL, err));
    if (p->settings->view.shown.kind == MGL_SHOWN_CLASS)
        MGL_TRY(class_of_row(p, err, &class));
    for (size_t t = 0; t < n; t++)
        p->chosen[t] = is_shown(p, t, class);
    return MGL_OK;
}

/* ---- Rows as a document ---------------------------------------------------------------------- */

static json_t *before_json(const preview *p, size_t row)
{
    json_t *cells = json_array();
    for (size_t a = 0; a < p->reading->n_quasi; a++) {
        const mgl_column *column = p->reading->quasi[a].column;
        mgl_json_append(cells, mgl_json_span(mgl_dictionary_value(column->dictionary,
                                                                  mgl_column_code(column, row))));
    }
    return cells;
}

/* What the cells are released as, and their levels; null where they are no values of a hierarchy.
 */
static void report_after(const preview *p, size_t tuple, json_t *object)
{
    const mgl_recoding *recoding = p->solution->recoding;
    json_t *cells = json_array(), *levels = json_array();
    for (size_t a = 0; a < recoding->n_attributes; a++) {
        uint32_t cell = recoding->cells[a][tuple];
        int32_t level = recoding->columns[a]->values[cell].level;
        mgl_json_append(cells, mgl_json_span(p->labels[a][cell]));
        mgl_json_append(levels, level >= 0 ? mgl_json_count((uint64_t)level) : json_null());
    }
    mgl_json_set(object, "after", cells);
    mgl_json_set(object, "level", levels);
}

static json_t *row_json(const preview *p, size_t row, size_t tuple)
{
    json_t *object = json_object();
    bool gone = is_suppressed(p, tuple) && p->task->problem.treatment == MGL_DROP;
    uint32_t class = p->solution != NULL ? p->classes.of_tuple[tuple] : MGL_NOT_FOUND;
    bool in_class = p->solution != NULL && class < p->classes.n_classes;
    mgl_json_set(object, "row", mgl_json_count(row + 1));
    if (p->reading->table->times != NULL)
        mgl_json_set(object, "times", mgl_json_count(p->reading->table->times[row]));
    mgl_json_set(object, "before", before_json(p, row));
    if (p->solution != NULL && !gone)
        report_after(p, tuple, object);
    else
        mgl_json_set(object, "after", json_null());
    mgl_json_set(object, "size_before", mgl_json_count(p->counts.list->counts[tuple]));
    mgl_json_set(object, "size", in_class ? mgl_json_count(p->classes.sizes[class]) : json_null());
    mgl_json_set(object, "class", in_class ? mgl_json_count(class) : json_null());
    mgl_json_set(object, "suppressed", json_boolean(is_suppressed(p, tuple)));
    mgl_json_set(object, "breaks", json_boolean(p->breaking[tuple]));
    return object;
}

/* Rows that the filter leaves are counted to the end; those in the window are reported. */
static mgl_status report_rows(const preview *p, mgl_error *err, json_t *document)
{
    const mgl_row_window *window = &p->settings->view.window;
    size_t n_rows = p->reading->table->n_rows;
    uint64_t found = 0;
    uint32_t tuple[ROWS_AT_ONCE];
    json_t *list = json_array();
    mgl_status status = MGL_OK;
    for (size_t first = 0; first < n_rows; first += ROWS_AT_ONCE) {
        size_t n = n_rows - first < ROWS_AT_ONCE ? n_rows - first : ROWS_AT_ONCE;
        MGL_GO(mgl_tuple_reach(p->finder, first, n, err, tuple));
        for (size_t i = 0; i < n; i++) {
            if (!p->chosen[tuple[i]])
                continue;
            found++;
            if (found >= window->first && found - window->first < window->n)
                mgl_json_append(list, row_json(p, first + i, tuple[i]));
        }
    }
    mgl_json_set(document, "matching", mgl_json_count(found));
    mgl_json_set(document, "first", mgl_json_count(window->first));
    mgl_json_set(document, "window", json_incref(list));
done:
    json_decref(list);
    return status;
}

/* ---- All ------------------------------------------------------------------------------------- */

static json_t *columns_json(const mgl_reading *reading)
{
    json_t *list = json_array();
    for (size_t a = 0; a < reading->n_quasi; a++) {
        json_t *object = json_object();
        mgl_json_set(object, "column", json_string(reading->quasi[a].settings->name));
        mgl_json_set(object, "height", mgl_json_count(reading->quasi[a].hierarchy->height));
        mgl_json_append(list, object);
    }
    return list;
}

static mgl_status fill(preview *p, const mgl_settings *run, mgl_error *err, mgl_result *result)
{
    const mgl_problem *problem = &p->task->problem;
    json_t *sizes;
    MGL_TRY(search(p, run, err, result));
    MGL_TRY(judge_as_it_is(p, err));
    MGL_TRY(find_labels(p, err));
    MGL_TRY(mgl_tuple_finder_share(problem->list, p->reading->bound, p->reading->pool, err,
                                   &p->finder));
    MGL_TRY(choose(p, err));
    mgl_json_set(result->document, "rows", mgl_json_count(problem->list->n_rows));
    mgl_json_set(result->document, "columns", columns_json(p->reading));
    MGL_TRY(report_rows(p, err, result->document));
    MGL_TRY(p->solution != NULL ? mgl_both_sizes_json(problem, p->solution->recoding, err, &sizes)
                                : mgl_sizes_json(problem, NULL, err, &sizes));
    mgl_json_set(result->document, "figures", sizes);
    mgl_result_take_warnings(result, &p->reading->warnings);
    return MGL_OK;
}

static void end(preview *p)
{
    mgl_tuple_finder_free(p->finder);
    mgl_recoding_free(p->as_it_is);
    mgl_classes_free(&p->classes);
    mgl_solution_free(p->solution);
    mgl_task_free(p->task);
    mgl_reading_free(p->reading);
    mgl_arena_free(p->arena);
}

mgl_status mgl_command_preview(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    preview p = {0};
    const mgl_settings *run_settings;
    mgl_job *run = NULL;
    mgl_result *result = NULL;
    mgl_status status = MGL_OK;
    mgl_progress_plan("read search measure");
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_job_settings(job, MGL_PREVIEW, err, &p.settings));
    MGL_TRY(mgl_refuse_result_files(p.settings, err));
    MGL_GO(mgl_job_to_try(job, err, &run));
    MGL_GO(mgl_job_settings(run, MGL_ANONYMIZE, err, &run_settings));
    MGL_GO(mgl_result_new("preview", err, &result));
    MGL_GO(begin(&p, session, run_settings, err));
    MGL_GO(fill(&p, run_settings, err, result));
    MGL_GO(mgl_result_finish(result, p.settings, err));
    *out = result;
    result = NULL;
done:
    end(&p);
    mgl_job_free(run);
    mgl_result_free(result);
    return status;
}

typedef struct asking {
    mgl_session *session;
    const mgl_job *job;
    const mgl_settings *settings; /* of the command: which changes, and how long */
    const mgl_settings *run;      /* of the job that would be run */
    double until;                 /* mgl_sys_seconds; 0: as long as it takes */
    json_t *document;             /* what the job gives as a whole; NULL: nothing, or not known */
    mgl_changes changes;
} asking;

static bool is_asked(const mgl_settings *settings, mgl_change_kind kind)
{
    for (size_t i = 0; i < settings->what_if.n_changes; i++)
        if (settings->what_if.changes[i] == kind)
            return true;
    return settings->what_if.n_changes == 0;
}

/* Levels are changed by those that the answer has. */
static mgl_status ask_job(asking *a, mgl_error *err, json_t *reported)
{
    json_t *figures;
    if (!is_asked(a->settings, MGL_CHANGE_ANSWER) && !is_asked(a->settings, MGL_CHANGE_LEVELS))
        return MGL_OK;
    MGL_TRY(mgl_change_try(a->session, a->job, NULL, err, &figures, &a->document));
    if (is_asked(a->settings, MGL_CHANGE_ANSWER))
        mgl_json_set(reported, "answer", figures);
    else
        json_decref(figures);
    return MGL_OK;
}

static mgl_status ask_change(const asking *a, const mgl_change *change, mgl_error *err,
                             json_t *changes, json_t *left_out)
{
    json_t *reported, *figures = NULL;
    bool late = a->until > 0 && mgl_sys_seconds() >= a->until;
    if (!late)
        MGL_TRY(mgl_change_try(a->session, a->job, change, err, &figures, NULL));
    if (!late && figures == NULL)
        return MGL_OK; /* none that this job can take */
    mgl_status status = mgl_change_json(a->job, change, err, &reported);
    if (status == MGL_OK && figures != NULL)
        (void)json_object_update(reported, figures);
    json_decref(figures);
    MGL_TRY(status);
    mgl_json_append(late ? left_out : changes, reported);
    return MGL_OK;
}

static mgl_status ask_changes(asking *a, mgl_error *err, json_t *reported)
{
    json_t *changes = json_array(), *left_out = json_array();
    const char *before = mgl_progress_within("what-if");
    mgl_status status = MGL_OK;
    for (mgl_change_kind kind = MGL_CHANGE_K; kind < MGL_CHANGE_KINDS; kind++)
        if (is_asked(a->settings, kind))
            MGL_GO(mgl_changes_add(a->run, a->job, kind, a->document, err, &a->changes));
    for (size_t i = 0; i < a->changes.n; i++) {
        MGL_GO(mgl_progress_report(&a->settings->progress, "what-if", i, a->changes.n, err));
        MGL_GO(ask_change(a, &a->changes.list[i], err, changes, left_out));
    }
    mgl_json_set(reported, "changes", json_incref(changes));
    mgl_json_set(reported, "left_out", json_incref(left_out));
done:
    mgl_progress_go_on(before);
    json_decref(changes);
    json_decref(left_out);
    return status;
}

mgl_status mgl_command_what_if(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    asking a = {.session = session, .job = job};
    mgl_job *run = NULL;
    mgl_result *result = NULL;
    mgl_status status = MGL_OK;
    mgl_progress_plan("read search what-if");
    MGL_TRY(mgl_parts_prepare(session, job, err));
    MGL_TRY(mgl_job_settings(job, MGL_WHAT_IF, err, &a.settings));
    a.until = a.settings->what_if.budget > 0 ? mgl_sys_seconds() + a.settings->what_if.budget : 0;
    MGL_GO(mgl_job_to_try(job, err, &run));
    MGL_GO(mgl_job_settings(run, MGL_ANONYMIZE, err, &a.run));
    MGL_GO(mgl_result_new("what-if", err, &result));
    /* Holds if the job itself gives a release that does. */
    MGL_GO(ask_job(&a, err, result->document));
    const json_t *answer = json_object_get(result->document, "answer");
    result->holds = answer == NULL || json_is_true(json_object_get(answer, "holds"));
    MGL_GO(ask_changes(&a, err, result->document));
    MGL_GO(mgl_result_finish(result, a.settings, err));
    *out = result;
    result = NULL;
done:
    json_decref(a.document);
    mgl_changes_free(&a.changes);
    mgl_job_free(run);
    mgl_result_free(result);
    return status;
}
