/* The cell level on Adult: what is achieved, what is proved, and how long it takes. */
#include "bench.h"

#include "../tests/support/adult.h"

#include <stdio.h>
#include <stdlib.h>

static const uint64_t ks[] = {2, 5, 10, 100};
static const char *const efforts[] = {"fast", "balanced", "best"};

static mgl_statistics measure(const mgl_problem *problem, const mgl_recoding *recoding)
{
    mgl_classes classes;
    mgl_statistics statistics;
    uint32_t n_values[ADULT_COLUMNS];
    for (size_t a = 0; a < ADULT_COLUMNS; a++)
        n_values[a] = problem->columns[a]->n_values;
    if (mgl_classes_init(&classes, recoding->n_tuples, ADULT_COLUMNS, NULL) != MGL_OK ||
        mgl_statistics_init(&statistics, problem->columns, ADULT_COLUMNS, NULL) != MGL_OK)
        exit(1);
    mgl_classes_group(&classes, recoding->cells, n_values, NULL, ADULT_COLUMNS,
                      problem->list->counts);
    mgl_released_tuples tuples = {.n_attributes = ADULT_COLUMNS,
                                  .n_tuples = recoding->n_tuples,
                                  .cells = recoding->cells,
                                  .counts = problem->list->counts,
                                  .class_of = classes.of_tuple,
                                  .class_sizes = classes.sizes,
                                  .n_classes = classes.n_classes};
    mgl_statistics_gather(&statistics, problem->costs, problem->columns, problem->list->n_rows,
                          &tuples);
    statistics.weights = problem->weights;
    for (size_t c = 0; c < classes.n_classes; c++)
        if (classes.sizes[c] < problem->k) {
            fprintf(stderr, "a class of %llu\n", (unsigned long long)classes.sizes[c]);
            exit(1);
        }
    mgl_classes_free(&classes);
    return statistics;
}

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
    mgl_statistics statistics = measure(&problem, solution->recoding);
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
    if (!adult_read(&data)) {
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
