/* Works out what the models demand of a class at least: a size, a number of different values. */
#include "search/node/demand.h"

#include <math.h>
#include <stdlib.h>

static bool holds_with_size(const mgl_quasi_set *set, uint64_t size)
{
    mgl_group group = {.size = size, .rows = size};
    for (size_t i = 0; i < set->n_models; i++)
        if (mgl_asks_for_size(set->models[i].type) && !mgl_model_holds(&set->models[i], &group))
            return false;
    return true;
}

bool mgl_demand_implies_k(const mgl_model *model)
{
    return model->type->k == MGL_K_STANDS_FOR && model->facts->k == 0;
}

uint64_t mgl_demand_size(const mgl_problem *problem)
{
    const mgl_quasi_set *set = &problem->sets[0];
    uint64_t low = 1, most = problem->list->n_rows + 1, high = most;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        if (holds_with_size(set, middle))
            high = middle;
        else
            low = middle + 1;
    }
    for (size_t i = 0; i < set->n_models; i++) {
        double p = mgl_demand_implies_k(&set->models[i]) ? set->models[i].parameters[0] : 0;
        if (p > (double)low)
            low = p < (double)most ? (uint64_t)ceil(p) : most;
    }
    return low;
}

/* Condition 3 of p-sensitivity: every class has at least i values that are not among the p-i
 * most frequent ones, which leaves rows for so many classes. rows[bit] is sorted here. */
static uint64_t most_classes(uint64_t *rows, uint32_t bits, uint64_t n_rows, uint64_t p)
{
    uint64_t most = n_rows, frequent = 0;
    mgl_sort_u64(rows, bits);
    for (uint64_t j = 0; j < p && j <= bits; j++) {
        uint64_t classes = (n_rows - frequent) / (p - j);
        most = classes < most ? classes : most;
        frequent += j < bits ? rows[bits - 1 - j] : 0;
    }
    return most;
}

/* Of two needs for the same values the larger one counts. */
static void add_variety(mgl_demand *demand, mgl_variety variety)
{
    for (size_t i = 0; i < demand->n_varieties; i++) {
        mgl_variety *other = &demand->varieties[i];
        if (other->attribute == variety.attribute && other->subtrees == variety.subtrees) {
            other->need = variety.need > other->need ? variety.need : other->need;
            return;
        }
    }
    demand->varieties[demand->n_varieties++] = variety;
}

mgl_status mgl_demand_variety(mgl_demand *demand, const mgl_facts *facts, uint32_t attribute,
                              bool subtrees, double need, mgl_arena *arena, mgl_error *err)
{
    const mgl_sensitive *s = &facts->sensitive[attribute];
    uint32_t n = subtrees ? s->n_strong : s->n_values, bits = 0;
    uint64_t known = 0;                                    /* rows with a value */
    uint32_t *bit_of = mgl_alloc_array(n, sizeof *bit_of); /* a value or subtree */
    uint64_t *rows = mgl_zeroed_array(n, sizeof *rows);
    uint32_t *bit_of_code = mgl_arena_alloc(arena, s->n_values * sizeof *bit_of_code);
    if (bit_of == NULL || bit_of_code == NULL || rows == NULL) {
        mgl_free(bit_of);
        mgl_free(rows);
        return mgl_fail_memory(err);
    }
    memset(bit_of, 0xFF, n * sizeof *bit_of);
    for (uint32_t code = 0; code < s->n_values; code++) {
        bit_of_code[code] = MGL_NOT_FOUND;
        if (s->counts[code] == 0 || code + 1 == s->unknown)
            continue;
        uint32_t value = subtrees ? s->strong[code] : code;
        if (bit_of[value] == MGL_NOT_FOUND)
            bit_of[value] = bits++;
        bit_of_code[code] = bit_of[value];
        rows[bit_of[value]] += s->counts[code];
        known += s->counts[code];
    }
    double enough =
        fmin(ceil(need), (double)bits + 1); /* a need that cannot be met, whatever its size */
    mgl_variety variety = {attribute, subtrees, bit_of_code, bits, (uint64_t)enough};
    uint64_t most = demand->persons ? UINT64_MAX : most_classes(rows, bits, known, variety.need);
    demand->most_classes = most < demand->most_classes ? most : demand->most_classes;
    add_variety(demand, variety);
    mgl_free(bit_of);
    mgl_free(rows);
    return MGL_OK;
}

bool mgl_demand_is_whole(const mgl_model_type *type)
{
    return !mgl_needs_histograms(type) || type->distinct != MGL_DISTINCT_NONE;
}

static mgl_status add_model(mgl_demand *demand, const mgl_model *model, mgl_arena *arena,
                            mgl_error *err)
{
    bool subtrees = model->type->distinct == MGL_DISTINCT_SUBTREES;
    double need = model->parameters[0];
    if (model->type->distinct != MGL_DISTINCT_OF_EACH)
        return mgl_demand_variety(demand, model->facts, model->attribute, subtrees, need, arena,
                                  err);
    for (uint32_t s = 0; s < model->facts->n_sensitive; s++)
        MGL_TRY(mgl_demand_variety(demand, model->facts, s, false, need, arena, err));
    return MGL_OK;
}

mgl_status mgl_demand_make(const mgl_problem *problem, mgl_arena *arena, mgl_error *err,
                           mgl_demand *out)
{
    const mgl_quasi_set *set = &problem->sets[0];
    uint64_t n_rows = problem->list->n_rows;
    mgl_demand demand = {.size = mgl_demand_size(problem),
                         .persons = problem->list->persons != NULL};
    size_t n = 1;
    for (size_t i = 0; i < set->n_models; i++)
        n += set->models[i].type->takes_attribute ? 1 : problem->list->n_sensitive;
    demand.varieties = mgl_arena_alloc(arena, n * sizeof *demand.varieties);
    MGL_TRY(mgl_check_memory(demand.varieties != NULL, err));
    demand.most_classes = demand.size > 0 && demand.size <= n_rows ? n_rows / demand.size : n_rows;
    for (size_t i = 0; i < set->n_models; i++) {
        const mgl_model *model = &set->models[i];
        if (mgl_needs_histograms(model->type) && mgl_demand_is_whole(model->type))
            MGL_TRY(add_model(&demand, model, arena, err));
    }
    *out = demand;
    return MGL_OK;
}
