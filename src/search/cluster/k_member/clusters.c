/* Keeps clusters: their tuples, what they lose, and whether the models hold for them. grow.c and
 * left_over.c call it. */
#include "search/cluster/k_member/members.h"
#include "search/node/node.h"

bool mgl_member_is_late(mgl_member_clusters *c)
{
    double deadline = c->space->problem->deadline;
    c->timed_out = c->timed_out || (deadline > 0 && mgl_sys_seconds() > deadline);
    return c->timed_out;
}

/* ---- Judging ------------------------------------------------------------------------- */

bool mgl_member_holds(mgl_member_clusters *c, const uint32_t *tuples, size_t n, uint64_t rows)
{
    const mgl_quasi_set *set = &c->space->problem->sets[0];
    if (rows < c->need)
        return false;
    if (c->maker == NULL)
        return true;
    const mgl_group *group = mgl_group_maker_gather(c->maker, tuples, n);
    for (size_t i = 0; i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_CLASS &&
            !mgl_model_holds(&set->models[i], group))
            return false;
    return true;
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

/* ---- Clusters ------------------------------------------------------------------------ */

mgl_status mgl_member_clusters_new(const mgl_member_space *space, uint64_t need, mgl_error *err,
                                   mgl_member_clusters **out)
{
    mgl_member_clusters *c = mgl_zeroed_array(1, sizeof *c);
    if (c == NULL)
        return mgl_fail_memory(err);
    uint64_t size = mgl_demand_size(space->problem);
    *c = (mgl_member_clusters){.space = space, .need = need > size ? need : size};
    c->next = mgl_alloc_array(space->n, sizeof *c->next);
    c->scratch = mgl_alloc_array(space->n, sizeof *c->scratch);
    mgl_status status =
        c->next == NULL || c->scratch == NULL ? mgl_fail_memory(err) : read_models(c, err);
    if (status != MGL_OK) {
        mgl_member_clusters_free(c);
        return status;
    }
    *out = c;
    return MGL_OK;
}

void mgl_member_clusters_free(mgl_member_clusters *c)
{
    if (c == NULL)
        return;
    mgl_group_maker_free(c->maker);
    mgl_free(c->each);
    mgl_free(c->low);
    mgl_free(c->high);
    mgl_free(c->next);
    mgl_free(c->scratch);
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

bool mgl_member_add(mgl_member_clusters *c, const uint32_t *tuples, size_t n, bool holds)
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

void mgl_member_merge(mgl_member_clusters *c, uint32_t from, uint32_t to)
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
