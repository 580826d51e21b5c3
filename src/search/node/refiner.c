/* Judges nodes on the way down: where the tuples are at the node is known, and the node below takes
 * the classes apart by one column alone.
 *
 * Memory: the code of each cell of the list, in as few bytes as its column needs, the class of each
 * tuple, and for each thread the classes of a node. Where classes need a size, nodes with more
 * classes than the limit allows are left as soon as that is seen.
 *
 * In figures: one byte per cell in columns of up to 256 values, 4 bytes for the class of each
 * tuple, 8 to 16 bytes per tuple for each thread, and at most n / k classes and as many as may be
 * suppressed where rows are counted. */
#include "search/node/node.h"
#include "search/node/roll.h"
#include "search/node/roll_keys.h"

#include <math.h>
#include <pthread.h>

/* Takes the tuples of a list apart by a lower level of one column: one look at each tuple of the
 * problem, whatever the number of columns. */

/* What a level of a column makes of its codes at the lowest level. */
typedef struct down_level {
    uint32_t *codes;  /* [lowest code] */
    uint32_t *places; /* [lowest code] of its code among those that are one a level up */
    uint32_t fan;     /* the most that are */
} down_level;

/* A column of the problem's tuples, as codes of its lowest level. */
typedef struct down_column {
    unsigned width; /* bytes of a code: 1, 2 or 4 */
    void *of_tuple; /* [n_tuples] */
    size_t n_levels;
    down_level *levels;
} down_column;

/* A column goes down to a level. */
typedef struct down_step {
    const down_column *column;
    uint32_t number, level;
    const mgl_rolled *from;   /* the list before, where it is one level higher, or */
    bool from_anywhere;       /* does not distinguish codes of it */
    const uint32_t *class_of; /* [n_tuples] where the problem's tuples are in that list */
    size_t most;              /* tuples that are of interest */
    bool track;               /* maker->of_tuple gets where they are now */
} down_step;

/* Numbers the codes of a level among those that become one above it; seen[code above] is how many
 * there are so far. */
static void place_codes(const mgl_roll_level *level, uint32_t *seen, uint32_t *places,
                        uint32_t *fan)
{
    *fan = 1;
    for (uint32_t code = 0; code < level->n_codes; code++) {
        places[code] = seen[level->above != NULL ? level->above[code] : 0]++;
        *fan = places[code] >= *fan ? places[code] + 1 : *fan;
    }
}

static mgl_status make_level(const mgl_roll_column *of, size_t l, mgl_owned *own, mgl_error *err,
                             down_level *out)
{
    uint32_t n = of->levels[0].n_codes;
    mgl_owned scratch = {0};
    uint32_t *places = mgl_own_array(&scratch, of->levels[l].n_codes, sizeof *places);
    uint32_t *seen = mgl_own_zeroed(&scratch, of->levels[l].n_codes, sizeof *seen);
    mgl_status status = MGL_OK;
    out->codes = mgl_own_array(own, n, sizeof *out->codes);
    out->places = mgl_own_array(own, n, sizeof *out->places);
    MGL_GO(mgl_check_memory(!scratch.missing && !own->missing, err));
    place_codes(&of->levels[l], seen, places, &out->fan);
    for (uint32_t code = 0; code < n; code++) {
        out->codes[code] = code;
        for (size_t below = 0; below < l; below++)
            out->codes[code] = of->levels[below].above[out->codes[code]];
        out->places[code] = places[out->codes[code]];
    }
done:
    mgl_owned_free(&scratch);
    return status;
}

/* of_tuple is to be filled in. */
static mgl_status down_column_make(down_column *column, const mgl_roll_column *of, size_t n_tuples,
                                   mgl_owned *own, mgl_error *err)
{
    uint32_t n_codes = of->levels[0].n_codes;
    *column = (down_column){.width = n_codes <= UINT8_MAX + 1    ? 1
                                     : n_codes <= UINT16_MAX + 1 ? 2
                                                                 : 4};
    column->of_tuple = mgl_own_array(own, n_tuples, column->width);
    column->levels = mgl_own_zeroed(own, of->n_levels, sizeof *column->levels);
    MGL_TRY(mgl_owned_check(own, err));
    column->n_levels = of->n_levels;
    for (size_t l = 0; l < of->n_levels; l++)
        MGL_TRY(make_level(of, l, own, err, &column->levels[l]));
    return MGL_OK;
}

/* The codes of tuples first..end-1 of the problem's list. */
static void down_column_fill(const down_column *column, const mgl_roll_maker *maker, size_t c,
                             size_t first, size_t end)
{
    const mgl_frequency_list *list = maker->problem->list;
    const uint32_t *of_leaf = maker->codes.columns[c].of_leaf;
    if (column->width == 1)
        for (size_t t = first; t < end; t++)
            ((uint8_t *)column->of_tuple)[t] = (uint8_t)of_leaf[mgl_list_leaf(list, t, c)];
    else if (column->width == 2)
        for (size_t t = first; t < end; t++)
            ((uint16_t *)column->of_tuple)[t] = (uint16_t)of_leaf[mgl_list_leaf(list, t, c)];
    else
        for (size_t t = first; t < end; t++)
            ((uint32_t *)column->of_tuple)[t] = of_leaf[mgl_list_leaf(list, t, c)];
}

MGL_SPECIALIZE uint32_t code_of(const void *codes, unsigned width, size_t t)
{
    if (width == 1)
        return ((const uint8_t *)codes)[t];
    return width == 2 ? ((const uint16_t *)codes)[t] : ((const uint32_t *)codes)[t];
}

/* The key of a tuple of the list before, with another code of the column. */
MGL_SPECIALIZE void make_key(const mgl_roll_maker *maker, const down_step *step, uint32_t class,
                             uint32_t code, uint64_t *key)
{
    const mgl_roll_column *column = &maker->codes.columns[step->number];
    size_t words = maker->codes.words;
    for (size_t w = 0; w < words; w++)
        key[w] = step->from->keys[class * words + w];
    key[column->word] &= ~(column->mask << column->shift);
    key[column->word] |= (uint64_t)code << column->shift;
}

/* Every code of every tuple before has a slot of its own. */
MGL_SPECIALIZE bool split_by_place(mgl_roll_maker *maker, const down_step *step, size_t fan,
                                   const uint32_t *places, unsigned width, bool track,
                                   mgl_rolled *to)
{
    const mgl_frequency_list *list = maker->problem->list;
    const uint32_t *codes = step->column->levels[step->level].codes;
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint32_t class = step->class_of[t], code = code_of(step->column->of_tuple, width, t);
        uint32_t *slot = &maker->slots[class * fan + places[code]];
        if (*slot == 0) {
            if (to->n == step->most)
                return false;
            make_key(maker, step, class, codes[code], to->keys + to->n * maker->codes.words);
            to->counts[to->n++] = 0;
            *slot = (uint32_t)to->n;
        }
        to->counts[*slot - 1] += list->counts[t];
        if (track)
            maker->of_tuple[t] = *slot - 1;
    }
    return true;
}

MGL_SPECIALIZE bool split_of_width(mgl_roll_maker *maker, const down_step *step, size_t fan,
                                   const uint32_t *places, unsigned width, mgl_rolled *to)
{
    memset(maker->slots, 0, step->from->n * fan * sizeof *maker->slots);
    return step->track ? split_by_place(maker, step, fan, places, width, true, to)
                       : split_by_place(maker, step, fan, places, width, false, to);
}

/* There are too many of these: only those that occur. */
static bool split_by_key(mgl_roll_maker *maker, const down_step *step, mgl_rolled *to)
{
    const mgl_frequency_list *list = maker->problem->list;
    const down_column *column = step->column;
    const uint32_t *codes = column->levels[step->level].codes;
    size_t words = maker->codes.words, mask = mgl_roll_clear(maker, list->n_tuples);
    for (size_t t = 0; t < list->n_tuples && to->n <= step->most; t++) {
        uint32_t code = codes[code_of(column->of_tuple, column->width, t)];
        make_key(maker, step, step->class_of[t], code, to->keys + to->n * words);
        mgl_roll_put(maker, to, t, list->counts[t], words, mask);
    }
    return to->n <= step->most;
}

/* Makes the list, without histograms and persons; the order of first members is kept. There is room
 * for most + 2 tuples. False: they are more than that. */
static bool roll_down(mgl_roll_maker *maker, const down_step *step, mgl_rolled *to)
{
    const down_column *column = step->column;
    const down_level *level = &column->levels[step->level];
    size_t fan = level->fan;
    const uint32_t *places = level->places;
    if (step->from_anywhere) {
        fan = maker->codes.columns[step->number].levels[step->level].n_codes;
        places = level->codes;
    }
    memcpy(to->levels, step->from->levels, maker->codes.n_columns * sizeof *to->levels);
    to->levels[step->number] = step->level;
    to->n = 0;
    if (step->from->n > 0 && fan > maker->n_slots / step->from->n)
        return split_by_key(maker, step, to);
    switch (column->width) {
    case 1:
        return split_of_width(maker, step, fan, places, 1, to);
    case 2:
        return split_of_width(maker, step, fan, places, 2, to);
    default:
        return split_of_width(maker, step, fan, places, 4, to);
    }
}

/* What a thread judges with. */
typedef struct worker {
    bool made;
    mgl_roll_maker maker;
    mgl_rolled list;
    mgl_rolled_judge judge;
    uint32_t *node; /* [m] */
} worker;

struct mgl_refiner {
    const mgl_problem *problem;
    size_t m;
    down_column *columns; /* [m] made when first needed */
    uint32_t *missing;    /* [m] of these */
    uint32_t *class_of;   /* [n_tuples] in the list of the node */
    mgl_rolled at, next;  /* the list of the node; room for another */
    worker *workers;      /* [threads] the first is always there */
    uint64_t size;        /* of a class at least, else its rows are suppressed; 0: not known */
    size_t most;          /* tuples of a list that may hold */
    bool monotone;
    uint64_t *rows;        /* [m] in small classes of the node below, when it was judged last */
    uint64_t at_rows;      /* of this node */
    bool *failed;          /* [m] the node below does not hold */
    const uint32_t *steps; /* to judge */
    mgl_judged *judged;
    bool timed_out;
    pthread_mutex_t lock; /* guards what follows */
    mgl_status status;
    mgl_error error;
    uint64_t done;
    mgl_owned own;
};

/* Do equal codes and equal values mean the same, at every level? */
static bool codes_are_values(const mgl_problem *p, const mgl_roll_column *column, size_t a,
                             uint8_t *seen)
{
    for (size_t l = 0; l < column->n_levels; l++) {
        memset(seen, 0, p->columns[a]->n_values);
        for (uint32_t code = 0; code < column->levels[l].n_codes; code++)
            if (seen[column->levels[l].values[code]]++ != 0)
                return false;
    }
    return true;
}

/* Are the tuples of a list the classes that models judge, by their rows? */
static mgl_status tuples_are_classes(const mgl_refiner *r, mgl_error *err, bool *out)
{
    const mgl_problem *p = r->problem;
    *out = p->n_sets == 1 && p->sets[0].n_attributes == r->m && p->list->persons == NULL &&
           !p->list->regrouped && mgl_roll_apart(p) == NULL;
    for (size_t a = 0; *out && a < r->m; a++) {
        uint8_t *seen;
        MGL_TRY(mgl_new_array(p->columns[a]->n_values, 1, err, &seen));
        *out = codes_are_values(p, &r->workers->maker.codes.columns[a], a, seen);
        mgl_free(seen);
    }
    return MGL_OK;
}

static mgl_status bound_lists(mgl_refiner *r, mgl_error *err)
{
    const mgl_problem *p = r->problem;
    bool classes;
    r->most = p->list->n_tuples;
    MGL_TRY(tuples_are_classes(r, err, &classes));
    if (!classes)
        return MGL_OK;
    r->size = mgl_demand_size(p);
    uint64_t most = p->list->n_rows / r->size + p->limit;
    if (most < r->most)
        r->most = (size_t)most;
    return MGL_OK;
}

/* Rows in classes that are too small. */
static uint64_t small_rows(const mgl_refiner *r, const mgl_rolled *list)
{
    uint64_t rows = 0;
    for (size_t c = 0; c < list->n; c++)
        rows += list->counts[c] < r->size ? list->counts[c] : 0;
    return rows;
}

/* Classes only ever become smaller on the way down. */
uint64_t mgl_refiner_rows_below(const mgl_refiner *r, uint32_t column)
{
    return r->rows[column] > r->at_rows ? r->rows[column] : r->at_rows;
}

static mgl_status make_worker(mgl_refiner *r, worker *w, mgl_error *err)
{
    const mgl_problem *p = r->problem;
    size_t n = p->list->n_tuples;
    bool plain = p->list->n_histograms == 0 && p->population == NULL && r->size > 0;
    MGL_TRY(mgl_new_array(r->m, sizeof *w->node, err, &w->node));
    MGL_TRY(mgl_rolled_init(&w->list, &w->maker, err));
    MGL_TRY(mgl_rolled_make_room(&w->list, &w->maker, r->most + 2, err));
    MGL_TRY(mgl_rolled_judge_make(&w->judge, &w->maker, plain ? r->most : n, err));
    w->made = true;
    return MGL_OK;
}

static mgl_status need_worker(mgl_refiner *r, unsigned thread, mgl_error *err)
{
    worker *w = &r->workers[thread];
    if (w->made)
        return MGL_OK;
    if (thread > 0)
        MGL_TRY(mgl_roll_maker_make(r->problem, err, &w->maker));
    return make_worker(r, w, err);
}

static void free_worker(worker *w)
{
    mgl_rolled_judge_free(&w->judge);
    mgl_rolled_free(&w->list, &w->maker);
    mgl_free(w->node);
    mgl_roll_maker_free(&w->maker);
}

/* Columns whose codes are to be filled in. */
typedef struct filling {
    mgl_refiner *refiner;
    const uint32_t *columns;
    size_t n;
} filling;

static void fill_range(void *context, mgl_range range)
{
    enum { BLOCK = 2048 }; /* keys that are read once for all columns */
    const filling *f = context;
    mgl_refiner *r = f->refiner;
    for (size_t first = range.first; first < range.end; first += BLOCK) {
        size_t end = range.end - first > BLOCK ? first + BLOCK : range.end;
        for (size_t i = 0; i < f->n; i++)
            down_column_fill(&r->columns[f->columns[i]], &r->workers->maker, f->columns[i], first,
                             end);
    }
}

/* Fills in the codes of columns that were not needed so far. */
static mgl_status need_columns(mgl_refiner *r, const uint32_t *columns, size_t n, mgl_error *err)
{
    size_t n_tuples = r->problem->list->n_tuples;
    filling f = {.refiner = r, .columns = r->missing};
    for (size_t i = 0; i < n; i++) {
        uint32_t c = columns[i];
        if (r->columns[c].levels != NULL)
            continue;
        MGL_TRY(down_column_make(&r->columns[c], &r->workers->maker.codes.columns[c], n_tuples,
                                 &r->own, err));
        r->missing[f.n++] = c;
    }
    if (f.n > 0)
        mgl_pool_run_ranges(r->problem->pool, n_tuples, fill_range, &f);
    return MGL_OK;
}

/* One tuple of all, or of each history or bundle. */
static mgl_status begin(mgl_refiner *r, mgl_error *err)
{
    const mgl_frequency_list *list = r->problem->list;
    mgl_roll_maker *maker = &r->workers->maker;
    const mgl_roll_column *last = &maker->codes.columns[r->m];
    const uint32_t *apart = mgl_roll_apart(r->problem);
    size_t n = apart != NULL ? list->n_tuples : 0, words = maker->codes.words;
    size_t mask = mgl_roll_clear(maker, n);
    MGL_TRY(mgl_rolled_init(&r->at, maker, err));
    MGL_TRY(mgl_rolled_init(&r->next, maker, err));
    MGL_TRY(mgl_rolled_make_room(&r->at, maker, n + 1, err));
    for (size_t t = 0; t < n; t++) {
        uint64_t *key = r->at.keys + r->at.n * words;
        memset(key, 0, words * sizeof *key);
        key[last->word] = (uint64_t)apart[t] << last->shift;
        mgl_roll_put(maker, &r->at, t, list->counts[t], words, mask);
        r->class_of[t] = maker->of_tuple[t];
    }
    if (apart == NULL) {
        memset(r->at.keys, 0, words * sizeof *r->at.keys);
        r->at.counts[0] = list->n_rows;
        r->at.n = 1;
    }
    return MGL_OK;
}

static down_step step_to(const mgl_refiner *r, uint32_t column, uint32_t level)
{
    return (down_step){.column = &r->columns[column],
                       .number = column,
                       .level = level,
                       .from = &r->at,
                       .class_of = r->class_of,
                       .most = r->most};
}

/* Takes the step, to any number of tuples. */
static mgl_status go(mgl_refiner *r, down_step step, mgl_error *err)
{
    mgl_roll_maker *maker = &r->workers->maker;
    size_t n = r->problem->list->n_tuples;
    size_t codes = maker->codes.columns[step.number].levels[step.level].n_codes;
    step.most = r->at.n < n / codes ? r->at.n * codes : n;
    step.track = true;
    MGL_TRY(need_columns(r, &step.number, 1, err));
    MGL_TRY(mgl_rolled_make_room(&r->next, maker, step.most + 2, err));
    (void)roll_down(maker, &step, &r->next); /* there are never more */
    memcpy(r->class_of, maker->of_tuple, n * sizeof *r->class_of);
    mgl_rolled at = r->at;
    r->at = r->next;
    r->next = at;
    r->at_rows = small_rows(r, &r->at);
    return MGL_OK;
}

static mgl_status go_to_node(mgl_refiner *r, const uint32_t *node, mgl_error *err)
{
    MGL_TRY(begin(r, err));
    for (uint32_t c = 0; c < r->m; c++) {
        down_step step = step_to(r, c, node[c] - r->problem->min_level[c]);
        step.from_anywhere = true;
        r->at.levels[c] = step.level;
        if (r->workers->maker.codes.columns[c].levels[step.level].n_codes > 1)
            MGL_TRY(go(r, step, err));
    }
    return MGL_OK;
}

mgl_status mgl_refiner_new(const mgl_problem *problem, const uint32_t *node, mgl_error *err,
                           mgl_refiner **out)
{
    mgl_refiner *r;
    MGL_TRY(mgl_new_zeroed(1, sizeof *r, err, &r));
    r->problem = problem;
    r->m = problem->list->n_attributes;
    r->monotone = mgl_holding_is_monotone(problem);
    pthread_mutex_init(&r->lock, NULL);
    mgl_status status = MGL_OK;
    r->workers = mgl_own_zeroed(&r->own, mgl_pool_threads(problem->pool), sizeof *r->workers);
    MGL_GO(mgl_owned_check(&r->own, err));
    MGL_GO(mgl_roll_maker_make(problem, err, &r->workers->maker));
    MGL_GO(bound_lists(r, err));
    r->columns = mgl_own_zeroed(&r->own, r->m, sizeof *r->columns);
    r->missing = mgl_own_array(&r->own, r->m, sizeof *r->missing);
    r->class_of = mgl_own_zeroed(&r->own, r->problem->list->n_tuples, sizeof *r->class_of);
    r->failed = mgl_own_zeroed(&r->own, r->m, sizeof *r->failed);
    r->rows = mgl_own_zeroed(&r->own, r->m, sizeof *r->rows);
    MGL_GO(mgl_owned_check(&r->own, err));
    MGL_GO(go_to_node(r, node, err));
    *out = r;
    r = NULL;
done:
    mgl_refiner_free(r);
    return status;
}

void mgl_refiner_free(mgl_refiner *r)
{
    if (r == NULL)
        return;
    if (r->workers != NULL) {
        mgl_rolled_free(&r->at, &r->workers->maker);
        mgl_rolled_free(&r->next, &r->workers->maker);
    }
    for (unsigned i = 0; r->workers != NULL && i < mgl_pool_threads(r->problem->pool); i++)
        free_worker(&r->workers[i]);
    pthread_mutex_destroy(&r->lock);
    mgl_owned_free(&r->own);
    mgl_free(r);
}

mgl_status mgl_refiner_step(mgl_refiner *r, uint32_t column, mgl_error *err)
{
    r->rows[column] = 0; /* of another node from now on */
    return go(r, step_to(r, column, r->at.levels[column] - 1), err);
}

/* rows: that are suppressed at least. */
static mgl_status evaluate(mgl_refiner *r, worker *w, mgl_rolled *list, uint64_t rows,
                           mgl_error *err, mgl_judged *out)
{
    mgl_evaluation e;
    if (rows > r->problem->limit)
        return MGL_OK;
    MGL_TRY(mgl_roll_own_parts(&w->maker, err, list));
    for (size_t a = 0; a < r->m; a++)
        w->node[a] = list->levels[a] + r->problem->min_level[a];
    mgl_rolled_show(&w->judge, list);
    if (mgl_evaluate_cells(w->judge.evaluator, w->node, &e) != MGL_OK)
        return mgl_fail_memory(err);
    *out = (mgl_judged){e.holds, e.cost};
    return MGL_OK;
}

mgl_status mgl_refiner_judge(mgl_refiner *r, mgl_error *err, mgl_judged *out)
{
    mgl_roll_maker *maker = &r->workers->maker;
    *out = (mgl_judged){false, INFINITY};
    if (r->at.n > r->most)
        return MGL_OK;
    MGL_TRY(need_worker(r, 0, err));
    memcpy(maker->of_tuple, r->class_of, r->problem->list->n_tuples * sizeof *r->class_of);
    return evaluate(r, r->workers, &r->at, r->at_rows, err, out);
}

static mgl_status judge_step(mgl_refiner *r, size_t i, unsigned thread, mgl_error *err)
{
    uint32_t column = r->steps[i];
    worker *w = &r->workers[thread];
    MGL_TRY(need_worker(r, thread, err));
    down_step step = step_to(r, column, r->at.levels[column] - 1);
    step.track = w->maker.n_parts + w->maker.n_spread > 0;
    if (roll_down(&w->maker, &step, &w->list)) {
        r->rows[column] = small_rows(r, &w->list);
        MGL_TRY(evaluate(r, w, &w->list, r->rows[column], err, &r->judged[i]));
    }
    r->failed[column] = r->monotone && !r->judged[i].holds; /* nor does what lies below it */
    return MGL_OK;
}

static bool must_stop(mgl_refiner *r, size_t i)
{
    pthread_mutex_lock(&r->lock);
    if (i > 0 && mgl_problem_is_late(r->problem))
        r->timed_out = true;
    bool stop = r->status != MGL_OK || (r->timed_out && i > 0);
    pthread_mutex_unlock(&r->lock);
    return stop;
}

static void run_item(void *context, size_t i, unsigned thread)
{
    mgl_refiner *r = context;
    mgl_error error = {0};
    if (must_stop(r, i))
        return;
    mgl_status status = r->failed[r->steps[i]] ? MGL_OK : judge_step(r, i, thread, &error);
    pthread_mutex_lock(&r->lock);
    r->done++;
    if (status == MGL_OK)
        status = mgl_progress_report(r->problem->progress, "search", r->done, 0, &error);
    if (status != MGL_OK && r->status == MGL_OK) {
        r->status = status;
        r->error = error;
    }
    pthread_mutex_unlock(&r->lock);
}

mgl_status mgl_refiner_judge_steps(mgl_refiner *r, const uint32_t *columns, size_t n,
                                   mgl_error *err, mgl_judged *out, bool *timed_out)
{
    r->steps = columns;
    r->judged = out;
    r->timed_out = false;
    for (size_t i = 0; i < n; i++)
        out[i] = (mgl_judged){false, INFINITY};
    MGL_TRY(need_columns(r, columns, n, err));
    mgl_pool_run(r->problem->pool, n, run_item, r);
    if (r->status != MGL_OK && err != NULL)
        *err = r->error;
    *timed_out = r->timed_out;
    return r->status;
}
