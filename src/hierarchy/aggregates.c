/* The names of what can stand for several values. Keys of a job, messages and results ask for them.
 */
#include "hierarchy/hierarchy.h"

const char *const mgl_aggregate_words[] = {[MGL_AGGREGATE_NOT] = "none",
                                           [MGL_AGGREGATE_MEAN] = "mean",
                                           [MGL_AGGREGATE_MEDIAN] = "median",
                                           [MGL_AGGREGATE_RANGE] = "range",
                                           [MGL_AGGREGATE_MODE] = "mode",
                                           [MGL_AGGREGATE_SET] = "set",
                                           NULL};

static bool is_set(mgl_span text)
{
    return text.size >= 2 && text.data[0] == '{' && text.data[text.size - 1] == '}';
}

/* Reads one member from `at` on, with the comma or the brace behind it. Is it the value? */
static bool read_member(mgl_span text, size_t *at, mgl_span value)
{
    bool quoted = *at < text.size && text.data[*at] == '"', same = true;
    size_t i = *at + quoted, known = 0, last = text.size - 1;
    for (; i < last; i++, known++) {
        bool quote = text.data[i] == '"';
        if ((quoted && quote && text.data[i + 1] != '"') || (!quoted && text.data[i] == ','))
            break;
        same = same && known < value.size && value.data[known] == text.data[i];
        i += quoted && quote; /* doubled */
    }
    *at = i + quoted + 1;
    return same && known == value.size;
}

bool mgl_set_has(mgl_span text, mgl_span value)
{
    for (size_t at = 1; is_set(text) && at < text.size;)
        if (read_member(text, &at, value))
            return true;
    return false;
}

size_t mgl_set_size(mgl_span text)
{
    size_t n = 0;
    for (size_t at = 1; is_set(text) && at < text.size; n++)
        read_member(text, &at, (mgl_span){0});
    return n;
}
