/* Reads and writes addresses, names of sheets and escaped texts of workbooks. The other files of
 * workbooks call it. */
#include "io/xlsx/xlsx.h"

#include <stdio.h>
#include <strings.h>
#include <utf8proc.h>

mgl_status mgl_xlsx_lack(const char *location, mgl_error *err)
{
    return mgl_fail_at(err, MGL_CODE_LIBRARY, location, 0,
                       "this program was built without the libraries for Excel workbooks; build it "
                       "with libxlsxwriter, libzip and expat, or use CSV");
}

/* ---- Addresses -------------------------------------------------------------------------- */

enum { LETTERS = 26 };

void mgl_xlsx_address(uint32_t row, uint32_t column, char text[MGL_XLSX_ADDRESS])
{
    char letters[8];
    size_t n = 0;
    for (uint32_t rest = column + 1; rest > 0 && n < sizeof letters; rest = (rest - 1) / LETTERS)
        letters[n++] = (char)('A' + (rest - 1) % LETTERS);
    for (size_t i = 0; i < n; i++)
        text[i] = letters[n - 1 - i];
    snprintf(text + n, MGL_XLSX_ADDRESS - n, "%u", row);
}

bool mgl_xlsx_address_read(mgl_span text, uint32_t *row, uint32_t *column)
{
    size_t at = 0;
    uint32_t number = 0, line = 0;
    for (; at < text.size; at++) {
        char letter = text.data[at] & ~0x20; /* upper case */
        if (letter < 'A' || letter > 'Z')
            break;
        number = number * LETTERS + (uint32_t)(letter - 'A' + 1);
        if (number > MGL_XLSX_COLUMNS)
            return false;
    }
    if (number == 0)
        return false;
    for (; at < text.size; at++) {
        if (text.data[at] < '0' || text.data[at] > '9')
            return false;
        line = line * 10 + (uint32_t)(text.data[at] - '0');
        if (line > MGL_XLSX_ROWS)
            return false;
    }
    *row = line;
    *column = number - 1;
    return true;
}

/* ---- Sheets ----------------------------------------------------------------------------- */

mgl_status mgl_xlsx_check_sheet(const char *target, mgl_span sheet, mgl_error *err)
{
    static const char forbidden[] = "[]:*?/\\";
    const char *why = NULL;
    for (size_t i = 0; i < sheet.size; i++)
        if (strchr(forbidden, sheet.data[i]) != NULL || (unsigned char)sheet.data[i] < ' ')
            why = "has none of the characters [ ] : * ? / \\";
    if (sheet.size > 0 && (sheet.data[0] == '\'' || sheet.data[sheet.size - 1] == '\''))
        why = "does not begin or end with an apostrophe";
    if (mgl_utf8_valid(sheet.data, sheet.size) != sheet.size)
        why = "is UTF-8 text";
    else if (sheet.size == 0 || mgl_xlsx_characters(sheet) > MGL_XLSX_SHEET_NAME)
        why = "has 1 to 31 characters";
    if (sheet.size == 7 && strncasecmp(sheet.data, "History", 7) == 0)
        why = "is not History, which Excel keeps for itself";
    if (why == NULL)
        return MGL_OK;
    return mgl_blame_key(
        err,
        mgl_fail_at(err, MGL_CODE_OUTPUT, target, 0,
                    "Excel takes no sheet of this name: the name of a sheet, behind the #, %s; "
                    "choose another one",
                    why),
        "output");
}

/* ---- Texts ------------------------------------------------------------------------------ */

size_t mgl_xlsx_characters(mgl_span text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.size; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        n += (byte & 0xc0) != 0x80; /* begins a character */
        n += byte >= 0xf0;          /* that takes two units */
    }
    return n;
}

static int hex_digit(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
                                  : -1;
}

enum { ESCAPE = 7 }; /* bytes of _x000D_ */

/* The code of an escape at this place; -1: there is none. */
static int32_t escape_at(const char *text, size_t size)
{
    int32_t code = 0;
    if (size < ESCAPE || text[0] != '_' || text[1] != 'x' || text[ESCAPE - 1] != '_')
        return -1;
    for (size_t i = 2; i < ESCAPE - 1; i++) {
        int digit = hex_digit(text[i]);
        if (digit < 0)
            return -1;
        code = code * 16 + digit;
    }
    return code;
}

/* U+FFFE and U+FFFF are the only ones beyond control characters that XML does not have. */
static bool is_noncharacter(mgl_span text, size_t i)
{
    return text.size - i >= 3 && (memcmp(text.data + i, "\xef\xbf\xbe", 3) == 0 ||
                                  memcmp(text.data + i, "\xef\xbf\xbf", 3) == 0);
}

void mgl_xlsx_escape(mgl_buffer *out, mgl_span text)
{
    size_t done = 0;
    for (size_t i = 0; i < text.size; i++) {
        unsigned char byte = (unsigned char)text.data[i];
        bool control = byte < ' ' && byte != '\n' && byte != '\t';
        bool gone = byte == 0xef && is_noncharacter(text, i);
        bool escaped = byte == '_' && escape_at(text.data + i, text.size - i) >= 0;
        if (!control && !gone && !escaped)
            continue;
        mgl_buffer_append(out, text.data + done, i - done);
        if (gone)
            i += 2;
        mgl_buffer_format(out, "_x%04X_",
                          gone ? 0xff00u + 0x40u + (unsigned char)text.data[i] : byte);
        done = i + 1;
    }
    mgl_buffer_append(out, text.data + done, text.size - done);
}

/* NUL bytes and halves of characters stay as they are written. */
size_t mgl_xlsx_unescape(char *text, size_t size)
{
    if (size < ESCAPE || memchr(text, '_', size) == NULL)
        return size;
    size_t to = 0;
    for (size_t from = 0; from < size;) {
        int32_t code = escape_at(text + from, size - from);
        if (code > 0 && (code < 0xd800 || code > 0xdfff)) {
            to += (size_t)utf8proc_encode_char(code, (utf8proc_uint8_t *)text + to);
            from += ESCAPE;
        } else {
            text[to++] = text[from++];
        }
    }
    return to;
}
