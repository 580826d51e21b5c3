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
    bool late;
} microaggregation;

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

/* What is known of all columns, as the method reports it for tables of numbers. */
static mgl_status sum_up(mgl_solution *out, mgl_error *err)
{
    mgl_aggregation *sums = mgl_zeroed_array(1, sizeof *sums);
    if (sums == NULL)
        return mgl_fail_memory(err);
    sums->groups = out->aggregated->groups;
    for (size_t i = 0; i < out->aggregated->n; i++) {
        const mgl_aggregation *column = &out->aggregated->columns[i].sums;
        sums->sse += column->sse;
        sums->sst += column->sst;
        sums->il1s += column->il1s;
    }
    mgl_free(out->findings);
    out->findings = sums;
    return MGL_OK;
}

static mgl_status report_all(const microaggregation *x, const mgl_micro_release *release,
                             mgl_error *err, mgl_solution *out)
{
    mgl_aggregated_free(out->aggregated);
    out->aggregated = NULL;
    MGL_TRY(mgl_micro_report(x->space, &x->groups, release, err, &out->aggregated));
    MGL_TRY(sum_up(out, err));
    out->made = mgl_micro_made(x->space);
    if (x->space->problem->aggregates != NULL)
        return MGL_OK;
    mgl_aggregated_free(out->aggregated); /* no column says how it is aggregated */
    out->aggregated = NULL;
    return MGL_OK;
}

static mgl_status recode(const microaggregation *x, mgl_error *err, mgl_solution *out)
{
    const mgl_problem *p = x->space->problem;
    mgl_micro_release release = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_micro_recode(x->space, &x->groups, NULL, err, &release));
    status = mgl_solution_take_recoding(out, p, release.recoding, err);
    if (status == MGL_UNMET)
        status = mgl_fail_no_release(p, mgl_microaggregate.name, err);
    if (status == MGL_OK)
        status = report_all(x, &release, err, out);
    release.recoding = NULL; /* the solution's */
    MGL_GO(status);
    MGL_GO(check_limit(p, out, err));
done:
    mgl_micro_release_free(&release);
    return status;
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
    x->groups.group_of = mgl_alloc_array(x->space->n, sizeof *x->groups.group_of);
    if (x->groups.group_of == NULL)
        return mgl_fail_memory(err);
    MGL_TRY(mgl_micro_judge_new(x->space, err, &x->judge));
    MGL_TRY(mgl_micro_group(x->space, x->judge, &x->groups, err, &x->late));
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
    mgl_free(x.groups.group_of);
    mgl_micro_space_free(space);
    return status;
}

/* ---- Its findings ---------------------------------------------------------------------------- */

void mgl_aggregation_report(const mgl_aggregation *aggregation, mgl_findings *out)
{
    double share = aggregation->sst > 0 ? aggregation->sse / aggregation->sst : 0;
    mgl_findings_count(out, "groups", aggregation->groups);
    mgl_findings_real(out, "sse", aggregation->sse);
    mgl_findings_real(out, "sst", aggregation->sst);
    mgl_findings_real(out, "sse_share", share);
    mgl_findings_real(out, "il1s", aggregation->il1s);
}

static void report(const void *findings, mgl_findings *out)
{
    mgl_findings_mark(out, MGL_FINDING_GROUP, "microaggregation");
    mgl_aggregation_report(findings, out);
    mgl_findings_mark(out, MGL_FINDING_END, NULL);
}

static const char *const replacements[] = {[MGL_REPLACE_MEAN] = "mean",
                                           [MGL_REPLACE_MEDIAN] = "median",
                                           [MGL_REPLACE_RANGE] = "range",
                                           NULL};

static const mgl_method_option options[] = {
    {.name = "replace",
     .fallback = "mean",
     .help = "microaggregate: what stands for the numbers of a group",
     .parser = {.kind = MGL_PARSE_WORD, .words = replacements},
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
    .report = report,
};
