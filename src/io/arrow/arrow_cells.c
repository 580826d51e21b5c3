/* Cells of Arrow columns: their types, numbers and texts in a batch, and the one text that each
 * cell has (docs/arrow.md). */
#include "io/arrow/arrow.h"
#include "io/arrow/check.h"
#include "notation/notation.h"

#include <math.h>
#include <stdio.h>

enum { SECOND = 1, MILLI = 1000, MICRO = 1000000, NANO = 1000000000, DAY_OF_MILLI = 86400000 };

typedef enum format_shape {
    EXACT,
    ZONE,    /* a time zone may follow */
    DECIMAL, /* precision, scale and bits follow */
    REFUSED, /* anything may follow */
} format_shape;

typedef struct format_row {
    const char *begins;
    format_shape shape;
    mgl_arrow_type type;
} format_row;

/* A format that begins another one comes after it. */
static const format_row formats[] = {
    {"n", EXACT, {.kind = MGL_ARROW_NULL, .words = "null"}},
    {"b", EXACT, {.kind = MGL_ARROW_BOOL, .words = "bool"}},
    {"c", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 1, .words = "8-bit integer"}},
    {"C", EXACT, {.kind = MGL_ARROW_UNSIGNED, .width = 1, .words = "unsigned 8-bit integer"}},
    {"s", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 2, .words = "16-bit integer"}},
    {"S", EXACT, {.kind = MGL_ARROW_UNSIGNED, .width = 2, .words = "unsigned 16-bit integer"}},
    {"i", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 4, .words = "32-bit integer"}},
    {"I", EXACT, {.kind = MGL_ARROW_UNSIGNED, .width = 4, .words = "unsigned 32-bit integer"}},
    {"l", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 8, .words = "64-bit integer"}},
    {"L", EXACT, {.kind = MGL_ARROW_UNSIGNED, .width = 8, .words = "unsigned 64-bit integer"}},
    {"e", EXACT, {.kind = MGL_ARROW_FLOAT, .width = 2, .words = "16-bit float"}},
    {"f", EXACT, {.kind = MGL_ARROW_FLOAT, .width = 4, .words = "32-bit float"}},
    {"g", EXACT, {.kind = MGL_ARROW_FLOAT, .width = 8, .words = "64-bit float"}},
    {"d:", DECIMAL, {.kind = MGL_ARROW_DECIMAL, .words = "decimal"}},
    {"u", EXACT, {.kind = MGL_ARROW_TEXT, .width = 4, .words = "text"}},
    {"U", EXACT, {.kind = MGL_ARROW_LARGE_TEXT, .width = 8, .words = "large text"}},
    {"vu", EXACT, {.kind = MGL_ARROW_VIEW, .width = 16, .words = "text view"}},
    {"tdD", EXACT, {.kind = MGL_ARROW_DAY, .width = 4, .unit = 1, .words = "date"}},
    {"tdm", EXACT, {.kind = MGL_ARROW_DAY, .width = 8, .unit = DAY_OF_MILLI, .words = "date"}},
    {"tts", EXACT, {.kind = MGL_ARROW_TIME, .width = 4, .unit = SECOND, .words = "time"}},
    {"ttm", EXACT, {.kind = MGL_ARROW_TIME, .width = 4, .unit = MILLI, .words = "time"}},
    {"ttu", EXACT, {.kind = MGL_ARROW_TIME, .width = 8, .unit = MICRO, .words = "time"}},
    {"ttn", EXACT, {.kind = MGL_ARROW_TIME, .width = 8, .unit = NANO, .words = "time"}},
    {"tss:", ZONE, {.kind = MGL_ARROW_MOMENT, .width = 8, .unit = SECOND, .words = "timestamp"}},
    {"tsm:", ZONE, {.kind = MGL_ARROW_MOMENT, .width = 8, .unit = MILLI, .words = "timestamp"}},
    {"tsu:", ZONE, {.kind = MGL_ARROW_MOMENT, .width = 8, .unit = MICRO, .words = "timestamp"}},
    {"tsn:", ZONE, {.kind = MGL_ARROW_MOMENT, .width = 8, .unit = NANO, .words = "timestamp"}},
    {"tDs", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 8, .words = "duration"}}, /* in its unit */
    {"tDm", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 8, .words = "duration"}},
    {"tDu", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 8, .words = "duration"}},
    {"tDn", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 8, .words = "duration"}},
    {"ti", REFUSED, {.words = "interval"}},
    {"z", REFUSED, {.words = "binary"}},
    {"Z", REFUSED, {.words = "large binary"}},
    {"vz", REFUSED, {.words = "binary view"}},
    {"w:", REFUSED, {.words = "fixed-size binary"}},
    {"+l", REFUSED, {.words = "list"}},
    {"+L", REFUSED, {.words = "large list"}},
    {"+vl", REFUSED, {.words = "list view"}},
    {"+vL", REFUSED, {.words = "large list view"}},
    {"+w:", REFUSED, {.words = "fixed-size list"}},
    {"+s", REFUSED, {.words = "struct"}},
    {"+m", REFUSED, {.words = "map"}},
    {"+ud:", REFUSED, {.words = "dense union"}},
    {"+us:", REFUSED, {.words = "sparse union"}},
    {"+r", REFUSED, {.words = "run-end encoded"}},
};

enum { MOST_SCALE = 76, DEFAULT_BITS = 128 };

/* A whole number at *at, up to a comma or the end; *at goes behind the comma. */
static bool take_number(const char **at, int64_t *out)
{
    size_t size = strcspn(*at, ",");
    if (!mgl_parse_i64((mgl_span){*at, size}, out))
        return false;
    *at += size + ((*at)[size] == ',');
    return true;
}

/* "19,10" or "19,10,64" */
static bool take_decimal(const char *text, mgl_arrow_type *type)
{
    static const struct {
        int64_t bits, most_digits;
    } sizes[] = {{32, 9}, {64, 18}, {128, 38}, {256, 76}};
    int64_t precision, scale, bits = DEFAULT_BITS;
    if (!take_number(&text, &precision) || !take_number(&text, &scale) ||
        (*text != '\0' && !take_number(&text, &bits)) || *text != '\0')
        return false;
    if (scale < -MOST_SCALE || scale > MOST_SCALE)
        return false;
    type->scale = (int)scale;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].bits == bits) {
            type->width = (unsigned)(bits / 8);
            return precision >= 1 && precision <= sizes[i].most_digits;
        }
    return false;
}

bool mgl_arrow_type_of(const char *format, mgl_arrow_type *out)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const format_row *row = &formats[i];
        size_t size = strlen(row->begins);
        if (strncmp(format, row->begins, size) != 0)
            continue;
        if (row->shape == EXACT && format[size] != '\0')
            continue;
        *out = row->type;
        out->zoned = row->shape == ZONE && format[size] != '\0';
        return row->shape == DECIMAL ? take_decimal(format + size, out) : row->shape != REFUSED;
    }
    *out = (mgl_arrow_type){.kind = MGL_ARROW_NULL};
    return false;
}

mgl_arrow_cells mgl_arrow_window(const struct ArrowArray *array, const mgl_arrow_type *type,
                                 size_t first, size_t n)
{
    mgl_arrow_cells cells = {.type = type, .n = n, .first = (size_t)array->offset + first};
    if (type->kind == MGL_ARROW_NULL)
        return cells;
    cells.valid = array->buffers[0];
    cells.values = array->buffers[1];
    if (type->kind == MGL_ARROW_VIEW)
        cells.pieces = array->buffers + 2;
    else if (mgl_arrow_is_text(type))
        cells.bytes = array->buffers[2];
    return cells;
}

mgl_arrow_cells mgl_arrow_cells_of(const mgl_arrow_table *table, size_t batch, size_t column)
{
    const struct ArrowArray *rows = &table->batches[batch];
    const mgl_arrow_column *c = &table->columns[column];
    return mgl_arrow_window(rows->children[column], c->encoded ? &c->index : &c->type,
                            (size_t)rows->offset, (size_t)rows->length);
}

mgl_arrow_cells mgl_arrow_entries_of(const mgl_arrow_table *table, size_t batch, size_t column)
{
    const struct ArrowArray *entries = table->batches[batch].children[column]->dictionary;
    return mgl_arrow_window(entries, &table->columns[column].type, 0, (size_t)entries->length);
}

int64_t mgl_arrow_signed_at(const mgl_arrow_cells *cells, size_t i)
{
    unsigned width = cells->type->width, unused = 64 - width * 8;
    uint64_t bits = 0;
    memcpy(&bits, (const char *)cells->values + (cells->first + i) * width, width);
    return (int64_t)(bits << unused) >> unused;
}

uint64_t mgl_arrow_unsigned_at(const mgl_arrow_cells *cells, size_t i)
{
    unsigned width = cells->type->width;
    uint64_t bits = 0;
    if (cells->type->kind != MGL_ARROW_UNSIGNED)
        return (uint64_t)mgl_arrow_signed_at(cells, i);
    memcpy(&bits, (const char *)cells->values + (cells->first + i) * width, width);
    return bits;
}

size_t mgl_arrow_index_at(const mgl_arrow_cells *cells, size_t i)
{
    return (size_t)mgl_arrow_unsigned_at(cells, i);
}

/* Up to 12 bytes stand in the view itself, behind the size; of others the first four, then the
 * piece and the offset in it. */
static mgl_span view_at(const mgl_arrow_cells *cells, size_t i)
{
    enum { VIEW = 16, INLINE_TEXT = 12 };
    const char *view = (const char *)cells->values + (cells->first + i) * VIEW;
    int32_t size, place[2];
    memcpy(&size, view, sizeof size);
    if (size <= INLINE_TEXT)
        return (mgl_span){view + 4, (size_t)size};
    memcpy(place, view + 8, sizeof place);
    return (mgl_span){(const char *)cells->pieces[place[0]] + place[1], (size_t)size};
}

mgl_span mgl_arrow_text_at(const mgl_arrow_cells *cells, size_t i)
{
    const char *offsets = cells->values;
    size_t at = cells->first + i;
    if (cells->type->kind == MGL_ARROW_VIEW)
        return view_at(cells, i);
    if (cells->type->kind == MGL_ARROW_TEXT) {
        int32_t ends[2];
        memcpy(ends, offsets + at * sizeof ends[0], sizeof ends);
        return (mgl_span){ends[1] > ends[0] ? cells->bytes + ends[0] : "",
                          (size_t)(ends[1] - ends[0])};
    }
    int64_t ends[2];
    memcpy(ends, offsets + at * sizeof ends[0], sizeof ends);
    return (mgl_span){ends[1] > ends[0] ? cells->bytes + ends[0] : "", (size_t)(ends[1] - ends[0])};
}

/* Whole columns are written so, row by row, so it is not left to snprintf. */
static size_t write_whole(bool negative, uint64_t magnitude, char room[MGL_ARROW_ROOM])
{
    enum { MOST_DIGITS_OF_WHOLE = 20 };
    char digits[MOST_DIGITS_OF_WHOLE];
    size_t n = 0, size = 0;
    do {
        digits[n++] = (char)('0' + magnitude % 10);
    } while ((magnitude /= 10) > 0);
    if (negative)
        room[size++] = '-';
    while (n > 0)
        room[size++] = digits[--n];
    return size;
}

static double of_half(uint16_t bits)
{
    int exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
    double size = exponent == 0     ? ldexp(fraction, -24)
                  : exponent < 0x1f ? ldexp(fraction + 0x400, exponent - 25)
                  : fraction == 0   ? (double)INFINITY
                                    : (double)NAN;
    return bits >> 15 != 0 ? -size : size;
}

/* Is the number nearer to this half than to any other? Halves lie 2^-11 of the next power of two
 * apart, but at least 2^-24, and below a power of two half as far. */
static bool is_nearest_half(double number, double half)
{
    int exponent;
    frexp(half, &exponent);
    double step = ldexp(1, exponent - 11 > -24 ? exponent - 11 : -24);
    double below = fabs(half) == ldexp(1, exponent - 1) && step > ldexp(1, -24) ? step / 2 : step;
    double off = half < 0 ? half - number : number - half;
    return off >= 0 ? off < step / 2 : -off < below / 2;
}

/* With as many digits as distinguish halves: 0.1, not 0.0999755859375. Whole numbers are written in
 * full, as larger floats are. */
static size_t write_half(double half, char text[MGL_NUMBER_TEXT])
{
    enum { MOST_DIGITS = 5 };
    for (int digits = 1; isfinite(half) && half != floor(half) && digits <= MOST_DIGITS; digits++) {
        char tried[MGL_NUMBER_TEXT];
        double number;
        snprintf(tried, sizeof tried, "%.*e", digits - 1, half);
        if (mgl_parse_double(mgl_span_of(tried), &number) && is_nearest_half(number, half))
            return mgl_number_write_exact(number, text);
    }
    return mgl_number_write_exact(half, text);
}

static size_t write_float(const mgl_arrow_cells *cells, size_t i, char text[MGL_NUMBER_TEXT])
{
    const char *values = cells->values;
    size_t at = cells->first + i;
    uint16_t half;
    float single;
    double exact;
    switch (cells->type->width) {
    case 2:
        memcpy(&half, values + at * sizeof half, sizeof half);
        return write_half(of_half(half), text);
    case 4:
        memcpy(&single, values + at * sizeof single, sizeof single);
        return mgl_number_write_single(single, text);
    default:
        memcpy(&exact, values + at * sizeof exact, sizeof exact);
        return mgl_number_write_exact(exact, text);
    }
}

enum { MOST_WORDS = 8, MOST_DIGITS = 80, WORD_DIGITS = 9, WORD_OF_DIGITS = 1000000000 };

/* The words of a number of up to 256 bits, least first, without its sign. */
static bool take_words(const char *value, unsigned width, uint32_t words[MOST_WORDS])
{
    unsigned n = width / 4;
    memset(words, 0, MOST_WORDS * sizeof *words);
    memcpy(words, value, width);
    bool negative = words[n - 1] >> 31 != 0;
    uint64_t carry = 1;
    for (unsigned i = 0; negative && i < n; i++) {
        carry += (uint32_t)~words[i];
        words[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return negative;
}

/* Divides by 10^9 and returns the rest. */
static uint32_t divide(uint32_t words[MOST_WORDS])
{
    uint64_t rest = 0;
    for (size_t i = MOST_WORDS; i-- > 0;) {
        uint64_t word = rest << 32 | words[i];
        words[i] = (uint32_t)(word / WORD_OF_DIGITS);
        rest = word % WORD_OF_DIGITS;
    }
    return (uint32_t)rest;
}

/* Its digits, the last one first and without zeros in front; returns how many. */
static size_t take_digits(uint32_t words[MOST_WORDS], char digits[MOST_DIGITS + WORD_DIGITS])
{
    size_t n = 0, used = 0;
    while (n < MOST_DIGITS) {
        uint32_t rest = divide(words);
        for (size_t d = 0; d < WORD_DIGITS; d++, rest /= 10) {
            digits[n++] = (char)('0' + rest % 10);
            if (rest % 10 != 0)
                used = n;
        }
    }
    return used;
}

/* All digits behind the point by the scale: 1.50. A negative scale is zeros. */
static size_t write_decimal(const mgl_arrow_cells *cells, size_t i, char room[MGL_ARROW_ROOM])
{
    unsigned width = cells->type->width;
    uint32_t words[MOST_WORDS];
    char digits[MOST_DIGITS + WORD_DIGITS], *at = room;
    const char *value = (const char *)cells->values + (cells->first + i) * width;
    bool negative = take_words(value, width, words);
    size_t n = take_digits(words, digits);
    size_t behind = cells->type->scale > 0 ? (size_t)cells->type->scale : 0;
    if (negative)
        *at++ = '-';
    if (n <= behind)
        *at++ = '0';
    for (size_t d = n > behind ? n : behind; d-- > 0;) {
        if (d + 1 == behind)
            *at++ = '.';
        *at++ = d < n ? digits[d] : '0';
    }
    for (int zeros = n > 0 ? -cells->type->scale : 0; zeros > 0; zeros--)
        *at++ = '0';
    return (size_t)(at - room);
}

/* Years from 0000 to 9999 as they are; others have a sign: +12345, -0044. */
static size_t write_day(int64_t days, char *room)
{
    int64_t year;
    unsigned month, day;
    mgl_calendar_date(days, &year, &month, &day);
    const char *sign = year < 0 ? "-" : year > 9999 ? "+" : "";
    return (size_t)snprintf(room, MGL_ARROW_ROOM, "%s%04lld-%02u-%02u", sign,
                            (long long)(year < 0 ? -year : year), month, day);
}

/* No digits behind the second if there is nothing, else 3, 6 or 9, the fewest that are exact. */
static size_t write_time(int64_t of_day, int64_t unit, char *room)
{
    unsigned seconds = (unsigned)(of_day / unit);
    size_t size = (size_t)snprintf(room, MGL_ARROW_ROOM / 2, "%02u:%02u:%02u", seconds / 3600,
                                   seconds / 60 % 60, seconds % 60);
    int64_t fraction = of_day % unit * (1000000000 / unit);
    int digits = 9;
    if (fraction == 0)
        return size;
    for (; fraction % 1000 == 0; fraction /= 1000)
        digits -= 3;
    return size + (size_t)snprintf(room + size, MGL_ARROW_ROOM / 2, ".%0*lld", digits,
                                   (long long)fraction);
}

static int64_t floor_divide(int64_t number, int64_t by, int64_t *rest)
{
    *rest = number % by + (number % by < 0 ? by : 0);
    return number / by - (number % by < 0);
}

static size_t write_moment(const mgl_arrow_type *type, int64_t moment, char room[MGL_ARROW_ROOM])
{
    enum { DAY = 86400 };
    int64_t of_day, days = floor_divide(moment, DAY * type->unit, &of_day);
    size_t size = write_day(days, room);
    room[size++] = 'T';
    size += write_time(of_day, type->unit, room + size);
    if (type->zoned)
        room[size++] = 'Z';
    return size;
}

static mgl_span show_bool(const mgl_arrow_cells *cells, size_t i)
{
    return mgl_span_of(mgl_bit_at(cells->values, cells->first + i) ? "true" : "false");
}

mgl_span mgl_arrow_show(const mgl_arrow_cells *cells, size_t i, char room[MGL_ARROW_ROOM])
{
    const mgl_arrow_type *type = cells->type;
    int64_t whole, rest;
    size_t size = 0;
    switch (type->kind) {
    case MGL_ARROW_TEXT:
    case MGL_ARROW_LARGE_TEXT:
    case MGL_ARROW_VIEW:
        return mgl_arrow_text_at(cells, i);
    case MGL_ARROW_BOOL:
        return show_bool(cells, i);
    case MGL_ARROW_SIGNED:
        whole = mgl_arrow_signed_at(cells, i);
        size = write_whole(whole < 0, whole < 0 ? -(uint64_t)whole : (uint64_t)whole, room);
        break;
    case MGL_ARROW_UNSIGNED:
        size = write_whole(false, mgl_arrow_unsigned_at(cells, i), room);
        break;
    case MGL_ARROW_FLOAT:
        size = write_float(cells, i, room);
        break;
    case MGL_ARROW_DECIMAL:
        size = write_decimal(cells, i, room);
        break;
    case MGL_ARROW_DAY:
        size = write_day(floor_divide(mgl_arrow_signed_at(cells, i), type->unit, &rest), room);
        break;
    case MGL_ARROW_TIME:
        size = write_time(mgl_arrow_signed_at(cells, i), type->unit, room);
        break;
    case MGL_ARROW_MOMENT:
        size = write_moment(type, mgl_arrow_signed_at(cells, i), room);
        break;
    case MGL_ARROW_NULL:
        break;
    }
    return (mgl_span){room, size};
}

static bool has_text(const mgl_arrow_cells *cells, mgl_span text)
{
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i) && mgl_span_equal(mgl_arrow_text_at(cells, i), text))
            return true;
    return false;
}

static bool table_has_text(const mgl_arrow_table *table, mgl_span text)
{
    for (size_t b = 0; b < table->n_batches; b++)
        for (size_t c = 0; c < table->n_columns; c++) {
            const mgl_arrow_column *column = &table->columns[c];
            if (!mgl_arrow_is_text(&column->type))
                continue;
            mgl_arrow_cells cells = column->encoded ? mgl_arrow_entries_of(table, b, c)
                                                    : mgl_arrow_cells_of(table, b, c);
            if (has_text(&cells, text))
                return true;
        }
    return false;
}

void mgl_arrow_null_text(const mgl_arrow_table *table, char text[MGL_ARROW_NULL_TEXT])
{
    static const char *const usual[] = {"", "NA", "null", "(missing)"};
    enum { N_USUAL = sizeof usual / sizeof usual[0] };
    if (table->knows_null) {
        memcpy(text, table->null_text, MGL_ARROW_NULL_TEXT);
        return;
    }
    for (unsigned i = 0;; i++) {
        if (i < N_USUAL)
            snprintf(text, MGL_ARROW_NULL_TEXT, "%s", usual[i]);
        else
            snprintf(text, MGL_ARROW_NULL_TEXT, "(missing %u)", i - N_USUAL + 2);
        if (!table_has_text(table, mgl_span_of(text)))
            return;
    }
}
