/* Chains of commands whose files are all in memory: parts, recodings, histories, results and pages
 * that one command makes and another takes. Random tables; what comes out is what comes out of
 * files. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "mingle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 60, SLICES = 3, LINE = 96, MOST_THINGS = 24 };

/* ---- Chains: the same steps with files and in memory --------------------------------------------
 */

typedef struct thing {
    char name[LINE], *data;
    size_t size;
} thing;

typedef struct chain {
    bool in_memory;
    thing things[MOST_THINGS]; /* of a chain in memory; files have theirs in the folder */
    size_t n_things;
} chain;

static void put_thing(chain *chain, const char *name, const void *data, size_t size)
{
    if (!chain->in_memory) {
        brute_write(name, data, size);
        return;
    }
    size_t i = 0;
    while (i < chain->n_things && strcmp(chain->things[i].name, name) != 0)
        i++;
    assert_true(i < MOST_THINGS);
    thing *thing = &chain->things[i];
    if (i == chain->n_things)
        chain->n_things++;
    else
        free(thing->data);
    snprintf(thing->name, sizeof thing->name, "%s", name);
    thing->data = malloc(size > 0 ? size : 1);
    assert_non_null(thing->data);
    memcpy(thing->data, data, size);
    thing->size = size;
}

/* A copy, closed by a zero; free() it. */
static char *take_thing(const chain *chain, const char *name, size_t *size)
{
    if (!chain->in_memory) {
        char *data = brute_read(name, size);
        assert_non_null(data);
        return data;
    }
    for (size_t i = 0; i < chain->n_things; i++)
        if (strcmp(chain->things[i].name, name) == 0) {
            char *data = calloc(chain->things[i].size + 1, 1);
            assert_non_null(data);
            memcpy(data, chain->things[i].data, chain->things[i].size);
            *size = chain->things[i].size;
            return data;
        }
    fail_msg("there is no %s", name);
    return NULL;
}

static void forget_things(chain *chain)
{
    for (size_t i = 0; i < chain->n_things; i++)
        free(chain->things[i].data);
    chain->n_things = 0;
}

/* In values @ stands before the name of a file. */
typedef const char *const keys[][2];

static void set_key(const chain *chain, mgl_job *job, const char *key, const char *value)
{
    mgl_error err = {0};
    char place[4 * LINE] = "";
    for (size_t at = 0; *value != '\0'; value++) {
        if (*value == '@')
            at += (size_t)snprintf(place + at, sizeof place - at, "%s",
                                   chain->in_memory ? "memory:" : "");
        else
            at += (size_t)snprintf(place + at, sizeof place - at, "%c", *value);
    }
    if (mgl_job_set(job, key, place, &err) != MGL_OK)
        fail_msg("%s = %s: %s", key, place, err.message);
}

/* What the result has in memory is there for later steps. */
static void keep_outputs(chain *chain, const mgl_result *result, const keys outputs_of)
{
    static const char *const outputs[] = {"output", "save-recoding", "result", "report"};
    for (size_t i = 0; outputs_of[i][0] != NULL; i++)
        for (size_t o = 0; o < sizeof outputs / sizeof outputs[0]; o++) {
            const void *data;
            size_t size;
            mgl_error err = {0};
            if (!chain->in_memory || strcmp(outputs_of[i][0], outputs[o]) != 0)
                continue;
            const char *name = outputs_of[i][1] + 1;
            if (mgl_result_bytes(result, name, &err, &data, &size) != MGL_OK)
                fail_msg("%s: %s", name, err.message);
            put_thing(chain, name, data, size);
        }
}

static mgl_status step(chain *chain, const char *command, const keys said)
{
    mgl_error err = {0};
    mgl_job *job;
    mgl_result *result = NULL;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    for (size_t i = 0; i < chain->n_things; i++) {
        const thing *thing = &chain->things[i];
        assert_int_equal(
            mgl_job_give_bytes(job, thing->name, thing->data, thing->size, NULL, NULL, &err),
            MGL_OK);
    }
    for (size_t i = 0; said[i][0] != NULL; i++)
        set_key(chain, job, said[i][0], said[i][1]);
    mgl_status status = mgl_job_run(job, command, &err, &result);
    if (status == MGL_OK)
        keep_outputs(chain, result, said);
    else if (status != MGL_UNMET)
        fail_msg("%s", err.message);
    mgl_result_free(result);
    mgl_job_free(job);
    return status;
}

/* ---- Tables -------------------------------------------------------------------------------------
 */

static const char header[] = "a,b,note,s\n";

static void put_tables(chain *chain, uint64_t seed)
{
    brute_random drawn = {seed}, *random = &drawn;
    brute_text whole = {0}, slices[SLICES] = {{0}};
    int n_rows = brute_between(random, 20, MOST_ROWS);
    brute_append_text(&whole, header);
    for (int i = 0; i < SLICES; i++)
        brute_append_text(&slices[i], header);
    for (int r = 0; r < n_rows; r++) {
        char line[LINE];
        snprintf(line, sizeof line, "%s,%c%c,\"n, %d\",s%d\n",
                 brute_chance(random, 10)   ? ""
                 : brute_chance(random, 50) ? "x"
                                            : "y",
                 'a' + brute_below(random, 3), 'p' + brute_below(random, 3), r,
                 brute_below(random, 3));
        brute_append_text(&whole, line);
        brute_append_text(&slices[brute_below(random, SLICES)], line);
    }
    put_thing(chain, "table.csv", whole.data, whole.size);
    for (int i = 0; i < SLICES; i++) {
        char name[LINE];
        snprintf(name, sizeof name, "slice%d.csv", i);
        put_thing(chain, name, slices[i].data, slices[i].size);
        free(slices[i].data);
    }
    free(whole.data);
}

static void expect_same_things(chain *chains, const char *name, uint64_t seed)
{
    size_t size[2];
    char *data[2] = {take_thing(&chains[0], name, &size[0]),
                     take_thing(&chains[1], name, &size[1])};
    if (size[0] != size[1] || memcmp(data[0], data[1], size[0]) != 0)
        fail_msg("seed %llu: %s differs:\n%.400s\n%.400s", (unsigned long long)seed, name, data[0],
                 data[1]);
    free(data[0]);
    free(data[1]);
}

/* ---- The chains ---------------------------------------------------------------------------------
 */

#define ROLES                                                                                      \
    {"qi", "a,b"}, {"sensitive", "s"}, {"insensitive", "note"},                                    \
    {                                                                                              \
        "threads", "1"                                                                             \
    }
#define MODELS                                                                                     \
    {"k", "3"}, {"suppress", "40%"},                                                               \
    {                                                                                              \
        "allow-leaks", "true"                                                                      \
    }

/* Counts slices, searches their parts, applies what was found to each of them. */
static mgl_status run_parts(chain *chain, const char *method)
{
    for (int i = 0; i < SLICES; i++) {
        char data[LINE], part[LINE];
        snprintf(data, sizeof data, "@slice%d.csv", i);
        snprintf(part, sizeof part, "@%d.part", i);
        assert_int_equal(
            step(chain, "count", (keys){{"data", data}, {"output", part}, ROLES, {NULL, NULL}}),
            MGL_OK);
    }
    mgl_status status = step(chain, "anonymize",
                             (keys){{"data", "@0.part"},
                                    {"parts", "@1.part,@2.part"},
                                    {"hierarchy", "b=mask(right,1)"},
                                    {"l-diversity", "s=2"},
                                    MODELS,
                                    {"method", method},
                                    {"threads", "1"},
                                    {"save-recoding", "@found.rec"},
                                    {NULL, NULL}});
    for (int i = 0; i < SLICES && status == MGL_OK; i++) {
        char data[LINE], output[LINE];
        snprintf(data, sizeof data, "@slice%d.csv", i);
        snprintf(output, sizeof output, "@release%d.csv", i);
        status = step(chain, "apply",
                      (keys){{"recoding", "@found.rec"},
                             {"data", data},
                             {"output", output},
                             {"keep-order", "true"},
                             {"allow-leaks", "true"},
                             {NULL, NULL}});
    }
    return status;
}

static const char *const methods[] = {"mingen", "cell", "datafly", "samarati", "mondrian"};

static void parts_and_recodings_in_memory_are_those_of_files(void **state)
{
    int n = brute_cases(20), found = 0;
    (void)state;
    for (int i = 0; i < n; i++) {
        uint64_t seed = 40 + (uint64_t)i;
        chain chains[2] = {{.in_memory = false}, {.in_memory = true}};
        mgl_status ends[2];
        for (int c = 0; c < 2; c++) {
            put_tables(&chains[c], seed);
            ends[c] = run_parts(&chains[c], methods[i % 5]);
        }
        assert_int_equal(ends[0], ends[1]);
        expect_same_things(chains, "1.part", seed);
        for (int s = 0; s < SLICES && ends[0] == MGL_OK; s++) {
            char name[LINE];
            snprintf(name, sizeof name, "release%d.csv", s);
            expect_same_things(chains, name, seed);
            found++;
        }
        forget_things(&chains[1]);
    }
    assert_true(found > n / 2);
}

/* Two releases of a table, the second with a look at the first. */
static mgl_status run_history(chain *chain, const char *method)
{
    mgl_status status = step(chain, "anonymize",
                             (keys){{"data", "@table.csv"},
                                    ROLES,
                                    {"hierarchy", "b=mask(right,1)"},
                                    MODELS,
                                    {"level", "b=1"},
                                    {"keep-order", "true"},
                                    {"output", "@first.csv"},
                                    {"save-recoding", "@first.rec"},
                                    {NULL, NULL}});
    if (status != MGL_OK)
        return status;
    return step(chain, "anonymize",
                (keys){{"data", "@table.csv"},
                       ROLES,
                       {"hierarchy", "b=mask(right,1)"},
                       MODELS,
                       {"method", method},
                       {"keep-order", "true"},
                       {"history", "@first.rec"},
                       {"output", "@second.csv"},
                       {NULL, NULL}});
}

static void histories_in_memory_are_those_of_files(void **state)
{
    int n = brute_cases(15), found = 0;
    (void)state;
    for (int i = 0; i < n; i++) {
        uint64_t seed = 90 + (uint64_t)i;
        chain chains[2] = {{.in_memory = false}, {.in_memory = true}};
        mgl_status ends[2];
        for (int c = 0; c < 2; c++) {
            put_tables(&chains[c], seed);
            ends[c] = run_history(&chains[c], methods[i % 5]);
        }
        assert_int_equal(ends[0], ends[1]);
        if (ends[0] == MGL_OK) {
            expect_same_things(chains, "first.csv", seed);
            expect_same_things(chains, "second.csv", seed);
            found++;
        }
        forget_things(&chains[1]);
    }
    assert_true(found > n / 2);
}

/* A result and a page beside the release; the result is checked against the release, and a page
 * made of it anew. */
static void results_and_pages_in_memory_can_be_read_again(void **state)
{
    chain chain = {.in_memory = true};
    (void)state;
    put_tables(&chain, 7);
    assert_int_equal(step(&chain, "anonymize",
                          (keys){{"data", "@table.csv"},
                                 ROLES,
                                 {"hierarchy", "b=mask(right,1)"},
                                 MODELS,
                                 {"output", "@release.csv"},
                                 {"result", "@result.json"},
                                 {"report", "@page.html"},
                                 {NULL, NULL}}),
                     MGL_OK);
    assert_int_equal(
        step(&chain, "check",
             (keys){{"data", "@release.csv"}, {"against", "@result.json"}, {NULL, NULL}}),
        MGL_OK);
    assert_int_equal(
        step(&chain, "report",
             (keys){{"data", "@result.json"}, {"output", "@again.html"}, {NULL, NULL}}),
        MGL_OK);
    size_t size;
    char *page = take_thing(&chain, "page.html", &size),
         *again = take_thing(&chain, "again.html", &size);
    assert_string_equal(page, again);
    assert_non_null(strstr(page, "</html>"));
    free(page);
    free(again);
    forget_things(&chain);
    assert_int_equal(brute_count_names("."), 0);
}

int main(void)
{
    const struct CMUnitTest in_files[] = {
        cmocka_unit_test(parts_and_recodings_in_memory_are_those_of_files),
        cmocka_unit_test(histories_in_memory_are_those_of_files),
    };
    const struct CMUnitTest in_memory[] = {
        cmocka_unit_test(results_and_pages_in_memory_can_be_read_again),
    };
    return cmocka_run_group_tests(in_files, brute_enter_folder, brute_leave_folder) |
           cmocka_run_group_tests(in_memory, brute_enter_folder, brute_leave_folder);
}
