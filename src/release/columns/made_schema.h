/* Schemas of the Arrow C data interface that are made here. Inside the room only. */
#ifndef MGL_RELEASE_COLUMNS_MADE_SCHEMA_H
#define MGL_RELEASE_COLUMNS_MADE_SCHEMA_H

#include "io/io.h"

/* A column as the schema has it. */
typedef struct mgl_schema_column {
    const char *name, *format;
    int64_t flags;
    const char *entries; /* format of the entries; NULL: it is not encoded */
} mgl_schema_column;

/* Copies all it is told. Release it like any schema: out->release. */
mgl_status mgl_made_schema(const mgl_schema_column *columns, size_t n, mgl_error *err,
                           struct ArrowSchema *out);

#endif
