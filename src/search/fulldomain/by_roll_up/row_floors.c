/* Bounds how many rows a node suppresses, quasi-identifier by quasi-identifier. The classes of one
 * depend on the levels of its own columns alone, so there are few nodes to judge, and few tuples.
 * search_best.c and mark_holding.c call it.
 *
 * Rows that one quasi-identifier has suppressed are taken out of the classes of the others. A class
 * that violates a model that is upward closed still does, whatever is taken out of it. Other models
 * are certain to have a class suppressed only where it is judged whole: on the first
 * quasi-identifier. */
#include "search/fulldomain/by_roll_up/floors.h"

/* Nodes are judged so only if they are few, and far fewer than there are in all. */
enum { MOST_NODES = 1 << 16, FEWER = 4 };

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

/* Columns with few values tell the least. */
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

static mgl_status take_rows(void *context, uint64_t number, const uint32_t *node,
                            const mgl_evaluation *e, mgl_error *err)
{
    uint64_t *rows = context;
    (void)node, (void)err;
    rows[number] = e->suppressed_rows;
    return MGL_OK;
}

/* The question of one quasi-identifier alone: all other columns are at their tops, and what
 * violates its models is dropped. */
typedef struct alone {
    mgl_problem problem;
    mgl_quasi_set set;
    mgl_model *models;
    uint32_t *columns, *min_level, *max_level;
} alone;

static void free_alone(alone *one)
{
    mgl_free(one->models);
    mgl_free(one->columns);
    mgl_free(one->min_level);
    mgl_free(one->max_level);
}

static mgl_status make_alone(const mgl_problem *p, size_t q, mgl_error *err, alone *one)
{
    const mgl_quasi_set *set = &p->sets[q];
    size_t m = p->list->n_attributes;
    *one = (alone){.problem = *p,
                   .models = mgl_alloc_array(set->n_models, sizeof *one->models),
                   .columns = mgl_alloc_array(set->n_attributes, sizeof *one->columns),
                   .min_level = mgl_alloc_array(m, sizeof *one->min_level),
                   .max_level = mgl_alloc_array(m, sizeof *one->max_level)};
    if (one->models == NULL || one->columns == NULL || one->min_level == NULL ||
        one->max_level == NULL)
        return mgl_fail_memory(err);
    size_t n = choose_columns(p, set, one->columns);
    bool whole = q == 0 && n == set->n_attributes && classes_are_whole(p);
    one->set =
        (mgl_quasi_set){one->columns, n, one->models, choose_models(set, whole, one->models)};
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
    one->problem.label = NULL;
    return MGL_OK;
}

static mgl_status fill_floor(const alone *one, mgl_error *err, mgl_row_floor *out, bool *timed_out)
{
    const mgl_problem *p = &one->problem;
    size_t m = p->list->n_attributes;
    uint64_t step = 1, visited;
    out->rows =
        mgl_alloc_array(nodes_of(p, one->columns, one->set.n_attributes), sizeof *out->rows);
    out->step = mgl_alloc_array(m, sizeof *out->step);
    if (out->rows == NULL || out->step == NULL)
        return mgl_fail_memory(err);
    for (size_t a = m; a-- > 0;) {
        uint64_t levels = (uint64_t)p->max_level[a] - p->min_level[a] + 1;
        out->step[a] = levels > 1 ? step : 0;
        step *= levels;
    }
    return mgl_lattice_visit(p, take_rows, out->rows, err, &visited, timed_out);
}

static mgl_status add_floor(mgl_row_floors *floors, size_t q, mgl_error *err, bool *timed_out)
{
    alone one;
    mgl_status status = MGL_OK;
    MGL_GO(make_alone(floors->problem, q, err, &one));
    if (one.set.n_models > 0 && one.set.n_attributes > 0)
        MGL_GO(fill_floor(&one, err, &floors->floors[floors->n++], timed_out));
done:
    free_alone(&one);
    return status;
}

/* ---- All of them ----------------------------------------------------------------------------- */

mgl_status mgl_row_floors_make(const mgl_problem *problem, mgl_error *err, mgl_row_floors *out,
                               bool *timed_out)
{
    *out = (mgl_row_floors){.problem = problem};
    *timed_out = false;
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
    }
    mgl_free(floors->floors);
    *floors = (mgl_row_floors){0};
}

uint64_t mgl_row_floor_of(const mgl_row_floors *floors, const uint32_t *node)
{
    const mgl_problem *p = floors->problem;
    uint64_t most = 0;
    for (size_t i = 0; i < floors->n; i++) {
        const mgl_row_floor *floor = &floors->floors[i];
        uint64_t number = 0;
        for (size_t a = 0; a < p->list->n_attributes; a++)
            number += floor->step[a] * (node[a] - p->min_level[a]);
        most = floor->rows[number] > most ? floor->rows[number] : most;
    }
    return most;
}
