/* Writes what was promised and what holds, how the rows met a saved recoding, and each stratum on
 * its own. */
#include "report/html/sections.h"

static void show_model(mgl_html *html, const json_t *model)
{
    bool holds = json_is_true(json_object_get(model, "holds"));
    mgl_html_add(html, "<tr><th scope=\"row\">");
    mgl_html_model(html, model);
    mgl_html_add(html, "</th><td class=\"%s\">%s</td>", holds ? "good" : "bad",
                 holds ? "\xe2\x9c\x93 holds" : "\xe2\x9c\x97 does not hold");
    mgl_html_cells(html, model,
                   mgl_json_is_number(model, "measured")
                       ? "{measured:g}|{violating_rows:,}|{violating_classes:,}"
                       : "-|{violating_rows:,}|{violating_classes:,}");
    mgl_html_row_end(html);
}

/* How the release compares with the claims of its result. */
static void show_against(mgl_html *html, const json_t *against)
{
    const json_t *differences = json_object_get(against, "differences");
    bool agrees = json_is_true(json_object_get(against, "agrees"));
    if (!json_is_object(against))
        return;
    mgl_html_add(html, "<p class=\"%s\">The file %s what its result claims.",
                 agrees ? "good" : "bad", agrees ? "agrees with" : "does not agree with");
    mgl_html_fill(html, against, "[ Signature: {signature}.]</p>\n");
    if (json_array_size(differences) == 0)
        return;
    mgl_html_add(html, "<ul>\n");
    mgl_html_each(html, differences, "<li>{what}</li>\n");
    mgl_html_add(html, "</ul>\n");
}

/* The promises against a reader who has earlier releases of the same people, too. */
static void show_history(mgl_html *html, const json_t *history)
{
    const json_t *classes = json_object_get(history, "classes");
    uint64_t broken = mgl_json_whole(history, "violating_rows");
    if (!json_is_object(history))
        return;
    mgl_html_add(html, "<p class=\"%s\">Together with %s the smallest class has %s; %s.</p>\n",
                 broken > 0 ? "bad" : "good",
                 mgl_many_words(&html->numbers,
                                json_array_size(json_object_get(history, "releases")),
                                "earlier release", "earlier releases"),
                 mgl_many_words(&html->numbers, mgl_json_whole(classes, "min"), "row", "rows"),
                 broken > 0 ? "promises do not hold then" : "every promise holds then, too");
}

void mgl_html_promises(mgl_html *html, const json_t *document)
{
    const json_t *models = json_object_get(document, "models");
    mgl_html_add(html, "<p>Measured is the strongest parameter with which the model holds.</p>\n");
    mgl_html_table(html, "model||measured|rows that break it|classes that break it");
    for (size_t i = 0; i < json_array_size(models); i++)
        show_model(html, json_array_get(models, i));
    mgl_html_table_end(html);
    show_history(html, json_object_get(document, "history"));
    show_against(html, json_object_get(document, "against"));
}

void mgl_html_rule(mgl_html *html, const json_t *document)
{
    const json_t *applied = json_object_get(document, "applied");
    bool levels = json_is_object(json_object_get(document, "node"));
    mgl_html_add(html,
                 "<p>The rows were released as a recoding says that was made for others%s."
                 "</p>\n<div class=\"lefts\">\n",
                 json_is_true(json_object_get(document, "counted"))
                     ? ", among which these were counted"
                     : "");
    mgl_html_table(html, "rows by their values|rows|released as");
    mgl_html_line(html, "the recoding has them", applied,
                  levels ? "{recorded_rows:,}|the levels of the columns say"
                         : "{recorded_rows:,}|recorded");
    mgl_html_line(html, "new, alone or together", applied,
                  levels ? "{new_rows:,}|the levels of the columns say"
                         : "{new_rows:,}|recorded tuples that cover them");
    mgl_html_line(html, "covered by no recorded tuple", applied, "{uncovered_rows:,}|suppressed");
    mgl_html_line(html, "without a place in a hierarchy", applied, "{unplaced_rows:,}|suppressed");
    mgl_html_table_end(html);
    mgl_html_add(html, "</div>\n");
    uint64_t treated = mgl_json_whole(applied, "treated_rows");
    if (treated > 0)
        mgl_html_add(
            html, "<p>Of all these, %s broke a promise so, and %s suppressed as well.</p>\n",
            mgl_many_words(&html->numbers, treated, "row", "rows"), treated == 1 ? "was" : "were");
}

void mgl_html_with(mgl_html *html, const json_t *document)
{
    const json_t *with = json_object_get(document, "with");
    if (mgl_json_text(with, "release") != NULL)
        mgl_html_fill(html, with,
                      "<p>What is promised holds for these rows together with the "
                      "{rows:,|row|rows} of {release:name}, which were released before; not for "
                      "these rows alone.</p>");
}

enum { MOST_ROWS = 500 };

/* "age 2, zip 1". */
static void write_levels(const json_t *node, mgl_buffer *out)
{
    const char *column;
    json_t *level;
    out->size = 0;
    json_object_foreach((json_t *)node, column, level)
    {
        mgl_buffer_format(out, "%s%.200s %lld", out->size > 0 ? ", " : "", column,
                          (long long)json_integer_value(level));
    }
    mgl_buffer_append(out, "", 1);
}

static void stratum_row(mgl_html *html, const json_t *stratum, bool levels)
{
    mgl_buffer text = {0};
    mgl_stratum_words(json_object_get(stratum, "by"), &text);
    mgl_buffer_append(&text, "", 1);
    mgl_html_row(html, text.failed ? NULL : text.data);
    mgl_html_cells(html, stratum,
                   "{rows:,}|{suppressed_rows:,}|{classes:,}|{smallest_class:,}|{value:~}");
    if (levels) {
        write_levels(json_object_get(stratum, "node"), &text);
        mgl_html_cell(html, text.failed ? "" : text.data);
    }
    mgl_html_row_end(html);
    html->out.failed = html->out.failed || text.failed;
    mgl_buffer_free(&text);
}

void mgl_html_strata(mgl_html *html, const json_t *document)
{
    const json_t *list = json_object_get(document, "strata");
    const char *measure = mgl_json_text(document, "measure");
    size_t n = json_array_size(list);
    bool levels = mgl_is_uniform(document);
    char words[MGL_NUMBER_SIZE] = "measure";
    if (measure != NULL)
        mgl_measure_words(measure, words);
    mgl_html_add(html, "<p>%s by ", mgl_many_words(&html->numbers, n, "stratum", "strata"));
    mgl_html_fill(html, document, "{by:names}");
    mgl_html_add(html,
                 ": the rows of each were searched and judged as if there were no others. "
                 "These columns are released as they are, and every %s hides among those of "
                 "the same stratum.</p>\n",
                 strcmp(mgl_members(document), "persons") == 0 ? "person" : "row");
    const char *headings[] = {"stratum",        "rows", "suppressed", "classes",
                              "smallest class", words,  "levels"};
    mgl_html_table_of(html, headings, levels ? 7 : 6);
    for (size_t i = 0; i < n && i < MOST_ROWS; i++)
        stratum_row(html, json_array_get(list, i), levels);
    mgl_html_table_end(html);
    if (n > MOST_ROWS)
        mgl_html_add(html, "<p>The result lists %s more.</p>\n",
                     mgl_count_words(&html->numbers, n - MOST_ROWS));
}
