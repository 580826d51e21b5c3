/* Writes costs as whole numbers: those of precision, loss and ncp are fractions, weights are
 * decimals, so that all of them are multiples of one fraction. steps.c and sets.c compute with
 * them. */
#include "proof/checks.h"

#include <stdlib.h>

/* A row that costs more than this is not counted in whole numbers. */
#define MOST (INT64_C(1) << 55)

static int64_t gcd(int64_t a, int64_t b)
{
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool times(int64_t a, int64_t b, int64_t *out)
{
    return !__builtin_mul_overflow(a, b, out) && *out < MOST;
}

/* digits * 10^-places is the number that was written. */
typedef struct decimal {
    int64_t digits;
    int places;
} decimal;

static bool parse_decimal(double value, decimal *out)
{
    char text[MGL_NUMBER_TEXT];
    bool point = false;
    const char *c = text;
    mgl_number_write_exact(value, text);
    *out = (decimal){0};
    for (; (*c >= '0' && *c <= '9') || *c == '.'; c++) {
        if (*c != '.' && (!times(out->digits, 10, &out->digits)))
            return false;
        out->digits += *c != '.' ? *c - '0' : 0;
        out->places += *c != '.' && point;
        point = point || *c == '.';
    }
    if (*c == 'e')
        out->places -= atoi(c + 1);
    return true;
}

/* The weights as whole numbers, each by 10^places. */
static bool find_weights(const mgl_proof *p, bool weighted, int64_t *weights, int *places)
{
    *places = 0;
    for (size_t a = 0; a < p->n_columns; a++) {
        decimal d;
        if (!parse_decimal(weighted ? p->columns[a].weight : 1, &d))
            return false;
        *places = d.places > *places ? d.places : *places;
    }
    for (size_t a = 0; a < p->n_columns; a++) {
        decimal d;
        parse_decimal(weighted ? p->columns[a].weight : 1, &d);
        weights[a] = d.digits;
        for (int i = d.places; i < *places; i++)
            if (!times(weights[a], 10, &weights[a]))
                return false;
    }
    return true;
}

static int64_t denominator(const mgl_proof *p, size_t a, bool levels)
{
    const mgl_proof_column *x = &p->columns[a];
    return levels ? x->height : x->n_leaves > 1 ? x->n_leaves - 1 : 1;
}

/* The least common multiple of the denominators. */
static bool find_common(const mgl_proof *p, bool levels, int64_t *out)
{
    *out = 1;
    for (size_t a = 0; a < p->n_columns; a++) {
        int64_t d = denominator(p, a, levels);
        if (!times(*out, d / gcd(*out, d), out))
            return false;
    }
    return true;
}

static bool price_values(const mgl_proof *p, size_t a, bool levels, const mgl_proof_counts *c,
                         int64_t each, int64_t *cost)
{
    for (uint32_t v = 0; v < p->columns[a].n_values; v++) {
        int64_t lost = c->leaves[v] == 0 ? 0 : levels ? c->lowest[v] : (int64_t)c->leaves[v] - 1;
        if (!times(lost, each, &cost[v]))
            return false;
    }
    return true;
}

/* Divides all costs by what they have in common. */
static int64_t reduce(const mgl_proof *p, int64_t **of)
{
    int64_t common = 0;
    for (size_t a = 0; a < p->n_columns; a++)
        for (uint32_t v = 0; v < p->columns[a].n_values; v++)
            common = gcd(of[a][v], common);
    for (size_t a = 0; common > 1 && a < p->n_columns; a++)
        for (uint32_t v = 0; v < p->columns[a].n_values; v++)
            of[a][v] /= common;
    return common;
}

static mgl_status fill(const mgl_proof *p, bool levels, const int64_t *weights, int64_t common,
                       mgl_error *err, mgl_proof_whole *out)
{
    for (size_t a = 0; out->known && a < p->n_columns; a++) {
        mgl_proof_counts counts;
        int64_t each;
        mgl_status status = mgl_proof_counts_find(p, a, err, &counts);
        if (status == MGL_OK)
            out->known = times(weights[a], common / denominator(p, a, levels), &each) &&
                         price_values(p, a, levels, &counts, each, out->of[a]);
        mgl_proof_counts_free(&counts);
        MGL_TRY(status);
    }
    return MGL_OK;
}

static void finish(const mgl_proof *p, int64_t common, int places, mgl_proof_whole *out)
{
    int64_t step = reduce(p, out->of);
    out->unit = (double)step / (double)common;
    for (int i = 0; i < places; i++)
        out->unit /= 10;
    for (size_t a = 0; a < p->n_columns; a++)
        out->top += out->of[a][p->columns[a].value[p->columns[a].height][0]];
    out->known = step > 0 && out->top < MOST;
}

static mgl_status find_exact(const mgl_proof *p, mgl_error *err, mgl_proof_whole *out)
{
    bool levels, weighted;
    int places;
    int64_t common;
    *out = (mgl_proof_whole){.of = mgl_zeroed_array(p->n_columns, sizeof *out->of)};
    int64_t *weights = mgl_alloc_array(p->n_columns, sizeof *weights);
    bool room = out->of != NULL && weights != NULL;
    for (size_t a = 0; room && a < p->n_columns; a++) {
        out->of[a] = mgl_zeroed_array(p->columns[a].n_values, sizeof **out->of);
        room = out->of[a] != NULL;
    }
    mgl_status status = room ? MGL_OK : mgl_fail_memory(err);
    out->known = room && mgl_proof_is_fraction(p, &levels, &weighted) &&
                 find_weights(p, weighted, weights, &places) && find_common(p, levels, &common);
    if (out->known)
        status = fill(p, levels, weights, common, err, out);
    if (status == MGL_OK && out->known)
        finish(p, common, places, out);
    mgl_free(weights);
    return status;
}

/* Fewer digits than the costs of rows have, so that sums over many rows can be written down. */
static mgl_status find_rounded(const mgl_proof *p, mgl_error *err, mgl_proof_whole *out)
{
    enum { LESS = 1 << 10 };
    mgl_proof_costs costs;
    mgl_status status = mgl_proof_costs_find(p, err, &costs);
    *out = (mgl_proof_whole){.of = costs.of, .unit = mgl_proof_total(p) * LESS / MGL_PROOF_UNIT};
    MGL_TRY(status); /* the caller frees what was found so far */
    for (size_t a = 0; a < p->n_columns; a++) {
        for (uint32_t v = 0; v < p->columns[a].n_values; v++)
            out->of[a][v] /= LESS;
        out->top += out->of[a][p->columns[a].value[p->columns[a].height][0]];
    }
    out->known = out->unit > 0;
    return MGL_OK;
}

mgl_status mgl_proof_whole_find(const mgl_proof *p, bool rounded, mgl_error *err,
                                mgl_proof_whole *out)
{
    return rounded ? find_rounded(p, err, out) : find_exact(p, err, out);
}

void mgl_proof_whole_free(mgl_proof_whole *whole, size_t n_columns)
{
    for (size_t a = 0; whole->of != NULL && a < n_columns; a++)
        mgl_free(whole->of[a]);
    mgl_free(whole->of);
}

mgl_status mgl_proof_whole_unit(const mgl_proof *p, bool rounded, mgl_error *err, double *out)
{
    mgl_proof_whole whole;
    mgl_status status = mgl_proof_whole_find(p, rounded, err, &whole);
    *out = status == MGL_OK && whole.known ? whole.unit : 0;
    mgl_proof_whole_free(&whole, p->n_columns);
    return status;
}
