/* Records that stand for all rows at nodes where some attributes are raised: there are fewer of
 * them than tuples. Inside the room only. */
#ifndef MGL_SEARCH_CELL_SOURCES_H
#define MGL_SEARCH_CELL_SOURCES_H

#include "search/cell_table.h"

enum { MGL_CELL_MOST_RAISED = 5 }; /* attributes */

/* All rows with some attributes one level above their lowest. */
typedef struct mgl_cell_source {
    bool made;
    size_t n;
    uint64_t *keys; /* [n * words] */
    uint32_t *rows; /* [n] */
} mgl_cell_source;

typedef struct mgl_cell_sources {
    const mgl_cell_space *space;
    size_t raised[MGL_CELL_MOST_RAISED]; /* attributes */
    size_t n_raised;
    mgl_cell_source *each; /* [2^n_raised] bit i of the number: raised[i] is */
    uint64_t bytes;        /* of all that are made */
    mgl_cell_table table;
} mgl_cell_sources;

/* End with mgl_cell_sources_end, also after a failure. */
mgl_status mgl_cell_sources_begin(mgl_cell_sources *sources, const mgl_cell_space *space,
                                  mgl_error *err);
void mgl_cell_sources_end(mgl_cell_sources *sources);

/* Makes sure that there is a good source for the node. Not while others look for theirs. */
mgl_status mgl_cell_sources_prepare(mgl_cell_sources *sources, const uint8_t *levels,
                                    mgl_error *err);

/* The best of those made. */
const mgl_cell_source *mgl_cell_source_of(const mgl_cell_sources *sources, const uint8_t *levels);

#endif
