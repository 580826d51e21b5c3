/* Neighbourhoods of classes: chosen class by class, taken back as the classes that became of
 * them. */
#include "search/cell/improve/neighbourhood.h"

/* Classes may have become more. */
static bool follow_classes(mgl_neighbourhoods *x)
{
    size_t before = x->used_capacity;
    if (!mgl_grow(&x->used, &x->used_capacity, x->release->n_classes + 1, sizeof *x->used))
        return false;
    for (size_t i = before; i < x->used_capacity; i++)
        x->used[i] = 0;
    return true;
}

mgl_status mgl_neighbourhoods_begin(mgl_neighbourhoods *x, mgl_box_release *release, size_t at_once,
                                    size_t room, mgl_error *err)
{
    *x = (mgl_neighbourhoods){.release = release, .room = room};
    x->items = mgl_zeroed_array(at_once, sizeof *x->items);
    x->tuples = mgl_alloc_array(room, at_once * sizeof *x->tuples);
    x->draft_of = mgl_alloc_array(room, at_once * sizeof *x->draft_of);
    x->gathered = mgl_alloc_array(room, sizeof *x->gathered);
    x->made = mgl_alloc_array(room, sizeof *x->made);
    if (x->items == NULL || x->tuples == NULL || x->draft_of == NULL || x->gathered == NULL ||
        x->made == NULL || !follow_classes(x))
        return mgl_fail_memory(err);
    for (size_t i = 0; i < at_once; i++) {
        x->items[i].tuples = x->tuples + i * room;
        x->items[i].draft_of = x->draft_of + i * room;
    }
    return MGL_OK;
}

void mgl_neighbourhoods_end(mgl_neighbourhoods *x)
{
    mgl_free(x->items);
    mgl_free(x->tuples);
    mgl_free(x->draft_of);
    mgl_free(x->used);
    mgl_free(x->gathered);
    mgl_free(x->made);
}

/* ---- Choosing ------------------------------------------------------------------------------ */

mgl_neighbourhood *mgl_neighbourhood_begin(mgl_neighbourhoods *x, const mgl_improver_item *item)
{
    mgl_neighbourhood *one = &x->items[item->number];
    one->n_classes = one->n_tuples = one->n_drafts = 0;
    one->work = 0;
    return one;
}

void mgl_neighbourhood_add(mgl_neighbourhoods *x, const mgl_improver_item *item, uint32_t class)
{
    mgl_neighbourhood *one = &x->items[item->number];
    const mgl_box_class *c = &x->release->classes[class];
    if (mgl_neighbourhood_has_room(x, one, class))
        memcpy(one->tuples + one->n_tuples, c->members, c->n * sizeof *c->members);
    one->n_tuples += c->n;
    one->classes[one->n_classes++] = class;
    x->used[class] = item->round;
}

uint64_t mgl_neighbourhood_cost(const mgl_neighbourhoods *x, const mgl_neighbourhood *one)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < one->n_classes; i++) {
        const mgl_box_class *c = &x->release->classes[one->classes[i]];
        cost += c->rows * c->cost;
    }
    return cost;
}

/* ---- Taking -------------------------------------------------------------------------------- */

size_t mgl_neighbourhood_members(const mgl_neighbourhood *one, size_t draft, uint32_t *members)
{
    size_t n = 0;
    for (size_t i = 0; i < one->n_tuples; i++)
        if (one->draft_of[i] == draft)
            members[n++] = one->tuples[i];
    return n;
}

void mgl_neighbourhood_leave(void *search, size_t number)
{
    mgl_neighbourhoods *x = search;
    x->work += x->items[number].work;
}

mgl_status mgl_neighbourhood_take(void *search, size_t number, mgl_error *err)
{
    mgl_neighbourhoods *x = search;
    const mgl_neighbourhood *one = &x->items[number];
    x->work += one->work;
    x->n_made = 0;
    for (size_t i = 0; i < one->n_classes; i++)
        mgl_box_release_dissolve(x->release, one->classes[i]);
    for (size_t i = 0; i < one->n_drafts; i++) {
        size_t n = mgl_neighbourhood_members(one, i, x->gathered);
        if (n > 0)
            x->made[x->n_made++] = mgl_box_release_add(x->release, x->gathered, n);
    }
    return x->release->out_of_memory || !follow_classes(x) ? mgl_fail_memory(err) : MGL_OK;
}
