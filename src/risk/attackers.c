/* Computes the risks of rows that follow from the sizes of classes alone. `risk` calls it for each
 * kind of attacker. */
#include "risk/risk.h"

mgl_row_risk mgl_risk_of_rows(const mgl_frequency_list *list, const double *population,
                              double threshold)
{
    mgl_row_risk risk = {0};
    uint64_t above = 0;
    for (size_t t = 0; t < list->n_tuples; t++) {
        double one = 1 / population[t];
        risk.max = one > risk.max ? one : risk.max;
        risk.mean += (double)list->counts[t] * one;
        above += one > threshold * (1 + 1e-12) ? list->counts[t] : 0;
    }
    risk.mean /= (double)list->n_rows;
    risk.share_above = (double)above / (double)list->n_rows;
    return risk;
}
