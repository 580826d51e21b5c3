/* Files of mu-Argus: metadata, data, a code list and a recoding, each refused with a message or
 * read. The input is the four of them, with a line "--" between. */
#include "fuzz.h"

#include "hierarchy/hierarchy.h"
#include "io/io.h"

static mgl_status see(void *context, const mgl_records *records, mgl_error *err)
{
    (void)err;
    REQUIRE(records->n_fields == *(size_t *)context);
    for (size_t i = 0; i < records->n_records * records->n_fields; i++)
        REQUIRE(mgl_utf8_valid(records->fields[i].data, records->fields[i].size) ==
                records->fields[i].size);
    return MGL_OK;
}

static void check_hierarchy(const mgl_table *table)
{
    mgl_hierarchy *hierarchy;
    mgl_error err = {0};
    mgl_status status = mgl_hierarchy_make("recoding.grc", "column", table->columns[0].dictionary,
                                           &err, &hierarchy);
    fuzz_expect_refusal(status, &err);
    if (status == MGL_OK)
        mgl_hierarchy_free(hierarchy);
}

static void check_source(mgl_source *source)
{
    size_t n = mgl_source_columns(source);
    mgl_column_request *requested = mgl_alloc_array(n, sizeof *requested);
    mgl_table *table;
    mgl_error err = {0};
    REQUIRE(requested != NULL);
    for (size_t c = 0; c < n; c++)
        requested[c] = (mgl_column_request){c, MGL_ROLE_QUASI};
    mgl_status status = mgl_source_read(source, requested, n, NULL, NULL, &err, &table);
    fuzz_expect_refusal(status, &err);
    if (status == MGL_OK) {
        check_hierarchy(table);
        mgl_table_free(table);
        fuzz_expect_refusal(mgl_source_each(source, see, &n, &err), &err);
    }
    mgl_free(requested);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[] = {"data.rda", "data.asc", "codes.cdl", "recoding.grc"};
    static const mgl_span missing[] = {{"", 0}, {"NA", 2}};
    static const mgl_source_options options = {.missing = missing, .n_missing = 2};
    mgl_span rest = {(const char *)data, size};
    fuzz_enter_folder();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        mgl_span section = fuzz_section(&rest);
        fuzz_write(names[i], section.data, section.size);
    }
    mgl_source *source;
    mgl_error err = {0};
    mgl_status status = mgl_source_open("data.rda", &options, &err, &source);
    fuzz_expect_refusal(status, &err);
    if (status == MGL_OK) {
        check_source(source);
        mgl_source_close(source);
    }
    return 0;
}
