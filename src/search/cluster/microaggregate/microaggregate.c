/* Microaggregation: groups rows with near numbers and releases their averages. A row of the table
 * of methods. */
#include "search/cluster/microaggregate/microaggregate.h"
#include "search/cluster/microaggregate/points.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

/* Aggregates columns within the classes of the others: each class is cut into groups of near tuples
 * that hold, and a group releases one value per aggregated column. A cut that would break a model
 * is not made, so that a class that cannot be cut stays whole. The public header declares it for
 * run_search.c. */

typedef struct within {
    const mgl_problem *problem;
    const mgl_recoding *beside; /* what the search found for the other columns */
    mgl_micro_space *space;
    mgl_micro_judge *judge;
    mgl_classes classes;     /* of the other columns */
    size_t *start;           /* [n_classes + 1] tuples of class c lie at start[c].. */
    uint32_t *tuples;        /* [n] class by class, in their order */
    mgl_micro_groups groups; /* of all classes */
    mgl_micro_groups some;   /* of one class, by its own numbers */
    bool late;
    mgl_owned own;
} within;

static mgl_status find_classes(within *x, mgl_error *err)
{
    size_t n = x->space->n, m = x->space->m, n_others = 0;
    uint32_t *n_values = mgl_own_array(&x->own, m, sizeof *n_values);
    uint32_t *others = mgl_own_array(&x->own, m, sizeof *others);
    MGL_TRY(mgl_owned_check(&x->own, err));
    for (size_t a = 0; a < m; a++) {
        n_values[a] = x->beside->columns[a]->n_values;
        if (x->space->columns[a].function == MGL_AGGREGATE_NOT)
            others[n_others++] = (uint32_t)a;
    }
    MGL_TRY(mgl_classes_init(&x->classes, n, m, err));
    mgl_classes_group(&x->classes, x->beside->cells, n_values, others, n_others,
                      x->problem->list->counts);
    return MGL_OK;
}

/* Suppressed tuples are at the top in every column, and in no group. */
static mgl_status sort_tuples(within *x, mgl_error *err)
{
    size_t n = x->space->n, n_classes = x->classes.n_classes, end = 0;
    const uint8_t *suppressed = x->beside->suppressed;
    x->start = mgl_own_zeroed(&x->own, n_classes + 1, sizeof *x->start);
    x->tuples = mgl_own_array(&x->own, n, sizeof *x->tuples);
    MGL_TRY(mgl_owned_check(&x->own, err));
    for (size_t t = 0; t < n; t++)
        x->start[x->classes.of_tuple[t]] += !suppressed[t];
    for (size_t c = 0; c <= n_classes; c++) {
        end += x->start[c];
        x->start[c] = end;
    }
    for (size_t t = n; t-- > 0;)
        if (!suppressed[t])
            x->tuples[--x->start[x->classes.of_tuple[t]]] = (uint32_t)t;
    return MGL_OK;
}

static bool may_be_cut(const within *x, const uint32_t *tuples, size_t n)
{
    uint64_t rows = 0;
    for (size_t i = 0; i < n; i++)
        rows += x->space->counts[tuples[i]];
    return n > 1 && !x->late && rows / 2 >= x->space->need;
}

static mgl_status cut_class(within *x, const uint32_t *tuples, size_t n, mgl_error *err)
{
    mgl_micro_space *space = NULL;
    mgl_status status = MGL_OK;
    if (!may_be_cut(x, tuples, n)) {
        mgl_micro_groups_add(&x->groups, tuples, n);
        return MGL_OK;
    }
    MGL_GO(mgl_micro_class_new(x->space, tuples, n, err, &space));
    space->n_done = x->groups.n_placed;
    mgl_micro_judge_turn_to(x->judge, space);
    MGL_GO(mgl_micro_group(space, x->judge, &x->some, err, &x->late));
    if (x->some.n_placed == n && x->some.n > 1) {
        for (size_t i = 0; i < n; i++)
            x->groups.group_of[tuples[i]] = (uint32_t)x->groups.n + x->some.group_of[i];
        x->groups.n += x->some.n;
        x->groups.n_placed += n;
    } else
        mgl_micro_groups_add(&x->groups, tuples, n);
done:
    mgl_micro_judge_turn_to(x->judge, x->space);
    mgl_micro_class_free(space);
    return status;
}

/* Is the release as safe as the classes were? Models of the whole table may not hold on smaller
 * classes, groups that read alike may not hold together where persons have several rows, and groups
 * in which cells are missing may read as suppressed. */
static mgl_status is_safe(const within *x, const mgl_solution *found, mgl_recoding *recoding,
                          mgl_error *err, bool *out)
{
    const mgl_problem *p = x->problem;
    uint64_t suppressed = 0;
    *out = found->unsafe;
    if (found->unsafe)
        return MGL_OK;
    if (p->treatment != MGL_DROP)
        suppressed = mgl_recoding_mark_tops(recoding, p->list->counts, p->pool);
    if (suppressed > found->suppressed_rows && suppressed > p->limit)
        return MGL_OK;
    return mgl_recoding_holds(p, recoding, err, out);
}

/* Smaller groups first. A table that is not safe with any stays with whole classes. */
static mgl_status choose_groups(within *x, const mgl_solution *found, mgl_error *err,
                                mgl_micro_release *out)
{
    uint64_t rows = x->problem->list->n_rows;
    bool safe = false, whole = false;
    while (!safe) {
        mgl_micro_release_free(out);
        x->groups.n = x->groups.n_placed = 0;
        memset(x->groups.group_of, 0xFF, x->space->n * sizeof *x->groups.group_of);
        for (size_t c = 0; c < x->classes.n_classes; c++)
            if (x->start[c] < x->start[c + 1])
                MGL_TRY(cut_class(x, x->tuples + x->start[c], x->start[c + 1] - x->start[c], err));
        MGL_TRY(mgl_micro_recode(x->space, &x->groups, x->beside, err, out));
        MGL_TRY(is_safe(x, found, out->recoding, err, &safe));
        if (whole && !safe)
            return mgl_fail(err, MGL_CODE_INTERNAL,
                            "classes that hold do not hold with aggregated columns; please report "
                            "this");
        x->space->need = x->space->need < rows ? 2 * x->space->need : UINT64_MAX;
        whole = x->space->need == UINT64_MAX;
    }
    return MGL_OK;
}

static void end(within *x)
{
    if (x->classes.of_tuple != NULL)
        mgl_classes_free(&x->classes);
    mgl_micro_judge_free(x->judge);
    mgl_micro_space_free(x->space);
    mgl_owned_free(&x->own);
}

/* The levels, the bound and what is minimal are about the other columns alone. */
static void take_release(const within *x, mgl_micro_release *release, mgl_solution *solution)
{
    mgl_aggregated *reported = solution->aggregated;
    reported->searched = true;
    reported->node = solution->node;
    reported->bounded = solution->bounded;
    reported->exact = solution->exact;
    for (size_t c = 0; c < x->classes.n_classes; c++)
        reported->classes += x->start[c] < x->start[c + 1];
    solution->node = NULL;
    solution->bounded = solution->exact = solution->minimal_known = false;
    /* Columns that the search made go over to the recoding that has their cells now. */
    for (size_t a = 0; solution->recoding->own != NULL && a < solution->recoding->n_attributes; a++)
        if (release->recoding->own[a] == NULL) {
            release->recoding->own[a] = solution->recoding->own[a];
            solution->recoding->own[a] = NULL;
        }
    mgl_recoding_free(solution->recoding);
    solution->recoding = release->recoding;
    release->recoding = NULL;
    if (solution->classes != NULL)
        mgl_classes_free(solution->classes);
    mgl_free(solution->classes);
    solution->classes = NULL;
    solution->made = mgl_micro_made(x->space);
    solution->timed_out = solution->timed_out || x->late;
    if (x->problem->treatment != MGL_DROP)
        solution->suppressed_rows =
            mgl_recoding_mark_tops(solution->recoding, x->problem->list->counts, x->problem->pool);
}

mgl_status mgl_aggregate_within(const mgl_problem *problem, mgl_error *err, mgl_solution *solution)
{
    within x = {.problem = problem, .beside = solution->recoding};
    mgl_micro_release release = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_micro_space_new(x.problem, err, &x.space));
    MGL_GO(find_classes(&x, err));
    MGL_GO(sort_tuples(&x, err));
    MGL_GO(mgl_micro_judge_new(x.space, err, &x.judge));
    x.groups.group_of = mgl_own_array(&x.own, x.space->n, sizeof *x.groups.group_of);
    x.some.group_of = mgl_own_array(&x.own, x.space->n, sizeof *x.some.group_of);
    MGL_GO(mgl_owned_check(&x.own, err));
    MGL_GO(choose_groups(&x, solution, err, &release));
    MGL_GO(mgl_micro_report(x.space, &x.groups, &release, err, &solution->aggregated));
    take_release(&x, &release, solution);
done:
    mgl_micro_release_free(&release);
    end(&x);
    return status;
}

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
                    "shows what a table holds)");
}

/* Groups that happen to read alike are one class. Where persons have several rows that can break
 * a model which each of them holds. */
static mgl_status check_limit(const mgl_problem *p, const mgl_solution *solution, mgl_error *err)
{
    if (solution->suppressed_rows <= p->limit)
        return MGL_OK;
    return mgl_fail_key(
        err, MGL_CODE_NO_RELEASE, "suppress",
        "groups that read alike do not hold the models together, and %llu rows would "
        "be suppressed; allow it with `suppress`, or take `replace: range`",
        (unsigned long long)solution->suppressed_rows);
}

/* What is known of all columns, as the method reports it for tables of numbers. */
static mgl_status sum_up(mgl_solution *out, mgl_error *err)
{
    mgl_aggregation *sums;
    MGL_TRY(mgl_new_zeroed(1, sizeof *sums, err, &sums));
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
    MGL_TRY(mgl_new_array(x->space->n, sizeof *x->groups.group_of, err, &x->groups.group_of));
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
