/* items: random rows of items under random trees. Cuts are judged, combinations enumerated and the
 * best cut found by plain force over all subsets, and the search, its counts and the verifier are
 * compared with that. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "brute.h"
#include "items/items.h"
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_LEAVES = 7, MOST_ROWS = 30, LEVELS = 4, MOST_SETS = 3 * MOST_LEAVES, TRIALS = 300 };

/* Sets of leaves are bits. */
typedef struct trial {
    int n_leaves, n_rows, k, m;
    int group[LEVELS][MOST_LEAVES]; /* [level][leaf]; level 0: the leaf itself */
    unsigned rows[MOST_ROWS];
    uint32_t classes[MOST_ROWS], persons[MOST_ROWS];
    bool within, by_person;
    unsigned sets[MOST_SETS]; /* leaves of each different node */
    int n_sets;
} trial;

static unsigned leaves_of(const trial *t, int level, int group)
{
    unsigned leaves = 0;
    for (int leaf = 0; leaf < t->n_leaves; leaf++)
        if (t->group[level][leaf] == group)
            leaves |= 1u << leaf;
    return leaves;
}

static void add_set(trial *t, unsigned leaves)
{
    for (int i = 0; i < t->n_sets; i++)
        if (t->sets[i] == leaves)
            return;
    t->sets[t->n_sets++] = leaves;
}

static trial draw(brute_random *random)
{
    trial t = {.n_leaves = brute_between(random, 1, MOST_LEAVES),
               .n_rows = brute_between(random, 1, MOST_ROWS),
               .k = brute_between(random, 1, 6),
               .m = brute_between(random, 1, 3),
               .within = brute_chance(random, 40),
               .by_person = brute_chance(random, 40)};
    for (int leaf = 0; leaf < t.n_leaves; leaf++)
        t.group[0][leaf] = leaf;
    for (int level = 1; level < LEVELS - 1; level++) {
        int above[MOST_LEAVES];
        for (int g = 0; g < MOST_LEAVES; g++)
            above[g] = brute_below(random, 4 - level);
        for (int leaf = 0; leaf < t.n_leaves; leaf++)
            t.group[level][leaf] = above[t.group[level - 1][leaf]];
    }
    for (int level = 0; level < LEVELS - 1; level++)
        for (int leaf = 0; leaf < t.n_leaves; leaf++)
            add_set(&t, leaves_of(&t, level, t.group[level][leaf]));
    for (int row = 0; row < t.n_rows; row++) {
        for (int leaf = 0; leaf < t.n_leaves; leaf++)
            if (brute_chance(random, 10 + 60 / (leaf + 1)))
                t.rows[row] |= 1u << leaf;
        t.classes[row] = (uint32_t)brute_below(random, 3);
        t.persons[row] = (uint32_t)brute_below(random, 12);
    }
    return t;
}

/* ---- The plain count ------------------------------------------------------------------------ */

/* What a row shows: a bit for each set of leaves that is released and that it has some of. */
static unsigned shown(const unsigned *released, int n, unsigned row)
{
    unsigned nodes = 0;
    for (int i = 0; i < n; i++)
        if ((released[i] & row) != 0)
            nodes |= 1u << i;
    return nodes;
}

typedef struct figures {
    uint64_t combinations, least, rare;
} figures;

static uint64_t count_rows(const trial *t, const unsigned *nodes, unsigned combination,
                           uint32_t class_of)
{
    uint64_t n = 0, seen = 0;
    for (int row = 0; row < t->n_rows; row++) {
        if ((nodes[row] & combination) != combination || (t->within && t->classes[row] != class_of))
            continue;
        uint64_t person = UINT64_C(1) << t->persons[row];
        n += !t->by_person || (seen & person) == 0;
        seen |= person;
    }
    return n;
}

static figures count(const trial *t, const unsigned *released, int n)
{
    unsigned nodes[MOST_ROWS];
    figures found = {0};
    for (int row = 0; row < t->n_rows; row++)
        nodes[row] = shown(released, n, t->rows[row]);
    for (unsigned combination = 1; combination < 1u << n; combination++) {
        if (__builtin_popcount(combination) > t->m)
            continue;
        for (uint32_t class_of = 0; class_of < (t->within ? 3u : 1u); class_of++) {
            uint64_t rows = count_rows(t, nodes, combination, class_of);
            if (rows == 0)
                continue;
            found.combinations++;
            found.rare += rows < (uint64_t)t->k;
            found.least = found.least == 0 || rows < found.least ? rows : found.least;
        }
    }
    return found;
}

static double loss_of(const trial *t, const unsigned *released, int n)
{
    double sum = 0, total = 0;
    for (int row = 0; row < t->n_rows; row++)
        for (int leaf = 0; leaf < t->n_leaves; leaf++) {
            double loss = 1;
            for (int i = 0; i < n; i++)
                if ((released[i] >> leaf & 1) != 0)
                    loss = t->n_leaves == 1
                               ? 0
                               : (__builtin_popcount(released[i]) - 1.0) / (t->n_leaves - 1.0);
            if ((t->rows[row] >> leaf & 1) == 0)
                continue;
            sum += loss;
            total++;
        }
    return total > 0 ? sum / total : 0;
}

/* The best of all choices of nodes that share no leaf. */
static double best_loss(const trial *t)
{
    double best = 2;
    for (unsigned choice = 0; choice < 1u << t->n_sets; choice++) {
        unsigned released[MOST_SETS], taken = 0;
        int n = 0;
        bool apart = __builtin_popcount(choice) <= t->n_leaves;
        for (int i = 0; apart && i < t->n_sets; i++) {
            if ((choice >> i & 1) == 0)
                continue;
            apart = (taken & t->sets[i]) == 0;
            taken |= t->sets[i];
            if (apart)
                released[n++] = t->sets[i];
        }
        if (!apart)
            continue;
        double loss = loss_of(t, released, n);
        if (loss < best && count(t, released, n).rare == 0)
            best = loss;
    }
    return best;
}

/* ---- The same for the library -----------------------------------------------------------------
 */

typedef struct made {
    mgl_column column, classes, persons;
    mgl_item_sets sets;
    mgl_hierarchy *hierarchy;
    mgl_item_tree tree;
    mgl_baskets baskets;
    uint32_t leaf_of_item[MOST_LEAVES];
} made;

static const mgl_item_cutting cutting = {.separator = {";", 1}};

static void make_column(mgl_column *column, const char *name, const uint32_t *codes, int n)
{
    char text[24];
    *column = (mgl_column){.dictionary = mgl_dictionary_new(), .width = 1};
    column->name = mgl_alloc(strlen(name) + 1);
    strcpy(column->name, name);
    assert_true(mgl_column_reserve(column, 0, (size_t)n));
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "v%u", codes[i]);
        mgl_column_set(column, (size_t)i,
                       mgl_dictionary_add(column->dictionary, mgl_span_of(text)));
    }
}

static void make_cells(const trial *t, mgl_column *column)
{
    *column = (mgl_column){.dictionary = mgl_dictionary_new(), .width = 1, .name = mgl_alloc(2)};
    strcpy(column->name, "x");
    assert_true(mgl_column_reserve(column, 0, (size_t)t->n_rows));
    for (int row = 0; row < t->n_rows; row++) {
        char text[128] = "";
        for (int i = 0; i < t->n_leaves; i++) { /* in another order in every row */
            int leaf = (i * (row % 2 == 0 ? 1 : t->n_leaves - 1) + row) % t->n_leaves;
            bool twice = leaf == 0 && row % 3 == 0;
            if ((t->rows[row] >> leaf & 1) != 0)
                snprintf(text + strlen(text), 24, twice ? " l%d;l%d;" : "l%d;", leaf, leaf);
        }
        mgl_column_set(column, (size_t)row,
                       mgl_dictionary_add(column->dictionary, mgl_span_of(text)));
    }
}

static void make_tree(const trial *t, made *m)
{
    char texts[MOST_LEAVES][LEVELS][16];
    mgl_span labels[MOST_LEAVES * LEVELS];
    mgl_error err;
    uint32_t n = mgl_dictionary_size(m->sets.items);
    for (uint32_t i = 0; i < n; i++) {
        int leaf = mgl_dictionary_value(m->sets.items, i).data[1] - '0';
        for (int level = 0; level < LEVELS; level++) {
            snprintf(texts[i][level], 16,
                     level == LEVELS - 1 ? "*"
                     : level == 0        ? "l%d"
                                         : "g%d_%d",
                     level == 0 ? leaf : level, level < LEVELS - 1 ? t->group[level][leaf] : 0);
            labels[i * LEVELS + (uint32_t)level] = mgl_span_of(texts[i][level]);
        }
    }
    assert_int_equal(
        mgl_hierarchy_of_rows(labels, n, LEVELS, "x", m->sets.items, &err, &m->hierarchy), MGL_OK);
    assert_int_equal(mgl_hierarchy_bind(m->hierarchy, "x", m->sets.items, &err, m->leaf_of_item),
                     MGL_OK);
    assert_int_equal(mgl_item_tree_new(m->hierarchy, &err, &m->tree), MGL_OK);
}

static void make(const trial *t, made *m)
{
    mgl_error err;
    make_cells(t, &m->column);
    make_column(&m->classes, "c", t->classes, t->n_rows);
    make_column(&m->persons, "p", t->persons, t->n_rows);
    assert_int_equal(mgl_item_sets_new(m->column.dictionary, &cutting, &err, &m->sets), MGL_OK);
    make_tree(t, m);
    mgl_basket_request request = {.column = &m->column,
                                  .n_rows = (size_t)t->n_rows,
                                  .sets = &m->sets,
                                  .leaf_of_item = m->leaf_of_item,
                                  .n_leaves = m->tree.n_leaves,
                                  .class_of_row = t->within ? t->classes : NULL,
                                  .persons = t->by_person ? &m->persons : NULL};
    assert_int_equal(mgl_baskets_new(&request, &err, &m->baskets), MGL_OK);
}

static void end(made *m)
{
    mgl_baskets_free(&m->baskets);
    mgl_item_tree_free(&m->tree);
    mgl_hierarchy_free(m->hierarchy);
    mgl_item_sets_free(&m->sets);
    mgl_column_clear(&m->column);
    mgl_column_clear(&m->classes);
    mgl_column_clear(&m->persons);
}

/* The leaves of a node as bits of the trial. */
static unsigned bits_of(const made *m, uint32_t node)
{
    unsigned bits = 0;
    for (size_t i = m->tree.start[node]; i < m->tree.start[node + 1]; i++) {
        mgl_span label = m->hierarchy->levels[0].labels[m->tree.leaves[i]];
        bits |= 1u << (label.data[1] - '0');
    }
    return bits;
}

static int released_by(const made *m, const uint32_t *node_of_leaf, unsigned *released)
{
    int n = 0;
    for (uint32_t leaf = 0; leaf < m->tree.n_leaves; leaf++) {
        uint32_t node = node_of_leaf[leaf];
        bool first = node != MGL_NOT_FOUND && m->tree.leaves[m->tree.start[node]] == leaf;
        if (first)
            released[n++] = bits_of(m, node);
    }
    return n;
}

/* ---- Tests --------------------------------------------------------------------------------- */

static bool has_items(const trial *t)
{
    unsigned all = 0;
    for (int row = 0; row < t->n_rows; row++)
        all |= t->rows[row];
    return all == (1u << t->n_leaves) - 1; /* so that leaves of trial and tree are the same */
}

static mgl_item_problem problem_of(const trial *t, const made *m, mgl_pool *pool)
{
    return (mgl_item_problem){.tree = &m->tree,
                              .baskets = &m->baskets,
                              .k = (uint64_t)t->k,
                              .m = (unsigned)t->m,
                              .pool = pool};
}

static void cuts_are_judged_as_all_combinations_say(void **state)
{
    brute_random random = {5};
    (void)state;
    for (int i = 0; i < brute_cases(TRIALS); i++) {
        trial t = draw(&random);
        if (!has_items(&t))
            continue;
        made m = {0};
        make(&t, &m);
        mgl_item_problem problem = problem_of(&t, &m, NULL);
        uint32_t cut[MOST_LEAVES];
        for (uint32_t leaf = 0; leaf < m.tree.n_leaves; leaf++)
            cut[leaf] = brute_chance(&random, 70) ? leaf : MGL_NOT_FOUND;
        for (uint32_t v = m.tree.n_leaves; v < m.tree.n_nodes; v++)
            for (size_t j = m.tree.start[v]; brute_chance(&random, 30) && j < m.tree.start[v + 1];
                 j++)
                for (size_t l = m.tree.start[v]; l < m.tree.start[v + 1]; l++)
                    cut[m.tree.leaves[l]] = v;
        unsigned released[MOST_SETS];
        int n = released_by(&m, cut, released);
        bool holds;
        mgl_error err;
        assert_int_equal(mgl_item_cut_holds(&problem, cut, &err, &holds), MGL_OK);
        assert_int_equal(holds, count(&t, released, n).rare == 0);
        assert_true(fabs(mgl_item_cut_loss(&m.tree, &m.baskets, cut) - loss_of(&t, released, n)) <
                    1e-9);
        end(&m);
    }
}

static void cuts_that_are_found_hold_and_are_the_best_where_they_say_so(void **state)
{
    brute_random random = {6};
    mgl_pool *pool;
    mgl_error err;
    int exact = 0, all = 0;
    (void)state;
    assert_int_equal(mgl_pool_new(3, &err, &pool), MGL_OK);
    for (int i = 0; i < brute_cases(TRIALS / 3); i++) {
        trial t = draw(&random);
        if (!has_items(&t) || t.n_sets > 10)
            continue;
        made m = {0};
        make(&t, &m);
        mgl_item_problem alone = problem_of(&t, &m, NULL), shared = problem_of(&t, &m, pool);
        mgl_item_cut cut, same;
        unsigned released[MOST_SETS];
        assert_int_equal(mgl_item_search(&alone, &err, &cut), MGL_OK);
        assert_int_equal(mgl_item_search(&shared, &err, &same), MGL_OK);
        assert_memory_equal(cut.node_of_leaf, same.node_of_leaf,
                            m.tree.n_leaves * sizeof *cut.node_of_leaf);
        int n = released_by(&m, cut.node_of_leaf, released);
        double best = best_loss(&t);
        assert_int_equal(count(&t, released, n).rare, 0);
        assert_true(fabs(cut.ncp - loss_of(&t, released, n)) < 1e-9);
        assert_true(cut.ncp >= best - 1e-9 && cut.best_possible <= best + 1e-9);
        assert_true(cut.ncp <= cut.ncp_first + 1e-9);
        assert_true(!cut.exact || cut.ncp <= best + 1e-9);
        exact += cut.exact;
        all++;
        mgl_item_cut_free(&cut);
        mgl_item_cut_free(&same);
        end(&m);
    }
    assert_true(exact > all / 2);
    mgl_pool_free(pool);
}

static void combinations_of_a_table_are_counted(void **state)
{
    brute_random random = {7};
    (void)state;
    for (int i = 0; i < brute_cases(TRIALS); i++) {
        trial t = draw(&random);
        made m = {0};
        unsigned leaves[MOST_LEAVES];
        mgl_error err;
        make_cells(&t, &m.column);
        make_column(&m.classes, "c", t.classes, t.n_rows);
        const mgl_column *alike[] = {&m.classes};
        mgl_item_rows rows = {.column = &m.column,
                              .n_rows = (size_t)t.n_rows,
                              .alike = alike,
                              .n_alike = t.within,
                              .persons = t.by_person ? t.persons : NULL};
        mgl_promised_items promised = {
            .k = (uint64_t)t.k, .m = (unsigned)t.m, .within = t.within, .cutting = cutting};
        assert_int_equal(mgl_verify_items(&rows, &promised, &err), MGL_OK);
        for (int leaf = 0; leaf < t.n_leaves; leaf++)
            leaves[leaf] = 1u << leaf;
        figures found = count(&t, leaves, t.n_leaves);
        assert_int_equal(promised.found.combinations, found.combinations);
        assert_int_equal(promised.found.rare, found.rare);
        assert_int_equal(promised.found.least, found.least);
        mgl_column_clear(&m.column);
        mgl_column_clear(&m.classes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_are_judged_as_all_combinations_say),
        cmocka_unit_test(cuts_that_are_found_hold_and_are_the_best_where_they_say_so),
        cmocka_unit_test(combinations_of_a_table_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
