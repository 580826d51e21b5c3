/* Prints the lattice as a table of nodes. terminal.c calls it. */
#include "report/terminal/terminal.h"

#include <math.h>
#include <stdio.h>

static void show_counts(mgl_page *page, const json_t *document)
{
    const json_t *nodes = json_object_get(document, "nodes");
    char total[MGL_NUMBER_SIZE], holding[MGL_NUMBER_SIZE];
    mgl_page_label(page, "nodes");
    mgl_page_add(page, "%s, of which %s hold",
                 mgl_page_count(mgl_json_whole(nodes, "total"), total),
                 mgl_page_count(mgl_json_whole(nodes, "holding"), holding));
    mgl_page_end(page);
}

static void show_minimal(mgl_page *page, const json_t *document)
{
    const json_t *minimal = json_object_get(document, "minimal_nodes");
    for (size_t i = 0; i < json_array_size(minimal); i++) {
        mgl_page_label(page, i == 0 ? "minimal" : "");
        mgl_terminal_node(page, json_array_get(minimal, i), json_object_get(document, "heights"));
        mgl_page_end(page);
    }
}

/* A number, or the measure of the job out of all of them. */
static double utility_of(const mgl_page *page, const json_t *document, const json_t *row)
{
    const json_t *utility = json_object_get(row, "utility");
    return json_is_number(utility)
               ? json_number_value(utility)
               : mgl_json_number(utility, mgl_measure_of(page->measures, document));
}

static void show_row(mgl_page *page, const json_t *document, const json_t *row)
{
    char suppressed[MGL_NUMBER_SIZE], classes[MGL_NUMBER_SIZE], utility[MGL_NUMBER_SIZE];
    const char *column;
    json_t *level;
    bool holds = json_is_true(json_object_get(row, "holds"));
    json_object_foreach(json_object_get(row, "node"), column, level)
    {
        int width = (int)strlen(column);
        mgl_page_add(page, "%*lld  ", width, (long long)json_integer_value(level));
    }
    page->indent = 4;
    mgl_page_add(page, "%6.0f  ", mgl_json_number(row, "height"));
    mgl_page_ink(page, holds ? MGL_INK_GOOD : MGL_INK_PLAIN, holds ? "holds" : "   no");
    double n_classes = mgl_json_number(row, "classes");
    mgl_page_add(page, "  %10s  %8s  %8s",
                 mgl_page_count(mgl_json_whole(row, "suppressed_rows"), suppressed),
                 isfinite(n_classes) ? mgl_page_count(mgl_json_whole(row, "classes"), classes)
                                     : "-",
                 mgl_page_real(utility_of(page, document, row), utility));
    mgl_page_end(page);
}

void mgl_terminal_lattice(mgl_page *page, const json_t *document)
{
    const json_t *rows = json_object_get(document, "lattice");
    const char *column;
    json_t *level;
    if (!json_is_array(rows))
        return;
    show_counts(page, document);
    show_minimal(page, document);
    mgl_page_end(page);
    json_object_foreach(json_object_get(json_array_get(rows, 0), "node"), column, level)
        mgl_page_add(page, "%s  ", column);
    page->indent = 4;
    mgl_page_add(page, "height  holds  suppressed   classes   utility");
    mgl_page_end(page);
    for (size_t i = 0; i < json_array_size(rows); i++)
        show_row(page, document, json_array_get(rows, i));
    mgl_page_end(page);
}
