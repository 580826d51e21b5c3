/* What functions of ours need that DuckDB calls: vectors and types, table functions, and a state
 * for each thread of the engine. */
#include "io/duckdb/engine_vectors.h"
#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Vectors --------------------------------------------------------------------------------- */

static const char *const vector_names[] = {MGL_VECTOR_FUNCTIONS(MGL_DUCKDB_NAME)};

#define SCALAR_FUNCTIONS(CALL)                                                                     \
    CALL(void *, create, create_scalar_function, (void))                                           \
    CALL(void, destroy, destroy_scalar_function, (void **function))                                \
    CALL(void, set_name, scalar_function_set_name, (void *function, const char *name))             \
    CALL(void, add_parameter, scalar_function_add_parameter, (void *function, void *type))         \
    CALL(void, set_return, scalar_function_set_return_type, (void *function, void *type))          \
    CALL(void, see_nulls, scalar_function_set_special_handling, (void *function))                  \
    CALL(void, set_volatile, scalar_function_set_volatile, (void *function))                       \
    CALL(void, set_extra, scalar_function_set_extra_info,                                          \
         (void *function, void *extra, void (*destroy)(void *)))                                   \
    CALL(void, set_function, scalar_function_set_function, (void *function, mgl_scalar_fn *call))  \
    CALL(int, register_function, register_scalar_function, (void *connection, void *function))     \
    CALL(void *, extra, scalar_function_get_extra_info, (void *info))                              \
    CALL(void, fail, scalar_function_set_error, (void *info, const char *message))

typedef struct scalar_calls {
    SCALAR_FUNCTIONS(MGL_DUCKDB_POINTER)
} scalar_calls;

static const char *const scalar_names[] = {SCALAR_FUNCTIONS(MGL_DUCKDB_NAME)};

/* The library is loaded once and stays. */
static mgl_vector_calls vectors;
static scalar_calls scalars;

static void bind(void *info);
static void init(void *info);

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
    scalars.fail(info, "a function failed"); /* the failure is kept for the end of the statement */
}

/* ---- Functions that make rows ---------------------------------------------------------------- */

enum { MOST_THREADS = 64 };

#define TABLE_FUNCTIONS(CALL)                                                                      \
    CALL(void *, create, create_table_function, (void))                                            \
    CALL(void, destroy, destroy_table_function, (void **function))                                 \
    CALL(void, set_name, table_function_set_name, (void *function, const char *name))              \
    CALL(void, set_extra, table_function_set_extra_info,                                           \
         (void *function, void *extra, void (*destroy)(void *)))                                   \
    CALL(void, set_bind, table_function_set_bind, (void *function, void (*bind)(void *info)))      \
    CALL(void, set_init, table_function_set_init, (void *function, void (*init)(void *info)))      \
    CALL(void, set_local_init, table_function_set_local_init,                                      \
         (void *function, void (*init)(void *info)))                                               \
    CALL(void, set_function, table_function_set_function,                                          \
         (void *function, void (*call)(void *info, void *chunk)))                                  \
    CALL(int, register_function, register_table_function, (void *connection, void *function))      \
    CALL(void *, bound_extra, bind_get_extra_info, (void *info))                                   \
    CALL(void, add_column, bind_add_result_column, (void *info, const char *name, void *type))     \
    CALL(void *, init_extra, init_get_extra_info, (void *info))                                    \
    CALL(void, set_threads, init_set_max_threads, (void *info, uint64_t threads))                  \
    CALL(void, set_local, init_set_init_data, (void *info, void *local, void (*destroy)(void *)))  \
    CALL(void *, extra, function_get_extra_info, (void *info))                                     \
    CALL(void *, local, function_get_local_init_data, (void *info))                                \
    CALL(void, fail, function_set_error, (void *info, const char *message))

typedef struct table_calls {
    TABLE_FUNCTIONS(MGL_DUCKDB_POINTER)
} table_calls;

static const char *const names[] = {TABLE_FUNCTIONS(MGL_DUCKDB_NAME)};

struct mgl_row_function {
    const mgl_call
        *call; /* of the thread that waits for the rows: the engine calls from threads of its own */
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
        engine.fail(info,
                    "a function failed"); /* the failure is kept for the end of the statement */
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
    MGL_TRY(mgl_check_memory(f != NULL, err));
    f->call = mgl_call_current();
    f->maker = *maker;
    if (!make_known(f, db)) {
        mgl_free(f);
        return mgl_duckdb_fail(db, MGL_CODE_DATABASE, "a function was not taken", err);
    }
    *out = f;
    return MGL_OK;
}

/* ---- Threads of the engine ------------------------------------------------------------------- */

void mgl_engine_threads_init(mgl_engine_threads *t, mgl_make_state_fn *make, const void *context,
                             const mgl_progress *progress)
{
    *t = (mgl_engine_threads){
        .call = mgl_call_current(), .progress = progress, .make = make, .context = context};
    pthread_mutex_init(&t->lock, NULL);
}

void mgl_engine_threads_free(mgl_engine_threads *t)
{
    pthread_mutex_destroy(&t->lock);
}

static mgl_engine_thread *make_state(mgl_engine_threads *t)
{
    mgl_engine_thread *made = &t->list[t->n];
    t->status = t->n < MGL_ENGINE_THREADS
                    ? t->make(t->context, &t->error, &made->state)
                    : mgl_fail(&t->error, MGL_CODE_LIMIT,
                               "more than %d threads of DuckDB work at once; set `threads`",
                               MGL_ENGINE_THREADS);
    t->n += t->status == MGL_OK;
    return made;
}

/* The engine's statement ends when a function fails; the listener is heard on its own thread, where
 * the engine works as well. */
static bool heed_stop(mgl_engine_threads *t)
{
    if (t->status == MGL_OK && mgl_progress_stopped(t->progress))
        t->status = mgl_fail_cancelled(&t->error);
    return t->status == MGL_OK;
}

bool mgl_engine_threads_go_on(mgl_engine_threads *t)
{
    mgl_progress_remind();
    pthread_mutex_lock(&t->lock);
    bool go_on = heed_stop(t);
    pthread_mutex_unlock(&t->lock);
    return go_on;
}

mgl_engine_thread *mgl_engine_threads_begin(mgl_engine_threads *t)
{
    const mgl_call *before = mgl_call_enter(t->call);
    mgl_engine_thread *mine = NULL;
    mgl_progress_remind();
    pthread_mutex_lock(&t->lock);
    (void)heed_stop(t);
    for (size_t i = 0; mine == NULL && i < t->n; i++)
        mine = t->list[i].busy ? NULL : &t->list[i];
    if (mine == NULL && t->status == MGL_OK)
        mine = make_state(t);
    mine = t->status == MGL_OK ? mine : NULL;
    if (mine != NULL) {
        mine->busy = true;
        mine->before = before;
    }
    pthread_mutex_unlock(&t->lock);
    if (mine == NULL)
        mgl_call_leave(before);
    return mine;
}

static void keep_failure(mgl_engine_threads *t, mgl_status status, const mgl_error *error)
{
    if (t->status == MGL_OK && status != MGL_OK) {
        t->status = status;
        t->error = *error;
    }
}

void mgl_engine_threads_end(mgl_engine_threads *t, mgl_engine_thread *thread, mgl_status status,
                            const mgl_error *error)
{
    const mgl_call *before = thread->before;
    pthread_mutex_lock(&t->lock);
    thread->busy = false;
    keep_failure(t, status, error);
    pthread_mutex_unlock(&t->lock);
    mgl_call_leave(before);
}

void mgl_engine_threads_fail(mgl_engine_threads *t, mgl_status status, const mgl_error *error)
{
    pthread_mutex_lock(&t->lock);
    keep_failure(t, status, error);
    pthread_mutex_unlock(&t->lock);
}

mgl_status mgl_engine_threads_failure(const mgl_engine_threads *t, mgl_status status,
                                      mgl_error *err)
{
    if (t->status == MGL_OK)
        return status;
    if (err != NULL)
        *err = t->error;
    return t->status;
}
