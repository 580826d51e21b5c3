/* Lines of a summary about check --against: does the release agree with its result? terminal.c
 * calls it. */
#include "report/terminal/terminal.h"

static void show_signature(mgl_page *page, const char *state)
{
    bool good = state != NULL && strcmp(state, "verified") == 0,
         bad = state != NULL && (strcmp(state, "bad") == 0 || strcmp(state, "missing") == 0);
    if (state == NULL)
        return;
    mgl_page_label(page, "signature");
    if (good || bad)
        mgl_page_ink(page, good ? MGL_INK_GOOD : MGL_INK_BAD, state);
    else
        mgl_page_add(page, "%.40s", state);
    if (strcmp(state, "not verified") == 0)
        mgl_page_add(page, "; `verify-key: PUB` does that");
    mgl_page_end(page);
}

/* Claims that the release cannot prove, by their names. */
static void show_left_open(mgl_page *page, const json_t *claims)
{
    if (json_array_size(claims) == 0)
        return;
    mgl_page_label(page, "left open");
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const char *text = json_string_value(json_array_get(claims, i));
        int size = text != NULL ? (int)strcspn(text, ":") : 0;
        mgl_page_add(page, "%s%.*s", i > 0 ? ", " : "", size < 200 ? size : 200,
                     text != NULL ? text : "");
    }
    mgl_page_end(page);
}

/* Is the release what its result says? */
void mgl_terminal_against(mgl_page *page, const json_t *document)
{
    const json_t *against = json_object_get(document, "against");
    const char *file = json_string_value(json_object_get(against, "result"));
    if (file == NULL)
        return;
    mgl_page_label(page, "result");
    if (json_is_true(json_object_get(against, "agrees")))
        mgl_page_ink(page, MGL_INK_GOOD, "agrees");
    else
        mgl_page_ink(page, MGL_INK_BAD, "does not agree");
    mgl_page_add(page, " with %.200s", file);
    mgl_page_end(page);
    show_signature(page, mgl_json_text(against, "signature"));
    show_left_open(page, json_object_get(against, "not_compared"));
}
