/* Prints what `risk --advise` proposes. terminal.c calls it. */
#include "report/terminal/terminal.h"

enum { WIDEST_COLUMN = 30, ROLE_WIDTH = 11 };

static size_t width_of(const json_t *advice)
{
    size_t width = 0;
    for (size_t i = 0; i < json_array_size(advice); i++) {
        const char *column = mgl_json_text(json_array_get(advice, i), "column");
        size_t size = column != NULL ? mgl_page_columns(column) : 0;
        width = size > width ? size : width;
    }
    return width > WIDEST_COLUMN ? WIDEST_COLUMN : width;
}

/* Text that goes on below where it began, when the line is full. */
static void fold(mgl_page *page, size_t margin, const char *text)
{
    enum { NARROWEST = 24 };
    size_t most = margin + NARROWEST > page->width ? margin + NARROWEST : page->width;
    bool begins = true;
    while (*text != '\0') {
        size_t size = strcspn(text, " ");
        page->indent = 4; /* of what is still too long */
        if (!begins && page->at + 1 + size > most) {
            mgl_page_end(page);
            mgl_page_add(page, "%-*s", (int)margin, "");
            begins = true;
        }
        mgl_page_add(page, "%s%.*s", begins ? "" : " ", (int)(size < 1000 ? size : 1000), text);
        begins = false;
        text += size;
        text += strspn(text, " ");
    }
    mgl_page_end(page);
}

/* A line below that of a column. */
static void below(mgl_page *page, size_t margin, const char *before, const char *text)
{
    mgl_page_add(page, "%-*s%s", (int)margin, "", before);
    fold(page, margin, text);
}

static void add_column(mgl_page *page, const json_t *one, size_t width)
{
    const char *column = mgl_json_text(one, "column"), *role = mgl_json_text(one, "role");
    const char *reason = mgl_json_text(one, "reason");
    const char *hierarchy = mgl_json_text(one, "hierarchy");
    const json_t *hints = json_object_get(one, "hints");
    size_t margin = width + 2 + ROLE_WIDTH + 2;
    mgl_page_cell(page, column != NULL ? column : "?", width);
    mgl_page_add(page, "  %-*s  ", ROLE_WIDTH, role != NULL ? role : "?");
    fold(page, margin, reason != NULL ? reason : "");
    if (hierarchy != NULL)
        below(page, margin, "hierarchy ", hierarchy);
    for (size_t i = 0; i < json_array_size(hints); i++) {
        const char *hint = json_string_value(json_array_get(hints, i));
        below(page, margin, "", hint != NULL ? hint : "?");
    }
}

void mgl_terminal_advice(mgl_page *page, const json_t *document)
{
    const json_t *advice = json_object_get(document, "advice");
    const json_t *entity = json_object_get(document, "entity");
    const char *tried = mgl_json_text(json_object_get(document, "tried"), "message");
    const char *id = mgl_json_text(entity, "column");
    size_t width = width_of(advice);
    for (size_t i = 0; i < json_array_size(advice); i++)
        add_column(page, json_array_get(advice, i), width);
    if (id != NULL) {
        char count[MGL_NUMBER_SIZE];
        mgl_page_label(page, "entity");
        mgl_page_add(page, "%s persons, told apart by %.200s: k counts persons, not rows",
                     mgl_page_count(mgl_json_whole(entity, "persons"), count), id);
        mgl_page_end(page);
    }
    if (tried != NULL) {
        mgl_page_label(page, "tried");
        fold(page, MGL_PAGE_LABEL, tried);
    }
}
