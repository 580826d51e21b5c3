/* The public API: NULL errors, descriptions, several jobs at the same time. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"
#include "findings/findings.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 600 };

static void write_rows(const char *path, int first, int n)
{
    brute_text text = {0};
    char line[64];
    brute_append_text(&text, "age,zip,disease\n");
    for (int r = first; r < first + n; r++) {
        brute_random random = {(uint64_t)r};
        snprintf(line, sizeof line, "%d,021%d%d,d%d\n", brute_between(&random, 20, 59),
                 brute_below(&random, 3), brute_below(&random, 4), r);
        brute_append_text(&text, line);
    }
    brute_write(path, text.data, text.size);
    free(text.data);
}

static int begin(void **state)
{
    if (brute_enter_folder(state) != 0)
        return -1;
    write_rows("table.csv", 0, ROWS);
    brute_text text = {0};
    char line[64];
    for (int i = 0; i < 12; i++) {
        snprintf(line, sizeof line, "021%d%d;021%d*;021**;*\n", i / 4, i % 4, i / 4);
        brute_append_text(&text, line);
    }
    brute_write("zip.csv", text.data, text.size);
    free(text.data);
    return 0;
}

static mgl_job *make_job(const char *data, const char *output, const char *method)
{
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", data);
    brute_set(job, "qi", "age,zip");
    brute_set(job, "sensitive", "disease");
    brute_set(job, "hierarchy", "zip=zip.csv");
    brute_set(job, "hierarchy", "age=intervals(5,20)");
    brute_set(job, "k", "4");
    brute_set(job, "suppress", "5%");
    brute_set(job, "method", method);
    brute_set(job, "seed", "3");
    if (output != NULL)
        brute_set(job, "output", output);
    return job;
}

/* The document without what differs from run to run. */
static json_t *lasting(const mgl_result *result)
{
    json_t *document = brute_document(result);
    json_object_del(document, "seconds");
    json_object_del(document, "output");
    json_object_del(document, "audit"); /* names the output, too */
    json_object_del(document, "guard"); /* looks at what is written */
    return document;
}

static void same_files(const char *a, const char *b)
{
    char *x = brute_read(a, NULL), *y = brute_read(b, NULL);
    assert_non_null(x);
    assert_non_null(y);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

/* ---- Errors ------------------------------------------------------------------------------ */

static void every_function_takes_null_for_the_error(void **state)
{
    (void)state;
    mgl_job *job;
    mgl_result *result = NULL;
    mgl_session *session = NULL;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    assert_int_equal(mgl_job_add(job, "nothing", "1", NULL), MGL_USAGE);
    assert_int_equal(mgl_job_add(job, "k", "x", NULL), MGL_USAGE);
    assert_int_equal(mgl_job_add(job, "attributes.a.role", "king", NULL), MGL_USAGE);
    assert_int_equal(mgl_job_load(job, "nowhere.yaml", NULL), MGL_DATA);
    assert_int_equal(mgl_job_run(job, "anonymize", NULL, &result), MGL_USAGE);
    assert_int_equal(mgl_job_run(job, "compare", NULL, &result), MGL_USAGE);
    assert_int_equal(mgl_job_run(job, "check", NULL, &result), MGL_USAGE);
    assert_int_equal(mgl_job_run(job, "utility", NULL, &result), MGL_USAGE);
    assert_int_equal(mgl_job_run(job, "lattice", NULL, &result), MGL_USAGE);
    assert_int_equal(mgl_job_run(job, "hierarchy show", NULL, &result), MGL_USAGE);
    assert_int_equal(mgl_session_open(job, NULL, NULL, &session), MGL_USAGE);
    assert_int_equal(mgl_catalogue("nonsense", NULL, &result), MGL_USAGE);
    mgl_job_free(job);

    job = make_job("nowhere.csv", "x.csv", "mingen");
    assert_int_equal(mgl_job_run(job, "anonymize", NULL, &result), MGL_DATA);
    assert_int_equal(mgl_session_open(job, NULL, NULL, &session), MGL_DATA);
    mgl_job_free(job);
    assert_null(result);
    assert_null(session);
}

static void free_functions_accept_null(void **state)
{
    (void)state;
    mgl_job_free(NULL);
    mgl_result_free(NULL);
    mgl_session_close(NULL);
    mgl_text_free(NULL);
}

/* ---- Versions ---------------------------------------------------------------------------- */

static void version_is_the_same_as_text_and_as_number(void **state)
{
    (void)state;
    assert_string_equal(mgl_version(), MGL_VERSION);
    assert_int_equal(mgl_version_number(), MGL_VERSION_NUMBER);
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", MGL_VERSION_NUMBER / 10000,
             MGL_VERSION_NUMBER / 100 % 100, MGL_VERSION_NUMBER % 100);
    assert_string_equal(text, MGL_VERSION);
}

/* ---- Outputs -------------------------------------------------------------------------------- */

static void run(mgl_job *job)
{
    mgl_error err = {0};
    mgl_result *result = NULL;
    if (mgl_job_run(job, "anonymize", &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_result_free(result);
    mgl_job_free(job);
}

static void an_output_that_is_a_link_keeps_being_one(void **state)
{
    (void)state;
    mkdir("real", 0700);
    brute_write_text("real/target.csv", "old");
    assert_int_equal(symlink("real/target.csv", "link.csv"), 0);
    run(make_job("table.csv", "plain.csv", "mingen"));
    run(make_job("table.csv", "link.csv", "mingen"));
    struct stat link;
    assert_int_equal(lstat("link.csv", &link), 0);
    assert_true(S_ISLNK(link.st_mode));
    same_files("plain.csv", "real/target.csv");
    assert_int_equal(brute_count_names("real"), 1);
}

/* A device is never replaced. */
static void devices_are_written_into(void **state)
{
    (void)state;
    run(make_job("table.csv", "/dev/null", "mingen"));
    struct stat device;
    assert_int_equal(stat("/dev/null", &device), 0);
    assert_true(S_ISCHR(device.st_mode));
    assert_int_equal(mkfifo("pipe", 0600), 0);
    FILE *reader = popen("cat pipe > from-pipe.csv", "r");
    run(make_job("table.csv", "pipe", "mingen"));
    pclose(reader);
    run(make_job("table.csv", "plain.csv", "mingen"));
    same_files("plain.csv", "from-pipe.csv");
    assert_int_equal(stat("pipe", &device), 0);
    assert_true(S_ISFIFO(device.st_mode));
}

static void dry_runs_write_nothing(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_result *dry = NULL, *real = NULL;
    mgl_job *job = make_job("table.csv", "dry.csv", "mingen");
    brute_set(job, "dry-run", "true");
    int names = brute_count_names(".");
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &dry), MGL_OK);
    assert_int_equal(brute_count_names("."), names);
    mgl_job_free(job);
    job = make_job("table.csv", "real.csv", "mingen");
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &real), MGL_OK);
    mgl_job_free(job);
    json_t *x = lasting(dry), *y = lasting(real);
    json_object_del(x, "warnings"); /* the leak guard warns of what is written */
    json_object_del(y, "warnings");
    assert_true(json_equal(x, y));
    json_decref(x);
    json_decref(y);
    mgl_result_free(dry);
    mgl_result_free(real);
}

static bool has_warning(const mgl_result *result, const char *code)
{
    json_t *document = brute_document(result), *warning;
    bool found = false;
    size_t i;
    json_array_foreach(json_object_get(document, "warnings"), i, warning) found =
        found || strcmp(json_string_value(json_object_get(warning, "code")), code) == 0;
    json_decref(document);
    return found;
}

static void warnings_stand_in_the_result(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = make_job("table.csv", "exempt.csv", "mingen");
    brute_set(job, "suppressed", "exempt");
    brute_set(job, "level", "zip=0..1");
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_OK);
    json_t *document = brute_document(result);
    bool suppressed = brute_number(document, "suppressed_rows") > 0;
    json_decref(document);
    assert_int_equal(has_warning(result, "exempt-rows"), suppressed);
    assert_true(suppressed);
    mgl_result_free(result);
    mgl_job_free(job);

    /* Nobody links on zip: it is released unchanged. */
    job = make_job("table.csv", "unlinked.csv", "mingen");
    brute_set(job, "likelihood", "zip=0");
    brute_set(job, "keep-order", "true");
    assert_int_equal(mgl_job_run(job, "anonymize", &err, &result), MGL_OK);
    assert_true(has_warning(result, "unlinkable-column"));
    mgl_result_free(result);
    mgl_job_free(job);
    brute_csv before, after;
    size_t size;
    char *text = brute_read("table.csv", &size);
    assert_true(brute_csv_parse(text, size, ',', &before));
    free(text);
    text = brute_read("unlinked.csv", &size);
    assert_true(brute_csv_parse(text, size, ',', &after));
    free(text);
    assert_int_equal(before.n_rows, after.n_rows);
    for (size_t row = 0; row < before.n_rows; row++)
        assert_string_equal(brute_csv_raw(&before, row, 1), brute_csv_raw(&after, row, 1));
    brute_csv_free(&before);
    brute_csv_free(&after);
}

/* ---- At the same time ------------------------------------------------------------------------ */

typedef struct worker {
    pthread_t thread;
    const char *method;
    char output[32];
    mgl_status status;
} worker;

static void *use_library(void *context)
{
    worker *w = context;
    mgl_result *result = NULL;
    for (int i = 0; i < 3; i++) {
        mgl_job *job = make_job("table.csv", w->output, w->method);
        brute_set(job, "threads", "2");
        w->status = mgl_job_run(job, "anonymize", NULL, &result);
        if (w->status == MGL_OK)
            mgl_result_free(result);
        mgl_job_free(job);
    }
    return NULL;
}

static void jobs_run_side_by_side(void **state)
{
    (void)state;
    static const char *const methods[] = {"mingen", "datafly", "samarati", "mingen"};
    worker workers[4];
    for (int i = 0; i < 4; i++) {
        workers[i].method = methods[i];
        snprintf(workers[i].output, sizeof workers[i].output, "side%d.csv", i);
        assert_int_equal(pthread_create(&workers[i].thread, NULL, use_library, &workers[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].status, MGL_OK);
        run(make_job("table.csv", "alone.csv", methods[i]));
        same_files(workers[i].output, "alone.csv");
    }
}

/* Two runs to one target: the last rename wins, each whole. */
static void one_target_gets_one_whole_release(void **state)
{
    (void)state;
    worker workers[2] = {{.method = "mingen", .output = "shared.csv"},
                         {.method = "datafly", .output = "shared.csv"}};
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&workers[i].thread, NULL, use_library, &workers[i]), 0);
    for (int i = 0; i < 2; i++) {
        pthread_join(workers[i].thread, NULL);
        assert_int_equal(workers[i].status, MGL_OK);
    }
    run(make_job("table.csv", "one.csv", "mingen"));
    run(make_job("table.csv", "two.csv", "datafly"));
    char *shared = brute_read("shared.csv", NULL), *one = brute_read("one.csv", NULL),
         *two = brute_read("two.csv", NULL);
    assert_true(strcmp(shared, one) == 0 || strcmp(shared, two) == 0);
    free(shared);
    free(one);
    free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_takes_null_for_the_error),
        cmocka_unit_test(free_functions_accept_null),
        cmocka_unit_test(version_is_the_same_as_text_and_as_number),
        cmocka_unit_test(an_output_that_is_a_link_keeps_being_one),
        cmocka_unit_test(devices_are_written_into),
        cmocka_unit_test(dry_runs_write_nothing),
        cmocka_unit_test(warnings_stand_in_the_result),
        cmocka_unit_test(jobs_run_side_by_side),
        cmocka_unit_test(one_target_gets_one_whole_release),
    };
    return cmocka_run_group_tests_name("api", tests, begin, brute_leave_folder);
}
