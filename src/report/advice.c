/* What `risk --advise` proposes. */
#include "report/terminal.h"

enum { WIDEST_COLUMN = 30, ROLE_WIDTH = 11 };

static size_t width_of(const json_t *advice)
{
    size_t width = 0;
    for (size_t i = 0; i < json_array_size(advice); i++) {
        const char *column = mgl_json_text(json_array_get(advice, i), "column");
        size_t size = column != NULL ? strlen(column) : 0;
        width = size > width ? size : width;
    }
    return width > WIDEST_COLUMN ? WIDEST_COLUMN : width;
}

/* A line below that of a column. */
static void indent(mgl_page *page, size_t width)
{
    mgl_page_add(page, "%-*s  %-*s  ", (int)width, "", ROLE_WIDTH, "");
}

/* Values that may mean missing, and spellings that may mean the same. */
static void add_hints(mgl_page *page, const json_t *one, size_t width)
{
    const json_t *codes = json_object_get(one, "missing_codes");
    uint64_t variants = mgl_json_whole(one, "variants");
    for (size_t i = 0; i < json_array_size(codes); i++) {
        const json_t *code = json_array_get(codes, i);
        const char *text = mgl_json_text(code, "text");
        uint64_t rows = mgl_json_whole(code, "rows");
        indent(page, width);
        mgl_page_add(page, "\"%s\" in %llu row%s probably means missing (--missing)",
                     text != NULL ? text : "?", (unsigned long long)rows, rows == 1 ? "" : "s");
        mgl_page_end(page);
    }
    if (variants == 0)
        return;
    indent(page, width);
    mgl_page_add(page, "%llu values differ from another in letter case or blanks only",
                 (unsigned long long)variants);
    mgl_page_end(page);
}

static void add_column(mgl_page *page, const json_t *one, size_t width)
{
    const char *column = mgl_json_text(one, "column"), *role = mgl_json_text(one, "role");
    const char *reason = mgl_json_text(one, "reason");
    const char *hierarchy = mgl_json_text(one, "hierarchy");
    mgl_page_add(page, "%-*.200s  %-*s  %s", (int)width, column != NULL ? column : "?", ROLE_WIDTH,
                 role != NULL ? role : "?", reason != NULL ? reason : "");
    mgl_page_end(page);
    if (hierarchy != NULL) {
        indent(page, width);
        mgl_page_add(page, "hierarchy %.200s", hierarchy);
        mgl_page_end(page);
    }
    add_hints(page, one, width);
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
        mgl_page_label(page, "persons");
        mgl_page_add(page, "%s, told apart by %.200s: k counts persons, not rows",
                     mgl_page_count(mgl_json_whole(entity, "persons"), count), id);
        mgl_page_end(page);
    }
    if (tried != NULL) {
        mgl_page_label(page, "tried");
        mgl_page_text(page, tried);
        mgl_page_end(page);
    }
}
