/* Shows lists that were rolled up to an evaluator, as if they were the problem's own. roller.c and
 * refiner.c judge with it. */
#include "search/node/node.h"
#include "search/node/roll.h"

mgl_status mgl_rolled_judge_make(mgl_rolled_judge *j, const mgl_roll_maker *maker, size_t most,
                                 mgl_error *err)
{
    const mgl_problem *p = maker->problem;
    *j = (mgl_rolled_judge){.maker = maker, .problem = *p, .list = *p->list};
    j->problem.list = &j->list;
    j->list.n_tuples = most;
    if (p->list->persons != NULL) {
        j->persons = *p->list->persons;
        j->list.persons = &j->persons;
    }
    const uint32_t *apart = mgl_roll_apart(p);
    if (apart != NULL) {
        j->apart = mgl_alloc_array(p->list->n_tuples, sizeof *j->apart);
        if (j->apart == NULL)
            return mgl_fail_memory(err);
        memcpy(j->apart, apart, p->list->n_tuples * sizeof *j->apart);
    }
    if (p->list->joined != NULL) {
        j->joined = *p->list->joined;
        j->joined.of_tuple = j->apart;
        j->list.joined = &j->joined;
    } else {
        j->problem.pasts = j->apart;
    }
    return mgl_evaluator_of_cells(&j->problem, err, &j->evaluator);
}

void mgl_rolled_judge_free(mgl_rolled_judge *j)
{
    mgl_evaluator_free(j->evaluator);
    mgl_free(j->apart);
    *j = (mgl_rolled_judge){0};
}

static void show_list(mgl_rolled_judge *j, const mgl_rolled *rolled)
{
    const mgl_problem *p = j->maker->problem;
    j->list.n_tuples = rolled->n;
    j->list.counts = rolled->counts;
    j->list.sensitive = rolled->parts;
    if (p->label != NULL)
        j->problem.label = &rolled->parts[j->maker->label];
    if (p->list->persons != NULL) {
        j->persons.local = rolled->local;
        j->persons.spread = rolled->spread[0];
        j->persons.by_value = rolled->spread + 1;
    }
    const mgl_roll_codes *codes = &j->maker->codes;
    const mgl_roll_column *last = &codes->columns[codes->n_columns];
    for (size_t t = 0; j->apart != NULL && t < rolled->n; t++)
        j->apart[t] = mgl_roll_code(last, rolled->keys + t * codes->words);
}

static void fill_cells(const mgl_rolled_judge *j, const mgl_rolled *rolled, uint32_t *const *cells)
{
    const mgl_roll_codes *codes = &j->maker->codes;
    for (size_t a = 0; a < codes->n_columns; a++) {
        const mgl_roll_column *column = &codes->columns[a];
        const uint32_t *values = column->levels[rolled->levels[a]].values;
        for (size_t t = 0; t < rolled->n; t++)
            cells[a][t] = values[mgl_roll_code(column, rolled->keys + t * codes->words)];
    }
}

void mgl_rolled_show(mgl_rolled_judge *j, const mgl_rolled *rolled)
{
    show_list(j, rolled);
    fill_cells(j, rolled, mgl_evaluator_fit(j->evaluator));
}
