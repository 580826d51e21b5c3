/* compare: one result per method, each what anonymize says of it; what becomes of methods that
 * fail, break their promise or take too long. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "brute_files.h"
#include "brute_job.h"
#include "command/command.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int begin(void **state)
{
    if (brute_enter_folder(state) != 0)
        return -1;
    brute_text text = {0};
    char line[64];
    brute_random random = {5};
    brute_append_text(&text, "age,zip,sex,disease\n");
    for (int r = 0; r < 120; r++) {
        snprintf(line, sizeof line, "%d,0213%d,%c,d%d\n", brute_between(&random, 20, 45),
                 brute_below(&random, 5), "fm"[brute_below(&random, 2)], brute_below(&random, 4));
        brute_append_text(&text, line);
    }
    brute_write("table.csv", text.data, text.size);
    free(text.data);
    return 0;
}

/* Columns without a role are no matter: nothing is released. */
static mgl_job *make_job(void)
{
    mgl_job *job;
    assert_int_equal(mgl_job_new(NULL, &job), MGL_OK);
    brute_set(job, "data", "table.csv");
    brute_set(job, "qi", "age,zip,sex");
    brute_set(job, "hierarchy", "zip=mask(right,1)");
    brute_set(job, "hierarchy", "age=intervals(5,10)");
    brute_set(job, "k", "3");
    brute_set(job, "suppress", "4");
    return job;
}

static json_t *compare(mgl_job *job, bool *holds)
{
    mgl_error err = {0};
    mgl_result *result = NULL;
    if (mgl_job_run(job, "compare", &err, &result) != MGL_OK)
        fail_msg("%s", err.message);
    json_t *list = brute_document(result);
    assert_true(json_is_array(list));
    if (holds != NULL)
        *holds = mgl_result_holds(result) == 1;
    mgl_result_free(result);
    return list;
}

static const char *text_of(const json_t *entry, const char *key)
{
    const char *text = json_string_value(json_object_get(entry, key));
    return text != NULL ? text : "";
}

static bool warns(const json_t *entry, const char *code)
{
    const json_t *warnings = json_object_get(entry, "warnings");
    for (size_t i = 0; i < json_array_size(warnings); i++)
        if (strcmp(text_of(json_array_get(warnings, i), "code"), code) == 0)
            return true;
    return false;
}

/* Without what is different by nature. */
static void strip(json_t *entry)
{
    assert_int_equal(json_object_del(entry, "seconds"), 0);
    json_object_del(entry, "command");
    json_object_del(entry, "audit"); /* of anonymize only */
    json_object_del(entry, "figures");
}

/* ---- The methods there are ----------------------------------------------------------------- */

static void expect_as_anonymized(json_t *entry)
{
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = make_job();
    brute_set(job, "rest", "drop");
    brute_set(job, "dry-run", "true");
    brute_set(job, "method", text_of(entry, "method"));
    mgl_status status = mgl_job_run(job, "anonymize", &err, &result);
    if (json_object_get(entry, "error") != NULL) {
        assert_int_equal(status, json_integer_value(json_object_get(entry, "status")));
        assert_string_equal(err.message, text_of(entry, "error"));
    } else if (!warns(entry, "unsafe")) { /* that anonymize may refuse */
        assert_int_equal(status, MGL_OK);
        json_t *alone = brute_document(result);
        strip(alone);
        strip(entry);
        assert_true(json_equal(alone, entry));
        json_decref(alone);
    }
    if (status == MGL_OK)
        mgl_result_free(result);
    mgl_job_free(job);
}

static void every_method_has_its_result(void **state)
{
    (void)state;
    size_t n, named = 0;
    const mgl_method_type *const *types = mgl_method_types(&n);
    mgl_job *job = make_job();
    bool holds;
    json_t *list = compare(job, &holds);
    assert_true(holds);
    assert_int_equal(json_array_size(list), n);
    for (size_t i = 0; i < n; i++) {
        json_t *entry = json_array_get(list, i);
        assert_string_equal(text_of(entry, "command"), "compare");
        assert_string_equal(text_of(entry, "method"), types[i]->name);
        assert_null(json_object_get(entry, "output"));
        named += json_object_get(entry, "utility") != NULL;
        expect_as_anonymized(entry);
    }
    assert_true(named >= 4);
    json_decref(list);
    mgl_job_free(job);
}

static void one_and_four_threads_compare_alike(void **state)
{
    (void)state;
    static const char *const threads[] = {"1", "4"};
    json_t *lists[2];
    for (int i = 0; i < 2; i++) {
        mgl_job *job = make_job();
        brute_set(job, "threads", threads[i]);
        brute_set(job, "utility", "loss");
        lists[i] = compare(job, NULL);
        for (size_t e = 0; e < json_array_size(lists[i]); e++)
            json_object_del(json_array_get(lists[i], e), "seconds");
        mgl_job_free(job);
    }
    assert_true(json_array_size(lists[0]) > 0);
    assert_true(json_equal(lists[0], lists[1]));
    json_decref(lists[0]);
    json_decref(lists[1]);
}

static void the_result_file_is_the_list(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_result *result = NULL;
    char *text = NULL;
    mgl_job *job = make_job();
    brute_set(job, "methods", "datafly,mingen");
    brute_set(job, "result", "result.json");
    assert_int_equal(mgl_job_run(job, "compare", &err, &result), MGL_OK);
    assert_int_equal(mgl_result_json(result, &err, &text), MGL_OK);
    char *file = brute_read("result.json", NULL);
    assert_non_null(file);
    assert_string_equal(file, text);
    json_t *list = json_loads(text, 0, NULL);
    assert_int_equal(json_array_size(list), 2);
    assert_string_equal(text_of(json_array_get(list, 0), "method"), "datafly");
    json_decref(list);
    free(file);
    mgl_text_free(text);
    mgl_result_free(result);
    mgl_job_free(job);
    unlink("result.json");
}

/* What no release of the table can hold is no matter of methods. */
static void models_that_no_release_holds_are_refused(void **state)
{
    (void)state;
    mgl_error err = {0};
    mgl_result *result = NULL;
    mgl_job *job = make_job();
    brute_set(job, "sensitive", "disease");
    brute_set(job, "p-sensitive", "4");
    assert_int_equal(mgl_job_run(job, "compare", &err, &result), MGL_UNMET);
    assert_non_null(strstr(err.message, "p <= k"));
    assert_null(result);
    assert_int_equal(mgl_job_run(job, "compare", NULL, &result), MGL_UNMET);
    mgl_job_free(job);
}

/* ---- Methods of our own -------------------------------------------------------------------- */

/* What the last ones were given. */
static double deadlines[2], begun[2], ended[2];

static mgl_status run_mingen(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    return mgl_method_type_find("mingen")->run(problem, err, out);
}

static mgl_status run_unmet(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    (void)problem, (void)out;
    return mgl_fail(err, MGL_UNMET, "not a chance");
}

static mgl_status run_usage(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    (void)problem, (void)out;
    return mgl_fail(err, MGL_USAGE, "not for this");
}

static mgl_status run_system(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    (void)problem, (void)out;
    return mgl_fail(err, MGL_SYSTEM, "the disk is gone");
}

/* The recoding is changed: its classes are not known any more. */
static void forget_classes(mgl_solution *solution)
{
    if (solution->classes != NULL)
        mgl_classes_free(solution->classes);
    mgl_free(solution->classes);
    solution->classes = NULL;
}

/* Everything as it is. */
static mgl_status run_unsafe(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    const mgl_frequency_list *list = problem->list;
    MGL_TRY(run_mingen(problem, err, out));
    for (size_t a = 0; a < list->n_attributes; a++)
        for (size_t t = 0; t < list->n_tuples; t++)
            out->recoding->cells[a][t] = problem->columns[a]->of_leaf[0][mgl_list_leaf(list, t, a)];
    memset(out->recoding->suppressed, 0, list->n_tuples);
    out->suppressed_rows = 0;
    out->unsafe = true;
    forget_classes(out);
    return MGL_OK;
}

static mgl_status run_nothing_left(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    MGL_TRY(run_mingen(problem, err, out));
    for (size_t t = 0; t < problem->list->n_tuples; t++)
        mgl_recoding_suppress(out->recoding, t);
    out->suppressed_rows = problem->list->n_rows;
    forget_classes(out);
    return MGL_OK;
}

static mgl_status run_timed(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    int turn = begun[0] > 0;
    begun[turn] = mgl_sys_seconds();
    deadlines[turn] = problem->deadline;
    mgl_status status = run_mingen(problem, err, out);
    out->timed_out = true;
    ended[turn] = mgl_sys_seconds();
    return status;
}

static const mgl_method_type good = {.name = "good", .run = run_mingen};
static const mgl_method_type unmet = {.name = "unmet", .run = run_unmet};
static const mgl_method_type usage = {.name = "usage", .run = run_usage};
static const mgl_method_type failing = {.name = "failing", .run = run_system};
static const mgl_method_type unsafe = {.name = "unsafe", .run = run_unsafe};
static const mgl_method_type nothing_left = {.name = "nothing_left", .run = run_nothing_left};
static const mgl_method_type first = {.name = "first", .run = run_timed};
static const mgl_method_type second = {.name = "second", .run = run_timed};

static mgl_status compare_these(mgl_job *job, const mgl_method_type **methods, size_t n,
                                mgl_error *err, json_t **list, bool *holds)
{
    const mgl_settings *settings;
    mgl_result *result;
    MGL_TRY(mgl_job_settings(job, MGL_COMPARE, err, &settings));
    mgl_settings ours = *settings;
    ours.comparison.methods = methods;
    ours.comparison.n_methods = n;
    mgl_session *session;
    MGL_TRY(mgl_session_begin(err, &session));
    mgl_status status = mgl_compare_methods(session, &ours, err, &result);
    mgl_session_end(session);
    if (status != MGL_OK)
        return status;
    *list = brute_document(result);
    *holds = mgl_result_holds(result) == 1;
    mgl_result_free(result);
    return MGL_OK;
}

static void expect_failure(const json_t *entry, const char *method, int status, const char *error)
{
    assert_string_equal(text_of(entry, "method"), method);
    assert_string_equal(text_of(entry, "command"), "compare");
    assert_int_equal(json_integer_value(json_object_get(entry, "status")), status);
    if (strstr(text_of(entry, "error"), error) == NULL)
        fail_msg("expected \"%s\" in \"%s\"", error, text_of(entry, "error"));
    assert_null(json_object_get(entry, "utility"));
}

static void a_method_without_a_release_is_listed_with_its_reason(void **state)
{
    (void)state;
    mgl_error err = {0};
    json_t *list = NULL;
    bool holds = false;
    const mgl_method_type *methods[] = {&unmet, &usage, &good, &unmet};
    mgl_job *job = make_job();
    assert_int_equal(compare_these(job, methods, 3, &err, &list, &holds), MGL_OK);
    assert_true(holds);
    assert_int_equal(json_array_size(list), 3);
    expect_failure(json_array_get(list, 0), "unmet", 1, "not a chance");
    expect_failure(json_array_get(list, 1), "usage", 2, "not for this");
    assert_null(json_object_get(json_array_get(list, 2), "error"));
    json_decref(list);

    assert_int_equal(compare_these(job, methods, 2, &err, &list, &holds), MGL_OK);
    assert_false(holds);
    json_decref(list);
    mgl_job_free(job);
}

static void a_system_failure_ends_the_comparison(void **state)
{
    (void)state;
    mgl_error err = {0};
    json_t *list = NULL;
    bool holds;
    const mgl_method_type *methods[] = {&good, &failing};
    mgl_job *job = make_job();
    brute_set(job, "result", "result.json");
    assert_int_equal(compare_these(job, methods, 2, &err, &list, &holds), MGL_SYSTEM);
    assert_string_equal(err.message, "the disk is gone");
    assert_null(list);
    assert_false(brute_exists("result.json"));
    mgl_job_free(job);
}

static void an_unsafe_release_is_listed_as_not_holding(void **state)
{
    (void)state;
    mgl_error err = {0};
    json_t *list = NULL;
    bool holds = true;
    const mgl_method_type *methods[] = {&unsafe, &good};
    mgl_job *job = make_job();
    assert_int_equal(compare_these(job, methods, 1, &err, &list, &holds), MGL_OK);
    assert_false(holds);
    const json_t *entry = json_array_get(list, 0);
    assert_null(json_object_get(entry, "error"));
    assert_true(warns(entry, "unsafe"));
    const json_t *model = json_array_get(json_object_get(entry, "models"), 0);
    assert_true(json_is_false(json_object_get(model, "holds")));
    assert_true(brute_number(entry, "utility.precision") == 1);
    json_decref(list);

    assert_int_equal(compare_these(job, methods, 2, &err, &list, &holds), MGL_OK);
    assert_true(holds);
    json_decref(list);
    mgl_job_free(job);
}

static void a_release_without_rows_is_none(void **state)
{
    (void)state;
    mgl_error err = {0};
    json_t *list = NULL;
    bool holds = true;
    const mgl_method_type *methods[] = {&nothing_left};
    mgl_job *job = make_job();
    brute_set(job, "suppressed", "drop");
    assert_int_equal(compare_these(job, methods, 1, &err, &list, &holds), MGL_OK);
    assert_false(holds);
    expect_failure(json_array_get(list, 0), "nothing_left", 1, "every row would be dropped");
    json_decref(list);
    mgl_job_free(job);
}

static void each_method_has_the_whole_time(void **state)
{
    (void)state;
    const double limit = 1000;
    mgl_error err = {0};
    json_t *list = NULL;
    bool holds = true;
    const mgl_method_type *methods[] = {&first, &second};
    mgl_job *job = make_job();
    brute_set(job, "time-limit", "1000");
    begun[0] = 0;
    assert_int_equal(compare_these(job, methods, 2, &err, &list, &holds), MGL_OK);
    assert_true(deadlines[0] <= begun[0] + limit);
    assert_true(deadlines[1] >= ended[0] + limit && deadlines[1] <= begun[1] + limit);
    for (size_t i = 0; i < 2; i++)
        assert_true(warns(json_array_get(list, i), "time-limit"));
    json_decref(list);
    mgl_job_free(job);

    job = make_job();
    begun[0] = 0;
    assert_int_equal(compare_these(job, methods, 2, &err, &list, &holds), MGL_OK);
    assert_true(deadlines[0] == 0 && deadlines[1] == 0);
    json_decref(list);
    mgl_job_free(job);
}

/* A limit that is over before anything begins: what is found is told, what is not is said. */
static void methods_without_time_are_listed_not_failed(void **state)
{
    (void)state;
    mgl_job *job = make_job();
    brute_set(job, "time-limit", "0.000000001");
    json_t *list = compare(job, NULL);
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        if (json_object_get(entry, "error") != NULL)
            assert_in_range(json_integer_value(json_object_get(entry, "status")), 1, 2);
        else
            assert_non_null(json_object_get(entry, "utility"));
    }
    json_decref(list);
    mgl_job_free(job);
}

/* ---- Cancelling ------------------------------------------------------------------------------ */

typedef struct listener {
    const char *stage;
    uint64_t stop_at; /* that call of the stage */
    uint64_t calls, total;
} listener;

static int listen(void *user, const char *stage, uint64_t done, uint64_t total)
{
    listener *l = user;
    if (strcmp(stage, l->stage) != 0)
        return 0;
    assert_true(done < total); /* nothing ends before it is stopped */
    l->calls++;
    l->total = total;
    return l->calls >= l->stop_at;
}

static void a_cancelled_comparison_writes_nothing(void **state)
{
    (void)state;
    listener listeners[] = {
        {.stage = "read"}, {.stage = "compare"}, {.stage = "compare", .stop_at = 3}};
    for (size_t i = 0; i < sizeof listeners / sizeof listeners[0]; i++) {
        mgl_error err = {0};
        mgl_result *result = NULL;
        mgl_job *job = make_job();
        brute_set(job, "methods", "datafly,mingen,samarati");
        brute_set(job, "result", "result.json");
        mgl_job_on_progress(job, listen, &listeners[i]);
        assert_int_equal(mgl_job_run(job, "compare", &err, &result), MGL_CANCELLED);
        assert_null(result);
        assert_false(brute_exists("result.json"));
        mgl_job_free(job);
    }
    assert_int_equal(listeners[0].calls, 1);
    assert_int_equal(listeners[1].calls, 1);
    assert_int_equal(listeners[2].calls, 3);
    assert_int_equal(listeners[1].total, listeners[2].total);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_has_its_result),
        cmocka_unit_test(one_and_four_threads_compare_alike),
        cmocka_unit_test(the_result_file_is_the_list),
        cmocka_unit_test(models_that_no_release_holds_are_refused),
        cmocka_unit_test(a_method_without_a_release_is_listed_with_its_reason),
        cmocka_unit_test(a_system_failure_ends_the_comparison),
        cmocka_unit_test(an_unsafe_release_is_listed_as_not_holding),
        cmocka_unit_test(a_release_without_rows_is_none),
        cmocka_unit_test(each_method_has_the_whole_time),
        cmocka_unit_test(methods_without_time_are_listed_not_failed),
        cmocka_unit_test(a_cancelled_comparison_writes_nothing),
    };
    return cmocka_run_group_tests_name("compare", tests, begin, brute_leave_folder);
}
