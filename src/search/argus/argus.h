/* mu-Argus: rare combinations of values lose single cells. */
#ifndef MGL_SEARCH_ARGUS_H
#define MGL_SEARCH_ARGUS_H

#include "search/node/node.h"

extern const mgl_method_type mgl_mu_argus;

#endif
