/* constant(X) and drop: the column has one value, or is not there. Rows of the table in
 * treat_types.c. */
#include "treat/treat_rows.h"

static bool read(mgl_treat_step *step, mgl_arena *arena, mgl_buffer *wrong)
{
    (void)step, (void)arena, (void)wrong;
    return true;
}

static bool value(const mgl_treat_step *step, const mgl_treat_values *values, const void *state,
                  uint32_t at, mgl_buffer *out)
{
    (void)values, (void)state, (void)at;
    mgl_buffer_span(out, step->arguments);
    return true;
}

static bool keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    (void)notation;
    return mgl_span_equal(text, step->arguments);
}

static bool same_value(const mgl_treat_step *step, const mgl_treat_values *values,
                       const void *state, uint32_t at, mgl_buffer *out)
{
    (void)step, (void)state;
    mgl_buffer_span(out, values->texts[at]);
    return true;
}

const mgl_treat_type mgl_treat_constant = {
    .name = "constant",
    .syntax = "constant(X)",
    .help = "every value becomes X",
    .example = "constant(withheld): Ann -> withheld",
    .promise = "X",
    .alone = true,
    .renames = true,
    .read = read,
    .value = value,
    .keeps = keeps,
};

const mgl_treat_type mgl_treat_drop = {
    .name = "drop",
    .syntax = "drop",
    .help = "the column is left out of the release",
    .example = "drop",
    .promise = "left out",
    .alone = true,
    .leaves_out = true,
    .value = same_value,
};
