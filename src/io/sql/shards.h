/* A table that lies in several databases. Inside the room only. */
#ifndef MGL_IO_SQL_SHARDS_H
#define MGL_IO_SQL_SHARDS_H

#include "io/sql/read_database.h"

typedef struct mgl_shards {
    char *name;        /* for messages */
    char *path;        /* of the file that lists them */
    mgl_source **list; /* [n] each a table of a database of its own */
    size_t n, room;
    bool staged; /* releases are there under names of their own, and stay until they are dropped */
} mgl_shards;

/* "shards:FILE?table=NAME". *table NULL: not said. Free both with mgl_free. */
mgl_status mgl_shards_split(const char *location, mgl_error *err, char **path, char **table);
bool mgl_is_shards(const char *location);

extern const mgl_push_operations mgl_shards_push;

#endif
