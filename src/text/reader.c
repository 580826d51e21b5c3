/* Reads a delimited file block by block, as cuts or record by record, and reports what is wrong
 * with a block. */
#include "text/reader.h"
#include "text/file.h"
#include "text/scan.h"

/* What a diagnosis needs. */
typedef struct block_place {
    const char *file;
    uint64_t first_line;
    char delimiter;
    size_t n_fields;      /* 0: not known, the first record decides */
    uint64_t fields_line; /* the line that decided */
    bool last;
} block_place;

/* ---- Blocks ---------------------------------------------------------------------------------- */

bool mgl_block_reserve(mgl_block *block, size_t capacity)
{
    if (capacity <= block->capacity)
        return true;
    char *data = mgl_realloc_array(block->data, capacity + MGL_CUTS_MARGIN, 1);
    if (data == NULL)
        return false;
    block->data = data;
    block->capacity = capacity;
    return true;
}

void mgl_block_free(mgl_block *block)
{
    mgl_free(block->data);
    mgl_free(block->places);
    *block = (mgl_block){0};
}

/* What is carried from one 64 bytes to the next. */
typedef struct cut_state {
    size_t n_ends, n_newlines;
    uint64_t inside;     /* all ones within quotes */
    uint64_t may_open;   /* 1: a quote may open here, after a separator or a closing quote */
    uint64_t was_closed; /* 1: the byte before closed a quote */
} cut_state;

/* Bit i is the parity of bits 0..i. */
static inline uint64_t running_parity(uint64_t bits)
{
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^= bits << 32;
    return bits;
}

/* The 64 bytes at i, which may hold anything. A quote is right if it opens after a
 * separator or closes before one; a doubled quote closes and opens at once. */
static void cut_special(mgl_block *block, size_t i, const mgl_scan_path *path, char delimiter,
                        cut_state *state)
{
    mgl_scan_masks masks;
    path->scan(block->data + i, delimiter, &masks);
    size_t left = block->size - i;
    uint64_t valid = left < 64 ? ((uint64_t)1 << left) - 1 : UINT64_MAX;
    uint64_t before_last = left <= 64 ? valid >> 1 : valid;

    uint64_t inside = running_parity(masks.quote) ^ state->inside;
    uint64_t ends = (masks.delimiter | masks.newline) & ~inside & valid;
    uint64_t opens = masks.quote & inside, closes = masks.quote & ~inside;
    uint64_t may_open = (ends | closes) << 1 | state->may_open;
    uint64_t after_close = (closes << 1 | state->was_closed) & valid;
    uint64_t next_newline = mgl_scan_before_newline(masks.newline, block->data + i);
    uint64_t returns = masks.carriage_return & ~inside;

    if (masks.nul || (opens & ~may_open) != 0 || (after_close & ~(ends | opens | returns)) != 0 ||
        (returns & ~next_newline & before_last) != 0)
        block->suspect = true;
    block->carriage_returns |= returns != 0;
    block->high |= masks.high;
    block->quoted_newlines |= (masks.newline & inside) != 0;
    state->inside = (uint64_t)0 - (inside >> 63);
    state->may_open = (ends | closes) >> 63;
    state->was_closed = closes >> 63;
    state->n_newlines += (size_t)__builtin_popcountll(masks.newline & ends);

    uint32_t *places = block->places + 1 + state->n_ends;
    for (; ends != 0; ends &= ends - 1, state->n_ends++)
        *places++ = (uint32_t)(i + (size_t)__builtin_ctzll(ends));
}

/* As many plain bytes from i on as there are, in one go. */
static size_t cut_plain(mgl_block *block, size_t i, const mgl_scan_path *path, char delimiter,
                        cut_state *state)
{
    size_t size = block->size - i < MGL_SCAN_RUN ? block->size - i : MGL_SCAN_RUN;
    mgl_scan_run run =
        path->run(block->data + i, size, delimiter, (uint32_t)i, block->places + 1 + state->n_ends);
    if (run.bytes == 0)
        return i;
    char first = block->data[i], last = block->data[i + run.bytes - 1];
    if (state->was_closed && first != delimiter && first != '\n' && first != '\r')
        block->suspect = true;
    block->carriage_returns |= run.carriage_returns;
    block->high |= run.high;
    state->was_closed = 0;
    state->may_open = last == delimiter || last == '\n';
    state->n_ends += run.n_ends;
    state->n_newlines += run.n_newlines;
    return i + run.bytes;
}

bool mgl_block_cut(mgl_block *block, char delimiter, bool last)
{
    const mgl_scan_path *path = mgl_scan_best();
    cut_state state = {.may_open = 1};
    block->suspect = block->carriage_returns = block->high = block->quoted_newlines = false;
    if (last && block->size > 0 && block->data[block->size - 1] != '\n') {
        if (!mgl_block_reserve(block, block->size + 1))
            return false;
        block->data[block->size++] = '\n';
    }
    if (!mgl_block_reserve(block, 1))
        return false;
    memset(block->data + block->size, ' ', MGL_CUTS_MARGIN);
    for (size_t i = 0; i < block->size || block->places == NULL;) {
        if (!mgl_grow(&block->places, &block->places_capacity, state.n_ends + MGL_SCAN_RUN + 128,
                      sizeof *block->places))
            return false;
        size_t stop = i;
        if (state.inside == 0)
            stop = cut_plain(block, i, path, delimiter, &state);
        if (stop < block->size && stop - i < MGL_SCAN_RUN) {
            cut_special(block, stop, path, delimiter, &state);
            stop += 64;
        }
        i = stop;
    }
    if (last && state.inside != 0)
        block->suspect = true;
    size_t n = state.n_ends;
    while (n > 0 && block->data[block->places[n]] != '\n')
        n--;
    block->places[0] = UINT32_MAX;
    block->n_ends = n;
    block->n_records = state.n_newlines;
    block->whole = n > 0 ? (size_t)block->places[n] + 1 : 0;
    return true;
}

/* Whether each of the whole records has n_fields fields. */
static bool block_is_regular(const mgl_block *block, size_t n_fields)
{
    if (block->n_ends != block->n_records * n_fields)
        return false;
    /* There are as many line feeds as records: if each n-th end is one, no other is. */
    for (size_t i = n_fields; i <= block->n_ends; i += n_fields)
        if (block->data[block->places[i]] != '\n')
            return false;
    return true;
}

/* ---- What is wrong with a block -------------------------------------------------------------- */

typedef struct walk {
    const mgl_block *block;
    const block_place *place;
    mgl_error *err;
    size_t at, invalid; /* invalid: the first byte that is not UTF-8 */
    uint64_t line;
    uint64_t fields_line;
    size_t n_fields;
} walk;

static const char *delimiter_name(char delimiter, char text[4])
{
    if (delimiter == '\t')
        return "tab";
    text[0] = text[2] = '\'';
    text[1] = delimiter;
    text[3] = '\0';
    return text;
}

static mgl_status bad_byte(const walk *w, unsigned char byte)
{
    if (byte == 0)
        return mgl_blame_key(
            w->err,
            mgl_fail_at(w->err, MGL_CODE_ENCODING, w->place->file, w->line,
                        "there is a NUL byte, so this is no plain text; save the table as "
                        "CSV text, or name its encoding (`encoding: UTF-16`)"),
            "encoding");
    return mgl_blame_key(
        w->err,
        mgl_fail_at(w->err, MGL_CODE_ENCODING, w->place->file, w->line,
                    "byte 0x%02x is not valid UTF-8; name the encoding of the file "
                    "(for example `encoding: LATIN1`) or save it as UTF-8",
                    byte),
        "encoding");
}

/* The byte at w->at; a fault if text cannot have such a byte. */
static mgl_status look(const walk *w, char *byte)
{
    *byte = w->block->data[w->at];
    if (*byte == '\0' || w->at >= w->invalid)
        return bad_byte(w, (unsigned char)*byte);
    return MGL_OK;
}

static char peek(const walk *w, size_t ahead)
{
    return w->at + ahead < w->block->size ? w->block->data[w->at + ahead] : '\n';
}

static bool is_line_end(const walk *w, size_t ahead)
{
    return peek(w, ahead) == '\n' || (peek(w, ahead) == '\r' && peek(w, ahead + 1) == '\n');
}

/* From the opening quote to behind the closing one. */
static mgl_status walk_quoted(walk *w)
{
    uint64_t opened = w->line;
    for (w->at++; w->at < w->block->size; w->at++) {
        char byte;
        MGL_TRY(look(w, &byte));
        if (byte == '\n')
            w->line++;
        if (byte != '"')
            continue;
        if (w->at + 1 < w->block->size && peek(w, 1) == '"') {
            w->at++;
            continue;
        }
        w->at++;
        if (w->at < w->block->size)
            MGL_TRY(look(w, &byte));
        if (w->at < w->block->size && byte != w->place->delimiter && !is_line_end(w, 0))
            return mgl_fail_at(w->err, MGL_CODE_FORMAT, w->place->file, w->line,
                               "text follows the closing quote of a field (it opened on line "
                               "%llu); double the quotes inside a quoted field",
                               (unsigned long long)opened);
        return MGL_OK;
    }
    if (w->place->last)
        return mgl_fail_at(w->err, MGL_CODE_FORMAT, w->place->file, opened,
                           "the quote that opens a field here is never closed; close it, or "
                           "remove it if the value only begins with a quote");
    return MGL_OK;
}

static mgl_status walk_unquoted(walk *w)
{
    for (; w->at < w->block->size; w->at++) {
        char byte;
        MGL_TRY(look(w, &byte));
        if (byte == w->place->delimiter || byte == '\n' || (byte == '\r' && is_line_end(w, 0)))
            return MGL_OK;
        if (byte == '"')
            return mgl_fail_at(w->err, MGL_CODE_FORMAT, w->place->file, w->line,
                               "a quote stands inside an unquoted field; quote the whole field "
                               "and double the quotes inside it");
        if (byte == '\r')
            return mgl_fail_at(w->err, MGL_CODE_FORMAT, w->place->file, w->line,
                               "a carriage return stands inside an unquoted field; convert old "
                               "Mac line ends (tr '\\r' '\\n'), or quote the field");
    }
    return MGL_OK;
}

static mgl_status check_count(walk *w, size_t n_fields, uint64_t line, bool blank)
{
    if (w->n_fields == 0) {
        w->n_fields = n_fields;
        w->fields_line = line;
    }
    if (n_fields == w->n_fields)
        return MGL_OK;
    if (blank)
        return mgl_fail_at(w->err, MGL_CODE_FORMAT, w->place->file, line,
                           "this line is empty where %zu fields are expected; remove it",
                           w->n_fields);
    char text[4];
    return mgl_fail_at(w->err, MGL_CODE_FORMAT, w->place->file, line,
                       "this line has %zu field%s where line %llu has %zu; complete it, or quote "
                       "a value that holds the delimiter %s (or name the right one with "
                       "`delimiter`)",
                       n_fields, n_fields == 1 ? "" : "s", (unsigned long long)w->fields_line,
                       w->n_fields, delimiter_name(w->place->delimiter, text));
}

/* One record; at the end of the block it may be cut short, which is no fault. */
static mgl_status walk_record(walk *w)
{
    uint64_t line = w->line;
    size_t start = w->at, n_fields = 0;
    for (;;) {
        if (peek(w, 0) == '"' && w->at < w->block->size)
            MGL_TRY(walk_quoted(w));
        else
            MGL_TRY(walk_unquoted(w));
        n_fields++;
        if (w->at >= w->block->size)
            return MGL_OK;
        if (w->block->data[w->at] != w->place->delimiter)
            break;
        w->at++;
    }
    bool blank = w->at == start;
    w->at += w->block->data[w->at] == '\r' ? 2 : 1;
    w->line++;
    return check_count(w, n_fields, line, blank);
}

/* Whether these last bytes of a block could go on to be valid in the next one. After any first byte
 * one of the two fillings is a valid second one. */
static bool is_cut_off(const char *data, size_t size)
{
    for (int fill = 0x80; fill <= 0xbf; fill += 0x3f)
        for (size_t more = 1; size < 4 && more <= 3; more++) {
            char text[8];
            memcpy(text, data, size);
            memset(text + size, fill, more);
            if (mgl_utf8_valid(text, size + more) == size + more)
                return true;
        }
    return false;
}

/* Walks byte by byte and fails at the first fault; MGL_OK if all is well. */
static mgl_status block_diagnose(const mgl_block *block, const block_place *place, mgl_error *err)
{
    walk w = {.block = block,
              .place = place,
              .err = err,
              .line = place->first_line,
              .fields_line = place->fields_line,
              .n_fields = place->n_fields};
    w.invalid = mgl_utf8_valid(block->data, block->size);
    if (!place->last && is_cut_off(block->data + w.invalid, block->size - w.invalid))
        w.invalid = block->size;
    while (w.at < block->size)
        MGL_TRY(walk_record(&w));
    return MGL_OK;
}

/* ---- Reader ---------------------------------------------------------------------------------- */

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
    block_place place = {.file = mgl_text_name(reader->file),
                         .first_line = reader->next_line,
                         .delimiter = reader->delimiter,
                         .n_fields = reader->n_fields,
                         .fields_line = reader->fields_line,
                         .last = reader->ended};
    MGL_TRY(block_diagnose(block, &place, err));
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
    return !block->suspect && block_is_regular(block, n_fields) &&
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
    /* A line feed added at the end of the file is not counted as one of its bytes. */
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
