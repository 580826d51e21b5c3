/* How a released row is put together. Inside the room only.
 *
 * A row is made of pieces: runs of recoded cells, whose bytes are the same in all rows of a class
 * and are made once, and spans of cells that are passed through. Until it is written a row is a
 * record: the number of its class, its person if persons are wanted, and its spans. */
#ifndef MGL_RELEASE_LAYOUT_H
#define MGL_RELEASE_LAYOUT_H

#include "release/release.h"

typedef struct mgl_piece {
    size_t first, n; /* of the plan's columns */
    bool recoded;
} mgl_piece;

typedef struct mgl_layout {
    const mgl_row_plan *plan;
    const mgl_dialect *dialect;
    mgl_arena *arena;
    mgl_piece *pieces;
    size_t n_pieces, n_runs, n_spans;
    const mgl_span **labels; /* [column of the plan][released value] quoted; NULL: passed through */
    size_t *attributes;      /* [column of the plan] */
    mgl_classes classes;     /* of the released tuples */
    uint64_t *starts;        /* [class * n_runs + run] of its bytes, and the end of all; NULL: they
                                would take too much memory and are made row by row */
    char *bytes;
} mgl_layout;

/* Bytes that may be read behind a record and behind the bytes of a class, and written behind the
 * text of a row: copying in steps of so many costs less than copying what is there. */
enum { MGL_ROW_MARGIN = 16 };

/* memory: for the bytes of the classes. Free with mgl_layout_free. */
mgl_status mgl_layout_init(mgl_layout *layout, const mgl_row_plan *plan, uint64_t memory,
                           mgl_error *err);
void mgl_layout_free(mgl_layout *layout);

/* Does the release need cells that are only in the source? */
static inline bool mgl_layout_needs_source(const mgl_layout *layout)
{
    return layout->n_spans > 0;
}

static inline uint32_t mgl_layout_class(const mgl_layout *layout, uint32_t tuple)
{
    return layout->classes.of_tuple[tuple];
}

/* The header, and what ends a line. */
bool mgl_layout_header(const mgl_layout *layout, mgl_buffer *out);

/* ---- Records ------------------------------------------------------------------------------ */

/* Bytes of a record of this row; fields is NULL if there are no spans. */
size_t mgl_record_size(const mgl_layout *layout, const mgl_field *fields);
void mgl_record_make(const mgl_layout *layout, uint32_t class, uint32_t person,
                     const mgl_field *fields, char *out);

/* What a record says. */
typedef struct mgl_record {
    uint32_t class, person;
    const char *lengths; /* of the spans: 4 bytes each */
    const char *bytes;   /* of the spans */
    size_t size;         /* of the record */
    size_t span_bytes;
} mgl_record;

mgl_record mgl_record_read(const mgl_layout *layout, const char *record);

/* Bytes of the row of a record, and these bytes; returns their end. */
size_t mgl_row_size(const mgl_layout *layout, const mgl_record *record);
char *mgl_row_write(const mgl_layout *layout, const mgl_record *record, char *out);

#endif
