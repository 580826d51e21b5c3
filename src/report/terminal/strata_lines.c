/* Lines of a summary about strata: each with its rows and classes, and what it lost. terminal.c
 * calls it. */
#include "report/terminal/terminal.h"

#include <stdio.h>

enum { MOST_LINES = 12 };

static void show_stratum(mgl_page *page, const json_t *document, const json_t *stratum)
{
    char item[512], rows[MGL_NUMBER_SIZE], number[MGL_NUMBER_SIZE];
    const json_t *node = json_object_get(stratum, "node");
    uint64_t suppressed = mgl_json_whole(stratum, "suppressed_rows");
    mgl_buffer name = {0};
    mgl_stratum_words(json_object_get(stratum, "by"), &name);
    mgl_page_label(page, "");
    snprintf(item, sizeof item, "%.*s: %s rows", (int)(name.size < 200 ? name.size : 200),
             name.failed ? "" : name.data, mgl_page_count(mgl_json_whole(stratum, "rows"), rows));
    page->text.failed = page->text.failed || name.failed;
    mgl_buffer_free(&name);
    mgl_page_item(page, item);
    if (suppressed > 0) {
        snprintf(item, sizeof item, "%s suppressed", mgl_page_count(suppressed, number));
        mgl_page_item(page, item);
    }
    snprintf(item, sizeof item, "%s classes of %llu or more",
             mgl_page_count(mgl_json_whole(stratum, "classes"), number),
             (unsigned long long)mgl_json_whole(stratum, "smallest_class"));
    mgl_page_item(page, item);
    const char *measure = mgl_json_text(document, "measure");
    if (measure != NULL && mgl_json_is_number(stratum, "value")) {
        snprintf(item, sizeof item, "%.60s %s", measure,
                 mgl_page_real(mgl_json_number(stratum, "value"), number));
        mgl_page_item(page, item);
    }
    if (json_is_object(node))
        mgl_terminal_node(page, node, NULL);
    mgl_page_end(page);
}

void mgl_terminal_strata(mgl_page *page, const json_t *document)
{
    const json_t *list = json_object_get(document, "strata"), *by = json_object_get(document, "by");
    size_t n = json_array_size(list);
    char number[MGL_NUMBER_SIZE];
    if (!json_is_array(list))
        return;
    mgl_page_label(page, "strata");
    mgl_page_add(page, "%s by ", mgl_page_count(n, number));
    for (size_t i = 0; i < json_array_size(by); i++) {
        const char *column = json_string_value(json_array_get(by, i));
        mgl_page_add(page, "%s%.100s", i > 0 ? ", " : "", column != NULL ? column : "?");
    }
    mgl_page_add(page, ", each searched and judged on its own");
    mgl_page_end(page);
    for (size_t i = 0; i < n && i < MOST_LINES; i++)
        show_stratum(page, document, json_array_get(list, i));
    if (n <= MOST_LINES)
        return;
    mgl_page_label(page, "");
    mgl_page_add(page, "... and %s more, which the result lists (`result: FILE`)",
                 mgl_page_count(n - MOST_LINES, number));
    mgl_page_end(page);
}
