/* Files and streams of Arrow IPC: refused with a message that says where, or read in both passes
 * and written as what reads back with the same cells. */
#include "fuzz.h"

#include "io/io.h"

static const mgl_source_options options = {.may_be_empty = true};

static mgl_status add_rows(void *context, const mgl_records *records, mgl_error *err)
{
    mgl_buffer *seen = context;
    (void)err;
    for (size_t i = 0; i < records->n_records * records->n_fields; i++) {
        mgl_field field = records->fields[i];
        REQUIRE(mgl_utf8_valid(field.data, field.size) == field.size);
        mgl_buffer_append(seen, field.data, field.size);
        mgl_buffer_append(seen, "\n", 1);
    }
    return MGL_OK;
}

static void read_codes(mgl_source *source)
{
    for (size_t c = 0; c < mgl_source_columns(source); c++) {
        mgl_column_request request = {c, MGL_ROLE_QUASI};
        mgl_table *table;
        mgl_error err = {0};
        REQUIRE(mgl_source_read(source, &request, 1, NULL, NULL, &err, &table) == MGL_OK);
        mgl_table_free(table);
    }
}

/* The cells of a file as lines. False: it is refused. */
static bool read_cells(const char *path, bool ours, mgl_buffer *seen, mgl_arrow_table **table)
{
    mgl_source *source;
    mgl_error err = {0};
    mgl_status status = mgl_source_open(path, &options, &err, &source);
    REQUIRE(!ours || status == MGL_OK);
    fuzz_expect_refusal(status, &err);
    if (status != MGL_OK)
        return false;
    read_codes(source);
    REQUIRE(mgl_source_each(source, add_rows, seen, &err) == MGL_OK);
    if (table != NULL)
        *table = mgl_arrow_retain(mgl_source_arrow(source));
    mgl_source_close(source);
    return true;
}

static void write_again(const mgl_arrow_table *table, const char *path, const mgl_buffer *wanted)
{
    mgl_error err = {0};
    mgl_buffer seen = {0};
    (void)mgl_sys_unlink(path);
    int fd = mgl_sys_create(path);
    REQUIRE(fd >= 0);
    mgl_status status = mgl_location_of(path).format->save(table, fd, path, &err);
    mgl_sys_close(fd);
    fuzz_expect_refusal(status, &err);
    if (status == MGL_OK) {
        read_cells(path, true, &seen, NULL);
        REQUIRE(seen.size == wanted->size && !seen.failed);
        REQUIRE(seen.size == 0 || memcmp(seen.data, wanted->data, seen.size) == 0);
    }
    mgl_buffer_free(&seen);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    mgl_buffer seen = {0};
    mgl_arrow_table *table;
    fuzz_enter_folder();
    fuzz_write("data.arrow", (const char *)data, size);
    if (read_cells("data.arrow", false, &seen, &table)) {
        write_again(table, "again.feather", &seen);
        write_again(table, "again.arrows", &seen);
        mgl_arrow_release(table);
    }
    mgl_buffer_free(&seen);
    return 0;
}
