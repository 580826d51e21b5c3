/* Recognizes cells that a spreadsheet would compute. */
#include "text/text.h"

/* A sign, digits with points and commas between them, a percent sign: "-5", "-1.234,5", "+3 %". */
static bool is_plain_number(mgl_span value)
{
    double number;
    size_t size = value.size, digits = 0;
    if (mgl_parse_double(value, &number))
        return true;
    if (value.data[0] != '+' && value.data[0] != '-')
        return false;
    if (value.data[size - 1] == '%')
        size -= size > 2 && value.data[size - 2] == ' ' ? 2 : 1;
    for (size_t i = 1; i < size; i++) {
        char c = value.data[i];
        if ((c < '0' || c > '9') && c != '.' && c != ',')
            return false;
        digits += c >= '0' && c <= '9';
    }
    return digits > 0;
}

/* = + - @ as one byte or in full width, or white space that a spreadsheet skips before these. */
static bool begins_formula(mgl_span value)
{
    static const char wide[][4] = {"\xEF\xBC\x9D", "\xEF\xBC\x8B", "\xEF\xBC\x8D", "\xEF\xBC\xA0"};
    if (value.size > 0 && memchr("=+-@\t\r\n", value.data[0], 7) != NULL)
        return true;
    for (size_t i = 0; value.size >= 3 && i < sizeof wide / sizeof wide[0]; i++)
        if (memcmp(value.data, wide[i], 3) == 0)
            return true;
    return false;
}

bool mgl_text_is_formula(mgl_span value)
{
    while (value.size > 0 && value.data[0] == '\'')
        value.data++, value.size--;
    return begins_formula(value) && !is_plain_number(value);
}

bool mgl_text_is_run(mgl_span value)
{
    bool dashes = true; /* which stand for a missing value */
    if (!begins_formula(value))
        return false;
    for (size_t i = 0; i < value.size; i++)
        dashes = dashes && value.data[i] == '-';
    return !dashes && !is_plain_number(value);
}

mgl_span mgl_text_without_apostrophe(mgl_span value)
{
    mgl_span rest = {value.data + 1, value.size - 1};
    return value.size > 1 && value.data[0] == '\'' && mgl_text_is_formula(rest) ? rest : value;
}
