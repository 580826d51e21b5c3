/* Checks that bytes are valid UTF-8. */
#include "text/text.h"

/* Bytes of the sequence that starts here, or 0 if none that is valid does. Table 3-7
 * of the Unicode standard: overlong forms, surrogates and values above U+10FFFF are
 * excluded by the range of the second byte. */
static size_t sequence(const unsigned char *s, size_t size)
{
    unsigned char first = s[0], low = 0x80, top = 0xbf;
    size_t length = first >= 0xc2 && first <= 0xdf   ? 2
                    : first >= 0xe0 && first <= 0xef ? 3
                    : first >= 0xf0 && first <= 0xf4 ? 4
                                                     : 0;
    if (length == 0 || length > size)
        return 0;
    if (first == 0xe0)
        low = 0xa0;
    else if (first == 0xed)
        top = 0x9f;
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xf4)
        top = 0x8f;
    if (s[1] < low || s[1] > top)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    return length;
}

/* Where the next byte >= 0x80 stands. */
static size_t skip_ascii(const unsigned char *s, size_t i, size_t size)
{
    uint64_t word;
    for (; size - i >= sizeof word; i += sizeof word) {
        memcpy(&word, s + i, sizeof word);
        word &= 0x8080808080808080u;
        if (word != 0)
            return i + (size_t)__builtin_ctzll(word) / 8;
    }
    while (i < size && s[i] < 0x80)
        i++;
    return i;
}

size_t mgl_utf8_valid(const char *data, size_t size)
{
    const unsigned char *s = (const unsigned char *)data;
    for (size_t i = skip_ascii(s, 0, size); i < size; i = skip_ascii(s, i, size)) {
        size_t length = sequence(s + i, size - i);
        if (length == 0)
            return i;
        i += length;
    }
    return size;
}
