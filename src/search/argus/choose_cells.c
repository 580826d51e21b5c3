/* Chooses the cells of units that are suppressed: again and again the cell that is in most of the
 * outliers that are left. */
#include "search/argus/units.h"

#include <stdlib.h>

/* Finds the combinations of columns on which units are rare, among those that are looked at: of
 * some sizes, the published ones, or all.
 *
 * What is rare on a set of columns is rare on every larger one, and so are all that look like it
 * there. So units that are known to be rare on a smaller set are neither counted nor needed to
 * count others, and only the least sets have to be kept. Where all combinations are looked at, a
 * set on which nothing is left to find out has no larger ones worth a look. */

enum { MOST_SETS = 1 << MGL_ARGUS_MOST_LIVE };

/* Figure 12 of Sweeney 2002: how many identifying, more and most identifying columns. */
static const struct {
    unsigned identifying, more, most;
    bool wants_two; /* only if there are two or more identifying columns */
} published[] = {
    {1, 1, 1, false}, {1, 0, 2, false}, {0, 0, 3, false}, {1, 1, 0, false}, {1, 0, 1, false},
    {0, 1, 1, false}, {0, 0, 2, false}, {0, 2, 1, true},  {0, 1, 2, true},  {0, 2, 0, true},
};

typedef struct levels {
    uint64_t columns[4]; /* by identification: 1 most, 2 more, 3 identifying */
} levels;

static unsigned size_of(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

static levels find_levels(const uint32_t *identification, size_t m)
{
    levels l = {{0}};
    for (size_t a = 0; a < m; a++)
        l.columns[identification != NULL ? identification[a] : 2] |= UINT64_C(1) << a;
    return l;
}

static bool is_published(const levels *l, uint64_t set)
{
    unsigned most = size_of(set & l->columns[1]), more = size_of(set & l->columns[2]),
             identifying = size_of(set & l->columns[3]);
    for (size_t i = 0; i < sizeof published / sizeof published[0]; i++)
        if (published[i].most == most && published[i].more == more &&
            published[i].identifying == identifying &&
            (!published[i].wants_two || size_of(l->columns[3]) >= 2))
            return true;
    return false;
}

/* How many sets of this size there are; at most a little more than MOST_SETS. */
static size_t number_of_sets(size_t m, size_t size)
{
    size_t n = 1;
    size = size < m - size ? size : m - size;
    for (size_t i = 0; i < size && n <= MOST_SETS; i++)
        n = n * (m - i) / (i + 1);
    return n;
}

static mgl_status refuse(mgl_error *err, bool all, size_t m)
{
    return mgl_fail_key(
        err, MGL_CODE_LIMIT, "combinations",
        "`combinations`: %zu columns have more than %d combinations%s; give sizes such "
        "as 2,3, name fewer quasi-identifiers, or use `method: local-suppression`",
        m, MOST_SETS, all ? "" : " of these sizes");
}

/* All sets of one size, or the published ones of them; in ascending order. */
static void add_sets(mgl_argus_family *family, const levels *l, size_t m, size_t size, bool whole)
{
    size_t n = number_of_sets(m, size);
    uint64_t set = (UINT64_C(1) << size) - 1;
    for (size_t i = 0; i < n; i++) {
        if (whole || is_published(l, set))
            family->sets[family->n++] = set;
        /* The next larger number with as many bits. */
        uint64_t lowest = set & (0 - set), carried = set + lowest;
        set = carried | ((set ^ carried) / lowest >> 2);
    }
}

static mgl_status make_sets(const mgl_argus_options *options, uint64_t sizes, size_t m,
                            mgl_error *err, mgl_argus_family *out)
{
    levels l = find_levels(options->identification, m);
    uint64_t looked_at = sizes | (options->combinations.published ? 1U << 2 | 1U << 3 : 0);
    size_t most = 0;
    for (size_t size = 1; size <= m && size < 64; size++)
        if ((looked_at >> size & 1) != 0 && (most += number_of_sets(m, size)) > MOST_SETS)
            return refuse(err, false, m);
    MGL_TRY(mgl_new_array(most, sizeof *out->sets, err, &out->sets));
    for (size_t size = 1; size <= m && size < 64; size++)
        if ((looked_at >> size & 1) != 0)
            add_sets(out, &l, m, size, (sizes >> size & 1) != 0);
    return MGL_OK;
}

/* The columns of a quasi-identifier, a bit each. */
static uint64_t argus_columns(const mgl_quasi_set *set)
{
    uint64_t columns = 0;
    for (size_t i = 0; i < set->n_attributes; i++)
        columns |= UINT64_C(1) << set->attributes[i];
    return columns;
}

/* Others than those within one of them do not matter. */
static void keep_within(const mgl_problem *p, mgl_argus_family *family)
{
    size_t kept = 0;
    for (size_t i = 0; i < family->n; i++) {
        bool within = false;
        for (size_t q = 0; q < p->n_sets; q++)
            within = within || (family->sets[i] & ~argus_columns(&p->sets[q])) == 0;
        if (within)
            family->sets[kept++] = family->sets[i];
    }
    family->n = kept;
}

static int compare_sizes(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    if (size_of(x) != size_of(y))
        return size_of(x) < size_of(y) ? -1 : 1;
    return (x > y) - (x < y);
}

/* Smaller ones first, each once. */
static void tidy(mgl_argus_family *family)
{
    size_t kept = 0;
    if (family->n > 1)
        qsort(family->sets, family->n, sizeof *family->sets, compare_sizes);
    for (size_t i = 0; i < family->n; i++)
        if (kept == 0 || family->sets[i] != family->sets[kept - 1])
            family->sets[kept++] = family->sets[i];
    family->n = kept;
}

/* Every combination of the live columns of each; or, where these were named, just all of them. */
static mgl_status make_of_sets(const mgl_problem *p, uint64_t live, bool whole, mgl_error *err,
                               mgl_argus_family *out)
{
    size_t most = 0;
    for (size_t q = 0; q < p->n_sets; q++) {
        uint64_t columns = argus_columns(&p->sets[q]) & live;
        if (size_of(columns) > MGL_ARGUS_MOST_LIVE && !whole)
            return refuse(err, true, size_of(columns));
        most += whole ? 1 : (size_t)1 << size_of(columns);
    }
    MGL_TRY(mgl_new_array(most, sizeof *out->sets, err, &out->sets));
    for (size_t q = 0; q < p->n_sets; q++) {
        uint64_t columns = argus_columns(&p->sets[q]) & live;
        for (uint64_t set = columns; set != 0; set = whole ? 0 : (set - 1) & columns)
            out->sets[out->n++] = set;
    }
    tidy(out);
    return MGL_OK;
}

mgl_status mgl_argus_family_make(const mgl_problem *problem, uint64_t live, mgl_error *err,
                                 mgl_argus_family *out)
{
    const mgl_argus_options *options = problem->options;
    const mgl_combinations *asked = &options->combinations;
    size_t m = problem->list->n_attributes;
    bool none = asked->sizes == 0 && !asked->published && !asked->all;
    bool several = problem->n_sets > 1;
    *out = (mgl_argus_family){.all = asked->all && !several, .rounds = asked->all || asked->named};
    if (asked->named || (asked->all && several))
        return make_of_sets(problem, live, asked->named, err, out);
    if (!asked->all) {
        MGL_TRY(make_sets(options, none ? 1U << 2 | 1U << 3 : asked->sizes, m, err, out));
        keep_within(problem, out);
        return MGL_OK;
    }
    if (size_of(live) > MGL_ARGUS_MOST_LIVE)
        return refuse(err, true, size_of(live));
    out->n = ((size_t)1 << size_of(live)) - 1;
    return MGL_OK;
}

void mgl_argus_family_free(mgl_argus_family *family)
{
    mgl_free(family->sets);
    *family = (mgl_argus_family){0};
}

/* Units that are rare on a set, but not on a smaller one. */
typedef struct found {
    uint64_t set;
    uint32_t *units; /* ascending */
    size_t n;
} found;

/* Sets of one size. */
typedef struct layer {
    size_t n;
    uint64_t *sets; /* ascending */
    uint64_t *rare; /* [n * n_words] bit u: unit u is rare */
    found *found;   /* [n] */
    bool *open;     /* [n] a unit that is rare on all columns is not on these */
    mgl_owned own;  /* all but the sets */
} layer;

typedef struct find_worker {
    mgl_argus_groups groups;
    uint32_t *list; /* [units] */
} find_worker;

typedef struct find {
    const mgl_problem *problem;
    const mgl_argus_units *units;
    const mgl_argus_family *family;
    uint64_t k;
    size_t n_words;       /* of a bit per unit */
    uint8_t *small;       /* [units] rare on all columns together */
    layer below, layer;   /* the layer before this one, and this one */
    find_worker *workers; /* [threads] */
    found *found;         /* [n_found] of all layers */
    size_t n_found, found_room;
    mgl_argus_watch watch;
    mgl_owned own;
} find;

static void free_layer(layer *l)
{
    for (size_t i = 0; l->found != NULL && i < l->n; i++)
        mgl_free(l->found[i].units);
    mgl_free(l->sets);
    mgl_owned_free(&l->own);
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
        mgl_sort_u64(out->sets, out->n);
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
    MGL_TRY(mgl_check_memory(list_sets(f, size, l), err));
    l->open = mgl_own_zeroed(&l->own, l->n, sizeof *l->open);
    l->rare = mgl_own_zeroed(&l->own, l->n, f->n_words * sizeof *l->rare);
    l->found = mgl_own_zeroed(&l->own, l->n, sizeof *l->found);
    return mgl_owned_check(&l->own, err);
}

/* Takes over what smaller sets show; lists the other units. */
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

/* Marks the units of small groups and keeps a list of them; false if memory is out. */
static bool keep_rare(const find *f, const find_worker *h, size_t n, uint64_t *rare, found *out,
                      bool *open)
{
    const mgl_argus_groups *groups = &h->groups;
    for (size_t i = 0; i < n; i++) {
        bool is_rare = groups->sizes[groups->of[i]] < f->k;
        out->n += is_rare;
        *open = *open || (f->small[h->list[i]] && !is_rare);
    }
    if (out->n == 0)
        return true;
    out->units = mgl_alloc_array(out->n, sizeof *out->units);
    if (out->units == NULL)
        return false;
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        if (groups->sizes[groups->of[i]] < f->k) {
            uint32_t u = out->units[at++] = h->list[i];
            rare[u / 64] |= UINT64_C(1) << u % 64;
        }
    return true;
}

static void look_at(void *context, size_t number, unsigned worker)
{
    find *f = context;
    find_worker *h = &f->workers[worker];
    if (mgl_argus_must_stop(&f->watch))
        return;
    uint64_t *rare = f->layer.rare + number * f->n_words, set = f->layer.sets[number];
    size_t n = list_others(f, set, rare, h->list);
    bool kept = true;
    f->layer.found[number].set = set;
    if (has_small(f, h->list, n)) {
        mgl_argus_group(&h->groups, f->units, set, h->list, n);
        kept = keep_rare(f, h, n, rare, &f->layer.found[number], &f->layer.open[number]);
    }
    mgl_argus_done(&f->watch, !kept);
}

/* Takes over what the layer found. */
static mgl_status take_found(find *f, mgl_error *err)
{
    layer *l = &f->layer;
    for (size_t i = 0; i < l->n; i++) {
        if (l->found[i].n == 0)
            continue;
        MGL_TRY(mgl_grow_array(&f->found, &f->found_room, f->n_found + 1, sizeof *f->found, err));
        f->found[f->n_found++] = l->found[i];
        l->found[i].units = NULL;
    }
    return MGL_OK;
}

/* Puts what was found in order of units; sets of a unit stay in the order of sizes. */
static mgl_status sort_found(const find *f, mgl_error *err, mgl_argus_outliers *out)
{
    size_t n = f->units->people.n, end = 0;
    out->start = mgl_own_zeroed(&out->own, n + 1, sizeof *out->start);
    MGL_TRY(mgl_owned_check(&out->own, err));
    for (size_t i = 0; i < f->n_found; i++)
        for (size_t j = 0; j < f->found[i].n; j++)
            out->start[f->found[i].units[j]]++;
    for (size_t u = 0; u <= n; u++) {
        end += u < n ? out->start[u] : 0;
        out->start[u] = end; /* filling backwards turns the end into the start */
    }
    out->sets = mgl_own_array(&out->own, end, sizeof *out->sets);
    MGL_TRY(mgl_owned_check(&out->own, err));
    for (size_t i = f->n_found; i-- > 0;)
        for (size_t j = 0; j < f->found[i].n; j++)
            out->sets[--out->start[f->found[i].units[j]]] = f->found[i].set;
    return MGL_OK;
}

void mgl_argus_outliers_free(mgl_argus_outliers *outliers)
{
    mgl_owned_free(&outliers->own);
    *outliers = (mgl_argus_outliers){0};
}

static mgl_status begin_find(find *f, mgl_error *err)
{
    unsigned threads = mgl_pool_threads(f->problem->pool);
    size_t n = f->units->people.n;
    f->n_words = (n + 63) / 64;
    f->small = mgl_own_array(&f->own, n, sizeof *f->small);
    f->workers = mgl_own_zeroed(&f->own, threads, sizeof *f->workers);
    for (unsigned i = 0; f->workers != NULL && i < threads; i++) {
        MGL_TRY(mgl_argus_groups_init(&f->workers[i].groups, &f->units->people, n, err));
        f->workers[i].list = mgl_own_array(&f->own, n, sizeof *f->workers[i].list);
    }
    MGL_TRY(mgl_owned_check(&f->own, err));
    mgl_argus_groups *groups = &f->workers[0].groups;
    for (size_t u = 0; u < n; u++)
        f->workers[0].list[u] = (uint32_t)u;
    mgl_argus_group(groups, f->units, UINT64_MAX, f->workers[0].list, n);
    for (size_t u = 0; u < n; u++)
        f->small[u] = groups->sizes[groups->of[u]] < f->k;
    return MGL_OK;
}

static void end(find *f)
{
    for (unsigned i = 0; f->workers != NULL && i < mgl_pool_threads(f->problem->pool); i++)
        mgl_argus_groups_free(&f->workers[i].groups);
    free_layer(&f->below);
    free_layer(&f->layer);
    mgl_owned_free(&f->own);
    for (size_t i = 0; i < f->n_found; i++)
        mgl_free(f->found[i].units);
    mgl_free(f->found);
}

static mgl_status look_at_layers(find *f, mgl_error *err)
{
    for (unsigned size = 1; size <= f->units->m; size++) {
        MGL_TRY(next_layer(f, size, err));
        mgl_pool_run(f->problem->pool, f->layer.n, look_at, f);
        MGL_TRY(mgl_argus_watch_status(&f->watch, err));
        MGL_TRY(take_found(f, err));
    }
    return MGL_OK;
}

mgl_status mgl_argus_outliers_find(const mgl_problem *problem, const mgl_argus_units *units,
                                   const mgl_argus_family *family, uint64_t k, mgl_error *err,
                                   mgl_argus_outliers *out)
{
    find f = {.problem = problem, .units = units, .family = family, .k = k};
    mgl_argus_watch_begin(&f.watch, problem, family->n);
    *out = (mgl_argus_outliers){0};
    mgl_status status = MGL_OK;
    MGL_GO(begin_find(&f, err));
    MGL_GO(look_at_layers(&f, err));
    MGL_GO(sort_found(&f, err, out));
done:
    mgl_argus_watch_end(&f.watch);
    end(&f);
    return status;
}

enum { IN_WORD = 6 }; /* columns whose subsets are the bits of one word */

/* Bit i is set where i has bit p. */
static const uint64_t with_bit[IN_WORD] = {
    UINT64_C(0xAAAAAAAAAAAAAAAA), UINT64_C(0xCCCCCCCCCCCCCCCC), UINT64_C(0xF0F0F0F0F0F0F0F0),
    UINT64_C(0xFF00FF00FF00FF00), UINT64_C(0xFFFF0000FFFF0000), UINT64_C(0xFFFFFFFF00000000),
};

static unsigned first_of(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

/* For each column the number of the sets that it is in. */
static void count_sets(const uint64_t *sets, size_t n, uint64_t *counts)
{
    memset(counts, 0, MGL_ARGUS_COLUMNS * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        for (uint64_t left = sets[i]; left != 0; left &= left - 1)
            counts[first_of(left)]++;
}

/* All subsets of columns that contain this set. */
static uint64_t add_one(uint64_t set, uint64_t columns, uint64_t *counts)
{
    uint64_t free = columns & ~set;
    uint64_t n = UINT64_C(1) << __builtin_popcountll(free);
    for (uint64_t left = set; left != 0; left &= left - 1)
        counts[first_of(left)] += n;
    for (uint64_t left = free; left != 0; left &= left - 1)
        counts[first_of(left)] += n / 2;
    return n;
}

/* Adds to a table of subsets, a bit each, those with one column more: the one at place p. */
static void close_upwards(uint64_t *table, size_t n_words, unsigned p)
{
    if (p < IN_WORD) {
        for (size_t w = 0; w < n_words; w++)
            table[w] |= (table[w] & ~with_bit[p]) << (1U << p);
        return;
    }
    size_t step = (size_t)1 << (p - IN_WORD);
    for (size_t w = 0; w < n_words; w++)
        if ((w & step) != 0)
            table[w] |= table[w ^ step];
}

/* How many subsets of a table have the column at place p. */
static uint64_t count_with(const uint64_t *table, size_t n_words, unsigned p)
{
    size_t step = p < IN_WORD ? 0 : (size_t)1 << (p - IN_WORD);
    uint64_t mask = p < IN_WORD ? with_bit[p] : UINT64_MAX, n = 0;
    for (size_t w = 0; w < n_words; w++)
        if ((w & step) == step)
            n += (uint64_t)__builtin_popcountll(table[w] & mask);
    return n;
}

/* Every subset of the columns as one bit: many sets are no more work than few. */
static uint64_t add_by_table(const uint64_t *sets, size_t n, uint64_t columns, uint64_t *table,
                             uint64_t *counts)
{
    unsigned column[MGL_ARGUS_MOST_LIVE], n_columns = 0;
    for (uint64_t left = columns; left != 0; left &= left - 1)
        column[n_columns++] = first_of(left);
    size_t n_words = n_columns > IN_WORD ? (size_t)1 << (n_columns - IN_WORD) : 1;
    memset(table, 0, n_words * sizeof *table);
    for (size_t i = 0; i < n; i++) {
        uint32_t number = 0;
        for (unsigned p = 0; p < n_columns; p++)
            number |= (uint32_t)(sets[i] >> column[p] & 1) << p;
        table[number >> IN_WORD] |= UINT64_C(1) << (number & 63);
    }
    for (unsigned p = 0; p < n_columns; p++)
        close_upwards(table, n_words, p);
    uint64_t subsets = 0;
    for (size_t w = 0; w < n_words; w++)
        subsets += (uint64_t)__builtin_popcountll(table[w]);
    for (unsigned p = 0; p < n_columns; p++)
        counts[column[p]] += count_with(table, n_words, p);
    return subsets;
}

/* The column that is in most of the sets. */
static unsigned commonest(const uint64_t *sets, size_t n, uint64_t columns)
{
    unsigned chosen = 0;
    size_t most = 0;
    for (uint64_t left = columns; left != 0; left &= left - 1) {
        size_t in = 0;
        for (size_t i = 0; i < n; i++)
            in += sets[i] >> first_of(left) & 1;
        if (in > most) {
            most = in;
            chosen = first_of(left);
        }
    }
    return chosen;
}

/* Adds what the subsets of columns that contain one of the sets have, and returns how many they
 * are. Few sets are soon dealt with by looking first at the subsets with the commonest column, then
 * at those without it. */
static uint64_t add_supersets(const uint64_t *sets, size_t n, uint64_t columns, uint64_t *scratch,
                              uint64_t *counts)
{
    if (n == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (sets[i] == 0 || n == 1)
            return add_one(sets[i], columns, counts);
    unsigned n_columns = (unsigned)__builtin_popcountll(columns);
    if (n_columns <= IN_WORD || n > 2 * n_columns)
        return add_by_table(sets, n, columns, scratch, counts);
    unsigned a = commonest(sets, n, columns);
    uint64_t bit = UINT64_C(1) << a;
    size_t without = 0;
    for (size_t i = 0; i < n; i++)
        scratch[i] = sets[i] & ~bit;
    uint64_t with = add_supersets(scratch, n, columns & ~bit, scratch + n, counts);
    counts[a] += with;
    for (size_t i = 0; i < n; i++)
        if ((sets[i] & bit) == 0)
            scratch[without++] = sets[i];
    return with + add_supersets(scratch, without, columns & ~bit, scratch + without, counts);
}

void mgl_argus_count_supersets(const uint64_t *sets, size_t n, uint64_t columns, uint64_t *scratch,
                               uint64_t *counts)
{
    memset(counts, 0, MGL_ARGUS_COLUMNS * sizeof *counts);
    add_supersets(sets, n, columns, scratch, counts);
}

size_t mgl_argus_count_room(size_t most_sets, size_t m)
{
    size_t columns = m < MGL_ARGUS_MOST_LIVE ? m : MGL_ARGUS_MOST_LIVE;
    size_t few = most_sets < 2 * columns ? most_sets : 2 * columns;
    return few * columns + ((size_t)1 << columns) / 64 + 1;
}

enum { UNITS_AT_ONCE = 64 };

typedef struct worker {
    uint64_t *sets;    /* outliers of the unit that are left */
    uint64_t *scratch; /* to count them */
} worker;

typedef struct choice {
    const mgl_argus_units *units;
    const mgl_argus_family *family;
    const mgl_argus_outliers *outliers;
    const uint32_t *identification;
    mgl_argus_cells *cells;
    worker *workers; /* [threads] */
    mgl_argus_watch watch;
    mgl_owned own;
} choice;

/* Does the cell of column a go before that of column b? */
static bool goes_before(const choice *w, const uint64_t *counts, unsigned a, unsigned b)
{
    if (counts[a] != counts[b])
        return counts[a] > counts[b];
    if (w->identification != NULL && w->identification[a] != w->identification[b])
        return w->identification[a] < w->identification[b];
    return a < b;
}

/* The live column whose cell goes first; 64 if no live cell is in any set. */
static unsigned choose(const choice *w, const uint64_t *counts, uint64_t live)
{
    unsigned chosen = MGL_ARGUS_COLUMNS;
    for (uint64_t left = live; left != 0; left &= left - 1) {
        unsigned a = (unsigned)__builtin_ctzll(left);
        if (counts[a] > 0 && (chosen == MGL_ARGUS_COLUMNS || goes_before(w, counts, a, chosen)))
            chosen = a;
    }
    return chosen;
}

static void keep_order(const choice *w, const uint64_t *counts, uint8_t *order)
{
    for (unsigned a = 0; a < w->units->m; a++) {
        unsigned place = a;
        for (; place > 0 && goes_before(w, counts, a, order[place - 1]); place--)
            order[place] = order[place - 1];
        order[place] = (uint8_t)a;
    }
}

/* Those of the family that contain one of the sets found. */
static size_t list_outliers(const choice *w, const uint64_t *found, size_t n_found, uint64_t *sets)
{
    size_t n = 0;
    for (size_t i = 0; i < w->family->n; i++) {
        uint64_t set = w->family->sets[i];
        bool contains = false;
        for (size_t j = 0; !contains && j < n_found; j++)
            contains = (found[j] & ~set) == 0;
        if (contains)
            sets[n++] = set;
    }
    return n;
}

static void suppress_unit(const choice *w, size_t u, worker *h)
{
    const uint64_t *found = w->outliers->sets + w->outliers->start[u];
    size_t n = w->outliers->start[u + 1] - w->outliers->start[u];
    uint64_t counts[MGL_ARGUS_COLUMNS], live = w->units->live;
    bool all = w->family->all;
    if (all)
        memcpy(h->sets, found, n * sizeof *found);
    else
        n = list_outliers(w, found, n, h->sets);
    for (bool first = true; n > 0; first = false) {
        if (all)
            mgl_argus_count_supersets(h->sets, n, live, h->scratch, counts);
        else
            count_sets(h->sets, n, counts);
        if (w->family->rounds && first)
            keep_order(w, counts, w->cells->order + u * w->units->m);
        unsigned a = choose(w, counts, live);
        if (a == MGL_ARGUS_COLUMNS)
            break;
        live ^= UINT64_C(1) << a;
        size_t left = 0;
        for (size_t i = 0; i < n; i++)
            if ((h->sets[i] >> a & 1) == 0)
                h->sets[left++] = h->sets[i];
        n = left;
    }
    w->cells->lost[u] = w->units->live ^ live;
}

static void suppress_units(void *context, size_t item, unsigned worker)
{
    choice *w = context;
    size_t begin = item * UNITS_AT_ONCE, end = begin + UNITS_AT_ONCE;
    if (mgl_argus_must_stop(&w->watch))
        return;
    for (size_t u = begin; u < end && u < w->units->people.n; u++)
        if (w->outliers->start[u + 1] > w->outliers->start[u])
            suppress_unit(w, u, &w->workers[worker]);
    mgl_argus_done(&w->watch, false);
}

static mgl_status begin(choice *w, unsigned threads, mgl_error *err)
{
    const mgl_argus_outliers *outliers = w->outliers;
    size_t n = w->units->people.n, m = w->units->m, most = w->family->all ? 0 : w->family->n;
    for (size_t u = 0; u < n; u++)
        if (outliers->start[u + 1] - outliers->start[u] > most)
            most = outliers->start[u + 1] - outliers->start[u];
    size_t room = w->family->all ? mgl_argus_count_room(most, m) : 0;
    w->cells->lost = mgl_own_zeroed(&w->cells->own, n, sizeof *w->cells->lost);
    w->cells->order = mgl_own_array(&w->cells->own, w->family->rounds ? n : 0, m);
    MGL_TRY(mgl_owned_check(&w->cells->own, err));
    /* A unit that is in no outlier may be rare once others have lost cells. */
    const uint64_t counts[MGL_ARGUS_COLUMNS] = {0};
    for (size_t u = 0; w->family->rounds && u < w->units->people.n; u++)
        keep_order(w, counts, w->cells->order + u * w->units->m);
    w->workers = mgl_own_zeroed(&w->own, threads, sizeof *w->workers);
    for (unsigned i = 0; w->workers != NULL && i < threads; i++) {
        w->workers[i].sets = mgl_own_array(&w->own, most, sizeof *w->workers[i].sets);
        w->workers[i].scratch = mgl_own_array(&w->own, room, sizeof *w->workers[i].scratch);
    }
    return mgl_owned_check(&w->own, err);
}

mgl_status mgl_argus_cells_suppress(const mgl_problem *problem, const mgl_argus_units *units,
                                    const mgl_argus_family *family,
                                    const mgl_argus_outliers *outliers, mgl_error *err,
                                    mgl_argus_cells *out)
{
    unsigned threads = mgl_pool_threads(problem->pool);
    *out = (mgl_argus_cells){0};
    choice w = {.units = units,
                .family = family,
                .outliers = outliers,
                .identification = ((const mgl_argus_options *)problem->options)->identification,
                .cells = out};
    size_t items = (units->people.n + UNITS_AT_ONCE - 1) / UNITS_AT_ONCE;
    mgl_argus_watch_begin(&w.watch, problem, items);
    mgl_status status = begin(&w, threads, err);
    if (status == MGL_OK) {
        mgl_pool_run(problem->pool, items, suppress_units, &w);
        status = mgl_argus_watch_status(&w.watch, err);
    }
    mgl_argus_watch_end(&w.watch);
    mgl_owned_free(&w.own);
    if (status != MGL_OK)
        mgl_argus_cells_free(out);
    return status;
}

void mgl_argus_cells_free(mgl_argus_cells *cells)
{
    mgl_owned_free(&cells->own);
    *cells = (mgl_argus_cells){0};
}

/* Puts the top into a unit's key. */
static void blank(mgl_argus_units *units, size_t u, uint64_t columns)
{
    const mgl_packing *packing = &units->packing;
    for (; columns != 0; columns &= columns - 1) {
        size_t a = (size_t)__builtin_ctzll(columns);
        uint64_t field = ((UINT64_C(1) << packing->fields[a].bits) - 1) << packing->fields[a].shift;
        units->keys[u * packing->n_words + packing->fields[a].word] &= ~field;
    }
}

static bool lose_next(mgl_argus_units *units, size_t u, uint64_t columns, mgl_argus_cells *cells)
{
    const uint8_t *order = cells->order + u * units->m;
    uint64_t live = units->live & columns & ~cells->lost[u];
    size_t i = 0;
    if (live == 0)
        return false;
    while ((live >> order[i] & 1) == 0)
        i++;
    cells->lost[u] |= UINT64_C(1) << order[i];
    blank(units, u, UINT64_C(1) << order[i]);
    return true;
}

/* Every unit that is rare on these columns loses a cell of them, if it has one. */
static bool suppress_rare(mgl_argus_units *units, uint64_t columns, uint64_t k,
                          mgl_argus_groups *groups, const uint32_t *list, mgl_argus_cells *cells)
{
    bool any = false;
    mgl_argus_group(groups, units, columns, list, units->people.n);
    for (size_t u = 0; u < units->people.n; u++)
        if (groups->sizes[groups->of[u]] < k)
            any = lose_next(units, u, columns, cells) || any;
    return any;
}

mgl_status mgl_argus_cells_complete(const mgl_problem *problem, mgl_argus_units *units, uint64_t k,
                                    mgl_argus_cells *cells, mgl_error *err)
{
    size_t n = units->people.n;
    mgl_argus_groups groups;
    uint32_t *list = mgl_alloc_array(n, sizeof *list);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_argus_groups_init(&groups, &units->people, n, err));
    MGL_GO(mgl_check_memory(list != NULL, err));
    for (size_t u = 0; u < n; u++) {
        list[u] = (uint32_t)u;
        blank(units, u, cells->lost[u]);
    }
    for (bool more = true; more;) {
        more = false;
        for (size_t q = 0; q < problem->n_sets; q++)
            more =
                suppress_rare(units, argus_columns(&problem->sets[q]), k, &groups, list, cells) ||
                more;
    }
done:
    mgl_argus_groups_free(&groups);
    mgl_free(list);
    return status;
}
