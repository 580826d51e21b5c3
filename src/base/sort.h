/* Sorting and binary search: numbers, and structures by their fields. In place and without memory
 * of its own. Equal elements end in no particular order. Of no elements, `list` may be NULL. */
#ifndef MGL_BASE_SORT_H
#define MGL_BASE_SORT_H

#include "base/span.h"

#include <stdint.h>

/* Ascending. */
void mgl_sort_u32(uint32_t *list, size_t n);
void mgl_sort_u64(uint64_t *list, size_t n);
void mgl_sort_double(double *list, size_t n); /* none of them a NaN */
/* Ascending, bytewise. */
void mgl_sort_spans(mgl_span *list, size_t n);
void mgl_sort_texts(const char **list, size_t n);
/* The same, and moves the different ones to the front; returns their number. */
size_t mgl_sort_unique_u32(uint32_t *list, size_t n);
size_t mgl_sort_unique_u64(uint64_t *list, size_t n);

typedef enum mgl_sort_type {
    MGL_SORT_UNSIGNED, /* of 1, 2, 4 or 8 bytes; an enumeration, too */
    MGL_SORT_SIGNED,   /* int64_t */
    MGL_SORT_DOUBLE,   /* not a NaN */
    MGL_SORT_SPAN,     /* mgl_span: bytewise */
    MGL_SORT_TEXT      /* const char *: bytewise */
} mgl_sort_type;

/* A field of the elements. An order is an array of keys, of which earlier ones decide first;
 * MGL_SORT_END ends it:
 *
 *     static const mgl_sort_key by_cost[] = {MGL_DESCENDING(candidate, cost),
 *                                             MGL_ASCENDING(candidate, number), MGL_SORT_END};
 *     mgl_sort(candidates, n, sizeof *candidates, by_cost); */
typedef struct mgl_sort_key {
    size_t offset; /* of the field */
    mgl_sort_type type;
    uint8_t size; /* of the field in bytes */
    int8_t sign;  /* 1: ascending, -1: descending, 0: the end */
} mgl_sort_key;

#define MGL_SORT_KEY(type, field, sign)                                                                 \
    {                                                                                                   \
        offsetof(type, field),                                                                        \
     _Generic(((type *)0)->field,                                                                  \
         int64_t: MGL_SORT_SIGNED,                                                                 \
         double: MGL_SORT_DOUBLE,                                                                  \
         mgl_span: MGL_SORT_SPAN,                                                                  \
         char *: MGL_SORT_TEXT,                                                                    \
         const char *: MGL_SORT_TEXT,                                                              \
         default: MGL_SORT_UNSIGNED),                                                              \
     sizeof((type *)0)->field, sign \
    }
#define MGL_ASCENDING(type, field) MGL_SORT_KEY(type, field, 1)
#define MGL_DESCENDING(type, field) MGL_SORT_KEY(type, field, -1)
#define MGL_SORT_END                                                                               \
    {                                                                                              \
        0, MGL_SORT_UNSIGNED, 0, 0                                                                 \
    }

void mgl_sort(void *list, size_t n, size_t size, const mgl_sort_key *order);

/* Binary search in what is sorted: `low`, which is the first index to look at, becomes the first
 * one of which `before`, a condition on `i`, is false; that is `high` if there is none. */
#define MGL_BISECT(low, high, i, before)                                                           \
    while ((low) < (high)) {                                                                       \
        __typeof__(low) i = (low) + ((high) - (low)) / 2;                                          \
        if (before)                                                                                \
            (low) = i + 1;                                                                         \
        else                                                                                       \
            (high) = i;                                                                            \
    }

#endif
