/* Arrow IPC: tables in files and streams as Arrow and Feather write them. Reading gives a stream of
 * the C interface, whose import checks all cells; writing takes a table in memory. Inside the io
 * room. */
#ifndef MGL_IO_IPC_H
#define MGL_IO_IPC_H

#include "io/arrow_source/arrow_source.h"
#include "io/ipc/flatbuffer.h"

/* Of the format: MetadataVersion, MessageHeader, Type, CompressionType. */
enum { MGL_IPC_V4 = 3, MGL_IPC_V5 = 4 };
enum { MGL_IPC_SCHEMA = 1, MGL_IPC_DICTIONARY = 2, MGL_IPC_BATCH = 3 };
typedef enum mgl_ipc_type {
    MGL_IPC_NULL = 1,
    MGL_IPC_INT,
    MGL_IPC_FLOAT,
    MGL_IPC_BINARY,
    MGL_IPC_TEXT,
    MGL_IPC_BOOL,
    MGL_IPC_DECIMAL,
    MGL_IPC_DATE,
    MGL_IPC_TIME,
    MGL_IPC_TIMESTAMP,
    MGL_IPC_LARGE_TEXT = 20,
    MGL_IPC_TYPES = 27
} mgl_ipc_type;
enum { MGL_IPC_LZ4 = 0, MGL_IPC_ZSTD = 1 };

/* A file begins and ends with it; 8 bytes in front, with padding. */
#define MGL_IPC_MAGIC "ARROW1"
enum { MGL_IPC_FRONT = 8, MGL_IPC_MARK = 6 };

/* ---- The file -------------------------------------------------------------------------------- */

typedef struct mgl_ipc_file {
    const char *name;
    int fd;
    mgl_file_state state;
    uint64_t most_unpacked; /* bytes that compressed buffers may become, all together */
    uint64_t unpacked;
    uint64_t taken; /* bytes of buffers so far: none lies in two of them */
} mgl_ipc_file;

/* MGL_DATA, with the byte of the file. */
mgl_status mgl_ipc_fail(const mgl_ipc_file *file, uint64_t at, mgl_error *err, const char *format,
                        ...) MGL_PRINTF(4, 5);
/* So many bytes from there on; behind them a few that are zero. Free with mgl_free. */
mgl_status mgl_ipc_read(const mgl_ipc_file *file, uint64_t at, uint64_t size, mgl_error *err,
                        char **out);

typedef struct mgl_ipc_message {
    uint64_t at; /* of the message in the file */
    char *bytes; /* of the metadata, owned */
    mgl_flatbuffer metadata;
    int version, kind;
    size_t header; /* table in the metadata */
    uint64_t body, body_size, end;
} mgl_ipc_message;

/* The message at a place; *there is false at the end of a stream. Free with mgl_ipc_message_free.
 */
mgl_status mgl_ipc_message_read(const mgl_ipc_file *file, uint64_t at, mgl_error *err,
                                mgl_ipc_message *out, bool *there);
void mgl_ipc_message_free(mgl_ipc_message *message);

/* ---- Schemas --------------------------------------------------------------------------------- */

typedef struct mgl_ipc_column {
    char *name, *format; /* format of the C interface, of the cells or of the entries */
    mgl_arrow_type type; /* kind MGL_ARROW_NULL and no words: not taken */
    bool taken, nullable, encoded, ordered;
    int64_t id;           /* of the dictionary */
    char index_format[2]; /* where encoded */
    mgl_arrow_type index;
} mgl_ipc_column;

typedef struct mgl_ipc_schema {
    mgl_ipc_column *columns;
    size_t n_columns;
} mgl_ipc_schema;

mgl_status mgl_ipc_schema_read(const mgl_ipc_file *file, const mgl_flatbuffer *metadata,
                               size_t table, uint64_t at, mgl_error *err, mgl_ipc_schema *out);
void mgl_ipc_schema_free(mgl_ipc_schema *schema);

/* ---- Batches ----------------------------------------------------------------------------------
 */

/* An array with the memory that its buffers lie in, shared by those who hold it. */
typedef struct mgl_ipc_array {
    struct ArrowArray array;
    const void *buffers[3];
    void *owned[4];
    size_t n_owned;
    size_t holders;
} mgl_ipc_array;

void mgl_ipc_array_let_go(mgl_ipc_array *array);

/* Takes the arrays of a message apart, one after the other. */
typedef struct mgl_ipc_parts {
    mgl_ipc_file *file;
    const mgl_ipc_message *message;
    size_t table;          /* RecordBatch */
    size_t nodes, buffers; /* of the metadata, where the next ones are */
    size_t n_nodes, n_buffers;
    int codec; /* -1: not compressed */
    int64_t length;
} mgl_ipc_parts;

mgl_status mgl_ipc_parts_begin(mgl_ipc_parts *parts, mgl_ipc_file *file,
                               const mgl_ipc_message *message, size_t table, mgl_error *err);
/* The next array, of a type; its buffers are as long as its cells need. One holder. */
mgl_status mgl_ipc_parts_next(mgl_ipc_parts *parts, const mgl_arrow_type *type, const char *column,
                              mgl_error *err, mgl_ipc_array **out);
/* MGL_DATA if arrays are left over. */
mgl_status mgl_ipc_parts_end(const mgl_ipc_parts *parts, mgl_error *err);

/* What compressed bytes were: exactly so many. Free with mgl_free. */
mgl_status mgl_ipc_unpack(int codec, mgl_span packed, uint64_t size, const mgl_ipc_file *file,
                          uint64_t at, mgl_error *err, char **out);

/* Entries of one type, the ones behind the others. */
mgl_status mgl_ipc_join(const mgl_ipc_array *first, const mgl_ipc_array *second,
                        const mgl_arrow_type *type, mgl_error *err, mgl_ipc_array **out);

/* ---- Whole tables ------------------------------------------------------------------------------
 */

/* Reads the file, a stream or a file of its format, as a table. Let go with mgl_arrow_let_go. */
mgl_status mgl_ipc_table_read(mgl_ipc_file *file, mgl_error *err, mgl_arrow_table **out);

/* Writes a table. stream: without the magic and the footer of files. */
mgl_status mgl_ipc_table_write(const mgl_arrow_table *table, bool stream, int fd, const char *name,
                               mgl_error *err);
/* The schema of a table as a table of the flatbuffer; field: the offset that names it. */
bool mgl_ipc_schema_write(mgl_fb_writer *out, size_t field, const mgl_arrow_table *table);

#endif
