/* Connections to DuckDB: loads libduckdb on demand, runs statements, fetches cells, words its
 * errors and keeps its private folder for spilled data. */
#include "io/duckdb/duckdb.h"
#include "io/intake/intake.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct known_fault {
    const char *words; /* of the engine, in any place */
    mgl_code code;     /* MGL_CODE_NONE: that of the caller */
    const char *advice;
} known_fault;

#define BROKEN "the file is broken or was cut off: copy it or write it once more"
#define NO_DATABASE                                                                                \
    "it is no database of DuckDB: a Parquet file is named by its path alone, and a database by "   \
    "duckdb:FILE?table=NAME"

/* The first that is found counts. */
static const known_fault faults[] = {
    {"lock on file", MGL_CODE_DATABASE,
     "another program has the database open: close it there, or read a copy of the file"},
    {"Permission denied", MGL_CODE_FILE, "ask for the right to use the file"},
    {"No space left", MGL_CODE_FILE, "make room there, or write to another disk"},
    {"File too large", MGL_CODE_FILE, "write to another disk, or raise the limit for files"},
    {"Too many open files", MGL_CODE_FILE, "raise the limit for open files"},
    {"Out of Memory", MGL_CODE_MEMORY, "free some memory or use a machine with more of it"},
    {"allocate", MGL_CODE_MEMORY, "free some memory or use a machine with more of it"},
    {"No files found", MGL_CODE_NOT_FOUND, "check the path"},
    {"too small to be a Parquet file", MGL_CODE_FORMAT, BROKEN},
    {"No magic bytes", MGL_CODE_FORMAT,
     "it is no Parquet file, or it was cut off: copy it or write it once more"},
    {"ncrypt", MGL_CODE_FORMAT, "write the file without encryption for this"},
    {"not a valid DuckDB database", MGL_CODE_FORMAT, NO_DATABASE},
    {"in-memory database in read-only", MGL_CODE_FORMAT, NO_DATABASE},
    {"storage version", MGL_CODE_FORMAT,
     "another version of DuckDB wrote it: let MINGLE_DUCKDB name its library, or write the table "
     "to Parquet there"},
    {"version number", MGL_CODE_FORMAT,
     "another version of DuckDB wrote it: let MINGLE_DUCKDB name its library, or write the table "
     "to Parquet there"},
    {"checksum", MGL_CODE_FORMAT, BROKEN},
    {"Corrupt", MGL_CODE_FORMAT, BROKEN},
    {"Could not read", MGL_CODE_FORMAT, BROKEN},
    {"Failed to read", MGL_CODE_FORMAT, BROKEN},
    {"TType", MGL_CODE_FORMAT, BROKEN},
    {"Protocol", MGL_CODE_FORMAT, BROKEN},
    {"Thrift", MGL_CODE_FORMAT, BROKEN},
    {"Table with name", MGL_CODE_NOT_FOUND,
     "check the name behind ?table=, which may be NAME or SCHEMA.NAME"},
    {"xtension", MGL_CODE_UNSUPPORTED,
     "this needs an extension of DuckDB, and nothing is fetched: write the table to Parquet first"},
    {"Conversion Error", MGL_CODE_NONE,
     "a view converts its cells: change the view or what it reads"},
    {"Invalid Error", MGL_CODE_NONE, BROKEN},
    {"Invalid Input Error", MGL_CODE_NONE,
     "the file is broken, or a view in it fails: write it once more, or change the view"},
    {"Out of Range", MGL_CODE_NONE, "a view computes its cells: change the view or what it reads"},
};
#undef BROKEN
#undef NO_DATABASE

static const known_fault *find_fault(const char *words)
{
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++)
        if (strstr(words, faults[i].words) != NULL)
            return &faults[i];
    return NULL;
}

/* Kinds of errors that mention files, tables and columns, and never cells. */
static const char *const of_data[] = {"IO Error",     "Catalog Error",       "Permission Error",
                                      "Binder Error", "Out of Memory Error", "Not implemented"};

/* The words that other errors are made of. All else in them may be a cell. */
static const char vocabulary[] =
    " a actual all allocate allowed already an and any are array as at attempted be because before "
    "beyond block blob bool boolean buffer byte bytes bigint bit can cannot cast casting char "
    "character checksum chunk codec column columns compressed compression constraint contains "
    "conversion convert corrupt could data database date decimal decode decoded decoding "
    "decompress decompression deserialize destination detected dictionary did different directory "
    "division does don double duckdb duplicate empty encoding end enum eof error exception exceeds "
    "expected explicitly fail failed failure field file float for format found from fsst group "
    "gzip has header hugeint in incompatible index input int int16 int32 int64 int8 integer "
    "internal interval invalid is json key know lacks large length less level levels limit list "
    "loaded "
    "location lz4 magic map mask match maximum memory metadata mismatch missing more must name "
    "negative no not null number numeric object of offset on one only open or out outside overflow "
    "page parquet parse parsing physical please possible prepare primary protocol raised range "
    "read reader reading row rows schema seek select serialize set size small smallint snappy "
    "source statement statistics storage stored string struct subtraction multiplication addition "
    "supported syntax t table tell than that the there this thrift time timestamp timestamptz "
    "tinyint to too transport tried try trying try_cast ttype tprotocolexception type types "
    "ubigint "
    "uhugeint uint16 uint32 uint64 uint8 uinteger unable unexpected unicode unique unknown "
    "unsupported use uses using usmallint utf8 utinyint uuid valid value values varchar version "
    "violates was what when which while with within would write writer wrong zlib zone zstd ";

static bool in_word(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' ||
           (unsigned char)c >= 0x80;
}

static bool is_known_word(mgl_span word)
{
    char key[32];
    if (word.size + 3 > sizeof key)
        return false;
    key[0] = ' ';
    for (size_t i = 0; i < word.size; i++) {
        char c = word.data[i];
        key[i + 1] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
    }
    key[word.size + 1] = ' ';
    key[word.size + 2] = '\0';
    return strstr(vocabulary, key) != NULL;
}

/* Between quotes stands a cell or the name of a file, and a file can be seen to be there. */
static bool is_file(mgl_span quoted)
{
    char path[1024];
    mgl_file_state state;
    if (quoted.size == 0 || quoted.size >= sizeof path)
        return false;
    memcpy(path, quoted.data, quoted.size);
    path[quoted.size] = '\0';
    return mgl_sys_state_of(path, &state) == 0;
}

/* Up to the closing quote; SIZE_MAX: none follows on the line. */
static size_t quoted_size(const char *words, size_t size)
{
    for (size_t i = 1; i < size; i++)
        if (words[i] == words[0])
            return i - 1;
    return SIZE_MAX;
}

static void show_without_cells(mgl_buffer *out, const char *words, size_t size)
{
    char shown[MGL_SHOWN];
    for (size_t at = 0; at < size;) {
        bool inside_word = at > 0 && in_word(words[at - 1]); /* don't */
        bool quote = !inside_word && (words[at] == '\'' || words[at] == '"');
        size_t n = quote ? quoted_size(words + at, size - at) : SIZE_MAX;
        if (n != SIZE_MAX) {
            mgl_span inside = {words + at + 1, n};
            mgl_buffer_append(out, words + at, 1);
            if (is_file(inside))
                mgl_buffer_span(out, inside);
            else
                mgl_buffer_text(out, mgl_shown(inside, shown));
            mgl_buffer_append(out, words + at, 1);
            at += n + 2;
            continue;
        }
        for (n = 0; at + n < size && in_word(words[at + n]);)
            n++;
        mgl_span word = {words + at, n > 0 ? n : 1};
        if (n == 0 || is_known_word(word))
            mgl_buffer_span(out, word);
        else
            mgl_buffer_text(out, mgl_shown(word, shown));
        at += word.size;
    }
}

static void show(mgl_buffer *out, const char *words, size_t size)
{
    for (size_t i = 0; i < sizeof of_data / sizeof of_data[0]; i++)
        if (strncmp(words, of_data[i], strlen(of_data[i])) == 0) {
            mgl_buffer_append(out, words, size);
            return;
        }
    show_without_cells(out, words, size);
}

mgl_status mgl_duckdb_fail(const mgl_duckdb *db, mgl_code code, const char *words, mgl_error *err)
{
    enum { MOST = 600 };
    words = words != NULL && words[0] != '\0' ? words : "nothing";
    size_t size = strcspn(words, "\n");
    const char *see = strstr(words, " See also http");
    if (see != NULL && (size_t)(see - words) < size)
        size = (size_t)(see - words); /* links to pages */
    while (size > 0 && strchr("!. ", words[size - 1]) != NULL)
        size--;
    const known_fault *fault = find_fault(words);
    mgl_buffer shown = {0};
    show(&shown, words, size < MOST ? size : MOST);
    mgl_buffer_append(&shown, "", 1);
    mgl_status status =
        shown.failed
            ? mgl_fail_memory(err)
            : mgl_fail_at(err, fault != NULL && fault->code != MGL_CODE_NONE ? fault->code : code,
                          db->name, 0, "DuckDB says: %s%s%s", shown.data, fault != NULL ? "; " : "",
                          fault != NULL ? fault->advice : "");
    mgl_buffer_free(&shown);
    return status;
}

static const char prefix[] = "mingle-duckdb-";

static const char *above(void)
{
    const char *value = getenv("TMPDIR");
    return value != NULL && value[0] != '\0' ? value : "/tmp";
}

static void remove_files(int folder)
{
    int copy = dup(folder);
    DIR *open = copy >= 0 ? fdopendir(copy) : NULL;
    if (open == NULL && copy >= 0)
        (void)close(copy);
    for (const struct dirent *e; open != NULL && (e = readdir(open)) != NULL;)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
            (void)unlinkat(folder, e->d_name, 0);
    if (open != NULL)
        closedir(open);
}

/* Opens a folder of ours and locks it; -1 if it is not ours, or in use. */
static int lock_folder(int at, const char *name)
{
    struct stat state;
    int folder = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && (fstat(folder, &state) != 0 || state.st_uid != geteuid() ||
                        flock(folder, LOCK_EX | LOCK_NB) != 0)) {
        (void)close(folder);
        return -1;
    }
    return folder;
}

static void remove_abandoned(void)
{
    DIR *open = opendir(above());
    for (const struct dirent *e; open != NULL && (e = readdir(open)) != NULL;) {
        if (strncmp(e->d_name, prefix, sizeof prefix - 1) != 0)
            continue;
        int folder = lock_folder(dirfd(open), e->d_name);
        if (folder < 0)
            continue;
        remove_files(folder);
        (void)unlinkat(dirfd(open), e->d_name, AT_REMOVEDIR);
        (void)close(folder);
    }
    if (open != NULL)
        closedir(open);
}

/* Another run may take a folder for abandoned before it is locked: then it is gone, or locked by
 * that one, and another is made. */
static bool make_locked(mgl_spill_folder *f)
{
    enum { ATTEMPTS = 8, MARKS = 6 };
    for (int i = 0; i < ATTEMPTS; i++) {
        memset(f->path + strlen(f->path) - MARKS, 'X', MARKS);
        struct stat made, named;
        if (mkdtemp(f->path) == NULL)
            return false;
        f->lock = lock_folder(AT_FDCWD, f->path);
        if (f->lock >= 0 && fstat(f->lock, &made) == 0 && stat(f->path, &named) == 0 &&
            made.st_ino == named.st_ino)
            return true;
        if (f->lock >= 0)
            (void)close(f->lock);
        f->lock = -1;
    }
    return false;
}

/* Makes one that only this user may enter, in TMPDIR or /tmp, and removes those that runs left
 * behind which were killed. Remove with spill_folder_remove, also on failure. */
static mgl_status spill_folder_make(mgl_error *err, mgl_spill_folder *out)
{
    *out = (mgl_spill_folder){.lock = -1};
    if (mgl_sys_in_memory(-1))
        return MGL_OK;
    remove_abandoned();
    mgl_buffer path = {0};
    mgl_buffer_format(&path, "%s/%sXXXXXX", above(), prefix);
    MGL_TRY(mgl_buffer_take(&path, err, &out->path));
    if (make_locked(out))
        return MGL_OK;
    mgl_free(out->path);
    out->path = NULL;
    return mgl_fail_temporary(err, "create");
}

static void spill_folder_remove(mgl_spill_folder *f)
{
    if (f->path != NULL && f->lock >= 0) {
        remove_files(f->lock);
        (void)rmdir(f->path);
        (void)close(f->lock);
    }
    mgl_free(f->path);
    *f = (mgl_spill_folder){.lock = -1};
}

static const char *const functions[] = {MGL_DUCKDB_FUNCTIONS(MGL_DUCKDB_NAME)};

enum { N_FUNCTIONS = sizeof functions / sizeof functions[0] };

/* Where mingle-fetch-duckdb puts the library, if it did; else the loader looks for it. Never in the
 * current folder. */
static void find_library(mgl_buffer *out)
{
    const char *value = getenv("MINGLE_DUCKDB"), *data = getenv("XDG_DATA_HOME");
    const char *home = getenv("HOME");
    mgl_file_state state;
    if (value != NULL && value[0] != '\0')
        mgl_buffer_text(out, value);
    else if (data != NULL && data[0] == '/')
        mgl_buffer_format(out, "%s/mingle/libduckdb.so", data);
    else if (home != NULL && home[0] == '/')
        mgl_buffer_format(out, "%s/.local/share/mingle/libduckdb.so", home);
    mgl_buffer_append(out, "", 1);
    if (out->failed || (value != NULL && value[0] != '\0') ||
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
    MGL_TRY(spill_folder_make(err, &db->folder));
    bool opened =
        configure(db, file != NULL && (limits == NULL || !limits->writes), limits, &config) &&
        db->calls.open(file, &db->database, config, &words) == 0 &&
        db->calls.connect(db->database, &db->connection) == 0;
    if (config != NULL)
        db->calls.destroy_config(&config);
    /* Moments with a zone read the same on every machine; builds without zones stay as they are. */
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
    spill_folder_remove(&db->folder);
    *db = (mgl_duckdb){0};
}

mgl_status mgl_duckdb_run(mgl_duckdb *db, mgl_buffer *statement, mgl_error *err)
{
    char *text;
    MGL_TRY(mgl_buffer_take(statement, err, &text));
    mgl_status status = mgl_duckdb_run_text(db, text, err);
    mgl_free(text);
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

mgl_status mgl_duckdb_run_to_end(mgl_duckdb *db, mgl_buffer *statement, mgl_error *err)
{
    MGL_TRY(mgl_duckdb_run(db, statement, err));
    do
        MGL_TRY(mgl_duckdb_fetch(db, err));
    while (db->chunk_size > 0);
    return MGL_OK;
}

mgl_status mgl_duckdb_each_column(mgl_duckdb *db, mgl_buffer *table, mgl_duckdb_column_fn *visit,
                                  void *context, mgl_error *err)
{
    mgl_buffer statement = {.failed = table->failed};
    mgl_buffer_text(&statement, "SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM ");
    mgl_buffer_span(&statement, (mgl_span){table->data, table->size});
    mgl_buffer_text(&statement, ")");
    mgl_buffer_free(table);
    MGL_TRY(mgl_duckdb_run(db, &statement, err));
    for (;;) {
        MGL_TRY(mgl_duckdb_fetch(db, err));
        if (db->chunk_size == 0)
            return MGL_OK;
        mgl_duckdb_cells names = mgl_duckdb_column(db, 0), types = mgl_duckdb_column(db, 1);
        for (size_t r = 0; r < db->chunk_size; r++)
            MGL_TRY(
                visit(context, mgl_duckdb_text_at(names, r), mgl_duckdb_text_at(types, r), err));
    }
}

mgl_status mgl_duckdb_ask_numbers(mgl_duckdb *db, mgl_buffer *statement, size_t n, mgl_error *err,
                                  uint64_t *numbers)
{
    MGL_TRY(mgl_duckdb_run(db, statement, err));
    MGL_TRY(mgl_duckdb_fetch(db, err));
    if (db->chunk_size != 1)
        return mgl_duckdb_fail(db, MGL_CODE_DATABASE, "no answer", err);
    for (size_t i = 0; i < n; i++) {
        mgl_duckdb_cells cells = mgl_duckdb_column(db, i);
        numbers[i] = mgl_duckdb_has(cells, 0) ? *(const uint64_t *)cells.data : 0;
    }
    return MGL_OK;
}

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
