/* claims: what a result claims about its release, compared with what the file has and with what the
 * result says elsewhere (check --against).
 *
 * A section of a result is a row: when it is due, the shape that it has, a function that compares
 * what rules do not, and which of its values stay open. What must be the same as something else is
 * a rule. Features bring their own rows and rules. */
#ifndef MGL_CLAIMS_H
#define MGL_CLAIMS_H

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
    json_t *file;              /* counts of the file, of which rules know */
    json_t *is;                /* how the audit is done, of which rules know */
    bool persons;              /* the result counts persons, who are not in the file */
    bool joined;               /* it judges all rows of a person together */
    bool applied;              /* it is of a recoding that was applied to other rows */
    bool follows_persons;      /* the release has pseudonyms of its persons */
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

/* Which results always have a section: those of these commands. OF_LONE: of `apply`, but without an
 * earlier release. OF_QUASI: those of a job without quasi-identifiers never have it. OF_INPUT: nor
 * have those that tell nothing of their input (`is.withheld`). */
enum {
    MGL_OF_NONE = 0,
    MGL_OF_ANONYMIZE = 1,
    MGL_OF_APPLY = 2,
    MGL_OF_BOTH = 3,
    MGL_OF_LONE = 4,
    MGL_OF_QUASI = 8,
    MGL_OF_INPUT = 16
};

typedef void mgl_claim_fn(mgl_claims *c, const json_t *claimed);

typedef struct mgl_claim {
    const char *key;
    unsigned always;
    const char *shape;
    mgl_claim_fn
        *compare;     /* optional; of a section that no condition brings, claimed may be NULL */
    const char *open; /* the keys of it that cannot be recomputed; NULL: none */
    const char *why;  /* which part of them, and what would allow it */
    const char *due;  /* the condition (rules.c) on which it is there; optional */
} mgl_claim;

/* What cannot be recomputed of some results: keys as in a section, and the condition. */
typedef struct mgl_claim_open {
    const char *what, *why, *when;
} mgl_claim_open;

/* Compares sections, lists what is open, and checks rules; each table is optional, and ends with a
 * row of NULL. */
void mgl_claims_table(mgl_claims *c, const mgl_claim *sections, const mgl_claim_open *opens,
                      const char *const *rules);
bool mgl_claims_has_row(const mgl_claim *rows, const char *key);

/* Reports what breaks one of the rules, up to NULL; rules.c describes them. */
void mgl_claims_rules(mgl_claims *c, const char *const *rules);
bool mgl_claims_condition(mgl_claims *c, const char *condition);

#define MGL_CLAIM_PERSONS                                                                          \
    "persons are not in the release; `entity: COLUMN`, with a copy that has it"
#define MGL_CLAIM_INPUT "needs the input"
#define MGL_CLAIM_ORIGINAL "needs the input; `utility ORIGINAL RELEASE` with `against: RESULT`"
#define MGL_CLAIM_SUMS "sse:N sst:N sse_share:N il1s:N"

/* The model of that name; NULL: there is none. The one that is judged where the job has weights or
 * a sampling fraction. */
const mgl_model_type *mgl_claims_model_type(const json_t *model);
const mgl_model_type *mgl_claims_sampled_type(const mgl_claims *c, const mgl_model_type *type);
/* Has a model of the result, as it is judged, this property? */
bool mgl_claims_any_type(const mgl_claims *c, bool (*has)(const mgl_model_type *type));

/* What a feature does with a column. */
enum {
    MGL_CLAIM_MADE = 1,     /* its cells are not what stood in it, and no model judges them */
    MGL_CLAIM_MADE_UP = 2,  /* they are names that were made up, such as pseudonyms */
    MGL_CLAIM_FOLLOWS = 4,  /* they follow other columns */
    MGL_CLAIM_AS_READ = 8,  /* the leak guard looked at what was read */
    MGL_CLAIM_NO_LEVEL = 16 /* they are on no level of a hierarchy */
};

typedef struct mgl_feature_audit {
    const mgl_claim *sections;   /* those of the feature; optional */
    const mgl_claim_open *opens; /* optional */
    const char *const *rules;    /* optional */
    /* Adds what rules ask of the file; c->status says if that fails. Optional. */
    void (*count)(mgl_claims *c);
    /* What the result says that the feature does with a column; optional. */
    unsigned (*column)(const mgl_claims *c, const char *column);
    /* The role of a column that the job gives no role, as results word it; NULL: another has it.
     * Optional. */
    const char *(*role)(const mgl_claims *c, const char *column);
    /* Why a model of the job could not be judged; NULL: for another reason. Optional. */
    const char *(*unjudged)(const mgl_claims *c, const mgl_model_type *type);
    /* Says in words what a column is, which has this role, and what was done to it; false: nothing
     * was. Optional. */
    bool (*done)(const json_t *result, const char *column, const char *role, mgl_buffer *out);
    /* What a codebook lists in the place of the cells of the column, [{value coarse rows}] with no
     * count below `least`; NULL: these. Optional. */
    json_t *(*listed)(const json_t *result, const char *column, uint64_t least);
    /* A test of the table beside models: its name, what was found, and whether it holds; false:
     * there is none. Optional. */
    bool (*test)(const json_t *result, mgl_buffer *name, mgl_buffer *found, bool *holds);
    /* Adds warnings that follow from the rest of the result; optional. */
    void (*warn)(const mgl_claims *c, mgl_result *due);
} mgl_feature_audit;

/* All that features do with a column. */
unsigned mgl_claims_of_column(const mgl_claims *c, const char *column);

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

/* Has the claim this shape? Notes what is missing, unknown or of another type if not. A shape is
 *   i a whole number that is not negative, n a number, s a text, b true or false, a a list, o an
 *   object, d a SHA-256, * anything; in upper case, or behind ~, also null;
 *   {key:SHAPE ?key:SHAPE} an object with these keys, those behind ? optional; [SHAPE] a list;
 *   <SHAPE> an object with any keys; (SHAPE) one with the quasi-identifiers. */
bool mgl_claims_shape(mgl_claims *c, const char *what, const json_t *claimed, const char *shape);

/* Writes "OBJECT.KEY" into text, and returns text. */
enum { MGL_CLAIM_NAME = 200 };
const char *mgl_claim_name(char text[MGL_CLAIM_NAME], const char *object, const char *key);

/* What stands at "KEY.KEY.KEY"; NULL if nothing does. */
const json_t *mgl_claim_at(const json_t *object, const char *path);
/* The entry of a list of objects whose `key` is this text; NULL: there is none. */
const json_t *mgl_claim_entry(const json_t *list, const char *key, const char *text);
/* Is the text an entry of a list? */
bool mgl_claim_lists(const json_t *list, const char *text);
/* A whole number of a list, 0 if there is none or it is negative; the sum of all. */
uint64_t mgl_claim_whole_at(const json_t *list, size_t i);
/* What the job says of a column; NULL: nothing. */
const char *mgl_claim_field(const mgl_claims *c, const char *column, const char *key);
const char *mgl_claim_quasi(const mgl_claims *c, size_t a); /* its name */
json_t *mgl_claim_text(const char *text); /* null for NULL; free with json_decref */
/* A field without the quotes around it. */
mgl_span mgl_claim_cell(const mgl_field *field);

/* Are these levels of the columns, none above the height of its hierarchy? has: which columns have
 * one; NULL: all. Notes what is not. */
typedef bool mgl_has_level(const mgl_claims *c, size_t a);
bool mgl_claims_are_levels(mgl_claims *c, const char *key, const json_t *claimed,
                           mgl_has_level *has);
/* Does the job of a result release pseudonyms of persons? */
bool mgl_claims_follow_persons(const json_t *job);
/* The entry of `audit.columns` of a column, released or not. */
const json_t *mgl_claims_column(const mgl_claims *c, const char *column);
/* The cell of a tuple of the file. */
mgl_span mgl_claims_cell_of(const mgl_claims *c, size_t t, size_t a);
/* Adds a text behind its length, so that texts of several columns are no others. */
void mgl_claims_add_text(mgl_buffer *key, mgl_span text);

#endif
