/* base: system calls, links, spool files, and faults in each of them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/base.h"
#include "base/fault.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char here[4096]; /* the test's own folder, links resolved */

static int make_folder(void **state)
{
    (void)state;
    char name[] = "/tmp/mingle-sys-XXXXXX";
    if (mkdtemp(name) == NULL || chdir(name) != 0 || getcwd(here, sizeof here) == NULL)
        return -1;
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    char command[5000];
    snprintf(command, sizeof command, "rm -rf '%s'", here);
    return chdir("/") != 0 || system(command) != 0;
}

static void make_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void expect_resolved(const char *path, const char *below_here)
{
    char wanted[8192], *got = NULL;
    mgl_error err = {0};
    if (mgl_sys_resolve(path, &err, &got) != MGL_OK)
        fail_msg("%s: %s", path, err.message);
    snprintf(wanted, sizeof wanted, "%s/%s", here, below_here);
    assert_string_equal(got, wanted);
    mgl_free(got);
}

static void paths_are_resolved(void **state)
{
    (void)state;
    assert_int_equal(mkdir("sub", 0700), 0);
    make_file("file", "x");
    assert_int_equal(symlink("file", "link"), 0);
    assert_int_equal(symlink("sub/later", "dangling"), 0);
    assert_int_equal(symlink("dangling", "twice"), 0);
    assert_int_equal(symlink("sub", "folder"), 0);
    assert_int_equal(symlink("../file", "sub/up"), 0);
    char absolute[5000];
    snprintf(absolute, sizeof absolute, "%s/sub/target", here);
    assert_int_equal(symlink(absolute, "far"), 0);

    expect_resolved("file", "file");
    expect_resolved("new", "new");
    expect_resolved("./sub/../new", "new");
    expect_resolved("link", "file");
    expect_resolved("dangling", "sub/later");
    expect_resolved("twice", "sub/later");
    expect_resolved("folder/new", "sub/new");
    expect_resolved("sub/up", "file");
    expect_resolved("folder/up", "file");
    expect_resolved("far", "sub/target");
    expect_resolved(absolute, "sub/target");

    char *root;
    assert_int_equal(mgl_sys_resolve("/nothing-here", NULL, &root), MGL_OK);
    assert_string_equal(root, "/nothing-here");
    mgl_free(root);
}

static void circles_of_links_are_refused(void **state)
{
    (void)state;
    mgl_error err;
    char *got = NULL;
    assert_int_equal(symlink("circle", "circle"), 0);
    assert_int_equal(mgl_sys_resolve("circle", &err, &got), MGL_SYSTEM);
    assert_non_null(strstr(err.message, "circle: too many links"));
    assert_int_not_equal(mgl_sys_resolve("no-folder/file", &err, &got), MGL_OK);
    assert_non_null(strstr(err.message, "no-folder/file: "));
    assert_int_equal(mgl_sys_resolve("./", &err, &got), MGL_USAGE);
    assert_int_equal(mgl_sys_resolve("", &err, &got), MGL_USAGE);
    static char huge[100000];
    memset(huge, 'x', sizeof huge - 1);
    assert_int_equal(mgl_sys_resolve(huge, &err, &got), MGL_USAGE);
    assert_null(got);
}

static void files_are_created_private_and_never_replaced(void **state)
{
    (void)state;
    umask(0);
    int fd = mgl_sys_create("created");
    assert_true(fd >= 0);
    struct stat s;
    assert_int_equal(fstat(fd, &s), 0);
    assert_int_equal(s.st_mode & 0777, 0600);
    assert_int_equal(mgl_sys_create("created"), -1);
    assert_int_equal(errno, EEXIST);
    assert_int_equal(mgl_sys_open_write("absent"), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(mgl_sys_open_read("absent"), -1);
    mgl_sys_close(fd);
    mgl_sys_close(-1);
}

static void what_is_written_is_read_back(void **state)
{
    (void)state;
    char data[16] = "";
    int fd = mgl_sys_create("bytes");
    assert_int_equal(mgl_sys_write(fd, "hello world", 11), 0);
    assert_int_equal(mgl_sys_pwrite(fd, "W", 1, 6), 0);
    assert_int_equal(mgl_sys_write(fd, "!", 1), 0);
    assert_int_equal(mgl_sys_sync(fd), 0);
    assert_int_equal(mgl_sys_pread(fd, data, sizeof data, 6), 6);
    assert_memory_equal(data, "World!", 6);
    assert_int_equal(mgl_sys_pread(fd, data, sizeof data, 100), 0);
    mgl_sys_close(fd);
    assert_int_equal(mgl_sys_rename("bytes", "renamed"), 0);
    assert_int_equal(mgl_sys_sync_folder("renamed"), 0);
    assert_int_equal(mgl_sys_sync_folder("/tmp"), 0);
    fd = mgl_sys_open_read("renamed");
    assert_int_equal(mgl_sys_read(fd, data, 5), 5);
    assert_memory_equal(data, "hello", 5);
    mgl_sys_close(fd);
    assert_int_equal(mgl_sys_unlink("renamed"), 0);
    assert_int_equal(mgl_sys_open_read("renamed"), -1);
}

static void a_changed_file_has_another_state(void **state)
{
    (void)state;
    mgl_file_state before, after, other;
    make_file("watched", "one");
    make_file("other", "one");
    int fd = mgl_sys_open_read("watched");
    assert_int_equal(mgl_sys_state(fd, &before), 0);
    assert_int_equal(mgl_sys_state_of("watched", &after), 0);
    assert_true(before.regular);
    assert_int_equal(before.size, 3);
    assert_true(mgl_sys_same_state(&before, &after));
    assert_int_equal(mgl_sys_state_of("other", &other), 0);
    assert_false(mgl_sys_same_state(&before, &other));
    make_file("watched", "longer");
    assert_int_equal(mgl_sys_state(fd, &after), 0);
    assert_false(mgl_sys_same_state(&before, &after));
    assert_int_equal(mgl_sys_state_of("/dev/null", &after), 0);
    assert_false(after.regular);
    assert_int_equal(mgl_sys_state_of("absent", &after), -1);
    mgl_sys_close(fd);
}

static void a_spool_file_has_no_name(void **state)
{
    (void)state;
    assert_int_equal(mkdir("spool", 0700), 0);
    setenv("TMPDIR", "spool", 1);
    int fd = mgl_sys_spool();
    assert_true(fd >= 0);
    struct stat s;
    assert_int_equal(fstat(fd, &s), 0);
    assert_int_equal(s.st_nlink, 0);
    assert_int_equal(s.st_mode & 0777, 0600);
    assert_int_equal(mgl_sys_write(fd, "abc", 3), 0);
    char data[3];
    assert_int_equal(mgl_sys_pread(fd, data, 3, 0), 3);
    assert_memory_equal(data, "abc", 3);
    mgl_sys_close(fd);
    assert_int_equal(rmdir("spool"), 0); /* nothing was left in it */
    assert_int_equal(mgl_sys_spool(), -1);
    setenv("TMPDIR", "", 1);
    fd = mgl_sys_spool();
    assert_true(fd >= 0);
    mgl_sys_close(fd);
    unsetenv("TMPDIR");
}

static void the_clock_goes_forward(void **state)
{
    (void)state;
    double before = mgl_sys_seconds();
    for (int i = 0; i < 1000; i++) {
        double now = mgl_sys_seconds();
        assert_true(now >= before);
        before = now;
    }
}

#ifdef MGL_FAULTS
static void every_call_can_be_made_to_fail(void **state)
{
    (void)state;
    char data[4];
    make_file("fault", "data");
    mgl_fault_arm(MGL_FAULT_OPEN, 1);
    assert_int_equal(mgl_sys_open_read("fault"), -1);
    int fd = mgl_sys_open_write("fault");
    assert_true(fd >= 0);
    mgl_sys_close(fd);
    mgl_fault_arm(MGL_FAULT_OPEN, 1);
    assert_int_equal(mgl_sys_create("never"), -1);
    assert_int_equal(access("never", F_OK), -1);
    mgl_fault_arm(MGL_FAULT_OPEN, 1);
    assert_int_equal(mgl_sys_spool(), -1);

    fd = mgl_sys_create("fault2");
    mgl_fault_arm(MGL_FAULT_WRITE, 2);
    assert_int_equal(mgl_sys_write(fd, "data", 4), 0);
    assert_int_equal(mgl_sys_write(fd, "data", 4), -1);
    assert_int_equal(errno, ENOSPC);
    mgl_fault_arm(MGL_FAULT_WRITE, 1);
    assert_int_equal(mgl_sys_pwrite(fd, "data", 4, 0), -1);
    mgl_fault_arm(MGL_FAULT_READ, 1);
    assert_int_equal(mgl_sys_pread(fd, data, 4, 0), -1);
    assert_int_equal(errno, EIO);
    assert_int_equal(mgl_sys_pread(fd, data, 4, 0), 4);
    mgl_fault_arm(MGL_FAULT_READ, 1);
    assert_int_equal(mgl_sys_read(fd, data, 4), -1);
    mgl_fault_arm(MGL_FAULT_SYNC, 1);
    assert_int_equal(mgl_sys_sync(fd), -1);
    mgl_fault_arm(MGL_FAULT_SYNC, 1);
    assert_int_equal(mgl_sys_sync_folder("fault"), -1);
    mgl_fault_arm(MGL_FAULT_RENAME, 1);
    assert_int_equal(mgl_sys_rename("fault", "fault3"), -1);
    assert_int_equal(access("fault", F_OK), 0);
    mgl_fault_arm(MGL_FAULT_MEMORY, 1);
    char *out = NULL;
    assert_int_equal(mgl_sys_resolve("fault", NULL, &out), MGL_SYSTEM);
    assert_null(out);
    for (int kind = 0; kind < MGL_FAULT_KINDS; kind++)
        mgl_fault_arm((mgl_fault_kind)kind, 0);
    mgl_sys_close(fd);
}
#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_resolved),
        cmocka_unit_test(circles_of_links_are_refused),
        cmocka_unit_test(files_are_created_private_and_never_replaced),
        cmocka_unit_test(what_is_written_is_read_back),
        cmocka_unit_test(a_changed_file_has_another_state),
        cmocka_unit_test(a_spool_file_has_no_name),
        cmocka_unit_test(the_clock_goes_forward),
#ifdef MGL_FAULTS
        cmocka_unit_test(every_call_can_be_made_to_fail),
#endif
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
