/* A block: bytes of a file from the start of a record on, and where its fields end. */
#ifndef MGL_TEXT_BLOCK_H
#define MGL_TEXT_BLOCK_H

#include "text/text.h"

typedef struct mgl_block {
    char *data; /* MGL_CUTS_MARGIN bytes more than capacity */
    size_t size, capacity;
    uint32_t *places; /* places[0] stands for ends[-1] */
    size_t places_capacity;
    size_t n_ends;           /* of whole records only */
    size_t n_records, whole; /* whole records and their bytes */
    bool carriage_returns, high, quoted_newlines;
    bool suspect; /* something is wrong; mgl_block_diagnose says what */
} mgl_block;

/* Room for capacity bytes; what is there is kept. */
bool mgl_block_reserve(mgl_block *block, size_t capacity);
void mgl_block_free(mgl_block *block);

/* Finds the fields of the whole records. last: the file ends here, so the last line
 * is ended by a line feed if it has none. False when memory is out. Field counts are
 * not looked at. */
bool mgl_block_cut(mgl_block *block, char delimiter, bool last);

/* Whether each of the whole records has n_fields fields. */
bool mgl_block_is_regular(const mgl_block *block, size_t n_fields);

/* What a diagnosis needs to know. */
typedef struct mgl_block_place {
    const char *file;
    uint64_t first_line;
    char delimiter;
    size_t n_fields;      /* 0: not known, the first record decides */
    uint64_t fields_line; /* the line that decided */
    bool last;
} mgl_block_place;

/* Walks byte by byte and fails at the first fault; MGL_OK if there is none. */
mgl_status mgl_block_diagnose(const mgl_block *block, const mgl_block_place *place, mgl_error *err);

#endif
