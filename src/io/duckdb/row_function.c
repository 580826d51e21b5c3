/* Makes rows of ours a table function of DuckDB, which asks for some at a time. The sink of Parquet
 * hands over rows that wait in a private file, and spooled_rows.c those of a release. */
#include "io/duckdb/row_function.h"
#include "io/duckdb/engine_vectors.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_THREADS = 64 };

static const char *const names[] = {
    "duckdb_create_table_function",
    "duckdb_destroy_table_function",
    "duckdb_table_function_set_name",
    "duckdb_table_function_set_extra_info",
    "duckdb_table_function_set_bind",
    "duckdb_table_function_set_init",
    "duckdb_table_function_set_local_init",
    "duckdb_table_function_set_function",
    "duckdb_register_table_function",
    "duckdb_bind_get_extra_info",
    "duckdb_bind_add_result_column",
    "duckdb_init_get_extra_info",
    "duckdb_init_set_max_threads",
    "duckdb_init_set_init_data",
    "duckdb_function_get_extra_info",
    "duckdb_function_get_local_init_data",
    "duckdb_function_set_error",
};

/* In the order of their names. */
typedef struct table_calls {
    void *(*create)(void);
    void (*destroy)(void **function);
    void (*set_name)(void *function, const char *name);
    void (*set_extra)(void *function, void *extra, void (*destroy)(void *));
    void (*set_bind)(void *function, void (*bind)(void *info));
    void (*set_init)(void *function, void (*init)(void *info));
    void (*set_local_init)(void *function, void (*init)(void *info));
    void (*set_function)(void *function, void (*call)(void *info, void *chunk));
    int (*register_function)(void *connection, void *function);
    void *(*bound_extra)(void *info);
    void (*add_column)(void *info, const char *name, void *type);
    void *(*init_extra)(void *info);
    void (*set_threads)(void *info, uint64_t threads);
    void (*set_local)(void *info, void *local, void (*destroy)(void *));
    void *(*extra)(void *info);
    void *(*local)(void *info);
    void (*fail)(void *info, const char *message);
} table_calls;

_Static_assert(sizeof names == sizeof(table_calls), "one name per call");

struct mgl_row_function {
    const mgl_call *call; /* of who waits for the rows: the engine asks from threads of its own */
    mgl_row_maker maker;
};

/* What a thread has. */
typedef struct local_state {
    const mgl_row_function *of;
    void *made;
} local_state;

/* The library is loaded once and stays. */
static table_calls engine;

static void bind(void *info)
{
    const mgl_row_function *f = engine.bound_extra(info);
    void *text = mgl_vectors()->create_type(MGL_DUCKDB_VARCHAR);
    for (size_t c = 0; c < f->maker.n_columns; c++) {
        char name[32];
        snprintf(name, sizeof name, "c%zu", c);
        engine.add_column(info, name, f->maker.types != NULL ? f->maker.types[c] : text);
    }
    mgl_vectors()->destroy_type(&text);
}

static void init(void *info)
{
    const mgl_row_function *f = engine.init_extra(info);
    engine.set_threads(info, f->maker.threads ? MOST_THREADS : 1); /* rows may have an order */
}

static void drop_local(void *data)
{
    local_state *local = data;
    const mgl_call *before = mgl_call_enter(local->of->call);
    if (local->made != NULL && local->of->maker.drop != NULL)
        local->of->maker.drop(local->made);
    mgl_call_leave(before);
    free(local);
}

static void init_local(void *info)
{
    local_state *local = calloc(1, sizeof *local);
    if (local != NULL)
        local->of = engine.init_extra(info);
    engine.set_local(info, local, drop_local);
}

static void make_rows(void *info, void *chunk)
{
    const mgl_row_function *f = engine.extra(info);
    local_state *local = engine.local(info);
    if (local == NULL) {
        engine.fail(info, "out of memory");
        return;
    }
    mgl_made_rows rows = {f, chunk, mgl_vectors()->most_rows(), &local->made};
    const mgl_call *before = mgl_call_enter(f->call);
    size_t n = f->maker.make(f->maker.context, &rows);
    mgl_call_leave(before);
    if (n == MGL_ROWS_FAILED)
        engine.fail(info, "a function failed"); /* who asked for the rows knows why */
    else
        mgl_vectors()->set_chunk_size(chunk, n);
}

void mgl_made_rows_put(const mgl_made_rows *rows, size_t row, size_t column, mgl_span cell)
{
    void *vector = mgl_vectors()->chunk_vector(rows->chunk, column);
    if (cell.data != NULL)
        mgl_vectors()->put_text(vector, row, cell.data, cell.size);
    else
        mgl_vector_put_null(vector, row);
}

static bool make_known(mgl_row_function *f, const mgl_duckdb *db)
{
    void *function = engine.create();
    engine.set_name(function, "mingle_rows");
    engine.set_extra(function, f, NULL);
    engine.set_bind(function, bind);
    engine.set_init(function, init);
    engine.set_local_init(function, init_local);
    engine.set_function(function, make_rows);
    bool known = engine.register_function(db->connection, function) == 0;
    engine.destroy(&function);
    return known;
}

mgl_status mgl_row_function_new(const mgl_duckdb *db, const mgl_row_maker *maker, mgl_error *err,
                                mgl_row_function **out)
{
    table_calls calls;
    MGL_TRY(mgl_vectors_load(err));
    MGL_TRY(mgl_duckdb_load(names, sizeof names / sizeof names[0], &calls, err));
    engine = calls;
    mgl_row_function *f = mgl_zeroed_array(1, sizeof *f);
    if (f == NULL)
        return mgl_fail_memory(err);
    f->call = mgl_call_current();
    f->maker = *maker;
    if (!make_known(f, db)) {
        mgl_free(f);
        return mgl_duckdb_fail(db, MGL_CODE_DATABASE, "a function was not taken", err);
    }
    *out = f;
    return MGL_OK;
}
