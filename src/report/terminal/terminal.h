/* terminal: a summary for a terminal; each of its lines for the commands that have it. */
#ifndef MGL_REPORT_TERMINAL_H
#define MGL_REPORT_TERMINAL_H

#include "report/words/words.h"
#include "report/report.h"

/* Lines about a document; nothing where it has nothing for them. */
typedef void mgl_lines_fn(mgl_page *page, const json_t *document);
mgl_lines_fn mgl_terminal_strata, mgl_terminal_levels, mgl_terminal_cells, mgl_terminal_unsafe,
    mgl_terminal_mixture, mgl_terminal_bound, mgl_terminal_attributes, mgl_terminal_sizes,
    mgl_terminal_risk, mgl_terminal_advice, mgl_terminal_attack, mgl_terminal_lattice;
/* Commands that look and write nothing. */
mgl_lines_fn mgl_terminal_what_if, mgl_terminal_preview, mgl_terminal_look, mgl_terminal_recoding,
    mgl_terminal_codebook, mgl_terminal_hierarchies;
/* Of the list of a comparison, of the parts of a script. */
mgl_lines_fn mgl_terminal_compare, mgl_terminal_script;
/* Hierarchies that were proposed, in a document or in those of a comparison: each column once. */
mgl_lines_fn mgl_terminal_proposals;

#endif
