/* Locations of tables, as they are typed: refused with a message, or with a table. */
#include "fuzz.h"

#include "io/sql.h"

static void check_name(const char *text)
{
    char *name = NULL;
    REQUIRE(mgl_location_name(text, NULL, &name) == MGL_OK);
    REQUIRE(strlen(name) <= strlen(text));
    mgl_free(name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    REQUIRE(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    check_name(text);
    if (mgl_sql_driver_of(text) != NULL) {
        mgl_sql_location location;
        mgl_error err = {0};
        mgl_status status = mgl_sql_location_parse(text, &err, &location);
        REQUIRE(status != MGL_OK || (location.table.name[0] != '\0' && location.server[0] != '\0'));
        REQUIRE(status == MGL_OK || err.message[0] != '\0');
        mgl_sql_location_free(&location);
    }
    free(text);
    return 0;
}
