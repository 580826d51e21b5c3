/* k-member clustering: clusters of near tuples. */
#ifndef MGL_SEARCH_CLUSTER_K_MEMBER_H
#define MGL_SEARCH_CLUSTER_K_MEMBER_H

#include "search/node/node.h"

extern const mgl_method_type mgl_k_member;

#endif
