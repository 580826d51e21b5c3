/* Judges nodes from lists that are rolled up from finer ones, and keeps these lists for the nodes
 * that follow. An evaluator sees a list that was rolled up as if it were the problem's own. */
#include "search/node/node.h"
#include "search/node/roll.h"

/* Shows lists that were rolled up to an evaluator, as if they were the problem's own. roller.c and
 * refiner.c judge with it. */

mgl_status mgl_rolled_judge_make(mgl_rolled_judge *j, const mgl_roll_maker *maker, size_t most,
                                 mgl_error *err)
{
    const mgl_problem *p = maker->problem;
    *j = (mgl_rolled_judge){.maker = maker, .problem = *p, .list = *p->list};
    j->problem.list = &j->list;
    j->list.n_tuples = most;
    if (p->list->persons != NULL) {
        j->persons = *p->list->persons;
        j->list.persons = &j->persons;
    }
    const uint32_t *apart = mgl_roll_apart(p);
    if (apart != NULL) {
        MGL_TRY(mgl_new_array(p->list->n_tuples, sizeof *j->apart, err, &j->apart));
        memcpy(j->apart, apart, p->list->n_tuples * sizeof *j->apart);
    }
    if (p->list->joined != NULL) {
        j->joined = *p->list->joined;
        j->joined.of_tuple = j->apart;
        j->list.joined = &j->joined;
    } else {
        j->problem.histories = j->apart;
    }
    return mgl_evaluator_of_cells(&j->problem, err, &j->evaluator);
}

void mgl_rolled_judge_free(mgl_rolled_judge *j)
{
    mgl_evaluator_free(j->evaluator);
    mgl_free(j->apart);
    *j = (mgl_rolled_judge){0};
}

static void show_list(mgl_rolled_judge *j, const mgl_rolled *rolled)
{
    const mgl_problem *p = j->maker->problem;
    j->list.n_tuples = rolled->n;
    j->list.counts = rolled->counts;
    j->list.sensitive = rolled->parts;
    if (p->label != NULL)
        j->problem.label = &rolled->parts[j->maker->label];
    if (p->list->persons != NULL) {
        j->persons.local = rolled->local;
        j->persons.spread = rolled->spread[0];
        j->persons.by_value = rolled->spread + 1;
    }
    const mgl_roll_codes *codes = &j->maker->codes;
    const mgl_roll_column *last = &codes->columns[codes->n_columns];
    for (size_t t = 0; j->apart != NULL && t < rolled->n; t++)
        j->apart[t] = mgl_roll_code(last, rolled->keys + t * codes->words);
}

static void fill_cells(const mgl_rolled_judge *j, const mgl_rolled *rolled, uint32_t *const *cells)
{
    const mgl_roll_codes *codes = &j->maker->codes;
    for (size_t a = 0; a < codes->n_columns; a++) {
        const mgl_roll_column *column = &codes->columns[a];
        const uint32_t *values = column->levels[rolled->levels[a]].values;
        for (size_t t = 0; t < rolled->n; t++)
            cells[a][t] = values[mgl_roll_code(column, rolled->keys + t * codes->words)];
    }
}

void mgl_rolled_show(mgl_rolled_judge *j, const mgl_rolled *rolled)
{
    show_list(j, rolled);
    fill_cells(j, rolled, mgl_evaluator_fit(j->evaluator));
}

/* Of many columns several rise at once: as long as all tuples differ, a list is worth nothing to
 * the nodes that follow, and would cost a pass over all tuples. */
enum { MOST_STOPS = 12, WIDE_STOPS = 6 };

/* Lists along the way to a node: stop by stop columns rise to its levels, in an order of their own.
 * Each stop has two, so that one can be rolled up into the other. */
struct mgl_roller {
    mgl_roll_maker maker;
    mgl_rolled_judge judge;
    size_t m;
    uint32_t *order;  /* [m] */
    uint32_t *levels; /* [m] of the node to go to, above the lowest */
    size_t n_stops;
    mgl_rolled first;
    mgl_rolled *lists;       /* [2 * n_stops] */
    const mgl_rolled **path; /* [n_stops + 1] path[i]: the columns before stop i have the levels */
    bool begun;
    uint32_t *of_tuple;        /* [n_tuples] in the first list; optional */
    const uint8_t *suppressed; /* [n] of the last node, in its list */
    mgl_owned own;
};

static mgl_status make_lists(mgl_roller *r, mgl_error *err)
{
    r->order = mgl_own_array(&r->own, r->m, sizeof *r->order);
    r->levels = mgl_own_array(&r->own, r->m, sizeof *r->levels);
    r->path = mgl_own_zeroed(&r->own, r->n_stops + 1, sizeof *r->path);
    r->lists = mgl_own_zeroed(&r->own, r->n_stops, 2 * sizeof *r->lists);
    MGL_TRY(mgl_owned_check(&r->own, err));
    mgl_roller_request(r->maker.problem, r->order);
    MGL_TRY(mgl_rolled_init(&r->first, &r->maker, err));
    for (size_t i = 0; i < 2 * r->n_stops; i++)
        MGL_TRY(mgl_rolled_init(&r->lists[i], &r->maker, err));
    return mgl_roll_first(&r->maker, err, &r->first);
}

mgl_status mgl_roller_new(const mgl_problem *problem, mgl_error *err, mgl_roller **out)
{
    size_t m = problem->list->n_attributes;
    return mgl_roller_with_stops(problem, m > MOST_STOPS ? WIDE_STOPS : m, err, out);
}

mgl_status mgl_roller_with_stops(const mgl_problem *problem, size_t n_stops, mgl_error *err,
                                 mgl_roller **out)
{
    mgl_roller *r;
    MGL_TRY(mgl_new_zeroed(1, sizeof *r, err, &r));
    r->m = problem->list->n_attributes;
    r->n_stops = n_stops;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_roll_maker_make(problem, err, &r->maker));
    MGL_GO(make_lists(r, err));
    MGL_GO(mgl_rolled_judge_make(&r->judge, &r->maker, problem->list->n_tuples, err));
    *out = r;
    r = NULL;
done:
    mgl_roller_free(r);
    return status;
}

void mgl_roller_free(mgl_roller *r)
{
    if (r == NULL)
        return;
    for (size_t i = 0; r->lists != NULL && i < 2 * r->n_stops; i++)
        mgl_rolled_free(&r->lists[i], &r->maker);
    mgl_rolled_free(&r->first, &r->maker);
    mgl_rolled_judge_free(&r->judge);
    mgl_roll_maker_free(&r->maker);
    mgl_owned_free(&r->own);
    mgl_free(r);
}

/* How many columns are before a stop. */
static size_t stop_at(const mgl_roller *r, size_t i)
{
    return r->m * i / r->n_stops;
}

static mgl_roll_rise rise_to(const mgl_roller *r, size_t i)
{
    size_t first = stop_at(r, i);
    return (mgl_roll_rise){r->order + first, stop_at(r, i + 1) - first, r->levels};
}

/* Are the columns between two stops at the levels of the node? */
static bool is_there(const mgl_roller *r, const mgl_rolled *list, size_t i)
{
    mgl_roll_rise rise = rise_to(r, i);
    for (size_t c = 0; c < rise.n_columns; c++)
        if (list->levels[rise.columns[c]] != r->levels[rise.columns[c]])
            return false;
    return true;
}

/* May path[i + 1] of the node before be rolled up to that of this one? The columns before stop i
 * are as they must be, and no other has risen. */
static bool is_near(const mgl_roller *r, size_t i)
{
    mgl_roll_rise rise = rise_to(r, i);
    bool near = r->begun;
    for (size_t c = 0; near && c < rise.n_columns; c++)
        near = r->path[i + 1]->levels[rise.columns[c]] <= r->levels[rise.columns[c]];
    return near;
}

static mgl_status step(mgl_roller *r, size_t i, bool near, mgl_error *err)
{
    const mgl_rolled *from = near ? r->path[i + 1] : r->path[i];
    if (!is_there(r, from, i)) {
        mgl_rolled *to = &r->lists[2 * i];
        mgl_roll_rise rise = rise_to(r, i);
        to += to == from;
        MGL_TRY(mgl_roll_up(&r->maker, from, &rise, err, to));
        from = to;
    }
    r->path[i + 1] = from;
    return MGL_OK;
}

/* Goes to the node from what the way to the one before has in common with it. */
static mgl_status walk(mgl_roller *r, const uint32_t *node, mgl_error *err)
{
    size_t i = 0;
    for (size_t a = 0; a < r->m; a++)
        r->levels[a] = node[a] - r->maker.problem->min_level[a];
    r->path[0] = &r->first;
    while (r->begun && i < r->n_stops && is_there(r, r->path[i + 1], i))
        i++;
    bool near = i < r->n_stops && is_near(r, i);
    r->begun = false; /* until the way is whole again */
    for (; i < r->n_stops; i++, near = false)
        MGL_TRY(step(r, i, near, err));
    r->begun = true;
    return MGL_OK;
}

/* Goes to the node and shows its list to the evaluator. */
static mgl_status show_node(mgl_roller *r, const uint32_t *node, mgl_error *err)
{
    MGL_TRY(walk(r, node, err));
    mgl_rolled_show(&r->judge, r->path[r->n_stops]);
    return MGL_OK;
}

/* Tuples are not those of the problem's list. */
static void keep_tuples(mgl_roller *r, mgl_evaluation *evaluation)
{
    r->suppressed = evaluation->suppressed;
    evaluation->suppressed = NULL;
    evaluation->cells = NULL;
}

mgl_status mgl_roller_evaluate(mgl_roller *r, const uint32_t *node, mgl_error *err,
                               mgl_evaluation *out)
{
    MGL_TRY(show_node(r, node, err));
    if (mgl_evaluate_cells(r->judge.evaluator, node, out) != MGL_OK)
        return mgl_fail_memory(err);
    keep_tuples(r, out);
    return MGL_OK;
}

mgl_status mgl_roller_judge(mgl_roller *r, const uint32_t *node, mgl_error *err,
                            mgl_evaluation *out)
{
    MGL_TRY(show_node(r, node, err));
    mgl_judge_cells(r->judge.evaluator, out);
    keep_tuples(r, out);
    return MGL_OK;
}

static bool make_track(mgl_rolled *list, size_t n)
{
    list->of_first = mgl_own_array(&list->own, n, sizeof *list->of_first);
    for (size_t i = 0; list->of_first != NULL && i < n; i++)
        list->of_first[i] = (uint32_t)i;
    return list->of_first != NULL;
}

mgl_status mgl_roller_track(mgl_roller *r, mgl_error *err)
{
    size_t n = r->maker.problem->list->n_tuples;
    r->of_tuple = mgl_own_array(&r->own, n, sizeof *r->of_tuple);
    bool whole = r->of_tuple != NULL && make_track(&r->first, r->maker.n_first);
    for (size_t i = 0; whole && i < 2 * r->n_stops; i++)
        whole = make_track(&r->lists[i], r->maker.n_first);
    MGL_TRY(mgl_check_memory(whole, err));
    memcpy(r->of_tuple, r->maker.of_tuple, n * sizeof *r->of_tuple); /* of the first list still */
    return MGL_OK;
}

void mgl_roller_suppressed(const mgl_roller *r, uint64_t *bits)
{
    const uint32_t *of_first = r->path[r->n_stops]->of_first;
    size_t n = r->maker.problem->list->n_tuples;
    memset(bits, 0, (n + 63) / 64 * sizeof *bits);
    for (size_t t = 0; t < n; t++)
        bits[t / 64] |= (uint64_t)r->suppressed[of_first[r->of_tuple[t]]] << t % 64;
}

static uint64_t levels_of(const mgl_problem *p, uint32_t a)
{
    return (uint64_t)p->max_level[a] - p->min_level[a] + 1;
}

/* The more leaves the earlier: lists shrink fast then, and most nodes are a small step away from
 * one that they share with others. */
void mgl_roller_request(const mgl_problem *p, uint32_t *order)
{
    for (uint32_t a = 0; a < p->list->n_attributes; a++) {
        size_t i = a;
        uint32_t leaves = p->columns[a]->hierarchy->n_leaves;
        for (; i > 0 && p->columns[order[i - 1]]->hierarchy->n_leaves < leaves; i--)
            order[i] = order[i - 1];
        order[i] = a;
    }
}

uint64_t mgl_roller_place(const mgl_problem *p, const uint32_t *order, const uint32_t *node)
{
    uint64_t place = 0;
    for (size_t i = 0; i < p->list->n_attributes; i++)
        place = place * levels_of(p, order[i]) + (node[order[i]] - p->min_level[order[i]]);
    return place;
}

uint64_t mgl_roller_node(const mgl_problem *p, const uint32_t *order, uint64_t place,
                         uint32_t *node)
{
    uint64_t number = 0;
    for (size_t i = p->list->n_attributes; i-- > 0;) {
        uint32_t a = order[i];
        node[a] = p->min_level[a] + (uint32_t)(place % levels_of(p, a));
        place /= levels_of(p, a);
    }
    for (uint32_t a = 0; a < p->list->n_attributes; a++)
        number = number * levels_of(p, a) + (node[a] - p->min_level[a]);
    return number;
}
