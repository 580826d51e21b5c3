/* Writes the HTML of a page: text, which is always escaped, sections, figures, tables, and plots as
 * inline SVG. */
#include "report/html/html.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* The space before it does not end a line. */
#define UNIT "\xc2\xa0%%"

void mgl_html_add(mgl_html *html, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    int size = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (size < 0 || (size_t)size >= sizeof text)
        html->out.failed = true; /* markup must not be cut off */
    else
        mgl_buffer_append(&html->out, text, (size_t)size);
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* One character of valid UTF-8; returns how many bytes it has. */
static size_t read_character(const char *text, uint32_t *out)
{
    const unsigned char *c = (const unsigned char *)text;
    size_t n = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    static const uint32_t first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t value = c[0] & first[n];
    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80) { /* never in a result, whose texts are checked */
            *out = 0xfffd;
            return i;
        }
        value = value << 6 | (c[i] & 0x3f);
    }
    *out = value;
    return n;
}

static bool is_hidden(uint32_t c)
{
    bool control = (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7f && c <= 0x9f);
    bool direction = (c >= 0x200b && c <= 0x200f) || (c >= 0x2028 && c <= 0x202e) ||
                     (c >= 0x2060 && c <= 0x206f) || c == 0x061c || c == 0xfeff;
    bool unassignable = (c & 0xfffe) == 0xfffe || (c >= 0xfdd0 && c <= 0xfdef);
    return control || direction || unassignable;
}

static void add_character(mgl_html *html, const char *text, size_t size, uint32_t c)
{
    if (c == '&')
        mgl_buffer_text(&html->out, "&amp;");
    else if (c == '<')
        mgl_buffer_text(&html->out, "&lt;");
    else if (c == '>')
        mgl_buffer_text(&html->out, "&gt;");
    else if (c == '"')
        mgl_buffer_text(&html->out, "&quot;");
    else if (c == '\'')
        mgl_buffer_text(&html->out, "&#39;");
    else if (c == 0xfffd)
        mgl_buffer_text(&html->out, "\xef\xbf\xbd");
    else if (is_hidden(c))
        mgl_buffer_format(&html->out, "[U+%04X]", (unsigned)c);
    else
        mgl_buffer_append(&html->out, text, size);
}

void mgl_html_short(mgl_html *html, const char *text, size_t most)
{
    size_t n = 0;
    while (*text != '\0') {
        uint32_t c;
        size_t size = read_character(text, &c);
        if (++n == most && text[size] != '\0') {
            mgl_buffer_text(&html->out, "\xe2\x80\xa6"); /* an ellipsis */
            return;
        }
        add_character(html, text, size, c);
        text += size;
    }
}

void mgl_html_text(mgl_html *html, const char *text)
{
    mgl_html_short(html, text, SIZE_MAX);
}

void mgl_html_message(mgl_html *html, const char *text)
{
    while (*text != '\0') {
        uint32_t c;
        size_t size = read_character(text, &c);
        add_character(html, c == '`' ? "\"" : text, size, c == '`' ? '"' : c);
        text += size;
    }
}

/* No reader needs more of a name, and a page of one name is no report. */
enum { MOST_OF_A_NAME = 200 };

void mgl_html_name(mgl_html *html, const char *text)
{
    mgl_html_add(html, "<bdi>");
    mgl_html_short(html, text != NULL ? text : "?", MOST_OF_A_NAME);
    mgl_html_add(html, "</bdi>");
}

/* ---- Sections, figures, tables --------------------------------------------------------------- */

void mgl_html_section(mgl_html *html, const char *id, const char *title)
{
    mgl_html_add(html, "<section id=\"%s\" aria-labelledby=\"%s-title\">\n", id, id);
    mgl_html_add(html, "<h2 id=\"%s-title\">%s</h2>\n", id, title);
}

void mgl_html_section_end(mgl_html *html)
{
    mgl_html_add(html, "</section>\n");
}

static void begin_figure(mgl_html *html, const char *tag, const char *caption)
{
    mgl_html_add(html, "%s\n<figcaption>", tag);
    mgl_html_text(html, caption);
    mgl_html_add(html, "</figcaption>\n");
}

void mgl_html_figure(mgl_html *html, const char *caption)
{
    begin_figure(html, "<figure>", caption);
}

void mgl_html_wide_figure(mgl_html *html, const char *caption)
{
    begin_figure(html, "<figure class=\"wide\">", caption);
}

void mgl_html_figure_end(mgl_html *html)
{
    mgl_html_add(html, "</figure>\n");
}

static void begin_table(mgl_html *html)
{
    mgl_html_add(html, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">"
                       "<table>\n<thead><tr>");
}

static void add_heading(mgl_html *html, const char *heading)
{
    mgl_html_add(html, "<th scope=\"col\">");
    mgl_html_text(html, heading);
    mgl_html_add(html, "</th>");
}

void mgl_html_table(mgl_html *html, const char *headings)
{
    begin_table(html);
    for (const char *at = headings, *end; at != NULL; at = *end != '\0' ? end + 1 : NULL) {
        char heading[80];
        end = at + strcspn(at, "|");
        snprintf(heading, sizeof heading, "%.*s", (int)(end - at), at);
        add_heading(html, heading);
    }
    mgl_html_add(html, "</tr></thead>\n<tbody>\n");
}

void mgl_html_table_of(mgl_html *html, const char *const *headings, size_t n)
{
    begin_table(html);
    for (size_t i = 0; i < n; i++)
        add_heading(html, headings[i]);
    mgl_html_add(html, "</tr></thead>\n<tbody>\n");
}

void mgl_html_numbers(mgl_html *html, const char *headings)
{
    mgl_html_add(html, "<details><summary>The numbers</summary>\n");
    if (headings != NULL)
        mgl_html_table(html, headings);
}

void mgl_html_numbers_end(mgl_html *html)
{
    mgl_html_table_end(html);
    mgl_html_add(html, "</details>\n");
}

void mgl_html_row(mgl_html *html, const char *first)
{
    mgl_html_add(html, "<tr><th scope=\"row\">");
    if (first != NULL)
        mgl_html_name(html, first);
    else
        mgl_html_add(html, "(missing)");
    mgl_html_add(html, "</th>");
}

void mgl_html_cell(mgl_html *html, const char *text)
{
    mgl_html_add(html, "<td>");
    mgl_html_text(html, text);
    mgl_html_add(html, "</td>");
}

void mgl_html_count(mgl_html *html, uint64_t count)
{
    mgl_html_cell(html, mgl_count_words(&html->numbers, count));
}

void mgl_html_row_end(mgl_html *html)
{
    mgl_html_add(html, "</tr>\n");
}

void mgl_html_table_end(mgl_html *html)
{
    mgl_html_add(html, "</tbody>\n</table></div>\n");
}

const char *mgl_share(double share, char *text)
{
    double percent = 100 * share;
    int digits = percent == 0 || percent >= 100 ? 0 : percent < 10 ? 2 : percent < 99.9 ? 1 : 2;
    if (!isfinite(percent))
        snprintf(text, MGL_NUMBER_SIZE, "-");
    else if (percent > 99.99 && percent < 100)
        snprintf(text, MGL_NUMBER_SIZE, "> 99.99" UNIT);
    else if (percent > 0 && percent < 0.01)
        snprintf(text, MGL_NUMBER_SIZE, "%.2g" UNIT, percent);
    else
        snprintf(text, MGL_NUMBER_SIZE, "%.*f" UNIT, digits, percent);
    return text;
}

const char *mgl_share_words(mgl_numbers *numbers, double share)
{
    return mgl_share(share, mgl_numbers_next(numbers));
}

/* ---- Templates ------------------------------------------------------------------------------- */

static void fill_text(void *to, const char *text, size_t size)
{
    mgl_buffer_append(&((mgl_html *)to)->out, text, size);
}

static void fill_value(void *to, const char *text, bool name)
{
    if (name)
        mgl_html_name(to, text);
    else
        mgl_html_text(to, text);
}

void mgl_html_fill(mgl_html *html, const json_t *object, const char *template)
{
    static const mgl_medium page = {fill_text, fill_value, mgl_share};
    mgl_fill(&page, html, object, template);
}

void mgl_html_each(mgl_html *html, const json_t *list, const char *template)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        mgl_html_fill(html, json_array_get(list, i), template);
}

/* A bar goes to the next cell. No markup stands in such a template. */
static void fill_cell(void *to, const char *text, size_t size)
{
    mgl_html *html = to;
    for (size_t i = 0; i < size; i++)
        if (text[i] == '|')
            mgl_buffer_text(&html->out, "</td><td>");
        else
            mgl_buffer_append(&html->out, text[i] == '>' ? "&gt;" : &text[i],
                              text[i] == '>' ? 4 : 1);
}

void mgl_html_cells(mgl_html *html, const json_t *object, const char *template)
{
    static const mgl_medium cells = {fill_cell, fill_value, mgl_share};
    mgl_html_add(html, "<td>");
    mgl_fill(&cells, html, object, template);
    mgl_html_add(html, "</td>");
}

void mgl_html_line(mgl_html *html, const char *first, const json_t *object, const char *template)
{
    mgl_html_row(html, first);
    mgl_html_cells(html, object, template);
    mgl_html_row_end(html);
}

/* ---- Models ---------------------------------------------------------------------------------- */

static void add_parameter(mgl_html *html, const char *key, const json_t *value)
{
    char number[MGL_NUMBER_SIZE];
    mgl_html_add(html, ", ");
    mgl_html_text(html, key);
    mgl_html_add(html, " = ");
    if (json_is_string(value)) {
        mgl_html_name(html, json_string_value(value));
        return;
    }
    snprintf(number, sizeof number, json_is_integer(value) ? "%.0f" : "%g",
             json_number_value(value));
    mgl_html_text(html, number);
}

void mgl_html_model(mgl_html *html, const json_t *model)
{
    const char *key;
    json_t *value;
    mgl_html_fill(html, model, "<strong>{model}");
    json_object_foreach(json_object_get(model, "parameters"), key, value)
        add_parameter(html, key, value);
    mgl_html_fill(html, model,
                  json_array_size(json_object_get(model, "quasi_identifier")) > 0
                      ? " on {quasi_identifier:names}</strong>"
                      : "</strong>");
}

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

void mgl_svg_bars_and_numbers(mgl_html *html, const mgl_bars *bars, const char *headings)
{
    mgl_html_add(html, bars->n_series == 1 ? "<div class=\"one\">\n" : "");
    mgl_svg_bars(html, bars);
    mgl_html_add(html, bars->n_series == 1 ? "</div>\n" : "");
    mgl_html_numbers(html, headings);
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
    const mgl_line_chart *lines;
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
        double value = line->values[i];
        char text[MGL_NUMBER_SIZE];
        if (f->lines->shares)
            mgl_html_text(f->html, mgl_share(value, text));
        else
            mgl_html_text(f->html, mgl_page_real(value, text));
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

void mgl_svg_lines(mgl_html *html, const mgl_line_chart *lines)
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
