/* Complementary suppression by records: the suppressed rows are a class, and while it violates a
 * model the smallest other class joins it. price_by_value.c calls it under `keep`. */
#include "search/fulldomain/by_value/records.h"

/* Order of released tuples: by the first leaf of each cell, in QI order. */
static bool comes_before(const mgl_by_value_worker *worker, const uint64_t *a, const uint64_t *b)
{
    const mgl_branching *frame = &worker->search->frame;
    for (size_t i = 0; i < frame->problem->list->n_attributes; i++) {
        size_t c = 0;
        while (frame->columns[c]->attribute != i)
            c++;
        const mgl_released_value *values = frame->problem->columns[i]->values;
        uint32_t x = values[mgl_by_value_value_of(worker, c, a)].first_leaf;
        uint32_t y = values[mgl_by_value_value_of(worker, c, b)].first_leaf;
        if (x != y)
            return x < y;
    }
    return false;
}

/* Some of the classes: those of these numbers, or the first n. */
typedef struct some_classes {
    const mgl_by_value_table *table;
    const uint32_t *numbers; /* NULL: 0, 1, ... */
    size_t n;
} some_classes;

static size_t number_of(const some_classes *some, size_t i)
{
    return some->numbers != NULL ? some->numbers[i] : i;
}

static size_t find_smallest(const mgl_by_value_worker *worker, const some_classes *some)
{
    const mgl_by_value *search = worker->search;
    size_t least = SIZE_MAX;
    uint64_t least_size = 0;
    for (size_t j = 0; j < some->n; j++) {
        size_t i = number_of(some, j);
        const uint64_t *record = mgl_by_value_record(search, some->table, i);
        uint64_t size = mgl_by_value_size(search, record);
        if (worker->is_bad[i] || (least != SIZE_MAX && size > least_size))
            continue;
        if (least == SIZE_MAX || size < least_size ||
            comes_before(worker, record, mgl_by_value_record(search, some->table, least))) {
            least = i;
            least_size = size;
        }
    }
    return least;
}

static void join_top(mgl_by_value_worker *worker, const uint64_t *record)
{
    const mgl_by_value *search = worker->search;
    for (size_t w = search->words; w < search->words + search->n_add; w++)
        worker->top[w] += record[w];
    for (size_t w = search->words + search->n_add; w < search->stride; w++)
        worker->top[w] |= record[w];
    if (search->population) /* everybody matches a tuple of tops */
        mgl_by_value_set_second(search, worker->top, search->frame.problem->population->n_rows);
}

/* All other classes hold, and with the first that joins there are persons enough. It has no fewer
 * rows than the class with the fewest; and no more persons than that one has rows. */
bool mgl_by_value_join_is_clear(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                                uint64_t rows, bool *holds)
{
    const mgl_by_value *search = worker->search;
    uint64_t least = UINT64_MAX, limit = search->frame.limit;
    if (search->plain || search->n_sets > 0)
        return false;
    for (size_t i = 0, next_bad = 0; i < table->n; i++) {
        if (next_bad < worker->n_bad && worker->bad[next_bad] == i) {
            next_bad++;
            continue;
        }
        uint64_t size = mgl_by_value_size(search, mgl_by_value_record(search, table, i));
        least = size < least ? size : least;
    }
    *holds = least <= (limit - rows) / search->rows_of_person;
    return *holds || least > limit - rows;
}

bool mgl_by_value_bad_hold(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    memset(worker->top, 0, search->stride * sizeof *worker->top);
    for (size_t i = 0; i < worker->n_bad; i++)
        join_top(worker, mgl_by_value_record(search, table, worker->bad[i]));
    mgl_by_value_set_second(search, worker->top, mgl_by_value_bad_persons(worker, table));
    return mgl_by_value_class_holds(worker, worker->top);
}

/* A class that looks suppressed without being so is the only one there is: it is no case here. */
static bool join_some(mgl_by_value_worker *worker, const some_classes *some, uint64_t *rows)
{
    const mgl_by_value *search = worker->search;
    memset(worker->top, 0, search->stride * sizeof *worker->top);
    for (size_t j = 0; j < some->n; j++)
        if (worker->is_bad[number_of(some, j)])
            join_top(worker, mgl_by_value_record(search, some->table, number_of(some, j)));
    if (mgl_by_value_size(search, worker->top) == 0)
        return true;
    while (!mgl_by_value_class_holds(worker, worker->top)) {
        size_t next = find_smallest(worker, some);
        if (next == SIZE_MAX)
            return false;
        const uint64_t *record = mgl_by_value_record(search, some->table, next);
        *rows += mgl_by_value_size(search, record);
        if (*rows > search->frame.limit)
            return false;
        worker->is_bad[next] = true;
        worker->bad[worker->n_bad++] = (uint32_t)next;
        join_top(worker, record);
    }
    return true;
}

/* The classes of each past one after another, in by_past; past_start says where. */
static void sort_by_past(mgl_by_value_worker *worker, const mgl_by_value_table *table)
{
    const mgl_by_value *search = worker->search;
    size_t *start = worker->past_start;
    memset(start, 0, (search->n_pasts + 2) * sizeof *start);
    for (size_t i = 0; i < table->n; i++)
        start[mgl_by_value_past(search, mgl_by_value_record(search, table, i)) + 2]++;
    for (size_t past = 0; past < search->n_pasts; past++)
        start[past + 2] += start[past + 1];
    for (size_t i = 0; i < table->n; i++) { /* moves the starts to where they belong */
        uint32_t past = mgl_by_value_past(search, mgl_by_value_record(search, table, i));
        worker->by_past[start[past + 1]++] = (uint32_t)i;
    }
}

/* ---- Classes of several pasts --------------------------------------------------------- */

/* Do the suppressed rows of the past hold? */
static bool past_holds(mgl_by_value_worker *worker, const mgl_by_value_table *table, size_t past)
{
    const mgl_by_value *search = worker->search;
    memset(worker->top, 0, search->stride * sizeof *worker->top);
    for (size_t i = worker->past_start[past]; i < worker->past_start[past + 1]; i++)
        if (worker->is_bad[worker->by_past[i]])
            join_top(worker, mgl_by_value_record(search, table, worker->by_past[i]));
    return mgl_by_value_size(search, worker->top) == 0 ||
           mgl_by_value_class_holds(worker, worker->top);
}

/* Sizes of the classes that are not suppressed; 0: those that are. */
static void size_classes(mgl_by_value_worker *worker)
{
    const mgl_by_value_table *merged = &worker->merged;
    for (size_t c = 0; c < merged->n; c++)
        worker->sizes[c] =
            mgl_by_value_size(worker->search, mgl_by_value_record(worker->search, merged, c));
    for (size_t i = 0; i < worker->n_bad; i++)
        worker->sizes[worker->class_of[worker->bad[i]]] = 0;
}

static size_t smallest_of_classes(const mgl_by_value_worker *worker)
{
    const mgl_by_value_table *merged = &worker->merged;
    const uint64_t *sizes = worker->sizes;
    size_t least = SIZE_MAX;
    for (size_t c = 0; c < merged->n; c++)
        if (sizes[c] > 0 && (least == SIZE_MAX || sizes[c] < sizes[least] ||
                             (sizes[c] == sizes[least] &&
                              comes_before(worker, mgl_by_value_record(worker->search, merged, c),
                                           mgl_by_value_record(worker->search, merged, least)))))
            least = c;
    return least;
}

/* False if there is none, or the limit is passed. */
static bool join_smallest_class(mgl_by_value_worker *worker, const mgl_by_value_table *table,
                                uint64_t *rows)
{
    size_t class = smallest_of_classes(worker);
    if (class == SIZE_MAX)
        return false;
    *rows += worker->sizes[class];
    worker->sizes[class] = 0;
    for (size_t i = 0; i < table->n; i++)
        if (worker->class_of[i] == class) {
            worker->is_bad[i] = true;
            worker->bad[worker->n_bad++] = (uint32_t)i;
        }
    return *rows <= worker->search->frame.limit;
}

/* A class joins with the rows of all its pasts, and those of each must hold in the end. */
static bool join_whole(mgl_by_value_worker *worker, const mgl_by_value_table *table, uint64_t *rows)
{
    size_classes(worker);
    for (size_t past = 0; past < worker->search->n_pasts;) {
        if (past_holds(worker, table, past)) {
            past++;
            continue;
        }
        if (!join_smallest_class(worker, table, rows))
            return false;
        past = 0;
    }
    return true;
}

/* ---- Both ------------------------------------------------------------------------------ */

bool mgl_by_value_join(mgl_by_value_worker *worker, const mgl_by_value_table *table, uint64_t *rows)
{
    memset(worker->is_bad, 0, table->n);
    for (size_t i = 0; i < worker->n_bad; i++)
        worker->is_bad[worker->bad[i]] = true;
    some_classes some = {table, NULL, table->n};
    if (worker->search->history == MGL_BY_VALUE_NO_HISTORY)
        return join_some(worker, &some, rows);
    sort_by_past(worker, table);
    if (worker->search->history == MGL_BY_VALUE_ALL_PASTS)
        return join_whole(worker, table, rows);
    /* A class has one past, so that no past needs rows of another. */
    bool holds = true;
    for (size_t past = 0; holds && past < worker->search->n_pasts; past++) {
        size_t first = worker->past_start[past];
        some = (some_classes){table, worker->by_past + first, worker->past_start[past + 1] - first};
        holds = join_some(worker, &some, rows);
    }
    return holds;
}
