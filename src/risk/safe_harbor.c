/* Recognizes what HIPAA's Safe Harbor forbids: ZIP codes, dates and ages that are too exact, kinds
 * of identifiers. For values of columns and for the levels of hierarchies. */
#include "risk/risk.h"

#include <math.h>

bool mgl_is_zip_column(const char *column)
{
    return mgl_column_is_called(column, "zip|zipcode|zip code|postcode|post code|postal code|plz");
}

/* Returns which of the 18 kinds the name of the column means; NULL if none. */
static const char *safe_harbor_kind(const char *column)
{
    size_t n;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    for (size_t k = 0; k < n; k++)
        if (mgl_kind_is_named(&kinds[k], column))
            return kinds[k].name;
    if (mgl_column_is_called(column, "city|town|county|precinct|district|municipality"))
        return "a place smaller than a state";
    if (mgl_column_is_called(column, "age"))
        return "an age";
    return NULL;
}

/* Does it show more than three characters of a ZIP code? */
static bool reveals_zip(mgl_span text)
{
    size_t seen = 0;
    for (size_t i = 0; i < text.size; i++)
        seen += text.data[i] != '*' && text.data[i] != ' ';
    return seen > 3;
}

/* Is it a day or a month, or a range that does not consist of whole years? */
static bool reveals_date(mgl_span text)
{
    static const mgl_notation any_century = {.has_century = true};
    mgl_ground_text value = mgl_ground_text_of(text, &any_century);
    if (value.is_date)
        return true;
    mgl_meaning meaning = mgl_meaning_of(text);
    return meaning.dates && (text.data[0] == '[' || meaning.last - meaning.first < 364);
}

/* Is it an age above 89, but not all of these together? */
static bool reveals_age(mgl_span text)
{
    mgl_ground_text value = mgl_ground_text_of(text, NULL);
    if (value.is_number)
        return value.number > 89;
    mgl_meaning meaning = mgl_meaning_of(text);
    double last = meaning.closed ? meaning.high : meaning.high - 1;
    return meaning.numbers && isfinite(meaning.high) ? last > 89
                                                     : meaning.numbers && meaning.low > 90;
}

static bool is_birth(const char *column)
{
    return mgl_column_is_called(column, "birthdate|birth date|date of birth|dob|birthday|birth|"
                                        "birthyear|birth year|year of birth|yob|born|"
                                        "geburtsdatum|geburtsjahr");
}

/* The leading digits of a masked year or date: 192* can be 1920. More of a masked date than its
 * year: 1985-0*-**. */
static double masked_year(mgl_span text, bool *finer)
{
    double year = 0;
    size_t seen = 0;
    for (size_t i = 0; i < 4; i++) {
        bool digit = i < text.size && text.data[i] >= '0' && text.data[i] <= '9';
        year = 10 * year + (digit ? text.data[i] - '0' : 0);
        seen += digit;
    }
    for (size_t i = 4; i < text.size; i++)
        *finer = *finer || (text.data[i] >= '0' && text.data[i] <= '9');
    return seen > 0 ? year : NAN;
}

/* The earliest year of birth that a text allows; NAN if it has none, or includes all years before
 * some year: those are the oldest together. */
enum { FIRST_YEAR = 1800 }; /* smaller numbers are not years, but an order of births or a weight */

static double earliest_birth(mgl_span text, bool *finer)
{
    mgl_meaning meaning = mgl_meaning_of(text);
    mgl_ground_text value = mgl_ground_text_of(text, NULL);
    if (meaning.mask)
        return masked_year(text, finer);
    if (meaning.dates)
        return mgl_meaning_year(meaning.first);
    double low = value.is_number ? value.number : meaning.numbers ? meaning.low : NAN;
    return low >= FIRST_YEAR ? low : NAN;
}

static const char *finds_in_birth(mgl_span text, unsigned year)
{
    enum { OLDEST = 89 };
    bool finer = false;
    double birth = earliest_birth(text, &finer);
    if (finer)
        return "a date finer than a year";
    return birth < (double)year - OLDEST ? "a year of birth that makes a person older than 89"
                                         : NULL;
}

static bool is_general(mgl_span text)
{
    return text.size == 0 || mgl_meaning_of(text).anything;
}

const char *mgl_safe_harbor_finds(const char *column, mgl_span text, unsigned year)
{
    size_t n;
    const mgl_identifier_kind *kinds = mgl_identifier_kinds(&n);
    if (is_general(text))
        return NULL;
    if (mgl_is_zip_column(column))
        return reveals_zip(text) ? "more than three digits of a ZIP code" : NULL;
    if (reveals_date(text))
        return "a date finer than a year";
    if (is_birth(column))
        return finds_in_birth(text, year);
    if (mgl_column_is_called(column, "age"))
        return reveals_age(text) ? "an age above 89" : NULL;
    for (size_t k = 0; k < n; k++)
        if (kinds[k].looks != NULL && kinds[k].looks(text))
            return kinds[k].name;
    return safe_harbor_kind(column);
}
