/* Writes a solution to a stage, has it verified and guarded, and publishes it. Rows of a counted
 * table that are released alike become one: written one by one, they would show how many
 * combinations of ground values a class has, and how many records each of them. Where an engine
 * writes the release, push.c takes over. */
#include "pipeline/guard/guard.h"
#include "pipeline/write/writing.h"
#include "pipeline/write/plan.h"
#include "pipeline/write/write.h"

/* ---- Rows of a counted table ----------------------------------------------------------------- */

typedef struct grouping {
    const mgl_release_request *release;
    mgl_counted_groups *groups;
    mgl_tuple_finder *finder;
    mgl_map *seen;
    uint32_t *key; /* [n_key] released cells, then codes of sensitive columns */
    size_t n_key;
    uint64_t *sums; /* [group] */
    size_t *first;  /* [group] row */
    size_t room_sums, room_first;
} grouping;

static void end(grouping *g)
{
    mgl_tuple_finder_free(g->finder);
    mgl_map_free(g->seen);
    mgl_free(g->key);
    mgl_free(g->sums);
    mgl_free(g->first);
}

static mgl_status add_row(grouping *g, size_t row, mgl_error *err)
{
    const mgl_reading *reading = g->release->reading;
    const mgl_recoding *recoding = g->release->solution->recoding;
    uint32_t tuple, before = mgl_map_size(g->seen);
    mgl_tuple_find(g->finder, row, 1, &tuple);
    if (reading->settings->treatment == MGL_DROP && recoding->suppressed[tuple])
        return MGL_OK;
    for (size_t a = 0; a < reading->n_quasi; a++)
        g->key[a] = recoding->cells[a][tuple];
    for (size_t s = 0; s < reading->n_sensitive; s++)
        g->key[reading->n_quasi + s] = mgl_column_code(reading->cells[s].column, row);
    uint32_t group =
        mgl_map_add(g->seen, (mgl_span){(const char *)g->key, g->n_key * sizeof *g->key});
    if (group == MGL_NOT_FOUND ||
        !mgl_grow(&g->sums, &g->room_sums, before + (size_t)1, sizeof *g->sums) ||
        !mgl_grow(&g->first, &g->room_first, before + (size_t)1, sizeof *g->first))
        return mgl_fail_memory(err);
    if (group == before) {
        g->sums[group] = 0;
        g->first[group] = row;
    }
    g->groups->left_out[row] = group != before;
    g->sums[group] += reading->table->times[row];
    g->groups->n_records += reading->table->times[row];
    return MGL_OK;
}

/* The sums as a column, whose other rows are not released. */
static mgl_status write_sums(grouping *g, mgl_error *err)
{
    mgl_column *column = &g->groups->sums;
    size_t n_rows = g->release->reading->table->n_rows;
    uint32_t n_groups = mgl_map_size(g->seen);
    mgl_buffer text = {0};
    bool room = mgl_column_widen(column, 0, n_groups) && mgl_column_reserve(column, 0, n_rows);
    for (size_t row = 0; room && row < n_rows; row++)
        mgl_column_set(column, row, 0);
    for (uint32_t group = 0; room && group < n_groups; group++) {
        text.size = 0;
        mgl_buffer_format(&text, "%llu", (unsigned long long)g->sums[group]);
        uint32_t code =
            text.failed ? MGL_NOT_FOUND
                        : mgl_dictionary_add(column->dictionary, (mgl_span){text.data, text.size});
        room = code != MGL_NOT_FOUND;
        if (room)
            mgl_column_set(column, g->first[group], code);
    }
    mgl_buffer_free(&text);
    return room ? MGL_OK : mgl_fail_memory(err);
}

/* Nothing is done for a table that is not counted. Groups are equal in what quasi-identifiers are
 * released as and in sensitive columns. Free with counted_groups_free. */
static mgl_status counted_groups_make(mgl_counted_groups *groups,
                                      const mgl_release_request *release, mgl_error *err)
{
    grouping g = {.release = release, .groups = groups};
    if (release->reading->counts == NULL)
        return MGL_OK;
    mgl_status status = MGL_OK;
    const mgl_reading *reading = g.release->reading;
    size_t n_rows = reading->table->n_rows;
    g.n_key = reading->n_quasi + reading->n_sensitive;
    g.seen = mgl_map_new();
    g.key = mgl_alloc_array(g.n_key, sizeof *g.key);
    g.groups->left_out = mgl_zeroed_array(n_rows, 1);
    g.groups->sums.dictionary = mgl_dictionary_new();
    g.groups->sums.width = 1;
    MGL_GO(mgl_check_memory(g.seen != NULL && g.key != NULL && g.groups->left_out != NULL &&
                                g.groups->sums.dictionary != NULL,
                            err));
    MGL_GO(mgl_tuple_finder_new(g.release->task->problem.list, reading->bound, err, &g.finder));
    for (size_t row = 0; row < release->reading->table->n_rows; row++)
        MGL_GO(add_row(&g, row, err));
    MGL_GO(write_sums(&g, err));
done:
    end(&g);
    return status;
}

static void counted_groups_free(mgl_counted_groups *groups)
{
    mgl_free(groups->left_out);
    mgl_column_clear(&groups->sums);
}

/* ---- Writing --------------------------------------------------------------------------------- */

static mgl_status draw_order(const mgl_settings *settings, mgl_error *err, mgl_random *out)
{
    if (!settings->order.has_seed)
        return mgl_random_init(out, err);
    mgl_random_seed(out, settings->order.seed);
    return MGL_OK;
}

/* A table in memory is made, anything else is written to a file. */
static mgl_status write_rows(const mgl_release_plan *p, const mgl_release_request *release,
                             mgl_person_watch *persons, mgl_stage *stage, mgl_error *err,
                             mgl_written *written)
{
    const mgl_reading *reading = release->reading;
    const mgl_settings *settings = reading->settings;
    mgl_random random;
    MGL_TRY(draw_order(settings, err, &random));
    mgl_row_watch watch = mgl_person_watch_rows(persons);
    mgl_row_plan rows = {
        .source = reading->source,
        .n_rows = reading->table->n_rows,
        .columns = p->columns,
        .n_columns = p->n_columns,
        .quasi = reading->bound,
        .n_quasi = reading->n_quasi,
        .list = release->task->problem.list,
        .recoding = release->solution->recoding,
        .classes = release->solution->classes,
        .tuples = release->tuples,
        .drop_suppressed = settings->treatment == MGL_DROP,
        .left_out = p->groups.left_out,
        .shuffle = settings->order.keep ? NULL : &random,
        .memory = settings->limits.memory,
        .respelled = p->respelled,
        .changed = p->changed,
        .sums = reading->counts != NULL ? &p->groups.sums : NULL,
        .tag = p->tags.column,
        .tags = p->tags.of_row,
        .watch = &watch,
        .pool = reading->pool,
        .format = p->format,
        .roles = reading->roles,
        .neutralize = settings->neutralize,
        .by_release = settings->chosen.draws,
        .missing = settings->source.missing,
        .n_missing = settings->source.n_missing,
        .warnings = &written->warnings,
    };
    if (p->format->columns || p->format->save != NULL)
        return mgl_stage_rows(&rows, stage, &settings->progress, err, &written->n_rows);
    return mgl_write_rows(&rows, stage, reading->engine.loads ? "-" : settings->output,
                          &settings->progress, err, &written->n_rows);
}

/* The digest of what will be the rows of a table. */
static mgl_status digest_rows(const mgl_stage *stage, const mgl_source_options *options,
                              mgl_error *err, mgl_written *written)
{
    mgl_source_options as_written = {.format = options->format,
                                     .delimiter = options->delimiter,
                                     .no_header = options->no_header,
                                     .most_unpacked = UINT64_MAX,
                                     .as_written = true};
    mgl_source *source;
    MGL_TRY(mgl_source_open(mgl_stage_path(stage), &as_written, err, &source));
    mgl_status status = mgl_source_digest(source, err, written->rows_sha256);
    mgl_source_close(source);
    return status;
}

/* The promise of any release, for the verifier. */
static mgl_promise make_promise(const mgl_release_plan *p, const mgl_release_request *release,
                                const mgl_written *written)
{
    const mgl_settings *settings = release->reading->settings;
    mgl_promise promise = mgl_release_promise(p, written->n_rows);
    promise.source.encoding = NULL;
    promise.source.judges_header = false;
    promise.source.most_unpacked = UINT64_MAX; /* the file is our own, so no limit */
    promise.source.format = p->format;
    promise.memory = settings->limits.memory;
    promise.unhashed = settings->brief;
    promise.source.may_be_empty = settings->source.may_be_empty;
    promise.records.n = p->groups.n_records;
    return promise;
}

static mgl_status verify_file(const mgl_release_plan *p, const mgl_release_request *release,
                              mgl_stage *stage, mgl_error *err, mgl_found *found,
                              mgl_written *written)
{
    const mgl_reading *reading = release->reading;
    const mgl_stage *beside = mgl_stage_beside(stage);
    const mgl_settings *settings = reading->settings;
    mgl_promise promise = make_promise(p, release, written);
    promise.source.delimiter = mgl_source_dialect(reading->source)->delimiter;
    promise.source.no_header = !mgl_source_dialect(reading->source)->header && p->format->text;
    promise.neutralized = settings->neutralize;
    promise.source.beside = beside != NULL ? mgl_stage_path(beside) : NULL;
    mgl_verified verified;
    const char *path = mgl_stage_path(stage);
    MGL_TRY(mgl_verify(path, &promise, reading->pool, &settings->progress, err, found, &verified));
    MGL_TRY(mgl_promise_check(release->task, release->failing, found, err));
    if (settings->brief)
        return MGL_OK;
    /* Rows of a counted table may come again in another order, from an engine that counted. */
    if (reading->engine.loads || reading->counts != NULL)
        MGL_TRY(digest_rows(stage, &promise.source, err, written));
    if (reading->engine.loads)
        return MGL_OK;
    if (verified.sha256[0] == '\0')
        return mgl_sha256_of_file(mgl_stage_fd(stage), path, err, written->sha256, &written->bytes);
    strcpy(written->sha256, verified.sha256);
    written->bytes = verified.bytes;
    return MGL_OK;
}

/* How missing cells of quasi-identifiers read: in all columns the same. */
static mgl_span missing_text(const mgl_reading *reading)
{
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_dictionary *dictionary = reading->quasi[a].column->dictionary;
        uint32_t code = mgl_dictionary_missing(dictionary);
        if (code != MGL_NOT_FOUND)
            return mgl_dictionary_value(dictionary, code);
    }
    return reading->settings->source.no_value;
}

static mgl_status verify_table(const mgl_release_plan *p, const mgl_release_request *release,
                               const mgl_stage *stage, mgl_error *err, mgl_found *found,
                               mgl_written *written)
{
    const mgl_reading *reading = release->reading;
    mgl_promise promise = make_promise(p, release, written);
    promise.source.no_header = false;
    promise.source.names = NULL;
    promise.source.no_value = missing_text(reading);
    promise.no_value = reading->settings->source.no_value;
    struct ArrowArrayStream stream;
    mgl_verified verified;
    MGL_TRY(mgl_arrow_export(mgl_stage_table(stage), err, &stream));
    MGL_TRY(mgl_verify_stream(&stream, &promise, reading->pool, &reading->settings->progress, err,
                              found, &verified));
    strcpy(written->rows_sha256, verified.rows_sha256);
    return mgl_promise_check(release->task, release->failing, found, err);
}

static mgl_status guard(mgl_guarding *guarding, const mgl_release_request *release, mgl_error *err,
                        mgl_written *written)
{
    const mgl_settings *settings = release->reading->settings;
    if (settings->chosen.draws) /* nothing passes through, and no answer may depend on the rows */
        return MGL_OK;
    MGL_TRY(mgl_progress_report(&settings->progress, "guard", 0, 0, err));
    MGL_TRY(mgl_guarding_judge(guarding, err, &written->objections));
    if (settings->counted.n_for_guard > 0)
        MGL_TRY(mgl_guard_by_given_counts(release->task, release->reading, release->solution, err,
                                          &written->objections, &written->guard_groups));
    return mgl_features_object(release->task, release->solution, err, &written->objections);
}

mgl_status mgl_judge_solution(const mgl_task *task, mgl_solution *solution, mgl_error *err,
                              mgl_found *found, mgl_written *written)
{
    const mgl_problem *problem = &task->problem;
    uint64_t dropped = problem->treatment == MGL_DROP ? solution->suppressed_rows : 0;
    MGL_TRY(mgl_refuse_empty(problem->list->n_rows - dropped, err));
    MGL_TRY(mgl_solution_group(solution, problem, err));
    MGL_TRY(mgl_judge_classes(problem, solution->recoding, solution->classes, err, found));
    MGL_TRY(mgl_features_make(task, solution, false, err, written));
    written->n_rows = problem->list->n_rows - dropped;
    return MGL_OK;
}

/* A release that is a sheet is staged as a workbook of its own. */
static mgl_status make_stage(const mgl_reading *reading, const mgl_format *format, mgl_error *err,
                             mgl_stage **out)
{
    char *path;
    if (format->columns)
        return mgl_stage_new_table(reading->settings->output, err, out);
    MGL_TRY(mgl_location_file(reading->engine.loads ? "-" : reading->settings->output, err, &path));
    mgl_status status = mgl_release_stage(reading->settings, path, err, out);
    mgl_free(path);
    return status;
}

static mgl_status divide(const mgl_settings *settings, mgl_stage *stage, mgl_error *err,
                         mgl_written *written)
{
    if (settings->partitions.n == 0)
        return MGL_OK;
    MGL_TRY(mgl_release_divide(settings, stage, err));
    return settings->brief ? MGL_OK
                           : mgl_stage_sha256(stage, err, written->sha256, &written->bytes);
}

static mgl_status stage_once(const mgl_release_request *release, mgl_error *err, mgl_found *found,
                             mgl_written *written, mgl_stage **out)
{
    const mgl_task *task = release->task;
    const mgl_reading *reading = release->reading;
    mgl_release_plan p = {.arena = mgl_arena_new()};
    mgl_stage *stage = NULL;
    mgl_guarding *guarding = NULL;
    mgl_person_watch *persons = NULL;
    double start = mgl_sys_seconds();
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(p.arena != NULL, err));
    MGL_GO(mgl_progress_report(&reading->settings->progress, "write", 0, 0, err));
    MGL_GO(mgl_format_to_write(reading->settings->output, err, &p.format));
    if (reading->settings->neutralize && !p.format->text)
        MGL_GO(mgl_fail_key(err, MGL_CODE_CONFLICT, "neutralize",
                            "`neutralize` is for text that spreadsheets open, and the release is "
                            "of the format %s; leave it out",
                            p.format->name));
    MGL_GO(mgl_features_make(task, release->solution, true, err, written));
    if (mgl_features_searching(reading) > 0)
        start = mgl_sys_seconds(); /* searching is no part of writing */
    MGL_GO(mgl_release_plan_make(&p, task, reading, err, written));
    p.promise.node = release->node;
    MGL_GO(counted_groups_make(&p.groups, release, err));
    MGL_GO(mgl_guarding_new(task, reading, release->solution, p.followed, err, &guarding));
    MGL_GO(mgl_person_watch_new(task, reading, mgl_guarding_watch(guarding), err, &persons));
    MGL_GO(make_stage(reading, p.format, err, &stage));
    if (p.format->second != NULL)
        MGL_GO(mgl_stage_add_beside(stage, p.format->second, err));
    MGL_GO(write_rows(&p, release, persons, stage, err, written));
    if (!reading->settings->source.may_be_empty)
        MGL_GO(mgl_refuse_empty(written->n_rows, err));
    MGL_GO(mgl_row_tags_read(&p.tags, written->n_rows, err));
    double wrote = mgl_sys_seconds();
    MGL_GO(p.format->columns ? verify_table(&p, release, stage, err, found, written)
                             : verify_file(&p, release, stage, err, found, written));
    MGL_GO(divide(reading->settings, stage, err, written));
    MGL_GO(guard(guarding, release, err, written));
    MGL_GO(mgl_guarding_count_alone(guarding, err, &written->alone));
    MGL_GO(mgl_person_watch_judge(persons, err, &written->warnings));
    if (reading->counts != NULL) { /* results report records */
        written->n_groups = written->n_rows;
        written->n_rows = p.groups.n_records;
    }
    written->write_seconds = wrote - start;
    written->verify_seconds = mgl_sys_seconds() - wrote;
    *out = stage;
    stage = NULL;
done:
    mgl_person_watch_free(persons);
    mgl_guarding_free(guarding);
    mgl_row_tags_free(&p.tags);
    counted_groups_free(&p.groups);
    mgl_arena_free(p.arena);
    mgl_stage_free(stage);
    return status;
}

/* A release to which the leak guard objects is staged anew if a feature can do something about it.
 * Each time it does more, so this ends. */
static mgl_status stage_release(const mgl_release_request *release, mgl_error *err,
                                mgl_found *found, mgl_written *written, mgl_stage **out)
{
    const mgl_settings *settings = release->reading->settings;
    mgl_status status = stage_once(release, err, found, written, out);
    while (status == MGL_UNMET && mgl_features_obey(settings, written)) {
        mgl_objections_free(&written->objections);
        written->objections = (mgl_objections){0};
        written->warnings.size = 0;
        if (err != NULL)
            *err = (mgl_error){0};
        status = stage_once(release, err, found, written, out);
    }
    return status;
}

enum { ROWS_AHEAD = 1 << 17 }; /* fewer are found in no time */

mgl_status mgl_release_ahead(const mgl_task *task, const mgl_reading *reading, mgl_error *err,
                             mgl_row_tuples **out)
{
    const mgl_settings *settings = reading->settings;
    const mgl_table *table = reading->table;
    const mgl_format *format;
    bool rows_are_here = table->window == NULL && table->times == NULL &&
                         table->n_rows == task->problem.list->n_rows;
    *out = NULL;
    if (settings->dry_run || reading->engine.writes || reading->engine.loads || !rows_are_here ||
        table->n_rows < ROWS_AHEAD || mgl_pool_threads(reading->pool) == 1)
        return MGL_OK;
    MGL_TRY(mgl_format_to_write(settings->output, err, &format));
    return format->columns || format->save != NULL
               ? mgl_row_tuples_begin(task->problem.list, reading->bound, reading->pool, err, out)
               : MGL_OK;
}

mgl_status mgl_stage_release(const mgl_release_request *release, mgl_error *err, mgl_found *found,
                             mgl_written *written, mgl_stage **out)
{
    if (!release->reading->engine.writes)
        return stage_release(release, err, found, written, out);
    return mgl_push_release(release, err, found, written, out);
}

mgl_status mgl_release_publish(const mgl_reading *reading, mgl_stage *stage, mgl_error *err)
{
    if (reading->engine.writes)
        MGL_TRY(mgl_source_push(reading->source)->publish(reading->source, err));
    if (reading->engine.loads)
        return mgl_load_release(reading, stage, err);
    return stage != NULL ? mgl_stage_publish(stage, err) : MGL_OK;
}

void mgl_release_end(const mgl_reading *reading, mgl_stage *stage)
{
    if (reading->engine.writes)
        mgl_source_push(reading->source)->discard(reading->source);
    mgl_stage_free(stage);
}
