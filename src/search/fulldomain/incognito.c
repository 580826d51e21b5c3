/* Incognito: finds all minimal nodes that hold and chooses the best of them. Rolls frequency sets
 * up along the lattices of subsets of the columns, and judges them. */
#include "search/fulldomain/fulldomain.h"
#include "search/fulldomain/incognito.h"
#include "search/fulldomain/optimum.h"
#include "search/fulldomain/top_down.h"
#include "search/node/node.h"

#include <pthread.h>

struct mgl_set_maker {
    const mgl_problem *problem;
    mgl_frequency_set tuples; /* each a class, at level 0 */
    mgl_classes classes;
    uint32_t **rolled;       /* [n_attributes][n_tuples] */
    uint32_t **cells;        /* [n_attributes] what is grouped: rolled up, or as it was */
    uint32_t *n_values;      /* [n_attributes] */
    mgl_group_maker *groups; /* NULL: all models look at sizes only */
    mgl_population *matches; /* NULL: no model looks at it */
    uint64_t *matching;      /* [n_tuples] */
    uint32_t *first;         /* [n_tuples] 0, 1, ... */
    mgl_joiner *joiner;      /* NULL: rows are looked at one by one */
    mgl_classes joined;      /* of the current set, otherwise */
    bool some_stay;          /* not all rows may be suppressed, whatever the limit */
    mgl_owned own;
};

static bool looks_into_classes(const mgl_problem *p)
{
    return p->list->persons != NULL || mgl_models_of(&p->sets[0]) & MGL_SOME_SEE_HISTOGRAMS;
}

mgl_status mgl_frequency_set_init(mgl_frequency_set *set, const mgl_problem *p, mgl_error *err)
{
    size_t m = p->list->n_attributes;
    *set = (mgl_frequency_set){0};
    set->cells = mgl_zeroed_array(m, sizeof *set->cells);
    set->levels = mgl_zeroed_array(m, sizeof *set->levels);
    if (looks_into_classes(p))
        set->of_tuple = mgl_alloc_array(p->list->n_tuples, sizeof *set->of_tuple);
    if (set->cells == NULL || set->levels == NULL ||
        (looks_into_classes(p) && set->of_tuple == NULL)) {
        mgl_frequency_set_free(set, p);
        return mgl_fail_memory(err);
    }
    return MGL_OK;
}

void mgl_frequency_set_free(mgl_frequency_set *set, const mgl_problem *p)
{
    for (size_t a = 0; set->cells != NULL && a < p->list->n_attributes; a++)
        mgl_free(set->cells[a]);
    mgl_free(set->cells);
    mgl_free(set->levels);
    mgl_free(set->rows);
    mgl_free(set->of_tuple);
    *set = (mgl_frequency_set){0};
}

/* Room for n classes; what the set held is gone. */
static bool make_room(mgl_frequency_set *set, const mgl_problem *p, size_t n)
{
    set->n = 0;
    if (n <= set->capacity)
        return true;
    set->capacity = 0;
    mgl_free(set->rows);
    set->rows = mgl_alloc_array(n, sizeof *set->rows);
    bool whole = set->rows != NULL;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        mgl_free(set->cells[a]);
        set->cells[a] = whole ? mgl_alloc_array(n, sizeof **set->cells) : NULL;
        whole = whole && set->cells[a] != NULL;
    }
    set->capacity = whole ? n : 0;
    return whole;
}

static bool take_tuples(mgl_set_maker *maker)
{
    const mgl_problem *p = maker->problem;
    mgl_frequency_set *set = &maker->tuples;
    size_t n = p->list->n_tuples;
    if (!make_room(set, p, n))
        return false;
    set->n = n;
    memcpy(set->rows, p->list->counts, n * sizeof *set->rows);
    for (size_t a = 0; a < p->list->n_attributes; a++)
        for (size_t t = 0; t < n; t++)
            set->cells[a][t] = p->columns[a]->of_leaf[0][mgl_list_leaf(p->list, t, a)];
    for (size_t t = 0; set->of_tuple != NULL && t < n; t++)
        set->of_tuple[t] = (uint32_t)t;
    return true;
}

static mgl_status build(mgl_set_maker *maker, mgl_error *err)
{
    const mgl_problem *p = maker->problem;
    size_t n = p->list->n_tuples, m = p->list->n_attributes;
    maker->rolled = mgl_own_rows(&maker->own, m, n, sizeof **maker->rolled);
    maker->cells = mgl_own_zeroed(&maker->own, m, sizeof *maker->cells);
    maker->n_values = mgl_own_array(&maker->own, m, sizeof *maker->n_values);
    maker->matching = mgl_own_zeroed(&maker->own, n, sizeof *maker->matching);
    maker->first = mgl_own_array(&maker->own, n, sizeof *maker->first);
    MGL_TRY(mgl_owned_check(&maker->own, err));
    for (size_t t = 0; t < n; t++)
        maker->first[t] = (uint32_t)t;
    for (size_t a = 0; a < m; a++)
        maker->n_values[a] = p->columns[a]->n_values;
    MGL_TRY(mgl_classes_init(&maker->classes, n, m, err));
    MGL_TRY(mgl_frequency_set_init(&maker->tuples, p, err));
    MGL_TRY(mgl_check_memory(take_tuples(maker), err));
    if (looks_into_classes(p))
        MGL_TRY(mgl_group_maker_new(p->list, err, &maker->groups));
    if (p->list->joined != NULL) {
        MGL_TRY(mgl_classes_init(&maker->joined, n, 1, err));
        MGL_TRY(mgl_joiner_new(p->list, err, &maker->joiner));
    }
    bool looks = mgl_models_of(&p->sets[0]) & MGL_SOME_SEE_POPULATION;
    return looks ? mgl_population_new(p, err, &maker->matches) : MGL_OK;
}

mgl_status mgl_set_maker_new(const mgl_problem *problem, mgl_error *err, mgl_set_maker **out)
{
    mgl_set_maker *maker;
    MGL_TRY(mgl_new_zeroed(1, sizeof *maker, err, &maker));
    maker->problem = problem;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_some_must_stay(problem, err, &maker->some_stay));
    MGL_GO(build(maker, err));
    *out = maker;
    maker = NULL;
done:
    mgl_set_maker_free(maker);
    return status;
}

void mgl_set_maker_free(mgl_set_maker *maker)
{
    if (maker == NULL)
        return;
    mgl_frequency_set_free(&maker->tuples, maker->problem);
    mgl_classes_free(&maker->classes);
    mgl_group_maker_free(maker->groups);
    mgl_joiner_free(maker->joiner);
    mgl_classes_free(&maker->joined);
    mgl_population_free(maker->matches);
    mgl_owned_free(&maker->own);
    mgl_free(maker);
}

/* The cells of a column at a higher level. A value is found again by any of its leaves. */
static void roll_column(mgl_set_maker *maker, const mgl_frequency_set *from, uint32_t a,
                        uint32_t level)
{
    const mgl_released_column *column = maker->problem->columns[a];
    if (from->levels[a] == level) {
        maker->cells[a] = from->cells[a];
        return;
    }
    for (size_t c = 0; c < from->n; c++)
        maker->rolled[a][c] = column->of_leaf[level][column->values[from->cells[a][c]].first_leaf];
    maker->cells[a] = maker->rolled[a];
}

mgl_status mgl_frequency_set_roll_up(mgl_set_maker *maker, const mgl_frequency_set *from,
                                     const uint32_t *columns, size_t n, const uint32_t *levels,
                                     mgl_error *err, mgl_frequency_set *to)
{
    const mgl_problem *p = maker->problem;
    mgl_classes *classes = &maker->classes;
    if (from == NULL)
        from = &maker->tuples;
    for (size_t i = 0; i < n; i++)
        roll_column(maker, from, columns[i], levels[columns[i]]);
    mgl_classes_fit(classes, from->n);
    mgl_classes_group(classes, maker->cells, maker->n_values, columns, n, from->rows);
    MGL_TRY(mgl_check_memory(make_room(to, p, classes->n_classes), err));
    to->n = classes->n_classes;
    memcpy(to->rows, classes->sizes, to->n * sizeof *to->rows);
    for (size_t i = 0; i < n; i++) {
        uint32_t a = columns[i];
        to->levels[a] = levels[a];
        for (size_t c = 0; c < to->n; c++)
            to->cells[a][c] = maker->cells[a][classes->first[c]];
    }
    for (size_t t = 0; to->of_tuple != NULL && t < p->list->n_tuples; t++)
        to->of_tuple[t] = classes->of_tuple[from->of_tuple[t]];
    return MGL_OK;
}

/* The classes that are judged: those of the set, or joined ones. */
static mgl_classes judged_classes(mgl_set_maker *maker, const mgl_frequency_set *set)
{
    size_t n = maker->problem->list->n_tuples;
    if (maker->joiner == NULL)
        return (mgl_classes){.n_classes = set->n, .of_tuple = set->of_tuple, .sizes = set->rows};
    memcpy(maker->joined.of_tuple, set->of_tuple, n * sizeof *set->of_tuple);
    maker->joined.n_classes = set->n;
    mgl_classes_join(maker->joiner, &maker->joined);
    return maker->joined;
}

static bool class_holds(mgl_set_maker *maker, uint64_t rows, size_t c)
{
    mgl_group group = {.size = rows, .rows = rows};
    if (maker->groups != NULL)
        group = *mgl_group_maker_group(maker->groups, c);
    if (maker->matches != NULL)
        group.population = maker->matching[c];
    return mgl_set_holds(&maker->problem->sets[0], &group);
}

bool mgl_frequency_set_holds(mgl_set_maker *maker, const mgl_frequency_set *set,
                             const uint32_t *columns, size_t n)
{
    const mgl_problem *p = maker->problem;
    uint64_t violating = 0;
    mgl_classes judged = judged_classes(maker, set);
    if (maker->groups != NULL)
        mgl_group_maker_partition(maker->groups, judged.of_tuple, judged.n_classes);
    if (maker->matches != NULL) {
        mgl_quasi_set quasi = {.attributes = columns, .n_attributes = n};
        mgl_classes classes = {.n_classes = set->n, .first = maker->first};
        mgl_population_match(maker->matches, &quasi, &classes, set->cells, maker->matching);
    }
    for (size_t c = 0; c < judged.n_classes && violating <= p->limit; c++)
        violating += class_holds(maker, judged.sizes[c], c) ? 0 : judged.sizes[c];
    bool nothing_left = maker->some_stay && violating == p->list->n_rows;
    return violating <= p->limit && !nothing_left;
}

/* Incognito's search (LeFevre, DeWitt and Ramakrishnan 2005): subsets of the columns, one column
 * first, then two, and so on. If a node fails on a subset it fails with every further column at any
 * level; if it holds, so does every node above it on the same subset. Both are monotony: the
 * classes of fewer columns, or of higher levels, are unions of classes. */

enum {
    MOST_FREE = 17,     /* 3^18 nodes would be too many */
    CHECKS_AT_ONCE = 16 /* between looks at the clock */
};

/* What one thread needs. */
typedef struct worker {
    mgl_set_maker *maker;
    mgl_frequency_set *sets; /* [2 * (n_free + 1)] two for each place of a path */
    uint32_t *levels;        /* [n_attributes] */
    uint32_t *columns;       /* [n_attributes] those that are grouped */
    mgl_owned own;
} worker;

typedef struct subsets {
    const mgl_problem *problem;
    const mgl_subset_list *list; /* NULL: nodes are judged by their frequency sets */
    uint32_t free[MOST_FREE]; /* columns with more than one level; all others are in every subset */
    size_t n_free;
    bool *in_set;           /* [n_attributes] a column of the quasi-identifier */
    uint32_t *lowest;       /* [n_attributes] no node that holds has a lower level */
    mgl_frequency_set base; /* all columns at their lowest levels; empty: not made yet */
    uint8_t **holds;        /* [2^n_free] nodes of each subset that hold; NULL: not at result */
    uint32_t *masks;        /* subsets of the size at work */
    worker *workers;
    unsigned n_workers;
    pthread_mutex_t lock; /* guards what follows */
    mgl_status status;
    mgl_error error;
    bool timed_out;
    uint64_t checked, done, total;
    mgl_owned own;
} subsets;

/* The lattice of one subset. Its nodes are numbered in lexicographic order. */
typedef struct lattice {
    size_t n;
    uint32_t columns[MOST_FREE];
    uint64_t n_levels[MOST_FREE], stride[MOST_FREE];
    uint32_t node[MOST_FREE];          /* levels above the least */
    const uint8_t *without[MOST_FREE]; /* which nodes hold without this column */
    uint64_t size;
    uint8_t *holds;
    /* path[i]: the first i columns have their levels, the others their lowest. */
    const mgl_frequency_set *path[MOST_FREE + 1];
    size_t n_path; /* how many of them are those of the node */
    size_t n_near; /* how many are, but for a lower level of the last of their columns */
    size_t n_grouped;
    uint64_t checked;
} lattice;

/* Adds up what was done; true if the search must stop. */
static bool pause_search(subsets *s, uint64_t checked, uint64_t done)
{
    const mgl_problem *p = s->problem;
    pthread_mutex_lock(&s->lock);
    s->checked += checked;
    s->done += done;
    if (mgl_problem_is_late(p))
        s->timed_out = true;
    if (s->status == MGL_OK)
        s->status = mgl_progress_report(p->progress, "search", s->done, s->total, &s->error);
    bool stop = s->status != MGL_OK || s->timed_out;
    pthread_mutex_unlock(&s->lock);
    return stop;
}

static void open_lattice(const subsets *s, uint32_t mask, lattice *l)
{
    const mgl_problem *p = s->problem;
    *l = (lattice){.size = 1};
    for (size_t f = 0; f < s->n_free; f++) {
        if (!(mask >> f & 1))
            continue;
        l->columns[l->n] = s->free[f];
        l->without[l->n] = s->holds[mask & ~(UINT32_C(1) << f)];
        l->n_levels[l->n] = (uint64_t)p->max_level[s->free[f]] - p->min_level[s->free[f]] + 1;
        l->size *= l->n_levels[l->n++];
    }
    uint64_t stride = 1;
    for (size_t i = l->n; i-- > 0; stride *= l->n_levels[i])
        l->stride[i] = stride;
}

/* The set of all columns of the subset at their lowest levels: those that are rolled up into
 * others come from here. */
static mgl_status make_first_set(const subsets *s, worker *w, lattice *l, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    l->n_grouped = 0;
    for (uint32_t a = 0; a < p->list->n_attributes; a++) {
        bool wanted = p->min_level[a] == p->max_level[a];
        for (size_t i = 0; i < l->n; i++)
            wanted = wanted || l->columns[i] == a;
        if (wanted && s->in_set[a])
            w->columns[l->n_grouped++] = a;
        w->levels[a] = s->lowest[a];
    }
    MGL_TRY(mgl_frequency_set_roll_up(w->maker, s->base.n > 0 ? &s->base : NULL, w->columns,
                                      l->n_grouped, w->levels, err, &w->sets[0]));
    l->path[0] = &w->sets[0];
    l->n_path = l->n_near = 1;
    return MGL_OK;
}

/* Makes path[i + 1], the columns after i still at their lowest levels. */
static mgl_status step(const subsets *s, worker *w, lattice *l, size_t i, mgl_error *err)
{
    uint32_t a = l->columns[i];
    const mgl_frequency_set *from = i + 1 < l->n_near ? l->path[i + 1] : l->path[i];
    mgl_frequency_set *to = &w->sets[2 * (i + 1)];
    to += to == from;
    for (size_t j = i + 1; j < l->n; j++)
        w->levels[l->columns[j]] = s->lowest[l->columns[j]];
    if (s->in_set[a] && from->levels[a] != w->levels[a]) {
        MGL_TRY(mgl_frequency_set_roll_up(w->maker, from, w->columns, l->n_grouped, w->levels, err,
                                          to));
        from = to;
    }
    l->path[i + 1] = from;
    l->n_path = l->n_near = i + 2;
    return MGL_OK;
}

/* Rolls up along the path to the node at work. */
static mgl_status judge_node(const subsets *s, worker *w, lattice *l, mgl_error *err, bool *holds)
{
    if (l->n_path == 0)
        MGL_TRY(make_first_set(s, w, l, err));
    for (size_t i = 0; i < l->n; i++) {
        w->levels[l->columns[i]] = s->problem->min_level[l->columns[i]] + l->node[i];
        if (i + 1 >= l->n_path)
            MGL_TRY(step(s, w, l, i, err));
    }
    *holds = mgl_frequency_set_holds(w->maker, l->path[l->n], w->columns, l->n_grouped);
    return MGL_OK;
}

static mgl_status check_node(const subsets *s, worker *w, lattice *l, mgl_error *err, bool *holds)
{
    l->checked++;
    if (s->list == NULL)
        return judge_node(s, w, l, err, holds);
    uint64_t number = s->list->all_tops;
    for (size_t i = 0; i < l->n; i++)
        number -= s->list->top[l->columns[i]] - l->node[i] * s->list->step[l->columns[i]];
    *holds = s->list->holds[number];
    return MGL_OK;
}

/* Is a node just below known to hold? */
static bool is_above(const lattice *l, uint64_t number)
{
    for (size_t i = 0; i < l->n; i++)
        if (l->node[i] > 0 && l->holds[number - l->stride[i]])
            return true;
    return false;
}

/* Does it fail already without one of the columns? */
static bool is_pruned(const lattice *l, uint64_t number)
{
    for (size_t i = 0; i < l->n; i++) {
        uint64_t before = number / (l->stride[i] * l->n_levels[i]);
        if (!l->without[i][before * l->stride[i] + number % l->stride[i]])
            return true;
    }
    return false;
}

static bool next_node(lattice *l)
{
    for (size_t i = l->n; i-- > 0;) {
        l->n_path = l->n_path > i + 1 ? i + 1 : l->n_path;
        l->n_near = l->n_near > i + 2 ? i + 2 : l->n_near;
        if (++l->node[i] < l->n_levels[i])
            return true;
        l->node[i] = 0;
    }
    return false;
}

static mgl_status search_lattice(subsets *s, worker *w, lattice *l, mgl_error *err)
{
    uint64_t number = 0, reported = 0;
    do {
        bool holds = is_above(l, number);
        if (!holds && !is_pruned(l, number))
            MGL_TRY(check_node(s, w, l, err, &holds));
        l->holds[number++] = holds;
        if (l->checked - reported >= CHECKS_AT_ONCE) {
            if (pause_search(s, l->checked - reported, 0))
                return MGL_OK;
            reported = l->checked;
        }
    } while (next_node(l));
    pause_search(s, l->checked - reported, l->size);
    return MGL_OK;
}

static void search_subset(void *context, size_t item, unsigned thread)
{
    subsets *s = context;
    uint32_t mask = s->masks[item];
    mgl_error error = {0};
    lattice l;
    if (pause_search(s, 0, 0))
        return;
    open_lattice(s, mask, &l);
    if (s->holds[mask] == NULL)
        s->holds[mask] = mgl_zeroed_array(l.size, 1);
    l.holds = s->holds[mask];
    mgl_status status = l.holds == NULL ? mgl_fail_memory(&error)
                                        : search_lattice(s, &s->workers[thread], &l, &error);
    if (status != MGL_OK) {
        pthread_mutex_lock(&s->lock);
        if (s->status == MGL_OK) {
            s->status = status;
            s->error = error;
        }
        pthread_mutex_unlock(&s->lock);
    }
}

/* The subsets of n of the free columns. */
static size_t list_subsets(subsets *s, size_t n)
{
    size_t found = 0;
    for (uint32_t mask = 0; mask < UINT32_C(1) << s->n_free; mask++)
        if ((size_t)__builtin_popcount(mask) == n)
            s->masks[found++] = mask;
    return found;
}

static void forget_subsets(subsets *s, size_t n, const uint8_t *wanted)
{
    for (uint32_t mask = 0; mask < UINT32_C(1) << s->n_free; mask++)
        if ((size_t)__builtin_popcount(mask) == n && s->holds[mask] != wanted) {
            mgl_free(s->holds[mask]);
            s->holds[mask] = NULL;
        }
}

/* No node can hold whose level is lower than a column needs by itself. False if none is high
 * enough. */
static bool raise_lowest(subsets *s)
{
    for (size_t f = 0; f < s->n_free; f++) {
        uint32_t a = s->free[f];
        const uint8_t *holds = s->holds[UINT32_C(1) << f];
        while (s->lowest[a] <= s->problem->max_level[a] &&
               !holds[s->lowest[a] - s->problem->min_level[a]])
            s->lowest[a]++;
        if (s->lowest[a] > s->problem->max_level[a])
            return false;
    }
    return true;
}

static mgl_status make_base(subsets *s, mgl_error *err)
{
    worker *w = &s->workers[0];
    size_t n = 0;
    for (uint32_t a = 0; a < s->problem->list->n_attributes; a++)
        if (s->in_set[a])
            w->columns[n++] = a;
    return mgl_frequency_set_roll_up(w->maker, NULL, w->columns, n, s->lowest, err, &s->base);
}

static mgl_status search_sizes(subsets *s, mgl_error *err, uint8_t *holds)
{
    for (size_t n = 0; n <= s->n_free; n++) {
        if (n == s->n_free)
            s->holds[(UINT32_C(1) << n) - 1] = holds;
        mgl_pool_run(s->problem->pool, list_subsets(s, n), search_subset, s);
        if (s->status != MGL_OK) {
            if (err != NULL)
                *err = s->error;
            return s->status;
        }
        if (s->timed_out || (n == 0 && !s->holds[0][0]))
            return MGL_OK;
        if (n > 0)
            forget_subsets(s, n - 1, holds);
        if (n == 1 && !raise_lowest(s))
            return MGL_OK;
        if (n == 1 && s->n_free > 1 && s->list == NULL)
            MGL_TRY(make_base(s, err));
    }
    return MGL_OK;
}

uint64_t mgl_subset_nodes(const mgl_problem *p)
{
    uint64_t nodes = 1;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        uint64_t levels = (uint64_t)p->max_level[a] - p->min_level[a] + 1;
        uint64_t times = levels > 1 ? levels + 1 : 1;
        nodes = nodes > UINT64_MAX / times ? UINT64_MAX : nodes * times;
    }
    return nodes;
}

static mgl_status make_workers(subsets *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    size_t m = p->list->n_attributes;
    MGL_TRY(mgl_frequency_set_init(&s->base, p, err));
    for (unsigned i = 0; i < s->n_workers; i++) {
        worker *w = &s->workers[i];
        w->levels = mgl_own_array(&w->own, m, sizeof *w->levels);
        w->columns = mgl_own_array(&w->own, m, sizeof *w->columns);
        w->sets = mgl_own_zeroed(&w->own, s->n_free + 1, 2 * sizeof *w->sets);
        MGL_TRY(mgl_owned_check(&w->own, err));
        MGL_TRY(mgl_set_maker_new(p, err, &w->maker));
        for (size_t i = 0; i < 2 * (s->n_free + 1); i++)
            MGL_TRY(mgl_frequency_set_init(&w->sets[i], p, err));
    }
    return MGL_OK;
}

static mgl_status prepare(subsets *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    size_t m = p->list->n_attributes;
    for (uint32_t a = 0; a < m; a++)
        if (p->min_level[a] < p->max_level[a])
            s->free[s->n_free++] = a;
    s->total = mgl_subset_nodes(p);
    s->in_set = mgl_own_zeroed(&s->own, m, sizeof *s->in_set);
    s->lowest = mgl_own_array(&s->own, m, sizeof *s->lowest);
    s->holds = mgl_own_zeroed(&s->own, (size_t)1 << s->n_free, sizeof *s->holds);
    s->masks = mgl_own_array(&s->own, (size_t)1 << s->n_free, sizeof *s->masks);
    MGL_TRY(mgl_owned_check(&s->own, err));
    memcpy(s->lowest, p->min_level, m * sizeof *s->lowest);
    for (size_t i = 0; i < p->sets[0].n_attributes; i++)
        s->in_set[p->sets[0].attributes[i]] = true;
    s->n_workers = mgl_pool_threads(p->pool);
    s->workers = mgl_own_zeroed(&s->own, s->n_workers, sizeof *s->workers);
    MGL_TRY(mgl_owned_check(&s->own, err));
    return s->list == NULL ? make_workers(s, err) : MGL_OK;
}

mgl_status mgl_subsets_holding(const mgl_problem *problem, const mgl_subset_list *list,
                               mgl_error *err, uint8_t *holds, uint64_t *checked, bool *timed_out)
{
    subsets s = {.problem = problem, .list = list};
    memset(holds, 0,
           mgl_lattice_size(problem->min_level, problem->max_level, problem->list->n_attributes));
    mgl_status status = prepare(&s, err);
    if (status == MGL_OK) {
        pthread_mutex_init(&s.lock, NULL);
        status = search_sizes(&s, err, holds);
        pthread_mutex_destroy(&s.lock);
    }
    *checked = s.checked;
    *timed_out = s.timed_out;
    for (unsigned i = 0; s.workers != NULL && i < s.n_workers; i++) {
        worker *w = &s.workers[i];
        for (size_t j = 0; w->sets != NULL && j < 2 * (s.n_free + 1); j++)
            mgl_frequency_set_free(&w->sets[j], s.problem);
        mgl_set_maker_free(w->maker);
        mgl_owned_free(&w->own);
    }
    for (size_t n = 0; s.holds != NULL && n <= s.n_free; n++)
        forget_subsets(&s, n, holds);
    mgl_frequency_set_free(&s.base, s.problem);
    mgl_owned_free(&s.own);
    return status;
}

/* Lists which nodes of the lattices of all subsets hold, by the engine that lists nodes fastest. */

/* The same question with every column that has several levels up to its top. */
static mgl_problem up_to_tops(const mgl_problem *p, uint32_t *max_level)
{
    mgl_problem wide = *p;
    for (size_t a = 0; a < p->list->n_attributes; a++)
        max_level[a] =
            p->min_level[a] < p->max_level[a] ? p->columns[a]->hierarchy->height : p->max_level[a];
    wide.max_level = max_level;
    return wide;
}

static uint64_t size_of(const mgl_problem *p)
{
    return mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
}

/* Where all rows may be suppressed it matters whether the top is a node. Up to the tops it is, even
 * if the problem does not have it. */
bool mgl_subset_list_pays(const mgl_problem *problem)
{
    size_t m = problem->list->n_attributes;
    uint32_t max_level[MGL_MOST_COLUMNS];
    if (m > MGL_MOST_COLUMNS || !mgl_is_fast(problem))
        return false;
    mgl_problem wide = up_to_tops(problem, max_level);
    bool all_may_go = problem->limit >= problem->list->n_rows;
    return mgl_is_fast(&wide) && !(all_may_go && size_of(&wide) > size_of(problem)) &&
           size_of(&wide) <= MGL_MOST_SUBSET_NODES;
}

mgl_status mgl_subset_list_make(const mgl_problem *problem, mgl_error *err, mgl_subset_list *out)
{
    size_t m = problem->list->n_attributes;
    uint32_t max_level[MGL_MOST_COLUMNS];
    mgl_problem wide = up_to_tops(problem, max_level);
    *out = (mgl_subset_list){0};
    out->step = mgl_own_array(&out->own, m, sizeof *out->step);
    out->top = mgl_own_array(&out->own, m, sizeof *out->top);
    MGL_TRY(mgl_owned_check(&out->own, err));
    uint64_t step = 1;
    for (size_t a = m; a-- > 0; step *= (uint64_t)max_level[a] - problem->min_level[a] + 1) {
        out->step[a] = step;
        out->top[a] = step * (max_level[a] - problem->min_level[a]);
        out->all_tops += out->top[a];
    }
    return mgl_lattice_holding(&wide, err, &out->holds);
}

void mgl_subset_list_free(mgl_subset_list *list)
{
    mgl_free(list->holds);
    mgl_owned_free(&list->own);
    *list = (mgl_subset_list){0};
}

static mgl_status refuse_large(mgl_error *err)
{
    return mgl_fail_key(
        err, MGL_CODE_LIMIT, "method",
        "incognito looks at the lattice of every subset of the columns, which has too "
        "many nodes here (more than %llu); bound levels with `level`, or use `method` "
        "mingen or top-down",
        (unsigned long long)MGL_MOST_SUBSET_NODES);
}

static mgl_status search_subsets(const mgl_problem *p, mgl_solution *solution, mgl_error *err,
                                 uint8_t **out)
{
    mgl_subset_list list = {0};
    uint8_t *holds = mgl_alloc_array(solution->nodes_total, 1);
    bool listed = mgl_subset_list_pays(p);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(holds != NULL, err));
    if (listed)
        MGL_GO(mgl_subset_list_make(p, err, &list));
    MGL_GO(mgl_subsets_holding(p, listed ? &list : NULL, err, holds, &solution->nodes_checked,
                               &solution->timed_out));
    *out = holds;
    holds = NULL;
done:
    mgl_subset_list_free(&list);
    mgl_free(holds);
    return status;
}

/* Where holding is not monotone a failing subset says nothing, and every node is tried. */
static mgl_status find_holding(const mgl_problem *p, mgl_solution *solution, mgl_error *err,
                               uint8_t **out)
{
    if (mgl_subset_nodes(p) > MGL_MOST_SUBSET_NODES)
        return refuse_large(err);
    if (p->n_sets != 1 || !mgl_holding_is_monotone(p)) {
        solution->nodes_checked = solution->nodes_total;
        return mgl_lattice_holding(p, err, out);
    }
    return search_subsets(p, solution, err, out);
}

static void keep_minimal(const mgl_problem *p, const uint32_t *nodes, size_t n, uint64_t size,
                         uint8_t *holds)
{
    size_t m = p->list->n_attributes;
    memset(holds, 0, size);
    for (size_t i = 0; i < n; i++) {
        uint64_t number = 0;
        for (size_t a = 0; a < m; a++)
            number = number * ((uint64_t)p->max_level[a] - p->min_level[a] + 1) +
                     (nodes[i * m + a] - p->min_level[a]);
        holds[number] = 1;
    }
}

static mgl_status find_costs(const mgl_problem *p, mgl_solution *solution, const uint32_t *nodes,
                             size_t n, mgl_error *err, mgl_ties *ties)
{
    mgl_batch *batch = NULL;
    bool timed_out = false;
    mgl_judged *judged = mgl_alloc_array(n, sizeof *judged);
    mgl_status status = MGL_OK;
    MGL_GO(judged == NULL ? mgl_fail_memory(err) : mgl_batch_new(p, err, &batch));
    MGL_GO(mgl_batch_run(batch, nodes, n, err, judged, &timed_out));
    for (size_t i = 0; i < n; i++)
        if (judged[i].holds)
            MGL_GO(mgl_ties_add(ties, nodes + i * p->list->n_attributes, judged[i].cost, err));
done:
    solution->timed_out = solution->timed_out || timed_out;
    mgl_batch_free(batch);
    mgl_free(judged);
    return status;
}

static mgl_status choose(const mgl_problem *p, mgl_solution *solution, uint8_t *holds,
                         const uint32_t *nodes, size_t n, mgl_error *err)
{
    size_t chosen = 0;
    mgl_ties ties;
    mgl_ties_init(&ties, p->list->n_attributes);
    mgl_status status = MGL_OK;
    if (mgl_levels_decide(p)) {
        keep_minimal(p, nodes, n, solution->nodes_total, holds);
        MGL_GO(mgl_levels_best(p, holds, err, &ties));
    } else {
        MGL_GO(find_costs(p, solution, nodes, n, err, &ties));
    }
    MGL_GO(mgl_ties_choose(&ties, p, err, &chosen));
    MGL_GO(mgl_solution_take_node(solution, p, ties.nodes + chosen * ties.n_attributes, err));
done:
    solution->n_ties = ties.n;
    mgl_ties_free(&ties);
    return status;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    uint8_t *holds = NULL;
    uint32_t *nodes = NULL;
    size_t n = 0;
    mgl_status status = MGL_OK;
    MGL_GO(find_holding(problem, out, err, &holds));
    MGL_GO(mgl_minimal_nodes(problem, holds, err, &nodes, &n));
    if (n == 0)
        MGL_GO(mgl_fail_unmet(problem, out->timed_out, err));
    bool all_found = !out->timed_out;
    MGL_GO(choose(problem, out, holds, nodes, n, err));
    if (all_found && out->nodes_total <= MGL_MOST_NODES) {
        out->minimal_nodes = nodes;
        out->n_minimal = n;
        out->minimal_known = true;
        nodes = NULL;
    }
    /* If nothing is suppressed, a node costs no less than any below it. */
    out->exact = !out->timed_out && problem->limit == 0 && mgl_cost_rises(problem);
done:
    mgl_free(holds);
    mgl_free(nodes);
    return status;
}

const mgl_method_type mgl_incognito = {
    .name = "incognito",
    .help = "all minimal nodes that hold, through the lattices of subsets of the columns; the best "
            "of them is released",
    .when = "to compare with LeFevre et al. 2005, or to see every minimal node; mingen is faster",
    .cost = "grows with the product of (levels + 1) over the columns",
    .full_domain = true,
    .several_sets = true,
    .run = run,
};
