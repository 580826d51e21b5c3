/* Codes several blocks of text at once: what is known by threads that take a block each, what is
 * new by threads that take a column each. csv.c calls it. */
#include "io/intake/block_coding.h"

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
    return (coding->blocks[block].cuts.n_records + MGL_CODER_CHUNK - 1) / MGL_CODER_CHUNK;
}

static size_t chunk_rows(const mgl_cuts *cuts, size_t first)
{
    size_t left = cuts->n_records - first;
    return left < MGL_CODER_CHUNK ? left : MGL_CODER_CHUNK;
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
        if (!mgl_grow(&coding->known[b], &coding->room[b], flags, sizeof *coding->known[b]))
            return mgl_fail_memory(err);
        if (flags > 0)
            memset(coding->known[b], 0, flags * sizeof *coding->known[b]);
    }
    for (size_t i = 0; i < coding->n_coders; i++)
        if (!mgl_coder_expect(coding->coders[i], coding->first[n] - rows_before))
            return mgl_fail_memory(err);
    return MGL_OK;
}

/* A chunk of rows at a time, so that its text stays in the nearest cache while the columns are
 * coded one after another. */
void mgl_block_coding_try(mgl_block_coding *coding, size_t block)
{
    const mgl_cuts *cuts = &coding->blocks[block].cuts;
    bool *known = coding->known[block];
    for (size_t first = 0; first < cuts->n_records; first += MGL_CODER_CHUNK)
        for (size_t i = 0; i < coding->n_coders; i++)
            *known++ = !coding->learns[i] &&
                       mgl_coder_try(coding->coders[i], cuts, first, chunk_rows(cuts, first),
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
        for (size_t first = 0; first < cuts->n_records; first += MGL_CODER_CHUNK, chunks++) {
            bool new = false;
            if (!known[first / MGL_CODER_CHUNK * coding->n_coders] &&
                !mgl_coder_learn(coder, cuts, first, chunk_rows(cuts, first),
                                 (mgl_code_rows){coding->first[b] + first, end}, &new)) {
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
        mgl_coder_pass(coding->coders[i], rows);
    }
    *n_rows = rows;
    return MGL_OK;
}
