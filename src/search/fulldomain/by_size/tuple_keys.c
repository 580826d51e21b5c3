/* Makes the keys of all tuples, with codes in place of leaves. Neighbouring columns of the list's
 * keys are looked up together, in tables that fit into the nearest cache. setup_by_size.c calls
 * it. */
#include "search/fulldomain/by_size/counts.h"

enum { MOST_BITS = 11, KEY_RANGES = 32 };

/* What some neighbouring bits of a tuple's key give. */
typedef struct lookup {
    unsigned from_word, to_word, shift, bits;
    uint64_t *sums; /* [n] */
    size_t n;
} lookup;

/* Adds column a to the lookup, whose lowest bits it becomes or is. */
static void add_column(const mgl_by_size *search, size_t a, lookup *l)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_branch_column *column = &search->frame.all[a];
    unsigned bits = list->packing.fields[a].bits, at = list->packing.fields[a].shift - l->shift;
    uint64_t mask = (UINT64_C(1) << bits) - 1;
    uint32_t n_leaves = list->hierarchies[a]->n_leaves;
    for (size_t i = 0; i < l->n; i++) {
        size_t leaf = i >> at & mask;
        l->sums[i] += leaf < n_leaves ? column->code_of_leaf[leaf] << column->shift : 0;
    }
}

/* Lookups for runs of columns, as long as they lie side by side and need few bits; a column
 * that needs many has one of its own. */
static mgl_status make_lookups(const mgl_by_size *search, mgl_error *err, lookup *lookups,
                               size_t *n)
{
    const mgl_packing *packing = &search->frame.problem->list->packing;
    *n = 0;
    for (size_t a = 0, end; a < packing->n_attributes; a = end) {
        lookup *l = &lookups[(*n)++];
        *l = (lookup){packing->fields[a].word,
                      search->frame.all[a].word,
                      packing->fields[a].shift,
                      packing->fields[a].bits,
                      NULL,
                      0};
        for (end = a + 1; end < packing->n_attributes; end++) { /* further down in the word */
            if (packing->fields[end].word != l->from_word ||
                search->frame.all[end].word != l->to_word ||
                packing->fields[end].shift + packing->fields[end].bits != l->shift ||
                l->bits + packing->fields[end].bits > MOST_BITS)
                break;
            l->shift = packing->fields[end].shift;
            l->bits += packing->fields[end].bits;
        }
        l->n = (size_t)1 << l->bits;
        if (end == a + 1) /* there may be far fewer leaves */
            l->n = search->frame.problem->list->hierarchies[a]->n_leaves;
        l->sums = mgl_zeroed_array(l->n, sizeof *l->sums);
        if (l->sums == NULL)
            return mgl_fail_memory(err);
        for (size_t i = a; i < end; i++)
            add_column(search, i, l);
    }
    return MGL_OK;
}

static inline uint64_t look_up(const lookup *l, const uint64_t *key)
{
    return l->sums[key[l->from_word] >> l->shift & ((UINT64_C(1) << l->bits) - 1)];
}

static void make_keys(const mgl_by_size *search, const lookup *lookups, size_t n,
                      mgl_by_size_range range, uint64_t *keys)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    size_t words = search->frame.words, list_words = list->packing.n_words;
    if (words == 1 && list_words == 1 && n <= 4) { /* the usual case without an inner loop */
        lookup l[4];
        uint64_t nothing = 0;
        for (size_t i = 0; i < 4; i++)
            l[i] = i < n ? lookups[i] : (lookup){.sums = &nothing};
        for (size_t t = range.first; t < range.end; t++)
            keys[t] = look_up(&l[0], &list->keys[t]) + look_up(&l[1], &list->keys[t]) +
                      look_up(&l[2], &list->keys[t]) + look_up(&l[3], &list->keys[t]);
        return;
    }
    memset(keys + range.first * words, 0, (range.end - range.first) * words * sizeof *keys);
    for (size_t i = 0; i < n; i++)
        for (size_t t = range.first; t < range.end; t++)
            keys[t * words + lookups[i].to_word] +=
                look_up(&lookups[i], list->keys + t * list_words);
}

typedef struct making {
    const mgl_by_size *search;
    const lookup *lookups;
    size_t n;
    uint64_t *keys;
    size_t n_ranges;
} making;

static void make_range(void *context, size_t i, unsigned thread)
{
    const making *m = context;
    size_t n = m->search->frame.problem->list->n_tuples;
    mgl_by_size_range range = {n * i / m->n_ranges, n * (i + 1) / m->n_ranges};
    (void)thread;
    make_keys(m->search, m->lookups, m->n, range, m->keys);
}

mgl_status mgl_by_size_keys_gather(mgl_by_size *search, mgl_error *err)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    uint64_t *keys = mgl_alloc_array(list->n_tuples, search->frame.words * sizeof *keys);
    lookup *lookups = mgl_alloc_array(list->n_attributes, sizeof *lookups);
    size_t n = 0;
    mgl_status status = MGL_OK;
    if (keys == NULL || lookups == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(make_lookups(search, err, lookups, &n));
    mgl_pool *pool = mgl_by_size_helpers(search, list->n_tuples);
    making m = {search, lookups, n, keys, pool != NULL ? KEY_RANGES : 1};
    mgl_pool_run(pool, m.n_ranges, make_range, &m);
    MGL_GO(mgl_by_size_gather(search, keys, err));
done:
    for (size_t i = 0; i < n; i++)
        mgl_free(lookups[i].sums);
    mgl_free(lookups);
    mgl_free(keys);
    return status;
}
