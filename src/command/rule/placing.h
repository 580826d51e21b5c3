/* What the files that place values share. Inside the room only. */
#ifndef MGL_COMMAND_RULE_PLACING_H
#define MGL_COMMAND_RULE_PLACING_H

#include "command/rule/rule.h"

typedef struct mgl_placing {
    const mgl_saved_quasi *saved;
    const mgl_quasi_column *here;
    mgl_placed_column *out;
    mgl_arena *arena;
} mgl_placing;

/* Places values by the rule of the saved hierarchy, or on its scale: codes of the dictionary at
 * hand that are not the missing value. What the rule does not take stays without a place. */
mgl_status mgl_place_by_rule(const mgl_placing *placing, const uint32_t *codes, uint32_t n,
                             mgl_error *err);

/* The path of a leaf at hand. */
static inline uint32_t *mgl_placing_path(const mgl_placing *p, uint32_t code)
{
    return &p->out->path[(size_t)p->here->leaf_of_code[code] * (p->out->height + 1)];
}

/* The label of a saved leaf on a level. */
static inline mgl_span mgl_tree_label(const mgl_saved_tree *tree, uint32_t level, uint32_t leaf)
{
    return tree->labels[level][tree->of_leaf[level][leaf]];
}

#endif
