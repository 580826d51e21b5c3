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
    if (said->with != NULL)
        mgl_json_set(object, "with", json_string(said->with));
    mgl_json_set(object, "message", message.failed ? NULL : json_string(message.data));
    mgl_json_append(list, object);
    if (!message.failed && said->warning)
        mgl_result_warn(result, said->code, "%s", message.data);
    else if (!message.failed)
        mgl_result_warn_of_leak(result, message.data);
    mgl_buffer_free(&message);
}

static bool concerns(const mgl_objection *said, const char *column)
{
    return strcmp(said->column, column) == 0 ||
           (said->with != NULL && strcmp(said->with, column) == 0);
}

/* By what the column was judged: all its rows, counts of them, or a sample. */
static const char *judged_by(const mgl_objections *objections, const char *column)
{
    for (size_t i = 0; i < objections->n_judged_by; i++)
        if (strcmp(objections->judged_by[i].column, column) == 0)
            return objections->judged_by[i].what;
    return "rows";
}

static bool was_judged(const mgl_objections *objections, const char *column)
{
    for (size_t i = 0; i < objections->n_judged_by; i++)
        if (strcmp(objections->judged_by[i].column, column) == 0)
            return true;
    return false;
}

/* How many pairs of columns were tested together, and which were not. */
static json_t *pairs_json(mgl_result *result, const mgl_objections *objections)
{
    json_t *pairs = json_object(), *left = json_array();
    for (size_t i = 0; i < objections->n_untested; i++) {
        const mgl_untested *u = &objections->untested[i];
        json_t *object = json_object(), *columns = json_array();
        mgl_json_append(columns, json_string(u->column));
        if (u->other != NULL)
            mgl_json_append(columns, json_string(u->other));
        mgl_json_set(object, "columns", columns);
        mgl_json_set(object, "reason", json_string(u->reason));
        mgl_json_append(left, object);
    }
    mgl_result_warn_of_pairs(result, left);
    mgl_json_set(pairs, "tested", json_integer((json_int_t)objections->n_pairs));
    mgl_json_set(pairs, "not_tested", left);
    return pairs;
}

static bool is_among(const json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(json_string_value(json_array_get(list, i)), text) == 0)
            return true;
    return false;
}

static void accept(json_t *accepted, const char *column)
{
    if (column != NULL && !is_among(accepted, column))
        mgl_json_append(accepted, json_string(column));
}

/* "alone": rows that are alone with the quasi-identifier and all columns that others may know
 * besides, if there are such. */
static void tell_alone(const mgl_reading *reading, const mgl_written *written, json_t *document)
{
    json_t *alone = json_object(), *known = json_array(), *besides = json_array();
    for (size_t a = 0; a < reading->n_quasi; a++)
        mgl_json_append(known, json_string(reading->quasi[a].settings->name));
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++)
        if (mgl_is_known_besides(reading, c))
            mgl_json_append(besides, json_string(mgl_source_column(reading->source, c)));
    bool any = json_array_size(besides) > 0;
    mgl_json_set(alone, "rows",
                 written->alone.counted ? mgl_json_count(written->alone.rows) : json_null());
    mgl_json_set(alone, "of", mgl_json_count(written->n_rows));
    mgl_json_set(alone, "known", known);
    mgl_json_set(alone, "besides", besides);
    if (any)
        mgl_json_set(document, "alone", json_incref(alone));
    json_decref(alone);
}

static void add_column(json_t *columns, const char *name, mgl_role role, bool looked_at,
                       const mgl_objections *objections)
{
    json_t *column = json_object(), *found = json_array();
    for (size_t i = 0; i < objections->n; i++) {
        if (!concerns(&objections->list[i], name))
            continue;
        if (strcmp(objections->list[i].code, MGL_GUARD_SKIPPED) == 0)
            looked_at = false;
        else
            mgl_json_append(found, json_string(objections->list[i].code));
    }
    mgl_json_set(column, "column", json_string(name));
    mgl_json_set(column, "role", json_string(mgl_role_name(role)));
    mgl_json_set(column, "looked_at", json_boolean(looked_at));
    if (looked_at)
        mgl_json_set(column, "by", json_string(judged_by(objections, name)));
    mgl_json_set(column, "found", found);
    mgl_json_append(columns, column);
}

/* Every released column that is no quasi-identifier, and what was found about it. Columns that are
 * passed through elsewhere are known by the counts that were given of them. */
static json_t *columns_json(const mgl_reading *reading, const mgl_objections *objections)
{
    const mgl_settings *settings = reading->settings;
    json_t *columns = json_array();
    bool given = settings->n_guard_counts > 0;
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++)
        if (mgl_role_passes(reading->roles[c]))
            add_column(columns, mgl_source_column(reading->source, c), reading->roles[c],
                       reading->counts == NULL || given, objections);
    for (size_t i = 0; given && i < settings->n_attributes; i++) {
        const mgl_attribute_settings *said = &settings->attributes[i];
        if (said->role == MGL_ROLE_INSENSITIVE &&
            mgl_source_find(reading->source, said->name) == SIZE_MAX)
            add_column(columns, said->name, said->role, was_judged(objections, said->name),
                       objections);
    }
    return columns;
}

void mgl_result_take_objections(mgl_result *result, const mgl_reading *reading,
                                const mgl_written *written)
{
    const mgl_objections *objections = &written->objections;
    json_t *leaks = json_array(), *warnings = json_array(), *accepted = json_array();
    for (size_t i = 0; i < objections->n; i++) {
        const mgl_objection *said = &objections->list[i];
        tell(result, said, said->warning ? warnings : leaks);
        if (said->warning)
            continue;
        accept(accepted, said->column);
        accept(accepted, said->with);
    }
    mgl_json_set(result->document, "leaks", leaks);
    json_t *guard = json_object();
    mgl_json_set(guard, "columns", columns_json(reading, objections));
    mgl_json_set(guard, "pairs", pairs_json(result, objections));
    mgl_json_set(guard, "warnings", warnings);
    mgl_json_set(guard, "accepted", accepted);
    mgl_json_set(result->document, "guard", guard);
    tell_alone(reading, written, result->document);
}
