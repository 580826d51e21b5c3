/* What is promised of columns of items, and its judge. */
#ifndef MGL_VERIFY_ITEM_COMBINATIONS_H
#define MGL_VERIFY_ITEM_COMBINATIONS_H

#include "items/items.h"
#include "verify/judge.h"

/* What was found about the combinations of at most m items that rows show. */
typedef struct mgl_items_found {
    uint64_t items;        /* different ones */
    uint64_t combinations; /* different ones, those of each class counted apart */
    uint64_t least;        /* rows, or persons, of the rarest; 0: there are none */
    uint64_t rare;         /* combinations of fewer than k */
    uint64_t strange;      /* items that are none of those that may be there */
} mgl_items_found;

/* The column of the release that has sets of items. */
typedef struct mgl_promised_items {
    size_t column; /* of the release */
    uint64_t k;
    unsigned m;
    bool within; /* in each class of rows whose quasi-identifiers are equal */
    mgl_item_cutting cutting;
    const mgl_item_tree *tree; /* what may be there; NULL: unknown */
    mgl_items_found found;
} mgl_promised_items;

extern const mgl_judge mgl_items_judge; /* of one mgl_promised_items */

/* Rows whose items are judged. */
typedef struct mgl_item_rows {
    const mgl_column *column; /* of the items */
    size_t n_rows;
    const mgl_column *const *alike; /* [n_alike] rows that are equal in these are a class; none: all
                                       rows are one */
    size_t n_alike;
    const uint32_t *persons; /* [n_rows] NULL: every row is one */
    bool neutralized;
    mgl_span no_value; /* what null reads as */
    mgl_pool *pool;
} mgl_item_rows;
/* Enumerates all combinations. MGL_USAGE, before anything is enumerated, if there are too many. */
mgl_status mgl_verify_items(const mgl_item_rows *rows, mgl_promised_items *promised,
                            mgl_error *err);

#endif
