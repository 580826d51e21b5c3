/* Methods that put near tuples together, whatever levels that takes. */
#ifndef MGL_SEARCH_CLUSTER_H
#define MGL_SEARCH_CLUSTER_H

#include "search/cluster/k_member/k_member.h"
#include "search/cluster/microaggregate/microaggregate.h"
#include "search/cluster/mondrian/mondrian.h"

#endif
