/* Places the values of each column in a row, so that what is lost between tuples depends on the
 * outermost values alone. */
#include "search/cluster/k_member/members.h"
#include "search/cluster/partition/partition.h"

#include <math.h>

/* ---- Columns released by their levels ------------------------------------------------ */

typedef struct builder {
    mgl_member_space *space;
    size_t a; /* of the problem */
    const mgl_hierarchy *hierarchy;
    uint32_t *leaves; /* [n_leaves] those that occur, in the order of their places */
    uint32_t *sorted; /* [n_leaves] scratch */
    uint32_t *starts; /* [n_leaves + 1] scratch */
    uint32_t *at;     /* [n_leaves] slot or position; before that, whether the leaf occurs */
    uint32_t n;
} builder;

static void *take(mgl_member_space *s, size_t n, size_t size)
{
    return mgl_arena_alloc(s->arena, n * size);
}

static void find_leaves(builder *b)
{
    const mgl_frequency_list *list = b->space->problem->list;
    memset(b->at, 0, b->hierarchy->n_leaves * sizeof *b->at);
    for (size_t t = 0; t < list->n_tuples; t++)
        b->at[mgl_list_leaf(list, t, b->a)] = 1;
    for (uint32_t leaf = 0; leaf < b->hierarchy->n_leaves; leaf++)
        if (b->at[leaf])
            b->leaves[b->n++] = leaf;
}

/* Sorts the leaves by their values on a level; equal ones stay in their order. */
static void sort_by_level(builder *b, const mgl_level *level)
{
    memset(b->starts, 0, ((size_t)level->n_values + 1) * sizeof *b->starts);
    for (uint32_t i = 0; i < b->n; i++)
        b->starts[level->of_leaf[b->leaves[i]] + 1]++;
    for (uint32_t v = 0; v < level->n_values; v++)
        b->starts[v + 1] += b->starts[v];
    for (uint32_t i = 0; i < b->n; i++)
        b->sorted[b->starts[level->of_leaf[b->leaves[i]]]++] = b->leaves[i];
    memcpy(b->leaves, b->sorted, b->n * sizeof *b->leaves);
}

static mgl_status find_runs(builder *b, mgl_member_column *c, uint32_t l, mgl_error *err)
{
    const mgl_level *level = &b->hierarchy->levels[l];
    uint32_t *run = take(b->space, b->n, sizeof *run);
    uint32_t *starts = take(b->space, (size_t)b->n + 1, sizeof *starts), n = 0;
    if (run == NULL || starts == NULL)
        return mgl_fail_memory(err);
    for (uint32_t i = 0; i < b->n; i++) {
        if (i == 0 || level->of_leaf[b->leaves[i]] != level->of_leaf[b->leaves[i - 1]])
            starts[n++] = c->first + i;
        run[i] = n - 1;
    }
    starts[n] = c->first + b->n;
    c->run[l] = run;
    c->starts[l] = starts;
    return MGL_OK;
}

static mgl_status place_by_levels(builder *b, mgl_member_column *c, mgl_error *err)
{
    const mgl_hierarchy *h = b->hierarchy;
    uint32_t *cost = take(b->space, (size_t)h->height + 1, sizeof *cost);
    *c = (mgl_member_column){.low = b->space->problem->min_level[b->a],
                             .height = h->height,
                             .first = b->space->n_slots,
                             .cost = cost,
                             .run = take(b->space, (size_t)h->height + 1, sizeof *c->run),
                             .starts = take(b->space, (size_t)h->height + 1, sizeof *c->starts)};
    if (cost == NULL || c->run == NULL || c->starts == NULL)
        return mgl_fail_memory(err);
    for (uint32_t l = 1; l < h->height; l++)
        sort_by_level(b, &h->levels[l]);
    for (uint32_t l = 0; l <= h->height; l++) {
        cost[l] = (uint32_t)(((uint64_t)l * MGL_MEMBER_UNIT + h->height / 2) / h->height);
        MGL_TRY(find_runs(b, c, l, err));
    }
    for (uint32_t i = 0; i < b->n; i++)
        b->at[b->leaves[i]] = c->first + i;
    b->space->n_slots += b->n;
    return MGL_OK;
}

/* ---- Columns released as ranges ------------------------------------------------------ */

static void place_on_scale(builder *b, const mgl_scale *scale)
{
    double least = INFINITY, most = -INFINITY;
    uint32_t off = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        double number = scale->of_leaf[b->leaves[i]];
        least = number < least ? number : least; /* false for what is no number */
        most = number > most ? number : most;
    }
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t leaf = b->leaves[i];
        if (scale->place_of[leaf] == MGL_NOT_FOUND)
            b->at[leaf] = 2 * MGL_MEMBER_UNIT * ++off;
        else if (most > least)
            b->at[leaf] = (uint32_t)llround((scale->of_leaf[leaf] - least) / (most - least) *
                                            MGL_MEMBER_UNIT);
        else
            b->at[leaf] = 0;
    }
}

/* ---- The space ----------------------------------------------------------------------- */

static mgl_status place(builder *b, const mgl_scale *scale, size_t column, mgl_error *err,
                        uint32_t *at)
{
    mgl_member_space *s = b->space;
    find_leaves(b);
    if (scale != NULL)
        place_on_scale(b, scale);
    else
        MGL_TRY(place_by_levels(b, &s->columns[column], err));
    for (size_t t = 0; t < s->n; t++)
        at[t * s->m + column] = b->at[mgl_list_leaf(s->problem->list, t, b->a)];
    return MGL_OK;
}

static mgl_status add_column(mgl_member_space *s, size_t a, const mgl_scale *scale, size_t column,
                             mgl_error *err, uint32_t *at)
{
    builder b = {.space = s, .a = a, .hierarchy = s->problem->columns[a]->hierarchy};
    b.leaves = mgl_alloc_array(b.hierarchy->n_leaves, sizeof *b.leaves);
    b.sorted = mgl_alloc_array(b.hierarchy->n_leaves, sizeof *b.sorted);
    b.starts = mgl_alloc_array((size_t)b.hierarchy->n_leaves + 1, sizeof *b.starts);
    b.at = mgl_alloc_array(b.hierarchy->n_leaves, sizeof *b.at);
    mgl_status status = b.leaves == NULL || b.sorted == NULL || b.starts == NULL || b.at == NULL
                            ? mgl_fail_memory(err)
                            : place(&b, scale, column, err, at);
    mgl_free(b.leaves);
    mgl_free(b.sorted);
    mgl_free(b.starts);
    mgl_free(b.at);
    return status;
}

static mgl_status build(mgl_member_space *s, mgl_scale **scales, mgl_error *err)
{
    s->columns = take(s, s->m, sizeof *s->columns);
    uint32_t *at = take(s, s->n * s->m, sizeof *at);
    if (s->columns == NULL || at == NULL)
        return mgl_fail_memory(err);
    s->at = at;
    for (size_t a = 0; a < s->m; a++) {
        MGL_TRY(mgl_partition_scale(s->problem, a, err, &scales[a]));
        s->n_levels += scales[a] == NULL;
    }
    size_t by_levels = 0, as_ranges = s->n_levels;
    for (size_t a = 0; a < s->m; a++) {
        size_t column = scales[a] == NULL ? by_levels++ : as_ranges++;
        MGL_TRY(add_column(s, a, scales[a], column, err, at));
    }
    return MGL_OK;
}

mgl_status mgl_member_space_new(const mgl_problem *problem, mgl_error *err, mgl_member_space **out)
{
    const mgl_frequency_list *list = problem->list;
    mgl_member_space *s = mgl_zeroed_array(1, sizeof *s);
    mgl_scale **scales = mgl_zeroed_array(list->n_attributes, sizeof *scales);
    if (s == NULL || scales == NULL) {
        mgl_free(s);
        mgl_free(scales);
        return mgl_fail_memory(err);
    }
    *s = (mgl_member_space){.problem = problem,
                            .arena = mgl_arena_new(),
                            .n = list->n_tuples,
                            .m = list->n_attributes,
                            .counts = list->counts};
    mgl_status status = s->arena == NULL ? mgl_fail_memory(err) : build(s, scales, err);
    for (size_t a = 0; a < s->m; a++)
        mgl_scale_free(scales[a]);
    mgl_free(scales);
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

/* ---- Boxes --------------------------------------------------------------------------- */

static void fill(uint32_t *table, uint32_t from, uint32_t to, uint32_t cost)
{
    for (uint32_t i = from; i < to; i++)
        table[i] = cost;
}

/* The run of a level that has the slot: from its first slot up to another one. */
static uint32_t run_of(const mgl_member_column *c, uint32_t level, uint32_t slot, uint32_t *end)
{
    uint32_t run = c->run[level][slot - c->first];
    *end = c->starts[level][run + 1];
    return c->starts[level][run];
}

void mgl_member_box_begin(const mgl_member_space *s, uint32_t tuple, mgl_member_box *box)
{
    const uint32_t *at = mgl_member_at(s, tuple);
    memcpy(box->low, at, s->m * sizeof *at);
    memcpy(box->high, at, s->m * sizeof *at);
    for (size_t a = 0; a < s->n_levels; a++) {
        const mgl_member_column *c = &s->columns[a];
        uint32_t end, from = run_of(c, c->low, at[a], &end);
        fill(box->table, from, end, c->cost[c->low]);
        for (uint32_t l = c->low + 1; l <= c->height; l++) {
            uint32_t wider_end, wider = run_of(c, l, at[a], &wider_end);
            fill(box->table, wider, from, c->cost[l]);
            fill(box->table, end, wider_end, c->cost[l]);
            from = wider;
            end = wider_end;
        }
    }
    box->rows = s->counts[tuple];
}

void mgl_member_box_widen(const mgl_member_space *s, uint32_t tuple, mgl_member_box *box)
{
    const uint32_t *at = mgl_member_at(s, tuple);
    for (size_t a = 0; a < s->m; a++) {
        if (at[a] >= box->low[a] && at[a] <= box->high[a])
            continue;
        uint32_t before = mgl_member_width(s, a, box->low[a], box->high[a]);
        box->low[a] = at[a] < box->low[a] ? at[a] : box->low[a];
        box->high[a] = at[a] > box->high[a] ? at[a] : box->high[a];
        uint32_t width = mgl_member_width(s, a, box->low[a], box->high[a]);
        if (a >= s->n_levels || width == before)
            continue;
        /* What is not under the common value has with it in common what it had before. */
        const mgl_member_column *c = &s->columns[a];
        uint32_t end, from = run_of(c, mgl_member_level(c, box->low[a], box->high[a]), at[a], &end);
        fill(box->table, from, end, width);
    }
    box->rows += s->counts[tuple];
}
