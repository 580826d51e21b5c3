/* Makes a problem of one quasi-identifier out of one with several: some columns are free, the
 * others at the top, and blocks of tuples stay apart. in_turn.c and the bound of the cell level
 * ask for it. */
#include "search/sets/sets.h"

#include <stdio.h>

static void *take(mgl_one_set *one, size_t n, size_t size)
{
    return mgl_arena_alloc(one->arena, (n > 0 ? n : 1) * size);
}

static mgl_status choose_tuples(mgl_one_set *one, const mgl_frequency_list *from,
                                const mgl_one_set_request *request, mgl_error *err)
{
    mgl_frequency_list *list = &one->list;
    one->tuple_of = take(one, from->n_tuples, sizeof *one->tuple_of);
    list->counts = take(one, from->n_tuples, sizeof *list->counts);
    MGL_TRY(mgl_check_memory(one->tuple_of != NULL && list->counts != NULL, err));
    list->n_tuples = list->n_rows = 0;
    for (size_t t = 0; t < from->n_tuples; t++) {
        if (request->gone != NULL && request->gone[t])
            continue;
        list->counts[list->n_tuples] = from->counts[t];
        list->n_rows += from->counts[t];
        one->tuple_of[list->n_tuples++] = (uint32_t)t;
    }
    return MGL_OK;
}

static mgl_status choose_values(mgl_one_set *one, const mgl_sparse *from, mgl_error *err,
                                mgl_sparse *to)
{
    size_t n = one->list.n_tuples, end = 0;
    for (size_t t = 0; t < n; t++)
        end += from->start[one->tuple_of[t] + 1] - from->start[one->tuple_of[t]];
    *to = (mgl_sparse){.n_values = from->n_values,
                       .start = take(one, n + 1, sizeof *to->start),
                       .values = take(one, end, sizeof *to->values),
                       .counts = take(one, end, sizeof *to->counts)};
    MGL_TRY(mgl_check_memory(to->start != NULL && to->values != NULL && to->counts != NULL, err));
    end = 0;
    for (size_t t = 0; t < n; t++) {
        to->start[t] = end;
        for (size_t i = from->start[one->tuple_of[t]]; i < from->start[one->tuple_of[t] + 1]; i++) {
            to->values[end] = from->values[i];
            to->counts[end++] = from->counts[i];
        }
    }
    to->start[n] = end;
    return MGL_OK;
}

static mgl_status choose_spread(mgl_one_set *one, const mgl_spread *from, mgl_error *err,
                                mgl_spread *to)
{
    size_t n = one->list.n_tuples, end = 0;
    for (size_t t = 0; t < n; t++)
        end += from->start[one->tuple_of[t] + 1] - from->start[one->tuple_of[t]];
    *to = (mgl_spread){.n_ids = from->n_ids,
                       .start = take(one, n + 1, sizeof *to->start),
                       .ids = take(one, end, sizeof *to->ids)};
    if (from->values != NULL)
        to->values = take(one, end, sizeof *to->values);
    if (to->start == NULL || to->ids == NULL || (from->values != NULL && to->values == NULL))
        return mgl_fail_memory(err);
    end = 0;
    for (size_t t = 0; t < n; t++) {
        to->start[t] = end;
        for (size_t i = from->start[one->tuple_of[t]]; i < from->start[one->tuple_of[t] + 1];
             i++, end++) {
            to->ids[end] = from->ids[i];
            if (from->values != NULL)
                to->values[end] = from->values[i];
        }
    }
    to->start[n] = end;
    return MGL_OK;
}

static mgl_status choose_persons(mgl_one_set *one, const mgl_frequency_list *from, mgl_error *err)
{
    size_t n = one->list.n_tuples;
    mgl_persons *persons = take(one, 1, sizeof *persons);
    MGL_TRY(mgl_check_memory(persons != NULL, err));
    *persons = *from->persons;
    persons->local = take(one, n, sizeof *persons->local);
    persons->by_value = take(one, from->n_judged, sizeof *persons->by_value);
    MGL_TRY(mgl_check_memory(persons->local != NULL && persons->by_value != NULL, err));
    for (size_t t = 0; t < n; t++)
        persons->local[t] = from->persons->local[one->tuple_of[t]];
    MGL_TRY(choose_spread(one, &from->persons->spread, err, &persons->spread));
    for (size_t i = 0; i < from->n_judged; i++)
        MGL_TRY(choose_spread(one, &from->persons->by_value[i], err, &persons->by_value[i]));
    one->list.persons = persons;
    return MGL_OK;
}

static mgl_status choose_histories(mgl_one_set *one, const uint32_t *histories, mgl_error *err)
{
    if (histories == NULL)
        return MGL_OK;
    uint32_t *chosen = take(one, one->list.n_tuples, sizeof *chosen);
    MGL_TRY(mgl_check_memory(chosen != NULL, err));
    for (size_t t = 0; t < one->list.n_tuples; t++)
        chosen[t] = histories[one->tuple_of[t]];
    one->problem.histories = chosen;
    return MGL_OK;
}

/* A value for each block, which nothing but the top stands above. */
static mgl_status make_hierarchy(mgl_one_set *one, uint32_t n_blocks, mgl_error *err)
{
    mgl_dictionary *dictionary = mgl_dictionary_new();
    mgl_status status = MGL_OK;
    MGL_GO(mgl_check_memory(dictionary != NULL, err));
    for (uint32_t i = 0; i < n_blocks; i++) {
        char text[16];
        int size = snprintf(text, sizeof text, "%010u", i);
        if (mgl_dictionary_add(dictionary, (mgl_span){text, (size_t)size}) == MGL_NOT_FOUND)
            MGL_GO(mgl_fail_memory(err));
    }
    MGL_GO(mgl_hierarchy_make(NULL, "blocks", dictionary, err, &one->hierarchy));
    MGL_GO(mgl_released_column_new(one->hierarchy, err, &one->blocks));
done:
    mgl_dictionary_free(dictionary);
    return status;
}

/* Blocks cost nothing. */
static mgl_status make_costs(mgl_one_set *one, const mgl_cell_costs *from, const uint32_t *block_of,
                             mgl_error *err)
{
    size_t m = from->n_attributes, n = one->blocks->n_values;
    mgl_cell_costs *c = &one->costs;
    double *zeros = take(one, n, sizeof *zeros);
    uint64_t *rows = take(one, n, sizeof *rows);
    *c = (mgl_cell_costs){.n_attributes = m + 1,
                          .distortion = take(one, m + 1, sizeof *c->distortion),
                          .loss = take(one, m + 1, sizeof *c->loss),
                          .log_rows = take(one, m + 1, sizeof *c->log_rows),
                          .rows = take(one, m + 1, sizeof *c->rows),
                          .at_level = take(one, m + 1, sizeof *c->at_level),
                          .original_bits = take(one, m + 1, sizeof *c->original_bits),
                          .original_log_sum = from->original_log_sum};
    MGL_TRY(mgl_check_memory(zeros != NULL && rows != NULL && c->distortion != NULL &&
                                 c->loss != NULL && c->log_rows != NULL && c->rows != NULL &&
                                 c->at_level != NULL && c->original_bits != NULL,
                             err));
    memset(zeros, 0, n * sizeof *zeros);
    /* Rows of each value of the blocks. */
    memset(rows, 0, one->blocks->n_values * sizeof *rows);
    for (size_t t = 0; t < one->list.n_tuples; t++)
        for (uint32_t l = 0; l < one->blocks->n_levels; l++)
            rows[one->blocks->of_leaf[l][block_of[one->tuple_of[t]]]] += one->list.counts[t];
    for (size_t a = 0; a <= m; a++) {
        c->distortion[a] = a < m ? from->distortion[a] : zeros;
        c->loss[a] = a < m ? from->loss[a] : zeros;
        c->log_rows[a] = a < m ? from->log_rows[a] : zeros;
        c->rows[a] = a < m ? from->rows[a] : rows;
        c->at_level[a] = a < m ? from->at_level[a] : NULL;
        c->original_bits[a] = a < m ? from->original_bits[a] : 0;
    }
    one->problem.costs = c;
    return MGL_OK;
}

static mgl_status make_columns(mgl_one_set *one, const mgl_problem *p,
                               const mgl_one_set_request *request, mgl_error *err)
{
    size_t m = p->list->n_attributes, all = one->list.n_attributes;
    const mgl_released_column **columns = take(one, all, sizeof *columns);
    const char **names = take(one, all, sizeof *names);
    uint32_t *low = take(one, all, sizeof *low), *high = take(one, all, sizeof *high);
    uint32_t *attributes = take(one, all, sizeof *attributes);
    double *weights = take(one, all, sizeof *weights);
    MGL_TRY(mgl_check_memory(columns != NULL && names != NULL && low != NULL && high != NULL &&
                                 attributes != NULL && weights != NULL,
                             err));
    for (size_t a = 0; a < all; a++) {
        bool free = a < m && request->columns[a];
        columns[a] = a < m ? p->columns[a] : one->blocks;
        names[a] = a < m && p->names != NULL ? p->names[a] : "blocks";
        low[a] = a == m ? 0 : free ? p->min_level[a] : p->columns[a]->hierarchy->height;
        high[a] = a == m ? 0 : free ? p->max_level[a] : p->columns[a]->hierarchy->height;
        weights[a] = free ? p->weights[a] : 0;
        attributes[a] = (uint32_t)a;
    }
    one->problem.columns = columns;
    one->problem.names = names;
    one->problem.min_level = low;
    one->problem.max_level = high;
    one->problem.weights = weights;
    one->set = p->sets[request->models_of];
    one->set.attributes = attributes;
    one->set.n_attributes = all;
    return MGL_OK;
}

static uint32_t leaf_of(const mgl_one_set *one, const mgl_frequency_list *from,
                        const uint32_t *block_of, size_t t, size_t a)
{
    return a < from->n_attributes ? mgl_list_leaf(from, one->tuple_of[t], a)
                                  : block_of[one->tuple_of[t]];
}

/* A block is a function of the tuple: behind the leaves it does not change the order of keys. */
static mgl_status make_keys(mgl_one_set *one, const mgl_frequency_list *from,
                            const uint32_t *block_of, mgl_error *err)
{
    mgl_frequency_list *list = &one->list;
    size_t m = list->n_attributes;
    list->hierarchies = take(one, m, sizeof *list->hierarchies);
    uint32_t *n_values = take(one, m, sizeof *n_values);
    MGL_TRY(mgl_check_memory(list->hierarchies != NULL && n_values != NULL, err));
    for (size_t a = 0; a < m; a++) {
        list->hierarchies[a] = a < from->n_attributes ? from->hierarchies[a] : one->hierarchy;
        n_values[a] = list->hierarchies[a]->n_leaves;
    }
    MGL_TRY(mgl_packing_init(&list->packing, n_values, m, err));
    size_t words = list->packing.n_words;
    list->keys = take(one, list->n_tuples * words, sizeof *list->keys);
    MGL_TRY(mgl_check_memory(list->keys != NULL, err));
    memset(list->keys, 0, list->n_tuples * words * sizeof *list->keys);
    for (size_t t = 0; t < list->n_tuples; t++)
        for (size_t a = 0; a < m; a++)
            list->keys[t * words + list->packing.fields[a].word] |=
                (uint64_t)leaf_of(one, from, block_of, t, a) << list->packing.fields[a].shift;
    return MGL_OK;
}

static mgl_status make_list(mgl_one_set *one, const mgl_problem *p,
                            const mgl_one_set_request *request, mgl_error *err)
{
    const mgl_frequency_list *from = p->list;
    mgl_frequency_list *list = &one->list;
    *list = *from;
    list->packing = (mgl_packing){0};
    list->n_attributes += request->block_of != NULL;
    list->sensitive = take(one, from->n_histograms, sizeof *list->sensitive);
    MGL_TRY(mgl_check_memory(list->sensitive != NULL, err));
    MGL_TRY(choose_tuples(one, from, request, err));
    for (size_t i = 0; i < from->n_histograms; i++)
        MGL_TRY(choose_values(one, &from->sensitive[i], err, &list->sensitive[i]));
    if (from->persons != NULL)
        MGL_TRY(choose_persons(one, from, err));
    MGL_TRY(choose_histories(one, p->histories, err));
    return make_keys(one, from, request->block_of, err);
}

mgl_status mgl_one_set_make(const mgl_problem *problem, const mgl_one_set_request *request,
                            mgl_error *err, mgl_one_set *out)
{
    uint32_t n_blocks = 0;
    *out = (mgl_one_set){.problem = *problem, .arena = mgl_arena_new()};
    MGL_TRY(mgl_check_memory(out->arena != NULL, err));
    for (size_t t = 0; request->block_of != NULL && t < problem->list->n_tuples; t++)
        if (request->block_of[t] != MGL_NOT_FOUND && request->block_of[t] >= n_blocks)
            n_blocks = request->block_of[t] + 1;
    if (request->block_of != NULL)
        MGL_TRY(make_hierarchy(out, n_blocks, err));
    MGL_TRY(make_list(out, problem, request, err));
    if (request->block_of != NULL)
        MGL_TRY(make_costs(out, problem->costs, request->block_of, err));
    MGL_TRY(make_columns(out, problem, request, err));
    out->problem.list = &out->list;
    out->problem.sets = &out->set;
    out->problem.n_sets = 1;
    out->problem.label = NULL;
    out->problem.counting = (mgl_counting){0};
    out->problem.wants_proof = false;
    return MGL_OK;
}

void mgl_one_set_free(mgl_one_set *one)
{
    mgl_packing_free(&one->list.packing);
    mgl_released_column_free(one->blocks);
    mgl_hierarchy_free(one->hierarchy);
    mgl_arena_free(one->arena);
    *one = (mgl_one_set){0};
}

size_t mgl_strictest_set(const mgl_problem *problem)
{
    size_t best = 0;
    uint64_t most = 0;
    for (size_t q = 0; q < problem->n_sets; q++) {
        mgl_problem one = *problem;
        one.sets = &problem->sets[q];
        one.n_sets = 1;
        uint64_t size = mgl_demand_size(&one);
        best = size > most ? q : best;
        most = size > most ? size : most;
    }
    return best;
}

const mgl_problem *mgl_unite_sets(const mgl_problem *problem, mgl_united_sets *out)
{
    size_t m = problem->list->n_attributes;
    for (size_t a = 0; a < m && a < MGL_MOST_COLUMNS; a++)
        out->attributes[a] = (uint32_t)a;
    out->set = problem->sets[mgl_strictest_set(problem)];
    out->set.attributes = out->attributes;
    out->set.n_attributes = m;
    out->problem = *problem;
    out->problem.sets = &out->set;
    out->problem.n_sets = 1;
    out->problem.wants_proof = false;
    return &out->problem;
}
