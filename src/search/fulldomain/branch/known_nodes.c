/* Which nodes are known to hold without a look, where holding is monotone or taken to be: those
 * above one that does. Levels are those of the columns outside the block. */
#include "search/fulldomain/by_size/counts.h"

static uint64_t number_of(const mgl_ladder *ladder, const uint8_t *levels)
{
    uint64_t number = 0;
    for (size_t c = 0; c < ladder->n_columns; c++)
        number += ladder->columns[c]->node_offset + levels[c] * ladder->columns[c]->node_step;
    return number;
}

static uint64_t number_in_block(const mgl_ladder_block *block, size_t b)
{
    uint64_t number = 0;
    for (size_t i = 0; i < block->n_columns; i++)
        number += block->columns[i]->node_offset +
                  block->nodes[b].levels[i] * block->columns[i]->node_step;
    return number;
}

/* Does one hold that lies just below? Levels of other tasks are none of ours: when these are
 * looked at is not known. */
static bool holds_below(const mgl_ladder *ladder, size_t n_fixed, const uint8_t *levels, size_t b,
                        uint64_t number)
{
    const mgl_ladder_block *block = &ladder->block;
    for (size_t c = n_fixed; c < ladder->n_columns; c++)
        if (levels[c] > 0 && ladder->holds[number - ladder->columns[c]->node_step] == MGL_HOLDS)
            return true;
    for (size_t i = 0; i < block->n_columns; i++)
        if (block->nodes[b].levels[i] > 0 &&
            ladder->holds[number - block->columns[i]->node_step] == MGL_HOLDS)
            return true;
    return false;
}

uint64_t mgl_ladder_known(const mgl_ladder *ladder, size_t n_fixed, const uint8_t *levels,
                          uint64_t nodes)
{
    uint64_t known = 0, first = number_of(ladder, levels);
    for (uint64_t rest = nodes; rest != 0; rest &= rest - 1) {
        size_t b = (size_t)__builtin_ctzll(rest);
        uint64_t number = first + number_in_block(&ladder->block, b);
        if (ladder->holds[number] != MGL_HOLDS && !holds_below(ladder, n_fixed, levels, b, number))
            continue;
        ladder->holds[number] = MGL_HOLDS;
        known |= UINT64_C(1) << b;
    }
    return known;
}

static void mark(const mgl_ladder *ladder, size_t depth, uint64_t number)
{
    if (depth == ladder->n_columns) {
        ladder->holds[number] = MGL_HOLDS;
        return;
    }
    for (uint8_t l = 0; l < ladder->columns[depth]->n_levels; l++)
        mark(ladder, depth + 1, number + l * ladder->columns[depth]->node_step);
}

void mgl_ladder_leave_open(const mgl_ladder *ladder, const uint8_t *levels, size_t b)
{
    uint8_t *mark = &ladder->holds[number_of(ladder, levels) + number_in_block(&ladder->block, b)];
    *mark = *mark == MGL_HOLDS ? MGL_HOLDS : MGL_HOLDS_OPEN;
}

void mgl_ladder_mark_above(const mgl_ladder *ladder, const uint8_t *lowest, size_t depth,
                           uint64_t nodes)
{
    uint64_t first = number_of(ladder, lowest);
    for (uint64_t rest = nodes; rest != 0; rest &= rest - 1)
        mark(ladder, depth, first + number_in_block(&ladder->block, (size_t)__builtin_ctzll(rest)));
}
