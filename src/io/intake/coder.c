/* Turns the cells of a column into codes. Most cells of a table repeat a few short texts, so each
 * column has a cache with one slot per text, looked up by the bytes as they stand in the file
 * (quotes included): a field is loaded into one or two 16-byte lanes, hashed and compared, without
 * a loop or a branch that depends on its length. Only a miss takes the slow path over unquoting,
 * missing tokens and the dictionary. Several blocks are coded at once as if one came after the
 * other. */
#include "io/intake/intake.h"

enum {
    LONGEST = 32,     /* bytes of a field that fit into a place of the cache */
    NARROW = 16,      /* bytes of one lane: enough for many columns, and faster */
    FIRST_PLACES = 4, /* a table can have a million columns; more follow at once where needed */
    MOST_PLACES = 16384,
    ROWS_AT_ONCE = 512,
    CHUNK = 256 /* rows at a time, at most, where blocks are coded out of order */
};

/* Rows that several blocks fill out of order. */
typedef struct code_rows {
    size_t row; /* of the first record */
    size_t end; /* behind the last row that has a code, or room for one */
} code_rows;

/* A vector type of gcc and clang; it becomes NEON or SSE. */
typedef uint64_t lanes __attribute__((vector_size(16)));

/* 64 bytes each, so that the address of a place is a shift away from its hash. */
typedef struct place {
    lanes text[2];
    uint32_t code;
    uint32_t unused[7];
} place;

struct mgl_coder {
    mgl_column *column;
    const mgl_source_options *options;
    size_t rows;
    place *places;
    unsigned n_places;
    unsigned shift;        /* 64 - log2 n_places */
    bool wide;             /* some field was longer than NARROW */
    bool steady;           /* nothing had to be learnt lately */
    unsigned learnt_again; /* fields that had lost their place to another */
    mgl_buffer scratch;
};

/* Reading 32 bytes from here + LONGEST - n gives n times 0xff, then zeros. */
static const _Alignas(2 * LONGEST) unsigned char keep[2 * LONGEST] = {
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
    0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
};

static bool set_places(mgl_coder *coder, unsigned n_places)
{
    place *places = mgl_alloc_array(n_places, sizeof *places);
    if (places == NULL)
        return false;
    /* 0xff is in no UTF-8 text, so an unused place is never found. */
    memset(places, 0xff, n_places * sizeof *places);
    mgl_free(coder->places);
    coder->places = places;
    coder->n_places = n_places;
    coder->learnt_again = 0;
    coder->shift = 64 - (unsigned)__builtin_ctz(n_places);
    return true;
}

mgl_coder *mgl_coder_new(mgl_column *column, const mgl_source_options *options)
{
    mgl_coder *coder = mgl_zeroed_array(1, sizeof *coder);
    if (coder == NULL)
        return NULL;
    coder->column = column;
    coder->options = options;
    if (!set_places(coder, FIRST_PLACES)) {
        mgl_coder_free(coder);
        return NULL;
    }
    return coder;
}

void mgl_coder_free(mgl_coder *coder)
{
    if (coder == NULL)
        return;
    mgl_free(coder->places);
    mgl_buffer_free(&coder->scratch);
    mgl_free(coder);
}

bool mgl_coder_expect(mgl_coder *coder, size_t rows)
{
    return mgl_column_reserve(coder->column, coder->rows, rows);
}

uint32_t mgl_code_of_value(const mgl_column *column, const mgl_source_options *options,
                           mgl_span value)
{
    size_t n = mgl_missing_tokens(options, column->role);
    for (size_t i = 0; i < n; i++)
        if (mgl_span_equal(value, options->missing[i]))
            return mgl_dictionary_add_missing(column->dictionary, options->missing[0]);
    return mgl_dictionary_add(column->dictionary, value);
}

/* The slow way; MGL_NOT_FOUND when memory is out. */
static uint32_t code_of_field(mgl_coder *coder, mgl_span text)
{
    mgl_field field = {.data = text.data,
                       .size = (uint32_t)text.size,
                       .quoted = text.size > 0 && text.data[0] == '"'};
    mgl_span value = mgl_field_value(field, &coder->scratch);
    return coder->scratch.failed ? MGL_NOT_FOUND
                                 : mgl_code_of_value(coder->column, coder->options, value);
}

/* 16 bytes from text + offset on, zeros from text + size on. No text has zeros of its own. */
static inline lanes load(const char *text, size_t size, size_t offset)
{
    lanes bytes, mask;
    const unsigned char *masks = keep + LONGEST - size;
    memcpy(&bytes, text + offset, sizeof bytes);
    memcpy(&mask, masks + offset, sizeof mask);
    return bytes & mask;
}

static inline size_t place_of(lanes sum, unsigned shift)
{
    return (sum[0] + sum[1]) * 0x9e3779b97f4a7c15u >> shift;
}

/* A text the cache does not have; it gets a place there if it is short. */
static __attribute__((noinline)) uint32_t learn(mgl_coder *coder, mgl_span text)
{
    coder->steady = false;
    uint32_t known = mgl_dictionary_size(coder->column->dictionary);
    uint32_t code = code_of_field(coder, text);
    if (code == MGL_NOT_FOUND || text.size > LONGEST)
        return code;
    /* Texts that keep taking each other's place get more room. The result is the same
     * without, so running out of memory is no fault here. */
    if (code < known && ++coder->learnt_again > coder->n_places && coder->n_places < MOST_PLACES)
        set_places(coder, coder->n_places * 4);
    lanes a = load(text.data, text.size, 0), b = load(text.data, text.size, 16);
    coder->wide |= text.size > NARROW;
    place *p = &coder->places[place_of(a + b, coder->shift)];
    p->text[0] = a;
    p->text[1] = b;
    p->code = code;
    return code;
}

/* The field that ends before data + end[0]. */
static inline mgl_span field_at(const char *data, const uint32_t *end, bool ends_in_cr)
{
    const char *text = data + (uint32_t)(end[-1] + 1);
    size_t size = (size_t)(data + end[0] - text);
    if (ends_in_cr && size > 0 && text[size - 1] == '\r')
        size--;
    return (mgl_span){text, size};
}

/* The place where the text would be; bits in which what is there differs are added to differ. */
static inline const place *look_up(mgl_span text, const place *places, unsigned shift, bool wide,
                                   lanes *differ)
{
    lanes a = load(text.data, text.size, 0), b = {0};
    if (wide)
        b = load(text.data, text.size, 16);
    const place *p = &places[place_of(a + b, shift)];
    *differ |= p->text[0] ^ a;
    if (wide)
        *differ |= p->text[1] ^ b;
    return p;
}

/* The codes of n records if the cache has all their texts. Whether it has is asked once at
 * the end, which saves a sixth of the time; if it has not, the codes are of no use. */
MGL_SPECIALIZE bool code_known(const mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n,
                               bool ends_in_cr, bool wide, uint32_t *codes)
{
    const uint32_t *end = cuts->ends + first * cuts->n_fields + coder->column->source_index;
    const char *data = cuts->data;
    const place *places = coder->places;
    const unsigned shift = coder->shift;
    lanes differ = {0};
    for (size_t r = 0; r < n; r++, end += cuts->n_fields) {
        mgl_span text = field_at(data, end, ends_in_cr);
        if (__builtin_expect(text.size > (wide ? LONGEST : NARROW), 0))
            return false;
        codes[r] = look_up(text, places, shift, wide, &differ)->code;
    }
    return (differ[0] | differ[1]) == 0;
}

/* The codes of up to n records; returns how many before the coder changed, or n + 1 when
 * memory is out. */
MGL_SPECIALIZE size_t code_some(mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n,
                                bool ends_in_cr, bool wide, uint32_t *codes)
{
    const uint32_t *end = cuts->ends + first * cuts->n_fields + coder->column->source_index;
    const char *data = cuts->data;
    const place *places = coder->places;
    const unsigned shift = coder->shift;
    for (size_t r = 0; r < n; r++, end += cuts->n_fields) {
        mgl_span text = field_at(data, end, ends_in_cr);
        if (__builtin_expect(text.size <= (wide ? LONGEST : NARROW), 1)) {
            lanes differ = {0};
            const place *p = look_up(text, places, shift, wide, &differ);
            if (__builtin_expect((differ[0] | differ[1]) == 0, 1)) {
                codes[r] = p->code;
                continue;
            }
        }
        codes[r] = learn(coder, text);
        if (codes[r] == MGL_NOT_FOUND)
            return n + 1;
        if (places != coder->places || wide != coder->wide)
            return r + 1;
    }
    return n;
}

/* As code_some, but first as if all values were known. ends_in_cr and wide are constants where this
 * is inlined. */
MGL_SPECIALIZE size_t code_fast(mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n,
                                bool ends_in_cr, bool wide, uint32_t *codes)
{
    if (coder->steady && code_known(coder, cuts, first, n, ends_in_cr, wide, codes))
        return n;
    coder->steady = true; /* until something is learnt */
    return code_some(coder, cuts, first, n, ends_in_cr, wide, codes);
}

static bool code_records(mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n,
                         uint32_t *codes)
{
    bool ends_in_cr = cuts->carriage_returns && coder->column->source_index + 1 == cuts->n_fields;
    while (n > 0) {
        size_t done = ends_in_cr && coder->wide
                          ? code_fast(coder, cuts, first, n, true, true, codes)
                      : ends_in_cr  ? code_fast(coder, cuts, first, n, true, false, codes)
                      : coder->wide ? code_fast(coder, cuts, first, n, false, true, codes)
                                    : code_fast(coder, cuts, first, n, false, false, codes);
        if (done > n)
            return false;
        first += done;
        codes += done;
        n -= done;
    }
    return true;
}

static void narrow_to_2(const uint32_t *restrict codes, size_t n, uint16_t *restrict to)
{
    size_t i = 0;
    for (; i + 16 <= n; i += 16)
        for (size_t j = 0; j < 16; j++)
            to[i + j] = (uint16_t)codes[i + j];
    for (; i < n; i++)
        to[i] = (uint16_t)codes[i];
}

/* There is room, and the width will do. */
static void put_codes(const mgl_column *column, size_t rows, const uint32_t *codes, size_t n)
{
    if (column->width == 1) {
        /* In steps of 16, which compilers turn into vector code; gcc -O2 does not do that for a
         * plain loop.
         */
        uint8_t *restrict to = (uint8_t *)column->codes + rows;
        size_t i = 0;
        for (; i + 16 <= n; i += 16)
            for (size_t j = 0; j < 16; j++)
                to[i + j] = (uint8_t)codes[i + j];
        for (; i < n; i++)
            to[i] = (uint8_t)codes[i];
    } else if (column->width == 2) {
        narrow_to_2(codes, n, (uint16_t *)column->codes + rows);
    } else {
        memcpy((uint32_t *)column->codes + rows, codes, n * sizeof *codes);
    }
}

bool mgl_codes_store(mgl_column *column, size_t rows, const uint32_t *codes, size_t n)
{
    uint32_t largest = mgl_dictionary_size(column->dictionary) - 1;
    if (!mgl_column_widen(column, rows, largest) || !mgl_column_reserve(column, rows, n))
        return false;
    put_codes(column, rows, codes, n);
    return true;
}

bool mgl_coder_run(mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n)
{
    uint32_t codes[ROWS_AT_ONCE];
    while (n > 0) {
        size_t some = n < ROWS_AT_ONCE ? n : ROWS_AT_ONCE;
        if (!code_records(coder, cuts, first, some, codes) ||
            !mgl_codes_store(coder->column, coder->rows, codes, some))
            return false;
        coder->rows += some;
        first += some;
        n -= some;
    }
    return true;
}

/* Puts the codes of n records from first on at a row, if all their texts are known; there must be
 * room. Several threads may try at once, different rows, while no thread learns. */
static bool coder_try(const mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n,
                      size_t row)
{
    uint32_t codes[CHUNK];
    bool ends_in_cr = cuts->carriage_returns && coder->column->source_index + 1 == cuts->n_fields;
    bool known = ends_in_cr && coder->wide ? code_known(coder, cuts, first, n, true, true, codes)
                 : ends_in_cr              ? code_known(coder, cuts, first, n, true, false, codes)
                 : coder->wide             ? code_known(coder, cuts, first, n, false, true, codes)
                                           : code_known(coder, cuts, first, n, false, false, codes);
    if (known)
        put_codes(coder->column, row, codes, n);
    return known;
}

/* Puts the codes there in any case. *new: some text was not known. False when memory is out. */
static bool coder_learn(mgl_coder *coder, const mgl_cuts *cuts, size_t first, size_t n,
                        code_rows rows, bool *new)
{
    uint32_t codes[CHUNK];
    coder->steady = false;
    if (!code_records(coder, cuts, first, n, codes))
        return false;
    *new = !coder->steady;
    uint32_t largest = mgl_dictionary_size(coder->column->dictionary) - 1;
    if (!mgl_column_widen(coder->column, rows.end, largest))
        return false;
    put_codes(coder->column, rows.row, codes, n);
    return true;
}

void mgl_coder_empty(mgl_coder *coder)
{
    coder->rows = 0;
}

void mgl_coder_finish(mgl_coder *coder)
{
    mgl_column *column = coder->column;
    void *codes = mgl_realloc_array(column->codes, coder->rows, column->width);
    if (codes == NULL)
        return;
    column->codes = codes;
    column->capacity = coder->rows;
}

/* ---- Several blocks at once ------------------------------------------------------------------ */

enum { MUCH = 4 }; /* one chunk in so many needs learning: trying first does not pay */

mgl_status mgl_block_coding_init(mgl_block_coding *coding, mgl_coder **coders, size_t n_coders,
                                 mgl_error *err)
{
    *coding = (mgl_block_coding){.coders = coders, .n_coders = n_coders};
    coding->learns = mgl_zeroed_array(n_coders, sizeof *coding->learns);
    coding->failed = mgl_zeroed_array(n_coders, sizeof *coding->failed);
    return coding->learns == NULL || coding->failed == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_block_coding_free(mgl_block_coding *coding)
{
    for (size_t b = 0; b < MGL_WAVE_BLOCKS; b++)
        mgl_free(coding->known[b]);
    mgl_free(coding->learns);
    mgl_free(coding->failed);
    *coding = (mgl_block_coding){0};
}

static size_t chunks_of(const mgl_block_coding *coding, size_t block)
{
    return (coding->blocks[block].cuts.n_records + CHUNK - 1) / CHUNK;
}

static size_t chunk_rows(const mgl_cuts *cuts, size_t first)
{
    size_t left = cuts->n_records - first;
    return left < CHUNK ? left : CHUNK;
}

mgl_status mgl_block_coding_begin(mgl_block_coding *coding, const mgl_wave_block *blocks, size_t n,
                                  size_t rows_before, mgl_error *err)
{
    coding->blocks = blocks;
    coding->n_blocks = n;
    coding->first[0] = rows_before;
    for (size_t b = 0; b < n; b++) {
        size_t flags = chunks_of(coding, b) * coding->n_coders;
        coding->first[b + 1] = coding->first[b] + blocks[b].cuts.n_records;
        MGL_TRY(mgl_grow_array(&coding->known[b], &coding->room[b], flags, sizeof *coding->known[b],
                               err));
        if (flags > 0)
            memset(coding->known[b], 0, flags * sizeof *coding->known[b]);
    }
    for (size_t i = 0; i < coding->n_coders; i++)
        MGL_TRY(mgl_check_memory(
            mgl_coder_expect(coding->coders[i], coding->first[n] - rows_before), err));
    return MGL_OK;
}

/* A chunk of rows at a time, so that its text stays in the nearest cache while the columns are
 * coded one after another. */
void mgl_block_coding_try(mgl_block_coding *coding, size_t block)
{
    const mgl_cuts *cuts = &coding->blocks[block].cuts;
    bool *known = coding->known[block];
    for (size_t first = 0; first < cuts->n_records; first += CHUNK)
        for (size_t i = 0; i < coding->n_coders; i++)
            *known++ = !coding->learns[i] &&
                       coder_try(coding->coders[i], cuts, first, chunk_rows(cuts, first),
                                 coding->first[block] + first);
}

bool mgl_block_coding_lacks(const mgl_block_coding *coding)
{
    for (size_t b = 0; b < coding->n_blocks; b++) {
        size_t flags = chunks_of(coding, b) * coding->n_coders;
        if (flags > 0 && memchr(coding->known[b], 0, flags) != NULL)
            return true;
    }
    return false;
}

void mgl_block_coding_learn(mgl_block_coding *coding, size_t column)
{
    mgl_coder *coder = coding->coders[column];
    size_t chunks = 0, learnt = 0, end = coding->first[coding->n_blocks];
    for (size_t b = 0; b < coding->n_blocks; b++) {
        const mgl_cuts *cuts = &coding->blocks[b].cuts;
        const bool *known = coding->known[b] + column;
        for (size_t first = 0; first < cuts->n_records; first += CHUNK, chunks++) {
            bool new = false;
            if (!known[first / CHUNK * coding->n_coders] &&
                !coder_learn(coder, cuts, first, chunk_rows(cuts, first),
                             (code_rows){coding->first[b] + first, end}, &new)) {
                coding->failed[column] = true;
                return;
            }
            learnt += new;
        }
    }
    coding->learns[column] = learnt * MUCH > chunks;
}

mgl_status mgl_block_coding_end(mgl_block_coding *coding, mgl_error *err, size_t *n_rows)
{
    size_t rows = coding->first[coding->n_blocks];
    for (size_t i = 0; i < coding->n_coders; i++) {
        if (coding->failed[i])
            return mgl_fail_memory(err);
        /* The coder has so many rows now. */
        coding->coders[i]->rows = rows;
    }
    *n_rows = rows;
    return MGL_OK;
}
