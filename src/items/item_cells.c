/* The sets of items in the cells of a column, and baskets: sets of leaves by class and person. */
#include "items/items.h"

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

static uint32_t cell_with(const mgl_item_sets *sets, uint32_t item)
{
    for (uint32_t c = 0; c < sets->n_cells; c++)
        for (size_t i = sets->start[c]; i < sets->start[c + 1]; i++)
            if (sets->of_cell[i] == item)
                return c;
    return MGL_NOT_FOUND;
}

/* An item stands where the first cell stands that has it. */
static void report_place(void *context, uint32_t item, char text[MGL_PLACE_TEXT])
{
    const mgl_item_sets *sets = context;
    uint32_t cell = cell_with(sets, item);
    text[0] = '\0';
    if (cell != MGL_NOT_FOUND)
        mgl_dictionary_origin(sets->cells, mgl_dictionary_value(sets->cells, cell), text);
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
    MGL_GO(mgl_check_memory(out->start != NULL && out->items != NULL, err));
    for (g.cell = 0; g.cell < out->n_cells; g.cell++) {
        if (g.cell != missing &&
            !mgl_items_each(mgl_dictionary_value(cells, g.cell), cutting, take_item, &g))
            MGL_GO(mgl_fail_memory(err));
        out->start[g.cell + 1] = g.n;
        if (g.n > out->start[g.cell])
            mgl_sort_u32(out->of_cell + out->start[g.cell], g.n - out->start[g.cell]);
    }
    mgl_dictionary_set_origins(out->items, report_place, out);
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

typedef struct row_key {
    uint32_t class_of, person, cell;
} row_key;

static const mgl_sort_key in_order[] = {MGL_ASCENDING(row_key, class_of),
                                        MGL_ASCENDING(row_key, person),
                                        MGL_ASCENDING(row_key, cell), MGL_SORT_END};

static bool is_repeated(const row_key *rows, size_t i)
{
    return i > 0 && memcmp(&rows[i], &rows[i - 1], sizeof *rows) == 0;
}

/* Rows that are released and have items. */
static size_t take_rows(const mgl_basket_request *request, row_key *rows)
{
    const mgl_item_sets *sets = request->sets;
    size_t n = 0;
    for (size_t row = 0; row < request->n_rows; row++) {
        uint32_t cell = mgl_column_code(request->column, row);
        uint32_t class_of = request->class_of_row != NULL ? request->class_of_row[row] : 0;
        if (class_of == MGL_NOT_FOUND || sets->start[cell] == sets->start[cell + 1])
            continue;
        uint32_t person = request->persons != NULL ? mgl_column_code(request->persons, row) : 0;
        rows[n++] = (row_key){class_of, person, cell};
    }
    return n;
}

/* Two items may be one leaf where they are spelled alike. */
static size_t put_leaves(const mgl_basket_request *request, uint32_t cell, uint32_t *leaves)
{
    const mgl_item_sets *sets = request->sets;
    size_t n = sets->start[cell + 1] - sets->start[cell];
    for (size_t i = 0; i < n; i++)
        leaves[i] = request->leaf_of_item[sets->of_cell[sets->start[cell] + i]];
    return mgl_sort_unique_u32(leaves, n);
}

static size_t count_leaves(const mgl_item_sets *sets, const row_key *rows, size_t n)
{
    size_t total = 0;
    for (size_t i = 0; i < n; i++)
        if (!is_repeated(rows, i))
            total += sets->start[rows[i].cell + 1] - sets->start[rows[i].cell];
    return total;
}

static void fill(const mgl_basket_request *request, const row_key *rows, size_t n, mgl_baskets *out)
{
    size_t at = 0;
    for (size_t i = 0; i < n; i++) {
        if (is_repeated(rows, i)) {
            out->weight[out->n - 1]++;
            continue;
        }
        out->class_of[out->n] = rows[i].class_of;
        if (out->person_of != NULL)
            out->person_of[out->n] = rows[i].person;
        out->weight[out->n] = 1;
        out->start[out->n++] = at;
        at += put_leaves(request, rows[i].cell, out->leaves + at);
    }
    out->start[out->n] = at;
    for (size_t b = 0; b < out->n; b++)
        for (size_t i = out->start[b]; i < out->start[b + 1]; i++)
            out->occurrences[out->leaves[i]] += out->weight[b];
}

mgl_status mgl_baskets_new(const mgl_basket_request *request, mgl_error *err, mgl_baskets *out)
{
    row_key *rows = mgl_alloc_array(request->n_rows, sizeof *rows);
    mgl_status status = MGL_OK;
    *out = (mgl_baskets){0};
    MGL_GO(mgl_check_memory(rows != NULL, err));
    size_t n = take_rows(request, rows);
    mgl_sort(rows, n, sizeof *rows, in_order);
    out->class_of = mgl_own_array(&out->own, n, sizeof *out->class_of);
    out->weight = mgl_own_array(&out->own, n, sizeof *out->weight);
    out->start = mgl_own_array(&out->own, n + 1, sizeof *out->start);
    out->leaves =
        mgl_own_array(&out->own, count_leaves(request->sets, rows, n), sizeof *out->leaves);
    out->occurrences = mgl_own_zeroed(&out->own, request->n_leaves, sizeof *out->occurrences);
    if (request->persons != NULL)
        out->person_of = mgl_own_array(&out->own, n, sizeof *out->person_of);
    MGL_GO(mgl_owned_check(&out->own, err));
    fill(request, rows, n, out);
done:
    mgl_free(rows);
    if (status != MGL_OK)
        mgl_baskets_free(out);
    return status;
}

void mgl_baskets_free(mgl_baskets *baskets)
{
    mgl_owned_free(&baskets->own);
    *baskets = (mgl_baskets){0};
}
