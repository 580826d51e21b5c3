/* Loads what the library of DuckDB has for vectors, types and functions. Functions of ours that it
 * calls while it writes a release use it. */
#include "io/duckdb/engine_vectors.h"

static const char *const vector_names[] = {
    "duckdb_create_logical_type",
    "duckdb_destroy_logical_type",
    "duckdb_get_type_id",
    "duckdb_decimal_internal_type",
    "duckdb_enum_internal_type",
    "duckdb_list_type_child_type",
    "duckdb_map_type_key_type",
    "duckdb_map_type_value_type",
    "duckdb_struct_type_child_count",
    "duckdb_struct_type_child_type",
    "duckdb_array_type_child_type",
    "duckdb_array_type_array_size",
    "duckdb_column_count",
    "duckdb_column_logical_type",
    "duckdb_data_chunk_get_size",
    "duckdb_data_chunk_set_size",
    "duckdb_data_chunk_get_vector",
    "duckdb_vector_size",
    "duckdb_vector_get_data",
    "duckdb_vector_get_validity",
    "duckdb_vector_ensure_validity_writable",
    "duckdb_vector_assign_string_element_len",
    "duckdb_list_vector_get_child",
    "duckdb_list_vector_get_size",
    "duckdb_list_vector_reserve",
    "duckdb_list_vector_set_size",
    "duckdb_struct_vector_get_child",
    "duckdb_array_vector_get_child",
};

static const char *const scalar_names[] = {
    "duckdb_create_scalar_function",          "duckdb_destroy_scalar_function",
    "duckdb_scalar_function_set_name",        "duckdb_scalar_function_add_parameter",
    "duckdb_scalar_function_set_return_type", "duckdb_scalar_function_set_special_handling",
    "duckdb_scalar_function_set_volatile",    "duckdb_scalar_function_set_extra_info",
    "duckdb_scalar_function_set_function",    "duckdb_register_scalar_function",
    "duckdb_scalar_function_get_extra_info",  "duckdb_scalar_function_set_error",
};

/* In the order of their names. */
typedef struct scalar_calls {
    void *(*create)(void);
    void (*destroy)(void **function);
    void (*set_name)(void *function, const char *name);
    void (*add_parameter)(void *function, void *type);
    void (*set_return)(void *function, void *type);
    void (*see_nulls)(void *function);
    void (*set_volatile)(void *function);
    void (*set_extra)(void *function, void *extra, void (*destroy)(void *));
    void (*set_function)(void *function, mgl_scalar_fn *call);
    int (*register_function)(void *connection, void *function);
    void *(*extra)(void *info);
    void (*fail)(void *info, const char *message);
} scalar_calls;

_Static_assert(sizeof vector_names == sizeof(mgl_vector_calls), "one name per call");
_Static_assert(sizeof scalar_names == sizeof(scalar_calls), "one name per call");

/* The library is loaded once and stays. */
static mgl_vector_calls vectors;
static scalar_calls scalars;

mgl_status mgl_vectors_load(mgl_error *err)
{
    mgl_vector_calls calls;
    scalar_calls functions;
    MGL_TRY(
        mgl_duckdb_load(vector_names, sizeof vector_names / sizeof vector_names[0], &calls, err));
    MGL_TRY(mgl_duckdb_load(scalar_names, sizeof scalar_names / sizeof scalar_names[0], &functions,
                            err));
    vectors = calls;
    scalars = functions;
    return MGL_OK;
}

const mgl_vector_calls *mgl_vectors(void)
{
    return &vectors;
}

mgl_duckdb_cells mgl_vector_cells(void *vector)
{
    return (mgl_duckdb_cells){vectors.data(vector), vectors.validity(vector)};
}

mgl_duckdb_text mgl_vector_text(mgl_span text)
{
    mgl_duckdb_text made = {.near = {.size = (uint32_t)text.size}};
    if (text.size <= sizeof made.near.data) {
        memcpy(made.near.data, text.data, text.size);
        return made;
    }
    memcpy(made.far.start, text.data, sizeof made.far.start);
    made.far.data = text.data;
    return made;
}

void mgl_vector_put_null(void *vector, size_t row)
{
    vectors.make_validity(vector);
    vectors.validity(vector)[row / 64] &= ~(UINT64_C(1) << row % 64);
}

mgl_status mgl_scalar_function_new(const mgl_duckdb *db, const mgl_scalar_function *order,
                                   mgl_error *err)
{
    void *function = scalars.create(), *returns = vectors.create_type(order->returns);
    scalars.set_name(function, order->name);
    scalars.set_return(function, returns);
    for (size_t i = 0; i < order->n_parameters; i++)
        scalars.add_parameter(function, order->parameters[i]);
    if (order->sees_nulls)
        scalars.see_nulls(function);
    if (order->is_random)
        scalars.set_volatile(function);
    scalars.set_extra(function, order->extra, NULL);
    scalars.set_function(function, order->call);
    bool known = scalars.register_function(db->connection, function) == 0;
    scalars.destroy(&function);
    vectors.destroy_type(&returns);
    return known ? MGL_OK : mgl_duckdb_fail(db, MGL_CODE_DATABASE, "a function was not taken", err);
}

void *mgl_scalar_extra(void *info)
{
    return scalars.extra(info);
}

void mgl_scalar_fail(void *info)
{
    scalars.fail(info, "a function failed"); /* who asked for the statement knows why */
}
