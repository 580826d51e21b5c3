/* Microaggregation: groups rows with near numbers and releases their averages. A row of the table
 * of methods. */
#include "search/cluster/microaggregate/microaggregate.h"
#include "search/cluster/microaggregate/points.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

typedef struct microaggregation {
    const mgl_micro_space *space;
    mgl_micro_judge *judge;
    mgl_micro_groups groups;
    uint32_t *tuples; /* [n] */
    bool late;
} microaggregation;

static mgl_status group_tuples(microaggregation *x, size_t n, mgl_error *err)
{
    return x->space->m == 1
               ? mgl_micro_line(x->space, x->judge, x->tuples, n, &x->groups, err, &x->late)
               : mgl_micro_mdav(x->space, x->judge, x->tuples, n, &x->groups, err, &x->late);
}

/* Tuples that miss the same cells are grouped among themselves. */
static mgl_status group_kinds(microaggregation *x, mgl_error *err)
{
    const mgl_micro_space *s = x->space;
    for (size_t kind = 0; kind < s->n_kinds; kind++) {
        size_t n = 0;
        for (size_t t = 0; t < s->n; t++)
            if (s->kind_of[t] == kind)
                x->tuples[n++] = (uint32_t)t;
        MGL_TRY(group_tuples(x, n, err));
    }
    return MGL_OK;
}

/* Those of which there are too few are grouped with each other. */
static mgl_status group_others(microaggregation *x, mgl_error *err)
{
    size_t n = 0;
    for (size_t t = 0; t < x->space->n; t++)
        if (x->groups.group_of[t] == MGL_NOT_FOUND)
            x->tuples[n++] = (uint32_t)t;
    return n > 0 && x->space->n_kinds > 1 ? group_tuples(x, n, err) : MGL_OK;
}

static mgl_status check_whole(const microaggregation *x, mgl_error *err)
{
    if (x->groups.n_placed == x->space->n)
        return MGL_OK;
    return mgl_fail(err, MGL_CODE_NO_RELEASE,
                    "not even all rows as one group hold the models; ask for less (`check` "
                    "tells what a table holds)");
}

/* Groups that happen to read alike are one class. Where persons have several rows that can break
 * a model which each of them holds. */
static mgl_status check_limit(const mgl_problem *p, const mgl_solution *solution, mgl_error *err)
{
    if (solution->suppressed_rows <= p->limit)
        return MGL_OK;
    return mgl_blame_key(
        err,
        mgl_fail(err, MGL_CODE_NO_RELEASE,
                 "groups that read alike do not hold the models together, and %llu rows would "
                 "be suppressed; allow it with `suppress`, or take `replace: range`",
                 (unsigned long long)solution->suppressed_rows),
        "suppress");
}

static mgl_status recode(const microaggregation *x, mgl_error *err, mgl_solution *out)
{
    mgl_status status = mgl_micro_recode(x->space, &x->groups, out, err);
    if (status == MGL_UNMET)
        return mgl_fail_no_release(x->space->problem, mgl_microaggregate.name, err);
    MGL_TRY(status);
    return check_limit(x->space->problem, out, err);
}

/* Groups in which each column has missing cells beside others read as the top, and are exempt. If
 * they are more than may be, all rows are one group. */
static mgl_status recode_as_one(microaggregation *x, mgl_error *err, mgl_solution *out)
{
    memset(x->groups.group_of, 0, x->space->n * sizeof *x->groups.group_of);
    x->groups.n = 1;
    mgl_recoding_free(out->recoding);
    out->recoding = NULL;
    return recode(x, err, out);
}

static mgl_status aggregate(microaggregation *x, mgl_error *err, mgl_solution *out)
{
    size_t n = x->space->n;
    x->tuples = mgl_alloc_array(n, sizeof *x->tuples);
    x->groups.group_of = mgl_alloc_array(n, sizeof *x->groups.group_of);
    if (x->tuples == NULL || x->groups.group_of == NULL)
        return mgl_fail_memory(err);
    memset(x->groups.group_of, 0xFF, n * sizeof *x->groups.group_of);
    MGL_TRY(mgl_micro_judge_new(x->space, err, &x->judge));
    MGL_TRY(group_kinds(x, err));
    MGL_TRY(group_others(x, err));
    MGL_TRY(mgl_micro_settle(x->space, x->judge, &x->groups, err));
    MGL_TRY(check_whole(x, err));
    out->timed_out = x->late;
    out->nodes_total = 0; /* no lattice is searched */
    mgl_status status = recode(x, err, out);
    if (status == MGL_UNMET && x->space->problem->treatment == MGL_EXEMPT && x->groups.n > 1)
        status = recode_as_one(x, err, out);
    return status;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    if (problem->n_sets > 1)
        return mgl_sets_run(&mgl_microaggregate, problem, err, out);
    mgl_micro_space *space;
    MGL_TRY(mgl_micro_space_new(problem, err, &space));
    microaggregation x = {.space = space};
    mgl_status status = aggregate(&x, err, out);
    mgl_micro_judge_free(x.judge);
    mgl_free(x.tuples);
    mgl_free(x.groups.group_of);
    mgl_micro_space_free(space);
    return status;
}

/* ---- What is told about it --------------------------------------------------------------------
 */

json_t *mgl_aggregation_json(const mgl_aggregation *aggregation)
{
    double share = aggregation->sst > 0 ? aggregation->sse / aggregation->sst : 0;
    json_t *object = json_object();
    mgl_json_set(object, "groups", mgl_json_count(aggregation->groups));
    mgl_json_set(object, "sse", mgl_json_real(aggregation->sse));
    mgl_json_set(object, "sst", mgl_json_real(aggregation->sst));
    mgl_json_set(object, "sse_share", mgl_json_real(share));
    mgl_json_set(object, "il1s", mgl_json_real(aggregation->il1s));
    return object;
}

static void tell(const void *findings, json_t *document)
{
    mgl_json_set(document, "microaggregation", mgl_aggregation_json(findings));
}

static const char *const replacements[] = {[MGL_REPLACE_MEAN] = "mean",
                                           [MGL_REPLACE_MEDIAN] = "median",
                                           [MGL_REPLACE_RANGE] = "range",
                                           NULL};

static const mgl_method_option options[] = {
    {.name = "replace",
     .fallback = "mean",
     .help = "microaggregate: what stands for the numbers of a group",
     .form = {.kind = MGL_FORM_WORD, .words = replacements},
     .place = offsetof(mgl_micro_options, replace)},
};

const mgl_method_type mgl_microaggregate = {
    .name = "microaggregate",
    .help = "groups of rows with near numbers, released as their mean, median or range",
    .when = "all quasi-identifier columns are numbers or dates, and statistics matter more than "
            "single values",
    .cost = "about rows^2 * columns / k at worst, less where columns are few; one column: rows * k",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .options_size = sizeof(mgl_micro_options),
    .several_sets = true,
    .own_values = true,
    .averages = true,
    .run = run,
    .tell = tell,
};
