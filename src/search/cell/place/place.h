/* A first release of the cell level: by the greedy, or from clusters where the lattice is too
 * large for it. */
#ifndef MGL_SEARCH_CELL_PLACE_H
#define MGL_SEARCH_CELL_PLACE_H

#include "search/box/box.h"

/* What the greedy goes by. */
typedef struct mgl_greedy_options {
    const uint32_t *bounds; /* [t] what a row of the tuple costs at least in any class */
    const uint32_t *duals;  /* [t] what it may well cost; NULL: nothing is borrowed */
    bool backwards;         /* nodes of equal cost come in the other order */
    double coarse; /* as a share of the top: where a row costs more, nodes are not visited, and what
                      is left joins classes */
} mgl_greedy_options;

/* The cheapest nodes first; whatever holds there among the tuples that are not placed yet is
 * released there. What is left joins classes. False in *met if not all could be placed. */
mgl_status mgl_cell_greedy(const mgl_box_space *space, const mgl_box_nodes *nodes,
                           const mgl_greedy_options *how, mgl_error *err, mgl_box_release *out,
                           bool *met);

/* Clusters of near tuples as classes, into an empty release. False in *met if a
 * cluster may be no class, or if there is a population or an earlier release. */
mgl_status mgl_cell_cluster(const mgl_box_space *space, mgl_error *err, mgl_box_release *out,
                            bool *met);

/* The classes of the best node, where models are not upward closed, into an empty release;
 * likewise. */
mgl_status mgl_cell_from_node(const mgl_box_space *space, uint64_t nodes, mgl_error *err,
                              mgl_box_release *out, bool *met);

/* The best of several releases by the greedy; those of a second round borrow. *out is NULL
 * if not all tuples could be placed. */
mgl_status mgl_cell_place(const mgl_box_space *space, const mgl_box_nodes *nodes,
                          const uint32_t *bounds, bool borrow, mgl_error *err,
                          mgl_box_release **out, bool *met);

#endif
