/* Slices that are counted, searched together and released one by one give what the whole table
 * gives; and every call that can fail does so once. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 60, SLICES = 3, LINE = 64 };

static const char header[] = "a,b,note,s\n";

/* Writes a random table to table.csv and its rows, dealt out at random, to slice0.csv, ...;
 * slice_of tells where each row went. */
static int write_tables(brute_random *random, int *slice_of)
{
    int n_rows = brute_between(random, 20, MOST_ROWS);
    brute_text whole = {0}, slices[SLICES] = {{0}};
    brute_append_text(&whole, header);
    for (int i = 0; i < SLICES; i++)
        brute_append_text(&slices[i], header);
    for (int r = 0; r < n_rows; r++) {
        char line[LINE];
        slice_of[r] = brute_below(random, SLICES);
        /* an empty cell is missing, and a note must be copied as it is */
        snprintf(line, sizeof line, "%s,%c%c,\"n, %d\",s%d\n",
                 brute_chance(random, 10)   ? ""
                 : brute_chance(random, 50) ? "x"
                                            : "y",
                 'a' + brute_below(random, 3), 'p' + brute_below(random, 3), r,
                 brute_below(random, 3));
        brute_append_text(&whole, line);
        brute_append_text(&slices[slice_of[r]], line);
    }
    brute_write("table.csv", whole.data, whole.size);
    for (int i = 0; i < SLICES; i++) {
        char path[LINE];
        snprintf(path, sizeof path, "slice%d.csv", i);
        brute_write(path, slices[i].data, slices[i].size);
        free(slices[i].data);
    }
    free(whole.data);
    return n_rows;
}

static mgl_status try(const char *command, mgl_error *err, const char *const (*keys)[2])
{
    mgl_job *job = NULL;
    mgl_result *result = NULL;
    mgl_status status = mgl_job_new(err, &job);
    for (size_t i = 0; status == MGL_OK && keys[i][0] != NULL; i++)
        status = mgl_job_add(job, keys[i][0], keys[i][1], err);
    if (status == MGL_OK)
        status = mgl_job_run(job, command, err, &result);
    mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

#define ROLES                                                                                      \
    {"qi", "a,b"}, {"sensitive", "s"}, {"insensitive", "note"},                                    \
    {                                                                                              \
        "threads", "1"                                                                             \
    }

static mgl_status count_slice(int i, mgl_error *err)
{
    char data[LINE], part[LINE];
    snprintf(data, sizeof data, "slice%d.csv", i);
    snprintf(part, sizeof part, "%d.part", i);
    const char *const keys[][2] = {{"data", data}, {"output", part}, ROLES, {NULL, NULL}};
    return try("count", err, keys);
}

static mgl_status search_parts(const char *method, const char *treatment, mgl_error *err)
{
    const char *const keys[][2] = {{"data", "0.part"},
                                   {"parts", "1.part,2.part"},
                                   {"hierarchy", "b=mask(right,1)"},
                                   {"k", "3"},
                                   {"l-diversity", "s=2"},
                                   {"suppress", "40%"},
                                   {"suppressed", treatment},
                                   {"method", method},
                                   {"threads", "1"},
                                   {"save-recoding", "found.rec"},
                                   {NULL, NULL}};
    return try("anonymize", err, keys);
}

static mgl_status apply_to(int i, mgl_error *err)
{
    char data[LINE], output[LINE];
    snprintf(data, sizeof data, "slice%d.csv", i);
    snprintf(output, sizeof output, "release%d.csv", i);
    const char *const keys[][2] = {
        {"recoding", "found.rec"}, {"data", data},   {"output", output}, {"keep-order", "true"},
        {"allow-leaks", "true"},   {"threads", "1"}, {NULL, NULL}};
    return try("apply", err, keys);
}

static mgl_status release_whole(const char *method, const char *treatment, mgl_error *err)
{
    const char *const keys[][2] = {{"data", "table.csv"},
                                   {"output", "release.csv"},
                                   ROLES,
                                   {"hierarchy", "b=mask(right,1)"},
                                   {"k", "3"},
                                   {"l-diversity", "s=2"},
                                   {"suppress", "40%"},
                                   {"suppressed", treatment},
                                   {"method", method},
                                   {"keep-order", "true"},
                                   {"allow-leaks", "true"},
                                   {NULL, NULL}};
    return try("anonymize", err, keys);
}

static char *read_body(const char *path)
{
    size_t size;
    char *text = brute_read(path, &size);
    assert_non_null(text);
    assert_int_equal(strncmp(text, header, strlen(header)), 0);
    return text;
}

/* Takes one line after another. */
static const char *next_line(char **at, size_t *size)
{
    const char *line = *at;
    char *end = strchr(*at, '\n');
    if (end == NULL)
        return NULL;
    *size = (size_t)(end - line) + 1;
    *at = end + 1;
    return line;
}

static void a_search_over_parts_equals_that_of_the_table(void **state)
{
    (void)state;
    static const char *const methods[] = {"mingen",   "cell",      "datafly",
                                          "samarati", "top-down",  "mondrian",
                                          "k-member", "incognito", "local-suppression"};
    static const char *const treatments[] = {"keep", "drop", "exempt"};
    brute_random random = {5};
    int compared = 0;
    for (int i = 0; i < brute_cases(40); i++) {
        int slice_of[MOST_ROWS];
        int n_rows = write_tables(&random, slice_of);
        const char *method = methods[brute_below(&random, 9)];
        const char *treatment = treatments[brute_below(&random, 3)];
        mgl_error err = {0};
        for (int p = 0; p < SLICES; p++)
            assert_int_equal(count_slice(p, &err), MGL_OK);
        mgl_status whole = release_whole(method, treatment, &err);
        mgl_status parts = search_parts(method, treatment, &err);
        assert_int_equal(whole, parts);
        if (whole != MGL_OK)
            continue;
        char *texts[SLICES], *at[SLICES];
        for (int p = 0; p < SLICES; p++) {
            if (apply_to(p, &err) != MGL_OK)
                fail_msg("slice %d with %s: %s", p, method, err.message);
            char path[LINE];
            snprintf(path, sizeof path, "release%d.csv", p);
            texts[p] = read_body(path);
            at[p] = texts[p] + strlen(header);
        }
        char *release = read_body("release.csv"), *in = release + strlen(header);
        int rows = 0;
        for (int r = 0; r < n_rows; r++) {
            /* Rows that are dropped are missing in both. */
            size_t size = 0, other = 0;
            char *before = in;
            const char *line = next_line(&in, &size);
            char *slice_before = at[slice_of[r]];
            const char *same = next_line(&at[slice_of[r]], &other);
            if (line != NULL && same != NULL && size == other && memcmp(line, same, size) == 0) {
                rows++;
                continue;
            }
            assert_string_equal(treatment, "drop");
            in = before;
            at[slice_of[r]] = slice_before;
        }
        assert_int_equal(strlen(in), 0);
        for (int p = 0; p < SLICES; p++) {
            assert_int_equal(strlen(at[p]), 0);
            free(texts[p]);
        }
        free(release);
        assert_true(rows > 0);
        compared++;
    }
    assert_true(compared > 10 / BRUTE_ONE_IN);
}

/* ---- Faults -----------------------------------------------------------------------------------
 */

static int step;

static mgl_status run_step(mgl_error *err)
{
    return step == 0   ? count_slice(0, err)
           : step == 1 ? search_parts("mingen", "keep", err)
                       : apply_to(0, err);
}

static void every_failed_system_call_leaves_outputs_as_they_were(void **state)
{
    (void)state;
    static const char *const outputs[] = {"0.part", "found.rec", "release0.csv"};
    brute_random random = {11};
    int slice_of[MOST_ROWS];
    mgl_error err = {0};
    write_tables(&random, slice_of);
    for (int p = 0; p < SLICES; p++)
        assert_int_equal(count_slice(p, &err), MGL_OK);
    assert_int_equal(search_parts("mingen", "keep", &err), MGL_OK);
    for (step = 0; step < 3; step++)
        for (int kind = 0; kind < MGL_FAULT_KILL; kind++)
            for (uint64_t n = 1;; n++) {
                remove(outputs[step]);
                int names = brute_count_names(".");
                mgl_fault_arm((mgl_fault_kind)kind, n);
                mgl_status status = run_step(&err);
                bool hit = mgl_fault_count((mgl_fault_kind)kind) >= n;
                mgl_fault_arm((mgl_fault_kind)kind, 0);
                if (!hit && status != MGL_OK)
                    fail_msg("step %d: %s", step, err.message);
                if (status == MGL_OK) {
                    assert_true(brute_exists(outputs[step]));
                } else if (status != MGL_SYSTEM || brute_count_names(".") != names) {
                    fail_msg("step %d, fault %d:%d: status %d, %s", step, kind, (int)n, status,
                             err.message);
                }
                if (!hit)
                    break;
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_over_parts_equals_that_of_the_table),
        cmocka_unit_test(every_failed_system_call_leaves_outputs_as_they_were),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
