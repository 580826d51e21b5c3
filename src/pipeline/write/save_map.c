/* Writes what each combination of ground values is released as, as a table (--save-map): for
 * engines that this program has no driver for. It holds ground values, so it stays with the holder.
 * `anonymize` calls it. */
#include "pipeline/write/map_rows.h"

#include <stdio.h>

typedef struct map_table {
    const mgl_reading *reading;
    size_t n_columns; /* twice the quasi-identifiers */
    char **names;     /* [n_columns] */
    mgl_span *cells;  /* [n_columns] of one row */
    mgl_arena *arena;
} map_table;

static bool is_taken(const map_table *t, const char *name, size_t n)
{
    for (size_t c = 0; c < n; c++)
        if (strcmp(t->names[c], name) == 0)
            return true;
    return false;
}

/* "age" and "released_age", with as many _ behind it as make it different from all others. */
static mgl_status name_columns(map_table *t, mgl_error *err)
{
    size_t n = t->reading->n_quasi;
    for (size_t c = 0; c < t->n_columns; c++) {
        const char *name = t->reading->quasi[c % n].settings->name;
        size_t room = sizeof "released_" + strlen(name) + t->n_columns;
        char *made = mgl_arena_alloc(t->arena, room);
        if (made == NULL)
            return mgl_fail_memory(err);
        snprintf(made, room, "%s%s", c < n ? "" : "released_", name);
        while (c >= n && is_taken(t, made, c))
            strcat(made, "_");
        t->names[c] = made;
    }
    return MGL_OK;
}

static mgl_status begin(map_table *t, mgl_error *err)
{
    t->arena = mgl_arena_new();
    if (t->arena == NULL)
        return mgl_fail_memory(err);
    t->names = mgl_arena_alloc(t->arena, t->n_columns * sizeof *t->names);
    t->cells = mgl_arena_alloc(t->arena, t->n_columns * sizeof *t->cells);
    return t->names == NULL || t->cells == NULL ? mgl_fail_memory(err) : name_columns(t, err);
}

static void write_line(const map_table *t, mgl_buffer *out)
{
    for (size_t c = 0; c < t->n_columns; c++) {
        mgl_span cell = t->cells[c].data != NULL ? t->cells[c] : (mgl_span){"", 0};
        mgl_text_quote(out, cell, ',', t->n_columns == 1);
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

mgl_status mgl_stage_map(const mgl_release_order *release, mgl_error *err, mgl_stage **out)
{
    const char *target = release->reading->settings->save_map;
    map_table t = {.reading = release->reading, .n_columns = 2 * release->reading->n_quasi};
    mgl_map_rows *rows = NULL;
    mgl_buffer text = {0};
    *out = NULL;
    if (target == NULL)
        return MGL_OK;
    mgl_status status = MGL_OK;
    MGL_GO(begin(&t, err));
    MGL_GO(mgl_map_rows_new(release, err, &rows));
    MGL_GO(write_lines(&t, rows, err, &text));
    MGL_GO(mgl_stage_text(target, (mgl_span){text.data, text.size}, err, out));
done:
    mgl_map_rows_free(rows);
    mgl_buffer_free(&text);
    mgl_arena_free(t.arena);
    return status;
}
