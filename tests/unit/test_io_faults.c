/* Each allocation and each read fails in turn: always an error, never a crash or leak. */
#include "test_text_files.h"

#include "base/fault.h"
#include "io/io.h"

#ifdef MGL_FAULTS
#include <fcntl.h>
#include <zlib.h>

static const mgl_span missing_tokens[] = {{"", 0}, {"NA", 2}};

/* All of it once: open, first pass, second pass. */
static mgl_status use(const char *path, const char *encoding, mgl_error *err)
{
    mgl_source_options options = {.missing = missing_tokens, .n_missing = 2, .encoding = encoding};
    mgl_source *source;
    mgl_table *table;
    MGL_TRY(mgl_source_open(path, &options, err, &source));
    mgl_column_request requested[] = {{0, MGL_ROLE_QUASI}, {1, MGL_ROLE_QUASI}};
    mgl_status status = mgl_source_read(source, requested, 2, NULL, NULL, err, &table);
    if (status == MGL_OK) {
        mgl_table_free(table);
        status = mgl_source_rewind(source, err);
    }
    mgl_records records = {.n_records = 1};
    while (status == MGL_OK && records.n_records > 0)
        status = mgl_source_next(source, err, &records);
    mgl_source_close(source);
    return status;
}

/* Fails call after call until a run needs fewer. A fault that costs only speed may be
 * survived; what is returned must then be right. */
static void fail_in_turn(mgl_fault_kind kind, const char *path, const char *encoding)
{
    uint64_t failures = 0;
    for (uint64_t number = 1;; number++) {
        mgl_error err = {0};
        mgl_fault_arm(kind, number);
        mgl_status status = use(path, encoding, &err);
        bool reached = mgl_fault_count(kind) >= number;
        mgl_fault_arm(kind, 0);
        if (!reached) {
            assert_int_equal(status, MGL_OK);
            break;
        }
        if (status != MGL_OK) {
            assert_int_equal(status, MGL_SYSTEM);
            assert_true(strlen(err.message) > 0);
            failures++;
        }
    }
    assert_true(failures > 0);
}

static void write_table(mgl_buffer *text)
{
    mgl_buffer_text(text, "\"a \"\"b\"\"\",b\n");
    for (int row = 0; row < 3000; row++)
        mgl_buffer_format(text, "\"x \"\"%d\"\"\",\"%s\ny\"\n", row, row % 5 ? "NA" : "z");
    assert_false(text->failed);
}

static void faults_of_plain_files(void **state)
{
    (void)state;
    mgl_buffer text = {0};
    write_table(&text);
    test_file(text.data, text.size);
    mgl_buffer_free(&text);
    fail_in_turn(MGL_FAULT_MEMORY, test_path(), NULL);
    fail_in_turn(MGL_FAULT_READ, test_path(), NULL);
    fail_in_turn(MGL_FAULT_OPEN, test_path(), NULL);
}

static void faults_of_converted_files(void **state)
{
    (void)state;
    mgl_buffer text = {0};
    write_table(&text);
    test_file(text.data, text.size);
    mgl_buffer_free(&text);
    fail_in_turn(MGL_FAULT_MEMORY, test_path(), "LATIN1");
    fail_in_turn(MGL_FAULT_READ, test_path(), "LATIN1");
    fail_in_turn(MGL_FAULT_WRITE, test_path(), "LATIN1");
    fail_in_turn(MGL_FAULT_OPEN, test_path(), "LATIN1");
}

static void faults_of_packed_files(void **state)
{
    (void)state;
    static const char *const endings[] = {".gz", ".zst"};
    mgl_buffer text = {0};
    write_table(&text);
    for (size_t i = 0; i < 2; i++) {
        char path[128];
        mgl_error err;
        mgl_text_writer *writer;
        snprintf(path, sizeof path, "%s%s", test_path(), endings[i]);
        for (uint64_t number = 1;; number++) { /* the writer's faults first */
            int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
            assert_true(fd >= 0);
            mgl_fault_arm(MGL_FAULT_MEMORY, number);
            mgl_fault_arm(MGL_FAULT_WRITE, number);
            mgl_status status = mgl_text_writer_new(fd, path, &err, &writer);
            if (status == MGL_OK) {
                status = mgl_text_write(writer, text.data, text.size, &err);
                if (status == MGL_OK)
                    status = mgl_text_writer_end(writer, &err);
                mgl_text_writer_free(writer);
            }
            bool reached = mgl_fault_count(MGL_FAULT_MEMORY) >= number ||
                           mgl_fault_count(MGL_FAULT_WRITE) >= number;
            mgl_fault_arm(MGL_FAULT_MEMORY, 0);
            mgl_fault_arm(MGL_FAULT_WRITE, 0);
            close(fd);
            assert_int_equal(status, reached ? MGL_SYSTEM : MGL_OK);
            if (!reached)
                break;
        }
        fail_in_turn(MGL_FAULT_MEMORY, path, NULL);
        fail_in_turn(MGL_FAULT_READ, path, NULL);
        fail_in_turn(MGL_FAULT_WRITE, path, NULL);
        unlink(path);
    }
    mgl_buffer_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_of_plain_files),
                                       cmocka_unit_test(faults_of_converted_files),
                                       cmocka_unit_test(faults_of_packed_files)};
    return cmocka_run_group_tests(tests, NULL, test_remove);
}
#else
static void faults_need_a_build_with_faults(void **state)
{
    (void)state;
    print_message("built without MGL_FAULTS: faults are not tested\n");
    skip();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults_need_a_build_with_faults)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#endif
