/* terminal: a summary for a terminal; each of its lines for the commands that have it. */
#ifndef MGL_REPORT_TERMINAL_H
#define MGL_REPORT_TERMINAL_H

#include "report/words/words.h"
#include "report/report.h"

void mgl_terminal_strata(mgl_page *page, const json_t *document);
void mgl_terminal_models(mgl_page *page, const json_t *document);
void mgl_terminal_levels(mgl_page *page, const json_t *document);
void mgl_terminal_cells(mgl_page *page, const json_t *document);
void mgl_terminal_unsafe(mgl_page *page, const json_t *document);
void mgl_terminal_mixture(mgl_page *page, const json_t *document);
void mgl_terminal_bound(mgl_page *page, const json_t *document);
void mgl_terminal_against(mgl_page *page, const json_t *document);
void mgl_terminal_attributes(mgl_page *page, const json_t *document);
void mgl_terminal_sizes(mgl_page *page, const json_t *document);
void mgl_terminal_risk(mgl_page *page, const json_t *document);
void mgl_terminal_advice(mgl_page *page, const json_t *document);
void mgl_terminal_attack(mgl_page *page, const json_t *document);
void mgl_terminal_lattice(mgl_page *page, const json_t *document);
/* What a certificate proves (check --proof). */
void mgl_terminal_proof(mgl_page *page, const json_t *document);
void mgl_terminal_compare(mgl_page *page, const json_t *list);
/* One line for each test of a gate. */
void mgl_terminal_tests(mgl_page *page, const json_t *tests);
/* Commands that look and write nothing. */
void mgl_terminal_what_if(mgl_page *page, const json_t *document);
void mgl_terminal_preview(mgl_page *page, const json_t *document);
void mgl_terminal_look(mgl_page *page, const json_t *document);
void mgl_terminal_script(mgl_page *page, const json_t *sql);
void mgl_terminal_recoding(mgl_page *page, const json_t *document);
/* What only statements have. */
void mgl_terminal_statement(mgl_page *page, const json_t *document);
void mgl_terminal_codebook(mgl_page *page, const json_t *document);
void mgl_terminal_hierarchies(mgl_page *page, const json_t *document);
/* Hierarchies that were proposed, in a document or in those of a comparison: each column once. */
void mgl_terminal_proposals(mgl_page *page, const json_t *results);

#endif
