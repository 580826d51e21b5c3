/* The reader of delimited text: any bytes are either refused with a message or give
 * records, and these records, written by our own quoting, are read back the same.
 * The first byte of the input chooses the delimiter. */
#include "fuzz.h"

#include "text/text.h"

/* Every value as "SIZE:bytes" and every record's end as a line. */
static void note_values(const mgl_records *records, mgl_buffer *values, mgl_buffer *rewritten,
                        char delimiter)
{
    mgl_buffer scratch = {0};
    for (size_t r = 0; r < records->n_records; r++) {
        for (size_t c = 0; c < records->n_fields; c++) {
            mgl_span value = mgl_field_value(records->fields[r * records->n_fields + c], &scratch);
            mgl_buffer_format(values, "%zu:", value.size);
            mgl_buffer_span(values, value);
            if (c > 0)
                mgl_buffer_append(rewritten, &delimiter, 1);
            mgl_text_quote(rewritten, value, delimiter, records->n_fields == 1);
        }
        mgl_buffer_text(values, "\n");
        mgl_buffer_text(rewritten, "\n");
    }
    mgl_buffer_free(&scratch);
}

static mgl_status read_all(const char *path, char delimiter, mgl_dialect *dialect,
                           mgl_buffer *values, mgl_buffer *rewritten, mgl_error *err)
{
    mgl_text_file *file;
    MGL_TRY(mgl_text_open(path, NULL, err, &file));
    mgl_text_reader *reader = NULL;
    mgl_status status = mgl_text_sniff(file, delimiter, true, err, dialect);
    if (status == MGL_OK)
        status = mgl_text_reader_new(file, dialect, err, &reader);
    uint64_t last_line = 0;
    size_t n_fields = 0;
    while (status == MGL_OK) {
        mgl_records records;
        status = mgl_text_next(reader, err, &records);
        if (status != MGL_OK || records.n_records == 0)
            break;
        REQUIRE(records.n_fields > 0 && (n_fields == 0 || n_fields == records.n_fields));
        n_fields = records.n_fields;
        for (size_t r = 0; r < records.n_records; r++) {
            uint64_t line = mgl_text_line(reader, r);
            REQUIRE(line > last_line);
            last_line = line;
        }
        note_values(&records, values, rewritten, dialect->delimiter);
    }
    if (status == MGL_OK)
        status = mgl_text_unchanged(file, err);
    mgl_text_reader_free(reader);
    mgl_text_close(file);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char delimiters[] = {0, ',', ';', '\t', '|', ':'};
    if (size == 0)
        return 0;
    char delimiter = delimiters[data[0] % sizeof delimiters];
    fuzz_file file = fuzz_file_of(data + 1, size - 1);
    mgl_error err = {0};
    mgl_dialect dialect;
    /* A mark in front, so that a value that begins with one is not taken for it. */
    mgl_buffer values = {0}, rewritten = {0};
    mgl_buffer_text(&rewritten, "\xef\xbb\xbf");
    mgl_status status = read_all(file.path, delimiter, &dialect, &values, &rewritten, &err);
    mgl_sys_close(file.fd);
    if (status != MGL_OK) {
        REQUIRE(status == MGL_DATA || status == MGL_SYSTEM);
        REQUIRE(err.status == status && err.message[0] != '\0');
    } else if (rewritten.size > 3) {
        mgl_buffer again = {0}, unused = {0};
        mgl_dialect dialect_again;
        fuzz_file copy = fuzz_file_of(rewritten.data, rewritten.size);
        status = read_all(copy.path, dialect.delimiter, &dialect_again, &again, &unused, &err);
        if (status != MGL_OK)
            fprintf(stderr, "%s\n", err.message);
        REQUIRE(status == MGL_OK);
        REQUIRE(again.size == values.size && memcmp(again.data, values.data, values.size) == 0);
        mgl_sys_close(copy.fd);
        mgl_buffer_free(&again);
        mgl_buffer_free(&unused);
    }
    mgl_buffer_free(&values);
    mgl_buffer_free(&rewritten);
    return 0;
}
