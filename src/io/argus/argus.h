/* Files of mu-Argus: what the columns are. Inside the io room. */
#ifndef MGL_IO_ARGUS_H
#define MGL_IO_ARGUS_H

#include "io/intake/intake.h"

/* A column of FILE.rda. */
typedef struct mgl_argus_column {
    const char *name;
    size_t start, width; /* in characters, from 1; start is 0 in files with separators */
    uint64_t line;       /* of the metadata */
} mgl_argus_column;

typedef struct mgl_argus_meta {
    const char *path; /* borrowed */
    mgl_arena *arena;
    char separator; /* between cells; 0: columns have fixed places */
    mgl_argus_column *columns;
    mgl_column_meta *meta; /* [n_columns] */
    size_t n_columns, columns_capacity, meta_capacity;
    const char **lists; /* files of codes that were read */
    size_t n_lists, lists_capacity;
} mgl_argus_meta;

/* Reads the metadata and the code lists it names. Free with mgl_argus_meta_free, also on failure.
 */
mgl_status mgl_argus_meta_read(const char *path, mgl_error *err, mgl_argus_meta *out);
void mgl_argus_meta_free(mgl_argus_meta *meta);

extern const mgl_sink_operations mgl_sink_argus;

#endif
