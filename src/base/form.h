/* Forms of values: how the text of an option or a key is read into a field of a struct, and what
 * is said about a text that does not fit. Tables of keys and options have one in each row. */
#ifndef MGL_BASE_FORM_H
#define MGL_BASE_FORM_H

#include "base/buffer.h"
#include "base/memory.h"
#include "base/span.h"

#include <stdint.h>

typedef enum mgl_form_kind {
    MGL_FORM_TEXT,   /* const char *: as it is */
    MGL_FORM_FLAG,   /* bool: true or false */
    MGL_FORM_EITHER, /* bool: is it the second of two words? */
    MGL_FORM_WORD,   /* an enum: the place among the words */
    MGL_FORM_WHOLE,  /* uint64_t */
    MGL_FORM_SMALL,  /* uint32_t */
    MGL_FORM_NUMBER, /* double */
    MGL_FORM_OWN     /* what `read` writes */
} mgl_form_kind;

/* Is the value well formed? If not, appends what is wrong with it and what to do; the
 * value itself stands in front: "'x' " + "is no number; give ...". */
typedef bool mgl_value_check(mgl_span value, mgl_buffer *wrong);

enum { MGL_FORM_ROOM = 64 }; /* bytes that the field of any form has at most */

typedef struct mgl_form {
    mgl_form_kind kind;
    const char *const *words; /* of MGL_FORM_WORD and MGL_FORM_EITHER, NULL at the end */
    double min, max;          /* of numbers, both may be; max 0: there is no largest */
    bool above;               /* min itself is too little */
    const char *wrong;        /* what is said about other values; NULL: the words are named */
    /* MGL_FORM_OWN: writes to the place if the text is fine. */
    bool (*read)(mgl_span text, void *place);
    size_t size;            /* MGL_FORM_OWN in a list: bytes that read writes */
    mgl_value_check *check; /* judges instead of all this; NULL: nothing is special */
} mgl_form;

/* Reads a text into the field. False: it does not fit, and nothing was written. A text that is kept
 * as it is must end in a NUL byte and outlive the field. */
bool mgl_form_read(const mgl_form *form, mgl_span text, void *place);

/* Does the text fit? If not, says what is wrong as a mgl_value_check does. Any text fits that is
 * kept as it is, the empty one too. */
bool mgl_form_check(const mgl_form *form, mgl_span text, mgl_buffer *wrong);

/* Reads a list. With `n` the field is a pointer, to an array in the arena, and *n its length;
 * without, each item is read into the field, one after the other. MGL_SYSTEM: memory is out, or a
 * list was not checked before. */
mgl_status mgl_form_read_list(const mgl_form *form, const char *text, mgl_arena *arena,
                              mgl_error *err, void *place, size_t *n);

/* Bytes of the field. */
size_t mgl_form_size(const mgl_form *form);

/* "fast|balanced|best"; nothing for a form without words. */
void mgl_form_syntax(const mgl_form *form, mgl_buffer *out);

/* Where a value is written down when a job is. */
typedef enum mgl_value_record {
    MGL_RECORD_ALWAYS, /* in audit trails, recodings and saved jobs */
    MGL_RECORD_SECRET, /* not in audit trails, which others may read */
    MGL_RECORD_RUN,    /* not in saved jobs: it is about one run */
    MGL_RECORD_NEVER   /* nowhere */
} mgl_value_record;

#endif
