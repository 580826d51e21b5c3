/* JSON lines as source and sink: an object is a row, its keys are the columns. */
#include "io/jsonl/jsonl.h"

enum { MOST_KEYS = 16384 };

static mgl_status jsonl_begin(const mgl_source *source, mgl_error *err, mgl_jsonl_lines *out)
{
    *out = (mgl_jsonl_lines){0};
    return mgl_raw_lines_new(source->text, err, &out->lines);
}

static void jsonl_end(mgl_jsonl_lines *lines)
{
    mgl_raw_lines_free(lines->lines);
}

static mgl_status jsonl_next(mgl_jsonl_lines *lines, mgl_error *err, bool *there)
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

/* Reports what is wrong with the current line, at the cursor. */
static mgl_status jsonl_fail(const mgl_source *source, const mgl_jsonl_lines *lines,
                             const mgl_jsonl_cursor *cursor, mgl_error *err)
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
    MGL_TRY(mgl_grow_array(&state->columns, &state->capacity, state->n_columns + 1,
                           sizeof *state->columns, err));
    state->columns[state->n_columns++] = (mgl_jsonl_column){0};
    return mgl_source_add_column(source, name, line, err);
}

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
    uint32_t c = jsonl_find(source, key, place, &name, &cursor->wrong);
    if (c == MGL_NOT_FOUND && cursor->wrong == NULL) {
        c = (uint32_t)state->n_columns;
        MGL_TRY(add_column(source, name, lines->number, err));
    }
    if (cursor->wrong != NULL)
        return jsonl_fail(source, lines, cursor, err);
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
        return jsonl_fail(source, lines, cursor, err);
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
        return mgl_blame_key(err, jsonl_fail(source, lines, &cursor, err), "encoding");
    }
    mgl_jsonl_object(&cursor, lines->line);
    while (mgl_jsonl_member(&cursor, &key, &value))
        MGL_TRY(note_member(source, lines, key, &value, place++, &cursor, err));
    return cursor.wrong != NULL ? jsonl_fail(source, lines, &cursor, err) : MGL_OK;
}

static mgl_column_meta meta_of(mgl_jsonl_column *column, uint64_t n_rows)
{
    const unsigned string = 1u << MGL_JSONL_STRING, number = 1u << MGL_JSONL_NUMBER,
                   boolean = 1u << MGL_JSONL_BOOLEAN, nested = 1u << MGL_JSONL_NESTED;
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
    mgl_jsonl *state = source->state;
    state->meta = mgl_zeroed_array(state->n_columns, sizeof *state->meta);
    if (state->meta == NULL && state->n_columns > 0)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < state->n_columns; c++)
        state->meta[c] = meta_of(&state->columns[c], source->n_rows);
    source->meta = state->meta;
    return MGL_OK;
}

static mgl_status note_lines(mgl_source *source, mgl_jsonl_lines *lines, mgl_error *err)
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
    mgl_jsonl *state = source->state;
    mgl_jsonl_lines lines;
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
    mgl_jsonl *state = source->state = mgl_zeroed_array(1, sizeof *state);
    MGL_TRY(mgl_check_memory(state != NULL, err));
    MGL_TRY(mgl_source_open_text(source, location->text, err));
    return jsonl_find_columns(source, err);
}

static void jsonl_close(mgl_source *source)
{
    mgl_jsonl *state = source->state;
    if (state == NULL)
        return;
    mgl_free(state->columns);
    mgl_free(state->expected);
    mgl_free(state->meta);
    mgl_buffer_free(&state->scratch);
    mgl_free(state);
}

/* The values of the current line, in the order of the columns. */
static mgl_status take_values(mgl_source *source, const mgl_jsonl_lines *lines,
                              mgl_jsonl_value *values, mgl_error *err)
{
    mgl_jsonl *state = source->state;
    mgl_jsonl_cursor cursor;
    mgl_jsonl_value value;
    mgl_span key, name;
    for (size_t c = 0; c < state->n_columns; c++)
        values[c].kind = MGL_JSONL_NOTHING;
    mgl_jsonl_object(&cursor, lines->line);
    for (size_t place = 0; mgl_jsonl_member(&cursor, &key, &value); place++) {
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
                            const mgl_jsonl_value *value, mgl_error *err)
{
    mgl_jsonl *state = source->state;
    mgl_span cell = value->raw;
    const char *wrong;
    if (!mgl_intake_wants(intake, c))
        cell = (mgl_span){"", 0};
    else if (value->kind == MGL_JSONL_NOTHING)
        cell = source->options->no_value;
    else if (value->kind == MGL_JSONL_STRING && !state->columns[c].raw &&
             !mgl_jsonl_text(value->raw, &state->scratch, &cell, &wrong))
        return mgl_fail_at(err, MGL_CODE_FORMAT, source->name, 0, "%s", wrong);
    return state->scratch.failed ? mgl_fail_memory(err) : mgl_intake_put(intake, cell, err);
}

static mgl_status put_lines(mgl_source *source, mgl_intake *intake, mgl_jsonl_lines *lines,
                            mgl_jsonl_value *values, mgl_error *err)
{
    mgl_jsonl *state = source->state;
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
    mgl_jsonl *state = source->state;
    mgl_jsonl_lines lines = {0};
    mgl_jsonl_value *values = mgl_alloc_array(state->n_columns, sizeof *values);
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
    const mgl_jsonl *state = source->state;
    for (size_t i = 0; i < table->n_columns; i++) {
        const char *name = table->columns[i].name;
        const mgl_jsonl_column *c = &state->columns[table->columns[i].source_index];
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
    mgl_jsonl_lines lines = {0};
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
        mgl_jsonl_quote(line, mgl_span_of(w->order->columns[c].name));
        mgl_buffer_append(line, ":", 1);
        if (is_null(w, c))
            mgl_buffer_append(line, "null", 4);
        else if (is_bare(w, c))
            mgl_buffer_span(line, w->cells[c]);
        else
            mgl_jsonl_quote(line, w->cells[c]);
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
