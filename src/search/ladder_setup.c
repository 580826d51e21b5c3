/* Setting the ladder up: what kind of measure it is, the columns, the block, and the table
 * of the classes of the finest node. */
#include "search/ladder.h"

#include <stdlib.h>

/* Single columns wider than this are left to the sweep. */
enum { MOST_BITS = 56, LANE_BITS = 5 };
/* So many numbers of rows are remembered of rungs, and pairs are made of no more columns. */
enum { MOST_SEEN = 1 << 22, MOST_PAIRED = 32 };
_Static_assert(1 << LANE_BITS == MGL_LANES, "the lane's number is the lowest bits of a key");

/* ---- The measure ------------------------------------------------------------------ */

typedef struct measure_kind {
    const char *name;
    mgl_ladder_measure measure;
    mgl_ladder_cells cells;
    bool weighted, sizes;
} measure_kind;

static const measure_kind kinds[] = {
    {"precision", MGL_LADDER_SUM, MGL_LADDER_DISTORTION, true, false},
    {"loss", MGL_LADDER_SUM, MGL_LADDER_LOSS, false, false},
    {"ncp", MGL_LADDER_SUM, MGL_LADDER_LOSS, true, false},
    {"nonuniform-entropy", MGL_LADDER_SUM, MGL_LADDER_BITS, false, false},
    {"geometric-loss", MGL_LADDER_PRODUCT, MGL_LADDER_LOSS, false, false},
    {"ambiguity", MGL_LADDER_AMBIGUITY, MGL_LADDER_LEAVES, false, false},
    {"discernibility", MGL_LADDER_DISCERNIBILITY, MGL_LADDER_NOTHING, false, true},
    {"class-size", MGL_LADDER_CLASSES, MGL_LADDER_NOTHING, false, false},
    {"entropy", MGL_LADDER_ENTROPY, MGL_LADDER_NOTHING, false, true},
    {"height", MGL_LADDER_HEIGHT, MGL_LADDER_NOTHING, false, false},
    {"classification", MGL_LADDER_CLASSIFICATION, MGL_LADDER_NOTHING, false, false},
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

static bool models_are_plain(const mgl_problem *problem)
{
    for (size_t i = 0; i < problem->sets[0].n_models; i++) {
        const mgl_model_type *type = problem->sets[0].models[i].type;
        if (type->scope != MGL_SCOPE_CLASS || type->needs_histograms || type->needs_population ||
            !type->upward_closed)
            return false;
    }
    return true;
}

bool mgl_ladder_handles(const mgl_problem *problem)
{
    const measure_kind *kind = find_kind(problem);
    if (problem->n_sets != 1 || problem->sets[0].n_attributes != problem->list->n_attributes ||
        problem->list->n_tuples == 0 || problem->list->persons != NULL ||
        problem->list->n_rows >= UINT32_MAX || kind == NULL || !models_are_plain(problem))
        return false;
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        if (problem->columns[a]->hierarchy->height >= UINT8_MAX - 1)
            return false;
    if (kind->weighted && !(sum_of_weights(problem) > 0))
        return false;
    if (!mgl_distortion_rises(problem))
        return false;
    return kind->measure != MGL_LADDER_CLASSIFICATION || problem->label != NULL;
}

/* The least size at which a class holds all models; one more than the table has rows if
 * none does. */
static uint64_t least_size(const mgl_problem *problem)
{
    const mgl_quasi_set *set = &problem->sets[0];
    uint64_t low = 1, high = problem->list->n_rows + 1;
    while (low < high) {
        uint64_t middle = low + (high - low) / 2;
        mgl_group group = {.size = middle};
        bool holds = true;
        for (size_t i = 0; holds && i < set->n_models; i++)
            holds = mgl_model_holds(&set->models[i], &group);
        if (holds)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Sums of cells are brought to a mean per row, weights and number of columns included. */
static mgl_status set_measure(mgl_ladder *ladder, mgl_error *err)
{
    static const measure_kind none = {"", MGL_LADDER_HOLDING, MGL_LADDER_NOTHING, false, false};
    const mgl_problem *p = ladder->problem;
    const measure_kind *kind = ladder->holds != NULL ? &none : find_kind(p);
    size_t m = p->list->n_attributes;
    double rows = (double)p->list->n_rows;
    ladder->measure = kind->measure;
    ladder->by_level = kind->cells != MGL_LADDER_NOTHING || kind->measure == MGL_LADDER_HEIGHT;
    ladder->has_floor = (kind->measure == MGL_LADDER_CLASSES || kind->sizes) && ladder->limit > 0;
    ladder->cells = kind->cells;
    ladder->cell_scale = mgl_arena_alloc(ladder->arena, m * sizeof *ladder->cell_scale);
    if (ladder->cell_scale == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        double share = 1;
        if (kind->weighted)
            share = p->weights[a] / sum_of_weights(p);
        else if (kind->measure == MGL_LADDER_SUM && kind->cells == MGL_LADDER_LOSS)
            share = 1 / (double)m;
        ladder->cell_scale[a] = share / rows;
    }
    bool joins = p->treatment == MGL_KEEP && ladder->limit > 0; /* the smallest is looked for */
    ladder->exact_sizes = kind->sizes || (ladder->holds != NULL && joins);
    if (ladder->exact_sizes)
        ladder->kernel = ladder->n_rows <= UINT16_MAX ? &mgl_ladder_kernel16 : &mgl_ladder_kernel32;
    else if (ladder->k <= UINT8_MAX)
        ladder->kernel = &mgl_ladder_kernel8;
    else
        ladder->kernel = ladder->k <= UINT16_MAX ? &mgl_ladder_kernel16 : &mgl_ladder_kernel32;
    return MGL_OK;
}

static void count_misclassified(mgl_ladder *ladder)
{
    const mgl_sparse *label = ladder->problem->label;
    if (ladder->measure != MGL_LADDER_CLASSIFICATION)
        return;
    for (size_t t = 0; t < ladder->problem->list->n_tuples; t++) {
        uint64_t most = 0;
        for (size_t i = label->start[t]; i < label->start[t + 1]; i++) {
            ladder->least_misclassified += label->counts[i];
            most = label->counts[i] > most ? label->counts[i] : most;
        }
        ladder->least_misclassified -= most;
    }
}

/* ---- Keys ------------------------------------------------------------------------- */

static int compare_columns(const void *a, const void *b)
{
    const mgl_ladder_column *x = *(const mgl_ladder_column *const *)a;
    const mgl_ladder_column *y = *(const mgl_ladder_column *const *)b;
    if (x->levels[0].n_values != y->levels[0].n_values)
        return x->levels[0].n_values > y->levels[0].n_values ? -1 : 1;
    return (x->attribute > y->attribute) - (x->attribute < y->attribute);
}

/* The columns outside the block in the order in which rungs refine them: those with many
 * values first, they decide most. Then where their codes lie in keys. */
static mgl_status lay_out_keys(mgl_ladder *ladder, mgl_error *err)
{
    size_t m = ladder->problem->list->n_attributes;
    ladder->columns = mgl_arena_alloc(ladder->arena, (m + 1) * sizeof *ladder->columns);
    ladder->highest = mgl_arena_alloc(ladder->arena, m + 1);
    if (ladder->columns == NULL || ladder->highest == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++)
        if (!ladder->all[a].in_block)
            ladder->columns[ladder->n_columns++] = &ladder->all[a];
    qsort(ladder->columns, ladder->n_columns, sizeof *ladder->columns, compare_columns);
    unsigned word = 0, used = LANE_BITS;
    for (size_t c = 0; c < ladder->n_columns; c++) {
        mgl_ladder_column *column = &ladder->all[ladder->columns[c]->attribute];
        ladder->highest[c] = column->n_levels - 1;
        column->first_place = ladder->n_places;
        ladder->n_places += column->n_levels;
        if (used + column->n_bits > 64) {
            word++;
            used = 0;
        }
        column->word = word;
        column->shift = used;
        used += column->n_bits;
    }
    ladder->use_pairs = !ladder->has_floor && ladder->n_columns <= MOST_PAIRED;
    size_t rungs = ladder->block.n_nodes;
    for (size_t c = ladder->n_columns; c-- > 0 && rungs <= MOST_SEEN;) {
        ladder->all[ladder->columns[c]->attribute].seen_stride = rungs / ladder->block.n_nodes;
        rungs *= ladder->columns[c]->n_levels;
    }
    ladder->n_seen = rungs <= MOST_SEEN && !ladder->has_floor ? rungs : 0;
    ladder->words = word + 1;
    ladder->stride = ladder->words * sizeof(uint64_t) + ladder->kernel->lane_size * MGL_LANES;
    return MGL_OK;
}

/* ---- The ladder ------------------------------------------------------------------- */

static mgl_status build(mgl_ladder *ladder, bool *exotic, mgl_error *err)
{
    MGL_TRY(set_measure(ladder, err));
    MGL_TRY(mgl_ladder_columns_make(ladder, err));
    for (size_t a = 0; a < ladder->problem->list->n_attributes; a++)
        *exotic = *exotic || ladder->all[a].n_bits > MOST_BITS;
    if (ladder->impossible || *exotic)
        return MGL_OK;
    count_misclassified(ladder);
    MGL_TRY(mgl_ladder_block_make(ladder, err));
    MGL_TRY(lay_out_keys(ladder, err));
    MGL_TRY(mgl_ladder_lines_make(ladder, err));
    return mgl_ladder_keys_gather(ladder, err);
}

mgl_status mgl_ladder_new(const mgl_problem *problem, uint8_t *holds, mgl_error *err,
                          mgl_ladder **out)
{
    mgl_ladder *ladder = mgl_zeroed_array(1, sizeof *ladder);
    if (ladder == NULL)
        return mgl_fail_memory(err);
    ladder->problem = problem;
    ladder->n_rows = problem->list->n_rows;
    ladder->limit = problem->limit;
    ladder->holds = holds;
    ladder->k = least_size(problem);
    ladder->arena = mgl_arena_new();
    bool exotic = false;
    mgl_status status = ladder->arena == NULL ? mgl_fail_memory(err) : build(ladder, &exotic, err);
    if (status != MGL_OK || exotic) {
        mgl_ladder_free(ladder);
        ladder = NULL;
    }
    if (status == MGL_OK)
        *out = ladder;
    return status;
}

void mgl_ladder_free(mgl_ladder *ladder)
{
    if (ladder == NULL)
        return;
    mgl_free(ladder->first);
    for (unsigned i = 0; ladder->workers != NULL && i < ladder->n_workers; i++)
        mgl_ladder_worker_free(&ladder->workers[i]);
    mgl_free(ladder->workers);
    mgl_arena_free(ladder->arena);
    mgl_free(ladder);
}
