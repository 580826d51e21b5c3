/* Sorts 64-bit words. recursive_cl.c and t_closeness.c call it for the counts of a class. */
#include "privacy/models.h"

/* Shell's sort: classes have few values, and nothing is allocated while they are judged. */
void mgl_sort_words(uint64_t *words, size_t n)
{
    size_t gap = 1;
    while (gap < n / 3)
        gap = 3 * gap + 1;
    for (; gap > 0; gap /= 3)
        for (size_t i = gap; i < n; i++) {
            uint64_t word = words[i];
            size_t at = i;
            for (; at >= gap && words[at - gap] > word; at -= gap)
                words[at] = words[at - gap];
            words[at] = word;
        }
}
