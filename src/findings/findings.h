/* findings: what is told about a solution, whatever method found it. */
#ifndef MGL_FINDINGS_FINDINGS_H
#define MGL_FINDINGS_FINDINGS_H

#include "findings/describe.h"
#include "findings/figures/figures.h"
#include "findings/measure_view.h"
#include "findings/pieces/pieces.h"
#include "findings/result_files.h"

#endif
