/* base: spans, growing buffers, error messages. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"
#include "base/fault.h"

#include <errno.h>

static void spans_compare_bytewise(void **state)
{
    (void)state;
    mgl_span none = {NULL, 0}, ab = mgl_span_of("ab"), abc = mgl_span_of("abc");
    assert_true(mgl_span_equal(none, mgl_span_of("")));
    assert_false(mgl_span_equal(ab, abc));
    assert_true(mgl_span_is(ab, "ab"));
    assert_true(mgl_span_compare(ab, abc) < 0);
    assert_true(mgl_span_compare(abc, ab) > 0);
    assert_true(mgl_span_compare(none, ab) < 0);
    assert_int_equal(mgl_span_compare(none, none), 0);
    assert_true(mgl_span_compare(mgl_span_of("\xc3\xa4"), mgl_span_of("z")) > 0);
}

static void trimming_takes_blanks_at_both_ends(void **state)
{
    (void)state;
    assert_true(mgl_span_is(mgl_span_trim(mgl_span_of(" \t a b\t ")), "a b"));
    assert_true(mgl_span_is(mgl_span_trim(mgl_span_of(" \t ")), ""));
    assert_true(mgl_span_is(mgl_span_trim(mgl_span_of("")), ""));
}

static void buffers_grow(void **state)
{
    (void)state;
    mgl_buffer buffer = {0};
    for (int i = 0; i < 1000; i++) {
        mgl_buffer_text(&buffer, "ab");
        mgl_buffer_append(&buffer, "cdef", 1);
        mgl_buffer_span(&buffer, mgl_span_of("d"));
        mgl_buffer_format(&buffer, "%03d", i);
    }
    mgl_buffer_append(&buffer, NULL, 0);
    assert_int_equal(buffer.size, 7000);
    assert_memory_equal(buffer.data, "abcd000abcd001", 14);
    char *text;
    assert_int_equal(mgl_buffer_take(&buffer, NULL, &text), MGL_OK);
    assert_string_equal(text + 6993, "abcd999");
    assert_null(buffer.data);
    assert_int_equal(buffer.size, 0);
    mgl_free(text);

    assert_int_equal(mgl_buffer_take(&buffer, NULL, &text), MGL_OK);
    assert_string_equal(text, "");
    mgl_free(text);
}

static void buffers_remember_a_failure(void **state)
{
    (void)state;
    mgl_buffer buffer = {0};
    mgl_buffer_text(&buffer, "abc");
    assert_false(mgl_buffer_reserve(&buffer, (size_t)-1));
    assert_true(buffer.failed);
    mgl_buffer_text(&buffer, "more");
    mgl_buffer_format(&buffer, "%d", 7);
    assert_int_equal(buffer.size, 3);
    char *text = NULL;
    mgl_error err;
    assert_int_equal(mgl_buffer_take(&buffer, &err, &text), MGL_SYSTEM);
    assert_null(text);
    assert_non_null(strstr(err.message, "out of memory"));
    assert_null(buffer.data);
}

#ifdef MGL_FAULTS
static void any_allocation_of_a_buffer_may_fail(void **state)
{
    (void)state;
    for (uint64_t number = 1;; number++) {
        mgl_fault_arm(MGL_FAULT_MEMORY, number);
        mgl_buffer buffer = {0};
        for (int i = 0; i < 100; i++)
            mgl_buffer_format(&buffer, "%s", "0123456789");
        char *text = NULL;
        mgl_status status = mgl_buffer_take(&buffer, NULL, &text);
        bool reached = mgl_fault_count(MGL_FAULT_MEMORY) >= number;
        assert_int_equal(status, reached ? MGL_SYSTEM : MGL_OK);
        mgl_free(text);
        if (!reached)
            break;
    }
    mgl_fault_arm(MGL_FAULT_MEMORY, 0);
}
#endif

static void messages_say_where(void **state)
{
    (void)state;
    mgl_error err;
    assert_int_equal(mgl_fail(&err, MGL_USAGE, "k is %d; use 2", 1), MGL_USAGE);
    assert_int_equal(err.status, MGL_USAGE);
    assert_string_equal(err.message, "k is 1; use 2");
    assert_int_equal(mgl_fail_at(&err, MGL_DATA, "a.csv", 12, "ragged; fix it"), MGL_DATA);
    assert_string_equal(err.message, "a.csv:12: ragged; fix it");
    mgl_fail_at(&err, MGL_DATA, "a.csv", 0, "empty");
    assert_string_equal(err.message, "a.csv: empty");
    assert_int_equal(mgl_fail_cancelled(&err), MGL_CANCELLED);
    assert_int_equal(mgl_fail_memory(&err), MGL_SYSTEM);
    assert_int_equal(mgl_fail(NULL, MGL_DATA, "nobody listens"), MGL_DATA);
    assert_int_equal(mgl_fail_at(NULL, MGL_DATA, "f", 1, "nobody listens"), MGL_DATA);
}

static void long_messages_are_cut(void **state)
{
    (void)state;
    static char name[2 * sizeof((mgl_error *)0)->message];
    memset(name, 'n', sizeof name - 1);
    struct {
        mgl_error err;
        char guard[8];
    } room = {.guard = "guard"};
    mgl_fail(&room.err, MGL_DATA, "%s", name);
    assert_int_equal(strlen(room.err.message), sizeof room.err.message - 1);
    mgl_fail_at(&room.err, MGL_DATA, name, 7, "message");
    assert_int_equal(strlen(room.err.message), sizeof room.err.message - 1);
    assert_string_equal(room.guard, "guard");
    assert_int_equal(mgl_span_width((mgl_span){name, sizeof name - 1}), 60);
    assert_int_equal(mgl_span_width((mgl_span){name, 3}), 3);
}

static void a_missing_file_is_the_data_a_broken_disk_the_system(void **state)
{
    (void)state;
    mgl_error err;
    errno = ENOENT;
    assert_int_equal(mgl_fail_errno(&err, "a.csv", "open it"), MGL_DATA);
    assert_non_null(strstr(err.message, "a.csv: cannot open it: No such file or directory"));
    errno = EIO;
    assert_int_equal(mgl_fail_errno(&err, "a.csv", "read it"), MGL_SYSTEM);
    errno = ENOSPC;
    assert_int_equal(mgl_fail_errno(NULL, "a.csv", "write it"), MGL_SYSTEM);
}

static int stop_at_3(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)total;
    assert_string_equal(stage, "read");
    ++*(int *)user;
    return done == 3;
}

static void progress_can_cancel(void **state)
{
    (void)state;
    int calls = 0;
    mgl_progress progress = {stop_at_3, &calls, NULL}, silent = {0};
    assert_int_equal(mgl_progress_report(&progress, "read", 2, 9, NULL), MGL_OK);
    assert_int_equal(mgl_progress_report(&progress, "read", 3, 9, NULL), MGL_CANCELLED);
    assert_int_equal(mgl_progress_report(&silent, "read", 3, 9, NULL), MGL_OK);
    assert_int_equal(mgl_progress_report(NULL, "read", 3, 9, NULL), MGL_OK);
    assert_int_equal(calls, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spans_compare_bytewise),
        cmocka_unit_test(trimming_takes_blanks_at_both_ends),
        cmocka_unit_test(buffers_grow),
        cmocka_unit_test(buffers_remember_a_failure),
#ifdef MGL_FAULTS
        cmocka_unit_test(any_allocation_of_a_buffer_may_fail),
#endif
        cmocka_unit_test(messages_say_where),
        cmocka_unit_test(long_messages_are_cut),
        cmocka_unit_test(a_missing_file_is_the_data_a_broken_disk_the_system),
        cmocka_unit_test(progress_can_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
