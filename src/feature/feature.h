/* feature: the table of what a job can ask of columns and rows, beside models and methods. The
 * pipeline declares the table and runs its rows; what commands ask of single features is here. */
#ifndef MGL_FEATURE_H
#define MGL_FEATURE_H

#include "feature/aggregate/aggregate.h"
#include "feature/history/history.h"
#include "feature/items/items.h"
#include "feature/linked/linked.h"
#include "feature/population/population.h"
#include "feature/rare/rare.h"
#include "feature/rows/rows.h"
#include "feature/strata/strata.h"
#include "feature/treat/treat.h"
#include "findings/findings.h"

#endif
