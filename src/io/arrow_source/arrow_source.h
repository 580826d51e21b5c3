/* arrow_source: tables in memory as sources (docs/arrow.md). The first pass codes columns without
 * making texts of their cells, the second gives records of texts. */
#ifndef MGL_IO_ARROW_SOURCE_H
#define MGL_IO_ARROW_SOURCE_H

#include "base/base.h"
#include "io/io.h"
#include "io/intake/intake.h"

/* Up to 16 bytes, zeros behind them. */
typedef struct mgl_raw_key {
    uint64_t low, high;
} mgl_raw_key;

typedef struct mgl_raw_place {
    mgl_raw_key key;
    uint32_t code; /* MGL_NOT_FOUND: the place is free */
} mgl_raw_place;

/* All zero is empty, and finds nothing. */
typedef struct mgl_raw_codes {
    mgl_raw_place *places; /* a power of two of them, at most half of them used */
    size_t n, n_places;
    unsigned shift;
} mgl_raw_codes;

static inline size_t mgl_raw_place_of(const mgl_raw_codes *codes, mgl_raw_key key)
{
    uint64_t mixed = key.low ^ (key.high << 29 | key.high >> 35);
    return (mixed ^ mixed >> 32) * 0x9e3779b97f4a7c15u >> codes->shift;
}

/* MGL_NOT_FOUND: it was not put there. */
static inline uint32_t mgl_raw_codes_find(const mgl_raw_codes *codes, mgl_raw_key key)
{
    if (codes->places == NULL)
        return MGL_NOT_FOUND;
    size_t i = mgl_raw_place_of(codes, key);
    for (;; i = (i + 1) & (codes->n_places - 1)) {
        const mgl_raw_place *place = &codes->places[i];
        if (place->code == MGL_NOT_FOUND ||
            (place->key.low == key.low && place->key.high == key.high))
            return place->code;
    }
}

typedef struct mgl_arrow_coder {
    mgl_column *column;
    const mgl_arrow_table *table;
    const mgl_source_options *options;
    mgl_span null_text;
    size_t rows;  /* that the column has codes of */
    size_t batch; /* where the next row is */
    size_t at;
    uint32_t null_code;             /* MGL_NOT_FOUND before the first null */
    mgl_raw_codes raw;              /* of numbers and short texts */
    const struct ArrowArray *known; /* the dictionary that entries are of; NULL: none */
    uint32_t *entries;              /* codes; MGL_NOT_FOUND of those that no row had so far */
    size_t entries_capacity;
    size_t n_entries, n_known; /* how many there are, and how many of them have a code */
} mgl_arrow_coder;

/* Which is the column in the table is its source_index. Free with mgl_arrow_coder_free. */
void mgl_arrow_coder_init(mgl_arrow_coder *coder, mgl_column *column, const mgl_arrow_table *table,
                          const mgl_source_options *options, mgl_span null_text);
void mgl_arrow_coder_free(mgl_arrow_coder *coder);

/* Appends the codes of the next n rows. False when memory is out. */
bool mgl_arrow_coder_run(mgl_arrow_coder *coder, size_t n);

/* Forgets the codes of the rows so far; what they mean stays the same. */
void mgl_arrow_coder_empty(mgl_arrow_coder *coder);

/* A source with a table (source->arrow) reads that one, whatever its location is. */
extern const mgl_source_operations mgl_arrow_operations;

/* ---- Second pass -------------------------------------------------------------------------------
 */

/* What a block of records keeps of a column. */
typedef struct mgl_arrow_texts {
    mgl_buffer made;                /* texts that are not in the table as they are returned */
    const struct ArrowArray *known; /* the dictionary that entries are of; NULL: none */
    mgl_field *entries;
    size_t entries_capacity;
} mgl_arrow_texts;

/* Records of some rows that follow each other. Most texts are where the table has them. */
typedef struct mgl_arrow_block {
    const mgl_arrow_table *table;
    mgl_span null_text;
    char delimiter;
    mgl_field *fields;
    mgl_arrow_texts *columns;
} mgl_arrow_block;

/* A block lives until it is filled anew. Free with mgl_arrow_block_free. */
enum { MGL_ARROW_BLOCK_ROWS = 2048 };

#endif
