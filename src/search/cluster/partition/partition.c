/* Recodes any partition of the tuples: common ancestors and ranges, missing cells, level bounds. */
#include "search/cluster/partition/partition.h"

mgl_status mgl_partition_scale(const mgl_problem *p, size_t a, mgl_error *err, mgl_scale **out)
{
    const mgl_hierarchy *h = p->columns[a]->hierarchy;
    *out = NULL;
    if (h->given || p->min_level[a] > 0 || p->max_level[a] < h->height)
        return MGL_OK;
    return mgl_scale_new(h, err, out);
}

mgl_status mgl_partition_widest(const mgl_problem *p, mgl_error *err, uint32_t *cluster_of_tuple,
                                size_t *n_clusters)
{
    size_t n = p->list->n_tuples, m = p->list->n_attributes;
    mgl_owned own = {0};
    uint32_t **cells = mgl_own_rows(&own, m, n, sizeof **cells);
    uint32_t *n_values = mgl_own_array(&own, m, sizeof *n_values);
    mgl_classes classes = {0};
    mgl_status status = MGL_OK;
    MGL_GO(mgl_owned_check(&own, err));
    MGL_GO(mgl_classes_init(&classes, n, m, err));
    for (size_t a = 0; a < m; a++) {
        n_values[a] = p->columns[a]->n_values;
        for (size_t t = 0; t < n; t++)
            cells[a][t] = p->columns[a]->of_leaf[p->max_level[a]][mgl_list_leaf(p->list, t, a)];
    }
    mgl_classes_group(&classes, cells, n_values, NULL, m, p->list->counts);
    memcpy(cluster_of_tuple, classes.of_tuple, n * sizeof *cluster_of_tuple);
    *n_clusters = classes.n_classes;
done:
    mgl_owned_free(&own);
    mgl_classes_free(&classes);
    return status;
}

/* Of the cells that one cluster has in one column. */
typedef struct common {
    uint32_t leaf;        /* one of them; MGL_NOT_FOUND: the cluster is empty */
    uint32_t level;       /* at which all are one value */
    uint32_t first, last; /* places on the scale */
    bool differ;          /* and one of them has none */
} common;

typedef struct recoding_clusters {
    const mgl_problem *problem;
    const uint32_t *cluster_of_tuple;
    size_t n_clusters;
    common *commons;            /* [n_clusters] of the column that is worked on */
    uint32_t *values;           /* [n_clusters] released values of that column */
    mgl_released_column **made; /* [a] columns of ranges; NULL: released by levels */
} recoding_clusters;

static void find_commons(recoding_clusters *r, size_t a)
{
    const mgl_problem *p = r->problem;
    const mgl_scale *scale = r->made[a] != NULL ? r->made[a]->scale : NULL;
    for (size_t i = 0; i < r->n_clusters; i++)
        r->commons[i] = (common){.leaf = MGL_NOT_FOUND, .level = p->min_level[a]};
    for (size_t t = 0; t < p->list->n_tuples; t++) {
        common *c = &r->commons[r->cluster_of_tuple[t]];
        uint32_t leaf = mgl_list_leaf(p->list, t, a);
        if (c->leaf == MGL_NOT_FOUND) {
            c->leaf = leaf;
            if (scale != NULL)
                c->first = c->last = scale->place_of[leaf];
        } else if (scale != NULL) {
            uint32_t place = scale->place_of[leaf];
            bool scaled = place != MGL_NOT_FOUND && c->first != MGL_NOT_FOUND;
            c->differ = c->differ || (!scaled && leaf != c->leaf);
            c->first = place < c->first ? place : c->first;
            c->last = place > c->last ? place : c->last;
        } else {
            const mgl_hierarchy *h = p->columns[a]->hierarchy;
            while (h->levels[c->level].of_leaf[c->leaf] != h->levels[c->level].of_leaf[leaf])
                c->level++;
        }
    }
}

static mgl_status name_range(mgl_released_column *column, const common *c, mgl_error *err,
                             uint32_t *out)
{
    if (!c->differ && c->first != MGL_NOT_FOUND)
        return mgl_made_range(column, c->first, c->last, err, out);
    *out = c->differ ? column->top : column->of_leaf[0][c->leaf]; /* the missing value */
    return MGL_OK;
}

static mgl_status recode_column(recoding_clusters *r, size_t a, mgl_error *err, mgl_recoding *out)
{
    find_commons(r, a);
    for (size_t i = 0; i < r->n_clusters; i++) {
        const common *c = &r->commons[i];
        if (c->leaf == MGL_NOT_FOUND)
            continue;
        if (r->made[a] != NULL)
            MGL_TRY(name_range(r->made[a], c, err, &r->values[i]));
        else
            r->values[i] = r->problem->columns[a]->of_leaf[c->level][c->leaf];
    }
    for (size_t t = 0; t < out->n_tuples; t++)
        out->cells[a][t] = r->values[r->cluster_of_tuple[t]];
    return MGL_OK;
}

static mgl_status make_columns(recoding_clusters *r, mgl_error *err)
{
    const mgl_problem *p = r->problem;
    for (size_t a = 0; a < p->list->n_attributes; a++) {
        mgl_scale *scale;
        MGL_TRY(mgl_partition_scale(p, a, err, &scale));
        if (scale == NULL)
            continue;
        double least = scale->of_leaf[scale->ordered[0]];
        double most = scale->of_leaf[scale->ordered[scale->n_ordered - 1]];
        MGL_TRY(
            mgl_made_column_new(p->columns[a]->hierarchy, scale, least, most, err, &r->made[a]));
    }
    return MGL_OK;
}

/* The columns become the recoding's. */
static mgl_status make_recoding(recoding_clusters *r, mgl_error *err, mgl_recoding **out)
{
    const mgl_problem *p = r->problem;
    size_t m = p->list->n_attributes;
    mgl_status status = make_columns(r, err);
    if (status == MGL_OK)
        return mgl_recoding_with(p->columns, r->made, m, p->list->n_tuples, err, out);
    for (size_t a = 0; a < m; a++)
        mgl_released_column_free(r->made[a]);
    return status;
}

mgl_status mgl_partition_recode(const mgl_problem *problem, const uint32_t *cluster_of_tuple,
                                size_t n_clusters, mgl_error *err, mgl_recoding **out)
{
    size_t m = problem->list->n_attributes;
    recoding_clusters r = {
        .problem = problem, .cluster_of_tuple = cluster_of_tuple, .n_clusters = n_clusters};
    mgl_recoding *recoding = NULL;
    mgl_owned own = {0};
    mgl_status status = MGL_OK;
    r.commons = mgl_own_array(&own, n_clusters, sizeof *r.commons);
    r.values = mgl_own_zeroed(&own, n_clusters, sizeof *r.values);
    r.made = mgl_own_zeroed(&own, m, sizeof *r.made);
    MGL_GO(mgl_owned_check(&own, err));
    MGL_GO(make_recoding(&r, err, &recoding));
    for (size_t a = 0; a < m; a++)
        MGL_GO(recode_column(&r, a, err, recoding));
    *out = recoding;
    recoding = NULL;
done:
    mgl_owned_free(&own);
    mgl_recoding_free(recoding);
    return status;
}

/* Exempt rows count against the limit whatever put them at the top. Where a method made a class
 * there that is too large for the limit, its tuples join other classes one by one, each the one
 * that it widens least and that stays below the top. */

/* What a class has in shared in one column. */
typedef struct shared {
    uint32_t leaf, level; /* by levels: one of its leaves, and where all are one value */
    uint32_t first, last; /* as a range: places; MGL_NOT_FOUND: some have none */
    bool mixed;           /* and others have */
} shared;

typedef struct spreading {
    const mgl_problem *problem;
    size_t n, m;
    mgl_scale **scales; /* [m] NULL: released by levels */
    mgl_classes classes;
    uint64_t *rows;  /* [class] */
    shared *commons; /* [class * m] */
    uint32_t top;    /* the class at the top */
    shared *with;    /* [m] scratch: a class with one tuple more */
    mgl_owned own;
} spreading;

static mgl_status begin(spreading *s, const mgl_recoding *recoding, mgl_error *err)
{
    const mgl_problem *p = s->problem;
    uint32_t *n_values = mgl_own_array(&s->own, s->m, sizeof *n_values);
    s->scales = mgl_own_zeroed(&s->own, s->m, sizeof *s->scales);
    s->with = mgl_own_array(&s->own, s->m, sizeof *s->with);
    MGL_TRY(mgl_owned_check(&s->own, err));
    MGL_TRY(mgl_classes_init(&s->classes, s->n, s->m, err));
    for (size_t a = 0; a < s->m; a++) {
        n_values[a] = recoding->columns[a]->n_values;
        MGL_TRY(mgl_partition_scale(p, a, err, &s->scales[a]));
    }
    mgl_classes_group(&s->classes, recoding->cells, n_values, NULL, s->m, p->list->counts);
    s->rows = mgl_own_zeroed(&s->own, s->classes.n_classes, sizeof *s->rows);
    s->commons = mgl_own_array(&s->own, s->classes.n_classes, s->m * sizeof *s->commons);
    return mgl_owned_check(&s->own, err);
}

static shared common_of(const spreading *s, size_t t, size_t a)
{
    uint32_t leaf = mgl_list_leaf(s->problem->list, t, a);
    uint32_t place = s->scales[a] != NULL ? s->scales[a]->place_of[leaf] : MGL_NOT_FOUND;
    return (shared){leaf, s->problem->min_level[a], place, place, false};
}

static void join(const spreading *s, size_t a, shared *c, const shared *other)
{
    const mgl_hierarchy *h = s->problem->columns[a]->hierarchy;
    while (h->levels[c->level].of_leaf[c->leaf] != h->levels[c->level].of_leaf[other->leaf])
        c->level++;
    c->mixed = c->mixed || (c->first == MGL_NOT_FOUND) != (other->first == MGL_NOT_FOUND);
    c->first = other->first < c->first ? other->first : c->first;
    c->last = other->last > c->last ? other->last : c->last;
}

/* From 0 to 1. */
static double width(const spreading *s, size_t a, const shared *c)
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

static bool reads_as_top(const spreading *s, const shared *commons)
{
    for (size_t a = 0; a < s->m; a++) {
        const mgl_released_column *column = s->problem->columns[a];
        const shared *c = &commons[a];
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
        shared more = common_of(s, t, a);
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

static void describe_classes(spreading *s)
{
    for (size_t t = 0; t < s->n; t++) {
        uint32_t class = s->classes.of_tuple[t];
        shared *commons = s->commons + class * s->m;
        for (size_t a = 0; a < s->m; a++) {
            shared more = common_of(s, t, a);
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
    for (size_t a = 0; s.scales != NULL && a < s.m; a++)
        mgl_scale_free(s.scales[a]);
    mgl_classes_free(&s.classes);
    mgl_owned_free(&s.own);
    return status;
}

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
