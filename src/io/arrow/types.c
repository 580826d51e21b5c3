/* Formats of the Arrow C data interface: which types of columns we take, and what those are called
 * that we do not. The import of tables calls it. */
#include "io/arrow/arrow.h"

enum { SECOND = 1, MILLI = 1000, MICRO = 1000000, NANO = 1000000000, DAY_OF_MILLI = 86400000 };

typedef enum format_shape {
    EXACT,
    ZONE,    /* a time zone may follow */
    DECIMAL, /* precision, scale and bits follow */
    REFUSED, /* anything may follow */
} format_shape;

typedef struct format_row {
    const char *begins;
    format_shape shape;
    mgl_arrow_type type;
} format_row;

/* A format that begins another one comes after it. */
static const format_row formats[] = {
    {"n", EXACT, {.kind = MGL_ARROW_NULL, .words = "null"}},
    {"b", EXACT, {.kind = MGL_ARROW_BOOL, .words = "bool"}},
    {"c", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 1, .words = "8-bit integer"}},
    {"C", EXACT, {.kind = MGL_ARROW_UNSIGNED, .width = 1, .words = "unsigned 8-bit integer"}},
    {"s", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 2, .words = "16-bit integer"}},
    {"S", EXACT, {.kind = MGL_ARROW_UNSIGNED, .width = 2, .words = "unsigned 16-bit integer"}},
    {"i", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 4, .words = "32-bit integer"}},
    {"I", EXACT, {.kind = MGL_ARROW_UNSIGNED, .width = 4, .words = "unsigned 32-bit integer"}},
    {"l", EXACT, {.kind = MGL_ARROW_SIGNED, .width = 8, .words = "64-bit integer"}},
    {"L", EXACT, {.kind = MGL_ARROW_UNSIGNED, .width = 8, .words = "unsigned 64-bit integer"}},
    {"e", EXACT, {.kind = MGL_ARROW_FLOAT, .width = 2, .words = "16-bit float"}},
    {"f", EXACT, {.kind = MGL_ARROW_FLOAT, .width = 4, .words = "32-bit float"}},
    {"g", EXACT, {.kind = MGL_ARROW_FLOAT, .width = 8, .words = "64-bit float"}},
    {"d:", DECIMAL, {.kind = MGL_ARROW_DECIMAL, .words = "decimal"}},
    {"u", EXACT, {.kind = MGL_ARROW_TEXT, .width = 4, .words = "text"}},
    {"U", EXACT, {.kind = MGL_ARROW_LARGE_TEXT, .width = 8, .words = "large text"}},
    {"vu", EXACT, {.kind = MGL_ARROW_VIEW, .width = 16, .words = "text view"}},
    {"tdD", EXACT, {.kind = MGL_ARROW_DAY, .width = 4, .unit = 1, .words = "date"}},
    {"tdm", EXACT, {.kind = MGL_ARROW_DAY, .width = 8, .unit = DAY_OF_MILLI, .words = "date"}},
    {"tts", EXACT, {.kind = MGL_ARROW_TIME, .width = 4, .unit = SECOND, .words = "time"}},
    {"ttm", EXACT, {.kind = MGL_ARROW_TIME, .width = 4, .unit = MILLI, .words = "time"}},
    {"ttu", EXACT, {.kind = MGL_ARROW_TIME, .width = 8, .unit = MICRO, .words = "time"}},
    {"ttn", EXACT, {.kind = MGL_ARROW_TIME, .width = 8, .unit = NANO, .words = "time"}},
    {"tss:", ZONE, {.kind = MGL_ARROW_MOMENT, .width = 8, .unit = SECOND, .words = "timestamp"}},
    {"tsm:", ZONE, {.kind = MGL_ARROW_MOMENT, .width = 8, .unit = MILLI, .words = "timestamp"}},
    {"tsu:", ZONE, {.kind = MGL_ARROW_MOMENT, .width = 8, .unit = MICRO, .words = "timestamp"}},
    {"tsn:", ZONE, {.kind = MGL_ARROW_MOMENT, .width = 8, .unit = NANO, .words = "timestamp"}},
    {"tD", REFUSED, {.words = "duration"}},
    {"ti", REFUSED, {.words = "interval"}},
    {"z", REFUSED, {.words = "binary"}},
    {"Z", REFUSED, {.words = "large binary"}},
    {"vz", REFUSED, {.words = "binary view"}},
    {"w:", REFUSED, {.words = "fixed-size binary"}},
    {"+l", REFUSED, {.words = "list"}},
    {"+L", REFUSED, {.words = "large list"}},
    {"+vl", REFUSED, {.words = "list view"}},
    {"+vL", REFUSED, {.words = "large list view"}},
    {"+w:", REFUSED, {.words = "fixed-size list"}},
    {"+s", REFUSED, {.words = "struct"}},
    {"+m", REFUSED, {.words = "map"}},
    {"+ud:", REFUSED, {.words = "dense union"}},
    {"+us:", REFUSED, {.words = "sparse union"}},
    {"+r", REFUSED, {.words = "run-end encoded"}},
};

enum { MOST_SCALE = 76, DEFAULT_BITS = 128 };

/* A whole number at *at, up to a comma or the end; *at goes behind the comma. */
static bool take_number(const char **at, int64_t *out)
{
    size_t size = strcspn(*at, ",");
    if (!mgl_parse_i64((mgl_span){*at, size}, out))
        return false;
    *at += size + ((*at)[size] == ',');
    return true;
}

/* "19,10" or "19,10,64" */
static bool take_decimal(const char *text, mgl_arrow_type *type)
{
    static const struct {
        int64_t bits, most_digits;
    } sizes[] = {{32, 9}, {64, 18}, {128, 38}, {256, 76}};
    int64_t precision, scale, bits = DEFAULT_BITS;
    if (!take_number(&text, &precision) || !take_number(&text, &scale) ||
        (*text != '\0' && !take_number(&text, &bits)) || *text != '\0')
        return false;
    if (scale < -MOST_SCALE || scale > MOST_SCALE)
        return false;
    type->scale = (int)scale;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        if (sizes[i].bits == bits) {
            type->width = (unsigned)(bits / 8);
            return precision >= 1 && precision <= sizes[i].most_digits;
        }
    return false;
}

bool mgl_arrow_type_of(const char *format, mgl_arrow_type *out)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const format_row *row = &formats[i];
        size_t size = strlen(row->begins);
        if (strncmp(format, row->begins, size) != 0)
            continue;
        if (row->shape == EXACT && format[size] != '\0')
            continue;
        *out = row->type;
        out->zoned = row->shape == ZONE && format[size] != '\0';
        return row->shape == DECIMAL ? take_decimal(format + size, out) : row->shape != REFUSED;
    }
    *out = (mgl_arrow_type){.kind = MGL_ARROW_NULL};
    return false;
}
