/* Tells for each column how many cells are on which level, and what that lost. figures.c calls it.
 */
#include "findings/figures/figure_kinds.h"

static bool is_dropped(const mgl_outcome *outcome, size_t tuple)
{
    return outcome->task->problem.treatment == MGL_DROP &&
           outcome->solution->recoding->suppressed[tuple];
}

/* Rows on each level of the hierarchy; those with a range or an average are on none. */
static mgl_status levels_json(const mgl_outcome *outcome, size_t a, mgl_error *err, json_t *object)
{
    const mgl_frequency_list *list = outcome->task->problem.list;
    const mgl_recoding *recoding = outcome->solution->recoding;
    const mgl_released_column *column = recoding->columns[a];
    size_t n_levels = (size_t)column->hierarchy->height + 1;
    uint64_t *rows = mgl_zeroed_array(n_levels, sizeof *rows), made = 0, dropped = 0;
    if (rows == NULL)
        return mgl_fail_memory(err);
    for (size_t t = 0; t < list->n_tuples; t++) {
        int32_t level = column->values[recoding->cells[a][t]].level;
        if (is_dropped(outcome, t))
            dropped += list->counts[t];
        else if (level < 0)
            made += list->counts[t];
        else
            rows[level] += list->counts[t];
    }
    json_t *levels = json_array();
    for (size_t l = 0; l < n_levels; l++)
        mgl_json_append(levels, mgl_json_count(rows[l]));
    mgl_free(rows);
    mgl_json_set(object, "rows_at_level", levels);
    mgl_json_set(object, "rows_made", mgl_json_count(made));
    mgl_json_set(object, "rows_dropped", mgl_json_count(dropped));
    return MGL_OK;
}

static mgl_status column_json(const mgl_outcome *outcome, const mgl_measured *measured, size_t a,
                              mgl_error *err, json_t *object)
{
    const mgl_statistics *s = &measured->statistics;
    double n = (double)s->n_rows;
    json_t *distribution;
    mgl_json_set(object, "column", json_string(outcome->reading->quasi[a].settings->name));
    mgl_json_set(object, "height", mgl_json_count(measured->heights[a]));
    mgl_json_set(object, "loss", mgl_json_real(s->loss[a] / n));
    mgl_json_set(object, "precision",
                 s->distortion != NULL ? mgl_json_real(1 - s->distortion[a] / n) : json_null());
    MGL_TRY(levels_json(outcome, a, err, object));
    MGL_TRY(mgl_figures_distribution(outcome, a, mgl_figures_threshold(outcome, measured), err,
                                     &distribution));
    mgl_json_set(object, "distribution", distribution);
    return MGL_OK;
}

mgl_status mgl_figures_columns(const mgl_outcome *outcome, const mgl_measured *measured,
                               mgl_error *err, json_t *figures)
{
    json_t *list = json_array();
    mgl_status status = MGL_OK;
    for (size_t a = 0; status == MGL_OK && a < outcome->reading->n_quasi; a++) {
        json_t *object = json_object();
        status = column_json(outcome, measured, a, err, object);
        mgl_json_append(list, object);
    }
    mgl_json_set(figures, "columns", list);
    return status;
}
