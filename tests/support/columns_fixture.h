/* A small release whose columns are gathered: a table in memory, counted and recoded by hand. */
#ifndef MGL_TESTS_COLUMNS_FIXTURE_H
#define MGL_TESTS_COLUMNS_FIXTURE_H

#include "arrow_maker.h"
#include "release/columns/columns.h"

/* The quasi-identifier "city" has one of these in row r: cities[r % 6]; the last one is missing. */
enum { FIXTURE_CITIES = 6 };
extern const char *const fixture_cities[FIXTURE_CITIES];

typedef struct columns_fixture {
    size_t n_rows;
    mgl_table *table; /* of the quasi-identifier */
    mgl_hierarchy *hierarchy;
    uint32_t *leaf_of_code;
    mgl_bound_column bound;
    mgl_released_column *released;
    mgl_frequency_list *list;
    mgl_recoding *recoding;
    mgl_random random;
    mgl_pool *pool;
    size_t columns[8], of_column[8];
    const char *names[8];
    mgl_row_plan plan;
} columns_fixture;

/* n_passed columns of the source are passed through before the city: numbers 1, 2, ... of the
 * source, and 0, 1, ... of its table in memory. */
void fixture_make(columns_fixture *f, size_t n_rows, size_t n_passed, unsigned threads);
void fixture_free(columns_fixture *f);
/* All rows of the city are suppressed: they are at the top, or dropped. */
void fixture_suppress(columns_fixture *f, const char *city);
/* Random order, from this seed. */
void fixture_shuffle(columns_fixture *f, uint64_t seed);

/* The release; copied: [n_columns] or NULL. */
mgl_status fixture_run(columns_fixture *f, mgl_arrow_table *table, uint64_t *copied, mgl_error *err,
                       mgl_arrow_table **out);

/* The text of a cell of a table, "" with *null set if it is null. Lives until the next call. */
const char *fixture_cell(const mgl_arrow_table *table, size_t column, size_t row, bool *null);

#endif
