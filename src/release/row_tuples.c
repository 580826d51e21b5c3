/* Finds the tuples of all rows while a search goes on, which leaves threads idle: a row's tuple
 * does not depend on what the search finds. The writing of the pipeline begins it, row_order.c
 * takes what was found. */
#include "release/release.h"

enum { ROWS = 1 << 15 }; /* of an item: about a millisecond */

struct mgl_row_tuples {
    const mgl_frequency_list *list;
    mgl_tuple_finder *finder; /* NULL: the list remembers */
    size_t n_rows;
    mgl_pool *pool;
    uint32_t *tuples; /* [n_rows] */
    bool ended;
};

static void find_some(void *context, size_t item, unsigned worker)
{
    const mgl_row_tuples *rows = context;
    size_t first = item * ROWS, left = rows->n_rows - first, n = left < ROWS ? left : ROWS;
    (void)worker;
    if (rows->finder == NULL)
        mgl_list_recall(rows->list, first, n, rows->tuples + first);
    else
        mgl_tuple_find(rows->finder, first, n, rows->tuples + first);
}

mgl_status mgl_row_tuples_begin(const mgl_frequency_list *list, const mgl_bound_column *quasi,
                                mgl_pool *pool, mgl_error *err, mgl_row_tuples **out)
{
    mgl_row_tuples *rows = mgl_zeroed_array(1, sizeof *rows);
    mgl_status status = MGL_OK;
    if (rows == NULL)
        return mgl_fail_memory(err);
    *rows = (mgl_row_tuples){.list = list, .n_rows = list->n_rows, .pool = pool, .ended = true};
    rows->tuples = mgl_alloc_array(rows->n_rows, sizeof *rows->tuples);
    if (rows->tuples == NULL)
        MGL_GO(mgl_fail_memory(err));
    if (!mgl_list_remembers(list, quasi))
        MGL_GO(mgl_tuple_finder_share(list, quasi, pool, err, &rows->finder));
    mgl_background_begin(pool, (rows->n_rows + ROWS - 1) / ROWS, find_some, rows);
    rows->ended = false;
    *out = rows;
    rows = NULL;
done:
    mgl_row_tuples_free(rows);
    return status;
}

uint32_t *mgl_row_tuples_take(mgl_row_tuples *rows, const mgl_frequency_list *list)
{
    if (rows == NULL || rows->ended || rows->list != list)
        return NULL;
    mgl_background_end(rows->pool, true);
    rows->ended = true;
    uint32_t *tuples = rows->tuples;
    rows->tuples = NULL;
    return tuples;
}

void mgl_row_tuples_free(mgl_row_tuples *rows)
{
    if (rows == NULL)
        return;
    if (!rows->ended)
        mgl_background_end(rows->pool, false);
    mgl_tuple_finder_free(rows->finder);
    mgl_free(rows->tuples);
    mgl_free(rows);
}
