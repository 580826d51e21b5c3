/* Takes apart and writes lists and dotted names, as options, job files and paths have them. */
#include "base/lists.h"

mgl_list mgl_list_of(mgl_span text)
{
    return (mgl_list){text, true};
}

static void skip_spaces(mgl_span *text)
{
    while (text->size > 0 && (text->data[0] == ' ' || text->data[0] == '\t'))
        text->data++, text->size--;
}

/* Takes a quoted text off, whose first quote is at the beginning. */
static bool take_quoted(mgl_span *text, mgl_buffer *out, mgl_buffer *wrong)
{
    size_t i = 1;
    for (; i < text->size; i++) {
        if (text->data[i] == '"') {
            if (i + 1 == text->size || text->data[i + 1] != '"')
                break;
            i++;
        }
        mgl_buffer_append(out, text->data + i, 1);
    }
    if (i >= text->size) {
        mgl_buffer_text(wrong, "has a quote that is not closed; add a \" at its end");
        return false;
    }
    text->data += i + 1;
    text->size -= i + 1;
    skip_spaces(text);
    return true;
}

static bool take_plain(mgl_span *text, const char *stops, mgl_buffer *out)
{
    size_t size = 0;
    while (size < text->size && strchr(stops, text->data[size]) == NULL)
        size++;
    mgl_buffer_span(out, mgl_span_trim((mgl_span){text->data, size}));
    text->data += size;
    text->size -= size;
    return true;
}

static bool take(mgl_span *text, const char *stops, mgl_buffer *out, mgl_buffer *wrong)
{
    out->size = 0;
    skip_spaces(text);
    bool quoted = text->size > 0 && text->data[0] == '"';
    bool fine = quoted ? take_quoted(text, out, wrong) : take_plain(text, stops, out);
    /* Without memory the end of the list would look as if it were reached. */
    wrong->failed = wrong->failed || out->failed;
    return fine && !out->failed;
}

static bool take_comma(mgl_list *list, mgl_buffer *wrong)
{
    list->more = list->rest.size > 0;
    if (!list->more)
        return true;
    if (list->rest.data[0] != ',') {
        mgl_buffer_text(wrong, "has text after a closing quote; write \"a,b\",c");
        return false;
    }
    list->rest.data++;
    list->rest.size--;
    return true;
}

bool mgl_list_next(mgl_list *list, mgl_buffer *item, mgl_buffer *wrong)
{
    return list->more && take(&list->rest, ",", item, wrong) && take_comma(list, wrong);
}

bool mgl_list_next_pair(mgl_list *list, bool last, mgl_buffer *column, mgl_buffer *value,
                        mgl_buffer *wrong)
{
    if (!list->more || !take(&list->rest, "=,", column, wrong))
        return false;
    if (column->size == 0 || list->rest.size == 0 || list->rest.data[0] != '=') {
        mgl_buffer_text(wrong, "is not of the form column=value; write for example age=...");
        return false;
    }
    list->rest.data++;
    list->rest.size--;
    if (last) {
        value->size = 0;
        mgl_buffer_span(value, mgl_span_trim(list->rest));
        list->rest.size = 0;
        list->more = false;
        return true;
    }
    return take(&list->rest, ",", value, wrong) && take_comma(list, wrong);
}

void mgl_list_append(mgl_buffer *list, mgl_span item)
{
    mgl_buffer_text(list, list->size > 0 ? ",\"" : "\"");
    for (size_t i = 0; i < item.size; i++) {
        if (item.data[i] == '"')
            mgl_buffer_text(list, "\"");
        mgl_buffer_append(list, item.data + i, 1);
    }
    mgl_buffer_text(list, "\"");
}

static mgl_span without_first(mgl_span text, size_t n)
{
    return (mgl_span){text.data + n, text.size - n};
}

bool mgl_name_take(mgl_span *rest, const char *ends, mgl_name *out)
{
    size_t end = 0;
    if (rest->size > 0 && rest->data[0] == '"') {
        /* Where the quote that the text begins with is closed; the size of the text: nowhere. */
        mgl_span text = *rest;
        size_t i = 1;
        while (i < text.size &&
               (text.data[i] != '"' || (i + 1 < text.size && text.data[i + 1] == '"')))
            i += text.data[i] == '"' ? 2 : 1;
        end = i < text.size ? i : text.size;
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
