/* Compares what results say about models with released rows. Tests of whole commands and the
 * end-to-end trial call it. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_job.h"
#include "brute_models_problem.h"
#include "brute_models_result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void brute_compare_number(const brute_table *t, const char *what, double got, double wanted)
{
    if (got == wanted || (isnan(got) && isnan(wanted)) ||
        fabs(got - wanted) <= 1e-12 * fmax(1, fmax(fabs(got), fabs(wanted))))
        return;
    fprintf(stderr, "# %s is %.17g, must be %.17g\n", what, got, wanted);
    brute_table_disagree(t, what);
}

/* An infinite number is null in a result. */
static void compare(const brute_table *t, const json_t *object, const char *key, double wanted)
{
    brute_compare_number(t, key, brute_number(object, key), isinf(wanted) ? NAN : wanted);
}

double brute_worst_measure(const brute_table *t, const brute_model *m, const brute_rows *classes,
                           int n)
{
    double worst = NAN;
    if (m->kind >= BRUTE_MEAN_RISK)
        return n > 0 ? brute_classes_measure(t, m, classes, n) : NAN;
    for (int i = 0; i < n; i++) {
        double measured = brute_rows_measure(t, m, &classes[i]);
        bool worse = brute_kind_worst_is_least(m->kind) ? measured < worst : measured > worst;
        worst = isnan(worst) || worse ? measured : worst;
    }
    return worst;
}

/* The classes that count. */
static int find_classes(const brute_table *t, const brute_node *n, int set, brute_rows *classes)
{
    bool left_out[BRUTE_ROWS];
    for (int r = 0; r < t->c.n_rows; r++)
        left_out[r] = brute_leaves_out(&t->c, n, r);
    return brute_node_classes(t, n, set, left_out, classes);
}

/* The entry of a model of a set. */
static const json_t *find_entry(const brute_table *t, const json_t *models, int set, int model)
{
    const brute_model *m = &t->models[model];
    char name[24];
    snprintf(name, sizeof name, "s%d", m->attribute);
    for (int j = 0; j < t->n_models; j++) {
        const json_t *entry = json_array_get(models, (size_t)set * (size_t)t->n_models + (size_t)j);
        const json_t *column = json_object_get(json_object_get(entry, "parameters"), "attribute");
        const char *type = json_string_value(json_object_get(entry, "model"));
        if (type != NULL && strcmp(type, brute_kind_name(m->kind)) == 0 &&
            (column == NULL || strcmp(json_string_value(column), name) == 0))
            return entry;
    }
    brute_table_disagree(t, "a model is not in the result");
    return NULL;
}

static void compare_model(const brute_table *t, const json_t *entry, const brute_model *m,
                          const brute_rows *classes, int n)
{
    bool table_level = m->kind >= BRUTE_MEAN_RISK;
    int bad = 0, bad_rows = 0;
    for (int i = 0; i < n && !table_level; i++)
        if (!brute_rows_hold(t, m, &classes[i])) {
            bad++;
            bad_rows += classes[i].n;
        }
    bool holds = table_level ? brute_classes_hold(t, m, classes, n) : bad == 0;
    if (json_is_true(json_object_get(entry, "holds")) != holds) {
        fprintf(stderr, "# %s must %shold\n", brute_kind_name(m->kind), holds ? "" : "not ");
        brute_table_disagree(t, "holds");
    }
    compare(t, entry, "measured", brute_worst_measure(t, m, classes, n));
    if (table_level)
        return;
    compare(t, entry, "violating_rows", bad_rows);
    compare(t, entry, "violating_classes", bad);
}

void brute_compare_models(const brute_table *t, const json_t *document, const brute_node *n)
{
    const json_t *models = json_object_get(document, "models");
    if (json_array_size(models) != (size_t)t->n_models * (size_t)t->c.n_sets)
        brute_table_disagree(t, "the number of models");
    for (int q = 0; q < t->c.n_sets; q++)
        for (int i = 0; i < t->n_models; i++) {
            const brute_model *m = &t->models[i];
            brute_rows classes[BRUTE_ROWS];
            int n_classes = find_classes(t, n, q, classes);
            compare_model(t, find_entry(t, models, q, i), m, classes, n_classes);
        }
}

static void compare_attribute(const brute_table *t, const json_t *object, int s,
                              const brute_rows *classes, int n)
{
    static const struct {
        const char *key;
        brute_kind kind;
        double distance;
    } keys[] = {
        {"p", BRUTE_DISTINCT_L, 0},
        {"distinct_l", BRUTE_DISTINCT_L, 0},
        {"entropy_l", BRUTE_ENTROPY_L, 0},
        {"alpha", BRUTE_ALPHA, 0},
        {"t_equal", BRUTE_T, 0},
        {"t_ordered", BRUTE_T, 1},
        {"t_hierarchical", BRUTE_T, 2},
        {"beta", BRUTE_BETA, 0},
        {"enhanced_beta", BRUTE_ENHANCED_BETA, 0},
        {"delta", BRUTE_DELTA_DISCLOSURE, 0},
        {"extended_p", BRUTE_EXTENDED_P, 0},
    };
    const brute_sensitive *x = &t->sensitive[s];
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        bool absent = (keys[i].distance == 2 && !x->has_hierarchy) ||
                      (keys[i].kind == BRUTE_EXTENDED_P && x->n_protected == 0);
        if (absent && json_object_get(object, keys[i].key) != NULL)
            brute_table_disagree(t, keys[i].key);
        brute_model m = {keys[i].kind, s, {0, keys[i].distance}};
        if (!absent)
            compare(t, object, keys[i].key, brute_worst_measure(t, &m, classes, n));
    }
    const char *l;
    json_t *value;
    json_object_foreach(json_object_get(object, "recursive_c"), l, value)
    {
        brute_model m = {BRUTE_RECURSIVE, s, {0, strtod(l, NULL)}};
        double wanted = n > 0 ? brute_worst_measure(t, &m, classes, n) : 0;
        brute_compare_number(t, "recursive_c",
                             json_is_number(value) ? json_number_value(value) : NAN,
                             isinf(wanted) ? NAN : wanted);
    }
}

void brute_compare_strongest(const brute_table *t, const json_t *document, const brute_node *node)
{
    brute_rows classes[BRUTE_ROWS];
    int n = find_classes(t, node, -1, classes), least = 0, most = 0;
    for (int i = 0; i < n; i++) {
        int size = brute_rows_size(t, &classes[i]);
        least = i == 0 || size < least ? size : least;
        most = size > most ? size : most;
    }
    compare(t, document, "k", least);
    compare(t, document, "classes.count", n);
    compare(t, document, "classes.min", least);
    compare(t, document, "classes.max", most);
    for (int s = 0; s < t->n_sensitive; s++) {
        char name[24];
        snprintf(name, sizeof name, "s%d", s);
        compare_attribute(t, json_object_get(json_object_get(document, "attributes"), name), s,
                          classes, n);
    }
}
