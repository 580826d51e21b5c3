/* What Arrow's formats say about the buffers of an array, for the types that tables come with. */
#include "core.h"

const char core_stream_name[] = "arrow_array_stream";
const char core_schema_name[] = "arrow_schema";
const char core_array_name[] = "arrow_array";

/* Decimals are "d:PRECISION,SCALE" or "d:PRECISION,SCALE,BITS". */
static unsigned decimal_bits(const char *format)
{
    const char *comma = strchr(format, ',');
    comma = comma != NULL ? strchr(comma + 1, ',') : NULL;
    return comma != NULL ? (unsigned)strtoul(comma + 1, NULL, 10) : 128;
}

unsigned core_format_bits(const char *format)
{
    static const struct {
        const char *begin;
        unsigned bits;
    } widths[] = {
        {"b", 1},    {"c", 8},    {"C", 8},    {"s", 16},   {"S", 16},   {"i", 32},
        {"I", 32},   {"l", 64},   {"L", 64},   {"e", 16},   {"f", 32},   {"g", 64},
        {"tdD", 32}, {"tdm", 64}, {"tts", 32}, {"ttm", 32}, {"ttu", 64}, {"ttn", 64},
        {"tss", 64}, {"tsm", 64}, {"tsu", 64}, {"tsn", 64}, {"tD", 64},
    };
    if (strncmp(format, "d:", 2) == 0)
        return decimal_bits(format);
    for (size_t i = 0; i < sizeof widths / sizeof widths[0]; i++) {
        size_t size = strlen(widths[i].begin);
        if (strncmp(format, widths[i].begin, size) == 0 &&
            (format[size] == '\0' || format[size] == ':' || strcmp(widths[i].begin, "tD") == 0))
            return widths[i].bits;
    }
    return 0;
}

unsigned core_format_offsets(const char *format)
{
    if (strcmp(format, "u") == 0 || strcmp(format, "z") == 0)
        return 4;
    return strcmp(format, "U") == 0 || strcmp(format, "Z") == 0 ? 8 : 0;
}

int core_format_buffers(const char *format)
{
    if (core_format_offsets(format) != 0)
        return 3;
    if (core_format_bits(format) != 0)
        return 2;
    return strcmp(format, "n") == 0 ? 0 : -1;
}

size_t core_last_offset(const char *format, const void *offsets, size_t n)
{
    if (core_format_offsets(format) == 4) {
        int32_t last;
        memcpy(&last, (const char *)offsets + n * sizeof last, sizeof last);
        return (size_t)last;
    }
    int64_t last;
    memcpy(&last, (const char *)offsets + n * sizeof last, sizeof last);
    return (size_t)last;
}
