/* The cells of each class side by side, for those who look at all classes several times. Whatever
 * measures a release calls it before it gathers statistics and asks queries. */
#include "utility/utility.h"

enum { CLASSES = 1 << 12 }; /* of an item */

static void take_cells(void *context, size_t item, unsigned worker)
{
    const mgl_released_tuples *tuples = context;
    size_t first = item * CLASSES, end = first + CLASSES;
    end = end < tuples->n_classes ? end : tuples->n_classes;
    (void)worker;
    for (size_t a = 0; a < tuples->n_attributes; a++)
        for (size_t c = first; c < end; c++)
            tuples->class_cells[a][c] = tuples->cells[a][tuples->first[c]];
}

mgl_status mgl_class_cells_make(mgl_released_tuples *tuples, mgl_pool *pool, mgl_error *err)
{
    size_t n = tuples->n_attributes, n_classes = tuples->n_classes;
    if (n == 0)
        return MGL_OK;
    uint32_t **columns = mgl_alloc_array(n, sizeof *columns);
    uint32_t *cells = mgl_alloc_array(n * n_classes, sizeof *cells);
    if (columns == NULL || cells == NULL) {
        mgl_free(columns);
        mgl_free(cells);
        return mgl_fail_memory(err);
    }
    for (size_t a = 0; a < n; a++)
        columns[a] = cells + a * n_classes;
    tuples->class_cells = columns;
    mgl_pool_run(pool, (n_classes + CLASSES - 1) / CLASSES, take_cells, tuples);
    return MGL_OK;
}

void mgl_class_cells_free(mgl_released_tuples *tuples)
{
    if (tuples->class_cells != NULL)
        mgl_free(tuples->class_cells[0]);
    mgl_free(tuples->class_cells);
    tuples->class_cells = NULL;
}
