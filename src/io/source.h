/* Inside the io room: what each kind of source provides. */
#ifndef MGL_IO_SOURCE_H
#define MGL_IO_SOURCE_H

#include "io/io.h"

typedef struct mgl_source_operations {
    /* Fills name, dialect, columns and state of the source. On failure close is called. */
    mgl_status (*open)(mgl_source *source, const char *location, mgl_error *err);
    void (*close)(mgl_source *source);
    /* The columns of the table have names, roles and empty dictionaries. */
    mgl_status (*read)(mgl_source *source, mgl_table *table, mgl_pool *pool,
                       const mgl_progress *progress, mgl_error *err);
    mgl_status (*rewind)(mgl_source *source, mgl_error *err);
    mgl_status (*next)(mgl_source *source, mgl_error *err, mgl_records *out);
    bool streams; /* read hands rows to the sink of the source, if there is one */
    bool lasts;   /* what next gives lives until the call after the next one */
} mgl_source_operations;

struct mgl_source {
    const mgl_source_operations *operations;
    const mgl_source_options *options;
    const char *name; /* owned by state */
    uint64_t size;    /* bytes, as far as known; else 0 */
    mgl_dialect dialect;
    mgl_map *columns;             /* their names, numbered by position */
    const mgl_row_sink *sink;     /* of the read at work; NULL: all rows are kept */
    bool hashes;                  /* the bytes of the file are hashed while they are read */
    char sha256[MGL_SHA256_TEXT]; /* of the last read; "": none */
    void *state;
};

extern const mgl_source_operations mgl_source_csv;

#endif
