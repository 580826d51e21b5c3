/* Runs a method on each stratum as a problem of its own. run_mixed.c calls it where columns tell
 * strata apart. */
#include "search/strata/put_together.h"
#include "search/strata/slice.h"

#include <math.h>

enum { MOST_BYTES = 5000 }; /* of the names of strata in a message, which has room for some more */

enum { AT_ONCE = 256 }; /* strata whose recodings are there at the same time */

/* What is known of a stratum while they are searched. */
typedef struct attempt {
    mgl_status status;
    mgl_error err;
} attempt;

typedef struct searching {
    mgl_run_fn *run;
    const mgl_method_type *method;
    const mgl_problem *problem;
    mgl_strata *strata;
    attempt **attempts; /* [n] of those that failed; else NULL */
    size_t *items;      /* [n] strata that are searched side by side */
    size_t n_items;
    mgl_joining *joining;
    bool failed; /* some stratum cannot be released */
    bool memory_is_out;
} searching;

/* ---- Strata -----------------------------------------------------------------------------------
 */

static bool same_stratum(const mgl_frequency_list *list, size_t n_held, size_t x, size_t y)
{
    for (size_t a = 0; a < n_held; a++)
        if (mgl_list_leaf(list, x, a) != mgl_list_leaf(list, y, a))
            return false;
    return true;
}

size_t mgl_stratum_end(const mgl_frequency_list *list, size_t n_held, size_t first)
{
    size_t end = first;
    while (end < list->n_tuples && same_stratum(list, n_held, first, end))
        end++;
    return end;
}

void mgl_stratum_name(const mgl_problem *problem, size_t n_held, size_t tuple, mgl_buffer *out)
{
    for (size_t a = 0; a < n_held; a++) {
        const mgl_level *ground = &problem->list->hierarchies[a]->levels[0];
        uint32_t value = ground->of_leaf[mgl_list_leaf(problem->list, tuple, a)];
        char shown[MGL_SHOWN];
        mgl_buffer_format(out, "%s%.60s \"%s\"", a > 0 ? ", " : "",
                          problem->names != NULL ? problem->names[a] : "column",
                          mgl_shown(ground->labels[value], shown));
    }
}

static mgl_status find_strata(const mgl_problem *p, size_t n_held, mgl_error *err, mgl_strata **out)
{
    mgl_strata *strata = mgl_zeroed_array(1, sizeof *strata);
    size_t room = 0;
    mgl_status status = MGL_OK;
    if (strata == NULL)
        return mgl_fail_memory(err);
    strata->n_held = n_held;
    for (size_t first = 0; first < p->list->n_tuples;) {
        size_t end = mgl_stratum_end(p->list, n_held, first);
        if (!mgl_grow(&strata->of, &room, strata->n + 1, sizeof *strata->of))
            MGL_GO(mgl_fail_memory(err));
        mgl_stratum stratum = {.first = first, .n_tuples = end - first, .value = NAN};
        for (size_t t = first; t < end; t++)
            stratum.n_rows += p->list->counts[t];
        strata->of[strata->n++] = stratum;
        first = end;
    }
    *out = strata;
    strata = NULL;
done:
    mgl_strata_free(strata);
    return status;
}

/* ---- One stratum ------------------------------------------------------------------------------
 */

static void take_class(void *context, uint64_t size, uint64_t members, uint64_t times)
{
    mgl_stratum *stratum = context;
    (void)members;
    stratum->smallest =
        stratum->n_classes == 0 || size < stratum->smallest ? size : stratum->smallest;
    stratum->n_classes += times;
}

/* Suppressed rows that are not kept are in no class. */
static mgl_status count_classes(const mgl_problem *p, mgl_stratum *stratum, mgl_error *err)
{
    const mgl_recoding *recoding = stratum->solution->recoding;
    const mgl_classes *classes = stratum->solution->classes;
    if (p->counting.tops_match)
        return mgl_match_each(p, recoding, take_class, stratum, err);
    uint32_t *of_tuple = mgl_alloc_array(p->list->n_tuples, sizeof *of_tuple);
    mgl_group_maker *maker = NULL;
    mgl_status status = MGL_OK;
    if (of_tuple == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t t = 0; t < p->list->n_tuples; t++)
        of_tuple[t] = recoding->suppressed[t] && p->treatment != MGL_KEEP ? MGL_NOT_FOUND
                                                                          : classes->of_tuple[t];
    MGL_GO(mgl_group_maker_new(p->list, err, &maker));
    mgl_group_maker_partition(maker, of_tuple, classes->n_classes);
    for (size_t c = 0; c < classes->n_classes; c++) {
        uint64_t size = mgl_group_maker_group(maker, c)->size;
        if (size > 0)
            take_class(stratum, size, size, 1);
    }
done:
    mgl_group_maker_free(maker);
    mgl_free(of_tuple);
    return status;
}

/* What the measure of the job says of the stratum. */
static mgl_status measure(const mgl_problem *p, mgl_stratum *stratum, mgl_error *err)
{
    const mgl_solution *solution = stratum->solution;
    const mgl_recoding *recoding = solution->recoding;
    size_t m = p->list->n_attributes;
    mgl_cell_costs *own = NULL;
    mgl_statistics s = {0};
    uint32_t *heights = mgl_alloc_array(m, sizeof *heights);
    mgl_released_tuples tuples = {.n_attributes = m,
                                  .n_tuples = p->list->n_tuples,
                                  .cells = recoding->cells,
                                  .first = solution->classes->first,
                                  .class_of = solution->classes->of_tuple,
                                  .class_sizes = solution->classes->sizes,
                                  .n_classes = solution->classes->n_classes};
    mgl_status status = MGL_OK;
    if (heights == NULL)
        MGL_GO(mgl_fail_memory(err));
    if (recoding->own != NULL)
        MGL_GO(mgl_cell_costs_new(p->list, recoding->columns, p->pool, err, &own));
    for (size_t a = 0; a < m; a++)
        heights[a] = recoding->columns[a]->hierarchy->height;
    MGL_GO(mgl_statistics_init(&s, recoding->columns, m, err));
    mgl_statistics_gather(&s, own != NULL ? own : p->costs, recoding->columns, p->list->n_rows,
                          &tuples, NULL);
    s.node = solution->node;
    s.heights = heights;
    s.weights = p->weights;
    s.k = p->no_k ? 0 : (double)p->k;
    if (p->label != NULL)
        MGL_GO(mgl_statistics_label(&s, p->label, recoding->columns, &tuples, err));
    stratum->value = p->measure->value(&s);
done:
    mgl_statistics_free(&s);
    mgl_cell_costs_free(own);
    mgl_free(heights);
    return status;
}

/* Each stratum has its share of the time, by its rows. */
static double deadline_of(const searching *x, const mgl_stratum *stratum, unsigned at_once)
{
    const mgl_problem *p = x->problem;
    uint64_t left = 0;
    if (p->deadline <= 0)
        return 0;
    for (const mgl_stratum *other = stratum; other < x->strata->of + x->strata->n; other++)
        left += other->n_rows;
    double now = mgl_sys_seconds(), time = p->deadline > now ? p->deadline - now : 0;
    double share = (double)stratum->n_rows * at_once / (double)left;
    return now + time * (share < 1 ? share : 1);
}

static mgl_status refuse_empty(const mgl_problem *p, const mgl_solution *solution, mgl_error *err)
{
    if (p->treatment != MGL_DROP || solution->suppressed_rows < p->list->n_rows)
        return MGL_OK;
    return mgl_blame_key(err,
                         mgl_fail(err, MGL_CODE_EMPTY_RELEASE,
                                  "every row would be dropped; allow fewer suppressed rows or keep "
                                  "them with `suppressed: keep`"),
                         "suppressed");
}

static mgl_status search(const searching *x, mgl_stratum *stratum, mgl_pool *pool, unsigned at_once,
                         mgl_error *err)
{
    mgl_slice slice = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_slice_make(x->problem, x->strata->n_held, stratum->first,
                          stratum->first + stratum->n_tuples, err, &slice));
    MGL_GO(mgl_slice_possible(&slice, err));
    mgl_progress quiet = {0};
    if (x->problem->progress != NULL)
        quiet.stop = x->problem->progress->stop;
    slice.problem.progress = &quiet;
    slice.problem.pool = pool;
    slice.problem.deadline = deadline_of(x, stratum, at_once);
    MGL_GO(x->run(x->method, &slice.problem, err, &stratum->solution));
    MGL_GO(refuse_empty(&slice.problem, stratum->solution, err));
    MGL_GO(mgl_solution_group(stratum->solution, &slice.problem, err));
    MGL_GO(count_classes(&slice.problem, stratum, err));
    MGL_GO(measure(&slice.problem, stratum, err));
done:
    mgl_slice_free(&slice);
    return status;
}

/* ---- All of them ------------------------------------------------------------------------------
 */

static void try_stratum(searching *x, size_t i, mgl_pool *pool, unsigned at_once)
{
    mgl_error err = {0};
    mgl_status status = search(x, &x->strata->of[i], pool, at_once, &err);
    if (status == MGL_OK)
        return;
    x->attempts[i] = mgl_zeroed_array(1, sizeof **x->attempts);
    if (x->attempts[i] == NULL)
        x->memory_is_out = true;
    else
        *x->attempts[i] = (attempt){status, err};
}

static void try_item(void *context, size_t item, unsigned worker)
{
    searching *x = context;
    (void)worker;
    try_stratum(x, x->items[item], NULL, mgl_pool_threads(x->problem->pool));
}

/* Large strata have all threads, one after the other; the others share them, a thread each. What is
 * found does not depend on threads. */
static mgl_status try_some(searching *x, size_t first, size_t end, mgl_error *err)
{
    const mgl_problem *p = x->problem;
    unsigned threads = mgl_pool_threads(p->pool);
    x->n_items = 0;
    for (size_t i = first; i < end; i++) {
        bool large = 2 * (uint64_t)threads * x->strata->of[i].n_tuples > p->list->n_tuples;
        if (!large) {
            x->items[x->n_items++] = i;
            continue;
        }
        MGL_TRY(mgl_progress_report(p->progress, "search", i, x->strata->n, err));
        try_stratum(x, i, p->pool, 1);
    }
    MGL_TRY(mgl_progress_report(p->progress, "search", first, x->strata->n, err));
    mgl_pool_run(p->pool, x->n_items, try_item, x);
    if (mgl_progress_stopped(p->progress))
        return mgl_fail_cancelled(err);
    return x->memory_is_out ? mgl_fail_memory(err) : MGL_OK;
}

/* Where there will be no release, what was found is of no use. */
static mgl_status settle(const searching *x, mgl_stratum *stratum, mgl_error *err)
{
    if (!x->failed)
        return mgl_joining_add(x->joining, stratum, err);
    mgl_solution_free(stratum->solution);
    stratum->solution = NULL;
    return MGL_OK;
}

/* Some strata at a time, so that the recodings of few are there at once. */
static mgl_status try_all(searching *x, mgl_error *err)
{
    for (size_t first = 0, end; first < x->strata->n; first = end) {
        end = x->strata->n - first < AT_ONCE ? x->strata->n : first + AT_ONCE;
        MGL_TRY(try_some(x, first, end, err));
        for (size_t i = first; i < end; i++)
            x->failed = x->failed || x->attempts[i] != NULL;
        for (size_t i = first; i < end; i++)
            MGL_TRY(settle(x, &x->strata->of[i], err));
    }
    return MGL_OK;
}

/* What is not for the stratum to blame ends the search. */
static const attempt *find_other_failure(const searching *x)
{
    for (size_t i = 0; i < x->strata->n; i++)
        if (x->attempts[i] != NULL && (x->attempts[i]->status != MGL_UNMET ||
                                       x->attempts[i]->err.code == MGL_CODE_TIME_LIMIT))
            return x->attempts[i];
    return NULL;
}

/* Names all strata that cannot be released, each with its rows. */
static mgl_status fail_strata(const searching *x, size_t n_failed, mgl_error *err)
{
    mgl_buffer names = {0};
    const attempt *first = NULL;
    size_t named = 0;
    for (size_t i = 0; i < x->strata->n && names.size < MOST_BYTES; i++) {
        const mgl_stratum *stratum = &x->strata->of[i];
        if (x->attempts[i] == NULL)
            continue;
        first = first != NULL ? first : x->attempts[i];
        mgl_buffer_text(&names, named++ > 0 ? "; " : "");
        mgl_stratum_name(x->problem, x->strata->n_held, stratum->first, &names);
        mgl_buffer_format(&names, " (%llu row%s)", (unsigned long long)stratum->n_rows,
                          stratum->n_rows == 1 ? "" : "s");
    }
    if (n_failed > named)
        mgl_buffer_format(&names, "; and %zu more", n_failed - named);
    mgl_status status =
        names.failed
            ? mgl_fail_memory(err)
            : mgl_fail(err, first->err.code,
                       "%zu of %zu strata cannot be released: %.*s. Of the first: %s. Put them "
                       "together with others, leave them out with `where`, or leave out `by`",
                       n_failed, x->strata->n, (int)names.size, names.data, first->err.message);
    mgl_buffer_free(&names);
    return mgl_blame_key(err, status, "by");
}

static mgl_status look_at_failures(const searching *x, mgl_error *err)
{
    const attempt *other = find_other_failure(x);
    size_t n_failed = 0;
    if (other != NULL)
        return mgl_fail_as(err, &other->err);
    for (size_t i = 0; i < x->strata->n; i++)
        n_failed += x->attempts[i] != NULL;
    return n_failed == 0 ? MGL_OK : fail_strata(x, n_failed, err);
}

static mgl_status search_all(searching *x, mgl_error *err, mgl_solution *out)
{
    size_t n = x->strata->n;
    x->attempts = mgl_zeroed_array(n, sizeof *x->attempts);
    x->items = mgl_alloc_array(n, sizeof *x->items);
    mgl_status status = MGL_OK;
    if (x->attempts == NULL || x->items == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_joining_new(x->problem, x->strata->n_held, err, &x->joining));
    MGL_GO(try_all(x, err));
    MGL_GO(look_at_failures(x, err));
    MGL_GO(mgl_joining_end(x->joining, x->strata, err, out));
done:
    mgl_joining_free(x->joining);
    for (size_t i = 0; x->attempts != NULL && i < n; i++)
        mgl_free(x->attempts[i]);
    mgl_free(x->attempts);
    mgl_free(x->items);
    return status;
}

mgl_status mgl_strata_run(mgl_run_fn *run, const mgl_method_type *method,
                          const mgl_problem *problem, mgl_error *err, mgl_solution **out)
{
    size_t n_held = mgl_held_columns(problem->columns, problem->list->n_attributes);
    mgl_solution *solution = mgl_zeroed_array(1, sizeof *solution);
    searching x = {.run = run, .method = method, .problem = problem};
    mgl_status status = MGL_OK;
    if (solution == NULL)
        return mgl_fail_memory(err);
    solution->method = method;
    MGL_GO(find_strata(problem, n_held, err, &solution->strata));
    x.strata = solution->strata;
    MGL_GO(search_all(&x, err, solution));
    *out = solution;
    solution = NULL;
done:
    mgl_solution_free(solution);
    return status;
}
