/* Finds the least level that each column has in any node that holds, and how much work a node or a
 * search is. */
#include "search/fulldomain/by_size/by_size.h"
#include "search/fulldomain/by_value/by_value.h"
#include "search/fulldomain/incognito.h"
#include "search/fulldomain/top_down.h"

uint64_t mgl_work_of_node(const mgl_problem *p)
{
    return UINT64_C(6) * p->list->n_tuples * p->list->n_attributes;
}

bool mgl_is_fast(const mgl_problem *p)
{
    return mgl_by_size_handles(p) || mgl_by_value_handles(p) || p->list->joined != NULL;
}

uint64_t mgl_work_of_search(const mgl_problem *p, uint64_t checked)
{
    enum { ANYWAY = 2000 }; /* whatever the number of tuples */
    if (!mgl_is_fast(p))
        return checked * mgl_work_of_node(p);
    return 2 * mgl_work_of_node(p) + checked * (p->list->n_tuples + ANYWAY);
}

/* ---- The relaxation --------------------------------------------------------------------- */

static const mgl_quasi_set *largest_set(const mgl_problem *p)
{
    const mgl_quasi_set *largest = &p->sets[0];
    for (size_t q = 1; q < p->n_sets; q++)
        if (p->sets[q].n_attributes > largest->n_attributes)
            largest = &p->sets[q];
    return largest;
}

/* Does a union of classes hold? If nothing may be suppressed all of them do, otherwise one is
 * enough to know of. A person in two of them counts once; in the joined view that does not
 * happen. */
static bool is_kept(const mgl_problem *p, const mgl_model_type *type)
{
    bool overlap = p->list->persons != NULL && p->list->joined == NULL;
    bool one_is_enough = p->limit > 0 || overlap;
    return type->scope == MGL_SCOPE_CLASS &&
           (one_is_enough ? type->upward_closed : type->union_closed);
}

static mgl_status find_lowest_of(mgl_relaxation *r, mgl_set_maker *maker, uint32_t a,
                                 uint32_t *levels, mgl_frequency_set *set, mgl_error *err)
{
    const mgl_problem *p = &r->problem;
    bool holds = false;
    for (uint32_t l = p->min_level[a]; !holds && l <= p->max_level[a]; l++) {
        levels[a] = r->lowest[a] = l;
        MGL_TRY(mgl_frequency_set_roll_up(maker, NULL, &a, 1, levels, err, set));
        holds = mgl_frequency_set_holds(maker, set, &a, 1);
    }
    r->met = r->met && holds;
    return MGL_OK;
}

static mgl_status find_lowest(mgl_relaxation *r, mgl_error *err)
{
    const mgl_problem *p = &r->problem;
    mgl_set_maker *maker = NULL;
    mgl_frequency_set set = {0};
    uint32_t *levels = mgl_zeroed_array(p->list->n_attributes, sizeof *levels);
    mgl_status status = MGL_OK;
    if (levels == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(mgl_set_maker_new(p, err, &maker));
    MGL_GO(mgl_frequency_set_init(&set, p, err));
    for (size_t i = 0; i < r->set.n_attributes; i++)
        MGL_GO(find_lowest_of(r, maker, r->set.attributes[i], levels, &set, err));
done:
    mgl_frequency_set_free(&set, p);
    mgl_set_maker_free(maker);
    mgl_free(levels);
    return status;
}

/* ---- The same by sizes alone --------------------------------------------------------------- */

/* Do the models look at nothing but the rows of classes? */
static bool sizes_decide(const mgl_relaxation *r)
{
    bool sizes = r->problem.list->persons == NULL && r->problem.list->n_tuples > 0;
    for (size_t i = 0; sizes && i < r->set.n_models; i++) {
        const mgl_model_type *type = r->set.models[i].type;
        sizes = !mgl_needs_histograms(type) && !type->needs_population;
    }
    return sizes;
}

static bool size_holds(const mgl_relaxation *r, uint64_t rows)
{
    mgl_group group = {.size = rows, .rows = rows};
    for (size_t i = 0; i < r->set.n_models; i++)
        if (!mgl_model_holds(&r->set.models[i], &group))
            return false;
    return true;
}

/* Counts the rows of each value that is released at a level; false if they are not known. */
static bool count_values(const mgl_problem *p, uint32_t a, uint32_t l, uint64_t *rows)
{
    const mgl_released_column *column = p->columns[a];
    const mgl_level *level = &column->hierarchy->levels[l];
    uint64_t sum = 0;
    memset(rows, 0, column->n_values * sizeof *rows);
    for (uint32_t v = 0; v < level->n_values; v++)
        rows[column->of_leaf[l][level->first_leaf[v]]] = mgl_rows_at(p->costs, column, a, l, v);
    for (uint32_t value = 0; value < column->n_values; value++)
        sum += rows[value];
    return sum == p->list->n_rows;
}

/* *known: false if that cannot be found out here. */
static void find_lowest_by_sizes(mgl_relaxation *r, uint32_t a, bool some_stay, uint64_t *rows,
                                 bool *known)
{
    const mgl_problem *p = &r->problem;
    bool holds = false;
    for (uint32_t l = p->min_level[a]; !holds && *known && l <= p->max_level[a]; l++) {
        uint64_t violating = 0;
        *known = count_values(p, a, l, rows);
        for (uint32_t value = 0; value < p->columns[a]->n_values; value++)
            violating += rows[value] > 0 && !size_holds(r, rows[value]) ? rows[value] : 0;
        holds = violating <= p->limit && !(some_stay && violating == p->list->n_rows);
        r->lowest[a] = l;
    }
    r->met = r->met && holds;
}

/* False in *known: nothing was found out. */
static mgl_status find_all_by_sizes(mgl_relaxation *r, mgl_error *err, bool *known)
{
    const mgl_problem *p = &r->problem;
    bool some_stay;
    uint32_t most = 0;
    *known = sizes_decide(r);
    if (!*known)
        return MGL_OK;
    MGL_TRY(mgl_some_must_stay(p, err, &some_stay));
    for (size_t a = 0; a < p->list->n_attributes; a++)
        most = p->columns[a]->n_values > most ? p->columns[a]->n_values : most;
    uint64_t *rows = mgl_alloc_array(most, sizeof *rows);
    if (rows == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; *known && i < r->set.n_attributes; i++)
        find_lowest_by_sizes(r, r->set.attributes[i], some_stay, rows, known);
    mgl_free(rows);
    if (!*known) {
        r->met = true;
        memcpy(r->lowest, p->min_level, p->list->n_attributes * sizeof *r->lowest);
    }
    return MGL_OK;
}

static mgl_status relax(mgl_relaxation *r, const mgl_problem *p, mgl_error *err)
{
    size_t m = p->list->n_attributes;
    const mgl_quasi_set *set = p->n_sets > 0 ? largest_set(p) : &r->set;
    r->problem = *p;
    r->problem.treatment = p->list->joined != NULL ? MGL_DROP : MGL_EXEMPT;
    r->problem.sets = &r->set;
    r->problem.n_sets = 1;
    r->met = true;
    r->set = (mgl_quasi_set){.attributes = set->attributes, .n_attributes = set->n_attributes};
    r->models = mgl_alloc_array(set->n_models, sizeof *r->models);
    r->lowest = mgl_alloc_array(m, sizeof *r->lowest);
    if (r->models == NULL || r->lowest == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < set->n_models; i++)
        if (is_kept(p, set->models[i].type))
            r->models[r->set.n_models++] = set->models[i];
    r->set.models = r->models;
    memcpy(r->lowest, p->min_level, m * sizeof *r->lowest);
    if (r->set.n_models == 0)
        return MGL_OK;
    bool known;
    MGL_TRY(find_all_by_sizes(r, err, &known));
    return known ? MGL_OK : find_lowest(r, err);
}

mgl_status mgl_relaxation_new(const mgl_problem *problem, mgl_error *err, mgl_relaxation **out)
{
    mgl_relaxation *r = mgl_zeroed_array(1, sizeof *r);
    if (r == NULL)
        return mgl_fail_memory(err);
    mgl_status status = relax(r, problem, err);
    if (status != MGL_OK) {
        mgl_relaxation_free(r);
        return status;
    }
    *out = r;
    return MGL_OK;
}

void mgl_relaxation_free(mgl_relaxation *r)
{
    if (r == NULL)
        return;
    mgl_free(r->models);
    mgl_free(r->lowest);
    mgl_free(r);
}
