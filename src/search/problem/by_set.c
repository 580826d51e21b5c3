/* Reads numbers that a column has for each quasi-identifier. Rows of the tables of keys and of
 * options name these readers. */
#include "search/problem/by_set.h"

#include <math.h>

static bool read_up_to(mgl_span text, double most, mgl_by_set *out)
{
    mgl_by_set read = {.n = 0};
    for (bool more = true; more;) {
        const char *slash = text.size > 0 ? memchr(text.data, '/', text.size) : NULL;
        size_t size = slash != NULL ? (size_t)(slash - text.data) : text.size;
        double number;
        if (read.n == MGL_MOST_BY_SET || !mgl_parse_double((mgl_span){text.data, size}, &number) ||
            !isfinite(number) || number < 0 || number > most)
            return false;
        read.values[read.n++] = number;
        more = slash != NULL;
        if (more)
            text = (mgl_span){slash + 1, text.size - size - 1};
    }
    *out = read;
    return true;
}

bool mgl_read_by_set(mgl_span text, void *place)
{
    return read_up_to(text, INFINITY, place);
}

bool mgl_read_shares_by_set(mgl_span text, void *place)
{
    return read_up_to(text, 1, place);
}

bool mgl_by_set_any(const mgl_by_set *x)
{
    for (size_t i = 0; i < x->n; i++)
        if (x->values[i] > 0)
            return true;
    return false;
}
