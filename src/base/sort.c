/* Sorts in place: quicksort by the median of three, heap sort where that goes wrong, insertion sort
 * for few elements. */
#include "base/base.h"

enum { FEW = 12, MOST_PARTS = 64 };

static inline void swap(char *a, char *b, size_t size)
{
    for (; size >= sizeof(uint64_t); size -= sizeof(uint64_t)) {
        uint64_t x, y;
        memcpy(&x, a, sizeof x);
        memcpy(&y, b, sizeof y);
        memcpy(a, &y, sizeof y);
        memcpy(b, &x, sizeof x);
        a += sizeof x, b += sizeof x;
    }
    for (; size > 0; size--, a++, b++) {
        char x = *a;
        *a = *b;
        *b = x;
    }
}

/* Below 0: a comes first; above 0: b does. */
typedef int compare_fn(const void *a, const void *b, const void *context);

MGL_SPECIALIZE void sort_few(char *list, size_t n, size_t size, compare_fn *compare,
                             const void *context)
{
    for (char *end = list + size; end < list + n * size; end += size)
        for (char *at = end; at > list && compare(at - size, at, context) > 0; at -= size)
            swap(at - size, at, size);
}

/* Moves an element of a heap with the last ones on top down to where it belongs. */
MGL_SPECIALIZE void sift(char *list, size_t at, size_t n, size_t size, compare_fn *compare,
                         const void *context)
{
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && compare(list + child * size, list + (child + 1) * size, context) < 0)
            child++;
        if (compare(list + at * size, list + child * size, context) >= 0)
            return;
        swap(list + at * size, list + child * size, size);
    }
}

MGL_SPECIALIZE void sort_heap(char *list, size_t n, size_t size, compare_fn *compare,
                              const void *context)
{
    for (size_t i = n / 2; i-- > 0;)
        sift(list, i, n, size, compare, context);
    for (size_t i = n; i-- > 1;) {
        swap(list, list + i * size, size);
        sift(list, 0, i, size, compare, context);
    }
}

/* Divides elements by one of them; returns where that is then. */
MGL_SPECIALIZE size_t divide(char *list, size_t n, size_t size, compare_fn *compare,
                             const void *context)
{
    char *middle = list + n / 2 * size, *last = list + (n - 1) * size, *low = list,
         *high = list + n * size;
    if (compare(middle, last, context) > 0)
        swap(middle, last, size);
    if (compare(list, middle, context) < 0) /* the median comes first */
        swap(list, middle, size);
    else if (compare(list, last, context) > 0)
        swap(list, last, size);
    for (;;) {
        do
            low += size;
        while (low < list + n * size && compare(low, list, context) < 0);
        do
            high -= size;
        while (compare(list, high, context) < 0);
        if (low >= high)
            break;
        swap(low, high, size);
    }
    swap(list, high, size);
    return (size_t)(high - list) / size;
}

/* size and compare are constants where this is inlined. */
MGL_SPECIALIZE void sort(char *list, size_t n, size_t size, compare_fn *compare,
                         const void *context)
{
    struct part {
        char *list;
        size_t n;
        unsigned rounds; /* that may divide it before something is wrong */
    } parts[MOST_PARTS], part = {list, n, 2};
    size_t waiting = 0;
    for (size_t left = n; left > 1; left /= 2)
        part.rounds += 2;
    for (;;) {
        if (part.n > FEW && part.rounds > 0) {
            size_t first = divide(part.list, part.n, size, compare, context);
            struct part low = {part.list, first, part.rounds - 1};
            struct part high = {part.list + (first + 1) * size, part.n - first - 1,
                                part.rounds - 1};
            parts[waiting++] = low.n > high.n ? low : high; /* the smaller one comes first */
            part = low.n > high.n ? high : low;
            continue;
        }
        if (part.n > FEW)
            sort_heap(part.list, part.n, size, compare, context);
        else if (part.n > 1)
            sort_few(part.list, part.n, size, compare, context);
        if (waiting == 0)
            return;
        part = parts[--waiting];
    }
}

MGL_SPECIALIZE int compare_u32(const void *a, const void *b, const void *context)
{
    (void)context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

MGL_SPECIALIZE int compare_u64(const void *a, const void *b, const void *context)
{
    (void)context;
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void mgl_sort_u32(uint32_t *list, size_t n)
{
    sort((char *)list, n, sizeof *list, compare_u32, NULL);
}

void mgl_sort_u64(uint64_t *list, size_t n)
{
    sort((char *)list, n, sizeof *list, compare_u64, NULL);
}

size_t mgl_sort_unique_u32(uint32_t *list, size_t n)
{
    size_t different = 0;
    mgl_sort_u32(list, n);
    for (size_t i = 0; i < n; i++)
        if (different == 0 || list[i] != list[different - 1])
            list[different++] = list[i];
    return different;
}

size_t mgl_sort_unique_u64(uint64_t *list, size_t n)
{
    size_t different = 0;
    mgl_sort_u64(list, n);
    for (size_t i = 0; i < n; i++)
        if (different == 0 || list[i] != list[different - 1])
            list[different++] = list[i];
    return different;
}

/* The usual sizes are read by one instruction, not by a call that copies. */
static inline uint64_t read_unsigned(const char *field, size_t size)
{
    uint64_t value = 0;
    uint32_t half;
    if (size == sizeof value) {
        memcpy(&value, field, sizeof value);
        return value;
    }
    if (size == sizeof half) {
        memcpy(&half, field, sizeof half);
        return half;
    }
    memcpy(&value, field, size); /* little-endian */
    return value;
}

static int compare_field(const char *a, const char *b, const mgl_sort_key *key)
{
    switch (key->type) {
    case MGL_SORT_UNSIGNED: {
        uint64_t x = read_unsigned(a, key->size), y = read_unsigned(b, key->size);
        return (x > y) - (x < y);
    }
    case MGL_SORT_SIGNED: {
        int64_t x = *(const int64_t *)(const void *)a, y = *(const int64_t *)(const void *)b;
        return (x > y) - (x < y);
    }
    case MGL_SORT_DOUBLE: {
        double x = *(const double *)(const void *)a, y = *(const double *)(const void *)b;
        return (x > y) - (x < y);
    }
    case MGL_SORT_SPAN:
        return mgl_span_compare(*(const mgl_span *)(const void *)a,
                                *(const mgl_span *)(const void *)b);
    default:
        return strcmp(*(char *const *)(const void *)a, *(char *const *)(const void *)b);
    }
}

static int compare_fields(const void *a, const void *b, const void *context)
{
    int order = 0;
    for (const mgl_sort_key *key = context; order == 0 && key->sign != 0; key++)
        order = key->sign *
                compare_field((const char *)a + key->offset, (const char *)b + key->offset, key);
    return order;
}

void mgl_sort(void *list, size_t n, size_t size, const mgl_sort_key *order)
{
    sort(list, n, size, compare_fields, order);
}

/* Elements that are one value. */
#define BY_ITSELF(type, kind)                                                                      \
    {                                                                                              \
        {0, kind, sizeof(type), 1}, MGL_SORT_END                                                   \
    }

void mgl_sort_double(double *list, size_t n)
{
    static const mgl_sort_key ascending[] = BY_ITSELF(double, MGL_SORT_DOUBLE);
    mgl_sort(list, n, sizeof *list, ascending);
}

void mgl_sort_spans(mgl_span *list, size_t n)
{
    static const mgl_sort_key ascending[] = BY_ITSELF(mgl_span, MGL_SORT_SPAN);
    mgl_sort(list, n, sizeof *list, ascending);
}

void mgl_sort_texts(const char **list, size_t n)
{
    static const mgl_sort_key ascending[] = BY_ITSELF(const char *, MGL_SORT_TEXT);
    mgl_sort(list, n, sizeof *list, ascending);
}
