/* Adds stand-ins to a hierarchy: leaves for rows of which only a value above the ground is known.
 * They come behind the ground values, those of lower levels first, and on the levels below their
 * value each is a value of its own, numbered behind the others. The pipeline calls it where rare
 * rows are counted on higher levels (--least-count).
 *
 * A stand-in reads as its value up to the level of that value, and as what lies above from there
 * on: searches and recodings need not know of it. Measures count ground values alone
 * (mgl_hierarchy_ground). */
#include "hierarchy/hierarchy.h"

typedef struct standing {
    mgl_hierarchy *hierarchy;
    uint32_t n;        /* stand-ins */
    uint32_t *level;   /* [n] of the value it stands for, the lowest that carries it */
    uint32_t *value;   /* [n] there */
    uint32_t *n_below; /* [height + 2] stand-ins of values on levels below this one */
} standing;

static bool needs_one(const mgl_hierarchy *h, uint32_t l, uint32_t v)
{
    return l > 0 && h->levels[l].lowest[v] == l;
}

static mgl_status list_them(standing *s, mgl_error *err)
{
    mgl_hierarchy *h = s->hierarchy;
    size_t most = 0;
    for (uint32_t l = 0; l <= h->height; l++)
        most += h->levels[l].n_values;
    s->level = mgl_alloc_array(most, sizeof *s->level);
    s->value = mgl_alloc_array(most, sizeof *s->value);
    s->n_below = mgl_zeroed_array((size_t)h->height + 2, sizeof *s->n_below);
    MGL_TRY(mgl_check_memory(s->level != NULL && s->value != NULL && s->n_below != NULL, err));
    for (uint32_t l = 0; l <= h->height; l++) {
        for (uint32_t v = 0; v < h->levels[l].n_values; v++)
            if (needs_one(h, l, v)) {
                s->level[s->n] = l;
                s->value[s->n++] = v;
            }
        s->n_below[l + 1] = s->n;
    }
    return MGL_OK;
}

/* The arrays of a level with room for its own values and those of stand-ins. */
typedef struct longer {
    mgl_span *labels;
    uint32_t *leaves, *ground, *first_leaf, *lowest, *parent, *of_leaf, *stand_in;
} longer;

static mgl_status make_room(const standing *s, uint32_t n_values, mgl_error *err, longer *out)
{
    const mgl_hierarchy *h = s->hierarchy;
    mgl_arena *arena = h->arena;
    size_t size = n_values * sizeof(uint32_t);
    *out = (longer){.labels = mgl_arena_alloc(arena, n_values * sizeof *out->labels),
                    .leaves = mgl_arena_alloc(arena, size),
                    .ground = mgl_arena_alloc(arena, size),
                    .first_leaf = mgl_arena_alloc(arena, size),
                    .lowest = mgl_arena_alloc(arena, size),
                    .parent = mgl_arena_alloc(arena, size),
                    .of_leaf =
                        mgl_arena_alloc(arena, ((size_t)h->n_leaves + s->n) * sizeof *out->of_leaf),
                    .stand_in = mgl_arena_alloc(arena, size)};
    bool whole = out->labels != NULL && out->leaves != NULL && out->ground != NULL &&
                 out->first_leaf != NULL && out->lowest != NULL && out->parent != NULL &&
                 out->of_leaf != NULL && out->stand_in != NULL;
    return whole ? MGL_OK : mgl_fail_memory(err);
}

/* The value that a stand-in has at a level: from the value it stands for upwards, those that were
 * there before. */
static uint32_t value_at(const standing *s, uint32_t i, uint32_t l)
{
    const mgl_hierarchy *h = s->hierarchy;
    if (s->level[i] > l)
        return h->levels[l].n_values + i - s->n_below[l + 1];
    uint32_t leaf = h->levels[s->level[i]].first_leaf[s->value[i]];
    return h->levels[l].of_leaf[leaf];
}

static void copy_values(const standing *s, uint32_t l, const longer *to)
{
    const mgl_level *level = &s->hierarchy->levels[l];
    uint32_t n = level->n_values;
    memcpy(to->labels, level->labels, n * sizeof *to->labels);
    memcpy(to->leaves, level->leaves, n * sizeof *to->leaves);
    memcpy(to->ground, level->leaves, n * sizeof *to->ground);
    memcpy(to->first_leaf, level->first_leaf, n * sizeof *to->first_leaf);
    memcpy(to->lowest, level->lowest, n * sizeof *to->lowest);
    memcpy(to->of_leaf, level->of_leaf, s->hierarchy->n_leaves * sizeof *to->of_leaf);
    if (level->parent != NULL)
        memcpy(to->parent, level->parent, n * sizeof *to->parent);
    for (uint32_t v = 0; v < n; v++) /* that of a value of the ground is itself */
        if (level->lowest[v] == 0)
            to->stand_in[v] = level->first_leaf[v];
}

static void add_values(const standing *s, uint32_t l, const longer *to)
{
    const mgl_hierarchy *h = s->hierarchy;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t leaf = h->n_leaves + i, v = value_at(s, i, l);
        const mgl_level *own = &h->levels[s->level[i]];
        to->of_leaf[leaf] = v;
        if (s->level[i] <= l) {
            to->leaves[v]++;
            if (h->levels[l].lowest[v] == s->level[i])
                to->stand_in[v] = leaf;
            continue;
        }
        to->labels[v] = own->labels[s->value[i]];
        to->leaves[v] = 1;
        to->ground[v] = own->leaves[s->value[i]];
        to->first_leaf[v] = to->stand_in[v] = leaf;
        to->lowest[v] = s->level[i];
        to->parent[v] = value_at(s, i, l + 1);
    }
}

static mgl_status extend(standing *s, mgl_error *err)
{
    mgl_hierarchy *h = s->hierarchy;
    mgl_level *levels = mgl_arena_alloc(h->arena, ((size_t)h->height + 1) * sizeof *levels);
    MGL_TRY(mgl_check_memory(levels != NULL, err));
    for (uint32_t l = 0; l <= h->height; l++) {
        uint32_t n_values = h->levels[l].n_values + s->n - s->n_below[l + 1];
        longer to;
        MGL_TRY(make_room(s, n_values, err, &to));
        copy_values(s, l, &to);
        add_values(s, l, &to);
        levels[l] = (mgl_level){.n_values = n_values,
                                .labels = to.labels,
                                .leaves = to.leaves,
                                .ground = to.ground,
                                .first_leaf = to.first_leaf,
                                .lowest = to.lowest,
                                .parent = l < h->height ? to.parent : NULL,
                                .of_leaf = to.of_leaf,
                                .stand_in = to.stand_in};
    }
    h->levels = levels;
    h->n_leaves += s->n;
    h->n_stand_ins = s->n;
    return MGL_OK;
}

mgl_status mgl_hierarchy_add_stand_ins(mgl_hierarchy *hierarchy, mgl_error *err)
{
    standing s = {.hierarchy = hierarchy};
    if (hierarchy->n_stand_ins > 0)
        return MGL_OK; /* it has them */
    mgl_status status = list_them(&s, err);
    if (status == MGL_OK)
        status = extend(&s, err);
    mgl_free(s.level);
    mgl_free(s.value);
    mgl_free(s.n_below);
    return status;
}
