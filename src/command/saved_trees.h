/* The hierarchies of a recoding that is saved. Inside the room only. */
#ifndef MGL_COMMAND_SAVED_TREES_H
#define MGL_COMMAND_SAVED_TREES_H

#include "findings/findings.h"

/* Fills in the trees of out->quasi, whose labels are those of the recoding. number[a][leaf of the
 * hierarchy]: its leaf in the file, or MGL_NOT_FOUND. All of it lies in the arena. */
mgl_status mgl_saved_trees(const mgl_outcome *outcome, uint32_t *const *number, mgl_arena *arena,
                           mgl_error *err, mgl_saved_recoding *out);

#endif
