/* Mondrian (LeFevre, DeWitt, Ramakrishnan 2006): cuts the table in its widest column, and its
 * regions again, as long as all models hold in every region. A row of the table of methods. */
#include "search/node/node.h"
#include "search/cluster/mondrian/mondrian.h"
#include "search/cluster/partition/partition.h"
#include "search/sets/sets.h"

#include <pthread.h>
#include <stdlib.h>

static inline bool mgl_mondrian_is_relaxed(const mgl_problem *problem)
{
    return ((const mgl_mondrian_options *)problem->options)->cut == MGL_CUT_RELAXED;
}

typedef struct mgl_mondrian_column {
    const mgl_released_column *released;
    const mgl_hierarchy *hierarchy;
    uint32_t n_units;
    uint32_t *unit_of_leaf; /* [n_leaves] */
    uint32_t *leaf_of_unit; /* [n_units] one of its leaves */
    uint32_t low, high;     /* levels that cells may have; units are the values of the low one */
    mgl_scale *scale;       /* released as ranges; NULL: as hierarchy values */
    double *numbers;        /* with a scale: [n_units] */
    uint32_t missing;       /* with a scale: the unit of the missing value, the last; or none */
} mgl_mondrian_column;

typedef struct mgl_mondrian_space {
    const mgl_problem *problem;
    mgl_owned own;
    size_t n, m;
    mgl_mondrian_column *columns;
    uint32_t *units; /* [t * m + a] */
    uint32_t n_keys; /* more than there are values on any level of a column */
    bool judged;     /* models look at more than the number of rows */
} mgl_mondrian_space;

/* All tuples in an order such that the regions are runs of them; within a region they ascend. */
typedef struct mgl_mondrian_regions {
    const mgl_mondrian_space *space;
    uint64_t need;   /* rows that a region has at least */
    uint32_t *order; /* [n] */
    uint8_t *begins; /* [n] 1: a region begins here */
    uint32_t *other; /* [n] scratch, beside order */
    uint32_t *keys;  /* [n] scratch: which group of a cut each tuple is in */
    bool timed_out;
    mgl_owned own;
} mgl_mondrian_regions;

/* Tuples that a cut puts together. */
typedef struct mgl_mondrian_group {
    uint32_t key;
    uint32_t n;     /* tuples */
    uint32_t begin; /* where they stand in regions->other, counted from the region's begin */
    uint64_t rows;
    bool holds;
} mgl_mondrian_group;

/* What one thread cuts with. */
typedef struct mgl_mondrian_cutter {
    mgl_mondrian_regions *regions;
    mgl_group_maker *maker;     /* NULL: rows say it all */
    uint32_t *first, *last;     /* [m] units of the region */
    double *width;              /* [m] less than 0: tried */
    uint32_t *group_of_key;     /* [n_keys] MGL_NOT_FOUND between cuts */
    mgl_mondrian_group *groups; /* [n_keys] what the last cut gave, in the order they stand in */
    uint32_t n_groups;
    uint64_t *bins; /* scratch of finding the median */
    mgl_owned own;
} mgl_mondrian_cutter;

/* The tuples of a region, while it is cut. */
typedef struct mgl_mondrian_run {
    uint32_t *order, *other, *keys; /* [n] those of the region */
    uint32_t n;
    uint64_t rows;
} mgl_mondrian_run;

/* Puts the leaves of each column in a row of units, as Mondrian sees them. */

enum { TUPLES_AT_ONCE = 1 << 15 };

/* Leaves of equal numbers are one unit; the missing value comes after all of them. */
static mgl_status fill_numbers(mgl_mondrian_column *c, mgl_owned *own, mgl_error *err)
{
    const mgl_scale *scale = c->scale;
    uint32_t missing = c->hierarchy->missing_leaf;
    c->numbers = mgl_own_array(own, scale->n_ordered + 1, sizeof *c->numbers);
    MGL_TRY(mgl_check_memory(c->numbers != NULL, err));
    for (uint32_t i = 0; i < scale->n_ordered; i++) {
        uint32_t leaf = scale->ordered[i];
        double number = scale->of_leaf[leaf];
        if (c->n_units == 0 || c->numbers[c->n_units - 1] != number) {
            c->leaf_of_unit[c->n_units] = leaf;
            c->numbers[c->n_units++] = number;
        }
        c->unit_of_leaf[leaf] = c->n_units - 1;
    }
    if (missing != MGL_NOT_FOUND) {
        c->missing = c->n_units;
        c->leaf_of_unit[c->n_units] = missing;
        c->unit_of_leaf[missing] = c->n_units++;
    }
    return MGL_OK;
}

/* Puts leaves in the order of their values on a level; equal ones stay in theirs. */
static void sort_by_level(const mgl_level *level, const uint32_t *from, uint32_t n, uint32_t *start,
                          uint32_t *to)
{
    memset(start, 0, (level->n_values + 1) * sizeof *start);
    for (uint32_t i = 0; i < n; i++)
        start[level->of_leaf[from[i]] + 1]++;
    for (uint32_t v = 0; v < level->n_values; v++)
        start[v + 1] += start[v];
    for (uint32_t i = 0; i < n; i++)
        to[start[level->of_leaf[from[i]]]++] = from[i];
}

/* One leaf of each value of the lowest level, sorted by this level, then by the next one, ...:
 * at last the highest levels decide, and those under one value stand side by side. */
static mgl_status fill_levels(mgl_mondrian_column *c, mgl_error *err)
{
    const mgl_hierarchy *h = c->hierarchy;
    const mgl_level *lowest = &h->levels[c->low];
    c->n_units = lowest->n_values;
    mgl_owned own = {0};
    uint32_t *start = mgl_own_array(&own, (size_t)h->n_leaves + 1, sizeof *start);
    uint32_t *other = mgl_own_array(&own, c->n_units, sizeof *other);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&own, err));
    memcpy(other, lowest->first_leaf, c->n_units * sizeof *other);
    for (uint32_t l = c->low; l < h->height; l++) {
        sort_by_level(&h->levels[l], other, c->n_units, start, c->leaf_of_unit);
        memcpy(other, c->leaf_of_unit, c->n_units * sizeof *other);
    }
    memcpy(c->leaf_of_unit, other, c->n_units * sizeof *other);
    for (uint32_t u = 0; u < c->n_units; u++)
        start[lowest->of_leaf[c->leaf_of_unit[u]]] = u;
    for (uint32_t leaf = 0; leaf < h->n_leaves; leaf++)
        c->unit_of_leaf[leaf] = start[lowest->of_leaf[leaf]];
done:
    mgl_owned_free(&own);
    return status;
}

/* The level at which all units from one to another are the same value. */
static uint32_t mondrian_level(const mgl_mondrian_column *c, uint32_t first, uint32_t last)
{
    const mgl_level *levels = c->hierarchy->levels;
    uint32_t a = c->leaf_of_unit[first], b = c->leaf_of_unit[last], level = c->low;
    while (levels[level].of_leaf[a] != levels[level].of_leaf[b])
        level++;
    return level;
}

/* The loss of the value that stands for all units from one to another. */
static double mondrian_width(const mgl_mondrian_column *c, uint32_t first, uint32_t last)
{
    if (c->scale == NULL) {
        uint32_t level = mondrian_level(c, first, last);
        return c->released->values[c->released->of_leaf[level][c->leaf_of_unit[first]]].loss;
    }
    if (first == last)
        return 0;
    if (last == c->missing) /* there is no range of these */
        return 1;
    uint32_t n = c->missing != MGL_NOT_FOUND ? c->missing : c->n_units;
    return (c->numbers[last] - c->numbers[first]) / (c->numbers[n - 1] - c->numbers[0]);
}

/* A column without a hierarchy of its own is released as ranges if it can be, unless the job says
 * which of the two levels it wants. */
static bool wants_ranges(const mgl_problem *p, size_t a)
{
    const mgl_hierarchy *h = p->columns[a]->hierarchy;
    return !h->given && h->star_leaf == MGL_NOT_FOUND && p->min_level[a] == 0 &&
           p->max_level[a] == h->height;
}

static mgl_status fill_column(mgl_mondrian_space *s, size_t a, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    mgl_mondrian_column *c = &s->columns[a];
    const mgl_hierarchy *h = p->columns[a]->hierarchy;
    *c = (mgl_mondrian_column){.released = p->columns[a],
                               .hierarchy = h,
                               .low = p->min_level[a],
                               .high = p->max_level[a],
                               .missing = MGL_NOT_FOUND};
    c->unit_of_leaf = mgl_own_array(&s->own, h->n_leaves, sizeof *c->unit_of_leaf);
    c->leaf_of_unit = mgl_own_array(&s->own, h->n_leaves, sizeof *c->leaf_of_unit);
    MGL_TRY(mgl_owned_check(&s->own, err));
    if (wants_ranges(p, a))
        MGL_TRY(mgl_scale_new(h, err, &c->scale));
    if (c->scale != NULL)
        return fill_numbers(c, &s->own, err);
    for (uint32_t l = c->low; l <= h->height; l++)
        s->n_keys = h->levels[l].n_values > s->n_keys ? h->levels[l].n_values : s->n_keys;
    return fill_levels(c, err);
}

static void fill_units(void *context, size_t item, unsigned worker)
{
    (void)worker;
    mgl_mondrian_space *s = context;
    const mgl_frequency_list *list = s->problem->list;
    size_t begin = item * TUPLES_AT_ONCE;
    size_t end = begin + TUPLES_AT_ONCE < s->n ? begin + TUPLES_AT_ONCE : s->n;
    for (size_t t = begin; t < end; t++)
        for (size_t a = 0; a < s->m; a++)
            s->units[t * s->m + a] = s->columns[a].unit_of_leaf[mgl_list_leaf(list, t, a)];
}

static mgl_status fill(mgl_mondrian_space *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    s->columns = mgl_own_zeroed(&s->own, s->m, sizeof *s->columns);
    s->units = mgl_own_array(&s->own, s->n, s->m * sizeof *s->units);
    MGL_TRY(mgl_owned_check(&s->own, err));
    for (size_t a = 0; a < s->m; a++)
        MGL_TRY(fill_column(s, a, err));
    mgl_pool_run(p->pool, (s->n + TUPLES_AT_ONCE - 1) / TUPLES_AT_ONCE, fill_units, s);
    return MGL_OK;
}

static void mondrian_space_free(mgl_mondrian_space *s)
{
    if (s == NULL)
        return;
    for (size_t a = 0; s->columns != NULL && a < s->m; a++)
        mgl_scale_free(s->columns[a].scale);
    mgl_owned_free(&s->own);
    mgl_free(s);
}

/* Free with mondrian_space_free. */
static mgl_status mondrian_space_new(const mgl_problem *p, mgl_error *err, mgl_mondrian_space **out)
{
    mgl_mondrian_space *s;
    MGL_TRY(mgl_new_zeroed(1, sizeof *s, err, &s));
    *s = (mgl_mondrian_space){.problem = p,
                              .n = p->list->n_tuples,
                              .m = p->list->n_attributes,
                              .n_keys = 2,
                              .judged = p->list->persons != NULL ||
                                        mgl_models_of(p->sets) & MGL_SOME_SEE_HISTOGRAMS};
    mgl_status status = MGL_OK;
    MGL_GO(fill(s, err));
    *out = s;
    s = NULL;
done:
    mondrian_space_free(s);
    return status;
}

/* Makes one cut of one region: which column, and where, by numbers or by the values of a hierarchy.
 */

/* Makes groups of the tuples of a region, and cuts by the values of a hierarchy. */

/* Do all class-wise models hold for these tuples? */
static bool mondrian_holds(mgl_mondrian_cutter *c, const uint32_t *tuples, size_t n, uint64_t rows)
{
    if (rows < c->regions->need)
        return false;
    if (c->maker == NULL)
        return true;
    const mgl_group *group = mgl_group_maker_gather(c->maker, tuples, n);
    return group->size >= c->regions->need &&
           mgl_set_holds(c->regions->space->problem->sets, group);
}

/* Makes groups of the tuples with equal keys. */
static void gather(mgl_mondrian_cutter *c, const mgl_mondrian_run *run)
{
    const uint64_t *counts = c->regions->space->problem->list->counts;
    c->n_groups = 0;
    for (uint32_t i = 0; i < run->n; i++) {
        uint32_t *number = &c->group_of_key[run->keys[i]];
        if (*number == MGL_NOT_FOUND) {
            *number = c->n_groups++;
            c->groups[*number] = (mgl_mondrian_group){.key = run->keys[i]};
        }
        c->groups[*number].n++;
        c->groups[*number].rows += counts[run->order[i]];
    }
}

/* Removes the groups. */
static void forget(mgl_mondrian_cutter *c)
{
    for (uint32_t g = 0; g < c->n_groups; g++)
        c->group_of_key[c->groups[g].key] = MGL_NOT_FOUND;
}

/* Puts the tuples into `other`, group by group, in the groups' order. */
static void arrange(mgl_mondrian_cutter *c, const mgl_mondrian_run *run)
{
    uint32_t at = 0;
    for (uint32_t g = 0; g < c->n_groups; g++) {
        c->group_of_key[c->groups[g].key] = g;
        c->groups[g].begin = at;
        at += c->groups[g].n;
    }
    for (uint32_t i = 0; i < run->n; i++) {
        mgl_mondrian_group *group = &c->groups[c->group_of_key[run->keys[i]]];
        run->other[group->begin++] = run->order[i];
    }
    for (uint32_t g = 0; g < c->n_groups; g++)
        c->groups[g].begin -= c->groups[g].n;
}

static bool judge(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, mgl_mondrian_group *group)
{
    group->holds = mondrian_holds(c, run->other + group->begin, group->n, group->rows);
    return group->holds;
}

/* Gathers, arranges and judges: true if there are two groups or more and all hold. */
static bool try(mgl_mondrian_cutter *c, const mgl_mondrian_run *run)
{
    gather(c, run);
    bool allowed = c->n_groups > 1;
    for (uint32_t g = 0; allowed && g < c->n_groups; g++)
        allowed = c->groups[g].rows >= c->regions->need;
    if (allowed)
        arrange(c, run);
    for (uint32_t g = 0; allowed && g < c->n_groups; g++)
        allowed = judge(c, run, &c->groups[g]);
    forget(c);
    return allowed;
}

/* Those that hold come first, the largest of them first, or last. */
static const mgl_sort_key largest_first[] = {MGL_DESCENDING(mgl_mondrian_group, holds),
                                             MGL_DESCENDING(mgl_mondrian_group, rows),
                                             MGL_ASCENDING(mgl_mondrian_group, key), MGL_SORT_END};
static const mgl_sort_key largest_last[] = {MGL_DESCENDING(mgl_mondrian_group, holds),
                                            MGL_ASCENDING(mgl_mondrian_group, rows),
                                            MGL_DESCENDING(mgl_mondrian_group, key), MGL_SORT_END};

/* Which of the arranged tuples stay with their values: those before `end`; what follows is the
 * rest, a region of its own. */
typedef struct rest {
    uint32_t end;
    uint64_t rows; /* of the rest */
} rest;

static bool rest_holds(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, const rest *r)
{
    return mondrian_holds(c, run->other + r->end, run->n - r->end, r->rows);
}

/* What comes after the first so many groups. */
static rest rest_after(const mgl_mondrian_cutter *c, uint32_t kept)
{
    rest r = {.end = c->groups[kept].begin};
    for (uint32_t g = kept; g < c->n_groups; g++)
        r.rows += c->groups[g].rows;
    return r;
}

/* The rest takes the smallest value that holds, if it does not hold itself, then twice as many,
 * and so on: few looks at it, also where many values are needed. */
static bool rest_takes_values(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, uint32_t held,
                              rest *out)
{
    mgl_sort(c->groups, c->n_groups, sizeof *c->groups, largest_first);
    arrange(c, run);
    *out = rest_after(c, held);
    for (uint32_t taken = 0; !rest_holds(c, run, out);) {
        taken = taken > 0 ? 2 * taken : 1;
        if (taken >= held)
            return false;
        *out = rest_after(c, held - taken);
    }
    return true;
}

/* The rest takes tuples of the largest value that holds, which must go on to hold: as few as give
 * it the rows it needs, then twice as many, and so on. */
static bool rest_takes_tuples(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, uint32_t held,
                              rest *out)
{
    const uint64_t *counts = c->regions->space->problem->list->counts;
    mgl_sort(c->groups, c->n_groups, sizeof *c->groups, largest_last);
    arrange(c, run);
    const mgl_mondrian_group *from = &c->groups[held - 1];
    *out = rest_after(c, held);
    uint64_t left = from->rows;
    uint32_t wanted = 0, taken = 0;
    do {
        while (taken < from->n && (taken < wanted || out->rows < c->regions->need)) {
            uint64_t rows = counts[run->other[--out->end]];
            out->rows += rows;
            left -= rows;
            taken++;
        }
        if (taken == from->n || !mondrian_holds(c, run->other + from->begin, from->n - taken, left))
            return false;
        wanted = taken > 0 ? 2 * taken : 1;
    } while (!rest_holds(c, run, out));
    return true;
}

/* The keys become the numbers of the regions: one for each value that stays, one for the rest. */
static void number_regions(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, const rest *r)
{
    uint32_t kept = 0;
    while (kept < c->n_groups && c->groups[kept].begin < r->end)
        kept++;
    for (uint32_t i = 0; i < run->n; i++) {
        uint32_t g = c->group_of_key[run->keys[i]];
        run->keys[i] = c->groups[g].begin++ < r->end ? g : kept;
    }
    forget(c);
    gather(c, run);
    arrange(c, run);
}

/* The keys are values of a hierarchy: each that holds becomes a group, the others are one, the
 * rest, which takes what it needs to hold. False if no such groups are found. */
static bool cut_values(mgl_mondrian_cutter *c, const mgl_mondrian_run *run)
{
    bool relaxed = mgl_mondrian_is_relaxed(c->regions->space->problem);
    uint32_t held = 0;
    rest r;
    gather(c, run);
    if (c->maker != NULL)
        arrange(c, run);
    for (uint32_t g = 0; g < c->n_groups; g++)
        held += judge(c, run, &c->groups[g]);
    bool allowed = held > 0;
    if (held == c->n_groups)
        arrange(c, run);
    else if (allowed) {
        allowed =
            (relaxed && rest_takes_tuples(c, run, held, &r)) || rest_takes_values(c, run, held, &r);
        if (allowed)
            number_regions(c, run, &r);
    }
    forget(c);
    return allowed;
}

enum { MOST_BITS = 11 }; /* bins of finding the median, as a power of 2 */

static void mondrian_cutter_free(mgl_mondrian_cutter *c)
{
    if (c == NULL)
        return;
    mgl_group_maker_free(c->maker);
    mgl_owned_free(&c->own);
    mgl_free(c);
}

/* Free with mondrian_cutter_free. */
static mgl_status mondrian_cutter_new(mgl_mondrian_regions *regions, mgl_error *err,
                                      mgl_mondrian_cutter **out)
{
    const mgl_mondrian_space *s = regions->space;
    mgl_mondrian_cutter *c;
    MGL_TRY(mgl_new_zeroed(1, sizeof *c, err, &c));
    c->regions = regions;
    c->first = mgl_own_array(&c->own, s->m, sizeof *c->first);
    c->last = mgl_own_array(&c->own, s->m, sizeof *c->last);
    c->width = mgl_own_array(&c->own, s->m, sizeof *c->width);
    c->group_of_key = mgl_own_array(&c->own, s->n_keys, sizeof *c->group_of_key);
    c->groups = mgl_own_array(&c->own, s->n_keys, sizeof *c->groups);
    c->bins = mgl_own_array(&c->own, (size_t)1 << MOST_BITS, sizeof *c->bins);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&c->own, err));
    if (s->judged)
        MGL_GO(mgl_group_maker_new(s->problem->list, err, &c->maker));
    memset(c->group_of_key, 0xFF, s->n_keys * sizeof *c->group_of_key);
    *out = c;
    c = NULL;
done:
    mondrian_cutter_free(c);
    return status;
}

static mgl_mondrian_run run_of(const mgl_mondrian_cutter *c, uint32_t begin, uint32_t end)
{
    const mgl_mondrian_regions *p = c->regions;
    const uint64_t *counts = p->space->problem->list->counts;
    mgl_mondrian_run run = {p->order + begin, p->other + begin, p->keys + begin, end - begin, 0};
    for (uint32_t i = 0; i < run.n; i++)
        run.rows += counts[run.order[i]];
    return run;
}

static uint32_t unit_of(const mgl_mondrian_cutter *c, const mgl_mondrian_run *run, uint32_t i,
                        size_t a)
{
    const mgl_mondrian_space *s = c->regions->space;
    return s->units[run->order[i] * s->m + a];
}

static void measure_widths(mgl_mondrian_cutter *c, const mgl_mondrian_run *run)
{
    const mgl_mondrian_space *s = c->regions->space;
    uint32_t *first = c->first, *last = c->last;
    for (size_t a = 0; a < s->m; a++)
        first[a] = last[a] = unit_of(c, run, 0, a);
    for (uint32_t i = 1; i < run->n; i++) {
        const uint32_t *unit = s->units + run->order[i] * s->m;
        for (size_t a = 0; a < s->m; a++) {
            first[a] = unit[a] < first[a] ? unit[a] : first[a];
            last[a] = unit[a] > last[a] ? unit[a] : last[a];
        }
    }
    for (size_t a = 0; a < s->m; a++)
        c->width[a] = first[a] < last[a] ? mondrian_width(&s->columns[a], first[a], last[a]) : -1;
}

/* The widest column that was not tried yet, the first of equal ones; SIZE_MAX: none is left. */
static size_t take_widest(mgl_mondrian_cutter *c)
{
    size_t widest = SIZE_MAX;
    for (size_t a = 0; a < c->regions->space->m; a++)
        if (c->width[a] >= 0 &&
            (widest == SIZE_MAX ||
             (c->width[a] > c->width[widest] && !mgl_costs_tie(c->width[a], c->width[widest]))))
            widest = a;
    if (widest != SIZE_MAX)
        c->width[widest] = -1;
    return widest;
}

typedef struct median {
    uint32_t unit;
    uint64_t below, at; /* rows */
} median;

static unsigned bits_of(uint32_t x)
{
    return x == 0 ? 0 : 32 - (unsigned)__builtin_clz(x);
}

/* The least unit such that half of the rows have no greater one. A few bits of it are found at a
 * time, by counting the rows that agree with those found before. */
static median find_median(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, size_t a)
{
    const uint64_t *counts = c->regions->space->problem->list->counts;
    uint64_t half = (run->rows + 1) / 2;
    unsigned bits = bits_of(c->last[a] - c->first[a]), at_once = bits_of(run->n) + 1;
    at_once = at_once < MOST_BITS ? at_once : MOST_BITS;
    median m = {.unit = c->first[a]};
    do {
        unsigned shift = bits > at_once ? bits - at_once : 0;
        uint64_t range = UINT64_C(1) << bits;
        memset(c->bins, 0, (range >> shift) * sizeof *c->bins);
        for (uint32_t i = 0; i < run->n; i++) {
            uint32_t offset = unit_of(c, run, i, a) - m.unit; /* wraps if it is less */
            if (offset < range)
                c->bins[offset >> shift] += counts[run->order[i]];
        }
        uint32_t bin = 0;
        while (m.below + c->bins[bin] < half)
            m.below += c->bins[bin++];
        m.unit += bin << shift;
        m.at = c->bins[bin];
        bits = shift;
    } while (bits > 0);
    return m;
}

/* Cuts between units: those before one from the others. */
static bool cut_before(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, size_t a, uint32_t unit)
{
    for (uint32_t i = 0; i < run->n; i++)
        run->keys[i] = unit_of(c, run, i, a) >= unit;
    return try(c, run);
}

static uint64_t imbalance(const mgl_mondrian_run *run, uint64_t left)
{
    return run->rows > 2 * left ? run->rows - 2 * left : 2 * left - run->rows;
}

/* Lets the first tuples of the median go to the left, as many as make the halves more equal. */
static bool cut_within(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, size_t a,
                       const median *m)
{
    const uint64_t *counts = c->regions->space->problem->list->counts;
    uint64_t left = m->below;
    bool full = false;
    for (uint32_t i = 0; i < run->n; i++) {
        uint32_t unit = unit_of(c, run, i, a);
        run->keys[i] = unit >= m->unit;
        if (unit != m->unit || full)
            continue;
        uint64_t more = left + counts[run->order[i]];
        full = imbalance(run, more) >= imbalance(run, left);
        run->keys[i] = full;
        left = full ? left : more;
    }
    return try(c, run);
}

static bool cut_numbers(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, size_t a)
{
    const mgl_mondrian_space *s = c->regions->space;
    uint32_t missing = s->columns[a].missing;
    if (c->last[a] == missing && cut_before(c, run, a, missing))
        return true;
    median m = find_median(c, run, a);
    if (mgl_mondrian_is_relaxed(s->problem) && cut_within(c, run, a, &m))
        return true;
    bool after = imbalance(run, m.below + m.at) <= imbalance(run, m.below);
    return cut_before(c, run, a, m.unit + after) || cut_before(c, run, a, m.unit + !after);
}

static void take_keys(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, size_t a, uint32_t level)
{
    const mgl_mondrian_column *column = &c->regions->space->columns[a];
    const uint32_t *of_leaf = column->hierarchy->levels[level].of_leaf;
    for (uint32_t i = 0; i < run->n; i++)
        run->keys[i] = of_leaf[column->leaf_of_unit[unit_of(c, run, i, a)]];
}

static bool cut_column(mgl_mondrian_cutter *c, const mgl_mondrian_run *run, size_t a)
{
    const mgl_mondrian_column *column = &c->regions->space->columns[a];
    if (column->scale != NULL)
        return cut_numbers(c, run, a);
    take_keys(c, run, a, mondrian_level(column, c->first[a], c->last[a]) - 1);
    return cut_values(c, run);
}

/* The groups become regions. */
static void take_groups(const mgl_mondrian_cutter *c, const mgl_mondrian_run *run)
{
    uint8_t *begins = c->regions->begins + (run->order - c->regions->order);
    memcpy(run->order, run->other, run->n * sizeof *run->order);
    for (uint32_t g = 0; g < c->n_groups; g++)
        begins[c->groups[g].begin] = 1;
}

/* Cuts the region begin..end-1 once; false if no cut is allowed. The groups are regions then. */
static bool mondrian_cut(mgl_mondrian_cutter *c, uint32_t begin, uint32_t end)
{
    mgl_mondrian_run run = run_of(c, begin, end);
    if (run.n < 2 || run.rows < 2 * c->regions->need)
        return false;
    measure_widths(c, &run);
    bool cut = false;
    size_t a;
    while (!cut && (a = take_widest(c)) != SIZE_MAX)
        cut = cut_column(c, &run, a);
    if (cut)
        take_groups(c, &run);
    return cut;
}

/* Cuts on all threads. A region is cut without a look at any other one, so the result does not
 * depend on thread and time.
 *
 * Regions are runs of one array of tuples, and a cut rearranges its run. */

/* Regions with more tuples are cut once, and what they give waits for the next round; smaller ones
 * are cut up at once by the thread that has them. */
enum { LARGE = 20000 };

typedef struct region {
    uint32_t begin, end;
} region;

typedef struct region_list {
    region *regions;
    size_t n, capacity;
} region_list;

typedef struct worker {
    mgl_mondrian_cutter *cutter;
    region_list now, next;
} worker;

typedef struct rounds {
    mgl_mondrian_regions *regions;
    unsigned threads;
    worker *workers;
    region_list now;      /* the regions of this round */
    pthread_mutex_t lock; /* guards what follows */
    mgl_status status;
    mgl_error error;
    uint64_t done; /* tuples of regions that are not cut any more */
} rounds;

static bool add(region_list *list, region p)
{
    if (!mgl_grow(&list->regions, &list->capacity, list->n + 1, sizeof *list->regions))
        return false;
    list->regions[list->n++] = p;
    return true;
}

/* The groups of the last cut. */
static bool add_groups(const mgl_mondrian_cutter *c, uint32_t begin, region_list *list)
{
    for (uint32_t g = 0; g < c->n_groups; g++) {
        uint32_t first = begin + c->groups[g].begin;
        if (!add(list, (region){first, first + c->groups[g].n}))
            return false;
    }
    return true;
}

static bool must_stop(rounds *r)
{
    double deadline = r->regions->space->problem->deadline;
    pthread_mutex_lock(&r->lock);
    if (deadline > 0 && mgl_sys_seconds() > deadline)
        r->regions->timed_out = true;
    bool stop = r->status != MGL_OK || r->regions->timed_out;
    pthread_mutex_unlock(&r->lock);
    return stop;
}

static void finish_item(rounds *r, bool out_of_memory, uint64_t done)
{
    const mgl_mondrian_space *s = r->regions->space;
    pthread_mutex_lock(&r->lock);
    mgl_error error = {0};
    r->done += done;
    mgl_status status =
        out_of_memory ? mgl_fail_memory(&error)
                      : mgl_progress_report(s->problem->progress, "search", r->done, s->n, &error);
    if (status != MGL_OK && r->status == MGL_OK) {
        r->status = status;
        r->error = error;
    }
    pthread_mutex_unlock(&r->lock);
}

static void cut_up(void *context, size_t item, unsigned number)
{
    rounds *r = context;
    worker *w = &r->workers[number];
    bool whole = add(&w->now, r->now.regions[item]);
    uint64_t done = 0;
    while (whole && w->now.n > 0) {
        region p = w->now.regions[--w->now.n];
        if (must_stop(r))
            continue;
        if (mondrian_cut(w->cutter, p.begin, p.end))
            whole = add_groups(w->cutter, p.begin, p.end - p.begin > LARGE ? &w->next : &w->now);
        else
            done += p.end - p.begin;
    }
    finish_item(r, !whole, done);
}

/* What waited becomes the next round. */
static bool begin_round(rounds *r)
{
    r->now.n = 0;
    for (unsigned i = 0; i < r->threads; i++) {
        for (size_t j = 0; j < r->workers[i].next.n; j++)
            if (!add(&r->now, r->workers[i].next.regions[j]))
                return false;
        r->workers[i].next.n = 0;
    }
    return true;
}

/* No class may have two values of a column's highest level: the table falls into regions by them,
 * whether these hold or not. */
static bool divide_by_bounds(rounds *r)
{
    const mgl_mondrian_space *s = r->regions->space;
    worker *w = &r->workers[0];
    bool whole = add(&r->now, (region){0, (uint32_t)s->n});
    r->regions->begins[0] = 1;
    for (size_t a = 0; whole && a < s->m; a++) {
        const mgl_mondrian_column *c = &s->columns[a];
        if (c->scale != NULL || c->high == c->hierarchy->height)
            continue;
        for (size_t i = 0; whole && i < r->now.n; i++) {
            region p = r->now.regions[i];
            /* Divides it by the values of a level, whether they hold or not. */
            mgl_mondrian_run run = run_of(w->cutter, p.begin, p.end);
            take_keys(w->cutter, &run, a, c->high);
            gather(w->cutter, &run);
            arrange(w->cutter, &run);
            forget(w->cutter);
            take_groups(w->cutter, &run);
            whole = add_groups(w->cutter, p.begin, &w->next);
        }
        whole = whole && begin_round(r);
    }
    return whole;
}

static mgl_status cut_all(rounds *r, mgl_error *err)
{
    MGL_TRY(mgl_new_zeroed(r->threads, sizeof *r->workers, err, &r->workers));
    for (unsigned i = 0; i < r->threads; i++)
        MGL_TRY(mondrian_cutter_new(r->regions, err, &r->workers[i].cutter));
    MGL_TRY(mgl_check_memory(divide_by_bounds(r), err));
    while (r->now.n > 0 && r->status == MGL_OK && !r->regions->timed_out) {
        mgl_pool_run(r->regions->space->problem->pool, r->now.n, cut_up, r);
        MGL_TRY(mgl_check_memory(begin_round(r), err));
    }
    if (r->status != MGL_OK && err != NULL)
        *err = r->error;
    return r->status;
}

static mgl_status cut_in_rounds(mgl_mondrian_regions *regions, mgl_error *err)
{
    rounds r = {.regions = regions, .threads = mgl_pool_threads(regions->space->problem->pool)};
    pthread_mutex_init(&r.lock, NULL);
    mgl_status status = cut_all(&r, err);
    pthread_mutex_destroy(&r.lock);
    for (unsigned i = 0; r.workers != NULL && i < r.threads; i++) {
        mondrian_cutter_free(r.workers[i].cutter);
        mgl_free(r.workers[i].now.regions);
        mgl_free(r.workers[i].next.regions);
    }
    mgl_free(r.workers);
    mgl_free(r.now.regions);
    return status;
}

static void regions_free(mgl_mondrian_regions *regions)
{
    if (regions == NULL)
        return;
    mgl_owned_free(&regions->own);
    mgl_free(regions);
}

/* Cuts while regions hold that have at least `need` rows. Free with regions_free. */
static mgl_status regions_new(const mgl_mondrian_space *space, uint64_t need, mgl_error *err,
                              mgl_mondrian_regions **out)
{
    mgl_mondrian_regions *p;
    MGL_TRY(mgl_new_zeroed(1, sizeof *p, err, &p));
    p->space = space;
    p->need = need;
    p->order = mgl_own_array(&p->own, space->n, sizeof *p->order);
    p->other = mgl_own_array(&p->own, space->n, sizeof *p->other);
    p->keys = mgl_own_array(&p->own, space->n, sizeof *p->keys);
    p->begins = mgl_own_zeroed(&p->own, space->n, 1);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&p->own, err));
    for (size_t t = 0; t < space->n; t++)
        p->order[t] = (uint32_t)t;
    MGL_GO(cut_in_rounds(p, err));
    *out = p;
    p = NULL;
done:
    regions_free(p);
    return status;
}

typedef struct recoder {
    const mgl_mondrian_regions *regions;
    mgl_recoding *recoding;
    mgl_status *status; /* [m] */
} recoder;

/* What a region is released as in one column. */
static mgl_status find_cell(const recoder *r, size_t a, uint32_t first, uint32_t last,
                            uint32_t *cell)
{
    const mgl_mondrian_column *c = &r->regions->space->columns[a];
    uint32_t leaf = c->leaf_of_unit[first];
    if (c->scale == NULL) {
        *cell = c->released->of_leaf[mondrian_level(c, first, last)][leaf];
        return MGL_OK;
    }
    mgl_released_column *made = r->recoding->own[a];
    if (last == c->missing) {
        *cell = first == last ? made->of_leaf[0][leaf] : made->top;
        return MGL_OK;
    }
    return mgl_made_range(made, c->scale->place_of[leaf], c->scale->place_of[c->leaf_of_unit[last]],
                          NULL, cell);
}

static void recode_column(void *context, size_t a, unsigned worker)
{
    (void)worker;
    recoder *r = context;
    const mgl_mondrian_regions *p = r->regions;
    const mgl_mondrian_space *s = p->space;
    for (size_t begin = 0, end; begin < s->n && r->status[a] == MGL_OK; begin = end) {
        uint32_t first = UINT32_MAX, last = 0, cell = 0;
        for (end = begin; end < s->n && (end == begin || !p->begins[end]); end++) {
            uint32_t unit = s->units[p->order[end] * s->m + a];
            first = unit < first ? unit : first;
            last = unit > last ? unit : last;
        }
        r->status[a] = find_cell(r, a, first, last, &cell);
        for (size_t i = begin; i < end; i++)
            r->recoding->cells[a][p->order[i]] = cell;
    }
}

/* Columns for ranges, without any yet. */
static mgl_status make_columns(const mgl_mondrian_space *s, mgl_error *err,
                               mgl_released_column **own)
{
    for (size_t a = 0; a < s->m; a++) {
        const mgl_mondrian_column *c = &s->columns[a];
        mgl_scale *scale;
        if (c->scale == NULL)
            continue;
        MGL_TRY(mgl_scale_new(c->hierarchy, err, &scale));
        double least = scale->of_leaf[scale->ordered[0]];
        double most = scale->of_leaf[scale->ordered[scale->n_ordered - 1]];
        MGL_TRY(mgl_made_column_new(c->hierarchy, scale, least, most, err, &own[a]));
    }
    return MGL_OK;
}

/* An empty one, which takes the columns over. */
static mgl_status make_recoding(const mgl_mondrian_space *s, mgl_error *err, mgl_recoding **out)
{
    mgl_released_column **own;
    MGL_TRY(mgl_new_zeroed(s->m, sizeof *own, err, &own));
    mgl_status status = make_columns(s, err, own);
    if (status == MGL_OK)
        status = mgl_recoding_with(s->problem->columns, own, s->m, s->n, err, out);
    else
        for (size_t a = 0; a < s->m; a++)
            mgl_released_column_free(own[a]);
    mgl_free(own);
    return status;
}

static mgl_status recode(const mgl_mondrian_regions *regions, mgl_error *err, mgl_recoding **out)
{
    const mgl_mondrian_space *s = regions->space;
    recoder r = {.regions = regions};
    r.status = mgl_zeroed_array(s->m, sizeof *r.status);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(r.status != NULL, err));
    MGL_GO(make_recoding(s, err, &r.recoding));
    mgl_pool_run(s->problem->pool, s->m, recode_column, &r);
    for (size_t a = 0; a < s->m; a++)
        if (r.status[a] != MGL_OK)
            MGL_GO(mgl_fail_memory(err));
    *out = r.recoding;
    r.recoding = NULL;
done:
    mgl_free(r.status);
    mgl_recoding_free(r.recoding);
    return status;
}

/* Halves of a relaxed cut overlap, and classes that read alike are one. Models that hold for two
 * classes hold for both together, but for some of them not if persons are in both. */
static mgl_status refuse_overlaps(const mgl_problem *p, mgl_error *err)
{
    for (size_t i = 0; i < p->sets[0].n_models; i++) {
        const mgl_model_type *type = p->sets[0].models[i].type;
        if (mgl_mondrian_is_relaxed(p) && p->list->persons != NULL &&
            type->scope == MGL_SCOPE_CLASS && !type->upward_closed)
            return mgl_fail_key(
                err, MGL_CODE_CONFLICT, "cut",
                "`cut: relaxed`: regions may read alike, and then %s need not hold for "
                "persons that are in several of them (`entity`); use `cut: strict`",
                type->name);
    }
    return MGL_OK;
}

/* Without a limit of its own the method may suppress nothing. */
static mgl_status cut_table(const mgl_mondrian_space *s, uint64_t need, mgl_error *err,
                            mgl_solution *out)
{
    mgl_problem limited = *s->problem;
    mgl_mondrian_regions *regions = NULL;
    mgl_recoding *recoding;
    limited.limited = true;
    MGL_TRY(regions_new(s, need, err, &regions));
    mgl_status status = recode(regions, err, &recoding);
    out->timed_out = regions->timed_out;
    regions_free(regions);
    return status == MGL_OK ? mgl_solution_take_partition(out, &limited, recoding, err) : status;
}

/* Models of the whole table are not looked at while regions are cut; if one does not hold, larger
 * regions may help. */
static mgl_status search(const mgl_mondrian_space *s, mgl_error *err, mgl_solution *out)
{
    uint64_t need = mgl_demand_size(s->problem);
    mgl_status status = cut_table(s, need, err, out);
    while (status == MGL_UNMET && mgl_judges_table(s->problem) &&
           need <= s->problem->list->n_rows && !out->timed_out) {
        mgl_recoding_free(out->recoding);
        out->recoding = NULL;
        need += need / 2 + 1;
        status = cut_table(s, need, err, out);
    }
    if (status == MGL_UNMET && s->problem->treatment == MGL_EXEMPT) {
        mgl_problem limited = *s->problem;
        limited.limited = true;
        status = mgl_solution_take_widest(out, &limited, err);
    }
    return status;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    if (problem->n_sets > 1)
        return mgl_sets_run(&mgl_mondrian, problem, err, out);
    mgl_mondrian_space *space;
    MGL_TRY(refuse_overlaps(problem, err));
    MGL_TRY(mondrian_space_new(problem, err, &space));
    mgl_status status = search(space, err, out);
    mondrian_space_free(space);
    return status == MGL_UNMET ? mgl_fail_no_release(problem, mgl_mondrian.name, err) : status;
}

static const char *const cuts[] = {
    [MGL_CUT_STRICT] = "strict", [MGL_CUT_RELAXED] = "relaxed", NULL};

static const mgl_method_option options[] = {
    {.name = "cut",
     .fallback = "strict",
     .help = "mondrian: equal values stay together, or halves are as equal as can be",
     .parser = {.kind = MGL_PARSE_WORD, .words = cuts},
     .place = offsetof(mgl_mondrian_options, cut)},
};

const mgl_method_type mgl_mondrian = {
    .name = "mondrian",
    .help = "cuts the table in its widest column, again and again, as long as all models hold; "
            "numbers and dates without a hierarchy become ranges",
    .when = "numbers should stay as narrow as their neighbours allow, or tables are very large",
    .cost = "a few passes over the distinct tuples per halving of the classes",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .options_size = sizeof(mgl_mondrian_options),
    .full_domain = false,
    .several_sets = true,
    .own_values = true,
    .run = run,
};
