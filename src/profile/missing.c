/* Knows values that probably mean missing. profile.c calls it for each value. */
#include "profile/looks.h"

#include <ctype.h>
#include <strings.h>

static const char *const words[] = {
    ".",       "*",          "-",          "--",           "?",
    "NA",      "N/A",        "n.a.",       "#N/A",         "<NA>",
    "NaN",     "NULL",       "(null)",     "#NULL!",       "missing",
    "unknown", "unbekannt",  "inconnu",    "keine Angabe", "k.A.",
    "k. A.",   "00.00.0000", "0000-00-00", "00/00/0000",
};

static const char *const numbers[] = {
    "-7",     "-8", "-9",  "-77",  "-88",   "-98", "-99",  "-999",   "-9999",
    "-99999", "99", "999", "9999", "99999", "888", "8888", "999999", "9999999",
};

bool mgl_is_missing_word(mgl_span value)
{
    mgl_span text = mgl_span_trim(value);
    int first = text.size > 0 ? tolower((unsigned char)text.data[0]) : 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (first == tolower((unsigned char)words[i][0]) && text.size == strlen(words[i]) &&
            strncasecmp(text.data, words[i], text.size) == 0)
            return true;
    return false;
}

bool mgl_is_missing_number(mgl_span value)
{
    char first = value.size > 0 ? value.data[0] : '\0';
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (first == numbers[i][0] && mgl_span_is(value, numbers[i]))
            return true;
    return false;
}

bool mgl_missing_number_fits(mgl_span number, double low, double high)
{
    double value;
    if (low > high || !mgl_parse_double(number, &value))
        return false;
    return value < 0 ? low >= 0 : value > high && value - high > high - low;
}
