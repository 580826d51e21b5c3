/* Sensitive attributes for problems that are made directly: what models want to know about
 * them, and Adult with one of its columns sensitive. */
#ifndef MGL_TESTS_SENSITIVE_H
#define MGL_TESTS_SENSITIVE_H

#include "adult.h"

enum { SENSITIVE_ATTRIBUTES = 3 };

typedef struct sensitive_facts {
    mgl_sensitive attributes[SENSITIVE_ATTRIBUTES];
    mgl_facts facts;
    mgl_arena *arena;
} sensitive_facts;

/* From the histograms of the list. The order of values is that of their codes; the
 * hierarchies may be NULL. Values of the same number in strong[s] are one protected subtree;
 * strong may be NULL. False if memory is out. Free with sensitive_facts_free. */
bool sensitive_facts_make(sensitive_facts *out, const mgl_frequency_list *list,
                          const mgl_hierarchy *const *hierarchies, uint32_t *const *strong);
void sensitive_facts_free(sensitive_facts *facts);

/* Adult with the column of this name sensitive and the eight others quasi-identifiers. */
typedef struct sensitive_adult {
    adult *whole; /* borrowed */
    mgl_frequency_list *list;
    mgl_cell_costs *costs;
    const mgl_released_column *columns[ADULT_COLUMNS];
    uint32_t max_level[ADULT_COLUMNS];
    sensitive_facts facts;
    mgl_model models[4];
    mgl_quasi_set set;
} sensitive_adult;

bool sensitive_adult_make(sensitive_adult *out, adult *whole, const char *sensitive);
void sensitive_adult_free(sensitive_adult *data);

/* k-anonymity and one more model; suppressed rows are exempt. */
mgl_problem sensitive_adult_problem(sensitive_adult *data, uint64_t k, const char *model,
                                    double first, double second, uint64_t limit,
                                    const char *measure);

#endif
