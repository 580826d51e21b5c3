/* A page for a browser: text that is always escaped, tables, and plots as inline SVG.
 *
 * The page is well-formed XML, too, so that tests can read it strictly. */
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
/* Markup of our own with values of the object in it, which are escaped (mgl_fill). */
void mgl_html_fill(mgl_html *html, const json_t *object, const char *template);
/* The same for each object of an array. */
void mgl_html_each(mgl_html *html, const json_t *list, const char *template);

/* A model with its parameters: "k-anonymity, k = 5". */
void mgl_html_model(mgl_html *html, const json_t *model);

void mgl_html_section(mgl_html *html, const char *id, const char *title);
void mgl_html_section_end(mgl_html *html);

/* A figure is a caption, a plot, and the table behind it. */
void mgl_html_figure(mgl_html *html, const char *caption);
void mgl_html_wide_figure(mgl_html *html, const char *caption);
void mgl_html_figure_end(mgl_html *html);
/* A table with these headings, "column|rows|mean"; the first column is text, the others are
 * numbers. */
void mgl_html_table(mgl_html *html, const char *headings);
/* The same with headings out of the data. */
void mgl_html_table_of(mgl_html *html, const char *const *headings, size_t n);
void mgl_html_row(mgl_html *html, const char *first); /* from the data: escaped; NULL: missing */
void mgl_html_cell(mgl_html *html, const char *text); /* escaped */
void mgl_html_count(mgl_html *html, uint64_t count);
/* Cells with values of the object (mgl_fill): "{rows:,}|{loss:~}|-". */
void mgl_html_cells(mgl_html *html, const json_t *object, const char *template);
void mgl_html_row_end(mgl_html *html);
/* A whole row: its first cell, and the others. */
void mgl_html_line(mgl_html *html, const char *first, const json_t *object, const char *template);
void mgl_html_table_end(mgl_html *html);
/* Around a table of the numbers behind a plot, which can be opened; with headings it begins the
 * table, too. */
void mgl_html_numbers(mgl_html *html, const char *headings);
void mgl_html_numbers_end(mgl_html *html);

/* 0.1234 -> "12.3 %"; mgl_share returns text, which holds MGL_NUMBER_SIZE bytes. */
const char *mgl_share(double share, char *text);
const char *mgl_share_words(mgl_numbers *numbers, double share);

/* ---- Plots -----------------------------------------------------------------------------------
 * Offsets across are in percent, so that a plot fills whatever width it is given and its texts keep
 * their size; offsets down are in pixels. */

/* A plot of this height. title and description are for readers who do not see it. min_width: pixels
 * below which it is scrolled instead of squeezed; 0: none. */
void mgl_svg_begin(mgl_html *html, const char *title, const char *description, unsigned height,
                   unsigned min_width);
void mgl_svg_end(mgl_html *html);

enum { MGL_MOST_SERIES = 2 };

/* One label with a bar for each series; values are shares of the longest bar's. */
typedef struct mgl_bar {
    const char *label; /* NULL: the missing value */
    double values[MGL_MOST_SERIES];
    bool set_apart; /* a line above it: it is of another kind than those before */
} mgl_bar;

typedef struct mgl_bars {
    const char *title, *description;
    const char *series[MGL_MOST_SERIES]; /* names; the classes of the colours follow their order */
    size_t n_series;
    const mgl_bar *bars;
    size_t n;
    bool shares; /* values are shares: written in percent; else numbers */
} mgl_bars;
void mgl_svg_bars(mgl_html *html, const mgl_bars *bars);
/* The bars, and the table of their numbers under these headings: one for the labels, one for each
 * series. */
void mgl_svg_bars_and_numbers(mgl_html *html, const mgl_bars *bars, const char *headings);

enum { MGL_MOST_LINES = 12 };

typedef struct mgl_line {
    const char *name;
    const double *values; /* [n_points]; NAN: no point there */
    bool dashed;
    unsigned colour; /* of the palette */
} mgl_line;

typedef struct mgl_line_chart {
    const char *title, *description;
    const char *across;        /* what the points are */
    const char *const *labels; /* [n_points] below the axis */
    const double *places;      /* [n_points] 0..1 across */
    size_t n_points;
    const mgl_line *lines;
    size_t n_lines;
    double low, high; /* of the axis at the left */
    unsigned ticks;   /* steps between them */
    bool shares;      /* values are shares */
    bool steps;       /* a value holds up to the next point */
} mgl_line_chart;
void mgl_svg_lines(mgl_html *html, const mgl_line_chart *lines);

#endif
