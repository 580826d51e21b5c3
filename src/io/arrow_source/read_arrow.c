/* Reads tables in memory as sources: requested columns are distributed among threads, each coded
 * from its first row to its last. The second pass makes records of texts. */
#include "io/arrow_source/arrow_source.h"
#include "io/intake/intake.h"

/* Up to 16 bytes, zeros behind them. */
typedef struct raw_key {
    uint64_t low, high;
} raw_key;
typedef struct raw_slot {
    raw_key key;
    uint32_t code; /* MGL_NOT_FOUND: the place is free */
} raw_slot;
/* All zero is empty, and finds nothing. */
typedef struct raw_codes {
    raw_slot *places; /* a power of two of them, at most half of them used */
    size_t n, n_places;
    unsigned shift;
} raw_codes;
static inline size_t raw_slot_of(const raw_codes *codes, raw_key key)
{
    uint64_t mixed = key.low ^ (key.high << 29 | key.high >> 35);
    return (mixed ^ mixed >> 32) * 0x9e3779b97f4a7c15u >> codes->shift;
}
/* MGL_NOT_FOUND: it was not put there. */
static inline uint32_t raw_codes_find(const raw_codes *codes, raw_key key)
{
    if (codes->places == NULL)
        return MGL_NOT_FOUND;
    size_t i = raw_slot_of(codes, key);
    for (;; i = (i + 1) & (codes->n_places - 1)) {
        const raw_slot *place = &codes->places[i];
        if (place->code == MGL_NOT_FOUND ||
            (place->key.low == key.low && place->key.high == key.high))
            return place->code;
    }
}
typedef struct arrow_coder {
    mgl_column *column;
    const mgl_arrow_table *table;
    const mgl_source_options *options;
    mgl_span null_text;
    size_t rows;  /* that the column has codes of */
    size_t batch; /* where the next row is */
    size_t at;
    uint32_t null_code;             /* MGL_NOT_FOUND before the first null */
    raw_codes raw;                  /* of numbers and short texts */
    const struct ArrowArray *known; /* the dictionary that entries are of; NULL: none */
    uint32_t *entries;              /* codes; MGL_NOT_FOUND of those that no row had so far */
    size_t entries_capacity;
    size_t n_entries, n_known; /* how many there are, and how many of them have a code */
} arrow_coder;
/* What a block of records keeps of a column. */
typedef struct arrow_texts {
    mgl_buffer made;                /* texts that are not in the table as they are returned */
    const struct ArrowArray *known; /* the dictionary that entries are of; NULL: none */
    mgl_field *entries;
    size_t entries_capacity;
} arrow_texts;
/* Records of some rows that follow each other. Most texts are where the table has them. */
typedef struct arrow_block {
    const mgl_arrow_table *table;
    mgl_span null_text;
    char delimiter;
    mgl_field *fields;
    arrow_texts *columns;
} arrow_block;
/* A block lives until it is filled anew. Free with mgl_arrow_block_free. */
enum { BLOCK_ROWS = 2048 };

enum { FIRST_PLACES = 256, MOST_PLACES = 1 << 21 };

static void put(raw_codes *codes, raw_key key, uint32_t code)
{
    size_t i = raw_slot_of(codes, key);
    while (codes->places[i].code != MGL_NOT_FOUND)
        i = (i + 1) & (codes->n_places - 1);
    codes->places[i] = (raw_slot){key, code};
    codes->n++;
}

static bool grow(raw_codes *codes)
{
    size_t n_places = codes->n_places > 0 ? codes->n_places * 4 : FIRST_PLACES;
    raw_codes larger = {.n_places = n_places, .shift = 64 - (unsigned)__builtin_ctzll(n_places)};
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
static bool raw_codes_put(raw_codes *codes, raw_key key, uint32_t code)
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

enum { ROWS_AT_ONCE = 512, KEY = 16, TRUTHS = 2 };

/* Which is the column in the table is its source_index. Free with arrow_coder_free. */
static void arrow_coder_init(arrow_coder *coder, mgl_column *column, const mgl_arrow_table *table,
                             const mgl_source_options *options, mgl_span null_text)
{
    *coder = (arrow_coder){.column = column,
                           .table = table,
                           .options = options,
                           .null_text = null_text,
                           .null_code = MGL_NOT_FOUND};
}

static void arrow_coder_free(arrow_coder *coder)
{
    mgl_free(coder->raw.places);
    mgl_free(coder->entries);
}

/* Forgets the codes of the rows so far; what they mean stays the same. */
static void arrow_coder_empty(arrow_coder *coder)
{
    coder->rows = 0;
}

static uint32_t code_of_null(arrow_coder *coder)
{
    if (coder->null_code == MGL_NOT_FOUND)
        coder->null_code = mgl_dictionary_add_missing(coder->column->dictionary, coder->null_text);
    return coder->null_code;
}

/* By the text. MGL_NOT_FOUND when memory is out. */
static uint32_t code_of_cell(arrow_coder *coder, const mgl_arrow_cells *cells, size_t i)
{
    char room[MGL_ARROW_ROOM];
    if (mgl_arrow_is_null(cells, i))
        return code_of_null(coder);
    return mgl_code_of_value(coder->column, coder->options, mgl_arrow_show(cells, i, room));
}

/* Makes room for the codes of n entries, none of which is known. */
static bool forget_entries(arrow_coder *coder, size_t n)
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

static bool know_entries(arrow_coder *coder, size_t column)
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

static bool code_entries(arrow_coder *coder, const mgl_arrow_cells *cells, bool dense,
                         uint32_t *codes)
{
    if (dense && MGL_BY_WIDTH(cells->type->width, all_known, cells, coder->entries, codes))
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

MGL_SPECIALIZE void copy_codes(const mgl_arrow_cells *cells, const uint32_t *entries, uint8_t *out,
                               unsigned width)
{
    const char *values = (const char *)cells->values + cells->first * width;
    for (size_t i = 0; i < cells->n; i++)
        out[i] = (uint8_t)entries[load_index(values, i, width)];
}

/* Where all entries have codes and these fit into a byte, they go right into the column. None of
 * the cells is null. */
static bool store_known(arrow_coder *coder, const mgl_arrow_cells *cells)
{
    mgl_column *column = coder->column;
    if (!mgl_column_reserve(column, coder->rows, cells->n))
        return false;
    uint8_t *out = (uint8_t *)column->codes + coder->rows;
    MGL_BY_WIDTH(cells->type->width, copy_codes, cells, coder->entries, out);
    return true;
}

static bool code_truths(arrow_coder *coder, const mgl_arrow_cells *cells, uint32_t *codes)
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

/* Reading 16 bytes from here + 16 - n gives n times 0xff, then zeros. */
static const unsigned char keep[2 * KEY] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                            0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

/* The text ends before `end`, up to which bytes can be read. */
static inline raw_key key_of_text(mgl_span text, const char *end)
{
    raw_key key = {0, 0}, mask;
    if (text.size == 0)
        return key;
    if (end - text.data < KEY) {
        memcpy(&key, text.data, text.size);
        return key;
    }
    memcpy(&key, text.data, KEY);
    memcpy(&mask, keep + KEY - text.size, KEY);
    return (raw_key){key.low & mask.low, key.high & mask.high};
}

/* Numbers of up to 16 bytes, and those of 32 that fit into 16. */
static inline bool key_of_number(const char *value, unsigned width, raw_key *out)
{
    *out = (raw_key){0, 0};
    if (width <= KEY) {
        memcpy(out, value, width);
        return true;
    }
    int64_t words[4];
    memcpy(words, value, sizeof words);
    *out = (raw_key){(uint64_t)words[0], (uint64_t)words[1]};
    int64_t sign = words[1] < 0 ? -1 : 0;
    return words[2] == sign && words[3] == sign;
}

/* A view, or a wide number: false if it has no key. */
static bool find_key(const mgl_arrow_cells *cells, size_t i, raw_key *out)
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
static __attribute__((noinline)) uint32_t learn(arrow_coder *coder, const mgl_arrow_cells *cells,
                                                size_t i, const raw_key *key)
{
    uint32_t code = code_of_cell(coder, cells, i);
    if (code == MGL_NOT_FOUND || key == NULL || raw_codes_put(&coder->raw, *key, code))
        return code;
    return MGL_NOT_FOUND;
}

/* By its key if that is known. False when memory is out. */
MGL_SPECIALIZE bool find_or_learn(arrow_coder *coder, const mgl_arrow_cells *cells, size_t i,
                                  const raw_key *key, uint32_t *code)
{
    *code = key != NULL ? raw_codes_find(&coder->raw, *key) : MGL_NOT_FOUND;
    if (__builtin_expect(*code == MGL_NOT_FOUND, 0))
        *code = learn(coder, cells, i, key);
    return *code != MGL_NOT_FOUND;
}

/* Numbers of a width that is a constant where this is inlined. */
MGL_SPECIALIZE bool code_numbers(arrow_coder *coder, const mgl_arrow_cells *cells, bool dense,
                                 uint32_t *codes, unsigned width)
{
    const char *values = (const char *)cells->values + cells->first * width;
    for (size_t i = 0; i < cells->n; i++) {
        raw_key key = {0, 0};
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
MGL_SPECIALIZE bool code_texts(arrow_coder *coder, const mgl_arrow_cells *cells, bool dense,
                               uint32_t *codes, unsigned width)
{
    const char *offsets = (const char *)cells->values + cells->first * width;
    int64_t begin = load_offset(offsets, 0, width), all = load_offset(offsets, cells->n, width);
    for (size_t i = 0; i < cells->n; i++) {
        int64_t stop = load_offset(offsets, i + 1, width), at = begin;
        size_t size = (size_t)(stop - begin);
        bool keyed = size <= KEY && (dense || !mgl_arrow_is_null(cells, i));
        raw_key key = {0, 0};
        begin = stop;
        if (keyed && size > 0)
            key = key_of_text((mgl_span){cells->bytes + at, size}, cells->bytes + all);
        if (!find_or_learn(coder, cells, i, keyed ? &key : NULL, &codes[i]))
            return false;
    }
    return true;
}

static bool code_others(arrow_coder *coder, const mgl_arrow_cells *cells, bool dense,
                        uint32_t *codes)
{
    for (size_t i = 0; i < cells->n; i++) {
        raw_key key;
        bool null = !dense && mgl_arrow_is_null(cells, i);
        bool keyed = !null && find_key(cells, i, &key);
        if (!find_or_learn(coder, cells, i, keyed ? &key : NULL, &codes[i]))
            return false;
    }
    return true;
}

static bool code_values(arrow_coder *coder, const mgl_arrow_cells *cells, bool dense,
                        uint32_t *codes)
{
    if (cells->type->kind == MGL_ARROW_TEXT)
        return code_texts(coder, cells, dense, codes, 4);
    if (cells->type->kind == MGL_ARROW_LARGE_TEXT)
        return code_texts(coder, cells, dense, codes, 8);
    if (cells->type->width > 8)
        return code_others(coder, cells, dense, codes);
    return MGL_BY_WIDTH(cells->type->width, code_numbers, coder, cells, dense, codes);
}

static bool code_nulls(arrow_coder *coder, const mgl_arrow_cells *cells, uint32_t *codes)
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

static bool code_some(arrow_coder *coder, const mgl_arrow_cells *cells, uint32_t *codes)
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

static bool has_all_codes(const arrow_coder *coder)
{
    return coder->table->columns[coder->column->source_index].encoded &&
           coder->n_known == coder->n_entries && coder->column->width == 1;
}

/* Up to n rows of the current batch. */
static bool code_batch(arrow_coder *coder, size_t n)
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

/* Appends the codes of the next n rows. False when memory is out. */
static bool arrow_coder_run(arrow_coder *coder, size_t n)
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

static mgl_status arrow_block_init(arrow_block *block, const mgl_arrow_table *table,
                                   mgl_span null_text, char delimiter, mgl_error *err)
{
    *block = (arrow_block){.table = table, .null_text = null_text, .delimiter = delimiter};
    block->fields = mgl_alloc_array(table->n_columns, BLOCK_ROWS * sizeof(mgl_field));
    block->columns = mgl_zeroed_array(table->n_columns, sizeof *block->columns);
    return block->fields == NULL || block->columns == NULL ? mgl_fail_memory(err) : MGL_OK;
}

static void arrow_block_free(arrow_block *block)
{
    for (size_t c = 0; block->columns != NULL && c < block->table->n_columns; c++) {
        mgl_buffer_free(&block->columns[c].made);
        mgl_free(block->columns[c].entries);
    }
    mgl_free(block->columns);
    mgl_free(block->fields);
}

static bool needs_quotes(mgl_span text, char delimiter)
{
    uint64_t found = 0;
    for (size_t i = 0; i < text.size; i++) {
        char byte = text.data[i];
        found |= (byte == delimiter) | (byte == '"') | (byte == '\n') | (byte == '\r');
    }
    return found != 0;
}

/* The field of a text. What is made anew is put into room that was reserved, so that it stays. */
static mgl_field field_of(const arrow_block *block, mgl_span text, bool lasts, mgl_buffer *made)
{
    bool alone = block->table->n_columns == 1 && text.size == 0;
    bool quoted = alone || needs_quotes(text, block->delimiter);
    if (lasts && !quoted)
        return (mgl_field){text.data, (uint32_t)text.size, false};
    size_t at = made->size;
    mgl_text_quote(made, text, block->delimiter, alone);
    return (mgl_field){made->data + at, (uint32_t)(made->size - at), quoted};
}

/* Room for the fields of the cells from first on, whatever they are. */
static bool reserve(mgl_buffer *made, const mgl_arrow_cells *cells)
{
    enum { QUOTES = 2, WORST = 2 }; /* each byte a quote */
    size_t most = 0;
    made->size = 0;
    if (!mgl_arrow_is_text(cells->type))
        return mgl_buffer_reserve(made, cells->n * MGL_ARROW_ROOM);
    for (size_t i = 0; i < cells->n; i++)
        if (!mgl_arrow_is_null(cells, i))
            most += WORST * mgl_arrow_text_at(cells, i).size + QUOTES;
    return mgl_buffer_reserve(made, most);
}

static mgl_field field_at(const arrow_block *block, const mgl_arrow_cells *cells, size_t i,
                          mgl_field null, mgl_buffer *made)
{
    char room[MGL_ARROW_ROOM];
    if (mgl_arrow_is_null(cells, i))
        return null;
    return field_of(block, mgl_arrow_show(cells, i, room), mgl_arrow_is_text(cells->type), made);
}

static bool make_entry_fields(const arrow_block *block, size_t batch, size_t c, mgl_field null)
{
    arrow_texts *texts = &block->columns[c];
    const struct ArrowArray *dictionary = block->table->batches[batch].children[c]->dictionary;
    if (texts->known == dictionary)
        return true;
    mgl_arrow_cells entries = mgl_arrow_entries_of(block->table, batch, c);
    texts->known = NULL;
    if (!reserve(&texts->made, &entries) ||
        !mgl_grow(&texts->entries, &texts->entries_capacity, entries.n, sizeof *texts->entries))
        return false;
    for (size_t e = 0; e < entries.n; e++)
        texts->entries[e] = field_at(block, &entries, e, null, &texts->made);
    texts->known = dictionary;
    return true;
}

static bool fill_encoded(const arrow_block *block, size_t batch, size_t c, mgl_arrow_cells cells,
                         mgl_field null)
{
    size_t stride = block->table->n_columns;
    if (!make_entry_fields(block, batch, c, null))
        return false;
    const mgl_field *entries = block->columns[c].entries;
    for (size_t i = 0; i < cells.n; i++)
        block->fields[i * stride + c] =
            mgl_arrow_is_null(&cells, i) ? null : entries[mgl_arrow_index_at(&cells, i)];
    return true;
}

static bool fill_plain(const arrow_block *block, size_t c, mgl_arrow_cells cells, mgl_field null)
{
    size_t stride = block->table->n_columns;
    mgl_buffer *made = &block->columns[c].made;
    if (!reserve(made, &cells))
        return false;
    for (size_t i = 0; i < cells.n; i++)
        block->fields[i * stride + c] = field_at(block, &cells, i, null, made);
    return true;
}

/* Null as a field, which lives as long as its text does: it is quoted when it is chosen. */
static mgl_field null_field(const arrow_block *block)
{
    static const char alone[] = "\"\"";
    mgl_span text = block->null_text;
    if (text.size == 0 && block->table->n_columns == 1)
        return (mgl_field){alone, 2, true};
    return (mgl_field){text.data, (uint32_t)text.size, text.size > 0 && text.data[0] == '"'};
}

/* Rows first to first + n of a batch, at most BLOCK_ROWS. False when memory is out. */
static bool arrow_block_fill(arrow_block *block, size_t batch, size_t first, size_t n)
{
    mgl_field null = null_field(block);
    for (size_t c = 0; c < block->table->n_columns; c++) {
        mgl_arrow_cells cells = mgl_arrow_cells_of(block->table, batch, c);
        cells.first += first;
        cells.n = n;
        bool filled = block->table->columns[c].encoded ? fill_encoded(block, batch, c, cells, null)
                                                       : fill_plain(block, c, cells, null);
        if (!filled)
            return false;
    }
    return true;
}

enum { ROWS_BETWEEN_REPORTS = 1 << 20, BLOCKS = 2 };

typedef struct arrow_state {
    mgl_arrow_table *table; /* held */
    char *name;
    mgl_buffer null_copy; /* the text of null: options change while a source is open */
    mgl_span null_text;
    mgl_buffer null_field; /* the same, quoted if it must be */
    mgl_column_meta *meta;
    arrow_block blocks[BLOCKS]; /* alternately, so that records last */
    bool has_blocks;
    size_t turn, batch, row; /* of the second pass */
} arrow_state;

static mgl_cell_kind kind_of(const mgl_arrow_type *type)
{
    switch (type->kind) {
    case MGL_ARROW_SIGNED:
    case MGL_ARROW_UNSIGNED:
    case MGL_ARROW_FLOAT:
    case MGL_ARROW_DECIMAL:
        return MGL_CELLS_NUMBER;
    case MGL_ARROW_DAY:
        return MGL_CELLS_DATE;
    case MGL_ARROW_MOMENT:
        return MGL_CELLS_DATETIME;
    default:
        return MGL_CELLS_TEXT;
    }
}

static mgl_status name_columns(mgl_source *source, mgl_error *err)
{
    arrow_state *s = source->state;
    for (size_t c = 0; c < s->table->n_columns; c++) {
        const mgl_arrow_column *column = &s->table->columns[c];
        MGL_TRY(mgl_source_name_column(source, mgl_span_of(column->name), 0, err));
        s->meta[c].kind = kind_of(&column->type);
    }
    source->meta = s->meta;
    return MGL_OK;
}

/* The first token that means missing, that of the options, or a text that no value of the table
 * equals. */
static mgl_status choose_null(mgl_source *source, mgl_error *err)
{
    arrow_state *s = source->state;
    const mgl_source_options *options = source->options;
    char found[MGL_ARROW_NULL_TEXT];
    mgl_span text = options->n_missing > 0 ? options->missing[0] : options->no_value;
    if (text.data == NULL) {
        mgl_arrow_null_text(s->table, found);
        text = mgl_span_of(found);
    }
    mgl_buffer_span(&s->null_copy, text);
    mgl_buffer_append(&s->null_copy, "", 1); /* never NULL */
    mgl_text_quote(&s->null_field, text, source->dialect.delimiter, false);
    mgl_buffer_append(&s->null_field, "", 1);
    s->null_text = (mgl_span){s->null_copy.data, text.size};
    return s->null_copy.failed || s->null_field.failed ? mgl_fail_memory(err) : MGL_OK;
}

/* The table of the location, unless the source has one already. */
static mgl_arrow_table *find_table(const mgl_source *source, const char *location)
{
    if (source->arrow != NULL)
        return source->arrow;
    const mgl_memory_object *object = mgl_memory_find(location);
    return object != NULL ? object->table : NULL;
}

static mgl_status arrow_open(mgl_source *source, const mgl_location *location, mgl_error *err)
{
    const char *name = location->text;
    arrow_state *s = source->state = mgl_zeroed_array(1, sizeof *s);
    mgl_arrow_table *table = find_table(source, name);
    MGL_TRY(mgl_check_memory(s != NULL, err));
    if (table == NULL)
        return mgl_fail_at(err, MGL_CODE_NOT_FOUND, name, 0, "there is no such table in memory");
    source->arrow = s->table = mgl_arrow_retain(table);
    s->name = mgl_alloc(strlen(name) + 1);
    s->meta = mgl_zeroed_array(table->n_columns, sizeof *s->meta);
    MGL_TRY(mgl_check_memory(s->name != NULL && s->meta != NULL, err));
    source->name = strcpy(s->name, name);
    MGL_TRY(name_columns(source, err));
    MGL_TRY(choose_null(source, err));
    if (table->n_rows == 0 && !source->options->may_be_empty)
        return mgl_fail_at(err, MGL_CODE_EMPTY_TABLE, name, 0, "there are no rows");
    return MGL_OK;
}

static void arrow_close(mgl_source *source)
{
    arrow_state *s = source->state;
    if (s == NULL)
        return;
    for (size_t i = 0; s->has_blocks && i < BLOCKS; i++)
        arrow_block_free(&s->blocks[i]);
    mgl_buffer_free(&s->null_copy);
    mgl_buffer_free(&s->null_field);
    mgl_free(s->meta);
    mgl_free(s->name);
    mgl_arrow_release(s->table);
    mgl_free(s);
}

typedef struct arrow_pass {
    mgl_table *table;
    arrow_coder *coders; /* one for each column of the table */
    bool *failed;
    size_t rows; /* to code now */
} arrow_pass;

static void code_column(void *context, size_t item, unsigned worker)
{
    (void)worker;
    arrow_pass *p = context;
    p->failed[item] = !arrow_coder_run(&p->coders[item], p->rows);
}

static mgl_status give_rows(arrow_pass *p, const mgl_row_sink *sink, mgl_error *err)
{
    MGL_TRY(sink->take(sink->context, p->table, err));
    for (size_t c = 0; c < p->table->n_columns; c++)
        arrow_coder_empty(&p->coders[c]);
    p->table->n_rows = 0;
    return MGL_OK;
}

static mgl_status run_pass(arrow_pass *p, const mgl_source *source, mgl_pool *pool,
                           const mgl_progress *progress, mgl_error *err)
{
    const arrow_state *s = source->state;
    const mgl_row_sink *sink = source->sink;
    size_t all = (size_t)s->table->n_rows, step = sink != NULL ? sink->rows : ROWS_BETWEEN_REPORTS;
    for (size_t done = 0; done < all; done += p->rows) {
        MGL_TRY(mgl_progress_report(progress, "read", done, all, err));
        p->rows = all - done < step ? all - done : step;
        mgl_pool_run(pool, p->table->n_columns, code_column, p);
        for (size_t c = 0; c < p->table->n_columns; c++)
            if (p->failed[c])
                return mgl_fail_memory(err);
        p->table->n_rows += p->rows;
        if (sink != NULL)
            MGL_TRY(give_rows(p, sink, err));
    }
    return mgl_progress_report(progress, "read", all, all, err);
}

static mgl_status begin_pass(arrow_pass *p, const mgl_source *source, mgl_error *err)
{
    const arrow_state *s = source->state;
    size_t n = p->table->n_columns, rows = (size_t)s->table->n_rows;
    p->coders = mgl_zeroed_array(n, sizeof *p->coders);
    p->failed = mgl_zeroed_array(n, sizeof *p->failed);
    MGL_TRY(mgl_check_memory(p->coders != NULL && p->failed != NULL, err));
    if (source->sink != NULL && rows > source->sink->rows)
        rows = source->sink->rows;
    for (size_t c = 0; c < n; c++) {
        arrow_coder_init(&p->coders[c], &p->table->columns[c], s->table, source->options,
                         s->null_text);
        MGL_TRY(mgl_check_memory(mgl_column_reserve_all(&p->table->columns[c], rows), err));
    }
    return MGL_OK;
}

static mgl_status arrow_read(mgl_source *source, mgl_table *table, mgl_pool *pool,
                             const mgl_progress *progress, mgl_error *err)
{
    arrow_pass p = {.table = table};
    mgl_status status = MGL_OK;
    MGL_GO(begin_pass(&p, source, err));
    MGL_GO(run_pass(&p, source, pool, progress, err));
done:
    for (size_t c = 0; p.coders != NULL && c < table->n_columns; c++)
        arrow_coder_free(&p.coders[c]);
    mgl_free(p.coders);
    mgl_free(p.failed);
    return status;
}

static mgl_status arrow_rewind(mgl_source *source, mgl_error *err)
{
    arrow_state *s = source->state;
    mgl_span null = {s->null_field.data, s->null_field.size - 1};
    s->batch = s->row = 0;
    if (s->has_blocks)
        return MGL_OK;
    s->has_blocks = true;
    for (size_t i = 0; i < BLOCKS; i++)
        MGL_TRY(arrow_block_init(&s->blocks[i], s->table, null, source->dialect.delimiter, err));
    return MGL_OK;
}

static mgl_status arrow_next(mgl_source *source, mgl_error *err, mgl_records *out)
{
    arrow_state *s = source->state;
    const mgl_arrow_table *table = s->table;
    for (; s->batch < table->n_batches && s->row == (size_t)table->batches[s->batch].length;
         s->row = 0)
        s->batch++;
    *out = (mgl_records){.n_fields = table->n_columns};
    if (s->batch == table->n_batches)
        return MGL_OK;
    size_t left = (size_t)table->batches[s->batch].length - s->row;
    size_t n = left < BLOCK_ROWS ? left : BLOCK_ROWS;
    arrow_block *block = &s->blocks[s->turn++ % BLOCKS];
    MGL_TRY(mgl_check_memory(arrow_block_fill(block, s->batch, s->row, n), err));
    out->fields = block->fields;
    out->n_records = n;
    out->first_line = table->first_rows[s->batch] + s->row + 1;
    s->row += n;
    return MGL_OK;
}

const mgl_source_operations mgl_arrow_operations = {
    .open = arrow_open,
    .close = arrow_close,
    .read = arrow_read,
    .rewind = arrow_rewind,
    .next = arrow_next,
    .streams = true,
    .lasts = true,
};

const mgl_format mgl_arrow_format = {
    .name = "arrow",
    .help = "a table in memory that a program hands over: memory:NAME",
    .source = &mgl_arrow_operations,
    .in_memory = true,
    .columns = true,
    .most_rows = UINT32_MAX - 1, /* rows of releases in memory have numbers of 32 bits */
};
