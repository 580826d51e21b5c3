/* Adds up what classes cost without rounding. statistics.c and cell_costs.c call it, and the
 * searches that price nodes from their own tables of classes. */
#include "utility/exact_sums.h"

#include <math.h>

mgl_whole_sum mgl_log_term_of(uint64_t size)
{
    double number = (double)size;
    return size > 1 ? (mgl_whole_sum)(number * log2(number) * 0x1p51) : 0;
}

bool mgl_products_are_whole(const mgl_released_column *const *columns, size_t n_attributes,
                            uint64_t n_rows)
{
    double most = (double)n_rows;
    for (size_t a = 0; a < n_attributes; a++)
        most *= columns[a]->values[columns[a]->top].leaves;
    return most < 0x1p127;
}
