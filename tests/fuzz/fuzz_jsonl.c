/* JSON lines: refused with a message that says where, or read in both passes with as many rows.
 * Lines of rows are found again. */
#include "fuzz.h"

#include "io/io.h"

typedef struct seen {
    size_t n_columns;
    uint64_t n_rows;
} seen;

static mgl_status see(void *context, const mgl_records *records, mgl_error *err)
{
    seen *s = context;
    (void)err;
    REQUIRE(records->n_fields == s->n_columns);
    for (size_t i = 0; i < records->n_records * records->n_fields; i++) {
        mgl_field field = records->fields[i];
        REQUIRE(mgl_utf8_valid(field.data, field.size) == field.size);
        REQUIRE(memchr(field.data, '\0', field.size) == NULL);
    }
    s->n_rows += records->n_records;
    return MGL_OK;
}

static void check_source(mgl_source *source)
{
    seen s = {.n_columns = mgl_source_columns(source)};
    mgl_table *table;
    mgl_error err = {0};
    REQUIRE(s.n_columns > 0);
    for (size_t c = 0; c < s.n_columns; c++) {
        mgl_column_request request = {c, MGL_ROLE_QUASI};
        mgl_status status = mgl_source_read(source, &request, 1, NULL, NULL, &err, &table);
        fuzz_expect_refusal(status, &err);
        if (status != MGL_OK)
            continue; /* lists cannot be coded */
        s.n_rows = 0;
        REQUIRE(mgl_source_each(source, see, &s, &err) == MGL_OK);
        REQUIRE(s.n_rows == table->n_rows);
        REQUIRE(s.n_rows == 0 || mgl_source_line(source, s.n_rows - 1) > 0);
        mgl_table_free(table);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const mgl_span missing[] = {{"", 0}, {"NA", 2}};
    static const mgl_source_options options = {.missing = missing, .n_missing = 2};
    mgl_source *source;
    mgl_error err = {0};
    fuzz_enter_folder();
    fuzz_write("data.jsonl", (const char *)data, size);
    mgl_status status = mgl_source_open("data.jsonl", &options, &err, &source);
    fuzz_expect_refusal(status, &err);
    if (status == MGL_OK) {
        check_source(source);
        mgl_source_close(source);
    }
    return 0;
}
