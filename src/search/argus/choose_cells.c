/* Chooses the cells of units that are suppressed: again and again the cell that is in most of the
 * outliers that are left. */
#include "search/argus/units.h"

/* ---- Sets that a column is in ---------------------------------------------------------------- */

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

/* ---- Choosing cells -------------------------------------------------------------------------- */

enum { UNITS_AT_ONCE = 64 };

typedef struct hand {
    uint64_t *sets;    /* outliers of the unit that are left */
    uint64_t *scratch; /* to count them */
} hand;

typedef struct choice {
    const mgl_argus_units *units;
    const mgl_argus_family *family;
    const mgl_argus_outliers *outliers;
    const uint32_t *identification;
    mgl_argus_cells *cells;
    hand *hands; /* [threads] */
    mgl_argus_watch watch;
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

static void suppress_unit(const choice *w, size_t u, hand *h)
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
            suppress_unit(w, u, &w->hands[worker]);
    mgl_argus_done(&w->watch, false);
}

/* ---- All of it --------------------------------------------------------------------------- */

/* A unit that is in no outlier may be rare once others have lost cells. */
static void begin_orders(const choice *w)
{
    const uint64_t counts[MGL_ARGUS_COLUMNS] = {0};
    for (size_t u = 0; w->family->rounds && u < w->units->people.n; u++)
        keep_order(w, counts, w->cells->order + u * w->units->m);
}

static mgl_status begin(choice *w, unsigned threads, mgl_error *err)
{
    const mgl_argus_outliers *outliers = w->outliers;
    size_t n = w->units->people.n, m = w->units->m, most = w->family->all ? 0 : w->family->n;
    for (size_t u = 0; u < n; u++)
        if (outliers->start[u + 1] - outliers->start[u] > most)
            most = outliers->start[u + 1] - outliers->start[u];
    w->cells->lost = mgl_zeroed_array(n, sizeof *w->cells->lost);
    w->cells->order = mgl_alloc_array(w->family->rounds ? n : 0, m);
    w->hands = mgl_zeroed_array(threads, sizeof *w->hands);
    if (w->cells->lost == NULL || w->cells->order == NULL || w->hands == NULL)
        return mgl_fail_memory(err);
    begin_orders(w);
    for (unsigned i = 0; i < threads; i++) {
        w->hands[i].sets = mgl_alloc_array(most, sizeof *w->hands[i].sets);
        w->hands[i].scratch = mgl_alloc_array(w->family->all ? mgl_argus_count_room(most, m) : 0,
                                              sizeof *w->hands[i].scratch);
        if (w->hands[i].sets == NULL || w->hands[i].scratch == NULL)
            return mgl_fail_memory(err);
    }
    return MGL_OK;
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
    for (unsigned i = 0; w.hands != NULL && i < threads; i++) {
        mgl_free(w.hands[i].sets);
        mgl_free(w.hands[i].scratch);
    }
    mgl_free(w.hands);
    if (status != MGL_OK)
        mgl_argus_cells_free(out);
    return status;
}

void mgl_argus_cells_free(mgl_argus_cells *cells)
{
    mgl_free(cells->lost);
    mgl_free(cells->order);
    *cells = (mgl_argus_cells){0};
}

/* ---- Rounds --------------------------------------------------------------------------------- */

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
    if (list == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t u = 0; u < n; u++) {
        list[u] = (uint32_t)u;
        blank(units, u, cells->lost[u]);
    }
    for (bool more = true; more;) {
        more = false;
        for (size_t q = 0; q < problem->n_sets; q++)
            more = suppress_rare(units, mgl_argus_columns(&problem->sets[q]), k, &groups, list,
                                 cells) ||
                   more;
    }
done:
    mgl_argus_groups_free(&groups);
    mgl_free(list);
    return status;
}
