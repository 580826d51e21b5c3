/* Lists the combinations of columns that are looked at: sizes, the published ones, or all.
 * mu_argus.c calls it first. */
#include "search/argus/units.h"

#include <stdlib.h>

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
static size_t count_sets(size_t m, size_t size)
{
    size_t n = 1;
    size = size < m - size ? size : m - size;
    for (size_t i = 0; i < size && n <= MOST_SETS; i++)
        n = n * (m - i) / (i + 1);
    return n;
}

/* The next larger number with as many bits. */
static uint64_t next_set(uint64_t set)
{
    uint64_t lowest = set & (0 - set), carried = set + lowest;
    return carried | ((set ^ carried) / lowest >> 2);
}

static mgl_status refuse(mgl_error *err, bool all, size_t m)
{
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_LIMIT,
                 "`combinations`: %zu columns have more than %d combinations%s; give sizes such "
                 "as 2,3, name fewer quasi-identifiers, or use `method: local-suppression`",
                 m, MOST_SETS, all ? "" : " of these sizes"),
        "combinations");
}

/* All sets of one size, or the published ones of them; in ascending order. */
static void add_sets(mgl_argus_family *family, const levels *l, size_t m, size_t size, bool whole)
{
    size_t n = count_sets(m, size);
    uint64_t set = (UINT64_C(1) << size) - 1;
    for (size_t i = 0; i < n; i++) {
        if (whole || is_published(l, set))
            family->sets[family->n++] = set;
        set = next_set(set);
    }
}

static mgl_status make_sets(const mgl_argus_options *options, uint64_t sizes, size_t m,
                            mgl_error *err, mgl_argus_family *out)
{
    levels l = find_levels(options->identification, m);
    uint64_t looked_at = sizes | (options->combinations.published ? 1U << 2 | 1U << 3 : 0);
    size_t most = 0;
    for (size_t size = 1; size <= m && size < 64; size++)
        if ((looked_at >> size & 1) != 0 && (most += count_sets(m, size)) > MOST_SETS)
            return refuse(err, false, m);
    out->sets = mgl_alloc_array(most, sizeof *out->sets);
    if (out->sets == NULL)
        return mgl_fail_memory(err);
    for (size_t size = 1; size <= m && size < 64; size++)
        if ((looked_at >> size & 1) != 0)
            add_sets(out, &l, m, size, (sizes >> size & 1) != 0);
    return MGL_OK;
}

uint64_t mgl_argus_columns(const mgl_quasi_set *set)
{
    uint64_t columns = 0;
    for (size_t i = 0; i < set->n_attributes; i++)
        columns |= UINT64_C(1) << set->attributes[i];
    return columns;
}

/* ---- Several quasi-identifiers ------------------------------------------------------- */

/* Others than those within one of them are nobody's concern. */
static void keep_within(const mgl_problem *p, mgl_argus_family *family)
{
    size_t kept = 0;
    for (size_t i = 0; i < family->n; i++) {
        bool within = false;
        for (size_t q = 0; q < p->n_sets; q++)
            within = within || (family->sets[i] & ~mgl_argus_columns(&p->sets[q])) == 0;
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
        uint64_t columns = mgl_argus_columns(&p->sets[q]) & live;
        if (size_of(columns) > MGL_ARGUS_MOST_LIVE && !whole)
            return refuse(err, true, size_of(columns));
        most += whole ? 1 : (size_t)1 << size_of(columns);
    }
    out->sets = mgl_alloc_array(most, sizeof *out->sets);
    if (out->sets == NULL)
        return mgl_fail_memory(err);
    for (size_t q = 0; q < p->n_sets; q++) {
        uint64_t columns = mgl_argus_columns(&p->sets[q]) & live;
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
