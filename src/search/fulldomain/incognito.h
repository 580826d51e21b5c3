/* What the files of Incognito share: frequency sets, and the lattices of subsets of the columns.
 * Private to the module. */
#ifndef MGL_SEARCH_FULLDOMAIN_INCOGNITO_H
#define MGL_SEARCH_FULLDOMAIN_INCOGNITO_H

#include "search/fulldomain/optimum.h"

/* The classes that some columns make at some levels, with their rows. A set is rolled up from a
 * finer one, the first from the distinct tuples. */
typedef struct mgl_frequency_set {
    size_t n, capacity;
    uint32_t **cells;   /* [n_attributes][n] released values; only of the columns it has */
    uint32_t *levels;   /* [n_attributes] likewise */
    uint64_t *rows;     /* [n] */
    uint32_t *of_tuple; /* [n_tuples] the class of each tuple; NULL if only rows count */
} mgl_frequency_set;

/* What one thread needs to roll up and to judge. */
typedef struct mgl_set_maker mgl_set_maker;

/* Free with mgl_set_maker_free. */
mgl_status mgl_set_maker_new(const mgl_problem *problem, mgl_error *err, mgl_set_maker **out);
void mgl_set_maker_free(mgl_set_maker *maker);

/* Free with mgl_frequency_set_free. Empty. */
mgl_status mgl_frequency_set_init(mgl_frequency_set *set, const mgl_problem *problem,
                                  mgl_error *err);
void mgl_frequency_set_free(mgl_frequency_set *set, const mgl_problem *problem);

/* The classes of these columns at levels[column], from a set that has them at these levels or
 * lower ones; NULL: from the tuples. */
mgl_status mgl_frequency_set_roll_up(mgl_set_maker *maker, const mgl_frequency_set *from,
                                     const uint32_t *columns, size_t n, const uint32_t *levels,
                                     mgl_error *err, mgl_frequency_set *to);

/* Do the models hold on these classes, within the suppression limit? */
bool mgl_frequency_set_holds(mgl_set_maker *maker, const mgl_frequency_set *set,
                             const uint32_t *columns, size_t n);

/* Which nodes of all subsets hold. A column that a subset lacks makes the classes that it makes at
 * its top: a node of a subset is one of the whole lattice, if columns may rise to their tops. */
typedef struct mgl_subset_list {
    uint8_t *holds;    /* by number in the lattice that goes up to the tops */
    uint64_t *step;    /* [n_attributes] what a level adds to the number */
    uint64_t *top;     /* [n_attributes] what the top adds */
    uint64_t all_tops; /* the number of the top node */
    mgl_owned own;
} mgl_subset_list;

/* Can the nodes be listed faster than they are judged one by one? */
bool mgl_subset_list_pays(const mgl_problem *problem);
/* Free with mgl_subset_list_free, also after a failure. */
mgl_status mgl_subset_list_make(const mgl_problem *problem, mgl_error *err, mgl_subset_list *out);
void mgl_subset_list_free(mgl_subset_list *list);

/* More nodes of all lattices of subsets together are not looked at. */
#define MGL_MOST_SUBSET_NODES (UINT64_C(1) << 28)

/* Nodes of the lattices of all subsets of the columns; saturates. */
uint64_t mgl_subset_nodes(const mgl_problem *problem);

/* holds[number] for every node in lexicographic order, as an exhaustive search would find it. One
 * quasi-identifier, holding is monotone. If time is up, nodes that were not reached do not hold.
 * Nodes are judged by their frequency sets, or, with a list, by what it says of them. */
mgl_status mgl_subsets_holding(const mgl_problem *problem, const mgl_subset_list *list,
                               mgl_error *err, uint8_t *holds, uint64_t *checked, bool *timed_out);

#endif
