/* Turns the cells of an Arrow column into codes, numbered by their first occurrence. The text of a
 * cell is made only where its value is new: entries of a dictionary have a table from index to
 * code, numbers and short texts are looked up by their bytes. */
#include "io/arrow_source/arrow_source.h"
#include "io/intake/intake.h"

/* ---- Codes of the source --------------------------------------------------------------------- */

enum { FIRST_PLACES = 256, MOST_PLACES = 1 << 21 };

static void raw_codes_free(mgl_raw_codes *codes)
{
    mgl_free(codes->places);
}

static void put(mgl_raw_codes *codes, mgl_raw_key key, uint32_t code)
{
    size_t i = mgl_raw_place_of(codes, key);
    while (codes->places[i].code != MGL_NOT_FOUND)
        i = (i + 1) & (codes->n_places - 1);
    codes->places[i] = (mgl_raw_place){key, code};
    codes->n++;
}

static bool grow(mgl_raw_codes *codes)
{
    size_t n_places = codes->n_places > 0 ? codes->n_places * 4 : FIRST_PLACES;
    mgl_raw_codes larger = {.n_places = n_places,
                            .shift = 64 - (unsigned)__builtin_ctzll(n_places)};
    larger.places = mgl_alloc_array(n_places, sizeof *larger.places);
    if (larger.places == NULL)
        return false;
    for (size_t i = 0; i < n_places; i++)
        larger.places[i].code = MGL_NOT_FOUND;
    for (size_t i = 0; i < codes->n_places; i++)
        if (codes->places[i].code != MGL_NOT_FOUND)
            put(&larger, codes->places[i].key, codes->places[i].code);
    mgl_free(codes->places);
    *codes = larger;
    return true;
}

/* Remembers the code of a key that is not there; beyond so many keys that a cache would not hold
 * them nothing is remembered. False when memory is out. */
static bool raw_codes_put(mgl_raw_codes *codes, mgl_raw_key key, uint32_t code)
{
    if (codes->n * 2 >= codes->n_places) {
        if (codes->n_places >= MOST_PLACES)
            return true;
        if (!grow(codes))
            return false;
    }
    put(codes, key, code);
    return true;
}

/* ---- Coders ---------------------------------------------------------------------------------- */

enum { ROWS_AT_ONCE = 512, KEY = 16, TRUTHS = 2 };

void mgl_arrow_coder_init(mgl_arrow_coder *coder, mgl_column *column, const mgl_arrow_table *table,
                          const mgl_source_options *options, mgl_span null_text)
{
    *coder = (mgl_arrow_coder){.column = column,
                               .table = table,
                               .options = options,
                               .null_text = null_text,
                               .null_code = MGL_NOT_FOUND};
}

void mgl_arrow_coder_free(mgl_arrow_coder *coder)
{
    raw_codes_free(&coder->raw);
    mgl_free(coder->entries);
}

void mgl_arrow_coder_empty(mgl_arrow_coder *coder)
{
    coder->rows = 0;
}

/* ---- New values ------------------------------------------------------------------------------ */

static uint32_t code_of_null(mgl_arrow_coder *coder)
{
    if (coder->null_code == MGL_NOT_FOUND)
        coder->null_code = mgl_dictionary_add_missing(coder->column->dictionary, coder->null_text);
    return coder->null_code;
}

/* By the text. MGL_NOT_FOUND when memory is out. */
static uint32_t code_of_cell(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, size_t i)
{
    char room[MGL_ARROW_ROOM];
    if (mgl_arrow_is_null(cells, i))
        return code_of_null(coder);
    return mgl_code_of_value(coder->column, coder->options, mgl_arrow_show(cells, i, room));
}

/* ---- Entries of dictionaries ----------------------------------------------------------------- */

/* Makes room for the codes of n entries, none of which is known. */
static bool forget_entries(mgl_arrow_coder *coder, size_t n)
{
    if (!mgl_grow(&coder->entries, &coder->entries_capacity, n + 1, sizeof *coder->entries))
        return false;
    for (size_t i = 0; i < n; i++)
        coder->entries[i] = MGL_NOT_FOUND;
    coder->n_entries = n;
    coder->n_known = 0;
    return true;
}

/* Producers pass the same dictionary with each batch: the same buffers are the same entries.
 */
static bool is_known(const struct ArrowArray *a, const struct ArrowArray *b)
{
    return a != NULL && a->length == b->length && a->offset == b->offset &&
           a->n_buffers == b->n_buffers &&
           memcmp(a->buffers, b->buffers, (size_t)a->n_buffers * sizeof *a->buffers) == 0;
}

static bool know_entries(mgl_arrow_coder *coder, size_t column)
{
    const struct ArrowArray *array = coder->table->batches[coder->batch].children[column];
    if (is_known(coder->known, array->dictionary))
        return true;
    coder->known = array->dictionary;
    return forget_entries(coder, (size_t)array->dictionary->length);
}

MGL_SPECIALIZE uint64_t load_index(const char *values, size_t i, unsigned width)
{
    uint64_t index = 0;
    memcpy(&index, values + i * width, width);
    return index;
}

/* Codes of cells none of which is null; false if some entry is new, and the codes are of no use. */
MGL_SPECIALIZE bool all_known(const mgl_arrow_cells *cells, const uint32_t *entries,
                              uint32_t *codes, unsigned width)
{
    const char *values = (const char *)cells->values + cells->first * width;
    bool unknown = false;
    for (size_t i = 0; i < cells->n; i++) {
        codes[i] = entries[load_index(values, i, width)];
        unknown |= codes[i] == MGL_NOT_FOUND;
    }
    return !unknown;
}

static bool all_entries_known(const mgl_arrow_cells *cells, const uint32_t *entries,
                              uint32_t *codes)
{
    switch (cells->type->width) {
    case 1:
        return all_known(cells, entries, codes, 1);
    case 2:
        return all_known(cells, entries, codes, 2);
    case 4:
        return all_known(cells, entries, codes, 4);
    default:
        return all_known(cells, entries, codes, 8);
    }
}

static bool code_entries(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, bool dense,
                         uint32_t *codes)
{
    if (dense && all_entries_known(cells, coder->entries, codes))
        return true;
    mgl_arrow_cells entries =
        mgl_arrow_entries_of(coder->table, coder->batch, coder->column->source_index);
    for (size_t i = 0; i < cells->n; i++) {
        if (mgl_arrow_is_null(cells, i)) {
            codes[i] = code_of_null(coder);
        } else {
            size_t entry = mgl_arrow_index_at(cells, i);
            if (coder->entries[entry] == MGL_NOT_FOUND) {
                coder->entries[entry] = code_of_cell(coder, &entries, entry);
                coder->n_known++;
            }
            codes[i] = coder->entries[entry];
        }
        if (codes[i] == MGL_NOT_FOUND)
            return false;
    }
    return true;
}

MGL_SPECIALIZE void copy_codes(const mgl_arrow_cells *cells, const uint32_t *entries,
                               unsigned width, uint8_t *out)
{
    const char *values = (const char *)cells->values + cells->first * width;
    for (size_t i = 0; i < cells->n; i++)
        out[i] = (uint8_t)entries[load_index(values, i, width)];
}

/* Where all entries have codes and these fit into a byte, they go right into the column. None of
 * the cells is null. */
static bool store_known(mgl_arrow_coder *coder, const mgl_arrow_cells *cells)
{
    mgl_column *column = coder->column;
    if (!mgl_column_reserve(column, coder->rows, cells->n))
        return false;
    uint8_t *out = (uint8_t *)column->codes + coder->rows;
    switch (cells->type->width) {
    case 1:
        copy_codes(cells, coder->entries, 1, out);
        break;
    case 2:
        copy_codes(cells, coder->entries, 2, out);
        break;
    case 4:
        copy_codes(cells, coder->entries, 4, out);
        break;
    default:
        copy_codes(cells, coder->entries, 8, out);
    }
    return true;
}

/* ---- Bits ------------------------------------------------------------------------------------ */

static bool code_truths(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, uint32_t *codes)
{
    if (coder->entries == NULL && !forget_entries(coder, TRUTHS))
        return false;
    for (size_t i = 0; i < cells->n; i++) {
        bool null = mgl_arrow_is_null(cells, i);
        uint32_t *known =
            null ? &coder->null_code : &coder->entries[mgl_bit_at(cells->values, cells->first + i)];
        if (*known == MGL_NOT_FOUND)
            *known = code_of_cell(coder, cells, i);
        if ((codes[i] = *known) == MGL_NOT_FOUND)
            return false;
    }
    return true;
}

/* ---- Values by their bytes ------------------------------------------------------------------- */

/* Reading 16 bytes from here + 16 - n gives n times 0xff, then zeros. */
static const unsigned char keep[2 * KEY] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                            0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* The text ends before `end`, up to which bytes can be read. */
static inline mgl_raw_key key_of_text(mgl_span text, const char *end)
{
    mgl_raw_key key = {0, 0}, mask;
    if (text.size == 0)
        return key;
    if (end - text.data < KEY) {
        memcpy(&key, text.data, text.size);
        return key;
    }
    memcpy(&key, text.data, KEY);
    memcpy(&mask, keep + KEY - text.size, KEY);
    return (mgl_raw_key){key.low & mask.low, key.high & mask.high};
}

/* Numbers of up to 16 bytes, and those of 32 that fit into 16. */
static inline bool key_of_number(const char *value, unsigned width, mgl_raw_key *out)
{
    *out = (mgl_raw_key){0, 0};
    if (width <= KEY) {
        memcpy(out, value, width);
        return true;
    }
    int64_t words[4];
    memcpy(words, value, sizeof words);
    *out = (mgl_raw_key){(uint64_t)words[0], (uint64_t)words[1]};
    int64_t sign = words[1] < 0 ? -1 : 0;
    return words[2] == sign && words[3] == sign;
}

/* A view, or a wide number: false if it has no key. */
static bool find_key(const mgl_arrow_cells *cells, size_t i, mgl_raw_key *out)
{
    if (!mgl_arrow_is_text(cells->type))
        return key_of_number((const char *)cells->values + (cells->first + i) * cells->type->width,
                             cells->type->width, out);
    mgl_span text = mgl_arrow_text_at(cells, i);
    if (text.size > KEY)
        return false;
    *out = key_of_text(text, text.data + text.size);
    return true;
}

/* Codes a cell by its text, and remembers the code under its key; key NULL: it has none.
 * MGL_NOT_FOUND when memory is out. */
static __attribute__((noinline)) uint32_t
learn(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, size_t i, const mgl_raw_key *key)
{
    uint32_t code = code_of_cell(coder, cells, i);
    if (code == MGL_NOT_FOUND || key == NULL || raw_codes_put(&coder->raw, *key, code))
        return code;
    return MGL_NOT_FOUND;
}

/* By its key if that is known. False when memory is out. */
MGL_SPECIALIZE bool find_or_learn(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, size_t i,
                                  const mgl_raw_key *key, uint32_t *code)
{
    *code = key != NULL ? mgl_raw_codes_find(&coder->raw, *key) : MGL_NOT_FOUND;
    if (__builtin_expect(*code == MGL_NOT_FOUND, 0))
        *code = learn(coder, cells, i, key);
    return *code != MGL_NOT_FOUND;
}

/* Numbers of a width that is a constant where this is inlined. */
MGL_SPECIALIZE bool code_numbers(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, bool dense,
                                 uint32_t *codes, unsigned width)
{
    const char *values = (const char *)cells->values + cells->first * width;
    for (size_t i = 0; i < cells->n; i++) {
        mgl_raw_key key = {0, 0};
        bool null = !dense && mgl_arrow_is_null(cells, i);
        memcpy(&key, values + i * width, width);
        if (!find_or_learn(coder, cells, i, null ? NULL : &key, &codes[i]))
            return false;
    }
    return true;
}

MGL_SPECIALIZE int64_t load_offset(const char *offsets, size_t i, unsigned width)
{
    int32_t narrow;
    int64_t wide;
    if (width == sizeof narrow) {
        memcpy(&narrow, offsets + i * width, sizeof narrow);
        return narrow;
    }
    memcpy(&wide, offsets + i * width, sizeof wide);
    return wide;
}

/* Texts that lie one behind the other. */
MGL_SPECIALIZE bool code_texts(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, bool dense,
                               uint32_t *codes, unsigned width)
{
    const char *offsets = (const char *)cells->values + cells->first * width;
    int64_t begin = load_offset(offsets, 0, width), all = load_offset(offsets, cells->n, width);
    for (size_t i = 0; i < cells->n; i++) {
        int64_t stop = load_offset(offsets, i + 1, width), at = begin;
        size_t size = (size_t)(stop - begin);
        bool keyed = size <= KEY && (dense || !mgl_arrow_is_null(cells, i));
        mgl_raw_key key = {0, 0};
        begin = stop;
        if (keyed && size > 0)
            key = key_of_text((mgl_span){cells->bytes + at, size}, cells->bytes + all);
        if (!find_or_learn(coder, cells, i, keyed ? &key : NULL, &codes[i]))
            return false;
    }
    return true;
}

static bool code_others(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, bool dense,
                        uint32_t *codes)
{
    for (size_t i = 0; i < cells->n; i++) {
        mgl_raw_key key;
        bool null = !dense && mgl_arrow_is_null(cells, i);
        bool keyed = !null && find_key(cells, i, &key);
        if (!find_or_learn(coder, cells, i, keyed ? &key : NULL, &codes[i]))
            return false;
    }
    return true;
}

static bool code_values(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, bool dense,
                        uint32_t *codes)
{
    if (cells->type->kind == MGL_ARROW_TEXT)
        return code_texts(coder, cells, dense, codes, 4);
    if (cells->type->kind == MGL_ARROW_LARGE_TEXT)
        return code_texts(coder, cells, dense, codes, 8);
    switch (cells->type->width) {
    case 1:
        return code_numbers(coder, cells, dense, codes, 1);
    case 2:
        return code_numbers(coder, cells, dense, codes, 2);
    case 4:
        return code_numbers(coder, cells, dense, codes, 4);
    case 8:
        return code_numbers(coder, cells, dense, codes, 8);
    default:
        return code_others(coder, cells, dense, codes);
    }
}

/* ---- Rows ------------------------------------------------------------------------------------ */

static bool code_nulls(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, uint32_t *codes)
{
    for (size_t i = 0; i < cells->n; i++)
        codes[i] = code_of_null(coder);
    return cells->n == 0 || codes[0] != MGL_NOT_FOUND;
}

/* Is no cell null? */
static bool is_dense(const mgl_arrow_cells *cells)
{
    return cells->valid == NULL || mgl_bits_set(cells->valid, cells->first, cells->n) == cells->n;
}

static bool code_some(mgl_arrow_coder *coder, const mgl_arrow_cells *cells, uint32_t *codes)
{
    bool encoded = coder->table->columns[coder->column->source_index].encoded;
    if (encoded)
        return code_entries(coder, cells, is_dense(cells), codes);
    if (cells->type->kind == MGL_ARROW_NULL)
        return code_nulls(coder, cells, codes);
    if (cells->type->kind == MGL_ARROW_BOOL)
        return code_truths(coder, cells, codes);
    return code_values(coder, cells, is_dense(cells), codes);
}

static bool has_all_codes(const mgl_arrow_coder *coder)
{
    return coder->table->columns[coder->column->source_index].encoded &&
           coder->n_known == coder->n_entries && coder->column->width == 1;
}

/* Up to n rows of the current batch. */
static bool code_batch(mgl_arrow_coder *coder, size_t n)
{
    uint32_t codes[ROWS_AT_ONCE];
    size_t column = coder->column->source_index;
    mgl_arrow_cells cells = mgl_arrow_cells_of(coder->table, coder->batch, column);
    if (coder->table->columns[column].encoded && !know_entries(coder, column))
        return false;
    cells.first += coder->at;
    for (size_t end = coder->at + n; coder->at < end; coder->at += cells.n) {
        cells.n = end - coder->at < ROWS_AT_ONCE ? end - coder->at : ROWS_AT_ONCE;
        bool stored = has_all_codes(coder) && is_dense(&cells)
                          ? store_known(coder, &cells)
                          : code_some(coder, &cells, codes) &&
                                mgl_codes_store(coder->column, coder->rows, codes, cells.n);
        if (!stored)
            return false;
        coder->rows += cells.n;
        cells.first += cells.n;
    }
    return true;
}

bool mgl_arrow_coder_run(mgl_arrow_coder *coder, size_t n)
{
    while (n > 0) {
        size_t left = (size_t)coder->table->batches[coder->batch].length - coder->at;
        if (left == 0) {
            coder->batch++;
            coder->at = 0;
            continue;
        }
        size_t some = n < left ? n : left;
        if (!code_batch(coder, some))
            return false;
        n -= some;
    }
    return true;
}
