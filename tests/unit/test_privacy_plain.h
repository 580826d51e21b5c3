/* The formulas of docs/definitions.md#models, written out plainly over all values. */
#ifndef TEST_PRIVACY_PLAIN_H
#define TEST_PRIVACY_PLAIN_H

#include "test_privacy.h"

enum { HEIGHT = 3 }; /* of every hierarchy here */

typedef struct plain {
    int n;                         /* values of the dictionary */
    const uint64_t *table, *class; /* by code */
    const uint32_t *order;         /* by rank, absent values among them */
    uint32_t **of_leaf;            /* [level][code] */
    double N, size;
} plain;

static inline double p_of(const plain *x, int v)
{
    return (double)x->class[v] / x->size;
}

static inline double q_of(const plain *x, int v)
{
    return (double)x->table[v] / x->N;
}

static inline double plain_distinct(const plain *x)
{
    int found = 0;
    for (int v = 0; v < x->n; v++)
        found += x->class[v] > 0;
    return found;
}

static inline double plain_entropy(const plain *x)
{
    double entropy = 0;
    for (int v = 0; v < x->n; v++)
        if (x->class[v] > 0)
            entropy -= p_of(x, v) * log(p_of(x, v));
    return exp(entropy);
}

static inline int descending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x < y) - (x > y);
}

static inline double plain_recursive(const plain *x, int l)
{
    if (plain_distinct(x) < l)
        return INFINITY;
    uint64_t *r = malloc((size_t)x->n * sizeof *r);
    memcpy(r, x->class, (size_t)x->n * sizeof *r);
    qsort(r, (size_t)x->n, sizeof *r, descending);
    double rest = 0;
    for (int i = l - 1; i < x->n; i++)
        rest += (double)r[i];
    double c = (double)r[0] / rest;
    free(r);
    return c;
}

static inline double plain_alpha(const plain *x)
{
    double most = 0;
    for (int v = 0; v < x->n; v++)
        most = fmax(most, p_of(x, v));
    return most;
}

static inline double plain_equal(const plain *x)
{
    double sum = 0;
    for (int v = 0; v < x->n; v++)
        sum += fabs(p_of(x, v) - q_of(x, v));
    return sum / 2;
}

static inline double plain_ordered(const plain *x)
{
    double sum = 0, difference = 0;
    int d = 0;
    for (int rank = 0; rank < x->n; rank++) {
        int v = (int)x->order[rank];
        if (x->table[v] == 0)
            continue;
        d++;
        difference += p_of(x, v) - q_of(x, v);
        sum += fabs(difference);
    }
    return d < 2 ? 0 : sum / (d - 1);
}

/* Every inner node costs (height/H) * min(positive, negative excess of its children). */
static inline double plain_hierarchical(const plain *x)
{
    double cost = 0, *excess = malloc((size_t)x->n * sizeof *excess);
    double *positive = malloc((size_t)x->n * sizeof *positive);
    double *negative = malloc((size_t)x->n * sizeof *negative);
    for (int h = 1; h <= HEIGHT; h++) {
        for (int i = 0; i < x->n; i++)
            excess[i] = positive[i] = negative[i] = 0;
        for (int v = 0; v < x->n; v++)
            excess[x->of_leaf[h - 1][v]] += p_of(x, v) - q_of(x, v);
        for (int v = 0; v < x->n; v++) { /* a child is met once, at the first leaf under it */
            uint32_t child = x->of_leaf[h - 1][v], parent = x->of_leaf[h][v];
            positive[parent] += fmax(excess[child], 0);
            negative[parent] += fmax(-excess[child], 0);
            excess[child] = 0;
        }
        for (int i = 0; i < x->n; i++)
            cost += (double)h / HEIGHT * fmin(positive[i], negative[i]);
    }
    free(excess);
    free(positive);
    free(negative);
    return cost;
}

static inline double plain_delta(const plain *x)
{
    double most = 0;
    for (int v = 0; v < x->n; v++) {
        if (x->table[v] == 0)
            continue;
        if (x->class[v] == 0)
            return INFINITY;
        most = fmax(most, fabs(log(p_of(x, v) / q_of(x, v))));
    }
    return most;
}

static inline double plain_beta(const plain *x, bool enhanced)
{
    double most = 0;
    for (int v = 0; v < x->n; v++) {
        if (!(p_of(x, v) > q_of(x, v)))
            continue;
        double gain = (p_of(x, v) - q_of(x, v)) / q_of(x, v);
        if (enhanced && gain > -log(q_of(x, v)) + 1e-12)
            return INFINITY;
        most = fmax(most, gain);
    }
    return most;
}

#endif
