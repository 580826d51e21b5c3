/* risk: how likely it is that a person is identified in a table, and by which columns.
 *
 * Everything is computed from the frequency list: distinct tuples with their counts. */
#ifndef MGL_RISK_H
#define MGL_RISK_H

#include "classes/classes.h"
#include "hierarchy/hierarchy.h"
#include "privacy/privacy.h"
#include "profile/profile.h"
#include "recoding/recoding.h"
#include "table/table.h"

/* ---- Attackers ------------------------------------------------------------------ */

/* The risk of the rows: each row of tuple t has 1/population[t]. */
typedef struct mgl_row_risk {
    double max, mean;
    double share_above; /* of rows whose risk exceeds the threshold */
} mgl_row_risk;

/* population[t]: how many people match a row of tuple t. */
mgl_row_risk mgl_risk_of_rows(const mgl_frequency_list *list, const double *population,
                              double threshold);

/* ---- Special uniques (SUDA) --------------------------------------------------------- */

/* Minimal sample uniques: smallest sets of columns on which a row is unique (Elliot, Manning and
 * Ford 2002; Manning, Haglin and Keane 2008). */
typedef struct mgl_suda {
    mgl_owned owned;
    size_t n_attributes;
    double *scores;       /* [tuple] sum over its minimal sample uniques of size m of (K - m)! */
    double *dis;          /* [tuple] the score as a probability */
    uint64_t *by_size;    /* [K + 1] minimal sample uniques of that size */
    double *contribution; /* [K] sum of the scores of those that hold the column */
    double sum_score, max_score, sum_dis;
    uint64_t rows_above_zero;
} mgl_suda;

/* At most 63 columns. fraction: the share of the population in the sample, for dis. Free with
 * mgl_suda_free. */
mgl_status mgl_suda_new(const mgl_frequency_list *list, double fraction, mgl_pool *pool,
                        mgl_error *err, mgl_suda **out);
void mgl_suda_free(mgl_suda *suda);

/* ---- Sets of columns ------------------------------------------------------------------ */

/* How well a set of columns distinguishes rows. */
typedef struct mgl_candidate {
    uint64_t columns;   /* bit a: attribute a */
    double distinction; /* distinct tuples / rows */
    double separation;  /* share of the pairs of rows that differ */
    double uniques;     /* share of the rows that are unique */
} mgl_candidate;

enum { MGL_MOST_CANDIDATES = 65536 };
#define MGL_CANDIDATES_WORK 5e9 /* a minute or less */

typedef struct mgl_candidates {
    size_t n;
    mgl_candidate *sets; /* the most distinct first, then the most separating, then the smaller */
    size_t most_columns; /* sets of more than these were left out: there are too many */
} mgl_candidates;

/* At most 63 columns. Sets are left out if more than `work` tuples would be looked at, once for
 * each set; single columns never are. Free with mgl_candidates_free. */
mgl_status mgl_candidates_new(const mgl_frequency_list *list, double work, mgl_pool *pool,
                              mgl_error *err, mgl_candidates **out);
void mgl_candidates_free(mgl_candidates *sets);

/* Keeps the numbers of the sets on which at least that share of the rows is unique while it is on
 * none of their subsets; n_chosen of them. chosen has room for all sets. */
void mgl_candidates_minimal(const mgl_candidates *sets, double share, size_t *chosen,
                            size_t *n_chosen);

/* ---- Advice ------------------------------------------------------------------------------- */

/* What role a column should have, and why. */
typedef struct mgl_advice {
    mgl_role role;
    bool doubtful; /* there is evidence neither for this role nor for another */
    char reason[320];
} mgl_advice;

mgl_advice mgl_advise(const mgl_profile *profile);

/* ---- HIPAA Safe Harbor ---------------------------------------------------------------------- */

/* Returns what a text in a column is that 45 CFR 164.514(b)(2) forbids, or NULL: a name, a number
 * of a kind that identifies, a place smaller than a state (but three digits of a ZIP code), a date
 * finer than a year, an age above 89 other than "90 and above", or a year of birth (or years,
 * unless they are all before some year) that implies such an age in the year given. */
const char *mgl_safe_harbor_finds(const char *column, mgl_span text, unsigned year);

/* Is the column one of ZIP codes? */
bool mgl_is_zip_column(const char *column);

/* ---- The leak guard ------------------------------------------------------------------------ */

/* A released column that is not a quasi-identifier. */
typedef struct mgl_guarded_column {
    const char *name;
    bool open;    /* released as it is by default: insensitive. Not sensitive columns, and not those
                     that the job declares as not linkable */
    bool unnamed; /* of those that are open: the job does not name it, `rest` lets it pass */
    bool follows; /* it is generalized with quasi-identifiers */
    bool changed; /* its values are not those of the table */
    bool made_up; /* they were generated and identify no one */
} mgl_guarded_column;

/* An objection to a release, or a warning about it. */
typedef struct mgl_objection {
    const char *code; /* "row-number" */
    const char *column;
    const char *with;   /* a second column, if both are needed; optional */
    const char *remedy; /* "make it an identifier" */
    uint64_t rows;      /* affected; 0: not counted */
    bool warning;
    bool unnamed;    /* naming the column in the job would suffice */
    bool gives_back; /* a quasi-identifier, so that generalizing the column with it would help */
    char *evidence;  /* what the column does: "counts the rows" */
    /* Over all objections to the column: the worst rank and the most rows. Set when objections are
     * sorted. */
    size_t worst;
    uint64_t most;
} mgl_objection;

/* The code of a column in which many rows are alone with their value. */
#define MGL_GUARD_NEAR_UNIQUE "near-unique-column"
/* The code of a column that passes through and looks like a quasi-identifier or an identifier. */
#define MGL_GUARD_PASSED "passed-through"
/* The code of a warning that a column was not checked. */
#define MGL_GUARD_SKIPPED "guard-skipped"

/* Columns that were not tested together; other NULL: a column with any other. */
typedef struct mgl_untested_pair {
    const char *column, *other;
    const char *reason;
} mgl_untested_pair;

/* The basis on which a column was judged, if not each of its rows: "counts", "sample". */
typedef struct mgl_judged_by {
    const char *column, *what;
} mgl_judged_by;

typedef struct mgl_objections {
    mgl_objection *list;
    size_t n, room;
    size_t n_pairs; /* of columns that were tested together */
    mgl_untested_pair *untested;
    size_t n_untested, room_untested;
    mgl_judged_by *judged_by;
    size_t n_judged_by, room_judged_by;
    bool out_of_memory;
} mgl_objections;
void mgl_objections_leave_out(mgl_objections *objections, const char *column, const char *other,
                              const char *reason);
void mgl_objections_judged_by(mgl_objections *objections, const char *column, const char *what);
void mgl_objections_free(mgl_objections *objections);
/* Adds a copy of the objection; its evidence is formatted from the rest of the arguments. */
void mgl_objections_add(mgl_objections *objections, const mgl_objection *objection,
                        const char *format, ...) MGL_PRINTF(3, 4);
/* Sorts: worst first, those about one column together; warnings last. */
void mgl_objections_sort(mgl_objections *objections);
/* Writes the objections to the column of objection number `first`, which must be sorted, as one
 * line: column, evidence and remedy. Returns the number of the next column's first. */
size_t mgl_objections_write(const mgl_objections *objections, size_t first, mgl_buffer *out);

/* Watches the rows of a release as they are written. */
typedef struct mgl_guard mgl_guard;
typedef struct mgl_recovery mgl_recovery;
typedef struct mgl_generalized mgl_generalized;

/* What a guard watches; all of it is borrowed. */
typedef struct mgl_guard_request {
    const mgl_guarded_column *columns;
    size_t n_columns;
    const mgl_frequency_list *list;
    const char *const *names; /* of its attributes */
    const mgl_recoding *recoding;
    bool drop;               /* suppressed rows are not released */
    const mgl_span *missing; /* cells that mean missing, beside the empty one */
    size_t n_missing;
    unsigned safe_harbor; /* the year from which ages are computed; 0: not checked */
    mgl_pool *pool;       /* for setting up */
    uint64_t memory;      /* bytes that the job may use; 0: no limit given */
} mgl_guard_request;

/* Free with mgl_guard_free. */
mgl_status mgl_guard_new(const mgl_guard_request *request, mgl_error *err, mgl_guard **out);
void mgl_guard_free(mgl_guard *guard);

/* Adds released rows in order: their cells in a guarded column, their tuples, and their persons
 * (NULL: every row is a person). Different columns may be watched by different threads at once. */
enum { MGL_GUARDED_AT_ONCE = 256 }; /* hashes that stay in the first cache */
void mgl_guard_watch(mgl_guard *guard, size_t column, const mgl_span *cells, const uint32_t *tuples,
                     const uint32_t *persons, size_t n);

/* Adds the cell of a row that is not released: it counts for the profile of the column. */
void mgl_guard_add_unreleased(mgl_guard *guard, size_t column, mgl_span cell);

/* Adds the objections to single columns. */
mgl_status mgl_guard_judge(const mgl_guard *guard, mgl_error *err, mgl_objections *out);

/* The generalized attributes; NULL if no column passes through. The rows of a column: all of them,
 * in order, or counted (mgl_recovery_keeps_rows), or a sample (mgl_recovery_is_sample). */
const mgl_generalized *mgl_guard_generalized(const mgl_guard *guard);
mgl_recovery *mgl_guard_sample(const mgl_guard *guard, size_t column);
/* For rows that are not in order: sets *suspect if all rows must be read to judge the column. */
typedef struct mgl_recovery_rule mgl_recovery_rule;
mgl_status mgl_guard_suspect(const mgl_guard *guard, size_t column, const mgl_recovery_rule *rule,
                             mgl_error *err, bool *suspect);

/* The same for one column by its profile. */
void mgl_guard_judge_profile(const mgl_guarded_column *column, const mgl_profile *profile,
                             mgl_objections *out);

/* ---- Rows that are alone --------------------------------------------------------------------- */

/* Rows of a release that no other row equals in the columns that are added. Free with
 * mgl_alone_free. */
typedef struct mgl_alone mgl_alone;
mgl_status mgl_alone_new(size_t n_rows, mgl_error *err, mgl_alone **out);
void mgl_alone_free(mgl_alone *alone);
/* Adds the cell of a row in a column, as any number that distinguishes its values. A row to which
 * nothing is added is not released. Different threads may add at once. */
void mgl_alone_add(mgl_alone *alone, size_t row, size_t column, uint64_t value);
/* The same of a cell that passes through. Cells that read as missing are one value: not every
 * format keeps them apart, and they are not known. */
void mgl_alone_add_cell(mgl_alone *alone, size_t row, size_t column, mgl_span cell,
                        const mgl_span *missing, size_t n_missing);
/* Counts the rows that are alone; once, after the last mgl_alone_add. persons: of the rows; rows
 * count that only rows of the same person equal. NULL: every row is a person. */
mgl_status mgl_alone_count(mgl_alone *alone, const mgl_column *persons, mgl_error *err,
                           uint64_t *out);

/* Their number, if it was counted. */
typedef struct mgl_alone_rows {
    bool counted;
    uint64_t rows;
} mgl_alone_rows;

/* ---- What gives back generalized columns --------------------------------------------------- */

/* The generalized attributes of a release, and their released rows. drop: suppressed rows are not
 * released. Borrows the rest. Free with mgl_generalized_free. */
mgl_status mgl_generalized_new(const mgl_frequency_list *list, const mgl_recoding *recoding,
                               bool drop, mgl_pool *pool, mgl_error *err, mgl_generalized **out);
void mgl_generalized_free(mgl_generalized *generalized);
size_t mgl_generalized_count(const mgl_generalized *generalized);
uint32_t mgl_generalized_attribute(const mgl_generalized *generalized, size_t i);

/* What a column reveals of one of them. */
typedef struct mgl_given_back {
    uint64_t rows;     /* whose cell is recovered */
    uint64_t of;       /* rows with a generalized cell */
    uint64_t by_label; /* that the label alone reveals */
    double by_chance; /* that would be recovered if the columns had nothing to do with each other */
    double gain;      /* rows that neither of both explains */
    bool real;        /* more than both, by more than chance */
    bool much;        /* so much that it may keep a release from being written */
    bool by_words;    /* its texts contain the ground values */
    bool rare;        /* it is recovered from values of two to four rows */
} mgl_given_back;

/* Returns the most tests of columns, alone and two together. */
size_t mgl_recovery_tests(const mgl_generalized *generalized, size_t n_columns);
/* Of so many columns each pair is tested; of more, those of the first ones. */
enum { MGL_MOST_PAIRED = 30 };

struct mgl_recovery_rule {
    double log_level;  /* of the probability of one false alarm */
    double least_gain; /* rows */
    double much;       /* rows from which on it may keep a release from being written */
    double deadline;   /* mgl_sys_seconds from which on no two columns are tested; 0: none */
};

/* Rows of one column that passes through: one by one, or counted. Free with mgl_recovery_free. */
mgl_status mgl_recovery_new(const mgl_generalized *generalized, mgl_error *err, mgl_recovery **out);
/* The same of some values with all their rows: compared with the whole release. */
mgl_status mgl_recovery_new_of_values(const mgl_generalized *generalized, mgl_error *err,
                                      mgl_recovery **out);
void mgl_recovery_free(mgl_recovery *recovery);
/* `times` released rows with this cell and this tuple, of this person. False if memory is out. */
#define MGL_ROW_IS_PERSON UINT32_MAX /* every row is a person */
bool mgl_recovery_watch(mgl_recovery *recovery, mgl_span cell, uint32_t tuple, uint64_t times,
                        uint32_t person);
/* Puts equal rows together, and if more than `most` are left then leaves out all but a sample,
 * drawn by a hash of value and tuple; so are rows that are watched afterwards. Not for persons.
 * False if memory is out. */
bool mgl_recovery_condense(mgl_recovery *recovery, size_t most);
/* Are the rows kept as they were added? Is it a sample of them? */
bool mgl_recovery_keeps_rows(const mgl_recovery *recovery);
bool mgl_recovery_is_sample(const mgl_recovery *recovery);
size_t mgl_recovery_rows(const mgl_recovery *recovery);
/* The number of different values, and how many rows each has. Free the counts with mgl_free; NULL
 * if memory is out. */
uint32_t mgl_recovery_values(const mgl_recovery *recovery);
uint64_t *mgl_recovery_count_values(const mgl_recovery *recovery);
/* Hashes of the cells that mean missing to the leak guard: those of the job, and the empty one. */
enum { MGL_MOST_MISSING = 32 };
typedef struct mgl_missing_hashes {
    uint64_t list[MGL_MOST_MISSING];
    size_t n;
} mgl_missing_hashes;
mgl_missing_hashes mgl_hash_missing(const mgl_span *missing, size_t n);
/* Makes the profile of the column for mgl_guard_judge_profile. left_out: rows that are not
 * released, which count as well; optional. */
mgl_status mgl_recovery_profile(const mgl_recovery *recovery, const mgl_recovery *left_out,
                                const char *name, const mgl_missing_hashes *missing, mgl_error *err,
                                mgl_profile *out);

/* Judges all attributes in all views, after the last row. */
mgl_status mgl_recovery_judge(mgl_recovery *recovery, const mgl_recovery_rule *rule,
                              mgl_error *err);
/* Less strict, for samples: what a sample suggests is then judged by all rows. */
extern const mgl_recovery_rule mgl_rule_of_samples;

/* Why two columns were not tested together, or not with each attribute. */
typedef enum mgl_pair_test {
    MGL_PAIR_TESTED,
    MGL_PAIR_TOO_MANY, /* combinations to count */
    MGL_PAIR_TOO_LATE  /* the deadline of the rule came first */
} mgl_pair_test;

bool mgl_is_late(const mgl_recovery_rule *rule); /* has its deadline passed? */

/* The same of two columns together, whose rows stand in the same order; only what needs both
 * counts. out: NULL if nothing is real; else borrows the rows. */
mgl_status mgl_recovery_of_two(const mgl_recovery *one, const mgl_recovery *other,
                               const mgl_recovery_rule *rule, mgl_error *err, mgl_recovery **out,
                               mgl_pair_test *test);

/* What was found, by generalized attribute; and for number i of them what an outsider would put
 * into a row that was watched: a ground value, right or wrong, or MGL_NOT_FOUND. */
const mgl_given_back *mgl_recovery_found(const mgl_recovery *recovery);
bool mgl_recovery_any_real(const mgl_recovery *recovery);
uint32_t mgl_recovery_guess(const mgl_recovery *recovery, size_t i, size_t row);

/* ---- Linking a release with persons ---------------------------------------------------- */

/* Which released texts can stand for which ground values of one column. */
typedef struct mgl_coverage {
    size_t *start;      /* [ground values + 1] */
    uint32_t *released; /* numbers of released texts, ascending for each ground value */
    size_t n_pairs;     /* of a text and a value; 0: nothing can be matched */
} mgl_coverage;

/* A text covers the ground values below it in the hierarchy (leaf_of_code: of their codes); a text
 * that the hierarchy lacks covers what it means by itself. hierarchy: optional. Free with
 * mgl_coverage_free. */
mgl_status mgl_coverage_new(const mgl_span *released, uint32_t n_released,
                            const mgl_dictionary *ground, const mgl_hierarchy *hierarchy,
                            const uint32_t *leaf_of_code, mgl_error *err, mgl_coverage *out);
void mgl_coverage_free(mgl_coverage *coverage);

/* Finds the released tuples that a person can be. */
typedef struct mgl_matcher mgl_matcher;

/* The columns of the list in its order; the list's leaves are the numbers of released texts.
 * Borrows both. Free with mgl_matcher_free. Matching is safe from several threads. */
mgl_status mgl_matcher_new(const mgl_frequency_list *list, const mgl_coverage *columns,
                           mgl_error *err, mgl_matcher **out);
void mgl_matcher_free(mgl_matcher *matcher);

/* Calls found for each tuple of the list that covers the ground codes. */
typedef void mgl_matched_fn(void *context, uint32_t tuple);
void mgl_match(const mgl_matcher *matcher, const uint32_t *codes, mgl_matched_fn *found,
               void *context);

/* Finds the points nearest to another one. */
typedef struct mgl_neighbours mgl_neighbours;

/* points[i * m + a]: a number, NAN where it is missing, INFINITY where it is suppressed. unit[a]:
 * what counts as far as a missing cell. Borrows both. Free with mgl_neighbours_free. */
mgl_status mgl_neighbours_new(const double *points, size_t n, size_t m, const double *unit,
                              mgl_error *err, mgl_neighbours **out);
void mgl_neighbours_free(mgl_neighbours *neighbours);
/* Calls found for each of the nearest points; returns their distance, in units. */
double mgl_neighbours_find(const mgl_neighbours *neighbours, const double *point,
                           mgl_matched_fn *found, void *context);

/* What an attacker learns about persons. */
typedef struct mgl_linkage {
    mgl_owned owned;
    size_t n_persons, n_sensitive;
    uint64_t *matches; /* [person] rows of the release */
    uint32_t *learnt;  /* [s * n_persons + person] the value if all its known cells have it, else
                          MGL_NOT_FOUND */
    double *shares; /* [s * n_persons + person] share of the most frequent value among its rows; 0:
                       no value is known */
    double *before; /* [s] share of the most frequent value in the whole release */
    double *after;  /* [s] the same among the rows of a person, mean over the matched */
} mgl_linkage;

/* The people to link. */
typedef struct mgl_known_persons {
    const uint32_t *codes; /* [person * m + a] ground codes */
    size_t n;
    const uint32_t *unknown; /* [s] the code of missing sensitive cells, plus 1, where they are no
                                value; 0: every cell has one. NULL: all are 0 */
} mgl_known_persons;

/* Shares are those among known cells. Free with mgl_linkage_free. */
mgl_status mgl_linkage_new(const mgl_matcher *matcher, const mgl_frequency_list *list,
                           const mgl_known_persons *persons, mgl_pool *pool, mgl_error *err,
                           mgl_linkage **out);
void mgl_linkage_free(mgl_linkage *linkage);

/* ---- Known totals --------------------------------------------------------------------------- */

/* The suppressed cells of a column: how many, with how many different values, and how many have the
 * most common of these. If there is one value, the totals reveal all of them. */
typedef struct mgl_marginal {
    uint64_t cells;
    uint32_t values;
    uint64_t most;
} mgl_marginal;

/* level: at which the column is released where it is not suppressed. dropped: suppressed rows are
 * not in the release. */
mgl_status mgl_marginal_find(const mgl_frequency_list *list, const mgl_recoding *recoding,
                             size_t attribute, uint32_t level, bool dropped, mgl_error *err,
                             mgl_marginal *out);

/* ---- Distance --------------------------------------------------------------------------------
 */

enum { MGL_MOST_DISTANCE_COLUMNS = 50 };

/* Numbers of rows before and after they were perturbed, [n_columns][n_rows]; NAN: missing. Rows of
 * which one is missing are left out. */
typedef struct mgl_distance_request {
    const double *const *before, *const *after;
    size_t n_columns, n_rows;
} mgl_distance_request;

typedef struct mgl_distance_found {
    uint64_t rows; /* that were tried: all, or of a large table some from all over it */
    double found;  /* of these; one that shares its place with others counts in part */
} mgl_distance_found;

/* In how many rows the original row that lies nearest to what is released is the row's own.
 * Distances are Euclidean, in standard deviations of the original columns. */
mgl_status mgl_rows_found_by_distance(const mgl_distance_request *request, mgl_error *err,
                                      mgl_distance_found *out);

#endif
