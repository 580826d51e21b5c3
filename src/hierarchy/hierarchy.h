/* hierarchy: value hierarchies, read from files or built from the values.
 *
 * Levels 0..height. Level 0 holds the leaves (the ground values), level `height` one value, the
 * top. Values are numbered 0.. within their level; leaves are numbered in the order of the file,
 * else numerically, else bytewise, and the missing value, if it occurs, comes last. Values of
 * higher levels are numbered by their first leaf. */
#ifndef MGL_HIERARCHY_H
#define MGL_HIERARCHY_H

#include "table/table.h"
#include "text/text.h"

typedef struct mgl_level {
    uint32_t n_values;
    const mgl_span *labels;     /* [n_values] different from those of other values of all levels */
    const mgl_span *given;      /* [n_values] as the hierarchy was written; NULL: the same */
    const uint32_t *leaves;     /* [n_values] how many leaves lie under it */
    const uint32_t *first_leaf; /* [n_values] */
    const uint32_t *lowest;     /* [n_values] the lowest level that carries this label */
    const uint32_t *parent;     /* [n_values] value number one level up; NULL at the top */
    const uint32_t *of_leaf;    /* [n_leaves] the value each leaf has at this level */
    /* Where there are stand-ins: how many ground values lie under it, and the leaf that reads as
     * the value. NULL: all leaves are ground values. */
    const uint32_t *ground, *stand_in; /* [n_values] */
} mgl_level;

typedef struct mgl_hierarchy {
    uint32_t height; /* H >= 1 */
    uint32_t n_leaves;
    uint32_t n_stand_ins;    /* the last so many of them are no ground values */
    uint32_t missing_leaf;   /* MGL_NOT_FOUND if the missing value does not occur */
    const mgl_level *levels; /* [height + 1] */
    const char *source;      /* builder text or file name, for messages */
    /* The same with what a builder took from the values written out: mask(right) is mask(right,4),
     * dates(month) is dates(ymd; month). Other values get the same hierarchy by it. */
    const char *resolved;
    bool given;            /* the job named one; else it was proposed, or is just values and '*' */
    mgl_notation notation; /* of the values that it was made for */
    mgl_arena *arena;      /* owns everything above */
    /* A leaf '*' that is not the top; MGL_NOT_FOUND: none. `anonymize` refuses it. */
    uint32_t star_leaf;
    bool repeats; /* a label stands for other values on a higher level: it is distinguished there */
    bool by_level;                       /* mgl_hierarchy_read_at was called */
    const struct mgl_label_index *index; /* of the module: where each label is found */
} mgl_hierarchy;

void mgl_hierarchy_free(mgl_hierarchy *hierarchy);

/* Is the text a builder ("mask(right)") rather than the name of a file? */
bool mgl_hierarchy_is_builder(const char *spec);
/* The file it names: all of it, or the argument of a builder that takes one; empty: none. */
mgl_span mgl_hierarchy_path(const char *spec);

/* Does the builder look at how many rows have a value (mgl_column_count_rows)? */
bool mgl_hierarchy_needs_rows(const char *spec);

/* Is it a global recoding of mu-Argus? How that calls its groups depends on which values occur. */
bool mgl_hierarchy_is_recoding(const char *spec);

/* Does what becomes of a value, and the number of levels, depend on nothing else of the data? It
 * does so with files that are no recodings, and with builders that say all that others take from
 * the values. of_numbers: only as long as all values are whole numbers. */
bool mgl_hierarchy_is_fixed(const char *spec, bool *of_numbers);

/* The columns that the builder takes its labels from, with commas between them; empty: none.
 * mgl_hierarchy_make refuses such a builder: with the current table use mgl_hierarchy_of_columns.
 */
mgl_span mgl_hierarchy_columns(const char *spec);
/* Takes the next of these names; false: there is none left. The column itself is passed over:
 * columns(zip,county,state) reads well for zip. */
bool mgl_hierarchy_next_column(mgl_span *rest, const char *own, mgl_span *name);

/* Makes the hierarchy of a column from a builder or a file, for exactly the values
 * of the dictionary (a file may list more: they count as leaves). column names the
 * column in messages. FILE.grc is a global recoding of mu-Argus. spec NULL: the two levels value
 * and *. Paths are taken as they are. Builder misuse is MGL_USAGE; a file that is broken or lacks a
 * value of the dictionary is MGL_DATA. Free with mgl_hierarchy_free. */
mgl_status mgl_hierarchy_make(const char *spec, const char *column,
                              const mgl_dictionary *dictionary, mgl_error *err,
                              mgl_hierarchy **out);

/* The same of rows that are current, one per value of the dictionary but the missing one, level 0
 * first: labels[row * n_levels + level]. */
mgl_status mgl_hierarchy_of_rows(const mgl_span *labels, uint32_t n_rows, uint32_t n_levels,
                                 const char *column, const mgl_dictionary *dictionary,
                                 mgl_error *err, mgl_hierarchy **out);

/* The same for a builder that takes its labels from other columns. labels: those of the value with
 * code c begin at c * n_levels, its own text first; those of the missing value are not looked at.
 */
typedef struct mgl_label_rows {
    const char *spec; /* the builder */
    const mgl_span *labels;
    uint32_t n_levels;
} mgl_label_rows;
mgl_status mgl_hierarchy_of_columns(const mgl_label_rows *rows, const char *column,
                                    const mgl_dictionary *dictionary, mgl_error *err,
                                    mgl_hierarchy **out);

/* A label may stand for other values on a higher level (Other for Other, then for Black and Other).
 * Where a table can have cells of several levels it is distinguished there, as `Other (LEVEL 1)`.
 * Where all cells of a column have one level it is read at that level: this gives all levels their
 * labels as they were written, and lets mgl_hierarchy_find look at one level and the top alone.
 * Leaves are bound as before. Each value then counts as one of its level, whatever lower one has
 * its label. Does nothing where no label repeats so. */
mgl_status mgl_hierarchy_read_at(mgl_hierarchy *hierarchy, uint32_t level, mgl_error *err);
/* mgl_hierarchy_find at another level: that of the released cells. */
bool mgl_hierarchy_find_at(const mgl_hierarchy *hierarchy, uint32_t read, mgl_span label,
                           uint32_t *level, uint32_t *value);
/* Does the label, as the hierarchy was written, stand for other values on a higher level? */
bool mgl_hierarchy_is_repeated(const mgl_hierarchy *hierarchy, mgl_span label);
/* MGL_USAGE if a text of a release can stand for different values, since it is not known at which
 * level the cells are. */
mgl_status mgl_hierarchy_check_texts(const mgl_hierarchy *hierarchy, const char *column,
                                     const mgl_dictionary *released, mgl_error *err);

/* Gives every value above the ground a leaf of its own, a stand-in: rows of which no more is known
 * than that value. It reads as the value on all levels up to the lowest one that carries it, and as
 * what lies above the value from there on. Levels, labels and the figures of the ground values stay
 * what they are. */
mgl_status mgl_hierarchy_add_stand_ins(mgl_hierarchy *hierarchy, mgl_error *err);
/* How many leaves are ground values. */
static inline uint32_t mgl_hierarchy_ground(const mgl_hierarchy *hierarchy)
{
    return hierarchy->n_leaves - hierarchy->n_stand_ins;
}
static inline bool mgl_hierarchy_is_stand_in(const mgl_hierarchy *hierarchy, uint32_t leaf)
{
    return leaf >= mgl_hierarchy_ground(hierarchy);
}

/* leaf_of_code[code] for each code of the dictionary; MGL_DATA names the first value
 * that the hierarchy lacks. With stand-ins, values of all levels have leaves. The array is the
 * caller's, mgl_dictionary_size long. */
mgl_status mgl_hierarchy_bind(const mgl_hierarchy *hierarchy, const char *column,
                              const mgl_dictionary *dictionary, mgl_error *err,
                              uint32_t *leaf_of_code);

/* The lowest level that carries the label, and the value there; false if none does.
 * '*' is the top also where a leaf of the data (star_leaf) reads so. */
bool mgl_hierarchy_find(const mgl_hierarchy *hierarchy, mgl_span label, uint32_t *level,
                        uint32_t *value);

/* The same leaves in the same order, with the same labels on every level? */
bool mgl_hierarchy_same(const mgl_hierarchy *a, const mgl_hierarchy *b);

/* The hierarchy as a file: one line per leaf, the missing value's too, level 0
 * first, ';' between. Read again with the same dictionary it is the same. */
void mgl_hierarchy_write(const mgl_hierarchy *hierarchy, mgl_buffer *out);

/* The hierarchy drawn as a tree; long rows of siblings are shortened to max_siblings (0: all). */
void mgl_hierarchy_draw(const mgl_hierarchy *hierarchy, size_t max_siblings, mgl_buffer *out);

typedef enum mgl_scale_kind { MGL_SCALE_NUMBERS, MGL_SCALE_DATES } mgl_scale_kind;

/* Where each leaf lies: numbers as they are, dates in days, times of day as fractions of these. */
typedef struct mgl_scale {
    mgl_scale_kind kind;
    mgl_notation notation; /* of the leaves */
    bool whole;            /* all are whole numbers, or days */
    bool seconds;          /* of dates: some time of day has seconds */
    double *of_leaf;       /* [n_leaves]; NAN for the missing value */
    uint32_t *ordered;     /* [n_ordered] the other leaves, ascending; equal numbers by leaf */
    uint32_t *place_of;    /* [n_leaves] where a leaf stands there; MGL_NOT_FOUND: nowhere */
    uint32_t n_ordered;
} mgl_scale;

/* *out is NULL if the leaves are no numbers and no dates in one order, if there are stand-ins among
 * them, or none at all. Free with mgl_scale_free. */
mgl_status mgl_scale_new(const mgl_hierarchy *hierarchy, mgl_error *err, mgl_scale **out);
void mgl_scale_free(mgl_scale *scale);

/* The nearest number that can be written as dates are: a day, a second or a minute. Numbers stay.
 */
double mgl_scale_round(const mgl_scale *scale, double number);
/* The first place in the order whose number is not below the given one; n_ordered: all are. */
uint32_t mgl_scale_place(const mgl_scale *scale, double number);

/* Writes a number that lies between those of the leaves: as mgl_number_write does, with the decimal
 * sign of the leaves; dates as 1965-09-13, rounded to the day; date-times as 1965-09-13T13:45, or
 * with seconds if leaves have some. Returns the length. */
size_t mgl_scale_write(const mgl_scale *scale, double number, char text[MGL_NUMBER_TEXT]);

/* What stands for the values of a group in a column that is aggregated. */
typedef enum mgl_aggregate {
    MGL_AGGREGATE_NOT, /* the column is generalized */
    MGL_AGGREGATE_MEAN,
    MGL_AGGREGATE_MEDIAN,
    MGL_AGGREGATE_RANGE,
    MGL_AGGREGATE_MODE,
    MGL_AGGREGATE_SET
} mgl_aggregate;
/* "none", "mean", ...; NULL at the end. */
extern const char *const mgl_aggregate_words[];

static inline bool mgl_aggregates_categories(mgl_aggregate function)
{
    return function == MGL_AGGREGATE_MODE || function == MGL_AGGREGATE_SET;
}

/* A set of values, written between braces: how many there are (0: it is none), and whether the
 * value is among them. */
size_t mgl_set_size(mgl_span text);
bool mgl_set_has(mgl_span text, mgl_span value);

/* A released text read without its hierarchy: itself, '*', a mask, a set, a range of numbers, an
 * hour, a day, a week, a month, a quarter, years. Bounds are numbers, or days for dates. Labels
 * have their notation themselves: [1.5,2.5) has decimal points, [1,5-2,5) decimal commas. */
typedef struct mgl_meaning {
    mgl_span text;
    bool anything; /* '*' and masks of nothing else */
    bool mask;     /* stars stand for one character each */
    bool set;      /* of values, one of which it is */
    bool numbers;  /* every number from low to high; high itself only if closed */
    bool dates;    /* every day from first to last, and what lies less than `step` behind that */
    bool closed;
    double low, high, first, last;
    double step; /* of the bounds of dates: 1, an hour, or 0 for exact times */
} mgl_meaning;
mgl_meaning mgl_meaning_of(mgl_span text);
unsigned mgl_meaning_year(double day); /* in which first or last lies */

/* A ground value as meanings are asked about it. */
typedef struct mgl_ground_text {
    mgl_span text;
    bool is_number, is_date;
    double number, day; /* a date that can be read in two orders counts as month first and as day
                           first: other is the second reading */
    double other;
} mgl_ground_text;
mgl_ground_text mgl_ground_text_of(mgl_span text, const mgl_notation *notation); /* NULL: plain */

/* Can the text stand for the value? */
bool mgl_meaning_covers(const mgl_meaning *meaning, const mgl_ground_text *value);

typedef struct mgl_builder_type {
    const char *name;    /* "mask" */
    const char *syntax;  /* "mask(right|left[,levels])"; NAME(FILE): it reads a file */
    const char *help;    /* one line */
    const char *example; /* "02139 -> 0213* -> 021** -> *" */
} mgl_builder_type;
const mgl_builder_type *mgl_builder_types(size_t *n);

#endif
