/* Reads a delimited file block by block, as cuts or record by record. The sources of delimited text
 * and the files of hierarchies call it. */
#include "text/reader.h"

#include "text/block.h"
#include "text/file.h"

enum { DEFAULT_BLOCK = 128 * 1024 };
#define LONGEST_RECORD ((size_t)1 << 30)

struct mgl_text_reader {
    mgl_text_file *file;
    char delimiter;
    size_t block_size;
    uint64_t offset;     /* of the next byte to read */
    uint64_t blank_from; /* from here on the file has blank lines only */
    uint64_t next_line, fields_line;
    size_t n_fields; /* 0 until the first record is seen */
    bool ended;      /* the file has been read to its end */
    bool adds_name;  /* an empty one is still to be put in front of a short header */
    mgl_block blocks[2];
    unsigned current;
    mgl_field *fields[2]; /* of the blocks */
    size_t fields_capacity[2];
    uint64_t *lines; /* of each record and the next, only if records can span lines */
    size_t lines_capacity;
    uint64_t first_line;
};

/* Editors leave blank lines at the end of files: they are no records. (In a table of one
 * column a blank line is a missing cell, though.) */
static mgl_status find_blank_end(mgl_text_reader *reader, mgl_error *err)
{
    char piece[4096];
    uint64_t size = mgl_text_size(reader->file), run = size;
    char first = '\n', second = '\n'; /* of the line ends that close the file */
    while (run > reader->offset) {
        uint64_t from = run > sizeof piece ? run - sizeof piece : 0;
        size_t got, n = (size_t)(run - from);
        MGL_TRY(mgl_text_read_at(reader->file, from, piece, n, err, &got));
        while (n > 0 && got >= n && (piece[n - 1] == '\n' || piece[n - 1] == '\r')) {
            second = first;
            first = piece[--n];
            run--;
        }
        if (run > from || got == 0)
            break;
    }
    bool crlf = first == '\r' && second == '\n';
    reader->blank_from = run == size ? size : run + (crlf ? 2 : 1);
    return MGL_OK;
}

mgl_status mgl_text_reader_new(mgl_text_file *file, const mgl_dialect *dialect, mgl_error *err,
                               mgl_text_reader **out)
{
    mgl_text_reader *reader = mgl_zeroed_array(1, sizeof *reader);
    if (reader == NULL)
        return mgl_fail_memory(err);
    reader->file = file;
    reader->delimiter = dialect->delimiter;
    reader->block_size = DEFAULT_BLOCK;
    reader->offset = dialect->byte_order_mark ? 3 : 0;
    reader->next_line = 1;
    reader->adds_name = dialect->short_header;
    mgl_status status = find_blank_end(reader, err);
    if (status != MGL_OK) {
        mgl_free(reader);
        return status;
    }
    *out = reader;
    return MGL_OK;
}

void mgl_text_reader_free(mgl_text_reader *reader)
{
    if (reader == NULL)
        return;
    mgl_block_free(&reader->blocks[0]);
    mgl_block_free(&reader->blocks[1]);
    mgl_free(reader->fields[0]);
    mgl_free(reader->fields[1]);
    mgl_free(reader->lines);
    mgl_free(reader);
}

void mgl_text_reader_block(mgl_text_reader *reader, size_t bytes)
{
    reader->block_size = bytes > 0 ? bytes : 1;
}

/* Adds more bytes of the file to the block. */
static mgl_status fill(mgl_text_reader *reader, mgl_block *block, size_t more, mgl_error *err)
{
    size_t got;
    /* One byte more for a line feed at the end of the file. */
    if (!mgl_block_reserve(block, block->size + more + 1))
        return mgl_fail_memory(err);
    MGL_TRY(
        mgl_text_read_at(reader->file, reader->offset, block->data + block->size, more, err, &got));
    reader->offset += got;
    block->size += got;
    if (got < more)
        reader->ended = true;
    return MGL_OK;
}

static mgl_status diagnose(const mgl_text_reader *reader, const mgl_block *block, mgl_error *err)
{
    mgl_block_place place = {.file = mgl_text_name(reader->file),
                             .first_line = reader->next_line,
                             .delimiter = reader->delimiter,
                             .n_fields = reader->n_fields,
                             .fields_line = reader->fields_line,
                             .last = reader->ended};
    MGL_TRY(mgl_block_diagnose(block, &place, err));
    return mgl_fail_at(err, MGL_CODE_FORMAT, place.file, place.first_line,
                       "the records from here on cannot be read; check quotes and line ends");
}

/* Takes back records that are blank lines at the end of the file. */
static void forget_blank_end(const mgl_text_reader *reader, mgl_block *block)
{
    uint64_t block_start = reader->offset - block->size;
    while (block->n_records > 0) {
        uint32_t start = block->n_ends == 1 ? 0 : block->places[block->n_ends - 1] + 1;
        if (block_start + start < reader->blank_from)
            break;
        block->n_ends--;
        block->n_records--;
    }
}

bool mgl_block_is_sound(const mgl_block *block, size_t n_fields)
{
    return !block->suspect && mgl_block_is_regular(block, n_fields) &&
           (!block->high || mgl_utf8_valid(block->data, block->whole) == block->whole);
}

static mgl_status check(mgl_text_reader *reader, mgl_block *block, mgl_error *err)
{
    if (block->suspect)
        return diagnose(reader, block, err);
    if (block->n_records == 0)
        return MGL_OK;
    size_t n_fields = reader->n_fields;
    if (n_fields == 0) {
        n_fields = 1;
        while (block->data[block->places[n_fields]] != '\n')
            n_fields++;
    }
    if (n_fields > 1 && reader->offset > reader->blank_from)
        forget_blank_end(reader, block);
    if (!mgl_block_is_sound(block, n_fields))
        return diagnose(reader, block, err);
    if (reader->n_fields == 0) {
        reader->n_fields = n_fields;
        reader->fields_line = reader->next_line;
    }
    return MGL_OK;
}

/* Reads on until there is a whole record or the file ends. */
static mgl_status fill_with_records(mgl_text_reader *reader, mgl_block *block, mgl_error *err)
{
    size_t more = reader->block_size;
    for (;;) {
        if (!reader->ended)
            MGL_TRY(fill(reader, block, more, err));
        if (!mgl_block_cut(block, reader->delimiter, reader->ended))
            return mgl_fail_memory(err);
        MGL_TRY(check(reader, block, err));
        if (block->n_records > 0 || reader->ended)
            return MGL_OK;
        if (block->size >= LONGEST_RECORD)
            return mgl_fail_at(err, MGL_CODE_FORMAT, mgl_text_name(reader->file), reader->next_line,
                               "the record that starts here is longer than 1 GiB; most likely a "
                               "quote is not closed, or this is no table");
        more = block->size; /* doubling keeps the cost of looking again within bounds */
        if (more > LONGEST_RECORD - block->size)
            more = LONGEST_RECORD - block->size;
    }
}

static uint64_t count_newlines(const char *data, size_t size)
{
    uint64_t n = 0;
    for (const char *end = data + size; (data = memchr(data, '\n', (size_t)(end - data))) != NULL;
         data++)
        n++;
    return n;
}

void mgl_reader_passes(mgl_text_reader *reader, const mgl_block *block)
{
    reader->next_line +=
        block->quoted_newlines ? count_newlines(block->data, block->whole) : block->n_records;
}

mgl_reader_place mgl_reader_tell(const mgl_text_reader *reader)
{
    const mgl_block *block = &reader->blocks[reader->current];
    return (mgl_reader_place){.file = reader->file,
                              .delimiter = reader->delimiter,
                              .n_fields = reader->n_fields,
                              .block_size = reader->block_size,
                              .read = reader->offset,
                              .record = reader->offset - (block->size - block->whole),
                              .blank_from = reader->blank_from};
}

mgl_status mgl_reader_cut_at(mgl_text_reader *reader, uint64_t record, size_t bytes,
                             mgl_block *block, mgl_error *err)
{
    reader->offset = record;
    reader->ended = false;
    reader->block_size = bytes;
    block->size = 0;
    MGL_TRY(fill_with_records(reader, block, err));
    mgl_reader_passes(reader, block);
    return MGL_OK;
}

mgl_status mgl_text_cut(mgl_text_reader *reader, mgl_error *err, mgl_cuts *out)
{
    mgl_block *before = &reader->blocks[reader->current];
    mgl_block *block = &reader->blocks[1 - reader->current];
    size_t rest = before->size - before->whole;
    if (!mgl_block_reserve(block, rest + reader->block_size + 1))
        return mgl_fail_memory(err);
    if (rest > 0)
        memcpy(block->data, before->data + before->whole, rest);
    if (reader->adds_name)
        block->data[rest++] = reader->delimiter;
    reader->adds_name = false;
    block->size = rest;
    uint64_t from = reader->offset;
    MGL_TRY(fill_with_records(reader, block, err));
    reader->current = 1 - reader->current;
    reader->first_line = reader->next_line;
    mgl_reader_passes(reader, block);
    if (block->n_records == 0)
        MGL_TRY(mgl_text_unchanged(reader->file, err));
    *out = (mgl_cuts){.data = block->data,
                      .ends = block->places + 1,
                      .n_records = block->n_records,
                      .n_fields = reader->n_fields,
                      .carriage_returns = block->carriage_returns,
                      .first_line = reader->first_line,
                      .bytes_done = reader->offset - (block->size - block->whole),
                      .fresh = {block->data + rest, (size_t)(reader->offset - from)}};
    /* A line feed added at the end of the file is none of its bytes. */
    if (out->bytes_done > mgl_text_size(reader->file))
        out->bytes_done = mgl_text_size(reader->file);
    return MGL_OK;
}

/* Line numbers record by record, for blocks in which a record can span lines. */
static bool number_lines(mgl_text_reader *reader, const mgl_cuts *cuts)
{
    if (!mgl_grow(&reader->lines, &reader->lines_capacity, cuts->n_records + 1,
                  sizeof *reader->lines))
        return false;
    uint64_t line = cuts->first_line;
    size_t start = 0;
    for (size_t r = 0; r < cuts->n_records; r++) {
        size_t end = (size_t)cuts->ends[(r + 1) * cuts->n_fields - 1] + 1;
        reader->lines[r] = line;
        line += count_newlines(cuts->data + start, end - start);
        start = end;
    }
    reader->lines[cuts->n_records] = line;
    return true;
}

static inline mgl_field field_of(mgl_span text)
{
    return (mgl_field){.data = text.data,
                       .size = (uint32_t)text.size,
                       .quoted = text.size > 0 && text.data[0] == '"'};
}

void mgl_cuts_fields(const mgl_cuts *cuts, mgl_field *field)
{
    const char *start = cuts->data;
    const uint32_t *end = cuts->ends;
    for (size_t r = 0; r < cuts->n_records; r++) {
        for (size_t c = 1; c < cuts->n_fields; c++, end++) {
            const char *stop = cuts->data + *end;
            *field++ = field_of((mgl_span){start, (size_t)(stop - start)});
            start = stop + 1;
        }
        *field++ = field_of(mgl_cuts_field(cuts, r, cuts->n_fields - 1));
        start = cuts->data + *end++ + 1;
    }
}

mgl_status mgl_text_next(mgl_text_reader *reader, mgl_error *err, mgl_records *out)
{
    mgl_cuts cuts;
    MGL_TRY(mgl_text_cut(reader, err, &cuts));
    size_t n = cuts.n_records * cuts.n_fields;
    mgl_field **fields = &reader->fields[reader->current];
    if (!mgl_grow(fields, &reader->fields_capacity[reader->current], n, sizeof **fields) ||
        (reader->blocks[reader->current].quoted_newlines && !number_lines(reader, &cuts)))
        return mgl_fail_memory(err);
    mgl_cuts_fields(&cuts, *fields);
    *out = (mgl_records){.fields = *fields,
                         .n_records = cuts.n_records,
                         .n_fields = cuts.n_fields,
                         .first_line = cuts.first_line,
                         .bytes_done = cuts.bytes_done};
    return MGL_OK;
}

uint64_t mgl_text_line(const mgl_text_reader *reader, size_t record)
{
    if (reader->blocks[reader->current].quoted_newlines)
        return reader->lines[record];
    return reader->first_line + record;
}

mgl_span mgl_field_value(mgl_field field, mgl_buffer *scratch)
{
    if (!field.quoted)
        return (mgl_span){field.data, field.size};
    mgl_span inner = {field.data + 1, field.size - 2};
    if (inner.size == 0 || memchr(inner.data, '"', inner.size) == NULL)
        return inner;
    scratch->size = 0;
    if (!mgl_buffer_reserve(scratch, inner.size))
        return (mgl_span){"", 0};
    for (size_t i = 0; i < inner.size; i++) {
        scratch->data[scratch->size++] = inner.data[i];
        i += inner.data[i] == '"';
    }
    return (mgl_span){scratch->data, scratch->size};
}
