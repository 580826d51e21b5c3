/* Columns that follow quasi-identifiers, as they are released. */
#ifndef MGL_PIPELINE_WRITE_FOLLOWING_H
#define MGL_PIPELINE_WRITE_FOLLOWING_H

#include "pipeline/task/task.h"
#include "risk/risk.h"

/* A column that may follow. */
typedef struct mgl_followed {
    const mgl_linked_column *linked;
    bool follows;
    bool made;
    mgl_column column; /* where made: as it is released */
    uint64_t changed;  /* where made: released rows in which it is not what it was */
    const mgl_promised_link *promised; /* where planned: with what the verifier found */
} mgl_followed;

typedef struct mgl_following {
    mgl_followed *of;         /* [n]; those that the job names first */
    mgl_promised_link *links; /* [n] of those that are made */
    size_t n;
} mgl_following;

#endif
