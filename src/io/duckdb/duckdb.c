/* Loads libduckdb when it is needed, sends it statements and fetches cells. The sources and the
 * sink of DuckDB and Parquet call it. */
#include "io/duckdb/duckdb.h"

#include "io/intake/intake.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const functions[] = {
    "duckdb_create_config",
    "duckdb_set_config",
    "duckdb_destroy_config",
    "duckdb_open_ext",
    "duckdb_close",
    "duckdb_connect",
    "duckdb_disconnect",
    "duckdb_prepare",
    "duckdb_prepare_error",
    "duckdb_execute_prepared_streaming",
    "duckdb_destroy_prepare",
    "duckdb_result_error",
    "duckdb_destroy_result",
    "duckdb_fetch_chunk",
    "duckdb_data_chunk_get_size",
    "duckdb_data_chunk_get_vector",
    "duckdb_data_chunk_get_column_count",
    "duckdb_destroy_data_chunk",
    "duckdb_vector_get_data",
    "duckdb_vector_get_validity",
    "duckdb_free",
};

enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };
_Static_assert(N_FUNCTIONS * sizeof(void *) == sizeof(mgl_duckdb_calls), "one name per call");

/* Where mingle-fetch-duckdb puts the library, if it did; else the loader looks for it. Never in the
 * folder at hand. */
static void find_library(mgl_buffer *out)
{
    const char *said = getenv("MINGLE_DUCKDB"), *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    mgl_file_state state;
    if (said != NULL && said[0] != '\0')
        mgl_buffer_text(out, said);
    else if (data != NULL && data[0] == '/')
        mgl_buffer_format(out, "%s/mingle/libduckdb.so", data);
    else if (home != NULL && home[0] == '/')
        mgl_buffer_format(out, "%s/.local/share/mingle/libduckdb.so", home);
    mgl_buffer_append(out, "", 1);
    if (out->failed || (said != NULL && said[0] != '\0') ||
        (out->size > 1 && mgl_sys_state_of(out->data, &state) == 0))
        return;
    out->size = 0;
    mgl_buffer_append(out, "libduckdb.so", sizeof "libduckdb.so");
}

mgl_status mgl_duckdb_load(const char *const *names, size_t n_names, void *calls, mgl_error *err)
{
    mgl_buffer path = {0};
    find_library(&path);
    mgl_library library = {.file = path.data,
                           .use = "a Parquet or DuckDB file",
                           .advice = "get it with mingle-fetch-duckdb (or 'make duckdb'), or let "
                                     "MINGLE_DUCKDB=PATH say where it is",
                           .functions = names,
                           .n_functions = n_names};
    mgl_status status = path.failed ? mgl_fail_memory(err) : mgl_library_load(&library, calls, err);
    mgl_buffer_free(&path);
    return status;
}

/* ---- Opening -------------------------------------------------------------------------- */

/* Nothing is fetched or loaded from elsewhere, and rows come in the order of the file. */
static const char *const settings[][2] = {
    {"autoinstall_known_extensions", "false"},
    {"autoload_known_extensions", "false"},
    {"preserve_insertion_order", "true"},
};

/* Below the least, the engine could not even sort. Without a limit of the job it does what it has
 * to do in so much memory, and puts the rest on disk. */
enum { LEAST_MEMORY = 96 << 20, USUAL_MEMORY = 384 << 20 };

static bool set_limits(const mgl_duckdb *db, const mgl_duckdb_limits *limits, void *config)
{
    char number[32];
    bool set = true;
    if (limits != NULL && limits->threads > 0) {
        snprintf(number, sizeof number, "%u", limits->threads);
        set = db->calls.set_config(config, "threads", number) == 0;
    }
    if (limits != NULL) {
        uint64_t memory = limits->memory == 0             ? USUAL_MEMORY
                          : limits->memory < LEAST_MEMORY ? LEAST_MEMORY
                                                          : limits->memory;
        snprintf(number, sizeof number, "%lluKiB", (unsigned long long)(memory / 1024));
        set = set && db->calls.set_config(config, "memory_limit", number) == 0;
    }
    return set && db->calls.set_config(config, "temp_directory",
                                       db->folder.path != NULL ? db->folder.path : "") == 0;
}

static bool configure(mgl_duckdb *db, bool read_only, const mgl_duckdb_limits *limits,
                      void **config)
{
    if (db->calls.create_config(config) != 0)
        return false;
    bool set = !read_only || db->calls.set_config(*config, "access_mode", "READ_ONLY") == 0;
    for (size_t i = 0; set && i < sizeof settings / sizeof settings[0]; i++)
        set = db->calls.set_config(*config, settings[i][0], settings[i][1]) == 0;
    return set && set_limits(db, limits, *config);
}

mgl_status mgl_duckdb_open(mgl_duckdb *db, const char *file, const char *name,
                           const mgl_duckdb_limits *limits, mgl_error *err)
{
    char *words = NULL;
    void *config = NULL;
    *db = (mgl_duckdb){.name = name, .folder = {.lock = -1}};
    MGL_TRY(mgl_duckdb_load(functions, N_FUNCTIONS, &db->calls, err));
    MGL_TRY(mgl_spill_folder_make(err, &db->folder));
    bool opened =
        configure(db, file != NULL && (limits == NULL || !limits->writes), limits, &config) &&
        db->calls.open(file, &db->database, config, &words) == 0 &&
        db->calls.connect(db->database, &db->connection) == 0;
    if (config != NULL)
        db->calls.destroy_config(&config);
    /* Moments with a zone read the same on every machine; who knows of no zones needs not be told.
     */
    if (opened)
        (void)mgl_duckdb_run_text(db, "SET TimeZone = 'UTC'", NULL);
    mgl_status status =
        opened ? MGL_OK
               : mgl_duckdb_fail(db, MGL_CODE_FORMAT, words != NULL ? words : "not opened", err);
    if (words != NULL)
        db->calls.free(words);
    return status;
}

void mgl_duckdb_end(mgl_duckdb *db)
{
    if (db->chunk != NULL)
        db->calls.destroy_chunk(&db->chunk);
    if (db->has_result)
        db->calls.destroy_result(&db->result);
    if (db->prepared != NULL)
        db->calls.destroy_prepared(&db->prepared);
    db->chunk = db->prepared = NULL;
    db->chunk_size = 0;
    db->has_result = false;
}

void mgl_duckdb_close(mgl_duckdb *db)
{
    mgl_duckdb_end(db);
    if (db->connection != NULL)
        db->calls.disconnect(&db->connection);
    if (db->database != NULL)
        db->calls.close(&db->database);
    mgl_spill_folder_remove(&db->folder);
    *db = (mgl_duckdb){0};
}

/* ---- Statements ----------------------------------------------------------------------- */

mgl_status mgl_duckdb_run(mgl_duckdb *db, const mgl_buffer *statement, mgl_error *err)
{
    mgl_buffer text = {0};
    if (statement->failed)
        return mgl_fail_memory(err);
    mgl_buffer_append(&text, statement->data, statement->size);
    mgl_buffer_append(&text, "", 1);
    mgl_status status =
        text.failed ? mgl_fail_memory(err) : mgl_duckdb_run_text(db, text.data, err);
    mgl_buffer_free(&text);
    return status;
}

mgl_status mgl_duckdb_run_text(mgl_duckdb *db, const char *statement, mgl_error *err)
{
    mgl_duckdb_end(db);
    if (db->calls.prepare(db->connection, statement, &db->prepared) != 0)
        return mgl_duckdb_fail(db, MGL_CODE_FORMAT, db->calls.prepare_error(db->prepared), err);
    int failed = db->calls.execute(db->prepared, &db->result);
    db->has_result = true;
    return failed == 0
               ? MGL_OK
               : mgl_duckdb_fail(db, MGL_CODE_FORMAT, db->calls.result_error(&db->result), err);
}

mgl_status mgl_duckdb_fetch(mgl_duckdb *db, mgl_error *err)
{
    if (db->chunk != NULL)
        db->calls.destroy_chunk(&db->chunk);
    db->chunk = db->calls.fetch_chunk(db->result);
    db->chunk_size = db->chunk != NULL ? db->calls.chunk_size(db->chunk) : 0;
    /* Rows that cannot be made look like the end. */
    const char *words = db->chunk == NULL ? db->calls.result_error(&db->result) : NULL;
    return words == NULL || words[0] == '\0' ? MGL_OK
                                             : mgl_duckdb_fail(db, MGL_CODE_FORMAT, words, err);
}

/* ---- Cells ---------------------------------------------------------------------------- */

mgl_duckdb_cells mgl_duckdb_column(const mgl_duckdb *db, size_t column)
{
    void *vector = db->calls.chunk_vector(db->chunk, column);
    return (mgl_duckdb_cells){db->calls.vector_data(vector), db->calls.vector_validity(vector)};
}

size_t mgl_duckdb_columns(const mgl_duckdb *db)
{
    return db->calls.chunk_columns(db->chunk);
}

bool mgl_duckdb_has(mgl_duckdb_cells cells, size_t row)
{
    return cells.validity == NULL || (cells.validity[row / 64] >> row % 64 & 1) != 0;
}

mgl_span mgl_duckdb_text_at(mgl_duckdb_cells cells, size_t row)
{
    const mgl_duckdb_text *text = (const mgl_duckdb_text *)cells.data + row;
    bool near = text->near.size <= sizeof text->near.data;
    return (mgl_span){near ? text->near.data : text->far.data, text->near.size};
}

static void quote(mgl_buffer *out, mgl_span text, char mark)
{
    mgl_buffer_append(out, &mark, 1);
    for (size_t i = 0; i < text.size; i++) {
        mgl_buffer_append(out, text.data + i, 1);
        if (text.data[i] == mark)
            mgl_buffer_append(out, &mark, 1);
    }
    mgl_buffer_append(out, &mark, 1);
}

void mgl_duckdb_identifier(mgl_buffer *out, mgl_span name)
{
    quote(out, name, '"');
}

void mgl_duckdb_literal(mgl_buffer *out, mgl_span text)
{
    quote(out, text, '\'');
}
