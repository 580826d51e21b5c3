/* Solutions in which a model does not hold: finds the rows to blame, and refuses the solution
 * unless the job accepts it. `anonymize` asks before it writes, writing.c and push.c after. */
#include "pipeline/write/write.h"

#include <stdio.h>

enum { ROWS_AT_ONCE = 1024, NAMED_IN_MESSAGES = 10 };

/* Groups that an engine counted have no row numbers. */
static mgl_status take_rows(const mgl_tuple_finder *finder, const mgl_table *table,
                            const uint8_t *tuples, mgl_error *err, mgl_failing *out)
{
    size_t n_rows = table->n_rows;
    uint32_t tuple[ROWS_AT_ONCE];
    for (size_t first = 0; first < n_rows; first += ROWS_AT_ONCE) {
        size_t n = n_rows - first < ROWS_AT_ONCE ? n_rows - first : ROWS_AT_ONCE;
        MGL_TRY(mgl_tuple_reach(finder, first, n, err, tuple));
        for (size_t i = 0; i < n; i++) {
            if (!tuples[tuple[i]])
                continue;
            if (table->times == NULL && out->n_named < MGL_FAILING_ROWS)
                out->named[out->n_named++] = first + i + 1;
            out->n_rows += table->times != NULL ? table->times[first + i] : 1;
        }
    }
    return MGL_OK;
}

static mgl_status find_rows(const mgl_task *task, const mgl_reading *reading,
                            const mgl_recoding *recoding, uint8_t *tuples, mgl_error *err,
                            mgl_failing *out)
{
    mgl_tuple_finder *finder;
    MGL_TRY(mgl_judge_tuples(&task->problem, recoding, err, out->found, tuples));
    MGL_TRY(
        mgl_tuple_finder_share(task->problem.list, reading->bound, reading->pool, err, &finder));
    mgl_status status = take_rows(finder, reading->table, tuples, err, out);
    mgl_tuple_finder_free(finder);
    return status;
}

/* A model of the whole table has no rows to blame. */
void mgl_failing_text(const mgl_failing *failing, char text[MGL_FAILING_TEXT])
{
    size_t size = MGL_FAILING_TEXT, at;
    if (failing->n_rows == 0) {
        snprintf(text, size, "a model of the whole table does not hold");
        return;
    }
    if (failing->n_rows == 1)
        at = (size_t)snprintf(text, size, "1 row of the input is in a class that breaks a model");
    else
        at =
            (size_t)snprintf(text, size, "%llu rows of the input are in classes that break a model",
                             (unsigned long long)failing->n_rows);
    if (failing->n_named == 0)
        return;
    at += (size_t)snprintf(text + at, size - at, failing->n_rows == 1 ? " (row" : " (rows");
    for (size_t i = 0; i < failing->n_named && i < NAMED_IN_MESSAGES; i++)
        at += (size_t)snprintf(text + at, size - at, "%s %llu", i > 0 ? "," : "",
                               (unsigned long long)failing->named[i]);
    snprintf(text + at, size - at, "%s)", failing->n_rows > NAMED_IN_MESSAGES ? ", ..." : "");
}

mgl_status mgl_failing_find(const mgl_task *task, const mgl_reading *reading,
                            const mgl_solution *solution, mgl_error *err, mgl_failing *out)
{
    const mgl_settings *settings = reading->settings;
    if (!solution->unsafe)
        return MGL_OK;
    out->found = mgl_zeroed_array(mgl_task_models(task), sizeof *out->found);
    uint8_t *tuples = mgl_zeroed_array(task->problem.list->n_tuples, sizeof *tuples);
    mgl_status status = out->found == NULL || tuples == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = find_rows(task, reading, solution->recoding, tuples, err, out);
    mgl_free(tuples);
    if (status != MGL_OK || settings->accepted.unsafe)
        return status;
    char text[MGL_FAILING_TEXT];
    mgl_failing_text(out, text);
    return mgl_fail_key(
        err, MGL_CODE_NOT_HELD, "accept",
        "the result of %s is unsafe: %s; %s, or take it as it is with `accept: unsafe`",
        settings->method->name, text, solution->safer);
}

void mgl_failing_free(mgl_failing *failing)
{
    mgl_free(failing->found);
    failing->found = NULL;
}

/* Is this the number of a model on histories? */
static bool is_joint(const mgl_task *task, size_t number)
{
    size_t per_set = task->n_joint > 0 ? task->sets[0].n_models : SIZE_MAX;
    return task->n_joint > 0 && number % per_set >= per_set - task->n_joint;
}

static mgl_status refuse_joint(const mgl_found *found, mgl_error *err)
{
    return mgl_fail_key(
        err, MGL_CODE_LEAK, "history",
        "together with earlier releases %llu rows would be in %llu classes that break a model, and "
        "the release was not written; let the search respect them (leave out `history-judged: "
        "afterwards`), or write it with `allow-leaks`",
        (unsigned long long)found->violating_rows, (unsigned long long)found->violating_classes);
}

mgl_status mgl_promise_check(const mgl_task *task, const mgl_failing *failing,
                             const mgl_found *found, mgl_error *err)
{
    for (size_t i = 0; i < mgl_task_models(task); i++) {
        if (found[i].holds || (failing->found != NULL && !failing->found[i].holds))
            continue;
        if (is_joint(task, i) && task->reading->settings->earlier.afterwards) {
            if (!task->reading->settings->accepted.leaks)
                return refuse_joint(&found[i], err);
            continue;
        }
        return mgl_fail(err, MGL_CODE_NOT_HELD,
                        "the written release breaks its promise (%llu rows in %llu classes) "
                        "and was discarded; please report this",
                        (unsigned long long)found[i].violating_rows,
                        (unsigned long long)found[i].violating_classes);
    }
    return MGL_OK;
}
