/* Finds out which rows of a release read as suppressed, and how many it lacks, stratum by stratum.
 * utility.c calls it; a table without strata is one. */
#include "command/released_strata.h"

/* Strata by the cells that tell them apart. */
static mgl_status find_strata(const mgl_rows_read *rows, mgl_error *err, mgl_classes *out)
{
    size_t n_held = mgl_held_columns(rows->columns, rows->n_attributes);
    uint32_t *n_values = mgl_alloc_array(n_held + 1, sizeof *n_values);
    mgl_status status = MGL_OK;
    if (n_values == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t a = 0; a < n_held; a++)
        n_values[a] = rows->columns[a]->n_values;
    MGL_GO(mgl_classes_init(out, rows->n_rows, n_held + 1, err));
    memset(out->of_tuple, 0, rows->n_rows * sizeof *out->of_tuple);
    if (n_held > 0)
        mgl_classes_group(out, rows->cells, n_values, NULL, n_held, rows->counts);
done:
    mgl_free(n_values);
    return status;
}

static bool is_top(const mgl_rows_read *rows, size_t row)
{
    for (size_t a = 0; a < rows->n_attributes; a++)
        if (!rows->columns[a]->held && rows->cells[a][row] != rows->columns[a]->top)
            return false;
    return true;
}

mgl_status mgl_rows_mark_tops(const mgl_rows_read *rows, mgl_error *err, uint8_t *suppressed)
{
    mgl_classes strata = {0};
    uint8_t *others = mgl_zeroed_array(rows->n_rows, 1);
    mgl_status status = MGL_OK;
    if (others == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(find_strata(rows, err, &strata));
    for (size_t row = 0; row < rows->n_rows; row++) {
        suppressed[row] = is_top(rows, row);
        others[strata.of_tuple[row]] |= !suppressed[row];
    }
    for (size_t row = 0; row < rows->n_rows; row++)
        suppressed[row] &= others[strata.of_tuple[row]];
done:
    mgl_classes_free(&strata);
    mgl_free(others);
    return status;
}

/* ---- Rows that were dropped -------------------------------------------------------------------
 */

/* The cells of a stratum as bytes. */
static mgl_span name_of(const mgl_rows_read *rows, size_t n_held, size_t row, uint32_t *key)
{
    for (size_t a = 0; a < n_held; a++)
        key[a] = rows->cells[a][row];
    return (mgl_span){(const char *)key, n_held * sizeof *key};
}

static mgl_span name_in_list(const mgl_problem *p, size_t n_held, size_t t, uint32_t *key)
{
    for (size_t a = 0; a < n_held; a++)
        key[a] = p->columns[a]->of_leaf[0][mgl_list_leaf(p->list, t, a)];
    return (mgl_span){(const char *)key, n_held * sizeof *key};
}

/* Numbers the strata of the list and counts their rows. */
static mgl_status count_list(const mgl_problem *p, size_t n_held, uint32_t *key, mgl_map *numbers,
                             mgl_error *err, uint64_t *left)
{
    for (size_t first = 0, end; first < p->list->n_tuples; first = end) {
        end = mgl_stratum_end(p->list, n_held, first);
        uint32_t number = mgl_map_add(numbers, name_in_list(p, n_held, first, key));
        if (number == MGL_NOT_FOUND)
            return mgl_fail_memory(err);
        left[number] = 0;
        for (size_t t = first; t < end; t++)
            left[number] += p->list->counts[t];
    }
    return MGL_OK;
}

static mgl_status take_rows(const mgl_rows_read *rows, size_t n_held, uint32_t *key,
                            const mgl_map *numbers, mgl_error *err, uint64_t *left)
{
    for (size_t row = 0; row < rows->n_rows; row++) {
        uint32_t number = mgl_map_find(numbers, name_of(rows, n_held, row, key));
        if (number == MGL_NOT_FOUND || left[number] < rows->counts[row])
            return mgl_blame_key(
                err,
                mgl_fail(err, MGL_CODE_MISMATCH,
                         "the release has more rows of a stratum than the original; is it a "
                         "release of that table, made with `by`?"),
                "release");
        left[number] -= rows->counts[row];
    }
    return MGL_OK;
}

mgl_status mgl_rows_lacking(const mgl_rows_read *rows, const mgl_problem *problem, mgl_error *err,
                            uint64_t **out)
{
    size_t n_held = mgl_held_columns(rows->columns, rows->n_attributes);
    uint32_t *key = mgl_alloc_array(n_held + 1, sizeof *key);
    mgl_map *numbers = mgl_map_new();
    uint64_t *left = mgl_alloc_array(problem->list->n_tuples, sizeof *left);
    mgl_status status = MGL_OK;
    if (key == NULL || numbers == NULL || left == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(count_list(problem, n_held, key, numbers, err, left));
    MGL_GO(take_rows(rows, n_held, key, numbers, err, left));
    *out = left;
    left = NULL;
done:
    mgl_free(key);
    mgl_free(left);
    mgl_map_free(numbers);
    return status;
}
