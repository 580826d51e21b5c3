/* Bounds how many rows a node suppresses, quasi-identifier by quasi-identifier. The classes of one
 * depend on the levels of its own columns alone, so there are few nodes to judge, and few tuples.
 *
 *
 * Rows that one quasi-identifier has suppressed are taken out of the classes of the others. A class
 * that violates a model that is upward closed still does, whatever is taken out of it. Other models
 * are certain to have a class suppressed only where it is judged whole: on the first
 * quasi-identifier. So the rows that any of them has suppressed are suppressed in any case. */
#include "search/fulldomain/by_roll_up/floors.h"

/* Nodes are judged so only if they are few, and far fewer than there are in all. */
enum { MOST_NODES = 1 << 16, FEWER = 4 };

/* The most words for the bits of one quasi-identifier (64 megabytes). */
static const size_t MOST_WORDS = (size_t)1 << 23;

/* ---- Which models --------------------------------------------------------------------------- */

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

/* ---- Which columns ------------------------------------------------------------------------- */

static uint64_t nodes_of(const mgl_problem *p, const uint32_t *columns, size_t n)
{
    uint64_t nodes = 1;
    for (size_t i = 0; i < n; i++) {
        uint64_t levels = (uint64_t)p->max_level[columns[i]] - p->min_level[columns[i]] + 1;
        nodes = nodes > UINT64_MAX / levels ? UINT64_MAX : nodes * levels;
    }
    return nodes;
}

/* Columns with few values distinguish least. */
static void drop_column(const mgl_problem *p, uint32_t *columns, size_t *n)
{
    size_t least = 0;
    for (size_t i = 1; i < *n; i++)
        if (p->columns[columns[i]]->hierarchy->n_leaves <
            p->columns[columns[least]]->hierarchy->n_leaves)
            least = i;
    columns[least] = columns[--*n];
}

static size_t choose_columns(const mgl_problem *p, const mgl_quasi_set *set, uint32_t *columns)
{
    size_t n = set->n_attributes;
    uint64_t all = mgl_lattice_size(p->min_level, p->max_level, p->list->n_attributes);
    memcpy(columns, set->attributes, n * sizeof *columns);
    while (n > 0 && (nodes_of(p, columns, n) > MOST_NODES || nodes_of(p, columns, n) > all / FEWER))
        drop_column(p, columns, &n);
    return n;
}

/* ---- One quasi-identifier ------------------------------------------------------------------ */

/* The question of one quasi-identifier alone: all other columns are at their tops, and what
 * violates its models is dropped. */
typedef struct alone {
    mgl_problem problem;
    mgl_quasi_set set;
    mgl_model *models;
    uint32_t *columns, *min_level, *max_level;
    uint32_t *order, *node; /* [n_attributes] see node.h */
    uint64_t limit;         /* more rows than that are not counted exactly */
} alone;

static void free_alone(alone *one)
{
    mgl_free(one->models);
    mgl_free(one->columns);
    mgl_free(one->min_level);
    mgl_free(one->max_level);
    mgl_free(one->order);
    mgl_free(one->node);
}

static mgl_status make_alone(const mgl_problem *p, size_t q, mgl_error *err, alone *one)
{
    const mgl_quasi_set *set = &p->sets[q];
    size_t m = p->list->n_attributes;
    *one = (alone){.problem = *p,
                   .models = mgl_alloc_array(set->n_models, sizeof *one->models),
                   .columns = mgl_alloc_array(set->n_attributes, sizeof *one->columns),
                   .min_level = mgl_alloc_array(m, sizeof *one->min_level),
                   .max_level = mgl_alloc_array(m, sizeof *one->max_level),
                   .order = mgl_alloc_array(m, sizeof *one->order),
                   .node = mgl_alloc_array(m, sizeof *one->node)};
    if (one->models == NULL || one->columns == NULL || one->min_level == NULL ||
        one->max_level == NULL || one->order == NULL || one->node == NULL)
        return mgl_fail_memory(err);
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

static mgl_status make_floor(const alone *one, size_t words, mgl_error *err, mgl_row_floor *out)
{
    const mgl_problem *p = &one->problem;
    size_t m = p->list->n_attributes;
    uint64_t nodes = nodes_of(p, one->columns, one->set.n_attributes), step = 1;
    bool with_bits = words > 0 && nodes <= MOST_WORDS / words;
    out->rows = mgl_alloc_array(nodes, sizeof *out->rows);
    out->step = mgl_alloc_array(m, sizeof *out->step);
    if (with_bits)
        out->bits = mgl_alloc_array(nodes, words * sizeof *out->bits);
    if (out->rows == NULL || out->step == NULL || (with_bits && out->bits == NULL))
        return mgl_fail_memory(err);
    for (size_t a = m; a-- > 0;) {
        uint64_t levels = (uint64_t)p->max_level[a] - p->min_level[a] + 1;
        out->step[a] = levels > 1 ? step : 0;
        step *= levels;
    }
    return MGL_OK;
}

static bool all_upward_closed(const mgl_quasi_set *set)
{
    for (size_t i = 0; i < set->n_models; i++)
        if (!set->models[i].type->upward_closed)
            return false;
    return true;
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
    bool rises = all_upward_closed(&one->set);
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
    alone one;
    mgl_status status = MGL_OK;
    MGL_GO(make_alone(floors->problem, q, err, &one));
    floors->exact = floors->exact && one.set.n_models == class_wise(set) &&
                    (one.set.n_attributes == set->n_attributes || one.set.n_models == 0);
    if (one.set.n_models > 0 && one.set.n_attributes > 0) {
        mgl_row_floor *floor = &floors->floors[floors->n++];
        MGL_GO(make_floor(&one, floors->words, err, floor));
        MGL_GO(mgl_roller_new(&one.problem, err, &roller));
        MGL_GO(fill_floor(&one, floors->words, roller, err, floor, timed_out));
    }
done:
    mgl_roller_free(roller);
    free_alone(&one);
    return status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

mgl_status mgl_row_floors_make(const mgl_problem *problem, mgl_error *err, mgl_row_floors *out,
                               bool *timed_out)
{
    *out = (mgl_row_floors){.problem = problem};
    *timed_out = false;
    out->exact = problem->list->n_tuples > 0 && problem->histories == NULL &&
                 !mgl_judges_table(problem) && classes_are_whole(problem);
    if (problem->n_sets > 1)
        out->words = (problem->list->n_tuples + 63) / 64;
    out->floors = mgl_zeroed_array(problem->n_sets, sizeof *out->floors);
    if (out->floors == NULL)
        return mgl_fail_memory(err);
    for (size_t q = 0; q < problem->n_sets && !*timed_out; q++)
        MGL_TRY(add_floor(out, q, err, timed_out));
    return MGL_OK;
}

void mgl_row_floors_free(mgl_row_floors *floors)
{
    for (size_t i = 0; i < floors->n; i++) {
        mgl_free(floors->floors[i].step);
        mgl_free(floors->floors[i].rows);
        mgl_free(floors->floors[i].bits);
    }
    mgl_free(floors->floors);
    *floors = (mgl_row_floors){0};
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

uint64_t mgl_row_floor_of(mgl_row_floors *floors, const uint32_t *node)
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

uint64_t mgl_rows_enough(const mgl_row_floors *floors)
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
