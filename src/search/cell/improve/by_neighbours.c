/* Improving a release in a large lattice, where classes of different tuples are hardly ever at one
 * node, so that dual values say little. A class is taken apart with those of its members' near
 * neighbours; each new class grows from a random tuple by what fits best. */
#include "search/cell/improve/neighbourhood.h"
#include "search/cell/improve/improve.h"

/* Neighbourhoods of classes: chosen class by class, taken back as the classes that became of
 * them. */

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
    x->items = mgl_own_zeroed(&x->own, at_once, sizeof *x->items);
    x->tuples = mgl_own_array(&x->own, room, at_once * sizeof *x->tuples);
    x->draft_of = mgl_own_array(&x->own, room, at_once * sizeof *x->draft_of);
    x->gathered = mgl_own_array(&x->own, room, sizeof *x->gathered);
    x->made = mgl_own_array(&x->own, room, sizeof *x->made);
    MGL_TRY(mgl_check_memory(!x->own.missing && follow_classes(x), err));
    for (size_t i = 0; i < at_once; i++) {
        x->items[i].tuples = x->tuples + i * room;
        x->items[i].draft_of = x->draft_of + i * room;
    }
    return MGL_OK;
}

void mgl_neighbourhoods_end(mgl_neighbourhoods *x)
{
    mgl_free(x->used);
    mgl_owned_free(&x->own);
}

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

/* Its tuples of a draft. */
static size_t neighbourhood_members(const mgl_neighbourhood *one, size_t draft, uint32_t *members)
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
        size_t n = neighbourhood_members(one, i, x->gathered);
        if (n > 0)
            x->made[x->n_made++] = mgl_box_release_add(x->release, x->gathered, n);
    }
    return x->release->out_of_memory || !follow_classes(x) ? mgl_fail_memory(err) : MGL_OK;
}

enum {
    AT_ONCE = 128,     /* neighbourhoods between two looks at the result */
    TRIES = 4,         /* to put one together */
    MOST_CLASSES = 12, /* of a neighbourhood */
    FEW_TUPLES = 8,    /* it has at least about so many, or two classes */
    MORE_TUPLES = 16,  /* and up to so many more */
    DEAD_ENDS = 4,     /* steps per class that may lead nowhere */
    LEAST_ROOM = 64,   /* for its tuples */
    CLASSES_ROOM = 4   /* likewise: this many times what a class needs */
};

/* A class in the making. */
typedef struct draft {
    uint32_t first; /* of its tuples, by number in the neighbourhood */
    uint64_t rows;
    uint32_t cost; /* of a row */
} draft;

/* What a thread needs to put a neighbourhood together. */
typedef struct making {
    const mgl_box_space *space;
    mgl_neighbourhood *one;
    draft *drafts;   /* [room] */
    uint8_t *levels; /* [room * m] of the drafts */
    uint32_t *left;  /* [room] numbers of tuples that are in no draft yet */
    size_t n_left;
    uint64_t rows_left;
    uint64_t work;     /* boxes looked at */
    uint32_t *members; /* [room] */
    mgl_box_judge *judge;
} making;

typedef struct search {
    mgl_neighbourhoods around; /* comes first: see mgl_neighbourhood_take */
    const mgl_box_space *space;
    const uint32_t *near;
    making *workers;
    unsigned n_workers;
    mgl_owned own;
} search;

static mgl_improver_choice choose(void *context, const mgl_improver_item *item)
{
    search *x = context;
    mgl_neighbourhood *one = mgl_neighbourhood_begin(&x->around, item);
    uint32_t first = mgl_quick_random_below(item->random, x->around.release->n_classes);
    size_t wanted = FEW_TUPLES + mgl_quick_random_below(item->random, MORE_TUPLES + 1);
    x->around.work += MOST_CLASSES; /* rounds of dead ends come to an end, too */
    if (!mgl_neighbourhood_may_have(&x->around, item, first) ||
        !mgl_neighbourhood_has_room(&x->around, one, first))
        return MGL_DEAD_END;
    mgl_neighbourhood_add(&x->around, item, first);
    for (size_t i = 0; i < MOST_CLASSES * DEAD_ENDS; i++) {
        if (one->n_classes == MOST_CLASSES || (one->n_classes > 1 && one->n_tuples >= wanted))
            break;
        /* The class of a near neighbour; 0: a dead end. */
        uint32_t t = one->tuples[mgl_quick_random_below(item->random, one->n_tuples)];
        uint32_t u =
            x->near[t * MGL_CELL_NEAR + mgl_quick_random_below(item->random, MGL_CELL_NEAR)];
        uint32_t to = u != MGL_NOT_FOUND ? x->around.release->class_of[u] : 0;
        bool fits = mgl_neighbourhood_may_have(&x->around, item, to) &&
                    mgl_neighbourhood_has_room(&x->around, one, to);
        uint32_t next = fits ? to : 0;
        if (next != 0)
            mgl_neighbourhood_add(&x->around, item, next);
    }
    return one->n_classes > 1 ? MGL_CHOSEN : MGL_DEAD_END;
}

static uint32_t tuple_of(const making *k, uint32_t number)
{
    return k->one->tuples[number];
}

/* What a row costs if the tuple joins the draft; something above `most` if it is more than that. */
static uint32_t cost_with(making *k, size_t p, uint32_t number, uint32_t most)
{
    k->work++;
    return mgl_box_cost_with(k->space, k->levels + p * k->space->m, tuple_of(k, k->drafts[p].first),
                             tuple_of(k, number), most);
}

static void join(making *k, size_t p, uint32_t number)
{
    const mgl_box_space *s = k->space;
    draft *to = &k->drafts[p];
    uint8_t *levels = k->levels + p * s->m;
    mgl_box_join(s, levels, tuple_of(k, to->first), tuple_of(k, number));
    to->cost = mgl_box_cost(s, levels, tuple_of(k, to->first));
    to->rows += s->rows[tuple_of(k, number)];
    k->one->draft_of[number] = (uint32_t)p;
}

static uint32_t take_left(making *k, size_t i)
{
    uint32_t number = k->left[i];
    k->left[i] = k->left[--k->n_left];
    k->rows_left -= k->space->rows[tuple_of(k, number)];
    return number;
}

/* A draft of one tuple. */
static size_t begin_draft(making *k, uint32_t number)
{
    size_t p = k->one->n_drafts++;
    k->drafts[p] = (draft){.first = number};
    mgl_box_begin(k->space, k->levels + p * k->space->m);
    join(k, p, number);
    return p;
}

static void grow_draft(making *k, size_t p)
{
    while (k->drafts[p].rows < k->space->need && k->n_left > 0) {
        size_t best = 0;
        uint32_t least = UINT32_MAX;
        for (size_t i = 0; i < k->n_left; i++) {
            uint32_t cost = cost_with(k, p, k->left[i], least);
            if (cost < least) {
                least = cost;
                best = i;
            }
        }
        join(k, p, take_left(k, best));
    }
}

/* Where it adds least to the cost of all. */
static void find_host(making *k, uint32_t number)
{
    uint64_t rows = k->space->rows[tuple_of(k, number)], least = UINT64_MAX;
    size_t best = 0;
    for (size_t p = 0; p < k->one->n_drafts; p++) {
        const draft *to = &k->drafts[p];
        uint64_t more =
            (to->rows + rows) * cost_with(k, p, number, UINT32_MAX) - to->rows * to->cost;
        if (more < least) {
            least = more;
            best = p;
        }
    }
    join(k, best, number);
}

static uint64_t put_together(making *k, mgl_quick_random *random)
{
    uint64_t cost = 0;
    k->one->n_drafts = k->n_left = 0;
    k->rows_left = 0;
    for (uint32_t i = 0; i < k->one->n_tuples; i++) {
        k->left[k->n_left++] = i;
        k->rows_left += k->space->rows[k->one->tuples[i]];
    }
    while (k->rows_left >= k->space->need) {
        uint32_t seed = take_left(k, mgl_quick_random_below(random, k->n_left));
        grow_draft(k, begin_draft(k, seed));
    }
    while (k->n_left > 0)
        find_host(k, take_left(k, k->n_left - 1));
    for (size_t p = 0; p < k->one->n_drafts; p++)
        cost += k->drafts[p].rows * k->drafts[p].cost;
    return cost;
}

/* May these be the classes? */
static bool all_hold(making *k)
{
    const mgl_box_space *s = k->space;
    for (size_t p = 0; p < k->one->n_drafts; p++)
        if (k->drafts[p].cost >= s->top_cost &&
            !mgl_box_may_be_class(s, k->levels + p * s->m, tuple_of(k, k->drafts[p].first)))
            return false;
    for (size_t p = 0; s->judged && p < k->one->n_drafts; p++)
        if (!mgl_box_holds(k->judge, k->members, neighbourhood_members(k->one, p, k->members)))
            return false;
    return true;
}

static bool open(void *context, const mgl_improver_item *item, uint64_t *before)
{
    search *x = context;
    x->workers[item->worker].one = &x->around.items[item->number];
    x->workers[item->worker].work = 0;
    *before = mgl_neighbourhood_cost(&x->around, &x->around.items[item->number]);
    return true;
}

static bool rebuild(void *context, const mgl_improver_item *item, size_t attempt, uint64_t *cost)
{
    search *x = context;
    making *k = &x->workers[item->worker];
    (void)attempt; /* each begins with other tuples */
    *cost = put_together(k, item->random);
    k->one->work = k->work;
    return true;
}

static bool keep(void *context, const mgl_improver_item *item)
{
    search *x = context;
    return all_hold(&x->workers[item->worker]);
}

static const mgl_improver by_neighbours = {.at_once = AT_ONCE,
                                           .tries = TRIES,
                                           .look_every = 1,
                                           .choose = choose,
                                           .open = open,
                                           .rebuild = rebuild,
                                           .keep = keep,
                                           .take = mgl_neighbourhood_take,
                                           .leave = mgl_neighbourhood_leave};

static mgl_status begin_worker(const search *x, making *k, mgl_error *err)
{
    size_t room = x->around.room;
    k->space = x->space;
    k->drafts = mgl_alloc_array(room, sizeof *k->drafts);
    k->levels = mgl_alloc_array(room, x->space->m);
    k->left = mgl_alloc_array(room, sizeof *k->left);
    k->members = mgl_alloc_array(room, sizeof *k->members);
    MGL_TRY(mgl_check_memory(
        k->drafts != NULL && k->levels != NULL && k->left != NULL && k->members != NULL, err));
    return mgl_box_judge_new(x->space, err, &k->judge);
}

static void end(search *x)
{
    for (unsigned i = 0; i < x->n_workers; i++) {
        mgl_free(x->workers[i].drafts);
        mgl_free(x->workers[i].levels);
        mgl_free(x->workers[i].left);
        mgl_free(x->workers[i].members);
        mgl_box_judge_free(x->workers[i].judge);
    }
    mgl_owned_free(&x->own);
    mgl_neighbourhoods_end(&x->around);
}

mgl_status mgl_cell_regroup(const uint32_t *near, uint64_t work, mgl_box_release *release,
                            mgl_error *err, bool *timed_out)
{
    search x = {.space = release->space, .near = near};
    mgl_quick_random random = {0};
    mgl_improver_limits limits = {.problem = release->space->problem,
                                  .work = &x.around.work,
                                  .most_work = work,
                                  .timed_out = *timed_out};
    mgl_status status = MGL_OK;
    const mgl_box_space *s = x.space;
    size_t room = (size_t)CLASSES_ROOM * s->need;
    room = room < LEAST_ROOM ? LEAST_ROOM : room < s->n ? room : s->n;
    MGL_GO(mgl_neighbourhoods_begin(&x.around, release, AT_ONCE, room, err));
    x.workers = mgl_own_zeroed(&x.own, mgl_pool_threads(s->problem->pool), sizeof *x.workers);
    MGL_GO(mgl_owned_check(&x.own, err));
    x.n_workers = mgl_pool_threads(s->problem->pool);
    for (unsigned i = 0; i < x.n_workers; i++)
        MGL_GO(begin_worker(&x, &x.workers[i], err));
    MGL_GO(mgl_improve(&by_neighbours, &x, &random, &limits, err));
    *timed_out = limits.timed_out;
done:
    end(&x);
    return status;
}
