/* Classes of a release that tuples join one by one. A class with more members than there are values
 * to count is summed up once, and a look at it takes no longer the larger it is. What the greedy
 * does with tuples that it could not place calls it. */
#include "search/box/box.h"

struct mgl_box_growing {
    mgl_box_release *release;
    mgl_box_judge *judge;
    mgl_running_group **sums; /* [class] NULL: not summed up */
    size_t n_sums, capacity;
    size_t least;      /* members from which on a class is summed up */
    uint32_t *members; /* [n] of a class that is not */
};

/* Persons are counted once in a class, and the population under its box is none of its tuples':
 * sums do not tell these. */
static bool can_sum(const mgl_box_space *s)
{
    return s->looks && s->problem->list->persons == NULL && s->problem->population == NULL;
}

mgl_status mgl_box_growing_new(mgl_box_release *release, mgl_box_judge *judge, mgl_error *err,
                               mgl_box_growing **out)
{
    const mgl_box_space *s = release->space;
    mgl_box_growing *g = mgl_zeroed_array(1, sizeof *g);
    if (g == NULL)
        return mgl_fail_memory(err);
    g->release = release;
    g->judge = judge;
    g->least = can_sum(s) ? mgl_running_group_values(s->problem->list) : SIZE_MAX;
    g->members = mgl_alloc_array(s->n, sizeof *g->members);
    if (g->members == NULL) {
        mgl_box_growing_free(g);
        return mgl_fail_memory(err);
    }
    *out = g;
    return MGL_OK;
}

void mgl_box_growing_free(mgl_box_growing *g)
{
    if (g == NULL)
        return;
    for (size_t c = 0; c < g->n_sums; c++)
        mgl_running_group_free(g->sums[c]);
    mgl_free(g->sums);
    mgl_free(g->members);
    mgl_free(g);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static bool make_room(mgl_box_growing *g)
{
    size_t n = g->release->n_classes;
    if (!mgl_grow(&g->sums, &g->capacity, n, sizeof *g->sums))
        return false;
    for (; g->n_sums < n; g->n_sums++)
        g->sums[g->n_sums] = NULL;
    return true;
}

/* NULL: the members must be looked at. Without memory for sums that does as well. */
static mgl_running_group *sum_of(mgl_box_growing *g, uint32_t class)
{
    const mgl_box_class *c = &g->release->classes[class];
    if (c->n < g->least || !make_room(g))
        return NULL;
    mgl_running_group *sum = g->sums[class];
    if (sum != NULL ||
        mgl_running_group_new(g->release->space->problem->list, NULL, &sum) != MGL_OK)
        return sum;
    for (size_t i = 0; i < c->n; i++)
        mgl_running_group_join(sum, c->members[i]);
    g->sums[class] = sum;
    return sum;
}

static void forget(mgl_box_growing *g, uint32_t class)
{
    if (class >= g->n_sums)
        return;
    mgl_running_group_free(g->sums[class]);
    g->sums[class] = NULL;
}

/* ---- Judging --------------------------------------------------------------------------------- */

bool mgl_box_growing_holds(mgl_box_growing *g, uint32_t class)
{
    const mgl_box_space *s = g->release->space;
    const mgl_box_class *c = &g->release->classes[class];
    mgl_running_group *sum = c->rows >= s->need && s->past_mask == 0 ? sum_of(g, class) : NULL;
    if (sum == NULL)
        return mgl_box_holds(g->judge, c->members, c->n);
    return mgl_box_group_holds(s, mgl_running_group_now(sum));
}

bool mgl_box_growing_may_join(mgl_box_growing *g, uint32_t class, uint32_t tuple)
{
    const mgl_box_space *s = g->release->space;
    const mgl_box_class *c = &g->release->classes[class];
    if (!s->judged)
        return true;
    mgl_running_group *sum = c->rows >= s->need && s->past_mask == 0 ? sum_of(g, class) : NULL;
    if (sum != NULL)
        return mgl_box_group_holds(s, mgl_running_group_with(sum, tuple));
    memcpy(g->members, c->members, c->n * sizeof *c->members);
    g->members[c->n] = tuple;
    return mgl_box_holds(g->judge, g->members, c->n + 1);
}

/* ---- Growing --------------------------------------------------------------------------------- */

void mgl_box_growing_join(mgl_box_growing *g, uint32_t class, uint32_t tuple)
{
    mgl_box_release_join(g->release, class, tuple);
    if (class < g->n_sums && g->sums[class] != NULL)
        mgl_running_group_join(g->sums[class], tuple);
}

void mgl_box_growing_take_in(mgl_box_growing *g, uint32_t class, uint32_t other)
{
    const mgl_box_class *c = &g->release->classes[other];
    size_t n = c->n;
    memcpy(g->members, c->members, n * sizeof *c->members);
    mgl_box_release_dissolve(g->release, other);
    forget(g, other);
    for (size_t i = 0; i < n; i++)
        mgl_box_growing_join(g, class, g->members[i]);
}
