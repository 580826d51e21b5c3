/* Writes a result as JSON text: keys in the order they were set, numbers as short as they can be
 * and still read back as the same double. (jansson would print 0.1 with 17 digits.) The program
 * prints it, commands save it. */
#include "result/result.h"

#include <stdio.h>

static void write_real(mgl_buffer *out, double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        double again = 0;
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (mgl_parse_double(mgl_span_of(text), &again) && again == value)
            break;
    }
    mgl_buffer_text(out, text);
    if (strpbrk(text, ".e") == NULL)
        mgl_buffer_text(out, ".0");
}

static void write_string(mgl_buffer *out, const char *text, size_t size)
{
    mgl_buffer_text(out, "\"");
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            mgl_buffer_format(out, "\\%c", c);
        else if (c == '\n')
            mgl_buffer_text(out, "\\n");
        else if (c == '\t')
            mgl_buffer_text(out, "\\t");
        else if (c == '\r')
            mgl_buffer_text(out, "\\r");
        else if (c < 0x20 || c == 0x7f)
            mgl_buffer_format(out, "\\u%04x", c);
        else if (c == 0xC2 && i + 1 < size && (unsigned char)text[i + 1] < 0xA0)
            /* Control characters to some terminals. */
            mgl_buffer_format(out, "\\u%04x", (unsigned char)text[++i]);
        else
            mgl_buffer_append(out, (const char *)&text[i], 1);
    }
    mgl_buffer_text(out, "\"");
}

static void new_line(mgl_buffer *out, unsigned depth)
{
    mgl_buffer_format(out, "\n%*s", (int)(2 * depth), "");
}

static void write_value(mgl_buffer *out, const json_t *value, unsigned depth);

static void write_array(mgl_buffer *out, const json_t *array, unsigned depth)
{
    mgl_buffer_text(out, "[");
    for (size_t i = 0; i < json_array_size(array); i++) {
        mgl_buffer_text(out, i > 0 ? "," : "");
        new_line(out, depth + 1);
        write_value(out, json_array_get(array, i), depth + 1);
    }
    if (json_array_size(array) > 0)
        new_line(out, depth);
    mgl_buffer_text(out, "]");
}

static void write_object(mgl_buffer *out, const json_t *object, unsigned depth)
{
    const char *key;
    json_t *value;
    const char *comma = "";
    mgl_buffer_text(out, "{");
    json_object_foreach((json_t *)object, key, value)
    {
        mgl_buffer_text(out, comma);
        comma = ",";
        new_line(out, depth + 1);
        write_string(out, key, strlen(key));
        mgl_buffer_text(out, ": ");
        write_value(out, value, depth + 1);
    }
    if (comma[0] != '\0')
        new_line(out, depth);
    mgl_buffer_text(out, "}");
}

static void write_value(mgl_buffer *out, const json_t *value, unsigned depth)
{
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        write_object(out, value, depth);
        break;
    case JSON_ARRAY:
        write_array(out, value, depth);
        break;
    case JSON_STRING:
        write_string(out, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        mgl_buffer_format(out, "%lld", (long long)json_integer_value(value));
        break;
    case JSON_REAL:
        write_real(out, json_real_value(value));
        break;
    default:
        mgl_buffer_text(out, json_is_true(value)    ? "true"
                             : json_is_false(value) ? "false"
                                                    : "null");
    }
}

mgl_status mgl_json_write(const json_t *document, mgl_error *err, char **out)
{
    mgl_buffer text = {0};
    mgl_locale locale = mgl_locale_enter();
    write_value(&text, document, 0);
    mgl_locale_leave(locale);
    mgl_buffer_text(&text, "\n");
    return mgl_buffer_take(&text, err, out);
}

mgl_status mgl_result_json(const mgl_result *result, mgl_error *err, char **out)
{
    MGL_TRY(mgl_result_complete(result, err));
    return mgl_json_write(result->document, err, out);
}
