#include "risk/sketch.h"

/* A value is watched while the first `level` bits of its hash are 0: a random part of all values,
 * each from its first row on, halved whenever there are too many. */
enum { SLOTS = 4 * MGL_SKETCH_VALUES, SEVERAL = 0xFFFFFFFE };

typedef struct value {
    uint64_t hash;
    uint64_t rows; /* 0: the slot is free */
    uint32_t open; /* quasi-identifiers of which it has a single ground value so far */
    bool speaks;
} value;

struct mgl_sketch {
    value slots[SLOTS];
    uint32_t *ground; /* [slot * n_ground + i] or SEVERAL */
    size_t n_ground, n;
    unsigned level;
};

mgl_status mgl_sketch_new(size_t n_ground, mgl_error *err, mgl_sketch **out)
{
    mgl_sketch *s = mgl_zeroed_array(1, sizeof *s);
    if (s == NULL)
        return mgl_fail_memory(err);
    s->n_ground = n_ground;
    s->ground = mgl_alloc_array(SLOTS, (n_ground + 1) * sizeof *s->ground);
    if (s->ground == NULL) {
        mgl_sketch_free(s);
        return mgl_fail_memory(err);
    }
    *out = s;
    return MGL_OK;
}

void mgl_sketch_free(mgl_sketch *sketch)
{
    if (sketch == NULL)
        return;
    mgl_free(sketch->ground);
    mgl_free(sketch);
}

bool mgl_sketch_watches(const mgl_sketch *s, uint64_t hash)
{
    return s->level == 0 || hash >> (64 - s->level) == 0;
}

static size_t find_slot(const mgl_sketch *s, uint64_t hash)
{
    size_t slot = hash % SLOTS;
    while (s->slots[slot].rows > 0 && s->slots[slot].hash != hash)
        slot = (slot + 1) % SLOTS;
    return slot;
}

/* Takes a value out and closes the gap that it leaves in the row of slots. */
static void remove_slot(mgl_sketch *s, size_t gap)
{
    s->slots[gap].rows = 0;
    s->n--;
    for (size_t at = (gap + 1) % SLOTS; s->slots[at].rows > 0; at = (at + 1) % SLOTS) {
        size_t home = s->slots[at].hash % SLOTS;
        bool may_move = gap <= at ? home <= gap || home > at : home <= gap && home > at;
        if (!may_move)
            continue;
        s->slots[gap] = s->slots[at];
        memcpy(s->ground + gap * s->n_ground, s->ground + at * s->n_ground,
               s->n_ground * sizeof *s->ground);
        s->slots[at].rows = 0;
        gap = at;
    }
}

static void halve(mgl_sketch *s)
{
    s->level++;
    for (size_t slot = 0; slot < SLOTS;)
        if (s->slots[slot].rows > 0 && !mgl_sketch_watches(s, s->slots[slot].hash))
            remove_slot(s, slot); /* another value may have come here */
        else
            slot++;
}

bool mgl_sketch_settled(mgl_sketch *s, uint64_t hash)
{
    size_t slot = find_slot(s, hash);
    if (s->slots[slot].rows == 0 || s->slots[slot].open > 0 || s->slots[slot].speaks)
        return false;
    s->slots[slot].rows++;
    return true;
}

bool mgl_sketch_add(mgl_sketch *s, uint64_t hash, const uint32_t *ground, bool speaks)
{
    size_t slot = find_slot(s, hash);
    uint32_t *known = s->ground + slot * s->n_ground;
    if (s->slots[slot].rows > 0) {
        s->slots[slot].rows++;
        s->slots[slot].open = 0;
        for (size_t i = 0; i < s->n_ground; i++) {
            known[i] = known[i] == ground[i] ? known[i] : SEVERAL;
            s->slots[slot].open += known[i] != SEVERAL;
        }
        return false;
    }
    s->slots[slot] = (value){hash, 1, (uint32_t)s->n_ground, speaks};
    if (s->n_ground > 0)
        memcpy(known, ground, s->n_ground * sizeof *known);
    s->n++;
    while (s->n > MGL_SKETCH_VALUES)
        halve(s);
    return true;
}

mgl_sketched mgl_sketch_read(const mgl_sketch *s)
{
    mgl_sketched found = {0};
    double each = (double)(UINT64_C(1) << s->level);
    for (size_t slot = 0; slot < SLOTS; slot++) {
        found.values += s->slots[slot].rows > 0 ? each : 0;
        found.unique_rows += s->slots[slot].rows == 1 ? each : 0;
        found.repeated_rows += s->slots[slot].rows > 1 ? each * (double)s->slots[slot].rows : 0;
    }
    return found;
}

double mgl_sketch_tells(const mgl_sketch *s, size_t ground)
{
    uint64_t rows = 0, single = 0;
    for (size_t slot = 0; slot < SLOTS; slot++) {
        if (s->slots[slot].rows < 2)
            continue;
        rows += s->slots[slot].rows;
        single += s->ground[slot * s->n_ground + ground] != SEVERAL ? s->slots[slot].rows : 0;
    }
    return rows > 0 ? (double)single / (double)rows : 0;
}
