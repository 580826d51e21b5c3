/* Keeps a sample of the values of a column with their rows, within a limit of memory. guard.c
 * watches columns of many values with it. */
#include "risk/sketch.h"

/* A value is watched while the first `level` bits of its hash are 0: a random sample of the values,
 * each from its first row on, which is halved whenever there are too many. */
enum { SLOTS = 4 * MGL_SKETCH_VALUES };

typedef struct value {
    uint64_t hash;
    uint64_t rows;    /* 0: the slot is free */
    uint32_t *tuples; /* of its rows, if it has at most MGL_SKETCH_RARE */
    size_t n, room;
} value;

struct mgl_sketch {
    value slots[SLOTS];
    size_t n;
    unsigned level;
    bool keep_rows, out_of_memory;
};

mgl_status mgl_sketch_new(bool keep_rows, mgl_error *err, mgl_sketch **out)
{
    mgl_sketch *s = mgl_zeroed_array(1, sizeof *s);
    if (s == NULL)
        return mgl_fail_memory(err);
    s->keep_rows = keep_rows;
    *out = s;
    return MGL_OK;
}

void mgl_sketch_free(mgl_sketch *sketch)
{
    for (size_t slot = 0; sketch != NULL && slot < SLOTS; slot++)
        mgl_free(sketch->slots[slot].tuples);
    mgl_free(sketch);
}

unsigned mgl_sketch_level(const mgl_sketch *s)
{
    return s->level;
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
    mgl_free(s->slots[gap].tuples);
    s->slots[gap] = (value){0};
    s->n--;
    for (size_t at = (gap + 1) % SLOTS; s->slots[at].rows > 0; at = (at + 1) % SLOTS) {
        size_t home = s->slots[at].hash % SLOTS;
        bool may_move = gap <= at ? home <= gap || home > at : home <= gap && home > at;
        if (!may_move)
            continue;
        s->slots[gap] = s->slots[at];
        s->slots[at] = (value){0};
        gap = at;
    }
}

static void halve(mgl_sketch *s)
{
    s->level++;
    for (size_t slot = 0; slot < SLOTS;)
        if (s->slots[slot].rows > 0 && !mgl_sketch_watches(s->level, s->slots[slot].hash))
            remove_slot(s, slot); /* another value may have come here */
        else
            slot++;
}

/* The rows of a value that is not rare are counted, no more. */
static void keep(mgl_sketch *s, value *v, uint32_t tuple, uint64_t times)
{
    if (v->rows + times > MGL_SKETCH_RARE)
        return;
    if (!mgl_grow(&v->tuples, &v->room, v->n + times, sizeof *v->tuples)) {
        s->out_of_memory = true;
        return;
    }
    for (uint64_t i = 0; i < times; i++)
        v->tuples[v->n++] = tuple;
}

bool mgl_sketch_add(mgl_sketch *s, uint64_t hash, uint32_t tuple, uint64_t times)
{
    value *v = &s->slots[find_slot(s, hash)];
    bool first = v->rows == 0;
    if (first)
        *v = (value){.hash = hash};
    if (s->keep_rows)
        keep(s, v, tuple, times);
    v->rows += times;
    if (!first)
        return false;
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
    }
    return found;
}

bool mgl_sketch_hand_on(const mgl_sketch *s, mgl_recovery *recovery)
{
    bool whole = !s->out_of_memory;
    for (size_t slot = 0; whole && slot < SLOTS; slot++) {
        const value *v = &s->slots[slot];
        mgl_span text = {(const char *)&v->hash, sizeof v->hash};
        for (size_t i = 0; whole && v->n == v->rows && i < v->n; i++)
            whole = v->tuples[i] == MGL_NOT_FOUND || /* the row is not released */
                    mgl_recovery_watch(recovery, text, v->tuples[i], 1, MGL_ROW_IS_PERSON);
    }
    return whole;
}
