/* UTF-16, which ODBC drivers speak. Inside the room only. */
#ifndef MGL_IO_SQL_UTF16_H
#define MGL_IO_SQL_UTF16_H

#include "base/base.h"

/* Appends the text as code units of two bytes. Bytes that are no UTF-8 become U+FFFD. */
void mgl_utf8_to_utf16(mgl_buffer *out, mgl_span text);
/* Appends n code units as UTF-8. Halves of a pair that stand alone become U+FFFD. */
void mgl_utf16_to_utf8(mgl_buffer *out, const uint16_t *units, size_t n);

#endif
