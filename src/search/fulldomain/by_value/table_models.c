/* Judges models of the whole table by the sizes of classes: at a node, and whether any finer node
 * can hold. search_by_value.c and price_by_value.c call it.
 *
 * This is not monotony: suppression can bring the figure of a finer node below that of a coarser
 * one. A model therefore gives the least figure that dividing and suppressing can lead to
 * (table_may_hold). */
#include "search/fulldomain/by_value/records.h"

static void take_sizes(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    for (size_t i = 0; i < table->n; i++) {
        const uint64_t *record = mgl_by_value_record(search, table, i);
        worker->sizes[i] = mgl_by_value_size(search, record);
        worker->weights[i] = search->weighs ? mgl_by_value_population(search, record) : 0;
    }
}

bool mgl_by_value_table_holds(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                              uint64_t rows)
{
    const mgl_by_value *search = worker->search;
    if (search->n_table_models == 0)
        return true;
    size_t n = 0;
    uint64_t weight = 0; /* of what is suppressed */
    take_sizes(worker, table);
    for (size_t i = 0; i < worker->n_bad; i++) {
        worker->sizes[worker->bad[i]] = 0;
        weight += worker->weights[worker->bad[i]];
    }
    for (size_t i = 0; i < table->n; i++)
        if (worker->sizes[i] > 0) {
            worker->weights[n] = worker->weights[i];
            worker->sizes[n++] = worker->sizes[i];
        }
    if (rows > 0 && search->frame.problem->treatment == MGL_KEEP) {
        worker->weights[n] = weight;
        worker->sizes[n++] = rows;
    }
    mgl_class_sizes sizes = {worker->sizes, n, worker->weights};
    for (size_t i = 0; n > 0 && i < search->n_table_models; i++)
        if (!search->table_models[i]->type->table_holds(search->table_models[i], &sizes))
            return false;
    return true;
}

bool mgl_by_value_table_may_hold(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    if (search->n_table_models == 0)
        return true;
    take_sizes(worker, table);
    mgl_open_release release = {.classes = {worker->sizes, table->n, worker->weights},
                                .spare = search->spare,
                                .kept = search->frame.problem->treatment == MGL_KEEP};
    for (size_t i = 0; i < search->n_table_models; i++)
        if (!search->table_models[i]->type->table_may_hold(search->table_models[i], &release))
            return false;
    return true;
}
