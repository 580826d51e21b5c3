/* Rolling up: tuples that look alike at some levels, and at all higher ones, become one. Private to
 * the module; node.h has what others see. */
#ifndef MGL_SEARCH_NODE_ROLL_H
#define MGL_SEARCH_NODE_ROLL_H

#include "search/problem/problem.h"

/* Two leaves have the same code at a level if they are released alike there and at every higher
 * level. */
typedef struct mgl_roll_level {
    uint32_t n_codes;
    uint32_t *values; /* [code] the released value */
    uint32_t *above;  /* [code] the code one level up; NULL at the last level */
} mgl_roll_level;

typedef struct mgl_roll_column {
    size_t n_levels;
    mgl_roll_level *levels; /* from the lowest that the column may have */
    uint32_t *of_leaf;      /* its codes at the lowest level */
    uint32_t word;          /* where codes lie in a key */
    unsigned shift;
    uint64_t mask;
    size_t map_at; /* where its codes lie in the map of a maker */
} mgl_roll_column;

/* Histories, or bundles, lie behind the codes: they distinguish what looks alike. */
typedef struct mgl_roll_codes {
    size_t n_columns;
    mgl_roll_column *columns; /* [n_columns + 1] the last one distinguishes */
    size_t words;             /* of a key */
} mgl_roll_codes;

/* What distinguishes tuples that look alike: histories, or bundles of persons; NULL: nothing
 * does. */
static inline const uint32_t *mgl_roll_apart(const mgl_problem *problem)
{
    return problem->list->joined != NULL ? problem->list->joined->of_tuple : problem->histories;
}

static inline uint32_t mgl_roll_code(const mgl_roll_column *column, const uint64_t *key)
{
    return (uint32_t)(key[column->word] >> column->shift & column->mask);
}

/* Tuples with what the evaluator needs to know of them. The order of their first members in the
 * problem's list is kept. */
typedef struct mgl_rolled {
    size_t n, capacity;
    uint32_t *levels;   /* [n_columns] above the lowest */
    uint64_t *keys;     /* [n * words] */
    uint64_t *counts;   /* [n] */
    uint32_t *of_first; /* [n_first] where the tuples of the first list are; optional */
    mgl_sparse *parts;  /* [n_parts] histograms */
    mgl_spread *spread; /* [n_spread] persons in several tuples */
    uint64_t *local;    /* [n] persons in one; NULL: every row is a person */
    size_t *room;       /* [n_parts + n_spread] how much they have room for */
    mgl_owned own, of_tuples;
} mgl_rolled;

/* What lists of a problem have, and what rolling up needs. One per thread. */
typedef struct mgl_roll_maker {
    const mgl_problem *problem;
    mgl_roll_codes codes;
    size_t n_first;  /* tuples of the first list */
    size_t n_parts;  /* histograms of the list, then the label's if it is none of them */
    size_t label;    /* which of them is the label's; n_parts: there is none */
    size_t n_spread; /* 0: no persons; else persons, then those by value */
    uint32_t *slots; /* [n_slots] tuple + 1; 0: free */
    size_t n_slots;
    uint32_t *of_tuple; /* [n_tuples] what each becomes a part of */
    size_t *start;      /* [n_tuples + 2] members of each */
    uint32_t *members;  /* [n_tuples] */
    uint64_t *dense;    /* [most values] */
    bool *seen;         /* [most values] */
    uint64_t *ids;      /* ids, or values and ids */
    uint32_t *map;      /* [codes of all columns] what each becomes */
    uint32_t *raised;   /* [n_columns] columns that rise */
    mgl_owned own;
} mgl_roll_maker;

/* Columns that may rise, and the levels of all columns above their lowest. */
typedef struct mgl_roll_rise {
    const uint32_t *columns; /* [n_columns] */
    size_t n_columns;
    const uint32_t *levels;
} mgl_roll_rise;

/* Free with mgl_roll_maker_free, also after a failure. */
mgl_status mgl_roll_maker_make(const mgl_problem *problem, mgl_error *err, mgl_roll_maker *out);
void mgl_roll_maker_free(mgl_roll_maker *maker);

/* Free with mgl_rolled_free, also after a failure. Empty. */
mgl_status mgl_rolled_init(mgl_rolled *rolled, const mgl_roll_maker *maker, mgl_error *err);
void mgl_rolled_free(mgl_rolled *rolled, const mgl_roll_maker *maker);

/* Room for n tuples; what the list held is gone. */
mgl_status mgl_rolled_make_room(mgl_rolled *rolled, const mgl_roll_maker *maker, size_t n,
                                mgl_error *err);
/* Gives a list the histograms and persons of the problem's tuples, by maker->of_tuple. */
mgl_status mgl_roll_own_parts(mgl_roll_maker *maker, mgl_error *err, mgl_rolled *to);

/* The problem as an evaluator sees it: its tuples are those of the list that is shown. */
typedef struct mgl_rolled_judge {
    const mgl_roll_maker *maker;
    mgl_problem problem;
    mgl_frequency_list list;
    mgl_persons persons;
    mgl_joined joined;
    uint32_t *apart; /* [n_tuples] histories or bundles; NULL: there are none */
    struct mgl_evaluator *evaluator;
} mgl_rolled_judge;

/* For lists of so many tuples at most: those of the problem, unless these have neither histograms
 * nor anything else that the evaluator looks at in the beginning. Free with mgl_rolled_judge_free,
 * also after a failure. */
mgl_status mgl_rolled_judge_make(mgl_rolled_judge *judge, const mgl_roll_maker *maker, size_t most,
                                 mgl_error *err);
void mgl_rolled_judge_free(mgl_rolled_judge *judge);
/* Gives the evaluator the tuples of a list and their cells. */
void mgl_rolled_show(mgl_rolled_judge *judge, const mgl_rolled *rolled);

#endif
