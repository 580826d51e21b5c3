/* What the recipient of a release may know about its columns. Within the module only. */
#ifndef MGL_COMMAND_CODEBOOK_H
#define MGL_COMMAND_CODEBOOK_H

#include "pipeline/pipeline.h"
#include "result/result.h"

/* Lists the columns of a release with what was done to them and what their labels mean. reported: a
 * result, or what a promise states in its place. most: labels of a quasi-identifier that are listed
 * at most. Free the list with json_decref. */
mgl_status mgl_codebook_columns(const json_t *reported, mgl_source *source, size_t most,
                                mgl_error *err, json_t **out);

#endif
