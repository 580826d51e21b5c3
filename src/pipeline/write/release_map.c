/* The map of a release: what each combination of ground values is released as, for engines that
 * write releases, and as a table for engines that this program has no driver for (--save-map). It
 * holds ground values, so it stays with the holder. */
#include "pipeline/write/release_map.h"

#include <stdio.h>
#include <strings.h>

/* ---- Rows of the map ------------------------------------------------------------------------- */

struct mgl_map_rows {
    const mgl_reading *reading;
    const mgl_recoding *recoding;
    bool drop;
    mgl_tuple_finder *finder;
    mgl_map *seen;
    uint32_t *codes; /* [n_quasi] */
    size_t row;
    uint32_t tuple; /* of the row given last */
    uint64_t times; /* records that it stands for, together with others of its tuple */
    bool *told;     /* [tuples] a row has stood for them */
    const mgl_frequency_list *list;
    bool failed;
};

mgl_status mgl_map_rows_new(const mgl_release_request *release, mgl_error *err, mgl_map_rows **out)
{
    const mgl_reading *reading = release->reading;
    mgl_map_rows *m = mgl_zeroed_array(1, sizeof *m);
    if (m == NULL)
        return mgl_fail_memory(err);
    m->reading = reading;
    m->recoding = release->solution->recoding;
    m->drop = reading->settings->treatment == MGL_DROP;
    m->list = release->task->problem.list;
    m->told = mgl_zeroed_array(m->list->n_tuples, sizeof *m->told);
    m->seen = mgl_map_new();
    m->codes = mgl_alloc_array(reading->n_quasi, sizeof *m->codes);
    mgl_status status =
        m->seen == NULL || m->codes == NULL || m->told == NULL
            ? mgl_fail_memory(err)
            : mgl_tuple_finder_new(release->task->problem.list, reading->bound, err, &m->finder);
    if (status == MGL_OK)
        *out = m;
    else
        mgl_map_rows_free(m);
    return status;
}

void mgl_map_rows_free(mgl_map_rows *m)
{
    if (m == NULL)
        return;
    mgl_tuple_finder_free(m->finder);
    mgl_map_free(m->seen);
    mgl_free(m->codes);
    mgl_free(m->told);
    mgl_free(m);
}

/* Ground values come again with other sensitive values. */
static bool is_new(mgl_map_rows *m)
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

bool mgl_map_rows_next(void *rows, mgl_span *cells)
{
    mgl_map_rows *m = rows;
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
        m->times = m->told[tuple] ? 0 : m->list->counts[tuple];
        m->told[tuple] = true;
        m->row++;
        return true;
    }
    return false;
}

const uint32_t *mgl_map_rows_tuple(const mgl_map_rows *m)
{
    return &m->tuple;
}

const uint64_t *mgl_map_rows_times(const mgl_map_rows *m)
{
    return &m->times;
}

bool mgl_map_rows_again(void *rows)
{
    mgl_map_rows *m = rows;
    mgl_map_free(m->seen);
    m->seen = mgl_map_new();
    m->row = 0;
    memset(m->told, 0, m->list->n_tuples * sizeof *m->told);
    return m->seen != NULL;
}

bool mgl_map_rows_failed(const mgl_map_rows *m)
{
    return m->failed;
}

mgl_status mgl_map_rows_compare(const mgl_release_request *release, mgl_error *err, bool *unchanged)
{
    size_t n = release->reading->n_quasi;
    mgl_map_rows *rows = NULL;
    mgl_span *cells = mgl_alloc_array(2 * n, sizeof *cells);
    mgl_status status = MGL_OK;
    if (cells == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_map_rows_new(release, err, &rows));
    while (memchr(unchanged, 1, n) != NULL && mgl_map_rows_next(rows, cells))
        for (size_t a = 0; a < n; a++)
            unchanged[a] =
                unchanged[a] && cells[n + a].data != NULL && mgl_span_equal(cells[a], cells[n + a]);
    if (mgl_map_rows_failed(rows))
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_map_rows_free(rows);
    mgl_free(cells);
    return status;
}

/* ---- Types of its columns -------------------------------------------------------------------- */

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

mgl_status mgl_map_rows_kinds(const mgl_release_request *release, mgl_error *err,
                              mgl_released_kind *out)
{
    for (size_t a = 0; a < release->reading->n_quasi; a++) {
        size_t n = release->solution->recoding->columns[a]->n_values;
        bool *seen = mgl_zeroed_array(n, sizeof *seen);
        if (seen == NULL)
            return mgl_fail_memory(err);
        out[a] = judge_column(release, a, seen);
        mgl_free(seen);
    }
    return MGL_OK;
}

/* ---- The map as a table ---------------------------------------------------------------------- */

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
        if (made[c] == NULL)
            return mgl_fail_memory(err);
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
    if (names == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < n; a++)
        names[a] = t->reading->quasi[a].settings->name;
    return mgl_map_names(names, n, t->arena, err, &t->names);
}

static mgl_status begin(map_table *t, mgl_error *err)
{
    t->arena = mgl_arena_new();
    if (t->arena == NULL)
        return mgl_fail_memory(err);
    t->cells = mgl_arena_alloc(t->arena, t->n_columns * sizeof *t->cells);
    return t->cells == NULL ? mgl_fail_memory(err) : name_columns(t, err);
}

static mgl_span cell_of(const map_table *t, size_t c)
{
    return t->cells[c].data != NULL ? t->cells[c] : t->reading->settings->source.no_value;
}

/* ---- As text --------------------------------------------------------------------- */

static void write_line(const map_table *t, mgl_buffer *out)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        mgl_text_quote(out, cell_of(t, c), ',', t->n_columns == 1);
        mgl_buffer_text(out, c + 1 < t->n_columns ? "," : "\n");
    }
}

static mgl_status write_lines(map_table *t, mgl_map_rows *rows, mgl_error *err, mgl_buffer *out)
{
    for (size_t c = 0; c < t->n_columns; c++)
        t->cells[c] = mgl_span_of(t->names[c]);
    write_line(t, out);
    while (mgl_map_rows_next(rows, t->cells) && !out->failed)
        write_line(t, out);
    return mgl_map_rows_failed(rows) || out->failed ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status stage_text(map_table *t, mgl_map_rows *rows, const char *target, mgl_error *err,
                             mgl_stage **out)
{
    mgl_buffer text = {0};
    mgl_status status = write_lines(t, rows, err, &text);
    if (status == MGL_OK)
        status = mgl_stage_text(target, (mgl_span){text.data, text.size}, err, out);
    mgl_buffer_free(&text);
    return status;
}

/* ---- By a sink ------------------------------------------------------------------- */

static mgl_status spool_rows(map_table *t, mgl_map_rows *rows, int fd, mgl_error *err,
                             uint64_t *n_rows)
{
    mgl_buffer cells = {0};
    mgl_status status = MGL_OK;
    for (*n_rows = 0; mgl_map_rows_next(rows, t->cells); ++*n_rows) {
        for (size_t c = 0; c < t->n_columns; c++)
            mgl_cells_put(&cells, cell_of(t, c));
        if (cells.failed || cells.size >= MGL_CELLS_AT_ONCE)
            MGL_GO(cells.failed ? mgl_fail_memory(err) : mgl_cells_flush(&cells, fd, err));
    }
    MGL_GO(mgl_map_rows_failed(rows) ? mgl_fail_memory(err) : mgl_cells_flush(&cells, fd, err));
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
    if (columns == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < t->n_columns; c++)
        columns[c] = (mgl_sink_column){.name = t->names[c], .exact = true};
    MGL_TRY(mgl_cell_reader_new(fd, t->n_columns, err, &request.rows));
    mgl_status status = mgl_sink_write(mgl_location_of(target).format, &request, err);
    mgl_cell_reader_free(request.rows);
    mgl_buffer_free(&warnings);
    return status;
}

static mgl_status stage_by_sink(map_table *t, mgl_map_rows *rows, const char *target,
                                mgl_error *err, mgl_stage **out)
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

/* ---- The map --------------------------------------------------------------------- */

mgl_status mgl_stage_map(const mgl_release_request *release, mgl_error *err, mgl_stage **out)
{
    const char *target = release->reading->settings->saved.map;
    map_table t = {.reading = release->reading, .n_columns = 2 * release->reading->n_quasi};
    mgl_map_rows *rows = NULL;
    *out = NULL;
    if (target == NULL)
        return MGL_OK;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&t, err));
    MGL_GO(mgl_map_rows_new(release, err, &rows));
    MGL_GO(mgl_location_of(target).format->sink != NULL ? stage_by_sink(&t, rows, target, err, out)
                                                        : stage_text(&t, rows, target, err, out));
done:
    mgl_map_rows_free(rows);
    mgl_arena_free(t.arena);
    return status;
}
