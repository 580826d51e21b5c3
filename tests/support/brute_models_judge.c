/* Judges the conditions of the models (docs/definitions.md#models) on one class, and on all of
 * them. All brute force with models calls it. */
#include "brute_models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *option;
    bool takes_attribute, needs_q, worst_is_least;
} kinds[BRUTE_KINDS] = {
    [BRUTE_K] = {"k-anonymity", "k", false, false, true},
    [BRUTE_DISTINCT_L] = {"l-diversity", "l-diversity", true, false, true},
    [BRUTE_ENTROPY_L] = {"entropy-l", "entropy-l", true, false, true},
    [BRUTE_RECURSIVE] = {"recursive-cl", "recursive-cl", true, false, false},
    [BRUTE_P_SENSITIVE] = {"p-sensitive", "p-sensitive", false, false, true},
    [BRUTE_EXTENDED_P] = {"extended-p-sensitive", "extended-p", true, false, true},
    [BRUTE_ALPHA] = {"alpha", "alpha", true, false, false},
    [BRUTE_T] = {"t-closeness", "t-closeness", true, true, false},
    [BRUTE_DELTA_DISCLOSURE] = {"delta-disclosure", "delta-disclosure", true, true, false},
    [BRUTE_BETA] = {"beta", "beta", true, true, false},
    [BRUTE_ENHANCED_BETA] = {"enhanced-beta", "enhanced-beta", true, true, false},
    [BRUTE_K_MAP] = {"k-map", "k-map", false, false, true},
    [BRUTE_DELTA_PRESENCE] = {"delta-presence", "delta-presence", false, false, false},
    [BRUTE_MAX_RISK] = {"max-risk", "max-risk", false, false, false},
    [BRUTE_MEAN_RISK] = {"mean-risk", "mean-risk", false, false, false},
    [BRUTE_RISK_SHARE] = {"risk-share", "risk-share", false, false, false},
    [BRUTE_UNIQUENESS] = {"sample-uniqueness", "sample-uniqueness", false, false, false},
};

const char *brute_kind_name(brute_kind kind)
{
    return kinds[kind].name;
}

const char *brute_kind_option(brute_kind kind)
{
    return kinds[kind].option;
}

bool brute_kind_takes_attribute(brute_kind kind)
{
    return kinds[kind].takes_attribute;
}

bool brute_kind_needs_q(brute_kind kind)
{
    return kinds[kind].needs_q;
}

bool brute_kind_worst_is_least(brute_kind kind)
{
    return kinds[kind].worst_is_least;
}

/* Comparisons allow a relative 1e-12 in favour of holding. */
static bool at_most(double x, double limit)
{
    return x <= limit || x - limit <= 1e-12 * fmax(fabs(x), fabs(limit));
}

/* ---- Counts ----------------------------------------------------------------------------- */

static bool same_person(const brute_table *t, int r, int s)
{
    return t->has_persons ? t->person[r] == t->person[s] : r == s;
}

int brute_rows_size(const brute_table *t, const brute_rows *rows)
{
    int size = 0;
    for (int i = 0; i < rows->n; i++) {
        bool first = true;
        for (int j = 0; j < i; j++)
            first = first && !same_person(t, rows->row[i], rows->row[j]);
        size += first;
    }
    return size;
}

typedef struct histogram {
    int n[BRUTE_VALUES], total, distinct;
} histogram;

/* Distinct persons with each value. */
static histogram count_values(const brute_table *t, int s, const brute_rows *rows)
{
    const brute_sensitive *x = &t->sensitive[s];
    histogram h = {0};
    for (int i = 0; i < rows->n; i++) {
        int v = x->value[rows->row[i]];
        bool first = true;
        for (int j = 0; j < i; j++)
            first = first &&
                    !(x->value[rows->row[j]] == v && same_person(t, rows->row[i], rows->row[j]));
        if (!first)
            continue;
        h.distinct += h.n[v] == 0;
        h.n[v]++;
        h.total++;
    }
    return h;
}

static brute_rows everybody(const brute_table *t)
{
    brute_rows all = {.n = t->c.n_rows, .matching = t->n_population};
    for (int r = 0; r < t->c.n_rows; r++)
        all.row[r] = r;
    return all;
}

typedef struct shares {
    int n; /* values */
    double p[BRUTE_VALUES], q[BRUTE_VALUES];
    bool occurs[BRUTE_VALUES]; /* in the table */
} shares;

static shares find_shares(const brute_table *t, int s, const brute_rows *rows)
{
    brute_rows all = everybody(t);
    histogram class = count_values(t, s, rows), table = count_values(t, s, &all);
    shares x = {.n = t->sensitive[s].n_values};
    for (int v = 0; v < x.n; v++) {
        x.p[v] = (double)class.n[v] / class.total;
        x.q[v] = (double)table.n[v] / table.total;
        x.occurs[v] = table.n[v] > 0;
    }
    return x;
}

/* ---- One sensitive column ----------------------------------------------------------------- */

static double entropy_l(const histogram *h)
{
    double entropy = 0;
    for (int v = 0; v < BRUTE_VALUES; v++)
        if (h->n[v] > 0) {
            double p = (double)h->n[v] / h->total;
            entropy -= p * log(p);
        }
    return exp(entropy);
}

static int descending(const void *a, const void *b)
{
    return *(const int *)b - *(const int *)a;
}

/* r_1 / (r_l + ... + r_d): c must be above it. */
static double recursive_c(const histogram *h, int l)
{
    int r[BRUTE_VALUES], rest = 0;
    if (h->distinct < l)
        return INFINITY;
    memcpy(r, h->n, sizeof r);
    qsort(r, BRUTE_VALUES, sizeof r[0], descending);
    for (int i = l - 1; i < BRUTE_VALUES; i++)
        rest += r[i];
    return (double)r[0] / rest;
}

/* What the value counts as: its highest protected ancestor, or itself. */
static const char *strong_value(const brute_sensitive *s, int v)
{
    for (int l = s->has_hierarchy ? s->height : 0; l > 0; l--)
        for (int i = 0; i < s->n_protected; i++)
            if (strcmp(s->label[l][v], s->protect[i]) == 0)
                return s->label[l][v];
    return s->text[v];
}

static int subtrees(const brute_sensitive *s, const int *counts)
{
    int n = 0;
    for (int v = 0; v < s->n_values; v++) {
        bool first = counts[v] > 0;
        for (int w = 0; w < v; w++)
            first =
                first && !(counts[w] > 0 && strcmp(strong_value(s, v), strong_value(s, w)) == 0);
        n += first;
    }
    return n;
}

/* ---- Distances ---------------------------------------------------------------------------- */

static bool is_missing(const brute_sensitive *s, int v)
{
    return s->has_missing && v == s->n_values - 1;
}

static bool is_number(const char *text)
{
    char *end;
    strtod(text, &end);
    return end > text && *end == '\0';
}

/* Numbers by value if all are, other values bytewise; the missing value last. */
static bool ranks_before(const brute_sensitive *s, const shares *x, int v, int w)
{
    bool numbers = true;
    for (int u = 0; u < x->n; u++)
        numbers = numbers && (!x->occurs[u] || is_missing(s, u) || is_number(s->text[u]));
    if (is_missing(s, v) || is_missing(s, w))
        return is_missing(s, w) && !is_missing(s, v);
    return numbers ? strtod(s->text[v], NULL) < strtod(s->text[w], NULL)
                   : strcmp(s->text[v], s->text[w]) < 0;
}

static double ordered_distance(const brute_sensitive *s, const shares *x)
{
    double sum = 0;
    int d = 0;
    for (int v = 0; v < x->n; v++) { /* the cumulative difference up to and with v */
        if (!x->occurs[v])
            continue;
        double difference = 0;
        for (int w = 0; w < x->n; w++)
            if (x->occurs[w] && (w == v || ranks_before(s, x, w, v)))
                difference += x->p[w] - x->q[w];
        sum += fabs(difference);
        d++;
    }
    return d < 2 ? 0 : sum / (d - 1);
}

static double equal_distance(const shares *x)
{
    double sum = 0;
    for (int v = 0; v < x->n; v++)
        sum += fabs(x->p[v] - x->q[v]);
    return sum / 2;
}

static bool first_under(const brute_sensitive *s, int level, int v)
{
    for (int w = 0; w < v; w++)
        if (strcmp(s->label[level][w], s->label[level][v]) == 0)
            return false;
    return true;
}

static double hierarchical_distance(const brute_sensitive *s, const shares *x)
{
    double cost = 0;
    for (int h = 1; h <= s->height; h++)
        for (int v = 0; v < x->n; v++) {
            if (!first_under(s, h, v))
                continue;
            double positive = 0, negative = 0; /* over the children of this inner node */
            for (int w = 0; w < x->n; w++) {
                if (strcmp(s->label[h][w], s->label[h][v]) != 0 || !first_under(s, h - 1, w))
                    continue;
                double excess = 0;
                for (int u = 0; u < x->n; u++)
                    if (strcmp(s->label[h - 1][u], s->label[h - 1][w]) == 0)
                        excess += x->p[u] - x->q[u];
                positive += fmax(excess, 0);
                negative += fmax(-excess, 0);
            }
            cost += (double)h / s->height * fmin(positive, negative);
        }
    return cost;
}

static double distance(const brute_table *t, const brute_model *m, const brute_rows *rows)
{
    const brute_sensitive *s = &t->sensitive[m->attribute];
    shares x = find_shares(t, m->attribute, rows);
    return m->parameters[1] == 0   ? equal_distance(&x)
           : m->parameters[1] == 1 ? ordered_distance(s, &x)
                                   : hierarchical_distance(s, &x);
}

static double delta(const brute_table *t, int s, const brute_rows *rows)
{
    shares x = find_shares(t, s, rows);
    double most = 0;
    for (int v = 0; v < x.n; v++)
        if (x.occurs[v])
            most = fmax(most, x.p[v] > 0 ? fabs(log(x.p[v] / x.q[v])) : INFINITY);
    return most;
}

static double beta(const brute_table *t, int s, const brute_rows *rows, bool enhanced)
{
    shares x = find_shares(t, s, rows);
    double most = 0;
    for (int v = 0; v < x.n; v++) {
        if (x.p[v] <= x.q[v])
            continue;
        double gain = (x.p[v] - x.q[v]) / x.q[v];
        most = fmax(most, enhanced && !at_most(gain, -log(x.q[v])) ? INFINITY : gain);
    }
    return most;
}

/* ---- One class ---------------------------------------------------------------------------- */

/* Without -k, k = p: p persons. With it only k counts persons. */
static int most_p(const brute_table *t, const brute_rows *rows)
{
    return brute_table_has(t, BRUTE_K) ? BRUTE_ROWS : brute_rows_size(t, rows);
}

static double p_sensitive(const brute_table *t, const brute_rows *rows)
{
    int least = most_p(t, rows);
    for (int s = 0; s < t->n_sensitive; s++) {
        int distinct = count_values(t, s, rows).distinct;
        least = distinct < least ? distinct : least;
    }
    return least;
}

double brute_rows_measure(const brute_table *t, const brute_model *m, const brute_rows *rows)
{
    int s = m->attribute, size = brute_rows_size(t, rows), largest = 0;
    histogram h = count_values(t, s, rows);
    for (int v = 0; v < BRUTE_VALUES; v++)
        largest = h.n[v] > largest ? h.n[v] : largest;
    switch (m->kind) {
    case BRUTE_K:
        return size;
    case BRUTE_DISTINCT_L:
        return h.distinct;
    case BRUTE_ENTROPY_L:
        return entropy_l(&h);
    case BRUTE_RECURSIVE:
        return recursive_c(&h, (int)m->parameters[1]);
    case BRUTE_P_SENSITIVE:
        return p_sensitive(t, rows);
    case BRUTE_EXTENDED_P:
        return fmin(most_p(t, rows), subtrees(&t->sensitive[s], h.n));
    case BRUTE_ALPHA:
        return (double)largest / h.total;
    case BRUTE_T:
        return distance(t, m, rows);
    case BRUTE_DELTA_DISCLOSURE:
        return delta(t, s, rows);
    case BRUTE_BETA:
        return beta(t, s, rows, false);
    case BRUTE_ENHANCED_BETA:
        return beta(t, s, rows, true);
    case BRUTE_K_MAP:
        return rows->matching;
    case BRUTE_DELTA_PRESENCE:
        return rows->matching > 0 ? (double)size / rows->matching : INFINITY;
    case BRUTE_MAX_RISK:
        return 1.0 / size;
    default:
        return NAN;
    }
}

bool brute_rows_hold(const brute_table *t, const brute_model *m, const brute_rows *rows)
{
    double x = m->parameters[0], measured = brute_rows_measure(t, m, rows);
    switch (m->kind) {
    case BRUTE_K:
    case BRUTE_DISTINCT_L:
    case BRUTE_P_SENSITIVE:
    case BRUTE_EXTENDED_P:
    case BRUTE_K_MAP:
        return measured >= x;
    case BRUTE_ENTROPY_L:
        return at_most(x, measured);
    case BRUTE_RECURSIVE:
    case BRUTE_DELTA_DISCLOSURE:
        return measured < x;
    case BRUTE_DELTA_PRESENCE:
        return isfinite(measured) && at_most(x, measured) && at_most(measured, m->parameters[1]);
    default:
        return isfinite(measured) && at_most(measured, x);
    }
}

/* ---- All classes ---------------------------------------------------------------------------- */

double brute_classes_measure(const brute_table *t, const brute_model *m, const brute_rows *classes,
                             int n)
{
    double all = 0, above = 0, unique = 0;
    for (int i = 0; i < n; i++) {
        int size = brute_rows_size(t, &classes[i]);
        all += size;
        above += at_most(1.0 / size, m->parameters[0]) ? 0 : size;
        unique += size == 1;
    }
    return m->kind == BRUTE_MEAN_RISK    ? n / all
           : m->kind == BRUTE_RISK_SHARE ? above / all
                                         : unique / all;
}

bool brute_classes_hold(const brute_table *t, const brute_model *m, const brute_rows *classes,
                        int n)
{
    double limit = m->parameters[m->kind == BRUTE_RISK_SHARE];
    return n == 0 || at_most(brute_classes_measure(t, m, classes, n), limit);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static bool breaks_condition_2(const brute_table *t, const brute_model *m)
{
    brute_rows all = everybody(t);
    for (int s = 0; s < t->n_sensitive; s++) {
        histogram h = count_values(t, s, &all);
        if (m->kind == BRUTE_P_SENSITIVE && h.distinct < m->parameters[0])
            return true;
        if (m->kind == BRUTE_EXTENDED_P && m->attribute == s &&
            subtrees(&t->sensitive[s], h.n) < m->parameters[0])
            return true;
    }
    return false;
}

/* A class that has nothing to do with the table: as many values as there are, in equal parts. */
static bool no_class_can_hold(const brute_table *t, const brute_model *m)
{
    brute_rows all = everybody(t);
    double d = count_values(t, m->attribute, &all).distinct, N = brute_rows_size(t, &all);
    double x = m->parameters[0], l = m->parameters[1];
    switch (m->kind) {
    case BRUTE_K:
        return x > N;
    case BRUTE_DISTINCT_L:
        return x > d;
    case BRUTE_ENTROPY_L:
        return !at_most(x, d);
    case BRUTE_RECURSIVE:
        return l > d || !(1 / (d - l + 1) < x);
    case BRUTE_ALPHA:
        return !at_most(1 / d, x);
    case BRUTE_DELTA_DISCLOSURE:
        return !(x > 0);
    case BRUTE_MAX_RISK:
    case BRUTE_MEAN_RISK:
        return !at_most(1 / N, x);
    default:
        return false;
    }
}

bool brute_table_is_refused(const brute_table *t)
{
    double k = 0;
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind == BRUTE_K)
            k = t->models[i].parameters[0];
    for (int i = 0; i < t->n_models; i++) {
        const brute_model *m = &t->models[i];
        bool p = m->kind == BRUTE_P_SENSITIVE || m->kind == BRUTE_EXTENDED_P;
        if (p && ((k > 0 && m->parameters[0] > k) || breaks_condition_2(t, m)))
            return true;
        if (no_class_can_hold(t, m))
            return true;
    }
    return false;
}
