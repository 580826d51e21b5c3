/* A pool of tuples, put together anew: the best offers first, then what is left joins the part
 * that grows least, then tuples move where they cost less. */
#include "search/cell/improve/improve.h"

#include <stdlib.h>

enum {
    MOVES = 3,        /* rounds of moving tuples */
    MOST_CLASSES = 32 /* that a pool is made of */
};

/* An offer, or the box of a class of the pool, as far as it lies in the pool. */
typedef struct local {
    uint32_t cost;
    size_t start, n; /* members: places in the pool */
    double worth;    /* of its best rows, each, when last looked at */
} local;

typedef struct part {
    uint32_t first; /* place of a member; the others follow in next */
    uint64_t rows;
    uint32_t cost;
    bool around_known; /* see know_around */
} part;

typedef struct sight {
    uint32_t when;   /* an offer was last seen */
    uint32_t number; /* of its rows, or its own among the locals */
} sight;

struct mgl_cell_pool {
    const mgl_cell_offers *offers;
    const mgl_box_space *space;
    mgl_box_judge *judge;
    size_t most, n;
    const mgl_box_class *classes[MOST_CLASSES]; /* that it is made of */
    size_t n_classes;
    uint32_t *tuples; /* [n] */
    double *price;    /* [n] with noise */
    uint32_t *part_of, *next;
    /* Local offers, made once for all rebuilds of the pool. */
    bool offers_known;
    local *locals;
    size_t n_locals, locals_capacity;
    uint32_t *members;
    size_t n_members, members_capacity;
    sight *seen; /* [offers] */
    uint32_t now;
    uint32_t *heap; /* [n_locals] */
    size_t heap_capacity;
    part *parts; /* [n] */
    size_t n_parts;
    uint8_t *levels;         /* [n * m] boxes of the parts */
    uint8_t *ahead, *behind; /* [n * m] see know_around */
    uint8_t *scratch;        /* [m] */
    uint64_t *mask;          /* [words] */
    uint32_t *chosen;        /* [n] places */
    uint32_t *judged;        /* [n] tuples */
    uint64_t work;
    bool out_of_memory;
};

mgl_status mgl_cell_pool_new(const mgl_cell_offers *offers, size_t most, mgl_error *err,
                             mgl_cell_pool **out)
{
    const mgl_box_space *s = offers->space;
    mgl_cell_pool *p = mgl_zeroed_array(1, sizeof *p);
    if (p == NULL)
        return mgl_fail_memory(err);
    p->offers = offers;
    p->space = s;
    p->most = most;
    p->tuples = mgl_alloc_array(most, sizeof *p->tuples);
    p->price = mgl_alloc_array(most, sizeof *p->price);
    p->part_of = mgl_alloc_array(most, sizeof *p->part_of);
    p->next = mgl_alloc_array(most, sizeof *p->next);
    p->seen = mgl_zeroed_array(offers->list.n + 1, sizeof *p->seen);
    p->parts = mgl_alloc_array(most, sizeof *p->parts);
    p->levels = mgl_alloc_array(most, s->m);
    p->ahead = mgl_alloc_array(most, s->m);
    p->behind = mgl_alloc_array(most, s->m);
    p->scratch = mgl_alloc_array(s->m, 1);
    p->mask = mgl_alloc_array(s->words, sizeof *p->mask);
    p->chosen = mgl_alloc_array(most, sizeof *p->chosen);
    p->judged = mgl_alloc_array(most, sizeof *p->judged);
    bool whole = p->tuples != NULL && p->price != NULL && p->part_of != NULL && p->next != NULL &&
                 p->seen != NULL && p->parts != NULL && p->levels != NULL && p->ahead != NULL &&
                 p->behind != NULL && p->scratch != NULL && p->mask != NULL && p->chosen != NULL &&
                 p->judged != NULL;
    mgl_status status = whole ? mgl_box_judge_new(s, err, &p->judge) : mgl_fail_memory(err);
    if (status != MGL_OK) {
        mgl_cell_pool_free(p);
        return status;
    }
    *out = p;
    return MGL_OK;
}

void mgl_cell_pool_free(mgl_cell_pool *p)
{
    if (p == NULL)
        return;
    mgl_box_judge_free(p->judge);
    mgl_free(p->tuples);
    mgl_free(p->price);
    mgl_free(p->part_of);
    mgl_free(p->next);
    mgl_free(p->locals);
    mgl_free(p->members);
    mgl_free(p->seen);
    mgl_free(p->heap);
    mgl_free(p->parts);
    mgl_free(p->levels);
    mgl_free(p->ahead);
    mgl_free(p->behind);
    mgl_free(p->scratch);
    mgl_free(p->mask);
    mgl_free(p->chosen);
    mgl_free(p->judged);
    mgl_free(p);
}

void mgl_cell_pool_clear(mgl_cell_pool *p)
{
    p->n = p->n_classes = p->n_locals = p->n_members = p->n_parts = 0;
    p->offers_known = false;
    p->work = 0;
}

bool mgl_cell_pool_add(mgl_cell_pool *p, const uint32_t *tuples, size_t n)
{
    if (n > p->most - p->n)
        return false;
    memcpy(p->tuples + p->n, tuples, n * sizeof *tuples);
    p->n += n;
    return true;
}

/* ---- Local offers -------------------------------------------------------------------- */

static local *new_local(mgl_cell_pool *p, uint32_t cost, size_t n_members)
{
    if (!mgl_grow(&p->locals, &p->locals_capacity, p->n_locals + 1, sizeof *p->locals) ||
        !mgl_grow(&p->members, &p->members_capacity, p->n_members + n_members,
                  sizeof *p->members)) {
        p->out_of_memory = true;
        return NULL;
    }
    local *l = &p->locals[p->n_locals++];
    *l = (local){.cost = cost, .start = p->n_members};
    p->n_members += n_members;
    return l;
}

bool mgl_cell_pool_add_class(mgl_cell_pool *p, const mgl_box_class *class)
{
    if (p->n_classes == MOST_CLASSES || !mgl_cell_pool_add(p, class->members, class->n))
        return false;
    p->classes[p->n_classes++] = class;
    return true;
}

/* The boxes of the classes that the pool is made of are offers, too. */
static void offer_classes(mgl_cell_pool *p)
{
    for (size_t c = 0; c < p->n_classes; c++) {
        const mgl_box_class *class = p->classes[c];
        local *l = new_local(p, class->cost, p->n);
        if (l == NULL)
            return;
        mgl_box_mask(p->space, class->levels, p->mask);
        for (size_t i = 0; i < p->n; i++)
            if (class->cost == p->space->top_cost ||
                mgl_box_covers(p->space, p->mask, class->members[0], p->tuples[i]))
                p->members[l->start + l->n++] = (uint32_t)i;
        p->n_members = l->start + l->n;
        p->work += p->n;
    }
}

/* The offers with enough rows in the pool, with the places of these. */
static void find_offers(mgl_cell_pool *p)
{
    const mgl_cell_offers *o = p->offers;
    const mgl_box_space *s = p->space;
    uint32_t rows_seen = ++p->now, taken = ++p->now;
    for (size_t i = 0; i < p->n; i++) {
        uint32_t t = p->tuples[i];
        for (size_t j = o->start[t]; j < o->start[t + 1]; j++) {
            sight *seen = &p->seen[o->of[j]];
            if (seen->when != rows_seen)
                *seen = (sight){.when = rows_seen};
            seen->number += s->rows[t];
        }
        p->work += o->start[t + 1] - o->start[t];
    }
    for (size_t i = 0; i < p->n && !p->out_of_memory; i++) {
        uint32_t t = p->tuples[i];
        for (size_t j = o->start[t]; j < o->start[t + 1]; j++) {
            sight *seen = &p->seen[o->of[j]];
            if (seen->when == rows_seen && seen->number >= s->need) {
                const mgl_cell_bargain *b = &o->list.items[o->of[j]];
                *seen = (sight){.when = taken, .number = (uint32_t)p->n_locals};
                if (new_local(p, b->cost, b->n < p->n ? b->n : p->n) == NULL)
                    return;
            }
            if (seen->when == taken) {
                local *l = &p->locals[seen->number];
                p->members[l->start + l->n++] = (uint32_t)i;
            }
        }
    }
}

/* ---- The best offers first ------------------------------------------------------------- */

/* A heap of places, the dearest first. */
static void sift_by_price(const mgl_cell_pool *p, uint32_t *heap, size_t at, size_t n)
{
    if (at >= n)
        return;
    uint32_t moved = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && p->price[heap[child + 1]] > p->price[heap[child]])
            child++;
        if (p->price[heap[child]] <= p->price[moved])
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* The best rows of the offer among the places not taken: those priced above its cost, the
 * dearest of the others until there are enough. Tuples stay whole. Returns how many places
 * were chosen, 0 if they are too few; *worth is what a row is worth above its cost. */
static size_t choose(mgl_cell_pool *p, const local *l, double *worth)
{
    const mgl_box_space *s = p->space;
    uint64_t rows = 0;
    double sum = 0;
    size_t n = 0, others = l->n;
    p->work += l->n;
    for (size_t i = 0; i < l->n; i++) {
        uint32_t at = p->members[l->start + i];
        if (p->part_of[at] != MGL_NOT_FOUND)
            continue;
        if (p->price[at] > l->cost) {
            uint32_t w = s->rows[p->tuples[at]];
            sum += w * (p->price[at] - l->cost);
            rows += w;
            p->chosen[n++] = at;
        } else {
            p->chosen[--others] = at; /* gathered at the end */
        }
    }
    uint32_t *rest = p->chosen + others;
    size_t n_rest = l->n - others;
    for (size_t i = n_rest / 2; rows < s->need && i-- > 0;)
        sift_by_price(p, rest, i, n_rest);
    while (rows < s->need && n_rest > 0) {
        uint32_t at = rest[0], w = s->rows[p->tuples[at]];
        rest[0] = rest[--n_rest];
        sift_by_price(p, rest, 0, n_rest);
        rest[n_rest] = at;
        sum += w * (p->price[at] - l->cost);
        rows += w;
        p->work += 4;
    }
    size_t n_filled = l->n - others - n_rest;
    memmove(p->chosen + n, rest + n_rest, n_filled * sizeof *rest);
    n += n_filled;
    *worth = rows > 0 ? sum / (double)rows : 0;
    return rows >= s->need ? n : 0;
}

static bool holds(mgl_cell_pool *p, const uint32_t *places, size_t n)
{
    if (!p->space->judged)
        return true;
    for (size_t i = 0; i < n; i++)
        p->judged[i] = p->tuples[places[i]];
    return mgl_box_holds(p->judge, p->judged, n);
}

static uint8_t *levels_of(mgl_cell_pool *p, size_t part)
{
    return p->levels + part * p->space->m;
}

/* Fits the box to the members. */
static void fit(mgl_cell_pool *p, size_t number)
{
    const mgl_box_space *s = p->space;
    part *x = &p->parts[number];
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

static void put(mgl_cell_pool *p, uint32_t at, size_t number)
{
    p->next[at] = p->parts[number].first;
    p->parts[number].first = at;
    p->part_of[at] = (uint32_t)number;
}

static void take(mgl_cell_pool *p, const uint32_t *places, size_t n)
{
    size_t number = p->n_parts++;
    p->parts[number] = (part){.first = MGL_NOT_FOUND};
    for (size_t i = 0; i < n; i++)
        put(p, places[i], number);
    fit(p, number);
}

static bool better(const mgl_cell_pool *p, uint32_t x, uint32_t y)
{
    double worth = p->locals[x].worth, other = p->locals[y].worth;
    return worth == other ? x < y : worth > other;
}

static void sift_down(mgl_cell_pool *p, size_t at, size_t n)
{
    uint32_t moved = p->heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && better(p, p->heap[child + 1], p->heap[child]))
            child++;
        if (!better(p, p->heap[child], moved))
            break;
        p->heap[at] = p->heap[child];
    }
    p->heap[at] = moved;
}

/* Takes offers, the best first. What an offer is worth mostly falls as tuples are taken: it is
 * worked out anew when it comes to the front. */
static void take_offers(mgl_cell_pool *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_locals; i++)
        if (choose(p, &p->locals[i], &p->locals[i].worth) > 0)
            p->heap[n++] = (uint32_t)i;
    for (size_t i = n / 2; i-- > 0;)
        sift_down(p, i, n);
    while (n > 0) {
        local *l = &p->locals[p->heap[0]];
        double worth;
        size_t n_chosen = choose(p, l, &worth);
        if (n_chosen > 0 && worth < l->worth)
            l->worth = worth;
        else if (n_chosen > 0 && holds(p, p->chosen, n_chosen))
            take(p, p->chosen, n_chosen);
        else
            p->heap[0] = p->heap[--n];
        if (n > 0)
            sift_down(p, 0, n);
    }
}

/* ---- What is left ------------------------------------------------------------------------ */

/* The places of a part, and one more if there is one, into chosen. */
static size_t list_part(mgl_cell_pool *p, size_t number, uint32_t more, uint32_t less)
{
    size_t n = 0;
    for (uint32_t at = p->parts[number].first; at != MGL_NOT_FOUND; at = p->next[at])
        if (at != less)
            p->chosen[n++] = at;
    if (more != MGL_NOT_FOUND)
        p->chosen[n++] = more;
    return n;
}

static bool may_join(mgl_cell_pool *p, size_t number, uint32_t at)
{
    return !p->space->judged || holds(p, p->chosen, list_part(p, number, at, MGL_NOT_FOUND));
}

/* What the part would cost more with the tuple; no less than `too_much` if it is at least that. */
static int64_t growth(const mgl_cell_pool *p, size_t number, uint32_t at, uint64_t too_much)
{
    const mgl_box_space *s = p->space;
    const part *x = &p->parts[number];
    uint64_t before = x->cost * x->rows, rows = x->rows + s->rows[p->tuples[at]];
    uint64_t most = (before + too_much) / rows; /* for a row, as long as it pays */
    uint32_t cost =
        mgl_box_cost_with(s, p->levels + number * s->m, p->tuples[x->first], p->tuples[at],
                          most < UINT32_MAX ? (uint32_t)most : UINT32_MAX);
    return (int64_t)(cost * rows) - (int64_t)before;
}

/* The part other than its own that would grow least, and by less than *least. */
static size_t find_host(mgl_cell_pool *p, uint32_t at, int64_t *least)
{
    size_t host = SIZE_MAX;
    p->work += p->n_parts * 2;
    for (size_t i = 0; i < p->n_parts; i++) {
        if (i == p->part_of[at] || p->parts[i].first == MGL_NOT_FOUND)
            continue;
        int64_t more = growth(p, i, at, (uint64_t)*least);
        if (more < *least && may_join(p, i, at)) {
            *least = more;
            host = i;
        }
    }
    return host;
}

static bool place_rest(mgl_cell_pool *p)
{
    for (uint32_t at = 0; at < p->n; at++) {
        if (p->part_of[at] != MGL_NOT_FOUND)
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

static void leave(mgl_cell_pool *p, uint32_t at)
{
    uint32_t *link = &p->parts[p->part_of[at]].first;
    while (*link != at)
        link = &p->next[*link];
    *link = p->next[at];
}

/* For each member of a part the boxes around those ahead of it and around those behind it: the
 * box without it is the one around both. */
static void know_around(mgl_cell_pool *p, part *x)
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

/* What the part saves without the tuple. */
static int64_t saving(mgl_cell_pool *p, uint32_t at)
{
    const mgl_box_space *s = p->space;
    part *x = &p->parts[p->part_of[at]];
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

static bool may_leave(mgl_cell_pool *p, uint32_t at)
{
    const part *x = &p->parts[p->part_of[at]];
    if (x->rows < p->space->need + (uint64_t)p->space->rows[p->tuples[at]] ||
        p->next[x->first] == MGL_NOT_FOUND)
        return false;
    return !p->space->judged ||
           holds(p, p->chosen, list_part(p, p->part_of[at], MGL_NOT_FOUND, at));
}

static bool move_tuples(mgl_cell_pool *p)
{
    bool moved = false;
    for (uint32_t at = 0; at < p->n; at++) {
        if (!may_leave(p, at))
            continue;
        int64_t least = saving(p, at);
        size_t from = p->part_of[at], host = find_host(p, at, &least);
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

/* ---- The whole ------------------------------------------------------------------------------ */

bool mgl_cell_pool_rebuild(mgl_cell_pool *p, double noise, mgl_quick_random *random, bool all)
{
    if (!p->offers_known) {
        offer_classes(p);
        find_offers(p);
        p->offers_known = true;
    }
    if (p->out_of_memory || !mgl_grow(&p->heap, &p->heap_capacity, p->n_locals, sizeof *p->heap)) {
        p->out_of_memory = true;
        return false;
    }
    p->n_parts = 0;
    for (size_t i = 0; i < p->n; i++) {
        double off = noise > 0 ? noise * (mgl_quick_random_unit(random) - 0.5) : 0;
        p->price[i] = p->offers->prices[p->tuples[i]] * (1 + off);
        p->part_of[i] = MGL_NOT_FOUND;
    }
    take_offers(p);
    if (!all)
        return true;
    if (p->n_parts == 0 || !place_rest(p))
        return false;
    for (int i = 0; i < MOVES && move_tuples(p); i++)
        ;
    return true;
}

mgl_cell_parts mgl_cell_pool_parts(const mgl_cell_pool *p)
{
    mgl_cell_parts parts = {.n_tuples = p->n,
                            .n_parts = p->n_parts,
                            .tuples = p->tuples,
                            .part_of = p->part_of,
                            .work = p->work};
    for (size_t i = 0; i < p->n_parts; i++) {
        const part *x = &p->parts[i];
        parts.cost += x->cost * x->rows;
        bool is_top = x->cost >= p->space->top_cost && x->first != MGL_NOT_FOUND;
        if (is_top &&
            !mgl_box_may_be_class(p->space, p->levels + i * p->space->m, p->tuples[x->first]))
            parts.impossible = true;
    }
    return parts;
}
