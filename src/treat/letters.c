/* lower, upper and trim: values that differ in the case of letters or in blanks around them become
 * one. Rows of the table in treat_types.c. */
#include "treat/treat_rows.h"

#include <utf8proc.h>

static mgl_span next_point(mgl_span text, utf8proc_int32_t *point)
{
    utf8proc_ssize_t n =
        utf8proc_iterate((const utf8proc_uint8_t *)text.data, (utf8proc_ssize_t)text.size, point);
    size_t size = n > 0 ? (size_t)n : 1;
    *point = n > 0 ? *point : -1;
    return (mgl_span){text.data + size, text.size - size};
}

static bool turn(mgl_span text, utf8proc_int32_t (*turned)(utf8proc_int32_t), mgl_buffer *out)
{
    while (text.size > 0) {
        utf8proc_int32_t point;
        utf8proc_uint8_t bytes[4];
        mgl_span rest = next_point(text, &point);
        if (point < 0)
            mgl_buffer_append(out, text.data, 1);
        else
            mgl_buffer_append(out, (const char *)bytes,
                              (size_t)utf8proc_encode_char(turned(point), bytes));
        text = rest;
    }
    return true;
}

static bool lower_value(const mgl_treat_step *step, const mgl_treat_values *values,
                        const void *state, uint32_t at, mgl_buffer *out)
{
    (void)step, (void)state;
    return turn(values->texts[at], utf8proc_tolower, out);
}

static bool upper_value(const mgl_treat_step *step, const mgl_treat_values *values,
                        const void *state, uint32_t at, mgl_buffer *out)
{
    (void)step, (void)state;
    return turn(values->texts[at], utf8proc_toupper, out);
}

static bool trim_value(const mgl_treat_step *step, const mgl_treat_values *values,
                       const void *state, uint32_t at, mgl_buffer *out)
{
    mgl_spelling trim = {.trim = true};
    (void)step, (void)state;
    return mgl_spelling_key(trim, values->texts[at], out);
}

/* Letters of the other case may be left that have no counterpart. */
static bool lower_keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    (void)step, (void)notation;
    while (text.size > 0) {
        utf8proc_int32_t point;
        text = next_point(text, &point);
        if (point >= 0 && utf8proc_category(point) == UTF8PROC_CATEGORY_LU &&
            utf8proc_tolower(point) != point)
            return false;
    }
    return true;
}

static bool upper_keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    (void)step, (void)notation;
    while (text.size > 0) {
        utf8proc_int32_t point;
        text = next_point(text, &point);
        if (point >= 0 && utf8proc_category(point) == UTF8PROC_CATEGORY_LL &&
            utf8proc_toupper(point) != point)
            return false;
    }
    return true;
}

static bool trim_keeps(const mgl_treat_step *step, const mgl_notation *notation, mgl_span text)
{
    static const char *const blanks[] = {
        " ", "\t", "\n", "\r", "\xC2\xA0", "\xE2\x80\x89", "\xE2\x80\xAF", "\xEF\xBB\xBF"};
    (void)step, (void)notation;
    for (size_t i = 0; i < sizeof blanks / sizeof blanks[0]; i++) {
        size_t size = strlen(blanks[i]);
        if (text.size >= size && (memcmp(text.data, blanks[i], size) == 0 ||
                                  memcmp(text.data + text.size - size, blanks[i], size) == 0))
            return false;
    }
    return true;
}

const mgl_treat_type mgl_treat_lower = {
    .name = "lower",
    .syntax = "lower",
    .help = "letters become small ones",
    .example = "lower: Ann@X.org -> ann@x.org",
    .promise = "without capital letters",
    .value = lower_value,
    .keeps = lower_keeps,
};

const mgl_treat_type mgl_treat_upper = {
    .name = "upper",
    .syntax = "upper",
    .help = "letters become capital ones",
    .example = "upper: k21.0 -> K21.0",
    .promise = "without small letters",
    .value = upper_value,
    .keeps = upper_keeps,
};

const mgl_treat_type mgl_treat_trim = {
    .name = "trim",
    .syntax = "trim",
    .help = "without blanks around values",
    .example = "trim: ' asthma' -> 'asthma'",
    .promise = "without blanks around it",
    .value = trim_value,
    .keeps = trim_keeps,
};
