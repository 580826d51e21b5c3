/* Grows clusters: from the tuple furthest from the one placed last, by the tuple with which the
 * cluster loses least, until the models hold. k_member.c calls it. */
#include "search/cluster/k_member/members.h"

#include <stdlib.h>

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
} growing;

static mgl_status begin(growing *g, mgl_member_clusters *c, const uint32_t *tuples, size_t n,
                        mgl_error *err)
{
    const mgl_member_space *s = c->space;
    *g = (growing){.clusters = c, .space = s};
    g->box.low = mgl_alloc_array(s->m, sizeof *g->box.low);
    g->box.high = mgl_alloc_array(s->m, sizeof *g->box.high);
    g->box.table = mgl_alloc_array(s->n_slots, sizeof *g->box.table);
    g->members = mgl_alloc_array(n, sizeof *g->members);
    if (g->box.low == NULL || g->box.high == NULL || g->box.table == NULL || g->members == NULL)
        return mgl_fail_memory(err);
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
    mgl_free(g->box.low);
    mgl_free(g->box.high);
    mgl_free(g->box.table);
    mgl_free(g->members);
}

/* ---- One cluster --------------------------------------------------------------------- */

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
    return mgl_member_holds(g->clusters, g->members, g->n_members, g->box.rows);
}

/* False if there are no more tuples, or no more time, and it does not hold. */
static bool grow(growing *g)
{
    uint64_t next = g->clusters->need;
    g->n_members = 0;
    mgl_member_box_begin(g->space, g->last, &g->box);
    take(g, mgl_member_furthest(g->index, &g->box));
    mgl_member_box_begin(g->space, g->last, &g->box);
    while (!holds_now(g, &next)) {
        if (mgl_member_index_size(g->index) == 0 || mgl_member_is_late(g->clusters))
            return false;
        take(g, mgl_member_nearest(g->index, &g->box));
        mgl_member_box_widen(g->space, g->last, &g->box);
    }
    return true;
}

/* ---- All clusters -------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* The members of a cluster that does not hold, and all that were not placed: each by itself, or,
 * if there is no time to place them, all together. */
static bool add_rest(growing *g)
{
    mgl_member_clusters *c = g->clusters;
    mgl_member_index_tuples(g->index, g->members + g->n_members);
    size_t n = g->n_members + mgl_member_index_size(g->index), step = c->timed_out ? n : 1;
    if (n > 0)
        qsort(g->members, n, sizeof *g->members, ascending);
    for (size_t i = 0; i < n; i += step) {
        uint64_t rows = 0;
        for (size_t j = i; j < i + step; j++)
            rows += g->space->counts[g->members[j]];
        if (!mgl_member_add(c, g->members + i, step,
                            mgl_member_holds(c, g->members + i, step, rows)))
            return false;
    }
    return true;
}

static mgl_status grow_all(growing *g, size_t n, mgl_error *err)
{
    bool holds = true;
    while (holds && g->left_rows >= g->clusters->need && !mgl_member_is_late(g->clusters)) {
        holds = grow(g);
        if (holds && !mgl_member_add(g->clusters, g->members, g->n_members, true))
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
