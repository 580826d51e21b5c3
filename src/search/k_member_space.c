/* Places of values, and what is lost between them. */
#include "search/k_member.h"

#include "search/partition.h"

#include <math.h>

/* ---- The row of places -------------------------------------------------------------------- */

typedef struct builder {
    mgl_member_space *space;
    size_t a;
    const mgl_hierarchy *hierarchy;
    uint32_t *leaves;  /* [n_leaves] those that occur, in the order of their places */
    uint32_t *sorted;  /* [n_leaves] scratch */
    uint32_t *starts;  /* [n_leaves + 1] scratch */
    uint32_t *slot_of; /* [n_leaves]; before that, whether the leaf occurs */
    uint32_t n;
} builder;

static void *take(mgl_member_space *s, size_t n, size_t size)
{
    return mgl_arena_alloc(s->arena, n * size);
}

/* The leaves that occur. */
static void find_leaves(builder *b)
{
    const mgl_frequency_list *list = b->space->problem->list;
    memset(b->slot_of, 0, b->hierarchy->n_leaves * sizeof *b->slot_of);
    for (size_t t = 0; t < list->n_tuples; t++)
        b->slot_of[mgl_list_leaf(list, t, b->a)] = 1;
    for (uint32_t leaf = 0; leaf < b->hierarchy->n_leaves; leaf++)
        if (b->slot_of[leaf])
            b->leaves[b->n++] = leaf;
}

/* Sorts the leaves by their values on a level; equal ones stay in their order. */
static void sort_by_level(builder *b, const mgl_level *level)
{
    memset(b->starts, 0, (level->n_values + 1) * sizeof *b->starts);
    for (uint32_t i = 0; i < b->n; i++)
        b->starts[level->of_leaf[b->leaves[i]] + 1]++;
    for (uint32_t v = 0; v < level->n_values; v++)
        b->starts[v + 1] += b->starts[v];
    for (uint32_t i = 0; i < b->n; i++)
        b->sorted[b->starts[level->of_leaf[b->leaves[i]]]++] = b->leaves[i];
    memcpy(b->leaves, b->sorted, b->n * sizeof *b->leaves);
}

static mgl_status place_by_levels(builder *b, mgl_member_column *c, mgl_error *err)
{
    const mgl_hierarchy *h = b->hierarchy;
    uint32_t *cost = take(b->space, h->height + 1, sizeof *cost);
    c->low = b->space->problem->min_level[b->a];
    c->cost = cost;
    c->value = take(b->space, h->height + 1, sizeof *c->value);
    if (cost == NULL || c->value == NULL)
        return mgl_fail_memory(err);
    for (uint32_t l = 1; l < h->height; l++)
        sort_by_level(b, &h->levels[l]);
    for (uint32_t l = 0; l <= h->height; l++) {
        uint32_t *value = take(b->space, b->n, sizeof *value);
        if (value == NULL)
            return mgl_fail_memory(err);
        for (uint32_t i = 0; i < b->n; i++)
            value[i] = h->levels[l].of_leaf[b->leaves[i]];
        c->value[l] = value;
        cost[l] = (uint32_t)(((uint64_t)l * MGL_MEMBER_UNIT + h->height / 2) / h->height);
    }
    return MGL_OK;
}

static mgl_status place_on_scale(builder *b, mgl_member_column *c, const mgl_scale *scale,
                                 mgl_error *err)
{
    uint32_t *position = take(b->space, b->n, sizeof *position);
    uint32_t n = 0;
    if (position == NULL)
        return mgl_fail_memory(err);
    for (uint32_t i = 0; i < scale->n_ordered; i++)
        if (b->slot_of[scale->ordered[i]])
            b->sorted[n++] = scale->ordered[i];
    c->n_scaled = n;
    for (uint32_t i = 0; i < b->n; i++)
        if (scale->place_of[b->leaves[i]] == MGL_NOT_FOUND)
            b->sorted[n++] = b->leaves[i];
    memcpy(b->leaves, b->sorted, n * sizeof *b->leaves);
    double least = n > 0 ? scale->of_leaf[b->leaves[0]] : 0;
    double width = c->n_scaled > 0 ? scale->of_leaf[b->leaves[c->n_scaled - 1]] - least : 0;
    for (uint32_t i = 0; i < c->n_scaled && width > 0; i++)
        position[i] =
            (uint32_t)llround((scale->of_leaf[b->leaves[i]] - least) / width * MGL_MEMBER_UNIT);
    if (width <= 0)
        memset(position, 0, c->n_scaled * sizeof *position);
    c->position = position;
    return MGL_OK;
}

static mgl_status place_column(builder *b, mgl_error *err)
{
    mgl_member_column *c = &b->space->columns[b->a];
    mgl_scale *scale;
    find_leaves(b);
    *c = (mgl_member_column){.first = b->space->n_slots, .n_places = b->n};
    MGL_TRY(mgl_partition_scale(b->space->problem, b->a, err, &scale));
    mgl_status status =
        scale != NULL ? place_on_scale(b, c, scale, err) : place_by_levels(b, c, err);
    mgl_scale_free(scale);
    for (uint32_t i = 0; status == MGL_OK && i < b->n; i++)
        b->slot_of[b->leaves[i]] = c->first + i;
    b->space->n_slots += b->n;
    return status;
}

/* ---- The space ------------------------------------------------------------------------------ */

static mgl_status add_column(mgl_member_space *s, size_t a, uint32_t *slots, mgl_error *err)
{
    const mgl_frequency_list *list = s->problem->list;
    builder b = {.space = s, .a = a, .hierarchy = s->problem->columns[a]->hierarchy};
    b.leaves = mgl_alloc_array(b.hierarchy->n_leaves, sizeof *b.leaves);
    b.sorted = mgl_alloc_array(b.hierarchy->n_leaves, sizeof *b.sorted);
    b.starts = mgl_alloc_array((size_t)b.hierarchy->n_leaves + 1, sizeof *b.starts);
    b.slot_of = mgl_alloc_array(b.hierarchy->n_leaves, sizeof *b.slot_of);
    mgl_status status = MGL_OK;
    if (b.leaves == NULL || b.sorted == NULL || b.starts == NULL || b.slot_of == NULL)
        status = mgl_fail_memory(err);
    if (status == MGL_OK)
        status = place_column(&b, err);
    for (size_t t = 0; status == MGL_OK && t < s->n; t++)
        slots[t * s->m + a] = b.slot_of[mgl_list_leaf(list, t, a)];
    mgl_free(b.leaves);
    mgl_free(b.sorted);
    mgl_free(b.starts);
    mgl_free(b.slot_of);
    return status;
}

static mgl_status build(mgl_member_space *s, mgl_error *err)
{
    s->columns = take(s, s->m, sizeof *s->columns);
    uint32_t *slots = take(s, s->n * s->m, sizeof *slots);
    if (s->columns == NULL || slots == NULL)
        return mgl_fail_memory(err);
    s->slots = slots;
    for (size_t a = 0; a < s->m; a++)
        MGL_TRY(add_column(s, a, slots, err));
    return MGL_OK;
}

mgl_status mgl_member_space_new(const mgl_problem *problem, mgl_error *err, mgl_member_space **out)
{
    const mgl_frequency_list *list = problem->list;
    mgl_member_space *s = mgl_zeroed_array(1, sizeof *s);
    if (s == NULL)
        return mgl_fail_memory(err);
    *s = (mgl_member_space){.problem = problem,
                            .arena = mgl_arena_new(),
                            .n = list->n_tuples,
                            .m = list->n_attributes,
                            .counts = list->counts};
    mgl_status status = s->arena == NULL ? mgl_fail_memory(err) : build(s, err);
    if (status != MGL_OK) {
        mgl_member_space_free(s);
        return status;
    }
    *out = s;
    return MGL_OK;
}

void mgl_member_space_free(mgl_member_space *space)
{
    if (space == NULL)
        return;
    mgl_arena_free(space->arena);
    mgl_free(space);
}

/* ---- What is lost -----------------------------------------------------------------------------
 */

static uint32_t common_level(const mgl_member_column *c, uint32_t level, uint32_t i, uint32_t j)
{
    while (c->value[level][i] != c->value[level][j])
        level++;
    return level;
}

static uint32_t width_on_scale(const mgl_member_column *c, uint32_t low, uint32_t high)
{
    if (high >= c->n_scaled)
        return low == high ? 0 : MGL_MEMBER_UNIT;
    return c->position[high] - c->position[low];
}

uint32_t mgl_member_width(const mgl_member_space *space, size_t a, uint32_t low, uint32_t high)
{
    const mgl_member_column *c = &space->columns[a];
    low -= c->first;
    high -= c->first;
    if (c->position != NULL)
        return width_on_scale(c, low, high);
    return c->cost[common_level(c, c->low, low, high)];
}

void mgl_member_fill(const mgl_member_space *space, size_t a, uint32_t low, uint32_t high,
                     uint32_t *table)
{
    const mgl_member_column *c = &space->columns[a];
    table += c->first;
    low -= c->first;
    high -= c->first;
    if (c->position != NULL) {
        for (uint32_t i = 0; i < c->n_places; i++)
            table[i] = width_on_scale(c, i < low ? i : low, i > high ? i : high);
        return;
    }
    uint32_t inside = common_level(c, c->low, low, high);
    for (uint32_t i = low; i <= high; i++)
        table[i] = c->cost[inside];
    for (uint32_t i = high + 1, level = inside; i < c->n_places; i++)
        table[i] = c->cost[level = common_level(c, level, high, i)];
    for (uint32_t i = low, level = inside; i-- > 0;)
        table[i] = c->cost[level = common_level(c, level, i, low)];
}
