/* Reads a document of a job and gives what it says, as options would; earlier versions wrote models
 * where other keys stand. `apply`, `check --against` and policies call it. */
#include "job/job.h"

#include "job/keys/keys.h"

typedef struct reader {
    mgl_said_fn *visit;
    void *context;
    mgl_error *err;
} reader;

/* A text, or a list of texts as an option writes it. False: neither. */
static bool put_value(const json_t *value, mgl_buffer *out)
{
    out->size = 0;
    if (json_is_string(value))
        mgl_buffer_append(out, json_string_value(value), json_string_length(value));
    for (size_t i = 0; i < json_array_size(value); i++) {
        const char *item = json_string_value(json_array_get(value, i));
        if (item == NULL)
            return false;
        mgl_list_append(out, mgl_span_of(item));
    }
    mgl_buffer_append(out, "", 1);
    return json_is_string(value) || json_is_array(value);
}

static mgl_status tell(const reader *r, const char *key, const char *column, const json_t *value)
{
    mgl_buffer text = {0};
    bool is_value = put_value(value, &text);
    mgl_said said = {key, column, text.data};
    mgl_status status = text.failed ? mgl_fail_memory(r->err)
                        : is_value  ? r->visit(r->context, &said, r->err)
                                    : MGL_OK;
    mgl_buffer_free(&text);
    return status;
}

static mgl_status tell_all(const reader *r, const char *column, const json_t *values)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)values, key, value)
    {
        if (strcmp(key, "quasi-identifiers") != 0 && strcmp(key, "privacy") != 0)
            MGL_TRY(tell(r, key, column, value));
    }
    return MGL_OK;
}

/* The parameters of a model in their order, with commas between them. */
static mgl_status tell_model(const reader *r, const char *name, const json_t *value)
{
    const mgl_model_type *model = mgl_model_type_find(name);
    if (!json_is_object(value) || model == NULL)
        return tell(r, name, NULL, value);
    mgl_buffer text = {0};
    for (size_t i = 0; i < model->n_parameters; i++) {
        const char *one = json_string_value(json_object_get(value, model->parameters[i].name));
        if (one != NULL)
            mgl_buffer_format(&text, "%s%s", text.size > 0 ? "," : "", one);
    }
    mgl_buffer_append(&text, "", 1);
    mgl_said said = {name, json_string_value(json_object_get(value, "attribute")), text.data};
    mgl_status status = text.failed ? mgl_fail_memory(r->err) : r->visit(r->context, &said, r->err);
    mgl_buffer_free(&text);
    return status;
}

mgl_status mgl_job_document_each(const json_t *document, mgl_said_fn *visit, void *context,
                                 mgl_error *err)
{
    const reader r = {visit, context, err};
    const json_t *privacy = json_object_get(document, "privacy");
    const char *name;
    json_t *value;
    json_object_foreach(json_object_get(document, "attributes"), name, value)
        MGL_TRY(tell_all(&r, name, value));
    for (size_t i = 0; i < json_array_size(privacy); i++) {
        json_object_foreach(json_array_get(privacy, i), name, value)
            MGL_TRY(tell_model(&r, name, value));
    }
    return tell_all(&r, NULL, document);
}
