/* Excel workbooks, refused with a message or read. The input is the rows of a sheet, shared texts,
 * styles and the list of sheets, with a line "--" between, which are put into an archive; or, if it
 * begins as one, the archive itself. */
#include "fuzz.h"

#include "io/io.h"

#ifdef MGL_XLSX
#include "workbooks.h"

static mgl_status see(void *context, const mgl_records *records, mgl_error *err)
{
    (void)err;
    REQUIRE(records->n_fields == *(size_t *)context);
    for (size_t i = 0; i < records->n_records * records->n_fields; i++)
        REQUIRE(mgl_utf8_valid(records->fields[i].data, records->fields[i].size) ==
                records->fields[i].size);
    return MGL_OK;
}

static void check_source(mgl_source *source)
{
    size_t n = mgl_source_columns(source);
    mgl_column_request request = {0, MGL_ROLE_QUASI};
    mgl_table *table;
    mgl_error err = {0};
    mgl_status status = mgl_source_read(source, &request, 1, NULL, NULL, &err, &table);
    fuzz_expect_refusal(status, &err);
    if (status != MGL_OK)
        return;
    size_t n_rows = table->n_rows;
    mgl_table_free(table);
    REQUIRE(n_rows > 0);
    REQUIRE(mgl_source_each(source, see, &n, &err) == MGL_OK);
}

static char *copy(mgl_span section)
{
    char *text = mgl_alloc(section.size + 1);
    REQUIRE(text != NULL);
    memcpy(text, section.data, section.size);
    text[section.size] = '\0';
    return text;
}

static void write_input(const uint8_t *data, size_t size)
{
    char *texts[4];
    mgl_span rest = {(const char *)data, size};
    if (size > 2 && memcmp(data, "PK", 2) == 0) {
        fuzz_write("data.xlsx", data, size);
        return;
    }
    for (size_t i = 0; i < 4; i++)
        texts[i] = copy(fuzz_section(&rest));
    write_workbook("data.xlsx", &(made_workbook){.rows = texts[0],
                                                 .strings = texts[1],
                                                 .styles = texts[2],
                                                 .book = texts[3][0] != '\0' ? texts[3] : NULL});
    for (size_t i = 0; i < 4; i++)
        mgl_free(texts[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const mgl_span missing[] = {{"", 0}, {"#N/A", 4}};
    static const mgl_source_options options = {
        .missing = missing, .n_missing = 2, .most_unpacked = 1 << 22};
    fuzz_enter_folder();
    write_input(data, size);
    mgl_source *source;
    mgl_error err = {0};
    mgl_status status = mgl_source_open("data.xlsx", &options, &err, &source);
    fuzz_expect_refusal(status, &err);
    if (status == MGL_OK) {
        check_source(source);
        mgl_source_close(source);
    }
    return 0;
}
#else
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    (void)data, (void)size;
    return 0;
}
#endif
