/* Goes through the nodes of a lattice from the cheapest on, with a heap of those that may be next.
 * simple_bound.c calls it. */
#include "search/cell/bound/frontier.h"

static bool comes_before(const mgl_cell_frontier *f, uint32_t x, uint32_t y)
{
    uint32_t cost = f->costs[x], other = f->costs[y];
    return cost == other ? x < y : cost < other;
}

static bool grow(mgl_cell_frontier *f)
{
    if (f->n < f->capacity)
        return true;
    size_t wanted = f->capacity * 2 + 64;
    void *levels = mgl_realloc_array(f->levels, wanted, f->size);
    f->levels = levels != NULL ? levels : f->levels;
    void *costs = mgl_realloc_array(f->costs, wanted, sizeof *f->costs);
    f->costs = costs != NULL ? costs : f->costs;
    void *heap = mgl_realloc_array(f->heap, wanted, sizeof *f->heap);
    f->heap = heap != NULL ? heap : f->heap;
    if (levels == NULL || costs == NULL || heap == NULL)
        return false;
    f->capacity = wanted;
    return true;
}

/* A node's successors raise its last raised attribute or one after it, so that each node comes
 * once. */
static bool push(mgl_cell_frontier *f, const uint8_t *levels, uint16_t last)
{
    const mgl_box_space *s = f->space;
    if (!grow(f))
        return false;
    uint8_t *to = f->levels + f->n * f->size;
    memcpy(to, levels, s->m);
    memcpy(to + s->m, &last, sizeof last);
    f->costs[f->n] = 0;
    for (size_t a = 0; a < s->m; a++)
        f->costs[f->n] += s->attributes[a].least[levels[a]];
    size_t at = f->n_heap++;
    for (; at > 0 && comes_before(f, (uint32_t)f->n, f->heap[(at - 1) / 2]); at = (at - 1) / 2)
        f->heap[at] = f->heap[(at - 1) / 2];
    f->heap[at] = (uint32_t)f->n++;
    return true;
}

static void sift_down(mgl_cell_frontier *f)
{
    uint32_t moved = f->heap[0];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < f->n_heap; at = child) {
        if (child + 1 < f->n_heap && comes_before(f, f->heap[child + 1], f->heap[child]))
            child++;
        if (!comes_before(f, f->heap[child], moved))
            break;
        f->heap[at] = f->heap[child];
    }
    f->heap[at] = moved;
}

mgl_status mgl_cell_frontier_pop(mgl_cell_frontier *f, mgl_error *err, uint8_t *levels)
{
    const mgl_box_space *s = f->space;
    const uint8_t *from = f->levels + f->heap[0] * f->size;
    uint16_t last;
    memcpy(levels, from, s->m);
    memcpy(&last, from + s->m, sizeof last);
    f->heap[0] = f->heap[--f->n_heap];
    if (f->n_heap > 0)
        sift_down(f);
    for (size_t a = last; a < s->m; a++)
        if (levels[a] < s->attributes[a].high) {
            levels[a]++;
            bool pushed = push(f, levels, (uint16_t)a);
            levels[a]--;
            if (!pushed)
                return mgl_fail_memory(err);
        }
    return MGL_OK;
}

uint32_t mgl_cell_frontier_next(const mgl_cell_frontier *f)
{
    return f->n_heap > 0 ? f->costs[f->heap[0]] : f->space->top_cost;
}

mgl_status mgl_cell_frontier_begin(mgl_cell_frontier *f, const mgl_box_space *space, mgl_error *err)
{
    uint8_t lowest[MGL_MOST_COLUMNS];
    *f = (mgl_cell_frontier){.space = space, .size = space->m + sizeof(uint16_t)};
    mgl_box_begin(space, lowest);
    return push(f, lowest, 0) ? MGL_OK : mgl_fail_memory(err);
}

void mgl_cell_frontier_end(mgl_cell_frontier *f)
{
    mgl_free(f->levels);
    mgl_free(f->costs);
    mgl_free(f->heap);
}
