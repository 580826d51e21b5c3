/* Places tuples that no cluster could be made of: they join clusters, or take clusters in.
 * k_member.c calls it. */
#include "search/cluster/k_member/members.h"

#include <stdlib.h>

enum { TRIES = 64 }; /* clusters that a left-over tries to join */

/* What joining a cluster would add to the loss of all rows. */
typedef struct offer {
    uint64_t loss;
    uint32_t cluster;
} offer;

static int compare(const void *p, const void *q)
{
    const offer *x = p, *y = q;
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

/* What the other clusters of from..to-1 offer. */
static size_t find_offers(const mgl_member_clusters *c, uint32_t cluster, size_t from, size_t to,
                          bool all, offer *out)
{
    size_t n = 0;
    for (size_t i = from; i < to; i++)
        if (i != cluster && c->each[i].n_tuples > 0 && (all || c->each[i].holds))
            out[n++] = (offer){added_loss(c, cluster, (uint32_t)i), (uint32_t)i};
    return n;
}

/* Do the tuples of the clusters hold together? */
static bool hold_together(mgl_member_clusters *c, uint32_t cluster, const offer *others, size_t n)
{
    uint64_t rows = c->each[cluster].rows;
    size_t n_tuples = mgl_member_list(c, cluster, c->scratch);
    for (size_t i = 0; i < n; i++) {
        n_tuples += mgl_member_list(c, others[i].cluster, c->scratch + n_tuples);
        rows += c->each[others[i].cluster].rows;
    }
    return mgl_member_holds(c, c->scratch, n_tuples, rows);
}

static bool join_one(mgl_member_clusters *c, uint32_t cluster, size_t from, size_t to,
                     offer *offers)
{
    size_t n = find_offers(c, cluster, from, to, false, offers);
    for (size_t i = 0; i < n && i < TRIES; i++) {
        for (size_t j = i + 1; j < n; j++) /* the best of those not tried */
            if (compare(&offers[j], &offers[i]) < 0) {
                offer better = offers[j];
                offers[j] = offers[i];
                offers[i] = better;
            }
        if (c->upward || hold_together(c, cluster, &offers[i], 1)) {
            mgl_member_merge(c, cluster, offers[i].cluster);
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
            mgl_member_merge(c, i, first);
        else
            first = i;
    }
    if (first != MGL_NOT_FOUND)
        c->each[first].holds = hold_together(c, first, NULL, 0);
    return first != MGL_NOT_FOUND && !c->each[first].holds ? first : MGL_NOT_FOUND;
}

/* Does something to every cluster of from..to-1 that does not hold; *any tells whether it did to
 * one. */
typedef bool act_fn(mgl_member_clusters *c, uint32_t cluster, size_t from, size_t to,
                    offer *offers);
static mgl_status for_each(mgl_member_clusters *c, size_t from, size_t to, act_fn *act,
                           offer *offers, mgl_error *err, bool *any)
{
    *any = false;
    for (uint32_t i = (uint32_t)from; i < to; i++) {
        if (c->each[i].n_tuples == 0 || c->each[i].holds)
            continue;
        if (mgl_member_is_late(c)) {
            uint32_t rest = gather(c, from, to);
            *any = *any || (rest != MGL_NOT_FOUND && act(c, rest, from, to, offers));
            return MGL_OK;
        }
        *any = act(c, i, from, to, offers) || *any;
        MGL_TRY(mgl_progress_report(c->space->problem->progress, "search", c->n_done, c->space->n,
                                    err));
    }
    return MGL_OK;
}

mgl_status mgl_member_join(mgl_member_clusters *c, size_t from, size_t to, mgl_error *err)
{
    offer *offers = mgl_alloc_array(to - from, sizeof *offers);
    mgl_status status = offers == NULL ? mgl_fail_memory(err) : MGL_OK;
    bool any = true;
    while (status == MGL_OK && any) { /* a cluster that took one in may take others */
        status = for_each(c, from, to, join_one, offers, err, &any);
        any = any && !c->upward;
    }
    mgl_free(offers);
    return status;
}

/* Takes in ever more clusters at a time, so that a table of many is soon gone through. */
static bool mend_one(mgl_member_clusters *c, uint32_t cluster, size_t from, size_t to,
                     offer *offers)
{
    size_t n = find_offers(c, cluster, from, to, true, offers);
    if (n > 0)
        qsort(offers, n, sizeof *offers, compare);
    for (size_t taken = 0; taken < n;) {
        taken += 1 + taken / 8;
        taken = taken < n ? taken : n;
        if (!hold_together(c, cluster, offers, taken))
            continue;
        for (size_t i = 0; i < taken; i++)
            mgl_member_merge(c, offers[i].cluster, cluster);
        return c->each[cluster].holds = true;
    }
    return false;
}

mgl_status mgl_member_mend(mgl_member_clusters *c, size_t from, size_t to, mgl_error *err)
{
    offer *offers = mgl_alloc_array(to - from, sizeof *offers);
    bool any;
    mgl_status status =
        offers == NULL ? mgl_fail_memory(err) : for_each(c, from, to, mend_one, offers, err, &any);
    mgl_free(offers);
    return status;
}
