/* Plots. Places across are in percent, so that a plot fills whatever width it is given and its
 * texts keep their size; places down are in pixels. */
#ifndef MGL_REPORT_HTML_SVG_H
#define MGL_REPORT_HTML_SVG_H

#include "report/html/html.h"

/* A plot of this height. title and description are for readers who do not see it. min_width: pixels
 * below which it is scrolled instead of squeezed; 0: none. */
void mgl_svg_begin(mgl_html *html, const char *title, const char *description, unsigned height,
                   unsigned min_width);
void mgl_svg_end(mgl_html *html);

/* ---- Bars ------------------------------------------------------------------------------------ */

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
void mgl_svg_bars_and_numbers(mgl_html *html, const mgl_bars *bars, const char *const *headings);

/* ---- Lines ----------------------------------------------------------------------------------- */

enum { MGL_MOST_LINES = 12 };

typedef struct mgl_line {
    const char *name;
    const double *values; /* [n_points]; NAN: no point there */
    bool dashed;
    unsigned colour; /* of the palette */
} mgl_line;

typedef struct mgl_lines {
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
} mgl_lines;
void mgl_svg_lines(mgl_html *html, const mgl_lines *lines);

#endif
