/* How workbooks write cells: addresses of cells, names of sheets, escaped characters, numbers, and
 * days and times as numbers. */
#include "io/xlsx/xlsx.h"

#include <math.h>
#include <stdio.h>
#include <strings.h>
#include <utf8proc.h>

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
    return mgl_fail_key_at(
        err, MGL_CODE_OUTPUT, target, "output",
        "Excel takes no sheet of this name: the name of a sheet, behind the #, %s; "
        "choose another one",
        why);
}

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

/* The code of an escape at this offset; -1 if absent. */
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

#define DAY 86400.0
/* Seconds from 1970 to the day before the first of each system. */
#define FROM_1900 (-25569 * DAY)
#define FROM_1904 (-24107 * DAY)
/* Excel has a 29th of February in 1900: days before it have numbers that are one too small. */
#define NO_SUCH_DAY 60
#define LAST_DAY 2958465 /* 9999-12-31, counted from 1900 */

/* The letters of a format that show fields of a date or a time, one after another, such as
 * "yyyymd" or "hhmms"; elapsed units are in upper case. Texts in quotes, behind a backslash and
 * fill characters, colours and conditions in brackets, and AM/PM are left out. */
static size_t letters_of(mgl_span code, char *letters, size_t most)
{
    size_t n = 0;
    for (size_t i = 0; i < code.size && n < most && code.data[i] != ';'; i++) {
        char c = code.data[i];
        const char *end;
        if (c == '\\' || c == '_' || c == '*') {
            i++;
        } else if (c == '"' || c == '[') {
            end = memchr(code.data + i + 1, c == '"' ? '"' : ']', code.size - i - 1);
            size_t skip = end != NULL ? (size_t)(end - code.data) : code.size;
            char unit = i + 1 < code.size ? code.data[i + 1] & ~0x20 : 0;
            if (c == '[' && unit != 0 && strchr("HMS", unit) != NULL &&
                (code.data[skip - 1] & ~0x20) == unit && skip - i <= 3)
                letters[n++] = unit;
            i = skip;
        } else if (c != '\0' && strchr("ymdhsYMDHS", c) != NULL) {
            bool half = i > 0 && (c & ~0x20) == 'M' && strchr("aApP", code.data[i - 1]) != NULL;
            if (!half) /* the M of AM/PM */
                letters[n++] = (char)(c | 0x20);
        }
    }
    return n;
}

/* Minutes stand behind hours or before seconds; any other m is a month. */
static bool is_minute(const char *letters, size_t n, size_t i)
{
    size_t before = i, after = i;
    while (before > 0 && letters[before - 1] == 'm')
        before--;
    while (after < n && letters[after] == 'm')
        after++;
    return (before > 0 && strchr("hH", letters[before - 1]) != NULL) ||
           (after < n && strchr("sS", letters[after]) != NULL);
}

unsigned mgl_xlsx_format_shows(mgl_span code)
{
    char letters[64];
    unsigned shows = 0;
    size_t n = letters_of(code, letters, sizeof letters);
    for (size_t i = 0; i < n; i++)
        switch (letters[i]) {
        case 'H':
        case 'M':
        case 'S':
            shows |= MGL_XLSX_SHOWS_ELAPSED | MGL_XLSX_SHOWS_TIME;
            break;
        case 'm':
            shows |= is_minute(letters, n, i) ? MGL_XLSX_SHOWS_TIME : MGL_XLSX_SHOWS_DATE;
            break;
        case 'h':
        case 's':
            shows |= MGL_XLSX_SHOWS_TIME;
            break;
        default:
            shows |= MGL_XLSX_SHOWS_DATE;
        }
    return shows;
}

/* Formats that Excel knows by their number alone; those from 27 on depend on the language, and in
 * each language that has them they show this. */
unsigned mgl_xlsx_builtin_shows(uint32_t id)
{
    static const struct {
        uint32_t first, last;
        unsigned shows;
    } known[] = {
        {14, 17, MGL_XLSX_SHOWS_DATE},
        {18, 21, MGL_XLSX_SHOWS_TIME},
        {22, 22, MGL_XLSX_SHOWS_DATE | MGL_XLSX_SHOWS_TIME},
        {27, 31, MGL_XLSX_SHOWS_DATE},
        {32, 35, MGL_XLSX_SHOWS_TIME},
        {36, 36, MGL_XLSX_SHOWS_DATE},
        {45, 45, MGL_XLSX_SHOWS_TIME},
        {46, 46, MGL_XLSX_SHOWS_TIME | MGL_XLSX_SHOWS_ELAPSED},
        {47, 47, MGL_XLSX_SHOWS_TIME},
        {50, 58, MGL_XLSX_SHOWS_DATE},
        {71, 74, MGL_XLSX_SHOWS_DATE},
        {75, 76, MGL_XLSX_SHOWS_TIME},
        {77, 77, MGL_XLSX_SHOWS_DATE | MGL_XLSX_SHOWS_TIME},
        {78, 80, MGL_XLSX_SHOWS_TIME},
        {81, 81, MGL_XLSX_SHOWS_DATE},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (id >= known[i].first && id <= known[i].last)
            return known[i].shows;
    return 0;
}

/* To thousandths of a second: a double has no more digits for dates of our century. */
static double rounded_seconds(double days)
{
    return floor(days * DAY * 1000 + 0.5) / 1000;
}

static size_t write_time(double seconds, char text[MGL_TIME_TEXT])
{
    uint64_t thousandths = (uint64_t)(seconds * 1000 + 0.5), whole = thousandths / 1000;
    int size = snprintf(text, MGL_TIME_TEXT, "%02llu:%02u:%02u", (unsigned long long)(whole / 3600),
                        (unsigned)(whole / 60 % 60), (unsigned)(whole % 60));
    if (thousandths % 1000 > 0)
        size += snprintf(text + size, (size_t)(MGL_TIME_TEXT - size), ".%03u",
                         (unsigned)(thousandths % 1000));
    return (size_t)size;
}

/* Seconds since 1970; days that do not exist have none. */
static bool is_day(double seconds, bool from_1904, double *out)
{
    double day = floor(seconds / DAY);
    if (from_1904) {
        *out = seconds + FROM_1904;
        return day >= 0 && day <= LAST_DAY - 1462;
    }
    *out = seconds + FROM_1900 + (day < NO_SUCH_DAY ? DAY : 0);
    return day >= 1 && day <= LAST_DAY && day != NO_SUCH_DAY;
}

size_t mgl_xlsx_number_text(double value, unsigned shows, bool from_1904, char text[MGL_TIME_TEXT],
                            unsigned *look)
{
    bool date = (shows & MGL_XLSX_SHOWS_DATE) != 0, time = (shows & MGL_XLSX_SHOWS_TIME) != 0;
    bool elapsed = (shows & MGL_XLSX_SHOWS_ELAPSED) != 0 && !date;
    if (shows != 0 && value >= 0 && value < LAST_DAY + 1) {
        double seconds = rounded_seconds(value), since_1970;
        if (time && (elapsed || value < 1) && !(date && from_1904)) {
            *look = MGL_LOOKS_TIME;
            return write_time(seconds, text);
        }
        if (is_day(seconds, from_1904, &since_1970)) {
            bool whole = fmod(seconds, DAY) == 0;
            *look = whole && !time ? MGL_LOOKS_DATE : MGL_LOOKS_DATETIME;
            return whole && !time ? mgl_date_write(since_1970, text)
                                  : mgl_datetime_write(since_1970, text);
        }
    }
    *look = MGL_LOOKS_NUMBER;
    return mgl_number_write_exact(value, text);
}

static bool take_number(mgl_span text, size_t *at, size_t least, size_t most, unsigned *out)
{
    size_t n = 0;
    for (*out = 0; n < most && *at < text.size; n++, (*at)++) {
        unsigned digit = (unsigned)(unsigned char)text.data[*at] - '0';
        if (digit > 9)
            break;
        *out = *out * 10 + digit;
    }
    return n >= least;
}

static bool read_time(mgl_span text, double *seconds)
{
    unsigned hours, minutes, whole, thousandths = 0;
    size_t at = 0, digits;
    if (!take_number(text, &at, 2, 8, &hours) || at == text.size || text.data[at++] != ':')
        return false;
    digits = at - 1;
    if (!take_number(text, &at, 2, 2, &minutes) || at == text.size || text.data[at++] != ':' ||
        !take_number(text, &at, 2, 2, &whole) || minutes > 59 || whole > 59)
        return false;
    if (at < text.size &&
        (text.data[at++] != '.' || !take_number(text, &at, 3, 3, &thousandths) || thousandths == 0))
        return false;
    *seconds = hours * 3600.0 + minutes * 60.0 + whole + thousandths / 1000.0;
    return at == text.size && (digits == 2 || text.data[0] != '0') && *seconds < LAST_DAY * DAY;
}

unsigned mgl_xlsx_look(mgl_span text)
{
    double value;
    char again[MGL_NUMBER_TEXT];
    char first = text.size > 0 ? text.data[0] : ' ';
    if (first == 'T' || first == 'F')
        return mgl_span_is(text, "TRUE") || mgl_span_is(text, "FALSE") ? MGL_LOOKS_BOOLEAN
                                                                       : MGL_LOOKS_TEXT;
    if (first != '-' && (first < '0' || first > '9'))
        return MGL_LOOKS_TEXT;
    if (mgl_parse_double(text, &value))
        return mgl_span_equal(text, (mgl_span){again, mgl_number_write_exact(value, again)})
                   ? MGL_LOOKS_NUMBER
                   : MGL_LOOKS_TEXT;
    return mgl_date_read(text, &value)       ? MGL_LOOKS_DATE
           : mgl_datetime_read(text, &value) ? MGL_LOOKS_DATETIME
           : read_time(text, &value)         ? MGL_LOOKS_TIME
                                             : MGL_LOOKS_TEXT;
}

bool mgl_xlsx_serial(mgl_span text, unsigned look, double *out)
{
    double seconds;
    if (look == MGL_LOOKS_TIME && read_time(text, &seconds)) {
        *out = seconds / DAY;
        return true;
    }
    if (!(look == MGL_LOOKS_DATE ? mgl_date_read(text, &seconds)
                                 : mgl_datetime_read(text, &seconds)))
        return false;
    double days = (seconds - FROM_1900) / DAY;
    days -= days < NO_SUCH_DAY + 1 ? 1 : 0;
    *out = days;
    return days >= 1 && days < LAST_DAY + 1;
}
