/* feature: what a job can ask of columns and rows, beside models and methods. The pipeline declares
 * the table and runs its rows; a feature of one file has no header. */
#ifndef MGL_FEATURE_H
#define MGL_FEATURE_H

#include "feature/items/items.h"
#include "feature/treat/treat.h"
#include "findings/findings.h"

#endif
