/* Formats that are found by what a location means, and checks of all formats. Private to io. */
#ifndef MGL_IO_FORMATS_H
#define MGL_IO_FORMATS_H

#include "base/base.h"

/* Parts, which are recognized by the contents of a file. */
extern const struct mgl_format mgl_part_format;
/* Tables in memory, which are recognized by what has the name. */
extern const struct mgl_format mgl_arrow_format;
/* Folders without an ending are taken for it. */
extern const struct mgl_format mgl_parquet_format;
extern const struct mgl_format mgl_shards_format;

/* MGL_SYSTEM if the format is no part of this build, MGL_USAGE if the location is in memory, where
 * it cannot be. */
mgl_status mgl_format_check_use(const struct mgl_format *format, const char *location,
                                mgl_error *err);

#endif
