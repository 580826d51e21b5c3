/* pipeline/write: a solution written, verified and published. */
#ifndef MGL_PIPELINE_WRITE_WRITE_H
#define MGL_PIPELINE_WRITE_WRITE_H

#include "pipeline/write/failing.h"
#include "pipeline/write/following.h"
#include "pipeline/write/item_release.h"
#include "pipeline/write/plan.h"
#include "release/release.h"
#include "risk/risk.h"

typedef struct mgl_written {
    uint64_t n_rows;   /* records that are released */
    uint64_t n_groups; /* of a counted table: rows that stand for them; else 0 */
    double write_seconds, verify_seconds;
    mgl_objections objections; /* of the leak guard, if they were allowed */
    mgl_buffer warnings;       /* of the sink, each "code\tmessage" and NUL */
    /* Where an engine writes: groups of the release for the verifier, and of the table for the leak
     * guard. */
    mgl_fetched_groups verifier_groups, guard_groups;
    mgl_promised_treat *treated; /* [n_treated of the reading] with what the verifier found; NULL:
                                    nothing was written */
    mgl_following following;     /* columns that follow quasi-identifiers */
    mgl_items_written items;     /* the column of items */
    mgl_alone_rows alone;        /* with the quasi-identifier and what passes through */
    uint64_t bytes;              /* size and hash of the file; 0 and "" if none was written */
    char sha256[MGL_SHA256_TEXT];
    char rows_sha256[MGL_SHA256_TEXT]; /* digest of the rows of a table in a database; "" if nobody
                                          asked for it */
} mgl_written;

void mgl_written_free(mgl_written *written);

/* What a feature does when a release is made. Functions are optional, and do nothing where the job
 * does not use the feature; what they make is in mgl_written. */
typedef struct mgl_feature_release {
    /* Makes what is released of it, for the tuples of the solution; once more if `obey` returned
     * true. */
    mgl_status (*make)(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                       mgl_written *written);
    /* Puts its columns and its promise into the plan. */
    mgl_status (*plan)(mgl_release_plan *plan, const mgl_task *task, mgl_error *err,
                       mgl_written *written);
    /* Changes what it makes so that the leak guard may have fewer objections; false if it cannot.
     */
    bool (*obey)(const mgl_settings *settings, mgl_written *written);
    void (*free)(mgl_written *written);
} mgl_feature_release;

extern const mgl_feature_release mgl_aggregate_release;

/* MGL_DATA if the format of the release has no room for the rows, so that it is told before the
 * search. Where rows may be dropped their number is not known yet, and nothing is refused. */
mgl_status mgl_refuse_many(const mgl_settings *settings, uint64_t n_rows, mgl_error *err);

/* Judges a solution that is not written: fills in `found` and the number of rows. MGL_UNMET if no
 * row would be left; it is no failure if models do not hold. */
mgl_status mgl_judge_solution(const mgl_task *task, mgl_solution *solution, mgl_error *err,
                              mgl_found *found, mgl_written *written);

/* What is released. */
typedef struct mgl_release_order {
    const mgl_task *task;
    const mgl_reading *reading;
    const mgl_solution *solution;
    const mgl_failing *failing; /* what is known to break a model */
    mgl_row_tuples *tuples;     /* begun by mgl_release_ahead; NULL: not */
} mgl_release_order;

/* Begins what does not depend on the search, so that it is done while the search goes on: the
 * tuples of the rows of a large table in memory. NULL where there is nothing to begin with. Free
 * with mgl_row_tuples_free. */
mgl_status mgl_release_ahead(const mgl_task *task, const mgl_reading *reading, mgl_error *err,
                             mgl_row_tuples **out);

/* Stages and verifies the release; fills in `found`. MGL_UNMET, and nothing is left behind, if the
 * written file breaks its promise (all models but those that are known to fail), or if the leak
 * guard objects to something that the job does not accept. The stage is NULL where an engine writes
 * the release. Publish it with mgl_release_publish, and call mgl_release_end in any case. */
mgl_status mgl_stage_release(const mgl_release_order *release, mgl_error *err, mgl_found *found,
                             mgl_written *written, mgl_stage **out);

/* Stages the map of the release if the job asks for it (--save-map); else *out is NULL. The caller
 * publishes and frees it. */
mgl_status mgl_stage_map(const mgl_release_order *release, mgl_error *err, mgl_stage **out);
/* What its columns are called, [2n]: the quasi-identifiers, and what they are released as. They lie
 * in the arena. */
mgl_status mgl_map_names(const char *const *names, size_t n, mgl_arena *arena, mgl_error *err,
                         char ***out);

/* Gives the release its name, or loads it into the table it is for. */
mgl_status mgl_release_publish(const mgl_reading *reading, mgl_stage *stage, mgl_error *err);

/* Removes what was not published. */
void mgl_release_end(const mgl_reading *reading, mgl_stage *stage);

#endif
