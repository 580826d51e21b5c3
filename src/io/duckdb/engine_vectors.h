/* Vectors, types and threads of DuckDB for the functions of ours that it calls. Private to
 * io/duckdb. */
#ifndef MGL_IO_DUCKDB_ENGINE_VECTORS_H
#define MGL_IO_DUCKDB_ENGINE_VECTORS_H

#include "io/duckdb/read_duckdb.h"

#include <pthread.h>

/* Numbers of types, as the library has them. */
enum {
    MGL_DUCKDB_INTEGER = 4,
    MGL_DUCKDB_BIGINT = 5,
    MGL_DUCKDB_UBIGINT = 9,
    MGL_DUCKDB_FLOAT = 10,
    MGL_DUCKDB_DOUBLE = 11,
    MGL_DUCKDB_VARCHAR = 17
};

#define MGL_VECTOR_FUNCTIONS(CALL)                                                                 \
    CALL(void *, create_type, create_logical_type, (int type))                                     \
    CALL(void, destroy_type, destroy_logical_type, (void **type))                                  \
    CALL(int, type_id, get_type_id, (void *type))                                                  \
    CALL(int, decimal_type, decimal_internal_type, (void *type))                                   \
    CALL(int, enum_type, enum_internal_type, (void *type))                                         \
    CALL(void *, list_type, list_type_child_type, (void *type))                                    \
    CALL(void *, map_key, map_type_key_type, (void *type))                                         \
    CALL(void *, map_value, map_type_value_type, (void *type))                                     \
    CALL(uint64_t, struct_size, struct_type_child_count, (void *type))                             \
    CALL(void *, struct_type, struct_type_child_type, (void *type, uint64_t index))                \
    CALL(void *, array_type, array_type_child_type, (void *type))                                  \
    CALL(uint64_t, array_size, array_type_array_size, (void *type))                                \
    CALL(uint64_t, result_columns, column_count, (mgl_duckdb_result * result))                     \
    CALL(void *, column_type, column_logical_type, (mgl_duckdb_result * result, uint64_t column))  \
    CALL(uint64_t, chunk_size, data_chunk_get_size, (void *chunk))                                 \
    CALL(void, set_chunk_size, data_chunk_set_size, (void *chunk, uint64_t size))                  \
    CALL(void *, chunk_vector, data_chunk_get_vector, (void *chunk, uint64_t column))              \
    CALL(uint64_t, most_rows, vector_size, (void))                                                 \
    CALL(void *, data, vector_get_data, (void *vector))                                            \
    CALL(uint64_t *, validity, vector_get_validity, (void *vector))                                \
    CALL(void, make_validity, vector_ensure_validity_writable, (void *vector))                     \
    CALL(void, put_text, vector_assign_string_element_len,                                         \
         (void *vector, uint64_t row, const char *text, uint64_t size))                            \
    CALL(void *, list_child, list_vector_get_child, (void *vector))                                \
    CALL(uint64_t, list_size, list_vector_get_size, (void *vector))                                \
    CALL(int, reserve_list, list_vector_reserve, (void *vector, uint64_t size))                    \
    CALL(int, set_list_size, list_vector_set_size, (void *vector, uint64_t size))                  \
    CALL(void *, struct_child, struct_vector_get_child, (void *vector, uint64_t index))            \
    CALL(void *, array_child, array_vector_get_child, (void *vector))

typedef struct mgl_vector_calls {
    MGL_VECTOR_FUNCTIONS(MGL_DUCKDB_POINTER)
} mgl_vector_calls;

/* Loads them; the library is loaded once and stays. */
mgl_status mgl_vectors_load(mgl_error *err);
const mgl_vector_calls *mgl_vectors(void);

/* The cells of a vector. */
mgl_duckdb_cells mgl_vector_cells(void *vector);
/* A text as vectors have it; one of more than 12 bytes stays where it is. */
mgl_duckdb_text mgl_vector_text(mgl_span text);
/* Says that a row of the vector has no value. */
void mgl_vector_put_null(void *vector, size_t row);

/* A function of ours that statements call by its name. */
typedef void mgl_scalar_fn(void *info, void *input, void *output);
typedef struct mgl_scalar_function {
    const char *name;
    void *const *parameters; /* [n_parameters] types */
    size_t n_parameters;
    int returns;
    mgl_scalar_fn *call;
    void *extra;
    bool sees_nulls, is_random;
} mgl_scalar_function;
/* Makes it known to the connection. */
mgl_status mgl_scalar_function_new(const mgl_duckdb *db, const mgl_scalar_function *function,
                                   mgl_error *err);
/* Within a call: what belongs to the function, and that it failed, so that the statement ends. */
void *mgl_scalar_extra(void *info);
void mgl_scalar_fail(void *info);

enum { MGL_ENGINE_THREADS = 256 }; /* at most */

typedef mgl_status mgl_make_state_fn(const void *context, mgl_error *err, void **out);

/* What one thread at a time works with. */
typedef struct mgl_engine_thread {
    void *state;
    const mgl_call *before; /* of the thread that works with it */
    bool busy;
} mgl_engine_thread;

typedef struct mgl_engine_threads {
    const mgl_call *call; /* of the waiting thread: the engine calls from threads of its own */
    const mgl_progress *progress; /* optional; cancels */
    mgl_make_state_fn *make;
    const void *context; /* of make */
    pthread_mutex_t lock;
    mgl_engine_thread list[MGL_ENGINE_THREADS];
    size_t n;
    mgl_status status; /* the first failure */
    mgl_error error;
} mgl_engine_threads;

/* Runs on the waiting thread. The states that `make` returns are owned by the caller. */
void mgl_engine_threads_init(mgl_engine_threads *threads, mgl_make_state_fn *make,
                             const void *context, const mgl_progress *progress);
void mgl_engine_threads_free(mgl_engine_threads *threads);

/* False after a failure or a cancellation. */
bool mgl_engine_threads_go_on(mgl_engine_threads *threads);
/* A state for the calling thread alone, until mgl_engine_threads_end; NULL after a failure or a
 * cancellation. */
mgl_engine_thread *mgl_engine_threads_begin(mgl_engine_threads *threads);
/* Gives it back; error is that of a status other than MGL_OK. */
void mgl_engine_threads_end(mgl_engine_threads *threads, mgl_engine_thread *thread,
                            mgl_status status, const mgl_error *error);
/* Keeps a failure unless there was one before. */
void mgl_engine_threads_fail(mgl_engine_threads *threads, mgl_status status,
                             const mgl_error *error);
/* The status of a statement that called functions: a failure of ours comes first. */
mgl_status mgl_engine_threads_failure(const mgl_engine_threads *threads, mgl_status status,
                                      mgl_error *err);

enum { MGL_VECTOR_ROWS = 2048 }; /* of a vector, at most */

/* The number of a cell; data NULL: it has no value. */
typedef uint32_t mgl_cell_number_fn(void *context, mgl_span cell);

/* Asks for the number of each of n cells of a column, of a cell that stood before it among them
 * mostly not again; out[i * stride] gets that of cell i. */
void mgl_cell_numbers(const mgl_duck_column *column, mgl_duckdb_cells cells, size_t n,
                      mgl_cell_number_fn *number, void *context, uint32_t *out, size_t stride);

/* The types that the cells of columns have as parameters of a function: what mgl_duck_write_cell
 * makes of them. Free each with destroy_type, and the array with mgl_free. NULL when memory is out.
 */
void **mgl_cell_types(const mgl_duck *duck, const size_t *columns, size_t n);
void mgl_cell_types_free(void **types, size_t n);

/* NAME("cell", ...) as statements call it. */
void mgl_write_cell_call(mgl_buffer *out, const mgl_source *source, const char *name,
                         const size_t *columns, size_t n);

#endif
