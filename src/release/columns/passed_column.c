/* Takes a column of the source's table into the release: shares its buffers, or gathers its cells,
 * in the spelling that was counted where the job asks for one. make_columns.c calls it, for several
 * columns and batches at once.
 *
 * Buffers are shared if no row moves and they hold nothing that is not in the table (clean.c); the
 * released array then holds a reference to the table of the source. */
#include "release/columns/passed_column.h"

#include "release/columns/clean.h"

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

/* ---- Cells as they are --------------------------------------------------------------------- */

static mgl_status find_cells(mgl_passed_column *c, mgl_error *err)
{
    size_t n = c->table->n_batches;
    c->places = mgl_places_of_rows;
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

static mgl_status may_be_shared(const mgl_passed_column *c, mgl_error *err, bool *out)
{
    *out = true;
    for (size_t b = 0; *out && b < c->table->n_batches; b++)
        MGL_TRY(mgl_column_is_clean(c->table, b, c->column, err, out));
    return MGL_OK;
}

/* ---- Cells in another spelling ------------------------------------------------------------- */

/* A null has no spelling, unless the column was made anew. */
static bool is_null_in(const mgl_passed_column *c, mgl_place place)
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
                              mgl_place *out)
{
    uint32_t missing = mgl_dictionary_missing(c->spelling->dictionary);
    for (size_t i = 0; i < n; i++) {
        size_t row = c->rows->rows != NULL ? c->rows->rows[first + i] : first + i;
        uint32_t at = of_codes ? (uint32_t)row : mgl_column_code(c->spelling, row);
        bool null = c->as_text ? at == missing : is_null_in(c, mgl_place_of_row(c->rows, row));
        out[i] = (mgl_place){0, null ? MGL_NOT_FOUND : at};
    }
}

/* The texts lie in the dictionary: that of a row where its code says. */
static void places_of_texts(const void *context, size_t first, size_t n, mgl_place *out)
{
    places_of_spelled(context, first, n, false, out);
}

/* The codes lie one after another, and name texts of the dictionary. */
static void places_of_codes(const void *context, size_t first, size_t n, mgl_place *out)
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
    if (offsets == NULL || c->bytes == NULL)
        return mgl_fail_memory(err);
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
    if (numbers == NULL)
        return mgl_fail_memory(err);
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
    if (c->cells == NULL)
        return mgl_fail_memory(err);
    if (!is_encoded(c)) {
        c->places = places_of_texts;
        return c->as_whole ? read_numbers(c, err, c->cells) : spell_texts(c, err, c->cells);
    }
    c->entries = mgl_zeroed_array(1, sizeof *c->entries);
    if (c->entries == NULL)
        return mgl_fail_memory(err);
    c->places = places_of_codes;
    c->cells[0] = (mgl_arrow_cells){.type = &code_types[codes->width / 2],
                                    .n = (size_t)c->table->n_rows,
                                    .values = codes->codes};
    MGL_TRY(spell_texts(c, err, c->entries));
    c->most_rows = UINT64_MAX;
    return MGL_OK;
}

/* ---- Setting up ---------------------------------------------------------------------------- */

/* Numbers that the type of the source has no room for become wider: batches with few entries each
 * may have many together. */
static void choose_index(mgl_passed_column *c, size_t n_entries)
{
    unsigned bits = what(c)->index.width * 8 - (what(c)->index.kind == MGL_ARROW_SIGNED);
    c->index = what(c)->index;
    if (bits < 32 && n_entries > (UINT64_C(1) << bits)) {
        c->index = (mgl_arrow_type){.kind = MGL_ARROW_SIGNED, .width = 4};
        c->index_format = "i";
    }
}

static mgl_status make_dictionary(mgl_passed_column *c, mgl_error *err)
{
    bool ordered = c->table->schema.children[c->column]->flags & ARROW_FLAG_DICTIONARY_ORDERED;
    mgl_dictionary_order order = {.cells = c->cells,
                                  .entries = c->entries,
                                  .n_batches = c->spelling != NULL ? 1 : c->table->n_batches,
                                  .type = &what(c)->type,
                                  .places = c->places,
                                  .context = c->context,
                                  .n_rows = c->n_rows,
                                  .sorted = c->random && !ordered};
    MGL_TRY(mgl_one_dictionary_make(&order, err, &c->dictionary));
    choose_index(c, c->dictionary.n_entries);
    return MGL_OK;
}

/* Of all texts, as far as the offsets tell; views may name the same bytes several times. */
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
    if (may_share && c->spelling == NULL)
        MGL_TRY(may_be_shared(c, err, &c->shared));
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
    mgl_gather_order order = {.cells = c->cells,
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
