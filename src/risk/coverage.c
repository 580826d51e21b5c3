/* Lists which released texts can stand for which ground values. `attack` calls it for the columns
 * of the external table. */
#include "risk/risk.h"

/* What is needed to tell whether a released text covers a ground value. */
typedef struct teller {
    const mgl_hierarchy *hierarchy;
    const uint32_t *leaf_of_code;
    mgl_meaning meaning;
    bool in_hierarchy;
    uint32_t level, value;
    uint32_t missing; /* a ground value that is no number, whatever its token looks like */
} teller;

static teller tell(const mgl_hierarchy *hierarchy, const uint32_t *leaf_of_code, uint32_t missing,
                   mgl_span text)
{
    teller t = {.hierarchy = hierarchy, .leaf_of_code = leaf_of_code, .missing = missing};
    t.meaning = mgl_meaning_of(text);
    t.in_hierarchy = hierarchy != NULL && mgl_hierarchy_find(hierarchy, text, &t.level, &t.value);
    return t;
}

static bool covers(const teller *t, uint32_t code, const mgl_ground_text *value)
{
    if (t->in_hierarchy)
        return t->hierarchy->levels[t->level].of_leaf[t->leaf_of_code[code]] == t->value;
    if (code == t->missing)
        return t->meaning.anything || mgl_span_equal(t->meaning.text, value->text);
    return mgl_meaning_covers(&t->meaning, value);
}

typedef struct pairs {
    uint32_t *ground, *released;
    size_t n, room_ground, room_released;
} pairs;

static bool add_pair(pairs *p, uint32_t ground, uint32_t released)
{
    if (!mgl_grow(&p->ground, &p->room_ground, p->n + 1, sizeof *p->ground) ||
        !mgl_grow(&p->released, &p->room_released, p->n + 1, sizeof *p->released))
        return false;
    p->ground[p->n] = ground;
    p->released[p->n++] = released;
    return true;
}

/* Pairs come by released text; lists are by ground value, each in that order. */
static mgl_status sort_pairs(const pairs *p, uint32_t n_ground, mgl_error *err, mgl_coverage *out)
{
    out->start = mgl_zeroed_array((size_t)n_ground + 2, sizeof *out->start);
    out->released = mgl_alloc_array(p->n, sizeof *out->released);
    if (out->start == NULL || out->released == NULL) {
        mgl_coverage_free(out);
        return mgl_fail_memory(err);
    }
    for (size_t i = 0; i < p->n; i++)
        out->start[p->ground[i] + 2]++;
    for (size_t g = 2; g < (size_t)n_ground + 2; g++)
        out->start[g] += out->start[g - 1];
    for (size_t i = 0; i < p->n; i++)
        out->released[out->start[p->ground[i] + 1]++] = p->released[i];
    return MGL_OK;
}

mgl_status mgl_coverage_new(const mgl_span *released, uint32_t n_released,
                            const mgl_dictionary *ground, const mgl_hierarchy *hierarchy,
                            const uint32_t *leaf_of_code, mgl_error *err, mgl_coverage *out)
{
    uint32_t n_ground = mgl_dictionary_size(ground);
    mgl_ground_text *values = mgl_alloc_array(n_ground, sizeof *values);
    pairs p = {0};
    bool room = values != NULL;
    *out = (mgl_coverage){0};
    for (uint32_t g = 0; room && g < n_ground; g++)
        values[g] =
            mgl_ground_text_of(mgl_dictionary_value(ground, g), mgl_dictionary_notation(ground));
    for (uint32_t r = 0; room && r < n_released; r++) {
        teller t = tell(hierarchy, leaf_of_code, mgl_dictionary_missing(ground), released[r]);
        for (uint32_t g = 0; room && g < n_ground; g++)
            if (covers(&t, g, &values[g]))
                room = add_pair(&p, g, r);
    }
    mgl_status status = room ? sort_pairs(&p, n_ground, err, out) : mgl_fail_memory(err);
    out->n_pairs = p.n;
    mgl_free(values);
    mgl_free(p.ground);
    mgl_free(p.released);
    return status;
}

void mgl_coverage_free(mgl_coverage *coverage)
{
    mgl_free(coverage->start);
    mgl_free(coverage->released);
    *coverage = (mgl_coverage){0};
}
