/* Writes which combinations of values were unsafe before cells were suppressed, and which are in
 * the release. A section of the page in whole_page.c. */
#include "report/html/sections.h"

static const json_t *state_of(const json_t *document, const char *when)
{
    return json_object_get(json_object_get(document, "unsafe_combinations"), when);
}

bool mgl_has_combinations(const json_t *document)
{
    return json_is_object(state_of(document, "before"));
}

/* "race, birth". */
static void write_columns(const json_t *columns, mgl_buffer *out)
{
    out->size = 0;
    for (size_t i = 0; i < json_array_size(columns); i++) {
        const char *name = json_string_value(json_array_get(columns, i));
        mgl_buffer_format(out, "%s%s", i > 0 ? ", " : "", name != NULL ? name : "?");
    }
    mgl_buffer_append(out, "", 1);
}

/* What the list says of the same columns; NULL: nothing. */
static const json_t *find_same(const json_t *list, const json_t *columns)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_object_get(json_array_get(list, i), "columns"), columns))
            return json_array_get(list, i);
    return NULL;
}

static void combination_row(mgl_html *html, const json_t *columns, const json_t *before,
                            const json_t *after)
{
    mgl_buffer text = {0};
    write_columns(columns, &text);
    mgl_html_row(html, text.failed ? NULL : text.data);
    mgl_html_count(html, mgl_json_whole(before, "values"));
    mgl_html_count(html, mgl_json_whole(before, "rows"));
    mgl_html_count(html, mgl_json_whole(after, "values"));
    mgl_html_count(html, mgl_json_whole(after, "rows"));
    mgl_html_row_end(html);
    mgl_buffer_free(&text);
}

/* Those that were unsafe before, then those that only became so: what one row loses, others no
 * longer have in common with it. */
static void combinations_table(mgl_html *html, const json_t *before, const json_t *after)
{
    static const char *const headings[] = {"columns", "unsafe before", "rows",
                                           "unsafe in the release", "rows"};
    mgl_html_table(html, headings, 5);
    for (size_t i = 0; i < json_array_size(before); i++) {
        const json_t *one = json_array_get(before, i), *columns = json_object_get(one, "columns");
        combination_row(html, columns, one, find_same(after, columns));
    }
    for (size_t i = 0; i < json_array_size(after); i++) {
        const json_t *one = json_array_get(after, i), *columns = json_object_get(one, "columns");
        if (find_same(before, columns) == NULL)
            combination_row(html, columns, NULL, one);
    }
    mgl_html_table_end(html);
}

static void tuple_row(mgl_html *html, const json_t *tuple)
{
    const json_t *outliers = json_object_get(tuple, "outliers");
    mgl_buffer text = {0};
    char number[MGL_NUMBER_SIZE];
    mgl_page_count(mgl_json_whole(tuple, "rows"), number);
    mgl_html_row(html, number);
    mgl_html_count(html, json_array_size(outliers) + mgl_json_whole(tuple, "outliers_left_out"));
    mgl_html_add(html, "<td class=\"left\">");
    for (size_t i = 0; i < json_array_size(outliers); i++) {
        write_columns(json_array_get(outliers, i), &text);
        mgl_html_add(html, "%s{", i > 0 ? " " : "");
        mgl_html_text(html, text.failed ? "" : text.data);
        mgl_html_add(html, "}");
    }
    mgl_html_add(html, "</td>");
    write_columns(json_object_get(tuple, "suppressed"), &text);
    mgl_html_cell(html, text.failed ? "" : text.data);
    mgl_html_row_end(html);
    mgl_buffer_free(&text);
}

static void tuples_table(mgl_html *html, const json_t *tuples)
{
    static const char *const headings[] = {"rows", "outliers", "on these columns",
                                           "suppressed cells"};
    mgl_html_details(html);
    mgl_html_table(html, headings, 4);
    for (size_t i = 0; i < json_array_size(tuples); i++)
        tuple_row(html, json_array_get(tuples, i));
    mgl_html_table_end(html);
    mgl_html_details_end(html);
}

void mgl_html_combinations(mgl_html *html, const json_t *document)
{
    const json_t *before = state_of(document, "before"), *after = state_of(document, "after");
    char a[MGL_NUMBER_SIZE], b[MGL_NUMBER_SIZE];
    mgl_html_add(html, "<p>Before cells were suppressed, %s of values in ",
                 mgl_counted(mgl_json_whole(before, "values"), "combination", "combinations", a));
    mgl_html_add(html, "%s were shared by fewer than k %s",
                 mgl_counted(mgl_json_whole(before, "rows"), "row", "rows", a),
                 mgl_members(document));
    if (json_is_object(after))
        mgl_html_add(html, "; in the release it is %s in %s",
                     mgl_counted(mgl_json_whole(after, "values"), "combination", "combinations", a),
                     mgl_counted(mgl_json_whole(after, "rows"), "row", "rows", b));
    mgl_html_add(html, ". A column that is in many of them is the one to generalize "
                       "(<code>generalize</code>).</p>\n");
    const json_t *list = json_object_get(before, "combinations"),
                 *left = json_object_get(after, "combinations");
    if (json_array_size(list) + json_array_size(left) > 0)
        combinations_table(html, list, left);
    if (json_array_size(json_object_get(before, "tuples")) > 0)
        tuples_table(html, json_object_get(before, "tuples"));
    uint64_t more = mgl_json_whole(before, "combinations_left_out") +
                    mgl_json_whole(after, "combinations_left_out");
    if (more > 0)
        mgl_html_add(html, "<p>%s with fewer rows %s not listed.</p>\n",
                     mgl_counted(more, "combination", "combinations", a), more == 1 ? "is" : "are");
}
