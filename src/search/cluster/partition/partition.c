/* Recodes any partition of the tuples: common ancestors and ranges, missing cells, level bounds. */
#include "search/cluster/partition/partition.h"

/* ---- How columns are released -------------------------------------------------------- */

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
    uint32_t **cells = mgl_zeroed_array(m, sizeof *cells);
    uint32_t *n_values = mgl_alloc_array(m, sizeof *n_values);
    mgl_classes classes = {0};
    mgl_status status = MGL_OK;
    MGL_GO(cells == NULL || n_values == NULL ? mgl_fail_memory(err)
                                             : mgl_classes_init(&classes, n, m, err));
    for (size_t a = 0; a < m; a++) {
        n_values[a] = p->columns[a]->n_values;
        cells[a] = mgl_alloc_array(n, sizeof **cells);
        if (cells[a] == NULL)
            MGL_GO(mgl_fail_memory(err));
        for (size_t t = 0; t < n; t++)
            cells[a][t] = p->columns[a]->of_leaf[p->max_level[a]][mgl_list_leaf(p->list, t, a)];
    }
    mgl_classes_group(&classes, cells, n_values, NULL, m, p->list->counts);
    memcpy(cluster_of_tuple, classes.of_tuple, n * sizeof *cluster_of_tuple);
    *n_clusters = classes.n_classes;
done:
    for (size_t a = 0; cells != NULL && a < m; a++)
        mgl_free(cells[a]);
    mgl_free(cells);
    mgl_free(n_values);
    mgl_classes_free(&classes);
    return status;
}

/* ---- What a cluster has in common ------------------------------------------------------- */

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

static void join_level(const mgl_hierarchy *h, common *c, uint32_t leaf)
{
    while (h->levels[c->level].of_leaf[c->leaf] != h->levels[c->level].of_leaf[leaf])
        c->level++;
}

static void join_place(const mgl_scale *scale, common *c, uint32_t leaf)
{
    uint32_t place = scale->place_of[leaf];
    bool scaled = place != MGL_NOT_FOUND && c->first != MGL_NOT_FOUND;
    c->differ = c->differ || (!scaled && leaf != c->leaf);
    c->first = place < c->first ? place : c->first;
    c->last = place > c->last ? place : c->last;
}

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
            join_place(scale, c, leaf);
        } else {
            join_level(p->columns[a]->hierarchy, c, leaf);
        }
    }
}

/* ---- Released values ----------------------------------------------------------------- */

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
    r.commons = mgl_alloc_array(n_clusters, sizeof *r.commons);
    r.values = mgl_zeroed_array(n_clusters, sizeof *r.values);
    r.made = mgl_zeroed_array(m, sizeof *r.made);
    mgl_status status = r.commons == NULL || r.values == NULL || r.made == NULL
                            ? mgl_fail_memory(err)
                            : make_recoding(&r, err, &recoding);
    for (size_t a = 0; status == MGL_OK && a < m; a++)
        status = recode_column(&r, a, err, recoding);
    mgl_free(r.commons);
    mgl_free(r.values);
    mgl_free(r.made);
    if (status != MGL_OK) {
        mgl_recoding_free(recoding);
        return status;
    }
    *out = recoding;
    return MGL_OK;
}
