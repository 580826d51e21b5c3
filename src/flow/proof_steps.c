/* How a search proved a bound that prices of rows alone do not prove, for a certificate. */
#include "flow/flow.h"

#include <math.h>

/* The numbers of a search, one after another. */
typedef struct numbers {
    const int64_t *at, *end;
    int64_t factor; /* of prices: the unit of the search by that of the certificate */
    mgl_arena *arena;
} numbers;

static mgl_status take_prices(numbers *from, size_t n, mgl_error *err, const int64_t **out)
{
    int64_t *prices = mgl_arena_alloc(from->arena, n * sizeof *prices);
    if (prices == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < n; t++)
        prices[t] = *from->at++ * from->factor;
    *out = prices;
    return MGL_OK;
}

static mgl_status take_cuts(numbers *from, size_t n, mgl_error *err, mgl_proof_step *out)
{
    mgl_proof_cut *cuts = mgl_arena_alloc(from->arena, (n + 1) * sizeof *cuts);
    if (cuts == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        cuts[i] = (mgl_proof_cut){.price = from->at[0] * from->factor, .n = (size_t)from->at[1]};
        uint32_t *tuples = mgl_arena_alloc(from->arena, cuts[i].n * sizeof *tuples);
        if (tuples == NULL)
            return mgl_fail_memory(err);
        for (size_t j = 0; j < cuts[i].n; j++)
            tuples[j] = (uint32_t)from->at[2 + j];
        cuts[i].tuples = tuples;
        from->at += 2 + cuts[i].n;
    }
    out->cuts = cuts;
    out->n_cuts = n;
    return MGL_OK;
}

static mgl_status take_step(numbers *from, size_t n_tuples, mgl_error *err, mgl_proof_step *out)
{
    static const mgl_proof_kind kinds[] = {[MGL_STEP_PRICES] = MGL_PROOF_PRICES,
                                           [MGL_STEP_TOGETHER] = MGL_PROOF_TOGETHER,
                                           [MGL_STEP_APART] = MGL_PROOF_APART,
                                           [MGL_STEP_END] = MGL_PROOF_END};
    *out = (mgl_proof_step){.kind = kinds[*from->at++]};
    if (out->kind != MGL_PROOF_PRICES) {
        out->pair[0] = (uint32_t)*from->at++;
        out->pair[1] = (uint32_t)*from->at++;
        return MGL_OK;
    }
    out->left = *from->at++ * from->factor;
    size_t n_cuts = (size_t)*from->at++;
    MGL_TRY(take_prices(from, n_tuples, err, &out->prices));
    return take_cuts(from, n_cuts, err, out);
}

/* Of a model that the check does not know, more classes would hold for it than for the search. */
static bool knows_models(const mgl_task *task)
{
    const mgl_quasi_set *set = &task->problem.sets[0];
    for (size_t i = 0; i < set->n_models; i++)
        if (!mgl_proof_uses(&set->models[i]))
            return false;
    return true;
}

/* The unit of the search by that of the certificate; 0: it is no multiple, or a large one. */
static int64_t find_factor(const mgl_bound_steps *steps, double unit)
{
    double factor = unit > 0 ? round(steps->unit / unit) : 0;
    double most = fabs((double)steps->bound);
    for (size_t i = 0; i < steps->n; i++)
        most = fmax(most, fabs((double)steps->numbers[i]));
    bool fits = factor >= 1 && factor * most < 0x1p61;
    return fits && fabs(steps->unit / unit - factor) < 1e-6 * factor ? (int64_t)factor : 0;
}

mgl_status mgl_proof_take_steps(const mgl_task *task, const mgl_bound_steps *steps,
                                mgl_arena *arena, mgl_error *err, mgl_proof *out)
{
    double unit;
    if (steps->n == 0 || !knows_models(task))
        return MGL_OK;
    MGL_TRY(mgl_proof_whole_unit(out, err, &unit));
    numbers from = {steps->numbers, steps->numbers + steps->n, find_factor(steps, unit), arena};
    mgl_proof_exact *exact = mgl_arena_alloc(arena, sizeof *exact);
    mgl_proof_step *room = mgl_arena_alloc(arena, (steps->n / 3 + 1) * sizeof *room);
    if (exact == NULL || room == NULL)
        return mgl_fail_memory(err);
    if (from.factor == 0)
        return MGL_OK;
    *exact = (mgl_proof_exact){.times = steps->times,
                               .step = steps->times * from.factor,
                               .bound = steps->bound * from.factor,
                               .steps = room};
    while (from.at < from.end)
        MGL_TRY(take_step(&from, out->n_tuples, err, &room[exact->n_steps++]));
    out->exact = exact;
    return MGL_OK;
}
