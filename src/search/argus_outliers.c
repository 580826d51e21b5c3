/* Finds the combinations of columns on which units are rare, size after size.
 *
 * What is rare on a set of columns is rare on every larger one, and so are all that look like it
 * there. So units that are known to be rare on a smaller set are neither counted nor needed to
 * count others, and only the least sets have to be kept. Where all combinations are looked at, a
 * set on which nothing is left to find out has no larger ones worth a look. */
#include "search/argus.h"

#include <pthread.h>
#include <stdlib.h>

/* Sets of one size. */
typedef struct layer {
    size_t n;
    uint64_t *sets; /* ascending */
    uint64_t *rare; /* [n * n_words] bit u: unit u is rare */
    uint64_t *news; /* [n * n_words] and not on any smaller set */
    bool *open;     /* [n] a unit that is rare on all columns is not on these */
} layer;

typedef struct hand {
    mgl_argus_groups groups;
    uint32_t *list; /* [units] */
} hand;

typedef struct find {
    const mgl_problem *problem;
    const mgl_argus_units *units;
    const mgl_argus_family *family;
    uint64_t k;
    size_t n_words;        /* of a bit per unit */
    uint8_t *small;        /* [units] rare on all columns together */
    layer below, layer;    /* the layer before this one, and this one */
    hand *hands;           /* [threads] */
    uint32_t *found_units; /* [n_found] what was found, in order */
    uint64_t *found_sets;
    size_t n_found, units_room, sets_room;
    pthread_mutex_t lock; /* guards what follows */
    uint64_t done;
    bool timed_out;
    mgl_status status;
    mgl_error error;
} find;

/* ---- Layers ---------------------------------------------------------------------------- */

static void free_layer(layer *l)
{
    mgl_free(l->sets);
    mgl_free(l->rare);
    mgl_free(l->news);
    mgl_free(l->open);
    *l = (layer){0};
}

/* The number of a set in the layer; SIZE_MAX: it is not there. */
static size_t find_set(const layer *l, uint64_t set)
{
    size_t low = 0, high = l->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->sets[middle] < set)
            low = middle + 1;
        else
            high = middle;
    }
    return low < l->n && l->sets[low] == set ? low : SIZE_MAX;
}

/* All sets that lack one column of this one are open. */
static bool is_worth_a_look(const layer *below, uint64_t set)
{
    for (uint64_t left = set; left != 0; left &= left - 1) {
        size_t i = find_set(below, set ^ (left & (0 - left)));
        if (i == SIZE_MAX || !below->open[i])
            return false;
    }
    return true;
}

static bool add_set(layer *l, size_t *room, uint64_t set)
{
    if (!mgl_grow(&l->sets, room, l->n + 1, sizeof *l->sets))
        return false;
    l->sets[l->n++] = set;
    return true;
}

static int compare_sets(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Open sets with one column more, which comes after those they have. */
static bool extend_open(const find *f, layer *out)
{
    size_t room = 0;
    for (size_t i = 0; i < f->below.n; i++) {
        uint64_t set = f->below.sets[i];
        uint64_t after = f->units->live & ~(UINT64_MAX >> __builtin_clzll(set));
        for (; f->below.open[i] && after != 0; after &= after - 1) {
            uint64_t larger = set | (after & (0 - after));
            if (is_worth_a_look(&f->below, larger) && !add_set(out, &room, larger))
                return false;
        }
    }
    if (out->n > 1)
        qsort(out->sets, out->n, sizeof *out->sets, compare_sets);
    return true;
}

static bool list_sets(const find *f, unsigned size, layer *out)
{
    size_t room = 0;
    if (f->family->all && size > 1)
        return extend_open(f, out);
    if (f->family->all) {
        for (uint64_t left = f->units->live; left != 0; left &= left - 1)
            if (!add_set(out, &room, left & (0 - left)))
                return false;
        return true;
    }
    for (size_t i = 0; i < f->family->n; i++)
        if ((unsigned)__builtin_popcountll(f->family->sets[i]) == size &&
            !add_set(out, &room, f->family->sets[i]))
            return false;
    return true;
}

/* The sets of one size become the layer; the one before is kept below it. */
static mgl_status next_layer(find *f, unsigned size, mgl_error *err)
{
    layer *l = &f->layer;
    free_layer(&f->below);
    f->below = *l;
    *l = (layer){0};
    if (!list_sets(f, size, l))
        return mgl_fail_memory(err);
    l->open = mgl_zeroed_array(l->n, sizeof *l->open);
    l->rare = mgl_zeroed_array(l->n, f->n_words * sizeof *l->rare);
    l->news = mgl_zeroed_array(l->n, f->n_words * sizeof *l->news);
    return l->open == NULL || l->rare == NULL || l->news == NULL ? mgl_fail_memory(err) : MGL_OK;
}

/* ---- One set ----------------------------------------------------------------------------- */

static bool must_stop(find *f)
{
    pthread_mutex_lock(&f->lock);
    if (f->problem->deadline > 0 && mgl_sys_seconds() > f->problem->deadline)
        f->timed_out = true;
    bool stop = f->status != MGL_OK || f->timed_out;
    pthread_mutex_unlock(&f->lock);
    return stop;
}

static void tell(find *f)
{
    pthread_mutex_lock(&f->lock);
    mgl_error error = {0};
    mgl_status status =
        mgl_progress_report(f->problem->progress, "search", ++f->done, f->family->n, &error);
    if (status != MGL_OK && f->status == MGL_OK) {
        f->status = status;
        f->error = error;
    }
    pthread_mutex_unlock(&f->lock);
}

/* Takes over what smaller sets tell; lists the other units. */
static size_t list_others(const find *f, uint64_t set, uint64_t *rare, uint32_t *list)
{
    for (uint64_t left = set; left != 0; left &= left - 1) {
        size_t i = find_set(&f->below, set ^ (left & (0 - left)));
        const uint64_t *known = i != SIZE_MAX ? f->below.rare + i * f->n_words : NULL;
        for (size_t w = 0; known != NULL && w < f->n_words; w++)
            rare[w] |= known[w];
    }
    size_t n = 0;
    for (size_t w = 0; w < f->n_words; w++) {
        uint64_t others = ~rare[w];
        if (w + 1 == f->n_words && f->units->people.n % 64 != 0)
            others &= (UINT64_C(1) << f->units->people.n % 64) - 1;
        for (; others != 0; others &= others - 1)
            list[n++] = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(others));
    }
    return n;
}

static bool has_small(const find *f, const uint32_t *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (f->small[list[i]])
            return true;
    return false;
}

static void look_at(void *context, size_t number, unsigned worker)
{
    find *f = context;
    hand *h = &f->hands[worker];
    if (must_stop(f))
        return;
    uint64_t *rare = f->layer.rare + number * f->n_words,
             *news = f->layer.news + number * f->n_words;
    size_t n = list_others(f, f->layer.sets[number], rare, h->list);
    if (has_small(f, h->list, n)) {
        mgl_argus_group(&h->groups, f->units, f->layer.sets[number], h->list, n);
        for (size_t i = 0; i < n; i++) {
            uint32_t u = h->list[i];
            bool is_rare = h->groups.sizes[h->groups.of[i]] < f->k;
            news[u / 64] |= (uint64_t)is_rare << u % 64;
            f->layer.open[number] |= f->small[u] && !is_rare;
        }
        for (size_t w = 0; w < f->n_words; w++)
            rare[w] |= news[w];
    }
    tell(f);
}

/* ---- What was found ------------------------------------------------------------------------- */

static mgl_status keep_found(find *f, mgl_error *err)
{
    for (size_t i = 0; i < f->layer.n; i++)
        for (size_t w = 0; w < f->n_words; w++)
            for (uint64_t left = f->layer.news[i * f->n_words + w]; left != 0; left &= left - 1) {
                if (!mgl_grow(&f->found_units, &f->units_room, f->n_found + 1,
                              sizeof *f->found_units) ||
                    !mgl_grow(&f->found_sets, &f->sets_room, f->n_found + 1, sizeof *f->found_sets))
                    return mgl_fail_memory(err);
                f->found_units[f->n_found] = (uint32_t)(w * 64 + (size_t)__builtin_ctzll(left));
                f->found_sets[f->n_found++] = f->layer.sets[i];
            }
    return MGL_OK;
}

/* Puts what was found in order of units; sets of a unit stay in the order of sizes. */
static mgl_status sort_found(const find *f, mgl_error *err, mgl_argus_outliers *out)
{
    size_t n = f->units->people.n, end = 0;
    out->start = mgl_zeroed_array(n + 1, sizeof *out->start);
    out->sets = mgl_alloc_array(f->n_found, sizeof *out->sets);
    if (out->start == NULL || out->sets == NULL) {
        mgl_argus_outliers_free(out);
        return mgl_fail_memory(err);
    }
    for (size_t i = 0; i < f->n_found; i++)
        out->start[f->found_units[i]]++;
    for (size_t u = 0; u <= n; u++) {
        end += u < n ? out->start[u] : 0;
        out->start[u] = end; /* filling backwards turns the end into the start */
    }
    for (size_t i = f->n_found; i-- > 0;)
        out->sets[--out->start[f->found_units[i]]] = f->found_sets[i];
    return MGL_OK;
}

void mgl_argus_outliers_free(mgl_argus_outliers *outliers)
{
    mgl_free(outliers->start);
    mgl_free(outliers->sets);
    *outliers = (mgl_argus_outliers){0};
}

/* ---- All of it --------------------------------------------------------------------------------
 */

static mgl_status begin(find *f, mgl_error *err)
{
    unsigned threads = mgl_pool_threads(f->problem->pool);
    size_t n = f->units->people.n;
    f->n_words = (n + 63) / 64;
    f->small = mgl_alloc_array(n, sizeof *f->small);
    f->hands = mgl_zeroed_array(threads, sizeof *f->hands);
    if (f->small == NULL || f->hands == NULL)
        return mgl_fail_memory(err);
    for (unsigned i = 0; i < threads; i++) {
        MGL_TRY(mgl_argus_groups_init(&f->hands[i].groups, &f->units->people, n, err));
        f->hands[i].list = mgl_alloc_array(n, sizeof *f->hands[i].list);
        if (f->hands[i].list == NULL)
            return mgl_fail_memory(err);
    }
    mgl_argus_groups *groups = &f->hands[0].groups;
    for (size_t u = 0; u < n; u++)
        f->hands[0].list[u] = (uint32_t)u;
    mgl_argus_group(groups, f->units, UINT64_MAX, f->hands[0].list, n);
    for (size_t u = 0; u < n; u++)
        f->small[u] = groups->sizes[groups->of[u]] < f->k;
    return MGL_OK;
}

static void end(find *f)
{
    for (unsigned i = 0; f->hands != NULL && i < mgl_pool_threads(f->problem->pool); i++) {
        mgl_argus_groups_free(&f->hands[i].groups);
        mgl_free(f->hands[i].list);
    }
    free_layer(&f->below);
    free_layer(&f->layer);
    mgl_free(f->hands);
    mgl_free(f->small);
    mgl_free(f->found_units);
    mgl_free(f->found_sets);
}

static mgl_status look_at_layers(find *f, mgl_error *err)
{
    for (unsigned size = 1; size <= f->units->m; size++) {
        MGL_TRY(next_layer(f, size, err));
        mgl_pool_run(f->problem->pool, f->layer.n, look_at, f);
        if (f->status != MGL_OK && err != NULL)
            *err = f->error;
        if (f->status != MGL_OK)
            return f->status;
        if (f->timed_out)
            return mgl_fail(err, MGL_UNMET,
                            "the time limit came before all combinations of columns were counted; "
                            "raise --time-limit, or give fewer --combinations");
        MGL_TRY(keep_found(f, err));
    }
    return MGL_OK;
}

mgl_status mgl_argus_outliers_find(const mgl_problem *problem, const mgl_argus_units *units,
                                   const mgl_argus_family *family, uint64_t k, mgl_error *err,
                                   mgl_argus_outliers *out)
{
    find f = {.problem = problem, .units = units, .family = family, .k = k};
    mgl_status status = begin(&f, err);
    if (status == MGL_OK) {
        pthread_mutex_init(&f.lock, NULL);
        status = look_at_layers(&f, err);
        pthread_mutex_destroy(&f.lock);
    }
    *out = (mgl_argus_outliers){0};
    if (status == MGL_OK)
        status = sort_found(&f, err, out);
    end(&f);
    return status;
}
