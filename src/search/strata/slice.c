/* Makes the problem of one stratum: its tuples, histograms, persons, population and options without
 * the columns that define strata. */
#include "search/strata/slice.h"

#include <stdlib.h>

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

static int ascending(const void *x, const void *y)
{
    uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
    return (a > b) - (a < b);
}

static uint32_t place_of(const uint32_t *sorted, size_t n, uint32_t id)
{
    const uint32_t *found = bsearch(&id, sorted, n, sizeof id, ascending);
    return (uint32_t)(found - sorted);
}

/* Ids are numbered anew, in their order, so that nobody makes room for those of other strata. */
static mgl_status take_spread(mgl_slice *slice, const run *r, const mgl_spread *from,
                              mgl_error *err, mgl_spread *to)
{
    size_t at = from->start[r->first], n = from->start[r->end] - at, n_ids = 0;
    uint32_t *sorted = take(slice, n, sizeof *sorted), *ids = take(slice, n, sizeof *ids);
    *to = (mgl_spread){.start = take_starts(slice, r, from->start),
                       .ids = ids,
                       .values = from->values != NULL ? from->values + at : NULL};
    MGL_TRY(mgl_check_memory(sorted != NULL && ids != NULL && to->start != NULL, err));
    if (n == 0)
        return MGL_OK;
    memcpy(sorted, from->ids + at, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            sorted[n_ids++] = sorted[i];
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

/* What its rows weigh together; the weights of values are borrowed. */
static void take_weights(const mgl_frequency_list *from, mgl_frequency_list *list)
{
    list->weighing = from->weighing;
    list->weighing.total = 0;
    for (size_t t = 0; from->weighing.of_value != NULL && t < list->n_tuples; t++)
        list->weighing.total += mgl_list_weight(list, t);
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
    take_weights(from, out);
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

mgl_status mgl_slice_make(const mgl_problem *problem, size_t n_held, size_t first, size_t end,
                          mgl_error *err, mgl_slice *out)
{
    *out = (mgl_slice){.problem = *problem, .arena = mgl_arena_new()};
    return out->arena == NULL ? mgl_fail_memory(err)
                              : fill(out, problem, &(run){problem->list, n_held, first, end}, err);
}

void mgl_slice_free(mgl_slice *slice)
{
    mgl_cell_costs_free(slice->costs);
    mgl_packing_free(&slice->list.packing);
    mgl_packing_free(&slice->population.packing);
    mgl_arena_free(slice->arena);
    *slice = (mgl_slice){0};
}
