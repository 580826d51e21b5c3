/* k-member clustering (Byun, Kamra, Bertino and Li 2007), over distinct tuples. Inside the room
 * only.
 *
 * The values of a column lie in a row of places such that what two of them have in common is
 * common to all between: along the scale of a column of ranges, else in the order of the leaves
 * of the tree. So what a cluster has in common in a column depends on its outermost places alone,
 * and the wider they lie the more is lost. Everything here rests on that.
 *
 * The loss of a cluster is, by column, the share of the scale or the level over the height, summed
 * over the columns and times the rows. It is counted in whole numbers, MGL_MEMBER_UNIT for a
 * column that is lost, so that sums are exact and ties are ties. */
#ifndef MGL_SEARCH_K_MEMBER_H
#define MGL_SEARCH_K_MEMBER_H

#include "search/search.h"

enum { MGL_MEMBER_UNIT = 1 << 20 };

/* ---- The space: places and what lies between them ---------------------------------------- */

/* Slots number the places of all columns, one column after another. */
typedef struct mgl_member_column {
    uint32_t first;    /* slot of its first place */
    uint32_t n_places; /* of values that occur */
    /* By levels, if position is NULL. */
    uint32_t low;           /* level that a single value has */
    const uint32_t *cost;   /* [level] */
    const uint32_t **value; /* [level][place] */
    /* On a scale. */
    const uint32_t *position; /* [place] */
    uint32_t n_scaled;        /* the places after these are off the scale: missing */
} mgl_member_column;

typedef struct mgl_member_space {
    const mgl_problem *problem;
    mgl_arena *arena;
    size_t n, m; /* tuples, columns */
    uint32_t n_slots;
    mgl_member_column *columns;
    const uint32_t *slots;  /* [t * m + a] */
    const uint64_t *counts; /* [t] rows */
} mgl_member_space;

/* Free with mgl_member_space_free. */
mgl_status mgl_member_space_new(const mgl_problem *problem, mgl_error *err, mgl_member_space **out);
void mgl_member_space_free(mgl_member_space *space);

/* What is lost in column a if all between two of its slots is one cluster. */
uint32_t mgl_member_width(const mgl_member_space *space, size_t a, uint32_t low, uint32_t high);

/* The same for each slot of the column together with those from low to high. */
void mgl_member_fill(const mgl_member_space *space, size_t a, uint32_t low, uint32_t high,
                     uint32_t *table);

/* ---- The index: tuples that are not placed yet ----------------------------------------------- */

typedef struct mgl_member_index mgl_member_index;

/* A question to the index: table is what mgl_member_fill says of each column's outermost slots. */
typedef struct mgl_member_query {
    const uint32_t *low;   /* [a] */
    const uint32_t *table; /* [n_slots] */
    uint64_t rows;         /* of the cluster that is asked for */
} mgl_member_query;

/* Of these tuples, which must be ascending. Free with mgl_member_index_free. */
mgl_status mgl_member_index_new(const mgl_member_space *space, const uint32_t *tuples, size_t n,
                                mgl_error *err, mgl_member_index **out);
void mgl_member_index_free(mgl_member_index *index);

size_t mgl_member_index_size(const mgl_member_index *index);
/* Those that are left, ascending. */
void mgl_member_index_tuples(const mgl_member_index *index, uint32_t *out);
void mgl_member_index_remove(mgl_member_index *index, uint32_t tuple);

/* The tuple with which the cluster loses least, or MGL_NOT_FOUND if none is left. */
uint32_t mgl_member_nearest(mgl_member_index *index, const mgl_member_query *query);
/* The tuple that is furthest from the one the query is about. Of equals both name the first. */
uint32_t mgl_member_furthest(mgl_member_index *index, const mgl_member_query *query);

/* ---- Clusters ---------------------------------------------------------------------------------
 */

typedef struct mgl_member_cluster {
    uint32_t head; /* first of its tuples; MGL_NOT_FOUND: it was taken in by another one */
    uint32_t n_tuples;
    uint64_t rows;
    uint64_t width; /* what a row of it loses */
    bool holds;
} mgl_member_cluster;

/* Those of one part of the table after another. */
typedef struct mgl_member_clusters {
    const mgl_member_space *space;
    mgl_member_cluster *each;
    uint32_t *low, *high; /* [cluster * m + a] outermost slots */
    size_t n, room, bounds_room;
    uint32_t *next; /* [t] the next tuple of its cluster, or MGL_NOT_FOUND */
    /* Judging. */
    mgl_group_maker *maker; /* NULL: sizes say it all */
    uint64_t need;          /* rows that a cluster has at least */
    bool upward;            /* whatever joins a cluster that holds, it holds */
    bool mergeable;         /* clusters that hold, hold together */
    uint32_t *scratch;      /* [n_tuples] */
    bool timed_out;
} mgl_member_clusters;

/* need: rows that a cluster must have, beside what the models say. Free with
 * mgl_member_clusters_free. */
mgl_status mgl_member_clusters_new(const mgl_member_space *space, uint64_t need, mgl_error *err,
                                   mgl_member_clusters **out);
void mgl_member_clusters_free(mgl_member_clusters *clusters);

/* Do all class-wise models hold for these tuples, which have so many rows? */
bool mgl_member_holds(mgl_member_clusters *clusters, const uint32_t *tuples, size_t n,
                      uint64_t rows);

/* A cluster of these tuples, in any order. False: memory is out. */
bool mgl_member_add(mgl_member_clusters *clusters, const uint32_t *tuples, size_t n, bool holds);
/* All tuples of one cluster join another one. */
void mgl_member_merge(mgl_member_clusters *clusters, uint32_t from, uint32_t to);
/* The tuples of a cluster; returns how many. */
size_t mgl_member_list(const mgl_member_clusters *clusters, uint32_t cluster, uint32_t *out);

/* k_member_grow.c: adds clusters of these tuples, which are ascending and one part of the table:
 * those that hold, then each tuple that is left over by itself, ascending. */
mgl_status mgl_member_grow(mgl_member_clusters *clusters, const uint32_t *tuples, size_t n,
                           mgl_error *err);

/* k_member_rest.c: of the clusters from..to-1, those that do not hold join, one after another, the
 * cluster that loses least by it and then still holds. Some may be left. */
mgl_status mgl_member_join(mgl_member_clusters *clusters, size_t from, size_t to, mgl_error *err);
/* The same the other way round: what does not hold takes in others until it does, if it ever
 * does. */
mgl_status mgl_member_mend(mgl_member_clusters *clusters, size_t from, size_t to, mgl_error *err);

#endif
