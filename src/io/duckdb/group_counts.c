/* A concurrent hash table that counts combinations of numbers: it is divided by their hashes, each
 * division with a lock, so that threads rarely wait and each combination is stored once. */
#include "io/duckdb/group_counts.h"

#include "base/base.h"

#include <pthread.h>
#include <string.h>

enum { PART_BITS = 6, PARTS = 1 << PART_BITS, FIRST_SLOTS = 64 };

typedef struct part {
    pthread_mutex_t lock;
    uint32_t *numbers; /* [n][n_columns] */
    uint64_t *times;   /* [n] */
    uint32_t *slots;   /* [mask + 1] numbers of groups from 1; 0: free */
    size_t n, mask, room, room_times;
} part;

struct mgl_group_counts {
    size_t n_columns;
    part parts[PARTS];
};

static void empty_part(part *p)
{
    mgl_free(p->numbers);
    mgl_free(p->times);
    mgl_free(p->slots);
    p->numbers = NULL;
    p->times = NULL;
    p->slots = NULL;
    p->n = 0;
}

void mgl_group_counts_free(mgl_group_counts *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < PARTS; i++) {
        empty_part(&c->parts[i]);
        pthread_mutex_destroy(&c->parts[i].lock);
    }
    mgl_free(c);
}

mgl_group_counts *mgl_group_counts_new(size_t n_columns)
{
    mgl_group_counts *c = mgl_zeroed_array(1, sizeof *c);
    if (c == NULL)
        return NULL;
    c->n_columns = n_columns;
    for (size_t i = 0; i < PARTS; i++)
        pthread_mutex_init(&c->parts[i].lock, NULL);
    return c;
}

static uint64_t hash_of(const uint32_t *numbers, size_t n_columns)
{
    return mgl_hash(numbers, n_columns * sizeof *numbers);
}

/* Room for one more group; no more than half of the slots are taken. */
static bool make_room(part *p, size_t n_columns)
{
    if (!mgl_grow(&p->numbers, &p->room, (p->n + 1) * n_columns, sizeof *p->numbers) ||
        !mgl_grow(&p->times, &p->room_times, p->n + 1, sizeof *p->times))
        return false;
    if (p->slots != NULL && 2 * p->n <= p->mask)
        return true;
    size_t n_slots = p->slots == NULL ? FIRST_SLOTS : 2 * (p->mask + 1);
    uint32_t *slots = mgl_zeroed_array(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    mgl_free(p->slots);
    p->slots = slots;
    p->mask = n_slots - 1;
    for (size_t g = 0; g < p->n; g++) {
        size_t at = hash_of(p->numbers + g * n_columns, n_columns) & p->mask;
        while (slots[at] != 0)
            at = (at + 1) & p->mask;
        slots[at] = (uint32_t)g + 1;
    }
    return true;
}

static bool count_row(part *p, size_t n_columns, const uint32_t *row, uint64_t hash)
{
    size_t size = n_columns * sizeof *row, at = hash & p->mask;
    for (; p->slots != NULL && p->slots[at] != 0; at = (at + 1) & p->mask)
        if (memcmp(p->numbers + (p->slots[at] - 1) * n_columns, row, size) == 0) {
            p->times[p->slots[at] - 1]++;
            return true;
        }
    if (!make_room(p, n_columns))
        return false;
    for (at = hash & p->mask; p->slots[at] != 0;)
        at = (at + 1) & p->mask;
    memcpy(p->numbers + p->n * n_columns, row, size);
    p->times[p->n++] = 1;
    p->slots[at] = (uint32_t)p->n;
    return true;
}

/* The rows of one part, one after the other. */
static bool count_rows(mgl_group_counts *c, part *p, const uint32_t *rows, const uint64_t *hashes,
                       const uint16_t *list, size_t n)
{
    bool counted = true;
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; p->slots != NULL && i < n; i++)
        __builtin_prefetch(&p->slots[hashes[list[i]] & p->mask]);
    for (size_t i = 0; counted && i < n; i++)
        counted = count_row(p, c->n_columns, rows + list[i] * c->n_columns, hashes[list[i]]);
    pthread_mutex_unlock(&p->lock);
    return counted;
}

bool mgl_group_counts_add(mgl_group_counts *c, const uint32_t *rows, size_t n)
{
    uint64_t hashes[MGL_COUNTED_AT_ONCE];
    uint16_t list[MGL_COUNTED_AT_ONCE], starts[PARTS + 1] = {0}, at[PARTS];
    for (size_t i = 0; i < n; i++) {
        hashes[i] = hash_of(rows + i * c->n_columns, c->n_columns);
        starts[(hashes[i] >> (64 - PART_BITS)) + 1]++;
    }
    for (size_t p = 0; p < PARTS; p++) {
        at[p] = starts[p];
        starts[p + 1] = (uint16_t)(starts[p + 1] + starts[p]);
    }
    for (size_t i = 0; i < n; i++)
        list[at[hashes[i] >> (64 - PART_BITS)]++] = (uint16_t)i;
    for (size_t p = 0; p < PARTS; p++)
        if (starts[p + 1] > starts[p] &&
            !count_rows(c, &c->parts[p], rows, hashes, list + starts[p], starts[p + 1] - starts[p]))
            return false;
    return true;
}

bool mgl_group_counts_drain(mgl_group_counts *c, mgl_group_fn *visit, void *context)
{
    for (size_t i = 0; i < PARTS; i++) {
        part *p = &c->parts[i];
        for (size_t g = 0; g < p->n; g++)
            if (!visit(context, p->numbers + g * c->n_columns, p->times[g]))
                return false;
        empty_part(p);
    }
    return true;
}
