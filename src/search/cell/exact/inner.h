/* What the files of the exact search share. Private to the module.
 *
 * Dual values at which no class has a negative reduced cost bound every release from below
 * (duals.h). A class whose reduced cost is more than the best release may cost above that bound is
 * in no best release; what is left are few enough classes to name them all. A release is then a
 * choice of classes that has each tuple once. A linear program finds the best dual values for it;
 * cuts, which no choice violates, raise the bound; and branching on whether two tuples are together
 * does the rest. */
#ifndef MGL_SEARCH_CELL_EXACT_INNER_H
#define MGL_SEARCH_CELL_EXACT_INNER_H

#include "search/box/box.h"
#include "search/cell/exact/simplex.h"

enum {
    MGL_EXACT_FEW = 20,
    MGL_EXACT_MOST_TUPLES = 1500,
    MGL_EXACT_MOST_CUTS = 400, /* at a time */
    MGL_EXACT_CUT_SIZE = 9
};

typedef struct mgl_exact mgl_exact;

/* Boxes with enough rows under them, each the smallest around these. */
typedef struct mgl_exact_boxes {
    size_t n;
    uint32_t *cost;    /* [box] of each row */
    uint8_t *levels;   /* [box * m + a] */
    size_t *start;     /* [n + 1] */
    uint32_t *members; /* tuples under box b at start[b]..start[b+1] */
    size_t cost_room, levels_room, start_room, members_room;
} mgl_exact_boxes;

/* Those that cost at most cap[t] for some tuple t under them and may be classes. *whole is false if
 * there are too many, or the time is over. Free with mgl_exact_boxes_free, also after a failure. */
mgl_status mgl_exact_boxes_find(mgl_exact *x, const int64_t *cap, mgl_error *err, bool *whole);

typedef struct mgl_exact_candidates {
    size_t n;
    int64_t *cost;     /* [class] of all its rows */
    size_t *start;     /* [n + 1] */
    uint32_t *members; /* tuples of class c at start[c]..start[c+1] */
    uint32_t *closed;  /* [class] 0: it may be chosen; else the depth where it was ruled out */
    bool *left_out;    /* [class] a tuple that is suppressed */
    int64_t *lack;     /* [class] what it lacked at the first branch */
    size_t cost_room, start_room, members_room, closed_room, left_out_room, lack_room;
} mgl_exact_candidates;

void mgl_exact_candidates_free(mgl_exact_candidates *candidates);
/* Keeps those that are not closed, and those that are basic in the program. */
bool mgl_exact_candidates_shrink(mgl_exact_candidates *candidates, mgl_lp *lp);

/* A cut: a class with q of 2n + 1 tuples covers floor(q/2) pairs of them, and all classes together
 * at most n. */
typedef struct mgl_exact_cut {
    uint32_t n, tuples[MGL_EXACT_CUT_SIZE]; /* ascending */
} mgl_exact_cut;

typedef struct mgl_exact_cuts {
    size_t n;
    mgl_exact_cut cuts[MGL_EXACT_MOST_CUTS];
    uint32_t *start;   /* [n_tuples + 1] */
    uint32_t *of;      /* the cuts with tuple t at start[t]..start[t+1] */
    uint8_t *hits;     /* [MGL_EXACT_MOST_CUTS] all 0 between calls */
    uint32_t *touched; /* [MGL_EXACT_MOST_CUTS] */
    mgl_owned own;
} mgl_exact_cuts;

/* Costs, dual values and all that is made of them here are per tuple or class, not per row, in
 * units of the search's own: each row costs its cost / divide * times. Where costs are whole
 * numbers of steps, divide is the step, so that all costs are multiples of `times`, and dual
 * values, which are rounded, are finer than these. */
struct mgl_exact {
    const mgl_box_space *space;
    uint32_t divide;
    int64_t times;
    bool exact; /* nothing was rounded */
    mgl_box_judge *judge;
    bool may_leave_out; /* suppressed rows are in no class; row n of the program is the limit */
    uint64_t limit;     /* of rows that are left out */
    int64_t *base; /* [t] dual values of whole tuples without negative classes among all classes */
    int64_t base_left; /* dual value of a row that is left out, without negative classes, too */
    int64_t base_sum;  /* the bound that these dual values prove */
    int64_t *duals;    /* [t] of the program, rounded */
    int64_t left_dual, *cut_duals; /* of the program, rounded and not negative */
    mgl_exact_boxes boxes;
    mgl_exact_candidates candidates;
    mgl_exact_cuts cuts;
    mgl_lp lp;
    int64_t first_bound; /* of the first branch */
    int64_t upper;       /* what the best release known costs */
    int64_t tolerance; /* releases must be better by more than this; below what any two exact costs
                          differ by */
    bool found, branched;
    uint32_t *best; /* [t] class in the best release found; 0: left out */
    uint64_t most_work, work;
    uint64_t next_look; /* the work at which to look at the clock again */
    bool gave_up, timed_out, cancelled;
    mgl_bound_steps *log; /* optional */
    mgl_owned own;
};

/* What a row costs, in the units of the search. */
static inline int64_t mgl_exact_cost(const mgl_exact *x, uint32_t cost)
{
    return (int64_t)(cost / x->divide) * x->times;
}

/* A cost of the space that is more than such a dual value of so many rows is for each of them. */
static inline int64_t mgl_exact_dual_per_row(const mgl_exact *x, int64_t dual, uint64_t rows)
{
    return (dual / (int64_t)rows / x->times + 1) * x->divide;
}

/* The units for so many rows and tuples, and the tolerance. */
void mgl_exact_choose_units(mgl_exact *x);
/* The highest dual values of a tuple, of a row that is left out, and of a cut: sums of them do not
 * leave 64 bits. Dual values that are rounded are no higher. */
int64_t mgl_exact_most_dual(const mgl_exact *x);
int64_t mgl_exact_most_left_dual(const mgl_exact *x);
int64_t mgl_exact_most_cut_dual(void);
/* A dual value as a whole number from -most to most: rounded down, or up from zero. */
int64_t mgl_exact_round_down(double dual, int64_t most);
int64_t mgl_exact_round_up(double dual, int64_t most);
/* Raises what it costs that a tuple is in no class; false if that would be too much. */
bool mgl_exact_raise_lack(mgl_exact *x);
/* What is proved of all releases if none costs less than upper by more than the tolerance, as a
 * sum of the costs of the space. */
uint64_t mgl_exact_proved(const mgl_exact *x);

/* That, or as much work is done as may be. */
bool mgl_exact_is_over(mgl_exact *x);

/* Adds to the candidates all classes with a reduced cost of at most `slack` at the base dual
 * values; of those in it before only the basic ones are kept. *whole is false if there are too
 * many, or it takes too long. */
mgl_status mgl_exact_name_classes(mgl_exact *x, int64_t slack, mgl_error *err, bool *whole);

/* The program for the candidates and the cuts as they are, nothing chosen. */
mgl_status mgl_exact_lp_begin(mgl_exact *x, mgl_error *err);
/* The best dual values for the candidates that are not closed, rounded so that there are no
 * negative classes, and the bound that they prove. */
mgl_status mgl_exact_optimize(mgl_exact *x, mgl_error *err, int64_t *bound);
/* The reduced cost of a class at the rounded dual values. */
int64_t mgl_exact_lacks(mgl_exact *x, size_t class);

/* The base dual values. Boxes are looked at up to the cap of each tuple, which is raised as needed.
 * *whole is false if that is too much work. */
mgl_status mgl_exact_find_base(mgl_exact *x, const mgl_box_release *known, int64_t *cap,
                               mgl_error *err, bool *whole);

mgl_status mgl_exact_cuts_init(mgl_exact_cuts *cuts, size_t n_tuples, mgl_error *err);
void mgl_exact_cuts_free(mgl_exact_cuts *cuts);

/* What was proved, step by step. Begins with the base dual values; notes the rounded dual values
 * with their cuts, and two tuples that are together in what follows, then apart, until both are
 * done. What is not proved at the end is removed. */
void mgl_exact_log_begin(mgl_exact *x);
void mgl_exact_log_duals(mgl_exact *x);
void mgl_exact_log_pair(mgl_exact *x, int step, uint32_t t, uint32_t u);

/* The best choice of candidates that costs less than upper. */
mgl_status mgl_exact_branch(mgl_exact *x, mgl_error *err);

#endif
