/* command/rule: a saved recoding as a rule, which says of any tuple what it is released as. */
#ifndef MGL_COMMAND_RULE_H
#define MGL_COMMAND_RULE_H

#include "findings/findings.h"
#include "pipeline/pipeline.h"

/* Gives the job what the recoding says and the job does not. models: also the models of the
 * recoding; else one that every table holds. */
mgl_status mgl_job_of_recoding(mgl_job *job, const mgl_saved_recoding *saved, bool models,
                               mgl_error *err);

/* Adds the same to what is recorded of the job (MGL_JOB_RECORD), so that others can judge the
 * release without the recoding. */
mgl_status mgl_job_record_recoding(const mgl_saved_recoding *saved, mgl_error *err, json_t *job);

/* Where the values of a current column stand in the hierarchy of a saved one. */
typedef struct mgl_placed_column {
    mgl_map *texts; /* what cells can be released as: the labels of the recoding, then those that
                       only other values have */
    uint32_t height;
    uint32_t *path; /* [current leaf][height + 1] its text on each level, the top first; the top is
                       MGL_NOT_FOUND for a leaf without a place. NULL: a column on a scale */
    double *point;  /* [current leaf] where it lies; NAN: it has no place */
    double *low, *high; /* [label of the recoding] the points that it covers */
} mgl_placed_column;

/* The arrays lie in the arena. End with mgl_placed_column_end, also after a failure. */
mgl_status mgl_place_values(const mgl_saved_quasi *saved, const mgl_quasi_column *here,
                            mgl_spelling spelling, mgl_arena *arena, mgl_error *err,
                            mgl_placed_column *out);
void mgl_placed_column_end(mgl_placed_column *column);

/* What a rule says of the current tuples. */
typedef struct mgl_ruled {
    uint64_t recorded_rows;  /* their tuple is one of the recoding */
    uint64_t new_rows;       /* it is not, and the rule says what it is released as */
    uint64_t uncovered_rows; /* no recorded tuple covers theirs: they go to the top */
    uint64_t unplaced_rows;  /* some value has no place in the saved hierarchies: likewise */
} mgl_ruled;

/* What the rule is applied to. of_saved[quasi of the recoding]: the quasi of the reading;
 * known[tuple]: the tuple of the recoding, or MGL_NOT_FOUND. */
typedef struct mgl_rule_request {
    const mgl_saved_recoding *saved;
    const mgl_frequency_list *list;
    mgl_pool *pool;
    const mgl_placed_column *placed; /* [quasi of the recoding] */
    const size_t *of_saved;
    const uint32_t *known;
} mgl_rule_request;

/* Gives cells of columns of strata what they were, whatever becomes of the others: rows of strata
 * that the recoding has not seen are refused. saved_leaf[quasi of the reading][leaf]: the leaf of
 * the recoding, or MGL_NOT_FOUND. */
mgl_status mgl_rule_hold(const mgl_saved_recoding *saved, const mgl_task *task,
                         const size_t *of_saved, uint32_t *const *saved_leaf, mgl_error *err,
                         mgl_recoding *recoding);

/* Was every column released at one level? Then the levels are the rule. */
bool mgl_rule_has_levels(const mgl_saved_recoding *saved);

/* Fills in the cells of all tuples, and suppresses those that go to the top. */
mgl_status mgl_rule_by_levels(const mgl_rule_request *request, mgl_recoding *recoding,
                              mgl_ruled *out);
mgl_status mgl_rule_by_tuples(const mgl_rule_request *request, mgl_error *err,
                              mgl_recoding *recoding, mgl_ruled *out);

typedef struct mgl_joined_rows mgl_joined_rows;

/* Reads the earlier release. Free with mgl_joined_rows_free. */
mgl_status mgl_joined_rows_new(const mgl_reading *reading, const mgl_task *task, const char *path,
                               mgl_error *err, mgl_joined_rows **out);
void mgl_joined_rows_free(mgl_joined_rows *joined);
uint64_t mgl_joined_rows_earlier(const mgl_joined_rows *joined); /* how many it has */

/* Suppresses new tuples until all models hold on both together; *holds is false if they cannot,
 * since earlier rows stay what they are. *rows: how many new rows were suppressed. */
mgl_status mgl_joined_rows_suppress(mgl_joined_rows *joined, mgl_recoding *recoding, mgl_error *err,
                                    bool *holds, uint64_t *rows);

/* Judges the earlier release and the new one as it was written, by the verifier. found has an entry
 * for each model of the task. */
mgl_status mgl_joined_rows_verify(mgl_joined_rows *joined, const char *path, mgl_error *err,
                                  mgl_found *found);

typedef struct mgl_applied {
    const mgl_saved_recoding *saved;
    mgl_reading *reading;
    mgl_task *task;
    size_t *of_saved;      /* [quasi of the recoding] quasi of the reading */
    uint32_t **saved_leaf; /* [quasi of the reading][leaf] leaf of the recoding, or MGL_NOT_FOUND */
    uint32_t *known;       /* [current tuple] tuple of the recoding, or MGL_NOT_FOUND */
    mgl_placed_column *placed;      /* [quasi of the recoding]; NULL: an old file has no places */
    mgl_released_column **released; /* [quasi of the recoding] as its texts */
    size_t n_released;
    mgl_solution solution;
    bool whole; /* the current tuples are those of the recoding, as often as there */
    mgl_ruled ruled;
    uint64_t failing_rows;   /* suppressed because they violate a model */
    const char *path;        /* of the recoding */
    const char *with;        /* an earlier release; NULL: none */
    mgl_joined_rows *joined; /* with the rows of an earlier release; NULL: the new ones alone */
    mgl_arena *arena;
} mgl_applied;

#endif
