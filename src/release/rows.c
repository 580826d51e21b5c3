#include "release/packer.h"
#include "release/shuffle.h"

#define DEFAULT_MEMORY (UINT64_C(512) << 20)

/* A released column: where its cells come from. */
typedef struct target {
    size_t source_column;
    size_t attribute; /* SIZE_MAX: passed through */
    mgl_span *quoted; /* [released value] its bytes in the file */
} target;

typedef struct row_writer {
    const mgl_row_plan *plan;
    const mgl_dialect *dialect;
    mgl_packer *packer; /* NULL: the release is text */
    const mgl_progress *progress;
    target *targets;
    mgl_arena *arena;
    mgl_tuple_finder *finder;
    mgl_text_writer *writer;
    mgl_shuffle *shuffle;
    mgl_buffer line, scratch;
    uint32_t *cells;  /* [tuple * n_quasi + attribute]: the cells of a tuple side by side */
    uint32_t *tuples; /* of a block of records */
    size_t tuples_capacity;
    uint64_t rows_read, rows_written;
} row_writer;

/* A value as it stands in the file; apostrophes never need quotes. */
static void put_value(const row_writer *w, mgl_buffer *out, mgl_span value)
{
    mgl_buffer marked = {0};
    if (w->plan->neutralize && mgl_text_is_formula(value)) {
        mgl_buffer_append(&marked, "'", 1);
        mgl_buffer_span(&marked, value);
        value = (mgl_span){marked.data, marked.size};
    }
    mgl_text_quote(out, value, w->dialect->delimiter, w->plan->n_columns == 1);
    out->failed = out->failed || marked.failed;
    mgl_buffer_free(&marked);
}

/* The label of each released value as it stands in the file, quoted where needed. */
static mgl_status quote_labels(row_writer *w, target *t, mgl_error *err)
{
    const mgl_released_column *column = w->plan->recoding->columns[t->attribute];
    t->quoted = mgl_arena_alloc(w->arena, column->n_values * sizeof *t->quoted);
    if (t->quoted == NULL)
        return mgl_fail_memory(err);
    mgl_buffer scratch = {0};
    for (uint32_t v = 0; v < column->n_values; v++) {
        scratch.size = 0;
        put_value(w, &scratch, column->values[v].label);
        char *copy = scratch.failed ? NULL : mgl_arena_copy(w->arena, scratch.data, scratch.size);
        if (copy == NULL) {
            mgl_buffer_free(&scratch);
            return mgl_fail_memory(err);
        }
        t->quoted[v] = (mgl_span){copy, scratch.size};
    }
    mgl_buffer_free(&scratch);
    return MGL_OK;
}

static mgl_status plan_targets(row_writer *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    w->targets = mgl_arena_alloc(w->arena, plan->n_columns * sizeof *w->targets);
    if (w->targets == NULL)
        return mgl_fail_memory(err);
    for (size_t c = 0; c < plan->n_columns; c++) {
        target *t = &w->targets[c];
        *t = (target){.source_column = plan->columns[c], .attribute = SIZE_MAX};
        for (size_t a = 0; a < plan->n_quasi; a++)
            if (plan->quasi[a].column->source_index == t->source_column)
                t->attribute = a;
        if (t->attribute != SIZE_MAX)
            MGL_TRY(quote_labels(w, t, err));
    }
    return MGL_OK;
}

/* Rows come in any order: cells that lie together cost one look into memory, not one per
 * attribute. */
static mgl_status gather_cells(row_writer *w, mgl_error *err)
{
    const mgl_recoding *recoding = w->plan->recoding;
    size_t m = recoding->n_attributes;
    w->cells = mgl_alloc_array(recoding->n_tuples, m * sizeof *w->cells);
    if (w->cells == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++)
        for (size_t t = 0; t < recoding->n_tuples; t++)
            w->cells[t * m + a] = recoding->cells[a][t];
    return MGL_OK;
}

static void end_line(row_writer *w)
{
    if (w->dialect->crlf)
        mgl_buffer_append(&w->line, "\r\n", 2);
    else
        mgl_buffer_append(&w->line, "\n", 1);
}

static mgl_status write_header(row_writer *w, mgl_error *err)
{
    if (w->dialect->byte_order_mark)
        MGL_TRY(mgl_text_write(w->writer, "\xEF\xBB\xBF", 3, err));
    if (!w->dialect->header)
        return MGL_OK;
    w->line.size = 0;
    for (size_t c = 0; c < w->plan->n_columns; c++) {
        if (c > 0)
            mgl_buffer_append(&w->line, &w->dialect->delimiter, 1);
        put_value(w, &w->line,
                  mgl_span_of(mgl_source_column(w->plan->source, w->targets[c].source_column)));
    }
    end_line(w);
    return w->line.failed ? mgl_fail_memory(err)
                          : mgl_text_write(w->writer, w->line.data, w->line.size, err);
}

/* A line whose cells are looked at one by one. */
static bool make_neutral_line(row_writer *w, const mgl_field *fields, uint32_t tuple)
{
    const uint32_t *cells = w->cells + tuple * w->plan->n_quasi;
    w->line.size = 0;
    for (size_t c = 0; c < w->plan->n_columns; c++) {
        const target *t = &w->targets[c];
        if (c > 0)
            mgl_buffer_append(&w->line, &w->dialect->delimiter, 1);
        if (t->attribute != SIZE_MAX) {
            mgl_buffer_span(&w->line, t->quoted[cells[t->attribute]]);
            continue;
        }
        mgl_field field = fields[t->source_column];
        mgl_span value = mgl_field_value(field, &w->scratch);
        if (mgl_text_is_formula(value))
            put_value(w, &w->line, value);
        else
            mgl_buffer_append(&w->line, field.data, field.size);
    }
    end_line(w);
    return !w->line.failed && !w->scratch.failed;
}

/* Room for the whole line is made first, so that the cells are just copied. */
static bool make_line(row_writer *w, const mgl_field *fields, uint32_t tuple)
{
    if (w->plan->neutralize)
        return make_neutral_line(w, fields, tuple);
    const uint32_t *cells = w->cells + tuple * w->plan->n_quasi;
    size_t size = 2;
    for (size_t c = 0; c < w->plan->n_columns; c++) {
        const target *t = &w->targets[c];
        size += 1 + (t->attribute != SIZE_MAX ? t->quoted[cells[t->attribute]].size
                                              : fields[t->source_column].size);
    }
    w->line.size = 0;
    if (!mgl_buffer_reserve(&w->line, size))
        return false;
    char *at = w->line.data;
    for (size_t c = 0; c < w->plan->n_columns; c++) {
        const target *t = &w->targets[c];
        mgl_span cell = t->attribute != SIZE_MAX ? t->quoted[cells[t->attribute]]
                                                 : (mgl_span){fields[t->source_column].data,
                                                              fields[t->source_column].size};
        memcpy(at, cell.data, cell.size);
        at += cell.size;
        *at++ = w->dialect->delimiter;
    }
    w->line.size = (size_t)(at - w->line.data) - 1; /* no delimiter after the last cell */
    end_line(w);
    return true;
}

static mgl_status write_records(void *context, const mgl_records *records, mgl_error *err)
{
    row_writer *w = context;
    const mgl_row_plan *plan = w->plan;
    if (w->rows_read + records->n_records > plan->list->n_rows)
        return mgl_fail_at(err, MGL_DATA, mgl_source_name(plan->source), 0,
                           "the file grew while it was read; run again when it is complete");
    if (!mgl_grow(&w->tuples, &w->tuples_capacity, records->n_records, sizeof *w->tuples))
        return mgl_fail_memory(err);
    mgl_tuple_find(w->finder, w->rows_read, records->n_records, w->tuples);
    for (size_t r = 0; r < records->n_records; r++) {
        if (plan->drop_suppressed && plan->recoding->suppressed[w->tuples[r]])
            continue;
        if (plan->seen != NULL)
            plan->seen(plan->context, records->fields + r * records->n_fields, w->tuples[r]);
        const mgl_field *fields = records->fields + r * records->n_fields;
        if (w->packer != NULL ? !mgl_packer_row(w->packer, fields,
                                                w->cells + w->tuples[r] * plan->n_quasi, &w->line)
                              : !make_line(w, fields, w->tuples[r]))
            return mgl_fail_memory(err);
        uint32_t tag = plan->tag != NULL ? mgl_column_code(plan->tag, w->rows_read + r) : 0;
        if (w->shuffle == NULL && plan->tags != NULL)
            plan->tags[w->rows_written] = tag;
        w->rows_written++;
        MGL_TRY(w->shuffle != NULL
                    ? mgl_shuffle_add(w->shuffle, w->line.data, w->line.size, tag, err)
                    : mgl_text_write(w->writer, w->line.data, w->line.size, err));
    }
    w->rows_read += records->n_records;
    return mgl_progress_report(w->progress, "write", w->rows_read, plan->list->n_rows, err);
}

static mgl_status write_all(row_writer *w, mgl_error *err)
{
    const mgl_row_plan *plan = w->plan;
    if (w->packer == NULL)
        MGL_TRY(write_header(w, err));
    MGL_TRY(mgl_source_each(plan->source, write_records, w, err));
    if (w->rows_read != plan->list->n_rows)
        return mgl_fail_at(err, MGL_DATA, mgl_source_name(plan->source), 0,
                           "the file shrank while it was read; run again when it is complete");
    if (w->shuffle != NULL)
        MGL_TRY(mgl_shuffle_write(w->shuffle, w->writer, plan->tags, err));
    return mgl_text_writer_end(w->writer, err);
}

/* Lines go into the staged file, packed rows into a private one. */
static mgl_status open_writer(row_writer *w, int fd, const char *name, mgl_error *err)
{
    if (w->plan->format->text)
        return mgl_text_writer_new(fd, name, err, &w->writer);
    MGL_TRY(mgl_packer_new(w->plan, err, &w->packer));
    return mgl_text_writer_new(mgl_packer_file(w->packer), "rows", err, &w->writer);
}

mgl_status mgl_write_rows(const mgl_row_plan *plan, int fd, const char *path, const char *name,
                          const mgl_progress *progress, mgl_error *err, uint64_t *n_rows)
{
    row_writer w = {
        .plan = plan, .dialect = mgl_source_dialect(plan->source), .progress = progress};
    w.arena = mgl_arena_new();
    mgl_status status = w.arena == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = plan_targets(&w, err);
    if (status == MGL_OK)
        status = gather_cells(&w, err);
    if (status == MGL_OK)
        status = mgl_tuple_finder_new(plan->list, plan->quasi, err, &w.finder);
    if (status == MGL_OK)
        status = open_writer(&w, fd, name, err);
    if (status == MGL_OK && plan->shuffle != NULL)
        status = mgl_shuffle_new(plan->shuffle, mgl_source_size(plan->source),
                                 plan->memory > 0 ? plan->memory : DEFAULT_MEMORY, err, &w.shuffle);
    if (status == MGL_OK)
        status = write_all(&w, err);
    if (status == MGL_OK && w.packer != NULL)
        status = mgl_packer_deliver(w.packer, fd, path, name, w.rows_written, err);
    *n_rows = w.rows_written;
    mgl_shuffle_free(w.shuffle);
    mgl_text_writer_free(w.writer);
    mgl_packer_free(w.packer);
    mgl_tuple_finder_free(w.finder);
    mgl_buffer_free(&w.line);
    mgl_buffer_free(&w.scratch);
    mgl_free(w.cells);
    mgl_free(w.tuples);
    mgl_arena_free(w.arena);
    return status;
}
