/* Scans the values of a line of JSON (RFC 8259) and writes strings. */
#include "io/jsonl/jsonl.h"

enum { DEEPEST = 256 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool mgl_jsonl_is_blank(mgl_span line)
{
    for (size_t i = 0; i < line.size; i++)
        if (!is_blank(line.data[i]))
            return false;
    return true;
}

static void skip_blanks(mgl_jsonl_cursor *c)
{
    while (c->at < c->end && is_blank(*c->at))
        c->at++;
}

static bool fail(mgl_jsonl_cursor *c, const char *wrong)
{
    c->wrong = wrong;
    return false;
}

static bool take(mgl_jsonl_cursor *c, char byte)
{
    bool there = c->at < c->end && *c->at == byte;
    c->at += there;
    return there;
}

/* Behind the opening quote; goes behind the closing one. Escapes are looked at later. */
static bool take_string(mgl_jsonl_cursor *c)
{
    for (; c->at < c->end; c->at++) {
        if (*c->at == '"') {
            c->at++;
            return true;
        }
        if ((unsigned char)*c->at < 0x20)
            return fail(c, "a control character stands in a string; write it as an escape");
        if (*c->at == '\\' && ++c->at == c->end)
            break;
    }
    return fail(c, "the line ends within a string; close it with a quote");
}

static int hex_digit(char c)
{
    return mgl_is_digit(c)        ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Four hexadecimal digits as a number; -1 if they are not. */
static int32_t take_unit(mgl_span text, size_t at)
{
    int32_t unit = 0;
    if (text.size - at < 4)
        return -1;
    for (size_t i = 0; i < 4; i++) {
        int digit = hex_digit(text.data[at + i]);
        if (digit < 0)
            return -1;
        unit = unit * 16 + digit;
    }
    return unit;
}

static void put_character(mgl_buffer *out, uint32_t c)
{
    char bytes[4];
    size_t n = 0;
    if (c < 0x80) {
        bytes[n++] = (char)c;
    } else if (c < 0x800) {
        bytes[n++] = (char)(0xC0 | c >> 6);
        bytes[n++] = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        bytes[n++] = (char)(0xE0 | c >> 12);
        bytes[n++] = (char)(0x80 | (c >> 6 & 0x3F));
        bytes[n++] = (char)(0x80 | (c & 0x3F));
    } else {
        bytes[n++] = (char)(0xF0 | c >> 18);
        bytes[n++] = (char)(0x80 | (c >> 12 & 0x3F));
        bytes[n++] = (char)(0x80 | (c >> 6 & 0x3F));
        bytes[n++] = (char)(0x80 | (c & 0x3F));
    }
    mgl_buffer_append(out, bytes, n);
}

/* Behind \u; *at goes behind the escape, or both of a pair. */
static const char *put_unit(mgl_span text, size_t *at, mgl_buffer *out)
{
    int32_t unit = take_unit(text, *at), low;
    *at += 4;
    if (unit < 0)
        return "\\u is followed by four hexadecimal digits; correct the escape";
    if (unit == 0)
        return "\\u0000 cannot be in a cell; remove it";
    if (unit >= 0xDC00 && unit < 0xE000)
        return "a low surrogate stands alone; write both halves of the character";
    if (unit < 0xD800 || unit >= 0xE000) {
        put_character(out, (uint32_t)unit);
        return NULL;
    }
    bool pair = text.size - *at >= 6 && text.data[*at] == '\\' && text.data[*at + 1] == 'u';
    low = pair ? take_unit(text, *at + 2) : -1;
    if (low < 0xDC00 || low >= 0xE000)
        return "a high surrogate stands alone; write both halves of the character";
    *at += 6;
    put_character(out, 0x10000 + (((uint32_t)unit & 0x3FF) << 10) + ((uint32_t)low & 0x3FF));
    return NULL;
}

bool mgl_jsonl_text(mgl_span raw, mgl_buffer *scratch, mgl_span *out, const char **wrong)
{
    static const char escapes[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    mgl_span text = {raw.data + 1, raw.size - 2};
    *out = text;
    if (memchr(text.data, '\\', text.size) == NULL)
        return true;
    scratch->size = 0;
    for (size_t at = 0; at < text.size;) {
        const char *next = memchr(text.data + at, '\\', text.size - at);
        size_t plain = next != NULL ? (size_t)(next - text.data) - at : text.size - at;
        mgl_buffer_append(scratch, text.data + at, plain);
        at += plain;
        if (at == text.size)
            break;
        char escape = text.data[at + 1]; /* the scanner has seen it */
        const char *known = escape != '\0' ? strchr(escapes, escape) : NULL;
        at += 2;
        if (known != NULL) {
            mgl_buffer_append(scratch, means + (known - escapes), 1);
            continue;
        }
        *wrong = escape == 'u' ? put_unit(text, &at, scratch)
                               : "there is no such escape in JSON; correct it";
        if (*wrong != NULL)
            return false;
    }
    *out = (mgl_span){scratch->data != NULL ? scratch->data : "", scratch->size};
    return true;
}

void mgl_jsonl_quote(mgl_buffer *out, mgl_span text)
{
    static const char escapes[] = "btn_fr"; /* of the bytes 8 to 13 */
    size_t from = 0;
    mgl_buffer_append(out, "\"", 1);
    for (size_t i = 0; i < text.size; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        if (byte >= 0x20 && byte != '"' && byte != '\\')
            continue;
        mgl_buffer_append(out, text.data + from, i - from);
        from = i + 1;
        if (byte >= 0x20)
            mgl_buffer_format(out, "\\%c", byte);
        else if (byte >= 8 && byte <= 13 && byte != 11)
            mgl_buffer_format(out, "\\%c", escapes[byte - 8]);
        else
            mgl_buffer_format(out, "\\u%04x", byte);
    }
    mgl_buffer_append(out, text.data + from, text.size - from);
    mgl_buffer_append(out, "\"", 1);
}

static size_t take_digits(mgl_jsonl_cursor *c)
{
    const char *first = c->at;
    while (c->at < c->end && mgl_is_digit(*c->at))
        c->at++;
    return (size_t)(c->at - first);
}

static bool take_number(mgl_jsonl_cursor *c)
{
    take(c, '-');
    if (!take(c, '0') && take_digits(c) == 0)
        return false;
    if (take(c, '.') && take_digits(c) == 0)
        return false;
    if (!take(c, 'e') && !take(c, 'E'))
        return true;
    if (!take(c, '+'))
        take(c, '-');
    return take_digits(c) > 0;
}

bool mgl_jsonl_is_number(mgl_span text)
{
    mgl_jsonl_cursor c = {.at = text.data, .end = text.data + text.size};
    bool begins = text.size > 0 && (mgl_is_digit(text.data[0]) || text.data[0] == '-');
    return begins && take_number(&c) && c.at == c.end;
}

static bool take_word(mgl_jsonl_cursor *c, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, word, size) != 0)
        return fail(c, "this is no value; strings have quotes around them");
    c->at += size;
    return true;
}

static bool take_scalar(mgl_jsonl_cursor *c, mgl_jsonl_kind *kind)
{
    char first = c->at < c->end ? *c->at : '\0';
    switch (first) {
    case '"':
        c->at++;
        *kind = MGL_JSONL_STRING;
        return take_string(c);
    case 't':
    case 'f':
        *kind = MGL_JSONL_BOOLEAN;
        return take_word(c, first == 't' ? "true" : "false");
    case 'n':
        *kind = MGL_JSONL_NOTHING;
        return take_word(c, "null");
    default:
        break;
    }
    *kind = MGL_JSONL_NUMBER;
    if (first != '-' && !mgl_is_digit(first))
        return fail(c, c->at == c->end ? "the line ends where a value should be; complete it"
                                       : "this is no value; strings have quotes around them");
    return take_number(c) || fail(c, "this is no number of JSON; write it as 12, -0.5 or 1e9");
}

/* A string within a list or an object is as strict as all others. */
static bool take_inner_string(mgl_jsonl_cursor *c, mgl_buffer *scratch)
{
    mgl_span text;
    const char *first = c->at, *wrong = NULL;
    if (!take(c, '"'))
        return fail(c, "a key in quotes should stand here");
    if (!take_string(c))
        return false;
    if (memchr(first, '\\', (size_t)(c->at - first)) == NULL ||
        mgl_jsonl_text((mgl_span){first, (size_t)(c->at - first)}, scratch, &text, &wrong))
        return true;
    return fail(c, wrong);
}

/* In a list or an object, in front of a value or a closing bracket: takes the key, if there must be
 * one. */
static bool take_inner_key(mgl_jsonl_cursor *c, mgl_buffer *scratch)
{
    if (!take_inner_string(c, scratch))
        return false;
    skip_blanks(c);
    if (!take(c, ':'))
        return fail(c, "a colon should stand between key and value");
    skip_blanks(c);
    return true;
}

/* Behind a value: closes what ends there. *more: another value follows. */
static bool take_inner_end(mgl_jsonl_cursor *c, const char *closing, size_t *depth, bool *more)
{
    for (;;) {
        skip_blanks(c);
        if (take(c, ',')) {
            skip_blanks(c);
            *more = true;
            return true;
        }
        if (!take(c, closing[*depth - 1]))
            return fail(c, "a comma or a closing bracket should stand here");
        if (--*depth == 0) {
            *more = false;
            return true;
        }
    }
}

/* Without calling itself: hostile files are deep. */
static bool take_nested(mgl_jsonl_cursor *c, mgl_buffer *scratch)
{
    char closing[DEEPEST];
    size_t depth = 0;
    mgl_jsonl_kind kind;
    for (bool more = true; more;) {
        if (depth > 0 && closing[depth - 1] == '}' && !take_inner_key(c, scratch))
            return false;
        bool opens = c->at < c->end && (*c->at == '[' || *c->at == '{');
        if (!opens) {
            bool string = c->at < c->end && *c->at == '"';
            if (!(string ? take_inner_string(c, scratch) : take_scalar(c, &kind)))
                return false;
        } else {
            if (depth == DEEPEST)
                return fail(c, "lists and objects lie within each other more than 256 deep");
            closing[depth++] = *c->at++ == '[' ? ']' : '}';
            skip_blanks(c);
            bool empty = c->at < c->end && *c->at == closing[depth - 1];
            if (!empty)
                continue;
        }
        if (!take_inner_end(c, closing, &depth, &more))
            return false;
    }
    return true;
}

void mgl_jsonl_object(mgl_jsonl_cursor *c, mgl_span line)
{
    *c = (mgl_jsonl_cursor){
        .begin = line.data, .at = line.data, .end = line.data + line.size, .first = true};
    skip_blanks(c);
    if (!take(c, '{'))
        fail(c, "a line holds an object, {\"KEY\": VALUE, ...}; write one object a line");
}

/* Behind the last member the line ends, too. */
static bool end_object(mgl_jsonl_cursor *c)
{
    skip_blanks(c);
    if (c->at < c->end)
        fail(c, "something follows the object; write one object a line");
    return false;
}

static bool take_value(mgl_jsonl_cursor *c, mgl_jsonl_value *value)
{
    const char *first = c->at;
    bool nested = c->at < c->end && (*c->at == '[' || *c->at == '{'), taken;
    value->kind = MGL_JSONL_NESTED;
    if (nested) {
        mgl_buffer scratch = {0};
        taken = take_nested(c, &scratch);
        if (taken && scratch.failed)
            taken = fail(c, "memory is out");
        mgl_buffer_free(&scratch);
    } else {
        taken = take_scalar(c, &value->kind);
    }
    value->raw = (mgl_span){first, (size_t)(c->at - first)};
    return taken;
}

bool mgl_jsonl_member(mgl_jsonl_cursor *c, mgl_span *key, mgl_jsonl_value *value)
{
    if (c->wrong != NULL)
        return false;
    skip_blanks(c);
    bool first = c->first;
    c->first = false;
    if (take(c, '}'))
        return end_object(c);
    if (!first) {
        if (!take(c, ','))
            return fail(c, "a comma or the brace that closes the object should stand here");
        skip_blanks(c);
    }
    const char *begin = c->at;
    if (!take(c, '"'))
        return fail(c, "a key in quotes should stand here");
    if (!take_string(c))
        return false;
    *key = (mgl_span){begin, (size_t)(c->at - begin)};
    skip_blanks(c);
    if (!take(c, ':'))
        return fail(c, "a colon should stand between key and value");
    skip_blanks(c);
    return take_value(c, value);
}
