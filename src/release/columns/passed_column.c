/* Takes a column of the source's table into the release: shares its buffers, or gathers its cells,
 * in the spelling that was counted where the job asks for one. Buffers are shared if no row moves
 * and they hold nothing that is not in the table; the released array then holds a reference to the
 * table of the source. */
#include "release/columns/passed_column.h"
#include "io/io.h"

enum { VIEW = 16, VIEW_SHORT = 12, VIEW_PREFIX = 4 };

static bool all_zero(const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (data[i] != 0)
            return false;
    return true;
}

/* The bits behind the last one of the last byte. */
static bool ends_in_zeros(const uint8_t *bits, size_t n)
{
    return bits == NULL || n % 8 == 0 || bits[n / 8] >> n % 8 == 0;
}

static bool is_clean_text(const mgl_arrow_cells *cells)
{
    int64_t first = 0;
    memcpy(&first, cells->values, cells->type->width);
    if (first != 0)
        return false;
    for (size_t i = 0; cells->valid != NULL && i < cells->n; i++)
        if (mgl_arrow_is_null(cells, i) && mgl_arrow_text_at(cells, i).size > 0)
            return false;
    return true;
}

/* The next position of a long text if there is nothing between texts. */
typedef struct expected {
    int32_t piece;
    int64_t offset;
    const int64_t *sizes; /* of the pieces */
    int64_t n_pieces;
} expected;

static bool is_next(expected *next, const char *view, int32_t size)
{
    int32_t place[2];
    memcpy(place, view + sizeof size + VIEW_PREFIX, sizeof place);
    while (next->piece < next->n_pieces && next->offset == next->sizes[next->piece]) {
        next->piece++;
        next->offset = 0;
    }
    bool same = place[0] == next->piece && place[1] == next->offset;
    next->offset += size;
    return same;
}

static bool is_clean_view(const mgl_arrow_cells *cells, size_t i, expected *next)
{
    const char *view = (const char *)cells->values + i * VIEW;
    int32_t size;
    memcpy(&size, view, sizeof size);
    if (mgl_arrow_is_null(cells, i))
        return all_zero(view, VIEW);
    if (size > VIEW_SHORT)
        return is_next(next, view, size);
    size_t used = sizeof size + (size_t)size;
    return all_zero(view + used, VIEW - used);
}

/* True if the texts are side by side in their pieces, with nothing else in these. */
static bool are_clean_views(const struct ArrowArray *array, const mgl_arrow_cells *cells)
{
    enum { BEFORE_PIECES = 2, SIZES = 1 };
    expected next = {.sizes = array->buffers[array->n_buffers - 1],
                     .n_pieces = array->n_buffers - BEFORE_PIECES - SIZES};
    for (size_t i = 0; i < cells->n; i++)
        if (!is_clean_view(cells, i, &next))
            return false;
    while (next.piece < next.n_pieces && next.offset == next.sizes[next.piece]) {
        next.piece++;
        next.offset = 0;
    }
    return next.piece == next.n_pieces;
}

static bool is_clean_fixed(const mgl_arrow_cells *cells)
{
    size_t width = cells->type->width;
    for (size_t i = 0; cells->valid != NULL && i < cells->n; i++)
        if (mgl_arrow_is_null(cells, i) &&
            !all_zero((const char *)cells->values + i * width, width))
            return false;
    return true;
}

static bool are_clean_bits(const mgl_arrow_cells *cells)
{
    for (size_t i = 0; cells->valid != NULL && i < cells->n; i++)
        if (mgl_arrow_is_null(cells, i) && mgl_bit_at(cells->values, i))
            return false;
    return ends_in_zeros(cells->values, cells->n);
}

static bool are_clean(const struct ArrowArray *array, const mgl_arrow_cells *cells)
{
    if (cells->type->kind == MGL_ARROW_NULL)
        return true;
    if (cells->first != 0 || !ends_in_zeros(cells->valid, cells->n))
        return false;
    if (cells->type->kind == MGL_ARROW_VIEW)
        return are_clean_views(array, cells);
    if (cells->n == 0) /* there may be no buffers at all */
        return true;
    if (cells->type->kind == MGL_ARROW_BOOL)
        return are_clean_bits(cells);
    return mgl_arrow_is_text(cells->type) ? is_clean_text(cells) : is_clean_fixed(cells);
}

static mgl_status names_all(const mgl_arrow_cells *cells, const mgl_arrow_cells *entries,
                            mgl_error *err, bool *out)
{
    size_t left = entries->n;
    bool *named = mgl_zeroed_array(entries->n, sizeof *named);
    MGL_TRY(mgl_check_memory(named != NULL, err));
    for (size_t i = 0; left > 0 && i < cells->n; i++) {
        if (mgl_arrow_is_null(cells, i))
            continue;
        size_t entry = mgl_arrow_index_at(cells, i);
        left -= !named[entry];
        named[entry] = true;
    }
    mgl_free(named);
    *out = left == 0;
    return MGL_OK;
}

/* Is there nothing in the buffers of the column in this batch that is not in the table: no cells
 * before the first, nothing under nulls, no entry of a dictionary that no cell names, no bytes
 * between texts? */
static mgl_status column_is_clean(const mgl_arrow_table *table, size_t batch, size_t column,
                                  mgl_error *err, bool *out)
{
    const struct ArrowArray *array = table->batches[batch].children[column];
    mgl_arrow_cells cells = mgl_arrow_cells_of(table, batch, column);
    *out = (size_t)array->length == cells.n && are_clean(array, &cells);
    if (!*out || !table->columns[column].encoded)
        return MGL_OK;
    mgl_arrow_cells entries = mgl_arrow_entries_of(table, batch, column);
    *out = are_clean(array->dictionary, &entries);
    return *out ? names_all(&cells, &entries, err, out) : MGL_OK;
}

static const mgl_arrow_type plain_text = {.kind = MGL_ARROW_TEXT, .width = 4};
static const mgl_arrow_type large_text = {.kind = MGL_ARROW_LARGE_TEXT, .width = 8};
static const mgl_arrow_type whole = {.kind = MGL_ARROW_SIGNED, .width = 8};
static const mgl_arrow_type code_types[] = {{.kind = MGL_ARROW_UNSIGNED, .width = 1},
                                            {.kind = MGL_ARROW_UNSIGNED, .width = 2},
                                            {.kind = MGL_ARROW_UNSIGNED, .width = 4}};

static const mgl_arrow_column *what(const mgl_passed_column *c)
{
    return &c->table->columns[c->column];
}

static bool is_text(const mgl_passed_column *c)
{
    return mgl_arrow_is_text(&what(c)->type);
}

/* Of the release. */
static bool is_encoded(const mgl_passed_column *c)
{
    return what(c)->encoded && !c->as_text;
}

static mgl_status find_cells(mgl_passed_column *c, mgl_error *err)
{
    size_t n = c->table->n_batches;
    c->places = mgl_positions_of_rows;
    c->context = c->rows;
    c->cells = mgl_alloc_array(n, sizeof *c->cells);
    if (what(c)->encoded)
        c->entries = mgl_alloc_array(n, sizeof *c->entries);
    if (c->cells == NULL || (what(c)->encoded && c->entries == NULL))
        return mgl_fail_memory(err);
    for (size_t b = 0; b < n; b++) {
        c->cells[b] = mgl_arrow_cells_of(c->table, b, c->column);
        if (c->entries != NULL)
            c->entries[b] = mgl_arrow_entries_of(c->table, b, c->column);
    }
    return MGL_OK;
}

/* A null has no spelling, unless the column was made anew. */
static bool is_null_in(const mgl_passed_column *c, mgl_cell_position place)
{
    mgl_arrow_cells cells = mgl_arrow_cells_of(c->table, place.batch, c->column);
    if (mgl_arrow_is_null(&cells, place.row))
        return true;
    if (!what(c)->encoded)
        return false;
    mgl_arrow_cells entries = mgl_arrow_entries_of(c->table, place.batch, c->column);
    return mgl_arrow_is_null(&entries, mgl_arrow_index_at(&cells, place.row));
}

static void places_of_spelled(const mgl_passed_column *c, size_t first, size_t n, bool of_codes,
                              mgl_cell_position *out)
{
    uint32_t missing = mgl_dictionary_missing(c->spelling->dictionary);
    for (size_t i = 0; i < n; i++) {
        size_t row = c->rows->rows != NULL ? c->rows->rows[first + i] : first + i;
        uint32_t at = of_codes ? (uint32_t)row : mgl_column_code(c->spelling, row);
        bool null = c->as_text ? at == missing : is_null_in(c, mgl_position_of_row(c->rows, row));
        out[i] = (mgl_cell_position){0, null ? MGL_NOT_FOUND : at};
    }
}

/* The texts are in the dictionary: that of a row at its code. */
static void places_of_texts(const void *context, size_t first, size_t n, mgl_cell_position *out)
{
    places_of_spelled(context, first, n, false, out);
}

/* The codes are one after another, and name texts of the dictionary. */
static void places_of_codes(const void *context, size_t first, size_t n, mgl_cell_position *out)
{
    places_of_spelled(context, first, n, true, out);
}

/* The texts of the dictionary as cells. */
static mgl_status spell_texts(mgl_passed_column *c, mgl_error *err, mgl_arrow_cells *out)
{
    const mgl_dictionary *dictionary = c->spelling->dictionary;
    uint32_t n = mgl_dictionary_size(dictionary);
    size_t size = 0, longest = 0;
    for (uint32_t code = 0; code < n; code++) {
        size_t one = mgl_dictionary_value(dictionary, code).size;
        size += one;
        longest = one > longest ? one : longest;
    }
    int64_t *offsets = c->offsets = mgl_alloc_array((size_t)n + 1, sizeof *offsets);
    c->bytes = mgl_alloc(size);
    MGL_TRY(mgl_check_memory(offsets != NULL && c->bytes != NULL, err));
    offsets[0] = 0;
    for (uint32_t code = 0; code < n; code++) {
        mgl_span text = mgl_dictionary_value(dictionary, code);
        if (text.size > 0)
            memcpy(c->bytes + offsets[code], text.data, text.size);
        offsets[code + 1] = offsets[code] + (int64_t)text.size;
    }
    *out = (mgl_arrow_cells){.type = &large_text, .n = n, .values = offsets, .bytes = c->bytes};
    if (longest > 0)
        c->most_rows = INT32_MAX / longest;
    return MGL_OK;
}

/* The numbers that the texts of the dictionary are. */
static mgl_status read_numbers(mgl_passed_column *c, mgl_error *err, mgl_arrow_cells *out)
{
    const mgl_dictionary *dictionary = c->spelling->dictionary;
    uint32_t n = mgl_dictionary_size(dictionary);
    int64_t *numbers = c->offsets = mgl_alloc_array((size_t)n + 1, sizeof *numbers);
    MGL_TRY(mgl_check_memory(numbers != NULL, err));
    for (uint32_t code = 0; code < n; code++) {
        uint64_t number = 0;
        if (!mgl_parse_u64(mgl_dictionary_value(dictionary, code), &number) || number > INT64_MAX)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "a sum of counts is no number; please report "
                            "this");
        numbers[code] = (int64_t)number;
    }
    *out = (mgl_arrow_cells){.type = &whole, .n = n, .values = numbers};
    return MGL_OK;
}

static mgl_status find_spelled_cells(mgl_passed_column *c, mgl_error *err)
{
    const mgl_column *codes = c->spelling;
    c->cells = mgl_zeroed_array(1, sizeof *c->cells);
    c->context = c;
    MGL_TRY(mgl_check_memory(c->cells != NULL, err));
    if (!is_encoded(c)) {
        c->places = places_of_texts;
        return c->as_whole ? read_numbers(c, err, c->cells) : spell_texts(c, err, c->cells);
    }
    MGL_TRY(mgl_new_zeroed(1, sizeof *c->entries, err, &c->entries));
    c->places = places_of_codes;
    c->cells[0] = (mgl_arrow_cells){.type = &code_types[codes->width / 2],
                                    .n = (size_t)c->table->n_rows,
                                    .values = codes->codes};
    MGL_TRY(spell_texts(c, err, c->entries));
    c->most_rows = UINT64_MAX;
    return MGL_OK;
}

static mgl_status make_dictionary(mgl_passed_column *c, mgl_error *err)
{
    bool ordered = c->table->schema.children[c->column]->flags & ARROW_FLAG_DICTIONARY_ORDERED;
    mgl_dictionary_request order = {.cells = c->cells,
                                    .entries = c->entries,
                                    .n_batches = c->spelling != NULL ? 1 : c->table->n_batches,
                                    .type = &what(c)->type,
                                    .places = c->places,
                                    .context = c->context,
                                    .n_rows = c->n_rows,
                                    .sorted = c->random && !ordered};
    MGL_TRY(mgl_one_dictionary_make(&order, err, &c->dictionary));
    /* Numbers that do not fit the type of the source become wider: batches with few entries each
     * may have many together. */
    unsigned bits = what(c)->index.width * 8 - (what(c)->index.kind == MGL_ARROW_SIGNED);
    c->index = what(c)->index;
    if (bits < 32 && c->dictionary.n_entries > (UINT64_C(1) << bits)) {
        c->index = (mgl_arrow_type){.kind = MGL_ARROW_SIGNED, .width = 4};
        c->index_format = "i";
    }
    return MGL_OK;
}

/* Of all texts, by their offsets; views may name the same bytes several times. */
static uint64_t bytes_by_offsets(const mgl_passed_column *c)
{
    uint64_t size = 0;
    for (size_t b = 0; b < c->table->n_batches; b++) {
        const mgl_arrow_cells *cells = &c->cells[b];
        int32_t first, last;
        if (cells->n == 0)
            continue;
        memcpy(&first, (const int32_t *)cells->values + cells->first, sizeof first);
        memcpy(&last, (const int32_t *)cells->values + cells->first + cells->n, sizeof last);
        size += (uint64_t)(last - first);
    }
    return size;
}

static uint64_t longest_text(const mgl_passed_column *c)
{
    uint64_t longest = 1;
    for (size_t b = 0; b < c->table->n_batches; b++)
        for (size_t i = 0; i < c->cells[b].n; i++) {
            bool null = mgl_arrow_is_null(&c->cells[b], i);
            size_t size = null ? 0 : mgl_arrow_text_at(&c->cells[b], i).size;
            longest = size > longest ? size : longest;
        }
    return longest;
}

/* The offsets of texts, and of views in their bytes, have 31 bits. */
static void limit_rows(mgl_passed_column *c)
{
    mgl_arrow_kind kind = what(c)->type.kind;
    bool offsets = kind == MGL_ARROW_TEXT && !what(c)->encoded;
    bool views = kind == MGL_ARROW_VIEW && !what(c)->encoded;
    if (views || (offsets && bytes_by_offsets(c) > INT32_MAX))
        c->most_rows = INT32_MAX / longest_text(c);
}

mgl_status mgl_passed_column_begin(mgl_passed_column *c, bool may_share, mgl_error *err)
{
    c->most_rows = UINT64_MAX;
    if (c->spelling != NULL && !is_text(c) && !c->as_text)
        c->spelling = NULL;
    if (may_share && c->spelling == NULL) {
        c->shared = true;
        for (size_t b = 0; c->shared && b < c->table->n_batches; b++)
            MGL_TRY(column_is_clean(c->table, b, c->column, err, &c->shared));
    }
    if (c->shared)
        return MGL_OK;
    MGL_TRY(c->spelling != NULL ? find_spelled_cells(c, err) : find_cells(c, err));
    if (c->spelling == NULL && !may_share)
        limit_rows(c);
    return c->entries != NULL ? make_dictionary(c, err) : MGL_OK;
}

void mgl_passed_column_end(mgl_passed_column *c)
{
    mgl_one_dictionary_free(&c->dictionary);
    mgl_free(c->cells);
    mgl_free(c->entries);
    mgl_free(c->offsets);
    mgl_free(c->bytes);
    *c = (mgl_passed_column){0};
}

mgl_status mgl_passed_column_batch(const mgl_passed_column *c, size_t batch, size_t first, size_t n,
                                   mgl_error *err, struct ArrowArray *out, uint64_t *bytes)
{
    bool encoded = is_encoded(c);
    const mgl_arrow_type *type = c->as_whole ? &whole : c->as_text ? &plain_text : &what(c)->type;
    *bytes = 0;
    if (c->shared)
        return mgl_made_share(out, c->table->batches[batch].children[c->column], c->table, err);
    mgl_gather_request order = {.cells = c->cells,
                                .type = encoded ? &c->index : type,
                                .places = c->places,
                                .context = c->context,
                                .first = first,
                                .n = n,
                                .numbers = (const uint32_t *const *)c->dictionary.numbers};
    MGL_TRY(mgl_gather(&order, err, out, bytes));
    if (encoded)
        mgl_made_dictionary(out, c->dictionary.entries);
    return MGL_OK;
}
