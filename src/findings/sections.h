/* Sections of the result of a search, one file each. Inside the room only. */
#ifndef MGL_FINDINGS_SECTIONS_H
#define MGL_FINDINGS_SECTIONS_H

#include "findings/pieces/pieces.h"

/* Tells which rows fail, with a warning; nothing if the solution is safe. */
void mgl_failing_tell(const mgl_failing *failing, mgl_result *result);

/* What mgl_claimed_top and mgl_claimed_tree read: {COLUMN: LABEL}; and for each sensitive column
 * whose hierarchy a model looks at, its released values, their groups by level, and which are
 * protected. */
json_t *mgl_tops_json(const mgl_outcome *outcome);

mgl_status mgl_trees_json(const mgl_outcome *outcome, mgl_error *err, json_t *object);

/* Adds "left_database", unless the table lies in no database. */
void mgl_left_tell(const mgl_outcome *outcome, mgl_result *result);

/* The hierarchy that a column was released by: a file, or a builder with all that it took from the
 * values. NULL: it was released as values of its own, or as value or *. */
const char *mgl_hierarchy_used(const mgl_outcome *outcome, size_t a);
#endif
