/* Databases: connections, drivers and dialects. Private to io/sql.
 *
 * A driver connects to an engine through its library; a dialect defines how that engine writes SQL.
 * Both are tables with one row each. Everything above works with texts: a statement goes in, rows
 * of texts come out. */
#ifndef MGL_IO_SQL_H
#define MGL_IO_SQL_H

#include "base/base.h"
#include "io/io.h"

/* Appends the text as code units of two bytes. Bytes that are no UTF-8 become U+FFFD. */
void mgl_utf8_to_utf16(mgl_buffer *out, mgl_span text);
/* Appends n code units as UTF-8. Halves of a pair that stand alone become U+FFFD. */
void mgl_utf16_to_utf8(mgl_buffer *out, const uint16_t *units, size_t n);

/* ---- Locations ------------------------------------------------------------------ */

/* A table by name; schema NULL: where the engine looks first. */
typedef struct mgl_sql_table {
    const char *catalog; /* that the schema is in, where a script names one; NULL */
    const char *schema, *name;
    const char *rows; /* of the table that is read: a condition in SQL; NULL: all */
} mgl_sql_table;

/* postgresql://...?table=T, sqlite:FILE?table=T, odbc:DSN=...;?table=T */
typedef struct mgl_sql_location {
    const struct mgl_sql_driver *driver;
    mgl_arena *arena;   /* of its texts */
    const char *server; /* what the driver connects to: the location without its table */
    const char *name;   /* for messages and results: without users and their like */
    mgl_sql_table table;
    bool makes_file; /* a database that is a file may be made */
} mgl_sql_location;

/* The driver of a location; NULL if it is not one of a database. */
const struct mgl_sql_driver *mgl_sql_driver_of(const char *location);
/* A password in it is refused: it would be visible in the list of processes. Free with
 * mgl_sql_location_free. */
mgl_status mgl_sql_location_parse(const char *location, mgl_error *err, mgl_sql_location *out);
void mgl_sql_location_free(mgl_sql_location *location);
/* NAME, SCHEMA.NAME, and if there may be catalogs CATALOG.SCHEMA.NAME; each can stand in double
 * quotes. The names live in the arena. */
mgl_status mgl_sql_table_parse(const char *text, bool catalogs, mgl_arena *arena, mgl_error *err,
                               mgl_sql_table *out);

/* ---- Dialects: one row per engine ------------------------------------------------- */

/* How a table gets another name. */
typedef enum mgl_sql_renaming {
    MGL_SQL_RENAME_TO,   /* ALTER TABLE s.a RENAME TO b */
    MGL_SQL_RENAME_PATH, /* ALTER TABLE s.a RENAME TO s.b */
    MGL_SQL_RENAME_TABLE,
    MGL_SQL_RENAME_PROCEDURE /* EXEC sp_rename */
} mgl_sql_renaming;

typedef struct mgl_sql_dialect {
    const char *name;
    const char *product;     /* how an ODBC driver calls the engine */
    const char *text;        /* type of texts */
    const char *as_text;     /* function that makes a text; NULL: a cast to that type */
    const char *cast;        /* what texts are cast to; NULL: that type */
    const char *hex;         /* function that writes bytes as text; NULL: a cast does */
    const char *session;     /* statements that a connection begins with, one a line; NULL: none */
    const char *speaks_utf8; /* a query that returns 1 if texts are UTF-8; NULL: they are */
    const char *claim;    /* takes the lock with the name ? until the connection ends, and returns 1
                             and the server; NULL if there is no such lock */
    const char *orphans;  /* schema, name of tables whose comment names a lock that is not held */
    const char *bytewise; /* behind a text: compare its bytes; "": that is how it is compared */
    const char *before;   /* before such a text, where that is a function; NULL: nothing */
    const char *end_mark; /* put behind texts that are compared, since the engine takes blanks at
                             their ends, or an empty text, for nothing; NULL: it does not */
    const char *unmarked; /* the text without that, %s: its name, twice */
    const char *national; /* before literals; NULL: nothing */
    const char *setting;  /* a statement that scripts begin with; NULL: none */
    const char *unload; /* how rows of a query become a CSV file, in words for the person who runs a
                           script; NULL if unknown */
    const char *load;   /* how a CSV file gets into a table, %s: its name; NULL: likewise */
    const char *made_as;    /* behind the name or the columns of a table that is made; NULL */
    const char *random;     /* what rows are shuffled by */
    const char *create_map; /* how the table of released values is begun */
    const char *analyze;    /* updates the statistics of the planner; NULL if not needed */
    const char *begin;      /* a transaction that sees one state of the data; NULL: there is none */
    const char *columns;    /* name, type, exact, opaque of each column of the table with the
                               parameters schema and name; NULL: ask the driver */
    const char *partitions; /* schema, name, foreign, readable of each partition; NULL: none */
    mgl_sql_renaming renaming;
    char quote;             /* around identifiers; doubled inside them */
    char quote_end;         /* where they end with another one, which is doubled; 0: the same */
    bool backslashes;       /* in literals they have to be doubled, too */
    bool escapes;           /* in literals a backslash stands before quotes and backslashes, and
                               what ends lines is written as a letter */
    bool names_escape;      /* so it is in identifiers */
    bool names_lack_quotes; /* no identifier can have a quote in it */
    bool selects_into;      /* SELECT ... INTO in place of CREATE TABLE ... AS SELECT */
    bool fetches_bytes;     /* an ODBC driver gives texts as their bytes, which are UTF-8: as texts
                               they would end with the first 0 */
    bool casts_bytewise;    /* texts are compared by the rules of a language unless each comparison
                               states otherwise */
    uint32_t most;          /* characters that a text can have; 0: any number */
    uint32_t sort_bytes;    /* of a text that sorts and groups look at by default; 0: all */
    uint32_t row_bytes; /* of columns that are no long texts, in a row; released texts are as wide
                           as the longest if they fit. 0: texts have no widths */
    uint32_t index_parts, index_bytes; /* of an index on texts at most; 0: maps need none */
    bool indexes_columns; /* joins have an index of columns alone: maps are joined by theirs as they
                             are, which a file that is imported leaves without NULL */
    bool map_beside;      /* the map lies in the schema of the release; otherwise it is temporary */
    bool undoes_create;   /* a rollback undoes CREATE TABLE, too */
    bool filters;         /* texts are compared byte for byte: it can leave rows out */
    const char *plan;     /* settings of the planner once a transaction has begun; NULL if none */
    /* Functions that hash a text or a whole number, with a number to begin with. NULL: there are
     * none. Maps are joined by a hash of their keys then: a planner with statistics of many columns
     * cannot guess what a join on all of them gives, of one it can. */
    const char *hash_text, *hash_whole;
    /* A row if those of the table with the parameters schema and name have a place that place_order
     * can be made of; NULL: they have none. */
    const char *has_places;
    const char *place_order; /* hashes the place of a row (s.) with a number, %lld */
    const char *series;      /* whole numbers i from 1 to m.n, behind FROM; NULL: there are none */
    /* A query for rights, before anything is done; NULL: none. Parameters are schema and name
     * of a table. */
    const char *unreadable; /* the role, and a column that it may not read */
    const char *forbidden;  /* the role, and the schema it may not make that table in (NULL: there
                               is none) */
    const char *fleeting;   /* a schema whose tables end with the connection; NULL: there is none */
    /* Of a table that is to be replaced (the last two parameters are what is read): why it cannot
     * be, or NULL. */
    const char *irreplaceable;
    const char *grants; /* statements that give others the rights that they have on a table */
    const char *lock;   /* takes the lock with a number, %lld, of this database: 1, or 0 if another
                           connection to it has it; NULL: there are no such locks */
} mgl_sql_dialect;

const mgl_sql_dialect *mgl_sql_dialects(size_t *n);
const mgl_sql_dialect *mgl_sql_dialect_find(const char *name);
/* By what an ODBC driver calls its engine; standard SQL if no row fits. */
const mgl_sql_dialect *mgl_sql_dialect_of_product(const char *product);

/* Can it be an identifier of the engine? */
bool mgl_sql_can_be_name(const mgl_sql_dialect *dialect, const char *name);
void mgl_sql_identifier(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *name);
void mgl_sql_literal(mgl_buffer *out, const mgl_sql_dialect *dialect, mgl_span text);
void mgl_sql_table_name(mgl_buffer *out, const mgl_sql_dialect *dialect,
                        const mgl_sql_table *table);
/* The rows of a table that are read, behind FROM; called so. alias NULL: they need no name. */
void mgl_sql_rows_name(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_sql_table *table,
                       const char *alias);

/* ---- Connections ---------------------------------------------------------------- */

typedef struct mgl_sql {
    const struct mgl_sql_driver *driver;
    const mgl_sql_dialect *dialect;
    void *state;                  /* of the driver */
    const char *name;             /* for messages */
    const mgl_progress *progress; /* called while an engine works; optional */
    const char *stage;            /* the stage that is reported */
    mgl_span *cells;              /* [n_cells] of the row that was fetched; data NULL: NULL */
    size_t n_cells, room;
    bool makes_file; /* as in mgl_sql_location */
    char *made; /* a file that was made and has no table yet: it goes with the connection; NULL */
    mgl_arena *arena; /* of names of tables and columns, and what else lives with the connection */
    const char *mark; /* comment of tables that are staged, which names the lock; NULL if none is
                         held */
} mgl_sql;

/* Gives the next row to be loaded; false: there are no more. */
typedef bool mgl_sql_row_fn(void *context, mgl_span *cells);
typedef struct mgl_sql_rows {
    size_t n_columns;
    mgl_sql_row_fn *next;
    void *context;
} mgl_sql_rows;

/* A column by its driver. */
typedef struct mgl_sql_kind {
    bool exact, opaque; /* as in mgl_sql_column */
    bool text;
    uint64_t width; /* characters at most; 0: unknown */
} mgl_sql_kind;

typedef struct mgl_sql_driver {
    const char *scheme;     /* "postgresql:" */
    const char *engine;     /* "PostgreSQL" */
    const char *separators; /* what stands before each KEY=VALUE of a location */
    const char *secrets;    /* keys whose values are secret, each between spaces */
    const char *users;      /* keys whose values name a user, each between spaces */
    bool typed;             /* load puts texts into columns of any type */
    bool makes_file;        /* that is not there yet: then there is no table either */
    /* Sets state and dialect. NULL: this build lacks the driver. */
    mgl_status (*connect)(mgl_sql *sql, const char *server, mgl_error *err);
    void (*close)(mgl_sql *sql);
    /* Sends a statement; each ? stands for one of the values. Its rows can be fetched after it. */
    mgl_status (*send)(mgl_sql *sql, const char *statement, const mgl_span *values, size_t n_values,
                       mgl_error *err);
    mgl_status (*fetch)(mgl_sql *sql, mgl_error *err, bool *there);
    void (*finish)(mgl_sql *sql); /* no more rows are needed */
    /* Puts rows into a table whose columns are text. */
    mgl_status (*load)(mgl_sql *sql, const char *table, const mgl_sql_rows *rows, mgl_error *err);
    /* Name and kind of column i of the statement; NULL: the dialect has a query for it. */
    mgl_status (*column)(mgl_sql *sql, size_t i, mgl_error *err, mgl_buffer *name,
                         mgl_sql_kind *kind);
    /* A transaction as the driver begins and ends it, where the dialect has no words for it. NULL:
     * there is none. */
    mgl_status (*begin)(mgl_sql *sql, mgl_error *err);
    mgl_status (*end)(mgl_sql *sql, bool keep, mgl_error *err);
} mgl_sql_driver;

extern const mgl_sql_driver mgl_sql_postgresql, mgl_sql_sqlite, mgl_sql_odbc, mgl_sql_duckdb;

/* Free with mgl_sql_close. */
mgl_status mgl_sql_connect(const mgl_sql_location *location, mgl_error *err, mgl_sql **out);
void mgl_sql_close(mgl_sql *sql);
/* For drivers of files: fails if there is no file, unless it may be made. *made: there is none, and
 * sql->made is where it is to be made, links resolved. */
mgl_status mgl_sql_find_file(mgl_sql *sql, const char *path, mgl_error *err, bool *made);
/* A statement without rows. This and what sends others take the statement over, whatever comes. */
mgl_status mgl_sql_run(mgl_sql *sql, mgl_buffer *statement, mgl_error *err);
/* A transaction that sees one state of the data, if the engine has such. */
mgl_status mgl_sql_begin(mgl_sql *sql, mgl_error *err);
mgl_status mgl_sql_commit(mgl_sql *sql, mgl_error *err);
mgl_status mgl_sql_rollback(mgl_sql *sql, mgl_error *err);
/* Statements, one a line. */
mgl_status mgl_sql_run_text(mgl_sql *sql, const char *statements, mgl_error *err);
mgl_status mgl_sql_send(mgl_sql *sql, mgl_buffer *statement, mgl_error *err);
/* One row of numbers; a sum over nothing is 0. */
mgl_status mgl_sql_ask_numbers(mgl_sql *sql, mgl_buffer *statement, size_t n, mgl_error *err,
                               uint64_t *numbers);
/* The next row; *there is false after the last. Texts that are no UTF-8 are refused. */
mgl_status mgl_sql_fetch(mgl_sql *sql, mgl_error *err, bool *there);
void mgl_sql_finish(mgl_sql *sql);

/* ---- Tables under names of their own ---------------------------------------------- */

/* Gives a staged table its name, and takes its comment away. */
mgl_status mgl_sql_publish(mgl_sql *sql, const mgl_sql_table *staged, const char *name,
                           mgl_error *err);

/* A copy that lives as long as the connection. */
mgl_status mgl_sql_keep(mgl_sql *sql, mgl_span text, mgl_error *err, const char **out);
/* A parameter of a statement; NULL: it is NULL. */
static inline mgl_span mgl_sql_value(const char *text)
{
    return text != NULL ? mgl_span_of(text) : (mgl_span){NULL, 0};
}

/* ---- For drivers ---------------------------------------------------------------- */

/* Room for a row of n cells. */
mgl_status mgl_sql_expect(mgl_sql *sql, size_t n, mgl_error *err);
/* The engine's own words, on one line; state is the SQLSTATE, or NULL. */
mgl_status mgl_sql_fail(const mgl_sql *sql, const char *state, const char *words, mgl_error *err);
/* MGL_CANCELLED if the progress callback cancels. */
mgl_status mgl_sql_ask(const mgl_sql *sql, mgl_error *err);

/* ---- Columns -------------------------------------------------------------------- */

typedef struct mgl_sql_column {
    const char *name, *type;
    bool exact;   /* values are equal exactly if their texts are: they can be grouped as they are */
    bool texts;   /* exact, and compared by a collation */
    bool whole;   /* exact, and whole numbers */
    bool numbers; /* whole numbers come back as they were put in, whatever else there may be */
    bool opaque;  /* bytes, lists and the like: nothing that could be generalized */
    bool text;
    uint64_t width; /* of a text, in characters; 0: unknown */
} mgl_sql_column;

typedef struct mgl_sql_columns {
    mgl_sql_column *list;
    size_t n, room;
} mgl_sql_columns;

/* n is 0 if the table does not exist (or it fails, where the engine has no catalog). Free with
 * mgl_sql_columns_free, also on failure. */
mgl_status mgl_sql_describe(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err,
                            mgl_sql_columns *out);
/* Before rows of the table are grouped: has the engine look at texts as long as they are, where it
 * would look at their beginnings alone. */
mgl_status mgl_sql_fit_sorts(mgl_sql *sql, const mgl_sql_table *table,
                             const mgl_sql_columns *columns, mgl_error *err);
/* MGL_DATA if a cast would cut texts of the table. */
mgl_status mgl_sql_refuse_long(mgl_sql *sql, const mgl_sql_table *table,
                               const mgl_sql_columns *columns, mgl_error *err);
void mgl_sql_columns_free(mgl_sql_columns *columns);
/* May the table be made? MGL_DATA if it is there already and is not to be replaced, or cannot be.
 * source: what is read; NULL: nothing of this database. */
mgl_status mgl_sql_check_target(mgl_sql *sql, const mgl_sql_location *target, bool overwrite,
                                const mgl_sql_table *source, mgl_error *err);
/* MGL_DATA if the schema is one whose tables another connection made and alone can read. */
mgl_status mgl_sql_refuse_temporary_source(const mgl_sql *sql, const mgl_sql_location *source,
                                           mgl_error *err);
/* MGL_SYSTEM if the role may not read one of these columns. */
mgl_status mgl_sql_check_reading(mgl_sql *sql, const mgl_sql_location *source,
                                 const mgl_sql_columns *columns, const mgl_push_target *target,
                                 mgl_error *err);
mgl_status mgl_sql_drop(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err);
/* Drops a table, if it is there, that a new one takes the place of. *grants: what has to be run
 * when that has its name, so that others keep their rights. */
mgl_status mgl_sql_drop_replaced(mgl_sql *sql, const mgl_sql_table *old, mgl_error *err,
                                 mgl_buffer *grants);
mgl_status mgl_sql_run_all(mgl_sql *sql, const mgl_buffer *statements, mgl_error *err);
/* Do two connections, both in a transaction, lead to the same database? As the same role? */
mgl_status mgl_sql_same_database(mgl_sql *one, mgl_sql *other, mgl_error *err, bool *database,
                                 bool *role);

typedef struct mgl_sql_partitions {
    mgl_sql_table *list;
    size_t n, room;
} mgl_sql_partitions;

/* The partitions to be counted one by one, because each lies on a machine of its own; none if
 * that would be of no use. Free with mgl_sql_partitions_free, also on failure. */
mgl_status mgl_sql_find_partitions(mgl_sql *sql, const mgl_sql_table *table, mgl_error *err,
                                   mgl_sql_partitions *out);
void mgl_sql_partitions_free(mgl_sql_partitions *partitions);

/* ---- Statements ----------------------------------------------------------------- */

/* For makers of statements. table: what stands before the column; NULL: nothing does, or the column
 * has one of our own names (c1). */
extern const char mgl_sql_own_names[];
struct mgl_sql_counting;
struct mgl_sql_cells;
struct mgl_sql_groups;
void mgl_sql_write_text(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *table,
                        const char *column);
/* Writes SQL by a format, in which stand for what follows it
 *   %i  an identifier, %s a text as it is, %z a size_t
 *   %t  a table by its name; %r its rows that are read: the table, and what they are called
 *   %x  a text: table and column as above; %k a compared key: cells, table and column
 *   %l  a literal: an mgl_span
 *   %n  c1, c2, ...: a letter, and how many */
void mgl_sql_append(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *format, ...);
/* What stands around a text that is compared byte for byte, or grouped by. */
void mgl_sql_begin_compared(mgl_buffer *out, const mgl_sql_dialect *dialect);
void mgl_sql_end_compared(mgl_buffer *out, const mgl_sql_dialect *dialect);
/* The type of a column whose texts are compared byte for byte. */
void mgl_sql_write_compared_type(mgl_buffer *out, const mgl_sql_dialect *dialect);
/* Such a text, by its name, as it was. */
void mgl_sql_write_uncompared(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *name);
/* A table made of rows: what stands before SELECT, and before FROM. columns: behind its name; NULL:
 * nothing. */
void mgl_sql_begin_make(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *create,
                        const mgl_sql_table *table, const mgl_buffer *columns);
void mgl_sql_end_make(mgl_buffer *out, const mgl_sql_dialect *dialect, const mgl_sql_table *table);
/* What stands behind the columns of a table that is made empty. */
void mgl_sql_end_columns(mgl_buffer *out, const mgl_sql_dialect *dialect);
/* The type of any other column of texts. */
void mgl_sql_write_plain_type(mgl_buffer *out, const mgl_sql_dialect *dialect);
/* ", INDEX (k1(64), k2(64))", where the engine needs one to look up rows by columns of that
 * letter. */
void mgl_sql_write_index(mgl_buffer *out, const mgl_sql_dialect *dialect, char letter, size_t first,
                         size_t n);
/* A column of a table by its alias (NULL: of no other), or by its number in a table of ours. */
void mgl_sql_write_column(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *table,
                          const char *column);
/* What maps and groups call a cell: its text, with one text for all that is missing. Equality of
 * such texts can be hashed, which a comparison that is true of two NULLs cannot. */
void mgl_sql_write_key(mgl_buffer *out, const mgl_sql_dialect *dialect,
                       const struct mgl_sql_cells *cells, const char *table, const char *column);
void mgl_sql_write_compared_key(mgl_buffer *out, const mgl_sql_dialect *dialect,
                                const struct mgl_sql_cells *cells, const char *table,
                                const char *column);
/* What such texts are compared with. */
void mgl_sql_write_compared_literal(mgl_buffer *out, const mgl_sql_dialect *dialect, mgl_span text);
/* Rows of the source, or its groups counted partition by partition: columns c1, ...; true: with
 * counts n. */
bool mgl_sql_write_counted(mgl_buffer *out, const mgl_sql_dialect *dialect,
                           const struct mgl_sql_counting *counting);

/* " COMMENT = '...'"; nothing for NULL. */
void mgl_sql_write_mark(mgl_buffer *out, const mgl_sql_dialect *dialect, const char *mark);

/* All columns of all rows, as texts; bytes in hexadecimal where a cast would lose some. */
void mgl_sql_write_select(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *table, const mgl_sql_columns *columns);

/* What is to be counted: the columns by number, of the table or of each of its partitions. */
typedef struct mgl_sql_counting {
    const mgl_sql_table *table;
    const mgl_sql_partitions *partitions; /* n 0: the table itself */
    const mgl_sql_columns *columns;
    const size_t *wanted;
    size_t n_wanted;
    const struct mgl_sql_cells *cells; /* whatever is missing is one value; NULL: as it stands */
} mgl_sql_counting;

/* The distinct combinations of the columns, and how often each occurs. */
void mgl_sql_write_count(mgl_buffer *out, const mgl_sql_dialect *dialect,
                         const mgl_sql_counting *counting);
/* How many rows that gives. */
void mgl_sql_write_number_of_groups(mgl_buffer *out, const mgl_sql_dialect *dialect,
                                    const mgl_sql_counting *counting);
/* How many of them one row has. */
void mgl_sql_write_number_alone(mgl_buffer *out, const mgl_sql_dialect *dialect,
                                const mgl_sql_counting *counting);

/* Of one column: distinct values, values that occur once, values without spaces, points and
 * commas. */
void mgl_sql_write_uniqueness(mgl_buffer *out, const mgl_sql_dialect *dialect,
                              const mgl_sql_table *table, const mgl_sql_column *column);
/* Rows whose value of the column occurs again, and those of them whose value goes with a single
 * value of each of the columns `others`. */
void mgl_sql_write_telling(mgl_buffer *out, const mgl_sql_dialect *dialect,
                           const mgl_sql_table *table, const mgl_sql_column *column,
                           const char *const *others, size_t n_others);

/* How the cells of a column are compared: NULL reads as no_value, and whatever is missing as the
 * first of the tokens. */
typedef struct mgl_sql_cells {
    const mgl_span *missing;
    size_t n_missing;
    mgl_span no_value;
} mgl_sql_cells;

/* The table of groups that rare combinations of columns are put into: k1.. are the values of each
 * combination, c1.. the labels of its group. */
typedef struct mgl_sql_groups {
    const mgl_sql_table *source, *table;
    const mgl_sql_partitions *partitions; /* n 0: the source itself */
    const mgl_sql_columns *columns;
    const size_t *keys; /* [n_keys] columns of the source */
    size_t n_keys;
    const mgl_sql_table *levels; /* [n_keys] tables of l0, l1, ...: values and labels */
    const uint32_t *heights;     /* [n_keys] */
    uint64_t least;
    mgl_sql_cells cells;
} mgl_sql_groups;

/* The condition that a filter is, in SQL. */
void mgl_sql_write_filter(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_columns *columns, const mgl_sql_cells *cells,
                          const mgl_cell_filter *filter);

/* A table of so many columns of text, l0, l1, ... */
void mgl_sql_write_levels(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *table, uint32_t n_levels);
/* Values of a column that are not in the first column of a table of levels, and how often each
 * occurs. */
void mgl_sql_write_others(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *source, const char *column,
                          const mgl_sql_table *levels, const mgl_sql_cells *cells);
void mgl_sql_write_groups(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_groups *groups);
/* As mgl_sql_write_count, with the labels of groups in the place of the values of their columns. */
void mgl_sql_write_group_count(mgl_buffer *out, const mgl_sql_dialect *dialect,
                               const mgl_sql_groups *groups, const size_t *wanted, size_t n_wanted);

/* A release that the engine writes: its columns are taken from the source or from the map. */
typedef struct mgl_sql_release {
    const mgl_sql_table *source, *map, *target;
    const char *const *names; /* [n_columns] */
    const size_t *places;     /* [n_columns] place in the map; SIZE_MAX: as in the source */
    size_t n_columns, n_mapped;
    const char *const *keys;  /* [n_mapped] columns of the source that the map is looked up by */
    const char *const *types; /* [n_mapped] of released texts; NULL, or one of them: text */
    bool repeats;             /* the release is made of the map alone: each row n times, in the
                                 order of a hash of its o. It has no keys */
    const bool *filled;       /* [n_mapped] no cell is missing; NULL: of any column one may be */
    const mgl_sql_column *const *typed; /* [n_mapped] filled columns that are compared as they are,
                                           NULL: by their texts; NULL: all are */
    int64_t hash_seed; /* that the hash of keys begins with; 0: they are compared one by one */
    const char *order; /* what rows are shuffled by; NULL: that of the dialect */
    mgl_sql_cells cells;
    const mgl_sql_groups *groups; /* by whose labels the map is looked up; NULL: by the cells */
    bool shuffle;
    const uint64_t *widths; /* [n_mapped] characters of the longest released text; NULL: any */
    const char *mark;       /* comment of the target until it is published; NULL: none */
} mgl_sql_release;

void mgl_sql_write_map(mgl_buffer *out, const mgl_sql_dialect *dialect,
                       const mgl_sql_release *release);
/* Of each released column, characters of its longest text. */
void mgl_sql_write_widths(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_release *release);
void mgl_sql_write_release(mgl_buffer *out, const mgl_sql_dialect *dialect,
                           const mgl_sql_release *release);
void mgl_sql_write_rename(mgl_buffer *out, const mgl_sql_dialect *dialect,
                          const mgl_sql_table *from, const char *to);
void mgl_sql_write_drop(mgl_buffer *out, const mgl_sql_dialect *dialect,
                        const mgl_sql_table *table);

#endif
