/* Measures what a release of Adult lost. The subjects that compare methods call it. */
#include "measure.h"

#include "../tests/support/adult.h"

#include <stdio.h>
#include <stdlib.h>

mgl_statistics bench_measure(const mgl_problem *problem, const mgl_recoding *recoding)
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
                                  .first = classes.first,
                                  .class_of = classes.of_tuple,
                                  .class_sizes = classes.sizes,
                                  .n_classes = classes.n_classes};
    mgl_statistics_gather(&statistics, problem->costs, problem->columns, problem->list->n_rows,
                          &tuples, NULL);
    statistics.weights = problem->weights;
    for (size_t c = 0; c < classes.n_classes; c++)
        if (classes.sizes[c] < problem->k) {
            fprintf(stderr, "a class of %llu\n", (unsigned long long)classes.sizes[c]);
            exit(1);
        }
    mgl_classes_free(&classes);
    return statistics;
}
