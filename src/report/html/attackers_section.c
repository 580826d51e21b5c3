/* Writes what `risk`, `attack` and `check` found out about a table as it is. A section of the page
 * in whole_page.c. */
#include "report/html/sections.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- risk --------------------------------------------------------------------------------------
 */

bool mgl_has_attackers(const json_t *document)
{
    return json_is_object(json_object_get(document, "prosecutor"));
}

static void attacker_row(mgl_html *html, const char *name, const json_t *risk)
{
    static const char *const keys[] = {"max", "mean", "share_above"};
    char text[MGL_NUMBER_SIZE];
    mgl_html_row(html, name);
    for (size_t i = 0; i < 3; i++)
        mgl_html_cell(html, mgl_share(mgl_json_number(risk, keys[i]), text));
    mgl_html_row_end(html);
}

/* By sampling weights. */
static void show_expected(mgl_html *html, const json_t *individual)
{
    double expected = mgl_json_number(individual, "expected_reidentifications"),
           household = mgl_json_number(individual, "household_expected_reidentifications");
    char text[MGL_NUMBER_SIZE];
    if (!isfinite(expected))
        return;
    mgl_html_add(html, "<p>By the sampling weights, %s persons are expected to be found",
                 mgl_page_real(expected, text));
    if (isfinite(household))
        mgl_html_add(html, ", %s with their households", mgl_page_real(household, text));
    mgl_html_add(html, ".</p>\n");
}

static void show_population(mgl_html *html, const json_t *uniques)
{
    const char *chosen = mgl_json_text(uniques, "chosen");
    char text[MGL_NUMBER_SIZE];
    if (chosen == NULL)
        return;
    mgl_html_add(html, "<p>About %s persons look like nobody else in the population (by the model ",
                 mgl_page_real(mgl_json_number(uniques, chosen), text));
    mgl_html_name(html, chosen);
    mgl_html_add(html, ").</p>\n");
}

void mgl_html_attackers(mgl_html *html, const json_t *document)
{
    static const char *const headings[] = {"intruder", "highest risk", "mean risk",
                                           "rows in danger"};
    char text[MGL_NUMBER_SIZE];
    mgl_html_add(
        html,
        "<p>The prosecutor knows that a person is in the table, the journalist does not, "
        "the marketer wants as many persons as possible. A row is in danger if its risk is "
        "above %s.</p>\n",
        mgl_share(mgl_json_number(document, "threshold"), text));
    mgl_html_table(html, headings, 4);
    attacker_row(html, "prosecutor", json_object_get(document, "prosecutor"));
    attacker_row(html, "journalist", json_object_get(document, "journalist"));
    attacker_row(html, "marketer", json_object_get(document, "marketer"));
    mgl_html_table_end(html);
    show_expected(html, json_object_get(document, "individual"));
    show_population(html, json_object_get(document, "population_uniques"));
}

/* ---- attack ------------------------------------------------------------------------------------
 */

enum { MOST_BARS = 24 };

bool mgl_has_attack(const json_t *document)
{
    return json_is_object(json_object_get(document, "matched"));
}

static void show_nearest(mgl_html *html, const json_t *nearest)
{
    const json_t *rows = json_object_get(nearest, "rows");
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE], c[MGL_NUMBER_SIZE];
    if (!json_is_object(nearest))
        return;
    mgl_html_add(html,
                 "<h3>The nearest rows</h3>\n<p>Averages match nobody exactly. The rows whose "
                 "numbers are nearest to a person are %s to %s, %.1f on average; %s have a single "
                 "one. ",
                 mgl_page_count(mgl_json_whole(rows, "min"), a),
                 mgl_page_count(mgl_json_whole(rows, "max"), b), mgl_json_number(rows, "mean"),
                 mgl_counted(mgl_json_whole(nearest, "unique_matches"), "person", "persons", c));
    mgl_html_add(html,
                 "They are the class that a person is in for %s at most, and for %s this is "
                 "certain.</p>\n",
                 mgl_counted(mgl_json_whole(nearest, "right_at_most"), "person", "persons", a),
                 mgl_page_count(mgl_json_whole(nearest, "right_for_certain"), b));
}

/* Only numbers: whose values are learnt stands in the result, not on a page. */
void mgl_html_attack(mgl_html *html, const json_t *document)
{
    mgl_bar bars[MOST_BARS];
    size_t n = 0;
    const char *rows, *column;
    json_t *persons;
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    mgl_html_add(html, "<p>%s of %s match a single row of the release.</p>\n",
                 mgl_page_count(mgl_json_whole(document, "unique_matches"), a),
                 mgl_counted(mgl_json_whole(document, "persons"), "person", "persons", b));
    json_object_foreach(json_object_get(document, "matched"), rows, persons)
    {
        if (n < MOST_BARS)
            bars[n++] = (mgl_bar){.label = rows, .values = {json_number_value(persons)}};
    }
    mgl_html_figure(html, "Persons by the number of rows that they could be:");
    mgl_html_add(html, "<div class=\"one\">\n");
    mgl_svg_bars(html, &(mgl_bars){.title = "Persons by matching rows",
                                   .description = "One bar for each number of matching rows.",
                                   .series = {"persons"},
                                   .n_series = 1,
                                   .bars = bars,
                                   .n = n});
    mgl_html_add(html, "</div>\n");
    static const char *const headings[] = {"matching rows", "persons"};
    mgl_html_details(html);
    mgl_html_table(html, headings, 2);
    for (size_t i = 0; i < n; i++) {
        mgl_html_row(html, bars[i].label);
        mgl_html_cell(html, mgl_page_count((uint64_t)bars[i].values[0], a));
        mgl_html_row_end(html);
    }
    mgl_html_table_end(html);
    mgl_html_details_end(html);
    mgl_html_figure_end(html);
    json_object_foreach(json_object_get(document, "disclosed"), column, persons)
    {
        mgl_html_add(html, "<p>The value of ");
        mgl_html_name(html, column);
        mgl_html_add(html, " is learnt for %s.</p>\n",
                     mgl_counted((uint64_t)json_integer_value(persons), "person", "persons", a));
    }
    show_nearest(html, json_object_get(document, "nearest"));
}

/* ---- check -------------------------------------------------------------------------------------
 */

bool mgl_has_strongest(const json_t *document)
{
    return json_object_size(json_object_get(document, "attributes")) > 0;
}

void mgl_html_strongest(mgl_html *html, const json_t *document)
{
    static const char *const headings[] = {"parameter", "strongest"};
    const char *column, *key;
    json_t *attribute, *value;
    char words[MGL_NUMBER_SIZE], text[MGL_NUMBER_SIZE];
    mgl_html_add(html, "<p>For each sensitive column, the strongest parameter each model holds "
                       "with.</p>\n<div class=\"pair\">\n");
    json_object_foreach(json_object_get(document, "attributes"), column, attribute)
    {
        mgl_html_add(html, "<div><h3>");
        mgl_html_name(html, column);
        mgl_html_add(html, "</h3>\n");
        mgl_html_table(html, headings, 2);
        json_object_foreach(attribute, key, value)
        {
            if (!json_is_number(value))
                continue;
            mgl_html_row(html, mgl_measure_words(key, words));
            snprintf(text, sizeof text, "%.4g", json_number_value(value));
            mgl_html_cell(html, text);
            mgl_html_row_end(html);
        }
        mgl_html_table_end(html);
        mgl_html_add(html, "</div>\n");
    }
    mgl_html_add(html, "</div>\n");
}
