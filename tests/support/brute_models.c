/* Makes small random tables with sensitive columns, persons, a population, and models. Tests of
 * methods under any models begin with one. */
#include "brute_models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Sensitive columns ------------------------------------------------------------------ */

static void copy(char *to, const char *text)
{
    memmove(to, text, strlen(text) + 1);
}

static void make_levels(brute_random *random, brute_sensitive *s)
{
    int group[BRUTE_VALUES];
    s->has_hierarchy = brute_chance(random, 60);
    s->height = s->has_hierarchy ? brute_between(random, 1, BRUTE_VALUE_LEVELS - 1) : 0;
    for (int v = 0; v < s->n_values; v++) {
        group[v] = v;
        copy(s->label[0][v], s->text[v]);
    }
    for (int l = 1; l <= s->height; l++) {
        int parents = brute_between(random, 1, 3), parent_of[BRUTE_VALUES];
        for (int g = 0; g < BRUTE_VALUES; g++)
            parent_of[g] = brute_below(random, parents);
        for (int v = 0; v < s->n_values; v++) {
            group[v] = l == s->height ? 0 : parent_of[group[v]];
            snprintf(s->label[l][v], BRUTE_TEXT, "G%d.%d", l, group[v]);
            if (l == s->height)
                copy(s->label[l][v], "*");
            else if (s->has_missing && v == s->n_values - 1)
                copy(s->label[l][v], s->text[v]);
        }
    }
    s->n_protected = s->has_hierarchy && brute_chance(random, 70) ? brute_between(random, 1, 2) : 0;
    int v = 0, low = 0;
    for (int i = 0; i < s->n_protected; i++) {
        bool above = i > 0 && low < s->height && brute_chance(random, 70); /* the first */
        if (!above)
            v = brute_below(random, s->n_values - s->has_missing);
        int least = above ? low + 1 : s->height > 1, most = s->height - brute_chance(random, 85);
        low = least < most ? brute_between(random, least, most) : least;
        copy(s->protect[i], s->label[low][v]);
    }
    if (s->n_protected > 1 && strcmp(s->protect[0], s->protect[1]) == 0)
        s->n_protected = 1;
}

static void make_sensitive(brute_random *random, const brute_case *c, brute_sensitive *s)
{
    static const char *const texts[3][5] = {{"10", "9", "-3", "2.5", "100"},
                                            {"flu", "Cold", "b10", "b9", "a a"},
                                            {"10", "9", "100", "x", "1000"}};
    int kind = brute_below(random, 3), skew = brute_below(random, 3);
    s->n_values = brute_chance(random, 10) ? 1 : brute_between(random, 2, 5);
    for (int v = 0; v < s->n_values; v++)
        copy(s->text[v], texts[kind][v]);
    s->has_missing = brute_chance(random, 20);
    s->n_values += s->has_missing; /* whose text is empty */
    make_levels(random, s);
    for (int r = 0; r < BRUTE_ROWS; r++) {
        s->value[r] = brute_below(random, s->n_values);
        for (int i = 0; i < skew; i++) {
            int other = brute_below(random, s->n_values);
            s->value[r] = other < s->value[r] ? other : s->value[r];
        }
        /* Sometimes what a row looks like tells its value. */
        if (brute_chance(random, 30))
            s->value[r] = c->leaf[r][0] % s->n_values;
    }
}

/* ---- The table ---------------------------------------------------------------------------- */

static int count_nodes(const brute_case *c)
{
    int size = 1;
    for (int a = 0; a < c->n_attributes; a++)
        size *= c->max_level[a] - c->min_level[a] + 1;
    return size;
}

/* The last rows are taken out of the table; they, and most of the others, are the population,
 * some several times. */
static void make_population(brute_random *random, brute_table *t)
{
    brute_case *c = &t->c;
    int all = c->n_rows;
    t->has_population = true;
    c->n_rows = brute_between(random, (all + 1) / 2, all);
    int first = brute_chance(random, 70) ? 0 : brute_below(random, c->n_rows);
    for (int r = first; r < all; r++)
        for (int i = brute_chance(random, 30) ? brute_between(random, 1, 3) : 1; i > 0; i--)
            if (t->n_population < BRUTE_POPULATION - all)
                t->population[t->n_population++] = r;
    for (int r = c->n_rows; r < all; r++) /* every value occurs somewhere */
        t->population[t->n_population++] = r;
    for (int a = 0; a < c->n_attributes; a++) {
        brute_hierarchy *h = &c->hierarchies[a];
        for (int text = 0; text < h->n_texts; text++) {
            h->rows[text] = 0;
            for (int r = 0; r < c->n_rows; r++)
                h->rows[text] += h->text[h->lowest[text]][c->leaf[r][a]] == text;
        }
    }
}

static void make_limit(brute_random *random, brute_case *c)
{
    c->limited = brute_chance(random, 80);
    c->limit = !c->limited || brute_chance(random, 25) ? 0
               : brute_chance(random, 15)              ? c->n_rows
                                                       : brute_below(random, c->n_rows + 1);
}

void brute_table_make(brute_table *t, uint64_t seed, int most_nodes)
{
    brute_random random = {seed * 104729 + 71};
    memset(t, 0, sizeof *t);
    brute_case *c = &t->c;
    do
        brute_make(c, brute_next(&random) >> 16);
    while (c->n_attributes > 4 || count_nodes(c) > most_nodes);
    c->seed = seed;
    for (int a = 0; a < c->n_attributes; a++)
        c->likelihood[a] = 1;
    t->n_sensitive = brute_between(&random, 1, BRUTE_SENSITIVE);
    for (int s = 0; s < t->n_sensitive; s++)
        make_sensitive(&random, c, &t->sensitive[s]);
    if (brute_chance(&random, 40))
        make_population(&random, t);
    t->has_persons = brute_chance(&random, 25);
    int persons = brute_between(&random, 1, c->n_rows);
    for (int r = 0; r < BRUTE_ROWS; r++)
        t->person[r] = brute_chance(&random, 50) ? brute_below(&random, persons) : r;
    make_limit(&random, c);
    t->threads = seed % 8 == 0 ? 4 : 1;
    brute_table_choose_models(t, &random);
}

/* ---- Models --------------------------------------------------------------------------------- */

bool brute_table_has(const brute_table *t, brute_kind kind)
{
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind == kind)
            return true;
    return false;
}

/* Some class of some node. */
static void pick_class(const brute_table *t, brute_random *random, brute_rows *out)
{
    static const bool nobody[BRUTE_ROWS];
    brute_rows classes[BRUTE_ROWS];
    brute_node node;
    int level[BRUTE_ATTRIBUTES];
    for (int a = 0; a < t->c.n_attributes; a++)
        level[a] = brute_between(random, t->c.min_level[a], t->c.max_level[a]);
    brute_node_begin(&t->c, level, &node);
    int n = brute_node_classes(t, &node, 0, nobody, classes);
    *out = classes[brute_below(random, n)];
}

/* Exactly what the class has, or a little to one side. A strict comparison of logarithms is
 * never put on the edge. */
static double near(brute_random *random, double x, bool never_equal)
{
    static const double factors[] = {1, 1, 1, 1 - 1e-6, 1 + 1e-6, 0.9, 1.1, 1.5};
    if (!isfinite(x))
        x = 2;
    return x * factors[never_equal ? brute_between(random, 3, 7) : brute_below(random, 8)];
}

static double whole_near(brute_random *random, double x)
{
    return fmax(1, x + brute_between(random, -1, 1));
}

static void choose_table_risk(brute_random *random, brute_model *m)
{
    int size = brute_between(random, 1, 4);
    m->parameters[0] = m->kind == BRUTE_RISK_SHARE ? 1.0 / size : brute_below(random, 8) / 8.0;
    m->parameters[1] = m->kind == BRUTE_RISK_SHARE ? brute_below(random, 5) / 5.0 : 0;
    if (m->kind == BRUTE_MEAN_RISK)
        m->parameters[0] = brute_between(random, 1, 9) / 10.0;
}

static void choose_parameters(const brute_table *t, brute_random *random, brute_model *m)
{
    brute_rows class, other;
    pick_class(t, random, &class);
    pick_class(t, random, &other);
    m->parameters[1] = m->kind == BRUTE_RECURSIVE ? brute_between(random, 1, 3) : 0;
    if (m->kind == BRUTE_T) /* the distance */
        m->parameters[1] = brute_below(random, t->sensitive[m->attribute].has_hierarchy ? 3 : 2);
    double x = m->kind < BRUTE_MEAN_RISK ? brute_rows_measure(t, m, &class) : 0;
    switch (m->kind) {
    case BRUTE_K:
        m->parameters[0] = fmin(whole_near(random, x), t->c.n_rows);
        break;
    case BRUTE_DISTINCT_L:
    case BRUTE_P_SENSITIVE:
    case BRUTE_EXTENDED_P:
    case BRUTE_K_MAP:
        m->parameters[0] = whole_near(random, x);
        break;
    case BRUTE_ENTROPY_L:
        m->parameters[0] = fmax(1, near(random, x, false));
        break;
    case BRUTE_DELTA_PRESENCE: {
        double y = brute_rows_measure(t, m, &other);
        m->parameters[0] = fmin(1, near(random, fmin(x, y), false));
        m->parameters[1] = fmin(1, fmax(m->parameters[0], near(random, fmax(x, y), false)));
        break;
    }
    case BRUTE_DELTA_DISCLOSURE:
    case BRUTE_BETA:
    case BRUTE_ENHANCED_BETA:
        m->parameters[0] = near(random, x, m->kind == BRUTE_DELTA_DISCLOSURE);
        break;
    case BRUTE_RECURSIVE: /* n/d, a little more, or a little less */
        m->parameters[0] = near(random, x, false);
        break;
    case BRUTE_MEAN_RISK:
    case BRUTE_RISK_SHARE:
    case BRUTE_UNIQUENESS:
        choose_table_risk(random, m);
        break;
    default: /* shares, distances and risks */
        m->parameters[0] = fmin(1, near(random, x, false));
    }
}

static bool is_chosen(const brute_table *t, const brute_model *m)
{
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind == m->kind && t->models[i].attribute == m->attribute)
            return true;
    return false;
}

static void add_model(brute_table *t, brute_random *random, brute_kind kind)
{
    brute_model m = {.kind = kind};
    bool population = kind == BRUTE_K_MAP || kind == BRUTE_DELTA_PRESENCE;
    if (brute_kind_takes_attribute(kind))
        m.attribute = brute_below(random, t->n_sensitive);
    if (is_chosen(t, &m) || (population && !t->has_population))
        return;
    choose_parameters(t, random, &m);
    t->models[t->n_models++] = m;
}

/* With persons a class of k persons can have more than k values: condition 1 is kept. */
static void keep_condition_1(brute_table *t)
{
    for (int i = 0; i < t->n_models; i++)
        for (int j = 0; j < t->n_models; j++) {
            bool p =
                t->models[j].kind == BRUTE_P_SENSITIVE || t->models[j].kind == BRUTE_EXTENDED_P;
            if (t->has_persons && t->models[i].kind == BRUTE_K && p)
                t->models[j].parameters[0] =
                    fmin(t->models[i].parameters[0], t->models[j].parameters[0]);
        }
}

static void settle(brute_table *t)
{
    keep_condition_1(t);
    t->c.k = brute_table_k(t);
    t->c.without_k = !brute_table_has(t, BRUTE_K);
}

void brute_table_choose_models(brute_table *t, brute_random *random)
{
    int wanted = brute_between(random, 1, BRUTE_MODELS);
    t->n_models = 0;
    while (t->n_models < wanted)
        add_model(t, random,
                  brute_chance(random, 15) ? BRUTE_K
                                           : (brute_kind)brute_below(random, BRUTE_KINDS));
    settle(t);
}

void brute_table_take_model(brute_table *t, brute_random *random, brute_kind kind)
{
    t->n_models = 0;
    add_model(t, random, kind);
    settle(t);
}

int brute_table_k(const brute_table *t)
{
    double k = 0, p = 0;
    for (int i = 0; i < t->n_models; i++) {
        const brute_model *m = &t->models[i];
        if (m->kind == BRUTE_K)
            k = fmax(k, m->parameters[0]);
        if (m->kind == BRUTE_P_SENSITIVE || m->kind == BRUTE_EXTENDED_P)
            p = fmax(p, m->parameters[0]);
    }
    return k > 0 ? (int)k : p > 0 ? (int)p : 1;
}

static void swap(void *a, void *b, size_t size)
{
    char held[sizeof(int) * BRUTE_ATTRIBUTES];
    memcpy(held, a, size);
    memcpy(a, b, size);
    memcpy(b, held, size);
}

void brute_table_swap(brute_table *t, int r, int s)
{
    if (r == s)
        return;
    swap(t->c.leaf[r], t->c.leaf[s], sizeof t->c.leaf[r]);
    swap(t->c.second_token[r], t->c.second_token[s], sizeof t->c.second_token[r]);
    swap(&t->c.class_label[r], &t->c.class_label[s], sizeof(int));
    swap(&t->person[r], &t->person[s], sizeof(int));
    for (int i = 0; i < t->n_sensitive; i++)
        swap(&t->sensitive[i].value[r], &t->sensitive[i].value[s], sizeof(int));
}
