/* What models demand of a class. Each holds for every superset of a class for which it holds, so
 * that a box whose tuples all together do not meet it has no class that does. */
#include "proof/parts.h"

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

uint64_t mgl_proof_rows_needed(const mgl_proof *p)
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

uint64_t mgl_proof_distinct_needed(const mgl_proof *p, size_t sensitive)
{
    uint64_t most = 0;
    for (size_t i = 0; i < p->n_models; i++)
        for (size_t j = 0; j < p->models[i].n_sensitive; j++)
            if (p->models[i].sensitive[j] == sensitive && p->models[i].parameter > (double)most)
                most = (uint64_t)p->models[i].parameter;
    return most;
}
