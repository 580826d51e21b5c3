/* What a result claims about its release, compared with what the file has and with what the result
 * says elsewhere. Within the audit only.
 *
 * A section of a result is a row of the table in audit.c: when it is due, the shape that it has, a
 * function that compares its values, and which of them stay open. */
#ifndef MGL_COMMAND_AUDIT_CLAIMS_H
#define MGL_COMMAND_AUDIT_CLAIMS_H

#include "findings/findings.h"

typedef struct mgl_claims {
    const mgl_settings *settings;
    const mgl_reading *reading;
    const mgl_task *task;       /* of the file, cells taken as they are */
    const mgl_problem *problem; /* of that */
    const mgl_recoding *recoding;
    const mgl_span *tops;      /* [n_quasi] labels of suppressed cells */
    const json_t *claimed;     /* the result */
    const json_t *audit, *job; /* the objects of that name in the result */
    const json_t *found;       /* what `check` found */
    const json_t *described;   /* the columns of the file, as any result describes them */
    bool persons;              /* the result counts persons, who are not in the file */
    bool joined;               /* it judges all rows of a person together */
    bool applied;              /* it is of a recoding that was applied to other rows */
    bool linked;               /* the release has pseudonyms of its persons */
    bool same_version;         /* this version of the program wrote it */
    uint64_t *top_cells;       /* [n_quasi] rows of the file whose cell is at the top */
    uint64_t *lone_cells;      /* [n_quasi] of these, rows with a cell that is not at the top */
    uint64_t *values;          /* [n_quasi] different cells of the file */
    uint64_t **cells;          /* [n_quasi][value] rows of the file with it */
    uint8_t *is_top;           /* [tuple] all its cells are at the top */
    uint8_t *left_out;         /* [tuple] is exempt, where rows at the top are: its stratum, or the
                                  table, has others */
    uint64_t rows, top_rows;   /* of the file; those with all cells at the top */
    uint64_t classes;          /* of the file, the top one included */
    double squares;            /* sum over its classes but the top one of their squared sizes */
    bool guarded;              /* the leak guard was run on the file: */
    mgl_objections objections; /* what it found there */
    json_t *differences, *not_compared;
    mgl_error *err;
    mgl_status status; /* of what can fail; nothing is compared after a failure */
} mgl_claims;

/* ---- Differences (differences.c) ----------------------------------------------------------- */

/* Notes a difference. kind: a word of the answer that states how it differs. claimed, found:
 * optional. */
void mgl_claims_differ(mgl_claims *c, const char *what, const char *kind, const json_t *claimed,
                       const json_t *found);
void mgl_claims_missing(mgl_claims *c, const char *what);
/* Notes that the claim contradicts the rest of the result, unless it is good. claimed: NULL if it
 * is what stands at the path `what`. */
void mgl_claims_require(mgl_claims *c, bool good, const char *what, const json_t *claimed);

/* Compare a claim with what the file has, and with what the result says elsewhere. All members of
 * an object are compared, and numbers but for rounding; members that only the claim has are left
 * alone. NULL: absent on that side. The second value is taken over, and freed. */
void mgl_claims_compare(mgl_claims *c, const char *what, const json_t *claimed, json_t *found);
void mgl_claims_agree(mgl_claims *c, const char *what, const json_t *claimed, json_t *other);
/* The same of the claim that stands at a path. */
void mgl_claims_compare_at(mgl_claims *c, const char *path, json_t *found);
void mgl_claims_agree_at(mgl_claims *c, const char *path, json_t *other);
/* Notes members of a claim that another object lacks. */
void mgl_claims_no_others(mgl_claims *c, const char *what, const json_t *claimed,
                          const json_t *other);

/* Notes that claims cannot be recomputed. what: their keys, with commas between them, `*` for any
 * column or entry; why: which part of them, and what would allow it, if anything does. */
void mgl_claims_skip(mgl_claims *c, const char *what, const char *why);
/* The same for what counts persons who are not in the release. */
void mgl_claims_skip_persons(mgl_claims *c, const char *what);

/* Is a key there exactly if it is due? Notes a difference if not; true: it is there and due. */
bool mgl_claims_due(mgl_claims *c, const char *what, const json_t *claimed, bool due);
/* Has the claim this shape? Notes what is missing, unknown or of another type if not. A shape is
 *   i a whole number that is not negative, n a number, s a text, b true or false, a a list, o an
 *   object, d a SHA-256, * anything; in upper case, or behind ~, also null;
 *   {key:SHAPE ?key:SHAPE} an object with these keys, those behind ? optional; [SHAPE] a list;
 *   <SHAPE> an object with any keys; (SHAPE) one with the quasi-identifiers. */
bool mgl_claims_shape(mgl_claims *c, const char *what, const json_t *claimed, const char *shape);

/* Writes "OBJECT.KEY" into text, and returns text. */
enum { MGL_CLAIM_NAME = 200 };
const char *mgl_claim_name(char text[MGL_CLAIM_NAME], const char *object, const char *key);

/* ---- Parts of a result (differences.c) ----------------------------------------------------- */

/* What stands at "KEY.KEY.KEY"; NULL if nothing does. */
const json_t *mgl_claim_at(const json_t *object, const char *path);
/* The entry of a list of objects whose `key` is this text; NULL: there is none. */
const json_t *mgl_claim_entry(const json_t *list, const char *key, const char *text);
/* Is the text an entry of a list? */
bool mgl_claim_lists(const json_t *list, const char *text);
bool mgl_claim_lists_text(const char *const *list, size_t n, const char *text);
/* A whole number of a list, 0 if there is none or it is negative; the sum of all. */
uint64_t mgl_claim_whole_at(const json_t *list, size_t i);
/* What the job says of a column; NULL: nothing. */
const char *mgl_claim_field(const mgl_claims *c, const char *column, const char *key);
const char *mgl_claim_quasi(const mgl_claims *c, size_t a); /* its name */
json_t *mgl_claim_text(const char *text); /* null for NULL; free with json_decref */
/* A field without the quotes around it. */
mgl_span mgl_claim_cell(const mgl_field *field);

/* Does the job of a result release pseudonyms of persons? */
bool mgl_claims_linked(const json_t *job);

/* ---- The claims, by subject ---------------------------------------------------------------- */

typedef void mgl_claim_fn(mgl_claims *c, const json_t *claimed);
typedef bool mgl_claim_due_fn(const mgl_claims *c);

/* claimed_file.c: the file and what can be counted in it. */
mgl_status mgl_claims_count(mgl_claims *c, mgl_error *err);
mgl_status mgl_claims_file(mgl_claims *c, mgl_error *err);
mgl_claim_fn mgl_claim_counts, mgl_claim_rows, mgl_claim_released, mgl_claim_suppressed,
    mgl_claim_classes, mgl_claim_risk, mgl_claim_suppressed_cells, mgl_claim_utility,
    mgl_claim_mixture, mgl_claim_applied, mgl_claim_alone;
mgl_claim_due_fn mgl_claim_alone_due, mgl_claim_mixture_due;

/* claimed_figures.c: the aggregates that reports draw, which must fit the file and the measures. */
mgl_claim_fn mgl_claim_figures;

/* claimed_models.c: the models, and the population that some of them look at. */
mgl_claim_fn mgl_claim_models, mgl_claim_population, mgl_claim_failing;
mgl_claim_due_fn mgl_claim_population_due;
/* The largest parameter of the models that give k in this way; 0: none of them does. */
uint64_t mgl_claim_largest_k(const json_t *models, mgl_k_role role);
/* Does every model that could be judged hold? */
bool mgl_claims_hold(const mgl_claims *c);
/* Are its models judged together with those of an earlier release, which is not at hand? */
bool mgl_claims_with(const mgl_claims *c);
/* Has the job what its models need: households, a population? */
void mgl_claims_needs(mgl_claims *c);

/* claimed_strata.c: rows that were searched and judged on their own, and combinations of values
 * that few rows share. */
mgl_claim_fn mgl_claim_strata, mgl_claim_unsafe;
mgl_claim_due_fn mgl_claim_strata_due, mgl_claim_unsafe_due;
/* Strata of which rows were dropped: each of them is a class at the top of its stratum. */
uint64_t mgl_claims_dropped_tops(mgl_claims *c);

/* column_claims.c: roles, and columns that are treated, linked, aggregated or of items. */
mgl_claim_fn mgl_claim_unchanged, mgl_claim_treatments, mgl_claim_linked, mgl_claim_items,
    mgl_claim_aggregation, mgl_claim_column_list;
mgl_claim_due_fn mgl_claim_items_due, mgl_claim_aggregation_due;
void mgl_claims_columns(mgl_claims *c);
/* The columns of `audit.columns`, released or not. */
const json_t *mgl_claims_column(const mgl_claims *c, const char *column);
bool mgl_claims_is_linked(const mgl_claims *c, const char *column);
/* Does the job say that the column has sets of items? */
bool mgl_claims_has_items(const mgl_claims *c, const char *column);
/* Does the result say that the column is released, and treated? */
bool mgl_claims_is_treated(const mgl_claims *c, const char *column);
/* Does it say that its values are made up, such as pseudonyms? */
bool mgl_claims_is_made_up(const mgl_claims *c, const char *column);
/* Was the data a part, which remembers roles that the job does not say? */
bool mgl_claims_of_parts(const mgl_claims *c);

/* claimed_job.c: the audit trail, the keys of the job, and what follows from them. */
mgl_claim_fn mgl_claim_audit, mgl_claim_output, mgl_claim_row_choice, mgl_claim_left,
    mgl_claim_about, mgl_claim_least_count, mgl_claim_above, mgl_claim_with;
mgl_claim_due_fn mgl_claim_chosen_due, mgl_claim_year_due, mgl_claim_above_due;
/* Does the result say that rows were regrouped before they were counted (--least-count)? */
bool mgl_claims_regrouped(const mgl_claims *c);

/* claimed_search.c: the method, what it chose, and what it found on its way. */
mgl_claim_fn mgl_claim_node, mgl_claim_levels, mgl_claim_heights, mgl_claim_hierarchies,
    mgl_claim_measure, mgl_claim_minimal_nodes, mgl_claim_bound, mgl_claim_curve, mgl_claim_history,
    mgl_claim_totals, mgl_claim_averages;
mgl_claim_due_fn mgl_claim_totals_due, mgl_claim_averages_due;
/* Are these levels of the columns, none above the height of its hierarchy? has: which columns have
 * one; NULL: all. */
typedef bool mgl_has_level(const mgl_claims *c, size_t a);
bool mgl_claims_are_levels(mgl_claims *c, const char *key, const json_t *claimed,
                           mgl_has_level *has);
/* Does a key that the method adds to a result have this name? */
bool mgl_claims_of_method(const mgl_claims *c, const char *key);

/* claimed_guard.c: the leak guard, run again on the file, and the warnings. */
mgl_status mgl_claims_guard(mgl_claims *c, mgl_error *err);
mgl_claim_fn mgl_claim_leaks, mgl_claim_guard, mgl_claim_warnings;

#endif
