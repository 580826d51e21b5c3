/* feature/strata: columns whose values are released as they are and searched apart (`by`). */
#ifndef MGL_FEATURE_STRATA_H
#define MGL_FEATURE_STRATA_H

#include "findings/findings.h"

extern const mgl_feature mgl_strata_feature;

#endif
