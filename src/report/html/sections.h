/* The sections of a page. A section is left out where the result has nothing for it.
 *
 * A new section is a pair of functions and a row in whole_page.c. It must survive any document: a
 * test puts wrong values in every place. */
#ifndef MGL_REPORT_HTML_SECTIONS_H
#define MGL_REPORT_HTML_SECTIONS_H

#include "report/html/html.h"

extern const char mgl_html_style[];

typedef void mgl_show_fn(mgl_html *html, const json_t *document);
mgl_show_fn mgl_html_summary, mgl_html_promises, mgl_html_sizes, mgl_html_risk, mgl_html_columns,
    mgl_html_distributions, mgl_html_curve, mgl_html_lattice, mgl_html_sensitive, mgl_html_measures,
    mgl_html_suda, mgl_html_sets, mgl_html_combinations, mgl_html_compare, mgl_html_attackers,
    mgl_html_attack, mgl_html_strongest, mgl_html_audit, mgl_html_rule, mgl_html_strata,
    mgl_html_open, mgl_html_labels, mgl_html_disclosed, mgl_html_digest;

/* Does the result have what the section shows? */
typedef bool mgl_has_fn(const json_t *document);
mgl_has_fn mgl_has_sizes, mgl_has_risk, mgl_has_curve, mgl_has_lattice, mgl_has_sets,
    mgl_has_compare, mgl_has_strongest;

/* The holder's text about the release under "title", "purpose", ...; NULL if there is none. */
const char *mgl_about_of(const json_t *document, const char *key);
mgl_show_fn mgl_html_about;

/* Rows of an earlier release together with which the promises hold. */
mgl_show_fn mgl_html_with;

/* A summary of a comparison. */
void mgl_html_compare_summary(mgl_html *html, const json_t *list);

#endif
