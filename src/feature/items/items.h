/* feature/items: the column whose cells are sets of items (`km`). */
#ifndef MGL_FEATURE_ITEMS_H
#define MGL_FEATURE_ITEMS_H

#include "findings/findings.h"

/* The released column whose cells are sets of items. */
typedef struct mgl_items_column {
    const mgl_attribute_settings *settings;
    size_t field;             /* of the source */
    const mgl_column *column; /* as it was read */
    mgl_item_cutting cutting;
    /* Where it is released: */
    mgl_item_sets sets;
    mgl_hierarchy *hierarchy; /* of the items */
    mgl_item_tree tree;
    uint32_t *leaf_of_item; /* [items] */
    /* From a saved recoding: what each leaf is released as (a node of the tree, or
     * MGL_NOT_FOUND), and how many items it does not know. NULL: that is searched. */
    uint32_t *fixed;
    uint64_t unknown;
} mgl_items_column;

/* The column of a reading; NULL: there is none. */
mgl_items_column *mgl_items_of(const mgl_reading *reading);

extern const mgl_feature mgl_items_feature;
extern const mgl_feature_release mgl_items_release;
extern const struct mgl_feature_audit mgl_items_audit;

#endif
