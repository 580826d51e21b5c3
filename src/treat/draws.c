/* Random numbers of treatments that perturb rows: uniform and normal ones, the same for a key on
 * every machine, and the arguments that these treatments have in common. */
#include "treat/perturbing.h"

#include <math.h>
#include <stdio.h>

enum { ABOUT = 32 + MGL_SHA256_TEXT };

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
        if (one.size == 0 || mgl_spans_have(columns, step->n_columns, one))
            return false;
        columns[step->n_columns++] = one;
    }
    step->columns = columns;
    return true;
}

/* ---- Streams ----------------------------------------------------------------------------------
 */

/* Adds the cells of a column; numbers are the same however they are written. */
static mgl_status add_cells(mgl_sha256 *hash, const mgl_column *column, size_t n_rows,
                            mgl_arena *arena, mgl_error *err)
{
    const mgl_dictionary *dictionary = column->dictionary;
    uint32_t n = mgl_dictionary_size(dictionary);
    mgl_span *cells = mgl_arena_alloc(arena, ((size_t)n + 1) * sizeof *cells);
    MGL_TRY(mgl_check_memory(cells != NULL, err));
    for (uint32_t code = 0; code < n; code++) {
        char text[MGL_DECIMAL_TEXT];
        mgl_decimal number;
        cells[code] = mgl_dictionary_value(dictionary, code);
        if (code == mgl_dictionary_missing(dictionary))
            cells[code].size = 0;
        else if (mgl_decimal_parse(mgl_dictionary_notation(dictionary), cells[code], &number)) {
            size_t size = mgl_decimal_write(NULL, number.digits, number.scale, text);
            cells[code] = (mgl_span){mgl_arena_copy(arena, text, size), size};
            MGL_TRY(mgl_check_memory(cells[code].data != NULL, err));
        }
    }
    mgl_sha256_add(hash, column->name, strlen(column->name) + 1);
    for (size_t row = 0; row < n_rows; row++) {
        mgl_span cell = cells[mgl_column_code(column, row)];
        mgl_sha256_add(hash, cell.data, cell.size);
        mgl_sha256_add(hash, "", 1);
    }
    return MGL_OK;
}

mgl_status mgl_treat_set_about(const mgl_treat_step *step, const mgl_column *own,
                               mgl_treat_rows *rows, mgl_error *err)
{
    size_t n = step->n_columns + 1, size;
    const mgl_column **columns = mgl_arena_alloc(rows->arena, n * sizeof *columns);
    char *about = mgl_arena_alloc(rows->arena, ABOUT);
    mgl_sha256 hash;
    MGL_TRY(mgl_check_memory(columns != NULL && about != NULL, err));
    size = (size_t)snprintf(about, ABOUT, "%.*g", MGL_FACTOR_DIGITS, step->share);
    for (size_t i = 0; i < n; i++) {
        const mgl_column *one = i < step->n_columns ? rows->others[i] : own;
        size_t at = i;
        for (; at > 0 && strcmp(columns[at - 1]->name, one->name) > 0; at--)
            columns[at] = columns[at - 1];
        columns[at] = one;
    }
    mgl_sha256_begin(&hash);
    for (size_t i = 0; rows->persons == NULL && i < n; i++)
        MGL_TRY(add_cells(&hash, columns[i], rows->n, rows->arena, err));
    if (rows->persons == NULL) {
        about[size++] = ' ';
        mgl_sha256_end(&hash, about + size);
        size += MGL_SHA256_TEXT - 1;
    }
    rows->about = (mgl_span){about, size};
    return MGL_OK;
}

/* The column, and what numbers depend on beside it. */
static void put_column(const mgl_treat_rows *rows, mgl_span column, mgl_buffer *out)
{
    mgl_buffer_span(out, column);
    mgl_buffer_append(out, "", 1);
    mgl_buffer_span(out, rows->about);
}

mgl_status mgl_treat_stream(const mgl_treat_rows *rows, const char *purpose, mgl_span column,
                            mgl_error *err, mgl_random *out)
{
    unsigned char hash[MGL_KEYED_HASH];
    mgl_random seeded = {.block = 0};
    mgl_buffer text = {0};
    put_column(rows, column, &text);
    bool room = !text.failed;
    if (room)
        mgl_keyed_hash(rows->key, purpose, (mgl_span){text.data, text.size}, hash);
    mgl_buffer_free(&text);
    MGL_TRY(mgl_check_memory(room, err));
    for (size_t i = 0; i < MGL_KEYED_HASH; i++)
        seeded.key[i / 4] |= (uint32_t)hash[i] << 8 * (i % 4);
    mgl_random_stream(&seeded, 0, out);
    return MGL_OK;
}

mgl_status mgl_treat_draws_begin(const mgl_treat_rows *rows, const char *purpose, mgl_span column,
                                 mgl_error *err, mgl_treat_draws *out)
{
    *out = (mgl_treat_draws){.rows = rows, .column = column, .purpose = purpose};
    return rows->persons == NULL ? mgl_treat_stream(rows, purpose, column, err, &out->stream)
                                 : MGL_OK;
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
    put_column(draws->rows, draws->column, &draws->text);
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

/* Of an angle as a share of the circle, 0 <= x < 1. */
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
