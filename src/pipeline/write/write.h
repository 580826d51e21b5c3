/* pipeline/write: a solution written, verified and published. */
#ifndef MGL_PIPELINE_WRITE_WRITE_H
#define MGL_PIPELINE_WRITE_WRITE_H

#include "pipeline/task/task.h"
#include "pipeline/write/plan.h"
#include "release/release.h"
#include "risk/risk.h"

/* ---- Solutions that do not hold: which rows are to blame, and whether that is accepted ---------
 */

enum { MGL_FAILING_ROWS = 1000 };

/* Rows of the input that are in classes which violate a model. */
typedef struct mgl_failing {
    mgl_found *found;                 /* [models of the task] what holds; NULL: all do */
    uint64_t n_rows;                  /* how many rows fail */
    size_t n_named;                   /* how many of them are named: the first ones */
    uint64_t named[MGL_FAILING_ROWS]; /* row numbers, from 1, without the header */
} mgl_failing;

/* Looks for rows that fail if the solution is unsafe, and refuses it with MGL_UNMET unless the job
 * accepts that. Free with mgl_failing_free, also on failure. */
mgl_status mgl_failing_find(const mgl_task *task, const mgl_reading *reading,
                            const mgl_solution *solution, mgl_error *err, mgl_failing *out);
void mgl_failing_free(mgl_failing *failing);

/* MGL_UNMET if a model does not hold that was not known to fail. */
mgl_status mgl_promise_check(const mgl_task *task, const mgl_failing *failing,
                             const mgl_found *found, mgl_error *err);

/* "2 rows of the input are in classes that break a model (rows 7, 8)". */
enum { MGL_FAILING_TEXT = 400 };
void mgl_failing_text(const mgl_failing *failing, char text[MGL_FAILING_TEXT]);

/* ---- Releases -------------------------------------------------------------------------------- */

typedef struct mgl_written {
    uint64_t n_rows;   /* records that are released */
    uint64_t n_groups; /* of a counted table: rows that stand for them; else 0 */
    double write_seconds, verify_seconds;
    mgl_objections objections; /* of the leak guard, if they were allowed */
    mgl_buffer warnings;       /* of the sink, each "code\tmessage" and NUL */
    /* Where an engine writes: groups of the release for the verifier, and of the table for the leak
     * guard. */
    mgl_fetched_groups verifier_groups, guard_groups;
    void *features;        /* what each of them made (mgl_feature_made); NULL: nothing yet */
    double search_seconds; /* of what they searched for */
    mgl_alone_rows alone;  /* with the quasi-identifier and what passes through */
    uint64_t bytes;        /* size and hash of the file; 0 and "" if none was written */
    char sha256[MGL_SHA256_TEXT];
    char rows_sha256[MGL_SHA256_TEXT]; /* digest of the rows of a table in a database; "" if it
                                          was not asked for */
} mgl_written;

void mgl_written_free(mgl_written *written);

struct mgl_outcome;
struct mgl_result;

/* What a feature does when a release is made, judged and described. Functions are optional, and do
 * nothing where the job does not use the feature. */
typedef struct mgl_feature_release {
    size_t size; /* bytes of what it makes, zero at first (mgl_feature_made) */
    /* Makes what is released of it, for the tuples of the solution; once more if `obey` returned
     * true. */
    mgl_status (*make)(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                       mgl_written *written);
    /* Has the verifier know what the release lacks about rows: mgl_plan_carry, and what that is in
     * the promise. Also for the table that `check` is given. */
    mgl_status (*carry)(mgl_release_plan *plan, const mgl_reading *reading, mgl_error *err);
    /* Puts its columns and its promise into the plan. */
    mgl_status (*plan)(mgl_release_plan *plan, const mgl_task *task, mgl_error *err,
                       mgl_written *written);
    /* Changes what it makes so that the leak guard may have fewer objections; false if it cannot.
     */
    bool (*obey)(const mgl_settings *settings, mgl_written *written);
    /* Adds objections of the leak guard once the rows are written. */
    mgl_status (*object)(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                         mgl_objections *objections);
    /* Does the release have something else in the place of this column of the source, which is no
     * quasi-identifier? */
    bool (*changes)(const mgl_reading *reading, const mgl_written *written, size_t field);
    /* Adds its section to a result. */
    void (*describe)(const mgl_reading *reading, const mgl_written *written,
                     struct mgl_result *result);
    /* Adds what models know by it; adds warnings of what the release shows. */
    void (*facts)(const mgl_task *task, json_t *document);
    void (*warn)(const mgl_reading *reading, struct mgl_result *result);
    /* Adds to a promise of the release, or (column not NULL) to what that says of a column, what a
     * recipient must know; result: that of the release. */
    void (*promise)(const mgl_settings *settings, const json_t *result, const char *column,
                    json_t *object);
    /* The section of a result that has `node` in the place of the result's; NULL: none has. */
    const char *node_section;
    /* Adds what the search found, and what was measured afterwards. */
    void (*found)(const struct mgl_outcome *outcome, struct mgl_result *result);
    mgl_status (*measured)(const struct mgl_outcome *outcome, mgl_error *err,
                           struct mgl_result *result);
    /* Takes out of a finished result what the holder must not have either: runs last. */
    mgl_status (*withhold)(const struct mgl_outcome *outcome, mgl_error *err,
                           struct mgl_result *result);
    /* Judges the table that `check` is given, where the job promises something, and adds that to
     * the result. persons: [rows]; NULL: each row is one. */
    mgl_status (*check)(const mgl_task *task, const uint32_t *persons, mgl_error *err,
                        struct mgl_result *result);
    /* What a saved recoding holds of it, from the arena; and what that makes of other rows. */
    mgl_status (*save)(const mgl_reading *reading, const mgl_written *written, mgl_arena *arena,
                       mgl_error *err, mgl_saved_recoding *out);
    mgl_status (*recode)(mgl_reading *reading, const mgl_saved_recoding *saved, mgl_error *err);
    /* Shows what a saved recoding holds of it; has a job read tables as the recoding needs them. */
    void (*show)(const mgl_saved_recoding *saved, json_t *document);
    mgl_status (*take)(const mgl_saved_recoding *saved, mgl_job *job, mgl_error *err);
    void (*free)(mgl_written *written);
} mgl_feature_release;

/* Makes what is released of all features; write: else only what is searched for. */
mgl_status mgl_features_make(const mgl_task *task, const mgl_solution *solution, bool write,
                             mgl_error *err, mgl_written *written);
/* Has features change what they make; true if one does. */
bool mgl_features_obey(const mgl_settings *settings, mgl_written *written);
/* What the feature made for a release that was judged or staged. */
void *mgl_feature_made(const mgl_written *written, const mgl_feature *feature);

/* Features object to a release whose rows are written, and the objections are settled. */
mgl_status mgl_features_object(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                               mgl_objections *objections);
/* Does a feature put something else in the place of the column of the source? */
bool mgl_features_change(const mgl_reading *reading, const mgl_written *written, size_t field);
/* MGL_DATA if the format of the release has no room for the rows, so that it is refused before the
 * search. Where rows may be dropped their number is not known yet, and nothing is refused. */
mgl_status mgl_refuse_many(const mgl_settings *settings, uint64_t n_rows, mgl_error *err);

/* Judges a solution that is not written: fills in `found` and the number of rows. MGL_UNMET if no
 * row would be left; it is no failure if models do not hold. */
mgl_status mgl_judge_solution(const mgl_task *task, mgl_solution *solution, mgl_error *err,
                              mgl_found *found, mgl_written *written);

/* What is released. */
typedef struct mgl_release_request {
    const mgl_task *task;
    const mgl_reading *reading;
    const mgl_solution *solution;
    const mgl_failing *failing; /* what is known to break a model */
    mgl_row_tuples *tuples;     /* begun by mgl_release_ahead; NULL: not */
    const uint32_t *node;       /* the level of each column's cells; NULL: several */
} mgl_release_request;

/* Begins what does not depend on the search, so that it is done while the search goes on: the
 * tuples of the rows of a large table in memory. NULL where there is nothing to begin with. Free
 * with mgl_row_tuples_free. */
mgl_status mgl_release_ahead(const mgl_task *task, const mgl_reading *reading, mgl_error *err,
                             mgl_row_tuples **out);

/* Stages and verifies the release; fills in `found`. MGL_UNMET, and nothing is left behind, if the
 * written file breaks its promise (all models but those that are known to fail), or if the leak
 * guard objects to something that the job does not accept. The stage is NULL where an engine writes
 * the release. Publish it with mgl_release_publish, and call mgl_release_end in any case. */
mgl_status mgl_stage_release(const mgl_release_request *release, mgl_error *err, mgl_found *found,
                             mgl_written *written, mgl_stage **out);

/* Stages the map of the release if the job asks for it (--save-map); else *out is NULL. The caller
 * publishes and frees it. */
mgl_status mgl_stage_map(const mgl_release_request *release, mgl_error *err, mgl_stage **out);
/* What its columns are called, [2n]: the quasi-identifiers, and what they are released as. They lie
 * in the arena. */
mgl_status mgl_map_names(const char *const *names, size_t n, mgl_arena *arena, mgl_error *err,
                         char ***out);

/* Gives the release its name, or loads it into the table it is for. */
mgl_status mgl_release_publish(const mgl_reading *reading, mgl_stage *stage, mgl_error *err);

/* Removes what was not published. */
void mgl_release_end(const mgl_reading *reading, mgl_stage *stage);

#endif
