#include "classes/keys.h"

mgl_status mgl_row_keys_init(mgl_row_keys *keys, const mgl_packing *packing,
                             const mgl_bound_column *quasi, mgl_error *err)
{
    *keys = (mgl_row_keys){.packing = packing, .quasi = quasi};
    keys->parts = mgl_zeroed_array(packing->n_attributes, sizeof *keys->parts);
    if (keys->parts == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < packing->n_attributes; a++) {
        uint32_t n = mgl_dictionary_size(quasi[a].column->dictionary);
        uint64_t *part = keys->parts[a] = mgl_alloc_array(n, sizeof *part);
        if (part == NULL) {
            mgl_row_keys_free(keys);
            return mgl_fail_memory(err);
        }
        for (uint32_t code = 0; code < n; code++)
            part[code] = (uint64_t)quasi[a].leaf_of_code[code] << packing->fields[a].shift;
    }
    return MGL_OK;
}

void mgl_row_keys_free(mgl_row_keys *keys)
{
    for (size_t a = 0; keys->parts != NULL && a < keys->packing->n_attributes; a++)
        mgl_free(keys->parts[a]);
    mgl_free(keys->parts);
    *keys = (mgl_row_keys){0};
}

/* The part of one column, added to the keys of n rows. */
MGL_SPECIALIZE void add_column(const mgl_column *column, const uint64_t *part, size_t first,
                               size_t n, size_t words, uint64_t *word)
{
    if (column->width == 1) {
        const uint8_t *codes = (const uint8_t *)column->codes + first;
        for (size_t i = 0; i < n; i++)
            word[i * words] |= part[codes[i]];
    } else {
        for (size_t i = 0; i < n; i++)
            word[i * words] |= part[mgl_column_code(column, first + i)];
    }
}

void mgl_row_keys_make(const mgl_row_keys *keys, size_t first, size_t n, uint64_t *out)
{
    size_t words = keys->packing->n_words;
    memset(out, 0, n * words * sizeof *out);
    for (size_t a = 0; a < keys->packing->n_attributes; a++) {
        const mgl_column *column = keys->quasi[a].column;
        uint64_t *word = out + keys->packing->fields[a].word;
        if (words == 1)
            add_column(column, keys->parts[a], first, n, 1, word);
        else
            add_column(column, keys->parts[a], first, n, words, word);
    }
}
