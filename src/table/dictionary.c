/* The dictionary of a column: a code for each different value, which code is missing, how numbers
 * are written, how many rows a value has. */
#include "table/table.h"

/* The missing value needs a number of its own in the map, under a text no cell can
 * have: NUL bytes are refused by every source. */
static const mgl_span missing_key = {"\0", 1};

struct mgl_dictionary {
    mgl_map *values;
    char *missing_text; /* what the missing code is released as */
    size_t missing_size;
    uint32_t missing;
    const mgl_value_labels *labels; /* borrowed */
    mgl_notation notation;
    mgl_place_fn *place;
    void *place_context;
    uint64_t *rows; /* [n_rows] by code; NULL: not counted */
    uint32_t n_rows;
};

mgl_dictionary *mgl_dictionary_new(void)
{
    mgl_dictionary *dictionary = mgl_zeroed_array(1, sizeof *dictionary);
    if (dictionary == NULL)
        return NULL;
    dictionary->missing = MGL_NOT_FOUND;
    dictionary->values = mgl_map_new();
    if (dictionary->values == NULL) {
        mgl_dictionary_free(dictionary);
        return NULL;
    }
    return dictionary;
}

void mgl_dictionary_free(mgl_dictionary *dictionary)
{
    if (dictionary == NULL)
        return;
    mgl_map_free(dictionary->values);
    mgl_free(dictionary->missing_text);
    mgl_free(dictionary->rows);
    mgl_free(dictionary);
}

uint32_t mgl_dictionary_size(const mgl_dictionary *dictionary)
{
    return mgl_map_size(dictionary->values);
}

mgl_span mgl_dictionary_value(const mgl_dictionary *dictionary, uint32_t code)
{
    if (code == dictionary->missing)
        return (mgl_span){dictionary->missing_text, dictionary->missing_size};
    return mgl_map_text(dictionary->values, code);
}

uint32_t mgl_dictionary_add(mgl_dictionary *dictionary, mgl_span value)
{
    return mgl_map_add(dictionary->values, value);
}

uint32_t mgl_dictionary_find(const mgl_dictionary *dictionary, mgl_span value)
{
    return mgl_map_find(dictionary->values, value);
}

uint32_t mgl_dictionary_missing(const mgl_dictionary *dictionary)
{
    return dictionary->missing;
}

uint32_t mgl_dictionary_add_missing(mgl_dictionary *dictionary, mgl_span first_token)
{
    if (dictionary->missing != MGL_NOT_FOUND)
        return dictionary->missing;
    char *text = mgl_alloc(first_token.size + 1);
    if (text == NULL)
        return MGL_NOT_FOUND;
    uint32_t code = mgl_map_add(dictionary->values, missing_key);
    if (code == MGL_NOT_FOUND) {
        mgl_free(text);
        return MGL_NOT_FOUND;
    }
    if (first_token.size > 0)
        memcpy(text, first_token.data, first_token.size);
    text[first_token.size] = '\0';
    dictionary->missing_text = text;
    dictionary->missing_size = first_token.size;
    dictionary->missing = code;
    return code;
}

bool mgl_dictionary_join(mgl_dictionary *dictionary, const mgl_dictionary *more)
{
    for (uint32_t code = 0; code < mgl_dictionary_size(more); code++) {
        mgl_span value = mgl_dictionary_value(more, code);
        uint32_t added = code == more->missing ? mgl_dictionary_add_missing(dictionary, value)
                                               : mgl_dictionary_add(dictionary, value);
        if (added == MGL_NOT_FOUND)
            return false;
    }
    return true;
}

void mgl_dictionary_resemble(mgl_dictionary *dictionary, const mgl_dictionary *other)
{
    dictionary->labels = other->labels;
    dictionary->notation = other->notation;
    dictionary->place = other->place;
    dictionary->place_context = other->place_context;
}

void mgl_dictionary_set_labels(mgl_dictionary *dictionary, const mgl_value_labels *labels)
{
    dictionary->labels = labels != NULL && labels->n > 0 ? labels : NULL;
}

const mgl_value_labels *mgl_dictionary_labels(const mgl_dictionary *dictionary)
{
    return dictionary->labels;
}

const mgl_notation *mgl_dictionary_notation(const mgl_dictionary *dictionary)
{
    return &dictionary->notation;
}

void mgl_dictionary_set_notation(mgl_dictionary *dictionary, const mgl_notation *notation)
{
    dictionary->notation = *notation;
}

mgl_number_verdict mgl_dictionary_sniff(const mgl_dictionary *dictionary, mgl_notation *out)
{
    mgl_number_sniffer sniffer = {0};
    for (uint32_t code = 0; code < mgl_dictionary_size(dictionary); code++)
        if (code != dictionary->missing)
            mgl_number_sniffer_look(&sniffer, mgl_dictionary_value(dictionary, code));
    return mgl_number_sniffer_end(&sniffer, out);
}

void mgl_dictionary_set_origins(mgl_dictionary *dictionary, mgl_place_fn *fn, void *context)
{
    dictionary->place = fn;
    dictionary->place_context = context;
}

const char *mgl_dictionary_origin(const mgl_dictionary *dictionary, mgl_span value,
                                  char text[MGL_PLACE_TEXT])
{
    uint32_t code = mgl_dictionary_find(dictionary, value);
    text[0] = '\0';
    if (dictionary->place != NULL && code != MGL_NOT_FOUND)
        dictionary->place(dictionary->place_context, code, text);
    return text;
}

bool mgl_dictionary_knows_rows(const mgl_dictionary *dictionary)
{
    return dictionary->rows != NULL;
}

uint64_t mgl_dictionary_rows(const mgl_dictionary *dictionary, uint32_t code)
{
    return code < dictionary->n_rows ? dictionary->rows[code] : 0;
}

mgl_status mgl_column_count_rows(const mgl_column *column, size_t n_rows, const uint64_t *times,
                                 mgl_error *err)
{
    mgl_dictionary *dictionary = column->dictionary;
    uint32_t n = mgl_dictionary_size(dictionary);
    size_t first = 0, here = 0;
    if (dictionary->rows != NULL)
        return MGL_OK;
    uint64_t *rows = mgl_zeroed_array(n, sizeof *rows);
    MGL_TRY(mgl_check_memory(rows != NULL, err));
    for (size_t row = 0; row < n_rows; row++) {
        if (row >= first + here) {
            mgl_status status = mgl_column_reach(column, row, err, &first, &here);
            if (status != MGL_OK) {
                mgl_free(rows);
                return status;
            }
        }
        rows[mgl_column_code(column, row - first)] += times != NULL ? times[row] : 1;
    }
    dictionary->rows = rows;
    dictionary->n_rows = n;
    return MGL_OK;
}
