/* Blocks of a file, and the inside of a reader that cutting several blocks at once needs. Private
 * to text. */
#ifndef MGL_TEXT_READER_H
#define MGL_TEXT_READER_H

#include "text/text.h"

typedef struct mgl_block {
    char *data; /* MGL_CUTS_MARGIN bytes more than capacity */
    size_t size, capacity;
    uint32_t *places; /* places[0] stands for ends[-1] */
    size_t places_capacity;
    size_t n_ends;           /* of whole records only */
    size_t n_records, whole; /* whole records and their bytes */
    bool carriage_returns, high, quoted_newlines;
    bool suspect; /* something is wrong; block_diagnose finds out what */
} mgl_block;

/* Room for capacity bytes; what is there is kept. */
bool mgl_block_reserve(mgl_block *block, size_t capacity);
void mgl_block_free(mgl_block *block);

/* Finds the fields of the whole records. last: the file ends here, so the last line
 * is ended by a line feed if it has none. False when memory is out. Field counts are
 * not looked at. */
bool mgl_block_cut(mgl_block *block, char delimiter, bool last);

/* Where a reader is, after its first block. */
typedef struct mgl_reader_place {
    const mgl_text_file *file;
    char delimiter;
    size_t n_fields;
    size_t block_size;
    uint64_t read;       /* bytes of the file that were read */
    uint64_t record;     /* where the first record begins that was not returned */
    uint64_t blank_from; /* from here on the file has blank lines only */
} mgl_reader_place;
mgl_reader_place mgl_reader_tell(const mgl_text_reader *reader);

/* Cuts the whole records among so many bytes from a record on, or as many bytes more as one record
 * needs, and checks them as mgl_text_cut does. Records must be taken in order; the block is the
 * caller's. */
mgl_status mgl_reader_cut_at(mgl_text_reader *reader, uint64_t record, size_t bytes,
                             mgl_block *block, mgl_error *err);
/* The same for a block that was cut and checked elsewhere. */
void mgl_reader_passes(mgl_text_reader *reader, const mgl_block *block);

/* Whether the records of a block that was cut can be taken as they are. */
bool mgl_block_is_sound(const mgl_block *block, size_t n_fields);

/* One field for each cut: as many as there are records times fields. */
void mgl_cuts_fields(const mgl_cuts *cuts, mgl_field *field);

#endif
