/* The promise of a release (`save-promise`): what a recipient needs to judge the release and to
 * read its labels. It holds what the job demands and what can be seen in the release; what depends
 * on rows of the input is in it only if the job discloses it. docs/files.md has the format.
 *
 * A key that is not listed here is left out of the promise. */
#include "findings/describe.h"

#include <stdio.h>

enum { VERSION = 1 };

typedef struct maker {
    const mgl_outcome *outcome;
    const json_t *result;
    const json_t *audit; /* its audit trail */
    const json_t *job;   /* what the job was given, in that */
} maker;

static void set_if(json_t *object, const char *key, json_t *value)
{
    if (value != NULL)
        mgl_json_set(object, key, value);
}

/* ---- Models ---------------------------------------------------------------------------------- */

/* The column of the release that distinguishes persons; NULL: rows count, or it is not released. */
static const char *person_column(const maker *m)
{
    const mgl_settings *settings = m->outcome->reading->settings;
    const mgl_attribute_settings *entity =
        settings->persons.column != NULL
            ? mgl_settings_attribute(settings, settings->persons.column)
            : NULL;
    return entity != NULL && entity->change != MGL_CELLS_STAY ? settings->persons.column : NULL;
}

/* Is the column released as it was read? */
static bool passes(const maker *m, const char *column)
{
    const mgl_reading *reading = m->outcome->reading;
    const mgl_attribute_settings *declared = mgl_settings_attribute(reading->settings, column);
    size_t c = mgl_source_find(reading->source, column);
    return c != SIZE_MAX && mgl_is_released(reading, c) &&
           (declared == NULL ||
            (declared->change == MGL_CELLS_STAY && declared->role != MGL_ROLE_QUASI));
}

/* The feature whose column the model needs, and the release lacks; NULL: none. */
static const mgl_feature *lacking(const maker *m, const mgl_model_type *type)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++) {
        const char *column =
            mgl_feature_column_name(*f, m->outcome->reading->settings, MGL_TO_RELEASE);
        if (column != NULL && (*f)->needed_by != NULL && (*f)->needed_by(type) &&
            !passes(m, column))
            return *f;
    }
    return NULL;
}

/* Why the release alone does not show whether a model holds; NULL: it does. text: room for it. */
enum { WHY = 80 };
static const char *why_not(const maker *m, const mgl_model_settings *model, char text[WHY])
{
    const mgl_settings *s = m->outcome->reading->settings;
    const mgl_model_type *type = model->type;
    const mgl_feature *lacks = lacking(m, type);
    bool of_values = type->distinct != MGL_DISTINCT_NONE && s->persons.view != MGL_VIEW_JOINED;
    if (type->needs_population)
        return "compares with a population";
    if (type->looks_at_input)
        return "compares with the input";
    if (lacks != NULL) {
        snprintf(text, WHY, "needs %s that are not released", lacks->name);
        return text;
    }
    if (s->persons.column != NULL && person_column(m) == NULL && !of_values)
        return "counts persons, whom the release does not tell apart";
    return NULL;
}

static json_t *models_json(const maker *m)
{
    const mgl_settings *settings = m->outcome->reading->settings;
    json_t *list = json_array();
    for (size_t i = 0; i < settings->n_models; i++) {
        const mgl_model_settings *model = &settings->models[i];
        char text[WHY];
        const char *why = why_not(m, model, text);
        json_t *object = json_object();
        mgl_json_set(object, "model", json_string(model->type->name));
        mgl_json_set(object, "promise", json_string(model->type->help));
        mgl_json_set(object, "parameters",
                     mgl_parameters_json(model->type, model->attribute, model->parameters));
        if (why != NULL)
            mgl_json_set(object, "not_checkable", json_string(why));
        mgl_json_append(list, object);
    }
    return list;
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* "mask" of "mask(right,4)": what stands between the brackets can come from the values, and so does
 * the choice of a builder that was proposed. */
static json_t *builder_json(const maker *m, const char *column, size_t a)
{
    const json_t *used = json_object_get(json_object_get(m->audit, "hierarchies"), column);
    const char *text = json_string_value(used);
    if (m->outcome->reading->quasi[a].settings->hierarchy == NULL)
        return NULL;
    if (json_is_object(used))
        return json_string("file");
    return text != NULL ? json_stringn(text, strcspn(text, "(")) : NULL;
}

/* Does a released cell of the column show the top, or (`top` false) anything else? */
static bool shows(const maker *m, size_t a, bool top)
{
    const mgl_recoding *recoding = m->outcome->solution->recoding;
    bool dropped = m->outcome->task->problem.treatment == MGL_DROP, shown = false;
    for (size_t t = 0; !shown && t < recoding->n_tuples; t++)
        shown = (recoding->cells[a][t] == recoding->columns[a]->top) == top &&
                !(dropped && recoding->suppressed[t]);
    return shown;
}

/* The label of suppressed cells, unless it is one that no released cell shows: the range of all
 * values, say. */
static json_t *top_json(const maker *m, size_t a)
{
    const mgl_released_column *column = m->outcome->solution->recoding->columns[a];
    mgl_span label = column->values[column->top].label;
    return shows(m, a, true) || mgl_span_is(label, "*")
               ? mgl_released_text(m->outcome->reading->settings, label)
               : NULL;
}

static size_t quasi_of(const maker *m, const char *column)
{
    const mgl_reading *reading = m->outcome->reading;
    size_t a = 0;
    while (a < reading->n_quasi && strcmp(reading->quasi[a].settings->name, column) != 0)
        a++;
    return a < reading->n_quasi ? a : SIZE_MAX;
}

/* The levels of the columns. */
static const json_t *node_of(const maker *m)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++) {
        const char *section = (*f)->release != NULL ? (*f)->release->node_section : NULL;
        const json_t *node = json_object_get(json_object_get(m->result, section), "node");
        if (json_is_object(node))
            return node;
    }
    return json_object_get(m->result, "node");
}

/* What features promise of a column; NULL: of the release. */
static void promise_features(const maker *m, const char *column, json_t *object)
{
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->release != NULL && (*f)->release->promise != NULL)
            (*f)->release->promise(m->outcome->reading->settings, m->result, column, object);
}

static void report_quasi(const maker *m, const char *column, size_t a, json_t *object)
{
    set_if(object, "builder", builder_json(m, column, a));
    set_if(object, "top", top_json(m, a));
    if (shows(m, a,
              false)) /* the number of the top is the height, which can come from the values */
        set_if(object, "level", json_incref(json_object_get(node_of(m), column)));
    promise_features(m, column, object);
    if (json_is_object(json_object_get(m->result, "microaggregation")))
        mgl_json_set(object, "averaged", json_true());
}

/* Fields of the job that mean the same for a release. */
static void take_fields(const maker *m, const char *column, json_t *object)
{
    const json_t *keys = json_object_get(json_object_get(m->job, "attributes"), column);
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)keys, key, value)
    {
        if (strcmp(key, "role") != 0 && mgl_job_is_of_release(key, true))
            mgl_json_set(object, key, json_incref(value));
    }
}

static json_t *column_json(const maker *m, const char *column, const char *role)
{
    size_t a = quasi_of(m, column);
    json_t *object = json_object();
    mgl_json_set(object, "column", json_string(column));
    mgl_json_set(object, "role", json_string(role));
    if (a != SIZE_MAX)
        report_quasi(m, column, a, object);
    else
        promise_features(m, column, object);
    if (a != SIZE_MAX || strcmp(role, "insensitive") != 0) /* likelihood 0 makes it one */
        take_fields(m, column, object);
    return object;
}

static json_t *columns_json(const maker *m)
{
    const json_t *columns = json_object_get(m->audit, "columns");
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *one = json_array_get(columns, i);
        if (json_is_true(json_object_get(one, "released")))
            mgl_json_append(
                list, column_json(m, mgl_json_text(one, "column"), mgl_json_text(one, "role")));
    }
    return list;
}

static json_t *sets_json(const maker *m)
{
    const mgl_settings *settings = m->outcome->reading->settings;
    json_t *sets = json_array();
    for (size_t q = 0; q < settings->n_quasi; q++) {
        json_t *names = json_array();
        for (size_t i = 0; i < settings->quasi[q].n_names; i++)
            if (quasi_of(m, settings->quasi[q].names[i]) != SIZE_MAX)
                mgl_json_append(names, json_string(settings->quasi[q].names[i]));
        mgl_json_append(sets, names);
    }
    return sets;
}

/* ---- How the release is read and judged ------------------------------------------------------ */

/* Keys of the job that a release is read and judged by. Those of the search are left out, and so
 * are columns that the release lacks. */
static bool is_kept(const maker *m, const char *key, const json_t *value)
{
    static const char *const left_out[] = {"policy", "utility", "suppress-above", "delimiter",
                                           "no-header"};
    const char *text = json_string_value(value);
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        if (strcmp(key, left_out[i]) == 0)
            return false;
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++)
        if ((*f)->needed_by != NULL && strcmp(key, (*f)->key) == 0)
            return text != NULL && passes(m, text);
    if (strcmp(key, "method") == 0) /* combinations of columns belong to some methods */
        return json_object_get(m->job, "combinations") != NULL;
    return strcmp(key, "neutralize") == 0 || mgl_job_is_of_release(key, false);
}

static json_t *delimiter_json(char delimiter)
{
    return delimiter == '\t' ? json_string("tab") : json_stringn(&delimiter, 1);
}

static mgl_status settings_json(const maker *m, mgl_error *err, json_t *object)
{
    const mgl_reading *reading = m->outcome->reading;
    const mgl_format *format;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)m->job, key, value)
    {
        if (is_kept(m, key, value))
            mgl_json_set(object, key, json_incref(value));
    }
    MGL_TRY(mgl_format_to_write(m->outcome->output, err, &format));
    if (!format->text)
        return MGL_OK;
    mgl_json_set(object, "delimiter",
                 delimiter_json(mgl_source_dialect(reading->source)->delimiter));
    if (reading->settings->source.no_header)
        mgl_json_set(object, "no-header", json_string("true"));
    return MGL_OK;
}

static json_t *persons_json(const maker *m)
{
    const mgl_settings *settings = m->outcome->reading->settings;
    const char *column = person_column(m);
    json_t *object = json_object();
    mgl_json_set(object, "column", column != NULL ? json_string(column) : json_null());
    mgl_json_set(object, "view",
                 json_string(settings->persons.view == MGL_VIEW_JOINED ? "joined" : "rows"));
    return object;
}

/* ---- What the holder discloses --------------------------------------------------------------- */

static json_t *copied(const json_t *from, const char *const *keys)
{
    json_t *object = json_object();
    for (size_t i = 0; keys[i] != NULL; i++)
        set_if(object, keys[i], json_incref(json_object_get(from, keys[i])));
    return object;
}

static json_t *before_json(const maker *m)
{
    const json_t *columns = json_object_get(m->audit, "columns");
    const json_t *sizes = json_object_get(json_object_get(m->result, "figures"), "class_sizes");
    json_t *values = json_object(), *object = json_object();
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const json_t *one = json_array_get(columns, i), *before;
        before = json_object_get(one, "values_before");
        if (before != NULL && json_is_true(json_object_get(one, "released")))
            mgl_json_set(values, mgl_json_text(one, "column"), json_incref((json_t *)before));
    }
    mgl_json_set(object, "values", values);
    set_if(object, "class_sizes", json_incref(json_object_get(sizes, "before")));
    return object;
}

/* Measured values of models that a recipient cannot measure. */
static json_t *compared_json(const maker *m, const json_t *promised)
{
    static const char *const kept[] = {"model", "parameters", "quasi_identifier",
                                       "holds", "measured",   NULL};
    const json_t *models = json_object_get(m->result, "models");
    json_t *list = json_array();
    for (size_t i = 0; i < json_array_size(models); i++) {
        const json_t *found = json_array_get(models, i);
        bool open = false;
        for (size_t j = 0; !open && j < json_array_size(promised); j++) {
            const json_t *one = json_array_get(promised, j);
            open = json_object_get(one, "not_checkable") != NULL &&
                   json_equal(json_object_get(one, "model"), json_object_get(found, "model"));
        }
        if (open)
            mgl_json_append(list, copied(found, kept));
    }
    return list;
}

static json_t *disclosed_json(const maker *m, mgl_disclosed which, const json_t *promised)
{
    static const char *const rows[] = {"rows", "released_rows", "suppressed_rows", "left_out_rows",
                                       NULL};
    switch (which) {
    case MGL_DISCLOSED_BOUND:
        return json_incref(json_object_get(m->result, "bound"));
    case MGL_DISCLOSED_DROPPED:
        return copied(m->result, rows);
    case MGL_DISCLOSED_UTILITY:
        return json_incref(json_object_get(m->result, "utility"));
    case MGL_DISCLOSED_BEFORE:
        return before_json(m);
    case MGL_DISCLOSED_BUILDERS:
        return json_incref(json_object_get(m->audit, "hierarchies"));
    case MGL_DISCLOSED_METHOD:
        return json_incref(json_object_get(m->result, "method"));
    case MGL_DISCLOSED_MODELS:
        return compared_json(m, promised);
    case MGL_DISCLOSED_LEAKS:
        return json_incref(json_object_get(m->result, "leaks"));
    }
    return NULL;
}

static json_t *all_disclosed_json(const maker *m, const json_t *promised)
{
    const mgl_settings *settings = m->outcome->reading->settings;
    json_t *object = json_object();
    for (size_t i = 0; i < settings->disclosed.n; i++) {
        json_t *value = disclosed_json(m, settings->disclosed.of[i], promised);
        mgl_json_set(object, mgl_disclosed_name(settings->disclosed.of[i]),
                     value != NULL ? value : json_null());
    }
    return object;
}

/* ---- All ------------------------------------------------------------------------------------- */

static mgl_status fill(const maker *m, mgl_error *err, json_t *document)
{
    const mgl_settings *settings = m->outcome->reading->settings;
    json_t *read = json_object(), *models = models_json(m);
    const json_t *about = json_object_get(m->result, "about"), *trees;
    mgl_json_set(document, "promise", mgl_json_count(VERSION));
    set_if(document, "about", json_incref((json_t *)about));
    mgl_json_set(document, "models", models);
    if (settings->earlier.n > 0)
        mgl_json_set(document, "history", json_true());
    mgl_json_set(document, "quasi_identifiers", sets_json(m));
    if (settings->persons.column != NULL)
        mgl_json_set(document, "persons", persons_json(m));
    mgl_json_set(document, "columns", columns_json(m));
    promise_features(m, NULL, document);
    set_if(document, "sensitive_values",
           json_incref(json_object_get(m->result, "sensitive_values")));
    trees = json_object_get(m->audit, "sensitive");
    if (json_object_size(trees) > 0)
        mgl_json_set(document, "sensitive", json_incref((json_t *)trees));
    mgl_status status = settings_json(m, err, read);
    mgl_json_set(document, "settings", read);
    mgl_json_set(document, "disclosed", all_disclosed_json(m, models));
    return status;
}

mgl_status mgl_promise_document(const mgl_outcome *outcome, const json_t *result, mgl_error *err,
                                json_t **out)
{
    const json_t *audit = json_object_get(result, "audit");
    maker m = {outcome, result, audit, json_object_get(audit, "job")};
    json_t *document = json_object();
    mgl_status status = fill(&m, err, document);
    if (status == MGL_OK && !mgl_json_complete(document))
        status = mgl_fail_memory(err);
    if (status != MGL_OK) {
        json_decref(document);
        return status;
    }
    *out = document;
    return MGL_OK;
}
