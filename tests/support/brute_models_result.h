/* What results say about models, against released rows. */
#ifndef BRUTE_MODELS_RESULT_H
#define BRUTE_MODELS_RESULT_H

#include "brute_models.h"

#include <jansson.h>

/* Equal up to rounding; prints the table and fails the test otherwise. */
void brute_compare_number(const brute_table *t, const char *what, double got, double wanted);

/* The worst class of the released rows; NAN: there is none. */
double brute_worst_measure(const brute_table *t, const brute_model *m, const brute_rows *classes,
                           int n);

/* Every model of a result. Of a release that was written, what was dropped is suppressed in the
 * node. */
void brute_compare_models(const brute_table *t, const json_t *document, const brute_node *node);

/* The strongest parameters of every sensitive column, and the classes, as check finds them. */
void brute_compare_strongest(const brute_table *t, const json_t *document, const brute_node *node);

#endif
