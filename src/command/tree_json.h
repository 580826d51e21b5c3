/* A hierarchy as a tree in JSON. Inside the room only. */
#ifndef MGL_COMMAND_TREE_JSON_H
#define MGL_COMMAND_TREE_JSON_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* {"label", "rows", "nodes": [...]}; values on the ground have no "nodes". Free with json_decref.
 */
mgl_status mgl_tree_json(const mgl_table *table, const mgl_quasi_column *quasi, mgl_error *err,
                         json_t **out);

#endif
