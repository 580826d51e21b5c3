/* Sampling weights of the rows of a frequency list. The pipeline gives them to a list; group makers
 * and searches ask what tuples weigh.
 *
 * The list has one whole number for each value of the weights' histogram, so that sums do not
 * depend on the order of rows or threads. A group maker sums them up as the population of a group.
 * Models are judged with this histogram; no result shows it. */
#include "classes/classes.h"

uint64_t mgl_list_weight(const mgl_frequency_list *list, size_t tuple)
{
    const mgl_sparse *sparse = &list->sensitive[list->weighing.histogram];
    uint64_t sum = 0;
    for (size_t i = sparse->start[tuple]; i < sparse->start[tuple + 1]; i++)
        sum += sparse->counts[i] * list->weighing.of_value[sparse->values[i]];
    return sum;
}

void mgl_frequency_list_weigh(mgl_frequency_list *list, size_t histogram, uint64_t *of_value,
                              uint64_t unit)
{
    mgl_free(list->weighing.of_value);
    list->weighing = (mgl_weighing){histogram, of_value, unit, 0};
    for (size_t t = 0; t < list->n_tuples; t++)
        list->weighing.total += mgl_list_weight(list, t);
}
