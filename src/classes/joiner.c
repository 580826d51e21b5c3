/* Joins classes: persons are in one joined class if their rows are released as the same multiset.
 * Whoever judges a list of the joined view calls it after grouping its tuples by their cells.
 *
 * Takes time in proportion to the tuples: these are sorted by counting, so that the classes of each
 * bundle come in order, and bundles with equal classes are found by a hash of them. They are
 * compared in any case; the hash decides nothing. */
#include "classes/classes.h"

/* A class of rows, and how many rows each person of a bundle has in it. */
typedef struct share {
    uint32_t class;
    uint64_t rows;
} share;

struct mgl_joiner {
    const mgl_frequency_list *list;
    uint32_t *by_class; /* [n_tuples] */
    size_t *start;      /* [larger of n_tuples and n_bundles, + 2] */
    size_t *end;        /* [n_bundles] where the shares of a bundle end */
    share *shares;      /* [n_tuples] by bundle, each bundle's by class */
    uint32_t *slots;    /* [mask + 1] bundle + 1; 0: free */
    size_t mask;
    uint32_t *same;    /* [n_bundles] the first bundle with the same shares */
    uint32_t *numbers; /* [n_bundles] of the joined classes */
};

mgl_status mgl_joiner_new(const mgl_frequency_list *list, mgl_error *err, mgl_joiner **out)
{
    size_t n = list->n_tuples, n_bundles = list->joined->n_bundles;
    mgl_joiner *j = mgl_zeroed_array(1, sizeof *j);
    if (j == NULL)
        return mgl_fail_memory(err);
    j->list = list;
    j->mask = 63;
    while (j->mask < n_bundles * 2)
        j->mask = j->mask * 2 + 1;
    j->by_class = mgl_alloc_array(n, sizeof *j->by_class);
    j->start = mgl_alloc_array((n > n_bundles ? n : n_bundles) + 2, sizeof *j->start);
    j->end = mgl_alloc_array(n_bundles, sizeof *j->end);
    j->shares = mgl_alloc_array(n, sizeof *j->shares);
    j->slots = mgl_alloc_array(j->mask + 1, sizeof *j->slots);
    j->same = mgl_alloc_array(n_bundles, sizeof *j->same);
    j->numbers = mgl_alloc_array(n_bundles, sizeof *j->numbers);
    if (j->by_class == NULL || j->start == NULL || j->end == NULL || j->shares == NULL ||
        j->slots == NULL || j->same == NULL || j->numbers == NULL) {
        mgl_joiner_free(j);
        return mgl_fail_memory(err);
    }
    *out = j;
    return MGL_OK;
}

void mgl_joiner_free(mgl_joiner *j)
{
    if (j == NULL)
        return;
    mgl_free(j->by_class);
    mgl_free(j->start);
    mgl_free(j->end);
    mgl_free(j->shares);
    mgl_free(j->slots);
    mgl_free(j->same);
    mgl_free(j->numbers);
    mgl_free(j);
}

static void sort_by_class(mgl_joiner *j, const mgl_classes *classes)
{
    size_t n = j->list->n_tuples;
    memset(j->start, 0, (classes->n_classes + 2) * sizeof *j->start);
    for (size_t t = 0; t < n; t++)
        j->start[classes->of_tuple[t] + 2]++;
    for (size_t c = 0; c < classes->n_classes; c++)
        j->start[c + 2] += j->start[c + 1];
    for (size_t t = 0; t < n; t++) /* moves the starts to where they belong */
        j->by_class[j->start[classes->of_tuple[t] + 1]++] = (uint32_t)t;
}

/* The shares of each bundle: tuples that look alike are one. */
static void share_out(mgl_joiner *j, const mgl_classes *classes)
{
    const mgl_joined *joined = j->list->joined;
    size_t n = j->list->n_tuples;
    memset(j->start, 0, (joined->n_bundles + 1) * sizeof *j->start);
    for (size_t t = 0; t < n; t++)
        j->start[joined->of_tuple[t] + 1]++;
    for (size_t b = 0; b < joined->n_bundles; b++) {
        j->start[b + 1] += j->start[b];
        j->end[b] = j->start[b];
    }
    for (size_t i = 0; i < n; i++) {
        uint32_t t = j->by_class[i], b = joined->of_tuple[t], class = classes->of_tuple[t];
        uint64_t persons = joined->persons[b], rows = j->list->counts[t];
        rows = persons == 1 ? rows : rows / persons;
        if (j->end[b] > j->start[b] && j->shares[j->end[b] - 1].class == class)
            j->shares[j->end[b] - 1].rows += rows;
        else
            j->shares[j->end[b]++] = (share){class, rows};
    }
}

static bool is_same(const mgl_joiner *j, size_t a, size_t b)
{
    size_t n = j->end[a] - j->start[a];
    if (j->end[b] - j->start[b] != n)
        return false;
    for (size_t i = 0; i < n; i++) {
        const share *x = &j->shares[j->start[a] + i], *y = &j->shares[j->start[b] + i];
        if (x->class != y->class || x->rows != y->rows)
            return false;
    }
    return true;
}

static size_t hash_of(const mgl_joiner *j, size_t b)
{
    uint64_t hash = 0;
    for (size_t i = j->start[b]; i < j->end[b]; i++) {
        hash = (hash ^ ((uint64_t)j->shares[i].class << 32 ^ j->shares[i].rows)) *
               UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 29;
    }
    return (size_t)hash & j->mask;
}

static void find_same(mgl_joiner *j)
{
    memset(j->slots, 0, (j->mask + 1) * sizeof *j->slots);
    for (size_t b = 0; b < j->list->joined->n_bundles; b++) {
        size_t slot = hash_of(j, b);
        while (j->slots[slot] != 0 && !is_same(j, j->slots[slot] - 1, b))
            slot = (slot + 1) & j->mask;
        if (j->slots[slot] == 0)
            j->slots[slot] = (uint32_t)b + 1;
        j->same[b] = j->slots[slot] - 1;
    }
}

void mgl_classes_join(mgl_joiner *j, mgl_classes *classes)
{
    const mgl_joined *joined = j->list->joined;
    size_t n_classes = 0;
    sort_by_class(j, classes);
    share_out(j, classes);
    find_same(j);
    memset(j->numbers, 0xff, joined->n_bundles * sizeof *j->numbers);
    for (size_t t = 0; t < j->list->n_tuples; t++) {
        uint32_t *number = &j->numbers[j->same[joined->of_tuple[t]]];
        if (*number == MGL_NOT_FOUND) {
            *number = (uint32_t)n_classes++;
            classes->first[*number] = (uint32_t)t;
            classes->sizes[*number] = 0;
        }
        classes->of_tuple[t] = *number;
        classes->sizes[*number] += j->list->counts[t];
    }
    classes->n_classes = n_classes;
}

mgl_status mgl_classes_as_judged(const mgl_frequency_list *list, mgl_error *err,
                                 mgl_classes *classes)
{
    if (list->joined == NULL)
        return MGL_OK;
    mgl_joiner *joiner = NULL;
    uint64_t *sizes = mgl_alloc_array(list->n_tuples, sizeof *sizes);
    uint32_t *first = mgl_alloc_array(list->n_tuples, sizeof *first);
    mgl_status status = MGL_OK;
    if (sizes == NULL || first == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_joiner_new(list, err, &joiner));
    mgl_free(classes->sizes);
    mgl_free(classes->first);
    classes->sizes = sizes;
    classes->first = first;
    sizes = NULL;
    first = NULL;
    mgl_classes_join(joiner, classes);
done:
    mgl_joiner_free(joiner);
    mgl_free(sizes);
    mgl_free(first);
    return status;
}
