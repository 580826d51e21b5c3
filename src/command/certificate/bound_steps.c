/* Puts into a certificate how a search proved a bound that prices of rows alone do not prove.
 * save_proof.c calls it. */
#include "command/certificate/proof_of_task.h"

#include <math.h>

/* Reads the numbers of a search one after another and turns its prices into those of a certificate.
 * Where costs are rounded, prices are as well: down, by as much as the costs of so many rows may be
 * less than those of the search; up from zero, where prices are subtracted. */
typedef struct numbers {
    const int64_t *at, *end;
    bool rounded;
    double factor; /* unit of the search / unit of the certificate; a whole number unless costs are
                      rounded */
    double margin; /* for a row */
    double lost;   /* what rounding the prices of the current step lost */
    mgl_arena *arena;
} numbers;

/* Doubles that need 50 bits and more are not exact to a unit. */
#define PRECISION 0x1p-50

static int64_t convert(numbers *from, int64_t price, uint64_t rows)
{
    if (!from->rounded)
        return price * (int64_t)from->factor;
    double plain = (double)price * from->factor, off = fabs(plain) * PRECISION + 1;
    from->lost += 2 * off + (double)rows * from->margin;
    return (int64_t)floor(plain - off - (double)rows * from->margin);
}

static int64_t convert_up(numbers *from, int64_t price, double times)
{
    if (!from->rounded)
        return price * (int64_t)from->factor;
    double plain = (double)price * from->factor, off = plain * PRECISION + 1;
    from->lost += 2 * off * times;
    return price > 0 ? (int64_t)ceil(plain + off) : 0;
}

static mgl_status take_prices(numbers *from, const mgl_proof *p, mgl_error *err,
                              const int64_t **out)
{
    int64_t *prices = mgl_arena_alloc(from->arena, p->n_tuples * sizeof *prices);
    if (prices == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < p->n_tuples; t++)
        prices[t] = convert(from, *from->at++, p->counts[t]);
    *out = prices;
    return MGL_OK;
}

static mgl_status take_cuts(numbers *from, size_t n, mgl_error *err, mgl_proof_step *out)
{
    mgl_proof_cut *cuts = mgl_arena_alloc(from->arena, (n + 1) * sizeof *cuts);
    if (cuts == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        cuts[i] = (mgl_proof_cut){.n = (size_t)from->at[1]};
        cuts[i].price = convert_up(from, from->at[0], (double)(cuts[i].n / 2));
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

static mgl_status take_step(numbers *from, const mgl_proof *p, mgl_error *err, mgl_proof_step *out)
{
    static const mgl_proof_kind kinds[] = {[MGL_STEP_DUALS] = MGL_PROOF_PRICES,
                                           [MGL_STEP_TOGETHER] = MGL_PROOF_TOGETHER,
                                           [MGL_STEP_APART] = MGL_PROOF_APART,
                                           [MGL_STEP_END] = MGL_PROOF_END};
    *out = (mgl_proof_step){.kind = kinds[*from->at++]};
    if (out->kind != MGL_PROOF_PRICES) {
        out->pair[0] = (uint32_t)*from->at++;
        out->pair[1] = (uint32_t)*from->at++;
        return MGL_OK;
    }
    from->lost = 0;
    out->left = convert_up(from, *from->at++, (double)p->limit);
    size_t n_cuts = (size_t)*from->at++;
    MGL_TRY(take_prices(from, p, err, &out->prices));
    return take_cuts(from, n_cuts, err, out);
}

/* For the check more classes would hold than for the search if it did not know a model. */
static bool knows_models(const mgl_task *task)
{
    const mgl_quasi_set *set = &task->problem.sets[0];
    for (size_t i = 0; i < set->n_models; i++)
        if (!mgl_proof_uses(&set->models[i]))
            return false;
    return true;
}

/* Can the numbers be written down? Unless costs are rounded, they must be whole multiples. */
static bool fits(const numbers *from, const mgl_bound_steps *steps)
{
    double most = fabs((double)steps->bound);
    for (size_t i = 0; i < steps->n; i++)
        most = fmax(most, fabs((double)steps->numbers[i]));
    return from->factor > 0 && from->factor * most < 0x1p60;
}

static double find_factor(const mgl_bound_steps *steps, double unit)
{
    double factor = unit > 0 ? steps->unit / unit : 0, whole = round(factor);
    if (steps->rounded)
        return factor / (double)steps->times;
    return fabs(factor - whole) < 1e-6 * whole ? whole : 0;
}

static mgl_status take_all(numbers *from, const mgl_proof *p, mgl_error *err, mgl_proof_exact *out,
                           mgl_proof_step *room)
{
    double lost = 0;
    while (from->at < from->end) {
        MGL_TRY(take_step(from, p, err, &room[out->n_steps++]));
        lost = fmax(lost, from->lost);
    }
    if (from->rounded)
        out->bound -= (int64_t)ceil(lost) + 2;
    return MGL_OK;
}

mgl_status mgl_proof_take_steps(const mgl_task *task, const mgl_bound_steps *steps,
                                mgl_arena *arena, mgl_error *err, mgl_proof *out)
{
    double unit;
    if (steps->n == 0 || !knows_models(task))
        return MGL_OK;
    MGL_TRY(mgl_proof_whole_unit(out, steps->rounded, err, &unit));
    numbers from = {.at = steps->numbers,
                    .end = steps->numbers + steps->n,
                    .rounded = steps->rounded,
                    .factor = find_factor(steps, unit),
                    .margin = (double)out->n_columns + 3,
                    .arena = arena};
    mgl_proof_exact *exact = mgl_arena_alloc(arena, sizeof *exact);
    mgl_proof_step *room = mgl_arena_alloc(arena, (steps->n / 3 + 1) * sizeof *room);
    if (exact == NULL || room == NULL)
        return mgl_fail_memory(err);
    if (!fits(&from, steps))
        return MGL_OK;
    double bound = (double)steps->bound * from.factor;
    *exact = (mgl_proof_exact){.rounded = steps->rounded,
                               .times = steps->rounded ? 1 : steps->times,
                               .step = steps->rounded ? 1 : steps->times * (int64_t)from.factor,
                               .bound = steps->rounded ? (int64_t)(bound * (1 - PRECISION))
                                                       : steps->bound * (int64_t)from.factor,
                               .steps = room};
    MGL_TRY(take_all(&from, out, err, exact, room));
    if (exact->bound > 0)
        out->exact = exact;
    return MGL_OK;
}
