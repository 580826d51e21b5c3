/* How many rows may be suppressed, by what a job says and how many rows there are. The settings ask
 * for whole tables, slice.c for each stratum. */
#include "search/problem/problem.h"

uint64_t mgl_limit_of(const char *said, uint64_t n_rows)
{
    uint64_t limit = 0;
    if (said == NULL)
        return 0;
    size_t size = strlen(said);
    if (size > 0 && said[size - 1] == '%')
        mgl_parse_share((mgl_span){said, size - 1}, true, n_rows, &limit);
    else
        mgl_parse_u64((mgl_span){said, size}, &limit);
    return limit < n_rows ? limit : n_rows;
}
