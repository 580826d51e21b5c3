/* The same jobs in programs with other locales: files, results, reports, help and messages are the
 * same bytes. de_DE has a decimal comma, ps_AF a decimal sign of two bytes, tr_TR letters whose
 * cases differ. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "made_locale.h"
#include "mingle.h"

#include <dirent.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Files ---------------------------------------------------------------------------------- */

static void write_inputs(void)
{
    FILE *table = fopen("table.csv", "w"), *continental = fopen("continental.csv", "w");
    assert_true(table != NULL && continental != NULL);
    fprintf(table, "age,weight,town,INCOME,disease\n");
    fprintf(continental, "alter;gewicht;ort\n");
    for (int i = 0; i < 60; i++) {
        int age = 20 + i * 7 % 40, tenths = 500 + i * 37 % 300;
        fprintf(table, "%d,%d.%d,t%d,%d.25,d%d\n", age, tenths / 10, tenths % 10, i % 5, i * 101,
                i % 4);
        fprintf(continental, "%d;%d,%d;t%d\n", age, tenths / 10, tenths % 10, i % 5);
    }
    fclose(table);
    fclose(continental);
    brute_write_text("job.yaml", "data: table.csv\n"
                                 "attributes:\n"
                                 "  age: {role: quasi, hierarchy: 'intervals(5,20)', weight: 1.5}\n"
                                 "  weight: {role: quasi, hierarchy: 'intervals(2.5,10)'}\n"
                                 "  town: {role: quasi}\n"
                                 "  INCOME: {role: insensitive}\n"
                                 "  disease: {role: sensitive}\n"
                                 "privacy:\n"
                                 "  - k-anonymity: 3\n"
                                 "  - t-closeness: {attribute: disease, t: 0.75}\n"
                                 "  - entropy-l: {attribute: disease, l: 1.2}\n"
                                 "suppress: 12.5%\n"
                                 "seed: 1\n"
                                 "keep-order: true\n"
                                 "allow-leaks: true\n");
}

static void keep_text(const char *name, char *text)
{
    assert_non_null(text);
    brute_write_text(name, text);
    mgl_text_free(text);
}

/* Without what the clock tells. */
static void keep_json(const char *name, mgl_result *result)
{
    char *text;
    assert_int_equal(mgl_result_json(result, NULL, &text), MGL_OK);
    char *from = strstr(text, "\"seconds\": {");
    if (from != NULL) {
        from = strchr(from, '{') + 1;
        memmove(from, strchr(from, '}'), strlen(strchr(from, '}')) + 1);
    }
    keep_text(name, text);
}

/* ---- Jobs ----------------------------------------------------------------------------------- */

/* What a job is called, what it runs, and its keys with their values; a key "load" is a job file.
 * The message is kept if it fails. */
static const struct {
    const char *name;
    const char *command;
    const char *settings[12][2];
} jobs[] = {
    {"cells",
     "anonymize",
     {{"load", "job.yaml"}, {"output", "cells.csv"}, {"save-recoding", "cells.rec"}}},
    {"nodes",
     "anonymize",
     {{"load", "job.yaml"},
      {"method", "mingen"},
      {"threads", "4"},
      {"output", "nodes.xlsx"},
      {"save-job", "saved.yaml"}}},
    {"averages",
     "anonymize",
     {{"data", "table.csv"},
      {"qi", "age,weight"},
      {"rest", "drop"},
      {"method", "microaggregate"},
      {"k", "4"},
      {"seed", "1"},
      {"output", "averages.csv"}}},
    {"decimal",
     "anonymize",
     {{"data", "continental.csv"},
      {"decimal", ","},
      {"qi", "gewicht,alter"},
      {"rest", "drop"},
      {"hierarchy", "gewicht=intervals(2.5)"},
      {"method", "mondrian"},
      {"k", "3"},
      {"seed", "1"},
      {"output", "decimal.csv"}}},
    {"applied",
     "apply",
     {{"data", "table.csv"},
      {"recoding", "cells.rec"},
      {"allow-leaks", "true"},
      {"seed", "1"},
      {"output", "applied.csv"}}},
    {"check", "check", {{"load", "job.yaml"}}},
    {"risk",
     "risk",
     {{"data", "table.csv"},
      {"qi", "age,town,disease"},
      {"weight", "INCOME"},
      {"suda", "true"},
      {"sampling-fraction", "0.125"},
      {"rows", "rows.csv"}}},
    {"lattice", "lattice", {{"load", "job.yaml"}}},
    {"hierarchies", "hierarchy show", {{"load", "job.yaml"}}},
    {"unmet", "anonymize", {{"load", "job.yaml"}, {"max-risk", "0.0015"}, {"output", "unmet.csv"}}},
    {"usage", "anonymize", {{"load", "job.yaml"}, {"alpha", "disease=1.5"}, {"output", "no.csv"}}},
    {"missing",
     "anonymize",
     {{"data", "nowhere.csv"}, {"qi", "age"}, {"k", "2"}, {"output", "n.csv"}}},
};
enum { JOBS = sizeof jobs / sizeof jobs[0] };

static int saw_comma(void *user, const char *stage, uint64_t done, uint64_t total)
{
    (void)stage, (void)done, (void)total;
    *(bool *)user = localeconv()->decimal_point[0] != '.';
    return 0;
}

static void keep_views(const char *name, const mgl_result *result)
{
    char path[64], *text;
    assert_int_equal(mgl_result_summary(result, NULL, NULL, &text), MGL_OK);
    snprintf(path, sizeof path, "%s.text", name);
    keep_text(path, text);
    assert_int_equal(mgl_result_html(result, NULL, &text), MGL_OK);
    snprintf(path, sizeof path, "%s.html", name);
    keep_text(path, text);
}

/* True if the listener was in the locale of the program, or there was nothing to tell. */
static bool run_job(size_t i)
{
    mgl_job *job;
    mgl_result *result = NULL;
    mgl_error err = {0};
    char name[64];
    bool comma = localeconv()->decimal_point[0] != '.', seen = comma;
    mgl_status status = MGL_OK;
    assert_int_equal(mgl_job_new(&err, &job), MGL_OK);
    mgl_job_on_progress(job, saw_comma, &seen);
    for (size_t s = 0; status == MGL_OK && jobs[i].settings[s][0] != NULL; s++) {
        const char *key = jobs[i].settings[s][0], *value = jobs[i].settings[s][1];
        status = strcmp(key, "load") == 0 ? mgl_job_load(job, value, &err)
                                          : mgl_job_add(job, key, value, &err);
    }
    if (status == MGL_OK)
        status = mgl_job_run(job, jobs[i].command, &err, &result);
    snprintf(name, sizeof name, "%s.%s", jobs[i].name, status == MGL_OK ? "json" : "message");
    if (status == MGL_OK)
        keep_json(name, result);
    else
        brute_write_text(name, err.message);
    mgl_result_free(result);
    mgl_job_free(job);
    return seen == comma;
}

/* A result that another run has written, read and shown. */
static void show_result(void)
{
    mgl_job *job;
    mgl_result *result;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    assert_int_equal(mgl_job_add(job, "data", "../result.json", NULL), MGL_OK);
    assert_int_equal(mgl_job_run(job, "report", NULL, &result), MGL_OK);
    keep_views("shown", result);
    mgl_result_free(result);
    mgl_job_free(job);
}

static void run_all(const char *folder)
{
    char *text;
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(chdir(folder), 0);
    write_inputs();
    for (size_t i = 0; i < JOBS; i++)
        if (!run_job(i))
            fail_msg("%s: the listener was not in the locale of the program", jobs[i].name);
    if (access("../result.json", F_OK) != 0)
        assert_int_equal(link("cells.json", "../result.json"), 0);
    show_result();
    mgl_result *catalogue;
    assert_int_equal(mgl_catalogue(NULL, NULL, &catalogue), MGL_OK);
    assert_int_equal(mgl_result_json(catalogue, NULL, &text), MGL_OK);
    keep_text("catalogue.json", text);
    mgl_result_free(catalogue);
    assert_int_equal(chdir(".."), 0);
}

/* ---- Comparing ------------------------------------------------------------------------------ */

static size_t compare_folders(const char *plain, const char *other)
{
    DIR *folder = opendir(plain);
    size_t n = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        char path[512];
        size_t size, other_size;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", plain, entry->d_name);
        char *wanted = brute_read(path, &size);
        snprintf(path, sizeof path, "%s/%s", other, entry->d_name);
        if (access(path, F_OK) != 0)
            fail_msg("%s is not there", path);
        char *found = brute_read(path, &other_size);
        if (size != other_size || memcmp(wanted, found, size) != 0)
            fail_msg("%s is another file than in the C locale", path);
        free(wanted);
        free(found);
        n++;
    }
    closedir(folder);
    return n;
}

static int begin(void **state)
{
    if (brute_enter_folder(state) != 0)
        return -1;
    run_all("plain");
    return 0;
}

static void same_in(const char *name)
{
    if (!enter_locale(name))
        skip();
    run_all("other");
    leave_locale();
    assert_true(compare_folders("plain", "other") > JOBS + 5);
    assert_int_equal(compare_folders("other", "plain"), compare_folders("plain", "other"));
    assert_int_equal(system("rm -r other"), 0);
}

static void decimal_comma(void **state)
{
    (void)state;
    same_in("de_DE");
}

static void decimal_sign_of_two_bytes(void **state)
{
    (void)state;
    same_in("ps_AF");
}

static void other_letters(void **state)
{
    (void)state;
    same_in("tr_TR");
}

/* The comparison itself: a job that is run twice is the same, and releases are there. */
static void twice_the_same(void **state)
{
    (void)state;
    static const char *const made[] = {"plain/cells.csv",   "plain/averages.csv",
                                       "plain/decimal.csv", "plain/applied.csv",
                                       "plain/rows.csv",    "plain/shown.html"};
    for (size_t i = 0; i < sizeof made / sizeof made[0]; i++)
        if (access(made[i], F_OK) != 0)
            fail_msg("%s was not made", made[i]);
    run_all("again");
    assert_true(compare_folders("plain", "again") > JOBS + 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(twice_the_same),
        cmocka_unit_test(decimal_comma),
        cmocka_unit_test(decimal_sign_of_two_bytes),
        cmocka_unit_test(other_letters),
    };
    return cmocka_run_group_tests(tests, begin, brute_leave_folder);
}
