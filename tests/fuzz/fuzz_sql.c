/* Locations of databases and names in SQL: a location is refused or has a table; whatever a name
 * or a text holds, it cannot end the quotes it is put into, and it is read back the same. */
#include "fuzz.h"

#include "io/sql/sql.h"

#include <stdio.h>

/* How an engine reads a quoted text: where it begins and ends, whether a quote within it is doubled
 * or stands behind a backslash, whether backslashes are doubled. */
typedef struct quoting {
    const char *begin;
    char end;
    bool escapes, backslashes;
} quoting;

/* A byte behind a backslash: control characters have letters. */
static char escaped(char letter)
{
    static const char letters[] = "nrtbfv0", bytes[] = "\n\r\t\b\f\v";
    const char *at = memchr(letters, letter, sizeof letters - 1);
    return at != NULL ? bytes[at - letters] : letter;
}

/* What an engine reads between the quotes; false if they end before the text does. */
static bool unquote(mgl_span quoted, const quoting *how, mgl_buffer *out)
{
    size_t begin = strlen(how->begin);
    REQUIRE(quoted.size > begin && memcmp(quoted.data, how->begin, begin) == 0 &&
            quoted.data[quoted.size - 1] == how->end);
    for (size_t i = begin; i + 1 < quoted.size; i++) {
        char byte = quoted.data[i];
        bool backslash = byte == '\\' && (how->escapes || how->backslashes);
        bool doubled = byte == how->end && !how->escapes;
        if (byte == how->end && how->escapes)
            return false;
        if ((backslash || doubled) && ++i + 1 >= quoted.size)
            return false;
        if (doubled && quoted.data[i] != how->end)
            return false;
        byte = quoted.data[i];
        byte = backslash && how->escapes ? escaped(byte) : byte;
        mgl_buffer_append(out, &byte, 1);
    }
    return true;
}

static void expect_read(const mgl_buffer *quoted, const quoting *how, const char *text)
{
    mgl_buffer read = {0};
    REQUIRE(unquote((mgl_span){quoted->data, quoted->size}, how, &read));
    REQUIRE(mgl_span_equal((mgl_span){read.data, read.size}, mgl_span_of(text)));
    mgl_buffer_free(&read);
}

static void check_quotes(const char *name)
{
    size_t n;
    const mgl_sql_dialect *dialects = mgl_sql_dialects(&n);
    for (size_t i = 0; i < n; i++) {
        const mgl_sql_dialect *d = &dialects[i];
        mgl_buffer identifier = {0}, literal = {0};
        char quote[] = {d->quote, '\0'}, begin[8];
        quoting of_names = {.begin = quote,
                            .end = d->quote_end != '\0' ? d->quote_end : d->quote,
                            .escapes = d->names_escape};
        quoting of_texts = {
            .begin = begin, .end = '\'', .escapes = d->escapes, .backslashes = d->backslashes};
        snprintf(begin, sizeof begin, "%s'", d->national != NULL ? d->national : "");
        mgl_sql_identifier(&identifier, d, name);
        mgl_sql_literal(&literal, d, mgl_span_of(name));
        if (mgl_sql_can_be_name(d, name))
            expect_read(&identifier, &of_names, name);
        expect_read(&literal, &of_texts, name);
        mgl_buffer_free(&identifier);
        mgl_buffer_free(&literal);
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
