/* DuckDB, which reads and writes Parquet: connections, results, and table functions whose rows we
 * make. Its library is loaded on demand. Private to io. */
#ifndef MGL_IO_DUCKDB_H
#define MGL_IO_DUCKDB_H

#include "io/intake/intake.h"

/* A private folder for what the engine puts on disk. */
typedef struct mgl_spill_folder {
    char *path; /* NULL if nothing may be written to a disk */
    int lock;   /* held as long as the folder is in use */
} mgl_spill_folder;

/* As the library declares them; handles are pointers. */
typedef struct mgl_duckdb_result {
    uint64_t unused[3];
    void *pointers[3];
} mgl_duckdb_result;

typedef union mgl_duckdb_text {
    struct {
        uint32_t size;
        char start[4];
        const char *data;
    } far;
    struct {
        uint32_t size;
        char data[12];
    } near; /* texts of up to 12 bytes */
} mgl_duckdb_text;

/* Functions of the library are lists of CALL(RETURNS, MEMBER, NAME, PARAMETERS), of which
 * structures of pointers are made, and the array of their names. */
#define MGL_DUCKDB_POINTER(returns, member, name, parameters) returns(*member) parameters;
#define MGL_DUCKDB_NAME(returns, member, name, parameters) "duckdb_" #name,

#define MGL_DUCKDB_FUNCTIONS(CALL)                                                                 \
    CALL(int, create_config, create_config, (void **config))                                       \
    CALL(int, set_config, set_config, (void *config, const char *name, const char *value))         \
    CALL(void, destroy_config, destroy_config, (void **config))                                    \
    CALL(int, open, open_ext, (const char *path, void **database, void *config, char **error))     \
    CALL(void, close, close, (void **database))                                                    \
    CALL(int, connect, connect, (void *database, void **connection))                               \
    CALL(void, disconnect, disconnect, (void **connection))                                        \
    CALL(int, prepare, prepare, (void *connection, const char *statement, void **prepared))        \
    CALL(const char *, prepare_error, prepare_error, (void *prepared))                             \
    CALL(int, execute, execute_prepared_streaming, (void *prepared, mgl_duckdb_result *out))       \
    CALL(void, destroy_prepared, destroy_prepare, (void **prepared))                               \
    CALL(const char *, result_error, result_error, (mgl_duckdb_result * result))                   \
    CALL(void, destroy_result, destroy_result, (mgl_duckdb_result * result))                       \
    CALL(void *, fetch_chunk, fetch_chunk, (mgl_duckdb_result result))                             \
    CALL(uint64_t, chunk_size, data_chunk_get_size, (void *chunk))                                 \
    CALL(void *, chunk_vector, data_chunk_get_vector, (void *chunk, uint64_t column))              \
    CALL(uint64_t, chunk_columns, data_chunk_get_column_count, (void *chunk))                      \
    CALL(void, destroy_chunk, destroy_data_chunk, (void **chunk))                                  \
    CALL(void *, vector_data, vector_get_data, (void *vector))                                     \
    CALL(uint64_t *, vector_validity, vector_get_validity, (void *vector))                         \
    CALL(void, free, free, (void *memory))

typedef struct mgl_duckdb_calls {
    MGL_DUCKDB_FUNCTIONS(MGL_DUCKDB_POINTER)
} mgl_duckdb_calls;

typedef struct mgl_duckdb {
    mgl_duckdb_calls calls;
    const char *name;        /* borrowed, for messages */
    mgl_spill_folder folder; /* for what does not fit into memory */
    void *database, *connection;
    void *prepared; /* of the current statement */
    mgl_duckdb_result result;
    bool has_result;
    void *chunk;
    uint64_t chunk_size;
} mgl_duckdb;

/* What the engine may take; 0: threads as many as there are cores, memory a default. */
typedef struct mgl_duckdb_limits {
    unsigned threads;
    uint64_t memory; /* bytes */
    bool writes;     /* the database file is written to, and made if it is not there */
} mgl_duckdb_limits;

/* Fills calls, a structure of pointers in the order of the names, from the library. */
mgl_status mgl_duckdb_load(const char *const *names, size_t n_names, void *calls, mgl_error *err);

/* Opens a database file for reading, or with file NULL an empty database in memory. limits NULL:
 * there are none. Close with mgl_duckdb_close, also on failure. */
mgl_status mgl_duckdb_open(mgl_duckdb *db, const char *file, const char *name,
                           const mgl_duckdb_limits *limits, mgl_error *err);
void mgl_duckdb_close(mgl_duckdb *db);

/* Runs a statement, which it takes over, and whose rows can be fetched after it. */
mgl_status mgl_duckdb_run(mgl_duckdb *db, mgl_buffer *statement, mgl_error *err);
mgl_status mgl_duckdb_run_text(mgl_duckdb *db, const char *statement, mgl_error *err);
/* The next rows, in db->chunk; db->chunk_size is 0 after the last. */
mgl_status mgl_duckdb_fetch(mgl_duckdb *db, mgl_error *err);

/* Runs a statement whose rows do not matter. */
mgl_status mgl_duckdb_run_to_end(mgl_duckdb *db, mgl_buffer *statement, mgl_error *err);
/* Calls visit for each column of the table, which stands there as behind FROM and is taken over. */
typedef mgl_status mgl_duckdb_column_fn(void *context, mgl_span name, mgl_span type,
                                        mgl_error *err);
mgl_status mgl_duckdb_each_column(mgl_duckdb *db, mgl_buffer *table, mgl_duckdb_column_fn *visit,
                                  void *context, mgl_error *err);
/* One row of whole numbers; SQL's NULL is 0. Other columns may stand behind them. */
mgl_status mgl_duckdb_ask_numbers(mgl_duckdb *db, mgl_buffer *statement, size_t n, mgl_error *err,
                                  uint64_t *numbers);

/* Ends the current statement. */
void mgl_duckdb_end(mgl_duckdb *db);

/* The cells of a column of the chunk. */
typedef struct mgl_duckdb_cells {
    const void *data;
    const uint64_t *validity; /* NULL: all are there */
} mgl_duckdb_cells;
mgl_duckdb_cells mgl_duckdb_column(const mgl_duckdb *db, size_t column);
size_t mgl_duckdb_columns(const mgl_duckdb *db);
bool mgl_duckdb_has(mgl_duckdb_cells cells, size_t row);
mgl_span mgl_duckdb_text_at(mgl_duckdb_cells cells, size_t row);

/* The engine's words, on one line, without cells of the data, and what to do. A fault that is known
 * has a code of its own. */
mgl_status mgl_duckdb_fail(const mgl_duckdb *db, mgl_code code, const char *words, mgl_error *err);

void mgl_duckdb_identifier(mgl_buffer *out, mgl_span name);
void mgl_duckdb_literal(mgl_buffer *out, mgl_span text);

extern const mgl_source_operations mgl_source_duckdb;

typedef struct mgl_row_function mgl_row_function;

/* Some rows that are being made: vectors of the engine. */
typedef struct mgl_made_rows {
    const mgl_row_function *of;
    void *chunk;
    size_t most;  /* rows that there is room for */
    void **local; /* of the calling thread, at first NULL */
} mgl_made_rows;

/* Makes the next rows and returns how many; 0: the end, or a failure that it keeps;
 * MGL_ROWS_FAILED: a failure that ends the statement, too. */
typedef size_t mgl_make_rows_fn(void *context, const mgl_made_rows *rows);
#define MGL_ROWS_FAILED SIZE_MAX

typedef struct mgl_row_maker {
    size_t n_columns;
    void *const *types; /* [n_columns] of the engine; NULL: texts */
    bool threads;       /* several may call at once */
    mgl_make_rows_fn *make;
    void *context;
    void (*drop)(void *local); /* frees what a thread has; NULL: nothing */
} mgl_row_maker;

/* "mingle_rows()", with columns c0, c1, ... The function lives as long as the connection, and so
 * must what is returned. Free with mgl_free. */
mgl_status mgl_row_function_new(const mgl_duckdb *db, const mgl_row_maker *maker, mgl_error *err,
                                mgl_row_function **out);

/* A cell of a column of texts; data NULL: no value. */
void mgl_made_rows_put(const mgl_made_rows *rows, size_t row, size_t column, mgl_span cell);

#endif
