/* Searches a lattice that was evaluated node by node, as docs/definitions.md#searches says.
 * test_bruteforce.c compares the methods with it. */
#include "brute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void brute_lattice_make(const brute_case *c, brute_lattice *out)
{
    int size = 1, level[BRUTE_ATTRIBUTES];
    for (int a = 0; a < c->n_attributes; a++) {
        size *= c->max_level[a] - c->min_level[a] + 1;
        level[a] = c->min_level[a];
    }
    out->n_nodes = size;
    out->nodes = malloc((size_t)size * sizeof *out->nodes);
    if (out->nodes == NULL)
        abort();
    for (int i = 0; i < size; i++) {
        brute_evaluate(c, level, &out->nodes[i]);
        for (int a = c->n_attributes; a-- > 0;) {
            if (level[a] < c->max_level[a]) {
                level[a]++;
                break;
            }
            level[a] = c->min_level[a];
        }
    }
}

void brute_lattice_free(brute_lattice *lattice)
{
    free(lattice->nodes);
}

static bool lies_below(const brute_case *c, const brute_node *low, const brute_node *high)
{
    for (int a = 0; a < c->n_attributes; a++)
        if (low->level[a] > high->level[a])
            return false;
    return low != high;
}

bool brute_is_minimal(const brute_case *c, const brute_lattice *lattice, int number)
{
    if (!lattice->nodes[number].holds)
        return false;
    for (int i = 0; i < lattice->n_nodes; i++)
        if (lattice->nodes[i].holds && lies_below(c, &lattice->nodes[i], &lattice->nodes[number]))
            return false;
    return true;
}

/* ---- The choice -------------------------------------------------------------------------- */

double brute_cost(brute_measure measure, const brute_node *node)
{
    return measure == BRUTE_PRECISION ? -node->value[measure] : node->value[measure];
}

bool brute_ties(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static double charge(const brute_case *c, int criterion, const brute_node *node)
{
    switch (c->prefer[criterion]) {
    case BRUTE_ABSOLUTE:
        return node->value[BRUTE_HEIGHT];
    case BRUTE_RELATIVE:
        return node->value[BRUTE_RELATIVE_HEIGHT];
    case BRUTE_DISTRIBUTION:
        return -node->distinct_tuples;
    case BRUTE_SUPPRESSION:
        return node->suppressed_rows;
    default:
        return brute_cost(c->prefer_measure[criterion], node);
    }
}

/* Keeps the candidates whose charge is the least; returns how many. kind -1: the measure,
 * -2: the height, otherwise a criterion. */
static int keep_best(const brute_case *c, const brute_lattice *lattice, int kind, bool *candidate)
{
    double least = INFINITY;
    int n = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < lattice->n_nodes; i++) {
            const brute_node *node = &lattice->nodes[i];
            if (!candidate[i])
                continue;
            double cost = kind == -1   ? brute_cost(c->measure, node)
                          : kind == -2 ? node->value[BRUTE_HEIGHT]
                                       : charge(c, kind, node);
            if (pass == 0)
                least = cost < least ? cost : least;
            else
                n += candidate[i] = brute_ties(cost, least);
        }
    return n;
}

static int first_of(const brute_lattice *lattice, const bool *candidate)
{
    for (int i = 0; i < lattice->n_nodes; i++) /* nodes are in lexicographic order */
        if (candidate[i])
            return i;
    return -1;
}

static bool *holding(const brute_lattice *lattice)
{
    bool *candidate = malloc((size_t)lattice->n_nodes);
    if (candidate == NULL)
        abort();
    for (int i = 0; i < lattice->n_nodes; i++)
        candidate[i] = lattice->nodes[i].holds;
    return candidate;
}

/* By height: nodes at which all rows are suppressed are the top node, so others go first. */
static void prefer_rows_below_top(const brute_case *c, const brute_lattice *lattice,
                                  bool *candidate)
{
    bool any = false;
    for (int i = 0; i < lattice->n_nodes; i++)
        any = any || (candidate[i] && lattice->nodes[i].suppressed_rows < c->n_rows);
    for (int i = 0; i < lattice->n_nodes; i++)
        candidate[i] = candidate[i] && (!any || lattice->nodes[i].suppressed_rows < c->n_rows);
}

int brute_mingen(const brute_case *c, const brute_lattice *lattice, int *n_ties)
{
    bool *candidate = holding(lattice);
    if (c->measure == BRUTE_HEIGHT)
        prefer_rows_below_top(c, lattice, candidate);
    *n_ties = keep_best(c, lattice, -1, candidate);
    for (int p = 0; p < c->n_prefer; p++)
        keep_best(c, lattice, p, candidate);
    keep_best(c, lattice, -2, candidate);
    int chosen = first_of(lattice, candidate);
    free(candidate);
    return chosen;
}

int brute_incognito(const brute_case *c, const brute_lattice *lattice, int *n_ties)
{
    bool *candidate = holding(lattice);
    for (int i = 0; i < lattice->n_nodes; i++)
        candidate[i] = brute_is_minimal(c, lattice, i);
    *n_ties = keep_best(c, lattice, -1, candidate);
    for (int p = 0; p < c->n_prefer; p++)
        keep_best(c, lattice, p, candidate);
    keep_best(c, lattice, -2, candidate);
    int chosen = first_of(lattice, candidate);
    free(candidate);
    return chosen;
}

int brute_samarati(const brute_case *c, const brute_lattice *lattice, int *n_candidates)
{
    bool *candidate = holding(lattice);
    *n_candidates = keep_best(c, lattice, -2, candidate);
    for (int p = 0; p < c->n_prefer; p++)
        keep_best(c, lattice, p, candidate);
    keep_best(c, lattice, -1, candidate);
    int chosen = first_of(lattice, candidate);
    free(candidate);
    return chosen;
}

/* ---- Datafly -------------------------------------------------------------------------------- */

static int number_of(const brute_case *c, const int *level)
{
    int number = 0;
    for (int a = 0; a < c->n_attributes; a++)
        number = number * (c->max_level[a] - c->min_level[a] + 1) + level[a] - c->min_level[a];
    return number;
}

static int distinct_values(const brute_case *c, const int *level, int a)
{
    int n = 0;
    for (int r = 0; r < c->n_rows; r++) {
        bool first = true;
        for (int s = 0; s < r; s++)
            first = first && c->hierarchies[a].text[level[a]][c->leaf[r][a]] !=
                                 c->hierarchies[a].text[level[a]][c->leaf[s][a]];
        n += first;
    }
    return n;
}

int brute_datafly(const brute_case *c, const brute_lattice *lattice)
{
    int level[BRUTE_ATTRIBUTES];
    memcpy(level, c->min_level, sizeof level);
    for (;;) {
        const brute_node *node = &lattice->nodes[number_of(c, level)];
        bool enough = c->limited ? node->holds : node->violating_rows <= c->k;
        if (enough)
            break;
        int chosen = -1;
        double most = 0;
        for (int a = 0; a < c->n_attributes; a++) {
            double weighted = distinct_values(c, level, a) * c->preference[a];
            if (level[a] < c->max_level[a] && (chosen < 0 || weighted > most)) {
                chosen = a;
                most = weighted;
            }
        }
        if (chosen < 0)
            break;
        level[chosen]++;
    }
    int number = number_of(c, level);
    const brute_node *node = &lattice->nodes[number];
    return node->met && (!c->limited || node->holds) ? number : -1;
}
