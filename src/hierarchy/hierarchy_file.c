/* Reads hierarchy files: one line per ground value, level 0 first. tree.c calls it for every
 * hierarchy that is no builder. */
#include "hierarchy/builders.h"

typedef struct file_reader {
    mgl_draft *draft;
    mgl_text_reader *reader;
    mgl_buffer scratch;
    uint32_t *row_of_label; /* [labels] the row whose ground value it is */
    size_t capacity, known;
} file_reader;

/* The row that gave this ground value before, or MGL_NOT_FOUND. */
static mgl_status row_before(file_reader *f, uint32_t label, mgl_error *err, uint32_t *out)
{
    size_t needed = mgl_map_size(f->draft->labels);
    if (!mgl_grow(&f->row_of_label, &f->capacity, needed, sizeof *f->row_of_label))
        return mgl_fail_memory(err);
    for (; f->known < needed; f->known++)
        f->row_of_label[f->known] = MGL_NOT_FOUND;
    *out = f->row_of_label[label];
    return MGL_OK;
}

/* The same line twice does no harm; the same value with other parents does. */
static mgl_status check_repeated(const mgl_draft *draft, uint32_t row, uint32_t before,
                                 mgl_error *err)
{
    for (uint32_t level = 1; level < draft->n_levels; level++) {
        uint32_t here = mgl_draft_cell(draft, row, level);
        uint32_t there = mgl_draft_cell(draft, before, level);
        if (here == there)
            continue;
        mgl_span ground = mgl_map_text(draft->labels, mgl_draft_cell(draft, row, 0));
        mgl_span label = mgl_map_text(draft->labels, here);
        mgl_span other = mgl_map_text(draft->labels, there);
        return mgl_draft_fail(draft, draft->lines[row], err,
                              "the ground value '%.*s' was given on line %llu with other parents "
                              "(level %u: '%.*s' here, '%.*s' there); keep one of the two lines",
                              mgl_span_width(ground), ground.data,
                              (unsigned long long)draft->lines[before], level,
                              mgl_span_width(label), label.data, mgl_span_width(other), other.data);
    }
    return MGL_OK;
}

static mgl_status read_record(file_reader *f, const mgl_field *fields, uint64_t line,
                              mgl_error *err)
{
    mgl_draft *draft = f->draft;
    f->scratch.size = 0;
    mgl_span first = mgl_field_value(fields[0], &f->scratch);
    if (f->scratch.failed)
        return mgl_fail_memory(err);
    /* A file may list the token for missing cells (NA;unknown;*), but the missing
     * value stays itself until the top, listed or not: the line is passed over, so
     * that there is one leaf for it and not two. */
    if (mgl_draft_is_missing(draft, first))
        return MGL_OK;
    MGL_TRY(mgl_draft_add_row(draft, line, err));
    for (uint32_t level = 0; level < draft->n_levels; level++) {
        f->scratch.size = 0;
        mgl_span label = mgl_field_value(fields[level], &f->scratch);
        if (f->scratch.failed)
            return mgl_fail_memory(err);
        MGL_TRY(mgl_draft_put(draft, level, label, err));
    }
    uint32_t row = draft->n_rows - 1, before = MGL_NOT_FOUND;
    uint32_t ground = mgl_draft_cell(draft, row, 0);
    MGL_TRY(row_before(f, ground, err, &before));
    if (before == MGL_NOT_FOUND) {
        f->row_of_label[ground] = row;
        return MGL_OK;
    }
    MGL_TRY(check_repeated(draft, row, before, err));
    draft->n_rows--;
    return MGL_OK;
}

static mgl_status read_records(file_reader *f, mgl_error *err)
{
    mgl_records records;
    for (;;) {
        MGL_TRY(mgl_text_next(f->reader, err, &records));
        if (records.n_records == 0)
            return MGL_OK;
        if (records.n_fields > MGL_MOST_LEVELS + 1)
            return mgl_draft_fail(f->draft, 1, err,
                                  "the line has %zu fields, and a hierarchy has up to %d levels "
                                  "above its values; is this a hierarchy?",
                                  records.n_fields, MGL_MOST_LEVELS);
        f->draft->n_levels = (uint32_t)records.n_fields;
        for (size_t r = 0; r < records.n_records; r++)
            MGL_TRY(read_record(f, records.fields + r * records.n_fields,
                                mgl_text_line(f->reader, r), err));
    }
}

static mgl_status read_text(mgl_draft *draft, mgl_text_file *text, mgl_error *err)
{
    mgl_dialect dialect;
    file_reader f = {.draft = draft};
    MGL_TRY(mgl_text_sniff(text, 0, false, err, &dialect));
    MGL_TRY(mgl_text_reader_new(text, &dialect, err, &f.reader));
    mgl_status status = read_records(&f, err);
    if (status == MGL_OK && draft->n_levels == 0)
        status = mgl_draft_fail(draft, 0, err,
                                "the hierarchy is empty; write one line per value, level 0 first");
    mgl_text_reader_free(f.reader);
    mgl_buffer_free(&f.scratch);
    mgl_free(f.row_of_label);
    return status;
}

mgl_status mgl_draft_read_file(mgl_draft *draft, mgl_error *err)
{
    mgl_text_file *text;
    draft->file = draft->spec;
    MGL_TRY(mgl_text_open(draft->file, NULL, err, &text));
    mgl_status status = read_text(draft, text, err);
    mgl_text_close(text);
    return status;
}
