/* Persons with several rows (--entity), beside the records of classes.
 *
 * A record counts the persons of its class, and beside it are the ids of those that have rows in
 * other tuples, too. Rolling up adds the counts; a person met twice is taken off again. A class
 * that has all the persons that models ask for keeps no ids: it has enough of them with whatever
 * else, even if some are counted twice from there on. So a class keeps fewer ids than that, and a
 * table never more than the one it is made of.
 *
 * If suppressed rows that are kept need another class to join them, and for models that look at
 * counts of values, of persons or of a population, the plain evaluation judges the nodes that k and
 * the numbers of different values leave. */
#include "search/fulldomain/by_value/records.h"

static inline bool has_enough(const mgl_by_value *search, uint64_t persons)
{
    return persons >= search->frame.demand.size;
}

static inline size_t ids_of(const mgl_by_value_ids *ids, size_t class)
{
    return ids->start[class + 1] - ids->start[class];
}

/* Room for classes and ids; what was there is gone. */
static mgl_status make_room(mgl_by_value_ids *ids, size_t n_classes, size_t n_ids, mgl_error *err)
{
    if (n_classes + 1 > ids->class_capacity) {
        mgl_free(ids->start);
        ids->class_capacity = 0;
        ids->start = mgl_alloc_array(n_classes + 1, sizeof *ids->start);
        if (ids->start == NULL)
            return mgl_fail_memory(err);
        ids->class_capacity = n_classes + 1;
    }
    if (n_ids > ids->capacity) {
        mgl_free(ids->all);
        ids->capacity = 0;
        ids->all = mgl_alloc_array(n_ids, sizeof *ids->all);
        if (ids->all == NULL)
            return mgl_fail_memory(err);
        ids->capacity = n_ids;
    }
    return MGL_OK;
}

void mgl_by_value_table_free(mgl_by_value_table *table)
{
    mgl_free(table->records);
    mgl_free(table->ids.start);
    mgl_free(table->ids.all);
}

/* ---- The tuples ---------------------------------------------------------------------- */

/* A class has at most so many times as many rows as persons. */
mgl_status mgl_by_value_rows_of_person(mgl_by_value *search, mgl_error *err)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_spread *spread = &list->persons->spread;
    uint32_t *n_tuples = mgl_zeroed_array(spread->n_ids, sizeof *n_tuples); /* of each id */
    uint64_t in_tuple = 1, tuples = 1;
    if (n_tuples == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint64_t persons = list->persons->local[t] + spread->start[t + 1] - spread->start[t];
        uint64_t rows = (list->counts[t] + persons - 1) / persons;
        in_tuple = rows > in_tuple ? rows : in_tuple;
    }
    for (size_t i = 0; i < spread->start[list->n_tuples]; i++)
        if (++n_tuples[spread->ids[i]] > tuples)
            tuples = n_tuples[spread->ids[i]];
    search->rows_of_person = in_tuple * tuples;
    mgl_free(n_tuples);
    return MGL_OK;
}

mgl_status mgl_by_value_ground_persons(const mgl_by_value *search, mgl_error *err,
                                       mgl_by_value_table *ground)
{
    const mgl_frequency_list *list = search->frame.problem->list;
    const mgl_spread *spread = &list->persons->spread;
    mgl_by_value_ids *ids = &ground->ids;
    uint32_t n = 0;
    MGL_TRY(make_room(ids, list->n_tuples, spread->start[list->n_tuples], err));
    for (size_t t = 0; t < list->n_tuples; t++) {
        size_t some = spread->start[t + 1] - spread->start[t];
        uint64_t persons = list->persons->local[t] + some;
        mgl_by_value_set_second(search, ground->records + (t + 1) * search->stride, persons);
        ids->start[t] = n;
        if (some == 0 || has_enough(search, persons))
            continue;
        memcpy(ids->all + n, spread->ids + spread->start[t], some * sizeof *ids->all);
        n += (uint32_t)some;
    }
    ids->start[list->n_tuples] = n;
    return MGL_OK;
}

/* ---- Rolling up ------------------------------------------------------------------------ */

static void begin_meeting(mgl_by_value_worker *worker)
{
    if (++worker->meeting != 0)
        return;
    memset(worker->met, 0,
           worker->search->frame.problem->list->persons->spread.n_ids * sizeof *worker->met);
    worker->meeting = 1;
}

/* Is it the first time since the meeting began? */
static inline bool meet(mgl_by_value_worker *worker, uint32_t id)
{
    bool is_new = worker->met[id] != worker->meeting;
    worker->met[id] = worker->meeting;
    return is_new;
}

/* Lists the classes of the source that have ids by the class that they go into, each behind the one
 * before it; counts the ids. */
static size_t link_sources(mgl_by_value_worker *worker, const mgl_by_value_table *source,
                           size_t n_classes)
{
    size_t most = 0;
    memset(worker->last_source, 0, n_classes * sizeof *worker->last_source);
    memset(worker->n_gathered, 0, n_classes * sizeof *worker->n_gathered);
    for (size_t i = 0; i < source->n; i++) {
        size_t n = ids_of(&source->ids, i);
        if (n == 0)
            continue;
        uint32_t class = worker->goes_to[i];
        worker->source_before[i] = worker->last_source[class];
        worker->last_source[class] = (uint32_t)i + 1;
        worker->n_gathered[class] += (uint32_t)n;
        most += n;
    }
    return most;
}

/* The different ids of the class, behind the first `at`; none if it has enough persons. Whoever is
 * met again is taken off *persons. */
static size_t gather(mgl_by_value_worker *worker, const mgl_by_value_ids *from, size_t class,
                     uint32_t *at, uint64_t *persons)
{
    const mgl_by_value *search = worker->search;
    uint64_t others = *persons - worker->n_gathered[class];
    size_t n = 0;
    if (worker->n_gathered[class] == 0 || has_enough(search, others))
        return 0;
    begin_meeting(worker);
    for (uint32_t next = worker->last_source[class]; next != 0;
         next = worker->source_before[next - 1])
        for (uint32_t i = from->start[next - 1]; i < from->start[next]; i++) {
            if (!meet(worker, from->all[i]))
                continue;
            at[n++] = from->all[i];
            if (has_enough(search, others + n))
                return 0;
        }
    *persons = others + n;
    return n;
}

mgl_status mgl_by_value_merge_persons(mgl_by_value_worker *worker, const mgl_by_value_table *source,
                                      mgl_error *err, mgl_by_value_table *out)
{
    const mgl_by_value *search = worker->search;
    size_t n = 0, most = link_sources(worker, source, out->n);
    if (search->frame.demand.size < most / out->n) /* a class meets no more of them */
        most = out->n * search->frame.demand.size;
    MGL_TRY(make_room(&out->ids, out->n, most, err));
    for (size_t class = 0; class < out->n; class ++) {
        uint64_t *record = out->records + (class + 1) * search->stride;
        uint64_t persons = mgl_by_value_second(search, record);
        out->ids.start[class] = (uint32_t)n;
        n += gather(worker, &source->ids, class, out->ids.all + n, &persons);
        mgl_by_value_set_second(search, record, persons);
    }
    out->ids.start[out->n] = (uint32_t)n;
    return MGL_OK;
}

/* ---- Suppressed rows -------------------------------------------------------------------- */

uint64_t mgl_by_value_bad_persons(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    uint64_t persons = 0;
    begin_meeting(worker);
    for (size_t i = 0; i < worker->n_bad && !has_enough(worker->search, persons); i++) {
        uint32_t class = worker->bad[i];
        const mgl_by_value_ids *ids = &table->ids;
        persons +=
            mgl_by_value_second(worker->search, mgl_by_value_record(worker->search, table, class)) -
            ids_of(ids, class);
        for (uint32_t j = ids->start[class]; j < ids->start[class + 1]; j++)
            persons += meet(worker, ids->all[j]);
    }
    return persons;
}

/* ---- Workers ---------------------------------------------------------------------------- */

mgl_status mgl_by_value_worker_persons(mgl_by_value_worker *worker, mgl_error *err)
{
    const mgl_frequency_list *list = worker->search->frame.problem->list;
    size_t n = list->n_tuples;
    worker->met = mgl_zeroed_array(list->persons->spread.n_ids, sizeof *worker->met);
    worker->goes_to = mgl_alloc_array(n, sizeof *worker->goes_to);
    worker->source_before = mgl_alloc_array(n, sizeof *worker->source_before);
    worker->last_source = mgl_alloc_array(n, sizeof *worker->last_source);
    worker->n_gathered = mgl_alloc_array(n, sizeof *worker->n_gathered);
    if (worker->met == NULL || worker->goes_to == NULL || worker->source_before == NULL ||
        worker->last_source == NULL || worker->n_gathered == NULL)
        return mgl_fail_memory(err);
    return MGL_OK;
}

void mgl_by_value_worker_free_persons(mgl_by_value_worker *worker)
{
    mgl_free(worker->met);
    mgl_free(worker->goes_to);
    mgl_free(worker->source_before);
    mgl_free(worker->last_source);
    mgl_free(worker->n_gathered);
}
