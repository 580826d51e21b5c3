/* Prints what `check` found out about sensitive columns: a grid of parameters for each. terminal.c
 * calls it. */
#include "report/terminal/terminal.h"

#include <stdio.h>
#include <stdlib.h>

enum { GAP = 2, MOST_CELLS = 32 };

typedef struct cell {
    char name[40];
    char value[MGL_NUMBER_SIZE];
} cell;

/* The cells of all columns are of one width, so that they stand below each other. */
typedef struct widths {
    size_t name, value;
} widths;

typedef struct cells {
    cell cells[MOST_CELLS];
    size_t n;
} cells;

static void add_cell(cells *out, const char *name, const json_t *value)
{
    if (out->n == MOST_CELLS || (!json_is_number(value) && !json_is_null(value)))
        return;
    cell *added = &out->cells[out->n++];
    snprintf(added->name, sizeof added->name, "%s", name);
    if (json_is_integer(value) && json_integer_value(value) >= 0)
        mgl_page_count((uint64_t)json_integer_value(value), added->value);
    else if (json_is_number(value))
        mgl_page_real(json_number_value(value), added->value);
    else
        snprintf(added->value, sizeof added->value, "-");
}

/* {"2": 0.8, "3": 1.5, ...}: of the many l the first and the last are told. */
static void add_recursive(cells *out, const json_t *by_l)
{
    const char *key;
    json_t *value;
    long largest = 2;
    char name[40], last[24];
    json_object_foreach((json_t *)by_l, key, value)
    {
        long l = strtol(key, NULL, 10);
        largest = l > largest ? l : largest;
    }
    add_cell(out, "c for l=2", json_object_get(by_l, "2"));
    if (largest == 2)
        return;
    snprintf(last, sizeof last, "%ld", largest);
    snprintf(name, sizeof name, "c for l=%ld", largest);
    add_cell(out, name, json_object_get(by_l, last));
}

static void collect(const json_t *attribute, cells *out)
{
    const char *key;
    json_t *value;
    const json_t *p = json_object_get(attribute, "p");
    out->n = 0;
    json_object_foreach((json_t *)attribute, key, value)
    {
        /* The same number by two names. */
        bool again = strcmp(key, "distinct_l") == 0 && p != NULL && json_equal(p, value);
        if (json_is_object(value))
            add_recursive(out, value);
        else if (!again)
            add_cell(out, key, value);
    }
}

static void widen(widths *all, const cells *of_column)
{
    for (size_t i = 0; i < of_column->n; i++) {
        size_t name = strlen(of_column->cells[i].name), value = strlen(of_column->cells[i].value);
        all->name = name > all->name ? name : all->name;
        all->value = value > all->value ? value : all->value;
    }
}

static void show_cells(mgl_page *page, const cells *of_column, const widths *all)
{
    size_t width = all->name + 1 + all->value + GAP;
    size_t per_line = (page->width - MGL_PAGE_LABEL + GAP) / width;
    per_line = per_line > 0 ? per_line : 1;
    for (size_t i = 0; i < of_column->n; i++) {
        bool first = i % per_line == 0;
        if (first && i > 0)
            mgl_page_end(page);
        if (first)
            mgl_page_label(page, "");
        mgl_page_add(page, "%*s%-*s %*s", first ? 0 : GAP, "", (int)all->name,
                     of_column->cells[i].name, (int)all->value, of_column->cells[i].value);
    }
    if (of_column->n > 0)
        mgl_page_end(page);
}

void mgl_terminal_attributes(mgl_page *page, const json_t *document)
{
    const json_t *attributes = json_object_get(document, "attributes");
    const char *column;
    json_t *attribute;
    cells found;
    widths all = {0};
    json_object_foreach((json_t *)attributes, column, attribute)
    {
        collect(attribute, &found);
        widen(&all, &found);
    }
    json_object_foreach((json_t *)attributes, column, attribute)
    {
        mgl_page_label(page, "sensitive");
        mgl_page_add(page, "%s", column);
        mgl_page_end(page);
        collect(attribute, &found);
        show_cells(page, &found, &all);
    }
}
