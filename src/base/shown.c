/* Puts values of the data into messages, and takes them out again. */
#include "base/shown.h"

#include <stdio.h>

/* At most so many bytes, and no part of a character. */
static size_t whole_characters(mgl_span value, size_t most)
{
    if (value.size <= most)
        return value.size;
    while (most > 0 && ((unsigned char)value.data[most] & 0xC0) == 0x80)
        most--;
    return most;
}

const char *mgl_shown(mgl_span value, char text[MGL_SHOWN])
{
    size_t size = whole_characters(value, MGL_SHOWN - 4), n = 0;
    text[n++] = MGL_SHOWN_FROM;
    for (size_t i = 0; i < size; i++) {
        unsigned char byte = (unsigned char)value.data[i];
        text[n++] = (char)(byte < 0x20 || byte == 0x7F ? '?' : byte);
    }
    text[n++] = MGL_SHOWN_TO;
    text[n] = '\0';
    return text;
}

/* The shape of a character; 0: it is a later byte of one. */
static char shape_of(unsigned char byte)
{
    if (byte >= 0x80)
        return (byte & 0xC0) == 0x80 ? 0 : 'a';
    if (byte >= '0' && byte <= '9')
        return '9';
    if (byte >= 'A' && byte <= 'Z')
        return 'A';
    return byte >= 'a' && byte <= 'z' ? 'a' : (char)byte;
}

void mgl_hide_values(char *text, size_t room, bool verbose)
{
    char *to = text;
    bool inside = false, hidden = false;
    for (const char *from = text; *from != '\0'; from++) {
        char byte = *from;
        if (byte == MGL_SHOWN_FROM || byte == MGL_SHOWN_TO) {
            inside = byte == MGL_SHOWN_FROM;
            continue;
        }
        if (inside && !verbose) {
            byte = shape_of((unsigned char)byte);
            hidden = true;
        }
        if (byte != 0)
            *to++ = byte;
    }
    *to = '\0';
    if (hidden)
        snprintf(to, room - (size_t)(to - text),
                 " (values are shown as patterns; `verbose` shows them as they are)");
}
