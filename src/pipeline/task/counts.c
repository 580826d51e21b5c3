/* The frequency lists of a reading and what cells cost on them, as the session keeps them: counted
 * once for the same columns and hierarchies. */
#include "pipeline/task/task.h"

static void free_list(void *object)
{
    mgl_frequency_list_free(object);
}

static void free_costs(void *object)
{
    mgl_cell_costs_free(object);
}

/* A list can be as large as the table. */
static const mgl_cache_kind lists = {free_list, 4};
static const mgl_cache_kind costs = {free_costs, 4};
static const mgl_cache_kind truths = {mgl_free, 4};

mgl_status mgl_counts_of_persons(const mgl_reading *reading, const mgl_bound_column *quasi,
                                 const mgl_column *const *counted, mgl_error *err,
                                 mgl_frequency_list *list)
{
    size_t n_rows = reading->table->n_rows;
    return reading->settings->persons.view == MGL_VIEW_JOINED
               ? mgl_frequency_list_join(list, quasi, counted, reading->entity, n_rows, err)
               : mgl_frequency_list_persons(list, quasi, counted, reading->entity, n_rows, err);
}

/* A release that is made in memory asks for the tuples of all rows. */
static bool asks_for_rows(const mgl_settings *settings)
{
    const mgl_format *format;
    return settings->output != NULL &&
           mgl_format_to_write(settings->output, NULL, &format) == MGL_OK &&
           (format->columns || format->save != NULL);
}

static mgl_status count_rows(const mgl_reading *reading, mgl_error *err, mgl_frequency_list **out)
{
    mgl_frequency_list *list = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(
        mgl_frequency_list_new(&(mgl_count_request){.quasi = reading->bound,
                                                    .n_quasi = reading->n_quasi,
                                                    .counted = reading->counted,
                                                    .n_counted = reading->n_counted,
                                                    .n_sensitive = reading->n_sensitive,
                                                    .n_rows = reading->table->n_rows,
                                                    .times = reading->table->times,
                                                    .remember = asks_for_rows(reading->settings)},
                               reading->pool, err, &list));
    list->n_judged = reading->n_judged;
    MGL_GO(mgl_features_count(reading, err, list));
    if (reading->entity != NULL)
        MGL_GO(mgl_counts_of_persons(reading, reading->bound, reading->counted, err, list));
    *out = list;
    list = NULL;
done:
    mgl_frequency_list_free(list);
    return status;
}

static mgl_status count_population(const mgl_reading *reading, mgl_error *err,
                                   mgl_frequency_list **out)
{
    return mgl_frequency_list_new(&(mgl_count_request){.quasi = reading->population->bound,
                                                       .n_quasi = reading->n_quasi,
                                                       .n_rows = reading->population->table->n_rows,
                                                       .times = reading->population->table->times},
                                  reading->pool, err, out);
}

typedef mgl_status count_fn(const mgl_reading *reading, mgl_error *err, mgl_frequency_list **out);

/* A list borrows the hierarchies of its columns. Numbers in its key are found by way of these, so
 * that no job finds a list whose hierarchies are gone. */
static mgl_status find_list(mgl_reading *reading, mgl_buffer *key, count_fn *count, mgl_error *err,
                            const mgl_cache_entry **out)
{
    mgl_frequency_list *list;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_cache_find(&reading->pins, &lists, key, err, out));
    if (*out != NULL)
        goto done;
    MGL_GO(count(reading, err, &list));
    reading->session->work.lists_counted++;
    MGL_GO(mgl_cache_add(&reading->pins, &lists, key, list, err, out));
done:
    mgl_buffer_free(key);
    return status;
}

static mgl_status find_rows(mgl_reading *reading, mgl_error *err, const mgl_cache_entry **out)
{
    mgl_buffer key = {0};
    for (size_t a = 0; a < reading->n_quasi; a++)
        mgl_key_number(&key, reading->quasi[a].number);
    mgl_key_number(&key, 0);
    for (size_t i = 0; i < reading->n_counted; i++)
        mgl_key_number(&key, reading->counted[i]->number);
    mgl_key_number(&key, 0);
    mgl_key_number(&key, reading->n_sensitive);
    mgl_key_number(&key, reading->n_judged);
    for (const mgl_feature *const *f = mgl_features; *f != NULL; f++) {
        const mgl_column *column =
            (*f)->column_name != NULL ? *mgl_feature_column(reading, *f) : NULL;
        mgl_key_number(&key, column != NULL ? column->number : 0);
    }
    mgl_key_number(&key, reading->settings->persons.view);
    return find_list(reading, &key, count_rows, err, out);
}

static mgl_status find_population(mgl_reading *reading, mgl_error *err, const mgl_cache_entry **out)
{
    mgl_buffer key = {0};
    mgl_key_text(&key, "population");
    for (size_t a = 0; a < reading->n_quasi; a++)
        mgl_key_number(&key, reading->population->numbers[a]);
    return find_list(reading, &key, count_population, err, out);
}

mgl_status mgl_counts_find(mgl_reading *reading, mgl_error *err, mgl_counts *out)
{
    mgl_counts counts = {.reading = reading};
    const mgl_cache_entry *population = NULL;
    MGL_TRY(find_rows(reading, err, &counts.kept));
    if (reading->population != NULL)
        MGL_TRY(find_population(reading, err, &population));
    counts.list = counts.kept->object;
    counts.population = population != NULL ? population->object : NULL;
    *out = counts;
    return MGL_OK;
}

mgl_status mgl_costs_find(const mgl_counts *counts, mgl_error *err, const mgl_cell_costs **out)
{
    mgl_reading *reading = counts->reading;
    mgl_buffer key = {0};
    const mgl_cache_entry *kept = NULL;
    mgl_cell_costs *fresh;
    mgl_status status = MGL_OK;
    mgl_key_number(&key, counts->kept->number);
    MGL_GO(mgl_cache_find(&reading->pins, &costs, &key, err, &kept));
    if (kept == NULL) {
        MGL_GO(mgl_cell_costs_new(counts->list, reading->released, reading->pool, err, &fresh));
        MGL_GO(mgl_cache_add(&reading->pins, &costs, &key, fresh, err, &kept));
    }
    *out = kept->object;
done:
    mgl_buffer_free(&key);
    return status;
}

mgl_status mgl_truths_find(const mgl_task *task, mgl_error *err, const uint64_t **out)
{
    mgl_reading *reading = task->reading;
    mgl_buffer key = {0};
    const mgl_cache_entry *kept = NULL;
    uint64_t *fresh = NULL;
    mgl_status status = MGL_OK;
    mgl_key_number(&key, task->list->number);
    MGL_GO(mgl_cache_find(&reading->pins, &truths, &key, err, &kept));
    if (kept == NULL) {
        fresh = mgl_alloc_array(MGL_QUERIES, sizeof *fresh);
        MGL_GO(mgl_check_memory(fresh != NULL, err));
        MGL_GO(
            mgl_query_truths(task->problem.list, task->problem.columns, reading->pool, err, fresh));
        uint64_t *given = fresh;
        fresh = NULL;
        MGL_GO(mgl_cache_add(&reading->pins, &truths, &key, given, err, &kept));
    }
    *out = kept->object;
done:
    mgl_free(fresh);
    mgl_buffer_free(&key);
    return status;
}
