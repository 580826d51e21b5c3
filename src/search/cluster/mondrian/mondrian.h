/* Mondrian: the table is cut into regions. */
#ifndef MGL_SEARCH_CLUSTER_MONDRIAN_H
#define MGL_SEARCH_CLUSTER_MONDRIAN_H

#include "search/node/node.h"

/* Equal values stay together, or halves are as equal as can be. */
typedef enum mgl_cut { MGL_CUT_STRICT, MGL_CUT_RELAXED } mgl_cut;

typedef struct mgl_mondrian_options {
    mgl_cut cut;
} mgl_mondrian_options;

extern const mgl_method_type mgl_mondrian;

#endif
