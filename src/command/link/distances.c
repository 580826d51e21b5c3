/* Measures averages against what they stand for, by distance. The files do not say which row became
 * which, so every row of the original is compared with the nearest row of the release: what is told
 * is the least that can have been lost. `utility` calls it. */
#include "command/link/link.h"
#include "command/link/number_columns.h"

#include <math.h>

typedef struct comparison {
    const mgl_frequency_list *list;
    const mgl_table *table; /* of the release, its quasi-identifiers first */
    size_t m, n_points;
    mgl_number_kind *kinds;
    double **original, **released; /* [a][leaf], [a][code] */
    mgl_moments *spreads;          /* [a] of the original */
    double *units;                 /* [a] */
    double *points;                /* [row of the release * m + a] */
    mgl_neighbours *neighbours;
} comparison;

static mgl_status read_numbers(comparison *c, mgl_error *err, bool *all)
{
    *all = true;
    for (size_t a = 0; *all && a < c->m; a++) {
        const mgl_hierarchy *h = c->list->hierarchies[a];
        c->original[a] = mgl_alloc_array(h->n_leaves, sizeof **c->original);
        if (c->original[a] == NULL)
            return mgl_fail_memory(err);
        *all = mgl_numbers_of(h->levels[0].labels, h->n_leaves, h->missing_leaf, &h->notation,
                              c->original[a], &c->kinds[a]);
        if (*all)
            MGL_TRY(mgl_numbers_of_dictionary(c->table->columns[a].dictionary, err, &c->kinds[a],
                                              &c->released[a], all));
    }
    return MGL_OK;
}

static mgl_status begin(comparison *c, mgl_error *err)
{
    c->kinds = mgl_zeroed_array(c->m, sizeof *c->kinds);
    c->original = mgl_zeroed_array(c->m, sizeof *c->original);
    c->released = mgl_zeroed_array(c->m, sizeof *c->released);
    c->spreads = mgl_zeroed_array(c->m, sizeof *c->spreads);
    c->units = mgl_zeroed_array(c->m, sizeof *c->units);
    return c->kinds == NULL || c->original == NULL || c->released == NULL || c->spreads == NULL ||
                   c->units == NULL
               ? mgl_fail_memory(err)
               : MGL_OK;
}

static void end(comparison *c)
{
    for (size_t a = 0; a < c->m; a++) {
        if (c->original != NULL)
            mgl_free(c->original[a]);
        if (c->released != NULL)
            mgl_free(c->released[a]);
    }
    mgl_free(c->kinds);
    mgl_free(c->original);
    mgl_free(c->released);
    mgl_free(c->spreads);
    mgl_free(c->units);
    mgl_free(c->points);
    mgl_neighbours_free(c->neighbours);
}

mgl_status mgl_distances_apply(const mgl_frequency_list *list, const mgl_table *table,
                               mgl_error *err, bool *out)
{
    comparison c = {.list = list, .table = table, .m = list->n_attributes};
    mgl_status status = begin(&c, err);
    if (status == MGL_OK)
        status = read_numbers(&c, err, out);
    end(&c);
    return status;
}

static mgl_status prepare(comparison *c, mgl_error *err)
{
    bool all;
    c->n_points = c->table->n_rows;
    MGL_TRY(begin(c, err));
    MGL_TRY(read_numbers(c, err, &all));
    c->points = mgl_alloc_array(c->n_points, c->m * sizeof *c->points);
    if (c->points == NULL)
        return mgl_fail_memory(err);
    for (size_t a = 0; a < c->m; a++) {
        for (size_t t = 0; t < c->list->n_tuples; t++)
            mgl_moments_add(&c->spreads[a], c->original[a][mgl_list_leaf(c->list, t, a)],
                            (double)c->list->counts[t]);
        c->units[a] = mgl_moments_unit(&c->spreads[a]);
        for (size_t row = 0; row < c->n_points; row++)
            c->points[row * c->m + a] = c->released[a][mgl_column_code(&c->table->columns[a], row)];
    }
    return mgl_neighbours_new(c->points, c->n_points, c->m, c->units, err, &c->neighbours);
}

static void take_first(void *context, uint32_t point)
{
    uint32_t *first = context;
    *first = point < *first ? point : *first;
}

/* Adds how far one cell is from its nearest: as a number, and as a share of the range of the
 * column. A suppressed cell loses all, and so does one that is missing on one side only. */
static void add_cell(const comparison *c, size_t a, double x, double y, double rows,
                     mgl_distances *out)
{
    const mgl_moments *s = &c->spreads[a];
    double range = s->most - s->least;
    bool near = isfinite(x) && isfinite(y), same = isnan(x) && isnan(y);
    out->loss[a] += rows * (near ? (range > 0 ? fabs(x - y) / range : 0) : same ? 0 : 1);
    if (!isfinite(x) || s->squares <= 0)
        return;
    double d = x - (isfinite(y) ? y : s->mean), variance = s->squares / s->rows;
    out->sse += rows * d * d / variance;
    out->sst += rows * (x - s->mean) * (x - s->mean) / variance;
    if (s->rows > 1)
        out->il1s += rows * fabs(d) / sqrt(2 * s->squares / (s->rows - 1));
}

mgl_status mgl_distances_find(const mgl_frequency_list *list, const mgl_table *table,
                              const mgl_progress *progress, mgl_error *err, mgl_distances *out)
{
    enum { AT_ONCE = 1024 };
    comparison c = {.list = list, .table = table, .m = list->n_attributes};
    double *point = mgl_alloc_array(c.m, sizeof *point);
    mgl_status status = point == NULL ? mgl_fail_memory(err) : prepare(&c, err);
    for (size_t t = 0; status == MGL_OK && t < list->n_tuples; t++) {
        uint32_t nearest = MGL_NOT_FOUND;
        for (size_t a = 0; a < c.m; a++)
            point[a] = c.original[a][mgl_list_leaf(list, t, a)];
        mgl_neighbours_find(c.neighbours, point, take_first, &nearest);
        for (size_t a = 0; nearest != MGL_NOT_FOUND && a < c.m; a++)
            add_cell(&c, a, point[a], c.points[nearest * c.m + a], (double)list->counts[t], out);
        if (t % AT_ONCE == 0)
            status = mgl_progress_report(progress, "measure", t, list->n_tuples, err);
    }
    mgl_free(point);
    end(&c);
    return status;
}
