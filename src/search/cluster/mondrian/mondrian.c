/* Mondrian (LeFevre, DeWitt, Ramakrishnan 2006): cuts the table in its widest column, and its
 * regions again, as long as all models hold in every region. A row of the table of methods. */
#include "search/cluster/mondrian/cutting.h"
#include "search/cluster/mondrian/mondrian.h"
#include "search/cluster/partition/partition.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

/* ---- The recoding ------------------------------------------------------------------------- */

typedef struct recoder {
    const mgl_mondrian_regions *regions;
    mgl_recoding *recoding;
    mgl_status *status; /* [m] */
} recoder;

/* What a region is released as in one column. */
static mgl_status find_cell(const recoder *r, size_t a, uint32_t first, uint32_t last,
                            uint32_t *cell)
{
    const mgl_mondrian_column *c = &r->regions->space->columns[a];
    uint32_t leaf = c->leaf_of_unit[first];
    if (c->scale == NULL) {
        *cell = c->released->of_leaf[mgl_mondrian_level(c, first, last)][leaf];
        return MGL_OK;
    }
    mgl_released_column *made = r->recoding->own[a];
    if (last == c->missing) {
        *cell = first == last ? made->of_leaf[0][leaf] : made->top;
        return MGL_OK;
    }
    return mgl_made_range(made, c->scale->place_of[leaf], c->scale->place_of[c->leaf_of_unit[last]],
                          NULL, cell);
}

static void recode_column(void *context, size_t a, unsigned worker)
{
    (void)worker;
    recoder *r = context;
    const mgl_mondrian_regions *p = r->regions;
    const mgl_mondrian_space *s = p->space;
    for (size_t begin = 0, end; begin < s->n && r->status[a] == MGL_OK; begin = end) {
        uint32_t first = UINT32_MAX, last = 0, cell = 0;
        for (end = begin; end < s->n && (end == begin || !p->begins[end]); end++) {
            uint32_t unit = s->units[p->order[end] * s->m + a];
            first = unit < first ? unit : first;
            last = unit > last ? unit : last;
        }
        r->status[a] = find_cell(r, a, first, last, &cell);
        for (size_t i = begin; i < end; i++)
            r->recoding->cells[a][p->order[i]] = cell;
    }
}

/* Columns for ranges, without any yet. */
static mgl_status make_columns(const mgl_mondrian_space *s, mgl_error *err,
                               mgl_released_column **own)
{
    for (size_t a = 0; a < s->m; a++) {
        const mgl_mondrian_column *c = &s->columns[a];
        mgl_scale *scale;
        if (c->scale == NULL)
            continue;
        MGL_TRY(mgl_scale_new(c->hierarchy, err, &scale));
        double least = scale->of_leaf[scale->ordered[0]];
        double most = scale->of_leaf[scale->ordered[scale->n_ordered - 1]];
        MGL_TRY(mgl_made_column_new(c->hierarchy, scale, least, most, err, &own[a]));
    }
    return MGL_OK;
}

/* An empty one, which takes the columns over. */
static mgl_status make_recoding(const mgl_mondrian_space *s, mgl_error *err, mgl_recoding **out)
{
    mgl_released_column **own = mgl_zeroed_array(s->m, sizeof *own);
    if (own == NULL)
        return mgl_fail_memory(err);
    mgl_status status = make_columns(s, err, own);
    if (status == MGL_OK)
        status = mgl_recoding_with(s->problem->columns, own, s->m, s->n, err, out);
    else
        for (size_t a = 0; a < s->m; a++)
            mgl_released_column_free(own[a]);
    mgl_free(own);
    return status;
}

static mgl_status recode(const mgl_mondrian_regions *regions, mgl_error *err, mgl_recoding **out)
{
    const mgl_mondrian_space *s = regions->space;
    recoder r = {.regions = regions};
    r.status = mgl_zeroed_array(s->m, sizeof *r.status);
    mgl_status status = MGL_OK;
    if (r.status == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(make_recoding(s, err, &r.recoding));
    mgl_pool_run(s->problem->pool, s->m, recode_column, &r);
    for (size_t a = 0; a < s->m; a++)
        if (r.status[a] != MGL_OK)
            MGL_GO(mgl_fail_memory(err));
    *out = r.recoding;
    r.recoding = NULL;
done:
    mgl_free(r.status);
    mgl_recoding_free(r.recoding);
    return status;
}

/* ---- The search ------------------------------------------------------------------------------ */

/* Halves of a relaxed cut overlap, and classes that read alike are one. Models that hold for two
 * classes hold for both together, but for some of them not if persons are in both. */
static mgl_status refuse_overlaps(const mgl_problem *p, mgl_error *err)
{
    for (size_t i = 0; i < p->sets[0].n_models; i++) {
        const mgl_model_type *type = p->sets[0].models[i].type;
        if (mgl_mondrian_is_relaxed(p) && p->list->persons != NULL &&
            type->scope == MGL_SCOPE_CLASS && !type->upward_closed)
            return mgl_blame_key(
                err,
                mgl_fail(err, MGL_CODE_CONFLICT,
                         "`cut: relaxed`: regions may read alike, and then %s need not hold for "
                         "persons that are in several of them (`entity`); use `cut: strict`",
                         type->name),
                "cut");
    }
    return MGL_OK;
}

/* Without a limit of its own the method may suppress nothing. */
static mgl_status cut_table(const mgl_mondrian_space *s, uint64_t need, mgl_error *err,
                            mgl_solution *out)
{
    mgl_problem limited = *s->problem;
    mgl_mondrian_regions *regions;
    mgl_recoding *recoding;
    limited.limited = true;
    MGL_TRY(mgl_mondrian_regions_new(s, need, err, &regions));
    mgl_status status = recode(regions, err, &recoding);
    out->timed_out = regions->timed_out;
    mgl_mondrian_regions_free(regions);
    return status == MGL_OK ? mgl_solution_take_partition(out, &limited, recoding, err) : status;
}

/* Models of the whole table are not looked at while regions are cut; if one does not hold, larger
 * regions may help. */
static mgl_status search(const mgl_mondrian_space *s, mgl_error *err, mgl_solution *out)
{
    uint64_t need = mgl_demand_size(s->problem);
    mgl_status status = cut_table(s, need, err, out);
    while (status == MGL_UNMET && mgl_judges_table(s->problem) &&
           need <= s->problem->list->n_rows && !out->timed_out) {
        mgl_recoding_free(out->recoding);
        out->recoding = NULL;
        need += need / 2 + 1;
        status = cut_table(s, need, err, out);
    }
    if (status == MGL_UNMET && s->problem->treatment == MGL_EXEMPT) {
        mgl_problem limited = *s->problem;
        limited.limited = true;
        status = mgl_solution_take_widest(out, &limited, err);
    }
    return status;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    if (problem->n_sets > 1)
        return mgl_sets_run(&mgl_mondrian, problem, err, out);
    mgl_mondrian_space *space;
    MGL_TRY(refuse_overlaps(problem, err));
    MGL_TRY(mgl_mondrian_space_new(problem, err, &space));
    mgl_status status = search(space, err, out);
    mgl_mondrian_space_free(space);
    return status == MGL_UNMET ? mgl_fail_no_release(problem, mgl_mondrian.name, err) : status;
}

static const char *const cuts[] = {
    [MGL_CUT_STRICT] = "strict", [MGL_CUT_RELAXED] = "relaxed", NULL};

static const mgl_method_option options[] = {
    {.name = "cut",
     .fallback = "strict",
     .help = "mondrian: equal values stay together, or halves are as equal as can be",
     .form = {.kind = MGL_FORM_WORD, .words = cuts},
     .place = offsetof(mgl_mondrian_options, cut)},
};

const mgl_method_type mgl_mondrian = {
    .name = "mondrian",
    .help = "cuts the table in its widest column, again and again, as long as all models hold; "
            "numbers and dates without a hierarchy become ranges",
    .when = "numbers should stay as narrow as their neighbours allow, or tables are very large",
    .cost = "a few passes over the distinct tuples per halving of the classes",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .options_size = sizeof(mgl_mondrian_options),
    .full_domain = false,
    .several_sets = true,
    .own_values = true,
    .run = run,
};
