/* text: delimited text, in and out.
 *
 * A text_file is bytes that can be read more than once, from a path, a stream or a compressed file.
 * A dialect defines how its lines are cut into fields. A reader gives the records of one pass,
 * block by block; a writer quotes and compresses. */
#ifndef MGL_TEXT_H
#define MGL_TEXT_H

#include "base/base.h"

/* Value labels: what the codes of a column mean, as their file has it: 1 is "male". */
typedef struct mgl_value_label {
    mgl_span value, label; /* with a NUL byte behind each */
} mgl_value_label;

typedef struct mgl_value_labels {
    const mgl_value_label *list;
    size_t n;
} mgl_value_labels;

/* The label of a value; data is NULL if it has none. */
static inline mgl_span mgl_label_of(const mgl_value_labels *labels, mgl_span value)
{
    for (size_t i = 0; i < labels->n; i++)
        if (mgl_span_equal(labels->list[i].value, value))
            return labels->list[i].label;
    return (mgl_span){NULL, 0};
}

typedef struct mgl_text_file mgl_text_file;

/* "-" is standard input, spooled to an unlinked private file; so are pipes and
 * devices. .gz and .zst (recognized by their first bytes, not their names) are
 * decompressed on the way. encoding: NULL for UTF-8, otherwise a name iconv knows,
 * converted to UTF-8 on the way. Free with mgl_text_close. */
mgl_status mgl_text_open(const char *path, const char *encoding, mgl_error *err,
                         mgl_text_file **out);
/* The same with a limit of one's own for what compressed data become; 0: the usual one, which a
 * file that was made to fill the disk does not pass (MGL_UNPACKED_MOST bytes, or
 * MGL_UNPACKED_TIMES as many as it has). */
#define MGL_UNPACKED_MOST ((uint64_t)1 << 30)
enum { MGL_UNPACKED_TIMES = 200 };
mgl_status mgl_text_open_within(const char *path, const char *encoding, uint64_t most_unpacked,
                                mgl_error *err, mgl_text_file **out);
void mgl_text_close(mgl_text_file *file);
const char *mgl_text_name(const mgl_text_file *file); /* for messages; "standard input" for "-" */
uint64_t mgl_text_size(const mgl_text_file *file);    /* bytes to read, as far as known; else 0 */

/* Are the bytes those that the file has on its disk, neither unpacked nor converted? */
bool mgl_text_is_plain(const mgl_text_file *file);

/* MGL_DATA if the file has changed since it was opened (size, time). */
mgl_status mgl_text_unchanged(const mgl_text_file *file, mgl_error *err);

typedef struct mgl_dialect {
    char delimiter; /* one byte */
    bool crlf;      /* lines end in CR LF */
    bool header;    /* the first record names the columns */
    bool byte_order_mark;
    bool final_newline; /* the last line is ended */
    /* The header has one field less than the records, as R's write.table has it: records begin with
     * the name of their row. Readers put an empty name in front of the header. */
    bool short_header;
} mgl_dialect;

/* Looks at the first block. delimiter 0: sniffed among , ; tab |, and a blank if the
 * header is short or all records agree; if none fits, a single column is assumed to be comma
 * separated. Refuses an empty file. header is only taken over from the argument; that it is short
 * is found out. */
mgl_status mgl_text_sniff(mgl_text_file *file, char delimiter, bool header, mgl_error *err,
                          mgl_dialect *out);

/* A field as it stands in the file: raw (quotes included, the bytes between two
 * delimiters) and whether it was quoted. mgl_field_value removes the quotes. */
typedef struct mgl_field {
    const char *data;
    uint32_t size;
    bool quoted;
} mgl_field;

/* Whole records of one block; fields[r * n_fields + c]. Spans live until the next
 * call of mgl_text_next but one. */
typedef struct mgl_records {
    const mgl_field *fields;
    size_t n_records, n_fields;
    uint64_t first_line; /* line number of the first record in the file, from 1 */
    uint64_t bytes_done; /* of the file, for progress */
} mgl_records;

typedef struct mgl_text_reader mgl_text_reader;

/* Starts a new pass over the file, after the byte order mark; the header is a
 * record like any other. Free with mgl_text_reader_free. */
mgl_status mgl_text_reader_new(mgl_text_file *file, const mgl_dialect *dialect, mgl_error *err,
                               mgl_text_reader **out);
void mgl_text_reader_free(mgl_text_reader *reader);

/* The next records; n_records 0 at the end. Refused with file and line and what to
 * do: a record with more or fewer fields than the first, a stray quote, a quote
 * that is never closed, a NUL byte, invalid UTF-8. A last line without an end is a
 * record. Blank lines: refused as ragged unless the table has one column. */
mgl_status mgl_text_next(mgl_text_reader *reader, mgl_error *err, mgl_records *out);

/* The line a record of the current block starts on (quoted newlines counted). */
uint64_t mgl_text_line(const mgl_text_reader *reader, size_t record);

/* The field without its quotes; unquotes into scratch only if there are doubled
 * quotes inside. When memory is out scratch->failed is set and the value is empty. */
mgl_span mgl_field_value(mgl_field field, mgl_buffer *scratch);

/* The same records without a mgl_field each. Field i = record * n_fields + column
 * starts at data + (uint32_t)(ends[i - 1] + 1) (ends[-1] is there) and ends before
 * data + ends[i], where the delimiter or line feed stands. Everything mgl_text_next
 * refuses has been refused. MGL_CUTS_MARGIN bytes behind the last record can be read. */
#define MGL_CUTS_MARGIN 64
typedef struct mgl_cuts {
    const char *data;
    const uint32_t *ends;
    size_t n_records, n_fields;
    bool carriage_returns; /* lines may end in CR LF: use mgl_cuts_field */
    uint64_t first_line, bytes_done;
    mgl_span fresh; /* bytes of the file that came with this call, in order and without gaps after
                       the byte order mark; also at the end */
} mgl_cuts;

/* The next records; n_records 0 at the end. Cuts live until the call after the next
 * one, so that one thread can cut while others work on the block before. */
mgl_status mgl_text_cut(mgl_text_reader *reader, mgl_error *err, mgl_cuts *out);

/* One field, without the CR of its line end. */
static inline mgl_span mgl_cuts_field(const mgl_cuts *cuts, size_t record, size_t column)
{
    size_t i = record * cuts->n_fields + column;
    uint32_t start = cuts->ends[(ptrdiff_t)i - 1] + 1, end = cuts->ends[i];
    if (cuts->carriage_returns && column + 1 == cuts->n_fields && end > start &&
        cuts->data[end - 1] == '\r')
        end--;
    return (mgl_span){cuts->data + start, end - start};
}

/* Bytes read at a time (and then whatever the longest record needs). */
void mgl_text_reader_block(mgl_text_reader *reader, size_t bytes);

/* The blocks of a wave are read and cut apart, by different threads; while one wave is worked on,
 * the next one is cut. Where records begin is guessed by the line feed before a block and checked
 * against the end of the block before: a block that was guessed wrong (a line feed within quotes)
 * or that something is wrong with is cut once more when the wave is settled. */
typedef struct mgl_text_wave mgl_text_wave;

enum { MGL_WAVE_BLOCKS = 16 }; /* at most */

/* Goes on where the reader is, whose first block was cut, in blocks of the size that was set; the
 * reader is borrowed and must not be used otherwise. fields: each block gets its records, too. Free
 * with mgl_text_wave_free. */
mgl_status mgl_text_wave_new(mgl_text_reader *reader, unsigned threads, bool fields, mgl_error *err,
                             mgl_text_wave **out);
void mgl_text_wave_free(mgl_text_wave *wave);

/* Plans the next wave and returns how many blocks it has, to be cut with mgl_text_wave_cut from any
 * thread; 0 at the end of the file. */
size_t mgl_text_wave_plan(mgl_text_wave *wave);
void mgl_text_wave_cut(mgl_text_wave *wave, size_t block);

/* A block of a wave. */
typedef struct mgl_wave_block {
    mgl_cuts cuts;
    mgl_records records; /* the same, if fields are needed */
} mgl_wave_block;

/* When all blocks of the planned wave are cut: returns them in order. They live until the wave
 * after the next one is planned. Some may be without records, also the only one of the last wave;
 * fails as mgl_text_cut does. */
mgl_status mgl_text_wave_settle(mgl_text_wave *wave, mgl_error *err, const mgl_wave_block **blocks,
                                size_t *n);

/* Marks delimiters, line feeds, quotes and carriage returns of 64 bytes as bit masks
 * (bit i = byte i), and returns whether any byte is NUL or not ASCII. */
typedef struct mgl_scan_masks {
    uint64_t delimiter, newline, quote, carriage_return;
    bool nul, high; /* some byte is 0; some byte is >= 0x80 */
} mgl_scan_masks;
typedef void mgl_scan_fn(const char *block64, char delimiter, mgl_scan_masks *out);

/* Writes the places of delimiters and line feeds (base + offset) for as many blocks of 64 bytes as
 * are plain: no quote, no NUL, no carriage return but before a line feed. One byte behind the data
 * is read. Room for size + 16 places is needed; size is at most MGL_SCAN_RUN. */
#define MGL_SCAN_RUN (16 * 1024)
typedef struct mgl_scan_run {
    size_t bytes; /* looked at: a multiple of 64 */
    size_t n_ends, n_newlines;
    bool carriage_returns, high; /* there are some; some byte is >= 0x80 */
} mgl_scan_run;
typedef mgl_scan_run mgl_scan_run_fn(const char *data, size_t size, char delimiter, uint32_t base,
                                     uint32_t *ends);

/* The paths are tested against each other; mgl_scan_best picks the fastest this machine runs. */
typedef struct mgl_scan_path {
    const char *name; /* "portable", "neon", "avx2" */
    mgl_scan_fn *scan;
    mgl_scan_run_fn *run;
} mgl_scan_path;
/* All paths this machine can run, the portable one first. */
size_t mgl_scan_paths(const mgl_scan_path **out);
const mgl_scan_path *mgl_scan_best(void);

/* First byte of the first invalid UTF-8 sequence, or size if all is valid. */
size_t mgl_utf8_valid(const char *data, size_t size);

/* Without quotes or delimiters, and without a look at the encoding: for columns of fixed width. */
typedef struct mgl_raw_lines mgl_raw_lines;

/* A new pass over the file. Free with mgl_raw_lines_free. */
mgl_status mgl_raw_lines_new(const mgl_text_file *file, mgl_error *err, mgl_raw_lines **out);
void mgl_raw_lines_free(mgl_raw_lines *lines);
/* The next line without its end; it lives until the next call. *there is false after the last. */
mgl_status mgl_raw_lines_next(mgl_raw_lines *lines, mgl_error *err, mgl_span *line, bool *there);
uint64_t mgl_raw_lines_number(const mgl_raw_lines *lines); /* of the current line, from 1 */

/* Calls visit for each line of a file that people write, without its end, which lives until visit
 * returns; number: of the line, from 1. MGL_DATA if it is no UTF-8. */
typedef mgl_status mgl_line_fn(void *context, mgl_span line, uint64_t number, mgl_error *err);
mgl_status mgl_lines_each(const char *path, mgl_line_fn *visit, void *context, mgl_error *err);

/* A code list: lines CODE,LABEL. Spaces around both are left out, and so are quotes around the
 * label. It lies beside the file that names it. Made on other systems, it may be written in
 * capitals. What is read lives in the arena, and so does *path, where it was found. */
mgl_status mgl_code_list_beside(const char *file, mgl_span name, mgl_arena *arena, mgl_error *err,
                                const char **path, mgl_value_labels *out);

/* Appends the value to out, quoted only if it holds the delimiter, a quote, CR or LF (or is
 * empty and the only field of its record: pass alone = true). */
void mgl_text_quote(mgl_buffer *out, mgl_span value, char delimiter, bool alone);

/* A spreadsheet takes a cell that begins with = + - @ (also in full width, or a tab or line end)
 * for a formula and would compute it, unless it is a number. Such a cell gets an apostrophe in
 * front, and so does one that has apostrophes and then these: what was written can be distinguished
 * from what was there. */
bool mgl_text_is_formula(mgl_span value);
/* The same without an apostrophe in front, and not of dashes alone, which spreadsheets leave. */
bool mgl_text_is_run(mgl_span value);
/* Of a cell that may have been given an apostrophe: what it was. */
mgl_span mgl_text_without_apostrophe(mgl_span value);

/* Bytes go to fd, compressed by the ending of `name` (.gz, .zst; else plain).
 * mgl_text_writer_end flushes; the fd stays open. Free with mgl_text_writer_free. */
typedef struct mgl_text_writer mgl_text_writer;
mgl_status mgl_text_writer_new(int fd, const char *name, mgl_error *err, mgl_text_writer **out);
mgl_status mgl_text_write(mgl_text_writer *writer, const char *data, size_t size, mgl_error *err);
mgl_status mgl_text_writer_end(mgl_text_writer *writer, mgl_error *err);
void mgl_text_writer_free(mgl_text_writer *writer);

#endif
