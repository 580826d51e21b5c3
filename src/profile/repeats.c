/* Finds out whether a column of a stream tells persons apart who have several rows, from a sample
 * of its values: those whose hash begins with `level` zero bits, each from its first row on. The
 * pipeline watches rows with it while they are written. */
#include "profile/profile.h"

enum { MOST_VALUES = 1024, SLOTS = 4 * MOST_VALUES, SEVERAL = 0xFFFFFFFE };

typedef struct value {
    uint64_t hash;
    uint64_t rows; /* 0: the slot is free */
} value;

struct mgl_repeats {
    mgl_profile profile;
    const bool *traits; /* [n_ground] */
    size_t n_ground;
    value *slots;
    uint32_t *ground; /* [slot * n_ground + i]: the one that the value goes with, or SEVERAL */
    size_t n_values;
    unsigned level;
};

mgl_status mgl_repeats_new(const char *name, const bool *traits, size_t n_ground, mgl_error *err,
                           mgl_repeats **out)
{
    mgl_repeats *r = mgl_zeroed_array(1, sizeof *r);
    if (r == NULL)
        return mgl_fail_memory(err);
    mgl_profile_begin(&r->profile, name);
    r->profile.sample = mgl_value_sample_new();
    r->traits = traits;
    r->n_ground = n_ground;
    r->slots = mgl_zeroed_array(SLOTS, sizeof *r->slots);
    r->ground = mgl_alloc_array(SLOTS, (n_ground + 1) * sizeof *r->ground);
    if (r->slots == NULL || r->ground == NULL || r->profile.sample == NULL) {
        mgl_repeats_free(r);
        return mgl_fail_memory(err);
    }
    *out = r;
    return MGL_OK;
}

void mgl_repeats_free(mgl_repeats *r)
{
    if (r == NULL)
        return;
    mgl_value_sample_free(r->profile.sample);
    mgl_free(r->slots);
    mgl_free(r->ground);
    mgl_free(r);
}

static bool is_sampled(const mgl_repeats *r, uint64_t hash)
{
    return r->level == 0 || hash >> (64 - r->level) == 0;
}

static size_t find_slot(const mgl_repeats *r, uint64_t hash)
{
    size_t slot = hash % SLOTS;
    while (r->slots[slot].rows > 0 && r->slots[slot].hash != hash)
        slot = (slot + 1) % SLOTS;
    return slot;
}

/* Keeps every other value. Slots are looked at in a circle that begins behind a free one, so that
 * what moves never goes to a slot that is still to come. */
static void halve(mgl_repeats *r)
{
    size_t first = 0;
    while (r->slots[first].rows > 0)
        first++;
    r->level++;
    r->n_values = 0;
    for (size_t i = 1; i <= SLOTS; i++) {
        size_t from = (first + i) % SLOTS;
        value kept = r->slots[from];
        r->slots[from].rows = 0;
        if (kept.rows == 0 || !is_sampled(r, kept.hash))
            continue;
        size_t to = find_slot(r, kept.hash);
        r->slots[to] = kept;
        r->n_values++;
        if (to != from && r->n_ground > 0)
            memcpy(r->ground + to * r->n_ground, r->ground + from * r->n_ground,
                   r->n_ground * sizeof *r->ground);
    }
}

void mgl_repeats_watch(mgl_repeats *r, mgl_span cell, const uint32_t *ground)
{
    uint64_t hash = mgl_hash(cell.data, cell.size);
    r->profile.rows++;
    r->profile.missing += cell.size == 0;
    if (cell.size == 0 || !is_sampled(r, hash))
        return;
    size_t slot = find_slot(r, hash);
    uint32_t *known = r->ground + slot * r->n_ground;
    bool first = r->slots[slot].rows++ == 0;
    for (size_t i = 0; i < r->n_ground; i++)
        known[i] = first || known[i] == ground[i] ? ground[i] : SEVERAL;
    if (!first)
        return;
    r->slots[slot].hash = hash;
    mgl_profile_look(&r->profile, cell);
    for (r->n_values++; r->n_values > MOST_VALUES;)
        halve(r);
}

uint64_t mgl_repeats_rows(const mgl_repeats *r)
{
    return r->profile.rows;
}

/* How many repeated values go with a single ground value. */
static mgl_within within(const mgl_repeats *r, size_t i)
{
    mgl_within w = {.ids = r->n_values};
    for (size_t slot = 0; slot < SLOTS; slot++) {
        bool repeated = r->slots[slot].rows > 1;
        w.repeated += repeated;
        w.same += repeated && r->ground[slot * r->n_ground + i] != SEVERAL;
    }
    return w;
}

/* Most names occur once, and one column alone never varies within the others: namesakes have their
 * sex in common. */
static bool can_be_namesakes(const mgl_profile *p, const mgl_person_evidence *e)
{
    bool rare = 2 * (p->rows - p->missing) < 3 * p->distinct;
    return rare && p->content.full_names >= MGL_NAMES_SHARE && e->traits_same + e->others_same < 2;
}

bool mgl_repeats_are_persons(mgl_repeats *r, uint64_t *persons)
{
    mgl_profile *p = &r->profile;
    mgl_person_evidence e = {0};
    uint64_t alone = 0;
    for (size_t slot = 0; slot < SLOTS; slot++) {
        alone += r->slots[slot].rows == 1;
        e.repeated += r->slots[slot].rows > 1;
    }
    p->distinct = (uint64_t)r->n_values << r->level;
    p->alone = alone << r->level;
    mgl_profile_end(p);
    for (size_t i = 0; i < r->n_ground; i++) {
        mgl_within w = within(r, i);
        bool same = mgl_within_holds(&w);
        e.traits += r->traits[i];
        e.traits_same += r->traits[i] && same;
        e.others_same += !r->traits[i] && same;
    }
    e.points = MGL_POINTS_OF_TRAITS * (unsigned)e.traits_same +
               MGL_POINTS_OF_PERSONS * (unsigned)e.others_same;
    e.personal = true;
    e.persons = p->distinct;
    *persons = p->distinct;
    mgl_person_id id = mgl_profile_person_id(p);
    return (id != MGL_PERSON_BY_TRAITS || e.traits_same >= 2) && !can_be_namesakes(p, &e) &&
           mgl_person_is_proved(id, &e);
}
