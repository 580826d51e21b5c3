/* Knows cells that a spreadsheet would compute. Writing puts an apostrophe before them, the
 * verifier takes it off again. */
#include "text/text.h"

bool mgl_text_is_formula(mgl_span value)
{
    double number;
    while (value.size > 0 && value.data[0] == '\'')
        value.data++, value.size--;
    return value.size > 0 && memchr("=+-@\t\r", value.data[0], 6) != NULL &&
           !mgl_parse_double(value, &number);
}

mgl_span mgl_text_without_apostrophe(mgl_span value)
{
    mgl_span rest = {value.data + 1, value.size - 1};
    return value.size > 1 && value.data[0] == '\'' && mgl_text_is_formula(rest) ? rest : value;
}
