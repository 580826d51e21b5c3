/* Rows on their way to a sink that is no text.
 *
 * Such files fix the types and widths of their columns before the first row, and want to know how
 * many rows there are. So rows wait in a private file until all have been seen. */
#ifndef MGL_RELEASE_PACKER_H
#define MGL_RELEASE_PACKER_H

#include "release/release.h"

typedef struct mgl_packer mgl_packer;

/* The plan must outlive the packer. Free with mgl_packer_free. */
mgl_status mgl_packer_new(const mgl_row_plan *plan, mgl_error *err, mgl_packer **out);
void mgl_packer_free(mgl_packer *packer);

/* The private file that packed rows are written to. */
int mgl_packer_file(const mgl_packer *packer);

/* Writes a row to line, which is emptied before: the fields of its record, and for each
 * quasi-identifier the number of its released value. */
bool mgl_packer_row(mgl_packer *packer, const mgl_field *fields, const uint32_t *cells,
                    mgl_buffer *line);

/* Hands all rows of the private file to the sink of the plan. */
mgl_status mgl_packer_deliver(mgl_packer *packer, const mgl_stage *stage, const char *target,
                              uint64_t n_rows, mgl_error *err);

#endif
