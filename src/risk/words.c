/* Which texts cannot hold any of a set of labels: told by their words alone, without comparing.
 * Most of the rows of a table with text columns are done with here. */
#include "risk/guard.h"

enum { BITS_PER_LABEL = 16, SMALLEST = 1024 };

bool mgl_is_word_char(char c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (unsigned char)c >= 0x80;
}

/* [byte]: as a small letter; 0: between words. */
static void fill_letters(mgl_words *words)
{
    for (int c = 0; c < 256; c++)
        words->letters[c] = !mgl_is_word_char((char)c) ? 0
                            : c >= 'A' && c <= 'Z'     ? (uint8_t)(c - 'A' + 'a')
                                                       : (uint8_t)c;
}

mgl_status mgl_words_init(mgl_words *words, size_t n_labels, mgl_error *err)
{
    *words = (mgl_words){.n_bits = SMALLEST};
    fill_letters(words);
    while (words->n_bits / BITS_PER_LABEL < n_labels)
        words->n_bits *= 2;
    words->bits = mgl_zeroed_array(words->n_bits / 64, sizeof *words->bits);
    return words->bits == NULL ? mgl_fail_memory(err) : MGL_OK;
}

void mgl_words_free(mgl_words *words)
{
    mgl_free(words->bits);
    words->bits = NULL;
}

/* The bit of the word that begins at *at or behind it, *at its end then; n_bits: there is none. */
static inline size_t next_word(const mgl_words *words, mgl_span text, size_t *at)
{
    const uint8_t *p = (const uint8_t *)text.data + *at,
                  *end = (const uint8_t *)text.data + text.size;
    uint64_t hash = 0;
    while (p < end && words->letters[*p] == 0)
        p++;
    if (p == end)
        return words->n_bits;
    for (uint8_t letter; p < end && (letter = words->letters[*p]) != 0; p++)
        hash = (hash + letter) * UINT64_C(0x9E3779B97F4A7C15);
    *at = (size_t)(p - (const uint8_t *)text.data);
    return (size_t)(hash >> 32) & (words->n_bits - 1);
}

void mgl_words_add(mgl_words *words, mgl_span label)
{
    size_t longest = 0, bit_of_longest = 0;
    for (size_t at = 0;;) {
        size_t from = at;
        size_t bit = next_word(words, label, &at);
        if (bit == words->n_bits)
            break;
        if (at - from > longest) {
            longest = at - from;
            bit_of_longest = bit;
        }
    }
    if (longest == 0)
        words->any = true;
    else
        words->bits[bit_of_longest / 64] |= UINT64_C(1) << bit_of_longest % 64;
}

bool mgl_words_may_hold(const mgl_words *words, mgl_span text)
{
    if (words->any)
        return true;
    for (size_t at = 0;;) {
        size_t bit = next_word(words, text, &at);
        if (bit == words->n_bits)
            return false;
        if ((words->bits[bit / 64] >> bit % 64 & 1) != 0)
            return true;
    }
}
