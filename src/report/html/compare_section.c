/* Writes a comparison of methods. A section of the page in whole_page.c. */
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
    bool all = json_object_get(result, "error") == NULL;
    for (size_t i = 0; i < json_array_size(models); i++)
        all = all && json_is_true(json_object_get(json_array_get(models, i), "holds"));
    return all;
}

/* ---- Summary ----------------------------------------------------------------------------------
 */

void mgl_html_compare_summary(mgl_html *html, const json_t *list)
{
    const char *measure = mgl_measure_of(html->measures, list), *name = NULL;
    size_t n = json_array_size(list), n_holding = 0;
    double best = NAN;
    char words[MGL_NUMBER_SIZE], a[MGL_NUMBER_SIZE];
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
                 mgl_counted(n, "method", "methods", a), n_holding);
    if (name != NULL) {
        mgl_html_add(html, " By ");
        mgl_html_text(html, mgl_measure_words(measure, words));
        mgl_html_add(html, " the best of them is <strong>");
        mgl_html_text(html, name);
        mgl_html_add(html, "</strong>, with %s.", mgl_page_real(best, a));
    }
    mgl_html_add(html, " Nothing was released.</p>\n");
}

/* ---- Table and bars ---------------------------------------------------------------------------
 */

static void compare_row(mgl_html *html, const json_t *result, const char *measure)
{
    const char *method = mgl_json_text(result, "method"), *error = mgl_json_text(result, "error");
    const json_t *classes = json_object_get(result, "classes"),
                 *utility = json_object_get(result, "utility"),
                 *risk = json_object_get(result, "risk");
    char a[MGL_NUMBER_SIZE];
    mgl_html_row(html, method != NULL ? method : "?");
    if (error != NULL) {
        mgl_html_add(html, "<td class=\"left\" colspan=\"8\">");
        mgl_html_message(html, error);
        mgl_html_add(html, "</td>");
        mgl_html_row_end(html);
        return;
    }
    mgl_html_add(html, "<td class=\"%s\">%s</td>", holds(result) ? "good" : "bad",
                 holds(result) ? "\xe2\x9c\x93 all" : "\xe2\x9c\x97 not all");
    mgl_html_cell(html, mgl_page_real(value_of(result, measure), a));
    mgl_html_cell(html, mgl_page_real(mgl_json_number(utility, "loss"), a));
    mgl_html_cell(html, mgl_page_real(mgl_json_number(utility, "query_error"), a));
    mgl_html_count(html, mgl_json_whole(result, "suppressed_rows"));
    mgl_html_count(html, mgl_json_whole(classes, "count"));
    mgl_html_cell(html, mgl_share(mgl_json_number(risk, "prosecutor_mean"), a));
    snprintf(a, sizeof a, "%.2f", mgl_json_number(json_object_get(result, "seconds"), "search"));
    mgl_html_cell(html, a);
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
    mgl_html_table(html, headings, 9);
    for (size_t i = 0; i < json_array_size(list); i++)
        compare_row(html, json_array_get(list, i), measure);
    mgl_html_table_end(html);
    mgl_html_figure_end(html);
}
