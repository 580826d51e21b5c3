/* Parses locations of tables in databases, SCHEME:SERVER?table=NAME, and writes them without
 * secrets. */
#include "io/sql/read_database.h"

#include <strings.h>

const mgl_sql_driver *mgl_sql_driver_of(const char *location)
{
    static const mgl_sql_driver *const drivers[] = {&mgl_sql_postgresql, &mgl_sql_sqlite,
                                                    &mgl_sql_odbc, &mgl_sql_duckdb};
    for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++)
        if (strncmp(location, drivers[i]->scheme, strlen(drivers[i]->scheme)) == 0)
            return drivers[i];
    return strncmp(location, "postgres://", 11) == 0 ? &mgl_sql_postgresql : NULL;
}

/* Is the key of this field one of the list? */
static bool is_listed(mgl_span field, const char *list)
{
    const char *equals = field.size > 0 ? memchr(field.data, '=', field.size) : NULL;
    mgl_span key = mgl_span_trim((mgl_span){field.data, equals != NULL ? equals - field.data : 0});
    for (const char *at = list; key.size > 0 && *at != '\0'; at++)
        if (*at == ' ' && strncasecmp(at + 1, key.data, key.size) == 0 && at[1 + key.size] == ' ')
            return true;
    return false;
}

/* What begins here and ends before a separator. */
static mgl_span field_at(const char *text, const char *separators)
{
    return (mgl_span){text, separators[0] != '\0' ? strcspn(text, separators) : strlen(text)};
}

/* What stands before an @ of scheme://user:password@host. */
static mgl_span user_of(const char *server)
{
    const char *begin = strstr(server, "://"), *end = NULL;
    if (begin == NULL)
        return (mgl_span){server, 0};
    begin += 3;
    for (const char *at = begin; *at != '\0' && *at != '?'; at++)
        end = *at == '@' ? at : end;
    return (mgl_span){begin, end != NULL ? (size_t)(end - begin) : 0};
}

static bool has_secret(const mgl_sql_driver *driver, const char *server)
{
    mgl_span user = user_of(server);
    if (user.size > 0 && memchr(user.data, ':', user.size) != NULL)
        return true;
    for (const char *at = server;; at++) {
        mgl_span field = field_at(at, driver->separators);
        if (is_listed(field, driver->secrets))
            return true;
        at += field.size;
        if (*at == '\0')
            return false;
    }
}

/* A location without fields that name secrets or, unless they may stay, users. */
static void write_fields(mgl_buffer *out, const mgl_sql_driver *driver, const char *server,
                         bool users)
{
    char before = '\0'; /* what separates the next field from those that were written */
    for (const char *at = server;; at++) {
        mgl_span field = field_at(at, driver->separators);
        at += field.size;
        if (!is_listed(field, driver->secrets) && (users || !is_listed(field, driver->users))) {
            if (before != '\0')
                mgl_buffer_append(out, &before, 1);
            mgl_buffer_span(out, field);
            before = *at;
        }
        if (*at == '\0')
            return;
    }
}

/* The location without secrets; for messages and results: without users, too. */
static void write_name(mgl_buffer *out, const mgl_sql_driver *driver, const char *server,
                       bool users)
{
    mgl_span user = user_of(server);
    size_t name = users ? field_at(user.data, ":@").size : 0;
    mgl_buffer short_name = {0};
    mgl_buffer_append(&short_name, server, (size_t)(user.data - server));
    mgl_buffer_append(&short_name, user.data, user.size > 0 ? name : 0);
    /* without an @ that has no name before it */
    mgl_buffer_text(&short_name, user.data + user.size + (user.size > 0 && name == 0));
    mgl_buffer_append(&short_name, "", 1);
    if (short_name.failed)
        out->failed = true;
    else
        write_fields(out, driver, short_name.data, users);
    mgl_buffer_free(&short_name);
}

static int hexadecimal(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* %20 is a space. */
static void decode(mgl_buffer *out, mgl_span text)
{
    for (size_t i = 0; i < text.size; i++) {
        int high = -1, low = -1;
        if (text.data[i] == '%' && i + 2 < text.size) {
            high = hexadecimal(text.data[i + 1]);
            low = hexadecimal(text.data[i + 2]);
        }
        char byte = text.data[i];
        if (high >= 0 && low >= 0) {
            byte = (char)(high * 16 + low);
            i += 2;
        }
        mgl_buffer_append(out, &byte, 1);
    }
}

/* One name of schema.table: up to a dot, or between double quotes, which are doubled inside. */
static const char *take_name(const char *text, mgl_buffer *out)
{
    if (*text != '"') {
        size_t size = strcspn(text, ".");
        mgl_buffer_append(out, text, size);
        return text + size;
    }
    for (text++; *text != '\0'; text++) {
        if (*text == '"' && *++text != '"')
            return text;
        mgl_buffer_append(out, text, 1);
    }
    return NULL; /* no closing quote */
}

mgl_status mgl_sql_table_parse(const char *text, bool catalogs, mgl_arena *arena, mgl_error *err,
                               mgl_sql_table *out)
{
    enum { MOST = 3 };
    mgl_buffer names[MOST] = {{0}};
    size_t n = 0, most = catalogs ? MOST : MOST - 1;
    const char *rest = text;
    bool failed = false, good = true;
    for (bool more = true; more && n < most; n++) {
        rest = take_name(rest, &names[n]);
        good = good && rest != NULL && names[n].size > 0;
        failed = failed || names[n].failed;
        more = good && *rest == '.';
        rest = more && n + 1 < most ? rest + 1 : rest;
    }
    mgl_status status = MGL_OK;
    if (failed)
        MGL_GO(mgl_fail_memory(err));
    else if (!good || *rest != '\0')
        MGL_GO(mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "\"%.60s\" is no name of a table; give NAME or SCHEMA.NAME, with double "
                        "quotes around a name that has a dot in it",
                        text));
    MGL_GO(mgl_buffer_keep(&names[n - 1], arena, err, &out->name));
    if (n > 1)
        MGL_GO(mgl_buffer_keep(&names[n - 2], arena, err, &out->schema));
    if (n > 2)
        MGL_GO(mgl_buffer_keep(&names[0], arena, err, &out->catalog));
done:
    for (size_t i = 0; i < MOST; i++)
        mgl_buffer_free(&names[i]);
    return status;
}

static mgl_status split(const char *location, mgl_error *err, mgl_sql_location *out)
{
    const char *table = mgl_location_of(location).table;
    if (table == NULL)
        return mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "%.60s...: which table? end the location with ?table=NAME",
                        out->driver->scheme);
    mgl_span value = field_at(table, "&");
    mgl_buffer server = {0}, name = {0};
    const char *mark = table - strlen("?table=");
    mgl_buffer_append(&server, location, (size_t)(mark - location));
    const char *rest = value.data + value.size;
    if (*rest == '&') /* what stood before the table decides what stands before the rest */
        mgl_buffer_append(&server, mark, 1);
    mgl_buffer_text(&server, *rest == '&' ? rest + 1 : rest);
    MGL_TRY(mgl_buffer_keep(&server, out->arena, err, &out->server));
    decode(&name, value);
    size_t size = name.size;
    const char *text;
    MGL_TRY(mgl_buffer_keep(&name, out->arena, err, &text));
    if (strlen(text) < size)
        return mgl_fail(err, MGL_CODE_BAD_VALUE, "%%00 is no character of a name; leave it out");
    return mgl_sql_table_parse(text, false, out->arena, err, &out->table);
}

static mgl_status name_location(mgl_sql_location *location, mgl_error *err)
{
    mgl_buffer name = {0};
    write_name(&name, location->driver, location->server, false);
    mgl_buffer_text(&name, strchr(location->server, '?') != NULL ? "&table=" : "?table=");
    if (location->table.schema != NULL)
        mgl_buffer_format(&name, "%s.", location->table.schema);
    mgl_buffer_text(&name, location->table.name);
    return mgl_buffer_keep(&name, location->arena, err, &location->name);
}

static mgl_status parse(const char *location, mgl_error *err, mgl_sql_location *out)
{
    if (out->driver == NULL)
        return mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "only a table that lies on shards is released to them; read it with "
                        "`shards`");
    if (has_secret(out->driver, location))
        return mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "a password in a location could be read by others in the list of "
                        "processes; leave it out and keep it %s",
                        out->driver == &mgl_sql_odbc
                            ? "in odbc.ini"
                            : "in the variable PGPASSWORD or in the file ~/.pgpass");
    out->arena = mgl_arena_new();
    MGL_TRY(out->arena == NULL ? mgl_fail_memory(err) : split(location, err, out));
    const char *path = out->server + strlen(out->driver->scheme);
    if (out->driver->makes_file && (path[0] == '\0' || strncmp(path, ":memory:", 8) == 0))
        return mgl_fail(err, MGL_CODE_BAD_VALUE,
                        "%s: this is a database in memory, which ends with the program; name a "
                        "file (%sFILE?table=NAME)",
                        location, out->driver->scheme);
    return name_location(out, err);
}

mgl_status mgl_sql_location_parse(const char *location, mgl_error *err, mgl_sql_location *out)
{
    *out = (mgl_sql_location){.driver = mgl_sql_driver_of(location)};
    mgl_status status = parse(location, err, out);
    if (status != MGL_OK)
        mgl_sql_location_free(out);
    return status;
}

void mgl_sql_location_free(mgl_sql_location *location)
{
    mgl_arena_free(location->arena);
    *location = (mgl_sql_location){0};
}

/* SQLite ignores the case of letters in names of tables. */
mgl_status mgl_location_table(const char *location, mgl_error *err, char **out)
{
    mgl_sql_location parsed = {0};
    mgl_buffer text = {0};
    *out = NULL;
    mgl_location where = mgl_location_of(location);
    if (where.kind == MGL_LOCATION_SHARDS) { /* in each of the databases of the file */
        mgl_buffer_format(&text, "\nshards\n%s", where.table != NULL ? where.table : "");
        return mgl_buffer_take(&text, err, out);
    }
    if (where.kind != MGL_LOCATION_DATABASE)
        return MGL_OK;
    MGL_TRY(mgl_sql_location_parse(location, err, &parsed));
    const char *schema = parsed.table.schema;
    bool usual = schema == NULL || strcmp(schema, "main") == 0 || strcmp(schema, "public") == 0;
    bool file = parsed.driver == &mgl_sql_sqlite || parsed.driver == &mgl_sql_duckdb;
    if (!file)
        write_name(&text, parsed.driver, parsed.server, false);
    mgl_buffer_format(&text, "\n%s\n", usual ? "" : schema);
    for (const char *c = parsed.table.name; *c != '\0'; c++) {
        char letter = file && *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : *c;
        mgl_buffer_append(&text, &letter, 1);
    }
    mgl_sql_location_free(&parsed);
    return mgl_buffer_take(&text, err, out);
}

static mgl_status location_text(const char *location, bool users, mgl_error *err, char **out)
{
    mgl_buffer name = {0};
    const mgl_sql_driver *driver = mgl_sql_driver_of(location);
    if (driver != NULL)
        write_name(&name, driver, location, users);
    else
        mgl_buffer_text(&name, location);
    return mgl_buffer_take(&name, err, out);
}

mgl_status mgl_location_name(const char *location, mgl_error *err, char **out)
{
    return location_text(location, false, err, out);
}

mgl_status mgl_location_without_secrets(const char *location, mgl_error *err, char **out)
{
    return location_text(location, true, err, out);
}
