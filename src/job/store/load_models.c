/* Loads the models of a job file or a policy. load.c and policy.c call it. */
#include "job/store/load.h"

#include "job/keys/keys.h"

typedef struct members { /* of {attribute: s, c: 0.5, l: 3} */
    const mgl_yaml *attribute;
    const mgl_yaml *parameters[MGL_MAX_PARAMETERS];
} members;

static mgl_status sort_members(const mgl_loading *load, const mgl_model_type *type,
                               const mgl_yaml *node, const char *name, members *out)
{
    for (const mgl_yaml *member = node->first; member != NULL; member = member->next) {
        mgl_place at = mgl_loading_place(load, member->key, name);
        size_t i = 0;
        while (i < type->n_parameters && !mgl_span_is(member->key->text, type->parameters[i].name))
            i++;
        if (i < type->n_parameters)
            out->parameters[i] = member;
        else if (type->takes_attribute && mgl_span_is(member->key->text, "attribute"))
            out->attribute = member;
        else
            return mgl_place_fail(
                &at, MGL_CODE_UNKNOWN_KEY, load->err, "takes no '%.*s'; see `help %s`",
                mgl_span_width(member->key->text), member->key->text.data, type->name);
        MGL_TRY(mgl_loading_want_scalar(load, member, name));
    }
    return MGL_OK;
}

/* Each value is checked where it stands, so that the message points to it. */
static mgl_status add_parameter(const mgl_loading *load, const mgl_parameter *parameter,
                                const mgl_yaml *value, const char *name, mgl_buffer *text)
{
    mgl_place at = mgl_loading_place(load, value, name);
    mgl_buffer wrong = {0};
    double number;
    mgl_status status = MGL_OK;
    if (!mgl_value_parameter(parameter, value->text, &number, &wrong))
        status = wrong.failed ? mgl_fail_memory(load->err)
                              : mgl_place_fail(&at, MGL_CODE_BAD_VALUE, load->err, "'%.*s' %.*s",
                                               mgl_span_width(value->text), value->text.data,
                                               (int)wrong.size, wrong.data);
    mgl_buffer_free(&wrong);
    mgl_buffer_format(text, "%s%s", text->size > 0 ? "," : "", value->text.data);
    return status;
}

/* The parameters as the option writes them; words may be left out. */
static mgl_status parameters_text(const mgl_loading *load, const mgl_model_type *type,
                                  const members *given, const mgl_place *place, mgl_buffer *text)
{
    size_t n = type->n_parameters;
    while (n > mgl_parameters_needed(type) && given->parameters[n - 1] == NULL)
        n--;
    for (size_t i = 0; i < n; i++) {
        const mgl_parameter *parameter = &type->parameters[i];
        if (given->parameters[i] != NULL)
            MGL_TRY(add_parameter(load, parameter, given->parameters[i], place->name, text));
        else if (parameter->words != NULL)
            mgl_buffer_format(text, "%s%s", text->size > 0 ? "," : "", parameter->words[0]);
        else
            return mgl_place_fail(place, MGL_CODE_MISSING_KEY, load->err,
                                  "lacks %s; add %s: NUMBER", parameter->name, parameter->name);
    }
    return text->failed ? mgl_fail_memory(load->err) : MGL_OK;
}

mgl_status mgl_load_parameters(const mgl_loading *load, const mgl_model_type *type,
                               const mgl_yaml *node, const char *name)
{
    members given = {0};
    mgl_place place = mgl_loading_place(load, node, name);
    MGL_TRY(sort_members(load, type, node, name, &given));
    if (type->takes_attribute && given.attribute == NULL)
        return mgl_place_fail(&place, MGL_CODE_MISSING_KEY, load->err,
                              "which column does it protect? add attribute: COLUMN");
    mgl_buffer text = {0};
    mgl_status status = parameters_text(load, type, &given, &place, &text);
    if (status == MGL_OK)
        status = mgl_take_model(
            load->job, type, given.attribute != NULL ? given.attribute->text.data : NULL,
            (mgl_span){text.data != NULL ? text.data : "", text.size}, &place, load->err);
    mgl_buffer_free(&text);
    return status;
}

static mgl_status load_model(const mgl_loading *load, const mgl_model_type *type,
                             const mgl_yaml *node, const char *name)
{
    if (node->kind == MGL_YAML_MAPPING)
        return mgl_load_parameters(load, type, node, name);
    mgl_place place = mgl_loading_place(load, node, name);
    if (type->takes_attribute || type->n_parameters != 1)
        return mgl_place_fail(&place, MGL_CODE_BAD_VALUE, load->err,
                              "its parameters belong here as {name: value}; see `help %s`",
                              type->name);
    MGL_TRY(mgl_loading_want_scalar(load, node, name));
    return mgl_take_model(load->job, type, NULL, node->text, &place, load->err);
}

mgl_status mgl_load_privacy(const mgl_loading *load, const mgl_yaml *node)
{
    static const char advice[] = "a list of models belongs here: [{k-anonymity: 5}]";
    mgl_place place = mgl_loading_place(load, node, "privacy");
    if (node->kind != MGL_YAML_SEQUENCE)
        return mgl_place_fail(&place, MGL_CODE_BAD_VALUE, load->err, advice);
    for (const mgl_yaml *item = node->first; item != NULL; item = item->next) {
        const mgl_yaml *model = item->first;
        place = mgl_loading_place(load, item, "privacy");
        if (item->kind != MGL_YAML_MAPPING || model == NULL || model->next != NULL)
            return mgl_place_fail(&place, MGL_CODE_BAD_VALUE, load->err, advice);
        const mgl_model_type *type = mgl_model_type_find(model->key->text.data);
        place = mgl_loading_place(load, model->key, "privacy");
        if (type == NULL)
            return mgl_unknown_model(model->key->text, &place, load->err);
        MGL_TRY(load_model(load, type, model, mgl_loading_name(load, "privacy", type->name, NULL)));
    }
    return MGL_OK;
}
