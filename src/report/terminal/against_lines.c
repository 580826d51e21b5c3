/* Lines of a summary about check --against: does the release agree with its result? terminal.c
 * calls it. */
#include "report/terminal/terminal.h"

enum { LONGEST_REASON = 200 };

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

/* Why a claim is left open, "KEYS: why"; NULL: it is no such text. */
static const char *reason_of(const json_t *claim)
{
    const char *text = json_string_value(claim), *colon = text != NULL ? strstr(text, ": ") : NULL;
    return colon != NULL ? colon + 2 : NULL;
}

/* The number of the first claim that is left open for the same reason. */
static size_t first_with(const json_t *claims, const char *why)
{
    size_t i = 0;
    for (; i < json_array_size(claims); i++) {
        const char *here = reason_of(json_array_get(claims, i));
        if (here != NULL && strcmp(here, why) == 0)
            break;
    }
    return i;
}

/* The keys of all claims that are left open for one reason. */
static void show_keys(mgl_page *page, const json_t *claims, size_t first, const char *why)
{
    for (size_t i = first; i < json_array_size(claims); i++) {
        const char *text = json_string_value(json_array_get(claims, i)),
                   *here = reason_of(json_array_get(claims, i));
        if (here != NULL && strcmp(here, why) == 0)
            mgl_page_add(page, "%s%.*s", i > first ? ", " : "", (int)(here - text) - 2, text);
    }
}

/* A list in a reason can be long, as that of the keys of a job is: it stands in the answer. */
static void show_reason(mgl_page *page, const char *why)
{
    const char *list = strlen(why) > LONGEST_REASON ? strstr(why, ": ") : NULL;
    if (list != NULL)
        mgl_page_add(page, ": %.*s (`json` lists them)", (int)(list - why), why);
    else
        mgl_page_add(page, ": %s", why);
}

/* Claims that the release cannot prove, with the reason: a line for each reason. */
static void show_left_open(mgl_page *page, const json_t *claims)
{
    bool labelled = false;
    for (size_t i = 0; i < json_array_size(claims); i++) {
        const char *why = reason_of(json_array_get(claims, i));
        if (why == NULL || first_with(claims, why) != i)
            continue;
        mgl_page_label(page, labelled ? "" : "left open");
        show_keys(page, claims, i, why);
        show_reason(page, why);
        mgl_page_end(page);
        labelled = true;
    }
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
