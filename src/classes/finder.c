/* Finds the tuple of a row by its key. */
#include "classes/classes.h"

#include "classes/counter.h"
#include "classes/row_keys.h"

struct mgl_tuple_finder {
    const mgl_frequency_list *list;
    mgl_row_keys keys;
    uint32_t *slots; /* tuple + 1; 0: free */
    size_t mask;
};

enum { TUPLES_AT_ONCE = 1 << 14 };

/* Which slot a tuple gets depends on the order of threads, whether it is found does not. */
static void place_tuples(void *context, size_t item, unsigned worker)
{
    (void)worker;
    const mgl_tuple_finder *finder = context;
    const mgl_frequency_list *list = finder->list;
    size_t words = list->packing.n_words, first = item * TUPLES_AT_ONCE;
    size_t left = list->n_tuples - first,
           end = first + (left < TUPLES_AT_ONCE ? left : TUPLES_AT_ONCE);
    for (size_t t = first; t < end; t++) {
        size_t slot = mgl_key_hash(list->keys + t * words, words) & finder->mask;
        uint32_t expected = 0;
        while (!__atomic_compare_exchange_n(&finder->slots[slot], &expected, (uint32_t)t + 1, false,
                                            __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
            slot = (slot + 1) & finder->mask;
            expected = 0;
        }
    }
}

mgl_status mgl_tuple_finder_share(const mgl_frequency_list *list, const mgl_bound_column *quasi,
                                  mgl_pool *pool, mgl_error *err, mgl_tuple_finder **out)
{
    mgl_tuple_finder *finder;
    MGL_TRY(mgl_new_zeroed(1, sizeof *finder, err, &finder));
    finder->list = list;
    finder->mask = 63;
    while (finder->mask < list->n_tuples * 2)
        finder->mask = finder->mask * 2 + 1;
    finder->slots = mgl_zeroed_array(finder->mask + 1, sizeof *finder->slots);
    mgl_status status = finder->slots == NULL ? mgl_fail_memory(err) : MGL_OK;
    if (status == MGL_OK)
        status = mgl_row_keys_init(&finder->keys, &list->packing, quasi, err);
    if (status != MGL_OK) {
        mgl_tuple_finder_free(finder);
        return status;
    }
    mgl_pool_run(pool, (list->n_tuples + TUPLES_AT_ONCE - 1) / TUPLES_AT_ONCE, place_tuples,
                 finder);
    *out = finder;
    return MGL_OK;
}

mgl_status mgl_tuple_finder_new(const mgl_frequency_list *list, const mgl_bound_column *quasi,
                                mgl_error *err, mgl_tuple_finder **out)
{
    return mgl_tuple_finder_share(list, quasi, NULL, err, out);
}

void mgl_tuple_finder_free(mgl_tuple_finder *finder)
{
    if (finder == NULL)
        return;
    mgl_row_keys_free(&finder->keys);
    mgl_free(finder->slots);
    mgl_free(finder);
}

/* Every row's tuple is in the list: the list was counted from these rows. */
MGL_SPECIALIZE uint32_t find_tuple(const mgl_tuple_finder *finder, const uint64_t *key, size_t slot,
                                   size_t words)
{
    for (;;) {
        uint32_t tuple = finder->slots[slot] - 1;
        if (tuple == MGL_NOT_FOUND || mgl_key_equal(finder->list->keys + tuple * words, key, words))
            return tuple;
        slot = (slot + 1) & finder->mask;
    }
}

enum { AT_ONCE = 256 };

/* Both looks into memory, at the slot and at the tuple's key, are far from the ones before: they
 * are fetched for all rows first. words is a constant where this is inlined. */
MGL_SPECIALIZE void find_some(const mgl_tuple_finder *finder, const uint64_t *keys, size_t n,
                              size_t words, uint32_t *out)
{
    size_t slots[AT_ONCE];
    for (size_t i = 0; i < n; i++) {
        slots[i] = mgl_key_hash(keys + i * words, words) & finder->mask;
        __builtin_prefetch(&finder->slots[slots[i]]);
    }
    for (size_t i = 0; i < n; i++)
        __builtin_prefetch(finder->list->keys + finder->slots[slots[i]] * words);
    for (size_t i = 0; i < n; i++)
        out[i] = find_tuple(finder, keys + i * words, slots[i], words);
}

void mgl_tuple_find(const mgl_tuple_finder *finder, size_t first, size_t n, uint32_t *out)
{
    if (finder->list->joined != NULL) { /* keys do not identify the bundle */
        memcpy(out, finder->list->joined->tuple_of_row + first, n * sizeof *out);
        return;
    }
    uint64_t keys[MGL_KEY_WORDS]; /* of some rows; of one in any case */
    size_t words = finder->list->packing.n_words;
    size_t most = words <= MGL_KEY_WORDS / AT_ONCE ? AT_ONCE : MGL_KEY_WORDS / words;
    for (size_t done = 0; done < n;) {
        size_t some = n - done < most ? n - done : most;
        mgl_row_keys_make(&finder->keys, first + done, some, keys);
        if (words == 1)
            find_some(finder, keys, some, 1, out + done);
        else
            find_some(finder, keys, some, words, out + done);
        done += some;
    }
}

mgl_status mgl_tuple_reach(const mgl_tuple_finder *finder, size_t first, size_t n, mgl_error *err,
                           uint32_t *out)
{
    if (finder->list->n_attributes == 0) { /* all rows are one tuple */
        memset(out, 0, n * sizeof *out);
        return MGL_OK;
    }
    for (size_t done = 0, some; done < n; done += some) {
        size_t from, in_memory, row = first + done;
        MGL_TRY(mgl_column_reach(finder->keys.quasi[0].column, row, err, &from, &in_memory));
        size_t left = in_memory - (row - from);
        some = n - done < left ? n - done : left;
        mgl_tuple_find(finder, row - from, some, out + done);
    }
    return MGL_OK;
}
