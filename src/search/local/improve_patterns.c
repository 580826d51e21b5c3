/* Fewer or less important cells, where a suppressed cell matches every value: the tuples in
 * question are given patterns anew, those first that help most for their price; then, again and
 * again, some near each other lose theirs, and what is wanting after that is given anew in a
 * slightly different order. Local suppression calls it with the patterns that it placed. */
#include "search/improver/improver.h"
#include "search/local/pairs.h"

enum {
    LOOK_EVERY = 32, /* neighbourhoods between two looks at the clock */
    LEAST_TAKEN = 2, /* patterns that are taken away at once */
    MOST_TAKEN = 9
};

#define NOISE 0.5      /* of what a pattern is worth */
#define NEAR_NOISE 1.5 /* of how near tuples are, in columns */

typedef struct change {
    uint32_t v, pattern; /* before */
} change;

typedef struct improve {
    mgl_local_pairs *p;
    uint32_t *needy;           /* [n] */
    mgl_local_option *options; /* [n] by place in needy */
    size_t n_needy;
    change *changes; /* to be undone */
    size_t n_changes, capacity;
    double *near;     /* [n] */
    uint32_t *chosen; /* [n] the first n_chosen lose their patterns */
    size_t n_chosen;
    bool out_of_memory;
} improve;

static void set(improve *x, uint32_t v, uint32_t pattern)
{
    if (!mgl_grow(&x->changes, &x->capacity, x->n_changes + 1, sizeof *x->changes)) {
        x->out_of_memory = true;
        return;
    }
    x->changes[x->n_changes++] = (change){v, x->p->patterns[v]};
    mgl_pairs_set(x->p, v, pattern);
}

static void undo(improve *x)
{
    while (x->n_changes > 0) {
        change c = x->changes[--x->n_changes];
        mgl_pairs_set(x->p, c.v, c.pattern);
    }
}

/* ---- Giving patterns ------------------------------------------------------------------------- */

static void forget(improve *x, size_t i)
{
    x->n_needy--;
    x->needy[i] = x->needy[x->n_needy];
    x->options[i] = x->options[x->n_needy];
}

static size_t best_option(const improve *x)
{
    size_t best = 0;
    for (size_t i = 1; i < x->n_needy; i++)
        if (x->options[i].worth > x->options[best].worth ||
            (x->options[i].worth == x->options[best].worth && x->needy[i] < x->needy[best]))
            best = i;
    return best;
}

/* Worths mostly fall while others are helped: the one that seems best is looked at again, and taken
 * if it still is about as good as it seemed. False if a tuple cannot be helped. */
static bool give_patterns(improve *x, double noise, mgl_quick_random *random)
{
    mgl_local_pairs *p = x->p;
    x->n_needy = 0;
    for (size_t v = 0; v < p->n; v++)
        if (p->lacking[v] > 0)
            x->needy[x->n_needy++] = (uint32_t)v;
    for (size_t i = 0; i < x->n_needy; i++)
        x->options[i] = mgl_pairs_choose(p, x->needy[i], noise, random);
    while (x->n_needy > 0 && !x->out_of_memory) {
        size_t i = best_option(x);
        uint32_t v = x->needy[i];
        if (p->lacking[v] == 0) {
            forget(x, i);
            continue;
        }
        double before = x->options[i].worth;
        x->options[i] = mgl_pairs_choose(p, v, noise, random);
        if (x->options[i].worth < 0)
            return false;
        if (x->options[i].worth < before * (1 - noise / 2) && best_option(x) != i)
            continue;
        set(x, v, x->options[i].pattern);
        forget(x, i);
        p->work += x->n_needy * 2;
    }
    return true;
}

/* Cells that nobody needs suppressed any more, the most important ones of a row first. Rows whose
 * counts did not change since then are passed over. */
static void drop_cells(improve *x, uint32_t since)
{
    mgl_local_pairs *p = x->p;
    for (uint32_t v = 0; v < p->n; v++) {
        uint32_t left = p->touched[v] < since ? 0 : p->patterns[v] & ~p->given[v];
        while (left != 0) {
            uint32_t column = left & -left;
            for (uint32_t rest = left & (left - 1); rest != 0; rest &= rest - 1)
                if (mgl_local_price(p->l, rest & -rest) > mgl_local_price(p->l, column))
                    column = rest & -rest;
            left &= ~column;
            if (mgl_pairs_can_drop(p, v, column))
                set(x, v, p->patterns[v] & ~column);
        }
    }
}

/* ---- Choosing, taking and leaving --------------------------------------------------------- */

/* Tuples with suppressed cells near to one of them: those of a neighbourhood come first in chosen.
 */
static mgl_improver_choice choose(void *search, const mgl_improver_item *item)
{
    improve *x = search;
    mgl_local_pairs *p = x->p;
    size_t n = 0,
           wanted = LEAST_TAKEN + mgl_quick_random_below(item->random, MOST_TAKEN - LEAST_TAKEN);
    for (uint32_t v = 0; v < p->n; v++)
        if (p->patterns[v] != p->given[v])
            x->chosen[n++] = v;
    if (n == 0 || x->out_of_memory)
        return MGL_NONE_LEFT;
    const uint32_t *differ = p->differ + x->chosen[mgl_quick_random_below(item->random, n)] * p->n;
    for (size_t i = 0; i < n; i++)
        x->near[i] = __builtin_popcount(differ[x->chosen[i]]) +
                     NEAR_NOISE * mgl_quick_random_unit(item->random);
    x->n_chosen = wanted < n ? wanted : n;
    for (size_t k = 0; k < x->n_chosen; k++) {
        size_t nearest = k;
        for (size_t i = k + 1; i < n; i++)
            if (x->near[i] < x->near[nearest])
                nearest = i;
        uint32_t v = x->chosen[nearest];
        x->chosen[nearest] = x->chosen[k];
        x->near[nearest] = x->near[k];
        x->chosen[k] = v;
    }
    p->work += n * (wanted + 4);
    return MGL_CHOSEN;
}

static bool open(void *search, const mgl_improver_item *item, uint64_t *before)
{
    improve *x = search;
    (void)item; /* there is one in a round */
    *before = x->p->price;
    x->n_changes = 0;
    x->p->now++;
    for (size_t i = 0; i < x->n_chosen; i++)
        set(x, x->chosen[i], x->p->given[x->chosen[i]]);
    return true;
}

static bool rebuild(void *search, const mgl_improver_item *item, size_t attempt, uint64_t *cost)
{
    improve *x = search;
    (void)attempt; /* there is one */
    bool made = give_patterns(x, NOISE, item->random);
    drop_cells(x, x->p->now);
    *cost = x->p->price;
    return made;
}

/* It is there already. */
static mgl_status take(void *search, size_t number, mgl_error *err)
{
    const improve *x = search;
    (void)number;
    return x->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

static void leave(void *search, size_t number)
{
    (void)number;
    undo(search);
}

static const mgl_improver by_patterns = {.at_once = 1,
                                         .tries = 1,
                                         .look_every = LOOK_EVERY,
                                         .choose = choose,
                                         .open = open,
                                         .rebuild = rebuild,
                                         .take = take,
                                         .leave = leave};

/* ---- The search ----------------------------------------------------------------------------- */

/* The patterns there are already, if they cannot be given better. */
static void give_first(improve *x, mgl_quick_random *random)
{
    mgl_local_pairs *p = x->p;
    for (size_t v = 0; v < p->n; v++)
        mgl_pairs_set(p, v, p->l->patterns[p->tuples[v]]);
    drop_cells(x, 0);
    uint64_t known = p->price;
    x->n_changes = 0;
    for (uint32_t v = 0; v < p->n && !x->out_of_memory; v++)
        set(x, v, p->given[v]);
    bool made = give_patterns(x, 0, random);
    drop_cells(x, 0);
    if (!made || p->price >= known)
        undo(x);
}

static mgl_status search(improve *x, mgl_error *err)
{
    mgl_local_pairs *p = x->p;
    mgl_quick_random random = {1};
    mgl_improver_limits limits = {.problem = p->l->space->problem,
                                  .work = &p->work,
                                  .most_work = mgl_local_work(p->l->space->problem, p->n),
                                  .timed_out = p->l->timed_out};
    give_first(x, &random);
    MGL_TRY(mgl_improve(&by_patterns, x, &random, &limits, err));
    p->l->timed_out = limits.timed_out;
    drop_cells(x, 0);
    if (x->out_of_memory)
        return mgl_fail_memory(err);
    for (size_t v = 0; v < p->n; v++)
        p->l->patterns[p->tuples[v]] = p->patterns[v];
    return MGL_OK;
}

mgl_status mgl_local_improve(mgl_local *l, mgl_error *err, bool *done)
{
    improve x = {0};
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_pairs_new(l, err, &x.p));
    *done = x.p != NULL;
    if (x.p == NULL)
        return MGL_OK;
    x.needy = mgl_alloc_array(x.p->n, sizeof *x.needy);
    x.options = mgl_alloc_array(x.p->n, sizeof *x.options);
    x.near = mgl_alloc_array(x.p->n, sizeof *x.near);
    x.chosen = mgl_alloc_array(x.p->n, sizeof *x.chosen);
    if (x.needy == NULL || x.options == NULL || x.near == NULL || x.chosen == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(search(&x, err));
done:
    mgl_free(x.needy);
    mgl_free(x.options);
    mgl_free(x.near);
    mgl_free(x.chosen);
    mgl_free(x.changes);
    mgl_pairs_free(x.p);
    return status;
}
