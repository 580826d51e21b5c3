/* Makes random problems of hundreds of tuples, directly and without files. Tests of inner loops and
 * benchmarks use it. */
#include "random_problem.h"

#include "tuples.h"

#include <stdio.h>
#include <string.h>

/* ---- Hierarchies ------------------------------------------------------------------------ */

typedef struct level_maker {
    uint32_t *leaves, *first_leaf, *lowest, *parent, *of_leaf;
    mgl_span *labels;
} level_maker;

static bool alloc_level(mgl_arena *arena, level_maker *m, size_t n_values, size_t n_leaves)
{
    m->leaves = mgl_arena_alloc(arena, n_values * sizeof(uint32_t));
    m->first_leaf = mgl_arena_alloc(arena, n_values * sizeof(uint32_t));
    m->lowest = mgl_arena_alloc(arena, n_values * sizeof(uint32_t));
    m->parent = mgl_arena_alloc(arena, n_values * sizeof(uint32_t));
    m->of_leaf = mgl_arena_alloc(arena, n_leaves * sizeof(uint32_t));
    m->labels = mgl_arena_alloc(arena, n_values * sizeof(mgl_span));
    if (m->of_leaf == NULL || m->labels == NULL || m->parent == NULL || m->lowest == NULL ||
        m->first_leaf == NULL || m->leaves == NULL)
        return false;
    for (size_t v = 0; v < n_values; v++)
        m->labels[v] = mgl_span_of("");
    return true;
}

/* Each leaf's value on the next level, numbered by first leaf. The missing leaf, which is
 * the last, stays alone until the top. */
static uint32_t merge(mgl_random *random, const uint32_t *below, uint32_t n_below,
                      uint32_t n_leaves, bool top, bool missing, uint32_t *out)
{
    uint32_t parent_of[n_below], number[n_below], n = 0;
    uint32_t parents = 1 + (uint32_t)mgl_random_below(random, n_below);
    for (uint32_t v = 0; v < n_below; v++) {
        parent_of[v] = top ? 0 : (uint32_t)mgl_random_below(random, parents);
        number[v] = MGL_NOT_FOUND;
    }
    if (missing && !top)
        parent_of[n_below - 1] = parents < n_below ? parents : MGL_NOT_FOUND;
    uint32_t alone = MGL_NOT_FOUND;
    for (uint32_t leaf = 0; leaf < n_leaves; leaf++) {
        uint32_t p = parent_of[below[leaf]];
        uint32_t *slot = p == MGL_NOT_FOUND ? &alone : &number[p];
        if (*slot == MGL_NOT_FOUND)
            *slot = n++;
        out[leaf] = *slot;
    }
    return n;
}

/* The lowest level with the label of a value of this level: a new one, or one that the same
 * leaves had on a level further below, even with another between. */
static uint32_t earlier_label(mgl_random *random, const mgl_level *levels, uint32_t level,
                              uint32_t first_leaf, uint32_t n_leaves)
{
    uint32_t lowest = level;
    for (uint32_t l = level; l-- > 0;) {
        uint32_t v = levels[l].of_leaf[first_leaf];
        if (levels[l].leaves[v] != n_leaves)
            break;
        if (lowest == level && mgl_random_below(random, 2))
            lowest = levels[l].lowest[v];
    }
    return lowest;
}

mgl_hierarchy *random_hierarchy(mgl_random *random, uint32_t n_leaves, uint32_t height)
{
    mgl_arena *arena = mgl_arena_new();
    mgl_hierarchy *h = mgl_arena_alloc(arena, sizeof *h);
    mgl_level *levels = mgl_arena_alloc(arena, (height + 1) * sizeof *levels);
    bool missing = n_leaves > 1 && mgl_random_below(random, 4) == 0;
    uint32_t n = n_leaves;
    level_maker m, below = {0};
    for (uint32_t l = 0; l <= height; l++) {
        uint32_t of_leaf[n_leaves];
        for (uint32_t leaf = 0; leaf < n_leaves; leaf++)
            of_leaf[leaf] = leaf;
        if (l > 0)
            n = merge(random, below.of_leaf, n, n_leaves, l == height, missing, of_leaf);
        if (!alloc_level(arena, &m, n, n_leaves))
            return NULL;
        memcpy(m.of_leaf, of_leaf, sizeof of_leaf);
        memset(m.leaves, 0, n * sizeof *m.leaves);
        for (uint32_t leaf = n_leaves; leaf-- > 0;) {
            m.first_leaf[of_leaf[leaf]] = leaf;
            m.leaves[of_leaf[leaf]]++;
            if (l > 0)
                below.parent[below.of_leaf[leaf]] = of_leaf[leaf];
        }
        for (uint32_t v = 0; v < n; v++) { /* labels may repeat where the leaves are the same */
            bool stays = missing && l < height && m.first_leaf[v] == n_leaves - 1;
            m.lowest[v] =
                stays ? 0 : earlier_label(random, levels, l, m.first_leaf[v], m.leaves[v]);
        }
        levels[l] = (mgl_level){.n_values = n,
                                .labels = m.labels,
                                .leaves = m.leaves,
                                .first_leaf = m.first_leaf,
                                .lowest = m.lowest,
                                .parent = l < height ? m.parent : NULL,
                                .of_leaf = m.of_leaf};
        below = m;
    }
    *h = (mgl_hierarchy){.height = height,
                         .n_leaves = n_leaves,
                         .levels = levels,
                         .arena = arena,
                         .missing_leaf = missing ? n_leaves - 1 : MGL_NOT_FOUND,
                         .star_leaf = MGL_NOT_FOUND,
                         .source = "random"};
    return h;
}

/* ---- Tables ------------------------------------------------------------------------------ */

static uint32_t skewed(mgl_random *random, uint32_t n, unsigned skew)
{
    uint32_t least = (uint32_t)mgl_random_below(random, n);
    for (unsigned i = 0; i < skew; i++) {
        uint32_t other = (uint32_t)mgl_random_below(random, n);
        least = other < least ? other : least;
    }
    return least;
}

static bool make_list(random_problem *p, mgl_random *random, size_t n)
{
    uint64_t most_count = mgl_random_below(random, 3)   ? 3
                          : mgl_random_below(random, 2) ? 400
                                                        : 90000;
    unsigned skew = (unsigned)mgl_random_below(random, 4);
    uint32_t *leaves = mgl_alloc_array(n * p->n_attributes, sizeof *leaves);
    uint64_t *counts = mgl_alloc_array(n, sizeof *counts);
    for (size_t t = 0; t < n; t++) {
        counts[t] = 1 + skewed(random, (uint32_t)most_count, skew);
        for (size_t a = 0; a < p->n_attributes; a++)
            leaves[t * p->n_attributes + a] = skewed(random, p->hierarchies[a]->n_leaves, skew);
    }
    mgl_status status = tuples_listed((const mgl_hierarchy *const *)p->hierarchies, p->n_attributes,
                                      leaves, counts, n, &p->list);
    mgl_free(leaves);
    mgl_free(counts);
    return status == MGL_OK;
}

/* Each tuple has one or two class labels. */
static bool make_label(random_problem *p, mgl_random *random)
{
    size_t n = p->list->n_tuples, at = 0;
    p->label = (mgl_sparse){.n_values = 3,
                            .start = mgl_alloc_array(n + 1, sizeof *p->label.start),
                            .values = mgl_alloc_array(2 * n, sizeof *p->label.values),
                            .counts = mgl_alloc_array(2 * n, sizeof *p->label.counts)};
    if (p->label.start == NULL || p->label.values == NULL || p->label.counts == NULL)
        return false;
    for (size_t t = 0; t < n; t++) {
        p->label.start[t] = at;
        uint64_t first = mgl_random_below(random, p->list->counts[t]);
        uint32_t value = (uint32_t)mgl_random_below(random, 2);
        if (first > 0) {
            p->label.values[at] = value;
            p->label.counts[at++] = first;
        }
        p->label.values[at] = value + 1;
        p->label.counts[at++] = p->list->counts[t] - first;
    }
    p->label.start[n] = at;
    return true;
}

static void make_question(random_problem *p, mgl_random *random)
{
    static const double weights[] = {1, 1, 0.5, 2, 0};
    static const mgl_treatment treatments[] = {MGL_KEEP, MGL_DROP, MGL_EXEMPT, MGL_EXEMPT};
    uint64_t rows = p->list->n_rows, k = 1 + mgl_random_below(random, 12);
    if (mgl_random_below(random, 3) == 0)
        k = 1 + mgl_random_below(random, rows < 600 ? rows : rows / 3);
    uint64_t limit = mgl_random_below(random, rows + 1);
    limit = mgl_random_below(random, 4) == 0 ? 0 : mgl_random_below(random, 3) ? limit / 10 : limit;
    for (size_t a = 0; a < p->n_attributes; a++) {
        uint32_t height = p->hierarchies[a]->height;
        bool bounded = mgl_random_below(random, 6) == 0;
        p->min_level[a] = bounded ? (uint32_t)mgl_random_below(random, height + 1) : 0;
        p->max_level[a] = height;
        if (bounded && mgl_random_below(random, 2))
            p->max_level[a] -= (uint32_t)mgl_random_below(random, height - p->min_level[a] + 1);
        p->weights[a] = weights[mgl_random_below(random, 5)];
        p->attributes[a] = (uint32_t)a;
    }
    p->weights[mgl_random_below(random, p->n_attributes)] = 1;
    p->model = (mgl_model){.type = mgl_model_type_find("k-anonymity"), .parameters = {(double)k}};
    p->set = (mgl_quasi_set){.attributes = p->attributes,
                             .n_attributes = p->n_attributes,
                             .models = &p->model,
                             .n_models = 1};
    p->problem = (mgl_problem){
        .list = p->list,
        .columns = (const mgl_released_column *const *)p->columns,
        .costs = p->costs,
        .min_level = p->min_level,
        .max_level = p->max_level,
        .weights = p->weights,
        .sets = &p->set,
        .n_sets = 1,
        .k = k,
        .limited = true,
        .limit = mgl_random_below(random, 10) == 0 ? rows : limit,
        .treatment = treatments[mgl_random_below(random, 4)],
        .label = &p->label,
    };
}

/* Shapes: ordinary columns; many columns with few values; few columns with very many values,
 * whose codes need more than one word. */
bool random_problem_make(random_problem *p, uint64_t seed)
{
    static const struct {
        uint32_t most_columns, least_leaves, most_leaves, most_height;
    } shapes[] = {{5, 1, 12, 3}, {8, 1, 4, 1}, {4, 5, 60, 4}, {6, 3, 40, 2}, {7, 1500, 3000, 1}};
    mgl_random random;
    mgl_random_seed(&random, seed);
    *p = (random_problem){.seed = seed};
    size_t shape = mgl_random_below(&random, 5);
    p->n_attributes = 1 + mgl_random_below(&random, shapes[shape].most_columns);
    if (shape == 4)
        p->n_attributes = 7;
    for (size_t a = 0; a < p->n_attributes; a++) {
        uint32_t range = shapes[shape].most_leaves - shapes[shape].least_leaves + 1;
        uint32_t n = shapes[shape].least_leaves + (uint32_t)mgl_random_below(&random, range);
        uint32_t height = 1 + (uint32_t)mgl_random_below(&random, shapes[shape].most_height);
        p->hierarchies[a] = random_hierarchy(&random, n, height);
        if (p->hierarchies[a] == NULL ||
            mgl_released_column_new(p->hierarchies[a], NULL, &p->columns[a]) != MGL_OK)
            return false;
    }
    size_t n = 1 + mgl_random_below(&random, mgl_random_below(&random, 3) ? 60 : 500);
    if (!make_list(p, &random, n) || !make_label(p, &random) ||
        mgl_cell_costs_new(p->list, (const mgl_released_column *const *)p->columns, NULL, NULL,
                           &p->costs) != MGL_OK)
        return false;
    make_question(p, &random);
    return true;
}

bool random_problem_make_wide(random_problem *p, size_t n_columns, size_t n_tuples, uint64_t seed)
{
    mgl_random random;
    mgl_random_seed(&random, seed);
    *p = (random_problem){.seed = seed, .n_attributes = n_columns};
    for (size_t a = 0; a < n_columns; a++) {
        uint32_t n = 4 + (uint32_t)mgl_random_below(&random, 30);
        p->hierarchies[a] = random_hierarchy(&random, n, 3);
        if (p->hierarchies[a] == NULL ||
            mgl_released_column_new(p->hierarchies[a], NULL, &p->columns[a]) != MGL_OK)
            return false;
    }
    if (!make_list(p, &random, n_tuples) || !make_label(p, &random) ||
        mgl_cell_costs_new(p->list, (const mgl_released_column *const *)p->columns, NULL, NULL,
                           &p->costs) != MGL_OK)
        return false;
    make_question(p, &random);
    for (size_t a = 0; a < n_columns; a++) {
        p->min_level[a] = 0;
        p->max_level[a] = p->hierarchies[a]->height;
    }
    p->model.parameters[0] = 3;
    p->problem.k = 3;
    p->problem.limit = p->list->n_rows;
    p->problem.treatment = MGL_EXEMPT;
    return true;
}

/* Numbers that grow with the leaves, as they do where no file orders them; some are equal, and
 * some steps are much longer than others. Or dates. */
static bool give_numbers(mgl_random *random, mgl_hierarchy *h)
{
    mgl_span *labels = (mgl_span *)h->levels[0].labels;
    bool dates = mgl_random_below(random, 3) == 0, whole = mgl_random_below(random, 2) == 0;
    uint64_t number = mgl_random_below(random, 1000);
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++) {
        char *text = mgl_arena_alloc(h->arena, 32);
        if (text == NULL)
            return false;
        if (dates)
            snprintf(text, 32, "%04u-%02u-%02u", 1900 + leaf / 12, 1 + leaf % 12,
                     1 + (unsigned)mgl_random_below(random, 28));
        else if (whole)
            snprintf(text, 32, "%lld", (long long)number - 500);
        else
            snprintf(text, 32, "%.2f", (double)number / 100);
        if (leaf != h->missing_leaf)
            labels[leaf] = mgl_span_of(text);
        uint64_t longest = mgl_random_below(random, 8) == 0 ? 300 : 8;
        number += mgl_random_below(random, longest);
    }
    return true;
}

bool random_problem_make_scaled(random_problem *p, size_t n_tuples, uint64_t seed)
{
    mgl_random random;
    mgl_random_seed(&random, seed);
    *p = (random_problem){.seed = seed, .n_attributes = 1 + mgl_random_below(&random, 5)};
    for (size_t a = 0; a < p->n_attributes; a++) {
        bool scaled = mgl_random_below(&random, 3) > 0;
        uint32_t n = 1 + (uint32_t)mgl_random_below(&random, 50);
        uint32_t height = scaled ? 1 : 1 + (uint32_t)mgl_random_below(&random, 4);
        p->hierarchies[a] = random_hierarchy(&random, n, height);
        if (p->hierarchies[a] == NULL || (scaled && !give_numbers(&random, p->hierarchies[a])) ||
            mgl_released_column_new(p->hierarchies[a], NULL, &p->columns[a]) != MGL_OK)
            return false;
    }
    if (!make_list(p, &random, n_tuples) || !make_label(p, &random) ||
        mgl_cell_costs_new(p->list, (const mgl_released_column *const *)p->columns, NULL, NULL,
                           &p->costs) != MGL_OK)
        return false;
    make_question(p, &random);
    return true;
}

void random_problem_free(random_problem *p)
{
    mgl_cell_costs_free(p->costs);
    mgl_frequency_list_free(p->list);
    mgl_free(p->label.start);
    mgl_free(p->label.values);
    mgl_free(p->label.counts);
    for (size_t a = 0; a < p->n_attributes; a++) {
        mgl_released_column_free(p->columns[a]);
        if (p->hierarchies[a] != NULL)
            mgl_arena_free(p->hierarchies[a]->arena);
    }
}
