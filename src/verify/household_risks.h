/* What is promised of households, and its judge. */
#ifndef MGL_VERIFY_HOUSEHOLD_RISKS_H
#define MGL_VERIFY_HOUSEHOLD_RISKS_H

#include "verify/judge.h"

/* The household of each row of the release. */
typedef struct mgl_promised_households {
    const mgl_column *of_row;
} mgl_promised_households;

extern const mgl_judge mgl_households_judge; /* of one mgl_promised_households */

#endif
