/* What a result claims about its release, compared with what is found in the file and with what
 * the result says elsewhere. Inside the room only. */
#ifndef MGL_COMMAND_AUDIT_CLAIMS_H
#define MGL_COMMAND_AUDIT_CLAIMS_H

#include "findings/findings.h"

typedef struct mgl_claims {
    const mgl_settings *settings;
    const mgl_reading *reading;
    const mgl_task *task;       /* of the file, cells taken as they are */
    const mgl_problem *problem; /* of that */
    const mgl_span *tops;       /* [n_quasi] labels of suppressed cells */
    const json_t *claimed;      /* the result */
    const json_t *audit, *job;  /* the objects of that name in the result */
    const json_t *found;        /* what `check` found */
    bool persons;               /* the result counts persons, who are not in the file */
    bool joined;                /* it judges all rows of a person together */
    bool applied;               /* it is of a recoding that was applied to other rows */
    bool linked;                /* the release has pseudonyms of its persons */
    double *figures;            /* [3][n_quasi] scratch for figures of columns */
    uint32_t *levels;           /* [2][n_quasi] scratch for levels */
    uint64_t *top_cells;        /* [n_quasi] rows of the file whose cell is at the top */
    uint64_t *lone_cells;       /* [n_quasi] of these, rows with a cell that is not at the top */
    uint64_t *values;           /* [n_quasi] different cells of the file */
    uint64_t **cells;           /* [n_quasi][value] rows of the file with it */
    uint8_t *is_top;            /* [tuple] all its cells are at the top */
    uint8_t *left_out;          /* [tuple] is exempt, where rows at the top are: its stratum, or the
                                   table, has others */
    uint64_t rows, top_rows;    /* of the file; those with all cells at the top */
    uint64_t classes;           /* of the file, the top one included */
    double squares;             /* sum over its classes but the top one of their squared sizes */
    json_t *followed;           /* {COLUMN: different values of the file} of those that follow */
    json_t *treated;            /* {COLUMN: different values of the file} of treated columns */
    bool alone_counted;         /* alone_rows is known */
    uint64_t alone_rows;        /* of the file: alone with what passes through */
    bool guarded;               /* the leak guard was run on the file: */
    mgl_objections objections;  /* what it found there */
    json_t *differences, *not_compared;
} mgl_claims;

/* ---- Saying what is wrong (differences.c)
 * ------------------------------------------------------------------ */

/* Notes a difference. kind: a word of the answer that says how it differs. claimed or found is NULL
 * where there is no value. */
void mgl_claims_differ(mgl_claims *c, const char *what, const char *kind, const json_t *claimed,
                       const json_t *found);
/* Notes a difference if the file has something else. NULL: nothing of the kind was claimed, or
 * found. */
void mgl_claims_compare(mgl_claims *c, const char *what, const json_t *claimed,
                        const json_t *found);
/* The same with a value that is made for this call, which frees it. */
void mgl_claims_compare_new(mgl_claims *c, const char *what, const json_t *claimed, json_t *found);
/* Notes a difference if the result says something else elsewhere. */
void mgl_claims_agree(mgl_claims *c, const char *what, const json_t *claimed, const json_t *other);
void mgl_claims_agree_new(mgl_claims *c, const char *what, const json_t *claimed, json_t *other);
void mgl_claims_contradict(mgl_claims *c, const char *what, const json_t *claimed);
void mgl_claims_missing(mgl_claims *c, const char *what);
void mgl_claims_unknown(mgl_claims *c, const char *what, const json_t *claimed);
/* Notes that claims cannot be recomputed. what: their keys, with commas between them, `*` for any
 * column or entry; why: which part of them, and what would allow it, if anything does. */
void mgl_claims_skip(mgl_claims *c, const char *what, const char *why);

/* Are the values the same, but for rounding of numbers? */
bool mgl_claims_same(const json_t *a, const json_t *b);
/* Writes "OBJECT.KEY" into text, and returns text. */
enum { MGL_CLAIM_NAME = 200 };
const char *mgl_claim_name(char text[MGL_CLAIM_NAME], const char *object, const char *key);

/* Does the job of a result release pseudonyms of persons? */
bool mgl_claims_linked(const json_t *job);
/* Does its job name sampling weights? */
bool mgl_claims_weight(const mgl_claims *c);
/* Does the result say that rows were regrouped before they were counted (--least-count)? */
bool mgl_claims_regrouped(const mgl_claims *c);

/* Has the object these keys and no others? Says what is missing or unknown, and returns false. */
bool mgl_claims_keys(mgl_claims *c, const char *object, const json_t *claimed,
                     const char *const *keys, size_t n_keys);
/* The same where values have types: "total:i checked:i" wants two whole numbers. Types are i
 * (whole, not negative), n (number), s (text), b (true or false), a (list), o (object), in upper
 * case also null, and * (anything); a key behind ? may be missing. */
bool mgl_claims_shape(mgl_claims *c, const char *object, const json_t *claimed, const char *shape);
/* Is it a SHA-256 in hexadecimal digits? Notes a difference if not. */
void mgl_claims_digest(mgl_claims *c, const char *what, const json_t *claimed);
/* Has the object name, size and digest of a file? */
bool mgl_claims_file_shape(mgl_claims *c, const char *object, const json_t *claimed);
/* The same where one optional key may be there as well. */
bool mgl_claims_keys_but(mgl_claims *c, const char *object, const json_t *claimed,
                         const char *const *keys, size_t n_keys, const char *optional);
/* The same for the names of the quasi-identifiers. */
bool mgl_claims_columns(mgl_claims *c, const char *object, const json_t *claimed);

/* ---- The claims, by subject ---------------------------------------------------------------- */

typedef void mgl_claim_fn(mgl_claims *c, const json_t *claimed);

/* claimed_file.c: the file and what can be counted in it. */
mgl_status mgl_claims_count(mgl_claims *c, mgl_error *err);
mgl_status mgl_claims_file(mgl_claims *c, mgl_error *err);
mgl_claim_fn mgl_claim_counts, mgl_claim_rows, mgl_claim_released, mgl_claim_suppressed,
    mgl_claim_classes, mgl_claim_risk, mgl_claim_suppressed_cells, mgl_claim_utility,
    mgl_claim_columns_unchanged, mgl_claim_matches;

/* claimed_figures.c: the aggregates that reports draw, which must fit the file and the measures. */
mgl_claim_fn mgl_claim_figures;

/* claimed_models.c: the models. */
mgl_claim_fn mgl_claim_models;
/* Does every model that could be judged hold? */
bool mgl_claims_hold(const mgl_claims *c);

/* claimed_strata.c: rows that were searched and judged on their own. */
mgl_claim_fn mgl_claim_strata, mgl_claim_by;
/* Strata of which rows were dropped: each of them is a class at the top of its stratum. */
uint64_t mgl_claims_dropped_tops(const mgl_claims *c);

/* claimed_combinations.c: combinations of values that few rows share. */
mgl_claim_fn mgl_claim_unsafe;

/* claimed_treatments.c: columns that were treated, whose promises are asked of the file. */
mgl_status mgl_claims_treated(mgl_claims *c, mgl_error *err);
mgl_claim_fn mgl_claim_treatments, mgl_claim_linked;
/* claimed_links.c: columns that follow quasi-identifiers, as the file shows them. */
mgl_status mgl_claims_links(mgl_claims *c, mgl_error *err);
bool mgl_claims_is_linked(const mgl_claims *c, const char *column);

/* claimed_alone.c: rows that are alone with what passes through. */
mgl_status mgl_claims_alone(mgl_claims *c, mgl_error *err);
mgl_claim_fn mgl_claim_alone;

/* claimed_items.c: sets of items, as the file shows them. */
mgl_status mgl_claims_items(mgl_claims *c, mgl_error *err);
mgl_claim_fn mgl_claim_items;
/* Does the job say that the column has sets of items? */
bool mgl_claims_has_items(const mgl_claims *c, const char *column);

/* Does the result say that the column is released, and treated? */
bool mgl_claims_is_treated(const mgl_claims *c, const char *column);
/* Does it say that its values are made up, such as pseudonyms? */
bool mgl_claims_is_made_up(const mgl_claims *c, const char *column);

/* claimed_population.c: what rows stand for. */
mgl_claim_fn mgl_claim_population, mgl_claim_above;

/* claimed_aggregates.c: columns that are aggregated. */
mgl_claim_fn mgl_claim_aggregation;

/* claimed_trail.c: the audit trail. */
mgl_claim_fn mgl_claim_audit, mgl_claim_output;
/* Is a key there exactly if it is due? Notes a difference if not; true: it is there and due. */
bool mgl_claims_due(mgl_claims *c, const char *key, const json_t *claimed, bool due);
/* Was the data a part, which remembers roles that the job does not say? */
bool mgl_claims_of_parts(const mgl_claims *c);
bool mgl_claims_is_column(const mgl_claims *c, const char *column);
/* The role that the trail tells of a column; NULL: it tells none. */
const json_t *mgl_claims_role(const mgl_claims *c, const char *column);

/* claimed_job.c: the job and what follows from it. */
mgl_claim_fn mgl_claim_method, mgl_claim_node, mgl_claim_levels, mgl_claim_heights,
    mgl_claim_hierarchies, mgl_claim_measure, mgl_claim_quasi, mgl_claim_entity, mgl_claim_view,
    mgl_claim_failing, mgl_claim_least_count, mgl_claim_left_out, mgl_claim_row_choice,
    mgl_claim_left, mgl_claim_about, mgl_claim_year, mgl_claim_mixture, mgl_claim_seconds;

/* claimed_keys.c: the keys of the job that the audit trail records. */
void mgl_claims_job(mgl_claims *c);

/* claimed_search.c: what the search found on its way. */
mgl_claim_fn mgl_claim_minimal_nodes, mgl_claim_bound, mgl_claim_curve, mgl_claim_history,
    mgl_claim_totals, mgl_claim_averages;
/* Are these levels of all columns, none above the height of its hierarchy? */
bool mgl_claims_are_levels(mgl_claims *c, const char *key, const json_t *claimed);
/* The same of those columns that have a level there; null: none has. */
typedef bool mgl_has_level(const mgl_claims *c, size_t a);
void mgl_claims_some_levels(mgl_claims *c, const char *key, const json_t *claimed,
                            mgl_has_level *has);

/* claimed_guard.c: the leak guard, run again on the file. recoding: its cells as they are. */
mgl_status mgl_claims_guarded(mgl_claims *c, const mgl_recoding *recoding, mgl_error *err);
mgl_claim_fn mgl_claim_leaks, mgl_claim_guard;
bool mgl_claims_is_guard_code(const char *code);

/* claimed_warnings.c: warnings that follow from the rest. */
mgl_claim_fn mgl_claim_warnings;

/* claimed_rule.c: what only results of `apply` tell. */
mgl_claim_fn mgl_claim_counted, mgl_claim_applied, mgl_claim_with, mgl_claim_told_columns,
    mgl_claim_tops, mgl_claim_sha256, mgl_claim_rows_sha256;
/* Are its models judged together with those of an earlier release, which is not at hand? */
bool mgl_claims_with(const mgl_claims *c);

#endif
