/* pipeline/write: a solution written, verified and published. */
#ifndef MGL_PIPELINE_WRITE_WRITE_H
#define MGL_PIPELINE_WRITE_WRITE_H

#include "pipeline/write/failing.h"
#include "release/release.h"
#include "risk/risk.h"

typedef struct mgl_written {
    uint64_t n_rows;
    double write_seconds, verify_seconds;
    mgl_objections objections; /* of the leak guard, if they were allowed */
    mgl_buffer warnings;       /* of the sink, one line each: "code\tmessage\n" */
    /* Where an engine writes: groups of the release for the verifier, and of the table for the leak
     * guard. */
    mgl_fetched_groups verifier_groups, guard_groups;
    uint64_t bytes; /* of the file, and its hash; "": none was written */
    char sha256[MGL_SHA256_TEXT];
    char rows_sha256[MGL_SHA256_TEXT]; /* of a table of a database: the digest of its rows; "":
                                          nobody asked */
} mgl_written;

void mgl_written_free(mgl_written *written);

/* MGL_DATA if the format of the release has no room for the rows, which is better told before the
 * search; where rows may be dropped nobody knows yet. */
mgl_status mgl_refuse_many(const mgl_settings *settings, uint64_t n_rows, mgl_error *err);

/* What the release would be: fills found and the number of rows. MGL_UNMET if no row would be
 * left; models may not hold. */
mgl_status mgl_judge_solution(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                              mgl_found *found, mgl_written *written);

/* Stages and verifies the release; fills found. MGL_UNMET, and nothing is left, if the
 * written file breaks its promise (all models but those of which it is known that they fail), or if
 * the leak guard objects and that was not allowed. Where an engine writes the release itself the
 * stage is NULL. Publish it, and end it in any case, with the two functions below. */
mgl_status mgl_stage_release(const mgl_task *task, const mgl_reading *reading,
                             const mgl_solution *solution, const mgl_failing *failing,
                             mgl_error *err, mgl_found *found, mgl_written *written,
                             mgl_stage **out);

/* Gives the release its name, or loads it into the table it is for. */
mgl_status mgl_release_publish(const mgl_reading *reading, mgl_stage *stage, mgl_error *err);

/* What was not published is gone. */
void mgl_release_end(const mgl_reading *reading, mgl_stage *stage);

#endif
