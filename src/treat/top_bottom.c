/* top(N) and bottom(N): numbers beyond a bound become the bound, those between stay as they are.
 * Rows of the table in treat_types.c. */
#include "treat/treat_rows.h"

static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    (void)arena;
    return mgl_treat_read_number(step, wrong);
}

/* The bound itself is written anew, too: 90.0 beside 90 would tell who reached it exactly. */
static bool limit(const mgl_treat_step *step, const mgl_treat_values *values, mgl_span text,
                  int side, mgl_buffer *out)
{
    mgl_decimal number, bound = step->number;
    char made[MGL_DECIMAL_TEXT];
    if (!mgl_treat_number(values, text, &number, out) || !mgl_treat_align(&number, &bound, out))
        return false;
    if (side > 0 ? number.digits < bound.digits : number.digits > bound.digits) {
        mgl_buffer_span(out, text);
        return true;
    }
    mgl_decimal_write(values->notation, step->number.digits, step->number.scale, made);
    mgl_buffer_text(out, made);
    return true;
}

static bool top_value(const mgl_treat_step *step, const mgl_treat_values *values, const void *state,
                      uint32_t at, mgl_buffer *out)
{
    (void)state;
    return limit(step, values, values->texts[at], 1, out);
}

static bool bottom_value(const mgl_treat_step *step, const mgl_treat_values *values,
                         const void *state, uint32_t at, mgl_buffer *out)
{
    (void)state;
    return limit(step, values, values->texts[at], -1, out);
}

static bool top_keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    double number, bound;
    return mgl_notation_number(notation, text, &number) &&
           mgl_parse_double(step->arguments, &bound) && number <= bound;
}

static bool bottom_keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    double number, bound;
    return mgl_notation_number(notation, text, &number) &&
           mgl_parse_double(step->arguments, &bound) && number >= bound;
}

const mgl_treat_type mgl_treat_top = {
    .name = "top",
    .syntax = "top(N)",
    .help = "numbers of N and above become N; those below stay",
    .example = "top(90): 97 -> 90, 88 -> 88",
    .promise = "a number of at most N",
    .read = read,
    .value = top_value,
    .keeps = top_keeps,
};

const mgl_treat_type mgl_treat_bottom = {
    .name = "bottom",
    .syntax = "bottom(N)",
    .help = "numbers of N and below become N; those above stay",
    .example = "bottom(18): 7 -> 18, 21 -> 21",
    .promise = "a number of at least N",
    .read = read,
    .value = bottom_value,
    .keeps = bottom_keeps,
};
