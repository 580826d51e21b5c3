/* Tries every way to suppress cells of a few tuples, one by one: where the search finds nothing, it
 * says whether there is anything to find. */
#include "search/local/patterns.h"
#include "search/node/node.h"

#include <math.h>

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

mgl_status mgl_local_accepts(const mgl_problem *problem, mgl_recoding *recoding, mgl_error *err,
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

/* ---- One way -------------------------------------------------------------------------------- */

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
    MGL_TRY(mgl_local_accepts(s->problem, s->tried, err, &rows, &holds));
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

/* ---- Classes --------------------------------------------------------------------------------- */

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

/* ---- Patterns -------------------------------------------------------------------------------- */

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

/* ---- All ------------------------------------------------------------------------------------- */

mgl_status mgl_local_try_all(const mgl_problem *problem, mgl_error *err, mgl_recoding **out,
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
