/* feature/aggregate: quasi-identifiers whose cells stand for the values of a class (`aggregate`). */
#ifndef MGL_FEATURE_AGGREGATE_H
#define MGL_FEATURE_AGGREGATE_H

#include "findings/findings.h"

extern const mgl_feature mgl_aggregate_feature;

#endif
