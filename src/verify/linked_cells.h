/* What is promised of columns that follow others, and its judge. */
#ifndef MGL_VERIFY_LINKED_CELLS_H
#define MGL_VERIFY_LINKED_CELLS_H

#include "verify/judge.h"

/* A column of the release that follows others: rows that are equal in these are equal in it. */
typedef struct mgl_promised_link {
    size_t column;       /* of the release */
    const size_t *leads; /* [n_leads] likewise */
    size_t n_leads;
    /* What was found: */
    uint64_t values; /* different ones */
    bool broken;     /* rows that are equal in the others differ in it */
} mgl_promised_link;

extern const mgl_judge mgl_linked_judge; /* of mgl_promised_link */

/* Looks at every row of a release, and records of each link whether it holds. */
mgl_status mgl_verify_links(mgl_source *source, mgl_promised_link *links, size_t n, mgl_pool *pool,
                            const mgl_progress *progress, mgl_error *err);

#endif
