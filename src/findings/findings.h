/* findings: the sections of results about a solution, whatever method found it.
 *
 * A section is the same for every method and command. */
#ifndef MGL_FINDINGS_FINDINGS_H
#define MGL_FINDINGS_FINDINGS_H

#include "findings/describe.h"
#include "findings/figures/figures.h"
#include "findings/result_files.h"
#include "findings/pieces/pieces.h"

#endif
