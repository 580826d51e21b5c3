/* Says what models demand of a class. Each holds for every superset of a class for which it holds,
 * so that a box whose tuples all together do not meet it has no class that does. The checks of
 * boxes, classes and sets call it. */
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

static uint64_t distinct_needed(const mgl_proof *p, size_t sensitive)
{
    uint64_t most = 0;
    for (size_t i = 0; i < p->n_models; i++)
        for (size_t j = 0; j < p->models[i].n_sensitive; j++)
            if (p->models[i].sensitive[j] == sensitive && p->models[i].parameter > (double)most)
                most = (uint64_t)p->models[i].parameter;
    return most;
}

mgl_status mgl_proof_demand_init(mgl_proof_demand *d, const mgl_proof *p, mgl_error *err)
{
    uint32_t codes = 0;
    *d = (mgl_proof_demand){.proof = p, .rows = rows_needed(p)};
    d->distinct = mgl_alloc_array(p->n_sensitive, sizeof *d->distinct);
    if (d->distinct == NULL)
        return mgl_fail_memory(err);
    for (size_t s = 0; s < p->n_sensitive; s++) {
        d->distinct[s] = distinct_needed(p, s);
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
