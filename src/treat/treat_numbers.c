/* Numbers as treatments take them: the one in parentheses, and the values of the column. round.c
 * and top_bottom.c call it. */
#include "treat/treat_rows.h"

bool mgl_treat_read_number(mgl_treat_step *step, mgl_buffer *wrong)
{
    if (mgl_decimal_parse(NULL, step->arguments, &step->number))
        return true;
    mgl_buffer_format(wrong, "is no treatment: '%.*s' is no number; write %s, with a decimal point",
                      mgl_span_width(step->arguments), step->arguments.data, step->type->syntax);
    return false;
}

bool mgl_treat_number(const mgl_treat_values *values, mgl_span value, mgl_decimal *out,
                      mgl_buffer *wrong)
{
    double number;
    if (mgl_decimal_parse(values->notation, value, out))
        return true;
    wrong->size = 0;
    if (mgl_notation_number(values->notation, value, &number))
        mgl_buffer_format(wrong, "needs more than %d digits; round the values first",
                          MGL_DECIMAL_DIGITS);
    else
        mgl_buffer_text(wrong, "is no number; name it by `missing` if it means missing (`missing: "
                               ",NA,VALUE`), or give the decimal sign by `decimal`");
    return false;
}

bool mgl_treat_align(mgl_decimal *a, mgl_decimal *b, mgl_buffer *wrong)
{
    uint32_t scale = a->scale > b->scale ? a->scale : b->scale;
    if (mgl_decimal_rescale(a, scale) && mgl_decimal_rescale(b, scale))
        return true;
    wrong->size = 0;
    mgl_buffer_format(wrong, "needs more than %d digits; round the values first",
                      MGL_DECIMAL_DIGITS);
    return false;
}
