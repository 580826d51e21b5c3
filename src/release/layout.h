/* How a released row is put together.
 *
 * A row is made of pieces: runs of recoded cells, whose bytes are the same in all rows of a class
 * and are made once, and spans of cells that are passed through. Until it is written a row is a
 * record: the number of its class, its tag if tags are wanted, and its spans. A release that is not
 * text is made of lines that the packer packs: each is a single span. */
#ifndef MGL_RELEASE_LAYOUT_H
#define MGL_RELEASE_LAYOUT_H

#include "release/release.h"

#include <stdatomic.h>

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
    bool packed;             /* lines come from the packer */
    const mgl_span **labels; /* [column of the plan][released value] quoted; NULL: passed through */
    size_t *attributes;      /* [column of the plan] */
    const mgl_classes *classes; /* of the released tuples: those of the plan, or our own */
    mgl_classes own;
    uint64_t *starts; /* [class * n_runs + run] of its bytes, and the end of all; NULL: they
                         would take too much memory and are made row by row */
    char *bytes;
    atomic_bool *run; /* [column of the plan] has a released cell that a spreadsheet would compute;
                         NULL: not looked for */
} mgl_layout;

/* Bytes that may be read behind a record and behind the bytes of a class, and written behind the
 * text of a row: copying in steps of so many costs less than copying what is there. */
enum { MGL_ROW_MARGIN = 16 };

/* memory: for the bytes of the classes. packed: as above. Free with mgl_layout_free. */
mgl_status mgl_layout_init(mgl_layout *layout, const mgl_row_plan *plan, bool packed,
                           uint64_t memory, mgl_error *err);
void mgl_layout_free(mgl_layout *layout);

/* True if the release needs cells that are only in the source. */
static inline bool mgl_layout_needs_source(const mgl_layout *layout)
{
    return layout->n_spans > 0;
}

static inline uint32_t mgl_layout_class(const mgl_layout *layout, uint32_t tuple)
{
    return layout->packed ? 0 : layout->classes->of_tuple[tuple];
}

/* Appends a value as it is in the file: with quotes, and an apostrophe, where it needs them. */
void mgl_layout_put(const mgl_layout *layout, mgl_buffer *out, mgl_span value);
/* The header, and what ends a line. */
bool mgl_layout_header(const mgl_layout *layout, mgl_buffer *out);

/* Notes columns with cells that a spreadsheet would compute: of a row's cells that are passed
 * through, fields as below, and of the labels of all classes. By any thread. */
void mgl_formulas_note(const mgl_layout *layout, const mgl_field *fields);
void mgl_formulas_note_labels(const mgl_layout *layout);
/* Appends a warning that names columns in which there are some. */
void mgl_formulas_warn(const mgl_layout *layout, mgl_buffer *warnings);

/* Bytes of a record of this row; fields is NULL if there are no spans. */
size_t mgl_record_size(const mgl_layout *layout, const mgl_field *fields);
void mgl_record_make(const mgl_layout *layout, uint32_t class, uint32_t tag,
                     const mgl_field *fields, char *out);
/* The same for packed lines. */
size_t mgl_record_line_size(const mgl_layout *layout, size_t line);
void mgl_record_make_line(const mgl_layout *layout, uint32_t tag, const char *line, size_t size,
                          char *out);

/* The parts of a record. */
typedef struct mgl_record {
    uint32_t class, tag;
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
