/* Packs the leaves of a row into one key: where each column lies in its words, and the keys of many
 * rows at once. */
#include "classes/row_keys.h"

mgl_status mgl_packing_init(mgl_packing *packing, const uint32_t *n_values, size_t n_attributes,
                            mgl_error *err)
{
    *packing = (mgl_packing){.n_attributes = n_attributes};
    MGL_TRY(mgl_new_array(n_attributes, sizeof *packing->fields, err, &packing->fields));
    /* An attribute lies in one word whole; words are filled from their highest bit. */
    unsigned free_bits = 0;
    for (size_t a = 0; a < n_attributes; a++) {
        uint8_t bits = (uint8_t)mgl_bits_for(n_values[a] > 2 ? n_values[a] : 2);
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
    return mgl_fail_key(err, MGL_CODE_LIMIT, "quasi-identifiers",
                        "%zu quasi-identifiers are too many to be told apart together (possible "
                        "are %d bits, at least one for each); name fewer of them",
                        n_attributes, MGL_KEY_WORDS * 64);
}

void mgl_packing_free(mgl_packing *packing)
{
    mgl_free(packing->fields);
    *packing = (mgl_packing){0};
}

mgl_status mgl_row_keys_init(mgl_row_keys *keys, const mgl_packing *packing,
                             const mgl_bound_column *quasi, mgl_error *err)
{
    *keys = (mgl_row_keys){.packing = packing, .quasi = quasi};
    keys->bits = mgl_own_zeroed(&keys->own, packing->n_attributes, sizeof *keys->bits);
    keys->narrow = mgl_own_array(&keys->own, packing->n_attributes, sizeof *keys->narrow);
    for (size_t a = 0; !keys->own.missing && a < packing->n_attributes; a++) {
        const mgl_column *column = quasi[a].column;
        uint32_t n = mgl_dictionary_size(column->dictionary);
        uint64_t *bits = keys->bits[a] = mgl_own_array(&keys->own, n, sizeof *bits);
        for (uint32_t code = 0; bits != NULL && code < n; code++)
            bits[code] = (uint64_t)quasi[a].leaf_of_code[code] << packing->fields[a].shift;
        if (packing->n_words == 1 && column->width == 1)
            keys->narrow[keys->n_narrow++] = (mgl_narrow_column){column->codes, bits};
    }
    mgl_status status = mgl_owned_check(&keys->own, err);
    if (status != MGL_OK)
        mgl_row_keys_free(keys);
    return status;
}

void mgl_row_keys_free(mgl_row_keys *keys)
{
    mgl_owned_free(&keys->own);
    *keys = (mgl_row_keys){0};
}

/* The bits of one column, added to the keys of n rows. */
MGL_SPECIALIZE void add_column(const mgl_column *column, const uint64_t *bits, size_t first,
                               size_t n, size_t words, uint64_t *word)
{
    if (column->width == 1) {
        const uint8_t *codes = (const uint8_t *)column->codes + first;
        for (size_t i = 0; i < n; i++)
            word[i * words] |= bits[codes[i]];
    } else {
        for (size_t i = 0; i < n; i++)
            word[i * words] |= bits[mgl_column_code(column, first + i)];
    }
}

/* The narrow columns of eight rows; their keys stay in registers. */
static void make_eight(const mgl_row_keys *keys, size_t row, uint64_t *out)
{
    uint64_t k0 = 0, k1 = 0, k2 = 0, k3 = 0, k4 = 0, k5 = 0, k6 = 0, k7 = 0;
    for (size_t a = 0; a < keys->n_narrow; a++) {
        const uint64_t *bits = keys->narrow[a].bits;
        uint64_t codes;
        memcpy(&codes, keys->narrow[a].codes + row, sizeof codes);
        k0 |= bits[codes & 0xff];
        k1 |= bits[codes >> 8 & 0xff];
        k2 |= bits[codes >> 16 & 0xff];
        k3 |= bits[codes >> 24 & 0xff];
        k4 |= bits[codes >> 32 & 0xff];
        k5 |= bits[codes >> 40 & 0xff];
        k6 |= bits[codes >> 48 & 0xff];
        k7 |= bits[codes >> 56];
    }
    out[0] = k0;
    out[1] = k1;
    out[2] = k2;
    out[3] = k3;
    out[4] = k4;
    out[5] = k5;
    out[6] = k6;
    out[7] = k7;
}

void mgl_row_keys_make(const mgl_row_keys *keys, size_t first, size_t n, uint64_t *out)
{
    size_t words = keys->packing->n_words, eights = keys->n_narrow > 0 ? n / 8 * 8 : 0;
    for (size_t i = 0; i < eights; i += 8)
        make_eight(keys, first + i, out + i);
    memset(out + eights * words, 0, (n - eights) * words * sizeof *out);
    for (size_t a = 0; a < keys->packing->n_attributes; a++) {
        const mgl_column *column = keys->quasi[a].column;
        uint64_t *word = out + keys->packing->fields[a].word;
        size_t done = column->width == 1 ? eights : 0;
        if (words == 1)
            add_column(column, keys->bits[a], first + done, n - done, 1, word + done);
        else
            add_column(column, keys->bits[a], first, n, words, word);
    }
}
