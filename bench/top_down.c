/* Measures top-down: on Adult against the exact optimum, on 30 columns against its own bound. A
 * subject of main.c. */
#include "bench.h"

#include "../tests/support/steps.h"

#include "../tests/support/adult.h"
#include "findings/findings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 20000, COLUMNS = 30 };
static const uint64_t ks[] = {2, 5, 10, 100};
static const double shares[] = {0, 0.05};
static const char *const measures[] = {"precision", "loss"};
static const char *const efforts[] = {"fast", "balanced", "best"};

static void fail(const mgl_error *err)
{
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

/* What a node is worth by the problem's measure. */
static double value_of(const mgl_problem *problem, const uint32_t *node)
{
    mgl_evaluator *evaluator;
    mgl_evaluation e;
    mgl_error err = {0};
    if (mgl_evaluator_new(problem, &err, &evaluator) != MGL_OK ||
        mgl_evaluate_node(evaluator, node, &e) != MGL_OK)
        fail(&err);
    double value = problem->measure->value(e.statistics);
    mgl_evaluator_free(evaluator);
    return value;
}

/* Processor seconds. */
static double run(const char *method, const mgl_problem *problem, mgl_solution **out)
{
    mgl_error err = {0};
    double start = bench_cpu_seconds();
    if (mgl_method_run(mgl_method_type_find(method), problem, &err, out) != MGL_OK)
        fail(&err);
    return bench_cpu_seconds() - start;
}

static void print_found(const mgl_problem *problem, const mgl_solution *s, double seconds)
{
    double value = value_of(problem, s->node);
    printf("%-9s %.4f in %5.2f s, at best %.4f, gap %.4f%s", efforts[problem->effort], value,
           seconds, s->best_possible, fabs(value - s->best_possible), s->exact ? ", proved" : "");
}

/* ---- Adult ---------------------------------------------------------------------------- */

static bool run_adult_case(adult *data, uint64_t k, double share, const char *measure,
                           mgl_effort effort)
{
    uint64_t limit = (uint64_t)(share * (double)data->list->n_rows);
    mgl_problem problem = adult_problem(data, k, limit, measure);
    mgl_solution *exact, *found;
    problem.effort = effort;
    run("mingen", &problem, &exact);
    double seconds = run("top-down", &problem, &found);
    double best = value_of(&problem, exact->node),
           gap = fabs(best - value_of(&problem, found->node));
    printf("%4llu %3.0f%% %-10s ", (unsigned long long)k, share * 100, measure);
    print_found(&problem, found, seconds);
    printf("; best %.4f, missed by %.4f\n", best, gap);
    fflush(stdout);
    mgl_solution_free(exact);
    mgl_solution_free(found);
    return gap < 1e-9;
}

static void run_adult(void)
{
    adult data;
    if (!adult_read(&data, shared_folder())) {
        printf("top-down: Adult skipped\n");
        return;
    }
    printf("Top-down on Adult, 9 quasi-identifiers, 12960 nodes, exempt, one thread\n");
    for (mgl_effort effort = MGL_EFFORT_FAST; effort <= MGL_EFFORT_BALANCED; effort++) {
        size_t n = 0, best = 0;
        for (size_t i = 0; i < 4; i++)
            for (size_t j = 0; j < 2; j++)
                for (size_t m = 0; m < 2; m++, n++)
                    best += run_adult_case(&data, ks[i], shares[j], measures[m], effort);
        printf("%s: %zu of %zu the best\n", efforts[effort], best, n);
    }
    adult_free(&data);
}

/* ---- Thirty columns --------------------------------------------------------------------- */

static mgl_status run_wide_case(mgl_job *job, uint64_t k, const char *share, const char *measure,
                                const char *effort, mgl_error *err)
{
    char text[32];
    steps taken;
    mgl_solution *found;
    snprintf(text, sizeof text, "%llu", (unsigned long long)k);
    const char *keys[][2] = {{"k", text},          {"suppress", share}, {"suppressed", "exempt"},
                             {"utility", measure}, {"effort", effort},  {"method", "top-down"},
                             {"threads", "1"},     {"dry-run", "true"}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        MGL_TRY(mgl_job_set(job, keys[i][0], keys[i][1], err));
    MGL_TRY(steps_begin(job, true, err, &taken));
    double seconds = run("top-down", &taken.setup.task->problem, &found);
    printf("%4llu %3s %-10s ", (unsigned long long)k, share, measure);
    print_found(&taken.setup.task->problem, found, seconds);
    printf("; %llu nodes checked\n", (unsigned long long)found->nodes_checked);
    fflush(stdout);
    mgl_solution_free(found);
    steps_end(&taken);
    return MGL_OK;
}

static mgl_status run_wide(const char *path, bool everything, mgl_error *err)
{
    mgl_status status = MGL_OK;
    for (int effort = 0; effort < (everything ? 3 : 2); effort++)
        for (size_t i = 0; i < 8 && status == MGL_OK; i++) {
            mgl_job *job;
            MGL_TRY(bench_wide_job(path, COLUMNS, err, &job));
            status = run_wide_case(job, i / 4 == 0 ? 5 : 100, i / 2 % 2 == 0 ? "0%" : "5%",
                                   measures[i % 2], efforts[effort], err);
            mgl_job_free(job);
        }
    return status;
}

int bench_top_down(const char *folder, bool everything)
{
    char path[4096];
    mgl_error err = {0};
    run_adult();
    snprintf(path, sizeof path, "%s/bench-wide.csv", folder);
    if (bench_make_wide(path, ROWS, COLUMNS) != 0)
        return 1;
    printf("Top-down on %d rows and %d columns, exempt, one thread\n", ROWS, COLUMNS);
    mgl_status status = run_wide(path, everything, &err);
    if (status != MGL_OK)
        fprintf(stderr, "%s\n", err.message);
    remove(path);
    return status != MGL_OK;
}
