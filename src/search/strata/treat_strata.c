/* Suppresses what violates a model in a recoding that was not searched for these rows, stratum by
 * stratum. */
#include "search/strata/slice.h"

typedef struct treating {
    const mgl_problem *problem;
    mgl_recoding *recoding; /* of the whole list */
    size_t n_held;
    bool unlimited; /* as many rows as it takes */
    bool all_count; /* against the limit, not only those that are suppressed now */
} treating;

static uint64_t count_rows(const mgl_frequency_list *list, const uint8_t *suppressed)
{
    uint64_t rows = 0;
    for (size_t t = 0; t < list->n_tuples; t++)
        rows += suppressed[t] ? list->counts[t] : 0;
    return rows;
}

static void copy_cells(const treating *x, size_t first, mgl_recoding *own, bool back)
{
    size_t size = own->n_tuples * sizeof **own->cells;
    for (size_t a = 0; a < own->n_attributes; a++) {
        uint32_t *whole = x->recoding->cells[x->n_held + a] + first;
        memcpy(back ? whole : own->cells[a], back ? own->cells[a] : whole, size);
    }
    uint8_t *whole = x->recoding->suppressed + first;
    memcpy(back ? whole : own->suppressed, back ? own->suppressed : whole, own->n_tuples);
}

/* What is in the solution already belongs to it. */
static mgl_status treat_slice(const treating *x, mgl_slice *slice, size_t first,
                              mgl_solution *solution, mgl_error *err, mgl_treated_strata *out)
{
    mgl_recoding *own;
    bool holds;
    MGL_TRY(mgl_recoding_new(x->recoding->columns + x->n_held, slice->list.n_attributes,
                             slice->list.n_tuples, err, &own));
    copy_cells(x, first, own, false);
    uint64_t before = count_rows(&slice->list, own->suppressed);
    MGL_TRY(mgl_solution_treat_recoding(solution, &slice->problem, own, err, &holds));
    copy_cells(x, first, own, true);
    uint64_t rows = solution->suppressed_rows;
    uint64_t now = rows > before ? rows - before : 0;
    bool within = x->unlimited || (x->all_count ? rows : now) <= slice->problem.limit;
    out->rows += rows;
    if ((!holds || !within) && out->n_failing++ == 0)
        out->first_failing = first;
    return MGL_OK;
}

/* The recoding of one stratum is treated as if it were the whole. */
static mgl_status treat_stratum(const treating *x, size_t first, size_t end, mgl_error *err,
                                mgl_treated_strata *out)
{
    mgl_slice slice = {0};
    mgl_solution *solution = mgl_zeroed_array(1, sizeof *solution);
    mgl_status status = MGL_OK;
    if (solution == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_slice_make(x->problem, x->n_held, first, end, err, &slice));
    MGL_GO(treat_slice(x, &slice, first, solution, err, out));
done:
    mgl_solution_free(solution);
    mgl_slice_free(&slice);
    return status;
}

mgl_status mgl_strata_treat(const mgl_problem *problem, mgl_recoding *recoding, bool unlimited,
                            bool all_count, mgl_error *err, mgl_treated_strata *out)
{
    treating x = {.problem = problem,
                  .recoding = recoding,
                  .n_held = mgl_held_columns(recoding->columns, recoding->n_attributes),
                  .unlimited = unlimited,
                  .all_count = all_count};
    *out = (mgl_treated_strata){0};
    for (size_t first = 0, end; first < recoding->n_tuples; first = end) {
        end = mgl_stratum_end(problem->list, x.n_held, first);
        MGL_TRY(treat_stratum(&x, first, end, err, out));
    }
    return MGL_OK;
}
