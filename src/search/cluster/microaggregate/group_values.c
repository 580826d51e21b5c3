/* What stands for the values of a group: mean, median, middle of the range, most frequent value.
 * averages.c calls it. */
#include "search/cluster/microaggregate/points.h"

#include <math.h>
#include <stdlib.h>

/* ---- Numbers ------------------------------------------------------------------------------- */

static double mean_of(const mgl_micro_number_rows *numbers, size_t n)
{
    double sum = 0, rows = 0;
    for (size_t i = 0; i < n; i++) {
        sum += numbers[i].number * (double)numbers[i].rows;
        rows += (double)numbers[i].rows;
    }
    return sum / rows;
}

static int compare_numbers(const void *p, const void *q)
{
    const mgl_micro_number_rows *x = p, *y = q;
    return (x->number > y->number) - (x->number < y->number);
}

static double number_of_row(const mgl_micro_number_rows *numbers, uint64_t row)
{
    while (row >= numbers->rows)
        row -= numbers++->rows;
    return numbers->number;
}

static double median_of(mgl_micro_number_rows *numbers, size_t n)
{
    uint64_t rows = 0;
    qsort(numbers, n, sizeof *numbers, compare_numbers);
    for (size_t i = 0; i < n; i++)
        rows += numbers[i].rows;
    return number_of_row(numbers, (rows - 1) / 2) / 2 + number_of_row(numbers, rows / 2) / 2;
}

static double middle_of(const mgl_micro_number_rows *numbers, size_t n)
{
    double least = numbers[0].number, most = least;
    for (size_t i = 1; i < n; i++) {
        least = fmin(least, numbers[i].number);
        most = fmax(most, numbers[i].number);
    }
    return least / 2 + most / 2;
}

double mgl_micro_average(mgl_aggregate function, mgl_micro_number_rows *numbers, size_t n)
{
    return function == MGL_AGGREGATE_MEAN     ? mean_of(numbers, n)
           : function == MGL_AGGREGATE_MEDIAN ? median_of(numbers, n)
                                              : middle_of(numbers, n);
}

/* ---- Categories ---------------------------------------------------------------------------- */

static int compare_categories(const void *p, const void *q)
{
    const mgl_micro_category *x = p, *y = q;
    return (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

size_t mgl_micro_sort_categories(mgl_micro_category *categories, size_t n)
{
    size_t left = 0;
    qsort(categories, n, sizeof *categories, compare_categories);
    for (size_t i = 0; i < n; i++)
        if (left > 0 && categories[left - 1].leaf == categories[i].leaf)
            categories[left - 1].rows += categories[i].rows;
        else
            categories[left++] = categories[i];
    return left;
}

uint32_t mgl_micro_mode(const mgl_micro_category *categories, size_t n)
{
    size_t most = 0;
    for (size_t i = 1; i < n; i++)
        if (categories[i].rows > categories[most].rows)
            most = i;
    return categories[most].leaf;
}
