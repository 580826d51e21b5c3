/* Parts of the summary, each for the commands that have it. */
#ifndef MGL_REPORT_TERMINAL_H
#define MGL_REPORT_TERMINAL_H

#include "report/page.h"
#include "report/report.h"

void mgl_terminal_attributes(mgl_page *page, const json_t *document);
void mgl_terminal_risk(mgl_page *page, const json_t *document);
void mgl_terminal_advice(mgl_page *page, const json_t *document);
void mgl_terminal_attack(mgl_page *page, const json_t *document);
void mgl_terminal_lattice(mgl_page *page, const json_t *document);
void mgl_terminal_compare(mgl_page *page, const json_t *list);
void mgl_terminal_hierarchies(mgl_page *page, const json_t *document);
/* "birth 2/5": a column and its level, with the height where it is known. */
void mgl_terminal_node(mgl_page *page, const json_t *node, const json_t *heights);
/* The number behind a key, of either kind; NAN if it is not there or null. */
double mgl_terminal_number(const json_t *object, const char *key);
uint64_t mgl_terminal_count(const json_t *object, const char *key); /* 0 if it is not there */

#endif
