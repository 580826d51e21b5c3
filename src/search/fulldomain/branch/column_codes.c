/* Sets up the columns of a branch and bound: which levels they can have, how their values are
 * coded, and what cells cost. */
#include "search/fulldomain/branch/branch.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_CODES = 1 << 20 };
/* From so many columns on, columns with few levels come early: what they leave out is most of the
 * lattice. 15 columns need two thirds of the work then, 9 columns a fifth more. */
enum { MANY_COLUMNS = 10 };

/* A value that occurs at some level. */
typedef struct occurring {
    uint32_t released;
    uint64_t rows;
} occurring;

static occurring look_up(const mgl_problem *p, size_t a, uint32_t level, uint32_t v)
{
    const mgl_released_column *column = p->columns[a];
    uint32_t leaf = column->hierarchy->levels[level].first_leaf[v];
    uint32_t released = column->of_leaf[level][leaf];
    return (occurring){released, mgl_rows_at(p->costs, column, a, level, v)};
}

/* Has it a code? */
static bool is_coded(const mgl_branching *branching, const mgl_branch_column *column, uint32_t l,
                     uint32_t v)
{
    return look_up(branching->problem, column->attribute, column->low + l, v).rows > 0 ||
           (column->matched != NULL && column->matched[l][v]);
}

/* Rows of values below k: suppressed whatever the other columns do. */
static uint64_t rows_below(const mgl_branching *branching, size_t a, uint32_t level)
{
    const mgl_problem *p = branching->problem;
    uint64_t sum = 0;
    for (uint32_t v = 0; v < p->columns[a]->hierarchy->levels[level].n_values; v++) {
        uint64_t rows = look_up(p, a, level, v).rows;
        sum += rows < branching->k ? rows : 0;
    }
    return sum;
}

static void find_range(mgl_branching *branching, mgl_branch_column *column, size_t a)
{
    const mgl_problem *p = branching->problem;
    uint32_t low = p->min_level[a], high = p->max_level[a];
    while (low < high && rows_below(branching, a, low) > branching->limit)
        low++;
    if (rows_below(branching, a, low) > branching->limit)
        branching->impossible = true;
    column->attribute = (uint32_t)a;
    column->low = low;
    column->n_levels = (uint8_t)(high - low + 1);
}

/* Codes nest: a value's code is its parent's followed by its number among the parent's
 * children, so that a mask takes a key from one level to a higher one. codes[l][v] for
 * each value of level low + l; bits[l] belong to that level alone. */
static bool assign_codes(const mgl_branching *branching, const mgl_branch_column *column,
                         uint64_t **codes, unsigned *bits, uint32_t *n_values)
{
    const mgl_hierarchy *hierarchy = branching->problem->columns[column->attribute]->hierarchy;
    for (uint32_t l = column->n_levels; l-- > 0;) {
        const mgl_level *level = &hierarchy->levels[column->low + l];
        bool highest = l + 1u == column->n_levels;
        uint32_t parents = highest ? 1 : hierarchy->levels[column->low + l + 1].n_values;
        codes[l] = mgl_arena_alloc(branching->arena, level->n_values * sizeof **codes);
        uint32_t *children = mgl_zeroed_array(parents, sizeof *children);
        if (codes[l] == NULL || children == NULL) {
            mgl_free(children);
            return false;
        }
        uint32_t most = 1;
        n_values[l] = 0;
        for (uint32_t v = 0; v < level->n_values; v++) {
            if (!is_coded(branching, column, l, v))
                continue;
            n_values[l]++;
            codes[l][v] = children[highest ? 0 : level->parent[v]]++;
            most = codes[l][v] >= most ? (uint32_t)codes[l][v] + 1 : most;
        }
        bits[l] = mgl_bits_for(most);
        for (uint32_t v = 0; !highest && v < level->n_values; v++)
            if (is_coded(branching, column, l, v))
                codes[l][v] |= codes[l + 1][level->parent[v]] << bits[l];
        mgl_free(children);
    }
    return true;
}

static mgl_status fill_levels(mgl_branching *branching, mgl_branch_column *column, uint64_t **codes,
                              const unsigned *bits, const uint32_t *n_values, mgl_error *err)
{
    const mgl_problem *p = branching->problem;
    const mgl_hierarchy *hierarchy = p->columns[column->attribute]->hierarchy;
    mgl_branch_level *levels = mgl_arena_alloc(branching->arena, column->n_levels * sizeof *levels);
    MGL_TRY(mgl_check_memory(levels != NULL, err));
    column->n_bits = 0;
    for (size_t l = 0; l < column->n_levels; l++)
        column->n_bits += bits[l];
    unsigned shift = 0;
    for (uint32_t l = 0; l < column->n_levels; shift += bits[l++]) {
        mgl_branch_level *level = &levels[l];
        *level = (mgl_branch_level){.n_values = n_values[l], .shift = shift};
        unsigned kept = column->n_bits - shift;
        level->mask = ((UINT64_C(1) << kept) - 1) << shift;
        if (UINT64_C(1) << kept > MOST_CODES)
            continue;
        level->n_codes = (size_t)1 << kept;
        uint32_t *values = mgl_arena_alloc(branching->arena, level->n_codes * sizeof *values);
        MGL_TRY(mgl_check_memory(values != NULL, err));
        memset(values, 0, level->n_codes * sizeof *values);
        for (uint32_t v = 0; v < hierarchy->levels[column->low + l].n_values; v++) {
            if (is_coded(branching, column, l, v))
                values[codes[l][v]] = look_up(p, column->attribute, column->low + l, v).released;
        }
        level->value_of_code = values;
    }
    column->levels = levels;
    column->code_of_leaf =
        mgl_arena_alloc(branching->arena, hierarchy->n_leaves * sizeof *column->code_of_leaf);
    MGL_TRY(mgl_check_memory(column->code_of_leaf != NULL, err));
    const mgl_level *lowest = &hierarchy->levels[column->low];
    for (uint32_t leaf = 0; leaf < hierarchy->n_leaves; leaf++) {
        uint32_t v = lowest->of_leaf[leaf];
        column->code_of_leaf[leaf] = is_coded(branching, column, 0, v) ? codes[0][v] : 0;
    }
    return MGL_OK;
}

/* Which values of the column occur in the population, at each level. */
static mgl_status find_matched(const mgl_branching *branching, mgl_branch_column *column,
                               mgl_error *err)
{
    const mgl_frequency_list *population = branching->population;
    if (population == NULL)
        return MGL_OK;
    const mgl_hierarchy *hierarchy = branching->problem->columns[column->attribute]->hierarchy;
    uint8_t **matched = mgl_arena_alloc(branching->arena, column->n_levels * sizeof *matched);
    for (uint32_t l = 0; matched != NULL && l < column->n_levels; l++) {
        const mgl_level *level = &hierarchy->levels[column->low + l];
        matched[l] = mgl_arena_alloc(branching->arena, level->n_values);
        MGL_TRY(mgl_check_memory(matched[l] != NULL, err));
        memset(matched[l], 0, level->n_values);
        for (size_t t = 0; t < population->n_tuples; t++)
            matched[l][level->of_leaf[mgl_list_leaf(population, t, column->attribute)]] = 1;
    }
    column->matched = (const uint8_t *const *)matched;
    return matched != NULL ? MGL_OK : mgl_fail_memory(err);
}

static mgl_status make_codes(mgl_branching *branching, mgl_branch_column *column, mgl_error *err)
{
    MGL_TRY(find_matched(branching, column, err));
    uint64_t *codes[UINT8_MAX];
    unsigned bits[UINT8_MAX];
    uint32_t n_values[UINT8_MAX];
    MGL_TRY(mgl_check_memory(assign_codes(branching, column, codes, bits, n_values), err));
    return fill_levels(branching, column, codes, bits, n_values, err);
}

bool mgl_branch_occurs(const mgl_branching *branching, const mgl_branch_column *column,
                       uint32_t leaf)
{
    const mgl_released_column *released = branching->problem->columns[column->attribute];
    uint32_t v = released->hierarchy->levels[column->low].of_leaf[leaf];
    return look_up(branching->problem, column->attribute, column->low, v).rows > 0;
}

uint32_t mgl_branch_value(const mgl_branching *branching, const mgl_branch_column *column,
                          size_t level, uint64_t code)
{
    const mgl_branch_level *l = &column->levels[level];
    if (l->n_codes > 0)
        return l->value_of_code[code];
    /* Too many codes for a table: look for a leaf that has it. */
    const mgl_released_column *released = branching->problem->columns[column->attribute];
    uint32_t leaf = 0;
    while (column->code_of_leaf[leaf] >> l->shift != code ||
           !mgl_branch_occurs(branching, column, leaf))
        leaf++;
    return released->of_leaf[column->low + level][leaf];
}

static double cell_cost(const mgl_branching *branching, size_t a, uint32_t value)
{
    const mgl_cell_costs *costs = branching->problem->costs;
    double each = branching->cell_scale[a];
    switch (branching->cells) {
    case MGL_PAYS_LEVEL:
        return each * costs->distortion[a][value];
    case MGL_PAYS_LEAVES:
        return each * costs->loss[a][value];
    case MGL_PAYS_BITS:
        return each * costs->log_rows[a][value];
    case MGL_PAYS_WIDTH:
        return each * log2(branching->problem->columns[a]->values[value].leaves);
    case MGL_PAYS_NONE:
        break;
    }
    return 0;
}

static int compare_steps(const void *a, const void *b)
{
    const mgl_bound_step *x = a, *y = b;
    return (x->penalty > y->penalty) - (x->penalty < y->penalty);
}

static mgl_status set_level_costs(mgl_branching *branching, const mgl_branch_column *column,
                                  uint32_t l, mgl_error *err)
{
    const mgl_problem *p = branching->problem;
    mgl_branch_level *level = &column->levels[l];
    uint32_t a = column->attribute, n = 0;
    mgl_bound_step *steps =
        mgl_arena_alloc(branching->arena, (level->n_values + 1) * sizeof *steps);
    MGL_TRY(mgl_check_memory(steps != NULL, err));
    level->base = 0;
    for (uint32_t v = 0; v < p->columns[a]->hierarchy->levels[column->low + l].n_values; v++) {
        occurring value = look_up(p, a, column->low + l, v);
        if (value.rows == 0)
            continue;
        level->base += (double)value.rows * cell_cost(branching, a, value.released);
        double penalty = column->penalty[value.released];
        if (n > 0 && steps[n - 1].penalty == penalty)
            steps[n - 1].rows += (double)value.rows;
        else
            steps[n++] = (mgl_bound_step){(double)value.rows, penalty};
    }
    qsort(steps, n, sizeof *steps, compare_steps);
    steps[n - 1].rows = INFINITY;
    level->steps = steps;
    level->uniform = n == 1;
    return MGL_OK;
}

static mgl_status set_column_costs(mgl_branching *branching, mgl_branch_column *column,
                                   mgl_error *err)
{
    const mgl_released_column *released = branching->problem->columns[column->attribute];
    double *penalty = mgl_arena_alloc(branching->arena, released->n_values * sizeof *penalty);
    MGL_TRY(mgl_check_memory(penalty != NULL, err));
    double top = cell_cost(branching, column->attribute, released->top);
    for (uint32_t v = 0; v < released->n_values; v++)
        penalty[v] = top - cell_cost(branching, column->attribute, v);
    column->penalty = penalty;
    column->most_penalty = top;
    for (uint32_t l = 0; l < column->n_levels; l++)
        MGL_TRY(set_level_costs(branching, column, l, err));
    return MGL_OK;
}

mgl_status mgl_branch_columns_make(mgl_branching *branching, mgl_error *err)
{
    size_t m = branching->problem->list->n_attributes;
    branching->all = mgl_arena_alloc(branching->arena, m * sizeof *branching->all);
    MGL_TRY(mgl_check_memory(branching->all != NULL, err));
    for (size_t a = 0; a < m; a++) {
        branching->all[a] = (mgl_branch_column){0};
        find_range(branching, &branching->all[a], a);
    }
    uint64_t step = 1;
    for (size_t a = m; a-- > 0;) {
        mgl_branch_column *column = &branching->all[a];
        column->node_step = step;
        column->node_offset = (column->low - branching->problem->min_level[a]) * step;
        step *= (uint64_t)branching->problem->max_level[a] - branching->problem->min_level[a] + 1;
    }
    for (size_t a = 0; a < m && !branching->impossible; a++) {
        MGL_TRY(make_codes(branching, &branching->all[a], err));
        if (branching->cells != MGL_PAYS_NONE)
            MGL_TRY(set_column_costs(branching, &branching->all[a], err));
    }
    return MGL_OK;
}

static int more_values_first(const void *a, const void *b)
{
    const mgl_branch_column *x = *(const mgl_branch_column *const *)a;
    const mgl_branch_column *y = *(const mgl_branch_column *const *)b;
    if (x->levels[0].n_values != y->levels[0].n_values)
        return x->levels[0].n_values > y->levels[0].n_values ? -1 : 1;
    return (x->attribute > y->attribute) - (x->attribute < y->attribute);
}

static int fewer_values_first(const void *a, const void *b)
{
    return more_values_first(b, a);
}

/* How fast classes multiply from one level to the next finer one. */
static double growth(const mgl_branch_column *column)
{
    double steps = column->n_levels > 1 ? column->n_levels - 1 : 1;
    return log((double)column->levels[0].n_values + 1) / sqrt(steps);
}

static int faster_growth_first(const void *a, const void *b)
{
    double x = growth(*(const mgl_branch_column *const *)a);
    double y = growth(*(const mgl_branch_column *const *)b);
    return x != y ? (x > y ? -1 : 1) : more_values_first(a, b);
}

mgl_status mgl_branch_columns_order(mgl_branching *branching, bool many_first, unsigned taken,
                                    mgl_error *err)
{
    size_t m = branching->problem->list->n_attributes;
    branching->columns = mgl_arena_alloc(branching->arena, (m + 1) * sizeof *branching->columns);
    branching->highest = mgl_arena_alloc(branching->arena, m + 1);
    MGL_TRY(mgl_check_memory(branching->columns != NULL && branching->highest != NULL, err));
    for (size_t a = 0; a < m; a++)
        if (!branching->all[a].in_block)
            branching->columns[branching->n_columns++] = &branching->all[a];
    qsort(branching->columns, branching->n_columns, sizeof *branching->columns,
          !many_first                           ? fewer_values_first
          : branching->n_columns < MANY_COLUMNS ? more_values_first
                                                : faster_growth_first);
    unsigned word = 0, used = taken;
    for (size_t c = 0; c < branching->n_columns; c++) {
        mgl_branch_column *column = &branching->all[branching->columns[c]->attribute];
        branching->highest[c] = column->n_levels - 1;
        column->first_place = branching->n_places;
        branching->n_places += column->n_levels;
        if (used + column->n_bits > 64) {
            word++;
            used = 0;
        }
        column->word = word;
        column->shift = column->n_bits > 0 ? used : 0; /* never all of a word */
        used += column->n_bits;
    }
    branching->words = word + 1;
    return MGL_OK;
}
