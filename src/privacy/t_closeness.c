/* t-closeness (Li, Li and Venkatasubramanian 2007): the earth mover's distance between the
 * shares p of a class and q of the table is at most t. A row in model_rows.h.
 *
 * All sums are whole numbers, n * N times the distance, so that they depend neither on the
 * order of the rows nor on that of the codes. Values that a class lacks are never visited
 * one by one unless it has very many others:
 *
 * equal         1/2 sum |p-q| is the sum of the positive p-q, since all p-q add up to 0.
 * ordered       between two neighbouring values of the class its cumulative share stays, and
 *               that of the table only rises: both sides of the crossing are differences of
 *               cumulative_sums.
 * hierarchical  an inner node costs height/H * min(positive, negative excess of its children).
 *               With e its own excess, the positive one minus the negative one, that minimum
 *               is the positive excess of the children minus max(e, 0). Let S_h be the sum of
 *               max(e, 0) over the values of level h: level h costs h/H * (S_{h-1} - S_h), and
 *               all levels together (S_0 + ... + S_{H-1}) / H, as S_H = 0. Each S_h is the
 *               equal distance between the shares of that level's values.
 */
#include "privacy/models.h"

/* Up to so many values of a class are sorted; with more, all values of the table (of the
 * level) are gone through, a window at a time. */
enum { SORTED = 256, WINDOW = 1024 };

/* A class as a histogram over other numbers than its codes: ranks, or the values of a level. */
typedef struct view {
    const mgl_histogram *histogram;
    uint64_t n;
    const uint32_t *rank;         /* of the code; NULL: a level */
    const uint32_t *leaf_of_code; /* with a level */
    const uint32_t *of_leaf;
} view;

static uint32_t number_of(const view *v, size_t i)
{
    uint32_t code = mgl_histogram_code(v->histogram, i);
    if (v->rank != NULL)
        return v->rank[code];
    return v->of_leaf[v->leaf_of_code[code]];
}

/* The class's counts by number, ascending; equal numbers are added up. Returns how many. */
static size_t sort_view(const view *v, uint32_t numbers[SORTED], uint64_t counts[SORTED])
{
    uint64_t words[SORTED];
    size_t n = 0;
    for (size_t i = 0; i < v->histogram->size; i++)
        words[i] = (uint64_t)number_of(v, i) << 32 | i;
    mgl_sort_u64(words, v->histogram->size);
    for (size_t i = 0; i < v->histogram->size; i++) {
        uint32_t number = (uint32_t)(words[i] >> 32);
        uint64_t count = v->histogram->counts[words[i] & UINT32_MAX];
        if (n > 0 && numbers[n - 1] == number) {
            counts[n - 1] += count;
        } else {
            numbers[n] = number;
            counts[n++] = count;
        }
    }
    return n;
}

/* The class's counts of the numbers first..first+WINDOW-1. */
static void fill_window(const view *v, uint32_t first, uint64_t counts[WINDOW])
{
    memset(counts, 0, WINDOW * sizeof *counts);
    for (size_t i = 0; i < v->histogram->size; i++) {
        uint32_t number = number_of(v, i) - first;
        if (number < WINDOW)
            counts[number] += v->histogram->counts[i];
    }
}

static double share(__int128 sum, uint64_t n, uint64_t whole_n)
{
    return mgl_double_of(sum) / mgl_double_of((__int128)n * whole_n);
}

static double equal_distance(const mgl_sensitive *s, const view *v)
{
    __int128 sum = 0;
    for (size_t i = 0; i < v->histogram->size; i++) {
        uint64_t whole = s->counts[mgl_histogram_code(v->histogram, i)];
        __int128 excess = mgl_excess(v->histogram->counts[i], v->n, whole, s->n);
        sum += excess > 0 ? excess : 0;
    }
    return share(sum, v->n, s->n);
}

/* Sum of |below * N - cumulative * n| over the ranks first..end-1, up to each of which the
 * class has `below` rows. */
static __int128 stretch(const mgl_sensitive *s, uint64_t n, uint64_t below, uint32_t first,
                        uint32_t end)
{
    __int128 level = (__int128)below * s->n;
    uint32_t low = first, high = end; /* the first rank where the table has caught up */
    MGL_BISECT(low, high, i, (__int128)s->cumulative[i] * n < level)
    const uint64_t *sums = s->cumulative_sums;
    return level * (low - first) - (__int128)(sums[low] - sums[first]) * n +
           (__int128)(sums[end] - sums[low]) * n - level * (end - low);
}

static __int128 ordered_by_sorting(const mgl_sensitive *s, const view *v)
{
    uint32_t ranks[SORTED];
    uint64_t counts[SORTED], below = 0;
    size_t n = sort_view(v, ranks, counts);
    uint32_t first = 0;
    __int128 sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += stretch(s, v->n, below, first, ranks[i]);
        below += counts[i];
        first = ranks[i];
    }
    return sum + stretch(s, v->n, below, first, s->n_present);
}

static __int128 ordered_by_windows(const mgl_sensitive *s, const view *v)
{
    uint64_t counts[WINDOW], below = 0;
    __int128 sum = 0;
    for (uint32_t rank = 0; rank < s->n_present; rank++) {
        if (rank % WINDOW == 0)
            fill_window(v, rank, counts);
        below += counts[rank % WINDOW];
        __int128 excess = mgl_excess(below, v->n, s->cumulative[rank], s->n);
        sum += excess < 0 ? -excess : excess;
    }
    return sum;
}

static double ordered_distance(const mgl_sensitive *s, view *v)
{
    if (s->n_present < 2)
        return 0;
    v->rank = s->rank;
    __int128 sum =
        v->histogram->size <= SORTED ? ordered_by_sorting(s, v) : ordered_by_windows(s, v);
    return share(sum, v->n, s->n) / (s->n_present - 1);
}

static __int128 level_by_sorting(const view *v, const uint64_t *whole, uint64_t whole_n)
{
    uint32_t values[SORTED];
    uint64_t counts[SORTED];
    size_t n = sort_view(v, values, counts);
    __int128 sum = 0;
    for (size_t i = 0; i < n; i++) {
        __int128 excess = mgl_excess(counts[i], v->n, whole[values[i]], whole_n);
        sum += excess > 0 ? excess : 0;
    }
    return sum;
}

static __int128 level_by_windows(const view *v, const uint64_t *whole, uint64_t whole_n,
                                 uint32_t n_values)
{
    uint64_t counts[WINDOW];
    __int128 sum = 0;
    for (uint32_t value = 0; value < n_values; value++) {
        if (value % WINDOW == 0)
            fill_window(v, value, counts);
        __int128 excess = mgl_excess(counts[value % WINDOW], v->n, whole[value], whole_n);
        sum += excess > 0 ? excess : 0;
    }
    return sum;
}

static double hierarchical_distance(const mgl_sensitive *s, view *v)
{
    if (s->hierarchy == NULL)
        return INFINITY;
    v->leaf_of_code = s->leaf_of_code;
    __int128 sum = 0;
    for (uint32_t h = 0; h < s->hierarchy->height; h++) {
        const mgl_level *level = &s->hierarchy->levels[h];
        v->of_leaf = level->of_leaf;
        sum += v->histogram->size <= SORTED
                   ? level_by_sorting(v, s->level_counts[h], s->n)
                   : level_by_windows(v, s->level_counts[h], s->n, level->n_values);
    }
    return share(sum, v->n, s->n) / s->hierarchy->height;
}

static double measure(const mgl_model *model, const mgl_group *group)
{
    const mgl_sensitive *s = mgl_model_sensitive(model);
    const mgl_histogram *histogram = mgl_model_histogram(model, group);
    view v = {.histogram = histogram, .n = mgl_histogram_total(histogram)};
    if (v.n == 0)
        return 0;
    switch ((int)model->parameters[1]) {
    case MGL_DISTANCE_ORDERED:
        return ordered_distance(s, &v);
    case MGL_DISTANCE_HIERARCHICAL:
        return hierarchical_distance(s, &v);
    default:
        return equal_distance(s, &v);
    }
}

static mgl_status prepare(mgl_model *model, const mgl_facts *facts, mgl_error *err)
{
    (void)facts;
    const mgl_sensitive *s = mgl_model_sensitive(model);
    if (model->parameters[1] == MGL_DISTANCE_HIERARCHICAL && s->hierarchy == NULL)
        return mgl_fail_attribute(err, MGL_CODE_MISSING_KEY, s->column->name, "hierarchy",
                                  "t-closeness with the hierarchical distance needs a hierarchy of "
                                  "column \"%.60s\"; give it with `sensitive-hierarchy`",
                                  s->column->name);
    return MGL_OK;
}

static const char *const distances[] = {"equal", "ordered", "hierarchical", NULL};

static double own_share(const mgl_model *model, double share)
{
    (void)model;
    return share;
}

/* The equal distance is 1 minus what a class and the table have in common. */
static mgl_value_terms terms(const mgl_model *model)
{
    if (model->parameters[1] == MGL_DISTANCE_EQUAL)
        return (mgl_value_terms){.rule = MGL_VALUES_OVERLAP,
                                 .decides = true,
                                 .overlap = 1 - model->parameters[0],
                                 .most = own_share};
    return (mgl_value_terms){
        .rule = MGL_VALUES_DISTANCE,
        .kernel = model->parameters[1] == MGL_DISTANCE_ORDERED ? MGL_KERNEL_RANKS : MGL_KERNEL_NONE,
        .most = own_share};
}

static const mgl_parameter parameters[] = {
    {"t", "distance between a class and the table, at most", false, 0, 1, NULL},
    {"distance", "how far values are apart: all alike, by rank, or in their hierarchy", true, 0, 2,
     distances},
};

static bool reads_hierarchy(const double *values)
{
    return values[1] == MGL_DISTANCE_HIERARCHICAL;
}

const mgl_model_type mgl_t_closeness = {
    .name = "t-closeness",
    .option = "t-closeness",
    .brief = "classes are distributed as the table is",
    .help = "the values in every class are distributed as in the table, up to a distance t",
    .when = "where a class that differs from the whole table already reveals too much",
    .takes_attribute = true,
    .looks_at_input = true,
    .empty_at_one = true,
    .parameters = parameters,
    .n_parameters = 2,
    .scope = MGL_SCOPE_CLASS,
    .union_closed = true, /* the distance is convex in p */
    .holds = mgl_measures_at_most,
    .measure = measure,
    .reads_hierarchy = reads_hierarchy,
    .prepare = prepare,
    .terms = terms,
};
