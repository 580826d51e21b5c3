/* Reads a delimited file block by block, as cuts or record by record, and reports what is wrong
 * with a block. Several blocks can be cut at once by several threads. */
#include "text/file.h"
#include "text/scan.h"
#include "text/text.h"

typedef struct mgl_block {
    char *data; /* MGL_CUTS_MARGIN bytes more than capacity */
    size_t size, capacity;
    uint32_t *places; /* places[0] stands for ends[-1] */
    size_t places_capacity;
    size_t n_ends;           /* of whole records only */
    size_t n_records, whole; /* whole records and their bytes */
    bool carriage_returns, high, quoted_newlines;
    bool suspect; /* something is wrong; block_diagnose finds out what */
} mgl_block;

/* Where a reader is, after its first block. */
typedef struct mgl_reader_place {
    const mgl_text_file *file;
    char delimiter;
    size_t n_fields;
    size_t block_size;
    uint64_t read;       /* bytes of the file that were read */
    uint64_t record;     /* where the first record begins that was not returned */
    uint64_t blank_from; /* from here on the file has blank lines only */
} mgl_reader_place;

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

/* Room for capacity bytes; what is there is kept. */
static bool block_reserve(mgl_block *block, size_t capacity)
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

static void block_free(mgl_block *block)
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

/* Finds the fields of the whole records. last: the file ends here, so the last line is ended by a
 * line feed if it has none. False when memory is out. Field counts are not looked at. */
static bool block_cut(mgl_block *block, char delimiter, bool last)
{
    const mgl_scan_path *path = mgl_scan_best();
    cut_state state = {.may_open = 1};
    block->suspect = block->carriage_returns = block->high = block->quoted_newlines = false;
    if (last && block->size > 0 && block->data[block->size - 1] != '\n') {
        if (!block_reserve(block, block->size + 1))
            return false;
        block->data[block->size++] = '\n';
    }
    if (!block_reserve(block, 1))
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
    MGL_TRY(mgl_check_memory(reader != NULL, err));
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
    block_free(&reader->blocks[0]);
    block_free(&reader->blocks[1]);
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
    MGL_TRY(mgl_check_memory(block_reserve(block, block->size + more + 1), err));
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

/* Whether the records of a block that was cut can be taken as they are. */
static bool block_is_sound(const mgl_block *block, size_t n_fields)
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
    if (n_fields > 1 && reader->offset > reader->blank_from) {
        /* Takes back records that are blank lines at the end of the file. */
        uint64_t block_start = reader->offset - block->size;
        while (block->n_records > 0) {
            uint32_t start = block->n_ends == 1 ? 0 : block->places[block->n_ends - 1] + 1;
            if (block_start + start < reader->blank_from)
                break;
            block->n_ends--;
            block->n_records--;
        }
    }
    if (!block_is_sound(block, n_fields))
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
        MGL_TRY(mgl_check_memory(block_cut(block, reader->delimiter, reader->ended), err));
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

/* The same for a block that was cut and checked elsewhere. */
static void reader_passes(mgl_text_reader *reader, const mgl_block *block)
{
    reader->next_line +=
        block->quoted_newlines ? count_newlines(block->data, block->whole) : block->n_records;
}

static mgl_reader_place reader_tell(const mgl_text_reader *reader)
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

/* Cuts the whole records among so many bytes from a record on, or as many bytes more as one record
 * needs, and checks them as mgl_text_cut does. Records must be taken in order; the block is the
 * caller's. */
static mgl_status reader_cut_at(mgl_text_reader *reader, uint64_t record, size_t bytes,
                                mgl_block *block, mgl_error *err)
{
    reader->offset = record;
    reader->ended = false;
    reader->block_size = bytes;
    block->size = 0;
    MGL_TRY(fill_with_records(reader, block, err));
    reader_passes(reader, block);
    return MGL_OK;
}

mgl_status mgl_text_cut(mgl_text_reader *reader, mgl_error *err, mgl_cuts *out)
{
    mgl_block *before = &reader->blocks[reader->current];
    mgl_block *block = &reader->blocks[1 - reader->current];
    size_t rest = before->size - before->whole;
    MGL_TRY(mgl_check_memory(block_reserve(block, rest + reader->block_size + 1), err));
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
    reader_passes(reader, block);
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

/* One field for each cut: as many as there are records times fields. */
static void cuts_fields(const mgl_cuts *cuts, mgl_field *field)
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
    cuts_fields(&cuts, *fields);
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

/* ---- Several blocks at once ------------------------------------------------------------------ */

enum {
    FEWEST_BLOCKS = 2,
    PER_THREAD = 2,   /* so that a thread that is late does not make all others wait */
    OF_THE_FILE = 16, /* waves it takes to read a file, at least: memory that is used once costs */
    LOOK_BACK = 4096
};

/* Some bytes of the file, and the whole records that end among them. */
typedef struct lot {
    uint64_t from, to; /* bytes of the file */
    uint64_t start;    /* where the first record begins: guessed, then known */
    bool sound;        /* the guess was cut, and nothing is wrong if it was right */
    mgl_block block;
    mgl_field *fields;
    size_t capacity; /* of fields */
} lot;

typedef struct wave {
    lot lots[MGL_WAVE_BLOCKS];
    mgl_wave_block blocks[MGL_WAVE_BLOCKS];
    size_t n;
} wave;

struct mgl_text_wave {
    mgl_text_reader *reader;
    mgl_reader_place place; /* `read` and `record` move on with the waves */
    uint64_t planned;       /* bytes of the file that were given to lots */
    bool fields;
    bool guesses; /* false: too many guesses were wrong */
    size_t most;  /* blocks of a wave */
    wave waves[2];
    unsigned current; /* of the waves; the one that is planned or settled */
};

mgl_status mgl_text_wave_new(mgl_text_reader *reader, unsigned threads, bool fields, mgl_error *err,
                             mgl_text_wave **out)
{
    mgl_text_wave *w = mgl_zeroed_array(1, sizeof *w);
    MGL_TRY(mgl_check_memory(w != NULL, err));
    size_t most = (size_t)PER_THREAD * threads;
    w->reader = reader;
    w->fields = fields;
    w->guesses = true;
    w->place = reader_tell(reader);
    uint64_t blocks = mgl_text_size(w->place.file) / OF_THE_FILE / w->place.block_size;
    most = most < blocks ? most : (size_t)blocks;
    most = most < MGL_WAVE_BLOCKS ? most : MGL_WAVE_BLOCKS;
    w->most = most > FEWEST_BLOCKS ? most : FEWEST_BLOCKS;
    w->planned = w->place.read;
    *out = w;
    return MGL_OK;
}

void mgl_text_wave_free(mgl_text_wave *w)
{
    if (w == NULL)
        return;
    for (size_t i = 0; i < 2; i++)
        for (size_t b = 0; b < MGL_WAVE_BLOCKS; b++) {
            block_free(&w->waves[i].lots[b].block);
            mgl_free(w->waves[i].lots[b].fields);
        }
    mgl_free(w);
}

static lot without_bytes(lot l, uint64_t size)
{
    l.from = l.to = size;
    return l;
}

size_t mgl_text_wave_plan(mgl_text_wave *w)
{
    wave *next = &w->waves[w->current = 1 - w->current];
    uint64_t size = mgl_text_size(w->place.file);
    size_t most = w->guesses ? w->most : 1;
    for (next->n = 0; next->n < most && w->planned < size; next->n++) {
        uint64_t left = size - w->planned, block = w->place.block_size,
                 some = left < block ? left : block;
        lot *l = &next->lots[next->n];
        l->from = w->planned;
        l->to = w->planned += some;
    }
    /* What was read already may have a last record that is not ended. */
    if (next->n == 0 && w->place.record < size)
        next->lots[next->n++] = without_bytes(next->lots[0], size);
    return next->n;
}

/* ---- Cutting a block ------------------------------------------------------------------------- */

static mgl_cuts cuts_of(const mgl_text_wave *w, const lot *l)
{
    return (mgl_cuts){.data = l->block.data,
                      .ends = l->block.places + 1,
                      .n_records = l->block.n_records,
                      .n_fields = w->place.n_fields,
                      .carriage_returns = l->block.carriage_returns};
}

static bool fill_fields(const mgl_text_wave *w, lot *l)
{
    size_t n = l->block.n_records * w->place.n_fields;
    if (!w->fields)
        return true;
    if (!mgl_grow(&l->fields, &l->capacity, n, sizeof *l->fields))
        return false;
    mgl_cuts cuts = cuts_of(w, l);
    cuts_fields(&cuts, l->fields);
    return true;
}

/* The bytes from the last line feed before the block on. */
static bool read_beginning(const mgl_text_wave *w, lot *l)
{
    char before[LOOK_BACK];
    size_t n = l->from < LOOK_BACK ? (size_t)l->from : LOOK_BACK, rest = 0, got;
    if (mgl_text_read_at(w->place.file, l->from - n, before, n, NULL, &got) != MGL_OK || got != n)
        return false;
    while (rest < n && before[n - 1 - rest] != '\n')
        rest++;
    if (rest == n || !block_reserve(&l->block, rest + (size_t)(l->to - l->from) + 1))
        return false;
    if (rest > 0)
        memcpy(l->block.data, before + n - rest, rest);
    l->block.size = rest;
    l->start = l->from - rest;
    return true;
}

static bool read_rest(const mgl_text_wave *w, lot *l)
{
    size_t bytes = (size_t)(l->to - l->from), got;
    if (mgl_text_read_at(w->place.file, l->from, l->block.data + l->block.size, bytes, NULL,
                         &got) != MGL_OK)
        return false;
    l->block.size += got;
    return got == bytes;
}

/* Whatever goes wrong here is found once more, and reported, when the wave is settled. The end of
 * the file, where lines may be blank or unfinished, is left to that, too. */
void mgl_text_wave_cut(mgl_text_wave *w, size_t block)
{
    lot *l = &w->waves[w->current].lots[block];
    l->sound = w->guesses && l->to < w->place.blank_from && l->to < mgl_text_size(w->place.file) &&
               read_beginning(w, l) && read_rest(w, l) &&
               block_cut(&l->block, w->place.delimiter, false) && l->block.n_records > 0 &&
               block_is_sound(&l->block, w->place.n_fields) && fill_fields(w, l);
}

/* ---- Putting the blocks together ------------------------------------------------------------- */

/* Cuts a block of which no more is known than where its first record begins. */
static mgl_status cut_again(mgl_text_wave *w, lot *l, mgl_error *err)
{
    uint64_t size = mgl_text_size(w->place.file);
    /* One byte more at the end: that the file ends there must be seen. */
    size_t bytes = (size_t)(l->to - w->place.record) + (l->to == size);
    l->start = w->place.record;
    MGL_TRY(reader_cut_at(w->reader, l->start, bytes, &l->block, err));
    if (l->block.n_records == 0)
        l->block.whole = 0;
    return fill_fields(w, l) ? MGL_OK : mgl_fail_memory(err);
}

/* What of the block no block before has read. */
static mgl_span fresh_of(const mgl_text_wave *w, const lot *l)
{
    uint64_t end = l->start + l->block.size, size = mgl_text_size(w->place.file);
    end = end < size ? end : size; /* a line feed may have been added */
    if (l->block.size == 0 || end <= w->place.read)
        return (mgl_span){"", 0};
    return (mgl_span){l->block.data + (w->place.read - l->start), (size_t)(end - w->place.read)};
}

static mgl_status settle_lot(mgl_text_wave *w, lot *l, mgl_error *err, mgl_wave_block *out,
                             bool *guessed)
{
    *guessed = l->sound && l->start == w->place.record;
    if (*guessed)
        reader_passes(w->reader, &l->block);
    else if (w->place.record < l->to)
        MGL_TRY(cut_again(w, l, err));
    else
        l->block.n_records = l->block.whole = l->block.size = 0;
    mgl_cuts *cuts = &out->cuts;
    *cuts = cuts_of(w, l);
    cuts->fresh = fresh_of(w, l);
    w->place.read += cuts->fresh.size;
    uint64_t size = mgl_text_size(w->place.file), next = w->place.record + l->block.whole;
    w->place.record = l->to < size && next < size ? next : size;
    cuts->bytes_done = w->place.record;
    out->records = (mgl_records){.fields = l->fields,
                                 .n_records = cuts->n_records,
                                 .n_fields = cuts->n_fields,
                                 .bytes_done = cuts->bytes_done};
    return MGL_OK;
}

mgl_status mgl_text_wave_settle(mgl_text_wave *w, mgl_error *err, const mgl_wave_block **blocks,
                                size_t *n)
{
    wave *now = &w->waves[w->current];
    size_t wrong = 0;
    if (now->n == 0)
        MGL_TRY(mgl_text_unchanged(w->place.file, err));
    for (size_t i = 0; i < now->n; i++) {
        bool guessed;
        MGL_TRY(settle_lot(w, &now->lots[i], err, &now->blocks[i], &guessed));
        wrong += !guessed;
    }
    w->guesses = w->guesses && wrong <= 1 + now->n / 2;
    *blocks = now->blocks;
    *n = now->n;
    return MGL_OK;
}
