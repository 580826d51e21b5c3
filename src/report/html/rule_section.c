/* Writes what a saved recoding said of the rows that it was applied to. A section of the page in
 * whole_page.c. */
#include "report/html/sections.h"

bool mgl_has_rule(const json_t *document)
{
    return json_is_object(json_object_get(document, "applied"));
}

static void rule_row(mgl_html *html, const char *what, uint64_t rows, const char *became)
{
    mgl_html_row(html, what);
    mgl_html_count(html, rows);
    mgl_html_cell(html, became);
    mgl_html_row_end(html);
}

void mgl_html_rule(mgl_html *html, const json_t *document)
{
    static const char *const headings[] = {"rows by their values", "rows", "released as"};
    const json_t *applied = json_object_get(document, "applied");
    bool levels = json_is_object(json_object_get(document, "node"));
    const char *top = "suppressed";
    char a[MGL_NUMBER_SIZE];
    mgl_html_add(html,
                 "<p>The rows were released as a recoding says that was made for others%s."
                 "</p>\n<div class=\"lefts\">\n",
                 json_is_true(json_object_get(document, "counted"))
                     ? ", among which these were counted"
                     : "");
    mgl_html_table(html, headings, 3);
    rule_row(html, "the recoding has them", mgl_json_whole(applied, "recorded_rows"),
             levels ? "the levels of the columns say" : "recorded");
    rule_row(html, "new, alone or together", mgl_json_whole(applied, "new_rows"),
             levels ? "the levels of the columns say" : "recorded tuples that cover them");
    rule_row(html, "covered by no recorded tuple", mgl_json_whole(applied, "uncovered_rows"), top);
    rule_row(html, "without a place in a hierarchy", mgl_json_whole(applied, "unplaced_rows"), top);
    mgl_html_table_end(html);
    mgl_html_add(html, "</div>\n");
    uint64_t treated = mgl_json_whole(applied, "treated_rows");
    if (treated > 0)
        mgl_html_add(html,
                     "<p>Of all these, %s broke a promise so, and %s suppressed as well.</p>\n",
                     mgl_counted(treated, "row", "rows", a), treated == 1 ? "was" : "were");
}

void mgl_html_tell_with(mgl_html *html, const json_t *document)
{
    const json_t *with = json_object_get(document, "with");
    const char *release = mgl_json_text(with, "release");
    char a[MGL_NUMBER_SIZE];
    if (release == NULL)
        return;
    mgl_html_add(html, "<p>What is promised holds for these rows together with the %s of ",
                 mgl_counted(mgl_json_whole(with, "rows"), "row", "rows", a));
    mgl_html_name(html, release);
    mgl_html_add(html, ", which were released before; not for these rows alone.</p>");
}
