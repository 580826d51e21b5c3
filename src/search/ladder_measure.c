/* What kind of measure a search has to deal with, and which problems it can deal with at all:
 * the same for the ladder and the climb. */
#include "search/ladder.h"

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

bool mgl_ladder_frames(const mgl_problem *problem)
{
    const mgl_frequency_list *list = problem->list;
    const measure_kind *kind = find_kind(problem);
    if (problem->n_sets != 1 || problem->sets[0].n_attributes != list->n_attributes ||
        list->n_tuples == 0 || list->persons != NULL || list->n_rows >= UINT32_MAX || kind == NULL)
        return false;
    /* Classes are suppressed there because they violate a model, not because of where they are. */
    if (mgl_tops_come_early(problem))
        return false;
    for (size_t a = 0; a < list->n_attributes; a++)
        if (problem->columns[a]->hierarchy->height >= UINT8_MAX - 1)
            return false;
    if ((kind->weighted && !(sum_of_weights(problem) > 0)) || !mgl_distortion_rises(problem))
        return false;
    return kind->measure != MGL_LADDER_CLASSIFICATION || problem->label != NULL;
}

bool mgl_ladder_wants_sizes(const mgl_problem *problem)
{
    const measure_kind *kind = find_kind(problem);
    return kind != NULL && kind->sizes;
}

static void count_misclassified(mgl_ladder *ladder)
{
    const mgl_sparse *label = ladder->problem->label;
    for (size_t t = 0; t < ladder->problem->list->n_tuples; t++) {
        uint64_t most = 0;
        for (size_t i = label->start[t]; i < label->start[t + 1]; i++) {
            ladder->least_misclassified += label->counts[i];
            most = label->counts[i] > most ? label->counts[i] : most;
        }
        ladder->least_misclassified -= most;
    }
}

/* Sums of cells are brought to a mean per row, weights and number of columns included. */
mgl_status mgl_ladder_measure_make(mgl_ladder *ladder, mgl_error *err)
{
    static const measure_kind none = {"", MGL_LADDER_HOLDING, MGL_LADDER_NOTHING, false, false};
    const mgl_problem *p = ladder->problem;
    const measure_kind *kind = ladder->holds != NULL ? &none : find_kind(p);
    size_t m = p->list->n_attributes;
    ladder->measure = kind->measure;
    ladder->cells = kind->cells;
    ladder->sizes = kind->sizes;
    ladder->monotone = ladder->holds != NULL && (ladder->above || mgl_holding_is_monotone(p));
    ladder->cell_scale = mgl_arena_alloc(ladder->arena, m * sizeof *ladder->cell_scale);
    if (ladder->cell_scale == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < m; a++) {
        double share = 1;
        if (kind->weighted)
            share = p->weights[a] / sum_of_weights(p);
        else if (kind->measure == MGL_LADDER_SUM && kind->cells == MGL_LADDER_LOSS)
            share = 1 / (double)m;
        ladder->cell_scale[a] = share / (double)ladder->n_rows;
    }
    if (kind->measure == MGL_LADDER_CLASSIFICATION)
        count_misclassified(ladder);
    return MGL_OK;
}
