/* Local suppression against brute force: small random tables with all kinds of models, treatments,
 * bounds and combinations; every release checked row by row in both ways of counting. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute_files.h"
#include "brute_job.h"
#include "brute_models_problem.h"
#include "search/search.h"

#include <string.h>

static mgl_pool *four;

static int begin(void **state)
{
    return brute_enter_folder(state) == 0 && mgl_pool_new(4, NULL, &four) == MGL_OK ? 0 : -1;
}

static int end(void **state)
{
    mgl_pool_free(four);
    return brute_leave_folder(state);
}

#define AGREE(condition)                                                                           \
    do {                                                                                           \
        if (!(condition))                                                                          \
            brute_table_disagree(t, #condition);                                                   \
    } while (0)

static brute_table table;

/* What is asked for besides the table. */
typedef struct wish {
    double importance[BRUTE_ATTRIBUTES];
    bool tops_match;
    int sizes; /* bit i: combinations of i columns; 0: all columns together */
    bool all;
    mgl_effort effort;
} wish;

static wish make_wish(brute_random *random, int n_attributes, bool tops_match)
{
    static const double importances[] = {1, 1, 2, 0.5, 0};
    wish w = {.tops_match = tops_match};
    for (int a = 0; a < n_attributes; a++)
        w.importance[a] = importances[brute_below(random, 5)];
    if (brute_chance(random, 40))
        for (int i = 1; i <= n_attributes; i++)
            w.sizes |= brute_chance(random, 40) << i;
    w.all = brute_chance(random, 10);
    w.effort = (mgl_effort)brute_below(random, 2);
    return w;
}

/* ---- Releases row by row ------------------------------------------------------------------------
 */

static int top_text(const brute_table *t, int a)
{
    return t->c.hierarchies[a].text[t->c.hierarchies[a].height][0];
}

static int ground_text(const brute_table *t, int r, int a)
{
    return t->c.hierarchies[a].text[t->c.min_level[a]][t->c.leaf[r][a]];
}

static bool is_free(const brute_table *t, int a)
{
    return t->c.max_level[a] == t->c.hierarchies[a].height;
}

static int find_text(const brute_table *t, const mgl_recoding *recoding, size_t tuple, int a)
{
    const brute_hierarchy *h = &t->c.hierarchies[a];
    mgl_span label = recoding->columns[a]->values[recoding->cells[a][tuple]].label;
    for (int l = 0; l <= h->height; l++)
        for (int i = 0; i < h->n_leaves; i++)
            if (mgl_span_is(label, h->label[l][i]))
                return h->text[l][i];
    brute_table_disagree(t, "a cell that no level has");
    return 0;
}

/* Cells are as they were or suppressed; rows that read as the top are suppressed ones. */
static void read_release(const brute_table *t, const brute_made *m, const mgl_recoding *recoding,
                         brute_node *out)
{
    int n_top = 0;
    memset(out, 0, sizeof *out);
    for (int r = 0; r < t->c.n_rows; r++)
        n_top += mgl_recoding_is_top(recoding, m->tuple_of[r]);
    for (int r = 0; r < t->c.n_rows; r++) {
        bool all = true;
        out->suppressed[r] = recoding->suppressed[m->tuple_of[r]];
        for (int a = 0; a < t->c.n_attributes; a++) {
            int text = out->released[r][a] = find_text(t, recoding, m->tuple_of[r], a);
            AGREE(text == top_text(t, a) || text == ground_text(t, r, a));
            AGREE(is_free(t, a) || out->suppressed[r] || n_top == t->c.n_rows ||
                  text == ground_text(t, r, a));
            all = all && text == top_text(t, a);
        }
        bool may = all && (t->c.treatment == BRUTE_DROP || n_top < t->c.n_rows);
        AGREE(may || !out->suppressed[r]);
        /* Beside dropped rows there may be a class at the top. */
        AGREE(!may || out->suppressed[r] || t->c.treatment == BRUTE_DROP);
    }
}

static bool is_left_out(const brute_table *t, const brute_node *n, int r)
{
    return n->suppressed[r] && t->c.treatment != BRUTE_KEEP;
}

static bool match(const brute_table *t, const brute_node *n, int r, int s, int columns)
{
    for (int a = 0; a < t->c.n_attributes; a++)
        if (columns >> a & 1 && n->released[r][a] != n->released[s][a] &&
            n->released[r][a] != top_text(t, a) && n->released[s][a] != top_text(t, a))
            return false;
    return true;
}

/* Rows, or persons, that match the row on these columns. */
static int count_matching(const brute_table *t, const brute_node *n, int r, int columns)
{
    brute_rows rows = {0};
    for (int s = 0; s < t->c.n_rows; s++)
        if (!is_left_out(t, n, s) && match(t, n, r, s, columns))
            rows.row[rows.n++] = s;
    return brute_rows_size(t, &rows);
}

/* The least number of matching rows on a combination; -1: nothing is released. */
static int least_matching(const brute_table *t, const brute_node *n, int columns)
{
    int least = -1;
    for (int r = 0; r < t->c.n_rows; r++) {
        if (is_left_out(t, n, r))
            continue;
        int count = count_matching(t, n, r, columns);
        least = least < 0 || count < least ? count : least;
    }
    return least;
}

/* Do the classes of equal cells on these columns hold all models? */
static bool classes_hold(brute_table *t, const brute_node *n, int columns)
{
    static const bool nobody[BRUTE_ROWS];
    brute_rows classes[BRUTE_ROWS];
    bool keep = t->c.treatment == BRUTE_KEEP, hold = true, before[BRUTE_ATTRIBUTES];
    memcpy(before, t->c.in_set[0], sizeof before);
    for (int a = 0; a < t->c.n_attributes; a++)
        t->c.in_set[0][a] = columns >> a & 1;
    int n_classes = brute_node_classes(t, n, 0, keep ? nobody : n->suppressed, classes);
    for (int c = 0; c < n_classes; c++)
        for (int i = 0; i < t->n_models; i++)
            if (t->models[i].kind < BRUTE_MEAN_RISK)
                hold = hold && brute_rows_hold(t, &t->models[i], &classes[c]);
    for (int i = 0; i < t->n_models; i++)
        if (t->models[i].kind >= BRUTE_MEAN_RISK)
            hold = hold && brute_classes_hold(t, &t->models[i], classes, n_classes);
    memcpy(t->c.in_set[0], before, sizeof before);
    return hold;
}

/* Is what was asked for there, on every combination of every size? *least is the fewest matching
 * rows. */
static bool keeps_promise(brute_table *t, const brute_node *n, const wish *w, int *least)
{
    int m = t->c.n_attributes;
    bool keeps = true;
    *least = -1;
    for (int columns = 1; columns < 1 << m; columns++) {
        int size = __builtin_popcount((unsigned)columns);
        bool asked = w->all || (w->sizes == 0 ? size == m : w->sizes >> size & 1);
        if (!asked)
            continue;
        if (!w->tops_match) {
            keeps = keeps && classes_hold(t, n, columns);
            continue;
        }
        int matching = least_matching(t, n, columns);
        if (matching >= 0 && (*least < 0 || matching < *least))
            *least = matching;
        keeps = keeps && (matching < 0 || matching >= (int)t->models[0].parameters[0]);
    }
    return keeps;
}

/* All rows at the top are one class, of which none is suppressed. If a row were not there, all
 * others would be: are these more than may be? */
static bool all_must_go(const brute_table *t, const brute_made *m, const brute_node *n, int row)
{
    int others = 0;
    for (int r = 0; r < t->c.n_rows; r++) {
        others += m->tuple_of[r] != m->tuple_of[row];
        for (int a = 0; a < t->c.n_attributes; a++)
            if (n->released[r][a] != top_text(t, a))
                return false;
    }
    return t->c.limited && others > t->c.limit;
}

/* Every suppressed cell is needed: released again, in all rows that are equal to the row, it breaks
 * the promise. */
static void check_needed(brute_table *t, const brute_made *m, const brute_node *n, const wish *w)
{
    for (int r = 0; r < t->c.n_rows; r++)
        for (int a = 0; a < t->c.n_attributes; a++) {
            brute_node other = *n;
            int least;
            if (n->released[r][a] == ground_text(t, r, a) || is_left_out(t, n, r) ||
                all_must_go(t, m, n, r))
                continue;
            bool whole_only = false;
            for (int b = 0; b < t->c.n_attributes; b++)
                whole_only = whole_only || (n->suppressed[r] && !is_free(t, b));
            for (int s = 0; s < t->c.n_rows; s++)
                if (m->tuple_of[s] == m->tuple_of[r]) {
                    other.released[s][a] = ground_text(t, s, a);
                    other.suppressed[s] = false;
                }
            AGREE(whole_only || !keeps_promise(t, &other, w, &least));
        }
}

static double cost_of(const brute_table *t, const brute_node *n, const wish *w)
{
    double cost = 0;
    for (int r = 0; r < t->c.n_rows; r++)
        for (int a = 0; a < t->c.n_attributes; a++)
            cost += n->released[r][a] != ground_text(t, r, a) ? w->importance[a] : 0;
    return cost;
}

/* ---- Running it
 * -------------------------------------------------------------------------------------- */

static const mgl_method_type *method(void)
{
    return mgl_method_type_find("local-suppression");
}

static mgl_problem make_problem(const brute_table *t, const brute_made *m, const wish *w)
{
    mgl_problem p = m->problem;
    p.effort = w->effort;
    p.choices.importance = w->importance;
    p.choices.missing_matches_all = w->tops_match;
    p.choices.combinations = (mgl_combinations){.sizes = (uint64_t)w->sizes, .all = w->all};
    p.counting = method()->counting(&p.choices, (size_t)t->c.n_attributes);
    return p;
}

static mgl_solution *run(const brute_table *t, const mgl_problem *given, mgl_pool *pool,
                         mgl_status *status)
{
    mgl_problem problem = *given;
    mgl_solution *s = NULL;
    mgl_error err = {0};
    problem.pool = pool;
    *status = mgl_method_run(method(), &problem, &err, &s);
    if (*status != MGL_OK && *status != MGL_UNMET)
        brute_table_disagree(t, err.message);
    return *status == MGL_OK ? s : NULL;
}

static bool same_recoding(const mgl_recoding *a, const mgl_recoding *b)
{
    for (size_t i = 0; i < a->n_attributes; i++)
        if (memcmp(a->cells[i], b->cells[i], a->n_tuples * sizeof *a->cells[i]) != 0)
            return false;
    return memcmp(a->suppressed, b->suppressed, a->n_tuples) == 0;
}

/* All rows suppressed: does that hold? */
static bool can_be_met(brute_table *t)
{
    brute_node n = {0};
    for (int r = 0; r < t->c.n_rows; r++) {
        n.suppressed[r] = true;
        for (int a = 0; a < t->c.n_attributes; a++)
            n.released[r][a] = top_text(t, a);
    }
    bool free = true;
    for (int a = 0; a < t->c.n_attributes; a++)
        free = free && is_free(t, a);
    return t->c.treatment == BRUTE_KEEP && !t->c.limited && free &&
           classes_hold(t, &n, (1 << t->c.n_attributes) - 1);
}

/* What holds on more columns need not hold on fewer. */
static bool is_one_size_only(const brute_table *t)
{
    bool one = false;
    for (int i = 0; i < t->n_models; i++) {
        brute_kind kind = t->models[i].kind;
        bool upward = kind == BRUTE_K || kind == BRUTE_DISTINCT_L || kind == BRUTE_P_SENSITIVE ||
                      kind == BRUTE_EXTENDED_P || kind == BRUTE_K_MAP || kind == BRUTE_MAX_RISK;
        one = one || kind == BRUTE_DELTA_PRESENCE ||
              (kind < BRUTE_MEAN_RISK && !upward && t->has_persons);
    }
    return one;
}

static void check(brute_table *t, const brute_made *m, const wish *w)
{
    mgl_problem problem = make_problem(t, m, w);
    mgl_status status, again;
    mgl_solution *s = run(t, &problem, NULL, &status);
    mgl_solution *threaded = run(t, &problem, four, &again);
    AGREE(status == again);
    if (s == NULL) {
        AGREE(!can_be_met(t));
        return;
    }
    AGREE(same_recoding(s->recoding, threaded->recoding));
    brute_node node;
    int least;
    read_release(t, m, s->recoding, &node);
    AGREE(keeps_promise(t, &node, w, &least));
    int suppressed = brute_count_suppressed(&t->c, &node);
    AGREE(s->suppressed_rows == (uint64_t)suppressed);
    bool bounded = false;
    for (int a = 0; a < t->c.n_attributes; a++)
        bounded = bounded || !is_free(t, a);
    AGREE(!(t->c.limited || bounded) || suppressed <= t->c.limit);
    AGREE(t->c.treatment != BRUTE_DROP || suppressed < t->c.n_rows);
    mgl_found found[BRUTE_MODELS];
    AGREE(mgl_judge_recoding(&problem, s->recoding, NULL, found) == MGL_OK);
    for (int i = 0; i < t->n_models; i++)
        AGREE(found[i].holds);
    if (w->tops_match && least >= 0)
        AGREE(found[0].measured == least);
    /* All rows at the top are the top node; with a cell less they are suppressed rows. */
    bool top_node = brute_all_at_top(&t->c, &node);
    if (w->tops_match && !t->has_persons && !top_node)
        check_needed(t, m, &node, w);
    mgl_solution_free(s);
    mgl_solution_free(threaded);
}

/* ---- Tables
 * --------------------------------------------------------------------------------------------- */

static uint64_t make_table(brute_table *t, uint64_t seed)
{
    do {
        brute_table_make(t, seed++, 4000);
        brute_order_sets(&t->c);
    } while (t->c.n_sets > 1);
    return seed;
}

static void vary(brute_table *t, brute_made *m, brute_random *random, bool tops_match)
{
    for (int treatment = 0; treatment < 3; treatment++) {
        brute_made_vary(t, m, random, (brute_treatment)treatment);
        wish w = make_wish(random, t->c.n_attributes, tops_match);
        if (is_one_size_only(t)) {
            w.all = false;
            w.sizes &= -w.sizes;
        }
        check(t, m, &w);
    }
}

static void suppressed_cells_are_values(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (int i = 0; i < brute_cases(60); i++) {
        brute_made m;
        seed = make_table(&table, seed);
        brute_random random = {seed + 77};
        brute_made_make(&table, &m);
        vary(&table, &m, &random, false);
        brute_made_free(&m);
    }
}

static void with_each_model(void **state)
{
    (void)state;
    uint64_t seed = 5000000;
    /* Proofs for models of a population take minutes under the thread sanitizer: it gets the first
     * kind of model alone. */
    int kinds = BRUTE_ONE_IN > 1 ? 1 : BRUTE_KINDS;
    for (int i = 0; i < brute_cases(4) * kinds; i++) {
        brute_made m;
        brute_random random = {seed + 7700};
        do {
            seed = make_table(&table, seed);
            brute_table_take_model(&table, &random, (brute_kind)(i % BRUTE_KINDS));
        } while (table.n_models == 0);
        brute_made_make(&table, &m);
        vary(&table, &m, &random, false);
        brute_made_free(&m);
    }
}

static void suppressed_cells_match_all(void **state)
{
    (void)state;
    uint64_t seed = 9000000;
    for (int i = 0; i < brute_cases(100); i++) {
        brute_made m;
        brute_random random = {seed + 99};
        seed = make_table(&table, seed);
        brute_table_take_model(&table, &random, BRUTE_K);
        brute_made_make(&table, &m);
        vary(&table, &m, &random, true);
        brute_made_free(&m);
    }
}

/* ---- The best there is
 * -------------------------------------------------------------------------------------- */

enum { BEST_BITS = 16 }; /* cells of distinct tuples */

static int number_tuples(const brute_table *t, const brute_made *m, size_t *tuples)
{
    int n = 0;
    for (int r = 0; r < t->c.n_rows; r++) {
        int i = 0;
        while (i < n && tuples[i] != m->tuple_of[r])
            i++;
        if (i == n)
            tuples[n++] = m->tuple_of[r];
    }
    return n;
}

/* Every choice of suppressed cells is tried; the least cost of one that keeps the promise, or -1.
 */
static double find_best(brute_table *t, const brute_made *m, const wish *w, const size_t *tuples,
                        int n)
{
    int columns = t->c.n_attributes;
    double best = -1;
    for (int choice = 0; choice < 1 << (n * columns); choice++) {
        brute_node node = {0};
        int least, which[BRUTE_ROWS];
        for (int r = 0; r < t->c.n_rows; r++) {
            for (which[r] = 0; tuples[which[r]] != m->tuple_of[r];)
                which[r]++;
            node.suppressed[r] = true;
            for (int a = 0; a < columns; a++) {
                bool suppressed = choice >> (which[r] * columns + a) & 1;
                node.released[r][a] = suppressed ? top_text(t, a) : ground_text(t, r, a);
                node.suppressed[r] = node.suppressed[r] && node.released[r][a] == top_text(t, a);
            }
        }
        double cost = cost_of(t, &node, w);
        if ((best < 0 || cost < best) && keeps_promise(t, &node, w, &least))
            best = cost;
    }
    return best;
}

/* A table small enough to try all, without bounds. */
static uint64_t make_tiny(brute_table *t, uint64_t seed, brute_random *random)
{
    do {
        seed = make_table(t, seed);
        brute_table_take_model(t, random, BRUTE_K);
        t->has_persons = false;
        for (int a = 0; a < t->c.n_attributes; a++) {
            t->c.min_level[a] = 0;
            t->c.max_level[a] = t->c.hierarchies[a].height;
            t->c.bounded[a] = false;
        }
        t->c.treatment = BRUTE_KEEP;
        t->c.limited = false;
    } while (t->c.n_attributes > 4 || t->c.n_rows > 12 || t->models[0].parameters[0] > t->c.n_rows);
    return seed;
}

/* Adds what the search and the best choice cost. */
static void compare(brute_table *t, const brute_made *m, const wish *w, double *sum, double *best)
{
    size_t tuples[BRUTE_ROWS];
    int n = number_tuples(t, m, tuples);
    if (n * t->c.n_attributes > BEST_BITS)
        return;
    mgl_problem problem = make_problem(t, m, w);
    problem.treatment = MGL_KEEP;
    problem.limited = false;
    mgl_status status;
    mgl_solution *s = run(t, &problem, NULL, &status);
    double least = find_best(t, m, w, tuples, n);
    AGREE((s != NULL) == (least >= 0));
    if (s == NULL)
        return;
    brute_node node;
    read_release(t, m, s->recoding, &node);
    double cost = cost_of(t, &node, w);
    AGREE(cost >= least - 1e-9);
    AGREE(w->effort != MGL_EFFORT_BEST || w->tops_match || cost <= least + 1e-6);
    *sum += cost;
    *best += least;
    mgl_solution_free(s);
}

/* How far the search is from the best; with the greatest effort it is the best where a suppressed
 * cell is a value. */
static void compared_with_the_best(void **state)
{
    (void)state;
    static const struct {
        bool tops_match;
        mgl_effort effort;
    } ways[] = {{false, MGL_EFFORT_FAST},
                {false, MGL_EFFORT_BALANCED},
                {false, MGL_EFFORT_BEST},
                {true, MGL_EFFORT_FAST},
                {true, MGL_EFFORT_BALANCED}};
    double sum[5] = {0}, best[5] = {0};
    uint64_t seed = 20000000;
    for (int i = 0; i < brute_cases(60); i++) {
        brute_made m;
        brute_random random = {seed + 99};
        seed = make_tiny(&table, seed, &random);
        brute_made_make(&table, &m);
        for (int k = 0; k < 5; k++) {
            wish w = {.tops_match = ways[k].tops_match, .effort = ways[k].effort};
            for (int a = 0; a < table.c.n_attributes; a++)
                w.importance[a] = 1 + (i + a) % 3;
            compare(&table, &m, &w, &sum[k], &best[k]);
        }
        brute_made_free(&m);
    }
    for (int k = 0; k < 5; k++) {
        print_message("suppressed cells %s, effort %d: cost %g, at best %g\n",
                      ways[k].tops_match ? "match all" : "are values", (int)ways[k].effort, sum[k],
                      best[k]);
        assert_true(best[k] > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(suppressed_cells_are_values),
        cmocka_unit_test(with_each_model),
        cmocka_unit_test(suppressed_cells_match_all),
        cmocka_unit_test(compared_with_the_best),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
