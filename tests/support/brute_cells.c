/* Goes through every release of a small table at the cell level. The tests of the cell level
 * compare bounds and optima with it. */
#include "brute_cells.h"

#include <math.h>
#include <string.h>

const brute_measure brute_cell_measures[BRUTE_CELL_MEASURES] = {
    BRUTE_PRECISION, BRUTE_LOSS, BRUTE_NCP, BRUTE_NONUNIFORM_ENTROPY};

/* ---- Tuples ------------------------------------------------------------------------------- */

static bool same_tuple(const brute_case *c, int r, int s)
{
    for (int a = 0; a < c->n_attributes; a++)
        if (c->leaf[r][a] != c->leaf[s][a])
            return false;
    return true;
}

static int number_tuples(const brute_case *c, int *of_row, int *row)
{
    int n = 0;
    for (int r = 0; r < c->n_rows; r++) {
        of_row[r] = 0;
        while (of_row[r] < n && !same_tuple(c, r, row[of_row[r]]))
            of_row[r]++;
        if (of_row[r] == n)
            row[n++] = r;
    }
    return n;
}

int brute_cells_count(const brute_table *t)
{
    int of_row[BRUTE_ROWS], row[BRUTE_ROWS];
    return number_tuples(&t->c, of_row, row);
}

bool brute_table_is_plain(const brute_table *t)
{
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind >= BRUTE_MEAN_RISK || t->models[i].kind == BRUTE_DELTA_PRESENCE ||
            t->models[i].kind == BRUTE_K_MAP)
            return false;
    return !t->has_persons;
}

bool brute_table_is_loose(const brute_table *t)
{
    return t->has_population && !brute_table_is_plain(t);
}

/* ---- A set of tuples ------------------------------------------------------------------------ */

/* The lowest text that all have on an allowed level, -1 if there is none. Of several that mean the
 * same, the one that stands on the lowest level is released. */
static int common_text(const brute_cells *x, const brute_case *c, int set, int a)
{
    const brute_hierarchy *h = &c->hierarchies[a];
    int best = -1;
    for (int l = c->min_level[a]; l <= c->max_level[a]; l++) {
        int text = -1;
        bool common = true;
        for (int t = 0; t < x->n; t++)
            if (set >> t & 1) {
                int own = h->text[l][c->leaf[x->row[t]][a]];
                common = common && (text < 0 || text == own);
                text = own;
            }
        if (common &&
            (best < 0 || (h->leaves[text] == h->leaves[best] && h->lowest[text] < h->lowest[best])))
            best = text;
    }
    return best;
}

static int top_text(const brute_case *c, int a)
{
    return c->hierarchies[a].text[c->hierarchies[a].height][0];
}

static double cell_cost(const brute_case *c, brute_measure measure, int a, int text, int leaf)
{
    const brute_hierarchy *h = &c->hierarchies[a];
    double loss = h->n_leaves > 1 ? (h->leaves[text] - 1.0) / (h->n_leaves - 1.0) : 0;
    switch (measure) {
    case BRUTE_PRECISION:
        return c->weight[a] * h->lowest[text] / h->height;
    case BRUTE_LOSS:
        return loss;
    case BRUTE_NCP:
        return c->weight[a] * loss;
    default:
        return log2((double)h->rows[text] / h->rows[h->text[0][leaf]]);
    }
}

static int count_matching(const brute_table *t, const brute_cell_set *s)
{
    int matching = 0;
    for (int i = 0; i < t->n_population; i++) {
        bool matches = true;
        for (int a = 0; matches && a < t->c.n_attributes; a++) {
            const brute_hierarchy *h = &t->c.hierarchies[a];
            int leaf = t->c.leaf[t->population[i]][a];
            matches = h->text[h->lowest[s->text[a]]][leaf] == s->text[a];
        }
        matching += matches;
    }
    return matching;
}

static void judge_set(const brute_table *t, const brute_cells *x, int set, brute_cell_set *s)
{
    brute_rows rows = {.matching = count_matching(t, s)};
    for (int r = 0; r < t->c.n_rows; r++)
        if (set >> x->of_row[r] & 1)
            rows.row[rows.n++] = r;
    s->holds = true;
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind < BRUTE_MEAN_RISK)
            s->holds = s->holds && brute_rows_hold(t, &t->models[i], &rows);
}

/* What the rows of the set cost with its texts. */
static void add_costs(const brute_table *t, const brute_cells *x, int set, brute_cell_set *s)
{
    const brute_case *c = &t->c;
    for (int i = 0; i < BRUTE_CELL_MEASURES; i++)
        s->cost[i] = 0;
    for (int r = 0; r < c->n_rows; r++)
        for (int i = 0; set >> x->of_row[r] & 1 && i < BRUTE_CELL_MEASURES; i++)
            for (int a = 0; a < c->n_attributes; a++)
                s->cost[i] += cell_cost(c, brute_cell_measures[i], a, s->text[a], c->leaf[r][a]);
}

/* The text of the level that all have in common, -1 if they differ. */
static int text_at(const brute_cells *x, const brute_case *c, int set, int a, int level)
{
    int text = -1;
    for (int t = 0; t < x->n; t++) {
        int own = c->hierarchies[a].text[level][c->leaf[x->row[t]][a]];
        if (set >> t & 1 && text >= 0 && text != own)
            return -1;
        text = set >> t & 1 ? own : text;
    }
    return text;
}

static void take_loose(const brute_table *t, const brute_cells *x, int set, brute_cell_set *box,
                       brute_cell_set *s)
{
    judge_set(t, x, set, box);
    add_costs(t, x, set, box);
    for (int i = 0; box->holds && i < BRUTE_CELL_MEASURES; i++)
        s->loose[i] = fmin(s->loose[i], box->cost[i]); /* not NAN if one of them is not */
}

/* All boxes around the set, attribute by attribute. */
static void try_boxes(const brute_table *t, const brute_cells *x, int set, int a,
                      brute_cell_set *box, brute_cell_set *s)
{
    const brute_case *c = &t->c;
    if (a == c->n_attributes) {
        take_loose(t, x, set, box, s);
        return;
    }
    for (int l = c->min_level[a]; l <= c->max_level[a]; l++) {
        box->text[a] = text_at(x, c, set, a, l);
        if (box->text[a] >= 0)
            try_boxes(t, x, set, a + 1, box, s);
    }
}

static void loosen_set(const brute_table *t, const brute_cells *x, int set, brute_cell_set *s)
{
    brute_cell_set box = {0};
    for (int i = 0; i < BRUTE_CELL_MEASURES; i++)
        s->loose[i] = NAN;
    try_boxes(t, x, set, 0, &box, s);
    for (int a = 0; a < t->c.n_attributes; a++)
        box.text[a] = top_text(&t->c, a);
    if (t->c.treatment == BRUTE_KEEP)
        take_loose(t, x, set, &box, s);
}

static void make_set(const brute_table *t, const brute_cells *x, int set, brute_cell_set *s)
{
    const brute_case *c = &t->c;
    *s = (brute_cell_set){.reads_top = true};
    for (int a = 0; a < c->n_attributes; a++) {
        s->text[a] = common_text(x, c, set, a);
        s->above = s->above || s->text[a] < 0;
    }
    for (int a = 0; a < c->n_attributes; a++) {
        s->text[a] = s->above ? top_text(c, a) : s->text[a];
        s->reads_top = s->reads_top && s->text[a] == top_text(c, a);
    }
    for (int r = 0; r < c->n_rows; r++) {
        if (!(set >> x->of_row[r] & 1))
            continue;
        s->rows++;
    }
    add_costs(t, x, set, s);
    judge_set(t, x, set, s);
}

bool brute_cells_make(const brute_table *t, brute_cells *x)
{
    x->n = brute_cells_count(t);
    if (x->n > (brute_table_is_plain(t) ? BRUTE_CELL_TUPLES : BRUTE_CELL_FEW))
        return false;
    number_tuples(&t->c, x->of_row, x->row);
    for (int set = 1; set < 1 << x->n; set++)
        make_set(t, x, set, &x->sets[set]);
    return true;
}

/* ---- Releases -------------------------------------------------------------------------------- */

double brute_cells_value(const brute_table *t, int measure, double sum)
{
    double N = t->c.n_rows, weights = 0;
    for (int a = 0; a < t->c.n_attributes; a++)
        weights += t->c.weight[a];
    switch (brute_cell_measures[measure]) {
    case BRUTE_PRECISION:
        return 1 - sum / (N * weights);
    case BRUTE_LOSS:
        return sum / (N * t->c.n_attributes);
    case BRUTE_NCP:
        return sum / (N * weights);
    default:
        return sum;
    }
}

bool brute_cells_is_better(int measure, double a, double b)
{
    double more = brute_cell_measures[measure] == BRUTE_PRECISION ? a - b : b - a;
    return more > 1e-7 * fmax(1, fmax(fabs(a), fabs(b)));
}

/* A release in the making: the classes of the tuples so far. */
typedef struct maker {
    const brute_table *t;
    brute_cells *x;
    int suppressed; /* set */
    int classes[BRUTE_CELL_TUPLES + 1], n;
} maker;

double brute_cells_top_cost(const brute_table *t, const brute_cells *x, int measure, int set)
{
    const brute_case *c = &t->c;
    double sum = 0;
    for (int r = 0; r < c->n_rows; r++)
        for (int a = 0; set >> x->of_row[r] & 1 && a < c->n_attributes; a++)
            sum += cell_cost(c, brute_cell_measures[measure], a, top_text(c, a), c->leaf[r][a]);
    return sum;
}

static double top_cost(const maker *k, int measure)
{
    return brute_cells_top_cost(k->t, k->x, measure, k->suppressed);
}

static int list_classes(const maker *k, brute_rows *classes)
{
    for (int i = 0; i < k->n; i++) {
        classes[i] = (brute_rows){0};
        for (int r = 0; r < k->t->c.n_rows; r++)
            if (k->classes[i] >> k->x->of_row[r] & 1)
                classes[i].row[classes[i].n++] = r;
    }
    return k->n;
}

static bool table_models_hold(const maker *k)
{
    brute_rows classes[BRUTE_CELL_TUPLES];
    int n = list_classes(k, classes);
    for (int i = 0; i < k->t->n_models; i++)
        if (k->t->models[i].kind >= BRUTE_MEAN_RISK &&
            !brute_classes_hold(k->t, &k->t->models[i], classes, n))
            return false;
    return true;
}

bool brute_cells_may_release(const brute_table *t, const brute_cells *x, int set)
{
    const brute_cell_set *s = &x->sets[set];
    if (t->c.treatment == BRUTE_KEEP)
        return s->holds && (!s->above || s->rows <= t->c.limit);
    bool exempt = t->c.treatment == BRUTE_EXEMPT, all = set == (1 << x->n) - 1;
    if (exempt && all && s->above)
        return s->holds && t->c.limit >= t->c.n_rows;
    return s->holds && !s->above && (!exempt || all || !s->reads_top);
}

/* Classes that look alike are one class, which is another way of the same release. */
static bool is_release(const maker *k)
{
    const brute_case *c = &k->t->c;
    const brute_cell_set *sets = k->x->sets;
    if (k->suppressed != 0 && (c->treatment == BRUTE_KEEP || sets[k->suppressed].rows > c->limit))
        return false;
    if (k->n == 0)
        return false; /* an empty release; or the top node, which is one class */
    for (int i = 0; i < k->n; i++) {
        if (!brute_cells_may_release(k->t, k->x, k->classes[i]))
            return false;
        for (int j = 0; j < i; j++)
            if (memcmp(sets[k->classes[i]].text, sets[k->classes[j]].text, sizeof sets->text) == 0)
                return false;
    }
    return table_models_hold(k);
}

static void take_release(maker *k)
{
    brute_cells *x = k->x;
    for (int i = 0; i < BRUTE_CELL_MEASURES; i++) {
        double sum = top_cost(k, i);
        for (int j = 0; j < k->n; j++)
            sum += x->sets[k->classes[j]].cost[i];
        double value = brute_cells_value(k->t, i, sum);
        if (!x->possible || brute_cells_is_better(i, x->worst[i], value)) {
            x->worst[i] = value;
            for (int t = 0; t < x->n; t++) {
                x->classes[i][t] = 0;
                for (int j = 0; j < k->n; j++)
                    if (k->classes[j] >> t & 1)
                        x->classes[i][t] = j + 1;
            }
        }
        if (!x->possible || brute_cells_is_better(i, value, x->best[i]))
            x->best[i] = value;
    }
    x->possible = true;
}

/* Each tuple joins a class, begins one, or is suppressed. */
static void try_all(maker *k, int tuple)
{
    if (tuple == k->x->n) {
        if (is_release(k))
            take_release(k);
        return;
    }
    int bit = 1 << tuple;
    for (int i = 0; i <= k->n; i++) {
        bool begins = i == k->n;
        k->n += begins;
        k->classes[i] = begins ? bit : k->classes[i] | bit;
        try_all(k, tuple + 1);
        k->classes[i] &= ~bit;
        k->n -= begins;
    }
    k->suppressed |= bit;
    try_all(k, tuple + 1);
    k->suppressed &= ~bit;
}

/* ---- Many tuples: the best way to divide each set ------------------------------------------- */

/* For models that hold for unions of classes: those that look alike do no harm. */
static void divide(const maker *k, int measure, bool worst, double *sums, int *first)
{
    bool keep = k->t->c.treatment == BRUTE_KEEP;
    const brute_cell_set *sets = k->x->sets;
    sums[0] = 0;
    for (int set = 1; set < 1 << k->x->n; set++) {
        int low = set & -set;
        sums[set] = NAN;
        for (int class = set; class > 0; class = (class - 1) & set) {
            if (!(class & low) || !brute_cells_may_release(k->t, k->x, class) ||
                (sets[class].above && keep)) /* the one of suppressed rows */
                continue;
            double sum = sets[class].cost[measure] + sums[set & ~class];
            if (!isnan(sum) && (isnan(sums[set]) || (worst ? sum > sums[set] : sum < sums[set]))) {
                sums[set] = sum;
                first[set] = class;
            }
        }
    }
}

/* May these be suppressed? Where they are kept they are a class. */
static bool may_suppress(const maker *k, int out)
{
    if (out == 0 || k->t->c.treatment == BRUTE_KEEP)
        return out == 0 || (k->x->sets[out].above && brute_cells_may_release(k->t, k->x, out));
    return out != (1 << k->x->n) - 1 && k->x->sets[out].rows <= k->t->c.limit;
}

static void take_division(maker *k, int measure, bool worst, const double *sums, const int *first)
{
    brute_cells *x = k->x;
    int all = (1 << x->n) - 1;
    bool keep = k->t->c.treatment == BRUTE_KEEP;
    for (int out = 0; out <= all; out++) {
        if (isnan(sums[all & ~out]) || !may_suppress(k, out))
            continue;
        k->suppressed = out;
        double value = brute_cells_value(k->t, measure, sums[all & ~out] + top_cost(k, measure));
        double *kept = worst ? &x->worst[measure] : &x->best[measure];
        bool better = isnan(*kept) || (worst ? brute_cells_is_better(measure, *kept, value)
                                             : brute_cells_is_better(measure, value, *kept));
        if (!better)
            continue;
        *kept = value;
        x->possible = true;
        for (int t = 0; worst && t < x->n; t++)
            x->classes[measure][t] = keep && out >> t & 1 ? x->n : 0;
        for (int rest = all & ~out, n = 1; worst && rest != 0; rest &= ~first[rest], n++)
            for (int t = 0; t < x->n; t++)
                if (first[rest] >> t & 1)
                    x->classes[measure][t] = n;
    }
}

static void divide_all(maker *k)
{
    static double sums[1 << BRUTE_CELL_TUPLES];
    static int first[1 << BRUTE_CELL_TUPLES];
    for (int i = 0; i < BRUTE_CELL_MEASURES; i++) {
        k->x->best[i] = k->x->worst[i] = NAN;
        for (int worst = 0; worst < 2; worst++) {
            divide(k, i, worst, sums, first);
            take_division(k, i, worst, sums, first);
        }
    }
}

/* The cheapest way to divide the tuples, each class in any box in which it holds. That classes may
 * read alike, and models of the whole table, is not looked at. */
static void solve_loosely(maker *k)
{
    brute_cells *x = k->x;
    double sums[1 << BRUTE_CELL_FEW];
    int all = (1 << x->n) - 1;
    bool suppress = k->t->c.treatment != BRUTE_KEEP;
    for (int set = 1; set <= all; set++)
        loosen_set(k->t, x, set, &x->sets[set]);
    for (int i = 0; i < BRUTE_CELL_MEASURES; i++) {
        double best = NAN;
        sums[0] = 0;
        for (int set = 1; set <= all; set++) {
            sums[set] = NAN;
            for (int class = set; class > 0; class = (class - 1) & set)
                sums[set] = fmin(sums[set], x->sets[class].loose[i] + sums[set & ~class]);
        }
        for (k->suppressed = 0; k->suppressed <= all; k->suppressed++)
            if (k->suppressed == 0 || (suppress && x->sets[k->suppressed].rows <= k->t->c.limit))
                best = fmin(best, sums[all & ~k->suppressed] + top_cost(k, i));
        k->suppressed = 0;
        x->loose[i] = isnan(best) ? NAN : brute_cells_value(k->t, i, best);
    }
}

void brute_cells_solve(const brute_table *t, brute_cells *x)
{
    maker k = {.t = t, .x = x};
    x->possible = false;
    for (int i = 0; i < BRUTE_CELL_MEASURES; i++)
        x->loose[i] = NAN;
    if (brute_table_is_loose(t))
        solve_loosely(&k);
    if (x->n <= BRUTE_CELL_FEW)
        try_all(&k, 0);
    else
        divide_all(&k);
}

/* ---- The simple bound ------------------------------------------------------------------------ */

static bool is_upward_closed(brute_kind kind)
{
    return kind == BRUTE_K || kind == BRUTE_DISTINCT_L || kind == BRUTE_P_SENSITIVE ||
           kind == BRUTE_EXTENDED_P || kind == BRUTE_K_MAP || kind == BRUTE_MAX_RISK;
}

/* May the rows under the box hold? */
static bool may_hold(const brute_table *t, const brute_cell_set *box)
{
    const brute_case *c = &t->c;
    brute_rows rows = {.matching = count_matching(t, box)};
    for (int s = 0; s < c->n_rows; s++) {
        bool under = true;
        for (int a = 0; a < c->n_attributes; a++) {
            const brute_hierarchy *h = &c->hierarchies[a];
            under = under && h->text[h->lowest[box->text[a]]][c->leaf[s][a]] == box->text[a];
        }
        if (under)
            rows.row[rows.n++] = s;
    }
    for (int i = 0; i < t->n_models; i++)
        if (is_upward_closed(t->models[i].kind) && !brute_rows_hold(t, &t->models[i], &rows))
            return false;
    return true;
}

static void find_cheapest(const brute_table *t, int measure, int r, int a, double cost,
                          brute_cell_set *box, double *best)
{
    const brute_case *c = &t->c;
    if (a == c->n_attributes) {
        if (cost < *best && may_hold(t, box))
            *best = cost;
        return;
    }
    for (int l = c->min_level[a]; l <= c->max_level[a]; l++) {
        int leaf = c->leaf[r][a];
        box->text[a] = c->hierarchies[a].text[l][leaf];
        find_cheapest(t, measure, r, a + 1,
                      cost + cell_cost(c, brute_cell_measures[measure], a, box->text[a], leaf), box,
                      best);
    }
}

double brute_cells_simple_bound(const brute_table *t, int measure)
{
    const brute_case *c = &t->c;
    brute_cell_set box = {0};
    double sum = 0;
    for (int r = 0; r < c->n_rows; r++) {
        double best = 0;
        for (int a = 0; a < c->n_attributes; a++)
            best += cell_cost(c, brute_cell_measures[measure], a, top_text(c, a), c->leaf[r][a]);
        find_cheapest(t, measure, r, 0, 0, &box, &best);
        sum += best;
    }
    return brute_cells_value(t, measure, sum);
}
