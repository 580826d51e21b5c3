/* Lists the changes that are one step away from a job: another k, a little more or less
 * suppression, a column less, a column one level finer, another method. what_if.c calls it. */
#include "command/changes/changes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- The list --------------------------------------------------------------------------------
 */

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
    if (change == NULL)
        return mgl_fail_memory(err);
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
    if (change == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(column_key(change->column, field, err, &key));
    mgl_json_set(change->set, key, text != NULL ? json_string(text) : json_null());
    mgl_free(key);
    return MGL_OK;
}

/* ---- k ---------------------------------------------------------------------------------------
 */

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

/* ---- Suppression -----------------------------------------------------------------------------
 */

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
    const char *said = settings->suppress != NULL ? settings->suppress : "0";
    size_t size = strlen(said);
    bool share = size > 0 && said[size - 1] == '%';
    double now = 0, then;
    char text[32];
    if (!mgl_parse_double((mgl_span){said, size - share}, &now))
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
        add(changes, MGL_CHANGE_SUPPRESS, NULL, "suppress %s instead of %.40s", text, said),
        "suppress", text, err);
}

/* ---- Columns ---------------------------------------------------------------------------------
 */

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

/* The highest level that the column has now, or may have: one level less is asked for. */
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

/* ---- Methods ---------------------------------------------------------------------------------
 */

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
