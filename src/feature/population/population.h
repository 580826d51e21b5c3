/* feature/population: the table of all people that the rows were drawn from (`population`). */
#ifndef MGL_FEATURE_POPULATION_H
#define MGL_FEATURE_POPULATION_H

#include "findings/findings.h"

extern const mgl_feature mgl_population_feature;

#endif
