/* Writes what each combination of ground values is released as, as a table (--save-map): for
 * engines that this program has no driver for. It holds ground values, so it stays with the holder.
 * `anonymize` calls it. */
#include "pipeline/write/map_rows.h"

#include <stdio.h>
#include <strings.h>

typedef struct map_table {
    const mgl_reading *reading;
    size_t n_columns; /* twice the quasi-identifiers */
    char **names;     /* [n_columns] */
    mgl_span *cells;  /* [n_columns] of one row */
    mgl_arena *arena;
} map_table;

/* Engines may not tell names apart by the case of their letters. */
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
    mgl_sink_order order = {.path = mgl_stage_path(stage),
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
    MGL_TRY(mgl_cell_reader_new(fd, t->n_columns, err, &order.rows));
    mgl_status status = mgl_sink_write(mgl_location_of(target).format, &order, err);
    mgl_cell_reader_free(order.rows);
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

mgl_status mgl_stage_map(const mgl_release_order *release, mgl_error *err, mgl_stage **out)
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
