/* A concurrent hash table that counts combinations of numbers: it is divided by their hashes, each
 * division with a lock, so that threads rarely wait and each combination is stored once. */
#include "io/duckdb/group_counts.h"

#include "base/base.h"

#include <pthread.h>

enum { PART_BITS = 6, PARTS = 1 << PART_BITS };

typedef struct part {
    pthread_mutex_t lock;
    mgl_key_index groups;
    uint64_t *times; /* [groups.n] */
    size_t room;
} part;

struct mgl_group_counts {
    size_t n_columns;
    part parts[PARTS];
};

static void empty_part(part *p)
{
    mgl_key_index_free(&p->groups);
    mgl_free(p->times);
    p->times = NULL;
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
    for (size_t i = 0; i < PARTS; i++) {
        c->parts[i].groups.size = n_columns * sizeof(uint32_t);
        pthread_mutex_init(&c->parts[i].lock, NULL);
    }
    return c;
}

static bool count_row(part *p, const uint32_t *row, uint64_t hash)
{
    uint32_t n = p->groups.n;
    if (!mgl_grow(&p->times, &p->room, (size_t)n + 1, sizeof *p->times))
        return false;
    uint32_t group = mgl_key_index_add_hashed(&p->groups, row, hash);
    if (group == MGL_NOT_FOUND)
        return false;
    p->times[group] = group == n ? 1 : p->times[group] + 1;
    return true;
}

/* The rows of one part, one after the other. */
static bool count_rows(mgl_group_counts *c, part *p, const uint32_t *rows, const uint64_t *hashes,
                       const uint16_t *list, size_t n)
{
    bool counted = true;
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < n; i++)
        mgl_key_index_fetch(&p->groups, hashes[list[i]]);
    for (size_t i = 0; counted && i < n; i++)
        counted = count_row(p, rows + list[i] * c->n_columns, hashes[list[i]]);
    pthread_mutex_unlock(&p->lock);
    return counted;
}

bool mgl_group_counts_add(mgl_group_counts *c, const uint32_t *rows, size_t n)
{
    uint64_t hashes[MGL_COUNTED_AT_ONCE];
    uint16_t list[MGL_COUNTED_AT_ONCE], starts[PARTS + 1] = {0}, at[PARTS];
    for (size_t i = 0; i < n; i++) {
        hashes[i] = mgl_hash(rows + i * c->n_columns, c->n_columns * sizeof *rows);
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
        const uint32_t *numbers = p->groups.keys;
        for (size_t g = 0; g < p->groups.n; g++)
            if (!visit(context, numbers + g * c->n_columns, p->times[g]))
                return false;
        empty_part(p);
    }
    return true;
}
