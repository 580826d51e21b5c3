/* Makes sure that a release is one: rows that read as the top are suppressed or a class, and the
 * models that look at the whole table hold. */
#include "search/box/box.h"

#include <stdlib.h>

/* Lists the nodes that a greedy placement tries: all of them, or in large lattices those near the
 * tuples, in order of cost. */

enum { NEIGHBOURS = 16 }; /* that are looked at, times the number of guides */

/* Mean costs that differ by less are taken for equal: they were rounded. */
#define ABOUT_EQUAL 1024

/* A node to be sorted. */
typedef struct candidate {
    double mean; /* cost of a row */
    uint32_t rank;
    uint32_t least, most;
    size_t m;
    uint8_t *levels;
} candidate;

typedef struct maker {
    const mgl_box_space *space;
    mgl_arena *arena;
    candidate *found;
    size_t n, capacity;
} maker;

/* Levels above the highest ones mean the top. */
static mgl_status add(maker *k, const uint8_t *levels, mgl_error *err)
{
    const mgl_box_space *s = k->space;
    MGL_TRY(mgl_grow_array(&k->found, &k->capacity, k->n + 1, sizeof *k->found, err));
    candidate *c = &k->found[k->n];
    *c = (candidate){.m = s->m, .levels = mgl_arena_alloc(k->arena, s->m)};
    MGL_TRY(mgl_check_memory(c->levels != NULL, err));
    memcpy(c->levels, levels, s->m);
    bool top = mgl_box_is_top(s, levels);
    for (size_t a = 0; a < s->m; a++) {
        if (top)
            c->levels[a] = (uint8_t)s->attributes[a].height;
        c->mean += s->attributes[a].mean[c->levels[a]];
        c->least += s->attributes[a].least[c->levels[a]];
        c->most += s->attributes[a].most[c->levels[a]];
    }
    if (top) {
        c->mean = s->top_cost;
        c->least = c->most = s->top_cost;
    }
    c->rank = (uint32_t)(c->mean / ABOUT_EQUAL + 0.5);
    k->n++;
    return MGL_OK;
}

static mgl_status add_top(maker *k, mgl_error *err)
{
    const mgl_box_space *s = k->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    for (size_t a = 0; a < s->m; a++)
        levels[a] = (uint8_t)s->attributes[a].height;
    return add(k, levels, err);
}

static mgl_status add_all(maker *k, uint64_t size, mgl_error *err)
{
    const mgl_box_space *s = k->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    mgl_box_begin(s, levels);
    for (uint64_t i = 0; i < size; i++) {
        MGL_TRY(add(k, levels, err));
        for (size_t a = s->m; a-- > 0;) {
            if (levels[a]++ < s->attributes[a].high)
                break;
            levels[a] = (uint8_t)s->attributes[a].low;
        }
    }
    return add_top(k, err);
}

typedef struct neighbour {
    uint32_t cost, tuple;
} neighbour;

static bool is_nearer(neighbour x, neighbour y)
{
    return x.cost != y.cost ? x.cost < y.cost : x.tuple < y.tuple;
}

/* A heap, the nearest first: few of them are asked for. */
static void sift(neighbour *heap, size_t at, size_t n)
{
    neighbour moved = heap[at];
    for (size_t child; (child = 2 * at + 1) < n; at = child) {
        if (child + 1 < n && is_nearer(heap[child + 1], heap[child]))
            child++;
        if (!is_nearer(heap[child], moved))
            break;
        heap[at] = heap[child];
    }
    heap[at] = moved;
}

/* The nodes at which the guide and its nearest neighbours are enough rows, and twice that. */
static mgl_status follow(maker *k, uint32_t guide, const uint32_t *tuples, size_t n,
                         neighbour *near, size_t n_near, mgl_error *err)
{
    const mgl_box_space *s = k->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    for (size_t i = 0; i < n_near; i++) {
        uint32_t t = tuples[i * n / n_near];
        mgl_box_begin(s, levels);
        mgl_box_join(s, levels, guide, t);
        near[i] = (neighbour){mgl_box_cost(s, levels, guide), t};
    }
    for (size_t i = n_near / 2; i-- > 0;)
        sift(near, i, n_near);
    mgl_box_begin(s, levels);
    uint64_t rows = s->rows[guide], enough = s->need;
    while (n_near > 0 && enough <= 2 * (uint64_t)s->need) {
        uint32_t t = near[0].tuple;
        near[0] = near[--n_near];
        if (n_near > 0)
            sift(near, 0, n_near);
        if (t == guide)
            continue;
        if (rows >= enough) {
            MGL_TRY(add(k, levels, err));
            enough += s->need;
        }
        mgl_box_join(s, levels, guide, t);
        rows += s->rows[t];
    }
    return MGL_OK;
}

/* From the lowest levels to the highest, one step of the cheapest kind after another: coarse
 * nodes for what has no neighbours. */
static mgl_status add_stairs(maker *k, mgl_error *err)
{
    const mgl_box_space *s = k->space;
    uint8_t levels[MGL_MOST_COLUMNS];
    mgl_box_begin(s, levels);
    for (;;) {
        MGL_TRY(add(k, levels, err));
        size_t best = s->m;
        double least = 0;
        for (size_t a = 0; a < s->m; a++) {
            if (levels[a] >= s->attributes[a].high)
                continue;
            const double *mean = s->attributes[a].mean;
            double step = mean[levels[a] + 1] - mean[levels[a]];
            if (best == s->m || step < least) {
                best = a;
                least = step;
            }
        }
        if (best == s->m)
            return add_top(k, err);
        levels[best]++;
    }
}

static mgl_status add_near(maker *k, const uint32_t *tuples, size_t n, size_t guides,
                           mgl_error *err)
{
    size_t n_guides = n < guides ? n : guides;
    size_t n_near = n < guides * NEIGHBOURS ? n : guides * NEIGHBOURS;
    neighbour *near = mgl_alloc_array(n_near, sizeof *near);
    mgl_status status = near == NULL ? mgl_fail_memory(err) : MGL_OK;
    for (size_t i = 0; status == MGL_OK && i < n_guides && !mgl_problem_is_late(k->space->problem);
         i++)
        status = follow(k, tuples[i * n / n_guides], tuples, n, near, n_near, err);
    mgl_free(near);
    return status;
}

static int compare_candidates(const void *a, const void *b)
{
    const candidate *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank < y->rank ? -1 : 1;
    return memcmp(x->levels, y->levels, x->m);
}

static mgl_status copy_found(maker *k, mgl_error *err, mgl_box_nodes *out)
{
    const mgl_box_space *s = k->space;
    if (k->n > 0)
        qsort(k->found, k->n, sizeof *k->found, compare_candidates);
    out->levels = mgl_own_array(&out->own, k->n, s->m);
    out->masks = mgl_own_array(&out->own, k->n, s->words * sizeof *out->masks);
    out->least = mgl_own_array(&out->own, k->n, sizeof *out->least);
    out->most = mgl_own_array(&out->own, k->n, sizeof *out->most);
    out->rank = mgl_own_array(&out->own, k->n, sizeof *out->rank);
    MGL_TRY(mgl_owned_check(&out->own, err));
    for (size_t i = 0; i < k->n; i++) {
        if (i > 0 && compare_candidates(&k->found[i - 1], &k->found[i]) == 0)
            continue;
        memcpy(out->levels + out->n * s->m, k->found[i].levels, s->m);
        mgl_box_mask(s, k->found[i].levels, out->masks + out->n * s->words);
        out->rank[out->n] = k->found[i].rank;
        out->most[out->n] = k->found[i].most;
        out->least[out->n++] = k->found[i].least;
    }
    return MGL_OK;
}

mgl_status mgl_box_nodes_new(const mgl_box_space *space, const uint32_t *tuples, size_t n,
                             size_t guides, mgl_error *err, mgl_box_nodes **out)
{
    const mgl_problem *p = space->problem;
    uint64_t size = mgl_lattice_size(p->min_level, p->max_level, space->m);
    maker k = {.space = space, .arena = mgl_arena_new()};
    mgl_box_nodes *nodes = mgl_zeroed_array(1, sizeof *nodes);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(k.arena != NULL && nodes != NULL, err));
    nodes->all = size <= MGL_BOX_MOST_NODES;
    if (nodes->all)
        MGL_GO(add_all(&k, size, err));
    else if (n > 0)
        MGL_GO(add_near(&k, tuples, n, guides, err));
    if (k.n == 0)
        MGL_GO(add_stairs(&k, err));
    MGL_GO(copy_found(&k, err, nodes));
    *out = nodes;
    nodes = NULL;
done:
    mgl_free(k.found);
    mgl_arena_free(k.arena);
    mgl_box_nodes_free(nodes);
    return status;
}

void mgl_box_nodes_free(mgl_box_nodes *nodes)
{
    if (nodes == NULL)
        return;
    mgl_owned_free(&nodes->own);
    mgl_free(nodes);
}

/* Released values of a class, for sorting. */
typedef struct text {
    const mgl_box_space *space;
    const mgl_box_class *class;
    uint32_t number;
} text;

static uint32_t cell_of(const text *x, size_t a)
{
    const mgl_box_space *s = x->space;
    if (mgl_box_is_top(s, x->class->levels))
        return s->problem->columns[a]->top;
    return s->attributes[a]
        .released[x->class->levels[a]][s->leaves[x->class->members[0] * s->m + a]];
}

static int compare_texts(const void *p, const void *q)
{
    const text *x = p, *y = q;
    for (size_t a = 0; a < x->space->m; a++) {
        uint32_t c = cell_of(x, a), d = cell_of(y, a);
        if (c != d)
            return c < d ? -1 : 1;
    }
    return (x->number > y->number) - (x->number < y->number);
}

static bool read_alike(const text *x, const text *y)
{
    for (size_t a = 0; a < x->space->m; a++)
        if (cell_of(x, a) != cell_of(y, a))
            return false;
    return true;
}

/* Puts the members of one class into another one. */
static void merge(mgl_box_release *r, uint32_t from, uint32_t to)
{
    size_t n = r->classes[from].n;
    uint32_t *moved = mgl_alloc_array(n, sizeof *moved);
    if (moved == NULL) {
        r->out_of_memory = true;
        return;
    }
    if (n > 0)
        memcpy(moved, r->classes[from].members, n * sizeof *moved);
    mgl_box_release_dissolve(r, from);
    for (size_t i = 0; i < n; i++)
        mgl_box_release_join(r, to, moved[i]);
    mgl_free(moved);
}

/* Classes that read alike are one class: not all models hold for it because they hold for what it
 * is made of. Classes are joined elsewhere, too, so all classes are judged. */
static bool join_alike(mgl_box_release *r, mgl_box_judge *judge)
{
    text *texts = mgl_alloc_array(r->n_classes, sizeof *texts);
    size_t n = 0;
    bool hold = true;
    if (texts == NULL) {
        r->out_of_memory = true;
        return false;
    }
    for (uint32_t c = 1; c < r->n_classes; c++)
        if (r->classes[c].n > 0)
            texts[n++] = (text){r->space, &r->classes[c], c};
    if (n > 0)
        qsort(texts, n, sizeof *texts, compare_texts);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && read_alike(&texts[i], &texts[end]);)
            end++;
        for (size_t j = i + 1; j < end; j++)
            merge(r, texts[j].number, texts[i].number);
        const mgl_box_class *c = texts[i].class;
        hold = hold && mgl_box_holds_as_read(judge, c->members, c->n);
    }
    mgl_free(texts);
    return hold;
}

bool mgl_box_top_is_allowed(const mgl_box_space *s)
{
    const mgl_problem *p = s->problem;
    return s->has_top || (p->treatment != MGL_DROP && p->limit >= s->n_rows);
}

bool mgl_box_release_keeps_limit(const mgl_box_release *r)
{
    uint64_t above = 0;
    for (size_t c = 1; c < r->n_classes; c++)
        if (r->classes[c].n > 0 && mgl_box_is_top(r->space, r->classes[c].levels))
            above += r->classes[c].rows;
    return above <= r->space->problem->limit;
}

/* Under exempt all rows at the top are one class, which is judged; else no tuple is in any. */
static bool settle_whole(mgl_box_release *r, mgl_box_judge *judge)
{
    size_t n = r->space->n;
    uint32_t *all = mgl_alloc_array(n, sizeof *all);
    if (all == NULL) {
        r->out_of_memory = true;
        return false;
    }
    for (uint32_t t = 0; t < n; t++)
        all[t] = t;
    for (uint32_t c = 0; c < r->n_classes; c++)
        mgl_box_release_dissolve(r, c);
    bool holds = mgl_box_top_is_allowed(r->space) && mgl_box_holds_as_read(judge, all, n);
    if (holds)
        mgl_box_release_add(r, all, n);
    mgl_free(all);
    return holds;
}

/* Rows that may not be a class where they are count as suppressed. */
static bool settle_tops(mgl_box_release *r, mgl_box_judge *judge)
{
    const mgl_box_space *s = r->space;
    for (size_t t = 0; t < s->n; t++)
        if (r->class_of[t] == MGL_NOT_FOUND)
            return false;
    if (s->problem->treatment == MGL_KEEP)
        return mgl_box_release_keeps_limit(r);
    for (uint32_t c = 1; c < r->n_classes; c++) {
        const mgl_box_class *x = &r->classes[c];
        if (x->n > 0 && !mgl_box_may_be_class(s, x->levels, x->members[0]))
            merge(r, c, 0);
    }
    uint64_t suppressed = r->classes[0].rows;
    if (s->problem->treatment == MGL_EXEMPT && suppressed == s->n_rows)
        return settle_whole(r, judge);
    return suppressed <= s->problem->limit && suppressed < s->n_rows;
}

/* sizes: room for two numbers of each class. */
static bool table_models_hold(const mgl_box_release *r, mgl_box_judge *judge, uint64_t *sizes)
{
    const mgl_quasi_set *set = &r->space->problem->sets[0];
    uint64_t *weights = sizes + r->n_classes;
    size_t n = 0;
    for (size_t c = 1; c < r->n_classes; c++)
        if (r->classes[c].n > 0) {
            const mgl_box_class *class = &r->classes[c];
            uint64_t sum = 0;
            for (size_t i = 0; r->space->problem->list->weighing.of_value != NULL && i < class->n;
                 i++)
                sum += mgl_list_weight(r->space->problem->list, class->members[i]);
            weights[n] = sum;
            sizes[n++] = mgl_box_people(judge, r->classes[c].members, r->classes[c].n);
        }
    mgl_class_sizes classes = {sizes, n, weights};
    for (size_t i = 0; n > 0 && i < set->n_models; i++)
        if (set->models[i].type->scope == MGL_SCOPE_TABLE &&
            !set->models[i].type->table_holds(&set->models[i], &classes))
            return false;
    return true;
}

/* Classes are as many as they will be. */
static mgl_status judge_table(const mgl_box_release *r, mgl_box_judge *judge, mgl_error *err,
                              bool *holds)
{
    uint64_t *sizes;
    MGL_TRY(mgl_new_array(2 * r->n_classes, sizeof *sizes, err, &sizes));
    *holds = table_models_hold(r, judge, sizes);
    mgl_free(sizes);
    return MGL_OK;
}

mgl_status mgl_box_release_settle(mgl_box_release *r, mgl_error *err, bool *holds)
{
    mgl_box_judge *judge;
    bool tables = mgl_models_of(r->space->problem->sets) & MGL_SOME_JUDGE_TABLE;
    MGL_TRY(mgl_box_judge_new(r->space, err, &judge));
    mgl_status status = MGL_OK;
    *holds = !(r->space->judged || tables) || join_alike(r, judge);
    *holds = *holds && settle_tops(r, judge);
    if (*holds && tables)
        MGL_GO(judge_table(r, judge, err, holds));
    if (r->out_of_memory)
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_box_judge_free(judge);
    return status;
}
