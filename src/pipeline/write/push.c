/* Push-down: the engine that holds the table writes the release, from a table that maps each
 * combination of ground values to what it is released as. Rows stay there; only counts leave, some
 * of them of a single row (`left_database` counts them). Also stages releases that are divided into
 * folders: the folders are read back and compared with the verified file. */
#include "pipeline/write/writing.h"
#include "pipeline/guard/guard.h"
#include "pipeline/read/read.h"
#include "pipeline/write/plan.h"

#include <stdio.h>
#include <strings.h>

/* The map of a release: what each combination of ground values is released as, each once; those
 * that are dropped are left out. It holds ground values, so it stays with the holder. */
typedef struct map_rows {
    const mgl_reading *reading;
    const mgl_recoding *recoding;
    bool drop;
    mgl_tuple_finder *finder;
    mgl_map *seen;
    uint32_t *codes; /* [n_quasi] */
    size_t row;
    uint32_t tuple;    /* of the row given last */
    uint64_t times;    /* records that it stands for, together with others of its tuple */
    bool *represented; /* [tuples] a row has stood for them */
    const mgl_frequency_list *list;
    bool failed;
} map_rows;

static void map_rows_free(map_rows *m)
{
    if (m == NULL)
        return;
    mgl_tuple_finder_free(m->finder);
    mgl_map_free(m->seen);
    mgl_free(m->codes);
    mgl_free(m->represented);
    mgl_free(m);
}

/* Free with map_rows_free. Borrows the order. */
static mgl_status map_rows_new(const mgl_release_request *release, mgl_error *err, map_rows **out)
{
    const mgl_reading *reading = release->reading;
    map_rows *m = mgl_zeroed_array(1, sizeof *m);
    MGL_TRY(mgl_check_memory(m != NULL, err));
    m->reading = reading;
    m->recoding = release->solution->recoding;
    m->drop = reading->settings->treatment == MGL_DROP;
    m->list = release->task->problem.list;
    m->represented = mgl_zeroed_array(m->list->n_tuples, sizeof *m->represented);
    m->seen = mgl_map_new();
    m->codes = mgl_alloc_array(reading->n_quasi, sizeof *m->codes);
    mgl_status status =
        m->seen == NULL || m->codes == NULL || m->represented == NULL
            ? mgl_fail_memory(err)
            : mgl_tuple_finder_new(release->task->problem.list, reading->bound, err, &m->finder);
    if (status == MGL_OK)
        *out = m;
    else
        map_rows_free(m);
    return status;
}

/* Ground values come again with other sensitive values. */
static bool is_new(map_rows *m)
{
    const mgl_reading *reading = m->reading;
    for (size_t a = 0; a < reading->n_quasi; a++)
        m->codes[a] = mgl_column_code(reading->quasi[a].column, m->row);
    uint32_t before = mgl_map_size(m->seen);
    mgl_span key = {(const char *)m->codes, reading->n_quasi * sizeof *m->codes};
    uint32_t number = mgl_map_add(m->seen, key);
    m->failed = m->failed || number == MGL_NOT_FOUND;
    return number == before;
}

/* An mgl_map_row_fn: the cells of the quasi-identifiers, then what they are released as. */
static bool map_rows_next(void *rows, mgl_span *cells)
{
    map_rows *m = rows;
    const mgl_reading *reading = m->reading;
    size_t n = reading->n_quasi;
    for (; m->row < reading->table->n_rows && !m->failed; m->row++) {
        uint32_t tuple;
        mgl_tuple_find(m->finder, m->row, 1, &tuple);
        if ((m->drop && m->recoding->suppressed[tuple]) || !is_new(m))
            continue;
        for (size_t a = 0; a < n; a++) {
            const mgl_released_column *column = m->recoding->columns[a];
            mgl_span label = column->values[m->recoding->cells[a][tuple]].label;
            cells[a] = mgl_dictionary_value(reading->quasi[a].column->dictionary, m->codes[a]);
            cells[n + a] = mgl_span_equal(label, reading->settings->source.no_value)
                               ? (mgl_span){NULL, 0}
                               : label;
        }
        m->tuple = tuple;
        m->times = m->represented[tuple] ? 0 : m->list->counts[tuple];
        m->represented[tuple] = true;
        m->row++;
        return true;
    }
    return false;
}

/* The tuple of the row that was given last. */
static const uint32_t *map_rows_tuple(const map_rows *m)
{
    return &m->tuple;
}

/* Records that it stands for: the first row of a tuple for all of them, others for none. */
static const uint64_t *map_rows_times(const map_rows *m)
{
    return &m->times;
}

/* Begins again with the first combination; false when memory is out. */
static bool map_rows_again(void *rows)
{
    map_rows *m = rows;
    mgl_map_free(m->seen);
    m->seen = mgl_map_new();
    m->row = 0;
    memset(m->represented, 0, m->list->n_tuples * sizeof *m->represented);
    return m->seen != NULL;
}

/* Was memory out before the end? */
static bool map_rows_failed(const map_rows *m)
{
    return m->failed;
}

/* Whether every row is released with the value it has, column by column: unchanged[n_quasi] states
 * which columns are asked about, and the answer. */
static mgl_status map_rows_compare(const mgl_release_request *release, mgl_error *err,
                                   bool *unchanged)
{
    size_t n = release->reading->n_quasi;
    map_rows *rows = NULL;
    mgl_span *cells = mgl_alloc_array(2 * n, sizeof *cells);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(cells != NULL, err));
    MGL_GO(map_rows_new(release, err, &rows));
    while (memchr(unchanged, 1, n) != NULL && map_rows_next(rows, cells))
        for (size_t a = 0; a < n; a++)
            unchanged[a] =
                unchanged[a] && cells[n + a].data != NULL && mgl_span_equal(cells[a], cells[n + a]);
    if (map_rows_failed(rows))
        MGL_GO(mgl_fail_memory(err));
done:
    map_rows_free(rows);
    mgl_free(cells);
    return status;
}

/* As engines write them: 0, -7, 120. */
static bool read_whole(mgl_span text, int64_t *out)
{
    bool minus = text.size > 0 && text.data[0] == '-';
    mgl_span digits = {text.data + minus, text.size - minus};
    uint64_t number;
    if (digits.size == 0 || digits.data[0] < '0' || digits.data[0] > '9' ||
        (digits.data[0] == '0' && (minus || digits.size > 1)) || !mgl_parse_u64(digits, &number) ||
        number > INT64_MAX)
        return false;
    *out = minus ? -(int64_t)number : (int64_t)number;
    return true;
}

static void judge_label(mgl_released_kind *kind, mgl_span label, bool ground)
{
    enum { DAY = 10 };
    double seconds;
    int64_t number = 0;
    kind->ground = kind->ground && ground;
    kind->days = kind->days && (ground || (label.size == DAY && mgl_date_read(label, &seconds)));
    kind->whole = kind->whole && read_whole(label, &number);
    kind->low = number < kind->low ? number : kind->low;
    kind->high = number > kind->high ? number : kind->high;
}

/* seen: [values of the column] which were judged before. */
static mgl_released_kind judge_column(const mgl_release_request *release, size_t quasi, bool *seen)
{
    const mgl_settings *settings = release->reading->settings;
    const mgl_recoding *recoding = release->solution->recoding;
    const mgl_dictionary *values = release->reading->quasi[quasi].column->dictionary;
    const mgl_spelling spelling = settings->source.spelling;
    mgl_released_kind kind = {.ground = true, .days = true, .whole = true};
    for (size_t t = 0; t < release->task->problem.list->n_tuples; t++) {
        uint32_t value = recoding->cells[quasi][t];
        if (seen[value] || (settings->treatment == MGL_DROP && recoding->suppressed[t]))
            continue;
        seen[value] = true;
        mgl_span label = recoding->columns[quasi]->values[value].label;
        /* A value that stands for several spellings need not be one of the engine. */
        bool ground = !spelling.trim && !spelling.fold_case &&
                      mgl_dictionary_find(values, label) != MGL_NOT_FOUND;
        if (!mgl_span_equal(label, settings->source.no_value))
            judge_label(&kind, label, ground);
    }
    return kind;
}

/* What the released texts of each column are: out[n_quasi]. */
static mgl_status map_rows_kinds(const mgl_release_request *release, mgl_error *err,
                                 mgl_released_kind *out)
{
    for (size_t a = 0; a < release->reading->n_quasi; a++) {
        size_t n = release->solution->recoding->columns[a]->n_values;
        bool *seen = mgl_zeroed_array(n, sizeof *seen);
        MGL_TRY(mgl_check_memory(seen != NULL, err));
        out[a] = judge_column(release, a, seen);
        mgl_free(seen);
    }
    return MGL_OK;
}

typedef struct map_table {
    const mgl_reading *reading;
    size_t n_columns; /* twice the quasi-identifiers */
    char **names;     /* [n_columns] */
    mgl_span *cells;  /* [n_columns] of one row */
    mgl_arena *arena;
} map_table;

/* Engines may take names for equal that differ in the case of their letters. */
static bool is_taken(char *const *made, const char *name, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (strcasecmp(made[c], name) == 0)
            return true;
    return false;
}

/* "age" and "released_age", with as many _ behind it as make it different from all others. */
mgl_status mgl_map_names(const char *const *names, size_t n, mgl_arena *arena, mgl_error *err,
                         char ***out)
{
    char **made = mgl_arena_alloc(arena, 2 * n * sizeof *made);
    for (size_t c = 0; made != NULL && c < 2 * n; c++) {
        const char *name = names[c % n];
        size_t room = sizeof "released_" + strlen(name) + 2 * n;
        made[c] = mgl_arena_alloc(arena, room);
        MGL_TRY(mgl_check_memory(made[c] != NULL, err));
        snprintf(made[c], room, "%s%s", c < n ? "" : "released_", name);
        while (c >= n && is_taken(made, made[c], c))
            strcat(made[c], "_");
    }
    *out = made;
    return made != NULL ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status name_columns(map_table *t, mgl_error *err)
{
    size_t n = t->reading->n_quasi;
    const char **names = mgl_arena_alloc(t->arena, n * sizeof *names);
    MGL_TRY(mgl_check_memory(names != NULL, err));
    for (size_t a = 0; a < n; a++)
        names[a] = t->reading->quasi[a].settings->name;
    return mgl_map_names(names, n, t->arena, err, &t->names);
}

static mgl_status begin(map_table *t, mgl_error *err)
{
    t->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(t->arena != NULL, err));
    t->cells = mgl_arena_alloc(t->arena, t->n_columns * sizeof *t->cells);
    return t->cells == NULL ? mgl_fail_memory(err) : name_columns(t, err);
}

static mgl_span cell_of(const map_table *t, size_t c)
{
    return t->cells[c].data != NULL ? t->cells[c] : t->reading->settings->source.no_value;
}

static void write_line(const map_table *t, mgl_buffer *out)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        mgl_text_quote(out, cell_of(t, c), ',', t->n_columns == 1);
        mgl_buffer_text(out, c + 1 < t->n_columns ? "," : "\n");
    }
}

static mgl_status stage_text(map_table *t, map_rows *rows, const char *target, mgl_error *err,
                             mgl_stage **out)
{
    mgl_buffer text = {0};
    for (size_t c = 0; c < t->n_columns; c++)
        t->cells[c] = mgl_span_of(t->names[c]);
    write_line(t, &text);
    while (map_rows_next(rows, t->cells) && !text.failed)
        write_line(t, &text);
    mgl_status status = map_rows_failed(rows) || text.failed ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = mgl_stage_text(target, (mgl_span){text.data, text.size}, err, out);
    mgl_buffer_free(&text);
    return status;
}

static mgl_status spool_rows(map_table *t, map_rows *rows, int fd, mgl_error *err, uint64_t *n_rows)
{
    mgl_buffer cells = {0};
    mgl_status status = MGL_OK;
    for (*n_rows = 0; map_rows_next(rows, t->cells); ++*n_rows) {
        for (size_t c = 0; c < t->n_columns; c++)
            mgl_cells_put(&cells, cell_of(t, c));
        if (cells.failed || cells.size >= MGL_CELLS_AT_ONCE)
            MGL_GO(cells.failed ? mgl_fail_memory(err) : mgl_cells_flush(&cells, fd, err));
    }
    MGL_GO(map_rows_failed(rows) ? mgl_fail_memory(err) : mgl_cells_flush(&cells, fd, err));
done:
    mgl_buffer_free(&cells);
    return status;
}

/* All columns are texts: they are looked up as such, and what is missing is a text, too. */
static mgl_status deliver(map_table *t, const mgl_stage *stage, const char *target, int fd,
                          uint64_t n_rows, mgl_error *err)
{
    mgl_buffer warnings = {0};
    mgl_sink_column *columns = mgl_arena_alloc(t->arena, t->n_columns * sizeof *columns);
    mgl_sink_request request = {.path = mgl_stage_path(stage),
                                .fd = mgl_stage_fd(stage),
                                .target = target,
                                .beside = -1,
                                .columns = columns,
                                .n_columns = t->n_columns,
                                .n_rows = n_rows,
                                .warnings = &warnings};
    MGL_TRY(mgl_check_memory(columns != NULL, err));
    for (size_t c = 0; c < t->n_columns; c++)
        columns[c] = (mgl_sink_column){.name = t->names[c], .exact = true};
    MGL_TRY(mgl_cell_reader_new(fd, t->n_columns, err, &request.rows));
    mgl_status status = mgl_sink_write(mgl_location_of(target).format, &request, err);
    mgl_cell_reader_free(request.rows);
    mgl_buffer_free(&warnings);
    return status;
}

static mgl_status stage_by_sink(map_table *t, map_rows *rows, const char *target, mgl_error *err,
                                mgl_stage **out)
{
    mgl_stage *stage = NULL;
    uint64_t n_rows;
    int fd = mgl_sys_spool();
    mgl_status status = MGL_OK;
    MGL_GO(fd < 0 ? mgl_fail_errno(err, target, "make a private file for") : MGL_OK);
    MGL_GO(spool_rows(t, rows, fd, err, &n_rows));
    MGL_GO(mgl_stage_new(target, err, &stage));
    MGL_GO(deliver(t, stage, target, fd, n_rows, err));
    *out = stage;
    stage = NULL;
done:
    mgl_stage_free(stage);
    if (fd >= 0)
        mgl_sys_close(fd);
    return status;
}

mgl_status mgl_stage_map(const mgl_release_request *release, mgl_error *err, mgl_stage **out)
{
    const char *target = release->reading->settings->saved.map;
    map_table t = {.reading = release->reading, .n_columns = 2 * release->reading->n_quasi};
    map_rows *rows = NULL;
    *out = NULL;
    if (target == NULL)
        return MGL_OK;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&t, err));
    MGL_GO(map_rows_new(release, err, &rows));
    MGL_GO(mgl_location_of(target).format->sink != NULL ? stage_by_sink(&t, rows, target, err, out)
                                                        : stage_text(&t, rows, target, err, out));
done:
    map_rows_free(rows);
    mgl_arena_free(t.arena);
    return status;
}

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

/* ---- Rows that the engine shows -------------------------------------------------------------- */

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
    MGL_TRY(mgl_check_memory(mgl_grow(&s->fields, &s->room, n_cells, sizeof *s->fields), err));
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

static mgl_status write_table(const mgl_push_operations *push, mgl_push_request *request,
                              const mgl_release_request *release, mgl_error *err)
{
    map_rows *rows;
    MGL_TRY(map_rows_new(release, err, &rows));
    request->next = map_rows_next;
    request->again = map_rows_again;
    request->context = rows;
    request->tuple = map_rows_tuple(rows);
    request->times = map_rows_times(rows);
    mgl_status status = push->write(release->reading->source, request, err);
    if (status == MGL_OK && map_rows_failed(rows))
        status = mgl_fail_memory(err);
    map_rows_free(rows);
    return status;
}

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
    size_t n = p->promise.n_tops + reading->n_sensitive;
    size_t *wanted = mgl_arena_alloc(p->arena, n * sizeof *wanted);
    mgl_table *table = NULL;
    MGL_TRY(mgl_check_memory(wanted != NULL, err));
    memcpy(wanted, p->promise.top_columns, p->promise.n_tops * sizeof *wanted);
    if (reading->n_sensitive > 0)
        memcpy(wanted + p->promise.n_tops, p->promise.sensitive_columns,
               reading->n_sensitive * sizeof *wanted);
    const char *before = mgl_progress_within("verify");
    mgl_status status = push->recount(reading->source, request, wanted, n, err, &table);
    mgl_progress_go_on(before);
    MGL_TRY(status);
    mgl_promise promise = mgl_release_promise(p, written->n_rows);
    mgl_fetched_groups_add(&written->verifier_groups, table);
    MGL_GO(check_rows(reading, table, written->n_rows, err));
    MGL_GO(mgl_verify_table(table, &promise, err, found));
    MGL_GO(mgl_promise_check(release->task, release->failing, found, err));
done:
    mgl_table_free(table);
    return status;
}

static mgl_status make_order(const mgl_release_plan *p, const mgl_release_request *release,
                             mgl_error *err, mgl_push_request *out)
{
    const mgl_reading *reading = release->reading;
    const mgl_settings *settings = reading->settings;
    size_t *keys = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *keys);
    bool *filled = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *filled);
    bool *unchanged = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *unchanged);
    mgl_released_kind *kinds = mgl_arena_alloc(p->arena, reading->n_quasi * sizeof *kinds);
    MGL_TRY(mgl_check_memory(keys != NULL && filled != NULL && unchanged != NULL && kinds != NULL,
                             err));
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_column *column = reading->quasi[a].column;
        keys[a] = column->source_index;
        filled[a] =
            mgl_dictionary_missing(column->dictionary) == MGL_NOT_FOUND &&
            mgl_dictionary_find(column->dictionary, settings->source.no_value) == MGL_NOT_FOUND;
        unchanged[a] = filled[a];
    }
    MGL_TRY(map_rows_compare(release, err, unchanged));
    MGL_TRY(map_rows_kinds(release, err, kinds));
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
    MGL_TRY(mgl_check_memory(wanted != NULL, err));
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
    p->promise.node = release->node;
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
