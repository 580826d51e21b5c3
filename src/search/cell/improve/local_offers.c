/* Offers as far as they lie in a neighbourhood, and taking the best first: the first step of
 * putting it together anew, for rebuild.c. */
#include "search/cell/improve/rebuild.h"

static mgl_local_offer *new_local(mgl_cell_rebuilder *p, uint32_t cost, size_t n_members)
{
    if (!mgl_grow(&p->locals, &p->locals_capacity, p->n_locals + 1, sizeof *p->locals) ||
        !mgl_grow(&p->members, &p->members_capacity, p->n_members + n_members,
                  sizeof *p->members)) {
        p->out_of_memory = true;
        return NULL;
    }
    mgl_local_offer *l = &p->locals[p->n_locals++];
    *l = (mgl_local_offer){.cost = cost, .start = p->n_members};
    p->n_members += n_members;
    return l;
}

/* The boxes of the classes that were taken apart are offers, too. */
static void offer_classes(mgl_cell_rebuilder *p)
{
    for (size_t c = 0; c < p->n_classes; c++) {
        const mgl_box_class *class = p->classes[c];
        mgl_local_offer *l = new_local(p, class->cost, p->n);
        if (l == NULL)
            return;
        mgl_box_mask(p->space, class->levels, p->mask);
        for (size_t i = 0; i < p->n; i++) {
            uint32_t at = p->order[i].place;
            if (class->cost == p->space->top_cost ||
                mgl_box_covers(p->space, p->mask, class->members[0], p->tuples[at]))
                p->members[l->start + l->n++] = at;
        }
        p->n_members = l->start + l->n;
        p->work += p->n;
    }
}

/* The offers with enough rows in the neighbourhood, with the places of these. */
static void find_offers(mgl_cell_rebuilder *p)
{
    const mgl_cell_offers *o = p->offers;
    const mgl_box_space *s = p->space;
    uint32_t rows_seen = ++p->now, taken = ++p->now;
    for (size_t i = 0; i < p->n; i++) {
        uint32_t t = p->tuples[i];
        for (size_t j = o->start[t]; j < o->start[t + 1]; j++) {
            mgl_offer_sight *seen = &p->seen[o->of[j]];
            if (seen->when != rows_seen)
                *seen = (mgl_offer_sight){.when = rows_seen};
            seen->number += s->rows[t];
        }
        p->work += o->start[t + 1] - o->start[t];
    }
    for (size_t i = 0; i < p->n && !p->out_of_memory; i++) {
        uint32_t at = p->order[i].place, t = p->tuples[at];
        for (size_t j = o->start[t]; j < o->start[t + 1]; j++) {
            mgl_offer_sight *seen = &p->seen[o->of[j]];
            if (seen->when == rows_seen && seen->number >= s->need) {
                const mgl_cell_bargain *b = &o->list.items[o->of[j]];
                *seen = (mgl_offer_sight){.when = taken, .number = (uint32_t)p->n_locals};
                if (new_local(p, b->cost, b->n < p->n ? b->n : p->n) == NULL)
                    return;
            }
            if (seen->when == taken) {
                mgl_local_offer *l = &p->locals[seen->number];
                p->members[l->start + l->n++] = at;
            }
        }
    }
}

void mgl_find_local_offers(mgl_cell_rebuilder *p)
{
    p->n_locals = p->n_members = 0;
    offer_classes(p);
    find_offers(p);
}

/* ---- The best offers first ------------------------------------------------------------- */

/* The best rows of the offer among the places not taken: those priced above its cost, the
 * dearest of the others until there are enough. Tuples stay whole. Returns how many places
 * were chosen, 0 if they are too few; *worth is what a row is worth above its cost. */
static size_t choose(mgl_cell_rebuilder *p, const mgl_local_offer *l, double *worth)
{
    const mgl_box_space *s = p->space;
    uint64_t rows = 0;
    double sum = 0;
    size_t n = 0, i = 0;
    for (; i < l->n; i++) {
        uint32_t at = p->members[l->start + i];
        if (rows >= s->need && p->price[at] <= l->cost)
            break;
        if (p->clump_of[at] != MGL_NOT_FOUND)
            continue;
        uint32_t w = s->rows[p->tuples[at]];
        sum += w * (p->price[at] - l->cost);
        rows += w;
        p->chosen[n++] = at;
    }
    p->work += i;
    *worth = rows > 0 ? sum / (double)rows : 0;
    return rows >= s->need ? n : 0;
}

static bool better(const mgl_cell_rebuilder *p, uint32_t x, uint32_t y)
{
    double worth = p->locals[x].worth, other = p->locals[y].worth;
    return worth == other ? x < y : worth > other;
}

static void sift_down(mgl_cell_rebuilder *p, size_t at, size_t n)
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
void mgl_take_offers(mgl_cell_rebuilder *p)
{
    size_t n = 0;
    for (size_t i = 0; i < p->n_locals; i++)
        if (choose(p, &p->locals[i], &p->locals[i].worth) > 0)
            p->heap[n++] = (uint32_t)i;
    for (size_t i = n / 2; i-- > 0;)
        sift_down(p, i, n);
    while (n > 0) {
        mgl_local_offer *l = &p->locals[p->heap[0]];
        double worth;
        size_t n_chosen = choose(p, l, &worth);
        if (n_chosen > 0 && worth < l->worth)
            l->worth = worth;
        else if (n_chosen > 0 && mgl_clump_holds(p, p->chosen, n_chosen))
            mgl_clump_begin(p, p->chosen, n_chosen);
        else
            p->heap[0] = p->heap[--n];
        if (n > 0)
            sift_down(p, 0, n);
    }
}
