/* Measures the cell level on Adult: what is achieved, what is proved, and how long it takes. A
 * subject of main.c. */
#include "bench.h"

#include "../tests/support/adult.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

static const uint64_t ks[] = {2, 5, 10, 100};
static const char *const efforts[] = {"fast", "balanced", "best"};

static void run_case(adult *data, uint64_t k, mgl_effort effort, const char *name, mgl_pool *pool)
{
    mgl_problem problem = adult_problem(data, k, 0, name);
    mgl_solution *solution;
    mgl_error err;
    problem.pool = pool;
    problem.treatment = MGL_KEEP;
    problem.effort = effort;
    double start = bench_seconds(), cpu = bench_cpu_seconds();
    if (mgl_method_run(mgl_method_type_find("cell"), &problem, &err, &solution) != MGL_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    double seconds = bench_seconds() - start;
    cpu = bench_cpu_seconds() - cpu;
    mgl_statistics statistics = bench_measure(&problem, solution->recoding);
    double value = problem.measure->value(&statistics);
    printf("%4llu %-9s %-10s %6.2f s (processor %6.2f s)   %.4f, at best %.4f, gap %.4f%s\n",
           (unsigned long long)k, efforts[effort], name, seconds, cpu, value,
           solution->best_possible,
           value > solution->best_possible ? value - solution->best_possible
                                           : solution->best_possible - value,
           solution->exact ? ", exact" : "");
    fflush(stdout);
    mgl_statistics_free(&statistics);
    mgl_solution_free(solution);
}

int bench_cell(bool everything, unsigned threads)
{
    adult data;
    mgl_error err;
    mgl_pool *pool;
    if (!adult_read(&data, shared_folder())) {
        printf("cell: skipped\n");
        return 0;
    }
    if (mgl_pool_new(threads, &err, &pool) != MGL_OK)
        return 1;
    printf("The cell level on Adult, 9 quasi-identifiers, threads: %u\n", mgl_pool_threads(pool));
    for (mgl_effort effort = MGL_EFFORT_FAST;
         effort <= (everything ? MGL_EFFORT_BEST : MGL_EFFORT_BALANCED); effort++)
        for (size_t i = 0; i < sizeof ks / sizeof ks[0]; i++) {
            run_case(&data, ks[i], effort, "precision", pool);
            run_case(&data, ks[i], effort, "loss", pool);
        }
    mgl_pool_free(pool);
    adult_free(&data);
    return 0;
}
