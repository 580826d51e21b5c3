/* mu-Argus as Sweeney 2002 reconstructed it (figure 11): generalize until every value is common,
 * then suppress single cells of combinations that are rare. With combinations of two and three
 * columns the result may still have rare rows, which was the paper's point: it is unsafe then. A
 * row of the table of methods. */
#include "search/argus/argus.h"
#include "search/argus/units.h"
#include "search/argus/unsafe_combinations.h"
#include "search/node/node.h"
#include "search/sets/sets.h"

/* What a result is told. */
typedef struct findings {
    uint32_t *levels;       /* of the columns */
    json_t *before, *after; /* unsafe combinations; after NULL: time was up */
} findings;

typedef struct argus {
    const mgl_problem *problem;
    const mgl_argus_options *options;
    uint64_t k;
    mgl_recoding *recoding;
    mgl_argus_units *units;
    uint64_t live; /* columns of the units before cells are suppressed */
    mgl_argus_family family;
    mgl_argus_outliers outliers;
    mgl_argus_cells cells;
} argus;

/* ---- The k that says what is rare ---------------------------------------------------------- */

static mgl_status find_k(argus *x, mgl_error *err)
{
    const mgl_problem *p = x->problem;
    bool given = false;
    x->k = 0;
    const mgl_quasi_set *set = p->n_sets > 0 ? &p->sets[mgl_strictest_set(p)] : NULL;
    for (size_t i = 0; set != NULL && i < set->n_models; i++) {
        const mgl_model *model = &set->models[i];
        given = given || mgl_demand_implies_k(model);
        if (model->type->k != MGL_K_IS)
            continue;
        given = true;
        x->k = (uint64_t)model->parameters[0] > x->k ? (uint64_t)model->parameters[0] : x->k;
    }
    if (!given)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_MISSING_KEY,
                     "mu-argus suppresses what fewer than k rows have in common; give `k: N` "
                     "beside the other models, or use another method"),
            "k");
    x->k = x->k == 0 ? p->k : x->k;
    return MGL_OK;
}

/* ---- The node ------------------------------------------------------------------------------- */

static void recode_column(mgl_recoding *recoding, const mgl_frequency_list *list, size_t a,
                          uint32_t level)
{
    const uint32_t *of_leaf = recoding->columns[a]->of_leaf[level];
    for (size_t t = 0; t < list->n_tuples; t++)
        recoding->cells[a][t] = of_leaf[mgl_list_leaf(list, t, a)];
}

/* Does each value of the column occur often enough? */
static bool is_common(const argus *x, size_t a, const mgl_argus_people *people,
                      const uint32_t *list, mgl_argus_groups *groups)
{
    groups->n = x->recoding->columns[a]->n_values;
    memcpy(groups->of, x->recoding->cells[a], people->n * sizeof *groups->of);
    mgl_argus_count(groups, people, list, people->n);
    for (size_t i = 0; i < people->n; i++)
        if (groups->sizes[groups->of[i]] < x->k)
            return false;
    return true;
}

/* Generalizes a column until its values are common, then as much more as the holder wants, but
 * never higher than it may go. */
static uint32_t generalize(const argus *x, size_t a, const mgl_argus_people *people,
                           const uint32_t *list, mgl_argus_groups *groups)
{
    const mgl_problem *p = x->problem;
    uint32_t level = p->min_level[a];
    recode_column(x->recoding, p->list, a, level);
    while (level < p->max_level[a] && !is_common(x, a, people, list, groups))
        recode_column(x->recoding, p->list, a, ++level);
    uint32_t more = x->options->generalize[a], most = p->max_level[a] - level;
    level += more < most ? more : most;
    recode_column(x->recoding, p->list, a, level);
    return level;
}

static mgl_status generalize_all(argus *x, mgl_error *err, uint32_t *levels)
{
    const mgl_frequency_list *list = x->problem->list;
    mgl_argus_people people = mgl_argus_people_of(list);
    mgl_argus_groups groups;
    size_t most = 1;
    for (size_t a = 0; a < list->n_attributes; a++)
        if (x->problem->columns[a]->n_values > most)
            most = x->problem->columns[a]->n_values;
    uint32_t *tuples = mgl_alloc_array(people.n, sizeof *tuples);
    mgl_status status = MGL_OK;
    MGL_GO(mgl_argus_groups_init(&groups, &people, most, err));
    if (tuples == NULL)
        MGL_GO(mgl_fail_memory(err));
    for (size_t t = 0; t < people.n; t++)
        tuples[t] = (uint32_t)t;
    for (size_t a = 0; a < list->n_attributes; a++)
        levels[a] = generalize(x, a, &people, tuples, &groups);
done:
    mgl_argus_groups_free(&groups);
    mgl_free(tuples);
    return status;
}

/* ---- Cells ----------------------------------------------------------------------------------- */

static mgl_status suppress_cells(argus *x, mgl_error *err)
{
    const mgl_problem *p = x->problem;
    MGL_TRY(mgl_argus_units_new(p->list, x->recoding, err, &x->units));
    x->live = x->units->live;
    MGL_TRY(mgl_argus_family_make(p, x->live, err, &x->family));
    MGL_TRY(mgl_argus_outliers_find(p, x->units, &x->family, x->k, err, &x->outliers));
    MGL_TRY(mgl_argus_cells_suppress(p, x->units, &x->family, &x->outliers, err, &x->cells));
    if (x->family.rounds)
        MGL_TRY(mgl_argus_cells_complete(p, x->units, x->k, &x->cells, err));
    return MGL_OK;
}

/* A row that lost every cell is suppressed. */
static uint64_t recode_cells(argus *x)
{
    const mgl_frequency_list *list = x->problem->list;
    uint64_t rows = 0;
    for (size_t t = 0; t < list->n_tuples; t++) {
        uint64_t lost = x->cells.lost[x->units->of_tuple[t]];
        for (uint64_t left = lost; left != 0; left &= left - 1) {
            size_t a = (size_t)__builtin_ctzll(left);
            x->recoding->cells[a][t] = x->recoding->columns[a]->top;
        }
        x->recoding->suppressed[t] = lost != 0 && lost == x->units->live;
        rows += x->recoding->suppressed[t] ? list->counts[t] : 0;
    }
    return rows;
}

/* ---- Unsafe combinations -------------------------------------------------------------------- */

/* Rounds took cells from the units: then they are made once more, in the same order, as the
 * recoding still has them. */
static mgl_status tell_before(const argus *x, mgl_error *err, findings *out)
{
    mgl_argus_units *again = NULL;
    if (x->family.rounds)
        MGL_TRY(mgl_argus_units_new(x->problem->list, x->recoding, err, &again));
    mgl_argus_state state = {.list = x->problem->list,
                             .names = x->problem->names,
                             .live = x->live,
                             .units = again != NULL ? again : x->units,
                             .family = &x->family,
                             .outliers = &x->outliers,
                             .lost = x->cells.lost};
    mgl_status status = mgl_argus_unsafe_json(&state, err, &out->before);
    mgl_argus_units_free(again);
    return status;
}

/* Suppressing cells of one row can make what it had in common with others rare, so that the release
 * is looked at anew. A release that was found before the time limit is worth more than this list.
 */
static mgl_status tell_after(const argus *x, const mgl_recoding *recoding, mgl_error *err,
                             findings *out)
{
    const mgl_problem *p = x->problem;
    mgl_argus_units *units = NULL;
    mgl_argus_outliers outliers = {0};
    mgl_error own = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_argus_units_new(p->list, recoding, err, &units));
    status = mgl_argus_outliers_find(p, units, &x->family, x->k, &own, &outliers);
    if (status != MGL_OK) {
        status = own.code == MGL_CODE_TIME_LIMIT ? MGL_OK : mgl_fail_as(err, &own);
        goto done;
    }
    mgl_argus_state state = {.list = p->list,
                             .names = p->names,
                             .live = x->live,
                             .units = units,
                             .family = &x->family,
                             .outliers = &outliers};
    MGL_GO(mgl_argus_unsafe_json(&state, err, &out->after));
done:
    mgl_argus_outliers_free(&outliers);
    mgl_argus_units_free(units);
    return status;
}

/* ---- The result --------------------------------------------------------------------------------
 */

/* Rounds end in a release that holds k; without them what is left may be unsafe. */
static mgl_status settle(argus *x, uint64_t suppressed_rows, mgl_error *err, mgl_solution *out)
{
    const mgl_problem *p = x->problem;
    mgl_recoding *recoding = x->recoding;
    bool holds = false;
    x->recoding = NULL;
    if (x->family.rounds) {
        MGL_TRY(mgl_solution_treat_recoding(out, p, recoding, err, &holds));
    } else {
        out->recoding = recoding;
        out->suppressed_rows = p->treatment == MGL_EXEMPT
                                   ? mgl_recoding_mark_tops(recoding, p->list->counts, p->pool)
                                   : suppressed_rows;
        MGL_TRY(mgl_recoding_holds(p, recoding, err, &holds));
    }
    /* If all rows are at the top and levels allow that, none counts as suppressed. */
    uint64_t counted = out->suppressed_rows;
    if (!x->family.rounds && suppressed_rows > counted && !mgl_levels_allow_top(p))
        counted = suppressed_rows;
    if (p->limited && counted > p->limit)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_NO_RELEASE,
                     "%llu rows lose all their cells, and %llu may; allow more with `suppress`, "
                     "generalize more with `generalize`, or ask for less",
                     (unsigned long long)counted, (unsigned long long)p->limit),
            "suppress");
    out->unsafe = !holds;
    out->safer = x->family.rounds
                     ? "ask for less, or use another method"
                     : "give `combinations: all`, which suppresses until every model holds";
    return MGL_OK;
}

/* Nobody can want more levels than there are. */
static mgl_status check_generalize(const argus *x, mgl_error *err)
{
    const mgl_problem *p = x->problem;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        uint32_t height = p->columns[a]->hierarchy->height;
        if (x->options->generalize[a] > height)
            return mgl_blame_attribute(err,
                                       mgl_fail(err, MGL_CODE_BAD_VALUE,
                                                "`attributes.%.60s.generalize: %u`: the hierarchy "
                                                "of this column has levels 0..%u; "
                                                "ask for at most %u levels more",
                                                p->names != NULL ? p->names[a] : "COLUMN",
                                                x->options->generalize[a], height, height),
                                       p->names != NULL ? p->names[a] : NULL, "generalize");
    }
    return MGL_OK;
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    size_t m = problem->list->n_attributes;
    argus x = {.problem = problem, .options = problem->options};
    if (m > MGL_ARGUS_COLUMNS)
        return mgl_blame_key(
            err,
            mgl_fail(err, MGL_CODE_LIMIT,
                     "mu-argus handles at most %d quasi-identifiers, not %zu; name fewer, or "
                     "use `method: datafly`",
                     MGL_ARGUS_COLUMNS, m),
            "method");
    MGL_TRY(check_generalize(&x, err));
    findings *found = out->findings = mgl_zeroed_array(1, sizeof *found);
    if (found == NULL)
        return mgl_fail_memory(err);
    mgl_status status = MGL_OK;
    found->levels = mgl_alloc_array(m, sizeof *found->levels);
    if (found->levels == NULL)
        MGL_GO(mgl_fail_memory(err));
    MGL_GO(find_k(&x, err));
    MGL_GO(mgl_recoding_new(problem->columns, m, problem->list->n_tuples, err, &x.recoding));
    MGL_GO(generalize_all(&x, err, found->levels));
    MGL_GO(suppress_cells(&x, err));
    MGL_GO(tell_before(&x, err, found));
    MGL_GO(settle(&x, recode_cells(&x), err, out));
    MGL_GO(tell_after(&x, out->recoding, err, found));
done:
    out->nodes_checked = 1;
    mgl_recoding_free(x.recoding);
    mgl_argus_units_free(x.units);
    mgl_argus_family_free(&x.family);
    mgl_argus_outliers_free(&x.outliers);
    mgl_argus_cells_free(&x.cells);
    return status;
}

static const uint32_t *levels_of(const void *thing)
{
    return ((const findings *)thing)->levels;
}

static const char *const told[] = {"unsafe_combinations", NULL};

static void tell(const void *thing, json_t *document)
{
    const findings *found = thing;
    json_t *unsafe = json_object();
    mgl_json_set(unsafe, "before", json_incref(found->before));
    mgl_json_set(unsafe, "after", found->after != NULL ? json_incref(found->after) : json_null());
    mgl_json_set(document, told[0], unsafe);
}

static void free_findings(void *thing)
{
    findings *found = thing;
    json_decref(found->before);
    json_decref(found->after);
    mgl_free(found->levels);
    mgl_free(found);
}

static const mgl_method_option options[] = {
    {.name = "identification",
     .value = "COLUMN=N,...",
     .fallback = "2",
     .help = "mu-argus: a column is 1 most, 2 more, 3 identifying",
     .by_column = true,
     .form = {.kind = MGL_FORM_SMALL,
              .min = 1,
              .max = 3,
              .wrong = "is no identification level; give 1 (most), 2 (more) or 3 (identifying)"},
     .place = offsetof(mgl_argus_options, identification)},
    {.name = "generalize",
     .value = "COLUMN=N,...",
     .fallback = "0",
     .help = "mu-argus: so many levels more, as the holder decides",
     .by_column = true,
     .of_levels = true,
     .form = {.kind = MGL_FORM_SMALL, .wrong = "is no number of levels; give for example 1"},
     .place = offsetof(mgl_argus_options, generalize)},
    {.same = &mgl_combinations_option, .place = offsetof(mgl_argus_options, combinations)},
};

const mgl_method_type mgl_mu_argus = {
    .name = "mu-argus",
    .help = "mu-Argus: generalize until each value is common, then suppress single cells of rare "
            "combinations of columns; the result may be unsafe, and is refused then",
    .when =
        "to compare with the 2002 paper; with `combinations: all`, for columns of one level each "
        "with single cells suppressed",
    .cost = "a pass over the distinct tuples per combination of columns",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .options_size = sizeof(mgl_argus_options),
    .several_sets = true,
    .may_be_unsafe = true,
    .run = run,
    .tell = tell,
    .tells = told,
    .levels = levels_of,
    .free_findings = free_findings,
};
