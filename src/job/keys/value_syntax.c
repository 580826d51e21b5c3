/* Writes how the value of a key is written, for persons. The catalogue tells it. */
#include "job/keys/table_of_keys.h"

#include "job/keys/values.h"

static void append_upper(mgl_buffer *out, const char *text)
{
    for (; *text != '\0'; text++) {
        char c = *text >= 'a' && *text <= 'z' ? (char)(*text - 'a' + 'A') : *text;
        mgl_buffer_append(out, &c, 1);
    }
}

void mgl_key_value_syntax(const mgl_key *key, mgl_buffer *out)
{
    if (key->model == NULL) {
        if (key->value != NULL)
            mgl_buffer_text(out, key->value);
        else
            mgl_value_parser_syntax(&key->parser, out);
        return;
    }
    if (key->model->takes_attribute)
        mgl_buffer_text(out, key->model->n_parameters > 0 ? "COLUMN=" : "COLUMN");
    size_t n = mgl_parameters_needed(key->model); /* words have options of their own */
    for (size_t i = 0; i < n; i++) {
        mgl_buffer_text(out, i > 0 ? "," : "");
        append_upper(out, key->model->parameters[i].name);
    }
}
