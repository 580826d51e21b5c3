/* Chooses the block, a few columns with few values that are held as lanes of counts, and plans how
 * the counts of all its nodes are made from the lanes. */
#include "search/fulldomain/by_size/counts.h"

/* The best choice of columns whose values have exactly so many combinations. */
typedef struct choice {
    size_t nodes, rows;
    uint64_t columns;
} choice;

static size_t rows_of(const mgl_branch_column *column)
{
    size_t rows = 0;
    for (size_t l = 0; l < column->n_levels; l++)
        rows += column->levels[l].n_values;
    return rows;
}

static bool better(const choice *a, const choice *b)
{
    return a->nodes != b->nodes ? a->nodes > b->nodes : a->rows < b->rows;
}

/* As many nodes as possible in the lanes and groups that the kernel has: each table of classes is
 * then looked at for all of them. */
static choice choose(const mgl_by_size *search, const mgl_by_size_kernel *kernel)
{
    size_t m = search->frame.problem->list->n_attributes;
    choice best[MGL_MOST_LANES + 1] = {[1] = {1, 1, 0}};
    for (size_t a = 0; a < m && a < 64; a++) {
        const mgl_branch_column *column = &search->frame.all[a];
        size_t values = column->levels[0].n_values;
        if (column->n_levels < 2 || values > kernel->lanes)
            continue;
        for (size_t lanes = kernel->lanes / values; lanes > 0; lanes--) {
            choice with = best[lanes];
            with.nodes *= column->n_levels;
            with.rows *= rows_of(column);
            with.columns |= UINT64_C(1) << a;
            if (with.nodes > 0 && with.nodes <= MGL_BLOCK_NODES && with.rows <= kernel->groups &&
                __builtin_popcountll(with.columns) <= MGL_BLOCK_COLUMNS &&
                !(best[lanes].columns >> a & 1) && better(&with, &best[lanes * values]))
                best[lanes * values] = with;
        }
    }
    choice chosen = best[1];
    for (size_t lanes = 2; lanes <= kernel->lanes; lanes++)
        if (better(&best[lanes], &chosen))
            chosen = best[lanes];
    return chosen;
}

/* Where counts of half a byte do, a record has room for more lanes; that pays if there are more
 * nodes for it. */
static uint64_t choose_columns(mgl_by_size *search)
{
    choice chosen = choose(search, search->kernel);
    if (!search->halves)
        return chosen.columns;
    const mgl_by_size_kernel *halves = mgl_by_size_kernel_for(4);
    choice larger = choose(search, halves);
    if (larger.nodes <= chosen.nodes)
        return chosen.columns;
    search->kernel = halves;
    return larger.columns;
}

/* The codes of a column of the block in ascending order, at each level. */
typedef struct ranks {
    size_t n;
    uint64_t codes[MGL_MOST_LANES];
    uint64_t code_at[MGL_BLOCK_NODES][MGL_MOST_LANES]; /* [level][rank there] */
} ranks;

static void rank_values(const mgl_by_size *search, const mgl_branch_column *column, ranks *r)
{
    const mgl_released_column *released = search->frame.problem->columns[column->attribute];
    r->n = 0;
    for (uint32_t leaf = 0; leaf < released->hierarchy->n_leaves; leaf++) {
        uint64_t code = column->code_of_leaf[leaf];
        if (!mgl_branch_occurs(&search->frame, column, leaf))
            continue;
        size_t at = 0;
        while (at < r->n && r->codes[at] < code)
            at++;
        if (at < r->n && r->codes[at] == code)
            continue;
        memmove(r->codes + at + 1, r->codes + at, (r->n++ - at) * sizeof *r->codes);
        r->codes[at] = code;
    }
    for (size_t l = 0; l < column->n_levels; l++) {
        size_t rank = 0;
        for (size_t i = 0; i < r->n; i++) {
            uint64_t code = r->codes[i] >> column->levels[l].shift;
            rank += i > 0 && code != r->codes[i - 1] >> column->levels[l].shift;
            r->code_at[l][rank] = code;
        }
    }
}

/* What a leaf adds to the number of a tuple's lane, in place of its code. */
static void number_lanes(const mgl_by_size *search, mgl_branch_column *column, const ranks *r,
                         size_t stride)
{
    const mgl_released_column *released = search->frame.problem->columns[column->attribute];
    for (uint32_t leaf = 0; leaf < released->hierarchy->n_leaves; leaf++) {
        size_t rank = 0;
        while (rank < r->n && r->codes[rank] != column->code_of_leaf[leaf])
            rank++;
        column->code_of_leaf[leaf] = rank < r->n ? rank * stride : 0;
    }
}

/* Splits the number of a group into the ranks of its values. */
static void split(const mgl_branch_block *block, const mgl_branch_block_node *node, size_t group,
                  size_t *digits)
{
    for (size_t i = 0; i < block->n_columns; i++) {
        size_t n = block->columns[i]->levels[node->levels[i]].n_values;
        digits[i] = group % n;
        group /= n;
    }
}

static size_t join(const mgl_branch_block *block, const mgl_branch_block_node *node,
                   const size_t *digits)
{
    size_t group = 0;
    for (size_t i = block->n_columns; i-- > 0;)
        group = group * block->columns[i]->levels[node->levels[i]].n_values + digits[i];
    return group;
}

/* The finer node with the fewest groups of those one step below. */
static size_t find_finer(const mgl_branch_block *block, size_t b)
{
    const mgl_branch_block_node *node = &block->nodes[b];
    size_t step = 1, best = b;
    for (size_t i = 0; i < block->n_columns; i++) {
        if (node->levels[i] > 0 &&
            (best == b || block->nodes[b - step].n_groups < block->nodes[best].n_groups))
            best = b - step;
        step *= block->columns[i]->n_levels;
    }
    return best;
}

/* Which groups of the finer node make up each group. */
static bool plan_node(mgl_by_size *search, const ranks *r, size_t b)
{
    mgl_branch_block *block = &search->frame.block;
    mgl_branch_block_node *node = &block->nodes[b];
    const mgl_branch_block_node *finer = &block->nodes[find_finer(block, b)];
    uint8_t group_of[MGL_MOST_LANES];
    size_t digits[MGL_BLOCK_COLUMNS];
    node->needs |= finer->needs;
    for (size_t f = 0; f < finer->n_groups; f++) {
        split(block, finer, f, digits);
        for (size_t i = 0; i < block->n_columns; i++) {
            uint64_t code = r[i].code_at[finer->levels[i]][digits[i]];
            unsigned up = block->columns[i]->levels[node->levels[i]].shift -
                          block->columns[i]->levels[finer->levels[i]].shift;
            size_t rank = 0;
            while (r[i].code_at[node->levels[i]][rank] != code >> up)
                rank++;
            digits[i] = rank;
        }
        group_of[f] = (uint8_t)join(block, node, digits);
    }
    uint16_t *members = mgl_arena_alloc(search->frame.arena, 2 * MGL_MOST_LANES * sizeof *members);
    if (members == NULL)
        return false;
    node->members = members;
    for (size_t g = 0; g < node->n_groups; g++) {
        uint16_t *n = members++;
        *n = 0;
        for (size_t f = 0; f < finer->n_groups; f++)
            if (group_of[f] == g) {
                *members++ = (uint16_t)(finer->first_row + f);
                ++*n;
            }
    }
    return true;
}

static void name_values(mgl_by_size *search, const ranks *r, const mgl_branch_block_node *node)
{
    mgl_branch_block *block = &search->frame.block;
    size_t digits[MGL_BLOCK_COLUMNS];
    for (size_t g = 0; g < node->n_groups; g++) {
        split(block, node, g, digits);
        for (size_t i = 0; i < block->n_columns; i++)
            block->values[node->first_row + g][i] =
                mgl_branch_value(&search->frame, block->columns[i], node->levels[i],
                                 r[i].code_at[node->levels[i]][digits[i]]);
    }
}

static bool make_nodes(mgl_by_size *search, const ranks *r)
{
    mgl_branch_block *block = &search->frame.block;
    uint8_t levels[MGL_BLOCK_COLUMNS] = {0};
    size_t row = 0;
    for (size_t b = 0; b < block->n_nodes; b++) {
        mgl_branch_block_node *node = &block->nodes[b];
        memcpy(node->levels, levels, sizeof levels);
        node->needs = UINT64_C(1) << b;
        node->first_row = (uint16_t)row;
        node->n_groups = 1;
        for (size_t i = 0; i < block->n_columns; i++)
            node->n_groups *= (uint16_t)block->columns[i]->levels[levels[i]].n_values;
        row += node->n_groups;
        if (b > 0 && !plan_node(search, r, b))
            return false;
        name_values(search, r, node);
        for (size_t i = 0; i < block->n_columns && ++levels[i] == block->columns[i]->n_levels;)
            levels[i++] = 0;
    }
    return true;
}

mgl_status mgl_by_size_block_make(mgl_by_size *search, mgl_error *err)
{
    mgl_branch_block *block = &search->frame.block;
    uint64_t chosen = choose_columns(search);
    ranks *r = mgl_alloc_array(MGL_BLOCK_COLUMNS, sizeof *r);
    if (r == NULL)
        return mgl_fail_memory(err);
    block->n_nodes = block->n_lanes = 1;
    for (size_t a = 0; a < 64 && chosen >> a != 0; a++) {
        if (!(chosen >> a & 1))
            continue;
        mgl_branch_column *column = &search->frame.all[a];
        column->in_block = true;
        rank_values(search, column, &r[block->n_columns]);
        number_lanes(search, column, &r[block->n_columns], block->n_lanes);
        block->columns[block->n_columns++] = column;
        block->n_nodes *= column->n_levels;
        block->n_lanes *= column->levels[0].n_values;
    }
    bool made = make_nodes(search, r);
    mgl_free(r);
    return made ? MGL_OK : mgl_fail_memory(err);
}
