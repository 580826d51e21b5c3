/* items: columns whose cells are sets of items (diagnosis lists, baskets), released so that every
 * combination of at most m items that a row shows is shown by at least k rows (k^m-anonymity).
 *
 * The recoding is global and takes whole subtrees of the hierarchy of the items: an item is
 * released as one node above it, the same in every row, or is left out of every row. docs/items.md
 * has the definitions. */
#ifndef MGL_ITEMS_H
#define MGL_ITEMS_H

#include "hierarchy/hierarchy.h"
#include "table/table.h"

enum { MGL_ITEMS_MOST_M = 3 };

/* The different cells of a column as sets of items. */
typedef struct mgl_item_sets {
    mgl_dictionary *items; /* all that occur */
    uint32_t n_cells;      /* codes of the column */
    size_t *start;         /* [n_cells + 1] */
    uint32_t *of_cell;     /* those of cell c at start[c]..start[c+1], ascending, each once */
    const mgl_dictionary *cells;
} mgl_item_sets;

/* How a column is cut into items. */
typedef struct mgl_item_cutting {
    mgl_span separator;
    const mgl_span *missing; /* texts that mean nothing, alone or between separators */
    size_t n_missing;
} mgl_item_cutting;

/* The separator of the cells: the first of ; | and , that some cell has; empty: none has one. */
mgl_span mgl_items_separator(const mgl_dictionary *cells);
/* Has some cell the separator? */
bool mgl_items_separated(const mgl_dictionary *cells, mgl_span separator);

/* Calls see for each item of a cell, blanks around it taken off; stops where that returns false,
 * and returns false then. */
typedef bool mgl_see_item_fn(void *context, mgl_span item);
bool mgl_items_each(mgl_span cell, const mgl_item_cutting *cutting, mgl_see_item_fn *see,
                    void *context);

/* Free with mgl_item_sets_free. Borrows the dictionary. */
mgl_status mgl_item_sets_new(const mgl_dictionary *cells, const mgl_item_cutting *cutting,
                             mgl_error *err, mgl_item_sets *out);
void mgl_item_sets_free(mgl_item_sets *sets);

/* What items can be released as: every value of the hierarchy below the top, but of several that
 * stand for the same leaves the lowest. Nodes are numbered leaves first; a node comes before the
 * one above it. */
typedef struct mgl_item_tree {
    uint32_t n_leaves, n_nodes;
    const mgl_span *labels;     /* [n_nodes] */
    const uint32_t *parent;     /* [n_nodes] MGL_NOT_FOUND: right below the top */
    const uint32_t *first_leaf; /* [n_nodes] which puts released items in order */
    const uint32_t *stands_for; /* [n_nodes] how many leaves of the hierarchy */
    const double *loss;         /* [n_nodes] of an occurrence that is released as it */
    const size_t *start;        /* [n_nodes + 1] */
    const uint32_t *leaves;     /* those of node v at start[v]..start[v+1] */
    const size_t *child_start;  /* [n_nodes + 1] */
    const uint32_t *children;
    mgl_arena *arena;
} mgl_item_tree;

/* Free with mgl_item_tree_free. Borrows the labels of the hierarchy. */
mgl_status mgl_item_tree_new(const mgl_hierarchy *hierarchy, mgl_error *err, mgl_item_tree *out);
void mgl_item_tree_free(mgl_item_tree *tree);

/* What items are released as by a cut that was found before. */
typedef struct mgl_item_labels {
    const mgl_span *labels; /* in the order in which cells show them */
    const uint32_t *leaves; /* [n] under each, of all_leaves */
    uint32_t n, all_leaves;
} mgl_item_labels;
/* A tree of items and of the labels that they are released as (label_of; MGL_NOT_FOUND: none): node
 * n_items + i is label i, and items themselves have no labels. Free with mgl_item_tree_free.
 * Borrows the labels. */
mgl_status mgl_item_tree_of_labels(const mgl_item_labels *labels, const uint32_t *label_of,
                                   uint32_t n_items, mgl_error *err, mgl_item_tree *out);

static inline uint32_t mgl_item_leaves(const mgl_item_tree *tree, uint32_t node)
{
    return (uint32_t)(tree->start[node + 1] - tree->start[node]);
}

/* What one occurrence of an item loses that is released as the node: (leaves - 1)/(all leaves - 1).
 * MGL_NOT_FOUND: it is left out, which loses 1. */
double mgl_item_loss(const mgl_item_tree *tree, uint32_t node);

/* Rows as sets of leaves, those of a class one after the other, within it those of a person. Equal
 * rows are one. */
typedef struct mgl_baskets {
    size_t n;
    uint32_t *class_of;    /* [n] */
    uint32_t *person_of;   /* [n]; NULL: every row is a person of its own */
    uint32_t *weight;      /* [n] rows that it stands for */
    size_t *start;         /* [n + 1] */
    uint32_t *leaves;      /* ascending, each once */
    uint64_t *occurrences; /* [leaf] rows that have it */
    mgl_owned own;
} mgl_baskets;

/* The rows of a column. */
typedef struct mgl_basket_request {
    const mgl_column *column;
    size_t n_rows;
    const mgl_item_sets *sets;
    const uint32_t *leaf_of_item; /* [items] */
    uint32_t n_leaves;
    const uint32_t *class_of_row; /* MGL_NOT_FOUND: the row is not released; NULL: all are one
                                     class */
    const mgl_column *persons;    /* NULL: every row is one */
} mgl_basket_request;

/* Free with mgl_baskets_free. */
mgl_status mgl_baskets_new(const mgl_basket_request *request, mgl_error *err, mgl_baskets *out);
void mgl_baskets_free(mgl_baskets *baskets);

typedef struct mgl_item_problem {
    const mgl_item_tree *tree;
    const mgl_baskets *baskets;
    uint64_t k;
    unsigned m;
    mgl_pool *pool;
    const mgl_progress *progress;
    double deadline; /* mgl_sys_seconds at which to stop looking for a better answer; 0: none */
} mgl_item_problem;

typedef struct mgl_item_cut {
    uint32_t *node_of_leaf; /* [n_leaves] what each is released as; MGL_NOT_FOUND: left out */
    double ncp;             /* mean loss of an occurrence; 0 where there is none */
    double ncp_first;       /* the same of what apriori anonymization alone had found */
    double best_possible;   /* no cut that holds has less */
    bool exact;             /* nor less than ncp */
} mgl_item_cut;

/* Finds a cut that holds. Free with mgl_item_cut_free. */
mgl_status mgl_item_search(const mgl_item_problem *problem, mgl_error *err, mgl_item_cut *out);
void mgl_item_cut_free(mgl_item_cut *cut);

/* Does the cut hold? */
mgl_status mgl_item_cut_holds(const mgl_item_problem *problem, const uint32_t *node_of_leaf,
                              mgl_error *err, bool *holds);

/* The mean loss of the cut. */
double mgl_item_cut_loss(const mgl_item_tree *tree, const mgl_baskets *baskets,
                         const uint32_t *node_of_leaf);

typedef struct mgl_item_release {
    mgl_column column; /* as it is released */
    /* In released rows, all items of a row counted once: */
    uint64_t occurrences, left_out_occurrences;
    uint64_t left_out_items; /* different ones that occur and are left out */
    uint64_t items;          /* different ones that occur */
    uint64_t emptied_rows;   /* that had items, all of which are left out */
    uint64_t *rows;          /* [n_nodes] released rows that show the node */
} mgl_item_release;

/* Makes the column: items in the order of their hierarchy, each once, with the separator between.
 * A cell without items is missing. Free with mgl_item_release_free. */
mgl_status mgl_item_release_make(const mgl_basket_request *request, const mgl_item_tree *tree,
                                 const uint32_t *node_of_leaf, const mgl_item_cutting *cutting,
                                 mgl_error *err, mgl_item_release *out);
void mgl_item_release_free(mgl_item_release *release);

#endif
