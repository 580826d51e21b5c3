/* Says exactly what is wrong with a block. reader.c calls it for blocks that are known to be
 * faulty, so this is a plain walk over the bytes, written for its messages. */
#include "text/block.h"

typedef struct walk {
    const mgl_block *block;
    const mgl_block_place *place;
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

mgl_status mgl_block_diagnose(const mgl_block *block, const mgl_block_place *place, mgl_error *err)
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
