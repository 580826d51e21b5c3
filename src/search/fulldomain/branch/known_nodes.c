/* Which nodes are known to hold without a look, where holding is monotone or taken to be: those
 * above one that does. Levels are those of the columns outside the block. The searches of both
 * engines ask it before they look at a node. */
#include "search/fulldomain/branch/branch.h"

static uint64_t number_of(const mgl_branching *branching, const uint8_t *levels)
{
    uint64_t number = 0;
    for (size_t c = 0; c < branching->n_columns; c++)
        number += branching->columns[c]->node_offset + levels[c] * branching->columns[c]->node_step;
    return number;
}

static uint64_t number_in_block(const mgl_branch_block *block, size_t b)
{
    uint64_t number = 0;
    for (size_t i = 0; i < block->n_columns; i++)
        number += block->columns[i]->node_offset +
                  block->nodes[b].levels[i] * block->columns[i]->node_step;
    return number;
}

/* Does one hold that lies just below? Levels of other items are none of ours: when these are
 * looked at is not known. */
static bool holds_below(const mgl_branching *branching, size_t n_fixed, const uint8_t *levels,
                        size_t b, uint64_t number)
{
    const mgl_branch_block *block = &branching->block;
    for (size_t c = n_fixed; c < branching->n_columns; c++)
        if (levels[c] > 0 &&
            branching->holds[number - branching->columns[c]->node_step] == MGL_HOLDS)
            return true;
    for (size_t i = 0; i < block->n_columns; i++)
        if (block->nodes[b].levels[i] > 0 &&
            branching->holds[number - block->columns[i]->node_step] == MGL_HOLDS)
            return true;
    return false;
}

uint64_t mgl_branch_known(const mgl_branching *branching, size_t n_fixed, const uint8_t *levels,
                          uint64_t nodes)
{
    uint64_t known = 0, first = number_of(branching, levels);
    for (uint64_t rest = nodes; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        uint64_t number = first + number_in_block(&branching->block, b);
        if (branching->holds[number] != MGL_HOLDS &&
            !holds_below(branching, n_fixed, levels, b, number))
            continue;
        branching->holds[number] = MGL_HOLDS;
        known |= UINT64_C(1) << b;
    }
    return known;
}

/* number: of the node at the lowest levels, with those of the columns before `depth`. */
static void mark(const mgl_branching *branching, const uint8_t *lowest, size_t depth,
                 uint64_t number)
{
    if (depth == branching->n_columns) {
        branching->holds[number] = MGL_HOLDS;
        return;
    }
    for (uint8_t l = lowest[depth]; l < branching->columns[depth]->n_levels; l++) {
        mark(branching, lowest, depth + 1, number);
        number += branching->columns[depth]->node_step;
    }
}

void mgl_branch_leave_open(const mgl_branching *branching, const uint8_t *levels, size_t b)
{
    uint8_t *mark =
        &branching->holds[number_of(branching, levels) + number_in_block(&branching->block, b)];
    *mark = *mark == MGL_HOLDS ? MGL_HOLDS : MGL_HOLDS_OPEN;
}

void mgl_branch_mark_above(const mgl_branching *branching, const uint8_t *lowest, size_t depth,
                           uint64_t nodes)
{
    uint64_t first = number_of(branching, lowest);
    for (uint64_t rest = nodes; rest != 0; rest &= rest - 1)
        mark(branching, lowest, depth,
             first + number_in_block(&branching->block, (size_t)__builtin_ctzll(rest)));
}
