/* What the files of mu-argus share: units, which are the distinct tuples of a node, groups of units
 * that look alike on some columns, and the combinations of columns whose values are rare. Sets of
 * columns are bit masks. Private to the module. */
#ifndef MGL_SEARCH_ARGUS_UNITS_H
#define MGL_SEARCH_ARGUS_UNITS_H

#include "search/node/node.h"

#include <pthread.h>

enum {
    MGL_ARGUS_COLUMNS = 64,
    MGL_ARGUS_MOST_LIVE = 20 /* columns of which all combinations are looked at */
};

typedef struct mgl_argus_options {
    mgl_combinations combinations;  /* looked at; none: of two and three columns */
    const uint32_t *identification; /* [n_attributes] 1 most, 2 more, 3 identifying */
    const uint32_t *generalize;     /* [n_attributes] steps the holder wants */
} mgl_argus_options;

/* Whom members of groups stand for: rows, or persons. */
typedef struct mgl_argus_people {
    size_t n;             /* members */
    const uint64_t *rows; /* [n] rows, or persons that are in this member only */
    const size_t *start;  /* [n + 1] the other persons, or NULL: every row is a person */
    const uint32_t *ids;  /* of member i at start[i]..start[i+1] */
    size_t n_ids;         /* ids are below this */
} mgl_argus_people;

/* Members that look alike, and how many persons they are. Reusable; one per thread. */
typedef struct mgl_argus_groups {
    size_t n;        /* groups */
    uint32_t *of;    /* group of each member that was listed, in the order of the list */
    uint64_t *sizes; /* [n] persons */
    /* scratch */
    struct mgl_argus_slot *slots;
    size_t n_slots;
    uint32_t used;     /* numbers that slots of earlier calls may hold */
    size_t *start;     /* [n + 1] with persons: where a group's members lie */
    uint32_t *members; /* listed members, group by group */
    uint64_t *seen;    /* [n_ids] when a person was counted last */
    uint64_t now;
    mgl_owned own;
} mgl_argus_groups;

/* Room for so many members in so many groups. Free with mgl_argus_groups_free, also on failure. */
mgl_status mgl_argus_groups_init(mgl_argus_groups *groups, const mgl_argus_people *people,
                                 size_t most_groups, mgl_error *err);
void mgl_argus_groups_free(mgl_argus_groups *groups);

typedef struct mgl_argus_units {
    size_t m;                /* columns */
    mgl_argus_people people; /* n units */
    uint32_t *of_tuple;      /* [tuples of the list] */
    uint64_t live;           /* columns that are not at their top as a whole */
    mgl_packing packing;     /* of cells; 0 is the top */
    uint64_t *keys;          /* [n * packing.n_words] */
    uint64_t *rows;          /* what people borrows */
    size_t *start;
    uint32_t *ids;
} mgl_argus_units;

/* The distinct tuples of released cells. Free with mgl_argus_units_free. */
mgl_status mgl_argus_units_new(const mgl_frequency_list *list, const mgl_recoding *recoding,
                               mgl_error *err, mgl_argus_units **out);
void mgl_argus_units_free(mgl_argus_units *units);

/* Groups the listed units by their cells in these columns and counts them. */
void mgl_argus_group(mgl_argus_groups *groups, const mgl_argus_units *units, uint64_t columns,
                     const uint32_t *list, size_t n);

/* Makes items stop when time is up, one of them failed, or the job was cancelled. */
typedef struct mgl_argus_watch {
    const mgl_problem *problem;
    uint64_t total;       /* items there are */
    pthread_mutex_t lock; /* guards what follows */
    uint64_t done;
    bool timed_out;
    mgl_status status;
    mgl_error error;
} mgl_argus_watch;

void mgl_argus_watch_begin(mgl_argus_watch *watch, const mgl_problem *problem, uint64_t total);
bool mgl_argus_must_stop(mgl_argus_watch *watch);
/* An item is done, or memory was out for it. */
void mgl_argus_done(mgl_argus_watch *watch, bool out_of_memory);
/* How it stands with the items run so far. */
mgl_status mgl_argus_watch_status(const mgl_argus_watch *watch, mgl_error *err);
void mgl_argus_watch_end(mgl_argus_watch *watch);

typedef struct mgl_argus_family {
    bool all;       /* every combination of columns that are not at their top */
    bool rounds;    /* cells are suppressed until every quasi-identifier holds */
    uint64_t *sets; /* else: these, the smaller ones first, then ascending */
    size_t n;       /* how many in any case */
} mgl_argus_family;

/* Free with mgl_argus_family_free. */
mgl_status mgl_argus_family_make(const mgl_problem *problem, uint64_t live, mgl_error *err,
                                 mgl_argus_family *out);
void mgl_argus_family_free(mgl_argus_family *family);

/* For each unit combinations on which it is rare, so that it is rare exactly on those of the
 * family that contain one of them. */
typedef struct mgl_argus_outliers {
    size_t *start;  /* [units + 1] */
    uint64_t *sets; /* of unit u at start[u]..start[u+1], the smaller ones first */
    mgl_owned own;
} mgl_argus_outliers;

/* Rare is what fewer than k persons have. Free with mgl_argus_outliers_free. */
mgl_status mgl_argus_outliers_find(const mgl_problem *problem, const mgl_argus_units *units,
                                   const mgl_argus_family *family, uint64_t k, mgl_error *err,
                                   mgl_argus_outliers *out);
void mgl_argus_outliers_free(mgl_argus_outliers *outliers);

/* For each column the number of sets that it is in: of the subsets of columns, at most
 * MGL_ARGUS_MOST_LIVE, that contain one of the n given sets. scratch: as many words as
 * mgl_argus_count_room says for n sets and so many columns. */
void mgl_argus_count_supersets(const uint64_t *sets, size_t n, uint64_t columns, uint64_t *scratch,
                               uint64_t *counts);
size_t mgl_argus_count_room(size_t most_sets, size_t n_columns);

typedef struct mgl_argus_cells {
    uint64_t *lost; /* [units] columns whose cell is suppressed */
    uint8_t *order; /* [units * m] columns by the number of outliers their cell is in; for
                       units that have any, and only if the family has all combinations */
    mgl_owned own;
} mgl_argus_cells;

/* Suppresses in every unit, again and again, the cell that is in most of its remaining outliers;
 * among equal ones that of the more identifying column (NULL: none is), then the first. Free with
 * mgl_argus_cells_free. */
mgl_status mgl_argus_cells_suppress(const mgl_problem *problem, const mgl_argus_units *units,
                                    const mgl_argus_family *family,
                                    const mgl_argus_outliers *outliers, mgl_error *err,
                                    mgl_argus_cells *out);
void mgl_argus_cells_free(mgl_argus_cells *cells);

/* Round after round, every unit in a class below k loses the cell that was in most of its
 * outliers, until only the class of units that have no cells left is below k, if any. */
mgl_status mgl_argus_cells_complete(const mgl_problem *problem, mgl_argus_units *units, uint64_t k,
                                    mgl_argus_cells *cells, mgl_error *err);

#endif
