/* Mondrian (LeFevre, DeWitt, Ramakrishnan 2006): cuts the table in its widest column, and its
 * regions again, as long as all models hold in every region. A row of the table of methods. */
#include "search/cluster/mondrian/cutting.h"
#include "search/cluster/mondrian/mondrian.h"
#include "search/cluster/partition/partition.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

#include <pthread.h>

/* ---- Regions --------------------------------------------------------------------------------- */

/* Cuts on all threads. A region is cut without a look at any other one, so the result does not
 * depend on thread and time.
 *
 * Regions are runs of one array of tuples, and a cut rearranges its run. */

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

static void regions_free(mgl_mondrian_regions *regions)
{
    if (regions == NULL)
        return;
    mgl_free(regions->order);
    mgl_free(regions->other);
    mgl_free(regions->keys);
    mgl_free(regions->begins);
    mgl_free(regions);
}

/* Cuts while regions hold that have at least `need` rows. Free with regions_free. */
static mgl_status regions_new(const mgl_mondrian_space *space, uint64_t need, mgl_error *err,
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
    regions_free(p);
    return status;
}

/* ---- The recoding ------------------------------------------------------------------------- */

typedef struct recoder {
    const mgl_mondrian_regions *regions;
    mgl_recoding *recoding;
    mgl_status *status; /* [m] */
} recoder;

/* What a region is released as in one column. */
static mgl_status find_cell(const recoder *r, size_t a, uint32_t first, uint32_t last,
                            uint32_t *cell)
{
    const mgl_mondrian_column *c = &r->regions->space->columns[a];
    uint32_t leaf = c->leaf_of_unit[first];
    if (c->scale == NULL) {
        *cell = c->released->of_leaf[mgl_mondrian_level(c, first, last)][leaf];
        return MGL_OK;
    }
    mgl_released_column *made = r->recoding->own[a];
    if (last == c->missing) {
        *cell = first == last ? made->of_leaf[0][leaf] : made->top;
        return MGL_OK;
    }
    return mgl_made_range(made, c->scale->place_of[leaf], c->scale->place_of[c->leaf_of_unit[last]],
                          NULL, cell);
}

static void recode_column(void *context, size_t a, unsigned worker)
{
    (void)worker;
    recoder *r = context;
    const mgl_mondrian_regions *p = r->regions;
    const mgl_mondrian_space *s = p->space;
    for (size_t begin = 0, end; begin < s->n && r->status[a] == MGL_OK; begin = end) {
        uint32_t first = UINT32_MAX, last = 0, cell = 0;
        for (end = begin; end < s->n && (end == begin || !p->begins[end]); end++) {
            uint32_t unit = s->units[p->order[end] * s->m + a];
            first = unit < first ? unit : first;
            last = unit > last ? unit : last;
        }
        r->status[a] = find_cell(r, a, first, last, &cell);
        for (size_t i = begin; i < end; i++)
            r->recoding->cells[a][p->order[i]] = cell;
    }
}

/* Columns for ranges, without any yet. */
static mgl_status make_columns(const mgl_mondrian_space *s, mgl_error *err,
                               mgl_released_column **own)
{
    for (size_t a = 0; a < s->m; a++) {
        const mgl_mondrian_column *c = &s->columns[a];
        mgl_scale *scale;
        if (c->scale == NULL)
            continue;
        MGL_TRY(mgl_scale_new(c->hierarchy, err, &scale));
        double least = scale->of_leaf[scale->ordered[0]];
        double most = scale->of_leaf[scale->ordered[scale->n_ordered - 1]];
        MGL_TRY(mgl_made_column_new(c->hierarchy, scale, least, most, err, &own[a]));
    }
    return MGL_OK;
}

/* An empty one, which takes the columns over. */
static mgl_status make_recoding(const mgl_mondrian_space *s, mgl_error *err, mgl_recoding **out)
{
    mgl_released_column **own = mgl_zeroed_array(s->m, sizeof *own);
    if (own == NULL)
        return mgl_fail_memory(err);
    mgl_status status = make_columns(s, err, own);
    if (status == MGL_OK)
        status = mgl_recoding_with(s->problem->columns, own, s->m, s->n, err, out);
    else
        for (size_t a = 0; a < s->m; a++)
            mgl_released_column_free(own[a]);
    mgl_free(own);
    return status;
}

static mgl_status recode(const mgl_mondrian_regions *regions, mgl_error *err, mgl_recoding **out)
{
    const mgl_mondrian_space *s = regions->space;
    recoder r = {.regions = regions};
    r.status = mgl_zeroed_array(s->m, sizeof *r.status);
    mgl_status status = MGL_OK;
    if (r.status == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(make_recoding(s, err, &r.recoding));
    mgl_pool_run(s->problem->pool, s->m, recode_column, &r);
    for (size_t a = 0; a < s->m; a++)
        if (r.status[a] != MGL_OK)
            MGL_GO(mgl_fail_memory(err));
    *out = r.recoding;
    r.recoding = NULL;
done:
    mgl_free(r.status);
    mgl_recoding_free(r.recoding);
    return status;
}

/* ---- The search ------------------------------------------------------------------------------ */

/* Halves of a relaxed cut overlap, and classes that read alike are one. Models that hold for two
 * classes hold for both together, but for some of them not if persons are in both. */
static mgl_status refuse_overlaps(const mgl_problem *p, mgl_error *err)
{
    for (size_t i = 0; i < p->sets[0].n_models; i++) {
        const mgl_model_type *type = p->sets[0].models[i].type;
        if (mgl_mondrian_is_relaxed(p) && p->list->persons != NULL &&
            type->scope == MGL_SCOPE_CLASS && !type->upward_closed)
            return mgl_blame_key(
                err,
                mgl_fail(err, MGL_CODE_CONFLICT,
                         "`cut: relaxed`: regions may read alike, and then %s need not hold for "
                         "persons that are in several of them (`entity`); use `cut: strict`",
                         type->name),
                "cut");
    }
    return MGL_OK;
}

/* Without a limit of its own the method may suppress nothing. */
static mgl_status cut_table(const mgl_mondrian_space *s, uint64_t need, mgl_error *err,
                            mgl_solution *out)
{
    mgl_problem limited = *s->problem;
    mgl_mondrian_regions *regions = NULL;
    mgl_recoding *recoding;
    limited.limited = true;
    MGL_TRY(regions_new(s, need, err, &regions));
    mgl_status status = recode(regions, err, &recoding);
    out->timed_out = regions->timed_out;
    regions_free(regions);
    return status == MGL_OK ? mgl_solution_take_partition(out, &limited, recoding, err) : status;
}

/* Models of the whole table are not looked at while regions are cut; if one does not hold, larger
 * regions may help. */
static mgl_status search(const mgl_mondrian_space *s, mgl_error *err, mgl_solution *out)
{
    uint64_t need = mgl_demand_size(s->problem);
    mgl_status status = cut_table(s, need, err, out);
    while (status == MGL_UNMET && mgl_judges_table(s->problem) &&
           need <= s->problem->list->n_rows && !out->timed_out) {
        mgl_recoding_free(out->recoding);
        out->recoding = NULL;
        need += need / 2 + 1;
        status = cut_table(s, need, err, out);
    }
    if (status == MGL_UNMET && s->problem->treatment == MGL_EXEMPT) {
        mgl_problem limited = *s->problem;
        limited.limited = true;
        status = mgl_solution_take_widest(out, &limited, err);
    }
    return status;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    if (problem->n_sets > 1)
        return mgl_sets_run(&mgl_mondrian, problem, err, out);
    mgl_mondrian_space *space;
    MGL_TRY(refuse_overlaps(problem, err));
    MGL_TRY(mgl_mondrian_space_new(problem, err, &space));
    mgl_status status = search(space, err, out);
    mgl_mondrian_space_free(space);
    return status == MGL_UNMET ? mgl_fail_no_release(problem, mgl_mondrian.name, err) : status;
}

static const char *const cuts[] = {
    [MGL_CUT_STRICT] = "strict", [MGL_CUT_RELAXED] = "relaxed", NULL};

static const mgl_method_option options[] = {
    {.name = "cut",
     .fallback = "strict",
     .help = "mondrian: equal values stay together, or halves are as equal as can be",
     .parser = {.kind = MGL_PARSE_WORD, .words = cuts},
     .place = offsetof(mgl_mondrian_options, cut)},
};

const mgl_method_type mgl_mondrian = {
    .name = "mondrian",
    .help = "cuts the table in its widest column, again and again, as long as all models hold; "
            "numbers and dates without a hierarchy become ranges",
    .when = "numbers should stay as narrow as their neighbours allow, or tables are very large",
    .cost = "a few passes over the distinct tuples per halving of the classes",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .options_size = sizeof(mgl_mondrian_options),
    .full_domain = false,
    .several_sets = true,
    .own_values = true,
    .run = run,
};
