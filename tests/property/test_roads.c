/* The road through memory is the road through files: random jobs with all methods, models and
 * treatments, from files, bytes and Arrow tables to each of these, give the same rows and results.
 */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "roads.h"
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A case ------------------------------------------------------------------------------------
 */

/* How a job gets what it reads, and where its release goes. */
typedef struct road {
    road_form data, hierarchies, population, output;
} road;

/* Columns with cells that have types, which are passed through. */
static void add_typed_columns(brute_random *random)
{
    size_t size;
    char *text = brute_read("table.csv", &size);
    brute_text more = {0};
    bool first = true;
    assert_non_null(text);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n"), first = false) {
        char cells[160], whole[32], half[32];
        snprintf(whole, sizeof whole, "%d", brute_below(random, 30000) - 300);
        snprintf(half, sizeof half, "%g", brute_between(random, -20, 40) / 4.0);
        if (first)
            snprintf(cells, sizeof cells, ";whole;half;day;flag\n");
        else
            snprintf(cells, sizeof cells, ";%s;%s;20%02d-%02d-%02d;%s\n",
                     brute_chance(random, 10) ? "" : whole, brute_chance(random, 10) ? "NA" : half,
                     brute_below(random, 30), brute_between(random, 1, 12),
                     brute_between(random, 1, 28), brute_chance(random, 50) ? "true" : "false");
        brute_append_text(&more, line);
        brute_append_text(&more, cells);
    }
    brute_write("table.csv", more.data, more.size);
    free(more.data);
    free(text);
}

static void make_case(trial *x, uint64_t seed)
{
    trial_make(x, seed, seed, NULL, 0);
    brute_random random = {seed + 77};
    x->output = "release.csv";
    x->time_limit = "1000"; /* never reached: both roads must end in the same place */
    if (x->effort != NULL && strcmp(x->effort, "best") == 0)
        x->effort = "balanced";
    trial_write(x);
    add_typed_columns(&random);
}

static void set(mgl_job *job, const char *key, const char *value)
{
    mgl_error err = {0};
    if (mgl_job_set(job, key, value, &err) != MGL_OK)
        fail_msg("%s = %s: %s", key, value, err.message);
}

/* The job of the case with everything it names on the road. */
static mgl_job *road_job(const trial *x, const road *road, roads *roads, bool keep_order,
                         char output[ROAD_NAME])
{
    mgl_job *job = trial_job(x);
    mgl_error err = {0};
    char key[64], file[24], place[ROAD_NAME];
    bool items = x->t.c.seed % 4 == 2; /* the parts of a date */
    bool strata = x->t.c.seed % 8 == 3, weights = x->t.c.seed % 8 == 7;
    const char *passed = items    ? "whole,half,flag"
                         : strata ? "whole,half,day"
                                  : "whole,half,day,flag";
    if (mgl_job_add(job, "insensitive", passed, &err) != MGL_OK)
        fail_msg("%s", err.message);
    if (strata)
        set(job, "by", "flag");
    if (weights) {
        set(job, "weight", "whole");
        set(job, "where", "whole > 0");
        set(job, "max-risk", "0.9");
    }
    if (items) {
        set(job, "attributes.day.km", "2,2");
        set(job, "km-separator", "-");
    }
    set(job, "keep-order", keep_order ? "true" : "false");
    if (x->t.c.seed % 4 == 1)
        set(job, "linked", "a,half,flag");
    road_give(roads, job, "table.csv", road->data, true, place);
    set(job, "data", place);
    for (int a = 0; a < x->t.c.n_attributes; a++) {
        snprintf(key, sizeof key, "attributes.%c.hierarchy", 'a' + a);
        snprintf(file, sizeof file, "%c.csv", 'a' + a);
        if (!x->t.c.hierarchies[a].given)
            continue;
        road_give(roads, job, file, road->hierarchies, false, place);
        set(job, key, place);
    }
    for (int s = 0; s < x->t.n_sensitive; s++) {
        snprintf(key, sizeof key, "attributes.s%d.hierarchy", s);
        snprintf(file, sizeof file, "s%d.csv", s);
        if (!x->t.sensitive[s].has_hierarchy)
            continue;
        road_give(roads, job, file, road->hierarchies, false, place);
        set(job, key, place);
    }
    if (x->t.has_population) {
        road_give(roads, job, "population.csv", road->population, true, place);
        set(job, "population", place);
    }
    road_name(x->output, road->output, output);
    set(job, "output", output);
    return job;
}

/* ---- Where it ends ------------------------------------------------------------------------------
 */

typedef struct end {
    mgl_status status;
    mgl_code code;
    char message[400];
    road_rows rows;
    char *document; /* NULL: it failed */
} end;

static end travel(const trial *x, const road *road, bool keep_order)
{
    roads roads = {.random = {x->t.c.seed * 31 + road->data * 9 + road->output}};
    end end = {0};
    mgl_error err = {0};
    mgl_result *result = NULL;
    char output[ROAD_NAME];
    mgl_job *job = road_job(x, road, &roads, keep_order, output);
    end.status = mgl_job_run(job, "anonymize", &err, &result);
    mgl_job_free(job);
    if (end.status == MGL_OK) {
        end.document = road_document(result);
        road_read(result, output, road->output, &end.rows);
    } else {
        end.code = err.code;
        snprintf(end.message, sizeof end.message, "%.390s", err.message);
        assert_null(result);
    }
    mgl_result_free(result);
    road_expect_all_returned(&roads);
    return end;
}

static void free_end(end *end)
{
    road_rows_free(&end->rows);
    free(end->document);
}

static void expect_same_documents(const char *expected, const char *found, const char *words)
{
    size_t at = 0;
    while (expected[at] != '\0' && expected[at] == found[at])
        at++;
    size_t from = at < 200 ? 0 : at - 200;
    if (expected[at] != found[at])
        fail_msg("%s: the results differ:\n%.400s\ninstead of\n%.400s", words, found + from,
                 expected + from);
}

static void expect_same(const trial *x, const end *expected, const end *found, const road *road)
{
    static const char *const forms[] = {"file", "bytes", "table"};
    char words[200];
    snprintf(words, sizeof words, "seed %llu, %s, data as %s, hierarchies as %s, release as %s",
             (unsigned long long)x->t.c.seed, x->method, forms[road->data],
             forms[road->hierarchies], forms[road->output]);
    if (expected->status != found->status || expected->code != found->code)
        fail_msg("%s: status %d (%s) instead of %d (%s)", words, found->status, found->message,
                 expected->status, expected->message);
    if (expected->status != MGL_OK)
        return;
    road_expect_same_rows(&expected->rows, &found->rows, words);
    expect_same_documents(expected->document, found->document, words);
}

/* ---- The tests ----------------------------------------------------------------------------------
 */

static const road files = {ROAD_FILE, ROAD_FILE, ROAD_FILE, ROAD_FILE};

static void every_road_gives_the_rows_and_results_of_files(void **state)
{
    static trial x;
    int n = brute_cases(45), released = 0, refused = 0;
    (void)state;
    for (int i = 0; i < n; i++) {
        make_case(&x, 5000 + (uint64_t)i);
        end expected = travel(&x, &files, true);
        brute_random random = {(uint64_t)i};
        released += expected.status == MGL_OK;
        refused += expected.status != MGL_OK;
        for (int way = 1; way < ROAD_FORMS * ROAD_FORMS; way++) {
            road road = {way / ROAD_FORMS, brute_below(&random, ROAD_FORMS),
                         brute_below(&random, ROAD_FORMS), way % ROAD_FORMS};
            end found = travel(&x, &road, true);
            expect_same(&x, &expected, &found, &road);
            free_end(&found);
        }
        free_end(&expected);
    }
    assert_true(released > n / 2);
    assert_true(refused > 0 || n < 30);
}

static void in_random_order_the_rows_are_the_same_rows(void **state)
{
    static trial x;
    int n = brute_cases(25);
    (void)state;
    for (int i = 0; i < n; i++) {
        static const road roads_of_memory[] = {
            {ROAD_TABLE, ROAD_BYTES, ROAD_TABLE, ROAD_TABLE},
            {ROAD_TABLE, ROAD_TABLE, ROAD_BYTES, ROAD_BYTES},
            {ROAD_BYTES, ROAD_TABLE, ROAD_TABLE, ROAD_TABLE},
        };
        make_case(&x, 9000 + (uint64_t)i);
        end expected = travel(&x, &files, false);
        road_sort(&expected.rows);
        const road *road = &roads_of_memory[i % 3];
        end found = travel(&x, road, false);
        road_sort(&found.rows);
        expect_same(&x, &expected, &found, road);
        free_end(&found);
        free_end(&expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_road_gives_the_rows_and_results_of_files),
        cmocka_unit_test(in_random_order_the_rows_are_the_same_rows),
    };
    return cmocka_run_group_tests(tests, brute_enter_folder, brute_leave_folder);
}
