/* anonymize --print-sql: no table is read; the result is the SQL with which an engine without a
 * driver counts its table, takes the map, makes the release and counts that again.
 * report/terminal/script_lines.c puts it in the order in which a person runs it. anonymize.c calls
 * it. */
#include "command/print_sql.h"

#include "findings/findings.h"

/* ---- What the statements are about -------------------------------------------------------- */

typedef struct column_list {
    const char **names;
    size_t n;
} column_list;

static bool is_listed(const column_list *list, const char *name)
{
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->names[i], name) == 0)
            return true;
    return false;
}

/* The quasi-identifiers in the order in which the map has them. */
static void take_quasi(const mgl_settings *settings, column_list *quasi)
{
    for (size_t q = 0; q < settings->n_quasi; q++)
        for (size_t i = 0; i < settings->quasi[q].n_names; i++) {
            const char *name = settings->quasi[q].names[i];
            const mgl_attribute_settings *attribute = mgl_settings_attribute(settings, name);
            if ((attribute == NULL || !mgl_settings_passes(settings, attribute)) &&
                !is_listed(quasi, name))
                quasi->names[quasi->n++] = name;
        }
}

static mgl_status make_order(const mgl_settings *settings, mgl_arena *arena, mgl_error *err,
                             mgl_script_order *out)
{
    size_t room = settings->n_attributes + 1;
    column_list lists[3] = {{0}}, *quasi = &lists[0], *sensitive = &lists[1], *passed = &lists[2];
    char **names;
    for (size_t i = 0; i < 3; i++)
        if ((lists[i].names = mgl_arena_alloc(arena, room * sizeof *lists[i].names)) == NULL)
            return mgl_fail_memory(err);
    take_quasi(settings, quasi);
    if (quasi->n == 0)
        return mgl_blame_key(err,
                             mgl_fail(err, MGL_CODE_MISSING_KEY,
                                      "there is no quasi-identifier; name its columns with "
                                      "`role: quasi`"),
                             "quasi-identifiers");
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *one = &settings->attributes[i];
        if (mgl_settings_passes(settings, one))
            passed->names[passed->n++] = one->name;
        else if (one->role == MGL_ROLE_SENSITIVE)
            sensitive->names[sensitive->n++] = one->name;
    }
    MGL_TRY(mgl_map_names(quasi->names, quasi->n, arena, err, &names));
    *out = (mgl_script_order){.dialect = settings->print_sql,
                              .source = settings->data,
                              .target = settings->output,
                              .quasi = quasi->names,
                              .released = (const char *const *)names + quasi->n,
                              .n_quasi = quasi->n,
                              .sensitive = sensitive->names,
                              .n_sensitive = sensitive->n,
                              .passed = passed->names,
                              .n_passed = passed->n,
                              .count = settings->counted.column,
                              .missing = settings->source.missing,
                              .n_missing = settings->source.n_missing,
                              .no_value = settings->source.no_value,
                              .shuffle = !settings->order.keep};
    return MGL_OK;
}

/* ---- The result ----------------------------------------------------------------------------- */

static mgl_status tell(const mgl_script_order *order, char *const *parts, mgl_error *err,
                       json_t *document)
{
    static const char *const keys[MGL_SCRIPT_PARTS] = {
        [MGL_SCRIPT_SETTING] = "setting", [MGL_SCRIPT_COUNT] = "count",
        [MGL_SCRIPT_UNLOAD] = "unload",   [MGL_SCRIPT_MAP] = "map",
        [MGL_SCRIPT_LOAD] = "load",       [MGL_SCRIPT_RELEASE] = "release",
        [MGL_SCRIPT_VERIFY] = "verify",   [MGL_SCRIPT_PUBLISH] = "publish",
        [MGL_SCRIPT_CLEAN] = "clean",     [MGL_SCRIPT_UNDO] = "undo"};
    json_t *sql = json_object(), *passed = json_array(), *missing = json_array();
    mgl_json_set(sql, "dialect", json_string(order->dialect));
    mgl_json_set(sql, "count_column", json_string(order->count));
    for (size_t i = 0; i < order->n_passed; i++)
        mgl_json_append(passed, json_string(order->passed[i]));
    mgl_json_set(sql, "passed_through", passed);
    for (size_t i = 0; i < order->n_missing; i++)
        mgl_json_append(missing, json_stringn(order->missing[i].data, order->missing[i].size));
    mgl_json_set(sql, "missing", missing);
    for (size_t i = 0; i < MGL_SCRIPT_PARTS; i++)
        mgl_json_set(sql, keys[i], parts[i][0] != '\0' ? json_string(parts[i]) : json_null());
    mgl_json_set(document, "sql", sql);
    return mgl_json_complete(document) ? MGL_OK : mgl_fail_memory(err);
}

mgl_status mgl_print_sql(const mgl_settings *settings, mgl_error *err, mgl_result **out)
{
    mgl_arena *arena = mgl_arena_new();
    char *parts[MGL_SCRIPT_PARTS] = {NULL};
    mgl_result *result = NULL;
    mgl_script_order order;
    mgl_status status = MGL_OK;
    MGL_GO(arena == NULL ? mgl_fail_memory(err) : make_order(settings, arena, err, &order));
    MGL_GO(mgl_script_make(&order, err, parts));
    MGL_GO(mgl_result_new("anonymize", err, &result));
    result->holds = true;
    MGL_GO(tell(&order, parts, err, result->document));
    MGL_GO(mgl_result_finish(result, settings, err));
    *out = result;
    result = NULL;
done:
    for (size_t i = 0; i < MGL_SCRIPT_PARTS; i++)
        mgl_free(parts[i]);
    mgl_arena_free(arena);
    mgl_result_free(result);
    return status;
}
