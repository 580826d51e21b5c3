/* What the tests of the privacy models share: sensitive columns and classes made by hand. */
#ifndef TEST_PRIVACY_H
#define TEST_PRIVACY_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "privacy/privacy.h"

enum { SUBJECT_LEVELS = 5, SUBJECTS = 2 };

/* A sensitive column as the models know it. Owns its arrays. */
typedef struct subject {
    mgl_column column;
    mgl_sensitive s;
    uint64_t *counts, *cumulative, *cumulative_sums;
    uint32_t *rank, *strong, *leaf_of_code;
    mgl_hierarchy hierarchy;
    mgl_level levels[SUBJECT_LEVELS];
    uint64_t *level_counts[SUBJECT_LEVELS];
} subject;

/* order[rank] is the code; NULL: codes are ranks. Values of count 0 do not occur. Free with
 * subject_free. */
static inline void subject_make(subject *out, const char *name, uint32_t n_values,
                                const uint64_t *counts, const uint32_t *order)
{
    *out = (subject){.column = {.name = (char *)name}};
    out->counts = malloc(n_values * sizeof *counts);
    out->cumulative = malloc(n_values * sizeof *counts);
    out->cumulative_sums = calloc(n_values + 1, sizeof *counts);
    out->rank = calloc(n_values, sizeof *out->rank);
    out->strong = malloc(n_values * sizeof *out->strong);
    memcpy(out->counts, counts, n_values * sizeof *counts);
    uint32_t n = 0;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n_values; i++) {
        uint32_t code = order != NULL ? order[i] : i;
        out->strong[i] = i;
        if (counts[code] == 0)
            continue;
        out->rank[code] = n;
        out->cumulative[n] = sum += counts[code];
        out->cumulative_sums[n + 1] = out->cumulative_sums[n] + sum;
        n++;
    }
    out->s = (mgl_sensitive){.column = &out->column,
                             .counts = out->counts,
                             .n = sum,
                             .n_values = n_values,
                             .n_present = n,
                             .rank = out->rank,
                             .cumulative = out->cumulative,
                             .cumulative_sums = out->cumulative_sums,
                             .strong = out->strong,
                             .n_strong = n_values,
                             .n_strong_present = n};
}

/* Gives it a hierarchy: of_leaf[h][leaf] is the value on level h, leaves are codes. */
static inline void subject_grow(subject *out, uint32_t height, uint32_t *of_leaf[])
{
    uint32_t n = out->s.n_values;
    out->leaf_of_code = malloc(n * sizeof *out->leaf_of_code);
    for (uint32_t i = 0; i < n; i++)
        out->leaf_of_code[i] = i;
    for (uint32_t h = 0; h <= height; h++) {
        uint32_t n_level = 0;
        out->level_counts[h] = calloc(n, sizeof *out->level_counts[h]);
        for (uint32_t i = 0; i < n; i++) {
            out->level_counts[h][of_leaf[h][i]] += out->counts[i];
            if (of_leaf[h][i] >= n_level)
                n_level = of_leaf[h][i] + 1;
        }
        out->levels[h] = (mgl_level){.n_values = n_level, .of_leaf = of_leaf[h]};
    }
    out->hierarchy = (mgl_hierarchy){.height = height, .n_leaves = n, .levels = out->levels};
    out->s.hierarchy = &out->hierarchy;
    out->s.leaf_of_code = out->leaf_of_code;
    out->s.level_counts = (const uint64_t *const *)out->level_counts;
}

static inline void subject_free(subject *subject)
{
    free(subject->counts);
    free(subject->cumulative);
    free(subject->cumulative_sums);
    free(subject->rank);
    free(subject->strong);
    free(subject->leaf_of_code);
    for (size_t h = 0; h < SUBJECT_LEVELS; h++)
        free(subject->level_counts[h]);
}

/* A class with one sensitive column, from its counts by code. Owns its arrays. */
typedef struct sample_class {
    uint32_t *values;
    uint64_t *counts;
    mgl_histogram histogram;
    mgl_group group;
} sample_class;

static inline void class_make(sample_class *out, uint32_t n_values, const uint64_t *counts)
{
    *out = (sample_class){0};
    out->values = malloc((n_values + 1) * sizeof *out->values);
    out->counts = malloc((n_values + 1) * sizeof *out->counts);
    uint64_t rows = 0;
    size_t n = 0;
    for (uint32_t v = 0; v < n_values; v++) {
        if (counts[v] == 0)
            continue;
        out->values[n] = v;
        out->counts[n++] = counts[v];
        rows += counts[v];
    }
    out->histogram = (mgl_histogram){.values = out->values, .counts = out->counts, .size = n};
    out->group = (mgl_group){.size = rows, .rows = rows, .n_sensitive = 1};
}

static inline const mgl_group *class_group(sample_class *class)
{
    class->group.sensitive = &class->histogram;
    return &class->group;
}

static inline void class_free(sample_class *class)
{
    free(class->values);
    free(class->counts);
}

static inline const mgl_model_type *type_of(const char *name)
{
    const mgl_model_type *type = mgl_model_type_find(name);
    assert_non_null(type);
    return type;
}

/* Relative to the larger, 1e-12 unless said. */
static inline bool close_to(double a, double b, double tolerance)
{
    if (isinf(a) || isinf(b))
        return a == b;
    return fabs(a - b) <= tolerance * fmax(1, fmax(fabs(a), fabs(b)));
}

#define assert_close(a, b)                                                                         \
    do {                                                                                           \
        double close_a = (a), close_b = (b);                                                       \
        if (!close_to(close_a, close_b, 1e-12))                                                    \
            fail_msg("%.17g is not %.17g", close_a, close_b);                                      \
    } while (0)

#endif
