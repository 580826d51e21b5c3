/* What the result of a release states about its columns (settings->claims). */
#ifndef MGL_PIPELINE_READ_CLAIMED_H
#define MGL_PIPELINE_READ_CLAIMED_H

#include "hierarchy/hierarchy.h"
#include "job/job.h"

/* Does the result state how the values of a sensitive column belong together? Then this makes a
 * hierarchy of it, in which labels of groups are made up. */
bool mgl_claims_has_tree(const mgl_settings *settings, const char *column);
mgl_status mgl_claimed_hierarchy(const mgl_settings *settings, const mgl_column *column,
                                 const mgl_cell_rule *rule, mgl_error *err, mgl_hierarchy **out);
/* How the result states that the numbers or dates of a sensitive column are written: a word of
 * mgl_date_order_name, or plain, point or comma; NULL if it does not. */
const char *mgl_claimed_notation(const mgl_settings *settings, const char *column);
bool mgl_claimed_protects(const mgl_settings *settings, const char *column, uint32_t level,
                          mgl_span label);

#endif
