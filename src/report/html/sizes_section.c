/* Draws class sizes, and the risk that follows from them. Two sections of the page in
 * whole_page.c. */
#include "report/html/sections.h"

#include <math.h>
#include <stdio.h>

enum { MOST_BINS = 64 };

/* The lists of bins that a result has: before and after, or one. */
typedef struct sides {
    const json_t *lists[2];
    const char *names[2];
    double totals[2];
    size_t n_sides, first, n_bins; /* bins before the first have nobody in them */
} sides;

static bool is_empty(const sides *s, size_t bin)
{
    for (size_t i = 0; i < s->n_sides; i++)
        if (mgl_json_whole(json_array_get(s->lists[i], bin), "rows") > 0)
            return false;
    return true;
}

static sides sides_of(const json_t *document)
{
    const json_t *sizes = json_object_get(json_object_get(document, "figures"), "class_sizes");
    sides s = {0};
    static const char *const keys[] = {"before", "after", "now"};
    static const char *const names[] = {"before", "after", "this table"};
    for (size_t i = 0; i < 3 && s.n_sides < 2; i++) {
        const json_t *list = json_object_get(sizes, keys[i]);
        size_t n = json_array_size(list);
        if (n == 0)
            continue;
        s.names[s.n_sides] = names[i];
        s.lists[s.n_sides] = list;
        s.n_bins = n < MOST_BINS ? n : MOST_BINS;
        for (size_t b = 0; b < n; b++)
            s.totals[s.n_sides] += mgl_json_number(json_array_get(list, b), "rows");
        s.n_sides++;
    }
    /* Both have the same bins in a result that nobody changed. */
    if (s.n_sides == 2 && json_array_size(s.lists[0]) != json_array_size(s.lists[1]))
        s.n_sides = 0;
    while (s.n_bins > 1 && is_empty(&s, s.first)) {
        s.first++;
        s.n_bins--;
    }
    return s;
}

static const json_t *bin_of(const sides *s, size_t side, size_t bin)
{
    return json_array_get(s->lists[side], s->first + bin);
}

bool mgl_has_sizes(const json_t *document)
{
    return sides_of(document).n_sides > 0;
}

static double members_in(const sides *s, size_t side, size_t bin)
{
    double rows = mgl_json_number(bin_of(s, side, bin), "rows");
    return s->totals[side] > 0 ? rows / s->totals[side] : 0;
}

static void name_bin(const sides *s, size_t bin, char *text)
{
    const json_t *one = bin_of(s, 0, bin);
    uint64_t from = mgl_json_whole(one, "from"), to = mgl_json_whole(one, "to");
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    if (from == to)
        snprintf(text, MGL_NUMBER_SIZE, "%s", mgl_page_count(from, a));
    else
        snprintf(text, MGL_NUMBER_SIZE, "%.20s to %.20s", mgl_page_count(from, a),
                 mgl_page_count(to, b));
}

static void sizes_table(mgl_html *html, const sides *s, char labels[][MGL_NUMBER_SIZE],
                        const char *members)
{
    char heads[5][MGL_NUMBER_SIZE] = {"class size"};
    const char *headings[5] = {heads[0]};
    size_t n = 1;
    for (size_t i = 0; i < s->n_sides; i++) {
        snprintf(heads[n], MGL_NUMBER_SIZE, "classes, %s", s->names[i]);
        snprintf(heads[n + 1], MGL_NUMBER_SIZE, "%s, %s", members, s->names[i]);
        headings[n] = heads[n];
        headings[n + 1] = heads[n + 1];
        n += 2;
    }
    mgl_html_details(html);
    mgl_html_table(html, headings, n);
    for (size_t b = 0; b < s->n_bins; b++) {
        mgl_html_row(html, labels[b]);
        for (size_t i = 0; i < s->n_sides; i++) {
            mgl_html_count(html, mgl_json_whole(bin_of(s, i, b), "classes"));
            mgl_html_count(html, mgl_json_whole(bin_of(s, i, b), "rows"));
        }
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
    mgl_html_details_end(html);
}

void mgl_html_sizes(mgl_html *html, const json_t *document)
{
    sides s = sides_of(document);
    const char *members = mgl_members(document);
    char labels[MOST_BINS][MGL_NUMBER_SIZE], caption[200], description[300];
    mgl_bar bars[MOST_BINS];
    size_t largest = 0;
    for (size_t b = 0; b < s.n_bins; b++) {
        name_bin(&s, b, labels[b]);
        bars[b] = (mgl_bar){.label = labels[b]};
        for (size_t i = 0; i < s.n_sides; i++)
            bars[b].values[i] = members_in(&s, i, b);
        if (members_in(&s, s.n_sides - 1, b) > members_in(&s, s.n_sides - 1, largest))
            largest = b;
    }
    char share[MGL_NUMBER_SIZE];
    snprintf(caption, sizeof caption,
             "A class is a group of persons who look alike. How many of all %s are in classes of "
             "each size:",
             members);
    snprintf(description, sizeof description, "%s: most %s, %s, are in classes of %.40s.",
             s.names[s.n_sides - 1], members,
             mgl_share(members_in(&s, s.n_sides - 1, largest), share), labels[largest]);
    mgl_html_figure(html, caption);
    mgl_html_add(html, "<div class=\"%s\">\n", s.n_sides == 1 ? "one" : "two");
    mgl_svg_bars(html, &(mgl_bars){.title = "Share of persons by the size of their class",
                                   .description = description,
                                   .series = {s.names[0], s.names[1]},
                                   .n_series = s.n_sides,
                                   .bars = bars,
                                   .n = s.n_bins,
                                   .shares = true});
    mgl_html_add(html, "</div>\n");
    sizes_table(html, &s, labels, members);
    mgl_html_figure_end(html);
}

/* ---- Risk ------------------------------------------------------------------------------------ */

bool mgl_has_risk(const json_t *document)
{
    return sides_of(document).n_sides == 2;
}

/* Who is in a class of fewer than n has a risk above 1/n. */
static void risk_plot(mgl_html *html, const sides *s)
{
    double values[2][MOST_BINS], places[MOST_BINS];
    char texts[MOST_BINS][MGL_NUMBER_SIZE], description[300], a[MGL_NUMBER_SIZE],
        b[MGL_NUMBER_SIZE];
    const char *labels[MOST_BINS] = {""};
    size_t n = s->n_bins > 1 ? s->n_bins - 1 : 1;
    for (size_t i = 0; i < 2; i++) {
        double sum = 0;
        for (size_t p = n; p-- > 0;) /* small classes have the highest risk, at the right */
            values[i][p] = sum += members_in(s, i, n - 1 - p);
    }
    for (size_t p = 0; p < n; p++) {
        double edge = mgl_json_number(bin_of(s, 0, n - 1 - p), "to") + 1;
        snprintf(texts[p], MGL_NUMBER_SIZE, "%.2g %%", 100 / edge);
        labels[p] = texts[p];
        places[p] = n > 1 ? (double)p / (double)(n - 1) : 0.5;
    }
    snprintf(description, sizeof description,
             "From low risk at the left to high risk at the right. A risk above %s had %s of all "
             "persons before and have %s after.",
             labels[n - 1], mgl_share(values[0][n - 1], a), mgl_share(values[1][n - 1], b));
    mgl_line lines[] = {{.name = "before", .values = values[0], .dashed = true, .colour = 0},
                        {.name = "after", .values = values[1], .colour = 1}};
    mgl_html_figure(html, "How many persons have a risk above a limit, if an intruder knows that "
                          "they are in the table and knows their quasi-identifier:");
    mgl_svg_lines(html, &(mgl_lines){.title = "Share of persons above a limit of risk",
                                     .description = description,
                                     .across = "risk of being picked out, more than",
                                     .labels = labels,
                                     .places = places,
                                     .n_points = n,
                                     .lines = lines,
                                     .n_lines = 2,
                                     .high = 1,
                                     .ticks = 5,
                                     .steps = true,
                                     .shares = true});
    static const char *const headings[] = {"risk above", "before", "after"};
    mgl_html_details(html);
    mgl_html_table(html, headings, 3);
    for (size_t p = 0; p < n; p++) {
        mgl_html_row(html, labels[p]);
        mgl_html_cell(html, mgl_share(values[0][p], a));
        mgl_html_cell(html, mgl_share(values[1][p], a));
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
    mgl_html_details_end(html);
    mgl_html_figure_end(html);
}

static void risk_row(mgl_html *html, const char *name, const char *key, bool share,
                     const json_t *before, const json_t *after)
{
    const json_t *sides[] = {before, after};
    char text[MGL_NUMBER_SIZE];
    mgl_html_row(html, name);
    for (size_t i = 0; i < 2; i++)
        mgl_html_cell(html, share ? mgl_share(mgl_json_number(sides[i], key), text)
                                  : mgl_page_count(mgl_json_whole(sides[i], key), text));
    mgl_html_row_end(html);
}

void mgl_html_risk(mgl_html *html, const json_t *document)
{
    sides s = sides_of(document);
    static const char *const headings[] = {"", "before", "after"};
    const json_t *before = json_object_get(
                     json_object_get(json_object_get(document, "figures"), "before"), "risk"),
                 *after = json_object_get(document, "risk");
    mgl_html_table(html, headings, 3);
    risk_row(html, "highest risk of one person", "prosecutor_max", true, before, after);
    risk_row(html, "mean risk", "prosecutor_mean", true, before, after);
    risk_row(html, "persons who are alone", "uniques", false, before, after);
    mgl_html_table_end(html);
    risk_plot(html, &s);
}
