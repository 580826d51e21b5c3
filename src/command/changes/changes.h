/* command/changes: single changes of a job, and what the changed job would give. */
#ifndef MGL_COMMAND_CHANGES_H
#define MGL_COMMAND_CHANGES_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* One step away from a job. */
typedef struct mgl_change {
    mgl_change_kind kind;
    const char *column; /* that it is about, borrowed from the settings; NULL: none */
    char text[200];     /* for persons: "k 10 instead of 5" */
    json_t *set;        /* {KEY: TEXT} as mgl_job_set takes them; null: mgl_job_unset */
} mgl_change;

typedef struct mgl_changes {
    mgl_change *list;
    size_t n, capacity;
} mgl_changes;

/* Adds the changes of a kind that make sense for the job. answer: what the job itself gives, as a
 * result shows it, by which levels are known; NULL: it gives nothing. Free with mgl_changes_free,
 * also on failure. */
mgl_status mgl_changes_add(const mgl_settings *settings, const mgl_job *job, mgl_change_kind kind,
                           const json_t *answer, mgl_error *err, mgl_changes *changes);
void mgl_changes_free(mgl_changes *changes);

/* What the job gives after a change (NULL: as it is), in figures; and the change as a merge patch
 * (RFC 7396) of the job's document. *out is NULL if the change is none that the job can take.
 * document: if it is not NULL, the whole result, which is NULL where nothing is released. Free all
 * with json_decref. */
mgl_status mgl_change_try(mgl_session *session, const mgl_job *job, const mgl_change *change,
                          mgl_error *err, json_t **out, json_t **document);
/* The change itself: kind, column, text, set and patch. */
mgl_status mgl_change_json(const mgl_job *job, const mgl_change *change, mgl_error *err,
                           json_t **out);
/* A copy of the job that only says what would be released, in brief. Free with mgl_job_free. */
mgl_status mgl_job_to_try(const mgl_job *job, mgl_error *err, mgl_job **out);

#endif
