/* Writes what was promised, measured and found. A section of the page in whole_page.c. */
#include "report/html/sections.h"

#include <math.h>
#include <stdio.h>

bool mgl_has_promises(const json_t *document)
{
    return json_array_size(json_object_get(document, "models")) > 0;
}

static void show_model(mgl_html *html, const json_t *model)
{
    bool holds = json_is_true(json_object_get(model, "holds"));
    const json_t *measured = json_object_get(model, "measured");
    char text[MGL_NUMBER_SIZE] = "-";
    mgl_html_add(html, "<tr><th scope=\"row\">");
    mgl_html_model(html, model);
    mgl_html_add(html, "</th><td class=\"%s\">%s</td>", holds ? "good" : "bad",
                 holds ? "\xe2\x9c\x93 holds" : "\xe2\x9c\x97 does not hold");
    if (json_is_number(measured))
        snprintf(text, sizeof text, "%g", json_number_value(measured));
    mgl_html_cell(html, text);
    mgl_html_count(html, mgl_json_whole(model, "violating_rows"));
    mgl_html_count(html, mgl_json_whole(model, "violating_classes"));
    mgl_html_row_end(html);
}

/* Is the release what its result says? */
static void show_against(mgl_html *html, const json_t *against)
{
    const json_t *differences = json_object_get(against, "differences");
    const char *signature = mgl_json_text(against, "signature");
    bool agrees = json_is_true(json_object_get(against, "agrees"));
    if (!json_is_object(against))
        return;
    mgl_html_add(html, "<p class=\"%s\">The file %s what its result claims.",
                 agrees ? "good" : "bad", agrees ? "agrees with" : "does not agree with");
    if (signature != NULL) {
        mgl_html_add(html, " Signature: ");
        mgl_html_text(html, signature);
        mgl_html_add(html, ".");
    }
    mgl_html_add(html, "</p>\n");
    if (json_array_size(differences) > 0)
        mgl_html_add(html, "<ul>\n");
    for (size_t i = 0; i < json_array_size(differences); i++) {
        const char *what = mgl_json_text(json_array_get(differences, i), "what");
        mgl_html_add(html, "<li>");
        mgl_html_text(html, what != NULL ? what : "?");
        mgl_html_add(html, "</li>\n");
    }
    if (json_array_size(differences) > 0)
        mgl_html_add(html, "</ul>\n");
}

/* What somebody learns who has earlier releases of the same persons, too. */
static void show_history(mgl_html *html, const json_t *history)
{
    const json_t *classes = json_object_get(history, "classes");
    uint64_t broken = mgl_json_whole(history, "violating_rows");
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    if (!json_is_object(history))
        return;
    mgl_html_add(html, "<p class=\"%s\">Together with %s the smallest class has %s; %s.</p>\n",
                 broken > 0 ? "bad" : "good",
                 mgl_counted(json_array_size(json_object_get(history, "releases")),
                             "earlier release", "earlier releases", a),
                 mgl_counted(mgl_json_whole(classes, "min"), "row", "rows", b),
                 broken > 0 ? "promises do not hold then" : "every promise holds then, too");
}

void mgl_html_promises(mgl_html *html, const json_t *document)
{
    const json_t *models = json_object_get(document, "models");
    static const char *const headings[] = {"model", "", "measured", "rows that break it",
                                           "classes that break it"};
    mgl_html_add(html, "<p>Measured is the strongest parameter with which the model holds.</p>\n");
    mgl_html_table(html, headings, 5);
    for (size_t i = 0; i < json_array_size(models); i++)
        show_model(html, json_array_get(models, i));
    mgl_html_table_end(html);
    show_history(html, json_object_get(document, "history"));
    show_against(html, json_object_get(document, "against"));
}
