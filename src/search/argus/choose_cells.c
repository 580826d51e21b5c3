/* Chooses the cells of the units that are suppressed. mu_argus.c calls it once the outliers are
 * known. */
#include "search/argus/units.h"

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
            mgl_argus_count_sets(h->sets, n, counts);
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
