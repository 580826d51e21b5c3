/* Finds what is released of the items of each row, once it is known which rows are released and
 * which of them look alike. */
#include "pipeline/write/plan.h"

enum { ROWS_AT_ONCE = 1024 };

/* ---- Which rows ---------------------------------------------------------------------------------
 */

static mgl_status group_all(const mgl_task *task, const mgl_recoding *recoding, mgl_error *err,
                            mgl_classes *out)
{
    uint32_t *n_values = mgl_alloc_array(recoding->n_attributes, sizeof *n_values);
    mgl_status status = MGL_OK;
    MGL_GO(n_values == NULL ? mgl_fail_memory(err) : MGL_OK);
    for (size_t a = 0; a < recoding->n_attributes; a++)
        n_values[a] = recoding->columns[a]->n_values;
    MGL_GO(mgl_classes_init(out, recoding->n_tuples, recoding->n_attributes, err));
    mgl_classes_group(out, recoding->cells, n_values, NULL, recoding->n_attributes,
                      task->problem.list->counts);
done:
    mgl_free(n_values);
    return status;
}

/* The class of each row; MGL_NOT_FOUND: it is left out. *out is NULL where all rows are one. */
static mgl_status find_classes(const mgl_task *task, const mgl_reading *reading,
                               const mgl_solution *solution, mgl_error *err, uint32_t **out)
{
    const mgl_recoding *recoding = solution->recoding;
    bool drops = reading->settings->treatment == MGL_DROP && solution->suppressed_rows > 0;
    bool within = reading->settings->km_within && reading->n_quasi > 0;
    size_t n_rows = reading->table->n_rows;
    mgl_tuple_finder *finder = NULL;
    mgl_classes classes = {0};
    uint32_t tuples[ROWS_AT_ONCE], *of_row = NULL;
    mgl_status status = MGL_OK;
    *out = NULL;
    if (!drops && !within)
        return MGL_OK;
    of_row = mgl_alloc_array(n_rows, sizeof *of_row);
    MGL_GO(of_row == NULL ? mgl_fail_memory(err) : MGL_OK);
    MGL_GO(group_all(task, recoding, err, &classes));
    MGL_GO(mgl_tuple_finder_share(task->problem.list, reading->bound, reading->pool, err, &finder));
    for (size_t row = 0; row < n_rows; row += ROWS_AT_ONCE) {
        size_t some = n_rows - row < ROWS_AT_ONCE ? n_rows - row : ROWS_AT_ONCE;
        mgl_tuple_find(finder, row, some, tuples);
        for (size_t i = 0; i < some; i++)
            of_row[row + i] = drops && recoding->suppressed[tuples[i]] ? MGL_NOT_FOUND
                              : within                                 ? classes.of_tuple[tuples[i]]
                                                                       : 0;
    }
    *out = of_row;
    of_row = NULL;
done:
    mgl_tuple_finder_free(finder);
    mgl_classes_free(&classes);
    mgl_free(of_row);
    return status;
}

/* ---- The whole ----------------------------------------------------------------------------------
 */

static uint64_t count_classes(const mgl_baskets *baskets)
{
    uint64_t n = baskets->n > 0;
    for (size_t b = 1; b < baskets->n; b++)
        n += baskets->class_of[b] != baskets->class_of[b - 1];
    return n;
}

/* A cut that is given is judged on the rows at hand. */
static mgl_status take_fixed(const mgl_items_column *items, const mgl_item_problem *problem,
                             mgl_error *err, mgl_item_cut *out)
{
    uint32_t n = items->tree.n_leaves;
    bool holds = false;
    *out = (mgl_item_cut){.node_of_leaf = mgl_alloc_array(n, sizeof *out->node_of_leaf)};
    if (out->node_of_leaf == NULL)
        return mgl_fail_memory(err);
    memcpy(out->node_of_leaf, items->fixed, n * sizeof *out->node_of_leaf);
    out->ncp = mgl_item_cut_loss(&items->tree, problem->baskets, items->fixed);
    out->ncp_first = out->ncp;
    MGL_TRY(mgl_item_cut_holds(problem, items->fixed, err, &holds));
    if (!holds)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_NOT_HELD,
                     "column '%.60s': released as the recoding says, some combination of at most "
                     "%u items is shown by fewer than %llu of the rows at hand; release them with "
                     "further rows, or anonymize them by themselves",
                     items->settings->name, problem->m, (unsigned long long)problem->k),
            "recoding");
    return MGL_OK;
}

static mgl_status search(const mgl_reading *reading, const mgl_basket_order *order, mgl_error *err,
                         mgl_items_written *out)
{
    const mgl_items_column *items = reading->items;
    const mgl_settings *settings = reading->settings;
    mgl_baskets baskets;
    double start = mgl_sys_seconds();
    MGL_TRY(mgl_baskets_new(order, err, &baskets));
    mgl_item_problem problem = {.tree = &items->tree,
                                .baskets = &baskets,
                                .k = items->settings->km.k,
                                .m = items->settings->km.m,
                                .pool = reading->pool,
                                .progress = &settings->progress,
                                .deadline = mgl_deadline(settings)};
    mgl_status status = items->fixed != NULL ? take_fixed(items, &problem, err, &out->cut)
                                             : mgl_item_search(&problem, err, &out->cut);
    out->classes = count_classes(&baskets);
    out->seconds = mgl_sys_seconds() - start;
    mgl_baskets_free(&baskets);
    return status;
}

static mgl_status make(const mgl_task *task, const mgl_solution *solution, mgl_error *err,
                       mgl_written *written)
{
    const mgl_reading *reading = task->reading;
    mgl_items_written *out = &written->items;
    const mgl_items_column *items = reading->items;
    uint32_t *class_of_row = NULL;
    mgl_status status = MGL_OK;
    if (items == NULL || out->made)
        return MGL_OK;
    MGL_GO(find_classes(task, reading, solution, err, &class_of_row));
    mgl_basket_order order = {.column = items->column,
                              .n_rows = reading->table->n_rows,
                              .sets = &items->sets,
                              .leaf_of_item = items->leaf_of_item,
                              .n_leaves = items->tree.n_leaves,
                              .class_of_row = class_of_row,
                              .persons = reading->entity};
    MGL_GO(search(reading, &order, err, out));
    MGL_GO(mgl_item_release_make(&order, &items->tree, out->cut.node_of_leaf, &items->cutting, err,
                                 &out->release));
    out->made = true;
done:
    mgl_free(class_of_row);
    return status;
}

static mgl_status plan(mgl_release_plan *p, const mgl_task *task, mgl_error *err,
                       mgl_written *written)
{
    const mgl_items_column *items = task->reading->items;
    mgl_items_written *made = &written->items;
    if (!made->made)
        return MGL_OK;
    MGL_TRY(mgl_plan_replace(p, items->field, &made->release.column, MGL_FOLLOWING, err));
    made->promised = (mgl_promised_items){.column = mgl_plan_column(p, items->field),
                                          .k = items->settings->km.k,
                                          .m = items->settings->km.m,
                                          .within = task->reading->settings->km_within,
                                          .cutting = items->cutting,
                                          .tree = &items->tree};
    made->planned = true;
    mgl_plan_promise(p, &mgl_items_judge, &made->promised, 1);
    return MGL_OK;
}

static void free_items(mgl_written *written)
{
    mgl_item_cut_free(&written->items.cut);
    mgl_item_release_free(&written->items.release);
}

const mgl_feature_release mgl_items_release = {.make = make, .plan = plan, .free = free_items};
