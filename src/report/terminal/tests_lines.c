/* Lines of a gate, one for each test: does it pass? terminal.c calls it. */
#include "report/terminal/terminal.h"

void mgl_terminal_tests(mgl_page *page, const json_t *tests)
{
    for (size_t i = 0; i < json_array_size(tests); i++) {
        const json_t *test = json_array_get(tests, i);
        bool holds = json_is_true(json_object_get(test, "holds"));
        const char *name = mgl_json_text(test, "test"), *found = mgl_json_text(test, "found");
        mgl_page_ink(page, holds ? MGL_INK_GOOD : MGL_INK_BAD, holds ? "pass" : "FAIL");
        mgl_page_add(page, "  %.400s%s", name != NULL ? name : "?",
                     found != NULL && found[0] != '\0' ? ": " : "");
        mgl_page_text(page, found != NULL ? found : "");
        mgl_page_end(page);
    }
}
