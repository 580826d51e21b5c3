/* Says which type a released quasi-identifier has: that of its column, if every released text is a
 * value of it that reads just so, else that of numbers or texts. push_parquet.c asks it. */
#include "io/duckdb/release_functions.h"

#include <stdio.h>
#include <stdlib.h>

/* Is every released text such? */
typedef bool text_is_fn(mgl_span text, const void *context);

static bool all_are(const mgl_release_functions *functions, size_t key, text_is_fn *is,
                    const void *context)
{
    for (size_t i = 0; i < mgl_release_texts(functions, key); i++) {
        mgl_span text = mgl_release_text(functions, key, i);
        if (text.data != NULL && !is(text, context))
            return false;
    }
    return true;
}

/* ---- Whole numbers ---------------------------------------------------------------------- */

typedef struct whole_type {
    const char *name, *low, *high; /* low: without its sign; "": it has none */
} whole_type;

static const whole_type whole_types[] = {
    {"TINYINT", "128", "127"},
    {"SMALLINT", "32768", "32767"},
    {"INTEGER", "2147483648", "2147483647"},
    {"BIGINT", "9223372036854775808", "9223372036854775807"},
    {"HUGEINT", "170141183460469231731687303715884105728",
     "170141183460469231731687303715884105727"},
    {"UTINYINT", "", "255"},
    {"USMALLINT", "", "65535"},
    {"UINTEGER", "", "4294967295"},
    {"UBIGINT", "", "18446744073709551615"},
    {"UHUGEINT", "", "340282366920938463463374607431768211455"},
};

static bool are_digits(mgl_span text)
{
    for (size_t i = 0; i < text.size; i++)
        if (text.data[i] < '0' || text.data[i] > '9')
            return false;
    return text.size > 0 && (text.data[0] != '0' || text.size == 1);
}

static bool is_whole(mgl_span text, const void *context)
{
    const whole_type *type = context;
    bool minus = text.size > 0 && text.data[0] == '-';
    mgl_span digits = {text.data + minus, text.size - minus};
    mgl_span most = mgl_span_of(minus ? type->low : type->high);
    if (!are_digits(digits) || (minus && digits.data[0] == '0') || digits.size > most.size)
        return false;
    return digits.size < most.size || mgl_span_compare(digits, most) <= 0;
}

/* ---- Others ----------------------------------------------------------------------------- */

static bool is_double(mgl_span text, const void *context)
{
    char again[MGL_NUMBER_TEXT];
    double number;
    (void)context;
    if (!mgl_parse_double(text, &number))
        return false;
    size_t size = mgl_number_write_exact(number, again);
    return mgl_span_equal(text, (mgl_span){again, size});
}

static bool is_float(mgl_span text, const void *context)
{
    char again[MGL_NUMBER_TEXT];
    double number;
    (void)context;
    if (!mgl_parse_double(text, &number))
        return false;
    size_t size = mgl_number_write_single((float)number, again);
    return mgl_span_equal(text, (mgl_span){again, size});
}

/* DECIMAL(p,s) shows s digits behind the point, and has room for p. */
static bool is_decimal(mgl_span text, const void *context)
{
    const unsigned *sizes = context;
    bool minus = text.size > 0 && text.data[0] == '-';
    mgl_span rest = {text.data + minus, text.size - minus};
    size_t behind = sizes[1];
    if (behind == 0)
        return are_digits(rest) && rest.size <= sizes[0];
    if (rest.size < behind + 2 || rest.data[rest.size - behind - 1] != '.')
        return false;
    mgl_span front = {rest.data, rest.size - behind - 1};
    for (size_t i = 0; i < behind; i++)
        if (rest.data[rest.size - 1 - i] < '0' || rest.data[rest.size - 1 - i] > '9')
            return false;
    return are_digits(front) && front.size + behind <= sizes[0];
}

static bool is_date(mgl_span text, const void *context)
{
    double seconds;
    (void)context;
    return text.size == strlen("1965-09-20") && mgl_date_read(text, &seconds);
}

static bool is_time(mgl_span text, const void *context)
{
    double seconds;
    (void)context;
    return mgl_datetime_read(text, &seconds);
}

static bool is_truth(mgl_span text, const void *context)
{
    (void)context;
    return mgl_span_is(text, "true") || mgl_span_is(text, "false");
}

typedef struct other_type {
    const char *name;
    text_is_fn *is;
} other_type;

static const other_type other_types[] = {
    {"DOUBLE", is_double},  {"FLOAT", is_float},   {"DATE", is_date},
    {"TIMESTAMP", is_time}, {"BOOLEAN", is_truth},
};

static bool keeps(const mgl_release_functions *functions, size_t key, const char *type)
{
    unsigned sizes[2];
    for (size_t i = 0; i < sizeof whole_types / sizeof whole_types[0]; i++)
        if (strcmp(type, whole_types[i].name) == 0)
            return all_are(functions, key, is_whole, &whole_types[i]);
    for (size_t i = 0; i < sizeof other_types / sizeof other_types[0]; i++)
        if (strcmp(type, other_types[i].name) == 0)
            return all_are(functions, key, other_types[i].is, NULL);
    if (sscanf(type, "DECIMAL(%2u,%2u)", &sizes[0], &sizes[1]) == 2)
        return all_are(functions, key, is_decimal, sizes);
    return false;
}

const char *mgl_released_type(const mgl_release_functions *functions, size_t key,
                              const mgl_duck_column *column, mgl_cell_kind kind)
{
    if (keeps(functions, key, column->type))
        return column->type;
    if (kind == MGL_CELLS_NUMBER && all_are(functions, key, is_double, NULL))
        return "DOUBLE";
    return "VARCHAR";
}
