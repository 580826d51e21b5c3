/* Boxes by closure: from those around single tuples, each box and one more tuple give a larger one,
 * so that the lattice is never looked at. */
#include "search/cell/exact/inner.h"

enum { MOST_BOXES = 1000000, MOST_MEMBERS = 20000000 };

/* All boxes met so far, those with too few rows as well: larger ones are made of them. */
typedef struct finder {
    mgl_exact *x;
    const mgl_box_space *space;
    const int64_t *cap;
    size_t n;
    uint8_t *levels; /* [i * m + a] */
    uint32_t *first; /* [i] a tuple under it */
    size_t levels_room, first_room;
    uint32_t *slots;   /* numbers of boxes, plus 1 */
    size_t n_slots;    /* a power of 2 */
    uint32_t *members; /* [n_tuples] scratch */
    uint8_t *joined;   /* [m] scratch */
    uint64_t *mask;    /* [words] scratch */
} finder;

static size_t first_slot(const finder *f, const uint8_t *levels, const uint64_t *mask, uint32_t t)
{
    const mgl_box_space *s = f->space;
    uint64_t hash = 0;
    for (size_t a = 0; a < s->m; a++)
        hash = (hash ^ levels[a]) * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t w = 0; w < s->words; w++)
        hash = (hash ^ hash >> 29 ^ (s->keys[t * s->words + w] & mask[w])) *
               UINT64_C(0x9E3779B97F4A7C15);
    return (hash ^ hash >> 32) & (f->n_slots - 1);
}

static bool grow_slots(finder *f)
{
    size_t n_slots = f->n_slots == 0 ? 1024 : 2 * f->n_slots;
    uint32_t *slots = mgl_zeroed_array(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    mgl_free(f->slots);
    f->slots = slots;
    f->n_slots = n_slots;
    for (size_t i = 0; i < f->n; i++) {
        const uint8_t *levels = f->levels + i * f->space->m;
        mgl_box_mask(f->space, levels, f->mask);
        size_t at = first_slot(f, levels, f->mask, f->first[i]);
        while (slots[at] != 0)
            at = (at + 1) & (n_slots - 1);
        slots[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Adds the box of the tuple at these levels, if it is new. False if memory is out. */
static bool add(finder *f, const uint8_t *levels, uint32_t t)
{
    const mgl_box_space *s = f->space;
    if (2 * (f->n + 1) > f->n_slots && !grow_slots(f))
        return false;
    mgl_box_mask(s, levels, f->mask);
    size_t at = first_slot(f, levels, f->mask, t);
    for (; f->slots[at] != 0; at = (at + 1) & (f->n_slots - 1)) {
        size_t i = f->slots[at] - 1;
        if (memcmp(f->levels + i * s->m, levels, s->m) == 0 &&
            mgl_box_covers(s, f->mask, f->first[i], t))
            return true;
    }
    if (!mgl_grow(&f->levels, &f->levels_room, (f->n + 1) * s->m, 1) ||
        !mgl_grow(&f->first, &f->first_room, f->n + 1, sizeof *f->first))
        return false;
    memcpy(f->levels + f->n * s->m, levels, s->m);
    f->first[f->n] = t;
    f->slots[at] = (uint32_t)++f->n;
    return true;
}

static bool keep(mgl_exact_boxes *b, const finder *f, size_t box, size_t n)
{
    size_t m = f->space->m, at = b->n > 0 ? b->start[b->n] : 0;
    const uint8_t *levels = f->levels + box * m;
    if (!mgl_grow(&b->cost, &b->cost_room, b->n + 1, sizeof *b->cost) ||
        !mgl_grow(&b->levels, &b->levels_room, (b->n + 1) * m, 1) ||
        !mgl_grow(&b->start, &b->start_room, b->n + 2, sizeof *b->start) ||
        !mgl_grow(&b->members, &b->members_room, at + n, sizeof *b->members))
        return false;
    memcpy(b->members + at, f->members, n * sizeof *f->members);
    memcpy(b->levels + b->n * m, levels, m);
    b->cost[b->n] = mgl_box_cost(f->space, levels, f->members[0]);
    b->start[b->n++] = at;
    b->start[b->n] = at + n;
    return true;
}

/* The larger boxes that one more tuple makes of it. */
static bool enlarge(finder *f, size_t box, size_t n_members, int64_t most)
{
    const mgl_box_space *s = f->space;
    size_t next = 0;
    for (uint32_t t = 0; t < s->n; t++) {
        if (next < n_members && f->members[next] == t) {
            next++;
            continue;
        }
        memcpy(f->joined, f->levels + box * s->m, s->m);
        mgl_box_join(s, f->joined, f->first[box], t);
        if (mgl_box_cost(s, f->joined, t) > (most > f->cap[t] ? most : f->cap[t]))
            continue;
        bool top = mgl_box_is_top(s, f->joined);
        for (size_t a = 0; top && a < s->m; a++)
            f->joined[a] = (uint8_t)s->attributes[a].height;
        if (!add(f, f->joined, t))
            return false;
    }
    return true;
}

static bool look_at(finder *f, size_t box)
{
    const mgl_box_space *s = f->space;
    const uint8_t *levels = f->levels + box * s->m;
    bool top = mgl_box_is_top(s, levels);
    uint64_t rows = 0;
    int64_t most = 0;
    size_t n = 0;
    mgl_box_mask(s, levels, f->mask);
    for (uint32_t t = 0; t < s->n; t++)
        if (top || mgl_box_covers(s, f->mask, f->first[box], t)) {
            f->members[n++] = t;
            rows += s->rows[t];
            most = f->cap[t] > most ? f->cap[t] : most;
        }
    if (rows >= s->need && mgl_box_may_be_class(s, levels, f->first[box]) &&
        !keep(&f->x->boxes, f, box, n))
        return false;
    return top || enlarge(f, box, n, most);
}

static bool find(finder *f, bool *whole)
{
    const mgl_box_space *s = f->space;
    const mgl_exact_boxes *out = &f->x->boxes;
    *whole = true;
    for (uint32_t t = 0; t < s->n; t++) {
        mgl_box_begin(s, f->joined);
        if (mgl_box_cost(s, f->joined, t) <= f->cap[t] && !add(f, f->joined, t))
            return false;
    }
    for (size_t i = 0; i < f->n; i++) {
        if (!look_at(f, i))
            return false;
        f->x->work += s->n * (2 * s->m + s->words);
        if (f->n > MOST_BOXES || (out->n > 0 && out->start[out->n] > MOST_MEMBERS) ||
            mgl_exact_is_late(f->x)) {
            *whole = false;
            return true;
        }
    }
    return true;
}

mgl_status mgl_exact_boxes_find(mgl_exact *x, const int64_t *cap, mgl_error *err, bool *whole)
{
    const mgl_box_space *space = x->space;
    finder f = {.x = x, .space = space, .cap = cap};
    mgl_exact_boxes_free(&x->boxes);
    f.members = mgl_alloc_array(space->n, sizeof *f.members);
    f.joined = mgl_alloc_array(space->m, 1);
    f.mask = mgl_alloc_array(space->words, sizeof *f.mask);
    bool done = f.members != NULL && f.joined != NULL && f.mask != NULL && find(&f, whole);
    mgl_free(f.levels);
    mgl_free(f.first);
    mgl_free(f.slots);
    mgl_free(f.members);
    mgl_free(f.joined);
    mgl_free(f.mask);
    return done ? MGL_OK : mgl_fail_memory(err);
}

void mgl_exact_boxes_free(mgl_exact_boxes *b)
{
    mgl_free(b->cost);
    mgl_free(b->levels);
    mgl_free(b->start);
    mgl_free(b->members);
    *b = (mgl_exact_boxes){0};
}
