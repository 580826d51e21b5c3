/* Has a method that knows one quasi-identifier release several, one set of columns after the other.
 * Releases are judged and compared by cost, and the best one is kept. */
#include "search/sets/sets.h"

#include <stdlib.h>

/* Judges releases of several quasi-identifiers and keeps the one that costs least. */

/* A value that a method made has no level: what it loses is all that is known of it. */
static double cost_of(const mgl_problem *p, const mgl_recoding *recoding, size_t a, uint32_t value)
{
    const mgl_measure_type *measure = p->measure;
    double weight = measure->weighted ? p->weights[a] : 1;
    if (recoding->columns[a] != p->columns[a] || !mgl_adds_up(measure))
        return weight * recoding->columns[a]->values[value].loss;
    if (measure->cells == MGL_PAYS_LEVEL)
        return weight * p->costs->distortion[a][value];
    return weight *
           (measure->cells == MGL_PAYS_LEAVES ? p->costs->loss : p->costs->log_rows)[a][value];
}

double mgl_sets_cost(const mgl_problem *problem, const mgl_recoding *recoding)
{
    double sum = 0;
    for (size_t a = 0; a < recoding->n_attributes; a++)
        for (size_t t = 0; t < recoding->n_tuples; t++)
            sum += (double)problem->list->counts[t] *
                   cost_of(problem, recoding, a, recoding->cells[a][t]);
    return sum;
}

/* Rows at the top are suppressed ones unless they are a class that levels allow; all of them at the
 * top are one, but nothing is left to release if they are dropped. */
static bool keeps_limit(const mgl_problem *p, const mgl_recoding *recoding)
{
    uint64_t suppressed = 0, tops = 0, n_rows = p->list->n_rows;
    for (size_t t = 0; t < recoding->n_tuples; t++) {
        suppressed += recoding->suppressed[t] ? p->list->counts[t] : 0;
        tops += mgl_recoding_is_top(recoding, t) ? p->list->counts[t] : 0;
    }
    if (p->treatment == MGL_DROP)
        return suppressed <= p->limit && suppressed < n_rows;
    bool allowed = mgl_levels_allow_top(p);
    if (p->treatment == MGL_KEEP)
        return allowed || tops <= p->limit;
    return tops <= p->limit || (tops == n_rows && allowed);
}

mgl_status mgl_sets_take_better(const mgl_problem *problem, mgl_recoding *recoding, mgl_error *err,
                                mgl_solution *out)
{
    bool takes = false;
    if (problem->treatment != MGL_DROP)
        mgl_recoding_mark_tops(recoding, problem->list->counts, problem->pool);
    mgl_status status = mgl_recoding_holds(problem, recoding, err, &takes);
    takes = takes && keeps_limit(problem, recoding) &&
            (out->recoding == NULL ||
             mgl_sets_cost(problem, recoding) < mgl_sets_cost(problem, out->recoding));
    mgl_recoding *loser = takes ? out->recoding : recoding;
    if (takes) {
        out->recoding = recoding;
        out->suppressed_rows = 0;
        for (size_t t = 0; t < recoding->n_tuples; t++)
            out->suppressed_rows += recoding->suppressed[t] ? problem->list->counts[t] : 0;
    }
    mgl_recoding_free(loser);
    return status;
}

enum { MOST_ORDERS = 6 };

/* Sets that are released together, in their order. */
typedef struct step {
    uint8_t *columns; /* [m] */
    size_t models_of;
} step;

typedef struct ordered_search {
    const mgl_method_type *method;
    const mgl_problem *problem;
    size_t m, n;
    step *steps;        /* [n_sets] */
    uint8_t *columns;   /* theirs */
    size_t n_steps;     /* of the order that is tried */
    uint8_t *released;  /* [m] columns that have had their step */
    uint8_t *free;      /* [m] those of this step */
    uint8_t *gone;      /* [n] suppressed as a whole */
    uint32_t *fixed;    /* [m] columns of this step that were released before */
    uint32_t *block_of; /* [n] */
    mgl_classes classes;
    mgl_recoding *recoding; /* put together step by step */
    mgl_released_column **own;
    const char *made;
    bool timed_out;
    mgl_owned memory;
} ordered_search;

static bool contains(const uint8_t *columns, const uint8_t *others, size_t m)
{
    for (size_t a = 0; a < m; a++)
        if (others[a] && !columns[a])
            return false;
    return true;
}

/* Is what the set has in common with earlier steps all in one of them? Then its combinations of
 * values are unions of classes. */
static bool fits(const ordered_search *x, const uint8_t *columns)
{
    uint8_t shared[MGL_MOST_COLUMNS] = {0};
    for (size_t i = 0; i < x->n_steps; i++)
        for (size_t a = 0; a < x->m; a++)
            shared[a] |= columns[a] & x->steps[i].columns[a];
    for (size_t i = 0; i < x->n_steps; i++)
        if (contains(x->steps[i].columns, shared, x->m))
            return true;
    return !memchr(shared, 1, x->m);
}

/* Earlier steps with a column of this one become part of it, until none is left. */
static void absorb(ordered_search *x, step *whole)
{
    for (size_t i = 0; i < x->n_steps;) {
        bool touches = false;
        for (size_t a = 0; a < x->m; a++)
            touches = touches || (whole->columns[a] & x->steps[i].columns[a]);
        if (!touches) {
            i++;
            continue;
        }
        step absorbed = x->steps[i];
        for (size_t a = 0; a < x->m; a++)
            whole->columns[a] |= absorbed.columns[a];
        whole->models_of = absorbed.models_of; /* an earlier one asks for no less */
        memmove(&x->steps[i], &x->steps[i + 1], (x->n_steps - i - 1) * sizeof absorbed);
        x->n_steps--;
        i = 0;
    }
}

static void make_steps(ordered_search *x, const size_t *order)
{
    const mgl_problem *p = x->problem;
    memset(x->columns, 0, p->n_sets * x->m);
    x->n_steps = 0;
    for (size_t i = 0; i < p->n_sets; i++) {
        const mgl_quasi_set *set = &p->sets[order[i]];
        step next = {.columns = x->columns + i * x->m, .models_of = order[i]};
        for (size_t c = 0; c < set->n_attributes; c++)
            next.columns[set->attributes[c]] = 1;
        if (!fits(x, next.columns))
            absorb(x, &next);
        x->steps[x->n_steps++] = next;
    }
}

static uint64_t size_of_set(const mgl_problem *p, size_t q)
{
    mgl_problem one = *p;
    one.sets = &p->sets[q];
    one.n_sets = 1;
    return mgl_demand_size(&one);
}

/* Sets that ask for more rows come first: then blocks have enough of them. Of the others each is
 * the first of some order. */
static void choose_order(const mgl_problem *p, size_t number, size_t *order)
{
    size_t n = p->n_sets;
    for (size_t i = 0; i < n; i++)
        order[i] = (i + number) % n;
    if (number >= n) /* the other way round */
        for (size_t i = 0; i < n; i++)
            order[i] = (2 * n - 1 - i + number) % n;
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && size_of_set(p, order[j]) > size_of_set(p, order[j - 1]); j--) {
            size_t other = order[j];
            order[j] = order[j - 1];
            order[j - 1] = other;
        }
}

/* Blocks of tuples that read alike on columns that were released before; false: there are none. */
static bool find_blocks(ordered_search *x, const step *now)
{
    size_t n_fixed = 0;
    uint32_t n_values[MGL_MOST_COLUMNS];
    for (size_t a = 0; a < x->m; a++) {
        bool own = x->own[a] != NULL;
        n_values[a] = own ? x->own[a]->n_values : x->problem->columns[a]->n_values;
        x->free[a] = now->columns[a] && !x->released[a];
        if (now->columns[a] && x->released[a])
            x->fixed[n_fixed++] = (uint32_t)a;
    }
    if (n_fixed == 0)
        return false;
    mgl_classes_group(&x->classes, x->recoding->cells, n_values, x->fixed, n_fixed,
                      x->problem->list->counts);
    for (size_t t = 0; t < x->n; t++)
        x->block_of[t] = x->gone[t] ? MGL_NOT_FOUND : x->classes.of_tuple[t];
    return true;
}

static void forget_solution(const mgl_method_type *method, mgl_solution *solution)
{
    mgl_recoding_free(solution->recoding);
    mgl_free(solution->node);
    if (solution->findings != NULL && method->free_findings != NULL)
        method->free_findings(solution->findings);
    else
        mgl_free(solution->findings);
}

/* What a value that the method made in one block is among those of all blocks. */
static mgl_status adopt_value(ordered_search *x, const mgl_recoding *found, size_t a,
                              uint32_t value, mgl_error *err, uint32_t *out)
{
    const mgl_released_column *from = found->columns[a];
    const mgl_released_value *v = &from->values[value];
    if (from->scale == NULL || value < from->first_made) { /* missing, or the top */
        *out = value;
        return MGL_OK;
    }
    return mgl_made_value(x->own[a], v->label, v->begin, v->begin + v->leaves - 1, err, out);
}

static mgl_status adopt_column(ordered_search *x, const mgl_one_set *one, const mgl_recoding *found,
                               size_t a, mgl_error *err)
{
    uint32_t n = found->columns[a]->n_values;
    uint32_t *number = mgl_alloc_array(n, sizeof *number);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(number != NULL, err));
    for (uint32_t v = 0; v < n; v++)
        MGL_GO(adopt_value(x, found, a, v, err, &number[v]));
    for (size_t t = 0; t < found->n_tuples; t++)
        x->recoding->cells[a][one->tuple_of[t]] = number[found->cells[a][t]];
done:
    mgl_free(number);
    return status;
}

static mgl_status take_columns(ordered_search *x, const mgl_one_set *one, mgl_recoding *found,
                               mgl_error *err)
{
    for (size_t a = 0; a < x->m; a++) {
        if (!x->free[a])
            continue;
        x->released[a] = 1;
        if (x->own[a] != NULL && found->own != NULL && found->own[a] != NULL) {
            MGL_TRY(adopt_column(x, one, found, a, err));
            continue;
        }
        for (size_t t = 0; t < found->n_tuples; t++)
            x->recoding->cells[a][one->tuple_of[t]] = found->cells[a][t];
        if (found->own != NULL && found->own[a] != NULL) {
            x->own[a] = found->own[a];
            found->own[a] = NULL;
        }
    }
    return MGL_OK;
}

/* Only the first step suppresses rows: later it would take them out of classes that hold. */
static mgl_status solve(ordered_search *x, const mgl_one_set_request *request, bool first,
                        mgl_error *err, bool *found)
{
    mgl_one_set one = {0};
    mgl_solution solution = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_one_set_make(x->problem, request, err, &one));
    solution.n_attributes = one.list.n_attributes;
    if (!first) {
        one.problem.treatment = MGL_KEEP;
        one.problem.limit = 0;
    }
    if (one.list.n_tuples > 0)
        status = x->method->run(&one.problem, err, &solution);
    *found = status == MGL_OK;
    if (status == MGL_UNMET)
        status = MGL_OK;
    MGL_GO(status);
    x->timed_out = x->timed_out || solution.timed_out;
    x->made = solution.made != NULL ? solution.made : x->made;
    if (*found && first) {
        /* Rows that the first step suppressed are so as a whole, unless the top is a class there
         * like any other. */
        bool as_class = x->problem->treatment == MGL_KEEP && mgl_levels_allow_top(&one.problem);
        for (size_t t = 0; !as_class && t < solution.recoding->n_tuples; t++)
            if (solution.recoding->suppressed[t])
                x->gone[one.tuple_of[t]] = 1;
    }
    if (*found && solution.recoding != NULL)
        MGL_GO(take_columns(x, &one, solution.recoding, err));
done:
    forget_solution(x->method, &solution);
    mgl_one_set_free(&one);
    return status;
}

/* Averages are made of the numbers of one block at a time. */
static mgl_status solve_blocks(ordered_search *x, const mgl_one_set_request *request,
                               mgl_error *err, bool *found)
{
    mgl_one_set_request one = *request;
    uint8_t *other = mgl_alloc_array(x->n, 1);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(other != NULL, err));
    one.block_of = NULL;
    one.gone = other;
    for (uint32_t block = 0; *found && block < x->classes.n_classes; block++) {
        for (size_t t = 0; t < x->n; t++)
            other[t] = x->block_of[t] != block;
        MGL_GO(solve(x, &one, false, err, found));
    }
done:
    mgl_free(other);
    return status;
}

static mgl_status take_step(ordered_search *x, const step *now, bool first, mgl_error *err,
                            bool *found)
{
    bool blocks = find_blocks(x, now);
    *found = true;
    if (memchr(x->free, 1, x->m) == NULL)
        return MGL_OK;
    *found = !blocks || x->problem->population == NULL;
    mgl_one_set_request request = {.columns = x->free,
                                   .block_of = blocks ? x->block_of : NULL,
                                   .gone = x->gone,
                                   .models_of = now->models_of};
    if (!*found)
        return MGL_OK;
    return blocks && x->method->averages ? solve_blocks(x, &request, err, found)
                                         : solve(x, &request, first, err, found);
}

static void forget_release(ordered_search *x)
{
    for (size_t a = 0; x->own != NULL && a < x->m; a++) {
        mgl_released_column_free(x->own[a]);
        x->own[a] = NULL;
    }
    mgl_recoding_free(x->recoding);
    x->recoding = NULL;
}

/* The columns that the method made become the recoding's. */
static mgl_status put_together(ordered_search *x, mgl_error *err, mgl_recoding **out)
{
    mgl_recoding *whole;
    MGL_TRY(mgl_recoding_with(x->problem->columns, x->own, x->m, x->n, err, &whole));
    memset(x->own, 0, x->m * sizeof *x->own);
    for (size_t a = 0; a < x->m; a++)
        memcpy(whole->cells[a], x->recoding->cells[a], x->n * sizeof **whole->cells);
    for (size_t t = 0; t < x->n; t++)
        if (x->gone[t])
            mgl_recoding_suppress(whole, t);
    *out = whole;
    return MGL_OK;
}

static mgl_status try_steps(ordered_search *x, mgl_error *err, mgl_recoding **out)
{
    bool found = true;
    forget_release(x);
    *out = NULL;
    memset(x->released, 0, x->m);
    memset(x->gone, 0, x->n);
    MGL_TRY(mgl_recoding_new(x->problem->columns, x->m, x->n, err, &x->recoding));
    for (size_t i = 0; found && i < x->n_steps; i++)
        MGL_TRY(take_step(x, &x->steps[i], i == 0, err, &found));
    if (!found)
        return MGL_OK;
    /* Columns of no set stay at the lowest level. */
    const mgl_problem *p = x->problem;
    for (size_t a = 0; a < x->m; a++)
        for (size_t t = 0; !x->released[a] && t < x->n; t++)
            x->recoding->cells[a][t] =
                p->columns[a]->of_leaf[p->min_level[a]][mgl_list_leaf(p->list, t, a)];
    return put_together(x, err, out);
}

/* The release by one order, or NULL. */
static mgl_status try_order(ordered_search *x, size_t number, mgl_error *err, mgl_recoding **out)
{
    size_t *order;
    MGL_TRY(mgl_new_array(x->problem->n_sets, sizeof *order, err, &order));
    choose_order(x->problem, number, order);
    make_steps(x, order);
    mgl_free(order);
    return try_steps(x, err, out);
}

/* A method that can look longer chooses the order by a short look. */
static mgl_status choose_best(ordered_search *x, size_t n_orders, mgl_error *err, size_t *best)
{
    const mgl_problem *asked = x->problem;
    mgl_problem quick = *asked;
    double least = 0;
    bool any = false;
    mgl_status status = MGL_OK;
    quick.effort = MGL_EFFORT_FAST;
    x->problem = &quick;
    *best = 0;
    for (size_t i = 0; i < n_orders && !mgl_problem_is_late(asked); i++) {
        mgl_recoding *recoding;
        MGL_GO(try_order(x, i, err, &recoding));
        double cost = recoding != NULL ? mgl_sets_cost(asked, recoding) : 0;
        if (recoding != NULL && (!any || cost < least)) {
            least = cost;
            *best = i;
        }
        any = any || recoding != NULL;
        mgl_recoding_free(recoding);
    }
done:
    x->problem = asked;
    return status;
}

static mgl_status try_orders(ordered_search *x, mgl_error *err, mgl_solution *out)
{
    size_t n_sets = x->problem->n_sets, n_orders = n_sets <= 2 ? n_sets : MOST_ORDERS, first = 0;
    if (x->method->looks_longer && n_orders > 1) {
        MGL_TRY(choose_best(x, n_orders, err, &first));
        n_orders = 1;
    }
    for (size_t i = first; i < first + n_orders && !mgl_problem_is_late(x->problem); i++) {
        mgl_recoding *recoding;
        MGL_TRY(try_order(x, i, err, &recoding));
        if (recoding != NULL)
            MGL_TRY(mgl_sets_take_better(x->problem, recoding, err, out));
    }
    return MGL_OK;
}

mgl_status mgl_sets_together(const mgl_method_type *method, const mgl_problem *problem,
                             mgl_error *err, mgl_solution *out)
{
    mgl_united_sets united;
    mgl_solution solution = {.n_attributes = problem->list->n_attributes};
    mgl_status status = method->run(mgl_unite_sets(problem, &united), err, &solution);
    out->timed_out = out->timed_out || solution.timed_out;
    if (status == MGL_OK) {
        status = mgl_sets_take_better(problem, solution.recoding, err, out);
        solution.recoding = NULL;
        out->made = solution.made != NULL ? solution.made : out->made;
    }
    forget_solution(method, &solution);
    return status == MGL_UNMET ? MGL_OK : status;
}

mgl_status mgl_sets_in_turn(const mgl_method_type *method, const mgl_problem *problem,
                            mgl_error *err, mgl_solution *out)
{
    size_t m = problem->list->n_attributes;
    ordered_search x = {.method = method, .problem = problem, .m = m, .n = problem->list->n_tuples};
    mgl_status status = MGL_OK;
    if (m > MGL_MOST_COLUMNS)
        return mgl_fail_key(err, MGL_CODE_LIMIT, "quasi-identifiers",
                            "several quasi-identifiers have at most %d columns together, "
                            "and there are %zu; name fewer of them",
                            MGL_MOST_COLUMNS, m);
    const mgl_problem *p = x.problem;
    x.steps = mgl_own_array(&x.memory, p->n_sets, sizeof *x.steps);
    x.columns = mgl_own_array(&x.memory, p->n_sets, x.m);
    x.released = mgl_own_array(&x.memory, x.m, 1);
    x.free = mgl_own_array(&x.memory, x.m, 1);
    x.gone = mgl_own_array(&x.memory, x.n, 1);
    x.fixed = mgl_own_array(&x.memory, x.m, sizeof *x.fixed);
    x.block_of = mgl_own_array(&x.memory, x.n, sizeof *x.block_of);
    x.own = mgl_own_zeroed(&x.memory, x.m, sizeof *x.own);
    MGL_GO(mgl_owned_check(&x.memory, err));
    MGL_GO(mgl_classes_init(&x.classes, x.n, x.m, err));
    MGL_GO(try_orders(&x, err, out));
done:
    out->timed_out = out->timed_out || x.timed_out;
    out->made = x.made;
    forget_release(&x);
    mgl_owned_free(&x.memory);
    mgl_classes_free(&x.classes);
    return status;
}

mgl_status mgl_sets_run(const mgl_method_type *method, const mgl_problem *problem, mgl_error *err,
                        mgl_solution *out)
{
    MGL_TRY(mgl_sets_in_turn(method, problem, err, out));
    MGL_TRY(mgl_sets_together(method, problem, err, out));
    return out->recoding != NULL ? MGL_OK : mgl_fail_no_release(problem, method->name, err);
}
