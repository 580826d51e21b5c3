/* The option --combinations, which mu-argus and local-suppression have. */
#ifndef MGL_SEARCH_PROBLEM_COLUMN_COMBINATIONS_H
#define MGL_SEARCH_PROBLEM_COLUMN_COMBINATIONS_H

#include "search/problem/method_options.h"

/* Combinations of columns that a method looks at, or on which k must hold. */
typedef struct mgl_combinations {
    uint64_t sizes; /* bit i: all combinations of i columns */
    bool published; /* those of Sweeney 2002, figure 12 */
    bool all;       /* of every size; for mu-argus with rounds until k holds */
    bool named;     /* columns with + between: these are the quasi-identifiers of the problem */
} mgl_combinations; /* all zero: not given */

extern const mgl_method_option mgl_combinations_option;

#endif
