/* Writes the HTML of a page: text, which is always escaped, sections, figures and tables. */
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

/* Nobody reads more of a name, and a page of one name is no report. */
enum { MOST_OF_A_NAME = 200 };

void mgl_html_name(mgl_html *html, const char *text)
{
    mgl_html_add(html, "<bdi>");
    mgl_html_short(html, text != NULL ? text : "?", MOST_OF_A_NAME);
    mgl_html_add(html, "</bdi>");
}

void mgl_html_names(mgl_html *html, const json_t *names)
{
    for (size_t i = 0; i < json_array_size(names); i++) {
        mgl_html_add(html, i > 0 ? ", " : "");
        mgl_html_name(html, json_string_value(json_array_get(names, i)));
    }
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

void mgl_html_table(mgl_html *html, const char *const *headings, size_t n)
{
    mgl_html_add(html, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">"
                       "<table>\n<thead><tr>");
    for (size_t i = 0; i < n; i++) {
        mgl_html_add(html, "<th scope=\"col\">");
        mgl_html_text(html, headings[i]);
        mgl_html_add(html, "</th>");
    }
    mgl_html_add(html, "</tr></thead>\n<tbody>\n");
}

void mgl_html_numbers(mgl_html *html, const char *const *headings, size_t n)
{
    mgl_html_add(html, "<details><summary>The numbers</summary>\n");
    mgl_html_table(html, headings, n);
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
    const char *name = mgl_json_text(model, "model"), *key;
    const json_t *columns = json_object_get(model, "quasi_identifier");
    json_t *value;
    mgl_html_add(html, "<strong>");
    mgl_html_text(html, name != NULL ? name : "?");
    json_object_foreach(json_object_get(model, "parameters"), key, value)
        add_parameter(html, key, value);
    for (size_t i = 0; i < json_array_size(columns); i++) {
        mgl_html_add(html, i == 0 ? " on " : ", ");
        mgl_html_name(html, json_string_value(json_array_get(columns, i)));
    }
    mgl_html_add(html, "</strong>");
}
