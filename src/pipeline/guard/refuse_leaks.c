/* Refuses a release to which the leak guard objects, unless the job accepts that. writing.c and
 * push.c ask before they publish. */
#include "pipeline/guard/guard.h"

bool mgl_is_unnamed(const mgl_settings *settings, const char *column)
{
    const mgl_attribute_settings *said = mgl_settings_attribute(settings, column);
    return said == NULL || (said->role == MGL_ROLE_NONE && said->treat == NULL);
}

static bool is_named(const mgl_settings *settings, const char *column)
{
    for (size_t i = 0; i < settings->accepted.n_columns; i++)
        if (strcmp(settings->accepted.columns[i], column) == 0)
            return true;
    return false;
}

/* What needs two columns is accepted with both. */
static bool is_allowed(const mgl_settings *settings, const mgl_objection *objection)
{
    return settings->accepted.leaks ||
           (is_named(settings, objection->column) &&
            (objection->with == NULL || is_named(settings, objection->with)));
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
    size_t next = mgl_objections_tell(objections, i, lines);
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
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_UNNAMED,
                     "columns that the job does not name would pass through as they are (`rest: "
                     "insensitive`), and others may know them; nothing was written:\n%.*s%.*s"
                     "  `role: quasi`, `role: sensitive` or `role: identifier` gives a column a "
                     "role, `role: insensitive` accepts it by its name",
                     (int)lines->size, lines->data, (int)names->size, more),
            "rest");
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_LEAK,
                 "the release would give persons away and was not written:\n%.*s%.*s"
                 "  `allow-leaks: COLUMN,...` writes it all the same",
                 (int)lines->size, lines->data, (int)names->size, more),
        "allow-leaks");
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
