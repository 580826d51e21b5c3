/* Verifies a certificate: divides the tuples into boxes as its steps say and adds up what each box
 * costs at least. */
#include "proof/checks.h"

/* Two tuples that are in one class, or not. Its case is done if nothing is left to look for. */
typedef struct pair {
    uint32_t t, u;
    bool together; /* the first case of the two */
    bool first;    /* which is done */
    bool done;     /* the current case is */
} pair;

typedef struct follower {
    const mgl_proof *proof;
    mgl_proof_candidates candidates;
    mgl_proof_sum enough; /* what is more than that is proved */
    pair *pairs;          /* [n_steps + 2] by depth; the first is no pair, but done or not */
    uint32_t depth;
    uint32_t *hits;    /* [most cuts] all 0 between classes */
    uint32_t *touched; /* [most cuts] */
    size_t *first;     /* [n_tuples + 1] */
    uint32_t *cut_of;  /* those of tuple t at first[t]..first[t + 1] */
    uint64_t overpriced;
} follower;

/* ---- Prices ------------------------------------------------------------------------ */

/* The cuts of each tuple. */
static void index_cuts(follower *f, const mgl_proof_step *s)
{
    size_t n = f->proof->n_tuples;
    memset(f->first, 0, (n + 1) * sizeof *f->first);
    for (size_t c = 0; c < s->n_cuts; c++)
        for (size_t i = 0; i < s->cuts[c].n; i++)
            f->first[s->cuts[c].tuples[i] + 1]++;
    for (size_t t = 0; t < n; t++)
        f->first[t + 1] += f->first[t];
    for (size_t c = 0; c < s->n_cuts; c++)
        for (size_t i = 0; i < s->cuts[c].n; i++)
            f->cut_of[f->first[s->cuts[c].tuples[i]]++] = (uint32_t)c;
    memmove(f->first + 1, f->first,
            n * sizeof *f->first); /* filling moved the starts to the ends */
    f->first[0] = 0;
}

static mgl_proof_sum bound_of(const follower *f, const mgl_proof_step *s)
{
    mgl_proof_sum sum = -(mgl_proof_sum)s->left * (mgl_proof_sum)mgl_proof_most_left_out(f->proof);
    for (size_t t = 0; t < f->proof->n_tuples; t++)
        sum += s->prices[t];
    for (size_t c = 0; c < s->n_cuts; c++)
        sum -= (mgl_proof_sum)(s->cuts[c].n / 2) * s->cuts[c].price;
    return sum;
}

/* What a class costs beyond its prices; a cut takes its price for each pair of its tuples. */
static mgl_proof_sum lack_of(follower *f, const mgl_proof_step *s, size_t class)
{
    const mgl_proof_candidates *p = &f->candidates;
    mgl_proof_sum lack = p->cost[class];
    size_t n = 0;
    for (size_t i = p->start[class]; i < p->start[class + 1]; i++) {
        uint32_t t = p->members[i];
        lack -= s->prices[t];
        if (p->left_out[class])
            lack += (mgl_proof_sum)f->proof->counts[t] * s->left;
        for (size_t j = f->first[t]; j < f->first[t + 1]; j++)
            if (f->hits[f->cut_of[j]]++ == 0)
                f->touched[n++] = f->cut_of[j];
    }
    for (size_t i = 0; i < n; i++) {
        lack += (mgl_proof_sum)(f->hits[f->touched[i]] / 2) * s->cuts[f->touched[i]].price;
        f->hits[f->touched[i]] = 0;
    }
    return lack;
}

/* True if nothing is left in this case. */
static bool take_prices(follower *f, const mgl_proof_step *s)
{
    mgl_proof_sum bound = bound_of(f, s);
    index_cuts(f, s);
    for (size_t c = 0; c < f->candidates.n; c++) {
        if (f->candidates.closed[c] != 0)
            continue;
        mgl_proof_sum lack = lack_of(f, s, c);
        f->overpriced += lack < 0;
        if (bound + lack > f->enough)
            f->candidates.closed[c] = f->depth;
    }
    return bound > f->enough;
}

/* ---- Pairs ------------------------------------------------------------------------- */

/* Rules out classes with one of the two tuples (together), or with both (not). */
static void close_pair(follower *f)
{
    const pair *x = &f->pairs[f->depth];
    mgl_proof_candidates *p = &f->candidates;
    for (size_t c = 0; c < p->n; c++) {
        unsigned n = 0;
        for (size_t i = p->start[c]; i < p->start[c + 1]; i++)
            n += p->members[i] == x->t || p->members[i] == x->u;
        if (p->closed[c] == 0 && n == (x->together ? 1 : 2))
            p->closed[c] = f->depth;
    }
}

static void begin_case(follower *f)
{
    f->pairs[f->depth].done = f->pairs[f->depth - 1].done;
    if (!f->pairs[f->depth].done)
        close_pair(f);
}

/* False if the step has no place here. */
static bool take_pair(follower *f, const mgl_proof_step *s)
{
    pair *x = &f->pairs[f->depth];
    if (s->kind == MGL_PROOF_TOGETHER) {
        f->pairs[++f->depth] = (pair){.t = s->pair[0], .u = s->pair[1], .together = true};
        begin_case(f);
        return true;
    }
    if (f->depth == 1 || x->together != (s->kind == MGL_PROOF_APART))
        return false;
    for (size_t c = 0; c < f->candidates.n; c++)
        if (f->candidates.closed[c] >= f->depth)
            f->candidates.closed[c] = 0;
    if (s->kind == MGL_PROOF_APART) {
        x->first = x->done;
        x->together = false;
        begin_case(f);
        return true;
    }
    f->depth--;
    f->pairs[f->depth].done = f->pairs[f->depth].done || (x->first && x->done);
    return true;
}

/* ---- All -------------------------------------------------------------------------------- */

/* A case that is done needs no more steps; a search that had not noticed may have written some. */
static mgl_status run(follower *f, const mgl_progress *progress, mgl_error *err, bool *proved)
{
    const mgl_proof_exact *x = f->proof->exact;
    bool fits = true;
    f->pairs[1] = (pair){0};
    for (size_t i = 0; i < x->n_steps && fits; i++) {
        const mgl_proof_step *s = &x->steps[i];
        MGL_TRY(mgl_progress_report(progress, "check", i, x->n_steps, err));
        if (s->kind != MGL_PROOF_PRICES)
            fits = take_pair(f, s);
        else if (!f->pairs[f->depth].done)
            f->pairs[f->depth].done = take_prices(f, s);
    }
    *proved = fits && f->depth == 1 && f->pairs[1].done;
    return MGL_OK;
}

static mgl_status begin(follower *f, mgl_error *err)
{
    const mgl_proof_exact *x = f->proof->exact;
    size_t cuts = 0, tuples = 0;
    for (size_t i = 0; i < x->n_steps; i++) {
        size_t n = 0;
        for (size_t c = 0; c < x->steps[i].n_cuts; c++)
            n += x->steps[i].cuts[c].n;
        cuts = x->steps[i].n_cuts > cuts ? x->steps[i].n_cuts : cuts;
        tuples = n > tuples ? n : tuples;
    }
    f->pairs = mgl_alloc_array(x->n_steps + 2, sizeof *f->pairs);
    f->hits = mgl_zeroed_array(cuts, sizeof *f->hits);
    f->touched = mgl_alloc_array(cuts, sizeof *f->touched);
    f->first = mgl_alloc_array(f->proof->n_tuples + 1, sizeof *f->first);
    f->cut_of = mgl_alloc_array(tuples, sizeof *f->cut_of);
    return f->pairs == NULL || f->hits == NULL || f->touched == NULL || f->first == NULL ||
                   f->cut_of == NULL
               ? mgl_fail_memory(err)
               : MGL_OK;
}

static uint32_t count_leaves(const mgl_proof_column *x, uint32_t level, uint32_t value)
{
    uint32_t n = 0;
    for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++)
        n += x->value[level][leaf] == value;
    return n;
}

/* The least that a cell of the leaf costs which stands for as many leaves as on this level. */
static int64_t least_alike(const mgl_proof_column *x, const int64_t *cost, uint32_t level,
                           uint32_t leaf)
{
    uint32_t n = count_leaves(x, level, x->value[level][leaf]);
    int64_t least = cost[x->value[level][leaf]];
    for (uint32_t l = x->low; l <= x->high; l++)
        if (cost[x->value[l][leaf]] < least && count_leaves(x, l, x->value[l][leaf]) == n)
            least = cost[x->value[l][leaf]];
    return least;
}

/* Does every class cost a multiple of the step? It is enough to ask for one row, since a class has
 * the cheapest of the values that stand for the same leaves. */
static bool are_multiples(const mgl_proof *p, const mgl_proof_whole *whole)
{
    const mgl_proof_exact *e = p->exact;
    if (e->step == e->times)
        return true;
    int64_t step = e->step / e->times;
    bool fine = e->step % e->times == 0 && whole->top % step == 0;
    for (size_t a = 0; fine && a < p->n_columns; a++) {
        const mgl_proof_column *x = &p->columns[a];
        for (uint32_t l = x->low; l <= x->high; l++)
            for (uint32_t leaf = 0; fine && leaf < x->n_leaves; leaf++)
                fine = least_alike(x, whole->of[a], l, leaf) % step == 0;
    }
    return fine;
}

/* All rows at the top are a release, too, which classes do not show if rows there are exempt. */
static mgl_proof_sum cost_of_top(const mgl_proof *p, const mgl_proof_whole *whole)
{
    return (mgl_proof_sum)p->n_rows * (mgl_proof_sum)whole->top * p->exact->times;
}

static mgl_status follow(const mgl_proof *p, const mgl_proof_whole *whole,
                         const mgl_progress *progress, mgl_error *err, mgl_proof_verdict *out)
{
    const mgl_proof_exact *x = p->exact;
    follower f = {.proof = p, .depth = 1, .enough = (mgl_proof_sum)x->bound - x->step};
    mgl_proof_sum gap = f.enough - bound_of(&f, &x->steps[0]);
    bool proved = false;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_proof_name_classes(p, whole, gap < -1 ? -1 : gap, progress, err, &f.candidates,
                                  &f.overpriced));
    MGL_GO(begin(&f, err));
    if (are_multiples(p, whole) && x->bound <= cost_of_top(p, whole))
        MGL_GO(run(&f, progress, err, &proved));
done:
    out->classes = f.candidates.n;
    out->overpriced = f.overpriced;
    out->open = !proved;
    mgl_proof_candidates_free(&f.candidates);
    mgl_free(f.pairs);
    mgl_free(f.hits);
    mgl_free(f.touched);
    mgl_free(f.first);
    mgl_free(f.cut_of);
    return status;
}

static mgl_status try_sets(const mgl_proof *p, const mgl_proof_whole *whole,
                           const mgl_progress *progress, mgl_error *err, mgl_proof_verdict *out)
{
    mgl_proof_sum least = 0;
    mgl_status status =
        mgl_proof_try_sets(p, whole, p->exact->bound, progress, err, &least, &out->classes);
    out->open = p->exact->bound > least;
    return status;
}

/* The bound of the certificate's steps, into the verdict. */
static mgl_status proof_follow(const mgl_proof *p, const mgl_progress *progress, mgl_error *err,
                               mgl_proof_verdict *out)
{
    mgl_proof_whole whole;
    mgl_status status = MGL_OK;
    out->open = true;
    MGL_GO(mgl_proof_whole_find(p, p->exact->rounded, err, &whole));
    if (whole.known)
        MGL_GO((p->exact->sets ? try_sets : follow)(p, &whole, progress, err, out));
    if (!out->open && out->overpriced == 0) {
        double units = (double)p->exact->bound / (double)p->exact->times;
        double proved = mgl_proof_value(p, units * whole.unit / mgl_proof_total(p));
        bool better = mgl_proof_rises(p) ? proved < out->proved : proved > out->proved;
        out->proved = better ? proved : out->proved;
    }
done:
    mgl_proof_whole_free(&whole, p->n_columns);
    return status;
}

/* Lattices with more nodes, times tuples, are gone through from each tuple. */
#define MOST_SWEPT 2e10

typedef struct check {
    const mgl_proof *proof;
    mgl_proof_costs costs;
    mgl_proof_demand demand;
    mgl_proof_walk walk;
    mgl_proof_verdict *found;
} check;

static bool matters(void *context, const uint32_t *tuples, size_t n, int64_t cost)
{
    check *c = context;
    return c->proof->prices[tuples[0]] > cost && mgl_proof_can_hold(&c->demand, tuples, n);
}

static void keep_example(check *c)
{
    const mgl_proof *p = c->proof;
    char shown[MGL_SHOWN];
    for (size_t a = 0; c->found->bargains == 1 && a < p->n_columns; a++)
        mgl_buffer_format(&c->found->example, "%s%s %s", a > 0 ? ", " : "", p->columns[a].name,
                          mgl_shown(p->columns[a].labels[c->walk.values[a]], shown));
}

/* What it costs at least, beyond their prices, to add so many rows of tuples that are priced no
 * higher than the cost: a tuple joins whole. So it is one that has them all, or smaller ones, of
 * which rows are counted one by one. Tuples come the dearest first. */
static mgl_proof_sum fill(const mgl_proof *p, const uint32_t *tuples, size_t n, int64_t cost,
                          uint64_t missing)
{
    mgl_proof_sum one = -1, small = 0;
    uint64_t left = missing;
    for (size_t i = 0; i < n; i++) {
        mgl_proof_sum loss = cost - p->prices[tuples[i]];
        uint64_t count = p->counts[tuples[i]], taken = count < left ? count : left;
        if (count < missing) {
            small += loss * (mgl_proof_sum)taken;
            left -= taken;
        } else if (one < 0 || loss * (mgl_proof_sum)count < one) {
            one = loss * (mgl_proof_sum)count;
        }
    }
    return one >= 0 && (left > 0 || one < small) ? one : small;
}

/* The best set of tuples that may be a class: all that are priced above the cost, and others if
 * these have too few rows. Tuples come the dearest first, and have enough rows together. */
static void weigh(void *context, const uint32_t *tuples, size_t n, int64_t cost)
{
    check *c = context;
    const mgl_proof *p = c->proof;
    mgl_proof_sum worth = 0;
    uint64_t rows = 0, need = c->demand.rows;
    size_t dear = 0;
    for (; dear < n && p->prices[tuples[dear]] > cost; dear++) {
        uint64_t count = p->counts[tuples[dear]];
        worth += (mgl_proof_sum)(p->prices[tuples[dear]] - cost) * (mgl_proof_sum)count;
        rows += count;
    }
    if (rows < need)
        worth -= fill(p, tuples + dear, n - dear, cost, need - rows);
    c->found->boxes++;
    if (worth > 0) {
        c->found->bargains++;
        keep_example(c);
    }
}

/* ---- From each tuple --------------------------------------------------------------- */

/* The least that a box with both the anchor and a leaf costs in this column. */
static void price_leaves(const check *c, size_t a, int64_t *price)
{
    const mgl_proof_column *x = &c->proof->columns[a];
    for (uint32_t leaf = 0; leaf < x->n_leaves; leaf++) {
        price[leaf] = INT64_MAX / 4;
        for (uint32_t l = x->low; l <= x->high; l++) {
            uint32_t v = mgl_proof_value_of(c->proof, c->walk.anchor, a, l);
            if (x->value[l][leaf] == v && c->costs.of[a][v] < price[leaf])
                price[leaf] = c->costs.of[a][v];
        }
    }
}

/* The tuples that can be in a box of the anchor which costs less than the anchor is priced. */
static size_t find_near(const check *c, const uint32_t *order, int64_t *const *price,
                        uint32_t *near)
{
    const mgl_proof *p = c->proof;
    size_t m = p->n_columns, n = 0;
    int64_t most = p->prices[c->walk.anchor];
    for (size_t i = 0; i < p->n_tuples; i++) {
        const uint32_t *leaf = p->leaves + (size_t)order[i] * m;
        int64_t cost = 0;
        for (size_t a = 0; a < m && cost < most; a++)
            cost += price[a][leaf[a]];
        if (cost < most)
            near[n++] = order[i];
    }
    return n;
}

/* A box with a column of negative reduced cost has a tuple that is priced above its cost. */
static void look_from_each(check *c, const uint32_t *order, int64_t **price, uint32_t *near)
{
    const mgl_proof *p = c->proof;
    for (uint32_t t = 0; t < p->n_tuples && !mgl_proof_walk_is_over(&c->walk, p->n_tuples); t++) {
        c->walk.anchor = t;
        for (size_t a = 0; a < p->n_columns; a++)
            price_leaves(c, a, price[a]);
        mgl_proof_walk_go(&c->walk, near, find_near(c, order, price, near));
    }
}

static mgl_status go_from_each(check *c, const uint32_t *order)
{
    const mgl_proof *p = c->proof;
    int64_t **price = mgl_zeroed_array(p->n_columns, sizeof *price);
    uint32_t *near = mgl_alloc_array(p->n_tuples, sizeof *near);
    bool room = price != NULL && near != NULL;
    for (size_t a = 0; room && a < p->n_columns; a++) {
        price[a] = mgl_alloc_array(p->columns[a].n_leaves, sizeof **price);
        room = price[a] != NULL;
    }
    if (room)
        look_from_each(c, order, price, near);
    for (size_t a = 0; price != NULL && a < p->n_columns; a++)
        mgl_free(price[a]);
    mgl_free(price);
    mgl_free(near);
    return room ? c->walk.status : mgl_fail_memory(c->walk.err);
}

/* ---- All --------------------------------------------------------------------------- */

typedef struct priced {
    int64_t price;
    uint32_t tuple;
} priced;

static const mgl_sort_key by_price[] = {MGL_DESCENDING(priced, price), MGL_ASCENDING(priced, tuple),
                                        MGL_SORT_END};

static mgl_status sort_by_price(const mgl_proof *p, mgl_error *err, uint32_t *order)
{
    priced *items;
    MGL_TRY(mgl_new_array(p->n_tuples, sizeof *items, err, &items));
    for (uint32_t t = 0; t < p->n_tuples; t++)
        items[t] = (priced){p->prices[t], t};
    mgl_sort(items, p->n_tuples, sizeof *items, by_price);
    for (size_t t = 0; t < p->n_tuples; t++)
        order[t] = items[t].tuple;
    mgl_free(items);
    return MGL_OK;
}

static double nodes_of(const mgl_proof *p)
{
    double nodes = 1;
    for (size_t a = 0; a < p->n_columns; a++)
        nodes *= p->columns[a].high - p->columns[a].low + 1;
    return nodes;
}

static mgl_status look(check *c, uint32_t *order, mgl_error *err)
{
    const mgl_proof *p = c->proof;
    MGL_TRY(mgl_proof_demand_init(&c->demand, p, err));
    MGL_TRY(mgl_proof_costs_find(p, err, &c->costs));
    c->walk.cost = c->costs.of;
    MGL_TRY(mgl_proof_walk_begin(&c->walk));
    MGL_TRY(sort_by_price(p, err, order));
    for (size_t t = 0; t < p->n_tuples; t++)
        c->found->too_dear += p->prices[t] > c->costs.top;
    if (nodes_of(p) * (double)p->n_tuples > MOST_SWEPT)
        return go_from_each(c, order);
    mgl_proof_walk_go(&c->walk, order, p->n_tuples);
    return c->walk.status;
}

mgl_status mgl_proof_verify(const mgl_proof *p, const mgl_progress *progress, mgl_error *err,
                            mgl_proof_verdict *out)
{
    *out = (mgl_proof_verdict){0};
    check c = {.proof = p, .found = out};
    c.walk = (mgl_proof_walk){.proof = p,
                              .matters = matters,
                              .visit = weigh,
                              .context = &c,
                              .progress = progress,
                              .err = err};
    mgl_proof_sum sum = 0;
    uint32_t *order = mgl_alloc_array(p->n_tuples, sizeof *order);
    mgl_status status = order == NULL ? mgl_fail_memory(err) : look(&c, order, err);
    mgl_proof_walk_end(&c.walk);
    mgl_proof_costs_free(&c.costs, p->n_columns);
    mgl_proof_demand_free(&c.demand);
    mgl_free(order);
    for (size_t t = 0; t < p->n_tuples; t++)
        sum += (mgl_proof_sum)p->prices[t] * (mgl_proof_sum)p->counts[t];
    out->proved = mgl_proof_value(p, (double)sum / MGL_PROOF_UNIT);
    if (status == MGL_OK && p->exact != NULL)
        status = proof_follow(p, progress, err, out);
    out->holds = out->bargains == 0 && out->too_dear == 0 && out->overpriced == 0 && !out->open;
    return status;
}
