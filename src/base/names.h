/* Names with dots between them: keys of jobs (attributes."a.b".role) and paths in results. A name
 * that holds a dot is quoted, with its own quotes doubled. */
#ifndef MGL_BASE_NAMES_H
#define MGL_BASE_NAMES_H

#include "base/buffer.h"
#include "base/span.h"

typedef struct mgl_name {
    mgl_span text; /* without the outer quotes; inner ones are still doubled */
    bool quoted;
} mgl_name;

/* Takes the first name off: a quoted one, or all up to one of `ends`, which stays. False: its quote
 * is not closed. */
bool mgl_name_take(mgl_span *rest, const char *ends, mgl_name *out);

/* Without any allocation. */
bool mgl_name_is(mgl_name name, const char *text);
/* Appends it as it is without quotes. */
void mgl_name_append(mgl_buffer *out, mgl_name name);

#endif
