/* The time limit, by a clock of the test that goes on with the work that is done: every class that
 * a model judges takes some time, every look at the clock hardly any. So no search can go on for
 * longer than is promised without looking, on any machine. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/fault.h"
#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"
#include "random_problem.h"
#include "search/search.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef MGL_FAULTS

enum {
    TICKS = 1000, /* that a class takes; a look at the clock takes one */
    TUPLES = 400,
    SECOND = 5 * TUPLES /* classes: some nodes are always looked at, and the release is judged */
};

static _Atomic uint64_t ticks;

static double own_clock(void)
{
    return (double)atomic_fetch_add(&ticks, 1) / TICKS;
}

/* A model that searches know nothing of: they ask it class by class. It is closed under nothing. */
static bool holds(const mgl_model *model, const mgl_group *group)
{
    (void)model;
    atomic_fetch_add(&ticks, TICKS);
    return group->size >= 3 && group->size % 7 != 1;
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    return holds(model, group) ? 1 : 0;
}

static const mgl_model_type clocked = {.name = "clocked",
                                       .option = "clocked",
                                       .help = "",
                                       .when = "",
                                       .sizes_only = true,
                                       .holds = holds,
                                       .measure = measure,
                                       .measured_is_least = true};

typedef struct trial_problem {
    random_problem p;
    mgl_model models[2]; /* k, and the one above */
} trial_problem;

static void make(trial_problem *t, uint64_t seed, mgl_treatment treatment)
{
    assert_true(random_problem_make_wide(&t->p, 5, TUPLES, seed));
    t->models[0] = t->p.model;
    t->models[1] = (mgl_model){.type = &clocked};
    t->p.set.models = t->models;
    t->p.set.n_models = 2;
    t->p.problem.measure = mgl_measure_type_find("loss");
    t->p.problem.treatment = treatment;
    t->p.problem.effort = MGL_EFFORT_BALANCED;
}

/* In classes; 0: without a limit. What is released holds at any time. */
static double run(const trial_problem *t, const mgl_method_type *method, double limit,
                  bool *released)
{
    mgl_problem problem = t->p.problem;
    mgl_solution *solution = NULL;
    mgl_error err = {0};
    mgl_found found[2];
    atomic_store(&ticks, TICKS); /* a deadline of 0 is none */
    problem.deadline = limit > 0 ? 1 + limit : 0;
    mgl_status status = mgl_search_run(method, &problem, &err, &solution);
    double took = (double)atomic_load(&ticks) / TICKS - 1;
    if (status != MGL_OK && status != MGL_UNMET && status != MGL_USAGE)
        fail_msg("%s: %s", method->name, err.message);
    *released = status == MGL_OK && !solution->unsafe;
    if (*released) {
        assert_int_equal(mgl_judge_recoding(&problem, solution->recoding, NULL, found), MGL_OK);
        for (size_t i = 0; i < 2; i++)
            if (!found[i].holds)
                fail_msg("%s, limit %g: model %zu does not hold", method->name, limit, i);
    }
    mgl_solution_free(solution);
    return took;
}

static void the_limit_is_kept(void **state)
{
    static const mgl_treatment treatments[] = {MGL_EXEMPT, MGL_KEEP, MGL_DROP};
    static const double parts[] = {0.02, 0.1, 0.3, 0.7};
    size_t n, longer = 0, cut_short = 0;
    const mgl_method_type *const *types = mgl_method_types(&n);
    (void)state;
    mgl_fault_set_clock(own_clock);
    for (size_t i = 0; i < 3 * n; i++) {
        trial_problem t;
        bool released;
        make(&t, 3 + i % 3, treatments[i % 3]);
        double whole = run(&t, types[i / 3], 0, &released);
        longer += whole > 3 * SECOND;
        for (size_t l = 0; l < sizeof parts / sizeof parts[0]; l++) {
            double limit = parts[l] * whole, took = run(&t, types[i / 3], limit, &released);
            cut_short += released && took < whole;
            if (took > 1.1 * limit + SECOND)
                fail_msg("%s, %d: %.0f of %.0f, where the limit is %.0f", types[i / 3]->name,
                         (int)treatments[i % 3], took, whole, limit);
        }
        random_problem_free(&t.p);
    }
    mgl_fault_set_clock(NULL);
    assert_true(longer >= 3 && cut_short >= 10); /* there was something to cut short */
}

/* ---- A whole call ---------------------------------------------------------------------------- */

static void write_table(void)
{
    brute_text text = {0};
    char line[80];
    brute_random random = {5};
    brute_append_text(&text, "age,zip,size,person\n");
    for (int r = 0; r < TUPLES; r++) {
        snprintf(line, sizeof line, "%d,%d,%d,p%d\n", brute_between(&random, 20, 79),
                 brute_between(&random, 10000, 10099), brute_below(&random, 60), r / 2);
        brute_append_text(&text, line);
    }
    brute_write("table.csv", text.data, text.size);
    free(text.data);
}

/* Lets time pass when reading, searching and guarding are reported first. */
typedef struct passing {
    double read, search, guard;
} passing;

static int let_pass(void *user, const char *stage, uint64_t done, uint64_t total)
{
    passing *p = user;
    double *seconds = strcmp(stage, "read") == 0    ? &p->read
                      : strcmp(stage, "guard") == 0 ? &p->guard
                                                    : &p->search;
    (void)done;
    (void)total;
    atomic_fetch_add(&ticks, (uint64_t)(*seconds * TICKS));
    *seconds = 0;
    return 0;
}

/* Is the search of a call with a limit of 100 cut short if reading and searching take so long? */
static bool is_cut_short(double read, double search, const char *key, const char *value)
{
    mgl_job *job;
    mgl_result *result = NULL;
    mgl_error err = {0};
    passing p = {read, search, 0};
    char *text = NULL;
    atomic_store(&ticks, TICKS);
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "table.csv");
    brute_set(job, "qi", "age,zip,size");
    brute_set(job, "hierarchy", "age=intervals(5,20)");
    brute_set(job, "hierarchy", "zip=mask(right,5)");
    brute_set(job, "hierarchy", "size=intervals(10,30)");
    brute_set(job, "k", "5");
    brute_set(job, "method", "k-member");
    brute_set(job, "time-limit", "100");
    brute_set(job, "rest", "drop");
    brute_set(job, key, value);
    if (strcmp(key, "curve") == 0)
        brute_set(job, "dry-run", "true");
    if (strcmp(key, "entity") == 0)
        brute_set(job, "output", "release.csv");
    mgl_job_on_progress(job, let_pass, &p);
    if (mgl_job_run(job, "anonymize", &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    assert_true(p.read == 0 && p.search == 0);
    assert_int_equal(mgl_result_json(result, NULL, &text), MGL_OK);
    bool cut = strstr(text, "\"code\": \"time-limit\"") != NULL;
    mgl_text_free(text);
    mgl_result_free(result);
    mgl_job_free(job);
    return cut;
}

static void the_limit_counts_from_the_beginning_of_the_call(void **state)
{
    (void)state;
    mgl_fault_set_clock(own_clock);
    assert_false(is_cut_short(0, 0, "dry-run", "true"));
    assert_false(is_cut_short(90, 0, "dry-run", "true"));
    assert_true(is_cut_short(110, 0, "dry-run", "true"));
    assert_false(is_cut_short(0, 90, "dry-run", "true"));
    assert_true(is_cut_short(0, 110, "dry-run", "true"));
    assert_false(is_cut_short(20, 70, "dry-run", "true"));
    assert_true(is_cut_short(20, 90, "dry-run", "true"));
    /* Where rows are written, three times what reading took is kept back. Where the rest is less,
     * the search has a tenth of it. */
    assert_false(is_cut_short(10, 50, "output", "release.csv"));
    assert_true(is_cut_short(10, 65, "output", "release.csv"));
    assert_false(is_cut_short(23, 15, "output", "release.csv"));
    assert_true(is_cut_short(23, 25, "output", "release.csv"));
    assert_false(is_cut_short(40, 4, "output", "release.csv"));
    assert_true(is_cut_short(40, 20, "output", "release.csv"));
    /* Where persons count, figures of the release take longer. */
    assert_false(is_cut_short(3, 40, "entity", "person"));
    assert_true(is_cut_short(3, 70, "entity", "person"));
    assert_false(is_cut_short(3, 70, "output", "release.csv"));
    /* Searches for other k get as much time as the first. */
    assert_false(is_cut_short(0, 20, "curve", "3,10,20"));
    assert_true(is_cut_short(0, 30, "curve", "3,10,20"));
    mgl_fault_set_clock(NULL);
}

/* ---- After the search ------------------------------------------------------------------------ */

static void write_passed(void)
{
    brute_text text = {0};
    char line[80];
    brute_random random = {7};
    brute_append_text(&text, "age,zip,size,one,two,three\n");
    for (int r = 0; r < TUPLES; r++) {
        snprintf(line, sizeof line, "%d,%d,%d,%d,%d,%d\n", brute_between(&random, 20, 79),
                 brute_between(&random, 10000, 10099), brute_below(&random, 60),
                 brute_below(&random, 4), brute_below(&random, 5), brute_below(&random, 6));
        brute_append_text(&text, line);
    }
    brute_write("passed.csv", text.data, text.size);
    free(text.data);
}

/* The result of a job with a limit of 100 that passes three columns through. Free with
 * mgl_text_free. */
static char *release_passed(const char *method, passing p)
{
    mgl_job *job;
    mgl_result *result = NULL;
    mgl_error err = {0};
    char *text = NULL;
    remove("passed_release.csv");
    write_passed();
    atomic_store(&ticks, TICKS);
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "passed.csv");
    brute_set(job, "qi", "age,zip,size");
    brute_set(job, "insensitive", "one,two,three");
    brute_set(job, "hierarchy", "age=intervals(5,20)");
    brute_set(job, "hierarchy", "zip=mask(right,5)");
    brute_set(job, "hierarchy", "size=intervals(10,30)");
    brute_set(job, "k", "5");
    brute_set(job, "method", method);
    brute_set(job, "time-limit", "100");
    brute_set(job, "output", "passed_release.csv");
    mgl_job_on_progress(job, let_pass, &p);
    mgl_fault_set_clock(own_clock);
    if (mgl_job_run(job, "anonymize", &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_fault_set_clock(NULL);
    assert_int_equal(mgl_result_json(result, NULL, &text), MGL_OK);
    mgl_result_free(result);
    mgl_job_free(job);
    return text;
}

static bool says_by(const char *method, passing p, const char *words)
{
    char *text = release_passed(method, p);
    bool found = strstr(text, words) != NULL;
    mgl_text_free(text);
    return found;
}

static bool says(passing p, const char *words)
{
    return says_by("k-member", p, words);
}

/* All columns are looked at; two of them together until the limit, and what is left is listed. */
static void pairs_are_tested_until_the_limit(void **state)
{
    (void)state;
    assert_true(says((passing){1, 1, 0}, "\"tested\": 3"));
    assert_false(says((passing){1, 1, 0}, "pairs-not-tested"));
    assert_true(says((passing){1, 1, 110}, "\"tested\": 0"));
    assert_true(says((passing){1, 1, 110}, "(the time limit came first"));
    assert_false(says((passing){1, 1, 110}, "\"looked_at\": false"));
    /* What comes after the guard takes about as long as reading. */
    assert_true(says((passing){20, 1, 50}, "\"tested\": 3"));
    assert_true(says((passing){20, 1, 70}, "\"tested\": 0"));
}

static void what_is_drawn_is_left_out_at_the_limit(void **state)
{
    (void)state;
    assert_false(says_by("mingen", (passing){1, 1, 0}, "\"left_out\": \"time-limit\""));
    assert_true(says_by("mingen", (passing){1, 1, 110}, "\"left_out\": \"time-limit\""));
}

/* The search ends earlier where columns pass through. */
static void time_is_kept_back_for_the_guard(void **state)
{
    (void)state;
    assert_false(says((passing){4, 40, 0}, "\"code\": \"time-limit\""));
    assert_true(says((passing){4, 60, 0}, "\"code\": \"time-limit\""));
}

/* ---- Records of many values ------------------------------------------------------------------ */

enum { MANY_ROWS = 4000, MANY_VALUES = 500 };

static void write_many_values(void)
{
    brute_text text = {0};
    char line[80];
    brute_random random = {9};
    brute_append_text(&text, "age,zip,size,illness\n");
    for (int r = 0; r < MANY_ROWS; r++) {
        snprintf(line, sizeof line, "%d,%d,%d,d%d\n", brute_between(&random, 20, 79),
                 brute_between(&random, 10000, 19999), brute_below(&random, 60),
                 brute_below(&random, MANY_VALUES));
        brute_append_text(&text, line);
    }
    brute_write("many.csv", text.data, text.size);
    free(text.data);
}

/* A node then takes as long as many nodes of a table with few values: the clock is looked at for
 * each. */
static void long_records_are_no_reason_to_look_less(void **state)
{
    mgl_job *job;
    mgl_result *result = NULL;
    mgl_error err = {0};
    (void)state;
    write_many_values();
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "many.csv");
    brute_set(job, "qi", "age,zip,size");
    brute_set(job, "hierarchy", "age=intervals(2,4,8,16,32)");
    brute_set(job, "hierarchy", "zip=mask(right,5)");
    brute_set(job, "hierarchy", "size=intervals(2,4,8,16,32)");
    brute_set(job, "sensitive", "illness");
    brute_set(job, "entropy-l", "illness=3");
    brute_set(job, "k", "2");
    brute_set(job, "threads", "1");
    brute_set(job, "method", "mingen");
    brute_set(job, "dry-run", "true");
    brute_set(job, "time-limit", "100000");
    mgl_fault_set_clock(own_clock);
    atomic_store(&ticks, TICKS);
    if (mgl_job_run(job, "anonymize", &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    mgl_fault_set_clock(NULL);
    double looks = (double)(atomic_load(&ticks) - TICKS);
    double checked = mgl_result_number(result, "nodes.checked");
    if (!(checked >= 25 && looks >= checked))
        fail_msg("%g looks at the clock for %g nodes", looks, checked);
    mgl_result_free(result);
    mgl_job_free(job);
}

#else
static void the_limit_is_kept(void **state)
{
    (void)state;
    skip();
}

static void long_records_are_no_reason_to_look_less(void **state)
{
    (void)state;
    skip();
}

static void write_table(void)
{
}

static void pairs_are_tested_until_the_limit(void **state)
{
    (void)state;
    skip();
}

static void time_is_kept_back_for_the_guard(void **state)
{
    (void)state;
    skip();
}

static void what_is_drawn_is_left_out_at_the_limit(void **state)
{
    (void)state;
    skip();
}

static void the_limit_counts_from_the_beginning_of_the_call(void **state)
{
    (void)state;
    skip();
}
#endif

static int begin(void **state)
{
    if (brute_enter_folder(state) != 0)
        return -1;
    write_table();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_is_kept),
        cmocka_unit_test(long_records_are_no_reason_to_look_less),
        cmocka_unit_test(the_limit_counts_from_the_beginning_of_the_call),
        cmocka_unit_test(pairs_are_tested_until_the_limit),
        cmocka_unit_test(time_is_kept_back_for_the_guard),
        cmocka_unit_test(what_is_drawn_is_left_out_at_the_limit),
    };
    return cmocka_run_group_tests_name("time limit", tests, begin, brute_leave_folder);
}
