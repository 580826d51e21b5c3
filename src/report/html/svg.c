/* Draws plots as inline SVG: bars and lines. */
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

/* Labels end where bars begin; numbers are behind the bars. */
enum { LABEL_END = 30, BAR_BEGIN = 32, BAR_MOST = 50, THICK = 11, ROW_GAP = 9, LABEL_LETTERS = 16 };

static void add_value(mgl_html *html, double value, bool share)
{
    if (share)
        mgl_html_text(html, mgl_share_words(&html->numbers, value));
    else if (value >= 0 && value == floor(value) && value < 1e15)
        mgl_html_text(html, mgl_count_words(&html->numbers, (uint64_t)value));
    else
        mgl_html_text(html, mgl_real_words(&html->numbers, value));
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

void mgl_svg_bars_and_numbers(mgl_html *html, const mgl_bars *bars, const char *const *headings)
{
    mgl_html_add(html, bars->n_series == 1 ? "<div class=\"one\">\n" : "");
    mgl_svg_bars(html, bars);
    mgl_html_add(html, bars->n_series == 1 ? "</div>\n" : "");
    mgl_html_numbers(html, headings, bars->n_series + 1);
    for (size_t i = 0; i < bars->n; i++) {
        mgl_html_row(html, bars->bars[i].label);
        for (size_t s = 0; s < bars->n_series; s++) {
            double value = bars->bars[i].values[s];
            mgl_html_cell(html, bars->shares ? mgl_share_words(&html->numbers, value)
                                             : mgl_count_words(&html->numbers, (uint64_t)value));
        }
        mgl_html_row_end(html);
    }
    mgl_html_numbers_end(html);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

enum { LEFT = 13, WIDTH = 83, TOP = 12, HEIGHT = 200, BELOW = 46 };

typedef struct frame {
    mgl_html *html;
    const mgl_lines *lines;
} frame;

static double across(const frame *f, size_t point)
{
    return LEFT + WIDTH * f->lines->places[point];
}

/* Share of the height from the top. */
static double down(const frame *f, double value)
{
    double span = f->lines->high - f->lines->low;
    double share = span > 0 ? (value - f->lines->low) / span : 0.5;
    return 1 - fmin(fmax(share, 0), 1);
}

static void add_number(const frame *f, double value)
{
    char text[MGL_NUMBER_SIZE];
    if (f->lines->shares)
        mgl_html_text(f->html, mgl_share(value, text));
    else
        mgl_html_text(f->html, mgl_page_real(value, text));
}

static void draw_axes(const frame *f)
{
    mgl_html *html = f->html;
    for (unsigned i = 0; i <= f->lines->ticks; i++) {
        double y = TOP + HEIGHT * (1 - i / (double)f->lines->ticks);
        mgl_html_add(html, "<line class=\"grid\" x1=\"%d%%\" x2=\"%d%%\" y1=\"%.1f\" y2=\"%.1f\"/>",
                     LEFT, LEFT + WIDTH, y, y);
        mgl_html_add(html, "<text class=\"label\" x=\"%d%%\" y=\"%.1f\" dx=\"-5\">", LEFT, y + 4);
        double value = f->lines->low + (f->lines->high - f->lines->low) * i / f->lines->ticks;
        char text[MGL_NUMBER_SIZE];
        if (f->lines->shares)
            snprintf(text, sizeof text,
                     f->lines->high - f->lines->low >= 0.05 ? "%.0f %%" : "%.2g %%", 100 * value);
        else
            snprintf(text, sizeof text, "%.3g", value);
        mgl_html_text(html, text);
        mgl_html_add(html, "</text>\n");
    }
    for (size_t i = 0; i < f->lines->n_points; i++) {
        mgl_html_add(html, "<text class=\"tick\" x=\"%.3f%%\" y=\"%d\">", across(f, i),
                     TOP + HEIGHT + 18);
        mgl_html_text(html, f->lines->labels[i]);
        mgl_html_add(html, "</text>\n");
    }
    mgl_html_add(html, "<text class=\"tick axis\" x=\"%d%%\" y=\"%d\">", LEFT + WIDTH / 2,
                 TOP + HEIGHT + BELOW - 8);
    mgl_html_text(html, f->lines->across);
    mgl_html_add(html, "</text>\n");
}

/* Paths know no percent: they are drawn in a frame of 1000 by 1000 that is stretched. */
static void draw_path(const frame *f, const mgl_line *line)
{
    bool open = false;
    double last = 0;
    mgl_html_add(f->html, "<path class=\"line l%u%s\" d=\"", line->colour,
                 line->dashed ? " dashed" : "");
    for (size_t i = 0; i < f->lines->n_points; i++) {
        if (!isfinite(line->values[i])) {
            open = false;
            continue;
        }
        double x = 1000 * f->lines->places[i], y = 1000 * down(f, line->values[i]);
        if (open && f->lines->steps)
            mgl_html_add(f->html, "L%.1f %.1f", x, last);
        mgl_html_add(f->html, "%s%.1f %.1f", open ? "L" : "M", x, y);
        open = true;
        last = y;
    }
    mgl_html_add(f->html, "\"/>\n");
}

static void draw_points(const frame *f, const mgl_line *line)
{
    for (size_t i = 0; i < f->lines->n_points; i++) {
        if (!isfinite(line->values[i]))
            continue;
        mgl_html_add(f->html, "<circle class=\"p%u\" cx=\"%.3f%%\" cy=\"%.1f\" r=\"4\"><title>",
                     line->colour, across(f, i), TOP + HEIGHT * down(f, line->values[i]));
        mgl_html_text(f->html, line->name);
        mgl_html_add(f->html, ", ");
        mgl_html_text(f->html, f->lines->labels[i]);
        mgl_html_add(f->html, ": ");
        add_number(f, line->values[i]);
        mgl_html_add(f->html, "</title></circle>\n");
    }
}

static void draw_line_legend(const frame *f)
{
    mgl_html_add(f->html, "<p class=\"legend\" aria-hidden=\"true\">");
    for (size_t i = 0; i < f->lines->n_lines; i++) {
        const mgl_line *line = &f->lines->lines[i];
        mgl_html_add(
            f->html,
            "<span><svg class=\"key\" width=\"24\" height=\"11\"><path class=\"line l%u%s\" "
            "d=\"M0 6H24\"/></svg> ",
            line->colour, line->dashed ? " dashed" : "");
        mgl_html_text(f->html, line->name);
        mgl_html_add(f->html, "</span> ");
    }
    mgl_html_add(f->html, "</p>\n");
}

void mgl_svg_lines(mgl_html *html, const mgl_lines *lines)
{
    frame f = {html, lines};
    draw_line_legend(&f);
    mgl_svg_begin(html, lines->title, lines->description, TOP + HEIGHT + BELOW, 0);
    draw_axes(&f);
    mgl_html_add(html,
                 "<svg x=\"%d%%\" y=\"%d\" width=\"%d%%\" height=\"%d\" viewBox=\"0 0 1000 1000\" "
                 "preserveAspectRatio=\"none\" overflow=\"visible\">\n",
                 LEFT, TOP, WIDTH, HEIGHT);
    for (size_t i = 0; i < lines->n_lines; i++)
        draw_path(&f, &lines->lines[i]);
    mgl_html_add(html, "</svg>\n");
    for (size_t i = 0; i < lines->n_lines; i++)
        draw_points(&f, &lines->lines[i]);
    mgl_svg_end(html);
}
