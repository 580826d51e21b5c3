/* Settles objections of the leak guard: a release is refused unless the job accepts them. Also the
 * leak guard at a table as it is. */
#include "pipeline/guard/guard.h"

bool mgl_is_unnamed(const mgl_settings *settings, const char *column)
{
    return !mgl_settings_declare(mgl_settings_attribute(settings, column));
}

bool mgl_leak_is_allowed(const mgl_settings *settings, const char *column)
{
    bool allowed = settings->accepted.leaks;
    for (size_t i = 0; !allowed && i < settings->accepted.n_columns; i++)
        allowed = strcmp(settings->accepted.columns[i], column) == 0;
    return allowed;
}

/* What needs two columns is accepted with both. */
static bool is_allowed(const mgl_settings *settings, const mgl_objection *objection)
{
    return mgl_leak_is_allowed(settings, objection->column) &&
           (objection->with == NULL || mgl_leak_is_allowed(settings, objection->with));
}

bool mgl_objection_is_refused(const mgl_settings *settings, const mgl_objection *objection)
{
    return !objection->warning && !is_allowed(settings, objection);
}

/* A message has room for so many bytes of lines; further columns are named without the evidence. */
enum { ROOM_FOR_LINES = 6000 };

static size_t refuse_column(const mgl_objections *objections, size_t i, mgl_buffer *lines,
                            mgl_buffer *names)
{
    size_t before = lines->size;
    mgl_buffer_text(lines, "  ");
    size_t next = mgl_objections_write(objections, i, lines);
    mgl_buffer_text(lines, "\n");
    if (lines->size <= ROOM_FOR_LINES || lines->failed)
        return next;
    lines->size = before;
    mgl_buffer_format(names, "%s %.60s", names->size == 0 ? "  and these columns:" : ",",
                      objections->list[i].column);
    if (objections->list[i].with != NULL)
        mgl_buffer_format(names, " with %.60s", objections->list[i].with);
    return next;
}

/* unnamed: each column would pass if the job named it, which is a matter of the job. */
static mgl_status fail(bool unnamed, const mgl_buffer *lines, const mgl_buffer *names,
                       mgl_error *err)
{
    const char *more = names->data != NULL ? names->data : "";
    if (lines->failed || names->failed)
        return mgl_fail_memory(err);
    if (unnamed)
        return mgl_fail_key(
            err, MGL_CODE_UNNAMED, "rest",
            "columns that the job does not name would pass through as they are (`rest: "
            "insensitive`), and others may know them; nothing was written:\n%.*s%.*s  `role: "
            "quasi`, `role: sensitive` or `role: identifier` gives a column a role, `role: "
            "insensitive` accepts it by its name",
            (int)lines->size, lines->data, (int)names->size, more);
    return mgl_fail_key(err, MGL_CODE_LEAK, "allow-leaks",
                        "the release would give persons away and was not written:\n%.*s%.*s  "
                        "`allow-leaks: COLUMN,...` writes it all the same",
                        (int)lines->size, lines->data, (int)names->size, more);
}

static mgl_status refuse(const mgl_settings *settings, const mgl_objections *objections,
                         mgl_error *err)
{
    mgl_buffer lines = {0}, names = {0};
    bool unnamed = true;
    size_t next;
    for (size_t i = 0; i < objections->n; i = next) {
        next = i + 1;
        if (!mgl_objection_is_refused(settings, &objections->list[i]))
            continue;
        unnamed = unnamed && objections->list[i].unnamed;
        next = refuse_column(objections, i, &lines, &names);
    }
    mgl_buffer_text(&names, names.size > 0 ? "\n" : "");
    mgl_status status = fail(unnamed, &lines, &names, err);
    mgl_buffer_free(&lines);
    mgl_buffer_free(&names);
    return status;
}

mgl_status mgl_settle_objections(const mgl_settings *settings, mgl_objections *objections,
                                 mgl_error *err)
{
    mgl_objections_sort(objections);
    for (size_t i = 0; i < objections->n; i++)
        if (mgl_objection_is_refused(settings, &objections->list[i]))
            return refuse(settings, objections, err);
    return MGL_OK;
}

static bool is_entity(const mgl_reading *reading, const char *name)
{
    const char *entity = reading->settings->persons.column;
    return entity != NULL && strcmp(entity, name) == 0;
}

/* What the leak guard knows of a column that is not generalized. */
static mgl_guarded_column guarded(const mgl_reading *reading, size_t c)
{
    const char *name = mgl_source_column(reading->source, c);
    const mgl_attribute_settings *declared = mgl_settings_attribute(reading->settings, name);
    mgl_cell_change change = declared != NULL ? declared->change : MGL_CELLS_STAY;
    mgl_role role = reading->roles[c];
    return (mgl_guarded_column){.name = name,
                                .open = role == MGL_ROLE_INSENSITIVE || role == MGL_ROLE_NONE,
                                .unnamed = mgl_is_unnamed(reading->settings, name),
                                .changed = change != MGL_CELLS_STAY,
                                .made_up = is_entity(reading, name) || change == MGL_CELLS_MADE_UP};
}

static mgl_status judge_column(const mgl_reading *reading, const mgl_table *table,
                               const mgl_column *values, size_t c, mgl_error *err,
                               mgl_objections *objections)
{
    mgl_guarded_column column = guarded(reading, c);
    uint64_t *rows;
    mgl_profile profile;
    MGL_TRY(mgl_count_values(table, values, err, &rows));
    mgl_status status = mgl_profile_of(column.name, values->dictionary, rows, err, &profile);
    mgl_free(rows);
    if (status == MGL_OK)
        mgl_guard_judge_profile(&column, &profile, objections);
    return status;
}

static mgl_status judge_some(const mgl_reading *reading, const size_t *columns, size_t n,
                             mgl_error *err, mgl_objections *objections)
{
    mgl_table *table = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_read_columns(reading->settings, reading->source, columns, n, err, &table));
    for (size_t i = 0; i < n; i++)
        MGL_GO(judge_column(reading, table, &table->columns[i], columns[i], err, objections));
done:
    mgl_table_free(table);
    return status;
}

/* Quasi-identifiers are judged by the models, and what is an identifier must not be there. */
static bool is_guarded(const mgl_reading *reading, size_t c)
{
    const char *name = mgl_source_column(reading->source, c);
    mgl_role role = reading->roles[c];
    return role != MGL_ROLE_QUASI && (role != MGL_ROLE_IDENTIFIER || is_entity(reading, name));
}

/* A file is read once; an engine counts one column after the other, since counting them together
 * would give the rows. */
mgl_status mgl_guard_as_is(const mgl_reading *reading, mgl_error *err, mgl_objections *objections,
                           size_t *n_columns)
{
    size_t n_all = mgl_source_columns(reading->source), n = 0;
    size_t *columns = mgl_alloc_array(n_all, sizeof *columns);
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(columns != NULL, err));
    for (size_t c = 0; c < n_all; c++)
        if (is_guarded(reading, c))
            columns[n++] = c;
    size_t step = mgl_source_counts(reading->source) ? 1 : n;
    for (size_t first = 0; first < n; first += step)
        MGL_GO(judge_some(reading, columns + first, step, err, objections));
    MGL_GO(mgl_features_remedy(reading, objections, err));
    mgl_objections_sort(objections);
    MGL_GO(objections->out_of_memory ? mgl_fail_memory(err) : MGL_OK);
    *n_columns = n;
done:
    mgl_free(columns);
    return status;
}
