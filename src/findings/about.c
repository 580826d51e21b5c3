/* What every result says about a table and its release: title, purpose and recipient as the owner
 * gives them, the columns with their roles, rows that were left out, and by which hierarchy each
 * column was released (given, proposed, or none). */
#include "findings/describe.h"
#include "findings/findings.h"
#include "findings/result_files.h"

/* Entries of a result that was read from a file stay, unless the job has others. */
static void tell(json_t *document, const mgl_settings *settings)
{
    json_t *old = json_object_get(document, "about");
    json_t *about = json_is_object(old) ? json_copy(old) : json_object();
    for (int i = 0; i < MGL_ABOUTS; i++)
        if (settings->about[i] != NULL)
            mgl_json_set(about, mgl_about_key((mgl_about)i), json_string(settings->about[i]));
    if (json_object_size(about) > 0 || !mgl_json_complete(about))
        mgl_json_set(document, "about", about);
    else
        json_decref(about);
}

void mgl_result_add_about(mgl_result *result, const mgl_settings *settings)
{
    if (json_is_object(result->document))
        tell(result->document, settings);
    for (size_t i = 0; i < json_array_size(result->document); i++)
        tell(json_array_get(result->document, i), settings);
}

json_t *mgl_unchanged_json(const mgl_reading *reading, const mgl_written *written)
{
    json_t *list = json_array();
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++) {
        mgl_role role = reading->roles[c];
        if (!mgl_role_passes(role) || mgl_features_change(reading, written, c))
            continue;
        json_t *object = json_object();
        mgl_json_set(object, "column", json_string(mgl_source_column(reading->source, c)));
        mgl_json_set(object, "role", json_string(mgl_role_words(reading, c)));
        mgl_json_append(list, object);
    }
    return list;
}

static json_t *quasi_names_json(const mgl_reading *reading, size_t n)
{
    json_t *names = json_array();
    for (size_t a = 0; a < n; a++)
        mgl_json_append(names, json_string(reading->quasi[a].settings->name));
    return names;
}

/* How the cells of a column are written, where they are compared as numbers or dates. */
static json_t *notation_json(const mgl_cell_rule *rule)
{
    static const char *const numbers[] = {[MGL_NUMBERS_PLAIN] = "plain",
                                          [MGL_NUMBERS_POINT] = "point",
                                          [MGL_NUMBERS_COMMA] = "comma"};
    return json_string(rule->kind == MGL_GIVEN_NUMBER ? numbers[rule->notation.numbers]
                                                      : mgl_date_order_name(rule->order));
}

static bool has_sensitive(const mgl_reading *reading)
{
    for (size_t c = 0; c < mgl_source_columns(reading->source); c++)
        if (reading->roles[c] == MGL_ROLE_SENSITIVE)
            return true;
    return false;
}

/* What counts as one value of a sensitive column, whether a missing cell is one, and how numbers
 * and dates are written that are compared as such. NULL: no column is sensitive. Free with
 * json_decref. */
static json_t *sensitive_values_json(const mgl_reading *reading)
{
    const mgl_settings *settings = reading->settings;
    if (!has_sensitive(reading))
        return NULL;
    json_t *object = json_object(), *notations = json_object();
    mgl_json_set(object, "spelling",
                 json_string(settings->cells.spelling_exact ? "exact" : "folded"));
    mgl_json_set(object, "missing",
                 json_string(settings->cells.missing_is_value ? "value" : "none"));
    for (size_t s = 0; s < reading->n_sensitive; s++) {
        const mgl_cell_rule *rule = &reading->cells[s].rule;
        if (!rule->exact && (rule->kind == MGL_GIVEN_NUMBER || rule->kind == MGL_GIVEN_DATE))
            mgl_json_set(notations, reading->counted[s]->name, notation_json(rule));
    }
    if (json_object_size(notations) > 0)
        mgl_json_set(object, "notations", json_incref(notations));
    json_decref(notations);
    return object;
}

void mgl_result_add_columns(mgl_result *result, const mgl_reading *reading)
{
    json_t *values = sensitive_values_json(reading);
    size_t n_held = mgl_settings_held(reading->settings);
    mgl_json_set(result->document, "quasi_identifier", quasi_names_json(reading, reading->n_quasi));
    if (n_held > 0)
        mgl_json_set(result->document, "by", quasi_names_json(reading, n_held));
    if (values != NULL)
        mgl_json_set(result->document, "sensitive_values", values);
    if (reading->settings->persons.column != NULL)
        mgl_json_set(result->document, "entity", json_string(reading->settings->persons.column));
    if (reading->settings->persons.column != NULL && reading->settings->persons.has_view)
        mgl_json_set(
            result->document, "entity_view",
            json_string(reading->settings->persons.view == MGL_VIEW_JOINED ? "joined" : "rows"));
}

void mgl_result_add_left_out(const mgl_reading *reading, json_t *document)
{
    const mgl_chosen_rows *rows = reading->rows;
    if (rows == NULL)
        return;
    json_t *object = json_object();
    mgl_json_set(object, "read", mgl_json_count(rows->n_read));
    mgl_json_set(object, "where", mgl_json_count(rows->by_where));
    mgl_json_set(object, "sample", mgl_json_count(rows->by_sample));
    mgl_json_set(document, "left_out_rows", mgl_json_count(rows->by_where + rows->by_sample));
    mgl_json_set(document, "row_choice", object);
}

/* Why a column has no hierarchy, in one word; NULL: it has one. A comparison reads the table once
 * for all methods, some of which do not use the hierarchies that are there. */
static const char *without_hierarchy(const mgl_outcome *outcome, const mgl_quasi_column *quasi,
                                     size_t a)
{
    bool none = quasi->settings->hierarchy == NULL && quasi->proposed == NULL;
    if (quasi->proposed != NULL && outcome != NULL && outcome->reading->settings->counted.least > 0)
        return NULL;
    if (outcome != NULL && mgl_settings_stand_in(quasi->settings) != NULL)
        return mgl_settings_stand_in(quasi->settings);
    if (outcome != NULL && outcome->solution->recoding->columns[a]->scale != NULL)
        return "ranges";
    if (outcome != NULL && outcome->method->keeps_values && !quasi->settings->asks_for_levels)
        none = quasi->settings->hierarchy == NULL;
    return none ? "suppress" : NULL;
}

const char *mgl_hierarchy_used(const mgl_outcome *outcome, size_t a)
{
    const mgl_quasi_column *quasi = &outcome->reading->quasi[a];
    const char *given = quasi->settings->hierarchy;
    if (without_hierarchy(outcome, quasi, a) != NULL)
        return NULL;
    return given != NULL && !mgl_hierarchy_is_builder(given) ? given : quasi->hierarchy->resolved;
}

static json_t *column_json(const mgl_quasi_column *quasi, const char *without)
{
    json_t *object = json_object();
    const char *given = quasi->settings->hierarchy;
    const char *kind = without != NULL ? "none" : given != NULL ? "given" : "proposed";
    const char *builder = without != NULL ? without : given != NULL ? given : quasi->proposed;
    mgl_json_set(object, "hierarchy", json_string(kind));
    mgl_json_set(object, "builder", json_string(mgl_hierarchy_name(builder)));
    if (without == NULL)
        mgl_json_set(object, "resolved",
                     json_string(mgl_hierarchy_name(quasi->hierarchy->resolved)));
    return object;
}

json_t *mgl_proposals_json(const mgl_reading *reading, const mgl_outcome *outcome)
{
    json_t *object = json_object();
    for (size_t a = 0; a < reading->n_quasi; a++) {
        const mgl_quasi_column *quasi = &reading->quasi[a];
        mgl_json_set(object, quasi->settings->name,
                     column_json(quasi, without_hierarchy(outcome, quasi, a)));
    }
    return object;
}
