/* Brings the values of a column and the parameters of a builder to one scale. The builders that
 * compute with numbers call it. */
#include "hierarchy/decimal.h"

mgl_status mgl_decimal_parameter(mgl_build *build, mgl_span text, mgl_error *err, mgl_decimal *out)
{
    if (mgl_decimal_parse(NULL, text, out))
        return MGL_OK;
    return mgl_draft_fail(build->draft, 0, err, "'%.*s' is no number of at most %d digits",
                          mgl_span_width(text), text.data, MGL_DECIMAL_DIGITS);
}

mgl_status mgl_decimal_parameters(mgl_build *build, mgl_error *err, mgl_decimal_list *out)
{
    mgl_span rest = build->arguments, text;
    size_t most = 1;
    for (size_t i = 0; i < rest.size; i++)
        most += rest.data[i] == ',';
    MGL_TRY(mgl_new_array(most, sizeof *out->numbers, err, &out->numbers));
    while (mgl_next_argument(&rest, &text))
        MGL_TRY(mgl_decimal_parameter(build, text, err, &out->numbers[out->n++]));
    return MGL_OK;
}

static mgl_status fail_value(mgl_build *build, mgl_span value, mgl_error *err)
{
    double number;
    char shown[MGL_SHOWN];
    if (mgl_notation_number(build->ground->notation, value, &number))
        return mgl_build_blame(build, value, err,
                               "the value '%s' needs more than %d digits; round the values first",
                               mgl_shown(value, shown), MGL_DECIMAL_DIGITS);
    return mgl_build_blame(build, value, err,
                           "the value '%s' is no number; name it by `missing` if it means missing "
                           "(`missing: ,NA,VALUE`), give the decimal sign by `decimal`, or take "
                           "a builder for text (mask, groups)",
                           mgl_shown(value, shown));
}

mgl_status mgl_decimals_of(mgl_build *build, mgl_decimal *parameters, size_t n_parameters,
                           mgl_error *err, mgl_decimal **out)
{
    const mgl_ground *ground = build->ground;
    uint32_t scale = 0;
    size_t at = 0;
    mgl_decimal *numbers;
    MGL_TRY(mgl_new_array(ground->n, sizeof *numbers, err, &numbers));
    for (size_t i = 0; i < n_parameters; i++)
        scale = parameters[i].scale > scale ? parameters[i].scale : scale;
    for (; at < ground->n &&
           mgl_decimal_parse(ground->notation, ground->values[at].text, &numbers[at]);
         at++)
        scale = numbers[at].scale > scale ? numbers[at].scale : scale;
    if (at == ground->n)
        for (at = 0; at < ground->n && mgl_decimal_rescale(&numbers[at], scale);)
            at++;
    if (at < ground->n) {
        mgl_free(numbers);
        return fail_value(build, ground->values[at].text, err);
    }
    for (size_t i = 0; i < n_parameters; i++) {
        if (!mgl_decimal_rescale(&parameters[i], scale)) {
            mgl_free(numbers);
            return mgl_draft_fail(build->draft, 0, err,
                                  "a number needs more than %d digits beside the values of the "
                                  "column; round the values first",
                                  MGL_DECIMAL_DIGITS);
        }
    }
    *out = numbers;
    return MGL_OK;
}
