/* Lists as options and job files write them: a,b,"c,d"; names with dots between them. */
#ifndef MGL_BASE_LISTS_H
#define MGL_BASE_LISTS_H

#include "base/buffer.h"
#include "base/span.h"

/* What is left of a list. */
typedef struct mgl_list {
    mgl_span rest;
    bool more; /* another item follows */
} mgl_list;
mgl_list mgl_list_of(mgl_span text);

/* Takes the next item off a list: quoted ("" stands for a quote) or up to the next comma
 * and without spaces at its ends. The item is written to `item`. Returns false at the end
 * of the list; `wrong` gets a word if a quote is not closed or followed by other text. */
bool mgl_list_next(mgl_list *list, mgl_buffer *item, mgl_buffer *wrong);

/* Takes the next column=value off a list of them; with last the value is all the rest. */
bool mgl_list_next_pair(mgl_list *list, bool last, mgl_buffer *column, mgl_buffer *value,
                        mgl_buffer *wrong);

/* Appends an item so that mgl_list_next gives it back. */
void mgl_list_append(mgl_buffer *list, mgl_span item);

/* Names with dots between them: keys of jobs (attributes."a.b".role) and paths in results. A name
 * that holds a dot is quoted, with its own quotes doubled. */
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
