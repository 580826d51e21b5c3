/* Demands and costs as certificates define them: what a class must have and what it costs, in
 * definitions of their own. */
#include "proof/checks.h"

#include <math.h>

typedef enum demand { SIZE, RISK, DISTINCT } demand;

static const struct known {
    const char *model, *parameter;
    demand demand;
} known[] = {{"k-anonymity", "k", SIZE},
             {"max-risk", "x", RISK},
             {"l-diversity", "l", DISTINCT},
             {"p-sensitive", "p", DISTINCT},
             {"extended-p-sensitive", "p", DISTINCT}};

static const struct known *find(const char *model)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(known[i].model, model) == 0)
            return &known[i];
    return NULL;
}

const char *mgl_proof_parameter(const char *model)
{
    const struct known *found = find(model);
    return found != NULL ? found->parameter : NULL;
}

/* The least size with 1/size <= x, within a relative 1e-12. */
static uint64_t size_for_risk(double x)
{
    return x > 0 ? (uint64_t)ceil(1 / x * (1 - 1e-12)) : 0;
}

static uint64_t rows_needed(const mgl_proof *p)
{
    uint64_t most = 1;
    for (size_t i = 0; i < p->n_models; i++) {
        demand demand = find(p->models[i].model)->demand;
        double parameter = p->models[i].parameter;
        uint64_t rows = demand == RISK ? size_for_risk(parameter) : (uint64_t)parameter;
        most = rows > most ? rows : most; /* so many different values are at least so many rows */
    }
    return most;
}

mgl_status mgl_proof_demand_init(mgl_proof_demand *d, const mgl_proof *p, mgl_error *err)
{
    uint32_t codes = 0;
    *d = (mgl_proof_demand){.proof = p, .rows = rows_needed(p)};
    MGL_TRY(mgl_new_array(p->n_sensitive, sizeof *d->distinct, err, &d->distinct));
    for (size_t s = 0; s < p->n_sensitive; s++) {
        uint64_t most = 0;
        for (size_t i = 0; i < p->n_models; i++)
            for (size_t j = 0; j < p->models[i].n_sensitive; j++)
                if (p->models[i].sensitive[j] == s && p->models[i].parameter > (double)most)
                    most = (uint64_t)p->models[i].parameter;
        d->distinct[s] = most;
        d->looks = d->looks || d->distinct[s] > 0;
        for (size_t i = 0; i < p->sensitive[s].start[p->n_tuples]; i++)
            codes = p->sensitive[s].codes[i] >= codes ? p->sensitive[s].codes[i] + 1 : codes;
    }
    d->seen = mgl_zeroed_array(codes, sizeof *d->seen);
    return d->seen == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_proof_demand_free(mgl_proof_demand *d)
{
    mgl_free(d->distinct);
    mgl_free(d->seen);
}

static bool has_rows(const mgl_proof_demand *d, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < n && rows < d->rows; i++)
        rows += d->proof->counts[tuples[i]];
    return rows >= d->rows;
}

static bool has_values(mgl_proof_demand *d, const mgl_proof_sensitive *s, uint64_t wanted,
                       const uint32_t *tuples, size_t n)
{
    uint64_t found = 0;
    if (++d->look == 0)
        d->look = 1;
    for (size_t i = 0; i < n && found < wanted; i++)
        for (size_t j = s->start[tuples[i]]; j < s->start[tuples[i] + 1]; j++) {
            found += d->seen[s->codes[j]] != d->look;
            d->seen[s->codes[j]] = d->look;
        }
    return found >= wanted;
}

bool mgl_proof_can_hold(mgl_proof_demand *d, const uint32_t *tuples, size_t n)
{
    if (!has_rows(d, tuples, n))
        return false;
    for (size_t s = 0; s < d->proof->n_sensitive; s++)
        if (d->distinct[s] > 0 &&
            !has_values(d, &d->proof->sensitive[s], d->distinct[s], tuples, n))
            return false;
    return true;
}

typedef enum kind { LEVELS, LEAVES, ROWS } kind;

static const struct measure {
    const char *key;
    kind kind;
    bool weighted, rises;
} measures[] = {{"precision", LEVELS, true, true},
                {"loss", LEAVES, false, false},
                {"ncp", LEAVES, true, false},
                {"nonuniform_entropy", ROWS, false, false}};

static const struct measure *find_measure(const char *key)
{
    for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++)
        if (strcmp(measures[i].key, key) == 0)
            return &measures[i];
    return NULL;
}

bool mgl_proof_knows_measure(const char *measure)
{
    return find_measure(measure) != NULL;
}

bool mgl_proof_rises(const mgl_proof *proof)
{
    return find_measure(proof->measure)->rises;
}

bool mgl_proof_is_fraction(const mgl_proof *p, bool *levels, bool *weighted)
{
    const struct measure *measure = find_measure(p->measure);
    *levels = measure->kind == LEVELS;
    *weighted = measure->weighted;
    return measure->kind != ROWS;
}

static double weight_of(const mgl_proof *p, size_t a)
{
    return find_measure(p->measure)->weighted ? p->columns[a].weight : 1;
}

/* What a row at the top costs in the measure's own terms, if every column has two values or more.
 */
double mgl_proof_total(const mgl_proof *p)
{
    double sum = 0;
    for (size_t a = 0; a < p->n_columns; a++)
        sum += weight_of(p, a);
    return find_measure(p->measure)->kind == ROWS ? sum * log2((double)p->n_rows) : sum;
}

/* Units that are taken off the cost of a cell, since it is computed in double precision. */
static double off(const mgl_proof *p)
{
    return floor((double)(p->n_columns + 4) / 4) + 2;
}

int64_t mgl_proof_price(const mgl_proof *p, double price)
{
    double total = mgl_proof_total(p), margin = ((double)p->n_columns + 1) * (off(p) + 2);
    return (int64_t)((total > 0 ? floor(MGL_PROOF_UNIT * (price / total)) : 0) - margin);
}

static void count_level(const mgl_proof *p, size_t a, uint32_t level, const uint64_t *rows_of_leaf,
                        mgl_proof_counts *c)
{
    const mgl_proof_column *x = &p->columns[a];
    for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
        uint32_t v = x->value[level][leaf];
        if (c->leaves[v] == 0)
            c->lowest[v] = level;
        if (c->lowest[v] != level)
            continue;
        c->leaves[v]++;
        c->rows[v] += rows_of_leaf[leaf];
    }
}

static double share_of(kind kind, const mgl_proof_column *x, const mgl_proof_counts *c, uint32_t v)
{
    switch (kind) {
    case LEVELS:
        return (double)c->lowest[v] / x->height;
    case LEAVES:
        return x->n_leaves > 1 ? (double)(c->leaves[v] - 1) / (double)(x->n_leaves - 1) : 0;
    default:
        return c->rows[v] > 0 ? log2((double)c->rows[v]) : 0;
    }
}

static void price_values(const mgl_proof *p, size_t a, const mgl_proof_counts *c, int64_t *cost)
{
    const mgl_proof_column *x = &p->columns[a];
    double total = mgl_proof_total(p), weight = weight_of(p, a);
    for (uint32_t v = 0; v < x->n_values; v++) {
        double share = c->leaves[v] > 0 ? share_of(find_measure(p->measure)->kind, x, c, v) : 0;
        double units = total > 0 ? floor(MGL_PROOF_UNIT * (weight * share / total)) - off(p) : 0;
        cost[v] = units > 0 ? (int64_t)units : 0;
    }
}

mgl_status mgl_proof_counts_find(const mgl_proof *p, size_t a, mgl_error *err,
                                 mgl_proof_counts *out)
{
    const mgl_proof_column *x = &p->columns[a];
    uint64_t *rows_of_leaf = mgl_zeroed_array(x->n_leaves, sizeof *rows_of_leaf);
    *out = (mgl_proof_counts){mgl_zeroed_array(x->n_values, sizeof *out->lowest),
                              mgl_zeroed_array(x->n_values, sizeof *out->leaves),
                              mgl_zeroed_array(x->n_values, sizeof *out->rows)};
    bool room =
        rows_of_leaf != NULL && out->lowest != NULL && out->leaves != NULL && out->rows != NULL;
    for (size_t t = 0; room && t < p->n_tuples; t++)
        rows_of_leaf[p->leaves[t * p->n_columns + a]] += p->counts[t];
    for (uint32_t l = 0; room && l <= x->height; l++)
        count_level(p, a, l, rows_of_leaf, out);
    mgl_free(rows_of_leaf);
    return room ? MGL_OK : mgl_fail_memory(err);
}

void mgl_proof_counts_free(mgl_proof_counts *counts)
{
    mgl_free(counts->lowest);
    mgl_free(counts->leaves);
    mgl_free(counts->rows);
}

mgl_status mgl_proof_costs_find(const mgl_proof *p, mgl_error *err, mgl_proof_costs *out)
{
    *out = (mgl_proof_costs){.of = mgl_zeroed_array(p->n_columns, sizeof *out->of)};
    MGL_TRY(mgl_check_memory(out->of != NULL, err));
    for (size_t a = 0; a < p->n_columns; a++) {
        const mgl_proof_column *x = &p->columns[a];
        MGL_TRY(mgl_new_array(x->n_values, sizeof **out->of, err, &out->of[a]));
        mgl_proof_counts c;
        mgl_status status = mgl_proof_counts_find(p, a, err, &c);
        if (status == MGL_OK)
            price_values(p, a, &c, out->of[a]);
        mgl_proof_counts_free(&c);
        MGL_TRY(status);
        out->top += out->of[a][x->value[x->height][0]];
    }
    return MGL_OK;
}

void mgl_proof_costs_free(mgl_proof_costs *costs, size_t n_columns)
{
    for (size_t a = 0; costs->of != NULL && a < n_columns; a++)
        mgl_free(costs->of[a]);
    mgl_free(costs->of);
}

/* Of the cells as they are, which non-uniform entropy compares with. */
static double original_bits(const mgl_proof *p)
{
    double sum = 0;
    for (size_t a = 0; a < p->n_columns; a++) {
        uint64_t *rows = mgl_zeroed_array(p->columns[a].n_leaves, sizeof *rows);
        if (rows == NULL)
            return NAN;
        for (size_t t = 0; t < p->n_tuples; t++)
            rows[p->leaves[t * p->n_columns + a]] += p->counts[t];
        for (uint32_t leaf = 0; leaf < p->columns[a].n_leaves; leaf++)
            sum += rows[leaf] > 0 ? (double)rows[leaf] * log2((double)rows[leaf]) : 0;
        mgl_free(rows);
    }
    return sum;
}

double mgl_proof_value(const mgl_proof *p, double cost)
{
    double share = cost / (double)p->n_rows;
    if (find_measure(p->measure)->kind == ROWS)
        return share * (double)p->n_rows * mgl_proof_total(p) - original_bits(p);
    return mgl_proof_rises(p) ? 1 - share : share;
}

double mgl_proof_cost(const mgl_proof *p, double value)
{
    if (find_measure(p->measure)->kind == ROWS)
        return (value + original_bits(p)) / mgl_proof_total(p);
    return (mgl_proof_rises(p) ? 1 - value : value) * (double)p->n_rows;
}

/* Prices lie a few units below what a search proves, and values are rounded to double precision.
 * Costs that are no fractions are rounded by searches, to 2^-30 of the top for each cell. */
#define ROUNDING 1e-9
#define ROUNDING_OF_BITS 0x1p-29

bool mgl_proof_supports(const mgl_proof *p, double proved, double claimed)
{
    double most = fmax(1, fmax(fabs(proved), fabs(claimed))) * ROUNDING;
    if (find_measure(p->measure)->kind == ROWS)
        most = fmax(most, (double)p->n_rows * mgl_proof_total(p) * (double)p->n_columns *
                              ROUNDING_OF_BITS);
    double better = mgl_proof_rises(p) ? proved - claimed : claimed - proved;
    return better <= most;
}
