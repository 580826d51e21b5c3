/* The command apply: releases a table, or a slice of one, as a saved recoding says.
 *
 * A slice that was counted for the search is known by its fingerprint: its rows keep the promise
 * together with those of the other slices. Any other data is verified as a release of its own. */
#include "command/command.h"
#include "command/refusal.h"
#include "command/rule/rule.h"
#include "findings/findings.h"

#include <stdio.h>

/* ---- Is it a slice that was counted? ------------------------------------------------------- */

static mgl_status report_applied(const mgl_applied *p, bool known, const mgl_found *found,
                                 const mgl_written *written, mgl_error *err, mgl_result **out);

static mgl_status is_known(const mgl_reading *reading, const mgl_saved_recoding *saved,
                           mgl_error *err, bool *out)
{
    const mgl_column **columns = mgl_alloc_array(saved->n_counted, sizeof *columns);
    mgl_fingerprint found;
    *out = columns != NULL;
    MGL_TRY(mgl_check_memory(columns != NULL, err));
    for (size_t i = 0; *out && i < saved->n_counted; i++) {
        columns[i] = mgl_table_column(reading->table, saved->counted[i]);
        *out = columns[i] != NULL;
    }
    mgl_status status = MGL_OK;
    if (reading->table->n_rows == 0) { /* without rows no promise can be broken */
        mgl_free(columns);
        *out = true;
        return MGL_OK;
    }
    if (*out)
        status = mgl_fingerprint_of(columns, saved->n_counted, reading->table->n_rows,
                                    reading->table->times, err, &found);
    mgl_free(columns);
    if (status != MGL_OK || !*out)
        return status;
    *out = false;
    for (size_t i = 0; i < saved->n_parts; i++)
        *out = *out || (saved->parts[i].n_records == found.n_records &&
                        saved->parts[i].low == found.low && saved->parts[i].high == found.high);
    return MGL_OK;
}

/* ---- The recoding of the current tuples ---------------------------------------------------- */

/* Pairs the columns of the recoding with those of the reading. */
static mgl_status pair_columns(mgl_applied *p, mgl_error *err)
{
    const mgl_saved_recoding *saved = p->saved;
    mgl_reading *reading = p->reading;
    for (size_t a = 0; a < saved->n_quasi; a++) {
        p->of_saved[a] = SIZE_MAX;
        for (size_t b = 0; b < reading->n_quasi; b++)
            if (strcmp(reading->quasi[b].settings->name, saved->quasi[a].name) == 0)
                p->of_saved[a] = b;
        if (p->of_saved[a] == SIZE_MAX || saved->n_quasi != reading->n_quasi)
            return mgl_fail_key(err, MGL_CODE_CONFLICT, "recoding",
                                "the recoding is of other quasi-identifiers than the job names; "
                                "leave the roles to the recoding");
    }
    return MGL_OK;
}

static mgl_status bind_column(mgl_applied *p, size_t a, mgl_error *err)
{
    const mgl_saved_quasi *saved = &p->saved->quasi[a];
    size_t b = p->of_saved[a];
    mgl_quasi_column *quasi = &p->reading->quasi[b];
    const mgl_dictionary *dictionary = quasi->column->dictionary;
    uint32_t n = mgl_dictionary_size(dictionary), n_leaves = quasi->hierarchy->n_leaves;
    uint32_t *leaves = p->saved_leaf[b] = mgl_arena_alloc(p->arena, n_leaves * sizeof *leaves);
    MGL_TRY(mgl_check_memory(leaves != NULL, err));
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
        leaves[leaf] = MGL_NOT_FOUND;
    mgl_spelling_finder finder;
    MGL_TRY(mgl_spelling_index(saved->ground, p->reading->settings->source.spelling, err, &finder));
    for (uint32_t code = 0; code < n; code++) {
        uint32_t known = code == mgl_dictionary_missing(dictionary)
                             ? mgl_dictionary_missing(saved->ground)
                             : mgl_spelling_find(&finder, mgl_dictionary_value(dictionary, code));
        if (known != MGL_NOT_FOUND)
            leaves[quasi->leaf_of_code[code]] = saved->leaf_of_code[known];
    }
    mgl_spelling_finder_free(&finder);
    return MGL_OK;
}

/* From here on the column is released as the texts of the recoding, and those that new values have
 * by its hierarchy. */
static mgl_status release_column(mgl_applied *p, size_t a, mgl_error *err)
{
    const mgl_saved_quasi *saved = &p->saved->quasi[a];
    size_t b = p->of_saved[a];
    mgl_quasi_column *quasi = &p->reading->quasi[b];
    const mgl_span *labels = saved->labels;
    uint32_t n = saved->n_labels;
    if (p->placed != NULL) {
        const mgl_map *texts = p->placed[a].texts;
        n = mgl_map_size(texts);
        mgl_span *all = mgl_arena_alloc(p->arena, n * sizeof *all);
        MGL_TRY(mgl_check_memory(all != NULL, err));
        for (uint32_t i = 0; i < n; i++)
            all[i] = mgl_map_text(texts, i);
        labels = all;
    }
    mgl_released_column **column = &p->released[p->n_released];
    MGL_TRY(mgl_labels_column_new(quasi->hierarchy, labels, n, saved->top, err, column));
    (*column)->held = quasi->settings->by;
    p->n_released++;
    p->reading->released[b] = quasi->released = *column;
    return MGL_OK;
}

static mgl_map *index_tuples(const mgl_saved_recoding *saved, uint32_t *key)
{
    mgl_map *tuples = mgl_map_new();
    mgl_span text = {(const char *)key, saved->n_quasi * sizeof *key};
    for (size_t t = 0; tuples != NULL && t < saved->n_tuples; t++) {
        for (size_t a = 0; a < saved->n_quasi; a++)
            key[a] = saved->leaves[a][t];
        if (mgl_map_add(tuples, text) != t) {
            mgl_map_free(tuples);
            return NULL;
        }
    }
    return tuples;
}

/* Which of the recorded tuples each current tuple is. */
static mgl_status find_known(mgl_applied *p, mgl_error *err)
{
    const mgl_saved_recoding *saved = p->saved;
    const mgl_frequency_list *list = p->task->problem.list;
    uint32_t *key = mgl_arena_alloc(p->arena, saved->n_quasi * sizeof *key);
    mgl_map *tuples = key != NULL ? index_tuples(saved, key) : NULL;
    p->known = mgl_arena_alloc(p->arena, list->n_tuples * sizeof *p->known);
    if (tuples == NULL || p->known == NULL) {
        mgl_map_free(tuples);
        return mgl_fail_memory(err);
    }
    mgl_span text = {(const char *)key, saved->n_quasi * sizeof *key};
    p->whole = list->n_tuples == saved->n_tuples;
    for (size_t t = 0; t < list->n_tuples; t++) {
        for (size_t a = 0; a < saved->n_quasi; a++) {
            size_t b = p->of_saved[a];
            key[a] = p->saved_leaf[b][mgl_list_leaf(list, t, b)];
        }
        uint32_t known = p->known[t] = mgl_map_find(tuples, text);
        p->whole = p->whole && known != MGL_NOT_FOUND && saved->counts[known] == list->counts[t];
    }
    mgl_map_free(tuples);
    return MGL_OK;
}

/* As recorded: for slices that were counted, and for files that tell no more. */
static void recode_recorded(mgl_applied *p)
{
    const mgl_saved_recoding *saved = p->saved;
    const mgl_frequency_list *list = p->task->problem.list;
    mgl_recoding *recoding = p->solution.recoding;
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint32_t known = p->known[t];
        *(known != MGL_NOT_FOUND ? &p->ruled.recorded_rows : &p->ruled.unplaced_rows) +=
            list->counts[t];
        if (known == MGL_NOT_FOUND) {
            mgl_recoding_suppress(recoding, t);
            continue;
        }
        for (size_t a = 0; a < saved->n_quasi; a++)
            recoding->cells[p->of_saved[a]][t] = saved->released[a][known];
        recoding->suppressed[t] = saved->suppressed[known] != 0;
    }
}

static mgl_status recode(mgl_applied *p, bool slice, mgl_error *err)
{
    const mgl_frequency_list *list = p->task->problem.list;
    mgl_recoding *recoding = p->solution.recoding;
    mgl_rule_request request = {p->saved,  list,        p->task->problem.pool,
                                p->placed, p->of_saved, p->known};
    if (slice || p->whole || p->placed == NULL)
        recode_recorded(p);
    else if (mgl_rule_has_levels(p->saved))
        MGL_TRY(mgl_rule_by_levels(&request, recoding, &p->ruled));
    else
        MGL_TRY(mgl_rule_by_tuples(&request, err, recoding, &p->ruled));
    for (size_t t = 0; t < list->n_tuples; t++)
        p->solution.suppressed_rows += recoding->suppressed[t] ? list->counts[t] : 0;
    return MGL_OK;
}

static mgl_status place_columns(mgl_applied *p, mgl_error *err)
{
    const mgl_saved_recoding *saved = p->saved;
    for (size_t a = 0; a < saved->n_quasi; a++)
        if (saved->quasi[a].tree == NULL)
            return MGL_OK;
    p->placed = mgl_arena_alloc(p->arena, saved->n_quasi * sizeof *p->placed);
    MGL_TRY(mgl_check_memory(p->placed != NULL, err));
    memset(p->placed, 0, saved->n_quasi * sizeof *p->placed);
    for (size_t a = 0; a < saved->n_quasi; a++)
        MGL_TRY(mgl_place_values(&saved->quasi[a], &p->reading->quasi[p->of_saved[a]],
                                 p->reading->settings->source.spelling, p->arena, err,
                                 &p->placed[a]));
    return MGL_OK;
}

/* slice: it was counted for the search, so that nothing is new. */
static mgl_status make_recoding(mgl_applied *p, bool slice, mgl_error *err)
{
    size_t m = p->saved->n_quasi;
    p->of_saved = mgl_arena_alloc(p->arena, m * sizeof *p->of_saved);
    p->saved_leaf = mgl_arena_alloc(p->arena, m * sizeof *p->saved_leaf);
    p->released = mgl_arena_alloc(p->arena, m * sizeof *p->released);
    MGL_TRY(
        mgl_check_memory(p->of_saved != NULL && p->saved_leaf != NULL && p->released != NULL, err));
    MGL_TRY(pair_columns(p, err));
    for (size_t a = 0; a < m; a++)
        MGL_TRY(bind_column(p, a, err));
    MGL_TRY(find_known(p, err));
    if (!slice && !p->whole)
        MGL_TRY(mgl_blame_key(err, place_columns(p, err), "recoding"));
    for (size_t a = 0; a < m; a++)
        MGL_TRY(release_column(p, a, err));
    p->solution.n_attributes = m;
    MGL_TRY(mgl_recoding_new(p->reading->released, m, p->task->problem.list->n_tuples, err,
                             &p->solution.recoding));
    MGL_TRY(
        mgl_rule_hold(p->saved, p->task, p->of_saved, p->saved_leaf, err, p->solution.recoding));
    return recode(p, slice, err);
}

/* ---- What violates a model ------------------------------------------------------------------- */

static mgl_status fail_unheld(const mgl_applied *p, uint64_t rows, bool holds, mgl_error *err)
{
    if (!holds && p->joined != NULL)
        return mgl_fail(err, MGL_CODE_NOT_HELD,
                        "together with the rows of the earlier release the new ones break a model, "
                        "whichever of them are suppressed; release them with further rows, or "
                        "anonymize all of them anew");
    if (p->joined != NULL)
        return mgl_fail(err, MGL_CODE_NOT_HELD,
                        "together with the rows of the earlier release the new ones break a model "
                        "unless %llu of them are suppressed, where %llu may be; allow them "
                        "(`suppress: %llu`), or anonymize all of them anew",
                        (unsigned long long)rows, (unsigned long long)p->task->problem.limit,
                        (unsigned long long)rows);
    if (!holds)
        return mgl_fail(err, MGL_CODE_NOT_HELD,
                        "the table is no slice that was counted for the recoding, and as a "
                        "release of its own it breaks a model, whatever is suppressed; count all "
                        "slices before the search, or anonymize it by itself");
    return mgl_fail(err, MGL_CODE_NOT_HELD,
                    "the table is no slice that was counted for the recoding, and as a release of "
                    "its own it breaks a model unless %llu of its rows are suppressed, where %llu "
                    "may be; allow them (`suppress: %llu`), count all slices before the search, "
                    "or anonymize it by itself",
                    (unsigned long long)rows, (unsigned long long)p->task->problem.limit,
                    (unsigned long long)rows);
}

/* The same in each stratum by itself. */
static mgl_status suppress_held(mgl_applied *p, bool unlimited, mgl_error *err)
{
    const mgl_problem *problem = &p->task->problem;
    uint64_t before = p->solution.suppressed_rows;
    bool all_count = problem->treatment != MGL_KEEP && !p->whole;
    mgl_held_suppressed held;
    mgl_buffer name = {0};
    MGL_TRY(mgl_held_suppress(problem, p->solution.recoding, unlimited, all_count, err, &held));
    p->solution.suppressed_rows = held.rows;
    p->failing_rows = held.rows > before ? held.rows - before : 0;
    if (held.n_failing == 0)
        return MGL_OK;
    mgl_held_name(problem, mgl_settings_held(p->reading->settings), held.first_failing, &name);
    mgl_status status =
        name.failed
            ? mgl_fail_memory(err)
            : mgl_fail(err, MGL_CODE_NOT_HELD,
                       "%zu strata of the table, which is no slice that was counted for the "
                       "recoding, break a model or its limit as releases of their own, the first "
                       "of them %.*s; allow more suppressed rows (`suppress`), leave the strata "
                       "out with `where`, or anonymize the table by itself",
                       held.n_failing, (int)name.size, name.data);
    mgl_buffer_free(&name);
    return mgl_blame_key(err, status, "recoding");
}

/* Suppresses what violates a model, within the limit. Rows that the rule itself puts at the top
 * count against the limit where they are left out or exempt; where they are kept they are a class
 * like any other. */
static mgl_status treat_violating(mgl_applied *p, mgl_error *err)
{
    const mgl_problem *problem = &p->task->problem;
    if (problem->population != NULL)
        return mgl_fail_key(err, MGL_CODE_CONFLICT, "population",
                            "the models of the recoding look at a population, which is matched "
                            "with the table that was searched; anonymize this table by itself");
    const mgl_method_type *method = mgl_method_type_find(p->saved->method);
    mgl_recoding *recoding = p->solution.recoding;
    uint64_t before = p->solution.suppressed_rows, rows;
    bool holds, unlimited = !problem->limited && method != NULL && method->own_limit;
    if (mgl_settings_held(p->reading->settings) > 0)
        return suppress_held(p, unlimited, err);
    if (p->joined != NULL) {
        MGL_TRY(mgl_joined_rows_suppress(p->joined, recoding, err, &holds, &rows));
        p->solution.suppressed_rows = before + rows;
    } else {
        MGL_TRY(mgl_solution_treat_recoding(&p->solution, problem, recoding, err, &holds));
    }
    rows = p->solution.suppressed_rows > before ? p->solution.suppressed_rows - before : 0;
    p->failing_rows = rows;
    if (problem->treatment != MGL_KEEP && !p->whole)
        rows = p->solution.suppressed_rows;
    if (!holds && problem->treatment == MGL_DROP &&
        p->solution.suppressed_rows == problem->list->n_rows)
        return MGL_OK; /* the release says that nothing would be left */
    if (!holds || (rows > problem->limit && !unlimited))
        return mgl_blame_key(err, fail_unheld(p, rows, holds, err), "recoding");
    return MGL_OK;
}

/* ---- The release --------------------------------------------------------------------------- */

static void show_models(mgl_task *task, bool show);

/* What is promised about old and new rows together is held against both files. */
static mgl_status verify_joined(mgl_applied *p, const mgl_stage *staged, mgl_error *err,
                                mgl_found *found)
{
    show_models(p->task, true);
    MGL_TRY(mgl_joined_rows_verify(p->joined, mgl_stage_path(staged), err, found));
    for (size_t i = 0; i < mgl_task_models(p->task); i++)
        if (!found[i].holds)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "the rows that were written break a model together with those of the "
                            "earlier release; please report this");
    return MGL_OK;
}

static mgl_status write_release(mgl_applied *p, bool known, mgl_error *err, mgl_result **out)
{
    const mgl_settings *settings = p->reading->settings;
    mgl_found *found = mgl_zeroed_array(mgl_task_models(p->task), sizeof *found);
    mgl_failing failing = {0};
    mgl_written written = {0};
    mgl_stage *staged = NULL;
    mgl_result_files files = {0};
    mgl_result *result = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(found != NULL, err));
    if (p->joined != NULL) /* the new rows alone promise nothing */
        show_models(p->task, false);
    uint32_t *node = mgl_arena_alloc(p->arena, p->saved->n_quasi * sizeof *node);
    MGL_GO(mgl_check_memory(node != NULL, err));
    bool levels = mgl_rule_has_levels(p->saved);
    for (size_t a = 0; levels && a < p->saved->n_quasi; a++)
        node[p->of_saved[a]] = p->saved->quasi[a].tree->level;
    mgl_release_request request = {p->task,  p->reading, &p->solution,
                                   &failing, NULL,       levels ? node : NULL};
    MGL_GO(mgl_stage_release(&request, err, found, &written, &staged));
    if (p->joined != NULL)
        MGL_GO(verify_joined(p, staged, err, found));
    MGL_GO(report_applied(p, known, found, &written, err, &result));
    MGL_GO(mgl_result_stage(result, settings, err, &files));
    MGL_GO(mgl_release_publish(p->reading, staged, err));
    MGL_GO(mgl_result_publish(&files, err));
    *out = result;
    result = NULL;
done:
    mgl_release_end(p->reading, staged);
    mgl_result_files_free(&files);
    mgl_written_free(&written);
    mgl_free(found);
    mgl_result_free(result);
    return status;
}

static void show_models(mgl_task *task, bool show)
{
    size_t n = task->reading->settings->n_models;
    for (size_t q = 0; q < task->problem.n_sets; q++)
        task->sets[q].n_models = show ? n : 0;
}

/* In a slice, columns that follow others would show what the rows of the slice alone have in
 * common. */
static mgl_status refuse_followers(const mgl_applied *p, bool known, mgl_error *err)
{
    const mgl_settings *settings = p->reading->settings;
    if (!known || p->saved->n_parts < 2 || (settings->links.n == 0 && !settings->links.follow))
        return MGL_OK;
    return mgl_fail_key(
        err, MGL_CODE_CONFLICT, "linked",
        "columns that follow others (`linked`) would show more in a slice than in the whole table; "
        "leave such columns out (`role: identifier`), or apply the recoding to the whole table");
}

/* With an earlier release: reads it, or says why that cannot be. */
static mgl_status join_earlier(mgl_applied *p, bool known, mgl_error *err)
{
    const mgl_settings *settings = p->reading->settings;
    const char *why = NULL;
    if (p->with == NULL)
        return MGL_OK;
    if (known)
        why = "this slice was counted for the search, and keeps the promise with the others";
    else if (settings->links.n > 0 || settings->links.follow)
        why = "columns that follow others could show more than they did in the earlier release";
    else if (mgl_features_searching(p->reading) > 0)
        why = "combinations of items are not judged together with an earlier release";
    else if (mgl_settings_held(settings) > 0)
        why = "rows of an earlier release are not judged by strata (`by`)";
    else if (p->reading->entity != NULL)
        why = "nobody can tell which rows of a release belong to one person";
    else if (p->reading->engine.writes || p->reading->engine.loads || settings->output == NULL ||
             mgl_memory_name(settings->output) != NULL)
        why = "the new rows are read back from a file, and the output is none";
    if (why != NULL)
        return mgl_fail_key(err, MGL_CODE_CONFLICT, "with", "%s; leave out `with`", why);
    return mgl_joined_rows_new(p->reading, p->task, p->with, err, &p->joined);
}

typedef struct attempt {
    const mgl_saved_recoding *saved;
    const char *path; /* its file */
    const char *with; /* an earlier release; NULL: none */
    bool models;      /* those of the recoding are judged */
} attempt;

/* Data that is no slice must have k rows itself. Those of earlier releases count as well (`with`).
 */
static mgl_status refuse_too_few(const mgl_task *task, mgl_error *err)
{
    const mgl_quasi_set *set = task->problem.sets;
    for (size_t m = 0; task->problem.n_sets > 0 && m < set->n_models; m++) {
        mgl_model model = set->models[m];
        char key[80];
        if (model.type->k != MGL_K_IS || model.type->prepare == NULL)
            continue;
        snprintf(key, sizeof key, "privacy.%s", model.type->name);
        MGL_TRY(mgl_blame_key(err, model.type->prepare(&model, &task->facts, err), key));
    }
    return MGL_OK;
}

/* Reads the data as the job says, and releases it. *released is false if models were left out and
 * turn out to be needed. */
static mgl_status apply_as(mgl_session *session, mgl_job *job, const attempt *how, mgl_error *err,
                           bool *released, mgl_result **out)
{
    const mgl_saved_recoding *saved = how->saved;
    bool models = how->models;
    const mgl_settings *settings;
    mgl_settings slice;
    mgl_setup setup;
    bool known = false;
    MGL_TRY(mgl_job_of_recoding(job, saved, models, err));
    MGL_TRY(mgl_job_settings(job, MGL_ANONYMIZE, err, &settings));
    slice = *settings;
    slice.source.may_be_empty = true;
    slice.with = how->with;
    MGL_TRY(mgl_setup_begin(session, &slice, MGL_TO_RELEASE, err, &setup));
    mgl_applied p = {.saved = saved,
                     .reading = setup.reading,
                     .task = setup.task,
                     .path = how->path,
                     .with = how->with};
    p.arena = mgl_arena_new();
    mgl_status status = MGL_OK;
    *released = false;
    if (models && how->with == NULL)
        MGL_GO(refuse_too_few(setup.task, err));
    MGL_GO(p.arena == NULL ? mgl_fail_memory(err) : is_known(setup.reading, saved, err, &known));
    known = known && saved->n_quasi > 0; /* nothing else distinguishes tables */
    *released = known || models;
    slice.source.may_be_empty = known; /* data that is no slice must be a release by itself */
    if (known)
        show_models(setup.task, false);
    if (*released) {
        MGL_GO(refuse_followers(&p, known, err));
        for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
            if ((*f)->release != NULL && (*f)->release->recode != NULL)
                MGL_GO((*f)->release->recode(setup.reading, saved, err));
        MGL_GO(make_recoding(&p, known, err));
        MGL_GO(join_earlier(&p, known, err));
        if (!known && saved->n_quasi > 0)
            MGL_GO(treat_violating(&p, err));
        if (!known && settings->treatment != MGL_DROP)
            p.solution.suppressed_rows =
                mgl_recoding_mark_tops(p.solution.recoding, setup.task->problem.list->counts, NULL);
        MGL_GO(write_release(&p, known, err, out));
    }
done:
    if (status == MGL_UNMET && p.solution.recoding != NULL)
        mgl_refusal_report_applied(&setup, &p.solution, !known && p.joined == NULL, err);
    mgl_joined_rows_free(p.joined);
    mgl_recoding_free(p.solution.recoding);
    for (size_t a = 0; a < p.n_released; a++)
        mgl_released_column_free(p.released[a]);
    for (size_t a = 0; p.placed != NULL && a < saved->n_quasi; a++)
        mgl_placed_column_end(&p.placed[a]);
    mgl_arena_free(p.arena);
    mgl_setup_end(&setup);
    return status;
}

/* What the recoding remembers is put into a copy of the job, so that the settings are those of its
 * release. */
static mgl_status try_as(mgl_session *session, const mgl_job *job, const attempt *how,
                         mgl_error *err, bool *released, mgl_result **out)
{
    mgl_job *copy;
    static const char *const of_apply[] = {"recoding", "with", NULL};
    MGL_TRY(mgl_job_recall(job, of_apply, err, &copy));
    mgl_status status = apply_as(session, copy, how, err, released, out);
    mgl_job_free(copy);
    return status;
}

/* Data that comes through a pipe can be read once only. */
static bool reads_again(const mgl_job *job)
{
    const char *data = mgl_job_get(job, "data");
    mgl_file_state state;
    return data == NULL || mgl_sys_state_of(data, &state) != 0 || state.regular;
}

mgl_status mgl_command_apply(mgl_session *session, mgl_job *job, mgl_error *err, mgl_result **out)
{
    const char *path = mgl_job_get(job, "recoding");
    mgl_saved_recoding *saved;
    bool released = false;
    if (path == NULL)
        return mgl_fail_key(err, MGL_CODE_MISSING_KEY, "recoding",
                            "no recoding; name the file that `save-recoding` wrote");
    MGL_TRY(mgl_blame_key(err, mgl_saved_recoding_read(path, err, &saved), "recoding"));
    /* Models may need files that are not there where slices are released: first without models. */
    attempt how = {.saved = saved, .path = path, .with = mgl_job_get(job, "with")};
    mgl_status status = reads_again(job) ? try_as(session, job, &how, err, &released, out) : MGL_OK;
    how.models = true;
    if (status == MGL_OK && !released)
        status = try_as(session, job, &how, err, &released, out);
    mgl_saved_recoding_free(saved);
    return status;
}

static void warn(const mgl_applied *p, mgl_result *result)
{
    const mgl_ruled *ruled = &p->ruled;
    if (p->task->problem.treatment == MGL_EXEMPT && p->solution.suppressed_rows > 0)
        mgl_result_warn_exempt(result, p->solution.suppressed_rows);
    if (ruled->new_rows > 0)
        mgl_result_warn(result, "new-tuples",
                        "%llu rows have values, or combinations of them, that the recoding has not "
                        "seen; they are released as %s",
                        (unsigned long long)ruled->new_rows,
                        mgl_rule_has_levels(p->saved) ? "its hierarchies say"
                                                      : "recorded tuples that cover them");
    if (ruled->uncovered_rows > 0)
        mgl_result_warn(result, "uncovered-tuples",
                        "%llu rows are covered by no tuple of the recoding and are suppressed",
                        (unsigned long long)ruled->uncovered_rows);
    if (ruled->unplaced_rows > 0)
        mgl_result_warn(result, "unknown-tuples",
                        "%llu rows have values that the recoding does not know and are suppressed",
                        (unsigned long long)ruled->unplaced_rows);
    if (p->failing_rows > 0)
        mgl_result_warn(result, "treated-rows",
                        "%llu rows broke a model as the recoding releases them and are suppressed",
                        (unsigned long long)p->failing_rows);
    if (p->placed == NULL && ruled->unplaced_rows > 0)
        mgl_result_warn(result, "old-recoding",
                        "the recoding was saved by mingle %s, which did not save hierarchies; save "
                        "it again, so that other values find their place",
                        p->saved->version);
}

/* Rows by what the recoding says of them. */
static json_t *applied_json(const mgl_applied *p)
{
    json_t *applied = json_object();
    mgl_json_set(applied, "recorded_rows", mgl_json_count(p->ruled.recorded_rows));
    mgl_json_set(applied, "new_rows", mgl_json_count(p->ruled.new_rows));
    mgl_json_set(applied, "uncovered_rows", mgl_json_count(p->ruled.uncovered_rows));
    mgl_json_set(applied, "unplaced_rows", mgl_json_count(p->ruled.unplaced_rows));
    mgl_json_set(applied, "treated_rows", mgl_json_count(p->failing_rows));
    return applied;
}

/* The earlier release that the models were judged with. */
static json_t *with_json(const mgl_applied *p)
{
    json_t *with = json_object();
    mgl_json_set(with, "release", mgl_location_json(p->with));
    mgl_json_set(with, "rows", mgl_json_count(mgl_joined_rows_earlier(p->joined)));
    return with;
}

/* What a codebook wants to know: roles, the labels of tops, and levels if columns have one each. */
static void report_columns(const mgl_applied *p, json_t *document)
{
    const mgl_saved_recoding *saved = p->saved;
    bool levels = mgl_rule_has_levels(saved);
    json_t *columns = json_array(), *tops = json_object(), *node = json_object();
    json_t *heights = json_object();
    for (size_t c = 0; c < saved->n_columns; c++) {
        json_t *column = json_object();
        mgl_json_set(column, "column", json_string(saved->columns[c]));
        mgl_json_set(column, "role", json_string(mgl_role_name(saved->roles[c])));
        mgl_json_append(columns, column);
    }
    for (size_t a = 0; a < saved->n_quasi; a++) {
        const mgl_saved_quasi *quasi = &saved->quasi[a];
        mgl_json_set(tops, quasi->name, mgl_json_span(quasi->labels[quasi->top]));
        if (!levels)
            continue;
        mgl_json_set(node, quasi->name, mgl_json_count(quasi->tree->level));
        mgl_json_set(heights, quasi->name, mgl_json_count(quasi->tree->height));
    }
    mgl_json_set(document, "columns", columns);
    mgl_json_set(document, "tops", tops);
    if (saved->n_quasi > 0) {
        mgl_json_set(document, "node", levels ? json_incref(node) : json_null());
        mgl_json_set(document, "heights", levels ? json_incref(heights) : json_null());
    }
    json_decref(node);
    json_decref(heights);
}

/* ---- What a third person needs to verify the release ---------------------------------------- */

/* The rules of the hierarchies that the recoding holds; a hierarchy that was a file has none. */
static json_t *rules_json(const mgl_saved_recoding *saved)
{
    json_t *object = json_object();
    for (size_t a = 0; a < saved->n_quasi; a++) {
        const mgl_saved_tree *tree = saved->quasi[a].tree;
        bool rule = tree != NULL && tree->rule[0] != '\0';
        mgl_json_set(object, saved->quasi[a].name, rule ? json_string(tree->rule) : json_null());
    }
    return object;
}

static mgl_status report_files(const mgl_applied *p, json_t *audit, mgl_error *err)
{
    json_t *file;
    MGL_TRY(mgl_file_json(p->path, err, &file));
    mgl_json_set(audit, "recoding", file);
    if (p->joined == NULL)
        return MGL_OK;
    MGL_TRY(mgl_file_json(p->with, err, &file));
    mgl_json_set(audit, "with", file);
    return MGL_OK;
}

static mgl_status report_trail(const mgl_applied *p, const mgl_outcome *outcome, mgl_error *err,
                               json_t *document)
{
    json_t *audit;
    MGL_TRY(mgl_audit_json(outcome, err, &audit));
    mgl_json_set(document, "audit", audit);
    mgl_json_set(audit, "hierarchies", rules_json(p->saved));
    MGL_TRY(mgl_job_record_recoding(p->saved, err, json_object_get(audit, "job")));
    return report_files(p, audit, err);
}

/* Who hides among whom. Rows of an earlier release are not counted, so that nothing is reported
 * where new rows hide among these. */
static mgl_status report_classes(const mgl_applied *p, mgl_error *err, json_t *document)
{
    mgl_class_summary summary = {0};
    json_t *figures, *risk;
    MGL_TRY(mgl_summarize_recoding(p->task, p->solution.recoding, err, &summary));
    MGL_TRY(mgl_known_risk_json(p->task, p->solution.recoding, &summary, err, &risk));
    mgl_json_set(document, "risk", risk);
    MGL_TRY(mgl_both_sizes_json(&p->task->problem, p->solution.recoding, err, &figures));
    mgl_json_set(document, "classes", mgl_classes_json(&summary));
    mgl_json_set(document, "figures", figures);
    return MGL_OK;
}

/* What a release shows that promises something by itself. */
static mgl_status report_release(const mgl_applied *p, const mgl_found *found,
                                 const mgl_written *written, mgl_error *err, json_t *document)
{
    const mgl_settings *settings = p->reading->settings;
    mgl_outcome outcome = {.reading = p->reading,
                           .task = p->task,
                           .method = settings->method,
                           .solution = &p->solution,
                           .found = found,
                           .written = *written,
                           .output = settings->output};
    bool quasi = p->saved->n_quasi > 0;
    if (p->joined == NULL && quasi)
        MGL_TRY(report_classes(p, err, document));
    if (quasi) {
        mgl_json_set(document, "models", mgl_models_json(p->reading, p->task, found, false));
        mgl_features_add_facts(p->task, document);
    }
    mgl_json_set(document, "unchanged", mgl_unchanged_json(p->reading, written));
    return settings->brief ? MGL_OK : report_trail(p, &outcome, err, document);
}

/* ---- The result ----------------------------------------------------------------------------- */

static void report_rows(const mgl_applied *p, bool known, const mgl_written *written,
                        json_t *document)
{
    if (p->saved->n_quasi > 0)
        mgl_json_set(document, "method", json_string(p->saved->method));
    mgl_json_set(document, "rows", mgl_json_count(p->task->problem.list->n_rows));
    mgl_json_set(document, "released_rows", mgl_json_count(written->n_rows));
    mgl_json_set(document, "suppressed_rows", mgl_json_count(p->solution.suppressed_rows));
    mgl_result_add_left_out(p->reading, document);
    mgl_json_set(document, "counted", json_boolean(known));
    mgl_json_set(document, "applied", applied_json(p));
    if (p->joined != NULL)
        mgl_json_set(document, "with", with_json(p));
    report_columns(p, document);
}

static mgl_status tell(const mgl_applied *p, bool known, const mgl_found *found,
                       const mgl_written *written, mgl_error *err, mgl_result *result)
{
    json_t *document = result->document;
    report_rows(p, known, written, document);
    mgl_result_add_columns(result, p->reading);
    if (!known)
        MGL_TRY(report_release(p, found, written, err, document));
    mgl_features_describe(p->reading, written, result);
    mgl_features_warn(p->reading, result);
    mgl_json_set(document, "output", mgl_location_json(p->reading->settings->output));
    mgl_json_set(document, "sha256", json_string(written->sha256));
    if (written->rows_sha256[0] != '\0')
        mgl_json_set(document, "rows_sha256", json_string(written->rows_sha256));
    mgl_json_set(document, "warnings", json_array());
    if (known)
        mgl_result_warn(result, "slice",
                        "this slice was counted for the search: it keeps the promise of the "
                        "recoding together with the other slices, not by itself");
    warn(p, result);
    mgl_result_take_warnings(result, &p->reading->warnings);
    mgl_result_take_warnings(result, &written->warnings);
    mgl_result_take_objections(result, p->reading, written);
    return MGL_OK;
}

/* The result. known: the table is a slice that was counted for the search, which promises nothing
 * by itself; it has no audit trail. Free with mgl_result_free. */
static mgl_status report_applied(const mgl_applied *p, bool known, const mgl_found *found,
                                 const mgl_written *written, mgl_error *err, mgl_result **out)
{
    mgl_result *result;
    MGL_TRY(mgl_result_new("apply", err, &result));
    mgl_status status = tell(p, known, found, written, err, result);
    if (status == MGL_OK)
        *out = result;
    else
        mgl_result_free(result);
    return status;
}
