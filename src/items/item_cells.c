/* Cuts the cells of a column into items. Reading calls it for the column of `km`, the verifier for
 * cells that were written. */
#include "items/items.h"

#include <stdlib.h>

/* ---- Separators ---------------------------------------------------------------------------------
 */

static const char *find_separator(mgl_span cell, mgl_span separator)
{
    for (size_t i = 0; separator.size > 0 && i + separator.size <= cell.size; i++)
        if (memcmp(cell.data + i, separator.data, separator.size) == 0)
            return cell.data + i;
    return NULL;
}

bool mgl_items_separated(const mgl_dictionary *cells, mgl_span separator)
{
    uint32_t missing = mgl_dictionary_missing(cells);
    for (uint32_t c = 0; c < mgl_dictionary_size(cells); c++)
        if (c != missing && find_separator(mgl_dictionary_value(cells, c), separator) != NULL)
            return true;
    return false;
}

mgl_span mgl_items_separator(const mgl_dictionary *cells)
{
    static const char *const usual[] = {";", "|", ","};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0]; i++)
        if (mgl_items_separated(cells, mgl_span_of(usual[i])))
            return mgl_span_of(usual[i]);
    return (mgl_span){"", 0};
}

/* ---- Items --------------------------------------------------------------------------------------
 */

static bool means_nothing(mgl_span item, const mgl_item_cutting *cutting)
{
    if (item.size == 0)
        return true;
    for (size_t i = 0; i < cutting->n_missing; i++)
        if (mgl_span_equal(item, cutting->missing[i]))
            return true;
    return false;
}

bool mgl_items_each(mgl_span cell, const mgl_item_cutting *cutting, mgl_see_item_fn *see,
                    void *context)
{
    while (cell.size > 0) {
        const char *end = find_separator(cell, cutting->separator);
        size_t size = end != NULL ? (size_t)(end - cell.data) : cell.size;
        size_t taken = end != NULL ? size + cutting->separator.size : size;
        mgl_span item = mgl_span_trim((mgl_span){cell.data, size});
        if (!means_nothing(item, cutting) && !see(context, item))
            return false;
        cell = (mgl_span){cell.data + taken, cell.size - taken};
    }
    return true;
}

/* ---- Sets ---------------------------------------------------------------------------------------
 */

typedef struct gathering {
    mgl_item_sets *sets;
    size_t n, room;
    uint32_t *last; /* [item] the cell that had it last, and one */
    size_t last_room;
    uint32_t cell;
} gathering;

static bool take_item(void *context, mgl_span item)
{
    gathering *g = context;
    uint32_t before = mgl_dictionary_size(g->sets->items);
    uint32_t number = mgl_dictionary_add(g->sets->items, item);
    if (number == MGL_NOT_FOUND ||
        !mgl_grow(&g->last, &g->last_room, (size_t)number + 1, sizeof *g->last) ||
        !mgl_grow(&g->sets->of_cell, &g->room, g->n + 1, sizeof *g->sets->of_cell))
        return false;
    if (number >= before)
        g->last[number] = 0;
    if (g->last[number] != g->cell + 1)
        g->sets->of_cell[g->n++] = number;
    g->last[number] = g->cell + 1;
    return true;
}

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint32_t cell_with(const mgl_item_sets *sets, uint32_t item)
{
    for (uint32_t c = 0; c < sets->n_cells; c++)
        for (size_t i = sets->start[c]; i < sets->start[c + 1]; i++)
            if (sets->of_cell[i] == item)
                return c;
    return MGL_NOT_FOUND;
}

/* An item stands where the first cell stands that has it. */
static void tell_place(void *context, uint32_t item, char text[MGL_PLACE_TEXT])
{
    const mgl_item_sets *sets = context;
    uint32_t cell = cell_with(sets, item);
    text[0] = '\0';
    if (cell != MGL_NOT_FOUND)
        mgl_dictionary_place(sets->cells, mgl_dictionary_value(sets->cells, cell), text);
}

mgl_status mgl_item_sets_new(const mgl_dictionary *cells, const mgl_item_cutting *cutting,
                             mgl_error *err, mgl_item_sets *out)
{
    uint32_t missing = mgl_dictionary_missing(cells);
    gathering g = {.sets = out};
    mgl_status status = MGL_OK;
    *out = (mgl_item_sets){
        .items = mgl_dictionary_new(), .n_cells = mgl_dictionary_size(cells), .cells = cells};
    out->start = mgl_zeroed_array((size_t)out->n_cells + 1, sizeof *out->start);
    if (out->items == NULL || out->start == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (g.cell = 0; g.cell < out->n_cells; g.cell++) {
        if (g.cell != missing &&
            !mgl_items_each(mgl_dictionary_value(cells, g.cell), cutting, take_item, &g))
            MGL_GO(mgl_fail_memory(err));
        out->start[g.cell + 1] = g.n;
        if (g.n > out->start[g.cell] + 1)
            qsort(out->of_cell + out->start[g.cell], g.n - out->start[g.cell], sizeof *out->of_cell,
                  compare);
    }
    mgl_dictionary_set_places(out->items, tell_place, out);
done:
    mgl_free(g.last);
    if (status != MGL_OK)
        mgl_item_sets_free(out);
    return status;
}

void mgl_item_sets_free(mgl_item_sets *sets)
{
    mgl_dictionary_free(sets->items);
    mgl_free(sets->start);
    mgl_free(sets->of_cell);
    *sets = (mgl_item_sets){0};
}
