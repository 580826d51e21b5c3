/* Writes down what the exact search proved, step by step, for those who want to check it. branch.c
 * and exact.c call it where a certificate is asked for. */
#include "search/cell/exact/inner.h"

static bool note(mgl_exact *x, int64_t number)
{
    mgl_bound_steps *log = x->log;
    log->failed =
        log->failed || !mgl_grow(&log->numbers, &log->capacity, log->n + 1, sizeof *log->numbers);
    if (!log->failed)
        log->numbers[log->n++] = number;
    return !log->failed;
}

static void note_prices(mgl_exact *x, const int64_t *prices, int64_t left, size_t n_cuts)
{
    note(x, MGL_STEP_PRICES);
    note(x, left);
    note(x, (int64_t)n_cuts);
    for (size_t t = 0; t < x->space->n; t++)
        note(x, prices[t]);
    for (size_t i = 0; i < n_cuts; i++) {
        const mgl_exact_cut *cut = &x->cuts.cuts[i];
        note(x, x->cut_prices[i]);
        note(x, cut->n);
        for (uint32_t j = 0; j < cut->n; j++)
            note(x, cut->tuples[j]);
    }
}

void mgl_exact_log_begin(mgl_exact *x)
{
    if (x->log == NULL)
        return;
    x->log->n = 0;
    note_prices(x, x->base, x->base_left, 0);
}

void mgl_exact_log_prices(mgl_exact *x)
{
    if (x->log != NULL)
        note_prices(x, x->prices, x->left_price, x->cuts.n);
}

void mgl_exact_log_pair(mgl_exact *x, int step, uint32_t t, uint32_t u)
{
    if (x->log == NULL)
        return;
    note(x, step);
    note(x, t);
    note(x, u);
}

void mgl_exact_log_end(mgl_exact *x, bool proved)
{
    mgl_bound_steps *log = x->log;
    if (log == NULL)
        return;
    if (!proved)
        log->n = 0;
    log->rounded = !x->exact;
    log->times = x->times;
    log->unit = x->divide / x->space->scale;
    int64_t most = (int64_t)x->space->n_rows * mgl_exact_cost(x, x->space->top_cost);
    log->bound = x->exact ? x->upper : x->upper - x->tolerance;
    log->bound = log->bound < most ? log->bound : most; /* where no release was known */
}
