/* Clumps, the classes in the making of a neighbourhood: tuples are put into them, join the one that
 * grows least and move where they cost less. The later steps of rebuild.c. */
#include "search/cell/improve/rebuild.h"

bool mgl_clump_holds(mgl_cell_rebuilder *p, const uint32_t *places, size_t n)
{
    if (!p->space->judged)
        return true;
    for (size_t i = 0; i < n; i++)
        p->judged[i] = p->tuples[places[i]];
    return mgl_box_holds(p->judge, p->judged, n);
}

static uint8_t *levels_of(mgl_cell_rebuilder *p, size_t number)
{
    return p->levels + number * p->space->m;
}

/* Fits the box to the members. */
static void fit(mgl_cell_rebuilder *p, size_t number)
{
    const mgl_box_space *s = p->space;
    mgl_clump *x = &p->clumps[number];
    uint8_t *levels = levels_of(p, number);
    mgl_box_begin(s, levels);
    x->rows = 0;
    x->around_known = false;
    for (uint32_t at = x->first; at != MGL_NOT_FOUND; at = p->next[at]) {
        x->rows += s->rows[p->tuples[at]];
        if (at != x->first)
            mgl_box_join(s, levels, p->tuples[x->first], p->tuples[at]);
        p->work++;
    }
    x->cost = x->first != MGL_NOT_FOUND ? mgl_box_cost(s, levels, p->tuples[x->first]) : 0;
}

static void put(mgl_cell_rebuilder *p, uint32_t at, size_t number)
{
    p->next[at] = p->clumps[number].first;
    p->clumps[number].first = at;
    p->clump_of[at] = (uint32_t)number;
}

void mgl_clump_begin(mgl_cell_rebuilder *p, const uint32_t *places, size_t n)
{
    size_t number = p->n_clumps++;
    p->clumps[number] = (mgl_clump){.first = MGL_NOT_FOUND};
    for (size_t i = 0; i < n; i++)
        put(p, places[i], number);
    fit(p, number);
}

/* ---- What is left ------------------------------------------------------------------------ */

/* The places of a clump, and one more if there is one, into chosen. */
static size_t list_clump(mgl_cell_rebuilder *p, size_t number, uint32_t more, uint32_t less)
{
    size_t n = 0;
    for (uint32_t at = p->clumps[number].first; at != MGL_NOT_FOUND; at = p->next[at])
        if (at != less)
            p->chosen[n++] = at;
    if (more != MGL_NOT_FOUND)
        p->chosen[n++] = more;
    return n;
}

static bool may_join(mgl_cell_rebuilder *p, size_t number, uint32_t at)
{
    return !p->space->judged ||
           mgl_clump_holds(p, p->chosen, list_clump(p, number, at, MGL_NOT_FOUND));
}

/* What the clump would cost more with the tuple; no less than `too_much` if it is at least that. */
static int64_t growth(const mgl_cell_rebuilder *p, size_t number, uint32_t at, uint64_t too_much)
{
    const mgl_box_space *s = p->space;
    const mgl_clump *x = &p->clumps[number];
    uint64_t before = x->cost * x->rows, rows = x->rows + s->rows[p->tuples[at]];
    uint64_t most = (before + too_much) / rows; /* for a row, as long as it pays */
    uint32_t cost =
        mgl_box_cost_with(s, p->levels + number * s->m, p->tuples[x->first], p->tuples[at],
                          most < UINT32_MAX ? (uint32_t)most : UINT32_MAX);
    return (int64_t)(cost * rows) - (int64_t)before;
}

/* The clump other than its own that would grow least, and by less than *least. */
static size_t find_host(mgl_cell_rebuilder *p, uint32_t at, int64_t *least)
{
    size_t host = SIZE_MAX;
    p->work += p->n_clumps * 2;
    for (size_t i = 0; i < p->n_clumps; i++) {
        if (i == p->clump_of[at] || p->clumps[i].first == MGL_NOT_FOUND)
            continue;
        int64_t more = growth(p, i, at, (uint64_t)*least);
        if (more < *least && may_join(p, i, at)) {
            *least = more;
            host = i;
        }
    }
    return host;
}

bool mgl_clumps_place_rest(mgl_cell_rebuilder *p)
{
    for (uint32_t at = 0; at < p->n; at++) {
        if (p->clump_of[at] != MGL_NOT_FOUND)
            continue;
        int64_t least = INT64_MAX;
        size_t host = find_host(p, at, &least);
        if (host == SIZE_MAX)
            return false;
        put(p, at, host);
        fit(p, host);
    }
    return true;
}

/* ---- Moving tuples ------------------------------------------------------------------------- */

static void leave(mgl_cell_rebuilder *p, uint32_t at)
{
    uint32_t *link = &p->clumps[p->clump_of[at]].first;
    while (*link != at)
        link = &p->next[*link];
    *link = p->next[at];
}

/* For each member of a clump the boxes around those ahead of it and around those behind it: the
 * box without it is the one around both. */
static void know_around(mgl_cell_rebuilder *p, mgl_clump *x)
{
    const mgl_box_space *s = p->space;
    size_t m = s->m, n = 0;
    mgl_box_begin(s, p->scratch);
    for (uint32_t at = x->first; at != MGL_NOT_FOUND; at = p->next[at]) {
        memcpy(p->ahead + at * m, p->scratch, m);
        mgl_box_join(s, p->scratch, p->tuples[x->first], p->tuples[at]);
        p->chosen[n++] = at;
    }
    for (size_t i = n; i-- > 0;) {
        uint8_t *levels = p->behind + p->chosen[i] * m;
        mgl_box_begin(s, levels);
        if (i + 1 == n)
            continue;
        memcpy(levels, p->behind + p->chosen[i + 1] * m, m);
        if (i + 2 < n)
            mgl_box_join(s, levels, p->tuples[p->chosen[i + 1]], p->tuples[p->chosen[i + 2]]);
    }
    p->work += 2 * n;
    x->around_known = true;
}

/* What the clump saves without the tuple. */
static int64_t saving(mgl_cell_rebuilder *p, uint32_t at)
{
    const mgl_box_space *s = p->space;
    mgl_clump *x = &p->clumps[p->clump_of[at]];
    uint32_t next = p->next[at], left = x->first != at ? x->first : next;
    if (!x->around_known)
        know_around(p, x);
    const uint8_t *ahead = p->ahead + at * s->m, *behind = p->behind + at * s->m;
    for (size_t a = 0; a < s->m; a++)
        p->scratch[a] = ahead[a] > behind[a] ? ahead[a] : behind[a];
    if (x->first != at && next != MGL_NOT_FOUND)
        mgl_box_join(s, p->scratch, p->tuples[x->first], p->tuples[next]);
    uint64_t rows = x->rows - s->rows[p->tuples[at]];
    p->work++;
    return (int64_t)(x->cost * x->rows) -
           (int64_t)(mgl_box_cost(s, p->scratch, p->tuples[left]) * rows);
}

static bool may_leave(mgl_cell_rebuilder *p, uint32_t at)
{
    const mgl_clump *x = &p->clumps[p->clump_of[at]];
    if (x->rows < p->space->need + (uint64_t)p->space->rows[p->tuples[at]] ||
        p->next[x->first] == MGL_NOT_FOUND)
        return false;
    return !p->space->judged ||
           mgl_clump_holds(p, p->chosen, list_clump(p, p->clump_of[at], MGL_NOT_FOUND, at));
}

bool mgl_clumps_move_tuples(mgl_cell_rebuilder *p)
{
    bool moved = false;
    for (uint32_t at = 0; at < p->n; at++) {
        if (!may_leave(p, at))
            continue;
        int64_t least = saving(p, at);
        size_t from = p->clump_of[at], host = find_host(p, at, &least);
        if (host == SIZE_MAX)
            continue;
        leave(p, at);
        put(p, at, host);
        fit(p, from);
        fit(p, host);
        moved = true;
    }
    return moved;
}
