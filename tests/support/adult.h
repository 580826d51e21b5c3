/* The Adult table of ../shared as a frequency list, for tests and benchmarks. */
#ifndef MGL_TESTS_ADULT_H
#define MGL_TESTS_ADULT_H

#include "search/search.h"

enum { ADULT_COLUMNS = 9 };

typedef struct adult {
    mgl_table *table;
    mgl_hierarchy *hierarchies[ADULT_COLUMNS];
    mgl_released_column *columns[ADULT_COLUMNS];
    mgl_frequency_list *list;
    mgl_cell_costs *costs;
    uint32_t min_level[ADULT_COLUMNS], max_level[ADULT_COLUMNS], attributes[ADULT_COLUMNS];
    double weights[ADULT_COLUMNS];
    mgl_quasi_set set;
    mgl_model model;
} adult;

/* The folder ../shared, seen from the working directory or a folder above it; NULL if it
 * is not there. */
const char *shared_folder(void);

/* The folder tests/standin of the project, a table of our own in the same layout. */
const char *standin_folder(void);

/* From one of these folders. False, with a word on stderr, if it cannot be read. Free with
 * adult_free. */
bool adult_read(adult *out, const char *folder);
void adult_free(adult *adult);

/* All nine columns, suppressed rows exempt. Borrows from adult, whose model it sets. */
mgl_problem adult_problem(adult *adult, uint64_t k, uint64_t limit, const char *measure);

/* One line of ../shared/golden/arx_adult.tsv about all nine columns. */
typedef struct arx_case {
    uint64_t k;
    double share;     /* suppression limit as a share of the rows */
    char measure[32]; /* ours: "class-size" for ARX's aecs */
    double value, milliseconds;
} arx_case;

/* Reads up to `most` cases; 0 if there is no such file. */
size_t arx_cases(const char *folder, const char *name, arx_case *cases, size_t most);

#endif
