/* Cuts on all threads. A region is cut without a look at any other one, so the result does not
 * depend on who does it and when. mondrian.c calls it.
 *
 * Regions are runs of one array of tuples, and a cut rearranges its run. */
#include "search/cluster/mondrian/cutting.h"

#include <pthread.h>

/* Regions with more tuples are cut once, and what they give waits for the next round; smaller ones
 * are cut up at once by the thread that has them. */
enum { LARGE = 20000 };

typedef struct region {
    uint32_t begin, end;
} region;

typedef struct region_list {
    region *regions;
    size_t n, capacity;
} region_list;

typedef struct worker {
    mgl_mondrian_cutter *cutter;
    region_list now, next;
} worker;

typedef struct rounds {
    mgl_mondrian_regions *regions;
    unsigned threads;
    worker *workers;
    region_list now;      /* the regions of this round */
    pthread_mutex_t lock; /* guards what follows */
    mgl_status status;
    mgl_error error;
    uint64_t done; /* tuples of regions that are not cut any more */
} rounds;

static bool add(region_list *list, region p)
{
    if (!mgl_grow(&list->regions, &list->capacity, list->n + 1, sizeof *list->regions))
        return false;
    list->regions[list->n++] = p;
    return true;
}

/* The groups of the last cut. */
static bool add_groups(const mgl_mondrian_cutter *c, uint32_t begin, region_list *list)
{
    for (uint32_t g = 0; g < c->n_groups; g++) {
        uint32_t first = begin + c->groups[g].begin;
        if (!add(list, (region){first, first + c->groups[g].n}))
            return false;
    }
    return true;
}

static bool must_stop(rounds *r)
{
    double deadline = r->regions->space->problem->deadline;
    pthread_mutex_lock(&r->lock);
    if (deadline > 0 && mgl_sys_seconds() > deadline)
        r->regions->timed_out = true;
    bool stop = r->status != MGL_OK || r->regions->timed_out;
    pthread_mutex_unlock(&r->lock);
    return stop;
}

static void finish_item(rounds *r, bool out_of_memory, uint64_t done)
{
    const mgl_mondrian_space *s = r->regions->space;
    pthread_mutex_lock(&r->lock);
    mgl_error error = {0};
    r->done += done;
    mgl_status status =
        out_of_memory ? mgl_fail_memory(&error)
                      : mgl_progress_report(s->problem->progress, "search", r->done, s->n, &error);
    if (status != MGL_OK && r->status == MGL_OK) {
        r->status = status;
        r->error = error;
    }
    pthread_mutex_unlock(&r->lock);
}

static void cut_up(void *context, size_t item, unsigned number)
{
    rounds *r = context;
    worker *w = &r->workers[number];
    bool whole = add(&w->now, r->now.regions[item]);
    uint64_t done = 0;
    while (whole && w->now.n > 0) {
        region p = w->now.regions[--w->now.n];
        if (must_stop(r))
            continue;
        if (mgl_mondrian_cut(w->cutter, p.begin, p.end))
            whole = add_groups(w->cutter, p.begin, p.end - p.begin > LARGE ? &w->next : &w->now);
        else
            done += p.end - p.begin;
    }
    finish_item(r, !whole, done);
}

/* What waited becomes the next round. */
static bool begin_round(rounds *r)
{
    r->now.n = 0;
    for (unsigned i = 0; i < r->threads; i++) {
        for (size_t j = 0; j < r->workers[i].next.n; j++)
            if (!add(&r->now, r->workers[i].next.regions[j]))
                return false;
        r->workers[i].next.n = 0;
    }
    return true;
}

/* No class may have two values of a column's highest level: the table falls into regions by them,
 * whether these hold or not. */
static bool divide_by_bounds(rounds *r)
{
    const mgl_mondrian_space *s = r->regions->space;
    worker *w = &r->workers[0];
    bool whole = add(&r->now, (region){0, (uint32_t)s->n});
    r->regions->begins[0] = 1;
    for (size_t a = 0; whole && a < s->m; a++) {
        const mgl_mondrian_column *c = &s->columns[a];
        if (c->scale != NULL || c->high == c->hierarchy->height)
            continue;
        for (size_t i = 0; whole && i < r->now.n; i++) {
            region p = r->now.regions[i];
            mgl_mondrian_divide(w->cutter, p.begin, p.end, a, c->high);
            whole = add_groups(w->cutter, p.begin, &w->next);
        }
        whole = whole && begin_round(r);
    }
    return whole;
}

static mgl_status cut_all(rounds *r, mgl_error *err)
{
    r->workers = mgl_zeroed_array(r->threads, sizeof *r->workers);
    if (r->workers == NULL)
        return mgl_fail_memory(err);
    for (unsigned i = 0; i < r->threads; i++)
        MGL_TRY(mgl_mondrian_cutter_new(r->regions, err, &r->workers[i].cutter));
    if (!divide_by_bounds(r))
        return mgl_fail_memory(err);
    while (r->now.n > 0 && r->status == MGL_OK && !r->regions->timed_out) {
        mgl_pool_run(r->regions->space->problem->pool, r->now.n, cut_up, r);
        if (!begin_round(r))
            return mgl_fail_memory(err);
    }
    if (r->status != MGL_OK && err != NULL)
        *err = r->error;
    return r->status;
}

static mgl_status cut_in_rounds(mgl_mondrian_regions *regions, mgl_error *err)
{
    rounds r = {.regions = regions, .threads = mgl_pool_threads(regions->space->problem->pool)};
    pthread_mutex_init(&r.lock, NULL);
    mgl_status status = cut_all(&r, err);
    pthread_mutex_destroy(&r.lock);
    for (unsigned i = 0; r.workers != NULL && i < r.threads; i++) {
        mgl_mondrian_cutter_free(r.workers[i].cutter);
        mgl_free(r.workers[i].now.regions);
        mgl_free(r.workers[i].next.regions);
    }
    mgl_free(r.workers);
    mgl_free(r.now.regions);
    return status;
}

mgl_status mgl_mondrian_regions_new(const mgl_mondrian_space *space, uint64_t need, mgl_error *err,
                                    mgl_mondrian_regions **out)
{
    mgl_mondrian_regions *p = mgl_zeroed_array(1, sizeof *p);
    if (p == NULL)
        return mgl_fail_memory(err);
    p->space = space;
    p->need = need;
    p->order = mgl_alloc_array(space->n, sizeof *p->order);
    p->other = mgl_alloc_array(space->n, sizeof *p->other);
    p->keys = mgl_alloc_array(space->n, sizeof *p->keys);
    p->begins = mgl_zeroed_array(space->n, 1);
    mgl_status status = MGL_OK;
    if (p->order == NULL || p->other == NULL || p->keys == NULL || p->begins == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t t = 0; t < space->n; t++)
        p->order[t] = (uint32_t)t;
    MGL_GO(cut_in_rounds(p, err));
    *out = p;
    p = NULL;
done:
    mgl_mondrian_regions_free(p);
    return status;
}

void mgl_mondrian_regions_free(mgl_mondrian_regions *regions)
{
    if (regions == NULL)
        return;
    mgl_free(regions->order);
    mgl_free(regions->other);
    mgl_free(regions->keys);
    mgl_free(regions->begins);
    mgl_free(regions);
}
