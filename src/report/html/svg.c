/* Draws the frame of a plot, and bars. The sections of the page that have plots call it. */
#include "report/html/svg.h"

#include <math.h>
#include <stdio.h>

void mgl_svg_begin(mgl_html *html, const char *title, const char *description, unsigned height,
                   unsigned min_width)
{
    unsigned id = ++html->n_ids;
    mgl_html_add(html, "<div class=\"plot\"%s>", min_width > 0 ? " tabindex=\"0\"" : "");
    mgl_html_add(html,
                 "<svg role=\"img\" width=\"100%%\" "
                 "height=\"%u\" aria-labelledby=\"t%u d%u\"",
                 height, id, id);
    if (min_width > 0)
        mgl_html_add(html, " style=\"min-width:%upx\"", min_width);
    mgl_html_add(html, ">\n<title id=\"t%u\">", id);
    mgl_html_text(html, title);
    mgl_html_add(html, "</title>\n<desc id=\"d%u\">", id);
    mgl_html_text(html, description);
    mgl_html_add(html, "</desc>\n");
}

void mgl_svg_end(mgl_html *html)
{
    mgl_html_add(html, "</svg></div>\n");
}

/* ---- Bars ------------------------------------------------------------------------------------ */

/* Labels end where bars begin; numbers stand behind the bars. */
enum { LABEL_END = 30, BAR_BEGIN = 32, BAR_MOST = 50, THICK = 11, ROW_GAP = 9, LABEL_LETTERS = 16 };

static void add_value(mgl_html *html, double value, bool share)
{
    char text[MGL_NUMBER_SIZE];
    if (share)
        mgl_html_text(html, mgl_share(value, text));
    else if (value >= 0 && value == floor(value) && value < 1e15)
        mgl_html_text(html, mgl_page_count((uint64_t)value, text));
    else
        mgl_html_text(html, mgl_page_real(value, text));
}

static void add_label(mgl_html *html, const char *label, size_t letters)
{
    if (label == NULL)
        mgl_html_add(html, "(missing)");
    else
        mgl_html_short(html, label, letters);
}

static double longest(const mgl_bars *bars)
{
    double most = 0;
    for (size_t i = 0; i < bars->n; i++)
        for (size_t s = 0; s < bars->n_series; s++)
            most = bars->bars[i].values[s] > most ? bars->bars[i].values[s] : most;
    return most;
}

static void draw_bar(mgl_html *html, const mgl_bars *bars, const mgl_bar *bar, size_t s,
                     unsigned top, double most)
{
    double value = bar->values[s], width = most > 0 && value > 0 ? BAR_MOST * value / most : 0;
    if (!isfinite(value))
        return;
    mgl_html_add(html, "<rect class=\"c%zu\" x=\"%d%%\" y=\"%u\" width=\"%.3f%%\" height=\"%d\">",
                 s, BAR_BEGIN, top, width, THICK);
    mgl_html_add(html, "<title>");
    add_label(html, bar->label, 200);
    mgl_html_add(html, ", %s: ", bars->series[s]);
    add_value(html, value, bars->shares);
    mgl_html_add(html, "</title></rect>");
    if (value == 0) /* nothing to see, nothing to say */
        return;
    mgl_html_add(html, "<text class=\"value\" x=\"%.3f%%\" y=\"%u\" dx=\"5\">", BAR_BEGIN + width,
                 top + THICK - 1);
    add_value(html, value, bars->shares);
    mgl_html_add(html, "</text>\n");
}

/* What colour is what. */
static void draw_legend(mgl_html *html, const char *const *names, size_t n)
{
    mgl_html_add(html, "<p class=\"legend\" aria-hidden=\"true\">");
    for (size_t s = 0; s < n; s++) {
        mgl_html_add(html,
                     "<span><svg class=\"key\" width=\"14\" height=\"11\">"
                     "<rect class=\"c%zu\" width=\"14\" height=\"11\"/></svg> ",
                     s);
        mgl_html_text(html, names[s]);
        mgl_html_add(html, "</span> ");
    }
    mgl_html_add(html, "</p>\n");
}

void mgl_svg_bars(mgl_html *html, const mgl_bars *bars)
{
    double most = longest(bars);
    unsigned row = (unsigned)bars->n_series * (THICK + 1) + ROW_GAP;
    if (bars->n_series > 1)
        draw_legend(html, bars->series, bars->n_series);
    mgl_svg_begin(html, bars->title, bars->description, (unsigned)bars->n * row + 4, 0);
    for (size_t i = 0; i < bars->n; i++) {
        const mgl_bar *bar = &bars->bars[i];
        unsigned top = (unsigned)i * row + 4;
        if (bar->set_apart)
            mgl_html_add(html, "<line class=\"rule\" x1=\"0\" x2=\"100%%\" y1=\"%u\" y2=\"%u\"/>",
                         top - 4, top - 4);
        mgl_html_add(html, "<text class=\"label\" x=\"%d%%\" y=\"%u\">", LABEL_END,
                     top + (unsigned)bars->n_series * (THICK + 1) / 2 + 4);
        add_label(html, bar->label, LABEL_LETTERS);
        mgl_html_add(html, "</text>");
        for (size_t s = 0; s < bars->n_series; s++)
            draw_bar(html, bars, bar, s, top + (unsigned)s * (THICK + 1), most);
    }
    mgl_svg_end(html);
}
