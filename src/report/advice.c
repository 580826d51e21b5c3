/* What `risk --advise` proposes. */
#include "report/terminal.h"

void mgl_terminal_advice(mgl_page *page, const json_t *document)
{
    const json_t *advice = json_object_get(document, "advice");
    size_t width = 0;
    for (size_t i = 0; i < json_array_size(advice); i++) {
        const char *column =
            json_string_value(json_object_get(json_array_get(advice, i), "column"));
        size_t size = column != NULL ? strlen(column) : 0;
        width = size > width ? size : width;
    }
    width = width > 30 ? 30 : width;
    for (size_t i = 0; i < json_array_size(advice); i++) {
        const json_t *one = json_array_get(advice, i);
        const char *column = json_string_value(json_object_get(one, "column"));
        const char *role = json_string_value(json_object_get(one, "role"));
        const char *reason = json_string_value(json_object_get(one, "reason"));
        const char *hierarchy = json_string_value(json_object_get(one, "hierarchy"));
        mgl_page_add(page, "%-*.200s  %-11s  %s", (int)width, column != NULL ? column : "?",
                     role != NULL ? role : "?", reason != NULL ? reason : "");
        mgl_page_end(page);
        if (hierarchy != NULL) {
            mgl_page_add(page, "%-*s  %-11s  hierarchy %.200s", (int)width, "", "", hierarchy);
            mgl_page_end(page);
        }
    }
}
