/* Draws lines over a few points, such as different k. The sections on other k and on risks call
 * it. */
#include "report/html/svg.h"

#include <math.h>
#include <stdio.h>

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

static void draw_legend(const frame *f)
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
    draw_legend(&f);
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
