/* arrow: tables that are passed in memory, by the Arrow C data and stream interfaces.
 *
 * A table is imported once: the stream is read to its end, and everything in it is checked that the
 * interface lets one see. Readers of an mgl_arrow_table need not check anything again. Types of
 * cells, their one text (docs/arrow.md), and the export of tables are here; the source
 * that reads them is io/arrow_source. */
#ifndef MGL_IO_ARROW_H
#define MGL_IO_ARROW_H

#include "base/base.h"
#include "mingle/arrow.h"

typedef enum mgl_arrow_kind {
    MGL_ARROW_NULL,
    MGL_ARROW_BOOL,
    MGL_ARROW_SIGNED,
    MGL_ARROW_UNSIGNED,
    MGL_ARROW_FLOAT,
    MGL_ARROW_DECIMAL,
    MGL_ARROW_TEXT,       /* offsets of 4 bytes */
    MGL_ARROW_LARGE_TEXT, /* offsets of 8 bytes */
    MGL_ARROW_VIEW,       /* texts whose offsets are given one by one */
    MGL_ARROW_DAY,
    MGL_ARROW_TIME,  /* of a day */
    MGL_ARROW_MOMENT /* a day and a time */
} mgl_arrow_kind;

typedef struct mgl_arrow_type {
    mgl_arrow_kind kind;
    unsigned width;    /* bytes of a cell among the values; 0: none, or a bit */
    int64_t unit;      /* so many are a second, or a day for days */
    int scale;         /* of decimals: digits behind the point, or zeros before it if negative */
    bool zoned;        /* moments are UTC, shown elsewhere in a zone */
    const char *words; /* "64-bit integer" */
} mgl_arrow_type;

/* Reads the format of a schema. False: such columns are not supported; words describe them, or
 * are NULL if it is no format at all. */
bool mgl_arrow_type_of(const char *format, mgl_arrow_type *out);

static inline bool mgl_arrow_is_text(const mgl_arrow_type *type)
{
    return type->kind == MGL_ARROW_TEXT || type->kind == MGL_ARROW_LARGE_TEXT ||
           type->kind == MGL_ARROW_VIEW;
}

typedef struct mgl_arrow_column {
    const char *name;     /* "" if it has none */
    mgl_arrow_type type;  /* of its cells */
    bool encoded;         /* cells are numbers of entries in a dictionary, one for each batch */
    mgl_arrow_type index; /* where encoded: what these numbers are */
    bool nullable;        /* the schema allows nulls */
} mgl_arrow_column;

enum { MGL_ARROW_NULL_TEXT = 32 };

/* Immutable; reference counted. */
typedef struct mgl_arrow_table {
    struct ArrowSchema schema;
    struct ArrowArray *batches; /* [n_batches] structures, a child for each column */
    size_t n_batches, n_columns;
    uint64_t n_rows;
    mgl_arrow_column *columns; /* [n_columns] */
    uint64_t *first_rows;      /* [n_batches] rows before each batch */
    mgl_allocator allocator;   /* of all this, and of what is exported from it */
    bool knows_null;           /* null_text was found */
    char null_text[MGL_ARROW_NULL_TEXT];
    _Atomic size_t holders;
} mgl_arrow_table;

/* Reads a stream to its end and releases it, whatever comes; *stream is released afterwards. name:
 * for messages. MGL_DATA if anything in it is wrong, or of a type that we do not take. Let go with
 * mgl_arrow_release. */
mgl_status mgl_arrow_import(struct ArrowArrayStream *stream, const char *name,
                            const mgl_progress *progress, mgl_error *err, mgl_arrow_table **out);
/* Who check the cells of a large batch, a column each. Where there is no pool, one of so many
 * threads (0: one per core) is made when such a batch comes; it is the caller's (mgl_pool_free). */
typedef struct mgl_arrow_helpers {
    mgl_pool *pool;
    unsigned threads;
} mgl_arrow_helpers;
/* The same by several threads. Callbacks of the stream are called on this one alone. */
mgl_status mgl_arrow_import_with(struct ArrowArrayStream *stream, const char *name,
                                 mgl_arrow_helpers *helpers, const mgl_progress *progress,
                                 mgl_error *err, mgl_arrow_table **out);
/* Makes a table of a schema and n batches of our own, which it takes over whatever comes. Shapes
 * are checked, cells are not. The array of batches stays the caller's. */
mgl_status mgl_arrow_adopt(struct ArrowSchema *schema, struct ArrowArray *batches, size_t n,
                           const char *name, mgl_error *err, mgl_arrow_table **out);

mgl_arrow_table *mgl_arrow_retain(mgl_arrow_table *table);
/* Frees the table after its last holder; NULL is nothing. */
void mgl_arrow_release(mgl_arrow_table *table);

/* A stream of the table: its batches with their buffers as they are, names and types without
 * metadata. The stream and what it gives hold the table as long as they are not released. */
mgl_status mgl_arrow_export(mgl_arrow_table *table, mgl_error *err, struct ArrowArrayStream *out);

/* The cells of a column in a batch, or the entries of its dictionary. Buffers may lie at any
 * address: read them with memcpy. */
typedef struct mgl_arrow_cells {
    const mgl_arrow_type *type;
    size_t n;
    size_t first;              /* where cell 0 lies in valid and values */
    const uint8_t *valid;      /* a bit for each cell that is not null; NULL if no cell is null */
    const void *values;        /* numbers, bits, offsets of texts, or views */
    const char *bytes;         /* of texts with offsets */
    const void *const *pieces; /* of views */
} mgl_arrow_cells;

/* Where the column is encoded: the numbers of its entries. */
mgl_arrow_cells mgl_arrow_cells_of(const mgl_arrow_table *table, size_t batch, size_t column);
/* The entries. The column must be encoded. */
mgl_arrow_cells mgl_arrow_entries_of(const mgl_arrow_table *table, size_t batch, size_t column);

static inline bool mgl_bit_at(const void *bits, size_t i)
{
    return ((const uint8_t *)bits)[i / 8] >> i % 8 & 1;
}

/* How many bits of n from first on are set. */
size_t mgl_bits_set(const uint8_t *bits, size_t first, size_t n);

static inline bool mgl_arrow_is_null(const mgl_arrow_cells *cells, size_t i)
{
    return cells->type->kind == MGL_ARROW_NULL ||
           (cells->valid != NULL && !mgl_bit_at(cells->valid, cells->first + i));
}

/* The whole number in a cell of this width. */
int64_t mgl_arrow_signed_at(const mgl_arrow_cells *cells, size_t i);
uint64_t mgl_arrow_unsigned_at(const mgl_arrow_cells *cells, size_t i);
/* Which entry a cell of an encoded column names. */
size_t mgl_arrow_index_at(const mgl_arrow_cells *cells, size_t i);
/* The text in a cell of a column of texts that is not null. */
mgl_span mgl_arrow_text_at(const mgl_arrow_cells *cells, size_t i);

/* The one text of a cell that is not null, of any type: room, or where the text lies. */
enum { MGL_ARROW_ROOM = 192 };
mgl_span mgl_arrow_show(const mgl_arrow_cells *cells, size_t i, char room[MGL_ARROW_ROOM]);

/* What null reads as where it needs a text: the first of "", NA, null, (missing), (missing 2), ...
 * that no text of the table is. An imported table knows it; of others all texts are looked at. */
void mgl_arrow_null_text(const mgl_arrow_table *table, char text[MGL_ARROW_NULL_TEXT]);

/* Puts a table into a memory store, which takes a reference. Where lines are asked for it reads as
 * delimited text without a header, null as an empty cell. */
mgl_status mgl_arrow_put(mgl_memory_store *store, const char *name, mgl_arrow_table *table,
                         mgl_error *err);

#endif
