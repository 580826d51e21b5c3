/* Keeps a release as classes of tuples while it is made: tuples join and leave, classes dissolve,
 * costs are summed. A class with many members is summed up once while tuples join it one by one. */
#include "search/box/box.h"

mgl_status mgl_box_release_new(const mgl_box_space *space, mgl_error *err, mgl_box_release **out)
{
    mgl_box_release *r = mgl_zeroed_array(1, sizeof *r);
    if (r == NULL)
        return mgl_fail_memory(err);
    r->space = space;
    r->class_of = mgl_alloc_array(space->n, sizeof *r->class_of);
    if (r->class_of == NULL) {
        mgl_free(r);
        return mgl_fail_memory(err);
    }
    for (size_t t = 0; t < space->n; t++)
        r->class_of[t] = MGL_NOT_FOUND;
    mgl_box_release_add(r, NULL, 0); /* of the suppressed rows */
    if (r->out_of_memory) {
        mgl_box_release_free(r);
        return mgl_fail_memory(err);
    }
    *out = r;
    return MGL_OK;
}

void mgl_box_release_free(mgl_box_release *release)
{
    if (release == NULL)
        return;
    for (size_t c = 0; c < release->n_classes; c++) {
        mgl_free(release->classes[c].members);
        mgl_free(release->classes[c].levels);
    }
    mgl_free(release->classes);
    mgl_free(release->empty);
    mgl_free(release->class_of);
    mgl_free(release);
}

/* The smallest box around the members; suppressed rows have the top. */
static void fit_box(mgl_box_release *r, uint32_t class)
{
    const mgl_box_space *s = r->space;
    mgl_box_class *c = &r->classes[class];
    c->cost = s->top_cost;
    mgl_box_begin(s, c->levels);
    if (c->n == 0 || class == 0)
        return;
    for (size_t i = 1; i < c->n; i++)
        mgl_box_join(s, c->levels, c->members[0], c->members[i]);
    c->cost = mgl_box_cost(s, c->levels, c->members[0]);
}

static bool push(mgl_box_release *r, uint32_t class, uint32_t tuple)
{
    mgl_box_class *c = &r->classes[class];
    if (!mgl_grow(&c->members, &c->capacity, c->n + 1, sizeof *c->members)) {
        r->out_of_memory = true;
        return false;
    }
    c->members[c->n++] = tuple;
    c->rows += r->space->rows[tuple];
    r->class_of[tuple] = class;
    return true;
}

static bool new_class(mgl_box_release *r)
{
    uint8_t *levels = mgl_alloc_array(r->space->m, 1);
    if (levels == NULL ||
        !mgl_grow(&r->empty, &r->empty_capacity, r->n_classes + 1, sizeof *r->empty) ||
        !mgl_grow(&r->classes, &r->capacity, r->n_classes + 1, sizeof *r->classes)) {
        mgl_free(levels);
        r->out_of_memory = true;
        return false;
    }
    r->classes[r->n_classes++] = (mgl_box_class){.levels = levels};
    return true;
}

uint32_t mgl_box_release_add(mgl_box_release *r, const uint32_t *tuples, size_t n)
{
    uint32_t class = (uint32_t)r->n_classes;
    if (r->n_empty > 0)
        class = r->empty[--r->n_empty];
    else if (!new_class(r))
        return 0;
    mgl_box_class *c = &r->classes[class];
    if (!mgl_grow(&c->members, &c->capacity, n, sizeof *c->members))
        r->out_of_memory = true;
    for (size_t i = 0; i < n && push(r, class, tuples[i]); i++)
        ;
    fit_box(r, class);
    return class;
}

void mgl_box_release_join(mgl_box_release *r, uint32_t class, uint32_t tuple)
{
    const mgl_box_space *s = r->space;
    mgl_box_class *c = &r->classes[class];
    if (!push(r, class, tuple) || class == 0)
        return;
    mgl_box_join(s, c->levels, c->members[0], tuple);
    c->cost = mgl_box_cost(s, c->levels, tuple);
}

void mgl_box_release_leave(mgl_box_release *r, uint32_t tuple)
{
    uint32_t class = r->class_of[tuple];
    mgl_box_class *c = &r->classes[class];
    size_t i = 0;
    while (c->members[i] != tuple)
        i++;
    c->members[i] = c->members[--c->n];
    c->rows -= r->space->rows[tuple];
    r->class_of[tuple] = MGL_NOT_FOUND;
    if (class > 0 && c->n == 0)
        r->empty[r->n_empty++] = class;
    fit_box(r, class);
}

void mgl_box_release_dissolve(mgl_box_release *r, uint32_t class)
{
    mgl_box_class *c = &r->classes[class];
    for (size_t i = 0; i < c->n; i++)
        r->class_of[c->members[i]] = MGL_NOT_FOUND;
    if (class > 0 && c->n > 0)
        r->empty[r->n_empty++] = class;
    c->n = 0;
    c->rows = 0;
}

uint64_t mgl_box_release_cost(const mgl_box_release *r)
{
    uint64_t sum = 0;
    for (size_t c = 0; c < r->n_classes; c++)
        sum += r->classes[c].rows * r->classes[c].cost;
    return sum;
}

void mgl_box_release_copy(mgl_box_release *to, const mgl_box_release *from)
{
    for (size_t c = 0; c < to->n_classes; c++)
        mgl_box_release_dissolve(to, (uint32_t)c);
    for (size_t c = 0; c < from->n_classes; c++) {
        const mgl_box_class *x = &from->classes[c];
        for (size_t i = 0; c == 0 && i < x->n; i++)
            mgl_box_release_join(to, 0, x->members[i]);
        if (c > 0 && x->n > 0)
            mgl_box_release_add(to, x->members, x->n);
    }
    to->out_of_memory = to->out_of_memory || from->out_of_memory;
}

/* ---- Growing classes ------------------------------------------------------------------------- */

/* Classes of a release that tuples join one by one. A class with more members than there are values
 * to count is summed up once, and a look at it takes no longer the larger it is. */

struct mgl_box_growing {
    mgl_box_release *release;
    mgl_box_judge *judge;
    mgl_running_group **sums; /* [class] NULL: not summed up */
    size_t n_sums, capacity;
    size_t least;      /* members from which on a class is summed up */
    uint32_t *members; /* [n] of a class that is not */
};

/* Persons are counted once in a class, and the population under its box is none of its tuples':
 * sums do not show these. */
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
    mgl_running_group *sum = c->rows >= s->need && s->history_mask == 0 ? sum_of(g, class) : NULL;
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
    mgl_running_group *sum = c->rows >= s->need && s->history_mask == 0 ? sum_of(g, class) : NULL;
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
