/* The models of the room, and what several of them need. Private to the module. */
#ifndef MGL_PRIVACY_MODELS_H
#define MGL_PRIVACY_MODELS_H

#include "privacy/privacy.h"

#define MGL_ROW(type) extern const mgl_model_type type;
#include "privacy/model_rows.h"
#undef MGL_ROW

/* Counts protected subtrees, as extended p does, whatever k is; no model that can be asked for. */
extern const mgl_model_type mgl_protected_subtrees;

/* The words of the parameter `distance` of t-closeness, in their order. */
enum { MGL_DISTANCE_EQUAL, MGL_DISTANCE_ORDERED, MGL_DISTANCE_HIERARCHICAL };

/* What p(s) is a share of: the persons with a value, summed over the values. With --entity
 * that is more than the size of the class where a person has several values. */
static inline uint64_t mgl_histogram_total(const mgl_histogram *histogram)
{
    uint64_t total = 0;
    for (size_t i = 0; i < histogram->size; i++)
        total += histogram->counts[i];
    return total;
}

/* The same without the entry of missing cells (mgl_unknown_at). */
static inline uint64_t mgl_histogram_known(const mgl_histogram *histogram, size_t unknown)
{
    return mgl_histogram_total(histogram) - (unknown != SIZE_MAX ? histogram->counts[unknown] : 0);
}

/* (p - q) * n * N, exactly: p = count/n in the class, q = whole_count/N in the table. So a
 * class distributed like the table is at distance 0, in whatever order it is summed. */
static inline __int128 mgl_excess(uint64_t count, uint64_t n, uint64_t whole_count,
                                  uint64_t whole_n)
{
    return (__int128)count * whole_n - (__int128)whole_count * n;
}

/* The same number, faster: most fit a machine word. */
static inline double mgl_double_of(__int128 number)
{
    return number == (int64_t)number ? (double)(int64_t)number : (double)number;
}

/* Is what is measured at most, below, or at least the first parameter? For `holds` of models. */
bool mgl_measures_at_most(const mgl_model *model, const mgl_group *group);
bool mgl_measures_below(const mgl_model *model, const mgl_group *group);
bool mgl_measures_at_least(const mgl_model *model, const mgl_group *group);
bool mgl_table_measures_at_most(const mgl_model *model, const mgl_class_sizes *classes);

/* Refuses a bound of a risk, named `what`, that one class of all rows would not keep. */
mgl_status mgl_require_risk(const mgl_model *model, const mgl_facts *facts, const char *what,
                            mgl_error *err);

/* The number of persons counts against p only where p stands for k: without a k, k = p. A person
 * with several rows may have several values, so p values need not be p persons. */
uint64_t mgl_most_p(const mgl_model *model, const mgl_group *group);
/* Condition 1 of (extended) p-sensitivity, p <= k. */
mgl_status mgl_require_p_at_most_k(const mgl_model *model, const mgl_facts *facts, mgl_error *err);

#endif
