/* Setting the ladder up: the models, the columns, the block, and the table of the classes of
 * the finest node. */
#include "search/fulldomain/by_size/counts.h"

/* Single columns wider than this are left to the sweep. */
enum { MOST_BITS = 56, LANE_BITS = 5 };
/* So many numbers of rows are remembered of rungs, and pairs are made of no more columns. */
enum { MOST_SEEN = 1 << 22, MOST_PAIRED = 32 };
_Static_assert(1 << LANE_BITS == MGL_LANES, "the lane's number is the lowest bits of a key");

/* ---- The models ------------------------------------------------------------------- */

static size_t planes_for(uint32_t n_values)
{
    return (n_values + MGL_SET_BITS - 1) / MGL_SET_BITS;
}

static size_t planes_of(const mgl_model *model)
{
    size_t sum = 0;
    if (!mgl_needs_histograms(model->type))
        return 0;
    if (model->type->takes_attribute)
        return planes_for(mgl_model_sensitive(model)->n_present);
    for (size_t s = 0; s < model->facts->n_sensitive; s++)
        sum += planes_for(model->facts->sensitive[s].n_present);
    return sum;
}

/* With sets a class to suppress can have any size; but one above the limit is too large, however
 * large it is. Counts of two bytes, less a bit, must do: wider ones make the tables so large
 * that the climb is faster. */
static bool sets_are_handled(const mgl_problem *problem, size_t planes)
{
    const uint64_t most = UINT64_C(1) << (MGL_SET_BITS - 1);
    if (planes > MGL_LADDER_PLANES || (problem->treatment == MGL_KEEP && problem->limit > 0))
        return false;
    return mgl_demand_size(problem) <= UINT16_MAX &&
           (problem->list->n_rows < most ||
            (problem->limit < most - 1 && !mgl_ladder_wants_sizes(problem)));
}

static bool models_are_plain(const mgl_problem *problem)
{
    size_t planes = 0;
    for (size_t i = 0; i < problem->sets[0].n_models; i++) {
        const mgl_model *model = &problem->sets[0].models[i];
        const mgl_model_type *type = model->type;
        if (type->scope != MGL_SCOPE_CLASS || type->needs_population || !type->upward_closed ||
            !mgl_demand_is_whole(type))
            return false;
        planes += planes_of(model);
    }
    return planes == 0 || sets_are_handled(problem, planes);
}

bool mgl_ladder_handles(const mgl_problem *problem)
{
    return mgl_ladder_frames(problem) && models_are_plain(problem);
}

static mgl_status set_demand(mgl_ladder *ladder, mgl_error *err)
{
    MGL_TRY(mgl_demand_make(ladder->problem, ladder->arena, err, &ladder->demand));
    size_t n = ladder->demand.n_varieties;
    ladder->first_plane = mgl_arena_alloc(ladder->arena, (n + 1) * sizeof *ladder->first_plane);
    if (ladder->first_plane == NULL)
        return mgl_fail_memory(err);
    for (size_t i = 0; i < n; i++) {
        ladder->first_plane[i] = ladder->n_planes;
        ladder->n_planes += planes_for(ladder->demand.varieties[i].n_bits);
    }
    ladder->first_plane[n] = ladder->n_planes;
    ladder->k = ladder->threshold = ladder->demand.size;
    ladder->largest_small = ladder->k - 1;
    if (ladder->n_planes > 0) {
        ladder->threshold = UINT64_C(1) << (MGL_SET_BITS - 1);
        ladder->largest_small = ladder->n_rows;
    }
    return MGL_OK;
}

static void choose_kernel(mgl_ladder *ladder)
{
    const mgl_problem *p = ladder->problem;
    /* The smallest class that could join the suppressed rows is looked for. */
    bool joins = p->treatment == MGL_KEEP && ladder->limit > 0;
    ladder->exact_sizes = ladder->sizes || (ladder->holds != NULL && joins && !ladder->above);
    uint64_t most = ladder->exact_sizes ? ladder->n_rows : ladder->k;
    if (ladder->n_planes > 0)
        ladder->kernel = &mgl_ladder_kernel16;
    else if (most <= UINT8_MAX && !ladder->exact_sizes)
        ladder->kernel = &mgl_ladder_kernel8;
    else
        ladder->kernel = most <= UINT16_MAX ? &mgl_ladder_kernel16 : &mgl_ladder_kernel32;
}

/* ---- Keys ------------------------------------------------------------------------- */

/* Columns with many values come first: they decide most. */
static mgl_status lay_out_keys(mgl_ladder *ladder, mgl_error *err)
{
    MGL_TRY(mgl_ladder_columns_order(ladder, true, LANE_BITS, err));
    /* With sets tables cost too much for a look ahead. */
    ladder->use_pairs =
        !ladder->has_floor && ladder->n_planes == 0 && ladder->n_columns <= MOST_PAIRED;
    size_t rungs = ladder->block.n_nodes;
    for (size_t c = ladder->n_columns; c-- > 0 && rungs <= MOST_SEEN;) {
        ladder->all[ladder->columns[c]->attribute].seen_stride = rungs / ladder->block.n_nodes;
        rungs *= ladder->columns[c]->n_levels;
    }
    ladder->n_seen = rungs <= MOST_SEEN && !ladder->has_floor ? rungs : 0;
    ladder->stride = ladder->words * sizeof(uint64_t) +
                     (1 + ladder->n_planes) * ladder->kernel->lane_size * MGL_LANES;
    return MGL_OK;
}

/* ---- The ladder ------------------------------------------------------------------- */

static mgl_status build(mgl_ladder *ladder, bool *exotic, mgl_error *err)
{
    MGL_TRY(mgl_division_make(&ladder->division, ladder->problem, err));
    MGL_TRY(set_demand(ladder, err));
    MGL_TRY(mgl_ladder_measure_make(ladder, err));
    ladder->by_level = ladder->cells != MGL_CELLS_NONE || ladder->measure == MGL_COST_LEVELS;
    ladder->has_floor = (ladder->measure == MGL_COST_CLASSES || ladder->sizes) && ladder->limit > 0;
    choose_kernel(ladder);
    MGL_TRY(mgl_ladder_columns_make(ladder, err));
    for (size_t a = 0; a < ladder->problem->list->n_attributes; a++)
        *exotic = *exotic || ladder->all[a].n_bits > MOST_BITS;
    if (ladder->impossible || *exotic)
        return MGL_OK;
    MGL_TRY(mgl_ladder_block_make(ladder, err));
    MGL_TRY(lay_out_keys(ladder, err));
    MGL_TRY(mgl_ladder_lines_make(ladder, err));
    return mgl_ladder_keys_gather(ladder, err);
}

mgl_status mgl_ladder_new(const mgl_problem *problem, const mgl_marking *marking, mgl_error *err,
                          mgl_ladder **out)
{
    mgl_ladder *ladder = mgl_zeroed_array(1, sizeof *ladder);
    if (ladder == NULL)
        return mgl_fail_memory(err);
    ladder->problem = problem;
    ladder->n_rows = problem->list->n_rows;
    ladder->limit = problem->limit;
    if (marking != NULL) {
        ladder->holds = marking->holds;
        ladder->above = marking->above;
    }
    ladder->arena = mgl_arena_new();
    bool exotic = false;
    mgl_status status = ladder->arena == NULL
                            ? mgl_fail_memory(err)
                            : mgl_some_must_stay(problem, err, &ladder->some_stay);
    if (status == MGL_OK)
        status = build(ladder, &exotic, err);
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
    mgl_division_free(&ladder->division);
    mgl_arena_free(ladder->arena);
    mgl_free(ladder);
}
