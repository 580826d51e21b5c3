/* Local suppression where a suppressed cell is a value like any other: the cell level with two
 * levels for each column. */
#include "search/improver/improver.h"
#include "search/local/patterns.h"
#include "search/cell/cell.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

#include <stdlib.h>

/* Classes that lie near each other are taken apart and put together anew, where a suppressed cell
 * is a value like any other. */

/* Tuples of classes that were taken apart are put together anew: the patterns by which they are
 * alike are tried from the cheapest on, in an order that is a little different every time; a tuple
 * that is enough at one is a draft there. What is left joins the draft that grows least. */

enum {
    NEIGHBOURHOOD = 40,
    NODES = 1024, /* patterns that are tried */
    SEEN_BITS = 12
};

typedef struct local_draft {
    uint32_t pattern;
    uint64_t rows;
    uint32_t members[NEIGHBOURHOOD]; /* places in the neighbourhood */
    size_t n;
} local_draft;

typedef struct node {
    double cost;
    uint32_t pattern;
} node;

typedef struct neighbourhood {
    const mgl_local *l;
    mgl_box_judge *judge;
    uint32_t tuples[NEIGHBOURHOOD];
    size_t n;
    uint64_t may_suppress; /* rows that may still be suppressed as a whole, without being a class */
    /* What was made of it. */
    local_draft drafts[NEIGHBOURHOOD];
    size_t n_drafts;
    uint32_t suppressed[NEIGHBOURHOOD]; /* places of tuples in no draft */
    size_t n_suppressed;
    uint64_t work; /* done so far */
    /* While it is made. */
    uint32_t differ[NEIGHBOURHOOD][NEIGHBOURHOOD];
    double costs[4][256]; /* as the real ones, with noise */
    node nodes[NODES];
    size_t n_nodes;
    uint16_t seen[1 << SEEN_BITS]; /* by pattern; number of the node + 1 */
    uint32_t judged[NEIGHBOURHOOD];
} neighbourhood;

/* The pattern that is released: cells that may not be suppressed alone make it the whole row. */
static inline uint32_t allowed(const mgl_local *l, uint32_t pattern)
{
    return (pattern & ~l->free) != 0 ? l->whole : pattern;
}

enum { SEEN = 1 << SEEN_BITS };

#define PRICE_NOISE 0.5 /* of what columns are worth */
#define NODE_NOISE 0.15 /* of a column, for each pattern */

static uint64_t rows_of(const neighbourhood *p, uint32_t place)
{
    return p->l->space->rows[p->tuples[place]];
}

static double noisy_cost(const neighbourhood *p, uint32_t pattern)
{
    return p->costs[0][pattern & 255] + p->costs[1][pattern >> 8 & 255] +
           p->costs[2][pattern >> 16 & 255] + p->costs[3][pattern >> 24];
}

static void make_costs(neighbourhood *p, mgl_quick_random *random)
{
    for (size_t byte = 0; byte * 8 < p->l->space->m; byte++)
        for (uint32_t bits = 1; bits < 256; bits++) {
            uint32_t rest = bits & (bits - 1), last = bits ^ rest;
            if (rest == 0)
                p->costs[byte][bits] = (double)mgl_local_cost(p->l, bits << 8 * byte) *
                                       (1 + PRICE_NOISE * (mgl_quick_random_unit(random) - 0.5));
            else
                p->costs[byte][bits] = p->costs[byte][rest] + p->costs[byte][last];
        }
}

/* Each pattern once, as far as there is room for them. */
static void add_node(neighbourhood *p, uint32_t pattern)
{
    pattern = allowed(p->l, pattern);
    uint32_t slot = (pattern * UINT32_C(0x9E3779B1)) >> (32 - SEEN_BITS);
    while (p->seen[slot] != 0 && p->nodes[p->seen[slot] - 1].pattern != pattern)
        slot = (slot + 1) % SEEN;
    if (p->seen[slot] != 0 || p->n_nodes == NODES)
        return;
    p->nodes[p->n_nodes] = (node){.pattern = pattern};
    p->seen[slot] = (uint16_t)++p->n_nodes;
}

/* A tuple with its nearest neighbours, one after another until they are enough. */
static void add_nearest(neighbourhood *p, uint32_t i)
{
    bool used[NEIGHBOURHOOD] = {false};
    double cost[NEIGHBOURHOOD];
    uint32_t pattern = 0;
    uint64_t rows = rows_of(p, i);
    for (size_t j = 0; j < p->n; j++)
        cost[j] = noisy_cost(p, p->differ[i][j]);
    used[i] = true;
    while (rows < p->l->need) {
        uint32_t best = NEIGHBOURHOOD;
        for (uint32_t j = 0; j < p->n; j++)
            if (!used[j] && (best == NEIGHBOURHOOD || cost[j] < cost[best]))
                best = j;
        if (best == NEIGHBOURHOOD)
            return;
        used[best] = true;
        pattern |= p->differ[i][best];
        rows += rows_of(p, best);
        add_node(p, pattern);
    }
}

static const mgl_sort_key by_cost[] = {MGL_ASCENDING(node, cost), MGL_ASCENDING(node, pattern),
                                       MGL_SORT_END};

static void make_nodes(neighbourhood *p, mgl_quick_random *random)
{
    double mean = (double)mgl_local_cost(p->l, p->l->whole) / (double)p->l->space->m;
    p->n_nodes = 0;
    memset(p->seen, 0, sizeof p->seen);
    add_node(p, 0);
    add_node(p, p->l->whole);
    for (uint32_t i = 0; i < p->n; i++) {
        add_nearest(p, i);
        for (size_t j = 0; j < i; j++)
            add_node(p, p->differ[i][j]);
    }
    for (size_t i = 0; i < p->n_nodes; i++) {
        uint32_t pattern = p->nodes[i].pattern;
        double noise = NODE_NOISE * mean * mgl_quick_random_unit(random);
        p->nodes[i].cost = pattern == 0 ? 0 : noisy_cost(p, pattern) + noise;
    }
    mgl_sort(p->nodes, p->n_nodes, sizeof *p->nodes, by_cost);
    p->work += p->n * p->n * 2 + p->n_nodes * 32;
}

/* With one tuple more, unless extra is none. */
static bool draft_holds(neighbourhood *p, const local_draft *draft, uint32_t extra)
{
    size_t n = 0;
    if (draft->rows < p->l->need)
        return false;
    if (!p->l->space->judged)
        return true;
    for (; n < draft->n; n++)
        p->judged[n] = p->tuples[draft->members[n]];
    if (extra != MGL_NOT_FOUND)
        p->judged[n++] = p->tuples[extra];
    p->work += 64 * n;
    return mgl_box_holds(p->judge, p->judged, n);
}

static bool alike(const neighbourhood *p, uint32_t i, uint32_t j, uint32_t pattern)
{
    return (p->differ[i][j] & ~pattern) == 0;
}

/* Classes at one pattern of the places that are left; returns how many are left then. */
static size_t visit(neighbourhood *p, uint32_t pattern, uint32_t *rest, size_t n)
{
    bool taken[NEIGHBOURHOOD] = {false};
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        local_draft *draft = &p->drafts[p->n_drafts];
        if (taken[i])
            continue;
        draft->pattern = pattern;
        draft->n = 0;
        draft->rows = 0;
        for (size_t j = i; j < n; j++)
            if (!taken[j] && alike(p, rest[i], rest[j], pattern)) {
                draft->members[draft->n++] = rest[j];
                draft->rows += rows_of(p, rest[j]);
            }
        if (!draft_holds(p, draft, MGL_NOT_FOUND))
            continue;
        for (size_t j = i; j < n; j++)
            taken[j] = taken[j] || alike(p, rest[i], rest[j], pattern);
        p->n_drafts++;
    }
    for (size_t i = 0; i < n; i++)
        if (!taken[i])
            rest[kept++] = rest[i];
    p->work += n * n / 2 + 8;
    return kept;
}

/* Puts a tuple that is left into the draft that grows least, or suppresses it. */
static bool join(neighbourhood *p, uint32_t place)
{
    uint64_t rows = rows_of(p, place), least = UINT64_MAX;
    local_draft *best = NULL;
    uint32_t with = 0;
    if (rows <= p->may_suppress)
        least = rows * mgl_local_cost(p->l, p->l->whole);
    for (size_t i = 0; i < p->n_drafts; i++) {
        local_draft *draft = &p->drafts[i];
        uint32_t pattern = allowed(p->l, draft->pattern | p->differ[place][draft->members[0]]);
        uint64_t more = (draft->rows + rows) * mgl_local_cost(p->l, pattern) -
                        draft->rows * mgl_local_cost(p->l, draft->pattern);
        if (more < least && draft_holds(p, draft, place)) {
            least = more;
            best = draft;
            with = pattern;
        }
    }
    if (least == UINT64_MAX)
        return false;
    if (best != NULL) {
        best->pattern = with;
        best->members[best->n++] = place;
        best->rows += rows;
    } else {
        p->suppressed[p->n_suppressed++] = place;
        p->may_suppress -= rows;
    }
    return true;
}

/* Clumps that hold, each at one pattern. False if not all tuples could be put together. */
static bool local_rebuild(neighbourhood *p, mgl_quick_random *random)
{
    uint32_t rest[NEIGHBOURHOOD];
    size_t n = p->n;
    for (uint32_t i = 0; i < n; i++) {
        rest[i] = i;
        for (uint32_t j = 0; j <= i; j++)
            p->differ[i][j] = p->differ[j][i] = mgl_local_differ(p->l, p->tuples[i], p->tuples[j]);
    }
    p->work += n * n * 4 + 256;
    make_costs(p, random);
    make_nodes(p, random);
    p->n_drafts = p->n_suppressed = 0;
    for (size_t i = 0; i < p->n_nodes && n > 0; i++)
        n = visit(p, p->nodes[i].pattern, rest, n);
    for (size_t i = 0; i < n; i++)
        if (!join(p, rest[i]))
            return false;
    return true;
}

static uint64_t neighbourhood_cost(const neighbourhood *p)
{
    uint64_t cost = 0;
    for (size_t i = 0; i < p->n_drafts; i++)
        cost += p->drafts[i].rows * mgl_local_cost(p->l, p->drafts[i].pattern);
    for (size_t i = 0; i < p->n_suppressed; i++)
        cost += rows_of(p, p->suppressed[i]) * mgl_local_cost(p->l, p->l->whole);
    return cost;
}

enum {
    LOOK_EVERY = 64,       /* neighbourhoods between two looks at the clock */
    LOOK_AGAIN = 1024,     /* neighbourhoods after which the suppressed tuples are found anew */
    LEAST_CHOSEN = 3,      /* tuples whose classes are taken apart */
    MOST_CHOSEN = 16,      /* likewise */
    MOST_LOOKED_AT = 4096, /* tuples, for the nearest ones */
};

#define NEAR_NOISE 1.5 /* of how near tuples are, in columns */

typedef struct regroup {
    mgl_local *l;
    mgl_box_release *release;
    uint32_t *patterns; /* [class] */
    size_t patterns_capacity;
    neighbourhood *one;
    uint32_t *open; /* [n_open] tuples with suppressed cells */
    size_t n_open;
    double near[MOST_LOOKED_AT];
} regroup;

static uint32_t pattern_of(const mgl_local *l, const uint8_t *levels)
{
    uint32_t pattern = 0;
    for (size_t a = 0; a < l->space->m; a++)
        pattern |= (uint32_t)(levels[a] > 0) << a;
    return allowed(l, pattern);
}

static uint32_t pattern_of_tuple(const regroup *x, uint32_t tuple)
{
    return x->patterns[x->release->class_of[tuple]];
}

static void find_open(regroup *x)
{
    x->n_open = 0;
    for (uint32_t t = 0; t < x->l->space->n; t++)
        if (pattern_of_tuple(x, t) != 0)
            x->open[x->n_open++] = t;
    x->one->work += x->l->space->n;
}

/* Takes in the class of a tuple, or, of the suppressed ones, the tuple alone. */
static void add_class(regroup *x, uint32_t tuple)
{
    neighbourhood *one = x->one;
    uint32_t number = x->release->class_of[tuple];
    const mgl_box_class *class = &x->release->classes[number];
    const uint32_t *tuples = number == 0 ? &tuple : class->members;
    size_t n = number == 0 ? 1 : class->n;
    for (size_t i = 0; i < one->n; i++)
        if (one->tuples[i] == tuple)
            return;
    if (one->n + n > NEIGHBOURHOOD)
        return;
    memcpy(one->tuples + one->n, tuples, n * sizeof *tuples);
    one->n += n;
}

/* The classes of tuples that are near to one that has suppressed cells. */
static mgl_improver_choice choose(void *search, const mgl_improver_item *item)
{
    regroup *x = search;
    if (item->round % LOOK_AGAIN == 0)
        find_open(x);
    if (x->n_open < 2)
        return MGL_NONE_LEFT;
    size_t wanted =
        LEAST_CHOSEN + mgl_quick_random_below(item->random, MOST_CHOSEN - LEAST_CHOSEN + 1);
    size_t at = mgl_quick_random_below(item->random, x->n_open);
    size_t n = x->n_open < MOST_LOOKED_AT ? x->n_open : MOST_LOOKED_AT;
    size_t from = at < n / 2 ? 0 : at - n / 2;
    from = from + n > x->n_open ? x->n_open - n : from;
    x->one->n = 0;
    for (size_t i = 0; i < n; i++)
        x->near[i] = __builtin_popcount(mgl_local_differ(x->l, x->open[at], x->open[from + i])) +
                     NEAR_NOISE * mgl_quick_random_unit(item->random);
    x->near[at - from] = -1;
    for (size_t k = 0; k < wanted && k < n; k++) {
        size_t nearest = 0;
        for (size_t i = 1; i < n; i++)
            if (x->near[i] < x->near[nearest])
                nearest = i;
        add_class(x, x->open[from + nearest]);
        x->near[nearest] = 2 * MGL_LOCAL_COLUMNS;
    }
    x->one->work += n * (8 + wanted);
    return MGL_CHOSEN;
}

static bool open(void *search, const mgl_improver_item *item, uint64_t *before)
{
    regroup *x = search;
    (void)item; /* there is one in a round */
    *before = 0;
    for (size_t i = 0; i < x->one->n; i++) {
        uint32_t t = x->one->tuples[i];
        *before += x->l->space->rows[t] * mgl_local_cost(x->l, pattern_of_tuple(x, t));
    }
    /* Rows that may be suppressed besides those that are and stay so. */
    const mgl_problem *problem = x->l->space->problem;
    uint64_t rows = x->release->classes[0].rows;
    for (size_t i = 0; i < x->one->n; i++)
        if (x->release->class_of[x->one->tuples[i]] == 0)
            rows -= x->l->space->rows[x->one->tuples[i]];
    x->one->may_suppress =
        problem->treatment != MGL_KEEP && problem->limit > rows ? problem->limit - rows : 0;
    return true;
}

static bool rebuild(void *search, const mgl_improver_item *item, size_t attempt, uint64_t *cost)
{
    regroup *x = search;
    (void)attempt; /* there is one */
    if (!local_rebuild(x->one, item->random))
        return false;
    *cost = neighbourhood_cost(x->one);
    return true;
}

static void take_apart(regroup *x)
{
    for (size_t i = 0; i < x->one->n; i++) {
        uint32_t tuple = x->one->tuples[i], class = x->release->class_of[tuple];
        if (class == 0)
            mgl_box_release_leave(x->release, tuple);
        else if (class != MGL_NOT_FOUND)
            mgl_box_release_dissolve(x->release, class);
    }
}

/* The last comes first: a class that is taken apart again then shows its tuples in another order,
 * and other patterns may be tried first. */
static void add_draft(regroup *x, const local_draft *draft)
{
    uint32_t members[NEIGHBOURHOOD];
    for (size_t i = 0; i < draft->n; i++)
        members[i] = x->one->tuples[draft->members[draft->n - 1 - i]];
    uint32_t class = mgl_box_release_add(x->release, members, draft->n);
    if (!mgl_grow(&x->patterns, &x->patterns_capacity, x->release->n_classes, sizeof *x->patterns))
        x->release->out_of_memory = true;
    else
        x->patterns[class] = draft->pattern;
}

static mgl_status take_better(void *search, size_t number, mgl_error *err)
{
    regroup *x = search;
    (void)number; /* there is one in a round */
    take_apart(x);
    for (size_t i = 0; i < x->one->n_drafts; i++)
        add_draft(x, &x->one->drafts[i]);
    for (size_t i = 0; i < x->one->n_suppressed; i++)
        mgl_box_release_join(x->release, 0, x->one->tuples[x->one->suppressed[i]]);
    return x->release->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

static const mgl_improver by_nearness = {.at_once = 1,
                                         .tries = 1,
                                         .look_every = LOOK_EVERY,
                                         .choose = choose,
                                         .open = open,
                                         .rebuild = rebuild,
                                         .take = take_better};

/* Classes that lie near each other are taken apart and put together anew, as
 * long as it costs no more. The release becomes a better one, if it can. */
static mgl_status local_regroup(mgl_local *l, mgl_box_release *release, mgl_error *err)
{
    mgl_quick_random random = {1};
    mgl_improver_limits limits = {.problem = l->space->problem, .timed_out = l->timed_out};
    mgl_status status = MGL_OK;
    regroup *x;
    MGL_TRY(mgl_new_zeroed(1, sizeof *x, err, &x));
    x->l = l;
    x->release = release;
    size_t n = x->l->space->n, n_classes = x->release->n_classes;
    x->one = mgl_zeroed_array(1, sizeof *x->one);
    x->open = mgl_alloc_array(n, sizeof *x->open);
    MGL_GO(mgl_check_memory(
        x->one != NULL && x->open != NULL &&
            mgl_grow(&x->patterns, &x->patterns_capacity, n_classes, sizeof *x->patterns),
        err));
    for (size_t c = 0; c < n_classes; c++)
        x->patterns[c] = c == 0 ? x->l->whole : pattern_of(x->l, x->release->classes[c].levels);
    x->one->l = x->l;
    MGL_GO(mgl_box_judge_new(x->l->space, err, &x->one->judge));
    find_open(x);
    limits.work = &x->one->work;
    limits.most_work = mgl_local_work(l->space->problem, x->n_open);
    MGL_GO(mgl_improve(&by_nearness, x, &random, &limits, err));
    l->timed_out = limits.timed_out;
done:
    if (x->one != NULL)
        mgl_box_judge_free(x->one->judge);
    mgl_free(x->one);
    mgl_free(x->patterns);
    mgl_free(x->open);
    mgl_free(x);
    return status;
}

enum {
    GUIDES = 512,           /* tuples that show which patterns matter, if there are too many */
    SMALL = 600,            /* distinct tuples of tables that are searched whole if need be */
    BOUND_WORK = 200000000, /* tuples looked at for bounds that save looking at tuples later */
    EXACT_WORK = 1000000000,
    BEST_WORK = 2000000000 /* for a proof that there is nothing better */
};

typedef struct own_search {
    const mgl_problem *problem;
    bool thorough;
    mgl_box_space *space;
    mgl_box_nodes *nodes;
    mgl_box_release *release;
    mgl_recoding *recoding; /* the release, if it holds */
    uint32_t *bounds;       /* [t] what a row costs at least */
    mgl_local l;
} own_search;

static mgl_status prepare(own_search *w, mgl_error *err)
{
    /* Without a limit rows may be left out, if they are not kept. */
    mgl_problem problem = *w->problem;
    problem.limit = problem.limited ? problem.limit : problem.list->n_rows;
    MGL_TRY(mgl_box_space_flat(&problem, mgl_local_importance(&problem), err, &w->space));
    size_t n = w->space->n;
    MGL_TRY(mgl_new_array(n, sizeof *w->bounds, err, &w->bounds));
    for (size_t t = 0; t < n; t++)
        w->bounds[t] = (uint32_t)t;
    MGL_TRY(mgl_box_nodes_new(w->space, w->bounds, n, GUIDES, err, &w->nodes));
    return mgl_cell_simple_bound(w->space, BOUND_WORK, err, w->bounds);
}

/* The greedy placed not all tuples: classes may hold only if the right rows are left out. */
static mgl_status find_any(own_search *w, mgl_error *err, bool *met)
{
    bool proved;
    uint64_t bound;
    if (w->space->n > SMALL || !w->thorough)
        return MGL_OK;
    MGL_TRY(mgl_box_release_new(w->space, err, &w->release));
    MGL_TRY(
        mgl_cell_exact(w->space, EXACT_WORK, w->release, err, &proved, &bound, &w->l.timed_out));
    *met = true;
    for (size_t t = 0; t < w->space->n; t++)
        *met = *met && w->release->class_of[t] != MGL_NOT_FOUND;
    return MGL_OK;
}

static mgl_status take(const own_search *w, mgl_error *err, mgl_recoding **out)
{
    const mgl_box_space *s = w->space;
    mgl_recoding *recoding;
    MGL_TRY(mgl_recoding_new(w->problem->columns, s->m, s->n, err, &recoding));
    for (uint32_t c = 0; c < w->release->n_classes; c++) {
        const mgl_box_class *x = &w->release->classes[c];
        bool top = c == 0 || mgl_box_is_top(s, x->levels);
        for (size_t i = 0; i < x->n; i++) {
            uint32_t t = x->members[i];
            for (size_t a = 0; a < s->m; a++)
                recoding->cells[a][t] =
                    s->attributes[a].released[top ? 1 : x->levels[a]][s->leaves[t * s->m + a]];
        }
    }
    *out = recoding;
    return MGL_OK;
}

/* Does it hold as it reads? */
static mgl_status holds(const own_search *w, mgl_recoding *recoding, mgl_error *err, bool *out)
{
    mgl_problem problem = *w->problem;
    /* Rows that read as the top are suppressed ones, however they came there. */
    for (size_t t = 0; t < recoding->n_tuples; t++) {
        recoding->suppressed[t] = 1;
        for (size_t a = 0; a < recoding->n_attributes; a++)
            recoding->suppressed[t] &= recoding->cells[a][t] == recoding->columns[a]->top;
    }
    problem.counting = (mgl_counting){0};
    return mgl_recoding_holds(&problem, recoding, err, out);
}

static mgl_status settle(own_search *w, mgl_error *err, bool *met)
{
    MGL_TRY(mgl_box_release_settle(w->release, err, met));
    if (!*met)
        return MGL_OK;
    mgl_recoding_free(w->recoding);
    w->recoding = NULL;
    MGL_TRY(take(w, err, &w->recoding));
    return holds(w, w->recoding, err, met);
}

/* Models of the whole table are not looked at while classes are made; if one does not hold, larger
 * classes may help. */
static mgl_status search(own_search *w, mgl_error *err, bool *met)
{
    uint64_t first = w->space->need;
    bool proved;
    uint64_t bound;
    *met = false;
    while (!*met && w->space->need <= w->space->n_rows) {
        mgl_box_release_free(w->release);
        w->release = NULL;
        MGL_TRY(mgl_cell_place(w->space, w->nodes, w->bounds, true, err, &w->release, met));
        if (!*met && w->space->need == first)
            MGL_TRY(find_any(w, err, met));
        if (!*met)
            return MGL_OK;
        if (w->space->m <= MGL_LOCAL_COLUMNS) {
            w->l = (mgl_local){.timed_out = w->l.timed_out};
            mgl_local_columns(&w->l, w->space);
            MGL_TRY(local_regroup(&w->l, w->release, err));
        }
        if (w->problem->effort == MGL_EFFORT_BEST && w->space->n <= SMALL && !w->l.timed_out &&
            w->space->need == first)
            MGL_TRY(mgl_cell_exact(w->space, BEST_WORK, w->release, err, &proved, &bound,
                                   &w->l.timed_out));
        MGL_TRY(settle(w, err, met));
        if (!*met) {
            /* Larger classes are tried up to all rows as one. */
            uint64_t need = w->space->need + w->space->need / 2 + 1;
            bool beyond = w->space->need < w->space->n_rows && need > w->space->n_rows;
            w->space->need = beyond ? (uint32_t)w->space->n_rows : (uint32_t)need;
        }
    }
    return MGL_OK;
}

static mgl_status take_node(own_search *w, const uint32_t *node, mgl_evaluator *evaluator,
                            mgl_error *err, bool *met)
{
    const mgl_problem *p = w->problem;
    mgl_evaluation e;
    if (mgl_evaluate_node(evaluator, node, &e) != MGL_OK)
        return mgl_fail_memory(err);
    *met = e.met;
    if (!e.met)
        return MGL_OK;
    mgl_recoding_free(w->recoding);
    w->recoding = NULL;
    MGL_TRY(mgl_recoding_new(p->columns, w->space->m, w->space->n, err, &w->recoding));
    for (size_t a = 0; a < w->space->m; a++)
        memcpy(w->recoding->cells[a], e.cells[a], w->space->n * sizeof **e.cells);
    return holds(w, w->recoding, err, met);
}

/* What is left if classes cannot be put together one by one: the same columns suppressed in every
 * row, the cheapest that hold. */
static mgl_status search_uniform(own_search *w, mgl_error *err, bool *met)
{
    const mgl_problem *p = w->problem;
    size_t m = w->space->m;
    uint32_t node[MGL_MOST_COLUMNS];
    mgl_evaluator *evaluator;
    MGL_TRY(mgl_evaluator_new(p, err, &evaluator));
    mgl_status status = MGL_OK;
    *met = false;
    for (size_t i = 0; !*met && i < w->nodes->n; i++) {
        for (size_t a = 0; a < m; a++)
            node[a] = w->nodes->levels[i * m + a] > 0 ? p->columns[a]->hierarchy->height
                                                      : p->min_level[a];
        MGL_GO(take_node(w, node, evaluator, err, met));
        MGL_GO(mgl_progress_report(p->progress, "search", i, w->nodes->n, err));
    }
done:
    mgl_evaluator_free(evaluator);
    return status;
}

/* Nothing but suppressed rows: models of the whole table have nothing to look at then. */
static mgl_status suppress_all(own_search *w, mgl_error *err, bool *met)
{
    mgl_recoding_free(w->recoding);
    w->recoding = NULL;
    MGL_TRY(mgl_recoding_new(w->problem->columns, w->space->m, w->space->n, err, &w->recoding));
    for (size_t t = 0; t < w->space->n; t++)
        mgl_recoding_suppress(w->recoding, t);
    return holds(w, w->recoding, err, met);
}

static mgl_status find(own_search *w, mgl_error *err, mgl_solution *out)
{
    bool met;
    MGL_TRY(prepare(w, err));
    MGL_TRY(search(w, err, &met));
    if (!met)
        MGL_TRY(search_uniform(w, err, &met));
    if (!met)
        MGL_TRY(suppress_all(w, err, &met));
    if (!met)
        return mgl_local_unmet(w->problem, err);
    out->recoding = w->recoding;
    w->recoding = NULL;
    out->timed_out = w->l.timed_out;
    out->nodes_checked = w->nodes->n;
    return MGL_OK;
}

mgl_status mgl_local_own_value(const mgl_problem *problem, const uint32_t *sets, size_t n_sets,
                               bool thorough, mgl_error *err, mgl_solution *out)
{
    mgl_united_sets united;
    const mgl_problem *whole = mgl_unite_sets(problem, &united);
    own_search w = {.problem = whole, .thorough = thorough};
    bool met = true;
    mgl_status status = find(&w, err, out);
    mgl_recoding_free(w.recoding);
    mgl_box_release_free(w.release);
    mgl_box_nodes_free(w.nodes);
    mgl_box_space_free(w.space);
    mgl_free(w.bounds);
    MGL_TRY(status);
    if (n_sets > 1 || problem->sets[0].n_attributes < problem->list->n_attributes)
        MGL_TRY(mgl_local_combine(whole, sets, n_sets, out, err, &met));
    uint64_t left = 0;
    for (size_t t = 0; t < problem->list->n_tuples; t++) {
        left += out->recoding->suppressed[t] ? 0 : problem->list->counts[t];
        out->suppressed_rows += out->recoding->suppressed[t] ? problem->list->counts[t] : 0;
    }
    if (met && left == 0)
        MGL_TRY(mgl_local_all_may_go(problem, err, &met));
    if (!met || (problem->limited && out->suppressed_rows > problem->limit))
        return mgl_local_unmet(problem, err);
    return MGL_OK;
}
