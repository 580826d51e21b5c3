/* Improving by large neighbourhoods: some of what a search has made so far is taken apart and put
 * together anew, again and again, and what costs no more than before is taken. Private to
 * src/search.
 *
 * What is taken apart, how it is put together and what becomes of it are functions of the caller:
 * releases of the cell level by dual values or by near tuples, classes and patterns of local
 * suppression. Rounds, threads, acceptance, the limits and the clock are the same for all.
 *
 * A search ends when the work allowed is done, when time is up, or when no neighbourhood is left to
 * choose. */
#ifndef MGL_SEARCH_IMPROVER_H
#define MGL_SEARCH_IMPROVER_H

#include "search/problem/problem.h"

typedef enum mgl_improver_choice {
    MGL_CHOSEN,
    MGL_DEAD_END, /* nothing this time */
    MGL_NONE_LEFT /* nothing any more: the search ends */
} mgl_improver_choice;

/* The neighbourhood that a function is asked about. */
typedef struct mgl_improver_item {
    uint64_t round;  /* 1, 2, ... */
    size_t number;   /* of the neighbourhood in its round: 0, 1, ... */
    unsigned worker; /* the thread that puts it together */
    mgl_quick_random *random;
} mgl_improver_item;

/* `search` is the state of the caller, `number` that of a neighbourhood in its round.
 *
 * All neighbourhoods of a round are chosen one after the other, then put together by several
 * threads at once, then taken or left in the order in which they were chosen. So what comes of it
 * does not depend on the number of threads as long as only choose, take and leave change what
 * others see, and neighbourhoods of a round share nothing. */
typedef struct mgl_improver {
    size_t at_once;    /* neighbourhoods of a round, at most; not the number of threads */
    size_t tries;      /* to put one together */
    size_t look_every; /* rounds: then it looks at the clock, and reports */
    /* At first what costs more by this share is taken, too, then ever less of that, and nothing
     * when the work ends: a way out of where each change alone makes it worse. 0: never. */
    double leeway;
    /* Chooses another neighbourhood of the round. */
    mgl_improver_choice (*choose)(void *search, const mgl_improver_item *item);
    /* Takes it apart, and returns what it costs as it is. False if that cannot be done. */
    bool (*open)(void *search, const mgl_improver_item *item, uint64_t *before);
    /* Puts it together anew, and returns what that costs. False if it could not be done. */
    bool (*rebuild)(void *search, const mgl_improver_item *item, size_t attempt, uint64_t *cost);
    /* What was made costs no more: keeps it until it is taken. False if it may not be taken, or if
     * there is no memory for it. NULL: it may, and is kept as it is. */
    bool (*keep)(void *search, const mgl_improver_item *item);
    /* Puts what was kept in the place of what was there. */
    mgl_status (*take)(void *search, size_t number, mgl_error *err);
    /* Nothing came of it. NULL: then there is nothing to do. */
    void (*leave)(void *search, size_t number);
} mgl_improver;

/* How long to go on. */
typedef struct mgl_improver_limits {
    const mgl_problem *problem; /* its threads, progress and deadline */
    const uint64_t *work;       /* done so far, counted by the functions; each round must do some */
    uint64_t most_work;
    bool timed_out; /* the deadline came first */
} mgl_improver_limits;

/* Neighbourhoods are chosen by these random numbers. Where there is one in a round it is put
 * together by them, too; else each has numbers of its own, by its round and number. The status is
 * that of a function that failed, after which all of its round that was not taken yet was left, or
 * MGL_CANCELLED. */
mgl_status mgl_improve(const mgl_improver *how, void *search, mgl_quick_random *random,
                       mgl_improver_limits *limits, mgl_error *err);

#endif
