/* Makes what models want to know about sensitive columns, for problems that are made directly.
 * Tests of the engine by sensitive values use it. */
#include "sensitive.h"

#include <stdio.h>
#include <string.h>

static void *take(mgl_arena *arena, size_t n, size_t size)
{
    void *data = mgl_arena_alloc(arena, n * size);
    if (data != NULL)
        memset(data, 0, n * size);
    return data;
}

static bool fill_hierarchy(sensitive_facts *f, mgl_sensitive *s, const mgl_hierarchy *h)
{
    uint32_t *leaf_of_code = take(f->arena, s->n_values, sizeof *leaf_of_code);
    const uint64_t **counts = take(f->arena, h->height + 1, sizeof *counts);
    if (leaf_of_code == NULL || counts == NULL)
        return false;
    for (uint32_t code = 0; code < s->n_values; code++)
        leaf_of_code[code] = code;
    for (uint32_t l = 0; l <= h->height; l++) {
        uint64_t *level = take(f->arena, h->levels[l].n_values, sizeof *level);
        if (level == NULL)
            return false;
        for (uint32_t code = 0; code < s->n_values; code++)
            level[h->levels[l].of_leaf[code]] += s->counts[code];
        counts[l] = level;
    }
    s->hierarchy = h;
    s->leaf_of_code = leaf_of_code;
    s->level_counts = counts;
    return true;
}

static bool fill_attribute(sensitive_facts *f, const mgl_frequency_list *list, size_t i,
                           const mgl_hierarchy *hierarchy, const uint32_t *groups)
{
    mgl_sensitive *s = &f->attributes[i];
    const mgl_sparse *sparse = &list->sensitive[i];
    uint32_t n = sparse->n_values;
    uint64_t *counts = take(f->arena, n, sizeof *counts);
    uint32_t *rank = take(f->arena, n, sizeof *rank), *strong = take(f->arena, n, sizeof *strong);
    uint64_t *cumulative = take(f->arena, n, sizeof *cumulative);
    uint64_t *sums = take(f->arena, n + 1, sizeof *sums);
    uint8_t *present = take(f->arena, n, 1);
    if (counts == NULL || rank == NULL || strong == NULL || cumulative == NULL || sums == NULL ||
        present == NULL)
        return false;
    for (size_t j = 0; j < sparse->start[list->n_tuples]; j++)
        counts[sparse->values[j]] += sparse->counts[j];
    *s = (mgl_sensitive){.counts = counts,
                         .n_values = n,
                         .rank = rank,
                         .cumulative = cumulative,
                         .cumulative_sums = sums,
                         .strong = strong,
                         .n_strong = n};
    for (uint32_t code = 0; code < n; code++) {
        strong[code] = groups != NULL ? groups[code] : code;
        s->n += counts[code];
        if (counts[code] == 0)
            continue;
        s->n_strong_present += !present[strong[code]];
        present[strong[code]] = 1;
        cumulative[s->n_present] = s->n;
        sums[s->n_present + 1] = sums[s->n_present] + s->n;
        rank[code] = s->n_present++;
    }
    return hierarchy == NULL || fill_hierarchy(f, s, hierarchy);
}

bool sensitive_facts_make(sensitive_facts *out, const mgl_frequency_list *list,
                          const mgl_hierarchy *const *hierarchies, uint32_t *const *strong)
{
    *out = (sensitive_facts){.arena = mgl_arena_new()};
    out->facts = (mgl_facts){
        .n_rows = list->n_rows, .sensitive = out->attributes, .n_sensitive = list->n_sensitive};
    for (size_t i = 0; i < list->n_sensitive; i++)
        if (!fill_attribute(out, list, i, hierarchies != NULL ? hierarchies[i] : NULL,
                            strong != NULL ? strong[i] : NULL))
            return false;
    return out->arena != NULL;
}

void sensitive_facts_free(sensitive_facts *facts)
{
    mgl_arena_free(facts->arena);
}

/* ---- Adult -------------------------------------------------------------------------- */

bool sensitive_adult_make(sensitive_adult *out, adult *whole, const char *sensitive)
{
    *out = (sensitive_adult){.whole = whole};
    mgl_bound_column quasi[ADULT_COLUMNS];
    uint32_t *leaf_of_code[ADULT_COLUMNS];
    const mgl_column *counted = NULL;
    size_t n = 0;
    mgl_error err = {0};
    mgl_status status = MGL_OK;
    for (size_t a = 0; a < ADULT_COLUMNS; a++) {
        const mgl_column *column = &whole->table->columns[a];
        if (strcmp(column->name, sensitive) == 0) {
            counted = column;
            continue;
        }
        leaf_of_code[n] =
            mgl_alloc_array(mgl_dictionary_size(column->dictionary), sizeof **leaf_of_code);
        status = status != MGL_OK ? status
                                  : mgl_hierarchy_bind(whole->hierarchies[a], column->name,
                                                       column->dictionary, &err, leaf_of_code[n]);
        out->columns[n] = whole->columns[a];
        out->max_level[n] = whole->max_level[a];
        quasi[n] = (mgl_bound_column){column, whole->hierarchies[a], leaf_of_code[n]};
        n++;
    }
    if (status == MGL_OK && counted != NULL)
        status = mgl_frequency_list_new(&(mgl_count_request){.quasi = quasi,
                                                             .n_quasi = n,
                                                             .counted = &counted,
                                                             .n_counted = 1,
                                                             .n_sensitive = 1,
                                                             .n_rows = whole->table->n_rows},
                                        NULL, &err, &out->list);
    if (status == MGL_OK && out->list != NULL)
        status = mgl_cell_costs_new(out->list, out->columns, NULL, &err, &out->costs);
    for (size_t i = 0; i < n; i++)
        mgl_free(leaf_of_code[i]);
    return status == MGL_OK && out->list != NULL &&
           sensitive_facts_make(&out->facts, out->list, NULL, NULL);
}

void sensitive_adult_free(sensitive_adult *data)
{
    sensitive_facts_free(&data->facts);
    mgl_cell_costs_free(data->costs);
    mgl_frequency_list_free(data->list);
}

mgl_problem sensitive_adult_problem(sensitive_adult *data, uint64_t k, const char *model,
                                    double first, double second, uint64_t limit,
                                    const char *measure)
{
    data->facts.facts.k = k;
    data->models[0] = (mgl_model){.type = mgl_model_type_find("k-anonymity"),
                                  .parameters = {(double)k},
                                  .facts = &data->facts.facts};
    data->models[1] = (mgl_model){.type = mgl_model_type_find(model),
                                  .parameters = {first, second},
                                  .facts = &data->facts.facts};
    data->set = (mgl_quasi_set){.attributes = data->whole->attributes,
                                .n_attributes = data->list->n_attributes,
                                .models = data->models,
                                .n_models = 2};
    return (mgl_problem){
        .list = data->list,
        .columns = data->columns,
        .costs = data->costs,
        .min_level = data->whole->min_level,
        .max_level = data->max_level,
        .weights = data->whole->weights,
        .sets = &data->set,
        .n_sets = 1,
        .k = k,
        .limited = true,
        .limit = limit,
        .treatment = MGL_EXEMPT,
        .measure = mgl_measure_type_find(measure),
    };
}
