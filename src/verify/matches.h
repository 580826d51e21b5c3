/* How many rows match each row where a cell at the top matches every value. Private to the module.
 */
#ifndef MGL_VERIFY_MATCHES_H
#define MGL_VERIFY_MATCHES_H

#include "verify/sorted.h"

enum { MGL_MATCHES_COLUMNS = 64 };

typedef struct mgl_matches {
    const mgl_sorted_rows *sorted;
    const mgl_column *const *columns; /* [n_columns] */
    const mgl_span *tops;             /* [n_columns] */
    size_t n_columns;
    const uint64_t *times;   /* [row] how many it stands for; NULL: one */
    const uint32_t *persons; /* [row] or NULL */
    const mgl_model *models; /* that look at numbers of rows alone */
    size_t n_models;
} mgl_matches;

/* found has one entry per model. Two rows match if in each column they are equal or one of them is
 * at the top; a row matches itself. */
mgl_status mgl_matches_judge(const mgl_matches *matches, mgl_error *err, mgl_found *found);

#endif
