/* Frequency lists of tuples that a test names, counted as the rows of a table are. */
#ifndef MGL_TESTS_TUPLES_H
#define MGL_TESTS_TUPLES_H

#include "classes/classes.h"

/* Tuple t has the leaves leaves[t * n_attributes + a] and counts counts[t] times; in any order,
 * each once or more (counts add up); no sensitive attributes. Free with mgl_frequency_list_free. */
mgl_status tuples_listed(const mgl_hierarchy *const *hierarchies, size_t n_attributes,
                         const uint32_t *leaves, const uint64_t *counts, size_t n,
                         mgl_frequency_list **out);

#endif
