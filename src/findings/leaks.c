/* Result sections of the leak guard: what it looked at, what it found, and what the job accepted
 * all the same. */
#include "findings/describe.h"

#include <stdlib.h>

static void add_objection(mgl_result *result, const mgl_objection *objection, json_t *list)
{
    mgl_buffer message = {0};
    mgl_objections_write(&(mgl_objections){.list = (mgl_objection *)objection, .n = 1}, 0,
                         &message);
    mgl_buffer_append(&message, "", 1);
    json_t *object = json_object();
    mgl_json_set(object, "code", json_string(objection->code));
    mgl_json_set(object, "column", json_string(objection->column));
    if (objection->with != NULL)
        mgl_json_set(object, "with", json_string(objection->with));
    mgl_json_set(object, "message", message.failed ? NULL : json_string(message.data));
    mgl_json_append(list, object);
    if (!message.failed && objection->warning)
        mgl_result_warn(result, objection->code, "%s", message.data);
    else if (!message.failed)
        mgl_result_warn_of_leak(result, message.data);
    mgl_buffer_free(&message);
}

/* A column, and the number of what is known of it. */
typedef struct named {
    const char *column;
    size_t number;
} named;

/* Entries of lists, in the order of their columns. */
typedef struct by_column {
    named *list;
    size_t n;
} by_column;

typedef struct columns_index {
    by_column objections; /* those that concern a column */
    by_column judged_by;
} columns_index;

static const mgl_sort_key by_name[] = {MGL_ASCENDING(named, column), MGL_ASCENDING(named, number),
                                       MGL_SORT_END};

static void add_named(by_column *out, const char *column, size_t number)
{
    out->list[out->n++] = (named){column, number};
}

static void sort_named(by_column *list)
{
    if (list->n > 1)
        mgl_sort(list->list, list->n, sizeof *list->list, by_name);
}

/* False: memory is out. Free with free_index, also then. */
static bool make_index(const mgl_objections *objections, columns_index *out)
{
    size_t n = objections->n, n_judged = objections->n_judged_by;
    out->objections.list = mgl_alloc_array(2 * n + 1, sizeof *out->objections.list);
    out->judged_by.list = mgl_alloc_array(n_judged + 1, sizeof *out->judged_by.list);
    if (out->objections.list == NULL || out->judged_by.list == NULL)
        return false;
    for (size_t i = 0; i < n; i++) {
        const mgl_objection *objection = &objections->list[i];
        add_named(&out->objections, objection->column, i);
        if (objection->with != NULL && strcmp(objection->with, objection->column) != 0)
            add_named(&out->objections, objection->with, i);
    }
    for (size_t i = 0; i < n_judged; i++)
        add_named(&out->judged_by, objections->judged_by[i].column, i);
    sort_named(&out->objections);
    sort_named(&out->judged_by);
    return true;
}

/* The first entry of a column, or where it would be. */
static size_t find_named(const by_column *list, const char *column)
{
    size_t from = 0, to = list->n;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (strcmp(list->list[middle].column, column) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static bool is_named(const by_column *list, size_t i, const char *column)
{
    return i < list->n && strcmp(list->list[i].column, column) == 0;
}

static bool was_judged(const columns_index *index, const char *column)
{
    return is_named(&index->judged_by, find_named(&index->judged_by, column), column);
}

/* By what the column was judged: all its rows, counts of them, or a sample. */
static const char *judged_by(const mgl_objections *objections, const columns_index *index,
                             const char *column)
{
    size_t i = find_named(&index->judged_by, column);
    return is_named(&index->judged_by, i, column)
               ? objections->judged_by[index->judged_by.list[i].number].what
               : "rows";
}

/* How many pairs of columns were tested together, and which were not. */
static json_t *pairs_json(mgl_result *result, const mgl_objections *objections)
{
    json_t *pairs = json_object(), *left = json_array();
    for (size_t i = 0; i < objections->n_untested; i++) {
        const mgl_untested_pair *u = &objections->untested[i];
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

/* The columns of objections that are no warnings, each once. */
static json_t *accepted_json(const mgl_objections *objections)
{
    mgl_map *seen = mgl_map_new();
    json_t *accepted = json_array();
    bool room = seen != NULL;
    for (size_t i = 0; room && i < objections->n; i++) {
        const mgl_objection *objection = &objections->list[i];
        const char *columns[] = {objection->column, objection->with};
        for (size_t j = 0; room && !objection->warning && j < 2 && columns[j] != NULL; j++) {
            uint32_t number = mgl_map_add(seen, mgl_span_of(columns[j]));
            room = number != MGL_NOT_FOUND;
            if (room && number == json_array_size(accepted))
                mgl_json_append(accepted, json_string(columns[j]));
        }
    }
    mgl_map_free(seen);
    if (room)
        return accepted;
    json_decref(accepted);
    return NULL;
}

/* "alone": rows that are alone with the quasi-identifier and all columns that others may know
 * besides, if there are such. */
static void report_alone(const mgl_reading *reading, const mgl_written *written, json_t *document)
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
                       const mgl_objections *objections, const columns_index *index)
{
    json_t *column = json_object(), *found = json_array();
    const by_column *concern = &index->objections;
    for (size_t i = find_named(concern, name); is_named(concern, i, name); i++) {
        const char *code = objections->list[concern->list[i].number].code;
        if (strcmp(code, MGL_GUARD_SKIPPED) == 0)
            looked_at = false;
        else
            mgl_json_append(found, json_string(code));
    }
    mgl_json_set(column, "column", json_string(name));
    mgl_json_set(column, "role", json_string(mgl_role_name(role)));
    mgl_json_set(column, "looked_at", json_boolean(looked_at));
    if (looked_at)
        mgl_json_set(column, "by", json_string(judged_by(objections, index, name)));
    mgl_json_set(column, "found", found);
    mgl_json_append(columns, column);
}

/* Every released column that is no quasi-identifier, and what was found about it. Columns that are
 * passed through elsewhere are known by the counts that were given of them. */
static json_t *columns_json(const mgl_reading *reading, const mgl_objections *objections)
{
    const mgl_settings *settings = reading->settings;
    columns_index index = {0};
    bool given = settings->counted.n_for_guard > 0, room = make_index(objections, &index);
    json_t *columns = room ? json_array() : NULL;
    for (size_t c = 0; room && c < mgl_source_columns(reading->source); c++)
        if (mgl_role_passes(reading->roles[c]))
            add_column(columns, mgl_source_column(reading->source, c), reading->roles[c],
                       reading->counts == NULL || given, objections, &index);
    for (size_t i = 0; room && given && i < settings->n_attributes; i++) {
        const mgl_attribute_settings *declared = &settings->attributes[i];
        if (declared->role == MGL_ROLE_INSENSITIVE &&
            mgl_source_find(reading->source, declared->name) == SIZE_MAX)
            add_column(columns, declared->name, declared->role, was_judged(&index, declared->name),
                       objections, &index);
    }
    mgl_free(index.objections.list);
    mgl_free(index.judged_by.list);
    return columns;
}

void mgl_result_take_objections(mgl_result *result, const mgl_reading *reading,
                                const mgl_written *written)
{
    const mgl_objections *objections = &written->objections;
    json_t *leaks = json_array(), *warnings = json_array();
    for (size_t i = 0; i < objections->n; i++) {
        const mgl_objection *objection = &objections->list[i];
        add_objection(result, objection, objection->warning ? warnings : leaks);
    }
    mgl_json_set(result->document, "leaks", leaks);
    json_t *guard = json_object();
    mgl_json_set(guard, "columns", columns_json(reading, objections));
    mgl_json_set(guard, "pairs", pairs_json(result, objections));
    mgl_json_set(guard, "warnings", warnings);
    mgl_json_set(guard, "accepted", accepted_json(objections));
    mgl_json_set(result->document, "guard", guard);
    report_alone(reading, written, result->document);
}
