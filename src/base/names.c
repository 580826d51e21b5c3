/* Takes names with dots between them apart. The keys of jobs and the paths of results are read with
 * it. */
#include "base/names.h"

static mgl_span without_first(mgl_span text, size_t n)
{
    return (mgl_span){text.data + n, text.size - n};
}

/* Where the quote that the text begins with is closed; the size of the text: nowhere. */
static size_t closing_quote(mgl_span text)
{
    size_t i = 1;
    while (i < text.size && (text.data[i] != '"' || (i + 1 < text.size && text.data[i + 1] == '"')))
        i += text.data[i] == '"' ? 2 : 1;
    return i < text.size ? i : text.size;
}

bool mgl_name_take(mgl_span *rest, const char *ends, mgl_name *out)
{
    size_t end = 0;
    if (rest->size > 0 && rest->data[0] == '"') {
        end = closing_quote(*rest);
        if (end == rest->size)
            return false;
        *out = (mgl_name){{rest->data + 1, end - 1}, true};
        *rest = without_first(*rest, end + 1);
        return true;
    }
    while (end < rest->size && (rest->data[end] == '\0' || strchr(ends, rest->data[end]) == NULL))
        end++;
    *out = (mgl_name){{rest->data, end}, false};
    *rest = without_first(*rest, end);
    return true;
}

bool mgl_name_is(mgl_name name, const char *text)
{
    size_t i = 0;
    for (; i < name.text.size && *text != '\0' && name.text.data[i] == *text; i++, text++)
        if (name.quoted && *text == '"')
            i++;
    return i == name.text.size && *text == '\0';
}

void mgl_name_append(mgl_buffer *out, mgl_name name)
{
    for (size_t i = 0; i < name.text.size; i++) {
        mgl_buffer_append(out, name.text.data + i, 1);
        if (name.quoted && name.text.data[i] == '"')
            i++;
    }
}
