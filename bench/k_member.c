/* k-member clustering on Adult, beside Mondrian and the cell level with the least effort: how long
 * it takes and what is lost. A subject of main.c. */
#include "bench.h"

#include "../tests/support/adult.h"
#include "measure.h"

#include <stdio.h>
#include <stdlib.h>

static void run_method(adult *data, uint64_t k, const char *method, mgl_pool *pool)
{
    mgl_problem problem = adult_problem(data, k, 0, "loss");
    mgl_solution *solution;
    mgl_error err;
    problem.pool = pool;
    problem.treatment = MGL_KEEP;
    problem.effort = MGL_EFFORT_FAST;
    double start = bench_seconds(), cpu = bench_cpu_seconds();
    if (mgl_method_run(mgl_method_type_find(method), &problem, &err, &solution) != MGL_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    double seconds = bench_seconds() - start;
    cpu = bench_cpu_seconds() - cpu;
    mgl_statistics statistics = bench_measure(&problem, solution->recoding);
    printf("%4llu %-10s %7.3f s, %7.3f s of processors   loss %.4f, precision %.4f, %llu classes\n",
           (unsigned long long)k, method, seconds, cpu,
           mgl_measure_type_find("loss")->value(&statistics),
           mgl_measure_type_find("precision")->value(&statistics),
           (unsigned long long)statistics.n_classes);
    fflush(stdout);
    mgl_statistics_free(&statistics);
    mgl_solution_free(solution);
}

int bench_k_member(void)
{
    adult data;
    mgl_error err;
    mgl_pool *pool;
    if (!adult_read(&data, shared_folder())) {
        printf("k-member: skipped\n");
        return 0;
    }
    if (mgl_pool_new(0, &err, &pool) != MGL_OK)
        return 1;
    printf("k-member clustering on Adult, 9 quasi-identifiers; cell: with the least effort\n");
    for (uint64_t k = 5; k <= 10; k += 5) {
        run_method(&data, k, "k-member", pool);
        run_method(&data, k, "mondrian", pool);
        run_method(&data, k, "cell", pool);
    }
    mgl_pool_free(pool);
    adult_free(&data);
    return 0;
}
