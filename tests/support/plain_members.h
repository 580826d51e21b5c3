/* k-member clustering without any haste: every tuple that is not placed is looked at each time,
 * and what a cluster loses is found from all its tuples. Shares with the method only the room's
 * hierarchies, groups and models. */
#ifndef MGL_TESTS_PLAIN_MEMBERS_H
#define MGL_TESTS_PLAIN_MEMBERS_H

#include "search/search.h"

/* Clusters after the left-overs joined them. */
typedef struct plain_members {
    uint32_t *cluster_of; /* [n_tuples] named after its first tuple */
    bool *holds;          /* [n_tuples] whether the tuple's cluster does */
} plain_members;

/* False if memory is out. Free with plain_members_free. */
bool plain_members_make(const mgl_problem *problem, plain_members *out);
void plain_members_free(plain_members *members);

/* What the tuples lose in a column together, in units. */
uint32_t plain_width(const mgl_problem *problem, size_t a, const uint32_t *tuples, size_t n);

#endif
