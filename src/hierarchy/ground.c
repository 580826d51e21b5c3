/* Puts the values of a column in the order of leaves: numbers by value, other texts by their bytes.
 * Builders and recoding files add their rows in it. */
#include "hierarchy/builders.h"

/* Doubles as integers that compare like them. */
static uint64_t key_of_number(double number)
{
    uint64_t bits;
    number += 0.0; /* -0 is 0 */
    memcpy(&bits, &number, sizeof bits);
    return bits >> 63 ? ~bits : bits | (UINT64_C(1) << 63);
}

/* The first eight bytes as a number that compares like them. */
static uint64_t key_of_text(mgl_span text)
{
    uint64_t key = 0;
    for (size_t i = 0; i < 8; i++)
        key = key << 8 | (i < text.size ? (unsigned char)text.data[i] : 0);
    return key;
}

static const mgl_sort_key in_order[] = {MGL_ASCENDING(mgl_ground_value, key),
                                        MGL_ASCENDING(mgl_ground_value, text), MGL_SORT_END};

void mgl_ground_sort(mgl_ground *ground)
{
    mgl_sort(ground->values, ground->n, sizeof *ground->values, in_order);
}

mgl_status mgl_ground_of(const mgl_dictionary *dictionary, mgl_error *err, mgl_ground *out)
{
    uint32_t n_codes = mgl_dictionary_size(dictionary);
    uint32_t missing = mgl_dictionary_missing(dictionary);
    mgl_span token = {0};
    if (missing != MGL_NOT_FOUND)
        token = mgl_dictionary_value(dictionary, missing);
    mgl_ground ground = {.numeric = true, .notation = mgl_dictionary_notation(dictionary)};
    MGL_TRY(mgl_new_array(n_codes, sizeof *ground.values, err, &ground.values));
    for (uint32_t code = 0; code < n_codes; code++) {
        mgl_span text = mgl_dictionary_value(dictionary, code);
        double number;
        /* Released texts that are equal are equal: a plain value that reads like
         * the missing token is the missing value. */
        if (missing != MGL_NOT_FOUND && mgl_span_equal(text, token))
            continue;
        if (mgl_span_is(text, "*")) {
            ground.star = true;
            continue;
        }
        if (ground.numeric) {
            ground.numeric = mgl_notation_number(ground.notation, text, &number);
            ground.values[ground.n].key = ground.numeric ? key_of_number(number) : 0;
        }
        ground.values[ground.n++].text = text;
    }
    if (!ground.numeric)
        for (size_t i = 0; i < ground.n; i++)
            ground.values[i].key = key_of_text(ground.values[i].text);
    mgl_ground_sort(&ground);
    *out = ground;
    return MGL_OK;
}

void mgl_ground_free(mgl_ground *ground)
{
    mgl_free(ground->values);
    *ground = (mgl_ground){0};
}
