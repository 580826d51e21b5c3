/* Arrow IPC: tables in files and streams as Arrow and Feather write them, and the flatbuffers in
 * them. Reading gives a stream of the C interface, whose import checks all cells; writing takes a
 * table in memory. Private to io/ipc. */
#ifndef MGL_IO_IPC_H
#define MGL_IO_IPC_H

#include "base/base.h"
#include "io/arrow_source/arrow_source.h"

typedef struct mgl_flatbuffer {
    const char *data;
    size_t size;
    bool bad; /* some offset leads outside */
} mgl_flatbuffer;

size_t mgl_fb_root(mgl_flatbuffer *fb);
/* Scalars of a table, or what they are if they are not there. */
int64_t mgl_fb_whole(mgl_flatbuffer *fb, size_t table, unsigned field, unsigned width,
                     int64_t otherwise);
/* Another table, a text, the elements of a vector of so many bytes each. */
size_t mgl_fb_table(mgl_flatbuffer *fb, size_t table, unsigned field);
mgl_span mgl_fb_text(mgl_flatbuffer *fb, size_t table, unsigned field);
size_t mgl_fb_vector(mgl_flatbuffer *fb, size_t table, unsigned field, size_t width, size_t *n);
/* Element of a vector of tables. */
size_t mgl_fb_element(mgl_flatbuffer *fb, size_t elements, size_t i);
/* Of a structure whose place is known to lie inside. */
int64_t mgl_fb_long_at(const mgl_flatbuffer *fb, size_t at);

enum { MGL_FB_FIELDS = 7 };

typedef struct mgl_fb_writer {
    mgl_buffer bytes;
} mgl_fb_writer;

/* Where the fields of a table are, 0: it does not have it. */
typedef struct mgl_fb_slots {
    size_t table, at[MGL_FB_FIELDS];
} mgl_fb_slots;

/* The place of the offset to the root. */
size_t mgl_fb_begin(mgl_fb_writer *out);
/* A table with fields of these widths (0: none), all zero, to which the offset at `field` leads. */
mgl_fb_slots mgl_fb_put_table(mgl_fb_writer *out, size_t field, const unsigned char *widths,
                              unsigned n);
void mgl_fb_set(mgl_fb_writer *out, size_t at, int64_t value, unsigned width);
void mgl_fb_put_text(mgl_fb_writer *out, size_t field, mgl_span text);
/* Room for n elements; returns the place of the first. */
size_t mgl_fb_put_vector(mgl_fb_writer *out, size_t field, size_t n, size_t width, size_t align);

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

/* An array with the memory of its buffers; reference counted. */
typedef struct mgl_ipc_array {
    struct ArrowArray array;
    const void *buffers[3];
    void *owned[4];
    size_t n_owned;
    size_t holders;
} mgl_ipc_array;

void mgl_ipc_array_release(mgl_ipc_array *array);

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

/* Entries of one type, the ones behind the others. */
mgl_status mgl_ipc_join(const mgl_ipc_array *first, const mgl_ipc_array *second,
                        const mgl_arrow_type *type, mgl_error *err, mgl_ipc_array **out);

/* Writes a table. stream: without the magic and the footer of files. */
mgl_status mgl_ipc_table_write(const mgl_arrow_table *table, bool stream, int fd, const char *name,
                               mgl_error *err);

#endif
