/* Quotes a cell if it must be. Whatever writes delimited text calls it. */
#include "text/text.h"

static bool needs_quotes(mgl_span value, char delimiter)
{
    for (size_t i = 0; i < value.size; i++) {
        char byte = value.data[i];
        if (byte == delimiter || byte == '"' || byte == '\n' || byte == '\r')
            return true;
    }
    return false;
}

void mgl_text_quote(mgl_buffer *out, mgl_span value, char delimiter, bool alone)
{
    if (value.size == 0) {
        /* An empty field alone would be a blank line. */
        if (alone)
            mgl_buffer_append(out, "\"\"", 2);
        return;
    }
    if (!needs_quotes(value, delimiter)) {
        mgl_buffer_span(out, value);
        return;
    }
    mgl_buffer_append(out, "\"", 1);
    for (size_t i = 0, start = 0; i < value.size; i++)
        if (value.data[i] == '"' || i + 1 == value.size) {
            mgl_buffer_append(out, value.data + start, i + 1 - start);
            if (value.data[i] == '"')
                mgl_buffer_append(out, "\"", 1);
            start = i + 1;
        }
    mgl_buffer_append(out, "\"", 1);
}
