/* Quoting, and files written and read back. */
#include "test_text_files.h"

#include "text/text.h"

#include <fcntl.h>

static void only_what_needs_quotes_gets_them(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"Male", "Male"},
        {"", ""},
        {"a,b", "\"a,b\""},
        {"a;b", "a;b"},
        {"\"", "\"\"\"\""},
        {"a\"b", "\"a\"\"b\""},
        {"\n", "\"\n\""},
        {"a\rb", "\"a\rb\""},
        {" a", " a"},
        {"a ", "a "},
        {"a b", "a b"},
        {"caf\xc3\xa9", "caf\xc3\xa9"},
        {"a\"\"", "\"a\"\"\"\"\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mgl_buffer out = {0};
        mgl_text_quote(&out, mgl_span_of(cases[i][0]), ',', false);
        assert_false(out.failed);
        assert_true(mgl_span_is((mgl_span){out.data, out.size}, cases[i][1]));
        mgl_buffer_free(&out);
    }
    mgl_buffer out = {0};
    mgl_text_quote(&out, (mgl_span){"", 0}, ',', true);
    assert_true(mgl_span_is((mgl_span){out.data, out.size}, "\"\""));
    mgl_buffer_free(&out);
}

/* Random values, written with the ending, read back. */
static void round_trip(const char *ending, char delimiter, size_t columns, uint64_t seed)
{
    enum { ROWS = 20000 };
    static const char *const pieces[] = {"a", "\"",  ",",           ";",  "\n", "\r",
                                         " ", "x y", "caf\xc3\xa9", "\t", "12", ""};
    mgl_error err = {0};
    char name[128];
    snprintf(name, sizeof name, "%s%s", test_path(), ending);
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
    assert_true(fd >= 0);
    mgl_text_writer *writer;
    assert_int_equal(mgl_text_writer_new(fd, name, &err, &writer), MGL_OK);
    uint64_t again = seed;
    mgl_buffer line = {0}, value = {0};
    for (int r = 0; r < ROWS; r++) {
        line.size = 0;
        for (size_t c = 0; c < columns; c++) {
            value.size = 0;
            for (uint64_t n = test_random(&seed) % 4; n > 0; n--)
                mgl_buffer_text(&value, pieces[test_random(&seed) % 12]);
            mgl_text_quote(&line, (mgl_span){value.data, value.size}, delimiter, columns == 1);
            mgl_buffer_append(&line, c + 1 < columns ? &delimiter : "\n", 1);
        }
        assert_false(line.failed || value.failed);
        assert_int_equal(mgl_text_write(writer, line.data, line.size, &err), MGL_OK);
    }
    assert_int_equal(mgl_text_writer_end(writer, &err), MGL_OK);
    mgl_text_writer_free(writer);
    close(fd);

    mgl_text_file *file;
    mgl_text_reader *reader;
    mgl_records records;
    mgl_dialect dialect = {.delimiter = delimiter};
    assert_int_equal(mgl_text_open(name, NULL, &err, &file), MGL_OK);
    assert_int_equal(mgl_text_reader_new(file, &dialect, &err, &reader), MGL_OK);
    mgl_buffer scratch = {0};
    int rows = 0;
    do {
        if (mgl_text_next(reader, &err, &records) != MGL_OK)
            fail_msg("%s", err.message);
        for (size_t i = 0; i < records.n_records * columns; i++) {
            value.size = 0;
            for (uint64_t n = test_random(&again) % 4; n > 0; n--)
                mgl_buffer_text(&value, pieces[test_random(&again) % 12]);
            mgl_span got = mgl_field_value(records.fields[i], &scratch);
            assert_true(mgl_span_equal(got, (mgl_span){value.data, value.size}));
        }
        rows += (int)records.n_records;
    } while (records.n_records > 0);
    assert_int_equal(rows, ROWS);
    mgl_text_reader_free(reader);
    mgl_text_close(file);
    mgl_buffer_free(&scratch);
    mgl_buffer_free(&line);
    mgl_buffer_free(&value);
    unlink(name);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    round_trip("", ',', 3, 5);
    round_trip("", ';', 1, 6);
    round_trip(".gz", '\t', 4, 7);
    round_trip(".zst", '|', 2, 8);
}

static void pieces_larger_than_the_buffer_are_written(void **state)
{
    (void)state;
    static const char *const endings[] = {"", ".gz", ".zst"};
    size_t size = 3000000;
    char *data = malloc(size);
    assert_non_null(data);
    uint64_t seed = 3;
    for (size_t i = 0; i < size; i++)
        data[i] = i % 100 == 99 ? '\n' : (char)('a' + test_random(&seed) % 26);
    for (size_t e = 0; e < 3; e++) {
        mgl_error err;
        mgl_text_writer *writer;
        mgl_text_file *file;
        char name[128];
        snprintf(name, sizeof name, "%s%s", test_path(), endings[e]);
        int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600);
        assert_int_equal(mgl_text_writer_new(fd, name, &err, &writer), MGL_OK);
        assert_int_equal(mgl_text_write(writer, data, 1000, &err), MGL_OK);
        assert_int_equal(mgl_text_write(writer, data + 1000, size - 1000, &err), MGL_OK);
        assert_int_equal(mgl_text_writer_end(writer, &err), MGL_OK);
        mgl_text_writer_free(writer);
        close(fd);
        assert_int_equal(mgl_text_open(name, NULL, &err, &file), MGL_OK);
        assert_int_equal(mgl_text_size(file), size);
        mgl_text_close(file);
        unlink(name);
    }
    free(data);
}

static void a_full_disk_is_told(void **state)
{
    (void)state;
    static const char *const names[] = {"full", "full.gz", "full.zst"};
    int fd = open("/dev/full", O_WRONLY);
    if (fd < 0)
        skip();
    for (size_t i = 0; i < 3; i++) {
        mgl_error err;
        mgl_text_writer *writer;
        assert_int_equal(mgl_text_writer_new(fd, names[i], &err, &writer), MGL_OK);
        mgl_status status = mgl_text_write(writer, "a\n", 2, &err);
        if (status == MGL_OK)
            status = mgl_text_writer_end(writer, &err);
        assert_int_equal(status, MGL_SYSTEM);
        assert_non_null(strstr(err.message, names[i]));
        mgl_text_writer_free(writer);
    }
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_needs_quotes_gets_them),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(pieces_larger_than_the_buffer_are_written),
        cmocka_unit_test(a_full_disk_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, test_remove);
}
