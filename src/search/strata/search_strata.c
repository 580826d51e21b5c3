/* Runs a method on each stratum as a problem of its own, and puts what was found together: one
 * recoding of the whole list, one bound where costs add up. */
#include "search/strata/strata.h"

#include <math.h>
#include <stdlib.h>

/* Makes the problem of one stratum: its tuples, histograms, persons, population and options without
 * the columns that define strata. */

/* Some tuples side by side, without the columns that define strata. */
typedef struct mgl_slice {
    mgl_problem problem;
    mgl_frequency_list list, population;
    mgl_quasi_set *sets;
    mgl_cell_costs *costs;
    mgl_arena *arena;
} mgl_slice;

static void *take(mgl_slice *slice, size_t n, size_t size)
{
    return mgl_arena_alloc(slice->arena, (n > 0 ? n : 1) * size);
}

/* A run of tuples of a list, and how many of its columns are left out. */
typedef struct run {
    const mgl_frequency_list *from;
    size_t n_held, first, end;
} run;

/* The order of keys stays what it is: within a stratum the first columns are equal. */
static mgl_status take_keys(mgl_slice *slice, const run *r, mgl_error *err,
                            mgl_frequency_list *list)
{
    size_t m = list->n_attributes;
    uint32_t *n_values = take(slice, m, sizeof *n_values);
    MGL_TRY(mgl_check_memory(n_values != NULL, err));
    for (size_t a = 0; a < m; a++)
        n_values[a] = list->hierarchies[a]->n_leaves;
    MGL_TRY(mgl_packing_init(&list->packing, n_values, m, err));
    size_t words = list->packing.n_words;
    list->keys = take(slice, list->n_tuples * words, sizeof *list->keys);
    MGL_TRY(mgl_check_memory(list->keys != NULL, err));
    memset(list->keys, 0, list->n_tuples * words * sizeof *list->keys);
    for (size_t t = 0; t < list->n_tuples; t++)
        for (size_t a = 0; a < m; a++)
            list->keys[t * words + list->packing.fields[a].word] |=
                (uint64_t)mgl_list_leaf(r->from, r->first + t, r->n_held + a)
                << list->packing.fields[a].shift;
    return MGL_OK;
}

/* Where the values of each tuple begin, counted from the first of them. */
static size_t *take_starts(mgl_slice *slice, const run *r, const size_t *from)
{
    size_t n = r->end - r->first, *start = take(slice, n + 1, sizeof *start);
    for (size_t t = 0; start != NULL && t <= n; t++)
        start[t] = from[r->first + t] - from[r->first];
    return start;
}

static mgl_status take_histograms(mgl_slice *slice, const run *r, mgl_error *err,
                                  mgl_frequency_list *list)
{
    list->sensitive = take(slice, r->from->n_histograms, sizeof *list->sensitive);
    MGL_TRY(mgl_check_memory(list->sensitive != NULL, err));
    for (size_t i = 0; i < r->from->n_histograms; i++) {
        const mgl_sparse *from = &r->from->sensitive[i];
        size_t at = from->start[r->first];
        list->sensitive[i] = (mgl_sparse){.n_values = from->n_values,
                                          .start = take_starts(slice, r, from->start),
                                          .values = from->values + at,
                                          .counts = from->counts + at};
        MGL_TRY(mgl_check_memory(list->sensitive[i].start != NULL, err));
    }
    return MGL_OK;
}

static uint32_t place_of(const uint32_t *sorted, size_t n, uint32_t id)
{
    uint32_t at = 0;
    for (size_t half; n > 1; n -= half) {
        half = n / 2;
        at += sorted[at + half] <= id ? (uint32_t)half : 0;
    }
    return at;
}

/* Ids are numbered anew, in their order, so that no room is made for those of other strata. */
static mgl_status take_spread(mgl_slice *slice, const run *r, const mgl_spread *from,
                              mgl_error *err, mgl_spread *to)
{
    size_t at = from->start[r->first], n = from->start[r->end] - at;
    uint32_t *sorted = take(slice, n, sizeof *sorted), *ids = take(slice, n, sizeof *ids);
    *to = (mgl_spread){.start = take_starts(slice, r, from->start),
                       .ids = ids,
                       .values = from->values != NULL ? from->values + at : NULL};
    MGL_TRY(mgl_check_memory(sorted != NULL && ids != NULL && to->start != NULL, err));
    if (n == 0)
        return MGL_OK;
    memcpy(sorted, from->ids + at, n * sizeof *sorted);
    size_t n_ids = mgl_sort_unique_u32(sorted, n);
    for (size_t i = 0; i < n; i++)
        ids[i] = place_of(sorted, n_ids, from->ids[at + i]);
    to->n_ids = n_ids;
    return MGL_OK;
}

static mgl_status take_persons(mgl_slice *slice, const run *r, mgl_error *err,
                               mgl_frequency_list *list)
{
    const mgl_persons *from = r->from->persons;
    if (from == NULL)
        return MGL_OK;
    mgl_persons *persons = take(slice, 1, sizeof *persons);
    MGL_TRY(mgl_check_memory(persons != NULL, err));
    *persons = (mgl_persons){.local = from->local + r->first,
                             .by_value = take(slice, list->n_judged, sizeof *persons->by_value)};
    MGL_TRY(mgl_check_memory(persons->by_value != NULL, err));
    MGL_TRY(take_spread(slice, r, &from->spread, err, &persons->spread));
    for (size_t i = 0; i < list->n_judged; i++)
        MGL_TRY(take_spread(slice, r, &from->by_value[i], err, &persons->by_value[i]));
    persons->n = persons->spread.n_ids;
    for (size_t t = 0; t < list->n_tuples; t++)
        persons->n += persons->local[t];
    list->persons = persons;
    return MGL_OK;
}

static mgl_status take_list(mgl_slice *slice, const run *r, mgl_error *err, mgl_frequency_list *out)
{
    const mgl_frequency_list *from = r->from;
    *out = (mgl_frequency_list){.n_attributes = from->n_attributes - r->n_held,
                                .hierarchies = from->hierarchies + r->n_held,
                                .n_tuples = r->end - r->first,
                                .counts = from->counts + r->first,
                                .regrouped = from->regrouped,
                                .n_histograms = from->n_histograms,
                                .n_sensitive = from->n_sensitive,
                                .n_judged = from->n_judged,
                                .household_sizes = from->household_sizes};
    for (size_t t = 0; t < out->n_tuples; t++)
        out->n_rows += out->counts[t];
    MGL_TRY(take_keys(slice, r, err, out));
    MGL_TRY(take_histograms(slice, r, err, out));
    /* What its rows weigh together; the weights of values are borrowed. */
    out->weighing = from->weighing;
    out->weighing.total = 0;
    for (size_t t = 0; from->weighing.of_value != NULL && t < out->n_tuples; t++)
        out->weighing.total += mgl_list_weight(out, t);
    return take_persons(slice, r, err, out);
}

static int compare_held(const mgl_frequency_list *x, size_t t, const mgl_frequency_list *y,
                        size_t u, size_t n_held)
{
    for (size_t a = 0; a < n_held; a++) {
        uint32_t left = mgl_list_leaf(x, t, a), right = mgl_list_leaf(y, u, a);
        if (left != right)
            return left < right ? -1 : 1;
    }
    return 0;
}

/* The first tuple of the population that does not come before a stratum of the list; with `after`,
 * the first that comes behind it. */
static size_t find_in_population(const mgl_frequency_list *population, const run *r, bool after)
{
    size_t low = 0, high = population->n_tuples;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare_held(population, middle, r->from, r->first, r->n_held);
        if (order < 0 || (after && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static mgl_status take_population(mgl_slice *slice, const run *r, mgl_error *err)
{
    const mgl_frequency_list *population = slice->problem.population;
    if (population == NULL)
        return MGL_OK;
    run of = {.from = population,
              .n_held = r->n_held,
              .first = find_in_population(population, r, false),
              .end = find_in_population(population, r, true)};
    slice->problem.population = &slice->population;
    return take_list(slice, &of, err, &slice->population);
}

static mgl_status take_sets(mgl_slice *slice, const mgl_problem *p, size_t n_held, mgl_error *err)
{
    slice->sets = take(slice, p->n_sets, sizeof *slice->sets);
    MGL_TRY(mgl_check_memory(slice->sets != NULL, err));
    for (size_t q = 0; q < p->n_sets; q++) {
        const mgl_quasi_set *from = &p->sets[q];
        uint32_t *attributes = take(slice, from->n_attributes, sizeof *attributes);
        MGL_TRY(mgl_check_memory(attributes != NULL, err));
        slice->sets[q] = *from;
        slice->sets[q].attributes = attributes;
        slice->sets[q].n_attributes = 0;
        for (size_t i = 0; i < from->n_attributes; i++)
            if (from->attributes[i] >= n_held)
                attributes[slice->sets[q].n_attributes++] = from->attributes[i] - (uint32_t)n_held;
    }
    slice->problem.sets = slice->sets;
    return MGL_OK;
}

/* Options by column begin with those of the columns that are left out. */
static mgl_status take_options(mgl_slice *slice, const mgl_problem *p, size_t n_held,
                               mgl_error *err)
{
    const mgl_method_type *method = p->method;
    if (method == NULL || p->options == NULL || method->n_options == 0)
        return MGL_OK;
    char *options = take(slice, method->options_size, 1);
    MGL_TRY(mgl_check_memory(options != NULL, err));
    memcpy(options, p->options, method->options_size);
    for (size_t i = 0; i < method->n_options; i++) {
        const mgl_method_option *option = mgl_method_option_at(method, i);
        char **field = (char **)(options + method->options[i].place);
        if (option->by_column)
            *field += n_held * mgl_value_parser_size(&option->parser);
    }
    slice->problem.options = options;
    return MGL_OK;
}

static mgl_status fill(mgl_slice *slice, const mgl_problem *p, const run *r, mgl_error *err)
{
    size_t n_held = r->n_held;
    mgl_problem *own = &slice->problem;
    MGL_TRY(take_list(slice, r, err, &slice->list));
    own->list = &slice->list;
    own->columns = p->columns + n_held;
    own->names = p->names != NULL ? p->names + n_held : NULL;
    own->min_level = p->min_level + n_held;
    own->max_level = p->max_level + n_held;
    own->weights = p->weights + n_held;
    own->aggregates = p->aggregates != NULL ? p->aggregates + n_held : NULL;
    own->histories = p->histories != NULL ? p->histories + r->first : NULL;
    if (p->label != NULL)
        own->label = &slice->list.sensitive[p->label - p->list->sensitive];
    if (p->limit_text != NULL)
        own->limit = mgl_limit_of(p->limit_text, slice->list.n_rows);
    own->limit_text = NULL;
    MGL_TRY(take_population(slice, r, err));
    MGL_TRY(take_sets(slice, p, n_held, err));
    MGL_TRY(take_options(slice, p, n_held, err));
    MGL_TRY(mgl_cell_costs_new(&slice->list, own->columns, NULL, err, &slice->costs));
    own->costs = slice->costs;
    return MGL_OK;
}

/* The tuples first..end-1 as a problem of their own, which borrows the whole one. Whatever it takes
 * grows with these tuples and the hierarchies, not with the table. Free with mgl_slice_free, also
 * after a failure. */
static mgl_status mgl_slice_make(const mgl_problem *problem, size_t n_held, size_t first,
                                 size_t end, mgl_error *err, mgl_slice *out)
{
    *out = (mgl_slice){.problem = *problem, .arena = mgl_arena_new()};
    return out->arena == NULL ? mgl_fail_memory(err)
                              : fill(out, problem, &(run){problem->list, n_held, first, end}, err);
}

static void mgl_slice_free(mgl_slice *slice)
{
    mgl_cell_costs_free(slice->costs);
    mgl_packing_free(&slice->list.packing);
    mgl_packing_free(&slice->population.packing);
    mgl_arena_free(slice->arena);
    *slice = (mgl_slice){0};
}

/* Suppresses what violates a model in a recoding that was not searched for these rows, stratum by
 * stratum. */

typedef struct treating {
    const mgl_problem *problem;
    mgl_recoding *recoding; /* of the whole list */
    size_t n_held;
    bool unlimited; /* as many rows as it takes */
    bool all_count; /* against the limit, not only those that are suppressed now */
} treating;

static uint64_t count_rows(const mgl_frequency_list *list, const uint8_t *suppressed)
{
    uint64_t rows = 0;
    for (size_t t = 0; t < list->n_tuples; t++)
        rows += suppressed[t] ? list->counts[t] : 0;
    return rows;
}

static void copy_cells(const treating *x, size_t first, mgl_recoding *own, bool back)
{
    size_t size = own->n_tuples * sizeof **own->cells;
    for (size_t a = 0; a < own->n_attributes; a++) {
        uint32_t *whole = x->recoding->cells[x->n_held + a] + first;
        memcpy(back ? whole : own->cells[a], back ? own->cells[a] : whole, size);
    }
    uint8_t *whole = x->recoding->suppressed + first;
    memcpy(back ? whole : own->suppressed, back ? own->suppressed : whole, own->n_tuples);
}

/* What is in the solution already belongs to it. */
static mgl_status treat_slice(const treating *x, mgl_slice *slice, size_t first,
                              mgl_solution *solution, mgl_error *err, mgl_held_suppressed *out)
{
    mgl_recoding *own;
    bool holds;
    MGL_TRY(mgl_recoding_new(x->recoding->columns + x->n_held, slice->list.n_attributes,
                             slice->list.n_tuples, err, &own));
    copy_cells(x, first, own, false);
    uint64_t before = count_rows(&slice->list, own->suppressed);
    MGL_TRY(mgl_solution_treat_recoding(solution, &slice->problem, own, err, &holds));
    copy_cells(x, first, own, true);
    uint64_t rows = solution->suppressed_rows;
    uint64_t now = rows > before ? rows - before : 0;
    bool within = x->unlimited || (x->all_count ? rows : now) <= slice->problem.limit;
    out->rows += rows;
    if ((!holds || !within) && out->n_failing++ == 0)
        out->first_failing = first;
    return MGL_OK;
}

/* The recoding of one stratum is treated as if it were the whole. */
static mgl_status treat_stratum(const treating *x, size_t first, size_t end, mgl_error *err,
                                mgl_held_suppressed *out)
{
    mgl_slice slice = {0};
    mgl_solution *solution = mgl_zeroed_array(1, sizeof *solution);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(solution != NULL, err));
    MGL_GO(mgl_slice_make(x->problem, x->n_held, first, end, err, &slice));
    MGL_GO(treat_slice(x, &slice, first, solution, err, out));
done:
    mgl_solution_free(solution);
    mgl_slice_free(&slice);
    return status;
}

mgl_status mgl_held_suppress(const mgl_problem *problem, mgl_recoding *recoding, bool unlimited,
                             bool all_count, mgl_error *err, mgl_held_suppressed *out)
{
    treating x = {.problem = problem,
                  .recoding = recoding,
                  .n_held = mgl_held_columns(recoding->columns, recoding->n_attributes),
                  .unlimited = unlimited,
                  .all_count = all_count};
    *out = (mgl_held_suppressed){0};
    for (size_t first = 0, end; first < recoding->n_tuples; first = end) {
        end = mgl_held_end(problem->list, x.n_held, first);
        MGL_TRY(treat_stratum(&x, first, end, err, out));
    }
    return MGL_OK;
}

/* Whether any release of a stratum can hold, as far as its size and its sensitive values show: what
 * a job on its rows alone would be refused for. */

/* Different numbers that the values of the stratum have, those of missing cells that are no value
 * left out (unknown: their code plus 1, or 0). */
static uint32_t count_different(const mgl_sparse *sparse, size_t n_tuples, const uint32_t *number,
                                uint32_t unknown, uint8_t *seen)
{
    uint32_t n = 0;
    for (size_t i = 0; i < sparse->start[n_tuples]; i++) {
        if (sparse->values[i] + 1 == unknown)
            continue;
        uint32_t of = number != NULL ? number[sparse->values[i]] : sparse->values[i];
        n += !seen[of];
        seen[of] = 1;
    }
    return n;
}

static mgl_status count_values(const mgl_frequency_list *list, const mgl_sparse *sparse,
                               mgl_error *err, mgl_sensitive *s)
{
    size_t room = s->n_strong > s->n_values ? s->n_strong : s->n_values;
    uint8_t *seen;
    MGL_TRY(mgl_new_zeroed(room, 1, err, &seen));
    s->n_present = count_different(sparse, list->n_tuples, NULL, 0, seen);
    if (s->unknown != 0 && !seen[s->unknown - 1])
        s->unknown = 0;
    memset(seen, 0, room);
    s->n_strong_present = count_different(sparse, list->n_tuples, s->strong, s->unknown, seen);
    mgl_free(seen);
    return MGL_OK;
}

static mgl_status try_models(const mgl_quasi_set *set, const mgl_facts *facts, mgl_error *err)
{
    for (size_t m = 0; m < set->n_models; m++) {
        mgl_model model = set->models[m];
        model.facts = facts;
        if (model.type->prepare != NULL && model.joint == NULL)
            MGL_TRY(model.type->prepare(&model, facts, err));
    }
    return MGL_OK;
}

/* MGL_UNMET if no release of the stratum can hold its models, and why: it has too few rows, or too
 * few different values. */
static mgl_status slice_possible(const mgl_slice *slice, mgl_error *err)
{
    const mgl_frequency_list *list = &slice->list;
    const mgl_quasi_set *sets = slice->problem.sets;
    if (slice->problem.n_sets == 0 || sets[0].n_models == 0)
        return MGL_OK;
    mgl_facts facts = *sets[0].models[0].facts;
    mgl_sensitive *sensitive =
        mgl_arena_alloc(slice->arena, (facts.n_sensitive + 1) * sizeof *sensitive);
    MGL_TRY(mgl_check_memory(sensitive != NULL, err));
    for (size_t i = 0; i < facts.n_sensitive; i++) {
        sensitive[i] = facts.sensitive[i];
        MGL_TRY(count_values(list, &list->sensitive[i], err, &sensitive[i]));
    }
    facts.n_rows = list->persons != NULL ? list->persons->n : list->n_rows;
    facts.sensitive = sensitive;
    facts.sample.total = list->weighing.total;
    for (size_t q = 0; q < slice->problem.n_sets; q++)
        MGL_TRY(try_models(&sets[q], &facts, err));
    return MGL_OK;
}

/* Puts what was found for each stratum together: one recoding of the whole list, one bound where
 * costs add up. */

typedef struct mgl_joining mgl_joining;

struct mgl_joining {
    const mgl_problem *problem;
    size_t n_held, n_attributes;
    size_t n_filled;           /* tuples that are there */
    mgl_released_column **own; /* [n_attributes] columns of values that were made; NULL: none yet */
    uint32_t **cells;          /* [n_attributes][n_tuples] */
    uint8_t *suppressed;       /* [n_tuples] */
};

static void joining_free(mgl_joining *j)
{
    if (j == NULL)
        return;
    for (size_t a = 0; a < j->n_attributes; a++) {
        if (j->own != NULL)
            mgl_released_column_free(j->own[a]);
        if (j->cells != NULL)
            mgl_free(j->cells[a]);
    }
    mgl_free(j->own);
    mgl_free(j->cells);
    mgl_free(j->suppressed);
    mgl_free(j);
}

/* Borrows the problem. Free with joining_free. */
static mgl_status joining_new(const mgl_problem *problem, size_t n_held, mgl_error *err,
                              mgl_joining **out)
{
    size_t m = problem->list->n_attributes, n = problem->list->n_tuples;
    mgl_joining *j;
    MGL_TRY(mgl_new_zeroed(1, sizeof *j, err, &j));
    *j = (mgl_joining){.problem = problem,
                       .n_held = n_held,
                       .n_attributes = m,
                       .own = mgl_zeroed_array(m, sizeof *j->own),
                       .cells = mgl_zeroed_array(m, sizeof *j->cells),
                       .suppressed = mgl_zeroed_array(n, 1)};
    bool room = j->own != NULL && j->cells != NULL && j->suppressed != NULL;
    for (size_t a = 0; room && a < m; a++)
        room = (j->cells[a] = mgl_alloc_array(n, sizeof **j->cells)) != NULL;
    if (!room) {
        joining_free(j);
        return mgl_fail_memory(err);
    }
    *out = j;
    return MGL_OK;
}

/* Cells of some tuples that are values of another column become those of the own one. */
static mgl_status renumber(mgl_joining *j, size_t a, const mgl_released_column *from, size_t first,
                           size_t end, mgl_error *err)
{
    uint32_t *cells = j->cells[a], *numbers = mgl_alloc_array(from->n_values, sizeof *numbers);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(numbers != NULL, err));
    MGL_GO(mgl_made_column_join(j->own[a], from, err, numbers));
    for (size_t t = first; t < end; t++) {
        cells[t] = numbers[cells[t]];
        if (cells[t] == MGL_NOT_FOUND)
            MGL_GO(mgl_fail(err, MGL_CODE_INTERNAL,
                            "strata released a column in different ways; please report this"));
    }
done:
    mgl_free(numbers);
    return status;
}

/* Values are as wide as a share of all numbers of the column, not of those of one stratum. What was
 * released as values of the hierarchy before is so among the made ones. */
static mgl_status make_own(mgl_joining *j, size_t a, mgl_error *err)
{
    const mgl_hierarchy *hierarchy = j->problem->columns[a]->hierarchy;
    mgl_scale *scale;
    MGL_TRY(mgl_scale_new(hierarchy, err, &scale));
    if (scale == NULL)
        return mgl_fail(err, MGL_CODE_INTERNAL,
                        "strata made values of a column without numbers; please report this");
    double least = scale->of_leaf[scale->ordered[0]];
    double most = scale->of_leaf[scale->ordered[scale->n_ordered - 1]];
    MGL_TRY(mgl_made_column_new(hierarchy, scale, least, most, err, &j->own[a]));
    return renumber(j, a, j->problem->columns[a], 0, j->n_filled, err);
}

/* The cells of one column that is searched, in one stratum. */
static mgl_status take_column(mgl_joining *j, const mgl_stratum *stratum, size_t a, mgl_error *err)
{
    const mgl_recoding *from = stratum->solution->recoding;
    size_t inner = a - j->n_held, end = stratum->first + stratum->n_tuples;
    if (from->own != NULL && from->own[inner] != NULL && j->own[a] == NULL)
        MGL_TRY(make_own(j, a, err));
    memcpy(j->cells[a] + stratum->first, from->cells[inner],
           stratum->n_tuples * sizeof *from->cells[inner]);
    return j->own[a] != NULL ? renumber(j, a, from->columns[inner], stratum->first, end, err)
                             : MGL_OK;
}

/* Takes the recoding of the next stratum, which is freed: of many strata only one has to be there
 * at a time. */
static mgl_status joining_add(mgl_joining *j, mgl_stratum *stratum, mgl_error *err)
{
    const mgl_problem *p = j->problem;
    mgl_solution *solution = stratum->solution;
    for (size_t a = 0; a < j->n_held; a++)
        for (size_t t = stratum->first; t < stratum->first + stratum->n_tuples; t++)
            j->cells[a][t] = p->columns[a]->of_leaf[0][mgl_list_leaf(p->list, t, a)];
    for (size_t a = j->n_held; a < j->n_attributes; a++)
        MGL_TRY(take_column(j, stratum, a, err));
    memcpy(j->suppressed + stratum->first, solution->recoding->suppressed, stratum->n_tuples);
    j->n_filled = stratum->first + stratum->n_tuples;
    mgl_recoding_free(solution->recoding);
    solution->recoding = NULL;
    if (solution->classes != NULL)
        mgl_classes_free(solution->classes);
    mgl_free(solution->classes);
    solution->classes = NULL;
    return MGL_OK;
}

/* The recoding gets the cells; the own columns are its from then on, also on failure. */
static mgl_status end_recoding(mgl_joining *j, mgl_error *err, mgl_recoding **out)
{
    const mgl_problem *p = j->problem;
    size_t m = j->n_attributes, n = p->list->n_tuples;
    bool made = false;
    for (size_t a = 0; a < m; a++)
        made = made || j->own[a] != NULL;
    mgl_status status = made ? mgl_recoding_with(p->columns, j->own, m, n, err, out)
                             : mgl_recoding_new(p->columns, m, n, err, out);
    memset(j->own, 0, m * sizeof *j->own);
    MGL_TRY(status);
    for (size_t a = 0; a < m; a++)
        memcpy((*out)->cells[a], j->cells[a], n * sizeof **j->cells);
    memcpy((*out)->suppressed, j->suppressed, n);
    return MGL_OK;
}

/* Cells that a row of the whole has for each one of the stratum: those of columns of strata cost
 * nothing. */
static double share_of_cells(const mgl_problem *p, size_t n_held)
{
    double all = 0, searched = 0;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        double weight = p->measure->weighted ? p->weights[a] : 1;
        all += weight;
        searched += a >= n_held ? weight : 0;
    }
    return searched / all;
}

/* A mean over cells is that of the strata by their rows. Bits are counted by how often values occur
 * in a stratum, which is another figure for the whole. */
static void add_bounds(const mgl_problem *p, const mgl_strata *strata, mgl_solution *out)
{
    const mgl_measure_type *measure = p->measure;
    double share = share_of_cells(p, strata->n_held), cost = 0;
    bool adds_up = mgl_adds_up(measure) && measure->cells != MGL_PAYS_BITS;
    out->bounded = out->exact = adds_up;
    for (size_t i = 0; i < strata->n; i++) {
        const mgl_solution *s = strata->of[i].solution;
        double best = s->exact && !s->bounded ? strata->of[i].value : s->best_possible;
        cost += (measure->higher_is_better ? 1 - best : best) * (double)strata->of[i].n_rows;
        out->bounded = out->bounded && (s->bounded || s->exact) && isfinite(best);
        out->exact = out->exact && s->exact;
    }
    cost *= share / (double)p->list->n_rows;
    out->exact = out->exact && out->bounded;
    out->best_possible = measure->higher_is_better ? 1 - cost : cost;
}

static uint64_t add_up(uint64_t x, uint64_t y)
{
    return x > UINT64_MAX - y ? UINT64_MAX : x + y;
}

/* After the last: the recoding, and what is known of the whole. */
static mgl_status joining_end(mgl_joining *j, const mgl_strata *strata, mgl_error *err,
                              mgl_solution *out)
{
    MGL_TRY(end_recoding(j, err, &out->recoding));
    out->n_attributes = j->n_attributes;
    for (size_t i = 0; i < strata->n; i++) {
        const mgl_solution *s = strata->of[i].solution;
        out->suppressed_rows += s->suppressed_rows;
        out->nodes_total = add_up(out->nodes_total, s->nodes_total);
        out->nodes_checked = add_up(out->nodes_checked, s->nodes_checked);
        out->timed_out = out->timed_out || s->timed_out;
        out->made = out->made != NULL ? out->made : s->made;
        out->unsafe = out->unsafe || s->unsafe;
        out->safer = out->safer != NULL ? out->safer : s->safer;
    }
    add_bounds(j->problem, strata, out);
    return MGL_OK;
}

enum { MOST_BYTES = 5000 }; /* of the names of strata in a message, which has room for some more */

enum { AT_ONCE = 256 }; /* strata whose recodings are there at the same time */

/* What is known of a stratum while they are searched. */
typedef struct attempt {
    mgl_status status;
    mgl_error err;
} attempt;

typedef struct searching {
    mgl_run_fn *run;
    const mgl_method_type *method;
    const mgl_problem *problem;
    mgl_strata *strata;
    attempt **attempts; /* [n] of those that failed; else NULL */
    size_t *items;      /* [n] strata that are searched side by side */
    size_t n_items;
    mgl_joining *joining;
    bool failed; /* some stratum cannot be released */
    bool memory_is_out;
    mgl_owned own;
} searching;

static bool same_stratum(const mgl_frequency_list *list, size_t n_held, size_t x, size_t y)
{
    for (size_t a = 0; a < n_held; a++)
        if (mgl_list_leaf(list, x, a) != mgl_list_leaf(list, y, a))
            return false;
    return true;
}

size_t mgl_held_end(const mgl_frequency_list *list, size_t n_held, size_t first)
{
    size_t end = first;
    while (end < list->n_tuples && same_stratum(list, n_held, first, end))
        end++;
    return end;
}

void mgl_held_name(const mgl_problem *problem, size_t n_held, size_t tuple, mgl_buffer *out)
{
    for (size_t a = 0; a < n_held; a++) {
        const mgl_level *ground = &problem->list->hierarchies[a]->levels[0];
        uint32_t value = ground->of_leaf[mgl_list_leaf(problem->list, tuple, a)];
        char shown[MGL_SHOWN];
        mgl_buffer_format(out, "%s%.60s \"%s\"", a > 0 ? ", " : "",
                          problem->names != NULL ? problem->names[a] : "column",
                          mgl_shown(ground->labels[value], shown));
    }
}

static mgl_status find_strata(const mgl_problem *p, size_t n_held, mgl_error *err, mgl_strata **out)
{
    mgl_strata *strata = mgl_zeroed_array(1, sizeof *strata);
    size_t room = 0;
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(strata != NULL, err));
    strata->n_held = n_held;
    for (size_t first = 0; first < p->list->n_tuples;) {
        size_t end = mgl_held_end(p->list, n_held, first);
        MGL_GO(mgl_grow_array(&strata->of, &room, strata->n + 1, sizeof *strata->of, err));
        mgl_stratum stratum = {.first = first, .n_tuples = end - first, .value = NAN};
        for (size_t t = first; t < end; t++)
            stratum.n_rows += p->list->counts[t];
        strata->of[strata->n++] = stratum;
        first = end;
    }
    *out = strata;
    strata = NULL;
done:
    mgl_strata_free(strata);
    return status;
}

static void take_class(void *context, uint64_t size, uint64_t members, uint64_t times)
{
    mgl_stratum *stratum = context;
    (void)members;
    stratum->smallest =
        stratum->n_classes == 0 || size < stratum->smallest ? size : stratum->smallest;
    stratum->n_classes += times;
}

/* Suppressed rows that are not kept are in no class. */
static mgl_status count_classes(const mgl_problem *p, mgl_stratum *stratum, mgl_error *err)
{
    const mgl_recoding *recoding = stratum->solution->recoding;
    const mgl_classes *classes = stratum->solution->classes;
    if (p->counting.tops_match)
        return mgl_match_each(p, recoding, take_class, stratum, err);
    uint32_t *of_tuple = mgl_alloc_array(p->list->n_tuples, sizeof *of_tuple);
    mgl_group_maker *maker = NULL;
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(of_tuple != NULL, err));
    for (size_t t = 0; t < p->list->n_tuples; t++)
        of_tuple[t] = recoding->suppressed[t] && p->treatment != MGL_KEEP ? MGL_NOT_FOUND
                                                                          : classes->of_tuple[t];
    MGL_GO(mgl_group_maker_new(p->list, err, &maker));
    mgl_group_maker_partition(maker, of_tuple, classes->n_classes);
    for (size_t c = 0; c < classes->n_classes; c++) {
        uint64_t size = mgl_group_maker_group(maker, c)->size;
        if (size > 0)
            take_class(stratum, size, size, 1);
    }
done:
    mgl_group_maker_free(maker);
    mgl_free(of_tuple);
    return status;
}

/* What the measure of the job says of the stratum. */
static mgl_status measure(const mgl_problem *p, mgl_stratum *stratum, mgl_error *err)
{
    const mgl_solution *solution = stratum->solution;
    const mgl_recoding *recoding = solution->recoding;
    size_t m = p->list->n_attributes;
    mgl_cell_costs *own = NULL;
    mgl_statistics s = {0};
    uint32_t *heights = mgl_alloc_array(m, sizeof *heights);
    mgl_released_tuples tuples = {.n_attributes = m,
                                  .n_tuples = p->list->n_tuples,
                                  .cells = recoding->cells,
                                  .first = solution->classes->first,
                                  .class_of = solution->classes->of_tuple,
                                  .class_sizes = solution->classes->sizes,
                                  .n_classes = solution->classes->n_classes};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(heights != NULL, err));
    if (recoding->own != NULL)
        MGL_GO(mgl_cell_costs_new(p->list, recoding->columns, p->pool, err, &own));
    for (size_t a = 0; a < m; a++)
        heights[a] = recoding->columns[a]->hierarchy->height;
    MGL_GO(mgl_statistics_init(&s, recoding->columns, m, err));
    mgl_statistics_gather(&s, own != NULL ? own : p->costs, recoding->columns, p->list->n_rows,
                          &tuples, NULL);
    s.node = solution->node;
    s.heights = heights;
    s.weights = p->weights;
    s.k = p->no_k ? 0 : (double)p->k;
    if (p->label != NULL)
        MGL_GO(mgl_statistics_label(&s, p->label, recoding->columns, &tuples, err));
    stratum->value = p->measure->value(&s);
done:
    mgl_statistics_free(&s);
    mgl_cell_costs_free(own);
    mgl_free(heights);
    return status;
}

/* Each stratum has its share of the time, by its rows. */
static double deadline_of(const searching *x, const mgl_stratum *stratum, unsigned at_once)
{
    const mgl_problem *p = x->problem;
    uint64_t left = 0;
    if (p->deadline <= 0)
        return 0;
    for (const mgl_stratum *other = stratum; other < x->strata->of + x->strata->n; other++)
        left += other->n_rows;
    double now = mgl_sys_seconds(), time = p->deadline > now ? p->deadline - now : 0;
    double share = (double)stratum->n_rows * at_once / (double)left;
    return now + time * (share < 1 ? share : 1);
}

static mgl_status refuse_empty(const mgl_problem *p, const mgl_solution *solution, mgl_error *err)
{
    if (p->treatment != MGL_DROP || solution->suppressed_rows < p->list->n_rows)
        return MGL_OK;
    return mgl_fail_key(err, MGL_CODE_EMPTY_RELEASE, "suppressed",
                        "every row would be dropped; allow fewer suppressed rows or keep "
                        "them with `suppressed: keep`");
}

static mgl_status search(const searching *x, mgl_stratum *stratum, mgl_pool *pool, unsigned at_once,
                         mgl_error *err)
{
    mgl_slice slice = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_slice_make(x->problem, x->strata->n_held, stratum->first,
                          stratum->first + stratum->n_tuples, err, &slice));
    MGL_GO(slice_possible(&slice, err));
    mgl_progress quiet = {0};
    if (x->problem->progress != NULL)
        quiet.stop = x->problem->progress->stop;
    slice.problem.progress = &quiet;
    slice.problem.pool = pool;
    slice.problem.deadline = deadline_of(x, stratum, at_once);
    MGL_GO(x->run(x->method, &slice.problem, err, &stratum->solution));
    MGL_GO(refuse_empty(&slice.problem, stratum->solution, err));
    MGL_GO(mgl_solution_group(stratum->solution, &slice.problem, err));
    MGL_GO(count_classes(&slice.problem, stratum, err));
    MGL_GO(measure(&slice.problem, stratum, err));
done:
    mgl_slice_free(&slice);
    return status;
}

static void try_stratum(searching *x, size_t i, mgl_pool *pool, unsigned at_once)
{
    mgl_error err = {0};
    mgl_status status = search(x, &x->strata->of[i], pool, at_once, &err);
    if (status == MGL_OK)
        return;
    x->attempts[i] = mgl_zeroed_array(1, sizeof **x->attempts);
    if (x->attempts[i] == NULL)
        x->memory_is_out = true;
    else
        *x->attempts[i] = (attempt){status, err};
}

static void try_item(void *context, size_t item, unsigned worker)
{
    searching *x = context;
    (void)worker;
    try_stratum(x, x->items[item], NULL, mgl_pool_threads(x->problem->pool));
}

/* Large strata have all threads, one after the other; the others share them, a thread each. What is
 * found does not depend on threads. */
static mgl_status try_some(searching *x, size_t first, size_t end, mgl_error *err)
{
    const mgl_problem *p = x->problem;
    unsigned threads = mgl_pool_threads(p->pool);
    x->n_items = 0;
    for (size_t i = first; i < end; i++) {
        bool large = 2 * (uint64_t)threads * x->strata->of[i].n_tuples > p->list->n_tuples;
        if (!large) {
            x->items[x->n_items++] = i;
            continue;
        }
        MGL_TRY(mgl_progress_report(p->progress, "search", i, x->strata->n, err));
        try_stratum(x, i, p->pool, 1);
    }
    MGL_TRY(mgl_progress_report(p->progress, "search", first, x->strata->n, err));
    mgl_pool_run(p->pool, x->n_items, try_item, x);
    if (mgl_progress_stopped(p->progress))
        return mgl_fail_cancelled(err);
    return x->memory_is_out ? mgl_fail_memory(err) : MGL_OK;
}

/* Where there will be no release, what was found is of no use. */
static mgl_status settle(const searching *x, mgl_stratum *stratum, mgl_error *err)
{
    if (!x->failed)
        return joining_add(x->joining, stratum, err);
    mgl_solution_free(stratum->solution);
    stratum->solution = NULL;
    return MGL_OK;
}

/* Some strata at a time, so that the recodings of few are there at once. */
static mgl_status try_all(searching *x, mgl_error *err)
{
    for (size_t first = 0, end; first < x->strata->n; first = end) {
        end = x->strata->n - first < AT_ONCE ? x->strata->n : first + AT_ONCE;
        MGL_TRY(try_some(x, first, end, err));
        for (size_t i = first; i < end; i++)
            x->failed = x->failed || x->attempts[i] != NULL;
        for (size_t i = first; i < end; i++)
            MGL_TRY(settle(x, &x->strata->of[i], err));
    }
    return MGL_OK;
}

/* What is not for the stratum to blame ends the search. */
static const attempt *find_other_failure(const searching *x)
{
    for (size_t i = 0; i < x->strata->n; i++)
        if (x->attempts[i] != NULL && (x->attempts[i]->status != MGL_UNMET ||
                                       x->attempts[i]->err.code == MGL_CODE_TIME_LIMIT))
            return x->attempts[i];
    return NULL;
}

/* Names all strata that cannot be released, each with its rows. */
static mgl_status fail_strata(const searching *x, size_t n_failed, mgl_error *err)
{
    mgl_buffer names = {0};
    const attempt *first = NULL;
    size_t named = 0;
    for (size_t i = 0; i < x->strata->n && names.size < MOST_BYTES; i++) {
        const mgl_stratum *stratum = &x->strata->of[i];
        if (x->attempts[i] == NULL)
            continue;
        first = first != NULL ? first : x->attempts[i];
        mgl_buffer_text(&names, named++ > 0 ? "; " : "");
        mgl_held_name(x->problem, x->strata->n_held, stratum->first, &names);
        mgl_buffer_format(&names, " (%llu row%s)", (unsigned long long)stratum->n_rows,
                          stratum->n_rows == 1 ? "" : "s");
    }
    if (n_failed > named)
        mgl_buffer_format(&names, "; and %zu more", n_failed - named);
    mgl_status status =
        names.failed
            ? mgl_fail_memory(err)
            : mgl_fail(err, first->err.code,
                       "%zu of %zu strata cannot be released: %.*s. Of the first: %s. Put them "
                       "together with others, leave them out with `where`, or leave out `by`",
                       n_failed, x->strata->n, (int)names.size, names.data, first->err.message);
    mgl_buffer_free(&names);
    return mgl_blame_key(err, status, "by");
}

static mgl_status look_at_failures(const searching *x, mgl_error *err)
{
    const attempt *other = find_other_failure(x);
    size_t n_failed = 0;
    if (other != NULL)
        return mgl_fail_as(err, &other->err);
    for (size_t i = 0; i < x->strata->n; i++)
        n_failed += x->attempts[i] != NULL;
    return n_failed == 0 ? MGL_OK : fail_strata(x, n_failed, err);
}

static mgl_status search_all(searching *x, mgl_error *err, mgl_solution *out)
{
    size_t n = x->strata->n;
    x->attempts = mgl_own_zeroed(&x->own, n, sizeof *x->attempts);
    x->items = mgl_own_array(&x->own, n, sizeof *x->items);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&x->own, err));
    MGL_GO(joining_new(x->problem, x->strata->n_held, err, &x->joining));
    MGL_GO(try_all(x, err));
    MGL_GO(look_at_failures(x, err));
    MGL_GO(joining_end(x->joining, x->strata, err, out));
done:
    joining_free(x->joining);
    for (size_t i = 0; x->attempts != NULL && i < n; i++)
        mgl_free(x->attempts[i]);
    mgl_owned_free(&x->own);
    return status;
}

mgl_status mgl_strata_run(mgl_run_fn *run, const mgl_method_type *method,
                          const mgl_problem *problem, mgl_error *err, mgl_solution **out)
{
    size_t n_held = mgl_held_columns(problem->columns, problem->list->n_attributes);
    mgl_solution *solution = mgl_zeroed_array(1, sizeof *solution);
    searching x = {.run = run, .method = method, .problem = problem};
    mgl_status status = MGL_OK;
    MGL_TRY(mgl_check_memory(solution != NULL, err));
    solution->method = method;
    MGL_GO(find_strata(problem, n_held, err, &solution->strata));
    x.strata = solution->strata;
    MGL_GO(search_all(&x, err, solution));
    *out = solution;
    solution = NULL;
done:
    mgl_solution_free(solution);
    return status;
}
