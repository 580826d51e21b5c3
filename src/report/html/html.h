/* A page for a browser: text that is always escaped, tables, and plots as inline SVG.
 *
 * The page is well-formed XML, too, so that tests can read it strictly.
 */
#ifndef MGL_REPORT_HTML_H
#define MGL_REPORT_HTML_H

#include "report/words/words.h"

typedef struct mgl_html {
    mgl_buffer out;
    mgl_measure_view_fn *measures;
    unsigned n_ids; /* given to titles and descriptions so far */
    mgl_numbers numbers;
} mgl_html;

/* Markup of our own; what comes from a result goes through the functions below. */
void mgl_html_add(mgl_html *html, const char *format, ...) MGL_PRINTF(2, 3);
/* Escaped, for elements and attributes alike. Characters that cannot be seen, or that turn the
 * direction of writing around, are shown by their number. */
void mgl_html_text(mgl_html *html, const char *text);
/* A sentence of a result: keys, which are between backquotes there, get quotes. */
void mgl_html_message(mgl_html *html, const char *text);
/* The same, cut off after so many characters. */
void mgl_html_short(mgl_html *html, const char *text, size_t most);
/* A name or value out of the data, set apart from the text around it. NULL: "?". */
void mgl_html_name(mgl_html *html, const char *text);
/* The names of an array, with commas between them. */
void mgl_html_names(mgl_html *html, const json_t *names);

/* A model with its parameters: "k-anonymity, k = 5". */
void mgl_html_model(mgl_html *html, const json_t *model);

/* ---- Sections, figures, tables --------------------------------------------------------------- */

void mgl_html_section(mgl_html *html, const char *id, const char *title);
void mgl_html_section_end(mgl_html *html);

/* A figure is a caption, a plot, and the table behind it. */
void mgl_html_figure(mgl_html *html, const char *caption);
void mgl_html_wide_figure(mgl_html *html, const char *caption);
void mgl_html_figure_end(mgl_html *html);
/* A table with these headings; the first column is text, the others are numbers. */
void mgl_html_table(mgl_html *html, const char *const *headings, size_t n);
void mgl_html_row(mgl_html *html, const char *first); /* from the data: escaped; NULL: missing */
void mgl_html_cell(mgl_html *html, const char *text); /* escaped */
void mgl_html_count(mgl_html *html, uint64_t count);
void mgl_html_row_end(mgl_html *html);
void mgl_html_table_end(mgl_html *html);
/* The same for the numbers behind a plot, in a table that can be opened. */
void mgl_html_numbers(mgl_html *html, const char *const *headings, size_t n);
void mgl_html_numbers_end(mgl_html *html);

/* 0.1234 -> "12.3 %"; mgl_share returns text, which holds MGL_NUMBER_SIZE bytes. */
const char *mgl_share(double share, char *text);
const char *mgl_share_words(mgl_numbers *numbers, double share);

#endif
