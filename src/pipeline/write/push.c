/* Push-down: the engine that holds the table writes the release, from a table that maps each
 * combination of ground values to what it is released as. Rows stay there; only counts leave, some
 * of them of a single row (`left_database` counts them). Also stages releases that are divided into
 * folders: the folders are read back and compared with the verified file. */
#include "pipeline/write/push.h"
#include "pipeline/guard/guard.h"
#include "pipeline/read/read.h"
#include "pipeline/write/release_map.h"
#include "pipeline/write/person_watch.h"
#include "pipeline/write/plan.h"

/* ---- Folders --------------------------------------------------------------------------------- */

mgl_status mgl_release_stage(const mgl_settings *settings, const char *target, mgl_error *err,
                             mgl_stage **out)
{
    if (settings->partitions.n > 0)
        return mgl_stage_new_folder(target, settings->overwrite, err, out);
    return mgl_stage_new(target, err, out);
}

mgl_status mgl_release_divide(const mgl_settings *settings, mgl_stage *stage, mgl_error *err)
{
    mgl_partitions partitions = {.columns = settings->partitions.columns,
                                 .n_columns = settings->partitions.n,
                                 .threads = settings->limits.threads,
                                 .memory = settings->limits.memory,
                                 .target = settings->output};
    if (settings->partitions.n == 0)
        return MGL_OK;
    return mgl_blame_key(err, mgl_stage_divide(stage, &partitions, err), "partition-by");
}

/* ---- Rows that the engine shows -----------------------------------------------------------------
 */

typedef struct showing {
    mgl_row_watch watch;
    mgl_pool *pool;
    mgl_field *fields; /* as the watch wants cells */
    size_t room;
    const uint32_t *tuples;
    size_t n;
    const mgl_progress *progress;
    uint64_t n_rows, all;
} showing;

static void show_column(void *context, size_t column, unsigned worker)
{
    (void)worker;
    const showing *s = context;
    mgl_seen_rows rows = {s->fields + column, s->watch.n_columns, s->tuples, s->n};
    s->watch.see(s->watch.context, column, &rows);
}

static mgl_status show(void *context, const uint32_t *tuples, const mgl_span *cells, size_t n,
                       mgl_error *err)
{
    showing *s = context;
    size_t n_cells = n * s->watch.n_columns;
    if (!mgl_grow(&s->fields, &s->room, n_cells, sizeof *s->fields))
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n_cells; i++)
        s->fields[i] = (mgl_field){cells[i].data, (uint32_t)cells[i].size, false};
    s->tuples = tuples;
    s->n = n;
    mgl_pool_run(s->pool, s->watch.n_columns, show_column, s);
    s->n_rows += n;
    return mgl_progress_report(s->progress, "guard", s->n_rows, s->all, err);
}

/* Fills in the objections and warnings of written. */
static mgl_status guard_shown_rows(const mgl_release_request *release,
                                   const mgl_push_request *request, mgl_error *err,
                                   mgl_written *written)
{
    const mgl_reading *reading = release->reading;
    mgl_guarding *guarding = NULL;
    mgl_person_watch *persons = NULL;
    showing s = {.pool = reading->pool,
                 .progress = &reading->settings->progress,
                 .all = release->task->problem.list->n_rows};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_guarding_new(release->task, reading, release->solution, NULL, err, &guarding));
    MGL_GO(
        mgl_person_watch_new(release->task, reading, mgl_guarding_watch(guarding), err, &persons));
    s.watch = mgl_person_watch_rows(persons);
    mgl_push_rows rows = {s.watch.fields, s.watch.n_columns, show, &s};
    if (rows.n_columns > 0)
        MGL_GO(mgl_source_push(reading->source)->each_row(reading->source, request, &rows, err));
    MGL_GO(
        mgl_guarding_judge_by_counts(guarding, err, &written->objections, &written->guard_groups));
    MGL_GO(mgl_guarding_count_alone(guarding, err, &written->alone));
    MGL_GO(mgl_person_watch_judge(persons, err, &written->warnings));
done:
    mgl_person_watch_free(persons);
    mgl_guarding_free(guarding);
    mgl_free(s.fields);
    return status;
}

/* ---- The map ------------------------------------------------------------------------------- */

static mgl_status write_table(const mgl_push_operations *push, mgl_push_request *request,
                              const mgl_release_request *release, mgl_error *err)
{
    mgl_map_rows *rows;
    MGL_TRY(mgl_map_rows_new(release, err, &rows));
    request->next = mgl_map_rows_next;
    request->again = mgl_map_rows_again;
    request->context = rows;
    request->tuple = mgl_map_rows_tuple(rows);
    request->times = mgl_map_rows_times(rows);
    mgl_status status = push->write(release->reading->source, request, err);
    if (status == MGL_OK && mgl_map_rows_failed(rows))
        status = mgl_fail_memory(err);
    mgl_map_rows_free(rows);
    return status;
}

/* ---- Verifying ----------------------------------------------------------------------------- */

static mgl_status check_rows(const mgl_reading *reading, const mgl_table *table, uint64_t expected,
                             mgl_error *err)
{
    uint64_t n_rows = 0;
    for (size_t row = 0; row < table->n_rows; row++)
        n_rows += table->times[row];
    if (n_rows == expected)
        return MGL_OK;
    return mgl_fail_at(err, MGL_CODE_CHANGED, mgl_source_name(reading->source), 0,
                       "%llu rows were released where %llu were counted: the table was changed "
                       "meanwhile; run again when nothing writes to it",
                       (unsigned long long)n_rows, (unsigned long long)expected);
}

/* What the engine counts in the release is judged by the code that judges files. */
static mgl_status verify(const mgl_release_plan *p, const mgl_release_request *release,
                         const mgl_push_request *request, mgl_error *err, mgl_found *found,
                         mgl_written *written)
{
    const mgl_reading *reading = release->reading;
    const mgl_push_operations *push = mgl_source_push(reading->source);
    size_t n = p->n_tops + reading->n_sensitive;
    size_t *wanted = mgl_arena_alloc(p->arena, n * sizeof *wanted);
    mgl_table *table = NULL;
    if (wanted == NULL)
        return mgl_fail_memory(err);
    memcpy(wanted, p->top_columns, p->n_tops * sizeof *wanted);
    if (reading->n_sensitive > 0)
        memcpy(wanted + p->n_tops, p->sensitive_columns, reading->n_sensitive * sizeof *wanted);
    const char *before = mgl_progress_within("verify");
    mgl_status status = push->recount(reading->source, request, wanted, n, err, &table);
    mgl_progress_go_on(before);
    MGL_TRY(status);
    mgl_promise promise = mgl_release_promise(p, release->task, reading, written->n_rows);
    mgl_fetched_groups_add(&written->verifier_groups, table);
    MGL_GO(check_rows(reading, table, written->n_rows, err));
    MGL_GO(mgl_verify_table(table, &promise, err, found));
    MGL_GO(mgl_promise_check(release->task, release->failing, found, err));
done:
    mgl_table_free(table);
    return status;
}

/* ---- All ----------------------------------------------------------------------------------- */

static mgl_status make_order(const mgl_release_plan *p, const mgl_release_request *release,
                             mgl_error *err, mgl_push_request *out)
{
    const mgl_reading *reading = release->reading;
    const mgl_settings *settings = reading->settings;
    size_t *keys = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *keys);
    bool *filled = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *filled);
    bool *unchanged = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *unchanged);
    mgl_released_kind *kinds = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *kinds);
    if (keys == NULL || filled == NULL || unchanged == NULL || kinds == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_column *column = reading->quasi[a].column;
        keys[a] = column->source_index;
        filled[a] =
            mgl_dictionary_missing(column->dictionary) == MGL_NOT_FOUND &&
            mgl_dictionary_find(column->dictionary, settings->source.no_value) == MGL_NOT_FOUND;
        unchanged[a] = filled[a];
    }
    MGL_TRY(mgl_map_rows_compare(release, err, unchanged));
    MGL_TRY(mgl_map_rows_kinds(release, err, kinds));
    *out = (mgl_push_request){.target = settings->output,
                              .columns = p->columns,
                              .n_columns = p->n_columns,
                              .keys = keys,
                              .filled = filled,
                              .unchanged = unchanged,
                              .kinds = kinds,
                              .n_keys = reading->n_quasi,
                              .shuffle = !settings->order.keep,
                              .seed = settings->order.has_seed ? &settings->order.seed : NULL,
                              .overwrite = settings->overwrite,
                              .progress = &settings->progress};
    return MGL_OK;
}

/* Rows of the release that are alone with the quasi-identifier and what others may know besides. A
 * release on several servers has no engine that could count them. */
static mgl_status count_alone(const mgl_release_request *release, const mgl_push_request *request,
                              mgl_error *err, mgl_alone_rows *out)
{
    const mgl_reading *reading = release->reading;
    const mgl_push_operations *push = mgl_source_push(reading->source);
    size_t n = 0, *wanted = mgl_alloc_array(request->n_columns, sizeof *wanted);
    bool any = false;
    mgl_status status = MGL_OK;
    if (wanted == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < request->n_columns; c++) {
        bool besides = mgl_is_known_besides(reading, request->columns[c]);
        any = any || besides;
        if (besides || reading->roles[request->columns[c]] == MGL_ROLE_QUASI)
            wanted[n++] = c;
    }
    out->counted = any && push->ask_alone != NULL;
    if (out->counted)
        status = push->ask_alone(reading->source, request, wanted, n, err, &out->rows);
    mgl_free(wanted);
    return status;
}

/* By rows where they can be shown, else by counts. */
static mgl_status guard(const mgl_release_request *release, const mgl_push_request *request,
                        mgl_error *err, mgl_written *written)
{
    const mgl_reading *reading = release->reading;
    if (mgl_source_push(reading->source)->each_row != NULL)
        return guard_shown_rows(release, request, err, written);
    MGL_TRY(mgl_guard_by_counts(release->task, reading, release->solution, written->n_rows, err,
                                &written->objections, &written->guard_groups));
    MGL_TRY(count_alone(release, request, err, &written->alone));
    return mgl_persons_ask(reading, err, &written->warnings);
}

/* What the result reports of a file that was written. */
static mgl_status hash_stage(const mgl_reading *reading, const mgl_stage *stage, mgl_error *err,
                             mgl_written *written)
{
    if (stage == NULL || reading->settings->brief)
        return MGL_OK;
    return mgl_stage_sha256(stage, err, written->sha256, &written->bytes);
}

static mgl_status push_release(mgl_release_plan *p, const mgl_release_request *release,
                               mgl_stage *stage, mgl_error *err, mgl_found *found,
                               mgl_written *written)
{
    const mgl_task *task = release->task;
    const mgl_reading *reading = release->reading;
    const mgl_solution *solution = release->solution;
    const mgl_push_operations *push = mgl_source_push(reading->source);
    double start = mgl_sys_seconds();
    bool drop = reading->settings->treatment == MGL_DROP;
    mgl_push_request request;
    written->n_rows = task->problem.list->n_rows - (drop ? solution->suppressed_rows : 0);
    if (!reading->settings->source.may_be_empty)
        MGL_TRY(mgl_refuse_empty(written->n_rows, err));
    MGL_TRY(mgl_progress_report(&reading->settings->progress, "write", 0, 0, err));
    MGL_TRY(mgl_release_plan_make(p, task, reading, err, written));
    MGL_TRY(make_order(p, release, err, &request));
    request.path = stage != NULL ? mgl_stage_path(stage) : NULL;
    request.warnings = &written->warnings;
    MGL_TRY(write_table(push, &request, release, err));
    double wrote = mgl_sys_seconds();
    MGL_TRY(verify(p, release, &request, err, found, written));
    if (reading->settings->signing.key != NULL && stage == NULL)
        MGL_TRY(push->digest(reading->source, err, written->rows_sha256));
    MGL_TRY(mgl_release_divide(reading->settings, stage, err));
    MGL_TRY(hash_stage(reading, stage, err, written));
    MGL_TRY(guard(release, &request, err, written));
    written->write_seconds = wrote - start;
    written->verify_seconds = mgl_sys_seconds() - wrote;
    return mgl_features_object(release->task, release->solution, err, &written->objections);
}

mgl_status mgl_push_release(const mgl_release_request *release, mgl_error *err, mgl_found *found,
                            mgl_written *written, mgl_stage **out)
{
    mgl_release_plan p = {.arena = mgl_arena_new()};
    const mgl_reading *reading = release->reading;
    bool file = mgl_source_push(reading->source)->files;
    mgl_stage *stage = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(p.arena == NULL ? mgl_fail_memory(err) : MGL_OK);
    if (file)
        MGL_GO(mgl_release_stage(reading->settings, reading->settings->output, err, &stage));
    MGL_GO(push_release(&p, release, stage, err, found, written));
    *out = stage;
    stage = NULL;
done:
    mgl_stage_free(stage);
    mgl_arena_free(p.arena);
    return status;
}

mgl_status mgl_load_release(const mgl_reading *reading, const mgl_stage *stage, mgl_error *err)
{
    const mgl_settings *settings = reading->settings;
    size_t n_formats;
    mgl_source_options options = {.format = mgl_formats(&n_formats)[0],
                                  .delimiter = mgl_source_dialect(reading->source)->delimiter,
                                  .no_header = !mgl_source_dialect(reading->source)->header};
    mgl_source *staged;
    MGL_TRY(mgl_source_open(mgl_stage_path(stage), &options, err, &staged));
    mgl_load_request request = {.target = settings->output,
                                .overwrite = settings->overwrite,
                                .no_value = settings->source.no_value,
                                .progress = &settings->progress};
    mgl_status status = mgl_table_load(&request, staged, err);
    mgl_source_close(staged);
    return status;
}
