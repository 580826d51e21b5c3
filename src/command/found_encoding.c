/* Finds the encoding of a text by its bytes, for `look` and for sessions that are opened with
 * `encoding: auto`. UTF-8 and texts with a byte order mark are known; else the rules go by what
 * Western systems write, and say so. */
#include "command/found_encoding.h"

#include <stdio.h>

static const char automatic[] = "auto";

typedef struct clues {
    uint64_t line; /* of the first byte that is no UTF-8; 0: all are */
    unsigned char byte;
    uint64_t high, pairs;   /* bytes above 0x7f; of these, such that follow another */
    uint64_t dos;           /* such as only code page 850 has between letters */
    uint64_t first_size;    /* of the first line */
    uint64_t even, odd;     /* its NULs, by their places */
    bool nul, marked_utf16; /* there are NULs; the mark of UTF-16 stands in front */
} clues;

static bool is_letter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/* A letter of code page 850 that in windows-1252 is a sign: it has no business within a word.
 * Apostrophes and dashes (0x91 to 0x97) have, and the letters that windows-1252 has there. */
static bool is_dos_letter(unsigned char byte)
{
    static const char western[] = "\x8a\x8c\x8e\x91\x92\x95\x96\x97\x9a\x9c\x9e\x9f\xa0";
    return byte >= 0x80 && byte <= 0xa5 && strchr(western, (char)byte) == NULL;
}

/* Windows-1252 has no character for it. */
static bool is_no_western(unsigned char byte)
{
    return byte == 0x81 || byte == 0x8d || byte == 0x8f || byte == 0x90 || byte == 0x9d;
}

static void look_at_bytes(clues *c, mgl_span line)
{
    for (size_t i = 0; i < line.size; i++) {
        unsigned char byte = (unsigned char)line.data[i];
        c->nul |= byte == 0;
        if (byte < 0x80)
            continue;
        bool before = i > 0 && is_letter(line.data[i - 1]);
        bool after = i + 1 < line.size && is_letter(line.data[i + 1]);
        c->high++;
        c->pairs += i > 0 && (unsigned char)line.data[i - 1] >= 0x80;
        c->dos += is_no_western(byte) || (before && after && is_dos_letter(byte));
    }
}

static void look_at_first(clues *c, mgl_span line)
{
    c->first_size = line.size;
    c->marked_utf16 = line.size >= 2 && (memcmp(line.data, "\xff\xfe", 2) == 0 ||
                                         memcmp(line.data, "\xfe\xff", 2) == 0);
    for (size_t i = 0; i < line.size; i++)
        if (line.data[i] == '\0')
            (i % 2 == 0 ? &c->even : &c->odd)[0]++;
}

static void look_at_line(clues *c, mgl_span line, uint64_t number)
{
    size_t valid = mgl_utf8_valid(line.data, line.size);
    if (valid < line.size && c->line == 0) {
        c->line = number;
        c->byte = (unsigned char)line.data[valid];
    }
    if (number == 1)
        look_at_first(c, line);
    look_at_bytes(c, line);
}

static mgl_status gather(const mgl_text_file *file, mgl_error *err, clues *c)
{
    mgl_raw_lines *lines;
    mgl_span line;
    bool there = true;
    MGL_TRY(mgl_raw_lines_new(file, err, &lines));
    mgl_status status = MGL_OK;
    while (there) {
        MGL_GO(mgl_raw_lines_next(lines, err, &line, &there));
        if (there)
            look_at_line(c, line, mgl_raw_lines_number(lines));
    }
done:
    mgl_raw_lines_free(lines);
    return status;
}

static void tell(mgl_found_encoding *out, const char *name, const char *why)
{
    out->name = name;
    snprintf(out->why, sizeof out->why, "%s", why);
}

/* By its first line: in UTF-16 every other byte of what one mostly writes is 0. */
static void judge_nuls(const clues *c, mgl_found_encoding *out)
{
    bool little = c->even == 0 && c->odd * 4 >= c->first_size;
    bool big = c->odd == 0 && c->even * 4 >= c->first_size;
    if (little || big)
        tell(out, little ? "UTF-16LE" : "UTF-16BE",
             "every other byte of the first line is 0, as in UTF-16 without a mark");
    else
        tell(out, NULL,
             "there are NUL bytes, so that this is no text in one of the usual encodings");
}

static void judge_bytes(const clues *c, mgl_found_encoding *out)
{
    unsigned long long line = c->line;
    if (c->pairs * 2 > c->high) {
        out->name = NULL;
        snprintf(out->why, sizeof out->why,
                 "byte 0x%02x on line %llu is no UTF-8, and most bytes above 0x7f stand side by "
                 "side, as letters of another script do (windows-1251, Shift_JIS, GB18030, ...)",
                 c->byte, line);
    } else if (c->dos * 4 >= c->high) {
        out->name = "CP850";
        snprintf(out->why, sizeof out->why,
                 "byte 0x%02x on line %llu is no UTF-8, and some bytes within words are letters "
                 "in code page 850 of DOS alone",
                 c->byte, line);
    } else {
        out->name = "windows-1252";
        snprintf(out->why, sizeof out->why,
                 "byte 0x%02x on line %llu is no UTF-8; Western European systems write "
                 "windows-1252, which other encodings of one byte cannot be told from: see "
                 "whether letters with accents are right",
                 c->byte, line);
    }
}

static void judge(const clues *c, mgl_found_encoding *out)
{
    if (c->marked_utf16)
        tell(out, "UTF-16", "it begins with the byte order mark of UTF-16");
    else if (c->nul)
        judge_nuls(c, out);
    else if (c->line == 0)
        tell(out, "UTF-8", c->high > 0 ? "all bytes are UTF-8" : "all bytes are ASCII");
    else
        judge_bytes(c, out);
}

mgl_status mgl_find_encoding(const char *location, uint64_t most_unpacked, mgl_error *err,
                             mgl_found_encoding *out)
{
    mgl_text_file *file;
    clues c = {0};
    MGL_TRY(mgl_text_open_within(location, NULL, most_unpacked, err, &file));
    mgl_status status = gather(file, err, &c);
    mgl_text_close(file);
    if (status == MGL_OK)
        judge(&c, out);
    return status;
}

mgl_status mgl_resolve_encoding(mgl_job *job, mgl_command command, mgl_error *err)
{
    const mgl_settings *settings;
    mgl_found_encoding found;
    MGL_TRY(mgl_job_settings(job, command, err, &settings));
    const char *said = settings->source.encoding, *data = settings->data;
    if (said == NULL || strcmp(said, automatic) != 0)
        return MGL_OK;
    bool again = strcmp(data, "-") != 0;
    if (again)
        MGL_TRY(mgl_find_encoding(data, settings->source.most_unpacked, err, &found));
    if (!again || found.name == NULL)
        return mgl_blame_key(err,
                             mgl_fail_at(err, MGL_CODE_ENCODING, data, 0,
                                         "the encoding is not found: %s; name it with `encoding`",
                                         again ? found.why : "what comes by a pipe is read once"),
                             "encoding");
    return mgl_job_set(job, "encoding", found.name, err);
}
