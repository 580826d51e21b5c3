/* Suppresses rows under any models, row by row (docs/definitions.md#suppression). Tests compare
 * what searches suppress with it. */
#include "brute_models.h"

#include <stdlib.h>
#include <string.h>

static bool is_under(const brute_case *c, int a, int text, int leaf)
{
    const brute_hierarchy *h = &c->hierarchies[a];
    return h->text[h->lowest[text]][leaf] == text;
}

/* Rows of the population that the released tuple of row r could be. */
static int count_matching(const brute_table *t, const brute_node *n, int set, int r)
{
    const brute_case *c = &t->c;
    int matching = 0;
    for (int i = 0; i < t->n_population; i++) {
        bool matches = true;
        for (int a = 0; matches && a < c->n_attributes; a++)
            matches = (set >= 0 && !c->in_set[set][a]) ||
                      is_under(c, a, n->released[r][a], c->leaf[t->population[i]][a]);
        matching += matches;
    }
    return matching;
}

int brute_node_classes(const brute_table *t, const brute_node *n, int set, const bool *left_out,
                       brute_rows *classes)
{
    int n_classes = 0;
    for (int r = 0; r < t->c.n_rows; r++) {
        if (left_out[r])
            continue;
        int i = 0;
        while (i < n_classes && !brute_looks_like(&t->c, n, r, classes[i].row[0], set))
            i++;
        if (i == n_classes)
            classes[n_classes++] =
                (brute_rows){.matching = t->has_population ? count_matching(t, n, set, r) : 0};
        classes[i].row[classes[i].n++] = r;
    }
    return n_classes;
}

static bool all_hold(const brute_table *t, const brute_rows *class)
{
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind < BRUTE_MEAN_RISK && !brute_rows_hold(t, &t->models[i], class))
            return false;
    return true;
}

/* Suppressed rows are released under keep, and count in a class that looks like them. */
static bool suppress_violating(const brute_table *t, brute_node *n, int set)
{
    static const bool none[BRUTE_ROWS];
    brute_rows classes[BRUTE_ROWS];
    bool any = false, bad[BRUTE_ROWS];
    const bool *left_out = t->c.treatment == BRUTE_KEEP ? none : n->suppressed;
    int n_classes = brute_node_classes(t, n, set, left_out, classes);
    for (int i = 0; i < n_classes; i++)
        bad[i] = !all_hold(t, &classes[i]);
    for (int i = 0; i < n_classes; i++)
        for (int j = 0; bad[i] && j < classes[i].n; j++)
            if (!n->suppressed[classes[i].row[j]]) {
                brute_suppress(&t->c, n, classes[i].row[j]);
                any = true;
            }
    return any;
}

static void suppress_all_violating(const brute_table *t, brute_node *n)
{
    for (bool any = true; any;) {
        any = false;
        for (int q = 0; q < t->c.n_sets; q++)
            any = suppress_violating(t, n, q) || any;
    }
}

/* The suppressed rows as a class of the release. Everybody in the population matches it. */
static bool suppressed_hold(const brute_table *t, const brute_node *n)
{
    for (int q = 0; q < t->c.n_sets; q++) {
        brute_rows top = {.matching = t->n_population};
        for (int r = 0; r < t->c.n_rows; r++)
            if (brute_is_top(&t->c, n, r, q))
                top.row[top.n++] = r;
        if (!all_hold(t, &top))
            return false;
    }
    return true;
}

/* Complementary suppression; false if nothing is left to join. */
static bool suppress_smallest(const brute_table *t, brute_node *n)
{
    brute_rows classes[BRUTE_ROWS];
    int n_classes = brute_node_classes(t, n, -1, n->suppressed, classes), chosen = -1, least = 0;
    for (int i = 0; i < n_classes; i++) {
        int size = brute_rows_size(t, &classes[i]);
        if (chosen < 0 || size < least ||
            (size == least &&
             brute_comes_before(&t->c, n, classes[i].row[0], classes[chosen].row[0]))) {
            chosen = i;
            least = size;
        }
    }
    for (int j = 0; chosen >= 0 && j < classes[chosen].n; j++)
        brute_suppress(&t->c, n, classes[chosen].row[j]);
    return chosen >= 0;
}

static bool table_models_hold(const brute_table *t, const brute_node *n)
{
    bool left_out[BRUTE_ROWS];
    for (int r = 0; r < t->c.n_rows; r++)
        left_out[r] = brute_leaves_out(&t->c, n, r);
    for (int q = 0; q < t->c.n_sets; q++) {
        brute_rows classes[BRUTE_ROWS];
        int n_classes = brute_node_classes(t, n, q, left_out, classes);
        for (int i = 0; i < t->n_models; i++)
            if (t->models[i].kind >= BRUTE_MEAN_RISK &&
                !brute_classes_hold(t, &t->models[i], classes, n_classes))
                return false;
    }
    return true;
}

void brute_table_treat(const brute_table *t, brute_node *n)
{
    const brute_case *c = &t->c;
    bool top_node = c->treatment == BRUTE_EXEMPT && brute_exempt_tops(c, n);
    suppress_all_violating(t, n);
    n->violating_rows = brute_count_suppressed(c, n);
    n->met = true;
    if (c->treatment == BRUTE_KEEP && n->violating_rows > 0)
        while (n->met && !suppressed_hold(t, n)) {
            n->met = suppress_smallest(t, n);
            suppress_all_violating(t, n);
        }
    n->suppressed_rows = brute_count_suppressed(c, n);
    if (c->treatment == BRUTE_DROP && n->suppressed_rows == c->n_rows)
        n->met = false; /* an empty release */
    if (c->treatment == BRUTE_EXEMPT)
        brute_judge_exempt(c, n, top_node, suppressed_hold(t, n));
    n->met = n->met && table_models_hold(t, n);
    n->holds = n->met && n->suppressed_rows <= c->limit;
}

void brute_table_evaluate(const brute_table *t, const int *level, brute_node *n)
{
    brute_node_begin(&t->c, level, n);
    brute_table_treat(t, n);
    brute_node_measure(&t->c, n);
}

void brute_table_lattice(const brute_table *t, brute_lattice *out)
{
    const brute_case *c = &t->c;
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
        brute_table_evaluate(t, level, &out->nodes[i]);
        for (int a = c->n_attributes; a-- > 0;) {
            if (level[a] < c->max_level[a]) {
                level[a]++;
                break;
            }
            level[a] = c->min_level[a];
        }
    }
}
