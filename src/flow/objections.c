/* What becomes of what the leak guard found: refused, accepted, or told. */
#include "flow/plan.h"

static bool is_allowed(const mgl_settings *settings, const mgl_objection *objection)
{
    bool allowed = settings->allow_leaks;
    for (size_t i = 0; !allowed && i < settings->n_allowed; i++)
        allowed = strcmp(settings->allowed[i], objection->column) == 0;
    return allowed;
}

static bool is_refused(const mgl_settings *settings, const mgl_objection *objection)
{
    return !objection->warning && !is_allowed(settings, objection);
}

/* ---- Refused ------------------------------------------------------------------------------ */

/* A message has so much room for lines; columns beyond are named without the evidence. */
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
    return next;
}

static mgl_status refuse(const mgl_settings *settings, const mgl_objections *objections,
                         mgl_error *err)
{
    mgl_buffer lines = {0}, names = {0};
    size_t next;
    for (size_t i = 0; i < objections->n; i = next) {
        next = i + 1;
        if (is_refused(settings, &objections->list[i]))
            next = refuse_column(objections, i, &lines, &names);
    }
    mgl_buffer_text(&names, names.size > 0 ? "\n" : "");
    mgl_status status =
        lines.failed || names.failed
            ? mgl_fail_memory(err)
            : mgl_fail(err, MGL_UNMET,
                       "the release would give persons away and was not written:\n%.*s%.*s"
                       "  --allow-leaks COLUMN,... writes it all the same",
                       (int)lines.size, lines.data, (int)names.size,
                       names.data != NULL ? names.data : "");
    mgl_buffer_free(&lines);
    mgl_buffer_free(&names);
    return status;
}

mgl_status mgl_settle_objections(const mgl_settings *settings, mgl_objections *objections,
                                 mgl_error *err)
{
    mgl_objections_sort(objections);
    for (size_t i = 0; i < objections->n; i++)
        if (is_refused(settings, &objections->list[i]))
            return refuse(settings, objections, err);
    return MGL_OK;
}

/* ---- Told --------------------------------------------------------------------------------- */

static void tell(mgl_result *result, const mgl_objection *said, json_t *list)
{
    mgl_buffer message = {0};
    mgl_objections_tell(&(mgl_objections){.list = (mgl_objection *)said, .n = 1}, 0, &message);
    mgl_buffer_append(&message, "", 1);
    json_t *object = json_object();
    mgl_json_set(object, "code", json_string(said->code));
    mgl_json_set(object, "column", json_string(said->column));
    mgl_json_set(object, "message", message.failed ? NULL : json_string(message.data));
    mgl_json_append(list, object);
    if (!message.failed && said->warning)
        mgl_result_warn(result, said->code, "%s", message.data);
    else if (!message.failed)
        mgl_result_warn(result, "leak-allowed", "released all the same: %s", message.data);
    mgl_buffer_free(&message);
}

/* Every released column that is no quasi-identifier, and what was found about it. */
static json_t *columns_json(const mgl_reading *reading, const mgl_objections *objections)
{
    json_t *columns = json_array();
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++) {
        const char *name = mgl_source_column(reading->source, c);
        if (!mgl_role_passes(reading->roles[c]))
            continue;
        json_t *column = json_object(), *found = json_array();
        bool looked_at = true;
        for (size_t i = 0; i < objections->n; i++) {
            if (strcmp(objections->list[i].column, name) != 0)
                continue;
            if (strcmp(objections->list[i].code, MGL_GUARD_SKIPPED) == 0)
                looked_at = false;
            else
                mgl_json_append(found, json_string(objections->list[i].code));
        }
        mgl_json_set(column, "column", json_string(name));
        mgl_json_set(column, "role", json_string(mgl_role_name(reading->roles[c])));
        mgl_json_set(column, "looked_at", json_boolean(looked_at));
        mgl_json_set(column, "found", found);
        mgl_json_append(columns, column);
    }
    return columns;
}

void mgl_result_take_objections(mgl_result *result, const mgl_reading *reading,
                                const mgl_objections *objections)
{
    json_t *leaks = json_array(), *warnings = json_array(), *accepted = json_array();
    for (size_t i = 0; i < objections->n; i++) {
        const mgl_objection *said = &objections->list[i];
        bool first = i == 0 || said[-1].warning != said->warning ||
                     strcmp(said[-1].column, said->column) != 0;
        tell(result, said, said->warning ? warnings : leaks);
        if (first && !said->warning)
            mgl_json_append(accepted, json_string(said->column));
    }
    mgl_json_set(result->document, "leaks", leaks);
    json_t *guard = json_object();
    mgl_json_set(guard, "columns", columns_json(reading, objections));
    mgl_json_set(guard, "warnings", warnings);
    mgl_json_set(guard, "accepted", accepted);
    mgl_json_set(result->document, "guard", guard);
}
