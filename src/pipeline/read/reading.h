/* Reading: the table of a job, its columns bound to hierarchies. */
#ifndef MGL_PIPELINE_READ_READING_H
#define MGL_PIPELINE_READ_READING_H

#include "hierarchy/hierarchy.h"
#include "io/io.h"
#include "items/items.h"
#include "job/job.h"
#include "pipeline/session/session.h"
#include "recoding/recoding.h"
#include "verify/verify.h"

/* One quasi-identifier column. */
typedef struct mgl_quasi_column {
    const mgl_attribute_settings *settings;
    const mgl_column *column;
    const mgl_hierarchy *hierarchy;
    const char *proposed; /* the builder that was proposed, as `suggest` words it; NULL: none was */
    const mgl_cache_entry *kept; /* the hierarchy, in the session */
    uint64_t number;             /* of column and hierarchy together */
    const uint32_t *leaf_of_code;
    const mgl_released_column *released;
    /* Where an engine regroups what is rare: how many values it counted, and how many of these
     * are rare. */
    uint64_t values_counted, rare_counted;
} mgl_quasi_column;

/* The rows that a job is about, where it leaves others out. */
typedef struct mgl_chosen_rows {
    mgl_row_choice choice;        /* bits NULL: all rows that the engine of the source gives */
    uint64_t n_read;              /* rows of the table */
    uint64_t by_where, by_sample; /* rows that were left out */
    uint64_t values_counted;      /* of single columns, by an engine that leaves rows out */
} mgl_chosen_rows;

/* A released column whose cells are others than those that were read, before anything is counted.
 */
typedef struct mgl_replacement {
    bool replaced;            /* else the cells are released as they were read */
    bool made_up;             /* the new cells say nothing about what others can know */
    const mgl_column *column; /* as it is released, once the table is read */
} mgl_replacement;

/* The table of all people that the rows were drawn from. */
typedef struct mgl_known_population {
    mgl_table *table;        /* its quasi-identifier columns */
    mgl_bound_column *bound; /* [n_quasi] */
    uint64_t *numbers;       /* [n_quasi] of columns and hierarchies together */
} mgl_known_population;

/* A sensitive column that models look at, with its cells as they are spelled. */
typedef struct mgl_sensitive_cells {
    const mgl_column *column; /* as it was read, or treated */
    mgl_cell_rule rule;       /* which of its cells are one value */
    mgl_column following;     /* its values, where the table is in a window; else empty */
} mgl_sensitive_cells;

/* What one job sees of the table of a session. Columns, hierarchies and all that is made of them
 * are borrowed from the session. */
typedef struct mgl_reading {
    const mgl_settings *settings;
    mgl_settings *as_is; /* these, if cells that mean missing are others than the job has; NULL */
    mgl_arena *tokens;   /* of these cells */
    mgl_session *session;
    mgl_cache_pins pins; /* of what is borrowed */
    mgl_source *source;
    mgl_pool *pool;
    mgl_role *roles; /* [columns of the source] */
    mgl_table *table;
    const mgl_chosen_rows *rows; /* NULL: all of them */
    struct {                     /* what the engine of the source does: */
        bool filters;            /* leaves rows out */
        bool counts;             /* counts the table, whose rows stay there */
        bool writes;             /* and writes the release, too */
        bool loads;              /* has the release loaded into a table when it is published */
    } engine;
    size_t n_quasi;
    mgl_quasi_column *quasi;
    mgl_bound_column *bound;              /* [n_quasi] */
    const mgl_released_column **released; /* [n_quasi] */
    const mgl_column **counted;           /* sensitive columns that models judge, then the label */
    mgl_sensitive_cells *cells;           /* [n_sensitive] of these, as they are spelled */
    const mgl_hierarchy **sensitive_hierarchies; /* [n_sensitive]; NULL: none */
    uint64_t *sensitive_numbers;                 /* [n_sensitive] of these; 0: none */
    size_t n_counted, n_sensitive;
    size_t n_judged;           /* of the counted, those that models are judged with: the sensitive
                                  ones, then the weights, then those of earlier releases */
    size_t label;              /* number of the label among the counted; SIZE_MAX: none */
    mgl_replacement *replaced; /* [columns of the source] */
    void *features;            /* what each of them keeps (mgl_feature_state) */
    const mgl_column *entity;  /* which person a row belongs to; NULL: every row is one */
    const mgl_column *counts;  /* of a counted table: how many records a row stands for; or NULL */
    const mgl_known_population *population; /* NULL: none */
    mgl_buffer warnings;                    /* each "code\tmessage" and NUL */
    json_t *resolved; /* {COLUMN: {FIELD: VALUE}} that the job left open; NULL: nothing */
    double seconds;
} mgl_reading;

/* The purpose of reading. */
typedef enum mgl_purpose {
    MGL_TO_RELEASE, /* every column needs a role; hierarchies are bound; what no release can
                       have is refused */
    MGL_TO_SEARCH,  /* the same, but columns may go without a role */
    MGL_TO_COMPARE, /* hierarchies are bound, but columns may go without a role */
    MGL_TO_LATTICE, /* the same; every column has one level at a time */
    MGL_TO_CHECK,   /* cells are taken as they are */
    MGL_TO_ATTACK,  /* likewise; the identifiers that the job names are columns of another table */
    MGL_TO_DRAW     /* only the columns that the job gives a hierarchy */
} mgl_purpose;

static inline bool mgl_takes_as_is(mgl_purpose purpose)
{
    return purpose == MGL_TO_CHECK || purpose == MGL_TO_ATTACK;
}

static inline bool mgl_purpose_searches(mgl_purpose purpose)
{
    return purpose == MGL_TO_RELEASE || purpose == MGL_TO_SEARCH;
}

/* Does the job declare that some spellings do not distinguish values (--trim, --fold-case)? Then
 * quasi-identifiers and sensitive columns are released in the spelling that is counted. */
static inline bool mgl_respells(const mgl_settings *settings)
{
    return settings->source.spelling.trim || settings->source.spelling.fold_case;
}

/* Has the release something of this column of the source? Of a column of counts it has sums. */
static inline bool mgl_is_released(const mgl_reading *reading, size_t column)
{
    return reading->roles[column] != MGL_ROLE_IDENTIFIER ||
           (reading->counts != NULL && reading->counts->source_index == column);
}

/* Where the data is a part, takes over what the part remembers and the job does not say: roles of
 * columns, and how cells are read. */
mgl_status mgl_parts_prepare(const mgl_session *session, mgl_job *job, mgl_error *err);
/* How cells were read, as a part keeps it for mgl_parts_prepare. Free with mgl_free. */
mgl_status mgl_part_reading_given(const mgl_settings *settings, mgl_error *err, char **out);

/* Free with mgl_reading_free. Session and settings must outlive it. */
mgl_status mgl_reading_new(mgl_session *session, const mgl_settings *settings, mgl_purpose purpose,
                           mgl_error *err, mgl_reading **out);
void mgl_reading_free(mgl_reading *reading);

/* The values of a sensitive column, each as the hierarchy spells it on level 0, if it has it in
 * another spelling. Free with mgl_dictionary_free. */
mgl_status mgl_values_as_leaves(const mgl_hierarchy *hierarchy, const mgl_dictionary *values,
                                const mgl_cell_rule *rule, mgl_error *err, mgl_dictionary **out);

/* What the column of this number in the source is replaced by; NULL: it is released as it was read.
 */
const mgl_replacement *mgl_reading_replaced(const mgl_reading *reading, size_t field);

/* Adds columns to those that models are judged with, before the counted one of this number. They
 * stay the caller's and must outlive the reading's counts. */
mgl_status mgl_reading_judge(mgl_reading *reading, size_t at, const mgl_column *columns, size_t n,
                             mgl_error *err);

/* The role of a column in words; "left out" if it has none and --rest drop keeps it back. */
const char *mgl_role_words(const mgl_reading *reading, size_t column);

/* Does a model look at the hierarchy of a column that is not generalized? */
bool mgl_is_read_by_model(const mgl_settings *settings, const mgl_attribute_settings *attribute);

/* For a table whose cells are taken as they are: the label of suppressed cells of each
 * quasi-identifier, as far as the job or a result gives it, else *. */
mgl_status mgl_reading_tops(const mgl_reading *reading, mgl_arena *arena, mgl_error *err,
                            mgl_span **out);

/* Marks the tuples of its suppressed rows, which read as the tops in all columns but those of
 * strata; none of a stratum that has no others. Returns how many rows these are. */
uint64_t mgl_tuples_at_top(const mgl_reading *reading, const mgl_frequency_list *list,
                           const mgl_span *tops, uint8_t *suppressed);

/* Is a column of this role released as it is? */
static inline bool mgl_role_passes(mgl_role role)
{
    return role == MGL_ROLE_INSENSITIVE || role == MGL_ROLE_SENSITIVE || role == MGL_ROLE_ITEMS;
}

/* What the run decided where the job left it open goes into every record of the job: audit trail,
 * recoding, saved job. For example ("zip", "hierarchy", "mask(right,2)"). */
mgl_status mgl_reading_resolve(mgl_reading *reading, const char *column, const char *field,
                               const char *value, mgl_error *err);

/* The keys that the job was given, with what was resolved ({COLUMN: {FIELD: VALUE}} or NULL). Free
 * with json_decref. */
mgl_status mgl_job_resolved(const mgl_settings *settings, const json_t *resolved, mgl_job_use use,
                            mgl_error *err, json_t **out);
/* The same for the job of this reading. Free with json_decref. */
mgl_status mgl_reading_job(const mgl_reading *reading, mgl_job_use use, mgl_error *err,
                           json_t **out);

/* Groups that an engine counted and that were fetched; `once`: those of a single row. */
typedef struct mgl_fetched_groups {
    uint64_t n, once;
} mgl_fetched_groups;
/* Adds the groups of a table that was fetched. */
void mgl_fetched_groups_add(mgl_fetched_groups *groups, const mgl_table *table);

#endif
