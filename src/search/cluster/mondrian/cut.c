/* Makes one cut of one region: which column, and where, by numbers or by the values of a hierarchy.
 */
#include "search/cluster/mondrian/cutting.h"
#include "search/node/node.h"

#include <stdlib.h>

/* ---- Cuts by values -------------------------------------------------------------------------- */

/* Makes groups of the tuples of a region, and cuts by the values of a hierarchy. */

/* Do all class-wise models hold for these tuples? */
static bool mondrian_holds(mgl_mondrian_cutter *c, const uint32_t *tuples, size_t n, uint64_t rows)
{
    if (rows < c->regions->need)
        return false;
    if (c->maker == NULL)
        return true;
    const mgl_quasi_set *set = &c->regions->space->problem->sets[0];
    const mgl_group *group = mgl_group_maker_gather(c->maker, tuples, n);
    if (group->size < c->regions->need)
        return false;
    for (size_t i = 0; i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_CLASS &&
            !mgl_model_holds(&set->models[i], group))
            return false;
    return true;
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

/* ---- By the values of a hierarchy --------------------------------------------------------- */

static int compare_rows(const mgl_mondrian_group *x, const mgl_mondrian_group *y)
{
    if (x->rows != y->rows)
        return x->rows > y->rows ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

/* Those that hold come first, the largest of them first. */
static int compare_largest_first(const void *p, const void *q)
{
    const mgl_mondrian_group *x = p, *y = q;
    return x->holds != y->holds ? (int)y->holds - (int)x->holds : compare_rows(x, y);
}

/* Those that hold come first, the largest of them last. */
static int compare_largest_last(const void *p, const void *q)
{
    const mgl_mondrian_group *x = p, *y = q;
    return x->holds != y->holds ? (int)y->holds - (int)x->holds : -compare_rows(x, y);
}

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
    qsort(c->groups, c->n_groups, sizeof *c->groups, compare_largest_first);
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
    qsort(c->groups, c->n_groups, sizeof *c->groups, compare_largest_last);
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

/* ---- Choosing a cut -------------------------------------------------------------------------- */

enum { MOST_BITS = 11 }; /* bins of finding the median, as a power of 2 */

mgl_status mgl_mondrian_cutter_new(mgl_mondrian_regions *regions, mgl_error *err,
                                   mgl_mondrian_cutter **out)
{
    const mgl_mondrian_space *s = regions->space;
    mgl_mondrian_cutter *c = mgl_zeroed_array(1, sizeof *c);
    if (c == NULL)
        return mgl_fail_memory(err);
    c->regions = regions;
    c->first = mgl_alloc_array(s->m, sizeof *c->first);
    c->last = mgl_alloc_array(s->m, sizeof *c->last);
    c->width = mgl_alloc_array(s->m, sizeof *c->width);
    c->group_of_key = mgl_alloc_array(s->n_keys, sizeof *c->group_of_key);
    c->groups = mgl_alloc_array(s->n_keys, sizeof *c->groups);
    c->bins = mgl_alloc_array((size_t)1 << MOST_BITS, sizeof *c->bins);
    mgl_status status = MGL_OK;
    if (c->first == NULL || c->last == NULL || c->width == NULL || c->group_of_key == NULL ||
        c->groups == NULL || c->bins == NULL)
        status = mgl_fail_memory(err);
    if (status == MGL_OK && s->judged)
        status = mgl_group_maker_new(s->problem->list, err, &c->maker);
    if (status != MGL_OK) {
        mgl_mondrian_cutter_free(c);
        return status;
    }
    memset(c->group_of_key, 0xFF, s->n_keys * sizeof *c->group_of_key);
    *out = c;
    return MGL_OK;
}

void mgl_mondrian_cutter_free(mgl_mondrian_cutter *c)
{
    if (c == NULL)
        return;
    mgl_group_maker_free(c->maker);
    mgl_free(c->first);
    mgl_free(c->last);
    mgl_free(c->width);
    mgl_free(c->group_of_key);
    mgl_free(c->groups);
    mgl_free(c->bins);
    mgl_free(c);
}

/* ---- The region --------------------------------------------------------------------------- */

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
        c->width[a] =
            first[a] < last[a] ? mgl_mondrian_width(&s->columns[a], first[a], last[a]) : -1;
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

/* ---- Numbers and dates -------------------------------------------------------------------- */

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

/* ---- All columns ----------------------------------------------------------------------------- */

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
    take_keys(c, run, a, mgl_mondrian_level(column, c->first[a], c->last[a]) - 1);
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

bool mgl_mondrian_cut(mgl_mondrian_cutter *c, uint32_t begin, uint32_t end)
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

void mgl_mondrian_divide(mgl_mondrian_cutter *c, uint32_t begin, uint32_t end, size_t a,
                         uint32_t level)
{
    mgl_mondrian_run run = run_of(c, begin, end);
    take_keys(c, &run, a, level);
    gather(c, &run);
    arrange(c, &run);
    forget(c);
    take_groups(c, &run);
}
