/* Evaluates one node row by row, as docs/definitions.md says. Brute-force searches and tests of
 * measures call it. */
#include "brute.h"

#include <math.h>
#include <string.h>

static const struct {
    const char *option, *key;
} names[BRUTE_MEASURES] = {
    [BRUTE_PRECISION] = {"precision", "precision"},
    [BRUTE_LOSS] = {"loss", "loss"},
    [BRUTE_GEOMETRIC_LOSS] = {"geometric-loss", "geometric_loss"},
    [BRUTE_NCP] = {"ncp", "ncp"},
    [BRUTE_DISCERNIBILITY] = {"discernibility", "discernibility"},
    [BRUTE_CLASS_SIZE] = {"class-size", "average_class_size"},
    [BRUTE_AMBIGUITY] = {"ambiguity", "ambiguity"},
    [BRUTE_ENTROPY] = {"entropy", "entropy_distortion"},
    [BRUTE_NONUNIFORM_ENTROPY] = {"nonuniform-entropy", "nonuniform_entropy"},
    [BRUTE_HEIGHT] = {"height", "height"},
    [BRUTE_CLASSIFICATION] = {"classification", "classification"},
    [BRUTE_RELATIVE_HEIGHT] = {"relative-height", "relative_height"},
    [BRUTE_DOUBLING_HEIGHT] = {"doubling-height", "doubling_height"},
    [BRUTE_C_AVG] = {"c-avg", "c_avg"},
};

const char *brute_measure_option(brute_measure measure)
{
    return names[measure].option;
}

const char *brute_measure_key(brute_measure measure)
{
    return names[measure].key;
}

int brute_set_k(const brute_case *c, int set)
{
    double most = 0;
    for (int a = 0; a < c->n_attributes; a++)
        if (c->in_set[set][a] && c->likelihood[a] > most)
            most = c->likelihood[a];
    int k = (int)ceil(c->k * most);
    if (k < 2)
        k = 2;
    return k < c->k ? k : c->k;
}

/* ---- Suppression ------------------------------------------------------------------------ */

static int top_text(const brute_case *c, int a)
{
    const brute_hierarchy *h = &c->hierarchies[a];
    return h->text[h->height][0];
}

bool brute_looks_like(const brute_case *c, const brute_node *n, int r, int s, int set)
{
    for (int a = 0; a < c->n_attributes; a++)
        if ((set < 0 || c->in_set[set][a]) && n->released[r][a] != n->released[s][a])
            return false;
    return true;
}

bool brute_is_top(const brute_case *c, const brute_node *n, int r, int set)
{
    for (int a = 0; a < c->n_attributes; a++)
        if ((set < 0 || c->in_set[set][a]) && n->released[r][a] != top_text(c, a))
            return false;
    return true;
}

void brute_suppress(const brute_case *c, brute_node *n, int r)
{
    n->suppressed[r] = true;
    for (int a = 0; a < c->n_attributes; a++)
        n->released[r][a] = top_text(c, a);
}

/* Rows whose class on the set has fewer than k_Q rows. Suppressed rows are released under
 * keep, and count in a class that looks like them; else they are nowhere. */
static bool suppress_violating(const brute_case *c, brute_node *n, int set)
{
    bool violates[BRUTE_ROWS], any = false;
    int k = brute_set_k(c, set);
    for (int r = 0; r < c->n_rows; r++) {
        int size = 0;
        for (int s = 0; s < c->n_rows; s++)
            size += (!n->suppressed[s] || c->treatment == BRUTE_KEEP) &&
                    brute_looks_like(c, n, r, s, set);
        violates[r] = !n->suppressed[r] && size < k;
    }
    for (int r = 0; r < c->n_rows; r++)
        if (violates[r]) {
            brute_suppress(c, n, r);
            any = true;
        }
    return any;
}

static void suppress_all_violating(const brute_case *c, brute_node *n)
{
    bool any = true;
    while (any) {
        any = false;
        for (int q = 0; q < c->n_sets; q++)
            any = suppress_violating(c, n, q) || any;
    }
}

int brute_count_suppressed(const brute_case *c, const brute_node *n)
{
    int rows = 0;
    for (int r = 0; r < c->n_rows; r++)
        rows += n->suppressed[r];
    return rows;
}

/* The suppressed rows as a class of the release, on every set. */
static bool suppressed_hold(const brute_case *c, const brute_node *n)
{
    for (int q = 0; q < c->n_sets; q++) {
        int size = 0;
        for (int r = 0; r < c->n_rows; r++)
            size += brute_is_top(c, n, r, q);
        if (size < brute_set_k(c, q))
            return false;
    }
    return true;
}

bool brute_comes_before(const brute_case *c, const brute_node *n, int r, int s)
{
    for (int a = 0; a < c->n_attributes; a++) {
        const int *first = c->hierarchies[a].first;
        int x = first[n->released[r][a]], y = first[n->released[s][a]];
        if (x != y)
            return x < y;
    }
    return false;
}

/* Complementary suppression; false if nothing is left to join. */
static bool suppress_smallest(const brute_case *c, brute_node *n)
{
    int chosen = -1, least = 0;
    for (int r = 0; r < c->n_rows; r++) {
        if (n->suppressed[r])
            continue;
        int size = 0;
        for (int s = 0; s < c->n_rows; s++)
            size += !n->suppressed[s] && brute_looks_like(c, n, r, s, -1);
        if (chosen < 0 || size < least || (size == least && brute_comes_before(c, n, r, chosen))) {
            chosen = r;
            least = size;
        }
    }
    if (chosen < 0)
        return false;
    bool joins[BRUTE_ROWS];
    for (int r = 0; r < c->n_rows; r++)
        joins[r] = !n->suppressed[r] && brute_looks_like(c, n, r, chosen, -1);
    for (int r = 0; r < c->n_rows; r++)
        if (joins[r])
            brute_suppress(c, n, r);
    return true;
}

bool brute_all_at_top(const brute_case *c, const brute_node *n)
{
    for (int r = 0; r < c->n_rows; r++)
        if (!brute_is_top(c, n, r, -1))
            return false;
    return true;
}

/* On some level of the bounds all leaves read as the top. */
static bool column_allows_top(const brute_case *c, int a)
{
    const brute_hierarchy *h = &c->hierarchies[a];
    bool allows = false;
    for (int l = c->min_level[a]; l <= c->max_level[a]; l++) {
        bool all = true;
        for (int i = 0; i < h->n_leaves; i++)
            all = all && h->text[l][i] == top_text(c, a);
        allows = allows || all;
    }
    return allows;
}

bool brute_levels_allow_top(const brute_case *c)
{
    for (int a = 0; a < c->n_attributes; a++)
        if (!column_allows_top(c, a))
            return false;
    return true;
}

bool brute_exempt_tops(const brute_case *c, brute_node *n)
{
    bool all = brute_all_at_top(c, n);
    for (int r = 0; r < c->n_rows; r++)
        n->suppressed[r] = !all && (n->suppressed[r] || brute_is_top(c, n, r, -1));
    return all;
}

void brute_judge_exempt(const brute_case *c, brute_node *n, bool top_node, bool top_class_holds)
{
    if (n->suppressed_rows < c->n_rows && !(top_node && !brute_levels_allow_top(c)))
        return;
    n->met = top_class_holds;
    if (!top_node)
        return;
    memset(n->suppressed, !brute_levels_allow_top(c), sizeof n->suppressed);
    n->suppressed_rows = brute_levels_allow_top(c) ? 0 : c->n_rows;
}

bool brute_leaves_out(const brute_case *c, const brute_node *n, int r)
{
    if (c->treatment == BRUTE_DROP)
        return n->suppressed[r];
    return c->treatment == BRUTE_EXEMPT && brute_is_top(c, n, r, -1) && !brute_all_at_top(c, n);
}

int brute_released_suppressed(const brute_case *c, const brute_node *n)
{
    int rows = 0;
    for (int r = 0; r < c->n_rows; r++)
        rows += c->treatment == BRUTE_DROP ? n->suppressed[r] : brute_is_top(c, n, r, -1);
    return c->treatment != BRUTE_DROP && rows == c->n_rows ? 0 : rows;
}

brute_node brute_as_released(const brute_case *c, const brute_node *node)
{
    brute_node n = *node;
    bool top = c->treatment != BRUTE_DROP && brute_all_at_top(c, node);
    bool by_suppression = top && node->suppressed_rows > 0;
    for (int a = 0; by_suppression && a < c->n_attributes; a++)
        n.level[a] = c->hierarchies[a].height;
    for (int r = 0; c->treatment != BRUTE_DROP && r < c->n_rows; r++)
        n.suppressed[r] = !top && brute_is_top(c, node, r, -1);
    n.suppressed_rows = brute_released_suppressed(c, node);
    if (!by_suppression)
        return n;
    memset(n.value, 0, sizeof n.value);
    n.top_rows = n.n_classes = n.distinct_tuples = 0;
    brute_node_measure(c, &n);
    return n;
}

static void treat(const brute_case *c, brute_node *n)
{
    bool top_node = c->treatment == BRUTE_EXEMPT && brute_exempt_tops(c, n);
    suppress_all_violating(c, n);
    n->violating_rows = brute_count_suppressed(c, n);
    n->met = true;
    if (c->treatment == BRUTE_KEEP && n->violating_rows > 0)
        while (n->met && !suppressed_hold(c, n)) {
            n->met = suppress_smallest(c, n);
            suppress_all_violating(c, n);
        }
    n->suppressed_rows = brute_count_suppressed(c, n);
    if (c->treatment == BRUTE_DROP && n->suppressed_rows == c->n_rows)
        n->met = false; /* an empty release */
    if (c->treatment == BRUTE_EXEMPT)
        brute_judge_exempt(c, n, top_node, suppressed_hold(c, n));
    n->holds = n->met && n->suppressed_rows <= c->limit;
}

/* ---- Measures ------------------------------------------------------------------------------ */

static void measure_cells(const brute_case *c, brute_node *n)
{
    int m = c->n_attributes;
    double N = c->n_rows, weights = 0, distortion = 0, loss = 0, ncp = 0, logs = 0, bits = 0;
    for (int a = 0; a < m; a++) {
        const brute_hierarchy *h = &c->hierarchies[a];
        double column_loss = 0, column_distortion = 0;
        for (int r = 0; r < c->n_rows; r++) {
            int text = n->released[r][a];
            column_distortion += (double)h->lowest[text] / h->height;
            if (h->n_leaves > 1)
                column_loss += (h->leaves[text] - 1.0) / (h->n_leaves - 1.0);
            bits += log2((double)h->rows[text] / h->rows[h->text[0][c->leaf[r][a]]]);
        }
        weights += c->weight[a];
        distortion += c->weight[a] * column_distortion;
        loss += column_loss / N;
        ncp += c->weight[a] * column_loss / N;
        logs += log1p(column_loss / N);
        n->value[BRUTE_HEIGHT] += n->level[a];
        n->value[BRUTE_RELATIVE_HEIGHT] += (double)n->level[a] / h->height;
        n->value[BRUTE_DOUBLING_HEIGHT] += (1 << n->level[a]) - 1;
    }
    n->value[BRUTE_PRECISION] = 1 - distortion / (N * weights);
    n->value[BRUTE_LOSS] = loss / m;
    n->value[BRUTE_NCP] = ncp / weights;
    n->value[BRUTE_GEOMETRIC_LOSS] = expm1(logs / m);
    n->value[BRUTE_NONUNIFORM_ENTROPY] = bits;
    double ambiguity = 0;
    for (int r = 0; r < c->n_rows; r++) {
        double product = 1;
        for (int a = 0; a < m; a++)
            product *= c->hierarchies[a].leaves[n->released[r][a]];
        ambiguity += product;
    }
    n->value[BRUTE_AMBIGUITY] = ambiguity / N;
}

static bool same_original(const brute_case *c, int r, int s)
{
    for (int a = 0; a < c->n_attributes; a++)
        if (c->leaf[r][a] != c->leaf[s][a])
            return false;
    return true;
}

/* Every row knows how many look like it; the first of them counts for the class. */
static void measure_classes(const brute_case *c, brute_node *n)
{
    double N = c->n_rows, discernibility = 0, before = 0, after = 0;
    int wrong = 0;
    for (int r = 0; r < c->n_rows; r++) {
        int size = 0, original = 0, labels[BRUTE_LABELS] = {0};
        bool first = true, first_original = true;
        for (int s = 0; s < c->n_rows; s++) {
            if (same_original(c, r, s)) {
                original++;
                first_original = first_original && s >= r;
            }
            if (brute_looks_like(c, n, r, s, -1)) {
                size++;
                labels[c->class_label[s]]++;
                first = first && s >= r;
            }
        }
        bool top = brute_is_top(c, n, r, -1);
        n->top_rows += top;
        discernibility += top ? N : size;
        if (first_original)
            before -= original / N * log2(original / N);
        if (!first)
            continue;
        n->n_classes++;
        after -= size / N * log2(size / N);
        int majority = 0;
        for (int i = 0; i < BRUTE_LABELS; i++)
            majority = labels[i] > majority ? labels[i] : majority;
        wrong += top ? size : size - majority;
        n->distinct_tuples += !(c->treatment == BRUTE_DROP && n->suppressed[r]);
    }
    n->value[BRUTE_DISCERNIBILITY] = discernibility;
    n->value[BRUTE_CLASS_SIZE] = N / n->n_classes;
    n->value[BRUTE_C_AVG] = N / n->n_classes / c->k;
    n->value[BRUTE_ENTROPY] = c->n_rows > 1 ? (before - after) / log2(N) : 0;
    n->value[BRUTE_CLASSIFICATION] = wrong / N;
}

void brute_node_begin(const brute_case *c, const int *level, brute_node *out)
{
    memset(out, 0, sizeof *out);
    memcpy(out->level, level, (size_t)c->n_attributes * sizeof *level);
    for (int r = 0; r < c->n_rows; r++)
        for (int a = 0; a < c->n_attributes; a++)
            out->released[r][a] = c->hierarchies[a].text[level[a]][c->leaf[r][a]];
}

void brute_node_measure(const brute_case *c, brute_node *n)
{
    measure_cells(c, n);
    measure_classes(c, n);
}

void brute_evaluate(const brute_case *c, const int *level, brute_node *out)
{
    brute_node_begin(c, level, out);
    treat(c, out);
    brute_node_measure(c, out);
}

const char *brute_released_text(const brute_case *c, const brute_node *node, int row, int attribute)
{
    const brute_hierarchy *h = &c->hierarchies[attribute];
    for (int l = 0; l <= h->height; l++)
        for (int i = 0; i < h->n_leaves; i++)
            if (h->text[l][i] == node->released[row][attribute])
                return h->label[l][i];
    return NULL;
}
