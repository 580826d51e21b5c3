/* Single changes of a job: lists those that make sense for it, tries one, and states it as a merge
 * patch (RFC 7396) of the job document. */
#include "command/changes/changes.h"
#include "command/command.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static json_t *merge_patch(const json_t *from, const json_t *to);

/* What is in one place only, or differs. */
static void add_place(json_t *patch, const char *key, const json_t *from, json_t *to)
{
    if (from != NULL && json_equal(from, to))
        return;
    if (json_is_object(from) && json_is_object(to))
        mgl_json_set(patch, key, merge_patch(from, to));
    else
        mgl_json_set(patch, key, json_deep_copy(to));
}

/* What turns one document into the other. Free with json_decref. */
static json_t *merge_patch(const json_t *from, const json_t *to)
{
    json_t *patch = json_object(), *value;
    const char *key;
    json_object_foreach((json_t *)from, key, value) if (json_object_get(to, key) == NULL)
        mgl_json_set(patch, key, json_null());
    json_object_foreach((json_t *)to, key, value)
        add_place(patch, key, json_object_get(from, key), value);
    return patch;
}

/* Other outputs than the release, and keys of commands that write none. The release is not written
 * in a dry run, but its name is judged as that of a run is. */
static const char *const left_out[] = {
    "result", "report", "save-recoding", "save-map", "save-job", "sign", "save-proof", "print-sql",
    "curve",  "hint",   "changes",       "budget",   "window",   "show", "keep-order"};

mgl_status mgl_job_to_try(const mgl_job *job, mgl_error *err, mgl_job **out)
{
    mgl_job *copy;
    MGL_TRY(mgl_job_for_run(job, err, &copy));
    mgl_status status = MGL_OK;
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
        MGL_GO(mgl_job_unset(copy, left_out[i], err));
    mgl_job_on_refusal(copy, NULL, NULL);
    MGL_GO(mgl_job_set(copy, "dry-run", "true", err));
    MGL_GO(mgl_job_set(copy, "brief", "true", err));
    *out = copy;
    copy = NULL;
done:
    mgl_job_free(copy);
    return status;
}

/* What goes is taken back first: a column loses all its fields before it gets another role. */
static mgl_status apply(mgl_job *job, const mgl_change *change, mgl_error *err)
{
    const char *key;
    json_t *value;
    if (change == NULL)
        return MGL_OK;
    json_object_foreach(change->set, key, value) if (json_is_null(value))
        MGL_TRY(mgl_job_unset(job, key, err));
    json_object_foreach(change->set, key, value) if (!json_is_null(value))
        MGL_TRY(mgl_job_set(job, key, json_string_value(value), err));
    return MGL_OK;
}

/* ---- Figures --------------------------------------------------------------------------------- */

static json_t *error_json(const mgl_error *why)
{
    json_t *object = json_object();
    mgl_json_set(object, "code", json_string(mgl_code_name(why->code)));
    mgl_json_set(object, "message", json_string(why->message));
    return object;
}

static void report_found(const mgl_result *result, json_t *figures)
{
    static const char *const keys[] = {"method",          "node",    "measure", "released_rows",
                                       "suppressed_rows", "classes", "utility", "bound",
                                       "models",          "risk"};
    const json_t *document = result->document;
    const char *measure = mgl_json_text(document, "measure");
    mgl_json_set(figures, "holds", json_boolean(result->holds));
    mgl_json_set(figures, "error", json_null());
    mgl_json_set(figures, "value",
                 mgl_json_real(measure != NULL
                                   ? mgl_json_number(json_object_get(document, "utility"), measure)
                                   : NAN));
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        json_t *value = json_object_get(document, keys[i]);
        mgl_json_set(figures, keys[i], value != NULL ? json_incref(value) : json_null());
    }
}

/* Is it the job that asks for too much, or for what it cannot have? */
static bool is_refusal(mgl_status status)
{
    return status == MGL_UNMET || status == MGL_DATA;
}

static mgl_status run(mgl_session *session, mgl_job *job, bool changed, mgl_error *err,
                      json_t **figures, json_t **document)
{
    mgl_error why = {0};
    mgl_result *result = NULL;
    mgl_call own = mgl_call_anew(); /* the time limit is that of each search */
    const mgl_call *before = mgl_call_enter(&own);
    mgl_status status = mgl_command_anonymize(session, job, &why, &result);
    mgl_call_leave(before);
    mgl_hide_values(why.message, sizeof why.message, false);
    if (status == MGL_USAGE && changed)
        return MGL_OK; /* none that this job can take */
    if (status != MGL_OK && !is_refusal(status))
        return mgl_fail_as(err, &why);
    json_t *reported = json_object();
    if (result != NULL)
        report_found(result, reported);
    else {
        mgl_json_set(reported, "holds", json_false());
        mgl_json_set(reported, "error", error_json(&why));
    }
    mgl_json_set(reported, "seconds", mgl_json_real(mgl_sys_seconds() - own.begun));
    if (result != NULL && document != NULL)
        *document = json_incref(result->document);
    mgl_result_free(result);
    *figures = reported;
    return MGL_OK;
}

mgl_status mgl_change_try(mgl_session *session, const mgl_job *job, const mgl_change *change,
                          mgl_error *err, json_t **out, json_t **document)
{
    mgl_job *copy;
    mgl_error why = {0};
    *out = NULL;
    if (document != NULL)
        *document = NULL;
    MGL_TRY(mgl_job_to_try(job, err, &copy));
    mgl_status status = apply(copy, change, &why);
    if (status == MGL_OK)
        status = run(session, copy, change != NULL, err, out, document);
    else if (status == MGL_USAGE)
        status = MGL_OK;
    else
        status = mgl_fail_as(err, &why);
    mgl_job_free(copy);
    return status;
}

/* ---- The change itself ----------------------------------------------------------------------- */

static mgl_status patch_json(const mgl_job *job, const mgl_change *change, mgl_error *err,
                             json_t **out)
{
    mgl_job *copy = NULL;
    json_t *before = NULL, *after = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_job_copy(job, err, &copy));
    MGL_GO(mgl_job_document(copy, MGL_JOB_WHOLE, NULL, err, &before));
    MGL_GO(apply(copy, change, err));
    MGL_GO(mgl_job_document(copy, MGL_JOB_WHOLE, NULL, err, &after));
    *out = merge_patch(before, after);
done:
    json_decref(before);
    json_decref(after);
    mgl_job_free(copy);
    return status;
}

mgl_status mgl_change_json(const mgl_job *job, const mgl_change *change, mgl_error *err,
                           json_t **out)
{
    json_t *patch = NULL;
    MGL_TRY(patch_json(job, change, err, &patch));
    json_t *object = json_object();
    mgl_json_set(object, "kind", json_string(mgl_change_name(change->kind)));
    mgl_json_set(object, "column",
                 change->column != NULL ? json_string(change->column) : json_null());
    mgl_json_set(object, "change", json_string(change->text));
    mgl_json_set(object, "set", json_incref(change->set));
    mgl_json_set(object, "patch", patch);
    *out = object;
    return MGL_OK;
}

/* ---- The list -------------------------------------------------------------------------------- */

/* Adds a change without keys; NULL when memory is out. */
static mgl_change *MGL_PRINTF(4, 5)
    add(mgl_changes *changes, mgl_change_kind kind, const char *column, const char *format, ...)
{
    if (changes->n == changes->capacity) {
        size_t capacity = 2 * changes->capacity + 16;
        mgl_change *list = mgl_realloc_array(changes->list, capacity, sizeof *list);
        if (list == NULL)
            return NULL;
        changes->list = list;
        changes->capacity = capacity;
    }
    mgl_change *change = &changes->list[changes->n];
    *change = (mgl_change){.kind = kind, .column = column, .set = json_object()};
    if (change->set == NULL)
        return NULL;
    va_list args;
    va_start(args, format);
    vsnprintf(change->text, sizeof change->text, format, args);
    va_end(args);
    changes->n++;
    return change;
}

void mgl_changes_free(mgl_changes *changes)
{
    for (size_t i = 0; i < changes->n; i++)
        json_decref(changes->list[i].set);
    mgl_free(changes->list);
    *changes = (mgl_changes){0};
}

/* Changes the key to a text. */
static mgl_status set_key(mgl_change *change, const char *key, const char *text, mgl_error *err)
{
    MGL_TRY(mgl_check_memory(change != NULL, err));
    mgl_json_set(change->set, key, json_string(text));
    return MGL_OK;
}

/* The key of a column's field ("role"), or of the column (NULL), as mgl_job_set reads it: names
 * that hold more than letters and digits are quoted. */
static mgl_status column_key(const char *column, const char *field, mgl_error *err, char **out)
{
    mgl_buffer text = {0};
    mgl_buffer_text(&text, "attributes.\"");
    for (const char *c = column; *c != '\0'; c++)
        mgl_buffer_append(&text, "\"\"", *c == '"' ? 1 : 0), mgl_buffer_append(&text, c, 1);
    mgl_buffer_text(&text, field != NULL ? "\"." : "\"");
    mgl_buffer_text(&text, field != NULL ? field : "");
    return mgl_buffer_take(&text, err, out);
}

/* Sets the field of the change's column; text NULL: takes it back. field NULL: all of them. */
static mgl_status set_field(mgl_change *change, const char *field, const char *text, mgl_error *err)
{
    char *key;
    MGL_TRY(mgl_check_memory(change != NULL, err));
    MGL_TRY(column_key(change->column, field, err, &key));
    mgl_json_set(change->set, key, text != NULL ? json_string(text) : json_null());
    mgl_free(key);
    return MGL_OK;
}

/* ---- k --------------------------------------------------------------------------------------- */

/* 1, 2, 3, 5, 10, 20, 50, ...: the step next to k on either side; 0: there is none. */
static uint64_t next_k(uint64_t k, bool up)
{
    static const uint64_t digits[] = {1, 2, 5};
    uint64_t below = 0;
    for (uint64_t ten = 1; ten <= UINT32_MAX; ten *= 10)
        for (size_t i = 0; i < 3; i++)
            for (int three = 0; three <= (ten == 1 && digits[i] == 2 ? 1 : 0); three++) {
                uint64_t step = ten * digits[i] + (uint64_t)three;
                if (step > k && up)
                    return step;
                if (step >= k && !up)
                    return below;
                below = step >= 2 ? step : 0;
            }
    return 0;
}

static mgl_status add_k(const mgl_settings *settings, const mgl_job *job, bool up, mgl_error *err,
                        mgl_changes *changes)
{
    for (size_t i = 0; i < settings->n_models; i++) {
        const mgl_model_settings *model = &settings->models[i];
        char text[32];
        if (model->type->k != MGL_K_IS)
            continue;
        uint64_t k = (uint64_t)model->parameters[0], then = next_k(k, up);
        /* What a policy asks for stays. */
        if (then == 0 || (!up && mgl_job_get(job, model->type->option) == NULL))
            return MGL_OK;
        snprintf(text, sizeof text, "%llu", (unsigned long long)then);
        return set_key(add(changes, MGL_CHANGE_K, NULL, "%s %s instead of %llu",
                           model->type->option, text, (unsigned long long)k),
                       model->type->option, text, err);
    }
    return MGL_OK;
}

/* ---- Suppression ----------------------------------------------------------------------------- */

/* A limit in percent. false: there is no step that way. */
static bool next_percent(double percent, bool up, double *out)
{
    static const double steps[] = {0, 1, 2, 5, 10, 20};
    enum { N = sizeof steps / sizeof steps[0] };
    for (size_t i = 0; i < N; i++) {
        double step = steps[up ? i : N - 1 - i];
        if (up ? step > percent : step < percent) {
            *out = step;
            return true;
        }
    }
    return false;
}

static mgl_status add_suppression(const mgl_settings *settings, bool up, mgl_error *err,
                                  mgl_changes *changes)
{
    const char *given = settings->suppress != NULL ? settings->suppress : "0";
    size_t size = strlen(given);
    bool share = size > 0 && given[size - 1] == '%';
    double now = 0, then;
    char text[32];
    if (!mgl_parse_double((mgl_span){given, size - share}, &now))
        return MGL_OK;
    if (settings->suppress == NULL && settings->method->own_limit && !up)
        return MGL_OK;
    if (share || now == 0) {
        if (!next_percent(now, up, &then))
            return MGL_OK;
        snprintf(text, sizeof text, then == 0 ? "%g" : "%g%%", then);
    } else {
        snprintf(text, sizeof text, "%.0f", up ? 2 * now : floor(now / 2));
    }
    return set_key(
        add(changes, MGL_CHANGE_SUPPRESS, NULL, "suppress %s instead of %.40s", text, given),
        "suppress", text, err);
}

/* ---- Columns --------------------------------------------------------------------------------- */

static bool is_quasi(const mgl_attribute_settings *attribute)
{
    return attribute->role == MGL_ROLE_QUASI && !attribute->by;
}

/* Each quasi-identifier is not released. A job of several sets names columns in lists, which would
 * have to change as well. */
static mgl_status add_columns(const mgl_settings *settings, mgl_error *err, mgl_changes *changes)
{
    size_t n = 0;
    for (size_t i = 0; i < settings->n_attributes; i++)
        n += is_quasi(&settings->attributes[i]);
    for (size_t i = 0; n > 1 && settings->n_quasi == 1 && i < settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &settings->attributes[i];
        if (!is_quasi(attribute))
            continue;
        mgl_change *change =
            add(changes, MGL_CHANGE_COLUMNS, attribute->name, "without %.150s", attribute->name);
        MGL_TRY(set_field(change, NULL, NULL, err));
        MGL_TRY(set_field(change, "role", "identifier", err));
    }
    return MGL_OK;
}

/* The highest level that the column has now, or may have: one level less is requested. */
static bool level_now(const mgl_attribute_settings *attribute, const json_t *answer, uint32_t *out)
{
    const json_t *node = json_object_get(answer, "node"),
                 *heights = json_object_get(answer, "heights");
    if (!mgl_json_is_number(heights, attribute->name))
        return false;
    uint64_t level = mgl_json_whole(heights, attribute->name);
    if (attribute->has_level && attribute->levels.max < level)
        level = attribute->levels.max;
    if (mgl_json_is_number(node, attribute->name))
        level = mgl_json_whole(node, attribute->name);
    *out = (uint32_t)level;
    return true;
}

static mgl_status add_levels(const mgl_settings *settings, const json_t *answer, mgl_error *err,
                             mgl_changes *changes)
{
    for (size_t i = 0; i < settings->n_attributes; i++) {
        const mgl_attribute_settings *attribute = &settings->attributes[i];
        uint32_t level, least = attribute->has_level ? attribute->levels.min : 0;
        char text[32];
        if (!is_quasi(attribute) || !level_now(attribute, answer, &level) || level <= least)
            continue;
        snprintf(text, sizeof text, "%u..%u", least, level - 1);
        MGL_TRY(set_field(add(changes, MGL_CHANGE_LEVELS, attribute->name,
                              "%.150s at level %u at most", attribute->name, level - 1),
                          "level", text, err));
    }
    return MGL_OK;
}

/* ---- Methods --------------------------------------------------------------------------------- */

/* Those with one level per column first: they are quick. */
static mgl_status add_methods(const mgl_settings *settings, bool full_domain, mgl_error *err,
                              mgl_changes *changes)
{
    size_t n;
    const mgl_method_type *const *methods = mgl_method_types(&n);
    mgl_error unfit;
    for (size_t i = 0; i < n; i++)
        if (methods[i] != settings->method && methods[i]->full_domain == full_domain &&
            mgl_settings_check_method(settings, methods[i], &unfit) == MGL_OK)
            MGL_TRY(set_key(add(changes, MGL_CHANGE_METHOD, NULL, "method %s", methods[i]->name),
                            "method", methods[i]->name, err));
    return MGL_OK;
}

/* ---- All ------------------------------------------------------------------------------------- */

mgl_status mgl_changes_add(const mgl_settings *settings, const mgl_job *job, mgl_change_kind kind,
                           const json_t *answer, mgl_error *err, mgl_changes *changes)
{
    switch (kind) {
    case MGL_CHANGE_K:
        MGL_TRY(add_k(settings, job, true, err, changes));
        return add_k(settings, job, false, err, changes);
    case MGL_CHANGE_SUPPRESS:
        MGL_TRY(add_suppression(settings, true, err, changes));
        return add_suppression(settings, false, err, changes);
    case MGL_CHANGE_COLUMNS:
        return add_columns(settings, err, changes);
    case MGL_CHANGE_LEVELS:
        return add_levels(settings, answer, err, changes);
    case MGL_CHANGE_METHOD:
        MGL_TRY(add_methods(settings, true, err, changes));
        return add_methods(settings, false, err, changes);
    default:
        return MGL_OK;
    }
}
