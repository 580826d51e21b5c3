/* Prints the hierarchies that nobody gave: "zip: mask(right), proposed". terminal.c and the
 * comparison call it. */
#include "report/terminal/terminal.h"

#include <stdio.h>

/* The builder that was proposed for a column; NULL: none was, or none but the value or '*', which
 * every column has. */
static const char *proposed(const json_t *document, const char *column)
{
    const json_t *found = json_object_get(json_object_get(document, "hierarchies"), column);
    const char *kind = json_string_value(json_object_get(found, "hierarchy"));
    const char *builder = json_string_value(json_object_get(found, "builder"));
    bool told = kind != NULL && builder != NULL && strcmp(kind, "proposed") == 0 &&
                strcmp(builder, "suppress") != 0;
    return told ? builder : NULL;
}

/* As many in a line as it holds; semicolons, since builders have commas of their own. */
static void add_proposal(mgl_page *page, const char *column, const char *builder, bool first)
{
    char text[512];
    size_t size = (size_t)snprintf(text, sizeof text, "%.200s: %.200s, proposed", column, builder);
    bool fits = page->at + 2 + size <= MGL_PAGE_WIDTH;
    if (!first)
        mgl_page_add(page, fits ? "; " : ";");
    if (!first && !fits)
        mgl_page_end(page);
    if (first || !fits)
        mgl_page_label(page, first ? "hierarchies" : "");
    mgl_page_add(page, "%s", text);
}

/* Document i of a comparison, or the only one there is. */
static const json_t *document_at(const json_t *results, size_t i)
{
    return json_is_array(results) ? json_array_get(results, i) : i == 0 ? results : NULL;
}

static bool is_told_before(const json_t *results, size_t i, const char *column)
{
    while (i-- > 0)
        if (proposed(document_at(results, i), column) != NULL)
            return true;
    return false;
}

void mgl_terminal_proposals(mgl_page *page, const json_t *results)
{
    bool first = true;
    for (size_t i = 0; document_at(results, i) != NULL; i++) {
        const json_t *hierarchies = json_object_get(document_at(results, i), "hierarchies");
        const char *column;
        json_t *found;
        json_object_foreach((json_t *)hierarchies, column, found)
        {
            const char *builder = proposed(document_at(results, i), column);
            if (builder == NULL || is_told_before(results, i, column))
                continue;
            add_proposal(page, column, builder, first);
            first = false;
        }
    }
    if (!first)
        mgl_page_end(page);
}
