/* Counts a table that was read into its frequency list, and that of the population. These are
 * mgl_count and mgl_merge of the public header; mgl_setup_begin counts in the same way. */
#include "pipeline/task/task.h"

static void note_regrouped(mgl_frequency_list *list)
{
    for (size_t t = 0; t < list->n_tuples && !list->regrouped; t++)
        list->regrouped = mgl_tuple_is_regrouped(list, t);
}

mgl_status mgl_count(const mgl_reading *reading, mgl_error *err, mgl_counts **out)
{
    mgl_counts *counts = mgl_zeroed_array(1, sizeof *counts);
    if (counts == NULL)
        return mgl_fail_memory(err);
    counts->reading = reading;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_frequency_list_new(&(mgl_count_order){.quasi = reading->bound,
                                                     .n_quasi = reading->n_quasi,
                                                     .counted = reading->counted,
                                                     .n_counted = reading->n_counted,
                                                     .n_sensitive = reading->n_sensitive,
                                                     .n_rows = reading->table->n_rows,
                                                     .times = reading->table->times},
                                  reading->pool, err, &counts->list));
    counts->list->n_judged = reading->n_judged;
    if (reading->settings->least_count > 0)
        note_regrouped(counts->list);
    if (reading->entity != NULL)
        MGL_GO(mgl_frequency_list_persons(counts->list, reading->bound, reading->counted,
                                          reading->entity, reading->table->n_rows, err));
    if (reading->population != NULL)
        MGL_GO(mgl_frequency_list_new(&(mgl_count_order){.quasi = reading->population_bound,
                                                         .n_quasi = reading->n_quasi,
                                                         .n_rows = reading->population->n_rows,
                                                         .times = reading->population->times},
                                      reading->pool, err, &counts->population));
    *out = counts;
    counts = NULL;
done:
    mgl_counts_free(counts);
    return status;
}

void mgl_counts_free(mgl_counts *counts)
{
    if (counts == NULL)
        return;
    mgl_frequency_list_free(counts->list);
    mgl_frequency_list_free(counts->population);
    mgl_free(counts);
}

/* Histograms are by code: they add up only if the codes mean the same values. */
static bool same_codes(const mgl_column *a, const mgl_column *b)
{
    uint32_t n = mgl_dictionary_size(a->dictionary);
    if (a == b)
        return true;
    if (n != mgl_dictionary_size(b->dictionary))
        return false;
    for (uint32_t code = 0; code < n; code++)
        if (!mgl_span_equal(mgl_dictionary_value(a->dictionary, code),
                            mgl_dictionary_value(b->dictionary, code)))
            return false;
    return true;
}

mgl_status mgl_merge(mgl_counts *counts, const mgl_counts *more, mgl_error *err)
{
    if (counts->reading->settings->least_count > 0 || more->reading->settings->least_count > 0)
        return mgl_fail(err, MGL_USAGE,
                        "least-count: what is rare in a part need not be rare in all of them; "
                        "merge parts without it");
    for (size_t i = 0; i < counts->reading->n_counted && i < more->reading->n_counted; i++)
        if (!same_codes(counts->reading->counted[i], more->reading->counted[i]))
            return mgl_fail(err, MGL_USAGE,
                            "column \"%.60s\" has other values in the two parts; count parts of "
                            "one reading",
                            counts->reading->counted[i]->name);
    return mgl_frequency_list_merge(counts->list, more->list, err);
}
