/* Adds up what measures need to know of each class: logarithms of sizes, products of leaves, rows
 * that are not of the majority. Whole numbers, so that the sums are those of the plain evaluation
 * in whatever order the records lie. price_by_value.c calls it. */
#include "search/fulldomain/by_value/records.h"

static uint64_t lane(const mgl_by_value *search, const uint64_t *record, size_t i)
{
    unsigned bits = search->wide_lanes ? 32 : 16;
    size_t per_word = 64 / bits;
    return record[search->words + i / per_word] >> i % per_word * bits &
           ((UINT64_C(1) << bits) - 1);
}

static uint64_t outside_majority(const mgl_by_value *search, const uint64_t *record)
{
    uint64_t most = 0;
    for (size_t v = 0; v < search->n_labels; v++) {
        uint64_t count = lane(search, record, search->first_label + v);
        most = count > most ? count : most;
    }
    return mgl_by_value_size(search, record) - most;
}

static mgl_whole_sum class_term(mgl_by_value_worker *worker, const uint64_t *record)
{
    const mgl_branching *frame = &worker->search->frame;
    mgl_whole_sum product = mgl_by_value_size(worker->search, record);
    if (frame->measure == MGL_COST_LOGS)
        return mgl_log_term(&worker->log_terms, (uint64_t)product);
    if (frame->measure == MGL_COST_MAJORITY)
        return outside_majority(worker->search, record);
    for (size_t c = 0; c < frame->n_columns; c++)
        product *= frame->problem->columns[frame->columns[c]->attribute]
                       ->values[mgl_by_value_value_of(worker, c, record)]
                       .leaves;
    return product;
}

bool mgl_by_value_has_class_sums(const mgl_by_value *search)
{
    switch (search->frame.measure) {
    case MGL_COST_LOGS:
        return search->history == MGL_BY_VALUE_NO_HISTORY;
    case MGL_COST_TUPLES:
        return search->history == MGL_BY_VALUE_NO_HISTORY && search->whole_products;
    case MGL_COST_MAJORITY:
        return search->n_labels > 0;
    default:
        return false;
    }
}

void mgl_by_value_sum_classes(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                              uint64_t suppressed)
{
    const mgl_by_value *search = worker->search;
    const mgl_problem *p = search->frame.problem;
    mgl_statistics *s = &worker->statistics;
    mgl_whole_sum sum = 0, top = suppressed;
    for (size_t i = 0; i < table->n; i++)
        sum += class_term(worker, mgl_by_value_record(search, table, i));
    for (size_t i = 0; i < worker->n_bad; i++)
        sum -= class_term(worker, mgl_by_value_record(search, table, worker->bad[i]));
    for (size_t a = 0; a < p->list->n_attributes; a++)
        top *= p->columns[a]->values[p->columns[a]->top].leaves;
    s->log_sum = mgl_log_sum_value(sum);
    s->original_log_sum = p->costs->original_log_sum;
    s->ambiguity = (double)(sum + top);
    s->has_label = search->n_labels > 0;
    s->misclassified = (uint64_t)sum + suppressed;
}
