/* Reads the numbers and dates that treatments change, and writes them in the notation of the
 * column. */
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

static bool is_missing(const mgl_treat_values *values, uint32_t at)
{
    return (values->codes != NULL ? values->codes[at] : at) == values->missing;
}

/* What stands before the semicolon of the arguments; size 0: nothing. */
static mgl_span given_order(const mgl_treat_step *step)
{
    const char *end = memchr(step->arguments.data, ';', step->arguments.size);
    return end != NULL ? mgl_span_trim(
                             (mgl_span){step->arguments.data, (size_t)(end - step->arguments.data)})
                       : (mgl_span){"", 0};
}

mgl_treat_dates mgl_treat_dates_of(const mgl_treat_step *step, const mgl_treat_values *values)
{
    mgl_treat_dates dates = {.order = MGL_YMD};
    unsigned orders = (1u << MGL_DATE_ORDERS) - 1;
    mgl_span order = given_order(step);
    for (uint32_t at = 0; at < values->n; at++) {
        unsigned these =
            is_missing(values, at) ? 0 : mgl_date_orders(values->notation, values->texts[at]);
        orders &= these != 0 ? these : orders; /* what is no date is reported later */
    }
    dates.clear = order.size > 0 || (orders != 0 && (orders & (orders - 1)) == 0);
    if (order.size > 0)
        mgl_date_order_parse(order, &dates.order);
    while (order.size == 0 && dates.order + 1 < MGL_DATE_ORDERS &&
           (orders & 1u << dates.order) == 0)
        dates.order++;
    for (uint32_t at = 0; dates.clear && at < values->n; at++) {
        mgl_moment moment;
        dates.all = (at == 0 || dates.all) &&
                    (is_missing(values, at) ||
                     mgl_moment_parse(values->notation, values->texts[at], dates.order, &moment));
    }
    return dates;
}

bool mgl_treat_moment(const mgl_treat_dates *dates, const mgl_treat_values *values, uint32_t at,
                      mgl_moment *out, mgl_buffer *wrong)
{
    if (dates->clear && mgl_moment_parse(values->notation, values->texts[at], dates->order, out))
        return true;
    bool date = mgl_date_orders(values->notation, values->texts[at]) != 0;
    mgl_buffer_text(wrong,
                    !date ? "is no date; dates are written 1965-09-20, 20.9.1965 or 9/20/1965, a "
                            "time may follow (name it by `missing` if it means missing: `missing: "
                            ",NA,VALUE`)"
                          : "and others leave open what is the day and what the month, or are "
                            "written in different orders; say the order in front, as in dmy; or "
                            "mdy;, or write all dates alike");
    return false;
}
