/* Local suppression: the fewest or least important cells are suppressed. */
#include "search/local.h"

#include "search/methods.h"

/* The columns of each combination; sets is the caller's (mgl_free). */
static mgl_status make_sets(size_t n_columns, size_t m, mgl_error *err, uint32_t **sets, size_t *n)
{
    *n = 0;
    *sets = mgl_alloc_array(MGL_LOCAL_MOST_SETS, sizeof **sets);
    if (*sets == NULL)
        return mgl_fail_memory(err);
    uint64_t end = UINT64_C(1) << m;
    for (uint64_t set = (UINT64_C(1) << n_columns) - 1; set < end;) {
        if (*n == MGL_LOCAL_MOST_SETS)
            return mgl_fail(err, MGL_USAGE,
                            "--combinations: more than %d combinations of %zu of the %zu "
                            "quasi-identifier columns; give smaller ones, or all",
                            MGL_LOCAL_MOST_SETS, n_columns, m);
        (*sets)[(*n)++] = (uint32_t)set;
        /* The next number with as many bits. */
        uint64_t low = set & -set, carried = set + low;
        set = carried | ((carried ^ set) >> 2) / low;
    }
    return MGL_OK;
}

/* Rows that match, or are equal, on more columns do so on fewer: the largest combinations say it
 * all. */
static mgl_counting counting(const mgl_choices *choices, size_t n_attributes)
{
    uint32_t columns = (uint32_t)n_attributes;
    if (!choices->combinations.all && choices->combinations.sizes != 0)
        columns = 63 - (uint32_t)__builtin_clzll(choices->combinations.sizes);
    return (mgl_counting){.tops_match = choices->missing_matches_all,
                          .columns = columns < n_attributes ? columns : 0};
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    size_t m = problem->list->n_attributes, n = 0;
    mgl_counting c = counting(&problem->choices, m);
    uint32_t *sets = NULL;
    if (!c.tops_match)
        return mgl_local_itself(problem, err, out);
    mgl_status status = make_sets(c.columns > 0 ? c.columns : m, m, err, &sets, &n);
    if (status == MGL_OK)
        status = mgl_local_all(problem, sets, n, err, out);
    mgl_free(sets);
    return status;
}

const mgl_method_type mgl_local_suppression = {
    .name = "local-suppression",
    .help = "single cells are suppressed, the fewest or least important ones",
    .when = "values should stay as they are, and only rare combinations lose cells",
    .cost = "under a tenth of a second for small tables, about a second for a million rows",
    .options = "importance combinations missing-matches effort",
    .full_domain = false,
    .several_sets = false,
    .counting = counting,
    .run = run,
};
