/* Inside the command room: which encoding the bytes of a text look like. */
#ifndef MGL_COMMAND_FOUND_ENCODING_H
#define MGL_COMMAND_FOUND_ENCODING_H

#include "job/job.h"

typedef struct mgl_found_encoding {
    const char *name; /* as `encoding` takes it; NULL: none fits */
    char why[320];    /* a sentence for persons */
} mgl_found_encoding;

/* Reads the text, unpacked where it is packed, and says what its bytes are. It is a guess where
 * they are no UTF-8 and have no mark: it is for telling, and what is told has to be said by
 * somebody. */
mgl_status mgl_find_encoding(const char *location, uint64_t most_unpacked, mgl_error *err,
                             mgl_found_encoding *out);

/* Puts what is found in the place of `encoding: auto`, with which a table is looked at. */
mgl_status mgl_resolve_encoding(mgl_job *job, mgl_command command, mgl_error *err);

#endif
