/* Writes what is kept: the methods of a comparison side by side, other choices of k, and all
 * measures. */
#include "report/html/sections.h"

#include <math.h>
#include <stdio.h>

enum { MOST_METHODS = 32 };

bool mgl_has_compare(const json_t *document)
{
    return json_is_array(document);
}

static double value_of(const json_t *result, const char *measure)
{
    return mgl_json_number(json_object_get(result, "utility"), measure);
}

static bool holds(const json_t *result)
{
    const json_t *models = json_object_get(result, "models");
    return json_object_get(result, "error") == NULL &&
           mgl_json_count_true(models, "holds") == json_array_size(models);
}

void mgl_html_compare_summary(mgl_html *html, const json_t *list)
{
    const char *measure = mgl_measure_of(html->measures, list), *name = NULL;
    size_t n = json_array_size(list), n_holding = 0;
    double best = NAN;
    char words[MGL_NUMBER_SIZE];
    for (size_t i = 0; i < n; i++) {
        const json_t *result = json_array_get(list, i);
        double value = value_of(result, measure);
        if (!holds(result))
            continue;
        n_holding++;
        if (isfinite(value) &&
            (isnan(best) || (mgl_is_gain(html->measures, measure) ? value > best : value < best))) {
            best = value;
            name = mgl_json_text(result, "method");
        }
    }
    mgl_html_add(html, "<p>%s on one job; %zu found a release that keeps every promise.",
                 mgl_many_words(&html->numbers, n, "method", "methods"), n_holding);
    if (name != NULL) {
        mgl_html_add(html, " By ");
        mgl_html_text(html, mgl_measure_words(measure, words));
        mgl_html_add(html, " the best of them is <strong>");
        mgl_html_text(html, name);
        mgl_html_add(html, "</strong>, with %s.", mgl_real_words(&html->numbers, best));
    }
    mgl_html_add(html, " Nothing was released.</p>\n");
}

static void compare_row(mgl_html *html, const json_t *result, const char *measure)
{
    const char *method = mgl_json_text(result, "method"), *error = mgl_json_text(result, "error");
    mgl_html_row(html, method != NULL ? method : "?");
    if (error != NULL) {
        mgl_html_add(html, "<td class=\"left\" colspan=\"8\">");
        mgl_html_message(html, error);
        mgl_html_add(html, "</td>");
    } else {
        mgl_html_add(html, "<td class=\"%s\">%s</td>", holds(result) ? "good" : "bad",
                     holds(result) ? "\xe2\x9c\x93 all" : "\xe2\x9c\x97 not all");
        mgl_html_cell(html, mgl_real_words(&html->numbers, value_of(result, measure)));
        mgl_html_cells(html, result,
                       "{utility.loss:~}|{utility.query_error:~}|{suppressed_rows:,}|"
                       "{classes.count:,}|{risk.prosecutor_mean:%}|{seconds.search:.2f}");
    }
    mgl_html_row_end(html);
}

void mgl_html_compare(mgl_html *html, const json_t *list)
{
    const char *measure = mgl_measure_of(html->measures, list);
    mgl_bar bars[MOST_METHODS];
    size_t n = 0;
    char words[MGL_NUMBER_SIZE], caption[120];
    mgl_measure_words(measure, words);
    for (size_t i = 0; i < json_array_size(list) && n < MOST_METHODS; i++) {
        const json_t *result = json_array_get(list, i);
        const char *method = mgl_json_text(result, "method");
        if (isfinite(value_of(result, measure)))
            bars[n++] = (mgl_bar){.label = method != NULL ? method : "?",
                                  .values = {value_of(result, measure)}};
    }
    snprintf(caption, sizeof caption, "%s (%s is better):", words,
             mgl_is_gain(html->measures, measure) ? "more" : "less");
    mgl_html_figure(html, caption);
    mgl_html_add(html, "<div class=\"one\">\n");
    mgl_svg_bars(html, &(mgl_bars){.title = "The measure of the job, by method",
                                   .description = "The table below has all numbers.",
                                   .series = {words},
                                   .n_series = 1,
                                   .bars = bars,
                                   .n = n});
    mgl_html_add(html, "</div>\n");
    const char *headings[] = {"method",     "promises", words,       "mean loss", "query error",
                              "suppressed", "classes",  "mean risk", "seconds"};
    mgl_html_table_of(html, headings, 9);
    for (size_t i = 0; i < json_array_size(list); i++)
        compare_row(html, json_array_get(list, i), measure);
    mgl_html_table_end(html);
    mgl_html_figure_end(html);
}

enum { MOST_POINTS = 64, MOST_CURVES = MGL_MOST_LINES, COLOURS = 6 };

static const json_t *first_curve(const json_t *document)
{
    if (!json_is_array(document))
        return json_object_get(document, "curve");
    for (size_t i = 0; i < json_array_size(document); i++) {
        const json_t *curve = json_object_get(json_array_get(document, i), "curve");
        if (json_array_size(curve) > 0)
            return curve;
    }
    return NULL;
}

bool mgl_has_curve(const json_t *document)
{
    return json_array_size(first_curve(document)) > 0;
}

/* The points across: k, in equal steps of its logarithm. */
typedef struct axis {
    double k[MOST_POINTS], places[MOST_POINTS];
    char texts[MOST_POINTS][MGL_NUMBER_SIZE];
    const char *labels[MOST_POINTS];
    size_t n;
} axis;

static void make_axis(axis *x, const json_t *curve)
{
    size_t n = json_array_size(curve);
    x->n = n < MOST_POINTS ? n : MOST_POINTS;
    double low = INFINITY, high = 0;
    for (size_t i = 0; i < x->n; i++) {
        x->k[i] = fmax(1, (double)mgl_json_whole(json_array_get(curve, i), "k"));
        low = fmin(low, x->k[i]);
        high = fmax(high, x->k[i]);
        snprintf(x->texts[i], MGL_NUMBER_SIZE, "%.0f", x->k[i]);
        x->labels[i] = x->texts[i];
    }
    for (size_t i = 0; i < x->n; i++)
        x->places[i] = high > low ? log(x->k[i] / low) / log(high / low) : 0.5;
}

static void take_values(const json_t *curve, const axis *x, const char *object, const char *key,
                        double *values)
{
    for (size_t i = 0; i < x->n; i++)
        values[i] = mgl_json_number(json_object_get(json_array_get(curve, i), object), key);
}

/* How many steps an axis of so many tenths has, each of one, two or five units. */
static unsigned ticks_of(unsigned tenths)
{
    return tenths == 1 ? 5 : tenths == 2 ? 4 : tenths <= 7 ? tenths : 5;
}

/* Shares are shown from a whole tenth to another, other measures from 0. */
static void fit(mgl_line_chart *plot)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t l = 0; l < plot->n_lines; l++)
        for (size_t i = 0; i < plot->n_points; i++)
            if (isfinite(plot->lines[l].values[i])) {
                low = fmin(low, plot->lines[l].values[i]);
                high = fmax(high, plot->lines[l].values[i]);
            }
    bool none = !(low <= high), unit = none || (low >= 0 && high <= 1);
    plot->ticks = 5;
    plot->low = none ? 0 : unit ? floor(low * 10) / 10 : fmin(low, 0);
    plot->high = none ? 1 : unit ? ceil(high * 10) / 10 : high;
    if (!(plot->high > plot->low))
        plot->high = plot->low + (unit ? 0.1 : 1);
    unsigned tenths = unit ? (unsigned)(10 * (plot->high - plot->low) + 0.5) : 0;
    if (tenths > 7)
        plot->low = 0, plot->high = 1;
    if (unit)
        plot->ticks = ticks_of(tenths);
}

/* The plot has its lines and words; the axis is k. */
static void draw(mgl_html *html, const axis *x, const char *caption, mgl_line_chart plot)
{
    plot.across = "k: how many look alike at least";
    plot.labels = x->labels;
    plot.places = x->places;
    plot.n_points = x->n;
    fit(&plot);
    mgl_html_add(html, "<div>");
    mgl_html_figure(html, caption);
    mgl_svg_lines(html, &plot);
    mgl_html_figure_end(html);
    mgl_html_add(html, "</div>\n");
}

static void curve_table(mgl_html *html, const json_t *curve, const char *measure, const char *words)
{
    const char *headings[] = {"k", words, "best possible", "mean risk", "classes", "suppressed"};
    mgl_html_numbers(html, NULL);
    mgl_html_table_of(html, headings, 6);
    for (size_t i = 0; i < json_array_size(curve) && i < MOST_POINTS; i++) {
        const json_t *point = json_array_get(curve, i);
        const char *error = mgl_json_text(point, "error");
        mgl_html_row(html, mgl_whole_words(&html->numbers, point, "k"));
        if (error != NULL) {
            mgl_html_add(html, "<td class=\"left\" colspan=\"5\">");
            mgl_html_message(html, error);
            mgl_html_add(html, "</td>");
        } else {
            mgl_html_cell(html, mgl_real_words(&html->numbers, value_of(point, measure)));
            mgl_html_cells(html, point,
                           "{bound.best_possible:~}|{risk.prosecutor_mean:%}|{classes.count:,}|"
                           "{suppressed_rows:,}");
        }
        mgl_html_row_end(html);
    }
    mgl_html_numbers_end(html);
}

static void show_one(mgl_html *html, const json_t *document)
{
    const json_t *curve = first_curve(document);
    const char *measure = mgl_measure_of(html->measures, document);
    double values[MOST_POINTS], best[MOST_POINTS], risk[MOST_POINTS];
    char words[MGL_NUMBER_SIZE], caption[160];
    axis x;
    make_axis(&x, curve);
    take_values(curve, &x, "utility", measure, values);
    take_values(curve, &x, "bound", "best_possible", best);
    take_values(curve, &x, "risk", "prosecutor_mean", risk);
    bool bounded = false;
    for (size_t i = 0; i < x.n; i++)
        bounded = bounded || isfinite(best[i]);
    mgl_measure_words(measure, words);
    mgl_line utility[] = {{.name = words, .values = values, .colour = 1},
                          {.name = "best possible", .values = best, .dashed = true, .colour = 5}};
    mgl_line mean[] = {{.name = "mean risk", .values = risk, .colour = 0}};
    snprintf(caption, sizeof caption, "What is kept (%s%s):", words,
             mgl_is_gain(html->measures, measure) ? "; more is better" : "");
    mgl_html_add(html,
                 "<p>The same method on the same table, for other k. A larger k hides persons "
                 "better and keeps less.</p>\n<div class=\"pair\">\n");
    const char *points = "One point for each k; the table below has the numbers.";
    draw(html, &x, caption,
         (mgl_line_chart){.title = "Utility by k",
                          .description = points,
                          .lines = utility,
                          .n_lines = bounded ? 2 : 1});
    draw(html, &x, "The mean risk of being picked out:",
         (mgl_line_chart){.title = "Mean risk by k",
                          .description = points,
                          .lines = mean,
                          .n_lines = 1,
                          .shares = true});
    mgl_html_add(html, "</div>\n");
    curve_table(html, curve, measure, words);
}

static void show_several(mgl_html *html, const json_t *list)
{
    const char *measure = mgl_measure_of(html->measures, list);
    double values[MOST_CURVES][MOST_POINTS];
    mgl_line lines[MOST_CURVES];
    size_t n = 0;
    char words[MGL_NUMBER_SIZE];
    axis x;
    make_axis(&x, first_curve(list));
    for (size_t i = 0; i < json_array_size(list) && n < MOST_CURVES; i++) {
        const json_t *result = json_array_get(list, i), *curve = json_object_get(result, "curve");
        const char *method = mgl_json_text(result, "method");
        if (json_array_size(curve) < x.n)
            continue;
        take_values(curve, &x, "utility", measure, values[n]);
        lines[n] = (mgl_line){.name = method != NULL ? method : "?",
                              .values = values[n],
                              .dashed = n >= COLOURS,
                              .colour = (unsigned)(n + 1) % COLOURS};
        n++;
    }
    mgl_measure_words(measure, words);
    draw(html, &x, words,
         (mgl_line_chart){.title = "Utility by k and method",
                          .description = "One line per method; the table below has the numbers.",
                          .lines = lines,
                          .n_lines = n});
    const char *headings[MOST_POINTS + 1] = {"k"};
    for (size_t i = 0; i < x.n; i++)
        headings[i + 1] = x.labels[i];
    mgl_html_numbers(html, NULL);
    mgl_html_table_of(html, headings, x.n + 1);
    for (size_t l = 0; l < n; l++) {
        mgl_html_row(html, lines[l].name);
        for (size_t i = 0; i < x.n; i++)
            mgl_html_cell(html, mgl_real_words(&html->numbers, values[l][i]));
        mgl_html_row_end(html);
    }
    mgl_html_numbers_end(html);
}

void mgl_html_curve(mgl_html *html, const json_t *document)
{
    if (json_is_array(document))
        show_several(html, document);
    else
        show_one(html, document);
}

static void show_numbers(mgl_html *html, const json_t *object, const char *headings)
{
    const char *key;
    json_t *value;
    char words[MGL_NUMBER_SIZE];
    mgl_html_table(html, headings);
    json_object_foreach((json_t *)object, key, value)
    {
        bool count = json_is_integer(value) && json_integer_value(value) >= 0;
        if (json_is_number(value))
            mgl_html_line(html, mgl_measure_words(key, words), value, count ? "{:,}" : "{:~}");
    }
    mgl_html_table_end(html);
}

void mgl_html_measures(mgl_html *html, const json_t *document)
{
    const char *measure = mgl_json_text(document, "measure");
    const json_t *aggregation = json_object_get(document, "microaggregation");
    char words[MGL_NUMBER_SIZE];
    if (measure != NULL) {
        mgl_html_add(html, "<p>The job asked to keep <strong>");
        mgl_html_text(html, mgl_measure_words(measure, words));
        mgl_html_add(html,
                     "</strong> as well as possible. <code>mingle help measures</code> explains "
                     "what each measure is.</p>\n");
    }
    mgl_html_add(html, "<div class=\"pair\">\n<div>");
    show_numbers(html, json_object_get(document, "utility"), "measure|value");
    mgl_html_add(html, "</div>\n<div>");
    if (json_is_object(aggregation))
        show_numbers(html, aggregation, "averages|value");
    if (json_is_object(json_object_get(document, "seconds")))
        show_numbers(html, json_object_get(document, "seconds"), "step|seconds");
    mgl_html_add(html, "</div>\n</div>\n");
}
