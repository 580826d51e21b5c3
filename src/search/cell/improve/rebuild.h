/* Tuples put together by candidates: classes with a low reduced cost. Inside the module only. */
#ifndef MGL_SEARCH_CELL_IMPROVE_REBUILD_H
#define MGL_SEARCH_CELL_IMPROVE_REBUILD_H

#include "search/cell/improve/improve.h"
#include "search/cell/improve/neighbourhood.h"

typedef struct mgl_cell_rebuilder mgl_cell_rebuilder;

/* Room for neighbourhoods of up to `most` tuples. Free with mgl_cell_rebuilder_free. One per
 * thread. */
mgl_status mgl_cell_rebuilder_new(const mgl_cell_candidates *candidates, size_t most,
                                  mgl_error *err, mgl_cell_rebuilder **out);
void mgl_cell_rebuilder_free(mgl_cell_rebuilder *rebuilder);

/* Takes in the members of a class. False if there is no room. */
bool mgl_cell_rebuilder_add_class(mgl_cell_rebuilder *rebuilder, const mgl_box_class *class);
/* Takes in tuples that are in no class yet. */
bool mgl_cell_rebuilder_add(mgl_cell_rebuilder *rebuilder, const uint32_t *tuples, size_t n);
/* Empties it. */
void mgl_cell_rebuilder_clear(mgl_cell_rebuilder *rebuilder);

/* How dual values are made slightly wrong, so that another attempt ends elsewhere. */
typedef struct mgl_dual_change {
    double noise; /* each is off by up to this share of itself */
    /* All go up to so much of the way to what the row costs in the class that was taken apart, or
     * beyond it: candidates for rows that cost much come first then. What is off by chance alone
     * evens out in classes of many tuples. */
    double toward_cost;
} mgl_dual_change;

/* Puts the tuples together anew by candidates. False if it cannot be done. If not all is wanted,
 * tuples that no candidate takes stay in no class. */
bool mgl_cell_rebuild(mgl_cell_rebuilder *rebuilder, const mgl_dual_change *change,
                      mgl_quick_random *random, bool all);

/* What was made: the cost, and the draft of each tuple, MGL_NOT_FOUND for none. */
typedef struct mgl_cell_drafts {
    uint64_t cost;
    size_t n_tuples, n_drafts;
    const uint32_t *tuples, *draft_of;
    bool impossible; /* a draft reads as the top, where it may be no class */
    uint64_t work;   /* since it was empty */
} mgl_cell_drafts;
mgl_cell_drafts mgl_cell_rebuilder_drafts(const mgl_cell_rebuilder *rebuilder);

/* ---- Inside a rebuilder ---------------------------------------------------------------- */

/* A candidate, or the box of a class that was taken apart, as far as it lies in the
 * neighbourhood. */
typedef struct mgl_local_candidate {
    uint32_t cost;
    size_t start, n; /* members: positions among the tuples, the highest dual values first */
    double worth;    /* of its best rows, each, when last looked at */
} mgl_local_candidate;

typedef struct mgl_draft {
    uint32_t first; /* place of a member; the others follow in next */
    uint64_t rows;
    uint32_t cost;
    bool lone_known; /* see rebuild.c */
} mgl_draft;

typedef struct mgl_dual_place {
    uint32_t dual; /* changed, as a whole number */
    uint32_t place;
} mgl_dual_place;

typedef struct mgl_candidate_sight {
    uint32_t when;   /* a candidate was last seen */
    uint32_t number; /* of its rows, or its own among the locals */
} mgl_candidate_sight;

struct mgl_cell_rebuilder {
    const mgl_cell_candidates *candidates;
    const mgl_box_space *space;
    mgl_box_judge *judge;
    size_t most, n;
    const mgl_box_class *classes[MGL_NEIGHBOURHOOD_CLASSES]; /* that it is made of */
    size_t n_classes;
    uint32_t *tuples; /* [n] */
    double *dual;     /* [n] changed */
    uint32_t *cost;   /* [n] of a row in its class; its dual value if it is in none */
    uint32_t *draft_of, *next;
    mgl_dual_place *order, *spare; /* [n] places, the highest dual values first */
    /* Local candidates. */
    mgl_local_candidate *locals;
    size_t n_locals, locals_capacity;
    uint32_t *members;
    size_t n_members, members_capacity;
    mgl_candidate_sight *seen; /* [candidates] */
    uint32_t now;
    uint32_t *heap; /* [n_locals] */
    size_t heap_capacity;
    mgl_draft *drafts; /* [n] */
    size_t n_drafts;
    uint8_t *levels;  /* [n * m] boxes of the drafts */
    uint32_t *lone;   /* [n * m] of each draft, see rebuild.c */
    uint8_t *scratch; /* [m] */
    uint64_t *mask;   /* [words] */
    uint32_t *chosen; /* [n] places */
    uint32_t *judged; /* [n] tuples */
    uint64_t work;
    bool out_of_memory;
};

#endif
