/* The exact search: first for releases that cost hardly more than the bound, then for dearer ones,
 * until one is found or none is left that is better than the one known. What it proved is written
 * down, step by step, where a certificate is asked for. */
#include "search/cell/exact/inner.h"
#include "search/cell/exact/exact.h"

/* Between two looks at the clock: about a hundredth of a second. */
#define LOOK_WORK UINT64_C(10000000)

/* Did the deadline come, or was the job cancelled? */
static bool exact_is_late(mgl_exact *x)
{
    const mgl_problem *p = x->space->problem;
    uint64_t work = x->work + x->lp.work;
    if (work >= x->next_look) {
        x->next_look = work + LOOK_WORK;
        x->timed_out = x->timed_out || mgl_problem_is_late(p);
        x->cancelled = x->cancelled || mgl_progress_report(p->progress, "search", work,
                                                           x->most_work, NULL) != MGL_OK;
    }
    return x->timed_out || x->cancelled;
}

/* ---- Closed boxes --------------------------------------------------------------------------- */

/* Boxes by closure: from those around single tuples, each box and one more tuple give a larger one,
 * so that the lattice is never looked at. */

enum { MOST_BOXES = 1000000, MOST_MEMBERS = 20000000 };

/* All boxes met so far, those with too few rows as well: larger ones are made of them. */
typedef struct finder {
    mgl_exact *x;
    const mgl_box_space *space;
    const int64_t *cap;
    size_t n;
    uint8_t *levels; /* [i * m + a] */
    uint32_t *first; /* [i] a tuple under it */
    size_t levels_room, first_room;
    uint32_t *slots;   /* numbers of boxes, plus 1 */
    size_t n_slots;    /* a power of 2 */
    uint32_t *members; /* [n_tuples] scratch */
    uint8_t *joined;   /* [m] scratch */
    uint64_t *mask;    /* [words] scratch */
    mgl_owned own;
} finder;

static size_t first_slot(const finder *f, const uint8_t *levels, const uint64_t *mask, uint32_t t)
{
    const mgl_box_space *s = f->space;
    uint64_t hash = 0;
    for (size_t a = 0; a < s->m; a++)
        hash = (hash ^ levels[a]) * UINT64_C(0x9E3779B97F4A7C15);
    for (size_t w = 0; w < s->words; w++)
        hash = (hash ^ hash >> 29 ^ (s->keys[t * s->words + w] & mask[w])) *
               UINT64_C(0x9E3779B97F4A7C15);
    return (hash ^ hash >> 32) & (f->n_slots - 1);
}

static bool grow_slots(finder *f)
{
    size_t n_slots = f->n_slots == 0 ? 1024 : 2 * f->n_slots;
    uint32_t *slots = mgl_zeroed_array(n_slots, sizeof *slots);
    if (slots == NULL)
        return false;
    mgl_free(f->slots);
    f->slots = slots;
    f->n_slots = n_slots;
    for (size_t i = 0; i < f->n; i++) {
        const uint8_t *levels = f->levels + i * f->space->m;
        mgl_box_mask(f->space, levels, f->mask);
        size_t at = first_slot(f, levels, f->mask, f->first[i]);
        while (slots[at] != 0)
            at = (at + 1) & (n_slots - 1);
        slots[at] = (uint32_t)i + 1;
    }
    return true;
}

/* Adds the box of the tuple at these levels, if it is new. False if memory is out. */
static bool add(finder *f, const uint8_t *levels, uint32_t t)
{
    const mgl_box_space *s = f->space;
    if (2 * (f->n + 1) > f->n_slots && !grow_slots(f))
        return false;
    mgl_box_mask(s, levels, f->mask);
    size_t at = first_slot(f, levels, f->mask, t);
    for (; f->slots[at] != 0; at = (at + 1) & (f->n_slots - 1)) {
        size_t i = f->slots[at] - 1;
        if (memcmp(f->levels + i * s->m, levels, s->m) == 0 &&
            mgl_box_covers(s, f->mask, f->first[i], t))
            return true;
    }
    if (!mgl_grow(&f->levels, &f->levels_room, (f->n + 1) * s->m, 1) ||
        !mgl_grow(&f->first, &f->first_room, f->n + 1, sizeof *f->first))
        return false;
    memcpy(f->levels + f->n * s->m, levels, s->m);
    f->first[f->n] = t;
    f->slots[at] = (uint32_t)++f->n;
    return true;
}

static bool keep(mgl_exact_boxes *b, const finder *f, size_t box, size_t n)
{
    size_t m = f->space->m, at = b->n > 0 ? b->start[b->n] : 0;
    const uint8_t *levels = f->levels + box * m;
    if (!mgl_grow(&b->cost, &b->cost_room, b->n + 1, sizeof *b->cost) ||
        !mgl_grow(&b->levels, &b->levels_room, (b->n + 1) * m, 1) ||
        !mgl_grow(&b->start, &b->start_room, b->n + 2, sizeof *b->start) ||
        !mgl_grow(&b->members, &b->members_room, at + n, sizeof *b->members))
        return false;
    memcpy(b->members + at, f->members, n * sizeof *f->members);
    memcpy(b->levels + b->n * m, levels, m);
    b->cost[b->n] = mgl_box_cost(f->space, levels, f->members[0]);
    b->start[b->n++] = at;
    b->start[b->n] = at + n;
    return true;
}

/* The larger boxes that one more tuple makes of it. */
static bool enlarge(finder *f, size_t box, size_t n_members, int64_t most)
{
    const mgl_box_space *s = f->space;
    size_t next = 0;
    for (uint32_t t = 0; t < s->n; t++) {
        if (next < n_members && f->members[next] == t) {
            next++;
            continue;
        }
        memcpy(f->joined, f->levels + box * s->m, s->m);
        mgl_box_join(s, f->joined, f->first[box], t);
        if (mgl_box_cost(s, f->joined, t) > (most > f->cap[t] ? most : f->cap[t]))
            continue;
        bool top = mgl_box_is_top(s, f->joined);
        for (size_t a = 0; top && a < s->m; a++)
            f->joined[a] = (uint8_t)s->attributes[a].height;
        if (!add(f, f->joined, t))
            return false;
    }
    return true;
}

static bool look_at(finder *f, size_t box)
{
    const mgl_box_space *s = f->space;
    const uint8_t *levels = f->levels + box * s->m;
    bool top = mgl_box_is_top(s, levels);
    uint64_t rows = 0;
    int64_t most = 0;
    size_t n = 0;
    mgl_box_mask(s, levels, f->mask);
    for (uint32_t t = 0; t < s->n; t++)
        if (top || mgl_box_covers(s, f->mask, f->first[box], t)) {
            f->members[n++] = t;
            rows += s->rows[t];
            most = f->cap[t] > most ? f->cap[t] : most;
        }
    if (rows >= s->need && mgl_box_may_be_class(s, levels, f->first[box]) &&
        !keep(&f->x->boxes, f, box, n))
        return false;
    return top || enlarge(f, box, n, most);
}

static bool find(finder *f, bool *whole)
{
    const mgl_box_space *s = f->space;
    const mgl_exact_boxes *out = &f->x->boxes;
    *whole = true;
    for (uint32_t t = 0; t < s->n; t++) {
        mgl_box_begin(s, f->joined);
        if (mgl_box_cost(s, f->joined, t) <= f->cap[t] && !add(f, f->joined, t))
            return false;
    }
    for (size_t i = 0; i < f->n; i++) {
        if (!look_at(f, i))
            return false;
        f->x->work += s->n * (2 * s->m + s->words);
        if (f->n > MOST_BOXES || (out->n > 0 && out->start[out->n] > MOST_MEMBERS) ||
            exact_is_late(f->x)) {
            *whole = false;
            return true;
        }
    }
    return true;
}

static void exact_boxes_free(mgl_exact_boxes *b)
{
    mgl_free(b->cost);
    mgl_free(b->levels);
    mgl_free(b->start);
    mgl_free(b->members);
    *b = (mgl_exact_boxes){0};
}

mgl_status mgl_exact_boxes_find(mgl_exact *x, const int64_t *cap, mgl_error *err, bool *whole)
{
    const mgl_box_space *space = x->space;
    finder f = {.x = x, .space = space, .cap = cap};
    exact_boxes_free(&x->boxes);
    f.members = mgl_own_array(&f.own, space->n, sizeof *f.members);
    f.joined = mgl_own_array(&f.own, space->m, 1);
    f.mask = mgl_own_array(&f.own, space->words, sizeof *f.mask);
    bool done = !f.own.missing && find(&f, whole);
    mgl_free(f.levels);
    mgl_free(f.first);
    mgl_free(f.slots);
    mgl_owned_free(&f.own);
    return done ? MGL_OK : mgl_fail_memory(err);
}

/* ---- Few tuples ----------------------------------------------------------------------------- */

/* Divides few tuples in all ways: every set of them that may be a class, and the best way to each
 * set of tuples that are left. It takes the same time however much alike the tuples are. */

#define NONE INT64_MAX

typedef struct sets {
    mgl_exact *x;
    const mgl_box_space *space;
    int64_t *lack;    /* [set] what it lacks as a class; NONE: it is none */
    int64_t *excess;  /* [set] the least that all lack that are gone when these are left */
    uint32_t *taken;  /* [set] the class that went last on that way; 0: these are left at first */
    uint8_t *judged;  /* [set] 1: it holds */
    uint64_t *rows;   /* [set] */
    uint32_t *tuples; /* [n] scratch */
    uint8_t *levels;  /* [n * m] scratch */
    int64_t room;     /* releases whose classes lack more are not looked for */
    mgl_owned own;
} sets;

static int64_t base_of(const sets *k, uint32_t set)
{
    int64_t sum = 0;
    for (; set != 0; set &= set - 1)
        sum += k->x->base[__builtin_ctz(set)];
    return sum;
}

static size_t list_tuples(const sets *k, uint32_t set)
{
    size_t n = 0;
    for (; set != 0; set &= set - 1)
        k->tuples[n++] = (uint32_t)__builtin_ctz(set);
    return n;
}

/* Larger sets are made of this one by tuples from `first` on. */
static void make_sets(sets *k, uint32_t set, size_t depth, uint32_t first, int64_t base)
{
    const mgl_box_space *s = k->space;
    for (uint32_t t = first; t < s->n; t++) {
        uint32_t larger = set | UINT32_C(1) << t;
        uint8_t *levels = k->levels + depth * s->m;
        if (depth == 0) {
            mgl_box_begin(s, levels);
        } else {
            memcpy(levels, levels - s->m, s->m);
            mgl_box_join(s, levels, (uint32_t)__builtin_ctz(set), t);
        }
        uint64_t rows = k->rows[larger] = k->rows[set] + s->rows[t];
        int64_t duals = base + k->x->base[t];
        bool class = rows >= s->need && mgl_box_may_be_class(s, levels, t);
        int64_t cost = mgl_exact_cost(k->x, mgl_box_cost(s, levels, t));
        k->lack[larger] = class ? (int64_t)rows * cost - duals : NONE;
        make_sets(k, larger, depth + 1, t + 1, duals);
    }
}

/* Models are asked once for each set, and only for sets that come into question. */
static bool holds(sets *k, uint32_t set)
{
    if (!k->space->judged || k->judged[set])
        return true;
    size_t n = list_tuples(k, set);
    k->judged[set] = mgl_box_holds(k->x->judge, k->tuples, n);
    if (!k->judged[set])
        k->lack[set] = NONE;
    return k->judged[set];
}

/* Takes a class from the tuples that are left. */
static void take(sets *k, uint32_t left, uint32_t class)
{
    uint32_t rest = left & ~class;
    int64_t excess = k->excess[left] + k->lack[class];
    if (excess >= k->excess[rest] || !holds(k, class))
        return;
    k->excess[rest] = excess;
    k->taken[rest] = class;
    if (rest == 0)
        k->room = excess - k->x->tolerance;
}

/* The class of the first tuple that is left: all there are, or all that are left if these are too
 * few for two. */
static void take_all(sets *k, uint32_t left)
{
    uint32_t low = left & -left, others = left ^ low;
    int64_t most = k->room - k->excess[left];
    if (k->rows[left] < 2 * (uint64_t)k->space->need) {
        if (k->lack[left] < most)
            take(k, left, left);
        return;
    }
    for (uint32_t some = others;; some = (some - 1) & others) {
        if (k->lack[low | some] < most) {
            take(k, left, low | some);
            most = k->room - k->excess[left];
        }
        if (some == 0)
            break;
    }
    k->x->work += UINT64_C(2) << __builtin_popcount(others);
}

/* From all tuples, or all but those that are left out. */
static void search_sets(sets *k)
{
    const mgl_box_space *s = k->space;
    uint32_t all = (uint32_t)((UINT64_C(1) << s->n) - 1);
    int64_t top = mgl_exact_cost(k->x, s->top_cost);
    for (uint32_t left = 0; left <= all; left++) {
        uint64_t out = s->n_rows - k->rows[left];
        bool may_begin = left == all || (k->x->may_leave_out && out <= k->x->limit);
        k->excess[left] = may_begin ? (int64_t)out * top - base_of(k, all & ~left) : NONE;
        k->taken[left] = 0;
    }
    if (k->excess[0] < k->room)
        k->room = k->excess[0] - k->x->tolerance;
    for (uint32_t left = all; left > 0 && !exact_is_late(k->x); left--)
        if (k->excess[left] < k->room)
            take_all(k, left);
}

static void take_best_sets(sets *k)
{
    mgl_exact *x = k->x;
    uint32_t all = (uint32_t)((UINT64_C(1) << k->space->n) - 1);
    int64_t cost = k->excess[0] == NONE ? NONE : k->excess[0] + base_of(k, all);
    if (cost >= x->upper)
        return;
    x->upper = cost;
    x->found = true;
    memset(x->best, 0, k->space->n * sizeof *x->best);
    uint32_t class_number = 0;
    for (uint32_t left = 0; k->taken[left] != 0; left |= k->taken[left]) {
        size_t n = list_tuples(k, k->taken[left]);
        class_number++;
        for (size_t i = 0; i < n; i++)
            x->best[k->tuples[i]] = class_number;
    }
}

/* The best release of at most MGL_EXACT_FEW tuples, by trying all sets of them. Base dual values
 * may be all zero. */
static mgl_status exact_try_sets(mgl_exact *x, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    size_t n_sets = (size_t)1 << s->n;
    sets k = {.x = x, .space = s};
    k.lack = mgl_own_array(&k.own, n_sets, sizeof *k.lack);
    k.excess = mgl_own_array(&k.own, n_sets, sizeof *k.excess);
    k.taken = mgl_own_array(&k.own, n_sets, sizeof *k.taken);
    k.judged = mgl_own_zeroed(&k.own, n_sets, 1);
    k.rows = mgl_own_zeroed(&k.own, n_sets, sizeof *k.rows);
    k.tuples = mgl_own_array(&k.own, s->n, sizeof *k.tuples);
    k.levels = mgl_own_array(&k.own, s->n, s->m);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&k.own, err));
    k.lack[0] = NONE;
    k.room = x->upper - x->tolerance - base_of(&k, (uint32_t)(n_sets - 1));
    x->work += n_sets * (s->m + 4);
    make_sets(&k, 0, 0, 0, 0);
    search_sets(&k);
    take_best_sets(&k);
done:
    mgl_owned_free(&k.own);
    return status;
}

/* ---- The log of a proof ---------------------------------------------------------------------- */

/* Writes down what the exact search proved, step by step, for those who want to check it. */

static bool note(mgl_exact *x, int64_t number)
{
    mgl_bound_steps *log = x->log;
    log->failed =
        log->failed || !mgl_grow(&log->numbers, &log->capacity, log->n + 1, sizeof *log->numbers);
    if (!log->failed)
        log->numbers[log->n++] = number;
    return !log->failed;
}

static void note_duals(mgl_exact *x, const int64_t *duals, int64_t left, size_t n_cuts)
{
    note(x, MGL_STEP_DUALS);
    note(x, left);
    note(x, (int64_t)n_cuts);
    for (size_t t = 0; t < x->space->n; t++)
        note(x, duals[t]);
    for (size_t i = 0; i < n_cuts; i++) {
        const mgl_exact_cut *cut = &x->cuts.cuts[i];
        note(x, x->cut_duals[i]);
        note(x, cut->n);
        for (uint32_t j = 0; j < cut->n; j++)
            note(x, cut->tuples[j]);
    }
}

void mgl_exact_log_begin(mgl_exact *x)
{
    if (x->log == NULL)
        return;
    x->log->n = 0;
    note_duals(x, x->base, x->base_left, 0);
}

void mgl_exact_log_duals(mgl_exact *x)
{
    if (x->log != NULL)
        note_duals(x, x->duals, x->left_dual, x->cuts.n);
}

void mgl_exact_log_pair(mgl_exact *x, int step, uint32_t t, uint32_t u)
{
    if (x->log == NULL)
        return;
    note(x, step);
    note(x, t);
    note(x, u);
}

static void log_end(mgl_exact *x, bool proved)
{
    mgl_bound_steps *log = x->log;
    if (log == NULL)
        return;
    if (!proved)
        log->n = 0;
    log->rounded = !x->exact;
    log->times = x->times;
    log->unit = x->divide / x->space->scale;
    int64_t most = (int64_t)x->space->n_rows * mgl_exact_cost(x, x->space->top_cost);
    log->bound = x->exact ? x->upper : x->upper - x->tolerance;
    log->bound = log->bound < most ? log->bound : most; /* where no release was known */
}

/* ---- The problem ----------------------------------------------------------------------------- */

/* By which share of the bound releases may cost more at first. */
#define FIRST_SLACK (1.0 / 400)

#define FEW_WORK UINT64_C(50000000)

bool mgl_exact_is_over(mgl_exact *x)
{
    x->gave_up = x->gave_up || exact_is_late(x) || x->work + x->lp.work > x->most_work;
    return x->gave_up;
}

/* ---- What can be proved ------------------------------------------------------------------- */

/* Higher levels cost no less, and the top most, so that a smaller box never costs more. */
static bool costs_rise(const mgl_box_space *s)
{
    uint8_t highest[MGL_MOST_COLUMNS];
    for (size_t a = 0; a < s->m; a++)
        highest[a] = (uint8_t)s->attributes[a].high;
    for (uint32_t t = 0; t < s->n; t++) {
        if (mgl_box_cost(s, highest, t) > s->top_cost)
            return false;
        for (size_t a = 0; a < s->m; a++) {
            const mgl_box_attribute *x = &s->attributes[a];
            uint32_t leaf = s->leaves[t * s->m + a];
            for (uint32_t l = x->low; l < x->high; l++)
                if (x->cost[l][leaf] > x->cost[l + 1][leaf])
                    return false;
        }
    }
    return true;
}

static bool is_provable(const mgl_box_space *s)
{
    const mgl_problem *p = s->problem;
    bool provable = p->n_sets == 1 && p->list->persons == NULL && s->n <= MGL_EXACT_MOST_TUPLES;
    for (size_t i = 0; provable && i < p->sets[0].n_models; i++) {
        const mgl_model_type *type = p->sets[0].models[i].type;
        provable = type->scope == MGL_SCOPE_CLASS && type->union_closed && !type->needs_population;
    }
    return provable && costs_rise(s);
}

/* Rows that may be left out, not all: what is left is the release. All rows at the top are one
 * class under exempt, and nothing under drop. */
static uint64_t most_left_out(const mgl_box_space *s)
{
    const mgl_problem *p = s->problem;
    uint64_t most = s->n_rows - 1;
    return p->treatment == MGL_KEEP ? 0 : p->limit < most ? p->limit : most;
}

/* Is it one at all? */
static bool is_release(const mgl_box_release *r)
{
    const mgl_box_space *s = r->space;
    for (size_t t = 0; t < s->n; t++)
        if (r->class_of[t] == MGL_NOT_FOUND)
            return false;
    for (size_t c = 1; c < r->n_classes; c++) {
        const mgl_box_class *class = &r->classes[c];
        bool is_top_node = class->rows == s->n_rows && mgl_box_top_is_allowed(s);
        if (class->n > 0 && !is_top_node &&
            !mgl_box_may_be_class(s, class->levels, class->members[0]))
            return false;
    }
    return r->classes[0].rows <= most_left_out(s);
}

static int64_t cost_of(const mgl_exact *x, const mgl_box_release *r)
{
    int64_t sum = 0;
    for (size_t c = 0; c < r->n_classes; c++)
        sum += (int64_t)r->classes[c].rows * mgl_exact_cost(x, r->classes[c].cost);
    return sum;
}

/* ---- The release found ---------------------------------------------------------------------- */

/* Two classes of the same box are one. The class that has this box, or MGL_NOT_FOUND. */
static uint32_t find_class(const mgl_box_release *r, const uint8_t *levels, uint32_t t)
{
    const mgl_box_space *s = r->space;
    uint64_t mask[MGL_BOX_MOST_WORDS];
    bool top = mgl_box_is_top(s, levels);
    mgl_box_mask(s, levels, mask);
    for (uint32_t c = 1; c < r->n_classes; c++) {
        const mgl_box_class *class = &r->classes[c];
        if (class->n == 0)
            continue;
        bool same = memcmp(class->levels, levels, s->m) == 0 &&
                    mgl_box_covers(s, mask, class->members[0], t);
        if (same || (top && mgl_box_is_top(s, class->levels)))
            return c;
    }
    return MGL_NOT_FOUND;
}

static void add_class(mgl_box_release *r, const uint32_t *tuples, size_t n)
{
    uint8_t levels[MGL_MOST_COLUMNS];
    mgl_box_begin(r->space, levels);
    for (size_t i = 1; i < n; i++)
        mgl_box_join(r->space, levels, tuples[0], tuples[i]);
    uint32_t class = find_class(r, levels, tuples[0]);
    if (class == MGL_NOT_FOUND)
        mgl_box_release_add(r, tuples, n);
    for (size_t i = 0; class != MGL_NOT_FOUND && i < n; i++)
        mgl_box_release_join(r, class, tuples[i]);
}

static mgl_status take_best(const mgl_exact *x, mgl_box_release *release, mgl_error *err)
{
    size_t n = x->space->n;
    uint32_t *tuples = mgl_alloc_array(n, sizeof *tuples), n_classes = 0;
    MGL_TRY(mgl_check_memory(tuples != NULL, err));
    for (uint32_t c = 0; c < release->n_classes; c++)
        mgl_box_release_dissolve(release, c);
    for (size_t t = 0; t < n; t++)
        n_classes = x->best[t] > n_classes ? x->best[t] : n_classes;
    for (uint32_t number = 0; number <= n_classes; number++) {
        size_t size = 0;
        for (uint32_t t = 0; t < n; t++)
            if (x->best[t] == number)
                tuples[size++] = t;
        for (size_t i = 0; number == 0 && i < size; i++)
            mgl_box_release_join(release, 0, tuples[i]);
        if (number > 0 && size > 0)
            add_class(release, tuples, size);
    }
    mgl_free(tuples);
    return release->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

/* ---- The search ---------------------------------------------------------------------------- */

/* Names all classes that lack at most so much. A box left out costs so much more than the dual
 * values of its rows are that the reduced cost of a class in it is more. */
static mgl_status name_classes(mgl_exact *x, int64_t slack, int64_t *cap, mgl_error *err,
                               bool *whole)
{
    const mgl_box_space *s = x->space;
    bool raised = false;
    for (size_t t = 0; t < s->n; t++) {
        int64_t dual = x->base[t] / (int64_t)s->rows[t] + slack / s->need + 1;
        int64_t wanted = mgl_exact_dual_per_row(x, dual, 1);
        raised = raised || (wanted > cap[t] && cap[t] < s->top_cost);
        cap[t] = wanted > cap[t] ? wanted : cap[t];
    }
    *whole = true;
    if (raised && !s->judged)
        MGL_TRY(mgl_exact_boxes_find(x, cap, err, whole));
    return *whole ? mgl_exact_name_classes(x, slack, err, whole) : MGL_OK;
}

static mgl_status search(mgl_exact *x, int64_t *cap, mgl_error *err, bool *proved)
{
    int64_t known = x->upper, slack = (int64_t)((double)x->base_sum * FIRST_SLACK);
    slack += 2 * (x->tolerance + 1);
    while (!*proved && !x->gave_up) {
        bool whole;
        int64_t target = known < x->base_sum + slack ? known : x->base_sum + slack;
        x->upper = target;
        MGL_TRY(name_classes(x, target - x->base_sum, cap, err, &whole));
        if (!whole)
            return MGL_OK;
        MGL_TRY(mgl_exact_branch(x, err));
        *proved = !x->gave_up && (x->found || target == known);
        /* Where branching was needed, the next step is a short one. */
        slack += x->branched ? (target - x->first_bound) / 2 + x->tolerance + 1 : slack / 2;
    }
    return MGL_OK;
}

static mgl_status search_all(mgl_exact *x, const mgl_box_release *release, mgl_error *err,
                             bool *proved)
{
    const mgl_box_space *s = x->space;
    bool whole;
    int64_t *cap;
    MGL_TRY(mgl_new_array(s->n, sizeof *cap, err, &cap));
    for (size_t t = 0; t < s->n; t++) {
        uint32_t class = release->class_of[t];
        cap[t] = s->top_cost / 32 + (class != MGL_NOT_FOUND ? release->classes[class].cost : 0);
    }
    mgl_status status = MGL_OK;
    MGL_GO(mgl_exact_find_base(x, release, cap, err, &whole));
    if (whole && s->judged) { /* classes so far need not hold */
        x->candidates.n = 0;
        mgl_lp_free(&x->lp);
        MGL_GO(mgl_exact_lp_begin(x, err));
    }
    if (whole) {
        *proved = x->base_sum >= x->upper - x->tolerance;
        mgl_exact_log_begin(x);
        MGL_GO(search(x, cap, err, proved));
    }
done:
    mgl_free(cap);
    return status;
}

/* Where classes are so many that naming them takes long, few tuples are tried in all ways. */
static mgl_status search_few(mgl_exact *x, const mgl_box_release *release, uint64_t work,
                             mgl_error *err, bool *proved)
{
    int64_t known = x->upper;
    bool few = x->space->n <= MGL_EXACT_FEW;
    x->most_work = few && work > FEW_WORK ? FEW_WORK : work;
    MGL_TRY(search_all(x, release, err, proved));
    if (*proved || !few || exact_is_late(x))
        return MGL_OK;
    x->upper = x->found ? x->upper : known;
    if (x->log != NULL)
        x->log->n = 0; /* this leaves no steps */
    MGL_TRY(exact_try_sets(x, err));
    *proved = !exact_is_late(x);
    return MGL_OK;
}

static mgl_status run(mgl_exact *x, mgl_box_release *release, uint64_t work, mgl_error *err,
                      bool *proved)
{
    const mgl_box_space *s = x->space;
    x->upper = is_release(release)
                   ? cost_of(x, release)
                   : (int64_t)s->n_rows * mgl_exact_cost(x, s->top_cost) + 2 * (x->tolerance + 1);
    MGL_TRY(search_few(x, release, work, err, proved));
    if (x->cancelled)
        return mgl_fail_cancelled(err);
    return x->found ? take_best(x, release, err) : MGL_OK;
}

/* Under exempt all rows at the top are one class that is judged. Nothing costs more. */
static mgl_status try_top(mgl_exact *x, mgl_box_release *release, mgl_error *err)
{
    const mgl_box_space *s = x->space;
    uint32_t *all;
    MGL_TRY(mgl_new_array(s->n, sizeof *all, err, &all));
    for (uint32_t t = 0; t < s->n; t++)
        all[t] = t;
    if (mgl_box_top_is_allowed(s) && mgl_box_holds_as_read(x->judge, all, s->n)) {
        for (uint32_t c = 0; c < release->n_classes; c++)
            mgl_box_release_dissolve(release, c);
        mgl_box_release_add(release, all, s->n);
    }
    mgl_free(all);
    return release->out_of_memory ? mgl_fail_memory(err) : MGL_OK;
}

static mgl_status search_space(const mgl_box_space *space, uint64_t work, mgl_box_release *release,
                               mgl_bound_steps *steps, mgl_error *err, mgl_exact_verdict *out)
{
    mgl_exact x;
    mgl_status status = MGL_OK;
    x = (mgl_exact){
        .space = space, .limit = most_left_out(space), .may_leave_out = most_left_out(space) > 0};
    mgl_exact_choose_units(&x);
    x.base = mgl_own_zeroed(&x.own, space->n, sizeof *x.base);
    x.duals = mgl_own_zeroed(&x.own, space->n, sizeof *x.duals);
    x.cut_duals = mgl_own_zeroed(&x.own, MGL_EXACT_MOST_CUTS, sizeof *x.cut_duals);
    x.best = mgl_own_zeroed(&x.own, space->n, sizeof *x.best);
    MGL_GO(mgl_owned_check(&x.own, err));
    MGL_GO(mgl_exact_cuts_init(&x.cuts, space->n, err));
    MGL_GO(mgl_box_judge_new(space, err, &x.judge));
    x.log = steps;
    MGL_GO(run(&x, release, work, err, &out->proved));
    if (out->proved)
        out->bound = mgl_exact_proved(&x);
    if (space->problem->treatment == MGL_EXEMPT && !is_release(release))
        MGL_GO(try_top(&x, release, err));
done:
    log_end(&x, out->proved);
    out->timed_out = out->timed_out || x.timed_out;
    exact_boxes_free(&x.boxes);
    mgl_exact_candidates_free(&x.candidates);
    mgl_exact_cuts_free(&x.cuts);
    mgl_lp_free(&x.lp);
    mgl_box_judge_free(x.judge);
    mgl_owned_free(&x.own);
    return status;
}

/* Too many rows are above the highest levels: the best release without any there takes the place.
 * What was proved of more releases stays. */
static mgl_status search_below(const mgl_box_space *space, uint64_t work, mgl_box_release *release,
                               mgl_error *err, bool *timed_out)
{
    mgl_box_space below = *space;
    mgl_exact_verdict verdict = {0};
    below.below_top = true;
    for (uint32_t c = 0; c < release->n_classes; c++)
        mgl_box_release_dissolve(release, c);
    mgl_status status = search_space(&below, work, release, NULL, err, &verdict);
    *timed_out = *timed_out || verdict.timed_out;
    return status;
}

mgl_status mgl_cell_exact_proved(const mgl_box_space *space, uint64_t work,
                                 mgl_box_release *release, mgl_bound_steps *steps, mgl_error *err,
                                 mgl_exact_verdict *out)
{
    mgl_box_release *given;
    *out = (mgl_exact_verdict){0};
    if (!is_provable(space))
        return MGL_OK;
    MGL_TRY(mgl_box_release_new(space, err, &given));
    mgl_box_release_copy(given, release);
    bool kept = is_release(given) && mgl_box_release_keeps_limit(given);
    mgl_status status = MGL_OK;
    MGL_GO(search_space(space, work, release, steps, err, out));
    if (!mgl_box_release_keeps_limit(release)) {
        MGL_GO(search_below(space, work, release, err, &out->timed_out));
        bool worse = kept && (!is_release(release) ||
                              mgl_box_release_cost(release) > mgl_box_release_cost(given));
        if (worse)
            mgl_box_release_copy(release, given);
    }
    if (given->out_of_memory || release->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_box_release_free(given);
    return status;
}

mgl_status mgl_cell_exact(const mgl_box_space *space, uint64_t work, mgl_box_release *release,
                          mgl_error *err, bool *proved, uint64_t *bound, bool *timed_out)
{
    mgl_exact_verdict verdict;
    mgl_status status = mgl_cell_exact_proved(space, work, release, NULL, err, &verdict);
    *proved = verdict.proved;
    *bound = verdict.bound;
    *timed_out = *timed_out || verdict.timed_out;
    return status;
}
