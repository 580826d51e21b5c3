/* Every allocation and every system call of a run fails once, in turn. Whatever fails, the
 * old output stays as it was and nothing else is left. */
/* slow: every allocation or system call fails in turn */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute_files.h"
#include "brute_job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Metadata of mu-Argus, which is what may lie beside its data. */
#define OLD "before 1 5\n"

static void write_inputs(int rows)
{
    brute_text text = {0};
    char line[64];
    brute_append_text(&text, "id,age,zip,disease\n");
    for (int r = 0; r < rows; r++) {
        snprintf(line, sizeof line, "%d,%d,0213%d,d%d\n", r, 20 + r % 4, r % 3, r % 7);
        brute_append_text(&text, line);
    }
    brute_write("table.csv", text.data, text.size);
    free(text.data);
    brute_write_text("zip.csv", "02130;0213*;*\n02131;0213*;*\n02132;0213*;*\n");
    mkdir("out", 0700);
}

typedef struct variant {
    const char *method, *output, *treatment, *memory;
    int rows;
    const char *second; /* another file of the release */
} variant;

/* The fourth one shuffles through a spool. */
static const variant variants[] = {
    {"mingen", "out/release.csv", "keep", "1G", 30, NULL},
    {"datafly", "out/release.csv.gz", "drop", "1G", 30, NULL},
    {"samarati", "out/release.csv", "exempt", "1G", 30, NULL},
    {"mingen", "out/release.csv", "keep", "2K", 300, NULL},
    {"mingen", "out/release.asc", "keep", "1G", 30, "out/release.rda"},
#ifdef MGL_READSTAT
    {"mingen", "out/release.sav", "keep", "1G", 30, NULL},
#endif
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* The job is made anew each time: its own allocations may fail, too. */
static mgl_status run(const variant *v, mgl_error *err)
{
    const char *const keys[][2] = {
        {"data", "table.csv"},
        {"output", v->output},
        {"qi", "age,zip"},
        {"identifier", "id"},
        {"insensitive", "disease"},
        {"hierarchy", "zip=zip.csv"},
        {"k", "3"},
        {"suppress", "3"},
        {"suppressed", v->treatment},
        {"method", v->method},
        {"memory", v->memory},
        {"utility", "classification=disease"},
        {"prefer", "distribution"},
        {"curve", "2,3"},
        {"threads", "1"},
    };
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_status status = mgl_job_new(err, &job);
    for (size_t i = 0; status == MGL_OK && i < sizeof keys / sizeof keys[0]; i++)
        status = mgl_job_add(job, keys[i][0], keys[i][1], err);
    if (status == MGL_OK)
        status = mgl_job_run(job, "anonymize", err, &result);
    if (status == MGL_OK) {
        char *text = NULL;
        status = mgl_result_json(result, err, &text);
        mgl_text_free(text);
        text = NULL;
        if (status == MGL_OK)
            status = mgl_result_html(result, err, &text);
        mgl_text_free(text);
        text = NULL;
        if (status == MGL_OK)
            status = mgl_result_summary(result, &(mgl_text_style){.colour = 1}, err, &text);
        mgl_text_free(text);
        mgl_result_free(result);
        if (status != MGL_OK) /* the release is out; only the telling failed */
            status = MGL_OK;
    }
    mgl_job_free(job);
    return status;
}

/* Fails call 1, 2, 3, ... of the kind until a run has fewer. Returns how many failed. */
static int fail_each(mgl_fault_kind kind, const variant *v)
{
    char *good = NULL;
    size_t good_size = 0;
    int failed = 0;
    write_inputs(v->rows);
    for (uint64_t n = 1;; n++) {
        mgl_error err = {0};
        brute_write_text(v->output, OLD);
        if (v->second != NULL)
            brute_write_text(v->second, OLD);
        mgl_fault_arm(kind, n);
        mgl_status status = run(v, &err);
        bool hit = mgl_fault_count(kind) >= n;
        mgl_fault_arm(kind, 0);
        size_t size;
        char *text = brute_read(v->output, &size);
        assert_non_null(text);
        if (status != MGL_OK) {
            failed++;
            if (!hit)
                fail_msg("failed without a fault: %s", err.message);
            if (status != MGL_SYSTEM || err.status != MGL_SYSTEM)
                fail_msg("fault %d:%d: status %d, %s", (int)kind, (int)n, (int)status, err.message);
            if (err.message[0] == '\0')
                fail_msg("fault %d:%d: no message", (int)kind, (int)n);
            if (strcmp(text, OLD) != 0)
                fail_msg("fault %d:%d: the old output was touched", (int)kind, (int)n);
        } else if (strcmp(text, OLD) == 0) {
            fail_msg("fault %d:%d: the run succeeded, but there is no release", (int)kind, (int)n);
        }
        if (brute_count_names("out") != (v->second != NULL ? 2 : 1))
            fail_msg("fault %d:%d: something was left in the folder", (int)kind, (int)n);
        free(good);
        good = text;
        good_size = size;
        if (!hit)
            break;
    }
    assert_true(good_size > 10);
    free(good);
    remove(v->output);
    if (v->second != NULL)
        remove(v->second);
    return failed;
}

static void every_failed_allocation_leaves_the_target(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++)
        assert_true(fail_each(MGL_FAULT_MEMORY, &variants[i]) > 50);
}

static void every_failed_open_leaves_the_target(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++) /* table, hierarchy, staged file, and read back */
        assert_true(fail_each(MGL_FAULT_OPEN, &variants[i]) >= 4);
}

static void every_failed_read_leaves_the_target(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++)
        assert_true(fail_each(MGL_FAULT_READ, &variants[i]) >= 4);
}

static void every_failed_write_leaves_the_target(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++)
        assert_true(fail_each(MGL_FAULT_WRITE, &variants[i]) >= 1);
}

static void every_failed_sync_leaves_the_target(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++)
        assert_int_equal(fail_each(MGL_FAULT_SYNC, &variants[i]),
                         variants[i].second != NULL ? 2 : 1);
}

static void every_failed_rename_leaves_the_target(void **state)
{
    (void)state;
    for (int i = 0; i < VARIANTS; i++)
        assert_int_equal(fail_each(MGL_FAULT_RENAME, &variants[i]),
                         variants[i].second != NULL ? 2 : 1);
}

/* ---- The other commands --------------------------------------------------------------------- */

static mgl_status measure(int command, mgl_error *err)
{
    static const char *const keys[][2] = {
        {"data", "table.csv"},        {"qi", "age,zip"}, {"rest", "insensitive"},
        {"hierarchy", "zip=zip.csv"}, {"k", "3"},        {"threads", "1"},
    };
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_status status = mgl_job_new(err, &job);
    for (size_t i = 0; status == MGL_OK && i < sizeof keys / sizeof keys[0]; i++)
        if (command != 3 || (strcmp(keys[i][0], "k") != 0 && strcmp(keys[i][0], "rest") != 0))
            status = mgl_job_add(job, keys[i][0], keys[i][1], err);
    if (status == MGL_OK && command == 4)
        status = mgl_job_add(job, "methods", "mingen,datafly,samarati", err);
    if (status == MGL_OK && command == 1)
        status = mgl_job_add(job, "release", "table.csv", err);
    if (status == MGL_OK)
        status = command == 0   ? mgl_job_run(job, "check", err, &result)
                 : command == 1 ? mgl_job_run(job, "utility", err, &result)
                 : command == 2 ? mgl_job_run(job, "lattice", err, &result)
                 : command == 3 ? mgl_job_run(job, "hierarchy show", err, &result)
                                : mgl_job_run(job, "compare", err, &result);
    if (status == MGL_OK && command == 4) {
        char *text = NULL;
        status = mgl_result_summary(result, &(mgl_text_style){.colour = 1}, err, &text);
        mgl_text_free(text);
        if (status != MGL_OK)
            mgl_result_free(result);
    }
    mgl_result_free(status == MGL_OK ? result : NULL);
    mgl_job_free(job);
    return status;
}

static void faults_in_commands_that_measure_are_errors(void **state)
{
    (void)state;
    static const mgl_fault_kind kinds[] = {MGL_FAULT_MEMORY, MGL_FAULT_OPEN, MGL_FAULT_READ};
    write_inputs(30);
    for (int command = 0; command < 5; command++)
        for (int kind = 0; kind < 3; kind++)
            for (uint64_t n = 1;; n++) {
                mgl_error err = {0};
                mgl_fault_arm(kinds[kind], n);
                mgl_status status = measure(command, &err);
                bool hit = mgl_fault_count(kinds[kind]) >= n;
                mgl_fault_arm(kinds[kind], 0);
                if (status != MGL_OK && (status != MGL_SYSTEM || !hit || err.message[0] == '\0'))
                    fail_msg("command %d, fault %d:%d: status %d, %s", command, (int)kinds[kind],
                             (int)n, (int)status, err.message);
                if (!hit)
                    break;
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failed_allocation_leaves_the_target),
        cmocka_unit_test(every_failed_open_leaves_the_target),
        cmocka_unit_test(every_failed_read_leaves_the_target),
        cmocka_unit_test(every_failed_write_leaves_the_target),
        cmocka_unit_test(every_failed_sync_leaves_the_target),
        cmocka_unit_test(every_failed_rename_leaves_the_target),
        cmocka_unit_test(faults_in_commands_that_measure_are_errors),
    };
    return cmocka_run_group_tests_name("release faults", tests, brute_enter_folder,
                                       brute_leave_folder);
}
