/* Value parsers: how the text of an option or a key is parsed into a field of a struct, and the
 * message for a text that does not fit. Tables of keys and options have one in each row. */
#ifndef MGL_BASE_VALUE_PARSER_H
#define MGL_BASE_VALUE_PARSER_H

#include "base/buffer.h"
#include "base/memory.h"
#include "base/span.h"

#include <stdint.h>

typedef enum mgl_value_parser_kind {
    MGL_PARSE_TEXT,   /* const char *: as it is */
    MGL_PARSE_FLAG,   /* bool: true or false */
    MGL_PARSE_EITHER, /* bool: is it the second of two words? */
    MGL_PARSE_WORD,   /* an enum: the index among the words */
    MGL_PARSE_WHOLE,  /* uint64_t */
    MGL_PARSE_SMALL,  /* uint32_t */
    MGL_PARSE_NUMBER, /* double */
    MGL_PARSE_OWN     /* what `read` writes */
} mgl_value_parser_kind;

/* Is the value well formed? If not, appends what is wrong with it and what to do; the
 * value itself stands before it: "'x' " + "is no number; give ...". */
typedef bool mgl_value_check(mgl_span value, mgl_buffer *wrong);

enum { MGL_PARSED_BYTES = 64 }; /* most bytes of any field */

typedef struct mgl_value_parser {
    mgl_value_parser_kind kind;
    const char *const *words; /* of MGL_PARSE_WORD and MGL_PARSE_EITHER, NULL at the end */
    double min, max;          /* of numbers, both may be; max 0: there is no largest */
    bool above;               /* min itself is too little */
    const char *wrong;        /* message about other values; NULL: names the words */
    /* MGL_PARSE_OWN: writes to the field if the text is fine. */
    bool (*read)(mgl_span text, void *field);
    size_t size;            /* MGL_PARSE_OWN in a list: bytes that read writes */
    mgl_value_check *check; /* optional; judges instead of all this */
} mgl_value_parser;

/* Reads a text into the field. False: it does not fit, and nothing was written. A text that is kept
 * as it is must end in a NUL byte and outlive the field. */
bool mgl_value_parse(const mgl_value_parser *parser, mgl_span text, void *field);

/* Does the text fit? If not, appends what is wrong as a mgl_value_check does. Any text fits that is
 * kept as it is, the empty one too. */
bool mgl_value_parser_check(const mgl_value_parser *parser, mgl_span text, mgl_buffer *wrong);

/* Reads a list. With `n` the field is a pointer, to an array in the arena, and *n its length;
 * without, each item is read into the field, one after the other. MGL_SYSTEM: memory is out, or a
 * list was not checked before. */
mgl_status mgl_value_parse_list(const mgl_value_parser *parser, const char *text, mgl_arena *arena,
                                mgl_error *err, void *field, size_t *n);

/* Bytes of the field. */
size_t mgl_value_parser_size(const mgl_value_parser *parser);

/* "fast|balanced|best"; empty without words. */
void mgl_value_parser_syntax(const mgl_value_parser *parser, mgl_buffer *out);

/* Where a value is written down when a job is. */
typedef enum mgl_value_record {
    MGL_RECORD_ALWAYS, /* in audit trails, recodings and saved jobs */
    MGL_RECORD_SECRET, /* not in audit trails, which others may read */
    MGL_RECORD_RUN,    /* not in saved jobs: it is about one run */
    MGL_RECORD_NEVER   /* nowhere */
} mgl_value_record;

#endif
