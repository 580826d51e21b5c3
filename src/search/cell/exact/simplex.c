/* Solves linear programs by the revised simplex method with an explicit inverse of the basis. */
#include "search/cell/exact/simplex.h"

#include <math.h>
#include <string.h>

enum { REFRESH = 100 }; /* steps, beside two per row, after which the inverse is made anew */

#define NOTHING 1e-11 /* what is smaller is taken for zero */
#define PIVOT 1e-7    /* entries that are large enough to divide by */

#define TIE 1e-10 /* steps that differ by less are as long */

#define INFEASIBLE 1e-4 /* what may be missing by rounding */

/* Right-hand sides differ a little from 1, so that steps do not go round in circles. */
#define UNEVEN 1e-6

mgl_status mgl_lp_init(mgl_lp *lp, size_t most_rows, double lack, mgl_lp_column_fn *column,
                       void *context, mgl_error *err)
{
    size_t n = most_rows;
    *lp = (mgl_lp){
        .capacity = n, .lack = lack, .column = column, .context = context, .work = lp->work};
    lp->inverse = mgl_own_zeroed(&lp->memory, n, n * sizeof *lp->inverse);
    lp->x = mgl_own_zeroed(&lp->memory, n, sizeof *lp->x);
    lp->cost = mgl_own_zeroed(&lp->memory, n, sizeof *lp->cost);
    lp->basic = mgl_own_zeroed(&lp->memory, n, sizeof *lp->basic);
    lp->own = mgl_own_zeroed(&lp->memory, n, sizeof *lp->own);
    lp->sign = mgl_own_zeroed(&lp->memory, n, sizeof *lp->sign);
    lp->rhs = mgl_own_zeroed(&lp->memory, n, sizeof *lp->rhs);
    lp->duals = mgl_own_zeroed(&lp->memory, n, sizeof *lp->duals);
    lp->is_sum = mgl_own_zeroed(&lp->memory, n, sizeof *lp->is_sum);
    lp->direction = mgl_own_zeroed(&lp->memory, n, sizeof *lp->direction);
    lp->places = mgl_own_zeroed(&lp->memory, n, sizeof *lp->places);
    lp->entries = mgl_own_zeroed(&lp->memory, n, sizeof *lp->entries);
    if (lp->memory.missing) {
        mgl_lp_free(lp);
        return mgl_fail_memory(err);
    }
    return MGL_OK;
}

void mgl_lp_free(mgl_lp *lp)
{
    mgl_owned_free(&lp->memory);
    *lp = (mgl_lp){.work = lp->work};
}

void mgl_lp_find_duals(mgl_lp *lp)
{
    size_t n = lp->n_rows;
    memset(lp->duals, 0, n * sizeof *lp->duals);
    for (size_t p = 0; p < n; p++) {
        const double *row = lp->inverse + p * lp->capacity;
        for (size_t r = 0; lp->cost[p] != 0 && r < n; r++)
            lp->duals[r] += lp->cost[p] * row[r];
    }
    lp->work += n * n;
}

static void add_row(mgl_lp *lp, double rhs, double lacks)
{
    size_t n = lp->n_rows;
    double *row = lp->inverse + n * lp->capacity;
    double sign = lacks > 0 ? -1 : 1; /* of what is left over, else of what is too much */
    for (size_t p = 0; p < n; p++)
        lp->inverse[p * lp->capacity + n] = 0;
    for (size_t r = 0; r < n; r++)
        row[r] /= -sign;
    row[n] = sign;
    lp->rhs[n] = rhs;
    lp->x[n] = fabs(lacks);
    lp->sign[n] = sign;
    lp->own[n] = (uint32_t)n;
    lp->n_rows++;
}

void mgl_lp_add_tuple(mgl_lp *lp)
{
    size_t n = lp->n_rows;
    uint64_t mixed = (n + 1) * UINT64_C(0x9E3779B97F4A7C15);
    mixed = (mixed ^ mixed >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    double rhs = 1 + UNEVEN * (double)(mixed >> 40) / 0x1p24;
    memset(lp->inverse + n * lp->capacity, 0, lp->capacity * sizeof *lp->inverse);
    add_row(lp, rhs, -rhs);
    lp->cost[n] = lp->duals[n] = lp->lack;
    lp->basic[n] = MGL_LP_LACK;
    lp->is_sum[n] = false;
}

void mgl_lp_add_sum(mgl_lp *lp, double most)
{
    size_t n = lp->n_rows;
    double *row = lp->inverse + n * lp->capacity;
    double sum = 0;
    memset(row, 0, lp->capacity * sizeof *row);
    lp->n_rows++; /* columns have entries in this row by now */
    for (size_t p = 0; p < n; p++) {
        size_t n_entries =
            lp->basic[p] < MGL_LP_OWN ? lp->column(lp->context, lp->basic[p], lp->entries) : 0;
        double value = 0;
        for (size_t i = 0; i < n_entries; i++)
            if (lp->entries[i].row == n)
                value = lp->entries[i].value;
        sum += value * lp->x[p];
        for (size_t r = 0; value != 0 && r < n; r++)
            row[r] += value * lp->inverse[p * lp->capacity + r];
    }
    lp->n_rows--;
    add_row(lp, most, sum - most);
    lp->cost[n] = sum > most ? lp->lack : 0;
    lp->basic[n] = sum > most ? MGL_LP_LACK : MGL_LP_LEFT;
    lp->is_sum[n] = true;
    lp->work += n * n;
    mgl_lp_find_duals(lp);
}

/* The column of what a row has left over has one entry, so that row and place can go. */
static void remove_row(mgl_lp *lp, size_t place, size_t row)
{
    size_t n = --lp->n_rows, c = lp->capacity;
    for (size_t p = place; p < n; p++) {
        memcpy(lp->inverse + p * c, lp->inverse + (p + 1) * c, c * sizeof *lp->inverse);
        lp->x[p] = lp->x[p + 1];
        lp->cost[p] = lp->cost[p + 1];
        lp->basic[p] = lp->basic[p + 1];
        lp->own[p] = lp->own[p + 1];
        lp->sign[p] = lp->sign[p + 1];
    }
    for (size_t p = 0; p < n; p++) {
        memmove(lp->inverse + p * c + row, lp->inverse + p * c + row + 1,
                (n - row) * sizeof *lp->inverse);
        if (lp->basic[p] >= MGL_LP_OWN && lp->own[p] > row)
            lp->own[p]--;
    }
    for (size_t r = row; r < n; r++) {
        lp->rhs[r] = lp->rhs[r + 1];
        lp->duals[r] = lp->duals[r + 1];
        lp->is_sum[r] = lp->is_sum[r + 1];
    }
}

void mgl_lp_drop_sums(mgl_lp *lp, size_t first, bool *kept)
{
    size_t last = lp->n_rows;
    for (size_t r = first; r < last; r++)
        kept[r - first] = true;
    for (size_t r = last; r-- > first;)
        for (size_t p = 0; p < lp->n_rows; p++)
            if (lp->basic[p] == MGL_LP_LEFT && lp->own[p] == r && lp->x[p] > UNEVEN) {
                remove_row(lp, p, r);
                kept[r - first] = false;
                break;
            }
}

/* Gauss and Jordan: columns of the basis on the left, the unit matrix on the right. */
static bool invert(double *m, size_t n)
{
    size_t width = 2 * n;
    for (size_t c = 0; c < n; c++) {
        size_t best = c;
        for (size_t r = c + 1; r < n; r++)
            if (fabs(m[r * width + c]) > fabs(m[best * width + c]))
                best = r;
        if (fabs(m[best * width + c]) < NOTHING)
            return false;
        for (size_t i = c; best != c && i < width; i++) {
            double kept = m[best * width + i];
            m[best * width + i] = m[c * width + i];
            m[c * width + i] = kept;
        }
        double divisor = m[c * width + c];
        for (size_t i = c; i < width; i++)
            m[c * width + i] /= divisor;
        for (size_t r = 0; r < n; r++) {
            double times = m[r * width + c];
            for (size_t i = c; r != c && times != 0 && i < width; i++)
                m[r * width + i] -= times * m[c * width + i];
        }
    }
    return true;
}

/* Back to where it began: every row lacks what it wants. */
static void start_again(mgl_lp *lp)
{
    size_t n = lp->n_rows;
    for (size_t p = 0; p < n; p++) {
        memset(lp->inverse + p * lp->capacity, 0, n * sizeof *lp->inverse);
        lp->inverse[p * lp->capacity + p] = 1;
        lp->x[p] = lp->rhs[p];
        lp->cost[p] = lp->is_sum[p] ? 0 : lp->lack;
        lp->basic[p] = lp->is_sum[p] ? MGL_LP_LEFT : MGL_LP_LACK;
        lp->own[p] = (uint32_t)p;
        lp->sign[p] = 1;
    }
}

static void take_inverse(mgl_lp *lp, const double *m)
{
    size_t n = lp->n_rows, width = 2 * n;
    bool feasible = true;
    for (size_t p = 0; p < n; p++) {
        const double *row = m + p * width + n;
        memcpy(lp->inverse + p * lp->capacity, row, n * sizeof *m);
        double sum = 0;
        for (size_t r = 0; r < n; r++)
            sum += row[r] * lp->rhs[r];
        feasible = feasible && sum > -INFEASIBLE;
        lp->x[p] = sum > 0 ? sum : 0;
    }
    if (!feasible)
        start_again(lp);
}

/* Makes the inverse anew; without memory the old one does. */
static void refresh(mgl_lp *lp)
{
    size_t n = lp->n_rows, width = 2 * n;
    double *m = mgl_zeroed_array(n, width * sizeof *m);
    lp->since = 0;
    if (m == NULL)
        return;
    for (size_t p = 0; p < n; p++) {
        size_t n_entries = 1;
        lp->entries[0] = (mgl_lp_entry){lp->own[p], lp->sign[p]};
        if (lp->basic[p] < MGL_LP_OWN)
            n_entries = lp->column(lp->context, lp->basic[p], lp->entries);
        for (size_t i = 0; i < n_entries; i++)
            m[lp->entries[i].row * width + p] = lp->entries[i].value;
        m[p * width + n + p] = 1;
    }
    if (invert(m, n))
        take_inverse(lp, m);
    else
        start_again(lp);
    mgl_free(m);
    lp->work += n * n * n / 2;
    mgl_lp_find_duals(lp);
}

double mgl_lp_reduced(mgl_lp *lp, uint32_t column, double cost)
{
    size_t n = lp->column(lp->context, column, lp->entries);
    for (size_t i = 0; i < n; i++)
        cost -= lp->duals[lp->entries[i].row] * lp->entries[i].value;
    lp->work += 4 * n;
    return cost;
}

/* Which place the column takes: the one whose value first falls to zero. n_rows: none does. */
static size_t find_place(const mgl_lp *lp, double *step)
{
    size_t place = lp->n_rows;
    *step = INFINITY;
    for (size_t p = 0; p < lp->n_rows; p++) {
        if (lp->direction[p] <= PIVOT)
            continue;
        double most = lp->x[p] / lp->direction[p];
        if (most < *step - TIE ||
            (most <= *step + TIE && lp->direction[p] > lp->direction[place])) {
            *step = most < *step ? most : *step;
            place = p;
        }
    }
    return place;
}

static void pivot(mgl_lp *lp, size_t place, double step, double reduced)
{
    size_t n = lp->n_rows, n_places = 0;
    double *row = lp->inverse + place * lp->capacity, divisor = lp->direction[place];
    for (size_t r = 0; r < n; r++) {
        row[r] = fabs(row[r]) > NOTHING ? row[r] / divisor : 0;
        if (row[r] != 0)
            lp->places[n_places++] = (uint32_t)r;
    }
    for (size_t p = 0; p < n; p++) {
        double times = lp->direction[p];
        if (p == place || times == 0)
            continue;
        double *other = lp->inverse + p * lp->capacity;
        for (size_t i = 0; i < n_places; i++)
            other[lp->places[i]] -= times * row[lp->places[i]];
        double x = lp->x[p] - times * step;
        lp->x[p] = x > 0 ? x : 0;
        lp->work += n_places;
    }
    lp->x[place] = step;
    for (size_t i = 0; i < n_places; i++)
        lp->duals[lp->places[i]] += reduced * row[lp->places[i]];
    lp->work += 8 * n;
}

static bool enter(mgl_lp *lp, size_t n_entries, uint32_t column, uint32_t own, double cost)
{
    double reduced = cost, step;
    for (size_t i = 0; i < n_entries; i++)
        reduced -= lp->duals[lp->entries[i].row] * lp->entries[i].value;
    for (size_t p = 0; p < lp->n_rows; p++) {
        const double *row = lp->inverse + p * lp->capacity;
        double sum = 0;
        for (size_t i = 0; i < n_entries; i++)
            sum += row[lp->entries[i].row] * lp->entries[i].value;
        lp->direction[p] = fabs(sum) > NOTHING ? sum : 0;
    }
    lp->work += lp->n_rows * n_entries;
    size_t place = find_place(lp, &step);
    if (place == lp->n_rows)
        return false; /* only by rounding: costs are positive */
    pivot(lp, place, step, reduced);
    lp->basic[place] = column;
    lp->own[place] = own;
    lp->sign[place] = 1;
    lp->cost[place] = cost;
    if (++lp->since >= REFRESH + 2 * lp->n_rows)
        refresh(lp);
    return true;
}

bool mgl_lp_enter(mgl_lp *lp, uint32_t column, double cost)
{
    return enter(lp, lp->column(lp->context, column, lp->entries), column, 0, cost);
}

bool mgl_lp_enter_left(mgl_lp *lp, double least)
{
    size_t best = lp->n_rows;
    for (size_t r = 0; r < lp->n_rows; r++)
        if (lp->is_sum[r] && lp->duals[r] > least) {
            best = r;
            least = lp->duals[r];
        }
    if (best == lp->n_rows)
        return false;
    lp->entries[0] = (mgl_lp_entry){(uint32_t)best, 1};
    return enter(lp, 1, MGL_LP_LEFT, (uint32_t)best, 0);
}
