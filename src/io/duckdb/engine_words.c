/* Makes a message of what DuckDB says: the engine's words, what is to be done, and no cell of the
 * data among them. Whoever sends the engine a statement calls it. */
#include "io/duckdb/duckdb.h"

#include <string.h>

/* ---- What to do ------------------------------------------------------------------------- */

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

/* ---- What may be shown -------------------------------------------------------------------- */

/* Kinds of errors that tell of files, tables and columns, and never of cells. */
static const char *const of_things[] = {"IO Error",     "Catalog Error",       "Permission Error",
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
    for (size_t i = 0; i < sizeof of_things / sizeof of_things[0]; i++)
        if (strncmp(words, of_things[i], strlen(of_things[i])) == 0) {
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
        size = (size_t)(see - words); /* where pages are that tell more */
    while (size > 0 && strchr("!. ", words[size - 1]) != NULL)
        size--;
    const known_fault *fault = find_fault(words);
    mgl_buffer told = {0};
    show(&told, words, size < MOST ? size : MOST);
    mgl_buffer_append(&told, "", 1);
    mgl_status status =
        told.failed
            ? mgl_fail_memory(err)
            : mgl_fail_at(err, fault != NULL && fault->code != MGL_CODE_NONE ? fault->code : code,
                          db->name, 0, "DuckDB says: %s%s%s", told.data, fault != NULL ? "; " : "",
                          fault != NULL ? fault->advice : "");
    mgl_buffer_free(&told);
    return status;
}
