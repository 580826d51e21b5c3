/* Values in messages.
 *
 * Messages find their way into logs and tickets, where no cell of a secret table belongs. A cell is
 * therefore put into a message by mgl_shown, which marks it; before a message leaves the library,
 * mgl_hide_values puts its shape in its place (Ab 12 is Aa 99), unless the job is verbose. */
#ifndef MGL_BASE_SHOWN_H
#define MGL_BASE_SHOWN_H

#include "base/span.h"

enum { MGL_SHOWN = 64 };
/* Marks around a value. No text has them: control characters are not shown. */
enum { MGL_SHOWN_FROM = 1, MGL_SHOWN_TO = 2 };

/* Up to 60 bytes, control characters as question marks. Returns text. */
const char *mgl_shown(mgl_span value, char text[MGL_SHOWN]);
/* In place; room: bytes of the array that the text is in. */
void mgl_hide_values(char *text, size_t room, bool verbose);

#endif
