/* Makes the problem of a search out of a table with models, by way of files. Tests that call
 * searches directly use it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_job.h"
#include "brute_models_problem.h"

_Noreturn void brute_table_disagree(const brute_table *t, const char *what)
{
    brute_table_print(t, stderr);
    fail_msg("seed %llu: %s", (unsigned long long)t->c.seed, what);
    abort(); /* fail_msg does not return, but does not say so */
}

static size_t tuple_of(const brute_table *t, const mgl_frequency_list *list, int row)
{
    for (size_t u = 0; u < list->n_tuples; u++) {
        bool same = true;
        for (int a = 0; same && a < t->c.n_attributes; a++)
            same = mgl_list_leaf(list, u, (size_t)a) == (uint32_t)t->c.leaf[row][a];
        if (same)
            return u;
    }
    brute_table_disagree(t, "the tuple of a row is not in the list");
    return 0;
}

void brute_made_make(const brute_table *t, brute_made *m)
{
    mgl_error err = {0};
    *m = (brute_made){0};
    brute_table_write(t);
    m->job = brute_table_job(t, BRUTE_RUN);
    brute_set_method(&t->c, m->job, "datafly"); /* the problem is then that of any method */
    brute_set(m->job, "data", "table.csv");
    brute_set(m->job, "output", "release.csv");
    mgl_status status = steps_begin(m->job, false, &err, &m->steps);
    if (status != MGL_OK)
        brute_table_disagree(t, err.message);
    for (size_t a = 0; a < m->steps.setup.reading->n_quasi; a++) {
        const mgl_quasi_column *quasi = &m->steps.setup.reading->quasi[a];
        ((mgl_hierarchy *)quasi->hierarchy)->given =
            t->c.hierarchies[quasi->settings->name[0] - 'a'].given;
    }
    m->problem = m->steps.setup.task->problem;
    for (int a = 0; a < BRUTE_ATTRIBUTES; a++)
        m->preference[a] = (mgl_by_set){.values = {t->c.preference[a]}, .n = 1};
    m->options = (mgl_datafly_options){m->preference}; /* which mingen does not take */
    m->problem.method = mgl_method_type_find("datafly");
    m->problem.options = &m->options;
    for (int r = 0; r < t->c.n_rows; r++)
        m->tuple_of[r] = tuple_of(t, m->steps.setup.counts.list, r);
}

void brute_made_free(brute_made *m)
{
    steps_end(&m->steps);
    mgl_job_free(m->job);
}

void brute_made_vary(brute_table *t, brute_made *m, brute_random *random, brute_treatment treatment)
{
    static const mgl_treatment treatments[] = {MGL_KEEP, MGL_DROP, MGL_EXEMPT};
    t->c.treatment = treatment;
    t->c.limited = brute_chance(random, 85);
    t->c.limit =
        !t->c.limited || brute_chance(random, 20) ? 0 : brute_below(random, t->c.n_rows + 1);
    m->problem.treatment = treatments[treatment];
    m->problem.limited = t->c.limited;
    m->problem.limit = (uint64_t)t->c.limit;
}

void brute_made_measure(brute_table *t, brute_made *m, int measure)
{
    t->c.measure = (brute_measure)measure;
    m->problem.measure = mgl_measure_type_find(brute_measure_option(t->c.measure));
}

/* ---- Problems with everything -----------------------------------------------------------------
 */

uint32_t *brute_random_histories(const mgl_problem *problem, brute_random *random)
{
    size_t n = problem->list->n_tuples;
    uint32_t *histories = mgl_zeroed_array(n, sizeof *histories);
    for (size_t t = 0; t < n; t++)
        histories[t] = (uint32_t)brute_below(random, n < 3 ? (int)n : 3);
    return histories;
}

void brute_made_with_everything(uint64_t seed, brute_treatment treatment, brute_random *random,
                                brute_table *t, brute_made *out)
{
    brute_table_make(t, seed, 150);
    brute_order_sets(&t->c);
    t->c.measure = BRUTE_CLASSIFICATION; /* so that the label is counted */
    brute_made_make(t, out);
    brute_made_vary(t, out, random, treatment);
}

static void compare_table(uint64_t seed, brute_treatment treatment, brute_compare *compare)
{
    static brute_table t;
    brute_made m;
    brute_random random = {seed};
    brute_made_with_everything(seed, treatment, &random, &t, &m);
    brute_made_measure(&t, &m, brute_below(&random, BRUTE_DRIVING));
    uint32_t *histories = seed % 5 == 0 ? brute_random_histories(&m.problem, &random) : NULL;
    m.problem.histories = histories;
    compare(&m.problem, seed);
    mgl_free(histories);
    brute_made_free(&m);
}

void brute_problems_with_everything(uint64_t first_seed, int cases, brute_compare *compare)
{
    const char *only = getenv("MGL_TEST_SEED");
    int start = only != NULL ? atoi(only) : 0, end = only != NULL ? start + 1 : cases;
    for (int i = start; i < end; i++)
        compare_table(first_seed + (uint64_t)i, (brute_treatment)(i % 3), compare);
}
