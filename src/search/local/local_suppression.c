/* Local suppression: the fewest or least important cells are suppressed. A row of the table of
 * methods. */
#include "search/local/patterns.h"
#include "search/node/node.h"
#include "search/local/local.h"

#include <math.h>

/* Tries every way to suppress cells of a few tuples, one by one: where the search finds nothing, it
 * says whether there is anything to find. */

enum {
    MOST_TUPLES = 8,    /* 21,147 ways to put them into classes and leave some out */
    MOST_PATTERNS = 300 /* where not classes count but cells: patterns of all tuples together */
};

typedef struct small {
    const mgl_problem *problem;
    size_t n, m;
    uint64_t need;    /* rows of a class, at least */
    uint32_t columns; /* whose cells may be suppressed by themselves */
    mgl_recoding *tried;
    mgl_recoding *best; /* NULL: none holds yet */
    double best_cost;
} small;

/* Is the recoding a release within the limit? Returns what is suppressed, too, and
 * marks it, but goes by what is marked if that is dropped. */
static mgl_status local_accepts(const mgl_problem *problem, mgl_recoding *recoding, mgl_error *err,
                                uint64_t *rows, bool *out)
{
    const mgl_frequency_list *list = problem->list;
    uint64_t left = 0;
    *rows =
        problem->treatment != MGL_DROP ? mgl_recoding_mark_tops(recoding, list->counts, NULL) : 0;
    for (size_t t = 0; t < list->n_tuples; t++)
        left += recoding->suppressed[t] ? 0 : list->counts[t];
    if (problem->treatment == MGL_DROP)
        *rows = list->n_rows - left;
    /* All rows at the top are the top node; where levels do not allow that, they are suppressed. */
    bool all = *rows == 0 && problem->treatment != MGL_DROP && mgl_recoding_is_top(recoding, 0);
    uint64_t counted = all && !mgl_levels_allow_top(problem) ? list->n_rows : *rows;
    *out = left > 0 && (!problem->limited || counted <= problem->limit);
    return *out ? mgl_recoding_holds(problem, recoding, err, out) : MGL_OK;
}

static uint32_t value_of(const small *s, size_t t, size_t a)
{
    const mgl_problem *p = s->problem;
    return p->columns[a]->of_leaf[p->min_level[a]][mgl_list_leaf(p->list, t, a)];
}

static void leave_out(small *s, size_t t)
{
    mgl_recoding_suppress(s->tried, t);
}

static void set_cells(small *s, size_t t, uint32_t pattern)
{
    s->tried->suppressed[t] = 0;
    for (size_t a = 0; a < s->m; a++)
        s->tried->cells[a][t] = pattern >> a & 1 ? s->problem->columns[a]->top : value_of(s, t, a);
}

static double cost_of(const small *s)
{
    double cost = 0;
    for (size_t t = 0; t < s->n; t++)
        for (size_t a = 0; a < s->m; a++)
            if (s->tried->cells[a][t] != value_of(s, t, a))
                cost += mgl_local_importance(s->problem)[a] * (double)s->problem->list->counts[t];
    return cost;
}

/* The cheapest that is a release stays; of equally cheap ones the first. */
static mgl_status judge(small *s, mgl_error *err)
{
    uint64_t rows;
    bool holds;
    double cost = cost_of(s);
    if (s->best != NULL && cost >= s->best_cost)
        return MGL_OK;
    MGL_TRY(local_accepts(s->problem, s->tried, err, &rows, &holds));
    if (!holds)
        return MGL_OK;
    if (s->best == NULL)
        MGL_TRY(mgl_recoding_new(s->problem->columns, s->m, s->n, err, &s->best));
    for (size_t a = 0; a < s->m; a++)
        memcpy(s->best->cells[a], s->tried->cells[a], s->n * sizeof **s->best->cells);
    memcpy(s->best->suppressed, s->tried->suppressed, s->n);
    s->best_cost = cost;
    return MGL_OK;
}

/* The class of each tuple, numbered by its first one from 1; 0: it is left out. */
static mgl_status judge_classes(small *s, const uint8_t *class_of, mgl_error *err)
{
    for (size_t t = 0; t < s->n; t++) {
        uint32_t pattern = 0;
        for (size_t u = 0; class_of[t] > 0 && u < s->n; u++)
            for (size_t a = 0; class_of[u] == class_of[t] && a < s->m; a++)
                pattern |= (uint32_t)(value_of(s, t, a) != value_of(s, u, a)) << a;
        if ((pattern & ~s->columns) != 0)
            return MGL_OK; /* cells of these columns must stay */
        if (class_of[t] == 0)
            leave_out(s, t);
        else
            set_cells(s, t, pattern);
    }
    return judge(s, err);
}

/* Has every class as many rows as it needs in any case? */
static bool are_large(const small *s, const uint8_t *class_of, uint8_t n_classes)
{
    uint64_t rows[MOST_TUPLES + 1] = {0};
    for (size_t t = 0; t < s->n; t++)
        rows[class_of[t]] += s->problem->list->counts[t];
    for (uint8_t c = 1; c <= n_classes; c++)
        if (rows[c] < s->need)
            return false;
    return true;
}

static mgl_status try_classes(small *s, size_t t, uint8_t n_classes, uint8_t *class_of,
                              mgl_error *err)
{
    if (t == s->n)
        return are_large(s, class_of, n_classes) ? judge_classes(s, class_of, err) : MGL_OK;
    for (uint8_t c = 0; c <= n_classes + 1; c++) {
        class_of[t] = c;
        MGL_TRY(try_classes(s, t + 1, c > n_classes ? c : n_classes, class_of, err));
    }
    return MGL_OK;
}

/* How many ways there are; INFINITY if the table is not small. */
static double n_patterns(const small *s)
{
    return pow(ldexp(1, __builtin_popcount(s->columns)) + 1, (double)s->n);
}

static mgl_status try_patterns(small *s, size_t t, mgl_error *err)
{
    if (t == s->n)
        return judge(s, err);
    leave_out(s, t);
    MGL_TRY(try_patterns(s, t + 1, err));
    uint32_t pattern = s->columns;
    for (;;) { /* the next smaller subset of the columns, down to none */
        set_cells(s, t, pattern);
        MGL_TRY(try_patterns(s, t + 1, err));
        if (pattern == 0)
            return MGL_OK;
        pattern = (pattern - 1) & s->columns;
    }
}

/* The cheapest release of a small table, or NULL; *all is whether it was small enough to try all
 * there are. */
static mgl_status local_try_all(const mgl_problem *problem, mgl_error *err, mgl_recoding **out,
                                bool *all)
{
    small s = {.problem = problem, .n = problem->list->n_tuples, .m = problem->list->n_attributes};
    uint8_t class_of[MOST_TUPLES];
    bool classes = !problem->counting.tops_match && problem->counting.columns == 0 &&
                   problem->n_sets == 1 &&
                   problem->sets[0].n_attributes == problem->list->n_attributes;
    *all = false;
    if (s.n > MOST_TUPLES || s.m > MGL_LOCAL_COLUMNS)
        return MGL_OK;
    s.need = mgl_demand_size(problem);
    for (size_t a = 0; a < s.m; a++)
        if (problem->max_level[a] >= problem->columns[a]->hierarchy->height)
            s.columns |= UINT32_C(1) << a;
    if (!classes && n_patterns(&s) > MOST_PATTERNS)
        return MGL_OK;
    MGL_TRY(mgl_recoding_new(problem->columns, s.m, s.n, err, &s.tried));
    mgl_status status = classes ? try_classes(&s, 0, 0, class_of, err) : try_patterns(&s, 0, err);
    mgl_recoding_free(s.tried);
    if (status != MGL_OK) {
        mgl_recoding_free(s.best);
        return status;
    }
    *all = true;
    *out = s.best;
    return MGL_OK;
}

/* The columns of each combination within a quasi-identifier, unless they are there already. */
static mgl_status add_sets(size_t n_columns, const mgl_quasi_set *of, mgl_error *err,
                           uint32_t *sets, size_t *n)
{
    size_t m = of->n_attributes;
    uint64_t end = UINT64_C(1) << m;
    n_columns = n_columns > 0 && n_columns < m ? n_columns : m;
    for (uint64_t set = (UINT64_C(1) << n_columns) - 1; set < end;) {
        if (*n == MGL_LOCAL_MOST_SETS)
            return mgl_fail_key(err, MGL_CODE_LIMIT, "combinations",
                                "`combinations`: more than %d combinations of %zu of the %zu "
                                "quasi-identifier columns; give smaller ones, or all",
                                MGL_LOCAL_MOST_SETS, n_columns, m);
        uint32_t columns = 0;
        for (size_t i = 0; i < m; i++)
            columns |= (uint32_t)(set >> i & 1) << of->attributes[i];
        bool known = false;
        for (size_t i = 0; !known && i < *n; i++)
            known = sets[i] == columns;
        if (!known)
            sets[(*n)++] = columns;
        /* The next number with as many bits. */
        uint64_t low = set & -set, carried = set + low;
        set = carried | ((carried ^ set) >> 2) / low;
    }
    return MGL_OK;
}

/* Those within one of the quasi-identifiers; sets is the caller's (mgl_free). */
static mgl_status make_sets(const mgl_problem *problem, mgl_error *err, uint32_t **sets, size_t *n)
{
    *n = 0;
    MGL_TRY(mgl_new_array(MGL_LOCAL_MOST_SETS, sizeof **sets, err, sets));
    for (size_t q = 0; q < problem->n_sets; q++)
        MGL_TRY(add_sets(problem->counting.columns, &problem->sets[q], err, *sets, n));
    return MGL_OK;
}

/* Rows that match, or are equal, on more columns do so on fewer: the largest combinations say it
 * all. */
static uint32_t columns_together(const void *options, size_t n_attributes)
{
    const mgl_combinations *asked = &((const mgl_local_options *)options)->combinations;
    return asked->all || asked->sizes == 0 ? (uint32_t)n_attributes
                                           : 63 - (uint32_t)__builtin_clzll(asked->sizes);
}

/* The combinations that were asked for. */
static const mgl_combinations *asked_of(const mgl_problem *problem)
{
    return &((const mgl_local_options *)problem->options)->combinations;
}

mgl_status mgl_local_unmet(const mgl_problem *problem, mgl_error *err)
{
    return mgl_fail_no_release(problem, mgl_local_suppression.name, err);
}

mgl_status mgl_local_all_may_go(const mgl_problem *problem, mgl_error *err, bool *out)
{
    *out = problem->treatment == MGL_KEEP;
    return problem->treatment == MGL_EXEMPT ? mgl_top_class_holds(problem, err, out) : MGL_OK;
}

static mgl_status check_combinations(const mgl_problem *problem, mgl_error *err)
{
    const mgl_combinations *c = asked_of(problem);
    size_t m = problem->list->n_attributes;
    if (c->published)
        return mgl_fail_key(
            err, MGL_CODE_CONFLICT, "combinations",
            "`combinations`: the published ones are for mu-argus; give sizes such as "
            "2,3, or all");
    if (m < 63 && c->sizes >> m > 1)
        return mgl_fail_key(err, MGL_CODE_BAD_VALUE, "combinations",
                            "`combinations`: there are %zu quasi-identifier columns; give smaller "
                            "sizes, or all",
                            m);
    return MGL_OK;
}

/* What holds on more columns need not hold on fewer: then one size can be promised, and no other.
 */
static mgl_status check_sizes(const mgl_problem *problem, mgl_error *err)
{
    const mgl_combinations *c = asked_of(problem);
    bool several = c->all || (c->sizes & (c->sizes - 1)) != 0;
    for (size_t i = 0; several && i < problem->sets[0].n_models; i++) {
        const mgl_model_type *type = problem->sets[0].models[i].type;
        bool merges =
            type->union_closed && !type->needs_population && problem->list->persons == NULL;
        if (type->scope == MGL_SCOPE_CLASS && !type->upward_closed && !merges)
            return mgl_fail_key(
                err, MGL_CODE_CONFLICT, "combinations",
                "`combinations`: %s on more columns says nothing about fewer; give one "
                "size, or leave the model out",
                type->name);
    }
    return MGL_OK;
}

static mgl_status check_models(const mgl_problem *problem, mgl_error *err)
{
    for (size_t i = 0; i < problem->sets[0].n_models; i++) {
        const mgl_model_type *type = problem->sets[0].models[i].type;
        if (type->k != MGL_K_IS)
            return mgl_fail_key(
                err, MGL_CODE_CONFLICT, "missing-matches",
                "`missing-matches: all`: rows that match are no classes, and %s needs "
                "classes; ask for k-anonymity alone, or leave `missing-matches` out",
                type->name);
    }
    return MGL_OK;
}

static mgl_status check(const mgl_problem *problem, const mgl_counting *c, mgl_error *err)
{
    size_t m = problem->list->n_attributes;
    if (m > MGL_LOCAL_COLUMNS && problem->n_sets > 1)
        return mgl_fail_key(
            err, MGL_CODE_LIMIT, "quasi-identifiers",
            "local-suppression takes several quasi-identifiers of at most %d columns "
            "together, and there are %zu; leave columns out",
            MGL_LOCAL_COLUMNS, m);
    if (m > MGL_LOCAL_COLUMNS && (c->tops_match || c->columns > 0))
        return mgl_fail_key(
            err, MGL_CODE_LIMIT, c->tops_match ? "missing-matches" : "combinations",
            "%s takes at most %d quasi-identifier columns, and there are %zu; leave it "
            "out, or columns",
            c->tops_match ? "`missing-matches: all`" : "`combinations`", MGL_LOCAL_COLUMNS, m);
    MGL_TRY(check_combinations(problem, err));
    MGL_TRY(check_sizes(problem, err));
    return c->tops_match ? check_models(problem, err) : MGL_OK;
}

/* Where levels do not allow the top, rows there are suppressed ones, none of which may be without a
 * limit. */
static bool excludes_top(const mgl_problem *problem)
{
    for (size_t a = 0; a < problem->list->n_attributes; a++)
        if (problem->max_level[a] < problem->columns[a]->hierarchy->height)
            return true;
    return false;
}

static mgl_status search(const mgl_problem *problem, const uint32_t *sets, size_t n_sets,
                         bool thorough, mgl_error *err, mgl_solution *out)
{
    return problem->counting.tops_match
               ? mgl_local_matching(problem, sets, n_sets, err, out)
               : mgl_local_own_value(problem, sets, n_sets, thorough, err, out);
}

/* Takes the recoding if it is a release of the problem; it is gone then, or freed. */
static mgl_status take(const mgl_problem *problem, mgl_recoding *recoding, mgl_error *err,
                       mgl_solution *out, bool *met)
{
    mgl_status status = local_accepts(problem, recoding, err, &out->suppressed_rows, met);
    if (status == MGL_OK && *met)
        out->recoding = recoding;
    else
        mgl_recoding_free(recoding);
    return status;
}

/* The same search for rows that are not to be suppressed as a whole, or that may be in any number:
 * what it finds can be a release of the problem, too. */
static mgl_status search_otherwise(const mgl_problem *problem, mgl_treatment treatment,
                                   const uint32_t *sets, size_t n_sets, mgl_error *err,
                                   mgl_solution *out, bool *met)
{
    mgl_problem other = *problem;
    mgl_solution found = {.n_attributes = out->n_attributes};
    other.treatment = treatment;
    other.limited = treatment != MGL_KEEP;
    other.limit = 0;
    other.effort = MGL_EFFORT_FAST; /* it is a second search, for anything at all */
    mgl_status status = search(&other, sets, n_sets, false, err, &found);
    mgl_recoding *recoding = found.recoding;
    if (status != MGL_OK) {
        mgl_recoding_free(recoding);
        return status == MGL_UNMET ? MGL_OK : status;
    }
    if (problem->treatment == MGL_DROP)
        memset(recoding->suppressed, 0, recoding->n_tuples); /* a class at the top is one */
    return take(problem, recoding, err, out, met);
}

/* All rows at the top are a class, of which none is suppressed. */
static mgl_status suppress_all(const mgl_problem *problem, mgl_error *err, mgl_solution *out,
                               bool *met)
{
    size_t m = problem->list->n_attributes, n = problem->list->n_tuples;
    mgl_recoding *recoding;
    bool within = problem->treatment != MGL_DROP &&
                  (!problem->limited || problem->limit >= problem->list->n_rows);
    if (!within && excludes_top(problem))
        return MGL_OK;
    MGL_TRY(mgl_recoding_new(problem->columns, m, n, err, &recoding));
    for (size_t t = 0; t < n; t++)
        mgl_recoding_suppress(recoding, t);
    memset(recoding->suppressed, 0, n);
    return take(problem, recoding, err, out, met);
}

/* What the search found does not do, or it found nothing. */
static mgl_status look_again(const mgl_problem *problem, const uint32_t *sets, size_t n_sets,
                             mgl_error *err, mgl_solution *out)
{
    static const mgl_treatment others[] = {MGL_EXEMPT, MGL_KEEP};
    mgl_recoding *best = NULL;
    bool met = false, all;
    mgl_recoding_free(out->recoding);
    out->recoding = NULL;
    out->suppressed_rows = 0;
    MGL_TRY(local_try_all(problem, err, &best, &all));
    if (best != NULL)
        return take(problem, best, err, out, &met);
    if (all)
        return mgl_fail_key(
            err, MGL_CODE_NO_RELEASE, "suppress",
            "no suppression of cells makes a release that holds within %llu suppressed "
            "rows; allow more with `suppress`, or ask for less",
            (unsigned long long)problem->limit);
    /* Where levels do not allow the top, there is no class that keeps rows there. */
    size_t n_others = excludes_top(problem) ? 1 : 2;
    for (size_t i = 0; !met && i < n_others; i++)
        MGL_TRY(search_otherwise(problem, others[i], sets, n_sets, err, out, &met));
    if (!met)
        MGL_TRY(suppress_all(problem, err, out, &met));
    return met ? MGL_OK : mgl_local_unmet(problem, err);
}

static mgl_status run(const mgl_problem *problem, mgl_error *err, mgl_solution *out)
{
    size_t m = problem->list->n_attributes, n = 1;
    const mgl_counting *c = &problem->counting;
    mgl_problem counted = *problem;
    uint32_t *sets = NULL;
    counted.limited = problem->limited || excludes_top(problem);
    MGL_TRY(check(problem, c, err));
    out->nodes_total = m < 64 ? UINT64_C(1) << m : UINT64_MAX; /* patterns of a row */
    mgl_status status = MGL_OK;
    if (m <= MGL_LOCAL_COLUMNS)
        status = make_sets(problem, err, &sets, &n);
    if (status == MGL_OK)
        status = search(&counted, sets, n, true, err, out);
    if (status == MGL_UNMET)
        status = look_again(&counted, sets, n, err, out);
    mgl_free(sets);
    return status;
}

static const mgl_method_option options[] = {
    {.name = "importance",
     .value = "COLUMN=X,...",
     .fallback = "1",
     .help = "local-suppression: what a cell of the column is worth",
     .by_column = true,
     .parser = {.kind = MGL_PARSE_NUMBER, .wrong = "is no weight; give a number of at least 0"},
     .place = offsetof(mgl_local_options, importance)},
    {.same = &mgl_combinations_option, .place = offsetof(mgl_local_options, combinations)},
};

const mgl_method_type mgl_local_suppression = {
    .name = "local-suppression",
    .help = "single cells are suppressed, the fewest or least important ones",
    .when = "values should stay as they are, and only rare combinations lose cells",
    .cost = "a pass over the distinct tuples per pattern of columns; then by `effort`, which "
            "counts steps",
    .options = options,
    .n_options = sizeof options / sizeof options[0],
    .options_size = sizeof(mgl_local_options),
    .full_domain = false,
    .several_sets = true,
    .keeps_values = true,
    .looks_longer = true,
    .tops_may_match = true,
    .columns_together = columns_together,
    .run = run,
};
