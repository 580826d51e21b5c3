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

static void put(mgl_cell_rebuilder *p, uint32_t at, size_t number)
{
    p->next[at] = p->clumps[number].first;
    p->clumps[number].first = at;
    p->clump_of[at] = (uint32_t)number;
}

/* One more member: the box grows as it must. */
static void join(mgl_cell_rebuilder *p, uint32_t at, size_t number)
{
    const mgl_box_space *s = p->space;
    mgl_clump *x = &p->clumps[number];
    if (x->first != MGL_NOT_FOUND)
        mgl_box_join(s, levels_of(p, number), p->tuples[x->first], p->tuples[at]);
    put(p, at, number);
    x->rows += s->rows[p->tuples[at]];
    x->cost = mgl_box_cost(s, levels_of(p, number), p->tuples[at]);
    x->lone_known = false;
    p->work++;
}

void mgl_clump_begin(mgl_cell_rebuilder *p, const uint32_t *places, size_t n)
{
    size_t number = p->n_clumps++;
    p->clumps[number] = (mgl_clump){.first = MGL_NOT_FOUND};
    mgl_box_begin(p->space, levels_of(p, number));
    for (size_t i = 0; i < n; i++)
        join(p, places[i], number);
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
    uint64_t rows = p->space->rows[p->tuples[at]];
    p->work += p->n_clumps;
    for (size_t i = 0; i < p->n_clumps; i++) {
        /* Its rows cost as much as those that are there, at least. */
        if (i == p->clump_of[at] || p->clumps[i].first == MGL_NOT_FOUND ||
            (int64_t)(rows * p->clumps[i].cost) >= *least)
            continue;
        p->work += 2;
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
        join(p, at, host);
    }
    return true;
}

/* ---- Moving tuples ------------------------------------------------------------------------- */

/* The member without which all others would agree one level below in this column. Of three or more
 * members at most one is like that. MGL_NOT_FOUND: none is. */
static uint32_t find_lone(const mgl_cell_rebuilder *p, const mgl_clump *x, size_t column,
                          uint8_t level)
{
    const mgl_box_space *s = p->space;
    const mgl_box_attribute *attribute = &s->attributes[column];
    if (level <= attribute->low)
        return MGL_NOT_FOUND;
    uint64_t mask = attribute->mask[level - 1];
    const uint64_t *words = s->keys + attribute->word;
    uint64_t value = words[p->tuples[x->first] * s->words] & mask, other = 0;
    size_t n = 1, n_other = 0;
    uint32_t last = MGL_NOT_FOUND;
    for (uint32_t at = p->next[x->first]; at != MGL_NOT_FOUND; at = p->next[at]) {
        uint64_t has = words[p->tuples[at] * s->words] & mask;
        if (has == value)
            n++;
        else if (n_other == 0 || has == other)
            n_other++;
        else
            return MGL_NOT_FOUND; /* three values */
        if (n > 1 && n_other > 1)
            return MGL_NOT_FOUND;
        if (has != value) {
            other = has;
            last = at;
        }
    }
    return n_other == 1 ? last : x->first;
}

static bool is_lone(mgl_cell_rebuilder *p, uint32_t at)
{
    size_t number = p->clump_of[at], m = p->space->m;
    mgl_clump *x = &p->clumps[number];
    uint32_t *lone = p->lone + number * m;
    if (!x->lone_known)
        for (size_t a = 0; a < m; a++)
            lone[a] = find_lone(p, x, a, levels_of(p, number)[a]);
    x->lone_known = true;
    for (size_t a = 0; a < m; a++)
        if (lone[a] == at)
            return true;
    return p->next[p->next[x->first]] == MGL_NOT_FOUND; /* one of two */
}

/* The box of its clump without the tuple, into scratch; what a row costs there. */
static uint32_t cost_without(mgl_cell_rebuilder *p, uint32_t at)
{
    const mgl_box_space *s = p->space;
    size_t number = p->clump_of[at];
    const mgl_clump *x = &p->clumps[number];
    p->work++;
    if (!is_lone(p, at)) {
        memcpy(p->scratch, levels_of(p, number), s->m);
        return x->cost;
    }
    uint32_t left = x->first != at ? x->first : p->next[at];
    mgl_box_begin(s, p->scratch);
    for (uint32_t other = x->first; other != MGL_NOT_FOUND; other = p->next[other]) {
        if (other != at && other != left)
            mgl_box_join(s, p->scratch, p->tuples[left], p->tuples[other]);
        p->work++;
    }
    return mgl_box_cost(s, p->scratch, p->tuples[left]);
}

/* Takes the tuple out of its clump, which then has the box in scratch. */
static void leave(mgl_cell_rebuilder *p, uint32_t at, uint32_t cost)
{
    size_t number = p->clump_of[at];
    mgl_clump *x = &p->clumps[number];
    uint32_t *link = &x->first;
    while (*link != at)
        link = &p->next[*link];
    *link = p->next[at];
    memcpy(levels_of(p, number), p->scratch, p->space->m);
    x->rows -= p->space->rows[p->tuples[at]];
    x->cost = cost;
    x->lone_known = false;
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
        const mgl_clump *x = &p->clumps[p->clump_of[at]];
        uint32_t cost = cost_without(p, at);
        int64_t least = (int64_t)(x->cost * x->rows) -
                        (int64_t)(cost * (x->rows - p->space->rows[p->tuples[at]]));
        size_t host = find_host(p, at, &least);
        if (host == SIZE_MAX)
            continue;
        leave(p, at, cost);
        join(p, at, host);
        moved = true;
    }
    return moved;
}
