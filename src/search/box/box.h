/* Boxes of tuples: what the cell level and local suppression stand on, where every distinct tuple
 * has a node of its own.
 *
 * A box is a released tuple, seen as what it may stand for: one value per attribute, and all tuples
 * under these. A box costs the same for each row that is released as it. A release puts each tuple
 * into a box, and the tuples of one box are a class.
 *
 * Costs and dual values are whole numbers, the top costing about MGL_BOX_TOP: sums of them are
 * exact, so that bounds made of them need no allowance for rounding. Costs are rounded down.
 *
 * Dual values (docs/definitions.md#cell-level): if no class of the table costs less than the dual
 * values of its rows, the dual values of all rows together bound the cost of every release. */
#ifndef MGL_SEARCH_BOX_H
#define MGL_SEARCH_BOX_H

#include "base/base.h"
#include "search/node/node.h"

#include <string.h>

/* ---- A quick look at classes ----------------------------------------------------------------- */

/* A quick look at the classes of a node: sums of rows by a short hash of the masked key. Classes
 * that meet in a slot make its sum too large, never too small: where the sum is too small, so are
 * they, and most nodes need no second look. */

typedef struct mgl_row_filter {
    uint32_t *rows; /* [slots] */
    unsigned shift; /* of hashes, to slots */
    unsigned most_bits;
} mgl_row_filter;

enum {
    MGL_ROW_FILTER_LEAST = 8, /* bits */
    MGL_ROW_FILTER_MOST = 20,
    MGL_ROW_FILTER_SLOTS = 8 /* slots for each class of just enough rows */
};

/* For up to n records. */
static inline mgl_status mgl_row_filter_init(mgl_row_filter *filter, size_t n, mgl_error *err)
{
    filter->most_bits = MGL_ROW_FILTER_LEAST;
    while (filter->most_bits < MGL_ROW_FILTER_MOST && (size_t)1 << filter->most_bits < 2 * n)
        filter->most_bits++;
    filter->rows = mgl_alloc_array((size_t)1 << filter->most_bits, sizeof *filter->rows);
    return filter->rows != NULL ? MGL_OK : mgl_fail_memory(err);
}

static inline void mgl_row_filter_free(mgl_row_filter *filter)
{
    mgl_free(filter->rows);
    filter->rows = NULL;
}

/* Before n records are added of which classes of `need` rows are looked for. */
static inline void mgl_row_filter_clear(mgl_row_filter *filter, size_t n, uint32_t need)
{
    unsigned bits = MGL_ROW_FILTER_LEAST;
    while (bits < filter->most_bits &&
           ((uint64_t)need << bits) < (uint64_t)n * MGL_ROW_FILTER_SLOTS)
        bits++;
    filter->shift = 64 - bits;
    memset(filter->rows, 0, ((size_t)1 << bits) * sizeof *filter->rows);
}

MGL_SPECIALIZE size_t mgl_row_filter_slot(const mgl_row_filter *filter, const uint64_t *key,
                                          const uint64_t *mask, size_t words)
{
    uint64_t hash = 0;
    for (size_t w = 0; w < words; w++)
        hash = (hash ^ (key[w] & mask[w])) * UINT64_C(0x9E3779B97F4A7C15);
    return hash >> filter->shift;
}

#define MGL_BOX_TOP 0x1p30

enum {
    MGL_BOX_BITS = 64, /* of the codes of one attribute */
    MGL_BOX_MOST_WORDS =
        MGL_MOST_COLUMNS + 2,  /* of a key: columns lie in one word each; the history */
    MGL_BOX_MOST_NODES = 60000 /* of larger lattices, not all nodes are listed */
};

/* ---- The space ------------------------------------------------------------------- */

/* Leaves have nested codes: a mask takes a code to what its value has on a higher level. */
typedef struct mgl_box_attribute {
    uint32_t low, high; /* levels that cells may have */
    uint32_t height;    /* level of the top, which suppressed cells have */
    uint32_t word, shift, n_bits, n_leaves;
    uint64_t *code;      /* [leaf] */
    uint64_t *mask;      /* [level] what it keeps of the word */
    uint8_t *split;      /* [bit] leaves that differ there first agree at this level */
    uint32_t **cost;     /* [level][leaf] */
    uint32_t **released; /* [level][leaf] the value: the cheapest that covers the same */
    double *mean;        /* [level] cost, over all rows */
    uint32_t *least;     /* [level] */
    uint32_t *most;      /* [level] */
} mgl_box_attribute;

typedef struct mgl_box_terms mgl_box_terms;

typedef struct mgl_box_space {
    const mgl_problem *problem;
    mgl_arena *arena;
    size_t n, m, words;
    uint64_t n_rows;
    const uint64_t *keys;       /* [t * words + word] */
    const uint32_t *leaves;     /* [t * m + a] */
    const uint32_t *rows;       /* [t] */
    const uint64_t *population; /* keys of its tuples; NULL: there is none */
    mgl_box_attribute *attributes;
    double scale;      /* cost = scale * what the measure adds for the row */
    bool whole;        /* costs are exact but for what doubles round; else they are rounded down */
    uint32_t step;     /* all costs are multiples of it; 1 if they are rounded */
    double constant;   /* the measure's sum is that of the costs less this, in its own terms */
    uint32_t top_cost; /* of a suppressed row */
    uint32_t need;     /* rows that a class has at least */
    uint32_t for_values; /* without so many it cannot have the values that it must have */
    /* Earlier releases distinguish rows, and a class with rows of several histories must hold on
     * each. So every history has classes of its own, which may read alike: keys carry the history,
     * and masks keep it. */
    uint32_t history_word;
    uint64_t history_mask; /* 0: there are no earlier releases, or tuples have several histories */
    bool judged;           /* classes must be asked whether they hold: size is not all */
    bool looks;            /* models look at more than sizes, within one history, too */
    bool upward;           /* some of these hold for every superset of a class */
    mgl_box_terms *terms;  /* [n_terms] so does what follows from these, and it is asked, too */
    size_t n_terms;
    bool has_top;             /* levels allow the top in every column */
    bool below_top;           /* under keep, too, no class may be above the highest levels */
    bool is_flat;             /* two levels: a value as it is, and suppressed */
    const double *importance; /* flat: [m] what a cell of the column is worth */
    mgl_problem flat;         /* with bounds of these levels: what the problem is then */
    const uint32_t *ground;   /* [m] the level of the hierarchy that is the lower one */
} mgl_box_space;

/* MGL_USAGE if a hierarchy is too deep for codes. Free with mgl_box_space_free. */
mgl_status mgl_box_space_new(const mgl_problem *problem, mgl_error *err, mgl_box_space **out);
/* Cells are as the least level allowed gives them, or suppressed, which costs what a cell of the
 * column is worth; importance must outlive the space. Where the highest level allowed is not the
 * top, only whole rows are suppressed. */
mgl_status mgl_box_space_flat(const mgl_problem *problem, const double *importance, mgl_error *err,
                              mgl_box_space **out);
void mgl_box_space_free(mgl_box_space *space);

/* The measure's value for this sum of costs over all rows; 0 where rounding would make it negative.
 */
double mgl_box_measured(const mgl_box_space *space, double cost);

/* Boxes are levels and a tuple. Levels above an attribute's highest mean that the whole box
 * is the top. */
static inline void mgl_box_begin(const mgl_box_space *s, uint8_t *levels)
{
    for (size_t a = 0; a < s->m; a++)
        levels[a] = (uint8_t)s->attributes[a].low;
}

/* Raises the levels until the box of tuple t covers u as well. */
static inline void mgl_box_join(const mgl_box_space *s, uint8_t *levels, uint32_t t, uint32_t u)
{
    for (size_t a = 0; a < s->m; a++) {
        const mgl_box_attribute *x = &s->attributes[a];
        uint64_t differ = (s->keys[t * s->words + x->word] ^ s->keys[u * s->words + x->word]) &
                          x->mask[levels[a]];
        if (differ != 0)
            levels[a] = x->split[63 - (unsigned)__builtin_clzll(differ)];
    }
}

static inline bool mgl_box_is_top(const mgl_box_space *s, const uint8_t *levels)
{
    for (size_t a = 0; a < s->m; a++)
        if (levels[a] > s->attributes[a].high)
            return true;
    return false;
}

/* Does the box of t read as the top in every column? */
static inline bool mgl_box_reads_top(const mgl_box_space *s, const uint8_t *levels, uint32_t t)
{
    if (mgl_box_is_top(s, levels))
        return true;
    for (size_t a = 0; a < s->m; a++)
        if (s->attributes[a].released[levels[a]][s->leaves[t * s->m + a]] !=
            s->problem->columns[a]->top)
            return false;
    return true;
}

/* May rows be released as the box of t beside others? Rows at the top are suppressed ones under
 * exempt; above the highest levels they can be nothing else, which under keep is a class, if the
 * limit allows so many. */
static inline bool mgl_box_may_be_class(const mgl_box_space *s, const uint8_t *levels, uint32_t t)
{
    mgl_treatment treatment = s->problem->treatment;
    if (treatment == MGL_KEEP)
        return !s->below_top || !mgl_box_is_top(s, levels);
    return treatment == MGL_DROP ? !mgl_box_is_top(s, levels) : !mgl_box_reads_top(s, levels, t);
}

static inline uint32_t mgl_box_cost(const mgl_box_space *s, const uint8_t *levels, uint32_t t)
{
    const uint32_t *leaf = s->leaves + t * s->m;
    uint32_t cost = 0;
    for (size_t a = 0; a < s->m; a++) {
        if (levels[a] > s->attributes[a].high)
            return s->top_cost;
        cost += s->attributes[a].cost[levels[a]][leaf[a]];
    }
    return cost;
}

/* What a row costs in the box of t raised until it covers u; something above `most` if it is more
 * than that, which a few columns may show. */
static inline uint32_t mgl_box_cost_with(const mgl_box_space *s, const uint8_t *levels, uint32_t t,
                                         uint32_t u, uint32_t most)
{
    const uint64_t *key = s->keys + t * s->words, *with = s->keys + u * s->words;
    const uint32_t *leaf = s->leaves + t * s->m;
    uint32_t cost = 0;
    for (size_t a = 0; a < s->m && cost <= most; a++) {
        const mgl_box_attribute *x = &s->attributes[a];
        uint32_t level = levels[a];
        uint64_t differ = (key[x->word] ^ with[x->word]) & x->mask[level];
        if (differ != 0)
            level = x->split[63 - (unsigned)__builtin_clzll(differ)];
        if (level > x->high)
            return s->top_cost;
        cost += x->cost[level][leaf[a]];
    }
    return cost;
}

static inline bool mgl_box_covers(const mgl_box_space *s, const uint64_t *mask, uint32_t t,
                                  uint32_t u)
{
    for (size_t w = 0; w < s->words; w++)
        if (((s->keys[t * s->words + w] ^ s->keys[u * s->words + w]) & mask[w]) != 0)
            return false;
    return true;
}

void mgl_box_mask(const mgl_box_space *space, const uint8_t *levels, uint64_t *mask);

/* ---- Nodes: levels that boxes may have -------------------------------------------- */

typedef struct mgl_box_nodes {
    size_t n;
    uint8_t *levels; /* [i * m + a] */
    uint64_t *masks; /* [i * words + word] */
    uint32_t *least; /* what a row costs at least there */
    uint32_t *most;  /* and at most */
    uint32_t *rank;  /* ascending, proportional to what a row costs on average */
    bool all;        /* all that boxes may have; else those that seem to matter */
    mgl_owned own;
} mgl_box_nodes;

/* All nodes, or, in a large lattice, those at which so many of the given tuples have near
 * neighbours, or, without tuples, a few ever coarser ones up to the top. Those where a row costs
 * less on average come first. Free with mgl_box_nodes_free. */
mgl_status mgl_box_nodes_new(const mgl_box_space *space, const uint32_t *tuples, size_t n,
                             size_t guides, mgl_error *err, mgl_box_nodes **out);
void mgl_box_nodes_free(mgl_box_nodes *nodes);

/* ---- Judging a class -------------------------------------------------------------- */

typedef struct mgl_box_judge mgl_box_judge;

/* Free with mgl_box_judge_free. One per thread. */
mgl_status mgl_box_judge_new(const mgl_box_space *space, mgl_error *err, mgl_box_judge **out);
void mgl_box_judge_free(mgl_box_judge *judge);

/* Do all class-wise models hold for these tuples, released as the smallest box around them? */
bool mgl_box_holds(mgl_box_judge *judge, const uint32_t *tuples, size_t n);

/* The same of all tuples that are released alike, of whatever histories. */
bool mgl_box_holds_as_read(mgl_box_judge *judge, const uint32_t *tuples, size_t n);

/* Asks what follows for the counts of values from models that do not hold for every superset, until
 * it is forgotten: bounds only rest on it. False in *out: there is none of which anything follows
 * that a search for bounds may use. */
mgl_status mgl_box_ask_terms(mgl_box_space *space, mgl_error *err, bool *out);
void mgl_box_forget_terms(mgl_box_space *space);

/* May some of these tuples hold if they are released as a box with so many rows of the population?
 * Models that hold for every superset of a class are asked, and of others what follows from them
 * for the counts of values, which does. */
bool mgl_box_may_hold(mgl_box_judge *judge, const uint32_t *tuples, size_t n, uint64_t population);

/* Their number as the models count it: rows, or persons. */
uint64_t mgl_box_people(mgl_box_judge *judge, const uint32_t *tuples, size_t n);

/* ---- A release -------------------------------------------------------------------- */

typedef struct mgl_box_class {
    uint32_t *members;
    size_t n, capacity;
    uint64_t rows;
    uint32_t cost;   /* of each row */
    uint8_t *levels; /* of the smallest box around the members */
} mgl_box_class;

/* A release as tuples in classes. Class 0 has the suppressed rows and need not hold. A class that
 * lost all its members stays empty until its number is given to a new one. */
typedef struct mgl_box_release {
    const mgl_box_space *space;
    mgl_box_class *classes;
    size_t n_classes, capacity;
    uint32_t *empty; /* [n_empty] numbers of classes without members, to be used again */
    size_t n_empty, empty_capacity;
    uint32_t *class_of; /* [t] MGL_NOT_FOUND: not placed yet */
    bool out_of_memory; /* something could not be done */
} mgl_box_release;

/* Free with mgl_box_release_free. */
mgl_status mgl_box_release_new(const mgl_box_space *space, mgl_error *err, mgl_box_release **out);
void mgl_box_release_free(mgl_box_release *release);
/* The number of a new class of these tuples, which were in none. */
uint32_t mgl_box_release_add(mgl_box_release *release, const uint32_t *tuples, size_t n);
void mgl_box_release_join(mgl_box_release *release, uint32_t class, uint32_t tuple);
/* Takes the tuple out of its class. */
void mgl_box_release_leave(mgl_box_release *release, uint32_t tuple);
/* Takes all members out of the class. */
void mgl_box_release_dissolve(mgl_box_release *release, uint32_t class);
/* The sum over all rows. */
uint64_t mgl_box_release_cost(const mgl_box_release *release);
/* Takes over the classes of another one of the same space. */
void mgl_box_release_copy(mgl_box_release *to, const mgl_box_release *from);

/* ---- Classes that grow -------------------------------------------------------------- */

/* Classes of a release that tuples join one by one. What large ones have is summed up once. */
typedef struct mgl_box_growing mgl_box_growing;

/* Free with mgl_box_growing_free. Until then classes change by these functions only; new ones may
 * be added. */
mgl_status mgl_box_growing_new(mgl_box_release *release, mgl_box_judge *judge, mgl_error *err,
                               mgl_box_growing **out);
void mgl_box_growing_free(mgl_box_growing *growing);
/* Does the class hold? Would it with the tuple? */
bool mgl_box_growing_holds(mgl_box_growing *growing, uint32_t class);
bool mgl_box_growing_may_join(mgl_box_growing *growing, uint32_t class, uint32_t tuple);
void mgl_box_growing_join(mgl_box_growing *growing, uint32_t class, uint32_t tuple);
/* Puts the members of another class into the class. */
void mgl_box_growing_take_in(mgl_box_growing *growing, uint32_t class, uint32_t other);

/* ---- Is it a release? -------------------------------------------------------------- */

/* settle.c: rows at the top become suppressed ones where they may be no class; false in *holds
 * if they may be neither, after which tuples may be in no class, or if a model of the whole table
 * does not hold. */
mgl_status mgl_box_release_settle(mgl_box_release *release, mgl_error *err, bool *holds);
/* May all rows be at the top, where they are one class? Levels must allow it, or suppression. */
bool mgl_box_top_is_allowed(const mgl_box_space *space);
/* Are no more rows above the highest levels than may be suppressed? */
bool mgl_box_release_keeps_limit(const mgl_box_release *release);

/* Rows that a class needs to have the values that it must have, and no more of them than it may; at
 * most one beyond those of the table. */
uint32_t mgl_box_rows_for_values(const mgl_box_space *space);

#endif
