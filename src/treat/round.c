/* round(N): numbers become the nearest multiple of N; halves go away from 0. A row of the table in
 * treat_types.c. */
#include "treat/treat_rows.h"

static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    (void)arena;
    if (!mgl_treat_read_number(step, wrong))
        return false;
    if (step->number.digits > 0)
        return true;
    mgl_buffer_text(wrong, "is no treatment: multiples are of a number above 0; write for example "
                           "round(10)");
    return false;
}

static bool value(const mgl_treat_step *step, const mgl_treat_values *values, const void *state,
                  uint32_t at, mgl_buffer *out)
{
    mgl_span text = values->texts[at];
    mgl_decimal number, unit = step->number;
    char rounded[MGL_DECIMAL_TEXT];
    (void)state;
    if (!mgl_treat_number(values, text, &number, out) || !mgl_treat_align(&number, &unit, out))
        return false;
    __int128 size = number.digits < 0 ? -number.digits : number.digits;
    __int128 rest = size % unit.digits;
    size += rest >= unit.digits - rest ? unit.digits - rest : -rest;
    mgl_decimal_write(values->notation, number.digits < 0 ? -size : size, number.scale, rounded);
    mgl_buffer_text(out, rounded);
    return true;
}

/* ---- The promise, by long division of the digits that stand there
 * --------------------------------
 */

enum { MOST_DIGITS = 60 };

typedef struct digits {
    char list[MOST_DIGITS]; /* without a point */
    size_t n, behind;       /* the last so many stand behind the point */
} digits;

static bool take_digits(mgl_span text, digits *out)
{
    bool point = false;
    *out = (digits){.n = 0};
    for (size_t i = text.size > 0 && text.data[0] == '-'; i < text.size; i++) {
        char c = text.data[i];
        bool first_point = c == '.' && !point;
        if ((!first_point && (c < '0' || c > '9')) || out->n == MOST_DIGITS)
            return false;
        point = point || first_point;
        if (first_point)
            continue;
        out->list[out->n++] = (char)(c - '0');
        out->behind += point;
    }
    for (; out->behind > 0 && out->list[out->n - 1] == 0; out->behind--)
        out->n--;
    return out->n > 0;
}

static bool keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    char room[MGL_PLAIN_TEXT];
    digits number, unit;
    unsigned __int128 divisor = 0, rest = 0;
    if (!mgl_notation_plain(notation, text, room, &text) || !take_digits(text, &number))
        return false;
    if (!mgl_notation_plain(NULL, step->arguments, room, &text) || !take_digits(text, &unit))
        return true; /* a unit like 1e3, which this does not read */
    if (number.behind > unit.behind)
        return false;
    for (size_t i = 0; i < unit.n; i++)
        divisor = divisor * 10 + (unsigned char)unit.list[i];
    for (size_t i = 0; i < number.n + unit.behind - number.behind; i++)
        rest = (rest * 10 + (i < number.n ? (unsigned char)number.list[i] : 0)) % divisor;
    return rest == 0;
}

const mgl_treat_type mgl_treat_round = {
    .name = "round",
    .syntax = "round(N)",
    .help = "numbers become the nearest multiple of N; halves go away from 0",
    .example = "round(10): 37 -> 40, 34.9 -> 30",
    .promise = "a multiple of N",
    .read = read,
    .value = value,
    .keeps = keeps,
};
