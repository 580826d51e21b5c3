/* Sorts the first tables by their keys. Tables that are rolled up from them keep the order of the
 * columns that come later in the key, so that classes of one kind lie side by side and are found
 * in a near cache. That pays where many tables are made of large ones. count_tables.c calls it. */
#include "search/fulldomain/by_size/counts.h"

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };
enum { MANY_NODES = 1 << 14 };  /* outside the block */
enum { SMALL_GROUP = 1 << 12 }; /* classes that are found in a near cache in any order */

/* A key, and the number of its record or the count of a packed table. */
typedef struct keyed {
    uint64_t key;
    uint32_t of;
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

/* The bits that keys are in order by: those of the first columns, which come last in the key, make
 * small groups that need none. */
static unsigned order_of(const mgl_by_size *search)
{
    size_t group = 1, c = 0;
    for (; c < search->frame.n_columns; c++) {
        group *= search->frame.columns[c]->levels[0].n_values;
        if (group > SMALL_GROUP)
            break;
    }
    return c < search->frame.n_columns ? 64 - search->frame.columns[c]->shift : 0;
}

/* By their first bits, digit by digit, the last first; *list and *other change places. Digits that
 * no key has are left out. */
static void sort_keys(keyed **list, keyed **other, size_t n, uint64_t mask, unsigned bits)
{
    for (unsigned shift = 64 - bits; shift < 64; shift += DIGIT_BITS) {
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

static uint32_t count_at(const mgl_by_size *search, const mgl_by_size_table *table, size_t i)
{
    uint32_t count = 0; /* only carried, as bytes */
    size_t lane = search->kernel->lane_size;
    memcpy(&count, table->records + table->n * sizeof(uint64_t) + i * lane, lane);
    return count;
}

static void sort_packed(const mgl_by_size *search, mgl_by_size_table *table, keyed *list,
                        keyed *other)
{
    size_t n = table->n, lane = search->kernel->lane_size;
    for (size_t i = 0; i < n; i++)
        list[i].of = count_at(search, table, i);
    sort_keys(&list, &other, n, table->mask, table->ordered);
    for (size_t i = 0; i < n; i++) {
        memcpy(record_at(search, table, i), &list[i].key, sizeof list[i].key);
        memcpy(table->records + n * sizeof(uint64_t) + i * lane, &list[i].of, lane);
    }
}

/* By way of `room`. */
static void sort_unpacked(const mgl_by_size *search, mgl_by_size_table *table, keyed *list,
                          keyed *other, char *room)
{
    size_t n = table->n, stride = search->stride;
    for (size_t i = 0; i < n; i++)
        list[i].of = (uint32_t)i;
    sort_keys(&list, &other, n, table->mask, table->ordered);
    for (size_t i = 0; i < n; i++)
        memcpy(room + i * stride, record_at(search, table, list[i].of), stride);
    memcpy(record_at(search, table, 0), room, n * stride);
}

/* A table that there is no memory for stays as it is: it serves as well, only more slowly. */
void mgl_by_size_sort(const mgl_by_size *search, unsigned bits, mgl_by_size_table *table)
{
    size_t n = table->n;
    if (n > UINT32_MAX || n * (2 * sizeof(keyed) + search->stride) > search->most_taken)
        return;
    keyed *list = mgl_alloc_array(n, sizeof *list), *other = mgl_alloc_array(n, sizeof *other);
    char *room = table->packed ? NULL : mgl_alloc_array(n, search->stride);
    if (list != NULL && other != NULL && (table->packed || room != NULL)) {
        table->ordered = bits;
        for (size_t i = 0; i < n; i++)
            memcpy(&list[i].key, record_at(search, table, i), sizeof list[i].key);
        if (table->packed)
            sort_packed(search, table, list, other);
        else
            sort_unpacked(search, table, list, other, room);
    }
    mgl_free(list);
    mgl_free(other);
    mgl_free(room);
}

/* The largest first. */
static void sort_first(void *context, size_t item, unsigned thread)
{
    const mgl_by_size *search = context;
    mgl_by_size_cached_table *first = &search->first[search->frame.n_columns - item];
    (void)thread;
    if (first->other == NULL && first->table.block != NULL)
        mgl_by_size_sort(search, order_of(search), &first->table);
}

void mgl_by_size_sort_first(mgl_by_size *search)
{
    size_t n = search->frame.n_columns;
    mgl_pool_run(mgl_by_size_helpers(search, search->first[n].table.n), n + 1, sort_first, search);
}
