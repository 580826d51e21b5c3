/* Reads JSON lines as a source: an object is a row, its keys are the columns. A row in
 * format_rows.h. */
#include "io/jsonl/jsonl.h"

static mgl_status jsonl_open(mgl_source *source, const char *location, mgl_error *err)
{
    mgl_jsonl *state = source->state = mgl_zeroed_array(1, sizeof *state);
    const mgl_source_options *options = source->options;
    if (state == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_text_open_within(location, options->encoding, options->most_unpacked, err,
                                 &state->file));
    source->name = mgl_text_name(state->file);
    source->size = mgl_text_size(state->file);
    return mgl_jsonl_find_columns(source, err);
}

static void jsonl_close(mgl_source *source)
{
    mgl_jsonl *state = source->state;
    if (state == NULL)
        return;
    mgl_text_close(state->file);
    mgl_free(state->columns);
    mgl_free(state->expected);
    mgl_free(state->meta);
    mgl_buffer_free(&state->scratch);
    mgl_free(state);
}

/* ---- Rows --------------------------------------------------------------------------------- */

/* The values of the line at hand, in the order of the columns. */
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
        uint32_t c = mgl_jsonl_find(source, key, place, &name, &cursor.wrong);
        if (c == MGL_NOT_FOUND) {
            cursor.wrong = "the file changed while it was read; run again when it is complete";
            break;
        }
        values[c] = value;
    }
    return cursor.wrong != NULL ? mgl_jsonl_fail(source, lines, &cursor, err) : MGL_OK;
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
        MGL_TRY(mgl_jsonl_next(lines, err, &there));
        if (!there)
            return mgl_text_unchanged(state->file, err);
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
    MGL_GO(mgl_jsonl_begin(state, err, &lines));
    MGL_GO(put_lines(source, intake, &lines, values, err));
done:
    mgl_jsonl_end(&lines);
    mgl_free(values);
    return status;
}

/* Lists, objects and what texts do not tell apart are passed through as they stand, or dropped. */
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

static mgl_status jsonl_read(mgl_source *source, mgl_table *table, mgl_pool *pool,
                             const mgl_progress *progress, mgl_error *err)
{
    const mgl_jsonl *state = source->state;
    (void)pool;
    MGL_TRY(check_columns(source, table, err));
    return mgl_intake_read(source, produce, table, state->n_rows, progress, err);
}

static mgl_status jsonl_each(mgl_source *source, mgl_records_fn *visit, void *context,
                             mgl_error *err)
{
    return mgl_intake_each(source, produce, visit, context, err);
}

/* Blank lines are no rows. */
static mgl_status jsonl_line(mgl_source *source, size_t row, mgl_error *err, uint64_t *out)
{
    mgl_jsonl_lines lines = {0};
    bool there = true;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_jsonl_begin(source->state, err, &lines));
    for (size_t r = 0; there && r <= row; r++)
        MGL_GO(mgl_jsonl_next(&lines, err, &there));
    *out = there ? lines.number : 0;
done:
    mgl_jsonl_end(&lines);
    return status;
}

static mgl_status jsonl_unchanged(mgl_source *source, mgl_error *err)
{
    return mgl_text_unchanged(((const mgl_jsonl *)source->state)->file, err);
}

const mgl_source_operations mgl_source_jsonl = {
    .open = jsonl_open,
    .close = jsonl_close,
    .read = jsonl_read,
    .each = jsonl_each,
    .line = jsonl_line,
    .unchanged = jsonl_unchanged,
};
