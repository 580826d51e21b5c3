/* Writes the SQL with which an engine without a driver counts its table, takes the map, makes the
 * release and counts that again (`print-sql`). Nothing is read, and nothing of the data is in it
 * but names and the texts that mean missing. */
#include "io/sql/sql.h"

#include <stdio.h>

typedef struct script {
    const mgl_script_request *order;
    const mgl_sql_dialect *dialect;
    mgl_sql_cells cells;
    mgl_sql_location locations[2]; /* that these names are of */
    mgl_sql_table source, target;
    mgl_sql_table map, unchecked; /* beside the target: schema and catalog are its own */
} script;

const char *mgl_sql_dialect_name(size_t number)
{
    size_t n;
    const mgl_sql_dialect *all = mgl_sql_dialects(&n);
    return number < n ? all[number].name : NULL;
}

static mgl_status parse(const char *text, mgl_error *err, mgl_sql_location *out)
{
    const char *file = strrchr(text, '/');
    if (mgl_sql_driver_of(text) != NULL)
        return mgl_sql_location_parse(text, err, out);
    out->arena = mgl_arena_new();
    MGL_TRY(mgl_check_memory(out->arena != NULL, err));
    return mgl_sql_table_parse(file != NULL ? file + 1 : text, true, out->arena, err, &out->table);
}

/* The target's schema, and a name with a word behind it. */
static mgl_status name_beside(const script *s, const mgl_sql_table *target, const char *word,
                              mgl_error *err, mgl_sql_table *out)
{
    *out = *target;
    out->name = mgl_arena_format(s->locations[0].arena, "%s%s", target->name, word);
    return mgl_check_memory(out->name != NULL, err);
}

static mgl_status check_name(const script *s, const char *name, mgl_error *err)
{
    if (name == NULL || mgl_sql_can_be_name(s->dialect, name))
        return MGL_OK;
    return mgl_fail(err, MGL_CODE_BAD_VALUE,
                    "'%.60s' cannot be a name in this dialect, since it has a quote in it; make a "
                    "view with other names",
                    name);
}

static mgl_status check_names(const script *s, mgl_error *err)
{
    const mgl_script_request *o = s->order;
    const struct {
        const char *const *names;
        size_t n;
    } lists[] = {{o->quasi, o->n_quasi},
                 {o->released, o->n_quasi},
                 {o->sensitive, o->n_sensitive},
                 {o->passed, o->n_passed},
                 {&o->count, 1}};
    const char *const tables[] = {s->source.catalog, s->source.schema, s->source.name,
                                  s->target.catalog, s->target.schema, s->target.name};
    for (size_t l = 0; l < sizeof lists / sizeof lists[0]; l++)
        for (size_t i = 0; i < lists[l].n; i++)
            MGL_TRY(check_name(s, lists[l].names[i], err));
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        MGL_TRY(check_name(s, tables[i], err));
    return MGL_OK;
}

static mgl_status begin(script *s, mgl_error *err)
{
    const mgl_script_request *o = s->order;
    s->dialect = mgl_sql_dialect_find(o->dialect);
    s->cells = (mgl_sql_cells){o->missing, o->n_missing, o->no_value};
    MGL_TRY(parse(o->source, err, &s->locations[0]));
    s->source = s->locations[0].table;
    if (o->target != NULL)
        MGL_TRY(parse(o->target, err, &s->locations[1]));
    s->target = s->locations[1].table;
    if (o->target == NULL)
        MGL_TRY(name_beside(s, &s->source, "_release", err, &s->target));
    MGL_TRY(name_beside(s, &s->target, "_map", err, &s->map));
    MGL_TRY(name_beside(s, &s->target, "_unchecked", err, &s->unchecked));
    return check_names(s, err);
}

/* COALESCE(CAST(m."age" AS text), ''): in a file, a missing text and none look the same. */
static void write_map_cell(mgl_buffer *out, const script *s, const char *column)
{
    mgl_sql_cells plain = {.no_value = s->cells.no_value};
    mgl_sql_begin_compared(out, s->dialect);
    mgl_sql_write_key(out, s->dialect, &plain, "m", column);
    mgl_sql_end_compared(out, s->dialect);
}

/* Column i of what is counted: the quasi-identifiers, then the sensitive columns. What is missing
 * has one text, but for released cells, which are taken as they are. */
static void write_counted(mgl_buffer *out, const script *s, size_t i, bool released)
{
    const mgl_script_request *o = s->order;
    mgl_sql_cells plain = {.no_value = s->cells.no_value};
    bool quasi = i < o->n_quasi;
    mgl_sql_write_compared_key(out, s->dialect, quasi && released ? &plain : &s->cells, "s",
                               quasi ? o->quasi[i] : o->sensitive[i - o->n_quasi]);
}

/* Names that columns might have, too, stand in no GROUP BY. */
static void write_count(mgl_buffer *out, const script *s, const mgl_sql_table *table, bool released)
{
    const mgl_script_request *o = s->order;
    size_t n = o->n_quasi + o->n_sensitive;
    mgl_buffer_text(out, "SELECT ");
    for (size_t i = 0; i < n; i++) {
        char name[24];
        snprintf(name, sizeof name, "c%zu", i + 1);
        mgl_sql_write_uncompared(out, s->dialect, name);
        mgl_sql_append(out, s->dialect, " AS %i,\n       ",
                       i < o->n_quasi ? o->quasi[i] : o->sensitive[i - o->n_quasi]);
    }
    mgl_sql_append(out, s->dialect, "n AS %i\nFROM (SELECT %n%sCOUNT(*) AS n FROM (SELECT\n",
                   o->count, 'c', n, n > 0 ? ", " : "");
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_text(out, "        ");
        write_counted(out, s, i, released);
        mgl_buffer_format(out, " AS c%zu%s", i + 1, i + 1 < n ? ",\n" : "\n");
    }
    mgl_sql_append(out, s->dialect, "    FROM %t s) t GROUP BY %n) u", table, 'c', n);
}

static void write_map(mgl_buffer *out, const script *s)
{
    const mgl_script_request *o = s->order;
    mgl_sql_append(out, s->dialect, "CREATE TABLE %t", &s->map);
    for (size_t i = 0; i < 2 * o->n_quasi; i++) {
        bool key = i < o->n_quasi;
        mgl_sql_append(out, s->dialect, "%s\n    %i ", i > 0 ? "," : " (",
                       key ? o->quasi[i] : o->released[i - o->n_quasi]);
        if (key)
            mgl_sql_write_compared_type(out, s->dialect);
        else
            mgl_sql_write_plain_type(out, s->dialect);
    }
    mgl_sql_end_columns(out, s->dialect);
}

/* A released cell that is missing is NULL. */
static void write_released(mgl_buffer *out, const script *s, const char *column)
{
    mgl_buffer_text(out, "CASE WHEN ");
    write_map_cell(out, s, column);
    mgl_buffer_text(out, " = ");
    mgl_sql_write_compared_literal(out, s->dialect, s->cells.no_value);
    mgl_sql_append(out, s->dialect, " THEN NULL ELSE m.%i END AS ", column);
}

static void write_passed(mgl_buffer *out, const script *s, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        mgl_sql_append(out, s->dialect, ",\n    s.%i AS %i", names[i], names[i]);
}

static void write_release(mgl_buffer *out, const script *s)
{
    const mgl_script_request *o = s->order;
    mgl_sql_begin_make(out, s->dialect, "CREATE TABLE", &s->unchecked, NULL);
    mgl_buffer_text(out, "SELECT");
    for (size_t i = 0; i < o->n_quasi; i++) {
        mgl_buffer_text(out, i > 0 ? ",\n    " : "\n    ");
        write_released(out, s, o->released[i]);
        mgl_sql_identifier(out, s->dialect, o->quasi[i]);
    }
    write_passed(out, s, o->sensitive, o->n_sensitive);
    write_passed(out, s, o->passed, o->n_passed);
    mgl_sql_end_make(out, s->dialect, &s->unchecked);
    mgl_sql_append(out, s->dialect, "\nFROM %t s JOIN %t m", &s->source, &s->map);
    for (size_t i = 0; i < o->n_quasi; i++) {
        mgl_sql_append(out, s->dialect, "\n    %s %k = ", i > 0 ? "AND" : "ON", &s->cells, "s",
                       o->quasi[i]);
        if (s->dialect->indexes_columns)
            mgl_sql_write_column(out, s->dialect, "m", o->quasi[i]);
        else
            write_map_cell(out, s, o->quasi[i]);
    }
    if (o->shuffle)
        mgl_buffer_format(out, "\nORDER BY %s", s->dialect->random);
}

/* How the map gets in; nothing of a name may end the comment that it stands in. */
static void write_load(mgl_buffer *out, const script *s)
{
    mgl_buffer name = {0};
    mgl_sql_table_name(&name, s->dialect, &s->map);
    out->failed = out->failed || name.failed;
    for (size_t i = 0; i < name.size; i++)
        if ((unsigned char)name.data[i] < ' ')
            name.data[i] = '?';
    mgl_buffer_append(&name, "", 1);
    if (s->dialect->load != NULL && !name.failed)
        mgl_buffer_format(out, s->dialect->load, name.data);
    mgl_buffer_free(&name);
}

static void write_all(const script *s, mgl_buffer parts[MGL_SCRIPT_PARTS])
{
    const mgl_sql_dialect *dialect = s->dialect;
    mgl_buffer_text(&parts[MGL_SCRIPT_SETTING], dialect->setting != NULL ? dialect->setting : "");
    write_count(&parts[MGL_SCRIPT_COUNT], s, &s->source, false);
    mgl_buffer_text(&parts[MGL_SCRIPT_UNLOAD], dialect->unload != NULL ? dialect->unload : "");
    write_map(&parts[MGL_SCRIPT_MAP], s);
    write_load(&parts[MGL_SCRIPT_LOAD], s);
    write_release(&parts[MGL_SCRIPT_RELEASE], s);
    write_count(&parts[MGL_SCRIPT_VERIFY], s, &s->unchecked, true);
    mgl_sql_write_rename(&parts[MGL_SCRIPT_PUBLISH], dialect, &s->unchecked, s->target.name);
    mgl_sql_write_drop(&parts[MGL_SCRIPT_CLEAN], dialect, &s->map);
    mgl_sql_write_drop(&parts[MGL_SCRIPT_UNDO], dialect, &s->unchecked);
}

mgl_status mgl_script_make(const mgl_script_request *request, mgl_error *err,
                           char *parts[MGL_SCRIPT_PARTS])
{
    script s = {.order = request};
    mgl_buffer texts[MGL_SCRIPT_PARTS] = {{0}};
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < MGL_SCRIPT_PARTS; i++)
        parts[i] = NULL;
    MGL_GO(begin(&s, err));
    write_all(&s, texts);
    for (size_t i = 0; i < MGL_SCRIPT_PARTS; i++)
        MGL_GO(mgl_buffer_take(&texts[i], err, &parts[i]));
done:
    for (size_t i = 0; i < MGL_SCRIPT_PARTS; i++)
        mgl_buffer_free(&texts[i]);
    mgl_sql_location_free(&s.locations[0]);
    mgl_sql_location_free(&s.locations[1]);
    return status;
}
