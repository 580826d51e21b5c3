/* arrow_source: tables in memory as sources (docs/arrow.md). The first pass codes columns without
 * making texts of their cells, the second gives records of texts. */
#ifndef MGL_IO_ARROW_SOURCE_H
#define MGL_IO_ARROW_SOURCE_H

#include "io/io.h"
#include "io/intake/intake.h"

/* A source with a table (source->arrow) reads that one, whatever its location is. */
extern const mgl_source_operations mgl_arrow_operations;

#endif
