/* Locations of databases and names in SQL: a location is refused or has a table; whatever a name
 * or a text holds, it cannot end the quotes it is put into, and it is read back the same. */
#include "fuzz.h"

#include "io/sql/sql.h"

/* What an engine reads between the quotes; false if they end before the text does. */
static bool unquote(mgl_span quoted, char quote, bool backslashes, mgl_buffer *out)
{
    REQUIRE(quoted.size >= 2 && quoted.data[0] == quote && quoted.data[quoted.size - 1] == quote);
    for (size_t i = 1; i + 1 < quoted.size; i++) {
        char byte = quoted.data[i];
        bool escapes = byte == quote || (backslashes && byte == '\\');
        if (escapes && (++i + 1 >= quoted.size || (byte == quote && quoted.data[i] != quote)))
            return false;
        mgl_buffer_append(out, quoted.data + i, 1);
    }
    return true;
}

static void check_quotes(const char *name)
{
    size_t n;
    const mgl_sql_dialect *dialects = mgl_sql_dialects(&n);
    for (size_t i = 0; i < n; i++) {
        mgl_buffer identifier = {0}, literal = {0}, read = {0};
        mgl_sql_identifier(&identifier, &dialects[i], name);
        mgl_sql_literal(&literal, &dialects[i], mgl_span_of(name));
        REQUIRE(
            unquote((mgl_span){identifier.data, identifier.size}, dialects[i].quote, false, &read));
        REQUIRE(mgl_span_equal((mgl_span){read.data, read.size}, mgl_span_of(name)));
        read.size = 0;
        REQUIRE(
            unquote((mgl_span){literal.data, literal.size}, '\'', dialects[i].backslashes, &read));
        REQUIRE(mgl_span_equal((mgl_span){read.data, read.size}, mgl_span_of(name)));
        mgl_buffer_free(&identifier);
        mgl_buffer_free(&literal);
        mgl_buffer_free(&read);
    }
}

static void check_location(const char *text)
{
    mgl_sql_location location;
    mgl_error err = {0};
    char *name;
    if (mgl_sql_driver_of(text) == NULL)
        return;
    mgl_status status = mgl_sql_location_parse(text, &err, &location);
    fuzz_expect_refusal(status, &err);
    if (status == MGL_OK) {
        REQUIRE(location.table.name[0] != '\0' && location.server[0] != '\0');
        check_quotes(location.table.name);
    }
    mgl_sql_location_free(&location);
    REQUIRE(mgl_location_name(text, &err, &name) == MGL_OK && strlen(name) <= strlen(text));
    mgl_free(name);
}

/* Whoever is named in front of the @, no result shows it. */
static void check_user(const char *name)
{
    char location[300], *shown;
    if (name[0] == '\0' || strlen(name) > 60 || name[strcspn(name, "/?#@&=;: ")] != '\0')
        return;
    snprintf(location, sizeof location, "postgresql://u%sZ9@host/db?table=t", name);
    REQUIRE(mgl_location_name(location, NULL, &shown) == MGL_OK);
    snprintf(location, sizeof location, "u%sZ9", name);
    REQUIRE(strstr(shown, location) == NULL);
    mgl_free(shown);
    snprintf(location, sizeof location, "postgresql://u:%s@host/db?table=t", name);
    mgl_sql_location parsed;
    REQUIRE(mgl_sql_location_parse(location, NULL, &parsed) == MGL_USAGE);
    mgl_sql_location_free(&parsed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = mgl_alloc(size + 1);
    REQUIRE(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    check_quotes(text);
    check_location(text);
    check_user(text);
    mgl_free(text);
    return 0;
}
