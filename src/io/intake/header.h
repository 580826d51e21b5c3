/* Does the first line of a table name its columns, or is it a record? */
#ifndef MGL_IO_INTAKE_HEADER_H
#define MGL_IO_INTAKE_HEADER_H

#include "io/intake/source.h"

/* The first lines of a table, each cell as what the judgement needs of it. */
typedef struct mgl_first_lines mgl_first_lines;

/* For lines of so many cells. Free with mgl_first_lines_free. */
mgl_status mgl_first_lines_new(const mgl_source_options *options, size_t n_columns, mgl_error *err,
                               mgl_first_lines **out);
void mgl_first_lines_free(mgl_first_lines *lines);
/* A cell of the line at hand, the first line first. Cells that are not given are missing, and those
 * of further columns are left out. */
void mgl_first_lines_put(mgl_first_lines *lines, size_t column, mgl_span text);
/* The line is complete; false: no more lines are needed. */
bool mgl_first_lines_next(mgl_first_lines *lines);

/* Decides by the lines, and by the columns that the job names, whether the first one is a record
 * (*out). MGL_USAGE if that is doubtful: the job has to state it. The line is not quoted. */
mgl_status mgl_first_lines_judge(const mgl_first_lines *lines, const char *table, uint64_t line,
                                 mgl_error *err, bool *out);

#endif
