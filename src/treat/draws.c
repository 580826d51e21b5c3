/* Random numbers of treatments that perturb rows: uniform and normal ones, the same for a key on
 * every machine, and the arguments that these treatments have in common. */
#include "treat/perturbing.h"

#include <math.h>

/* ---- Arguments --------------------------------------------------------------------------------
 */

bool mgl_treat_next(mgl_span *rest, mgl_span *out)
{
    if (rest->size == 0)
        return false;
    const char *comma = memchr(rest->data, ',', rest->size);
    size_t size = comma != NULL ? (size_t)(comma - rest->data) : rest->size;
    *out = mgl_span_trim((mgl_span){rest->data, size});
    *rest = (mgl_span){rest->data + size + (comma != NULL), rest->size - size - (comma != NULL)};
    return true;
}

bool mgl_treat_read_share(mgl_span text, double most, double *out)
{
    bool percent = text.size > 0 && text.data[text.size - 1] == '%';
    if (percent)
        text = mgl_span_trim((mgl_span){text.data, text.size - 1});
    if (!mgl_parse_double(text, out))
        return false;
    *out = percent ? *out / 100 : *out;
    return *out > 0 && *out <= (percent || most < 1 ? most : 1);
}

/* Removes the word and blanks behind it from the beginning of the text. */
static bool take_word(mgl_span *text, const char *word)
{
    size_t size = strlen(word);
    if (text->size <= size || memcmp(text->data, word, size) != 0 || text->data[size] != ' ')
        return false;
    *text = mgl_span_trim((mgl_span){text->data + size, text->size - size});
    return true;
}

bool mgl_treat_read_columns(mgl_treat_step *step, mgl_span rest, const char *word, mgl_arena *arena,
                            mgl_buffer *wrong)
{
    rest = mgl_span_trim(rest);
    if (rest.size == 0)
        return true;
    mgl_span *columns = mgl_arena_alloc(arena, (rest.size + 1) * sizeof *columns), one;
    wrong->failed = wrong->failed || columns == NULL;
    if (columns == NULL || !take_word(&rest, word) || rest.data[rest.size - 1] == ',')
        return false;
    while (mgl_treat_next(&rest, &one)) {
        for (size_t i = 0; i < step->n_columns; i++)
            if (mgl_span_equal(columns[i], one))
                return false;
        if (one.size == 0)
            return false;
        columns[step->n_columns++] = one;
    }
    step->columns = columns;
    return true;
}

/* ---- Streams ----------------------------------------------------------------------------------
 */

void mgl_treat_stream(const mgl_treat_rows *rows, const char *purpose, mgl_span column,
                      mgl_random *out)
{
    unsigned char hash[MGL_KEYED_HASH];
    mgl_random seeded = {.block = 0};
    mgl_keyed_hash(rows->key, purpose, column, hash);
    for (size_t i = 0; i < MGL_KEYED_HASH; i++)
        seeded.key[i / 4] |= (uint32_t)hash[i] << 8 * (i % 4);
    mgl_random_stream(&seeded, 0, out);
}

void mgl_treat_draws_begin(const mgl_treat_rows *rows, const char *purpose, mgl_span column,
                           mgl_treat_draws *out)
{
    *out = (mgl_treat_draws){.rows = rows, .column = column, .purpose = purpose};
    if (rows->persons == NULL)
        mgl_treat_stream(rows, purpose, column, &out->stream);
}

static uint64_t next(mgl_random *stream)
{
    uint64_t low = mgl_random_u32(stream);
    return low | (uint64_t)mgl_random_u32(stream) << 32;
}

bool mgl_treat_draw(mgl_treat_draws *draws, size_t row, uint64_t out[2])
{
    const mgl_column *persons = draws->rows->persons;
    unsigned char hash[MGL_KEYED_HASH];
    if (persons == NULL) {
        out[0] = next(&draws->stream);
        out[1] = next(&draws->stream);
        return true;
    }
    draws->text.size = 0;
    mgl_buffer_span(&draws->text, draws->column);
    mgl_buffer_append(&draws->text, "", 1);
    mgl_buffer_span(&draws->text,
                    mgl_dictionary_value(persons->dictionary, mgl_column_code(persons, row)));
    mgl_buffer_append(&draws->text, "", 1);
    mgl_buffer_span(&draws->text, draws->rows->texts[row]);
    if (draws->text.failed)
        return false;
    mgl_keyed_hash(draws->rows->key, draws->purpose, (mgl_span){draws->text.data, draws->text.size},
                   hash);
    for (size_t i = 0; i < 2; i++) {
        out[i] = 0;
        for (size_t b = 8; b-- > 0;)
            out[i] = out[i] << 8 | hash[8 * i + b];
    }
    return true;
}

void mgl_treat_draws_end(mgl_treat_draws *draws)
{
    mgl_buffer_free(&draws->text);
}

/* ---- Numbers ----------------------------------------------------------------------------------
 *
 * Made of additions, multiplications, divisions and square roots alone, which every machine does
 * alike; the functions of the mathematical library may differ in their last digit.
 */

#define TURN 1.57079632679489661923 /* a quarter of one */
#define LN_2 0.69314718055994530942

double mgl_treat_unit(uint64_t number)
{
    return (double)(number >> 11) * 0x1p-53;
}

/* Of 0 < x <= 1: a power of 2 and what is left, by the series of the inverse hyperbolic tangent. */
static double logarithm(double x)
{
    int power = 0;
    while (x < 0.70710678118654752440) {
        x *= 2;
        power--;
    }
    double y = (x - 1) / (x + 1), square = y * y, sum = 0;
    for (int i = 25; i > 0; i -= 2)
        sum = sum * square + 1.0 / i;
    return power * LN_2 + 2 * y * sum;
}

/* Of 0 <= x <= a quarter turn. */
static double series(double x, int first)
{
    double square = x * x, sum = 1;
    for (int i = 24 + first; i > first; i -= 2)
        sum = 1 - sum * square / (double)(i * (i - 1));
    return first == 1 ? sum * x : sum;
}

/* Of a number of turns, 0 <= x < 1. */
static double cosine(double x)
{
    double quarters = x * 4;
    int quarter = (int)quarters;
    double rest = (quarters - quarter) * TURN;
    double size = quarter % 2 == 0 ? series(rest, 0) : series(rest, 1);
    return quarter == 1 || quarter == 2 ? -size : size;
}

double mgl_treat_normal(const uint64_t numbers[2])
{
    double u = (double)((numbers[0] >> 11) + 1) * 0x1p-53;
    return sqrt(-2 * logarithm(u)) * cosine(mgl_treat_unit(numbers[1]));
}
