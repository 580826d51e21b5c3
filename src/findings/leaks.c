/* Tells what the leak guard looked at, what it found, and what the job accepted all the same. For
 * results of `anonymize` and `apply`. */
#include "findings/describe.h"

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
        bool looked_at = reading->counts == NULL || reading->settings->n_guard_counts > 0;
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
