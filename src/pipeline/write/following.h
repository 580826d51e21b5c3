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
    uint64_t values;   /* where it was verified: different ones in the release */
} mgl_followed;

typedef struct mgl_following {
    mgl_followed *of; /* [n]; those that the job names first */
    size_t n;
} mgl_following;

/* None is made yet; those that the job names follow. Free with mgl_following_free. */
mgl_status mgl_following_new(const mgl_reading *reading, mgl_error *err, mgl_following *out);
void mgl_following_free(mgl_following *following);

/* Lets those follow to which the leak guard objects because they give a quasi-identifier back.
 * False: there are none that did not follow before. */
bool mgl_following_obey(mgl_following *following, const mgl_settings *settings,
                        const mgl_objections *objections);

/* Makes those that follow, for what the solution releases. */
mgl_status mgl_following_make(mgl_following *following, const mgl_task *task,
                              const mgl_reading *reading, const mgl_solution *solution,
                              mgl_error *err);
/* The columns are of no use any more; what is told of them is. */
void mgl_following_forget(mgl_following *following);

/* The quasi-identifiers that it follows: attributes of the reading. Returns how many. */
size_t mgl_followed_leads(const mgl_followed *followed, const mgl_reading *reading,
                          uint32_t *attributes);

#endif
