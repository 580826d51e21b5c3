/* Finds the columns of JSON lines: the keys of all lines together, and what kinds of values they
 * have. The source calls it when it is opened. */
#include "io/jsonl/jsonl.h"

enum { MOST_KEYS = 16384 };

/* ---- Lines -------------------------------------------------------------------------------- */

mgl_status mgl_jsonl_begin(const mgl_jsonl *state, mgl_error *err, mgl_jsonl_lines *out)
{
    *out = (mgl_jsonl_lines){0};
    return mgl_raw_lines_new(state->file, err, &out->lines);
}

void mgl_jsonl_end(mgl_jsonl_lines *lines)
{
    mgl_raw_lines_free(lines->lines);
}

mgl_status mgl_jsonl_next(mgl_jsonl_lines *lines, mgl_error *err, bool *there)
{
    do {
        MGL_TRY(mgl_raw_lines_next(lines->lines, err, &lines->line, there));
        if (!*there)
            return MGL_OK;
        lines->number = mgl_raw_lines_number(lines->lines);
        if (lines->number == 1 && lines->line.size >= 3 &&
            memcmp(lines->line.data, "\xEF\xBB\xBF", 3) == 0)
            lines->line = (mgl_span){lines->line.data + 3, lines->line.size - 3};
    } while (mgl_jsonl_is_blank(lines->line));
    return MGL_OK;
}

mgl_status mgl_jsonl_fail(const mgl_source *source, const mgl_jsonl_lines *lines,
                          const mgl_jsonl_cursor *cursor, mgl_error *err)
{
    const mgl_where where = {.file = source->name,
                             .line = lines->number,
                             .position = (uint64_t)(cursor->at - cursor->begin) + 1};
    return mgl_fail_in(err, MGL_CODE_FORMAT, &where, "%s", cursor->wrong);
}

/* ---- Keys --------------------------------------------------------------------------------- */

uint32_t mgl_jsonl_find(mgl_source *source, mgl_span key, size_t place, mgl_span *name,
                        const char **wrong)
{
    mgl_jsonl *state = source->state;
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
    if (!mgl_jsonl_text(key, &state->scratch, name, wrong))
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
    mgl_jsonl *state = source->state;
    if (name.size == 0)
        return mgl_fail_at(err, MGL_CODE_HEADER, source->name, line,
                           "a key is empty, and columns need a name; give it one");
    if (state->n_columns == MOST_KEYS)
        return mgl_fail_at(err, MGL_CODE_LIMIT, source->name, line,
                           "the lines have more than %d different keys; make one column of those "
                           "that are values themselves",
                           MOST_KEYS);
    if (!mgl_grow(&state->columns, &state->capacity, state->n_columns + 1, sizeof *state->columns))
        return mgl_fail_memory(err);
    state->columns[state->n_columns++] = (mgl_jsonl_column){0};
    return mgl_source_add_column(source, name, line, err);
}

/* ---- What columns hold ---------------------------------------------------------------------- */

static bool is_boolean(mgl_span text)
{
    return mgl_span_is(text, "true") || mgl_span_is(text, "false");
}

static bool note_value(mgl_jsonl *state, mgl_jsonl_column *column, const mgl_jsonl_value *value,
                       const mgl_jsonl_lines *lines, const char **wrong)
{
    mgl_span text;
    column->kinds |= 1u << value->kind;
    column->n_values += value->kind != MGL_JSONL_NOTHING;
    if (value->kind == MGL_JSONL_NESTED && column->nested_line == 0)
        column->nested_line = lines->number;
    if (value->kind != MGL_JSONL_STRING)
        return true;
    if (!mgl_jsonl_text(value->raw, &state->scratch, &text, wrong))
        return false;
    bool number = mgl_jsonl_is_number(text), boolean = !number && is_boolean(text);
    column->like_number |= number;
    column->like_boolean |= boolean;
    if ((number || boolean) && column->mistaken_line == 0)
        column->mistaken_line = lines->number;
    return true;
}

static mgl_status note_member(mgl_source *source, const mgl_jsonl_lines *lines, mgl_span key,
                              const mgl_jsonl_value *value, size_t place, mgl_jsonl_cursor *cursor,
                              mgl_error *err)
{
    mgl_jsonl *state = source->state;
    mgl_span name;
    uint32_t c = mgl_jsonl_find(source, key, place, &name, &cursor->wrong);
    if (c == MGL_NOT_FOUND && cursor->wrong == NULL) {
        c = (uint32_t)state->n_columns;
        MGL_TRY(add_column(source, name, lines->number, err));
    }
    if (cursor->wrong != NULL)
        return mgl_jsonl_fail(source, lines, cursor, err);
    mgl_jsonl_column *column = &state->columns[c];
    if (column->last_line == lines->number)
        return mgl_blame_column(
            err,
            mgl_fail_at(err, MGL_CODE_FORMAT, source->name, lines->number,
                        "the key \"%.60s\" stands in the line twice; remove one of them",
                        mgl_source_column(source, c)),
            mgl_source_column(source, c));
    column->last_line = lines->number;
    if (!note_value(state, column, value, lines, &cursor->wrong))
        return mgl_jsonl_fail(source, lines, cursor, err);
    return state->scratch.failed ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status note_line(mgl_source *source, const mgl_jsonl_lines *lines, mgl_error *err)
{
    mgl_jsonl_cursor cursor;
    mgl_jsonl_value value;
    mgl_span key;
    size_t valid = mgl_utf8_valid(lines->line.data, lines->line.size), place = 0;
    if (valid != lines->line.size) {
        cursor = (mgl_jsonl_cursor){.begin = lines->line.data,
                                    .at = lines->line.data + valid,
                                    .wrong = "this is no UTF-8; convert the file, or name its "
                                             "encoding with `encoding`"};
        return mgl_blame_key(err, mgl_jsonl_fail(source, lines, &cursor, err), "encoding");
    }
    mgl_jsonl_object(&cursor, lines->line);
    while (mgl_jsonl_member(&cursor, &key, &value))
        MGL_TRY(note_member(source, lines, key, &value, place++, &cursor, err));
    return cursor.wrong != NULL ? mgl_jsonl_fail(source, lines, &cursor, err) : MGL_OK;
}

/* ---- What that makes of them ------------------------------------------------------------------
 */

static mgl_column_meta meta_of(mgl_jsonl_column *column, uint64_t n_rows)
{
    const unsigned string = 1u << MGL_JSONL_STRING, number = 1u << MGL_JSONL_NUMBER,
                   boolean = 1u << MGL_JSONL_BOOLEAN, nested = 1u << MGL_JSONL_NESTED;
    unsigned kinds = column->kinds & (string | number | boolean | nested);
    column->raw = (kinds & nested) != 0 || (column->like_number && (kinds & number) != 0) ||
                  (column->like_boolean && (kinds & boolean) != 0);
    mgl_column_meta meta = {.kind = kinds == number ? MGL_CELLS_NUMBER : MGL_CELLS_TEXT};
    meta.json = column->raw ? MGL_JSONL_AS_RAW
                            : ((kinds & number) != 0 ? MGL_JSONL_HAS_NUMBERS : 0) |
                                  ((kinds & boolean) != 0 ? MGL_JSONL_HAS_BOOLEANS : 0) |
                                  ((kinds & string) != 0 ? MGL_JSONL_HAS_STRINGS : 0);
    meta.json |= column->n_values == n_rows ? MGL_JSONL_FULL : 0;
    return meta;
}

static mgl_status make_meta(mgl_source *source, mgl_error *err)
{
    mgl_jsonl *state = source->state;
    state->meta = mgl_zeroed_array(state->n_columns, sizeof *state->meta);
    if (state->meta == NULL && state->n_columns > 0)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < state->n_columns; c++)
        state->meta[c] = meta_of(&state->columns[c], state->n_rows);
    source->meta = state->meta;
    return MGL_OK;
}

static mgl_status note_lines(mgl_source *source, mgl_jsonl_lines *lines, mgl_error *err)
{
    mgl_jsonl *state = source->state;
    for (bool there = true;;) {
        MGL_TRY(mgl_jsonl_next(lines, err, &there));
        if (!there)
            return MGL_OK;
        MGL_TRY(note_line(source, lines, err));
        state->n_rows++;
    }
}

mgl_status mgl_jsonl_find_columns(mgl_source *source, mgl_error *err)
{
    mgl_jsonl *state = source->state;
    mgl_jsonl_lines lines;
    MGL_TRY(mgl_jsonl_begin(state, err, &lines));
    mgl_status status = note_lines(source, &lines, err);
    mgl_jsonl_end(&lines);
    MGL_TRY(status);
    if (state->n_columns == 0)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, source->name, 0,
                           state->n_rows == 0
                               ? "there are no lines; write one object a line"
                               : "no object has a key, and keys are the columns; add some");
    return make_meta(source, err);
}
