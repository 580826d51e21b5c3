/* feature/rows: columns that say what a row is besides its cells: which person or household it
 * belongs to, what it weighs, and for how many records it stands. */
#ifndef MGL_FEATURE_ROWS_H
#define MGL_FEATURE_ROWS_H

#include "findings/findings.h"

extern const mgl_feature mgl_persons_feature, mgl_weights_feature, mgl_counts_feature,
    mgl_households_feature, mgl_map_feature;

#endif
