/* The table of features: feature_rows.h has a row for each. */
#include "feature/feature.h"

#define MGL_ROW(feature) extern const mgl_feature feature;
#include "feature/feature_rows.h"
#undef MGL_ROW

#define MGL_ROW(feature) &feature,
const mgl_feature *const mgl_features[] = {
#include "feature/feature_rows.h"
    NULL};
