/* feature/rare: rare combinations that are regrouped before they are counted (`least-count`). */
#ifndef MGL_FEATURE_RARE_H
#define MGL_FEATURE_RARE_H

#include "findings/findings.h"

extern const mgl_feature mgl_rare_feature;

#endif
