/* findings: what is told about a solution, whatever method found it.
 *
 * A section of the result is one file, the same for every method and command. */
#ifndef MGL_FINDINGS_FINDINGS_H
#define MGL_FINDINGS_FINDINGS_H

#include "findings/describe.h"
#include "findings/figures/figures.h"
#include "findings/result_files.h"
#include "findings/pieces/pieces.h"

#endif
