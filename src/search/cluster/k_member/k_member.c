/* k-member clustering (Byun, Kamra, Bertino and Li 2007): classes of hardly more rows than the
 * models need, each as close together as a greedy search makes it. A row of the table of
 * methods. */
#include "search/cluster/k_member/members.h"
#include "search/cluster/partition/partition.h"
#include "search/cluster/k_member/k_member.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

#include <math.h>
#include <stdlib.h>

/* Places the values of each column in a row, so that what is lost between tuples depends on the
 * outermost values alone. */

typedef struct builder {
    mgl_member_space *space;
    size_t a; /* of the problem */
    const mgl_hierarchy *hierarchy;
    uint32_t *leaves; /* [n_leaves] those that occur, in the order of their places */
    uint32_t *sorted; /* [n_leaves] scratch */
    uint32_t *starts; /* [n_leaves + 1] scratch */
    uint32_t *at;     /* [n_leaves] slot or position; before that, whether the leaf occurs */
    uint32_t n;
    mgl_owned own;
} builder;

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
    uint32_t *run = mgl_own_array(&b->space->own, b->n, sizeof *run);
    uint32_t *starts = mgl_own_array(&b->space->own, (size_t)b->n + 1, sizeof *starts), n = 0;
    MGL_TRY(mgl_owned_check(&b->space->own, err));
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
    uint32_t *cost = mgl_own_array(&b->space->own, (size_t)h->height + 1, sizeof *cost);
    *c = (mgl_member_column){
        .low = b->space->problem->min_level[b->a],
        .height = h->height,
        .first = b->space->n_slots,
        .cost = cost,
        .run = mgl_own_array(&b->space->own, (size_t)h->height + 1, sizeof *c->run),
        .starts = mgl_own_array(&b->space->own, (size_t)h->height + 1, sizeof *c->starts)};
    MGL_TRY(mgl_owned_check(&b->space->own, err));
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
    b.leaves = mgl_own_array(&b.own, b.hierarchy->n_leaves, sizeof *b.leaves);
    b.sorted = mgl_own_array(&b.own, b.hierarchy->n_leaves, sizeof *b.sorted);
    b.starts = mgl_own_array(&b.own, (size_t)b.hierarchy->n_leaves + 1, sizeof *b.starts);
    b.at = mgl_own_array(&b.own, b.hierarchy->n_leaves, sizeof *b.at);
    mgl_status status = b.own.missing ? mgl_fail_memory(err) : place(&b, scale, column, err, at);
    mgl_owned_free(&b.own);
    return status;
}

static mgl_status build(mgl_member_space *s, mgl_scale **scales, mgl_error *err)
{
    s->columns = mgl_own_array(&s->own, s->m, sizeof *s->columns);
    uint32_t *at = mgl_own_array(&s->own, s->n * s->m, sizeof *at);
    MGL_TRY(mgl_owned_check(&s->own, err));
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
    mgl_scale *scales[MGL_MOST_COLUMNS] = {NULL};
    mgl_member_space *s;
    MGL_TRY(mgl_new_zeroed(1, sizeof *s, err, &s));
    *s = (mgl_member_space){
        .problem = problem, .n = list->n_tuples, .m = list->n_attributes, .counts = list->counts};
    mgl_status status = MGL_OK;
    MGL_GO(build(s, scales, err));
    *out = s;
    s = NULL;
done:
    for (size_t a = 0; a < list->n_attributes; a++)
        mgl_scale_free(scales[a]);
    mgl_member_space_free(s);
    return status;
}

void mgl_member_space_free(mgl_member_space *space)
{
    if (space == NULL)
        return;
    mgl_owned_free(&space->own);
    mgl_free(space);
}

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

/* The box of one tuple alone. */
static void member_box_begin(const mgl_member_space *s, uint32_t tuple, mgl_member_box *box)
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

static void member_box_widen(const mgl_member_space *s, uint32_t tuple, mgl_member_box *box)
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

/* Keeps clusters: their tuples, what they lose, and whether the models hold for them. */

/* Did the deadline come? */
static bool is_late(mgl_member_clusters *c)
{
    double deadline = c->space->problem->deadline;
    c->timed_out = c->timed_out || (deadline > 0 && mgl_sys_seconds() > deadline);
    return c->timed_out;
}

/* Do all class-wise models hold for these tuples, which have so many rows? */
static bool member_holds(mgl_member_clusters *c, const uint32_t *tuples, size_t n, uint64_t rows)
{
    if (rows < c->need || c->maker == NULL)
        return rows >= c->need;
    return mgl_set_holds(c->space->problem->sets, mgl_group_maker_gather(c->maker, tuples, n));
}

/* What the models of the problem allow. */
static mgl_status read_models(mgl_member_clusters *c, mgl_error *err)
{
    const mgl_problem *p = c->space->problem;
    const mgl_quasi_set *set = &p->sets[0];
    bool histograms = p->list->persons != NULL;
    c->upward = c->mergeable = true;
    for (size_t i = 0; i < set->n_models; i++) {
        const mgl_model_type *type = set->models[i].type;
        if (type->scope != MGL_SCOPE_CLASS)
            continue;
        histograms = histograms || mgl_needs_histograms(type);
        c->upward = c->upward && type->upward_closed;
        c->mergeable = c->mergeable && type->union_closed;
    }
    /* A person with rows in two clusters counts once in their union. */
    c->mergeable = c->upward || (c->mergeable && p->list->persons == NULL);
    return histograms ? mgl_group_maker_new(p->list, err, &c->maker) : MGL_OK;
}

mgl_status mgl_member_clusters_new(const mgl_member_space *space, uint64_t need, mgl_error *err,
                                   mgl_member_clusters **out)
{
    mgl_member_clusters *c;
    MGL_TRY(mgl_new_zeroed(1, sizeof *c, err, &c));
    uint64_t size = mgl_demand_size(space->problem);
    *c = (mgl_member_clusters){.space = space, .need = need > size ? need : size};
    mgl_status status = MGL_OK;
    c->next = mgl_own_array(&c->own, space->n, sizeof *c->next);
    c->scratch = mgl_own_array(&c->own, space->n, sizeof *c->scratch);
    MGL_GO(mgl_owned_check(&c->own, err));
    MGL_GO(read_models(c, err));
    *out = c;
    c = NULL;
done:
    mgl_member_clusters_free(c);
    return status;
}

void mgl_member_clusters_free(mgl_member_clusters *c)
{
    if (c == NULL)
        return;
    mgl_group_maker_free(c->maker);
    mgl_free(c->each);
    mgl_free(c->low);
    mgl_free(c->high);
    mgl_owned_free(&c->own);
    mgl_free(c);
}

static bool make_room(mgl_member_clusters *c)
{
    size_t m = c->space->m, needed = (c->n + 1) * m, highs = c->bounds_room;
    if (!mgl_grow(&c->each, &c->room, c->n + 1, sizeof *c->each))
        return false;
    if (needed <= c->bounds_room)
        return true;
    /* Both have the same room, or the smaller one's counts. */
    size_t lows = c->bounds_room;
    if (!mgl_grow(&c->low, &lows, needed, sizeof *c->low) ||
        !mgl_grow(&c->high, &highs, needed, sizeof *c->high))
        return false;
    c->bounds_room = lows < highs ? lows : highs;
    return true;
}

static uint64_t width_of(const mgl_member_clusters *c, uint32_t cluster)
{
    const uint32_t *low = c->low + cluster * c->space->m, *high = c->high + cluster * c->space->m;
    uint64_t width = 0;
    for (size_t a = 0; a < c->space->m; a++)
        width += mgl_member_width(c->space, a, low[a], high[a]);
    return width;
}

/* A cluster of these tuples, in any order. False: memory is out. */
static bool add(mgl_member_clusters *c, const uint32_t *tuples, size_t n, bool holds)
{
    const mgl_member_space *s = c->space;
    if (!make_room(c))
        return false;
    uint32_t number = (uint32_t)c->n++;
    mgl_member_cluster *k = &c->each[number];
    uint32_t *low = c->low + number * s->m, *high = c->high + number * s->m;
    *k = (mgl_member_cluster){.head = tuples[0], .n_tuples = (uint32_t)n, .holds = holds};
    memcpy(low, mgl_member_at(s, tuples[0]), s->m * sizeof *low);
    memcpy(high, low, s->m * sizeof *high);
    for (size_t i = 0; i < n; i++) {
        const uint32_t *at = mgl_member_at(s, tuples[i]);
        c->next[tuples[i]] = i + 1 < n ? tuples[i + 1] : MGL_NOT_FOUND;
        k->rows += s->counts[tuples[i]];
        for (size_t a = 0; a < s->m; a++) {
            low[a] = at[a] < low[a] ? at[a] : low[a];
            high[a] = at[a] > high[a] ? at[a] : high[a];
        }
    }
    k->width = width_of(c, number);
    return true;
}

/* All tuples of one cluster join another one. */
static void merge(mgl_member_clusters *c, uint32_t from, uint32_t to)
{
    size_t m = c->space->m;
    mgl_member_cluster *x = &c->each[from], *y = &c->each[to];
    uint32_t last = x->head;
    while (c->next[last] != MGL_NOT_FOUND)
        last = c->next[last];
    c->next[last] = y->head;
    y->head = x->head;
    y->rows += x->rows;
    y->n_tuples += x->n_tuples;
    for (size_t a = 0; a < m; a++) {
        uint32_t *low = &c->low[to * m + a], *high = &c->high[to * m + a];
        *low = c->low[from * m + a] < *low ? c->low[from * m + a] : *low;
        *high = c->high[from * m + a] > *high ? c->high[from * m + a] : *high;
    }
    y->width = width_of(c, to);
    *x = (mgl_member_cluster){.head = MGL_NOT_FOUND};
}

size_t mgl_member_list(const mgl_member_clusters *c, uint32_t cluster, uint32_t *out)
{
    size_t n = 0;
    for (uint32_t t = c->each[cluster].head; t != MGL_NOT_FOUND; t = c->next[t])
        out[n++] = t;
    return n;
}

/* Grows clusters: from the tuple furthest from the one placed last, by the tuple with which the
 * cluster loses least, until the models hold. */

/* A large cluster is judged again when it has grown by one in so many. */
enum { REJUDGE = 64 };

typedef struct growing {
    mgl_member_clusters *clusters;
    const mgl_member_space *space;
    mgl_member_index *index;
    mgl_member_box box; /* around the members of the cluster that grows */
    uint32_t *members;
    size_t n_members;
    uint64_t left_rows; /* of the tuples that are not placed */
    uint32_t last;      /* tuple that was placed last */
    mgl_owned own;
} growing;

static mgl_status begin(growing *g, mgl_member_clusters *c, const uint32_t *tuples, size_t n,
                        mgl_error *err)
{
    const mgl_member_space *s = c->space;
    *g = (growing){.clusters = c, .space = s};
    g->box.low = mgl_own_array(&g->own, s->m, sizeof *g->box.low);
    g->box.high = mgl_own_array(&g->own, s->m, sizeof *g->box.high);
    g->box.table = mgl_own_array(&g->own, s->n_slots, sizeof *g->box.table);
    g->members = mgl_own_array(&g->own, n, sizeof *g->members);
    MGL_TRY(mgl_owned_check(&g->own, err));
    g->last = tuples[0];
    for (size_t i = 0; i < n; i++) {
        g->left_rows += s->counts[tuples[i]];
        if (s->counts[tuples[i]] > s->counts[g->last])
            g->last = tuples[i]; /* the most frequent one */
    }
    return mgl_member_index_new(s, tuples, n, err, &g->index);
}

static void end(growing *g)
{
    mgl_member_index_free(g->index);
    mgl_owned_free(&g->own);
}

static void take(growing *g, uint32_t tuple)
{
    g->members[g->n_members++] = tuple;
    g->left_rows -= g->space->counts[tuple];
    g->last = tuple;
    mgl_member_index_remove(g->index, tuple);
}

/* Does the cluster hold now? Of a large one this is not asked for every tuple, unless it is the
 * last one. */
static bool holds_now(growing *g, uint64_t *next)
{
    if (g->box.rows < *next && mgl_member_index_size(g->index) > 0)
        return false;
    *next = g->box.rows + (g->clusters->maker != NULL ? g->box.rows / REJUDGE : 0);
    return member_holds(g->clusters, g->members, g->n_members, g->box.rows);
}

/* False if there are no more tuples, or no more time, and it does not hold. */
static bool grow(growing *g)
{
    uint64_t next = g->clusters->need;
    g->n_members = 0;
    member_box_begin(g->space, g->last, &g->box);
    take(g, mgl_member_furthest(g->index, &g->box));
    member_box_begin(g->space, g->last, &g->box);
    while (!holds_now(g, &next)) {
        if (mgl_member_index_size(g->index) == 0 || is_late(g->clusters))
            return false;
        take(g, mgl_member_nearest(g->index, &g->box));
        member_box_widen(g->space, g->last, &g->box);
    }
    return true;
}

/* The members of a cluster that does not hold, and all that were not placed: each by itself, or,
 * if there is no time to place them, all together. */
static bool add_rest(growing *g)
{
    mgl_member_clusters *c = g->clusters;
    mgl_member_index_tuples(g->index, g->members + g->n_members);
    size_t n = g->n_members + mgl_member_index_size(g->index), step = c->timed_out ? n : 1;
    if (n > 0)
        mgl_sort_u32(g->members, n);
    for (size_t i = 0; i < n; i += step) {
        uint64_t rows = 0;
        for (size_t j = i; j < i + step; j++)
            rows += g->space->counts[g->members[j]];
        if (!add(c, g->members + i, step, member_holds(c, g->members + i, step, rows)))
            return false;
    }
    return true;
}

static mgl_status grow_all(growing *g, size_t n, mgl_error *err)
{
    bool holds = true;
    while (holds && g->left_rows >= g->clusters->need && !is_late(g->clusters)) {
        holds = grow(g);
        if (holds && !add(g->clusters, g->members, g->n_members, true))
            return mgl_fail_memory(err);
        MGL_TRY(mgl_progress_report(g->space->problem->progress, "search",
                                    g->clusters->n_done + n - mgl_member_index_size(g->index),
                                    g->space->n, err));
    }
    g->n_members = holds ? 0 : g->n_members;
    g->clusters->n_done += n;
    return add_rest(g) ? MGL_OK : mgl_fail_memory(err);
}

mgl_status mgl_member_grow(mgl_member_clusters *clusters, const uint32_t *tuples, size_t n,
                           mgl_error *err)
{
    growing g;
    mgl_status status = begin(&g, clusters, tuples, n, err);
    if (status == MGL_OK)
        status = grow_all(&g, n, err);
    end(&g);
    return status;
}

/* Places tuples that no cluster could be made of: they join clusters, or take clusters in. */

enum { TRIES = 64 }; /* clusters that a left-over tries to join */

/* What joining a cluster would add to the loss of all rows. */
typedef struct candidate {
    uint64_t loss;
    uint32_t cluster;
} candidate;

static int compare(const void *p, const void *q)
{
    const candidate *x = p, *y = q;
    if (x->loss != y->loss)
        return x->loss < y->loss ? -1 : 1;
    return (x->cluster > y->cluster) - (x->cluster < y->cluster);
}

/* What two clusters lose together beyond what they lose by themselves. */
static uint64_t added_loss(const mgl_member_clusters *c, uint32_t x, uint32_t y)
{
    const mgl_member_space *s = c->space;
    const mgl_member_cluster *k = &c->each[x], *l = &c->each[y];
    uint64_t width = 0;
    for (size_t a = 0; a < s->m; a++) {
        uint32_t low = c->low[x * s->m + a], high = c->high[x * s->m + a];
        low = c->low[y * s->m + a] < low ? c->low[y * s->m + a] : low;
        high = c->high[y * s->m + a] > high ? c->high[y * s->m + a] : high;
        width += mgl_member_width(s, a, low, high);
    }
    return width * (k->rows + l->rows) - k->width * k->rows - l->width * l->rows;
}

/* The clusters of from..to-1 that may join. */
static size_t find_candidates(const mgl_member_clusters *c, uint32_t cluster, size_t from,
                              size_t to, bool all, candidate *out)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        if (i != cluster && c->each[i].n_tuples > 0 && (all || c->each[i].holds))
            out[n++] = (candidate){added_loss(c, cluster, (uint32_t)i), (uint32_t)i};
    return n;
}

/* Do the tuples of the clusters hold together? */
static bool hold_together(mgl_member_clusters *c, uint32_t cluster, const candidate *others,
                          size_t n)
{
    uint64_t rows = c->each[cluster].rows;
    size_t n_tuples = mgl_member_list(c, cluster, c->scratch);
    for (size_t i = 0; i < n; i++) {
        n_tuples += mgl_member_list(c, others[i].cluster, c->scratch + n_tuples);
        rows += c->each[others[i].cluster].rows;
    }
    return member_holds(c, c->scratch, n_tuples, rows);
}

static bool join_one(mgl_member_clusters *c, uint32_t cluster, size_t from, size_t to,
                     candidate *candidates)
{
    size_t n = find_candidates(c, cluster, from, to, false, candidates);
    for (size_t i = 0; i < n && i < TRIES; i++) {
        for (size_t j = i + 1; j < n; j++) /* the best of those not tried */
            if (compare(&candidates[j], &candidates[i]) < 0) {
                candidate better = candidates[j];
                candidates[j] = candidates[i];
                candidates[i] = better;
            }
        if (c->upward || hold_together(c, cluster, &candidates[i], 1)) {
            merge(c, cluster, candidates[i].cluster);
            return true;
        }
    }
    return false;
}

/* There is no more time: what does not hold is one cluster. Its number, or MGL_NOT_FOUND if it
 * holds then. */
static uint32_t gather(mgl_member_clusters *c, size_t from, size_t to)
{
    uint32_t first = MGL_NOT_FOUND;
    for (uint32_t i = (uint32_t)from; i < to; i++) {
        if (c->each[i].n_tuples == 0 || c->each[i].holds)
            continue;
        if (first != MGL_NOT_FOUND)
            merge(c, i, first);
        else
            first = i;
    }
    if (first != MGL_NOT_FOUND)
        c->each[first].holds = hold_together(c, first, NULL, 0);
    return first != MGL_NOT_FOUND && !c->each[first].holds ? first : MGL_NOT_FOUND;
}

/* Does something to every cluster of from..to-1 that does not hold; *any is set if it did to
 * one. */
typedef bool act_fn(mgl_member_clusters *c, uint32_t cluster, size_t from, size_t to,
                    candidate *candidates);
static mgl_status for_each(mgl_member_clusters *c, size_t from, size_t to, act_fn *act,
                           candidate *candidates, mgl_error *err, bool *any)
{
    *any = false;
    for (uint32_t i = (uint32_t)from; i < to; i++) {
        if (c->each[i].n_tuples == 0 || c->each[i].holds)
            continue;
        if (is_late(c)) {
            uint32_t rest = gather(c, from, to);
            *any = *any || (rest != MGL_NOT_FOUND && act(c, rest, from, to, candidates));
            return MGL_OK;
        }
        *any = act(c, i, from, to, candidates) || *any;
        MGL_TRY(mgl_progress_report(c->space->problem->progress, "search", c->n_done, c->space->n,
                                    err));
    }
    return MGL_OK;
}

mgl_status mgl_member_join(mgl_member_clusters *c, size_t from, size_t to, mgl_error *err)
{
    candidate *candidates = mgl_alloc_array(to - from, sizeof *candidates);
    mgl_status status = candidates == NULL ? mgl_fail_memory(err) : MGL_OK;
    bool any = true;
    while (status == MGL_OK && any) { /* a cluster that took one in may take others */
        status = for_each(c, from, to, join_one, candidates, err, &any);
        any = any && !c->upward;
    }
    mgl_free(candidates);
    return status;
}

/* Takes in ever more clusters at a time, so that a table of many is soon gone through. */
static bool mend_one(mgl_member_clusters *c, uint32_t cluster, size_t from, size_t to,
                     candidate *candidates)
{
    size_t n = find_candidates(c, cluster, from, to, true, candidates);
    if (n > 0)
        qsort(candidates, n, sizeof *candidates, compare);
    for (size_t taken = 0; taken < n;) {
        taken += 1 + taken / 8;
        taken = taken < n ? taken : n;
        if (!hold_together(c, cluster, candidates, taken))
            continue;
        for (size_t i = 0; i < taken; i++)
            merge(c, candidates[i].cluster, cluster);
        return c->each[cluster].holds = true;
    }
    return false;
}

/* The same the other way round: what does not hold takes in others until it does, if it ever
 * does. */
static mgl_status member_mend(mgl_member_clusters *c, size_t from, size_t to, mgl_error *err)
{
    candidate *candidates = mgl_alloc_array(to - from, sizeof *candidates);
    bool any;
    mgl_status status = candidates == NULL ? mgl_fail_memory(err)
                                           : for_each(c, from, to, mend_one, candidates, err, &any);
    mgl_free(candidates);
    return status;
}

/* Tuples that may be in one cluster, and the clusters made of them. */
typedef struct range {
    size_t from, to;
} range;

typedef struct clustering {
    const mgl_problem *problem;
    mgl_member_space *space;
    mgl_member_clusters *clusters;
    uint32_t *block_of_tuple; /* [n] */
    uint32_t *tuples;         /* [n] block by block, ascending */
    range *tuples_of;         /* [n_blocks] */
    range *clusters_of;       /* [n_blocks] */
    size_t n_blocks;
    mgl_owned own;
} clustering;

static mgl_status prepare(clustering *w, mgl_error *err)
{
    const mgl_problem *p = w->problem;
    size_t n = p->list->n_tuples;
    if (p->list->n_rows > UINT64_MAX / MGL_MEMBER_UNIT / p->list->n_attributes)
        return mgl_fail_key(err, MGL_CODE_LIMIT, "method",
                            "the table has too many rows for k-member");
    MGL_TRY(mgl_member_space_new(p, err, &w->space));
    w->block_of_tuple = mgl_own_array(&w->own, n, sizeof *w->block_of_tuple);
    w->tuples = mgl_own_array(&w->own, n, sizeof *w->tuples);
    MGL_TRY(mgl_owned_check(&w->own, err));
    MGL_TRY(mgl_partition_widest(p, err, w->block_of_tuple, &w->n_blocks));
    w->tuples_of = mgl_own_zeroed(&w->own, w->n_blocks + 1, sizeof *w->tuples_of);
    w->clusters_of = mgl_own_zeroed(&w->own, w->n_blocks, sizeof *w->clusters_of);
    MGL_TRY(mgl_owned_check(&w->own, err));
    for (size_t t = 0; t < n; t++)
        w->tuples_of[w->block_of_tuple[t] + 1].from++;
    for (size_t i = 0; i < w->n_blocks; i++) {
        w->tuples_of[i + 1].from += w->tuples_of[i].from;
        w->tuples_of[i].to = w->tuples_of[i].from;
    }
    for (size_t t = 0; t < n; t++)
        w->tuples[w->tuples_of[w->block_of_tuple[t]].to++] = (uint32_t)t;
    return MGL_OK;
}

static mgl_status mend(clustering *w, mgl_error *err)
{
    for (size_t i = 0; i < w->n_blocks; i++)
        MGL_TRY(member_mend(w->clusters, w->clusters_of[i].from, w->clusters_of[i].to, err));
    return MGL_OK;
}

/* May all rows be suppressed that are in clusters that do not hold? Rows that are kept must hold
 * as a class themselves. */
static bool may_suppress(const clustering *w)
{
    const mgl_problem *p = w->problem;
    uint64_t rows = 0;
    for (size_t i = 0; i < w->clusters->n; i++)
        rows += w->clusters->each[i].holds ? 0 : w->clusters->each[i].rows;
    return p->treatment != MGL_KEEP && rows <= p->limit && rows < p->list->n_rows;
}

static mgl_status make_clusters(clustering *w, uint64_t need, mgl_error *err)
{
    mgl_member_clusters_free(w->clusters);
    w->clusters = NULL;
    MGL_TRY(mgl_member_clusters_new(w->space, need, err, &w->clusters));
    for (size_t i = 0; i < w->n_blocks; i++) {
        range *made = &w->clusters_of[i];
        const range *tuples = &w->tuples_of[i];
        made->from = w->clusters->n;
        MGL_TRY(
            mgl_member_grow(w->clusters, w->tuples + tuples->from, tuples->to - tuples->from, err));
        made->to = w->clusters->n;
        MGL_TRY(mgl_member_join(w->clusters, made->from, made->to, err));
    }
    return may_suppress(w) ? MGL_OK : mend(w, err);
}

/* Clusters that read alike are one class, which need not hold because they do. Joins them; *any is
 * set if one does not hold now. */
static mgl_status join_alike(clustering *w, const mgl_recoding *recoding, mgl_error *err, bool *any)
{
    size_t m = recoding->n_attributes;
    mgl_member_clusters *c = w->clusters;
    mgl_classes classes = {0};
    uint32_t *n_values = mgl_alloc_array(m, sizeof *n_values);
    mgl_status status = n_values == NULL ? mgl_fail_memory(err)
                                         : mgl_classes_init(&classes, recoding->n_tuples, m, err);
    *any = false;
    if (status == MGL_OK) {
        for (size_t a = 0; a < m; a++)
            n_values[a] = recoding->columns[a]->n_values;
        mgl_classes_group(&classes, recoding->cells, n_values, NULL, m, w->problem->list->counts);
        for (size_t t = 0; t < recoding->n_tuples; t++) {
            uint32_t from = w->block_of_tuple[t];
            uint32_t to = w->block_of_tuple[classes.first[classes.of_tuple[t]]];
            if (from == to || c->each[from].n_tuples == 0)
                continue;
            merge(c, from, to);
            c->each[to].holds =
                member_holds(c, c->scratch, mgl_member_list(c, to, c->scratch), c->each[to].rows);
            *any = *any || !c->each[to].holds;
        }
    }
    mgl_classes_free(&classes);
    mgl_free(n_values);
    return status;
}

/* A release of the clusters. */
static mgl_status settle(clustering *w, mgl_error *err, mgl_recoding **out)
{
    for (;;) {
        bool any = false;
        const mgl_member_clusters *c = w->clusters;
        for (size_t i = 0; i < c->n; i++)
            for (uint32_t t = c->each[i].head; t != MGL_NOT_FOUND; t = c->next[t])
                w->block_of_tuple[t] = (uint32_t)i;
        MGL_TRY(mgl_partition_recode(w->problem, w->block_of_tuple, c->n, err, out));
        mgl_status status = w->clusters->mergeable ? MGL_OK : join_alike(w, *out, err, &any);
        if (status == MGL_OK && !any)
            return MGL_OK;
        mgl_recoding_free(*out);
        *out = NULL;
        MGL_TRY(status);
        MGL_TRY(mend(w, err));
    }
}

/* Models of the whole table are not looked at while clusters grow; larger ones may help. */
static mgl_status search(clustering *w, mgl_error *err, mgl_solution *out)
{
    mgl_problem limited = *w->problem;
    mgl_status status;
    limited.limited = true;
    uint64_t need = 1;
    do {
        mgl_recoding *recoding = NULL;
        MGL_TRY(make_clusters(w, need, err));
        MGL_TRY(settle(w, err, &recoding));
        mgl_recoding_free(out->recoding);
        out->recoding = NULL;
        status = mgl_solution_take_partition(out, &limited, recoding, err);
        need = w->clusters->need + w->clusters->need / 2 + 1;
    } while (status == MGL_UNMET && mgl_judges_table(w->problem) &&
             w->clusters->need < w->problem->list->n_rows && !w->clusters->timed_out);
    if (status == MGL_UNMET && w->problem->treatment == MGL_EXEMPT)
        status = mgl_solution_take_widest(out, &limited, err);
    return status;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    if (problem->n_sets > 1)
        return mgl_sets_run(&mgl_k_member, problem, err, out);
    clustering w = {.problem = problem};
    mgl_status status = MGL_OK;
    MGL_GO(prepare(&w, err));
    MGL_GO(search(&w, err, out));
    out->timed_out = w.clusters->timed_out;
done:
    if (status == MGL_UNMET)
        status = mgl_fail_no_release(problem, mgl_k_member.name, err);
    mgl_member_clusters_free(w.clusters);
    mgl_member_space_free(w.space);
    mgl_owned_free(&w.own);
    return status;
}

const mgl_method_type mgl_k_member = {
    .name = "k-member",
    .help = "clusters of hardly more rows than the models need, each grown by the tuple that loses "
            "least (Byun and others 2007)",
    .when = "classes shall be small and even, or numbers without a hierarchy become ranges",
    .cost = "a look into a tree of tuples for each distinct tuple, on one thread",
    .several_sets = true,
    .own_values = true,
    .run = run,
};
