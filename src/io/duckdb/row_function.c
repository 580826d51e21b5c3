/* Makes rows of ours a table function of DuckDB, which asks for some at a time. The sink of Parquet
 * hands over rows that wait in a private file, and push_parquet.c the groups of a release. */
#include "io/duckdb/row_function.h"

#include "base/base.h"

#include <stdio.h>

enum { DUCKDB_INTEGER = 4, DUCKDB_VARCHAR = 17, MOST_THREADS = 64 };

static const char *const names[] = {
    "duckdb_create_table_function",
    "duckdb_destroy_table_function",
    "duckdb_table_function_set_name",
    "duckdb_table_function_set_extra_info",
    "duckdb_table_function_set_bind",
    "duckdb_table_function_set_init",
    "duckdb_table_function_set_function",
    "duckdb_register_table_function",
    "duckdb_bind_get_extra_info",
    "duckdb_bind_add_result_column",
    "duckdb_init_get_extra_info",
    "duckdb_init_set_max_threads",
    "duckdb_function_get_extra_info",
    "duckdb_create_logical_type",
    "duckdb_destroy_logical_type",
    "duckdb_data_chunk_get_vector",
    "duckdb_data_chunk_set_size",
    "duckdb_vector_size",
    "duckdb_vector_get_data",
    "duckdb_vector_get_validity",
    "duckdb_vector_ensure_validity_writable",
    "duckdb_vector_assign_string_element_len",
};

/* In the order of their names. */
typedef struct table_calls {
    void *(*create)(void);
    void (*destroy)(void **function);
    void (*set_name)(void *function, const char *name);
    void (*set_extra)(void *function, void *extra, void (*destroy)(void *));
    void (*set_bind)(void *function, void (*bind)(void *info));
    void (*set_init)(void *function, void (*init)(void *info));
    void (*set_function)(void *function, void (*call)(void *info, void *chunk));
    int (*register_function)(void *connection, void *function);
    void *(*bound_extra)(void *info);
    void (*add_column)(void *info, const char *name, void *type);
    void *(*init_extra)(void *info);
    void (*set_threads)(void *info, uint64_t threads);
    void *(*extra)(void *info);
    void *(*create_type)(int type);
    void (*destroy_type)(void **type);
    void *(*vector)(void *chunk, uint64_t column);
    void (*set_size)(void *chunk, uint64_t size);
    uint64_t (*most)(void);
    void *(*data)(void *vector);
    uint64_t *(*validity)(void *vector);
    void (*make_validity)(void *vector);
    void (*put_text)(void *vector, uint64_t row, const char *text, uint64_t size);
} table_calls;

_Static_assert(sizeof names == sizeof(table_calls), "one name per call");

struct mgl_row_function {
    table_calls calls;
    const mgl_call *call; /* of who waits for the rows: the engine asks from threads of its own */
    size_t n_columns;
    bool numbers;
    mgl_make_rows_fn *make;
    void *context;
};

/* Where DuckDB keeps what belongs to a function. The library is loaded once and stays. */
static table_calls engine;

static void bind(void *info)
{
    const mgl_row_function *f = engine.bound_extra(info);
    void *type = engine.create_type(f->numbers ? DUCKDB_INTEGER : DUCKDB_VARCHAR);
    for (size_t c = 0; c < f->n_columns; c++) {
        char name[32];
        snprintf(name, sizeof name, "c%zu", c);
        engine.add_column(info, name, type);
    }
    engine.destroy_type(&type);
}

static void init(void *info)
{
    const mgl_row_function *f = engine.init_extra(info);
    engine.set_threads(info, f->numbers ? MOST_THREADS : 1); /* rows have an order */
}

static void make_rows(void *info, void *chunk)
{
    const mgl_row_function *f = engine.extra(info);
    mgl_made_rows rows = {f, chunk, engine.most()};
    const mgl_call *before = mgl_call_enter(f->call);
    engine.set_size(chunk, f->make(f->context, &rows));
    mgl_call_leave(before);
}

void mgl_made_rows_put(const mgl_made_rows *rows, size_t row, size_t column, mgl_span cell)
{
    const table_calls *calls = &rows->of->calls;
    void *vector = calls->vector(rows->chunk, column);
    if (cell.data != NULL) {
        calls->put_text(vector, row, cell.data, cell.size);
        return;
    }
    calls->make_validity(vector);
    calls->validity(vector)[row / 64] &= ~(UINT64_C(1) << row % 64);
}

int32_t *mgl_made_rows_numbers(const mgl_made_rows *rows)
{
    return rows->of->calls.data(rows->of->calls.vector(rows->chunk, 0));
}

static bool make_known(mgl_row_function *f, const mgl_duckdb *db)
{
    void *function = f->calls.create();
    f->calls.set_name(function, "mingle_rows");
    f->calls.set_extra(function, f, NULL);
    f->calls.set_bind(function, bind);
    f->calls.set_init(function, init);
    f->calls.set_function(function, make_rows);
    bool known = f->calls.register_function(db->connection, function) == 0;
    f->calls.destroy(&function);
    return known;
}

mgl_status mgl_row_function_new(const mgl_duckdb *db, size_t n_columns, bool numbers,
                                mgl_make_rows_fn *make, void *context, mgl_error *err,
                                mgl_row_function **out)
{
    mgl_row_function *f = mgl_zeroed_array(1, sizeof *f);
    if (f == NULL)
        return mgl_fail_memory(err);
    f->call = mgl_call_current();
    f->n_columns = n_columns;
    f->numbers = numbers;
    f->make = make;
    f->context = context;
    mgl_status status = mgl_duckdb_load(names, sizeof names / sizeof names[0], &f->calls, err);
    engine = status == MGL_OK ? f->calls : engine;
    if (status == MGL_OK && !make_known(f, db))
        status = mgl_duckdb_fail(db, MGL_CODE_DATABASE, "a function was not taken", err);
    if (status != MGL_OK) {
        mgl_free(f);
        return status;
    }
    *out = f;
    return MGL_OK;
}
