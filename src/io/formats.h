/* The formats of the room, a row of format_rows.h each. Inside the room only. */
#ifndef MGL_IO_FORMATS_H
#define MGL_IO_FORMATS_H

#include "io/intake/intake.h"

#define MGL_ROW(format) extern const mgl_format format;
#include "io/format_rows.h"
#undef MGL_ROW

/* Does the path end as that of a format with sheets does? */
bool mgl_path_has_sheets(mgl_span path);

#endif
