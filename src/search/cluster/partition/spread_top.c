/* Exempt rows count against the limit whatever put them at the top. Where a method made a class
 * there that is too large for the limit, its tuples join other classes one by one, each the one
 * that it widens least and that stays below the top. */
#include "search/cluster/partition/partition.h"

/* What a class has in common in one column. */
typedef struct common {
    uint32_t leaf, level; /* by levels: one of its leaves, and where all are one value */
    uint32_t first, last; /* as a range: places; MGL_NOT_FOUND: some have none */
    bool mixed;           /* and others have */
} common;

typedef struct spreading {
    const mgl_problem *problem;
    size_t n, m;
    mgl_scale **scales; /* [m] NULL: released by levels */
    mgl_classes classes;
    uint64_t *rows;  /* [class] */
    common *commons; /* [class * m] */
    uint32_t top;    /* the class at the top */
    common *with;    /* [m] scratch: a class with one tuple more */
} spreading;

static mgl_status begin(spreading *s, const mgl_recoding *recoding, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    uint32_t *n_values = mgl_alloc_array(s->m, sizeof *n_values);
    s->scales = mgl_zeroed_array(s->m, sizeof *s->scales);
    s->with = mgl_alloc_array(s->m, sizeof *s->with);
    mgl_status status = MGL_OK;
    MGL_GO(n_values == NULL || s->scales == NULL || s->with == NULL
               ? mgl_fail_memory(err)
               : mgl_classes_init(&s->classes, s->n, s->m, err));
    for (size_t a = 0; a < s->m; a++) {
        n_values[a] = recoding->columns[a]->n_values;
        MGL_GO(mgl_partition_scale(p, a, err, &s->scales[a]));
    }
    mgl_classes_group(&s->classes, recoding->cells, n_values, NULL, s->m, p->list->counts);
    s->rows = mgl_zeroed_array(s->classes.n_classes, sizeof *s->rows);
    s->commons = mgl_alloc_array(s->classes.n_classes, s->m * sizeof *s->commons);
    if (s->rows == NULL || s->commons == NULL)
        MGL_GO(mgl_fail_memory(err));
done:
    mgl_free(n_values);
    return status;
}

static void end(spreading *s)
{
    for (size_t a = 0; s->scales != NULL && a < s->m; a++)
        mgl_scale_free(s->scales[a]);
    mgl_classes_free(&s->classes);
    mgl_free(s->scales);
    mgl_free(s->rows);
    mgl_free(s->commons);
    mgl_free(s->with);
}

/* ---- Classes and tuples ------------------------------------------------------------------ */

static common common_of(const spreading *s, size_t t, size_t a)
{
    uint32_t leaf = mgl_list_leaf(s->problem->list, t, a);
    uint32_t place = s->scales[a] != NULL ? s->scales[a]->place_of[leaf] : MGL_NOT_FOUND;
    return (common){leaf, s->problem->min_level[a], place, place, false};
}

static void join(const spreading *s, size_t a, common *c, const common *other)
{
    const mgl_hierarchy *h = s->problem->columns[a]->hierarchy;
    while (h->levels[c->level].of_leaf[c->leaf] != h->levels[c->level].of_leaf[other->leaf])
        c->level++;
    c->mixed = c->mixed || (c->first == MGL_NOT_FOUND) != (other->first == MGL_NOT_FOUND);
    c->first = other->first < c->first ? other->first : c->first;
    c->last = other->last > c->last ? other->last : c->last;
}

/* From 0 to 1. */
static double width(const spreading *s, size_t a, const common *c)
{
    const mgl_scale *scale = s->scales[a];
    if (scale == NULL)
        return (double)c->level / s->problem->columns[a]->hierarchy->height;
    if (c->mixed || c->first == MGL_NOT_FOUND)
        return c->mixed;
    const double *number = scale->of_leaf;
    double all = number[scale->ordered[scale->n_ordered - 1]] - number[scale->ordered[0]];
    return all > 0 ? (number[scale->ordered[c->last]] - number[scale->ordered[c->first]]) / all : 0;
}

static bool reads_as_top(const spreading *s, const common *commons)
{
    for (size_t a = 0; a < s->m; a++) {
        const mgl_released_column *column = s->problem->columns[a];
        const common *c = &commons[a];
        bool top =
            s->scales[a] != NULL ? c->mixed : column->of_leaf[c->level][c->leaf] == column->top;
        if (!top)
            return false;
    }
    return true;
}

/* What the class is with the tuple, in s->with: false if it may not be that. *cost: what its rows
 * and those of the tuple lose then beyond what the class lost. */
static bool try_to_join(spreading *s, size_t class, size_t t, double *cost)
{
    double before = 0, after = 0;
    for (size_t a = 0; a < s->m; a++) {
        common more = common_of(s, t, a);
        s->with[a] = s->commons[class * s->m + a];
        before += width(s, a, &s->with[a]);
        join(s, a, &s->with[a], &more);
        after += width(s, a, &s->with[a]);
        if (s->scales[a] == NULL && s->with[a].level > s->problem->max_level[a])
            return false;
    }
    uint64_t rows = s->rows[class];
    *cost = after * (double)(rows + s->problem->list->counts[t]) - before * (double)rows;
    return !reads_as_top(s, s->with);
}

/* ---- Spreading ------------------------------------------------------------------------- */

static void describe_classes(spreading *s)
{
    for (size_t t = 0; t < s->n; t++) {
        uint32_t class = s->classes.of_tuple[t];
        common *commons = s->commons + class * s->m;
        for (size_t a = 0; a < s->m; a++) {
            common more = common_of(s, t, a);
            if (s->rows[class] == 0)
                commons[a] = more;
            else
                join(s, a, &commons[a], &more);
        }
        s->rows[class] += s->problem->list->counts[t];
    }
}

/* Rows that are suppressed, or in the class at the top, are left where no class takes them. */
static void spread(spreading *s)
{
    for (size_t t = 0; t < s->n; t++) {
        size_t best = SIZE_MAX;
        double least = 0, cost;
        if (s->classes.of_tuple[t] != s->top)
            continue;
        for (size_t class = 0; class < s->classes.n_classes; class ++)
            if (class != s->top && try_to_join(s, class, t, &cost) &&
                (best == SIZE_MAX || cost < least)) {
                best = class;
                least = cost;
            }
        if (best == SIZE_MAX)
            continue;
        try_to_join(s, best, t, &cost);
        memcpy(s->commons + best * s->m, s->with, s->m * sizeof *s->with);
        s->rows[best] += s->problem->list->counts[t];
        s->classes.of_tuple[t] = (uint32_t)best;
    }
}

static mgl_status spread_tops(const mgl_problem *problem, const mgl_recoding *recoding,
                              mgl_error *err, mgl_recoding **out)
{
    spreading s = {.problem = problem,
                   .n = recoding->n_tuples,
                   .m = recoding->n_attributes,
                   .top = MGL_NOT_FOUND};
    mgl_status status = begin(&s, recoding, err);
    if (status == MGL_OK) {
        for (size_t t = 0; t < s.n && s.top == MGL_NOT_FOUND; t++)
            if (mgl_recoding_is_top(recoding, t))
                s.top = s.classes.of_tuple[t];
        describe_classes(&s);
        spread(&s);
        status = mgl_partition_recode(problem, s.classes.of_tuple, s.classes.n_classes, err, out);
    }
    end(&s);
    return status;
}

/* ---- A partition as the solution ----------------------------------------------------------- */

static uint64_t rows_at_top(const mgl_problem *p, const mgl_recoding *recoding)
{
    uint64_t rows = 0;
    for (size_t t = 0; t < recoding->n_tuples; t++)
        rows += mgl_recoding_is_top(recoding, t) ? p->list->counts[t] : 0;
    return rows;
}

/* The coarsest release there is. */
static mgl_status recode_widest(const mgl_problem *problem, mgl_error *err, mgl_recoding **out)
{
    uint32_t *cluster_of = mgl_alloc_array(problem->list->n_tuples, sizeof *cluster_of);
    size_t n_clusters;
    mgl_status status = cluster_of == NULL
                            ? mgl_fail_memory(err)
                            : mgl_partition_widest(problem, err, cluster_of, &n_clusters);
    if (status == MGL_OK)
        status = mgl_partition_recode(problem, cluster_of, n_clusters, err, out);
    mgl_free(cluster_of);
    return status;
}

static mgl_status replace(mgl_solution *solution, const mgl_problem *problem,
                          mgl_recoding *recoding, mgl_error *err)
{
    mgl_recoding_free(solution->recoding);
    solution->recoding = NULL;
    solution->suppressed_rows = 0;
    return mgl_solution_take_recoding(solution, problem, recoding, err);
}

mgl_status mgl_solution_take_partition(mgl_solution *solution, const mgl_problem *problem,
                                       mgl_recoding *recoding, mgl_error *err)
{
    mgl_recoding *other;
    uint64_t rows = problem->treatment == MGL_EXEMPT ? rows_at_top(problem, recoding) : 0;
    if (rows <= problem->limit || rows == problem->list->n_rows)
        return mgl_solution_take_recoding(solution, problem, recoding, err);
    solution->recoding = recoding;
    MGL_TRY(spread_tops(problem, recoding, err, &other));
    return replace(solution, problem, other, err);
}

mgl_status mgl_solution_take_widest(mgl_solution *solution, const mgl_problem *problem,
                                    mgl_error *err)
{
    mgl_recoding *recoding;
    MGL_TRY(recode_widest(problem, err, &recoding));
    return replace(solution, problem, recoding, err);
}
