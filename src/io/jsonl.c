/* JSON lines as source and sink: an object is a row, its keys are the columns. */
#include "io/intake/intake.h"

typedef enum jsonl_kind {
    JSONL_NOTHING, /* null, or the line lacks the key */
    JSONL_STRING,
    JSONL_NUMBER,
    JSONL_BOOLEAN,
    JSONL_NESTED /* a list or an object */
} jsonl_kind;

typedef struct jsonl_value {
    jsonl_kind kind;
    mgl_span raw; /* its bytes; those of a string with their quotes */
} jsonl_value;

typedef struct jsonl_cursor {
    const char *begin, *at, *end;
    const char *wrong; /* what is wrong at `at`; NULL: nothing */
    bool first;
} jsonl_cursor;

typedef struct jsonl_column {
    unsigned kinds;         /* 1 << jsonl_kind of its values */
    bool like_number;       /* some string reads like a number */
    bool like_boolean;      /* some string reads true or false */
    uint64_t last_line;     /* that had the key */
    uint64_t n_values;      /* that are not null */
    uint64_t nested_line;   /* the first with a list or an object; 0: none */
    uint64_t mistaken_line; /* the first with a string that looks like something else; 0: none */
    bool raw; /* cells are the bytes of the values, since their kind is lost in texts */
} jsonl_column;

/* The columns of all lines together: the state of the source. */
typedef struct jsonl {
    jsonl_column *columns;
    size_t n_columns, capacity;
    uint32_t *expected; /* [n_expected] columns of the last line in its order: the next one has it,
                           too, more often than not */
    size_t n_expected, expected_capacity;
    mgl_column_meta *meta;
    mgl_buffer scratch;
} jsonl;

/* One pass over the lines that hold an object. */
typedef struct jsonl_lines {
    mgl_raw_lines *lines;
    mgl_span line; /* current */
    uint64_t number;
} jsonl_lines;

enum { DEEPEST = 256 };

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Is there nothing but blanks? */
static bool jsonl_is_blank(mgl_span line)
{
    for (size_t i = 0; i < line.size; i++)
        if (!is_blank(line.data[i]))
            return false;
    return true;
}

static void skip_blanks(jsonl_cursor *c)
{
    while (c->at < c->end && is_blank(*c->at))
        c->at++;
}

static bool fail(jsonl_cursor *c, const char *wrong)
{
    c->wrong = wrong;
    return false;
}

static bool take(jsonl_cursor *c, char byte)
{
    bool there = c->at < c->end && *c->at == byte;
    c->at += there;
    return there;
}

/* Behind the opening quote; goes behind the closing one. Escapes are looked at later. */
static bool take_string(jsonl_cursor *c)
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

/* The text of a string by its raw bytes; it lies in the scratch, which is emptied, if there are
 * escapes. False, with what is wrong: surrogates alone, \u0000. */
static bool jsonl_text(mgl_span raw, mgl_buffer *scratch, mgl_span *out, const char **wrong)
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

/* Appends the text as a string. */
static void jsonl_quote(mgl_buffer *out, mgl_span text)
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

static size_t take_digits(jsonl_cursor *c)
{
    const char *first = c->at;
    while (c->at < c->end && mgl_is_digit(*c->at))
        c->at++;
    return (size_t)(c->at - first);
}

static bool take_number(jsonl_cursor *c)
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
    jsonl_cursor c = {.at = text.data, .end = text.data + text.size};
    bool begins = text.size > 0 && (mgl_is_digit(text.data[0]) || text.data[0] == '-');
    return begins && take_number(&c) && c.at == c.end;
}

static bool take_word(jsonl_cursor *c, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(c->end - c->at) < size || memcmp(c->at, word, size) != 0)
        return fail(c, "this is no value; strings have quotes around them");
    c->at += size;
    return true;
}

static bool take_scalar(jsonl_cursor *c, jsonl_kind *kind)
{
    char first = c->at < c->end ? *c->at : '\0';
    switch (first) {
    case '"':
        c->at++;
        *kind = JSONL_STRING;
        return take_string(c);
    case 't':
    case 'f':
        *kind = JSONL_BOOLEAN;
        return take_word(c, first == 't' ? "true" : "false");
    case 'n':
        *kind = JSONL_NOTHING;
        return take_word(c, "null");
    default:
        break;
    }
    *kind = JSONL_NUMBER;
    if (first != '-' && !mgl_is_digit(first))
        return fail(c, c->at == c->end ? "the line ends where a value should be; complete it"
                                       : "this is no value; strings have quotes around them");
    return take_number(c) || fail(c, "this is no number of JSON; write it as 12, -0.5 or 1e9");
}

/* A string within a list or an object is as strict as all others. */
static bool take_inner_string(jsonl_cursor *c, mgl_buffer *scratch)
{
    mgl_span text;
    const char *first = c->at, *wrong = NULL;
    if (!take(c, '"'))
        return fail(c, "a key in quotes should stand here");
    if (!take_string(c))
        return false;
    if (memchr(first, '\\', (size_t)(c->at - first)) == NULL ||
        jsonl_text((mgl_span){first, (size_t)(c->at - first)}, scratch, &text, &wrong))
        return true;
    return fail(c, wrong);
}

/* In a list or an object, in front of a value or a closing bracket: takes the key, if there must be
 * one. */
static bool take_inner_key(jsonl_cursor *c, mgl_buffer *scratch)
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
static bool take_inner_end(jsonl_cursor *c, const char *closing, size_t *depth, bool *more)
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
static bool take_nested(jsonl_cursor *c, mgl_buffer *scratch)
{
    char closing[DEEPEST];
    size_t depth = 0;
    jsonl_kind kind;
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

/* Goes behind the brace that opens the object of a line. */
static void jsonl_object(jsonl_cursor *c, mgl_span line)
{
    *c = (jsonl_cursor){
        .begin = line.data, .at = line.data, .end = line.data + line.size, .first = true};
    skip_blanks(c);
    if (!take(c, '{'))
        fail(c, "a line holds an object, {\"KEY\": VALUE, ...}; write one object a line");
}

/* Behind the last member the line ends, too. */
static bool end_object(jsonl_cursor *c)
{
    skip_blanks(c);
    if (c->at < c->end)
        fail(c, "something follows the object; write one object a line");
    return false;
}

static bool take_value(jsonl_cursor *c, jsonl_value *value)
{
    const char *first = c->at;
    bool nested = c->at < c->end && (*c->at == '[' || *c->at == '{'), taken;
    value->kind = JSONL_NESTED;
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

/* The next member, its key with quotes as a value has them. False behind the last one, with nothing
 * wrong if the object and the line end there. */
static bool jsonl_member(jsonl_cursor *c, mgl_span *key, jsonl_value *value)
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

enum { MOST_KEYS = 16384 };

static mgl_status jsonl_begin(const mgl_source *source, mgl_error *err, jsonl_lines *out)
{
    *out = (jsonl_lines){0};
    return mgl_raw_lines_new(source->text, err, &out->lines);
}

static void jsonl_end(jsonl_lines *lines)
{
    mgl_raw_lines_free(lines->lines);
}

static mgl_status jsonl_next(jsonl_lines *lines, mgl_error *err, bool *there)
{
    do {
        MGL_TRY(mgl_raw_lines_next(lines->lines, err, &lines->line, there));
        if (!*there)
            return MGL_OK;
        lines->number = mgl_raw_lines_number(lines->lines);
        if (lines->number == 1 && lines->line.size >= 3 &&
            memcmp(lines->line.data, "\xEF\xBB\xBF", 3) == 0)
            lines->line = (mgl_span){lines->line.data + 3, lines->line.size - 3};
    } while (jsonl_is_blank(lines->line));
    return MGL_OK;
}

/* Reports what is wrong with the current line, at the cursor. */
static mgl_status jsonl_fail(const mgl_source *source, const jsonl_lines *lines,
                             const jsonl_cursor *cursor, mgl_error *err)
{
    const mgl_where where = {.file = source->name,
                             .line = lines->number,
                             .position = (uint64_t)(cursor->at - cursor->begin) + 1};
    return mgl_fail_in(err, MGL_CODE_FORMAT, &where, "%s", cursor->wrong);
}

/* The column of a key; place: of the key in its line, from 0. MGL_NOT_FOUND: there is none so far,
 * or memory is out, or something is wrong with the key. *name: its text. */
static uint32_t jsonl_find(mgl_source *source, mgl_span key, size_t place, mgl_span *name,
                           const char **wrong)
{
    jsonl *state = source->state;
    if (place < state->n_expected) {
        uint32_t column = state->expected[place];
        mgl_span expected = mgl_map_text(source->columns, column);
        if (expected.size + 2 == key.size &&
            memcmp(key.data + 1, expected.data, expected.size) == 0 &&
            memchr(expected.data, '\\', expected.size) == NULL) {
            *name = expected;
            return column;
        }
    }
    if (!jsonl_text(key, &state->scratch, name, wrong))
        return MGL_NOT_FOUND;
    uint32_t column = mgl_map_find(source->columns, *name);
    if (column == MGL_NOT_FOUND ||
        !mgl_grow(&state->expected, &state->expected_capacity, place + 1, sizeof(uint32_t)))
        return column;
    for (; state->n_expected <= place; state->n_expected++)
        state->expected[state->n_expected] = column;
    state->expected[place] = column;
    return column;
}

static mgl_status add_column(mgl_source *source, mgl_span name, uint64_t line, mgl_error *err)
{
    jsonl *state = source->state;
    if (name.size == 0)
        return mgl_fail_at(err, MGL_CODE_HEADER, source->name, line,
                           "a key is empty, and columns need a name; give it one");
    if (state->n_columns == MOST_KEYS)
        return mgl_fail_at(err, MGL_CODE_LIMIT, source->name, line,
                           "the lines have more than %d different keys; make one column of those "
                           "that are values themselves",
                           MOST_KEYS);
    MGL_TRY(mgl_grow_array(&state->columns, &state->capacity, state->n_columns + 1,
                           sizeof *state->columns, err));
    state->columns[state->n_columns++] = (jsonl_column){0};
    return mgl_source_add_column(source, name, line, err);
}

static bool is_boolean(mgl_span text)
{
    return mgl_span_is(text, "true") || mgl_span_is(text, "false");
}

static bool note_value(jsonl *state, jsonl_column *column, const jsonl_value *value,
                       const jsonl_lines *lines, const char **wrong)
{
    mgl_span text;
    column->kinds |= 1u << value->kind;
    column->n_values += value->kind != JSONL_NOTHING;
    if (value->kind == JSONL_NESTED && column->nested_line == 0)
        column->nested_line = lines->number;
    if (value->kind != JSONL_STRING)
        return true;
    if (!jsonl_text(value->raw, &state->scratch, &text, wrong))
        return false;
    bool number = mgl_jsonl_is_number(text), boolean = !number && is_boolean(text);
    column->like_number |= number;
    column->like_boolean |= boolean;
    if ((number || boolean) && column->mistaken_line == 0)
        column->mistaken_line = lines->number;
    return true;
}

static mgl_status note_member(mgl_source *source, const jsonl_lines *lines, mgl_span key,
                              const jsonl_value *value, size_t place, jsonl_cursor *cursor,
                              mgl_error *err)
{
    jsonl *state = source->state;
    mgl_span name;
    uint32_t c = jsonl_find(source, key, place, &name, &cursor->wrong);
    if (c == MGL_NOT_FOUND && cursor->wrong == NULL) {
        c = (uint32_t)state->n_columns;
        MGL_TRY(add_column(source, name, lines->number, err));
    }
    if (cursor->wrong != NULL)
        return jsonl_fail(source, lines, cursor, err);
    jsonl_column *column = &state->columns[c];
    if (column->last_line == lines->number)
        return mgl_blame_column(
            err,
            mgl_fail_at(err, MGL_CODE_FORMAT, source->name, lines->number,
                        "the key \"%.60s\" stands in the line twice; remove one of them",
                        mgl_source_column(source, c)),
            mgl_source_column(source, c));
    column->last_line = lines->number;
    if (!note_value(state, column, value, lines, &cursor->wrong))
        return jsonl_fail(source, lines, cursor, err);
    return state->scratch.failed ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status note_line(mgl_source *source, const jsonl_lines *lines, mgl_error *err)
{
    jsonl_cursor cursor;
    jsonl_value value;
    mgl_span key;
    size_t valid = mgl_utf8_valid(lines->line.data, lines->line.size), place = 0;
    if (valid != lines->line.size) {
        cursor = (jsonl_cursor){.begin = lines->line.data,
                                .at = lines->line.data + valid,
                                .wrong = "this is no UTF-8; convert the file, or name its "
                                         "encoding with `encoding`"};
        return mgl_blame_key(err, jsonl_fail(source, lines, &cursor, err), "encoding");
    }
    jsonl_object(&cursor, lines->line);
    while (jsonl_member(&cursor, &key, &value))
        MGL_TRY(note_member(source, lines, key, &value, place++, &cursor, err));
    return cursor.wrong != NULL ? jsonl_fail(source, lines, &cursor, err) : MGL_OK;
}

static mgl_column_meta meta_of(jsonl_column *column, uint64_t n_rows)
{
    const unsigned string = 1u << JSONL_STRING, number = 1u << JSONL_NUMBER,
                   boolean = 1u << JSONL_BOOLEAN, nested = 1u << JSONL_NESTED;
    unsigned kinds = column->kinds & (string | number | boolean | nested);
    column->raw = (kinds & nested) != 0 || (column->like_number && (kinds & number) != 0) ||
                  (column->like_boolean && (kinds & boolean) != 0);
    mgl_column_meta meta = {.kind = kinds == number ? MGL_CELLS_NUMBER : MGL_CELLS_TEXT,
                            .found = true};
    meta.json = column->raw ? MGL_JSONL_AS_RAW
                            : ((kinds & number) != 0 ? MGL_JSONL_HAS_NUMBERS : 0) |
                                  ((kinds & boolean) != 0 ? MGL_JSONL_HAS_BOOLEANS : 0) |
                                  ((kinds & string) != 0 ? MGL_JSONL_HAS_STRINGS : 0);
    meta.json |= column->n_values == n_rows ? MGL_JSONL_FULL : 0;
    return meta;
}

static mgl_status make_meta(mgl_source *source, mgl_error *err)
{
    jsonl *state = source->state;
    state->meta = mgl_zeroed_array(state->n_columns, sizeof *state->meta);
    if (state->meta == NULL && state->n_columns > 0)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < state->n_columns; c++)
        state->meta[c] = meta_of(&state->columns[c], source->n_rows);
    source->meta = state->meta;
    return MGL_OK;
}

static mgl_status note_lines(mgl_source *source, jsonl_lines *lines, mgl_error *err)
{
    for (bool there = true;;) {
        MGL_TRY(jsonl_next(lines, err, &there));
        if (!there)
            return MGL_OK;
        MGL_TRY(note_line(source, lines, err));
        source->n_rows++;
    }
}

/* Goes through all lines and finds the columns of the source and what they hold. */
static mgl_status jsonl_find_columns(mgl_source *source, mgl_error *err)
{
    jsonl *state = source->state;
    jsonl_lines lines;
    MGL_TRY(jsonl_begin(source, err, &lines));
    mgl_status status = note_lines(source, &lines, err);
    jsonl_end(&lines);
    MGL_TRY(status);
    if (state->n_columns == 0)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, source->name, 0,
                           source->n_rows == 0
                               ? "there are no lines; write one object a line"
                               : "no object has a key, and keys are the columns; add some");
    return make_meta(source, err);
}

static mgl_status jsonl_open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    jsonl *state = source->state = mgl_zeroed_array(1, sizeof *state);
    MGL_TRY(mgl_check_memory(state != NULL, err));
    MGL_TRY(mgl_source_open_text(source, location->text, err));
    return jsonl_find_columns(source, err);
}

static void jsonl_close(mgl_source *source)
{
    jsonl *state = source->state;
    if (state == NULL)
        return;
    mgl_free(state->columns);
    mgl_free(state->expected);
    mgl_free(state->meta);
    mgl_buffer_free(&state->scratch);
    mgl_free(state);
}

/* The values of the current line, in the order of the columns. */
static mgl_status take_values(mgl_source *source, const jsonl_lines *lines, jsonl_value *values,
                              mgl_error *err)
{
    jsonl *state = source->state;
    jsonl_cursor cursor;
    jsonl_value value;
    mgl_span key, name;
    for (size_t c = 0; c < state->n_columns; c++)
        values[c].kind = JSONL_NOTHING;
    jsonl_object(&cursor, lines->line);
    for (size_t place = 0; jsonl_member(&cursor, &key, &value); place++) {
        uint32_t c = jsonl_find(source, key, place, &name, &cursor.wrong);
        if (c == MGL_NOT_FOUND) {
            cursor.wrong = "the file changed while it was read; run again when it is complete";
            break;
        }
        values[c] = value;
    }
    return cursor.wrong != NULL ? jsonl_fail(source, lines, &cursor, err) : MGL_OK;
}

static mgl_status put_value(mgl_source *source, mgl_intake *intake, size_t c,
                            const jsonl_value *value, mgl_error *err)
{
    jsonl *state = source->state;
    mgl_span cell = value->raw;
    const char *wrong;
    if (!mgl_intake_wants(intake, c))
        cell = (mgl_span){"", 0};
    else if (value->kind == JSONL_NOTHING)
        cell = source->options->no_value;
    else if (value->kind == JSONL_STRING && !state->columns[c].raw &&
             !jsonl_text(value->raw, &state->scratch, &cell, &wrong))
        return mgl_fail_at(err, MGL_CODE_FORMAT, source->name, 0, "%s", wrong);
    return state->scratch.failed ? mgl_fail_memory(err) : mgl_intake_put(intake, cell, err);
}

static mgl_status put_lines(mgl_source *source, mgl_intake *intake, jsonl_lines *lines,
                            jsonl_value *values, mgl_error *err)
{
    jsonl *state = source->state;
    for (bool there = true;;) {
        MGL_TRY(jsonl_next(lines, err, &there));
        if (!there)
            return mgl_source_unchanged(source, err);
        MGL_TRY(take_values(source, lines, values, err));
        for (size_t c = 0; c < state->n_columns; c++)
            MGL_TRY(put_value(source, intake, c, &values[c], err));
    }
}

static mgl_status produce(mgl_source *source, mgl_intake *intake, mgl_error *err)
{
    jsonl *state = source->state;
    jsonl_lines lines = {0};
    jsonl_value *values = mgl_alloc_array(state->n_columns, sizeof *values);
    mgl_status status = MGL_OK;
    if (values == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(jsonl_begin(source, err, &lines));
    MGL_GO(put_lines(source, intake, &lines, values, err));
done:
    jsonl_end(&lines);
    mgl_free(values);
    return status;
}

/* Lists, objects and values that are not distinct as texts are passed through as they stand, or
 * dropped. */
static mgl_status check_columns(const mgl_source *source, const mgl_table *table, mgl_error *err)
{
    const jsonl *state = source->state;
    for (size_t i = 0; i < table->n_columns; i++) {
        const char *name = table->columns[i].name;
        const jsonl_column *c = &state->columns[table->columns[i].source_index];
        if (!c->raw)
            continue;
        return mgl_blame_column(
            err,
            c->nested_line > 0
                ? mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, source->name, c->nested_line,
                              "column %.60s holds lists or objects, which cannot be compared or "
                              "generalized; leave it out with `role: identifier`, or make columns "
                              "of what is in them",
                              name)
                : mgl_fail_at(err, MGL_CODE_COLUMN_TYPE, source->name, c->mistaken_line,
                              "column %.60s holds a string that looks like its numbers, true or "
                              "false, so that texts do not tell them apart; write all values "
                              "alike, or leave it out with `role: identifier`",
                              name),
            name);
    }
    return MGL_OK;
}

/* Blank lines are no rows. */
static mgl_status jsonl_line(mgl_source *source, size_t row, mgl_error *err, uint64_t *out)
{
    jsonl_lines lines = {0};
    bool there = true;
    mgl_status status = MGL_OK;
    MGL_GO(jsonl_begin(source, err, &lines));
    for (size_t r = 0; there && r <= row; r++)
        MGL_GO(jsonl_next(&lines, err, &there));
    *out = there ? lines.number : 0;
done:
    jsonl_end(&lines);
    return status;
}

static const mgl_source_operations source_jsonl = {
    .open = jsonl_open,
    .close = jsonl_close,
    .check = check_columns,
    .produce = produce,
    .line = jsonl_line,
};

typedef enum value_form {
    AS_STRING,
    AS_IT_IS,   /* every cell is a value of JSON */
    BY_ITS_LOOK /* the cells of a column that had several kinds: none looks like another */
} value_form;

typedef struct writer {
    const mgl_sink_request *order;
    mgl_text_writer *text;
    const mgl_span *cells; /* [columns] */
    value_form *forms;     /* [columns] */
    mgl_buffer line;
} writer;

static bool was_numbers(const mgl_sink_column *column)
{
    return column->meta != NULL && column->meta->kind == MGL_CELLS_NUMBER;
}

static unsigned json_of(const mgl_sink_column *column)
{
    return column->meta != NULL ? column->meta->json : 0;
}

static value_form form_of(const mgl_sink_request *request, const mgl_sink_column *column)
{
    unsigned json = json_of(column);
    bool unknown = column->meta == NULL || column->meta->kind == MGL_CELLS_UNKNOWN;
    if (!column->recoded && (json & MGL_JSONL_AS_RAW) != 0)
        return AS_IT_IS;
    unsigned kinds = json & MGL_JSONL_KINDS;
    if (!column->recoded && (kinds & (kinds - 1)) != 0)
        return BY_ITS_LOOK;
    if ((unknown || was_numbers(column) || (json & MGL_JSONL_HAS_NUMBERS) != 0) &&
        column->json_numbers)
        return AS_IT_IS;
    if ((json & MGL_JSONL_HAS_BOOLEANS) != 0 && column->booleans)
        return AS_IT_IS;
    if (was_numbers(column))
        mgl_buffer_format(request->warnings,
                          "text-column\tcolumn %s is written as text, since released values such "
                          "as ranges are no numbers%c",
                          column->name, '\0');
    return AS_STRING;
}

/* A cell of no value is null; other tokens for missing ones are texts where the column is. */
static bool is_null(const writer *w, size_t c)
{
    mgl_span cell = w->cells[c];
    const mgl_sink_column *column = &w->order->columns[c];
    if (w->forms[c] == AS_IT_IS && mgl_sink_missing(w->order, cell))
        return true;
    bool full = !column->recoded && json_of(column) & MGL_JSONL_FULL;
    return !full && w->order->n_missing > 0 && mgl_span_equal(cell, w->order->missing[0]);
}

static bool is_bare(const writer *w, size_t c)
{
    mgl_span cell = w->cells[c];
    unsigned json = json_of(&w->order->columns[c]);
    if (w->forms[c] != BY_ITS_LOOK)
        return w->forms[c] == AS_IT_IS;
    bool boolean = mgl_span_is(cell, "true") || mgl_span_is(cell, "false");
    return boolean ? (json & MGL_JSONL_HAS_BOOLEANS) != 0
                   : (json & MGL_JSONL_HAS_NUMBERS) != 0 && mgl_jsonl_is_number(cell);
}

static void put_row(writer *w)
{
    mgl_buffer *line = &w->line;
    for (size_t c = 0; c < w->order->n_columns; c++) {
        mgl_buffer_append(line, c > 0 ? "," : "{", 1);
        jsonl_quote(line, mgl_span_of(w->order->columns[c].name));
        mgl_buffer_append(line, ":", 1);
        if (is_null(w, c))
            mgl_buffer_append(line, "null", 4);
        else if (is_bare(w, c))
            mgl_buffer_span(line, w->cells[c]);
        else
            jsonl_quote(line, w->cells[c]);
    }
    mgl_buffer_append(line, "}\n", 2);
}

static mgl_status flush(writer *w, mgl_error *err)
{
    if (w->line.failed)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_text_write(w->text, w->line.data, w->line.size, err));
    w->line.size = 0;
    return MGL_OK;
}

static mgl_status write_rows(writer *w, mgl_error *err)
{
    enum { AT_ONCE = 1 << 18 };
    for (;;) {
        MGL_TRY(mgl_cell_reader_next(w->order->rows, err, &w->cells));
        if (w->cells == NULL)
            return w->line.size > 0 ? flush(w, err) : MGL_OK;
        put_row(w);
        if (w->line.size >= AT_ONCE)
            MGL_TRY(flush(w, err));
    }
}

static mgl_status jsonl_write(const mgl_format *format, const mgl_sink_request *request,
                              mgl_error *err)
{
    writer w = {.order = request};
    mgl_status status = MGL_OK;
    (void)format;
    MGL_TRY(mgl_new_array(request->n_columns, sizeof *w.forms, err, &w.forms));
    for (size_t c = 0; c < request->n_columns; c++)
        w.forms[c] = form_of(request, &request->columns[c]);
    MGL_GO(mgl_text_writer_new(request->fd, request->target, err, &w.text));
    MGL_GO(write_rows(&w, err));
    MGL_GO(mgl_text_writer_end(w.text, err));
done:
    mgl_text_writer_free(w.text);
    mgl_buffer_free(&w.line);
    mgl_free(w.forms);
    return status;
}

static const mgl_sink_operations operations = {.write = jsonl_write};

const mgl_format mgl_jsonl_format = {
    .name = "jsonl",
    .help = "JSON lines: an object a line, whose keys are the columns",
    .endings = ".jsonl .ndjson .jsonl.gz .ndjson.gz .jsonl.zst .ndjson.zst",
    .source = &source_jsonl,
    .sink = &operations,
};
