/* Datafly (Sweeney 2002, figure 8): generalize the attribute with the most distinct values until
 * few rows violate, then suppress these. A row of the table of methods. */
#include "search/fulldomain/datafly.h"
#include "search/fulldomain/fulldomain.h"

#include <math.h>

/* One of several quasi-identifiers. */
typedef struct set_alone {
    mgl_problem problem;
    mgl_suppressor *suppressor;
    bool violated; /* by some rows */
} set_alone;

typedef struct datafly {
    const mgl_problem *problem;
    uint32_t *node;
    uint32_t **leaves, **cells; /* [a][t] */
    uint8_t *seen;              /* [largest number of released values] */
    mgl_suppressor *suppressor;
    struct set_alone *alone; /* [n_sets] NULL: preferences are the same for all */
    mgl_owned own;
} datafly;

static mgl_status prepare(datafly *d, const mgl_problem *p, mgl_error *err)
{
    size_t m = p->list->n_attributes, n = p->list->n_tuples, most = 0;
    *d = (datafly){.problem = p};
    d->node = mgl_own_array(&d->own, m, sizeof *d->node);
    d->leaves = mgl_own_rows(&d->own, m, n, sizeof **d->leaves);
    d->cells = mgl_own_rows(&d->own, m, n, sizeof **d->cells);
    MGL_TRY(mgl_owned_check(&d->own, err));
    for (size_t a = 0; a < m; a++) {
        most = p->columns[a]->n_values > most ? p->columns[a]->n_values : most;
        d->node[a] = p->min_level[a];
        for (size_t t = 0; t < n; t++) {
            d->leaves[a][t] = mgl_list_leaf(p->list, t, a);
            d->cells[a][t] = p->columns[a]->of_leaf[d->node[a]][d->leaves[a][t]];
        }
    }
    d->seen = mgl_own_array(&d->own, most, 1);
    MGL_TRY(mgl_owned_check(&d->own, err));
    return mgl_suppressor_new(p, err, &d->suppressor);
}

static size_t distinct_values(const datafly *d, size_t a)
{
    size_t n = 0;
    memset(d->seen, 0, d->problem->columns[a]->n_values);
    for (size_t t = 0; t < d->problem->list->n_tuples; t++) {
        n += !d->seen[d->cells[a][t]];
        d->seen[d->cells[a][t]] = 1;
    }
    return n;
}

/* Where sets have preferences of their own, each is judged alone. */
static mgl_status prepare_sets(datafly *d, const mgl_problem *p, mgl_error *err)
{
    const mgl_datafly_options *options = p->options;
    bool any = false;
    for (size_t a = 0; a < p->list->n_attributes; a++)
        any = any || options->preference[a].n > 1;
    if (!any)
        return MGL_OK;
    d->alone = mgl_own_zeroed(&d->own, p->n_sets, sizeof *d->alone);
    MGL_TRY(mgl_owned_check(&d->own, err));
    for (size_t q = 0; q < p->n_sets; q++) {
        d->alone[q].problem = *p;
        d->alone[q].problem.sets = &p->sets[q];
        d->alone[q].problem.n_sets = 1;
        MGL_TRY(mgl_suppressor_new(&d->alone[q].problem, err, &d->alone[q].suppressor));
    }
    return MGL_OK;
}

/* The largest one that a set gives which does not hold yet. */
static double preference_of(const datafly *d, size_t a)
{
    const mgl_problem *p = d->problem;
    const mgl_by_set *given = &((const mgl_datafly_options *)p->options)->preference[a];
    double most = 0;
    if (d->alone == NULL)
        return given->values[0];
    for (size_t q = 0; q < p->n_sets; q++)
        for (size_t i = 0; d->alone[q].violated && i < p->sets[q].n_attributes; i++)
            if (p->sets[q].attributes[i] == a)
                most = fmax(most, mgl_by_set_at(given, p->sets[q].number));
    return most;
}

/* The attribute to generalize next; SIZE_MAX if all are as high as they may go. */
static size_t choose_attribute(const datafly *d)
{
    const mgl_problem *p = d->problem;
    size_t chosen = SIZE_MAX;
    double most = -1;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        if (d->node[a] >= p->max_level[a])
            continue;
        double weighted = (double)distinct_values(d, a) * preference_of(d, a);
        if (weighted > most) {
            most = weighted;
            chosen = a;
        }
    }
    return chosen;
}

static bool goes_on(const mgl_problem *p, const mgl_suppression *s)
{
    return p->limited ? !s->holds || s->rows > p->limit : s->violating > p->k;
}

/* Without a limit the loop ends when few rows violate a model of classes, and looks at no others.
 */
static mgl_status fail(const mgl_problem *problem, const mgl_suppression *s, mgl_error *err)
{
    if (goes_on(problem, s) || !mgl_judges_table(problem))
        return mgl_fail_no_node(problem, mgl_datafly.name, err);
    return mgl_fail_key(
        err, MGL_CODE_NO_RELEASE, "suppress",
        "datafly stopped at a node where at most k = %llu rows violate a model, but "
        "a model of the whole table does not hold there; with `suppress` it goes on "
        "until all hold, and `method: mingen` looks at all nodes",
        (unsigned long long)problem->k);
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    datafly d;
    mgl_status status = MGL_OK;
    MGL_GO(prepare(&d, problem, err));
    mgl_suppression suppression = {0};
    MGL_GO(prepare_sets(&d, problem, err));
    while (true) {
        out->nodes_checked++;
        mgl_suppress(d.suppressor, d.cells, &suppression);
        for (size_t q = 0; d.alone != NULL && q < d.problem->n_sets; q++) {
            mgl_suppression s;
            mgl_suppress(d.alone[q].suppressor, d.cells, &s);
            d.alone[q].violated = s.violating > 0;
        }
        size_t a = goes_on(problem, &suppression) ? choose_attribute(&d) : SIZE_MAX;
        if (a == SIZE_MAX)
            break;
        const uint32_t *of_leaf = problem->columns[a]->of_leaf[++d.node[a]];
        for (size_t t = 0; t < problem->list->n_tuples; t++)
            d.cells[a][t] = of_leaf[d.leaves[a][t]];
        MGL_GO(mgl_progress_report(problem->progress, "search", out->nodes_checked, 0, err));
    }
    bool met = suppression.holds && (!problem->limited || suppression.rows <= problem->limit);
    if (!met)
        MGL_GO(fail(problem, &suppression, err));
    MGL_GO(mgl_solution_take_node(out, problem, d.node, err));
done:
    mgl_suppressor_free(d.suppressor);
    for (size_t q = 0; d.alone != NULL && q < d.problem->n_sets; q++)
        mgl_suppressor_free(d.alone[q].suppressor);
    mgl_owned_free(&d.own);
    return status;
}

static const mgl_method_option options[] = {
    {.name = "preference",
     .value = "COLUMN=X[/X...],...",
     .fallback = "1",
     .help = "datafly: 0 spares the column, 1 does not; 0.5/1: in each of several "
             "quasi-identifiers",
     .by_column = true,
     .parser = {.kind = MGL_PARSE_OWN,
                .read = mgl_read_shares_by_set,
                .size = sizeof(mgl_by_set),
                .wrong = "is out of range; give a number from 0 to 1"},
     .place = offsetof(mgl_datafly_options, preference)},
};

const mgl_method_type mgl_datafly = {
    .name = "datafly",
    .own_limit = true,
    .help = "Sweeney's heuristic: generalize the column with the most values, then suppress",
    .when = "to compare with the 2002 paper, or for tables with very many columns",
    .cost = "a pass over the distinct tuples per generalization step",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .options_size = sizeof(mgl_datafly_options),
    .full_domain = true,
    .several_sets = true,
    .run = run,
};
