/* What wave.c needs of a reader. Inside the room only. */
#ifndef MGL_TEXT_READER_H
#define MGL_TEXT_READER_H

#include "text/block.h"

/* Where a reader is, after its first block. */
typedef struct mgl_reader_place {
    const mgl_text_file *file;
    char delimiter;
    size_t n_fields;
    size_t block_size;
    uint64_t read;       /* bytes of the file that were read */
    uint64_t record;     /* where the first record begins that was not handed out */
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
