/* Makes random problems with sensitive attributes. test_by_value.c and test_records.c call it. */
#include "sensitive_problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_CHOSEN = 4, MOST_VALUES = 900 };

/* Each tuple has one to four values; some attributes lean towards a value of their own for
 * each region of the table, so that classes differ. */
static void make_histogram(mgl_frequency_list *list, mgl_sparse *out, uint32_t n_values,
                           mgl_random *random)
{
    size_t n = list->n_tuples, at = 0;
    uint64_t lean = mgl_random_below(random, 4);
    out->n_values = n_values;
    out->start = mgl_alloc_array(n + 1, sizeof *out->start);
    out->values = mgl_alloc_array(4 * n, sizeof *out->values);
    out->counts = mgl_alloc_array(4 * n, sizeof *out->counts);
    for (size_t t = 0; t < n; t++) {
        uint64_t left = list->counts[t];
        uint32_t value = (uint32_t)mgl_random_below(random, n_values);
        if (mgl_random_below(random, 4) < lean)
            value = (uint32_t)(t * n_values / n);
        out->start[t] = at;
        for (int i = 0; i < 4 && left > 0 && value < n_values; i++) {
            bool last = i == 3 || value + 1 == n_values || mgl_random_below(random, 2);
            uint64_t count = last ? left : 1 + mgl_random_below(random, left);
            out->values[at] = value;
            out->counts[at++] = count;
            left -= count;
            value += 1 + (uint32_t)mgl_random_below(random, n_values - value);
            value = value >= n_values && left > 0 && out->values[at - 1] + 1 < n_values
                        ? n_values - 1
                        : value;
        }
        if (left > 0)
            out->counts[at - 1] += left;
    }
    out->start[n] = at;
}

double random_fraction(mgl_random *random)
{
    return (double)mgl_random_below(random, 1001) / 1000;
}

static void choose_model(sensitive_problem *p, mgl_model *model, mgl_random *random)
{
    static const char *const names[] = {
        "l-diversity", "entropy-l",     "recursive-cl", "p-sensitive",
        "alpha",       "t-closeness",   "beta",         "extended-p-sensitive",
        "max-risk",    "enhanced-beta", "t-closeness",  "delta-disclosure"};
    const char *name = names[mgl_random_below(random, 12)];
    uint32_t attribute = (uint32_t)mgl_random_below(random, p->random.list->n_sensitive);
    const mgl_sensitive *s = &p->facts.attributes[attribute];
    *model = (mgl_model){
        .type = mgl_model_type_find(name), .attribute = attribute, .facts = &p->facts.facts};
    double *parameter = model->parameters;
    double some = 1 + (double)mgl_random_below(random, s->n_present < 6 ? s->n_present : 6);
    if (strcmp(name, "entropy-l") == 0)
        parameter[0] = fmin(1 + random_fraction(random) * 3, s->n_present);
    else if (strcmp(name, "recursive-cl") == 0)
        parameter[0] = 0.5 + 4 * random_fraction(random), parameter[1] = some;
    else if (strcmp(name, "alpha") == 0 || strcmp(name, "max-risk") == 0)
        parameter[0] = random_fraction(random);
    else if (strcmp(name, "t-closeness") == 0)
        parameter[0] = random_fraction(random) * 0.8,
        parameter[1] = (double)mgl_random_below(random, s->hierarchy != NULL ? 3 : 2);
    else if (strstr(name, "beta") != NULL)
        parameter[0] = random_fraction(random) * 5;
    else if (strcmp(name, "delta-disclosure") == 0)
        parameter[0] = 0.1 + random_fraction(random) * 3;
    else
        parameter[0] = some;
    size_t at = strlen(p->told);
    snprintf(p->told + at, sizeof p->told - at, " %s(%g,%g)@%u", name, parameter[0], parameter[1],
             attribute);
}

static void make_models(sensitive_problem *p, mgl_random *random)
{
    size_t n = 0;
    if (mgl_random_below(random, 3)) {
        p->models[n++] = p->random.model;
        if (p->random.problem.k > 20 && mgl_random_below(random, 2))
            p->models[0].parameters[0] = 3;
    }
    size_t others = 1 + (mgl_random_below(random, 3) == 0 ? mgl_random_below(random, 3) : 0);
    for (size_t i = 0; i < others && n < MOST_CHOSEN; i++)
        choose_model(p, &p->models[n++], random);
    p->random.set.models = p->models;
    p->random.set.n_models = n;
    p->random.problem.sets = &p->random.set;
}

bool sensitive_problem_make(sensitive_problem *p, uint64_t seed)
{
    *p = (sensitive_problem){0};
    mgl_random random;
    mgl_random_seed(&random, seed + 5000000);
    if (!random_problem_make(&p->random, seed))
        return false;
    mgl_frequency_list *list = p->random.list;
    size_t n = 1 + mgl_random_below(&random, SENSITIVE_ATTRIBUTES);
    mgl_free(list->sensitive); /* of none */
    list->sensitive = mgl_zeroed_array(n, sizeof *list->sensitive);
    list->n_sensitive = list->n_judged = list->n_histograms = n;
    for (size_t s = 0; s < n; s++) {
        uint32_t n_values = 1 + (uint32_t)mgl_random_below(&random, 8);
        if (mgl_random_below(&random, 6) == 0)
            n_values = 1 + (uint32_t)mgl_random_below(&random, MOST_VALUES);
        make_histogram(list, &list->sensitive[s], n_values, &random);
        if (n_values < 100)
            p->hierarchies[s] = random_hierarchy(&random, n_values, 1 + n_values % 3);
        p->strong[s] = mgl_alloc_array(n_values, sizeof **p->strong);
        for (uint32_t v = 0; v < n_values; v++)
            p->strong[s][v] = (uint32_t)mgl_random_below(&random, n_values);
    }
    if (!sensitive_facts_make(&p->facts, list, (const mgl_hierarchy *const *)p->hierarchies,
                              p->strong))
        return false;
    make_models(p, &random);
    return true;
}

void sensitive_problem_free(sensitive_problem *p)
{
    sensitive_facts_free(&p->facts);
    for (size_t s = 0; s < SENSITIVE_ATTRIBUTES; s++) {
        if (p->hierarchies[s] != NULL)
            mgl_arena_free(p->hierarchies[s]->arena);
        mgl_free(p->strong[s]);
    }
    random_problem_free(&p->random);
}
