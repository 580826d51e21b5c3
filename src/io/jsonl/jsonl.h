/* JSON values in the lines of a file. Private to io/jsonl. */
#ifndef MGL_IO_JSONL_H
#define MGL_IO_JSONL_H

#include "io/intake/intake.h"

typedef enum mgl_jsonl_kind {
    MGL_JSONL_NOTHING, /* null, or the line lacks the key */
    MGL_JSONL_STRING,
    MGL_JSONL_NUMBER,
    MGL_JSONL_BOOLEAN,
    MGL_JSONL_NESTED /* a list or an object */
} mgl_jsonl_kind;

typedef struct mgl_jsonl_value {
    mgl_jsonl_kind kind;
    mgl_span raw; /* its bytes; those of a string with their quotes */
} mgl_jsonl_value;

typedef struct mgl_jsonl_cursor {
    const char *begin, *at, *end;
    const char *wrong; /* what is wrong at `at`; NULL: nothing */
    bool first;
} mgl_jsonl_cursor;

/* Is there nothing but blanks? */
bool mgl_jsonl_is_blank(mgl_span line);
/* Goes behind the brace that opens the object of a line. */
void mgl_jsonl_object(mgl_jsonl_cursor *cursor, mgl_span line);
/* The next member, its key with quotes as a value has them. False behind the last one, with nothing
 * wrong if the object and the line end there. */
bool mgl_jsonl_member(mgl_jsonl_cursor *cursor, mgl_span *key, mgl_jsonl_value *value);

/* The text of a string by its raw bytes; it lies in the scratch, which is emptied, if there are
 * escapes. False, with what is wrong: surrogates alone, \u0000. */
bool mgl_jsonl_text(mgl_span raw, mgl_buffer *scratch, mgl_span *out, const char **wrong);

/* Appends the text as a string. */
void mgl_jsonl_quote(mgl_buffer *out, mgl_span text);

typedef struct mgl_jsonl_column {
    unsigned kinds;         /* 1 << mgl_jsonl_kind of its values */
    bool like_number;       /* some string reads like a number */
    bool like_boolean;      /* some string reads true or false */
    uint64_t last_line;     /* that had the key */
    uint64_t n_values;      /* that are not null */
    uint64_t nested_line;   /* the first with a list or an object; 0: none */
    uint64_t mistaken_line; /* the first with a string that looks like something else; 0: none */
    bool raw; /* cells are the bytes of the values, since their kind is lost in texts */
} mgl_jsonl_column;

/* The columns of all lines together: the state of the source. */
typedef struct mgl_jsonl {
    mgl_jsonl_column *columns;
    size_t n_columns, capacity;
    uint32_t *expected; /* [n_expected] columns of the last line in its order: the next one has it,
                           too, more often than not */
    size_t n_expected, expected_capacity;
    mgl_column_meta *meta;
    mgl_buffer scratch;
} mgl_jsonl;

/* One pass over the lines that hold an object. */
typedef struct mgl_jsonl_lines {
    mgl_raw_lines *lines;
    mgl_span line; /* at hand */
    uint64_t number;
} mgl_jsonl_lines;

#endif
