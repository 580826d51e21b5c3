/* k-member clustering (Byun, Kamra, Bertino and Li 2007), over distinct tuples. Private to the
 * module.
 *
 * The values of a column lie in a row such that what two of them have in common is common to all
 * between: along the scale of a column of ranges, else in the order of the leaves of the tree. So
 * what a cluster has in common in a column depends on its outermost values alone, and the further
 * apart these lie the more is lost. Everything here rests on that.
 *
 * The loss of a cluster is, by column, the share of the scale or the level over the height, summed
 * over the columns and times the rows. It is counted in whole numbers, MGL_MEMBER_UNIT for a column
 * that is lost, so that sums are exact and ties are ties. */
#ifndef MGL_SEARCH_CLUSTER_K_MEMBER_MEMBERS_H
#define MGL_SEARCH_CLUSTER_K_MEMBER_MEMBERS_H

#include "search/node/node.h"

enum { MGL_MEMBER_UNIT = 1 << 20 };

/* A column that is released by its levels. Slots number the places of all such columns, one column
 * after another; a level's values are runs of slots. */
typedef struct mgl_member_column {
    uint32_t low, height;    /* levels; single values have the lowest */
    uint32_t first;          /* slot of its first place */
    const uint32_t *cost;    /* [level] */
    const uint32_t **run;    /* [level][place] number of the run */
    const uint32_t **starts; /* [level][run] its first slot; and where the last run ends */
} mgl_member_column;

/* Columns that are released by their levels come first, then those released as ranges. What a
 * tuple has in a column is its slot there, or its position on the scale: UNIT from the least to
 * the greatest number, and what is no number at least UNIT away from all. */
typedef struct mgl_member_space {
    const mgl_problem *problem;
    mgl_owned own;
    size_t n, m, n_levels; /* tuples, columns, columns released by levels */
    uint32_t n_slots;
    mgl_member_column *columns; /* [n_levels] */
    const uint32_t *at;         /* [t * m + column] */
    const uint64_t *counts;     /* [t] rows */
} mgl_member_space;

/* Free with mgl_member_space_free. */
mgl_status mgl_member_space_new(const mgl_problem *problem, mgl_error *err, mgl_member_space **out);
void mgl_member_space_free(mgl_member_space *space);

static inline const uint32_t *mgl_member_at(const mgl_member_space *space, uint32_t tuple)
{
    return space->at + (size_t)tuple * space->m;
}

/* The lowest level at which two slots of a column are one value. */
static inline uint32_t mgl_member_level(const mgl_member_column *column, uint32_t slot,
                                        uint32_t other)
{
    uint32_t level = column->low, i = slot - column->first, j = other - column->first;
    while (column->run[level][i] != column->run[level][j])
        level++;
    return level;
}

/* What a cluster from one position of a scale to another loses. */
static inline uint32_t mgl_member_range(uint32_t low, uint32_t high)
{
    return high - low < MGL_MEMBER_UNIT ? high - low : MGL_MEMBER_UNIT;
}

/* What a cluster between these loses in a column. */
static inline uint32_t mgl_member_width(const mgl_member_space *space, size_t a, uint32_t low,
                                        uint32_t high)
{
    if (a >= space->n_levels)
        return mgl_member_range(low, high);
    return space->columns[a].cost[mgl_member_level(&space->columns[a], low, high)];
}

/* The outermost slots or positions of its tuples, and for each slot what the cluster loses in that
 * column if it has that slot as well. */
typedef struct mgl_member_box {
    uint32_t *low, *high; /* [column] */
    uint32_t *table;      /* [n_slots] */
    uint64_t rows;
} mgl_member_box;

typedef struct mgl_member_index mgl_member_index;

/* Of these tuples, which must be ascending. Free with mgl_member_index_free. */
mgl_status mgl_member_index_new(const mgl_member_space *space, const uint32_t *tuples, size_t n,
                                mgl_error *err, mgl_member_index **out);
void mgl_member_index_free(mgl_member_index *index);

size_t mgl_member_index_size(const mgl_member_index *index);
/* Those that are left, ascending. */
void mgl_member_index_tuples(const mgl_member_index *index, uint32_t *out);
void mgl_member_index_remove(mgl_member_index *index, uint32_t tuple);

/* The tuple with which the cluster loses least, or MGL_NOT_FOUND if none is left. */
uint32_t mgl_member_nearest(const mgl_member_index *index, const mgl_member_box *box);
/* The tuple that is furthest from the one in the box. Of equals both name the first. */
uint32_t mgl_member_furthest(const mgl_member_index *index, const mgl_member_box *box);

typedef struct mgl_member_cluster {
    uint32_t head; /* first of its tuples; MGL_NOT_FOUND: it was taken in by another one */
    uint32_t n_tuples;
    uint64_t rows;
    uint64_t width; /* what a row of it loses */
    bool holds;
} mgl_member_cluster;

/* Those of one block of the table after another. */
typedef struct mgl_member_clusters {
    const mgl_member_space *space;
    mgl_member_cluster *each;
    uint32_t *low, *high; /* [cluster * m + column] outermost slots or positions */
    size_t n, room, bounds_room;
    uint32_t *next; /* [t] the next tuple of its cluster, or MGL_NOT_FOUND */
    /* Judging. */
    mgl_group_maker *maker; /* NULL: sizes say it all */
    uint64_t need;          /* rows that a cluster has at least */
    bool upward;            /* whatever joins a cluster that holds, it holds */
    bool mergeable;         /* clusters that hold, hold together */
    uint32_t *scratch;      /* [n_tuples] */
    /* Progress. */
    size_t n_done; /* tuples of blocks that are done */
    bool timed_out;
    mgl_owned own;
} mgl_member_clusters;

/* need: rows that a cluster must have, beside what the models say. Free with
 * mgl_member_clusters_free. */
mgl_status mgl_member_clusters_new(const mgl_member_space *space, uint64_t need, mgl_error *err,
                                   mgl_member_clusters **out);
void mgl_member_clusters_free(mgl_member_clusters *clusters);

/* The tuples of a cluster; returns how many. */
size_t mgl_member_list(const mgl_member_clusters *clusters, uint32_t cluster, uint32_t *out);

/* Adds clusters of these tuples, which are ascending and one block of the table:
 * those that hold, then each tuple that is left over by itself, ascending. If the deadline comes
 * all that are left are one cluster. */
mgl_status mgl_member_grow(mgl_member_clusters *clusters, const uint32_t *tuples, size_t n,
                           mgl_error *err);

/* Of the clusters from..to-1, those that do not hold join, one after another, the cluster that
 * loses least by it and then still holds. Some may be left, after the deadline in one cluster. */
mgl_status mgl_member_join(mgl_member_clusters *clusters, size_t from, size_t to, mgl_error *err);

#endif
