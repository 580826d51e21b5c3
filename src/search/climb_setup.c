/* Setting the climb up: the measure, the columns, the models, the first tables. */
#include "search/climb.h"

#include <stdlib.h>

enum { MOST_BITS = 56 }; /* of one column */

/* Memory of the tuples' records that is still reasonable, in words. */
static const size_t MOST_GROUND = (size_t)1 << 26;

typedef struct measure_kind {
    const char *name;
    mgl_ladder_measure measure;
    mgl_ladder_cells cells;
    bool weighted;
} measure_kind;

static const measure_kind kinds[] = {
    {"precision", MGL_LADDER_SUM, MGL_LADDER_DISTORTION, true},
    {"loss", MGL_LADDER_SUM, MGL_LADDER_LOSS, false},
    {"ncp", MGL_LADDER_SUM, MGL_LADDER_LOSS, true},
    {"nonuniform-entropy", MGL_LADDER_SUM, MGL_LADDER_BITS, false},
    {"geometric-loss", MGL_LADDER_PRODUCT, MGL_LADDER_LOSS, false},
    {"ambiguity", MGL_LADDER_AMBIGUITY, MGL_LADDER_LEAVES, false},
    {"discernibility", MGL_LADDER_DISCERNIBILITY, MGL_LADDER_NOTHING, false},
    {"class-size", MGL_LADDER_CLASSES, MGL_LADDER_NOTHING, false},
    {"entropy", MGL_LADDER_ENTROPY, MGL_LADDER_NOTHING, false},
    {"height", MGL_LADDER_HEIGHT, MGL_LADDER_NOTHING, false},
    {"classification", MGL_LADDER_CLASSIFICATION, MGL_LADDER_NOTHING, false},
};

static const measure_kind *find_kind(const mgl_problem *problem)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, problem->measure->name) == 0)
            return &kinds[i];
    return NULL;
}

static double sum_of_weights(const mgl_problem *problem)
{
    double sum = 0;
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        sum += problem->weights[a];
    return sum;
}

static bool models_are_class_wise(const mgl_problem *problem)
{
    for (size_t i = 0; i < problem->sets[0].n_models; i++) {
        const mgl_model_type *type = problem->sets[0].models[i].type;
        if (type->scope != MGL_SCOPE_CLASS || type->needs_population || !type->union_closed)
            return false;
    }
    return true;
}

bool mgl_climb_handles(const mgl_problem *problem)
{
    const mgl_frequency_list *list = problem->list;
    const measure_kind *kind = find_kind(problem);
    if (problem->n_sets != 1 || problem->sets[0].n_attributes != list->n_attributes ||
        list->n_attributes == 0 || list->n_tuples == 0 || list->n_rows >= UINT32_MAX ||
        list->persons != NULL || kind == NULL || !models_are_class_wise(problem))
        return false;
    for (size_t a = 0; a < list->n_attributes; a++)
        if (problem->columns[a]->hierarchy->height >= UINT8_MAX - 1)
            return false;
    if (kind->weighted && !(sum_of_weights(problem) > 0))
        return false;
    if (mgl_lattice_size(problem->min_level, problem->max_level, list->n_attributes) >
        UINT64_MAX / 2)
        return false;
    if (!mgl_distortion_rises(problem))
        return false;
    return kind->measure != MGL_LADDER_CLASSIFICATION || problem->label != NULL;
}

/* Sums of cells are brought to a mean per row, weights and number of columns included. */
static mgl_status set_measure(mgl_climb *climb, mgl_error *err)
{
    static const measure_kind none = {"", MGL_LADDER_HOLDING, MGL_LADDER_NOTHING, false};
    mgl_ladder *frame = &climb->frame;
    const mgl_problem *p = frame->problem;
    const measure_kind *kind = climb->holds != NULL ? &none : find_kind(p);
    size_t m = p->list->n_attributes;
    frame->measure = kind->measure;
    frame->cells = kind->cells;
    frame->cell_scale = mgl_arena_alloc(frame->arena, m * sizeof *frame->cell_scale);
    if (frame->cell_scale == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        double share = 1;
        if (kind->weighted)
            share = p->weights[a] / sum_of_weights(p);
        else if (kind->measure == MGL_LADDER_SUM && kind->cells == MGL_LADDER_LOSS)
            share = 1 / (double)m;
        frame->cell_scale[a] = share / (double)frame->n_rows;
    }
    return MGL_OK;
}

static void count_misclassified(mgl_ladder *frame)
{
    const mgl_sparse *label = frame->problem->label;
    if (frame->measure != MGL_LADDER_CLASSIFICATION)
        return;
    for (size_t t = 0; t < frame->problem->list->n_tuples; t++) {
        uint64_t most = 0;
        for (size_t i = label->start[t]; i < label->start[t + 1]; i++) {
            frame->least_misclassified += label->counts[i];
            most = label->counts[i] > most ? label->counts[i] : most;
        }
        frame->least_misclassified -= most;
    }
}

/* ---- Columns ------------------------------------------------------------------------ */

static int more_values_first(const void *a, const void *b)
{
    const mgl_ladder_column *x = *(const mgl_ladder_column *const *)a;
    const mgl_ladder_column *y = *(const mgl_ladder_column *const *)b;
    if (x->levels[0].n_values != y->levels[0].n_values)
        return x->levels[0].n_values > y->levels[0].n_values ? -1 : 1;
    return (x->attribute > y->attribute) - (x->attribute < y->attribute);
}

static int fewer_values_first(const void *a, const void *b)
{
    return more_values_first(b, a);
}

/* The order in which rungs refine them. Columns with many values decide most about who must
 * be suppressed, those with few about the cost of cells: a level more takes a large part of
 * what they say. */
static mgl_status order_columns(mgl_climb *climb, mgl_error *err)
{
    mgl_ladder *frame = &climb->frame;
    const mgl_problem *p = frame->problem;
    size_t m = p->list->n_attributes;
    frame->columns = mgl_arena_alloc(frame->arena, (m + 1) * sizeof *frame->columns);
    frame->highest = mgl_arena_alloc(frame->arena, m + 1);
    climb->steps = mgl_arena_alloc(frame->arena, m * sizeof *climb->steps);
    climb->offsets = mgl_arena_alloc(frame->arena, m * sizeof *climb->offsets);
    if (frame->columns == NULL || frame->highest == NULL || climb->steps == NULL ||
        climb->offsets == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++)
        frame->columns[a] = &frame->all[a];
    frame->n_columns = m;
    qsort(frame->columns, m, sizeof *frame->columns,
          frame->cells != MGL_LADDER_NOTHING ? fewer_values_first : more_values_first);
    unsigned word = 0, used = 0;
    for (size_t c = 0; c < m; c++) {
        mgl_ladder_column *column = &frame->all[frame->columns[c]->attribute];
        frame->highest[c] = column->n_levels - 1;
        column->first_place = frame->n_places;
        frame->n_places += column->n_levels;
        if (used + column->n_bits > 64) {
            word++;
            used = 0;
        }
        column->word = word;
        column->shift = column->n_bits > 0 ? used : 0;
        used += column->n_bits;
    }
    for (size_t c = 0; c < m; c++) {
        climb->steps[c] = 1;
        for (size_t a = frame->columns[c]->attribute + 1; a < m; a++)
            climb->steps[c] *= (uint64_t)p->max_level[a] - p->min_level[a] + 1;
        climb->offsets[c] =
            climb->steps[c] * (frame->columns[c]->low - p->min_level[frame->columns[c]->attribute]);
    }
    climb->words = word + 1;
    climb->stride = climb->words + climb->n_add + climb->n_or;
    return MGL_OK;
}

/* ---- The climb ---------------------------------------------------------------------- */

static mgl_status build(mgl_climb *climb, bool *exotic, mgl_error *err)
{
    mgl_ladder *frame = &climb->frame;
    MGL_TRY(set_measure(climb, err));
    MGL_TRY(mgl_climb_models_make(climb, err));
    frame->k = climb->k;
    MGL_TRY(mgl_ladder_columns_make(frame, err));
    /* The ladder bounds the bits of suppressed rows by the sizes of their classes, which can
     * be anything here. */
    if (frame->cells == MGL_LADDER_BITS)
        frame->k = frame->n_rows + 1;
    if (frame->impossible)
        return MGL_OK;
    for (size_t a = 0; a < frame->problem->list->n_attributes; a++)
        *exotic = *exotic || frame->all[a].n_bits > MOST_BITS;
    MGL_TRY(order_columns(climb, err));
    *exotic = *exotic || frame->problem->list->n_tuples > MOST_GROUND / climb->stride;
    if (*exotic)
        return MGL_OK;
    frame->block.n_nodes = 1;
    count_misclassified(frame);
    climb->monotone = mgl_holding_is_monotone(frame->problem);
    MGL_TRY(mgl_climb_workers_make(climb, err));
    return mgl_climb_first_make(climb, err);
}

mgl_status mgl_climb_new(const mgl_problem *problem, uint8_t *holds, mgl_error *err,
                         mgl_climb **out)
{
    mgl_climb *climb = mgl_zeroed_array(1, sizeof *climb);
    if (climb == NULL)
        return mgl_fail_memory(err);
    climb->holds = holds;
    climb->frame.problem = problem;
    climb->frame.n_rows = problem->list->n_rows;
    climb->frame.limit = problem->limit;
    climb->frame.arena = mgl_arena_new();
    bool exotic = false;
    mgl_status status =
        climb->frame.arena == NULL ? mgl_fail_memory(err) : build(climb, &exotic, err);
    if (status != MGL_OK || exotic) {
        mgl_climb_free(climb);
        climb = NULL;
    }
    if (status == MGL_OK)
        *out = climb;
    return status;
}

void mgl_climb_free(mgl_climb *climb)
{
    if (climb == NULL)
        return;
    for (size_t c = 0; climb->first != NULL && c <= climb->frame.n_columns; c++)
        mgl_free(climb->first[c].records);
    mgl_free(climb->first);
    for (unsigned i = 0; climb->workers != NULL && i < climb->n_workers; i++)
        mgl_climb_worker_free(&climb->workers[i]);
    mgl_free(climb->workers);
    mgl_arena_free(climb->frame.arena);
    mgl_free(climb);
}
