/* Lays the leaves of a tuple out in 64-bit words, as few bits each as its column needs. list.c
 * calls it; mu-Argus and matching pack with it, too. */
#include "classes/row_keys.h"

static uint8_t bits_for(uint32_t n_values)
{
    uint8_t bits = 1;
    while (bits < 32 && (UINT64_C(1) << bits) < n_values)
        bits++;
    return bits;
}

mgl_status mgl_packing_init(mgl_packing *packing, const uint32_t *n_values, size_t n_attributes,
                            mgl_error *err)
{
    *packing = (mgl_packing){.n_attributes = n_attributes};
    packing->fields = mgl_alloc_array(n_attributes, sizeof *packing->fields);
    if (packing->fields == NULL)
        return mgl_fail_memory(err);
    /* An attribute lies in one word whole; words are filled from their highest bit. */
    unsigned free_bits = 0;
    for (size_t a = 0; a < n_attributes; a++) {
        uint8_t bits = bits_for(n_values[a]);
        if (bits > free_bits) {
            packing->n_words++;
            free_bits = 64;
        }
        free_bits -= bits;
        packing->fields[a].word = (uint32_t)packing->n_words - 1;
        packing->fields[a].bits = bits;
        packing->fields[a].shift = (uint8_t)free_bits;
    }
    if (packing->n_words == 0)
        packing->n_words = 1;
    if (packing->n_words <= MGL_KEY_WORDS)
        return MGL_OK;
    mgl_packing_free(packing);
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_LIMIT,
                 "%zu quasi-identifiers are too many to be told apart together (possible are "
                 "%d bits, at least one for each); name fewer of them",
                 n_attributes, MGL_KEY_WORDS * 64),
        "quasi-identifiers");
}

void mgl_packing_free(mgl_packing *packing)
{
    mgl_free(packing->fields);
    *packing = (mgl_packing){0};
}
