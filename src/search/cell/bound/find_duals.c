/* Finds dual values: all are raised a little, then those of the rows of negative classes are
 * lowered until the class is no longer negative, again and again, by ever smaller steps. */
#include "search/cell/bound/duals.h"
#include "search/node/node.h"

#include <math.h>
#include <stdlib.h>

/* ---- Pricing -------------------------------------------------------------------------------- */

/* The pricing step of column generation: finds the negative ones among all closed classes, on all
 * threads. */

enum {
    NODES_AT_ONCE = 16,
    HELPERS = 4 /* members kept that have all rows a class lacks, at most, beside the best */
};

/* Tuples, those with the highest dual values first. */
typedef struct sorted {
    uint32_t *tuple, *dual, *rows;
    uint64_t *keys;
} sorted;

/* What a class lacks whose dear rows, those with a dual value above the cost, are too few. A tuple
 * joins it whole: either one that has all the rows it lacks, or smaller ones, whose rows are
 * counted one by one. */
typedef struct lack {
    uint32_t rows;  /* 0: it is not known yet, or nothing */
    uint32_t place; /* of the best tuple that has so many, by dual value */
    uint32_t kept;  /* tuples that have so many, gathered */
    uint64_t room;  /* rows of the other members gathered */
    int64_t dear;   /* what the dear rows are worth */
    int64_t worth;  /* with that tuple; 0: there is none with which it is worth anything */
} lack;

typedef struct worker {
    mgl_key_table table;   /* classes of a node with dear tuples */
    lack *lacks;           /* [class] */
    mgl_row_filter filter; /* not 0: where classes are that matter */
} worker;

typedef struct scan {
    const mgl_cell_closed *closed;
    const mgl_box_space *space;
    sorted by_dual;
    const mgl_pricing_look *look;
    worker *workers;
    mgl_cell_negatives *found; /* [items] */
    uint8_t *out_of_memory;    /* [items] */
    mgl_owned own;
} scan;

/* ---- The order of dual values ------------------------------------------------------------ */

static uint32_t raised(const scan *c, const uint32_t *duals, uint32_t t)
{
    uint32_t most = c->look->most != NULL ? c->look->most[t] : c->space->top_cost;
    return duals[t] < most && most - duals[t] > c->look->raise ? duals[t] + c->look->raise : most;
}

/* Among equals those with few rows come first: one that joins a class does so whole. */
static mgl_status sort_by_dual(scan *c, const uint32_t *duals, mgl_error *err)
{
    const mgl_box_space *s = c->space;
    sorted *o = &c->by_dual;
    uint64_t *items = mgl_own_array(&c->own, s->n, sizeof *items);
    o->tuple = mgl_own_array(&c->own, s->n, sizeof *o->tuple);
    o->dual = mgl_own_array(&c->own, s->n, sizeof *o->dual);
    o->rows = mgl_own_array(&c->own, s->n, sizeof *o->rows);
    o->keys = mgl_own_array(&c->own, s->n, s->words * sizeof *o->keys);
    MGL_TRY(mgl_owned_check(&c->own, err));
    for (size_t i = 0; i < s->n; i++)
        items[i] = (uint64_t)(UINT32_MAX - raised(c, duals, c->closed->by_rows[i])) << 32 | i;
    mgl_sort_u64(items, s->n);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t t = c->closed->by_rows[(uint32_t)items[i]];
        o->tuple[i] = t;
        o->dual[i] = raised(c, duals, t);
        o->rows[i] = s->rows[t];
        memcpy(o->keys + i * s->words, s->keys + t * s->words, s->words * sizeof *o->keys);
    }
    return MGL_OK;
}

static size_t count_above(const scan *c, uint32_t cost)
{
    size_t low = 0, high = c->space->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (c->by_dual.dual[middle] > cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- One node ----------------------------------------------------------------------------- */

/* A tuple that is not worth what it costs is taken if it helps out; true if the class does not want
 * rows any more: it has enough, or cannot be worth anything, whatever comes, as others have lower
 * dual values. */
static inline bool fill_up(worker *w, uint32_t e, uint32_t need, size_t i, const sorted *o)
{
    mgl_key_table *table = &w->table;
    lack *x = &w->lacks[e];
    uint32_t wanted = need - table->rows[e], rows = o->rows[i];
    int64_t loss = (int64_t)table->cost[e] - o->dual[i];
    if (table->worth[e] <= wanted * loss) {
        table->worth[e] = -1;
        return true;
    }
    if (x->rows == 0) {
        x->rows = wanted;
        x->dear = table->worth[e];
    }
    if (rows >= x->rows) {
        int64_t worth = x->dear - rows * loss;
        if (worth > x->worth) {
            x->worth = worth;
            x->place = (uint32_t)i;
        }
        return false;
    }
    uint32_t more = wanted < rows ? wanted : rows;
    table->worth[e] -= more * loss;
    table->rows[e] += more;
    return table->rows[e] >= need;
}

/* Adds a tuple to a class: all rows worth more than they cost, others while rows are wanted. Tuples
 * come in the order of their dual values, so that these are the best rows. True if the class wanted
 * rows before and does not any more. */
static inline bool take(worker *w, uint32_t e, uint32_t need, size_t i, const sorted *o)
{
    mgl_key_table *table = &w->table;
    bool wanted = table->rows[e] < need && table->worth[e] >= 0;
    if (o->dual[i] <= table->cost[e])
        return wanted && fill_up(w, e, need, i, o);
    table->worth[e] += (int64_t)o->rows[i] * (o->dual[i] - table->cost[e]);
    table->rows[e] += o->rows[i];
    return wanted && table->rows[e] >= need;
}

/* Marks the slots of classes that lack rows, or of negative classes. */
MGL_SPECIALIZE mgl_row_filter mark_slots(worker *w, bool negatives, uint32_t need, size_t words)
{
    uint64_t all[MGL_BOX_MOST_WORDS]; /* keys of classes are masked already */
    memset(all, 0xff, words * sizeof *all);
    const mgl_key_table *table = &w->table;
    mgl_row_filter_clear(&w->filter, table->n, 1);
    for (uint32_t e = 1; e <= table->n; e++)
        if (negatives ? table->mark[e] != 0 : table->rows[e] < need && table->worth[e] >= 0)
            w->filter.rows[mgl_row_filter_slot(&w->filter, table->keys + e * words, all, words)] =
                1;
    return w->filter;
}

/* What the best rows of each class are worth: only classes with a row that is worth more than it
 * costs can be negative. Returns how many are. */
MGL_SPECIALIZE size_t weigh(const scan *c, worker *w, uint32_t node, size_t above, size_t words)
{
    mgl_key_table *table = &w->table;
    const uint64_t *member = c->closed->member[node],
                   *mask = c->closed->nodes->masks + node * words;
    const uint8_t *levels = c->closed->nodes->levels + node * c->space->m;
    const mgl_box_space *s = c->space;
    const sorted *o = &c->by_dual;
    size_t wanting = 0, negatives = 0;
    mgl_key_table_clear(table, above);
    for (size_t i = 0; i < above; i++) {
        if (!mgl_cell_is_member(member, o->tuple[i]))
            continue;
        uint32_t before = table->n;
        uint32_t e = mgl_key_table_add(table, o->keys + i * words, mask, words, o->tuple[i]);
        if (e > before) {
            table->cost[e] = mgl_box_cost(s, levels, o->tuple[i]);
            table->worth[e] = 0;
            w->lacks[e] = (lack){0};
            wanting++;
        }
        wanting -= take(w, e, s->need, i, o);
    }
    mgl_row_filter filter = mark_slots(w, false, s->need, words);
    for (size_t i = above; i < s->n && wanting > 0; i++) {
        const uint64_t *key = o->keys + i * words;
        if (filter.rows[mgl_row_filter_slot(&filter, key, mask, words)] == 0 ||
            !mgl_cell_is_member(member, o->tuple[i]))
            continue;
        uint32_t e = mgl_key_table_find(table, key, mask, words);
        if (e != 0)
            wanting -= take(w, e, s->need, i, o);
    }
    for (uint32_t e = 1; e <= table->n; e++) {
        table->mark[e] =
            (table->rows[e] >= s->need && table->worth[e] > 0) || w->lacks[e].worth > 0;
        negatives += table->mark[e];
    }
    return negatives;
}

/* Of a negative class the best members are kept: those that make it negative, and as many rows
 * again as may take their place when dual values change. */
static uint64_t rows_wanted(const mgl_key_table *table, uint32_t e, uint32_t need)
{
    return (table->rows[e] > need ? table->rows[e] : need) + 2 * (uint64_t)need;
}

/* Has the tuple, which is not dear, all rows that the class lacks? */
static bool helps_alone(const scan *c, const worker *w, uint32_t e, size_t i)
{
    const sorted *o = &c->by_dual;
    uint32_t lacking = w->lacks[e].rows;
    return lacking > 0 && o->rows[i] >= lacking && o->dual[i] <= w->table.cost[e];
}

static bool is_wanted(const scan *c, const worker *w, uint32_t e, size_t i)
{
    const lack *x = &w->lacks[e];
    bool full = x->room >= rows_wanted(&w->table, e, c->space->need);
    if (helps_alone(c, w, e, i))
        return x->place == i || (x->kept < HELPERS && !(full && x->place < i));
    return !full;
}

/* Removes those whose members are in a box below: their reduced cost is lower there. */
static void forget_open(const scan *c, uint32_t node, size_t first, mgl_cell_negatives *out)
{
    const mgl_box_space *s = c->space;
    const uint8_t *levels = c->closed->nodes->levels + node * s->m;
    size_t n = first;
    for (size_t b = first; b < out->n; b++) {
        const uint32_t *members = out->members + out->items[b].start;
        uint64_t differ[MGL_BOX_MOST_WORDS] = {0};
        for (size_t i = 1; i < out->items[b].n; i++)
            for (size_t w = 0; w < s->words; w++)
                differ[w] |=
                    s->keys[members[0] * s->words + w] ^ s->keys[members[i] * s->words + w];
        if (mgl_cell_is_closed(s, levels, differ))
            out->items[n++] = out->items[b];
    }
    out->n = n;
}

MGL_SPECIALIZE bool gather(const scan *c, worker *w, uint32_t node, size_t n_negatives,
                           mgl_cell_negatives *out, size_t words)
{
    mgl_key_table *table = &w->table;
    const mgl_box_space *s = c->space;
    const sorted *o = &c->by_dual;
    const uint64_t *member = c->closed->member[node],
                   *mask = c->closed->nodes->masks + node * words;
    if (!mgl_grow(&out->items, &out->capacity, out->n + n_negatives, sizeof *out->items))
        return false;
    size_t first = out->n;
    for (uint32_t e = 1; e <= table->n; e++) {
        if (table->mark[e] == 0)
            continue;
        uint64_t id = node + 1;
        for (size_t i = 0; i < words; i++)
            id = (id ^ table->keys[e * words + i]) * UINT64_C(0x9E3779B97F4A7C15) + (id >> 31);
        out->items[out->n++] = (mgl_cell_negative){
            .id = id, .node = node, .cost = table->cost[e], .found = c->look->now};
        table->mark[e] = (uint32_t)(out->n - first);
    }
    /* Members come in the order of dual values; each is put behind the last of all, with the number
     * of its negative class beside it, and they are sorted by it afterwards. */
    mgl_row_filter filter = mark_slots(w, true, s->need, words);
    size_t begin = out->n_members, full = 0;
    for (size_t i = 0; i < s->n && full < n_negatives; i++) {
        const uint64_t *key = o->keys + i * words;
        if (filter.rows[mgl_row_filter_slot(&filter, key, mask, words)] == 0 ||
            !mgl_cell_is_member(member, o->tuple[i]))
            continue;
        uint32_t e = mgl_key_table_find(table, key, mask, words);
        uint32_t mark = table->mark[e];
        if (e == 0 || mark == 0 || !is_wanted(c, w, e, i))
            continue;
        if (!mgl_grow(&out->members, &out->members_capacity, out->n_members + 2,
                      sizeof *out->members))
            return false;
        out->members[out->n_members++] = mark - 1;
        out->members[out->n_members++] = o->tuple[i];
        out->items[first + mark - 1].n++;
        if (helps_alone(c, w, e, i))
            w->lacks[e].kept++;
        else
            w->lacks[e].room += o->rows[i];
        full += w->lacks[e].place <= i && w->lacks[e].room >= rows_wanted(table, e, s->need);
    }
    size_t n = (out->n_members - begin) / 2, start = begin;
    uint32_t *pairs = mgl_alloc_array(n * 2, sizeof *pairs);
    if (pairs == NULL)
        return false;
    memcpy(pairs, out->members + begin, n * 2 * sizeof *pairs);
    for (size_t b = first; b < out->n; b++) {
        out->items[b].start = start;
        start += out->items[b].n;
        out->items[b].n = 0;
    }
    for (size_t i = 0; i < n; i++) {
        mgl_cell_negative *b = &out->items[first + pairs[2 * i]];
        out->members[b->start + b->n++] = pairs[2 * i + 1];
    }
    out->n_members = start;
    mgl_free(pairs);
    if (c->closed->large)
        forget_open(c, node, first, out);
    return true;
}

MGL_SPECIALIZE bool scan_node(scan *c, uint32_t node, unsigned worker, mgl_cell_negatives *out,
                              size_t words)
{
    uint8_t *open = c->look->open;
    bool any = c->closed->member[node] != NULL && (open == NULL || open[node] != 0);
    size_t above = any ? count_above(c, c->closed->nodes->least[node]) : 0;
    size_t n = above > 0 ? weigh(c, &c->workers[worker], node, above, words) : 0;
    if (open != NULL)
        open[node] = n > 0;
    return n == 0 || gather(c, &c->workers[worker], node, n, out, words);
}

static void run_item(void *context, size_t item, unsigned worker)
{
    scan *c = context;
    size_t first = item * NODES_AT_ONCE, n = c->closed->nodes->n;
    bool whole = true;
    for (size_t i = first; whole && i < n && i < first + NODES_AT_ONCE; i++)
        whole = c->space->words == 1
                    ? scan_node(c, (uint32_t)i, worker, &c->found[item], 1)
                    : scan_node(c, (uint32_t)i, worker, &c->found[item], c->space->words);
    c->out_of_memory[item] = !whole;
}

/* ---- All nodes ------------------------------------------------------------------------------ */

static bool append(mgl_cell_negatives *to, const mgl_cell_negatives *from)
{
    if (!mgl_grow(&to->items, &to->capacity, to->n + from->n, sizeof *to->items) ||
        !mgl_grow(&to->members, &to->members_capacity, to->n_members + from->n_members,
                  sizeof *to->members))
        return false;
    for (size_t i = 0; i < from->n; i++) {
        to->items[to->n] = from->items[i];
        to->items[to->n++].start += to->n_members;
    }
    if (from->n_members > 0)
        memcpy(to->members + to->n_members, from->members, from->n_members * sizeof *to->members);
    to->n_members += from->n_members;
    return true;
}

static mgl_status run(scan *c, unsigned workers, size_t items, mgl_error *err,
                      mgl_cell_negatives *out)
{
    const mgl_box_space *s = c->space;
    c->workers = mgl_own_zeroed(&c->own, workers, sizeof *c->workers);
    c->found = mgl_own_zeroed(&c->own, items, sizeof *c->found);
    c->out_of_memory = mgl_own_zeroed(&c->own, items, 1);
    MGL_TRY(mgl_owned_check(&c->own, err));
    for (unsigned w = 0; w < workers; w++) {
        MGL_TRY(mgl_key_table_init(&c->workers[w].table, s->n, s->words, err));
        MGL_TRY(mgl_row_filter_init(&c->workers[w].filter, s->n, err));
        c->workers[w].lacks = mgl_own_array(&c->own, s->n + 1, sizeof(lack));
    }
    MGL_TRY(mgl_owned_check(&c->own, err));
    mgl_pool_run(c->space->problem->pool, items, run_item, c);
    for (size_t i = 0; i < items; i++)
        if (c->out_of_memory[i] || !append(out, &c->found[i]))
            return mgl_fail_memory(err);
    return MGL_OK;
}

mgl_status mgl_cell_scan(const mgl_cell_closed *closed, const uint32_t *duals,
                         const mgl_pricing_look *look, mgl_error *err, mgl_cell_negatives *out)
{
    const mgl_box_space *s = closed->space;
    unsigned workers = mgl_pool_threads(s->problem->pool);
    size_t items = (closed->nodes->n + NODES_AT_ONCE - 1) / NODES_AT_ONCE;
    scan c = {.closed = closed, .space = s, .look = look};
    mgl_status status = sort_by_dual(&c, duals, err);
    if (status == MGL_OK)
        status = run(&c, workers, items, err, out);
    for (unsigned w = 0; c.workers != NULL && w < workers; w++) {
        mgl_key_table_free(&c.workers[w].table);
        mgl_row_filter_free(&c.workers[w].filter);
    }
    for (size_t i = 0; c.found != NULL && i < items; i++)
        mgl_cell_negatives_free(&c.found[i]);
    mgl_owned_free(&c.own);
    return status;
}

/* ---- Keeping them ---------------------------------------------------------------------------- */

/* Removes negative classes that are so no longer, and those that were found twice. */

void mgl_cell_negatives_free(mgl_cell_negatives *negatives)
{
    mgl_free(negatives->items);
    mgl_free(negatives->members);
    *negatives = (mgl_cell_negatives){0};
}

/* The newest of each first: it has the best members. */
static int compare_ids(const void *a, const void *b)
{
    const mgl_cell_negative *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->start < y->start) - (x->start > y->start);
}

/* Keeps those that were found at `since` or later, each once. */
static mgl_status cell_negatives_tidy(mgl_cell_negatives *negatives, uint32_t since, mgl_error *err)
{
    uint32_t *members;
    MGL_TRY(mgl_new_array(negatives->n_members, sizeof *members, err, &members));
    if (negatives->n > 0)
        qsort(negatives->items, negatives->n, sizeof *negatives->items, compare_ids);
    size_t n = 0, n_members = 0;
    for (size_t i = 0; i < negatives->n; i++) {
        mgl_cell_negative b = negatives->items[i];
        if (b.found < since ||
            (n > 0 && negatives->items[n - 1].id == b.id && negatives->items[n - 1].node == b.node))
            continue;
        memcpy(members + n_members, negatives->members + b.start, b.n * sizeof *members);
        b.start = n_members;
        n_members += b.n;
        negatives->items[n++] = b;
    }
    mgl_free(negatives->members);
    negatives->members = members;
    negatives->members_capacity = negatives->n_members;
    negatives->n = n;
    negatives->n_members = n_members;
    return MGL_OK;
}

/* The first step, as a share of what an average row costs beyond its own values. The last one is
 * another share by the number of sweeps: many sweeps end with smaller steps. Large first steps come
 * nearer to the linear program, but make many classes negative, which takes time. */
#define FIRST_STEP 0.1
#define LAST_STEP 0.5

enum {
    FIRST_GAP = 5,       /* sweeps from the first look at all classes to the next */
    FORGET = 3,          /* gaps after which a class that was not negative is removed */
    RAISE = 2,           /* steps by which a scan looks ahead */
    PATIENT_REPAIRS = 4, /* tries to repair dual values gently */
    PROOF_SCANS = 3      /* what a proof takes, in scans */
};

typedef struct pricing {
    const mgl_cell_closed *closed;
    const mgl_box_space *space;
    double *exact;   /* [t] dual values while they are found */
    uint32_t *duals; /* [t] the same, rounded down */
    mgl_cell_negatives negatives;
    double slowest; /* scan, in seconds */
} pricing;

/* Adds all classes that are negative then. */
static mgl_status find_negatives(pricing *p, const mgl_pricing_look *look, mgl_error *err)
{
    double begun = mgl_sys_seconds();
    MGL_TRY(mgl_cell_scan(p->closed, p->duals, look, err, &p->negatives));
    p->slowest = fmax(p->slowest, mgl_sys_seconds() - begun);
    return MGL_OK;
}

/* Is time up, or will it be before a proof is done? */
static bool is_late_for_proof(const pricing *p)
{
    const mgl_problem *problem = p->space->problem;
    return mgl_problem_is_late(problem) ||
           (problem->deadline > 0 &&
            mgl_sys_seconds() + PROOF_SCANS * p->slowest > problem->deadline);
}

/* ---- Sweeps --------------------------------------------------------------------------- */

/* Nearly sorted already: an insertion sort. */
static void sort_members(const pricing *p, uint32_t *members, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t t = members[i];
        size_t at = i;
        for (; at > 0 && p->exact[members[at - 1]] < p->exact[t]; at--)
            members[at] = members[at - 1];
        members[at] = t;
    }
}

/* The best of a class: its dear members, whose dual value is above the cost, the first ones; and,
 * if these have too few rows, either one other, whole, or the rows of smaller ones. */
typedef struct choice {
    size_t n_dear, n; /* members up to here; those from n_dear on that are smaller than `wanted` */
    uint32_t single;  /* the one other; MGL_NOT_FOUND: there is none */
    uint64_t wanted;  /* rows that the dear ones lack */
    double worth;     /* all together, above what they cost */
    double squares;   /* of the rows that are taken, by those of the tuple */
} choice;

/* Fills up with one tuple, if that is better. */
static void choose_single(const pricing *p, const mgl_cell_negative *b, double dear, choice *out)
{
    const uint32_t *members = p->negatives.members + b->start;
    double least = dear - out->worth;
    for (size_t i = out->n_dear; i < b->n; i++) {
        uint32_t t = members[i], rows = p->space->rows[t];
        double loss = b->cost - p->exact[t];
        if ((double)out->wanted * loss >= least)
            break; /* others have lower dual values */
        if (rows < out->wanted || rows * loss >= least)
            continue;
        least = rows * loss;
        out->single = t;
    }
    out->worth = dear - least;
}

static void choose_small(const pricing *p, const mgl_cell_negative *b, choice *out)
{
    const mgl_box_space *s = p->space;
    const uint32_t *members = p->negatives.members + b->start;
    uint64_t left = out->wanted;
    for (; left > 0 && out->n < b->n && out->worth > 0; out->n++) {
        uint32_t t = members[out->n];
        if (s->rows[t] >= out->wanted)
            continue;
        double taken = s->rows[t] < left ? s->rows[t] : (double)left;
        out->worth -= taken * (b->cost - p->exact[t]);
        out->squares += taken * taken / s->rows[t];
        left -= (uint64_t)taken;
    }
    if (left > 0)
        out->worth = 0;
}

static choice choose(pricing *p, const mgl_cell_negative *b)
{
    const mgl_box_space *s = p->space;
    uint32_t *members = p->negatives.members + b->start;
    choice out = {.single = MGL_NOT_FOUND};
    uint64_t rows = 0;
    sort_members(p, members, b->n);
    for (; out.n < b->n && p->exact[members[out.n]] > b->cost; out.n++) {
        uint32_t t = members[out.n];
        out.worth += s->rows[t] * (p->exact[t] - b->cost);
        rows += s->rows[t];
    }
    out.n_dear = out.n;
    out.squares = (double)rows;
    out.wanted = rows < s->need ? s->need - rows : 0;
    if (out.wanted == 0 || out.worth <= 0)
        return out;
    double dear = out.worth;
    choose_small(p, b, &out);
    choose_single(p, b, dear, &out);
    if (out.single != MGL_NOT_FOUND)
        out.squares = (double)(rows + s->rows[out.single]);
    return out;
}

/* If the class is negative, the dual values of its best rows are lowered until it is not: by the
 * smallest change, each tuple as much as it has rows among them. */
static bool take_back(pricing *p, const mgl_cell_negative *b)
{
    const mgl_box_space *s = p->space;
    const uint32_t *members = p->negatives.members + b->start;
    choice best = choose(p, b);
    if (best.worth <= 1)
        return false;
    double share = best.worth / best.squares;
    for (size_t i = 0; i < best.n_dear; i++)
        p->exact[members[i]] -= share;
    if (best.single != MGL_NOT_FOUND) {
        p->exact[best.single] -= share;
        return true;
    }
    uint64_t left = best.wanted;
    for (size_t i = best.n_dear; i < best.n; i++) {
        uint32_t t = members[i], rows = s->rows[t];
        if (rows >= best.wanted)
            continue;
        uint64_t taken = rows < left ? rows : left;
        p->exact[t] -= share * (double)taken / rows;
        left -= taken;
    }
    return true;
}

static void round_down(pricing *p)
{
    for (size_t t = 0; t < p->space->n; t++)
        p->duals[t] = p->exact[t] > 0 ? (uint32_t)p->exact[t] : 0;
}

/* What rows cost beyond their own values, on average over those that may cost more. */
static double mean_excess(const pricing *p)
{
    const mgl_box_space *s = p->space;
    uint8_t lowest[MGL_MOST_COLUMNS];
    double sum = 0, rows = 0;
    mgl_box_begin(s, lowest);
    for (uint32_t t = 0; t < s->n; t++) {
        if (p->exact[t] >= p->closed->most[t])
            continue;
        sum += s->rows[t] * (p->exact[t] - mgl_box_cost(s, lowest, t));
        rows += s->rows[t];
    }
    return rows > 0 ? sum / rows : 0;
}

static mgl_status sweep(pricing *p, uint32_t sweeps, mgl_error *err, bool *late)
{
    const mgl_problem *problem = p->space->problem;
    double step = FIRST_STEP * mean_excess(p);
    double shrink = pow(LAST_STEP / (FIRST_STEP * sweeps), 1.0 / sweeps);
    uint32_t next = 0, gap = FIRST_GAP;
    for (uint32_t now = 0; now < sweeps; now++, step *= shrink) {
        const uint32_t *most = p->closed->most;
        for (size_t t = 0; t < p->space->n; t++)
            p->exact[t] = p->exact[t] + step < most[t] ? p->exact[t] + step : most[t];
        if (now == next) {
            uint32_t since = now > FORGET * gap ? now - FORGET * gap : 0;
            round_down(p);
            mgl_pricing_look ahead = {
                .raise = (uint32_t)(RAISE * step), .most = p->closed->most, .now = now};
            MGL_TRY(find_negatives(p, &ahead, err));
            MGL_TRY(cell_negatives_tidy(&p->negatives, since, err));
            gap += gap / 3 + 1;
            next = now + gap;
            MGL_TRY(mgl_progress_report(problem->progress, "search", now, sweeps, err));
            *late = is_late_for_proof(p);
            if (*late)
                break;
        }
        for (size_t i = 0; i < p->negatives.n; i++)
            if (take_back(p, &p->negatives.items[i]))
                p->negatives.items[i].found = now;
    }
    round_down(p);
    return MGL_OK;
}

/* ---- The proof --------------------------------------------------------------------------- */

/* What the rows that the dear members lack cost at least beyond their dual values, by the members;
 * 0 if they are too few. Members are in the order of dual values as they were; others may have been
 * lowered since, which makes this too small, never too large: the next scan finds such a class
 * again. */
static uint64_t cost_of_filling(const pricing *p, const mgl_cell_negative *b, uint64_t wanted)
{
    const mgl_box_space *s = p->space;
    const uint32_t *members = p->negatives.members + b->start;
    uint64_t small = 0, left = wanted, single = UINT64_MAX;
    for (size_t i = 0; i < b->n; i++) {
        uint32_t t = members[i], rows = s->rows[t];
        if (p->duals[t] > b->cost)
            continue;
        uint64_t loss = b->cost - p->duals[t], taken = rows < left ? rows : left;
        if (rows >= wanted) {
            single = rows * loss < single ? rows * loss : single;
            continue;
        }
        small += taken * loss;
        left -= taken;
    }
    small = left == 0 ? small : UINT64_MAX;
    uint64_t least = small < single ? small : single;
    return least < UINT64_MAX ? least : 0;
}

/* Lowers the dual values above the cost until the class is not negative; gently: so that its
 * reduced cost is just zero, if its members are all that count. */
static void repair(pricing *p, const mgl_cell_negative *b, bool gently)
{
    const mgl_box_space *s = p->space;
    const uint32_t *members = p->negatives.members + b->start;
    uint64_t above = 0, rows = 0;
    for (size_t i = 0; gently && i < b->n; i++) {
        uint32_t t = members[i];
        if (p->duals[t] > b->cost) {
            above += (uint64_t)s->rows[t] * (p->duals[t] - b->cost);
            rows += s->rows[t];
        }
    }
    uint64_t below = gently && rows < s->need ? cost_of_filling(p, b, s->need - rows) : 0;
    if (gently && above <= below)
        return;
    for (size_t i = 0; i < b->n; i++) {
        uint32_t *dual = &p->duals[members[i]];
        if (*dual > b->cost)
            *dual = b->cost + (gently ? (uint32_t)((double)(*dual - b->cost) * (double)below /
                                                   (double)above * (1 - 0x1p-40))
                                      : 0);
    }
}

/* Lowering dual values makes no other class negative, so this ends: with a look at all classes but
 * those of nodes where an earlier look found none, dual values being no higher since. That is the
 * proof. Sets *late if time was up before. */
static mgl_status prove(pricing *p, mgl_error *err, bool *late)
{
    size_t n_nodes = p->closed->nodes->n;
    uint8_t *open = mgl_alloc_array(n_nodes, sizeof *open);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(open != NULL, err));
    memset(open, 1, n_nodes);
    for (int round = 0;; round++) {
        mgl_cell_negatives_free(&p->negatives);
        *late = mgl_problem_is_late(p->space->problem);
        if (*late)
            break;
        MGL_GO(find_negatives(p, &(mgl_pricing_look){.open = open}, err));
        if (p->negatives.n == 0)
            break;
        for (size_t i = 0; i < p->negatives.n; i++)
            repair(p, &p->negatives.items[i], round < PATIENT_REPAIRS);
    }
done:
    mgl_free(open);
    return status;
}

mgl_status mgl_cell_find_duals(const mgl_cell_closed *closed, uint32_t sweeps, uint32_t *duals,
                               mgl_error *err, bool *timed_out)
{
    const mgl_box_space *s = closed->space;
    pricing p = {.closed = closed, .space = s, .duals = duals};
    uint32_t *before = mgl_alloc_array(s->n, sizeof *before);
    bool late = false, unproved = false;
    p.exact = mgl_alloc_array(s->n, sizeof *p.exact);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(p.exact != NULL && before != NULL, err));
    for (size_t t = 0; t < s->n; t++) {
        duals[t] = duals[t] < closed->most[t] ? duals[t] : closed->most[t];
        before[t] = duals[t];
        p.exact[t] = duals[t];
    }
    if (sweeps > 0 && mean_excess(&p) > 0)
        MGL_GO(sweep(&p, sweeps, err, &late));
    MGL_GO(prove(&p, err, &unproved));
    if (unproved)
        memcpy(duals, before, s->n * sizeof *duals);
    *timed_out = late || unproved;
done:
    mgl_cell_negatives_free(&p.negatives);
    mgl_free(p.exact);
    mgl_free(before);
    return status;
}

uint64_t mgl_cell_sum(const mgl_box_space *space, const uint32_t *duals)
{
    uint64_t sum = 0;
    for (size_t t = 0; t < space->n; t++)
        sum += (uint64_t)space->rows[t] * duals[t];
    return sum;
}
