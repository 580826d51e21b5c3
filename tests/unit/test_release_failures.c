/* Runs that must fail, and what they must leave behind: a status, a message, the old output
 * byte for byte, and nothing else. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- A job that succeeds, and changes to it ----------------------------------------------- */

typedef struct change {
    const char *key, *value; /* NULL value: the key is left out */
} change;

static const change usual[] = {
    {"data", "table.csv"},
    {"output", "out/release.csv"},
    {"qi", "age,zip"},
    {"identifier", "id"},
    {"insensitive", "disease"},
    {"hierarchy", "zip=zip.csv"},
    {"k", "3"},
    {"suppress", "3"},
    {"threads", "1"},
};

static void write_inputs(void)
{
    brute_text text = {0};
    char line[64];
    brute_append_text(&text, "id,age,zip,disease\n");
    for (int r = 0; r < 30; r++) {
        snprintf(line, sizeof line, "%d,%d,0213%d,d%d\n", r, 20 + r % 4, r % 3, r % 7);
        brute_append_text(&text, line);
    }
    brute_write("table.csv", text.data, text.size);
    free(text.data);
    brute_write_text("zip.csv", "02130;0213*;*\n02131;0213*;*\n02132;0213*;*\n");
    mkdir("out", 0700);
    brute_write_text("out/release.csv", "what was there before\n");
}

static mgl_job *make_job(const change *changes, size_t n)
{
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++) {
        bool changed = false;
        for (size_t j = 0; j < n; j++)
            changed = changed || strcmp(changes[j].key, usual[i].key) == 0;
        if (!changed)
            brute_set(job, usual[i].key, usual[i].value);
    }
    for (size_t j = 0; j < n; j++)
        if (changes[j].value != NULL)
            brute_set(job, changes[j].key, changes[j].value);
    return job;
}

/* ---- Failing ------------------------------------------------------------------------------- */

static void expect_untouched(const char *what)
{
    char *old = brute_read("out/release.csv", NULL);
    if (old == NULL || strcmp(old, "what was there before\n") != 0)
        fail_msg("%s: the old output was touched", what);
    free(old);
    if (brute_count_names("out") != 1)
        fail_msg("%s: something was left in the folder", what);
}

static void expect_failure(const char *what, mgl_job *job, mgl_status wanted)
{
    mgl_error err = {0};
    mgl_result *unset = (mgl_result *)job, *result = unset;
    mgl_status status = mgl_job_run(job, "anonymize", &err, &result);
    if (status != wanted || err.status != wanted)
        fail_msg("%s: status %d (%s), must be %d", what, (int)status, err.message, (int)wanted);
    if (err.message[0] == '\0')
        fail_msg("%s: no message", what);
    assert_ptr_equal(result, unset); /* written only on success */
    expect_untouched(what);
    mgl_job_free(job);
}

#define FAILS(what, wanted, ...)                                                                   \
    do {                                                                                           \
        const change changes[] = {__VA_ARGS__};                                                    \
        expect_failure(what, make_job(changes, sizeof changes / sizeof changes[0]), wanted);       \
    } while (0)

static void the_job_of_these_tests_succeeds(void **state)
{
    (void)state;
    write_inputs();
    mgl_job *job = make_job(NULL, 0);
    mgl_result *result = NULL;
    mgl_error err = {0};
    if (mgl_job_run(job, "anonymize", &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    char *text = brute_read("out/release.csv", NULL);
    assert_int_equal(strncmp(text, "age,zip,disease\n", 16), 0);
    struct stat file;
    assert_int_equal(stat("out/release.csv", &file), 0);
    assert_int_equal(file.st_mode & 0777, 0600);
    assert_int_equal(brute_count_names("out"), 1);
    free(text);
    mgl_result_free(result);
    mgl_job_free(job);
}

static void privacy_that_cannot_be_reached_is_unmet(void **state)
{
    (void)state;
    write_inputs();
    FAILS("k > N", MGL_UNMET, {"k", "31"});
    FAILS("the limit", MGL_UNMET, {"level", "age=0..0,zip=0..0"}, {"k", "5"}, {"suppress", "0"},
          {"method", "mingen"});
    FAILS("the limit, datafly", MGL_UNMET, {"level", "age=0..0,zip=0..0"}, {"k", "5"},
          {"suppress", "0"}, {"method", "datafly"});
    FAILS("the limit, samarati", MGL_UNMET, {"level", "age=0..0,zip=0..0"}, {"k", "5"},
          {"suppress", "29"}, {"method", "samarati"});
    FAILS("nothing to release", MGL_UNMET, {"level", "age=0..0,zip=0..0"}, {"k", "30"},
          {"suppress", NULL}, {"suppressed", "drop"}, {"method", "datafly"});
    FAILS("nothing to release", MGL_UNMET, {"level", "age=0..0,zip=0..0"}, {"k", "30"},
          {"suppress", "100%"}, {"suppressed", "drop"});
}

static void wrong_use_is_a_usage_error(void **state)
{
    (void)state;
    write_inputs();
    FAILS("unknown column", MGL_USAGE, {"qi", "age,zip,colour"});
    FAILS("a column without a role", MGL_USAGE, {"insensitive", NULL});
    FAILS("no model", MGL_USAGE, {"k", NULL});
    FAILS("no quasi-identifier", MGL_USAGE, {"qi", NULL}, {"hierarchy", NULL}, {"rest", "drop"});
    FAILS("the output is a folder", MGL_USAGE, {"output", "out"});
    FAILS("no output", MGL_USAGE, {"output", NULL});
    FAILS("no data", MGL_USAGE, {"data", NULL});
    FAILS("levels the hierarchy does not have", MGL_USAGE, {"level", "zip=0..7"});
    FAILS("builder misuse", MGL_USAGE, {"hierarchy", "zip=dates(month)"});
    FAILS("weights all 0", MGL_USAGE, {"weights", "age=0,zip=0"});
    FAILS("unknown label", MGL_USAGE, {"utility", "classification=colour"});
    mgl_job *job = make_job(NULL, 0);
    mgl_error err = {0};
    assert_int_equal(mgl_job_add(job, "sensitive", "zip", &err), MGL_USAGE); /* two roles */
    assert_true(err.message[0] != '\0');
    mgl_job_free(job);
}

static void bad_data_is_a_data_error(void **state)
{
    (void)state;
    write_inputs();
    brute_write_text("broken.csv", "02130;0213*;*\n02131;0213*\n02132;0213*;*\n");
    brute_write_text("short.csv", "02130;0213*;*\n02131;0213*;*\n");
    brute_write_text("two.csv", "02130;0213*;x\n02130;0214*;x\n02131;0213*;x\n02132;0213*;x\n");
    brute_write_text("empty.csv", "");
    brute_write_text("header.csv", "id,age,zip,disease\n");
    brute_write_text("star.csv", "id,age,zip,disease\n1,*,02130,x\n2,20,02130,x\n3,20,02130,x\n");
    brute_write_text("ragged.csv", "id,age,zip,disease\n1,20,02130\n");
    brute_write_text("twice.csv", "id,age,zip,age\n1,20,02130,x\n");
    brute_write("nul.csv", "id,age,zip,disease\n1,2\0,02130,x\n", 32);
    FAILS("no such file", MGL_DATA, {"data", "nowhere.csv"});
    FAILS("no such hierarchy", MGL_DATA, {"hierarchy", "zip=nowhere.csv"});
    FAILS("a broken hierarchy", MGL_DATA, {"hierarchy", "zip=broken.csv"});
    FAILS("a value with two parents", MGL_DATA, {"hierarchy", "zip=two.csv"});
    FAILS("a value that the hierarchy lacks", MGL_DATA, {"hierarchy", "zip=short.csv"});
    FAILS("an empty file", MGL_DATA, {"data", "empty.csv"});
    FAILS("an empty table", MGL_DATA, {"data", "header.csv"});
    FAILS("a star", MGL_DATA, {"data", "star.csv"});
    FAILS("a ragged line", MGL_DATA, {"data", "ragged.csv"});
    FAILS("a column name twice", MGL_DATA, {"data", "twice.csv"});
    FAILS("a NUL byte", MGL_DATA, {"data", "nul.csv"});
}

static void outputs_that_cannot_be_written_are_errors(void **state)
{
    (void)state;
    write_inputs();
    FAILS("no such folder", MGL_SYSTEM, {"output", "nowhere/release.csv"});
    assert_false(brute_exists("nowhere"));
    FAILS("a folder that takes no files", MGL_SYSTEM, {"output", "/proc/release.csv"});
    FAILS("a file as a folder", MGL_SYSTEM, {"output", "table.csv/release.csv"});
    if (geteuid() != 0) { /* root may write everywhere */
        mkdir("closed", 0500);
        FAILS("a closed folder", MGL_SYSTEM, {"output", "closed/release.csv"});
    }
}

/* The result is asked for as much as the release: without it the run has failed. */
static void results_that_cannot_be_written_are_errors(void **state)
{
    (void)state;
    write_inputs();
    FAILS("no such folder for the result", MGL_SYSTEM, {"result", "nowhere/result.json"});
}

/* ---- The callback ---------------------------------------------------------------------------- */

enum { STAGES = 6 };
static const char *const stages[STAGES] = {"read", "search", "write", "verify", "guard", "measure"};

typedef struct listener {
    int calls, stop_at; /* without reminders of what was told before, which depend on the clock */
    char last[64];
    bool seen[STAGES];
    const char *spoil; /* at stage "write", the data becomes this */
    size_t spoil_size;
    enum { WRITTEN, APPENDED, REPLACED } how;
} listener;

static int listen(void *user, const char *stage, uint64_t done, uint64_t total)
{
    listener *l = user;
    char told[sizeof l->last];
    snprintf(told, sizeof told, "%s %llu %llu", stage, (unsigned long long)done,
             (unsigned long long)total);
    if (strcmp(told, l->last) == 0)
        return 0;
    strcpy(l->last, told);
    int known = -1;
    for (int i = 0; i < STAGES; i++)
        if (strcmp(stage, stages[i]) == 0)
            known = i;
    assert_true(known >= 0);
    l->seen[known] = true;
    if (l->spoil != NULL && known == 2) {
        const char *path = l->how == REPLACED ? "other.csv" : "table.csv";
        FILE *file = fopen(path, l->how == APPENDED ? "a" : "w");
        fwrite(l->spoil, 1, l->spoil_size, file);
        fclose(file);
        if (l->how == REPLACED)
            assert_int_equal(rename(path, "table.csv"), 0);
        l->spoil = NULL;
    }
    return ++l->calls == l->stop_at;
}

static void every_call_can_cancel(void **state)
{
    (void)state;
    static const char *const methods[] = {"mingen", "datafly", "samarati"};
    for (int m = 0; m < 3; m++) {
        write_inputs();
        const change changes[] = {{"method", methods[m]}};
        listener l = {0};
        mgl_result *result = NULL;
        mgl_job *job = make_job(changes, 1);
        mgl_job_on_progress(job, listen, &l);
        assert_int_equal(mgl_job_run(job, "anonymize", NULL, &result), MGL_OK);
        mgl_result_free(result);
        mgl_job_free(job);
        for (int stop = 1; stop < l.calls; stop++) { /* at the last call all is done */
            listener stopper = {.stop_at = stop};
            write_inputs();
            job = make_job(changes, 1);
            mgl_job_on_progress(job, listen, &stopper);
            expect_failure("cancelled", job, MGL_CANCELLED);
            assert_int_equal(stopper.calls, stop); /* not asked again */
        }
    }
}

static void stages_are_told_by_name(void **state)
{
    (void)state;
    write_inputs();
    listener l = {0};
    mgl_result *result = NULL;
    /* Datafly tells of every step; a search that is done at once need not tell of itself. */
    const change changes[] = {{"method", "datafly"}};
    mgl_job *job = make_job(changes, 1);
    mgl_job_on_progress(job, listen, &l);
    assert_int_equal(mgl_job_run(job, "anonymize", NULL, &result), MGL_OK);
    mgl_result_free(result);
    mgl_job_free(job);
    for (int i = 0; i < STAGES; i++)
        if (!l.seen[i])
            fail_msg("stage %s was not reported", stages[i]);
}

static void spoil(const char *what, const char *data, size_t size, int how)
{
    write_inputs();
    listener l = {.spoil = data, .spoil_size = size, .how = how};
    mgl_job *job = make_job(NULL, 0);
    mgl_job_on_progress(job, listen, &l);
    expect_failure(what, job, MGL_DATA);
    assert_null(l.spoil);
}

static void data_that_changes_during_the_run_is_refused(void **state)
{
    (void)state;
    size_t size;
    write_inputs();
    char *same_size = brute_read("table.csv", &size);
    same_size[strlen("id,age,zip,disease\n0,2")] = '9';
    spoil("grown", "30,20,02130,d1\n", 15, APPENDED);
    spoil("shrunk", "id,age,zip,disease\n1,20,02130,x\n", 32, WRITTEN);
    spoil("rewritten", same_size, size, WRITTEN);
    spoil("replaced", same_size, size, REPLACED);
    free(same_size);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_job_of_these_tests_succeeds),
        cmocka_unit_test(privacy_that_cannot_be_reached_is_unmet),
        cmocka_unit_test(wrong_use_is_a_usage_error),
        cmocka_unit_test(bad_data_is_a_data_error),
        cmocka_unit_test(outputs_that_cannot_be_written_are_errors),
        cmocka_unit_test(results_that_cannot_be_written_are_errors),
        cmocka_unit_test(every_call_can_cancel),
        cmocka_unit_test(stages_are_told_by_name),
        cmocka_unit_test(data_that_changes_during_the_run_is_refused),
    };
    return cmocka_run_group_tests_name("release failures", tests, brute_enter_folder,
                                       brute_leave_folder);
}
