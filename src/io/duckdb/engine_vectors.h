/* Vectors and types of DuckDB, which functions of ours are handed. Inside the io room. */
#ifndef MGL_IO_DUCKDB_ENGINE_VECTORS_H
#define MGL_IO_DUCKDB_ENGINE_VECTORS_H

#include "io/duckdb/duckdb.h"

/* Numbers of types, as the library has them. */
enum {
    MGL_DUCKDB_INTEGER = 4,
    MGL_DUCKDB_BIGINT = 5,
    MGL_DUCKDB_UBIGINT = 9,
    MGL_DUCKDB_FLOAT = 10,
    MGL_DUCKDB_DOUBLE = 11,
    MGL_DUCKDB_VARCHAR = 17
};

/* In the order of their names. */
typedef struct mgl_vector_calls {
    void *(*create_type)(int type);
    void (*destroy_type)(void **type);
    int (*type_id)(void *type);
    int (*decimal_type)(void *type);
    int (*enum_type)(void *type);
    void *(*list_type)(void *type);
    void *(*map_key)(void *type);
    void *(*map_value)(void *type);
    uint64_t (*struct_size)(void *type);
    void *(*struct_type)(void *type, uint64_t index);
    void *(*array_type)(void *type);
    uint64_t (*array_size)(void *type);
    uint64_t (*result_columns)(mgl_duckdb_result *result);
    void *(*column_type)(mgl_duckdb_result *result, uint64_t column);
    uint64_t (*chunk_size)(void *chunk);
    void (*set_chunk_size)(void *chunk, uint64_t size);
    void *(*chunk_vector)(void *chunk, uint64_t column);
    uint64_t (*most_rows)(void); /* of a vector */
    void *(*data)(void *vector);
    uint64_t *(*validity)(void *vector);
    void (*make_validity)(void *vector);
    void (*put_text)(void *vector, uint64_t row, const char *text, uint64_t size);
    void *(*list_child)(void *vector);
    uint64_t (*list_size)(void *vector);
    int (*reserve_list)(void *vector, uint64_t size);
    int (*set_list_size)(void *vector, uint64_t size);
    void *(*struct_child)(void *vector, uint64_t index);
    void *(*array_child)(void *vector);
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

#endif
