/* Cuts a block of text into cells by the positions of its separators. reader.c calls it for each
 * block. */
#include "text/block.h"
#include "text/scan.h"

bool mgl_block_reserve(mgl_block *block, size_t capacity)
{
    if (capacity <= block->capacity)
        return true;
    char *data = mgl_realloc_array(block->data, capacity + MGL_CUTS_MARGIN, 1);
    if (data == NULL)
        return false;
    block->data = data;
    block->capacity = capacity;
    return true;
}

void mgl_block_free(mgl_block *block)
{
    mgl_free(block->data);
    mgl_free(block->places);
    *block = (mgl_block){0};
}

/* What is carried from one 64 bytes to the next. */
typedef struct cut_state {
    size_t n_ends, n_newlines;
    uint64_t inside;     /* all ones within quotes */
    uint64_t may_open;   /* 1: a quote may open here, after a separator or a closing quote */
    uint64_t was_closed; /* 1: the byte before closed a quote */
} cut_state;

/* Bit i is the parity of bits 0..i. */
static inline uint64_t running_parity(uint64_t bits)
{
    bits ^= bits << 1;
    bits ^= bits << 2;
    bits ^= bits << 4;
    bits ^= bits << 8;
    bits ^= bits << 16;
    bits ^= bits << 32;
    return bits;
}

/* The 64 bytes at i, which may hold anything. A quote is right if it opens after a
 * separator or closes before one; a doubled quote closes and opens at once. */
static void cut_special(mgl_block *block, size_t i, const mgl_scan_path *path, char delimiter,
                        cut_state *state)
{
    mgl_scan_masks masks;
    path->scan(block->data + i, delimiter, &masks);
    size_t left = block->size - i;
    uint64_t valid = left < 64 ? ((uint64_t)1 << left) - 1 : UINT64_MAX;
    uint64_t before_last = left <= 64 ? valid >> 1 : valid;

    uint64_t inside = running_parity(masks.quote) ^ state->inside;
    uint64_t ends = (masks.delimiter | masks.newline) & ~inside & valid;
    uint64_t opens = masks.quote & inside, closes = masks.quote & ~inside;
    uint64_t may_open = (ends | closes) << 1 | state->may_open;
    uint64_t after_close = (closes << 1 | state->was_closed) & valid;
    uint64_t next_newline = mgl_scan_before_newline(masks.newline, block->data + i);
    uint64_t returns = masks.carriage_return & ~inside;

    if (masks.nul || (opens & ~may_open) != 0 || (after_close & ~(ends | opens | returns)) != 0 ||
        (returns & ~next_newline & before_last) != 0)
        block->suspect = true;
    block->carriage_returns |= returns != 0;
    block->high |= masks.high;
    block->quoted_newlines |= (masks.newline & inside) != 0;
    state->inside = (uint64_t)0 - (inside >> 63);
    state->may_open = (ends | closes) >> 63;
    state->was_closed = closes >> 63;
    state->n_newlines += (size_t)__builtin_popcountll(masks.newline & ends);

    uint32_t *places = block->places + 1 + state->n_ends;
    for (; ends != 0; ends &= ends - 1, state->n_ends++)
        *places++ = (uint32_t)(i + (size_t)__builtin_ctzll(ends));
}

/* As many plain bytes from i on as there are, in one go. */
static size_t cut_plain(mgl_block *block, size_t i, const mgl_scan_path *path, char delimiter,
                        cut_state *state)
{
    size_t size = block->size - i < MGL_SCAN_RUN ? block->size - i : MGL_SCAN_RUN;
    mgl_scan_run run =
        path->run(block->data + i, size, delimiter, (uint32_t)i, block->places + 1 + state->n_ends);
    if (run.bytes == 0)
        return i;
    char first = block->data[i], last = block->data[i + run.bytes - 1];
    if (state->was_closed && first != delimiter && first != '\n' && first != '\r')
        block->suspect = true;
    block->carriage_returns |= run.carriage_returns;
    block->high |= run.high;
    state->was_closed = 0;
    state->may_open = last == delimiter || last == '\n';
    state->n_ends += run.n_ends;
    state->n_newlines += run.n_newlines;
    return i + run.bytes;
}

bool mgl_block_cut(mgl_block *block, char delimiter, bool last)
{
    const mgl_scan_path *path = mgl_scan_best();
    cut_state state = {.may_open = 1};
    block->suspect = block->carriage_returns = block->high = block->quoted_newlines = false;
    if (last && block->size > 0 && block->data[block->size - 1] != '\n') {
        if (!mgl_block_reserve(block, block->size + 1))
            return false;
        block->data[block->size++] = '\n';
    }
    if (!mgl_block_reserve(block, 1))
        return false;
    memset(block->data + block->size, ' ', MGL_CUTS_MARGIN);
    for (size_t i = 0; i < block->size || block->places == NULL;) {
        if (!mgl_grow(&block->places, &block->places_capacity, state.n_ends + MGL_SCAN_RUN + 128,
                      sizeof *block->places))
            return false;
        size_t stop = i;
        if (state.inside == 0)
            stop = cut_plain(block, i, path, delimiter, &state);
        if (stop < block->size && stop - i < MGL_SCAN_RUN) {
            cut_special(block, stop, path, delimiter, &state);
            stop += 64;
        }
        i = stop;
    }
    if (last && state.inside != 0)
        block->suspect = true;
    size_t n = state.n_ends;
    while (n > 0 && block->data[block->places[n]] != '\n')
        n--;
    block->places[0] = UINT32_MAX;
    block->n_ends = n;
    block->n_records = state.n_newlines;
    block->whole = n > 0 ? (size_t)block->places[n] + 1 : 0;
    return true;
}

bool mgl_block_is_regular(const mgl_block *block, size_t n_fields)
{
    if (block->n_ends != block->n_records * n_fields)
        return false;
    /* There are as many line feeds as records: if each n-th end is one, no other is. */
    for (size_t i = n_fields; i <= block->n_ends; i += n_fields)
        if (block->data[block->places[i]] != '\n')
            return false;
    return true;
}
