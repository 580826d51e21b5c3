/* What files of the room ask of all formats. Inside the room only. */
#ifndef MGL_IO_FORMATS_H
#define MGL_IO_FORMATS_H

#include "base/base.h"

/* Parts, which the source of several locations knows by themselves. */
extern const struct mgl_format mgl_part_format;
/* Tables in memory, which are known by what is there. */
extern const struct mgl_format mgl_arrow_format;
bool mgl_is_arrow(const char *location);

/* MGL_USAGE if the location is in memory, where the format cannot be. */
mgl_status mgl_format_check_memory(const struct mgl_format *format, const char *location,
                                   mgl_error *err);

/* Does the path end as that of a format with sheets does? */
bool mgl_path_has_sheets(mgl_span path);

#endif
