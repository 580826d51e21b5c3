/* findings: what is told about a solution, whatever method found it. */
#ifndef MGL_FINDINGS_FINDINGS_H
#define MGL_FINDINGS_FINDINGS_H

#include "findings/figures/figures.h"
#include "findings/measured.h"
#include "findings/outcome.h"
#include "findings/pieces.h"
#include "findings/result_files.h"

#endif
