/* Sorts the first tables by their keys. Tables that are rolled up from them keep the order of the
 * columns that come later in the key, so that classes of one kind lie side by side and are found
 * in a near cache. That pays where many tables are made of large ones. count_tables.c calls it. */
#include "search/fulldomain/by_size/counts.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
enum { ALL_ORDERED = 59 };     /* bits of a key, without those of the lane */
enum { MANY_NODES = 1 << 14 }; /* outside the block */

/* A key and the number of its record. */
typedef struct keyed {
    uint64_t key;
    uint32_t from;
} keyed;

bool mgl_by_size_sorting_pays(const mgl_by_size *search)
{
    uint64_t nodes = 1;
    for (size_t c = 0; c < search->frame.n_columns && nodes < MANY_NODES; c++)
        nodes *= search->frame.columns[c]->n_levels;
    return nodes >= MANY_NODES && search->frame.words == 1 && search->n_planes == 0 &&
           mgl_by_size_is_large(search->frame.problem);
}

static char *record_at(const mgl_by_size *search, const mgl_by_size_table *table, size_t i)
{
    return table->packed ? table->records + i * sizeof(uint64_t)
                         : table->records + (i + 1) * search->stride;
}

/* Digit by digit, the last first; *list and *other change places. Digits that no key has are left
 * out. */
static void sort_keys(keyed **list, keyed **other, size_t n, uint64_t mask)
{
    for (unsigned shift = 0; shift < 64; shift += DIGIT_BITS) {
        if ((mask >> shift) % DIGITS == 0)
            continue;
        size_t at[DIGITS] = {0}, first = 0;
        for (size_t i = 0; i < n; i++)
            at[((*list)[i].key >> shift) % DIGITS]++;
        for (size_t digit = 0; digit < DIGITS; digit++) {
            size_t count = at[digit];
            at[digit] = first;
            first += count;
        }
        for (size_t i = 0; i < n; i++)
            (*other)[at[((*list)[i].key >> shift) % DIGITS]++] = (*list)[i];
        keyed *sorted = *other;
        *other = *list;
        *list = sorted;
    }
}

/* Brings the records into the order of the list, by way of `room`. */
static void put_in_order(const mgl_by_size *search, mgl_by_size_table *table, const keyed *list,
                         char *room)
{
    size_t n = table->n, lane = search->kernel->lane_size;
    if (!table->packed) {
        for (size_t i = 0; i < n; i++)
            memcpy(room + i * search->stride, record_at(search, table, list[i].from),
                   search->stride);
        memcpy(record_at(search, table, 0), room, n * search->stride);
        return;
    }
    char *counts = table->records + n * sizeof(uint64_t);
    for (size_t i = 0; i < n; i++)
        memcpy(room + i * lane, counts + list[i].from * lane, lane);
    memcpy(counts, room, n * lane);
    for (size_t i = 0; i < n; i++)
        memcpy(record_at(search, table, i), &list[i].key, sizeof list[i].key);
}

static void sort_records(const mgl_by_size *search, mgl_by_size_table *table, keyed *list,
                         keyed *other, char *room)
{
    for (size_t i = 0; i < table->n; i++) {
        memcpy(&list[i].key, record_at(search, table, i), sizeof list[i].key);
        list[i].from = (uint32_t)i;
    }
    sort_keys(&list, &other, table->n, table->mask);
    put_in_order(search, table, list, room);
    table->ordered = ALL_ORDERED;
}

/* A table that there is no memory for stays as it is: it serves as well, only more slowly. */
void mgl_by_size_sort(const mgl_by_size *search, mgl_by_size_table *table)
{
    size_t n = table->n;
    if (n > UINT32_MAX || n * (2 * sizeof(keyed) + search->stride) > search->most_taken)
        return;
    keyed *list = mgl_alloc_array(n, sizeof *list), *other = mgl_alloc_array(n, sizeof *other);
    char *room = mgl_alloc_array(n, search->stride);
    if (list != NULL && other != NULL && room != NULL)
        sort_records(search, table, list, other, room);
    mgl_free(list);
    mgl_free(other);
    mgl_free(room);
}

static void sort_first(void *context, size_t depth, unsigned thread)
{
    const mgl_by_size *search = context;
    mgl_by_size_cached_table *first = &search->first[depth];
    (void)thread;
    if (first->other == NULL && first->table.block != NULL)
        mgl_by_size_sort(search, &first->table);
}

void mgl_by_size_sort_first(mgl_by_size *search)
{
    size_t n = search->frame.n_columns;
    mgl_pool_run(mgl_by_size_helpers(search, search->first[n].table.n), n + 1, sort_first, search);
}
