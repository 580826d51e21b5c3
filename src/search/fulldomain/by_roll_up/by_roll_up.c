/* Searches with any models: judges node by node, from lists that are rolled up. */
#include "search/fulldomain/branch/branch.h"
#include "search/fulldomain/by_roll_up/by_roll_up.h"

#include <stdlib.h>

/* The rows that the models on one quasi-identifier have suppressed, at each node of its own columns
 * or of some of them. */
typedef struct mgl_row_floor {
    uint64_t
        *step; /* [n_attributes] what a level adds to the number of the node; 0: not of these */
    uint64_t *rows; /* by number */
    uint64_t *bits; /* by number, words for each: the tuples; NULL: that would be too much */
    uint64_t at;    /* the number of the node that was asked for */
} mgl_row_floor;

typedef struct mgl_row_floors {
    const mgl_problem *problem;
    size_t n, words;
    mgl_row_floor *floors;
    bool exact; /* a node that must suppress no row holds */
    mgl_owned own;
} mgl_row_floors;

/* Bounds how many rows a node suppresses, quasi-identifier by quasi-identifier. The classes of one
 * depend on the levels of its own columns alone, so there are few nodes to judge, and few tuples.
 *
 * Rows that one quasi-identifier has suppressed are taken out of the classes of the others. A class
 * that violates a model that is upward closed still does, whatever is taken out of it. Other models
 * are certain to have a class suppressed only where it is judged whole: on the first
 * quasi-identifier. So the rows that any of them has suppressed are suppressed in any case. */

/* Nodes are judged so only if they are few, and far fewer than there are in all. */
enum { MOST_FLOOR_NODES = 1 << 16, FEWER = 4 };

/* The most words for the bits of one quasi-identifier (64 megabytes). */
static const size_t MOST_WORDS = (size_t)1 << 23;

/* At each level, do all values of a column read as the top, or none? */
static bool column_tops_are_whole(const mgl_problem *p, size_t a)
{
    const mgl_released_column *column = p->columns[a];
    for (uint32_t l = p->min_level[a]; l <= p->max_level[a]; l++) {
        uint32_t tops = 0;
        for (uint32_t leaf = 0; leaf < column->hierarchy->n_leaves; leaf++)
            tops += column->of_leaf[l][leaf] == column->top;
        if (tops > 0 && tops < column->hierarchy->n_leaves)
            return false;
    }
    return true;
}

/* Is no row suppressed because of where it is before classes are judged? */
static bool classes_are_whole(const mgl_problem *p)
{
    for (size_t a = 0; p->treatment != MGL_DROP && a < p->list->n_attributes; a++)
        if (!column_tops_are_whole(p, a))
            return false;
    return true;
}

static size_t choose_models(const mgl_quasi_set *set, bool whole, mgl_model *models)
{
    size_t n = 0;
    for (size_t i = 0; i < set->n_models; i++) {
        const mgl_model_type *type = set->models[i].type;
        if (type->scope == MGL_SCOPE_CLASS && (whole || type->upward_closed))
            models[n++] = set->models[i];
    }
    return n;
}

static uint64_t nodes_of(const mgl_problem *p, const uint32_t *columns, size_t n)
{
    uint64_t nodes = 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t levels = (uint64_t)p->max_level[columns[i]] - p->min_level[columns[i]] + 1;
        nodes = nodes > UINT64_MAX / levels ? UINT64_MAX : nodes * levels;
    }
    return nodes;
}

static size_t choose_columns(const mgl_problem *p, const mgl_quasi_set *set, uint32_t *columns)
{
    size_t n = set->n_attributes;
    uint64_t all = mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
    memcpy(columns, set->attributes, n * sizeof *columns);
    while (n > 0 &&
           (nodes_of(p, columns, n) > MOST_FLOOR_NODES || nodes_of(p, columns, n) > all / FEWER)) {
        /* Columns with few values distinguish least. */
        size_t least = 0;
        for (size_t i = 1; i < n; i++)
            if (p->columns[columns[i]]->hierarchy->n_leaves <
                p->columns[columns[least]]->hierarchy->n_leaves)
                least = i;
        columns[least] = columns[--n];
    }
    return n;
}

/* The question of one quasi-identifier alone: all other columns are at their tops, and what
 * violates its models is dropped. */
typedef struct alone {
    mgl_problem problem;
    mgl_quasi_set set;
    mgl_model *models;
    uint32_t *columns, *min_level, *max_level;
    uint32_t *order, *node; /* [n_attributes] see node.h */
    uint64_t limit;         /* more rows than that are not counted exactly */
    mgl_owned own;
} alone;

static mgl_status make_alone(const mgl_problem *p, size_t q, mgl_error *err, alone *one)
{
    const mgl_quasi_set *set = &p->sets[q];
    size_t m = p->list->n_attributes;
    one->problem = *p;
    one->models = mgl_own_array(&one->own, set->n_models, sizeof *one->models);
    one->columns = mgl_own_array(&one->own, set->n_attributes, sizeof *one->columns);
    one->min_level = mgl_own_array(&one->own, m, sizeof *one->min_level);
    one->max_level = mgl_own_array(&one->own, m, sizeof *one->max_level);
    one->order = mgl_own_array(&one->own, m, sizeof *one->order);
    one->node = mgl_own_array(&one->own, m, sizeof *one->node);
    MGL_TRY(mgl_owned_check(&one->own, err));
    size_t n = choose_columns(p, set, one->columns);
    bool whole = q == 0 && n == set->n_attributes && classes_are_whole(p);
    one->set = (mgl_quasi_set){.attributes = one->columns,
                               .n_attributes = n,
                               .models = one->models,
                               .n_models = choose_models(set, whole, one->models)};
    for (size_t a = 0; a < m; a++)
        one->min_level[a] = one->max_level[a] = p->columns[a]->hierarchy->height;
    for (size_t i = 0; i < n; i++) {
        one->min_level[one->columns[i]] = p->min_level[one->columns[i]];
        one->max_level[one->columns[i]] = p->max_level[one->columns[i]];
    }
    one->problem.min_level = one->min_level;
    one->problem.max_level = one->max_level;
    one->problem.sets = &one->set;
    one->problem.n_sets = 1;
    one->problem.treatment = MGL_DROP;
    one->problem.limit = p->list->n_rows;
    one->limit = p->limit;
    one->problem.label = NULL;
    return MGL_OK;
}

static mgl_status make_floor(const alone *one, size_t words, mgl_owned *own, mgl_error *err,
                             mgl_row_floor *out)
{
    const mgl_problem *p = &one->problem;
    size_t m = p->list->n_attributes;
    uint64_t nodes = nodes_of(p, one->columns, one->set.n_attributes), step = 1;
    bool with_bits = words > 0 && nodes <= MOST_WORDS / words;
    out->rows = mgl_own_array(own, nodes, sizeof *out->rows);
    out->step = mgl_own_array(own, m, sizeof *out->step);
    if (with_bits)
        out->bits = mgl_own_array(own, nodes, words * sizeof *out->bits);
    MGL_TRY(mgl_owned_check(own, err));
    for (size_t a = m; a-- > 0;) {
        uint64_t levels = (uint64_t)p->max_level[a] - p->min_level[a] + 1;
        out->step[a] = levels > 1 ? step : 0;
        step *= levels;
    }
    return MGL_OK;
}

/* The most rows that a node just above has suppressed, which is known already. */
static uint64_t rows_above(const alone *one, const mgl_row_floor *floor, uint64_t number)
{
    const mgl_problem *p = &one->problem;
    uint64_t most = 0;
    for (size_t a = 0; a < p->list->n_attributes; a++)
        if (one->node[a] < p->max_level[a] && floor->rows[number + floor->step[a]] > most)
            most = floor->rows[number + floor->step[a]];
    return most;
}

/* Judges the nodes of the columns, from the top down: what is suppressed for upward closed models
 * at a node is suppressed below it, too, so that more than the limit need not be counted again. */
static mgl_status fill_floor(const alone *one, size_t words, mgl_roller *roller, mgl_error *err,
                             mgl_row_floor *out, bool *timed_out)
{
    const mgl_problem *p = &one->problem;
    uint64_t nodes = nodes_of(p, one->columns, one->set.n_attributes);
    bool rises = !(mgl_models_of(&one->set) & MGL_SOME_BREAK);
    if (out->bits != NULL)
        MGL_TRY(mgl_roller_track(roller, err));
    mgl_roller_request(p, one->order);
    for (uint64_t place = nodes; place-- > 0 && !*timed_out;) {
        mgl_evaluation e;
        uint64_t number = mgl_roller_node(p, one->order, place, one->node);
        out->rows[number] = rises ? rows_above(one, out, number) : 0;
        if (out->rows[number] > one->limit)
            continue;
        MGL_TRY(mgl_roller_judge(roller, one->node, err, &e));
        out->rows[number] = e.suppressed_rows;
        if (out->bits != NULL)
            mgl_roller_suppressed(roller, out->bits + number * words);
        *timed_out = mgl_problem_is_late(p);
    }
    return MGL_OK;
}

static size_t class_wise(const mgl_quasi_set *set)
{
    size_t n = 0;
    for (size_t i = 0; i < set->n_models; i++)
        n += set->models[i].type->scope == MGL_SCOPE_CLASS;
    return n;
}

static mgl_status add_floor(mgl_row_floors *floors, size_t q, mgl_error *err, bool *timed_out)
{
    const mgl_quasi_set *set = &floors->problem->sets[q];
    mgl_roller *roller = NULL;
    alone one = {0};
    mgl_status status = MGL_OK;
    MGL_GO(make_alone(floors->problem, q, err, &one));
    floors->exact = floors->exact && one.set.n_models == class_wise(set) &&
                    (one.set.n_attributes == set->n_attributes || one.set.n_models == 0);
    if (one.set.n_models > 0 && one.set.n_attributes > 0) {
        mgl_row_floor *floor = &floors->floors[floors->n++];
        MGL_GO(make_floor(&one, floors->words, &floors->own, err, floor));
        MGL_GO(mgl_roller_new(&one.problem, err, &roller));
        MGL_GO(fill_floor(&one, floors->words, roller, err, floor, timed_out));
    }
done:
    mgl_roller_free(roller);
    mgl_owned_free(&one.own);
    return status;
}

/* Free what it owns, also after a failure. *timed_out: there was no time for all. */
static mgl_status row_floors_make(const mgl_problem *problem, mgl_error *err, mgl_row_floors *out,
                                  bool *timed_out)
{
    *out = (mgl_row_floors){.problem = problem};
    *timed_out = false;
    out->exact = problem->list->n_tuples > 0 && problem->histories == NULL &&
                 !mgl_judges_table(problem) && classes_are_whole(problem);
    if (problem->n_sets > 1)
        out->words = (problem->list->n_tuples + 63) / 64;
    out->floors = mgl_own_zeroed(&out->own, problem->n_sets, sizeof *out->floors);
    MGL_TRY(mgl_owned_check(&out->own, err));
    for (size_t q = 0; q < problem->n_sets && !*timed_out; q++)
        MGL_TRY(add_floor(out, q, err, timed_out));
    return MGL_OK;
}

/* Rows that one or the other quasi-identifier has suppressed. */
static uint64_t rows_of_all(const mgl_row_floors *floors)
{
    const uint64_t *counts = floors->problem->list->counts;
    uint64_t rows = 0;
    for (size_t w = 0; w < floors->words; w++) {
        uint64_t bits = 0;
        for (size_t i = 0; i < floors->n; i++)
            bits |= floors->floors[i].bits[floors->floors[i].at * floors->words + w];
        for (; bits != 0; bits &= bits - 1)
            rows += counts[w * 64 + (size_t)__builtin_ctzll(bits)];
    }
    return rows;
}

/* How many rows the node suppresses at least. */
static uint64_t row_floor_of(mgl_row_floors *floors, const uint32_t *node)
{
    const mgl_problem *p = floors->problem;
    uint64_t most = 0, sum = 0;
    bool with_bits = true;
    for (size_t i = 0; i < floors->n; i++) {
        mgl_row_floor *floor = &floors->floors[i];
        floor->at = 0;
        for (size_t a = 0; a < p->list->n_attributes; a++)
            floor->at += floor->step[a] * (node[a] - p->min_level[a]);
        uint64_t rows = floor->rows[floor->at];
        most = rows > most ? rows : most;
        sum += rows;
        with_bits = with_bits && floor->bits != NULL;
    }
    return most < sum && most <= p->limit && with_bits ? rows_of_all(floors) : most;
}

/* So many suppressed rows are a class that holds whatever they are, where they are kept and models
 * look at sizes alone; 0: there is no such number. */
static uint64_t rows_enough(const mgl_row_floors *floors)
{
    const mgl_problem *p = floors->problem;
    uint64_t most = 1;
    if (!floors->exact || p->treatment != MGL_KEEP || p->list->persons != NULL)
        return 0;
    for (size_t q = 0; q < p->n_sets; q++) {
        mgl_problem one = *p;
        one.sets = &p->sets[q];
        one.n_sets = 1;
        for (size_t i = 0; i < p->sets[q].n_models; i++) {
            const mgl_model_type *type = p->sets[q].models[i].type;
            if (!mgl_asks_for_size(type) || type->needs_population)
                return 0;
        }
        uint64_t size = mgl_demand_size(&one);
        most = size > most ? size : most;
    }
    return most;
}

/* Marks the nodes that hold, height by height: where holding is monotone, what lies above a node
 * that holds is not judged.
 *
 * Where suppressed rows are kept, holding is not monotone, since few rows are no class that holds.
 * But the rows that must be suppressed become fewer further up: above a node that keeps the limit,
 * a node holds if those that it must suppress are none, or enough for a class. */

/* Beyond, nodes are judged in the order of their numbers, all of them. */
static const uint64_t MOST_NODES = UINT64_C(1) << 24;

typedef struct marks {
    const mgl_problem *problem;
    size_t m;
    uint64_t size;
    bool rising;     /* nodes above one that holds do, or count as if they did */
    uint64_t enough; /* see rows_enough */
    uint8_t *within; /* [size] models have no more rows suppressed than the limit allows; NULL: not
                        looked at */
    mgl_row_floors rows;
    mgl_batch *batch;
    size_t *start;     /* [height + 2] where the nodes of each height lie */
    uint32_t *numbers; /* [size] by height, then by number */
    uint64_t *step;    /* [m] what a level adds to a number */
    uint32_t *node;    /* [m] */
    uint32_t *nodes;   /* of those that are to be judged */
    uint32_t *open;    /* their numbers */
    mgl_judged *judged;
    size_t room, open_room, judged_room;
    uint8_t *holds;
    uint64_t checked;
    bool timed_out;
    mgl_owned own;
} marks;

static uint64_t height_of(const marks *s)
{
    return mgl_node_height(s->node, s->m) - mgl_node_height(s->problem->min_level, s->m);
}

static mgl_status sort_by_height(marks *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    uint64_t heights =
        mgl_node_height(p->max_level, s->m) - mgl_node_height(p->min_level, s->m) + 1;
    s->start = mgl_own_zeroed(&s->own, heights + 2, sizeof *s->start);
    s->numbers = mgl_own_array(&s->own, s->size, sizeof *s->numbers);
    MGL_TRY(mgl_owned_check(&s->own, err));
    memcpy(s->node, p->min_level, s->m * sizeof *s->node);
    do
        s->start[height_of(s) + 2]++;
    while (mgl_lattice_next(s->node, p->min_level, p->max_level, s->m));
    for (uint64_t h = 0; h < heights; h++)
        s->start[h + 2] += s->start[h + 1];
    memcpy(s->node, p->min_level, s->m * sizeof *s->node);
    for (uint32_t number = 0; number < s->size; number++) {
        s->numbers[s->start[height_of(s) + 1]++] = number; /* moves starts to where they belong */
        mgl_lattice_next(s->node, p->min_level, p->max_level, s->m);
    }
    return MGL_OK;
}

/* Is a node just below marked? */
static bool is_above(const marks *s, const uint8_t *marked, uint32_t number)
{
    for (size_t a = 0; a < s->m; a++)
        if (s->node[a] > s->problem->min_level[a] && marked[number - s->step[a]])
            return true;
    return false;
}

/* What is known of a node without a look. */
static uint8_t mark_known(marks *s, uint32_t number)
{
    if (s->rising && is_above(s, s->holds, number))
        return MGL_HOLDS;
    uint64_t rows = row_floor_of(&s->rows, s->node);
    if (rows > s->problem->limit)
        return MGL_HOLDS_NOT;
    if (s->rows.exact && rows == 0)
        return MGL_HOLDS;
    bool within = s->within != NULL && is_above(s, s->within, number);
    if (within)
        s->within[number] = true;
    return within && rows >= s->enough ? MGL_HOLDS : MGL_HOLDS_OPEN;
}

static bool make_room(marks *s, size_t n)
{
    return mgl_grow(&s->nodes, &s->room, n * s->m, sizeof *s->nodes) &&
           mgl_grow(&s->open, &s->open_room, n, sizeof *s->open) &&
           mgl_grow(&s->judged, &s->judged_room, n, sizeof *s->judged);
}

static mgl_status mark_height(marks *s, size_t h, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    size_t n = 0;
    MGL_TRY(mgl_check_memory(make_room(s, s->start[h + 1] - s->start[h]), err));
    for (size_t i = s->start[h]; i < s->start[h + 1]; i++) {
        uint32_t number = s->numbers[i];
        mgl_lattice_node(number, p->min_level, p->max_level, s->m, s->node);
        s->holds[number] = mark_known(s, number);
        if (s->within != NULL && s->holds[number] == MGL_HOLDS)
            s->within[number] = true;
        if (s->holds[number] != MGL_HOLDS_OPEN)
            continue;
        memcpy(s->nodes + n * s->m, s->node, s->m * sizeof *s->node);
        s->open[n++] = number;
    }
    if (n == 0)
        return MGL_OK;
    MGL_TRY(mgl_batch_run(s->batch, s->nodes, n, err, s->judged, &s->timed_out));
    s->checked += n;
    for (size_t i = 0; i < n; i++) {
        s->holds[s->open[i]] = s->judged[i].holds ? MGL_HOLDS : MGL_HOLDS_NOT;
        if (s->within != NULL && s->judged[i].holds)
            s->within[s->open[i]] = true;
    }
    return MGL_OK;
}

static mgl_status mark_all(marks *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    uint64_t step = 1;
    s->node = mgl_own_array(&s->own, s->m, sizeof *s->node);
    s->step = mgl_own_array(&s->own, s->m, sizeof *s->step);
    MGL_TRY(mgl_owned_check(&s->own, err));
    for (size_t a = s->m; a-- > 0; step *= (uint64_t)p->max_level[a] - p->min_level[a] + 1)
        s->step[a] = step;
    MGL_TRY(sort_by_height(s, err));
    MGL_TRY(mgl_batch_new(p, err, &s->batch));
    mgl_batch_without_costs(s->batch);
    MGL_TRY(row_floors_make(p, err, &s->rows, &s->timed_out));
    s->enough = s->rising ? 0 : rows_enough(&s->rows);
    if (s->enough > 0 && (s->within = mgl_own_zeroed(&s->own, s->size, 1)) == NULL)
        return mgl_fail_memory(err);
    for (size_t h = 0; s->start[h] < s->size && !s->timed_out; h++)
        MGL_TRY(mark_height(s, h, err));
    return MGL_OK;
}

static mgl_status take_mark(void *context, uint64_t number, const uint32_t *node,
                            const mgl_evaluation *e, mgl_error *err)
{
    uint8_t *holds = context;
    (void)node, (void)err;
    holds[number] = e->holds ? MGL_HOLDS : MGL_HOLDS_NOT;
    return MGL_OK;
}

/* Of the top node, a history may violate a model by itself that was suppressed further below. */
static bool rises(const mgl_problem *problem)
{
    return problem->histories == NULL && mgl_holding_is_monotone(problem);
}

mgl_status mgl_by_roll_up_holding(const mgl_problem *problem, bool above, mgl_error *err,
                                  uint8_t *holds, uint64_t *checked)
{
    size_t m = problem->list->n_attributes;
    marks s = {.problem = problem,
               .m = m,
               .size = mgl_lattice_size(problem->min_level, problem->max_level, m),
               .rising = above || rises(problem),
               .holds = holds};
    mgl_status status = s.size <= MOST_NODES ? mark_all(&s, err)
                                             : mgl_lattice_visit(problem, take_mark, holds, err,
                                                                 &s.checked, &s.timed_out);
    mgl_batch_free(s.batch);
    mgl_owned_free(&s.rows.own);
    mgl_free(s.nodes);
    mgl_free(s.open);
    mgl_free(s.judged);
    mgl_owned_free(&s.own);
    *checked = s.checked;
    if (status == MGL_OK && s.timed_out)
        return mgl_fail_nodes_left(err);
    return status == MGL_OK && above && s.size > MOST_NODES ? mgl_mark_above(problem, err, holds)
                                                            : status;
}

/* Finds the best nodes: those that can cost least are judged first, until none that is left can be
 * as good as the best. */

/* So many nodes are put in order at once, and so many judged before the best is looked at again:
 * whatever the number of threads. */
enum { NODES_IN_ORDER = 1 << 20, NODES_AT_ONCE = 64 };

typedef struct candidate {
    double floor;
    uint64_t number;
} candidate;

typedef struct search {
    const mgl_problem *problem;
    size_t m;
    mgl_row_floors rows;
    mgl_cost_floors costs;
    mgl_batch *batch;
    uint32_t *node;        /* [m] */
    candidate *candidates; /* [n] ascending */
    size_t n;
    uint32_t *nodes; /* [NODES_AT_ONCE * m] */
    mgl_judged *judged;
    mgl_optimum *out;
} search;

static const mgl_sort_key by_floor[] = {MGL_ASCENDING(candidate, floor),
                                        MGL_ASCENDING(candidate, number), MGL_SORT_END};

/* Those of the nodes first..end-1 that may be among the best. */
static void list_candidates(search *s, uint64_t first, uint64_t end)
{
    const mgl_problem *p = s->problem;
    double worst = mgl_cost_floor_worst(&s->costs, s->out->ties.best);
    s->n = 0;
    mgl_lattice_node(first, p->min_level, p->max_level, s->m, s->node);
    for (uint64_t number = first; number < end; number++) {
        uint64_t rows = row_floor_of(&s->rows, s->node);
        double floor = rows <= p->limit ? mgl_cost_floor_of(&s->costs, s->node, rows) : INFINITY;
        if (rows <= p->limit && floor <= worst)
            s->candidates[s->n++] = (candidate){floor, number};
        mgl_lattice_next(s->node, p->min_level, p->max_level, s->m);
    }
    mgl_sort(s->candidates, s->n, sizeof *s->candidates, by_floor);
}

static mgl_status judge(search *s, const candidate *candidates, size_t n, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    for (size_t i = 0; i < n; i++)
        mgl_lattice_node(candidates[i].number, p->min_level, p->max_level, s->m,
                         s->nodes + i * s->m);
    MGL_TRY(mgl_batch_run(s->batch, s->nodes, n, err, s->judged, &s->out->timed_out));
    s->out->checked += n;
    for (size_t i = 0; i < n; i++)
        if (s->judged[i].holds)
            MGL_TRY(mgl_ties_add(&s->out->ties, s->nodes + i * s->m, s->judged[i].cost, err));
    return MGL_OK;
}

static mgl_status judge_candidates(search *s, mgl_error *err)
{
    size_t n;
    for (size_t first = 0; first < s->n && !s->out->timed_out; first += n) {
        double worst = mgl_cost_floor_worst(&s->costs, s->out->ties.best);
        for (n = 0; n < NODES_AT_ONCE && first + n < s->n; n++)
            if (s->candidates[first + n].floor > worst)
                break;
        if (n == 0)
            break;
        MGL_TRY(judge(s, s->candidates + first, n, err));
    }
    return MGL_OK;
}

static mgl_status search_all(search *s, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    uint64_t size = mgl_lattice_size(p->min_level, p->max_level, s->m);
    if (size > MGL_TOO_MANY_NODES)
        return mgl_refuse_lattice(err);
    MGL_TRY(mgl_new_array(size < NODES_IN_ORDER ? size : NODES_IN_ORDER, sizeof *s->candidates, err,
                          &s->candidates));
    for (uint64_t first = 0; first < size && !s->out->timed_out; first += NODES_IN_ORDER) {
        uint64_t rest = size - first;
        list_candidates(s, first, first + (rest < NODES_IN_ORDER ? rest : NODES_IN_ORDER));
        MGL_TRY(judge_candidates(s, err));
        s->out->timed_out = s->out->timed_out || (first > 0 && mgl_problem_is_late(p));
    }
    return MGL_OK;
}

mgl_status mgl_by_roll_up_optimum(const mgl_problem *problem, mgl_error *err, mgl_optimum *out)
{
    size_t m = problem->list->n_attributes;
    search s = {.problem = problem, .m = m, .out = out};
    mgl_status status = MGL_OK;
    out->checked = 0;
    out->timed_out = false;
    s.node = mgl_alloc_array(m, sizeof *s.node);
    s.nodes = mgl_alloc_array(m, NODES_AT_ONCE * sizeof *s.nodes);
    s.judged = mgl_alloc_array(NODES_AT_ONCE, sizeof *s.judged);
    MGL_GO(mgl_check_memory(s.node != NULL && s.nodes != NULL && s.judged != NULL, err));
    MGL_GO(mgl_batch_new(problem, err, &s.batch));
    MGL_GO(mgl_cost_floors_make(problem, err, &s.costs));
    MGL_GO(row_floors_make(problem, err, &s.rows, &out->timed_out));
    if (!out->timed_out)
        MGL_GO(search_all(&s, err));
    mgl_ties_sort(&out->ties);
done:
    mgl_batch_free(s.batch);
    mgl_cost_floors_free(&s.costs);
    mgl_owned_free(&s.rows.own);
    mgl_free(s.node);
    mgl_free(s.nodes);
    mgl_free(s.judged);
    mgl_free(s.candidates);
    return status;
}
