/* Converts between UTF-8 and UTF-16. odbc.c calls it for everything that it sends and
 * fetches. */
#include "io/sql/utf16.h"

enum { REPLACEMENT = 0xFFFD, FIRST_HIGH = 0xD800, FIRST_LOW = 0xDC00, END_LOW = 0xE000 };

/* The code point at the front of the text, and how many bytes it takes. */
static uint32_t first_point(const unsigned char *text, size_t size, size_t *used)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = text[0];
    size_t n = first < 0x80           ? 1
               : (first >> 5) == 0x06 ? 2
               : (first >> 4) == 0x0E ? 3
               : (first >> 3) == 0x1E ? 4
                                      : 0;
    *used = 1;
    if (n == 0 || n > size)
        return REPLACEMENT;
    uint32_t point = n == 1 ? first : first & (0x7FU >> n);
    for (size_t i = 1; i < n; i++) {
        if ((text[i] & 0xC0) != 0x80)
            return REPLACEMENT;
        point = point << 6 | (text[i] & 0x3F);
    }
    if (point < least[n] || point > 0x10FFFF || (point >= FIRST_HIGH && point < END_LOW))
        return REPLACEMENT;
    *used = n;
    return point;
}

void mgl_utf8_to_utf16(mgl_buffer *out, mgl_span text)
{
    for (size_t i = 0, used; i < text.size; i += used) {
        uint32_t point = first_point((const unsigned char *)text.data + i, text.size - i, &used);
        uint16_t units[2] = {(uint16_t)point, 0};
        if (point >= 0x10000) {
            units[0] = (uint16_t)(FIRST_HIGH + ((point - 0x10000) >> 10));
            units[1] = (uint16_t)(FIRST_LOW + ((point - 0x10000) & 0x3FF));
        }
        mgl_buffer_append(out, (char *)units, point >= 0x10000 ? 4 : 2);
    }
}

static void append_point(mgl_buffer *out, uint32_t point)
{
    char bytes[4];
    size_t n = point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    static const unsigned char marks[] = {0, 0x00, 0xC0, 0xE0, 0xF0};
    for (size_t i = n; i-- > 1; point >>= 6)
        bytes[i] = (char)(0x80 | (point & 0x3F));
    bytes[0] = (char)(marks[n] | point);
    mgl_buffer_append(out, bytes, n);
}

void mgl_utf16_to_utf8(mgl_buffer *out, const uint16_t *units, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t point = units[i];
        if (point >= FIRST_HIGH && point < FIRST_LOW && i + 1 < n && units[i + 1] >= FIRST_LOW &&
            units[i + 1] < END_LOW) {
            point = 0x10000 + ((point - FIRST_HIGH) << 10) + (units[i + 1] - FIRST_LOW);
            i++;
        } else if (point >= FIRST_HIGH && point < END_LOW) {
            point = REPLACEMENT;
        }
        append_point(out, point);
    }
}
