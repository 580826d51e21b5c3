/* Incognito on Adult: nodes checked of all lattices, minimal nodes, and the time beside that of our
 * fastest way to the same list. A subject of main.c. */
#include "bench.h"

#include "../tests/support/adult.h"
#include "search/fulldomain/incognito.h"

#include <stdio.h>
#include <stdlib.h>

static void fail(const mgl_error *err)
{
    fprintf(stderr, "%s\n", err->message);
    exit(1);
}

static double time_list(const mgl_problem *problem)
{
    uint8_t *holds = NULL;
    mgl_error err = {0};
    double start = bench_cpu_seconds();
    if (mgl_lattice_holding(problem, &err, &holds) != MGL_OK)
        fail(&err);
    mgl_free(holds);
    return bench_cpu_seconds() - start;
}

static void run_case(adult *data, uint64_t k, double share)
{
    uint64_t limit = (uint64_t)(share * (double)data->list->n_rows);
    mgl_problem problem = adult_problem(data, k, limit, "loss");
    mgl_solution *solution;
    mgl_error err = {0};
    double start = bench_cpu_seconds();
    if (mgl_method_run(mgl_method_type_find("incognito"), &problem, &err, &solution) != MGL_OK)
        fail(&err);
    double seconds = bench_cpu_seconds() - start;
    printf("%4llu %3.0f%% %6llu checked %5zu minimal %9.0f ms; in the fastest way %.1f ms\n",
           (unsigned long long)k, share * 100, (unsigned long long)solution->nodes_checked,
           solution->n_minimal, seconds * 1e3, time_list(&problem) * 1e3);
    fflush(stdout);
    mgl_solution_free(solution);
}

int bench_incognito(void)
{
    static const uint64_t ks[] = {2, 5, 10, 100};
    adult data;
    if (!adult_read(&data, shared_folder())) {
        printf("incognito: skipped\n");
        return 0;
    }
    mgl_problem problem = adult_problem(&data, 2, 0, "loss");
    printf("Incognito on Adult, 9 quasi-identifiers, exempt, one thread, processor time;\n"
           "12960 nodes, %llu of all subsets of the columns\n",
           (unsigned long long)mgl_subset_nodes(&problem));
    for (size_t i = 0; i < 4; i++) {
        run_case(&data, ks[i], 0);
        run_case(&data, ks[i], 0.05);
    }
    adult_free(&data);
    return 0;
}
