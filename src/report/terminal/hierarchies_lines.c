/* Prints what `hierarchy build|check|show|suggest` found. terminal.c calls it. */
#include "report/terminal/terminal.h"

#include <stdio.h>

enum { INDENT = 4 }; /* of lines that go on */

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text != NULL ? text : "";
}

static size_t longest(const json_t *hierarchies, const char *key)
{
    size_t longest = 0;
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        size_t size = mgl_page_columns(text_of(json_array_get(hierarchies, i), key));
        if (size > longest)
            longest = size;
    }
    return longest < 60 ? longest : 60;
}

static void add_levels(mgl_page *page, const json_t *hierarchy)
{
    const json_t *levels = json_object_get(hierarchy, "levels");
    char number[MGL_NUMBER_SIZE];
    for (size_t i = 0; i < json_array_size(levels); i++)
        mgl_page_add(
            page, "%s%s", i > 0 ? " > " : "",
            mgl_page_count((uint64_t)json_integer_value(json_array_get(levels, i)), number));
}

static void check(mgl_page *page, const json_t *hierarchies)
{
    size_t column = longest(hierarchies, "column"), source = longest(hierarchies, "source");
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        const json_t *hierarchy = json_array_get(hierarchies, i);
        mgl_page_cell(page, text_of(hierarchy, "column"), column);
        mgl_page_add(page, "  ");
        mgl_page_cell(page, text_of(hierarchy, "source"), source);
        mgl_page_add(page, "  height %.0f, values per level ",
                     mgl_json_number(hierarchy, "height"));
        page->indent = INDENT;
        add_levels(page, hierarchy);
        mgl_page_add(page, "  ");
        mgl_page_ink(page, MGL_INK_GOOD, "good");
        mgl_page_end(page);
    }
}

static void show(mgl_page *page, const json_t *hierarchies)
{
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        const json_t *hierarchy = json_array_get(hierarchies, i);
        const char *tree = text_of(hierarchy, "tree");
        if (i > 0)
            mgl_page_end(page);
        mgl_page_add(page, "%s  %s  height %.0f, values per level ", text_of(hierarchy, "column"),
                     text_of(hierarchy, "source"), mgl_json_number(hierarchy, "height"));
        add_levels(page, hierarchy);
        mgl_page_end(page);
        mgl_page_text(page, tree);
        page->whole = true; /* its lines are what they are */
        if (tree[0] != '\0' && tree[strlen(tree) - 1] != '\n')
            mgl_page_end(page);
        page->begin = page->text.size;
        page->whole = false;
    }
}

/* What a program spells so that one can copy it, and others take for the key and its value. */
static void add_setting(mgl_page *page, const char *column, const char *builder)
{
    bool name_needs_quotes = strpbrk(column, ",=\" ") != NULL;
    mgl_page_add(page, " `hierarchy: ");
    mgl_page_add(page, name_needs_quotes ? "\"" : "");
    for (const char *c = column; *c != '\0'; c++) {
        if (*c == '"')
            mgl_page_add(page, "\"");
        mgl_page_add(page, "%c", *c);
    }
    mgl_page_add(page, "%s=%s`", name_needs_quotes ? "\"" : "", builder);
}

/* What else a person may choose. */
static void add_alternatives(mgl_page *page, int indent, const char *text)
{
    if (text[0] == '\0')
        return;
    mgl_page_add(page, "%*s  or %s", indent, "", text);
    mgl_page_end(page);
}

static void suggest(mgl_page *page, const json_t *hierarchies)
{
    size_t column = longest(hierarchies, "column");
    size_t builder = longest(hierarchies, "builder");
    bool any = false;
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        const json_t *hierarchy = json_array_get(hierarchies, i);
        const char *text = text_of(hierarchy, "builder");
        any = any || text[0] != '\0';
        mgl_page_cell(page, text_of(hierarchy, "column"), column);
        mgl_page_add(page, "  ");
        mgl_page_cell(page, text[0] != '\0' ? text : "-", builder);
        mgl_page_add(page, "  %s", text_of(hierarchy, "reason"));
        page->indent = INDENT;
        mgl_page_end(page);
        add_alternatives(page, (int)column, text_of(hierarchy, "alternatives"));
    }
    if (!any)
        return;
    mgl_page_end(page);
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        const json_t *hierarchy = json_array_get(hierarchies, i);
        if (text_of(hierarchy, "builder")[0] == '\0')
            continue;
        page->whole = true;
        add_setting(page, text_of(hierarchy, "column"), text_of(hierarchy, "builder"));
        mgl_page_add(page, " \\");
        mgl_page_end(page);
    }
    /* The last line goes on to nothing. */
    if (!page->text.failed)
        page->text.size -= 3;
    page->whole = true;
    mgl_page_end(page);
}

/* Each as JSON, as a file of a hierarchy may be. */
static void print_trees(mgl_page *page, const json_t *hierarchies)
{
    for (size_t i = 0; i < json_array_size(hierarchies); i++) {
        char *text = json_dumps(json_object_get(json_array_get(hierarchies, i), "tree"),
                                JSON_INDENT(1) | JSON_ENCODE_ANY);
        mgl_buffer_text(&page->text, text != NULL ? text : "");
        mgl_buffer_text(&page->text, "\n");
        free(text);
    }
}

void mgl_terminal_hierarchies(mgl_page *page, const json_t *document)
{
    const json_t *hierarchies = json_object_get(document, "hierarchies");
    const char *action = text_of(document, "action");
    if (strcmp(action, "suggest") == 0)
        suggest(page, hierarchies);
    else if (strcmp(action, "show") == 0)
        show(page, hierarchies);
    else if (strcmp(action, "tree") == 0)
        print_trees(page, hierarchies);
    else if (strcmp(action, "check") == 0 ||
             json_string_value(json_object_get(document, "output")) != NULL)
        check(page, hierarchies);
    else
        for (size_t i = 0; i < json_array_size(hierarchies); i++)
            mgl_buffer_text(&page->text, text_of(json_array_get(hierarchies, i), "file"));
}
