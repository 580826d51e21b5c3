/* Block tables: values come in blocks that have nothing in common but the top, and a row at the top
 * costs more than a whole block that is one class. So the best release is the best one of each
 * block by itself, which is found by trying all ways to divide it; and the optimum of a table of
 * any size is known. No bound is beyond it, and what is called exact is it. */
/* slow: random problems against plain searches; changes with the searches alone */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "random_problem.h"
#include "tuples.h"

#include <math.h>
#include <string.h>

enum {
    COLUMNS = 2,
    BLOCK_LEAVES = 4, /* of a block, in each column: two pairs */
    BLOCK_ROWS = 8,   /* at most */
    PAIR = 1,
    BLOCK = 2,   /* levels */
    HEIGHT = 16, /* BLOCK_ROWS rows at level BLOCK are as good as one at the top */
    KINDS = 2    /* measures: precision and loss */
};

static const char *const measures[KINDS] = {"precision", "loss"};

typedef struct blocks {
    size_t n;
    uint32_t n_leaves;
    int k;
    uint32_t leaves[BLOCK_ROWS][COLUMNS]; /* of the block at hand: its tuples */
    uint32_t counts[BLOCK_ROWS];
    int n_tuples;
    double best[KINDS]; /* what all rows add to the measure's sum, over the blocks so far */
} blocks;

/* ---- Hierarchies --------------------------------------------------------------------------- */

static uint32_t value_of(uint32_t leaf, uint32_t level)
{
    static const uint32_t divisor[] = {1, BLOCK_LEAVES / 2, BLOCK_LEAVES};
    return level == HEIGHT ? 0 : leaf / divisor[level < BLOCK ? level : BLOCK];
}

static void *get(mgl_arena *arena, size_t n, size_t size)
{
    void *array = mgl_arena_alloc(arena, n * size);
    assert_non_null(array);
    return array;
}

static mgl_level make_level(mgl_arena *arena, uint32_t n_leaves, uint32_t level)
{
    uint32_t n = value_of(n_leaves - 1, level) + 1;
    uint32_t *leaves = get(arena, n, sizeof *leaves), *first = get(arena, n, sizeof *first);
    uint32_t *lowest = get(arena, n, sizeof *lowest), *parent = get(arena, n, sizeof *parent);
    uint32_t *of_leaf = get(arena, n_leaves, sizeof *of_leaf);
    mgl_span *labels = get(arena, n, sizeof *labels);
    memset(leaves, 0, n * sizeof *leaves);
    for (uint32_t leaf = n_leaves; leaf-- > 0;) {
        uint32_t v = of_leaf[leaf] = value_of(leaf, level);
        leaves[v]++;
        first[v] = leaf;
        lowest[v] = level;
        labels[v] = mgl_span_of("");
        parent[v] = value_of(leaf, level + 1);
    }
    return (mgl_level){.n_values = n,
                       .labels = labels,
                       .leaves = leaves,
                       .first_leaf = first,
                       .lowest = lowest,
                       .parent = level < HEIGHT ? parent : NULL,
                       .of_leaf = of_leaf};
}

static mgl_hierarchy *make_hierarchy(uint32_t n_leaves)
{
    mgl_arena *arena = mgl_arena_new();
    mgl_hierarchy *h = get(arena, 1, sizeof *h);
    mgl_level *levels = get(arena, HEIGHT + 1, sizeof *levels);
    for (uint32_t l = 0; l <= HEIGHT; l++)
        levels[l] = make_level(arena, n_leaves, l);
    *h = (mgl_hierarchy){.height = HEIGHT,
                         .n_leaves = n_leaves,
                         .levels = levels,
                         .arena = arena,
                         .missing_leaf = MGL_NOT_FOUND,
                         .star_leaf = MGL_NOT_FOUND,
                         .source = "blocks"};
    return h;
}

/* ---- The best of a block ------------------------------------------------------------------- */

/* What each row of these tuples adds as one class. */
static double cost_of(const blocks *b, int set, int kind)
{
    double cost = 0;
    for (int a = 0; a < COLUMNS; a++) {
        uint32_t level = 0, first = MGL_NOT_FOUND;
        for (int t = 0; t < b->n_tuples; t++) {
            if (!(set >> t & 1))
                continue;
            first = first == MGL_NOT_FOUND ? b->leaves[t][a] : first;
            while (value_of(first, level) != value_of(b->leaves[t][a], level))
                level++;
        }
        static const double leaves[] = {1, BLOCK_LEAVES / 2, BLOCK_LEAVES};
        cost += kind == 0 ? (double)level / HEIGHT : (leaves[level] - 1) / (b->n_leaves - 1);
    }
    return cost;
}

static int rows_of(const blocks *b, int set)
{
    int rows = 0;
    for (int t = 0; t < b->n_tuples; t++)
        rows += set >> t & 1 ? (int)b->counts[t] : 0;
    return rows;
}

static double best_of_block(const blocks *b, int kind)
{
    double best[1 << BLOCK_ROWS];
    best[0] = 0;
    for (int set = 1; set < 1 << b->n_tuples; set++) {
        best[set] = INFINITY;
        for (int class = set; class > 0; class = (class - 1) & set)
            if (rows_of(b, class) >= b->k && (class & (set & -set)))
                best[set] = fmin(best[set],
                                 rows_of(b, class) * cost_of(b, class, kind) + best[set & ~class]);
    }
    return best[(1 << b->n_tuples) - 1];
}

/* ---- Tables --------------------------------------------------------------------------------- */

static bool is_known(const blocks *b, const uint32_t *leaves)
{
    for (int t = 0; t < b->n_tuples; t++)
        if (memcmp(b->leaves[t], leaves, sizeof b->leaves[t]) == 0)
            return true;
    return false;
}

/* At least k rows, at most BLOCK_ROWS. */
static void make_block(blocks *b, uint32_t number, brute_random *random)
{
    int wanted = brute_between(random, b->k, BLOCK_ROWS), rows = 0;
    b->n_tuples = 0;
    while (rows < wanted) {
        uint32_t leaves[COLUMNS];
        for (int a = 0; a < COLUMNS; a++)
            leaves[a] = number * BLOCK_LEAVES + (uint32_t)brute_below(random, BLOCK_LEAVES);
        if (is_known(b, leaves))
            continue;
        memcpy(b->leaves[b->n_tuples], leaves, sizeof leaves);
        int count = brute_chance(random, 80) || rows + 2 > wanted ? 1 : 2;
        b->counts[b->n_tuples++] = (uint32_t)count;
        rows += count;
    }
    for (int kind = 0; kind < KINDS; kind++)
        b->best[kind] += best_of_block(b, kind);
}

static void make_table(blocks *b, random_problem *p, brute_random *random)
{
    uint32_t *leaves = mgl_alloc_array(b->n * BLOCK_ROWS * COLUMNS, sizeof *leaves);
    uint64_t *counts = mgl_alloc_array(b->n * BLOCK_ROWS, sizeof *counts);
    size_t n = 0;
    *p = (random_problem){.n_attributes = COLUMNS};
    for (uint32_t block = 0; block < b->n; block++) {
        make_block(b, block, random);
        for (int t = 0; t < b->n_tuples; t++, n++) {
            counts[n] = b->counts[t];
            memcpy(leaves + n * COLUMNS, b->leaves[t], sizeof b->leaves[t]);
        }
    }
    for (uint32_t a = 0; a < COLUMNS; a++) {
        p->hierarchies[a] = make_hierarchy(b->n_leaves);
        assert_int_equal(mgl_released_column_new(p->hierarchies[a], NULL, &p->columns[a]), MGL_OK);
        p->attributes[a] = a;
        p->weights[a] = 1;
        p->max_level[a] = HEIGHT;
    }
    assert_int_equal(tuples_listed((const mgl_hierarchy *const *)p->hierarchies, COLUMNS, leaves,
                                   counts, n, &p->list),
                     MGL_OK);
    assert_int_equal(mgl_cell_costs_new(p->list, (const mgl_released_column *const *)p->columns,
                                        NULL, NULL, &p->costs),
                     MGL_OK);
    mgl_free(leaves);
    mgl_free(counts);
}

static void make_problem(const blocks *b, random_problem *p, brute_random *random)
{
    p->model =
        (mgl_model){.type = mgl_model_type_find("k-anonymity"), .parameters = {(double)b->k}};
    p->set = (mgl_quasi_set){
        .attributes = p->attributes, .n_attributes = COLUMNS, .models = &p->model, .n_models = 1};
    p->problem = (mgl_problem){.list = p->list,
                               .columns = (const mgl_released_column *const *)p->columns,
                               .costs = p->costs,
                               .min_level = p->min_level,
                               .max_level = p->max_level,
                               .weights = p->weights,
                               .sets = &p->set,
                               .n_sets = 1,
                               .k = (uint64_t)b->k,
                               .limited = true,
                               .limit = (uint64_t)brute_below(random, (int)b->n),
                               .treatment = (mgl_treatment)brute_below(random, 3)};
}

/* ---- What is said --------------------------------------------------------------------------- */

static double sum_of(const random_problem *p, int kind, const mgl_recoding *recoding)
{
    double sum = 0;
    for (size_t t = 0; t < p->list->n_tuples; t++)
        for (size_t a = 0; a < COLUMNS; a++) {
            uint32_t value = recoding->cells[a][t];
            double cell = kind == 0 ? p->costs->distortion[a][value] : p->costs->loss[a][value];
            sum += cell * (double)p->list->counts[t];
        }
    return sum;
}

/* As a sum over rows, whichever measure it is. */
static double best_possible(const random_problem *p, int kind, const mgl_solution *s)
{
    double mean = kind == 0 ? 1 - s->best_possible : s->best_possible;
    return mean * COLUMNS * (double)p->list->n_rows;
}

static bool judge(const blocks *b, random_problem *p, int kind, mgl_effort effort)
{
    mgl_solution *s;
    p->problem.effort = effort;
    p->problem.measure = mgl_measure_type_find(measures[kind]);
    assert_int_equal(mgl_method_run(mgl_method_type_find("cell"), &p->problem, NULL, &s), MGL_OK);
    double reached = sum_of(p, kind, s->recoding), bound = best_possible(p, kind, s);
    double rounding = 1e-12 * COLUMNS * (double)p->list->n_rows;
    if (bound > b->best[kind] + rounding || reached < b->best[kind] - rounding ||
        (s->exact && reached > b->best[kind] + rounding))
        fail_msg("%zu blocks, k %d, %s: the best is %.17g, reached %.17g, bound %.17g, exact %d",
                 b->n, b->k, measures[kind], b->best[kind], reached, bound, s->exact);
    bool exact = s->exact;
    mgl_solution_free(s);
    return exact;
}

/* How many of the tables are proved. */
static int judge_tables(size_t n_blocks, int cases, mgl_effort effort)
{
    int exact = 0;
    for (int i = 0; i < cases; i++) {
        brute_random random = {n_blocks * 1000 + (uint64_t)i};
        blocks b = {.n = n_blocks, .n_leaves = (uint32_t)n_blocks * BLOCK_LEAVES, .k = 2 + i % 3};
        random_problem p;
        make_table(&b, &p, &random);
        make_problem(&b, &p, &random);
        for (int kind = 0; kind < KINDS; kind++)
            exact += judge(&b, &p, kind, effort);
        random_problem_free(&p);
    }
    return exact;
}

/* Few tuples are all proved. */
static void tables_of_few_tuples_are_all_proved(void **state)
{
    (void)state;
    int cases = brute_cases(12);
    assert_int_equal(judge_tables(7, cases, MGL_EFFORT_BALANCED), KINDS * cases);
}

static void tables_of_hundreds_of_tuples_hold_and_some_are_proved(void **state)
{
    (void)state;
    int exact = judge_tables(80, brute_cases(4), MGL_EFFORT_BALANCED);
    print_message("%d of %d proved\n", exact, KINDS * brute_cases(4));
    assert_true(exact > 0);
}

static void tables_of_thousands_of_tuples_hold(void **state)
{
    (void)state;
    judge_tables(500, brute_cases(2), MGL_EFFORT_FAST);
    judge_tables(500, 1, MGL_EFFORT_BALANCED);
}

static void a_table_of_twenty_thousand_tuples_holds(void **state)
{
    (void)state;
    judge_tables(4200, 1, MGL_EFFORT_FAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_of_few_tuples_are_all_proved),
        cmocka_unit_test(tables_of_hundreds_of_tuples_hold_and_some_are_proved),
        cmocka_unit_test(tables_of_thousands_of_tuples_hold),
        cmocka_unit_test(a_table_of_twenty_thousand_tuples_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
