/* Types and functions that find out whether a column gives back a generalized one.
 * docs/leak-guard.md has the derivation. Private to the module. */
#ifndef MGL_RISK_RECOVERY_H
#define MGL_RISK_RECOVERY_H

#include "risk/risk.h"

/* The released rows of an attribute whose cell is not a ground value, by pairs of label and ground
 * value. */
typedef struct mgl_label_pairs {
    mgl_owned owned;
    uint32_t attribute;
    uint32_t *pair_of_tuple; /* [tuple]; MGL_NOT_FOUND: released as it is, or not at all */
    uint32_t n_pairs, n_labels;
    uint32_t *label_of_pair; /* [n_pairs] ascending */
    uint32_t *leaf_of_pair;  /* ascending within a label */
    uint32_t *first_pair;    /* [n_labels + 1] */
    uint64_t *rows_of_pair;  /* [n_pairs] of the whole release */
} mgl_label_pairs;

struct mgl_generalized {
    const mgl_frequency_list *list;
    const mgl_recoding *recoding;
    size_t n;
    mgl_label_pairs *attributes; /* [n] */
};

/* A row is recovered if this percentage of the other rows with its label and its passed-through
 * value has its ground value. */
enum { MGL_RECOVERED_PERCENT = 95, MGL_FEWEST_TOGETHER = 5 };

/* How many of n rows must have the same ground value so that these are recovered. */
static inline uint64_t mgl_recovered_from(uint64_t n)
{
    return n - (n - 1) * (100 - MGL_RECOVERED_PERCENT) / 100;
}

/* Rows with one label and one value that is passed through. */
typedef struct mgl_together {
    uint32_t label;
    uint64_t rows;
} mgl_together;

/* The rows that groups are drawn from. */
typedef struct mgl_margins {
    const mgl_label_pairs *label_pairs;
    const uint64_t *rows_of_pair;
    uint64_t *room; /* [n_pairs] scratch */
} mgl_margins;

/* How many rows would be recovered on average if ground values had nothing to do with what is
 * passed through. Sorts the groups. */
double mgl_chance_expected(const mgl_margins *margins, mgl_together *groups, size_t n_groups);
/* The logarithm of a bound of the probability that as many are recovered, of groups that are
 * sorted. */
double mgl_chance_bound(const mgl_margins *margins, const mgl_together *groups, size_t n_groups,
                        uint64_t recovered);

/* Another such bound, which is lower where few of the rows are in groups that can be recovered. */
double mgl_chance_bound_in_turn(const mgl_margins *margins, const mgl_together *groups,
                                size_t n_groups, uint64_t recovered);

/* That logarithm where each row is recovered or not by itself, on average `expected` of them. */
double mgl_chance_of_matches(double expected, uint64_t recovered);

enum { MGL_LONGEST_PREFIX = 6 };

/* Views of the values that are passed through: as they are, by their first characters, in classes
 * of about equal size, by the words they contain. */
typedef enum mgl_view {
    MGL_VIEW_VALUES,
    MGL_VIEW_RARE_VALUES, /* those with fewer rows, judged all together */
    MGL_VIEW_PREFIX,      /* of 1 character, and of more */
    MGL_VIEW_CLASSES = MGL_VIEW_PREFIX + MGL_LONGEST_PREFIX,
    MGL_VIEW_FINE_CLASSES,
    MGL_VIEW_WORDS,
    MGL_VIEWS
} mgl_view;

enum { MGL_FEW_TO_SORT = 64, MGL_CLASSES = 64, MGL_FINE_CLASSES = 1024 };

/* The values of a column in several orders. */
typedef struct mgl_ordered {
    uint32_t n;
    uint32_t *by_bytes;                   /* [n] values ascending by their bytes */
    uint32_t *by_worth;                   /* [n] by number or date, else as above */
    uint32_t *prefix[MGL_LONGEST_PREFIX]; /* [n] of each value, the number of its prefix; NULL: not
                                             used */
    bool any[MGL_VIEWS];
} mgl_ordered;

/* Released rows as numbers. Borrowed. */
typedef struct mgl_coded_rows {
    const uint32_t *codes; /* [n] of the values */
    const uint32_t *other; /* [n] of a second column; optional */
    uint32_t n_values, n_other;
    const uint32_t *tuples; /* [n] */
    const uint64_t *times;  /* [n] how often a row counts; NULL: once */
    size_t n;
} mgl_coded_rows;

/* Such rows counted by value and by pair of label and ground value of one attribute: all that a
 * test looks at. Rows whose cell is not generalized are left out. */
typedef struct mgl_cells {
    uint64_t *values; /* [n] ascending: code, or code * n_other + code of the second */
    uint32_t *codes;  /* [n] a number for each value; the code, where one is looked at */
    uint32_t *pairs;  /* [n] ascending within a value */
    uint64_t *times;  /* [n] */
    uint32_t *by_bytes, *by_worth; /* [n] cells in the order of their values */
    size_t n;
} mgl_cells;

typedef enum mgl_counted_cells {
    MGL_CELLS_COUNTED,
    MGL_CELLS_TOO_MANY, /* more than `most` */
    MGL_CELLS_NO_MEMORY,
} mgl_counted_cells;

/* Free with mgl_cells_free, also on failure. Does not fill in by_bytes and by_worth. */
mgl_counted_cells mgl_cells_count(const mgl_coded_rows *rows, const mgl_label_pairs *label_pairs,
                                  size_t most, mgl_cells *out);
void mgl_cells_free(mgl_cells *cells);

/* Returns how often each row counts if each value of a person counts once: its first row. Free with
 * mgl_free; NULL if memory is out. persons: [rows] */
uint64_t *mgl_count_persons_once(const mgl_coded_rows *rows, const uint32_t *persons);

/* Cells with guessed ground values. */
typedef struct mgl_guesses {
    mgl_cells cells;
    uint32_t *leaves; /* [cell] a ground value, or MGL_NOT_FOUND; NULL: nothing is recovered */
} mgl_guesses;

struct mgl_recovery {
    const mgl_generalized *generalized;
    bool of_values;      /* some values with all their rows, not some rows */
    bool condensed;      /* equal rows were put together, so that the order of rows is lost */
    unsigned level;      /* only rows whose hash begins with so many zero bits are kept */
    mgl_map *values;     /* that are passed through; NULL for two columns */
    uint32_t *codes;     /* [row] */
    uint32_t *tuples;    /* [row] */
    uint64_t *times;     /* [row]; NULL: each counts once */
    uint32_t *persons;   /* [row]; NULL: every row is one */
    uint64_t *of_person; /* [row] how often it counts if each value of a person counts once */
    size_t n_rows, room_codes, room_tuples, room_times, room_persons;
    mgl_coded_rows rows; /* what is judged */
    mgl_ordered ordered;
    mgl_given_back *found; /* [generalized attributes] */
    mgl_guesses *guesses;  /* [generalized attributes] */
};

/* State of the counting for one attribute. */
typedef struct mgl_grouping {
    mgl_owned owned;
    const mgl_cells *cells;
    const mgl_ordered *ordered; /* NULL: only the view of values */
    const mgl_label_pairs *label_pairs;
    const uint32_t *pairs;   /* [cell] of `label_pairs` */
    const uint64_t *margins; /* [pair] rows */
    uint64_t *own_margins;   /* if they are those of the cells */
    uint64_t *rows;          /* [pair] of the current group */
    uint32_t *touched;       /* pairs that have some */
    uint64_t *size;          /* [label] of the current group */
    uint64_t *most;     /* [label] rows of its most frequent ground value in the current group */
    uint32_t *winner;   /* [label] the pair with that ground value */
    uint32_t *labels;   /* that have some */
    uint64_t *room;     /* [pair] scratch */
    uint32_t *by_label; /* [cell] by label and what the values are worth */
    uint32_t *class_of; /* [cell] */
    mgl_together *groups;
    size_t n_groups, room_groups, n_touched, n_labels;
    uint64_t least, most_rows;   /* of a group in which something can be recovered */
    uint64_t recovered, grouped; /* rows; rows of such groups */
    bool failed;                 /* out of memory */
} mgl_grouping;

/* pairs: [cell] of label_pairs. margins: [pair] of the rows that groups are drawn from; NULL: those
 * of the cells. ordered: NULL for the view of values alone. Returns false if memory is out. End
 * with mgl_grouping_end in any case. */
bool mgl_grouping_begin(mgl_grouping *grouping, const mgl_cells *cells,
                        const mgl_label_pairs *label_pairs, const uint32_t *pairs,
                        const uint64_t *margins, const mgl_ordered *ordered);
void mgl_grouping_end(mgl_grouping *grouping);

/* Groups the cells by the view (not MGL_VIEW_WORDS): fills groups and recovered. guesses: [cell]
 * gets the ground value that is guessed in recovered groups, right or wrong; NULL: none. */
void mgl_grouping_look(mgl_grouping *grouping, mgl_view view, uint32_t *guesses);

/* Returns how many rows are recovered by the label alone. */
uint64_t mgl_grouping_by_label(const mgl_grouping *grouping);

/* Judges one view: all of `mgl_given_back` but `of`. by_label: as above. mentions: the texts of the
 * codes and the attribute's hierarchy, for the view by words. */
typedef struct mgl_texts {
    const mgl_map *values;
    const mgl_hierarchy *hierarchy;
} mgl_texts;
mgl_given_back mgl_grouping_judge(mgl_grouping *grouping, mgl_view view, uint64_t by_label,
                                  const mgl_recovery_rule *rule, const mgl_texts *texts);

/* Finds ground values that a text contains as words of their own. */
typedef struct mgl_word_index mgl_word_index;

/* Of these labels; free with mgl_word_index_free. NULL if memory is out. */
mgl_word_index *mgl_word_index_new(const mgl_span *labels, uint32_t n_labels);
void mgl_word_index_free(mgl_word_index *index);
/* Each label once, at most `most` of them; returns how many. */
size_t mgl_word_index_find(const mgl_word_index *index, mgl_span text, uint32_t *labels,
                           size_t most);
/* Does the cell have several words? */
bool mgl_looks_like_text(mgl_span cell);

/* Counts the rows whose text contains their own ground value; *expected: how many would by chance.
 * guesses as above. False if memory is out. */
bool mgl_mentions_count(const mgl_grouping *grouping, const mgl_texts *texts, uint32_t *guesses,
                        uint64_t *rows, double *expected);

#endif
