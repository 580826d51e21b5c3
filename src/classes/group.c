/* Groups tuples into classes by their released cells. Every judge of a recoding calls it; the fast
 * searches have ways of their own. */
#include "classes/classes.h"

#include "classes/counter.h"
#include "classes/group.h"

void mgl_classes_fit(mgl_classes *classes, size_t n_tuples)
{
    classes->n_tuples = n_tuples;
    classes->n_slots = 64;
    while (classes->n_slots < n_tuples * 2)
        classes->n_slots *= 2;
}

mgl_status mgl_classes_init(mgl_classes *classes, size_t n_tuples, size_t n_attributes,
                            mgl_error *err)
{
    *classes = (mgl_classes){0};
    classes->key_words = n_attributes > 0 ? n_attributes : 1; /* at most one word each */
    mgl_classes_fit(classes, n_tuples);
    classes->of_tuple = mgl_alloc_array(n_tuples, sizeof *classes->of_tuple);
    classes->sizes = mgl_alloc_array(n_tuples, sizeof *classes->sizes);
    classes->first = mgl_alloc_array(n_tuples, sizeof *classes->first);
    classes->keys = mgl_alloc_array(n_tuples, classes->key_words * sizeof *classes->keys);
    classes->slots = mgl_alloc_array(classes->n_slots, sizeof *classes->slots);
    if (classes->of_tuple == NULL || classes->sizes == NULL || classes->first == NULL ||
        classes->keys == NULL || classes->slots == NULL) {
        mgl_classes_free(classes);
        return mgl_fail_memory(err);
    }
    return MGL_OK;
}

void mgl_classes_free(mgl_classes *classes)
{
    mgl_free(classes->of_tuple);
    mgl_free(classes->sizes);
    mgl_free(classes->first);
    mgl_free(classes->keys);
    mgl_free(classes->slots);
    *classes = (mgl_classes){0};
}

mgl_status mgl_classes_copy(const mgl_classes *from, mgl_error *err, mgl_classes *out)
{
    size_t n = from->n_classes;
    mgl_classes copy = {.n_tuples = from->n_tuples, .n_classes = n};
    copy.of_tuple = mgl_alloc_array(from->n_tuples, sizeof *copy.of_tuple);
    copy.sizes = mgl_alloc_array(n, sizeof *copy.sizes);
    copy.first = mgl_alloc_array(n, sizeof *copy.first);
    if (copy.of_tuple == NULL || copy.sizes == NULL || copy.first == NULL) {
        mgl_classes_free(&copy);
        return mgl_fail_memory(err);
    }
    memcpy(copy.of_tuple, from->of_tuple, from->n_tuples * sizeof *copy.of_tuple);
    memcpy(copy.sizes, from->sizes, n * sizeof *copy.sizes);
    memcpy(copy.first, from->first, n * sizeof *copy.first);
    *out = copy;
    return MGL_OK;
}

static unsigned bits_for(uint32_t n_values)
{
    unsigned bits = 0;
    while (bits < 32 && (UINT64_C(1) << bits) < n_values)
        bits++;
    return bits;
}

static size_t attribute_at(const mgl_cells_to_group *cells, size_t i)
{
    return cells->attributes != NULL ? cells->attributes[i] : i;
}

size_t mgl_group_words(const mgl_cells_to_group *cells)
{
    size_t words = 1;
    unsigned used = 0;
    for (size_t i = 0; i < cells->n_attributes; i++) {
        unsigned bits = bits_for(cells->n_values[attribute_at(cells, i)]);
        if (used + bits > 64) {
            words++;
            used = 0;
        }
        used += bits;
    }
    return words;
}

void mgl_group_keys(mgl_classes *classes, const mgl_cells_to_group *cells, size_t first, size_t end)
{
    size_t words = mgl_group_words(cells), word = 0;
    unsigned used = 0;
    memset(classes->keys + first * words, 0, (end - first) * words * sizeof *classes->keys);
    for (size_t i = 0; i < cells->n_attributes; i++) {
        size_t a = attribute_at(cells, i);
        unsigned bits = bits_for(cells->n_values[a]);
        if (bits == 0)
            continue; /* one value: it separates nothing */
        if (used + bits > 64) {
            word++;
            used = 0;
        }
        for (size_t t = first; t < end; t++)
            classes->keys[t * words + word] |= (uint64_t)cells->cells[a][t] << used;
        used += bits;
    }
}

void mgl_classes_group(mgl_classes *classes, uint32_t *const *cells, const uint32_t *n_values,
                       const uint32_t *attributes, size_t n_attributes, const uint64_t *counts)
{
    mgl_cells_to_group chosen = {cells, n_values, attributes, n_attributes, counts};
    size_t words = mgl_group_words(&chosen);
    mgl_group_keys(classes, &chosen, 0, classes->n_tuples);
    size_t mask = classes->n_slots - 1;
    memset(classes->slots, 0, classes->n_slots * sizeof *classes->slots);
    classes->n_classes = 0;
    for (size_t t = 0; t < classes->n_tuples; t++) {
        const uint64_t *key = classes->keys + t * words;
        size_t slot = mgl_key_hash(key, words) & mask;
        uint32_t found;
        while ((found = classes->slots[slot]) != 0 &&
               !mgl_key_equal(classes->keys + classes->first[found - 1] * words, key, words))
            slot = (slot + 1) & mask;
        if (found == 0) {
            classes->first[classes->n_classes] = (uint32_t)t;
            classes->sizes[classes->n_classes] = 0;
            classes->slots[slot] = found = (uint32_t)++classes->n_classes;
        }
        classes->of_tuple[t] = found - 1;
        classes->sizes[found - 1] += counts[t];
    }
}
